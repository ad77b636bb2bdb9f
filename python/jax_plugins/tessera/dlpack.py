# SPDX-License-Identifier: Apache-2.0
"""DLPack: arrays on Tessera's devices are memory of the host, and others may look at them as such, without a copy.

The other way needs nothing: what jax.dlpack.from_dlpack reads lies on the cpu backend, and device_put to a Tessera device
keeps the memory where it is aligned.
"""

import ctypes


def _view(array):
    """NumPy's view of the array's own memory, which keeps the array's data as long as it is there. None: NumPy lacks the type."""
    import numpy as np

    data = np.asarray(array)  # counts as a reference from outside: the data stays when the array is deleted
    if data.dtype.kind not in "biufc" or not data.size:
        return None
    memory = (ctypes.c_char * data.nbytes).from_address(data.ctypes.data)
    memory.kept = data
    # The form that DLPack had first cannot say that data is not to be written; JAX does the same for its own cpu arrays.
    return np.frombuffer(memory, dtype=data.dtype).reshape(data.shape)


def register(platform):
    """Arrays of the platform answer to __dlpack__ and __dlpack_device__."""
    from jax._src.array import ArrayImpl

    theirs, their_device = ArrayImpl.__dlpack__, ArrayImpl.__dlpack_device__

    def ours(array):
        devices = array.devices()
        return len(devices) == 1 and next(iter(devices)).platform == platform

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if not ours(self):
            return theirs(self, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
        if dl_device is not None and tuple(dl_device) != (1, 0):
            raise BufferError("arrays on Tessera's devices are memory of the host: DLPack's device (1, 0)")
        view = _view(self)
        if view is None:  # a type that NumPy does not have, through the cpu backend
            import jax

            return theirs(jax.device_put(self, jax.devices("cpu")[0]), max_version=max_version)
        return (view.copy() if copy else view).__dlpack__()

    def __dlpack_device__(self):
        return (1, 0) if ours(self) else their_device(self)

    ArrayImpl.__dlpack__ = __dlpack__
    ArrayImpl.__dlpack_device__ = __dlpack_device__
