"""What the estimator promises: PyOD's names, scikit-learn's manners, files, reasons."""
import copy
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import made
import numpy as np
import odim
import odim.sklearn
from odim import ODIM

try:
    import pandas as pd
except ImportError:
    pd = None
try:
    import sklearn
except ImportError:
    sklearn = None


class Results(unittest.TestCase):
    def setUp(self):
        self.x = made.numbers(500)
        self.clf = made.quick(max_updates=200, contamination=0.02).fit(self.x)

    def test_names_of_pyod(self):
        clf, x = self.clf, self.x
        self.assertEqual(clf.decision_scores_.shape, (500,))
        self.assertEqual(clf.decision_scores_.argmax(), 7)
        np.testing.assert_array_equal(clf.decision_function(x), clf.decision_scores_)
        self.assertTrue(3 <= clf.unusual_ <= 4)
        raw = clf.raw_scores(x)
        self.assertEqual(raw.argmax(), 7)
        self.assertNotEqual(raw.tobytes(), clf.decision_scores_.tobytes())
        np.testing.assert_array_equal(clf.labels_, (clf.decision_scores_ > clf.threshold_).astype(int))
        np.testing.assert_array_equal(clf.predict(x), clf.labels_)
        self.assertEqual(clf.labels_.sum(), 10)
        p = clf.predict_proba(x)
        self.assertEqual(p.shape, (500, 2))
        np.testing.assert_allclose(p.sum(axis=1), 1)
        self.assertEqual(p[:, 1].argmax(), 7)
        np.testing.assert_array_equal(made.quick(max_updates=200, contamination=0.02).fit_predict(x), clf.labels_)

    def test_signs_of_scikit_learn(self):
        x, clf = self.x, odim.sklearn.ODIM(**self.clf.get_params()).fit(self.x)
        np.testing.assert_array_equal(clf.decision_scores_, self.clf.decision_scores_)
        np.testing.assert_array_equal(clf.score_samples(x), -self.clf.decision_scores_)
        np.testing.assert_array_equal(self.clf.score_samples(x), -self.clf.decision_scores_)
        np.testing.assert_array_equal(clf.predict(x), np.where(self.clf.labels_ == 1, -1, 1))
        np.testing.assert_array_equal(clf.predict(x), np.where(clf.decision_function(x) < 0, -1, 1))
        np.testing.assert_allclose(clf.decision_function(x), clf.score_samples(x) - clf.offset_)
        np.testing.assert_array_equal(odim.sklearn.ODIM(**self.clf.get_params()).fit_predict(x), clf.predict(x))
        with self.assertRaises(odim.NotFittedError if sklearn is None else ValueError):
            odim.sklearn.ODIM().offset_

    def test_contamination_is_optional(self):
        found = made.quick(max_updates=200).fit(self.x)
        np.testing.assert_array_equal(found.decision_scores_, self.clf.decision_scores_)
        self.assertEqual(found.threshold_, 4)
        self.assertNotEqual(found.threshold_, self.clf.threshold_)

    def test_same_seed_same_bits_any_threads(self):
        for threads in (1, 2, 3):
            again = ODIM(**{**self.clf.get_params(), "threads": threads}).fit(self.x)
            self.assertEqual(again.decision_scores_.tobytes(), self.clf.decision_scores_.tobytes())
        other = made.quick(max_updates=200, seed=1).fit(self.x)
        self.assertNotEqual(other.decision_scores_.tobytes(), self.clf.decision_scores_.tobytes())

    def test_known_outliers(self):
        mask = np.zeros(500, bool)
        mask[[7, 9]] = True
        known = made.quick(max_updates=200).fit(self.x, known_outliers=mask)
        self.assertNotEqual(known.decision_scores_.tobytes(), self.clf.decision_scores_.tobytes())
        same = made.quick(max_updates=200).fit(self.x, known_outliers=[7, 9])
        self.assertEqual(same.decision_scores_.tobytes(), known.decision_scores_.tobytes())

    def test_not_fitted(self):
        for call in ("predict", "decision_function", "score_samples", "predict_proba", "explain"):
            with self.assertRaisesRegex(ValueError, "not fitted"):
                getattr(ODIM(), call)(self.x)
        with self.assertRaises(AttributeError):
            ODIM().save("nowhere")

    def test_columns_must_be_as_many(self):
        with self.assertRaisesRegex(ValueError, "X has 3 features, but ODIM is expecting 4"):
            self.clf.predict(self.x[:, :3])

    def test_fitting_again_forgets(self):
        self.clf.fit(self.x[:, :2])
        self.assertEqual(self.clf.n_features_in_, 2)
        self.assertEqual(self.clf.decision_function(self.x[:5, :2]).shape, (5,))

    def test_a_failed_fit_changes_nothing(self):
        with self.assertRaises(odim.DataError):
            self.clf.fit(np.full((5, 2), np.inf))
        np.testing.assert_array_equal(self.clf.decision_function(self.x), self.clf.decision_scores_)

    def test_what_is_no_progress(self):
        for progress in (3, "yes", 0, [print]):
            with self.assertRaisesRegex(TypeError, "progress is None, True, False or a function, not "):
                made.quick(progress=progress).fit(self.x)
        made.quick(progress=False).fit(self.x)

    def test_notes(self):
        self.x[:, 1] = 3
        self.assertTrue(any("constant" in note for note in made.quick().fit(self.x).notes_))


