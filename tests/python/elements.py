# SPDX-License-Identifier: Apache-2.0
"""Every element type through every door of the package: arrays of random bits, with anything above the bits of types below eight, go in as ml_dtypes'
arrays, as raw bytes, as .npy files, in any layout; out come the same bits, and the numbers that a decoder of its own reads in them.

    elements.py [--seed N] [--rounds N]

Each round runs twice: with ml_dtypes, where that is installed, and as if it were not."""

import argparse
import os
import random
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
if "TESSERA_INSTALLED" not in os.environ:
    sys.path.insert(0, str(ROOT / "python"))

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy here")
    sys.exit()

import tessera as ts  # noqa: E402
from tessera.tensors import _MORE, _NUMPY, dtype_of, to_tensor  # noqa: E402

try:
    import ml_dtypes  # noqa: F401
except ImportError:
    ml_dtypes = None

INTEGERS = ["i1", *(f"{sign}{n}" for sign in ("i", "ui") for n in (2, 4, 8, 16, 32, 64))]
COMPLEX = ["complex<f32>", "complex<f64>"]
FLOATS = [e for e in (*_NUMPY, *_MORE) if re.match("b?f[0-9]", e)]
ELEMENTS = INTEGERS + FLOATS + COMPLEX
SMALL = {"i2": 2, "ui2": 2, "i4": 4, "ui4": 4, "f4E2M1FN": 4, "f6E2M3FN": 6, "f6E3M2FN": 6}
given = None


def width(element):
    if element == "bf16":
        return 16
    return int(re.search("[0-9]+", element)[0]) * (2 if element in COMPLEX else 1)


def storage(element):
    return np.dtype(f"uint{max(8, width(element))}") if element not in COMPLEX else np.dtype(_NUMPY[element])


def decode_float(bits, element):
    """The number of a bit pattern, by the format's name alone."""
    if element in ("f16", "f32", "f64"):
        return float(np.array(bits, f"uint{width(element)}").view(f"float{width(element)}"))
    e, m = (8, 7) if element == "bf16" else map(int, re.match(r"f\dE(\d)M(\d)", element).groups())
    if element == "f8E8M0FNU":
        return float("nan") if bits == 255 else 2.0 ** (bits - 127)
    bias = 11 if "B11" in element else 2 ** (e - 1) - (0 if element.endswith("FNUZ") else 1)
    sign, exponent, mantissa = bits >> (e + m), bits >> m & (1 << e) - 1, bits & (1 << m) - 1
    last, full = exponent == (1 << e) - 1, mantissa == (1 << m) - 1
    if element.endswith("FNUZ"):
        if bits == 1 << (e + m):
            return float("nan")
    elif element.endswith("FN"):
        if last and full and element.startswith("f8"):
            return float("nan")
    elif last:
        return float("nan") if mantissa else float("-inf") if sign else float("inf")
    value = (mantissa + (1 << m if exponent else 0)) * 2.0 ** (max(exponent, 1) - bias - m)
    return -value if sign else value


def numbers(bits, element):
    """What they are as i64, f64 or complex<f64>."""
    if element in COMPLEX:
        return bits.astype(np.complex128)
    if element in INTEGERS:
        n = width(element)
        wide = [int(b) - (1 << n if element[0] == "i" and n > 1 and int(b) >> n - 1 else 0) for b in bits.flat]
        return np.array([w - 2**64 if w >= 2**63 else w for w in wide], np.int64).reshape(bits.shape)
    return np.array([decode_float(int(b), element) for b in bits.flat], np.float64).reshape(bits.shape)


def program(shape, element):
    wide = "i64" if element in INTEGERS else "complex<f64>" if element in COMPLEX else "f64"
    a, b = (f"tensor<{''.join(f'{d}x' for d in shape)}{t}>" for t in (element, wide))
    same = "%a" if wide == element else "%0"
    convert = "" if wide == element else f"  %0 = stablehlo.convert %a : ({a}) -> {b}\n"
    return f"func.func @main(%a: {a}) -> ({a}, {b}) {{\n{convert}  return %a, {same} : {a}, {b}\n}}\n"


