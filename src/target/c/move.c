/* SPDX-License-Identifier: Apache-2.0 */
/* move.c - emits copies and index ops: boxes, computed offsets, sorts, scans, windows. */
#include "exec/kernel/gemm.h"
#include "exec/kernel/scan.h"
#include "exec/places.h"
#include "exec/sort.h"
#include "target/c/writer.h"

typedef struct {
    tsr_c_function f;
    const tsr_node *n;
    tsr_buf *out; /* the function's text */
} mover;

static const tsr_xvalue *value(const mover *m, tsr_xid v)
{
    return &m->f.w->p->values.data[v];
}

static int64_t bytes_of(const tsr_xvalue *x)
{
    return tsr_dtype_bytes((tsr_dtype)x->dtype);
}

/* Strides of an operand over its own shape. */
static void strides_of(const mover *m, tsr_xid v, tsr_xshape *space)
{
    const tsr_xvalue *x = value(m, v);
    if (x->place == TSR_PLACE_VIEW)
        *space = *x->view;
    else
        tsr_xshape_whole(space, x->dims, x->rank);
}

/* A pointer to a value's first element; NULL: it has no location. */
static const char *at(mover *m, tsr_xid v)
{
    const char *place = tsr_c_at(m->f.w, v);
    return place ? tsr_text_of(&m->f.w->text, "p[%u]", tsr_c_pointer(&m->f, place)) : NULL;
}

static bool no_place(mover *m)
{
    return tsr_c_refuse_op(m->f.w, m->n->op, "a value without a place");
}

/* ---- Boxes ---- */

typedef struct {
    int64_t dim, dst, src;
} axis;

/* Sorts dimensions, outermost first: those of the destination in order, merged where both sides allow it. In a
 * transpose the dimension that is contiguous in the source comes last but one. */
static int arrange(axis *axes, const int64_t *dims, const int64_t *dst, const int64_t *src,
                   int rank)
{
    int n = 0;
    for (int i = 0; i < rank; i++) {
        axis a = {dims[i], dst[i], src[i]};
        if (a.dim == 1)
            continue;
        if (n && axes[n - 1].dst == a.dim * a.dst && axes[n - 1].src == a.dim * a.src)
            axes[n - 1] = (axis){axes[n - 1].dim * a.dim, a.dst, a.src};
        else
            axes[n++] = a;
    }
    for (int i = 0; n > 2 && i < n - 2; i++) {
        axis a = axes[i];
        if (a.src != 1 || axes[n - 1].src == 1)
            continue;
        memmove(axes + i, axes + i + 1, (size_t)(n - 2 - i) * sizeof *axes);
        axes[n - 2] = a;
        break;
    }
    return n;
}

/* A copy of a box; to and from are expressions of char *. */
static void put_box(mover *m, int64_t bytes, const char *to, const int64_t *dst, const char *from,
                    const int64_t *src, const int64_t *dims, int rank)
{
    axis axes[TSR_MAX_RANK];
    int n = arrange(axes, dims, dst, src, rank);
    tsr_buf table = {0};
    const char *bits = tsr_text_of(&m->f.w->text, "%lld", (long long)8 * bytes);
    TSR_TEXT_PART(&m->f.w->text, "box", {'b', bits});
    for (int i = 0; i < n; i++) {
        const int64_t three[] = {axes[i].dim, axes[i].dst, axes[i].src};
        tsr_buf_cstr(&table, i ? ", " : "");
        tsr_c_ints(&table, three, 3);
    }
    if (!n)
        tsr_buf_cstr(&table, "0");
    uint32_t number = tsr_c_table(m->f.w, "int64_t", tsr_buf_text(&table));
    tsr_buf_free(&table);
    tsr_buf_printf(m->out, "    tsr_box_%s(%s, %s, %d, table%u);\n", bits, to, from, n, number);
}

static bool copy(mover *m)
{
    const tsr_xvalue *to = value(m, m->n->out[0]);
    tsr_xshape from, out;
    strides_of(m, m->n->in[0], &from);
    tsr_xshape_whole(&out, to->dims, to->rank);
    const char *x = at(m, m->n->in[0]), *y = at(m, m->n->out[0]);
    if (!x || !y)
        return no_place(m);
    put_box(m, bytes_of(to), y, out.strides, x, from.strides, to->dims, to->rank);
    return true;
}

