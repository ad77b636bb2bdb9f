/* SPDX-License-Identifier: Apache-2.0 */
/* box.c - text that copies boxes: in vectors of up to 16 bytes where both sides are contiguous, by tiles through shared
 * memory where each side is contiguous along another dimension, element by element otherwise. */
#include "gpu/move.h"

enum {
    VECTOR = 16, /* bytes of the largest access */
    AT_ONCE = 4, /* elements that a thread reads before it writes */
    LEAST = 8,   /* of both dimensions of a tile that pays */
};

const char *tsr_gpu_bits_type(int64_t bytes)
{
    return bytes == 1   ? "uint8_t"
           : bytes == 2 ? "uint16_t"
           : bytes == 4 ? "uint32_t"
           : bytes == 8 ? "uint64_t"
                        : "tsr_v16";
}

/* ---- Offsets ---- */

bool tsr_gpu_is_wide(int rank, const int64_t *dims, const int64_t *strides)
{
    int64_t n = 1, reach = 0;
    for (int i = 0; i < rank; i++) {
        n *= dims[i];
        reach += (dims[i] - 1) * (strides[i] < 0 ? -strides[i] : strides[i]);
    }
    return n > INT32_MAX || reach > INT32_MAX;
}

void tsr_gpu_write_offset(tsr_gpu_writer *w, const char *name, int rank, const int64_t *dims,
                          const int64_t *strides)
{
    int bits = tsr_gpu_is_wide(rank, dims, strides) ? 64 : 32;
    tsr_gpu_line(w, "TSR_FN int%d_t %s(uint%d_t i)", bits, name, bits);
    tsr_gpu_line(w, "{");
    w->depth++;
    tsr_gpu_line(w, "int%d_t at = 0;", bits);
    for (int d = rank; d-- > 0;) {
        const char *rest = d ? "" : "/* the rest */ ";
        if (strides[d] && d)
            tsr_gpu_line(w, "at += (int%d_t)(i %% %lluu) * %lld;", bits,
                         (unsigned long long)dims[d], (long long)strides[d]);
        else if (strides[d])
            tsr_gpu_line(w, "%sat += (int%d_t)i * %lld;", rest, bits, (long long)strides[d]);
        if (d)
            tsr_gpu_line(w, "i /= %lluu;", (unsigned long long)dims[d]);
    }
    tsr_gpu_line(w, "return at;");
    w->depth--;
    tsr_gpu_line(w, "}");
}

static void split(const tsr_gpu_box *b, int64_t *dims, int64_t *to, int64_t *from)
{
    for (int i = 0; i < b->rank; i++) {
        dims[i] = b->axes[i].dim;
        to[i] = b->axes[i].to;
        from[i] = b->axes[i].from;
    }
}

/* ---- Boxes as they are copied ---- */

/* Leaves out dimensions of size 1, and merges those that both sides allow. */
static void merge(tsr_gpu_box *b)
{
    int n = 0;
    for (int i = 0; i < b->rank; i++) {
        tsr_gpu_axis a = b->axes[i], *last = b->axes + (n ? n - 1 : 0);
        if (b->splat)
            a.from = 0;
        if (a.dim == 1)
            continue;
        if (n && last->to == a.dim * a.to && last->from == a.dim * a.from)
            *last = (tsr_gpu_axis){last->dim * a.dim, a.to, a.from};
        else
            b->axes[n++] = a;
    }
    b->rank = (uint8_t)n;
}

static bool widens_by(const tsr_gpu_box *b, int64_t f)
{
    bool ok = b->axes[b->rank - 1].dim % f == 0 && b->to_align % (f * b->bytes) == 0 &&
              (b->splat || b->from_align % (f * b->bytes) == 0);
    for (int i = 0; i + 1 < b->rank; i++)
        ok = ok && b->axes[i].to % f == 0 && b->axes[i].from % f == 0;
    return ok;
}

/* Several elements at a time become one. */
static void widen(tsr_gpu_box *b)
{
    if (!b->rank || b->axes[b->rank - 1].to != 1 || (!b->splat && b->axes[b->rank - 1].from != 1))
        return;
    int64_t f = VECTOR / b->bytes;
    while (f > 1 && !widens_by(b, f))
        f /= 2;
    for (int i = 0; i + 1 < b->rank; i++) {
        b->axes[i].to /= f;
        b->axes[i].from /= f;
    }
    b->axes[b->rank - 1].dim /= f;
    b->bytes *= f;
}

