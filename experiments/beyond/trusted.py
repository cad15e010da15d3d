"""Scores by the distance to trusted rows: trusted.py SET... Needs the scores of run_odim.py (SW, M) and run_classic.py (cov-M, if-M, if-SW,
near16x64k1-M). Kept as SCORES/set/t-.../0.npy, for pick.py."""
import os, sys
import numpy as np
from sklearn.neighbors import NearestNeighbors
import sets, transforms
from combine import get, UNIT

slog = UNIT["slog"]
draw_in = lambda w: np.sign(w) * np.log1p(np.abs(w))


def save(name, tag, s):
    p = os.path.join(sets.SCORES, name, tag)
    os.makedirs(p, exist_ok=True)
    np.save(p + "/0.npy", s)


def mean_distance(x, trusted, k, most=2048, metric="euclidean"):
    """To the k nearest of at most `most` trusted rows; a row is not compared with itself."""
    pick = np.random.default_rng(0).permutation(np.flatnonzero(trusted))[:most]
    k = min(k, len(pick) - 2)
    d, who = NearestNeighbors(n_neighbors=k + 1, metric=metric, algorithm="brute" if x.shape[1] > 15 else "kd_tree").fit(x[pick]).kneighbors(x)
    own = pick[who] == np.arange(len(x))[:, None]
    own[~own.any(1), -1] = True
    own[own.sum(1) > 1] = np.eye(1, k + 1, k, dtype=bool)
    return d[~own].reshape(len(x), k).mean(1)


def along_axes(z, trusted, floor=1e-3):
    """Rows along the principal axes of the trusted ones, in units of their deviations, drawn in and brought to [0, 1]."""
    t = z[trusted]
    mid, c = t.mean(0), np.cov(t.T).reshape(z.shape[1], -1)
    val, vec = np.linalg.eigh(c + np.eye(len(c)) * (floor * np.trace(c) / len(c) + 1e-12))
    return transforms.minmax(draw_in((z - mid) @ vec / np.sqrt(val)))


def two_sides(x, trusted, balanced=True):
    a, b = transforms.minmax(x), along_axes(transforms.unit_spread(x), trusted)
    if balanced:
        a, b = (v / np.sqrt(v[trusted].var(0).sum() + 1e-12) for v in (a, b))
    return np.hstack([a, b])


JURIES = {"all": [], "SW": ["SW"], "M": ["M"], "cov": ["cov-M"], "if": ["if-M"], "near": ["near16x64k1-M"], "SW-cov": ["SW", "cov-M"],
          "if-cov": ["if-SW", "cov-M"], "SW-if": ["SW", "if-M"], "SW-cov-if": ["SW", "cov-M", "if-M"]}


def main():
    for name in sys.argv[1:]:
        x, _ = sets.load(name)
        for jury, members in JURIES.items():
            verdict = sum((slog(get(name, m)) for m in members), np.zeros(len(x)))
            for share in (0.5, 0.75, 0.9) if members else (1,):
                trusted = verdict <= np.quantile(verdict, share)
                save(name, "t-%s-%d" % (jury, 100 * share), mean_distance(two_sides(x, trusted), trusted, 20))
        verdict = slog(get(name, "SW")) + slog(get(name, "cov-M"))
        trusted = verdict <= np.quantile(verdict, 0.75)
        sides, plain = two_sides(x, trusted), two_sides(x, trusted, False)
        save(name, "t-unbalanced", mean_distance(plain, trusted, 20))
        save(name, "t-L1", mean_distance(sides, trusted, 20, metric="manhattan"))
        save(name, "t-k5", mean_distance(sides, trusted, 5))
        save(name, "t-k10-of-512", mean_distance(sides, trusted, 10, 512))
        save(name, "t-k40-of-8192", mean_distance(sides, trusted, 40, 8192))
        save(name, "t-features", mean_distance(transforms.minmax(x), trusted, 20))
        save(name, "t-axes", mean_distance(along_axes(transforms.unit_spread(x), trusted), trusted, 20))
        save(name, "t-SW", mean_distance(transforms.make(x)["SW"], trusted, 20))
        print(name, flush=True)


main()