static bool concatenate(mover *m)
{
    const tsr_xvalue *to = value(m, m->n->out[0]);
    int64_t d = m->n->numbers[0], place = 0;
    tsr_xshape out, from;
    tsr_xshape_whole(&out, to->dims, to->rank);
    for (uint32_t i = 0; i < m->n->nin; i++) {
        const tsr_xvalue *x = value(m, m->n->in[i]);
        strides_of(m, m->n->in[i], &from);
        const char *a = at(m, m->n->in[i]), *b = at(m, m->n->out[0]);
        if (x->n && (!a || !b))
            return no_place(m);
        if (x->n)
            put_box(m, bytes_of(to), tsr_text_of(&m->f.w->text, "%s + %lld", b, (long long)place),
                    out.strides, a, from.strides, x->dims, x->rank);
        place += x->dims[d] * out.strides[d] * bytes_of(to);
    }
    return true;
}

static bool weave(mover *m)
{
    const tsr_xvalue *to = value(m, m->n->out[0]);
    int64_t bytes = bytes_of(to) / 2;
    tsr_xshape out, from;
    tsr_xshape_whole(&out, to->dims, to->rank);
    for (uint8_t i = 0; i < to->rank; i++)
        out.strides[i] *= 2;
    for (uint32_t i = 0; i < 2; i++) {
        strides_of(m, m->n->in[i], &from);
        const char *a = at(m, m->n->in[i]), *b = at(m, m->n->out[0]);
        if (!a || !b)
            return no_place(m);
        put_box(m, bytes, tsr_text_of(&m->f.w->text, "%s + %lld", b, (long long)i * bytes),
                out.strides, a, from.strides, to->dims, to->rank);
    }
    return true;
}

static bool pad(mover *m)
{
    const tsr_node *n = m->n;
    const tsr_xvalue *to = value(m, n->out[0]), *x = value(m, n->in[0]);
    int64_t bytes = bytes_of(to), dims[TSR_VIEW_RANK], strides[TSR_VIEW_RANK], first = 0, skip = 0;
    tsr_xshape out, from;
    tsr_xshape_whole(&out, to->dims, to->rank);
    strides_of(m, n->in[0], &from);
    const char *a = at(m, n->in[0]), *with = at(m, n->in[1]), *b = at(m, n->out[0]);
    if (!a || !b || !with)
        return no_place(m);
    static const int64_t zeros[TSR_VIEW_RANK] = {0};
    put_box(m, bytes, b, out.strides, with, zeros, to->dims, to->rank);
    for (uint8_t i = 0; i < to->rank; i++) {
        int64_t step = n->numbers[to->rank + i] + 1, place = n->numbers[i], begin = 0;
        if (place < 0)
            begin = (-place + step - 1) / step;
        int64_t end = x->dims[i];
        if (end > 0 && place + (end - 1) * step >= to->dims[i])
            end = to->dims[i] - 1 - place < 0 ? 0 : (to->dims[i] - 1 - place) / step + 1;
        if (end <= begin)
            return true;
        dims[i] = end - begin;
        strides[i] = step * out.strides[i];
        first += (place + begin * step) * out.strides[i];
        skip += begin * from.strides[i];
    }
    put_box(m, bytes, tsr_text_of(&m->f.w->text, "%s + %lld", b, (long long)first * bytes), strides,
            tsr_text_of(&m->f.w->text, "%s + %lld", a, (long long)skip * bytes), from.strides, dims,
            to->rank);
    return true;
}

/* ---- Computed offsets ---- */

/* Emits int64_t place: the offset given by start indices, from operand number first on or the node's own, clamped so
 * that the box fits. */
