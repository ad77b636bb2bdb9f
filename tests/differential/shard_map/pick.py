# SPDX-License-Identifier: Apache-2.0
"""What the programs share: their list, sizes and meshes by a seed."""
import random

import jax
import numpy as np
from jax.sharding import AxisType, Mesh, PartitionSpec as P

PROGRAMS = []


def program(f):
    PROGRAMS.append(f)
    return f


class Pick:
    """Sizes, meshes and numbers of one program."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.numbers = np.random.default_rng(seed)

    def one(self, *choices):
        return self.r.choice(choices)

    def mesh(self, *names, sizes=(1, 2, 2, 3, 4, 4, 8), explicit=False):
        """Of at most 8 devices, in any order."""
        while True:
            shape = [self.r.choice(sizes) for _ in names]
            n = int(np.prod(shape))
            if 1 < n <= 8:
                break
        devices = list(range(n))
        if self.r.random() < 0.3:
            self.r.shuffle(devices)
        return Mesh(np.array([jax.devices()[d] for d in devices]).reshape(shape), names,
                    axis_types=(AxisType.Explicit if explicit else AxisType.Auto,) * len(names))

    def f32(self, *shape):
        return self.numbers.standard_normal(shape).astype(np.float32)

    def ints(self, *shape, high=10):
        return self.numbers.integers(0, high, shape).astype(np.int32)


def shift(n, by=1):
    return [(i, (i + by) % n) for i in range(n)]


def on_one_axis(p, body):
    """body(x, axis, n): a program of one axis, on a mesh of one or two."""
    mesh = p.mesh(*p.one(("d",), ("d", "e"), ("e", "d")))
    n = mesh.shape["d"]
    rows, cols = n * p.one(1, 2, 3), p.one(1, 3, 4)
    check = p.one(True, False)
    f = jax.shard_map(lambda x: body(x, "d", n), mesh=mesh, in_specs=P("d"), out_specs=P("d"), check_vma=check)
    return f, [p.f32(rows, cols)], mesh
