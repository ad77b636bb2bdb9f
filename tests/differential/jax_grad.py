#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Derivatives of functions as JAX writes them against JAX's own: factorisations of matrices (LAPACK's targets of
custom_call), and special functions at chosen points.

Each function is lowered twice: to text with CHLO's ops, and by jax.export to a portable artifact, where CHLO's ops are
composites or have been expanded. Both are differentiated in both modes, and once more in forward mode for second
derivatives. JAX's jvp and vjp of the same function are the judge. Special functions also stand beside an op that must be
lowered before it is differentiated.

  jax_grad.py [--bin DIR] [--only PART_OF_NAME] [-v]
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

try:
    import jax
    import numpy as np
    import jax.numpy as jnp
    from jax import export, lax
except ImportError as e:
    print(f"jax_grad: skipped: {e}")
    sys.exit(0)

HERE = os.path.dirname(os.path.abspath(__file__))
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")
TYPES = {"f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128}


class Mismatch(Exception):
    pass


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Mismatch(done.stderr.strip()[:300])


class Program:
    """One form of a function in a folder, and its derivatives there."""

    def __init__(self, tool, folder, path):
        self.tool, self.folder, self.path = tool, folder, path

    def derive(self, mode, function="main"):
        out = os.path.join(self.folder, f"{function}_{mode}.mlir")
        run(self.tool, "grad", self.path, f"--function={function}", f"--mode={mode}", "-o", out)
        return Program(self.tool, self.folder, out)

    def call(self, function, values):
        files = []
        for k, v in enumerate(values):
            path = os.path.join(self.folder, f"in{k}.npy")
            np.save(path, np.asarray(v))
            files.append(f"--input={path}")
        prefix = os.path.join(self.folder, "out")
        for old in os.listdir(self.folder):
            if re.fullmatch(r"out\d+\.npy", old):
                os.remove(os.path.join(self.folder, old))
        run(self.tool, "run", self.path, f"--function={function}", *files, f"--output={self.folder}")
        count = sum(1 for f in os.listdir(self.folder) if re.fullmatch(r"out\d+\.npy", f))
        return [np.load(f"{prefix}{k}.npy") for k in range(count)]


def close(got, want, tolerance, what):
    """Finite numbers are near, in units of the largest; others are equal."""
    if len(got) != len(want):
        raise Mismatch(f"{what}: {len(got)} results for {len(want)}")
    for g, w in zip(got, want):
        g, w = np.asarray(g), np.asarray(w)
        finite = np.isfinite(w)
        if not np.array_equal(np.isfinite(g), finite):
            raise Mismatch(f"{what}: {g.ravel()[:9]} instead of {w.ravel()[:9]}")
        scale = np.maximum(1.0, np.abs(w)) if tolerance.get("each") else max(1.0, np.max(np.abs(w[finite]), initial=0))
        error = np.max((np.abs(np.where(finite, g, 0) - np.where(finite, w, 0)) / scale), initial=0)
        if error > tolerance["limit"]:
            raise Mismatch(f"{what}: error {error:.2e}: {g.ravel()[:6]} instead of {w.ravel()[:6]}")


def random_like(rng, v):
    v = np.asarray(v)
    x = rng.standard_normal(v.shape)
    return (x + 1j * rng.standard_normal(v.shape) if v.dtype.kind == "c" else x).astype(v.dtype)


def check(tool, fn, args, tolerance, second, rng, forms=("text", "artifact")):
    """Returns how many comparisons were made."""
    args = [np.asarray(a) for a in args]
    shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in args]
    # jit drops arguments that are not used, and none are dropped here
    outs, vjp = jax.vjp(lambda *a: jax.tree_util.tree_leaves(fn(*a)), *args)
    t = [random_like(rng, a) for a in args] if not tolerance.get("each") else [np.ones_like(a) for a in args]
    ct = [random_like(rng, o) for o in outs] if not tolerance.get("each") else [np.ones_like(o) for o in outs]
    _, tangents = jax.jvp(lambda *a: jax.tree_util.tree_leaves(fn(*a)), args, t)
    want_vjp, want_jvp = vjp(list(map(jnp.asarray, ct))), list(tangents)
    if second:
        grad = lambda *a: jax.vjp(lambda *b: jax.tree_util.tree_leaves(fn(*b)), *a)[1](list(map(jnp.asarray, ct)))
        _, want_second = jax.jvp(grad, args, t)
    done = 0
    for form in forms:
        with tempfile.TemporaryDirectory() as folder:
            if form == "text":
                path = os.path.join(folder, "main.mlir")
                with open(path, "w") as f:
                    f.write(jax.jit(fn).lower(*shapes).as_text())
            else:
                path = os.path.join(folder, "main.mlirbc")
                with open(path, "wb") as f:
                    f.write(export.export(jax.jit(fn), platforms=["cpu"],
                                          disabled_checks=[export.DisabledSafetyCheck.custom_call(name) for name in CALLS])
                            (*shapes).mlir_module_serialized)
            program = Program(tool, folder, path)
            reverse, forward = program.derive("reverse"), program.derive("forward")
            close(reverse.call("main_grad", [*args, *ct]), want_vjp, tolerance, f"{form}, reverse")
            close(forward.call("main_jvp", [*args, *t])[len(outs):], want_jvp, tolerance, f"{form}, forward")
            done += 2
            if second:
                twice = reverse.derive("forward", "main_grad")
                zeros = [np.zeros_like(c) for c in ct]
                got = twice.call("main_grad_jvp", [*args, *ct, *t, *zeros])[len(args):]
                close(got, want_second, {**tolerance, "limit": 100 * tolerance["limit"]}, f"{form}, second")
                done += 1
    return done


