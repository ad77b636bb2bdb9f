/* SPDX-License-Identifier: Apache-2.0 */
/* pad.c - padding: every element of the result finds its own in the operand, or is the padding. In vectors where rows are
 * padded by whole vectors. */
#include "gpu/move.h"

enum { VECTOR = 16, AT_ONCE = 4 };

typedef struct {
    int64_t to, of, low, step,
        stride; /* sizes of result and operand; 1 + interior; of the operand */
} axis;

typedef struct {
    axis axes[TSR_VIEW_RANK];
    int rank;
    int64_t bytes, n; /* of an element, and how many there are */
    bool splat;       /* the padding is a number */
} pad;

/* Dimensions that are not padded become part of the one before, if that has no padding between elements. */
static void merge(pad *p)
{
    int n = 0;
    for (int i = 0; i < p->rank; i++) {
        axis a = p->axes[i], *last = p->axes + (n ? n - 1 : 0);
        if (a.to == 1 && a.of == 1 && a.low == 0)
            continue;
        if (n && a.to == a.of && a.low == 0 && a.step == 1 && last->step == 1 &&
            last->stride == a.of * a.stride)
            *last = (axis){last->to * a.to, last->of * a.of, last->low * a.to, 1, a.stride};
        else
            p->axes[n++] = a;
    }
    p->rank = n;
}

static void widen(pad *p, int64_t align)
{
    axis *last = p->axes + (p->rank ? p->rank - 1 : 0);
    if (!p->rank || last->step != 1 || last->stride != 1)
        return;
    for (int64_t f = VECTOR / p->bytes; f > 1; f /= 2) {
        bool ok = last->to % f == 0 && last->of % f == 0 && last->low % f == 0 &&
                  align % (f * p->bytes) == 0;
        for (int i = 0; i + 1 < p->rank; i++)
            ok = ok && p->axes[i].stride % f == 0;
        if (!ok)
            continue;
        for (int i = 0; i + 1 < p->rank; i++)
            p->axes[i].stride /= f;
        last->to /= f, last->of /= f, last->low /= f;
        p->bytes *= f;
        return;
    }
}

/* Writes int64_t at: where the element of the result is in the operand; -1: it is padding. */
static void write_place(tsr_gpu_writer *w, const pad *p)
{
    int bits = p->n > INT32_MAX ? 64 : 32;
    tsr_gpu_line(w, "TSR_FN int64_t place_of(uint%d_t i)", bits);
    tsr_gpu_line(w, "{");
    w->depth++;
    tsr_gpu_line(w, "int64_t at = 0, x;");
    tsr_gpu_line(w, "int in = 1;");
    for (int d = p->rank; d-- > 0;) {
        const axis *a = p->axes + d;
        tsr_gpu_line(w, "x = (int64_t)(i %% %lluu) - %lld;", (unsigned long long)a->to,
                     (long long)a->low);
        tsr_gpu_line(w, "i /= %lluu;", (unsigned long long)a->to);
        if (a->step > 1) {
            tsr_gpu_line(w, "in &= x %% %lld == 0;", (long long)a->step);
            tsr_gpu_line(w, "x = x < 0 ? -1 : x / %lld;", (long long)a->step);
        }
        tsr_gpu_line(w, "in &= x >= 0 && x < %lld;", (long long)a->of);
        tsr_gpu_line(w, "at += x * %lld;", (long long)a->stride);
    }
    tsr_gpu_line(w, "return in ? at : -1;");
    w->depth--;
    tsr_gpu_line(w, "}");
}

/* Writes the padding as a variable, once for all elements of a thread. bytes: of an element of the value. */
static void write_with(tsr_gpu_writer *w, const pad *p, int64_t bytes)
{
    const char *type = tsr_gpu_bits_type(p->bytes);
    if (bytes == VECTOR) {
        tsr_gpu_line(w, p->splat ? "uint64_t with[2] = {TSR_WORD(2), TSR_WORD(3)};"
                                 : "uint64_t with[2];");
        if (!p->splat)
            tsr_gpu_line(w, "memcpy(with, TSR_POINTER(const void, 2), sizeof with);");
    } else if (p->splat) {
        tsr_gpu_line(w, "const uint64_t one = TSR_WORD(2);");
    } else { /* copies of it fill a word */
        tsr_gpu_line(w, "const uint64_t one = *TSR_POINTER(const %s, 2) * UINT64_C(0x%s);",
                     tsr_gpu_bits_type(bytes),
                     bytes == 1   ? "0101010101010101"
                     : bytes == 2 ? "0001000100010001"
                     : bytes == 4 ? "0000000100000001"
                                  : "1");
    }
    if (p->bytes < VECTOR) {
        tsr_gpu_line(w, "const %s none = (%s)one;", type, type);
        return;
    }
    if (bytes < VECTOR)
        tsr_gpu_line(w, "const uint64_t with[2] = {one, one};");
    tsr_gpu_line(w, "tsr_v16 none;");
    tsr_gpu_line(w, "none.at[0] = (uint32_t)with[0], none.at[1] = (uint32_t)(with[0] >> 32);");
    tsr_gpu_line(w, "none.at[2] = (uint32_t)with[1], none.at[3] = (uint32_t)(with[1] >> 32);");
}

