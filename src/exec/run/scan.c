/* scan.c - runs scans: each result combines an element with all those before it, or after it, along a dimension.
 *
 * Elements of the inner dimensions are scanned together. Where the scanned dimension is the innermost one, blocks of
 * rows are transposed in the nearest cache. Chunks depend on shapes alone. */
#include "base/threads.h"
#include "exec/kernel/isa/isa.h"
#include "exec/run/move.h"

enum { ROWS = 64, PIECE = 128, CHUNK = 1 << 14 };

typedef struct {
    tsr_join join;
    const char *in;
    char *out;
    int64_t outer, n, inner, bytes;
    int64_t cols, strips; /* inner elements of a chunk; chunks per scan */
    bool backwards;
} scan;

tsr_join tsr_join_of(tsr_tile_op tile, tsr_dtype type)
{
    tsr_dtype wide = tsr_register_type(type);
    return (tsr_join){.fn = tsr_tile_find(tile, wide),
                      .widen = wide == type ? NULL : tsr_tile_convert(wide, type),
                      .narrow = wide == type ? NULL : tsr_tile_convert(type, wide),
                      .bytes = tsr_dtype_bytes(type)};
}

void tsr_join_narrow(const tsr_join *j, char *to, const char *a, const char *b, int64_t n)
{
    _Alignas(64) float x[ROWS], y[ROWS];
    for (int64_t i = 0; i < n; i += ROWS) {
        size_t some = (size_t)(n - i < ROWS ? n - i : ROWS);
        const void *p[1] = {a + i * j->bytes}, *q[1] = {b + i * j->bytes}, *sum[1] = {x};
        const void *wide[2] = {x, y};
        j->widen(x, p, some);
        j->widen(y, q, some);
        j->fn(x, wide, some);
        j->narrow(to + i * j->bytes, sum, some);
    }
}

/* Scans lines of width elements, line elements apart: each is combined with the one before. */
static void run_lines(const scan *s, const char *in, char *out, int64_t line, int64_t width)
{
    int64_t step = (s->backwards ? -line : line) * s->bytes,
            at = s->backwards ? (s->n - 1) * line * s->bytes : 0;
    memcpy(out + at, in + at, (size_t)(width * s->bytes));
    for (int64_t i = 1; i < s->n; i++) {
        at += step;
        tsr_join_run(&s->join, out + at, out + at - step, in + at, width);
    }
}

static void strip_chunk(void *ctx, int64_t chunk, int worker)
{
    const scan *s = ctx;
    int64_t col = chunk % s->strips * s->cols, from = chunk / s->strips * s->n * s->inner + col;
    int64_t width = s->inner - col < s->cols ? s->inner - col : s->cols;
    (void)worker;
    run_lines(s, s->in + from * s->bytes, s->out + from * s->bytes, s->inner, width);
}

/* Scans ROWS rows at a time, transposed: elements of the same column are contiguous. */
static void rows_chunk(void *ctx, int64_t chunk, int worker)
{
    const scan *s = ctx;
    const tsr_isa *isa = tsr_isa_now();
    int64_t first = chunk * ROWS, rows = s->outer - first < ROWS ? s->outer - first : ROWS;
    int64_t line = s->n * s->bytes, width = rows * s->bytes;
    /* The line before a piece, then the piece. */
    _Alignas(64) char transposed[(PIECE + 1) * ROWS * 8];
    char *piece = transposed + width, last[ROWS * 8];
    (void)worker;
    for (int64_t done = 0, n; done < s->n; done += n) {
        n = s->n - done < PIECE ? s->n - done : PIECE;
        int64_t at = first * s->n + (s->backwards ? s->n - done - n : done);
        isa->transpose((uint32_t)s->bytes, s->in + at * s->bytes, line, piece, width, rows, n);
        for (int64_t k = done ? 0 : 1; k < n; k++) {
            char *to = piece + (s->backwards ? n - 1 - k : k) * width;
            const char *before = k == 0 ? last : to + (s->backwards ? width : -width);
            tsr_join_run(&s->join, to, before, to, rows);
        }
        memcpy(last, piece + (s->backwards ? 0 : n - 1) * width, (size_t)width);
        isa->transpose((uint32_t)s->bytes, piece, width, s->out + at * s->bytes, line, n, rows);
    }
}

void tsr_run_scan(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *x = &r->p->values.data[n->out[0]];
    enum { FEW = 8 };
    scan s = {.join = tsr_join_of((tsr_tile_op)n->numbers[2], (tsr_dtype)x->dtype),
              .in = tsr_run_at(r, n->in[0]),
              .out = r->at[n->out[0]],
              .outer = 1,
              .n = x->dims[n->numbers[0]],
              .inner = 1,
              .bytes = tsr_dtype_bytes((tsr_dtype)x->dtype),
              .backwards = n->numbers[1] != 0};
    for (int64_t i = 0; i < x->rank; i++)
        *(i < n->numbers[0] ? &s.outer : &s.inner) *= i == n->numbers[0] ? 1 : x->dims[i];
    if (s.inner == 1 && s.outer >= FEW) {
        tsr_pool_for((s.outer + ROWS - 1) / ROWS, rows_chunk, &s);
        return;
    }
    int64_t cols = CHUNK / s.n;
    s.cols = cols < ROWS ? ROWS : cols;
    s.cols = s.cols < s.inner ? s.cols : s.inner;
    s.strips = (s.inner + s.cols - 1) / s.cols;
    tsr_pool_for(s.outer * s.strips, strip_chunk, &s);
}
