/* SPDX-License-Identifier: Apache-2.0 */
/* loop_code.c - instructions as text: once, once a row, and in passes over the chunks of a thread. See loop.h. */
#include "gpu/loop.h"

uint32_t tsr_gpu_source(const tsr_gpu_kernel *l, uint32_t i)
{
    while (l->of[i].scope == TSR_GPU_ALIAS)
        i = l->of[i].in[0];
    return i;
}

/* ---- Expressions ---- */

/* The variable of an operand, as a number of the type that is wanted: its bits, where that is another one. */
const char *tsr_gpu_operand(tsr_gpu_kernel *l, uint32_t i, tsr_dtype want)
{
    i = tsr_gpu_source(l, i);
    tsr_dtype d = (tsr_dtype)l->g->code[i].dtype;
    bool wide = d == TSR_D_F64 || want == TSR_D_F64;
    if (d == want || d == TSR_D_I1 || want == TSR_D_I1 ||
        tsr_dtype_bytes(d) != tsr_dtype_bytes(want))
        return tsr_text_of(&l->w.text, "t%u", i);
    if (want == TSR_D_F32 || want == TSR_D_F64)
        return tsr_text_of(&l->w.text, "tsr_f%d_of_bits((uint%d_t)t%u)", wide ? 64 : 32,
                           wide ? 64 : 32, i);
    if (d == TSR_D_F32 || d == TSR_D_F64)
        return tsr_text_of(&l->w.text, "tsr_bits_of_f%d(t%u)", wide ? 64 : 32, i);
    return tsr_text_of(&l->w.text, "t%u", i);
}

static const char *refuse(tsr_gpu_kernel *l, const char *what, tsr_dtype d)
{
    if (l->ok)
        tsr_gpu_refuse(l->m, "%s %s", what, tsr_dtype_name(d));
    l->ok = false;
    return "0";
}

uint32_t tsr_gpu_divisor(const tsr_gpu_kernel *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    if (l->p->strict || l->g->mode != TSR_LOOP_ROWS || o->kind != TSR_I_TILE ||
        o->op != TSR_TILE_divide || o->from != TSR_D_F32 || l->of[i].scope != TSR_GPU_ELEMENT)
        return UINT32_MAX;
    uint32_t by = tsr_gpu_source(l, l->of[i].in[1]);
    bool row = l->of[by].scope == TSR_GPU_ROW || l->of[by].scope == TSR_GPU_ONCE;
    return row && l->g->code[by].dtype == TSR_D_F32 ? by : UINT32_MAX;
}

static const char *computed(tsr_gpu_kernel *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    const tsr_gpu_fact *t = &l->of[i];
    tsr_dtype from = (tsr_dtype)o->from;
    if (o->kind == TSR_I_CONVERT) {
        const char *v = tsr_text_convert(&l->w.text, (tsr_dtype)o->dtype, from,
                                         tsr_gpu_operand(l, t->in[0], from));
        return v ? v : refuse(l, "a conversion from", from);
    }
    uint32_t by = tsr_gpu_divisor(l, i);
    if (by != UINT32_MAX)
        return tsr_text_of(&l->w.text, "%s * d%u * i%u", tsr_gpu_operand(l, t->in[0], from), by,
                           by);
    const char *fn = tsr_text_tile(&l->w.text, (tsr_tile_op)o->op, from);
    if (!fn)
        return refuse(l, "elements of type", from);
    const char *list = "";
    for (uint8_t k = 0; k < o->nin; k++)
        list = tsr_text_of(&l->w.text, "%s%s%s", list, k ? ", " : "",
                           tsr_gpu_operand(l, t->in[k], from));
    return tsr_text_of(&l->w.text, "%s(%s)", fn, list);
}

const char *tsr_gpu_join(tsr_gpu_kernel *l, uint32_t i, const char *a, const char *b)
{
    const tsr_instr *o = &l->g->code[i];
    const char *fn = tsr_text_tile(&l->w.text, (tsr_tile_op)o->op, (tsr_dtype)o->dtype);
    return fn ? tsr_text_of(&l->w.text, "%s(%s, %s)", fn, a, b)
              : refuse(l, "a reduction of type", (tsr_dtype)o->dtype);
}

