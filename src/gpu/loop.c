/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c - makes kernels of loops: finds which stages instructions run in, what a thread takes, and the launch. See loop.h. */
#include <stdio.h>

#include "gpu/loop.h"

enum {
    VECTOR = 16,   /* bytes of the widest access */
    MOST = 8,      /* elements of a chunk */
    WARP = 32,     /* lanes */
    THREADS = 256, /* of a block whose threads have nothing to do with each other */
    PASSES = 512,  /* threads of a block that reads a row several times: several blocks at a time */
    WARP_ROW = 1024,   /* elements: a warp takes a row of so many */
    BLOCK_ROW = 16384, /* a block has a row of so many in registers */
    A_THREAD = 16,     /* elements of such a row for a thread */
    BLOCKS = 6,        /* of a unit, of light kernels */
    CACHE = 32 << 20,  /* bytes: larger values do not stay in the cache */
    SHARED_FEW =
        72
        << 10, /* bytes of it with which a unit has two such blocks at most: they have more threads */
    SHARED = 200 << 10, /* bytes of shared memory of a row */
    MANY = 1 << 20,     /* elements: threads take more chunks than one */
    STAGES = 31,        /* numbered by bits */
};

/* ---- Facts ---- */

static tsr_gpu_scope scope_of(const tsr_gpu_kernel *l, const tsr_instr *o)
{
    bool rows = l->g->mode == TSR_LOOP_ROWS;
    if (o->invariant)
        return TSR_GPU_ONCE;
    if (o->kind == TSR_I_SPREAD)
        return TSR_GPU_ALIAS;
    return rows && (o->by_row || o->kind == TSR_I_FOLD) ? TSR_GPU_ROW : TSR_GPU_ELEMENT;
}

/* Finds the stage in which each instruction can run: after the reductions that it depends on. */
static void schedule(tsr_gpu_kernel *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        tsr_gpu_fact *t = &l->of[i];
        t->scope = (uint8_t)scope_of(l, o);
        t->after = o->kind == TSR_I_FOLD || o->kind == TSR_I_COLUMN;
        for (uint8_t k = 0; k < o->nin; k++) {
            uint32_t ready = l->of[tsr_gpu_source(l, t->in[k])].ready;
            t->stage = ready > t->stage ? ready : t->stage;
        }
        t->ready = t->stage + t->after;
        uint32_t stages = (l->g->mode == TSR_LOOP_ROWS ? t->ready : t->stage) + 1;
        l->stages = stages > l->stages ? stages : l->stages;
    }
    /* Memory of an operand is overwritten only after all of it has been read. */
    for (uint32_t i = 0; i < l->n; i++)
        if (l->g->code[i].over)
            l->of[i].stage = l->stages - 1;
    for (uint32_t i = 0; i < l->n; i++)
        if (tsr_gpu_divisor(l, i) != UINT32_MAX)
            l->of[tsr_gpu_divisor(l, i)].divides = true;
}

static bool is_dear(const tsr_instr *o)
{
    return o->kind == TSR_I_TILE && !tsr_tile_is_cheap((tsr_tile_op)o->op);
}

/* Finds the stages that need each element. What is dear and needed several times is kept from the first time on. */
static void find_uses(tsr_gpu_kernel *l)
{
    for (uint32_t i = l->n; i-- > 0;) {
        const tsr_instr *o = &l->g->code[i];
        tsr_gpu_fact *t = &l->of[i];
        if (o->kind == TSR_I_STORE || t->after)
            t->uses = 1u << t->stage;
        if (t->scope != TSR_GPU_ELEMENT && !t->after)
            continue;
        bool again = (t->uses & (t->uses - 1)) != 0;
        if (again && is_dear(o) && !l->passes) {
            t->kept = true;
            t->uses &= 0u - t->uses;
            while (!(t->uses >> t->stage & 1))
                t->stage++;
        }
        for (uint8_t k = 0; k < o->nin; k++)
            l->of[tsr_gpu_source(l, t->in[k])].uses |= t->uses;
    }
}

/* ---- The key ---- */

static void put_number(tsr_buf *out, int64_t v)
{
    tsr_buf_str(out, (tsr_str){(const char *)&v, sizeof v});
}

static void put_view(tsr_buf *out, const tsr_xview *v)
{
    put_number(out, v ? v->space.rank : -1);
    if (!v)
        return;
    put_number(out, v->offset);
    for (int i = 0; i < v->space.rank; i++) {
        put_number(out, v->space.dims[i]);
        put_number(out, v->strides[i]);
    }
}

