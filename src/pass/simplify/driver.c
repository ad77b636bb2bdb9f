/* SPDX-License-Identifier: Apache-2.0 */
/* driver.c - applies rules until none applies.
 *
 * A round pushes all ops on a stack and takes them off one by one: dead ones are erased, the others are passed to the
 * folder of their row and to the rules of their opcode, eager rules first. Ops that a rule created or touched are
 * pushed. Between rounds constants are made unique and moved to the front, and unreachable blocks are removed. All
 * orders are those of the program and of the table, so that the same input gives the same output. */
#include <stdlib.h>

#include "base/scope.h"
#include "pass/simplify/simplify.h"

/* ---- Tables ---- */

enum { MOST_EAGER = 3 };

tsr_rewrites_by_opcode tsr_rewrites_list(const tsr_rewrites *table, unsigned sets, tsr_arena *arena)
{
    size_t n = table ? table->n : 0;
    tsr_rewrites_by_opcode x = {.rules = TSR_NEW_ARRAY(arena, tsr_rule_fn *, n + 1),
                                .first = TSR_NEW_ARRAY(arena, uint16_t, TSR_OP__COUNT + 2),
                                .wide = TSR_NEW_ARRAY(arena, const tsr_rewrite *, n + 1)};
    for (size_t i = 0; i < n; i++)
        if ((table->rules[i].sets & sets) && table->rules[i].dialect)
            x.wide[x.nwide++] = &table->rules[i];
        else if (table->rules[i].sets & sets)
            x.first[table->rules[i].opcode + 2]++;
    for (size_t c = 2; c < TSR_OP__COUNT + 2; c++)
        x.first[c] = (uint16_t)(x.first[c] + x.first[c - 1]);
    for (int eager = MOST_EAGER; eager > 0; eager--)
        for (size_t i = 0; i < n; i++) {
            const tsr_rewrite *rule = &table->rules[i];
            if ((rule->sets & sets) && !rule->dialect && rule->eager == eager)
                x.rules[x.first[rule->opcode + 1]++] = rule->fn;
        }
    return x;
}

/* ---- The stack ---- */

enum {
    WIDE = 32,              /* ops with more operands wait until nothing else is left to visit */
    TSR_RW_LATER = 1 << 30, /* in tsr_rw_place */
};

static tsr_rw_place *slot_of(const tsr_rewriter *r, const tsr_op *op)
{
    uint32_t i = (uint32_t)tsr_hash_ptr(op) & (r->cap_place - 1);
    while (r->places[i].op && r->places[i].op != op)
        i = (i + 1) & (r->cap_place - 1);
    return &r->places[i];
}

/* least: a power of two. */
static void grow_places(tsr_rewriter *r, uint32_t least)
{
    tsr_rw_place *old = r->places;
    uint32_t n = r->cap_place;
    r->cap_place = n ? 2 * n : least > 256 ? least : 256;
    r->places =
        memset(tsr_xmalloc(r->cap_place * sizeof *r->places), 0, r->cap_place * sizeof *r->places);
    for (uint32_t i = 0; i < n; i++)
        if (old[i].op)
            *slot_of(r, old[i].op) = old[i];
    tsr_free(old);
}

static uint32_t *place_of(tsr_rewriter *r, const tsr_op *op)
{
    if (r->nplace >= r->cap_place / 2)
        grow_places(r, 0);
    tsr_rw_place *slot = slot_of(r, op);
    if (!slot->op) {
        slot->op = op;
        r->nplace++;
    }
    return &slot->at;
}

static void push(tsr_rewriter *r, tsr_op *op)
{
    uint32_t *place = place_of(r, op);
    if (*place)
        return;
    if (op->nin > WIDE) {
        tsr_vec_push(&r->later, op);
        *place = (uint32_t)r->later.n | TSR_RW_LATER;
        return;
    }
    tsr_vec_push(&r->list, op);
    *place = (uint32_t)r->list.n;
}

