#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gpu.py - programs on a GPU beside torch.compile and XLA in one run: kernels, products, GPT-2, the time to a first result.

    gpu.py [--device cuda] [--parts copy,kernels,products,gpt,first,large,text] [--peers torch,xla] [--seconds 500] [--small] [--state FILE]
    gpu.py --write [--state FILE]

Each measurement is a process of its own with a time limit: one that fails is a row that says so. Results are kept in FILE
(build/gpu-bench.json) part by part, all sides of a row from one call; a table is printed last. Where OUT is set, it receives a copy of
FILE, and gpu-kernels.txt: programs, seconds of their groups, texts of their kernels. When SECONDS are over, what is left is named. --small: tiny sizes, for a device that is slow; peers only where they are
installed. --write: puts the tables of FILE into docs/GPU.md; nothing is measured.

Exit: 0 all is measured, 1 something failed, 75 something is left."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import gpu_models as models

PARTS = ["copy", "kernels", "products", "gpt", "first", "large", "text"]
COPY_BYTES = 1 << 32
BUILD = os.environ.get("BUILD", "build")
BF16 = 2.0**-8  # a result that is off by so much, relative to the norm, is right: twelve layers of bf16


class Bench:
    def __init__(self, o):
        self.o, self.until, self.failed, self.left = o, time.time() + o.seconds, [], []
        self.folder = tempfile.mkdtemp()
        self.results = {}
        if os.path.exists(o.state):
            with open(o.state) as f:
                self.results = json.load(f)

    # ---- Processes ----

    def run(self, name, limit, *command, given=None, env=None):
        """What a process prints; None: it failed, which is told and counted. Peers that are not installed do not count."""
        left = self.until - time.time()
        if left < 5:
            self.left.append(name)
            return None
        environment = {**os.environ, "TESSERA_PLUGINS": os.path.abspath(BUILD), "XLA_PYTHON_CLIENT_PREALLOCATE": "false", "TF_CPP_MIN_LOG_LEVEL": "3", **(env or {})}
        try:
            done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=min(limit, left + 60), env=environment, cwd=ROOT)
        except subprocess.TimeoutExpired as e:
            self.fail(name, f"it takes more than {limit} s")
            return (e.stdout.decode() if isinstance(e.stdout, bytes) else e.stdout) or None  # what there is of it
        except OSError as e:
            self.fail(name, str(e))
            return None
        if done.returncode and not (self.o.small and "ModuleNotFoundError" in done.stderr):
            lines = [line for line in (done.stderr or done.stdout).strip().splitlines() if not line.startswith("program of ")]
            said = next((line for line in lines if "error" in line or "FAIL" in line), lines[-1] if lines else "")
            self.fail(name, f"exit {done.returncode}: {said[:300]}")
        return done.stdout if done.returncode == 0 else done.stdout or None

    def fail(self, name, why):
        self.failed.append(name)
        print(f"FAIL {name}: {why}", flush=True)

    def peers(self, name, names, save=None):
        """Seconds by name, of torch.compile and of XLA."""
        small = ["--small"] if self.o.small else []
        out = {}
        for peer in self.o.peers:
            saved = ["--save", save] if save and peer == "xla" else []
            text = self.run(f"{name}, {peer}", 240, sys.executable, os.path.join(HERE, "gpu_models.py"), peer, ",".join(names), *small, *saved)
            out[peer] = {}
            for line in (text or "").splitlines():
                if line.startswith("{"):
                    row = json.loads(line)
                    out[peer][row["name"]] = row
                    if "error" in row:
                        self.fail(f"{row['name']}, {peer}", row["error"])
        return out

    def ours(self, name, source, *flags, limit=120):
        """What gpu_run says of a program on the device; None."""
        dump = self.path("dump.txt")
        text = self.run(name, limit, os.path.join(BUILD, "bench", "gpu_run"), "program", self.o.device, source, *flags, f"--dump={dump}")
        row = json.loads(text) if text else None
        if os.environ.get("OUT") and os.path.exists(dump):
            with open(dump) as f, open(os.path.join(os.environ["OUT"], "gpu-kernels.txt"), "a") as to:
                to.write(f"==== {name}\n{f.read()[:200000]}\n")
            os.remove(dump)
        if row and row["on_host"]:
            self.fail(name, f"{row['on_host']} groups run on the host")
        return row

    def path(self, name):
        return os.path.join(self.folder, name)

    def keep(self, part, value):
        self.results[part] = {"value": value, "date": time.strftime("%d %B %Y"), "device": self.o.device, "small": self.o.small}
        with open(self.o.state + ".part", "w") as f:
            json.dump(self.results, f, indent=1)
        os.replace(self.o.state + ".part", self.o.state)

    # ---- Parts ----

    def export(self):
        if os.path.exists(self.path("gpt.mlir")):
            return True
        small = ["--small"] if self.o.small else []
        return self.run("export", 120, sys.executable, os.path.join(HERE, "gpu_models.py"), "export", self.folder, *small, env={"JAX_PLATFORMS": "cpu"}) is not None

    def copy(self):
        size = 1 << 16 if self.o.small else COPY_BYTES
        text = self.run("copy", 120, os.path.join(BUILD, "bench", "gpu_run"), "copy", self.o.device, str(size))
        if text:
            row = json.loads(text)
            row["rate"] = 2 * row["bytes"] / row["seconds"]
            row["driver"] = driver()
            self.keep("copy", row)

    def kernels(self):
        self.copy()  # in the same call
        rows = {}
        for name, (what, factor) in models.KERNELS.items():
            elem, shape = models.SHAPES[name][self.o.small][0]
            size = factor * size_of(elem, shape)
            mine = self.ours(f"kernel {name}", self.path(f"{name}.mlir"))
            rows[name] = {"what": what, "bytes": size, "ours": mine and mine["seconds"], "steps": mine and mine["steps"], "host": mine and mine["host_seconds"]}
            self.keep("kernels", rows)
        for peer, found in self.peers("kernels", list(rows)).items():
            for name, row in found.items():
                rows[name][peer] = row.get("seconds")
        self.keep("kernels", rows)

    def products(self):
        rows = [models.small_product(p) if self.o.small else p for p in models.PRODUCTS]
        given = "".join(f"{r[0].replace(' ', '_')} {' '.join(map(str, r[1:]))}\n" for r in rows)
        text = self.run("products, calls", 120, os.path.join(BUILD, "bench", "gpu_calls"), "products", given=given)
        calls = {}
        for line in (text or "").splitlines():
            row = json.loads(line)
            calls[row["name"]] = row
        out = {}
        for r in rows:
            key = r[0].replace(" ", "_")
            flops = 2.0 * r[3] * r[4] * r[5] * r[6]
            mine = self.ours(f"product {key}", self.path(f"product_{key}.mlir"), f"--inner={3 if flops > 1e12 else 20}")  # as gpu_calls
            out[r[0]] = {"flops": flops, "ours": mine and mine["seconds"], "first": calls.get(key, {}).get("first"), "best": calls.get(key, {}).get("best"),
                         "steps": mine and mine["steps"]}
            self.keep("products", out)
        for then in models.EPILOGUES:
            key = f"{'proj' if then == 'residual' else 'up'}_forward_{then}"
            mine = self.ours(f"product {key}", self.path(f"product_{key}.mlir"))
            out[key.replace("_", " ")] = {"flops": out[key.replace("_", " ").removesuffix(" " + then.replace("_", " "))]["flops"],
                                          "ours": mine and mine["seconds"], "steps": mine and mine["steps"]}
        self.keep("products", out)

    def gpt_flags(self):
        n = len(models.gpt_shapes(self.o.small)) + 1
        return [self.path("gpt.mlir"), *(f"--input={self.path(f'gpt_in{i}.npy')}" for i in range(n))]

    def gpt(self):
        """The forward pass: seconds, and how far the logits are from those in f32."""
        small = ["--small"] if self.o.small else []
        self.run("gpt, in f32 on the CPU", 240, sys.executable, os.path.join(HERE, "gpu_models.py"), "expect", self.folder, *small, env={"JAX_PLATFORMS": "cpu"})
        row = {}
        mine = self.ours("gpt", *self.gpt_flags(), f"--output={self.path('gpt_out.npy')}", limit=200)
        if mine:
            row.update(ours=mine["seconds"], host=mine["host_seconds"], steps=mine["steps"])
        self.keep("gpt", row)
        saved = self.path("gpt_xla.npy")
        for peer, found in self.peers("gpt", ["gpt"], save=saved).items():
            row[peer], row[f"{peer} first"] = found.get("gpt", {}).get("seconds"), found.get("gpt", {}).get("first")
        try:
            row.update(self.distances(saved))
        except (OSError, ValueError) as e:
            self.fail("gpt, logits", str(e))
        self.keep("gpt", row)

    def distances(self, saved):
        import numpy as np

        b, t, *_ = models.sizes(self.o.small)
        wanted = np.load(self.path("gpt_expected.npy")).astype(np.float64)
        got = models.read_bf16(self.path("gpt_out.npy"))
        got = np.stack([got[i, j] for i, j in models.some_rows((b, t))])
        off = lambda a: float(np.linalg.norm(a - wanted) / np.linalg.norm(wanted))
        out = {"off": off(got)}
        if os.path.exists(saved):
            out["xla off"] = off(np.load(saved))
        if not out["off"] < 8 * BF16:  # NaN is not less
            self.fail("gpt, logits", f"{out['off']:.2e} from those in f32")
        return out

    def first(self):
        """Seconds from the start of a process until its first result, with an empty cache and with machine code cached."""
        cache, rows = self.path("cache"), {}
        env = {"TESSERA_CACHE": cache, "CUDA_CACHE_DISABLE": "1", "CUDA_CACHE_PATH": self.path("driver")}
        for name in ("cold", "warm", "warm again", "cold again"):
            if name.startswith("cold"):
                shutil.rmtree(cache, ignore_errors=True)
            os.makedirs(cache, mode=0o700, exist_ok=True)
            started = self.run("CUDA's own start", 60, os.path.join(BUILD, "bench", "gpu_calls"), "start") if self.o.device.startswith("cuda") else None
            start = time.time()
            text = self.run(f"first result, {name}", 120, os.path.join(BUILD, "bench", "gpu_run"), "first", self.o.device, self.path("gpt.mlir"), env=env)
            if text:
                rows[name] = {**json.loads(text), "process": time.time() - start, **(json.loads(started) if started else {})}
                self.keep("first", rows)

    def large(self):
        """Programs of the kernels' sizes: the device's numbers are the CPU engine's."""
        rows = {}
        for name in models.KERNELS:
            text = self.run(f"large {name}", 120, os.path.join(BUILD, "bench", "gpu_run"), "check", self.o.device, self.path(f"{name}.mlir"))
            rows[name] = json.loads(text) if text else None
            if rows[name] and rows[name]["bad"]:
                print(f"  {name}: {rows[name]['bad']} of {rows[name]['elements']} elements differ, the first at {rows[name]['first']}")
            self.keep("large", rows)

    def text(self):
        """Seconds that one core takes to write the kernels of a training step of 24 layers."""
        found = self.run("text", 120, os.path.join(BUILD, "bench", "gpu_run"), "text", os.path.join(ROOT, "tests", "corpus", "large", "gpt_train_24.mlir"))
        if found:
            self.keep("text", json.loads(found))


