# SPDX-License-Identifier: Apache-2.0
"""Convolutions and pools on random numbers, against sums over the window."""
import itertools

import numpy as np

from case import Case, module
from cases_elementwise import one, short


def conv(x, w, stride, dilation, low, high, groups):
    """x [N, C, ...], w [O, C/groups, ...]."""
    n, x = x.ndim - 2, np.pad(x, [(0, 0), (0, 0)] + list(zip(low, high)))
    kernel, per = w.shape[2:], w.shape[0] // groups
    size = [(x.shape[2 + i] - (dilation[i] * (kernel[i] - 1) + 1)) // stride[i] + 1 for i in range(n)]
    out = np.zeros([x.shape[0], w.shape[0]] + size)
    for g, k in itertools.product(range(groups), itertools.product(*map(range, kernel))):
        at = tuple(slice(k[i] * dilation[i], k[i] * dilation[i] + (size[i] - 1) * stride[i] + 1, stride[i]) for i in range(n))
        part = x[(slice(None), slice(g * w.shape[1], (g + 1) * w.shape[1])) + at]
        out[:, g * per:(g + 1) * per] += np.einsum("nc...,oc->no...", part, w[(slice(g * per, (g + 1) * per), slice(None)) + k])
    return out


def transposed(x, w, stride, dilation, low, high, more, groups):
    """x [N, C, H, W], w [C, O/groups, ...]: each element adds the kernel to the result."""
    kernel, size, per, cs = w.shape[2:], x.shape[2:], w.shape[1], x.shape[1] // groups
    out = np.zeros([x.shape[0], per * groups] + [(size[i] - 1) * stride[i] + dilation[i] * (kernel[i] - 1) + 1 + more[i] for i in range(2)])
    for g, k in itertools.product(range(groups), itertools.product(*map(range, kernel))):
        at = tuple(slice(k[i] * dilation[i], k[i] * dilation[i] + (size[i] - 1) * stride[i] + 1, stride[i]) for i in range(2))
        out[(slice(None), slice(g * per, (g + 1) * per)) + at] += np.einsum(
            "nc...,co->no...", x[:, g * cs:(g + 1) * cs], w[(slice(g * cs, (g + 1) * cs), slice(None)) + k])
    return out[:, :, low[0]:out.shape[2] - high[0], low[1]:out.shape[3] - high[1]]


def window(stride, pad, dilation):
    text = lambda v: "array<i32: %s>" % ", ".join(map(str, v))
    return "stride = %s, padding = %s, dilation = %s" % (text(stride), text(pad), text(dilation))


def convolutions(rng):
    out, last, first = [], (0, 2, 3, 1), (0, 3, 1, 2)
    for groups in (1, 2, 4):
        for stride, pad, dilation in (((1, 1), (0, 0, 0, 0), (1, 1)), ((2, 1), (1, 0, 2, 1), (1, 2)), ((2, 3), (1, 1, 1, 1), (2, 1))):
            x, b = rng.standard_normal((2, 7, 8, 4)).astype("float32"), rng.standard_normal((1, 1, 1, 8)).astype("float32")
            w, t = rng.standard_normal((8, 4 // groups, 3, 2)).astype("float32"), rng.standard_normal((4, 8 // groups, 3, 2)).astype("float32")
            at = window(stride, pad, dilation) + ", groups = %d : i32" % groups
            want = (conv(x.transpose(first).astype(float), w, stride, dilation, pad[:2], pad[2:], groups).transpose(last) + b).astype("float32")
            out.append(one("conv2d", [x, w, b], want, at, rtol=1e-4, atol=1e-4))
            xs, ws, bs = short(x), short(w), short(b)
            less = conv(xs.transpose(first).astype(float), ws, stride, dilation, pad[:2], pad[2:], groups).transpose(last) + bs
            out.append(one("conv2d", [xs, ws, bs], less.astype("float32"), at, ["bf16"] * 4, atol=0.05, rtol=0.01))
            more = (stride[0] - 1, 0)
            want = (transposed(x.transpose(first).astype(float), t, stride, dilation, pad[:2], pad[2:], more, groups).transpose(last) + b)
            out.append(one("conv_transpose2d", [x, t, b], want.astype("float32"),
                           at + ", output_padding = array<i32: %d, %d>" % more, rtol=1e-4, atol=1e-4))
        x, w = rng.standard_normal((2, 9, 4)).astype("float32"), rng.standard_normal((8, 4 // groups, 3)).astype("float32")
        want = conv(x.transpose(0, 2, 1).astype(float), w, [2], [2], [1], [3], groups).transpose(0, 2, 1).astype("float32")
        out.append(one("conv1d", [x, w], want, "stride = 2 : i32, padding = array<i32: 1, 3>, dilation = 2 : i32, groups = %d : i32" % groups,
                       rtol=1e-4, atol=1e-4))
        x, w = rng.standard_normal((1, 4, 5, 6, 4)).astype("float32"), rng.standard_normal((8, 4 // groups, 2, 3, 2)).astype("float32")
        for mode in ("zeros", "replicate"):
            p = np.pad(x.transpose(0, 4, 1, 2, 3).astype(float), ((0, 0), (0, 0), (1, 1), (0, 0), (1, 1)),
                       mode="edge" if mode == "replicate" else "constant")
            want = conv(p, w, [1, 2, 1], [1] * 3, [0] * 3, [0] * 3, groups).transpose(0, 2, 3, 4, 1).astype("float32")
            out.append(one("conv3d", [x, w], want, 'stride = array<i32: 1, 2, 1>, padding = array<i32: 1, 0, 1>, groups = %d : i32, '
                           'padding_mode = "%s"' % (groups, mode), rtol=1e-4, atol=1e-4))
    return out


def pooled(x, kernel, stride, dilation, pad, ceil, average, include):
    size = x.shape[1:3]
    count = []
    for i in range(2):
        room = size[i] + pad[i] + pad[2 + i] - dilation[i] * (kernel[i] - 1) - 1
        n = (-(-room // stride[i]) if ceil else room // stride[i]) + 1
        count.append(n - 1 if ceil and (n - 1) * stride[i] >= size[i] + pad[i] else n)
    values, places = np.zeros((x.shape[0], *count, x.shape[3])), np.zeros((x.shape[0], *count, x.shape[3]), "int32")
    for b, oy, ox, c in np.ndindex(values.shape):
        seen, total = [], 0
        for ky, kx in np.ndindex(*kernel):
            y, z = oy * stride[0] - pad[0] + ky * dilation[0], ox * stride[1] - pad[1] + kx * dilation[1]
            total += y < size[0] + pad[2] and z < size[1] + pad[3]
            if 0 <= y < size[0] and 0 <= z < size[1]:
                seen.append((x[b, y, z, c], -(y * size[1] + z)))
        best = max(seen)
        values[b, oy, ox, c] = sum(v for v, _ in seen) / (total if include else len(seen)) if average else best[0]
        places[b, oy, ox, c] = -best[1]
    return values.astype("float32"), places


def pools(rng):
    out = []
    for kernel, stride, dilation, pad in (((2, 2), (2, 2), (1, 1), (0, 0, 0, 0)), ((3, 2), (2, 1), (1, 1), (1, 0, 1, 1)),
                                          ((3, 3), (2, 2), (1, 1), (1, 1, 1, 1)), ((2, 2), (1, 2), (2, 1), (0, 1, 0, 0))):
        for ceil in (False, True):
            x = rng.standard_normal((2, 6, 7, 3)).astype("float32")
            at = window(stride, pad, dilation) + ", kernel = array<i32: %d, %d>, ceil_mode = %s" % (*kernel, str(ceil).lower())
            want = list(pooled(x, kernel, stride, dilation, pad, ceil, False, True))
            out.append(one("max_pool2d", [x], want[0], at))
            out.append(Case("max_pool2d_with_indices", module("ttir.max_pool2d_with_indices", [x], want, at), [x], want))
            for include in (True, False):
                want = pooled(x, kernel, stride, dilation, pad, ceil, True, include)[0]
                out.append(one("avg_pool2d", [x], want, at + ", count_include_pad = %s" % str(include).lower()))
    return out


def cases():
    rng = np.random.default_rng(13)
    return convolutions(rng) + pools(rng)