static bool put_place(mover *m, uint32_t first, const int64_t *of, const int64_t *box,
                      const int64_t *strides, uint8_t rank)
{
    const tsr_node *n = m->n;
    tsr_buf_cstr(m->out, "    int64_t place = 0, start;\n");
    for (uint8_t i = 0; i < rank; i++) {
        int64_t most = of[i] - box[i];
        if (first + i < n->nin) {
            const char *reader =
                tsr_text_reader(&m->f.w->text, (tsr_dtype)value(m, n->in[first + i])->dtype);
            const char *x = at(m, n->in[first + i]);
            if (!reader || !x)
                return no_place(m);
            tsr_buf_printf(m->out, "    start = %s(%s, 0);\n", reader, x);
        } else {
            tsr_buf_printf(m->out, "    start = %lld;\n", (long long)n->numbers[i]);
        }
        tsr_buf_printf(m->out,
                       "    start = start > %lld ? %lld : start;\n"
                       "    place += (start < 0 ? 0 : start) * %lld;\n",
                       (long long)most, (long long)most, (long long)strides[i]);
    }
    if (!rank)
        tsr_buf_cstr(m->out, "    (void)start;\n");
    return true;
}

static bool dynamic_slice(mover *m)
{
    const tsr_node *n = m->n;
    const tsr_xvalue *to = value(m, n->out[0]), *x = value(m, n->in[0]);
    tsr_xshape out, from;
    tsr_xshape_whole(&out, to->dims, to->rank);
    strides_of(m, n->in[0], &from);
    const char *a = at(m, n->in[0]), *b = at(m, n->out[0]);
    if (!a || !b)
        return no_place(m);
    if (!put_place(m, 1, x->dims, to->dims, from.strides, to->rank))
        return false;
    put_box(m, bytes_of(to), b, out.strides,
            tsr_text_of(&m->f.w->text, "%s + place * %lld", a, (long long)bytes_of(to)),
            from.strides, to->dims, to->rank);
    return true;
}

static bool update_slice(mover *m)
{
    const tsr_node *n = m->n;
    const tsr_xvalue *to = value(m, n->out[0]), *x = value(m, n->in[1]);
    tsr_xshape out, from;
    tsr_xshape_whole(&out, to->dims, to->rank);
    strides_of(m, n->in[1], &from);
    const char *old = at(m, n->in[0]), *part = at(m, n->in[1]), *b = at(m, n->out[0]);
    if (!old || !part || !b)
        return no_place(m);
    if (strcmp(old, b) != 0)
        tsr_buf_printf(m->out, "    memcpy(%s, %s, %lld);\n", b, old,
                       (long long)to->n * bytes_of(to));
    if (!x->n)
        return true;
    if (!put_place(m, 2, to->dims, x->dims, out.strides, to->rank))
        return false;
    put_box(m, bytes_of(to),
            tsr_text_of(&m->f.w->text, "%s + place * %lld", b, (long long)bytes_of(to)),
            out.strides, part, from.strides, x->dims, x->rank);
    return true;
}

static bool take_rows(mover *m)
{
    const tsr_node *n = m->n;
    const tsr_xvalue *x = value(m, n->in[0]), *index = value(m, n->in[1]);
    const char *reader = tsr_text_reader(&m->f.w->text, (tsr_dtype)index->dtype);
    const char *a = at(m, n->in[0]), *where = at(m, n->in[1]), *b = at(m, n->out[0]);
    long long rows = (long long)x->dims[0], bytes = (long long)x->n / x->dims[0] * bytes_of(x);
    if (!reader || !a || !where || !b)
        return no_place(m);
    tsr_buf_printf(m->out,
                   "    for (int64_t i = 0; i < %lld; i++) {\n"
                   "        int64_t row = %s(%s, i);\n"
                   "        row = row < 0 ? 0 : row >= %lld ? %lld : row;\n"
                   "        memcpy(%s + i * %lld, %s + row * %lld, %lld);\n"
                   "    }\n",
                   (long long)index->n, reader, where, rows, rows - 1, b, bytes, a, bytes, bytes);
    return true;
}

enum { MOST_RANK = 16 }; /* of the tables in the text */

static void put_list(tsr_buf *out, const int64_t *v, size_t n)
{
    tsr_buf_cstr(out, ", {");
    tsr_c_ints(out, v, n);
    tsr_buf_cstr(out, n ? "}" : "0}");
}

