/* SPDX-License-Identifier: Apache-2.0 */
/* loop_memory.c - how a thread reads and writes the chunks of a loop: see loop.h. */
#include "gpu/loop.h"

enum { VECTOR = 16 }; /* bytes */

const char *tsr_gpu_cell(tsr_dtype d)
{
    if (d == TSR_D_F8E4M3FN || d == TSR_D_F8E5M2)
        return "uint8_t";
    return tsr_text_type(d);
}

const char *tsr_gpu_local(tsr_dtype d)
{
    return d == TSR_D_I1 ? "int" : tsr_gpu_cell(d);
}

const char *tsr_gpu_index(int64_t most)
{
    return most <= INT32_MAX ? "uint32_t" : "uint64_t";
}

/* ---- Positions ---- */

/* A part of a position: of is the row's number or the element's in its row, / by, % size where that is not 0, * step. */
typedef struct {
    bool of_row;
    int64_t by, size, step;
} term;

typedef struct {
    term at[2 * TSR_VIEW_RANK];
    int n;
    int64_t run,
        step;     /* so many elements of a row, from a multiple of it on, are at equal distances */
    int64_t most; /* the farthest position */
} terms;

static void add_term(terms *t, bool of_row, int64_t by, int64_t size, int64_t step)
{
    if (size > 1 && step)
        t->at[t->n++] = (term){of_row, by, size, step};
}

static int64_t far_of(const tsr_xview *v)
{
    int64_t most = v->offset;
    for (int i = 0; i < v->space.rank; i++)
        most += (v->space.dims[i] - 1) * (v->strides[i] < 0 ? -v->strides[i] : v->strides[i]);
    return most;
}

/* Divides the dimensions of a view into those inside of rows and those of rows. False: one is both, unevenly. */
static bool divide(const tsr_xview *v, int64_t inner, terms *t)
{
    int64_t inside = 1, outside = 1;
    *t = (terms){.run = inner, .most = far_of(v)};
    for (int i = v->space.rank - 1; i >= 0; i--) {
        int64_t dim = v->space.dims[i], step = v->strides[i];
        if (i == v->space.rank - 1) {
            t->run = dim < inner ? dim : inner;
            t->step = step;
        }
        if (inside < inner) {
            int64_t part = dim <= inner / inside ? dim : inner / inside;
            if (dim % part || inner % (inside * part))
                return false;
            add_term(t, false, inside, part, step);
            inside *= part;
            dim /= part;
            step *= part;
        }
        add_term(t, true, outside, dim, step);
        outside *= dim;
    }
    return true;
}

/* Leaves out the remainder by the whole size: of the last term of each kind nothing is beyond it. */
static void put_term(tsr_buf *out, const term *t, int64_t all, const char *of, const char *type)
{
    tsr_buf_printf(out, "(%s)(%s", type, of);
    if (t->by > 1)
        tsr_buf_printf(out, " / %lldu", (long long)t->by);
    if (t->by * t->size < all)
        tsr_buf_printf(out, " %% %lldu", (long long)t->size);
    tsr_buf_char(out, ')');
    if (t->step != 1)
        tsr_buf_printf(out, " * %lld", (long long)t->step);
}

static const char *take(tsr_gpu_kernel *l, tsr_buf *b)
{
    tsr_buf_char(b, 0);
    const char *text = tsr_arena_copy(&l->w.text.arena, b->data, b->len);
    tsr_buf_free(b);
    return text;
}

const char *tsr_gpu_position(tsr_gpu_kernel *l, const tsr_xview *v, tsr_gpu_space space,
                             const char *row, const char *x)
{
    terms t;
    tsr_buf out = {0};
    if (!divide(v, space.inner, &t)) {
        x = tsr_text_of(&l->w.text, "(%s * %lldu + %s)", row, (long long)space.inner, x);
        space = (tsr_gpu_space){1, space.rows * space.inner};
        divide(v, space.inner, &t);
    }
    const char *type = t.most <= INT32_MAX ? "int32_t" : "int64_t";
    for (int i = 0; i < t.n; i++) {
        tsr_buf_cstr(&out, i ? " + " : "");
        put_term(&out, &t.at[i], t.at[i].of_row ? space.rows : space.inner,
                 t.at[i].of_row ? row : x, type);
    }
    if (v->offset || !t.n)
        tsr_buf_printf(&out, "%s%lld", t.n ? " + " : "", (long long)v->offset);
    return take(l, &out);
}