/* ---- Element by element ---- */

static void write_part_of_splat(tsr_gpu_writer *w, int64_t bytes)
{
    if (bytes < VECTOR) {
        tsr_gpu_line(w, "const %s x = (%s)low;", tsr_gpu_bits_type(bytes),
                     tsr_gpu_bits_type(bytes));
        return;
    }
    tsr_gpu_line(w, "tsr_v16 x;");
    tsr_gpu_line(w, "x.at[0] = (uint32_t)low, x.at[1] = (uint32_t)(low >> 32);");
    tsr_gpu_line(w, "x.at[2] = (uint32_t)high, x.at[3] = (uint32_t)(high >> 32);");
}

static void write_store(tsr_gpu_writer *w, const char *name, int64_t bytes, const char *x)
{
    if (bytes == VECTOR)
        tsr_gpu_line(w, "tsr_store16(to + %s_to(i), %s);", name, x);
    else
        tsr_gpu_line(w, "to[%s_to(i)] = %s;", name, x);
}

static void write_loop(tsr_gpu_writer *w, int bits, int64_t n, bool clamps)
{
    tsr_gpu_line(w, "TSR_UNROLL");
    tsr_gpu_line(w, "for (uint32_t k = 0; k < %d; k++) {", AT_ONCE);
    w->depth++;
    tsr_gpu_line(w, "uint%d_t i = ((uint%d_t)block * %d + k) * %d + TSR_THREAD;", bits, bits,
                 AT_ONCE, TSR_GPU_THREADS);
    if (clamps) /* reads an element that is there */
        tsr_gpu_line(w, "i = i < %lluu ? i : %lluu;", (unsigned long long)n,
                     (unsigned long long)n - 1);
}

static void end_loop(tsr_gpu_writer *w)
{
    w->depth--;
    tsr_gpu_line(w, "}");
}

static int64_t write_elements(tsr_gpu_writer *w, const char *name, const tsr_gpu_box *b)
{
    int64_t dims[TSR_VIEW_RANK], to[TSR_VIEW_RANK], from[TSR_VIEW_RANK], n = 1;
    const char *type = tsr_gpu_bits_type(b->bytes);
    split(b, dims, to, from);
    for (int i = 0; i < b->rank; i++)
        n *= dims[i];
    tsr_gpu_write_offset(w, tsr_text_of(&w->text, "%s_to", name), b->rank, dims, to);
    if (!b->splat)
        tsr_gpu_write_offset(w, tsr_text_of(&w->text, "%s_from", name), b->rank, dims, from);
    int bits = n > INT32_MAX ? 64 : 32;
    tsr_gpu_line(w, "TSR_FN void %s(%s, void *target, uint32_t block, void *room)", name,
                 b->splat ? "uint64_t low, uint64_t high" : "const void *source");
    tsr_gpu_line(w, "{");
    w->depth++;
    tsr_gpu_line(w, "%s *to = (%s *)target;", type, type);
    if (b->splat) {
        write_part_of_splat(w, b->bytes);
    } else {
        tsr_gpu_line(w, "const %s *from = (const %s *)source;", type, type);
        tsr_gpu_line(w, "%s x[%d];", type, AT_ONCE);
        write_loop(w, bits, n, true);
        tsr_gpu_line(w,
                     b->bytes == VECTOR ? "x[k] = tsr_load16(from + %s_from(i));"
                                        : "x[k] = from[%s_from(i)];",
                     name);
        end_loop(w);
    }
    write_loop(w, bits, n, false);
    tsr_gpu_line(w, "if (i < %lluu)", (unsigned long long)n);
    w->depth++;
    write_store(w, name, b->bytes, b->splat ? "x" : "x[k]");
    w->depth--;
    end_loop(w);
    w->depth--;
    tsr_gpu_line(w, "}");
    int64_t each = AT_ONCE * TSR_GPU_THREADS;
    return (n + each - 1) / each;
}

/* ---- Tiles ---- */

/* The dimension that is contiguous in the source, beside the last one, which is contiguous in the target. */
typedef struct {
    const char *name;
    int64_t bytes, side,
        pitch; /* of an element; elements of a tile's side, and from line to line of it */
    int64_t a, b, from_b, to_a; /* sizes; strides of the lines that are read, and written */
    int64_t from_a;             /* 1 or -1 */
    int64_t reads, writes;      /* elements of an access */
    int rank;                   /* of the other dimensions */
    int64_t dims[TSR_VIEW_RANK], to[TSR_VIEW_RANK], from[TSR_VIEW_RANK];
} tile;

