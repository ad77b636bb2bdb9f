/* SPDX-License-Identifier: Apache-2.0 */
/* code.c - makes the CPU's code of a loop from its instructions: stores that are merged into kernels, registers that are
 * reused, and blocks that stay in the nearest cache. */
#include "exec/cpu/code.h"

#include <stdlib.h>

#include "exec/contract.h"

enum {
    BLOCK = 512,
    MANY_FOLDED = 8192,
    FEW_FOLDED = 4096,
    STREAMED = 16 << 20, /* bytes of a value that is written past the caches */
    /* The same for a value that the program usually does not read again. */
    STREAMED_RESULT = 8 << 20,
};

typedef TSR_VEC(tsr_cpu_instr) instrs;

typedef struct {
    const tsr_program *p;
    const tsr_xgroup *g;
    instrs code, stores; /* stores: those that are written at the end of a block */
    uint16_t *uses;      /* by register: how many operands it is */
} coder;

/* ---- Instructions ---- */

/* Whether a view is the same for each row of the product that the loop runs on, or of the factor that it computes. */
static bool repeats(const coder *c, const tsr_xview *v)
{
    const tsr_xgroup *g = c->g;
    if (!v || (g->product == TSR_XNONE && !g->gives))
        return false;
    int64_t row = g->gives ? g->inner : c->p->nodes.data[g->product].contract->to_row;
    return v->space.rank == 2 && v->strides[0] == 0 && v->space.dims[1] == row;
}

/* Whether a load may read the same elements in each block: a short row, again and again. */
static bool may_cycle(const coder *c, const tsr_cpu_instr *i)
{
    const tsr_xgroup *g = c->g;
    bool ok = g->product == TSR_XNONE && !g->gives && !i->whole && !i->invariant;
    int last = ok ? i->view->space.rank - 1 : 0;
    ok = ok && last > 0 && i->view->strides[last] == 1 && i->view->space.dims[last] <= BLOCK;
    for (int k = 0; k < last && ok; k++)
        ok = i->view->strides[k] == 0;
    return ok;
}

/* The instruction that defines a register of the last few; NULL: another one. */
static tsr_cpu_instr *last_of(coder *c, uint16_t r)
{
    tsr_cpu_instr *last = c->code.n ? &c->code.data[c->code.n - 1] : NULL;
    return last && last->kind != TSR_I_STORE && last->out == r ? last : NULL;
}

/* Whether a narrow float is read as a wide one from memory that is the same for each row. */
static bool repeats_load(coder *c, const tsr_cpu_instr *o)
{
    const tsr_cpu_instr *from = last_of(c, o->in[0]);
    return from && from->repeats && tsr_register_type((tsr_dtype)o->from) != o->from;
}

/* Rounding to a narrow type and back is one kernel, if nothing reads the narrow number. */
static bool round_once(coder *c, const tsr_cpu_instr *o, bool loose)
{
    tsr_cpu_instr *to = last_of(c, o->in[0]);
    bool half = o->from == TSR_D_F16;
    if (!to || to->kind != TSR_I_CONVERT || to->from != o->dtype || c->uses[to->out] != 1 ||
        (!half && o->from != TSR_D_BF16))
        return false;
    to->out = o->out;
    to->dtype = o->dtype;
    to->fn = tsr_tile_nearest(loose  ? TSR_NEAREST_SMALL_F16
                              : half ? TSR_NEAREST_F16
                                     : TSR_NEAREST_BF16);
    return true;
}

/* Large values are written past the caches. A buffer that an operand used is written only after the whole block has been
 * read; otherwise the kernel that computes a value writes it. */
static void store(coder *c, tsr_cpu_instr *o, bool over)
{
    if (o->value == TSR_XNONE) {
        tsr_vec_push(&c->stores, *o);
        return;
    }
    const tsr_xvalue *x = &c->p->values.data[o->value];
    bool large = tsr_xvalue_bytes(x) >= (x->is_result ? STREAMED_RESULT : STREAMED);
    tsr_cpu_instr *made = last_of(c, o->in[0]);
    if (!over && !large && made && !made->direct && !made->invariant &&
        (made->kind == TSR_I_TILE || made->kind == TSR_I_CONVERT)) {
        made->direct = true;
        made->value = o->value;
        return;
    }
    o->streams = large && x->shares == TSR_XNONE && !x->follows;
    if (over)
        tsr_vec_push(&c->stores, *o);
    else
        tsr_vec_push(&c->code, *o);
}

