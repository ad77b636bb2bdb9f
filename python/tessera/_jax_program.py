# SPDX-License-Identifier: Apache-2.0
"""A JAX function as the program that Tessera plans, and as the jitted function that runs a plan."""

import os
import re
import traceback
import warnings

from . import _jax_jaxpr as equations
from ._jax_source import searched_names
from .errors import InputError, TesseraError

# What a plan is made for: its ops are those that every platform has. A function that only another platform can lower is lowered for that.
PLATFORM = "cpu"


def brief(error):
    """The first line of an exception that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0][:300] if lines else ''}".rstrip(": ")


# What works in place of what cannot be traced, by the names of JAX's exceptions.
_INSTEAD = {
    "TracerBoolConversionError": "jnp.where or lax.cond choose by a value; an argument that decides what is computed is one of static_argnums",
    "TracerArrayConversionError": "jax.numpy has most of NumPy's functions",
    "TracerIntegerConversionError": "an argument that is an index or a size is one of static_argnums",
    "ConcretizationTypeError": "an argument that decides what is computed is one of static_argnums",
    "NonConcreteBooleanIndexError": "jnp.where selects, with shapes that are known",
}


def untraced(error):
    """Why a function cannot be traced: where in the user's code, what, and what works."""
    import jax

    own, text = os.path.dirname(os.path.abspath(__file__)), brief(error)
    skipped = (own + os.sep, os.path.dirname(os.path.abspath(jax.__file__)) + os.sep)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(skipped) and f.lineno]
    place = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}: " if frames else ""
    instead = _INSTEAD.get(type(error).__name__)
    return f"{place}{text}{f' ({instead})' if instead else ''}"


class Program:
    """A traced function: call, its jaxpr without constraints of its own (dropped: their equations), its equations by number."""

    traces = 0  # of edited source, in this process

    def __init__(self, call):
        import jax

        self.call = call
        try:
            traced = jax.jit(call.runner(jax)).trace(*call.values)
        except TesseraError:
            raise
        except Exception as error:
            raise InputError(f"{call.name} cannot be traced with these arguments: {untraced(error)}") from error
        self.dropped = []
        self.closed = equations.cleaned(traced.jaxpr, self.dropped)
        self.equations = equations.Equations(self.closed.jaxpr)
        self.ins, self.outs = [v.aval for v in self.closed.jaxpr.invars], [v.aval for v in self.closed.jaxpr.outvars]
        self.out_paths = [f"result{jax.tree_util.keystr(p)}" for p, leaf in jax.tree_util.tree_flatten_with_path(traced.out_info)[0]]
        self.manual = equations.manual_meshes(self.closed.jaxpr)
        self.axis_names = ()  # of a mesh of JAX's that was asked for

    def _function(self, closed):
        """The function of the values that computes a jaxpr."""
        import jax
        from jax.extend.core import jaxpr_as_fun

        compute = jaxpr_as_fun(closed)
        return self.call.signed(lambda *values: self.call.results_of(compute(*jax.tree.leaves(values))))

    def text(self):
        """The program with numbers in its locations: what is planned."""
        import jax
        from jax.extend.core import ClosedJaxpr

        tagged = ClosedJaxpr(self.equations.tagged, self.closed.consts)
        return self.lowered(jax.jit(self._function(tagged), keep_unused=True, donate_argnums=self.call.donate)).as_text(debug_info=True)

    def lowered(self, jitted):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Some donated buffers were not usable")
            traced = jitted.trace(*self.call.values)
            try:
                return traced.lower(lowering_platforms=(PLATFORM,))
            except Exception as first:
                try:
                    return traced.lower()
                except Exception:
                    raise InputError(f"{self.call.name} cannot be lowered: {brief(first)}") from first

    def jitted(self, mesh, specs, ins, outs, tagged=False):
        """The function of the values with constraints and shardings on a mesh; ins and outs: a PartitionSpec for each array, or None; tagged: with numbers in
        its locations."""
        import jax

        def placed(spec):
            return None if spec is None else jax.sharding.NamedSharding(mesh, spec)

        new = equations.inserted(self.equations.tagged if tagged else self.closed.jaxpr, self.closed.consts, specs, mesh)
        return jax.jit(self._function(new), in_shardings=tuple(self.call.tree_of(map(placed, ins))), out_shardings=self.call.results_of(map(placed, outs)),
                       donate_argnums=self.call.donate, keep_unused=True)

    def as_written(self, sizes, ins, outs, devices=None):
        """The function as its source is now, with shardings of arguments and results alone, on a mesh of these devices, or of any. The mesh has one more axis, of one
        device, and always another, as JAX keeps what it traced before by function and mesh."""
        import jax

        Program.traces += 1
        sizes = {**sizes, f"trace{Program.traces}": 1}
        if devices is None:
            mesh, around = abstract_mesh(sizes), jax.sharding.use_abstract_mesh
        else:
            mesh, around = jax.sharding.Mesh(devices[..., None], tuple(sizes), axis_types=(jax.sharding.AxisType.Auto,) * len(sizes)), jax.set_mesh
        placed = lambda specs: [None if s is None else jax.sharding.NamedSharding(mesh, s) for s in specs]
        with around(mesh):
            return self.lowered(jax.jit(self.call.runner(jax), in_shardings=tuple(self.call.tree_of(placed(ins))), out_shardings=self.call.results_of(placed(outs)),
                                        donate_argnums=self.call.donate, keep_unused=True))

    def spec(self, parts, aval):
        """The PartitionSpec of an array: of the dimensions that JAX knows; a key's own numbers are not divided."""
        from jax.sharding import PartitionSpec as P

        if len(parts) > len(aval.shape):
            if any(parts[len(aval.shape) :]):
                raise InputError(f"{aval}: the numbers of a random key cannot be divided")
            parts = parts[: len(aval.shape)]
        return P(*(P.UNCONSTRAINED if p == "?" else p for p in parts))

    def keys(self):
        """What the search must leave alone: the numbers that random keys are made of, which JAX cannot divide."""
        held = {}
        for i, aval in enumerate(self.ins):
            if str(getattr(aval, "dtype", "")).startswith("key<"):
                held[i] = ",".join(["?"] * len(aval.shape) + ["_"])
        return held


