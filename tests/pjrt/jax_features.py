# SPDX-License-Identifier: Apache-2.0
"""jax_features.py - features of JAX on Tessera's devices, each compared with JAX's own cpu backend or with NumPy.

    JAX_PLATFORMS=tessera,cpu TESSERA_DEVICES=8 python tests/pjrt/jax_features.py [name...]

A line for each: what it is called, and whether it works, is refused (UNIMPLEMENTED where it is called) or fails, with the
reason. tests/conformance/jax_versions.sh makes a table of several versions of JAX. A feature that this version of JAX lacks is not listed.
"""

import inspect
import os
import subprocess
import sys
import tempfile
import threading

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

RANDOM = np.random.default_rng(0)
FEATURES = {}
MESH = jax.make_mesh((4, 2), ("a", "b"), axis_types=(AxisType.Auto,) * 2)
FLOATS = "float8_e4m3fn float8_e5m2 float8_e4m3b11fnuz float8_e4m3 float8_e3m4 float8_e8m0fnu float4_e2m1fn bfloat16 float16"


def feature(f):
    FEATURES[f.__name__] = f
    return f


def some(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def wide(array):
    array = np.asarray(array)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def near(a, b, tolerance=1e-4):
    np.testing.assert_allclose(wide(a), wide(b), rtol=tolerance, atol=tolerance)


def as_on_cpu(f, *args, tolerance=1e-4):
    """The same leaves, of the same types, as JAX's own backend gives."""
    found = []
    for platform in ("cpu", "tessera"):
        device = jax.devices(platform)[0]
        with jax.default_device(device):
            found.append([np.asarray(v) for v in jax.tree.leaves(jax.jit(f)(*jax.device_put(args, device)))])
    for a, b in zip(*found, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape, (a.dtype, b.dtype, a.shape, b.shape)
        near(a, b, tolerance)


def placed(array, *axes, mesh=MESH):
    return jax.device_put(array, NamedSharding(mesh, P(*axes)))


# ---- Programs ----


@feature
def products_and_gradients():
    x = some(8, 8)
    near(jax.jit(lambda a: a @ a)(x), x @ x)
    as_on_cpu(lambda a: jax.grad(lambda a: lax.scan(lambda c, _: (jnp.tanh(c @ a), None), a, None, length=3)[0].sum())(a), x)


@feature
def attention():
    as_on_cpu(lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), some(2, 16, 4, 8), some(2, 16, 2, 8), some(2, 16, 2, 8))


@feature
def ragged_products():
    def f(a, b, sizes):
        return jax.value_and_grad(lambda a, b: lax.ragged_dot(a, b, sizes).sum() * 0.1, (0, 1))(a, b)

    as_on_cpu(f, some(16, 8), some(4, 8, 6), np.array([3, 5, 0, 8], np.int32))


@feature
def approximate_top_k():
    as_on_cpu(lambda x: lax.approx_max_k(x, 4), some(4, 128))


@feature
def small_integers():
    kinds = (jnp.int4, jnp.uint4, jnp.int2, jnp.uint2)
    as_on_cpu(lambda x: [(x.astype(d) + x.astype(d)).astype(jnp.int32) for d in kinds], RANDOM.integers(0, 2, 16).astype(np.int32))


@feature
def small_floats():
    as_on_cpu(lambda x: [x.astype(getattr(jnp, d)).astype(jnp.float32) for d in FLOATS.split()], np.abs(some(64)))


@feature
def products_in_bfloat16():
    as_on_cpu(lambda a, b: (a.astype(jnp.bfloat16) @ b.astype(jnp.bfloat16)).astype(jnp.float32), some(32, 64), some(64, 32), tolerance=5e-2)


@feature
def convolutions():
    def conv(x, w):
        return lax.conv_general_dilated(
            x, w, (2, 1), [(2, 1), (0, 3)], lhs_dilation=(1, 2), rhs_dilation=(2, 1), feature_group_count=2,
            dimension_numbers=("NCHW", "OIHW", "NCHW"),
        )  # fmt: skip

    as_on_cpu(lambda x, w: jax.value_and_grad(lambda x, w: jnp.sin(conv(x, w)).sum(), (0, 1))(x, w), some(2, 4, 9, 7), some(6, 2, 3, 3), tolerance=1e-3)


@feature
def scans_and_sorts():
    def f(x):
        whole = jnp.round(x).astype(jnp.int32)
        return (
            lax.associative_scan(jnp.logaddexp, x), lax.cumlogsumexp(x), jnp.lexsort((x[0], x[1])), jnp.sort(x),
            lax.sort((x[0], x[1]), num_keys=2), jnp.histogram(x, bins=8), jnp.percentile(x, 30.0),
            jnp.unique(whole, size=8, return_counts=True),
        )  # fmt: skip

    as_on_cpu(f, some(4, 32))


@feature
def large_constants():
    c = some(512, 512)
    as_on_cpu(lambda x: x @ c, some(4, 512), tolerance=1e-3)


@feature
def fourier_transforms():
    x = some(8, 8)
    near(jnp.fft.fft(x), np.fft.fft(x))


@feature
def factorizations():
    x = some(6, 6)
    as_on_cpu(lambda x: (jax.scipy.linalg.lu(x), jnp.linalg.slogdet(x), jnp.linalg.pinv(x), jnp.linalg.lstsq(x, x[:, :2])[0]), x, tolerance=1e-3)
    as_on_cpu(lambda x: (jax.scipy.linalg.qr(x, pivoting=True)[2], jnp.linalg.svd(x, compute_uv=False), jnp.linalg.matrix_rank(x)), x, tolerance=1e-3)


@feature
def eigenvalues():
    x = some(6, 6)
    near(np.sort_complex(np.asarray(jnp.linalg.eig(x)[0])), np.sort_complex(np.linalg.eigvals(x)), 1e-3)
    as_on_cpu(lambda x: (jnp.trace(jax.scipy.linalg.schur(x)[0]), jnp.abs(jax.scipy.linalg.hessenberg(x))), x, tolerance=1e-3)
    as_on_cpu(lambda x: (jax.scipy.linalg.expm(x * 0.1), jax.scipy.linalg.sqrtm(x @ x.T + jnp.eye(6)).real), x, tolerance=1e-3)


@feature
def tridiagonal_systems():
    line, zero = some(7), np.zeros(1, np.float32)
    as_on_cpu(lambda d, e: jax.scipy.linalg.eigh_tridiagonal(d, e, eigvals_only=True), some(8), line, tolerance=1e-3)
    as_on_cpu(lax.linalg.tridiagonal_solve, np.r_[zero, line], some(8) + 4, np.r_[line, zero], some(8, 2))


@feature
def special_functions():
    s = jax.scipy.special
    first = (lambda x: s.gammainc(x, x + 1), lambda x: s.betainc(x, x + 1, x / 9), lambda x: s.zeta(x + 1.5, x), lambda x: s.polygamma(2, x))
    more = (s.i0e, s.expi, lambda x: s.hyp1f1(x, x + 1, x), lambda x: s.ndtri(x / 9), lambda x: s.erfinv(x / 9))
    as_on_cpu(lambda x: [f(x) for f in first + more], np.linspace(0.3, 7, 32).astype(np.float32), tolerance=2e-4)


@feature
def gradients_of_special_functions():
    s = jax.scipy.special
    as_on_cpu(jax.vmap(jax.grad(lambda a: s.gammainc(a, a + 1.0) + s.digamma(a))), np.linspace(0.3, 7, 16).astype(np.float32), tolerance=1e-3)
    as_on_cpu(lambda k: jax.grad(lambda a: jax.random.gamma(jax.random.key(k), a, (64,)).sum())(2.5), np.int32(1), tolerance=1e-3)


@feature
def distributions():
    r = jax.random
    kinds = (
        lambda k: r.normal(k, (32,)), lambda k: r.gamma(k, 2.0, (32,)), lambda k: r.beta(k, 2.0, 3.0, (32,)),
        lambda k: r.poisson(k, 4.0, (32,)), lambda k: r.binomial(k, 10.0, 0.3, (32,)), lambda k: r.dirichlet(k, jnp.ones(4), (8,)),
        lambda k: r.multivariate_normal(k, jnp.zeros(3), jnp.eye(3) + 0.1, (8,)), lambda k: r.permutation(k, 32),
        lambda k: r.choice(k, 32, (8,), replace=False), lambda k: r.t(k, 3.0, (16,)), lambda k: r.orthogonal(k, 4),
        lambda k: r.truncated_normal(k, -1.0, 1.0, (16,)), lambda k: r.ball(k, 3), lambda k: r.randint(k, (8,), 0, 1000),
    )  # fmt: skip
    as_on_cpu(lambda k: [f(r.key(k)) for f in kinds], np.int32(7), tolerance=1e-3)


@feature
def other_random_keys():
    as_on_cpu(lambda: jax.random.uniform(jax.random.key(3, impl="rbg"), (8,)))
    as_on_cpu(lambda: jax.random.uniform(jax.random.key(3, impl="unsafe_rbg"), (8,)))


@feature
def pallas_interpreted():
    from jax.experimental import pallas as pl

    def kernel(x, o):
        o[...] = x[...] * 2 + pl.program_id(0)

    block = pl.BlockSpec((8, 8), lambda i: (i, 0))
    f = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((32, 8), np.float32), grid=(4,), in_specs=[block], out_specs=block, interpret=True)
    x = some(32, 8)
    near(f(x), x * 2 + np.repeat(np.arange(4), 8)[:, None])