def size_of(elem, shape):
    n = {"f32": 4, "bf16": 2, "i32": 4}[elem]
    for d in shape:
        n *= d
    return n


def driver():
    try:
        return subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


# ---- Tables ----


def cell(v, scale=1.0, digits=3):
    return "" if not v else f"{v * scale:.{digits}f}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join(["---"] + ["---:"] * (len(head) - 1)) + " |"]
    return "\n".join(lines + ["| " + " | ".join(r) + " |" for r in rows])


def kernels_table(r):
    rate, rows = r["copy"]["value"]["rate"], []
    for k in r["kernels"]["value"].values():
        peers = [k[p] for p in ("torch", "xla") if k.get(p)]
        gb = k["bytes"] / k["ours"] / 1e9 if k["ours"] else None
        rows.append([k["what"], cell(k["ours"], 1e3, 4), cell(gb, 1, 0), f"{100 * gb * 1e9 / rate:.0f} %" if gb else "", cell(k.get("torch"), 1e3, 4), cell(k.get("xla"), 1e3, 4),
                     f"{k['ours'] / min(peers):.2f}" if k["ours"] and peers else ""])
    return table(["kernel", "ms", "GB/s", "of the copy", "torch.compile, ms", "XLA, ms", "of the faster"], rows)


def products_table(r):
    rows = []
    for name, p in r["products"]["value"].items():
        tera = lambda s: f"{p['flops'] / s / 1e12:.0f}" if s else ""
        rows.append([name, cell(p["ours"], 1e3, 4), tera(p["ours"]), tera(p.get("first")), tera(p.get("best")), f"{p['ours'] / p['first']:.3f}" if p["ours"] and p.get("first") else "",
                     str(p["steps"] or "")])
    return table(["product", "ms", "TFLOP/s", "cuBLASLt called directly", "best of eight", "ms / direct", "steps"], rows)


