"""The wheel of odim: the Python files and libodim.so, for any Python 3 of this kind of machine.

The library is built from the sources beside this folder, unless ODIM_LIBRARY names one that is there.
"""
import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70
    from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent.parent
(ROOT / "build" / "python-parts").mkdir(parents=True, exist_ok=True)


def version():
    header = (ROOT / "include" / "odim.h").read_text()
    return ".".join(re.findall(r"#define ODIM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


def library():
    if os.environ.get("ODIM_LIBRARY"):
        return Path(os.environ["ODIM_LIBRARY"])
    subprocess.run([ROOT / "tools" / "build.sh", "release", "odim_shared"], check=True)
    return ROOT / "build" / "libodim.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        shutil.copyfile(library(), Path(self.build_lib) / "odim" / "libodim.so")


class NativeWheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class NativeDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=version(),
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": NativeWheel},
    distclass=NativeDistribution,
)
