/* SPDX-License-Identifier: Apache-2.0 */
/* test_projection.c - shardings of dimensions as shardings of factors and back, and one step of propagation on them. */
#include "api/api.h"
#include "shard/propagate/factor.h"
#include "unit.h"

typedef struct {
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_arena arena;
    tsr_shardings table;
    tsr_op *op;
    const tsr_rule *rule;
    tsr_projection p;
    const tsr_sharding *shardings[8];
} fixture;

/* An op with this rule, and these shardings ("" for none) on its operands, then results. */
static bool start(fixture *f, const char *mesh, const char *rule, const char *const *shardings)
{
    tsr_buf text = {0};
    *f = (fixture){.ctx = tsr_ctx_new()};
    f->ctx->allow_unregistered = true;
    tsr_arena_init(&f->arena);
    tsr_buf_printf(&text,
                   "sdy.mesh @mesh = <[%s]>\n\"test.op\"() {rule = #sdy.op_sharding_rule<%s>", mesh,
                   rule);
    for (int i = 0; shardings[i]; i++)
        if (*shardings[i])
            tsr_buf_printf(&text, ", s%d = #sdy.sharding<@mesh, %s>", i, shardings[i]);
    tsr_buf_cstr(&text, "} : () -> ()\n");
    f->module = tsr_module_parse(f->ctx, tsr_buf_text(&text), tsr_cstr("test"));
    tsr_buf_free(&text);
    if (!f->module)
        return false;
    f->op = f->module->op->regions[0].first->last;
    tsr_shardings_init(&f->table, &f->arena, f->module->op);
    f->rule = tsr_rule_decode(&f->arena, tsr_dict_get(f->op->extra, TSR_STR("rule")));
    for (int i = 0; shardings[i]; i++) {
        char name[] = {'s', (char)('0' + i)};
        f->shardings[i] =
            tsr_sharding_decode(&f->table, tsr_dict_get(f->op->extra, (tsr_str){name, 2}));
    }
    tsr_projection_init(&f->p, &f->arena, &f->table, f->rule);
    tsr_projection_build(&f->p, f->shardings, false);
    return true;
}

static void stop(fixture *f)
{
    tsr_shardings_free(&f->table);
    tsr_arena_free(&f->arena);
    tsr_module_free(f->module);
    tsr_ctx_free(f->ctx);
}

static bool printed_as(fixture *f, const tsr_sharding *s, const char *text)
{
    tsr_buf out = {0}, want = {0};
    f->ctx->print_attr(f->ctx, &out, tsr_sharding_encode(&f->table, s));
    tsr_buf_printf(&want, "#sdy.sharding<@mesh, %s>", text);
    bool same = tsr_str_eq(tsr_buf_text(&out), tsr_buf_text(&want));
    if (!same)
        fprintf(stderr, "%.*s\n", TSR_STR_ARG(tsr_buf_text(&out)));
    tsr_buf_free(&out);
    tsr_buf_free(&want);
    return same;
}

static bool has(const tsr_axes *axes, uint32_t i, uint32_t axis, int64_t pre, int64_t size)
{
    return i < axes->n && tsr_axis_eq(axes->data[i], (tsr_axis){axis, pre, size});
}

/* A dimension of two factors: axes are cut where the first is full. */
static void splits_axes(unit *u)
{
    fixture f;
    CHECK(u, start(&f, "\"x\"=4, \"y\"=2", "([ij])->([i, j]) {i=2, j=4}",
                   (const char *[]){"[{\"x\", \"y\"}]", "[{?}, {?}]", NULL}));
    tsr_factor_sharding *i = tsr_projection_part(&f.p, 0, 0), *j = tsr_projection_part(&f.p, 0, 1);
    CHECK(u, i->axes->n == 1 && has(i->axes, 0, 0, 1, 2) && i->closed && !i->minor_most);
    CHECK(u,
          j->axes->n == 2 && has(j->axes, 0, 0, 2, 2) && has(j->axes, 1, 1, 1, 2) && j->minor_most);
    CHECK(u, tsr_projection_sharding(&f.p, 0, f.shardings[0]->mesh) == f.shardings[0]);
    CHECK(u,
          tsr_projection_expand(&f.p, 1, 0, i->axes) && tsr_projection_expand(&f.p, 1, 1, j->axes));
    CHECK(u, !tsr_projection_expand(&f.p, 1, 0, i->axes));
    CHECK(u, printed_as(&f, tsr_projection_sharding(&f.p, 1, f.shardings[0]->mesh),
                        "[{\"x\":(1)2, ?}, {\"x\":(2)2, \"y\", ?}]"));
    CHECK(u, tsr_projection_size(&f.p, 0) == 8);
    stop(&f);
}

/* An axis of 2 cannot shard a factor of 3: it overflows, and what comes behind is as if it were not there. */
static void overflows(unit *u)
{
    fixture f;
    CHECK(u, start(&f, "\"x\"=3, \"y\"=2", "([ijk])->([i, j, k]) {i=9, j=4, k=5}",
                   (const char *[]){"[{\"x\", \"y\", ?}]", "", NULL}));
    tsr_factor_sharding *i = tsr_projection_part(&f.p, 0, 0), *j = tsr_projection_part(&f.p, 0, 1);
    CHECK(u, has(i->axes, 0, 0, 1, 3) && has(i->overflow, 0, 1, 1, 2) && !i->closed);
    CHECK(u, j->closed && !j->axes->n && !tsr_projection_part(&f.p, 0, 2));
    CHECK(u, tsr_projection_overflows(&f.p, 0) && !tsr_projection_overflows(&f.p, 1));
    CHECK(u, tsr_projection_sharding(&f.p, 0, f.shardings[0]->mesh) == f.shardings[0]);
    stop(&f);
}

