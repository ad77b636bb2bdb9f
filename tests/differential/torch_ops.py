#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torch's own samples (OpInfo) of every core ATen op, in f32, bf16 and i64, through the table of tessera.torch, beside eager.

    torch_ops.py [--samples N] [--ops NAME...] [--table FILE] [-v]     exit code 1 where fewer than 97 % of ops agree, in all types

A sample agrees if every op of its graph ran in a program, and its results are those of eager within the tolerance. Ops without a row count as failing.
An op agrees in a type if all of its samples do. Data-dependent ops (nonzero and the like), whose result's shape no program can have, are listed apart."""

import argparse
import collections
import os
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[0] = str(ROOT / "python")
warnings.filterwarnings("ignore")

import torch  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils import _pytree as pytree  # noqa: E402

import tessera.torch as door  # noqa: E402
from tessera import _torch_call as call  # noqa: E402
from tessera._torch_graph import name_of  # noqa: E402

TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "i64": torch.int64}
TOLERANCE = {torch.float32: (1e-4, 2e-5), torch.bfloat16: (2e-2, 2e-2), torch.float64: (1e-7, 1e-7), torch.complex64: (1e-4, 2e-5)}
# Shapes of results that depend on data; a number that leaves the graph; memory without contents.
APART = {"nonzero", "_local_scalar_dense", "masked_select", "empty", "empty_strided", "resize_", "unique_consecutive", "unique_dim"}
RANDOM = {"rand", "randn", "randperm", "native_dropout", "randint", "bernoulli", "uniform", "normal"}
# Core ops without an OpInfo of their own, and OpInfos whose graphs have them.
OTHERS = {
    "_adaptive_avg_pool2d": ["nn.functional.adaptive_avg_pool2d"], "_adaptive_avg_pool3d": ["nn.functional.adaptive_avg_pool3d"],
    "adaptive_avg_pool1d": ["nn.functional.adaptive_avg_pool1d"], "avg_pool1d": ["nn.functional.avg_pool1d"], "avg_pool2d": ["nn.functional.avg_pool2d"],
    "avg_pool3d": ["nn.functional.avg_pool3d"], "_cdist_forward": ["cdist"], "_embedding_bag": ["nn.functional.embedding_bag"],
    "_log_softmax": ["log_softmax"], "_softmax": ["softmax"], "_pdist_forward": ["nn.functional.pdist"], "_to_copy": ["to"],
    "_native_batch_norm_legit": ["nn.functional.batch_norm"], "_native_batch_norm_legit_no_training": ["nn.functional.batch_norm"],
    "convolution": ["nn.functional.conv1d", "nn.functional.conv2d", "nn.functional.conv3d", "nn.functional.conv_transpose2d"], "embedding": ["nn.functional.embedding"],
    "gelu": ["nn.functional.gelu"], "hardtanh": ["nn.functional.hardtanh"], "leaky_relu": ["nn.functional.leaky_relu"], "relu": ["nn.functional.relu"],
    "max_pool2d_with_indices": ["nn.functional.max_pool2d"], "max_pool3d_with_indices": ["nn.functional.max_pool3d"],
    "native_group_norm": ["nn.functional.group_norm"], "grid_sampler_2d": ["nn.functional.grid_sample"], "upsample_bilinear2d": ["nn.functional.upsample_bilinear"],
    "upsample_nearest2d": ["nn.functional.upsample_nearest"], "constant_pad_nd": ["nn.functional.pad"], "reflection_pad1d": ["nn.functional.pad"],
    "reflection_pad2d": ["nn.functional.pad"], "reflection_pad3d": ["nn.functional.pad"], "replication_pad2d": ["nn.functional.pad"],
    "replication_pad3d": ["nn.functional.pad"], "col2im": ["nn.functional.fold"], "elu": ["nn.functional.elu"], "split_with_sizes": ["split_with_sizes"],
    "_fft_r2c": ["fft.rfft"], "_fft_c2c": ["fft.fft"], "_fft_c2r": ["fft.irfft"], "fill": ["fill"], "copy": ["clone"], "view": ["view"],
    "sum": ["sum"], "index_put": ["index_put"], "bitwise_and": ["bitwise_and"], "native_layer_norm": ["native_layer_norm", "nn.functional.layer_norm"],
    "convolution_backward": ["nn.functional.conv2d"], "max_pool2d_with_indices_backward": ["nn.functional.max_pool2d"],
    "avg_pool2d_backward": ["nn.functional.avg_pool2d"], "_adaptive_avg_pool2d_backward": ["nn.functional.adaptive_avg_pool2d"],
    "embedding_dense_backward": ["nn.functional.embedding"], "native_layer_norm_backward": ["nn.functional.layer_norm"],
    "native_group_norm_backward": ["nn.functional.group_norm"], "index": ["__getitem__", "index_select"], "native_dropout": ["nn.functional.dropout"],
}


