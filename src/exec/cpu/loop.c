/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c - runs loops: instructions on blocks of elements that stay in the nearest cache.
 *
 * Threads take chunks of blocks. Their sizes depend on shapes alone. */
#include "exec/cpu/loop.h"

#include "base/scope.h"
#include "exec/kernel/gemm.h"
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/move.h"

enum {
    LARGE = 1 << 16, /* elements: more than the nearer caches hold */
    LINE = 64,       /* bytes of a cache line */
};

size_t tsr_loop_scratch(const tsr_xgroup *g, const tsr_cpu_code *cpu)
{
    size_t each = ((size_t)cpu->block * cpu->width + 63) & ~(size_t)63;
    return (cpu->nregister + 1) * each +
           (g->nfold + 1) * ((size_t)cpu->block * cpu->width + sizeof(tsr_fold) + 128) +
           (cpu->nregister + 1) * (sizeof(char *) + sizeof(int64_t)) +
           cpu->ncode * sizeof(tsr_loop_call) + 64;
}

static void load(const tsr_cpu_instr *o, const char *from, int64_t start, int64_t n, char *to)
{
    tsr_load_view(o->view, (tsr_dtype)o->dtype, from, start, n, to);
}

/* Whether an instruction is executed once for all blocks of a chunk. */
static bool is_once(const tsr_cpu_instr *o)
{
    return o->invariant || o->cycles;
}

/* The number of lines to prefetch before each step: of large values that more than one kernel reads. For one value that
 * one kernel reads in order, the hardware prefetcher does better. */
static int64_t lines_to_ask(const tsr_xgroup *g, const tsr_cpu_code *cpu)
{
    int64_t read = 0, kernels = 0, steps = 0;
    for (uint32_t i = 0; i < cpu->ncode; i++) {
        const tsr_cpu_instr *o = &cpu->code[i];
        if (o->kind == TSR_I_LOAD && (o->whole || o->leads) && !o->by_row)
            read += cpu->block * tsr_dtype_bytes((tsr_dtype)o->dtype);
        steps += !is_once(o);
        kernels += !o->by_row && !is_once(o) &&
                   (o->kind == TSR_I_TILE || o->kind == TSR_I_CONVERT || o->kind == TSR_I_FOLD);
    }
    bool parts = g->mode == TSR_LOOP_COLUMNS && g->inner > cpu->block;
    return g->n < LARGE || (kernels < 2 && !parts) ? 0
                                                   : (read / LINE / steps + 1) * tsr_isa_burst();
}

tsr_loop_worker tsr_loop_worker_of(const tsr_loop *l, int number, tsr_loop_asker *ask)
{
    const tsr_run *r = l->run;
    const tsr_xgroup *g = l->g;
    const tsr_cpu_code *cpu = l->cpu;
    char *base = r->scratch + (size_t)number * r->scratch_bytes;
    tsr_loop_worker w = {.l = l, .registers = base, .inner = g->inner};
    w.each = ((size_t)cpu->block * cpu->width + 63) & ~(size_t)63;
    w.columns = base + (cpu->nregister + 1) * w.each;
    size_t used = (size_t)g->nfold * ((size_t)cpu->block * cpu->width);
    w.folds = (tsr_fold *)(w.columns + ((used + 63) & ~(size_t)63));
    w.at = (char **)(w.folds + g->nfold);
    w.calls = (tsr_loop_call *)(w.at + cpu->nregister + 1);
    w.step = (int64_t *)(w.calls + cpu->ncode);
    *ask = (tsr_loop_asker){.each = lines_to_ask(g, cpu)};
    w.ask = ask;
    return w;
}

