/* code.c - turns the nodes of a loop into instructions on registers. */
#include "exec/plan/code.h"

#include <stdlib.h>

#include "exec/contract.h"
#include "exec/kernel/tile.h"
#include "exec/places.h"
#include "exec/target.h"

enum {
    BLOCK = 512,
    MANY_FOLDED = 8192,
    FEW_FOLDED = 4096,
    NO_REGISTER = UINT16_MAX,
    STREAMED = 16 << 20, /* bytes of a value that is written past the caches */
    /* The same for a value that the program usually does not read again. */
    STREAMED_RESULT = 8 << 20,
    HEADS = 256
};

tsr_dtype tsr_register_type(tsr_dtype d)
{
    return tsr_dtype_is_float(d) && tsr_dtype_bytes(d) < 4 ? TSR_D_F32 : d;
}

typedef struct {
    tsr_program *p;
    tsr_xid group;
    TSR_VEC(tsr_instr) code;
    TSR_VEC(tsr_instr) stores;
    uint16_t next;
    uint16_t *of; /* by value of this group: its register */
    /* Hash table of instructions, so that none is generated twice: number + 1 of the first and of the next. */
    uint16_t heads[HEADS];
    TSR_VEC(uint16_t) behind;
} coder;

static uint16_t emit(coder *c, tsr_instr i)
{
    tsr_assert(c->next < NO_REGISTER && c->code.n < UINT16_MAX,
               "a loop of %zu instructions and %u registers", c->code.n, c->next);
    i.out = i.kind == TSR_I_STORE ? NO_REGISTER : c->next++;
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
            o->by_row == i->by_row && o->value == i->value && o->bits == i->bits &&
            o->nin == i->nin && (!i->nin || o->in[0] == i->in[0]) &&
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
                               .invariant = invariant,
                               .fn = tsr_tile_convert(to, from)});
}

static bool is_constant_view(const tsr_xview *v)
{
    for (uint8_t i = 0; i < v->space.rank; i++)
        if (v->strides[i])
            return false;
    return true;
}

/* Whether a view is the same for each row of the product that the loop runs on, or of the factor that it computes. */
static bool repeats(const coder *c, const tsr_xview *v)
{
    const tsr_xgroup *g = &c->p->groups.data[c->group];
    if (!v || (g->product == TSR_XNONE && !g->gives))
        return false;
    int64_t row = g->gives ? g->inner : c->p->nodes.data[g->product].contract->to_row;
    return v->space.rank == 2 && v->strides[0] == 0 && v->space.dims[1] == row;
}

/* Whether a load may read the same elements in each block: a short row, again and again. */
static bool may_cycle(const coder *c, const tsr_instr *i)
{
    const tsr_xgroup *g = &c->p->groups.data[c->group];
    bool ok = c->p->target->loop_forms && g->product == TSR_XNONE && !g->gives && !i->whole &&
              !i->invariant;
    int last = ok ? i->view->space.rank - 1 : 0;
    ok = ok && last > 0 && i->view->strides[last] == 1 && i->view->space.dims[last] <= BLOCK;
    for (int k = 0; k < last && ok; k++)
        ok = i->view->strides[k] == 0;
    return ok;
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
                   .invariant = is_constant_view(&view)};
    if (i.kind == TSR_I_IOTA)
        i.whole = false;
    if (i.whole && !i.invariant)
        i.view = NULL;
    i.repeats = !i.invariant && repeats(c, i.view);
    i.cycles = i.kind == TSR_I_LOAD && !by_row && may_cycle(c, &i);
    uint16_t r = convert(c, once(c, i), memory, type, by_row, i.invariant);
    if (i.repeats)
        c->code.data[c->code.n - 1].repeats |= c->code.data[c->code.n - 1].out == r;
    return r;
}

