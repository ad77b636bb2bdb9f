# SPDX-License-Identifier: Apache-2.0
"""How a graph is run: programs on torch's own memory, and ops between them that eager does."""

import ctypes
import math
import operator
import os
import struct
import threading
import time
import warnings
from ctypes import byref, c_bool, c_size_t

from . import _library as c
from . import _torch_cache, _torch_check
from . import _torch_program as program
from ._library import lib
from ._torch_graph import Reader, Segment, Sizes, element, is_tensor, levels, name_of, order_of, place_of, root_of, supports
from ._torch_private import expression, makers

LIMIT = 64  # programs of one graph, for different sizes; the oldest goes first
_lock = threading.RLock()
_warned = set()


class Record:
    """What explain tells about a graph."""

    def __init__(self, kind):
        self.kind, self.nodes, self.inside, self.eager, self.segments, self.products, self.products_inside = kind, 0, 0, {}, 0, 0, 0
        self.build_seconds = self.compile_seconds = 0.0
        self.memory, self.modules, self.ops = {}, [], {}


_PRODUCTS = frozenset("mm bmm addmm baddbmm convolution convolution_backward _scaled_dot_product_flash_attention_for_cpu mv dot addmv linear"
                      " _scaled_dot_product_flash_attention_for_cpu_backward".split())


def _dense(reader, node):
    f = reader.fact(node)
    return f.stride is not None and order_of(f.shape, f.stride) is not False


class Step:
    """One program, made and bound to torch's memory: Python text that packs addresses, since a call must cost little."""

    def __init__(self, segment, layouts, record, copies, cache):
        self.segment, self.layouts, self.copies = segment, layouts, copies
        reader, started = segment.reader, time.perf_counter()
        data = segment.data(layouts)
        self.executable, built = cache(data)
        now = time.perf_counter()
        if record is not None:
            record.build_seconds += built
            record.compile_seconds += now - started - built
            for k, v in self.executable.memory.items():
                record.memory[k] = record.memory.get(k, 0) + v
        self.data = data if record is not None else None
        self.handle = self.executable._handle
        self.facts = [reader.fact(n) for n in segment.outputs]

    def source(self, inputs, results, into):
        """Lines of Python that run it: names of its inputs, of its results, and of tensors whose memory further results take."""
        lines, reader, names = [], self.segment.reader, []
        numbers = {}
        for k, (name, node, order) in enumerate(zip(inputs, self.segment.inputs, self.layouts)):
            if order is False or not _dense(reader, node):
                lines.append(f"c{k} = {name}.contiguous()")
                name = f"c{k}"
            names.append(name)
            numbers[node] = k
        args = []
        for name, node in zip(names, self.segment.inputs):
            args.append((f"{name}.data_ptr()", self._size(reader.fact(node))))
        if self.segment.random:
            lines.append("seed = new_seed()")
            args.append(("seed.data_ptr()", 8))
        for name, f, (_, order) in zip(results, self.facts, self.segment.results):
            strides = _strides(f.shape, order)
            lines.append(f"{name} = empty({f.shape!r}, {strides!r}, {f.dtype!s})")
            args.append((f"{name}.data_ptr()", self._size(f)))
        for name, node in zip(into, self.copies):
            args.append((f"{name}.data_ptr()", self._size(reader.fact(node))))
        return lines, args

    @staticmethod
    def _size(f):
        return math.prod(f.shape) * f.dtype.itemsize

    def bound(self, n_in, n_out):
        """What the text calls: how buffers for addresses and sizes are made, what runs on one, and what raises the reason of a failure."""
        options = None
        if self.segment.given:
            given = (c_bool * n_in)(*[False] * n_in)
            for i, _ in self.segment.given:
                given[i] = True
            options = c.ExecuteOptions(given_up=given)
            options.kept = given
        run, handle, where = lib.tsr_executable_run_buffers, self.handle, byref(options) if options is not None else None
        shape, executable = c_size_t * (2 * (n_in + n_out)), self.executable

        def take():
            buffer = shape()
            at = ctypes.addressof(buffer)
            return buffer, at, at + 16 * n_in

        def fail(buffer):
            status = c.Status()
            if not run(handle, buffer[1], n_in, buffer[2], n_out, where, byref(status)):
                executable.context._said = []  # and so the function keeps the executable
                executable.context._fail(status)

        return take, run, fail, where


def _strides(shape, order):
    strides, k = [0] * len(shape), 1
    for i in reversed(order if order is not None else range(len(shape))):
        strides[i] = k
        k *= max(shape[i], 1)
    return tuple(strides)


