# SPDX-License-Identifier: Apache-2.0
"""Every op of StableHLO, TTIR, TTNN and Graph IR through the builder: made by its method with random legal arguments, printed, read back to the same
text, verified, run by both engines, and its values compared with NumPy's.

    ops.py [--seed S] [--only NAME] [--list] [--save FOLDER]

Cases of StableHLO and Graph IR are in op_cases.py. Those of TTIR are also the ones of tests/eval/ttir, made again op by op; lowered to TTNN, they are
cases of TTNN. Other ops are made with arguments that are found by trial from their rows, or those of
Inputs/*.mlir; where all of them are tensors, the engines are compared with each other. An op whose row has a kernel must run, but for those of NOT_RUN; those of REFUSED must say by name that they do not. --save writes the programs of cases of
StableHLO for other judges (tests/differential/ops.py)."""

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests" / "python"), str(ROOT / "tests" / "eval" / "ttir")]

import tessera as ts  # noqa: E402

PIPELINE = "ttir-to-ttnn-runtime-pipeline"
DIALECTS = ("stablehlo", "ttir", "ttnn", "tessera")
TYPES = {"complex64": "complex<f32>", "bool": "i1"}


def build(case, context):
    """The module of a case: its ops are made by methods."""
    module = ts.Module(context=context)
    b = ts.Builder(module, dialect=case.dialect)
    for name, (inputs, body) in (case.functions or {}).items():
        with b.function(name, list(inputs), visibility="private") as values:
            b.ret(body(b, *values))
    if case.devices > 1:
        module.op.attributes["mhlo.num_partitions"] = context.integer(case.devices, "i32")
    for name, text in case.attributes.items():
        module.op.attributes[name] = context.parse_attr(text)
    with b.function("main", case.types or list(case.inputs)) as values:
        b.ret(case.build(b, *values))
    return module


def same_again(module):
    """What is printed is read back, verified, and printed again."""
    text = str(module)
    again = ts.Module.parse(text, context=module.context)
    again.verify()
    assert str(again) == text, f"is read back as another text:\n{text}\n{again}"


def wants(case):
    import numpy as np

    found = case.want if isinstance(case.want, (list, tuple)) else [case.want]
    return [np.asarray(w) for w in found]


def compare(got, want, rtol, atol=None):
    import numpy as np

    assert len(got) == len(want), f"{len(got)} results instead of {len(want)}"
    for a, w in zip(got, want):
        a = np.asarray(a)
        assert a.shape == w.shape, f"a shape of {a.shape} instead of {w.shape}"
        if a.dtype.kind in "biu":
            np.testing.assert_array_equal(a, w.astype(a.dtype))
        else:
            wide = np.complex128 if a.dtype.kind == "c" else np.float64
            size = max(1.0, float(np.abs(w.astype(wide)[np.isfinite(w)]).max(initial=0)))  # the error of a sum is that of its terms
            np.testing.assert_allclose(a.astype(wide), w.astype(wide), rtol=rtol, atol=size * (rtol if atol is None else atol))


