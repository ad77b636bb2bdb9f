# SPDX-License-Identifier: Apache-2.0
"""Plans for JAX programs: the shardings that Tessera finds, as PartitionSpecs, as a jitted function, and as a diff of the source.

    plan = tessera.jax.auto_shard(step, state, batch, devices=8, donate_argnums=0)
    print(plan.report())
    state, loss = plan.jit(state, batch)

docs/JAX.md has the whole of it. explain tells why a jitted function communicates (docs/EXPLAIN.md). JAX is imported when a function here is called."""

import contextlib
import dataclasses
import math
import os

from . import _jax_private as private
from ._jax_call import Call
from ._jax_explain import Explanation, explain
from ._jax_jaxpr import BACKWARD, name_of
from ._jax_program import AsItIs, Program, abstract_mesh, jax_mesh, manual_mesh, mesh_asked, mesh_text
from ._jax_source import Place, bytes_of, parts_of, searched_names, seconds, size, spec_text
from .errors import InputError
from .module import Module

__all__ = ["Explanation", "Plan", "auto_shard", "explain", "load", "module"]
_AS_GOOD = 1.02  # plans with pins of the forward pass alone
_ROUNDS = 4  # searches, each without the values of the one before that no equation computes


def auto_shard(step, *args, devices=0, mesh="", device="h100", memory=0, donate_argnums=(), donate_argnames=(), static_argnums=(), static_argnames=(), pins="few",
               axes="", kwargs=None, **more):
    """Finds the shardings with which a step takes the least time on a mesh: a Plan.

    step: a function of pytrees, jitted or not. args, kwargs and further keywords: what it is called with; jax.ShapeDtypeStruct does for arrays. devices: how many,
    or mesh: "dp=2,tp=4", or a Mesh. device: a name of docs/SEARCH.md or a device file. memory: bytes of each ("80G"), if less than it has. axes: names for the
    axes that devices are divided into. pins: constraints inside the program: few, none, all; source: few, and none of the backward pass, which has no lines
    of its own."""
    private.require()
    program = Program(Call(step, args, {**(kwargs or {}), **more}, static_argnums, static_argnames, donate_argnums, donate_argnames))
    text, devices, given = mesh_asked(mesh, devices, program)
    if pins not in ("few", "none", "all", "source"):
        raise InputError(f"pins: 'few', 'source', 'none' or 'all' is expected, not {pins!r}")
    source = Module.parse(program.text())
    if program.manual:
        return Plan(program, AsItIs(source, device), source, given)
    options = dict(mesh=text, devices=devices, device=device, memory=bytes_of(memory), axes=axes, pins="few" if pins == "source" else pins, expressible=True,
                   inputs=program.keys() or None)
    plan = _found(program, source, given, options, [BACKWARD] if pins == "source" else [])
    if pins == "few" and any(p["backward"] for p in plan.pins):
        # Values of the forward pass can be pinned in the source, too: as good a plan with these alone is a better one.
        mesh = mesh_text(plan.mesh)
        try:
            forward = _found(program, source, given, dict(options, mesh=mesh, devices=0, axes=""), [BACKWARD])
        except InputError:  # nothing fits without them
            return plan
        if forward.step_seconds <= _AS_GOOD * plan.step_seconds and forward.best["fits"]:
            return forward
    return plan


def _found(program, source, given, options, excluded=()):
    """A plan whose pins are all of values that the jaxpr has."""
    excluded, first = list(excluded), None
    for _ in range(_ROUNDS):
        found = source.find_plan(excluded=excluded, **options)
        chosen = _chosen(found.data)
        first = first or chosen
        names = {name_of(p) for p in chosen["pins"] if program.equations.places_of(p) is None} - {"", *excluded}
        if not names:
            break
        excluded += sorted(names)
    plan = Plan(program, found, source, given)
    if chosen["step_seconds"] > 1.001 * first["step_seconds"]:
        plan.notes.append(f"{len(excluded)} values that the program of the first plan would pin are computed by no single equation of the jaxpr; without them a step"
                          f" takes {100 * (chosen['step_seconds'] / first['step_seconds'] - 1):.1f} % more")
    return plan


def module(step, *args, donate_argnums=(), donate_argnames=(), static_argnums=(), static_argnames=(), kwargs=None, **more):
    """The tessera.Module that auto_shard plans: `tessera check-plan` takes its text."""
    private.require()
    return Module.parse(Program(Call(step, args, {**(kwargs or {}), **more}, static_argnums, static_argnames, donate_argnums, donate_argnames)).text())


