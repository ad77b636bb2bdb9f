/* SPDX-License-Identifier: Apache-2.0 */
/* conv.c - convolutions as products: EXEC hooks of StableHLO's and TTIR's.
 *
 * The windows of a zero-padded image are a matrix that is read with several strides (kernel/grid.h): one row for each
 * position of the result, one column for each position of the window and each channel. The image is copied with its
 * padding: as a whole, or part by part where channels are the last dimension, or image by image of a batch where they
 * are the second. Where channels come before spatial dimensions in the result, as in NCHW, the matrix is the right
 * factor. Depthwise convolutions are loops over vectors of channels (kernel/direct.h). Gradients are convolutions, too,
 * with dimensions in other roles. */
#include "dialect/params.h"
#include "eval/kernel/conv.h"
#include "exec/contract.h"
#include "exec/compile/value.h"
#include "exec/target.h"

typedef struct {
    tsr_xbuilder *b;
    const tsr_op *op;
    tsr_conv_run v; /* parameters */
    tsr_xid x, k;
    tsr_dtype to;
    bool groups_in;     /* the kernel has groups in its input features */
    int64_t groups;     /* of features, or of the batch */
    int64_t nf, nb, no; /* features, batch and results of a group */
    uint8_t rank;
    int64_t out[TSR_VIEW_RANK]; /* sizes of the result */
} conv;

static const tsr_xvalue *at(const conv *c, tsr_xid v)
{
    return tsr_xvalue_at(c->b, v);
}

/* Computes sizes; false: something is empty, does not fit, or is so large that offsets overflow. */
static bool find_sizes(conv *c)
{
    const int64_t most = (int64_t)1 << 30;
    const tsr_conv_run *v = &c->v;
    const int64_t *in = at(c, c->x)->dims, *k = at(c, c->k)->dims;
    bool by_batch = v->batch_groups > 1;
    c->rank = (uint8_t)(v->n + 2);
    if (at(c, c->x)->rank != c->rank || at(c, c->k)->rank != c->rank ||
        c->rank + 1 > TSR_VIEW_RANK || v->feature_groups < 1 || v->batch_groups < 1)
        return false;
    c->groups = by_batch ? v->batch_groups : v->feature_groups;
    c->nf = in[v->in_feature] / v->feature_groups;
    c->nb = in[v->in_batch] / v->batch_groups;
    c->no = k[v->k_out] / (c->groups_in ? 1 : c->groups);
    c->out[v->out_batch] = c->nb;
    c->out[v->out_feature] = c->no * c->groups;
    for (size_t i = 0; i < v->n; i++) {
        int64_t low = v->low[i], high = v->high[i], size = in[v->in_sp[i]], w = k[v->k_sp[i]];
        if (low < -most || low > most || high < -most || high > most || size < 1 || w < 1 ||
            v->in_dil[i] > most || v->k_dil[i] > most || v->stride[i] > most || size > most ||
            w > most)
            return false;
        int64_t room = low + (size - 1) * v->in_dil[i] + 1 + high - ((w - 1) * v->k_dil[i] + 1);
        if (room < 0)
            return false;
        c->out[v->out_sp[i]] = room / v->stride[i] + 1;
    }
    return c->nf > 0 && c->nb > 0 && c->no > 0 &&
           k[v->k_in] == c->nf * (c->groups_in ? c->groups : 1);
}

/* The kernel, reversed along dimensions where windows run backwards. */
static tsr_xid reversed_kernel(const conv *c)
{
    int64_t begin[TSR_VIEW_RANK] = {0}, step[TSR_VIEW_RANK];
    const tsr_xvalue *k = at(c, c->k);
    bool any = false;
    for (uint8_t i = 0; i < c->rank; i++)
        step[i] = 1;
    for (size_t i = 0; i < c->v.n; i++)
        if (c->v.reverse[i]) {
            int64_t d = c->v.k_sp[i];
            begin[d] = k->dims[d] - 1;
            step[d] = -1;
            any = true;
        }
    return any ? tsr_x_sliced(c->b, c->op, c->k, begin, step, k->dims) : c->k;
}

