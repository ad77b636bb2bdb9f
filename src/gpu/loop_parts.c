/* SPDX-License-Identifier: Apache-2.0 */
/* loop_parts.c - rows and columns that are reduced in parts: a kernel reduces each part, a second one joins them in order. How
 * many parts there are depends on shapes alone, and so does the order of sums. See loop.h. */
#include "gpu/loop.h"

#include "exec/view.h"

enum { THREADS = 256, WARP = 32, MOST_PARTS = 2048 };

typedef struct {
    int64_t rows, parts; /* rows, or batches of columns */
    int64_t length;      /* elements of a part; of columns, rows */
    int64_t inner;       /* columns; 1: rows */
} division;

static int64_t divided(int64_t n, int64_t by)
{
    return (n + by - 1) / by;
}

static division division_of(const tsr_xgroup *g)
{
    division d = {.rows = g->n / g->inner, .inner = 1};
    int64_t least, all = g->inner;
    if (g->mode == TSR_LOOP_LONG) {
        enum { ROUND = 4096 };
        least = divided(divided(all, MOST_PARTS), ROUND) * ROUND;
        d.length = least < TSR_PART_OF_ROW ? TSR_PART_OF_ROW : least;
    } else {
        d.rows = g->n / (g->inner * g->reduced);
        d.inner = g->inner;
        all = g->reduced;
        least = divided(all, MOST_PARTS);
        d.length = tsr_rows_of_part(g->inner);
        d.length = d.length < least ? least : d.length;
    }
    d.parts = divided(all, d.length);
    return d;
}

/* Bytes of the results of all parts of a reduction. */
static size_t bytes_of(const division *d, tsr_dtype type)
{
    enum { ALIGN = 256 };
    size_t n = (size_t)(d->rows * d->parts * d->inner) * tsr_dtype_bytes(type);
    return (n + ALIGN - 1) / ALIGN * ALIGN;
}

size_t tsr_gpu_workspace(const tsr_program *p, const tsr_xgroup *g)
{
    size_t bytes = 0;
    if (g->kind != TSR_NODE_TILE || g->n <= 0 ||
        (g->mode != TSR_LOOP_LONG && g->mode != TSR_LOOP_COLUMNS))
        return 0;
    division d = division_of(g);
    for (size_t i = 0; i < g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        if (n->kind == TSR_NODE_REDUCE && n->late)
            bytes += bytes_of(&d, tsr_register_type((tsr_dtype)p->values.data[n->out[0]].dtype));
    }
    return bytes;
}

static bool is_late(const tsr_gpu_kernel *l, uint32_t i)
{
    return l->of[i].after;
}

/* A pointer into the workspace for each reduction: u7 for instruction 7. */
static void put_parts(tsr_gpu_kernel *l, const division *d)
{
    size_t at = 0;
    uint32_t word = tsr_gpu_word_of(l, l->g->work);
    for (uint32_t i = 0; i < l->n; i++)
        if (is_late(l, i)) {
            tsr_dtype type = (tsr_dtype)l->g->code[i].dtype;
            tsr_gpu_line(&l->w, "%s *const u%u = (%s *)(TSR_POINTER(uint8_t, %u) + %zu);",
                         tsr_gpu_cell(type), i, tsr_gpu_cell(type), word, at);
            at += bytes_of(d, type);
        }
}

/* Shared memory for the sums of warps. */
static void put_warps(tsr_gpu_kernel *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (is_late(l, i) && l->lanes > WARP)
            tsr_gpu_line(&l->w, "TSR_SHARED(%s, w%u, %u);",
                         tsr_gpu_local((tsr_dtype)l->g->code[i].dtype), i, WARP);
}

/* Stores a finished reduction to its value. */
static void put_total(tsr_gpu_kernel *l, uint32_t i, const char *condition, const char *at,
                      const char *element)
{
    const tsr_instr *o = &l->g->code[i];
    tsr_dtype d = (tsr_dtype)o->dtype, to = (tsr_dtype)l->p->values.data[o->value].dtype;
    const char *v =
        tsr_text_convert(&l->w.text, to, d, tsr_text_of(&l->w.text, "f%u%s", i, element));
    if (!v) {
        l->ok = l->ok && tsr_gpu_refuse(l->m, "a reduction to type %s", tsr_dtype_name(to));
        return;
    }
    tsr_gpu_line(&l->w, "if (%s)\n        TSR_POINTER(%s, %u)[%s] = (%s)%s;", condition,
                 tsr_gpu_cell(to), tsr_gpu_word_of(l, o->value), at, tsr_gpu_cell(to), v);
}

/* ---- Rows ---- */