static void write_kernel(tsr_gpu_writer *w, const pad *p, int64_t bytes)
{
    const char *type = tsr_gpu_bits_type(p->bytes);
    int bits = p->n > INT32_MAX ? 64 : 32;
    bool vector = p->bytes == VECTOR;
    write_place(w, p);
    tsr_gpu_line(w, "TSR_KERNEL_OF(run, %d, %d, 1)", p->splat ? 4 : 3, TSR_GPU_THREADS);
    tsr_gpu_line(w, "{");
    w->depth++;
    tsr_gpu_line(w, "const %s *from = TSR_POINTER(const %s, 1);", type, type);
    tsr_gpu_line(w, "%s *to = TSR_POINTER(%s, 0);", type, type);
    write_with(w, p, bytes);
    tsr_gpu_line(w, "%s x[%d];", type, AT_ONCE);
    for (int pass = 0; pass < 2; pass++) {
        tsr_gpu_line(w, "TSR_UNROLL");
        tsr_gpu_line(w, "for (uint32_t k = 0; k < %d; k++) {", AT_ONCE);
        w->depth++;
        tsr_gpu_line(w, "const uint%d_t i = ((uint%d_t)TSR_BLOCK(0) * %d + k) * %d + TSR_THREAD;",
                     bits, bits, AT_ONCE, TSR_GPU_THREADS);
        if (pass == 0) {
            tsr_gpu_line(w, "const int64_t at = i < %lluu ? place_of(i) : -1;",
                         (unsigned long long)p->n);
            tsr_gpu_line(w, vector ? "x[k] = at < 0 ? none : tsr_load16(from + at);"
                                   : "x[k] = at < 0 ? none : from[at];");
        } else {
            tsr_gpu_line(w, "if (i < %lluu)", (unsigned long long)p->n);
            tsr_gpu_line(w, vector ? "    tsr_store16(to + i, x[k]);" : "    to[i] = x[k];");
        }
        w->depth--;
        tsr_gpu_line(w, "}");
    }
    w->depth--;
    tsr_gpu_line(w, "}");
}

bool tsr_gpu_pad(tsr_gpu_maker *m, const tsr_node *n)
{
    const tsr_xvalue *to = &m->p->values.data[n->out[0]], *x = &m->p->values.data[n->in[0]];
    int64_t bytes = tsr_dtype_bytes((tsr_dtype)to->dtype);
    pad p = {
        .rank = to->rank, .bytes = bytes, .n = to->n, .splat = tsr_gpu_is_splat(m->p, n->in[1])};
    tsr_xshape s;
    tsr_gpu_shape(m->p, n->in[0], &s);
    for (int i = 0; i < p.rank; i++)
        p.axes[i] = (axis){to->dims[i], x->dims[i], n->numbers[i], n->numbers[p.rank + i] + 1,
                           s.strides[i]};
    if (tsr_gpu_is_splat(m->p, n->in[0]))
        return tsr_gpu_refuse(m, "all elements of the operand are one number");
    merge(&p);
    widen(&p, tsr_gpu_align(m->p, n->in[0], 0));
    p.n = to->n * bytes / p.bytes;
    tsr_gpu_writer w;
    tsr_gpu_writer_init(&w);
    write_kernel(&w, &p, bytes);
    tsr_gpu_word words[4] = {tsr_gpu_at(m, n->out[0], 0), tsr_gpu_at(m, n->in[0], 0)};
    for (int i = 0; i < 2; i++)
        words[2 + i] = p.splat ? tsr_gpu_pattern(m->p, n->in[1], i) : tsr_gpu_at(m, n->in[1], 0);
    int64_t each = AT_ONCE * TSR_GPU_THREADS;
    tsr_gpu_run_kernel(m, &w, (p.n + each - 1) / each, words, p.splat ? 4 : 3);
    return true;
}
