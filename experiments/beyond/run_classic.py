"""Scores of classical detectors, each with a small fitted state: run_classic.py SEED SET... Kept as SCORES/set/name/seed.npy."""
import os, sys, time, warnings
import numpy as np
from sklearn.ensemble import IsolationForest
from sklearn.covariance import MinCovDet
from sklearn.neighbors import NearestNeighbors
import sets, transforms

warnings.filterwarnings("ignore")
KEEP = 2048  # rows a nearest-neighbour model holds


def knn(x, seed, k=10):
    """Mean distance to the k nearest of at most KEEP training rows; a row is no neighbour of itself."""
    pick = np.random.default_rng(seed).permutation(len(x))[:KEEP]
    k = min(k, len(pick) - 2)
    d, who = NearestNeighbors(n_neighbors=k + 1, algorithm="brute" if x.shape[1] > 15 else "kd_tree").fit(x[pick]).kneighbors(x)
    own = pick[who] == np.arange(len(x))[:, None]
    own[~own.any(1), -1] = True  # not a kept row: drop the farthest
    own[own.sum(1) > 1] = np.eye(1, k + 1, k, dtype=bool)
    return d[~own].reshape(len(x), k)


def knn_many(x, seed, size=256, times=8, k=3):
    """Mean over several small subsamples."""
    rng = np.random.default_rng(seed)
    out = 0
    for _ in range(times):
        pick = rng.permutation(len(x))[:min(size, len(x) - 1)]
        d, _ = NearestNeighbors(n_neighbors=k + 1).fit(x[pick]).kneighbors(x)
        own = np.isin(np.arange(len(x)), pick)
        out = out + np.where(own, d[:, 1:].mean(1), d[:, :-1].mean(1))
    return out


def eif(x, seed, trees=100, size=256):
    """Isolation by random directions: each node cuts along a random unit vector."""
    rng = np.random.default_rng(seed)
    n, d = x.shape
    c = lambda m: 0.0 if m < 2 else 2 * (np.log(m - 1) + 0.5772156649) - 2 * (m - 1) / m
    total = np.zeros(n)
    limit = 8

    def grow(t, q, rows, depth):
        if depth >= limit or len(t) <= 1:
            total[rows] += depth + c(len(t))
            return
        v = rng.standard_normal(d)
        a, b = t @ v, q @ v
        cut = rng.uniform(a.min(), a.max())
        l, r = a <= cut, b <= cut
        grow(t[l], q[r], rows[r], depth + 1)
        grow(t[~l], q[~r], rows[~r], depth + 1)

    for _ in range(trees):
        grow(x[rng.permutation(n)[:size]], x, np.arange(n), 0)
    return -total / trees


