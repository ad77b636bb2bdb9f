# SPDX-License-Identifier: Apache-2.0
"""Judges results of narrow floats by their own exact values: what narrow_programs.py and narrow_rows.py share.

A program of narrow floats and the same program with f64 in place of every float type run on the same inputs, which both types
represent. The second one is exact for our purposes. The engine's greatest error is at most twice the evaluator's, plus one unit in
the last place of the result's type at the greatest exact number: LIMIT and UNITS, which were fixed before anything was measured.
"""
import math
import os
import re
import struct
import zipfile

import trial

LIMIT, UNITS = 2, 1


class Kind:
    """A float type: exponent bits, mantissa bits, bias, whether the largest exponent is that of infinities."""

    def __init__(self, ebits, mbits, bias, ieee, descr):
        self.mbits, self.least, self.descr, self.bytes = mbits, 1 - bias, descr, (1 + ebits + mbits) // 8
        self.numbers = [self.number(c, ebits, bias, ieee) for c in range(1 << (1 + ebits + mbits))]
        self.most = max(v for v in self.numbers if math.isfinite(v))
        self.codes = {v: c for c, v in enumerate(self.numbers) if not math.isnan(v) and not (v == 0 and c)}

    def number(self, code, ebits, bias, ieee):
        sign = -1.0 if code >> (ebits + self.mbits) else 1.0
        e, m = code >> self.mbits & (1 << ebits) - 1, code & (1 << self.mbits) - 1
        if ieee and e == (1 << ebits) - 1:
            return math.nan if m else sign * math.inf
        if not ieee and e == (1 << ebits) - 1 and m == (1 << self.mbits) - 1:
            return math.nan
        return sign * math.ldexp(m + ((1 << self.mbits) if e else 0), max(e, 1) - bias - self.mbits)

    def nearest(self, x):
        """A number of the type next to x, below the largest."""
        if x == 0 or not math.isfinite(x):
            return x
        unit = self.unit(x)
        return max(-self.most, min(self.most, round(x / unit) * unit))

    def unit(self, x):
        return math.ldexp(1.0, max(math.frexp(x)[1] - 1 if x else self.least, self.least) - self.mbits)


KINDS = {"bf16": Kind(8, 7, 127, True, "<V2"), "f16": Kind(5, 10, 15, True, "<f2"),
         "f8E4M3FN": Kind(4, 3, 7, False, "|V1"), "f8E5M2": Kind(5, 2, 15, True, "|V1")}
WIDE = {"<f4": "f", "<f8": "d"}


def write(path, shape, values, elem):
    """Writes numbers that the type represents as a .npy file."""
    kind = KINDS.get(elem)
    descr = kind.descr if kind else "<f8"
    dims = "".join(f"{d}," for d in shape)
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({dims}), }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    if kind:
        data = struct.pack(f"<{len(values)}{'B' if kind.bytes == 1 else 'H'}", *(kind.codes[v] for v in values))
    else:
        data = struct.pack(f"<{len(values)}d", *values)
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def read(path, elems):
    """The numbers of each result of a run, all as floats."""
    out = []
    with zipfile.ZipFile(path) as z:
        for i, elem in enumerate(elems):
            raw = z.read(f"out{i}.npy")
            start = 10 + struct.unpack("<H", raw[8:10])[0]
            descr = re.search(rb"'descr': '([^']*)'", raw).group(1).decode()
            data = raw[start:]
            if descr in WIDE:
                out.append(list(struct.unpack(f"<{len(data) // struct.calcsize(WIDE[descr])}{WIDE[descr]}", data)))
            else:
                kind = KINDS[elem]
                codes = struct.unpack(f"<{len(data) // kind.bytes}{'B' if kind.bytes == 1 else 'H'}", data)
                out.append([kind.numbers[c] for c in codes])
    return out


def exactly(text):
    """The program with f64 for every float type. Of hexadecimal numbers there are only infinities."""
    text = re.sub(r"<0x(?:7F80|7C00)>", "<0x7FF0000000000000>", re.sub(r"<0x(?:FF80|FC00)>", "<0xFFF0000000000000>", text))
    return re.sub(r"(\b|x)(?:bf16|f16|f32|f8E4M3FN|f8E5M2)\b", r"\1f64", text)


def error(got, exact, elem):
    """The greatest error of some numbers; infinite where one is no number, or infinite, and should not be."""
    most = KINDS[elem].most if elem in KINDS else math.inf
    worst = 0.0
    for g, e in zip(got, exact):
        if math.isnan(e) or g == e:
            continue
        if abs(e) > most:  # beyond the type: the largest number and infinity are right
            e = math.copysign(most, e)
            g = max(-most, min(most, g)) if not math.isnan(g) else g
        worst = max(worst, math.inf if math.isnan(g) or math.isinf(g) or math.isinf(e) else abs(g - e))
    return worst


def floor(exact, elem):
    sizes = [abs(e) for e in exact if math.isfinite(e)]
    kind = KINDS.get(elem)
    most = max(sizes, default=0.0)
    return kind.unit(min(most, kind.most)) if kind else most * 2.0**-23


def is_off(got, reference, exact, elem):
    """Whether the engine's error is too large; its error and the evaluator's."""
    mine, other = error(got, exact, elem), error(reference, exact, elem)
    return mine > LIMIT * other + UNITS * floor(exact, elem), mine, other


class Runs:
    """Runs a program in a folder: compiled, on the evaluator, and exactly."""

    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder

    def at(self, name):
        return os.path.join(self.folder, name)

    def run(self, text, inputs, elems, *flags):
        with open(self.at("p.mlir"), "w") as f:
            f.write(text)
        paths = []
        for i, (shape, values, elem) in enumerate(inputs):
            paths.append(f"--input={self.at(f'in{i}.npy')}")
            write(paths[-1][8:], shape, values, elem)
        got = trial.run(self.tool, "run", self.at("p.mlir"), *paths, f"--output={self.at('out.npz')}", *flags)
        if got.returncode:
            return None, got.stderr[:400]
        return read(self.at("out.npz"), elems), ""

    def all(self, text, inputs, elems, *ways):
        """Results of each way to run it, of the evaluator, and exact ones; or what went wrong."""
        chosen = [f for f in ways[0] if f.startswith("--function")]
        exact, bad = self.run(exactly(text), [(s, v, "f64") for s, v, _ in inputs], elems, "--engine=reference", *chosen)
        reference, worse = self.run(text, inputs, elems, "--engine=reference", *chosen)
        got = [self.run(text, inputs, elems, *way) for way in ways]
        bad = bad or worse or "".join(b for _, b in got)
        return [g for g, _ in got], reference, exact, bad
