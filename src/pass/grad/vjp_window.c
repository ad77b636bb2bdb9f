/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_window.c - reduce_window and select_and_scatter.
 *
 * Sums over windows are linear; the largest or smallest element of a window is found again by select_and_scatter. Any
 * other window becomes elementwise ops on shifted copies of its input: results for windows of size 2k come from those
 * of size k, so the number of ops grows with the logarithm of the size. */
#include "pass/grad/grad.h"

typedef struct {
    tsr_i64_vec size, stride, base, dilate, low, high;
} windows;

static void read_windows(const tsr_op *op, windows *w)
{
    tsr_window p;
    tsr_window_of(op, &p);
    *w = (windows){.size = {0}};
    for (size_t i = 0; i < tsr_hlo_in(op, 0)->n; i++) {
        tsr_vec_push(&w->size, tsr_ints_at(p.sizes, i));
        tsr_vec_push(&w->stride, tsr_window_stride(&p, i));
        tsr_vec_push(&w->base, tsr_window_base_dilation(&p, i));
        tsr_vec_push(&w->dilate, tsr_window_dilation(&p, i));
        tsr_vec_push(&w->low, tsr_window_low(&p, i));
        tsr_vec_push(&w->high, tsr_window_high(&p, i));
    }
}

static void free_windows(windows *w)
{
    tsr_vec_free(&w->size);
    tsr_vec_free(&w->stride);
    tsr_vec_free(&w->base);
    tsr_vec_free(&w->dilate);
    tsr_vec_free(&w->low);
    tsr_vec_free(&w->high);
}

static int64_t dilated(int64_t n, int64_t by)
{
    return n ? (n - 1) * by + 1 : 0;
}

static tsr_reduce_kind body_kind(const tsr_op *op, uint32_t i)
{
    tsr_reducer r;
    tsr_reducer_of(&op->regions[0], op->nin / 2, i, &r);
    return r.kind;
}

static bool is_plain(const tsr_i64_vec *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->data[i] != 1)
            return false;
    return true;
}

/* ---- Sums ---- */

/* The cotangent, dilated by the strides, summed over reversed windows. */
static tsr_value *sum_transpose(tsr_grad *g, tsr_value *x, tsr_value *ct, const windows *w)
{
    tsr_build *b = &g->b;
    size_t n = x->type->n;
    tsr_i64_vec low = {0}, high = {0}, inner = {0};
    for (size_t i = 0; i < n; i++) {
        int64_t in = dilated(x->type->dims[i], w->base.data[i]);
        int64_t size = dilated(w->size.data[i], w->dilate.data[i]);
        int64_t out = dilated(ct->type->dims[i], w->stride.data[i]);
        tsr_vec_push(&low, size - w->low.data[i] - 1);
        tsr_vec_push(&high, in + size - 1 - out - low.data[i]);
        tsr_vec_push(&inner, w->stride.data[i] - 1);
    }
    tsr_value *zero = tsr_grad_scalar(b, tsr_elem(ct), 0);
    tsr_value *in[] = {tsr_grad_pad(b, ct, zero, low.data, high.data, inner.data), zero};
    tsr_vec_free(&low);
    tsr_vec_free(&high);
    tsr_vec_free(&inner);
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_REDUCE_WINDOW, in, 2, 1, 1);
    op->attrs[STABLEHLO_REDUCE_WINDOW_window_dimensions] = tsr_grad_list(b, w->size.data, n);
    op->attrs[STABLEHLO_REDUCE_WINDOW_window_strides] = tsr_grad_list(b, w->base.data, n);
    op->attrs[STABLEHLO_REDUCE_WINDOW_window_dilations] = tsr_grad_list(b, w->dilate.data, n);
    tsr_grad_body(g, &op->regions[0], TSR_OP_STABLEHLO_ADD, tsr_elem(ct));
    tsr_type *type = tsr_hlo_with_element(x->type, tsr_elem(ct));
    return tsr_build_convert(b, &tsr_build_close_as(b, op, &type)->out[0], tsr_elem(x));
}

/* ---- Largest and smallest ---- */

