/* SPDX-License-Identifier: Apache-2.0 */
/* canonicalize.c - the generic part of canonicalization: makes constants unique and moves them to the front, runs the
 * rows' folders, removes dead code, simplifies regions. Repeats all four until nothing changes. Needs uses; keeps
 * shardings; breaks ids. Each round is linear. */
#include "pass/simplify/simplify.h"

#include "eval/plan.h"

/* ---- Constants ---- */

/* A constant that was found: the representative of its value in its region. */
typedef struct {
    tsr_op *op;
    const tsr_region *region;
} known;

typedef struct {
    tsr_map by_value; /* known */
    tsr_map ops;      /* tsr_op of every known constant */
} constants;

static bool is_known(const constants *c, const tsr_op *op)
{
    TSR_MAP_EACH (&c->ops, tsr_hash_ptr(op), x)
        if (x == op)
            return true;
    return false;
}

/* The region for constants of b's ops: the body of the nearest isolated op. */
static tsr_region *constant_region(tsr_block *b)
{
    tsr_region *region = b->region;
    while (!tsr_op_maybe_isolated(region->op) && region->op->block)
        region = region->op->block->region;
    return region;
}

static tsr_attr *constant_value(const tsr_op *op)
{
    if (op->def->constant)
        return op->def->constant(op);
    int slot = tsr_opdef_slot(op->def, TSR_STR("value"));
    return slot < 0 ? NULL : op->attrs[slot];
}

/* Returns whether op was erased because an equal constant replaces it. A new constant is moved to the front of its
 * region unless it is there already, at the front or after another such constant. */
static bool unique_constant(tsr_pass *p, constants *c, tsr_op *op)
{
    tsr_attr *value = constant_value(op);
    if (!value || op->nout != 1)
        return false;
    tsr_region *region = constant_region(op->block);
    uint64_t hash = tsr_hash_mix(tsr_hash_ptr(value), tsr_hash_ptr(region));
    hash = tsr_hash_mix(hash, tsr_hash_ptr(op->out[0].type));
    TSR_MAP_EACH (&c->by_value, hash, x) {
        known *k = x;
        if (k->region != region || constant_value(k->op) != value ||
            k->op->out[0].type != op->out[0].type || !tsr_same_dialect(k->op->def, op->def))
            continue;
        /* An op that represents several locations has none of them. */
        if (k->op->loc != op->loc)
            k->op->loc = TSR_LOC_UNKNOWN;
        tsr_value_replace(&op->out[0], &k->op->out[0]);
        tsr_op_erase(op);
        p->changed = true;
        return true;
    }
    tsr_op *front = region->first->first;
    if (front && (op->block != region->first || (front != op && !is_known(c, op->prev)))) {
        tsr_op_move_before(op, front);
        op->loc = TSR_LOC_UNKNOWN;
        p->changed = true;
    }
    known *k = TSR_NEW(p->scratch, known);
    *k = (known){op, region};
    tsr_map_put(&c->by_value, hash, k);
    tsr_map_put(&c->ops, tsr_hash_ptr(op), op);
    return false;
}

void tsr_unique_constants(tsr_pass *p, tsr_op *root)
{
    constants c = {0};
    for (tsr_op *op = tsr_walk_next(root, root), *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE)))
            unique_constant(p, &c, op);
    }
    tsr_map_free(&c.by_value);
    tsr_map_free(&c.ops);
}

/* ---- Folding ---- */

static bool is_constant(const tsr_value *v)
{
    return !v->is_arg && tsr_op_has(v->op, TSR_TRAIT(CONSTANT_LIKE));
}

