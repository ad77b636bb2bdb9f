# SPDX-License-Identifier: Apache-2.0
"""A stand-in for torch in tests, over NumPy: the few names that the documents' blocks use. Tensors are arrays."""

import numpy as np


class dtype:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"torch.{self.name}"


for _name in "float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 bool".split():
    globals()[_name] = dtype(_name)
Tensor = np.ndarray
_numbers = np.random.default_rng(0)


def randn(*shape):
    return _numbers.standard_normal(shape).astype(np.float32)


def zeros(*shape, dtype=None):
    return np.zeros(shape[0] if len(shape) == 1 else shape, np.float32)


def ones(*shape, dtype=None):
    return np.ones(shape[0] if len(shape) == 1 else shape, np.float32)


add = np.add