static void put_instr(tsr_gpu_maker *m, tsr_buf *out, const tsr_instr *o)
{
    const uint8_t bytes[] = {o->kind,   o->nin,       o->dtype, o->from, o->op,   o->fold,
                             o->by_row, o->invariant, o->whole, o->over, o->loose};
    bool has_value =
        o->kind == TSR_I_LOAD || o->kind == TSR_I_STORE ||
        ((o->kind == TSR_I_FOLD || o->kind == TSR_I_COLUMN) && m->g->mode != TSR_LOOP_ROWS);
    tsr_buf_str(out, (tsr_str){(const char *)bytes, sizeof bytes});
    put_number(out, o->out);
    put_number(out, (int64_t)o->bits);
    for (uint8_t k = 0; k < o->nin; k++)
        put_number(out, o->in[k]);
    if (has_value) {
        put_number(out, tsr_gpu_place(m, o->value));
        put_number(out, m->p->values.data[o->value].dtype);
    }
    put_view(out, o->view);
}

/* All that the recipe depends on; gives the values of the group their places. */
static bool is_known(tsr_gpu_maker *m)
{
    const tsr_xgroup *g = m->g;
    tsr_buf key = {0};
    tsr_buf_cstr(&key, "loop");
    const int64_t numbers[] = {g->mode, g->n, g->inner, g->reduced, g->ncode};
    for (size_t i = 0; i < TSR_COUNT(numbers); i++)
        put_number(&key, numbers[i]);
    for (uint32_t i = 0; i < g->ncode; i++)
        put_instr(m, &key, &g->code[i]);
    if (g->work != TSR_XNONE)
        put_number(&key, tsr_gpu_place(m, g->work));
    bool known = tsr_gpu_known(m, tsr_buf_text(&key));
    tsr_buf_free(&key);
    return known;
}

/* ---- What a thread takes ---- */

/* Whether it reads or writes elements of a value in memory. */
static bool is_array(const tsr_gpu_kernel *l, uint32_t i)
{
    uint8_t kind = l->g->code[i].kind;
    return l->of[i].scope == TSR_GPU_ELEMENT && (kind == TSR_I_LOAD || kind == TSR_I_STORE);
}

/* Chunks of the narrowest elements are vectors, and no row ends in one. */
void tsr_gpu_find_chunk(tsr_gpu_kernel *l, bool whole_rows)
{
    uint32_t narrow = VECTOR, wide = 1;
    for (uint32_t i = 0; i < l->n; i++)
        if (is_array(l, i)) {
            uint32_t bytes = tsr_dtype_bytes((tsr_dtype)l->g->code[i].dtype);
            narrow = bytes < narrow ? bytes : narrow;
            wide = bytes > wide ? bytes : wide;
        }
    l->each = VECTOR / narrow < MOST ? VECTOR / narrow : MOST;
    while (l->each > 1 && (whole_rows ? l->space.inner % l->each : l->space.inner < l->each))
        l->each /= 2;
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        if (!is_array(l, i) || !o->view)
            continue;
        int64_t run = o->view->space.dims[o->view->space.rank - 1];
        while (l->each > VECTOR / wide && l->each > 1 && run % l->each)
            l->each /= 2;
    }
}

void tsr_gpu_find_ways(tsr_gpu_kernel *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->of[i].scope == TSR_GPU_ELEMENT && l->g->code[i].kind == TSR_I_LOAD)
            l->of[i].way = (uint8_t)tsr_gpu_way_of(l, &l->g->code[i]);
}

/* ---- Kernels ---- */

void tsr_gpu_kernel_begin(tsr_gpu_kernel *l, const char *name)
{
    tsr_gpu_line(&l->w, "TSR_KERNEL_OF(%s, %zu, %u, %u)", name, l->words.n ? l->words.n : 1,
                 l->threads, l->blocks ? l->blocks : 1);
    tsr_gpu_line(&l->w, "{");
    l->w.depth = 1;
}

void tsr_gpu_launch(tsr_gpu_kernel *l, uint32_t text, const char *name, int64_t blocks0,
                    int64_t blocks1, size_t shared)
{
    tsr_gpu_step s = {.kind = TSR_GPU_LAUNCH,
                      .text = text,
                      .blocks = {(uint32_t)blocks0, (uint32_t)blocks1, 1},
                      .threads = l->threads,
                      .shared = (uint32_t)shared};
    snprintf(s.name, sizeof s.name, "%s", name);
    const tsr_gpu_word none = {TSR_XNONE, 0};
    tsr_gpu_add(l->m, &s, l->words.n ? l->words.data : &none,
                l->words.n ? (uint32_t)l->words.n : 1);
}

