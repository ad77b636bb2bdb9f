/* SPDX-License-Identifier: Apache-2.0 */
/* test_params.c - lists of numbers read in place, cases of enum attributes, what reductions leave alone, and the
 * parameters of collectives. */
#include "unit.h"

#include "dialect/params.h"
#include "dialect/reducer.h"
#include "dialect/stablehlo/cases.h"
#include "tessera/tessera.h"

static void lists(unit *u, tsr_ctx *ctx)
{
    int64_t two[] = {2, 1}, numbers[] = {3, -1, 7, 7};
    tsr_ints a = tsr_attr_ints(tsr_attr_i64_array(ctx, numbers, 4));
    CHECK(u, a.n == 4 && tsr_ints_at(a, 1) == -1 && tsr_ints_find(a, 7) == 2);
    CHECK(u, !tsr_ints_has(a, 4) && tsr_ints_or(a, 4, 9) == 9 && tsr_ints_or(a, 0, 9) == 3);
    CHECK(u, tsr_ints_attr(ctx, a) == a.attr);
    CHECK(u, tsr_ints_attr(ctx, tsr_ints_over(numbers, 4)) == a.attr);
    tsr_type *type = tsr_type_tensor(ctx, two, 2, ctx->i64, NULL);
    tsr_ints splat = tsr_attr_ints(tsr_attr_dense(ctx, NULL, type, &numbers[1], 8, true));
    CHECK(u, splat.n == 2 && tsr_ints_all(splat, -1) && !tsr_ints_all(splat, 0));
    CHECK(u, tsr_ints_attr(ctx, splat) == tsr_attr_i64_array(ctx, (int64_t[]){-1, -1}, 2));
    int32_t narrow[] = {5, -6};
    tsr_ints b = tsr_attr_ints(tsr_attr_dense_array(ctx, ctx->i32, narrow, 2));
    CHECK(u, b.n == 2 && tsr_ints_at(b, 0) == 5 && tsr_ints_at(b, 1) == -6);
    CHECK(u, tsr_attr_ints(NULL).n == 0 && tsr_ints_or(tsr_attr_ints(NULL), 0, 1) == 1);
    tsr_ints up = tsr_ints_from(60, 4);
    CHECK(u, up.n == 4 && tsr_ints_count_from(up, 60) && !tsr_ints_count_from(up, 59));
    CHECK(u, tsr_ints_from(61, 4).n == 0 && tsr_ints_from(-1, 1).n == 0);
    int64_t out[2];
    CHECK(u, tsr_ints_copy(a, out, 2) == 4 && out[0] == 3 && out[1] == -1);
}

/* Parts of lists, and one number that counts for all dimensions. */
static void parts(unit *u, tsr_ctx *ctx)
{
    int64_t numbers[] = {3, -1, 7, 8, 9};
    int32_t narrow[] = {5, -6, 7, 8};
    tsr_attr *five = tsr_attr_i64_array(ctx, numbers, 5), *same = tsr_attr_i32(ctx, -4);
    tsr_ints odd = tsr_ints_part(tsr_attr_ints(five), 1, 2, 2);
    CHECK(u, odd.n == 2 && tsr_ints_at(odd, 0) == -1 && tsr_ints_at(odd, 1) == 8);
    CHECK(u, tsr_ints_at(tsr_ints_part(odd, 1, 1, 1), 0) == 8);
    CHECK(u, tsr_ints_attr(ctx, odd) == tsr_attr_i64_array(ctx, (int64_t[]){-1, 8}, 2));
    CHECK(u, tsr_ints_attr(ctx, tsr_ints_part(tsr_attr_ints(five), 0, 1, 2)) ==
                 tsr_attr_i64_array(ctx, numbers, 2));
    tsr_ints high =
        tsr_ints_part(tsr_attr_ints(tsr_attr_dense_array(ctx, ctx->i32, narrow, 4)), 2, 1, 2);
    CHECK(u, high.n == 2 && tsr_ints_at(high, 0) == 7 && tsr_ints_at(high, 1) == 8);
    tsr_attr *each[] = {same, tsr_attr_i32(ctx, 2)};
    tsr_ints list = tsr_attr_ints(tsr_attr_array(ctx, each, 2));
    CHECK(u, list.n == 2 && tsr_ints_at(list, 0) == -4 && tsr_ints_at(list, 1) == 2);
    tsr_ints all = tsr_attr_ints_each(same, 3);
    CHECK(u, all.n == 3 && tsr_ints_all(all, -4));
    CHECK(u, tsr_attr_ints_each(five, 3).n == 5 && tsr_attr_ints_each(NULL, 3).n == 0);
    static const tsr_opdef two_slots = {.name = {"test.two", 8}, .nslot = 2};
    tsr_op op = {.def = &two_slots, .attrs = each};
    CHECK(u, tsr_ints_at(tsr_ints_slots(&op, 0, 2), 1) == 2);
}