/* Stores the value if it has a place in memory. Returns the register of what was stored. */
static uint16_t store(coder *c, tsr_xid v, uint16_t r, bool by_row, tsr_xid node)
{
    const tsr_xvalue *x = &c->p->values.data[v];
    tsr_dtype type = tsr_register_type((tsr_dtype)x->dtype);
    if (x->place == TSR_PLACE_NOWHERE)
        return r;
    r = convert(c, r, type, (tsr_dtype)x->dtype, by_row, false);
    bool large = tsr_xvalue_bytes(x) >= (x->is_result ? STREAMED_RESULT : STREAMED);
    tsr_instr *made = c->code.n ? &c->code.data[c->code.n - 1] : NULL;
    bool takes_over = x->shares != TSR_XNONE || x->donor || x->follows;
    if (!takes_over && !large && made->out == r && !made->direct && !made->invariant &&
        (made->kind == TSR_I_TILE || made->kind == TSR_I_CONVERT)) {
        made->direct = true;
        made->value = v;
        return r;
    }
    tsr_instr i = {.kind = TSR_I_STORE,
                   .nin = 1,
                   .in = {r},
                   .dtype = x->dtype,
                   .value = v,
                   .by_row = by_row,
                   .streams = large && x->shares == TSR_XNONE && !x->follows,
                   .node = node};
    /* A buffer that an operand used is written only after the whole block has been read. */
    if (takes_over)
        tsr_vec_push(&c->stores, i);
    else
        emit(c, i);
    return r;
}

/* Whether a register holds a number of the narrow type. */
static bool is_rounded(const coder *c, uint16_t r, tsr_dtype narrow)
{
    size_t i = c->code.n - 1;
    while (c->code.data[i].kind == TSR_I_STORE || c->code.data[i].out != r)
        i--;
    const tsr_instr *o = &c->code.data[i];
    return o->kind == TSR_I_CONVERT && o->from == narrow;
}

/* Rounds a narrow float that is computed in f32; small: only where it is below the type's normal numbers. */
static uint16_t rounded(coder *c, uint16_t r, tsr_dtype narrow, bool by_row, bool small)
{
    tsr_dtype wide = tsr_register_type(narrow);
    bool half = narrow == TSR_D_F16;
    if (small && !half)
        return r;
    if (!c->p->target->loop_forms || (!half && narrow != TSR_D_BF16))
        return convert(c, convert(c, r, wide, narrow, by_row, false), narrow, wide, by_row, false);
    tsr_instr i = {.kind = TSR_I_CONVERT, .nin = 1, .in = {r}, .by_row = by_row};
    i.from = i.dtype = (uint8_t)wide;
    i.fn = tsr_tile_nearest(small  ? TSR_NEAREST_SMALL_F16
                            : half ? TSR_NEAREST_F16
                                   : TSR_NEAREST_BF16);
    return emit(c, i);
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
                                   .op = n->tile,
                                   .fn = tsr_tile_find(n->tile, from)});
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
    tsr_instr i = {.kind = TSR_I_FOLD,
                   .nin = 1,
                   .in = {operand(c, n, n->in[0])},
                   .dtype = (uint8_t)type,
                   .from = (uint8_t)type,
                   .fold = n->fold,
                   .node = node,
                   .value = n->out[0]};
    if (g->mode == TSR_LOOP_COLUMNS) {
        i.kind = TSR_I_COLUMN;
        i.fn = tsr_tile_find(n->tile, type);
        i.twice = n->tile == TSR_TILE_add ? tsr_tile_find(TSR_TILE_add_twice, type) : NULL;
    }
    if (n->late)
        i.bits = g->nfold++; /* which accumulator */
    uint16_t r = emit(c, i);
    if (n->late)
        return;
    give(c, n->out[0], r, true, node);
}

/* Whether an operand may be read directly from memory. */
static bool reads_memory(const coder *c, const tsr_instr *o)
{
    for (size_t i = 0; i < c->code.n; i++)
        for (uint8_t k = 0; k < o->nin; k++)
            if (c->code.data[i].out == o->in[k] && c->code.data[i].kind == TSR_I_LOAD)
                return true;
    return false;
}

/* If the only result reuses an operand's buffer, the last instruction writes it directly: kernels work in place, and
 * nothing is read afterwards. */
