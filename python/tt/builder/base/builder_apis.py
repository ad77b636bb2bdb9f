# SPDX-License-Identifier: Apache-2.0
"""Building, compiling and running graphs: functions with tt-mlir's names. What is imported here is for those who import all of it."""

import inspect
import json
import os
from collections import OrderedDict
from functools import partial, reduce
from typing import Any, Callable, Dict, List, Literal, Optional, Tuple, Union

import tessera as ts
from tessera._library import write_file
from ttmlir.ir import *
from ttmlir.dialects import func, sdy, ttcore, ttir, ttnn
from ttmlir.passmanager import PassManager
from ttmlir.passes import (
    stablehlo_pipeline,
    stablehlo_to_ttir_pipeline,
    tt_populate_argument_types,
    ttir_to_ttmetal_backend_pipeline,
    ttir_to_ttnn_runtime_pipeline,
    ttmetal_to_flatbuffer_bin,
    ttmetal_to_flatbuffer_file,
    ttnn_to_flatbuffer_bin,
    ttnn_to_flatbuffer_file,
    translate_to_cpp,
    translate_to_python,
    ttir_to_emitc_pipeline,
    ttir_to_emitpy_pipeline,
)

try:
    import torch
except ImportError:
    torch = None

from builder.base.builder import Builder
from builder.base.builder_enums import *
from builder.base.builder_runtime import *
from builder.base.builder_utils import (
    DeferredDevice,
    Operand,
    Shape,
    TypeInfo,
    create_custom_ttir_pipeline_fn,
    get_artifact_dir,
    get_target_path,
    parse,
    run_ttir_pipeline,
    split,
    tag,
)
from builder.stablehlo.permutations import least_collectives, module_permutations
from builder.stablehlo.stablehlo_builder import StableHLOBuilder
from builder.ttir.ttir_builder import TTIRBuilder
from builder.ttnn.ttnn_builder import TTNNBuilder

_KINDS = {"ttir": TTIRBuilder, "stablehlo": StableHLOBuilder, "ttnn": TTNNBuilder}
_MESH = OrderedDict([("x", 1), ("y", 1)])
_SYSTEM = "ttrt-artifacts/system_desc.ttsys"


def _kind(name):
    if name == "d2m":
        raise NotImplementedError("graphs of D2M: D2M is not part of Tessera")
    if name not in _KINDS:
        raise ValueError(f"there is no builder {name!r}: {', '.join(_KINDS)}")
    return _KINDS[name]


def build_module(
    mod: Callable,
    builder_type: Literal["ttir", "stablehlo", "ttnn", "d2m"],
    mesh_name: str = "mesh",
    mesh_dict: OrderedDict = _MESH,
    save_artifacts: bool = False,
    artifact_dir: str = ".",
    system_desc_path: Optional[str] = None,
) -> Tuple[Module, Builder]:
    """Runs a Python function on a new builder: the module that it makes, and the builder. A module that was built is given back with its own."""
    if isinstance(mod, Module):
        if mod not in _BUILT:
            raise ValueError("a function of a builder is expected, not a module that somebody else made")
        return mod, _BUILT[mod]
    ctx = Context()
    code = mod.__code__
    where = ctx.location((code.co_filename, code.co_firstlineno, 0))
    builder = _kind(builder_type)(ctx, where, mesh_name, mesh_dict)
    builder._module.operation.location = Location(ctx, where._handle)
    with ctx, Location(ctx, where._handle):
        mod(builder)
    builder._b.module.verify()
    _remember(builder._module, builder)
    if save_artifacts:
        _save(os.path.join(artifact_dir, f"{builder_type}.mlir"), builder._module)
    return builder._module, builder


_BUILT = {}


def _remember(module, builder):
    """The builders of the last modules."""
    _BUILT[module] = builder
    while len(_BUILT) > 64:
        del _BUILT[next(iter(_BUILT))]


def _save(path, module):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    write_file(path, str(module))


def _refuse_target(target):
    if target == "ttnn-mode":
        raise TTBuilderCompileException(f"target {target!r}: kernels of D2M are not part of Tessera")
    if target not in _BINARY and target not in _CODE:
        raise ValueError(f"there is no target {target!r}")