/* cases.h has the words of the attributes, in their order. */
static void cases(unit *u)
{
#define X(word) #word,
    static const struct {
        const tsr_attrdef *def;
        const char *words[8];
    } all[] = {
        {&tsr_def_STABLEHLO_COMPARISON_DIRECTION, {TSR_COMPARE_CASES(X)}},
        {&tsr_def_CHLO_COMPARISON_DIRECTION, {TSR_COMPARE_CASES(X)}},
        {&tsr_def_STABLEHLO_COMPARISON_TYPE, {TSR_COMPARE_TYPE_CASES(X)}},
        {&tsr_def_CHLO_COMPARISON_TYPE, {TSR_COMPARE_TYPE_CASES(X)}},
        {&tsr_def_STABLEHLO_FFT_TYPE, {TSR_FFT_CASES(X)}},
        {&tsr_def_STABLEHLO_TRANSPOSE, {TSR_TRANSPOSE_CASES(X)}},
        {&tsr_def_STABLEHLO_RNG_DISTRIBUTION, {TSR_RNG_DISTRIBUTION_CASES(X)}},
        {&tsr_def_STABLEHLO_RNG_ALGORITHM, {TSR_RNG_ALGORITHM_CASES(X)}},
    };
#undef X
    for (size_t k = 0; k < TSR_COUNT(all); k++) {
        size_t i = 0;
        while (all[k].words[i] && all[k].def->cases[i] &&
               strcmp(all[k].words[i], all[k].def->cases[i]) == 0)
            i++;
        CHECK(u, !all[k].words[i] && !all[k].def->cases[i]);
    }
    CHECK(u, tsr_compare_mirrored(TSR_COMPARE_LT) == TSR_COMPARE_GT);
}

static uint64_t identity(tsr_reduce_kind kind, const tsr_type *t, tsr_identity how, size_t *n)
{
    uint8_t bytes[32];
    uint64_t bits = 0;
    *n = tsr_reduce_identity(kind, t, how, bytes);
    for (size_t i = 0; i < 8; i++)
        bits |= (uint64_t)bytes[i] << 8 * i;
    return bits;
}

