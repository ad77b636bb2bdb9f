# SPDX-License-Identifier: Apache-2.0
"""Attributes and types of ttcore."""

from .._attrs import by, enum, enum_attr, parse, struct
from .._values import Type, register_type

DataType = enum(
    "DataType",
    "Float32=f32 Float16=f16 BFloat16=bf16 BFP_Float8=bfp_f8 BFP_BFloat8=bfp_bf8 BFP_Float4=bfp_f4 BFP_BFloat4=bfp_bf4"
    " BFP_Float2=bfp_f2 BFP_BFloat2=bfp_bf2 UInt32=u32 UInt16=u16 UInt8=u8 Int32=si32 Bool=i1",
)
Arch = enum("Arch", "WormholeB0=wormhole_b0:1 Blackhole=blackhole:2 Quasar=quasar:3")
MemorySpace = enum("MemorySpace", "System=system SystemMMIO=mmio DeviceDRAM=dram DeviceL1=l1 RegisterDst=dst")
IteratorType = enum("IteratorType", "Parallel=parallel Reduction=reduction")
OOBVal = enum("OOBVal", "Undef=undef Zero=zero One=one Inf=inf NegInf=neginf")
ReduceType = enum("ReduceType", "Sum=sum Mean=mean Max=max Min=min Std=std Var=var Prod=prod Invalid=invalid")
MeshShardDirection = enum("MeshShardDirection", "FullToShard=full_to_shard ShardToFull=shard_to_full")
MeshShardType = enum("MeshShardType", "Replicate=replicate:1 Maximal=maximal:2 Devices=devices:3")
ArgumentType = enum("ArgumentType", "Input=input Parameter=parameter Constant=constant Default=default")
TensorMemoryLayout = enum("TensorMemoryLayout", "Interleaved=interleaved Sharded=sharded")
ShardStatus = enum("ShardStatus", "Presharded=presharded Unsharded=unsharded")
NocIndex = enum("NocIndex", "Noc0=noc0 Noc1=noc1")
Topology = enum("Topology", "Ring=ring Linear=linear Mesh=mesh Torus=torus Disabled=disabled")
MoEActivationFunction = enum("MoEActivationFunction", "Silu=silu SwiGLU=swiglu")
AttentionMaskType = enum("AttentionMaskType", "NoMask=none Causal=causal Arbitrary=arbitrary")

DataTypeAttr = enum_attr("DataTypeAttr", "ttcore.supportedDataTypes", DataType, "data_type_as_int")
ArchAttr = enum_attr("ArchAttr", "ttcore.arch", Arch, "arch_as_int")
MemorySpaceAttr = enum_attr("MemorySpaceAttr", "ttcore.memory_space", MemorySpace, "memory_space_as_int")
IteratorTypeAttr = enum_attr("IteratorTypeAttr", "ttcore.iterator_type", IteratorType, "iterator_type_as_int")
OOBValAttr = enum_attr("OOBValAttr", "ttcore.oob_val", OOBVal, "oob_val_as_int")
ReduceTypeAttr = enum_attr("ReduceTypeAttr", "ttcore.reduce_type", ReduceType)
MeshShardDirectionAttr = enum_attr("MeshShardDirectionAttr", "ttcore.shard_direction", MeshShardDirection)
MeshShardTypeAttr = enum_attr("MeshShardTypeAttr", "ttcore.shard_type", MeshShardType)
ArgumentTypeAttr = enum_attr("ArgumentTypeAttr", "ttcore.argument_type", ArgumentType)
ShardStatusAttr = enum_attr("ShardStatusAttr", "ttcore.shard_status", ShardStatus)
TopologyAttr = enum_attr("TopologyAttr", "ttcore.topology", Topology, "topology_as_int")
AttentionMaskTypeAttr = enum_attr("AttentionMaskTypeAttr", "ttcore.attention_mask_type", AttentionMaskType)
MoEActivationFunctionAttr = enum_attr("MoEActivationFunctionAttr", "ttcore.moe_activation_function", MoEActivationFunction)