CALLS = [f"lapack_{letter}{name}_ffi" for letter in "sdcz"
         for name in "potrf getrf geqrf geqp3 orgqr ungqr ormqr unmqr gtsv syevd heevd gesdd geev trsm".split()]


# ---- Matrices ----

def matrix(rng, dtype, *shape):
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def positive(rng, dtype, *shape):
    a = matrix(rng, dtype, *shape)
    return (a @ np.conj(np.swapaxes(a, -1, -2)) + 3 * np.eye(shape[-1])).astype(dtype)


def phases(v):
    """Vectors up to their phases."""
    return v[..., :, None, :] * jnp.conj(v[..., None, :, :])


def eigh(x):
    w, v = jnp.linalg.eigh(x)
    return w, phases(v)


def svd_of(**options):
    def fn(x):
        u, s, vh = jnp.linalg.svd(x, **options)
        v = jnp.conj(jnp.swapaxes(vh, -1, -2))
        return s, phases(u), phases(v), u[..., :, None, :] * vh.swapaxes(-1, -2)[..., None, :, :]
    return fn


def solve_triangle(left, lower, transpose, unit):
    return lambda a, b: lax.linalg.triangular_solve(a, b, left_side=left, lower=lower, transpose_a=transpose != 0,
                                                    conjugate_a=transpose == 2, unit_diagonal=unit)