/* Whether chunks of a view begin where vectors do. */
static bool is_aligned(const tsr_gpu_kernel *l, const tsr_xview *v, const terms *t, uint32_t bytes)
{
    int64_t by = l->each * bytes < VECTOR ? l->each : VECTOR / bytes;
    bool all = v->offset % by == 0;
    for (int i = 0; i < t->n; i++)
        all &= (!t->at[i].of_row && t->at[i].by == 1) || t->at[i].step % by == 0;
    return all;
}

tsr_gpu_way tsr_gpu_way_of(const tsr_gpu_kernel *l, const tsr_instr *o)
{
    terms t;
    uint32_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    bool words = l->each * bytes >= 4 && l->each > 1;
    if (o->whole)
        return words ? TSR_GPU_WORDS : TSR_GPU_ELEMENTS;
    if (!divide(o->view, l->space.inner, &t) || (t.run % l->each && t.run < l->space.inner))
        return TSR_GPU_PLACES;
    if (t.step == 0)
        return TSR_GPU_SAME;
    return t.step == 1 && words && is_aligned(l, o->view, &t, bytes) ? TSR_GPU_WORDS
                                                                     : TSR_GPU_ELEMENTS;
}

/* ---- Pointers ---- */

static bool has_memory(const tsr_instr *o)
{
    return o->kind == TSR_I_LOAD || o->kind == TSR_I_STORE;
}

uint32_t tsr_gpu_word_of(tsr_gpu_kernel *l, tsr_xid v)
{
    uint32_t place = tsr_gpu_place(l->m, v);
    for (uint32_t i = 0; i < l->words.n; i++)
        if (l->words.data[i].place == place)
            return i;
    tsr_vec_push(&l->words, ((tsr_gpu_word){place, 0}));
    return (uint32_t)l->words.n - 1;
}

void tsr_gpu_words(tsr_gpu_kernel *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (has_memory(&l->g->code[i]))
            l->of[i].word = tsr_gpu_word_of(l, l->g->code[i].value);
}

void tsr_gpu_pointers(tsr_gpu_kernel *l)
{
    for (uint32_t k = 0; k < l->words.n; k++) {
        const char *type = NULL;
        bool writes = false;
        for (uint32_t i = 0; i < l->n; i++)
            if (has_memory(&l->g->code[i]) && l->of[i].word == k) {
                type = tsr_gpu_cell((tsr_dtype)l->g->code[i].dtype);
                writes |= l->g->code[i].kind == TSR_I_STORE;
            }
        if (type)
            tsr_gpu_line(&l->w, "%s%s *const p%u = TSR_POINTER(%s%s, %u);", writes ? "" : "const ",
                         type, k, writes ? "" : "const ", type, k);
    }
}

/* ---- Loads ---- */

/* Words of a chunk. */
static uint32_t words_of(const tsr_gpu_kernel *l, tsr_dtype d)
{
    return l->each * tsr_dtype_bytes(d) / 4;
}

void tsr_gpu_declare(tsr_gpu_kernel *l, uint32_t i, uint32_t chunks)
{
    tsr_dtype d = (tsr_dtype)l->g->code[i].dtype;
    uint32_t n = l->of[i].way == TSR_GPU_SAME    ? chunks
                 : l->of[i].way == TSR_GPU_WORDS ? chunks * words_of(l, d)
                                                 : chunks * l->each;
    tsr_gpu_line(&l->w, "%s q%u[%u]%s;",
                 l->of[i].way == TSR_GPU_WORDS ? "uint32_t" : tsr_gpu_cell(d), i, n,
                 l->live ? " = {0}" : "");
}

/* Copies a chunk of words: op: take, put, or keep_words (in shared memory). at: the pointer. */
static void put_words(tsr_gpu_kernel *l, const char *op, const char *words, const char *at,
                      tsr_dtype d, bool once)
{
    uint32_t bytes = l->each * tsr_dtype_bytes(d), step = bytes < VECTOR ? bytes : VECTOR;
    TSR_TEXT_PART(&l->w.text, "vectors", {'-', ""});
    for (uint32_t done = 0; done < bytes; done += step) {
        uint32_t element = done / tsr_dtype_bytes(d);
        const char *name = step == VECTOR && once
                               ? tsr_text_of(&l->w.text, "tsr_%s%u_once", op, step)
                               : tsr_text_of(&l->w.text, "tsr_%s%u", op, step);
        if (op[0] == 't')
            tsr_gpu_line(&l->w, "%s(%s + %u, %s + %u);", name, words, done / 4, at, element);
        else
            tsr_gpu_line(&l->w, "%s(%s + %u, %s + %u);", name, at, element, words, done / 4);
    }
}

