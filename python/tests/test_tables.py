"""Arrays and data frames become tables."""
import gc
import os
import tempfile
import unittest
import weakref
from unittest import mock

import made
import numpy as np
import odim.sklearn
from odim import ODIM, DataError
from odim._model import Model
from odim._tables import _as_floats, as_data, build, known_rows, make_table, wrap

try:
    import pandas as pd
except ImportError:
    pd = None


class Arrays(unittest.TestCase):
    def test_no_copy_of_rows_in_order(self):
        for dtype in (np.float32, np.float64):
            x = made.numbers(dtype=dtype)
            whole = np.zeros((600, 9), dtype)
            for y in (x, x[10:], x[::2], x[:, :2], whole[::3, 2:7], x[:1], x[:, :1]):
                self.assertTrue(np.shares_memory(wrap(y, None).borrowed, y), y.strides)
                self.assertEqual(wrap(y, None).borrowed.ctypes.data, y.ctypes.data)

    def test_a_copy_of_all_else(self):
        x = made.numbers(dtype=np.float32)
        unaligned = np.frombuffer(b"1" + x.tobytes(), np.uint8)[1:].view(np.float32).reshape(x.shape)
        for y in (np.asfortranarray(x), x[::-1], x[:, ::2], x.T.copy().T, x.astype(">f4"), unaligned, x[:, ::-1],
                  np.broadcast_to(x[0], x.shape)):
            own = _as_floats(y)
            self.assertFalse(np.shares_memory(own, y))
            np.testing.assert_array_equal(own, y)
            self.assertEqual(own.dtype, np.dtype(np.float32))

    def test_types(self):
        for dtype, want in (("i1", "f4"), ("u2", "f4"), ("?", "f4"), ("f2", "f4"), ("i4", "f8"), ("i8", "f8"),
                            ("u8", "f8"), ("f4", "f4"), ("f8", "f8"), (np.longdouble, "f8")):
            self.assertEqual(_as_floats(np.ones((2, 2), dtype)).dtype, np.dtype(want), dtype)

    def test_every_order_and_type_gives_the_same_scores(self):
        x = np.round(made.numbers() * 20).astype(np.int8)
        want = made.quick().fit(x).decision_scores_
        others = [x.astype(t) for t in ("i2", "i4", "i8", "f2", "f4", "f8", ">f8", "O")]
        others += [np.asfortranarray(x), np.repeat(x, 2, axis=0)[::2], x.tolist(), memoryview(x), x.astype(str)]
        for y in others:
            np.testing.assert_array_equal(made.quick().fit(y).decision_scores_, want)

    def test_anything_with_array(self):
        class Own:
            def __array__(self, dtype=None):
                return made.numbers()

        np.testing.assert_array_equal(made.quick().fit(Own()).decision_scores_,
                                      made.quick().fit(made.numbers()).decision_scores_)

    def test_masked_cells_are_gaps(self):
        x = np.round(made.numbers() * 20).astype(np.int32)
        masked = np.ma.array(x, mask=x < -30)
        want = x.astype(float)
        want[x < -30] = np.nan
        self.assertTrue(np.isnan(want).any())
        np.testing.assert_array_equal(made.quick().fit(masked).decision_scores_,
                                      made.quick().fit(want).decision_scores_)

    def test_the_array_lives_as_long_as_the_table(self):
        x = made.numbers(dtype=np.float32)
        seen = weakref.ref(x)
        table = make_table(x)
        del x
        gc.collect()
        self.assertIsNotNone(seen())
        del table
        gc.collect()
        self.assertIsNone(seen())

    def test_fitting_keeps_no_array(self):
        x = made.numbers(dtype=np.float32)
        seen = weakref.ref(x)
        fitted = made.quick().fit(x)
        gc.disable()
        try:
            del x
            self.assertIsNone(seen())
        finally:
            gc.enable()
        del fitted

    def test_the_array_is_not_changed(self):
        x = made.numbers()
        x[3, 2] = np.nan
        before = x.copy()
        made.quick().fit(x).explain(x, rows=[3])
        np.testing.assert_array_equal(x, before)
        x.flags.writeable = False
        made.quick().fit(x)

    def test_errors_have_row_and_column(self):
        x = made.numbers()
        x[4, 2] = np.inf
        with self.assertRaises(DataError) as caught:
            made.quick().fit(x)
        self.assertEqual((caught.exception.row, caught.exception.column), (5, 3))
        self.assertIn("row 5, column 'x3': infinite", str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)

    def test_refused(self):
        for bad, kind, words in ((np.zeros(3), ValueError, "Expected 2D array, got 1D"),
                                 (np.zeros((2, 2, 2)), ValueError, "got 3D"),
                                 (np.zeros((0, 3)), ValueError, r"0 sample\(s\)"),
                                 (np.zeros((3, 0)), ValueError, r"0 feature\(s\)"),
                                 (np.zeros((1, 3)), ValueError, r"1 sample\(s\)"),
                                 (np.zeros((3, 2), complex), ValueError, "Complex data not supported"),
                                 (np.zeros((3, 2), "m8[s]"), TypeError, "durations"),
                                 (np.array([[1, {}], [2, 3]], object), TypeError, "string or a number"),
                                 ([["a\0b"], ["c"]], ValueError, "zero byte")):
            with self.subTest(words), self.assertRaisesRegex(kind, words):
                made.quick().fit(bad)

    def test_zero_byte_in_a_name(self):
        with self.assertRaisesRegex(ValueError, "the name of a column with a zero byte"):
            build(np.array([["x"], ["y"]], object), ["a\0b"], None)

    def test_known(self):
        for given, want in (([False, True, False], [-1, 1, -1]), ([0, -1, 1], [0, -1, 1]), ([2], [-1, -1, 1]),
                            ([], [-1, -1, -1]), ((0, 1), [1, 1, -1]), ([np.nan, 1, 0], [-1, 1, 0])):
            self.assertEqual(known_rows(given, 3).tolist(), want)
        for bad in ([3], [-1], [True], [0, 1, 2], [[0]], [0.5]):
            with self.subTest(bad), self.assertRaises(ValueError):
                known_rows(bad, 3)


