"""A quick start, to be run as a whole or cell by cell (# %% begins a cell in most editors).

    build/python/venv/bin/python examples/quickstart.py

With Matplotlib it also draws; the plots go to quickstart.png.
"""
# %% A table: readings of a machine, with a few faults in it.
import numpy as np

from odim import ODIM

rng = np.random.default_rng(0)
n = 2000
load = rng.uniform(0.2, 1, n)
X = np.column_stack([
    load,
    20 * load + rng.normal(0, 0.5, n),           # amperes follow the load
    40 + 15 * load + rng.normal(0, 1, n),        # so does the temperature
    rng.normal(2, 0.1, n),                       # vibration does not
]).astype(np.float32)
names = ["load", "amps", "temperature", "vibration"]
faults = rng.choice(n, 24, replace=False)
X[faults[:12], 1] += 14                          # current without load
X[faults[12:], 3] += 1                           # a bearing
truth = np.zeros(n, bool)
truth[faults] = True

# %% Fit. There is no contamination rate to guess.
clf = ODIM(seed=0, preset="fast", progress=True).fit(X)
found = clf.labels_ == 1
print(f"found {found.sum()} outliers; {(found & truth).sum()} of the {truth.sum()} faults are among them")

# %% The worst rows, and why.
worst = np.argsort(-clf.decision_scores_)[:5]
for row, reasons in zip(worst, clf.explain(X, top=2, rows=worst)):
    told = "; ".join(f"{names[r.column]} {r.value:.1f}, expected {r.expected:.1f}" for r in reasons)
    print(f"row {row:4d}  score {clf.decision_scores_[row]:7.2f}  fault {truth[row]!s:5}  {told}")

# %% New rows: scores, verdicts, probabilities.
new = np.array([[0.5, 10, 47.5, 2], [0.5, 24, 47.5, 2]], dtype=np.float32)
print("new rows:", clf.predict(new), "probability of an outlier:", clf.predict_proba(new)[:, 1].round(3))

# %% Outliers that are known help to find others like them.
known = ODIM(seed=0, preset="fast").fit(X, known_outliers=faults[12:14])
rank = (-known.decision_scores_).argsort().argsort() + 1
print("ranks of the other faults of that kind:", sorted(rank[faults[14:]].tolist()))

# %% A model is a file, which the command line reads as well: odim score -m pump.odim new.csv
clf.save("pump.odim")
again = ODIM.load("pump.odim")
print("loaded, the same scores:", bool((again.decision_function(X) == clf.decision_scores_).all()))

# %% Plots.
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no plots: Matplotlib is not there")
else:
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
    left.hist(clf.decision_scores_, bins=80, color="0.6")
    left.axvline(clf.threshold_, color="C3", label="threshold")
    left.set(xlabel="score", ylabel="rows", yscale="log", title="Scores of the training rows")
    left.legend()
    right.scatter(X[~found, 0], X[~found, 1], s=4, color="0.7", label="inliers")
    right.scatter(X[found, 0], X[found, 1], s=25, color="C3", label="found")
    right.scatter(X[truth, 0], X[truth, 1], s=70, facecolors="none", edgecolors="k", label="faults")
    right.set(xlabel="load", ylabel="amps", title="Where they are")
    right.legend()
    figure.tight_layout()
    figure.savefig("quickstart.png", dpi=110)
    print("drawn: quickstart.png")
