# SPDX-License-Identifier: Apache-2.0
"""Foreign functions: targets that jax.ffi.register_ffi_target(..., platform="tessera") registers."""

import ctypes


def _pointer(capsule):
    """The address that a capsule holds, whatever its name is."""
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return pointer(capsule, name(capsule))


def register(platform, library):
    """Tells JAX how targets and types for the platform are registered."""
    from jaxlib import xla_client

    plugin = ctypes.CDLL(library)
    plugin.TesseraRegisterFfi.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]

    def target(name, fn, platform_name, api_version=0, traits=0):
        if api_version != 1:
            raise NotImplementedError(f"tessera: the target {name} is an untyped custom call (api_version=0)")
        if isinstance(fn, dict):
            stages = sorted(set(fn) - {"execute"})
            if stages:
                raise NotImplementedError(f"tessera: the FFI target {name} has stages before execution: {', '.join(stages)}")
            fn = fn["execute"]
        text = ctypes.create_string_buffer(1024)
        raw = name if isinstance(name, bytes) else name.encode()
        if plugin.TesseraRegisterFfi(raw, _pointer(fn), text, len(text)):
            raise ValueError(text.value.decode(errors="replace"))

    def custom_type(name, type_id):
        raise NotImplementedError(f"tessera: the FFI type {name}: states of FFI handlers are not there")

    xla_client.register_custom_call_handler(platform, target)
    if hasattr(xla_client, "register_custom_type_handler"):  # jax 0.8.0 and 0.8.1 have none, and no types for plugins
        xla_client.register_custom_type_handler(platform, custom_type)