static void load_each(tsr_gpu_kernel *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    uint32_t p = l->of[i].word;
    tsr_gpu_line(&l->w, "TSR_UNROLL");
    tsr_gpu_line(&l->w, "for (int k = 0; k < %u; k++)", l->each);
    if (o->whole)
        tsr_gpu_line(&l->w, "    q%u[%u * c + k] = p%u[e + k];", i, l->each, p);
    else if (l->of[i].way == TSR_GPU_PLACES)
        tsr_gpu_line(&l->w, "    q%u[%u * c + k] = p%u[%s];", i, l->each, p,
                     tsr_gpu_position(l, o->view, l->space, "row", "(x + (uint32_t)k)"));
    else
        tsr_gpu_line(&l->w, "    q%u[%u * c + k] = p%u[%s + k * %lld];", i, l->each, p,
                     tsr_gpu_position(l, o->view, l->space, "row", "x"),
                     (long long)o->view->strides[o->view->space.rank - 1]);
}

/* A chunk of words from memory, or from shared memory, which has it after the first pass. */
static void load_words(tsr_gpu_kernel *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    tsr_gpu_fact *t = &l->of[i];
    tsr_dtype d = (tsr_dtype)o->dtype;
    const char *words = tsr_text_of(&l->w.text, "q%u + %u * c", i, words_of(l, d)), *at;
    const char *here = tsr_text_of(&l->w.text, "(%s *)(more + %zu) + x", tsr_gpu_cell(d),
                                   t->shared ? t->shared - 1 : 0);
    if (t->shared && t->given) {
        put_words(l, "take", words, here, d, false);
        return;
    }
    at = o->whole ? tsr_text_of(&l->w.text, "p%u + e", t->word)
                  : tsr_text_of(&l->w.text, "p%u + (%s)", t->word,
                                tsr_gpu_position(l, o->view, l->space, "row", "x"));
    put_words(l, "take", words, at, d, l->once && o->whole);
    if (t->shared)
        put_words(l, "keep_words", words, here, d, false);
}

void tsr_gpu_load(tsr_gpu_kernel *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    switch ((tsr_gpu_way)l->of[i].way) {
    case TSR_GPU_WORDS: load_words(l, i); return;
    case TSR_GPU_SAME:
        tsr_gpu_line(&l->w, "q%u[c] = p%u[%s];", i, l->of[i].word,
                     tsr_gpu_position(l, o->view, l->space, "row", "x"));
        return;
    default: load_each(l, i);
    }
}

/* Element k of a chunk of words, as bits. */
static const char *bits_at(tsr_gpu_kernel *l, const char *words, uint32_t bytes)
{
    switch (bytes) {
    case 1: return tsr_text_of(&l->w.text, "(uint8_t)(%s(k >> 2)] >> (k & 3) * 8)", words);
    case 2: return tsr_text_of(&l->w.text, "(uint16_t)(%s(k >> 1)] >> (k & 1) * 16)", words);
    case 4: return tsr_text_of(&l->w.text, "%sk]", words);
    default:
        return tsr_text_of(&l->w.text, "((uint64_t)%s2 * k + 1] << 32 | %s2 * k])", words, words);
    }
}

const char *tsr_gpu_loaded(tsr_gpu_kernel *l, uint32_t i)
{
    tsr_dtype d = (tsr_dtype)l->g->code[i].dtype;
    const char *and = d == TSR_D_I1 ? " & 1" : "";
    if (l->of[i].way == TSR_GPU_SAME)
        return tsr_text_of(&l->w.text, "q%u[c]%s", i, and);
    if (l->of[i].way != TSR_GPU_WORDS)
        return tsr_text_of(&l->w.text, "q%u[%u * c + k]%s", i, l->each, and);
    const char *bits =
        bits_at(l, tsr_text_of(&l->w.text, "q%u[%u * c + ", i, words_of(l, d)), tsr_dtype_bytes(d));
    if (d == TSR_D_F32 || d == TSR_D_F64)
        return tsr_text_of(&l->w.text, "tsr_%s_of_bits(%s)", tsr_text_name(d), bits);
    return tsr_text_of(&l->w.text, "(%s)%s%s", tsr_gpu_local(d), bits, and);
}

/* ---- Stores ---- */

