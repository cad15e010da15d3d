"""The same bits as the command line's, for the same data and seed."""
import tempfile
import unittest
from pathlib import Path

import made
import numpy as np
from odim import ODIM

try:
    import pandas as pd
except ImportError:
    pd = None


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compare(self, clf, path, *arguments, **params):
        want = made.command_results("detect", path, *arguments, *made.flags(**{**made.QUICK, **params}))
        self.assertEqual(clf.decision_scores_.tobytes(), want["score"].tobytes())
        self.assertEqual(clf.labels_.tolist(), want["is_outlier"].tolist())


class Arrays(Files):
    def test_float64_as_csv(self):
        x = made.numbers(1000, 5) * [1e-8, 1, 1e9, -3, 0.1]
        x[50:100, 2] = np.nan
        np.savetxt(self.folder / "x.csv", x, delimiter=",", fmt="%r")
        for params in ({}, {"seed": 7, "threads": 2}, {"preset": "fast"}, {"contamination": 0.05}):
            self.compare(made.quick(**params).fit(x), self.folder / "x.csv", "--no-header", **params)

    def test_arrays_as_npy(self):
        for dtype in ("f4", "f8", "i2", "i8", "u1", ">f4", "?"):
            x = (made.numbers() * 10 if dtype != "?" else made.numbers() > 0).astype(dtype)
            for order in "CF":
                np.save(self.folder / "x.npy", np.array(x, order=order))
                self.compare(made.quick().fit(np.array(x, order=order)), self.folder / "x.npy")

    def test_known_outliers(self):
        x = made.numbers()
        x[:20] += 5
        (self.folder / "rows.txt").write_text("1\n3\n8\n")
        np.save(self.folder / "x.npy", x)
        self.compare(made.quick().fit(x, known_outliers=[0, 2, 7]), self.folder / "x.npy",
                     "--known-rows", self.folder / "rows.txt")

    def test_one_model_file(self):
        x = made.numbers()
        np.save(self.folder / "x.npy", x)
        clf = made.quick().fit(x)
        clf.save(self.folder / "python.odim")
        made.command("fit", self.folder / "x.npy", "-o", self.folder / "command.odim", *made.flags(**made.QUICK))
        self.assertEqual((self.folder / "python.odim").read_bytes(), (self.folder / "command.odim").read_bytes())
        loaded = ODIM.load(self.folder / "command.odim")
        np.testing.assert_array_equal(loaded.decision_function(x), clf.decision_scores_)
        self.assertEqual(loaded.threshold_, clf.threshold_)
        self.assertEqual((loaded.members, loaded.max_updates, loaded.seed), (2, 30, 0))


@unittest.skipUnless(pd, "no pandas")
class Frames(Files):
    def check_frame(self, frame, *arguments):
        frame.to_csv(self.folder / "frame.csv", index=False)
        clf = made.quick().fit(frame)
        self.compare(clf, self.folder / "frame.csv", "--header", *arguments)
        np.testing.assert_array_equal(clf.decision_function(frame), clf.decision_scores_)
        return clf

    def frame(self, n=400):
        r = np.random.default_rng(3)
        gaps = r.random(n) < 0.1
        times = pd.Series(pd.Timestamp("2023-01-01") + pd.to_timedelta(r.integers(0, 10**17, n), "ns"))
        frame = pd.DataFrame({
            "float": np.where(gaps, np.nan, r.normal(size=n)),
            "int": r.integers(-10**17, 10**17, n),
            "truth": r.random(n) < 0.3,
            "word": np.where(gaps, None, r.choice(["red", "green", " blue ", "a,b", 'say "so"', "naïve"], n)),
            "category": pd.Categorical(r.choice(["x", "y", "z"], n)),
            "date": times.dt.normalize(),
            "time": times.where(~gaps),
            "zoned": times.dt.tz_localize("UTC").dt.tz_convert("America/New_York"),
            "Int": pd.array(np.where(gaps, None, r.integers(0, 9, n)), dtype="Int64"),
            "boolean": pd.array(np.where(gaps, None, r.random(n) < 0.5), dtype="boolean"),
            "string": pd.array(np.where(gaps, None, r.choice(["1", "2", "3"], n)), dtype="string"),
            "yes": r.choice(["yes", "no"], n),
            "none": r.choice(["NA", "?", "on", "off"], n),
            "mixed": [1, 2.5, "3", None] * (n // 4),
            "dates": list(times.dt.date),
            "constant": 5,
            "ids": [f"row {i}" for i in range(n)],
            "empty": np.nan,
        })
        return frame

    def test_all_types_at_once(self):
        clf = self.check_frame(self.frame())
        self.assertTrue(any("'constant'" in note for note in clf.notes_), clf.notes_)
        self.assertTrue(any("'ids'" in note for note in clf.notes_), clf.notes_)

    def test_each_type_alone(self):
        frame = self.frame()
        for name in frame.columns:
            if name in ("constant", "ids", "empty"):
                continue
            with self.subTest(name):
                # A gap alone in a line of CSV would be a blank line.
                self.check_frame(frame[[name]].assign(also=np.arange(400) % 13))

    def test_a_category_of_numbers_is_one(self):
        frame = self.frame()[["float"]].assign(zip=pd.Categorical(np.arange(400) % 5))
        self.check_frame(frame, "--categorical", "zip")
        times = pd.Categorical(pd.to_datetime(["2024-05-01", "2024-05-02"] * 200))
        self.check_frame(frame.assign(zip=times), "--categorical", "zip")

    def test_units_of_time(self):
        times = self.frame()["time"].dropna().to_numpy()
        for unit in ("s", "ms", "us", "ns", "m", "D"):
            cells = times.astype(f"datetime64[{unit}]")
            (self.folder / "t.csv").write_text("t\n" + "\n".join(map(str, cells.astype("datetime64[s]") if unit in "mD"
                                                                     else cells)) + "\n")
            self.compare(made.quick().fit(cells.reshape(-1, 1)), self.folder / "t.csv", "--header")

    def test_the_command_scores_what_python_fitted(self):
        frame = self.frame()
        clf = made.quick().fit(frame[:300])
        clf.save(self.folder / "m.odim")
        frame[300:].to_csv(self.folder / "new.csv", index=False)
        want = made.command_results("score", self.folder / "new.csv", "-m", self.folder / "m.odim")
        self.assertEqual(clf.decision_function(frame[300:]).tobytes(), want["score"].tobytes())
        self.assertEqual(clf.predict_proba(frame[300:])[:, 1].tobytes(), want["p_outlier"].tobytes())
        self.assertEqual(clf.predict(frame[300:]).tolist(), want["is_outlier"].tolist())

    def test_python_scores_what_the_command_fitted(self):
        frame = self.frame()
        frame.to_csv(self.folder / "f.csv", index=False)
        made.command("fit", self.folder / "f.csv", "--header", "-o", self.folder / "m.odim", *made.flags(**made.QUICK))
        loaded = ODIM.load(self.folder / "m.odim")
        frame = frame.drop(columns="ids")  # the command found out that it names the rows
        np.testing.assert_array_equal(loaded.decision_function(frame), made.quick().fit(frame).decision_scores_)


if __name__ == "__main__":
    unittest.main()
