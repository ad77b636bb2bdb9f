# SPDX-License-Identifier: Apache-2.0
"""What builders share: operands, element types by the names that frameworks have, places of files."""

import os
from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Sequence, Union

import tessera as ts
from tessera._library import write_file

Operand = Union[ts.Value, ts.Op]
Shape = Sequence[int]

_ELEMENTS = {
    "float32": "f32",
    "float": "f32",
    "float16": "f16",
    "half": "f16",
    "bfloat16": "bf16",
    "float64": "f64",
    "double": "f64",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int": "i32",
    "int64": "i64",
    "long": "i64",
    "uint8": "ui8",
    "uint16": "ui16",
    "uint32": "ui32",
    "uint64": "ui64",
    "bool": "i1",
    "qint32": "i32",
    "qint8": "i8",
    "quint8": "ui8",
}


@dataclass
class TypeInfo:
    """A quantized type: numbers are (stored - zero_point) * scale."""

    dtype: Any
    scale: Optional[float] = None
    zero_point: Optional[int] = None


def element_text(dtype):
    """The element type of a dtype of torch or NumPy, a TypeInfo, or a text of MLIR."""
    if isinstance(dtype, TypeInfo):
        stored = element_text(dtype.dtype).replace("ui", "u")
        if dtype.scale is None:
            return element_text(dtype.dtype)
        zero = f":{dtype.zero_point}" if dtype.zero_point else ""
        return f"!quant.uniform<{stored}:f32, {float(dtype.scale):e}{zero}>"
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    return _ELEMENTS.get(str(name).rsplit(".", 1)[-1], str(dtype))


def _named(kind):
    def name(what):
        def mark(function):
            setattr(function, f"_{kind}", what)
            return function

        return mark

    return name


tag, parse, split = _named("tag"), _named("parse"), _named("split")


def find_functions(module):
    """Functions with a body by name, also those of modules inside."""
    return {op.attributes["sym_name"].value: op for op in module.walk() if op.name == "func.func" and op.regions[0].blocks}


def attr_dicts(function, name, n):
    """arg_attrs or res_attrs of a function: a dictionary of attributes for each of n."""
    if name not in function.attributes:
        return [{} for _ in range(n)]
    return [dict(zip(d.value, d.items)) for d in function.attributes[name].items]


def is_private(function):
    """Whether a function is no program: it says so, or the host runs it."""
    parent = function.parent
    while parent is not None and parent.name != "ttcore.cpu_module":
        parent = parent.parent
    if parent is not None:
        return True
    return "sym_visibility" in function.attributes and function.attributes["sym_visibility"].value == "private"


def get_target_path(output_path, builder_dir, filename, target):
    """Where a file of a target goes; its folder is made."""
    folder = os.path.join(output_path, builder_dir, target)
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, filename)


def get_artifact_dir(output_root, builder_type, test_base, make_dir=True):
    folder = os.path.join(output_root, "builder-artifacts", builder_type, test_base)
    if make_dir:
        os.makedirs(folder, exist_ok=True)
    return folder


def process_multi_return_result(result):
    """What a function returned, as a list of values."""
    if result is None:
        return []
    return list(result) if isinstance(result, (list, tuple)) else [result]


# Options that say which devices there are; they are those of ttcore-register-device.
_OF_DEVICES = ("system-desc-path=", "mesh-shape=", "mock-system-desc-arch=", "mesh-topology=")


def create_custom_ttir_pipeline_fn(pipeline: str, verify: bool = True, print_ir: Union[bool, str] = False) -> Callable:
    """A pipeline from its text, with the same arguments as those of ttmlir.passes; devices are registered before it."""

    def run(module, options=""):
        text = pipeline.strip()
        text = text[len("builtin.module(") : -1] if text.startswith("builtin.module(") else text
        given = options.split()
        device = [o for o in given if o.startswith(_OF_DEVICES)]
        rest = [o for o in given if o not in device]
        if given:
            text = f"ttcore-register-device{{{' '.join(device)}}},{text}" + (f"{{{' '.join(rest)}}}" if rest else "")
        module._module.run_passes(text)
        if verify:
            module.operation.verify()
        if print_ir:
            print(module)

    return run


def run_ttir_pipeline(
    module,
    pipeline_fn: Callable,
    pipeline_options: Optional[List[str]] = None,
    dump_to_file: bool = False,
    output_file_name: str = "test.mlir",
    system_desc_path: Optional[str] = None,
    mesh_dict=None,
    argument_types_string: Optional[str] = None,
):
    """Runs a pipeline in place. A description of a system that is not there is left out: then there is one chip for each device of the mesh."""
    options = list(pipeline_options or [])
    if argument_types_string:
        from ttmlir.passes import tt_populate_argument_types, ttir_to_ttmetal_backend_pipeline

        tt_populate_argument_types(module, argument_types_string)
        if pipeline_fn is not ttir_to_ttmetal_backend_pipeline:  # nothing is computed apart there
            options.append("enable-const-eval=true")
    if system_desc_path and os.path.exists(system_desc_path):
        options.append(f"system-desc-path={system_desc_path}")
    if mesh_dict:
        options.append(f"mesh-shape={','.join(str(n) for n in mesh_dict.values())}")
    pipeline_fn(module, " ".join(options))
    if dump_to_file:
        write_file(output_file_name, str(module))
    return module


class DeferredDevice:
    """A device that is opened when it is first needed: by a function, or by a request of pytest, which has it as the fixture `device`."""

    def __init__(self, opener: Callable, *args, **kwargs):
        fixture = getattr(opener, "getfixturevalue", None)
        self._opener, self._args, self._kwargs, self._device = (fixture, ("device",), {}, None) if fixture else (opener, args, kwargs, None)

    def prepare(self):
        """Nothing is in the way of compiling."""

    def open(self):
        if self._device is None:
            self._device = self._opener(*self._args, **self._kwargs)
        return self._device

    resolve = open

    def close(self, device=None):
        self._device = None
