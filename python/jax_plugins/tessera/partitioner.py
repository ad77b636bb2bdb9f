# SPDX-License-Identifier: Apache-2.0
"""custom_partitioning and inspect_array_sharding on meshes.

JAX writes both as custom calls, which a partitioner asks JAX about. The plugin sends the program, with the shardings that
it has found, and gets it back without those calls: a call of custom_partitioning becomes a manual computation of what JAX
lowers for one device; one of inspect_array_sharding is told its sharding, and goes.
"""

import ctypes
import traceback
import weakref

import numpy as np

PARTITIONED, INSPECTED = "CustomSPMDPartitioning", "InspectSharding"

_Give = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t)
_Function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, _Give)

_inspectors = weakref.WeakValueDictionary()  # by the text that a call has as its backend_config


class _Inspector:
    """The callback of one call of inspect_array_sharding; JAX keeps it as long as the program."""

    def __init__(self, callback):
        from jax_plugins.tessera import callbacks

        self.callback = callback
        self.key = f"tessera {callbacks.new_number()}"
        _inspectors[self.key] = self


def _lower_inspect(ctx, value, *, callback):
    """JAX's own rule; the call that it makes names an address, which becomes a key."""
    from jax._src import debugging
    from jax._src.lib.mlir import ir

    kept = ctx.module_context.keepalives
    before = len(kept)
    result = debugging._inspect_sharding_lowering_rule(ctx, value, callback=callback)
    for use in value.uses if len(kept) > before else ():
        op = use.owner
        if _target(op) == INSPECTED and not ir.StringAttr(op.attributes["backend_config"]).value_bytes.startswith(b"tessera "):
            inspector = _Inspector(kept[-1])
            ctx.module_context.add_keepalive(inspector)
            op.attributes["backend_config"] = ir.StringAttr.get(inspector.key)
    return result


def _target(op):
    from jax._src.lib.mlir import ir

    operation = op.operation
    if operation.name != "stablehlo.custom_call":
        return None
    return ir.StringAttr(operation.attributes["call_target_name"]).value