/* Constants move to the right, in their order. */
static bool fold_commutative(tsr_arena *scratch, tsr_op *op)
{
    bool wrong = false;
    for (uint32_t i = 1; i < op->nin; i++)
        wrong |= is_constant(op->in[i - 1].value) && !is_constant(op->in[i].value);
    if (!wrong)
        return false;
    tsr_arena_mark mark = tsr_arena_save(scratch);
    tsr_value **in = TSR_NEW_ARRAY(scratch, tsr_value *, op->nin);
    uint32_t n = 0;
    for (int constant = 0; constant < 2; constant++)
        for (uint32_t i = 0; i < op->nin; i++)
            if (is_constant(op->in[i].value) == (constant == 1))
                in[n++] = op->in[i].value;
    tsr_op_set_operands(op, in, n);
    tsr_arena_rewind(scratch, mark);
    return true;
}

/* Whether some op changes v in place, so that another op may have read a different value. MLIR does not check this. */
static bool is_written(const tsr_op *op, const tsr_value *v)
{
    for (const tsr_use *u = op->module->ctx->as_peer ? NULL : v->uses; u; u = u->next) {
        ptrdiff_t i = u - u->user->in;
        if (i < 32 && tsr_written_operands(u->user) >> i & 1)
            return true;
    }
    return false;
}

/* f(f(x)) is x for an involution and f(x) for an idempotent op; f(x, x) of the latter is x. */
static tsr_value *fold_repeated(const tsr_op *op)
{
    if (op->nout != 1 || op->nin == 0)
        return NULL;
    tsr_value *in = op->in[0].value;
    bool twice = !in->is_arg && in->op->def == op->def && in->op->nin == 1 && op->nin == 1;
    if (tsr_op_has(op, TSR_TRAIT(INVOLUTION)) && twice &&
        in->op->in[0].value->type == op->out[0].type && !is_written(op, in->op->in[0].value))
        return in->op->in[0].value;
    if (!tsr_op_has(op, TSR_TRAIT(IDEMPOTENT)) || in->type != op->out[0].type)
        return NULL;
    return twice || (op->nin == 2 && op->in[1].value == in) ? in : NULL;
}

bool tsr_op_fold(tsr_arena *scratch, tsr_op *op, tsr_value **out, bool *touched)
{
    memset(out, 0, op->nout * sizeof *out);
    bool replaced = op->def->fold && op->def->fold(op, out);
    if (!replaced && tsr_op_may_swap(op))
        *touched |= fold_commutative(scratch, op);
    if (!replaced && (out[0] = fold_repeated(op)) != NULL)
        replaced = true;
    /* A folder that changed the op in place returns the op's own results. */
    if (!replaced || out[0] != &op->out[0])
        return replaced;
    *touched = true;
    return false;
}

/* Returns whether op was replaced and erased. */
static bool fold(tsr_pass *p, tsr_op *op, bool *changed)
{
    enum { FEW = 16 };
    tsr_value *few[FEW], **out = few;
    if (op->nout == 0 || tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE)))
        return false;
    tsr_arena_mark mark = tsr_arena_save(p->scratch);
    if (op->nout > FEW)
        out = TSR_NEW_ARRAY(p->scratch, tsr_value *, op->nout);
    bool replaced = tsr_op_fold(p->scratch, op, out, changed);
    for (uint32_t i = 0; replaced && i < op->nout; i++)
        tsr_value_replace(&op->out[i], out[i]);
    if (replaced)
        tsr_op_erase(op);
    *changed |= replaced;
    tsr_arena_rewind(p->scratch, mark);
    return replaced;
}

typedef struct {
    tsr_pass *p;
    int64_t rewrites; /* rewrites still allowed; negative: unlimited */
    bool changed;
} folding;

static bool fold_one(folding *r, tsr_op *op)
{
    bool changed = false;
    bool gone = r->rewrites != 0 && fold(r->p, op, &changed);
    if (changed && r->rewrites > 0)
        r->rewrites--;
    r->changed |= changed;
    return gone;
}

