# SPDX-License-Identifier: Apache-2.0
"""Graphs of TTNN: tensors are tiles in the memory of a device."""

import tessera as ts
from builder.base.builder import Builder, _plain
from builder.base.builder_utils import Operand, element_text
from builder.base.layouts import create_tensor_encoding
from builder.base.signatures import table
from golden.mapping import as_array, narrowed
from ttmlir.dialects import ttnn

SIGNATURES = table(
    """
    clamp_scalar: in0 min_arg>min max_arg>max
    clamp_tensor: in0 min_tensor>min max_tensor>max
    concat: ins dim
    linear: in0 in1 bias transpose_a transpose_b
    matmul: in0 in1 transpose_a transpose_b
    typecast: in0 output_type
    """
)

# TTIR's ops that have results of the same shapes, where they have another name; their arguments, where these have.
_LIKE = {"divide": "div", "pow_tensor": "pow"}
_ARGUMENTS = {"repeat_dims": "repeat_dimensions"}
_KEPT = ("loc", "unit_attrs", "output_type", "attrs", "golden_kwargs", "sharding_attr")


class TTNNBuilder(Builder):
    """A method for each op of TTNN. The shape of a result is that of TTIR's op of the same name."""

    DIALECT = "ttnn"
    SIGNATURES = SIGNATURES

    def create_tensor_encoding(self, shape, element_type, *args, **given):
        """The layout of a tensor: tiles in DRAM, unless something else is said."""
        return create_tensor_encoding(self._ctx, shape, element_text(element_type), *args, **given)

    def create_ttnn_tensor(self, shape, element_type, *args, **given):
        """A type with a layout."""
        return self._ctx.tensor(list(shape), element_text(element_type), self.create_tensor_encoding(shape, element_type, *args, **given))

    def _input_type(self, shape, dtype):
        return self.create_ttnn_tensor(shape, dtype)

    def _with_element(self, type, dtype):
        return self._input_type(type.shape, dtype)

    def _make(self, op, given, output=None):
        for slot in self._row(op)["attributes"]:
            if slot.get("attr") == "ttnn.shape" and isinstance(given.get(slot["name"]), (list, tuple)):
                given[slot["name"]] = self._ctx.parse_attr(f"#ttnn.shape<{'x'.join(map(str, given[slot['name']]))}>")
        unit_attrs = given.get("unit_attrs") or ()
        if "l1_width_sharded" in unit_attrs:
            return self._in_cores(op, given, [a for a in unit_attrs if a != "l1_width_sharded"], output)
        return super()._make(op, given, self._result_types(op, given) if output is None else output)

    def _in_cores(self, op, given, unit_attrs, output):
        """The op on operands that the memory of cores holds, each a part of the width; what it gives goes back to DRAM."""
        place = {"layout": ttnn.Layout.Tile, "buffer_type": ttnn.BufferType.L1, "tensor_memory_layout": ttnn.TensorMemoryLayout.WidthSharded}
        cores = [1, max(n for n in range(1, 65) if self._widths(given) % n == 0)]
        inside = {k: self.to_tensor_spec(v, grid_shape=cores, **place) if isinstance(v, ts.Value) else v for k, v in given.items()}
        types = [self.create_ttnn_tensor(t.shape, str(t.element), grid_shape=cores, **place) for t in ([output] if output is not None else self._result_types(op, given))]
        made = super()._make(op, {**inside, "unit_attrs": unit_attrs}, types)
        return self.to_tensor_spec(made, ttnn.Layout.Tile)

    def _widths(self, given):
        """How many tiles the widest operand has in a row."""
        return max(-(-self.get_shape(v)[-1] // 32) for v in given.values() if isinstance(v, ts.Value))

    def _result_types(self, name, given):
        """TTIR's op of the same name is made for a moment, of the same shapes."""
        scratch = ts.Builder(ts.Module(context=self._ctx), dialect="ttir")
        known = {_ARGUMENTS.get(k, k): _sizes(_plain(v)) for k, v in given.items() if k not in _KEPT}
        values = [v for v in _flat(known.values()) if isinstance(v, ts.Value)]
        made = scratch.function("f", [self._ctx.tensor(v.type.shape, v.type.element) for v in values])
        with made as inner:
            place = dict(zip(map(id, values), inner))
            found = getattr(scratch, _LIKE.get(name, name))(**{k: _moved(v, place) for k, v in known.items()})
            found = found if isinstance(found, list) else [found]
            shapes = [(v.type.shape, str(v.type.element)) for v in found]
            scratch.ret()
        return [self._input_type(s, e) for s, e in shapes]

    def _element(self, input, output_type):
        return element_text(output_type) if output_type is not None else str(self.get_type(input).element)

    # Places and layouts

    def get_device(self, loc=None):
        rows, columns = self.mesh_shape
        attrs = {"mesh_shape": self._ctx.parse_attr(f"#ttnn<mesh_shape {rows}x{columns}>"), "mesh_offset": self._ctx.parse_attr("#ttnn<mesh_offset 0x0>")}
        return self._b.op("ttnn.get_device", attrs=attrs, results=[self._ctx.type("!ttnn.device")], loc=loc or self._caller()).result  # no tensor: nobody asks for its numbers

    def to_layout(self, input: Operand, layout=None, output_type=None, loc=None):
        """The same numbers as tiles, or row by row; where they are stays."""
        old = ttnn.ir.TTNNLayoutAttr(self._ctx, self.get_type(input).encoding._handle)
        memory = ttnn.TensorMemoryLayout(old.tensor_memory_layout_as_int) if old.tensor_memory_layout_as_int is not None else None
        place = {"buffer_type": ttnn.ir.BufferTypeAttr.maybe_downcast(old.memory_space).value, "tensor_memory_layout": memory}
        output = self.create_ttnn_tensor(self.get_shape(input), self._element(input, output_type), layout, **place)
        return self._make("to_layout", {"input": input, "loc": loc}, output)

    def to_tensor_spec(self, input: Operand, layout=None, buffer_type=ttnn.BufferType.DRAM, tensor_memory_layout=ttnn.TensorMemoryLayout.Interleaved, grid_shape=None, core_range_set=None, output_type=None, loc=None):
        place = {"buffer_type": buffer_type, "tensor_memory_layout": tensor_memory_layout, "grid_shape": grid_shape, "core_range_set": core_range_set}
        output = self.create_ttnn_tensor(self.get_shape(input), self._element(input, output_type), layout, **place)
        return self._make("to_tensor_spec", {"input": input, "loc": loc}, output)

    def to_device(self, input: Operand, device: Operand, output_type=None, loc=None):
        output = self.create_ttnn_tensor(self.get_shape(input), self._element(input, output_type), ttnn.Layout.RowMajor)
        return self._make("to_device", {"input": input, "device": device, "loc": loc}, output)

    def _on_host(self, shape, input, output_type):
        return self.create_ttnn_tensor(shape, self._element(input, output_type), ttnn.Layout.RowMajor, ttnn.BufferType.SystemMemory)

    def from_device(self, input: Operand, output_type=None, loc=None):
        return self._make("from_device", {"input": input, "loc": loc}, self._on_host(self.get_shape(input), input, output_type))

    def distribute_tensor(self, input: Operand, device: Operand, shard_dims, output_type=None, loc=None, unit_attrs=None):
        """The part of each device of a tensor of the host; shard_dims: the dimension that each axis of the mesh divides, -1: none."""
        words = ", ".join(f"<shard, {d} : i64>" if d >= 0 else "<replicate>" for d in shard_dims)
        sizes = ", ".join(f"{n} : ui32" for n in self.mesh_shape)
        config = self._ctx.parse_attr(f"#ttnn.mesh_mapper_config<placements = [{words}], mesh_shape_override = [{sizes}]>")
        shape = self._part_type(self._ctx.tensor(self.get_shape(input), "f32"), shard_dims).shape
        given = {"input": input, "mesh_device": device, "mapper_config": config, "loc": loc, "unit_attrs": unit_attrs}
        return self._make("distribute_tensor", given, self._on_host(shape, input, output_type))

    def aggregate_tensor(self, input: Operand, device: Operand, shard_dims, output_type=None, loc=None, unit_attrs=None):
        """The whole of what devices have. Of an axis along which all have the same, one is taken."""
        shape, dims, sizes = list(self.get_shape(input)), [], []
        for dim, size in zip(shard_dims, self.mesh_shape):
            free = next(i for i in range(len(shape) + 1) if i not in shard_dims and i not in dims) if dim < 0 else dim
            dims.append(free)
            sizes.append(size if dim >= 0 else 1)
            if dim >= 0:
                shape[dim] *= size
        text = ", ".join(f"{d} : i32" for d in dims), ", ".join(f"{n} : ui32" for n in sizes)
        config = self._ctx.parse_attr(f"#ttnn.mesh_composer_config<dims = [{text[0]}], mesh_shape_override = [{text[1]}]>")
        given = {"input": input, "mesh_device": device, "composer_config": config, "loc": loc, "unit_attrs": unit_attrs}
        return self._make("aggregate_tensor", given, self._on_host(shape, input, output_type))

    # Ops that make something of nothing

    def full(self, shape, fill_value, device=None, output_type=None, layout=ttnn.Layout.Tile, buffer_type=ttnn.BufferType.DRAM, loc=None, unit_attrs=None):
        output = self.create_ttnn_tensor(shape, output_type or "f32", layout or ttnn.Layout.Tile, buffer_type or ttnn.BufferType.DRAM)
        given = {"shape": list(shape), "fill_value": fill_value, "device": device, "loc": loc, "unit_attrs": unit_attrs}
        return self._make("full", given, output)

    def constant(self, value, device=None, output_type=None, layout=ttnn.Layout.Tile, buffer_type=ttnn.BufferType.DRAM, loc=None, unit_attrs=None):
        array = as_array(value)
        element = element_text(output_type if output_type is not None else getattr(value, "dtype", array.dtype))
        output = self.create_ttnn_tensor(array.shape, element, layout or ttnn.Layout.Tile, buffer_type or ttnn.BufferType.DRAM)
        plain = self._ctx.tensor(list(array.shape), element)
        elements = ts.tensors.elements(self._b.module, narrowed(array, plain), plain)
        return self._make("constant", {"value": elements, "device": device, "loc": loc, "unit_attrs": unit_attrs}, output)

    # Collectives

    def all_gather(self, input: Operand, all_gather_dim: int, cluster_axis: int, **given):
        """What the devices along an axis of the mesh have, side by side."""
        shape = list(self.get_shape(input))
        shape[all_gather_dim] *= self.mesh_shape[cluster_axis]
        rest = {"input": input, "all_gather_dim": all_gather_dim, "cluster_axis": cluster_axis}
        return self._make("all_gather", {**given, **rest}, self._input_type(shape, self._element(input, None)))

    def reduce_scatter(self, input: Operand, reduce_type, scatter_dim: int, cluster_axis: int, **given):
        """The sum over devices along an axis, of which each keeps its part."""
        shape = list(self.get_shape(input))
        shape[scatter_dim] //= self.mesh_shape[cluster_axis]
        rest = {"input": input, "reduce_type": reduce_type, "scatter_dim": scatter_dim, "cluster_axis": cluster_axis}
        return self._make("reduce_scatter", {**given, **rest}, self._input_type(shape, self._element(input, None)))

    # Others whose result no op of TTIR has

    def sampling(self, input_values, input_indices, k, p, temp, seed=None, loc=None):
        given = {"input_values": input_values, "input_indices": input_indices, "k": k, "p": p, "temp": temp, "seed": seed, "loc": loc}
        return self._make("sampling", given, self._input_type([self.get_shape(k)[0]], "i32"))

    def moe_expert_token_remap(self, *args, **given):
        return self._routed("moe_expert_token_remap", args, {"reduction_size": 32, **given}, ("mapping", "reduced"))

    def _statistics(self, name, input, columns, given):
        """What the devices tell each other of a row: its sums, in tiles."""
        shape = [*self.get_shape(input)[:-1], columns]
        return self._make(name, {**given, "input": input}, self._input_type(shape, self._element(input, given.get("output_type"))))

    def rms_norm_pre_all_gather(self, input: Operand, residual=None, **given):
        return self._statistics("rms_norm_pre_all_gather", input, 32, {**given, "residual": residual})

    def layer_norm_pre_all_gather(self, input: Operand, residual_input=None, recip=None, **given):
        return self._statistics("layer_norm_pre_all_gather", input, 64, {**given, "residual_input": residual_input, "recip": recip})

    def layer_norm_post_all_gather(self, input: Operand, stats: Operand, weight=None, bias=None, epsilon: float = 1e-12, **given):
        rest = {"input": input, "stats": stats, "weight": weight, "bias": bias, "epsilon": epsilon}
        return self._make("layer_norm_post_all_gather", {**given, **rest}, self._input_type(self.get_shape(input), self._element(input, None)))

    def rms_norm(self, input_tensor: Operand, weight=None, bias=None, epsilon: float = 1e-05, **given):
        rest = {"input": input_tensor, "weight": weight, "bias": bias, "epsilon": epsilon}
        return self._make("rms_norm", {**given, **rest}, self._input_type(self.get_shape(input_tensor), self._element(input_tensor, None)))

    def dump_tensor(self, in0: Operand, file_path: str, loc=None):
        self._b.op("ttnn.dump_tensor", [in0], attrs={"file_path": file_path}, results=[], loc=loc or self._caller())

    def deallocate(self, input: Operand, force: bool = False, loc=None):
        self._b.op("ttnn.deallocate", [input], attrs={"force": force}, results=[], loc=loc or self._caller())


def _flat(values):
    for v in values:
        if isinstance(v, (list, tuple)):
            yield from _flat(v)
        else:
            yield v


def _sizes(value):
    """A #ttnn.shape as TTIR has it."""
    return [int(n) for n in str(value)[len("#ttnn.shape<") : -1].split("x")] if str(value).startswith("#ttnn.shape<") else value


def _moved(value, place):
    """An argument with its values in the scratch function."""
    if isinstance(value, list):
        return [_moved(v, place) for v in value]
    return place.get(id(value), value)
