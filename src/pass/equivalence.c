/* SPDX-License-Identifier: Apache-2.0 */
/* equivalence.c - whether two ops compute the same thing, ignoring locations: used by cse and block merging. */
#include "pass/pass.h"

/* Values and blocks of a's regions and their counterparts in b's. */
typedef struct {
    tsr_map map;
} pairing;

typedef struct {
    const void *from, *to;
} pair;

static void put(pairing *p, tsr_arena *arena, const void *from, const void *to)
{
    pair *x = TSR_NEW(arena, pair);
    *x = (pair){from, to};
    tsr_map_put(&p->map, tsr_hash_ptr(from), x);
}

static const void *get(const pairing *p, const void *from)
{
    if (p)
        TSR_MAP_EACH (&p->map, tsr_hash_ptr(from), x)
            if (((pair *)x)->from == from)
                return ((pair *)x)->to;
    return from;
}

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t) * (const void *const *)a, y = (uintptr_t) * (const void *const *)b;
    return (x > y) - (x < y);
}

/* Operands in any order: compares the sorted lists. The order of addresses affects nothing else. */
static bool same_operands_unordered(const tsr_op *a, const tsr_op *b, const pairing *p)
{
    if (a->nin == 2)
        return get(p, a->in[0].value) == b->in[1].value && get(p, a->in[1].value) == b->in[0].value;
    const void **x = tsr_xmalloc(a->nin * sizeof *x), **y = tsr_xmalloc(a->nin * sizeof *y);
    for (uint32_t i = 0; i < a->nin; i++) {
        x[i] = get(p, a->in[i].value);
        y[i] = b->in[i].value;
    }
    qsort(x, a->nin, sizeof *x, by_address);
    qsort(y, a->nin, sizeof *y, by_address);
    bool same = memcmp(x, y, a->nin * sizeof *x) == 0;
    tsr_free(x);
    tsr_free(y);
    return same;
}

static bool same_operands(const tsr_op *a, const tsr_op *b, const pairing *p)
{
    bool same = true;
    for (uint32_t i = 0; same && i < a->nin; i++)
        same = get(p, a->in[i].value) == b->in[i].value;
    return same || (tsr_op_may_swap(a) && a->nin > 1 && same_operands_unordered(a, b, p));
}

static uint32_t nslot(const tsr_op *op)
{
    return op->def->opcode == TSR_UNREGISTERED ? 1 : op->def->nslot;
}

static bool same_heads(const tsr_op *a, const tsr_op *b)
{
    if (a->def != b->def || a->nin != b->nin || a->nout != b->nout || a->nregion != b->nregion ||
        a->nsucc != b->nsucc || a->extra != b->extra)
        return false;
    for (uint32_t i = 0; i < nslot(a); i++)
        if (a->attrs[i] != b->attrs[i])
            return false;
    for (uint32_t i = 0; i < a->nout; i++)
        if (a->out[i].type != b->out[i].type)
            return false;
    for (uint32_t i = 0; i < a->nsucc; i++)
        if (a->nsuccin[i] != b->nsuccin[i])
            return false;
    return true;
}

static bool same_op(const tsr_op *a, const tsr_op *b, pairing *p, tsr_arena *arena);

static bool same_block(const tsr_block *a, const tsr_block *b, pairing *p, tsr_arena *arena)
{
    const tsr_op *x = a->first, *y = b->first;
    for (; x && y; x = x->next, y = y->next) {
        if (!same_op(x, y, p, arena))
            return false;
        for (uint32_t i = 0; i < x->nout; i++)
            put(p, arena, &x->out[i], &y->out[i]);
    }
    return !x && !y;
}

static bool same_region(const tsr_region *a, const tsr_region *b, pairing *p, tsr_arena *arena)
{
    const tsr_block *x = a->first, *y = b->first;
    for (; x && y; x = x->next, y = y->next) {
        if (x->nargs != y->nargs)
            return false;
        for (uint32_t i = 0; i < x->nargs; i++) {
            if (x->args[i]->type != y->args[i]->type)
                return false;
            put(p, arena, x->args[i], y->args[i]);
        }
        put(p, arena, x, y);
    }
    if (x || y)
        return false;
    for (x = a->first, y = b->first; x; x = x->next, y = y->next)
        if (!same_block(x, y, p, arena))
            return false;
    return true;
}

