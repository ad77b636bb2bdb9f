/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - slots and lifetimes, computed once per module.
 *
 * Each value of a function, including those of nested regions, has a slot in the function's frame. A value dies at its
 * last use in its own block; a use inside a nested region counts for the op that contains the region, which may run it
 * again. */
#include "eval/plan.h"

#include "dialect/ttnn/view.h"

#include "eval/kernel/quant.h"

#include <stdlib.h>

/* Ops that change operands in place: the columns WRITES, 1 + operand number, and WRITES_MANY. Ops that inspect frames:
 * LOOKS. */
static const struct {
    uint8_t operand;
    uint32_t many;
    bool looks;
} writers[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define WRITES(i) .operand = 1 + (i),
#define WRITES_MANY(bits) .many = bits,
#define LOOKS(yes) .looks = yes,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

uint32_t tsr_written_operands(const tsr_op *op)
{
    if (op->def->opcode == TSR_UNREGISTERED)
        return 0;
    int one = writers[op->def->opcode].operand;
    return writers[op->def->opcode].many | (one ? (uint32_t)1 << (one - 1) : 0);
}

static bool is_writer(const tsr_op *op)
{
    return tsr_written_operands(op) != 0;
}

int tsr_written_operand(const tsr_op *op)
{
    return op->def->opcode == TSR_UNREGISTERED ? -1 : writers[op->def->opcode].operand - 1;
}

/* Whether an argument may be changed in place, here or in a called function: the caller reads it at the end. */
static bool is_changed(const tsr_value *v)
{
    if (!v->is_arg || !tsr_op_has(tsr_block_parent(v->block), TSR_TRAIT(FUNCTION)))
        return false;
    for (const tsr_use *u = v->uses; u; u = u->next) {
        ptrdiff_t i = u - u->user->in;
        if ((i < 32 && tsr_written_operands(u->user) >> i & 1) ||
            tsr_op_has(u->user, TSR_TRAIT(CALL)))
            return true;
    }
    return false;
}

/* Positions of ops in the module, by id: an op's number, and the last number inside it. The contents of an op or a
 * block are a range, so that containment can be tested without climbing. */
typedef struct {
    uint32_t *at, *end;
} ranges;

static void mark_last(tsr_plan *p, const tsr_value *v, const ranges *where)
{
    const tsr_block *b = v->is_arg ? v->block : v->op->block;
    if (!b->first || (p->writes && is_changed(v)))
        return;
    uint32_t first = where->at[b->first->id], end = where->end[b->last->id], most = 0;
    const tsr_op *last = NULL; /* among the users in b itself */
    for (const tsr_use *u = v->uses; u; u = u->next) {
        uint32_t at = where->at[u->user->id];
        if (at < first || at > end)
            return; /* used where it is not visible: keep it alive */
        if (u->user->block == b && (!last || at > where->at[last->id]))
            last = u->user;
        most = at > most ? at : most;
    }
    if (!last || most > where->end[last->id])
        return;
    /* Direct operands of the last op die there; values that its regions capture are freed with the frame. */
    int64_t index = -1; /* the last of equal operands only */
    for (const tsr_use *u = v->uses; u; u = u->next)
        if (u->user == last && u - last->in > index)
            index = u - last->in;
    bool captured = most > where->at[last->id];
    if (!p->last[last->id])
        p->last[last->id] = TSR_NEW_ARRAY(&p->arena, bool, last->nin);
    p->last[last->id][index] = !captured;
}

static void plan_function(tsr_plan *p, tsr_op *func, const ranges *where)
{
    uint32_t n = 0;
    TSR_OPS (func, op) {
        p->first[op->id] = n;
        for (uint16_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++)
                    p->slot[b->args[i]->id] = n++;
        for (uint32_t i = 0; op != func && i < op->nout; i++)
            p->slot[op->out[i].id] = n++;
    }
    p->nslot[func->id] = n;
    TSR_OPS (func, op) {
        for (uint16_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++)
                    mark_last(p, b->args[i], where);
        for (uint32_t i = 0; op != func && i < op->nout; i++)
            mark_last(p, &op->out[i], where);
    }
}

static ranges number_ops(tsr_plan *p, tsr_module *m)
{
    ranges where = {TSR_NEW_ARRAY(&p->arena, uint32_t, m->nop + 1),
                    TSR_NEW_ARRAY(&p->arena, uint32_t, m->nop + 1)};
    uint32_t n = 0;
    TSR_OPS (m->op, op)
        where.end[op->id] = where.at[op->id] = n++;
    TSR_OPS_REVERSE (m->op, op) {
        const tsr_op *up = tsr_block_parent(op->block);
        if (where.end[op->id] > where.end[up->id])
            where.end[up->id] = where.end[op->id];
    }
    return where;
}

/* Whether op refers to a symbol: it may call a function. */
static bool names_symbol(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->def->nslot; i++) {
        const tsr_attr *a = op->attrs[i];
        if (tsr_attr_is(a, TSR_ATTR_SYMBOL))
            return true;
        for (int64_t k = 0; tsr_attr_is(a, TSR_ATTR_ARRAY) && k < tsr_attr_count(a); k++)
            if (tsr_attr_is(a->attrs[k], TSR_ATTR_SYMBOL))
                return true;
    }
    return false;
}

