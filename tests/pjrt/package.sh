#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# package.sh - the Python package: a wheel is made, installed in a new environment, used and uninstalled. Nothing is fetched: where Python
# lacks pip, venv or what makes wheels, it is skipped.
cd "$(dirname "$0")/../.." || exit 3
. tests/common.sh
python=${JAX_PYTHON:-python3}
if [ -z "$JAX_PYTHON" ] && ! "$python" -c 'import setuptools.command.bdist_wheel' 2>/dev/null; then
    python=$(sh tests/python.sh) || python=python3 # that environment may have what makes wheels
    case $python in */*) python=$PWD/$python ;; esac
fi
root=$PWD
library=$(cd "${BUILD:-build}" && pwd)/pjrt_plugin_tessera.so
for needed in pip venv setuptools; do
    if ! "$python" -c "import $needed" >/dev/null 2>&1; then
        echo "skipped: $python has no $needed"
        exit
    fi
done
if ! "$python" -c 'import setuptools.command.bdist_wheel' 2>/dev/null && ! "$python" -c 'import wheel.bdist_wheel' 2>/dev/null; then
    echo "skipped: $python cannot make wheels, and nothing is fetched here"
    exit
fi

sh tests/python/loads.sh "$python" "$library" || exit 0

expect() { # what, command...: it must work
    what=$1
    shift
    if "$@" >"$tmp/error" 2>&1; then good; else bad "$what" 20; fi
}

pip() { # in the new environment
    "$python" -m pip --disable-pip-version-check --python "$tmp/env/bin/python" "$@"
}

expect 'wheels are made' env PYTHON="$python" TESSERA_PLUGIN="$library" TESSERA_LIBRARY="${library%/*}/libtessera.so" TESSERA_COMMAND="${library%/*}/bin/tessera" sh python/wheel.sh "$tmp/wheel" --no-index
wheel=$(echo "$tmp"/wheel/tessera_compiler-*.whl)
tt=$(echo "$tmp"/wheel/tessera_tt-*-py3-none-any.whl)
machine=$("$python" -c 'import sysconfig; print(sysconfig.get_platform().replace("-", "_").replace(".", "_"))')
expect 'its tag is any Python 3, this machine' test "${wheel%-py3-none-"$machine".whl}" != "$wheel"
expect 'a new environment' "$python" -m venv --without-pip "$tmp/env"
expect 'it installs' pip install --quiet --no-index --no-deps "$wheel"
unset TESSERA_PLUGIN TESSERA_LIBRARY TESSERA_COMMAND PYTHONPATH
cd "$tmp" || exit 3
echo 'func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }' >"$tmp/same.mlir"
expect 'the command is installed, and runs' "$tmp/env/bin/tessera" run "$tmp/same.mlir" --input=2xf32=1,2 --expect=2xf32=1,2
expect 'the library is inside' "$tmp/env/bin/python" -c "
import ctypes, importlib.metadata, tessera
assert tessera.plugin_path().startswith('$tmp/env/'), tessera.plugin_path()
assert tessera.__version__ == importlib.metadata.version('tessera-compiler') != '0+source', tessera.__version__
assert ctypes.CDLL(tessera.plugin_path()).GetPjrtApi
points = importlib.metadata.entry_points(group='jax_plugins')
assert [p.value for p in points] == ['jax_plugins.tessera'], points"
expect 'it has signatures for editors' "$tmp/env/bin/python" -c "
import ast, pathlib, tessera
text = (pathlib.Path(tessera.__file__).parent / 'builder.pyi').read_text()
assert ast.parse(text) and 'def transpose(self, operand: Value | Op, permutation' in text"
expect 'it builds a module' "$tmp/env/bin/python" -c "
import tessera as ts
b = ts.Builder()
with b.function('main', [((2,), 'f32')]) as (x,):
    b.ret(b.tanh(x))
assert 'stablehlo.tanh' in str(b.module)"
if numpy=$(cd "$root" && sh tests/python.sh); then
    packages=$(cd "$root" && "$numpy" -c 'import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))')
    mkdir "$tmp/numpy" && for part in "$packages"/numpy*; do ln -s "$part" "$tmp/numpy/"; done # NumPy, and nothing else that is there
    if PYTHONPATH=$tmp/numpy "$tmp/env/bin/python" -c 'import numpy' >/dev/null 2>&1; then
        for script in package goldens docs; do
            expect "installed: $script.py" env PYTHONPATH="$tmp/numpy" TESSERA_INSTALLED=1 "$tmp/env/bin/python" "$root/tests/python/$script.py"
        done
    fi
fi
if "$python" -c 'import jax' >/dev/null 2>&1; then
    packages=$("$python" -c 'import jax, os; print(os.path.dirname(os.path.dirname(jax.__file__)))')
    expect 'JAX finds it' env PYTHONPATH="$packages" JAX_PLATFORMS=tessera TESSERA_DEVICES=3 "$tmp/env/bin/python" -W ignore -c "
import jax
assert [d.platform for d in jax.devices()] == ['tessera'] * 3
assert int(jax.jit(lambda x: x + 1)(1)) == 2"
fi
expect 'the packages of tt-mlir install, too' pip install --quiet --no-index --no-deps "$tt"
expect 'they build a module' "$tmp/env/bin/python" -c "
import _ttmlir_runtime, ttnn
from profiler import trace
assert callable(trace)
from ttmlir.dialects import func, ttir
from ttmlir.ir import *
with Context(), Location.unknown():
    module = Module.create()
    kind = RankedTensorType.get([2], F32Type.get())
    with InsertionPoint(module.body):
        func.func(kind, name='main')(lambda x: ttir.AbsOp(kind, x).result)
    assert 'ttir.abs' in str(module)"
expect 'they go' pip uninstall --quiet --yes tessera-tt
expect 'it goes' pip uninstall --quiet --yes tessera-compiler
expect 'nothing of it stays' test -z "$(find "$tmp/env" -name '*tessera*')"
# The source tree with its extra "tt": pip builds both packages, here with the tools and the NumPy that are there.
if [ -d "$tmp/numpy" ]; then
    tools=$("$python" -c 'import os, setuptools; print(os.path.dirname(os.path.dirname(setuptools.__file__)))')
    for part in "$tools"/setuptools* "$tools"/wheel* "$tools"/pkg_resources "$tools"/packaging* "$tools"/_distutils_hack; do
        [ ! -e "$part" ] || ln -s "$part" "$tmp/numpy/"
    done
    expect 'the source tree installs with [tt]' env PYTHONPATH="$tmp/numpy" TESSERA_PLUGIN="$library" TESSERA_LIBRARY="${library%/*}/libtessera.so" \
        TESSERA_COMMAND="${library%/*}/bin/tessera" "$python" -m pip --disable-pip-version-check --python "$tmp/env/bin/python" install --quiet --no-index \
        --no-build-isolation "$root/python[tt]"
    expect 'it has the command and both packages' env PYTHONPATH="$tmp/numpy" sh -c "'$tmp/env/bin/tessera' --version && '$tmp/env/bin/python' -c 'import ttmlir.ir, tessera.module'"
fi
counts
