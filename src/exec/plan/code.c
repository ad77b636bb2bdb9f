/* SPDX-License-Identifier: Apache-2.0 */
/* code.c - turns the nodes of a loop into instructions, for any target (program.h). */
#include "exec/plan/code.h"

#include "exec/contract.h"
#include "exec/places.h"

enum { HEADS = 256 };

tsr_dtype tsr_register_type(tsr_dtype d)
{
    return tsr_dtype_is_float(d) && tsr_dtype_bytes(d) < 4 ? TSR_D_F32 : d;
}

typedef struct {
    tsr_program *p;
    tsr_xid group;
    TSR_VEC(tsr_instr) code;
    TSR_VEC(tsr_instr) stores; /* those that come last */
    uint16_t next;
    uint16_t *of; /* by value of this group: its register */
    /* Hash table of instructions, so that none is generated twice: number + 1 of the first and of the next. */
    uint16_t heads[HEADS];
    TSR_VEC(uint16_t) behind;
} coder;

static uint16_t emit(coder *c, tsr_instr i)
{
    tsr_assert(c->next < TSR_NO_REGISTER && c->code.n < UINT16_MAX,
               "a loop of %zu instructions and %u registers", c->code.n, c->next);
    i.out = i.kind == TSR_I_STORE ? TSR_NO_REGISTER : c->next++;
    tsr_vec_push(&c->code, i);
    tsr_vec_push(&c->behind, 0);
    return i.out;
}

static uint32_t hash_of(const tsr_instr *i)
{
    uint64_t h = i->kind + 31u * i->dtype + (uint64_t)i->value * 977 + i->bits +
                 (i->nin ? i->in[0] * 7919u : 0);
    return (uint32_t)(h * 0x9e3779b97f4a7c15u >> 56) % HEADS;
}

/* An earlier instruction that computes the same value; NULL: none. */
static const tsr_instr *same(const coder *c, const tsr_instr *i)
{
    for (uint32_t k = c->heads[hash_of(i)]; k; k = c->behind.data[k - 1]) {
        const tsr_instr *o = &c->code.data[k - 1];
        if (o->kind == i->kind && o->dtype == i->dtype && o->from == i->from &&
            o->by_row == i->by_row && o->loose == i->loose && o->value == i->value &&
            o->bits == i->bits && o->nin == i->nin && (!i->nin || o->in[0] == i->in[0]) &&
            tsr_xview_same(o->view, i->view))
            return o;
    }
    return NULL;
}

static uint16_t once(coder *c, tsr_instr i)
{
    const tsr_instr *found = same(c, &i);
    if (found)
        return found->out;
    if (i.view)
        i.view = tsr_arena_copy(&c->p->arena, i.view, sizeof *i.view);
    uint16_t r = emit(c, i), *head = &c->heads[hash_of(&i)];
    c->behind.data[c->behind.n - 1] = *head;
    *head = (uint16_t)c->code.n;
    return r;
}

static uint16_t convert(coder *c, uint16_t r, tsr_dtype from, tsr_dtype to, bool by_row,
                        bool invariant)
{
    if (from == to)
        return r;
    return once(c, (tsr_instr){.kind = TSR_I_CONVERT,
                               .nin = 1,
                               .in = {r},
                               .from = (uint8_t)from,
                               .dtype = (uint8_t)to,
                               .by_row = by_row,
                               .invariant = invariant});
}

/* The register that holds operand v of n. */
static uint16_t operand(coder *c, const tsr_node *n, tsr_xid v)
{
    tsr_program *p = c->p;
    const tsr_xvalue *x = &p->values.data[v];
    tsr_xid s = tsr_storage_of(p, v);
    const tsr_xvalue *y = &p->values.data[s];
    tsr_dtype memory = (tsr_dtype)x->dtype, type = tsr_register_type(memory);
    bool by_row = n->by_row && n->kind == TSR_NODE_TILE;
    tsr_read read = tsr_read_of(p, c->group, by_row, v);
    if (read == TSR_READ_SAME)
        return c->of[s];
    if (read == TSR_READ_BY_ROW)
        return once(c, (tsr_instr){.kind = TSR_I_SPREAD,
                                   .nin = 1,
                                   .in = {c->of[s]},
                                   .from = (uint8_t)type,
                                   .dtype = (uint8_t)type});
    if (y->place == TSR_PLACE_SPLAT) {
        tsr_instr i = {.kind = TSR_I_SPLAT, .dtype = (uint8_t)type, .invariant = true};
        tsr_convert(type, &i.bits, memory, y->bits, 1);
        return once(c, i);
    }
    tsr_xview view;
    if (v == s) {
        tsr_xspace line = {.rank = x->n != 1, .dims = {x->n}};
        view = tsr_xview_whole(&line);
    } else {
        view = tsr_xview_of(x->view);
        view = tsr_xview_join(&view);
    }
    tsr_instr i = {.kind = y->place == TSR_PLACE_IOTA ? TSR_I_IOTA : TSR_I_LOAD,
                   .dtype = (uint8_t)memory,
                   .from = (uint8_t)memory,
                   .value = s,
                   .view = &view,
                   .by_row = by_row,
                   .whole = tsr_xview_is_whole(&view),
                   .invariant = tsr_xview_is_constant(&view)};
    if (i.kind == TSR_I_IOTA)
        i.whole = false;
    if (i.whole && !i.invariant)
        i.view = NULL;
    return convert(c, once(c, i), memory, type, by_row, i.invariant);
}

