"""A decimal comma in the caller's process."""
import locale
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import made
import numpy as np

BUILD = Path(__file__).parents[2] / "tests" / "checks" / "locale.sh"


class DecimalComma(unittest.TestCase):
    def test_changes_nothing(self):
        x = made.numbers()
        with tempfile.TemporaryDirectory() as folder:
            built = subprocess.run([BUILD, folder], capture_output=True, text=True)
            if built.returncode:
                self.skipTest(built.stdout.strip())
            want = made.quick(lr=0.0015).fit(x).decision_function(x)
            os.environ["LOCPATH"] = folder
            try:
                locale.setlocale(locale.LC_ALL, "de_DE")
                self.assertEqual(locale.localeconv()["decimal_point"], ",")
                got = made.quick(lr=0.0015).fit(x).decision_function(x)
            finally:
                locale.setlocale(locale.LC_ALL, "C")
                del os.environ["LOCPATH"]
        np.testing.assert_array_equal(got, want)
