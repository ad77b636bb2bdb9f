# SPDX-License-Identifier: Apache-2.0
"""jax_slice.py - programs of JAX on Tessera's devices, against NumPy. Run by jax.sh, on eight devices."""

import inspect
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

PASSED, FAILED = [], []


def check(name, good):
    (PASSED if good else FAILED).append(name)
    if not good:
        print(f"FAIL {name}")


def raises(text, f, *args):
    try:
        jax.block_until_ready(f(*args))
    except Exception as e:  # of any class: the text is what is checked
        return text in str(e)
    return False


def one_device():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    f = jax.jit(lambda x: jnp.sin(x) @ x.T)
    check("devices", len(jax.devices()) == 8 and jax.devices()[0].platform == "tessera")
    check("jit", np.allclose(f(x), np.sin(x) @ x.T, atol=1e-4))
    check("grad", np.allclose(jax.grad(lambda x: (x**2).sum())(x), 2 * x))
    check("loop", int(lax.fori_loop(0, 10, lambda i, s: s + i, 0)) == 45)
    check("random", jax.random.normal(jax.random.key(0), (4,)).shape == (4,))
    check("eigenvalues", np.allclose(jnp.linalg.eigvalsh(jnp.eye(3) + 1), [1, 1, 4], atol=1e-5))
    check("int4", np.array_equal(np.asarray(jnp.array([-8, 7], jnp.int4) + jnp.int4(0)).astype(int), [-8, 7]))
    donated = jnp.ones(3)
    jax.jit(lambda a: a + 1, donate_argnums=0)(donated)
    check("donation", donated.is_deleted())
    check("donated twice", raises("deleted", lambda: donated + 1))
    kept = jnp.ones((3, 2))
    jax.jit(lambda a: a @ a.T, donate_argnums=0)(kept)  # nothing can take its place
    check("no donation", not kept.is_deleted())
    compiled = f.lower(x).compile()
    check("text", "sine" in compiled.as_text())
    check("memory", compiled.memory_analysis().argument_size_in_bytes == 48)
    check("cost", compiled.cost_analysis()["flops"] >= 72)
    check("option", raises("No such compile option", lambda: f.lower(x).compile(compiler_options={"nonsense": 1})))
    for value, good in ((True, True), ("true", True), ("perhaps", False), (2.5, False)):
        options = {"xla_embed_ir_in_executable": value}
        said = raises("is not a valid bool value", lambda: f.lower(x).compile(compiler_options=options))
        check(f"option {value}", said != good)
    check("whole", raises("is not a valid int", lambda: f.lower(x).compile(compiler_options={"xla_gpu_autotune_level": "x"})))


def donation():
    """Results are computed in donated memory, on one device and on eight, unless somebody looks at it; a train loop stays where it is."""
    step = jax.jit(lambda p, g: p - g, donate_argnums=0)
    for size in (8, 200000):  # run by the thread that asks, and by another
        p, g = jax.block_until_ready((jnp.arange(size, dtype=jnp.float32), jnp.ones(size, jnp.float32)))
        at, used = p.unsafe_buffer_pointer(), jax.devices()[0].memory_stats()["bytes_in_use"]
        old = p
        for _ in range(20):
            p = step(p, g)
        check(f"in place, {size}", p.unsafe_buffer_pointer() == at and np.array_equal(p, np.arange(size) - 20.0))
        check(f"gone, {size}", old.is_deleted() and raises("deleted", step, old, g))
        check(f"no more memory, {size}", jax.devices()[0].memory_stats()["bytes_in_use"] == used)
        seen = np.from_dlpack(p)  # the array's own memory
        q = step(p, g)
        check(f"looked at, {size}", seen[0] == -20 and q[0] == -21 and q.unsafe_buffer_pointer() != seen.ctypes.data)
        check(f"same buffer twice, {size}", raises("donate the same buffer twice", step, g, g) and not g.is_deleted())
    memory = step.lower(p, g).compile().memory_analysis()
    check("alias", memory.alias_size_in_bytes == 4 * size and memory.argument_size_in_bytes == 8 * size)
    mesh = jax.make_mesh((8,), ("x",), axis_types=(AxisType.Auto,))
    for spec in (P("x"), P()):
        p, g = (jax.device_put(v, NamedSharding(mesh, spec)) for v in (np.arange(64, dtype=np.float32), np.ones(64, np.float32)))
        p = step(p, g)  # what came from the host may be memory of NumPy's still
        places = [s.data.unsafe_buffer_pointer() for s in p.addressable_shards]
        q = step(p, g)
        check(f"in place on eight, {spec}", [s.data.unsafe_buffer_pointer() for s in q.addressable_shards] == places)
        check(f"gone on eight, {spec}", p.is_deleted() and np.array_equal(q, np.arange(64) - 2.0))