static void identities(unit *u, tsr_ctx *ctx)
{
    tsr_type *i8 = tsr_type_integer(ctx, 8, TSR_SIGNLESS),
             *u8 = tsr_type_integer(ctx, 8, TSR_UNSIGNED);
    tsr_type *f32 = tsr_type_float(ctx, TSR_F32), *fn = tsr_type_float(ctx, TSR_F8E4M3FN);
    tsr_identity how = TSR_IDENTITY_INFINITE;
    size_t n;
    CHECK(u, identity(TSR_REDUCE_MAX, i8, how, &n) == 0x80 && n == 1);
    CHECK(u, identity(TSR_REDUCE_MIN, i8, how, &n) == 0x7f && n == 1);
    CHECK(u, identity(TSR_REDUCE_MAX, u8, how, &n) == 0 && n == 1);
    CHECK(u, identity(TSR_REDUCE_MIN, u8, how, &n) == 0xff && n == 1);
    CHECK(u, identity(TSR_REDUCE_AND, i8, how, &n) == 0xff && n == 1);
    CHECK(u, identity(TSR_REDUCE_MIN, ctx->i1, how, &n) == 1 && n == 1);
    CHECK(u, identity(TSR_REDUCE_MAX, ctx->i1, how, &n) == 0 && n == 1);
    CHECK(u, identity(TSR_REDUCE_PRODUCT, f32, how, &n) == 0x3f800000 && n == 4);
    CHECK(u, identity(TSR_REDUCE_MAX, f32, how, &n) == 0xff800000 && n == 4);
    CHECK(u, identity(TSR_REDUCE_MIN, f32, TSR_IDENTITY_FINITE, &n) == 0x7f7fffff && n == 4);
    CHECK(u, (identity(TSR_REDUCE_MAX, fn, how, &n), n == 0)); /* it has no infinity */
    CHECK(u, identity(TSR_REDUCE_MAX, fn, TSR_IDENTITY_GREATEST, &n) == 0xfe && n == 1);
    CHECK(u, (identity(TSR_REDUCE_OTHER, f32, how, &n), n == 0));
    CHECK(u, (identity(TSR_REDUCE_AND, f32, how, &n), n == 0));
    tsr_type *c = tsr_type_complex(ctx, f32);
    CHECK(u, identity(TSR_REDUCE_PRODUCT, c, how, &n) == 0x3f800000 && n == 8);
    CHECK(u, (identity(TSR_REDUCE_MAX, c, how, &n), n == 0));
}

/* The column and its opposite; sdy's names. */
static void kinds(unit *u, tsr_ctx *ctx)
{
    tsr_sdy_reduction sdy;
    for (int k = TSR_REDUCE_SUM; k < TSR_REDUCE__COUNT; k++)
        CHECK(u, (int)tsr_reduce_kind_of((int)tsr_reduce_opcode((tsr_reduce_kind)k)) == k);
    CHECK(u, tsr_reduce_kind_of(TSR_OP_STABLEHLO_SUBTRACT) == TSR_REDUCE_OTHER);
    CHECK(u, tsr_reduce_kind_of(TSR_UNREGISTERED) == TSR_REDUCE_OTHER);
    for (int64_t i = TSR_SDY_SUM; i <= TSR_SDY_MIN; i++)
        CHECK(u, tsr_reduce_to_sdy(tsr_reduce_from_sdy(i), ctx->i32, &sdy) && (int64_t)sdy == i);
    CHECK(u, tsr_reduce_to_sdy(TSR_REDUCE_OR, ctx->i1, &sdy) && sdy == TSR_SDY_MAX);
    CHECK(u, !tsr_reduce_to_sdy(TSR_REDUCE_OR, ctx->i32, &sdy));
    CHECK(u, !tsr_reduce_to_sdy(TSR_REDUCE_PRODUCT, ctx->i32, &sdy));
}

/* The parameters of the only op of a function, and the table of its groups. */
static tsr_comm comm(unit *u, tsr_ctx *ctx, const char *op, int64_t *rows, int64_t *cols)
{
    tsr_buf text = {0};
    tsr_buf_printf(&text, "func.func @main(%%a: tensor<4x4xf32>) {\n  %%0 = %s\n  return\n}\n", op);
    tsr_module *m = tsr_module_parse(ctx, (tsr_str){text.data, text.len}, TSR_STR("comm.mlir"));
    tsr_comm c = {0};
    const tsr_op *func = m ? m->op->regions[0].first->first : NULL;
    CHECK(u, func && tsr_comm_of(func->regions[0].first->first, &c) && c.groups);
    CHECK(u, func && !tsr_comm_of(func, &(tsr_comm){0}));
    tsr_comm_table(&c, rows, cols);
    c.body = c.body ? (const tsr_region *)1 : NULL; /* which dies with the module */
    tsr_module_free(m);
    tsr_buf_free(&text);
    return c;
}

