#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# jax.sh CHECKOUT - JAX's own tests on the plugin (jax_tests.py), and their table in docs/CONFORMANCE.md. JAX_PYTHON: a Python that has
# jax of the checkout's release, and pytest. SAMPLE: how many tests of each file, 0 for all. FILES: which, parted by commas; then
# the document stays as it is.
cd "$(dirname "$0")/../.." || exit 3
python=${JAX_PYTHON:-python3}
build=${BUILD:-build}
if [ ! -d "$1/tests" ]; then
    echo 'usage: make conformance JAX=<checkout of JAX> [JAX_PYTHON=python] [SAMPLE=200] [FILES=lax_test,...]' >&2
    exit 2
fi
if ! "$python" -c 'import jax, pytest' 2>/dev/null; then
    echo "$python has no jax, or no pytest" >&2
    exit 3
fi
mkdir -p "$build/jax"
"$python" tests/conformance/jax_tests.py --checkout "$1" --build "$build" --sample "${SAMPLE:-200}" --files "$FILES" --again |
    tee "$build/jax/table"
[ -z "$FILES" ] || exit 0
# The document's last part is made anew.
{
    awk '/^## JAX/ { exit } { print }' docs/CONFORMANCE.md
    printf "## JAX's own tests\n\nMade by \`make conformance JAX=...\` with JAX %s; %s tests of each file, the same on both platforms.\n" \
        "$("$python" -c 'import jax; print(jax.__version__)')" "${SAMPLE:-200}"
    cat <<'EOF'
They run with `JAX_PLATFORMS=tessera,cpu`: programs that ran on Tessera are counted, and the tests that had any. JAX's tests ask which
tags a device has, and many run on cpu, gpu and tpu only: Tessera's devices, which are in the memory of the host, are given the tag
cpu beside their own, and keep their platform's name. A test that cpu passes and Tessera skips is a miss.

EOF
    cat "$build/jax/table"
    awk "/^## JAX on several processes|^## JAX by version|^## tt-mlir's builder tests/ { if (!found) print \"\"; found = 1 } found" docs/CONFORMANCE.md # jax_processes.py, jax_versions.sh and tt_builder.sh make it
} >"$build/jax/document" && cp "$build/jax/document" docs/CONFORMANCE.md
if "$python" -c 'import portpicker' 2>/dev/null; then "$python" tests/conformance/jax_processes.py "$1" --build "$build"; else echo "several processes: $python has no portpicker"; fi