static void put_long_part(tsr_gpu_kernel *l, const division *d)
{
    const char *index = tsr_gpu_index(l->g->inner + d->length), *number = tsr_gpu_index(l->g->n);
    tsr_gpu_kernel_begin(l, "long_row");
    tsr_gpu_pointers(l);
    put_parts(l, d);
    put_warps(l);
    tsr_gpu_line(&l->w, "const uint32_t row = TSR_BLOCK(0);");
    tsr_gpu_line(&l->w, "const %s first = (%s)TSR_BLOCK(1) * %lldu;", index, index,
                 (long long)d->length);
    tsr_gpu_line(&l->w, "const %s end = first + %lldu < %lldu ? first + %lldu : %lldu;", index,
                 (long long)d->length, (long long)l->g->inner, (long long)d->length,
                 (long long)l->g->inner);
    l->live = "x < end";
    l->chunk = tsr_text_of(&l->w.text,
                           "const %s x = x0 + (uint32_t)c * %uu; const %s e = (%s)row * %lldu + x;",
                           index, THREADS * l->each, number, number, (long long)l->g->inner);
    tsr_gpu_once(l);
    tsr_gpu_folds_begin(l, 0);
    tsr_gpu_line(&l->w, "for (%s x0 = first + TSR_THREAD * %uu; x0 < end; x0 += %uu) {", index,
                 l->each, THREADS * l->each * l->chunks);
    l->w.depth++;
    tsr_gpu_pass(l, 0);
    l->w.depth--;
    tsr_gpu_line(&l->w, "}");
    tsr_gpu_folds_end(l, 0);
    for (uint32_t i = 0; i < l->n; i++)
        if (is_late(l, i))
            tsr_gpu_line(&l->w,
                         "if (TSR_THREAD == 0)\n        u%u[row * %lldu + TSR_BLOCK(1)] = t%u;", i,
                         (long long)d->parts, i);
    tsr_gpu_kernel_end(l);
}

static void put_long_end(tsr_gpu_kernel *l, const division *d)
{
    tsr_gpu_kernel_begin(l, "long_row_end");
    put_parts(l, d);
    put_warps(l);
    tsr_gpu_line(&l->w, "const uint32_t row = TSR_BLOCK(0);");
    tsr_gpu_folds_begin(l, 0);
    for (uint32_t i = 0; i < l->n; i++) {
        if (!is_late(l, i))
            continue;
        const char *f = tsr_text_of(&l->w.text, "f%u", i);
        tsr_gpu_line(&l->w, "for (uint32_t part = TSR_THREAD; part < %lldu; part += %uu)",
                     (long long)d->parts, THREADS);
        tsr_gpu_line(&l->w, "    %s = %s;", f,
                     tsr_gpu_join(l, i, f,
                                  tsr_text_of(&l->w.text, "u%u[row * %lldu + part]", i,
                                              (long long)d->parts)));
        tsr_gpu_over_lanes(l, i, f);
        put_total(l, i, "TSR_THREAD == 0", "row", "");
    }
    tsr_gpu_kernel_end(l);
}

void tsr_gpu_long(tsr_gpu_kernel *l)
{
    division d = division_of(l->g);
    l->threads = l->lanes = THREADS;
    l->chunks = 4;
    l->passes = true;
    tsr_gpu_find_ways(l);
    /* Words of both kernels, before the first one says how many there are. */
    tsr_gpu_word_of(l, l->g->work);
    for (uint32_t i = 0; i < l->n; i++)
        if (is_late(l, i))
            tsr_gpu_word_of(l, l->g->code[i].value);
    put_long_part(l, &d);
    put_long_end(l, &d);
    uint32_t text = tsr_gpu_writer_end(l->m, &l->w);
    tsr_gpu_launch(l, text, "long_row", d.rows, d.parts, 0);
    tsr_gpu_launch(l, text, "long_row_end", d.rows, 1, 0);
}

/* ---- Columns ---- */

/* How the threads of a block share columns, and the rows of a part. */
typedef struct {
    uint32_t columns, lanes; /* chunks next to each other; threads on the same columns */
    int64_t strips;          /* blocks next to each other */
} layout;

static layout layout_of(const tsr_gpu_kernel *l)
{
    enum { STRIP = 128 };
    int64_t chunks = l->g->inner / l->each;
    layout a = {.columns = (uint32_t)(chunks <= THREADS ? chunks : STRIP)};
    a.lanes = THREADS / a.columns;
    a.strips = divided(chunks, a.columns);
    return a;
}