void tsr_gpu_kernel_end(tsr_gpu_kernel *l)
{
    l->w.depth = 0;
    tsr_gpu_line(&l->w, "}\n");
}

/* ---- Maps ---- */

static uint32_t loads_of(const tsr_gpu_kernel *l)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n; i++)
        n += is_array(l, i) && l->g->code[i].kind == TSR_I_LOAD;
    return n;
}

static bool is_large(const tsr_gpu_kernel *l)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < l->n; i++)
        if (is_array(l, i))
            bytes += (uint64_t)l->g->n * tsr_dtype_bytes((tsr_dtype)l->g->code[i].dtype);
    return bytes > CACHE;
}

/* Whether a thread needs few registers: many of them hide how long memory takes. */
static bool is_light(const tsr_gpu_kernel *l)
{
    enum { LOADS = 3, INSTRUCTIONS = 40, WORD = 4 };
    bool narrow = true;
    for (uint32_t i = 0; i < l->n; i++)
        narrow &= tsr_dtype_bytes((tsr_dtype)l->g->code[i].dtype) <= WORD;
    return narrow && loads_of(l) <= LOADS && l->n <= INSTRUCTIONS;
}

/* The elements after the last chunk, one for each of the first threads. */
static void put_rest(tsr_gpu_kernel *l, int64_t first)
{
    const char *index = tsr_gpu_index(l->space.inner);
    tsr_gpu_line(&l->w, "if (TSR_BLOCK(0) == 0 && TSR_THREAD < %lld) {",
                 (long long)(l->space.inner - first));
    l->w.depth++;
    tsr_gpu_line(&l->w, "const %s x0 = %lldu + TSR_THREAD;", index, (long long)first);
    l->each = l->chunks = 1;
    l->chunk = tsr_text_of(&l->w.text, "const %s x = x0, e = x;", index);
    l->live = NULL;
    for (uint32_t i = 0; i < l->n; i++)
        l->of[i].given = false;
    tsr_gpu_find_ways(l);
    tsr_gpu_pass(l, 0);
    l->w.depth--;
    tsr_gpu_line(&l->w, "}");
}

static void put_map(tsr_gpu_kernel *l)
{
    enum { FEW = 3 };
    l->space = (tsr_gpu_space){1, l->g->n};
    l->threads = l->lanes = THREADS;
    tsr_gpu_find_chunk(l, false);
    l->once = is_large(l);
    l->chunks = l->g->n >= MANY && loads_of(l) <= FEW ? 2 : 1;
    l->blocks = is_light(l) ? BLOCKS : 1;
    tsr_gpu_find_ways(l);
    int64_t full = l->g->n / l->each * l->each, block = (int64_t)l->each * l->chunks * THREADS;
    int64_t blocks = (full + block - 1) / block;
    const char *index = tsr_gpu_index(blocks * block);
    tsr_gpu_kernel_begin(l, "map");
    tsr_gpu_pointers(l);
    tsr_gpu_line(&l->w, "const %s x0 = (%s)TSR_BLOCK(0) * %lldu + TSR_THREAD * %uu;", index, index,
                 (long long)block, l->each);
    l->chunk = tsr_text_of(&l->w.text, "const %s x = x0 + (uint32_t)c * %uu, e = x;", index,
                           l->each * THREADS);
    l->live = full % block ? tsr_text_of(&l->w.text, "x < %lldu", (long long)full) : NULL;
    tsr_gpu_once(l);
    tsr_gpu_pass(l, 0);
    if (full < l->g->n)
        put_rest(l, full);
    tsr_gpu_kernel_end(l);
    uint32_t text = tsr_gpu_writer_end(l->m, &l->w);
    tsr_gpu_launch(l, text, "map", blocks, 1, 0);
}

/* ---- Rows ---- */

static uint32_t power_of_two(int64_t least)
{
    uint32_t n = 1;
    while (n < least)
        n *= 2;
    return n;
}

static int64_t divided(int64_t n, int64_t by)
{
    return (n + by - 1) / by;
}

