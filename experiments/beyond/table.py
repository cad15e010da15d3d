"""AUC/AP set by set: table.py PART LIST..."""
import sys
import numpy as np
import sets
from combine import get, cached, UNIT
part, lists = sys.argv[1], [a.split("+") for a in sys.argv[2:]]
names = sets.tabular(part[4:]) if part.startswith("tab-") else sets.embeddings(part[4:])
print("%-26s" % "set" + "".join("%16s" % "+".join(l)[:15] for l in lists))
for n in names:
    y = cached(n)[1]
    row = "%-26s" % n
    for l in lists:
        if all(get(n, c) is not None for c in l):
            s = sum(UNIT["z"](get(n, c)) for c in l)
            row += "      %.3f/%.3f" % (sets.auc(y, s), sets.ap(y, s))
        else:
            row += "%16s" % "-"
    print(row)
