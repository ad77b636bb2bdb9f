# SPDX-License-Identifier: Apache-2.0
"""The dialect arith."""

from .._ods import dialect as _dialect

__getattr__, __dir__ = _dialect(__name__)