class Plan:
    """A graph for given sizes and strides of its inputs: steps, one after the other, as one Python function."""

    def __init__(self, gm, values, record=None, args=None):
        self.reader = Reader(gm, Sizes(values), args)
        self.record = record
        self.cache = _torch_cache.executable
        self.eager = {}
        self._find_copies()
        self._find_outputs()
        for node in self._ops():
            reason = supports(self.reader, node)
            if reason:
                self.eager[node] = reason
        while True:
            try:
                self._make()
                break
            except program.OpError as error:
                self.eager[self._failed.op_nodes[error.number]] = error.reason
                if record is not None:
                    record.__init__(record.kind)
        self._warn()
        self.call = self._text()

    def _ops(self):
        return [n for n in self.reader.gm.graph.nodes if n.op == "call_function" and not self.reader.is_number(n) and n not in self.copy_nodes]

    def _find_copies(self):
        """Copies into inputs, which are the end of what a graph does."""
        self.copies, self.copy_nodes = [], set()
        for node in self.reader.gm.graph.nodes:
            if node.op == "call_function" and name_of(node.target) == "aten.copy_.default" and node.args[0].op == "placeholder":
                self.copy_nodes.add(node)
                self.copies.append((node.args[1], node.args[0]))

    def _find_outputs(self):
        """What is returned: ("node", node), ("view", node, size, stride, offset) or ("number", x)."""
        self.returned, reader = [], self.reader
        written = {into for _, into in self.copies}
        for node in reader.output.args[0]:
            if not hasattr(node, "op"):
                self.returned.append(("number", node if expression(node) is None else reader.sizes(node)))
            elif reader.is_number(node):
                self.returned.append(("number", reader.number(node)))
            elif reader.value(node) is None:
                self.returned.append(("number", None))
            elif node in self.copy_nodes:
                self.returned.append(("node", node.args[0]))
            else:
                self.returned.append(self._returned(node, root_of(reader, node), written))
        self.wanted = {x[1] for x in self.returned if x[0] != "number"}

    def _returned(self, node, root, written):
        reader = self.reader
        if root is node or root in written:
            return ("node", node)
        f, r = reader.fact(node), reader.fact(root)
        if root.op == "call_function" and (not _dense(reader, root) or math.prod(r.shape) > 2 * math.prod(f.shape)):
            return ("node", node)
        if r.stride is None:
            return ("node", node)
        return ("view", root, f.shape, f.stride, f.offset - r.offset)

    def _make(self):
        reader, self.steps = self.reader, []
        record = self.record
        found = [(eager, [n for n in nodes if n not in self.copy_nodes]) for eager, nodes in levels(reader, self.eager)]
        found = [x for x in found if x[1]]
        needed = set(self.wanted) | {source for source, _ in self.copies}
        for _, nodes in found:
            inside = set(nodes)
            for n in nodes:
                needed.update(a for a in n.all_input_nodes if a not in inside)
        placed, made = set(), {}
        for k, (eager, nodes) in enumerate(found):
            for n in nodes:
                made[n] = k
        self.late = []  # copies that no program does
        into_step = {}
        for source, into in self.copies:
            k = made.get(source)
            same = k is not None and not found[k][0] and _dense(reader, into) and reader.fact(source).shape == reader.fact(into).shape \
                and reader.fact(source).element == reader.fact(into).element
            last = same and all(made[u] <= k for u in into.users if u in made) and into not in self.wanted
            if last:
                into_step.setdefault(k, []).append((source, into))
            else:
                self.late.append((source, into))
        needed |= {source for source, _ in self.late}
        for k, (eager, nodes) in enumerate(found):
            if eager:
                self.steps.append(nodes)
                continue
            copies = into_step.get(k, [])
            inside = set(nodes)
            only_copied = {s for s, _ in copies} - self.wanted - {s for s, _ in self.late} - {a for kk, (_, ns) in enumerate(found) if kk != k for n in ns for a in n.all_input_nodes}
            wanted = [n for n in nodes if n in needed and n not in only_copied and self._is_value(n)]
            segment = self._segment(nodes, wanted, copies, inside)
            self._failed = segment
            layouts = [self._layout(n) for n in segment.inputs]
            self.steps.append(Step(segment, layouts, record, [into for _, into in copies], self.cache))
        if record is not None:
            self._count(found)

    def _is_value(self, node):
        return is_tensor(self.reader.value(node))

    def _segment(self, nodes, wanted, copies, inside):
        segment = Segment(self.reader, nodes, wanted)
        for source, into in copies:
            if into not in segment.number:
                continue
            if segment.inputs.count(into):
                segment.given.append([segment.inputs.index(into), len(segment.results)])
            segment.results.append([segment.number[source], segment.order(into)])
        for source, into in copies:
            if into not in segment.number:
                self.late.append((source, into))
                if source not in segment.outputs:
                    segment.outputs.append(source)
                    segment.results.insert(len(segment.outputs) - 1, [segment.number[source], segment.order(source)])
                    for pair in segment.given:
                        pair[1] += 1
        return segment

    def _layout(self, node):
        f = self.reader.fact(node)
        if f.stride is None:
            return None
        return order_of(f.shape, f.stride) or None

    def _count(self, found):
        r = self.record
        r.segments = len(self.steps)
        for eager, nodes in found:
            for n in nodes:
                if n.target is operator.getitem:
                    continue
                name = name_of(n.target)
                r.nodes += 1
                r.inside += not eager
                r.ops[name] = r.ops.get(name, 0) + 1
                if name.split(".")[1] in _PRODUCTS:
                    r.products += 1
                    r.products_inside += not eager
                if eager and n in self.eager:
                    r.eager.setdefault((name, self.eager[n]), []).append(place_of(n))

    def _warn(self):
        new = {name_of(n.target): reason for n, reason in self.eager.items()}
        new = {k: v for k, v in new.items() if k not in _warned}
        if new:
            _warned.update(new)
            text = ", ".join(f"{k} ({v})" for k, v in sorted(new.items()))
            warnings.warn(f"tessera: these ops run in eager, and split the graph: {text}", stacklevel=2)

    # The function

    def _text(self):
        import torch

        empty, over = makers()
        reader = self.reader
        names = {n: f"a{i}" for i, n in enumerate(reader.placeholders)}
        space = {"empty": empty, "over": over, "torch": torch, "pack": struct.pack_into,
                 "new_seed": lambda: torch.empty((), dtype=torch.int64).random_()}
        lines = []
        for i, n in enumerate(reader.held):
            names[n] = f"k{i}"
            space[f"k{i}"] = reader.tensors[n]
        if reader.placeholders:
            lines.append(f"{', '.join(names[n] for n in reader.placeholders)}, = args")
        for k, step in enumerate(self.steps):
            if isinstance(step, Step):
                self._step_text(k, step, names, space, lines)
            else:
                self._eager_text(step, names, space, lines)
        for source, into in self.late:
            lines.append(f"{names[into]}.copy_({names[source]})")
        returned = []
        for i, x in enumerate(self.returned):
            if x[0] == "number":
                space[f"n{i}"] = x[1]
                returned.append(f"n{i}")
            elif x[0] == "node":
                returned.append(names[x[1]])
            else:
                _, root, size, stride, offset = x
                returned.append(f"over({names[root]}, {size!r}, {stride!r}, {offset})")
        lines.append(f"return [{', '.join(returned)}]")
        text = "def call(args):\n" + "".join(f"    {line}\n" for line in lines)
        self.text = text
        exec(compile(text, "<tessera.torch>", "exec"), space)
        return space["call"]

    def _step_text(self, k, step, names, space, lines):
        inputs = [names[n] for n in step.segment.inputs]
        results = []
        for n in step.segment.outputs:
            names[n] = f"r{len(names)}"
            results.append(names[n])
        into = [names[n] for n in step.copies if n in step.segment.number]
        more, args = step.source(inputs, results, into)
        n_in = len(inputs) + step.segment.random
        n_out, pool = len(args) - n_in, []
        take, run, fail, where = step.bound(n_in, n_out)
        space.update({f"take{k}": take, f"run{k}": run, f"fail{k}": fail, f"where{k}": where, f"keep{k}": pool.append, f"pool{k}": pool,
                      f"pack{k}": struct.Struct(f"{2 * len(args)}Q").pack_into})
        lines += more
        lines.append(f"b = pool{k}.pop() if pool{k} else take{k}()")
        lines.append(f"pack{k}(b[0], 0, {', '.join(f'{p}, {size}' for p, size in args)})")
        lines.append(f"if not run{k}({step.handle}, b[1], {n_in}, b[2], {n_out}, where{k}, None): fail{k}(b)")
        lines.append(f"keep{k}(b)")

    def _eager_text(self, nodes, names, space, lines):
        for n in nodes:
            names[n] = f"r{len(names)}"
            if n.target is operator.getitem:
                lines.append(f"{names[n]} = {names[n.args[0]]}[{n.args[1]}]")
                continue
            key = f"f{len(space)}"
            target = n.target
            if name_of(target).startswith("aten.view."):
                import torch

                target = torch.ops.aten.reshape.default if target._overloadname == "default" else target
            space[key] = target
            space[f"x{key}"], space[f"y{key}"] = [], {}
            args = [self._eager_argument(a, names, space) for a in n.args]
            args += [f"{name}={self._eager_argument(a, names, space)}" for name, a in n.kwargs.items()]
            lines.append(f"{names[n]} = {key}({', '.join(args)})")

    def _eager_argument(self, a, names, space):
        if hasattr(a, "op") and hasattr(a, "meta"):
            return repr(self.reader.number(a)) if self.reader.is_number(a) else names[a]
        if isinstance(a, (list, tuple)):
            return f"[{', '.join(self._eager_argument(x, names, space) for x in a)}]"
        if expression(a) is not None:
            return repr(self.reader.sizes(a))
        key = f"v{len(space)}"
        space[key] = a
        return key


