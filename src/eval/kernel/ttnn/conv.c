/* SPDX-License-Identifier: Apache-2.0 */
/* conv.c - TTNN convolutions: prepared weights, and one- and three-dimensional ones. */
#include "eval/kernel/ttnn/ttnn.h"

/* Prepared weights have a row for each window position and each input channel, in this order, and a column for each
 * output channel: [1, 1, window * in, out]. Both may be padded with zeros. With groups, a column has only the rows of
 * its group. */
typedef struct {
    int64_t in, out, groups, window;
    bool transposed; /* weights are [in, out / groups, ..], else [out, in / groups, ..] */
} ready;

static ready ready_of(const tsr_call *c)
{
    int64_t size[2] = {1, 1};
    tsr_tt_ints(tsr_ttnn_attr(c, "kernel_size"), size, 2);
    return (ready){.in = tsr_ttnn_int(c, "in_channels", 1),
                   .out = tsr_ttnn_int(c, "out_channels", 1),
                   .groups = tsr_ttnn_int(c, "groups", 1),
                   .window = size[0] * size[1],
                   .transposed = tsr_ttnn_attr(c, "output_padding") != NULL};
}

/* The offset of element (input channel i, output channel o, window position w) in plain weights; -1: the channels are
 * of different groups. */
static int64_t plain_at(const ready *r, int64_t i, int64_t o, int64_t w)
{
    int64_t ins = r->in / r->groups, outs = r->out / r->groups;
    if (i / ins != o / outs)
        return -1;
    return r->transposed ? (i * outs + o % outs) * r->window + w
                         : (o * ins + i % ins) * r->window + w;
}

static bool fits(tsr_call *c, const ready *r, int64_t rows, int64_t columns, int64_t plain)
{
    return (r->groups > 0 && r->in > 0 && r->out > 0 && r->in % r->groups == 0 &&
            r->out % r->groups == 0 && r->window > 0 && rows % r->window == 0 &&
            rows / r->window >= r->in && columns >= r->out &&
            plain == r->in / r->groups * r->out * r->window) ||
           tsr_fail(c, "has weights that are not of its window and channels");
}

bool eval_ttnn_prepare_weights(tsr_call *c)
{
    const tsr_type *type = c->op->out[0].type;
    ready r = ready_of(c);
    tsr_tensor *w = c->in[0];
    if (type->n != 4 || !fits(c, &r, type->dims[2], type->dims[3], w->n))
        return type->n == 4 ? false : tsr_fail(c, "makes weights that are no matrix");
    tsr_tensor *t = tsr_tensor_zeros(tsr_tt_elem((tsr_dtype)w->dtype), type->dims, 4);
    int64_t rows = type->dims[2] / r.window;
    for (int64_t p = 0; t && p < r.window; p++)
        for (int64_t i = 0; i < r.in; i++)
            for (int64_t o = 0; o < r.out; o++) {
                int64_t at = plain_at(&r, i, o, p);
                if (at >= 0)
                    tsr_copy_element(t, (p * rows + i) * type->dims[3] + o, w, at);
            }
    return t ? tsr_ttnn_give(c, 0, t) : tsr_fail_memory(c, "weights");
}

/* Converts prepared weights back to plain ones. */
static tsr_tensor *unprepared(tsr_call *c, const tsr_tensor *t)
{
    ready r = ready_of(c);
    int64_t size[2] = {1, 1}, columns = t->dims[3], rows = t->dims[2] / r.window;
    if (!fits(c, &r, t->dims[2], columns, r.in / r.groups * r.out * r.window))
        return NULL;
    tsr_tt_ints(tsr_ttnn_attr(c, "kernel_size"), size, 2);
    int64_t dims[4] = {r.transposed ? r.in : r.out, (r.transposed ? r.out : r.in) / r.groups,
                       size[0], size[1]};
    tsr_tensor *w = tsr_tt_new(c, (tsr_dtype)t->dtype, dims, 4);
    for (int64_t p = 0; w && p < r.window; p++)
        for (int64_t i = 0; i < r.in; i++)
            for (int64_t o = 0; o < r.out; o++) {
                int64_t at = plain_at(&r, i, o, p);
                if (at >= 0)
                    tsr_copy_element(w, at, t, (p * rows + i) * columns + o);
            }
    return w;
}

