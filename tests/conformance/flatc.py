#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""flatc.py PEERS [files or folders] - flatc (Debian's flatbuffers-compiler) as judge of our flatbuffers, with the schemas of
the tt-mlir checkout. Of each program of TTIR, lowered to TTNN and to commands of TTMetal for the host, and of each described system:

  - what flatc reads from our bytes, as JSON, is what `ttrt read` prints,
  - what flatc writes from that JSON we read as the same program,
  - what we read and write again is read as the same program.

The tables of src/target/flatbuffer/schema.def are those of the schemas, field by field.

Without files: the models of the checkout and the random programs of --random=N. --emit=DIR writes the random programs there, and that is
all."""
import json, os, re, shutil, subprocess, sys, tempfile, random

BIN = os.path.join(os.environ.get('BUILD', 'build'), 'bin')


def run(*args, **kw):
    return subprocess.run(args, capture_output=True, timeout=600, **kw)


def load(text):
    text = text.decode('utf-8', 'surrogateescape')
    return json.loads(text.replace(': nan', ': NaN').replace(': inf', ': Infinity').replace(': -inf', ': -Infinity'))


def diff(a, b, path=''):
    """Where two values of JSON differ; flatc prints six digits after the point."""
    if isinstance(a, dict) and isinstance(b, dict):
        for k in sorted(set(a) | set(b)):
            if k not in a or k not in b:
                return f'{path}.{k} is only in {"ours" if k in a else "theirs"}'
            d = diff(a[k], b[k], f'{path}.{k}')
            if d:
                return d
        return None
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return f'{path} has {len(a)} and {len(b)} items'
        if a == b:
            return None
        for i, (x, y) in enumerate(zip(a, b)):
            d = diff(x, y, f'{path}[{i}]')
            if d:
                return d
        return None
    if isinstance(a, float) and isinstance(b, (int, float)) and not isinstance(b, bool):
        if (a != a and b != b) or a == b or abs(a - b) <= 1.01e-6 * max(1, abs(a)):
            return None
    elif type(a) is type(b) and a == b:
        return None
    return f'{path} is {str(a)[:60]!r} and {str(b)[:60]!r}'


PLAIN = {'byte': 'i8', 'ubyte': 'u8', 'int8': 'i8', 'uint8': 'u8', 'short': 'i16', 'ushort': 'u16', 'int16': 'i16', 'uint16': 'u16', 'int': 'i32', 'uint': 'u32',
         'int32': 'i32', 'uint32': 'u32', 'long': 'i64', 'ulong': 'u64', 'int64': 'i64', 'uint64': 'u64', 'float': 'f32', 'double': 'f64', 'float32': 'f32',
         'float64': 'f64'}


def theirs(folder):
    """Tables and unions of a folder of schemas: names and types of fields, in order."""
    found = {}
    for path in sorted(os.path.join(d, f) for d, _, fs in os.walk(folder) for f in fs if f.endswith('.fbs')):
        with open(path) as f:
            text = re.sub(r'//[^\n]*', '', f.read())
        for kind, name, body in re.findall(r'\b(table|union)\s+(\w+)\s*\{(.*?)\}', text, re.S):
            fields = []
            for item in re.split('[;,]' if kind == 'union' else ';', body):
                m = re.match(r'\s*(\w+)\s*(?::\s*(\[?)\s*([\w.]+))?', item)
                if m:
                    what = (m[3] or m[1]).split('.')[-1]
                    fields.append((m[1], ('list ' if m[2] else '') + PLAIN.get(what, what)))
            found[name] = fields
    return found


def ours():
    """The same of schema.def."""
    with open(os.path.join(os.path.dirname(__file__), '..', '..', 'src', 'target', 'flatbuffer', 'schema.def')) as f:
        text = f.read().split('/* clang-format off */')[1]
    found = {}
    for name, body in re.findall(r'\b(?:TABLE|UNION)\((\w+)\)(.*?)\bEND\b', text, re.S):
        found[name] = [(m[1], ('list ' if m[0] == 'LIST' else '') + m[2]) for m in re.findall(r'(FIELD|FIELD_IS|MAYBE|LIST|CASE)\((\w+), (\w+)', body)]
    return found


def schema(peers):
    """None, or where schema.def is not what the schemas are."""
    folder = os.path.join(peers, 'tt-mlir', 'include', 'ttmlir', 'Target')
    known = ours()
    plain = lambda fields: [(name, type.replace('Metal', '', 1) if type.replace('list ', '').startswith('Metal') and type != 'MetalBuffer' else type) for name, type in fields]
    for part, prefix in (('Common', ''), ('TTNN', ''), ('TTMetal', 'Metal')):
        for name, fields in theirs(os.path.join(folder, part)).items():
            mine = known.get(prefix + name, known.get(name))
            if mine is None:
                return f'{part}: there is no {name}'
            if plain(mine) != fields:
                return f'{part}: {name} is {plain(mine)} and {fields}'
    return None


class Judge:
    def __init__(self, peers, tmp):
        self.tmp, self.inc = tmp, os.path.join(peers, 'tt-mlir', 'include')
        self.fbs = {'ttnn': self.inc + '/ttmlir/Target/TTNN/binary.fbs',
                    'ttm': self.inc + '/ttmlir/Target/TTMetal/binary.fbs',
                    'ttsys': self.inc + '/ttmlir/Target/Common/system_desc.fbs'}
        self.bfbs = {}
        for kind, path in self.fbs.items():
            r = run('flatc', '-b', '--schema', '-I', self.inc, '-o', os.path.join(tmp, kind), path)
            if r.returncode:
                sys.exit(r.stderr.decode())
            self.bfbs[kind] = os.path.join(tmp, kind, os.path.basename(path).replace('.fbs', '.bfbs'))

    def judge(self, path, kind):
        """None, or what is wrong with a file of ours."""
        name = os.path.splitext(os.path.basename(path))[0]
        ours = run(BIN + '/ttrt', 'read', path)
        if ours.returncode:
            return 'ttrt read: ' + ours.stderr.decode()[:300]
        r = run('flatc', '--json', '--size-prefixed', '--strict-json', '--defaults-json', '--raw-binary', '--allow-non-utf8', '-o',
                self.tmp, self.bfbs[kind], '--', path)
        if r.returncode:
            return 'flatc refuses it: ' + (r.stderr + r.stdout).decode()[-300:]
        with open(os.path.join(self.tmp, name + '.json'), 'rb') as f:
            d = diff(load(ours.stdout), load(f.read()))
        if d:
            return 'flatc reads something else: ' + d
        with open(os.path.join(self.tmp, 'back.json'), 'wb') as f:
            f.write(ours.stdout)
        r = run('flatc', '-b', '--size-prefixed', '-I', self.inc, '-o', self.tmp, self.fbs[kind], os.path.join(self.tmp, 'back.json'))
        back = os.path.join(self.tmp, 'back.' + kind)
        if r.returncode or not os.path.exists(back):
            return 'flatc does not take our JSON: ' + (r.stderr + r.stdout).decode()[-300:]
        again = run(BIN + '/ttrt', 'read', back)
        if again.stdout != ours.stdout:
            return 'read from what flatc wrote, it is another: ' + (again.stderr.decode()[:200] or str(diff(load(ours.stdout), load(again.stdout))))
        if kind == 'ttsys':
            return None
        into, out_of = (f'--{LANGUAGE[kind]}-to-flatbuffer', f'--flatbuffer-to-{LANGUAGE[kind]}')
        a, b = (run(BIN + '/ttmlir-translate', out_of, '--mlir-print-debuginfo', p) for p in (path, back))
        os.unlink(back)
        if a.returncode:
            return 'it is no module: ' + a.stderr.decode()[:300]
        if a.stdout.replace(path.encode(), b'') != b.stdout.replace(back.encode(), b''):
            return 'what flatc wrote is another program'
        twice = os.path.join(self.tmp, 'twice.' + kind)
        r = run(BIN + '/ttmlir-translate', into, '-o', twice, input=a.stdout)
        c = run(BIN + '/ttmlir-translate', out_of, '--mlir-print-debuginfo', twice)
        if r.returncode or c.returncode or a.stdout.replace(path.encode(), b'') != c.stdout.replace(twice.encode(), b''):
            return 'written again, it is another program: ' + r.stderr.decode()[:200]
        return None


LANGUAGE = {'ttnn': 'ttnn', 'ttm': 'ttmetal'}
PIPELINE = {'ttnn': '--ttir-to-ttnn-backend-pipeline', 'ttm': '--ttir-to-ttmetal-host-pipeline'}


def lower(src, out, tmp, kind):
    """A program as a binary; None, or what went wrong."""
    mid = os.path.join(tmp, 'lowered.mlir')
    flags = [PIPELINE[kind]]
    with open(src, 'rb') as f:
        if b'stablehlo.' in f.read():
            flags.insert(0, '--stablehlo-to-ttir-pipeline')
    r = run(BIN + '/ttmlir-opt', *flags, src, '-o', mid)
    if r.returncode:
        return 'lowering: ' + r.stderr.decode().split('\n')[0][:200]
    r = run(BIN + '/ttmlir-translate', f'--{LANGUAGE[kind]}-to-flatbuffer', mid, '-o', out)
    return 'writing: ' + r.stderr.decode().split('\n')[0][:200] if r.returncode else None


UNARY = 'abs ceil cos exp floor gelu log neg relu rsqrt sigmoid sign sin sqrt tan tanh reciprocal silu erf isfinite cbrt log1p'.split()
BINARY = 'add multiply subtract maximum minimum div eq ne ge gt le lt'.split()


def random_program(seed):
    """A program of TTIR ops on a few shapes."""
    r = random.Random(seed)
    dims = [r.choice([1, 3, 32, 33, 64]) for _ in range(r.randint(2, 4))]
    elem = r.choice(['f32', 'bf16'])
    t = lambda d: 'tensor<' + 'x'.join(map(str, d)) + f'x{elem}>'
    vals, lines = [('%a', dims), ('%b', dims)], []
    for i in range(r.randint(1, 12)):
        v, d = r.choice(vals)
        k = r.randrange(8)
        n = f'%{i}'
        if k < 2:
            lines.append(f'{n} = "ttir.{r.choice(UNARY)}"({v}) : ({t(d)}) -> {t(d)}')
        elif k < 4:
            w = r.choice([x for x, e in vals if e == d])
            lines.append(f'{n} = "ttir.{r.choice(BINARY)}"({v}, {w}) : ({t(d)}, {t(d)}) -> {t(d)}')
        elif k == 4:
            p = list(range(len(d)))
            r.shuffle(p)
            e = [d[j] for j in p]
            lines.append(f'{n} = "ttir.permute"({v}) <{{permutation = array<i64: {", ".join(map(str, p))}>}}> : ({t(d)}) -> {t(e)}')
            d = e
        elif k == 5:
            x = r.randrange(len(d))
            e = d[:x] + [1] + d[x + 1:]
            lines.append(f'{n} = "ttir.{r.choice(["sum", "mean", "max"])}"({v}) <{{dim_arg = [{x} : i32], keep_dim = true}}> : ({t(d)}) -> {t(e)}')
            d = e
        elif k == 6:
            x = r.randrange(len(d))
            e = d[:x] + [2 * d[x]] + d[x + 1:]
            lines.append(f'{n} = "ttir.concat"({v}, {v}) <{{dim = {x} : si32}}> : ({t(d)}, {t(d)}) -> {t(e)}')
            d = e
        else:
            lo, hi = sorted((round(r.uniform(-3, 3), 3), round(r.uniform(-3, 3), 3)))
            lines.append(f'{n} = "ttir.clamp_scalar"({v}) <{{min = {lo} : f32, max = {hi} : f32}}> : ({t(d)}) -> {t(d)}')
        vals.append((n, d))
    v, d = vals[-1]
    args = f'%a: {t(dims)} {{ttcore.argument_type = #ttcore.argument_type<{r.choice(["input", "parameter"])}>}}, %b: {t(dims)}'
    return f'func.func @f{seed}({args}) -> {t(d)} {{\n' + ''.join(f'  {x}\n' for x in lines) + f'  return {v} : {t(d)}\n}}\n'


def main():
    args = [a for a in sys.argv[1:] if not a.startswith('--')]
    count = next((int(a.split('=')[1]) for a in sys.argv[1:] if a.startswith('--random=')), 200)
    folder = next((a.split('=')[1] for a in sys.argv[1:] if a.startswith('--emit=')), None)
    if folder:
        for seed in range(count):
            with open(os.path.join(folder, f'random_{seed:03}.mlir'), 'w') as f:
                f.write(random_program(seed))
        return 0
    if not shutil.which('flatc'):
        print('skipped: no flatc (Debian: flatbuffers-compiler)')
        return 0
    peers = args[0]
    files = []
    for a in args[1:] or [os.path.join(peers, 'tt-mlir/test/ttmlir/models')]:
        files += sorted(os.path.join(d, f) for d, _, fs in os.walk(a) for f in fs if f.endswith('.mlir')) if os.path.isdir(a) else [a]
    good = bad = 0
    with tempfile.TemporaryDirectory() as tmp:
        j = Judge(peers, tmp)

        def tell(name, wrong):
            nonlocal good, bad
            good, bad = good + (not wrong), bad + bool(wrong)
            print(f'FAIL {name}: ' + wrong.replace('\n', ' ') if wrong else f'ok {name}', flush=True)

        tell('schema', schema(peers))
        for arch in ('wormhole_b0', 'blackhole'):
            for chips in ('1', '2', '32'):
                out = os.path.join(tmp, 'system.ttsys')
                r = run(BIN + '/ttrt', 'query', '--arch=' + arch, '--chips=' + chips, '--system-desc=' + out)
                tell(f'{arch} {chips}', r.stderr.decode() or j.judge(out, 'ttsys'))
        both = [(kind, os.path.join(tmp, 'program.' + kind)) for kind in LANGUAGE]
        for f in files:
            for kind, out in both:
                tell(f'{f} {kind}', lower(f, out, tmp, kind) or j.judge(out, kind))
        for seed in range(count):
            src = os.path.join(tmp, 'random.mlir')
            with open(src, 'w') as f:
                f.write(random_program(seed))
            for kind, out in both:
                tell(f'random {seed} {kind}', lower(src, out, tmp, kind) or j.judge(out, kind))
    print(f'{good} passed, {bad} failed')
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
