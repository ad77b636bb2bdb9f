# SPDX-License-Identifier: Apache-2.0
"""Running emitted code, Python and C++, and comparing what it gives with goldens."""

import itertools
import re
import sys
import tempfile
import types
from typing import Dict, List, Optional

from golden import GoldenMapTensor

from .builder_check import TTBuilderRuntimeException, check_outputs, numpy

_HEADER = re.compile(r'^# File: "(\w+)"$', re.M)


def _source(given):
    """Emitted text, or the file that has it."""
    if "\n" in given:
        return given
    with open(given) as file:
        return file.read()


def _files(text):
    """The files of an emitted text by their names, those that others import first."""
    parts = _HEADER.split(text)
    if len(parts) == 1:
        return {"main": text}
    found = dict(zip(parts[1::2], parts[2::2]))
    return {**{name: part for name, part in found.items() if name != "main"}, "main": found.get("main", parts[0])}


def _emitted(text):
    """The names of an emitted program: it imports modules that are part of ttnn here, and its other files."""
    from ttnn._helpers import modules

    extra, files = modules(), _files(text)
    before = {name: sys.modules.get(name) for name in (*extra, *files)}
    sys.modules.update(extra)
    try:
        for name, part in files.items():
            module = types.ModuleType("emitted" if name == "main" else name)
            if name != "main":
                sys.modules[name] = module
            exec(compile(part, f"{name}.py", "exec"), module.__dict__)
        return module.__dict__
    finally:
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


# ---- Arguments ----


def _merges(goldens, activations, weights):
    """Which of two lists, each in its order, each golden is for, as far as shapes tell: 'a' and 'w', in words."""
    if not goldens:
        yield ""
        return
    for kind, rest in (("a", activations), ("w", weights)):
        if rest and tuple(rest[0].shape) == tuple(goldens[0].shape):
            others = (activations[1:], weights) if kind == "a" else (activations, weights[1:])
            yield from (kind + m for m in _merges(goldens[1:], *others))


def _order(function, goldens, activations, weights, given):
    """The same of one function; given: what each argument is, where somebody knows it."""
    if given is not None:
        return ["w" if kind in ("parameter", "constant") else "a" for kind in given]
    if not goldens:
        return []
    found = list(itertools.islice(_merges(goldens, activations, weights), 2))
    if len(found) != 1:
        why = "several orders of activations and weights fit" if found else "the goldens are not those of its activations and weights"
        raise TTBuilderRuntimeException(f"execute_py: {function}: {why}; say argument_types")
    return list(found[0])


def _like(template, golden):
    """A golden where an input is, on each device that it has a part for."""
    parts = [template.like(golden.shard_at(d)).parts[0] for d in sorted(golden.shard_map)]
    return type(template).of(parts, template.layout, template.device(), template.memory_config())


def _calls(names):
    """By public function: what makes its arguments."""
    makers = ("create_inputs_for_", "load_inputs_for_", "create_activations_for_", "load_activations_for_")
    found = {}
    for name in names:
        prefix = next((m for m in makers if name.startswith(m)), None)
        if prefix:
            function = name[len(prefix) :]
            weights = prefix.replace("activations", "weights") + function if "activations" in prefix else None
            found[function] = (name, weights)
    return found


def _arguments(names, function, makers, goldens, given):
    """A call's arguments, with the goldens' values."""
    activations = list(names[makers[0]]())
    weights = dict(names[makers[1]]()) if makers[1] else None
    wanted = [goldens[f"input_{i}"] for i in range(sum(k.startswith("input_") for k in goldens))]
    if weights is None:
        if wanted and len(wanted) != len(activations):
            raise TTBuilderRuntimeException(f"execute_py: {function} takes {len(activations)} inputs, and {len(wanted)} are given")
        return [[_like(t, g) for t, g in zip(activations, wanted)] if wanted else activations]
    kinds = _order(function, wanted, activations, list(weights.values()), given)
    left, keys = iter(range(len(activations))), iter(list(weights))
    for golden, kind in zip(wanted, kinds):
        if kind == "a":
            i = next(left)
            activations[i] = _like(activations[i], golden)
        else:
            key = next(keys)
            weights[key] = _like(weights[key], golden)
    return [activations, weights]


def _compare(function, i, wanted, arrays, how):
    """By device; one device's report alone where there is one."""
    found = [check_outputs(wanted.shard_at(d), array, f"{function}, output {i}" + (f", device {d}" if len(arrays) > 1 else ""), *how) for d, array in enumerate(arrays)]
    return found[0] if len(found) == 1 else {**found[0], "pass": all(f["pass"] for f in found), "devices": found}