static void store_last(coder *c)
{
    tsr_instr *last = c->code.n ? &c->code.data[c->code.n - 1] : NULL;
    if (!last || c->stores.n != 1 || last->out != c->stores.data[0].in[0] || last->direct ||
        last->invariant || last->by_row != c->stores.data[0].by_row ||
        (last->kind != TSR_I_TILE && last->kind != TSR_I_CONVERT) ||
        (c->stores.data[0].value != TSR_XNONE &&
         tsr_dtype_bytes((tsr_dtype)last->dtype) != tsr_dtype_bytes((tsr_dtype)last->from) &&
         reads_memory(c, last)))
        return;
    last->direct = true;
    last->value = c->stores.data[0].value;
    last->slot = c->stores.data[0].slot;
    c->stores.n = 0;
}

/* The value whose buffer v uses: the one it shares, the result that hosts it, or the argument donated for it. */
static tsr_xid memory_of(const tsr_program *p, tsr_xid v)
{
    while (p->values.data[v].shares != TSR_XNONE)
        v = p->values.data[v].shares;
    v = p->values.data[v].host ? p->values.data[v].host - 1 : v;
    uint32_t donor = p->values.data[v].donor;
    return donor ? p->main.args[donor - 1] : v;
}

/* Whether instruction `made` may write to the memory of value: by then, the instructions up to it have read, element by
 * element, everything that is stored there. */
static bool has_read(const coder *c, size_t made, tsr_xid value)
{
    const tsr_instr *code = c->code.data;
    tsr_xid memory = memory_of(c->p, value);
    uint32_t bytes = tsr_dtype_bytes((tsr_dtype)code[made].dtype);
    for (size_t i = 0; i < c->code.n; i++) {
        if (code[i].kind != TSR_I_LOAD || memory_of(c->p, code[i].value) != memory)
            continue;
        if (!code[i].whole || i > made || tsr_dtype_bytes((tsr_dtype)code[i].dtype) != bytes)
            return false;
        for (size_t k = made + 1; k < c->code.n; k++)
            for (uint8_t m = 0; m < code[k].nin; m++)
                if (code[k].in[m] == code[i].out)
                    return false;
    }
    return true;
}

