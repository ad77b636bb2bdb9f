/* SPDX-License-Identifier: Apache-2.0 */
/* test_ops.c - ops, use lists, operands, attributes, groups, blocks, walking, symbols. */
#include "unit.h"

enum { SEGMENTED, SHARED, REST, TABLE };
static const tsr_argdef three[] = {
    {"a", NULL, TSR_ONE}, {"b", NULL, TSR_VARIADIC}, {"c", NULL, TSR_OPTIONAL}};
static const tsr_argdef shared[] = {{"a", NULL, TSR_VARIADIC}, {"b", NULL, TSR_VARIADIC}};
static const tsr_argdef rest[] = {
    {"a", NULL, TSR_ONE}, {"b", NULL, TSR_VARIADIC}, {"c", NULL, TSR_ONE}};
static const tsr_slotdef sizes[] = {{"operandSegmentSizes", NULL, TSR_ATTR_REQUIRED, NULL}};
static const tsr_opdef rows[] = {
    {.name = {"t.seg", 5},
     .opcode = SEGMENTED,
     .args = three,
     .narg = 3,
     .slots = sizes,
     .nslot = 1,
     .traits = TSR_TRAIT(SEGMENTED_OPERANDS)},
    {.name = {"t.shared", 8},
     .opcode = SHARED,
     .args = shared,
     .narg = 2,
     .traits = TSR_TRAIT(SAME_VARIADIC_OPERANDS)},
    {.name = {"t.rest", 6}, .opcode = REST, .args = rest, .narg = 3},
    {.name = {"t.table", 7}, .opcode = TABLE, .traits = TSR_TRAIT(SYMBOL_TABLE)},
};

typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    const tsr_opdef *any;
} fixture;

static tsr_op *make(fixture *f, tsr_value **in, size_t nin, size_t nout, size_t nregion)
{
    tsr_type *types[8];
    for (size_t i = 0; i < nout; i++)
        types[i] = f->ctx->i32;
    return tsr_op_new(f->m, f->any, TSR_LOC_UNKNOWN, in, nin, types, nout, nregion, 0);
}

/* Whether the list of uses is linked well and has n members. */
static bool uses_are(const tsr_value *v, size_t n)
{
    tsr_use *const *place = &v->uses;
    size_t count = 0;
    for (const tsr_use *use = v->uses; use; use = use->next, count++) {
        if (use->prev != place || use->value != v)
            return false;
        place = &use->next;
    }
    return count == n;
}

static void test_uses(unit *u, fixture *f)
{
    tsr_op *def = make(f, NULL, 0, 2, 0);
    tsr_value *a = &def->out[0], *b = &def->out[1], *in[] = {a, b, a};
    tsr_op *user = make(f, in, 3, 1, 0), *other = make(f, in, 1, 0, 0);
    CHECK(u, uses_are(a, 3) && uses_are(b, 1) && a->uses->user == other && b->index == 1 &&
                 b->op == def);
    tsr_op_set_operand(user, 0, b);
    CHECK(u, uses_are(a, 2) && uses_are(b, 2));
    tsr_op_set_operands(user, (tsr_value *[]){b, a, a, a, b}, 5);
    CHECK(u, user->nin == 5 && uses_are(a, 4) && uses_are(b, 2) && user->in[4].value == b);
    tsr_op_erase_operand(user, 1);
    CHECK(u, user->nin == 4 && uses_are(a, 3) && uses_are(b, 2) && user->in[3].value == b);
    tsr_op_set_operands(user, (tsr_value *[]){a}, 1);
    CHECK(u, uses_are(a, 2) && uses_are(b, 0));
    tsr_value_replace(a, b);
    CHECK(u, uses_are(a, 0) && uses_are(b, 2) && other->in[0].value == b);
    tsr_value_replace(b, b);
    CHECK(u, uses_are(b, 2));
    tsr_op_erase(other);
    tsr_op_erase(user);
    CHECK(u, uses_are(b, 0) && !tsr_op_used(def));
}

static bool keep_first_operand(void *user, tsr_use *use)
{
    (void)user;
    return use == &use->user->in[0];
}

static void test_replace_if(unit *u, fixture *f)
{
    tsr_op *def = make(f, NULL, 0, 2, 0);
    tsr_value *a = &def->out[0], *b = &def->out[1];
    tsr_op *user = make(f, (tsr_value *[]){a, a, a}, 3, 0, 0);
    tsr_value_replace_if(a, b, keep_first_operand, NULL);
    CHECK(u, uses_are(a, 1) && uses_are(b, 2) && user->in[0].value == a && user->in[2].value == b);
}

