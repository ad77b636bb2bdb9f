/* SPDX-License-Identifier: Apache-2.0 */
/* fuse.c - makes the instructions of a loop fewer and cheaper: fuses two ops into one kernel, and passes operands that
 * are constant over a row as scalars. Results stay the same, bit by bit. */
#include "exec/cpu/code.h"

enum {
    /* Elements of a row from which a call per row is cheaper than broadcasting its scalar. */
    LONG_ROW = 32,
    NOTHING = TSR_I_STORE + 1, /* kind of an instruction that is to be dropped */
};

typedef struct {
    tsr_cpu_instr *code;
    uint16_t *made_by, *uses; /* by register */
    bool by_rows;             /* rows are long enough for a call each */
} fuser;

static const tsr_cpu_instr *maker(const fuser *f, uint16_t r)
{
    return &f->code[f->made_by[r]];
}

static bool is_float(const tsr_cpu_instr *o)
{
    return o->from == TSR_D_F32 || o->from == TSR_D_F64;
}

static bool is_tile(const tsr_cpu_instr *o)
{
    return o->kind == TSR_I_TILE && !o->invariant && (is_float(o) || o->from <= TSR_D_U64);
}

static bool is_float_tile(const tsr_cpu_instr *o)
{
    return is_tile(o) && is_float(o);
}

/* Whether x and 1 / x are powers of two; replaces x by 1 / x. */
static bool invert(tsr_dtype type, uint64_t *bits)
{
    int low = type == TSR_D_F64 ? 52 : 23, high = type == TSR_D_F64 ? 0x7ff : 0xff;
    int64_t exponent = (int64_t)(*bits >> low & (uint64_t)high);
    if (*bits & ((UINT64_C(1) << low) - 1) || exponent < 1 || exponent > high - 2)
        return false;
    *bits ^= (uint64_t)(exponent ^ (high - 1 - exponent)) << low;
    return true;
}

/* Replaces divisions by a power of two by multiplications, which are faster and have the same bits. divides: by
 * register, the number of divisions by it. */
static void multiply_instead(fuser *f, size_t n, uint16_t *divides)
{
    for (size_t i = 0; i < n; i++)
        if (is_float_tile(&f->code[i]) && f->code[i].op == TSR_TILE_divide)
            divides[f->code[i].in[1]]++;
    for (size_t i = 0; i < n; i++) {
        tsr_cpu_instr *o = &f->code[i];
        bool only = o->kind == TSR_I_SPLAT && divides[o->out] && divides[o->out] == f->uses[o->out];
        if (o->kind == TSR_I_SPLAT && !(only && invert((tsr_dtype)o->dtype, &o->bits)))
            divides[o->out] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        tsr_cpu_instr *o = &f->code[i];
        if (is_float_tile(o) && o->op == TSR_TILE_divide && divides[o->in[1]] &&
            maker(f, o->in[1])->kind == TSR_I_SPLAT) {
            o->op = TSR_TILE_multiply;
            o->fn = tsr_tile_find(TSR_TILE_multiply, (tsr_dtype)o->from);
        }
    }
}

/* Whether a kernel with one scalar per row is the better choice for an op with these operands. */
static bool wants_rows(const fuser *f, const tsr_cpu_instr *o)
{
    bool spread = false;
    for (uint8_t i = 0; i < o->nin; i++)
        spread |= maker(f, o->in[i])->kind == TSR_I_SPREAD;
    return spread && f->by_rows && o->nin < 3;
}

/* Two shifts of one number, a rotation, have an operand less. */
static void read_once(fuser *f, tsr_cpu_instr *o)
{
    if (o->op != TSR_TILE_shift_both || o->in[0] != o->in[2])
        return;
    o->op = TSR_TILE_shift_around;
    o->fn = tsr_tile_find(TSR_TILE_shift_around, (tsr_dtype)o->from);
    o->in[2] = o->in[3];
    o->nin = 3;
    f->uses[o->in[0]]--;
}

/* Fuses o with the instruction that computes its operand k, if nothing else reads that operand. */
static bool join_pair(fuser *f, tsr_cpu_instr *o, uint8_t k)
{
    tsr_cpu_instr *p = &f->code[f->made_by[o->in[k]]];
    if (!is_tile(p) || p->direct || p->from != o->from || p->by_row != o->by_row ||
        f->uses[p->out] != 1 || p->nin + o->nin - 1 > TSR_TILE_OPERANDS)
        return false;
    tsr_tile_op both = tsr_tile_pair((tsr_tile_op)p->op, (tsr_tile_op)o->op, k);
    tsr_tile_fn *fn = both == TSR_TILE__COUNT ? NULL : tsr_tile_find(both, (tsr_dtype)o->from);
    if (!fn || (p->nin + o->nin - 1 == 3 && (wants_rows(f, p) || wants_rows(f, o))))
        return false;
    uint16_t in[TSR_TILE_OPERANDS] = {0};
    uint8_t n = 0;
    for (uint8_t i = 0; i < p->nin; i++)
        in[n++] = p->in[i];
    for (uint8_t i = 0; i < o->nin; i++)
        if (i != k)
            in[n++] = o->in[i];
    memcpy(o->in, in, sizeof in);
    o->nin = n;
    o->op = (uint8_t)both;
    o->fn = fn;
    p->kind = NOTHING;
    read_once(f, o);
    return true;
}

static bool is_splat(const fuser *f, const tsr_cpu_instr *o, uint8_t k)
{
    const tsr_cpu_instr *p = maker(f, o->in[k]);
    return p->kind == TSR_I_SPLAT || (p->kind == TSR_I_LOAD && (p->invariant || p->level));
}