/* Results that reuse a buffer are stored at the end of a block; where possible, they are computed there directly. */
static void store_early(coder *c, const tsr_xgroup *g)
{
    for (size_t i = 0; i < c->code.n && g->mode == TSR_LOOP_MAP && g->product == TSR_XNONE; i++) {
        const tsr_instr *o = &c->code.data[i];
        if (o->kind != TSR_I_STORE || o->value == TSR_XNONE)
            continue;
        size_t made = 0;
        while (c->code.data[made].kind == TSR_I_STORE || c->code.data[made].out != o->in[0])
            made++;
        tsr_instr *from = &c->code.data[made];
        bool computes = from->kind == TSR_I_TILE || from->kind == TSR_I_CONVERT;
        if (!computes || from->direct || from->early || from->invariant ||
            from->dtype != o->dtype || !has_read(c, made, o->value))
            continue;
        from->early = true;
        from->streams = o->streams;
        from->value = o->value;
    }
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

/* ---- Masked columns ---- */

/* Whether the elements of operand v of a loop over rows may differ between masked columns. */
static bool varies(const coder *c, tsr_xid v)
{
    tsr_program *p = c->p;
    const tsr_xgroup *g = &p->groups.data[c->group];
    const tsr_xvalue *s = &p->values.data[tsr_storage_of(p, v)];
    tsr_read read = tsr_read_of(p, c->group, false, v);
    if (read == TSR_READ_SAME)
        return s->mark;
    if (read == TSR_READ_BY_ROW || s->place == TSR_PLACE_SPLAT)
        return false;
    if (read != TSR_READ_MEMORY || p->values.data[v].place != TSR_PLACE_VIEW)
        return true;
    tsr_xview view = tsr_xview_of(p->values.data[v].view);
    return !is_constant_view(&view) &&
           !tsr_xview_is_by_row(&view, p->nodes.data[g->product].contract->side[1].rest);
}

/* Whether all values that the loop reduces or stores are constant over the masked columns; marks values that are
 * not. */
static bool mask_holds(const coder *c, tsr_xid mask)
{
    tsr_program *p = c->p;
    const tsr_xgroup *g = &p->groups.data[c->group];
    bool ok = true;
    for (size_t i = 0; i < g->nodes.n && ok; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        tsr_xvalue *out = &p->values.data[n->out[0]];
        if (tsr_is_end(g, g->nodes.data[i]))
            continue;
        bool any = n->kind == TSR_NODE_CONTRACT, reduces = n->kind == TSR_NODE_REDUCE;
        bool masked = n->kind == TSR_NODE_TILE && n->tile == TSR_TILE_select && n->in[0] == mask;
        for (uint32_t k = masked ? 2 : 0; !any && !n->by_row && k < n->nin; k++)
            any = varies(c, n->in[k]);
        if (reduces) {
            bool fits = n->fold == TSR_FOLD_SUM || n->fold == TSR_FOLD_MAX ||
                        n->fold == TSR_FOLD_MIN || n->fold == TSR_FOLD_AND ||
                        n->fold == TSR_FOLD_OR;
            ok = fits && !varies(c, n->in[0]);
        } else {
            out->mark = any;
            ok = !any || out->place == TSR_PLACE_NOWHERE;
        }
    }
    return ok;
}

/* Finds the mask of a chain, such as the causal mask of attention. */
static void find_mask(const coder *c, tsr_xgroup *g)
{
    tsr_program *p = c->p;
    tsr_xid mask = TSR_XNONE;
    for (size_t i = 0; g->mode == TSR_LOOP_ROWS && i < g->nodes.n && mask == TSR_XNONE; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        if (n->kind == TSR_NODE_TILE && n->tile == TSR_TILE_select && !n->by_row &&
            p->values.data[n->in[0]].place == TSR_PLACE_VIEW &&
            tsr_read_of(p, c->group, false, n->in[0]) == TSR_READ_MEMORY)
            mask = n->in[0];
    }
    bool ok = mask != TSR_XNONE && mask_holds(c, mask);
    for (uint8_t k = 0; k < g->ngiven; k++)
        ok &= !p->values.data[g->given[k]].mark;
    for (size_t i = 0; i < g->nodes.n; i++)
        p->values.data[p->nodes.data[g->nodes.data[i]].out[0]].mark = 0;
    if (!ok)
        return;
    tsr_xview view = tsr_xview_of(p->values.data[mask].view);
    view = tsr_xview_join(&view);
    if (is_constant_view(&view))
        return;
    g->mask = tsr_arena_copy(&p->arena, &view, sizeof view);
    g->mask_of = tsr_storage_of(p, mask);
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
    i.value = TSR_XNONE;
    i.node = c->p->values.data[v].node;
    tsr_vec_push(&c->stores, i);
}

/* ---- Registers ---- */

/* Whether the contents of its register are kept from block to block. */
static bool stays(const tsr_instr *i)
{
    return i->invariant || i->repeats || i->cycles;
}

static bool may_take_over(const tsr_instr *i, uint32_t k, const coder *c, const uint16_t *made_by)
{
    if (i->kind != TSR_I_TILE && i->kind != TSR_I_CONVERT)
        return false;
    const tsr_instr *from = &c->code.data[made_by[i->in[k]]];
    bool by_row = from->by_row || from->kind == TSR_I_FOLD; /* read again for the next row */
    return !stays(from) && from->kind != TSR_I_LOAD && from->kind != TSR_I_PRODUCT &&
           by_row == i->by_row &&
           tsr_dtype_bytes((tsr_dtype)from->dtype) == tsr_dtype_bytes((tsr_dtype)i->dtype);
}

/* Renumbers registers so that registers of dead values are reused. */
static void allocate(coder *c, tsr_xgroup *g)
{
    size_t bytes = ((size_t)c->next + 1) * sizeof(uint16_t);
    uint16_t *last = memset(tsr_xmalloc(bytes), 0, bytes), *made_by = tsr_xmalloc(bytes);
    uint16_t *to = tsr_xmalloc(bytes);
    TSR_VEC(uint16_t) unused = {0};
    uint16_t count = 0;
    for (size_t i = 0; i < c->code.n; i++) {
        const tsr_instr *o = &c->code.data[i];
        if (o->out != NO_REGISTER)
            made_by[o->out] = last[o->out] = (uint16_t)i;
        for (uint8_t k = 0; k < o->nin; k++)
            last[o->in[k]] = (uint16_t)i;
    }
    for (size_t i = 0; i < c->code.n; i++) {
        tsr_instr *o = &c->code.data[i];
        uint16_t out = o->out, taken = NO_REGISTER;
        for (uint8_t k = 0; k < o->nin && out != NO_REGISTER && !stays(o); k++)
            if (taken == NO_REGISTER && last[o->in[k]] == i && may_take_over(o, k, c, made_by))
                taken = o->in[k];
        if (out != NO_REGISTER)
            to[out] = taken != NO_REGISTER    ? to[taken]
                      : unused.n && !stays(o) ? unused.data[--unused.n]
                                              : count++;
        for (uint8_t k = 0; k < o->nin; k++) {
            bool again = false;
            for (uint8_t m = 0; m < k; m++)
                again |= o->in[m] == o->in[k];
            if (!again && last[o->in[k]] == i && o->in[k] != taken &&
                !stays(&c->code.data[made_by[o->in[k]]]))
                tsr_vec_push(&unused, to[o->in[k]]);
        }
        if (out != NO_REGISTER && last[out] == i && !stays(o))
            tsr_vec_push(&unused, to[out]);
    }
    for (size_t i = 0; i < c->code.n; i++) {
        tsr_instr *o = &c->code.data[i];
        for (uint8_t k = 0; k < o->nin; k++)
            o->in[k] = to[o->in[k]];
        if (o->out != NO_REGISTER)
            o->out = to[o->out];
    }
    g->nregister = count;
    tsr_vec_free(&unused);
    tsr_free(last);
    tsr_free(made_by);
    tsr_free(to);
}

/* Finds loads of views whose long rows are one element each: blocks end where rows do, and kernels read one number. All
 * other views must have rows of that length. */
static void find_levels(const coder *c, const tsr_xgroup *g)
{
    enum { LONG = 256 };
    int64_t line = 0;
    bool same =
        c->p->target->loop_forms && g->mode == TSR_LOOP_MAP && g->product == TSR_XNONE && !g->gives;
    for (size_t i = 0; i < c->code.n && same; i++) {
        const tsr_instr *o = &c->code.data[i];
        same = o->kind != TSR_I_PART;
        if (o->kind != TSR_I_LOAD || o->whole || o->invariant)
            continue;
        int last = o->view->space.rank - 1;
        int64_t row = o->view->space.dims[last];
        same = (!line || line == row) && row >= LONG &&
               (o->view->strides[last] == 0 || o->view->strides[last] == 1);
        line = row;
    }
    for (size_t i = 0; i < c->code.n && same && line; i++) {
        tsr_instr *o = &c->code.data[i];
        if (o->kind == TSR_I_LOAD && !o->whole && !o->invariant)
            o->level = o->view->space.rank > 1 && !o->view->strides[o->view->space.rank - 1];
    }
}

/* Whether a loop only folds its operands: no values are kept in registers, and blocks may be long. */
static bool only_folds(const tsr_xgroup *g)
{
    for (uint32_t i = 0; i < g->ncode; i++) {
        const tsr_instr *o = &g->code[i];
        bool loads = o->kind == TSR_I_LOAD && o->whole,
             by_row = o->by_row || o->kind == TSR_I_STORE;
        if (!loads && !by_row && o->kind != TSR_I_FOLD && o->kind != TSR_I_COLUMN)
            return false;
    }
    return g->product == TSR_XNONE;
}

/* Elements of a block: whole rows, and such that operands that repeat by rows are contiguous. */
static int64_t block_of(const tsr_xgroup *g)
{
    enum { NEAR_BYTES = 24 << 10, MOST_SHORT = 4 * BLOCK, FEW_COLUMNS = 4 };
    int64_t block = only_folds(g) ? g->mode == TSR_LOOP_ROWS ? MANY_FOLDED : FEW_FOLDED : BLOCK;
    /* Rows: starting a block costs as much as its folds, which overlap, and few registers fit into the nearest cache. */
    bool is_short = g->mode == TSR_LOOP_ROWS && g->inner <= BLOCK;
    while (is_short && block < MOST_SHORT && 2 * block * g->width * g->nregister <= NEAR_BYTES)
        block *= 2;
    if (g->mode == TSR_LOOP_ROWS)
        return g->inner * (g->inner < block ? block / g->inner : 1);
    if (g->mode == TSR_LOOP_COLUMNS && block == BLOCK && g->nregister <= FEW_COLUMNS)
        block *= 2;
    if (g->mode == TSR_LOOP_COLUMNS)
        return g->inner <= block ? g->inner * (block / g->inner) : only_folds(g) ? BLOCK : block;
    enum { FEW = 6 }; /* so few registers fit into the nearest cache at twice the length */
    int64_t most = g->nregister <= FEW ? 2 * BLOCK : BLOCK, row = 0, rows = 0;
    for (uint32_t i = 0; i < g->ncode; i++) {
        const tsr_instr *o = &g->code[i];
        if (o->kind != TSR_I_LOAD || o->whole || o->invariant)
            continue;
        int last = o->view->space.rank - 1;
        int64_t inner = o->view->space.dims[last];
        row = !row || inner < row ? inner : row;
        /* Rows that repeat: blocks end where others begin. */
        if (last > 1 && !o->view->strides[last - 1])
            rows = o->view->space.dims[last - 1] * inner;
    }
    if (g->mode == TSR_LOOP_LONG || g->gives || !row)
        return BLOCK;
    if (row <= BLOCK && rows <= most && rows && rows % row == 0)
        return rows * (most / rows);
    if (row <= BLOCK)
        return row * (BLOCK / row);
    int64_t pieces = (row + most - 1) / most;
    if (row <= most)
        return row;
    return row % pieces == 0 ? row / pieces : row <= 2 * BLOCK ? row : most;
}

/* Bytes of the values that a loop reads and writes, as far as there are a few. */
static uint64_t touched_by(const tsr_program *p, const tsr_xgroup *g)
{
    enum { MOST = 16 };
    tsr_xid seen[MOST];
    uint32_t n = 0;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < g->ncode && n < MOST; i++) {
        const tsr_instr *o = &g->code[i];
        uint32_t k = 0;
        if (o->kind != TSR_I_LOAD && o->kind != TSR_I_STORE && !o->direct)
            continue;
        while (k < n && seen[k] != o->value)
            k++;
        if (k < n || o->value == TSR_XNONE)
            continue;
        seen[n++] = o->value;
        bytes += tsr_xvalue_bytes(&p->values.data[o->value]);
    }
    return bytes;
}

