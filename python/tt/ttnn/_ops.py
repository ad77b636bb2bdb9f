"""Functions of ttnn over NumPy, one row each where they are alike. They compute in float32 and round to the type of the result."""

import math

import numpy as np

from ._values import DataType, Layout, Tensor

OPS = {}


def op(function):
    OPS[function.__name__.rstrip("_")] = function
    return function


def _of(x):
    return x.numpy() if isinstance(x, Tensor) else x


def _float(x):
    return np.asarray(_of(x), np.float32)


def _erf(x):
    return np.vectorize(math.erf, otypes=[np.float32])(x) if x.size else x


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _unary(name, compute):
    def run(input, *args, memory_config=None, **_):
        with np.errstate(all="ignore"):
            return input.like(compute(_float(input), *args), memory_config=memory_config)

    run.__name__ = run.__qualname__ = name
    OPS[name] = run


for _name, _compute in {
    "abs": np.abs, "acos": np.arccos, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan, "cbrt": np.cbrt, "ceil": np.ceil, "cos": np.cos,
    "erf": _erf, "erfc": lambda x: 1 - _erf(x), "exp": np.exp, "expm1": np.expm1, "floor": np.floor, "isfinite": np.isfinite, "log": np.log,
    "log1p": np.log1p, "logical_not": lambda x: x == 0, "neg": np.negative, "reciprocal": np.reciprocal, "sign": np.sign, "sin": np.sin, "sqrt": np.sqrt,
    "tan": np.tan, "tanh": np.tanh, "sigmoid": _sigmoid, "rsqrt": lambda x: 1 / np.sqrt(x), "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6), "silu": lambda x: x * _sigmoid(x), "gelu": lambda x: x * 0.5 * (1 + _erf(x / np.float32(math.sqrt(2)))),
    "hardsigmoid": lambda x: np.clip(x / 6 + 0.5, 0, 1), "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "leaky_relu": lambda x, slope: np.where(x > 0, x, x * np.float32(slope)),
}.items():
    _unary(_name, _compute)


def _binary(name, compute, whole=False):
    def run(a, b, *_, dtype=None, memory_config=None, **__):
        one = a if isinstance(a, Tensor) else b
        x, y = (np.asarray(_of(a)), np.asarray(_of(b))) if whole or one.dtype in (DataType.INT32, DataType.UINT32) else (_float(a), _float(b))
        with np.errstate(all="ignore"):
            return one.like(compute(x, y), dtype, memory_config)

    run.__name__ = run.__qualname__ = name
    OPS[name] = run


for _name, _compute in {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": lambda x, y: x / y, "maximum": np.maximum, "minimum": np.minimum,
    "pow": np.power, "atan2": np.arctan2, "eq": np.equal, "ne": np.not_equal, "ge": np.greater_equal, "gt": np.greater, "le": np.less_equal, "lt": np.less,
    "logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor, "remainder": np.mod,
}.items():
    _binary(_name, _compute)
for _name, _compute in {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor, "logical_left_shift": np.left_shift, "logical_right_shift": np.right_shift}.items():
    _binary(_name, _compute, True)


def _reduction(name, compute):
    def run(input, dim=None, keepdim=False, memory_config=None, **_):
        dims = None if dim is None else tuple(dim) if isinstance(dim, (list, tuple)) else (dim,)
        return input.like(compute(_float(input), axis=dims, keepdims=bool(keepdim)), memory_config=memory_config)

    run.__name__ = run.__qualname__ = name
    OPS[name] = run


for _name, _compute in {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "prod": np.prod}.items():
    _reduction(_name, _compute)


@op
def argmax(input, dim=None, keepdim=False, memory_config=None, **_):
    found = np.argmax(_float(input), axis=dim)
    if keepdim:
        found = np.expand_dims(found, dim) if dim is not None else found.reshape((1,) * input.numpy().ndim)
    return input.like(found, DataType.UINT32, memory_config)


@op
def cumsum(input, dim, dtype=None, memory_config=None):
    return input.like(np.cumsum(_float(input), axis=dim), dtype, memory_config)


@op
def cumprod(input, dim, dtype=None, memory_config=None):
    return input.like(np.cumprod(_float(input), axis=dim), dtype, memory_config)


@op
def clamp(input, min, max, memory_config=None):
    return input.like(np.clip(_float(input), _of(min), _of(max)), memory_config=memory_config)


@op
def where(condition, a, b, memory_config=None):
    return a.like(np.where(_of(condition) != 0, _of(a), _of(b)), memory_config=memory_config)


def _activated(x, activation):
    return x if activation is None else OPS[activation](Tensor(x)).numpy()


@op
def matmul(a, b, transpose_a=False, transpose_b=False, memory_config=None, dtype=None, activation=None, **_):
    return linear(a, b, None, transpose_a, transpose_b, memory_config, dtype, activation)


