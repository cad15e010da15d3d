"""What people expect of an estimator: files, aliases, confidence, frames of reasons, notebooks and plots."""
import io
import pickle
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

import made
import numpy as np
import odim
import odim.sklearn
from odim import ODIM, IgnoredColumnWarning
from odim._model import Model, _beta
from odim._run import Bar, Progress

try:
    import pandas as pd
except ImportError:
    pd = None
try:
    import matplotlib
except ImportError:
    matplotlib = None


class Aliases(unittest.TestCase):
    def test_random_state_is_the_seed(self):
        x = made.numbers()
        want = made.quick(seed=5).fit(x).decision_scores_
        np.testing.assert_array_equal(made.quick(random_state=5).fit(x).decision_scores_, want)
        np.testing.assert_array_equal(made.quick(random_state=np.int64(5)).fit(x).decision_scores_, want)
        self.assertEqual(made.quick().fit(x).to_bytes(), made.quick(random_state=None).fit(x).to_bytes())

    def test_generators_draw_a_seed_at_each_fit(self):
        x = made.numbers()
        for make in (np.random.RandomState, np.random.default_rng):
            clf, again = made.quick(random_state=make(3)), made.quick(random_state=make(3))
            first = clf.fit(x).to_bytes()
            self.assertEqual(again.fit(x).to_bytes(), first)
            self.assertNotEqual(clf.fit(x).to_bytes(), first)

    def test_wrong_values(self):
        for params, message in (({"random_state": -1}, "random_state is None"), ({"random_state": "a"}, "random_state"),
                                ({"random_state": 1, "seed": 2}, "mean the same"), ({"n_jobs": 0}, "n_jobs is None"),
                                ({"n_jobs": 1, "threads": 2}, "mean the same")):
            with self.assertRaisesRegex(ValueError, message):
                ODIM(**params).fit(made.numbers())

    def test_n_jobs(self):
        counts = {n: ODIM(n_jobs=n)._threads().get("threads") for n in (1, 3, -1, -1000)}
        self.assertEqual(counts, {1: "1", 3: "3", -1: "auto", -1000: "1"})
        self.assertEqual(ODIM(threads=2)._threads().get("threads"), "2")
        x = made.numbers()
        clf = ODIM(**{**made.QUICK, "threads": "auto", "n_jobs": 2}).fit(x)
        np.testing.assert_array_equal(clf.decision_function(x), made.quick().fit(x).decision_scores_)

    def test_pickles_without_them(self):
        state = made.quick().__getstate__()
        del state["n_jobs"], state["random_state"]
        old = ODIM.__new__(ODIM)
        old.__setstate__(state)
        self.assertIsNone(old.n_jobs)
        old.fit(made.numbers())