/* Marks loads of operands that repeat by rows, where a block is one row. */
static void find_fixed(tsr_xgroup *g)
{
    bool rows = g->product == TSR_XNONE && !g->gives &&
                (g->mode == TSR_LOOP_MAP || g->mode == TSR_LOOP_ROWS);
    for (uint32_t i = 0; rows && i < g->ncode; i++) {
        tsr_instr *o = &g->code[i];
        if (o->kind != TSR_I_LOAD || o->whole || o->invariant || o->by_row)
            continue;
        int last = o->view->space.rank - 1;
        o->fixed = o->view->space.dims[last] == g->block && o->view->strides[last] == 1;
        for (int k = 0; k < last; k++)
            o->fixed &= o->view->strides[k] == 0;
    }
}

/* Decides which loads read the same elements in each block: all blocks begin where their rows do. */
static void find_cycles(tsr_xgroup *g)
{
    for (uint32_t i = 0; i < g->ncode; i++) {
        tsr_instr *o = &g->code[i];
        if (!o->cycles)
            continue;
        int64_t row = o->view->space.dims[o->view->space.rank - 1];
        bool columns = g->mode == TSR_LOOP_COLUMNS && g->inner <= g->block && g->inner % row == 0;
        o->cycles = !o->fixed && g->block % row == 0 &&
                    (columns || g->mode == TSR_LOOP_MAP || g->mode == TSR_LOOP_ROWS);
    }
}

