"""What people look at: reasons as a data frame, a summary for notebooks, and plots with Matplotlib."""
from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from ._frames import Data

if TYPE_CHECKING:
    import pandas

_BINS, _WIDTH, _HEIGHT = 40, 480, 90


def _bars(scores: np.ndarray, threshold: float) -> str:
    """A histogram of scores on a logarithmic scale, as SVG. Scores beyond the outermost bins are counted in them."""
    low, high = min(float(scores.min()), 0.0), max(2 * threshold, 1.0)
    counts, edges = np.histogram(np.clip(scores, low, high), bins=_BINS, range=(low, high))
    tallest, step = np.log1p(counts.max()), _WIDTH / _BINS
    bars = []
    for i, count in enumerate(counts):
        height = _HEIGHT * float(np.log1p(count) / tallest)
        color = "#c0392b" if edges[i] >= threshold else "#5b7fa6"
        bars.append(f'<rect x="{i * step:.1f}" y="{_HEIGHT - height:.1f}" width="{step - 1:.1f}" height="{height:.1f}" '
                    f'fill="{color}"><title>{edges[i]:.2f} to {edges[i + 1]:.2f}: {count} rows</title></rect>')
    at = _WIDTH * (threshold - low) / (high - low)
    return (f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="Number of rows by score (log scale)">'
            f'{"".join(bars)}<line x1="{at:.1f}" x2="{at:.1f}" y1="0" y2="{_HEIGHT}" stroke="#c0392b" '
            'stroke-dasharray="4 3"/></svg>')


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need Matplotlib: pip install matplotlib, or Debian's python3-matplotlib") from error
    return pyplot.subplots()[1]


class Look:
    """The part of the estimator that people look at."""

    def explain_frame(self, X: Data, top: int = 3, rows: Optional[ArrayLike] = None) -> "pandas.DataFrame":
        """The reasons of :meth:`explain` as a data frame of pandas, with one line per reason.

        Its columns are row (position from 0), rank (from 1), column, share, value, expected, kind and text.
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("explain_frame needs pandas; explain returns lists without it") from error
        from ._tables import chosen_rows

        reasons = self.explain(X, top, rows)  # type: ignore[attr-defined]
        count = len(reasons) if rows is None else X.shape[0] if hasattr(X, "shape") else len(X)  # type: ignore
        lines = [(int(row), rank + 1, r.column, r.share, r.value, r.expected, r.kind, r.text)
                 for row, found in zip(chosen_rows(rows, count), reasons) for rank, r in enumerate(found)]
        return pandas.DataFrame(lines, columns=["row", "rank", "column", "share", "value", "expected", "kind", "text"])

    def _repr_html_(self) -> str:
        """A summary for notebooks: the verdict, a histogram of the training rows' scores, and the highest of them."""
        title = f"<code>{escape(repr(self))}</code>"
        scores = getattr(self, "decision_scores_", None)
        if scores is None:
            fitted = getattr(self, "_model", None) is not None
            return f"<div>{title}<p>{'Fitted; no training scores' if fitted else 'Not fitted'}</p></div>"
        threshold, unusual = self.threshold_, self.unusual_  # type: ignore[attr-defined]
        outliers = int((scores > threshold).sum())
        odd = int(((scores > unusual) & (scores <= threshold)).sum())
        verdict = (f"{outliers:,} of {len(scores):,} rows {'is an outlier' if outliers == 1 else 'are outliers'} "
                   f"(score above {threshold:.4g}); {odd:,} more {'is' if odd == 1 else 'are'} unusual")
        top = np.argsort(-scores, kind="stable")[:5]
        chance = self._model.probability(scores[top])  # type: ignore[attr-defined]
        lines = "".join(f"<tr><td>{row}</td><td>{scores[row]:.2f}</td><td>{p:.3f}</td></tr>" for row, p in zip(top, chance))
        return (f"<div>{title}<p><strong>{verdict}</strong></p>{_bars(scores, threshold)}<table><thead><tr><th>row</th>"
                f"<th>score</th><th>probability</th></tr></thead><tbody>{lines}</tbody></table></div>")

    def plot_scores(self, X: Optional[Data] = None, ax: Any = None, bins: int = 50) -> Any:
        """A histogram of the scores of X, or of the training rows, with the threshold. Returns Matplotlib's axes."""
        self._fitted()  # type: ignore[attr-defined]
        scores = getattr(self, "decision_scores_", None) if X is None else self._scores(X)  # type: ignore[attr-defined]
        if scores is None:
            raise ValueError("a model file does not have the scores of the training rows: give X")
        ax = _axes(ax)
        ax.hist(scores, bins=bins, log=True, color="#5b7fa6")
        ax.axvline(self.threshold_, color="#c0392b", linestyle="--", label="threshold")  # type: ignore[attr-defined]
        ax.set(xlabel="score", ylabel="rows (log scale)", title="Number of rows by score")
        ax.legend()
        return ax

    def plot_reasons(self, X: Data, row: int, top: int = 5, ax: Any = None) -> Any:
        """The columns that make a row unusual, as bars of their shares. Returns Matplotlib's axes."""
        reasons = self.explain(X, top, [row])[0][::-1]  # type: ignore[attr-defined]
        ax = _axes(ax)
        ax.barh(range(len(reasons)), [reason.share for reason in reasons], color="#5b7fa6")
        ax.set_yticks(range(len(reasons)), [f"{reason.column} = {reason.value}" for reason in reasons])
        ax.set(xlabel="share", xlim=(0, 1), title=f"Reasons for row {row}")
        return ax
