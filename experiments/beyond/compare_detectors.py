"""Compares our detectors with scikit-learn's on the same scaled features: compare_detectors.py ODIM [METHOD,...] [SET...]. Prints AUC and CPU seconds of each.

Columns are brought to [0,1] as `odim` does, large sets thinned as in sets.py; k = 20 for lof, 5 for knn. Of PCA the score is Mahalanobis'
distance by the axes that scikit-learn keeps above 1e-9; MCD is MinCovDet on all rows, where it takes less than minutes.
"""
import os, resource, subprocess, sys, tempfile, time, warnings
import numpy as np
from sklearn.covariance import MinCovDet
from sklearn.decomposition import PCA
from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors
import sets

warnings.filterwarnings("ignore")
K = {"knn": 5, "lof": 20}
METHODS = ("knn", "lof", "mcd", "pca")


def knn(x):
    return NearestNeighbors(n_neighbors=K["knn"]).fit(x).kneighbors(None)[0][:, -1]


def lof(x):
    return -LocalOutlierFactor(n_neighbors=K["lof"]).fit(x).negative_outlier_factor_


def mcd(x):
    if len(x) * x.shape[1] ** 2 > 1e8 or len(x) < 3 * x.shape[1]:
        return None
    return MinCovDet(random_state=0).fit(x).mahalanobis(x)


def pca(x):
    z = (x - x.mean(0)) / x.std(0)
    p = PCA().fit(z)
    keep = p.explained_variance_ > 1e-9
    return (p.transform(z)[:, keep] ** 2 / p.explained_variance_[keep]).sum(1)


def children():
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime


def ours(odim, method, path):
    out = path + ".out.npy"
    before = children()
    more = ["--neighbors", str(K[method])] if method in K else []
    subprocess.run([odim, "detect", path, "--method", method, *more, "-o", out], check=True, stderr=subprocess.DEVNULL)
    return np.load(out)["score"], children() - before


def main():
    odim = sys.argv[1]
    methods = sys.argv[2].split(",") if len(sys.argv) > 2 else METHODS
    print("| set | n | d | method | AUC | of scikit-learn | difference | CPU s | of scikit-learn |\n|---|---|---|---|---|---|---|---|---|")
    for name in sys.argv[3:] or sets.tabular("all"):
        x, y = sets.load(name)
        x = ((x - x.min(0)) / (x.max(0) - x.min(0))).astype(np.float32)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.npy")
            np.save(path, x)
            for method in methods:
                mine, took = ours(odim, method, path)
                start = time.process_time()
                theirs = globals()[method](x.astype(float))
                theirs_took = time.process_time() - start
                a = sets.auc(y, mine)
                b = sets.auc(y, theirs) if theirs is not None else float("nan")
                print("| %s | %d | %d | %s | %.4f | %.4f | %+.4f | %.2f | %.2f |" % (name, *x.shape, method, a, b, a - b, took, theirs_took), flush=True)


main()
