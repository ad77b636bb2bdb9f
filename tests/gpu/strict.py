#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Maps have the same bits on a device as on the CPU, both with --strict-rounding, but for the payloads of NaNs.

    strict.py [--bin build/bin] [--device cuda] [--count N] [--seed S] [--elements N]

A program is one to six ops of one element type, on random bit patterns, on numbers of usual size, and on edges (zeros, infinities, NaNs,
denormals, powers of two)."""
import argparse
import array
import os
import random
import struct
import subprocess
import sys
import tempfile

# Name: numpy's type, bytes, bits of the exponent and of the fraction.
FLOATS = {"f32": ("<f4", 4, 8, 23), "f64": ("<f8", 8, 11, 52), "bf16": ("<V2", 2, 8, 7), "f16": ("<f2", 2, 5, 10)}
INTS = {"i32": ("<i4", 4), "i8": ("|i1", 1), "ui32": ("<u4", 4), "i64": ("<i8", 8)}
UNARY = ["exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "tanh", "sine", "cosine", "tan", "sqrt", "rsqrt", "cbrt", "negate",
         "abs", "sign", "floor", "ceil", "round_nearest_even", "round_nearest_afz"]
LIBRARY = ["sine", "cosine", "tan"]
BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "atan2", "remainder"]
INT_UNARY = ["negate", "abs", "not", "sign", "popcnt", "count_leading_zeros"]
INT_BINARY = ["add", "subtract", "multiply", "maximum", "minimum", "and", "or", "xor", "shift_left", "shift_right_logical", "shift_right_arithmetic"]
MOST_SHOWN = 3


def patterns(rng, elem, n):
    """Bits of n elements, as bytes."""
    bytes_ = (FLOATS.get(elem) or INTS[elem])[1]
    if elem in INTS:
        return rng.randbytes(n * bytes_)
    _, _, exponent, fraction = FLOATS[elem]
    bias, top = (1 << exponent - 1) - 1, (1 << exponent) - 1
    edges = [0, 1, (1 << fraction) - 1, 1 << fraction, top << fraction, (top << fraction) | 1 << fraction - 1, ((top - 1) << fraction) | (1 << fraction) - 1,
             *((bias + k) << fraction for k in range(-4, 5))]
    edges += [e | 1 << exponent + fraction for e in edges]
    usual = lambda: rng.getrandbits(1) << exponent + fraction | (bias + rng.randint(-6, 5)) << fraction | rng.getrandbits(fraction)
    third = n // 3
    values = [usual() for _ in range(third)] + [rng.choice(edges) for _ in range(min(third, 4096))]
    given = b"".join(v.to_bytes(bytes_, "little") for v in values)
    return given + rng.randbytes(n * bytes_ - len(given))


def write_npy(path, elem, data, n):
    header = f"{{'descr': '{(FLOATS.get(elem) or INTS[elem])[0]}', 'fortran_order': False, 'shape': ({n},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def read_npy(path):
    with open(path, "rb") as f:
        data = f.read()
    return data[10 + struct.unpack("<H", data[8:10])[0]:]


class Program:
    def __init__(self, rng, n):
        self.elem, self.n = rng.choice(["f32", "f32", "f32", "f64", "bf16", "bf16", "f16", *INTS]), n
        self.type, self.lines, values = f"tensor<{n}x{self.elem}>", [], ["%a", "%b"]
        for k in range(rng.randint(1, 6)):
            unary, binary = (INT_UNARY, INT_BINARY) if self.elem in INTS else (UNARY, BINARY)
            x, y, new = rng.choice(values[-3:]), rng.choice(values), f"%{k}"
            names = [name for name in unary if not (self.elem == "ui32" and name in ("negate", "abs", "sign"))]
            if rng.random() < 0.5:
                name = rng.choice(names)
                if name in LIBRARY:  # beyond a bound they are the C library's, which each machine has its own of
                    self.lines += [f"%l{k} = stablehlo.constant dense<-6.0e4> : {self.type}", f"%h{k} = stablehlo.constant dense<6.0e4> : {self.type}",
                                   f"%c{k} = stablehlo.clamp %l{k}, {x}, %h{k} : {self.type}"]
                    x = f"%c{k}"
                self.lines.append(f"{new} = stablehlo.{name} {x} : {self.type}")
            elif rng.random() < 0.8:
                self.lines.append(f"{new} = stablehlo.{rng.choice(binary)} {x}, {y} : {self.type}")
            else:
                self.lines += [f"%p{k} = stablehlo.compare {rng.choice(['LT', 'GE', 'EQ', 'NE'])}, {x}, {y} : ({self.type}, {self.type}) -> tensor<{n}xi1>",
                               f"{new} = stablehlo.select %p{k}, {x}, {y} : tensor<{n}xi1>, {self.type}"]
            values.append(new)
        self.result = values[-1]

    def text(self):
        body = "\n  ".join(self.lines)
        return f"func.func @main(%a: {self.type}, %b: {self.type}) -> {self.type} {{\n  {body}\n  return {self.result} : {self.type}\n}}\n"


def is_nan(bits, elem):
    _, _, exponent, fraction = FLOATS[elem]
    return bits >> fraction & (1 << exponent) - 1 == (1 << exponent) - 1 and bits & (1 << fraction) - 1 != 0


def differences(a, b, elem):
    """Elements whose bits differ, with both; NaNs are all equal."""
    if a == b:
        return []
    bytes_ = (FLOATS.get(elem) or INTS[elem])[1]
    if len(a) != len(b):
        return [(0, 0, 0)]
    x, y = (array.array({1: "B", 2: "H", 4: "I", 8: "Q"}[bytes_], d) for d in (a, b))
    return [(i, p, q) for i, (p, q) in enumerate(zip(x, y)) if p != q and not (elem in FLOATS and is_nan(p, elem) and is_nan(q, elem))]


def attempt(o, p, rng, tmp):
    source, inputs = os.path.join(tmp, "in.mlir"), [os.path.join(tmp, f"{k}.npy") for k in "ab"]
    with open(source, "w") as f:
        f.write(p.text())
    data = [patterns(rng, p.elem, p.n) for _ in inputs]
    for path, d in zip(inputs, data):
        write_npy(path, p.elem, d, p.n)
    got = []
    for flags in ([], [f"--device={o.device}", "--dump-program"]):
        out = os.path.join(tmp, f"out{len(flags)}")
        ran = subprocess.run([os.path.join(o.bin, "tessera"), "run", source, *(f"--input={i}" for i in inputs), "--strict-rounding",
                              "--division-by-zero=ignore", f"--output={out}", *flags], capture_output=True, text=True)
        print("".join(f"{line}\n" for line in ran.stderr.splitlines() if line.startswith("program of ")), end="")
        if ran.returncode:
            return f"{' '.join(flags)}: {ran.stderr[:300]}"
        got.append(read_npy(os.path.join(out, "out0.npy")))
    off = differences(*got, p.elem)
    width = 2 * (FLOATS.get(p.elem) or INTS[p.elem])[1]
    size = width // 2
    shown = (f"[{i}] {p_:0{width}x} on the CPU, {q:0{width}x} of {', '.join(d[i * size:(i + 1) * size][::-1].hex() for d in data)}" for i, p_, q in off[:MOST_SHOWN])
    return f"{len(off)} of {p.n} differ: {'; '.join(shown)}" if off else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--elements", type=int, default=20011)
    o = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        for i in range(o.count):
            rng = random.Random(o.seed * 1000003 + i)
            p = Program(rng, o.elements)
            bad = attempt(o, p, rng, tmp)
            if bad:
                failed += 1
                print(f"FAIL program {i}: {bad}\n{p.text()}")
    print(f"{o.count - failed} passed, {failed} failed")
    return 1 if failed or not o.count else 0


if __name__ == "__main__":
    sys.exit(main())