static void take_off(tsr_rewriter *r, tsr_op *op)
{
    uint32_t *place = place_of(r, op), at = *place & ~(uint32_t)TSR_RW_LATER;
    if (at && at == *place)
        r->list.data[at - 1] = NULL;
    else if (at)
        r->later.data[at - 1] = NULL;
    *place = 0;
}

static tsr_op *pop_from(tsr_rewriter *r, tsr_op **list, size_t *n)
{
    tsr_tick();
    while (*n) {
        tsr_op *op = list[--*n];
        if (!op)
            continue;
        *place_of(r, op) = 0;
        return op;
    }
    return NULL;
}

static tsr_op *pop(tsr_rewriter *r)
{
    tsr_op *op = pop_from(r, r->list.data, &r->list.n);
    return op ? op : tsr_rw_next_later(r);
}

void tsr_rw_taken(tsr_rewriter *r, const tsr_op *op)
{
    *place_of(r, op) = 0;
}

tsr_op *tsr_rw_next_later(tsr_rewriter *r)
{
    return pop_from(r, r->later.data, &r->later.n);
}

void tsr_rw_free(tsr_rewriter *r)
{
    tsr_vec_free(&r->list);
    tsr_vec_free(&r->later);
    tsr_vec_free(&r->parts);
    tsr_free(r->places);
}

void tsr_rw_touch(tsr_rewriter *r, tsr_op *op)
{
    push(r, op);
}

/* A value lost a use: its definition may be dead now, or its last user may be able to do more. */
static void lost_use(tsr_rewriter *r, const tsr_value *v)
{
    if (v->is_arg || (v->uses && v->uses->next))
        return;
    push(r, v->op);
    if (v->uses && v->uses->user->block)
        push(r, v->uses->user);
}

static void push_users(tsr_rewriter *r, const tsr_value *v)
{
    for (tsr_use *u = v->uses; u; u = u->next)
        push(r, u->user);
}

/* ---- Changes ---- */

tsr_op *tsr_rw_new(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *const *in, size_t nin,
                   tsr_type *const *types, size_t nout, size_t nregion)
{
    tsr_op *op = tsr_op_new(r->module, tsr_opdef_of(r->ctx, opcode), at->loc, in, nin, types, nout,
                            nregion, 0);
    tsr_op_insert(op, at->block, at);
    push(r, op);
    return op;
}

tsr_op *tsr_rw_one(tsr_rewriter *r, tsr_op *at, uint16_t opcode, tsr_value *const *in, size_t nin,
                   tsr_type *type)
{
    return tsr_rw_new(r, at, opcode, in, nin, &type, 1, 0);
}

tsr_value *tsr_rw_constant(tsr_rewriter *r, tsr_op *at, tsr_attr *value)
{
    tsr_op *op = tsr_rw_one(r, at, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, value->type);
    op->attrs[STABLEHLO_CONSTANT_value] = value;
    return &op->out[0];
}

void tsr_rw_erase(tsr_rewriter *r, tsr_op *op)
{
    /* Erases the ops inside, too; each loses its uses of values outside. */
    TSR_VEC(tsr_value *) used = {0};
    TSR_OPS (op, inner) {
        take_off(r, inner);
        for (uint32_t i = 0; i < inner->nin; i++) {
            tsr_value *v = inner->in[i].value;
            if (inner == op ||
                !tsr_op_is_ancestor(op, v->is_arg ? tsr_block_parent(v->block) : v->op))
                tsr_vec_push(&used, v);
        }
    }
    tsr_op_erase(op);
    for (size_t i = 0; i < used.n; i++)
        lost_use(r, used.data[i]);
    tsr_vec_free(&used);
    r->p->changed = true;
}

void tsr_rw_forward(tsr_rewriter *r, tsr_value *from, tsr_value *to)
{
    push_users(r, from);
    tsr_value_replace(from, to);
    r->p->changed = true;
}