/* The plan of a gather or scatter as a table; returns its number. */
static uint32_t places_table(mover *m, const tsr_places_plan *p, int64_t bytes, bool scatters)
{
    tsr_buf table = {0};
    int64_t of[MOST_RANK] = {0};
    for (uint8_t i = 0; i < p->nwindow; i++)
        of[i] = p->of[i];
    tsr_buf_printf(&table, "%u, %u, %u, %u, ", p->nloop, p->nmap, p->nwindow, p->nouter);
    tsr_c_ints(&table, &p->positions, 1);
    put_list(&table, p->loop, p->nloop);
    put_list(&table, p->index_step, p->nloop);
    put_list(&table, p->part_step, p->nloop);
    put_list(&table, p->whole_step, p->nloop);
    tsr_buf_cstr(&table, ", ");
    tsr_c_ints(&table, &p->vector_step, 1);
    put_list(&table, p->size, p->nmap);
    put_list(&table, p->room, p->nmap);
    put_list(&table, p->stride, p->nmap);
    put_list(&table, p->window, p->nwindow);
    put_list(&table, p->part_stride, p->nwindow);
    put_list(&table, p->whole_stride, p->nwindow);
    tsr_buf_cstr(&table, ", ");
    tsr_c_ints(&table, &p->run, 1);
    put_list(&table, of, p->nwindow);
    tsr_buf_printf(&table, ", %lld, %s", (long long)bytes, scatters ? "true" : "false");
    uint32_t number = tsr_c_table(m->f.w, "tsr_places", tsr_buf_text(&table));
    tsr_buf_free(&table);
    return number;
}

static bool run_places(mover *m)
{
    tsr_c_writer *w = m->f.w;
    const tsr_node *n = m->n;
    const tsr_places_plan *p = n->places;
    bool scatters = n->move == TSR_MOVE_SCATTER;
    const tsr_xvalue *x = value(m, n->out[0]), *index = value(m, n->in[1]);
    if (p->nloop > MOST_RANK || p->nmap > MOST_RANK || p->nwindow > MOST_RANK)
        return tsr_c_refuse_op(w, n->op, "so many dimensions");
    const char *reader = tsr_text_reader(&w->text, (tsr_dtype)index->dtype), *joined = "NULL";
    TSR_TEXT_PART(&w->text, "places", {'-', ""});
    if (scatters && p->joins) {
        const char *join = tsr_text_join(&w->text, (tsr_tile_op)p->tile, (tsr_dtype)x->dtype);
        if (!join)
            return tsr_c_refuse_op(w, n->op, "elements of this type");
        TSR_TEXT_PART(&w->text, "join_n", {'n', join}, {'t', tsr_text_type((tsr_dtype)x->dtype)});
        joined = tsr_text_of(&w->text, "tsr_joins_%s", join);
    }
    const char *whole = at(m, scatters ? n->out[0] : n->in[0]),
               *part = at(m, scatters ? n->in[2] : n->out[0]), *where = at(m, n->in[1]);
    if (!reader || !whole || !part || !where)
        return no_place(m);
    const char *old = scatters ? at(m, n->in[0]) : NULL;
    if (scatters && !old)
        return no_place(m);
    if (scatters && strcmp(old, whole) != 0)
        tsr_buf_printf(m->out, "    memcpy(%s, %s, %lld);\n", whole, old,
                       (long long)x->n * bytes_of(x));
    uint32_t number = places_table(m, p, bytes_of(x), scatters);
    tsr_buf_printf(m->out, "    tsr_run_places(&table%u, %s, %s, %s, %s, %s);\n", number, whole,
                   part, where, reader, joined);
    return true;
}

/* ---- Along dimensions ---- */