@op
def linear(a, b, bias=None, transpose_a=False, transpose_b=False, memory_config=None, dtype=None, activation=None, **_):
    x, y = _float(a), _float(b)
    x = x.swapaxes(-1, -2) if transpose_a else x
    y = y.swapaxes(-1, -2) if transpose_b else y
    z = np.matmul(x, y)
    z = z if bias is None else z + _float(bias)
    return a.like(_activated(z, activation), dtype, memory_config)


@op
def softmax(input, dim=-1, memory_config=None, **_):
    x = _float(input)
    e = np.exp(x - x.max(axis=dim, keepdims=True))
    return input.like(e / e.sum(axis=dim, keepdims=True), memory_config=memory_config)


def _scaled(x, weight, bias):
    x = x if weight is None else x * _float(weight)
    return x if bias is None else x + _float(bias)


@op
def rms_norm(input, epsilon=1e-12, weight=None, bias=None, memory_config=None, **_):
    x = _float(input)
    return input.like(_scaled(x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(epsilon)), weight, bias), memory_config=memory_config)


@op
def layer_norm(input, epsilon=1e-12, weight=None, bias=None, memory_config=None, **_):
    x = _float(input)
    x = x - x.mean(-1, keepdims=True)
    return input.like(_scaled(x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(epsilon)), weight, bias), memory_config=memory_config)


@op
def embedding(input, weight, padding_idx=None, layout=None, dtype=None, memory_config=None):
    return weight.like(_of(weight).reshape(-1, _of(weight).shape[-1])[_of(input).astype(np.int64)], dtype, memory_config, layout)


@op
def reshape(input, shape, memory_config=None):
    return input.like(_of(input).reshape(tuple(shape)), memory_config=memory_config)


@op
def permute(input, permutation, memory_config=None, pad_value=None):
    return input.like(_of(input).transpose(tuple(permutation)), memory_config=memory_config)


@op
def transpose(input, dim0, dim1, memory_config=None):
    return input.like(_of(input).swapaxes(dim0, dim1), memory_config=memory_config)


@op
def concat(inputs, dim=0, memory_config=None):
    return inputs[0].like(np.concatenate([_of(t) for t in inputs], dim), memory_config=memory_config)


@op
def repeat(input, repeats, memory_config=None):
    return input.like(np.tile(_of(input), tuple(repeats)), memory_config=memory_config)


@op
def repeat_interleave(input, repeats, dim, memory_config=None):
    return input.like(np.repeat(_of(input), repeats, dim), memory_config=memory_config)


@op
def slice_(input, begins, ends, step, memory_config=None):
    return input.like(_of(input)[tuple(slice(*part) for part in zip(begins, ends, step))], memory_config=memory_config)


@op
def pad(input, padding, value=0.0, use_multicore=True, memory_config=None):
    return input.like(np.pad(_of(input), [tuple(p) for p in padding], constant_values=value), memory_config=memory_config)


@op
def sort(input, dim=-1, descending=False, stable=False, memory_config=None):
    x = _of(input)
    order = np.argsort(-x if descending else x, axis=dim, kind="stable")
    return input.like(np.take_along_axis(x, order, dim), memory_config=memory_config), input.like(order, DataType.UINT16, memory_config)


@op
def gather(input, dim, index, sparse_grad=False, memory_config=None):
    return input.like(np.take_along_axis(_of(input), _of(index).astype(np.int64), dim), memory_config=memory_config)


@op
def assign(input, dtype=None, memory_config=None):
    return input.like(_of(input), dtype, memory_config)


@op
def typecast(input, dtype, memory_config=None):
    return input.like(_of(input), dtype, memory_config)


@op
def to_layout(input, layout, dtype=None, memory_config=None):
    return input.like(_of(input), dtype, memory_config, layout)


@op
def to_memory_config(input, memory_config):
    return input.like(_of(input), memory_config=memory_config)


@op
def to_device(input, device=None, memory_config=None):
    return Tensor(_of(input), None, input.dtype, input.layout, device, memory_config)


@op
def from_device(input):
    return Tensor(_of(input), None, input.dtype, input.layout)


@op
def deallocate(input, force=False):
    input.gone = True


@op
def full(shape, fill_value, dtype=DataType.FLOAT32, layout=Layout.ROW_MAJOR, device=None, memory_config=None):
    return Tensor(np.full(tuple(shape), fill_value), None, dtype, layout, device, memory_config)


@op
def ones(shape, dtype=DataType.FLOAT32, layout=Layout.ROW_MAJOR, device=None, memory_config=None):
    return full(shape, 1, dtype, layout, device, memory_config)


@op
def zeros(shape, dtype=DataType.FLOAT32, layout=Layout.ROW_MAJOR, device=None, memory_config=None):
    return full(shape, 0, dtype, layout, device, memory_config)


@op
def empty(shape, dtype=DataType.FLOAT32, layout=Layout.ROW_MAJOR, device=None, memory_config=None):
    return full(shape, 0, dtype, layout, device, memory_config)


@op
def arange(start, end, step=1, dtype=DataType.FLOAT32, device=None, layout=Layout.ROW_MAJOR, memory_config=None):
    return Tensor(np.arange(start, end, step), None, dtype, layout, device, memory_config)
