"""Shows why figures of ocsvm, loda and bagging differ from the paper's: paper_rows.py PAPER.tsv [SET...]. Prints Markdown.

PAPER.tsv is experiments/paper_methods.tsv. The paper's figures come from PyOD and from tables as ADBench hands them out. This script
repeats, with scikit-learn and plain NumPy, what PyOD does to such a table, and what it would do without one of its peculiarities:

- ocsvm: columns in [0, 1], or standardized;
- loda: each value counts by its own bin, or by the bin after it, as in PyOD;
- bagging: the rows of the table, or, of a table of fewer than 1000 rows, 1000 rows drawn with repetition, as in ADBench.

Means are over three seeds. Tables of more than ODIM_ROWS rows (default here: 4000) or more than 200 columns are
left out.
"""
import os, sys, warnings
import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.neighbors import LocalOutlierFactor
from sklearn.preprocessing import minmax_scale, scale
from sklearn.svm import OneClassSVM
import sets

warnings.filterwarnings("ignore")
MOST = int(os.environ.get("ODIM_ROWS", "4000"))
WIDEST = 200
SEEDS, FILLED, BAGS, NEIGHBORS, PROJECTIONS, BINS = 3, 1000, 10, 20, 100, 10
FILES = {"ALOI": "aloi", "Hepatitis": "hepatitis", "InternetAds": "internetads", "Ionosphere": "ionosphere", "Pima": "pima",
         "satimage-2": "satimage2", "SpamBase": "spambase", "Stamps": "stamps", "WBC": "wbc", "WDBC": "wdbc", "WPBC": "wpbc"}


def ocsvm(x, rng):
    return -OneClassSVM(nu=0.5, gamma=1 / x.shape[1]).fit(x).decision_function(x)


def loda(x, rng, shifted):
    score = np.zeros(len(x))
    for _ in range(PROJECTIONS):
        weight = rng.normal(size=x.shape[1])
        weight[rng.permutation(x.shape[1])[int(np.sqrt(x.shape[1])):]] = 0
        at = x @ weight
        count, edge = np.histogram(at, BINS)
        own = np.clip(np.searchsorted(edge, at, side="right") - 1, 0, BINS - 1)
        bin = np.searchsorted(edge[: BINS - 1], at) if shifted else own
        score -= np.log((count[bin] + 1e-12) / len(x))
    return score


def bagging(x, rng):
    score = np.zeros(len(x))
    for _ in range(BAGS):
        count = max(rng.integers(x.shape[1] // 2, x.shape[1] + 1), 1)
        features = rng.permutation(x.shape[1])[:count]
        score -= LocalOutlierFactor(NEIGHBORS).fit(x[:, features]).negative_outlier_factor_
    return score


def filled(n, rng):
    return rng.integers(0, n, FILLED) if n < FILLED else np.arange(n)


# Name, column of the paper, and for each of two ways: rows, then scores.
WAYS = (
    ("ocsvm, columns in [0, 1]", "OCSVM", lambda x, rng: ocsvm(minmax_scale(x), rng), False),
    ("ocsvm, standardized", "OCSVM", lambda x, rng: ocsvm(scale(x), rng), False),
    ("loda, its own bin", "LODA", lambda x, rng: loda(scale(x), rng, False), False),
    ("loda, the bin after", "LODA", lambda x, rng: loda(scale(x), rng, True), False),
    ("bagging, the table", "FeatureBagging", lambda x, rng: bagging(scale(x), rng), False),
    ("bagging, 1000 rows", "FeatureBagging", lambda x, rng: bagging(scale(x), rng), True),
)


def measure(x, y, way, fill):
    got = []
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        rows = filled(len(x), rng) if fill else np.arange(len(x))
        score = way(x[rows], rng)
        got.append((roc_auc_score(y[rows], score), average_precision_score(y[rows], score)))
    return np.mean(got, 0)


def read_paper(path):
    with open(path) as f:
        lines = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    return {(line[0], line[1]): dict(zip(lines[0][2:], map(float, line[2:]))) for line in lines[1:]}


def main():
    paper = read_paper(sys.argv[1])
    names = [n for n in sets.listing("tabular") if sets.number(n) >= 0]
    chosen = [(n, FILES.get(n.split("_", 1)[1], n.split("_", 1)[1])) for n in names]
    chosen = [(n, short) for n, short in chosen if (short, "auc") in paper and (not sys.argv[2:] or short in sys.argv[2:])]
    all_of = []
    for name, short in chosen:
        with np.load(os.path.join(sets.DATA, "tabular", name + ".npz")) as z:
            x, y = z["X"].astype(float), z["y"].ravel()
        if len(x) > MOST or x.shape[1] > WIDEST:
            continue
        results = []
        for _, _, way, fill in WAYS:  # a table that is large enough is not filled up
            results.append(results[-1] if fill and len(x) >= FILLED else measure(x, y, way, fill))
        all_of.append((short, len(x), results))
        print(short, file=sys.stderr)
    print("| set | rows |" + "".join(f" {name} | paper |" if i % 2 else f" {name} |" for i, (name, *_) in enumerate(WAYS)))
    print("|:--|--:|" + "--:|" * (len(WAYS) + len(WAYS) // 2))
    sums = np.zeros((2, len(WAYS) + len(WAYS) // 2))
    for short, n, results in all_of:
        cells = [[], []]
        for i, (_, column, _, _) in enumerate(WAYS):
            for v, key in enumerate(("auc", "ap")):
                cells[v].append(results[i][v])
                if i % 2:
                    cells[v].append(paper[short, key][column])
        sums += cells
        print(f"| {short} | {n} |" + "".join(f" {a:.3f} |" for a in cells[0]))
    for v, what in enumerate(("AUC", "AP")):
        print(f"| **mean {what} of {len(all_of)}** | |" + "".join(f" {a / len(all_of):.3f} |" for a in sums[v]))


main()
