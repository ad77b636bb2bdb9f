# SPDX-License-Identifier: Apache-2.0
"""Saved programs: JAX's persistent compilation cache, and jax.experimental.serialize_executable."""

import ctypes
import functools
import logging

_logger = logging.getLogger(__name__)
_MARK = b"TSRPJRT2"  # every saved program begins with it


class _AsCpu:
    """A client as JAX's cache knows one: it lists the platforms whose programs it keeps."""

    platform = "cpu"
    supports_executable_serialization = True


def _register_cache(platform):
    from jax._src import compilation_cache

    used, put = compilation_cache.is_cache_used, compilation_cache.put_executable_and_time

    @functools.wraps(used)
    def is_cache_used(backend):
        return used(_AsCpu if backend.platform == platform else backend)

    @functools.wraps(put)
    def put_executable_and_time(key, name, executable, backend, *args, **kwargs):
        try:
            return put(key, name, executable, backend, *args, **kwargs)
        except Exception as e:
            # JAX does not write programs with callbacks of its own platforms either, and says so where this does.
            if backend.platform != platform or "UNIMPLEMENTED" not in str(e):
                raise
            _logger.debug("Not writing persistent cache entry for '%s': %s", name, e)

    compilation_cache.is_cache_used = is_cache_used
    compilation_cache.put_executable_and_time = put_executable_and_time


def _devices(plugin, serialized, client):
    """The devices of the client that the program in the bytes was compiled for; None: not found."""
    at = serialized.find(_MARK)
    if at < 0:
        return None
    known = {d.id: d for d in client.devices()}
    ids = (ctypes.c_int64 * len(known))()
    count = plugin.TesseraSavedDevices(serialized[at:], len(serialized) - at, ids, len(known))
    found = [known.get(i) for i in ids[:count]]
    return found if 0 < count <= len(known) and None not in found else None


def _register_load(platform, plugin):
    from jax.experimental import serialize_executable

    theirs = serialize_executable.deserialize_and_load

    @functools.wraps(theirs)
    def deserialize_and_load(serialized, in_tree, out_tree, backend=None, execution_devices=None):
        import jax

        if execution_devices is None:  # JAX would take all devices, however many the program is for
            client = jax.devices(backend)[0].client if backend is None or isinstance(backend, str) else backend
            if client.platform == platform:
                execution_devices = _devices(plugin, serialized, client)
        return theirs(serialized, in_tree, out_tree, backend, execution_devices)

    serialize_executable.deserialize_and_load = deserialize_and_load


def register(platform, library):
    """Programs of the platform are kept by JAX's cache, and load on the devices that they were compiled for."""
    plugin = ctypes.CDLL(library)
    plugin.TesseraSavedDevices.argtypes = [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_int64), ctypes.c_size_t,
    ]  # fmt: skip
    plugin.TesseraSavedDevices.restype = ctypes.c_size_t
    _register_cache(platform)
    _register_load(platform, plugin)
