# SPDX-License-Identifier: Apache-2.0
"""Layouts of TTNN: where and how the elements of a tensor are."""

from ttmlir.dialects import ttcore, ttnn
from ttmlir.ir import Type
from ttmlir.util import element_type_to_data_type

_TILE = 32
_NARROW = {"i64": "i32", "si64": "si32", "ui64": "ui32", "f64": "f32", "i1": "bf16"}  # what tiles hold of what they do not
_WORKERS, _BANKS = (8, 8), 12  # cores and banks of memory of a chip, where nothing says more


def create_tensor_encoding(
    ctx,
    shape,
    element,
    layout=ttnn.Layout.Tile,
    buffer_type=ttnn.BufferType.DRAM,
    tensor_memory_layout=ttnn.TensorMemoryLayout.Interleaved,
    grid_shape=None,
    core_range_set=None,
):
    """The layout of a tensor of these elements (a text); tiles in DRAM, unless something else is said."""
    with ctx:
        kind = Type.parse(_NARROW.get(element, element), ctx)
        if layout == ttnn.Layout.Tile:
            kind = ttcore.ir.TileType.get(ctx, _TILE, _TILE, element_type_to_data_type(kind))
        if buffer_type == ttnn.BufferType.SystemMemory:
            tensor_memory_layout = None
        grid = list(grid_shape or (1, 1))
        if core_range_set is None and tensor_memory_layout not in (None, ttnn.TensorMemoryLayout.Interleaved):
            core_range_set = _cores(ctx, buffer_type, tensor_memory_layout, grid)
        return ttnn.ir.TTNNLayoutAttr.get(ctx, list(shape), kind, buffer_type, grid, core_range_set, tensor_memory_layout)


def _cores(ctx, buffer_type, tensor_memory_layout, grid):
    """The cores that hold the parts of a tensor, row by row; of DRAM, its first banks."""
    count = grid[0] * grid[1]
    if buffer_type == ttnn.BufferType.DRAM:
        rows, columns, wanted = 1, _BANKS, [(count, 1)]
    elif tensor_memory_layout == ttnn.TensorMemoryLayout.BlockSharded:
        rows, columns, wanted = *_WORKERS, [(grid[1], grid[0])]
    else:
        rows, columns = _WORKERS
        wanted = [(columns, count // columns), (count % columns, 1)]
    ranges, y = [], 0
    for width, height in wanted:
        if width and height:
            if width > columns or y + height > rows:
                raise ValueError(f"a grid of {grid} does not fit on {rows} x {columns}")
            ranges.append(ttnn.ir.CoreRangeAttr.get(ctx, ttnn.ir.CoreCoordAttr.get(ctx, 0, y), ttnn.ir.CoreCoordAttr.get(ctx, width - 1, y + height - 1)))
            y += height
    return ttnn.ir.CoreRangeSetAttr.get(ctx, ranges)
