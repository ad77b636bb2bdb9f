/* SPDX-License-Identifier: Apache-2.0 */
/* test_cost.c - local shapes, bytes per device, and what collectives and reshards move; and plans
 * of reshards, all of which must reach their target by legal steps. */
#include "unit.h"

#include "shard/core/cost.h"
#include "shard/core/relayout.h"

static const char text[] =
    "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n"
    "sdy.mesh @other = <[\"x\"=2, \"y\"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>\n"
    "sdy.mesh @one = <[], device_ids=[0]>\n"
    "func.func @f(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>},\n"
    "             %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], "
    "unreduced={\"y\"}>},\n"
    "             %c: tensor<5x3xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>},\n"
    "             %d: tensor<?x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"y\"}]>},\n"
    "             %e: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {\n"
    "  %0 = sdy.all_gather [{}, {\"y\"}] %a out_sharding=<@mesh, [{\"x\"}, {}]> : "
    "tensor<8x16xf32>\n"
    "  %1 = sdy.all_slice [{}, {\"y\"}] %0 out_sharding=<@mesh, [{\"x\"}, {\"y\"}]> : "
    "tensor<8x16xf32>\n"
    "  %2 = sdy.all_to_all [{\"y\"}: 1->0] %1 out_sharding=<@mesh, [{\"x\", \"y\"}, {}]> : "
    "tensor<8x16xf32>\n"
    "  %3 = sdy.collective_permute %2 out_sharding=<@mesh, [{\"y\", \"x\"}, {}]> : "
    "tensor<8x16xf32>\n"
    "  %4 = sdy.collective_permute %3 out_sharding=<@other, [{\"y\", \"x\"}, {}]> : "
    "tensor<8x16xf32>\n"
    "  %5 = sdy.all_reduce {\"y\"} %b out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>\n"
    "  %6 = sdy.reduce_scatter [{\"y\"}, {}] %b out_sharding=<@mesh, [{\"y\"}, {}]> : "
    "tensor<8x16xf32>\n"
    "  %7 = sdy.replicated_to_unreduced {\"x\"} %e out_sharding=<@mesh, [{}, {}], "
    "unreduced={\"x\"}> : "
    "tensor<8x16xf32>\n"
    "  %8 = sdy.reshard %a <@mesh, [{\"y\"}, {}]> : tensor<8x16xf32>\n"
    "  %9 = sdy.reshard %a <@other, [{}, {}]> : tensor<8x16xf32>\n"
    "  %10 = sdy.reshard %c <@mesh, [{\"x\"}, {}]> : tensor<5x3xbf16>\n"
    "  %11 = sdy.reshard %e <@one, []> : tensor<8x16xf32>\n"
    "  %12 = sdy.all_gather [{}, {\"y\"}] %d out_sharding=<@mesh, [{}, {}]> : tensor<?x16xf32>\n"
    "  %13 = stablehlo.negate %e : tensor<8x16xf32>\n"
    "  return\n"
    "}\n";

/* What each op of the text costs; ndevice 0: it has no cost. */
static const struct {
    int64_t ndevice, before, after, moved;
    uint32_t nstep;
} expected[] = {
    {4, 64, 256, 192, 1}, /* 3 parts of 64 bytes come */
    {4, 256, 64, 0, 0},    {4, 64, 64, 48, 1},    {8, 64, 64, 64, 1},
    {1, 64, 64, 64, 1}, /* the same axes on other devices */
    {4, 512, 512, 768, 1}, {4, 512, 128, 384, 1}, {2, 512, 512, 0, 0},
    {8, 64, 128, 160, 3}, /* a permute, an exchange of two parts, a gather of two */
    {8, 64, 512, 448, 1}, /* replicated: devices need not change places */
    {4, 6, 18, 18, 1},    /* 3x1 of 5x3, padded */
    {0, 0, 0, 0, 0},       {0, 0, 0, 0, 0},       {0, 0, 0, 0, 0},
};

static void test_ops_cost(unit *u, tsr_shardings *table, tsr_block *body)
{
    uint32_t i = 0;
    TSR_BLOCK_OPS (body, op) {
        if (i == TSR_COUNT(expected))
            break;
        tsr_move_cost c;
        bool ok = tsr_move_cost_of(table, op, &c);
        CHECK(u, ok == (expected[i].ndevice != 0));
        if (ok) {
            CHECK(u, c.ndevice == expected[i].ndevice && c.axes->size == c.ndevice);
            CHECK(u, c.before == expected[i].before && c.after == expected[i].after);
            CHECK(u, c.moved == expected[i].moved && c.nstep == expected[i].nstep);
        }
        i++;
    }
    CHECK(u, i == TSR_COUNT(expected));
}

static void test_local(unit *u, tsr_shardings *table, tsr_block *body)
{
    tsr_type *type = body->args[2]->type;
    const tsr_sharding *s = tsr_sharding_decode(table, tsr_sdy_sharding_of(body->args[2]));
    int64_t dims[2];
    tsr_local_dims(type, s, dims);
    CHECK(u, dims[0] == 3 && dims[1] == 1);
    tsr_type *local = tsr_local_type(table->ctx, type, s);
    CHECK(u,
          local->n == 2 && local->dims[0] == 3 && local->dims[1] == 1 && local->elem == type->elem);
    CHECK(u, tsr_local_type(table->ctx, type, NULL) == type);
    CHECK(u, tsr_local_bytes(type, s) == 6 && tsr_local_bytes(type, NULL) == 30);
    CHECK(u, tsr_local_bytes(body->args[3]->type, NULL) == -1);
    CHECK(u, tsr_local_bytes(table->ctx->none, NULL) == 0);
    int64_t huge[] = {INT64_MAX / 2, 1000};
    CHECK(u, tsr_local_bytes(tsr_type_tensor(table->ctx, huge, 2, type->elem, NULL), NULL) ==
                 INT64_MAX);
}