static void spread(const tsr_cpu_instr *o, const char *from, char *to, int64_t rows, int64_t inner)
{
    enum { SHORT = 192 }; /* bytes */
    uint32_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    if (inner * bytes <= SHORT) {
        tsr_copy_short_rows(bytes, to, from, rows, inner, 1, true);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        tsr_tile_splat((tsr_dtype)o->dtype, to + i * inner * bytes, from + i * bytes,
                       (size_t)inner);
}

/* Runs a kernel on each row, with the row's scalar as operand k. Calls end with whole vectors, since the last few
 * elements of a call are slow: what they would overwrite of the next row is put back. */
static void tile_rows(const tsr_cpu_instr *o, char *out, const void *const *in, int64_t rows,
                      int64_t inner, uint32_t bytes)
{
    enum { FEW = LINE / 4 }; /* bytes at the end of a row that cost less than a vector */
    uint8_t k = o->number - 1;
    int64_t row = inner * bytes, rest = row % LINE;
    int64_t wide = inner + (row >= LINE && rest >= FEW ? (LINE - rest) / bytes : 0);
    for (int64_t i = 0; i < rows; i++, out += row) {
        const void *both[2];
        char kept[LINE];
        bool extends = wide > inner && i + 1 < rows;
        both[k] = (const char *)in[k] + i * bytes;
        both[1 - k] = (const char *)in[1 - k] + i * row;
        if (extends)
            memcpy(kept, out + row, LINE);
        o->fn(out, both, (size_t)(extends ? wide : inner));
        if (extends)
            memcpy(out + row, kept, LINE);
    }
}

/* Prefetches some lines into the second cache, as the first is full of the current block. Always inline: otherwise
 * compilers take it for a function without effect, and drop its calls. */
static inline __attribute__((always_inline)) void ask_for(tsr_loop_asker *a, int64_t lines)
{
    enum { SECOND = 2 };
    while (a->n && lines > 0) {
        const char *at = a->at[a->first];
        int64_t some = a->lines[a->first] < lines ? a->lines[a->first] : lines;
        for (int64_t i = 0; i < some; i++)
            __builtin_prefetch(at + i * LINE, 0, SECOND);
        a->at[a->first] += some * LINE;
        a->lines[a->first] -= some;
        lines -= some;
        if (!a->lines[a->first]) {
            a->first = (a->first + 1) % TSR_LOOP_ASKED;
            a->n--;
        }
    }
}

/* Queues count elements that are read later, from an address on. */
static void ask_at(tsr_loop_asker *a, const char *at, int64_t count, uint32_t bytes)
{
    if (a->n == TSR_LOOP_ASKED)
        ask_for(a, a->lines[a->first]);
    uint32_t k = (a->first + a->n++) % TSR_LOOP_ASKED;
    a->at[k] = at;
    a->lines[k] = (count * bytes + LINE - 1) / LINE;
}

/* Queues the elements that are read some blocks, or some rows, after the count elements at an address. */
static void ask_later(const tsr_loop_worker *w, const char *at, int64_t count, uint32_t bytes)
{
    enum { BLOCKS = 2, ROWS = 4 };
    const tsr_xgroup *g = w->l->g;
    int64_t later = w->line ? w->line : BLOCKS * count;
    if (g->mode == TSR_LOOP_COLUMNS && g->inner > count)
        later = ROWS * g->inner;
    ask_at(w->ask, at + later * bytes, count, bytes);
}

/* Whether to write past the caches: not to a donated argument, which has just been read, and not what the last cache
 * keeps besides what the loop reads. */
static bool streams(const tsr_loop_worker *w, const tsr_cpu_instr *o)
{
    if (!o->streams)
        return false;
    const tsr_run *r = w->l->run;
    const tsr_xvalue *x = &r->p->values.data[o->value];
    uint64_t kept = tsr_isa_bytes_kept(), both = kept / 2 * 3;
    return !(x->donor && tsr_donated(r, x->donor - 1)) &&
           (tsr_xvalue_bytes(x) > kept || w->l->cpu->touched >= both);
}

/* Whether a kernel writes directly to its value's memory. There, rows of a factor are contiguous. */
static bool writes_memory(const tsr_loop_worker *w, const tsr_cpu_instr *o)
{
    if (w->cols)
        return o->direct && o->value == TSR_XNONE;
    return o->direct || (o->early && !streams(w, o));
}

/* Stores a register to the value's memory, row by row of the block. */
static void store_rows(const tsr_loop_worker *w, const tsr_cpu_instr *o, const char *from,
                       int64_t start, int64_t n)
{
    const tsr_run *r = w->l->run;
    uint32_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    bool past = streams(w, o);
    for (int64_t i = 0; i < n; i += w->cols, start += w->line)
        tsr_tile_store((tsr_dtype)o->dtype, r->at[o->value] + start * bytes, from + i * bytes,
                       (size_t)w->cols, past);
}

/* Reads elements of a table for whole rows of a block, row by row. */
static void look_up_rows(const tsr_loop_worker *w, const tsr_cpu_instr *o, const void *const *in,
                         int64_t start, int64_t n, char *to)
{
    int64_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype),
            each = tsr_dtype_bytes((tsr_dtype)o->from);
    const void *at[TSR_TILE_OPERANDS];
    memcpy(at, in, sizeof at);
    for (int64_t i = 0; i < n; i += w->cols, start += w->line, to += w->cols * bytes) {
        tsr_load_lookup(w->l->run, o, start, w->cols, at, to);
        for (uint8_t k = 0; k < o->nin; k++)
            at[k] = (const char *)at[k] + w->cols * each;
    }
}

