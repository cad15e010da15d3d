#!/usr/bin/env python3
"""Writes tests/golden/*.txt: what PyTorch makes of given parameters, data and noise, step by step.

    tools/golden.py tests/golden      # writes the files, then says how far single precision is from them

An implementation of the loss and its training of its own, by torch modules and automatic differentiation
in double precision. The C code must follow it: losses, gradient, ten Adam updates, running statistics.
Needs Debian's python3-torch and python3-numpy; the tests need the files only.

A file is a list of tensors, each a line "name count" and then its numbers, blank-separated; '#' starts a
comment line. The inputs (params0, x, eps, eps_eval) are numbers that a float holds exactly, written with the
fewest digits that read back as that float. In this order:

    shape         D h1 h2 latent K b batch-norm likelihood (0 paper, 1 gaussian, 2 unit, 3 bernoulli)
    params0       see Model.parts for the order
    x             (10, b, D)
    eps           (10, b, K, latent), the noise of the ten steps
    eps_eval      (b, K, latent)
    known         only where there are any: how many of the last rows are known outliers, their weight
    losses1       (b), of each row in step 1; of a known outlier the chi bound
    grad1         of the batch's loss in step 1, without weight decay, in the order of params0
    mean_losses   (10), the batch's loss of each step, before its update
    params1, params2, params5, params10   after so many updates
    stats1, stats10                       running mean and variance of each hidden layer after so many updates
    losses_eval   (b), in evaluation mode, of the tenth batch with eps_eval after the tenth update
"""
import math
import os
import sys

import numpy as np
import torch
from torch import nn

STEPS = 10
LIKELIHOODS = ["paper", "gaussian", "unit", "bernoulli"]
LV_MIN, LV_MAX = -6.0, 2.0


class Head(nn.Module):
    """A mean without bias, and a clamped log-variance with bias where the likelihood has one."""

    def __init__(self, width, out, with_lv):
        super().__init__()
        self.mean = nn.Linear(width, out, bias=False)
        self.lv = nn.Linear(width, out) if with_lv else None
        self.clamp = nn.Hardtanh(LV_MIN, LV_MAX)

    def forward(self, h):
        return self.mean(h), None if self.lv is None else self.clamp(self.lv(h))

    def parts(self):
        yield self.mean.weight
        if self.lv is not None:
            yield self.lv.weight
            yield self.lv.bias


class Stack(nn.Module):
    """Hidden layers, then a head."""

    def __init__(self, sizes, out, bn, with_lv):
        super().__init__()
        pairs = list(zip(sizes, sizes[1:]))
        self.linears = nn.ModuleList(nn.Linear(i, o, bias=not bn) for i, o in pairs)
        self.norms = nn.ModuleList(nn.BatchNorm1d(o, eps=1e-4, momentum=0.1, affine=False) if bn else nn.Identity()
                                   for _, o in pairs)
        self.act = nn.LeakyReLU(0.01)
        self.head = Head(sizes[-1], out, with_lv)

    def forward(self, h):
        for linear, norm in zip(self.linears, self.norms):
            h = self.act(norm(linear(h)))
        return self.head(h)

    def parts(self):
        for linear in self.linears:
            yield linear.weight
            if linear.bias is not None:
                yield linear.bias
        yield from self.head.parts()


