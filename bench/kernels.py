#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kernels.py - leaf kernels against the peers on the same sizes, in one run: matrix products, maps, transposes.

    kernels.py --kernels build/bench/kernels [--threads 2] [--quick]

Peers: XLA CPU through jax (results donated where an op can work in place), OpenBLAS through NumPy. Each row asks ours, then the peer, several
times in turn, and keeps the least. A ratio is the peer's time / ours. With one thread times are processor time, else wall time."""
import argparse
import math
import os
import subprocess
import sys
import time


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument('--kernels', default='build/bench/kernels')
    p.add_argument('--threads', type=int, default=1)
    p.add_argument('--rounds', type=int, default=3)
    p.add_argument('--quick', action='store_true', help='small sizes only')
    return p.parse_args()


sys.path = [p for p in sys.path if p != os.path.dirname(os.path.abspath(__file__))]  # a file here is named as the module is
args = arguments()
os.environ['XLA_FLAGS'] = os.environ.get('XLA_FLAGS', '') + ('' if args.threads > 1 else ' --xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1')
for name in ('OPENBLAS_NUM_THREADS', 'OMP_NUM_THREADS', 'NPROC'):
    os.environ[name] = str(args.threads)
try:
    import numpy as np
except ImportError:
    print('# no NumPy: nothing to compare with')
    sys.exit(0)
try:
    import jax
    import jax.numpy as jnp
except ImportError:
    jax = None

ours = subprocess.Popen([args.kernels], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(line):
    ours.stdin.write(line + '\n')
    ours.stdin.flush()
    return float(ours.stdout.readline())


def clock():
    return time.process_time() if args.threads == 1 else time.perf_counter()


def least(call, n=5):
    call()
    best = math.inf
    for _ in range(n):
        t = clock()
        call()
        best = min(best, clock() - t)
    return best


def row(name, line, peers, flops=0):
    """Prints one row; returns the ratios by peer."""
    mine, theirs = math.inf, {p: math.inf for p in peers}
    for _ in range(args.rounds):
        mine = min(mine, ask(line))
        for p, call in peers.items():
            theirs[p] = min(theirs[p], least(call))
    text = f'{name:34} {mine * 1e3:9.3f} ms'
    if flops:
        text += f' {flops / mine / 1e9:7.1f} GFLOP/s'
    for p in peers:
        text += f'   {p} {theirs[p] * 1e3:9.3f} ms, ratio {theirs[p] / mine:5.2f}'
    print(text, flush=True)
    return {p: theirs[p] / mine for p in peers}


def gemm(kind, out, m, n, k):
    peers = {}
    if jax:
        names = {'f32': 'float32', 'f64': 'float64', 'bf16': 'bfloat16', 'f16': 'float16', 'i8': 'int8', 'i32': 'int32'}
        a, b = jnp.ones((m, k), names[kind]), jnp.ones((k, n), names[kind])
        f = jax.jit(lambda x, y: jnp.matmul(x, y, preferred_element_type=names[out]))
        peers['xla'] = lambda: f(a, b).block_until_ready()
    if kind == out == 'f32':
        x, y, z = np.ones((m, k), np.float32), np.ones((k, n), np.float32), np.empty((m, n), np.float32)
        peers['numpy'] = lambda: np.matmul(x, y, out=z)
    return row(f'{kind}->{out} {m}x{n}x{k}', f'gemm {kind} {out} {m} {n} {k} {args.threads}', peers, 2 * m * n * k)


def maps(op, f, n):
    """Both work in place, as a program does whose argument is donated."""
    if not jax:
        return {}
    jitted = jax.jit(f, donate_argnums=0)
    keep = [jnp.asarray((np.arange(n) % 4001 + 1).astype(np.float32) * 1e-3)]

    def call():
        keep[0] = jitted(keep[0])
        keep[0].block_until_ready()
    return row(f'{op}, {n * 4 >> 20} MB', f'tile {op} {n} {args.threads}', {'xla': call})


def transpose(n):
    x = np.ones((n, n), np.float32)
    peers = {'numpy': lambda: np.ascontiguousarray(x.T)}
    if jax:
        y = jnp.asarray(x)
        f = jax.jit(lambda v: v.T + 0)
        peers['xla'] = lambda: f(y).block_until_ready()
    return row(f'transpose {n}x{n}', f'transpose {n} {args.threads}', peers)


def main():
    print(f'# {args.threads} thread(s); ratio: time of the peer / ours')
    large = [] if args.quick else [1024, 2048]
    ratios = {}
    for n in [64, 128, 256, 512] + large:
        ratios[f'f32 {n}'] = gemm('f32', 'f32', n, n, n)
    for n in [256, 512] + large:
        gemm('bf16', 'bf16', n, n, n)
    for n in [256] + large:
        gemm('bf16', 'f32', n, n, n)
    gemm('f32', 'f32', 1, 4096, 1024)
    gemm('f32', 'f32', 8, 4096, 1024)
    gemm('f32', 'f32', 256, 768, 3072)
    n = 1 << (20 if args.quick else 24)
    if jax:
        maps('gelu', lambda x: jax.nn.gelu(x, approximate=True), n)
        for op, f in (('exponential', jnp.exp), ('tanh', jnp.tanh), ('log', jnp.log), ('log_plus_one', jnp.log1p), ('sine', jnp.sin),
                      ('logistic', jax.nn.sigmoid), ('erf', jax.lax.erf), ('erfc', jax.lax.erfc)):
            maps(op, f, n)
    transpose(1024 if args.quick else 4096)
    xla = [r['xla'] for name, r in ratios.items() if 'xla' in r and int(name.split()[1]) >= 256]
    if xla:
        print(f'f32 products from 256 on: geometric mean of ratios to XLA {math.exp(sum(map(math.log, xla)) / len(xla)):.2f}, least {min(xla):.2f}')


main()
