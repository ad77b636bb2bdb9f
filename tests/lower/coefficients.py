#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# coefficients.py - computes src/lower/chlo/coefficients.def: rational functions that meet a special function at Chebyshev
# nodes, in 60 digits, of a degree whose relative error is below a quarter of a unit in the last place. A constant is
# taken out first: what is left is smaller, and so are the rounding errors of its evaluation.
# Needs mpmath and numpy; prints the table, and on stderr what each fit costs and how well it does in floats.
import sys
import textwrap
import numpy as np
from mpmath import mp, mpf

mp.dps = 60


def fit(f, a, b, n, m):
    """p of degree n and q of degree m with q(0) = 1 and p/q = f at n + m + 1 nodes."""
    k = n + m + 1
    xs = [(a + b) / 2 + (b - a) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * k)) for i in range(k)]
    rows, rhs = [], []
    for x in xs:
        y = f(x)
        rows.append([x**j for j in range(n + 1)] + [-y * x**j for j in range(1, m + 1)])
        rhs.append(y)
    s = mp.lu_solve(mp.matrix(rows), mp.matrix(rhs))
    return [s[i] for i in range(n + 1)], [mpf(1)] + [s[n + 1 + i] for i in range(m)]


def value(c, x):
    r = c[-1]
    for a in c[-2::-1]:
        r = r * x + a
    return r


def search(name, f, a, b, eps, shift, base):
    """The fit of f - base in x - shift, and its error when computed in floats."""
    g, a, b = (lambda u: f(u + shift)), a - shift, b - shift
    kind = np.float32 if eps > 1e-10 else np.float64
    grid = [mpf(float(kind(float(a + (b - a) * i / 300)))) for i in range(301)]
    grid = [x for x in grid if a <= x <= b]
    want = [g(x) for x in grid]
    best, found = None, 0
    for total in range(2, 40):
        n = (total + 1) // 2
        try:
            p, q = fit(lambda u: g(u) - base, a, b, n, total - n)
        except ZeroDivisionError:
            continue
        if min(value(q, x) for x in grid) <= 0:
            continue
        err = max(abs((base + value(p, x) / value(q, x)) / y - 1) for x, y in zip(grid, want))
        if err < eps:
            pf, qf = [kind(float(c)) for c in p], [kind(float(c)) for c in q]
            ulp = max(abs(mpf(float(kind(base) + value(pf, kind(float(x))) / value(qf, kind(float(x))))) / y - 1)
                      for x, y in zip(grid, want)) / np.finfo(kind).eps
            if best is None or ulp < best[0] / 1.3:
                best = (ulp, p, q, f"{name} {kind.__name__}: {n}/{total - n}, {float(err):.2g}, {float(ulp):.2f} eps")
            found += 1
            if found == 4:
                break
    return best


def erfcx(x):
    return mp.erfc(x) * mp.exp(x * x)


def erf_inv(x):
    # With a = 1 - x, the complement, that keeps its digits.
    y = mp.sqrt(-mp.log(1 - x * x)) * mpf("0.9") if x > mpf("0.5") else x
    for _ in range(100):
        d = (mp.erf(y) - x) / (2 / mp.sqrt(mp.pi) * mp.exp(-y * y))
        y -= d / (1 + d * y)
        if abs(d) < mpf(10) ** -45 * abs(y):
            break
    return y


def erf_inv_of(w):
    if w == 0:
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    return erf_inv(x) / x


def lgamma1(z):
    if abs(z) < mpf(10) ** -30:
        return mp.euler
    if abs(z - 1) < mpf(10) ** -30:
        return mp.psi(0, 2)
    return mp.loggamma(1 + z) / (z * (z - 1))


def stirling(v):
    if v == 0:
        return mpf(1) / 12
    x = 1 / mp.sqrt(v)
    return (mp.loggamma(x) - (x - 0.5) * (mp.log(x) - 1) - (mp.log(2 * mp.pi) - 1) / 2) * x


root = mp.findroot(lambda x: mp.psi(0, x), mpf("1.4616321449683623"))


def digamma1(d):
    return mp.psi(1, root) if abs(d) < mpf(10) ** -30 else mp.psi(0, d + root) / d