static void compare_body(tsr_grad *g, tsr_region *region, const char *direction, tsr_type *elem)
{
    tsr_type *scalar = tsr_scalar_type(elem), *args[] = {scalar, scalar};
    tsr_build body = tsr_build_in(&g->b, region, args, 2);
    tsr_value *v =
        tsr_build_compare(&body, direction, NULL, body.block->args[0], body.block->args[1]);
    tsr_build_return(&body, &v, 1);
    tsr_build_free(&body);
}

static tsr_value *scatter_back(tsr_grad *g, tsr_op *op, tsr_value *ct, const char *direction)
{
    tsr_build *b = &g->b;
    tsr_value *x = tsr_grad_in(op, 0), *in[] = {x, ct, tsr_grad_scalar(b, tsr_elem(x), 0)};
    tsr_op *back = tsr_build_open(b, TSR_OP_STABLEHLO_SELECT_AND_SCATTER, in, 3, 1, 2);
    tsr_window w;
    tsr_window_of(op, &w);
    back->attrs[STABLEHLO_SELECT_AND_SCATTER_window_dimensions] = (tsr_attr *)w.sizes.attr;
    back->attrs[STABLEHLO_SELECT_AND_SCATTER_window_strides] = (tsr_attr *)w.strides.attr;
    back->attrs[STABLEHLO_SELECT_AND_SCATTER_padding] = (tsr_attr *)w.low.attr;
    compare_body(g, &back->regions[0], direction, tsr_elem(x));
    tsr_grad_body(g, &back->regions[1], TSR_OP_STABLEHLO_ADD, tsr_elem(x));
    return &tsr_build_close_as(b, back, &x->type)->out[0];
}

/* ---- Values at the position of a window's chosen element ---- */

/* A body on (value, payload, whether it exists): the second triple wins if the first is padding, or if select(first,
 * second) is false. */
static void choose_body(tsr_grad *g, tsr_region *region, tsr_region *select, tsr_type *elem,
                        tsr_type *payload)
{
    tsr_type *s = tsr_scalar_type(elem), *p = tsr_scalar_type(payload),
             *f = tsr_scalar_type(g->b.ctx->i1);
    tsr_type *args[] = {s, p, f, s, p, f};
    tsr_build body = tsr_build_in(&g->b, region, args, 6);
    tsr_value **a = body.block->args;
    tsr_mapping map = {0};
    tsr_mapping_put(&map, select->first->args[0], a[0]);
    tsr_mapping_put(&map, select->first->args[1], a[3]);
    tsr_op *end = tsr_grad_copy_block(g, select->first, body.block, &map);
    tsr_value *picks = tsr_grad_in(end, 0);
    tsr_mapping_free(&map);
    tsr_op_erase(end);
    /* the first stays if it exists, and the second does not or loses */
    tsr_value *first = f_and(&body, a[2], f_or(&body, f_not(&body, a[5]), picks));
    tsr_value *out[] = {f_select(&body, first, a[0], a[3]), f_select(&body, first, a[1], a[4]),
                        f_or(&body, a[2], a[5])};
    tsr_build_return(&body, out, 3);
    tsr_build_free(&body);
}

/* For each window of an op over its first operand, the element of payload at the position that select chooses. out: the
 * type of the result. */
static tsr_value *choose(tsr_grad *g, tsr_op *like, tsr_value *payload, tsr_region *select,
                         const tsr_type *out)
{
    tsr_build *b = &g->b;
    tsr_window w;
    tsr_window_of(like, &w);
    tsr_value *x = tsr_grad_in(like, 0), *there = tsr_build_like_int(b, x, b->ctx->i1, 1);
    tsr_value *in[] = {x,
                       payload,
                       there,
                       tsr_grad_scalar(b, tsr_elem(x), 0),
                       tsr_grad_scalar(b, tsr_elem(payload), 0),
                       tsr_build_int(b, b->ctx->i1, 0)};
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_REDUCE_WINDOW, in, 6, 3, 1);
    op->attrs[STABLEHLO_REDUCE_WINDOW_window_dimensions] = (tsr_attr *)w.sizes.attr;
    op->attrs[STABLEHLO_REDUCE_WINDOW_window_strides] = (tsr_attr *)w.strides.attr;
    op->attrs[STABLEHLO_REDUCE_WINDOW_padding] = (tsr_attr *)w.low.attr;
    choose_body(g, &op->regions[0], select, tsr_elem(x), tsr_elem(payload));
    tsr_type *types[] = {tsr_hlo_with_element(out, tsr_elem(x)),
                         tsr_hlo_with_element(out, tsr_elem(payload)),
                         tsr_hlo_with_element(out, b->ctx->i1)};
    return &tsr_build_close_as(b, op, types)->out[1];
}

