/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_fft.c - Fourier transforms are linear; the full ones are their own transposes. */
#include "dialect/stablehlo/cases.h"
#include "pass/grad/grad.h"

static tsr_value *transform(tsr_build *b, tsr_op *like, tsr_value *v, int64_t kind)
{
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_FFT, &v, 1, 1, 0);
    op->attrs[STABLEHLO_FFT_fft_type] = tsr_attr_enum(b->ctx, &tsr_def_STABLEHLO_FFT_TYPE, kind);
    op->attrs[STABLEHLO_FFT_fft_length] = tsr_attr_of(like, STABLEHLO_FFT_fft_length);
    return &tsr_build_close(b, op)->out[0];
}

/* From real values: the missing half of the cotangent is zero. */
static tsr_value *from_real(tsr_build *b, tsr_op *op, tsr_value *ct)
{
    const tsr_type *x = tsr_hlo_in(op, 0);
    tsr_i64_vec low = {0}, high = {0};
    for (uint32_t i = 0; i < x->n; i++) {
        tsr_vec_push(&low, 0);
        tsr_vec_push(&high, x->dims[i] - ct->type->dims[i]);
    }
    tsr_value *full =
        tsr_grad_pad(b, ct, tsr_grad_scalar(b, tsr_elem(ct), 0), low.data, high.data, NULL);
    tsr_vec_free(&low);
    tsr_vec_free(&high);
    return f_real(b, transform(b, op, full, TSR_FFT_FFT));
}

/* To real values: elements that the other half repeats count twice. */
static tsr_value *to_real(tsr_build *b, tsr_op *op, tsr_value *ct)
{
    const tsr_attr *lengths = tsr_attr_of(op, STABLEHLO_FFT_fft_length);
    double size = 1;
    for (size_t i = 0; i < tsr_hlo_len(lengths); i++)
        size *= (double)tsr_hlo_at(lengths, i);
    tsr_value *y = transform(b, op, ct, TSR_FFT_RFFT);
    int64_t last = y->type->n - 1, n = ct->type->dims[last];
    tsr_value *k = tsr_build_iota(b, y, b->ctx->i32, last);
    tsr_value *once = f_eqc(b, k, 0);
    if (n % 2 == 0)
        once = f_or(b, once, f_eqc(b, k, (double)(n / 2)));
    tsr_value *scale = f_select(b, once, f_const(b, y, 1 / size), f_const(b, y, 2 / size));
    return tsr_grad_conj(b, f_mul(b, y, scale));
}

bool vjp_fft(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    int64_t kind = tsr_attr_of(op, STABLEHLO_FFT_fft_type)->i;
    tsr_value *x = tsr_grad_in(op, 0), *d;
    if (!tsr_type_has_static_shape(x->type))
        return tsr_grad_none(op, "sizes are not known");
    if (!tsr_type_num_elements(x->type) || !tsr_type_num_elements(ct[0]->type))
        return true;
    if (kind == TSR_FFT_RFFT)
        d = from_real(&g->b, op, ct[0]);
    else
        d = kind == TSR_FFT_IRFFT ? to_real(&g->b, op, ct[0]) : transform(&g->b, op, ct[0], kind);
    tsr_grad_add(g, x, d);
    return true;
}
