# SPDX-License-Identifier: Apache-2.0
"""The wheel of tt-mlir's packages: Python alone, of the same version as the package it needs."""

import re
from pathlib import Path

from setuptools import setup

HEADER = Path(__file__).resolve().parent.parent.parent / "include" / "tessera" / "tessera.h"
VERSION = ".".join(re.findall(r"^#define TSR_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", HEADER.read_text(), re.M))

setup(version=VERSION, install_requires=[f"tessera-compiler=={VERSION}", "numpy"])