/* ---- reduce_window ---- */

bool vjp_reduce_window(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    uint32_t n = op->nin / 2;
    windows w;
    read_windows(op, &w);
    for (uint32_t i = 0; i < n; i++) {
        tsr_value *x = tsr_grad_in(op, i);
        tsr_reduce_kind kind = body_kind(op, i);
        if (!ct[i] || !tsr_grad_varied(g, x))
            continue;
        if (kind == TSR_REDUCE_SUM)
            tsr_grad_add(g, x, sum_transpose(g, x, ct[i], &w));
        else
            tsr_grad_add(g, x, scatter_back(g, op, ct[i], kind == TSR_REDUCE_MAX ? "GE" : "LE"));
    }
    free_windows(&w);
    return true;
}

bool jvp_reduce_window(tsr_grad *g, tsr_op *op)
{
    if (!tsr_reduce_is_extremal(body_kind(op, 0)))
        return jvp_linear(g, op);
    tsr_value *x = tsr_grad_in(op, 0);
    /* A region that compares, to be copied; it belongs to an op that is erased. */
    tsr_op *holder = tsr_build_open(&g->b, TSR_OP_STABLEHLO_SORT, &x, 1, 1, 1);
    compare_body(g, &holder->regions[0], body_kind(op, 0) == TSR_REDUCE_MAX ? "GE" : "LE",
                 tsr_elem(x));
    tsr_value *t = choose(g, op, tsr_grad_of(g, x), &holder->regions[0], op->out[0].type);
    tsr_op_erase(holder);
    tsr_grad_set(g, &op->out[0], t);
    return true;
}

/* ---- Any body ---- */

/* n elements from start on along a dimension. */
static tsr_value *shifted(tsr_build *b, tsr_value *v, int64_t dim, int64_t start, int64_t n)
{
    return tsr_build_slice(b, v, dim, start, start + n);
}

/* Windows of size along one dimension, at all positions, combined from those of powers of two. */
static bool slide(tsr_build *b, tsr_region *body, tsr_value **v, uint32_t n, int64_t dim,
                  int64_t size, int64_t step)
{
    tsr_value_vec power = {0}, done = {0}, in = {0}, out = {0};
    int64_t covered = 0, whole = v[0]->type->dims[dim];
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        tsr_vec_push(&power, v[i]);
    for (int64_t k = 1; ok && k <= size; k *= 2) {
        /* power: windows of k elements from each position; done: of the first `covered` elements */
        if (size & k) {
            int64_t places = whole - (covered + k - 1) * step;
            in.n = out.n = 0;
            for (uint32_t i = 0; covered && i < n; i++)
                tsr_vec_push(&in, shifted(b, done.data[i], dim, 0, places));
            for (uint32_t i = 0; i < n; i++)
                tsr_vec_push(&in, shifted(b, power.data[i], dim, covered * step, places));
            ok = !covered || tsr_grad_apply(b, body, in.data, in.n, &out);
            done.n = 0;
            for (uint32_t i = 0; ok && i < n; i++)
                tsr_vec_push(&done, covered ? out.data[i] : in.data[i]);
            covered += k;
        }
        if (ok && 2 * k <= size) {
            int64_t places = whole - (2 * k - 1) * step;
            in.n = out.n = 0;
            for (uint32_t h = 0; h < 2; h++)
                for (uint32_t i = 0; i < n; i++)
                    tsr_vec_push(&in, shifted(b, power.data[i], dim, h * k * step, places));
            ok = tsr_grad_apply(b, body, in.data, in.n, &out);
            power.n = 0;
            for (uint32_t i = 0; ok && i < n; i++)
                tsr_vec_push(&power, out.data[i]);
        }
    }
    for (uint32_t i = 0; ok && i < n; i++)
        v[i] = done.data[i];
    tsr_vec_free(&power);
    tsr_vec_free(&done);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    return ok;
}

