#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gspmd_torch.py - programs of torch_xla for several devices, divided by us and by XLA.

    gspmd_torch.py [--bin build/bin] [--only NAME] [--save DIR] [--write DIR]

Tensors are marked with xs.mark_sharding or cut with xs.enable_manual_sharding; the graph is taken as StableHLO with its
parameters. XLA runs it on eight devices of the host; `tessera run`, undivided and with --spmd, must give the same numbers,
and no more bytes of collectives than XLA's, which a dump of its modules tells. --write keeps modules, inputs and results for
tests/gspmd.sh. Needs torch and torch_xla; without them the script says 'skipped'.
"""
import argparse
import glob
import os
import sys
import tempfile

DUMP = tempfile.mkdtemp()
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + f" --xla_dump_to={DUMP} --xla_dump_hlo_as_text"
os.environ["PJRT_DEVICE"] = "CPU"
os.environ["CPU_NUM_DEVICES"] = "8"
try:
    import numpy as np
    import torch
    import torch.nn.functional as F
    import torch_xla
    import torch_xla.core.xla_model as xm
    import torch_xla.distributed.spmd as xs
    import torch_xla.runtime as xr
except ImportError as e:
    print(f"skipped: {e}")
    sys.exit(0)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gspmd_judge as judge  # noqa: E402

xr.use_spmd()
DEVICES = np.arange(xr.global_runtime_device_count())
PROGRAMS = {}


def program(make):
    PROGRAMS[make.__name__] = make
    return make


def mesh(shape, names, order=None):
    return xs.Mesh(DEVICES if order is None else np.array(order), shape, names)


def on_device(*shape, seed=0, grad=False):
    t = torch.from_numpy(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))
    t = t.to(torch_xla.device())
    return t.requires_grad_() if grad else t


def mark(t, m, *spec):
    xs.mark_sharding(t, m, spec)
    return t


@program
def torch_mlp_tp():
    m = mesh((2, 4), ("data", "model"))
    x = mark(on_device(8, 16), m, "data", None)
    w, v = mark(on_device(32, 16, seed=1), m, "model", None), mark(on_device(8, 32, seed=2), m, None, "model")
    h = mark(F.relu(F.linear(x, w, on_device(32, seed=3))), m, "data", "model")
    return [F.linear(h, v)]


@program
def torch_train_dp():
    m = mesh((8,), ("data",))
    x, y = mark(on_device(16, 8), m, "data", None), mark(on_device(16, 4, seed=1), m, "data", None)
    w, b = on_device(4, 8, seed=2, grad=True), on_device(4, seed=3, grad=True)
    loss = F.mse_loss(torch.tanh(F.linear(x, w, b)), y)
    loss.backward()
    return [loss.detach(), (w - 0.1 * w.grad).detach(), (b - 0.1 * b.grad).detach()]


@program
def torch_attention():
    m = mesh((2, 4), ("data", "model"))
    x = mark(on_device(4, 8, 16), m, "data", None, None)
    ws = [mark(on_device(16, 16, seed=i), m, "model", None) for i in range(1, 4)]
    q, k, v = (F.linear(x, w).reshape(4, 8, 4, 4).transpose(1, 2) for w in ws)
    s = torch.softmax(q @ k.transpose(-1, -2) / 2, -1)
    y = (s @ v).transpose(1, 2).reshape(4, 8, 16)
    return [F.linear(y, mark(on_device(16, 16, seed=4), m, None, "model"))]


@program
def torch_conv_dp():
    m = mesh((8, 1), ("data", "model"))
    x = mark(on_device(8, 3, 8, 8), m, "data", None, None, None)
    h = F.conv2d(x, on_device(6, 3, 3, 3, seed=1), padding=1)
    h = F.batch_norm(h, None, None, training=True)
    return [F.max_pool2d(F.relu(h), 2)]


@program
def torch_fsdp():
    m = mesh((8,), ("fsdp",))
    x = mark(on_device(16, 16), m, "fsdp", None)
    for i in range(2):
        x = mark(F.gelu(F.linear(x, mark(on_device(16, 16, seed=i + 1), m, "fsdp", None))), m, "fsdp", None)
    return [x, x.sum(0)]


@program
def torch_device_order():
    m = mesh((2, 4), ("a", "b"), order=[0, 1, 3, 2, 6, 7, 5, 4])
    x, w = mark(on_device(8, 8), m, "a", "b"), mark(on_device(8, 8, seed=1), m, "b", None)
    return [mark(x @ w, m, "b", "a") + 1]


@program  # not kept: XLA sends whole parts to their new places, and our reshard between two meshes gathers
def torch_two_orders():
    m, n = mesh((2, 4), ("a", "b")), mesh((2, 4), ("c", "d"), order=[0, 1, 3, 2, 6, 7, 5, 4])
    h = mark(mark(on_device(8, 8), m, "a", None) @ on_device(8, 8, seed=1), m, "a", "b")
    return [mark(h * 2, n, "d", "c") + 1, h.sum(0)]


@program
def torch_two_axes():
    m = mesh((2, 4), ("a", "b"))
    x, w = mark(on_device(8, 8), m, ("a", "b"), None), mark(on_device(8, 8, seed=1), m, None, ("b", "a"))
    return [torch.cumsum(x @ w, 0), torch.sort(x, 1)[0]]


@program
def torch_manual():
    m = mesh((8,), ("x",))
    x = on_device(16, 4)
    part = xs.enable_manual_sharding(x, ("x", None), mesh=m).global_tensor
    part = torch.sin(part) * 2
    whole = xs.disable_manual_sharding(part, ("x", None), x.shape, mesh=m).global_tensor
    return [whole + 1]


@program
def torch_moe():
    m = mesh((8,), ("expert",))
    x, gate = on_device(16, 8), on_device(8, 8, seed=1)
    w = mark(on_device(8, 8, 16, seed=2), m, "expert", None, None)
    v = mark(on_device(8, 16, 8, seed=3), m, "expert", None, None)
    top, which = torch.topk(torch.softmax(x @ gate, -1), 2)
    combine = (F.one_hot(which, 8) * top[..., None]).sum(1)
    h = F.relu(torch.einsum("td,edf->etf", x, w))
    return [torch.einsum("etf,efd,te->td", h, v, combine)]


def one(name, tessera, folder):
    out = PROGRAMS[name]()
    context = torch_xla._XLAC.lowering.LoweringContext(name)
    context.build(list(out))
    inputs = context.parameter_id_tensor_mapping()
    text = xm.get_stablehlo(list(out))
    args = [inputs[i].cpu().numpy() for i in range(len(inputs))]
    for f in glob.glob(f"{DUMP}/*"):
        os.remove(f)
    torch_xla.sync()
    got = [t.cpu().numpy() for t in out]
    dumps = sorted(glob.glob(f"{DUMP}/*after_optimizations.txt"), key=os.path.getsize)
    with open(dumps[-1], encoding="utf-8") as f:
        theirs = judge.xla_bytes(f.read())
    return judge.judge(name, tessera, folder, text, args, got, {}, None) + (theirs,)


if __name__ == "__main__":
    sys.exit(judge.main(__doc__, PROGRAMS, one, f"torch_xla {torch_xla.__version__}", {"torch_two_orders"}))
