// Control flow, calls, tuples, composites, tokens.
// RUN: stablehlo-translate --interpret -split-input-file %s

// Numbers of Fibonacci until one is larger than 50; the bound comes from outside.
func.func @while() {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %bound = stablehlo.constant dense<50> : tensor<i64>
  %r:2 = stablehlo.while(%a = %zero, %b = %one) : tensor<i64>, tensor<i64>
  cond {
    %p = stablehlo.compare LE, %b, %bound : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %b, %s : tensor<i64>, tensor<i64>
  }
  check.expect_eq_const %r#0, dense<34> : tensor<i64>
  check.expect_eq_const %r#1, dense<55> : tensor<i64>
  return
}

// -----

func.func @branches() {
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %i = "stablehlo.if"(%yes) ({
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }, {
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %i, dense<3> : tensor<i32>
  // What is out of range takes the last branch.
  %far = stablehlo.constant dense<-5> : tensor<i32>
  %c = "stablehlo.case"(%far) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %c, dense<2> : tensor<i32>
  return
}

// -----

func.func private @square(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.multiply %x, %x : tensor<i32>
  return %0 : tensor<i32>
}
func.func @main() {
  %a = stablehlo.constant dense<7> : tensor<i32>
  %b = call @square(%a) : (tensor<i32>) -> tensor<i32>
  %c = stablehlo.composite "our.square" %b {decomposition = @square} : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %c, dense<2401> : tensor<i32>
  %t = stablehlo.tuple %a, %b : tuple<tensor<i32>, tensor<i32>>
  %u = stablehlo.get_tuple_element %t[1] : (tuple<tensor<i32>, tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %u, dense<49> : tensor<i32>
  %o:2 = stablehlo.optimization_barrier %a, %u : tensor<i32>, tensor<i32>
  check.expect_eq_const %o#1, dense<49> : tensor<i32>
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %0, %0 : !stablehlo.token
  return
}

// -----

// A loop inside a branch inside a loop: sums of 0..n-1 for odd n below 4.
func.func @nested() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:2 = stablehlo.while(%n = %zero, %sum = %zero) : tensor<i32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %n, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %low = stablehlo.and %n, %one : tensor<i32>
    %odd = stablehlo.compare EQ, %low, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s = "stablehlo.if"(%odd) ({
      %w:2 = stablehlo.while(%i = %zero, %t = %sum) : tensor<i32>, tensor<i32>
      cond {
        %q = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %q : tensor<i1>
      } do {
        %t1 = stablehlo.add %t, %i : tensor<i32>
        %i1 = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %i1, %t1 : tensor<i32>, tensor<i32>
      }
      stablehlo.return %w#1 : tensor<i32>
    }, {
      stablehlo.return %sum : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    %next = stablehlo.add %n, %one : tensor<i32>
    stablehlo.return %next, %s : tensor<i32>, tensor<i32>
  }
  check.expect_eq_const %r#1, dense<3> : tensor<i32>
  return
}

// -----

// A value lives as long as somebody sees it: an operand that the regions of the same op read again, and one that regions
// of regions read after its last use as an operand.
func.func @captured() {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.add %x, %x : tensor<2xi32>
  %j = stablehlo.add %i, %i : tensor<i32>
  %w:2 = stablehlo.while(%k = %j, %z = %y) : tensor<i32>, tensor<2xi32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %k, %one : tensor<i32>
    %c = "stablehlo.case"(%j) ({
      %d = "stablehlo.case"(%j) ({
        %s = stablehlo.add %z, %y : tensor<2xi32>
        stablehlo.return %s : tensor<2xi32>
      }) : (tensor<i32>) -> tensor<2xi32>
      stablehlo.return %d : tensor<2xi32>
    }) : (tensor<i32>) -> tensor<2xi32>
    stablehlo.return %n, %c : tensor<i32>, tensor<2xi32>
  }
  %e = stablehlo.negate %y : tensor<2xi32>
  check.expect_eq_const %w#1, dense<[8, 16]> : tensor<2xi32>
  check.expect_eq_const %e, dense<[-2, -4]> : tensor<2xi32>
  return
}
