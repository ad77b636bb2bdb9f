"""Graphs of TTIR."""

from typing import Any, List, Optional, Tuple

from builder.base.builder import Builder
from builder.base.builder_utils import Operand


class TTIRBuilder(Builder):
    """A method for each op of TTIR; results have the types that follow from operands and attributes."""

    DIALECT = "ttir"

    def _of(self, like, shape, given):
        """Arguments of an op whose result has this shape."""
        return self._ctx.tensor(shape, like.element)

    def mesh_shard(self, input: Operand, shard_direction, shard_type, shard_shape: Tuple[int, ...], shard_dims: Tuple[int, ...], **given):
        """The part of each device of a whole, or the whole of parts. A part that is one already keeps its shape in memory."""
        from builder.base.builder import _plain

        type = self.get_type(input)
        words = _plain(shard_type), _plain(shard_direction)
        shape = list(type.shape)
        for dim, parts in enumerate(shard_shape if words[0] != "replicate" else ()):
            shape[dim] = shape[dim] // parts if words[1] == "full_to_shard" else shape[dim] * parts
        given.update(shard_type=words[0], shard_direction=words[1], shard_shape=list(shard_shape), shard_dims=list(shard_dims))
        return self._op("mesh_shard", (input,), given, output=self._of(type, shape, given))

    def all_gather(self, input: Operand, all_gather_dim: Optional[int] = None, cluster_axis: Optional[int] = None, **given):
        """What the devices along an axis of the mesh have, side by side."""
        type = self.get_type(input)
        shape = list(type.shape)
        shape[all_gather_dim] *= self.mesh_shape[cluster_axis]
        return self._op("all_gather", (input,), {**given, "all_gather_dim": all_gather_dim, "cluster_axis": cluster_axis}, output=self._of(type, shape, given))

    def reduce_scatter(self, input: Operand, reduce_type, scatter_dim: int, cluster_axis: int, **given):
        """The sum over devices along an axis, of which each keeps its part."""
        type = self.get_type(input)
        shape = list(type.shape)
        shape[scatter_dim] //= self.mesh_shape[cluster_axis]
        rest = {**given, "reduce_type": reduce_type, "scatter_dim": scatter_dim, "cluster_axis": cluster_axis}
        return self._op("reduce_scatter", (input,), rest, output=self._of(type, shape, given))

    def preshard_arg(self, operand: Operand, shard_dims: Tuple[int, ...]):
        """The argument comes in parts: each device has its own."""
        type = self.get_type(operand)
        shape = list(type.shape)
        for axis, dim in enumerate(shard_dims):
            if dim >= 0:
                shape[dim] //= self.mesh_shape[axis]
        local = self._ctx.tensor(shape, type.element)
        self.set_arg_attribute(operand, "ttcore.local_shape", self._ctx.parse_attr(f"#ttcore<local_shape local_shape = {local}>"))
        self.set_arg_attribute(operand, "ttcore.shard_status", self._ctx.parse_attr("#ttcore.shard_status<presharded>"))