/* Lets a sum over rows multiply its elements itself, if nothing else reads them. Operands that are one number per row
 * or in all rows have cheaper kernels of their own. */
static void fold_products(fuser *f, tsr_cpu_instr *o)
{
    if (o->kind != TSR_I_FOLD || o->fold != TSR_FOLD_SUM)
        return;
    tsr_cpu_instr *p = &f->code[f->made_by[o->in[0]]];
    bool squares = p->op == TSR_TILE_square;
    if (!is_float_tile(p) || p->direct || p->by_row || p->from != o->dtype ||
        f->uses[p->out] != 1 || (p->op != TSR_TILE_multiply && !squares))
        return;
    uint16_t in[2] = {p->in[0], p->in[squares ? 0 : 1]};
    for (int k = 0; k < 2; k++)
        if (maker(f, in[k])->kind == TSR_I_SPREAD || maker(f, in[k])->kind == TSR_I_SPLAT)
            return;
    memcpy(o->in, in, sizeof in);
    o->nin = 2;
    f->uses[in[0]] += squares;
    p->kind = NOTHING;
}

/* Operands that are the same number in all rows: chooses the kernel that takes most of them as scalars. */
static void take_splats(const fuser *f, tsr_cpu_instr *o)
{
    uint32_t all = 0;
    if (tsr_tile_swaps((tsr_tile_op)o->op, (tsr_dtype)o->from) && is_splat(f, o, 0) &&
        !is_splat(f, o, 1)) {
        uint16_t first = o->in[0];
        o->in[0] = o->in[1];
        o->in[1] = first;
    }
    for (uint8_t k = 0; k < o->nin; k++)
        all |= (uint32_t)is_splat(f, o, k) << k;
    for (uint32_t mask = all; mask; mask = (mask - 1) & all) {
        tsr_tile_fn *fn =
            tsr_tile_find_form((tsr_tile_op)o->op, (tsr_dtype)o->from, (tsr_tile_form)mask);
        if (fn) {
            o->fn = fn;
            o->ones = (uint8_t)mask;
            return;
        }
    }
}

/* Takes an operand that is constant over each row as a scalar. */
static bool take_number(fuser *f, tsr_cpu_instr *o)
{
    for (uint8_t k = 0; k < 2 && f->by_rows && !o->by_row; k++) {
        tsr_cpu_instr *p = &f->code[f->made_by[o->in[k]]];
        tsr_tile_fn *fn = tsr_tile_find_form((tsr_tile_op)o->op, (tsr_dtype)o->from,
                                             k ? TSR_TILE_SECOND_ONE : TSR_TILE_FIRST_ONE);
        if (p->kind != TSR_I_SPREAD || !fn)
            continue;
        o->fn = fn;
        o->number = (uint8_t)(k + 1);
        if (--f->uses[p->out] == 0)
            p->kind = NOTHING;
        o->in[k] = p->in[0];
        return true;
    }
    return false;
}

/* Splats that are only read as scalars need only one element. wide: by register. */
static void find_ones(tsr_cpu_instr *code, size_t n, uint16_t *wide, uint32_t registers)
{
    memset(wide, 0, ((size_t)registers + 1) * sizeof *wide);
    for (size_t i = 0; i < n; i++)
        for (uint8_t k = 0; k < code[i].nin && code[i].kind != NOTHING; k++)
            wide[code[i].in[k]] |= !(code[i].ones >> k & 1);
    for (size_t i = 0; i < n; i++) {
        code[i].one = code[i].kind == TSR_I_SPLAT && !wide[code[i].out];
        code[i].steady = code[i].level && !wide[code[i].out];
    }
}

size_t tsr_cpu_fuse(tsr_cpu_instr *code, size_t n, uint32_t registers, const tsr_xgroup *g)
{
    size_t bytes = ((size_t)registers + 1) * sizeof(uint16_t);
    fuser f = {.code = code,
               .made_by = tsr_xmalloc(bytes),
               .uses = memset(tsr_xmalloc(2 * bytes), 0, 2 * bytes),
               .by_rows = g->mode == TSR_LOOP_ROWS && g->inner >= LONG_ROW};
    for (size_t i = 0; i < n; i++) {
        if (code[i].kind != TSR_I_STORE)
            f.made_by[code[i].out] = (uint16_t)i;
        for (uint8_t k = 0; k < code[i].nin; k++)
            f.uses[code[i].in[k]]++;
    }
    multiply_instead(&f, n, f.uses + registers + 1);
    /* A fused instruction may be fused again. */
    for (size_t i = 0; i < n; i++)
        for (uint8_t k = 0; is_tile(&code[i]) && k < code[i].nin;)
            k = join_pair(&f, &code[i], k) ? 0 : k + 1;
    bool odd = g->inner <= TSR_FOLD_LANES && (g->inner < 4 || g->inner & (g->inner - 1));
    bool products =
        g->mode == TSR_LOOP_ROWS && !odd; /* other short rows are summed faster on their own */
    for (size_t i = 0; i < n && products; i++)
        fold_products(&f, &code[i]);
    for (size_t i = 0; i < n; i++)
        if (is_tile(&code[i]) && (code[i].nin != 2 || !take_number(&f, &code[i])))
            take_splats(&f, &code[i]);
    find_ones(code, n, f.uses, registers);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (code[i].kind != NOTHING)
            code[kept++] = code[i];
    tsr_free(f.made_by);
    tsr_free(f.uses);
    return kept;
}