def matrices():
    def square(*shape, make=matrix):
        return lambda rng, d: [make(rng, d, *shape)]
    for n in [(3, 3), (2, 4, 4)]:
        yield f"cholesky {n}", jnp.linalg.cholesky, square(*n, make=positive), "sdcz", True
        yield f"cholesky upper {n}", lambda x: jnp.linalg.cholesky(x, upper=True), square(*n, make=positive), "sdcz", False
        yield f"eigh {n}", eigh, square(*n, make=positive), "sdcz", True
        yield f"eigvalsh {n}", jnp.linalg.eigvalsh, square(*n, make=positive), "sdcz", False
        yield f"eigvals {n}", jnp.linalg.eigvals, square(*n), "sdcz", False
        yield f"inv {n}", jnp.linalg.inv, square(*n), "sdcz", True
        yield f"det {n}", jnp.linalg.det, square(*n), "sdcz", False
        yield f"slogdet {n}", lambda x: jnp.linalg.slogdet(x)[1], square(*n), "sd", False
        yield (f"eig {n}", lambda x: [v * jnp.conj(v) if i else v for i, v in enumerate(lax.linalg.eig(
            x, compute_left_eigenvectors=True, enable_eigvec_derivs=True))], square(*n), "sdcz", False)
        yield (f"solve {n}", jnp.linalg.solve,
               lambda rng, d, n=n: [positive(rng, d, *n), matrix(rng, d, *n[:-1], 2)], "sdcz", False)
    for n in [(4, 4), (5, 3), (3, 5), (2, 4, 3), (1, 1)]:
        yield f"lu {n}", lambda x: lax.linalg.lu(x)[0], square(*n), "sdcz", n == (4, 4)
        yield f"qr {n}", jnp.linalg.qr, square(*n), "sdcz", n == (5, 3)
        yield f"qr raw {n}", lambda x: lax.linalg.qr(x, full_matrices=True), square(*n), "sd", False
        yield f"svd {n}", svd_of(full_matrices=False), square(*n), "sdcz", n == (5, 3)
        yield f"svd values {n}", lambda x: jnp.linalg.svd(x, compute_uv=False), square(*n), "sdcz", False
        if len(n) == 2 and n[0] >= n[1]:  # of wide ones JAX's rule takes the columns in their old order
            yield f"qr pivoted {n}", lambda x: jax.scipy.linalg.qr(x, mode="economic", pivoting=True)[:2], square(*n), "sdcz", False
    for n in [(4, 4), (5, 3), (3, 5)]:
        yield f"pinv {n}", jnp.linalg.pinv, square(*n), "sdcz", False
        yield f"norms {n}", lambda x: [jnp.linalg.norm(x, k) for k in ("fro", "nuc", 2, -2, 1)], square(*n), "sd", False
        yield (f"lstsq {n}", lambda a, b: jnp.linalg.lstsq(a, b)[0],
               lambda rng, d, n=n: [matrix(rng, d, *n), matrix(rng, d, n[0], 2)], "sd", False)
    yield "expm", jax.scipy.linalg.expm, square(3, 3), "sdcz", False
    yield "matrix_power", lambda x: (jnp.linalg.matrix_power(x, 3), jnp.linalg.matrix_power(x, -2)), square(3, 3), "sdcz", False
    yield "polar", lambda x: jax.scipy.linalg.polar(x, method="svd"), square(4, 3), "sd", False
    yield "cond", jnp.linalg.cond, square(3, 3), "sd", False
    # JAX's rule takes the matrix for a symmetric one, ours for what the target reads: half of it.
    yield ("cho_solve", lambda a, b: jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor((a + jnp.conj(a.T)) / 2), b),
           lambda rng, d: [positive(rng, d, 3, 3), matrix(rng, d, 3, 2)], "sdcz", True)
    yield ("lu_solve", lambda a, b: jax.scipy.linalg.lu_solve(jax.scipy.linalg.lu_factor(a), b, trans=1),
           lambda rng, d: [matrix(rng, d, 3, 3), matrix(rng, d, 3, 2)], "sdcz", False)
    yield "lu parts", lambda x: jax.scipy.linalg.lu(x)[1:], square(4, 3), "sd", False
    yield "qr r only", lambda x: jnp.linalg.qr(x, mode="r"), square(5, 3), "sdcz", False
    yield "qr complete", lambda x: jnp.linalg.qr(x, mode="complete")[1], square(4, 4), "sd", False
    for left in (True, False):
        for lower in (True, False):
            for transpose in (0, 1, 2):
                yield (f"triangular_solve {left:d}{lower:d}{transpose}",
                       solve_triangle(left, lower, transpose, transpose == 1),
                       lambda rng, d, left=left: [positive(rng, d, 2, 3, 3), matrix(rng, d, 2, *((3, 4) if left else (4, 3)))],
                       "sdcz", False)
    yield ("tridiagonal_solve", lax.linalg.tridiagonal_solve,
           lambda rng, d: [matrix(rng, d, 2, 4), matrix(rng, d, 2, 4) + 5, matrix(rng, d, 2, 4), matrix(rng, d, 2, 4, 3)],
           "sdcz", True)


# ---- Special functions ----