/* Stores the value if it has a place in memory. Returns the register of what was stored. */
static uint16_t store(coder *c, tsr_xid v, uint16_t r, bool by_row, tsr_xid node)
{
    const tsr_xvalue *x = &c->p->values.data[v];
    tsr_dtype type = tsr_register_type((tsr_dtype)x->dtype);
    if (x->place == TSR_PLACE_NOWHERE)
        return r;
    r = convert(c, r, type, (tsr_dtype)x->dtype, by_row, false);
    emit(c, (tsr_instr){.kind = TSR_I_STORE,
                        .nin = 1,
                        .in = {r},
                        .dtype = x->dtype,
                        .from = x->dtype,
                        .value = v,
                        .by_row = by_row,
                        .over = x->shares != TSR_XNONE || x->donor || x->follows,
                        .node = node});
    return r;
}

/* Whether a register holds a number of the narrow type. */
static bool is_rounded(const coder *c, uint16_t r, tsr_dtype narrow)
{
    size_t i = c->code.n - 1;
    while (c->code.data[i].kind == TSR_I_STORE || c->code.data[i].out != r)
        i--;
    const tsr_instr *o = &c->code.data[i];
    return o->kind == TSR_I_CONVERT && o->from == narrow && !o->loose;
}

/* Rounds a narrow float that is computed in f32; small: only where it is below the type's normal numbers. */
static uint16_t rounded(coder *c, uint16_t r, tsr_dtype narrow, bool by_row, bool small)
{
    if (small && narrow != TSR_D_F16)
        return r;
    tsr_dtype wide = tsr_register_type(narrow);
    tsr_instr i = {.kind = TSR_I_CONVERT, .nin = 1, .by_row = by_row, .loose = small};
    for (int back = 0; back < 2; back++) {
        i.in[0] = r;
        i.from = (uint8_t)(back ? narrow : wide);
        i.dtype = (uint8_t)(back ? wide : narrow);
        r = once(c, i);
    }
    return r;
}

/* Stores the value and sets its register. A narrow float is rounded as in memory, unless one op alone reads it
 * (rounding.c). */
static void give(coder *c, tsr_xid v, uint16_t r, bool by_row, tsr_xid node)
{
    const tsr_xvalue *x = &c->p->values.data[v];
    tsr_dtype memory = (tsr_dtype)x->dtype, type = tsr_register_type(memory);
    uint16_t kept = store(c, v, r, by_row, node);
    if (type != memory && !is_rounded(c, r, memory))
        r = x->place == TSR_PLACE_NOWHERE ? rounded(c, r, memory, by_row, x->unrounded)
                                          : convert(c, kept, memory, type, by_row, false);
    c->of[v] = r;
}

static void tile(coder *c, const tsr_node *n, tsr_xid node)
{
    const tsr_xvalue *out = &c->p->values.data[n->out[0]];
    tsr_dtype type = tsr_register_type((tsr_dtype)out->dtype), from = tsr_register_type(n->of);
    uint16_t r[3] = {0};
    for (uint32_t i = 0; i < n->nin; i++)
        r[i] = operand(c, n, n->in[i]);
    if (n->tile == TSR_TILE_BITS) {
        /* The register is read as another type. */
    } else if (n->tile == TSR_TILE_CONVERT) {
        r[0] = convert(c, r[0], from, type, n->by_row, false);
    } else {
        r[0] = emit(c, (tsr_instr){.kind = TSR_I_TILE,
                                   .nin = (uint8_t)n->nin,
                                   .in = {r[0], r[1], r[2]},
                                   .dtype = (uint8_t)type,
                                   .from = (uint8_t)from,
                                   .by_row = n->by_row,
                                   .node = node,
                                   .op = n->tile});
    }
    give(c, n->out[0], r[0], n->by_row, node);
}