/* One number for each channel in the first row; the rest is 0. */
bool eval_ttnn_prepare_bias(tsr_call *c)
{
    const tsr_type *type = c->op->out[0].type;
    const tsr_tensor *b = c->in[0];
    int64_t n = tsr_ttnn_int(c, "out_channels", 1);
    tsr_tensor *t = tsr_tensor_zeros(tsr_tt_elem((tsr_dtype)b->dtype), type->dims, type->n);
    if (!t)
        return tsr_fail_memory(c, "a bias");
    if (n > t->n || n > b->n) {
        tsr_tensor_unref(t);
        return tsr_fail(c, "has a bias that is not of its channels");
    }
    memcpy(t->data, b->data, (size_t)n * tsr_elem_size(b));
    return tsr_ttnn_give(c, 0, t);
}

/* The first n numbers of a padded bias. */
static tsr_tensor *cut(tsr_call *c, tsr_tensor *b, int64_t n)
{
    if (b->n <= n)
        return tsr_tensor_ref(b);
    tsr_tensor *t = tsr_tt_new(c, (tsr_dtype)b->dtype, &n, 1);
    if (t)
        memcpy(t->data, b->data, tsr_tensor_bytes(t));
    return t;
}

/* conv2d and conv_transpose2d */
bool eval_ttnn_conv2d(tsr_call *c)
{
    const tsr_tensor *w = c->in[1];
    bool is_ready = w->rank == 4 && w->dims[0] == 1 && w->dims[1] == 1 &&
                    w->dims[2] >= ready_of(c).window * ready_of(c).in;
    int bias = tsr_tt_at(c, 2);
    if (!is_ready && (bias < 0 || c->in[bias]->n <= tsr_ttnn_int(c, "out_channels", 1)))
        return eval_ttnn(c);
    tsr_tensor *in[4] = {c->in[0], is_ready ? unprepared(c, w) : tsr_tensor_ref(c->in[1])};
    if (in[1] && bias >= 0)
        in[2] = cut(c, c->in[bias], tsr_ttnn_int(c, "out_channels", 1));
    bool ok = in[1] && (bias < 0 || in[2]);
    tsr_call inner = *c;
    inner.in = in;
    inner.last = NULL;
    ok = ok && eval_ttnn(&inner);
    tsr_tensor_unref(in[1]);
    tsr_tensor_unref(in[2]);
    return ok;
}

/* One-dimensional: the result is [1, 1, batch * length, channels]. */
bool eval_ttnn_conv1d(tsr_call *c)
{
    const tsr_ttnn_view *v = tsr_ttnn_view_in(c);
    if (!v || !tsr_ttnn_run(c, &v->op, c->in))
        return false;
    tsr_tensor *t = c->out[0];
    c->out[0] = NULL;
    return tsr_ttnn_give(c, 0, t);
}

/* ---- Three dimensions ---- */

/* Prepared three-dimensional weights: blocks of input channels, each with a row for each window position and each
 * channel; a column for each output channel. Rows may be padded with zeros. */
typedef struct {
    ready r;
    int64_t k[3], block, channels; /* channels: including padding */
} volume;

static int64_t row_of(const volume *v, int64_t channel, int64_t place)
{
    return channel / v->block * v->block * v->r.window + place * v->block + channel % v->block;
}

static bool set_rows(tsr_call *c, volume *v, int64_t rows, int64_t block)
{
    v->r.window = v->k[0] * v->k[1] * v->k[2];
    bool ok = v->r.window > 0 && v->r.groups > 0 && v->r.in > 0 && v->r.in % v->r.groups == 0 &&
              v->r.out > 0 && v->r.out % v->r.groups == 0 && rows % v->r.window == 0;
    v->channels = ok ? rows / v->r.window : 0;
    v->block = block > 0 && v->channels % block == 0 ? block : v->channels;
    return (ok && v->channels >= v->r.in / v->r.groups) ||
           tsr_fail(c, "has weights that are not of its window");
}

