"""Long calls: progress, interrupts, threads."""
import io
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import made
import numpy as np
from odim import Cancelled, Progress
from odim._run import Bar, run

# More than anyone waits for: 10,000 members.
ENDLESS = {"members": 10000, "threads": 2}


class Watching(unittest.TestCase):
    def test_progress(self):
        seen, threads = [], set()

        def progress(now):
            seen.append(now)
            threads.add(threading.get_ident())

        clf = made.quick(preset="paper", members=4, samples=50, max_updates=10000, progress=progress).fit(made.numbers(2000, 8))
        self.assertTrue(seen)
        self.assertIsInstance(seen[0], Progress)
        self.assertEqual(threads, {threading.get_ident()})
        stages = ["fitting", "scoring", "explaining"]  # what reasons need comes last
        self.assertEqual([now.stage for now in seen], sorted((now.stage for now in seen), key=stages.index))
        for stage in stages:
            fractions = [now.fraction for now in seen if now.stage == stage]
            self.assertEqual(fractions, sorted(fractions))
            self.assertTrue(all(0 <= f <= 1 for f in fractions))
        self.assertEqual([now.scoring for now in seen], sorted(now.scoring for now in seen))
        self.assertEqual({now.members for now in seen if not now.scoring}, {4})
        del seen[:]
        clf.decision_function(np.repeat(made.numbers(2000, 8), 20, axis=0))
        self.assertTrue(all(now.scoring for now in seen))

    def test_cancelling(self):
        for end in (lambda now: True, lambda now: now.updates > 50):
            with self.assertRaises(Cancelled):
                made.quick(**ENDLESS, progress=end).fit(made.numbers(2000))

    def test_exceptions_of_the_callback_come_out(self):
        def progress(now):
            raise KeyError("mine")

        clf = made.quick(**ENDLESS, progress=progress)
        with self.assertRaisesRegex(KeyError, "mine"):
            clf.fit(made.numbers(2000))
        self.assertIsNone(clf._model)

    def test_mistakes_in_the_call_come_out(self):
        with self.assertRaises(ZeroDivisionError):
            run(lambda hooks, error: 1 // 0)

    def test_bar(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        now = Progress(False, 10, 4, 100, 0, 0, 0.4, "fitting")
        screen = Terminal()
        bar = Bar(screen)
        bar(now)
        self.assertRegex(screen.getvalue(), r"^\rfitting  40% \|#{12} {18}\| 4/10 members, 0\.\d s")
        bar(Progress(True, 10, 10, 0, 50, 25, 0.5))
        self.assertIn("25/50 rows", screen.getvalue())
        bar.close()
        self.assertTrue(screen.getvalue().endswith("\r\x1b[K"))
        file = io.StringIO()
        Bar(file)(now)
        self.assertEqual(file.getvalue(), "")
        Bar(None)

    def test_bar_of_an_estimator_is_silent_in_a_file(self):
        made.quick(progress=True).fit(made.numbers())


SLEEPER = """
import sys, time, signal
sys.path.insert(0, {tests!r})
import made
x = made.numbers({rows}, 20)
what = {what!r}
clf = made.quick(members=3, max_updates=20, scoring_samples=10000).fit(x[:100])
if what == "fit":
    clf = made.quick(members=10000, threads=2)
if what == "knn":
    import odim
    clf = odim.ODIM(method="knn", threads=1)
try:
    print("ready", flush=True)
    if what in ("fit", "knn"):
        clf.fit(x)
    elif what == "score":
        clf.decision_function(x)
    elif what == "explain":
        clf.explain(x)
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
clf = made.quick().fit(x[:100])
print("alive", clf.predict(x[:2]).shape, flush=True)
"""


class Interrupting(unittest.TestCase):
    def interrupt(self, what, rows, signals=1):
        code = SLEEPER.format(tests=os.path.dirname(os.path.abspath(__file__)), rows=rows, what=what)
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            time.sleep(0.5)
            for _ in range(signals):
                process.send_signal(signal.SIGINT)
            line = process.stdout.readline()
            rest, errors = process.communicate(timeout=900)
        self.assertEqual((line, rest, process.returncode), ("interrupted\n", "alive (2,)\n", 0), errors)
        self.assertNotIn("ignored", errors)

    def test_in_the_middle(self):
        # Each is one call that would take hours.
        for what, rows in (("fit", 5000), ("score", 200000), ("explain", 200000), ("knn", 2000000)):
            with self.subTest(what):
                self.interrupt(what, rows)

    def test_impatience(self):
        self.interrupt("fit", 5000, signals=3)

    def test_other_signals_with_exceptions(self):
        def alarm(*_):
            raise TimeoutError("enough")

        before = signal.signal(signal.SIGALRM, alarm)
        try:
            with self.assertRaisesRegex(TimeoutError, "enough"):
                signal.setitimer(signal.ITIMER_REAL, 0.3)
                made.quick(**ENDLESS).fit(made.numbers(2000))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


class Threads(unittest.TestCase):
    def test_several_models_at_a_time(self):
        x = made.numbers(500)
        want = [made.quick(seed=i).fit(x).decision_scores_ for i in range(4)]
        got, errors = [None] * 4, []

        def work(i):
            try:
                clf = made.quick(seed=i).fit(x)
                for _ in range(3):
                    np.testing.assert_array_equal(clf.decision_function(x), clf.decision_scores_)
                got[i] = clf.decision_scores_
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(errors, [])
        for a, b in zip(got, want):
            np.testing.assert_array_equal(a, b)

    def test_one_model_of_several_threads(self):
        x = made.numbers(2000)
        clf = made.quick().fit(x)
        results = [None] * 4

        def work(i):
            results[i] = clf.decision_function(x)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for r in results:
            np.testing.assert_array_equal(r, clf.decision_scores_)

    def test_the_lock_is_released(self):
        """Python goes on counting while a model is fitted."""
        count, begun, stop = 0, threading.Event(), threading.Event()

        def progress(now):
            begun.set()
            return stop.is_set()

        def work():
            try:
                made.quick(**ENDLESS, progress=progress).fit(made.numbers(2000))
            except Cancelled:
                pass

        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        while count < 10000:
            count += 1
            time.sleep(0)
        self.assertTrue(thread.is_alive())
        stop.set()
        thread.join()

    def test_fork(self):
        """A model fitted before a fork scores after it."""
        x = made.numbers()
        clf = made.quick().fit(x)
        child = os.fork()
        if child == 0:
            same = clf.decision_function(x).tobytes() == clf.decision_scores_.tobytes()
            os._exit(0 if same else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