static void put_column_heads(tsr_gpu_kernel *l, const division *d, const layout *a)
{
    const char *index = tsr_gpu_index(l->g->reduced + d->length);
    tsr_gpu_line(&l->w, "TSR_SHARED_MORE(uint8_t, more);");
    tsr_gpu_line(&l->w, "const uint32_t lane = TSR_THREAD / %uu, batch = TSR_BLOCK(0) / %lldu;",
                 a->columns, (long long)a->strips);
    tsr_gpu_line(&l->w,
                 "const uint32_t x = (TSR_BLOCK(0) %% %lldu * %uu + TSR_THREAD %% %uu) * %uu;",
                 (long long)a->strips, a->columns, a->columns, l->each);
    tsr_gpu_line(&l->w, "const bool works = lane < %uu && x < %lldu;", a->lanes,
                 (long long)l->g->inner);
    tsr_gpu_line(&l->w, "const %s first = (%s)TSR_BLOCK(1) * %lldu;", index, index,
                 (long long)d->length);
    tsr_gpu_line(&l->w, "const %s end = first + %lldu < %lldu ? first + %lldu : %lldu;", index,
                 (long long)d->length, (long long)l->g->reduced, (long long)d->length,
                 (long long)l->g->reduced);
    const char *row = tsr_gpu_index(l->g->n / l->g->inner), *number = tsr_gpu_index(l->g->n);
    l->live = "r < end";
    l->chunk =
        tsr_text_of(&l->w.text,
                    "const %s r = r0 + (uint32_t)c * %uu; const %s row = (%s)batch * %lldu + "
                    "r; const %s e = (%s)row * %lldu + x;",
                    index, a->lanes, row, row, (long long)l->g->reduced, number, number,
                    (long long)l->g->inner);
    tsr_gpu_once(l);
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        if (!is_late(l, i))
            continue;
        tsr_gpu_line(&l->w, "%s f%u[%u];", tsr_gpu_local((tsr_dtype)o->dtype), i, l->each);
        tsr_gpu_line(&l->w, "TSR_UNROLL");
        tsr_gpu_line(&l->w, "for (int k = 0; k < %u; k++)", l->each);
        tsr_gpu_line(&l->w, "    f%u[k] = %s;", i,
                     tsr_text_neutral(&l->w.text, (tsr_fold_op)o->fold, (tsr_dtype)o->dtype));
    }
}

/* Joins v7, what the threads of a block have for instruction 7, over lanes: the first of them gets all. each: elements of a
 * thread, in f7. */
static void put_over_lanes(tsr_gpu_kernel *l, uint32_t i, uint32_t columns, uint32_t lanes,
                           uint32_t each)
{
    const char *type = tsr_gpu_local((tsr_dtype)l->g->code[i].dtype);
    const char *f = tsr_text_of(&l->w.text, "f%u[k]", i);
    const char *other =
        tsr_text_of(&l->w.text, "v%u[(other * %uu + TSR_THREAD) * %uu + k]", i, columns, each);
    if (lanes < 2)
        return;
    tsr_gpu_line(&l->w, "%s *const v%u = (%s *)more;", type, i, type);
    tsr_gpu_line(&l->w, "TSR_BARRIER();");
    tsr_gpu_line(&l->w, "TSR_UNROLL");
    tsr_gpu_line(&l->w, "for (int k = 0; k < %u; k++)", each);
    tsr_gpu_line(&l->w, "    v%u[TSR_THREAD * %uu + k] = %s;", i, each, f);
    tsr_gpu_line(&l->w, "TSR_BARRIER();");
    tsr_gpu_line(&l->w, "for (uint32_t other = 1; other < %uu && lane == 0 && works; other++) {",
                 lanes);
    tsr_gpu_line(&l->w, "    TSR_UNROLL");
    tsr_gpu_line(&l->w, "    for (int k = 0; k < %u; k++)", each);
    tsr_gpu_line(&l->w, "        %s = %s;", f, tsr_gpu_join(l, i, f, other));
    tsr_gpu_line(&l->w, "}");
}