/* v, or a copy in memory if it is a splat or an iota. */
static tsr_xid in_memory(const conv *c, tsr_xid v)
{
    tsr_place place = (tsr_place)at(c, tsr_storage_of(c->b->p, v))->place;
    return place == TSR_PLACE_SPLAT || place == TSR_PLACE_IOTA ? tsr_x_whole(c->b, v) : v;
}

/* The zero-padded image, as far as windows reach; the image itself, if it has no padding. */
static tsr_xid padded(const conv *c)
{
    const tsr_conv_run *v = &c->v;
    int64_t dims[TSR_VIEW_RANK], numbers[2 * TSR_VIEW_RANK] = {0};
    const int64_t *kernel = at(c, c->k)->dims;
    bool pads = false;
    memcpy(dims, at(c, c->x)->dims, c->rank * sizeof *dims);
    for (size_t i = 0; i < v->n; i++) {
        int64_t d = v->in_sp[i], reach = (c->out[v->out_sp[i]] - 1) * v->stride[i] +
                                         (kernel[v->k_sp[i]] - 1) * v->k_dil[i] + 1;
        if (!v->low[i] && v->in_dil[i] == 1 && reach <= dims[d])
            continue;
        dims[d] = reach;
        numbers[d] = v->low[i];
        numbers[c->rank + d] = v->in_dil[i] - 1;
        pads = true;
    }
    if (!pads)
        return in_memory(c, c->x);
    tsr_xid in[2] = {c->x, tsr_x_number(c->b, c->op, (tsr_dtype)at(c, c->x)->dtype, 0)};
    return tsr_x_moved(c->b, c->op, TSR_MOVE_PAD, in, 2, numbers, 2 * c->rank, dims, c->rank);
}

/* Whether image and result both have dimensions batch, spatial, features in this order. */
static bool channels_are_last(const conv *c)
{
    const tsr_conv_run *v = &c->v;
    bool is = v->in_batch == 0 && v->out_batch == 0 && v->in_feature == c->rank - 1 &&
              v->out_feature == c->rank - 1;
    for (size_t i = 0; i < v->n; i++)
        is &= v->in_sp[i] == (int64_t)i + 1 && v->out_sp[i] == (int64_t)i + 1;
    return is;
}

/* Whether dimensions are batch, features, spatial, and there is one group. */
static bool channels_are_second(const conv *c)
{
    const tsr_conv_run *v = &c->v;
    bool is = v->in_batch == 0 && v->out_batch == 0 && v->in_feature == 1 && v->out_feature == 1 &&
              c->groups == 1;
    for (size_t i = 0; i < v->n; i++)
        is &= v->in_sp[i] == (int64_t)i + 2 && v->out_sp[i] == (int64_t)i + 2;
    return is;
}

/* The image itself, if padding can be added to parts of it during packing; x: its padded shape. TSR_XNONE: there is no
 * padding, or the layout is another one. */
static tsr_xid padded_late(const conv *c, tsr_xshape *x, const tsr_grid_pad **out)
{
    const tsr_conv_run *v = &c->v;
    const int64_t *kernel = at(c, c->k)->dims, *in = at(c, c->x)->dims;
    int64_t dims[TSR_VIEW_RANK], lows[TSR_VIEW_RANK] = {0};
    bool pads = false, last = channels_are_last(c);
    tsr_xshape lies;
    /* A row is the last spatial dimension, with the channels after it. */
    int64_t row = c->rank - 1 - last, inner = last ? in[v->in_feature] : 1;
    if ((!last && !channels_are_second(c)) || v->n < 1 || row > TSR_GRID_OUTER)
        return TSR_XNONE;
    memcpy(dims, in, c->rank * sizeof *dims);
    for (size_t i = 0; i < v->n; i++) {
        int64_t d = v->in_sp[i];
        if (v->in_dil[i] != 1)
            return TSR_XNONE;
        dims[d] =
            (c->out[v->out_sp[i]] - 1) * v->stride[i] + (kernel[v->k_sp[i]] - 1) * v->k_dil[i] + 1;
        lows[d] = v->low[i];
        pads |= lows[d] > 0 || dims[d] > in[d];
    }
    tsr_xid picture = pads ? in_memory(c, c->x) : TSR_XNONE;
    if (picture == TSR_XNONE || !tsr_x_shape(c->b, picture, &lies) ||
        (inner > 1 && lies.strides[c->rank - 1] != 1) ||
        (in[row] > 1 && lies.strides[row] != inner) || !tsr_xshape_whole(x, dims, c->rank))
        return TSR_XNONE;
    int64_t low = lows[row], skip = low < 0 ? -low : 0, before = low > 0 ? low : 0;
    int64_t count = in[row] - skip, room = dims[row] - before;
    count = count < room ? count : room;
    tsr_grid_pad *pad = TSR_NEW(&c->b->p->arena, tsr_grid_pad);
    *pad = (tsr_grid_pad){.rank = (uint8_t)row, .row = dims[row] * inner, .skip = skip * inner};
    /* Windows may contain only padding. */
    pad->count = count > 0 ? count * inner : 0;
    pad->before = count > 0 ? before * inner : 0;
    for (int64_t i = 0; i < row; i++) {
        pad->dims[i] = dims[i];
        pad->low[i] = lows[i];
        pad->sizes[i] = in[i];
        pad->strides[i] = lies.strides[i];
    }
    x->offset = lies.offset;
    *out = pad;
    return picture;
}