bool eval_ttnn_prepare_weights3(tsr_call *c)
{
    const tsr_type *type = c->op->out[0].type;
    const tsr_tensor *w = c->in[0];
    if (w->rank != 5 || type->n != 2)
        return tsr_fail(c, "makes a matrix of weights of volumes");
    volume v = {.r = {.groups = tsr_ttnn_int(c, "groups", 1)},
                .k = {w->dims[2], w->dims[3], w->dims[4]}};
    v.r.in = w->dims[1] * v.r.groups;
    v.r.out = w->dims[0];
    if (!set_rows(c, &v, type->dims[0], tsr_ttnn_int(c, "c_in_block", 0)))
        return false;
    if (v.channels < v.r.in || type->dims[1] < v.r.out)
        return tsr_fail(c, "has weights that are not of its window");
    tsr_tensor *t = tsr_tensor_zeros(tsr_tt_elem((tsr_dtype)w->dtype), type->dims, 2);
    for (int64_t p = 0; t && p < v.r.window; p++)
        for (int64_t i = 0; i < v.r.in; i++)
            for (int64_t o = 0; o < v.r.out; o++) {
                int64_t at = plain_at(&v.r, i, o, p);
                if (at >= 0)
                    tsr_copy_element(t, row_of(&v, i, p) * type->dims[1] + o, w, at);
            }
    return t ? tsr_ttnn_give(c, 0, t) : tsr_fail_memory(c, "weights");
}

/* Converts prepared weights back to plain ones. Rows are of all input channels, or of those of one group. */
static tsr_tensor *unprepared3(tsr_call *c, const tsr_tensor *t)
{
    enum { C_IN_BLOCK = 5 };
    const tsr_attr *config = tsr_ttnn_attr(c, "conv3d_config");
    volume v = {.r = {.in = tsr_ttnn_int(c, "in_channels", 1),
                      .out = tsr_ttnn_int(c, "out_channels", 1),
                      .groups = tsr_ttnn_int(c, "groups", 1)},
                .k = {1, 1, 1}};
    tsr_tt_ints(tsr_ttnn_attr(c, "kernel_size"), v.k, 3);
    const tsr_attr *block = config ? config->attrs[C_IN_BLOCK] : NULL;
    if (!set_rows(c, &v, t->dims[0], block ? block->i : 0))
        return NULL;
    int64_t ins = v.r.in / v.r.groups, outs = v.r.out / v.r.groups;
    int64_t dims[] = {v.r.out, ins, v.k[0], v.k[1], v.k[2]};
    if (t->dims[1] < v.r.out)
        tsr_fail(c, "has weights that are not of its channels");
    tsr_tensor *w = t->dims[1] < v.r.out ? NULL : tsr_tt_new(c, (tsr_dtype)t->dtype, dims, 5);
    for (int64_t p = 0; w && p < v.r.window; p++)
        for (int64_t i = 0; i < ins; i++)
            for (int64_t o = 0; o < v.r.out; o++) {
                int64_t channel = v.channels >= v.r.in ? o / outs * ins + i : i;
                tsr_copy_element(w, (o * ins + i) * v.r.window + p, t,
                                 row_of(&v, channel, p) * t->dims[1] + o);
            }
    return w;
}

bool eval_ttnn_conv3d(tsr_call *c)
{
    const tsr_ttnn_view *v = tsr_ttnn_view_in(c);
    tsr_tensor *in[4] = {c->in[0], c->in[1], c->op->nin > 2 ? c->in[2] : NULL};
    if (!v)
        return false;
    if (c->in[1]->rank != 2)
        return tsr_ttnn_run(c, &v->op, in);
    in[1] = unprepared3(c, c->in[1]);
    bool ok = in[1] && tsr_ttnn_run(c, &v->op, in);
    tsr_tensor_unref(in[1]);
    return ok;
}