def mesh_text(sizes):
    """A mesh of JAX's as the search takes it."""
    names = searched_names(sizes)
    return ",".join(f"{names[k]}={v}" for k, v in sizes.items())


def mesh_asked(mesh, devices, program):
    """(Tessera's text for the mesh or "", number of devices, a mesh of JAX's or None) from what the user gave, or from where the function runs."""
    import jax

    from ._jax_source import mesh_of

    if mesh is None or mesh == "":
        mesh = ""
        manual = [m for m in program.manual if not getattr(m, "empty", False)]
        around = jax.sharding.get_abstract_mesh()
        if manual:
            mesh = manual[0]
        elif not devices and not around.empty:
            mesh = around
    if not isinstance(devices, int) or isinstance(devices, bool) or devices < 0:
        raise InputError(f"devices: a number is expected, not {devices!r}")
    if isinstance(mesh, str):
        if not mesh and not devices:
            devices = jax.device_count()
            if devices == 1:
                raise InputError("for how many devices? Give devices=8 or mesh='dp=2,tp=4'; here JAX has one")
        return _checked(",".join(f"{k}={v}" for k, v in mesh_of(mesh).items()) if mesh else "", devices, None, program)
    if not hasattr(mesh, "shape") or not hasattr(mesh, "axis_names"):
        raise InputError(f"mesh: a text such as 'dp=2,tp=4' or a Mesh is expected, not {type(mesh).__name__}")
    text, program.axis_names = mesh_text(mesh.shape), tuple(mesh.axis_names)
    return _checked(text, devices, mesh if isinstance(mesh, jax.sharding.Mesh) else None, program)


def _checked(text, devices, mesh, program):
    from ._jax_source import mesh_of

    sizes = mesh_of(text) if text else {}
    n = 1
    for v in sizes.values():
        n *= v
    if text and devices and n != devices:
        raise InputError(f"the mesh {text} has {n} devices, not {devices}")
    for m in program.manual:
        if mesh_text(m.shape) != text:
            axes = ", ".join(f"{k}={v}" for k, v in m.shape.items())
            raise InputError(f"the function has a shard_map over the mesh {axes}: it can be planned for that mesh only")
    return text, devices, mesh


def jax_mesh(sizes, given):
    """A mesh of JAX's devices, for propagation: given, if it has explicit axes, is made anew."""
    import math

    import jax

    types = (jax.sharding.AxisType.Auto,) * len(sizes)
    if given is not None:
        return jax.sharding.Mesh(given.devices, tuple(sizes), axis_types=types)
    n, have = math.prod(sizes.values()), jax.devices()
    if len(have) < n:
        more = {"cpu": f"; XLA_FLAGS=--xla_force_host_platform_device_count={n} makes as many", "tessera": f"; TESSERA_DEVICES={n} makes as many"}.get(have[0].platform, "")
        raise InputError(f"the plan is for {n} devices, and JAX has {len(have)}{more}")
    return jax.make_mesh(tuple(sizes.values()), tuple(sizes), axis_types=types, devices=have[:n])


def abstract_mesh(sizes):
    import jax

    return jax.sharding.AbstractMesh(tuple(sizes.values()), tuple(sizes), axis_types=(jax.sharding.AxisType.Auto,) * len(sizes))


def _axes_of(text):
    """[["x"], []] of '[{"x"}, {}]'."""
    return [re.findall(r'"([^"]*)"', d) for d in re.findall(r"\{([^}]*)\}", text)]


class AsItIs:
    """What stands for the plan of a function with a shard_map, around which nothing is searched: its figures, and the shardings that propagation finds."""

    def __init__(self, source, device):
        costs, now = source.plan().data, source.simulate(device=device).data
        rows = {what: [{"index": i, "sharding": _axes_of(r["sharding"])} for i, r in enumerate(costs[what])] for what in ("arguments", "results")}
        mesh = [{"name": name, "size": n} for name, n in costs["meshes"][0]["axes"]]
        self.data = {"device": device, "memory_limit_bytes": now["memory_bytes"], "chosen": 0, "candidates": [
            {"name": "as it is", "mesh": mesh, "pins": [], **rows, **{k: now[k] for k in ("step_seconds", "peak_bytes", "received_bytes", "collectives")}}]}

    def save(self, path):
        raise InputError("a function with a shard_map has no plan to save: it is planned as it is")


def manual_mesh(program):
    """The mesh of devices that a shard_map of the function names, if one does."""
    import jax

    return next((m for m in program.manual if isinstance(m, jax.sharding.Mesh)), None)
