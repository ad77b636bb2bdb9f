#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gradients of the corpus' programs against JAX's.

A module is read with jaxlib's MLIR and each of its ops is done by the jax.lax function that means the same; jax.vjp of that
is the gradient to compare with. Prints, per program, the worst relative error and correlation over all gradients.

  grad.py [--bin DIR] [--write DIR] [PROGRAM...]     --write: keep cotangents and gradients (small ones) as data for
                                                     tests/pass/grad/jax.sh, which needs no JAX
"""
import argparse
import os
import subprocess
import sys
import tempfile

import jax
import numpy as np
from jax import lax
import jax.numpy as jnp
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(HERE, "..", "corpus")
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")

TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": jnp.bfloat16, "i1": np.bool_, "i8": np.int8,
         "i16": np.int16, "i32": np.int32, "i64": np.int64, "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32,
         "ui64": np.uint64}


def shape_of(t):
    t = ir.RankedTensorType(t)
    return tuple(t.shape), TYPES[str(t.element_type)]


def ints(a):
    return [int(x) for x in a]


def field(attr, name, default=()):
    """A list or number in the text of an attribute such as #stablehlo.gather<...>."""
    text = str(attr)
    key = name + " = "
    if key not in text:
        return list(default) if isinstance(default, tuple) else default
    rest = text[text.index(key) + len(key):]
    if rest[0] == "[":
        inner = rest[1:rest.index("]")].strip()
        return [int(x) for x in inner.split(",")] if inner else []
    return int("".join(c for c in rest.split(",")[0].split(">")[0] if c.isdigit() or c == "-"))


UNARY = {"tanh": lax.tanh, "exponential": lax.exp, "log": lax.log, "rsqrt": lax.rsqrt, "sqrt": lax.sqrt, "negate": lax.neg,
         "abs": lax.abs, "sine": lax.sin, "cosine": lax.cos, "logistic": lax.logistic, "floor": lax.floor, "ceil": lax.ceil,
         "sign": lax.sign, "not": lax.bitwise_not, "log_plus_one": lax.log1p, "exponential_minus_one": lax.expm1,
         "is_finite": lax.is_finite, "round_nearest_even": lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)}
BINARY = {"add": lax.add, "subtract": lax.sub, "multiply": lax.mul, "divide": lax.div, "maximum": lax.max,
          "minimum": lax.min, "power": lax.pow, "remainder": lax.rem, "and": lax.bitwise_and, "or": lax.bitwise_or,
          "xor": lax.bitwise_xor, "shift_left": lax.shift_left, "shift_right_logical": lax.shift_right_logical,
          "shift_right_arithmetic": lax.shift_right_arithmetic, "atan2": lax.atan2}
COMPARE = {"EQ": lax.eq, "NE": lax.ne, "LT": lax.lt, "LE": lax.le, "GT": lax.gt, "GE": lax.ge}
REDUCERS = {"add": lax.reduce_sum_p, "maximum": lax.reduce_max_p, "minimum": lax.reduce_min_p,
            "multiply": lax.reduce_prod_p, "and": lax.reduce_and_p, "or": lax.reduce_or_p}


