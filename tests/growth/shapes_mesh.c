/* SPDX-License-Identifier: Apache-2.0 */
/* shapes_mesh.c - the writers of shapes with meshes, shardings and collectives. */
#include "writers.h"

#define MESH "sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
#define ARG " {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}"
#define XY "{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\"}, {}]>]>}"
#define YX "{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {\"x\"}]>]>}"

void write_sharded_chain(FILE *f, long n)
{
    fprintf(f, MESH);
    main_start(f, "%v0: " T ARG ", %w: " T);
    for (long i = 0; i < n; i++)
        switch (i % 3) {
        case 0:
            fprintf(f, "  %%v%ld = stablehlo.add %%v%ld, %%v%ld : " T "\n", i + 1, i, i / 2);
            break;
        case 1:
            fprintf(
                f,
                "  %%v%ld = stablehlo.dot_general %%v%ld, %%w, contracting_dims = [1] x [0] : (" T
                ", " T ") -> " T "\n",
                i + 1, i);
            break;
        default: fprintf(f, "  %%v%ld = stablehlo.tanh %%v%ld : " T "\n", i + 1, i);
        }
    main_end(f, n);
}

void write_conflicts(FILE *f, long n)
{
    fprintf(f, MESH);
    main_start(f, "%v0: " T ARG ", %u0: " T);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%u%ld = stablehlo.tanh %%v%ld " YX " : " T
                "\n  %%v%ld = stablehlo.add %%u%ld, %%v%ld " XY " : " T "\n",
                i + 1, i, i + 1, i + 1, i);
    main_end(f, n);
}

void write_sharded_functions(FILE *f, long n)
{
    fprintf(f, MESH);
    main_start(f, "%v0: " T ARG);
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = call @f%ld(%%v%ld) : (" T ") -> " T "\n", i + 1, i, i);
    main_end(f, n);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "func.func private @f%ld(%%a: " T "%s) -> " T " {\n"
                "  %%0 = stablehlo.tanh %%a : " T "\n"
                "  %%1 = stablehlo.add %%0, %%a %s : " T "\n"
                "  return %%1 : " T "\n}\n",
                i, i % 2 ? ARG : "", i % 3 ? "" : XY);
}

void write_meshes(FILE *f, long n)
{
    for (long i = 0; i < n; i++)
        fprintf(f, "sdy.mesh @mesh%ld = <[\"a%ld\"=2, \"y\"=2]>\n", i, i);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "func.func @f%ld(%%a: " T
                " {sdy.sharding = #sdy.sharding<@mesh%ld, [{\"a%ld\"}, {\"y\"}]>}) -> " T " {\n"
                "  %%0 = stablehlo.tanh %%a : " T "\n  return %%0 : " T "\n}\n",
                i, i, i);
    main_start(f, "%v0: " T);
    main_end(f, 0);
}

/* Axes of size one, so that the number of devices stays the same. */
void write_mesh_axes(FILE *f, long n)
{
    fprintf(f, "sdy.mesh @mesh = <[\"x\"=2, ");
    list(f, n, "\"a%ld\"=1");
    fprintf(f, "]>\n");
    main_start(f, "%v0: " T " {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}");
    enum { OPS = 50 };
    for (long i = 0; i < OPS; i++)
        fprintf(f,
                "  %%v%ld = stablehlo.tanh %%v%ld {sdy.sharding = #sdy.sharding_per_value<[<@mesh, "
                "[{\"x\"}, {\"a%ld\"}]>]>} : " T "\n",
                i + 1, i, i * n / OPS);
    main_end(f, OPS);
}

void write_manual(FILE *f, long n)
{
    fprintf(f, MESH);
    main_start(f, "%v0: " T ARG);
    for (long i = 0; i < n; i++)
        fprintf(
            f,
            "  %%v%ld = sdy.manual_computation(%%v%ld) in_shardings=[<@mesh, [{\"x\"}, {}]>] "
            "out_shardings=[<@mesh, [{\"x\"}, {}]>] manual_axes={\"x\"} (%%b: tensor<2x4xf32>) {\n"
            "    %%t = stablehlo.tanh %%b : tensor<2x4xf32>\n"
            "    sdy.return %%t : tensor<2x4xf32>\n  } : (" T ") -> " T "\n",
            i + 1, i);
    main_end(f, n);
}

void write_groups(FILE *f, long n)
{
    fprintf(f, MESH);
    main_start(f, "%v0: " T ARG);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%v%ld = stablehlo.transpose %%v%ld, dims = [1, 0] : (" T ") -> " T "\n"
                "  sdy.sharding_group %%v%ld group_id=%ld : " T
                "\n  sdy.sharding_group %%v%ld group_id=%ld : " T "\n",
                i + 1, i, i, 2 * i, i + 1, 2 * i);
    main_end(f, n);
}

void write_one_group(FILE *f, long n)
{
    fprintf(f, MESH);
    main_start(f, "%v0: " T ARG);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%v%ld = stablehlo.tanh %%v%ld : " T
                "\n  sdy.sharding_group %%v%ld group_id=7 : " T "\n",
                i + 1, i, i + 1);
    main_end(f, n);
}

void write_constraints(FILE *f, long n)
{
    fprintf(f, MESH);
    main_start(f, "%v0: " T ARG);
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%t%ld = stablehlo.tanh %%v%ld : " T "\n"
                "  %%v%ld = sdy.sharding_constraint %%t%ld <@mesh, [{%s}, {?}]> : " T "\n",
                i, i, i + 1, i, i % 2 ? "\"x\"" : "\"y\"");
    main_end(f, n);
}

