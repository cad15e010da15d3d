"""Transforms of a table: what a member sees instead of the raw columns. Each is fitted on training rows and applies to new ones."""
import numpy as np


def minmax(x):
    low, high = x.min(0), x.max(0)
    return (x - low) / np.where(high > low, high - low, 1)


def slog(z):
    return np.sign(z) * np.log1p(np.abs(z))


def robust(x):
    """(x - median) / IQR; where the IQR is 0, the standard deviation takes its place."""
    mid = np.median(x, 0)
    q1, q3 = np.percentile(x, [25, 75], axis=0)
    scale = np.where(q3 > q1, q3 - q1, x.std(0))
    return (x - mid) / np.where(scale > 0, scale, 1)


def soft(x):
    """S: heavy tails drawn in."""
    return slog(robust(x))


def column_ranks(x):
    from sets import ranks
    return np.stack([ranks(c) / len(c) for c in x.T], 1)


def pca(x, most=None, floor=1e-3):
    """Principal axes of x and the deviation along each (with a floor: a share of the mean variance)."""
    n, d = x.shape
    mid = x.mean(0)
    most = most or max(4, min(d, n // 5, 128))
    if d <= n:
        w, v = np.linalg.eigh(np.cov(x.T).reshape(d, d))
        w, v = w[::-1][:most], v[:, ::-1][:, :most]
    else:
        _, s, vt = np.linalg.svd(x - mid, full_matrices=False)
        w, v = s[:most] ** 2 / (n - 1), vt[:most].T
    return mid, v, np.sqrt(np.maximum(w, 0) + floor * x.var(0).mean() + 1e-300)


def unit_spread(x):
    """Columns with standard deviation 1."""
    s = x.std(0)
    return (x - x.mean(0)) / np.where(s > 0, s, 1)


def whiten(x):
    mid, v, s = pca(x)
    return (x - mid) @ v / s


def core(x, share=0.75, steps=10, floor=1e-3):
    """The rows in the middle: a few concentration steps, each keeping the share with the least Mahalanobis distance to the last."""
    n, d = x.shape
    t = x[np.random.default_rng(0).permutation(n)[:8192]]
    if d > 200 or n < 2 * d:
        return t
    keep = np.ones(len(t), bool)
    for _ in range(steps):
        mid, c = t[keep].mean(0), np.cov(t[keep].T).reshape(d, d)
        inv = np.linalg.inv(c + np.eye(d) * (floor * np.trace(c) / d + 1e-12))
        q = np.einsum("ij,jk,ik->i", t - mid, inv, t - mid)
        new = q <= np.quantile(q, share)
        if (new == keep).all():
            break
        keep = new
    return t[keep]


def whiten_core(x):
    mid, v, s = pca(core(x))
    return (x - mid) @ v / s


def partial(z, rows=None, ridge=None):
    """P: of each column what a linear regression on all others leaves over, in units of its deviation."""
    t = z if rows is None else rows
    n, d = t.shape
    mid = t.mean(0)
    ridge = ridge or 1e-3 + 0.1 * d / n
    c = np.cov(t.T).reshape(d, d)
    inv = np.linalg.inv(c + ridge * np.eye(d) * (np.trace(c) / d + 1e-12))
    return (z - mid) @ inv / np.sqrt(np.diag(inv))


def make(x):
    """All transforms, by name."""
    s = soft(x)
    w = whiten(unit_spread(s))
    r = column_ranks(x)
    out = {"M": minmax(x), "S": minmax(s), "R": r, "W": minmax(slog(robust(w)))}
    out["SW"] = np.concatenate([out["S"], out["W"]], 1)
    out["MW"] = np.concatenate([out["M"], out["W"]], 1)
    out["MSW"] = np.concatenate([out["M"], out["SW"]], 1)
    z0, z1 = unit_spread(x), unit_spread(s)
    for name, p in (("P", partial(z1)), ("P0", partial(z0)), ("PC", partial(z0, core(z0))), ("Pc", partial(z1, core(z1)))):
        out["S" + name] = np.concatenate([out["S"], minmax(slog(robust(p)))], 1)
    for name, w in (("0", whiten(z0)), ("C", whiten_core(z0)), ("c", whiten_core(unit_spread(s)))):
        out["SW" + name] = np.concatenate([out["S"], minmax(slog(robust(w)))], 1)
    out["RW"] = np.concatenate([r, minmax(slog(robust(whiten(unit_spread(r)))))], 1)
    return out
