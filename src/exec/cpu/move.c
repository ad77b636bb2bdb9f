/* SPDX-License-Identifier: Apache-2.0 */
/* move.c - runs movements: copies boxes of elements. */
#include "exec/kernel/move.h"

#include "exec/cpu/move.h"

/* Strides of an operand over its own shape. */
static const int64_t *strides_of(const tsr_run *r, tsr_xid v, tsr_xshape *space)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    if (x->place == TSR_PLACE_VIEW)
        *space = *x->view;
    else
        tsr_xshape_whole(space, x->dims, x->rank);
    return space->strides;
}

static uint32_t bytes_of(const tsr_xvalue *x)
{
    return tsr_dtype_bytes((tsr_dtype)x->dtype);
}

static void copy(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *to = &r->p->values.data[n->out[0]];
    tsr_xshape from, out;
    strides_of(r, n->in[0], &from);
    tsr_xshape_whole(&out, to->dims, to->rank);
    tsr_move_box(bytes_of(to), r->at[n->out[0]], out.strides, tsr_run_at(r, n->in[0]), from.strides,
                 to->dims, to->rank);
}

static void copy_bytes(const tsr_run *r, const tsr_node *n)
{
    int64_t bytes = (int64_t)tsr_xvalue_bytes(&r->p->values.data[n->out[0]]), one = 1;
    tsr_move_box(1, r->at[n->out[0]], &one, tsr_run_at(r, n->in[0]), &one, &bytes, 1);
}

static void concatenate(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *to = &r->p->values.data[n->out[0]];
    int64_t d = n->numbers[0];
    tsr_xshape out, from;
    tsr_xshape_whole(&out, to->dims, to->rank);
    char *at = r->at[n->out[0]];
    for (uint32_t i = 0; i < n->nin; i++) {
        const tsr_xvalue *x = &r->p->values.data[n->in[i]];
        strides_of(r, n->in[i], &from);
        if (x->n)
            tsr_move_box(bytes_of(to), at, out.strides, tsr_run_at(r, n->in[i]), from.strides,
                         x->dims, x->rank);
        at += x->dims[d] * out.strides[d] * (int64_t)bytes_of(to);
    }
}

/* Whether a value is row major in memory. */
static bool is_plain(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    tsr_xshape from, whole;
    strides_of(r, v, &from);
    tsr_xshape_whole(&whole, x->dims, x->rank);
    return x->place != TSR_PLACE_SPLAT && x->place != TSR_PLACE_IOTA &&
           memcmp(from.strides, whole.strides, x->rank * sizeof *from.strides) == 0;
}

static void weave(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *to = &r->p->values.data[n->out[0]];
    uint32_t bytes = bytes_of(to) / 2;
    tsr_xshape out, from;
    tsr_xshape_whole(&out, to->dims, to->rank);
    if (is_plain(r, n->in[0]) && is_plain(r, n->in[1])) {
        tsr_weave(bytes, r->at[n->out[0]], tsr_run_at(r, n->in[0]), tsr_run_at(r, n->in[1]), to->n);
        return;
    }
    for (uint8_t i = 0; i < to->rank; i++)
        out.strides[i] *= 2;
    for (uint32_t i = 0; i < 2; i++) {
        strides_of(r, n->in[i], &from);
        tsr_move_box(bytes, r->at[n->out[0]] + i * bytes, out.strides, tsr_run_at(r, n->in[i]),
                     from.strides, to->dims, to->rank);
    }
}