@struct("ttcore.mesh", "name shape")
class MeshAttr:
    __slots__ = ()

    @classmethod
    def get(cls, ctx, name, shape):
        return parse(f'#ttcore.mesh<"{name}" = {by(shape)}>', ctx)


@struct("ttcore.meshes", "meshes")
class MeshesAttr:
    __slots__ = ()

    @classmethod
    def get(cls, ctx, meshes):
        body = ", ".join(str(m)[len("#ttcore.mesh") :] for m in meshes)
        return parse(f"#ttcore.meshes<[{body}]>", ctx)


@struct("ttcore.local_shape", "_")
class LocalShapeAttr:
    __slots__ = ()

    @classmethod
    def get(cls, ctx, local_shape):
        return parse(f"#ttcore<local_shape local_shape = {local_shape}>", ctx)

    @property
    def local_shape(self):
        return self._item(0).value.shape


@struct("ttcore.grid", "shape")
class GridAttr:
    __slots__ = ()

    @classmethod
    def get(cls, ctx, shape, virt_to_physical=None, physical_to_virt=None):
        maps = "" if virt_to_physical is None else f", virt_to_physical_map = ({virt_to_physical}), physical_to_virt_map = ({physical_to_virt})"
        return parse(f"#ttcore.grid<{by(shape)}{maps}>", ctx)


@struct("ttcore.device", "grid_attr _ l1_map dram_map mesh_shape chip_ids mesh_topology")
class DeviceAttr:
    __slots__ = ()

    def unwrap(self):
        return self


@struct("ttcore.system_desc", "cpu_descs chip_descs chip_desc_indices chip_capabilities chip_coords chip_channels")
class SystemDescAttr:
    __slots__ = ()

    @classmethod
    def get_default(cls, ctx):
        """One chip, as a module without a description gets it."""
        import tessera

        module = tessera.Module.parse("module {}", context=ctx).run_passes("ttcore-register-device")
        found = module.op.attributes["ttcore.system_desc"]
        return cls(ctx, found._handle)


@struct("ttcore.metal_layout", "logical_shape dim_alignments collapsed_intervals")
class MetalLayoutAttr:
    __slots__ = ()

    @classmethod
    def get(cls, ctx, logical_shape, memory_space, memory_layout=TensorMemoryLayout.Sharded, collapse_intervals=None, dim_alignments=None):
        if collapse_intervals is None or dim_alignments is None:
            raise NotImplementedError("ttcore.metal_layout without its intervals and alignments: D2M is not part of Tessera")
        return parse(
            f"#ttcore.metal_layout<logical_shape = {by(logical_shape)}, dim_alignments = {by(dim_alignments)},"
            f" collapsed_intervals = {collapse_intervals}, {MemorySpace(memory_space).word}, {TensorMemoryLayout(memory_layout).word}>",
            ctx,
        )

    @property
    def memory_space(self):
        return self._item(3).value

    @property
    def memory_layout(self):
        return TensorMemoryLayout.Sharded if "sharded" in str(self._item(4)) else TensorMemoryLayout.Interleaved

    def getDeviceShape(self, grid_shape, tile_shape):
        raise NotImplementedError("shapes of D2M's layouts are not part of Tessera")


@register_type("!ttcore.tile")
class TileType(Type):
    __slots__ = ()

    @classmethod
    def get(cls, ctx, height, width, data_type):
        return Type.parse(f"!ttcore.tile<{height}x{width}, {DataType(int(data_type)).word}>", ctx)

    def _words(self):
        size, _, word = str(self)[len("!ttcore.tile<") : -1].partition(", ")
        return [int(n) for n in size.split("x")], word

    @property
    def shape(self):
        return self._words()[0]

    @property
    def data_type(self):
        return next(d for d in DataType if d.word == self._words()[1])

    @property
    def data_type_as_int(self):
        return int(self.data_type)