@feature
def mutable_arrays():
    make = jax.new_ref if hasattr(jax, "new_ref") else jax.array_ref
    x = make(jnp.zeros(4))
    jax.jit(lambda r: r.__setitem__(slice(0, 2), jnp.ones(2)))(x)
    assert float(x[...].sum()) == 2


@feature
def double_precision():
    with jax.enable_x64(True):
        assert jnp.linspace(0, 1, 5).dtype == np.float64 and abs(float(jnp.sin(jnp.float64(1))) - np.sin(1)) < 1e-15


# ---- Callbacks ----


@feature
def callbacks():
    x = some(8, 8)
    near(jax.jit(lambda x: jax.pure_callback(lambda a: np.asarray(a) * 2, jax.ShapeDtypeStruct((8, 8), np.float32), x))(x), x * 2)


@feature
def ordered_callbacks():
    from jax.experimental import io_callback

    seen = []

    def step(i, c):
        io_callback(lambda i: seen.append(int(i)), None, i, ordered=True)
        return c + 1

    jax.jit(lambda x: lax.fori_loop(0, 5, step, x))(0)
    jax.effects_barrier()
    assert seen == [0, 1, 2, 3, 4], seen


@feature
def callbacks_in_shard_map():
    def f(x):
        return jax.pure_callback(lambda a: np.asarray(a) * 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    x = some(8, 4)
    near(jax.jit(jax.shard_map(f, mesh=MESH, in_specs=P("a"), out_specs=P("a"), check_vma=False))(x), x * 2)


@feature
def buffer_callbacks():
    from jax.experimental.buffer_callback import buffer_callback

    def f(ctx, out, x, *, by):
        np.asarray(out["sum"])[...] = np.asarray(x) + by
        np.asarray(out["old"])[...] += 1  # it is the argument's buffer

    x = some(2, 3)
    shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
    call = buffer_callback(f, {"old": shape, "sum": shape}, input_output_aliases={0: 0}, vmap_method="broadcast_all")
    out = jax.jit(lambda x: call(x, by=jnp.float32(3)))(x)
    near(out["sum"], x + 3)
    near(out["old"], x + 1)


# ---- Meshes ----


@feature
def sharded_arrays():
    x = some(8, 8)
    near(jax.jit(lambda a: (a @ a.T).sum(0))(placed(x, "a")), (x @ x.T).sum(0))


@feature
def shard_map():
    x = some(8, 8)
    near(jax.jit(jax.shard_map(lambda a: lax.psum(a, "a"), mesh=MESH, in_specs=P("a"), out_specs=P()))(x), x.reshape(4, 2, 8).sum(0))


@feature
def explicit_shardings():
    with jax.set_mesh(jax.make_mesh((4, 2), ("a", "b"), axis_types=(AxisType.Explicit,) * 2)):
        x, w = jax.device_put(some(8, 16), P("a", "b")), jax.device_put(some(16, 8), P("b", None))
        near(jax.jit(lambda x, w: jnp.einsum("ij,jk->ik", x, w, out_sharding=P("a", None)))(x, w), np.asarray(x) @ np.asarray(w))


@feature
def unreduced_sums_in_loops():
    with jax.set_mesh(jax.make_mesh((8,), ("x",), axis_types=(AxisType.Explicit,))):

        @jax.jit
        def f(w, xs):
            def body(acc, x):
                return acc + jax.grad(lambda w: (x @ w).sum())(w), None

            acc, _ = lax.scan(body, jax.sharding.reshard(jnp.zeros_like(w), P(unreduced={"x"})), xs)
            return jax.sharding.reshard(acc, P())

        w, xs = some(4, 4), some(3, 8, 4)
        args = jax.device_put(w, P(reduced={"x"})), jax.device_put(xs, P(None, "x", None))
        near(f(*args), np.repeat(xs.sum((0, 1))[:, None], 4, 1))
        text = f.lower(*args).compile().as_text()
        assert text.count("all-reduce(") == 1, text


@feature
def pmap():
    near(jax.pmap(lambda x: lax.psum(x, "i"), "i")(jnp.arange(8.0)), np.full(8, 28.0))


@feature
def ragged_all_to_all():
    mesh = jax.make_mesh((8,), ("x",), axis_types=(AxisType.Auto,))

    def f(x):
        ones, all_of = jnp.ones(8, jnp.int32), jnp.arange(8, dtype=jnp.int32)
        mine = jnp.full(8, lax.axis_index("x"), jnp.int32)
        return lax.ragged_all_to_all(x, jnp.zeros_like(x), all_of, ones, mine, ones, axis_name="x")

    x = some(64, 3)
    got = jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False))(x)
    near(got, x.reshape(8, 8, 3).swapaxes(0, 1).reshape(64, 3))


