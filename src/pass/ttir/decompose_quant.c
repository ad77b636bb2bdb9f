/* SPDX-License-Identifier: Apache-2.0 */
/* decompose_quant.c - gives quantize, dequantize and requantize the scales and zero points of their types as
 * operands. */
#include "dialect/builtin/quant.h"
#include "dialect/stablehlo/types.h"
#include "pass/ttir/tt.h"

static bool uniform(const tsr_type *t)
{
    return tsr_hlo_is_per_tensor(t) || tsr_hlo_is_per_axis(t);
}

/* Scales as f32, zero points as si32, before op. */
static void parameters(tsr_rewriter *r, tsr_op *op, const tsr_type *t, tsr_value **out)
{
    const tsr_attr *scales = t->elem->params[QUANT_scales],
                   *zeros = t->elem->params[QUANT_zero_points];
    int64_t n = tsr_attr_count(scales);
    float *s = TSR_NEW_ARRAY(r->p->scratch, float, (size_t)n);
    int32_t *z = TSR_NEW_ARRAY(r->p->scratch, int32_t, (size_t)n);
    for (int64_t i = 0; i < n; i++) {
        double scale;
        memcpy(&scale, scales->s.data + (size_t)i * sizeof scale, sizeof scale);
        s[i] = (float)scale;
        z[i] = (int32_t)tsr_attr_int_at(zeros, (size_t)i);
    }
    const void *data[] = {s, z};
    tsr_type *elems[] = {tsr_type_float(r->ctx, TSR_F32), tsr_type_integer(r->ctx, 32, TSR_SIGNED)};
    for (int i = 0; i < 2; i++) {
        tsr_type *type = tsr_type_tensor(r->ctx, &n, 1, elems[i], NULL);
        tsr_op *constant = tsr_ttr_op(r, op, TSR_OP_TTIR_CONSTANT, NULL, 0, type);
        constant->attrs[TTIR_CONSTANT_value] =
            tsr_attr_dense(r->ctx, r->module, type, data[i], (size_t)n * 4, false);
        out[i] = &constant->out[0];
    }
}

static tsr_attr *axis_of(tsr_rewriter *r, const tsr_type *t)
{
    return tsr_hlo_is_per_axis(t) ? tsr_attr_i32(r->ctx, (int32_t)tsr_hlo_quantized_dim(t)) : NULL;
}

bool rule_tt_unroll_quantize(tsr_rewriter *r, tsr_op *op)
{
    tsr_type *from = tsr_rw_in(op, 0)->type, *to = op->out[0].type;
    bool in = tsr_op_is(op, TSR_OP_TTIR_DEQUANTIZE), both = tsr_op_is(op, TSR_OP_TTIR_REQUANTIZE);
    const tsr_type *quantized = in || both ? from : to;
    tsr_value *operands[5] = {tsr_rw_in(op, 0)};
    if (!uniform(quantized) || (both && !uniform(to)))
        return false;
    parameters(r, op, quantized, operands + 1);
    if (both)
        parameters(r, op, to, operands + 3);
    uint16_t opcode = both ? TSR_OP_TTIR_REQUANTIZE_UNROLLED
                      : in ? TSR_OP_TTIR_DEQUANTIZE_UNROLLED
                           : TSR_OP_TTIR_QUANTIZE_UNROLLED;
    tsr_op *unrolled = tsr_ttr_op(r, op, opcode, operands, both ? 5 : 3, to);
    tsr_op_set_attr(unrolled, TSR_STR("axis"), axis_of(r, quantized));
    tsr_rw_replace_one(r, op, &unrolled->out[0]);
    return true;
}