def narrowed(array, type):
    """An input as the type has it; bf16 as its bits where NumPy has no name for it."""
    import numpy as np

    if str(type.element) == "bf16" and type.dtype.kind == "u":
        return (np.asarray(array).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return np.asarray(array).astype(type.dtype)


def widened(array, type):
    """A result as numbers, where it is the bits of bf16."""
    import numpy as np

    if str(type.element) == "bf16" and array.dtype.kind == "u":
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array


def run_case(case, module):
    for engine in ("reference", "compiled"):
        with tempfile.TemporaryDirectory() as folder:
            got = module.run(*case.inputs, engine=engine, spmd=case.devices > 1, folder=folder if case.folder else None)
        if case.want is not None:
            compare(got, wants(case), case.rtol)
        if case.within:
            low, high = case.within
            assert (got[0] >= low).all() and (got[0] < high).all() and len(set(got[0].flat)) > 1, f"random numbers are {got[0]}"


def runs(context, name):
    dialect, _, local = name.partition(".")
    return context.rows(dialect)[local]["runs"] or context.rows(dialect)[local]["terminator"]


# Ops that have a kernel, and are not run here.
NOT_RUN = {
    "stablehlo.infeed": "nobody feeds it: tests/eval/feeds.mlir",
    "stablehlo.outfeed": "nobody takes what it gives: tests/eval/feeds.mlir",
}

# Ops whose kernel says that it cannot compute them, since hardware does, or another program: the run of a program that has one names it.
REFUSED = {
    *(f"ttir.{name}" for name in "moe_gpt selective_reduce_combine tt_lang_op".split()),
    *(
        f"ttnn.{name}"
        for name in """d2m_subgraph execute_trace generic moe_compute moe_gpt prepare_moe_compute_w0_w1_weights
        prepare_moe_compute_w2_weights selective_reduce_combine tt_lang_op""".split()
    ),
}

# Cases of TTIR that mean something else as TTNN has them: they are made, and not compared.
NOT_LOWERED = {
    "paged_fill_cache": "what is padded is written to the cache, too",
    "router": "TTNN's kernel picks among more experts than the case has",
}


def of_device(b, type, made):
    """A value that is no tensor: the device, or a semaphore there."""
    if "!ttnn.device" not in made:
        made["!ttnn.device"] = b.get_device(output_type="!ttnn.device")
    if type not in made:
        made[type] = b.create_global_semaphore(made["!ttnn.device"], core_range_set=STRUCTS["ttnn.core_range_set"], output_type=type)
    return made[type]


class Tally:
    def __init__(self, options):
        self.options, self.made, self.compared, self.ran, self.refused = options, set(), set(), set(), set()
        self.passed = self.failed = self.saved = 0

    def ops(self, module):
        return {op.name for op in module.walk() if op.name.partition(".")[0] in DIALECTS}

    def trial(self, name, run):
        """Counts what run() does: True, or a failure with its reason."""
        try:
            run()
        except Exception as e:  # noqa: BLE001 - whatever it is, it is a failure of this case
            self.failed += 1
            print(f"FAIL {name}: {type(e).__name__}: {str(e)[:600]}")
            return False
        self.passed += 1
        if self.options.list:
            print(f"ok   {name}")
        return True

    def built(self, case):
        """A case of op_cases.py."""

        def run():
            module = build(case, ts.Context())
            ops = self.ops(module)
            self.names = " ".join(sorted(ops))
            same_again(module)
            self.made |= ops
            self.refuses(module.clone())
            if self.options.save and case.dialect == "stablehlo":
                self.saved += 1
                save(Path(self.options.save), self.saved, case, module)
            if case.want is not None or case.why.startswith("random"):
                run_case(case, module)
                self.ran |= ops - case.idle
            if case.want is not None:
                self.compared |= ops - case.idle
                if case.dialect == "ttir" and case.lower:
                    self.lowered(self.names, module, case.inputs, wants(case), case.rtol, case.rtol)

        self.names = f"a case of {case.dialect}"
        good = self.trial(self.names, run)
        if not good:
            print(f"     with {self.names}")


    def again(self, name, source, inputs, want, rtol, atol, function="", spmd=False):
        """A program that was read or lowered, made again op by op; True when it has ops that no other had."""
        new = self.ops(source) - (self.compared if want is not None else self.made)
        if not new:
            return

        import numpy as np
        from rebuild import Copier

        def run():
            copier = Copier(source, methods=True)
            module = copier.copy()
            assert str(module) == str(source), "is made as another text"
            same_again(module)
            self.made |= copier.made
            self.refuses(module.clone())
            if want is None or self.ops(module) & REFUSED or not all(runs(module.context, op) for op in self.ops(module)):
                return
            types, outputs = module.signature(function)
            given = [narrowed(a, t) for a, t in zip(inputs, types)]
            for engine in ("reference", "compiled"):
                got = module.run(*given, function=function, engine=engine)
                compare([widened(a, t) for a, t in zip(got, outputs)], [np.asarray(w) for w in want], rtol, atol)
            self.ran |= self.ops(module)
            self.compared |= self.ops(module)

        self.trial(f"{name}: {' '.join(sorted(new))}", run)

    def lowered(self, name, module, inputs, want, rtol, atol, function=""):
        """The same program as TTNN has it, where there is a way."""
        if not any(n.startswith("ttir.") and n.replace("ttir.", "ttnn.") not in self.compared for n in self.ops(module)):
            return
        low = module.clone()
        try:
            low.run_passes(PIPELINE)
        except ts.TesseraError:
            return  # tests of passes say which ops have no way
        if "bf16" in str(low):  # devices compute some ops with less
            rtol = atol = 5e-2
        self.again(f"{name}, as TTNN", low, inputs, want, rtol, atol, function)

    def written(self, path):
        """The ops of a file, each made by its method."""
        from rebuild import Copier

        source = ts.Module.load(path, context=ts.Context())
        if not self.ops(source) - self.made:
            return

        def run():
            copier = Copier(source, methods=True)
            module = copier.copy()
            assert str(module) == str(source), "is made as another text"
            same_again(module)
            self.made |= copier.made
            self.refuses(module)

        self.trial(path.name, run)

    def refuses(self, module):
        """Ops that are refused: a function that has one alone ends with an error that names it."""
        for op in [op for op in module.walk() if op.name in REFUSED - self.refused]:
            tensors = [v.type for v in op.operands if str(v.type).startswith("tensor")]
            b = ts.Builder(module, dialect="ttnn")
            with b.function(f"alone{len(self.refused)}", tensors) as values:
                made, given = {}, iter(values)
                operands = [next(given) if str(v.type).startswith("tensor") else of_device(b, str(v.type), made) for v in op.operands]
                b.ret(*b.op(op.name, operands, attrs=dict(op.attributes), results=[v.type for v in op.results]).results)
            function = f"alone{len(self.refused)}"
            for engine in ("reference", "compiled"):
                try:
                    module.run(*module.random_inputs(function), function=function, engine=engine)
                except ts.InputError as e:
                    assert f"'{op.name}' op cannot be evaluated" in str(e), f"is refused without its name: {e}"
                else:
                    raise AssertionError(f"{op.name} is listed as refused, and runs")
            self.refused.add(op.name)

    def searched(self, dialect, name):
        """An op that no case has: any legal arguments."""

        def run():
            module = Search(dialect, name, self.options.seed).find(2000)
            same_again(module)
            self.made |= self.ops(module)
            self.refuses(module)
            self.alone(module, f"{dialect}.{name}")

        self.trial(f"{dialect}.{name}, from its row", run)

    def alone(self, module, name):
        """An op on tensors that no case runs: both engines must agree."""
        import numpy as np

        op = next(op for op in module.walk() if op.name == name)
        if name in REFUSED or name in NOT_RUN or not runs(module.context, name) or op.regions or not op.results:
            return
        if not all(str(v.type).startswith("tensor") for v in [*op.operands, *op.results]):
            return
        b = ts.Builder(module, dialect=name.partition(".")[0])
        with b.function("alone", [v.type for v in op.operands]) as values:
            b.ret(*b.op(name, list(values), attrs=dict(op.attributes), results=[v.type for v in op.results]).results)
        given = module.random_inputs("alone")
        try:
            want, got = (module.run(*given, function="alone", engine=engine) for engine in ("reference", "compiled"))
        except ts.InputError:
            return  # legal by its row, and no kernel for it: a case is needed
        compare(got, [np.asarray(w) for w in want], 2e-5)
        self.ran.add(name)

    def evaluated(self):
        """Cases of tests/eval/ttir: of each op the first."""
        from values import all_cases

        for case in all_cases():
            if "bf16" in case.module or "f16" in case.module or any(isinstance(x, str) for x in case.inputs):
                continue
            source = ts.Module.parse(case.module, context=ts.Context())
            rest = case.inputs, case.results, case.rtol or 1e-4, case.atol or 1e-4, case.function or ""
            self.again(case.name, source, *rest)
            other = any(part in case.name for part in NOT_LOWERED)
            self.lowered(case.name, source, rest[0], None if other else rest[1], *rest[2:])


# ---- Arguments from the table alone ----

VALUES = (
    "tensor<32x32xf32>",
    "tensor<32xf32>",
    "tensor<1x1x32x32xf32>",
    "tensor<1x32x32xi32>",
    "tensor<1xi32>",
    "tensor<ui32>",
    "tensor<1x2x4x8x32xf32>",
    "tensor<32x32xi32>",
    "tensor<32xi32>",
    "!ttnn.device",
    "!ttnn.global_semaphore",
    "!ttcore.local_semaphore",
    "!stablehlo.token",
    "!stablehlo.future<tensor<32x32xf32>>",
)
STRUCTS = {
    "ttnn.shape": "<32x32>",
    "ttnn.memory_config": "<#ttnn.buffer_type<dram>, <interleaved>>",
    "ttcore.grid": "<8x8>",
    "ttcore.core_range_set": "<[#ttnn.core_range<(0,0), (1,1)>]>",
    "ttnn.core_range_set": "<[#ttnn.core_range<(0,0), (1,1)>]>",
    "ttnn.mesh_shape": "<1x2>",
    "ttnn.mesh_offset": "<0x0>",
    "ttnn.conv2d_config": "<>",
    "ttnn.conv3d_config": "<>",
    "stablehlo.channel_handle": "<handle = 1, type = 1>",
    "ttnn.program": "<kernels = [], cbs = [], semaphores = []>",
}


def pair():
    import numpy as np

    return np.array([[0, 1]], np.int64)


def likely(part):
    """Types of values that an operand or result may have, by what the row says of it."""
    words = part.get("type", "")
    if "tensor" in words:
        return [t for t in VALUES if t.startswith("tensor")]
    return [t for t in VALUES if t.strip("!").split(".")[-1].split("<")[0] in words.lower().replace(" ", "_")] or list(VALUES[:-3])


class Search:
    """Legal arguments of an op by trial, from what its row says: types of values, attributes by form."""

    def __init__(self, dialect, name, seed):
        import random

        self.random = random.Random(f"{dialect}.{name} {seed}")
        self.dialect, self.name = dialect, name
        self.context = ts.Context()

    def attribute(self, slot):
        r, form = self.random, slot["form"]
        if form == "enum":
            return r.choice(slot["cases"])
        if form == "array" and slot.get("cases"):
            return [r.choice(slot["cases"])]
        if form in ("unit", "bool"):
            return r.random() < 0.5
        if form in ("i32", "i64", "int"):
            return r.choice([0, 1, 2, 8, 32])
        if form in ("i32s", "i64s", "i1s"):
            return [r.choice([0, 1, 2]) for _ in range(r.choice([1, 2, 2, 3, 4]))]
        if form in ("f32", "f64", "float"):
            return r.choice([0.5, 1.0])
        if form == "string":
            return r.choice(["none", "inner", "in,out"])
        if form == "symbol":
            return "@inner"
        if form == "type":
            return r.choice(VALUES[:4])
        if form == "elements":
            return pair()
        if form == "struct":
            return STRUCTS.get(slot["attr"], "<>")
        return r.choice([0, 1, [0, 1], [1, 1], 0.5, "inner", ["@inner"], "#ttnn.shape<32x32>", pair()])

    def arguments(self, row, values):
        r, given = self.random, {}
        for part in row["operands"]:
            fitting = [v for v in values if str(v.type) in likely(part)]
            if part["arity"] == "one":
                given[part["name"]] = r.choice(fitting)
            elif part["arity"] == "variadic":
                given[part["name"]] = [r.choice(fitting) for _ in range(r.choice([1, 1, 2]))]
        for slot in row["attributes"]:
            if slot["need"] == "required" and not slot["name"].endswith("SegmentSizes"):
                given[slot["name"]] = self.attribute(slot)
        return given

    def results(self, row):
        r, types = self.random, []
        for part in row["results"]:
            types += [r.choice(likely(part))] * (1 if part["arity"] == "one" else r.choice([0, 1]))
        return types

    def attempt(self):
        context = self.context
        row = context.rows(self.dialect)[self.name]
        b = ts.Builder(ts.Module(context=context), dialect=self.dialect)
        with b.function("inner", ["tensor<32x32xf32>"], visibility="private") as values:
            b.ret(*values)
        with b.function("main", VALUES) as values:
            given = {k + "_" if k in ("from", "in", "is", "lambda") else k: v for k, v in self.arguments(row, values).items()}
            for part in row["regions"]:
                given[part["name"]] = lambda *args: args[: self.random.choice([0, 1, 2])]
            method = getattr(getattr(b, self.dialect), self.name.replace("-", "_").replace(".", "_"))
            method(output_type=None if row["infers"] and self.random.random() < 0.5 else self.results(row), **given)
            b.ret()
        return b.module

    def find(self, most):
        last = None
        for _ in range(most):
            try:
                return self.attempt()
            except (ts.TesseraError, TypeError, ValueError, OverflowError) as e:
                last = e
        raise AssertionError(f"no legal arguments in {most} trials; the last: {last}")


def save(folder, number, case, module):
    import numpy as np

    if case.want is None or case.devices > 1:
        return
    (folder / f"{number}.mlir").write_text(str(module))
    np.savez(folder / f"{number}.npz", **{f"in{i}": a for i, a in enumerate(case.inputs)}, **{f"out{i}": a for i, a in enumerate(wants(case))})


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="")
    options.add_argument("--list", action="store_true")
    options.add_argument("--save")
    given = options.parse_args()
    if not importlib.util.find_spec("numpy"):
        print("skipped: no NumPy here")
        return 0
    import op_cases
    import op_cases_ttnn

    tally = Tally(given)
    for cases in (op_cases.stablehlo, op_cases.graph, op_cases.ttir):
        for case in cases(op_cases.Random(given.seed)):
            tally.built(case)
    tally.evaluated()
    for case in op_cases_ttnn.ttnn(op_cases.Random(given.seed)):
        tally.built(case)
    for path in sorted((ROOT / "tests" / "python" / "Inputs").glob("*.mlir")):
        tally.written(path)
    context = ts.Context()
    for dialect in DIALECTS:
        for name in context.rows(dialect):
            if f"{dialect}.{name}" not in tally.made:
                tally.searched(dialect, name)
    for dialect in DIALECTS:
        every = {f"{dialect}.{name}" for name in context.rows(dialect)}
        print(f"ops: {dialect}: {len(every & tally.made)} of {len(every)} made, {len(every & tally.ran)} run, {len(every & tally.compared)} compared with NumPy")
        missing = sorted(every - tally.made)
        idle = sorted(n for n in every - tally.ran - set(NOT_RUN) - tally.refused if runs(context, n))
        for name in missing:
            print(f"{name}: was not made")
        for name in idle:
            print(f"{name}: has a kernel, and no case runs it")
        for name in sorted(every & tally.ran & (set(NOT_RUN) | REFUSED)):
            tally.failed += 1
            print(f"{name}: runs, and is listed as one that does not")
        tally.failed += len(missing) + len(idle)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return tally.failed != 0


if __name__ == "__main__":
    sys.exit(main())
