"""odim.dask on a local cluster: the command's bits, with workers that die."""
import os
import signal
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import made
import numpy as np
import odim.dask
from odim import ODIM

try:
    import dask.dataframe as dd
    import pandas as pd
    from distributed import Client, LocalCluster
except ImportError:
    dd = None


def die_once(rows, flag):
    """Kills its worker when it is first called for the partition with row 700."""
    if 700 in rows.index and not os.path.exists(flag):
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return rows


def sometimes_empty(rows):
    return rows if rows.index.min() != 200 else rows.iloc[:0]


class Missing(unittest.TestCase):
    def test_message(self):
        with mock.patch.dict(sys.modules, {"dask": None}), self.assertRaisesRegex(ImportError, "python3-distributed"):
            odim.dask.fit(None)


@unittest.skipIf(dd is None, "no Dask (Debian: python3-distributed)")
class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        x = made.numbers(1000, 3)
        x[100:120, 1] = np.nan
        cls.frame = pd.DataFrame(x, columns=["a", "b", "c"])
        cls.frame["kind"] = pd.Categorical(np.where(np.arange(1000) % 7 == 0, "red", "blue"))
        cls.frame.loc[5, "kind"] = np.nan
        cls.frame["ok"] = np.arange(1000) % 3 == 0
        cls.frame["since"] = pd.Timestamp("2024-05-01") + pd.to_timedelta(np.arange(1000) % 50, unit="D")
        cls.frame.to_csv(cls.folder / "x.csv", index=False)
        flags = made.flags(**made.QUICK)
        # A model of a CSV file also has a section about the file; everything else is the same.
        cls.model = made.quick().fit(cls.frame).to_bytes()
        cls.want = made.command_results("detect", cls.folder / "x.csv", *flags)
        os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                               local_directory=str(cls.folder / "dask"), silence_logs=50)
        cls.addClassCleanup(cluster.close)
        client = Client(cluster)
        cls.addClassCleanup(client.close)

    def same(self, results):
        self.assertEqual(list(results.columns), ["score", "p_outlier", "is_outlier"])
        for name in results.columns:
            self.assertEqual(results[name].to_numpy().tobytes(), self.want[name].astype(results[name].dtype).tobytes(), name)

    def test_fit_and_score(self):
        for partitions in (1, 2, 11):
            ddf = dd.from_pandas(self.frame, npartitions=partitions)
            clf = odim.dask.fit(ddf, **made.QUICK).compute()
            self.assertEqual(clf.to_bytes(), self.model)
            lazy = odim.dask.score(clf, ddf)
            self.assertEqual(lazy.npartitions, partitions)
            self.assertEqual(lazy.dtypes.to_dict(), {"score": "f8", "p_outlier": "f8", "is_outlier": "i8"})
            got = lazy.compute()
            self.same(got)
            self.assertTrue(got.index.equals(self.frame.index))

    def test_the_command_s_model(self):
        x = made.numbers(1000, 3)
        np.save(self.folder / "x.npy", x)
        made.command("fit", self.folder / "x.npy", "-o", self.folder / "x.odim", *made.flags(**made.QUICK))
        ddf = dd.from_pandas(pd.DataFrame(x, columns=["x1", "x2", "x3"]), npartitions=9)
        self.assertEqual(odim.dask.fit(ddf, **made.QUICK).compute().to_bytes(), (self.folder / "x.odim").read_bytes())

    def test_detect_is_lazy(self):
        called = self.folder / "called"

        def mark(rows):
            called.touch()
            return rows

        ddf = dd.from_pandas(self.frame, npartitions=4).map_partitions(mark, meta=self.frame.iloc[:0])
        lazy = odim.dask.detect(ddf, **made.QUICK)
        model = odim.dask.fit(ddf, **made.QUICK)
        scores = odim.dask.score(model, ddf)
        self.assertEqual(scores.dtypes.to_dict(), {"score": "f8", "p_outlier": "f8", "is_outlier": "i8"})
        self.assertFalse(called.exists())
        self.same(lazy.compute())
        self.same(scores.compute())
        self.assertEqual(model.compute().to_bytes(), self.model)
        self.assertTrue(called.exists())

    def test_types_are_found_from_all_partitions(self):
        n = np.arange(1000)
        frame = pd.DataFrame({"amount": [f"{i % 9 + 1}.{i * 7 % 1000:03d}" + (",5" if i == 777 else "") for i in n],
                              "when": [f"{25 if i == 640 else i % 12 + 1}/{i % 11 + 1}/2024" for i in n],
                              "kind": [str(i % 5) if i < 800 else "many" for i in n],
                              "ref": [f"u{i * 7919 % 10007}-{i}" for i in n],
                              "note": [f"said {i * 31 % 977} of {i * 17 % 613} words" for i in n],
                              "x": n * 7919 % 97})
        whole = made.quick().fit(frame)
        frame.to_csv(self.folder / "typed.csv", index=False)
        want = made.command_results("detect", self.folder / "typed.csv", *made.flags(**made.QUICK))
        for partitions in (1, 6):
            ddf = dd.from_pandas(frame, npartitions=partitions)
            scanned = odim.dask.scan(ddf)
            for given in (None, scanned, scanned.compute()):
                clf = odim.dask.fit(ddf, given, **made.QUICK).compute()
                self.assertEqual(clf.to_bytes(), whole.to_bytes())
            got = odim.dask.detect(ddf, **made.QUICK).compute()
            self.assertEqual(got["score"].to_numpy().tobytes(), want["score"].tobytes())

    def test_a_worker_is_killed(self):
        for name in ("fit", "detect"):
            flag = self.folder / f"killed-{name}"
            ddf = dd.from_pandas(self.frame, npartitions=5).map_partitions(die_once, str(flag), meta=self.frame.iloc[:0])
            if name == "fit":
                self.assertEqual(odim.dask.fit(ddf, **made.QUICK).compute().to_bytes(), self.model)
            else:
                self.same(odim.dask.detect(ddf, **made.QUICK).compute())
            self.assertTrue(flag.exists())

    def test_a_worker_is_killed_while_scoring(self):
        flag = self.folder / "killed-score"
        ddf = dd.from_pandas(self.frame, npartitions=5).map_partitions(die_once, str(flag), meta=self.frame.iloc[:0])
        self.same(odim.dask.score(ODIM.from_bytes(self.model), ddf).compute())
        self.assertTrue(flag.exists())

    def test_empty_partitions(self):
        ddf = dd.from_pandas(self.frame, npartitions=5).map_partitions(sometimes_empty, meta=self.frame.iloc[:0])
        left = self.frame.drop(range(200, 400))
        clf = odim.dask.fit(ddf, **made.QUICK).compute()
        self.assertEqual(clf.to_bytes(), made.quick().fit(left).to_bytes())
        self.assertEqual(len(odim.dask.score(clf, ddf).compute()), 800)

    def test_errors_come_out(self):
        none = dd.from_pandas(self.frame, npartitions=2)
        none = none[none.a > 1e9]
        with self.assertRaisesRegex(ValueError, "no rows"):
            odim.dask.fit(none, **made.QUICK).compute()
        with self.assertRaises(TypeError):
            odim.dask.fit(none, memberz=3)


if __name__ == "__main__":
    unittest.main()
