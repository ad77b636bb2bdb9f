/* SPDX-License-Identifier: Apache-2.0 */
/* shapes_wide.c - the writers of shapes that are wide: many arguments, results, operands or users, and many values that
 * are alive at the same time. */
#include "writers.h"

#define S "tensor<i32>"

static void types(FILE *f, long n)
{
    list(f, n, T);
}

/* main with n arguments, each with these attributes, and n results. */
static void wide_main(FILE *f, long n, const char *argument)
{
    fprintf(f, "func.func @main(");
    list(f, n, argument);
    fprintf(f, ") -> (");
    types(f, n);
    fprintf(f, ") {\n");
}

static void return_all(FILE *f, const char *op, long n, const char *value)
{
    fprintf(f, "  %s ", op);
    list(f, n, value);
    fprintf(f, " : ");
    types(f, n);
    fprintf(f, "\n");
}

void write_wide_results(FILE *f, long n)
{
    fprintf(f, "func.func @main(%%a: " T ") -> (");
    types(f, n);
    fprintf(f, ") {\n");
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%c%ld = stablehlo.constant dense<%ld.0> : " T "\n"
                "  %%v%ld = stablehlo.multiply %%a, %%c%ld : " T "\n",
                i, i, i, i);
    return_all(f, "return", n, "%%v%ld");
    fprintf(f, "}\n");
}

void write_constant_results(FILE *f, long n)
{
    fprintf(f, "func.func @main() -> (");
    types(f, n);
    fprintf(f, ") {\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = stablehlo.constant dense<%ld.0> : " T "\n", i, i);
    return_all(f, "return", n, "%%v%ld");
    fprintf(f, "}\n");
}

void write_donated(FILE *f, long n)
{
    wide_main(f, n, "%%a%ld: " T " {jax.buffer_donor = true}");
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = stablehlo.add %%a%ld, %%a%ld : " T "\n", i, i, (i + 1) % n);
    return_all(f, "return", n, "%%v%ld");
    fprintf(f, "}\n");
}

void write_passed_through(FILE *f, long n)
{
    wide_main(f, n, "%%a%ld: " T);
    return_all(f, "return", n, "%%a%ld");
    fprintf(f, "}\n");
}

