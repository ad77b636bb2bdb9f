/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c - gathers: each element of the result finds its place by an index, which is clamped. In vectors where windows
 * are contiguous. */
#include "gpu/move.h"

#include "exec/places.h"

enum { VECTOR = 16, AT_ONCE = 4 };

static int64_t bytes_of(const tsr_program *p, tsr_xid v)
{
    return tsr_dtype_bytes((tsr_dtype)p->values.data[v].dtype);
}

/* Writes a kernel with words to, from, index: each element of n in order is copied from offset place_of(index, i). */
static bool write_kernel(tsr_gpu_maker *m, tsr_gpu_writer *w, const tsr_node *n, int64_t bytes,
                         int64_t count)
{
    const char *type = tsr_gpu_bits_type(bytes);
    int bits = count > INT32_MAX ? 64 : 32;
    int64_t each = AT_ONCE * TSR_GPU_THREADS, blocks = (count + each - 1) / each;
    tsr_gpu_line(w, "TSR_KERNEL_OF(run, 3, %d, 1)", TSR_GPU_THREADS);
    tsr_gpu_line(w, "{");
    w->depth++;
    tsr_gpu_line(w, "const %s *from = TSR_POINTER(const %s, 1);", type, type);
    tsr_gpu_line(w, "%s *to = TSR_POINTER(%s, 0), x[%d];", type, type, AT_ONCE);
    for (int pass = 0; pass < 2; pass++) {
        tsr_gpu_line(w, "TSR_UNROLL");
        tsr_gpu_line(w, "for (uint32_t k = 0; k < %d; k++) {", AT_ONCE);
        w->depth++;
        tsr_gpu_line(w, "uint%d_t i = ((uint%d_t)TSR_BLOCK(0) * %d + k) * %d + TSR_THREAD;", bits,
                     bits, AT_ONCE, TSR_GPU_THREADS);
        if (pass == 0) {
            tsr_gpu_line(w, "i = i < %lluu ? i : %lluu;", (unsigned long long)count,
                         (unsigned long long)count - 1);
            tsr_gpu_line(w,
                         bytes == VECTOR
                             ? "x[k] = tsr_load16(from + place_of(TSR_POINTER(const void, 2), i));"
                             : "x[k] = from[place_of(TSR_POINTER(const void, 2), i)];");
        } else {
            tsr_gpu_line(w, "if (i < %lluu)", (unsigned long long)count);
            tsr_gpu_line(w,
                         bytes == VECTOR ? "    tsr_store16(to + i, x[k]);" : "    to[i] = x[k];");
        }
        w->depth--;
        tsr_gpu_line(w, "}");
    }
    w->depth--;
    tsr_gpu_line(w, "}");
    if (blocks > INT32_MAX)
        return tsr_gpu_refuse(m, "it has too many elements");
    const tsr_gpu_word words[] = {tsr_gpu_at(m, n->out[0], 0), tsr_gpu_at(m, n->in[0], 0),
                                  tsr_gpu_at(m, n->in[1], 0)};
    tsr_gpu_run_kernel(m, w, blocks, words, 3);
    return true;
}

static const char *write_reader(tsr_gpu_maker *m, tsr_gpu_writer *w, tsr_xid index)
{
    return tsr_text_reader(&w->text, (tsr_dtype)m->p->values.data[index].dtype);
}

/* ---- Rows ---- */

bool tsr_gpu_take_rows(tsr_gpu_maker *m, const tsr_node *n)
{
    const tsr_xvalue *x = &m->p->values.data[n->in[0]], *at = &m->p->values.data[n->in[1]];
    int64_t bytes = bytes_of(m->p, n->in[0]), row = x->n / x->dims[0] * bytes, vector = VECTOR;
    int64_t align = tsr_gpu_align(m->p, n->in[0], 0);
    while (row % vector || align % vector)
        vector /= 2;
    vector = vector > bytes ? vector : bytes;
    int64_t each = row / vector, count = at->n * each;
    int bits = count > INT32_MAX ? 64 : 32;
    if (!count)
        return true;
    tsr_gpu_writer w;
    tsr_gpu_writer_init(&w);
    const char *reader = write_reader(m, &w, n->in[1]);
    tsr_gpu_line(&w, "TSR_FN int64_t place_of(const void *index, uint%d_t i)", bits);
    tsr_gpu_line(&w, "{");
    tsr_gpu_line(&w, "    const int64_t row = %s(index, i / %lluu), last = %lld;", reader,
                 (unsigned long long)each, (long long)x->dims[0] - 1);
    tsr_gpu_line(&w, "    return (row < 0 ? 0 : row > last ? last : row) * %lld + i %% %lluu;",
                 (long long)each, (unsigned long long)each);
    tsr_gpu_line(&w, "}");
    return write_kernel(m, &w, n, vector, count);
}