class Program:
    def __init__(self, path):
        self.ctx = jax_mlir.make_ir_context()
        self.module = ir.Module.parse(open(path).read(), self.ctx)
        self.functions = {}
        for op in self.module.body.operations:
            if op.operation.name == "func.func":
                self.functions[ir.StringAttr(op.attributes["sym_name"]).value] = op

    def call(self, name, args):
        return self.block(self.functions[name].regions[0].blocks[0], args, {})

    def block(self, block, args, env):
        env = dict(env)
        for a, v in zip(block.arguments, args):
            env[a] = v
        for op in block.operations:
            op = op.operation
            name = op.name
            inputs = [env[v] for v in op.operands]
            if name in ("func.return", "stablehlo.return", "sdy.return"):
                return inputs
            outs = self.op(op, name, inputs, env)
            for r, v in zip(op.results, outs):
                env[r] = v
        return []

    @staticmethod
    def body(region):
        """The single op of a body, or None."""
        ops = list(region.blocks[0].operations)
        return ops[0].operation.name.split(".")[1] if len(ops) == 2 else None

    def op(self, op, name, x, env):
        a = op.attributes
        short = name.split(".", 1)[1]
        out_shape, out_type = shape_of(op.results[0].type) if len(op.results) else ((), None)
        if short in UNARY:
            return [UNARY[short](x[0])]
        if short in BINARY:
            return [BINARY[short](*x)]
        if short == "constant":
            attr = a["value"]
            if isinstance(attr, ir.DenseElementsAttr) and attr.is_splat:
                v = attr.get_splat_value()
                return [jnp.full(out_shape, v.value, out_type)]
            return [jnp.asarray(np.array(attr)).astype(out_type).reshape(out_shape)]
        if short in ("sharding_constraint", "optimization_barrier", "propagation_barrier"):
            return x
        if name == "func.call":
            return self.call(ir.FlatSymbolRefAttr(a["callee"]).value, x)
        if name == "chlo.square":
            return [x[0] * x[0]]
        if name == "chlo.erf_inv":
            return [lax.erf_inv(x[0])]
        if name == "chlo.top_k":
            return list(lax.top_k(x[0], ir.IntegerAttr(a["k"]).value))
        if short == "iota":
            return [lax.broadcasted_iota(out_type, out_shape, ir.IntegerAttr(a["iota_dimension"]).value)]
        if short == "convert":
            return [lax.convert_element_type(x[0], out_type)]
        if short == "bitcast_convert":
            return [lax.bitcast_convert_type(x[0], out_type)]
        if short == "compare":
            direction = str(a["comparison_direction"]).split()[-1].rstrip(">")
            return [COMPARE[direction](*x)]
        if short == "select":
            return [lax.select(jnp.broadcast_to(x[0], x[1].shape), x[1], x[2])]
        if short == "clamp":
            return [lax.clamp(*x)]
        if short == "broadcast_in_dim":
            return [lax.broadcast_in_dim(x[0], out_shape, ints(a["broadcast_dimensions"]))]
        if short == "reshape":
            return [lax.reshape(x[0], out_shape)]
        if short == "transpose":
            return [lax.transpose(x[0], ints(a["permutation"]))]
        if short == "reverse":
            return [lax.rev(x[0], ints(a["dimensions"]))]
        if short == "slice":
            return [lax.slice(x[0], ints(a["start_indices"]), ints(a["limit_indices"]), ints(a["strides"]))]
        if short == "pad":
            return [lax.pad(x[0], x[1], list(zip(ints(a["edge_padding_low"]), ints(a["edge_padding_high"]),
                                                 ints(a["interior_padding"]))))]
        if short == "concatenate":
            return [lax.concatenate(x, ir.IntegerAttr(a["dimension"]).value)]
        if short == "dynamic_slice":
            return [lax.dynamic_slice(x[0], x[1:], ints(a["slice_sizes"]))]
        if short == "dynamic_update_slice":
            return [lax.dynamic_update_slice(x[0], x[1], x[2:])]
        if short == "dot_general":
            d = a["dot_dimension_numbers"]
            numbers = ((field(d, "lhs_contracting_dimensions"), field(d, "rhs_contracting_dimensions")),
                       (field(d, "lhs_batching_dimensions"), field(d, "rhs_batching_dimensions")))
            return [lax.dot_general(x[0], x[1], numbers, precision=lax.Precision.HIGHEST, preferred_element_type=out_type)]
        if short == "convolution":
            return [self.convolution(a, x)]
        if short == "reduce":
            return self.reduce(op, a, x)
        if short == "reduce_window":
            return [self.reduce_window(op, a, x)]
        if short == "gather":
            d = a["dimension_numbers"]
            numbers = lax.GatherDimensionNumbers(
                tuple(field(d, "offset_dims")), tuple(field(d, "collapsed_slice_dims")), tuple(field(d, "start_index_map")),
                tuple(field(d, "operand_batching_dims")), tuple(field(d, "start_indices_batching_dims")))
            index = self.index_last(x[1], field(d, "index_vector_dim", 0))
            return [lax.gather(x[0], index, numbers, ints(a["slice_sizes"]), mode=lax.GatherScatterMode.CLIP)]
        if short == "scatter":
            d = a["scatter_dimension_numbers"]
            numbers = lax.ScatterDimensionNumbers(
                tuple(field(d, "update_window_dims")), tuple(field(d, "inserted_window_dims")),
                tuple(field(d, "scatter_dims_to_operand_dims")), tuple(field(d, "input_batching_dims")),
                tuple(field(d, "scatter_indices_batching_dims")))
            fn = {None: lax.scatter, "add": lax.scatter_add, "multiply": lax.scatter_mul, "minimum": lax.scatter_min,
                  "maximum": lax.scatter_max}[self.body(op.regions[0])]
            index = self.index_last(x[1], field(d, "index_vector_dim", 0))
            return [fn(x[0], index, x[2], numbers, mode=lax.GatherScatterMode.FILL_OR_DROP)]
        if short == "sort":
            dim = ir.IntegerAttr(a["dimension"]).value
            down = any("GT" in str(o) for o in op.regions[0].blocks[0].operations)
            keys = 1 if sum("stablehlo.compare" in str(o) for o in op.regions[0].blocks[0].operations) < 4 else len(x)
            if down:
                return [lax.rev(v, [dim]) for v in lax.sort(tuple(x), dim, num_keys=keys)]
            return list(lax.sort(tuple(x), dim, is_stable=True, num_keys=keys))
        if short == "while":
            state = x
            while bool(self.block(op.regions[0].blocks[0], state, env)[0]):
                state = self.block(op.regions[1].blocks[0], state, env)
            return state
        raise NotImplementedError(name)

    @staticmethod
    def index_last(index, dim):
        if dim == index.ndim:
            return index[..., None]
        return jnp.moveaxis(index, dim, -1)

    def reduce(self, op, a, x):
        dims = ints(a["dimensions"])
        kind = self.body(op.regions[0])
        if len(x) == 2 and kind in ("add", "maximum", "minimum"):
            fn = {"add": lax.add, "maximum": lax.max, "minimum": lax.min}[kind]
            both = {"add": jnp.sum, "maximum": jnp.max, "minimum": jnp.min}[kind]
            return [fn(both(x[0], axis=tuple(dims)), x[1])]
        if len(x) == 2 and kind in ("and", "or"):
            return [(jnp.all if kind == "and" else jnp.any)(x[0], axis=tuple(dims))]
        n = len(x) // 2
        region = op.regions[0].blocks[0]

        def both(p, q):
            return tuple(self.block(region, list(p) + list(q), {}))
        return list(lax.reduce(tuple(x[:n]), tuple(x[n:]), both, dims))

    def reduce_window(self, op, a, x):
        n = x[0].ndim
        ones = [1] * n
        get = lambda key, other: ints(a[key]) if key in a else other
        pad = np.array(a["padding"]).tolist() if "padding" in a else [[0, 0]] * n
        fn = {"add": lax.add, "maximum": lax.max, "minimum": lax.min, "multiply": lax.mul}[self.body(op.regions[0])]
        return lax.reduce_window(x[0], np.asarray(x[1]), fn, ints(a["window_dimensions"]), get("window_strides", ones), pad,
                                 get("base_dilations", ones), get("window_dilations", ones))

    @staticmethod
    def convolution(a, x):
        n = x[0].ndim - 2
        ones = [1] * n
        get = lambda key, other: ints(a[key]) if key in a else other
        text = str(a["dimension_numbers"])
        text = text[text.index("<") + 1:text.rindex(">")]
        parts = text.replace("->", "x").split("x")
        spec = lambda s, first, second: tuple(
            [s.index(first), s.index(second)] + [s.index(str(i)) for i in range(n)])
        lists = [[w.strip() for w in p.strip().strip("[]").split(",")] for p in parts]
        numbers = lax.ConvDimensionNumbers(spec(lists[0], "b", "f"), spec(lists[1], "o", "i"), spec(lists[2], "b", "f"))
        pad = np.array(a["padding"]).tolist() if "padding" in a else [[0, 0]] * n
        return lax.conv_general_dilated(
            x[0], x[1], get("window_strides", ones), [tuple(p) for p in pad], get("lhs_dilation", ones),
            get("rhs_dilation", ones), numbers, ir.IntegerAttr(a["feature_group_count"]).value,
            ir.IntegerAttr(a["batch_group_count"]).value, precision=lax.Precision.HIGHEST)