def _checked(found, goldens_of, disable_golden, how):
    """A report by function of results, which are arrays by device."""
    report = {}
    for index, (function, results) in enumerate(found.items()):
        goldens = {} if disable_golden else (goldens_of or {}).get(index, {})
        for i, arrays in enumerate(results):
            wanted = goldens.get(f"output_{i}")
            if wanted is None:
                continue
            size = numpy().asarray(wanted.shard_at(0)).size
            if arrays[0].size != size:
                raise TTBuilderRuntimeException(f"{function}, output {i} has {arrays[0].size} elements, and {size} are expected")
            report.setdefault(function, {})[f"output_{i}"] = _compare(function, i, wanted, arrays, how)
    return report


def run_py(text, input_output_goldens=None, argument_types=None):
    """Runs each public function of emitted Python on its goldens' inputs, or on those that it makes: by function, arrays of each result by device."""
    import ttnn
    from tessera.errors import TesseraError

    try:
        names, found = _emitted(_source(text)), {}
        calls = _calls(names)
        if not calls:
            raise TTBuilderRuntimeException("execute_py: the text has no function with one that makes its inputs")
        for index, (function, makers) in enumerate(calls.items()):
            goldens = (input_output_goldens or {}).get(index, {})
            given = _arguments(names, function, makers, goldens, (argument_types or {}).get(function))
            hosts = [ttnn.from_device(t) for t in names[function](*given)]
            found[function] = [[h.numpy(d) for d in range(len(h.parts))] for h in hosts]
        return found
    except (NotImplementedError, OSError, TesseraError) as e:
        raise TTBuilderRuntimeException(f"execute_py: {e}") from e


def execute_py(
    compiled_bin,
    input_output_goldens: Optional[Dict[int, Dict[str, GoldenMapTensor]]] = None,
    pcc: float = 0.99,
    atol: float = 1e-08,
    rtol: float = 1e-05,
    disable_golden: bool = False,
    check_pcc: bool = True,
    check_atol: bool = False,
    check_rtol: bool = False,
    argument_types: Optional[Dict[str, List[str]]] = None,
    **_,
):
    """Runs each public function of emitted Python, a text or a file, on its goldens, and compares what it gives: a report by function. argument_types: by function,
    what each argument is (input, parameter, constant), where activations and weights are apart and their shapes do not tell."""
    found = run_py(compiled_bin, input_output_goldens, argument_types)
    return _checked(found, input_output_goldens, disable_golden, (pcc, atol, rtol, check_pcc, check_atol, check_rtol))


# ---- C++ ----

# What calls a function of an emitted program with arguments of somebody else.
_CALL = """
extern "C" bool tessera_call_{index}(tessera_exchange *x)
{{
    return ::ttnn::exchange(x, [] {{ return ::{maker}(); }}, [](std::vector<::ttnn::Tensor> in) {{ return ::{name}(in); }});
}}
"""
_FLAGS = ["-std=c++2a", "-O0", "-w", "-fPIC"]


def _run_compiler(command, what):
    import subprocess

    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return
    hoisted = sorted(set(re.findall(r"undefined reference to `(\w+)\(ttnn::Tensor", done.stderr)))
    if hoisted:
        raise TTBuilderRuntimeException(f"execute_cpp: {', '.join(hoisted)}: functions of the host are not part of emitted C++ (docs/EMIT.md)")
    raise TTBuilderRuntimeException(f"execute_cpp: {what} does not compile:\n{done.stderr[:2000]}")


def _compiler():
    import os
    import shutil

    found = next((c for c in (os.environ.get("CXX"), "g++", "clang++", "c++") if c and shutil.which(c)), None)
    if found is None:
        raise TTBuilderRuntimeException("execute_cpp: there is no compiler of C++ here")
    return found


_shims = {}


def _shim():
    """A folder with ttnn's header, compiled, and the library behind it; made once, kept as long as the process lives."""
    import os
    import shutil

    import ttnn
    from tessera._library import library_path

    compiler, library = _compiler(), os.path.realpath(library_path())
    if (compiler, library) not in _shims:
        sources, folder = os.path.join(os.path.dirname(ttnn.__file__), "cpp"), tempfile.TemporaryDirectory(prefix="ttnn-")
        for name in os.listdir(sources):
            shutil.copy(os.path.join(sources, name), folder.name)
        header = os.path.join(folder.name, "ttnn-precompiled.hpp")
        _run_compiler([compiler, *_FLAGS, "-x", "c++-header", header, "-o", f"{header}.gch"], "ttnn's header")
        link = [library, f"-Wl,-rpath,{os.path.dirname(library)}"]
        _run_compiler([compiler, *_FLAGS, "-shared", os.path.join(folder.name, "ttnn-shim.cpp"), *link, "-o", os.path.join(folder.name, "libttnn.so")], "ttnn's library")
        _shims[compiler, library] = folder
    return compiler, _shims[compiler, library].name