void write_devices(FILE *f, long n)
{
    fprintf(f, "sdy.mesh @mesh = <[\"x\"=%ld]>\n", n);
    fprintf(f,
            "func.func @main(%%a: tensor<%ldx4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, "
            "{}]>}) -> tensor<4xf32> {\n"
            "  %%c = stablehlo.constant dense<0.0> : tensor<f32>\n",
            n);
    fprintf(f,
            "  %%r = stablehlo.reduce(%%a init: %%c) applies stablehlo.add across dimensions = [0] "
            ": (tensor<%ldx4xf32>, tensor<f32>) -> tensor<4xf32>\n"
            "  return %%r : tensor<4xf32>\n}\n",
            n);
}

void write_replica_groups(FILE *f, long n)
{
    main_start(f, "%v0: " T);
    for (int k = 0; k < 4; k++) {
        fprintf(f,
                "  %%v%d = \"stablehlo.all_reduce\"(%%v%d) ({\n  ^bb0(%%p: tensor<f32>, %%q: "
                "tensor<f32>):\n"
                "    %%s = stablehlo.add %%p, %%q : tensor<f32>\n    stablehlo.return %%s : "
                "tensor<f32>\n"
                "  }) {replica_groups = dense<[[",
                k + 1, k);
        list(f, n, "%ld");
        fprintf(f, "]]> : tensor<1x%ldxi64>} : (" T ") -> " T "\n", n);
    }
    main_end(f, 4);
}

void write_sharded_arguments(FILE *f, long n)
{
    fprintf(f, MESH "func.func @main(");
    list(f, n, "%%a%ld: " T ARG);
    fprintf(f, ") -> " T " {\n  %%v0 = stablehlo.tanh %%a0 : " T "\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "  %%v%ld = stablehlo.add %%v%ld, %%a%ld : " T "\n", i + 1, i, i);
    main_end(f, n);
}

/* A manual computation with many operands and results. */
void write_manual_operands(FILE *f, long n)
{
    fprintf(f, MESH "func.func @main(");
    list(f, n, "%%a%ld: " T ARG);
    fprintf(f, ") -> " T " {\n  %%m:%ld = sdy.manual_computation(", n);
    list(f, n, "%%a%ld");
    fprintf(f, ") in_shardings=[");
    list(f, n, "<@mesh, [{\"x\"}, {}]>");
    fprintf(f, "] out_shardings=[");
    list(f, n, "<@mesh, [{\"x\"}, {}]>");
    fprintf(f, "] manual_axes={\"x\"} (");
    list(f, n, "%%b%ld: tensor<2x4xf32>");
    fprintf(f, ") {\n");
    for (long i = 0; i < n; i++)
        fprintf(f, "    %%t%ld = stablehlo.tanh %%b%ld : tensor<2x4xf32>\n", i, i);
    fprintf(f, "    sdy.return ");
    list(f, n, "%%t%ld");
    fprintf(f, " : ");
    list(f, n, "tensor<2x4xf32>");
    fprintf(f, "\n  } : (");
    list(f, n, T);
    fprintf(f, ") -> (");
    list(f, n, T);
    fprintf(f, ")\n  return %%m#%ld : " T "\n}\n", n - 1);
}

/* The program of one of two devices, with a collective of each kind in turn. */
void write_collectives(FILE *f, long n)
{
    static const char groups[] =
        "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
        "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
        "use_global_device_ids";
    fprintf(f,
            "module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {\n");
    main_start(f, "%v0: " T);
    for (long i = 0; i < n; i++)
        switch (i % 3) {
        case 0:
            fprintf(f,
                    "  %%v%ld = \"stablehlo.all_reduce\"(%%v%ld) ({\n  ^bb0(%%p: tensor<f32>, %%q: "
                    "tensor<f32>):\n    %%s = stablehlo.add %%p, %%q : tensor<f32>\n"
                    "    stablehlo.return %%s : tensor<f32>\n  }) {%s} : (" T ") -> " T "\n",
                    i + 1, i, groups);
            break;
        case 1:
            fprintf(
                f,
                "  %%g%ld = \"stablehlo.all_gather\"(%%v%ld) {all_gather_dim = 0 : i64, %s} : (" T
                ") -> tensor<8x4xf32>\n"
                "  %%v%ld = stablehlo.slice %%g%ld [2:6, 0:4] : (tensor<8x4xf32>) -> " T "\n",
                i, i, groups, i + 1, i);
            break;
        default: fprintf(f, "  %%v%ld = stablehlo.tanh %%v%ld : " T "\n", i + 1, i);
        }
    main_end(f, n);
    fprintf(f, "}\n");
}

/* Reductions of a divided dimension, each of which is a collective once the program is partitioned. */
void write_sharded_sums(FILE *f, long n)
{
    fprintf(f, MESH);
    main_start(f, "%v0: " T ARG);
    fprintf(f, "  %%z = stablehlo.constant dense<0.0> : tensor<f32>\n");
    for (long i = 0; i < n; i++)
        fprintf(f,
                "  %%r%ld = stablehlo.reduce(%%v%ld init: %%z) applies stablehlo.add across "
                "dimensions = [0] : (" T ", tensor<f32>) -> tensor<4xf32>\n"
                "  %%b%ld = stablehlo.broadcast_in_dim %%r%ld, dims = [1] : (tensor<4xf32>) -> " T
                "\n  %%v%ld = stablehlo.add %%b%ld, %%v%ld : " T "\n",
                i, i, i, i, i + 1, i, i);
    main_end(f, n);
}
