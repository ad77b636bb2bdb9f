# SPDX-License-Identifier: Apache-2.0
# wheel.sh - what the wheel puts into an environment: commands, man pages, completions.
set -e
PATH=/v/bin:$PATH
tessera --version
printf 'func.func @main(%%x: tensor<2xf32>) -> tensor<2xf32> { return %%x : tensor<2xf32> }\n' >same.mlir
tessera run same.mlir --input=2xf32=1,2 --expect=2xf32=1,2
tessera devices cuda 2>&1 | grep -q 'driver: missing'
for c in stablehlo-opt sdy_opt ttmlir-opt; do $c same.mlir | grep -q 'func.func @main'; done
stablehlo-translate --serialize same.mlir --target=1.0.0 -o same.bc
ttrt --help >same.help
test -s /v/share/man/man1/tessera.1
test -s /v/share/man/man1/tessera-run.1
test -s /v/share/bash-completion/completions/tessera
python -c "
import tessera
assert tessera.plugin_path().startswith('/v/'), tessera.plugin_path()
m = tessera.Module.parse('func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { %0 = stablehlo.tanh %x : tensor<2xf32> return %0 : tensor<2xf32> }')
assert 'stablehlo.tanh' in str(m)"
