# pointwise.awk - reads `tessera opt --list-ops`; prints a function with each op of StableHLO that has one or two operands and a result of the same
# constraint, and a row in VHLO.
function type(constraint) {
    return constraint ~ /Fp|^HloTensor/ ? "f32" : constraint ~ /Pred/ ? "i1" : constraint ~ /Int/ ? "i32" : ""
}
/^vhlo\./ { name = $1; sub(/^vhlo\./, "", name); sub(/_v[0-9]+\(.*/, "", name); portable[name] = 1 }
/^stablehlo\.[a-z0-9_]+\(operand: [A-Za-z0-9]+\)( \{result_accuracy\?: HloResultAccuracy\})? -> result: [A-Za-z0-9]+$/ && $2 == $NF ")" { add(1, $NF) }
/^stablehlo\.[a-z0-9_]+\(lhs: [A-Za-z0-9]+, rhs: [A-Za-z0-9]+\) -> result: [A-Za-z0-9]+$/ && $2 == $NF "," && $4 == $NF ")" { add(2, $NF) }
function add(n, constraint,   op) {
    op = $1
    sub(/\(.*/, "", op)
    ops[++count] = op
    operands[count] = n
    types[count] = type(constraint)
}
END {
    print "func.func @pointwise(%f32: tensor<4xf32>, %i32: tensor<4xi32>, %i1: tensor<4xi1>) {"
    for (i = 1; i <= count; i++) {
        name = ops[i]
        sub(/^stablehlo\./, "", name)
        t = types[i]
        if (!portable[name] || t == "") continue
        print "  %" i " = \"" ops[i] "\"(%" t (operands[i] > 1 ? ", %" t : "") ") : (tensor<4x" t ">" (operands[i] > 1 ? ", tensor<4x" t ">" : "") ") -> tensor<4x" t ">"
    }
    print "  return"
    print "}"
}