void tsr_rw_replace(tsr_rewriter *r, tsr_op *op, tsr_value *const *values)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        if (!values[i])
            continue;
        if (!values[i]->is_arg && !values[i]->uses) /* made for this: it computes op's value */
            values[i]->op->loc = op->loc;
        tsr_rw_forward(r, &op->out[i], values[i]);
    }
    tsr_rw_erase(r, op);
}

void tsr_rw_replace_one(tsr_rewriter *r, tsr_op *op, tsr_value *value)
{
    tsr_rw_replace(r, op, &value);
}

tsr_op *tsr_rw_instead(tsr_rewriter *r, tsr_op *op, uint16_t opcode, tsr_value *const *in,
                       size_t nin)
{
    tsr_op *made = tsr_rw_one(r, op, opcode, in, nin, op->out[0].type);
    tsr_rw_merge_attrs(r, op, made);
    return made;
}

bool tsr_rw_done(tsr_rewriter *r, tsr_op *op, tsr_op *made)
{
    tsr_rw_replace_one(r, op, &made->out[0]);
    return true;
}

void tsr_rw_move_before(tsr_rewriter *r, tsr_op *end, tsr_op *op)
{
    for (tsr_op *inner = end->block->first, *next; inner != end; inner = next) {
        next = inner->next;
        tsr_op_move_before(inner, op);
        tsr_rw_touch(r, inner);
    }
}

bool tsr_rw_becomes(tsr_rewriter *r, tsr_op *op, tsr_value *v)
{
    if (v->type != op->out[0].type)
        return false;
    tsr_rw_merge_attrs(r, op, tsr_rw_def(v));
    tsr_rw_replace_one(r, op, v);
    return true;
}

void tsr_rw_set_operands(tsr_rewriter *r, tsr_op *op, tsr_value *const *in, size_t n)
{
    enum { FEW = 16 };
    tsr_value *few[FEW], **old = few;
    uint32_t nold = op->nin;
    if (nold > FEW)
        old = tsr_xmalloc(nold * sizeof *old);
    for (uint32_t i = 0; i < nold; i++)
        old[i] = op->in[i].value;
    tsr_op_set_operands(op, in, n);
    for (uint32_t i = 0; i < nold; i++)
        lost_use(r, old[i]);
    if (old != few)
        tsr_free(old);
    push(r, op);
    r->p->changed = true;
}

void tsr_rw_set_operand(tsr_rewriter *r, tsr_op *op, size_t i, tsr_value *v)
{
    tsr_value *old = op->in[i].value;
    tsr_op_set_operand(op, i, v);
    lost_use(r, old);
    push(r, op);
    r->p->changed = true;
}

/* Merges frontend attributes of both ops, except the name of the op that stays. */
static tsr_attr *merge_frontend(tsr_ctx *ctx, tsr_attr *from, tsr_attr *to)
{
    static const char own[] = "xla_metadata_payload";
    for (uint32_t i = 0; i < from->n; i++) {
        const tsr_named *a = &from->named[i];
        if (!tsr_str_is(a->name->str, own) || !tsr_dict_get(to, a->name->str))
            to = tsr_dict_with(ctx, to, a->name, a->value);
    }
    return to;
}

void tsr_rw_merge_attrs(tsr_rewriter *r, const tsr_op *from, tsr_op *to)
{
    if (!from || !to || !from->extra || from->extra == to->extra)
        return;
    if (!to->extra) {
        to->extra = from->extra;
        return;
    }
    for (uint32_t i = 0; i < from->extra->n; i++) {
        const tsr_named *a = &from->extra->named[i];
        tsr_attr *old = tsr_dict_get(to->extra, a->name->str), *value = a->value;
        if (tsr_str_is(a->name->str, "mhlo.frontend_attributes") &&
            tsr_attr_is(old, TSR_ATTR_DICT) && tsr_attr_is(value, TSR_ATTR_DICT))
            value = merge_frontend(r->ctx, value, old);
        to->extra = tsr_dict_with(r->ctx, to->extra, a->name, value);
    }
}

