"""Mean AUC and AP of single candidates: show.py PART."""
import os, sys
import numpy as np
import sets
from combine import get, judge, cached
part = sys.argv[1]
names = sets.tabular(part[4:]) if part.startswith("tab-") else sets.embeddings(part[4:])
names = [n for n in names if get(n, "pca-M") is not None and get(n, "SW") is not None]
cands = sorted({c for n in names for c in os.listdir(os.path.join(sets.SCORES, n))})
rows = []
A = {}
for c in cands:
    a, p = judge(lambda n: get(n, c) if get(n, c) is not None else None, names)
    rows.append((a.mean(), c, p.mean(), len(a)))
    if len(a) == len(names): A[c] = (a, p)
for r in sorted(rows, reverse=True): print("%-8s AUC %.4f AP %.4f (%d)" % (r[1], r[0], r[2], r[3]))
best = np.max([v[0] for v in A.values()], 0); bp = np.max([v[1] for v in A.values()], 0)
print("best of all", best.mean(), bp.mean())
for i, n in enumerate(names):
    top = sorted(A, key=lambda c: -A[c][0][i])[:4]
    print("%-26s M %.3f SW %.3f | %s" % (n, A["M"][0][i], A["SW"][0][i], " ".join("%s %.3f/%.3f" % (c, A[c][0][i], A[c][1][i]) for c in top)))
