# SPDX-License-Identifier: Apache-2.0
"""programs.py - twenty JAX programs of the kinds that users write, of about a millisecond and more: rows of race.py --programs.

Each is (name, function, function that makes its arguments). normal(*shape, scale=1), ints(limit, *shape) make arrays."""
import jax
import jax.numpy as jnp
import numpy as np


def mamba2(x, dt, a, b, c):
    """State space layer in chunks: products without contraction, outer products, a scan over chunks."""
    def chunk(state, t):
        x, dt, b, c = t
        decay = jnp.cumsum(dt * a, 1)  # [batch, time, head]
        seen = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
        within = jnp.where(seen[None, :, :, None], jnp.exp(decay[:, :, None] - decay[:, None]), 0)
        scores = jnp.einsum('btn,bsn->bts', c, b)
        y = jnp.einsum('bts,btsh,bsh,bshp->bthp', scores, within, dt, x)
        y += jnp.einsum('btn,bhpn,bth->bthp', c, state, jnp.exp(decay))
        left = jnp.exp(decay[:, -1:] - decay) * dt
        return jnp.exp(decay[:, -1])[:, :, None, None] * state + jnp.einsum('bsn,bsh,bshp->bhpn', b, left, x), y
    batch, chunks, _, heads, width = x.shape
    state = jnp.zeros((batch, heads, width, b.shape[-1]))
    return jax.lax.scan(chunk, state, tuple(jnp.moveaxis(v, 1, 0) for v in (x, dt, b, c)))[1]


def splatter(centre, inverse, colour, opacity):
    """128 Gaussians over 64 x 64 pixels, front to back."""
    y, x = jnp.mgrid[:64, :64]
    pixels = jnp.stack([x.ravel(), y.ravel()], -1).astype(jnp.float32) / 64
    d = pixels[:, None] - centre
    power = -.5 * jnp.einsum('pgi,gij,pgj->pg', d, inverse, d)
    alpha = jnp.minimum(opacity * jnp.exp(power), .99)
    light = jnp.cumprod(1 - alpha, 1)
    return jnp.einsum('pg,pg,gc->pc', alpha, jnp.pad(light, ((0, 0), (1, 0)), constant_values=1)[:, :-1], colour)


def leapfrogs(q, p, data):
    """A NUTS trajectory of a logistic regression: doublings with a stopping rule, each a loop of leapfrog steps."""
    def energy(q):
        return jnp.sum(jax.nn.softplus(-data @ q)) + .5 * jnp.sum(q * q)
    gradient = jax.grad(energy)

    def leap(q, p):
        p = p - .005 * gradient(q)
        q = q + .01 * p
        return q, p - .005 * gradient(q)

    def double(state):
        depth, q, p, lq, lp, best, turned = state
        rq, rp, _ = jax.lax.while_loop(lambda s: s[2] < (1 << depth), lambda s: (*leap(s[0], s[1]), s[2] + 1), (q, p, 0))
        span = rq - lq
        turned = (span @ rp < 0) | (span @ lp < 0)
        return depth + 1, rq, rp, lq, lp, jnp.where(energy(rq) < energy(best), rq, best), turned
    return jax.lax.while_loop(lambda s: (s[0] < 5) & ~s[6], double, (0, q, p, q, p, q, False))[5]


def hash_grid(points, table, w1, w2):
    """Features at the eight corners of each of eight levels, hashed, then a small network."""
    features = []
    for level in range(8):
        scaled = points * (16 * 1.5 ** level)
        low = jnp.floor(scaled).astype(jnp.uint32)
        frac = scaled - low
        total = 0
        for corner in range(8):
            bits = jnp.array([corner & 1, corner >> 1 & 1, corner >> 2], jnp.uint32)
            at = (low + bits) * jnp.array([1, 2654435761, 805459861], jnp.uint32)
            index = (at[:, 0] ^ at[:, 1] ^ at[:, 2]) % table.shape[1]
            weight = jnp.prod(jnp.where(bits == 1, frac, 1 - frac), 1)
            total += weight[:, None] * table[level, index]
        features.append(total)
    return jax.nn.sigmoid(jax.nn.relu(jnp.concatenate(features, 1) @ w1) @ w2)


def lennard_jones(x, v):
    """A step of molecular dynamics in a periodic box."""
    def energy(x):
        d = x[:, None] - x
        d -= 10 * jnp.round(d / 10)
        r2 = (d * d).sum(-1) + 100 * jnp.eye(len(x))
        inverse = 1 / r2 ** 3
        return 2 * jnp.sum(jnp.where(r2 < 9, inverse * inverse - inverse, 0))
    force = -jax.grad(energy)(x)
    v = v + .001 * force
    return x + .001 * v, v


