"""Forward selection of candidates for a mean of scaled scores: greedy.py PART UNIT [START,...]. Judged by (AUC + AP) / 2 on the sets for choosing."""
import os, sys
import numpy as np
import sets
from combine import get, cached, UNIT
part, unit = sys.argv[1], UNIT[sys.argv[2]]
start = sys.argv[3].split(",") if len(sys.argv) > 3 and sys.argv[3] else []
names = sets.tabular(part[4:]) if part.startswith("tab-") else sets.embeddings(part[4:])
names = [n for n in names if get(n, "mcd" if 0 else "pca-M") is not None and get(n, "SW") is not None]
cands = sorted({c for n in names for c in os.listdir(os.path.join(sets.SCORES, n)) if all(get(m, c) is not None for m in names)})
U = {n: {c: unit(get(n, c)) for c in cands} for n in names}
Y = {n: cached(n)[1] for n in names}


def value(list_):
    a, p = [], []
    for n in names:
        s = sum(U[n][c] for c in list_)
        a.append(sets.auc(Y[n], s)); p.append(sets.ap(Y[n], s))
    return np.mean(a), np.mean(p)


have = list(start)
print(len(names), "sets")
if have: print(have, "%.4f %.4f" % value(have))
for _ in range(7 - len(have)):
    tries = sorted(((sum(value(have + [c])), c) for c in cands), reverse=True)
    have.append(tries[0][1])
    print("%s %.4f %.4f" % ((",".join(have),) + value(have)), "  next best:", ", ".join("%s %.4f" % (c, v) for v, c in tries[1:6]), flush=True)
