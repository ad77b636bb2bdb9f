# SPDX-License-Identifier: Apache-2.0
"""Questions about locations, types and ops."""

import re

from .ir import Location

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def _body(loc):
    text = str(loc)
    return text[4:-1] if text.startswith("loc(") else text


def is_name_loc(loc):
    return re.match(r'"(?:[^"\\]|\\.)*"(?!:\d)', _body(loc)) is not None


def is_file_line_col_loc(loc):
    return re.match(r'"(?:[^"\\]|\\.)*":\d', _body(loc)) is not None


def is_fused_loc(loc):
    return _body(loc).startswith("fused")


def get_loc_name(loc):
    """The name of a name location; None for others."""
    return _QUOTED.match(_body(loc)).group(1) if is_name_loc(loc) else None


def get_loc_full(loc):
    return str(loc)


def get_fused_locations(loc):
    """The parts of a fused location; itself for others."""
    body = _body(loc)
    if not is_fused_loc(loc):
        return [loc]
    parts, depth, start, quoted = [], 0, body.index("[") + 1, False
    for i in range(start, len(body)):
        ch = body[i]
        quoted ^= ch == '"' and body[i - 1] != "\\"
        if quoted:
            continue
        if (ch == "," and depth == 0) or (ch == "]" and depth == 0):
            parts.append(body[start:i].strip())
            start = i + 1
            if ch == "]":
                break
        depth += (ch in "([") - (ch in ")]")
    return [Location.parse(f"loc({p})", loc.context) for p in parts if p]


def is_dps(op):
    """Whether its results are written into operands: no op here does that."""
    return False


def element_type_to_data_type(type):
    """The number of a type of elements in binaries."""
    from .passes import DataType

    text = str(type)
    names = {"f32": "Float32", "f16": "Float16", "bf16": "BFloat16", "f64": "Float64", "i1": "Bool"}
    if text in names:
        return DataType[names[text]]
    found = re.fullmatch(r"(s|u)?i(\d+)", text)
    if not found:
        raise ValueError(f"{text} is no type of elements in binaries")
    return DataType[("UInt" if found[1] == "u" else "Int") + found[2]]


def debug_print_module(module):
    print(module.operation.get_asm(enable_debug_info=True))


def get_write_effect_operand_indices(op):
    """Operands that the op changes in place."""
    from .dialects import _effects

    return _effects.written(op)