/* How many elements an access can have whose lines are at these strides. */
static int64_t access_of(const tile *t, int64_t dim, int64_t align, int64_t stride,
                         const int64_t *others)
{
    for (int64_t bytes = VECTOR; bytes >= 8 && bytes > t->bytes; bytes /= 2) {
        int64_t f = bytes / t->bytes;
        bool ok = dim % f == 0 && align % bytes == 0 && stride % f == 0;
        for (int i = 0; i < t->rank; i++)
            ok = ok && others[i] % f == 0;
        if (ok)
            return f;
    }
    return 1;
}

/* False: the box has no two such dimensions. */
static bool find_tile(const tsr_gpu_box *b, tile *t)
{
    int last = b->rank - 1, at = -1;
    for (int i = 0; i < last; i++)
        if (b->axes[i].from == 1 || b->axes[i].from == -1)
            at = i;
    if (at < 0 || b->splat || b->bytes > 8 || b->axes[last].to != 1 || b->axes[last].dim < LEAST ||
        b->axes[at].dim < LEAST)
        return false;
    const tsr_gpu_axis *x = b->axes + at, *y = b->axes + last;
    if (y->from == 0 || x->dim > INT32_MAX || y->dim > INT32_MAX)
        return false;
    t->bytes = b->bytes;
    t->side = b->bytes == 1 ? 128 : b->bytes == 8 ? 32 : 64;
    t->pitch = t->side + (b->bytes < 4 ? 4 / b->bytes : 1); /* an odd number of words */
    t->a = x->dim, t->b = y->dim, t->from_a = x->from, t->from_b = y->from, t->to_a = x->to;
    t->rank = 0;
    for (int i = 0; i < last; i++)
        if (i != at) {
            t->dims[t->rank] = b->axes[i].dim;
            t->to[t->rank] = b->axes[i].to;
            t->from[t->rank++] = b->axes[i].from;
        }
    t->reads = t->from_a == 1 ? access_of(t, t->a, b->from_align, t->from_b, t->from) : 1;
    t->writes = access_of(t, t->b, b->to_align, t->to_a, t->to);
    return true;
}

static const char *access_type(const tile *t, int64_t n)
{
    return n == 1 ? tsr_gpu_bits_type(t->bytes) : n * t->bytes == VECTOR ? "tsr_v16" : "tsr_v8";
}

/* For the parts of a tile that a thread reads, or writes: number along the contiguous dimension, and line. */
static void write_each(tsr_gpu_writer *w, const tile *t, int64_t n, const char *along,
                       const char *line)
{
    int64_t parts = t->side / n;
    tsr_gpu_line(w, "TSR_UNROLL");
    tsr_gpu_line(w, "for (uint32_t k = 0; k < %lld; k++) {",
                 (long long)(parts * t->side / TSR_GPU_THREADS));
    w->depth++;
    tsr_gpu_line(w,
                 "const uint32_t v = k * %d + TSR_THREAD, %s = v %% %lldu * %lld, %s = v / %lldu;",
                 TSR_GPU_THREADS, along, (long long)parts, (long long)n, line, (long long)parts);
    tsr_gpu_line(w, "const int in = first_a + a < %lldu && first_b + b < %lldu;", (long long)t->a,
                 (long long)t->b);
}

static void write_reads(tsr_gpu_writer *w, const tile *t)
{
    const char *type = access_type(t, t->reads);
    const char *load = t->reads == 1                   ? "*"
                       : t->reads * t->bytes == VECTOR ? "tsr_load16"
                                                       : "tsr_load8";
    tsr_gpu_line(w, "%s x[%lld], none;", type,
                 (long long)(t->side / t->reads * t->side / TSR_GPU_THREADS));
    tsr_gpu_line(w, "memset(&none, 0, sizeof none);");
    write_each(w, t, t->reads, "a", "b");
    tsr_gpu_line(w,
                 "x[k] = in ? %s(from + (int64_t)(first_a + a) * %lld + (int64_t)b * %lld) : none;",
                 load, (long long)t->from_a, (long long)t->from_b);
    end_loop(w);
    write_each(w, t, t->reads, "a", "b");
    if (t->reads == 1) {
        tsr_gpu_line(w, "tile[b * %lld + a] = x[k];", (long long)t->pitch);
    } else { /* an access is words */
        tsr_gpu_line(w, "uint32_t *words = (uint32_t *)(tile + b * %lld + a);",
                     (long long)t->pitch);
        tsr_gpu_line(w, "for (uint32_t j = 0; j < %lld; j++)",
                     (long long)(t->reads * t->bytes / 4));
        tsr_gpu_line(w, "    words[j] = x[k].at[j];");
    }
    end_loop(w);
}