/* How many lanes take a row, in one go or, if it is long, chunk by chunk. */
static void find_lanes(tsr_gpu_kernel *l)
{
    enum { LEAST = 64, AT_ONCE = 2 };
    int64_t row = l->space.inner, chunks = row / l->each;
    l->threads = THREADS;
    if (row <= WARP_ROW)
        l->lanes = chunks < WARP ? power_of_two(chunks) : WARP;
    else if (row <= BLOCK_ROW)
        l->lanes = l->threads = power_of_two(row / A_THREAD < LEAST ? LEAST : row / A_THREAD);
    else
        l->lanes = l->threads = PASSES;
    l->passes = row > BLOCK_ROW;
    l->chunks = l->passes ? AT_ONCE : (uint32_t)divided(chunks, l->lanes);
}

/* Keeps what several stages read in shared memory, as far as there is room. */
static void find_shared(tsr_gpu_kernel *l)
{
    enum { SUMS = 8 << 10 };
    const tsr_device *device = l->m->to->device;
    size_t room = device && device->shared < SHARED + SUMS ? device->shared - SUMS : SHARED;
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        tsr_gpu_fact *t = &l->of[i];
        size_t words = (size_t)l->space.inner * tsr_dtype_bytes((tsr_dtype)o->dtype) / 4;
        words = (words + 3) & ~(size_t)3;
        bool again = is_array(l, i) && o->kind == TSR_I_LOAD && (t->uses & (t->uses - 1));
        if (!again || t->way != TSR_GPU_WORDS || (l->shared + words) * 4 > room)
            continue;
        t->shared = l->shared + 1;
        l->shared += words;
    }
}

/* Which row a thread works on, and whether it gives the row's numbers. Those beyond the last read the first. */
static void put_row_heads(tsr_gpu_kernel *l)
{
    long long rows = (long long)l->space.rows;
    uint32_t at_a_time = l->threads / l->lanes;
    bool even = rows % at_a_time == 0;
    const char *index = tsr_gpu_index(rows + at_a_time);
    tsr_gpu_line(&l->w, "const %s row0 = (%s)TSR_BLOCK(0) * %uu + TSR_THREAD / %uu;", index, index,
                 at_a_time, l->lanes);
    tsr_gpu_line(&l->w, even ? "const %s row = row0;" : "const %s row = row0 < %lldu ? row0 : 0;",
                 index, rows);
    tsr_gpu_line(&l->w, "const bool gives = TSR_THREAD %% %uu == 0 && row0 < %lldu;", l->lanes,
                 rows);
    if (l->shared)
        tsr_gpu_line(&l->w, "TSR_SHARED_MORE(uint32_t, more);");
    for (uint32_t i = 0; i < l->n; i++)
        if (l->of[i].after && l->lanes > WARP)
            tsr_gpu_line(&l->w, "TSR_SHARED(%s, w%u, %u);",
                         tsr_gpu_local((tsr_dtype)l->g->code[i].dtype), i, WARP);
    const char *x = l->space.inner % (l->chunks * l->lanes * l->each) || l->passes
                        ? tsr_text_of(&l->w.text, "x < %lldu", (long long)l->space.inner)
                        : NULL;
    const char *r = even ? NULL : tsr_text_of(&l->w.text, "row0 < %lldu", rows);
    l->live = x && r ? tsr_text_of(&l->w.text, "%s && %s", x, r) : x ? x : r;
    l->chunk = tsr_text_of(&l->w.text,
                           "const uint32_t x = x0 + (uint32_t)c * %uu; const %s e = (%s)row * "
                           "%lldu + x;",
                           l->lanes * l->each, tsr_gpu_index(l->g->n), tsr_gpu_index(l->g->n),
                           (long long)l->space.inner);
}

static void put_stage(tsr_gpu_kernel *l, uint32_t stage)
{
    const char *first = tsr_text_of(&l->w.text, "TSR_THREAD %% %uu * %uu", l->lanes, l->each);
    tsr_gpu_rows(l, stage);
    tsr_gpu_folds_begin(l, stage);
    if (l->passes) {
        tsr_gpu_line(&l->w, "for (uint32_t x0 = %s; x0 < %lldu; x0 += %uu) {", first,
                     (long long)l->space.inner, l->chunks * l->lanes * l->each);
        l->w.depth++;
    } else if (!stage)
        tsr_gpu_line(&l->w, "const uint32_t x0 = %s;", first);
    tsr_gpu_pass(l, stage);
    if (l->passes) {
        l->w.depth--;
        tsr_gpu_line(&l->w, "}");
    }
    tsr_gpu_folds_end(l, stage);
}

