#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes tests/pass/grad/points.list: values and derivatives of CHLO's functions of one real number at chosen points, from JAX in f64.

Where JAX is less exact than 1e-10 (asin, acos, acosh and erf_inv at the very ends, digamma far below 0) there are no points.
A line is an op, its first operand if it has two (else -), an element type, then points, values and derivatives.

  grad_points.py >tests/pass/grad/points.list
"""
import sys

try:
    import jax
    import numpy as np
    from jax import lax
except ImportError as e:
    print(f"grad_points: skipped: {e}", file=sys.stderr)
    sys.exit(0)

jax.config.update("jax_enable_x64", True)

SMALL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.25, 2.0, -2.5, 7.5, -8.0, 1e-6]
LARGE = SMALL + [30.0, -80.0, 1e10, -1e15]
INSIDE = [0.0, -0.0, 0.25, -0.5, 0.7, -0.95, 0.999, -0.99999]
ABOVE = [1e-3, 0.1, 0.5, 1.0, 1.25, 2.0, 3.0, 8.0, 10.0, 100.0, 1e5]
POINTS = {
    "acos": INSIDE, "asin": INSIDE, "atanh": INSIDE, "erf_inv": INSIDE, "acosh": [1.0001, 1.25, 2.0, 10.0, 1e10],
    "asinh": LARGE, "atan": LARGE, "erf": LARGE, "erfc": LARGE, "bessel_i1e": SMALL + [30.0, -80.0, 1e4],
    "sinh": SMALL + [30.0, -80.0], "cosh": SMALL + [30.0, -80.0], "tan": SMALL, "square": SMALL + [30.0, -1e10],
    "lgamma": ABOVE + [-0.5, -1.25, -7.75], "digamma": ABOVE + [-0.5, -1.25],
}
WIDE = {
    "asinh": [1e100], "atan": [-1e100], "erf": [-1e200], "erfc": [1e200], "sinh": [-700.0], "cosh": [700.0],
    "atanh": [1 - 1e-9],
}


def line(name, number, kind, fn, points):
    x = np.array(points, {"f32": np.float32, "f64": np.float64}[kind]).astype(np.float64)
    y, d = fn(x)
    assert np.all(np.isfinite(d)) and np.all(np.isfinite(y)), (name, y, d)
    print(name, number, kind, *(",".join(repr(float(v)) for v in column) for column in (x, y, d)))


def one(name):
    return lambda x: jax.jvp(getattr(lax, name), (x,), (np.ones_like(x),))


def polygamma(n, x):
    return lax.polygamma(n + 0 * x, x), lax.polygamma(n + 1 + 0 * x, x)


def zeta(s, x):  # JAX has no derivative of it
    return lax.zeta(s + 0 * x, x), -s * lax.zeta(s + 1 + 0 * x, x)


for kind in ("f32", "f64"):
    for name, points in POINTS.items():
        line(name, "-", kind, one(name), points + (WIDE.get(name, []) if kind == "f64" else []))
    for fn, numbers in ((polygamma, (1, 2, 5)), (zeta, (2, 3, 7))):
        for n in numbers:
            points = [v for v in ABOVE if 0.1 <= v <= 100]
            line(fn.__name__, n, kind, lambda x, n=n, fn=fn: fn(n, x), points)
