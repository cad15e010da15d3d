"""Mean AUC and AP of mean z-scores: pick.py PART LIST LIST ... (a list is names with +), over the sets that have all."""
import sys
import numpy as np
import sets
from combine import get, cached, UNIT
part, lists = sys.argv[1], [a.split("+") for a in sys.argv[2:] if not a.startswith("unit=")]
units = [a[5:] for a in sys.argv[2:] if a.startswith("unit=")] or ["z"]
names = sets.tabular(part[4:]) if part.startswith("tab-") else sets.embeddings(part[4:])
need = {c for l in lists for c in l}
have = [n for n in names if all(get(n, c) is not None for c in need)]
print(len(have), "sets of", len(names))
for u in units:
    for l in lists:
        r = []
        for n in have:
            y = cached(n)[1]
            s = sum(UNIT[u](get(n, c)) for c in l) if len(l) > 1 else get(n, l[0])
            r.append((sets.auc(y, s), sets.ap(y, s)))
        print("%-8s %-50s AUC %.4f AP %.4f" % ((u, "+".join(l)) + tuple(np.mean(r, 0))))