/* Loads or stores n elements of whole rows of a block of a product, row by row. False: another instruction. */
static bool step_rows(const tsr_loop_worker *w, const tsr_cpu_instr *o, const char *in,
                      int64_t start, int64_t n)
{
    const tsr_run *r = w->l->run;
    uint32_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    size_t row = (size_t)w->cols * bytes;
    char *out = w->registers + o->out * w->each, *to = out;
    if (o->kind == TSR_I_STORE && o->value != TSR_XNONE) {
        store_rows(w, o, in, start, n);
        return true;
    }
    if (o->kind != TSR_I_LOAD && o->kind != TSR_I_IOTA && o->kind != TSR_I_PRODUCT &&
        o->kind != TSR_I_PART)
        return false;
    w->at[o->out] = out;
    if (o->kind == TSR_I_PRODUCT && (w->stride == w->cols || n == w->cols)) {
        w->at[o->out] = (char *)w->product;
        return true;
    }
    for (int64_t i = 0; i < n; i += w->cols, start += w->line, to += row)
        if (o->kind == TSR_I_PRODUCT)
            memcpy(to, w->product + i / w->cols * w->stride * bytes, row);
        else if (o->kind == TSR_I_PART)
            tsr_load_part(r, o, start, w->cols, to);
        else if (o->kind == TSR_I_LOAD && o->whole)
            memcpy(to, r->at[o->value] + start * bytes, row);
        else
            load(o, o->kind == TSR_I_LOAD ? r->at[o->value] : NULL, start, w->cols, to);
    return true;
}

/* The address where an instruction writes elements from `from` on: in memory, or in the block of the product. */
char *tsr_loop_place(const tsr_loop_worker *w, const tsr_cpu_instr *o, int64_t from)
{
    int64_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    return o->value == TSR_XNONE ? w->product + o->slot * w->apart + (from - w->first) * bytes
                                 : w->l->run->at[o->value] + from * bytes;
}

/* Reduces rows; with two operands, their products. */
static void fold_rows(const tsr_loop_worker *w, const tsr_cpu_instr *o, char *out,
                      const void *const *in, int64_t rows)
{
    if (o->nin == 2)
        tsr_fold_products((tsr_dtype)o->dtype, out, in[0], in[1], (size_t)rows, (size_t)w->inner);
    else
        tsr_fold_rows((tsr_fold_op)o->fold, (tsr_dtype)o->dtype, out, in[0], (size_t)rows,
                      (size_t)w->inner);
}

/* The last element of a row represents all masked ones: only a sum depends on how many there are. */
static void check_last(const tsr_loop_worker *w, const tsr_cpu_instr *o, const void *const *in)
{
    size_t at = (size_t)(w->inner - 1) * tsr_dtype_bytes((tsr_dtype)o->dtype);
    double x = 0, y = 1;
    tsr_convert(TSR_D_F64, &x, (tsr_dtype)o->dtype, (const char *)in[0] + at, 1);
    if (o->nin == 2)
        tsr_convert(TSR_D_F64, &y, (tsr_dtype)o->dtype, (const char *)in[1] + at, 1);
    *w->differs |= o->fold == TSR_FOLD_SUM && !(x * y == 0);
}

/* Where count elements of a value are, from element `from` on: in memory if they are contiguous there, otherwise copied
 * to a register. */
static char *loaded(const tsr_loop_worker *w, const tsr_cpu_instr *o, int64_t from, int64_t count)
{
    uint32_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    char *memory = w->l->run->at[o->value], *out = w->registers + o->out * w->each;
    int64_t place;
    if (o->whole) {
        out = memory + from * bytes;
        if (w->ask->each && !o->by_row)
            ask_later(w, out, count, bytes);
    } else if (o->fixed)
        out = memory + o->view->offset * bytes;
    else if (tsr_is_contiguous(o->view, from, count, &place)) {
        out = memory + place * bytes;
        if (w->ask->each && o->leads)
            ask_later(w, out, count, bytes);
    } else {
        int64_t stride = o->view->strides[0];
        if (w->ask->each && o->leads && o->view->space.rank == 1)
            ask_later(w, memory + (o->view->offset + from * stride) * bytes, count * stride, bytes);
        load(o, memory, from, o->steady ? 1 : count, out);
    }
    return out;
}

