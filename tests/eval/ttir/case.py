# SPDX-License-Identifier: Apache-2.0
"""What the case files share: a case, how it is run, and how types are written."""
import os, subprocess

import numpy as np

TYPES = {"float32": "f32", "float64": "f64", "float16": "f16", "int32": "i32", "int64": "i64", "int8": "i8", "uint8": "ui8",
         "uint16": "ui16", "uint32": "ui32", "bool": "i1"}


class Case:
    """Inputs and results are arrays; a result of a narrower float type than its array is compared as f32 with that type's
    tolerance."""

    def __init__(self, name, module, inputs, results, rtol=None, atol=None, function=None):
        self.name, self.module, self.inputs, self.results = name, module, inputs, results
        self.rtol, self.atol, self.function = rtol, atol, function


def tensor(x, element=None):
    x = np.asarray(x)
    return "tensor<%s%s>" % ("".join("%dx" % d for d in x.shape), element or TYPES[x.dtype.name])


def module(op, inputs, results, attributes="", mesh=None, elements=None, prefix="", count=None):
    """A function of one op on all its inputs, in order. attributes: what stands in <{}>."""
    ins = [tensor(x, elements[i] if elements else None) for i, x in enumerate(inputs)]
    outs = [tensor(x, elements[len(inputs) + i] if elements else None) for i, x in enumerate(results)]
    args = ", ".join("%%a%d: %s" % (i, t) for i, t in enumerate(ins))
    names = ", ".join("%%r%d" % i for i in range(len(outs)))
    uses = ", ".join("%%a%d" % i for i in range(len(ins)))
    many = len(outs) != 1
    return """module%s {
  func.func @main(%s) -> (%s) {
    %s%s = "%s"(%s)%s : (%s) -> %s
    return %s : %s
  }
}
""" % (' attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = %s>]>}' % mesh if mesh else "", args, ", ".join(outs), prefix,
       "%%r:%d" % len(outs) if many else "%r", op, uses, " <{%s}>" % attributes if attributes else "", ", ".join(ins),
       "(" + ", ".join(outs) + ")" if many else outs[0],
       ", ".join("%%r#%d" % i for i in range(len(outs))) if many else "%r", ", ".join(outs))


def run_case(c, tessera, tmp):
    path = os.path.join(tmp, "m.mlir")
    with open(path, "w") as f:
        f.write(c.module)
    cmd = [tessera, "run", path]
    if c.function:
        cmd += ["--function=" + c.function]
    for i, x in enumerate(c.inputs):
        if isinstance(x, str):
            cmd += ["--input=" + x]
            continue
        np.save(os.path.join(tmp, "in%d.npy" % i), np.asarray(x))
        cmd += ["--input=" + os.path.join(tmp, "in%d.npy" % i)]
    for i, x in enumerate(c.results):
        np.save(os.path.join(tmp, "want%d.npy" % i), np.asarray(x))
        cmd += ["--expect=" + os.path.join(tmp, "want%d.npy" % i)]
    cmd += ["--rtol=%g" % c.rtol] if c.rtol is not None else []
    cmd += ["--atol=%g" % c.atol] if c.atol is not None else []
    for engine in ("reference", "compiled"):
        r = subprocess.run(cmd + ["--engine=" + engine], capture_output=True, text=True, timeout=300)
        if r.returncode:
            return engine + ": " + ((r.stdout + r.stderr).strip() or "exit code %d" % r.returncode)
    return ""
