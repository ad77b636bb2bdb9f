/* SPDX-License-Identifier: Apache-2.0 */
/* shapes.c - the writers of shapes that do not speak of meshes. */
#include "writers.h"

void write_chain(FILE *f, long n)
{
    static const char *const op[] = {"tanh", "negate", "logistic", "abs", "cosine"};
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        if (i % 3)
            fprintf(f, "  %%v%ld = stablehlo.%s %%v%ld : " T "\n", i + 1, op[i % 5], i);
        else
            fprintf(f, "  %%v%ld = stablehlo.add %%v%ld, %%v%ld : " T "\n", i + 1, i, i / 2);
    main_end(f, n);
}

void write_diamonds(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = stablehlo.%s %%v%ld, %%v%ld : " T "\n", i + 1,
                i % 2 ? "multiply" : "add", i, i);
    main_end(f, n);
}

void write_fan_out(FILE *f, long n)
{
    main_start(f, "%a: " T ", %v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%u%ld = stablehlo.multiply %%a, %%a : " T "\n"
                "  %%w%ld = stablehlo.subtract %%u%ld, %%a : " T "\n"
                "  %%v%ld = stablehlo.add %%v%ld, %%w%ld : " T "\n",
                i, i, i, i + 1, i, i);
    main_end(f, n);
}

void write_dead_ops(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = stablehlo.negate %%v%ld : " T "\n", i + 1, i);
    main_end(f, 0);
}

void write_many_results(FILE *f, long n)
{
    fprintf(f, "func.func @main(");
    list(f, n, "%%a%ld: " T);
    fprintf(f, ") -> (");
    list(f, n, T);
    fprintf(f, ") {\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = stablehlo.tanh %%a%ld : " T "\n", i, i);
    fprintf(f, "  return ");
    list(f, n, "%%v%ld");
    fprintf(f, " : ");
    list(f, n, T);
    fprintf(f, "\n}\n");
}

/* One op of each kind with n operands: their uses, results and bodies are all n long. */
void write_many_operands(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    fprintf(f, "  %%c = stablehlo.concatenate ");
    list(f, n, "%%v0");
    fprintf(f, ", dim = 0 : (");
    list(f, n, T);
    fprintf(f, ") -> tensor<%ldx4xf32>\n", 4 * n);
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%s%ld = stablehlo.slice %%c [%ld:%ld, 0:4] : (tensor<%ldx4xf32>) -> " T "\n",
                i, 4 * i, 4 * i + 4, 4 * n);
    fprintf(f, "  %%b:%ld = stablehlo.optimization_barrier ", n);
    list(f, n, "%%s%ld");
    fprintf(f, " : ");
    list(f, n, T);
    fprintf(f, "\n  %%r:%ld = \"stablehlo.sort\"(", n);
    list(f, n, "%%b#%ld");
    fprintf(f, ") ({\n  ^bb0(");
    list(f, 2 * n, "%%p%ld: tensor<f32>");
    fprintf(f, "):\n    %%l = stablehlo.compare LT, %%p0, %%p1 : (tensor<f32>, tensor<f32>) -> "
               "tensor<i1>\n"
               "    stablehlo.return %%l : tensor<i1>\n  }) {dimension = 0 : i64} : (");
    list(f, n, T);
    fprintf(f, ") -> (");
    list(f, n, T);
    fprintf(f, ")\n");
    fprintf(f, "  return %%r#%ld : " T "\n}\n", n - 1);
}

static void small_function(FILE *f, const char *visibility, long i)
{
    fprintf(f,
            "func.func %s@f%ld(%%a: " T ", %%b: " T ") -> " T " {\n"
            "  %%c = stablehlo.constant dense<2.0> : " T "\n"
            "  %%0 = stablehlo.add %%a, %%b : " T "\n"
            "  %%1 = stablehlo.multiply %%0, %%c : " T "\n"
            "  %%2 = stablehlo.tanh %%1 : " T "\n"
            "  return %%2 : " T "\n}\n",
            visibility, i);
}

void write_functions(FILE *f, long n)
{
    for (long i = 0; i < n; i++)
        small_function(f, "", i);
    main_start(f, "%v0: " T);
    main_end(f, 0);
}

void write_called_functions(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = call @f%ld(%%v%ld, %%v0) : (" T ", " T ") -> " T "\n", i + 1, i, i);
    main_end(f, n);
    for (long i = 0; i < n; i++)
        small_function(f, "private ", i);
}

void write_one_callee(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = call @f0(%%v%ld, %%v0) : (" T ", " T ") -> " T "\n", i + 1, i);
    main_end(f, n);
    small_function(f, "private ", 0);
}