/* Adds the n elements of a block to the accumulators of its columns, row by row, or two rows at a time. */
static void fold_columns(const tsr_loop_worker *w, const tsr_cpu_instr *o, const char *in,
                         int64_t n)
{
    const tsr_xgroup *g = w->l->g;
    const tsr_cpu_code *cpu = w->l->cpu;
    uint32_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    char *acc = w->columns + o->bits * (size_t)cpu->block * cpu->width;
    int64_t width = g->inner < n ? g->inner : n, i = 0;
    if (o->twice && o->dtype == TSR_D_F32 &&
        tsr_isa_now()->add_columns((float *)acc, (const float *)in, n / width, width))
        return;
    for (; o->twice && i + 2 * width <= n; i += 2 * width) {
        const char *at = in + i * bytes;
        const void *three[3] = {acc, at, at + width * bytes};
        o->twice(acc, three, (size_t)width);
    }
    for (; i < n; i += width) {
        const void *both[2] = {acc, in + i * bytes};
        o->fn(acc, both, (size_t)width);
    }
}

/* Folds the rows of a block, or all its elements. */
static void fold(const tsr_loop_worker *w, const tsr_cpu_instr *o, const void *const *in, char *out,
                 int64_t rows, int64_t n)
{
    if (w->l->g->mode == TSR_LOOP_LONG)
        tsr_fold_add(&w->folds[o->bits], in[0], (size_t)n);
    else
        fold_rows(w, o, out, in, rows);
    if (w->differs)
        check_last(w, o, in);
}

/* Stores count elements, unless they were computed in place. */
static void store(const tsr_loop_worker *w, const tsr_cpu_instr *o, const void *in, int64_t from,
                  int64_t count)
{
    char *to = tsr_loop_place(w, o, from);
    if (in != to)
        tsr_tile_store((tsr_dtype)o->dtype, to, in, (size_t)count, streams(w, o));
}

/* Executes one instruction; start, n: elements of the block; rows: of a loop over rows. */
void tsr_loop_step(const tsr_loop_worker *w, const tsr_cpu_instr *o, int64_t start, int64_t n)
{
    const tsr_run *r = w->l->run;
    const tsr_xgroup *g = w->l->g;
    int64_t rows = g->mode == TSR_LOOP_ROWS ? n / w->inner : 0;
    int64_t from = o->by_row ? start / g->inner : start, count = o->by_row ? rows : n;
    uint32_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype);
    char *out = w->registers + o->out * w->each;
    const void *in[TSR_TILE_OPERANDS] = {0};
    for (uint8_t i = 0; i < o->nin; i++)
        in[i] = w->at[o->in[i]];
    if (w->cols && step_rows(w, o, in[0], start, n))
        return;
    if (w->ask->n)
        ask_for(w->ask, w->ask->each);
    switch ((tsr_instr_kind)o->kind) {
    case TSR_I_LOAD: out = loaded(w, o, from, count); break;
    case TSR_I_PRODUCT: out = w->product + o->slot * w->apart + (from - w->first) * bytes; break;
    case TSR_I_PART: out = (char *)(uintptr_t)tsr_part_at(r, o, from, count, out); break;
    case TSR_I_LOOKUP:
        if (w->cols)
            look_up_rows(w, o, in, start, n, out);
        else
            tsr_load_lookup(r, o, from, count, in, out);
        break;
    case TSR_I_IOTA: load(o, NULL, from, count, out); break;
    case TSR_I_SPLAT: tsr_tile_splat((tsr_dtype)o->dtype, out, &o->bits, (size_t)count); break;
    case TSR_I_TILE:
    case TSR_I_CONVERT:
        if (writes_memory(w, o))
            out = tsr_loop_place(w, o, from);
        if (!o->fn)
            tsr_convert((tsr_dtype)o->dtype, out, (tsr_dtype)o->from, in[0], count);
        else if (o->kind == TSR_I_TILE && o->number)
            tile_rows(o, out, in, rows, w->inner, bytes);
        else
            o->fn(out, in, (size_t)count);
        break;
    case TSR_I_SPREAD: spread(o, in[0], out, rows, w->inner); break;
    case TSR_I_FOLD: fold(w, o, in, out, rows, n); break;
    case TSR_I_COLUMN: fold_columns(w, o, in[0], n); break;
    case TSR_I_STORE: store(w, o, in[0], from, count); return;
    }
    w->at[o->out] = out;
    if (w->cols && o->direct && o->value != TSR_XNONE)
        store_rows(w, o, out, start, n);
}

