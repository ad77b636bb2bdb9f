# SPDX-License-Identifier: Apache-2.0
"""The dialect ttir."""

from .._ods import dialect as _dialect
from . import _ttir_ir as ir

__getattr__, __dir__ = _dialect(__name__)
_ = ir
