# SPDX-License-Identifier: Apache-2.0
"""Attributes of ttnn."""

from .._attrs import by, enum, enum_attr, parse, struct

Layout = enum("Layout", "RowMajor=row_major Tile=tile Invalid=invalid")
TensorMemoryLayout = enum(
    "TensorMemoryLayout", "Interleaved=interleaved:0 HeightSharded=height_sharded:2 WidthSharded=width_sharded:3 BlockSharded=block_sharded:4 NDSharded=nd_sharded:5"
)
BufferType = enum("BufferType", "DRAM=dram L1=l1 SystemMemory=system_memory L1Small=l1_small Trace=trace")
ShardOrientation = enum("ShardOrientation", "RowMajor=row_major ColMajor=col_major")
ShardDistributionStrategy = enum("ShardDistributionStrategy", "RoundRobin1D=round_robin_1d Grid2D=grid_2d")
MathFidelity = enum("MathFidelity", "LoFi=lofi:0 HiFi2=hifi2:2 HiFi3=hifi3:3 HiFi4=hifi4:4")
PlacementType = enum("PlacementType", "Replicate=replicate Shard=shard")
Conv2dSliceType = enum("Conv2dSliceType", "DramHeight=dram_height DramWidth=dram_width L1Full=l1_full")

LayoutAttr = enum_attr("LayoutAttr", "ttnn.layout", Layout)
TensorMemoryLayoutAttr = enum_attr("TensorMemoryLayoutAttr", "ttnn.tensor_memory_layout", TensorMemoryLayout)
BufferTypeAttr = enum_attr("BufferTypeAttr", "ttnn.buffer_type", BufferType)
ShardOrientationAttr = enum_attr("ShardOrientationAttr", "ttnn.shard_orientation", ShardOrientation)
ShardDistributionStrategyAttr = enum_attr("ShardDistributionStrategyAttr", "ttnn.shard_distribution_strategy", ShardDistributionStrategy)


@struct("ttnn.shape", "shape")
class ShapeAttr:
    __slots__ = ()

    @classmethod
    def get(cls, ctx, shape):
        return parse(f"#ttnn.shape<{by(shape)}>", ctx)


def _pair(name):
    """mesh_shape and mesh_offset: y, x."""

    class Pair:
        __slots__ = ()

        @classmethod
        def get(cls, ctx, y, x):
            return parse(f"#ttnn<{name} {y}x{x}>", ctx)

        @property
        def y(self):
            return self._item(0)[0]

        @property
        def x(self):
            return self._item(0)[1]

    Pair.__name__ = "".join(word.capitalize() for word in name.split("_")) + "Attr"
    return struct(f"ttnn.{name}", "_")(Pair)


MeshShapeAttr = _pair("mesh_shape")
MeshOffsetAttr = _pair("mesh_offset")


@struct("ttnn.core_coord", "x y")
class CoreCoordAttr:
    __slots__ = ()

    @classmethod
    def get(cls, ctx, x, y):
        return parse(f"#ttnn.core_coord<{x}, {y}>", ctx)


@struct("ttnn.core_range", "_ _")
class CoreRangeAttr:
    __slots__ = ()

    @classmethod
    def get(cls, ctx, start, end):
        return parse(f"#ttnn.core_range<({start.x},{start.y}), ({end.x},{end.y})>", ctx)

    def _coord(self, i):
        x, y = self._item(i)
        return CoreCoordAttr.get(self.context, x, y)

    @property
    def start_coord(self):
        return self._coord(0)

    @property
    def end_coord(self):
        return self._coord(1)


@struct("ttnn.core_range_set", "core_ranges")
class CoreRangeSetAttr:
    __slots__ = ()

    @classmethod
    def get(cls, ctx, ranges):
        return parse(f"#ttnn.core_range_set<[{', '.join(str(r) for r in ranges)}]>", ctx)


@struct("ttnn.shard_spec", "core_range_set shard_shape shard_orientation")
class ShardSpecAttr:
    __slots__ = ()

    @classmethod
    def get(cls, ctx, core_range_set, shard_shape, shard_orientation):
        parts = [str(core_range_set)[len("#ttnn.core_range_set") :], str(shard_shape)[len("#ttnn.shape") :], f"<{shard_orientation.value.word}>"]
        return parse(f"#ttnn.shard_spec<{', '.join(parts)}>", ctx)


