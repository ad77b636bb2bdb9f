#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each function of ttnn that the emitter calls in C++ (src/lower/emit/calls.def) is in the header that emitted programs are compiled with, in the form of its results.

    functions.py [--write]

--write: makes ttnn-functions.def anew."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FOLDER = os.path.join(ROOT, "python", "tt", "ttnn", "cpp")
ROWS = os.path.join(FOLDER, "ttnn-functions.def")
KINDS = {"ONE": "FUNCTION", "VECTOR": "FUNCTION", "TUPLE": "FUNCTION", "OPTIONALS": "OPTIONALS", "VARIANT": "CONVOLUTION", "VARIANT_1D": "CONVOLUTION"}
SIZES = {"VARIANT": ", std::tuple<uint32_t, uint32_t>", "VARIANT_1D": ", uint32_t"}


def calls():
    """Functions of calls.def: name and form of results. Its macros of one name are UNARY and the like."""
    with open(os.path.join(ROOT, "src", "lower", "emit", "calls.def")) as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S).replace("\\\n", " ")
    macros = set(re.findall(r"#define (\w+)\(id, name\)", text))
    found = {name: "ONE" for macro, name in re.findall(r'\b([A-Z_]+)\(\w+, "(\w+)"\)', text) if macro in macros}
    found = {f"ttnn::{name}": kind for name, kind in found.items()}
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    text = re.sub(r'"\s+"', "", text)
    for name, kind in re.findall(r'CALL\(\s*\w+,\s*"([^"]*)",\s*"[^"]*",\s*(\w+),', text):
        found.setdefault(name.removeprefix("::"), kind)
    return found


def by_hand():
    """Functions that the header itself has."""
    with open(os.path.join(FOLDER, "ttnn-precompiled.hpp")) as file:
        return file.read()


def main():
    header, rows = by_hand(), []
    for name, kind in calls().items():
        space, _, function = name.rpartition("::")
        row = f"{KINDS[kind]}({space}, {function}{SIZES.get(kind, '')})"
        if not re.search(rf"[ :*&]{function}\(", header):
            rows.append(row)
    if "--write" in sys.argv:
        with open(ROWS) as file:
            head = [line for line in file.read().splitlines() if line.startswith("/")]
        with open(ROWS, "w") as file:
            file.write("\n".join([*head, "", *rows]) + "\n")
    with open(ROWS) as file:
        have = {line for line in file.read().splitlines() if line and not line.startswith("/")}
    missing, more = [r for r in rows if r not in have], sorted(have - set(rows))
    for row in missing:
        print(f"missing in {os.path.relpath(ROWS, ROOT)}: {row}")
    for row in more:
        print(f"not of calls.def: {row}")
    print(f"{len(rows)} functions of ttnn in C++")
    return 1 if missing or more or len(rows) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