/* Every stride-th window. */
static tsr_value *strided(tsr_build *b, tsr_value *v, const tsr_i64_vec *stride)
{
    tsr_i64_vec start = {0};
    for (size_t i = 0; i < stride->n; i++)
        tsr_vec_push(&start, 0);
    tsr_value *out = tsr_grad_slice(b, v, start.data, v->type->dims, stride->data);
    tsr_vec_free(&start);
    return out;
}

static bool unfold_windows(tsr_build *b, tsr_op *op, const windows *w, tsr_value **out)
{
    uint32_t n = op->nin / 2;
    tsr_value_vec v = {0};
    tsr_i64_vec inner = {0};
    bool ok = true;
    for (size_t i = 0; i < w->base.n; i++)
        tsr_vec_push(&inner, w->base.data[i] - 1);
    for (uint32_t i = 0; i < n; i++) {
        tsr_value *x = tsr_build_convert(b, tsr_grad_in(op, i), tsr_elem(&op->out[i]));
        tsr_vec_push(
            &v, tsr_grad_pad(b, x, tsr_grad_in(op, n + i), w->low.data, w->high.data, inner.data));
    }
    for (size_t d = 0; ok && d < w->size.n; d++)
        ok = slide(b, &op->regions[0], v.data, n, (int64_t)d, w->size.data[d], w->dilate.data[d]);
    for (uint32_t i = 0; ok && i < n; i++)
        v.data[i] = strided(b, v.data[i], &w->stride);
    ok = ok && tsr_grad_add_init(b, op, v.data, n, out);
    tsr_vec_free(&v);
    tsr_vec_free(&inner);
    return ok;
}

static bool no_init_varies(tsr_grad *g, const tsr_op *op)
{
    for (uint32_t i = op->nin / 2; i < op->nin; i++)
        if (tsr_grad_varied(g, tsr_grad_in(op, i)))
            return false;
    return true;
}

tsr_unfolded unfold_reduce_window(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    uint32_t n = op->nin / 2;
    windows w;
    bool sums = true;
    for (uint32_t i = 0; i < n; i++)
        sums &= body_kind(op, i) == TSR_REDUCE_SUM;
    read_windows(op, &w);
    bool plain = is_plain(&w.base) && is_plain(&w.dilate);
    bool known =
        tsr_type_has_static_shape(tsr_hlo_in(op, 0)) && tsr_type_num_elements(op->out[0].type) > 0;
    bool keep = no_init_varies(g, op) &&
                (sums || (n == 1 && plain && tsr_reduce_is_extremal(body_kind(op, 0))));
    bool ok = keep || (known && unfold_windows(b, op, &w, out));
    free_windows(&w);
    if (keep)
        return TSR_UNFOLD_KEEP;
    if (ok)
        return TSR_UNFOLD_DONE;
    tsr_grad_none(op, known ? "its body is not elementwise" : "sizes are not known");
    return TSR_UNFOLD_FAILED;
}

/* ---- select_and_scatter: values of windows go to the positions of the chosen elements ---- */

static bool adds(tsr_op *op)
{
    tsr_reducer r;
    return tsr_reducer_of(&op->regions[1], 1, 0, &r) && r.kind == TSR_REDUCE_SUM;
}

bool vjp_select_and_scatter(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_value *source = tsr_grad_in(op, 1), *init = tsr_grad_in(op, 2);
    if (!adds(op))
        return tsr_grad_none(op, "it does not add what it scatters");
    if (tsr_grad_varied(g, init))
        tsr_grad_add(g, init, tsr_grad_sum_all(&g->b, ct[0]));
    if (tsr_grad_varied(g, source))
        tsr_grad_add(g, source, choose(g, op, ct[0], &op->regions[0], source->type));
    return true;
}

bool jvp_select_and_scatter(tsr_grad *g, tsr_op *op)
{
    if (!adds(op))
        return tsr_grad_none(op, "it does not add what it scatters");
    tsr_value *in[] = {tsr_grad_in(op, 0), tsr_grad_of_or_zero(g, tsr_grad_in(op, 1)),
                       tsr_grad_of_or_zero(g, tsr_grad_in(op, 2))};
    tsr_op *again = tsr_grad_again(&g->b, op, in, NULL);
    tsr_op_insert(again, g->b.block, g->b.at);
    tsr_grad_set(g, &op->out[0], &again->out[0]);
    return true;
}