# Targets that are binaries: pipeline, how they are written. Those of ttmetal have no kernels: the host runs them.
_BINARY = {"ttnn": (ttir_to_ttnn_runtime_pipeline, ttnn_to_flatbuffer_bin), "ttmetal": (ttir_to_ttmetal_backend_pipeline, ttmetal_to_flatbuffer_bin)}
# Targets that are text: pipeline, how it is written, the end of its file's name.
_CODE = {"emitc": (ttir_to_emitc_pipeline, translate_to_cpp, "cpp"), "emitpy": (ttir_to_emitpy_pipeline, translate_to_python, "py")}


def _emit(module, target, system_desc_path, artifact_dir, mesh_dict, argument_types_string, pipeline_options):
    """The text of a program, which is written to a file, too: what runs it is given the file."""
    pipeline, translate, end = _CODE[target]
    # Emitted C++ has no functions of the host.
    options = [*(pipeline_options or []), "split-files=false" if target == "emitpy" else "enable-cpu-hoisted-const-eval=false"]
    run_ttir_pipeline(module, pipeline, options, False, "", system_desc_path, mesh_dict, argument_types_string)
    path = os.path.join(artifact_dir, "ttir-builder-artifacts", target, f"test_ttnn.mlir.{end}")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    text = translate(module)
    write_file(path, text)
    return text


def _compile_ttir(module, builder, system_desc_path, artifact_dir, target, mesh_dict, save_artifacts, argument_types_string, custom_pipeline, pipeline_options, print_ir):
    _refuse_target(target)
    name = os.path.join(artifact_dir, f"{target}_compiled.mlir")
    try:
        if target in _CODE:
            return _emit(module, target, system_desc_path, artifact_dir, mesh_dict, argument_types_string, pipeline_options)
        pipeline, write = _BINARY[target]
        pipeline = custom_pipeline or pipeline
        if isinstance(pipeline, str):
            pipeline = create_custom_ttir_pipeline_fn(pipeline, print_ir=print_ir)
        run_ttir_pipeline(module, pipeline, pipeline_options, save_artifacts, name, system_desc_path, mesh_dict, argument_types_string)
        if print_ir is True:
            print(module)
        return write(module)
    except ts.TesseraError as e:
        raise TTBuilderCompileException(str(e)) from e


def compile_ttir_module_to_flatbuffer(
    module: Module,
    builder: Builder,
    system_desc_path: str = _SYSTEM,
    artifact_dir: str = ".",
    target: str = "ttnn",
    mesh_dict: Optional[OrderedDict] = None,
    save_artifacts: bool = False,
    argument_types_string: Optional[str] = None,
    custom_pipeline: Optional[Union[Callable, str]] = None,
    pipeline_options: Optional[List[str]] = None,
    print_ir: Union[bool, str] = False,
    input_output_goldens=None,
    intermediate_goldens=None,
):
    """The binary of a module of TTIR, which becomes TTNN, and the goldens of its inputs, outputs and values."""
    _refuse_target(target)
    io, inner = builder.golden_map
    mesh_dict = mesh_dict or builder._mesh_dict
    rest = target, mesh_dict, save_artifacts, argument_types_string, custom_pipeline, pipeline_options, print_ir
    return _compile_ttir(module, builder, system_desc_path, artifact_dir, *rest), input_output_goldens or io, intermediate_goldens or inner


def _compile(kind, before, fn, system_desc_path, artifact_dir, target, mesh_name, mesh_dict, save_artifacts, rest):
    _refuse_target(target)
    module, builder = build_module(fn, kind, mesh_name, mesh_dict, save_artifacts, artifact_dir)
    goldens = builder.golden_map
    before(module)
    found = _compile_ttir(module, builder, system_desc_path, artifact_dir, target, mesh_dict, save_artifacts, *rest)
    return (builder, found, *goldens)