def platforms():
    """Of branches by platform, cpu's is taken where nothing else is for tessera."""
    branches = {"cpu": lambda x: x + 1, "cuda": lambda x: x + 2}
    check("branch of cpu", int(jax.jit(lambda x: lax.platform_dependent(x, **branches))(0)) == 1)
    check("default", int(jax.jit(lambda x: lax.platform_dependent(x, default=lambda x: x + 3, **branches))(0)) == 3)
    own = {**branches, "tessera": lambda x: x + 4}
    check("own branch", int(jax.jit(lambda x: lax.platform_dependent(x, **own))(0)) == 4)
    if "perturb_singular" in inspect.signature(lax.linalg.tridiagonal_solve).parameters:  # since jax 0.10
        solve = jax.jit(lambda *a: lax.linalg.tridiagonal_solve(*a, perturb_singular=True))
        check("singular", np.allclose(solve(*np.zeros((3, 3), np.float32), np.ones((3, 1), np.float32)), 2.0**23))


def exported():
    """What was lowered for tessera, and for cpu alone, called here; what is for neither is refused."""
    from jax import export

    def written(e):
        try:
            return export.deserialize(e.serialize())
        except ImportError:  # JAX needs flatbuffers for it
            return e

    x = np.arange(4, dtype=np.float32)
    f = jax.jit(lambda x: jnp.sin(x) + lax.platform_dependent(x, cpu=lambda x: x, default=lambda x: 2 * x))
    own = written(export.export(f)(x))
    check("exported", own.platforms == ("tessera",) and np.allclose(own.call(x), np.sin(x) + 2 * x))
    theirs = written(export.export(f, platforms=["cpu"])(x))
    check("exported for cpu", np.allclose(jax.jit(theirs.call)(x), np.sin(x) + x))
    several = export.export(f, platforms=["tpu", "cpu", "cuda"])(x)
    check("exported for several", np.allclose(several.call(x), np.sin(x) + x))
    check("exported for others", raises("it is used on", export.export(f, platforms=["tpu"])(x).call, x))
    (n,) = export.symbolic_shape("n")
    poly = export.export(f)(jax.ShapeDtypeStruct((n,), np.float32))
    check("exported for all sizes", np.allclose(poly.call(x), np.sin(x) + 2 * x))


def sparse():
    from jax.experimental.sparse.linalg import spsolve

    a = np.array([4, 1, 3], np.float32), np.array([0, 1, 1], np.int32), np.array([0, 2, 3], np.int32)
    check("spsolve", np.allclose(jax.jit(lambda b: spsolve(*a, b))(np.array([5, 6], np.float32)), [0.75, 2]))


def callbacks():
    """What a callback raises, its call raises."""
    said = []
    jax.jit(lambda x: jax.debug.callback(lambda v: said.append(float(v)), x + 1))(jnp.float32(2))
    jax.effects_barrier()
    check("callback", said == [3.0])

    def luckless(v):
        raise ValueError("no luck")

    check("callback that fails", raises("no luck", jax.jit(lambda x: jax.debug.callback(luckless, x)), jnp.float32(1)))