class Privacy(unittest.TestCase):
    def test_private_fit(self):
        x = made.numbers(2000)
        clf = ODIM(dp_epsilon=3, dp_delta=1e-5, threads=1).fit(x)
        self.assertEqual(clf.decision_scores_.argmax(), 7)
        self.assertLessEqual(clf.privacy_.epsilon, 3)
        self.assertEqual(clf.privacy_.delta, 1e-5)
        self.assertEqual((clf.privacy_.bounds_given, clf.privacy_.insecure), (False, False))
        self.assertEqual(pickle.loads(pickle.dumps(clf)).privacy_, clf.privacy_)
        self.assertIsNone(made.quick().fit(x).privacy_)

    def test_bounds(self):
        x = made.numbers(2000)
        for bounds in ((-5, 10), ([-5] * 4, [10, 10, 10, 11])):
            clf = ODIM(dp_epsilon=3, threads=1).fit(x, bounds=bounds)
            self.assertIs(clf.privacy_.bounds_given, True)
        with self.assertRaises(odim.ParamError):
            ODIM(dp_epsilon=3).fit(x, bounds=(5, -5))
        with self.assertRaises(ValueError):
            ODIM(dp_epsilon=3).fit(x, bounds=([1, 2], 5))

    def test_bounds_by_column(self):
        x = made.numbers(2000)
        private = dict(dp_epsilon=3, dp_insecure_seed=True, threads=1)
        want = ODIM(**private).fit(x, bounds=([-5, -5, -6, -5], [10, 10, 10, 11])).decision_scores_.tobytes()
        by_number = {3: (-5, 11), 0: (-5, 10), 1: (-5, 10), 2: [-6, 10]}
        self.assertEqual(ODIM(**private).fit(x, bounds=by_number).decision_scores_.tobytes(), want)
        if pd:
            by_name = {"abcd"[j]: pair for j, pair in by_number.items()}
            frame = pd.DataFrame(x, columns=list("abcd"))
            self.assertEqual(ODIM(**private).fit(frame, bounds=by_name).decision_scores_.tobytes(), want)

    def test_bounds_that_are_none(self):
        x = made.numbers(2000)
        every = {j: (-5, 10) for j in range(4)}
        for bounds, message in (({0: (-4, 4)}, "bounds: column 1 has none"),
                                ({**every, "x": (-4, 4)}, "there is no column 'x'; the columns are 0, 1, 2, 3"),
                                ({**every, 2: ["red", "blue"]}, "column 2 must be two numbers.*odim fit --dp-bounds"),
                                ({**every, 2: ["red", "blue", "green"]}, "column 2 must be .low, high., not"),
                                ({**every, 2: 5}, "column 2 must be .low, high., not 5"),
                                (5, "bounds is .low, high.,.* not 5"), ("ab", "bounds is .low, high.,.* not 'ab'"),
                                (("a", "b"), "bounds is .low, high.,.*this table has 4 columns")):
            with self.assertRaisesRegex(ValueError, message):
                ODIM(dp_epsilon=3).fit(x, bounds=bounds)
        for clf in (ODIM(), ODIM(dp_epsilon="off")):
            with self.assertRaisesRegex(ValueError, "bounds are for a private fit: choose dp_epsilon"):
                clf.fit(x, bounds=(-5, 10))

    def test_the_command_is_the_same(self):
        x = made.numbers(2000)
        with tempfile.TemporaryDirectory() as folder:
            np.save(Path(folder) / "x.npy", x)
            want = made.command_results("detect", Path(folder) / "x.npy", "--dp-epsilon", 3, "--dp-insecure-seed", "on")
        clf = ODIM(dp_epsilon=3, dp_insecure_seed=True).fit(x)
        self.assertEqual(clf.decision_scores_.tobytes(), want["score"].tobytes())
        self.assertTrue(clf.privacy_.insecure)