void write_loop_values(FILE *f, long n)
{
    wide_main(f, n, "%%a%ld: " T);
    fprintf(f, "  %%c = stablehlo.constant dense<0> : " S "\n  %%w:%ld = stablehlo.while(%%i = %%c",
            n + 1);
    for (long i = 0; i < n; i++)
        fprintf(f, ", %%x%ld = %%a%ld", i, i);
    fprintf(f, ") : " S ", ");
    types(f, n);
    fprintf(f, "\n  cond {\n    %%k = stablehlo.constant dense<2> : " S "\n"
               "    %%l = stablehlo.compare LT, %%i, %%k : (" S ", " S ") -> tensor<i1>\n"
               "    stablehlo.return %%l : tensor<i1>\n  } do {\n"
               "    %%k = stablehlo.constant dense<1> : " S "\n"
               "    %%j = stablehlo.add %%i, %%k : " S "\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "    %%y%ld = stablehlo.add %%x%ld, %%x%ld : " T "\n", i, i, (i + 1) % n);
    fprintf(f, "    stablehlo.return %%j, ");
    list(f, n, "%%y%ld");
    fprintf(f, " : " S ", ");
    types(f, n);
    fprintf(f, "\n  }\n  return ");
    for (long i = 0; i < n; i++)
        fprintf(f, "%s%%w#%ld", i ? ", " : "", i + 1);
    fprintf(f, " : ");
    types(f, n);
    fprintf(f, "\n}\n");
}

/* Values of outside that a loop and a branch use. */
void write_captured(FILE *f, long n)
{
    fprintf(f, "func.func @main(%%v0: " T ", %%p: tensor<i1>, ");
    list(f, n, "%%a%ld: " T);
    fprintf(f, ") -> " T " {\n");
    fprintf(f, "  %%r = \"stablehlo.if\"(%%p) ({\n    %%x0 = stablehlo.tanh %%v0 : " T "\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "    %%x%ld = stablehlo.add %%x%ld, %%a%ld : " T "\n", i + 1, i, i);
    fprintf(f, "    stablehlo.return %%x%ld : " T "\n  }, {\n    stablehlo.return %%v0 : " T "\n",
            n);
    fprintf(f, "  }) : (tensor<i1>) -> " T "\n  return %%r : " T "\n}\n");
}

void write_branch_results(FILE *f, long n)
{
    fprintf(f, "func.func @main(%%v0: " T ", %%p: tensor<i1>) -> (");
    types(f, n);
    fprintf(f, ") {\n  %%r:%ld = \"stablehlo.if\"(%%p) ({\n", n);
    for (int branch = 0; branch < 2; branch++) {
        for (long i = 0; i < n; i++)
            fprintf(f, "    %%x%ld = stablehlo.%s %%%s%ld : " T "\n", i + 1,
                    branch ? "tanh" : "negate", i ? "x" : "v", i);
        fprintf(f, "    stablehlo.return ");
        for (long i = 0; i < n; i++)
            fprintf(f, "%s%%x%ld", i ? ", " : "", i + 1);
        fprintf(f, " : ");
        types(f, n);
        fprintf(f, "%s", branch ? "\n  }) : (tensor<i1>) -> (" : "\n  }, {\n");
    }
    types(f, n);
    fprintf(f, ")\n");
    return_all(f, "return", n, "%%r#%ld");
    fprintf(f, "}\n");
}

/* One reduction of n operands, and one call of a host function with n results. */
void write_wide_ops(FILE *f, long n)
{
    wide_main(f, n, "%%a%ld: " T);
    fprintf(
        f, "  %%z = stablehlo.constant dense<0.0> : tensor<f32>\n  %%r:%ld = \"stablehlo.reduce\"(",
        n);
    list(f, n, "%%a%ld");
    fprintf(f, ", ");
    list(f, n, "%%z");
    fprintf(f, ") ({\n  ^bb0(");
    list(f, 2 * n, "%%p%ld: tensor<f32>");
    fprintf(f, "):\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "    %%s%ld = stablehlo.add %%p%ld, %%p%ld : tensor<f32>\n", i, i, n + i);
    fprintf(f, "    stablehlo.return ");
    list(f, n, "%%s%ld");
    fprintf(f, " : ");
    list(f, n, "tensor<f32>");
    fprintf(f, "\n  }) {dimensions = array<i64: 1>} : (");
    types(f, n);
    fprintf(f, ", ");
    list(f, n, "tensor<f32>");
    fprintf(f, ") -> (");
    list(f, n, "tensor<4xf32>");
    fprintf(f, ")\n");
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%v%ld = stablehlo.broadcast_in_dim %%r#%ld, dims = [0] : (tensor<4xf32>) -> " T
                "\n",
                i, i);
    return_all(f, "return", n, "%%v%ld");
    fprintf(f, "}\n");
}

/* A chain whose values are all used again on the way back, as a gradient does: n values are alive at once. */
void write_there_and_back(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%v%ld = stablehlo.dot_general %%v%ld, %%v0, contracting_dims = [1] x [0] : (" T
                ", " T ") -> " T "\n",
                i + 1, i);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%v%ld = stablehlo.dot_general %%v%ld, %%v%ld, contracting_dims = [1] x [0] : "
                "(" T ", " T ") -> " T "\n",
                n + i + 1, n + i, n - i - 1);
    main_end(f, 2 * n);
}

/* Pieces of one value, and one value that is written piece by piece. */
void write_pieces(FILE *f, long n)
{
    fprintf(
        f,
        "func.func @main(%%a: tensor<%ldx4xf32>, %%v0: tensor<%ldx4xf32>) -> tensor<%ldx4xf32> {\n",
        n, n, n);
    fprintf(f, "  %%z = stablehlo.constant dense<0> : " S "\n");
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%i%ld = stablehlo.constant dense<%ld> : " S "\n"
                "  %%s%ld = stablehlo.slice %%a [%ld:%ld, 0:4] : (tensor<%ldx4xf32>) -> "
                "tensor<1x4xf32>\n"
                "  %%t%ld = stablehlo.tanh %%s%ld : tensor<1x4xf32>\n"
                "  %%v%ld = stablehlo.dynamic_update_slice %%v%ld, %%t%ld, %%i%ld, %%z : "
                "(tensor<%ldx4xf32>, "
                "tensor<1x4xf32>, " S ", " S ") -> tensor<%ldx4xf32>\n",
                i, i, i, i, i + 1, n, i, i, i + 1, i, i, i, n, n);
    fprintf(f, "  return %%v%ld : tensor<%ldx4xf32>\n}\n", n, n);
}

