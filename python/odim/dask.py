"""Fits and scores data frames of Dask, wherever its workers are.

>>> from odim import dask
>>> clf = dask.fit(ddf, preset="fast")              # doctest: +SKIP
>>> results = dask.score(clf, ddf)                  # doctest: +SKIP
>>> results.to_parquet("scores")                    # doctest: +SKIP

Everything is lazy: ``fit`` returns a delayed model, ``score`` and ``detect`` return data frames, and nothing runs before
they are computed. The model and the scores are, to the bit, those of ``odim fit`` and ``odim score`` for the whole table,
however it is divided into partitions. Types of text columns are found from all partitions. A partition whose worker is
lost is computed again.
"""
from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import numpy as np

from ._estimator import ODIM
from ._partial import Partial, Scan

__all__ = ["scan", "fit", "detect", "score"]

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

def _scan(rows: Any, index: int) -> bytes:
    return Scan().add(rows, index).to_bytes()


def _merge_scans(scans: Sequence[bytes]) -> bytes:
    merged = Scan()
    for data in scans:
        merged.merge(Scan.from_bytes(data))
    return merged.to_bytes()


def _part(rows: Any, scanned: bytes, index: int, settings: Dict[str, Any]) -> Optional[bytes]:
    if not len(rows):
        return None
    scan = Scan.from_bytes(scanned)
    return Partial(ODIM(**settings)).add(rows, scan.first(index), scan).to_bytes()


def _merge(parts: Sequence[Optional[bytes]], settings: Dict[str, Any]) -> Optional[bytes]:
    merged, clf = None, ODIM(**settings)
    for data in parts:
        if data is not None:
            part = Partial.from_bytes(clf, data)
            merged = part if merged is None else merged.merge(part)
    return None if merged is None else merged.to_bytes()


def _fit(data: Optional[bytes], settings: Dict[str, Any]) -> ODIM:
    if data is None:
        raise ValueError("the data frame has no rows")
    return ODIM.from_bytes(Partial.from_bytes(ODIM(**settings), data).fit().to_bytes())


def _bytes(thing: Union[ODIM, Scan]) -> bytes:
    return thing.to_bytes()


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
    used = getattr(clf, "feature_names_in_", None)
    if used is not None and set(used) <= set(rows.columns):
        results = clf._results(clf._scores(rows[list(used)]))  # without ids, which the model does not need
    else:
        results = clf._results(clf._scores(rows))
    return pandas.DataFrame({name: results[name] for name in results.dtype.names or ()}, index=rows.index)


# ---- graphs ----------------------------------------------------------------------------------------------------

def _settings(params: Dict[str, Any]) -> Dict[str, Any]:
    """Parameters that mean the same on each worker."""
    clf = ODIM(**params)
    return {**params, "seed": int(clf._params().get("seed")), "random_state": None, "progress": None}


def _tree(level: List[Any], merge: Callable[[List[Any]], Any]) -> Any:
    """Merges a few at a time, until one is left."""
    while len(level) > 1:
        level = [merge(level[i:i + _MERGED]) for i in range(0, len(level), _MERGED)]
    return level[0]


def _as_bytes(thing: Any) -> Any:
    """Delayed bytes of a model or a scan, which may be delayed."""
    delayed = _dask().delayed
    return delayed(thing.to_bytes(), pure=True) if isinstance(thing, (ODIM, Scan)) else delayed(_bytes, pure=True)(thing)


def scan(ddf: Any) -> Any:
    """A delayed :class:`odim.Scan`: the first pass over the partitions, which finds the types of the columns.

    :func:`fit` does it by itself. For data larger than the memory and the disks of the workers compute it first, so that
    partitions need not be kept between the two passes: ``fit(ddf, scan(ddf).compute())``.
    """
    delayed = _dask().delayed
    level = [delayed(_scan, pure=True)(part, i) for i, part in enumerate(ddf.to_delayed())]
    return delayed(Scan.from_bytes, pure=True)(_tree(level, lambda scans: delayed(_merge_scans, pure=True)(scans)))


def fit(ddf: Any, scanned: Optional[Any] = None, **params: Any) -> Any:
    """A delayed model of a data frame of Dask, with the parameters of :class:`odim.ODIM`: ``fit(ddf).compute()`` is the
    fitted estimator.

    ``scanned`` is what :func:`scan` returns, delayed or computed.
    """
    delayed, settings = _dask().delayed, _settings(params)
    types = _as_bytes(scan(ddf) if scanned is None else scanned)
    level = [delayed(_part, pure=True)(part, types, i, settings) for i, part in enumerate(ddf.to_delayed())]
    return delayed(_fit, pure=True)(_tree(level, lambda parts: delayed(_merge, pure=True)(parts, settings)), settings)


def score(clf: Any, ddf: Any) -> Any:
    """The scores of the rows, as a lazy data frame with the columns ``score``, ``p_outlier`` and ``is_outlier``.

    ``clf`` is a fitted estimator, or a delayed one from :func:`fit`.
    """
    return ddf.map_partitions(_score, _as_bytes(clf), meta=_empty())


def detect(ddf: Any, **params: Any) -> Any:
    """Fits and scores when its result is computed: a lazy data frame like that of :func:`score`.

    Everything is one graph, so workers keep or spill the partitions between fitting and scoring. For data larger than
    their memory and disks compute :func:`scan` and :func:`fit`, then :func:`score`.
    """
    return score(fit(ddf, **params), ddf)