def _compiler(kind):
    """compile_ttir_to_flatbuffer, and that of TTNN: they differ in nothing else."""

    def compile_to_flatbuffer(
        fn: Callable,
        system_desc_path: str = _SYSTEM,
        artifact_dir: str = ".",
        target: str = "ttnn",
        mesh_name: str = "mesh",
        mesh_dict: OrderedDict = _MESH,
        save_artifacts: bool = False,
        argument_types_string: Optional[str] = None,
        custom_pipeline: Optional[Union[Callable, str]] = None,
        pipeline_options: Optional[List[str]] = None,
        print_ir: Union[bool, str] = False,
    ):
        """Builds and compiles: the builder, the binary, goldens of inputs and outputs, and of values."""
        rest = argument_types_string, custom_pipeline, pipeline_options, print_ir
        return _compile(kind, lambda m: None, fn, system_desc_path, artifact_dir, target, mesh_name, mesh_dict, save_artifacts, rest)

    compile_to_flatbuffer.__name__ = compile_to_flatbuffer.__qualname__ = f"compile_{kind}_to_flatbuffer"
    return compile_to_flatbuffer


compile_ttir_to_flatbuffer = _compiler("ttir")
compile_ttnn_to_flatbuffer = _compiler("ttnn")


def compile_stablehlo_to_flatbuffer(
    fn: Callable,
    system_desc_path: str = _SYSTEM,
    artifact_dir: str = ".",
    target: str = "ttnn",
    mesh_name: str = "mesh",
    mesh_dict: OrderedDict = _MESH,
    save_artifacts: bool = False,
    argument_types_string: Optional[str] = None,
    custom_pipeline: Optional[Union[Callable, str]] = None,
    ttir_pipeline_options: Optional[List[str]] = None,
    shlo_pipeline_options: Optional[List[str]] = None,
    shlo_to_ttir_pipeline_options: Optional[List[str]] = None,
    print_ir: Union[bool, str] = False,
):
    """The same, over the pipelines from StableHLO to TTIR."""

    def before(module):
        stablehlo_pipeline(module, " ".join(shlo_pipeline_options or []))
        stablehlo_to_ttir_pipeline(module, " ".join(shlo_to_ttir_pipeline_options or []))

    rest = argument_types_string, custom_pipeline, ttir_pipeline_options, print_ir
    return _compile("stablehlo", before, fn, system_desc_path, artifact_dir, target, mesh_name, mesh_dict, save_artifacts, rest)


# What compile_and_execute_* takes beyond what compile_* does, which comes first.
_RUN = {
    "device": None,
    "pcc": 0.99,
    "atol": 1e-08,
    "rtol": 1e-05,
    "disable_golden": False,
    "skip_exec": False,
    "check_pcc": True,
    "check_atol": False,
    "check_rtol": False,
    "enable_intermediate_verification": False,
    "dump_memory": False,
}


_COMPARED = ("pcc", "atol", "rtol", "disable_golden", "check_pcc", "check_atol", "check_rtol")


class Executed(str):
    """Where the compiled module is, if artifacts are saved; with what execute_fb gave."""

    def __new__(cls, path, report, outputs):
        self = str.__new__(cls, path)
        self.report, self.outputs = report, outputs
        return self


def _and_execute(compile_fn, name, kind_name):
    """Compiles and runs; skip_exec: compiles alone. kind_name: the folder of artifacts."""
    kind, by_name = inspect.Parameter.POSITIONAL_OR_KEYWORD, dict(inspect.signature(compile_fn).parameters)
    by_name.pop("artifact_dir")
    first = [by_name.pop(n) for n in ("fn", "system_desc_path")]
    place = [inspect.Parameter("test_base", kind, default="test"), inspect.Parameter("output_root", kind, default=".")]
    signature = inspect.Signature([*first, *place, *by_name.values(), *(inspect.Parameter(n, kind, default=d) for n, d in _RUN.items())])

    def run(*args, **given):
        bound = signature.bind(*args, **given)
        bound.apply_defaults()
        found = dict(bound.arguments)
        how = {n: found.pop(n) for n in _RUN}
        skip, device = how.pop("skip_exec"), how["device"]
        folder = get_artifact_dir(found.pop("output_root"), kind_name, found.pop("test_base"), make_dir=found["save_artifacts"])
        if hasattr(device, "prepare"):
            device.prepare()
        builder, binary, io, inner = compile_fn(**found, artifact_dir=folder)
        if skip:
            report, outputs = {}, {}
        elif found["target"] in _CODE:
            run_code = {"emitc": execute_cpp, "emitpy": execute_py}[found["target"]]
            report, outputs = run_code(binary, io, **{n: v for n, v in how.items() if n in _COMPARED}), {}
        else:
            report, outputs = execute_fb(binary, io, inner, bypass_ops=builder._bypass_ops, **how)
        return Executed(os.path.join(folder, f"{found['target']}_compiled.mlir"), report, outputs)

    run.__name__, run.__qualname__, run.__signature__ = name, name, signature
    run.__doc__ = f"{compile_fn.__name__}, and execute_fb: arguments of both."
    return run