class Model(nn.Module):
    def __init__(self, d, hidden, latent, bn, likelihood):
        super().__init__()
        self.likelihood = likelihood
        self.encoder = Stack([d, *hidden], latent, bn, True)
        self.decoder = Stack([latent, *reversed(hidden)], d, bn, likelihood in ("paper", "gaussian"))

    def parts(self):
        """The parameters in the order of the flat vector. A weight is (out, in), row-major."""
        yield from self.encoder.parts()
        yield from self.decoder.parts()

    def flat(self):
        return torch.cat([p.detach().reshape(-1) for p in self.parts()])

    def flat_grad(self):
        return torch.cat([p.grad.reshape(-1) for p in self.parts()])

    def set_flat(self, values):
        values = torch.as_tensor(values)
        start = 0
        for p in self.parts():
            p.data.copy_(values[start:start + p.numel()].view_as(p))
            start += p.numel()
        assert start == values.numel()

    def stats(self):
        parts = [t for s in (self.encoder, self.decoder) for m in s.norms if isinstance(m, nn.BatchNorm1d)
                 for t in (m.running_mean, m.running_var)]
        return torch.cat(parts).clone() if parts else torch.empty(0)

    def log_px(self, x, m, lv):
        """log p(x|z), summed over the features; x is (b, 1, D), the rest (b, K, D)."""
        if self.likelihood == "paper":
            terms = -lv - (x - m) ** 2 / (2 * lv.exp())
        elif self.likelihood == "gaussian":
            terms = -lv / 2 - (x - m) ** 2 / (2 * lv.exp()) - math.log(2 * math.pi) / 2
        elif self.likelihood == "unit":
            terms = -(x - m) ** 2 / 2 - math.log(2 * math.pi) / 2
        else:
            terms = x * torch.log(m + 1e-5) + (1 - x) * torch.log(1 - m + 1e-5)
        return terms.sum(-1)

    def log_weights(self, x, eps):
        """x (b, D), eps (b, K, latent) -> log w (b, K)."""
        b, k, _ = eps.shape
        mu, lv = (t.unsqueeze(1) for t in self.encoder(x))
        z = mu + torch.exp(lv / 2) * eps
        m, xlv = self.decoder(z.reshape(b * k, -1))
        m = torch.sigmoid(m).view(b, k, -1)
        if xlv is not None:
            xlv = xlv.view(b, k, -1)
        # The constants of p(z) and q(z|x) cancel; (z - mu)^2 / e^lv is eps^2.
        log_prior_over_q = (-z ** 2 / 2 + lv / 2 + eps ** 2 / 2).sum(-1)
        return self.log_px(x.unsqueeze(1), m, xlv) + log_prior_over_q

    def losses(self, x, eps, known=0):
        """The loss of each row (b); the last `known` are outliers, and have the chi bound of order 2."""
        log_w = self.log_weights(x, eps)
        split, log_k = len(x) - known, math.log(eps.shape[1])
        iwae = log_k - torch.logsumexp(log_w[:split], dim=1)
        cubo = (torch.logsumexp(2 * log_w[split:], dim=1) - log_k) / 2
        return torch.cat([iwae, cubo])


def batch_loss(losses, known, weight):
    """The mean of the ordinary rows, and beside it that of the known outliers."""
    split = len(losses) - known
    total = torch.zeros((), dtype=losses.dtype)
    if split:
        total = total + losses[:split].mean()
    if known:
        total = total + weight * losses[split:].mean()
    return total


def adam(model):
    return torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=5e-7)


def draw_inputs(model, d, latent, k, b, rng):
    """Decimals of few digits, rounded to float: short in the file and the same number for everyone."""
    def f32(a, digits):
        return np.round(a, digits).astype(np.float32)

    # Correlated columns in [0,1], some of the cells exactly 0 and 1.
    base = rng.standard_normal((STEPS, b, 2)) @ rng.standard_normal((2, d))
    x = np.clip(0.5 + 0.25 * base + 0.08 * rng.standard_normal((STEPS, b, d)), 0.0, 1.0)
    inputs = {
        "x": f32(x, 4),
        "eps": f32(rng.standard_normal((STEPS, b, k, latent)), 3),
        "eps_eval": f32(rng.standard_normal((b, k, latent)), 3),
    }
    # Uniform weights as in training, but log-variances wide enough to hit the clamp on both sides.
    lv_heads = [h for h in (model.encoder.head.lv, model.decoder.head.lv) if h is not None]
    parts = []
    for p in model.parts():
        bound = 1 / math.sqrt(p.shape[-1])
        value = rng.uniform(-bound, bound, tuple(p.shape))
        if any(p is h.weight for h in lv_heads):
            value = 3 * value
        if any(p is h.bias for h in lv_heads):
            value = rng.permutation(np.linspace(LV_MIN - 0.5, LV_MAX + 0.5, p.numel()))
        parts.append(value.reshape(-1))
    inputs["params0"] = f32(np.concatenate(parts), 5)
    return inputs


