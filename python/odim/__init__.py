"""odim finds outliers in a table, and says why.

>>> import numpy as np
>>> from odim import ODIM
>>> X = np.random.default_rng(0).normal(size=(500, 4))
>>> X[7] = 9
>>> clf = ODIM(seed=0, preset="fast").fit(X)
>>> int(clf.decision_scores_.argmax()), float(clf.predict_proba(X[7:8])[0, 1]) > 0.5
(7, True)

``ODIM`` has PyOD's signs (high = outlier, labels 1 and 0), ``odim.sklearn.ODIM`` scikit-learn's (low = outlier, labels
-1 and 1). All work is done by the native library, with the interpreter's lock released.
"""
from ._errors import (Cancelled, DataError, FileError, FormatError, IgnoredColumnWarning, MissingFileError, NotFittedError,
                      OdimError, OutOfMemoryError, ParamError, SystemFailure)
from ._estimator import ODIM
from ._model import Privacy, Reason
from ._native import lib as _lib
from ._partial import Partial, Scan
from ._run import Progress

__version__: str = _lib.odim_version().decode()

__all__ = ["ODIM", "Partial", "Scan", "Progress", "Reason", "Privacy", "OdimError", "DataError", "ParamError", "FormatError",
           "FileError", "MissingFileError", "IgnoredColumnWarning", "OutOfMemoryError", "SystemFailure", "Cancelled", "NotFittedError", "__version__"]
