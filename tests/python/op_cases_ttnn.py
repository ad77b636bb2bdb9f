# SPDX-License-Identifier: Apache-2.0
"""Cases of TTNN's ops that no op of TTIR is lowered to, or that TTIR has in another form: how the builder makes them, random inputs, and what NumPy
says of them."""

import numpy as np
from op_cases import Case, _normal, _softmax

DEVICE = "!ttnn.device"
CORES = "<[#ttnn.core_range<(0,0), (1,1)>]>"
DRAM = "<#ttnn.buffer_type<dram>, <interleaved>>"
MESH = {"ttcore.meshes": '#ttcore.meshes<[<"mesh" = 1x2>]>'}
TILES = "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<{}>>{}>"


def _device(b):
    return b.get_device(output_type=DEVICE)


def _f32(array):
    return np.asarray(array).astype(np.float32)


def _out(array):
    return {"output_type": (array.shape, "f32")}


def ttnn(r):
    for group in (memory, norms, heads, attention, windows, meshes, experts):
        yield from group(r)


def _placed(shape):
    """Types of a tensor in a device's memory, and in the host's."""
    return [f"tensor<{shape}xf32, {TILES.format(*where)}>" for where in (("dram", ", <interleaved>"), ("system_memory", ""))]


def _tiled(array, element):
    """The type of an array of four dimensions as tiles in a device's memory: planes one below the other, each padded to tiles."""
    n, c, h, w = array.shape
    rows = -(-h // 32)
    view = f"(d0, d1, d2, d3) -> (d0 * {c * rows * 32} + d1 * {rows * 32} + d2, d3), <1x1>"
    buffer = f"memref<{n * c * rows}x{-(-w // 32)}x!ttcore.tile<32x32, {element}>, #ttnn.buffer_type<dram>>"
    return f"tensor<{n}x{c}x{h}x{w}x{element}, #ttnn.ttnn_layout<{view}, {buffer}, <interleaved>>>"


def _case(build, inputs, want, **options):
    return Case("ttnn", build, inputs, want, **options)


def memory(r):
    """Where tensors are: no matter of values."""
    x, y, p = r.floats(2, 3), r.floats(2, 3), r.positive(2, 3)
    keep = _out(x)
    yield _case(lambda b, v: b.assign(v, **keep), [x], x)
    yield _case(lambda b, v, w: b.le(v, w, **keep), [x, np.where(x > 0, x, y)], _f32(x <= np.where(x > 0, x, y)))
    for power in (0.5, 3):
        yield _case(lambda b, v, power=power: b.pow_scalar(v, power, **keep), [p], p**power)
    device, host = _placed("2x3")
    yield _case(lambda b, v, w: (b.copy(v, w), w)[1], [x, y], x, types=[device, device])
    yield _case(lambda b, v, w: (b.write_tensor(v, w, blocking=True), w)[1], [x, y], x, types=[host, device])
    yield _case(lambda b, v: b.to_tensor_spec(v, output_type=device), [x], x, types=[host])
    yield _case(lambda b: b.empty(_device(b), "<2x3>", **keep), [], None, why="random: what is in it is anything")
    yield _case(lambda b: b.alloc(64, 4096, "l1", **keep), [], None, why="random: what is in it is anything")
    yield _case(lambda b: b.rand(_device(b), "<2x3>", low=1.0, high=2.0, seed=7, **keep), [], None, why="random", within=(1, 2))

    def semaphores(b, v):
        made = b.create_global_semaphore(_device(b), core_range_set=CORES, initial_value=1, output_type="!ttnn.global_semaphore")
        b.reset_global_semaphore(made, 0)
        b.allocate_moe_compute_semaphore(_device(b), 4, 32, mux_core_range_set=CORES, output_type="!ttnn.global_semaphore")
        return b.add(v, v, **keep)

    yield _case(semaphores, [x], x + x)
    # A file that one op writes, and the next reads.
    yield _case(lambda b, v: (b.dump_tensor(v, "x.npy"), b.load_tensor(file_path="x.npy", **keep))[1], [x], x, folder=True)
    yield from traces(r)


def traces(r):
    """Work that is recorded: twice the input."""
    x = r.floats(2, 2)
    device, host = _placed("2x2")
    number = "tensor<ui32, #ttnn.trace_id>"

    def trace(b, v):
        with b.function("work", [device, device], visibility="private") as (given, made):
            b.copy(b.add(given, given, output_type=device), made)
            b.ret()
        with b.function("slots", [], visibility="private"):
            b.ret(*(b.empty(_device(b), "<2x2>", output_type=device) for _ in range(2)))
        with b.function("capture", [host, device, device], visibility="private") as (given, slot, made):
            at = _device(b)
            b.write_tensor(given, slot)
            b.call("work", slot, made)
            recorded = b.begin_trace_capture(at, output_type=number)
            b.call("work", slot, made)
            b.end_trace_capture(at, recorded)
            b.ret(recorded)
        with b.function("execute", [number], visibility="private") as (recorded,):
            b.execute_trace(_device(b), recorded)
            b.ret()
        for name, what in (("work", "main"), ("slots", "allocate_slots"), ("capture", "run_and_capture"), ("execute", "execute")):
            b.module[name].attributes["tt.function_type"] = f"trace_{what}"
        b.at_end(b.module["main"].body)
        found = b.capture_or_execute_trace(_device(b), [v], [], "@slots", "@capture", "@execute", output_type=[device])
        return found[0] if isinstance(found, list) else found

    yield _case(trace, [x], 2 * x, types=[host], idle=["ttnn.execute_trace"])


def norms(r):
    x, w, z, more = r.floats(2, 3, 32), r.positive(32), r.floats(32), r.floats(2, 3, 32)
    keep = _out(x)
    rms = lambda v, epsilon: v / np.sqrt((v * v).mean(-1, keepdims=True) + epsilon)  # noqa: E731
    loose = {"rtol": 1e-4}
    yield _case(lambda b, *v: b.layer_norm(*v, epsilon=1e-3, **keep), [x, w, z], _normal(x, -1, 1e-3) * w + z, **loose)
    yield _case(lambda b, v: b.layer_norm(v, epsilon=1e-3, **keep), [x], _normal(x, -1, 1e-3), **loose)
    channels, w4, z4 = r.floats(2, 1, 12, 8), r.positive(8), r.floats(8)
    parts = channels.reshape(2, 1, 12, 4, 2)
    grouped = ((parts - parts.mean((1, 2, 4), keepdims=True)) / np.sqrt(parts.var((1, 2, 4), keepdims=True) + 1e-3)).reshape(channels.shape)
    yield _case(
        lambda b, v, k, l: b.group_norm(v, weight=k, bias=l, num_groups=4, epsilon=1e-3, **_out(channels)), [channels, w4, z4], grouped * w4 + z4, **loose
    )
    silu = lambda v: v / (1 + np.exp(-v))  # noqa: E731
    yield _case(
        lambda b, v, k, l, m: b.dit_rms_norm_unary_fused(v, k, l, m, epsilon=1e-3, activation="silu", **keep),
        [x, w, z, more],
        silu(rms(x + more, 1e-3) * w + z),
        **loose,
    )
    # Statistics: sums of squares in the first column of a tile, sums in that of the next.
    sums = np.zeros((2, 3, 64), np.float32)
    sums[..., 0], sums[..., 32] = (x * x).sum(-1), x.sum(-1)
    yield _case(lambda b, v: b.layer_norm_pre_all_gather(v, **_out(sums)), [x], sums, **loose)
    yield _case(lambda b, v, m: b.rms_norm_pre_all_gather(v, m, **_out(sums[..., :32])), [x, more], _squares(x + more), **loose)
    yield _case(lambda b, *v: b.layer_norm_post_all_gather(*v, epsilon=1e-3, **keep), [x, sums, w, z], _normal(x, -1, 1e-3) * w + z, **loose)


def _squares(x):
    out = np.zeros((*x.shape[:-1], 32), np.float32)
    out[..., 0] = (x * x).sum(-1)
    return out


def heads(r):
    x = r.floats(2, 3, 4, 5)
    side = x.transpose(0, 2, 1, 3).reshape(2, 4, 15)
    yield _case(lambda b, v: b.concatenate_heads(v, **_out(side)), [x], side)
    yield _case(lambda b, v: b.nlp_concat_heads(v, **_out(side[:, None])), [x], side[:, None])
    step = r.floats(1, 3, 4, 5)
    joined = step[:, :, :2].reshape(1, 1, 3, 10)
    yield _case(lambda b, v: b.nlp_concat_heads_decode(v, 2, **_out(joined)), [step], joined)
    row = r.floats(1, 1, 3, 8 * 5)
    many = row.reshape(1, 3, 8, 5)
    want = [many[:, :, :4], many[:, :, 4:6], many[:, :, 6:]]
    types = [(w.shape, "f32") for w in want]
    yield _case(lambda b, v: b.nlp_create_qkv_heads_decode(v, num_heads=4, num_kv_heads=2, output_type=types), [row], want)
    turn, cosine, sine = r.floats(1, 2, 6, 8), r.floats(1, 1, 6, 8), r.floats(1, 1, 6, 8)
    halves = np.concatenate([-turn[..., 4:], turn[..., :4]], -1)
    yield _case(lambda b, *v: b.rotary_embedding(*v, **_out(turn)), [turn, cosine, sine], turn * cosine + halves * sine)
    at = turn[:, :, :1]
    there = at * cosine[:, :, 2:3] + halves[:, :, :1] * sine[:, :, 2:3]
    yield _case(lambda b, *v: b.rotary_embedding(*v, token_index=2, **_out(at)), [at, cosine, sine], there)
    # Numbers that bf16 has: pairs are turned by a matrix.
    wide, cosine, sine = (np.round(64 * r.floats(1, n, 6, 32)) / 64 for n in (2, 1, 1))
    matrix = np.zeros((1, 1, 32, 32), np.float32)
    even = np.arange(0, 32, 2)
    matrix[..., even, even + 1], matrix[..., even + 1, even] = 1, -1

    given = [wide, cosine, sine, matrix]

    def turned(b, *values):
        short = [b.typecast(v, output_type=_tiled(a, "bf16")) for v, a in zip(values, given)]
        return b.typecast(b.rotary_embedding_llama(*short, output_type=_tiled(wide, "bf16")), output_type=_tiled(wide, "f32"))

    yield _case(turned, given, wide * cosine + (wide @ matrix[0, 0]) * sine, types=[_tiled(a, "f32") for a in given], rtol=1e-2)


def _attend(q, k, v, mask, scale=None):
    """[B, H, S, D] by as many keys, whose heads several queries may share."""
    times = q.shape[1] // k.shape[1]
    k, v = (np.repeat(a, times, 1).astype(np.float64) for a in (k, v))
    scores = q.astype(np.float64) @ k.swapaxes(-1, -2) * (scale or 1 / np.sqrt(q.shape[-1]))
    return _f32(_softmax(scores + mask, -1) @ v)


def _causal(rows, columns, first=0):
    return np.where(np.arange(columns)[None, :] <= first + np.arange(rows)[:, None], 0.0, -np.inf)


def attention(r):
    q, k, v = r.floats(2, 4, 5, 8), r.floats(2, 2, 5, 8), r.floats(2, 2, 5, 8)
    keep = {**_out(q)}
    yield _case(lambda b, *a: b.scaled_dot_product_attention(*a, **keep), [q, k, v], _attend(q, k, v, _causal(5, 5)), rtol=1e-4)
    mask = r.floats(2, 1, 5, 5)
    yield _case(
        lambda b, *a: b.scaled_dot_product_attention(*a, is_causal=False, scale=0.25, **keep), [q, k, v, mask], _attend(q, k, v, mask, 0.25), rtol=1e-4
    )
    step, cache, values, at = r.floats(1, 2, 4, 8), r.floats(2, 2, 5, 8), r.floats(2, 2, 5, 8), r.ints(2, least=0, most=5)
    seen = np.where(np.arange(5) <= at[:, None], 0.0, -np.inf)[:, None, None]
    one = _attend(step[0][:, :, None], cache, values, seen)[:, :, 0][None]
    yield _case(
        lambda b, a, c, d, n: b.scaled_dot_product_attention_decode(a, c, d, cur_pos_tensor=n, **_out(step)), [step, cache, values, at], one, rtol=1e-4
    )
    latent, keys = r.floats(1, 4, 5, 8), r.floats(1, 1, 5, 8)
    want = _attend(latent, keys, keys[..., :6], _causal(5, 5))
    yield _case(lambda b, *a: b.flash_mla_prefill(*a, head_dim_v=6, **_out(want)), [latent, keys], want, rtol=1e-4)
    query, key, weights = r.floats(1, 3, 4, 8), r.floats(1, 1, 6, 8), r.floats(1, 3, 4, 1)
    scores = (np.maximum(query @ key.swapaxes(-1, -2), 0) * weights).sum(1, keepdims=True)
    scores = _f32(np.where(np.isinf(_causal(4, 6, 1)), -np.inf, scores))
    yield _case(lambda b, *a: b.indexer_score_dsa(*a, chunk_start_idx=1, **_out(scores)), [query, key, weights], scores)
    # Pages of 32 rows: those of user 1.
    cache, rows, pages, user = r.floats(6, 2, 32, 4), r.floats(1, 2, 64, 4), np.array([[5, 0], [3, 1]], np.int32), np.array([1], np.int32)
    filled = cache.copy()
    filled[3], filled[1] = rows[0, :, :32], rows[0, :, 32:]
    yield _case(lambda b, *a: (b.paged_fill_cache(*a), a[0])[1], [cache, rows, pages, user], filled)
    # The best of each row, when one candidate is left.
    values, index = r.floats(3, 8), np.tile(r.numbers.permutation(8).astype(np.int32), (3, 1))
    one, half = np.ones(3, np.int32), np.full(3, 0.5, np.float32)
    best = np.take_along_axis(index, values.argmax(-1)[:, None], -1)[:, 0]
    yield _case(lambda b, *a: b.sampling(*a, seed=3, output_type="tensor<3xi32>"), [values, index, one, half, half], best)


def _conv_nchw(x, w, groups, pad=0):
    """[N, C, H, W] by [O, C / groups, h, w]."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    ins, outs = x.shape[1] // groups, w.shape[0] // groups
    out = np.zeros((x.shape[0], w.shape[0], x.shape[2] - w.shape[2] + 1, x.shape[3] - w.shape[3] + 1))
    for o in range(w.shape[0]):
        g = o // outs
        for i in range(out.shape[2]):
            for k in range(out.shape[3]):
                window = x[:, g * ins : (g + 1) * ins, i : i + w.shape[2], k : k + w.shape[3]]
                out[:, o, i, k] = (window * w[o]).sum((1, 2, 3))
    return out


def windows(r):
    """Convolutions whose weights are made ready by an op of their own."""
    x, w, z = r.floats(1, 4, 5, 6), r.floats(6, 2, 3, 3), r.floats(6)
    plain = dict(in_channels=4, out_channels=6, batch_size=1, input_height=5, input_width=6, kernel_size=[3, 3], stride=[1, 1], dilation=[1, 1], groups=2)
    ready = dict(input_memory_config=DRAM, input_tensor_layout="tile", input_dtype="f32")
    flat = lambda v: _f32(v.transpose(0, 2, 3, 1).reshape(1, 1, -1, v.shape[1]))  # noqa: E731

    def conv(b, v, k, l):
        at = _device(b)
        k = b.prepare_conv2d_weights(k, at, weights_format="OIHW", has_bias=True, padding=[1, 1], **plain, **ready, output_type=((1, 1, 36, 6), "f32"))
        l = b.prepare_conv2d_bias(l, at, padding=[1, 1], **plain, **ready, output_type=((1, 1, 1, 6), "f32"))
        return b.conv2d(v, k, l, at, padding=[1, 1], **plain, output_type=((1, 1, 30, 6), "f32"))

    yield _case(conv, [flat(x), w, z.reshape(1, 1, 1, 6)], flat(_conv_nchw(x, w, 2, 1)) + z, rtol=1e-4)
    # Transposed: the same as a plain one of a wide border with the window turned round.
    w = r.floats(4, 3, 3, 3)
    turned = w.reshape(2, 2, 3, 3, 3).swapaxes(1, 2).reshape(6, 2, 3, 3)[..., ::-1, ::-1]

    def back(b, v, k, l):
        at, more = _device(b), {"output_padding": [0, 0]}
        k = b.prepare_conv_transpose2d_weights(
            k, at, weights_format="IOHW", has_bias=True, padding=[0, 0], **plain, **ready, **more, output_type=((1, 1, 36, 32), "f32")
        )
        l = b.prepare_conv_transpose2d_bias(l, at, padding=[0, 0], **plain, **ready, output_type=((1, 1, 32, 32), "f32"))
        return b.conv_transpose2d(v, k, l, at, padding=[0, 0], **plain, **more, output_type=((1, 1, 56, 6), "f32"))

    yield _case(back, [flat(x), w, z.reshape(1, 1, 1, 6)], flat(_conv_nchw(x, turned, 2, 2)) + z, rtol=1e-4)
    volume, kernel = r.floats(1, 3, 4, 5, 2), r.floats(2, 2, 3, 2, 4)
    out = np.zeros((1, 2, 3, 3, 4))
    for d, i, k in np.ndindex(2, 3, 3):
        out[:, d, i, k] = np.tensordot(volume[:, d : d + 2, i : i + 2, k : k + 3], kernel, 4)
    sizes = dict(in_channels=2, out_channels=4, batch_size=1, input_depth=3, input_height=4, input_width=5, kernel_size=[2, 2, 3])
    yield _case(
        lambda b, v, k: b.conv3d(v, k, device=_device(b), **sizes, stride=[1, 1, 1], padding=[0, 0, 0], groups=1, output_type=(out.shape, "f32")),
        [volume, kernel.reshape(24, 4)],
        _f32(out),
        rtol=1e-4,
    )

    # In two blocks of 16 channels; the matrix is compared, too.
    volume, kernel = r.floats(1, 3, 4, 5, 32), r.floats(2, 2, 3, 32, 4)
    wide = np.zeros((1, 2, 3, 3, 4))
    for d, i, k in np.ndindex(2, 3, 3):
        wide[:, d, i, k] = np.tensordot(volume[:, d : d + 2, i : i + 2, k : k + 3], kernel, 4)

    def blocks(b, v, k):
        at = _device(b)
        given = {**sizes, "in_channels": 32, "stride": [1, 1, 1], "padding": [0, 0, 0], "groups": 1, "conv3d_config": "<c_in_block = 16>"}
        k = b.prepare_conv3d_weights(k, at, groups=1, c_in_block=16, alignment=32, output_type=((384, 4), "f32"))
        return [b.conv3d(v, k, device=at, **given, output_type=(wide.shape, "f32")), k]

    rows = kernel.reshape(12, 2, 16, 4).swapaxes(0, 1).reshape(384, 4)
    yield _case(blocks, [volume, _f32(kernel.transpose(4, 3, 0, 1, 2))], [_f32(wide), _f32(rows)], rtol=1e-3)


def meshes(r):
    """Two devices of a mesh, each with half of the columns."""
    whole = r.floats(4, 4)
    parts = whole[:, :2], whole[:, 2:]

    def meshed(build, want, out=(4, 2), rtol=2e-5, inputs=()):
        direction = {"shard_type": "devices", "shard_shape": [1, 2], "shard_dims": [-1, 1]}

        def all_of_it(b, v, *rest):
            at = _device(b)
            half = b.mesh_shard(v, at, shard_direction="full_to_shard", **direction, output_type=((4, 2), "f32"))
            made = build(b, half, at, {"output_type": (out, "f32")}, *rest)
            return b.mesh_shard(made, at, shard_direction="shard_to_full", **direction, output_type=((out[0], 2 * out[1]), "f32"))

        return _case(all_of_it, [whole, *inputs], want, attributes=MESH, rtol=rtol)

    pairs = np.array([[0, 1], [1, 0]], np.int64)
    yield meshed(lambda b, v, at, o: b.collective_permute(v, at, pairs, **o), np.concatenate(parts[::-1], 1))
    yield meshed(lambda b, v, at, o: b.point_to_point(v, sender_coord=[0, 0], receiver_coord=[0, 1], **o), np.concatenate([0 * parts[0], parts[0]], 1))
    yield meshed(lambda b, v, at, o: b.point_to_point(v, v, sender_coord=[0, 1], receiver_coord=[0, 0], **o), np.concatenate([parts[1], parts[1]], 1))
    rms = whole / np.sqrt((whole * whole).mean(-1, keepdims=True) + 1e-3)
    yield meshed(lambda b, v, at, o: b.distributed_rms_norm(v, device=at, cluster_axis=1, epsilon=1e-3, **o), rms, rtol=1e-4)
    yield meshed(lambda b, v, at, o: b.distributed_layer_norm(v, device=at, cluster_axis=1, epsilon=1e-3, **o), _normal(whole, -1, 1e-3), rtol=1e-4)


def experts(r):
    x, w, z = r.floats(5, 4), r.floats(4, 6), r.floats(6)
    logits = x @ w + z
    ids = np.argsort(-logits, -1, "stable")[:, :2]
    shares = _softmax(np.take_along_axis(logits, ids, -1), -1)
    yield _case(
        lambda b, *v: b.topk_router_gpt(*v, k=2, num_experts=6, output_type=["tensor<5x2xui16>", "tensor<5x2xf32>"]),
        [x, w, np.tile(z, (5, 1))],
        [ids.astype(np.uint16), shares],
        rtol=1e-4,
    )