static void put_column_part(tsr_gpu_kernel *l, const division *d, const layout *a)
{
    tsr_gpu_kernel_begin(l, "columns");
    tsr_gpu_pointers(l);
    put_parts(l, d);
    put_column_heads(l, d, a);
    tsr_gpu_line(&l->w, "for (%s r0 = first + lane; r0 < end && works; r0 += %uu) {",
                 tsr_gpu_index(l->g->reduced + d->length), a->lanes * l->chunks);
    l->w.depth++;
    tsr_gpu_pass(l, 0);
    l->w.depth--;
    tsr_gpu_line(&l->w, "}");
    for (uint32_t i = 0; i < l->n; i++) {
        if (!is_late(l, i))
            continue;
        put_over_lanes(l, i, a->columns, a->lanes, l->each);
        tsr_gpu_line(&l->w, "if (lane == 0 && works) {");
        tsr_gpu_line(&l->w, "    TSR_UNROLL");
        tsr_gpu_line(&l->w, "    for (int k = 0; k < %u; k++)", l->each);
        tsr_gpu_line(
            &l->w, "        u%u[((size_t)batch * %lldu + TSR_BLOCK(1)) * %lldu + x + k] = f%u[k];",
            i, (long long)d->parts, (long long)l->g->inner, i);
        tsr_gpu_line(&l->w, "}");
    }
    tsr_gpu_kernel_end(l);
}

static void put_column_end(tsr_gpu_kernel *l, const division *d, uint32_t lanes)
{
    long long inner = (long long)l->g->inner, strips = (long long)divided(inner, WARP);
    tsr_gpu_kernel_begin(l, "columns_end");
    put_parts(l, d);
    tsr_gpu_line(&l->w, "TSR_SHARED_MORE(uint8_t, more);");
    tsr_gpu_line(&l->w, "const uint32_t lane = TSR_WARP, batch = TSR_BLOCK(0) / %lldu;", strips);
    tsr_gpu_line(&l->w, "const uint32_t x = TSR_BLOCK(0) %% %lldu * 32u + TSR_LANE;", strips);
    tsr_gpu_line(&l->w, "const bool works = x < %lldu;", inner);
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        if (!is_late(l, i))
            continue;
        const char *f = tsr_text_of(&l->w.text, "f%u[0]", i);
        const char *part =
            tsr_text_of(&l->w.text, "u%u[((size_t)batch * %lldu + part) * %lldu + x]", i,
                        (long long)d->parts, inner);
        tsr_gpu_line(&l->w, "%s f%u[1] = {%s};", tsr_gpu_local((tsr_dtype)o->dtype), i,
                     tsr_text_neutral(&l->w.text, (tsr_fold_op)o->fold, (tsr_dtype)o->dtype));
        tsr_gpu_line(&l->w, "for (uint32_t part = lane; part < %lldu && works; part += %uu)",
                     (long long)d->parts, lanes);
        tsr_gpu_line(&l->w, "    %s = %s;", f, tsr_gpu_join(l, i, f, part));
        put_over_lanes(l, i, WARP, lanes, 1);
        put_total(l, i, "lane == 0 && works",
                  tsr_text_of(&l->w.text, "(size_t)batch * %lldu + x", inner), "[0]");
    }
    tsr_gpu_kernel_end(l);
}

/* Bytes of shared memory in which the threads of a block meet. */
static size_t meeting_bytes(const tsr_gpu_kernel *l, uint32_t threads, uint32_t each)
{
    size_t widest = 4;
    for (uint32_t i = 0; i < l->n; i++)
        if (is_late(l, i) && tsr_dtype_bytes((tsr_dtype)l->g->code[i].dtype) > widest)
            widest = tsr_dtype_bytes((tsr_dtype)l->g->code[i].dtype);
    return threads * each * widest;
}

void tsr_gpu_columns(tsr_gpu_kernel *l)
{
    enum { FEW = 64, SOME_LANES = 8, MANY_LANES = 16 };
    division d = division_of(l->g);
    layout a = layout_of(l);
    uint32_t threads = (a.columns * a.lanes + WARP - 1) / WARP * WARP;
    uint32_t lanes = d.parts == 1 ? 1 : d.parts < FEW ? SOME_LANES : MANY_LANES;
    l->threads = threads;
    l->chunks = 4;
    l->passes = true;
    tsr_gpu_find_ways(l);
    tsr_gpu_word_of(l, l->g->work);
    for (uint32_t i = 0; i < l->n; i++)
        if (is_late(l, i))
            tsr_gpu_word_of(l, l->g->code[i].value);
    size_t shared = a.lanes > 1 ? meeting_bytes(l, threads, l->each) : 0;
    put_column_part(l, &d, &a);
    l->threads = WARP * lanes;
    put_column_end(l, &d, lanes);
    size_t shared_end = lanes > 1 ? meeting_bytes(l, l->threads, 1) : 0;
    uint32_t text = tsr_gpu_writer_end(l->m, &l->w);
    l->threads = threads;
    tsr_gpu_launch(l, text, "columns", d.rows * a.strips, d.parts, shared);
    l->threads = WARP * lanes;
    tsr_gpu_launch(l, text, "columns_end", d.rows * divided(l->g->inner, WARP), 1, shared_end);
}