/* Views are made here, since a run creates no attributes. */
static void add_view(tsr_plan *p, const tsr_op *op)
{
    tsr_ttnn_view *v = TSR_NEW(&p->arena, tsr_ttnn_view);
    if (!p->views)
        p->views = TSR_NEW_ARRAY(&p->arena, const tsr_op *, op->module->nop + 1);
    p->views[op->id] = tsr_ttnn_view_of(op, v) ? &v->op : NULL;
}

void tsr_plan_frames(tsr_plan *p, tsr_module *m)
{
    if (p->slot)
        return;
    p->slot = TSR_NEW_ARRAY(&p->arena, uint32_t, m->nvalue + 1);
    p->first = TSR_NEW_ARRAY(&p->arena, uint32_t, m->nop + 1);
    p->nslot = TSR_NEW_ARRAY(&p->arena, uint32_t, m->nop + 1);
    p->last = TSR_NEW_ARRAY(&p->arena, bool *, m->nop + 1);
    ranges where = number_ops(p, m);
    TSR_OPS (m->op, op)
        if (tsr_op_has(op, TSR_TRAIT(FUNCTION)))
            plan_function(p, op, &where);
}

tsr_plan *tsr_plan_facts(tsr_module *m)
{
    tsr_plan *p = tsr_xmalloc(sizeof *p);
    memset(p, 0, sizeof *p);
    tsr_arena_init(&p->arena);
    p->quantized = TSR_NEW_ARRAY(&p->arena, bool, m->nop + 1);
    TSR_OPS (m->op, op) {
        p->writes |= is_writer(op);
        p->writes_deep |=
            is_writer(op) && !tsr_op_has(tsr_block_parent(op->block), TSR_TRAIT(FUNCTION));
        p->looks |= op->def->opcode != TSR_UNREGISTERED && writers[op->def->opcode].looks;
        p->quantized[op->id] = tsr_op_is_quantized(op);
        if (tsr_ttnn_means(op))
            add_view(p, op);
    }
    if (p->writes && !p->writes_deep)
        TSR_OPS (m->op, op)
            p->writes_deep |= names_symbol(op);
    tsr_symtab_init(&p->symbols, m->op);
    tsr_blobs_init(&p->blobs, m);
    if (!tsr_tt_mesh_find(m, &p->mesh, &p->bad_mesh))
        p->mesh = (tsr_tt_mesh){.devices = 1, .used = p->mesh.used};
    return p;
}

tsr_plan *tsr_plan_new(tsr_module *m)
{
    tsr_plan *p = tsr_plan_facts(m);
    tsr_plan_frames(p, m);
    return p;
}

void tsr_plan_free(tsr_plan *p)
{
    if (!p)
        return;
    tsr_symtab_free(&p->symbols);
    tsr_map_free(&p->blobs);
    tsr_arena_free(&p->arena);
    tsr_free(p);
}

/* ---- Frames ---- */

/* Where the slots of the values in op end. Slots are in the order of ops, so they end where the next op's begin. */
static uint32_t end_of(const tsr_plan *p, const tsr_op *op)
{
    while (!tsr_op_has(op, TSR_TRAIT(FUNCTION)) && !op->next)
        op = tsr_block_parent(op->block);
    return tsr_op_has(op, TSR_TRAIT(FUNCTION)) ? p->nslot[op->id] : p->first[op->next->id];
}

bool tsr_frame_init(tsr_frame *f, const tsr_plan *p, const tsr_op *op)
{
    tsr_assert(p->slot, "'%.*s': a plan without slots", TSR_STR_ARG(op->def->name));
    uint32_t first = p->first[op->id], n = end_of(p, op) - first;
    tsr_assert(first <= end_of(p, op), "'%.*s': slots %u to %u", TSR_STR_ARG(op->def->name), first,
               end_of(p, op));
    *f = (tsr_frame){tsr_calloc(n ? n : 1, sizeof *f->slots), first, n};
    return f->slots;
}

void tsr_frame_free(tsr_frame *f)
{
    for (uint32_t i = 0; f->slots && i < f->n; i++)
        tsr_tensor_unref(f->slots[i]);
    tsr_free(f->slots);
}