class Methods(unittest.TestCase):
    """Classical detectors in the place of networks, and beside them."""

    def test_each(self):
        x = made.numbers(300)
        for method in ("iforest", "knn", "lof", "mcd", "pca", "hbos", "ecod", "copod", "ocsvm", "cblof", "loda", "cof",
                       "sod", "bagging"):
            with self.subTest(method=method):
                clf = ODIM(method=method, contamination=0.02, seed=3).fit(x)
                self.assertEqual(clf.labels_.sum(), 6)
                self.assertLess((clf.decision_scores_ > clf.decision_scores_[7]).sum(), 6)
                np.testing.assert_array_equal(clf.decision_function(x), clf.decision_scores_)
                again = pickle.loads(pickle.dumps(clf))
                np.testing.assert_array_equal(again.decision_function(x), clf.decision_scores_)
                self.assertGreater(clf.explain(x, top=1, rows=[7])[0][0].share, 0)

    def test_beside(self):
        x = made.numbers(300)
        clf = made.quick(with_="subsample-knn,iforest:0.5", trees=20).fit(x)
        np.testing.assert_array_equal(clf.decision_function(x), clf.decision_scores_)

    def test_refusals(self):
        x = made.numbers(50)
        with self.assertRaisesRegex(ValueError, "members is of no use with method knn"):
            ODIM(method="knn", members=3).fit(x)
        with self.assertRaisesRegex(ValueError, "known outliers"):
            ODIM(method="knn").fit(x, known_outliers=np.arange(50) == 7)


