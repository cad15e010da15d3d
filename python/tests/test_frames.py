"""Frames of other libraries, dicts of columns, structured arrays and sparse matrices."""
import unittest

import made
import numpy as np
import odim.sklearn
from arrow_producer import Frame
from odim import DataError, FileError, _frames

try:
    import pandas as pd
except ImportError:
    pd = None
try:
    import scipy.sparse
except ImportError:
    scipy = None

ROWS = 300


def columns():
    r = np.random.default_rng(1)
    return {"n": np.round(r.normal(size=ROWS), 3), "c": r.choice(["red", "blue", "green"], ROWS).tolist(),
            "w": r.integers(0, 50, ROWS),
            "t": np.datetime64("2024-05-01T09:30:00") + r.integers(0, 9 * 10**6, ROWS).astype("m8[s]"),
            "b": [None if i % 9 == 4 else bool(i % 2) for i in range(ROWS)]}


def turned(data):
    return {name: data[name] for name in reversed(list(data))}


class Arrow(unittest.TestCase):
    def test_the_same_as_other_tables(self):
        data = columns()
        want = made.quick().fit(data).decision_scores_
        for batch in (1000, 77):
            frame = Frame(data, batch, categories=["c"])
            np.testing.assert_array_equal(made.quick().fit(frame).decision_scores_, want)
            self.assertEqual((frame.streams, frame.released), (1, frame.given))
        np.testing.assert_array_equal(made.quick().fit(Frame(data)).decision_scores_, want)

    @unittest.skipUnless(pd, "no pandas")
    def test_the_same_as_pandas(self):
        data = columns()
        np.testing.assert_array_equal(made.quick().fit(Frame(data)).decision_scores_,
                                      made.quick().fit(pd.DataFrame(data)).decision_scores_)

    def test_names(self):
        data = columns()
        clf = made.quick().fit(Frame(data))
        self.assertEqual(clf.feature_names_in_.tolist(), list(data))
        self.assertEqual(clf.n_features_in_, 5)
        for other in (Frame(turned(data)), turned(data)):
            np.testing.assert_array_equal(clf.decision_function(other), clf.decision_scores_)
        missing = {name: data[name] for name in "nctw"}
        with self.assertRaisesRegex(ValueError, "yet now missing:\n- b\n"):
            clf.predict(Frame(missing))
        with self.assertRaisesRegex(ValueError, "unseen at fit time:\n- z\n"):
            clf.predict(Frame({**missing, "z": data["b"]}))
        strict = odim.sklearn.ODIM(**made.QUICK).fit(Frame(data))
        with self.assertRaisesRegex(ValueError, "same order"):
            strict.predict(Frame(turned(data)))

    def test_every_method(self):
        data = columns()
        data["n"][7] = 99
        clf = made.quick().fit(data)
        same = Frame(turned(data))
        np.testing.assert_array_equal(clf.predict(same), clf.labels_)
        np.testing.assert_array_equal(clf.predict_proba(Frame(data)), clf.predict_proba(data))
        np.testing.assert_array_equal(clf.raw_scores(Frame(data)), clf.raw_scores(data))
        for one, other in zip(clf.explain(Frame(turned(data)), rows=[7, 8]), clf.explain(data, rows=[7, 8])):
            self.assertEqual([(r.column, r.share, r.text) for r in one], [(r.column, r.share, r.text) for r in other])
        self.assertEqual(clf.explain(Frame(data), top=1, rows=[7])[0][0][0::2][:2], ("n", 99.0))
        known = np.arange(ROWS) == 7
        np.testing.assert_array_equal(made.quick().fit(Frame(data), known_outliers=known).decision_scores_,
                                      made.quick().fit(data, known_outliers=known).decision_scores_)

    def test_categories_stay_categories(self):
        data = {"n": columns()["n"], "z": [str(i % 7) for i in range(ROWS)]}
        with_category = made.quick().fit(Frame(data, categories=["z"]))
        without = made.quick().fit(Frame(data))
        self.assertFalse(np.array_equal(with_category.decision_scores_, without.decision_scores_))
        np.testing.assert_array_equal(with_category.decision_function(Frame(data)), with_category.decision_scores_)

    def test_bytes_are_left_out(self):
        data = columns()
        clf = made.quick().fit(Frame({**data, "raw": [b"x"] * ROWS}))
        self.assertIn("column 'raw' has bytes (binary): left out", clf.notes_)
        np.testing.assert_array_equal(clf.decision_scores_, made.quick().fit(data).decision_scores_)
        np.testing.assert_array_equal(clf.decision_function(Frame(data)), clf.decision_scores_)

    def test_a_model_without_names(self):
        x = made.numbers()
        clf = made.quick().fit(x)
        frame = Frame({name: x[:, j] for j, name in enumerate("abcd")})
        with self.assertRaisesRegex(ValueError, "fitted without column names"):
            clf.predict(frame)
        frame.__class__ = type("WithArray", (Frame,), {"__array__": lambda self, dtype=None: x})
        np.testing.assert_array_equal(clf.decision_function(frame), clf.decision_scores_)

    def test_errors(self):
        frame = Frame(columns(), batch=50, fail=True)
        with self.assertRaisesRegex(FileError, "the producer of the Arrow stream failed"):
            made.quick().fit(frame)
        self.assertEqual((frame.streams, frame.released), (1, frame.given))
        data = columns()
        data["n"][4] = np.inf
        with self.assertRaises(DataError) as caught:
            made.quick().fit(Frame(data))
        self.assertEqual((caught.exception.row, caught.exception.column), (5, 1))
        self.assertIn("row 5 (line 5), column 'n': 'infinity' is not a finite number", str(caught.exception))

    def test_numbers(self):
        x = made.numbers()
        frame = Frame({name: x[:, j] for j, name in enumerate("abcd")})
        np.testing.assert_array_equal(made.quick().fit(frame).decision_scores_, made.quick().fit(x).decision_scores_)


