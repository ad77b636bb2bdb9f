# SPDX-License-Identifier: Apache-2.0
"""Arguments of methods, where tt-mlir's builders have them by other names or in another order than the op."""

import ast

# What every method takes, too.
COMMON = ("output_type", "loc", "unit_attrs", "sharding_attr")
_NEEDED = object()


def table(text):
    """Rows `method[>op]: words`. A word is an argument of the op, `name>argument` where the op names it otherwise, and may have `=default`. in0, in1 and
    in2 are the op's operands by number."""
    found = {}
    for line in text.strip().splitlines():
        method, _, words = line.partition(":")
        method, _, op = method.strip().partition(">")
        found[method] = op or method, [_word(word) for word in words.split()]
    return found


def _word(text):
    name, has_default, default = text.partition("=")
    name, _, target = name.partition(">")
    return name, target or name, ast.literal_eval(default) if has_default else _NEEDED


def _argument(name, row):
    """An argument of an op, from a name that somebody uses for it."""
    operands = [part["name"] for part in row["operands"]]
    known = {*operands, *(a["name"] for a in row["attributes"]), *(r["name"] for r in row["regions"]), *COMMON}
    if name not in known and operands:
        if name[:2] == "in" and name[2:].isdigit() and int(name[2:]) < len(operands):
            return operands[int(name[2:])]
        if name in ("input", "inputs", "ins"):
            return operands[0]
    return name


def bind(row, words, args, given):
    """All arguments of a call by the names that the op has for them. words: of the table, or None: in the op's order."""
    if words is None:
        order = [part["name"] for part in (*row["operands"], *row["attributes"], *row["regions"]) if part["name"] not in ("operandSegmentSizes", "resultSegmentSizes")]
        words = [(name, name, _NEEDED) for name in order]
    names = [*words, *((name, name, _NEEDED) for name in COMMON if all(name != w[0] for w in words))]
    if len(args) > len(names):
        raise TypeError(f"{row['name']} takes {len(words)} arguments, and {len(args)} are given")
    by_name = {name: _argument(target, row) for name, target, _ in words}
    found = {_argument(target, row): value for (_, target, _), value in zip(names, args)}
    for name, value in given.items():
        target = by_name.get(name) or _argument(name, row)
        if target in found:
            raise TypeError(f"{row['name']} got two values for {name!r}")
        found[target] = value
    for _, target, default in words:
        if default is not _NEEDED:
            found.setdefault(_argument(target, row), default)
    return found