void write_call_chain(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    fprintf(f, "  %%v1 = call @f0(%%v0) : (" T ") -> " T "\n");
    main_end(f, 1);
    for (long i = 0; i < n; i++) {
        fprintf(f,
                "func.func private @f%ld(%%a: " T ") -> " T " {\n"
                "  %%0 = stablehlo.tanh %%a : " T "\n",
                i);
        if (i + 1 < n)
            fprintf(f, "  %%1 = call @f%ld(%%0) : (" T ") -> " T "\n", i + 1);
        fprintf(f, "  return %%%d : " T "\n}\n", i + 1 < n);
    }
}

/* Chains of twenty calls: deeper ones have locations that no reader takes once they are inlined. */
void write_call_chains(FILE *f, long n)
{
    enum { DEPTH = 20 };
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = call @f%ld_0(%%v%ld) : (" T ") -> " T "\n", i + 1, i, i);
    main_end(f, n);
    for (long i = 0; i < n; i++)
        for (int k = 0; k < DEPTH; k++) {
            fprintf(f,
                    "func.func private @f%ld_%d(%%a: " T ") -> " T
                    " {\n  %%0 = stablehlo.tanh %%a : " T "\n",
                    i, k);
            if (k + 1 < DEPTH)
                fprintf(f, "  %%1 = call @f%ld_%d(%%0) : (" T ") -> " T "\n", i, k + 1);
            fprintf(f, "  return %%%d : " T "\n}\n", k + 1 < DEPTH);
        }
}

void write_call_arguments(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (int k = 0; k < 3; k++) {
        fprintf(f, "  %%c%d:%ld = call @f(", k, n);
        for (long i = 0; i < n; i++)
            if (k)
                fprintf(f, "%s%%c%d#%ld", i ? ", " : "", k - 1, i);
            else
                fprintf(f, "%s%%v0", i ? ", " : "");
        fprintf(f, ") : (");
        list(f, n, T);
        fprintf(f, ") -> (");
        list(f, n, T);
        fprintf(f, ")\n");
    }
    fprintf(f, "  return %%c2#%ld : " T "\n}\nfunc.func private @f(", n - 1);
    list(f, n, "%%a%ld: " T);
    fprintf(f, ") -> (");
    list(f, n, T);
    fprintf(f, ") {\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = stablehlo.add %%a%ld, %%a%ld : " T "\n", i, i, (i + 1) % n);
    fprintf(f, "  return ");
    list(f, n, "%%v%ld");
    fprintf(f, " : ");
    list(f, n, T);
    fprintf(f, "\n}\n");
}

void write_block_join(FILE *f, long n)
{
    fprintf(f, "func.func @main(%%p: i1, %%a: i32) -> i32 {\n");
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  cf.cond_br %%p, ^t%ld(%%a : i32), ^n%ld\n^t%ld(%%x%ld: i32):\n  cf.br "
                "^join(%%x%ld : i32)\n^n%ld:\n",
                i, i, i, i, i, i);
    fprintf(f, "  cf.br ^join(%%a : i32)\n^join(%%r: i32):\n  return %%r : i32\n}\n");
}

void write_block_chain(FILE *f, long n)
{
    fprintf(f, "func.func @main(%%a: i32) -> i32 {\n  %%k0 = arith.constant 3 : i32\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "  cf.br ^b%ld(%%%s%ld : i32)\n^b%ld(%%x%ld: i32):\n", i, i ? "x" : "k",
                i ? i - 1 : 0, i, i);
    fprintf(f, "  return %%x%ld : i32\n}\n", n - 1);
}

