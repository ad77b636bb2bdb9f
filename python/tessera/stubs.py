# SPDX-License-Identifier: Apache-2.0
"""Writes builder.pyi: a signature for each method that the tables give, for editors and type checkers.

    python -m tessera.stubs > builder.pyi
"""

import sys

from .builder import Builder, _python_name, _Row
from .context import default_context

_HEAD = '''"""Made from the tables of ops by `python -m tessera.stubs`."""

from typing import Any, Callable, ContextManager, Sequence

from .context import Context
from .goldens import Goldens
from .module import Module
from .ops import Block, Op, Region, Value
from .types import Attr, Type

AnyType = Type | str | tuple[Sequence[int | None], Any] | Any
Body = Callable[..., Any] | Region

class Builder:
    module: Module
    dialect: str
    def __init__(self, module: Module | None = ..., dialect: str = ..., context: Context | None = ...) -> None: ...
    def at_end(self, block: Block) -> "Builder": ...
    def before(self, op: Op) -> "Builder": ...
    def after(self, op: Op) -> "Builder": ...
    def set_goldens(self, given: dict[Value, Any]) -> None: ...
    def set_operand_goldens(self, given: dict[Value, Any]) -> None: ...
    def bypass(self, *values: Any, on: bool = ...) -> None: ...
    def golden(self, value: Value | Op, device: int = ...) -> Any: ...
    def goldens(self, functions: Sequence[str] | None = ..., **options: Any) -> Goldens: ...
    def function(self, name: str, inputs: Sequence[AnyType], outputs: Sequence[AnyType] | None = ..., loc: Any = ..., visibility: str | None = ..., arg_attrs: Sequence[dict[str, Any] | None] | None = ..., block: Block | None = ...) -> ContextManager[list[Value]]: ...
    def func(self, *inputs: AnyType, name: str | None = ..., **options: Any) -> Callable[[Callable[..., Any]], Op]: ...
    def ret(self, *values: Any, loc: Any = ...) -> Op: ...
    def call(self, function: Op | str, *values: Any, loc: Any = ...) -> Any: ...
    def constant(self, array: Any, type: AnyType | None = ..., loc: Any = ...) -> Value: ...
    def empty_region(self) -> Region: ...
    def region(self, types: Sequence[AnyType], body: Callable[..., Any], loc: Any = ...) -> Region: ...
    def op(self, name: str, operands: Sequence[Value | Op] = ..., attrs: dict[str, Any] | None = ..., results: Sequence[AnyType] | None = ..., regions: Sequence[Region] = ..., groups: Sequence[int] | None = ..., loc: Any = ..., successors: Sequence[Block] = ..., unfinished: bool = ...) -> Op: ...
'''

_FORMS = {
    "unit": "bool",
    "bool": "bool",
    "i32": "int",
    "i64": "int",
    "int": "int",
    "f32": "float",
    "f64": "float",
    "float": "float",
    "string": "str",
    "i1s": "Sequence[bool]",
    "i32s": "Sequence[int]",
    "i64s": "Sequence[int]",
}


def _parameter(name, kind, part, optional):
    if kind == "operand":
        text = "Value | Op" if part["arity"] == "one" else "Sequence[Value | Op] | Value | Op"
    elif kind == "region":
        text = "Body" if part["arity"] == "one" else "Sequence[Body]"
    elif part["form"] == "enum":
        cases = ", ".join(repr(case) for case in part["cases"])
        text = f"Literal[{cases}] | Attr"
    else:
        text = f"{_FORMS[part['form']]} | Attr" if part["form"] in _FORMS else "Any"
    return f"{name}: {text} | None = ..." if optional else f"{name}: {text}"


def _method(row):
    parts, optional = [], False
    for name, (kind, part) in row.kinds.items():
        optional |= part.get("arity") != "one" if kind != "attribute" else part["need"] != "required"
        parts.append(_parameter(name, kind, part, optional))
    star = "*, output_type: AnyType | list[AnyType] | None = ..., loc: Any = ..., unit_attrs: Sequence[str] | None = ..., attrs: dict[str, Any] | None = ..."
    result = "Value" if row.result_count == 1 and row.row["results"][0]["arity"] == "one" else "Any"
    local = _python_name(row.name.partition(".")[2])
    return f"    def {local}(self, {', '.join([*parts, star])}) -> {result}: ...\n"


def stubs(out):
    """Methods of each dialect in a class of its own; the builder has those of StableHLO, TTIR and Graph IR, whichever is its own."""
    context = default_context()
    names = [d for d in context.dialects() if not hasattr(Builder, d)]
    out.write(_HEAD.replace("from typing import Any, Callable, ContextManager, Sequence", "from typing import Any, Callable, ContextManager, Literal, Sequence"))
    for name in names:
        out.write(f"    {name}: {name.title()}\n")
    seen = set()
    for name in ("stablehlo", "ttir", "tessera"):
        for row in context.rows(name).values():
            local = _python_name(row["name"].partition(".")[2])
            if local not in seen and local.isidentifier() and not hasattr(Builder, local):
                seen.add(local)
                out.write(f"    def {local}(self, *args: Any, **given: Any) -> Any: ...\n")
    for name in names:
        out.write(f"\nclass {name.title()}:\n")
        made = [_method(_Row(row)) for row in context.rows(name).values() if _python_name(row["name"].partition(".")[2]).isidentifier()]
        out.write("".join(made) or "    ...\n")


if __name__ == "__main__":
    stubs(sys.stdout)
