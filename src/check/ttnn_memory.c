/* SPDX-License-Identifier: Apache-2.0 */
/* ttnn_memory.c - compares the memory of a device with the live tensors of a function.
 *
 * A tensor takes the size that its layout gives, in whole tiles, from its definition to its deallocate or to the end of
 * the function; arguments are live from the start. DRAM is all banks together, as interleaved tensors are spread over
 * them; L1 is that of all cores, of which a sharded tensor takes its share on each core of its grid. Memory that
 * callees allocate is added while they run. Kernel programs and buffers inside ops are not counted. */
#include "check/ttnn_memory.h"

#include <inttypes.h>

#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"

/* Field numbers of a chip_desc. */
enum { CHIP_CHANNELS = 4, CHIP_L1_BASE = 9, CHIP_DRAM_BASE = 11, CHIP_DRAM_END = 12 };

/* ---- Sizes ---- */

static uint64_t bytes_of(tsr_tt_data_type t, bool tile)
{
    enum { ELEMENTS = 1024, EXPONENTS = 64 };
    switch (t) {
    case TSR_TT_BFP_F8:
    case TSR_TT_BFP_BF8: return ELEMENTS + EXPONENTS;
    case TSR_TT_BFP_F4:
    case TSR_TT_BFP_BF4: return ELEMENTS / 2 + EXPONENTS;
    case TSR_TT_BFP_F2:
    case TSR_TT_BFP_BF2: return ELEMENTS / 4 + EXPONENTS;
    case TSR_TT_F32:
    case TSR_TT_U32:
    case TSR_TT_SI32: return tile ? 4 * ELEMENTS : 4;
    case TSR_TT_U8: return tile ? ELEMENTS : 1;
    default: return tile ? 2 * ELEMENTS : 2;
    }
}

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX / 4 : product;
}

/* Bytes on one device, in all its banks or cores; *l1: it is in L1. 0: it is on the host, or not a tensor with a
 * layout. */
static uint64_t size_of(const tsr_type *t, bool *l1)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(t);
    if (!layout || tsr_ttnn_buffer(layout) == TSR_TTNN_SYSTEM_MEMORY)
        return 0;
    tsr_ttnn_spec s = tsr_ttnn_spec_of(layout);
    const tsr_type *memory = layout->attrs[TTNN_TTNN_LAYOUT_memref]->type;
    uint64_t n = bytes_of(s.type, s.tiled);
    for (uint32_t i = 0; i < memory->n; i++)
        n = times(n, memory->dims[i] > 0 ? (uint64_t)memory->dims[i] : 0);
    *l1 = s.buffer == TSR_TTNN_L1 || s.buffer == TSR_TTNN_L1_SMALL;
    return times(n, times((uint64_t)(s.grid[0] > 0 ? s.grid[0] : 1),
                          (uint64_t)(s.grid[1] > 0 ? s.grid[1] : 1)));
}

/* ---- The device ---- */

static const tsr_attr *chip_of(const tsr_op *func)
{
    for (const tsr_op *op = func; op; op = op->block ? tsr_block_parent(op->block) : NULL) {
        const tsr_attr *d =
            op->extra ? tsr_dict_get(op->extra, TSR_STR("ttcore.system_desc")) : NULL;
        if (tsr_attr_is_struct(d, &tsr_def_TTCORE_SYSTEM_DESC) &&
            d->attrs[TTCORE_SYSTEM_DESC_chips]->n)
            return d->attrs[TTCORE_SYSTEM_DESC_chips]->attrs[0];
    }
    return NULL;
}

static uint64_t field(const tsr_attr *chip, int i)
{
    const tsr_attr *a = chip->attrs[i];
    return tsr_attr_is(a, TSR_ATTR_INT) && a->i > 0 ? (uint64_t)a->i : 0;
}

