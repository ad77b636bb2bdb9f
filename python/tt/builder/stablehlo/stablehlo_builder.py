"""Graphs of StableHLO, with shardings."""

from typing import Any, Callable, List, Optional

import tessera as ts
from builder.base.builder import Builder
from builder.base.builder_utils import Operand, process_multi_return_result


class StableHLOBuilder(Builder):
    """A method for each op of StableHLO, and attributes and ops of Shardy."""

    DIALECT = "stablehlo"

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

    # Ops

    def all_gather(self, input: Operand, all_gather_dim: int, replica_groups: List[List[int]], **given):
        """What devices of a group have, side by side."""
        type = self.get_type(input)
        shape = list(type.shape)
        shape[all_gather_dim] *= len(replica_groups[0])
        groups = _groups(self._ctx, replica_groups)
        rest = {**given, "all_gather_dim": all_gather_dim, "replica_groups": groups}
        made = self._op("all_gather", ([input],), rest, output=[self._ctx.tensor(shape, type.element)])
        return made[0] if isinstance(made, tuple) else made

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
            "manual_axes": self._ctx.parse_attr(f"#sdy<manual_axes{{{', '.join(repr_axis(a) for a in manual_axes)}}}>"),
        }
        made = self._b.op("sdy.manual_computation", original_inputs, attrs=attrs, results=outs, regions=[region], loc=where)
        return made.results[0] if len(made.results) == 1 else tuple(made.results)

    def sdy_all_gather(self, input: Operand, gathering_axes, out_sharding, loc=None):
        """Gathers along axes of the mesh, by dimension."""
        attrs = {"gathering_axes": self._ctx.parse_attr(f"#sdy<list_of_axis_ref_lists{gathering_axes}>"), "out_sharding": out_sharding}
        return self._b.op("sdy.all_gather", [input], attrs=attrs, results=[self.get_type(input)], loc=loc or self._caller()).result

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


_ = ts
