"""Builds the wheel: takes the plugin that make built, or builds it.

TESSERA_PLUGIN names the built library; without it, `make pjrt` is run in the source tree.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LIBRARY = "pjrt_plugin_tessera.so"


def version():
    """The version that the header has, or, in a source package, that which was written down."""
    header = ROOT / "include" / "tessera" / "tessera.h"
    numbers = re.findall(r"^#define TSR_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header.read_text(), re.M)
    return ".".join(numbers)


def library():
    """The plugin, built when it is not there."""
    given = os.environ.get("TESSERA_PLUGIN")
    if given:
        return Path(given)
    subprocess.run(["make", "-C", str(ROOT), "pjrt"], check=True)
    return ROOT / "build" / LIBRARY


class BuildWithLibrary(build_py):
    """Puts the plugin and the version into the package."""

    def run(self):
        super().run()
        package = Path(self.build_lib) / "tessera"
        package.mkdir(parents=True, exist_ok=True)
        shutil.copy(library(), package / LIBRARY)
        (package / "_version.py").write_text(f'__version__ = "{version()}"\n')


class BinaryDistribution(Distribution):
    """The wheel is for one platform, whatever Python."""

    def has_ext_modules(self):
        return True


try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel


class AnyPython(bdist_wheel):
    """No part depends on Python's own interface."""

    def get_tag(self):
        _, _, platform = super().get_tag()
        return "py3", "none", platform


setup(version=version(), cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": AnyPython}, distclass=BinaryDistribution)