/* ---- Roles ---- */

static void push(tsr_xview *v, int64_t size, int64_t stride)
{
    if (size == 1)
        return;
    v->space.dims[v->space.rank] = size;
    v->strides[v->space.rank++] = stride;
}

/* Dimensions of the result from first up to end, without features, as positions of windows; returns how many there
 * are. */
static int64_t places_of(const conv *c, const tsr_xshape *x, int64_t first, int64_t end,
                         tsr_xview *out)
{
    const tsr_conv_run *v = &c->v;
    int64_t n = 1;
    *out = (tsr_xview){0};
    for (int64_t d = first; d < end; d++) {
        if (d == v->out_feature)
            continue;
        int64_t stride = x->strides[v->in_batch];
        for (size_t i = 0; i < v->n; i++)
            if (v->out_sp[i] == d)
                stride = x->strides[v->in_sp[i]] * v->stride[i];
        push(out, c->out[d], stride);
        n *= c->out[d];
    }
    *out = tsr_xview_join(out);
    return n;
}

/* A contracted dimension: of the kernel, with the stride of the image. */
typedef struct {
    int64_t size, stride, dim, order;
} depth_step;

/* Contracted dimensions: channels innermost if they are contiguous in the image, otherwise in the kernel's layout. */
static size_t steps_of(const conv *c, const tsr_xshape *x, const tsr_xshape *k, depth_step *out)
{
    const tsr_conv_run *v = &c->v;
    size_t n = 0;
    bool by_picture = x->strides[v->in_feature] == 1 && c->nf > 1;
    for (size_t i = 0; i < v->n; i++, n++)
        out[n] =
            (depth_step){k->dims[v->k_sp[i]], x->strides[v->in_sp[i]] * v->k_dil[i], v->k_sp[i], 0};
    out[n++] = (depth_step){c->nf, x->strides[v->in_feature], v->k_in, 0};
    for (size_t i = 0; i < n; i++) {
        int64_t order = by_picture ? out[i].stride : k->strides[out[i].dim];
        out[i].order = order < 0 ? -order : order;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && out[j - 1].order < out[j].order; j--) {
            depth_step other = out[j];
            out[j] = out[j - 1];
            out[j - 1] = other;
        }
    return n;
}

static const tsr_grid *grid_of(const conv *c, const tsr_xview *lines, const tsr_xview *steps,
                               const tsr_grid_pad *pad)
{
    tsr_grid grid = {.lines = *lines, .steps = tsr_xview_join(steps), .pad = pad};
    return tsr_arena_copy(&c->b->p->arena, &grid, sizeof grid);
}

/* Sets windows as a side of the product: a grid, or a plain matrix where one stride is enough. */
static void set_windows(const conv *c, tsr_contract_side *side, const tsr_xview *lines,
                        const tsr_xview *steps, const tsr_grid_pad *pad)
{
    const tsr_grid *g = grid_of(c, lines, steps, pad);
    if (!pad && g->lines.space.rank <= 1 && g->steps.space.rank <= 1) {
        side->rest_stride = tsr_grid_stride(&g->lines);
        side->contract_stride = tsr_grid_stride(&g->steps);
    } else {
        side->grid = g;
    }
}