static bool same_op(const tsr_op *a, const tsr_op *b, pairing *p, tsr_arena *arena)
{
    if (!same_heads(a, b) || !same_operands(a, b, p))
        return false;
    for (uint32_t i = 0; i < a->nsucc; i++)
        if (get(p, a->succ[i]) != b->succ[i])
            return false;
    for (uint32_t r = 0; r < a->nregion; r++)
        if (!same_region(&a->regions[r], &b->regions[r], p, arena))
            return false;
    return true;
}

bool tsr_op_equivalent(const tsr_op *a, const tsr_op *b)
{
    if (a->nregion == 0) {
        if (!same_heads(a, b) || !same_operands(a, b, NULL))
            return false;
        for (uint32_t i = 0; i < a->nsucc; i++)
            if (a->succ[i] != b->succ[i])
                return false;
        return true;
    }
    pairing p = {0};
    tsr_arena arena;
    tsr_arena_init(&arena);
    bool same = same_op(a, b, &p, &arena);
    tsr_map_free(&p.map);
    tsr_arena_free(&arena);
    return same;
}

/* Blocks of one region: equal ops with equal operands, except for values that the blocks define themselves. */
bool tsr_block_equivalent(const tsr_block *a, const tsr_block *b)
{
    if (a->nargs != b->nargs)
        return false;
    pairing p = {0};
    tsr_arena arena;
    tsr_arena_init(&arena);
    bool same = true;
    for (uint32_t i = 0; same && i < a->nargs; i++) {
        same = a->args[i]->type == b->args[i]->type;
        put(&p, &arena, a->args[i], b->args[i]);
    }
    same = same && same_block(a, b, &p, &arena);
    tsr_map_free(&p.map);
    tsr_arena_free(&arena);
    return same;
}

static uint64_t head_hash(const tsr_op *op)
{
    uint64_t h = tsr_hash_ptr(op->def);
    for (uint32_t i = 0; i < nslot(op); i++)
        h = tsr_hash_mix(h, tsr_hash_ptr(op->attrs[i]));
    for (uint32_t i = 0; i < op->nout; i++)
        h = tsr_hash_mix(h, tsr_hash_ptr(op->out[i].type));
    return tsr_hash_mix(h, tsr_hash_ptr(op->extra));
}

/* Ops differ by the values they use from outside; the counterparts of values in another op's own regions are not known
 * here. inside: the region that these values belong to. */
static uint64_t operands_hash(const tsr_op *op,
                              bool (*inside)(const void *where, const tsr_block *b),
                              const void *where)
{
    uint64_t h = 0;
    bool swap = tsr_op_may_swap(op);
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *v = op->in[i].value;
        uint64_t x = inside && inside(where, v->is_arg ? v->block : v->op->block) ? v->index
                                                                                  : tsr_hash_ptr(v);
        h = swap ? h + x : tsr_hash_mix(h, x);
    }
    return h;
}

static bool in_block(const void *where, const tsr_block *b)
{
    return b == where;
}

static bool in_op(const void *where, const tsr_block *b)
{
    return b->region && b->region->op == where;
}

uint64_t tsr_block_equivalence_hash(const tsr_block *b)
{
    uint64_t h = b->nargs;
    TSR_BLOCK_OPS (b, op) {
        h = tsr_hash_mix(tsr_hash_mix(h, head_hash(op)), operands_hash(op, in_block, b));
        for (uint32_t i = 0; i < op->nsucc; i++)
            h = tsr_hash_mix(h, tsr_hash_ptr(op->succ[i]));
    }
    return h;
}

uint64_t tsr_op_equivalence_hash(const tsr_op *op)
{
    uint64_t h = tsr_hash_mix(head_hash(op), operands_hash(op, NULL, NULL));
    /* Ops with equal heads often differ in their bodies (reductions); two levels distinguish most of them. */
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b) {
            h = tsr_hash_mix(h, b->nargs);
            TSR_BLOCK_OPS (b, inner)
                h = tsr_hash_mix(tsr_hash_mix(h, head_hash(inner)),
                                 operands_hash(inner, in_op, op));
        }
    return h;
}
