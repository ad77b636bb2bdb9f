# SPDX-License-Identifier: Apache-2.0
# deb.sh - what the Debian packages put into a system.
set -e
tessera --version
printf 'func.func @main(%%x: tensor<2xf32>) -> tensor<2xf32> { return %%x : tensor<2xf32> }\n' >same.mlir
tessera run same.mlir --input=2xf32=1,2 --expect=2xf32=1,2
tessera devices cuda 2>&1 | grep -q 'driver: missing'
/usr/libexec/tessera/sdy_opt same.mlir | grep -q 'func.func @main'
# Minimal systems drop man pages and documents when they install packages; the packages have them.
dpkg -L tessera | grep -qx /usr/share/man/man1/tessera.1.gz
dpkg -L tessera | grep -qx /usr/share/bash-completion/completions/tessera
ldconfig -p | grep -q libtessera.so.0
python3 -c "
import ctypes, tessera
assert tessera.__version__, tessera
assert ctypes.CDLL(tessera.plugin_path()).GetPjrtApi
m = tessera.Module.parse('func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }')
assert 'func.func' in str(m)
import importlib.metadata
assert importlib.metadata.version('tessera-compiler') == tessera.__version__"