/* Rearranges dimensions group (if there are several), positions, results of a group into those of the result. */
static tsr_xid arranged(const conv *c, tsr_xid made)
{
    int64_t order[TSR_VIEW_RANK];
    int64_t groups = c->groups > 1, next = groups;
    size_t n = 0;
    for (int64_t d = 0; d < c->rank; d++) {
        if (d != c->v.out_feature) {
            order[n++] = next++;
            continue;
        }
        if (groups)
            order[n++] = 0;
        order[n++] = c->rank - 1 + groups;
    }
    return tsr_x_reshaped(c->b, c->op, tsr_x_permuted(c->b, c->op, made, order), c->out, c->rank);
}

/* ---- Products ---- */

/* The kernel by groups: dimension d, which has them, is split in two. */
static tsr_xid split_kernel(const conv *c, tsr_xid k, int64_t d)
{
    int64_t dims[TSR_VIEW_RANK];
    const int64_t *old = at(c, k)->dims;
    if (c->groups == 1)
        return k;
    memcpy(dims, old, (size_t)d * sizeof *dims);
    dims[d] = c->groups;
    dims[d + 1] = old[d] / c->groups;
    memcpy(dims + d + 2, old + d + 1, (size_t)(c->rank - d - 1) * sizeof *dims);
    return tsr_x_reshaped(c->b, c->op, k, dims, c->rank + 1u);
}

/* The kernel as a factor: groups, the steps of the depth, results of a group. */
static tsr_xid weights_of(conv *c, tsr_xid kernel, const depth_step *steps, size_t n,
                          tsr_contract_side *out)
{
    const tsr_conv_run *v = &c->v;
    int64_t d = c->groups_in ? v->k_in : v->k_out, groups = c->groups > 1;
    tsr_x_side side = {.nbatch = (size_t)groups, .batch = {d}, .nrest = 1};
    side.rest[0] = v->k_out + (groups && v->k_out >= d);
    for (size_t i = 0; i < n; i++)
        side.contract[side.ncontract++] = steps[i].dim + (groups && steps[i].dim >= d);
    return tsr_x_factor(c->b, &side, split_kernel(c, kernel, d), out);
}

/* Appends the dimensions of the result to the n in dims, with its features last. Returns their number. */
static size_t features_last(const conv *c, int64_t n, int64_t features, int64_t *dims)
{
    for (int64_t i = 0; i < c->rank; i++)
        if (i != c->v.out_feature)
            dims[n++] = c->out[i];
    dims[n++] = features;
    return (size_t)n;
}

/* From the windows of one group to those of the next, in elements of the image. */
static int64_t group_stride(const conv *c, const tsr_xshape *x)
{
    const tsr_conv_run *v = &c->v;
    return v->batch_groups > 1 ? c->nb * x->strides[v->in_batch]
                               : c->nf * x->strides[v->in_feature];
}

