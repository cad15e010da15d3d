"""The types of the package, as a type checker sees them."""
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).parent
STUBS = HERE.parents[1] / "tools" / "python_stubs.py"
MODULES = HERE.parents[1] / "tests" / "browser" / "node_modules" / ".bin"
PYRIGHT = os.environ.get("ODIM_PYRIGHT") or shutil.which("pyright") or shutil.which("pyright", path=MODULES)


class Stubs(unittest.TestCase):
    def test_they_are_those_of_the_library(self):
        done = subprocess.run([sys.executable, STUBS, "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


@unittest.skipUnless(PYRIGHT, "no pyright (tools/setup.sh browser installs it)")
class Checked(unittest.TestCase):
    def errors(self, name):
        """line: message of what the checker refuses."""
        done = subprocess.run([PYRIGHT, "--outputjson", "--pythonpath", sys.executable, HERE / "typed" / name],
                              capture_output=True, encoding="utf-8")
        found = json.loads(done.stdout)["generalDiagnostics"]
        return {d["range"]["start"]["line"] + 1: d["message"] for d in found if d["severity"] == "error"}

    def test_accepted(self):
        self.assertEqual(self.errors("accepted.py"), {})

    def test_refused(self):
        lines = (HERE / "typed" / "refused.py").read_text().splitlines()
        want = [i + 1 for i, line in enumerate(lines) if "# error" in line]
        self.assertEqual(len(want), 7)
        self.assertEqual(sorted(self.errors("refused.py")), want)


if __name__ == "__main__":
    unittest.main()