def run(model, inputs, dtype, known, weight):
    """Ten updates and an evaluation in the given precision."""
    model = model.to(dtype)
    model.set_flat(inputs["params0"])
    x, eps, eps_eval = (torch.as_tensor(inputs[name]).to(dtype) for name in ("x", "eps", "eps_eval"))
    optimiser = adam(model)
    out, mean_losses = {}, []
    model.train()
    for step in range(1, STEPS + 1):
        optimiser.zero_grad()
        losses = model.losses(x[step - 1], eps[step - 1], known)
        loss = batch_loss(losses, known, weight)
        loss.backward()
        mean_losses.append(loss.item())
        if step == 1:
            out["losses1"] = losses.detach()
            out["grad1"] = model.flat_grad()
        optimiser.step()
        if step in (1, 2, 5, 10):
            out[f"params{step}"] = model.flat()
        if step in (1, 10):
            out[f"stats{step}"] = model.stats()
    out["mean_losses"] = torch.tensor(mean_losses, dtype=dtype)
    model.eval()
    with torch.no_grad():
        out["losses_eval"] = model.losses(x[-1], eps_eval)
    return {name: value.double().numpy() for name, value in out.items()}


def check_clamp(model, inputs):
    """The clamp's zero gradient is only tested where log-variances lie on both sides of it, and inside."""
    model = model.double()
    model.set_flat(inputs["params0"])
    seen = []
    hooks = [s.head.clamp.register_forward_hook(lambda m, i, o: seen.append(i[0].detach()))
             for s in (model.encoder, model.decoder) if s.head.lv is not None]
    model.losses(torch.as_tensor(inputs["x"][0]).double(), torch.as_tensor(inputs["eps"][0]).double())
    for hook in hooks:
        hook.remove()
    for lv in seen:
        shares = [(lv < LV_MIN).double().mean(), ((lv > LV_MIN) & (lv < LV_MAX)).double().mean(),
                  (lv > LV_MAX).double().mean()]
        assert min(shares) > 0.03, f"shares of log-variances below, in and above the clamp: {shares}"


def write_tensor(f, name, values, fmt):
    flat = np.asarray(values).reshape(-1)
    f.write(f"{name} {flat.size}\n")
    for i in range(0, flat.size, 8):
        f.write(" ".join(fmt(v) for v in flat[i:i + 8]) + "\n")


def make_case(folder, name, seed, likelihood, bn, d, hidden, latent, k, b, digits, known=0, weight=1.0):
    def make():
        return Model(d, hidden, latent, bn, likelihood)

    inputs = draw_inputs(make(), d, latent, k, b, np.random.RandomState(seed))
    check_clamp(make(), inputs)
    want = run(make(), inputs, torch.float64, known, weight)
    single = run(make(), inputs, torch.float32, known, weight)
    path = os.path.join(folder, name + ".txt")
    with open(path, "w") as f:
        f.write("# Written by tools/golden.py, which explains the format.\n")
        write_tensor(f, "shape", [d, *hidden, latent, k, b, int(bn), LIKELIHOODS.index(likelihood)], str)
        if known:
            write_tensor(f, "known", [known, weight], str)
        for key in ("params0", "x", "eps", "eps_eval"):
            write_tensor(f, key, inputs[key], str)  # of a numpy float32: the fewest digits
        for key in ("losses1", "grad1", "mean_losses", "params1", "params2", "params5", "params10", "stats1",
                    "stats10", "losses_eval"):
            write_tensor(f, key, want[key], lambda v: f"{v:.{digits}g}")
    print(f"{path}: {os.path.getsize(path)} bytes")
    for key, value in want.items():
        if value.size:
            worst = np.abs(value - single[key]).max()
            print(f"  {key:12} largest |value| {np.abs(value).max():9.3g}, float differs by up to {worst:.1e}")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tools/golden.py FOLDER")
    small = dict(d=5, hidden=(6, 4), latent=3, k=4, b=7, digits=17)
    for seed, (likelihood, bn) in enumerate([("paper", True), ("gaussian", True), ("unit", True),
                                             ("bernoulli", True), ("paper", False), ("gaussian", False)], 1):
        name = f"{likelihood}_{'bn' if bn else 'plain'}"
        make_case(sys.argv[1], name, seed, likelihood, bn, **small)
    # Odd widths: the tails of vector loops.
    make_case(sys.argv[1], "paper_bn_odd", 7, "paper", True, d=19, hidden=(32, 16), latent=8, k=10, b=13, digits=8)
    # Known outliers: some, with a weight of their own; one; all, and one sample a row.
    make_case(sys.argv[1], "known_paper_bn", 8, "paper", True, **small, known=3, weight=0.5)
    make_case(sys.argv[1], "known_gaussian_plain", 9, "gaussian", False, **small, known=1)
    make_case(sys.argv[1], "known_all", 10, "gaussian", True, **dict(small, k=1), known=small["b"])


if __name__ == "__main__":
    main()