static void read_device(const tsr_op *func, tsr_device_memory *out)
{
    const tsr_attr *chip = chip_of(func);
    if (!chip)
        return;
    uint64_t cores = 1, l1 = field(chip, TTCORE_CHIP_DESC_l1_size),
             base = field(chip, CHIP_L1_BASE);
    uint64_t from = field(chip, CHIP_DRAM_BASE), to = field(chip, CHIP_DRAM_END);
    const tsr_attr *grid = chip->attrs[TTCORE_CHIP_DESC_grid];
    for (int64_t i = 0; i < tsr_attr_count(grid); i++)
        cores = times(cores, (uint64_t)tsr_attr_int_at(grid, (size_t)i));
    out->known = true;
    out->l1_size = times(cores, l1 > base ? l1 - base : 0);
    out->dram_size = times(field(chip, CHIP_CHANNELS), to > from ? to - from : 0);
}

/* ---- Live tensors ---- */

typedef struct {
    tsr_device_memory *out;
    uint64_t dram, l1; /* in use */
    bool strict;
    uint32_t depth;
    tsr_arena *arena;
    tsr_map *callees; /* of memory use by callee */
} state;

/* The memory that a function uses beyond its arguments: the same for each of its calls. */
typedef struct {
    const tsr_op *func;
    tsr_device_memory own;
} callee;

/* Adds n bytes in use at this op. */
static bool reach(state *s, const tsr_op *op, const tsr_op *at, uint64_t n, bool l1)
{
    uint64_t used = l1 ? s->l1 : s->dram, all = l1 ? s->out->l1_size : s->out->dram_size;
    if (s->out->known && (n > all || used > all - n))
        return tsr_op_error(op,
                            "does not fit: it needs %" PRIu64
                            " bytes of %s, of which the device has %" PRIu64 " and %" PRIu64
                            " are in use",
                            n, l1 ? "L1" : "DRAM", all, used);
    uint64_t *peak = l1 ? &s->out->l1_peak : &s->out->dram_peak;
    const tsr_op **where = l1 ? &s->out->l1_at : &s->out->dram_at;
    if (used + n > *peak) {
        *peak = used + n;
        *where = at;
    }
    return true;
}

static bool take(state *s, const tsr_op *op, const tsr_op *at, const tsr_type *t)
{
    bool l1 = false;
    uint64_t n = size_of(t, &l1);
    if (!n)
        return true;
    TSR_TRY(reach(s, op, at, n, l1));
    *(l1 ? &s->l1 : &s->dram) += n;
    return true;
}

static void give_back(state *s, const tsr_type *t)
{
    bool l1 = false;
    uint64_t n = size_of(t, &l1), *used = l1 ? &s->l1 : &s->dram;
    *used -= n < *used ? n : *used;
}

static bool is_returned(const tsr_value *v)
{
    for (const tsr_use *u = v->uses; u; u = u->next)
        if (tsr_op_has(u->user, TSR_TRAIT(TERMINATOR)))
            return true;
    return false;
}

static bool is_given_back(const tsr_value *v)
{
    for (const tsr_use *u = v->uses; u; u = u->next)
        if (tsr_op_is(u->user, TSR_OP_TTNN_DEALLOCATE))
            return true;
    return false;
}

/* Finds results that are used but neither returned nor deallocated, in a function that deallocates others. */
static bool find_leaks(state *s, const tsr_block *b)
{
    bool frees = false, ok = true;
    TSR_BLOCK_OPS (b, op)
        frees |= tsr_op_is(op, TSR_OP_TTNN_DEALLOCATE);
    TSR_BLOCK_OPS (b, op)
        for (uint32_t i = 0; frees && i < op->nout; i++) {
            const tsr_value *v = &op->out[i];
            bool l1;
            if (!v->uses || is_returned(v) || is_given_back(v) || !size_of(v->type, &l1))
                continue;
            s->out->leaks++;
            if (s->strict)
                ok = tsr_op_error(op, "makes a tensor that is never given back: result #%u", i);
        }
    return ok;
}

static bool walk(state *s, const tsr_op *func);