void tsr_loop_run(const tsr_loop_worker *w, int64_t start, int64_t n)
{
    const tsr_cpu_code *cpu = w->l->cpu;
    for (uint32_t i = 0; i < cpu->ncode && !(w->differs && *w->differs); i++)
        if (!is_once(&cpu->code[i]) && !(cpu->code[i].repeats && w->cols))
            tsr_loop_step(w, &cpu->code[i], start, n);
}

/* Executes instructions that are the same in all blocks; constant views have one element. */
void tsr_loop_begin(const tsr_loop_worker *w)
{
    const tsr_cpu_code *cpu = w->l->cpu;
    for (uint32_t i = 0; i < cpu->ncode; i++) {
        const tsr_cpu_instr *o = &cpu->code[i];
        if (!is_once(o))
            continue;
        char *out = w->registers + o->out * w->each;
        if (o->cycles) {
            load(o, w->l->run->at[o->value], 0, cpu->block, out);
        } else if (o->kind == TSR_I_SPLAT) {
            tsr_tile_splat((tsr_dtype)o->dtype, out, &o->bits, o->one ? 1 : (size_t)cpu->block);
        } else if (o->kind == TSR_I_LOAD) {
            const char *from = w->l->run->at[o->value] +
                               o->view->offset * (int64_t)tsr_dtype_bytes((tsr_dtype)o->dtype);
            tsr_tile_splat((tsr_dtype)o->dtype, out, from, (size_t)cpu->block);
        } else if (o->kind == TSR_I_IOTA) {
            tsr_tile_iota((tsr_dtype)o->dtype, out, o->view->offset, 0, (size_t)cpu->block);
        } else {
            tsr_convert((tsr_dtype)o->dtype, out, (tsr_dtype)o->from, w->at[o->in[0]], cpu->block);
        }
        w->at[o->out] = out;
    }
}

/* ---- Loops ---- */

void tsr_loop_run_range(const tsr_loop_worker *w, int64_t start, int64_t end)
{
    int64_t block = w->l->cpu->block;
    for (int64_t i = start; i < end; i += block)
        tsr_loop_run(w, i, end - i < block ? end - i : block);
}

/* Elements of the pieces of a row of views: of similar lengths. */
static int64_t piece_of(const tsr_cpu_code *cpu)
{
    enum { VECTOR = 16 };
    int64_t pieces = (cpu->line + cpu->block - 1) / cpu->block;
    int64_t each = ((cpu->line + pieces - 1) / pieces + VECTOR - 1) / VECTOR * VECTOR;
    return each < cpu->block ? each : cpu->block;
}

/* The same as run_range, with blocks of similar lengths that end where rows do. */
static void run_lines(const tsr_loop_worker *w, int64_t start, int64_t end)
{
    int64_t row = w->l->cpu->line, each = piece_of(w->l->cpu);
    for (int64_t i = start, n; i < end; i += n) {
        n = each - i % row % each;
        n = n < row - i % row ? n : row - i % row;
        n = n < end - i ? n : end - i;
        tsr_loop_run(w, i, n);
    }
}

/* ---- Lists of calls ---- */

/* Bytes from block to block, or from row to row, of an instruction's data in memory. */
static int64_t step_of(const tsr_loop_worker *w, const tsr_cpu_instr *o)
{
    const tsr_xgroup *g = w->l->g;
    const tsr_cpu_code *cpu = w->l->cpu;
    int64_t n = w->row      ? (o->kind == TSR_I_LOAD ? w->line : w->stride)
                : o->by_row ? cpu->block / g->inner
                            : cpu->block;
    return n * (int64_t)tsr_dtype_bytes((tsr_dtype)o->dtype);
}

/* Whether a view is contiguous, or has contiguous rows of so many elements. */
static bool is_of_rows(const tsr_xview *v, int64_t row)
{
    int last = v->space.rank - 1;
    return v->strides[last] == 1 && (!last || v->space.dims[last] == row);
}

/* Elements from row to row of such a view in memory. */
static int64_t row_apart(const tsr_xview *v, int64_t row)
{
    return v->space.rank < 2 ? row : v->strides[v->space.rank - 2];
}

