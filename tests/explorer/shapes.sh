# SPDX-License-Identifier: Apache-2.0
# shapes.sh - modules of N ops for the explorer's tests, read with `.`.
chain() { # chain N: each op uses the one before it
    awk -v n="$1" 'BEGIN {
        print "func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.negate %arg0 : tensor<4xf32>"
        for (i = 1; i < n; i++) print "  %" i " = stablehlo.add %" (i - 1) ", %" int(i / 2) " : tensor<4xf32>"
        print "  return %" (n - 1) " : tensor<4xf32>\n}" }'
}
wide() { # wide N: all ops in one row
    awk -v n="$1" 'BEGIN {
        print "func.func @main(%arg0: tensor<4xf32>) {"
        for (i = 0; i < n; i++) print "  %" i " = stablehlo.negate %arg0 : tensor<4xf32>"
        print "  return\n}" }'
}
functions() { # functions N: many small ones
    awk -v n="$1" 'BEGIN {
        for (i = 0; i < n / 2; i++)
            print "func.func @f" i "(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.negate %arg0 : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}" }'
}
layers() { # layers N: of 25 ops each, with weights, as a model has them: attention and two products
    awk -v n="$1" 'BEGIN {
        t = "tensor<64x64xf32>"
        printf "func.func @main(%%arg0: " t
        for (i = 1; i <= 6 * n; i++) printf ", %%arg" i ": " t
        print ") -> " t " {\n  %0 = stablehlo.negate %arg0 : " t
        v = 0
        for (l = 0; l < n; l++) {
            x = v
            for (k = 1; k <= 6; k++) {
                w = 6 * l + k
                print "  %" (v + 1) " = stablehlo.dot_general %" v ", %arg" w ", contracting_dims = [1] x [0] : (" t ", " t ") -> " t
                print "  %" (v + 2) " = stablehlo.tanh %" (v + 1) " : " t
                print "  %" (v + 3) " = stablehlo.multiply %" (v + 2) ", %" (v + 1) " : " t
                print "  %" (v + 4) " = stablehlo.exponential %" (v + 3) " : " t
                v += 4
            }
            print "  %" (v + 1) " = stablehlo.add %" v ", %" x " : " t
            v++
        }
        print "  return %" v " : " t "\n}" }'
}