/* Analyses a function once; recursive calls add nothing. */
static bool look_into(state *s, const tsr_op *f, callee **out)
{
    TSR_MAP_EACH (s->callees, tsr_hash_ptr(f), v) {
        *out = v;
        if ((*out)->func == f)
            return true;
    }
    *out = TSR_NEW(s->arena, callee);
    (*out)->func = f;
    tsr_map_put(s->callees, tsr_hash_ptr(f), *out);
    state inner = *s;
    inner.out = &(*out)->own;
    inner.dram = inner.l1 = 0;
    inner.depth++;
    bool ok = walk(&inner, f);
    s->out->leaks += (*out)->own.leaks;
    return ok;
}

/* Adds the memory that a function uses beyond its arguments while op calls it. */
static bool walk_callee(state *s, const tsr_op *op)
{
    enum { DEEP = 256 };
    const tsr_attr *name = tsr_op_is(op, TSR_OP_TTCORE_LOAD_CACHED)
                               ? tsr_attr_of(op, TTCORE_LOAD_CACHED_callee)
                               : tsr_op_attr(op, TSR_STR("callee"));
    const tsr_op *f = tsr_attr_is(name, TSR_ATTR_SYMBOL) ? tsr_symbol_resolve(op, name) : NULL;
    if (!f || !tsr_op_is(f, TSR_OP_FUNC_FUNC) || !f->regions[0].first || s->depth > DEEP)
        return true;
    callee *c;
    TSR_TRY(look_into(s, f, &c));
    const tsr_op *dram = c->own.dram_at ? c->own.dram_at : op,
                 *l1 = c->own.l1_at ? c->own.l1_at : op;
    return reach(s, dram, dram, c->own.dram_peak, false) && reach(s, l1, l1, c->own.l1_peak, true);
}

static bool walk(state *s, const tsr_op *func)
{
    const tsr_block *b = func->regions[0].first;
    TSR_BLOCK_OPS (b, op) {
        if (tsr_op_is(op, TSR_OP_TTNN_DEALLOCATE)) {
            give_back(s, op->in[0].value->type);
            continue;
        }
        if (!tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
            TSR_TRY(walk_callee(s, op));
        for (uint32_t i = 0; i < op->nout; i++)
            TSR_TRY(take(s, op, op, op->out[i].type));
        for (uint32_t i = 0; i < op->nout; i++)
            if (!op->out[i].uses)
                give_back(s, op->out[i].type);
    }
    return find_leaks(s, b);
}

bool tsr_ttnn_fits(const tsr_op *func, bool strict, tsr_device_memory *out)
{
    if (!tsr_op_is(func, TSR_OP_FUNC_FUNC) || !func->regions[0].first)
        return true;
    read_device(func, out);
    tsr_arena arena = {0};
    tsr_map callees = {0};
    state s = {.out = out, .strict = strict, .arena = &arena, .callees = &callees};
    const tsr_block *b = func->regions[0].first;
    bool ok = true;
    for (uint32_t i = 0; ok && i < b->nargs; i++)
        ok = take(&s, func, NULL, b->args[i]->type);
    ok = ok && walk(&s, func);
    tsr_map_free(&callees);
    tsr_arena_free(&arena);
    return ok;
}

/* ---- The report ---- */

static void line(tsr_buf *out, const char *name, uint64_t peak, uint64_t all, const tsr_op *at,
                 bool known)
{
    tsr_buf_printf(out, "%s: %" PRIu64 " bytes", name, peak);
    if (known)
        tsr_buf_printf(out, " of %" PRIu64, all);
    if (peak && at)
        tsr_buf_printf(out, ", most at '%.*s'", TSR_STR_ARG(at->def->name));
    else if (peak)
        tsr_buf_printf(out, ", most at the begin: arguments");
    tsr_buf_char(out, '\n');
}

void tsr_device_memory_print(const tsr_device_memory *d, tsr_buf *out)
{
    tsr_buf_printf(out, "memory of a device, for tensors that are alive at a time\n");
    line(out, "DRAM", d->dram_peak, d->dram_size, d->dram_at, d->known);
    line(out, "L1", d->l1_peak, d->l1_size, d->l1_at, d->known);
    if (!d->known)
        tsr_buf_printf(out,
                       "the module does not describe its device: nobody knows whether it fits\n");
    tsr_buf_printf(out, "tensors that are never given back: %u\n", d->leaks);
}