#define GROUPS "replica_groups = dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>"
#define CHANNEL "channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>"
#define BODY                                        \
    "({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n" \
    "  %s = stablehlo.add %x, %y : tensor<f32>\n"   \
    "  stablehlo.return %s : tensor<f32>\n}) "
#define UNKNOWN_BODY                                   \
    "({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"    \
    "  %s = stablehlo.subtract %x, %y : tensor<f32>\n" \
    "  stablehlo.return %s : tensor<f32>\n}) "
#define SAME " : (tensor<4x4xf32>) -> tensor<4x4xf32>"

static void comms(unit *u, tsr_ctx *ctx)
{
    int64_t rows, cols;
    tsr_comm c =
        comm(u, ctx, "\"stablehlo.all_reduce\"(%a) " BODY "{" GROUPS "}" SAME, &rows, &cols);
    CHECK(u, c.kind == TSR_COLLECTIVE_REDUCE && c.how == TSR_BY_REPLICA && !c.channel && c.body);
    CHECK(u, rows == 2 && cols == 3 && !c.line && !c.global_ids);
    CHECK(u, c.reducer == TSR_REDUCE_SUM && tsr_comm_is_known(&c) && !c.rooted);
    c = comm(u, ctx, "\"stablehlo.all_reduce\"(%a) " UNKNOWN_BODY "{" GROUPS "}" SAME, &rows,
             &cols);
    CHECK(u, c.reducer == TSR_REDUCE_OTHER && !tsr_comm_is_known(&c));
    c = comm(u, ctx, "\"stablehlo.all_reduce\"(%a) " BODY "{" GROUPS ", " CHANNEL "}" SAME, &rows,
             &cols);
    CHECK(u, c.how == TSR_BY_BOTH && c.channel == 7);
    c = comm(
        u, ctx,
        "\"stablehlo.all_gather\"(%a) {all_gather_dim = 1 : i64, use_global_device_ids, " GROUPS
        ", " CHANNEL "} : (tensor<4x4xf32>) -> tensor<4x12xf32>",
        &rows, &cols);
    CHECK(u, c.kind == TSR_COLLECTIVE_GATHER && c.how == TSR_BY_PROCESS && c.axis == 1 && !c.body);
    CHECK(u, c.reducer == TSR_REDUCE_OTHER && tsr_comm_is_known(&c));
    c = comm(u, ctx,
             "\"stablehlo.all_to_all\"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, "
             "split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, " CHANNEL
             "} : (tensor<4x4xf32>) -> tensor<8x2xf32>",
             &rows, &cols);
    CHECK(u, c.kind == TSR_COLLECTIVE_EXCHANGE && c.how == TSR_BY_PARTITION && c.line);
    CHECK(u, c.split == 1 && c.concat == 0 && c.count == 2 && rows == 1 && cols == 2);
    c = comm(u, ctx,
             "\"stablehlo.collective_permute\"(%a) {source_target_pairs = dense<[[0, 1], [1, 2], "
             "[2, 0]]> "
             ": tensor<3x2xi64>}" SAME,
             &rows, &cols);
    CHECK(u, c.kind == TSR_COLLECTIVE_PERMUTE && c.how == TSR_BY_REPLICA && rows == 3 && cols == 2);
    c = comm(u, ctx, "\"stablehlo.cross-replica-sum\"(%a) {" GROUPS "}" SAME, &rows, &cols);
    CHECK(u, c.kind == TSR_COLLECTIVE_REDUCE && !c.body && c.line && rows == 2);
    CHECK(u, c.reducer == TSR_REDUCE_SUM && !c.rooted);
    c = comm(u, ctx, "\"stablehlo.collective_broadcast\"(%a) {" GROUPS "}" SAME, &rows, &cols);
    CHECK(u, c.kind == TSR_COLLECTIVE_BROADCAST && c.rooted && !c.dynamic_root);
}

void test_params(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new();
    lists(u, ctx);
    parts(u, ctx);
    cases(u);
    identities(u, ctx);
    kinds(u, ctx);
    comms(u, ctx);
    tsr_ctx_free(ctx);
}