static bool scan(mover *m)
{
    tsr_c_writer *w = m->f.w;
    const tsr_node *n = m->n;
    const tsr_xvalue *x = value(m, n->out[0]);
    const char *type = tsr_text_type((tsr_dtype)x->dtype);
    const char *join =
        type ? tsr_text_join(&w->text, (tsr_tile_op)n->numbers[2], (tsr_dtype)x->dtype) : NULL;
    int64_t outer = 1, inner = 1;
    if (!join)
        return tsr_c_refuse_op(w, n->op, "elements of this type");
    for (int64_t i = 0; i < x->rank; i++)
        *(i < n->numbers[0] ? &outer : &inner) *= i == n->numbers[0] ? 1 : x->dims[i];
    TSR_TEXT_PART(&w->text, "scan", {'n', join}, {'t', type});
    const char *a = at(m, n->in[0]), *b = at(m, n->out[0]);
    if (!a || !b)
        return no_place(m);
    int64_t dim = x->dims[n->numbers[0]];
    tsr_buf_printf(m->out,
                   "    tsr_scan_%s((const %s *)%s, (%s *)%s, %lld, %lld, %lld, %lld, %s, %s);\n",
                   join, type, a, type, b, (long long)outer, (long long)dim, (long long)inner,
                   (long long)tsr_scan_block(w->p->strict, (tsr_dtype)x->dtype, dim),
                   n->numbers[1] ? "true" : "false", n->numbers[3] ? "true" : "false");
    return true;
}

/* Parameters of windows as a table: lists[k][i] for dimension i. Dimensions that have windows come first; all later
 * ones are inner. */
static uint32_t window_table(mover *m, const int64_t *const *lists, size_t nlist, int rank)
{
    tsr_buf table = {0};
    for (int i = 0; i < rank; i++)
        for (size_t k = 0; k < nlist; k++) {
            tsr_buf_cstr(&table, i || k ? ", " : "");
            tsr_c_ints(&table, lists[k] + i, 1);
        }
    if (!rank)
        tsr_buf_cstr(&table, "0");
    uint32_t number = tsr_c_table(m->f.w, "int64_t", tsr_buf_text(&table));
    tsr_buf_free(&table);
    return number;
}

static bool window(mover *m)
{
    tsr_c_writer *w = m->f.w;
    const tsr_node *n = m->n;
    const tsr_xvalue *x = value(m, n->in[0]), *to = value(m, n->out[0]);
    int rank = to->rank;
    const int64_t *numbers = n->numbers + 1;
    const int64_t *lists[] = {numbers, numbers + rank, numbers + 2 * rank, numbers + 3 * rank,
                              x->dims, to->dims};
    const char *type = tsr_text_type((tsr_dtype)to->dtype);
    const char *join =
        type ? tsr_text_join(&w->text, (tsr_tile_op)n->numbers[0], (tsr_dtype)to->dtype) : NULL;
    if (!join || rank > MOST_RANK)
        return tsr_c_refuse_op(w, n->op, join ? "so many dimensions" : "elements of this type");
    int64_t inner = 1;
    while (rank && lists[0][rank - 1] == 1 && lists[1][rank - 1] == 1 && !lists[3][rank - 1] &&
           x->dims[rank - 1] == to->dims[rank - 1])
        inner *= to->dims[--rank];
    TSR_TEXT_PART(&w->text, "window", {'n', join}, {'t', type});
    const char *a = at(m, n->in[0]), *init = at(m, n->in[1]), *b = at(m, n->out[0]);
    if (!a || !init || !b)
        return no_place(m);
    tsr_buf_printf(
        m->out, "    tsr_window_%s((const %s *)%s, (const %s *)%s, (%s *)%s, %d, table%u, %lld);\n",
        join, type, a, type, init, type, b, rank, window_table(m, lists, TSR_COUNT(lists), rank),
        (long long)inner);
    return true;
}