@feature
def inspect_array_sharding():
    seen = []

    def f(x):
        jax.debug.inspect_array_sharding(x, callback=seen.append)
        y = x.T * 2
        jax.debug.inspect_array_sharding(y, callback=seen.append)
        return y

    jax.jit(f)(placed(some(8, 8), "a", "b"))
    assert [tuple(s.spec) for s in seen] == [("a", "b"), ("b", "a")], seen


@feature
def custom_partitioning():
    from jax.experimental.custom_partitioning import custom_partitioning as custom

    @custom
    def normalized(x):
        return x / x.sum(1, keepdims=True)

    def partition(mesh, args, result):  # rows stay where they are, columns are summed by hand
        return mesh, lambda x: x / lax.psum(x.sum(1, keepdims=True), "b"), result.sharding, (args[0].sharding,)

    normalized.def_partition(partition=partition, sharding_rule="i j -> i j")
    x = np.abs(some(8, 8)) + 1
    f = jax.jit(lambda x: normalized(x * 2) + 1)
    near(f(placed(x, "a", "b")), x / x.sum(1, keepdims=True) + 1)
    assert "all-gather" not in f.lower(placed(x, "a", "b")).compile().as_text()


@feature
def kinds_of_memory():
    x = jax.device_put(some(8, 8), NamedSharding(MESH, P("a"), memory_kind="pinned_host"))
    y = jax.jit(lambda x: x * 2, out_shardings=NamedSharding(MESH, P("a"), memory_kind="device"))(x)
    assert y.sharding.memory_kind == "device"
    near(y, np.asarray(x) * 2)