def core_ops():
    found = set()
    for name in dir(torch.ops.aten):
        packet = getattr(torch.ops.aten, name)
        if any(torch.Tag.core in getattr(packet, o).tags for o in getattr(packet, "overloads", lambda: ())()):
            found.add(name)
    return sorted(found)


def infos(name):
    wanted = OTHERS.get(name)
    if wanted:
        return [o for o in op_db if o.name in wanted]
    plain = [o for o in op_db if o.name == name and not o.variant_test_name] + [o for o in op_db if o.name == name and o.variant_test_name]
    return plain or [o for o in op_db if o.aten_name == name]


def same(mine, theirs):
    if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
        return f"{mine.dtype} {tuple(mine.shape)}, not {theirs.dtype} {tuple(theirs.shape)}"
    rtol, atol = TOLERANCE.get(theirs.dtype, (0, 0))
    try:
        torch.testing.assert_close(mine, theirs, rtol=rtol, atol=atol, equal_nan=True, check_stride=False)
    except AssertionError as error:
        return " ".join(str(error).split())[:160]
    return None


def as_good(run, given, mine, theirs, k):
    """Of narrow floats: whether the result is no farther from that of wider ones than eager's is, twice. Of places of equal elements: any order is right."""
    if theirs.dtype == torch.int64 and k == 1:
        first = run(*given)[0]
        return first.shape == mine.shape and bool((torch.sort(mine, -1)[0] >= 0).all()) and Ties.are_right(given[0], mine, theirs)
    if theirs.dtype != torch.bfloat16:
        return False
    exact = run(*[g.double() if g.is_floating_point() else g for g in given])[k]
    a, b = (torch.nan_to_num((x.double() - exact).abs(), nan=0.0) for x in (mine, theirs))
    good = bool((torch.isnan(mine) == torch.isnan(exact)).all()) or bool((torch.isnan(mine) == torch.isnan(theirs)).all())
    return good and float(a.max()) <= 2 * float(b.max())


class Ties:
    """Indices of a sort that is not stable."""

    @staticmethod
    def are_right(x, mine, theirs):
        for d in range(x.dim()):
            try:
                if torch.equal(x.gather(d, mine), x.gather(d, theirs)):
                    return True
            except (RuntimeError, IndexError):
                pass
        return False


def tensors(x):
    return [t for t in pytree.tree_leaves(x) if isinstance(t, torch.Tensor)]


