# SPDX-License-Identifier: Apache-2.0
"""Attributes of ttir, and what its ops compute of shapes."""

from .._affine import AffineDimExpr, AffineMap, AffineExpr
from .._attrs import struct


@struct(
    "ttir.convolution_layout",
    "input_batch input_feature input_spatial_dimensions kernel_output_feature kernel_input_feature kernel_spatial_dimensions"
    " output_batch output_feature output_spatial_dimensions",
)
class ConvolutionLayoutAttr:
    __slots__ = ()


def affine_map_compose(map, index):
    return map.compose(index)


def rearrange_inv_pattern_map(context, pattern, shape):
    """Where an element of the result of `a b -> b a` comes from: the map from its index to that of the operand."""
    left, right = (_names(side) for side in pattern.split("->"))
    sizes = {}
    for names, size in zip(left, shape):
        if len(names) == 1:
            sizes[names[0]] = size
    if any(len(names) != 1 for names in left):
        raise NotImplementedError(f"patterns that split dimensions: {pattern!r}")
    place = {}
    for i, names in enumerate(right):
        factor = 1
        for name in reversed(names):
            expr = AffineDimExpr.get(i)
            if factor != 1:
                expr = AffineExpr.get_floor_div(expr, factor)
            if len(names) > 1 and name is not names[0]:
                expr = AffineExpr.get_mod(expr, sizes[name])
            place[name] = expr
            factor *= sizes[name]
    return AffineMap.get(len(right), 0, [place[names[0]] for names in left], context)


def _names(side):
    """Names of a side, those in parentheses together."""
    found, group = [], None
    for word in side.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            group = []
        elif word == ")":
            found.append(group)
            group = None
        elif group is not None:
            group.append(word)
        else:
            found.append([word])
    return found