@feature
def computation_on_the_host():
    from jax.experimental.compute_on import compute_on

    named = "out_memory_spaces" in inspect.signature(compute_on).parameters  # since jax 0.12
    on_host = compute_on(compute_type="device_host", out_memory_spaces=jax.memory.Space.Device) if named else compute_on("device_host")

    @on_host
    @jax.jit
    def g(x):
        return x * 2

    assert float(jax.jit(lambda x: g(x) + 1)(jnp.float32(3))) == 7


@feature
def offloading():
    from jax.ad_checkpoint import checkpoint_name

    policy = jax.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[], names_which_can_be_offloaded=["h"], offload_src="device", offload_dst="pinned_host"
    )
    f = jax.checkpoint(lambda x, w: jnp.sum(jnp.sin(checkpoint_name(jnp.tanh(x @ w), "h") @ w)), policy=policy)
    x, w = some(8, 8), some(8, 8)
    near(jax.jit(jax.grad(f, 1))(x, w), jax.grad(lambda w: jnp.sum(jnp.sin(jnp.tanh(x @ w) @ w)))(w))


@feature
def layouts():
    from jax.experimental.layout import Format, Layout

    f = jax.jit(lambda x: x.T, in_shardings=Format(Layout.AUTO)).lower(jax.ShapeDtypeStruct((8, 4), np.float32)).compile()
    assert f.input_formats


# ---- Around programs ----


@feature
def donation():
    x = some(8, 8)
    near(jax.jit(lambda a: a + 1, donate_argnums=0)(jnp.asarray(x)), x + 1)


@feature
def transfers_between_platforms():
    x = jax.device_put(some(4, 4), jax.devices("cpu")[0])
    assert (np.asarray(x) == np.asarray(jax.device_put(jax.device_put(x, jax.devices()[0]), jax.devices("cpu")[0]))).all()


@feature
def threads():
    f, x, wrong = jax.jit(lambda x: (x @ x.T).sum()), some(64, 64), []
    expected = float(f(x))

    def work():
        wrong.extend(1 for _ in range(50) if abs(float(f(x)) - expected) > 1e-3 * abs(expected))

    all_of = [threading.Thread(target=work) for _ in range(8)]
    for t in all_of:
        t.start()
    for t in all_of:
        t.join()
    assert not wrong