def gpt_table(r):
    g = r["gpt"]["value"]
    rows = [["Tessera", cell(g.get("ours"), 1e3, 2), f"{g['off']:.1e}" if g.get("off") else ""], ["XLA", cell(g.get("xla"), 1e3, 2), f"{g['xla off']:.1e}" if g.get("xla off") else ""],
            ["torch.compile", cell(g.get("torch"), 1e3, 2), ""]]
    return table(["GPT-2-small forward, 8 x 1,024 tokens, bf16", "ms", "logits off f32's"], rows)


def first_table(r):
    head = ["GPT-2-small, seconds to", "first result", "without cuInit's beyond 0.15", "of that parsing", "opening the device", "compiling", "first run", "cuInit alone"]
    rows = []
    for name, f in r["first"]["value"].items():
        f = {**f, "least": f["seconds"] - max(0.0, f.get("cuInit", 0) - 0.15)}
        rows.append([f"machine code {'from nothing' if name.startswith('cold') else 'cached'}", *(cell(f.get(k), 1, 3) for k in ("seconds", "least", "parse", "open", "compile", "run", "cuInit"))])
    return table(head, rows)


def text_table(r):
    t = r["text"]["value"]
    return table(["a training step of 24 layers", "groups", "texts", "bytes", "ms of one core to write them"],
                 [["`gpt_train_24`", *(str(t[k]) for k in ("groups", "texts", "bytes")), cell(t["seconds"], 1e3, 1)]])