static void write_writes(tsr_gpu_writer *w, const tile *t)
{
    const char *type = access_type(t, t->writes);
    write_each(w, t, t->writes, "b", "a");
    tsr_gpu_line(w, "if (!in)");
    tsr_gpu_line(w, "    continue;");
    tsr_gpu_line(w, "%s *at = to + first_b + b + (int64_t)a * %lld;", tsr_gpu_bits_type(t->bytes),
                 (long long)t->to_a);
    if (t->writes == 1) {
        tsr_gpu_line(w, "*at = tile[b * %lld + a];", (long long)t->pitch);
        end_loop(w);
        return;
    }
    tsr_gpu_line(w, "%s y;", type);
    tsr_gpu_line(w, "memset(&y, 0, sizeof y);");
    tsr_gpu_line(w, "for (uint32_t j = 0; j < %lld; j++) {", (long long)t->writes);
    w->depth++;
    const char *one = tsr_text_of(&w->text, "tile[(b + j) * %lld + a]", (long long)t->pitch);
    if (t->bytes < 8) {
        tsr_gpu_line(w, "y.at[j / %lld] |= (uint32_t)%s << j %% %lld * %lld;",
                     (long long)(4 / t->bytes), one, (long long)(4 / t->bytes),
                     (long long)8 * t->bytes);
    } else {
        tsr_gpu_line(w, "y.at[2 * j] = (uint32_t)%s;", one);
        tsr_gpu_line(w, "y.at[2 * j + 1] = (uint32_t)(%s >> 32);", one);
    }
    w->depth--;
    tsr_gpu_line(w, "}");
    tsr_gpu_line(w, "tsr_store%lld(at, y);", (long long)t->writes * t->bytes);
    end_loop(w);
}

static int64_t write_tiles(tsr_gpu_writer *w, const char *name, const tile *t, uint32_t *shared)
{
    const char *type = tsr_gpu_bits_type(t->bytes);
    int64_t na = (t->a + t->side - 1) / t->side, nb = (t->b + t->side - 1) / t->side, n = na * nb;
    for (int i = 0; i < t->rank; i++)
        n *= t->dims[i];
    tsr_gpu_write_offset(w, tsr_text_of(&w->text, "%s_to", name), t->rank, t->dims, t->to);
    tsr_gpu_write_offset(w, tsr_text_of(&w->text, "%s_from", name), t->rank, t->dims, t->from);
    tsr_gpu_line(w, "TSR_FN void %s(const void *source, void *target, uint32_t block, void *room)",
                 name);
    tsr_gpu_line(w, "{");
    w->depth++;
    tsr_gpu_line(w, "const uint32_t first_a = block %% %lldu * %lld;", (long long)na,
                 (long long)t->side);
    tsr_gpu_line(w, "const uint32_t first_b = block / %lldu %% %lldu * %lld;", (long long)na,
                 (long long)nb, (long long)t->side);
    tsr_gpu_line(w, "const uint32_t matrix = block / %lluu;", (unsigned long long)na * nb);
    tsr_gpu_line(w,
                 "const %s *from = (const %s *)source + %s_from(matrix) + (int64_t)first_b * %lld;",
                 type, type, name, (long long)t->from_b);
    tsr_gpu_line(w, "%s *to = (%s *)target + %s_to(matrix) + (int64_t)first_a * %lld;", type, type,
                 name, (long long)t->to_a);
    tsr_gpu_line(w, "%s *tile = (%s *)room;", type, type);
    write_reads(w, t);
    tsr_gpu_line(w, "TSR_BARRIER();");
    write_writes(w, t);
    w->depth--;
    tsr_gpu_line(w, "}");
    *shared = (uint32_t)(t->side * t->pitch * t->bytes);
    return n;
}

int64_t tsr_gpu_write_box(tsr_gpu_writer *w, const char *name, tsr_gpu_box box, uint32_t *shared)
{
    tile t;
    *shared = 0;
    for (int i = 0; i < box.rank; i++)
        if (box.axes[i].dim == 0)
            return 0;
    merge(&box);
    widen(&box);
    return find_tile(&box, &t) ? write_tiles(w, name, &t, shared) : write_elements(w, name, &box);
}
