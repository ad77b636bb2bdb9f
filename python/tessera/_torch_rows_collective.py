# SPDX-License-Identifier: Apache-2.0
"""Rows of torch.distributed's functional collectives, in programs that are exported: each device's own program, whose groups are lists of ranks. In programs
that torch.compile makes they run in torch's process groups."""

from ._torch_emit import Unsupported, numel
from ._torch_table import row

_OPS = {"sum": "add", "avg": "add", "product": "multiply", "min": "minimum", "max": "maximum"}


def _groups(groups):
    rows = ", ".join(str(list(g)) for g in groups)
    return ("replica_groups", "text", f"dense<[{rows}]> : tensor<{len(groups)}x{len(groups[0])}xi64>")


def _common(e, groups):
    e.counter += 1
    return [_groups(groups), ("channel_handle", "text", f"#stablehlo.channel_handle<handle = {e.counter}, type = 1>"), ("use_global_device_ids", "text", "unit")]


def _body(e, op, d):
    if op not in _OPS:
        raise Unsupported(f"the reduction {op}")
    return e.region([((), d)] * 2, lambda x, y: [e.bi(_OPS[op], x, y)])


def _mean(e, v, op, groups):
    return e.bi("divide", v, e.const(len(groups[0]), v.s, v.d)) if op == "avg" else v


@row("_c10d_functional.all_reduce")
def all_reduce(e, out, a, op, groups):
    made = e.op("stablehlo.all_reduce", (a,), _common(e, groups), [(a.s, a.d)], [_body(e, op, a.d)])[0]
    return _mean(e, made, op, groups)


@row("_c10d_functional.all_gather_into_tensor")
def all_gather(e, out, a, size, groups):
    return e.op("stablehlo.all_gather", (a,), [("all_gather_dim", "i64", 0), *_common(e, groups)], [(out.s, a.d)])[0]


@row("_c10d_functional.reduce_scatter_tensor")
def reduce_scatter(e, out, a, op, size, groups):
    made = e.op("stablehlo.reduce_scatter", (a,), [("scatter_dimension", "i64", 0), *_common(e, groups)], [(out.s, a.d)], [_body(e, op, a.d)])[0]
    return _mean(e, made, op, groups)


@row("_c10d_functional.all_to_all_single")
def all_to_all(e, out, a, out_sizes, in_sizes, groups):
    n = len(groups[0])
    if len(set(out_sizes)) > 1 or len(set(in_sizes)) > 1 or not numel(a.s):
        raise Unsupported("parts of different sizes")
    attrs = [("split_dimension", "i64", 0), ("concat_dimension", "i64", 0), ("split_count", "i64", n), *_common(e, groups)[:2]]
    return e.op("stablehlo.all_to_all", (a,), attrs, [(out.s, a.d)])[0]


@row("_c10d_functional.wait_tensor")
def wait(e, out, a):
    return a
