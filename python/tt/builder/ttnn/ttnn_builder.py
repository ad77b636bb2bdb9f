"""Graphs of TTNN: tensors are tiles in the memory of a device."""

import tessera as ts
from builder.base.builder import Builder
from builder.base.builder_utils import element_text

_TILE = 32


class TTNNBuilder(Builder):
    """A method for each op of TTNN. The shape of a result is that of TTIR's op of the same name."""

    DIALECT = "ttnn"

    def create_tensor_encoding(self, shape, element):
        """The layout of a tensor as tiles in DRAM."""
        if not shape:
            shape = [1]
        rows = 1
        for n in shape[:-1][:-1]:
            rows *= n
        height = shape[-2] if len(shape) > 1 else 1
        padded = -(-height // _TILE) * _TILE
        names = [f"d{i}" for i in range(len(shape))]
        steps, step = [], padded
        for i in reversed(range(len(shape) - 2)):
            steps.insert(0, f"{names[i]} * {step}")
            step *= shape[i]
        row = " + ".join([*steps, names[-2]] if len(shape) > 1 else ["0"])
        tiles = f"{rows * padded // _TILE}x{-(-shape[-1] // _TILE)}"
        view = f"({', '.join(names)}) -> ({row}, {names[-1]}), <1x1>"
        return self._ctx.parse_attr(
            f"#ttnn.ttnn_layout<{view}, memref<{tiles}x!ttcore.tile<{_TILE}x{_TILE}, {element}>, #ttnn.buffer_type<dram>>, <interleaved>>"
        )

    def _input_type(self, shape, dtype):
        element = element_text(dtype)
        shape = list(shape)
        return self._ctx.tensor(shape, element, self.create_tensor_encoding(shape, element))

    def _with_element(self, type, dtype):
        return self._input_type(type.shape, dtype)

    def _op(self, name, args, given, output=None):
        if output is None:
            output = self._result_types(name, args, given)
        return super()._op(name, args, given, output)

    def _result_types(self, name, args, given):
        """TTIR's op of the same name is made for a moment, of the same shapes."""
        scratch = ts.Builder(ts.Module(context=self._ctx), dialect="ttir")
        values = [v for v in args if isinstance(v, ts.Value)]
        types = [self._ctx.tensor(v.type.shape, v.type.element) for v in values]
        known = {k: v for k, v in given.items() if k not in ("loc", "unit_attrs", "output_type", "golden_kwargs", "sharding_attr")}
        made = scratch.function("f", types)
        with made as inner:
            place = dict(zip(map(id, values), inner))
            found = getattr(scratch, name)(*(place.get(id(a), a) for a in args), **known)
            found = found if isinstance(found, list) else [found]
            shapes = [(v.type.shape, str(v.type.element)) for v in found]
            scratch.ret()
        return [self._input_type(s, e) for s, e in shapes]