/* Adds a load of rows of views, from element `from` on. False: its rows are others. */
static bool add_rows(const tsr_loop_worker *w, const tsr_cpu_instr *o, int64_t from, int64_t *place,
                     int64_t *step)
{
    int64_t line = w->l->cpu->line;
    *step = w->ways * row_apart(o->view, line);
    if (o->steady) {
        *place = tsr_xview_at(o->view, from);
        return true;
    }
    return is_of_rows(o->view, line) && tsr_is_contiguous(o->view, from, w->row, place);
}

/* Adds a load from element `from` on. False: its elements are not contiguous. */
static bool add_load(const tsr_loop_worker *w, const tsr_cpu_instr *o, int64_t from,
                     tsr_loop_call **end)
{
    int64_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype), place = from, step = 0;
    if (o->whole) {
        step = step_of(w, o) / bytes;
    } else if (w->row && w->l->cpu->line) {
        if (!add_rows(w, o, from, &place, &step))
            return false;
    } else if (o->fixed) {
        place = o->view->offset;
    } else if (!w->row || !o->repeats || !tsr_is_contiguous(o->view, from, w->row, &place)) {
        return false;
    }
    w->at[o->out] = w->l->run->at[o->value] + place * bytes;
    w->step[o->out] = step * bytes;
    if ((o->whole || o->leads) && !o->by_row && w->ask->each)
        *(*end)++ = (tsr_loop_call){.o = o, .in = {w->at[o->out]}, .in_step = {w->step[o->out]}};
    return true;
}

/* Whether all operands of a movement are rows in memory, which it takes in turn. */
static bool takes_turns(const tsr_loop_worker *w, const tsr_cpu_instr *o, const tsr_node *n)
{
    const tsr_run *r = w->l->run;
    bool ok = w->row && w->ways == n->nin && n->move == TSR_MOVE_CONCATENATE &&
              tsr_part_row(r->p, n) == w->l->cpu->line;
    for (uint32_t k = 0; k < n->nin && ok; k++)
        ok = r->at[tsr_storage_of(r->p, n->in[k])] && o->view[k].space.rank <= 2 &&
             is_of_rows(&o->view[k], w->l->cpu->line);
    return ok;
}

/* Adds a concatenation of rows of several operands in turn: the list reads those of one. False: it is another
 * movement. */
static bool add_part(const tsr_loop_worker *w, const tsr_cpu_instr *o, int64_t start)
{
    const tsr_program *p = w->l->run->p;
    const tsr_node *n = &p->nodes.data[o->node];
    if (!takes_turns(w, o, n))
        return false;
    int64_t bytes = tsr_dtype_bytes((tsr_dtype)o->dtype), line = w->l->cpu->line;
    int64_t number = start / line;
    const tsr_xview *v = &o->view[number % w->ways];
    int64_t apart = row_apart(v, line);
    w->at[o->out] = w->l->run->at[tsr_storage_of(p, n->in[number % w->ways])] +
                    (v->offset + number / w->ways * apart + start % line) * bytes;
    w->step[o->out] = apart * bytes;
    return true;
}

/* Adds the call of an instruction, from element start on. False: it has none. */
static bool add_call(const tsr_loop_worker *w, const tsr_cpu_instr *o, int64_t start,
                     tsr_loop_call **end)
{
    const tsr_xgroup *g = w->l->g;
    bool computes = (o->kind == TSR_I_TILE || o->kind == TSR_I_CONVERT) && o->fn;
    bool stores = o->kind == TSR_I_STORE, memory = stores || (computes && writes_memory(w, o));
    int64_t from = o->by_row ? start / g->inner : start;
    if (o->kind == TSR_I_LOAD)
        return add_load(w, o, from, end);
    if (o->kind == TSR_I_PART)
        return add_part(w, o, start);
    bool looks_up = o->kind == TSR_I_LOOKUP && !w->row;
    if (!computes && !stores && !looks_up && o->kind != TSR_I_SPREAD && o->kind != TSR_I_FOLD)
        return false;
    tsr_loop_call c = {.fn = computes && !o->by_row && !o->number ? o->fn : NULL,
                       .o = o,
                       .first = from,
                       .flows = memory};
    c.out = memory ? tsr_loop_place(w, o, from) : w->registers + o->out * w->each;
    c.out_step = memory ? step_of(w, o) : 0;
    c.streams = stores && streams(w, o);
    for (uint8_t i = 0; i < o->nin; i++) {
        c.in[i] = w->at[o->in[i]];
        c.in_step[i] = w->step[o->in[i]];
        c.flows &= c.in_step[i] || o->ones >> i & 1;
    }
    if (!stores || c.in[0] != c.out)
        *(*end)++ = c;
    if (!stores) {
        w->at[o->out] = c.out;
        w->step[o->out] = c.out_step;
    }
    return true;
}