@struct("ttnn.memory_config", "buffer_type tensor_memory_layout shard_spec nd_shard_spec")
class MemoryConfigAttr:
    __slots__ = ()

    @classmethod
    def get(cls, ctx, tensorMemoryLayoutAttr=None, bufferTypeAttr=None, shardSpec=None):
        text = str(bufferTypeAttr)
        text += f", <{tensorMemoryLayoutAttr.value.word}>" if tensorMemoryLayoutAttr is not None else ""
        text += f", {shardSpec}" if shardSpec is not None else ""
        return parse(f"#ttnn.memory_config<{text}>", ctx)


@struct("ttnn.device_compute_kernel_config", "math_fidelity math_approx_mode fp32_dest_acc_en packer_l1_acc dst_full_sync_en")
class DeviceComputeKernelConfigAttr:
    __slots__ = ()


@struct("ttnn.ttnn_layout", "linear grid_shape tensor_mesh memref mem_layout core_range_set")
class TTNNLayoutAttr:
    """Where and how the elements of a tensor are."""

    __slots__ = ()

    @classmethod
    def get(cls, ctx, shape, type, buffer_type, grid_shape, core_range_set=None, memLayout=None, tensorMesh=None):
        buffer = BufferType(int(buffer_type))
        layout = TensorMemoryLayout(int(memLayout)) if memLayout is not None else None
        grid = list(grid_shape)
        if buffer == BufferType.SystemMemory:
            layout, grid = None, [1, 1]
        elif buffer == BufferType.DRAM and layout == TensorMemoryLayout.Interleaved:
            grid = [1, 1]
        return cls._text(ctx, list(shape), type, buffer, grid, core_range_set, layout, tensorMesh)

    @staticmethod
    def _text(ctx, shape, element, buffer, grid, cores, layout, mesh):
        text = f"#ttnn.ttnn_layout<{_linear(shape)}, <{by(grid)}>, "
        text += f"mesh = {str(mesh)[len('#ttcore.tensor_mesh') :]}, " if mesh is not None else ""
        text += f"memref<{by(_part_of(shape, element, grid, layout))}x{element}, #ttnn.buffer_type<{buffer.word}>>"
        text += f", <{layout.word}>" if layout is not None else ""
        text += f", core_ranges = {str(cores)[len('#ttnn.core_range_set') :]}" if cores is not None else ""
        return parse(text + ">", ctx)

    @property
    def tensor_memory_layout_as_int(self):
        found = self._item(4)
        return None if found is None else int(found.value)

    @property
    def _tile(self):
        from ._ttcore_ir import TileType

        return TileType.maybe_downcast(self.memref.element_type)

    @property
    def memory_layout_as_int(self):
        return int(Layout.Tile if self._tile is not None else Layout.RowMajor)

    @property
    def memory_space(self):
        return self.memref.memory_space

    @property
    def data_type_as_int(self):
        from ._ttcore_ir import DataType
        from ..util import element_type_to_data_type

        tile = self._tile
        if tile is not None:
            return tile.data_type_as_int
        found = element_type_to_data_type(self.memref.element_type).name
        return int(DataType[found] if found in DataType.__members__ else found)


def _linear(shape):
    """Dimensions but the last as one, in row-major order."""
    rank = len(shape)
    dims = ", ".join(f"d{i}" for i in range(rank))
    if rank == 0:
        return "() -> (0, 0)"
    if rank == 1:
        return "(d0) -> (0, d0)"
    factors = [1] * (rank - 1)
    for i in range(rank - 3, -1, -1):
        factors[i] = factors[i + 1] * _padded(shape, i + 1)
    rows = " + ".join(f"d{i} * {f}" if i < rank - 2 else f"d{i}" for i, f in enumerate(factors))
    return f"({dims}) -> ({rows}, d{rank - 1})"


def _padded(shape, i):
    """A size as the collapsed rows have it: tiles are whole in the last two dimensions."""
    return -(-shape[i] // 32) * 32 if i >= len(shape) - 2 else shape[i]


def _part_of(shape, element, grid, layout):
    """The shape of what one core has, in tiles or elements."""
    tiled = str(element).startswith("!ttcore.tile")
    rows = 1
    for i in range(len(shape) - 1):
        rows *= _padded(shape, i) if tiled else shape[i]
    sizes = [rows, shape[-1] if shape else 1]
    if tiled:
        sizes = [-(-s // 32) for s in sizes]
    if layout is not None and layout != TensorMemoryLayout.Interleaved:
        sizes = [-(-s // g) for s, g in zip(sizes, grid)]
    return sizes