def special():
    big32, big64 = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 7.0, 8.0, -8.0, 30.0, -80.0, 1e10, -1e30], [1e200, -1e300]
    near = [0.0, -0.0, 0.25, -0.5, 0.7, 0.999]
    above = [0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 10.0, 100.0, 1e10]
    for name, points in [("erf", big32), ("erfc", big32), ("asinh", big32), ("atan", big32), ("tan", big32[:8]),
                         ("sinh", big32[:11]), ("cosh", big32[:11]), ("tanh", big32), ("bessel_i1e", big32),
                         ("square", big32[:10]), ("logistic", big32), ("log1p", above),
                         ("expm1", big32[:11]),
                         ("erf_inv", near), ("asin", near), ("acos", near), ("atanh", near + [-0.9999]),
                         ("acosh", [1.25, 2.0, 10.0, 1e10]), ("digamma", above + [-0.5, -1.25]),
                         ("lgamma", above + [-0.5, -1.25]), ("cbrt", [0.5, -1.0, 8.0]), ("exp2", big32[:9])]:
        wide = big64 if points is big32 and name not in ("bessel_i1e", "tan") else []
        yield name, getattr(lax, name), points, wide
    yield "gelu", lambda x: jax.nn.gelu(x, approximate=False), big32, big64
    yield "ndtri", jax.scipy.special.ndtri, [0.1, 0.25, 0.5, 0.75, 0.9, 0.99], []
    yield "polygamma", lambda x: lax.polygamma(jnp.full_like(x, 2), x), [0.5, 1.0, 2.0, 7.5, 100.0], []
    yield "trigamma", lambda x: jax.scipy.special.polygamma(1, x), [0.5, 1.0, 2.0, 7.5, 100.0], []
    yield "log_ndtr", jax.scipy.special.log_ndtr, [0.0, 1.0, -1.0, 3.0, -11.0], []
    yield "softplus", jax.nn.softplus, big32, big64
    # Points that docs/AUTODIFF.md names are left out: poles of pieces that are not chosen, kinks where JAX has rules of its own.
    sp, nn, small = jax.scipy.special, jax.nn, [0.0, 0.5, -0.25, 1.5, -3.0, 20.0, -40.0]
    for name, fn, points in [
            ("i0", sp.i0, small[1:]), ("i0e", sp.i0e, small[1:]), ("i1", sp.i1, small), ("i1e", sp.i1e, small), ("entr", sp.entr, above),
            ("expit", sp.expit, small), ("logit", sp.logit, [0.1, 0.5, 0.9]), ("ndtr", sp.ndtr, small), ("gammaln", sp.gammaln, above),
            ("xlogy", lambda x: sp.xlogy(x, x + 1), above), ("xlog1py", lambda x: sp.xlog1py(x, x), above),
            ("betaln", lambda x: sp.betaln(x, x + 0.5), above[:7]), ("multigammaln", lambda x: sp.multigammaln(x, 2), above[2:]),
            ("zeta", lambda x: sp.zeta(2.5, x), above), ("expi", sp.expi, [-0.5, -2.0, -10.0]),
            ("exp1", sp.exp1, [0.5, 1.0, 3.0, 10.0]),
            ("gammainc", lambda x: sp.gammainc(2.5, x), [0.1, 1.0, 2.0, 5.0, 20.0]),
            ("gammaincc", lambda x: sp.gammaincc(2.5, x), [0.1, 1.0, 2.0, 5.0, 20.0]),
            ("betainc", lambda x: sp.betainc(1.5, 2.5, x), [0.1, 0.25, 0.5, 0.9]),
            ("silu", nn.silu, small), ("elu", nn.elu, small), ("selu", nn.selu, small), ("celu", nn.celu, small), ("mish", nn.mish, small),
            ("log_sigmoid", nn.log_sigmoid, small), ("squareplus", nn.squareplus, small), ("sparse_plus", nn.sparse_plus, small),
            ("hard_swish", nn.hard_swish, [*small[:4], -2.5, 20.0]), ("relu6", nn.relu6, small[1:]), ("softmax", nn.softmax, small),
            ("log_softmax", nn.log_softmax, small), ("logsumexp", nn.logsumexp, small), ("standardize", nn.standardize, small),
            ("glu", nn.glu, small[:6]), ("gelu tanh", nn.gelu, small), ("sinc", jnp.sinc, small),
            ("logaddexp", lambda x: jnp.logaddexp(x, 1 - x), small), ("logaddexp2", lambda x: jnp.logaddexp2(x, 2 * x), small),
            ("hypot", lambda x: jnp.hypot(x, x + 3), small), ("atan2", lambda x: jnp.arctan2(x, 2 - x), small),
            ("power", lambda x: x ** 2.5, above), ("power of", lambda x: 2.5 ** x, small), ("integer_pow", lambda x: x ** -3, above),
            ("rsqrt", lax.rsqrt, above), ("sqrt", lax.sqrt, above), ("log", lax.log, above), ("log2", jnp.log2, above),
            ("cumprod", jnp.cumprod, small[1:6]), ("cumlogsumexp", lax.cumlogsumexp, small), ("cummax", lax.cummax, small),
            ("sort", jnp.sort, small), ("median", jnp.median, small), ("var", jnp.var, small), ("std", jnp.std, small),
            ("prod", jnp.prod, small[1:6]), ("max", jnp.max, small), ("norm", jnp.linalg.norm, small),
            ("clip", lambda x: jnp.clip(x, -1, 1), small),
            ("fft", lambda x: jnp.abs(jnp.fft.rfft(x)), small[:6]), ("convolve", lambda x: jnp.convolve(x, x), small),
            ("bessel_jn", lambda x: sp.bessel_jn(x, v=2)[1], [0.5, 1.0, 2.0]), ("spence", sp.spence, [0.5, 0.1]),
            ("factorial", sp.factorial, [0.5, 1.0, 2.0, 5.0]),
            ("beta", lambda x: sp.beta(x, x + 1), [0.5, 1.0, 2.0, 5.0]), ("gamma", sp.gamma, [0.5, 1.0, 2.0, 5.0, -0.5]),
            ("kl_div", lambda x: sp.kl_div(x, x + 1), above), ("rel_entr", lambda x: sp.rel_entr(x, x + 1), above),
            ("log_cosh", lambda x: jnp.logaddexp(x, -x), small)]:
        yield name, fn, points, []
    yield "top_k", lambda x: lax.top_k(x, 3)[0], big32, []
    yield "asinh in a loop", lambda x: lax.fori_loop(0, 3, lambda i, y: lax.asinh(y) + lax.erfc(y), x), near, []
    yield "asinh in a callee", jax.jit(lambda x: jax.jit(lax.asinh)(x) * jax.checkpoint(lax.erfc)(x)), near, []


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", default=os.path.join(HERE, "..", "..", "build", "bin"))
    p.add_argument("--only", default="")
    p.add_argument("-v", action="store_true")
    o = p.parse_args()
    tool = os.path.join(o.bin, "tessera")
    rng = np.random.default_rng(7)
    good, bad = 0, 0

    def judge(name, *args, **more):
        nonlocal good, bad
        try:
            good += check(tool, *args, rng, **more)
            if o.v:
                print(f"{name}: ok", flush=True)
        except Mismatch as e:
            bad += 1
            print(f"{name}: FAIL {e}", flush=True)

    letters = dict(zip("sdcz", TYPES))
    for name, fn, make, types, second in matrices():
        for letter in types if o.only in name else "":
            d = TYPES[letters[letter]]
            limit = 2e-2 if d in (np.float32, np.complex64) else 1e-7
            judge(f"{name} {letters[letter]}", fn, make(rng, d), {"limit": limit},
                  second and d not in (np.float32, np.complex64),
                  forms=("text", "artifact") if letter == "d" else ("text",))
    beside = {"alone": lambda fn: fn, "beside": lambda fn: lambda x: (fn(x), lax.bessel_i1e(x))}
    for name, fn, points, wide in special():
        composed = not hasattr(lax, name) and name not in ("gelu", "ndtri", "polygamma")  # of functions that are here by themselves
        for where in (["alone"] if composed else beside) if o.only in name else ():
            for d in (np.float32, np.float64):
                x = np.array(points + (wide if d == np.float64 else []), d)
                limit = 2e-4 if d == np.float32 else 1e-9
                judge(f"{name} {where} {np.dtype(d)}", beside[where](fn), [x], {"limit": limit, "each": True},
                      name in ("erf", "asinh", "lgamma", "sinh", "gelu") and where == "alone")
    print(f"derivatives against JAX's: {good} comparisons are near, {bad} functions are not")
    sys.exit(1 if bad else 0)


main()
