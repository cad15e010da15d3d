"""Unsupervised weights for the members of a fixed list: weigh.py PART CAND,..."""
import sys
import numpy as np
import sets
from combine import get, cached, UNIT, zscore, slog, robust


def gmm_distance(s, rounds=60):
    """Squared 2-Wasserstein distance of the two Gaussians fitted to scores brought to [0, 1], and the weight of the upper one."""
    x = (s - s.min()) / (np.ptp(s) + 1e-300)
    v = np.sort(x)
    n = len(v)
    c, q = np.cumsum(v), np.arange(1, n)
    gain = c[:-1] ** 2 / q + (c[-1] - c[:-1]) ** 2 / (n - q)
    k = int(np.argmax(gain)) + 1
    m = np.array([v[:k].mean(), v[k:].mean()])
    var = np.array([v[:k].var(), v[k:].var()]) + 1e-6
    w = np.array([k / n, 1 - k / n])
    for _ in range(rounds):
        l = -0.5 * (x[:, None] - m) ** 2 / var - 0.5 * np.log(var) + np.log(w)
        l -= l.max(1, keepdims=True)
        r = np.exp(l)
        r /= r.sum(1, keepdims=True)
        t = r.sum(0) + 1e-12
        m = (r * x[:, None]).sum(0) / t
        var = (r * (x[:, None] - m) ** 2).sum(0) / t + 1e-6
        w = t / n
    return (m[0] - m[1]) ** 2 + (np.sqrt(var[0]) - np.sqrt(var[1])) ** 2, w[np.argmax(m)]


def signals(S):
    """S (members, n) -> signal name -> (members) weights."""
    R = np.stack([sets.ranks(s) / len(s) for s in S])
    Z = np.stack([zscore(s) for s in S])
    T = np.stack([UNIT["logtail"](s) for s in S])
    g = [gmm_distance(s) for s in S]
    con, zt = R.mean(0), T.mean(0)
    out = {"equal": np.ones(len(S)), "w2": np.array([a for a, _ in g]), "w2/w": np.array([a / (b + 0.02) for a, b in g])}
    out["w2log"] = np.array([gmm_distance(slog(robust(s)))[0] for s in S])
    out["kurt"] = np.array([(z ** 4).mean() for z in Z])
    out["log kurt"] = np.log(out["kurt"] + 1)
    out["agree"] = np.array([max(0, np.corrcoef(r, con)[0, 1]) for r in R])
    out["agree tail"] = np.array([max(0, np.corrcoef(t, (T.sum(0) - t))[0, 1]) for t in T])
    top = lambda s, m: set(np.argsort(-s)[:m])
    m = max(5, S.shape[1] // 20)
    out["agree top"] = np.array([len(top(s, m) & top(zt, m)) / m for s in S])
    out["agree^4"] = out["agree"] ** 4
    out["agree tail^4"] = out["agree tail"] ** 4
    out["disagree"] = 1.05 - out["agree"]
    out["spread"] = np.array([(np.percentile(s, 99) - np.median(s)) / (np.percentile(s, 75) - np.percentile(s, 25) + 1e-9) for s in S])
    return out


if __name__ == "__main__":
    part, cands = sys.argv[1], sys.argv[2].split(",")
    names = sets.tabular(part[4:]) if part.startswith("tab-") else sets.embeddings(part[4:])
    names = [n for n in names if all(get(n, c) is not None for c in cands)]
    print(len(names), "sets")
    res = {}
    for n in names:
        S = np.stack([get(n, c) for c in cands])
        y = cached(n)[1]
        sig = signals(S)
        for u in ("z", "slog", "rank", "logtail"):
            U = np.stack([UNIT[u](s) for s in S])
            for k, w in sig.items():
                s = w @ U
                res.setdefault((k, u), []).append((sets.auc(y, s), sets.ap(y, s)))
            res.setdefault(("max", u), []).append((sets.auc(y, U.max(0)), sets.ap(y, U.max(0))))
            res.setdefault(("median", u), []).append((sets.auc(y, np.median(U, 0)), sets.ap(y, np.median(U, 0))))
            top2 = np.sort(U, 0)[-2:].mean(0)
            res.setdefault(("top2", u), []).append((sets.auc(y, top2), sets.ap(y, top2)))
            k = min(3, len(U)); top2 = np.sort(U, 0)[-k:].mean(0)
            res.setdefault(("top3", u), []).append((sets.auc(y, top2), sets.ap(y, top2)))
        for k, w in sig.items():
            s = S[np.argmax(w)]
            res.setdefault((k, "argmax"), []).append((sets.auc(y, s), sets.ap(y, s)))
        each = [(sets.auc(y, s), sets.ap(y, s)) for s in S]
        res.setdefault(("oracle", ""), []).append(tuple(np.max(each, 0)))
        for c, e in zip(cands, each): res.setdefault((c, "alone"), []).append(e)
    for k in sorted(res, key=lambda k: -np.mean(res[k])):
        a, p = np.mean(res[k], 0)
        print("%-14s %-8s AUC %.4f AP %.4f" % (k + (a, p)))