def load(path, step, *args, mesh="", donate_argnums=(), donate_argnames=(), static_argnums=(), static_argnames=(), kwargs=None, **more):
    """The Plan of a file that save wrote, for the same function and arguments of the same types; an error says what differs."""
    from .plan import Plan as Found

    private.require()
    program = Program(Call(step, args, {**(kwargs or {}), **more}, static_argnums, static_argnames, donate_argnums, donate_argnames))
    found = Found.load(os.fspath(path))
    text = ",".join(f"{a['name']}={a['size']}" for a in _chosen(found.data)["mesh"])
    if isinstance(mesh, str) and not mesh:
        mesh = text
    asked, _, given = mesh_asked(mesh, 0, program)
    if asked != text:
        raise InputError(f"{path}: the plan is for the mesh {text}, not {asked}")
    source = Module.parse(program.text())
    check = source.check_plan(found)
    if not check:
        step, peak = check.data["step_seconds"], check.data["peak_bytes"]
        raise InputError(f"{path}: the plan is for another version of {program.call.name}: it promised {seconds(step['promised'])} and {size(peak['promised'])} a device, and the"
                         f" function now takes {seconds(step['now'])} and {size(peak['now'])}; plan it again with auto_shard")
    return Plan(program, found, source, given)


def _chosen(data):
    return data["candidates"][data["chosen"]]


