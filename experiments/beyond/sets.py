"""The data sets of the study: which are for choosing and which are held out, how they are read, and how a score is judged."""
import os
import numpy as np

DATA = os.environ.get("ODIM_DATA", "data")
SCORES = os.environ.get("ODIM_SCORES", "beyond-scores")
MOST_ROWS = int(os.environ.get("ODIM_ROWS", "20000"))  # larger sets are represented by that many rows


def number(name):
    """The number a tabular set's name begins with, -1 if there is none."""
    head = name.split("_")[0]
    return int(head) if head.isdigit() else -1


def listing(kind):
    """Names of all sets of a kind (tabular, image-embeddings, text-embeddings), sorted."""
    return sorted(f[:-4] for f in os.listdir(os.path.join(DATA, kind)) if f.endswith(".npz"))


def tabular(part):
    """part: 'choose' (even number), 'held' (odd number or none), 'all'."""
    names = listing("tabular")
    even = [s for s in names if number(s) >= 0 and number(s) % 2 == 0]
    return {"choose": even, "held": [s for s in names if s not in even], "all": names}[part]


def embeddings(part):
    """Every second one is for choosing."""
    names = listing("image-embeddings") + listing("text-embeddings")
    return {"choose": names[0::2], "held": names[1::2], "all": names}[part]


def load(name):
    """Rows and labels; a large set is thinned to MOST_ROWS rows drawn with a fixed seed."""
    for kind in ("tabular", "image-embeddings", "text-embeddings"):
        path = os.path.join(DATA, kind, name + ".npz")
        if os.path.exists(path):
            break
    z = np.load(path)
    x, y = z["X"].astype(float), z["y"].astype(int)
    if len(x) > MOST_ROWS:
        keep = np.sort(np.random.default_rng(0).permutation(len(x))[:MOST_ROWS])
        x, y = x[keep], y[keep]
    x = x[:, x.min(0) < x.max(0)]
    return x, y


def ranks(s):
    """Ranks from 1, ties share their mean rank."""
    order = np.argsort(s, kind="stable")
    v = s[order]
    first = np.r_[True, v[1:] != v[:-1]]
    start = np.flatnonzero(first)
    end = np.r_[start[1:], len(v)]
    r = np.empty(len(s))
    r[order] = ((start + 1 + end) / 2.0)[np.cumsum(first) - 1]
    return r


def auc(y, s):
    pos = y.sum()
    return (ranks(s)[y == 1].sum() - pos * (pos + 1) / 2.0) / (pos * (len(y) - pos))


def ap(y, s):
    """Average precision; rows of equal score count together."""
    order = np.argsort(-s, kind="stable")
    v, hit = s[order], np.cumsum(y[order])
    last = np.r_[v[1:] != v[:-1], True]
    seen, hit = np.flatnonzero(last) + 1.0, hit[last]
    return float(np.sum(np.diff(np.r_[0, hit]) / y.sum() * hit / seen))