/* ---- Plans ---- */

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

enum { RANK = 3, NAXIS = 3 };
static const int64_t axis_sizes[NAXIS] = {6, 4, 2};

/* Random axes, whole or cut in two, over RANK dimensions. */
static void random_axes(tsr_axis_lists *lists, uint64_t *seed, const tsr_axes **out)
{
    tsr_axis_vec dims[RANK] = {{0}};
    for (uint32_t a = 0; a < NAXIS; a++) {
        int64_t cuts[] = {1, 2, axis_sizes[a] / 2};
        int64_t cut = cuts[next_random(seed) % 3];
        for (int k = 0; k < 2; k++) {
            tsr_axis part = k ? (tsr_axis){a, cut, axis_sizes[a] / cut} : (tsr_axis){a, 1, cut};
            if (part.size > 1 && next_random(seed) % 4)
                tsr_axis_vec_add(&dims[next_random(seed) % RANK], part);
        }
    }
    for (uint32_t d = 0; d < RANK; d++) {
        out[d] = tsr_axes_get(lists, dims[d].data, dims[d].n);
        tsr_vec_free(&dims[d]);
    }
}

static bool same_list(const tsr_axis_list *a, const tsr_axis *data, uint32_t n)
{
    bool same = a->n == n;
    for (uint32_t i = 0; same && i < n; i++)
        same = tsr_axis_eq(a->data[i], data[i]);
    return same;
}

/* Whether the step leads from the axes in now to its own, as its kind says; and whether no axis
 * stands twice. */
static bool is_legal(tsr_arena *arena, const tsr_relayout_step *s, const tsr_axis_list *now)
{
    for (uint32_t d = 0; d < RANK; d++) {
        tsr_axis_list before = {0}, after = {0};
        for (uint32_t i = 0; i < now[d].n; i++)
            tsr_axis_list_add(arena, &before, now[d].data[i]);
        for (uint32_t i = 0; i < s->sharding[d].n; i++)
            tsr_axis_list_add(arena, &after, s->sharding[d].data[i]);
        const tsr_axis_list *more = s->kind == TSR_STEP_ALL_TO_ALL ? &s->axes[0]
                                    : s->axes                      ? &s->axes[d]
                                                                   : NULL;
        bool comes = s->kind == TSR_STEP_SLICE || (s->kind == TSR_STEP_ALL_TO_ALL && d == s->tgt);
        bool goes = s->kind == TSR_STEP_GATHER || (s->kind == TSR_STEP_ALL_TO_ALL && d == s->src);
        tsr_axis_list *shorter = comes ? &before : &after;
        for (uint32_t i = 0; (comes || goes) && i < more->n; i++)
            tsr_axis_list_add(arena, shorter, more->data[i]);
        if (s->kind == TSR_STEP_PERMUTE ? tsr_axis_list_size(&before) != tsr_axis_list_size(&after)
                                        : !same_list(&before, after.data, after.n))
            return false;
        for (uint32_t e = 0; e <= d; e++)
            for (uint32_t i = 0; i < s->sharding[d].n; i++)
                for (uint32_t k = 0; k < (e == d ? i : s->sharding[e].n); k++)
                    if (tsr_axis_overlaps(s->sharding[d].data[i], s->sharding[e].data[k]))
                        return false;
    }
    return true;
}

static void test_plans(unit *u, tsr_axis_lists *lists)
{
    static const int64_t dims[RANK] = {48, 96, 10};
    uint64_t seed = 1;
    bool legal = true, arrives = true;
    for (int n = 0; n < 3000; n++) {
        tsr_arena arena;
        tsr_arena_init(&arena);
        const tsr_axes *from[RANK], *to[RANK];
        random_axes(lists, &seed, from);
        random_axes(lists, &seed, to);
        tsr_relayout r = {
            .rank = RANK, .dims = dims, .from = from, .to = to, .same_mesh = n % 8 != 0};
        tsr_axis_list start[RANK] = {{0}}, *now = start;
        for (uint32_t d = 0; d < RANK; d++)
            for (uint32_t i = 0; i < from[d]->n; i++)
                tsr_axis_list_push(&arena, &start[d], from[d]->data[i]);
        bool on_target = r.same_mesh;
        for (const tsr_relayout_step *s = tsr_relayout_plan(&arena, &r); s; s = s->next) {
            legal &= is_legal(&arena, s, now);
            now = s->sharding;
            on_target = s->target_mesh;
        }
        arrives &= on_target;
        for (uint32_t d = 0; d < RANK; d++)
            arrives &= same_list(&now[d], to[d]->data, to[d]->n);
        tsr_arena_free(&arena);
    }
    CHECK(u, legal);
    CHECK(u, arrives);
}

void test_cost(unit *u)
{
    diag_log log = {0};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, unit_log, &log);
    tsr_module *m = tsr_module_parse(ctx, TSR_STR(text), TSR_STR("cost.mlir"));
    CHECK(u, unit_logged(&log, ""));
    CHECK(u, m != NULL);
    tsr_arena arena;
    tsr_arena_init(&arena);
    if (m) {
        tsr_shardings table;
        tsr_shardings_init(&table, &arena, m->op);
        tsr_op *func = m->op->regions[0].first->last;
        test_ops_cost(u, &table, func->regions[0].first);
        test_local(u, &table, func->regions[0].first);
        test_plans(u, &table.lists);
        tsr_shardings_free(&table);
        tsr_module_free(m);
    }
    tsr_arena_free(&arena);
    tsr_ctx_free(ctx);
}
