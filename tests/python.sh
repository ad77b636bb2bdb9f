#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# python.sh - prints the path of a Python with NumPy, which some tests need: the system's, if it has NumPy, otherwise
# that of a virtual environment, which is created once for all builds, and also gets ml_dtypes and what makes wheels. If
# there is none, prints why and exits with 1.
# From the environment: PYTHON_ENV, where it is created (default: build/python); PYTHON_SECONDS, how long pip may take.
cd "$(dirname "$0")/.." || exit 3
env=${PYTHON_ENV:-build/python}
seconds=${PYTHON_SECONDS:-90}
said=$(mktemp) || exit 3
made=$env.$$
trap 'rm -rf "$said" "$made"' EXIT

no() { # no REASON [remember]: what failed after a long time is not tried again for an hour
    reason=$(printf '%s\n' "$1" | head -n 1 | cut -c1-160)
    [ -z "$2" ] || printf '%s\n' "$reason" >"$env.failed"
    printf '%s\n' "$reason"
    exit 1
}
has() { # has PYTHON MODULE
    "$1" -c "import $2" >"$said" 2>&1
}
limited() { # limited COMMAND...: not longer than may be; 124: it was
    if command -v timeout >/dev/null 2>&1; then timeout "$seconds" "$@"; else "$@"; fi
}

command -v python3 >/dev/null 2>&1 || no 'no python3 here'
has python3 sys || no "python3 does not run here: $(tail -n 1 "$said")"
for python in python3 "$env/bin/python"; do
    if has "$python" numpy; then
        echo "$python"
        exit
    fi
done
mkdir -p "$(dirname "$env")"
[ -z "$(find "$env.failed" -mmin -60 2>/dev/null)" ] || no "$(cat "$env.failed")"
has python3 venv || no 'no NumPy here, and python3 has no venv to install it in'
has python3 ensurepip || no 'no NumPy here, and python3 has no ensurepip to install it with (Debian: python3-venv)'
limited python3 -m venv "$made" >"$said" 2>&1 || no "no NumPy here, and python3 makes no virtual environment: $(tail -n 1 "$said")" remember
fetch() { # fetch PACKAGE...
    limited "$made/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --timeout 5 --retries 1 \
        --only-binary :all: "$@" >"$said" 2>&1
}
fetch numpy
code=$?
[ $code -ne 0 ] || fetch ml_dtypes setuptools wheel || true # tests that want them are skipped without
[ $code -ne 124 ] || no "no NumPy here, and pip did not install it in $seconds seconds" remember
[ $code -eq 0 ] || no "no NumPy here, and pip does not install it: $(grep -i '^error' "$said" | tail -n 1)" remember
# Another run may have been faster; an environment works wherever it is moved.
rm -f "$env.failed"
[ -x "$env/bin/python" ] && has "$env/bin/python" numpy || { rm -rf "$env" && mv "$made" "$env"; }
has "$env/bin/python" numpy || no "NumPy was installed, and cannot be imported: $(tail -n 1 "$said")"
echo "$env/bin/python"