static void add(coder *c, const tsr_instr *i)
{
    tsr_cpu_instr o = {.kind = i->kind,
                       .nin = i->nin,
                       .dtype = i->dtype,
                       .from = i->from,
                       .op = i->op,
                       .fold = i->fold,
                       .slot = i->slot,
                       .by_row = i->by_row,
                       .invariant = i->invariant,
                       .whole = i->whole,
                       .out = i->out,
                       .value = i->value,
                       .node = i->node,
                       .view = i->view,
                       .bits = i->bits};
    memcpy(o.in, i->in, sizeof o.in);
    tsr_dtype type = (tsr_dtype)o.dtype, from = (tsr_dtype)o.from;
    switch ((tsr_instr_kind)o.kind) {
    case TSR_I_LOAD:
        o.cycles = !o.by_row && may_cycle(c, &o);
        o.repeats = !o.invariant && repeats(c, o.view);
        break;
    case TSR_I_IOTA: o.repeats = !o.invariant && repeats(c, o.view); break;
    case TSR_I_TILE: o.fn = tsr_tile_find((tsr_tile_op)o.op, from); break;
    case TSR_I_CONVERT:
        o.fn = tsr_tile_convert(type, from);
        o.repeats = repeats_load(c, &o);
        if (round_once(c, &o, i->loose))
            return;
        break;
    case TSR_I_COLUMN:
        o.fn = tsr_tile_find((tsr_tile_op)o.op, type);
        o.twice = o.op == TSR_TILE_add ? tsr_tile_find(TSR_TILE_add_twice, type) : NULL;
        break;
    case TSR_I_STORE: store(c, &o, i->over); return;
    case TSR_I_PRODUCT:
    case TSR_I_PART:
    case TSR_I_LOOKUP:
    case TSR_I_SPLAT:
    case TSR_I_SPREAD:
    case TSR_I_FOLD: break;
    }
    tsr_vec_push(&c->code, o);
}

/* ---- Stores ---- */

/* Whether an operand may be read directly from memory. */
static bool reads_memory(const coder *c, const tsr_cpu_instr *o)
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
    tsr_cpu_instr *last = c->code.n ? &c->code.data[c->code.n - 1] : NULL;
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
    v = tsr_buffer_of(p, v);
    v = p->values.data[v].host ? p->values.data[v].host - 1 : v;
    uint32_t donor = p->values.data[v].donor;
    return donor ? p->main.args[donor - 1] : v;
}

/* Whether instruction `made` may write to the memory of value: by then, the instructions up to it have read, element by
 * element, everything that is stored there. */