def is_float(v):
    return jnp.issubdtype(v.dtype, jnp.floating)


def load_all(directory, stem):
    out = []
    while os.path.exists(os.path.join(directory, f"{stem}{len(out)}.npy")):
        out.append(np.load(os.path.join(directory, f"{stem}{len(out)}.npy")))
    return out


def compare(got, want):
    got, want = np.asarray(got, np.float64).ravel(), np.asarray(want, np.float64).ravel()
    scale = np.abs(want).max() if want.size else 0
    error = np.abs(got - want).max() / scale if scale else np.abs(got).max(initial=0)
    flat = got.size < 2 or got.std() == 0 or want.std() == 0
    return error, (1.0 if flat else float(np.corrcoef(got, want)[0, 1]))


def check(name, binary, write):
    directory = os.path.join(CORPUS, name)
    path = os.path.join(directory, "module.mlir")
    program = Program(path)
    types = ir.FunctionType(ir.TypeAttr(program.functions["main"].attributes["function_type"]).value).inputs
    args = [jnp.asarray(v).astype(shape_of(t)[1]) for v, t in zip(load_all(directory, "in"), types)]
    wrt = [i for i, v in enumerate(args) if is_float(v)]

    def f(*floats):
        full = list(args)
        for i, v in zip(wrt, floats):
            full[i] = v
        return [r for r in program.call("main", full) if is_float(r)]
    outs, vjp = jax.vjp(f, *[args[i] for i in wrt])
    rng = np.random.default_rng(7)
    cts = [jnp.asarray(rng.standard_normal(o.shape)).astype(o.dtype) for o in outs]
    grads = vjp(cts)
    every = program.call("main", list(args))
    with tempfile.TemporaryDirectory() as tmp:
        module = os.path.join(tmp, "grad.mlir")
        subprocess.run([binary, "grad", path, "--function=main", "--wrt=" + ",".join(map(str, wrt)), "-o", module], check=True)
        command = [binary, "run", module, "--function=main_grad", "--output=" + tmp]
        command += [f"--input={os.path.join(directory, f'in{i}.npy')}" for i in range(len(args))]
        at = 0
        for k, r in enumerate(every):
            value = np.asarray(cts[at] if is_float(r) else np.zeros(r.shape, r.dtype))
            at += is_float(r)
            if value.dtype == jnp.bfloat16:
                value = value.astype(np.float32)
            np.save(os.path.join(tmp, f"ct{k}.npy"), value)
            command.append("--input=" + os.path.join(tmp, f"ct{k}.npy"))
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(f"{name:24} FAIL {done.stderr.strip()[:300]}")
            return False
        worst, correlation = 0.0, 1.0
        for k, g in enumerate(grads):
            got = np.load(os.path.join(tmp, f"out{k}.npy"))
            if got.dtype.kind == "V":
                got = np.asarray(got.view(np.uint16).astype(np.uint32) << 16, np.uint32).view(np.float32)
            error, pcc = compare(got, np.asarray(g, np.float64))
            worst, correlation = max(worst, error), min(correlation, pcc)
        limit = 2e-2 if "bf16" in open(path).read() else 1e-4
        ok = worst < limit and correlation > 0.999
        print(f"{name:24} {len(grads):3} gradients, relative error {worst:.2e}, correlation {correlation:.9f} "
              f"{'ok' if ok else 'FAIL'}")
        if write:
            keep(os.path.join(write, name), tmp, len(every), wrt, grads)
        return ok