def lof(x, seed, k=20):
    """Local outlier factor against at most KEEP training rows."""
    pick = np.random.default_rng(seed).permutation(len(x))[:KEEP]
    k = min(k, len(pick) // 3)
    nn = NearestNeighbors(n_neighbors=k + 1).fit(x[pick])
    d, who = nn.kneighbors(x[pick])
    d, who = d[:, 1:], who[:, 1:]
    radius = d[:, -1]
    lrd = 1 / (np.maximum(d, radius[who]).mean(1) + 1e-10)
    d2, who2 = nn.kneighbors(x)
    own = pick[who2] == np.arange(len(x))[:, None]
    own[~own.any(1), -1] = True
    own[own.sum(1) > 1] = np.eye(1, k + 1, k, dtype=bool)
    d2, who2 = d2[~own].reshape(len(x), k), who2[~own].reshape(len(x), k)
    mine = 1 / (np.maximum(d2, radius[who2]).mean(1) + 1e-10)
    return np.log(lrd[who2].mean(1) / mine)


def iforest(x, seed):
    return -IsolationForest(n_estimators=100, random_state=seed).fit(x).score_samples(x)


def tails(x):
    """ECOD: the larger of left, right and skew-chosen sums of -log tail shares."""
    n = len(x)
    left = np.stack([-np.log(sets.ranks(c) / n) for c in x.T], 1)
    right = np.stack([-np.log(sets.ranks(-c) / n) for c in x.T], 1)
    skew = ((x - x.mean(0)) ** 3).mean(0)
    auto = np.where(skew < 0, left, right)
    return np.maximum(np.maximum(left.sum(1), right.sum(1)), auto.sum(1))


def histogram(x, bins=10):
    out = np.zeros(len(x))
    for c in x.T:
        h, e = np.histogram(c, bins)
        out -= np.log(h[np.clip(np.searchsorted(e, c, "right") - 1, 0, bins - 1)] / len(c) + 0.1 / bins)
    return out


def concentrate(x, seed, share=0.75, steps=10):
    """Mahalanobis distance under a covariance of the innermost share of rows, found by a few concentration steps from all rows."""
    n, d = x.shape
    pick = np.random.default_rng(seed).permutation(n)[:8192]
    t = x[pick]
    keep = np.ones(len(t), bool)
    for _ in range(steps):
        mid, c = t[keep].mean(0), np.cov(t[keep].T).reshape(d, d)
        c += np.eye(d) * (1e-3 * np.trace(c) / d + 1e-12)
        inv = np.linalg.inv(c)
        q = np.einsum("ij,jk,ik->i", t - mid, inv, t - mid)
        new = q <= np.quantile(q, share)
        if (new == keep).all():
            break
        keep = new
    return np.sqrt(np.einsum("ij,jk,ik->i", x - mid, inv, x - mid))


def residual(x, share=0.9):
    """What the leading axes that hold a share of the variance leave over."""
    mid, v, s = transforms.pca(x, most=min(x.shape), floor=0)
    m = min(int(np.searchsorted(np.cumsum(s**2) / (s**2).sum(), share)) + 1, max(1, min(x.shape) - 1))
    z = x - mid
    return np.sqrt(np.maximum((z**2).sum(1) - ((z @ v[:, :m]) ** 2).sum(1), 0))


def gauss(x):
    mid, v, s = transforms.pca(x)
    return np.sqrt((((x - mid) @ v / s) ** 2).sum(1))


def mcd(x, seed):
    n, d = x.shape
    if d > 60 or n < 3 * d:
        return None
    pick = np.random.default_rng(seed).permutation(n)[:5000]
    return np.sqrt(MinCovDet(random_state=seed).fit(x[pick]).mahalanobis(x))


def main():
    seed = sys.argv[1]
    i = int(seed)
    for name in sys.argv[2:]:
        x, _ = sets.load(name)
        v = transforms.make(x)
        z = transforms.unit_spread(transforms.soft(x))
        z0 = transforms.unit_spread(x)
        w = transforms.whiten(z)
        made = {}
        jobs = {
            "knn-M": lambda: knn(v["M"], i).mean(1), "knn-S": lambda: knn(v["S"], i).mean(1), "knn-Z": lambda: knn(z, i).mean(1),
            "knn-W": lambda: knn(w, i).mean(1), "knn-R": lambda: knn(v["R"], i).mean(1),
            "lof-Z": lambda: lof(z, i), "lof-W": lambda: lof(w, i), "lof-R": lambda: lof(v["R"], i), "lof-M": lambda: lof(v["M"], i),
            "if-M": lambda: iforest(x, i), "if-S": lambda: iforest(z, i), "if-W": lambda: iforest(w, i),
            "if-SW": lambda: iforest(np.concatenate([z, w], 1), i),
            "ecod": lambda: tails(x), "ecod-W": lambda: tails(w), "hbos-S": lambda: histogram(v["S"]), "hbos-M": lambda: histogram(v["M"]),
            "cov-Z": lambda: concentrate(z, i), "cov-M": lambda: concentrate(z0, i), "cov-R": lambda: concentrate(transforms.unit_spread(v["R"]), i),
            "maha-Z": lambda: gauss(z), "pca-Z": lambda: residual(z), "pca-M": lambda: residual(v["M"]), "mcd": lambda: mcd(z0, i),
            "knn-SW": lambda: knn(v["SW"], i).mean(1), "knn-MSW": lambda: knn(v["MSW"], i).mean(1),
            "knn1-M": lambda: knn(v["M"], i, 1).mean(1), "knn5-M": lambda: knn(v["M"], i, 5).mean(1), "knn30-M": lambda: knn(v["M"], i, 30).mean(1),
            "knnl-M": lambda: np.log(knn(v["M"], i, 10) + 1e-6).mean(1), "knnm-M": lambda: knn_many(v["M"], i), "knnm-SW": lambda: knn_many(v["SW"], i),
            "if-SW0": lambda: iforest(v["SW0"], i), "if-SWC": lambda: iforest(v["SWC"], i), "if-SWn": lambda: iforest(v["SW"], i), "if-SWc": lambda: iforest(v["SWc"], i),
            "knnm20-M": lambda: knn_many(v["M"], i, 256, 8, 8), "knnm512-M": lambda: knn_many(v["M"], i, 512, 4, 5), "knnm64-M": lambda: knn_many(v["M"], i, 64, 16, 2),
            **{"near%dx%dk%d-M" % (g, n, k): (lambda g=g, n=n, k=k: knn_many(v["M"], i, n, g, k)) for g, n, k in
               ((64, 16, 1), (32, 32, 1), (32, 32, 2), (16, 64, 1), (16, 64, 3), (16, 128, 1), (16, 128, 2), (16, 128, 5), (32, 64, 2))},
            **{"near%dx%dk%d-S" % (g, n, k): (lambda g=g, n=n, k=k: knn_many(v["S"], i, n, g, k)) for g, n, k in ((32, 32, 1), (32, 64, 2))},
            **{"near%dx%dk%d-SW" % (g, n, k): (lambda g=g, n=n, k=k: knn_many(v["SW"], i, n, g, k)) for g, n, k in ((32, 32, 1), (32, 64, 2))},
            "if-MSW": lambda: iforest(np.concatenate([z0, z, w], 1), i), "eif-SW": lambda: eif(v["SW"], i), "eif-M": lambda: eif(v["M"], i),
        }
        only = os.environ.get("ODIM_ONLY")
        for k, f in jobs.items():
            if only and not any(k.startswith(o[:-1]) if o.endswith("*") else k == o for o in only.split(",")):
                continue
            out = os.path.join(sets.SCORES, name, k, seed + ".npy")
            if os.path.exists(out):
                continue
            t = time.process_time()
            s = f()
            if s is not None:
                os.makedirs(os.path.dirname(out), exist_ok=True)
                np.save(out, s)
            made[k] = time.process_time() - t
        print(name, x.shape, {k: round(t, 2) for k, t in made.items()}, flush=True)


main()
