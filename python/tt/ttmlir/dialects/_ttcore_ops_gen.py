# SPDX-License-Identifier: Apache-2.0
"""The classes of ttcore's ops, by the name that generated bindings have for this module."""

from . import ttcore


def __getattr__(name):
    return getattr(ttcore, name)
