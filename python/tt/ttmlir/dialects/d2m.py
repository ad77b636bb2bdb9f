# SPDX-License-Identifier: Apache-2.0
"""The dialect d2m, which Tessera does not have: using it raises."""

from ._absent import absent

__getattr__ = absent(__name__)
