# SPDX-License-Identifier: Apache-2.0
"""Devices, and programs that run on them: Tessera's engine, on as many virtual devices as the mesh has."""

import sys
import types
import weakref
from enum import IntEnum, IntFlag

from ._run import CallbackContext, OpContext, submit as _submit
from ._tensor import *  # noqa: F401,F403
from ._tensor import Layout, Tensor, TensorDesc, TensorRef
from ._types import DataType
from .binary import SystemDesc


def _enum(name, words, kind=IntEnum, start=0):
    return kind(name, {word: i + start for i, word in enumerate(words.split())})


DeviceRuntime = _enum("DeviceRuntime", "Disabled TTNN TTMetal")
HostRuntime = _enum("HostRuntime", "Local Distributed")
DistributedMode = _enum("DistributedMode", "LocalSubprocess MultiProcess")
DispatchCoreType = _enum("DispatchCoreType", "WORKER ETH")
FabricConfig = _enum("FabricConfig", "DISABLED FABRIC_1D FABRIC_1D_RING FABRIC_2D FABRIC_2D_TORUS_X FABRIC_2D_TORUS_Y FABRIC_2D_TORUS_XY CUSTOM")
Arch = _enum("Arch", "WORMHOLE_B0 BLACKHOLE QUASAR", start=1)
MemoryBufferType = _enum("MemoryBufferType", "DRAM L1 L1_SMALL TRACE")


class MemoryLogLevel(IntFlag):
    NONE = 0
    PROGRAM = 1
    OPERATION = 2
    ANY = 3


_state = {"device": DeviceRuntime.TTNN, "host": HostRuntime.Local, "fabric": FabricConfig.DISABLED}


def get_current_device_runtime():
    return _state["device"]


def set_current_device_runtime(runtime):
    _state["device"] = runtime


def set_compatible_device_runtime(binary):
    _state["device"] = DeviceRuntime.TTMetal if binary.is_metal else DeviceRuntime.TTNN


def get_available_device_runtimes():
    return [DeviceRuntime.TTNN, DeviceRuntime.TTMetal]


def get_current_host_runtime():
    return _state["host"]


def set_current_host_runtime(runtime):
    if runtime != HostRuntime.Local:
        raise RuntimeError("runtimes on other hosts are not part of Tessera")


def get_available_host_runtimes():
    return [HostRuntime.Local]


def set_fabric_config(config):
    _state["fabric"] = config


def set_mlir_home(path):
    pass


def set_metal_home(path):
    pass


def set_memory_log_level(level):
    pass


class MeshDeviceOptions:
    def __init__(self):
        self.mesh_offset = [0, 0]
        self.device_ids = []
        self.num_hw_cqs = 1
        self.enable_program_cache = False
        self.mesh_shape = None
        self.l1_small_size = None
        self.trace_region_size = None
        self.dispatch_core_type = None