/* Reads elements of a table. */
static void lookup(coder *c, const tsr_node *n, tsr_xid node)
{
    const tsr_xvalue *out = &c->p->values.data[n->out[0]];
    const tsr_places_plan *plan = n->places;
    tsr_xshape base = {.rank = plan->nloop, .offset = plan->first};
    memcpy(base.dims, plan->loop, plan->nloop * sizeof *base.dims);
    memcpy(base.strides, plan->whole_step, plan->nloop * sizeof *base.strides);
    tsr_xview view = tsr_xview_of(&base);
    view = tsr_xview_join(&view);
    tsr_instr i = {.kind = TSR_I_LOOKUP,
                   .dtype = out->dtype,
                   .from = n->of,
                   .by_row = n->by_row,
                   .node = node,
                   .value = tsr_storage_of(c->p, n->in[n->nin - 1])};
    i.view = tsr_arena_copy(&c->p->arena, &view, sizeof view);
    for (; i.nin + 1u < n->nin; i.nin++)
        i.in[i.nin] = operand(c, n, n->in[i.nin]);
    tsr_dtype memory = (tsr_dtype)out->dtype;
    uint16_t r = convert(c, emit(c, i), memory, tsr_register_type(memory), n->by_row, false);
    give(c, n->out[0], r, n->by_row, node);
}

static void fold(coder *c, const tsr_node *n, tsr_xid node, tsr_xgroup *g)
{
    const tsr_xvalue *x = &c->p->values.data[n->out[0]];
    tsr_dtype type = tsr_register_type((tsr_dtype)x->dtype);
    tsr_instr i = {.kind = g->mode == TSR_LOOP_COLUMNS ? TSR_I_COLUMN : TSR_I_FOLD,
                   .nin = 1,
                   .in = {operand(c, n, n->in[0])},
                   .dtype = (uint8_t)type,
                   .from = (uint8_t)type,
                   .op = n->tile,
                   .fold = n->fold,
                   .node = node,
                   .value = n->out[0]};
    if (n->late)
        i.bits = g->nfold++; /* which accumulator */
    uint16_t r = emit(c, i);
    if (n->late)
        return;
    give(c, n->out[0], r, true, node);
}

/* Reads the block of the product that the loop runs on. */
static void product(coder *c, const tsr_node *n, tsr_xid node)
{
    const tsr_xvalue *x = &c->p->values.data[n->out[0]];
    tsr_dtype sum = tsr_contract_sum((tsr_dtype)n->contract->type, (tsr_dtype)n->contract->to);
    tsr_dtype type = tsr_register_type((tsr_dtype)x->dtype);
    uint16_t r = emit(c, (tsr_instr){.kind = TSR_I_PRODUCT,
                                     .dtype = (uint8_t)sum,
                                     .from = (uint8_t)sum,
                                     .value = n->out[0],
                                     .slot = node == c->p->groups.data[c->group].also,
                                     .node = node});
    give(c, n->out[0], convert(c, r, sum, type, false, false), false, node);
}

/* The view of an operand of a movement, with at least one dimension. */
static tsr_xview operand_view(const tsr_program *p, tsr_xid v)
{
    const tsr_xvalue *x = &p->values.data[v];
    tsr_xspace line = {.rank = 1, .dims = {x->n}};
    if (x->place != TSR_PLACE_VIEW)
        return tsr_xview_whole(&line);
    tsr_xview view = tsr_xview_of(x->view);
    view = tsr_xview_join(&view);
    if (!view.space.rank)
        view = (tsr_xview){.space = line, .offset = view.offset};
    return view;
}

/* Reads elements of a movement that is part of the loop. */
static void part(coder *c, const tsr_node *n, tsr_xid node)
{
    const tsr_xvalue *x = &c->p->values.data[n->out[0]];
    tsr_xview *views = TSR_NEW_ARRAY(&c->p->arena, tsr_xview, n->nin);
    for (uint32_t i = 0; i < n->nin; i++)
        views[i] = operand_view(c->p, n->in[i]);
    uint16_t r = emit(c, (tsr_instr){.kind = TSR_I_PART,
                                     .dtype = x->dtype,
                                     .from = x->dtype,
                                     .value = n->out[0],
                                     .view = views,
                                     .node = node});
    c->of[n->out[0]] =
        convert(c, r, (tsr_dtype)x->dtype, tsr_register_type((tsr_dtype)x->dtype), false, false);
}