class Plan:
    """Shardings of a function. in_specs: for its positional arguments without static ones, a tuple of pytrees of PartitionSpec; kw_specs: for keyword arguments;
    out_specs: for its results; mesh: sizes by name; pins: constraints inside; notes: what could not be expressed; data: all figures of the search."""

    def __init__(self, program, found, source, given):
        self._program, self._found, self._source, self._given = program, found, source, given
        self._made = {}
        self.data, self.notes = found.data, []
        best = self.best = _chosen(found.data)
        self._names = {v: k for k, v in searched_names(program.axis_names).items()}
        self.mesh = {self._names.get(a["name"], a["name"]): a["size"] for a in best["mesh"]}
        self._ins = self._specs(best["arguments"], program.ins, program.call.paths)
        self._outs = self._specs(best["results"], program.outs, program.out_paths, True)
        self.in_specs, self.kw_specs = program.call.named(program.call.tree_of(self._ins))
        self.out_specs = program.call.results_of(self._outs)
        self._constraints, self.pins = {}, []
        for pin in sorted(best["pins"], key=lambda p: p.get("number", 0)):
            self._pin(pin)
        self._replaced()

    # What the plan says

    @property
    def step_seconds(self):
        return self.best["step_seconds"]

    @property
    def peak_bytes(self):
        return self.best["peak_bytes"]

    def __repr__(self):
        axes = ", ".join(f"{k}={v}" for k, v in self.mesh.items())
        return f"<Plan of {self._program.call.name} on {axes}: {seconds(self.step_seconds)} a step, {size(self.peak_bytes)} a device, {len(self.pins)} pins>"

    def _specs(self, rows, avals, paths, results=False):
        from jax.sharding import PartitionSpec as P

        specs = [P()] * len(avals)
        for row in rows:
            if row["index"] >= len(avals):
                raise InputError(f"the plan has a sharding for number {row['index']} of {len(avals)}: it is of another program")
            try:
                parts = self._parts(row["sharding"])
                free = results and not parts and any(row.get("open", ()))  # a result that the program may leave anywhere
                specs[row["index"]] = None if free else self._program.spec(parts, avals[row["index"]])
            except InputError as error:
                self.notes.append(f"{paths[row['index']]}: {error}; it is on every device")
        return specs

    def _parts(self, sharding, open=None):
        """Entries of a PartitionSpec with JAX's names of axes."""
        real = lambda p: tuple(map(real, p)) if isinstance(p, tuple) else self._names.get(p, p)
        return tuple(map(real, parts_of(sharding, open)))

    def _pin(self, pin):
        found = self._program.equations.places_of(pin)
        cost = _cost(pin, self.best, self.data)
        where = pin.get("source") or "a place without a name"
        if found is None:
            self.notes.append(f"a pin of {pin['op']} at {where} is left out: no equation of the jaxpr computes this value{f' ({cost})' if cost else ''}")
            return
        n, place = found
        e = self._program.equations.all[n]
        aval = (e.outvars[place] if place >= 0 else e.invars[~place]).aval
        try:
            parts = self._parts(pin["sharding"], pin.get("open"))
            spec = self._program.spec(parts, aval)
        except InputError as error:
            self.notes.append(f"a pin of {pin['op']} at {where} is left out: {error}")
            return
        self._constraints.setdefault(n, {})[place] = [spec]
        self.pins.append({"equation": n, "place": place, "primitive": e.primitive.name, "spec": spec, "parts": parts, "shape": tuple(aval.shape), "cost": cost,
                          "backward": self._program.equations.backward(n), "source": where})

    def _replaced(self):
        if self._program.dropped:
            lines = {f"{os.path.basename(f[0])}:{f[2]}" for e in self._program.dropped for f in private.frames(e)[:1]}
            self.notes.append(f"constraints of the program's own are replaced by the plan: {', '.join(sorted(lines))}")
        if self._program.call.placed:
            self.notes.append("in_shardings and out_shardings of the jit that was given are replaced by the plan")
        if self._program.manual:
            self.notes.append("the function has a shard_map, whose body is the program of one device: nothing is pinned inside, and nothing is searched around it;"
                              " its figures are those of the function as it is")

    # Running it

    @property
    def jax_mesh(self):
        """The Mesh of JAX's devices; an error where there are too few."""
        if "mesh" not in self._made:
            self._made["mesh"] = jax_mesh(self.mesh, self._given)
        return self._made["mesh"]

    @property
    def in_shardings(self):
        """in_specs as NamedShardings, for jax.device_put."""
        return self._placed(self.in_specs)

    @property
    def out_shardings(self):
        return self._placed(self.out_specs)

    def _placed(self, specs):
        import jax

        return jax.tree.map(lambda s: jax.sharding.NamedSharding(self.jax_mesh, s), specs, is_leaf=lambda s: isinstance(s, jax.sharding.PartitionSpec))

    def _jitted(self):
        if "jit" not in self._made:
            import jax

            self._made["jit"] = self._program.jitted(self.jax_mesh, self._all_constraints(), self._ins, self._outs)
            self._made["shardings"] = [jax.sharding.NamedSharding(self.jax_mesh, s) for s in self._ins]
        return self._made["jit"]

    def put(self, *args, **kwargs):
        """The arguments of a call, where the plan wants them: (args, kwargs). Static arguments stay as they are."""
        call = self._program.call
        placed = call.tree_of(self._moved(call.flatten(args, kwargs), True))
        by_place, by_name = call.named(placed)
        by_place = iter(by_place)
        return tuple(args[i] if i in call.static else next(by_place) for i in range(len(args))), {**kwargs, **by_name}

    def _moved(self, arrays, all=False):
        """The arrays, those that lie elsewhere moved."""
        import jax

        self._jitted()
        shardings, moved = self._made["shardings"], list(arrays)
        is_there = [isinstance(a, jax.Array) and a.sharding.is_equivalent_to(s, a.ndim) for a, s in zip(arrays, shardings)]
        away = [n for n, a in enumerate(arrays) if not is_there[n] and (all or isinstance(a, jax.Array))]
        for n, a in zip(away, jax.device_put([arrays[n] for n in away], [shardings[n] for n in away])):
            moved[n] = a
        return moved

    def jit(self, *args, **kwargs):
        """Runs a step by the plan: the function's own pytrees go in and come out, on the plan's devices; donated arguments are given up."""
        call = self._program.call
        run = self._jitted()
        return call.finished(run(*call.tree_of(self._moved(call.flatten(args, kwargs)))))

    def lower(self):
        """jax.stages.Lowered of the function with all shardings; without as many devices it can be read, and not compiled."""
        import jax

        if len(jax.devices()) >= math.prod(self.mesh.values()) or self._given is not None:
            return self._jitted().trace(*self._program.call.values).lower()
        return self._abstract()

    def _all_constraints(self):
        """Those of the pins, and for another partitioner than Tessera's how operands and results move."""
        if "constraints" not in self._made:
            from ._jax_uses import uses

            specs = {n: dict(places) for n, places in self._constraints.items()}
            if not self._program.manual and self.jax_mesh.devices.flat[0].platform != "tessera":
                for n, places in uses(self._program, self._lowered(tagged=True), self.mesh).items():
                    specs.setdefault(n, {}).update(places)
            self._made["constraints"] = specs
        return self._made["constraints"]

    def _lowered(self, tagged=False):
        """The function with the pins, for devices that need not be there."""
        import jax

        mesh = manual_mesh(self._program) or abstract_mesh(self.mesh)
        try:
            return self._program.lowered(self._program.jitted(mesh, self._constraints, self._ins, self._outs, tagged))
        except InputError:  # callbacks are lowered for devices that are there
            if len(jax.devices()) < math.prod(self.mesh.values()):
                raise
            return self._program.lowered(self._program.jitted(self.jax_mesh, self._constraints, self._ins, self._outs, tagged))

    def _abstract(self):
        if "abstract" not in self._made:
            self._made["abstract"] = self._lowered()
        return self._made["abstract"]

    # Whether it holds

    def relowered(self):
        """The tessera.Module of the function with the plan's shardings and constraints, as JAX lowers it, its calls inlined, as
        JAX's partitioner has them."""
        if "module" not in self._made:
            self._made["module"] = Module.parse(self._abstract().as_text(debug_info=True)).run_passes("inline{default-pipeline=}")
        return self._made["module"]

    def simulated(self):
        """Figures of that program, as Module.simulate gives them: what a step takes if JAX's partitioner does as Tessera's."""
        if "figures" not in self._made:
            self._made["figures"] = self.relowered().simulate(device=self.data["device"]).data
        return self._made["figures"]

    def check(self, within=0.02):
        """Raises if the function with the plan takes longer, or more memory, than the plan promised."""
        now = self.simulated()
        for key, text in (("step_seconds", seconds), ("peak_bytes", size)):
            if now[key] > (1 + within) * self.best[key]:
                promised = f"the plan promised {text(self.best[key])}, and the program now takes {text(now[key])}"
                raise InputError(f"{self._program.call.name}: {promised}; plan it again with auto_shard")
        return self

    def verify(self, source=False, xla=False):
        """What XLA's collectives move, by source line, beside what the plan's do: a Comparison. source: of the source with the diff in it, in place of plan.jit; xla:
        with that of diff(xla=True). Needs the plan's devices."""
        from ._jax_verify import Comparison

        if xla:
            return self._for_xla()[1]
        return self._written() if source else Comparison(self, self._jitted(), self._more())

    def _written(self):
        """What XLA moves in the source with the diff in it."""
        from ._jax_edited import Written
        from ._jax_verify import Comparison

        if "written" not in self._made:
            self._made["written"] = Comparison(self, Written(self, self.edits()), 0)
        return self._made["written"]

    def _for_xla(self):
        """Edits with which XLA moves the least, and what it moves: those of diff, or with constraints on operands of products."""
        from ._jax_edited import Written
        from ._jax_verify import Comparison

        if "xla" not in self._made:
            both, pins = [(self.edits(), self._written())], self._operands()
            for steps in (True, False):
                more = self.source().with_operands(pins if steps else [{**p, "via": ()} for p in pins])
                done = min(c.compiled for _, c in both) <= _AS_GOOD * both[0][1].planned or more.points in [e.points for e, _ in both]
                with contextlib.suppress(InputError):  # it cannot be traced with these
                    both += [] if done else [(more, Comparison(self, Written(self, more), 0))]
            self._made["xla"] = (*min(both, key=lambda r: r[1].compiled), both[0][1].compiled)
        return self._made["xla"]

    def _operands(self):
        """How operands of products move, as pins of the forward pass."""
        from ._jax_uses import PRODUCTS, uses

        eqs, found = self._program.equations, []
        for n, places in uses(self._program, self._lowered(tagged=True), self.mesh).items():
            if eqs.differentiated(n) and eqs.all[n].primitive.name in PRODUCTS:
                found += [{"equation": n, "place": place, "primitive": eqs.all[n].primitive.name, "parts": _entries(specs[-1]), "via": tuple(map(_entries, specs[:-1])), "cost": "",
                           "backward": False, "shape": tuple(eqs.all[n].invars[~place].aval.shape)} for place, specs in sorted(places.items()) if place < 0]
        return found

    def _more(self):
        """How many constraints plan.jit has besides the pins."""
        return sum(len(specs) for places in self._all_constraints().values() for specs in places.values()) - len(self.pins)

    def save(self, path):
        """Writes the plan: load reads it again, and `tessera check-plan` checks it."""
        self._found.save(os.fspath(path))

    # For people

    def table(self):
        from ._jax_report import table

        return table(self)

    def report(self):
        from ._jax_report import report

        return report(self)

    def edits(self):
        """Constraints as edits of the source files: see diff; and advice where a line cannot be edited."""
        return self.source().edits

    def source(self):
        """The edits, and the seconds and peak bytes of a step of the source with them, as JAX lowers it."""
        if "source" not in self._made:
            from ._jax_edited import Source

            self._made["source"] = Source(self)
        return self._made["source"]

    def _places(self, pins, told=True):
        return [dataclasses.replace(self._place(pin), told=told) for pin in pins]

    def _forward_pins(self):
        """All pins that a search sets for the same arguments and results in what is differentiated, and not in the backward pass."""
        names = searched_names(self.mesh)
        given = [{i: _text(s, aval, names) for i, (s, aval) in enumerate(zip(specs, avals)) if s is not None}
                 for specs, avals in ((self._ins, self._program.ins), (self._outs, self._program.outs))]
        try:
            found = self._source.find_plan(mesh=mesh_text(self.mesh), device=self.data["device"], memory=self.data.get("memory_limit_bytes") or 0, pins="all", expressible=True, excluded=[BACKWARD],
                                           inputs=given[0], outputs=given[1])
        except InputError:
            return []
        pins = Plan(self._program, found, self._source, self._given).pins
        return [p for p in pins if self._program.equations.differentiated(p["equation"])]

    def _place(self, pin):
        eqs, n = self._program.equations, pin["equation"]
        file, function, line, col, end_line, end_col = eqs.frame(n) or ("?", "?", 0, 0, 0, 0)
        parts, shape, why = pin["parts"], pin["shape"], ""
        library = eqs.library(n)
        if pin["backward"]:
            why = "in the backward pass, which has no line of its own"
        elif pin["place"] < 0:
            called = None if library else eqs.called(n, ~pin["place"])
            if called:
                return Place(file, line, col, end_line, end_col, function, parts, shape, cost=pin["cost"], operand=called[1], shapes=eqs.operand_shapes(*called), via=pin.get("via", ()))
            why = f"for operand {~pin['place']} of {pin['primitive']} alone"
        else:
            whole = eqs.value(n, parts)
            if whole:
                parts, shape = whole
            elif library:
                why = f"inside {os.path.basename(library[0])}:{library[2]}, which this line calls"
            else:
                why = "an intermediate value of the expression"
        return Place(file, line, col, end_line, end_col, function, parts, shape, why, pin["cost"], {shape} | eqs.shapes(n))

    def diff(self, xla=False):
        """A unified diff of the source files that writes the plan's constraints into them, with comments on what no edit can say. xla: where XLA then moves less,
        operands of products are constrained as well, so that it moves them as the plan does; both are compiled, on the plan's devices."""
        source, axes = self.source(), ", ".join(f"{k}={v}" for k, v in self.mesh.items())
        edits, head = source.edits, []
        if xla:
            edits, found, alone = self._for_xla()
            head = [f"XLA receives {size(found.compiled)} a device in a step with these lines, by the plan {size(found.planned)}"]
            if edits is not source.edits:
                head[0] += f"; without constraints on operands of products, which it would move otherwise, {size(alone)}"
        elif source.seconds:
            head = [f"a step of the source with these lines: {seconds(source.seconds)}, {size(source.peak)} a device"]
        head += [f"under jax.set_mesh(plan.jax_mesh), jitted with in_shardings=plan.in_specs, out_shardings=plan.out_specs; mesh {axes}"]
        return "".join(f"# {line}\n" for line in head + edits.advice) + edits.diff()


def _entries(spec):
    """A PartitionSpec as a pin has it."""
    parts = list(spec)
    while parts and parts[-1] is None:
        parts.pop()
    return tuple(parts)


def _text(spec, aval, names):
    """A PartitionSpec as the search takes it: "x+y,_"."""
    axes = [() if a is None else (a,) if isinstance(a, str) else a for a in (*spec, *(None for _ in range(len(aval.shape) - len(spec))))]
    key = ["_"] * str(getattr(aval, "dtype", "")).startswith("key<")  # the numbers that it is made of
    return ",".join(["+".join(names[n] for n in a) or "_" for a in axes] + key)


def _cost(pin, best, data):
    """What a pin is worth: "+83 % without it"."""
    without = pin.get("without")
    if not without:
        return ""
    more = without["step_seconds"] / max(best["step_seconds"], 1e-12) - 1
    limit = data.get("memory_limit_bytes") or math.inf
    if without["peak_bytes"] > limit:
        return f"without it {size(without['peak_bytes'])} do not fit"
    if more >= 0.0005:
        return f"+{100 * more:.3g} % without it"
    more = without["peak_bytes"] / max(best["peak_bytes"], 1) - 1
    return f"+{100 * more:.3g} % memory without it" if more >= 0.005 else ""