static tsr_xid by_product(conv *c)
{
    const tsr_conv_run *v = &c->v;
    tsr_contract *made = TSR_NEW(&c->b->p->arena, tsr_contract);
    depth_step steps[TSR_VIEW_RANK];
    tsr_xshape x, k;
    tsr_xview depth = {0}, outer, places;
    int64_t groups = c->groups > 1, all = 1;
    const tsr_grid_pad *pad = NULL;
    tsr_xid picture = padded_late(c, &x, &pad), kernel = reversed_kernel(c);
    if (picture == TSR_XNONE) {
        picture = padded(c);
        if (picture == TSR_XNONE || !tsr_x_shape(c->b, picture, &x))
            return TSR_XNONE;
    }
    if (kernel == TSR_XNONE || !tsr_x_shape(c->b, kernel, &k))
        return TSR_XNONE;
    size_t nsteps = steps_of(c, &x, &k, steps);
    for (size_t i = 0; i < nsteps; i++) {
        push(&depth, steps[i].size, steps[i].stride);
        all *= steps[i].size;
    }
    int64_t nouter = places_of(c, &x, 0, v->out_feature, &outer);
    int64_t ninner = places_of(c, &x, v->out_feature + 1, c->rank, &places);
    /* Channels before spatial dimensions: the matrix of windows is the right factor. */
    bool right = !groups && ninner > 1 && outer.space.rank <= 1;
    if (!right)
        ninner = places_of(c, &x, 0, c->rank, &places);
    tsr_contract_side *windows = &made->side[right], *weights = &made->side[!right];
    kernel = weights_of(c, kernel, steps, nsteps, weights);
    if (kernel == TSR_XNONE)
        return TSR_XNONE;
    *windows =
        (tsr_contract_side){.batch = right ? nouter : c->groups,
                            .contract = all,
                            .rest = ninner,
                            .batch_stride = right ? tsr_grid_stride(&outer) : group_stride(c, &x),
                            .offset = x.offset};
    weights->batch = windows->batch;
    set_windows(c, windows, &places, &depth, pad);
    made->type = at(c, picture)->dtype;
    made->to = (uint8_t)c->to;
    tsr_xid in[2] = {right ? kernel : picture, right ? picture : kernel};
    if (right)
        return tsr_x_contracted(c->b, c->op, made, in, c->out, c->rank);
    int64_t dims[TSR_VIEW_RANK] = {c->groups};
    size_t n = features_last(c, groups, c->no, dims);
    return arranged(c, tsr_x_contracted(c->b, c->op, made, in, dims, n));
}

/* ---- Dilated images ---- */

enum { MOST_PHASES = 16 };

/* The number of phases: results with different positions modulo the dilation use different elements of the window; 0:
 * they cannot be separate convolutions. */
static int64_t phases_of(const conv *c)
{
    const tsr_conv_run *v = &c->v;
    int64_t n = 1;
    for (size_t i = 0; i < v->n; i++) {
        int64_t d = v->in_dil[i];
        if (d == 1)
            continue;
        if (d > MOST_PHASES || v->stride[i] != 1 || v->k_dil[i] != 1 || c->out[v->out_sp[i]] % d ||
            at(c, c->k)->dims[v->k_sp[i]] < d)
            return 0;
        n *= d;
        if (n > MOST_PHASES)
            return 0;
    }
    return c->rank + v->n <= TSR_VIEW_RANK ? n : 0;
}

/* Results phase, phase + dilation, ... of each dimension: a convolution of the undilated image with every dilation-th
 * element of the window. Each dilated dimension of the result becomes two, the second of size 1; out: their sizes. */
static tsr_xid one_phase(const conv *c, int64_t phase, int64_t *out, size_t *rank)
{
    conv one = *c;
    tsr_conv_run *v = &one.v;
    int64_t begin[TSR_VIEW_RANK] = {0}, step[TSR_VIEW_RANK], dims[TSR_VIEW_RANK];
    memcpy(dims, at(c, c->k)->dims, c->rank * sizeof *dims);
    for (uint8_t i = 0; i < c->rank; i++)
        step[i] = 1;
    for (size_t i = v->n; i-- > 0;) {
        int64_t d = v->in_dil[i], k = v->k_sp[i], p = phase % d, low = v->low[i];
        phase /= d;
        if (d == 1)
            continue;
        begin[k] = ((low - p) % d + d) % d;
        step[k] = d;
        dims[k] = (dims[k] - begin[k] + d - 1) / d;
        v->in_dil[i] = 1;
        v->low[i] = (low - p - begin[k]) / d;
        v->high[i] =
            c->out[v->out_sp[i]] / d - 1 + dims[k] - v->low[i] - at(c, c->x)->dims[v->in_sp[i]];
    }
    one.k = tsr_x_sliced(c->b, c->op, c->k, begin, step, dims);
    if (one.k == TSR_XNONE || !find_sizes(&one))
        return TSR_XNONE;
    *rank = 0;
    for (int64_t d = 0; d < c->rank; d++) {
        out[(*rank)++] = one.out[d];
        for (size_t i = 0; i < v->n; i++)
            if (v->out_sp[i] == d && c->v.in_dil[i] > 1)
                out[(*rank)++] = 1;
    }
    return tsr_x_reshaped(c->b, c->op, by_product(&one), out, *rank);
}

