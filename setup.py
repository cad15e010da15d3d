"""Builds the Python package odim: the Python files and libodim.so, for any Python 3 of this kind of machine.

The library is built from the sources in this folder, unless ODIM_LIBRARY names one. A wheel also gets the libraries that
libodim.so needs and that not every Linux has, if patchelf is there to rename them: see python/bundle.py.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70
    from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent
PARTS = ROOT / "build" / "python-parts"
PARTS.mkdir(parents=True, exist_ok=True)
sys.path.insert(0, str(ROOT / "python"))
from bundle import bundle, platform_tag  # noqa: E402


def version():
    header = (ROOT / "include" / "odim.h").read_text()
    return ".".join(re.findall(r"#define ODIM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


def library():
    if os.environ.get("ODIM_LIBRARY"):
        return Path(os.environ["ODIM_LIBRARY"])
    native = PARTS / "native"
    subprocess.run(["cmake", "-S", ROOT, "-B", native, "-DCMAKE_BUILD_TYPE=Release", "-DODIM_TESTS=OFF",
                    "-DODIM_MPI=OFF"], check=True)
    subprocess.run(["cmake", "--build", native, "--target", "odim_shared", "--parallel", str(os.cpu_count() or 1)],
                   check=True)
    return native / "libodim.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        if self.editable_mode:  # Python imports from the source folder, so the library must be there
            shutil.copyfile(library(), ROOT / "python" / "odim" / "libodim.so")
            return
        package = Path(self.build_lib) / "odim"
        shutil.rmtree(package / "libs", ignore_errors=True)
        shutil.copyfile(library(), package / "libodim.so")
        bundle(package / "libodim.so")


class NativeWheel(bdist_wheel):
    def get_tag(self):
        plain = super().get_tag()[2]
        return "py3", "none", platform_tag(PARTS.parent.parent / self.distribution.get_command_obj("build").build_lib,
                                           plain)


class NativeDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=version(),
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": NativeWheel},
    distclass=NativeDistribution,
)
