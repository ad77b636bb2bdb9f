# large_constant.sh - a sharded program with a constant of 256 KiB, no two elements of which are equal.
printf 'sdy.mesh @m = <["x"=2]>\n'
printf 'func.func @main(%%a: tensor<65536xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<65536xf32> {\n'
printf '  %%c = stablehlo.constant dense<"0x'
awk 'BEGIN { for (i = 0; i < 65536; i++) printf "%04X003F", i }'
printf '"> : tensor<65536xf32>\n'
printf '  %%0 = stablehlo.add %%a, %%c : tensor<65536xf32>\n'
printf '  return %%0 : tensor<65536xf32>\n}\n'
