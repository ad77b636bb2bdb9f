# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel: takes the libraries and the command that make built, or builds them.

TESSERA_PLUGIN, TESSERA_LIBRARY and TESSERA_COMMAND name built files; without them, `make all pjrt` is run in the source tree. With TESSERA_RELEASE set,
the extra "tt" names the wheel of tt-mlir's packages, which has to lie beside this one; else it is the folder of the source tree.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Command, Distribution, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LIBRARIES = {"TESSERA_PLUGIN": "pjrt_plugin_tessera.so", "TESSERA_LIBRARY": "libtessera.so"}
COMMAND = {"TESSERA_COMMAND": "bin/tessera"}


def version():
    """The version that the header has, or, in a source package, that which was written down."""
    header = ROOT / "include" / "tessera" / "tessera.h"
    numbers = re.findall(r"^#define TSR_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header.read_text(), re.M)
    return ".".join(numbers)


def versions_of_jax():
    """What pip may install beside the plugin: the versions that it supports."""
    text = (HERE / "jax_plugins" / "tessera" / "__init__.py").read_text()
    oldest, newest = re.search(r"^OLDEST, NEWEST = \((.*?)\), \((.*?)\)$", text, re.M).groups()
    major, minor = newest.split(", ")
    return f"jax>={oldest.replace(', ', '.')},<{major}.{int(minor) + 1}"


def versions_of_torch():
    """The versions of torch that the backend was tested with."""
    text = (HERE / "tessera" / "_torch_private.py").read_text()
    oldest, newest = re.search(r"^OLDEST, NEWEST = \((.*?)\), \((.*?)\)$", text, re.M).groups()
    major, minor = newest.split(", ")
    return f"torch>={oldest.replace(', ', '.')},<{major}.{int(minor) + 1}"


def built(files):
    """Paths of these files, built when they are not given."""
    if not all(os.environ.get(variable) for variable in files):
        subprocess.run(["make", f"-j{os.cpu_count() or 1}", "-C", str(ROOT), "all", "pjrt"], check=True)
    return [Path(os.environ.get(variable) or ROOT / "build" / name) for variable, name in files.items()]


class BuildWithLibrary(build_py):
    """Puts the libraries, the version and the signatures of the builder's methods into the package."""

    def run(self):
        super().run()
        package = Path(self.build_lib) / "tessera"
        package.mkdir(parents=True, exist_ok=True)
        for path in built(LIBRARIES):
            shutil.copy(path, package / path.name)
        with open(package / "builder.pyi", "w") as stubs:
            subprocess.run([sys.executable, "-m", "tessera.stubs"], check=True, stdout=stubs, cwd=self.build_lib)
        (package / "_version.py").write_text(f'__version__ = "{version()}"\n')


class BuildCommand(Command):
    """Puts the command where scripts are installed from: the program itself, so that it starts without Python."""

    user_options = [("build-dir=", "d", "where to"), ("force", "f", "copy in any case")]
    boolean_options = ["force"]

    def initialize_options(self):
        self.build_dir = self.force = None

    def finalize_options(self):
        self.set_undefined_options("build", ("build_scripts", "build_dir"), ("force", "force"))

    def run(self):
        Path(self.build_dir).mkdir(parents=True, exist_ok=True)
        for path in built(COMMAND):
            shutil.copy(path, self.build_dir)

    def get_source_files(self):
        return []

    def get_outputs(self):
        return [str(Path(self.build_dir) / Path(name).name) for name in COMMAND.values()]


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


def packages_of_tt():
    """What the extra "tt" installs."""
    return f"tessera-tt=={version()}" if os.environ.get("TESSERA_RELEASE") else f"tessera-tt @ {(HERE / 'tt').as_uri()}"


setup(
    version=version(),
    scripts=list(COMMAND.values()),
    extras_require={"jax": [versions_of_jax()], "numpy": ["numpy"], "torch": [versions_of_torch()], "tt": [packages_of_tt()]},
    cmdclass={"build_py": BuildWithLibrary, "build_scripts": BuildCommand, "bdist_wheel": AnyPython},
    distclass=BinaryDistribution,
)