class Reasons(unittest.TestCase):
    def test_arrays(self):
        x = made.numbers(400)
        x[7] = [0, 0, 9, 0]
        clf = made.quick(max_updates=300, samples=20).fit(x)
        reasons = clf.explain(x, top=2, rows=[7, 3])
        self.assertTrue(all(1 <= len(r) <= 2 for r in reasons))
        first = reasons[0][0]
        self.assertEqual((first.column, first.value), (2, 9.0))
        shares = [[r.share for r in row] for row in clf.explain(x, top=4, rows=np.arange(20))]
        self.assertTrue(all(row == sorted(row, reverse=True) and sum(row) <= 1 + 1e-9 for row in shares))
        self.assertRegex(first.text, r"^x3 9 \(\d+ %\): expected about ")
        self.assertIsInstance(first.expected, float)
        self.assertEqual(first.kind, "value")
        self.assertEqual(clf.explain(x[7:8])[0][0][:3], first[:3])
        self.assertEqual(len(clf.explain(x[:5])), 5)
        self.assertEqual(clf.explain(x, rows=[]), [])
        with self.assertRaises(ValueError):
            clf.explain(x, top=0)

    def test_which_rows(self):
        x = made.numbers(50)
        clf = made.quick().fit(x)
        every = clf.explain(x)
        mask = np.zeros(50, dtype=bool)
        mask[[7, 30]] = True
        for rows in (mask, mask.tolist(), [7, 30], np.array([7, 30], dtype=np.uint8), (7, 30)):
            self.assertEqual(clf.explain(x, rows=rows), [every[7], every[30]])
        self.assertEqual(clf.explain(x, rows=7), [every[7]])
        self.assertEqual(clf.explain(x, rows=[30, 7, 7]), [every[30], every[7], every[7]])
        self.assertEqual(clf.explain(x, rows=np.zeros(50, dtype=bool)), [])
        for rows, want in (([999], "there is no row 999: the table has 50 rows, numbered from 0 to 49"),
                           ([-1], "there is no row -1: "),
                           ([True, False], "2 entries of True or False; the table has 50")):
            with self.assertRaisesRegex(IndexError, want):
                clf.explain(x, rows=rows)
        for rows in ([1.0], ["1"], [None], slice(0, 2)):
            with self.assertRaisesRegex(TypeError, "rows are positions from 0, or True or False for each row"):
                clf.explain(x, rows=rows)
        with self.assertRaisesRegex(ValueError, "rows has 2 dimensions"):
            clf.explain(x, rows=[[1, 2]])

    @unittest.skipUnless(pd, "no pandas")
    def test_frames(self):
        n = 400
        r = np.random.default_rng(0)
        frame = pd.DataFrame({"size": r.normal(size=n), "colour": r.choice(["red", "blue"], n), "on": r.random(n) < 0.5,
                              "when": pd.Timestamp("2024-05-01") + pd.to_timedelta(r.integers(0, 10**7, n), "s")})
        frame.loc[7, "colour"] = "violet"
        frame.loc[9, "when"] = pd.Timestamp("2031-05-01")
        clf = made.quick(max_updates=300, samples=20).fit(frame)
        got = {r.column: r for row in clf.explain(frame, top=4, rows=[7, 9]) for r in row}
        self.assertTrue(set(got) <= set(frame.columns))
        self.assertIn(got["when"].value, (frame.loc[9, "when"], frame.loc[7, "when"]))
        self.assertIsInstance(got["when"].expected, np.datetime64)
        colours = [r for r in clf.explain(frame, top=4, rows=[7])[0] if r.column == "colour"]
        self.assertEqual((colours[0].value, colours[0].expected in ("red", "blue")), ("violet", True))
        self.assertEqual(colours[0].kind, "level")
        frame.loc[7, "colour"] = "rde"
        clf = made.quick(max_updates=300, samples=20).fit(frame)
        misspelt = clf.explain(frame, top=1, rows=[7])[0][0]
        self.assertEqual((misspelt.column, misspelt.expected, misspelt.kind), ("colour", "red", "level"))
        self.assertTrue(misspelt.text.endswith("did you mean 'red'?"))


class Keeping(unittest.TestCase):
    def setUp(self):
        self.x = made.numbers()
        self.clf = made.quick(hidden=[8, 4], contamination=0.1).fit(self.x)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "ä model.odim"

    def same(self, other):
        self.assertEqual(other.decision_function(self.x).tobytes(), self.clf.decision_scores_.tobytes())
        self.assertEqual(other.threshold_, self.clf.threshold_)

    def test_path_with_a_zero_byte(self):
        for path in (f"{self.path}\0.tmp", os.fsencode(self.path) + b"\0.tmp", Path(f"{self.path}\0.tmp")):
            for use in (self.clf.save, ODIM.load):
                with self.subTest(path=path), self.assertRaisesRegex(ValueError, "a path with a zero byte"):
                    use(path)
        self.assertFalse(self.path.exists())

    def test_file(self):
        self.clf.save(self.path)
        for path in (self.path, str(self.path)):
            loaded = ODIM.load(path)
            self.same(loaded)
            self.assertFalse(hasattr(loaded, "decision_scores_"))
            self.assertEqual(loaded.hidden, "8,4")
            self.assertEqual(loaded.fit(self.x).decision_scores_.tobytes(), self.clf.decision_scores_.tobytes())
        self.assertIsInstance(odim.sklearn.ODIM.load(self.path), odim.sklearn.ODIM)

    def test_a_loaded_estimator_shows_what_was_chosen(self):
        for clf in (self.clf, ODIM(preset="fast", seed=2**63), ODIM(batch_norm=False, lr=0.01, max_updates=20)):
            clf.fit(self.x).save(self.path)
            loaded = ODIM.load(self.path)
            want = {**clf.get_params(), "threads": "auto"}
            if want["hidden"] is not None:
                want["hidden"] = "8,4"
            self.assertEqual(loaded.get_params(), want)

    def test_an_old_file(self):
        old = Path(__file__).parents[2] / "tests" / "data" / "model_v1.odim"
        loaded = ODIM.load(old)
        self.assertEqual(loaded.feature_names_in_.tolist(), ["length", "colour", "since", "ok", "id"])
        scores = loaded.decision_function([["1.5", "red", "2024-05-01", "yes", "a"], [None, None, None, None, None]])
        self.assertTrue(np.isfinite(scores).all())

    def test_wrong_files(self):
        with self.assertRaises(OSError) as caught:
            ODIM.load("/no/such/file")
        self.assertIsInstance(caught.exception, odim.FileError)
        self.path.write_bytes(b"no model")
        with self.assertRaises(odim.FormatError):
            ODIM.load(self.path)
        with self.assertRaises(odim.FileError):
            self.clf.save("/no/such/folder/model")

    def test_pickle(self):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(self.clf, protocol))
            self.same(again)
            np.testing.assert_array_equal(again.decision_scores_, self.clf.decision_scores_)
            self.assertEqual(repr(again), repr(self.clf))
        self.same(copy.deepcopy(self.clf))
        self.assertIsNone(pickle.loads(pickle.dumps(ODIM()))._model)

    def test_pickle_of_errors(self):
        try:
            made.quick().fit(np.array([[1, 2], [3, np.inf]]))
        except odim.DataError as error:
            again = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(again), str(again), again.row, again.column), (odim.DataError, str(error), 2, 2))
        else:
            self.fail("no error")

    def test_a_damaged_pickle_is_refused(self):
        state = self.clf.__getstate__()
        state["_model"] = state["_model"][:-9]
        with self.assertRaises(odim.FormatError):
            ODIM().__setstate__(state)


