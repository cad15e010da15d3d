#!/usr/bin/env python3
"""The method of docs/ODIM.md in PyTorch on the CPU: what `odim detect` is compared with.

    odim_torch.py FILE.npz [--no-batch-norm] [--threads N] [--members N] [--samples N] [--seed N]

Written the way PyTorch is normally used: modules, automatic differentiation, Adam, the b*K codes of a batch decoded
at once, scikit-learn's GaussianMixture for the stop rule. FILE holds X (rows, columns) and y (1 = outlier). Prints one
line of JSON: AUC, average precision, mean number of updates of a member, seconds of fitting and of scoring, CPU seconds
of both together.
"""
import argparse
import copy
import json
import math
import sys
import time

import numpy as np
import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.mixture import GaussianMixture
from threadpoolctl import threadpool_limits
from torch import nn

BATCH = 64
MAX_UPDATES = 10000
SCORE_BATCH = 128  # rows scored at a time: of 64 to 4096 the quickest on pendigits, and near it on satellite


def layer_sizes(columns):
    """Widths of the encoder's hidden layers, and of the code."""
    if columns < 100:
        return (32, 16), (2 if columns <= 4 else 4 if columns <= 6 else 6 if columns <= 8 else 8)
    if columns <= 1000:
        return (128, 64), 32
    return (512, 256), 128


class Gaussian(nn.Module):
    """Hidden layers, then the mean and the log-variance of a diagonal Gaussian."""

    def __init__(self, sizes, out, batch_norm):
        super().__init__()
        layers = []
        for width_in, width_out in zip(sizes, sizes[1:]):
            layers.append(nn.Linear(width_in, width_out, bias=not batch_norm))
            if batch_norm:
                layers.append(nn.BatchNorm1d(width_out, eps=1e-4, momentum=0.1, affine=False))
            layers.append(nn.LeakyReLU(0.01, inplace=True))
        self.hidden = nn.Sequential(*layers)
        self.mean = nn.Linear(sizes[-1], out, bias=False)
        self.log_variance = nn.Sequential(nn.Linear(sizes[-1], out), nn.Hardtanh(-6.0, 2.0))

    def forward(self, x):
        h = self.hidden(x)
        return self.mean(h), self.log_variance(h)


class Autoencoder(nn.Module):
    def __init__(self, columns, batch_norm):
        super().__init__()
        hidden, self.latent = layer_sizes(columns)
        self.encoder = Gaussian([columns, *hidden], self.latent, batch_norm)
        self.decoder = Gaussian([self.latent, *reversed(hidden)], columns, batch_norm)

    def losses(self, x, eps):
        """x (b, D), eps (b or 1, K, latent) -> the loss of each row (b)."""
        b, k = len(x), eps.shape[1]
        mu, lv = (t.unsqueeze(1) for t in self.encoder(x))
        z = mu + torch.exp(lv / 2) * eps
        mean, log_variance = self.decoder(z.view(b * k, -1))
        mean = torch.sigmoid(mean).view(b, k, -1)
        log_variance = log_variance.view(b, k, -1)
        # As in the authors' program, twice the usual weight on the log-variance.
        log_px = -(log_variance + (x.unsqueeze(1) - mean) ** 2 * torch.exp(-log_variance) / 2).sum(-1)
        # log p(z) - log q(z|x): the constants cancel, and (z - mu)^2 / exp(lv) is eps^2.
        log_ratio = (eps ** 2 + lv - z ** 2).sum(-1) / 2
        return math.log(k) - torch.logsumexp(log_px + log_ratio, dim=1)


def hump_distance(losses):
    """How far apart two Gaussians are that describe the losses; the authors' program puts variances here."""
    losses = losses.double().numpy()
    span = losses.max() - losses.min()
    scaled = (losses - losses.min()) / (span if span > 0 else 1)
    mixture = GaussianMixture(2).fit(scaled.reshape(-1, 1))
    mean, variance = mixture.means_.ravel(), mixture.covariances_.ravel()
    return (mean[0] - mean[1]) ** 2 + (variance[0] - variance[1]) ** 2


def batches(x, size):
    """Shuffled passes over the rows without end, whole batches only."""
    while True:
        order = torch.randperm(len(x))
        for start in range(0, len(x) - size + 1, size):
            yield x[order[start:start + size]]


def fit_member(x, samples, batch_norm):
    """Trains one model; returns it as it was where the losses were most clearly of two kinds, and the updates done."""
    model = Autoencoder(x.shape[1], batch_norm)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=5e-7)
    size = min(BATCH, len(x))
    check_every = max(1, min(10, len(x) // BATCH))
    patience = math.ceil(100 / check_every)
    best, best_state, waited = -math.inf, None, 0
    for update, batch in enumerate(batches(x, size), 1):
        optimiser.zero_grad(set_to_none=True)
        model.losses(batch, torch.randn(size, samples, model.latent)).mean().backward()
        optimiser.step()
        if update % check_every == 0:
            model.eval()
            with torch.inference_mode():
                losses = model.losses(batch, torch.randn(size, samples, model.latent))
            model.train()
            distance = hump_distance(losses)
            waited += 1
            if distance > best:
                best, best_state, waited = distance, copy.deepcopy(model.state_dict()), 0
        if waited == patience or update == MAX_UPDATES:
            break
    if best_state is not None:
        model.load_state_dict(best_state)
    return model.eval(), update


@torch.inference_mode()
def score(models, x, samples):
    """The mean loss of each row. As in odim, the noise belongs to the member and is the same for every row."""
    total = torch.zeros(len(x), dtype=torch.float64)
    for model in models:
        eps = torch.randn(1, samples, model.latent)
        total += torch.cat([model.losses(rows, eps) for rows in x.split(SCORE_BATCH)])
    return (total / len(models)).numpy()


def scale(x):
    """To [0, 1] by column; a constant column becomes 0."""
    low, span = x.min(axis=0), np.ptp(x, axis=0)
    return torch.from_numpy(((x - low) / np.where(span > 0, span, 1)).astype(np.float32))


def main():
    parser = argparse.ArgumentParser(description="ODIM in PyTorch on the CPU")
    parser.add_argument("file")
    parser.add_argument("--no-batch-norm", action="store_true", help="biases instead of batch normalisation")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--members", type=int, default=10)
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    threadpool_limits(args.threads)  # NumPy's and scikit-learn's
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)
    with np.load(args.file) as data:
        x, y = data["X"].astype(np.float64), data["y"].ravel()

    start, cpu_start = time.perf_counter(), time.process_time()
    scaled = scale(x)
    models, updates = zip(*(fit_member(scaled, args.samples, not args.no_batch_norm) for _ in range(args.members)))
    fitted = time.perf_counter()
    scores = score(models, scaled, args.samples)
    done, cpu_done = time.perf_counter(), time.process_time()
    if not np.isfinite(scores).all():
        sys.exit("odim_torch.py: a score is not finite")
    print(json.dumps({
        "detector": "odim_torch" + (" --no-batch-norm" if args.no_batch_norm else ""),
        "auc": roc_auc_score(y, scores),
        "ap": average_precision_score(y, scores),
        "updates": np.mean(updates),
        "fit": fitted - start,
        "score": done - fitted,
        "cpu": cpu_done - cpu_start,
    }))


if __name__ == "__main__":
    main()