class Judging(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.x = made.numbers()
        cls.clf = made.quick(contamination=0.1).fit(cls.x)

    def test_beta_by_hand(self):
        # I_x(1, 1) = x, I_x(2, 1) = x^2, I_x(1, 2) = 1 - (1 - x)^2
        x = np.array([0.01, 0.3, 0.5, 0.9])
        np.testing.assert_allclose(_beta(x, 1, 1), x, rtol=1e-11)
        np.testing.assert_allclose(_beta(x, 2, 1), x**2, rtol=1e-11)
        np.testing.assert_allclose(_beta(x, 1, 2), 1 - (1 - x)**2, rtol=1e-11)

    def test_confidence_is_that_of_the_binomial_distribution(self):
        try:
            from scipy.stats import binom
        except ImportError:
            self.skipTest("no SciPy")
        train, outliers = self.clf.decision_scores_, int(self.clf.labels_.sum())
        self.assertGreater(outliers, 10)
        n = len(train)
        below = np.array([(train <= s).sum() for s in train])
        sure = 1 - binom.cdf(n - outliers, n, (1 + below) / (2 + n))
        want = np.where(self.clf.labels_ == 1, sure, 1 - sure)
        np.testing.assert_allclose(self.clf.predict_confidence(self.x), want, atol=1e-9)

    def test_confidence_needs_training_scores(self):
        with self.assertRaisesRegex(ValueError, "scores of the training rows"):
            ODIM.from_bytes(self.clf.to_bytes()).predict_confidence(self.x)

    def test_confidence_without_outliers(self):
        x = np.random.default_rng(0).normal(size=(200, 2))
        clf = ODIM(method="knn").fit(x)
        clf.labels_[:] = 0
        self.assertTrue((clf.predict_confidence(x[clf.decision_scores_ <= 4]) == 1).all())

    def test_score(self):
        y = np.zeros(len(self.x), int)
        y[[7, 20]] = 1
        scores = self.clf.decision_scores_
        want = np.mean([(scores[i] > scores[y == 0]).mean() for i in (7, 20)])
        self.assertAlmostEqual(self.clf.score(self.x, y), want)
        same = odim.sklearn.ODIM.from_bytes(self.clf.to_bytes())
        self.assertEqual(same.score(self.x, np.where(y == 1, -1, 1)), self.clf.score(self.x, y))
        for clf, wrong in ((self.clf, y - 1), (self.clf, y[:-1])):
            with self.assertRaisesRegex(ValueError, "y "):
                clf.score(self.x, wrong)
        for clf, kind in ((same, "inliers"), (self.clf, "outliers")):
            with self.assertWarnsRegex(UserWarning, f"y has only {kind}"):
                self.assertTrue(np.isnan(clf.score(self.x, y + 1)))

    def test_weights_are_refused(self):
        with self.assertRaisesRegex(ValueError, "sample_weight is not supported: .* Repeat rows"):
            made.quick().fit(self.x, sample_weight=np.ones(len(self.x)))
        made.quick().fit(self.x, sample_weight=None)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'weight'"):
            made.quick().fit(self.x, weight=1)
        with self.assertRaisesRegex(ValueError, "sample_weight"):
            self.clf.score(self.x, np.arange(len(self.x)) % 2, sample_weight=[1])


class FewRows(unittest.TestCase):
    def test_the_same_bits(self):
        for dtype in (np.float64, np.float32, np.int64):
            x = (made.numbers(100, 5) * 10).astype(dtype)
            if dtype != np.int64:
                x[3, 2] = np.nan
            for params in ({}, {"method": "hbos"}, {"method": "knn"}, {"preset": "fast"}):
                clf = (ODIM(**params) if "method" in params else made.quick(**params)).fit(x)
                whole, raw = clf.decision_function(x), clf.raw_scores(x)
                with mock.patch.object(Model, "score", side_effect=AssertionError("a thread was started")):
                    for rows in (slice(0, 1), slice(2, 9), slice(0, 16), slice(0, 30, 3)):
                        np.testing.assert_array_equal(clf.decision_function(x[rows]), whole[rows])
                        np.testing.assert_array_equal(clf.raw_scores(x[rows]), raw[rows])
                    np.testing.assert_array_equal(clf.decision_function(np.asfortranarray(x)[4:6]), whole[4:6])

    def test_errors_are_the_same(self):
        clf, bad = made.quick().fit(made.numbers()), made.numbers(20)
        bad[1, 2] = np.inf
        messages = []
        for rows in (bad, bad[:2]):
            with self.assertRaises(odim.DataError) as caught:
                clf.decision_function(rows)
            messages.append((str(caught.exception), caught.exception.row, caught.exception.column))
        self.assertEqual(messages[0], messages[1])


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "x.csv"
        rows = [f"{i},{i % 7}.5,{'red' if i % 3 else 'blue'},{i % 2}" for i in range(300)]
        rows[40] = "40,99.5,green,1"
        self.path.write_text("nr;size;color;bad\n".replace(";", ",") + "\n".join(rows) + "\n")
        self.options = {"id": "nr", "label": "bad"}
        self.flags = ["--id", "nr", "--label", "bad", *made.flags(**made.QUICK)]

    def test_detect_file(self):
        want = made.command_results("detect", self.path, *self.flags)
        clf = made.quick()
        got = clf.detect_file(self.path, **self.options)
        for name in ("score", "p_outlier", "is_outlier"):
            self.assertEqual(got[name].tolist(), want[name].tolist())
        self.assertEqual(clf.decision_scores_.tolist(), want["score"].tolist())
        self.assertEqual(clf.feature_names_in_.tolist(), ["size", "color"])
        with open(self.path, "rb") as file:
            self.assertEqual(made.quick().detect_file(file, **self.options)["score"].tolist(), want["score"].tolist())
        text = io.StringIO(self.path.read_text())
        self.assertEqual(made.quick().detect_file(text, **self.options)["score"].tolist(), want["score"].tolist())
        self.assertEqual(clf.score_file(self.path)["score"].tolist(), want["score"].tolist())

    def test_fit_file(self):
        model = self.path.with_name("m.odim")
        made.command("fit", self.path, "-o", model, *self.flags)
        clf = made.quick().fit_file(self.path, **self.options)
        self.assertEqual(clf.to_bytes(), model.read_bytes())
        self.assertFalse(hasattr(clf, "decision_scores_"))
        with open(self.path, "rb") as file:
            again = made.quick().fit_file(file, **self.options)
        self.assertEqual(again.score_file(self.path)["score"].tolist(), clf.score_file(self.path)["score"].tolist())

    def test_options(self):
        self.path.write_text("1|2,5|x\n2|3,5|y\n3|4,5|x\n" * 20)
        options = {"delimiter": "|", "decimal": ",", "header": False, "ignore": ["1"], "categorical": "3", "id": False,
                   "na": ["y"], "bad_rows": "skip", "formats": {"2": "comma"}}
        clf = made.quick().fit_file(self.path, **options)
        self.assertEqual([clf._model.types[j] for j in range(2)], [0, 2])
        for wrong, error in (({"seperator": ","}, TypeError), ({"bad_rows": "drop"}, ValueError),
                             ({"delimiter": "::"}, ValueError), ({"label": "a\0b"}, ValueError)):
            with self.assertRaises(error):
                made.quick().fit_file(self.path, **wrong)

    def test_missing_files(self):
        for call in (ODIM.load, made.quick().fit_file, made.quick().detect_file,
                     made.quick().fit(made.numbers()).score_file):
            with self.assertRaises(FileNotFoundError) as caught:
                call(self.path.with_name("none"))
            self.assertIsInstance(caught.exception, odim.FileError)
        with self.assertRaises(odim.FileError) as caught:
            ODIM.load(self.path.parent)  # a folder
        self.assertNotIsInstance(caught.exception, FileNotFoundError)
        self.assertIsInstance(pickle.loads(pickle.dumps(odim.MissingFileError("x"))), FileNotFoundError)

    def test_models_in_open_files_and_bytes(self):
        clf = made.quick().fit(made.numbers())
        file = io.BytesIO()
        clf.save(file)
        self.assertEqual(file.getvalue(), clf.to_bytes())
        file.seek(0)
        for again in (ODIM.load(file), ODIM.from_bytes(clf.to_bytes()), ODIM.from_bytes(bytearray(clf.to_bytes()))):
            np.testing.assert_array_equal(again.decision_function(made.numbers()), clf.decision_scores_)
        with self.assertRaises(odim.FormatError):
            ODIM.from_bytes(b"no model")


class Warnings(unittest.TestCase):
    def test_ignored_columns(self):
        x = made.numbers()
        x[:, 1] = 3
        with self.assertWarnsRegex(IgnoredColumnWarning, "^ignored columns: 'x2' is constant$") as caught:
            made.quick().fit(x)
        self.assertEqual(caught.filename, __file__)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made.quick().fit(made.numbers())


class Looking(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.x = made.numbers()
        cls.clf = made.quick().fit(cls.x)

    @unittest.skipIf(pd is None, "no pandas")
    def test_explain_frame(self):
        frame = self.clf.explain_frame(self.x, top=2, rows=[7, 3])
        reasons = self.clf.explain(self.x, top=2, rows=[7, 3])
        self.assertEqual(frame["row"].tolist(), [7] * len(reasons[0]) + [3] * len(reasons[1]))
        self.assertEqual(frame["rank"].tolist()[:2], [1, 2])
        self.assertEqual(frame["text"].tolist(), [r.text for found in reasons for r in found])
        self.assertEqual(len(self.clf.explain_frame(self.x[:5], top=1).row.unique()), 5)
        mask = self.clf.explain_frame(self.x.tolist(), rows=np.arange(len(self.x)) == 7)
        self.assertEqual(set(mask["row"]), {7})
        with mock.patch.dict(sys.modules, {"pandas": None}), self.assertRaisesRegex(ImportError, "needs pandas"):
            self.clf.explain_frame(self.x)

    def test_html(self):
        page = self.clf._repr_html_()
        outliers = int(self.clf.labels_.sum())
        self.assertRegex(page, rf"{outliers} of 300 rows (is an outlier|are outliers) \(score above 4\)")
        self.assertEqual((page.count("<svg"), page.count("<rect"), page.count("<tr>")), (1, 40, 6))
        self.assertIn(f"<td>7</td><td>{self.clf.decision_scores_[7]:.2f}</td>", page)
        self.assertIn("Not fitted", ODIM(method="<b>")._repr_html_())
        self.assertNotIn("<b>", ODIM(method="<b>")._repr_html_())
        self.assertIn("no training scores", ODIM.from_bytes(self.clf.to_bytes())._repr_html_())

    @unittest.skipIf(matplotlib is None, "no Matplotlib (Debian: python3-matplotlib)")
    def test_plots(self):
        matplotlib.use("Agg")
        from matplotlib import pyplot

        ax = self.clf.plot_scores()
        self.assertEqual(sum(bar.get_height() for bar in ax.patches), 300)
        self.assertEqual(sum(bar.get_height() for bar in self.clf.plot_scores(self.x[:50]).patches), 50)
        own = pyplot.subplots()[1]
        self.assertIs(self.clf.plot_reasons(self.x, 7, top=2, ax=own), own)
        shares = sorted(reason.share for reason in self.clf.explain(self.x, 2, [7])[0])
        self.assertEqual([bar.get_width() for bar in own.patches], shares)
        with self.assertRaisesRegex(ValueError, "give X"):
            ODIM.from_bytes(self.clf.to_bytes()).plot_scores()
        pyplot.close("all")

    def test_without_matplotlib(self):
        with mock.patch.dict(sys.modules, {"matplotlib": None}), self.assertRaisesRegex(ImportError, "python3-matplotlib"):
            self.clf.plot_scores()

    def test_progress_in_a_notebook(self):
        class OutStream(io.StringIO):  # as the kernel of a notebook has it
            __module__ = "ipykernel.iostream"

        screen = OutStream()
        bar = Bar(screen)
        bar(Progress(False, 10, 4, 100, 0, 0, 0.4, "fitting"))
        bar.close()
        self.assertRegex(screen.getvalue(), r"^\rfitting  40% \|#{12} {18}\| 4/10 members")
        self.assertTrue(screen.getvalue().endswith("\r" + " " * 90 + "\r"))
        self.assertNotIn("\x1b", screen.getvalue())


if __name__ == "__main__":
    unittest.main()