class _Mesh:
    """A mesh of the program: the names and sizes of its axes, and its devices."""

    def __init__(self, op):
        from jax._src.lib.mlir.dialects import sdy

        attr = sdy.MeshAttr(op.attributes["mesh"])
        axes = [sdy.MeshAxisAttr(a) for a in attr.axes]
        self.name = _symbol(op)
        self.names = [a.name for a in axes]
        self.sizes = [a.size for a in axes]
        self.ids = list(attr.device_ids) or list(range(int(np.prod(self.sizes, dtype=np.int64))))

    def devices(self):
        return np.array(self.ids).reshape(self.sizes)

    def sharding(self, dims):
        """As an HloSharding, for the axes of each dimension: pairs of name and (what is before in the axis, size)."""
        from jax._src.lib import xla_client

        # Each axis as the parts that dims divide it into.
        parts = []
        for name, size in zip(self.names, self.sizes):
            cuts = {1, size}
            for axes in dims:
                for other, (before, count) in axes:
                    if other == name:
                        cuts |= {before, before * count}
            cuts = sorted(cuts)
            parts += [(name, a, b // a) for a, b in zip(cuts, cuts[1:])]
        used, tiles = [], []
        for axes in dims:
            inside = [
                i
                for other, (before, count) in axes
                for i, (name, a, n) in enumerate(parts)
                if name == other and before <= a and a * n <= before * count
            ]
            used += inside
            tiles.append(int(np.prod([parts[i][2] for i in inside], dtype=np.int64)))
        rest = [i for i in range(len(parts)) if i not in used]
        copies = int(np.prod([parts[i][2] for i in rest], dtype=np.int64))
        proto = xla_client.OpSharding()
        if all(t == 1 for t in tiles):
            proto.type = xla_client.OpSharding.Type.REPLICATED
            return xla_client.HloSharding.from_proto(proto)
        devices = self.devices().reshape([n for _, _, n in parts]).transpose(used + rest)
        proto.type = xla_client.OpSharding.Type.OTHER
        proto.tile_assignment_dimensions = tiles + ([copies] if copies > 1 else [])
        proto.tile_assignment_devices = [int(d) for d in devices.reshape(-1)]
        proto.replicate_on_last_tile_dim = copies > 1
        return xla_client.HloSharding.from_proto(proto)

    def text(self, sharding, rank):
        """An HloSharding as text of Shardy's: by JAX, which finds the axes of each dimension."""
        from jax._src import sharding_impls
        from jax._src.mesh import Mesh

        spec = sharding_impls.parse_flatten_op_sharding(sharding, Mesh(_Devices(self), self.names))[0]
        dims = [() if d is None else (d,) if isinstance(d, str) else tuple(d) for d in spec]
        dims += [()] * (rank - len(dims))
        inside = ", ".join("{" + ", ".join(f'"{a}"' for a in d) + "}" for d in dims)
        return f"<@{self.name}, [{inside}]>"


def _Devices(mesh):
    import jax
    from jax_plugins.tessera import PLATFORM

    found = jax.devices(PLATFORM)
    out = np.empty(mesh.sizes, dtype=object)
    out.reshape(-1)[:] = [found[i] for i in mesh.ids]
    return out


def _symbol(op):
    from jax._src.lib.mlir import ir

    return ir.StringAttr(op.attributes["sym_name"]).value


def _attr_of(value):
    """The sharding attribute of a value, or None."""
    from jax._src.lib.mlir import ir
    from jax._src.lib.mlir.dialects import sdy

    if isinstance(value.owner, ir.Block):
        argument = ir.BlockArgument(value)
        op, i = argument.owner.owner.operation, argument.arg_number
        if op.name == "func.func":
            attrs = ir.ArrayAttr(op.attributes["arg_attrs"]) if "arg_attrs" in op.attributes else []
            attr = ir.DictAttr(attrs[i]) if i < len(attrs) else {}
            return sdy.TensorShardingAttr(attr["sdy.sharding"]) if "sdy.sharding" in attr else None
        if op.name != "stablehlo.while":
            return None
    else:
        op, i = value.owner.operation, ir.OpResult(value).result_number
    name = "out_shardings" if op.name == "sdy.manual_computation" else "sdy.sharding"
    if name not in op.attributes:
        return None
    return sdy.TensorShardingAttr(sdy.TensorShardingPerValueAttr(op.attributes[name]).shardings[i])


class _Program:
    """One program on its way through the partitioner."""

    def __init__(self, text):
        from jax._src.interpreters import mlir
        from jax._src.lib.mlir import ir

        self.context = mlir.make_ir_context()
        with self.context, ir.Location.unknown():
            self.module = ir.Module.parse(text)
        self.meshes, self.calls, self.count = {}, [], 0
        for op in self.module.body:
            if op.operation.name == "sdy.mesh":
                mesh = _Mesh(op.operation)
                self.meshes[mesh.name] = mesh
        self.module.operation.walk(self._note)

    def _note(self, op):
        from jax._src.lib.mlir import ir

        if _target(op) in (PARTITIONED, INSPECTED):
            self.calls.append(op.operation)
        return ir.WalkResult.ADVANCE

    def _sharding(self, value):
        from jax._src.lib import xla_client
        from jax._src.lib.mlir.dialects import sdy

        attr = _attr_of(value)
        if attr is None:
            return xla_client.HloSharding.replicate()
        mesh = self.meshes[str(attr.mesh_or_ref).lstrip("@").strip('"')]
        dims = []
        for dim in attr.dimension_shardings:
            axes = []
            for axis in sdy.DimensionShardingAttr(dim).axes:
                axis = sdy.AxisRefAttr(axis)
                part = sdy.SubAxisInfoAttr(axis.sub_axis_info) if axis.sub_axis_info else None
                whole = (1, mesh.sizes[mesh.names.index(axis.name)])
                axes.append((axis.name, (part.pre_size, part.size) if part else whole))
            dims.append(axes)
        return mesh.sharding(dims)

    def _is_manual(self, op):
        while op is not None:
            if op.operation.name == "sdy.manual_computation":
                return True
            op = op.operation.parent
        return False

    def inspect(self, op):
        from jax._src.lib import xla_client
        from jax._src.lib.mlir import ir

        inspector = _inspectors.get(ir.StringAttr(op.attributes["backend_config"]).value)
        if inspector is None:
            raise NotImplementedError("a call of inspect_array_sharding from another process")
        manual = self._is_manual(op.parent)
        inspector.callback(xla_client.HloSharding.manual() if manual else self._sharding(op.operands[0]))
        for result, operand in zip(op.results, op.operands):
            result.replace_all_uses_with(operand)
        op.erase()

    def _adopt(self, bytecode):
        """The functions of a module that JAX lowered, under names of their own; the name of its main."""
        from jax._src.lib.mlir import ir

        self.count += 1
        prefix = f"tessera_partitioned_{self.count}_"
        lowered = ir.Module.parse(bytecode)
        symbols = ir.SymbolTable(lowered.operation)
        functions = [op.operation for op in lowered.body if op.operation.name == "func.func"]
        for op in functions:
            old = _symbol(op)
            ir.SymbolTable.replace_all_symbol_uses(old, prefix + old, lowered.operation)
            symbols.set_symbol_name(op, prefix + old)
        for op in functions:
            op.attributes["sym_visibility"] = ir.StringAttr.get("private")
            for name in ("arg_attrs", "res_attrs"):  # what JAX says of them is for a program of its own
                if name in op.attributes:
                    del op.attributes[name]
            self.module.body.append(op.clone())
        return prefix + "main"

    def partition(self, op):
        from jax._src import custom_partitioning
        from jax._src.lib import xla_client
        from jax._src.lib.mlir import ir

        key = ir.StringAttr(op.attributes["backend_config"]).value_bytes
        if key not in custom_partitioning._sharding_callbacks:
            raise NotImplementedError("a call of custom_partitioning from another process")
        if self._is_manual(op.parent):
            raise NotImplementedError("tessera: custom_partitioning in a shard_map over some of the axes of a mesh")
        ins, outs = ([_shape(v.type) for v in vs] for vs in (op.operands, op.results))
        out_shardings = [self._sharding(v) for v in op.results]
        many = len(outs) != 1
        out_shape = xla_client.Shape.tuple_shape(outs) if many else outs[0]
        out_sharding = xla_client.HloSharding.tuple_sharding(out_shape, out_shardings) if many else out_shardings[0]
        bytecode, in_shardings, out_sharding = custom_partitioning._custom_partitioning_partition(
            ins, [self._sharding(v) for v in op.operands], out_shape, out_sharding, key
        )
        out_shardings = out_sharding.tuple_elements() if many else [out_sharding]
        self._replace(op, self._adopt(bytecode), in_shardings, out_shardings)

    def _replace(self, op, function, in_shardings, out_shardings):
        from jax._src.lib.mlir import ir

        mesh = max(self.meshes.values(), key=lambda m: len(m.ids))

        def listed(values, shardings):
            texts = [mesh.text(s, len(v.type.shape)) for v, s in zip(values, shardings)]
            return ir.Attribute.parse(f"#sdy.sharding_per_value<[{', '.join(texts)}]>")

        axes = ", ".join(f'"{a}"' for a in mesh.names)
        attributes = {
            "in_shardings": listed(op.operands, in_shardings),
            "out_shardings": listed(op.results, out_shardings),
            "manual_axes": ir.Attribute.parse(f"#sdy<manual_axes{{{axes}}}>"),
        }
        results, at = [v.type for v in op.results], ir.InsertionPoint(op)
        new = ir.Operation.create("sdy.manual_computation", results, list(op.operands), attributes, regions=1, loc=op.location, ip=at)
        callee = ir.SymbolTable(self.module.operation)[function].operation
        kind = ir.FunctionType(ir.TypeAttr(callee.attributes["function_type"]).value)
        block = new.regions[0].blocks.append(*kind.inputs, arg_locs=[op.location] * len(kind.inputs))
        name = {"callee": ir.FlatSymbolRefAttr.get(function)}
        with ir.InsertionPoint(block), op.location:
            call = ir.Operation.create("func.call", list(kind.results), list(block.arguments), name)
            ir.Operation.create("sdy.return", [], list(call.results))
        for old, value in zip(op.results, new.results):
            old.replace_all_uses_with(value)
        op.erase()

    def run(self):
        from jax._src.lib.mlir import ir

        with self.context, ir.Location.unknown():
            for op in self.calls:
                self.inspect(op) if _target(op) == INSPECTED else self.partition(op)
            return self.module.operation.get_asm(enable_debug_info=True)


def _shape(kind):
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client

    return xla_client.Shape.array_shape(_dtype(mlir, kind.element_type), tuple(kind.shape))


def _dtype(mlir, element):
    for dtype, make in mlir._dtype_to_ir_type.items():
        if make() == element:
            return np.dtype(dtype)
    raise NotImplementedError(f"tessera: elements {element} in custom_partitioning")


@_Function
def _partition(text, size, user, give):
    try:
        said, failed = _Program(ctypes.string_at(text, size).decode()).run().encode(), 0
    except BaseException as e:  # whatever it is, it must not leave through C
        where = "".join(traceback.format_tb(e.__traceback__)[-1:])
        said, failed = f"{type(e).__name__}: {e}\n{where}".encode(), 1
    give(user, said, len(said))
    return failed


def register(platform, library):
    """Tells the plugin which function partitions, and JAX how inspect_array_sharding is lowered."""
    from jax._src import debugging
    from jax.interpreters import mlir

    plugin = ctypes.CDLL(library)
    plugin.TesseraSetPartitioner.argtypes = [_Function]
    plugin.TesseraSetPartitioner.restype = None
    plugin.TesseraSetPartitioner(_partition)
    mlir.register_lowering(debugging.inspect_sharding_p, _lower_inspect, platform=platform)