static void pad(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *to = &r->p->values.data[n->out[0]], *x = &r->p->values.data[n->in[0]];
    tsr_xshape out, from;
    tsr_xshape_whole(&out, to->dims, to->rank);
    strides_of(r, n->in[0], &from);
    tsr_tile_splat((tsr_dtype)to->dtype, r->at[n->out[0]], tsr_run_at(r, n->in[1]), (size_t)to->n);
    int64_t dims[TSR_VIEW_RANK], strides[TSR_VIEW_RANK], first = 0, skip = 0;
    for (uint8_t i = 0; i < to->rank; i++) {
        int64_t step = n->numbers[to->rank + i] + 1, at = n->numbers[i], begin = 0;
        /* Elements outside are skipped. */
        if (at < 0)
            begin = (-at + step - 1) / step;
        int64_t end = x->dims[i];
        if (end > 0 && at + (end - 1) * step >= to->dims[i])
            end = to->dims[i] - 1 - at < 0 ? 0 : (to->dims[i] - 1 - at) / step + 1;
        if (end <= begin)
            return;
        dims[i] = end - begin;
        strides[i] = step * out.strides[i];
        first += (at + begin * step) * out.strides[i];
        skip += begin * from.strides[i];
    }
    int64_t bytes = bytes_of(to);
    tsr_move_box((size_t)bytes, r->at[n->out[0]] + first * bytes, strides,
                 tsr_run_at(r, n->in[0]) + skip * bytes, from.strides, dims, to->rank);
}

/* Start indices, from operand number first on or from the node's numbers, clamped so that the box fits. */
static int64_t place_of(const tsr_run *r, const tsr_node *n, uint32_t first, const int64_t *of,
                        const int64_t *box, const int64_t *strides, uint8_t rank)
{
    int64_t place = 0;
    for (uint8_t i = 0; i < rank; i++) {
        int64_t at = 0;
        if (first + i < n->nin) {
            const tsr_xvalue *x = &r->p->values.data[n->in[first + i]];
            tsr_convert(TSR_D_I64, &at, (tsr_dtype)x->dtype, tsr_run_at(r, n->in[first + i]), 1);
            if (x->dtype == TSR_D_U64 && at < 0)
                at = INT64_MAX;
        } else {
            at = n->numbers[i];
        }
        int64_t most = of[i] - box[i];
        at = at > most ? most : at;
        place += (at < 0 ? 0 : at) * strides[i];
    }
    return place;
}

static void dynamic_slice(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *to = &r->p->values.data[n->out[0]], *x = &r->p->values.data[n->in[0]];
    tsr_xshape out, from;
    tsr_xshape_whole(&out, to->dims, to->rank);
    strides_of(r, n->in[0], &from);
    int64_t place = place_of(r, n, 1, x->dims, to->dims, from.strides, to->rank);
    char *at = tsr_run_at(r, n->in[0]) + place * (int64_t)bytes_of(to);
    for (tsr_xid v = n->out[0] + 1; to->slice_of && v; v = r->p->values.data[v - 1].heir)
        r->at[v - 1] = at;
    if (!to->slice_of)
        tsr_move_box(bytes_of(to), r->at[n->out[0]], out.strides, at, from.strides, to->dims,
                     to->rank);
}

static void update_slice(const tsr_run *r, const tsr_node *n)
{
    const tsr_xvalue *to = &r->p->values.data[n->out[0]], *x = &r->p->values.data[n->in[1]];
    tsr_xshape out, from;
    tsr_xshape_whole(&out, to->dims, to->rank);
    strides_of(r, n->in[1], &from);
    char *at = r->at[n->out[0]], *old = tsr_run_at(r, n->in[0]);
    if (at != old)
        memcpy(at, old, (size_t)to->n * bytes_of(to));
    if (!x->n)
        return;
    int64_t place = place_of(r, n, 2, to->dims, x->dims, out.strides, to->rank);
    tsr_move_box(bytes_of(to), at + place * (int64_t)bytes_of(to), out.strides,
                 tsr_run_at(r, n->in[1]), from.strides, x->dims, x->rank);
}

/* ---- Rows ---- */

typedef struct {
    const char *table, *places;
    char *out;
    int64_t rows, n, each; /* rows of the table; indices, in all and per chunk */
    size_t bytes;          /* of a row */
    tsr_dtype type;        /* of indices */
} rows;

