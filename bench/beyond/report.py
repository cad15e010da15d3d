"""Mean AUC, AP and rank of a measured preset beside the paper's methods: report.py FINAL.tsv PAPER.tsv OURS.tsv PART.

FINAL.tsv is from final.py, PAPER.tsv is the paper's table of all methods, OURS.tsv docs/experiments/tabular.tsv (what odim's preset
paper has). A rank is that of the AUC among all columns; AP likewise."""
import sys
import numpy as np
import sets

final, paper, ours, part = sys.argv[1:5]


def plain(name):
    """A set's name as the paper's table has it."""
    head, _, rest = name.partition("_")
    return (rest if head.isdigit() else name).lower().replace("-", "").replace("_", "")


lines = [l.rstrip("\n").split("\t") for l in open(paper)]
methods = lines[0][2:]
table = {(l[0], l[1]): np.array(l[2:], float) for l in lines[1:]}
own = {}
for l in open(ours):
    f = l.rstrip("\n").split("\t")
    if not l.startswith("#") and f[0] != "set":
        own.setdefault(f[0], []).append((float(f[3]), float(f[4])))
best = {}
for l in open(final):
    f = l.rstrip("\n").split("\t")
    best.setdefault(f[1], {}).setdefault(f[0], []).append((float(f[3]), float(f[4]), float(f[5])))
presets = sorted(best)
names = [n for n in sets.tabular(part) if (plain(n), "auc") in table and all(n in best[p] for p in presets)]
have = [n for n in names if plain(n) in own]
print("sets:", len(names), "of which our own paper runs have", len(have))
cols = methods + ["odim paper"] + ["odim " + p for p in presets]
A = np.full((len(names), len(cols)), np.nan)
P = A.copy()
for i, n in enumerate(names):
    o = np.mean(own[plain(n)], 0) if plain(n) in own else (table[plain(n), "auc"][methods.index("ODIM")], table[plain(n), "pr"][methods.index("ODIM")])
    A[i] = list(table[plain(n), "auc"]) + [o[0]] + [np.mean(best[p][n], 0)[0] for p in presets]
    P[i] = list(table[plain(n), "pr"]) + [o[1]] + [np.mean(best[p][n], 0)[1] for p in presets]
rank = lambda M: np.mean([sets.ranks(-r) for r in M], 0)
ra, rp = rank(A), rank(P)
print("| method | AUC | AP | rank by AUC | rank by AP |\n|:--|--:|--:|--:|--:|")
for j in np.argsort(-A.mean(0)):
    print("| %s | %.4f | %.4f | %.1f | %.1f |" % (cols[j], A[:, j].mean(), P[:, j].mean(), ra[j], rp[j]))
for p in presets:
    s = [len(best[p][n]) for n in names]
    per = [np.mean([best[p][n][k][:2] for n in names], 0) for k in range(min(s))]
    print(p, "seeds", min(s), "per seed", np.round(per, 4).tolist())
if "-v" in sys.argv:
    for i, n in enumerate(names):
        print("%-14s ODIM %.3f/%.3f own %.3f/%.3f best %.3f/%.3f IF %.3f/%.3f kNN %.3f/%.3f MCD %.3f/%.3f" % ((plain(n),) + sum(((A[i, j], P[i, j]) for j in (methods.index("ODIM"), len(methods), len(cols) - 1, methods.index("IForest"), methods.index("kNN"), methods.index("MCD"))), ())))