/* An element of an iota, given its position. */
static const char *of_place(tsr_gpu_kernel *l, const tsr_instr *o, const char *place)
{
    tsr_dtype d = (tsr_dtype)o->dtype, wide = tsr_register_type(d);
    const char *v = tsr_text_convert(&l->w.text, wide, TSR_D_I64, place);
    v = v ? tsr_text_convert(&l->w.text, d, wide, v) : NULL;
    return v ? v : refuse(l, "an iota of type", d);
}

static void define(tsr_gpu_kernel *l, uint32_t i, const char *v)
{
    tsr_gpu_line(&l->w, "const %s t%u = %s;", tsr_gpu_local((tsr_dtype)l->g->code[i].dtype), i, v);
    if (l->of[i].divides)
        tsr_gpu_line(&l->w, "const float d%u = tsr_scale(t%u), i%u = tsr_inverse(t%u);", i, i, i,
                     i);
}

/* ---- Once, and once a row ---- */

/* A value of LOAD or IOTA at a position. */
static const char *at_position(tsr_gpu_kernel *l, uint32_t i, const char *position)
{
    const tsr_instr *o = &l->g->code[i];
    if (o->kind == TSR_I_IOTA)
        return of_place(l, o, tsr_text_of(&l->w.text, "(int64_t)(%s)", position));
    return tsr_text_of(&l->w.text, "p%u[%s]%s", l->of[i].word, position,
                       o->dtype == TSR_D_I1 ? " & 1" : "");
}

static const char *outside(tsr_gpu_kernel *l, uint32_t i, const char *position)
{
    const tsr_instr *o = &l->g->code[i];
    if (o->kind == TSR_I_SPLAT)
        return tsr_text_number(&l->w.text, (tsr_dtype)o->dtype, o->bits);
    if (o->kind == TSR_I_LOAD || o->kind == TSR_I_IOTA)
        return at_position(l, i, position);
    return computed(l, i);
}

void tsr_gpu_once(tsr_gpu_kernel *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        if (l->of[i].scope == TSR_GPU_ONCE && o->kind != TSR_I_STORE)
            define(l, i,
                   outside(l, i,
                           o->view ? tsr_text_of(&l->w.text, "%lld", (long long)o->view->offset)
                                   : "0"));
    }
}

void tsr_gpu_rows(tsr_gpu_kernel *l, uint32_t stage)
{
    tsr_gpu_space space = {l->space.rows, 1};
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        if (l->of[i].scope == TSR_GPU_ROW && l->of[i].stage == stage && !l->of[i].after &&
            o->kind != TSR_I_STORE)
            define(
                l, i,
                outside(l, i, o->view ? tsr_gpu_position(l, o->view, space, "row", "0") : "row"));
    }
}

void tsr_gpu_row_stores(tsr_gpu_kernel *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        if (l->of[i].scope == TSR_GPU_ROW && o->kind == TSR_I_STORE)
            tsr_gpu_line(&l->w, "if (gives)\n        p%u[row] = (%s)%s;", l->of[i].word,
                         tsr_gpu_cell((tsr_dtype)o->dtype),
                         tsr_gpu_operand(l, l->of[i].in[0], (tsr_dtype)o->dtype));
    }
}

/* ---- Sums ---- */

static bool is_sum(const tsr_gpu_kernel *l, uint32_t i, uint32_t stage)
{
    uint8_t kind = l->g->code[i].kind;
    return (kind == TSR_I_FOLD || kind == TSR_I_COLUMN) && l->of[i].stage == stage;
}

void tsr_gpu_folds_begin(tsr_gpu_kernel *l, uint32_t stage)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        if (is_sum(l, i, stage))
            tsr_gpu_line(&l->w, "%s f%u = %s;", tsr_gpu_local((tsr_dtype)o->dtype), i,
                         tsr_text_neutral(&l->w.text, (tsr_fold_op)o->fold, (tsr_dtype)o->dtype));
    }
}

