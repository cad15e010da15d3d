"""All tests of the package, with whatever Python runs this; the last line counts them.

    run.py COMMAND HEADER [NAME...]

COMMAND is the program odim, HEADER the header odim.h. NAME: only tests whose name has it.
"""
import doctest
import importlib
import os
import pkgutil
import sys
import unittest
from pathlib import Path

import odim

HERE = Path(__file__).parent
DOCUMENT = HERE.parent.parent / "docs" / "PYTHON.md"


def flatten(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        else:
            yield test


def all_tests():
    suite = unittest.defaultTestLoader.discover(str(HERE), top_level_dir=str(HERE))
    names = [m.name for m in pkgutil.iter_modules(odim.__path__) if m.name != "libodim"]  # no module of Python's
    for module in [odim] + [importlib.import_module(f"odim.{name}") for name in names]:
        suite.addTests(doctest.DocTestSuite(module) if any(doctest.DocTestFinder().find(module)) else ())
    if DOCUMENT.exists():
        suite.addTest(doctest.DocFileSuite(str(DOCUMENT), module_relative=False))
    return flatten(suite)


def main():
    os.environ["ODIM_COMMAND"], os.environ["ODIM_HEADER"] = sys.argv[1:3]
    wanted = sys.argv[3:]
    suite = unittest.TestSuite(t for t in all_tests() if not wanted or any(name in t.id() for name in wanted))
    result = unittest.TextTestRunner(verbosity=1, stream=sys.stdout).run(suite)
    bad = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    good = result.testsRun - bad - len(result.skipped)
    for test, reason in result.skipped:
        print(f"skipped {test.id()}: {reason}")
    skipped = f", {len(result.skipped)} skipped" if result.skipped else ""
    print(f"{good} passed, {bad} failed{skipped}")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
