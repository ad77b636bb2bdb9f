#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# empty.sh - modules with empty lists (no functions, arguments, results, ops, dimensions, elements, attributes) through every pass and
# every tool: a result or a diagnostic. In a build with clang's UndefinedBehaviorSanitizer, lists that are null pointers show.
cd "$(dirname "$0")/.." || exit 3
. tests/common.sh
cat >"$tmp/empty.mlir" <<'END'
// -----
func.func @main() {
  return
}
// -----
func.func private @main()
// -----
module @outer { module @inner { } }
// -----
func.func @main(%a: tensor<4xf32>) {
  return
}
// -----
func.func @main() -> tensor<0xf32> {
  %0 = stablehlo.constant dense<> : tensor<0xf32>
  return %0 : tensor<0xf32>
}
// -----
func.func @main(%a: tensor<0x4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<0x4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
sdy.mesh @mesh = <[]>
func.func @main(%a: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> tensor<f32> {
  return %a : tensor<f32>
}
// -----
func.func private @f() {
  return
}
func.func @main() {
  call @f() : () -> ()
  return
}
// -----
func.func @main() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi8>
  check.expect_eq_const %a, dense<[1, 2, 3]> : tensor<3xi8>
  return
}
// -----
func.func @main() {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<32x32xf32>}> : () -> tensor<32x32xf32>
  %1 = "ttir.abs"(%0) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return
}
// -----
func.func @main(%t: !stablehlo.token) -> !stablehlo.token {
  %c = stablehlo.constant dense<true> : tensor<i1>
  "stablehlo.if"(%c) ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  %0 = stablehlo.after_all  : !stablehlo.token
  stablehlo.custom_call @nothing() {has_side_effect = true} : () -> ()
  %1 = stablehlo.tuple  : tuple<>
  return %0 : !stablehlo.token
}
END

# answers WHAT COMMAND...: ends with one of the documented exit codes.
answers() {
    what=$1
    shift
    "$@" >"$tmp/out" 2>"$tmp/error"
    code=$?
    if [ $code -le 3 ]; then good; else bad "$what: exit code $code"; tail -n 5 "$tmp/error"; fi
}

T=$BUILD/bin/tessera
"$T" opt --list-passes | awk '{ print $1 }' >"$tmp/passes"
while read -r pass; do
    case $pass in sdy-save-module) continue ;; esac # it wants a file
    answers "$pass" "$T" opt "--$pass" --split-input-file "$tmp/empty.mlir"
done <"$tmp/passes"
awk -v dir="$tmp" '/^\/\/ -----/ { n++; next } { print >(dir "/part" n ".mlir") }' "$tmp/empty.mlir"
: >"$tmp/part0.mlir"
for part in "$tmp"/part*.mlir; do
    name=${part##*/}
    for command in 'run --input=random' 'run --input=random --engine=reference' 'run --input=random --spmd --mesh=x=2' \
        'run --input=random --check=ops' 'shard --mesh=x=2' 'shard --auto --devices=2' 'simulate --mesh=x=2' 'explain --mesh=x=2' \
        "explore -o $tmp/page.html" "explore --svg --mesh=x=2 -o $tmp/page.svg" "compile -o $tmp/x.tsrx" "compile --emit=c -o $tmp/x.c" \
        grad 'translate --serialize --target=current' 'translate --ttnn-to-flatbuffer' 'translate --mlir-to-cpp' 'translate --mlir-to-python' \
        'translate --interpret' 'opt --emit-bytecode' 'opt --mlir-print-op-generic'; do
        # shellcheck disable=SC2086 # words are wanted
        answers "$name: $command" "$T" $command "$part"
    done
done
counts && [ $passed -gt 400 ]