static bool has_read(const coder *c, size_t made, tsr_xid value)
{
    const tsr_cpu_instr *code = c->code.data;
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
static void store_early(coder *c)
{
    const tsr_xgroup *g = c->g;
    for (size_t i = 0; i < c->code.n && g->mode == TSR_LOOP_MAP && g->product == TSR_XNONE; i++) {
        const tsr_cpu_instr *o = &c->code.data[i];
        if (o->kind != TSR_I_STORE || o->value == TSR_XNONE)
            continue;
        size_t made = 0;
        while (c->code.data[made].kind == TSR_I_STORE || c->code.data[made].out != o->in[0])
            made++;
        tsr_cpu_instr *from = &c->code.data[made];
        bool computes = from->kind == TSR_I_TILE || from->kind == TSR_I_CONVERT;
        if (!computes || from->direct || from->early || from->invariant ||
            from->dtype != o->dtype || !has_read(c, made, o->value))
            continue;
        from->early = true;
        from->streams = o->streams;
        from->value = o->value;
    }
}

/* ---- Registers ---- */

/* Whether the contents of its register are kept from block to block. */
static bool stays(const tsr_cpu_instr *i)
{
    return i->invariant || i->repeats || i->cycles;
}

static bool may_take_over(const tsr_cpu_instr *i, uint32_t k, const coder *c,
                          const uint16_t *made_by)
{
    if (i->kind != TSR_I_TILE && i->kind != TSR_I_CONVERT)
        return false;
    const tsr_cpu_instr *from = &c->code.data[made_by[i->in[k]]];
    bool by_row = from->by_row || from->kind == TSR_I_FOLD; /* read again for the next row */
    return !stays(from) && from->kind != TSR_I_LOAD && from->kind != TSR_I_PRODUCT &&
           by_row == i->by_row &&
           tsr_dtype_bytes((tsr_dtype)from->dtype) == tsr_dtype_bytes((tsr_dtype)i->dtype);
}

/* Renumbers registers so that registers of dead values are reused. */
static void allocate(coder *c, tsr_cpu_code *cpu)
{
    size_t bytes = ((size_t)c->g->nregister + 1) * sizeof(uint16_t);
    uint16_t *last = memset(tsr_xmalloc(bytes), 0, bytes), *made_by = tsr_xmalloc(bytes);
    uint16_t *to = tsr_xmalloc(bytes);
    TSR_VEC(uint16_t) unused = {0};
    uint16_t count = 0;
    for (size_t i = 0; i < c->code.n; i++) {
        const tsr_cpu_instr *o = &c->code.data[i];
        if (o->out != TSR_NO_REGISTER)
            made_by[o->out] = last[o->out] = (uint16_t)i;
        for (uint8_t k = 0; k < o->nin; k++)
            last[o->in[k]] = (uint16_t)i;
    }
    for (size_t i = 0; i < c->code.n; i++) {
        tsr_cpu_instr *o = &c->code.data[i];
        uint16_t out = o->out, taken = TSR_NO_REGISTER;
        for (uint8_t k = 0; k < o->nin && out != TSR_NO_REGISTER && !stays(o); k++)
            if (taken == TSR_NO_REGISTER && last[o->in[k]] == i && may_take_over(o, k, c, made_by))
                taken = o->in[k];
        if (out != TSR_NO_REGISTER)
            to[out] = taken != TSR_NO_REGISTER ? to[taken]
                      : unused.n && !stays(o)  ? unused.data[--unused.n]
                                               : count++;
        for (uint8_t k = 0; k < o->nin; k++) {
            bool again = false;
            for (uint8_t m = 0; m < k; m++)
                again |= o->in[m] == o->in[k];
            if (!again && last[o->in[k]] == i && o->in[k] != taken &&
                !stays(&c->code.data[made_by[o->in[k]]]))
                tsr_vec_push(&unused, to[o->in[k]]);
        }
        if (out != TSR_NO_REGISTER && last[out] == i && !stays(o))
            tsr_vec_push(&unused, to[out]);
    }
    for (size_t i = 0; i < c->code.n; i++) {
        tsr_cpu_instr *o = &c->code.data[i];
        for (uint8_t k = 0; k < o->nin; k++)
            o->in[k] = to[o->in[k]];
        if (o->out != TSR_NO_REGISTER)
            o->out = to[o->out];
    }
    cpu->nregister = count;
    tsr_vec_free(&unused);
    tsr_free(last);
    tsr_free(made_by);
    tsr_free(to);
}

/* Finds loads of views whose long rows are one element each: blocks end where rows do, and kernels read one number. All
 * other views must have rows of that length. */
static void find_levels(const coder *c)
{
    const tsr_xgroup *g = c->g;
    enum { LONG = 256 };
    int64_t line = 0;
    bool same = g->mode == TSR_LOOP_MAP && g->product == TSR_XNONE && !g->gives;
    for (size_t i = 0; i < c->code.n && same; i++) {
        const tsr_cpu_instr *o = &c->code.data[i];
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
        tsr_cpu_instr *o = &c->code.data[i];
        if (o->kind == TSR_I_LOAD && !o->whole && !o->invariant)
            o->level = o->view->space.rank > 1 && !o->view->strides[o->view->space.rank - 1];
    }
}

/* ---- Blocks ---- */

/* Whether a loop only folds its operands: no values are kept in registers, and blocks may be long. */
static bool only_folds(const tsr_xgroup *g, const tsr_cpu_code *cpu)
{
    for (uint32_t i = 0; i < cpu->ncode; i++) {
        const tsr_cpu_instr *o = &cpu->code[i];
        bool loads = o->kind == TSR_I_LOAD && o->whole,
             by_row = o->by_row || o->kind == TSR_I_STORE;
        if (!loads && !by_row && o->kind != TSR_I_FOLD && o->kind != TSR_I_COLUMN)
            return false;
    }
    return g->product == TSR_XNONE;
}

/* Elements of a block: whole rows, and such that operands that repeat by rows are contiguous. */
static int64_t block_of(const tsr_xgroup *g, const tsr_cpu_code *cpu)
{
    enum { NEAR_BYTES = 24 << 10, MOST_SHORT = 4 * BLOCK, FEW_COLUMNS = 4 };
    int64_t block =
        only_folds(g, cpu) ? g->mode == TSR_LOOP_ROWS ? MANY_FOLDED : FEW_FOLDED : BLOCK;
    /* Rows: starting a block costs as much as its folds, which overlap, and few registers fit into the nearest cache. */
    bool is_short = g->mode == TSR_LOOP_ROWS && g->inner <= BLOCK;
    while (is_short && block < MOST_SHORT && 2 * block * cpu->width * cpu->nregister <= NEAR_BYTES)
        block *= 2;
    if (g->mode == TSR_LOOP_ROWS)
        return g->inner * (g->inner < block ? block / g->inner : 1);
    if (g->mode == TSR_LOOP_COLUMNS && block == BLOCK && cpu->nregister <= FEW_COLUMNS)
        block *= 2;
    if (g->mode == TSR_LOOP_COLUMNS)
        return g->inner <= block    ? g->inner * (block / g->inner)
               : only_folds(g, cpu) ? BLOCK
                                    : block;
    enum { FEW = 6 }; /* so few registers fit into the nearest cache at twice the length */
    int64_t most = cpu->nregister <= FEW ? 2 * BLOCK : BLOCK, row = 0, rows = 0;
    for (uint32_t i = 0; i < cpu->ncode; i++) {
        const tsr_cpu_instr *o = &cpu->code[i];
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
static uint64_t touched_by(const tsr_program *p, const tsr_cpu_code *cpu)
{
    enum { MOST = 16 };
    tsr_xid seen[MOST];
    uint32_t n = 0;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < cpu->ncode && n < MOST; i++) {
        const tsr_cpu_instr *o = &cpu->code[i];
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
static void find_fixed(const tsr_xgroup *g, tsr_cpu_code *cpu)
{
    bool rows = g->product == TSR_XNONE && !g->gives &&
                (g->mode == TSR_LOOP_MAP || g->mode == TSR_LOOP_ROWS);
    for (uint32_t i = 0; rows && i < cpu->ncode; i++) {
        tsr_cpu_instr *o = &cpu->code[i];
        if (o->kind != TSR_I_LOAD || o->whole || o->invariant || o->by_row)
            continue;
        int last = o->view->space.rank - 1;
        o->fixed = o->view->space.dims[last] == cpu->block && o->view->strides[last] == 1;
        for (int k = 0; k < last; k++)
            o->fixed &= o->view->strides[k] == 0;
    }
}

/* Decides which loads read the same elements in each block: all blocks begin where their rows do. */
static void find_cycles(const tsr_xgroup *g, tsr_cpu_code *cpu)
{
    for (uint32_t i = 0; i < cpu->ncode; i++) {
        tsr_cpu_instr *o = &cpu->code[i];
        if (!o->cycles)
            continue;
        int64_t row = o->view->space.dims[o->view->space.rank - 1];
        bool columns = g->mode == TSR_LOOP_COLUMNS && g->inner <= cpu->block && g->inner % row == 0;
        o->cycles = !o->fixed && cpu->block % row == 0 &&
                    (columns || g->mode == TSR_LOOP_MAP || g->mode == TSR_LOOP_ROWS);
    }
}

/* Elements after which a load or a movement inside the loop continues elsewhere; 0: none are contiguous, or all. */
static int64_t row_of(const tsr_program *p, const tsr_cpu_instr *o)
{
    if (o->kind == TSR_I_PART)
        return tsr_part_row(p, &p->nodes.data[o->node]);
    int last = o->view->space.rank - 1;
    return last && (o->level || o->view->strides[last] == 1) ? o->view->space.dims[last] : 0;
}

static bool is_of_view(const tsr_cpu_instr *o)
{
    return o->kind == TSR_I_LOAD && !o->whole && !o->invariant && !o->by_row && !o->fixed &&
           !o->cycles;
}

/* The last load of rows of a value, of those that read its elements in memory order, reads what is not in the caches
 * yet. Blocks that end where rows do are read in place. */
static void find_lines(const tsr_program *p, const tsr_xgroup *g, tsr_cpu_code *cpu)
{
    enum { PARTS = 2 };  /* the stride of parts of complex numbers */
    enum { LEAST = 64 }; /* elements of a row for which calls of its own pay */
    int64_t line = 0;
    bool same = g->mode == TSR_LOOP_MAP && g->product == TSR_XNONE && !g->gives, fixed = false;
    for (uint32_t i = 0; same && i < cpu->ncode; i++) {
        tsr_cpu_instr *o = &cpu->code[i];
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
            tsr_cpu_instr *other = &cpu->code[k];
            if (!o->leads || !other->leads || other->value != o->value)
                continue;
            o->leads &= o->view->offset >= other->view->offset;
            other->leads = !o->leads;
        }
    }
    cpu->line = same && line >= LEAST && (!fixed || line == cpu->block) ? line : 0;
}

/* Finds out how loads of views read rows. */
static void find_rows(const tsr_program *p, const tsr_xgroup *g, tsr_cpu_code *cpu)
{
    find_fixed(g, cpu);
    find_cycles(g, cpu);
    find_lines(p, g, cpu);
    if (!cpu->line)
        return;
    for (uint32_t i = 0; i < cpu->ncode; i++) /* blocks begin where other rows do */
        cpu->code[i].cycles = false;
    find_lines(p, g, cpu);
}

/* The first code of a loop: an instruction for each, as far as they are needed. */
static void add_all(coder *c)
{
    const tsr_xgroup *g = c->g;
    c->uses = tsr_xmalloc((g->nregister + 1) * sizeof *c->uses);
    memset(c->uses, 0, (g->nregister + 1) * sizeof *c->uses);
    for (uint32_t i = 0; i < g->ncode; i++)
        for (uint8_t k = 0; k < g->code[i].nin; k++)
            c->uses[g->code[i].in[k]]++;
    for (uint32_t i = 0; i < g->ncode; i++)
        add(c, &g->code[i]);
    tsr_free(c->uses);
    store_last(c);
    for (size_t i = 0; i < c->stores.n; i++)
        tsr_vec_push(&c->code, c->stores.data[i]);
    tsr_vec_free(&c->stores);
}

/* Makes the code of a loop. */
static void make(const tsr_program *p, tsr_xid group, tsr_cpu_program *to)
{
    const tsr_xgroup *g = &p->groups.data[group];
    tsr_cpu_code *cpu = &to->groups[group];
    coder c = {.p = p, .g = g};
    add_all(&c);
    if (tsr_is_chain(g))
        tsr_cpu_find_mask(p, group, to);
    cpu->width = 4;
    for (size_t i = 0; i < c.code.n; i++) {
        uint32_t bytes = tsr_dtype_bytes((tsr_dtype)c.code.data[i].dtype);
        cpu->width = bytes > cpu->width ? (uint8_t)bytes : cpu->width;
    }
    find_levels(&c);
    c.code.n = tsr_cpu_fuse(c.code.data, c.code.n, g->nregister, g);
    store_early(&c);
    allocate(&c, cpu);
    cpu->ncode = (uint32_t)c.code.n;
    cpu->code = tsr_arena_copy(&to->arena, c.code.data, c.code.n * sizeof *c.code.data);
    cpu->block = block_of(g, cpu);
    cpu->block = cpu->block < g->n ? cpu->block : g->n;
    find_rows(p, g, cpu);
    cpu->touched = touched_by(p, cpu);
    tsr_vec_free(&c.code);
}

#ifdef TSR_CHECKS
static void check(const tsr_xgroup *g, const tsr_cpu_code *cpu)
{
    tsr_assert(cpu->block >= 0 && cpu->block <= g->n, "a block of %lld elements in a loop of %lld",
               (long long)cpu->block, (long long)g->n);
    for (uint32_t i = 0; i < cpu->ncode; i++) {
        const tsr_cpu_instr *o = &cpu->code[i];
        tsr_assert(o->kind <= TSR_I_STORE, "instruction %u is of no kind", i);
        tsr_assert(o->kind == TSR_I_STORE || o->out < cpu->nregister,
                   "the result of instruction %u is in no register", i);
        for (uint8_t k = 0; k < o->nin; k++)
            tsr_assert(o->in[k] < cpu->nregister, "operand %u of instruction %u is in no register",
                       k, i);
    }
}
#endif

bool tsr_cpu_prepare(const tsr_program *p, tsr_device *d, void **code, tsr_status *status)
{
    (void)d, (void)status;
    tsr_cpu_program *to = memset(tsr_xmalloc(sizeof *to), 0, sizeof *to);
    tsr_arena_init(&to->arena);
    to->groups = TSR_NEW_ARRAY(&to->arena, tsr_cpu_code, p->groups.n);
    *code = to;
    for (tsr_xid g = 0; g < p->groups.n; g++)
        if (p->groups.data[g].code)
            make(p, g, to);
    tsr_cpu_sections_find(p, to);
#ifdef TSR_CHECKS
    for (tsr_xid g = 0; g < p->groups.n; g++)
        check(&p->groups.data[g], &to->groups[g]);
#endif
    return true;
}

void tsr_cpu_discard(void *code)
{
    tsr_cpu_program *all = code;
    tsr_arena_free(&all->arena);
    tsr_free(all);
}
