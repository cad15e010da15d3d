"""What a type checker must accept; test_types.py runs one in strict mode."""
# pyright: strict
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import odim
import odim.sklearn
from numpy.typing import NDArray
from odim import ODIM, Partial, Progress, Reason

X: NDArray[np.float64] = np.random.default_rng(0).normal(size=(500, 4))


def stop_late(now: Progress) -> bool:
    return now.updates > 10**9


clf = ODIM(seed=0, preset="fast", members=5, hidden=[32, 16], contamination="auto", progress=stop_late)
clf.fit(X, known_outliers=[7])
seed: int = clf.seed
scores: NDArray[np.float64] = clf.decision_scores_
threshold: float = clf.threshold_
labels: NDArray[np.int_] = clf.predict(X)
reasons: List[List[Reason]] = clf.explain(X, top=1, rows=[7])
text: str = reasons[0][0].text
data: bytes = clf.to_bytes()
again = ODIM.from_bytes(data).set_params(threads=2, random_state=np.random.default_rng(0), n_jobs=-1)
area: float = again.score(X, labels)
sure: NDArray[np.float64] = again.predict_confidence(X)
columns: Dict[str, Any] = {"size": X[:, 0], "kind": ["a", "b"] * 250}
ODIM(contamination=0.1, dp_epsilon=3, threads="auto", with_="iforest").fit(columns)
ODIM().fit_file(Path("x.csv"), id="nr").save("x.odim")
row_scores = ODIM().detect_file("x.csv")["score"]
other = odim.sklearn.ODIM(method="knn", neighbors=5).fit(X)
offset: float = odim.sklearn.ODIM.load("x.odim").offset_
part: bytes = Partial(clf).add(X, 0).to_bytes()
try:
    clf.score_samples(X)
except odim.DataError as error:
    print(error.row, error.column)