static bool pick(mover *m)
{
    tsr_c_writer *w = m->f.w;
    const tsr_node *n = m->n;
    const tsr_xvalue *x = value(m, n->in[0]), *from = value(m, n->in[1]);
    int rank = x->rank;
    const int64_t *numbers = n->numbers + 1;
    const int64_t *lists[] = {numbers, numbers + rank, numbers + 2 * rank, x->dims, from->dims};
    const char *type = tsr_text_type((tsr_dtype)x->dtype), *how = "<";
    const char *kind = "lt";
    if (n->numbers[0] == TSR_TILE_compare_ge)
        how = ">=", kind = "ge";
    else if (n->numbers[0] == TSR_TILE_compare_gt)
        how = ">", kind = "gt";
    else if (n->numbers[0] == TSR_TILE_compare_le)
        how = "<=", kind = "le";
    const char *name = tsr_text_of(&w->text, "%s_%s", kind, tsr_text_name((tsr_dtype)x->dtype));
    if (rank > MOST_RANK)
        return tsr_c_refuse_op(w, n->op, "so many dimensions");
    TSR_TEXT_PART(&w->text, "pick", {'n', name}, {'t', type}, {'c', how});
    const char *a = at(m, n->in[0]), *b = at(m, n->in[1]), *init = at(m, n->in[2]),
               *to = at(m, n->out[0]);
    if (!a || !b || !init || !to)
        return no_place(m);
    tsr_buf_printf(m->out,
                   "    tsr_pick_%s((const %s *)%s, (const %s *)%s, (const %s *)%s, (%s *)%s, %d, "
                   "table%u, %lld);\n",
                   name, type, a, type, b, type, init, type, to, rank,
                   window_table(m, lists, TSR_COUNT(lists), rank), (long long)x->n);
    return true;
}

/* ---- Sorts ---- */

/* An expression for the key of element x, as a number in its order. */
static const char *key_of(tsr_c_writer *w, const tsr_sort_key *k, tsr_dtype d)
{
    uint32_t bits = tsr_dtype_bits(d);
    const char *turn = k->descending ? "~" : "";
    if (tsr_dtype_is_int(d) && tsr_dtype_kind(d) == TSR_K_SINT)
        return tsr_text_of(&w->text, "%s((uint64_t)(int64_t)x ^ (uint64_t)1 << 63)", turn);
    if (tsr_dtype_is_int(d))
        return tsr_text_of(&w->text, "%s(uint64_t)x", turn);
    /* As bit patterns: NaNs, or zeros, are made equal if the body says so. */
    int mantissa = d == TSR_D_F16 ? 10 : d == TSR_D_BF16 ? 7 : d == TSR_D_F32 ? 23 : 52;
    unsigned long long sign = 1ull << (bits - 1),
                       inf = ((1ull << (bits - 1 - (uint32_t)mantissa)) - 1) << mantissa;
    const char *v = "x";
    if (k->one_nan)
        v = tsr_text_of(&w->text,
                        "((%s & UINT64_C(0x%llx)) > UINT64_C(0x%llx) ? UINT64_C(0x%llx) : %s)", v,
                        sign - 1, inf, inf | 1ull << (mantissa - 1), v);
    if (k->one_zero)
        v = tsr_text_of(&w->text, "((x & UINT64_C(0x%llx)) ? %s : 0)", sign - 1, v);
    return tsr_text_of(&w->text, "%stsr_order(%s, UINT64_C(0x%llx))", turn, v, sign);
}

/* Sorts the indices e of a slice by each key, from the last to the first. */
static bool sort_by_keys(mover *m)
{
    tsr_c_writer *w = m->f.w;
    const tsr_node *n = m->n;
    const tsr_sort_plan *p = n->sort;
    long long size = (long long)p->n;
    for (size_t i = p->nkey; i-- > 0;) {
        tsr_xid v = n->in[p->keys[i].operand];
        tsr_dtype d = (tsr_dtype)value(m, v)->dtype;
        const char *from = at(m, v);
        const char *type = tsr_dtype_is_int(d)
                               ? tsr_text_type(d)
                               : tsr_text_of(&w->text, "tsr_u%u", tsr_dtype_bits(d));
        if (!from || !tsr_text_type(d))
            return false;
        tsr_buf_printf(m->out,
                       "        for (int64_t i = 0; i < %lld; i++) {\n"
                       "            const %s x = ((const %s *)%s)[slice * %lld + i];\n"
                       "            keys[i] = %s;\n"
                       "        }\n"
                       "        tsr_sort(e, spare, keys, %lld);\n",
                       size, type, type, from, size, key_of(w, &p->keys[i], d), size);
    }
    return true;
}