static void test_groups(unit *u, fixture *f)
{
    tsr_op *def = make(f, NULL, 0, 1, 0);
    tsr_value *in[6];
    uint32_t start, n;
    for (int i = 0; i < 6; i++)
        in[i] = &def->out[0];
    tsr_op *op = tsr_op_new(f->m, &rows[REST], TSR_LOC_UNKNOWN, in, 5, NULL, 0, 0, 0);
    CHECK(u, tsr_op_operand_group(op, 1, &start, &n) && start == 1 && n == 3);
    CHECK(u, tsr_op_operand_group(op, 2, &start, &n) && start == 4 && n == 1 &&
                 !tsr_op_operand_group(op, 3, &start, &n));
    op = tsr_op_new(f->m, &rows[REST], TSR_LOC_UNKNOWN, in, 1, NULL, 0, 0, 0);
    CHECK(u, !tsr_op_operand_group(op, 0, &start, &n));
    op = tsr_op_new(f->m, &rows[SHARED], TSR_LOC_UNKNOWN, in, 6, NULL, 0, 0, 0);
    CHECK(u, tsr_op_operand_group(op, 1, &start, &n) && start == 3 && n == 3);
    /* What does not divide evenly is left to the op's own rules, as MLIR leaves it. */
    op = tsr_op_new(f->m, &rows[SHARED], TSR_LOC_UNKNOWN, in, 5, NULL, 0, 0, 0);
    CHECK(u, tsr_op_operand_group(op, 1, &start, &n) && start == 2 && n == 2);
    op = tsr_op_new(f->m, &rows[SEGMENTED], TSR_LOC_UNKNOWN, in, 4, NULL, 0, 0, 0);
    CHECK(u, !tsr_op_operand_group(op, 0, &start, &n));
    op->attrs[0] = tsr_attr_dense_array(f->ctx, f->ctx->i32, (int32_t[]){1, 2, 1}, 3);
    CHECK(u, tsr_op_operand_group(op, 1, &start, &n) && start == 1 && n == 2);
    CHECK(u,
          tsr_op_operand_group(op, 2, &start, &n) && start == 3 && n == 1 && tsr_op_fits_row(op));
    op->attrs[0] = tsr_attr_dense_array(f->ctx, f->ctx->i32, (int32_t[]){1, 2, 2}, 3);
    CHECK(u, !tsr_op_operand_group(op, 2, &start, &n) && !tsr_op_fits_row(op));
}

static void test_attributes(unit *u, fixture *f)
{
    tsr_op *op = tsr_op_new(f->m, &rows[SEGMENTED], TSR_LOC_UNKNOWN, NULL, 0, NULL, 0, 0, 0);
    tsr_attr *one = tsr_attr_i64(f->ctx, 1), *two = tsr_attr_i64(f->ctx, 2);
    tsr_op_set_attr(op, TSR_STR("operandSegmentSizes"), one);
    tsr_op_set_attr(op, TSR_STR("zz"), two);
    tsr_op_set_attr(op, TSR_STR("aa"), two);
    CHECK(u, op->attrs[0] == one && op->extra->n == 2 && tsr_op_attr(op, TSR_STR("zz")) == two);
    tsr_named_vec all = {0};
    tsr_op_all_attrs(op, &all);
    CHECK(u, all.n == 3 && tsr_str_is(all.data[0].name->str, "aa") &&
                 tsr_str_is(all.data[1].name->str, "operandSegmentSizes"));
    tsr_vec_free(&all);
    tsr_op_set_attr(op, TSR_STR("zz"), NULL);
    tsr_op_set_attr(op, TSR_STR("aa"), NULL);
    tsr_op_set_attr(op, TSR_STR("operandSegmentSizes"), NULL);
    CHECK(u, !op->extra && !op->attrs[0] && !tsr_op_attr(op, TSR_STR("aa")));
    op = make(f, NULL, 0, 0, 0);
    op->attrs[0] =
        tsr_attr_dict(f->ctx, (tsr_named[]){{tsr_name_get(f->ctx, TSR_STR("p")), one}}, 1);
    tsr_op_set_attr(op, TSR_STR("p"), two);
    tsr_op_set_attr(op, TSR_STR("q"), one);
    CHECK(u, tsr_op_attr(op, TSR_STR("p")) == two && op->attrs[0]->n == 1 && op->extra->n == 1);
}