def _compiled_cpp(text, functions):
    """An emitted program as a library, by the compiler of C++ that is here."""
    import ctypes
    import os

    compiler, shim = _shim()
    with tempfile.TemporaryDirectory() as folder:
        source, library = os.path.join(folder, "emitted.cpp"), os.path.join(folder, "emitted.so")
        with open(source, "w") as file:
            file.write(text + "".join(_CALL.format(index=i, name=f, maker=m) for i, (f, m) in enumerate(functions.items())))
        ours = os.path.join(shim, "libttnn.so")
        _run_compiler([compiler, *_FLAGS, "-shared", "-I", shim, source, ours, f"-Wl,-rpath,{shim}", "-Wl,-z,defs", "-Wl,-Bsymbolic", "-o", library], "the program")
        helpers = ctypes.CDLL(ours)
        helpers.tessera_exchange_new.restype = ctypes.c_void_p
        helpers.tessera_exchange_error.restype = ctypes.c_char_p
        for name in ("count", "parts", "rank", "dim"):
            getattr(helpers, f"tessera_exchange_{name}").restype = ctypes.c_size_t
        return ctypes.CDLL(library), helpers


def _exchanged(library, helpers, index, function, goldens, mesh):
    """The results of a function on its goldens' inputs: arrays by device."""
    import ctypes
    from math import prod

    np = numpy()
    n, devices = sum(k.startswith("input_") for k in goldens), prod(mesh)
    kept = [[np.ascontiguousarray(goldens[f"input_{i}"].shard_map[d], np.float64) if d in goldens[f"input_{i}"].shard_map else None for d in range(devices)] for i in range(n)]
    places = (ctypes.c_void_p * max(1, n * devices))(*[a.ctypes.data if a is not None else None for row in kept for a in row])
    helpers.tessera_mesh((ctypes.c_int64 * len(mesh))(*mesh), ctypes.c_size_t(len(mesh)))
    call = getattr(library, f"tessera_call_{index}")
    call.restype = ctypes.c_bool
    x = ctypes.c_void_p(helpers.tessera_exchange_new(places, ctypes.c_size_t(n), ctypes.c_size_t(devices)))
    try:
        if not call(x):
            raise TTBuilderRuntimeException(f"execute_cpp: {function}: {helpers.tessera_exchange_error(x).decode(errors='replace')}")
        results = []
        for i in range(helpers.tessera_exchange_count(x)):
            at = ctypes.c_size_t(i)
            shape = [helpers.tessera_exchange_dim(x, at, ctypes.c_size_t(d)) for d in range(helpers.tessera_exchange_rank(x, at))]
            arrays = [np.zeros(shape, np.float64) for _ in range(helpers.tessera_exchange_parts(x, at))]
            for d, array in enumerate(arrays):
                helpers.tessera_exchange_get(x, at, ctypes.c_size_t(d), ctypes.c_void_p(array.ctypes.data))
            results.append(arrays)
        return results
    finally:
        helpers.tessera_exchange_free(x)


def run_cpp(text, input_output_goldens=None):
    """Compiles emitted C++, and runs each function that has one that makes its inputs: by function, arrays of each result by device."""
    text, found = _source(text), {}
    functions = {f: f"{verb}_inputs_for_{f}" for verb, f in re.findall(r"^\S+ (create|load)_inputs_for_(\w+)\(\) \{", text, re.M)}
    if not functions:
        raise TTBuilderRuntimeException("execute_cpp: the text has no function with one that makes its inputs")
    library, helpers = _compiled_cpp(text, functions)
    for index, function in enumerate(functions):
        goldens = (input_output_goldens or {}).get(index, {})
        mesh = next((g.mesh_shape for g in goldens.values()), (1, 1))
        found[function] = _exchanged(library, helpers, index, function, goldens, mesh)
    return found


def execute_cpp(
    cpp_path,
    input_output_goldens: Optional[Dict[int, Dict[str, GoldenMapTensor]]] = None,
    pcc: float = 0.99,
    atol: float = 1e-08,
    rtol: float = 1e-05,
    disable_golden: bool = False,
    check_pcc: bool = True,
    check_atol: bool = False,
    check_rtol: bool = False,
    **_,
):
    """Compiles emitted C++, a text or a file, and runs its functions: a report by function."""
    found = run_cpp(cpp_path, input_output_goldens)
    return _checked(found, input_output_goldens, disable_golden, (pcc, atol, rtol, check_pcc, check_atol, check_rtol))