/* The value of a lane so far away. */
static const char *exchanged(tsr_gpu_kernel *l, tsr_dtype d, const char *v)
{
    if (d == TSR_D_F32 || d == TSR_D_F64)
        return tsr_text_of(&l->w.text, "tsr_%s_xor(%s, lanes)", tsr_text_name(d), v);
    uint32_t bits = tsr_dtype_bytes(d) == 8 ? 64 : 32;
    return tsr_text_of(&l->w.text, "(%s)tsr_u%u_xor((uint%u_t)%s, lanes)", tsr_gpu_local(d), bits,
                       bits, v);
}

void tsr_gpu_over_lanes(tsr_gpu_kernel *l, uint32_t i, const char *v)
{
    tsr_dtype d = (tsr_dtype)l->g->code[i].dtype;
    uint32_t near = l->lanes < 32 ? l->lanes : 32, warps = l->lanes / 32;
    if (near > 1) {
        tsr_gpu_line(&l->w, "TSR_UNROLL");
        tsr_gpu_line(&l->w, "for (int lanes = %u; lanes; lanes /= 2)", near / 2);
        tsr_gpu_line(&l->w, "    %s = %s;", v, tsr_gpu_join(l, i, v, exchanged(l, d, v)));
    }
    if (warps < 2)
        return;
    tsr_gpu_line(&l->w, "if (!TSR_LANE)\n        w%u[TSR_WARP] = %s;", i, v);
    tsr_gpu_line(&l->w, "TSR_BARRIER();");
    tsr_gpu_line(&l->w, "%s = w%u[0];", v, i);
    tsr_gpu_line(&l->w, "for (int warp = 1; warp < %u; warp++)", warps);
    tsr_gpu_line(&l->w, "    %s = %s;", v,
                 tsr_gpu_join(l, i, v, tsr_text_of(&l->w.text, "w%u[warp]", i)));
}

void tsr_gpu_folds_end(tsr_gpu_kernel *l, uint32_t stage)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (is_sum(l, i, stage)) {
            tsr_gpu_over_lanes(l, i, tsr_text_of(&l->w.text, "f%u", i));
            define(l, i, tsr_text_of(&l->w.text, "f%u", i));
        }
}

/* ---- Passes ---- */

static bool is_store(const tsr_gpu_kernel *l, uint32_t i, uint32_t stage)
{
    return l->g->code[i].kind == TSR_I_STORE && l->of[i].scope == TSR_GPU_ELEMENT &&
           l->of[i].stage == stage;
}

/* Marks the values that a pass needs. */
static void mark(tsr_gpu_kernel *l, uint32_t stage)
{
    for (uint32_t i = 0; i < l->n; i++)
        l->of[i].needed = is_sum(l, i, stage) || is_store(l, i, stage) ||
                          (l->of[i].kept && l->of[i].stage == stage);
    for (uint32_t i = l->n; i-- > 0;) {
        tsr_gpu_fact *t = &l->of[i];
        if (!t->needed || (t->kept && t->stage < stage))
            continue;
        for (uint8_t k = 0; k < l->g->code[i].nin; k++) {
            uint32_t from = tsr_gpu_source(l, t->in[k]);
            l->of[from].needed |= l->of[from].scope == TSR_GPU_ELEMENT;
        }
    }
}

static const char *iota(tsr_gpu_kernel *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    const char *place = tsr_gpu_position(l, o->view, l->space, "row", "(x + (uint32_t)k)");
    return of_place(l, o, tsr_text_of(&l->w.text, "(int64_t)(%s)", place));
}