static tsr_xid by_phases(conv *c, int64_t n)
{
    tsr_xid made[MOST_PHASES];
    int64_t dims[TSR_VIEW_RANK];
    size_t rank = 0;
    c->k = reversed_kernel(c);
    memset(c->v.reverse, 0, sizeof c->v.reverse);
    if (c->k == TSR_XNONE)
        return TSR_XNONE;
    for (int64_t i = 0; i < n; i++) {
        made[i] = one_phase(c, i, dims, &rank);
        if (made[i] == TSR_XNONE)
            return TSR_XNONE;
    }
    /* The last dimension first, as its phases are consecutive. */
    for (size_t i = c->v.n; i-- > 0;) {
        int64_t d = c->v.in_dil[i], at_dim = c->v.out_sp[i] + 1;
        if (d == 1)
            continue;
        for (size_t k = 0; k < c->v.n; k++)
            at_dim += c->v.out_sp[k] < c->v.out_sp[i] && c->v.in_dil[k] > 1;
        dims[at_dim] = d;
        n /= d;
        for (int64_t k = 0; k < n; k++)
            made[k] = tsr_x_moved(c->b, c->op, TSR_MOVE_CONCATENATE, made + k * d, (uint32_t)d,
                                  &at_dim, 1, dims, rank);
    }
    return tsr_x_reshaped(c->b, c->op, made[0], c->out, c->rank);
}

/* ---- Depthwise ---- */

/* v with dimension d moved to the end; the n dimension numbers in which are updated accordingly. */
static tsr_xid put_last(const conv *c, tsr_xid v, int64_t d, int64_t *const *which, size_t n)
{
    int64_t order[TSR_VIEW_RANK];
    for (int64_t i = 0; i < c->rank; i++)
        order[i] = i == c->rank - 1 ? d : i < d ? i : i + 1;
    for (size_t i = 0; i < n; i++)
        *which[i] = *which[i] == d ? c->rank - 1 : *which[i] - (*which[i] > d);
    return tsr_x_permuted(c->b, c->op, v, order);
}

/* Several results per channel: repeats each channel as often. */
static void repeat_channels(conv *c)
{
    int64_t dims[TSR_VIEW_RANK], d = c->v.in_feature, n = 0;
    const int64_t *old = at(c, c->x)->dims;
    for (int64_t i = 0; i < c->rank; i++) {
        dims[n++] = old[i];
        if (i == d)
            dims[n++] = 1;
    }
    c->x = tsr_x_reshaped(c->b, c->op, c->x, dims, (size_t)n);
    dims[d + 1] = c->no;
    c->x = tsr_x_spread(c->b, c->op, c->x, dims, (size_t)n);
    memmove(dims + d + 1, dims + d + 2, (size_t)(c->rank - d - 1) * sizeof *dims);
    dims[d] = c->groups * c->no;
    c->x = tsr_x_reshaped(c->b, c->op, c->x, dims, c->rank);
    c->groups = dims[d];
    c->v.feature_groups = dims[d];
    c->no = 1;
}

/* v, or a copy, with a contiguous last dimension. */
static tsr_xid side_by_side(const conv *c, tsr_xid v, tsr_xshape *out)
{
    if (v == TSR_XNONE)
        return v;
    v = in_memory(c, v);
    if (!tsr_x_shape(c->b, v, out))
        return TSR_XNONE;
    if (out->strides[c->rank - 1] == 1)
        return v;
    v = tsr_x_whole(c->b, v);
    return tsr_x_shape(c->b, v, out) ? v : TSR_XNONE;
}

static bool is_channelwise(const conv *c)
{
    enum { REPEATED = 8 };
    bool alone = c->v.batch_groups > 1 ? c->nb == 1 && c->no == 1 : c->nf == 1 && c->no <= REPEATED;
    return alone && c->groups > 1 && tsr_dtype_is_float((tsr_dtype)at(c, c->x)->dtype) &&
           !(c->groups_in && c->no > 1);
}