class Graph:
    """What a compiler of AOTAutograd gives: called with a list of arguments, it gives a list of results. Sizes that are symbolic get a program for each
    combination that comes, the last LIMIT of them."""

    def __init__(self, gm, kind="forward", log=None):
        self.gm, self.kind, self.log = gm, kind, log
        self.placeholders = [n for n in gm.graph.nodes if n.op == "placeholder"]
        self.plans, self.plan = {}, None
        self.symbols = self._symbols()
        self.watched = kind == "backward"  # nobody guards the strides of what it gets: it is made when they are known
        self.key = None
        if not self.symbols and not self.watched:
            self.plan = self._new({}, gm)

    def function(self):
        """What AOTAutograd calls. Guards have seen the sizes and strides of what a forward graph gets."""
        if not self.symbols and not self.watched:
            run = self.plan.call
        elif not self.symbols:

            def run(args):
                if self._strides(args) != self.key:
                    return self._for(args).call(args)
                return self.plan.call(args)

        else:

            def run(args):
                return self._for(args).call(args)

        if os.environ.get("TESSERA_CHECK") == "ops":
            run = self._checked(run)
        run._boxed_call = True
        return run

    def _checked(self, run):
        plans = {}

        def checked(args):
            with _lock:
                _torch_check.check(self.gm, [a.clone() if is_tensor(a) else a for a in args], self._values(args), plans, lambda gm, values, given: Plan(gm, values, None, given))
            return run(args)

        return checked

    def _values(self, args):
        """Numbers of the symbols of sizes."""
        found = {}
        for i, d, expr in self.symbols:
            if getattr(expr, "is_Symbol", False):
                found[expr] = args[i] if d is None else args[i].shape[d]
        return found

    @staticmethod
    def _strides(args):
        return tuple([a.stride() if hasattr(a, "stride") else None for a in args])

    def _symbols(self):
        """For each placeholder with symbolic sizes: (number, dimension or None, expression)."""
        found = []
        for i, n in enumerate(self.placeholders):
            value = n.meta.get("val")
            if is_tensor(value):
                found += [(i, d, expression(x)) for d, x in enumerate(value.shape) if expression(x) is not None and not getattr(expression(x), "is_number", True)]
            elif expression(value) is not None:
                found.append((i, None, expression(value)))
        return found

    def _for(self, args):
        """The plan for the sizes and strides of these arguments."""
        sizes = tuple([args[i] if d is None else args[i].shape[d] for i, d, _ in self.symbols])
        key = sizes, self._strides(args)
        plan = self.plans.get(key)
        if plan is None:
            with _lock:
                plan = self.plans.get(key) or self._alike(args) or self._new(self._values(args), self.gm, args)
                while len(self.plans) >= LIMIT:
                    self.plans.pop(next(iter(self.plans)))
                self.plans[key] = plan
                if self.plan is None and not self.symbols:
                    self.plan, self.key = plan, key[1]
        return plan

    def _alike(self, args):
        """The plan of the graph's own strides, where these lie in memory the same: strides of dimensions of one element do not matter."""
        if self.plan is None:
            return None
        reader = self.plan.reader
        for n, a in zip(self.placeholders, args):
            if is_tensor(a) and order_of(a.shape, a.stride()) != order_of(reader.fact(n).shape, reader.fact(n).stride):
                return None
        if any(x[0] == "view" and x[1].op == "placeholder" for x in self.plan.returned):
            return None
        self.key = self._strides(args)
        return self.plan

    def _new(self, values, gm, args=None):
        record = Record(self.kind) if self.log is not None else None
        with _lock:
            plan = Plan(gm, values, record, args)
        if record is not None:
            self.log.append((record, plan))
        return plan