compile_and_execute_ttir = _and_execute(compile_ttir_to_flatbuffer, "compile_and_execute_ttir", "TTIRBuilder")
compile_and_execute_ttnn = _and_execute(compile_ttnn_to_flatbuffer, "compile_and_execute_ttnn", "TTNNBuilder")
compile_and_execute_shlo = _and_execute(compile_stablehlo_to_flatbuffer, "compile_and_execute_shlo", "StableHLOBuilder")


def load_mlir_file(
    mlir_text: str, golden_inputs: Optional[Dict[str, List[Any]]] = None, target: str = "ttir", deallocate_goldens: bool = False, test_base: str = "test", output_root: str = "."
) -> Tuple[Module, Builder]:
    """A module from its text, with goldens of all its values: of inputs by function, or random."""
    ctx = Context()
    with ctx:
        module = Module.parse(mlir_text)
    builder = _kind(target)(ctx, mesh_dict=_mesh_of(module), module=module)
    unknown = set(golden_inputs or ()) - set(builder._roots())
    if unknown:
        raise ValueError(f"the module has no function {', '.join(sorted(unknown))}; it has {', '.join(builder._roots())}")
    builder._inputs = dict(golden_inputs or {})
    _remember(module, builder)
    return module, builder


def _mesh_of(module):
    """The mesh that a module is for; None: one device."""
    import re

    for op in module._module.walk():
        if op.name == "sdy.mesh":
            return OrderedDict((name, int(n)) for name, n in re.findall(r'"([^"]*)"=(\d+)', str(op.attributes["mesh"])))
    found = module._module.op.attributes.get("ttcore.meshes") if hasattr(module._module.op.attributes, "get") else None
    sizes = re.search(r"= *([0-9x]+)", str(found)) if found is not None else None
    return OrderedDict(zip("xyzuvw", map(int, sizes.group(1).split("x")))) if sizes else None


def split_mlir_file(module: Module, builder: Builder, target: str = "ttir") -> List[Tuple[Module, Builder]]:
    """Each op as a module of its own, with the goldens that it had."""
    found = []
    for name in builder._roots():
        for part, goldens in builder._goldens_of(name).split():
            alone = type(builder)(builder.context, mesh_name=builder._mesh_name, mesh_dict=builder._mesh_dict, module=Module(part))
            alone._fixed = {root: goldens for root in alone._roots()}
            found.append((alone._module, alone))
            _remember(*found[-1])
    return found


def generate_all_module_permutations(mlir_text: str, num_devices: int) -> List[Module]:
    """The module with each choice of shardings of its arguments, on each shape of a mesh of so many devices."""
    with Context():
        return module_permutations(Module.parse(mlir_text), num_devices)


def get_optimal_module_least_num_collectives(module_permutations: List[Module]) -> List[Module]:
    """Those that have the fewest collectives, after stablehlo_pipeline."""
    return least_collectives(module_permutations)


def _absent(name, what):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"{name}: {what} is not part of Tessera")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


compile_d2m_to_flatbuffer = _absent("compile_d2m_to_flatbuffer", "D2M")
compile_and_execute_d2m = _absent("compile_and_execute_d2m", "D2M")
experimental_build_stablehlo_module = _absent("experimental_build_stablehlo_module", "MPMD")