class WithoutOthers(unittest.TestCase):
    def test_numpy_is_all_that_is_loaded(self):
        code = ("import sys, odim, odim.sklearn, numpy as np\n"
                "odim.ODIM(max_updates=5, members=1).fit(np.arange(40.).reshape(20, 2) ** 2).predict([[1, 2]])\n"
                "print([m for m in ('sklearn', 'pandas', 'scipy', 'matplotlib') if m in sys.modules])")
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        self.assertEqual(out.strip(), "[]")

    def test_types_are_announced(self):
        self.assertTrue(Path(odim.__file__).with_name("py.typed").exists())
        self.assertRegex(odim.__version__, r"^\d+\.\d+\.\d+$")


@unittest.skipUnless(sklearn, "no scikit-learn")
class WithScikitLearn(unittest.TestCase):
    def test_clone(self):
        from sklearn.base import clone

        one = ODIM(seed=3, hidden=[8], preset="fast")
        self.assertEqual(repr(clone(one)), repr(one))
        self.assertIsNone(clone(one.fit(made.numbers()))._model)

    def test_pipeline(self):
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        x = made.numbers()
        pipe = make_pipeline(StandardScaler(), made.quick(scale="none"))
        pipe.fit(x, odim__known_outliers=[7])
        self.assertEqual(pipe.decision_function(x).argmax(), 7)
        self.assertEqual(pipe.set_params(odim__seed=5).named_steps["odim"].seed, 5)
        self.assertEqual(pipe.predict(x).shape, (300,))

    def test_grid_search(self):
        from sklearn.model_selection import GridSearchCV, StratifiedKFold

        x = made.numbers(200)
        y = np.zeros(200, int)
        y[:20] = 1
        x[:20] = np.random.default_rng(1).uniform(-9, 9, (20, 4))
        folds = StratifiedKFold(3, shuffle=True, random_state=0)
        search = GridSearchCV(made.quick(max_updates=300), {"members": [1, 2], "seed": [0, 1]}, refit="roc_auc",
                              scoring=["roc_auc", "average_precision"], cv=folds, n_jobs=2)
        search.fit(x, y)
        self.assertGreater(search.best_score_, 0.9)
        self.assertEqual(search.predict(x).shape, (200,))

    def test_not_fitted_is_theirs(self):
        from sklearn.exceptions import NotFittedError
        from sklearn.utils.validation import check_is_fitted

        with self.assertRaises(NotFittedError):
            ODIM().predict(made.numbers())
        with self.assertRaises(NotFittedError):
            check_is_fitted(ODIM())
        check_is_fitted(made.quick().fit(made.numbers()))


if __name__ == "__main__":
    unittest.main()