def ordered():
    """Effects in the order of the program, from one call to the next, and from several devices' program."""
    from jax.experimental import io_callback

    said = []

    def tell(v):
        said.append(int(v))
        return np.int32(v)

    @jax.jit
    def f(x):
        for i in range(3):
            jax.debug.callback(tell, x + i, ordered=True)
        return io_callback(tell, jax.ShapeDtypeStruct((), jnp.int32), x + 3, ordered=True)

    results = [f(jnp.int32(10 * k)) for k in range(3)]
    lax.fori_loop(30, 34, lambda i, _: jax.debug.callback(tell, i, ordered=True), None)
    jax.effects_barrier()
    check("order", said == [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33])
    check("order's results", [int(r) for r in results] == [3, 13, 23])


def gspmd():
    """The same programs with GSPMD's annotations."""
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
    a = np.arange(64, dtype=np.float32).reshape(8, 8)
    try:
        jax.config.update("jax_use_shardy_partitioner", False)
    except AttributeError:  # a JAX without it
        return
    d = jax.device_put(a, NamedSharding(mesh, P("x", "y")))
    f = jax.jit(lambda a: lax.with_sharding_constraint(a @ a.T, NamedSharding(mesh, P(None, "x"))))
    check("GSPMD's text", "sdy." not in f.lower(d).as_text() and "mhlo.sharding" in f.lower(d).as_text())
    r = f(d)
    check("GSPMD", np.allclose(r, a @ a.T) and r.sharding.spec == P(None, "x"))
    g = jax.jit(jax.shard_map(lambda x: lax.psum(x, "x"), mesh=mesh, in_specs=P("x", "y"), out_specs=P(None, "y")))(d)
    check("GSPMD's shard_map", np.allclose(g, a.reshape(4, 2, 8).sum(0)))
    jax.config.update("jax_use_shardy_partitioner", True)


def topology():
    """A program for 512 devices, which nobody has."""
    from jax.experimental import topologies

    described = topologies.get_topology_desc("16x32", "tessera")
    mesh = jax.sharding.Mesh(np.array(described.devices).reshape(16, 32), ("x", "y"))
    at = NamedSharding(mesh, P("x", "y"))
    x = jax.ShapeDtypeStruct((512, 512), jnp.float32, sharding=at)
    compiled = jax.jit(lambda x: jnp.tanh(x @ x.T).sum(0), out_shardings=NamedSharding(mesh, P("y"))).lower(x).compile()
    check("512 devices", len(described.devices) == 512 and "num_partitions=512" in compiled.as_text())
    check("512 parts", compiled.memory_analysis().argument_size_in_bytes == 32 * 16 * 4)


def eight_devices():
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
    a = np.arange(64, dtype=np.float32).reshape(8, 8)
    at = NamedSharding(mesh, P("x", "y"))
    d = jax.device_put(a, at)
    check("placed", d.addressable_shards[3].data.shape == (2, 4) and np.array_equal(d, a))
    r = jax.jit(lambda a: a @ a.T)(d)
    check("product", np.allclose(r, a @ a.T) and not r.sharding.is_fully_replicated)
    s = jax.jit(lambda a: a.sum(0), out_shardings=NamedSharding(mesh, P("y")))(d)
    check("sum", np.allclose(s, a.sum(0)) and s.sharding.spec == P("y"))
    g = jax.jit(jax.shard_map(lambda x: lax.psum(x, "x"), mesh=mesh, in_specs=P("x", "y"), out_specs=P(None, "y")))(d)
    check("shard_map", np.allclose(g, a.reshape(4, 2, 8).sum(0)))
    c = jax.jit(lambda a: lax.with_sharding_constraint(a * 2, NamedSharding(mesh, P(None, "x"))))(d)
    check("constraint", np.allclose(c, 2 * a) and c.sharding.spec == P(None, "x"))


one_device()
donation()
platforms()
exported()
sparse()
callbacks()
ordered()
eight_devices()
gspmd()
topology()
print(f"{len(PASSED)} passed, {len(FAILED)} failed")
sys.exit(bool(FAILED))