void write_block_ladder(FILE *f, long n)
{
    fprintf(f, "func.func @main(%%p: i1, %%a: i32) -> i32 {\n  cf.br ^b0\n^end(%%r: i32):\n  "
               "return %%r : i32\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "^b%ld:\n  cf.cond_br %%p, ^end(%%a : i32), ^b%ld\n", i, i + 1);
    fprintf(f, "^b%ld:\n  cf.br ^b0\n}\n", n);
}

void write_nesting(FILE *f, long n)
{
    main_start(f, "%v0: " T ", %p: tensor<i1>");
    for (long i = 0; i < n; i++)
        fprintf(f, "%%v%ld = \"stablehlo.if\"(%%p) ({\n", i + 1);
    fprintf(f, "%%d = stablehlo.tanh %%v0 : " T "\nstablehlo.return %%d : " T "\n");
    for (long i = n; i > 0; i--) {
        fprintf(f,
                "}, {\n  %%e%ld = stablehlo.abs %%v0 : " T "\n  stablehlo.return %%e%ld : " T "\n"
                "}) : (tensor<i1>) -> " T "\n",
                i, i);
        if (i > 1)
            fprintf(f, "stablehlo.return %%v%ld : " T "\n", i);
    }
    main_end(f, n > 0);
}

void write_whiles(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    fprintf(f, "  %%c = stablehlo.constant dense<0> : tensor<i32>\n");
    for (long i = 0; i < n; i++)
        fprintf(
            f,
            "  %%w%ld:2 = stablehlo.while(%%i = %%c, %%x = %%v%ld) : tensor<i32>, " T "\n"
            "  cond {\n    %%k = stablehlo.constant dense<2> : tensor<i32>\n"
            "    %%l = stablehlo.compare LT, %%i, %%k : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            "    stablehlo.return %%l : tensor<i1>\n  } do {\n"
            "    %%k = stablehlo.constant dense<1> : tensor<i32>\n"
            "    %%j = stablehlo.add %%i, %%k : tensor<i32>\n"
            "    %%y = stablehlo.tanh %%x : " T "\n"
            "    stablehlo.return %%j, %%y : tensor<i32>, " T "\n  }\n"
            "  %%v%ld = stablehlo.negate %%w%ld#1 : " T "\n",
            i, i, i + 1, i);
    main_end(f, n);
}

void write_branches(FILE *f, long n)
{
    main_start(f, "%v0: " T ", %i: tensor<i32>");
    fprintf(f, "  %%v1 = \"stablehlo.case\"(%%i) (");
    for (long i = 0; i < n; i++)
        fprintf(f,
                "%s{\n    %%x = stablehlo.%s %%v0 : " T "\n    stablehlo.return %%x : " T "\n  }",
                i ? ", " : "", i % 2 ? "tanh" : "negate");
    fprintf(f, ") : (tensor<i32>) -> " T "\n");
    main_end(f, 1);
}

void write_reductions(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    fprintf(f, "  %%c = stablehlo.constant dense<0.0> : tensor<f32>\n");
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%r%ld = stablehlo.reduce(%%v%ld init: %%c) applies stablehlo.add across "
                "dimensions = [1] : "
                "(" T ", tensor<f32>) -> tensor<4xf32>\n"
                "  %%v%ld = stablehlo.broadcast_in_dim %%r%ld, dims = [0] : (tensor<4xf32>) -> " T
                "\n",
                i, i, i + 1, i);
    main_end(f, n);
}

void write_constants(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%c%ld = stablehlo.constant dense<%ld.5> : " T "\n"
                "  %%v%ld = stablehlo.add %%v%ld, %%c%ld : " T "\n",
                i, i, i + 1, i, i);
    main_end(f, n);
}

void write_equal_constants(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%c%ld = stablehlo.constant dense<1.5> : " T "\n"
                "  %%v%ld = stablehlo.add %%v%ld, %%c%ld : " T "\n",
                i, i + 1, i, i);
    main_end(f, n);
}

void write_literal(FILE *f, long n)
{
    fprintf(f,
            "func.func @main(%%a: tensor<%ldxf32>) -> tensor<%ldxf32> {\n  %%c = "
            "stablehlo.constant dense<[",
            n, n);
    for (long i = 0; i < n; i++)
        fprintf(f, "%s%ld.25", i ? ", " : "", i);
    fprintf(f,
            "]> : tensor<%ldxf32>\n  %%0 = stablehlo.add %%a, %%c : tensor<%ldxf32>\n  return %%0 "
            ": tensor<%ldxf32>\n}\n",
            n, n, n);
}

/* Types that differ in eight dimensions of up to three, so that tensors stay small. In an order in which there are as
 * many large ones among the first as later: else it would be the types that grow. */
void write_types(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    fprintf(f, "  %%c = stablehlo.constant dense<1.0> : tensor<f32>\n");
    for (long i = 0; i < n; i++) {
        char dims[80] = "";
        for (long k = 0, left = i * 2503 % 6561; k < 8; k++, left /= 3)
            dims[2 * k] = (char)('1' + left % 3), dims[2 * k + 1] = 'x';
        fprintf(f,
                "  %%b%ld = stablehlo.broadcast_in_dim %%c, dims = [] : (tensor<f32>) -> "
                "tensor<%sf32>\n"
                "  %%t%ld = stablehlo.negate %%b%ld : tensor<%sf32>\n",
                i, dims, i, i, dims);
    }
    main_end(f, 0);
}