/* Words of registers that a thread has a row's elements in, and what is computed from them; many instructions need more. */
static uint32_t words_at_once(const tsr_gpu_kernel *l)
{
    enum { INSTRUCTIONS = 40 };
    uint32_t bytes = l->n > INSTRUCTIONS ? UINT16_MAX : 0;
    for (uint32_t i = 0; i < l->n; i++)
        if ((is_array(l, i) && l->g->code[i].kind == TSR_I_LOAD) || l->of[i].kept)
            bytes += l->chunks * l->each * tsr_dtype_bytes((tsr_dtype)l->g->code[i].dtype);
    return bytes / 4;
}

/* Whether all elements that are stored are narrow floats. */
static bool gives_narrow(const tsr_gpu_kernel *l)
{
    bool any = false, all = true;
    for (uint32_t i = 0; i < l->n; i++)
        if (is_array(l, i) && l->g->code[i].kind == TSR_I_STORE) {
            any = true;
            all &= tsr_register_type((tsr_dtype)l->g->code[i].dtype) != l->g->code[i].dtype;
        }
    return any && all;
}

static void put_rows(tsr_gpu_kernel *l)
{
    enum {
        FEW = 32,
        WORDS = 48
    }; /* instructions, words: so many need no more than half the registers, a quarter */
    const char *name = "rows";
    l->w.brief = gives_narrow(l);
    find_lanes(l);
    find_uses(l);
    tsr_gpu_find_ways(l);
    if (l->passes)
        find_shared(l);
    if (l->shared * 4 > SHARED_FEW && l->n <= FEW) {
        l->lanes = l->threads = 2 * PASSES;
        l->chunks = 1;
    }
    l->blocks = l->passes ? 2 : l->threads == THREADS && words_at_once(l) <= WORDS ? 4 : 1;
    tsr_gpu_kernel_begin(l, name);
    tsr_gpu_pointers(l);
    put_row_heads(l);
    tsr_gpu_once(l);
    for (uint32_t stage = 0; stage < l->stages; stage++)
        put_stage(l, stage);
    tsr_gpu_row_stores(l);
    tsr_gpu_kernel_end(l);
    uint32_t text = tsr_gpu_writer_end(l->m, &l->w);
    tsr_gpu_launch(l, text, name, divided(l->space.rows, l->threads / l->lanes), 1, l->shared * 4);
}

/* ---- All loops ---- */

static void put(tsr_gpu_kernel *l)
{
    const tsr_xgroup *g = l->g;
    tsr_gpu_writer_init(&l->w);
    tsr_text_operands(l->g, l->n, l->of->in, sizeof *l->of);
    schedule(l);
    if (l->stages > STAGES) {
        l->ok = tsr_gpu_refuse(l->m, "%u reductions depend on each other", l->stages - 1);
        tsr_text_free(&l->w.text);
        return;
    }
    tsr_gpu_words(l);
    if (g->mode == TSR_LOOP_MAP) {
        put_map(l);
        return;
    }
    l->space = (tsr_gpu_space){g->n / g->inner, g->inner};
    tsr_gpu_find_chunk(l, true);
    if (g->mode == TSR_LOOP_ROWS)
        put_rows(l);
    else if (g->mode == TSR_LOOP_LONG)
        tsr_gpu_long(l);
    else
        tsr_gpu_columns(l);
}

bool tsr_gpu_loop(tsr_gpu_maker *m)
{
    const tsr_xgroup *g = m->g;
    if (!g->n || is_known(m))
        return true;
    if (g->product != TSR_XNONE)
        return tsr_gpu_refuse(m, "it runs on a product");
    for (uint32_t i = 0; i < g->ncode; i++) {
        if (!tsr_gpu_cell((tsr_dtype)g->code[i].dtype))
            return tsr_gpu_refuse(m, "elements of type %s",
                                  tsr_dtype_name((tsr_dtype)g->code[i].dtype));
        if (g->code[i].kind == TSR_I_PART || g->code[i].kind == TSR_I_LOOKUP)
            return tsr_gpu_refuse(m, "it moves elements");
    }
    tsr_gpu_kernel l = {.m = m, .p = m->p, .g = g, .n = g->ncode, .ok = true};
    l.of = tsr_xmalloc((g->ncode + 1) * sizeof *l.of);
    memset(l.of, 0, (g->ncode + 1) * sizeof *l.of);
    put(&l);
    tsr_vec_free(&l.words);
    tsr_free(l.of);
    return l.ok;
}