TABLES = {"kernels": kernels_table, "products": products_table, "gpt": gpt_table, "first": first_table, "text": text_table}


def heading(results, part):
    copy, r = results.get("copy", {}).get("value", {}), results[part]
    return f"{copy.get('device', r['device'])}, driver {copy.get('driver') or '-'}, {r['date']}; copies run at {copy.get('rate', 0) / 1e12:.2f} TB/s."


def write(results, path):
    with open(path) as f:
        text = f.read()
    for part, make in TABLES.items():
        begin, end = f"<!-- gpu {part} -->", f"<!-- /gpu {part} -->"
        if part in results and not results[part]["small"] and begin in text:
            text = text[:text.index(begin) + len(begin)] + f"\n{heading(results, part)}\n\n{make(results)}\n" + text[text.index(end):]
    with open(path, "w") as f:
        f.write(text)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--device", default="cuda")
    p.add_argument("--parts", type=lambda s: s.split(","), default=PARTS)
    p.add_argument("--peers", type=lambda s: [peer for peer in s.split(",") if peer], default=["torch", "xla"])
    p.add_argument("--seconds", type=float, default=500)
    p.add_argument("--small", action="store_true")
    p.add_argument("--state", default=os.path.join(BUILD, "gpu-bench.json"))
    p.add_argument("--write", action="store_true")
    o = p.parse_args()
    if set(o.parts) - set(PARTS):
        p.error(f"parts are {', '.join(PARTS)}")
    b = Bench(o)
    if o.write:
        return write(b.results, os.path.join(ROOT, "docs", "GPU.md"))
    try:
        for part in o.parts:
            start = time.time()
            if part in ("copy", "text") or b.export():
                getattr(b, part)()
            print(f"# {part}: {time.time() - start:.0f} s", flush=True)
    finally:
        shutil.rmtree(b.folder)
    for part, make in TABLES.items():
        if part in o.parts and part in b.results and (part != "kernels" or "copy" in b.results):
            print(f"{heading(b.results, part)}\n{make(b.results)}\n")
    if os.environ.get("OUT"):
        shutil.copy(o.state, os.path.join(os.environ["OUT"], "gpu-bench.json"))
    print(f"{len(b.failed)} failed{': ' if b.failed else ''}{'; '.join(b.failed)}; {len(b.left)} left{': ' if b.left else ''}{'; '.join(b.left)}")
    return 1 if b.failed else 75 if b.left else 0


if __name__ == "__main__":
    sys.exit(main())
