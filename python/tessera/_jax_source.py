# SPDX-License-Identifier: Apache-2.0
"""Shardings as text, and constraints as edits of source files. Nothing here needs JAX."""

import ast
import difflib
import functools
import linecache
import os
import re
from dataclasses import dataclass, field

from .errors import InputError

_UNITS = {"": 1, "B": 1, **{u: 10 ** (3 * i) for i, u in enumerate("KMGT", 1)}}
_UNITS.update({u + "B": n for u, n in list(_UNITS.items()) if u not in ("", "B")})


def bytes_of(given):
    """A number of bytes: 80e9, "80G", "80 GB"."""
    if isinstance(given, (int, float)) and not isinstance(given, bool) and given >= 0:
        return int(given)
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?)\s*([A-Za-z]*)\s*", given) if isinstance(given, str) else None
    if not found or found.group(2).upper() not in _UNITS:
        raise InputError(f"memory: bytes or a text such as '80G' are expected, not {given!r}")
    return int(float(found.group(1)) * _UNITS[found.group(2).upper()])


def size(n):
    """Bytes for people, three digits."""
    for unit in ("B", "KB", "MB", "GB"):
        if n < 1000:
            return f"{n:.3g} {unit}" if n < 999.5 else f"{n:.0f} {unit}"
        n /= 1000
    return f"{n:.3g} TB"


def seconds(t):
    return f"{t * 1e3:.4g} ms" if t >= 1e-3 else f"{t * 1e6:.4g} us"


def parts_of(sharding, open=None):
    """Entries of a PartitionSpec from lists of axes: None, a name, a tuple of names, or "?" where the dimension is left open."""
    found = []
    for i, axes in enumerate(sharding):
        axes = tuple(axes)
        if any(":(" in a for a in axes):
            raise InputError(f"a part of an axis, {' '.join(axes)}, has no PartitionSpec")
        found.append("?" if not axes and open and open[i] else None if not axes else axes[0] if len(axes) == 1 else axes)
    while found and found[-1] is None:
        found.pop()
    return tuple(found)


def spec_text(parts, name="P"):
    """As it is written in a program: P('dp', None, ('a', 'b'))."""
    return f"{name}({', '.join(f'{name}.UNCONSTRAINED' if p == '?' else repr(p) for p in parts)})"


def searched_names(names):
    """Of any names of axes, those that the search has for them: without the characters that its texts are made with."""
    found = {}
    for name in names:
        if name in ("", "_", "?"):
            raise InputError(f"the mesh has an axis {name!r}: shardings as text have no word for it; any longer name does")
        made = re.sub(r"[\s=:?+(),]", ".", str(name))
        while made in found.values() or made != name and made in names:
            made += "."
        found[name] = made
    return found


def mesh_of(text):
    """Names and sizes of "dp=2,tp=4"."""
    found = {}
    for part in text.split(","):
        axis = re.fullmatch(r"\s*([^\s=:?+(),]+)\s*=\s*([0-9]+)\s*", part)
        axis = None if axis and axis.group(1) == "_" else axis
        if not axis or int(axis.group(2)) < 1 or axis.group(1) in found:
            raise InputError(f"mesh: names and sizes such as 'dp=2,tp=4' are expected, not {text!r}")
        found[axis.group(1)] = int(axis.group(2))
    return found


