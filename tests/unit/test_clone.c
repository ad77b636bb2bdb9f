/* SPDX-License-Identifier: Apache-2.0 */
/* test_clone.c - deep copies: values, blocks, successors, uses before definitions, data that belongs to a module. */
#include "unit.h"

static tsr_op *put(tsr_module *m, tsr_block *b, const char *name, tsr_value **in, size_t nin,
                   size_t nout, size_t nregion, size_t nsucc)
{
    tsr_type *types[] = {m->ctx->i32, m->ctx->i32};
    tsr_op *op = tsr_op_new(m, tsr_opdef_get(m->ctx, tsr_cstr(name)), TSR_LOC_UNKNOWN, in, nin,
                            types, nout, nregion, nsucc);
    if (b)
        tsr_op_insert(op, b, NULL);
    return op;
}

static void test_branches(unit *u, tsr_ctx *ctx)
{
    tsr_module *m = tsr_module_new(ctx);
    tsr_op *outside = put(m, NULL, "t.outside", NULL, 0, 1, 0, 0),
           *root = put(m, NULL, "t.root", NULL, 0, 0, 1, 0);
    tsr_block *entry = tsr_block_new(m), *next = tsr_block_new(m);
    tsr_block_insert(entry, &root->regions[0], NULL);
    tsr_block_insert(next, &root->regions[0], NULL);
    tsr_value *arg = tsr_block_add_arg(m, next, ctx->i32, TSR_LOC_UNKNOWN);
    /* later is defined after its use. */
    tsr_op *later = put(m, NULL, "t.later", NULL, 0, 1, 0, 0);
    tsr_op *use =
        put(m, entry, "t.use", (tsr_value *[]){&later->out[0], &outside->out[0]}, 2, 1, 0, 0);
    tsr_op_insert(later, entry, NULL);
    tsr_op *br = put(m, entry, "t.br", (tsr_value *[]){&use->out[0]}, 1, 0, 0, 1);
    br->succ[0] = next;
    br->nsuccin[0] = 1;
    put(m, next, "t.end", &arg, 1, 0, 0, 0);
    tsr_mapping map = {0};
    tsr_op *copy = tsr_op_clone(m, root, &map);
    tsr_block *entry2 = copy->regions[0].first, *next2 = entry2->next;
    CHECK(u, copy != root && next2 && next2->nargs == 1 && next2->args[0] != arg && !next2->next);
    CHECK(u, entry2->last->succ[0] == next2 && entry2->last->nsuccin[0] == 1);
    tsr_op *use2 = entry2->first;
    CHECK(u, use2->in[0].value == &use2->next->out[0] && use2->in[1].value == &outside->out[0]);
    CHECK(u, next2->first->in[0].value == next2->args[0] && later->out[0].uses->next == NULL);
    CHECK(u, tsr_mapping_get(&map, &use->out[0]) == &use2->out[0] &&
                 tsr_op_own_operands(entry2->last) == 0);
    tsr_mapping_free(&map);
    /* The caller says what an outer value becomes. */
    tsr_op *other = put(m, NULL, "t.other", NULL, 0, 1, 0, 0);
    tsr_mapping_put(&map, &outside->out[0], &other->out[0]);
    copy = tsr_op_clone(m, root, &map);
    CHECK(u, copy->regions[0].first->first->in[1].value == &other->out[0]);
    tsr_mapping_free(&map);
    tsr_module_free(m);
}

static void test_module(unit *u, tsr_ctx *ctx)
{
    static int32_t data[4096];
    for (int i = 0; i < 4096; i++)
        data[i] = i;
    tsr_module *m = tsr_module_new(ctx);
    tsr_type *type = tsr_type_tensor(ctx, (int64_t[]){4096}, 1, ctx->i32, NULL);
    m->op = put(m, NULL, "t.root", NULL, 0, 0, 1, 0);
    tsr_attr *dense = tsr_attr_dense(ctx, m, type, data, sizeof data, false);
    tsr_op_set_attr(m->op, TSR_STR("direct"), dense);
    tsr_op_set_attr(m->op, TSR_STR("listed"),
                    tsr_attr_array(ctx, (tsr_attr *[]){tsr_attr_unit(ctx), dense}, 2));
    tsr_vec_push(&m->resources,
                 (tsr_resource){.key = tsr_name_get(ctx, TSR_STR("k")), .data = TSR_STR("blob")});
    tsr_module *copy = tsr_module_clone(m);
    tsr_module_free(m);
    tsr_attr *direct = tsr_op_attr(copy->op, TSR_STR("direct")),
             *listed = tsr_op_attr(copy->op, TSR_STR("listed"));
    CHECK(u, direct->type == type && tsr_attr_int_at(direct, 4095) == 4095 && copy->dense.n == 1);
    CHECK(u, listed->attrs[0] == tsr_attr_unit(ctx) && listed->attrs[1] == direct);
    CHECK(u, copy->resources.n == 1 && tsr_str_is(copy->resources.data[0].data, "blob"));
    tsr_module_free(copy);
}

void test_clone(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new_empty();
    test_branches(u, ctx);
    test_module(u, ctx);
    tsr_ctx_free(ctx);
}