/* Views of views, which a chain of ops reads. */
void write_views(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        switch (i % 4) {
        case 0:
            fprintf(f, "  %%v%ld = stablehlo.transpose %%v%ld, dims = [1, 0] : (" T ") -> " T "\n",
                    i + 1, i);
            break;
        case 1:
            fprintf(f,
                    "  %%r%ld = stablehlo.reshape %%v%ld : (" T ") -> tensor<2x8xf32>\n"
                    "  %%v%ld = stablehlo.reshape %%r%ld : (tensor<2x8xf32>) -> " T "\n",
                    i, i, i + 1, i);
            break;
        case 2:
            fprintf(f, "  %%v%ld = stablehlo.reverse %%v%ld, dims = [0] : " T "\n", i + 1, i);
            break;
        default: fprintf(f, "  %%v%ld = stablehlo.add %%v%ld, %%v%ld : " T "\n", i + 1, i, i - 2);
        }
    main_end(f, n);
}

/* A value that many products use, on either side, whose results are added up. */
void write_products(FILE *f, long n)
{
    fprintf(f, "func.func @main(%%v0: " T ", ");
    list(f, n, "%%a%ld: " T);
    fprintf(f, ") -> " T " {\n");
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%p%ld = stablehlo.dot_general %%v0, %%a%ld, contracting_dims = [1] x [0] : (" T
                ", " T ") -> " T "\n",
                i, i);
    fprintf(f, "  %%s0 = stablehlo.tanh %%v0 : " T "\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%s%ld = stablehlo.add %%s%ld, %%p%ld : " T "\n", i + 1, i, i);
    fprintf(f, "  return %%s%ld : " T "\n}\n", n);
}

/* Sums, as a tree: each level is half as wide as the one below it. */
void write_tree(FILE *f, long n)
{
    fprintf(f, "func.func @main(");
    list(f, n, "%%v%ld: " T);
    fprintf(f, ") -> " T " {\n");
    long made = n;
    for (long i = 0; i + 1 < made; i += 2, made++)
        fprintf(f, "  %%v%ld = stablehlo.add %%v%ld, %%v%ld : " T "\n", made, i, i + 1);
    main_end(f, made - 1);
}

/* Loops that each read a row of a value and write a row of another, as a scan does. */
void write_scans(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    fprintf(f, "  %%c = stablehlo.constant dense<0> : " S "\n");
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%w%ld:2 = stablehlo.while(%%i = %%c, %%x = %%v%ld) : " S ", " T "\n"
                "  cond {\n    %%k = stablehlo.constant dense<4> : " S "\n"
                "    %%l = stablehlo.compare LT, %%i, %%k : (" S ", " S ") -> tensor<i1>\n"
                "    stablehlo.return %%l : tensor<i1>\n  } do {\n"
                "    %%k = stablehlo.constant dense<1> : " S "\n"
                "    %%j = stablehlo.add %%i, %%k : " S "\n"
                "    %%s = stablehlo.dynamic_slice %%v%ld, %%i, %%c, sizes = [1, 4] : (" T ", " S
                ", " S ") -> tensor<1x4xf32>\n"
                "    %%t = stablehlo.tanh %%s : tensor<1x4xf32>\n"
                "    %%y = stablehlo.dynamic_update_slice %%x, %%t, %%i, %%c : (" T
                ", tensor<1x4xf32>, " S ", " S ") -> " T "\n"
                "    stablehlo.return %%j, %%y : " S ", " T "\n  }\n"
                "  %%v%ld = stablehlo.add %%w%ld#1, %%v0 : " T "\n",
                i, i, i, i + 1, i);
    main_end(f, n);
}

void write_deep_calls(FILE *f, long n)
{
    write_call_chain(f, n);
}

/* Loops within loops, each of one turn. */
void write_loop_nest(FILE *f, long n)
{
    main_start(f, "%x0: " T);
    fprintf(f, "  %%c = stablehlo.constant dense<0> : " S
               "\n  %%k = stablehlo.constant dense<1> : " S "\n");
    for (long i = 0; i < n; i++)
        fprintf(f,
                "%%w%ld:2 = stablehlo.while(%%i%ld = %%c, %%x%ld = %%x%ld) : " S ", " T "\n"
                "cond {\n  %%l = stablehlo.compare LT, %%i%ld, %%k : (" S ", " S ") -> tensor<i1>\n"
                "  stablehlo.return %%l : tensor<i1>\n} do {\n"
                "  %%j%ld = stablehlo.add %%i%ld, %%k : " S "\n",
                i, i, i + 1, i, i, i, i);
    fprintf(f, "%%y%ld = stablehlo.tanh %%x%ld : " T "\n", n, n);
    for (long i = n - 1; i >= 0; i--)
        fprintf(f,
                "stablehlo.return %%j%ld, %%y%ld : " S ", " T
                "\n}\n%%y%ld = stablehlo.negate %%w%ld#1 : " T "\n",
                i, i + 1, i, i);
    fprintf(f, "  return %%y0 : " T "\n}\n");
}
