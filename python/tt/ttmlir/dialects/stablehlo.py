# SPDX-License-Identifier: Apache-2.0
"""The dialect stablehlo: its ops, and the attributes of dimensions."""

from .._attrs import parse, struct
from .._ods import dialect as _dialect
from .._values import Attribute, _context

__getattr__, __dir__ = _dialect(__name__)


def _text_enum(name, attr):
    """Cases by their names."""
    from tessera import _library as c
    from tessera._library import lib

    from .._values import register_attr

    def get(cls, value, context=None):
        ctx = _context(context)
        return cls(ctx, ctx.enum(attr, value)._handle)

    fields = {"__slots__": (), "get": classmethod(get), "value": property(lambda self: c.borrowed(lib.tsr_attr_text(self._handle)).decode())}
    return register_attr(attr)(type(name, (Attribute,), fields))


ComparisonDirectionAttr = _text_enum("ComparisonDirectionAttr", "stablehlo.comparison_direction")
ComparisonTypeAttr = _text_enum("ComparisonTypeAttr", "stablehlo.comparison_type")
PrecisionAttr = _text_enum("PrecisionAttr", "stablehlo.precision")
FftTypeAttr = _text_enum("FftTypeAttr", "stablehlo.fft_type")
TransposeAttr = _text_enum("TransposeAttr", "stablehlo.transpose")
RngDistributionAttr = _text_enum("RngDistributionAttr", "stablehlo.rng_distribution")
RngAlgorithmAttr = _text_enum("RngAlgorithmAttr", "stablehlo.rng_algorithm")


def _lists(pairs):
    """name = [1, 2], without empty ones."""
    return ", ".join(f"{name} = [{', '.join(str(int(v)) for v in values)}]" for name, values in pairs if len(values))


@struct("stablehlo.dot", "lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions rhs_contracting_dimensions")
class DotDimensionNumbers:
    __slots__ = ()

    @classmethod
    def get(cls, lhs_batching_dimensions, rhs_batching_dimensions, lhs_contracting_dimensions, rhs_contracting_dimensions, context=None):
        body = _lists(
            [
                ("lhs_batching_dimensions", lhs_batching_dimensions),
                ("rhs_batching_dimensions", rhs_batching_dimensions),
                ("lhs_contracting_dimensions", lhs_contracting_dimensions),
                ("rhs_contracting_dimensions", rhs_contracting_dimensions),
            ]
        )
        return parse(f"#stablehlo.dot<{body}>", context)


@struct("stablehlo.gather", "offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims start_index_map index_vector_dim")
class GatherDimensionNumbers:
    __slots__ = ()

    @classmethod
    def get(cls, offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims, start_index_map, index_vector_dim, context=None):
        body = _lists(
            [
                ("offset_dims", offset_dims),
                ("collapsed_slice_dims", collapsed_slice_dims),
                ("operand_batching_dims", operand_batching_dims),
                ("start_indices_batching_dims", start_indices_batching_dims),
                ("start_index_map", start_index_map),
            ]
        )
        return parse(f"#stablehlo.gather<{body}{', ' if body else ''}index_vector_dim = {index_vector_dim}>", context)


@struct(
    "stablehlo.scatter",
    "update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims scattered_dims_to_operand_dims index_vector_dim",
)
class ScatterDimensionNumbers:
    __slots__ = ()

    @classmethod
    def get(
        cls,
        update_window_dims,
        inserted_window_dims,
        input_batching_dims,
        scatter_indices_batching_dims,
        scattered_dims_to_operand_dims,
        index_vector_dim,
        context=None,
    ):
        body = _lists(
            [
                ("update_window_dims", update_window_dims),
                ("inserted_window_dims", inserted_window_dims),
                ("input_batching_dims", input_batching_dims),
                ("scatter_indices_batching_dims", scatter_indices_batching_dims),
                ("scatter_dims_to_operand_dims", scattered_dims_to_operand_dims),
            ]
        )
        return parse(f"#stablehlo.scatter<{body}{', ' if body else ''}index_vector_dim = {index_vector_dim}>", context)


@struct(
    "stablehlo.conv",
    "input_batch_dimension input_feature_dimension input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension"
    " kernel_spatial_dimensions output_batch_dimension output_feature_dimension output_spatial_dimensions",
)
class ConvDimensionNumbers:
    __slots__ = ()

    @classmethod
    def get(
        cls,
        input_batch_dimension,
        input_feature_dimension,
        input_spatial_dimensions,
        kernel_input_feature_dimension,
        kernel_output_feature_dimension,
        kernel_spatial_dimensions,
        output_batch_dimension,
        output_feature_dimension,
        output_spatial_dimensions,
        ctx=None,
    ):
        def side(first, a, second, b, spatial):
            words = {first: a, second: b, **{d: str(i) for i, d in enumerate(spatial)}}
            return f"[{', '.join(words[i] for i in sorted(words))}]"

        left = side(input_batch_dimension, "b", input_feature_dimension, "f", input_spatial_dimensions)
        kernel = side(kernel_input_feature_dimension, "i", kernel_output_feature_dimension, "o", kernel_spatial_dimensions)
        right = side(output_batch_dimension, "b", output_feature_dimension, "f", output_spatial_dimensions)
        return parse(f"#stablehlo.conv<{left}x{kernel}->{right}>", ctx)