/* Brings image and kernel to the type they are multiplied in, with channels last. */
static bool put_channels_last(conv *c, tsr_dtype type)
{
    tsr_conv_run *v = &c->v;
    int64_t *picture[TSR_VIEW_RANK] = {&v->in_batch, &v->in_feature},
            *kernel[TSR_VIEW_RANK] = {&v->k_in, &v->k_out};
    for (size_t i = 0; i < v->n; i++) {
        picture[2 + i] = &v->in_sp[i];
        kernel[2 + i] = &v->k_sp[i];
    }
    if (c->no > 1)
        repeat_channels(c);
    if (c->x == TSR_XNONE)
        return false;
    c->x = put_last(c, tsr_x_as(c->b, c->op, c->x, type),
                    v->batch_groups > 1 ? v->in_batch : v->in_feature, picture, c->rank);
    c->k = put_last(c, tsr_x_as(c->b, c->op, c->k, type), c->groups_in ? v->k_in : v->k_out, kernel,
                    c->rank);
    return true;
}

/* Image and kernel of a depthwise product in memory; pad: the image is padded while blocks copy their rows. */
static bool channel_factors(conv *c, tsr_xid *in, tsr_xshape *x, tsr_xshape *k,
                            const tsr_grid_pad **pad)
{
    enum {
        MOST_ROW = 1 << 15
    }; /* elements of a row that blocks copy: a few rows fit into the second cache */
    in[0] = padded_late(c, x, pad);
    in[1] = side_by_side(c, reversed_kernel(c), k);
    if (in[0] == TSR_XNONE || (*pad)->row > MOST_ROW) {
        *pad = NULL;
        in[0] = side_by_side(c, padded(c), x);
    }
    return in[0] != TSR_XNONE && in[1] != TSR_XNONE;
}

static tsr_xid by_channel(conv *c)
{
    const tsr_conv_run *v = &c->v;
    tsr_contract *made = TSR_NEW(&c->b->p->arena, tsr_contract);
    tsr_dtype type = tsr_x_working((tsr_dtype)at(c, c->x)->dtype);
    const tsr_grid_pad *pad = NULL;
    tsr_xshape x, k;
    tsr_xview places, none = {0}, depth = {0}, of_kernel = {0};
    tsr_xid in[2];
    if (!put_channels_last(c, type) || !channel_factors(c, in, &x, &k, &pad))
        return TSR_XNONE;
    int64_t all = 1, m = places_of(c, &x, 0, c->rank, &places);
    for (size_t i = 0; i < v->n; i++) {
        int64_t size = k.dims[v->k_sp[i]];
        push(&depth, size, x.strides[v->in_sp[i]] * v->k_dil[i]);
        push(&of_kernel, size, k.strides[v->k_sp[i]]);
        all *= size;
    }
    if (v->batch_groups > 1) {
        push(&depth, c->nf, x.strides[v->in_feature]);
        push(&of_kernel, c->nf, k.strides[v->k_in]);
        all *= c->nf;
    }
    made->side[0] = (tsr_contract_side){.batch = 1,
                                        .contract = all,
                                        .rest = m,
                                        .offset = x.offset,
                                        .grid = grid_of(c, &places, &depth, pad)};
    made->side[1] = (tsr_contract_side){.batch = 1,
                                        .contract = all,
                                        .rest = c->groups,
                                        .offset = k.offset,
                                        .grid = grid_of(c, &none, &of_kernel, NULL)};
    made->type = made->to = (uint8_t)type;
    made->direct = true;
    int64_t dims[TSR_VIEW_RANK];
    size_t n = features_last(c, 0, c->groups, dims);
    c->groups = 1;
    return arranged(c, tsr_x_contracted(c->b, c->op, made, in, dims, n));
}

/* ---- Ops ---- */

