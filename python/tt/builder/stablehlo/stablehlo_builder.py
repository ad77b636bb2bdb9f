# SPDX-License-Identifier: Apache-2.0
"""Graphs of StableHLO, with shardings."""

from typing import Any, Callable, List, Optional

import tessera as ts
from builder.base.builder import Builder
from builder.base.builder_utils import Operand, Shape, element_text, find_functions, process_multi_return_result
from builder.base.signatures import table
from golden.mapping import as_array, narrowed
from ttmlir.dialects import stablehlo
from ttmlir.ir import Block, InsertionPoint, Location

SIGNATURES = table(
    """
    concatenate: inputs dim>dimension
    exp>exponential: in0
    expm1>exponential_minus_one: in0
    get_dimension_size: in0 dimension=0
    log1p>log_plus_one: in0
    logical_and>and: in0 in1
    max>maximum: in0 in1
    min>minimum: in0 in1
    mul>multiply: in0 in1
    neg>negate: in0
    pow>power: in0 in1
    """
)


class StableHLOBuilder(Builder):
    """A method for each op of StableHLO, and attributes and ops of Shardy."""

    DIALECT = "stablehlo"
    SIGNATURES = SIGNATURES

    def _start(self):
        axes = ", ".join(f'"{name}"={size}' for name, size in self._mesh_dict.items())
        self._b.sdy.mesh(self._mesh_name, f"<[{axes}]>", loc=self._ctx.parse_attr("loc(unknown)"))

    # Attributes of Shardy: texts until one is put on something

    def axis_ref_attr(self, name: str, sub_axis_info_attr=None):
        return f'"{name}"' + (f":{sub_axis_info_attr}" if sub_axis_info_attr else "")

    def dimension_sharding_attr(self, axes: List[str], is_closed: bool, priority: Optional[int] = None):
        words = [*axes, *([] if is_closed else ["?"])]
        return "{" + ", ".join(words) + "}" + (f"p{priority}" if priority is not None else "")

    def tensor_sharding_attr(
        self, mesh_name: str, dimension_shardings: List[str], replicated_axes: Optional[List[str]] = None, unreduced_axes: Optional[List[str]] = None
    ):
        more = "".join(f", {word}={{{', '.join(axes)}}}" for word, axes in (("replicated", replicated_axes), ("unreduced", unreduced_axes)) if axes)
        return self._ctx.parse_attr(f"#sdy.sharding<@{mesh_name}, [{', '.join(dimension_shardings)}]{more}>")

    def tensor_sharding_per_value_attr(self, shardings: List[Any]):
        return self._ctx.parse_attr(f"#sdy.sharding_per_value<[{', '.join(map(_inner, shardings))}]>")

    def axes_ref_list_attr(self, axis_ref_list: List[str]):
        return "{" + ", ".join(axis_ref_list) + "}"

    def list_of_axis_ref_lists_attr(self, axis_ref_lists: List[str]):
        return "[" + ", ".join(axis_ref_lists) + "]"

    def mesh_axis_attr(self, name: str, size: int):
        return f'"{name}"={size}'

    def mesh_attr(self, axes: List[str]):
        return f"<[{', '.join(axes)}]>"

    def manual_axes_attr(self, manual_axes: List[str]):
        return self._ctx.parse_attr(f"#sdy<manual_axes{{{', '.join(repr_axis(a) for a in manual_axes)}}}>")

    # Ops

    def mesh(self, mesh_name: str, mesh_attr: str):
        return self._b.sdy.mesh(mesh_name, mesh_attr)

    def sharding_constraint(self, in0: Operand, tensor_sharding_attr, loc=None):
        """The value, which is to be sharded so."""
        return self._given_out(self._b.sdy.sharding_constraint(in0, tensor_sharding_attr, loc=loc or self._caller()))

    def reshard(self, in0: Operand, tensor_sharding_attr, loc=None):
        return self._given_out(self._b.sdy.reshard(in0, tensor_sharding_attr, loc=loc or self._caller()))

    def _of(self, shape, like):
        return self._ctx.tensor(list(shape), like if isinstance(like, str) else self.get_type(like).element)

    def _one(self, name, given, output=None):
        """An op from its arguments by name; the only result of one that might have several."""
        made = self._make(name, given, output)
        return made[0] if isinstance(made, tuple) and len(made) == 1 else made

    def constant(self, value, loc: Optional[str] = None, unit_attrs=None, sharding_attr=None):
        return self._constant(value, loc, unit_attrs, {"sdy.sharding": sharding_attr} if sharding_attr is not None else None)

    def _scalar(self, number, like):
        """A constant of one number, of the elements of something."""
        type = self._of((), like)
        array = ts.tensors.numpy().asarray(number)
        return self._make("constant", {"value": ts.tensors.elements(self._b.module, narrowed(array, type), type)})

    def dot_general(self, in0: Operand, in1: Operand, batch_dims_lhs, contract_dims_lhs, batch_dims_rhs, contract_dims_rhs, **given):
        numbers = stablehlo.DotDimensionNumbers.get(batch_dims_lhs, batch_dims_rhs, contract_dims_lhs, contract_dims_rhs, self._ctx)
        a, b = self.get_shape(in0), self.get_shape(in1)
        rest = [n for i, n in enumerate(a) if i not in (*batch_dims_lhs, *contract_dims_lhs)] + [n for i, n in enumerate(b) if i not in (*batch_dims_rhs, *contract_dims_rhs)]
        output = self._of([a[i] for i in batch_dims_lhs] + rest, in0)
        return self._make("dot_general", {**given, "lhs": in0, "rhs": in1, "dot_dimension_numbers": numbers}, output)

    def reshape(self, in0: Operand, shape: Shape, **given):
        return self._make("reshape", {**given, "operand": in0}, self._of(shape, in0))

    def broadcast_in_dim(self, in0: Operand, broadcast_dimensions, output_shape: Shape, **given):
        return self._make("broadcast_in_dim", {**given, "operand": in0, "broadcast_dimensions": list(broadcast_dimensions)}, self._of(output_shape, in0))

    def pad(self, in0: Operand, padding_value: Operand, padding: List[int], **given):
        """padding: before and after each dimension, one after the other."""
        low, high = list(padding[0::2]), list(padding[1::2])
        return self._make("pad", {**given, "operand": in0, "padding_value": padding_value, "edge_padding_low": low, "edge_padding_high": high, "interior_padding": [0] * len(low)})

    def iota(self, output, iota_dimension: int, **given):
        return self._make("iota", {**given, "iota_dimension": iota_dimension}, output)

    def dynamic_iota(self, output, output_shape: Operand, iota_dimension: int, **given):
        return self._make("dynamic_iota", {**given, "output_shape": output_shape, "iota_dimension": iota_dimension}, output)

    def convert(self, in0: Operand, output_type=None, **given):
        """The same numbers in another type."""
        output = self._of(self.get_shape(in0), element_text(output_type)) if output_type is not None else None
        return self._make("convert", {**given, "operand": in0}, output)

    def dynamic_slice(self, operand: Operand, start_indices, slice_sizes, **given):
        """start_indices: numbers, or values."""
        if all(isinstance(i, int) for i in start_indices):
            ends = [i + n for i, n in zip(start_indices, slice_sizes)]
            return self.slice(operand, list(start_indices), ends, [1] * len(ends), **given)
        starts = [self._scalar(i, "i64") if isinstance(i, int) else i for i in start_indices]
        return self._make("dynamic_slice", {**given, "operand": operand, "start_indices": starts, "slice_sizes": list(slice_sizes)})

    def sort(self, in0: Operand, dimension: int = -1, is_stable: bool = False, descending: bool = False, value_inputs: Optional[List[Operand]] = None, **given):
        """Sorts by the first; the others go with it."""

        def before(*values):
            return self._make("compare", {"lhs": values[0], "rhs": values[1], "comparison_direction": "GT" if descending else "LT", "compare_type": _order(values[0])})

        rest = {**given, "inputs": [in0, *(value_inputs or [])], "dimension": dimension, "is_stable": is_stable, "comparator": before}
        made = self._one("sort", rest)
        return list(made) if isinstance(made, tuple) else made

    def _body(self, function):
        """A region's function, which may make its ops by the classes of ttmlir.dialects."""

        def run(*values):
            block = Block(self._b.module, self._b._block._handle)
            with self._ctx, Location.unknown(self._ctx), InsertionPoint(block):
                return process_multi_return_result(function(*map(self._given_out, values)))

        return run

    def reduce(self, inputs, init_values, dimensions, body: Callable, result_types=None, **given):
        rest = {**given, "inputs": list(inputs), "init_values": list(init_values), "dimensions": list(dimensions), "body": self._body(body)}
        return self._one("reduce", rest, result_types and list(result_types))

    def reduce_window(self, in0: Operand, init_value, window_dimensions, window_strides=None, base_dilations=None, window_dilations=None, padding=None, body: str = "add", **given):
        """Sums, or greatest or least ones, of windows. init_value: a number."""
        words = {"add": "add", "max": "maximum", "min": "minimum", "mul": "multiply"}
        start = init_value if isinstance(init_value, ts.Value) else self._scalar(init_value, in0)
        rest = {"inputs": [in0], "init_values": [start], "window_dimensions": list(window_dimensions), "window_strides": window_strides}
        rest.update(base_dilations=base_dilations, window_dilations=window_dilations, body=lambda a, b: self._make(words[body], {"lhs": a, "rhs": b}))
        if padding is not None:
            rest["padding"] = as_array([list(p) for p in padding]).astype("int64")
        return self._one("reduce_window", {**given, **rest})

    def pool_2d(self, in0: Operand, kernel_size, stride=None, padding=None, pool_type: str = "max", **given):
        """Greatest ones of windows, or their means. padding: before and after each dimension, one after the other."""
        pairs = list(zip(padding[0::2], padding[1::2])) if padding is not None else None
        if pool_type == "max":
            return self.reduce_window(in0, float("-inf"), kernel_size, stride, padding=pairs, body="max", **given)
        total = self.reduce_window(in0, 0.0, kernel_size, stride, padding=pairs, **given)
        count = self._make("broadcast_in_dim", {"operand": self._scalar(float(_product(kernel_size)), in0), "broadcast_dimensions": []}, self.get_type(total))
        return self._make("divide", {"lhs": total, "rhs": count})

    def convolution(
        self,
        in0: Operand,
        weight: Operand,
        window_strides,
        padding,
        lhs_dilation,
        rhs_dilation,
        input_batch_dimension: int,
        input_feature_dimension: int,
        input_spatial_dimensions: List[int],
        kernel_output_feature_dimension: int,
        kernel_input_feature_dimension: int,
        kernel_spatial_dimensions: List[int],
        output_batch_dimension: int,
        output_feature_dimension: int,
        output_spatial_dimensions: List[int],
        feature_group_count: int,
        batch_group_count: int,
        **given,
    ):
        """padding: before and after each dimension, or one number for both."""
        numbers = stablehlo.ConvDimensionNumbers.get(
            input_batch_dimension,
            input_feature_dimension,
            input_spatial_dimensions,
            kernel_input_feature_dimension,
            kernel_output_feature_dimension,
            kernel_spatial_dimensions,
            output_batch_dimension,
            output_feature_dimension,
            output_spatial_dimensions,
            self._ctx,
        )
        n = len(input_spatial_dimensions)
        pairs = [[p, p] for p in padding] if len(padding) == n else [list(padding[2 * i : 2 * i + 2]) for i in range(n)]
        rest = {"lhs": in0, "rhs": weight, "window_strides": window_strides, "padding": as_array(pairs).astype("int64"), "lhs_dilation": lhs_dilation}
        rest.update(rhs_dilation=rhs_dilation, dimension_numbers=numbers, feature_group_count=feature_group_count, batch_group_count=batch_group_count)
        return self._make("convolution", {**given, **rest})

    def gather(
        self,
        operand: Operand,
        start_indices: Operand,
        offset_dims,
        collapsed_slice_dims,
        operand_batching_dims,
        start_indices_batching_dims,
        start_index_map,
        index_vector_dim: int,
        slice_sizes,
        indices_are_sorted: bool = False,
        **given,
    ):
        dims = offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims, start_index_map, index_vector_dim
        rest = {"operand": operand, "start_indices": start_indices, "dimension_numbers": stablehlo.GatherDimensionNumbers.get(*dims, self._ctx)}
        return self._make("gather", {**given, **rest, "slice_sizes": list(slice_sizes), "indices_are_sorted": indices_are_sorted})

    def scatter(
        self,
        inputs,
        scatter_indices: Operand,
        updates,
        update_window_dims,
        inserted_window_dims,
        scattered_dims_to_operand_dims,
        index_vector_dim: int,
        update_computation: Callable,
        input_batching_dims=None,
        scatter_indices_batching_dims=None,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        **given,
    ):
        dims = update_window_dims, inserted_window_dims, input_batching_dims or [], scatter_indices_batching_dims or [], scattered_dims_to_operand_dims, index_vector_dim
        rest = {"inputs": list(inputs), "scatter_indices": scatter_indices, "updates": list(updates), "scatter_dimension_numbers": stablehlo.ScatterDimensionNumbers.get(*dims, self._ctx)}
        rest.update(indices_are_sorted=indices_are_sorted, unique_indices=unique_indices, update_computation=self._body(update_computation))
        return self._one("scatter", {**given, **rest})

    def composite(self, composite_name: str, operands: List[Operand], decomposition, composite_attributes=None, **given):
        """An op with a name of its own; decomposition: the function, or its name, that says what it computes."""
        name = decomposition.lstrip("@") if isinstance(decomposition, str) else decomposition.attributes["sym_name"].value
        function = find_functions(self._b.module)[name]
        results = list(function.attributes["function_type"].type.outputs)
        rest = {"inputs": list(operands), "name": composite_name, "decomposition": name, "composite_attributes": composite_attributes}
        return self._one("composite", {**given, **rest}, results)

    # Collectives

    def _sum(self, a, b):
        return self._make("add", {"lhs": a, "rhs": b})

    def reduce_scatter(self, input: Operand, scatter_dimensions: int, replica_groups: List[List[int]], **given):
        """The sum over a group of devices, of which each keeps its part."""
        shape = list(self.get_shape(input))
        shape[scatter_dimensions] //= len(replica_groups[0])
        rest = {"operand": input, "scatter_dimension": scatter_dimensions, "replica_groups": _groups(self._ctx, replica_groups), "computation": self._sum}
        return self._make("reduce_scatter", {**given, **rest}, self._of(shape, input))

    def all_reduce(self, input: Operand, replica_groups: List[List[int]], **given):
        return self._one("all_reduce", {**given, "operands": [input], "replica_groups": _groups(self._ctx, replica_groups), "computation": self._sum})

    def collective_permute(self, input: Operand, source_target_pairs: List[List[int]], **given):
        return self._make("collective_permute", {**given, "operand": input, "source_target_pairs": _groups(self._ctx, source_target_pairs)})

    def collective_broadcast(self, input: Operand, replica_groups: List[List[int]], **given):
        return self._one("collective_broadcast", {**given, "operands": [input], "replica_groups": _groups(self._ctx, replica_groups)})

    def all_to_all(self, input: Operand, split_dim: int, concat_dim: int, split_count: int, replica_groups: List[List[int]], **given):
        rest = {"operands": [input], "split_dimension": split_dim, "concat_dimension": concat_dim, "split_count": split_count}
        return self._one("all_to_all", {**given, **rest, "replica_groups": _groups(self._ctx, replica_groups)})

    def all_gather(self, input: Operand, all_gather_dim: int, replica_groups: List[List[int]], **given):
        """What devices of a group have, side by side."""
        type = self.get_type(input)
        shape = list(type.shape)
        shape[all_gather_dim] *= len(replica_groups[0])
        groups = _groups(self._ctx, replica_groups)
        rest = {**given, "all_gather_dim": all_gather_dim, "replica_groups": groups}
        return self._one("all_gather", {**rest, "operands": [input]}, [self._ctx.tensor(shape, type.element)])

    def manual_computation(self, single_device_func: Callable, original_inputs: List[Operand], in_shardings, out_shardings, manual_axes: List[str], loc=None):
        """A program for each device, over what it has of the inputs."""
        where = loc or self._caller()
        types = [self._local(self.get_type(v), s, manual_axes) for v, s in zip(original_inputs, in_shardings)]
        region = self._b.empty_region()
        block = region.add_block(types, loc=where)
        place = self._b._block, self._b._before
        self._b.at_end(block)
        try:
            results = process_multi_return_result(self._run(single_device_func, block.args))
            self._b.op("sdy.return", results, results=[], loc=where)
        finally:
            self._b._block, self._b._before = place
        outs = [self._whole(v.type, s, manual_axes) for v, s in zip(results, out_shardings)]
        attrs = {
            "in_shardings": self.tensor_sharding_per_value_attr(in_shardings),
            "out_shardings": self.tensor_sharding_per_value_attr(out_shardings),
            "manual_axes": self.manual_axes_attr(manual_axes),
        }
        made = [self._given_out(v) for v in self._b.op("sdy.manual_computation", original_inputs, attrs=attrs, results=outs, regions=[region], loc=where).results]
        return made[0] if len(made) == 1 else tuple(made)

    def sdy_all_gather(self, input: Operand, gathering_axes, out_sharding, loc=None):
        """Gathers along axes of the mesh, by dimension."""
        attrs = {"gathering_axes": self._ctx.parse_attr(f"#sdy<list_of_axis_ref_lists{gathering_axes}>"), "out_sharding": out_sharding}
        return self._given_out(self._b.op("sdy.all_gather", [input], attrs=attrs, results=[self.get_type(input)], loc=loc or self._caller()).result)

    def _parts(self, sharding, manual_axes):
        """How many parts each dimension has along manual axes."""
        import re

        dims = re.search(r"\[(.*)\]", str(sharding)).group(1)
        return [_product(self._mesh_dict[a] for a in re.findall(r'"([^"]*)"', d) if a in manual_axes) for d in re.findall(r"\{[^}]*\}", dims)]

    def _local(self, type, sharding, manual_axes):
        return self._ctx.tensor([n // p for n, p in zip(type.shape, self._parts(sharding, manual_axes))], type.element)

    def _whole(self, type, sharding, manual_axes):
        return self._ctx.tensor([n * p for n, p in zip(type.shape, self._parts(sharding, manual_axes))], type.element)


def repr_axis(name):
    return f'"{name}"'


def _order(value):
    """How two numbers are compared in a sort: floats by all their bits."""
    text = str(value.type.element)
    return "TOTALORDER" if "f" in text else "UNSIGNED" if text.startswith("ui") or text == "i1" else "SIGNED"


def _product(numbers):
    found = 1
    for n in numbers:
        found *= n
    return found


def _inner(attr):
    """A sharding as it is written in a list of them."""
    return str(attr).replace("#sdy.sharding", "", 1)


def _groups(ctx, groups):
    rows = ", ".join(f"[{', '.join(str(int(n)) for n in row)}]" for row in groups)
    return ctx.parse_attr(f"dense<[{rows}]> : tensor<{len(groups)}x{len(groups[0])}xi64>")

