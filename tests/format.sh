#!/bin/sh
# format.sh - clang-format of one version over all C sources: other versions lay the same code out differently.
#
#   format.sh -i | --dry-run -Werror
#
# Takes the clang-format of the system when it is of that version, else one from PyPI in a virtual environment under build/.
# Exit code: that of clang-format; 77 when there is none, with the reason.
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
