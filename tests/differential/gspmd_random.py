#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gspmd_random.py - random shardings on random meshes, written in GSPMD's words and imported again.

    gspmd_random.py [--bin build/bin] [--count 300] [--seed 1] [--save DIR]

A mesh has a few axes and, at times, devices in another order than that of their numbers. Shardings of values in one module
take axes of it in any order, several for one dimension, some left over: replicated, unreduced, or manual around the value. Our
own converter writes them as tiles, with lists of devices or as transposed iotas. Imported by --tessera-import-gspmd, every
device must have the part of every value that it had, and one mesh must do for all of them, unless both the mesh and the
lists are shuffled, which leaves no order that all of them share.
"""
import argparse
import os
import random
import re
import subprocess
import sys


def product(xs):
    n = 1
    for x in xs:
        n *= x
    return n


# ---- Making ----

def coordinates(place, sizes):
    out = []
    for size in reversed(sizes):
        out.append(place % size)
        place //= size
    return out[::-1]


def make_mesh(rng):
    sizes = [rng.choice((2, 2, 2, 3, 4)) for _ in range(rng.randint(1, 4))]
    n = product(sizes)
    order = list(range(n))
    if rng.random() < 0.3:
        rng.shuffle(order)
    return sizes, order


def make_sharding(rng, sizes):
    """Axes of each dimension, major first, and the kinds of those that are left over."""
    axes = list(range(len(sizes)))
    rng.shuffle(axes)
    dims = [[] for _ in range(rng.randint(1, 3))]
    rest = {"replicated": [], "unreduced": [], "manual": []}
    for a in axes:
        if rng.random() < 0.7:
            rng.choice(dims).append(a)
        else:
            rest[rng.choice(("replicated", "replicated", "replicated", "unreduced", "manual"))].append(a)
    return dims, rest


def text_of(rng, mesh, sharding):
    sizes, order = mesh
    dims, rest = sharding
    if not any(dims) and not rest["unreduced"] and not rest["manual"]:
        return "{replicated}"
    kinds = [k for k in rest if rest[k]]
    rng.shuffle(kinds)
    tile = [product(sizes[a] for a in d) for d in dims] + [product(sizes[a] for a in rest[k]) for k in kinds]
    perm = [a for d in dims for a in d] + [a for k in kinds for a in rest[k]]
    last = ""
    if kinds == ["replicated"] and rng.random() < 0.7:
        last = " last_tile_dim_replicate"
    elif kinds:
        last = " last_tile_dims={" + ", ".join(kinds) + "}"
    head = "{devices=[" + ",".join(map(str, tile)) + "]"
    if order == sorted(order) and rng.random() < 0.7:
        if perm == sorted(perm):
            return head + f"<=[{product(sizes)}]" + last + "}"
        return head + f"<=[{','.join(map(str, sizes))}]T({','.join(map(str, perm))})" + last + "}"
    places = []
    for q in range(product(sizes)):
        at = coordinates(q, [sizes[a] for a in perm])
        c = [0] * len(sizes)
        for a, x in zip(perm, at):
            c[a] = x
        place = 0
        for a, size in enumerate(sizes):
            place = place * size + c[a]
        places.append(order[place])
    if kinds and kinds[-1] == "replicated" and rng.random() < 0.5:  # devices of one part have no order
        k = tile[-1]
        for i in range(0, len(places), k):
            group = places[i:i + k]
            rng.shuffle(group)
            places[i:i + k] = group
    return head + ",".join(map(str, places)) + last + "}"


def module_of(rng):
    mesh = make_mesh(rng)
    values = []
    for _ in range(rng.randint(1, 5)):
        s = make_sharding(rng, mesh[0])
        values.append((s, text_of(rng, mesh, s)))
    if all(text == "{replicated}" for _, text in values):
        return module_of(rng)
    types = ["tensor<" + "x".join(["1296"] * len(s[0])) + "xf32>" for s, _ in values]
    text = ["func.func @f(" + ", ".join(f"%a{i}: {t}" for i, t in enumerate(types)) + ") {"]
    for i, (t, (_, s)) in enumerate(zip(types, values)):
        text.append(f'  %{i} = stablehlo.custom_call @Sharding(%a{i}) {{mhlo.sharding = "{s}"}} : ({t}) -> {t}')
        text.append(f'  stablehlo.custom_call @keep(%{i}) {{has_side_effect = true, number = {i}}} : ({t}) -> ()')
    return mesh, values, "\n".join(text + ["  return", "}"])


# ---- Reading ----

MESH = re.compile(r'sdy\.mesh (@\w+) = <\[([^\]]*)\](?:, device_ids=\[([^\]]*)\])?>')
CONSTRAINT = re.compile(r'%(\w+) = sdy\.sharding_constraint %arg(\d+) <(@\w+), \[(.*?)\](?:, unreduced=\{([^}]*)\})?>')


def parts_of(sizes, order, dims, unreduced):
    """By device: its part along each dimension; and which devices hold the same summand of it."""
    out, groups = {}, {}
    for place, device in enumerate(order):
        c = coordinates(place, sizes)
        part = []
        for d in dims:
            x = 0
            for a in d:
                x = x * sizes[a] + c[a]
            part.append(x)
        out[device] = tuple(part)
        same = (tuple(part), tuple(x for a, x in enumerate(c) if a in unreduced))
        groups.setdefault(same, set()).add(device)
    return out, sorted(sorted(g) for g in groups.values()) if unreduced else None


def read(chunk, meshes):
    found = {}
    for line in chunk.splitlines():
        m = CONSTRAINT.search(line)
        if not m:
            continue
        names, sizes, order = meshes[m.group(3)]
        dims = [[names.index(a) for a in re.findall(r'"(\w+)"', d)] for d in re.findall(r"\{([^}]*)\}", m.group(4))]
        unreduced = [names.index(a) for a in re.findall(r'"(\w+)"', m.group(5) or "")]
        found[int(m.group(2))] = parts_of(sizes, order, dims, unreduced)
    return found


def check(mesh, values, chunk):
    meshes = {}
    for name, axes, ids in MESH.findall(chunk):
        pairs = re.findall(r'"(\w+)"=(\d+)', axes)
        sizes = [int(s) for _, s in pairs]
        order = [int(x) for x in ids.split(",")] if ids else list(range(product(sizes)))
        meshes[name] = ([n for n, _ in pairs], sizes, order)
    if len(meshes) != 1 and mesh[1] == sorted(mesh[1]):
        return f"{len(meshes)} meshes"
    got = read(chunk, meshes)
    for i, ((dims, rest), text) in enumerate(values):
        wanted = parts_of(mesh[0], mesh[1], dims, rest["unreduced"])
        if i not in got:
            return f"value {i} ({text}) has no constraint"
        if got[i] != wanted:
            return f"value {i} ({text}) stands elsewhere"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    made = [module_of(rng) for _ in range(args.count)]
    source = "\n// -----\n".join(text for _, _, text in made)
    if args.save:
        os.makedirs(args.save, exist_ok=True)
        with open(os.path.join(args.save, "gspmd.mlir"), "w", encoding="utf-8") as f:
            f.write(source)
    done = subprocess.run([os.path.join(args.bin, "tessera"), "opt", "-", "--split-input-file", "--tessera-import-gspmd"],
                          input=source, capture_output=True, text=True)
    print(done.stderr[:2000], end="")
    chunks = done.stdout.split("// -----")
    failed = 0
    for i, (mesh, values, text) in enumerate(made):
        wrong = check(mesh, values, chunks[i] if i < len(chunks) else "")
        if wrong:
            failed += 1
            if failed <= 5:
                print(f"FAIL module {i}: {wrong}\n{mesh}\n{text}\n{chunks[i] if i < len(chunks) else ''}")
    print(f"{len(made) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