void write_aliases(FILE *f, long n)
{
    for (long i = 0; i < n; i++)
        fprintf(f, "#a%ld = dense<%ld.0> : " T "\n!t%ld = tensor<%ldxf32>\n", i, i, i, i + 1);
    fprintf(f, "module {\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "func.func private @g%ld(!t%ld)\n", i, i);
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%c%ld = stablehlo.constant #a%ld\n"
                "  %%v%ld = stablehlo.add %%v%ld, %%c%ld : " T "\n",
                i, i, i + 1, i, i);
    main_end(f, n);
    fprintf(f, "}\n");
}

void write_dictionary(FILE *f, long n)
{
    fprintf(f, "module attributes {t.d = {");
    list(f, n, "k%ld = 1 : i32");
    fprintf(f, "}} {\n");
    main_start(f, "%v0: " T);
    fprintf(f, "  %%v1 = stablehlo.tanh %%v0 {t.x = [");
    list(f, n, "%ld : i32");
    fprintf(f, "], ");
    list(f, n, "t.k%ld = \"value\"");
    fprintf(f, "} : " T "\n");
    main_end(f, 1);
    fprintf(f, "}\n");
}

void write_attributes(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%v%ld = stablehlo.tanh %%v%ld {mhlo.frontend_attributes = {name = \"op %ld\"}, "
                "t.n = %ld : i64} : " T "\n",
                i + 1, i, i, i);
    main_end(f, n);
}

void write_locations(FILE *f, long n)
{
    for (long i = 0; i < n; i++)
        fprintf(f,
                "#l%ld = loc(\"file%ld.py\":%ld:%ld)\n#c%ld = loc(callsite(#l%ld at #l%ld))\n#n%ld "
                "= loc(\"op %ld\"(#c%ld))\n",
                i, i % 10, i + 1, i % 80 + 1, i, i, i / 2, i, i, i);
    fprintf(f, "module {\n");
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = stablehlo.tanh %%v%ld : " T " loc(#n%ld)\n", i + 1, i, i);
    main_end(f, n);
    fprintf(f, "}\n");
}

void write_comments(FILE *f, long n)
{
    fprintf(f, "// ");
    for (long i = 0; i < n; i++)
        fputc('a' + (int)(i % 26), f);
    for (long i = 0; i < n; i++)
        fputs(i % 50 ? " " : "\n// x\n", f);
    fprintf(f, "\n");
    main_start(f, "%v0: " T);
    fprintf(f, "  %%v1 = stablehlo.tanh %%v0 {t.s = \"");
    for (long i = 0; i < n; i++)
        fputs(i % 10 ? "x" : "\\n", f);
    fprintf(f, "\"} : " T "\n");
    main_end(f, 1);
}

void write_symbols(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    main_end(f, 0);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "module @m%ld {\n  func.func private @g()\n  func.func @h() {\n    call @g() : () "
                "-> ()\n    return\n  }\n}\n",
                i);
}

void write_composites(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(
            f,
            "  %%v%ld = stablehlo.composite \"my.op%ld\" %%v%ld, %%v0 {decomposition = @f%ld} : (" T
            ", " T ") -> " T "\n",
            i + 1, i, i, i);
    main_end(f, n);
    for (long i = 0; i < n; i++)
        small_function(f, "private ", i);
}

void write_effects(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%v%ld = stablehlo.custom_call @effect(%%v%ld) {has_side_effect = true} : (" T
                ") -> " T "\n",
                i + 1, i);
    main_end(f, n);
}

void write_dynamic(FILE *f, long n)
{
    fprintf(f, "func.func @main(%%a: tensor<4x8xf32>) -> tensor<?x?xf32> {\n"
               "  %%c = stablehlo.constant dense<[8, 4]> : tensor<2xi32>\n"
               "  %%v0 = stablehlo.dynamic_reshape %%a, %%c : (tensor<4x8xf32>, tensor<2xi32>) -> "
               "tensor<?x?xf32>\n");
    for (long i = 0; i < n; i++)
        switch (i % 3) {
        case 0: fprintf(f, "  %%v%ld = stablehlo.tanh %%v%ld : tensor<?x?xf32>\n", i + 1, i); break;
        case 1:
            fprintf(f, "  %%v%ld = stablehlo.add %%v%ld, %%v%ld : tensor<?x?xf32>\n", i + 1, i, i);
            break;
        default:
            fprintf(f,
                    "  %%d%ld = stablehlo.get_dimension_size %%v%ld, dim = 0 : (tensor<?x?xf32>) "
                    "-> tensor<i32>\n"
                    "  %%e%ld = stablehlo.get_dimension_size %%v%ld, dim = 1 : (tensor<?x?xf32>) "
                    "-> tensor<i32>\n"
                    "  %%r%ld = stablehlo.reshape %%d%ld : (tensor<i32>) -> tensor<1xi32>\n"
                    "  %%q%ld = stablehlo.reshape %%e%ld : (tensor<i32>) -> tensor<1xi32>\n"
                    "  %%s%ld = stablehlo.concatenate %%q%ld, %%r%ld, dim = 0 : (tensor<1xi32>, "
                    "tensor<1xi32>) -> tensor<2xi32>\n"
                    "  %%v%ld = stablehlo.dynamic_reshape %%v%ld, %%s%ld : (tensor<?x?xf32>, "
                    "tensor<2xi32>) -> tensor<?x?xf32>\n",
                    i, i, i, i, i, i, i, i, i, i, i, i + 1, i, i);
        }
    fprintf(f, "  return %%v%ld : tensor<?x?xf32>\n}\n", n);
}

void write_tuples(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    fprintf(f, "  %%t = stablehlo.tuple ");
    list(f, n, "%%v0");
    fprintf(f, " : tuple<");
    list(f, n, T);
    fprintf(f, ">\n");
    for (long i = 0; i < n; i += (n + 3) / 4) {
        fprintf(f, "  %%e%ld = stablehlo.get_tuple_element %%t[%ld] : (tuple<", i, i);
        list(f, n, T);
        fprintf(f, ">) -> " T "\n");
    }
    main_end(f, 0);
}

/* Product, bias, activation; then the variance is taken out, as a normalisation does. */
void write_layers(FILE *f, long n)
{
    main_start(f, "%v0: " T ", %w: " T ", %b: tensor<4xf32>");
    fprintf(f, "  %%z = stablehlo.constant dense<0.0> : tensor<f32>\n  %%k = stablehlo.constant "
               "dense<0.5> : " T "\n");
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%p%ld = stablehlo.dot_general %%v%ld, %%w, contracting_dims = [1] x [0] : (" T
                ", " T ") -> " T "\n"
                "  %%b%ld = stablehlo.broadcast_in_dim %%b, dims = [1] : (tensor<4xf32>) -> " T "\n"
                "  %%q%ld = stablehlo.add %%p%ld, %%b%ld : " T "\n"
                "  %%h%ld = stablehlo.tanh %%q%ld : " T "\n"
                "  %%r%ld = stablehlo.reduce(%%h%ld init: %%z) applies stablehlo.add across "
                "dimensions = [1] : (" T ", tensor<f32>) -> tensor<4xf32>\n"
                "  %%s%ld = stablehlo.broadcast_in_dim %%r%ld, dims = [0] : (tensor<4xf32>) -> " T
                "\n"
                "  %%m%ld = stablehlo.multiply %%s%ld, %%k : " T "\n"
                "  %%v%ld = stablehlo.subtract %%h%ld, %%m%ld : " T "\n",
                i, i, i, i, i, i, i, i, i, i, i, i, i, i, i + 1, i, i);
    main_end(f, n);
}

void write_chlo_ops(FILE *f, long n)
{
    static const char *const op[] = {"asin", "erf", "sinh", "tan", "square"};
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = chlo.%s %%v%ld : " T " -> " T "\n", i + 1, op[i % 5], i);
    main_end(f, n);
}

void write_ttir_ops(FILE *f, long n)
{
    static const char *const op[] = {"tanh", "abs", "neg", "sigmoid", "relu"};
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        switch (i % 4) {
        case 0:
            fprintf(f, "  %%v%ld = \"ttir.add\"(%%v%ld, %%v%ld) : (" T ", " T ") -> " T "\n", i + 1,
                    i, i / 2);
            break;
        case 1:
            fprintf(f,
                    "  %%v%ld = \"ttir.permute\"(%%v%ld) <{permutation = array<i64: 1, 0>}> : (" T
                    ") -> " T "\n",
                    i + 1, i);
            break;
        default:
            fprintf(f, "  %%v%ld = \"ttir.%s\"(%%v%ld) : (" T ") -> " T "\n", i + 1, op[i % 5], i);
        }
    main_end(f, n);
}

#define V "!vhlo.tensor_v1<4x4x!vhlo.f32_v1>"

void write_vhlo_ops(FILE *f, long n)
{
    fprintf(f, "vhlo.func_v1 @main(%%v0: " V ") -> (" V ") {\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = \"vhlo.add_v1\"(%%v%ld, %%v%ld) : (" V ", " V ") -> " V "\n", i + 1,
                i, i / 2);
    fprintf(f,
            "  \"vhlo.return_v1\"(%%v%ld) : (" V ") -> ()\n"
            "} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = "
            "#vhlo.string_v1<\"public\">}\n",
            n);
}
