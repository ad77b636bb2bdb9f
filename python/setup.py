"""Builds the wheel: takes the libraries that make built, or builds them.

TESSERA_PLUGIN and TESSERA_LIBRARY name built libraries; without them, `make lib pjrt` is run in the source tree.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LIBRARIES = {"TESSERA_PLUGIN": "pjrt_plugin_tessera.so", "TESSERA_LIBRARY": "libtessera.so"}


def version():
    """The version that the header has, or, in a source package, that which was written down."""
    header = ROOT / "include" / "tessera" / "tessera.h"
    numbers = re.findall(r"^#define TSR_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header.read_text(), re.M)
    return ".".join(numbers)


def libraries():
    """Paths of the libraries, built when they are not given."""
    if not all(os.environ.get(variable) for variable in LIBRARIES):
        subprocess.run(["make", f"-j{os.cpu_count() or 1}", "-C", str(ROOT), "lib", "pjrt"], check=True)
    return [Path(os.environ.get(variable) or ROOT / "build" / name) for variable, name in LIBRARIES.items()]


class BuildWithLibrary(build_py):
    """Puts the libraries, the version and the signatures of the builder's methods into the package."""

    def run(self):
        super().run()
        package = Path(self.build_lib) / "tessera"
        package.mkdir(parents=True, exist_ok=True)
        for path in libraries():
            shutil.copy(path, package / path.name)
        with open(package / "builder.pyi", "w") as stubs:
            subprocess.run([sys.executable, "-m", "tessera.stubs"], check=True, stdout=stubs, cwd=self.build_lib)
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
