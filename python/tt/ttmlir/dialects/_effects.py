# SPDX-License-Identifier: Apache-2.0
"""What ops write."""

# Operands that ops change in place, by name.
_WRITTEN = {
    "ttnn.update_cache": ("cache",),
    "ttnn.paged_update_cache": ("cache",),
    "ttnn.fill_cache": ("cache",),
    "ttnn.paged_fill_cache": ("cache",),
    "ttnn.write_tensor": ("device_tensor",),
}


def written(op):
    op = op.operation.opview
    names = _WRITTEN.get(op.operation.name, ())
    return [i for i, value in enumerate(op.operands) if any(getattr(op, n, None) == value for n in names)]