class MemoryView:
    """Bytes of one kind of memory, on each of its banks."""

    def __init__(self, banks, size, used):
        self.num_banks, self.total_bytes_per_bank = banks, size
        self.total_bytes_allocated_per_bank = min(size, -(-used // banks)) if banks else 0
        self.total_bytes_free_per_bank = size - self.total_bytes_allocated_per_bank
        self.largest_contiguous_bytes_free_per_bank = self.total_bytes_free_per_bank
        self.block_table = []


class Device:
    """A mesh of virtual devices."""

    BANKS, BANK, CORES, L1 = 12, 1 << 30, 64, 1499136

    def __init__(self, shape, options=None, parent=None):
        self._shape, self._options, self._parent = [int(s) for s in shape], options or MeshDeviceOptions(), parent
        self._open = True
        self._tensors = weakref.WeakSet()

    def _hold(self, tensor):
        self._tensors.add(tensor)

    def get_mesh_shape(self):
        return list(self._shape)

    def get_device_ids(self):
        return list(range(self._shape[0] * self._shape[1]))

    def get_num_hw_cqs(self):
        return self._options.num_hw_cqs

    def is_program_cache_enabled(self):
        return self._options.enable_program_cache

    def clear_program_cache(self):
        pass

    def get_l1_small_size(self):
        return self._options.l1_small_size or 0

    def get_trace_region_size(self):
        return self._options.trace_region_size or 0

    def get_num_dram_channels(self):
        return self.BANKS

    def get_dram_size_per_channel(self):
        return self.BANK

    def get_l1_size_per_core(self):
        return self.L1

    def release_trace(self, *_):
        pass

    def deallocate_buffers(self):
        for tensor in list(self._tensors):
            tensor._allocated = False

    def dump_memory_report(self):
        for kind, view in self.get_memory_view().items():
            print(f"{kind.name}: {view.total_bytes_allocated_per_bank} of {view.total_bytes_per_bank} bytes on each of {view.num_banks} banks")

    def read_device_profiler_results(self):
        pass

    def get_memory_view(self):
        used = sum(t.bytes for t in self._tensors)
        small, trace = self.get_l1_small_size(), self.get_trace_region_size()
        return {
            MemoryBufferType.DRAM: MemoryView(self.BANKS, self.BANK, used),
            MemoryBufferType.L1: MemoryView(self.CORES, self.L1 - small, 0),
            MemoryBufferType.L1_SMALL: MemoryView(self.CORES, small, 0),
            MemoryBufferType.TRACE: MemoryView(self.BANKS, trace, 0),
        }


class Event:
    pass


class MultiProcessArgs:
    def __init__(self, *_):
        raise RuntimeError("runtimes on other hosts are not part of Tessera")


DistributedOptions = MultiProcessArgs


def open_mesh_device(options=None):
    options = options or MeshDeviceOptions()
    return Device(options.mesh_shape or (1, 1), options)


def close_mesh_device(device):
    device._open = False


def create_sub_mesh_device(parent, mesh_shape, mesh_offset=None):
    return Device(mesh_shape, parent._options, parent)


def release_sub_mesh_device(device):
    close_mesh_device(device)


def reshape_mesh_device(device, mesh_shape):
    if mesh_shape[0] * mesh_shape[1] != device._shape[0] * device._shape[1]:
        raise RuntimeError(f"a mesh of {device._shape} has another number of devices than {list(mesh_shape)}")
    device._shape = list(mesh_shape)


def get_arch():
    return Arch.WORMHOLE_B0


def get_num_available_devices():
    return 32


def get_current_system_desc(dispatch_core_type=None, mesh_device=None):
    """The system of a device: as many chips of Wormhole as its mesh has."""
    import tessera
    from tessera._library import lib, owned, to_str

    shape = mesh_device.get_mesh_shape() if mesh_device is not None else [1, 1]
    ctx = tessera.Context()
    data = owned(lib.tsr_describe_system(ctx._handle, to_str("wormhole_b0"), shape[0] * shape[1]))
    if data is None:
        ctx._fail()
    return SystemDesc(data, "<system>")


def get_layout(executable, program_index, input_index):
    """What a program wants of an input."""
    desc = executable._program(program_index)["inputs"][input_index]["desc"]
    return Layout(DataType[desc["layout"]["memory_desc"]["data_type"]])


def submit(device, executable, program_index, inputs):
    """Runs a program: its results."""
    return _submit(device, executable, program_index, inputs, DebugHooks._registered)


def wait(*_, **__):
    """Runs are done when submit returns."""


def get_op_debug_str(op_context):
    return op_context.debug_info


def get_op_loc_info(op_context):
    return op_context.loc_info


def get_program_index(program_context):
    return program_context.index


def walk_program(executable, program_index, callback):
    from ._hooks import walk_program as walk

    walk(executable, program_index, callback)


def get_op_output_refs(op_context, program_context=None):
    return list(op_context.refs)


def get_op_input_refs(op_context, program_context=None):
    return list(op_context.input_refs)


def get_op_output_tensor(op_context, program_context):
    """What each device has of the first result."""
    found = program_context.get(op_context.refs[0]) if op_context.refs else None
    return {} if found is None else {i: Tensor([s], found.dtype) for i, s in enumerate(found.shards)}


def retrieve_tensor_from_pool(program_context, tensor_ref):
    return program_context.get(tensor_ref)


def update_tensor_in_pool(program_context, tensor_ref, tensor):
    program_context.update(tensor_ref, tensor)


class DebugHooks:
    """Functions that are called before and after ops and programs."""

    _registered = {}

    @classmethod
    def get(cls, pre_op=None, post_op=None, pre_program=None, post_program=None, **named):
        given = {"pre_op": pre_op, "post_op": post_op, "pre_program": pre_program, "post_program": post_program, **named}
        cls._registered.update({k: v for k, v in given.items() if v is not None})
        return cls()

    def __str__(self):
        return f"debug hooks: {', '.join(self._registered) or 'none'}"


def unregister_hooks():
    DebugHooks._registered.clear()


class _Env:
    """Settings of the device, which there is none of."""

    def __init__(self, *args, **kwargs):
        self.given = args, kwargs

    @classmethod
    def get(cls, *args, **kwargs):
        return cls(*args, **kwargs)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: None


class DebugEnv(_Env):
    pass


class PerfEnv(_Env):
    pass


class WorkaroundEnv(_Env):
    pass


class DebugStats:
    """Counters."""

    _counts = {}

    @classmethod
    def get(cls):
        return cls()

    def increment_stat(self, stat, value=1):
        self._counts[stat] = self._counts.get(stat, 0) + value

    def get_stat(self, stat):
        return self._counts.get(stat, 0)

    def remove_stat(self, stat):
        self._counts.pop(stat, None)

    def clear(self):
        self._counts.clear()


def _no_code(name):
    def refuse(*args, **kwargs):
        raise RuntimeError(f"runtime.test.{name}: compiled C++ is not part of Tessera")

    return refuse


test = types.ModuleType(f"{__name__}.test", "Compiled programs, which Tessera does not make.")
for _name in ("open_so", "close_so", "get_so_programs", "create_inputs", "run_so_program", "compare_outs"):
    setattr(test, _name, _no_code(_name))
test.get_dram_interleaved_tile_layout = lambda dtype: Layout(dtype)
test.get_dram_interleaved_row_major_layout = lambda dtype: Layout(dtype)
test.get_host_row_major_layout = lambda dtype: Layout(dtype)
sys.modules[test.__name__] = test

_ = (CallbackContext, OpContext, TensorDesc, TensorRef)