class Others(unittest.TestCase):
    def test_dicts(self):
        x = made.numbers()
        data = {name: x[:, j] for j, name in enumerate("abcd")}
        clf = made.quick().fit(data)
        np.testing.assert_array_equal(clf.decision_scores_, made.quick().fit(x).decision_scores_)
        self.assertEqual(clf.feature_names_in_.tolist(), list("abcd"))
        np.testing.assert_array_equal(clf.decision_function(turned(data)), clf.decision_scores_)
        np.testing.assert_array_equal(clf.decision_function({k: v.tolist() for k, v in data.items()}),
                                      clf.decision_scores_)
        self.assertEqual(clf.explain(turned(data), top=1, rows=[7])[0][0].value, 9.0)
        with self.assertRaisesRegex(ValueError, "now missing:\n- d\n"):
            clf.predict({name: data[name] for name in "abc"})
        for bad, words in (({"a": [1, 2], "b": [1]}, "different lengths: 1 and 2"), ({"a": [[1], [2]]}, "2 dimensions"),
                           ({}, r"feature\(s\)|sample\(s\)")):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                made.quick().fit(bad)

    def test_words_and_numbers_in_a_list(self):
        data = {"a": [1.5, 2.5] * 50, "b": ["x", None] * 50}
        np.testing.assert_array_equal(made.quick().fit(data).decision_scores_,
                                      made.quick().fit(Frame({"a": np.array(data["a"]), "b": data["b"]})).decision_scores_)

    def test_structured_arrays(self):
        x = made.numbers()
        data = {"n": x[:, 0], "m": x[:, 1], "c": np.array(["red", "blue", "green"])[np.arange(ROWS) % 3]}
        array = np.empty(ROWS, [("n", "f8"), ("m", "f4"), ("c", "U5")])
        for name, values in data.items():
            array[name] = values
        clf = made.quick().fit(array)
        self.assertEqual(clf.feature_names_in_.tolist(), ["n", "m", "c"])
        swapped = np.empty(ROWS, [("c", "U5"), ("n", "f8"), ("m", "f4")])
        for name in data:
            swapped[name] = array[name]
        np.testing.assert_array_equal(clf.decision_function(swapped), clf.decision_scores_)
        np.testing.assert_array_equal(clf.decision_function(array[7:8]), clf.decision_scores_[7:8])
        np.testing.assert_array_equal(clf.decision_function(array[7]), clf.decision_scores_[7:8])
        with self.assertRaisesRegex(TypeError, "field 'a' of the structured array is not a single value"):
            made.quick().fit(np.zeros(3, [("a", "f8", 2)]))

    @unittest.skipUnless(pd, "no pandas")
    def test_interchange(self):
        data = columns()
        frame = pd.DataFrame(data)
        frame["k"] = pd.Categorical(np.where(np.arange(ROWS) % 5, "u", "v"))
        frame["i"] = pd.array([None if i % 11 == 2 else i % 13 for i in range(ROWS)], dtype="Int64")
        frame["b"] = [bool(i % 2) for i in range(ROWS)]
        frame = frame.drop(columns=["i"])  # pandas 1.5 cannot hand over its own type

        class Other:  # neither pandas nor Arrow
            def __init__(self, inner):
                self.inner = inner

            def __dataframe__(self, nan_as_null=False, allow_copy=True):
                return self.inner.__dataframe__(nan_as_null, allow_copy)

        clf = made.quick().fit(frame)
        self.assertIsInstance(_frames.adapt(Other(frame)), _frames.Columns)
        np.testing.assert_array_equal(made.quick().fit(Other(frame)).decision_scores_, clf.decision_scores_)
        np.testing.assert_array_equal(clf.decision_function(Other(frame[list(frame)[::-1]])), clf.decision_scores_)
        with self.assertRaisesRegex(ValueError, "now missing:\n- n\n"):
            clf.predict(Other(frame.drop(columns="n")))

    @unittest.skipUnless(scipy, "no SciPy")
    def test_sparse(self):
        r = np.random.default_rng(2)
        x = np.where(r.random((ROWS, 6)) < 0.3, r.normal(size=(ROWS, 6)), 0)
        clf = made.quick().fit(x)
        for kind in ("csr", "csc", "coo", "lil", "dok", "bsr"):
            matrix = scipy.sparse.csr_matrix(x).asformat(kind)
            np.testing.assert_array_equal(made.quick().fit(matrix).decision_scores_, clf.decision_scores_)
            np.testing.assert_array_equal(clf.decision_function(matrix), clf.decision_scores_)
        before, _frames.BLOCK_BYTES = _frames.BLOCK_BYTES, 500
        try:
            blocks = list(_frames.sparse_blocks(matrix))
            self.assertEqual([len(b) for b in blocks], [10] * 30)
            np.testing.assert_array_equal(_frames.densify(matrix), x)
            np.testing.assert_array_equal(clf.decision_function(matrix), clf.decision_scores_)
        finally:
            _frames.BLOCK_BYTES = before
        self.assertEqual(clf.explain(matrix, rows=[3]), clf.explain(x, rows=[3]))
        with self.assertRaisesRegex(ValueError, "5 features"):
            clf.predict(matrix.tocsr()[:, :5])
        with self.assertRaisesRegex(ValueError, r"0 sample\(s\)"):
            clf.predict(matrix.tocsr()[:0])


if __name__ == "__main__":
    unittest.main()