/* Executes an instruction that is not a kernel on all elements of a block. */
static void run_other(const tsr_loop_worker *w, tsr_loop_call *c, int64_t n, int64_t rows)
{
    const tsr_cpu_instr *o = c->o;
    tsr_dtype type = (tsr_dtype)o->dtype;
    size_t count = (size_t)(o->by_row ? rows : n);
    switch ((tsr_instr_kind)o->kind) {
    case TSR_I_LOAD:
        if (w->row && w->l->cpu->line)
            ask_at(w->ask, (const char *)c->in[0] + 2 * c->in_step[0], n, tsr_dtype_bytes(type));
        else
            ask_later(w, c->in[0], n, tsr_dtype_bytes(type));
        break;
    case TSR_I_STORE: tsr_tile_store(type, c->out, c->in[0], count, c->streams); break;
    case TSR_I_SPREAD: spread(o, c->in[0], c->out, rows, w->inner); break;
    case TSR_I_LOOKUP:
        tsr_load_lookup(w->l->run, o, c->first, (int64_t)count, c->in, c->out);
        c->first += (int64_t)count;
        break;
    case TSR_I_FOLD: fold_rows(w, o, c->out, c->in, rows); break;
    default:
        if (o->number)
            tile_rows(o, c->out, c->in, rows, w->inner, tsr_dtype_bytes(type));
        else
            o->fn(c->out, c->in, count);
    }
}

static void run_call(const tsr_loop_worker *w, tsr_loop_call *c, int64_t n, int64_t rows)
{
    if (w->ask->n)
        ask_for(w->ask, w->ask->each);
    if (c->fn)
        c->fn(c->out, c->in, (size_t)n);
    else
        run_other(w, c, n, rows);
    c->out = (char *)((uintptr_t)c->out + (uintptr_t)c->out_step);
    for (int k = 0; k < TSR_TILE_OPERANDS; k++)
        c->in[k] = (const void *)((uintptr_t)c->in[k] + (uintptr_t)c->in_step[k]);
}

/* Runs elements start to end as a list of calls, if all operands are contiguous or the same in all blocks. False: they
 * are not. */
bool tsr_loop_run_calls(const tsr_loop_worker *w, int64_t start, int64_t end)
{
    const tsr_xgroup *g = w->l->g;
    const tsr_cpu_code *cpu = w->l->cpu;
    tsr_loop_call *last = w->calls;
    memset(w->step, 0, cpu->nregister * sizeof *w->step);
    for (uint32_t i = 0; i < cpu->ncode; i++)
        if (!is_once(&cpu->code[i]) && !add_call(w, &cpu->code[i], start, &last))
            return false;
    int64_t block = last == w->calls + 1 && w->calls->flows ? end - start : cpu->block;
    for (int64_t i = start; i < end; i += block) {
        int64_t n = end - i < block ? end - i : block;
        int64_t rows = g->mode == TSR_LOOP_ROWS ? n / g->inner : 0;
        for (tsr_loop_call *c = w->calls; c < last; c++)
            run_call(w, c, n, rows);
    }
    return true;
}

/* The number of whole rows from element start on that are equally far apart in each view. */
static int64_t even_rows(const tsr_cpu_code *cpu, int64_t start, int64_t end)
{
    int64_t row = start / cpu->line, rows = (end - start) / cpu->line;
    for (uint32_t i = 0; i < cpu->ncode; i++) {
        const tsr_cpu_instr *o = &cpu->code[i];
        if (o->kind != TSR_I_LOAD || o->whole || o->invariant || o->view->space.rank < 2)
            continue;
        int64_t dim = o->view->space.dims[o->view->space.rank - 2], left = dim - row % dim;
        rows = rows < left ? rows : left;
    }
    return rows;
}

/* Runs n elements of every w->ways-th row from element start on, one call per row and kernel. False: not possible. */
static bool call_lines(tsr_loop_worker *w, int64_t start, int64_t end, int64_t n)
{
    const tsr_cpu_code *cpu = w->l->cpu;
    tsr_loop_call *last = w->calls;
    bool ok = true;
    w->row = n;
    w->line = w->stride = w->ways * cpu->line;
    memset(w->step, 0, cpu->nregister * sizeof *w->step);
    for (uint32_t i = 0; i < cpu->ncode && ok; i++)
        ok = is_once(&cpu->code[i]) || add_call(w, &cpu->code[i], start, &last);
    for (; ok && start < end; start += w->line)
        for (tsr_loop_call *c = w->calls; c < last; c++)
            run_call(w, c, n, 0);
    w->row = w->line = w->stride = 0;
    return ok;
}

