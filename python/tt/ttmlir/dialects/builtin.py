# SPDX-License-Identifier: Apache-2.0
"""The dialect builtin."""

from .._ods import RowView, dialect as _dialect, register_op

__getattr__, __dir__ = _dialect(__name__)


@register_op("builtin.module")
class ModuleOp(RowView):
    __slots__ = ()

    def __init__(self, *, loc=None, ip=None):
        RowView.__init__(self, loc=loc, ip=ip)
        if not self.regions[0].blocks:
            self.regions[0]._add([])

    @property
    def body(self):
        return self.regions[0].blocks[0]