/* ---- Rounds ---- */

/* Applies the rules for all ops of a dialect, in the table's order. */
static bool apply_wide(tsr_rewriter *r, const tsr_rewrites_by_opcode *x, tsr_op *op)
{
    for (size_t i = 0; i < x->nwide; i++)
        if (tsr_op_in(op, x->wide[i]->dialect) && x->wide[i]->fn(r, op))
            return true;
    return false;
}

/* Runs the row's folder, as every pass that rewrites does. */
static bool fold_row(tsr_rewriter *r, tsr_op *op)
{
    enum { FEW = 16 };
    tsr_value *few[FEW];
    tsr_value **out = op->nout <= FEW ? few : TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nout);
    bool touched = false, folded = tsr_op_fold(r->p->scratch, op, out, &touched);
    if (folded)
        tsr_rw_replace(r, op, out);
    else if (touched)
        push(r, op);
    r->p->changed |= touched;
    return folded || touched;
}

/* The folder, then rules until one applies. */
static bool rewrite(tsr_rewriter *r, const tsr_rewrites_by_opcode *x, tsr_op *op)
{
    uint16_t c = op->def->opcode;
    if (!r->o->plain && op->nout && !tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE)) && fold_row(r, op))
        return true;
    for (uint16_t i = x->first[c]; i < x->first[c + 1]; i++)
        if (x->rules[i](r, op))
            return true;
    return apply_wide(r, x, op);
}

static bool look_at(tsr_rewriter *r, const tsr_rewrites_by_opcode *x, tsr_op *op)
{
    if (!r->o->plain && !tsr_op_used(op) && tsr_op_removable(op)) {
        tsr_rw_erase(r, op);
        return true;
    }
    if (op->def->opcode == TSR_UNREGISTERED)
        return false;
    tsr_arena_mark mark = tsr_arena_save(r->p->scratch);
    bool done = rewrite(r, x, op);
    tsr_arena_rewind(r->p->scratch, mark);
    return done;
}

static bool round_of(tsr_rewriter *r, const tsr_rewrites_by_opcode *x, tsr_op *root)
{
    bool changed = false;
    TSR_OPS (root, op)
        if (op != root)
            tsr_vec_push(&r->list, op);
    uint32_t least = 256;
    while (least < 4 * r->list.n)
        least *= 2;
    while (r->cap_place < least)
        grow_places(r, least);
    /* So far in program order; reversing the stack makes the first op come off first. */
    for (size_t i = 0, n = r->list.n; r->o->top_down && i < n / 2; i++) {
        tsr_op *op = r->list.data[i];
        r->list.data[i] = r->list.data[n - 1 - i];
        r->list.data[n - 1 - i] = op;
    }
    for (size_t i = 0; i < r->list.n; i++)
        *place_of(r, r->list.data[i]) = (uint32_t)i + 1;
    /* Rules terminate by themselves; the bound catches faulty ones. */
    size_t looks = 64 * r->list.n + 4096;
    for (tsr_op *op; (op = pop(r)) != NULL;) {
        if (looks-- == 0)
            break;
        changed |= look_at(r, x, op);
    }
    while (pop(r))
        continue;
    return changed;
}

bool tsr_simplify(tsr_pass *p, tsr_op *root, const tsr_simplify_options *options)
{
    tsr_rewriter r = {.ctx = p->ctx, .module = p->module, .p = p, .o = options};
    tsr_rewrites_by_opcode x = tsr_rewrites_list(options->rules, options->sets, p->scratch);
    bool again = true, changed = false;
    for (int64_t i = 0; again && i < options->max_rounds; i++) {
        if (!options->plain)
            tsr_unique_constants(p, root);
        again = round_of(&r, &x, root);
        again |= !options->plain && !options->keep_regions && tsr_simplify_regions(p, root, true);
        changed |= again;
        p->changed |= again;
    }
    tsr_rw_free(&r);
    return changed;
}