/* The results of a slice: elements in the order of e, or e itself. */
static bool put_sorted(mover *m)
{
    const tsr_node *n = m->n;
    const tsr_sort_plan *p = n->sort;
    long long size = (long long)p->n, k = (long long)p->k;
    for (uint32_t i = 0; i < n->nout; i++) {
        bool places = p->from[i] == TSR_SORT_PLACES;
        const char *type = places ? tsr_text_type((tsr_dtype)value(m, n->out[i])->dtype) : "";
        int64_t bits = 8 * bytes_of(value(m, n->out[i]));
        const char *a = places ? "" : at(m, n->in[p->from[i]]), *b = at(m, n->out[i]);
        if (!a || !b)
            return false;
        if (places)
            tsr_buf_printf(m->out,
                           "        for (int64_t i = 0; i < %lld; i++)\n"
                           "            ((%s *)%s)[slice * %lld + i] = (%s)e[i];\n",
                           k, type, b, k, type);
        else
            tsr_buf_printf(m->out,
                           "        for (int64_t i = 0; i < %lld; i++)\n"
                           "            ((tsr_u%lld *)%s)[slice * %lld + i] = ((const tsr_u%lld "
                           "*)%s)[slice * %lld + e[i]];\n",
                           k, (long long)bits, b, k, (long long)bits, a, size);
    }
    return true;
}

static bool sort(mover *m)
{
    tsr_c_writer *w = m->f.w;
    const tsr_sort_plan *p = m->n->sort;
    long long size = (long long)p->n;
    TSR_TEXT_PART(&w->text, "sort", {'-', ""});
    size_t keys = 0, first = (size_t)p->n * 8, second = first + (size_t)p->n * 4;
    m->f.scratch = second + (size_t)p->n * 4;
    tsr_buf_printf(
        m->out,
        "    uint64_t *const keys = (uint64_t *)(w + %zu);\n"
        "    uint32_t *const e = (uint32_t *)(w + %zu), *const spare = (uint32_t *)(w + %zu);\n"
        "    for (int64_t slice = 0; slice < %lld; slice++) {\n"
        "        for (int64_t i = 0; i < %lld; i++)\n"
        "            e[i] = (uint32_t)i;\n",
        keys, first, second, (long long)p->slices, size);
    if (!sort_by_keys(m) || !put_sorted(m))
        return no_place(m);
    tsr_buf_cstr(m->out, "    }\n");
    return true;
}

static bool write_move(mover *m)
{
    switch ((tsr_move_kind)m->n->move) {
    case TSR_MOVE_COPY: return copy(m);
    case TSR_MOVE_CONCATENATE: return concatenate(m);
    case TSR_MOVE_PAD: return pad(m);
    case TSR_MOVE_WEAVE: return weave(m);
    case TSR_MOVE_DYNAMIC_SLICE: return dynamic_slice(m);
    case TSR_MOVE_UPDATE_SLICE: return update_slice(m);
    case TSR_MOVE_ROWS: return take_rows(m);
    case TSR_MOVE_GATHER:
    case TSR_MOVE_SCATTER: return run_places(m);
    case TSR_MOVE_BYTES:
    case TSR_MOVE_RANDOM:
    case TSR_MOVE_ELEMENTS: break; /* not in programs of this target */
    case TSR_MOVE_PROCESS: return tsr_c_refuse_op(m->f.w, m->n->op, "the number of a device");
    case TSR_MOVE_FFT: return tsr_c_refuse_op(m->f.w, m->n->op, "a Fourier transform");
    case TSR_MOVE_SCAN: return scan(m);
    case TSR_MOVE_WINDOW: return window(m);
    case TSR_MOVE_PICK: return pick(m);
    case TSR_MOVE_SORT: return sort(m);
    case TSR_MOVE_MATRICES:
        return tsr_c_refuse_op(m->f.w, m->n->op,
                               "it runs by the engine's kernels of linear algebra (docs/EMIT.md)");
    }
    return false;
}

bool tsr_c_move(tsr_c_writer *w, const tsr_node *n)
{
    mover m = {.f = {.w = w}, .n = n};
    m.out = &m.f.text;
    if (write_move(&m)) {
        tsr_c_call(&m.f);
        return true;
    }
    tsr_buf_free(&m.f.text);
    tsr_vec_free(&m.f.at);
    return false;
}