/* ---- Windows ---- */

/* A dimension of the result. */
typedef struct {
    int64_t dim, part, whole, index; /* size; strides in the result, the operand and the index */
} axis;

/* The dimensions of the result in its own order; returns how many there are. The innermost run of windows is one. */
static int axes_of(const tsr_places_plan *p, axis *out)
{
    int n = 0;
    for (uint8_t i = 0; i < p->nloop; i++)
        if (p->loop[i] > 1)
            out[n++] = (axis){p->loop[i], p->part_step[i], p->whole_step[i], p->index_step[i]};
    for (uint8_t i = 0; i < p->nouter; i++)
        if (p->window[i] > 1)
            out[n++] = (axis){p->window[i], p->part_stride[i], p->whole_stride[i], 0};
    if (p->run > 1)
        out[n++] = (axis){p->run, 1, 1, 0};
    for (int i = 1; i < n; i++) /* by the result's strides */
        for (int k = i; k > 0 && out[k - 1].part < out[k].part; k--) {
            axis a = out[k];
            out[k] = out[k - 1];
            out[k - 1] = a;
        }
    return n;
}

/* How many elements are copied at a time. */
static int64_t vector_of(const tsr_places_plan *p, const axis *axes, int n, int64_t bytes,
                         int64_t align)
{
    for (int64_t f = VECTOR / bytes; f > 1; f /= 2) {
        bool ok = p->run % f == 0 && align % (f * bytes) == 0;
        for (int i = 0; i + 1 < n; i++)
            ok = ok && axes[i].whole % f == 0;
        for (uint8_t k = 0; k < p->nmap; k++)
            ok = ok && (p->stride[k] % f == 0 || p->room[k] == 0);
        if (ok)
            return f;
    }
    return 1;
}

bool tsr_gpu_gather(tsr_gpu_maker *m, const tsr_node *n)
{
    const tsr_places_plan *p = n->places;
    axis axes[2 * TSR_MAX_RANK];
    int rank = axes_of(p, axes);
    int64_t bytes = bytes_of(m->p, n->in[0]), dims[2 * TSR_MAX_RANK], whole[2 * TSR_MAX_RANK],
            index[2 * TSR_MAX_RANK],
            f = vector_of(p, axes, rank, bytes, tsr_gpu_align(m->p, n->in[0], 0));
    int64_t count = m->p->values.data[n->out[0]].n / f;
    for (int i = 0; i < rank; i++) {
        bool last = i == rank - 1;
        dims[i] = last ? axes[i].dim / f : axes[i].dim;
        whole[i] = last ? axes[i].whole : axes[i].whole / f;
        index[i] = axes[i].index;
    }
    tsr_gpu_writer w;
    tsr_gpu_writer_init(&w);
    const char *reader = write_reader(m, &w, n->in[1]);
    int bits = count > INT32_MAX ? 64 : 32;
    tsr_gpu_write_offset(&w, "window_at", rank, dims, whole);
    tsr_gpu_write_offset(&w, "index_at", rank, dims, index);
    tsr_gpu_line(&w, "TSR_FN int64_t place_of(const void *index, uint%d_t i)", bits);
    tsr_gpu_line(&w, "{");
    w.depth++;
    tsr_gpu_line(&w, "const int64_t first = index_at(i);");
    tsr_gpu_line(&w, "int64_t at = window_at(i), x;");
    for (uint8_t k = 0; k < p->nmap; k++) {
        if (!p->room[k])
            continue;
        tsr_gpu_line(&w, "x = %s(index, first + %lld);", reader, (long long)k * p->vector_step);
        tsr_gpu_line(&w, "at += (x < 0 ? 0 : x > %lld ? %lld : x) * %lld;", (long long)p->room[k],
                     (long long)p->room[k], (long long)(p->stride[k] / f));
    }
    tsr_gpu_line(&w, "(void)first, (void)x;");
    tsr_gpu_line(&w, "return at;");
    w.depth--;
    tsr_gpu_line(&w, "}");
    return write_kernel(m, &w, n, f * bytes, count);
}
