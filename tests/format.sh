#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# format.sh - runs one pinned version of clang-format on all C sources: other versions format the same code differently.
#
#   format.sh -i | --dry-run -Werror
#
# Uses the system's clang-format if it has that version, otherwise one from PyPI in a virtual environment under build/.
# Exit code: that of clang-format; 77, with the reason, if there is none.
cd "$(dirname "$0")/.." || exit 3
version=14.0.6
env=build/format
is_right() { "$1" --version 2>/dev/null | grep -q "version $version"; }

tool=${CLANG_FORMAT:-clang-format}
if ! is_right "$tool"; then
    tool=$env/bin/clang-format
    if ! is_right "$tool"; then
        if ! { python3 -m venv "$env" && "$env/bin/pip" install -q --timeout 20 "clang-format==$version"; } >/dev/null 2>&1; then
            echo "skipped: no clang-format $version here, and pip could not install it"
            exit 77
        fi
    fi
fi
git ls-files '*.c' '*.h' | xargs "$tool" --style=file "$@"