/* An element of an instruction of the pass. */
static void put_element(tsr_gpu_kernel *l, uint32_t i, uint32_t stage)
{
    const tsr_instr *o = &l->g->code[i];
    const tsr_gpu_fact *t = &l->of[i];
    switch ((tsr_instr_kind)o->kind) {
    case TSR_I_LOAD: define(l, i, tsr_gpu_loaded(l, i)); return;
    case TSR_I_IOTA: define(l, i, iota(l, i)); return;
    case TSR_I_STORE: tsr_gpu_store_put(l, i); return;
    case TSR_I_FOLD:
    case TSR_I_COLUMN: {
        const char *f = tsr_text_of(&l->w.text, o->kind == TSR_I_FOLD ? "f%u" : "f%u[k]", i);
        tsr_gpu_line(&l->w, "%s = %s;", f,
                     tsr_gpu_join(l, i, f, tsr_gpu_operand(l, t->in[0], (tsr_dtype)o->dtype)));
        return;
    }
    default: break;
    }
    const char *kept = tsr_text_of(&l->w.text, "k%u[%u * c + k]", i, l->each);
    define(l, i, t->kept && t->stage < stage ? kept : computed(l, i));
    if (t->kept && t->stage == stage)
        tsr_gpu_line(&l->w, "%s = t%u;", kept, i);
}

static void begin_chunks(tsr_gpu_kernel *l)
{
    tsr_gpu_line(&l->w, "TSR_UNROLL");
    tsr_gpu_line(&l->w, "for (int c = 0; c < %u; c++) {", l->chunks);
    l->w.depth++;
    tsr_gpu_line(&l->w, "%s", l->chunk);
    if (l->live) {
        tsr_gpu_line(&l->w, "if (%s) {", l->live);
        l->w.depth++;
    }
}

static void end_chunks(tsr_gpu_kernel *l)
{
    for (int k = l->live ? 2 : 1; k; k--) {
        l->w.depth--;
        tsr_gpu_line(&l->w, "}");
    }
}

/* All loads of the pass, before any of their elements is used. */
static void put_loads(tsr_gpu_kernel *l)
{
    bool any = false;
    for (uint32_t i = 0; i < l->n; i++) {
        tsr_gpu_fact *t = &l->of[i];
        if (!t->needed || l->g->code[i].kind != TSR_I_LOAD || (t->given && !l->passes))
            continue;
        tsr_gpu_declare(l, i, l->chunks);
        any = true;
    }
    if (!any)
        return;
    begin_chunks(l);
    for (uint32_t i = 0; i < l->n; i++) {
        tsr_gpu_fact *t = &l->of[i];
        if (!t->needed || l->g->code[i].kind != TSR_I_LOAD || (t->given && !l->passes))
            continue;
        tsr_gpu_load(l, i);
        t->given = true;
    }
    end_chunks(l);
}

void tsr_gpu_pass(tsr_gpu_kernel *l, uint32_t stage)
{
    bool any = false;
    mark(l, stage);
    for (uint32_t i = 0; i < l->n; i++)
        any |= l->of[i].needed;
    if (!any)
        return;
    put_loads(l);
    for (uint32_t i = 0; i < l->n; i++)
        if (l->of[i].kept && l->of[i].stage == stage)
            tsr_gpu_line(&l->w, "%s k%u[%u]%s;", tsr_gpu_local((tsr_dtype)l->g->code[i].dtype), i,
                         l->chunks * l->each, l->live ? " = {0}" : "");
    begin_chunks(l);
    for (uint32_t i = 0; i < l->n; i++)
        if (is_store(l, i, stage))
            tsr_gpu_store_begin(l, i);
    tsr_gpu_line(&l->w, "TSR_UNROLL");
    tsr_gpu_line(&l->w, "for (int k = 0; k < %u; k++) {", l->each);
    l->w.depth++;
    for (uint32_t i = 0; i < l->n; i++)
        if (l->of[i].needed)
            put_element(l, i, stage);
    l->w.depth--;
    tsr_gpu_line(&l->w, "}");
    for (uint32_t i = 0; i < l->n; i++)
        if (is_store(l, i, stage))
            tsr_gpu_store_end(l, i);
    end_chunks(l);
}