class Foreign:
    """An array of somebody who knows DLPack up to this version, and nothing else."""

    def __init__(self, array, version):
        self.array, self.version = array, version

    def __dlpack__(self, **options):
        return self.array.__dlpack__(max_version=min(self.version, options.get("max_version") or (1, 0)) if self.version else None)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Elements(unittest.TestCase):
    """maker: ml_dtypes as it is, or none."""

    def draw(self, element):
        """Bits, and the same with anything above them where the type has fewer than eight."""
        shape = tuple(self.random.choice((1, 2, 3, 5, 9, 17)) for _ in range(self.random.randrange(4)))
        if element in COMPLEX:
            bits = self.values.normal(size=(*shape, 2)).astype(_NUMPY[element].replace("complex64", "f4").replace("complex128", "f8"))
            return bits.view(_NUMPY[element]).reshape(shape), None
        raw = self.values.integers(0, 256, (*shape, storage(element).itemsize), np.uint8).view(storage(element)).reshape(shape)
        raw = np.asarray(raw)
        if element == "i1":
            return (raw & 1).astype(np.uint8), None
        bits = raw & ((1 << SMALL[element]) - 1) if element in SMALL else raw
        return bits.astype(storage(element)), raw

    def forms(self, bits, raw, element, folder):
        """The array in every form that may go in, with its name."""
        dtype = dtype_of(ts.default_context().type(element))
        own = (np.asarray(numbers(bits, element)).astype(dtype) if element in SMALL and element in INTEGERS else bits).view(dtype).reshape(bits.shape)
        yield "array", own
        if raw is not None and dtype.kind == "V":
            yield "anything above its bits", raw.view(dtype)
        if element in _MORE:
            yield "raw bytes", (raw if raw is not None else bits).view(f"V{dtype.itemsize}")
        if own.ndim:
            yield "columns first", np.asfortranarray(own)
            yield "backwards", np.ascontiguousarray(own[::-1])[::-1]
            yield "every second", np.repeat(own, 2, axis=0)[::2]
            moved = np.frombuffer(b"x" + own.tobytes(), np.uint8)[1:].view(dtype).reshape(own.shape) if own.size else own
            yield "not aligned", moved
        frozen = np.array(own)
        frozen.flags.writeable = False
        yield "not to be written", frozen
        path = os.path.join(folder, "a.npy")
        bare = element in _MORE and element not in INTEGERS and dtype.kind != "V"  # the file says that it has no numbers of NumPy's
        np.save(path, raw.view(dtype) if raw is not None and dtype.kind == "V" else own.view(f"V{dtype.itemsize}") if bare else own)
        if own.dtype.str != "<f1":  # which NumPy writes and does not read
            yield "np.load", np.load(path)
        yield "Tensor.load", ts.Tensor.load(path, element)
        ts.Tensor.load(path, element).save(path)
        yield "Tensor.save", ts.Tensor.load(path, element)
        held = to_tensor(ts.default_context(), own, ts.default_context().type(f"tensor<{''.join(f'{d}x' for d in own.shape)}{element}>"))
        yield "Tensor", held
        yield "DLPack", Foreign(held, (1, 1))
        if element not in SMALL:
            yield "DLPack, without versions", Foreign(held, None)
        if element in _NUMPY:
            yield "DLPack of NumPy", np.from_dlpack(held)
        else:
            with self.assertRaises((BufferError, RuntimeError)):  # bits would be taken for numbers
                np.from_dlpack(held)

    def same(self, found, bits, element, where):
        wanted = numbers(bits, element)
        first, second = found
        self.assertEqual(second.dtype.name, wanted.dtype.name, where)
        np.testing.assert_array_equal(second, wanted, err_msg=where)
        self.bits(first, bits, element, where)

    def bits(self, array, bits, element, where):
        """Sign-extended integers below eight bits, zeros above others."""
        self.assertEqual(array.dtype, dtype_of(ts.default_context().type(element)), where)
        wanted = np.asarray(numbers(bits, element)).astype(np.int8).view(np.uint8) if element in SMALL and element in INTEGERS else bits
        np.testing.assert_array_equal(np.ascontiguousarray(array).view(wanted.dtype).reshape(bits.shape), wanted, err_msg=where)

    def run_one(self, element, folder):
        bits, raw = self.draw(element)
        module = ts.Module.parse(program(bits.shape, element))
        compiled = module.compile()
        loaded = ts.Executable.load(compiled.save())
        for name, form in self.forms(bits, raw, element, folder):
            where = f"{element} {bits.shape} {name}"
            self.same(module.run(form), bits, element, f"{where}: run")
            self.same(module.run(form, engine="reference"), bits, element, f"{where}: reference")
            self.same(compiled(form), bits, element, f"{where}: compiled")
            self.same(loaded(form), bits, element, f"{where}: loaded")
            self.same(compiled.bind(form)(), bits, element, f"{where}: bound")
            self.same(compiled.bind()(form), bits, element, f"{where}: bound later")
            results = [np.zeros(bits.shape, t.dtype) for t in compiled.output_types]
            self.same(compiled.bind(form, results=results)(), bits, element, f"{where}: bound results")
            goldens = module.goldens([form])
            self.bits(goldens["main"].get(module["main"].body.args[0]), bits, element, f"{where}: golden")
            self.assertTrue(goldens.check().passed, where)
        self.constants(bits, raw, element)

    def constants(self, bits, raw, element):
        """Through the builder, text and bytecode."""
        dtype = dtype_of(ts.default_context().type(element))
        array = raw.view(dtype) if raw is not None and dtype.kind == "V" else bits.view(dtype)
        if dtype.kind != "V" and element in SMALL and element in INTEGERS:
            array = numbers(bits, element).astype(dtype)
        b = ts.Builder()
        with b.function("main", []):
            value = b.constant(array, type=f"tensor<{''.join(f'{d}x' for d in bits.shape)}{element}>")
            b.ret(value)
        constant = b.module["main"].body.ops[0]
        self.bits(constant.attributes["value"].value, bits, element, f"{element} {bits.shape}: attribute")
        for name, module in (("built", b.module), ("text", ts.Module.parse(str(b.module))), ("bytecode", ts.Module.parse(b.module.bytecode()))):
            for engine in ("compiled", "reference"):
                self.bits(module.run(engine=engine)[0], bits, element, f"{element} {bits.shape}: constant, {name}, {engine}")

    def cross(self):
        with tempfile.TemporaryDirectory() as folder:
            for number in range(given.rounds):
                self.random, self.values = random.Random(given.seed + number), np.random.default_rng(given.seed + number)
                for element in ELEMENTS:
                    self.run_one(element, folder)

    @unittest.skipIf(ml_dtypes is None, "no ml_dtypes here")
    def test_with_ml_dtypes(self):
        self.cross()

    def test_without_ml_dtypes(self):
        with unittest.mock.patch.dict(sys.modules, {"ml_dtypes": None}):
            self.cross()

    def test_plain_values(self):
        """Numbers and lists; values that a type does not have are refused, whoever gives them."""
        m = ts.Module.parse(program((3,), "i4"))
        self.assertEqual(m.run([-1, 7, -8])[1].tolist(), [-1, 7, -8])
        with unittest.mock.patch.dict(sys.modules, {"ml_dtypes": None}):
            self.assertEqual(m.run(np.array([-1, 7, -8], np.int8))[1].tolist(), [-1, 7, -8])
            for wrong in ([8, 0, 0], [0, -9, 0], [0, 0, 15]):
                for door in (m.run, m.compile(), m.compile().bind):
                    with self.assertRaisesRegex(ts.InputError, "not in i4"):
                        door(np.array(wrong, np.int8))
        with self.assertRaises(ts.InputError):
            m.run(np.zeros(3, np.int16))


if __name__ == "__main__":
    import unittest.mock

    options = argparse.ArgumentParser()
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rounds", type=int, default=1)
    given = options.parse_args()
    result = unittest.main(argv=sys.argv[:1], exit=False, verbosity=0).result
    if result.skipped:
        print(f"elements: {len(result.skipped)} skipped: {', '.join(sorted({why for _, why in result.skipped}))}")
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad - len(result.skipped)} passed, {bad} failed")
    sys.exit(bad != 0)
