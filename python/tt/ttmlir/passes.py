# SPDX-License-Identifier: Apache-2.0
"""tt-mlir's pipelines by their names; they change modules in place."""

from tessera._library import lib, owned, to_str, write_file

from ._elements import DataType


def lookup_dtype(name):
    return DataType[name]


class GoldenTensor:
    """What a value is to be, with where its data is."""

    def __init__(self, name, shape, strides, dtype, ptr, data_size_in_bytes):
        import ctypes

        self.name, self.shape, self.strides, self.dtype = name, list(shape), list(strides), dtype
        self.data = ctypes.string_at(ptr, data_size_in_bytes) if data_size_in_bytes else b""


class GoldenMap(dict):
    """Goldens by location and device."""


InnerGoldenMap = dict


class ModuleLog(list):
    """Pairs of the name of a pass and a module's text."""


class MLIRModuleLogger:
    """Keeps the text of modules."""

    def __init__(self):
        self.module_log = ModuleLog()

    def attach_context(self, ctx, passnames_to_cache=()):
        pass


class PyCapsule:
    """The bytes of a binary."""

    def __init__(self, data):
        self.data = data


def _run(module, pipeline, options, print_ir):
    text = " ".join(options.split())
    module._module.run_passes(f"{pipeline}{{{text}}}" if text else pipeline)
    if print_ir:
        print(module)


def _pipeline(name, pipeline):
    def run(module, options="", print_ir=False):
        _run(module, pipeline, options, print_ir)

    run.__name__ = run.__qualname__ = name
    run.__doc__ = f"Runs {pipeline} in place."
    return run


stablehlo_pipeline = _pipeline("stablehlo_pipeline", "stablehlo-pipeline")
stablehlo_to_ttir_pipeline = _pipeline("stablehlo_to_ttir_pipeline", "stablehlo-to-ttir-pipeline")
ttir_to_ttnn_runtime_pipeline = _pipeline("ttir_to_ttnn_runtime_pipeline", "ttir-to-ttnn-runtime-pipeline")
ttir_to_ttnn_backend_pipeline = ttir_to_ttnn_runtime_pipeline
ttir_to_ttmetal_backend_pipeline = _pipeline("ttir_to_ttmetal_backend_pipeline", "ttir-to-ttmetal-host-pipeline")
ttir_to_emitc_pipeline = _pipeline("ttir_to_emitc_pipeline", "ttir-to-emitc-pipeline")
ttir_to_emitpy_pipeline = _pipeline("ttir_to_emitpy_pipeline", "ttir-to-emitpy-pipeline")


def _code(module, language):
    text = owned(lib.tsr_module_code(module._module._handle, to_str(language)))
    if text is None:
        module.context._fail()
    return text.decode()


def translate_to_cpp(module):
    """A module of emitc as C++."""
    return _code(module, "cpp")


def translate_to_python(module):
    """A module of emitpy as Python."""
    return _code(module, "python")


def tt_populate_argument_types(module, argument_types_string=""):
    """forward=input,parameter,...: what the arguments of functions are."""
    _run(module, "tt-populate-argument-types", f"argument-types={argument_types_string}" if argument_types_string else "", False)


def _binary(module, target):
    data = owned(lib.tsr_module_binary_for(module._module._handle, to_str(target)))
    if data is None:
        module.context._fail()
    return PyCapsule(data)


def _binary_file(module, target, filepath):
    write_file(filepath, _binary(module, target).data)


def ttnn_to_flatbuffer_bin(module):
    """The program as a binary."""
    return _binary(module, "ttnn")


def ttnn_to_flatbuffer_file(module, filepath, goldenMap=None, moduleCache=None):
    """The program as a file."""
    _binary_file(module, "ttnn", filepath)


def ttmetal_to_flatbuffer_bin(module):
    """The program as a binary of commands, of which the host runs one function; there are no kernels of a device in it."""
    return _binary(module, "ttmetal")


def ttmetal_to_flatbuffer_file(module, filepath, goldenMap=None, moduleCache=None):
    """The same as a file."""
    _binary_file(module, "ttmetal", filepath)


def _absent(name, what):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"{name}: {what} is not part of Tessera")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


ttnn_to_ttmetal_pipeline = _absent("ttnn_to_ttmetal_pipeline", "D2M")
for _name in ("ttkernel_to_cpp", "ttkernel_to_cpp_file", "ttkernel_get_kernel", "ttkernel_translate_to_cpp", "pykernel_compile_pipeline", "get_all_kernel_names"):
    globals()[_name] = _absent(_name, "TTKernel")