/* a { b { c d } ^ { e } | f } g, as one block each. */
static tsr_op *make_tree(fixture *f, tsr_op **ops)
{
    tsr_op *root = make(f, NULL, 0, 0, 1);
    tsr_block *top = tsr_block_new(f->m);
    tsr_block_insert(top, &root->regions[0], NULL);
    for (int i = 0; i < 7; i++)
        ops[i] = make(f, NULL, 0, 1, i == 0 ? 3 : i == 1 ? 1 : 0);
    tsr_op_insert(ops[6], top, NULL);
    tsr_op_insert(ops[0], top, ops[6]);
    tsr_block *first = tsr_block_new(f->m), *second = tsr_block_new(f->m),
              *last = tsr_block_new(f->m);
    tsr_block *inner = tsr_block_new(f->m), *empty = tsr_block_new(f->m);
    tsr_block_insert(second, &ops[0]->regions[0], NULL);
    tsr_block_insert(first, &ops[0]->regions[0], second);
    tsr_block_insert(empty, &ops[0]->regions[0], second);
    tsr_block_insert(last, &ops[0]->regions[2], NULL);
    tsr_block_insert(inner, &ops[1]->regions[0], NULL);
    tsr_op_insert(ops[1], first, NULL);
    tsr_op_insert(ops[2], inner, NULL);
    tsr_op_insert(ops[3], inner, NULL);
    tsr_op_insert(ops[4], second, NULL);
    tsr_op_insert(ops[5], last, NULL);
    return root;
}

static void test_walk(unit *u, fixture *f)
{
    tsr_op *ops[7];
    tsr_op *root = make_tree(f, ops);
    int i = -1, bad = 0;
    TSR_OPS (root, op) {
        bad += op != (i < 0 ? root : ops[i]);
        i++;
    }
    CHECK(u, i == 7 && bad == 0);
    i = 7;
    TSR_OPS_REVERSE (root, op)
        bad += op != ops[--i];
    CHECK(u, i == 0 && bad == 0);
    i = 0;
    TSR_OPS (ops[1], op)
        i++;
    CHECK(u, i == 3 && !tsr_walk_last(ops[6]) && tsr_walk_last(ops[0]) == ops[5]);
    CHECK(u, tsr_op_before(ops[2], ops[3]) && !tsr_op_before(ops[3], ops[2]) &&
                 !tsr_op_before(ops[2], ops[2]));
    CHECK(u, tsr_op_is_ancestor(ops[0], ops[3]) && !tsr_op_is_ancestor(ops[1], ops[4]) &&
                 tsr_op_is_ancestor(ops[1], ops[1]));
    f->m->op = root;
    tsr_module_renumber(f->m);
    CHECK(u, root->id == 0 && ops[6]->id == 7 && f->m->nop == 8 && f->m->nvalue == 7 &&
                 f->m->nblock == 6);
    /* Erasing while walking backward. */
    TSR_OPS_REVERSE (root, op)
        tsr_op_erase(op);
    CHECK(u, !root->regions[0].first->first);
    f->m->op = NULL;
}

static void test_blocks(unit *u, fixture *f)
{
    tsr_op *root = make(f, NULL, 0, 0, 2);
    tsr_block *a = tsr_block_new(f->m), *b = tsr_block_new(f->m);
    tsr_block_insert(a, &root->regions[0], NULL);
    tsr_block_insert(b, &root->regions[1], NULL);
    tsr_value *args[9];
    for (int i = 0; i < 9; i++)
        args[i] = tsr_block_add_arg(f->m, a, f->ctx->i32, TSR_LOC_UNKNOWN);
    tsr_block_erase_arg(a, 2);
    CHECK(u, a->nargs == 8 && a->args[2] == args[3] && args[3]->index == 2 && args[8]->index == 7 &&
                 args[8]->is_arg);
    tsr_op *x = make(f, NULL, 0, 0, 0), *y = make(f, NULL, 0, 0, 0), *z = make(f, NULL, 0, 0, 0);
    tsr_op_insert(x, a, NULL);
    tsr_op_insert(y, b, NULL);
    tsr_op_insert(z, b, NULL);
    tsr_block_splice(a, x, b);
    CHECK(u, a->first == y && y->next == z && z->next == x && a->last == x && !b->first &&
                 z->block == a && x->prev == z);
    tsr_op_move_before(x, y);
    CHECK(u, a->first == x && a->last == z);
    tsr_region_take(&root->regions[1], &root->regions[0]);
    CHECK(u, !root->regions[0].first && root->regions[1].first == b && b->next == a &&
                 a->region == &root->regions[1]);
    tsr_block_erase(a);
    CHECK(u, root->regions[1].last == b && !a->first);
}