def try_sample(op, sample, backward, random):
    """None where it agrees; else why not; and the ops of the graph."""
    flat, spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    places = [i for i, t in enumerate(flat) if isinstance(t, torch.Tensor)]
    given = [flat[i].detach() for i in places]
    grads = [backward and t.is_floating_point() for t in given]

    def run(*values):
        values = [v.requires_grad_() if g else v for v, g in zip((v.detach() for v in values), grads)]
        leaves = list(flat)
        for i, v in zip(places, values):
            leaves[i] = v
        x, args, kwargs = pytree.tree_unflatten(leaves, spec)
        out = tensors(op.op(x, *args, **kwargs))
        if not backward:
            return [t.detach() for t in out]
        wanted = [v for v, g in zip(values, grads) if g]
        total = [t for t in out if t.requires_grad]
        return list(torch.autograd.grad(total, wanted, [torch.ones_like(t) for t in total], allow_unused=True))

    theirs = run(*[g.clone() for g in given])
    functional = run if backward else torch.func.functionalize(run)
    gm = make_fx(functional, decomposition_table=door._made["decompositions"], tracing_mode="fake")(*given)
    names = {name_of(n.target) for n in gm.graph.nodes if n.op == "call_function" and hasattr(n.target, "_schema")}
    plan = call.Plan(gm, {})
    if plan.eager:
        return f"in eager: {', '.join(sorted({name_of(n.target) + ' (' + str(r)[:80] + ')' for n, r in plan.eager.items()}))}", names
    plan.call._boxed_call = True
    mine = plan.call(list(given))
    for k, (a, b) in enumerate(zip(mine, theirs)):
        if a is None or b is None:
            if (a is None) != (b is None):
                return "a gradient is missing", names
            continue
        if random:
            if a.shape != b.shape or a.dtype != b.dtype:
                return "shape or type", names
            continue
        why = same(a, b)
        if why and not as_good(run, given, a, b, k):
            return why, names
    return None, names


def judge(name, type_name, limit, verbose):
    """(samples that agree, samples, first reason) of an op in a type."""
    dtype, good, count, reason = TYPES[type_name], 0, 0, None
    backward = name.endswith("_backward")
    for op in infos(name):
        if dtype not in op.supported_dtypes("cpu") or (backward and not dtype.is_floating_point):
            continue
        torch.manual_seed(0)
        for k, sample in enumerate(op.sample_inputs("cpu", dtype, requires_grad=False)):
            if k >= limit:
                break
            if backward and sample.kwargs.get("max_norm"):
                continue  # changes its weights in place
            count += 1
            try:
                why, _ = try_sample(op, sample, backward, name in RANDOM)
            except Exception as error:  # noqa: BLE001 - the sample's own failure is told like any other
                why = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
                if os.environ.get("RAISE"):
                    raise
            good += why is None
            if why is not None:
                reason = reason or f"{op.name}: {why}"
                if verbose:
                    print(f"    {name} {type_name} {op.name} {sample.summary()[:200] if hasattr(sample, 'summary') else ''}: {why}")
    return good, count, reason


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--ops", nargs="*")
    parser.add_argument("--types", nargs="*", default=list(TYPES))
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    door._made["decompositions"] = door._decompositions()
    tally, samples, reasons, none = collections.Counter(), collections.Counter(), [], []
    for name in options.ops or core_ops():
        if name in APART or name.startswith("sym_"):
            continue
        seen = 0
        for type_name in options.types:
            good, count, reason = judge(name, type_name, options.samples, options.v)
            seen += count
            if not count:
                continue
            tally[type_name, good == count] += 1
            samples[type_name, True] += good
            samples[type_name, False] += count - good
            if good < count:
                reasons.append(f"{name} {type_name}: {count - good} of {count}: {reason}")
                print(reasons[-1], flush=True)
        if not seen:
            none.append(name)
    done = True
    for type_name in options.types:
        yes, no = tally[type_name, True], tally[type_name, False]
        s, f = samples[type_name, True], samples[type_name, False]
        print(f"{type_name}: {yes} of {yes + no} ops agree ({100 * yes / max(1, yes + no):.1f} %), {s} of {s + f} samples ({100 * s / max(1, s + f):.2f} %)")
        done = done and yes >= 0.97 * (yes + no)
    print("without samples:", ", ".join(none))
    sys.exit(not done)


if __name__ == "__main__":
    main()