@feature
def found_nans():
    jax.config.update("jax_debug_nans", True)
    try:
        jax.jit(jnp.log)(-1.0)
        raise AssertionError("no error")
    except FloatingPointError:
        pass
    finally:
        jax.config.update("jax_debug_nans", False)


@feature
def compiler_options():
    assert float(jax.jit(lambda x: x + 1, compiler_options={"xla_cpu_enable_fast_math": True})(1.0)) == 2


@feature
def persistent_cache():
    from jax._src import compilation_cache

    def compiled():
        return jax.jit(lambda x: jnp.sin(x) @ x + 3.25)(x)

    x = some(8, 8)
    with tempfile.TemporaryDirectory() as folder:
        jax.config.update("jax_compilation_cache_dir", folder)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        compilation_cache.reset_cache()
        try:
            first = compiled()
            kept = [f for f in os.listdir(folder) if f.endswith("-cache")]
            jax.clear_caches()
            assert (first == compiled()).all() and len(kept) >= 1
            before = len(os.listdir(folder))
            jax.jit(lambda x: jax.pure_callback(lambda a: a, jax.ShapeDtypeStruct((), np.float32), x))(np.float32(1))
            assert len(os.listdir(folder)) == before  # what calls back is of this process alone
        finally:
            jax.config.update("jax_compilation_cache_dir", None)
            compilation_cache.reset_cache()


@feature
def serialized_executables():
    from jax.experimental import serialize_executable

    x = some(8, 8)
    for arg in (x, placed(x, "a", "b")):
        c = jax.jit(lambda x: jnp.cos(x) * 2).lower(arg).compile()
        near(serialize_executable.deserialize_and_load(*serialize_executable.serialize(c))(arg), np.cos(x) * 2)


@feature
def exported_programs():
    from jax import export

    shape = jax.ShapeDtypeStruct(export.symbolic_shape("n,4"), np.float32)
    data = export.export(jax.jit(lambda x: jnp.tanh(x).sum(0)))(shape).serialize()
    x = some(5, 4)
    near(export.deserialize(data).call(x), np.tanh(x).sum(0))


@feature
def checkpoints():
    import orbax.checkpoint as ocp

    with tempfile.TemporaryDirectory() as folder:
        x = {"w": placed(some(8, 8), "a", "b"), "b": jnp.arange(4), "k": jnp.ones(3, jnp.bfloat16)}
        checkpointer = ocp.StandardCheckpointer()
        checkpointer.save(folder + "/c", x)
        checkpointer.wait_until_finished()
        y = checkpointer.restore(folder + "/c", jax.tree.map(ocp.utils.to_shape_dtype_struct, x))
        assert y["w"].sharding == x["w"].sharding and (np.asarray(y["w"]) == np.asarray(x["w"])).all()


@feature
def profiles():
    with tempfile.TemporaryDirectory() as folder:
        jax.profiler.start_trace(folder)
        jnp.ones((64, 64)) @ jnp.ones((64, 64))
        jax.profiler.stop_trace()
        assert any(files for _, _, files in os.walk(folder))
    assert len(jax.profiler.device_memory_profile()) > 10


@feature
def statistics():
    stats = jax.devices()[0].memory_stats()
    assert stats["bytes_in_use"] >= 0 and jax.devices()[0].client.platform_version and jax.live_arrays() is not None


def run_alone(text, *args):
    """A program of its own: what it prints, and its exit code."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", text, *args], capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr, done.returncode


JOB = """
import sys, jax
jax.distributed.initialize("localhost:" + sys.argv[1], int(sys.argv[2]), 0, initialization_timeout=20)
import jax.numpy as jnp
print(jax.process_count(), len(jax.devices()), jnp.arange(4.).sum())
"""


@feature
def jobs_of_one_process():
    import socket

    with socket.socket() as s:
        s.bind(("localhost", 0))
        port = str(s.getsockname()[1])
    said, code = run_alone(JOB, port, "1")
    assert code == 0 and said.startswith("1 8 6.0"), said


def outcome(f):
    try:
        f()
        return "works"
    except ImportError as e:
        return f"fails: {e}"
    except Exception as e:
        text = " ".join(str(e).split())[:200]
        return ("refused: " if "UNIMPLEMENTED" in text else f"fails: {type(e).__name__}: ") + text


def main(names):
    jax.device_put(1.0).block_until_ready()
    print(f"jax {jax.__version__}")
    counts = {"works": 0, "refused": 0, "fails": 0}
    for name, f in FEATURES.items():
        if names and name not in names:
            continue
        how = outcome(f)
        counts[how.split(":")[0]] += 1
        print(f"{name}: {how}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    return counts["fails"] > 0


sys.exit(main(sys.argv[1:]))
