# SPDX-License-Identifier: Apache-2.0
"""The dialect ttcore."""

from .._ods import dialect as _dialect
from . import _ttcore_ir as ir
from ._ttcore_ir import *  # noqa: F401,F403

__getattr__, __dir__ = _dialect(__name__)
_ = ir