/* Stores rows that the chain's products read in blocks, over the sums of the products before the loop, which have all
 * been read by then. */
static void put_back(coder *c, tsr_xgroup *g, tsr_xid operand)
{
    tsr_xid v = tsr_storage_of(c->p, operand), node = c->p->values.data[v].node;
    if (node == TSR_XNONE || tsr_xgroup_find(c->p, c->p->nodes.data[node].group) != c->group)
        return;
    for (uint8_t i = 0; i < g->ngiven; i++)
        if (g->given[i] == v)
            return;
    tsr_instr i = {.kind = TSR_I_STORE, .nin = 1, .in = {c->of[v]}, .dtype = TSR_D_F32};
    i.from = i.dtype;
    i.over = true;
    i.value = TSR_XNONE;
    i.slot = g->ngiven;
    i.node = node;
    tsr_vec_push(&c->stores, i);
    g->given[g->ngiven++] = v;
}

static void put_all_back(coder *c, tsr_xgroup *g)
{
    const tsr_program *p = c->p;
    for (uint32_t k = 0; g->then != TSR_XNONE && k < p->nodes.data[g->then].nin; k++)
        put_back(c, g, p->nodes.data[g->then].in[k]);
    for (uint8_t i = 0; i < g->ntail; i++)
        put_back(c, g, p->nodes.data[g->tails[i].node].in[g->tails[i].right]);
}

/* Stores the result of a loop before a product where the factor is packed from, rounded as in memory. */
static void put_factor(coder *c, tsr_xid v)
{
    tsr_dtype memory = (tsr_dtype)c->p->values.data[v].dtype;
    uint16_t r = convert(c, c->of[v], tsr_register_type(memory), memory, false, false);
    tsr_instr i = {.kind = TSR_I_STORE, .nin = 1, .in = {r}, .dtype = (uint8_t)memory};
    i.from = i.dtype;
    i.over = true;
    i.value = TSR_XNONE;
    i.node = c->p->values.data[v].node;
    tsr_vec_push(&c->stores, i);
}

/* Drops conversions that nothing reads, such as of values that are only stored. */
static void drop_unused(coder *c)
{
    uint16_t *uses = tsr_xmalloc((c->next + 1) * sizeof *uses);
    memset(uses, 0, (c->next + 1) * sizeof *uses);
    size_t first = c->code.n, n = c->code.n;
    for (size_t i = n; i-- > 0;) {
        const tsr_instr o = c->code.data[i];
        if (o.kind == TSR_I_CONVERT && !uses[o.out])
            continue;
        for (uint8_t k = 0; k < o.nin; k++)
            uses[o.in[k]]++;
        c->code.data[--first] = o;
    }
    c->code.n = n - first;
    if (c->code.n)
        memmove(c->code.data, c->code.data + first, c->code.n * sizeof *c->code.data);
    tsr_free(uses);
}

void tsr_code_group(tsr_program *p, tsr_xid group, uint16_t *registers)
{
    tsr_xgroup *g = &p->groups.data[group];
    coder c = {.p = p, .group = group, .of = registers};
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        if (tsr_is_end(g, g->nodes.data[i]) || tsr_is_before(g, n))
            continue;
        if (n->kind == TSR_NODE_CONTRACT)
            product(&c, n, g->nodes.data[i]);
        else if (n->kind == TSR_NODE_MOVE)
            part(&c, n, g->nodes.data[i]);
        else if (n->kind == TSR_NODE_TILE && n->tile == TSR_TILE_LOOKUP)
            lookup(&c, n, g->nodes.data[i]);
        else if (n->kind == TSR_NODE_TILE)
            tile(&c, n, g->nodes.data[i]);
        else
            fold(&c, n, g->nodes.data[i], g);
    }
    if (tsr_is_chain(g))
        put_all_back(&c, g);
    if (g->gives)
        put_factor(&c, g->gives - 1);
    for (size_t i = 0; i < c.stores.n; i++)
        emit(&c, c.stores.data[i]);
    drop_unused(&c);
    g->ncode = (uint32_t)c.code.n;
    g->nregister = c.next;
    g->code = tsr_arena_copy(&p->arena, c.code.data, c.code.n * sizeof *c.code.data);
    tsr_vec_free(&c.stores);
    tsr_vec_free(&c.code);
    tsr_vec_free(&c.behind);
}