static tsr_xid convolved(conv *c)
{
    if (c->x == TSR_XNONE || c->k == TSR_XNONE || at(c, c->x)->dtype != at(c, c->k)->dtype ||
        !find_sizes(c))
        return TSR_XNONE;
    if (is_channelwise(c))
        return by_channel(c);
    tsr_dtype type = (tsr_dtype)at(c, c->x)->dtype;
    if (!c->b->p->target->product(type, c->to) && tsr_dtype_is_float(type) &&
        tsr_dtype_is_float(c->to)) {
        c->to = type == TSR_D_F64 ? TSR_D_F64 : TSR_D_F32;
        c->x = tsr_x_as(c->b, c->op, c->x, c->to);
        c->k = tsr_x_as(c->b, c->op, c->k, c->to);
        type = c->to;
    }
    if (!c->b->p->target->product(type, c->to))
        return TSR_XNONE;
    int64_t phases = phases_of(c);
    return phases > 1 ? by_phases(c, phases) : by_product(c);
}

bool exec_convolution(tsr_xbuilder *b, tsr_op *op)
{
    conv c = {.b = b,
              .op = op,
              .v = tsr_conv_numbers(op),
              .x = tsr_x_in(b, op, 0),
              .k = tsr_x_in(b, op, 1),
              .to = tsr_dtype_of(op->out[0].type->elem)};
    return op->in[0].value->type->n <= TSR_VIEW_RANK - 1 && tsr_x_give(b, op, 0, convolved(&c));
}

/* In a transposed convolution, strides dilate the image, and windows run backwards. */
static void transpose(conv *c, const tsr_conv *d)
{
    tsr_conv_run *v = &c->v;
    for (size_t i = 0; i < v->n; i++) {
        int64_t reach = v->k_dil[i] * (at(c, c->k)->dims[v->k_sp[i]] - 1);
        v->in_dil[i] = v->stride[i];
        v->stride[i] = 1;
        v->reverse[i] = true;
        v->low[i] = reach - v->low[i];
        v->high[i] = reach - v->high[i] + tsr_ints_or(d->more, i, 0);
    }
    c->groups_in = v->feature_groups > 1;
}

/* TTIR: the bias is added before sums are rounded. */
bool exec_ttir_conv(tsr_xbuilder *b, tsr_op *op)
{
    tsr_conv d;
    tsr_xid in[2] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1)};
    bool biased = op->nin > 2;
    size_t n = op->in[1].value->type->n - 2u;
    if (!tsr_conv_of(op, &d) || d.replicates || d.in_spatial.n != n || d.window.low.n != n ||
        d.window.high.n != n || n > TSR_CONV_SPATIAL || d.feature_groups < 1)
        return false;
    tsr_dtype to =
        tsr_x_product_type(b, op, in, biased ? TSR_D_NONE : tsr_dtype_of(op->out[0].type->elem));
    conv c = {.b = b, .op = op, .v = tsr_conv_numbers(op), .x = in[0], .k = in[1], .to = to};
    if (in[0] == TSR_XNONE || in[1] == TSR_XNONE)
        return false;
    const tsr_xvalue *x = tsr_xvalue_at(b, in[0]);
    int64_t dims[] = {d.flat.batch, d.flat.height, d.flat.width, x->dims[x->rank - 1u]};
    if (d.flat.given)
        c.x = x->n == dims[0] * dims[1] * dims[2] * dims[3] ? tsr_x_reshaped(b, op, in[0], dims, 4)
                                                            : TSR_XNONE;
    c.v.batch_groups = 1;
    c.v.out_batch = c.v.in_batch;
    c.v.out_feature = c.v.in_feature;
    memcpy(c.v.out_sp, c.v.in_sp, sizeof c.v.out_sp);
    if (d.is_transpose)
        transpose(&c, &d);
    tsr_xid out = convolved(&c);
    if (biased && out != TSR_XNONE) {
        int64_t shape[TSR_VIEW_RANK];
        for (uint8_t i = 0; i < c.rank; i++)
            shape[i] = i == c.v.out_feature ? c.out[i] : 1;
        tsr_xid bias = tsr_x_in(b, op, 2);
        if (tsr_xvalue_at(b, bias)->n != c.out[c.v.out_feature])
            return false;
        bias = tsr_x_as(b, op, tsr_x_reshaped(b, op, bias, shape, c.rank), tsr_xdtype_of(b, out));
        out = tsr_x_apply2(b, op, TSR_TILE_add, out, bias);
    }
    return tsr_x_give(b, op, 0, out);
}
