# A module with two large constants, of bytes and of words, and their sums.
BEGIN {
    print "func.func public @main() -> (tensor<i32>, tensor<i8>) {"
    for (t = 8; t <= 32; t += 24) {
        n = t == 8 ? 5003 : 4099
        printf "%%c%d = stablehlo.constant dense<[", t
        for (i = 0; i < n; i++)
            printf "%s%d", i ? ", " : "", i % 100
        printf "]> : tensor<%dxi%d>\n%%z%d = stablehlo.constant dense<0> : tensor<i%d>\n", n, t, t, t
        printf "%%r%d = stablehlo.reduce(%%c%d init: %%z%d) applies stablehlo.add across dimensions = [0] : ", t, t, t
        printf "(tensor<%dxi%d>, tensor<i%d>) -> tensor<i%d>\n", n, t, t, t
    }
    print "return %r32, %r8 : tensor<i32>, tensor<i8>\n}"
}
