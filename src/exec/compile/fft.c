/* SPDX-License-Identifier: Apache-2.0 */
/* fft.c - stablehlo.fft: its EXEC hook.
 *
 * There is a plan for each dimension. The last dimension is transformed first, or last of all where its results are
 * real. All dimensions after the first work in place. */
#include "exec/fft.h"

#include "dialect/stablehlo/cases.h"
#include "exec/compile/value.h"
#include "exec/target.h"

/* v transformed along dimension d. */
static tsr_xid along(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, int64_t d, int64_t length,
                     bool inverse, bool real)
{
    if (v == TSR_XNONE)
        return v;
    tsr_xvalue x = *tsr_xvalue_at(b, v);
    bool wide = x.dtype == TSR_D_F64 || x.dtype == TSR_D_C128;
    tsr_fft_step *p = TSR_NEW(&b->p->arena, tsr_fft_step);
    *p = (tsr_fft_step){.length = length, .wide = wide, .inverse = inverse, .real = real};
    int64_t last = x.rank - 1, dims[TSR_VIEW_RANK], order[TSR_VIEW_RANK];
    if (!b->p->target->transform(&b->p->arena, p, x.n / x.dims[d]))
        return TSR_XNONE;
    memcpy(dims, x.dims, x.rank * sizeof *dims);
    bool swaps = d != last && !p->columns;
    for (int64_t i = 0; i <= last; i++)
        order[i] = swaps && i == d ? last : swaps && i == last ? d : i;
    if (swaps) { /* swap the dimension with the last one */
        v = tsr_x_permuted(b, op, v, order);
        dims[d] = dims[last];
    }
    dims[swaps ? last : d] = real && !inverse ? length / 2 + 1 : length;
    tsr_dtype to = !real || !inverse ? (wide ? TSR_D_C128 : TSR_D_C64)
                   : wide            ? TSR_D_F64
                                     : TSR_D_F32;
    tsr_type *type = tsr_type_tensor(b->p->module->ctx, dims, x.rank,
                                     tsr_dtype_type(b->p->module->ctx, to), NULL);
    p->axis = swaps ? last : d;
    tsr_xid whole = tsr_x_whole(b, v);
    tsr_node *before = x.node == TSR_XNONE || x.op != op ? NULL : &b->p->nodes.data[x.node];
    if (before && before->fft && whole == v && !real &&
        !swaps) { /* in place, over the previous result */
        tsr_fft_step **end = &before->fft;
        while (*end)
            end = &(*end)->next;
        *end = p;
        return v;
    }
    tsr_node *n = tsr_x_node(b, TSR_NODE_MOVE, op, &whole, 1, &type, 1);
    n->move = TSR_MOVE_FFT;
    n->over = 1;
    n->fft = p;
    tsr_xid made = n->out[0];
    tsr_xvalue_at(b, made)->part = true;
    tsr_x_done(b, n);
    return swaps ? tsr_x_permuted(b, op, made, order) : made;
}

bool exec_fft(tsr_xbuilder *b, tsr_op *op)
{
    enum { MOST = 3 };
    tsr_xid v = tsr_x_in(b, op, 0);
    tsr_xvalue x = *tsr_xvalue_at(b, v);
    const tsr_attr *lengths = tsr_attr_of(op, STABLEHLO_FFT_fft_length);
    int64_t type = tsr_attr_of(op, STABLEHLO_FFT_fft_type)->i, n[MOST],
            naxis = tsr_attr_count(lengths);
    bool real = type == TSR_FFT_RFFT || type == TSR_FFT_IRFFT;
    bool inverse = type == TSR_FFT_IFFT || type == TSR_FFT_IRFFT;
    bool pairs = tsr_dtype_is_complex((tsr_dtype)x.dtype);
    bool given = type == TSR_FFT_RFFT ? x.dtype == TSR_D_F32 || x.dtype == TSR_D_F64 : pairs;
    if (!given || naxis < 1 || naxis > MOST || naxis > x.rank || x.rank > TSR_VIEW_RANK ||
        x.n <= 0 || tsr_type_num_elements(op->out[0].type) <= 0)
        return false;
    for (int64_t i = 0; i < naxis; i++) {
        n[i] = tsr_attr_int_at(lengths, (size_t)i);
        bool half = type == TSR_FFT_IRFFT && i + 1 == naxis;
        if (x.dims[x.rank - naxis + i] != (half ? n[i] / 2 + 1 : n[i]))
            return false;
    }
    if (!inverse || !real)
        v = along(b, op, v, x.rank - 1, n[naxis - 1], inverse, real);
    for (int64_t i = naxis - 1; i-- > 0;)
        v = along(b, op, v, x.rank - naxis + i, n[i], inverse, false);
    if (inverse && real)
        v = along(b, op, v, x.rank - 1, n[naxis - 1], true, true);
    return tsr_x_give(b, op, 0, v);
}