/* Runs whole rows as lists of calls, one list for each operand of a movement and each piece of a row. False: not
 * possible. */
static bool call_views(tsr_loop_worker *w, int64_t start, int64_t end)
{
    const tsr_cpu_code *cpu = w->l->cpu;
    int64_t each = piece_of(cpu);
    bool ok = true;
    w->ways = 1;
    for (uint32_t i = 0; i < cpu->ncode; i++)
        if (cpu->code[i].kind == TSR_I_PART)
            w->ways = w->l->run->p->nodes.data[cpu->code[i].node].nin;
    for (int64_t i = 0; i < w->ways; i++)
        for (int64_t at = 0; at < cpu->line && ok; at += each)
            ok = call_lines(w, start + i * cpu->line + at, end,
                            cpu->line - at < each ? cpu->line - at : each);
    return ok;
}

/* Runs some elements of a loop over rows of views block by block. */
static void run_some(const tsr_loop_worker *w, int64_t start, int64_t end)
{
    enum { LEAST = 192 }; /* elements of a row for which a block costs less than copies */
    if (w->l->cpu->line < LEAST)
        tsr_loop_run_range(w, start, end);
    else
        run_lines(w, start, end);
}

/* Runs a loop over rows of views: whole rows as lists of calls, where that is possible and there are some. */
static void run_views(tsr_loop_worker *w, int64_t start, int64_t end)
{
    enum { FEW = 4 };
    int64_t line = w->l->cpu->line;
    while (start < end) {
        int64_t before = (line - start % line) % line,
                rows = before ? 0 : even_rows(w->l->cpu, start, end);
        int64_t to = start + (before ? before : rows * line);
        if (to == start || to > end)
            break;
        if (rows < FEW)
            run_some(w, start, to);
        else if (!call_views(w, start, to))
            break;
        start = to;
    }
    run_some(w, start, end);
}

static void map_chunk(void *ctx, int64_t chunk, int number)
{
    const tsr_loop *l = ctx;
    tsr_loop_asker ask;
    tsr_loop_worker w = tsr_loop_worker_of(l, number, &ask);
    int64_t start = chunk * l->per_chunk, end = start + l->per_chunk;
    end = end < l->g->n ? end : l->g->n;
    tsr_loop_begin(&w);
    if (tsr_loop_run_calls(&w, start, end))
        return;
    if (l->cpu->line)
        run_views(&w, start, end);
    else
        tsr_loop_run_range(&w, start, end);
}

void tsr_run_loop_chunk(const tsr_run *r, const tsr_xgroup *g, int64_t chunk, int number)
{
    tsr_loop l = tsr_loop_of(r, g);
    l.per_chunk = tsr_loop_chunk(g, l.cpu);
    map_chunk(&l, chunk, number);
}

/* Runs rows of a factor, each as a list of calls. False: rows are too long, or an operand is not contiguous. */
bool tsr_loop_call_rows(tsr_loop_worker *w, const tsr_loop_block *b)
{
    const tsr_cpu_code *cpu = w->l->cpu;
    tsr_loop_call *last = w->calls;
    if (b->cols > cpu->block)
        return false;
    w->line = b->line;
    w->stride = b->stride;
    w->row = b->cols;
    memset(w->step, 0, cpu->nregister * sizeof *w->step);
    bool ok = true;
    for (uint32_t i = 0; i < cpu->ncode && ok; i++)
        ok = is_once(&cpu->code[i]) || add_call(w, &cpu->code[i], b->start, &last);
    for (int64_t row = 0; row < b->rows && ok; row++)
        for (tsr_loop_call *c = w->calls; c < last; c++)
            run_call(w, c, b->cols, 0);
    w->row = 0;
    return ok;
}

void tsr_run_loop(const tsr_run *r, const tsr_xgroup *g)
{
    tsr_loop l = tsr_loop_of(r, g);
    if (g->mode == TSR_LOOP_LONG || g->mode == TSR_LOOP_COLUMNS) {
        tsr_loop_run_partial(&l);
        return;
    }
    l.per_chunk = tsr_loop_chunk(g, l.cpu);
    tsr_pool_for((g->n + l.per_chunk - 1) / l.per_chunk, map_chunk, &l);
}
