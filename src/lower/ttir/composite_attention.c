/* SPDX-License-Identifier: Apache-2.0 */
/* composite_attention.c - lowers attention composites to ops of TTIR: forward, its training forms, and its gradient. */
#include "lower/ttir/composite.h"

/* v with a dimension of size 1 after the first. */
static tsr_value *with_heads(tsr_build *b, tsr_value *v)
{
    int64_t dims[] = {v->type->dims[0], 1, v->type->dims[1], v->type->dims[2]};
    return tsr_ttir_reshape(b, v, dims, 4);
}

/* v with leading dimensions of size 1, up to rank four. */
static tsr_value *with_four(tsr_build *b, tsr_value *v)
{
    int64_t dims[4] = {1, 1, 1, 1};
    for (uint32_t i = 0; i < v->type->n; i++)
        dims[4 - v->type->n + i] = v->type->dims[i];
    return tsr_ttir_reshape(b, v, dims, 4);
}

/* Operands: query, key, value and perhaps a mask, which is ignored if later positions are masked anyway. Rank three is
 * treated as rank four with one head. */
bool tsr_composite_attention(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    if (op->nin < 3 || op->nin > 4 || op->nout != 1)
        return false;
    uint32_t rank = op->in[0].value->type->n;
    if ((rank != 3 && rank != 4) || op->out[0].type->n != rank)
        return false;
    tsr_attr *causal = tsr_given_bool(attrs, "is_causal"),
             *scale = tsr_given_f32(b, attrs, "scale");
    bool masked = causal && !causal->i && op->nin == 4;
    tsr_value *in[4];
    for (uint32_t i = 0; i < 3; i++) {
        in[i] = op->in[i].value;
        if (in[i]->type->n != rank)
            return false;
        in[i] = rank == 3 ? with_heads(b, in[i]) : in[i];
    }
    if (masked) {
        in[3] = op->in[3].value;
        if (in[3]->type->n > 4)
            return false;
        in[3] = rank == 3 && in[3]->type->n == 3 ? with_heads(b, in[3]) : with_four(b, in[3]);
    }
    tsr_op *made =
        tsr_ttir_open(b, TSR_OP_TTIR_SCALED_DOT_PRODUCT_ATTENTION, in, masked ? 4 : 3, 1);
    int64_t segments[] = {1, 1, 1, masked, 0};
    made->attrs[TTIR_SCALED_DOT_PRODUCT_ATTENTION_operandSegmentSizes] =
        tsr_segments(b, segments, 5);
    if (causal)
        made->attrs[TTIR_SCALED_DOT_PRODUCT_ATTENTION_is_causal] = causal;
    made->attrs[TTIR_SCALED_DOT_PRODUCT_ATTENTION_scale] = scale;
    tsr_type *type = op->out[0].type;
    if (rank == 3) {
        int64_t dims[] = {type->dims[0], 1, type->dims[1], type->dims[2]};
        type = tsr_type_tensor(b->ctx, dims, 4, type->elem, NULL);
    }
    out[0] = tsr_ttir_reshape(b, tsr_ttir_close(b, made, type), op->out[0].type->dims, rank);
    return true;
}

/* The kind of mask, which must be consistent with whether there is one. */
static tsr_attr *mask_type(tsr_build *b, const tsr_attr *attrs, int64_t kind, bool masked)
{
    tsr_given_int(attrs, "mask_type", &kind);
    if (kind < TSR_TT_MASK_NONE || kind > TSR_TT_MASK_ARBITRARY ||
        masked != (kind == TSR_TT_MASK_ARBITRARY))
        return NULL;
    return tsr_attr_enum(b->ctx, &tsr_def_TTCORE_ATTENTION_MASK_TYPE, kind);
}

bool tsr_composite_sdpa_fw(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    tsr_attr *mask = mask_type(b, attrs, TSR_TT_MASK_CAUSAL, op->nin == 4);
    tsr_attr *dropout = tsr_given_f32(b, attrs, "dropout_probability");
    if ((op->nin != 3 && op->nin != 4) || op->nout < 1 || op->nout > 2 || !mask)
        return false;
    tsr_op *made = tsr_composite_open(b, TSR_OP_TTIR_SDPA_FW, op);
    made->attrs[TTIR_SDPA_FW_mask_type] = mask;
    made->attrs[TTIR_SDPA_FW_return_intermediates] = tsr_attr_bool(b->ctx, op->nout == 2);
    if (dropout)
        made->attrs[TTIR_SDPA_FW_dropout_probability] = dropout;
    tsr_composite_close(b, made, op, out);
    return true;
}

bool tsr_composite_sdpa_bw(tsr_build *b, tsr_op *op, const tsr_attr *attrs, tsr_value **out)
{
    tsr_attr *mask = mask_type(b, attrs, TSR_TT_MASK_ARBITRARY, op->nin == 7);
    tsr_attr *dropout = tsr_given_f32(b, attrs, "dropout_probability");
    if ((op->nin != 6 && op->nin != 7) || op->nout != 3 || !mask)
        return false;
    tsr_op *made = tsr_composite_open(b, TSR_OP_TTIR_SDPA_BW, op);
    made->attrs[TTIR_SDPA_BW_mask_type] = mask;
    if (dropout)
        made->attrs[TTIR_SDPA_BW_dropout_probability] = dropout;
    tsr_composite_close(b, made, op, out);
    return true;
}