def keep(directory, tmp, nct, wrt, grads):
    """The smallest gradients, up to 24 KB, and the cotangents."""
    os.makedirs(directory, exist_ok=True)
    chosen, size = [], 0
    for k in sorted(range(len(grads)), key=lambda k: grads[k].size):
        size += np.asarray(grads[k]).nbytes
        if size > 24 << 10 and chosen:
            break
        chosen.append(k)
    chosen.sort()
    for k in range(nct):
        np.save(os.path.join(directory, f"ct{k}.npy"), np.load(os.path.join(tmp, f"ct{k}.npy")))
    for n, k in enumerate(chosen):
        value = np.asarray(grads[k])
        np.save(os.path.join(directory, f"grad{n}.npy"),
                value.astype(np.float32) if value.dtype == jnp.bfloat16 else value)
    with open(os.path.join(directory, "wrt"), "w") as f:
        f.write(",".join(str(wrt[k]) for k in chosen) + "\n")


PROGRAMS = ["mlp_forward_tp", "gpt_forward_dp_tp", "resnet_forward_dp", "lstm_scan", "sort_cumsum_gather",
            "bf16_mixed_precision", "llama_decode_kvcache", "moe_topk_dispatch", "random_dropout"]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", default=os.path.join(HERE, "..", "..", "build", "bin"))
    p.add_argument("--write")
    p.add_argument("programs", nargs="*", default=PROGRAMS)
    o = p.parse_args()
    bad = 0
    for name in o.programs or PROGRAMS:
        try:
            bad += not check(name, os.path.join(o.bin, "tessera"), o.write)
        except NotImplementedError as e:
            print(f"{name:24} left out: no function for {e}")
            bad += 1
    sys.exit(1 if bad else 0)


main()