static tsr_op *named(fixture *f, const tsr_opdef *def, tsr_block *in, const char *name)
{
    tsr_op *op = tsr_op_new(f->m, def, TSR_LOC_UNKNOWN, NULL, 0, NULL, 0, 1, 0);
    tsr_op_set_attr(op, TSR_STR("sym_name"), tsr_attr_string(f->ctx, tsr_cstr(name)));
    if (in)
        tsr_op_insert(op, in, NULL);
    tsr_block_insert(tsr_block_new(f->m), &op->regions[0], NULL);
    return op;
}

static bool count_ref(void *user, const tsr_attr *symbol)
{
    (void)symbol;
    return ++*(int *)user < 3;
}

static void test_symbols(unit *u, fixture *f)
{
    tsr_op *top = named(f, &rows[TABLE], NULL, "top"),
           *inner = named(f, &rows[TABLE], top->regions[0].first, "inner");
    tsr_op *a = named(f, f->any, top->regions[0].first, "a"),
           *b = named(f, f->any, inner->regions[0].first, "b");
    tsr_attr *ref_b = tsr_attr_symbol(f->ctx, TSR_STR("b"), NULL, 0);
    tsr_attr *nested = tsr_attr_symbol(f->ctx, TSR_STR("inner"), &ref_b, 1),
             *ref_a = tsr_attr_symbol(f->ctx, TSR_STR("a"), NULL, 0);
    CHECK(u, tsr_symbol_find(top, TSR_STR("a")) == a && !tsr_symbol_find(top, TSR_STR("b")));
    CHECK(u, tsr_symbol_resolve(a, nested) == b && tsr_symbol_resolve(b, ref_b) == b &&
                 tsr_symbol_resolve(b, ref_a) == a);
    CHECK(u, !tsr_symbol_resolve(a, ref_b) && tsr_symbol_table_of(b) == inner &&
                 !tsr_symbol_table_of(top));
    tsr_symtab t;
    tsr_symtab_init(&t, top);
    CHECK(u, tsr_symtab_find(&t, TSR_STR("inner")) == inner && !tsr_symtab_find(&t, TSR_STR("x")));
    tsr_symtab_free(&t);
    f->m->op = top;
    CHECK(u, tsr_module_lookup(f->m, TSR_STR("inner::b")) == b &&
                 !tsr_module_lookup(f->m, TSR_STR("a::b")));
    f->m->op = NULL;
    int n = 0;
    tsr_op_set_attr(a, TSR_STR("refs"), tsr_attr_array(f->ctx, (tsr_attr *[]){ref_a, nested}, 2));
    CHECK(u, tsr_op_symbol_refs(a, count_ref, &n) && n == 2);
}

/* What is kept of names stays right when symbols come, go, move and get others. */
static void test_kept_symbols(unit *u, fixture *f)
{
    tsr_op *top = named(f, &rows[TABLE], NULL, "top");
    tsr_str a = TSR_STR("a"), b = TSR_STR("b");
    tsr_symcache outer, inner;
    tsr_symcache_start(f->m, &outer);
    CHECK(u, !tsr_symbol_find(top, a));
    tsr_op *first = named(f, f->any, top->regions[0].first, "a");
    CHECK(u, tsr_symbol_find(top, a) == first && !tsr_symbol_find(top, b));
    tsr_symcache_start(f->m, &inner);
    tsr_op_set_attr(first, TSR_STR("sym_name"), tsr_attr_string(f->ctx, b));
    CHECK(u, !tsr_symbol_find(top, a) && tsr_symbol_find(top, b) == first);
    tsr_symcache_stop(&inner);
    CHECK(u, f->ctx->symcache == &outer && tsr_symbol_find(top, b) == first);
    /* Of several the first in the table counts. */
    tsr_op *second = named(f, f->any, NULL, "b");
    tsr_op_insert(second, first->block, first);
    CHECK(u, tsr_symbol_find(top, b) == second);
    tsr_op_erase(second);
    CHECK(u, tsr_symbol_find(top, b) == first);
    tsr_op_erase(first);
    CHECK(u, !tsr_symbol_find(top, b));
    tsr_symcache_stop(&outer);
    CHECK(u, !f->ctx->symcache);
}

void test_ops(unit *u)
{
    fixture f = {.ctx = tsr_ctx_new_empty()};
    f.m = tsr_module_new(f.ctx);
    f.any = tsr_opdef_get(f.ctx, TSR_STR("t.any"));
    test_uses(u, &f);
    test_replace_if(u, &f);
    test_groups(u, &f);
    test_attributes(u, &f);
    test_walk(u, &f);
    test_blocks(u, &f);
    test_symbols(u, &f);
    test_kept_symbols(u, &f);
    tsr_module_free(f.m);
    tsr_ctx_free(f.ctx);
}
