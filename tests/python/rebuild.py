# SPDX-License-Identifier: Apache-2.0
"""Builds modules again, op by op, through the Python package, and compares the texts: they are the same to the byte.

    rebuild.py [--methods] [FILE...]   files; without any, those of tests/corpus; with --methods, all files of tests/ that can be read

With --methods each op is made by its method: operands, attributes as Python values and regions by name, types of results inferred. Then every
op of StableHLO, CHLO, TTIR and Graph IR must have been made."""

import keyword
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

import tessera as ts  # noqa: E402


DIALECTS = ("stablehlo", "chlo", "ttir", "ttnn", "tessera")
# Kinds of attributes that have one reading as a Python value, whatever the op.
PLAIN = {"unit", "bool", "i32", "i64", "f32", "f64", "string", "symbol", "type", "enum", "i1s", "i32s", "i64s", "array", "dict"}


def is_plain(attr):
    """Whether a Python value says all of it: numbers in arrays have one type by the row, arrays of elements have not."""
    if attr.kind == "array":
        return all(a.kind not in ("array", "dict") and is_plain(a) for a in attr.items)
    return attr.kind not in ("struct", "dense", "dict", "dense_resource", "opaque")


class Copier:
    """Makes the ops of one module in another of the same context. made: names of ops that were made by methods."""

    def __init__(self, source, methods=False):
        self.methods = methods
        self.made = set()
        self.inferred = 0
        self.source = source
        self.module = ts.Module(context=source.context)
        self.builder = ts.Builder(self.module)
        self.values = {}
        self.blocks = {}

    def region(self, region):
        ctx = self.module.context
        made = self.builder.empty_region()
        for block in region.blocks:
            new = made.add_block([a.type for a in block.args], loc=ctx.parse_attr("loc(unknown)"))
            self.blocks[block] = new
            self.values.update(zip(block.args, new.args))
        for block in region.blocks:
            place = self.builder._block, self.builder._before
            self.builder.at_end(self.blocks[block])
            for op in block.ops:
                self.op(op)
            self.builder._block, self.builder._before = place
        return made

    def by_method(self, op, regions, infer):
        """The op by its method; types of its results are given unless they are to be inferred."""
        dialect, _, name = op.name.partition(".")
        row = self.module.context.rows(dialect)[name]
        attrs, values = dict(op.attributes.items()), [self.values[v] for v in op.operands]
        sizes = attrs.pop("operandSegmentSizes", None)
        given, total = {}, len(values)
        many = [part for part in row["operands"] if part["arity"] != "one"]
        for i, part in enumerate(row["operands"]):
            if sizes is not None:
                n = sizes.value[i]
            else:
                n = 1 if part["arity"] == "one" else (total - len(row["operands"]) + len(many)) // len(many)
            mine, rest = values[:n], values[n:] if i + 1 < len(row["operands"]) else []
            if i + 1 == len(row["operands"]):
                mine = values
            values = rest
            given[part["name"]] = mine[0] if part["arity"] == "one" else mine
        for slot in row["attributes"]:
            if slot["name"] in attrs and not slot["name"].endswith("SegmentSizes"):
                value = attrs.pop(slot["name"])
                plain = slot["form"] in PLAIN and is_plain(value)
                given[slot["name"]] = (value.value if value.kind != "unit" else True) if plain else value
        for part in row["regions"]:
            n = len(regions) - len(row["regions"]) + 1 if part["arity"] == "variadic" else 1
            mine, regions = regions[:n], regions[n:]
            given[part["name"]] = mine if part["arity"] == "variadic" else mine[0]
        types = None if infer else [v.type for v in op.results]
        python = {k + "_" if keyword.iskeyword(k) else k: v for k, v in given.items()}
        method = getattr(getattr(self.builder, dialect), name.replace(".", "_"))
        result = method(output_type=types, loc=op.location, attrs=attrs, **python)
        self.made.add(op.name)
        return result if isinstance(result, list) else [result]

    def has_method(self, op):
        dialect, _, name = op.name.partition(".")
        return dialect in DIALECTS and name in self.module.context.rows(dialect) and not op.successors

    def op(self, op):
        if self.methods and self.has_method(op):
            dialect, _, name = op.name.partition(".")
            infer = self.module.context.rows(dialect)[name]["infers"] and not op.regions
            try:
                made = self.by_method(op, [self.region(r) for r in op.regions], infer)
                if [v.type for v in made] != [v.type for v in op.results]:
                    made[0].op.erase()
                    made = None
            except ts.InputError:
                if not infer:
                    raise
                made = None
            self.inferred += bool(infer and made is not None)
            if made is None:  # types that were written are less, or more, than what follows
                made = self.by_method(op, [self.region(r) for r in op.regions], False)
            self.values.update(zip(op.results, made))
            return
        regions = [self.region(r) for r in op.regions]
        made = self.builder.op(
            op.name,
            [self.values[v] for v in op.operands],
            attrs=dict(op.attributes.items()),
            results=[v.type for v in op.results],
            regions=regions,
            loc=op.location,
            successors=[self.blocks[b] for b in op.successors],
            unfinished=True,
        )
        self.values.update(zip(op.results, made.results))

    def readable(self):
        """Whether the API can make all of it: not properties of unknown ops, values that come before their ops, other resources."""
        known = set()
        for op in self.source.walk():
            if any(v not in known for v in op.operands):
                return False
            known.update(op.results)
            known.update(v for r in op.regions for b in r.blocks for v in b.args)
            dialect, _, name = op.name.partition(".")
            if name not in self.module.context.rows(dialect) and "<{" in op.print(generic=True):
                return False
        return "external_resources" not in str(self.source)

    def copy(self):
        top = self.source.op
        for name, value in top.attributes.items():
            self.module.op.attributes[name] = value
        self.module.op.location = top.location
        for key, (data, align) in self.source.blobs.items():
            self.module.add_blob(key, data, align)
        for op in self.source.body.ops:
            self.op(op)
        self.module.verify()
        return self.module


