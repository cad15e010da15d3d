"""Fits and scores data frames of Dask, wherever its workers are.

>>> from odim import dask
>>> clf = dask.fit(ddf, preset="fast")              # doctest: +SKIP
>>> results = dask.score(clf, ddf)                  # doctest: +SKIP
>>> results.to_parquet("scores")                    # doctest: +SKIP

The model and the scores are, to the bit, those of ``odim fit`` and ``odim score`` for the whole table, however it is
divided into partitions. A partition whose worker is lost is computed again. Columns of texts are categories, like
columns of the type ``category``: convert dates and numbers before.
"""
from __future__ import annotations

from functools import lru_cache
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from ._estimator import ODIM
from ._partial import Partial

__all__ = ["fit", "detect", "score"]

_MERGED = 8  # parts that are merged at a time


def _dask() -> Any:
    try:
        import dask
        import dask.dataframe  # noqa: F401
    except ImportError as error:
        raise ImportError("odim.dask needs Dask: pip install 'dask[dataframe]' distributed, or Debian's "
                          "python3-distributed") from error
    return dask


# ---- tasks -----------------------------------------------------------------------------------------------------

def _firsts(counts: Sequence[int]) -> List[int]:
    """The number of the first row of each partition."""
    return [0, *np.cumsum(counts, dtype=np.int64).tolist()][:-1]


def _part(rows: Any, firsts: Sequence[int], index: int, settings: Dict[str, Any]) -> Optional[bytes]:
    return Partial(ODIM(**settings)).add(rows, firsts[index]).to_bytes() if len(rows) else None


def _merge(parts: Sequence[Optional[bytes]], settings: Dict[str, Any]) -> Optional[bytes]:
    merged, clf = None, ODIM(**settings)
    for data in parts:
        if data is not None:
            part = Partial.from_bytes(clf, data)
            merged = part if merged is None else merged.merge(part)
    return None if merged is None else merged.to_bytes()


def _fit(data: Optional[bytes], settings: Dict[str, Any]) -> bytes:
    if data is None:
        raise ValueError("the data frame has no rows")
    return Partial.from_bytes(ODIM(**settings), data).fit().to_bytes()


@lru_cache(maxsize=4)
def _model(data: bytes) -> ODIM:
    """Each worker loads a model once. Its tasks run side by side, so a task uses one thread."""
    return ODIM.from_bytes(data).set_params(threads=1)


def _empty() -> Any:
    import pandas

    return pandas.DataFrame({"score": np.empty(0), "p_outlier": np.empty(0), "is_outlier": np.empty(0, np.int64)})


def _score(rows: Any, data: bytes) -> Any:
    import pandas

    if not len(rows):
        return _empty().set_index(rows.index)
    clf = _model(data)
    results = clf._results(clf._scores(rows))
    return pandas.DataFrame({name: results[name] for name in results.dtype.names or ()}, index=rows.index)


# ---- graphs ----------------------------------------------------------------------------------------------------

def _settings(params: Dict[str, Any]) -> Dict[str, Any]:
    """Parameters that mean the same on each worker."""
    clf = ODIM(**params)
    return {**params, "seed": int(clf._params().get("seed")), "random_state": None, "progress": None}


def _model_task(parts: Sequence[Any], firsts: Any, settings: Dict[str, Any]) -> Any:
    """A delayed object: the bytes of the model."""
    delayed = _dask().delayed
    level = [delayed(_part, pure=True)(part, firsts, i, settings) for i, part in enumerate(parts)]
    while len(level) > 1:
        level = [delayed(_merge, pure=True)(level[i:i + _MERGED], settings) for i in range(0, len(level), _MERGED)]
    return delayed(_fit, pure=True)(level[0], settings)


def fit(ddf: Any, **params: Any) -> ODIM:
    """Fits a model to a data frame of Dask, with the parameters of :class:`odim.ODIM`. Returns the fitted estimator.

    The partitions are computed twice: to count their rows, and to fit. They need not be in memory at the same time.
    """
    dask, settings = _dask(), _settings(params)
    parts = ddf.to_delayed()
    counts = dask.compute(*[dask.delayed(len, pure=True)(part) for part in parts])
    data, = dask.compute(_model_task(parts, _firsts(counts), settings))
    return ODIM.from_bytes(data)


def score(clf: ODIM, ddf: Any) -> Any:
    """The scores of the rows, as a lazy data frame with the columns ``score``, ``p_outlier`` and ``is_outlier``."""
    data = _dask().delayed(clf.to_bytes(), pure=True)
    return ddf.map_partitions(_score, data, meta=_empty())


def detect(ddf: Any, **params: Any) -> Any:
    """Fits and scores when its result is computed: a lazy data frame like that of :func:`score`.

    Everything is one graph, so workers keep or spill the partitions between fitting and scoring. For data larger than
    their memory and disks call :func:`fit`, then :func:`score`.
    """
    dask, settings = _dask(), _settings(params)
    parts = ddf.to_delayed()
    firsts = dask.delayed(_firsts, pure=True)([dask.delayed(len, pure=True)(part) for part in parts])
    return ddf.map_partitions(_score, _model_task(parts, firsts, settings), meta=_empty())
