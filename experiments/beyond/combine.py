"""Offline study of how scores are put together: tables of mean AUC and AP over the sets for candidates and rules."""
import os, sys, warnings
import numpy as np
import sets

warnings.filterwarnings("ignore")


def get(name, what, seed=0):
    p = os.path.join(sets.SCORES, name, what, "%s.npy" % seed)
    return np.load(p) if os.path.exists(p) else None


def zscore(s):
    return (s - s.mean()) / (s.std() + 1e-12)


def robust(s):
    q1, m, q3 = np.percentile(s, [25, 50, 75])
    return (s - m) / (q3 - q1 + 1e-9 * (1 + abs(m)) + 1e-3 * s.std())


def slog(z):
    return np.sign(z) * np.log1p(np.abs(z))


def logtail(s):
    """-log of the share of rows that score at least as high."""
    n = len(s)
    return -np.log((n + 1 - sets.ranks(s)) / n)


def normal(s):
    from scipy.stats import norm
    return norm.ppf((sets.ranks(s) - 0.5) / len(s))


UNIT = {"z": zscore, "robust": robust, "slog": lambda s: slog(robust(s)), "rank": lambda s: sets.ranks(s) / len(s), "logtail": logtail,
        "normal": normal, "zlog": lambda s: zscore(slog(robust(s)))}


def judge(score, names):
    """score: name -> scores; (mean AUC, mean AP, sets)."""
    a, p = [], []
    for n in names:
        s = score(n)
        if s is None:
            continue
        _, y = cached(n)
        a.append(sets.auc(y, s))
        p.append(sets.ap(y, s))
    return np.array(a), np.array(p)


_y = {}


def cached(n):
    if n not in _y:
        _y[n] = sets.load(n)
    return _y[n]