/* Elements after which a load or a movement inside the loop continues elsewhere; 0: none are contiguous, or all. */
static int64_t row_of(const tsr_program *p, const tsr_instr *o)
{
    if (o->kind == TSR_I_PART)
        return tsr_part_row(p, &p->nodes.data[o->node]);
    int last = o->view->space.rank - 1;
    return last && (o->level || o->view->strides[last] == 1) ? o->view->space.dims[last] : 0;
}

static bool is_of_view(const tsr_instr *o)
{
    return o->kind == TSR_I_LOAD && !o->whole && !o->invariant && !o->by_row && !o->fixed &&
           !o->cycles;
}

/* The last load of rows of a value, of those that read its elements in memory order, reads what is not in the caches
 * yet. Blocks that end where rows do are read in place. */
static void find_lines(const tsr_program *p, tsr_xgroup *g)
{
    enum { PARTS = 2 };  /* the stride of parts of complex numbers */
    enum { LEAST = 64 }; /* elements of a row for which calls of its own pay */
    int64_t line = 0;
    bool same = g->mode == TSR_LOOP_MAP && g->product == TSR_XNONE && !g->gives, fixed = false;
    for (uint32_t i = 0; same && i < g->ncode; i++) {
        tsr_instr *o = &g->code[i];
        fixed |= o->fixed;
        bool loads = is_of_view(o);
        if (!loads && o->kind != TSR_I_PART)
            continue;
        int64_t row = row_of(p, o);
        same = !row || !line || line == row;
        line = row ? row : line;
        if (!loads)
            continue;
        o->leads = row ? o->view->strides[0] >= row
                       : o->view->space.rank == 1 && o->view->strides[0] == PARTS;
        for (uint32_t k = 0; k < i; k++) {
            tsr_instr *other = &g->code[k];
            if (!o->leads || !other->leads || other->value != o->value)
                continue;
            o->leads &= o->view->offset >= other->view->offset;
            other->leads = !o->leads;
        }
    }
    g->line = same && line >= LEAST && (!fixed || line == g->block) ? line : 0;
}