def digamma_tail(v):
    if v == 0:
        return mpf(1) / 12
    x = 1 / mp.sqrt(v)
    return (mp.log(x) - 1 / (2 * x) - mp.psi(0, x)) / v


def i1e_tail(u):
    if u == 0:
        return 1 / mp.sqrt(2 * mp.pi)
    return mp.besseli(1, 1 / u) * mp.exp(-1 / u) / mp.sqrt(u)


FITS = [  # name, function, interval for f32, interval for f64, shifts to try, constant
    ("ERF", lambda t: 2 / mp.sqrt(mp.pi) if t == 0 else mp.erf(mp.sqrt(t)) / mp.sqrt(t), (0, 1), (0, 1), [0], 1),
    ("ERFC_NEAR", erfcx, ("0.5", 2), ("0.5", 2), [0, 0.5, 1], 0.375),
    ("ERFC_FAR", lambda v: erfcx(1 / mp.sqrt(v)) / mp.sqrt(v), ("0.009", "0.25"), ("0.0013", "0.25"), [0], 0.5),
    ("ERF_INV_NEAR", erf_inv_of, (0, 5), (0, 5), [0, 2.5], 1.25),
    ("ERF_INV_FAR", lambda s: erf_inv_of(s * s) / s, ("2.2", "4.1"), ("2.2", "6.1"), [0, 2, 3, 4, 5], 0.9375),
    ("LGAMMA_NEAR", lgamma1, ("-0.5", "0.5"), ("-0.5", "0.5"), [0, -0.5, 0.5], 0.625),
    ("LGAMMA_NEXT", lgamma1, ("0.5", 2), ("0.5", 2), [0, 0.5, 1, 1.5], 0.40625),
    ("LGAMMA_MID", lambda x: mp.loggamma(x) / (x - 2), (3, 8), (3, 8), [0, 2, 3, 5], 1.0625),
    ("LGAMMA_FAR", stirling, (0, mpf(1) / 64), (0, mpf(1) / 64), [0], 0),
    ("DIGAMMA_NEAR", digamma1, (1 - root, 3 - root), (1 - root, 3 - root), [0], 0.75),
    ("DIGAMMA_MID", lambda x: mp.psi(0, x), (3, 10), (3, 10), [0, 2, 3, 4, 6], 1.5),
    ("DIGAMMA_FAR", digamma_tail, (0, mpf(1) / 100), (0, mpf(1) / 100), [0], 0),
    ("I1E_NEAR", lambda x: mpf(1) / 2 if x == 0 else mp.besseli(1, x) * mp.exp(-x) / x, (0, 8), (0, 8), [0, 4], 0),
    ("I1E_FAR", i1e_tail, (0, mpf(1) / 8), (0, mpf(1) / 8), [0, 0.0625, 0.125], 0.390625),
]


def write(c):
    text = "C(" + ", ".join(f"{float(x):.17g}" for x in c) + ")"
    return textwrap.fill(text, 116, initial_indent="    ", subsequent_indent="      ")


print("""/* coefficients.def - base + P/Q for special.c, rational in x - shift; for f32 and for f64; lowest power first.
 * Written by tests/lower/coefficients.py, which says what they approximate.
 *
 *   FIT(id, shift, base, C(P of f32), C(Q of f32), C(P of f64), C(Q of f64))                                         */
/* clang-format off */""")
for name, f, narrow, wide, shifts, base in FITS:
    if len(sys.argv) > 1 and name not in sys.argv[1:]:
        continue
    best = None
    for shift in shifts:
        low = search(name, f, mpf(narrow[0]), mpf(narrow[1]), mpf(2) ** -26, mpf(shift), base)
        high = search(name, f, mpf(wide[0]), mpf(wide[1]), mpf(2) ** -55, mpf(shift), base)
        if low and high and (best is None or low[0] * high[0] < best[1][0] * best[2][0]):
            best = (shift, low, high)
    shift, low, high = best
    print(low[3], "shift", shift, file=sys.stderr)
    print(high[3], file=sys.stderr)
    print(f"FIT({name}, {shift}, {base},")
    print(",\n".join(write(c) for c in (low[1], low[2], high[1], high[2])) + ")")
print("/* clang-format on */\n#undef FIT\n#undef C")
print("root", mp.nstr(root, 40), file=sys.stderr)