def zigzag(q, k, v):
    """Ring attention on one device: pieces in zigzag order, joined by their largest scores."""
    pieces, n = 8, q.shape[1] // 8
    order = np.array([j for i in range(pieces // 2) for j in (i, pieces - 1 - i)])
    part = lambda x: x.reshape(x.shape[0], pieces, n, -1)[:, order]
    q, k, v = part(q), part(k), part(v)
    place = jnp.asarray(order)[:, None] * n + jnp.arange(n)
    top = jnp.full(q.shape[:3], -1e30)
    total, out = jnp.zeros(q.shape[:3]), jnp.zeros(q.shape)
    for shift in range(pieces):
        ks, vs, at = (jnp.roll(x, shift, a) for x, a in ((k, 1), (v, 1), (place, 0)))
        s = jnp.einsum('hpqd,hpkd->hpqk', q, ks) * .125
        s = jnp.where(place[:, :, None] >= at[:, None], s, -1e30)
        most = jnp.maximum(top, s.max(-1))
        e, old = jnp.exp(s - most[..., None]), jnp.exp(top - most)
        total, out = total * old + e.sum(-1), out * old[..., None] + jnp.einsum('hpqk,hpkd->hpqd', e, vs)
        top = most
    return out / total[..., None]


def upsample(x):
    """Bilinear, twice as large, by gathers: as exported from PyTorch."""
    n = 2 * x.shape[2]
    at = jnp.maximum((jnp.arange(n) + .5) / 2 - .5, 0)
    low = at.astype(jnp.int32)
    high, w = jnp.minimum(low + 1, x.shape[2] - 1), at - low
    rows = x[:, :, low] * (1 - w)[:, None] + x[:, :, high] * w[:, None]
    return rows[..., low] * (1 - w) + rows[..., high] * w


def f8_product(x, w):
    y = jax.lax.dot(x.astype(jnp.float8_e4m3fn), w.astype(jnp.float8_e4m3fn), preferred_element_type=jnp.float32)
    return y * .5


def kalman(means, covs, ys, a, h):
    def step(s, y):
        m, p = s
        m, p = m @ a.T, a @ p @ a.T + .01 * jnp.eye(8)
        gain = jnp.linalg.solve(h @ p @ h.T + .1 * jnp.eye(4), h @ p).mT
        m = m + jnp.einsum('bij,bj->bi', gain, y - m @ h.T)
        return (m, p - gain @ h @ p), m
    return jax.lax.scan(step, (means, covs), ys)[1]


def programs(normal, ints):
    unit = lambda *s: np.random.default_rng(1).random(s, np.float32)
    return [
        ('Mamba-2, 4x8x64, 8 heads', mamba2, lambda: [normal(4, 8, 64, 8, 32), np.abs(normal(4, 8, 64, 8, scale=.1)), -np.abs(normal(8)), normal(4, 8, 64, 32), normal(4, 8, 64, 32)]),
        ('Gaussian splatter', splatter, lambda: [unit(128, 2), np.tile(400 * np.eye(2, dtype=np.float32), (128, 1, 1)), unit(128, 3), unit(128)]),
        ('NUTS trajectory', leapfrogs, lambda: [normal(32, scale=.1), normal(32), normal(16000, 32)]),
        ('hash-grid rendering', hash_grid, lambda: [unit(16384, 3), normal(8, 16384, 2), normal(16, 64, scale=.3), normal(64, 3, scale=.3)]),
        ('Lennard-Jones step', lennard_jones, lambda: [10 * unit(512, 3), normal(512, 3)]),
        ('zigzag ring attention', zigzag, lambda: [normal(4, 1024, 64), normal(4, 1024, 64), normal(4, 1024, 64)]),
        ('bilinear upsampling', upsample, lambda: [normal(4, 16, 64, 64)]),
        ('f8 product 512', f8_product, lambda: [normal(512, 512), normal(512, 512)]),
        ('products without contraction', lambda x, y, m: jnp.einsum('bhqk,bhqk->bhqk', x, y) * m, lambda: [normal(4, 8, 256, 256), normal(4, 8, 256, 256), normal(256, 256)]),
        ('outer products bi,bj->bij', lambda x, y: jnp.einsum('bi,bj->bij', x, y), lambda: [normal(4096, 24), normal(4096, 40)]),
        ('outer product i,j->ij 2048', lambda x, y: jnp.einsum('i,j->ij', x, y), lambda: [normal(2048), normal(2048)]),
        ('take_along_axis 2048x1024', lambda x, i: jnp.take_along_axis(x, i, 1), lambda: [normal(2048, 1024), ints(1024, 2048, 1024)]),
        ('integer quotients, 4M', lambda x, y: (x * 3 + y) // 7 % 13 ^ (x & 255), lambda: [ints(1 << 20, 2048, 2048), ints(1 << 20, 2048, 2048)]),
        ('a million single elements', lambda x, i, j: x[i, j], lambda: [normal(2048, 2048), ints(2048, 1000000), ints(2048, 1000000)]),
        ('quantize to f8 by rows and back', lambda x: (x * (448 / jnp.abs(x).max(1, keepdims=True))).astype(jnp.float8_e4m3fn).astype(jnp.float32), lambda: [normal(2048, 1024)]),
        ('Kalman filters, 64 of 8', kalman, lambda: [normal(64, 8), np.tile(np.eye(8, dtype=np.float32), (64, 1, 1)), normal(50, 64, 4), .3 * normal(8, 8), normal(4, 8)]),
        ('cumsum 1M', jnp.cumsum, lambda: [normal(1 << 20)]),
        ('k-means step', lambda x, c: jax.ops.segment_sum(x, jnp.argmin(((x[:, None] - c) ** 2).sum(-1), 1), 64), lambda: [normal(8192, 16), normal(64, 16)]),
        ('beam of 8 from 32000', lambda s, l: jax.lax.top_k((s[:, :, None] + jax.nn.log_softmax(l)).reshape(8, -1), 8), lambda: [normal(8, 8), normal(8, 8, 32000)]),
        ('graph convolution', lambda x, w, s, r: jax.nn.relu(jax.ops.segment_sum((x @ w)[s], r, 4096)), lambda: [normal(4096, 64), normal(64, 64), ints(4096, 65536), ints(4096, 65536)]),
    ]
