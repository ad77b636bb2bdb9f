#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""products.py - products of f32 matrices: ours, XLA's, OpenBLAS's through NumPy and MKL's through PyTorch, in one run.

    products.py [--kernels build/bench/kernels] [--threads 1,2] [--rounds 5] [--sizes 512,1024,2048,256x3072x768]

Prints GFLOP/s, and our time / that of the fastest other one; a peer that is not installed has none. All take turns, and the least time of
each counts: processor time with one thread, else of the clock. Threads of OpenMP sleep when they have nothing to do, so that they do not
disturb the others."""
import argparse
import math
import os
import subprocess
import sys
import time

p = argparse.ArgumentParser()
p.add_argument('--kernels', default='build/bench/kernels')
p.add_argument('--threads', default='1,2')
p.add_argument('--rounds', type=int, default=5)
p.add_argument('--sizes', default='512,1024,2048,256x3072x768', help='M = N = K, or MxNxK')
args = p.parse_args()
if ',' in args.threads:  # peers read their number of threads at start
    for n in args.threads.split(','):
        subprocess.run([sys.executable, os.path.abspath(__file__), '--kernels', args.kernels, '--threads', n, '--rounds', str(args.rounds), '--sizes', args.sizes], check=True)
    sys.exit(0)
sys.path = [d for d in sys.path if d != os.path.dirname(os.path.abspath(__file__))]  # a file here is named as the module is
THREADS = int(args.threads)
os.environ.update(JAX_PLATFORMS='cpu', OMP_WAIT_POLICY='passive', TESSERA_THREADS=args.threads, NPROC=args.threads, OPENBLAS_NUM_THREADS=args.threads,
                  OMP_NUM_THREADS=args.threads, MKL_NUM_THREADS=args.threads)
if THREADS == 1:
    os.environ['XLA_FLAGS'] = '--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1'
os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:THREADS]))
import numpy as np
ours = subprocess.Popen([args.kernels], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(m, n, k):
    ours.stdin.write(f'gemm f32 f32 {m} {n} {k} {THREADS}\n')
    ours.stdin.flush()
    return float(ours.stdout.readline())


def clock():
    return time.process_time() if THREADS == 1 else time.perf_counter()


def least(call):
    call()
    best, end = math.inf, time.perf_counter() + .5
    while time.perf_counter() < end:
        t = clock()
        call()
        best = min(best, clock() - t)
    return best


def peers(a, b):
    out = {'OpenBLAS': lambda: np.matmul(a, b)}
    try:
        import jax
        f, x, y = jax.jit(jax.numpy.matmul), jax.numpy.array(a), jax.numpy.array(b)
        out['XLA'] = lambda: f(x, y).block_until_ready()
    except ImportError:
        pass
    try:
        import torch
        torch.set_num_threads(THREADS)
        u, v = torch.from_numpy(a), torch.from_numpy(b)
        out['MKL'] = lambda: torch.mm(u, v)
    except ImportError:
        pass
    return out


print(f'{THREADS} thread(s), GFLOP/s')
print(f"{'product':16} {'ours':>8} {'XLA':>8} {'OpenBLAS':>8} {'MKL':>8}  ours / fastest other, time")
for size in args.sizes.split(','):
    m, n, k = (list(map(int, size.split('x'))) * 3)[:3]
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((m, k), dtype=np.float32), rng.standard_normal((k, n), dtype=np.float32)
    others, best = peers(a, b), {}
    for _ in range(args.rounds):
        best['ours'] = min(best.get('ours', math.inf), ask(m, n, k))
        for name, call in others.items():
            best[name] = min(best.get(name, math.inf), least(call))
    rate = lambda name: f'{2e-9 * m * n * k / best[name]:8.1f}' if name in best else f"{'-':>8}"
    print(f'{size:16}', *map(rate, ('ours', 'XLA', 'OpenBLAS', 'MKL')), f" {best['ours'] / min(best[x] for x in others):.3f}", flush=True)