@dataclass
class Place:
    """A constraint and where the value that it is for was written. why: what an edit cannot express; shapes: of all values that the expression there gives;
    operand: the operand of the operation, or of the call, that is there; None: its value; told: whether advice tells of it; via: specs that the value has before."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int
    function: str
    spec: tuple
    shape: tuple
    why: str = ""
    cost: str = ""
    shapes: set = field(default_factory=set)
    operand: int | None = None
    told: bool = True
    via: tuple = ()

    @property
    def where(self):
        return f"{os.path.basename(self.file)}:{self.line}"

    @property
    def key(self):
        """The expression: constraints of one are one edit."""
        return (self.file, self.line, self.col, self.end_line, self.end_col, -1 if self.operand is None else self.operand)


@dataclass(frozen=True)
class Way:
    """How an expression is constrained: its gradient as well, as with_sharding_constraint does, or not; which, where it has several specs for one shape."""

    gradient: bool = True
    spec: int = 0


class Edits:
    """What to write into source files so that the program has the constraints, and what cannot be written. ways: by the key of an expression, how it is constrained,
    or None, which leaves the edit out; prefix: of the names of functions that constrain."""

    def __init__(self, places, read=None, ways=(), prefix=""):
        self.read, self.prefix = read or _read, prefix
        self.places, self.ways = places, dict(ways)
        self.points, self.advice, self.made, self.helped, self._lines = {}, [], {}, set(), {}
        groups = {}
        for p in places:
            groups.setdefault(p.key, []).append(p)
        for key in sorted(groups):
            self._group(groups[key])

    def _group(self, group):
        fine = [p for p in group if not p.why]
        for p in group:
            if p.why:
                self._say(p, p.why)
        if not fine:
            return
        way, specs = self.ways.get(fine[0].key, Way()), {}
        for p in fine:
            specs.setdefault(p.shape, []).append(p.spec)
        specs = {shape: list(dict.fromkeys(given)) for shape, given in specs.items()}
        chosen = {shape: given[min(way.spec if way else 0, len(given) - 1)] for shape, given in specs.items()}
        why = self._edit(fine[0], _steps(fine, chosen), set().union(*(p.shapes for p in fine), specs), way)
        if not why:
            self.made[fine[0].key] = max(map(len, specs.values()))
        if not why and not way:
            why = "left out, as a line constrains the value wherever it is computed, and its gradient: the step takes no longer without it"
        for p in _unlike(fine):
            if why or p.spec != chosen[p.shape]:
                self._say(p, why or f"the expression is computed several times, with {len(specs[p.shape])} shardings")

    def _say(self, p, why):
        cost = f"; {p.cost}" if p.cost else ""
        line = f"{p.where} ({p.function}): {spec_text(p.spec)} of {list(p.shape)}: {why}{cost}"
        if p.told and line not in self.advice:
            self.advice.append(line)

    def _edit(self, p, steps, shapes, way):
        """Adds the edit of a place: specs by shape, of the shapes that are computed there, one after the other. The reason why there is none."""
        text = self.read(p.file)
        if text is None:
            return "the source is not a file that can be read"
        tree = _parsed(text)
        if tree is None:
            return "the source is no Python that can be read"
        found, parent = _find(tree, p)
        if found is None:
            return "the expression was not found in its line"
        if p.operand is not None:
            sides = _operands(found)
            if not p.operand < len(sides):
                return f"for operand {p.operand} of a call alone"
            found, parent = sides[p.operand], found
        name = _assigned(found, parent)
        alone = name and _alone(parent, text.split("\n"))
        if not alone and isinstance(found, ast.stmt):
            return "the line assigns to no plain name"
        rows = _unpacks(parent) if isinstance(parent, (ast.Assign, ast.For, ast.comprehension)) and not name else 0
        if rows and rows != (p.shape[0] if p.shape else None):
            return "the value is taken apart where it is made"
        if way:
            calls = [self._call(p, tree, specs, shapes, way) for specs in steps]
            self._write(p, found, parent, name if alone else "", ("".join(c[0] for c in reversed(calls)), "".join(c[1] for c in calls)))
        return ""

    def _call(self, p, tree, specs, shapes, way):
        """The two halves of the text around a value."""
        P = _spec_name(tree)
        if way.gradient and len(shapes) == 1:
            return f"{self.prefix}with_sharding_constraint(", f", {spec_text(*specs.values(), P)})"
        self.helped.add(p.file)
        rows = ", ".join(f"{shape}: {spec_text(spec, P)}" for shape, spec in specs.items())
        return f"{self.prefix}{_helper_name(tree)}(", f", {{{rows}}}{'' if way.gradient else ', gradient=False'})"

    def _write(self, p, found, parent, name, call):
        before, after = call
        if name:
            line = self.read(p.file).split("\n")[parent.lineno - 1]
            indent, note = line[: len(line) - len(line.lstrip())], f"  # {p.cost}" if p.cost else ""
            self._point(p.file, parent.end_lineno, None, 0, f"{indent}{name} = {before}{name}{after}{note}")
            return
        span = (found.end_lineno - found.lineno, found.end_col_offset - found.col_offset)
        self._point(p.file, found.lineno, found.col_offset, 1, before, (-span[0], -span[1]))
        self._point(p.file, found.end_lineno, found.end_col_offset, 0, after, span)

    def _point(self, file, line, col, order, text, span=(0, 0)):
        found = self.points.setdefault(file, [])
        if (line, col, order, span, text) not in found:
            found.append((line, col, order, span, text))

    def edited(self):
        """The files with the edits: {name: (old text, new text)}."""
        done = {}
        for file, points in self.points.items():
            text = self.read(file)
            lines = text.split("\n")
            for line in {p[0] for p in points}:
                inside = sorted((p for p in points if p[0] == line and p[1] is not None), key=lambda p: p[1:4])
                raw = lines[line - 1].encode()
                for p in reversed(inside):  # columns are bytes
                    raw = raw[: p[1]] + p[4].encode() + raw[p[1] :]
                lines[line - 1] = raw.decode()
            for p in sorted((p for p in points if p[1] is None), reverse=True):
                lines.insert(p[0], p[4])
            done[file] = text, _imported(text, lines, file in self.helped)
        return done

    def line_before(self, file, line):
        """Of a line of an edited file, the line that it was."""
        if file not in self._lines:
            old, new = self.edited().get(file, ("", ""))
            blocks = difflib.SequenceMatcher(None, old.split("\n"), new.split("\n"), False).get_opcodes()
            self._lines[file] = [min(i + n + 1, j) or 1 for _, i, j, k, m in blocks for n in range(m - k)]
        lines = self._lines[file]
        return lines[line - 1] if 0 < line <= len(lines) and file in self.points else line

    def head(self, file):
        """What the edits of a file use, as the lines that they add for it."""
        return "\n".join([*_imports(_parsed(self.read(file)), file in self.helped, ()), *(_helper(_parsed(self.read(file))) if file in self.helped else ())])

    def diff(self):
        """A unified diff of all files, with names relative to the current folder where they are below it."""
        out = []
        for file, (old, new) in sorted(self.edited().items()):
            name = os.path.relpath(file) if os.path.abspath(file).startswith(os.getcwd() + os.sep) else file
            out += difflib.unified_diff(old.splitlines(), new.splitlines(), f"a/{name.lstrip('/')}", f"b/{name.lstrip('/')}", lineterm="")
        return "".join(line + "\n" for line in out)


def _read(file):
    try:
        with open(file, encoding="utf-8", newline="") as f:
            return f.read()
    except (OSError, UnicodeDecodeError):
        return "".join(linecache.getlines(file)) or None  # a cell of a notebook


@functools.lru_cache(maxsize=16)
def _parsed(text):
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _steps(places, chosen):
    """Specs by shape that values go through, the chosen ones last; those before are of the first place of a shape that has them."""
    via = {}
    for p in places:
        if p.via and p.spec == chosen[p.shape]:
            via.setdefault(p.shape, p.via)
    deepest = max(map(len, via.values()), default=0)
    early = [{shape: via[shape][k] for shape in via if k < len(via[shape])} for k in range(deepest)]
    return [*early, chosen]


def _unlike(places):
    """One place for each sharding."""
    return list({(p.spec, p.shape): p for p in places}.values())


def _find(tree, p):
    """The expression, or the statement, at exactly a place, and what it is part of; without columns, the only statement of the line."""
    found = parent = None
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if not hasattr(child, "end_lineno"):
                continue
            if (child.lineno, child.col_offset, child.end_lineno, child.end_col_offset) == (p.line, p.col, p.end_line, p.end_col):
                if isinstance(child, (ast.expr, ast.AugAssign)) and not isinstance(getattr(child, "ctx", None), ast.Store):
                    found, parent = child, node
            elif not p.end_col and isinstance(child, ast.Assign) and child.lineno == p.line:
                return child.value, child
    if isinstance(found, ast.AugAssign):
        return found, found
    return found, parent


def _assigned(found, parent):
    """The plain name to which a statement assigns the whole expression."""
    if isinstance(parent, ast.Assign) and parent.value is found and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        return parent.targets[0].id
    if isinstance(parent, (ast.AnnAssign, ast.AugAssign)) and (parent is found or parent.value is found) and isinstance(parent.target, ast.Name):
        return parent.target.id if parent is found or isinstance(parent, ast.AnnAssign) else None
    return None


def _operands(found):
    """Expressions of the arrays that an operation, or a call such as jnp.einsum("ij,jk->ik", a, b), takes."""
    if isinstance(found, ast.BinOp):
        return [found.left, found.right]
    args = found.args if isinstance(found, ast.Call) and not found.keywords else []
    args = args[1:] if args and isinstance(args[0], ast.Constant) and isinstance(args[0].value, str) else args
    return [] if any(isinstance(a, ast.Starred) for a in args) else args


def _unpacks(parent):
    """Into how many a value is taken apart: an array, if it has as many rows; 0 if it is not."""
    targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
    return max(len(t.elts) if isinstance(t, (ast.Tuple, ast.List)) else 0 for t in targets)


def _alone(statement, lines):
    """Whether nothing else is in the lines of a statement."""
    before = lines[statement.lineno - 1].encode()[: statement.col_offset]
    after = lines[statement.end_lineno - 1].encode()[statement.end_col_offset :].split(b"#")[0]
    return not before.strip() and not after.strip()


def _spec_name(tree):
    """P, or PartitionSpec in a file where P is something else."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "P" and isinstance(node.ctx, ast.Store) or isinstance(node, ast.arg) and node.arg == "P":
            return "PartitionSpec"
        if isinstance(node, ast.alias) and (node.asname or node.name) == "P" and node.name != "PartitionSpec":
            return "PartitionSpec"
    return "P"


