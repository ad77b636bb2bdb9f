BEGIN {
    print "func.func @main(%a0: tensor<4xf32>) -> tensor<4xf32> {"
    for (i = 0; i < 50000; i++) print "  %a" i + 1 " = stablehlo.negate %a" i " : tensor<4xf32>"
    print "  return %a50000 : tensor<4xf32>\n}"
}
