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
