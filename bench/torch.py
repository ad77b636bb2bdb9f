#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torch.compile(backend="tessera") beside eager and inductor: models at real sizes, forward and a training step, time to compile, and what a call costs.

    torch.py [NAME...] [--train] [--calls] [--without-inductor] [--seconds N] [--threads N]

Models take turns, call by call, in one process, and each figure is the median of its calls; caches of inductor are empty. The first call of a compiled model is
compared apart. --calls: microseconds of a call of a small function with 10 tensors, above that of its guards."""

import argparse
import gc
import math
import os
import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT / "python")  # and not this folder
warnings.filterwarnings("ignore")
os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp(prefix="inductor"))
os.environ.setdefault("TORCHINDUCTOR_FORCE_DISABLE_CACHES", "1")


def transformer(class_name, config, length, batch):
    import torch
    import transformers

    made = getattr(transformers, f"{class_name}Config")(**config)
    made.use_cache = False
    model = getattr(transformers, {"T5": "T5EncoderModel"}.get(class_name, f"{class_name}Model"))(made)
    return model, dict(input_ids=torch.randint(3, 1000, (batch, length)))


def unet():
    """A U-Net of three levels, with group norm and attention at the lowest."""
    import torch
    from torch import nn

    class Block(nn.Module):
        def __init__(self, a, b):
            super().__init__()
            self.one = nn.Sequential(nn.GroupNorm(8, a), nn.SiLU(), nn.Conv2d(a, b, 3, padding=1))
            self.two = nn.Sequential(nn.GroupNorm(8, b), nn.SiLU(), nn.Conv2d(b, b, 3, padding=1))
            self.skip = nn.Conv2d(a, b, 1)

        def forward(self, x):
            return self.two(self.one(x)) + self.skip(x)

    class Attention(nn.Module):
        def __init__(self, c):
            super().__init__()
            self.norm, self.qkv, self.out = nn.GroupNorm(8, c), nn.Conv2d(c, 3 * c, 1), nn.Conv2d(c, c, 1)

        def forward(self, x):
            b, c, h, w = x.shape
            q, k, v = self.qkv(self.norm(x)).view(b, 3, 4, c // 4, h * w).transpose(3, 4).unbind(1)
            y = nn.functional.scaled_dot_product_attention(q, k, v)
            return x + self.out(y.transpose(2, 3).reshape(b, c, h, w))

    class UNet(nn.Module):
        def __init__(self, c=64):
            super().__init__()
            self.first, self.down1, self.down2 = nn.Conv2d(3, c, 3, padding=1), Block(c, c), Block(c, 2 * c)
            self.low, self.attention, self.high = Block(2 * c, 2 * c), Attention(2 * c), Block(2 * c, 2 * c)
            self.up2, self.up1, self.last = Block(4 * c, c), Block(2 * c, c), nn.Conv2d(c, 3, 3, padding=1)

        def forward(self, x):
            pool, up = nn.functional.avg_pool2d, lambda t: nn.functional.interpolate(t, scale_factor=2)
            a = self.down1(self.first(x))
            b = self.down2(pool(a, 2))
            y = self.high(self.attention(self.low(pool(b, 2))))
            y = self.up2(torch.cat([up(y), b], 1))
            return self.last(self.up1(torch.cat([up(y), a], 1)))

    return UNet(), dict(x=torch.randn(1, 3, 64, 64))


def picture(name):
    import torch
    import torchvision

    return getattr(torchvision.models, name)(), dict(x=torch.randn(1, 3, 224, 224))


MODELS = {
    "gpt2": lambda: transformer("GPT2", {}, 128, 1), "bert": lambda: transformer("Bert", {}, 128, 1), "resnet50": lambda: picture("resnet50"),
    "vit_b": lambda: picture("vit_b_16"), "unet": unet,
    "llama": lambda: transformer("Llama", dict(vocab_size=8000, hidden_size=768, intermediate_size=2048, num_hidden_layers=8, num_attention_heads=12, num_key_value_heads=4), 128, 1),
    "t5": lambda: transformer("T5", dict(d_model=512, d_kv=64, d_ff=2048, num_layers=6, num_heads=8), 128, 1),
}


def tensors(x):
    import torch

    if isinstance(x, torch.Tensor):
        return [x]
    if isinstance(x, dict):
        x = list(x.values())
    return [t for v in x for t in tensors(v)] if isinstance(x, (tuple, list)) else []


def runner(model, given, train):
    """A function that makes one step."""
    import torch

    def forward():
        with torch.no_grad():
            return model(**given)

    def step():
        loss = sum(t.float().square().mean() for t in tensors(model(**given)) if t.requires_grad)
        loss.backward()
        for p in model.parameters():
            p.grad = None
        return loss

    return step if train else forward


def compare(name, train, options):
    import copy

    import torch

    import tessera.torch  # noqa: F401

    torch.manual_seed(0)
    model, given = MODELS[name]()
    model.train(train)
    if train:
        from torch_models import without_dropout

        without_dropout(model)
    kinds = ["eager", "tessera"] + ([] if options.without_inductor else ["inductor"])
    runs, first, results = {}, {}, {}
    for kind in kinds:
        torch._dynamo.reset()
        mine = copy.deepcopy(model)
        made = mine if kind == "eager" else torch.compile(mine, backend=kind, dynamic=False)
        run = runner(made, given, train)
        start = time.perf_counter()
        results[kind] = run()
        first[kind] = time.perf_counter() - start
        runs[kind] = run
    expected = tensors(results["eager"])[0]
    error = float((tensors(results["tessera"])[0] - expected).abs().max() / expected.abs().max())
    for run in runs.values():
        run()
    times, clock = {k: [] for k in kinds}, time.process_time if options.cpu else time.perf_counter
    gc.disable()
    end = time.perf_counter() + options.seconds
    while time.perf_counter() < end or min(map(len, times.values())) < 3:
        for k, run in runs.items():
            start = clock()
            run()
            times[k].append(clock() - start)
    gc.enable()
    ms = {k: 1e3 * statistics.median(v) for k, v in times.items()}
    row = f"| {name} | {'train' if train else 'forward'} | " + " | ".join(f"{ms[k]:.1f}" for k in kinds)
    if "inductor" in ms:
        row += f" | {ms['tessera'] / ms['inductor']:.2f}"
    row += " | " + " | ".join(f"{first[k]:.1f}" for k in kinds[1:]) + f" | {error:.0e} |"
    print(row, flush=True)
    return ms, first


def calls():
    """Microseconds of a call, the lower quartile of many."""
    import torch

    import tessera.torch  # noqa: F401

    xs = [torch.randn(4, 4) for _ in range(9)]

    def f(*a):
        s = a[0]
        for x in a[1:]:
            s = s + x
        return s

    def empty(gm, inputs):
        out = torch.empty(4, 4)
        return lambda *a: (out,)

    def quartile(run):
        found = []
        for i in range(4200):
            start = time.perf_counter()
            run()
            found.append(time.perf_counter() - start)
        return 1e6 * sorted(found[200:])[1000]

    with torch.no_grad():
        found = {"eager": quartile(lambda: f(*xs))}
        for kind, backend in (("guards alone", empty), ("tessera", "tessera"), ("inductor", "inductor"), ("aot_eager", "aot_eager")):
            torch._dynamo.reset()
            c = torch.compile(lambda *a: f(*a), backend=backend)
            c(*xs)
            found[kind] = quartile(lambda: c(*xs))
    print("| a call of nine additions of 4x4, 10 tensors | microseconds | above guards |\n| --- | ---: | ---: |")
    for k, v in found.items():
        print(f"| {k} | {v:.1f} | {v - found['guards alone']:.1f} |" if k not in ("eager", "guards alone") else f"| {k} | {v:.1f} | |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--calls", action="store_true")
    parser.add_argument("--without-inductor", action="store_true")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cpu", action="store_true", help="processor time on one thread, for a machine that is shared")
    options = parser.parse_args()
    sys.path.append(str(ROOT / "tests" / "differential"))
    if options.cpu:
        options.threads = 1
        os.environ["OMP_NUM_THREADS"] = "1"
    import torch

    torch.set_num_threads(options.threads)
    os.environ["TESSERA_THREADS"] = str(options.threads)
    if options.calls:
        calls()
        return
    import transformers

    transformers.logging.set_verbosity_error()
    kinds = ["eager", "tessera"] + ([] if options.without_inductor else ["inductor"])
    more = [] if options.without_inductor else ["to inductor"]
    print(f"| model | | {' | '.join(k + ', ms' for k in kinds)} | {''.join(m + ' | ' for m in more)}{' | '.join('first ' + k + ', s' for k in kinds[1:])} | error |")
    ratios, firsts = [], []
    for name in options.names or MODELS:
        ms, first = compare(name, options.train, options)
        if "inductor" in ms:
            ratios.append(ms["tessera"] / ms["inductor"])
            firsts.append(first["inductor"] / first["tessera"])
    if ratios:
        mean = lambda v: math.exp(sum(map(math.log, v)) / len(v))  # noqa: E731
        print(f"geometric mean to inductor {mean(ratios):.3f}, worst {max(ratios):.2f}; first calls {mean(firsts):.1f} times faster")


if __name__ == "__main__":
    main()
