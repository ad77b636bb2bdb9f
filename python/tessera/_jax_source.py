"""Shardings as text, and constraints as edits of source files. Nothing here needs JAX."""

import ast
import difflib
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


def mesh_of(text):
    """Names and sizes of "dp=2,tp=4"."""
    found = {}
    for part in text.split(","):
        axis = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*=\s*([0-9]+)\s*", part)
        if not axis or int(axis.group(2)) < 1 or axis.group(1) in found:
            raise InputError(f"mesh: names and sizes such as 'dp=2,tp=4' are expected, not {text!r}")
        found[axis.group(1)] = int(axis.group(2))
    return found


@dataclass
class Place:
    """A constraint and where the value that it is for was written. why: what an edit cannot express; shapes: of all values that the expression there gives."""

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

    @property
    def where(self):
        return f"{os.path.basename(self.file)}:{self.line}"


class Edits:
    """What to write into source files so that the program has the constraints, and what cannot be written."""

    def __init__(self, places, read=None):
        self.read = read or _read
        self.points, self.advice = {}, []
        groups = {}
        for p in places:
            groups.setdefault((p.file, p.line, p.col, p.end_line, p.end_col), []).append(p)
        for key in sorted(groups):
            self._group(groups[key])

    def _group(self, group):
        fine = [p for p in group if not p.why]
        for p in group:
            if p.why:
                self._say(p, p.why)
        if not fine:
            return
        p = fine[0]
        why = self._conflict(fine) or self._edit(p)
        if why:
            for p in _unlike(fine):
                self._say(p, why)

    @staticmethod
    def _conflict(fine):
        specs = {p.spec for p in fine}
        shapes = set().union(*(p.shapes or {p.shape} for p in fine))
        if len(specs) > 1:
            return f"the expression is computed several times, with {len(specs)} shardings"
        if len(shapes) > 1:
            return f"the expression is computed several times, with {len(shapes)} shapes"
        return ""

    def _say(self, p, why):
        cost = f"; {p.cost}" if p.cost else ""
        line = f"{p.where} ({p.function}): {spec_text(p.spec)} of {list(p.shape)}: {why}{cost}"
        if line not in self.advice:
            self.advice.append(line)

    def _edit(self, p):
        """Adds the edit of a place; the reason why there is none."""
        text = self.read(p.file)
        if text is None:
            return "the source is not a file that can be read"
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return "the source is no Python that can be read"
        found, parent = _find(tree, p)
        if found is None:
            return "the expression was not found in its line"
        lines, spec = text.split("\n"), spec_text(p.spec, _spec_name(tree))
        name = _assigned(found, parent)
        if name and _alone(parent, lines):
            indent = lines[parent.lineno - 1][: len(lines[parent.lineno - 1]) - len(lines[parent.lineno - 1].lstrip())]
            note = f"  # {p.cost}" if p.cost else ""
            self._point(p.file, parent.end_lineno, None, 0, f"{indent}{name} = with_sharding_constraint({name}, {spec}){note}")
            return ""
        if isinstance(found, ast.stmt):
            return "the line assigns to no plain name"
        if isinstance(parent, (ast.Assign, ast.For, ast.comprehension)) and not name and _unpacks(parent) not in (0, p.shape[0] if p.shape else None):
            return "the value is taken apart where it is made"
        span = (found.end_lineno - found.lineno, found.end_col_offset - found.col_offset)
        self._point(p.file, found.lineno, found.col_offset, 1, "with_sharding_constraint(", (-span[0], -span[1]))
        self._point(p.file, found.end_lineno, found.end_col_offset, 0, f", {spec})", span)
        return ""

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
            done[file] = text, _imported(text, lines)
        return done

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
        return None


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


def _imported(text, lines):
    """The lines as text, with imports of the names that the edits use."""
    tree, at, names = ast.parse(text), 0, set()
    for node in tree.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) and node is tree.body[0]:
            at = node.end_lineno
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            at = node.end_lineno
        if isinstance(node, ast.ImportFrom):
            names |= {(a.asname or a.name, node.module, a.name) for a in node.names}
    spec = _spec_name(tree)
    needed = [("with_sharding_constraint", "jax.lax", "with_sharding_constraint"), (spec, "jax.sharding", "PartitionSpec")]
    new = [f"from {module} import {real}{f' as {name}' if name != real else ''}" for name, module, real in needed if (name, module, real) not in names]
    return "\n".join(lines[:at] + new + lines[at:])