/* In program order, so that a chain of folds is done in one round. */
static void fold_inside(folding *r, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nregion; i++) {
        TSR_REGION_BLOCKS (&op->regions[i], b) {
            for (tsr_op *inner = b->first, *next; inner; inner = next) {
                next = inner->next;
                if (!fold_one(r, inner))
                    fold_inside(r, inner);
            }
        }
    }
}

static bool fold_round(tsr_pass *p, tsr_op *root, bool top_down, int64_t rewrites)
{
    folding r = {.p = p, .rewrites = rewrites};
    if (top_down)
        fold_inside(&r, root);
    else
        TSR_OPS_REVERSE (root, op)
            fold_one(&r, op);
    return r.changed;
}

/* ---- Patterns ---- */

/* A pattern may erase any op, so the ops to visit are listed first; an erased op is in no block. */
static bool rewrite_round(tsr_op *root, const tsr_patterns *on)
{
    TSR_VEC(tsr_op *) todo = {0};
    bool changed = false;
    TSR_OPS (root, op)
        if (op->def->canon && op != root)
            tsr_vec_push(&todo, op);
    for (uint32_t i = 0; i < todo.n; i++)
        changed |= todo.data[i]->block && todo.data[i]->def->canon(todo.data[i], on);
    tsr_vec_free(&todo);
    return changed;
}

static void list_patterns(tsr_pass *p, tsr_patterns *on)
{
    tsr_str name;
    for (size_t i = 0; tsr_pass_item(p, "enable-patterns", i, &name); i++)
        tsr_vec_push(&on->on, name);
    for (size_t i = 0; tsr_pass_item(p, "disable-patterns", i, &name); i++)
        tsr_vec_push(&on->off, name);
}

/* ---- Tables of rules ---- */

#define CANONICALIZER(id, name) extern const tsr_simplify_options canonicalize_##id;
#include "pass/pass.def"

static const struct {
    const char *dialect;
    const tsr_simplify_options *how;
} tables[] = {
#define CANONICALIZER(id, name) {name, &canonicalize_##id},
#include "pass/pass.def"
    {NULL, NULL},
};

/* The tables that have ops inside root, one bit each. */
static unsigned tables_inside(tsr_op *root)
{
    unsigned found = 0;
    TSR_OPS (root, op)
        for (size_t i = 0; tables[i].how; i++)
            if (tsr_str_is(tsr_opdef_dialect(op->def), tables[i].dialect))
                found |= 1u << i;
    return found;
}

static bool apply_tables(tsr_pass *p, tsr_op *root, unsigned which)
{
    bool changed = false;
    for (size_t i = 0; tables[i].how; i++)
        changed |= (which >> i & 1) && tsr_simplify(p, root, tables[i].how);
    return changed;
}

bool pass_canonicalize(tsr_pass *p, tsr_op *root)
{
    bool top_down = tsr_pass_bool(p, "top-down");
    int64_t max = tsr_pass_int(p, "max-iterations"), rewrites = tsr_pass_int(p, "max-num-rewrites");
    tsr_str regions = tsr_pass_str(p, "region-simplify");
    bool simplify = !tsr_str_is(regions, "disabled"), merge = tsr_str_is(regions, "aggressive");
    bool again = true;
    tsr_patterns on = {0};
    list_patterns(p, &on);
    unsigned which = on.on.n ? 0 : tables_inside(root);
    for (int64_t i = 0; again && (max < 0 || i < max); i++) {
        tsr_unique_constants(p, root);
        again = fold_round(p, root, top_down, rewrites);
        again |= rewrite_round(root, &on);
        again |= apply_tables(p, root, which);
        again |= tsr_erase_dead_ops(root);
        again |= simplify && tsr_simplify_regions(p, root, merge);
        p->changed |= again;
    }
    tsr_vec_free(&on.on);
    tsr_vec_free(&on.off);
    if (again && tsr_pass_bool(p, "test-convergence"))
        return tsr_op_error(root, "was still changing after %lld rounds of canonicalization",
                            (long long)max);
    return true;
}
