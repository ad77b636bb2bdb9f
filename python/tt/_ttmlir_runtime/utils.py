# SPDX-License-Identifier: Apache-2.0
"""Helpers of the runtime bindings."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"_ttmlir_runtime.utils.{name} is not part of Tessera")
