# SPDX-License-Identifier: Apache-2.0
"""Modules: read, print, change, differentiate, shard, compile, run."""

import os
from ctypes import byref, c_int64, c_size_t, pointer

from . import _library as c
from ._library import lib, owned, to_str
from .context import _or_default
from .errors import InputError, TesseraError
from .ops import Op, _print_options
from .types import Type

# Larger pages are not put into notebooks, which keep them.
_PAGE_MOST = 4 << 20


class Module:
    """A program. Module() is empty; Module.parse and Module.load read one."""

    saved = None  # the folder that it was read from, which has its weights

    def __init__(self, name="", context=None, *, _handle=None):
        self.context = _or_default(context)
        made = _handle or self.context._call(lib.tsr_create_module, self.context._handle, to_str(name))
        self._handle = self.context._adopt(made)

    def __del__(self):
        if getattr(self, "_handle", None) and lib:
            self.context._drop(lib.tsr_module_free, self._handle)
            self._handle = None

    @classmethod
    def parse(cls, text, filename="<text>", context=None):
        """From text, MLIR bytecode or a portable artifact."""
        ctx = _or_default(context)
        handle = ctx._plain(lib.tsr_module_parse, ctx._handle, to_str(text), to_str(filename))
        return cls(context=ctx, _handle=handle)

    @classmethod
    def load(cls, path, context=None, function=""):
        """From a file of any of these kinds, or a folder of torch_xla: run and compile then take the inputs of PyTorch's module, and read its weights
        from the folder. function: of the folder; without one, forward or the only one."""
        ctx = _or_default(context)
        if os.path.isdir(path):
            from .runtime import Saved

            saved = Saved(ctx, path, function)
            program = saved.program if function else os.fsencode(path)  # a folder's own function: with names of the weights
            module = cls(context=ctx, _handle=ctx._plain(lib.tsr_module_parse_file, ctx._handle, program))
            module.saved = saved
            return module
        if function:
            raise InputError("a function is named in a folder of torch_xla only; run and compile take one of a module")
        return cls(context=ctx, _handle=ctx._plain(lib.tsr_module_parse_file, ctx._handle, os.fsencode(path)))

    @property
    def op(self):
        return Op._of(self, lib.tsr_module_op(self._handle))

    @property
    def body(self):
        return self.op.body

    def __getitem__(self, symbol):
        handle = lib.tsr_module_lookup(self._handle, to_str(symbol))
        if not handle:
            raise KeyError(symbol)
        return Op._of(self, handle)

    @property
    def functions(self):
        """The functions of the top level, by name."""
        found = {}
        for op in self.body.ops:
            if op.name == "func.func":
                found[op.attributes["sym_name"].value] = op
        return found

    def walk(self):
        return self.op.walk()

    def clone(self):
        copy = Module(context=self.context, _handle=self.context._plain(lib.tsr_module_clone, self._handle))
        copy.saved = self.saved
        return copy

    def verify(self):
        """Raises when the module is wrong."""
        self.context._plain(lib.tsr_module_verify, self._handle)

    def print(self, **options):
        """Text. Options: generic, debug_info, local_scope, elide_larger, unique_ids, name_locations."""
        text = owned(lib.tsr_module_print(self._handle, byref(_print_options(options))))
        if text is None:
            self.context._fail()
        return text.decode(errors="surrogateescape")

    def __str__(self):
        return self.print()

    def _repr_html_(self):
        """The page in a frame of its own, and the text."""
        import html

        text = f"<pre>{html.escape(self.print(elide_larger=16))}</pre>"
        try:
            page = self.page()
        except TesseraError:
            return text  # no plan, or no page: the text is all there is
        if len(page) > _PAGE_MOST:
            return text
        frame = f'<iframe sandbox="allow-scripts" style="width:100%;height:600px;border:1px solid #bbb" srcdoc="{html.escape(page)}"></iframe>'
        return f"{frame}<details><summary>Text</summary>{text}</details>"

    def bytecode(self, version=-1):
        """MLIR bytecode; version: of the format, -1 for the newest."""
        return self._bytes(lib.tsr_module_bytecode(self._handle, version))

    def serialize(self, target="current", allow_others=False):
        """A portable artifact of StableHLO for readers of this version."""
        return self._bytes(lib.tsr_module_serialize(self._handle, to_str(target), allow_others))

    def code(self, language="c"):
        """The text of a program in another language: "c" is the function main, or the only one, as one file of C99 (docs/EMIT.md); "cpp" of a
        module of emitc, "python" of one of emitpy."""
        return self._bytes(lib.tsr_module_code(self._handle, to_str(language))).decode()

    def _bytes(self, text):
        data = owned(text)
        if data is None:
            self.context._fail()
        return data

    @property
    def blobs(self):
        """Data that dense_resource attributes name: pairs of bytes and alignment, by key."""
        n = lib.tsr_module_blobs(self._handle, None, 0)
        found = (c.OutBlob * n)()
        lib.tsr_module_blobs(self._handle, found, n)
        return {c.borrowed(b.key).decode(): (c.borrowed(b.data), b.align) for b in found}

    def add_blob(self, key, data, align=4):
        self.context._call(lib.tsr_create_blob, self._handle, byref(c.Blob(to_str(key), to_str(data), align)))

    # Passes

    def run_passes(self, pipeline):
        """Runs "canonicalize,cse" and the like in place."""
        self.context._plain(lib.tsr_module_run, self._handle, to_str(pipeline))
        return self

    def simplify(self):
        self.context._plain(lib.tsr_module_simplify, self._handle)
        return self

    def fuse(self):
        self.context._plain(lib.tsr_module_fuse, self._handle)
        return self

    def grad(self, function="", wrt=None, forward=False, rematerialise=False, with_results=False):
        """Adds the derivative of a function: f_grad, or f_jvp with forward. Returns the module."""
        numbers = (c_size_t * len(wrt or ()))(*(wrt or ()))
        options = c.GradOptions(forward, numbers, len(wrt or ()), rematerialise, with_results)
        self.context._plain(lib.tsr_module_differentiate, self._handle, to_str(function), byref(options))
        return self

    # Meshes

    def partition(self):
        """The program of each device, by the module's meshes and shardings, in place."""
        self.context._plain(lib.tsr_module_partition, self._handle)
        return self

    def shard(self, mesh="", inputs=None, outputs=None, function=""):
        """Gives a mesh ("x=2,y=4") and shardings of inputs and outputs (by number: {0: "x,_"}, or by a pattern of
        names: {"params/*/wq": "_,tp"}; one word a dimension), and propagates them in place."""
        self.context._call(lib.tsr_module_shard, self._handle, byref(_shard_options(mesh, inputs, outputs, function)))
        return self

    def plan(self, mesh="", inputs=None, outputs=None, function=""):
        """What the program costs on each device then: Costs. The module stays as it is."""
        options = _shard_options(mesh, inputs, outputs, function)
        return Costs(self._told(lib.tsr_module_plan, byref(options), False), self._told(lib.tsr_module_plan, byref(options), True))

    def why(self, value, mesh="", inputs=None, outputs=None, function=""):
        """Which steps sharded a value ("%12", "#0" for the first result), as text."""
        return self._told(lib.tsr_module_why, byref(_shard_options(mesh, inputs, outputs, function)), to_str(value))

    def page(self, mesh="", inputs=None, outputs=None, function="", trace=""):
        """The page of `tessera explore`, one HTML text that loads nothing: graph, shardings, collectives, memory; and a trace of a run, in Chrome's format."""
        return self._told(lib.tsr_module_page_of_run, byref(_shard_options(mesh, inputs, outputs, function)), to_str(trace))

    def simulate(self, device="h100", mesh="", inputs=None, outputs=None, function=""):
        """How long a step takes on a mesh of these devices: Costs with step_seconds, mfu, peak_bytes, ... The module stays as it is."""
        options = _shard_options(mesh, inputs, outputs, function)
        text = [self._told(lib.tsr_module_simulate, byref(options), to_str(device), json) for json in (False, True)]
        return Costs(*text)

    def explain(self, device="h100", most=0, verify=True, apply=0, mesh="", inputs=None, outputs=None, function=""):
        """Why the program communicates: Costs with collectives, advice, memory, ... verify: try other shardings, and tell those that save something.
        apply: instead, the text of the module with this advice, counted from 1. The module stays as it is."""
        options = _shard_options(mesh, inputs, outputs, function)
        made = [c.ExplainOptions(pointer(options), to_str(device), most, json, verify, apply) for json in (False, True)]
        if apply:
            return self._told(lib.tsr_module_explain, byref(made[0]))
        return Costs(*[self._told(lib.tsr_module_explain, byref(o)) for o in made])

    def auto_shard(self, mesh="", devices=0, device="h100", memory=0, seconds=0, keep=False, inputs=None, outputs=None, function="", axes="", progress=None):
        """Finds shardings and sets them, in place: what was found, and what lost, as a dictionary. memory: bytes a device; inputs: those that must be;
        axes: names of the axes of devices, "dp,tp". progress is called now and then with a dictionary: meshes and all_meshes, candidates, mesh,
        best_seconds or None; when it returns False, no more candidates are tried. True: a line on sys.stderr, if that is a terminal."""
        import json

        from ._search import Told

        options = _auto_options(mesh, devices, device, memory, seconds, keep, inputs, outputs, function, axes)
        with Told(progress) as told:
            options.progress = told.handle
            return json.loads(self._told(lib.tsr_module_auto_shard, byref(options), True))

    def find_plan(
        self, mesh="", devices=0, device="h100", memory=0, seconds=0, keep=False, inputs=None, outputs=None, function="", axes="",
        pins="few", expressible=False, excluded=(), candidate=0, progress=None,
    ):  # fmt: skip
        """Searches as auto_shard does, and leaves the module as it is: a Plan. pins: few, none, all; expressible: only what JAX can say; excluded:
        values and readers whose location contains one of these texts are not pinned; candidate: which one is chosen; progress as for auto_shard."""
        from . import plan
        from ._search import Told

        options = _auto_options(mesh, devices, device, memory, seconds, keep, inputs, outputs, function, axes)
        with Told(progress) as told:
            options.progress = told.handle
            return plan._find(self, options, pins, expressible, excluded, candidate)

    def apply_plan(self, found, arguments_alone=False):
        """Gives the module the mesh and the shardings of a Plan, in place. Raises when it is for another version of the program, unless
        arguments_alone, without pins, is enough. Returns the module."""
        from . import plan

        plan._apply(self, found, arguments_alone)
        return self

    def check_plan(self, found, device="", memory=0, tolerance=0.02, arguments_alone=False):
        """Simulates the module with a Plan: a Check, true if step time and memory are what was promised or better, within the tolerance."""
        from . import plan

        return plan._check(self, found, device, memory, tolerance, arguments_alone)

    def permutations(self, devices):
        """Copies of the module, one after the other: each sharding of the arguments of main on each mesh of two axes with so many devices. All
        dimensions are open to propagation. Raises when there are more than 2^24."""
        n = c_size_t()
        self._asked(lib.tsr_module_permutations, devices, byref(n))
        return (Module(context=self.context, _handle=self._asked(lib.tsr_module_permutation, devices, i)) for i in range(n.value))

    def collectives(self):
        """How many collectives each device takes part in under the module's shardings, and the bytes it sends in them; None: not known."""
        n, moved = c_size_t(), c_int64()
        self._asked(lib.tsr_module_collectives, byref(n), byref(moved))
        return n.value, moved.value if moved.value >= 0 else None

    def _asked(self, call, *arguments):
        status = c.Status()
        self.context._said = []
        answer = call(self._handle, *arguments, byref(status))
        if not answer:
            self.context._fail(status)
        return answer

    def _told(self, call, *arguments):
        status = c.Status()
        self.context._said = []
        text = owned(call(self._handle, *arguments, byref(status)))
        if text is None:
            self.context._fail(status)
        return text.decode(errors="replace")

    # Running

    def compile(self, function="", strict_rounding=False, device=None):
        """A program that runs many times, from several threads: see Executable. device: that runs it, such as "cuda:1"; else this processor."""
        from .runtime import Executable

        return Executable(self, function, strict_rounding, device)

    def run(self, *inputs, function="", engine="compiled", seed=0, spmd=False, zero_division="warn", on_print=None, on_breakpoint=None, folder=None):
        """Runs a function on arrays and returns its results, a list of arrays; of torch's when an input is. engine: compiled, reference.

        on_print gets lines of debug.print, which else go to sys.stdout; on_breakpoint a Stop for each debug.breakpoint, and ends the run with False;
        without it somebody at a terminal is asked. debug.dump and debug.memory_snapshot write below folder; without one, they write nothing."""
        from . import runtime

        return runtime.run(self, inputs, function, engine, seed, spmd, zero_division, on_print, on_breakpoint, folder)

    def profile(self, *inputs, function="", times=1):
        """Runs the compiled program so many times, and tells where it spends time and memory: a Profile. Without inputs they are random."""
        from . import runtime

        return runtime.profile(self, inputs, function, times)

    def goldens(self, inputs=None, **options):
        """Goldens of its functions: see Goldens. inputs: arrays by function, or a list for the only one."""
        from .goldens import Goldens

        return Goldens(self, inputs, **options)

    def signature(self, function=""):
        """Types of a function's inputs and of its results: two lists."""
        from . import runtime

        inputs, n = runtime._signature(self, function)
        return inputs, [Type._of(self.context, lib.tsr_module_output_type(self._handle, to_str(function), i)) for i in range(n)]

    def names(self, function=""):
        """Names of a function's inputs and of its results, as reports have them: two lists."""
        inputs, outputs = self.signature(function)
        found = self.functions
        op = self[function] if function else found.get("main") or next(iter(found.values()))
        results = [owned(lib.tsr_function_result_name(op._handle, i)) for i in range(len(outputs))]
        return [v.name for v in op.body.args], [r.decode(errors="replace") for r in results]

    def random_inputs(self, function="", seed=0):
        """Arrays that are legal inputs of the function, the same for a seed everywhere."""
        from . import runtime

        return runtime.random_inputs(self, function, seed)


def _auto_options(mesh, devices, device, memory, seconds, keep, inputs, outputs, function, axes):
    given = _shard_options(mesh, inputs, outputs, function)
    return c.AutoOptions(given.mesh, devices, to_str(device), memory, seconds, keep, given.given, given.ngiven, given.function, to_str(axes))


def _shard_options(mesh, inputs, outputs, function):
    pairs = [(i, s, False) for i, s in (inputs or {}).items()] + [(i, s, True) for i, s in (outputs or {}).items()]
    given = (c.GivenSharding * len(pairs))(
        *[c.GivenSharding(*((0, to_str(s), result, to_str(i)) if isinstance(i, str) else (i, to_str(s), result, to_str("")))) for i, s, result in pairs]
    )
    return c.ShardOptions(to_str(mesh), given, len(pairs), to_str(function))


class Costs:
    """What a sharded program costs on each device: str() for people, .data for programs."""

    def __init__(self, text, data):
        import json

        self.text = text
        self.data = json.loads(data)

    def __str__(self):
        return self.text

    def _repr_html_(self):
        import html

        return f"<pre>{html.escape(self.text)}</pre>"
