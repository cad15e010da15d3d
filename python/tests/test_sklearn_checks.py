"""scikit-learn's own checks of an estimator, as far as they apply. The list of those passed is checked in."""
import os
import unittest
import warnings
from functools import partial
from pathlib import Path

import odim
import odim.sklearn

try:
    import sklearn
    from sklearn.utils import estimator_checks
    from sklearn.utils.estimator_checks import check_estimator
except ImportError:
    sklearn = None

PASSED = Path(__file__).with_name("sklearn_checks.txt")
# Debian 12's, for which the list was made. Other versions have other checks; there all must pass, whatever the list.
LISTED_FOR = "1.2"

# scikit-learn's estimators must pass these as well.
ALSO = ["check_dataframe_column_names_consistency", "check_n_features_in_after_fitting"]

# Those that fail, and why.
FAILING = {
    "pyod": {"check_dataframe_column_names_consistency"},  # a frame in another order is put in order
    "sklearn, contamination auto": {"check_outliers_train", "check_outliers_fit_predict"},  # see odim.sklearn
}


def estimators():
    quick = {"preset": "fast", "threads": 1}
    yield "pyod", odim.ODIM(**quick)
    yield "sklearn, contamination auto", odim.sklearn.ODIM(**quick)
    yield "sklearn, contamination 0.1", odim.sklearn.ODIM(**quick, contamination=0.1)


def name_of(check):
    """check_outliers_train(readonly_memmap=True): from a function in several wrappings."""
    options = {}
    while hasattr(check, "func") or hasattr(check, "__wrapped__"):
        options.update(getattr(check, "keywords", {}))
        check = check.func if hasattr(check, "func") else check.__wrapped__
    options = ", ".join(f"{k}={v}" for k, v in options.items())
    return check.__name__ + (f"({options})" if options else "")


def run(estimator):
    """name of each check: None when it passed, else why not."""
    results = {}
    also = [(estimator, partial(getattr(estimator_checks, name), "ODIM")) for name in ALSO]
    for instance, check in [*check_estimator(estimator, generate_only=True), *also]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(instance)
            results[name_of(check)] = None
        except unittest.SkipTest as skipped:
            results[name_of(check)] = str(skipped)
        except Exception as error:
            results[name_of(check)] = f"{type(error).__name__}: {error}"
    return results


@unittest.skipUnless(sklearn, "no scikit-learn")
class Checks(unittest.TestCase):
    def test_all(self):
        lines = []
        for title, estimator in estimators():
            results = run(estimator)
            failed = {name.split("(")[0]: why for name, why in results.items() if why}
            with self.subTest(title):
                self.assertEqual(set(failed), FAILING.get(title, set()), failed)
            lines += [f"[{title}]", *sorted(name for name, why in results.items() if not why)]
        text = "\n".join(lines) + "\n"
        if os.environ.get("ODIM_UPDATE"):
            PASSED.write_text(text)
        if sklearn.__version__.startswith(LISTED_FOR + "."):
            self.assertEqual(PASSED.read_text(), text)


if __name__ == "__main__":
    unittest.main()