@unittest.skipUnless(pd, "no pandas")
class Frames(unittest.TestCase):
    def frame(self):
        n = 300
        r = np.random.default_rng(1)
        return pd.DataFrame({"n": r.normal(size=n), "c": r.choice(["red", "blue", "green"], n),
                             "t": pd.Timestamp("2024-05-01 09:30") + pd.to_timedelta(r.integers(0, 9 * 10**6, n), "s")})

    def test_plain_numbers_take_the_short_way(self):
        x = made.numbers()
        frame = pd.DataFrame(x, columns=list("abcd"))
        table = make_table(as_data(frame))
        self.assertIsNotNone(table.borrowed)
        np.testing.assert_array_equal(made.quick().fit(frame).decision_scores_, made.quick().fit(x).decision_scores_)

    def test_names(self):
        clf = made.quick().fit(self.frame())
        self.assertEqual(clf.feature_names_in_.tolist(), ["n", "c", "t"])
        turned = self.frame()[["c", "n", "t"]]
        np.testing.assert_array_equal(clf.decision_function(turned), clf.decision_scores_)
        strict = odim.sklearn.ODIM(**made.QUICK).fit(self.frame())
        with self.assertRaisesRegex(ValueError, "same order"):
            strict.predict(turned)
        with self.assertRaisesRegex(ValueError, "yet now missing:\n- n\n"):
            clf.predict(self.frame()[["c", "t"]])
        with self.assertRaisesRegex(ValueError, "unseen at fit time:\n- m\n"):
            clf.predict(self.frame().rename(columns={"n": "m"}))
        self.assertFalse(hasattr(made.quick().fit(pd.DataFrame(made.numbers())), "feature_names_in_"))

    def test_ids_and_free_text(self):
        n = 60
        v = np.random.default_rng(0).normal(size=n)
        v[5] = 30
        frame = pd.DataFrame({"key": [f"K{i}" for i in range(n)], "nr": np.arange(n) + 1, "v": v,
                              "memo": [f"word {i} and {'x' * (i % 7)} more words" for i in range(n)]})
        for X, columns in ((frame, ["v", "memo: length"]), (frame.to_numpy(object), [2, 3])):
            clf = made.quick().fit(X)
            self.assertEqual(clf.n_features_in_, 4)
            self.assertTrue(any("looks like an ID" in note for note in clf.notes_), clf.notes_)
            np.testing.assert_array_equal(clf.decision_function(X), clf.decision_scores_)
            reasons = clf.explain(X, top=9, rows=[5])[0]
            self.assertEqual((reasons[0].column, reasons[0].value), (columns[0], 30))
            self.assertTrue(any(r.column == columns[1] for r in reasons) or len(reasons) == 1)
            with tempfile.TemporaryDirectory() as folder:
                clf.save(os.path.join(folder, "m.odim"))
                loaded = ODIM.load(os.path.join(folder, "m.odim"))
            self.assertEqual(loaded.n_features_in_, 2)
            np.testing.assert_array_equal(loaded.decision_function(X.iloc[:, 2:] if X is frame else X[:, 2:]),
                                          clf.decision_scores_)

    def test_a_private_fit_uses_every_column(self):
        n = 60
        frame = pd.DataFrame({"nr": np.arange(n) + 1, "ok": np.arange(n) % 2 == 0})
        clf = made.quick(dp_epsilon=5).fit(frame, bounds={"nr": (0, 100), "ok": (0, 1)})
        self.assertEqual(clf.notes_, [note for note in clf.notes_ if "numbers the rows" not in note])

    def test_arrays_and_frames_of_the_same_model(self):
        frame = self.frame()
        clf = made.quick().fit(frame)
        np.testing.assert_array_equal(clf.decision_function(frame.to_numpy(object)), clf.decision_scores_)
        x = made.numbers()
        clf = made.quick().fit(x)
        named = pd.DataFrame(x, columns=list("abcd"))
        np.testing.assert_array_equal(clf.decision_function(named), clf.decision_scores_)
        np.testing.assert_array_equal(clf.decision_function(pd.DataFrame(x.astype(object))), clf.decision_scores_)

    def test_rows_score_alone_as_together(self):
        frame = self.frame()
        clf = made.quick().fit(frame)
        np.testing.assert_array_equal(clf.decision_function(frame[40:41]), clf.decision_scores_[40:41])
        unseen = frame[40:41].assign(c="violet")
        self.assertNotEqual(clf.decision_function(unseen)[0], clf.decision_scores_[40])
        with mock.patch.object(Model, "score", side_effect=AssertionError("a few rows start no thread")):
            few = frame.iloc[3:6]
            np.testing.assert_array_equal(clf.decision_function(few), clf.decision_scores_[3:6])
            clf.raw_scores(few)

    def test_types_of_the_model_count_when_scoring(self):
        frame = self.frame().assign(z=np.arange(300) % 7).astype({"z": "category"})
        clf = made.quick().fit(frame)
        for again in (frame, frame.astype({"z": int}), frame.astype({"z": str}), frame.astype({"z": float})):
            np.testing.assert_array_equal(clf.decision_function(again), clf.decision_scores_)

    def test_errors_have_row_and_column(self):
        frame = self.frame()
        frame["n"] = frame["n"].astype(object)
        frame.loc[7, "n"] = "twelve"
        with self.assertRaises(DataError) as caught:
            made.quick().fit(frame)
        self.assertEqual((caught.exception.row, caught.exception.column), (8, 1))
        self.assertRegex(str(caught.exception), "row 8, column 'n': 'twelve' is not a number, but nearly all")
        clf = made.quick().fit(self.frame())
        with self.assertRaisesRegex(DataError, "row 8, column 'n': 'twelve' is not a number$"):
            clf.predict(frame)
        late = self.frame()
        late["t"] = "soon"
        with self.assertRaisesRegex(DataError, "row 1, column 't': 'soon' is not an ISO 8601 date or time"):
            clf.predict(late)
        with self.assertRaisesRegex(DataError, "is a time .seconds since 1970."):
            clf.predict(self.frame().assign(n=self.frame()["t"]))

    def test_two_columns_of_one_name(self):
        frame = pd.concat([self.frame(), self.frame()[["c"]]], axis=1)
        clf = made.quick().fit(frame)
        np.testing.assert_array_equal(clf.decision_function(frame), clf.decision_scores_)


if __name__ == "__main__":
    unittest.main()
