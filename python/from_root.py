"""Builds the package from the folder above: setuptools, begun in this one."""
import os

os.chdir(os.path.dirname(os.path.abspath(__file__)))

from setuptools.build_meta import *  # noqa: E402,F401,F403
