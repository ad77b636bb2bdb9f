# SPDX-License-Identifier: Apache-2.0
"""Capsules: how Python hands over DLPack's structs, which the library writes and reads (tsr_tensor_to_dlpack, tsr_tensor_from_dlpack)."""

import ctypes
from ctypes import c_char_p, c_int, c_void_p, py_object

from ._library import lib

_NAMES = {False: b"dltensor", True: b"dltensor_versioned"}
_new = ctypes.PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_is = ctypes.PYFUNCTYPE(c_int, py_object, c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_rename = ctypes.PYFUNCTYPE(c_int, py_object, c_char_p)(("PyCapsule_SetName", ctypes.pythonapi))
_USED = {False: b"used_dltensor", True: b"used_dltensor_versioned"}
_free = ctypes.cast(lib.tsr_dlpack_free_capsule, c_void_p)


def capsule(managed, versioned):
    """The capsule of a struct that the library made."""
    return _new(managed, _NAMES[versioned], _free)


def taken(capsule, versioned):
    """The capsule's struct has another owner now."""
    _rename(capsule, _USED[versioned])


def struct(capsule):
    """The struct of anybody's capsule, which stays the capsule's, and whether it is the versioned one."""
    for versioned, name in _NAMES.items():
        if _is(capsule, name):
            return _pointer(capsule, name), versioned
    raise BufferError("__dlpack__ gave no capsule, or one that was used")