def load(path, context):
    try:
        return ts.Module.load(path, context=context)
    except ts.TesseraError:
        return None  # a test of what is refused, or several modules in one file


def texts(path, context):
    """The module of a file, or those of a file of several."""
    source = load(path, context)
    if source is not None:
        return [source]
    found = []
    try:
        parts = path.read_text().split("// -----")
    except UnicodeDecodeError:
        return []
    for part in parts if len(parts) > 1 else []:
        try:
            found.append(ts.Module.parse(part, context=context))
        except ts.TesseraError:
            pass
    return found


def main(arguments):
    methods = "--methods" in arguments
    given = [Path(a) for a in arguments if not a.startswith("--")]
    paths = given or sorted((ROOT / "tests" if methods else ROOT / "tests" / "corpus").rglob("*.mlir"))
    if methods and not given:  # those are about spellings
        paths = [p for p in paths if not {"text", "fuzz", "bytecode"} & set(p.relative_to(ROOT / "tests").parts)]
    failed = passed = skipped = inferred = 0
    made = set()
    for path in paths:
        context = ts.Context(allow_unregistered=True)
        for source in texts(path, context) if methods else [ts.Module.load(path, context=context)]:
            copier = Copier(source, methods)
            if methods and not copier.readable():
                skipped += 1
                continue
            try:
                copy = copier.copy()
            except Exception as e:  # noqa: BLE001 - whatever it is, it is a failure of this file
                failed += 1
                print(f"{path}: {type(e).__name__}: {e}"[:300])
                continue
            same = str(copy) == str(source)
            failed += not same
            passed += same
            made |= copier.made
            inferred += copier.inferred
            if not same:
                a, b = str(source).splitlines(), str(copy).splitlines()
                first = next(((x, y) for x, y in zip(a, b) if x != y), (len(a), len(b)))
                print(f"{path}: differs\n  is:        {first[1]}\n  should be: {first[0]}"[:400])
    if methods and not given:
        context = ts.Context()
        every = {f"{d}.{name}" for d in DIALECTS if d != "ttnn" for name in context.rows(d)}  # few files have TTNN
        missing = sorted(every - made)
        failed += len(missing)
        for name in missing:
            print(f"{name}: no file has it")
        print(f"rebuild: {len(every & made)} of {len(every)} ops by their methods, {inferred} times with inferred types")
    if skipped:
        print(f"rebuild: {skipped} modules have what cannot be built")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