/* Finds out how loads of views read rows. */
static void find_rows(const tsr_program *p, tsr_xgroup *g)
{
    find_fixed(g);
    find_cycles(g);
    find_lines(p, g);
    if (!g->line)
        return;
    for (uint32_t i = 0; i < g->ncode; i++) /* blocks begin where other rows do */
        g->code[i].cycles = false;
    find_lines(p, g);
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
    if (tsr_is_chain(g)) {
        put_all_back(&c, g);
        find_mask(&c, g);
    }
    if (g->gives)
        put_factor(&c, g->gives - 1);
    store_last(&c);
    for (size_t i = 0; i < c.stores.n; i++)
        emit(&c, c.stores.data[i]);
    tsr_vec_free(&c.stores);
    g->width = 4;
    for (size_t i = 0; i < c.code.n; i++) {
        uint32_t bytes = tsr_dtype_bytes((tsr_dtype)c.code.data[i].dtype);
        g->width = bytes > g->width ? (uint8_t)bytes : g->width;
    }
    find_levels(&c, g);
    c.code.n = tsr_code_fuse(c.code.data, c.code.n, c.next, g, p->target->loop_forms);
    store_early(&c, g);
    allocate(&c, g);
    g->ncode = (uint32_t)c.code.n;
    g->code = tsr_arena_copy(&p->arena, c.code.data, c.code.n * sizeof *c.code.data);
    g->block = block_of(g);
    g->block = g->block < g->n ? g->block : g->n;
    find_rows(p, g);
    g->touched = touched_by(p, g);
    tsr_vec_free(&c.code);
    tsr_vec_free(&c.behind);
}