int64_t tsr_row_at(tsr_dtype type, const char *places, int64_t i, int64_t of)
{
    const char *at = places + (size_t)i * tsr_dtype_bytes(type);
    int64_t row = 0;
    if (tsr_dtype_is_float(type)) {
        double v = 0;
        tsr_convert(TSR_D_F64, &v, type, at, 1);
        return v >= (double)of ? of - 1 : v > 0 ? (int64_t)v : 0;
    }
    tsr_convert(TSR_D_I64, &row, type, at, 1);
    if (type == TSR_D_U64 && row < 0)
        row = INT64_MAX;
    return row < 0 ? 0 : row >= of ? of - 1 : row;
}

static void rows_chunk(void *user, int64_t chunk, int thread)
{
    const rows *w = user;
    int64_t end = (chunk + 1) * w->each < w->n ? (chunk + 1) * w->each : w->n;
    (void)thread;
    for (int64_t i = chunk * w->each; i < end; i++)
        memcpy(w->out + (size_t)i * w->bytes,
               w->table + (size_t)tsr_row_at(w->type, w->places, i, w->rows) * w->bytes, w->bytes);
}

static void take_rows(const tsr_run *r, const tsr_node *n)
{
    enum { CHUNK = 1 << 16 }; /* bytes */
    const tsr_xvalue *x = &r->p->values.data[n->in[0]], *at = &r->p->values.data[n->in[1]];
    rows w = {.table = tsr_run_at(r, n->in[0]),
              .places = tsr_run_at(r, n->in[1]),
              .out = r->at[n->out[0]],
              .rows = x->dims[0],
              .n = at->n,
              .bytes = (size_t)(x->n / x->dims[0]) * bytes_of(x),
              .type = (tsr_dtype)at->dtype};
    w.each = w.bytes < CHUNK ? CHUNK / (int64_t)w.bytes : 1;
    tsr_pool_for((w.n + w.each - 1) / w.each, rows_chunk, &w);
}

bool tsr_run_move(const tsr_run *r, const tsr_node *n)
{
    switch ((tsr_move_kind)n->move) {
    case TSR_MOVE_COPY: copy(r, n); break;
    case TSR_MOVE_BYTES: copy_bytes(r, n); break;
    case TSR_MOVE_CONCATENATE: concatenate(r, n); break;
    case TSR_MOVE_PAD: pad(r, n); break;
    case TSR_MOVE_WEAVE: weave(r, n); break;
    case TSR_MOVE_DYNAMIC_SLICE: dynamic_slice(r, n); break;
    case TSR_MOVE_UPDATE_SLICE: update_slice(r, n); break;
    case TSR_MOVE_ROWS: take_rows(r, n); break;
    case TSR_MOVE_GATHER:
    case TSR_MOVE_SCATTER: tsr_run_places(r, n); break;
    case TSR_MOVE_ELEMENTS: tsr_run_elements(r, n); break;
    case TSR_MOVE_PROCESS: {
        const tsr_process *at = r->e->process;
        uint32_t number = !at                  ? 0
                          : n->numbers[0] == 2 ? tsr_process_id(r->e)
                          : n->numbers[0]      ? at->partition
                                               : at->replica;
        memcpy(r->at[n->out[0]], &number, sizeof number);
        break;
    }
    case TSR_MOVE_RANDOM: tsr_run_random(r, n); break;
    case TSR_MOVE_FFT: tsr_run_fft(r, n); break;
    case TSR_MOVE_SCAN: tsr_run_scan(r, n); break;
    case TSR_MOVE_WINDOW: tsr_run_window(r, n); break;
    case TSR_MOVE_PICK: tsr_run_pick(r, n); break;
    case TSR_MOVE_SORT: return tsr_run_sort(r, n);
    case TSR_MOVE_MATRICES: return tsr_run_matrices(r, n);
    }
    return true;
}