/* A factor that is not full ends its dimension: what follows would be strided. */
static void no_strides(unit *u)
{
    fixture f;
    CHECK(u, start(&f, "\"x\"=2, \"y\"=2", "([i, j])->([ij]) {i=4, j=4}",
                   (const char *[]){"[{\"x\"}, {\"y\"}]", "", NULL}));
    bool changed[2] = {false, false};
    tsr_projection_expand_all(&f.p, 0, f.shardings[0]->dims[0].axes, changed);
    tsr_projection_expand_all(&f.p, 1, f.shardings[0]->dims[1].axes, changed);
    CHECK(u, !changed[0] && changed[1]);
    CHECK(u,
          printed_as(&f, tsr_projection_sharding(&f.p, 1, f.shardings[0]->mesh), "[{\"x\", ?}]"));
    const tsr_axes *common[2];
    tsr_projection_common_prefix(&f.p, common);
    CHECK(u,
          common[0] == f.shardings[0]->dims[0].axes && common[1] == f.shardings[0]->dims[1].axes);
    tsr_projection other;
    tsr_projection_init(&other, &f.arena, &f.table, f.rule);
    tsr_projection_build_axes(&other, common);
    CHECK(u, !tsr_projection_same(&f.p, &other) && tsr_projection_part(&other, 1, 1)->closed);
    CHECK(u, tsr_projection_update(&other, 1, 1, f.table.lists.none, common[0]) &&
                 !tsr_projection_update(&other, 1, 1, f.table.lists.none, common[0]) &&
                 tsr_projection_overflows(&other, 1));
    stop(&f);
}

/* x + y of 6 over factors of 2 and 3: the axis of 4 leaves 2 for nobody. */
static void deals_out(unit *u)
{
    fixture f;
    CHECK(u, start(&f, "\"x\"=4, \"y\"=3", "([ij])->([ij]) {i=2, j=3}",
                   (const char *[]){"[{\"y\", \"x\"}]", "", NULL}));
    tsr_factor_sharding parts[2] = {{.axes = f.table.lists.none, .overflow = f.table.lists.none},
                                    {.axes = f.table.lists.none, .overflow = f.table.lists.none}};
    tsr_distribute_axes(&f.table.lists, f.shardings[0]->dims[0].axes, f.rule->sizes, parts, 2);
    CHECK(u, has(parts[1].axes, 0, 1, 1, 3) && has(parts[0].axes, 0, 0, 1, 2) &&
                 has(parts[1].overflow, 0, 0, 2, 2));
    stop(&f);
}

static bool step(fixture *f, tsr_strategy strategy, tsr_sdy_direction d, bool *changed)
{
    uint8_t directions[] = {(uint8_t)d, (uint8_t)d, (uint8_t)d, (uint8_t)d};
    tsr_factor_step s = {.strategy = strategy,
                         .mesh = f->shardings[0]->mesh,
                         .directions = directions,
                         .scratch = &f->arena};
    memset(changed, 0, 3);
    return tsr_factor_propagate(&s, &f->p, changed);
}

/* dot(ik, kj) -> ij with x wanted by i and j: the basic strategy gives it to neither, the aggressive one to the first. */
static void resolves_conflicts(unit *u)
{
    static const char *const given[] = {"[{\"x\", ?}, {?}]", "[{?}, {\"x\", ?}]", "", NULL};
    fixture f;
    bool changed[3];
    CHECK(u,
          start(&f, "\"x\"=2", "([i, k], [k, j])->([i, j]) {i=8, j=8, k=8} reduction={k}", given));
    CHECK(u, !step(&f, TSR_BASIC, TSR_SDY_BOTH, changed));
    CHECK(u, !step(&f, TSR_AGGRESSIVE, TSR_SDY_BACKWARD, changed));
    CHECK(u, step(&f, TSR_AGGRESSIVE, TSR_SDY_BOTH, changed) && !changed[0] && !changed[1] &&
                 changed[2]);
    CHECK(u, printed_as(&f, tsr_projection_sharding(&f.p, 2, f.shardings[0]->mesh),
                        "[{\"x\", ?}, {?}]"));
    stop(&f);
}

static void agrees(unit *u)
{
    tsr_arena arena;
    tsr_axis_lists lists;
    tsr_arena_init(&arena);
    tsr_axis_lists_init(&lists, &arena);
    tsr_axis a = {0, 1, 4}, b = {1, 1, 2}, a1 = {0, 1, 2};
    const tsr_axes *one = tsr_axes_get(&lists, &a, 1),
                   *both = tsr_axes_get(&lists, (tsr_axis[]){a, b}, 2);
    const tsr_axes *half = tsr_axes_get(&lists, &a1, 1),
                   *half_b = tsr_axes_get(&lists, (tsr_axis[]){a1, b}, 2);
    const tsr_axes *other = tsr_axes_get(&lists, &b, 1);
    bool expand = true;
    CHECK(u, tsr_axes_agree(&lists, one, both, &expand) == both && expand);
    CHECK(u, tsr_axes_agree(&lists, half, one, &expand) == one && expand);
    CHECK(u, tsr_axes_agree(&lists, one, half, &expand) == one && expand);
    CHECK(u, tsr_axes_agree(&lists, half_b, one, &expand) == half && !expand);
    CHECK(u, tsr_axes_agree(&lists, one, both, &expand) == one && !expand);
    expand = true;
    CHECK(u, tsr_axes_agree(&lists, both, other, &expand) == lists.none && !expand);
    tsr_axis_lists_free(&lists);
    tsr_arena_free(&arena);
}

void test_projection(unit *u)
{
    splits_axes(u);
    overflows(u);
    no_strides(u);
    deals_out(u);
    resolves_conflicts(u);
    agrees(u);
}