static bool stores_words(const tsr_gpu_kernel *l, const tsr_instr *o)
{
    return l->each > 1 && l->each * tsr_dtype_bytes((tsr_dtype)o->dtype) >= 4;
}

/* Whether elements are converted to narrow floats two at a time: the operand before the conversion, else UINT32_MAX. */
static uint32_t wide_of(const tsr_gpu_kernel *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    uint32_t from = tsr_gpu_source(l, l->of[i].in[0]);
    const tsr_instr *c = &l->g->code[from];
    bool narrow = o->dtype == TSR_D_BF16 || o->dtype == TSR_D_F16;
    return narrow && stores_words(l, o) && c->kind == TSR_I_CONVERT && c->from == TSR_D_F32 &&
                   l->of[from].scope == TSR_GPU_ELEMENT
               ? l->of[from].in[0]
               : UINT32_MAX;
}

void tsr_gpu_store_begin(tsr_gpu_kernel *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    if (wide_of(l, i) != UINT32_MAX)
        tsr_gpu_line(&l->w, "float h%u[%u];", i, l->each);
    else if (stores_words(l, o))
        tsr_gpu_line(&l->w, "uint32_t s%u[%u] = {0};", i, words_of(l, (tsr_dtype)o->dtype));
    else
        tsr_gpu_line(&l->w, "%s s%u[%u];", tsr_gpu_cell((tsr_dtype)o->dtype), i, l->each);
}

static void put_bits(tsr_gpu_kernel *l, uint32_t i, tsr_dtype d, const char *value)
{
    uint32_t bytes = tsr_dtype_bytes(d);
    if (d == TSR_D_F32 || d == TSR_D_F64)
        value = tsr_text_of(&l->w.text, "tsr_bits_of_%s(%s)", tsr_text_name(d), value);
    if (bytes == 1)
        tsr_gpu_line(&l->w, "s%u[k >> 2] |= (uint32_t)(uint8_t)%s << (k & 3) * 8;", i, value);
    else if (bytes == 2)
        tsr_gpu_line(&l->w, "s%u[k >> 1] |= (uint32_t)(uint16_t)%s << (k & 1) * 16;", i, value);
    else if (bytes == 4)
        tsr_gpu_line(&l->w, "s%u[k] = (uint32_t)%s;", i, value);
    else {
        tsr_gpu_line(&l->w, "s%u[2 * k] = (uint32_t)(uint64_t)%s;", i, value);
        tsr_gpu_line(&l->w, "s%u[2 * k + 1] = (uint32_t)((uint64_t)%s >> 32);", i, value);
    }
}

void tsr_gpu_store_put(tsr_gpu_kernel *l, uint32_t i)
{
    tsr_dtype d = (tsr_dtype)l->g->code[i].dtype;
    uint32_t wide = wide_of(l, i);
    if (wide != UINT32_MAX)
        tsr_gpu_line(&l->w, "h%u[k] = %s;", i, tsr_gpu_operand(l, wide, TSR_D_F32));
    else if (stores_words(l, &l->g->code[i]))
        put_bits(l, i, d, tsr_gpu_operand(l, l->of[i].in[0], d));
    else
        tsr_gpu_line(&l->w, "s%u[k] = (%s)%s;", i, tsr_gpu_cell(d),
                     tsr_gpu_operand(l, l->of[i].in[0], d));
}

void tsr_gpu_store_end(tsr_gpu_kernel *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    tsr_dtype d = (tsr_dtype)o->dtype;
    uint32_t p = l->of[i].word;
    if (wide_of(l, i) != UINT32_MAX) {
        tsr_gpu_line(&l->w, "uint32_t s%u[%u];", i, words_of(l, d));
        tsr_gpu_line(&l->w, "TSR_UNROLL");
        tsr_gpu_line(&l->w, "for (int k = 0; k < %u; k++)", words_of(l, d));
        tsr_gpu_line(&l->w, "    s%u[k] = tsr_%s_pair(h%u[2 * k], h%u[2 * k + 1]);", i,
                     tsr_text_name(d), i, i);
    }
    if (stores_words(l, o)) {
        put_words(l, "put", tsr_text_of(&l->w.text, "s%u", i),
                  tsr_text_of(&l->w.text, "p%u + e", p), d, l->once);
        return;
    }
    tsr_gpu_line(&l->w, "TSR_UNROLL");
    tsr_gpu_line(&l->w, "for (int k = 0; k < %u; k++)", l->each);
    tsr_gpu_line(&l->w, "    p%u[e + k] = s%u[k];", p, i);
}