HELPER = '''

def {name}(x, specs, gradient=True):
    """Constrains arrays of the shapes that specs has; their gradients, too, or as they come."""
    if x.shape not in specs:
        return x

    def constrain(x):
        return with_sharding_constraint(x, specs[x.shape])

    forward = custom_vjp(constrain)
    forward.defvjp(lambda x: (constrain(x), None), lambda _, g: (g,))
    return constrain(x) if gradient else forward(x)'''


def _helper_name(tree):
    """A name that the file does not use."""
    used = {getattr(n, "id", None) or getattr(n, "name", None) or getattr(n, "arg", None) for n in ast.walk(tree)}
    return "sharded" if "sharded" not in used else "sharded_by_shape"


def _helper(tree):
    return HELPER.replace("{name}", _helper_name(tree)).split("\n")


def _imports(tree, helped, names):
    """Lines that import what edits use, but for these (name, module, real name)."""
    spec = _spec_name(tree)
    needed = [("custom_vjp", "jax", "custom_vjp")] * helped
    needed += [("with_sharding_constraint", "jax.lax", "with_sharding_constraint"), (spec, "jax.sharding", "PartitionSpec")]
    return [f"from {module} import {real}{f' as {name}' if name != real else ''}" for name, module, real in needed if (name, module, real) not in names]


def _imported(text, lines, helped):
    """The lines as text, with imports of the names that the edits use, and the helper behind all imports."""
    tree, at, end, names = _parsed(text), 0, 0, set()
    for node in tree.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) and node is tree.body[0]:
            at = end = node.end_lineno
        elif not isinstance(node, (ast.Import, ast.ImportFrom)):
            break
        else:
            end = node.end_lineno
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            at = node.end_lineno
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            names |= {(a.asname or a.name, node.module, a.name) for a in node.names}
    return "\n".join(lines[:at] + _imports(tree, helped, names) + lines[at:end] + (_helper(tree) if helped else []) + lines[end:])
