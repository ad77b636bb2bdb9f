/* SPDX-License-Identifier: Apache-2.0 */
/* decompose_rank.c - puts reshapes around ops that devices have for four dimensions only. */
#include "pass/ttir/tt.h"

/* [..., h, w] as [1, all others, h, w] */
static void collapse(const tsr_type *t, int64_t *out)
{
    out[0] = 1;
    out[1] = t->n > 2 ? tsr_ttr_volume(t->dims, t->n - 2) : 1;
    out[2] = t->n > 1 ? t->dims[t->n - 2] : 1;
    out[3] = t->n > 0 ? t->dims[t->n - 1] : 1;
}

/* adamw, sdpa_fw, sdpa_bw: every operand and result with four dimensions */
bool rule_tt_all_rank4(tsr_rewriter *r, tsr_op *op)
{
    enum { MOST = 8 };
    tsr_value *in[MOST], *out[MOST];
    tsr_type *types[MOST];
    int64_t dims[4];
    bool fit = true;
    if (op->nin > MOST || op->nout > MOST)
        return false;
    for (uint32_t i = 0; i < op->nin; i++) {
        fit &= tsr_rw_in(op, i)->type->n == 4;
        if (!tsr_ttr_tensor(tsr_rw_in(op, i)))
            return false;
    }
    for (uint32_t i = 0; i < op->nout; i++) {
        fit &= op->out[i].type->n == 4;
        if (!tsr_ttr_tensor(&op->out[i]))
            return false;
        types[i] = op->out[i].type;
        if (types[i]->n != 4) {
            collapse(types[i], dims);
            types[i] = tsr_ttir_shaped(types[i], dims, 4);
        }
    }
    if (fit)
        return false;
    for (uint32_t i = 0; i < op->nin; i++) {
        in[i] = tsr_rw_in(op, i);
        collapse(in[i]->type, dims);
        if (in[i]->type->n != 4)
            in[i] = tsr_ttr_reshape(r, op, in[i], dims, 4);
    }
    tsr_op *copy = tsr_ttr_copy(r, op, op, in, op->nin, NULL);
    for (uint32_t i = 0; i < op->nout; i++)
        copy->out[i].type = types[i];
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_type *t = op->out[i].type;
        out[i] = t->n == 4 ? &copy->out[i] : tsr_ttr_reshape(r, op, &copy->out[i], t->dims, t->n);
    }
    tsr_rw_replace(r, op, out);
    return true;
}

/* Width of a device's tile; a row that it divides is laid out in lines of tiles. */
enum { TILE = 32 };

/* A per-channel operand of a batch norm: [c] as [1, c, 1, 1]. NULL: it is neither. */
static tsr_value *per_channel(tsr_rewriter *r, tsr_op *op, tsr_value *v)
{
    const int64_t *d = v->type->dims;
    if (v->type->n == 4)
        return d[0] == 1 && d[2] == 1 && d[3] == 1 ? v : NULL;
    return v->type->n == 1 ? tsr_ttr_reshape(r, op, v, (int64_t[]){1, d[0], 1, 1}, 4) : NULL;
}

static bool fits_channel(const tsr_value *v)
{
    const int64_t *d = v->type->dims;
    return tsr_ttr_tensor(v) &&
           (v->type->n == 1 || (v->type->n == 4 && d[0] == 1 && d[2] == 1 && d[3] == 1));
}

/* The sizes of x as [n, c, h, w], with those of its dimensions when dimension c is moved to the second place. */
static void four_dims(const tsr_type *x, size_t c, int64_t *perm, int64_t *moved, int64_t *dims)
{
    size_t rank = x->n;
    for (size_t i = 0; i < rank; i++)
        perm[i] = (int64_t)i;
    perm[1] = (int64_t)c;
    perm[c] = 1;
    for (size_t i = 0; i < rank; i++)
        moved[i] = x->dims[perm[i]];
    for (size_t i = 0; i < 4; i++)
        dims[i] = i < rank ? moved[i] : 1;
    if (rank == 5)
        dims[3] = moved[3] * moved[4];
    if (rank == 3 && moved[2] % TILE == 0) {
        dims[2] = moved[2] / TILE;
        dims[3] = TILE;
    }
}

/* batch_norm_inference, batch_norm_training -> on [n, c, h, w] */
bool rule_tt_batch_norm_rank4(tsr_rewriter *r, tsr_op *op)
{
    enum { SLOT_DIM = TTIR_BATCH_NORM_INFERENCE_dimension };
    tsr_value *x = tsr_rw_in(op, 0), *in[5], *out[3];
    int64_t perm[TSR_TTIR_RANK], moved[TSR_TTIR_RANK], dims[4];
    bool fit = true;
    if (!tsr_ttr_tensor(x) || op->nin != 5 || op->nout > 3)
        return false;
    for (uint32_t i = 1; i < 5; i++) {
        if (!fits_channel(tsr_rw_in(op, i)))
            return false;
        fit &= tsr_rw_in(op, i)->type->n == 4;
    }
    size_t rank = x->type->n, c = (size_t)op->attrs[SLOT_DIM]->i;
    if (fit || rank < 2 || rank > 5 || c >= rank)
        return false;
    four_dims(x->type, c, perm, moved, dims);
    const tsr_type *type = op->out[0].type;
    in[0] = c == 1 ? x : tsr_ttr_permute(r, op, x, perm);
    if (rank != 4)
        in[0] = tsr_ttr_reshape(r, op, in[0], dims, 4);
    /* Statistics come first if they are not written. */
    for (uint32_t i = 1; i < 5; i++) {
        uint32_t k = op->nout > 1 ? i : (i + 1) % 4 + 1;
        in[k] = per_channel(r, op, tsr_rw_in(op, k));
    }
    tsr_op *norm =
        tsr_ttr_copy(r, op, op, in, 5, op->nout == 1 ? tsr_ttir_shaped(type, dims, 4) : NULL);
    norm->out[0].type = tsr_ttir_shaped(type, dims, 4);
    norm->attrs[SLOT_DIM] = tsr_attr_i32(r->ctx, 1);
    out[0] = &norm->out[0];
    if (rank != 4)
        out[0] = tsr_ttr_reshape(r, op, out[0], moved, rank);
    if (c != 1)
        out[0] = tsr_ttr_permute(r, op, out[0], perm);
    for (uint32_t i = 1; i < op->nout; i++) {
        const tsr_type *t = op->out[i].type;
        int64_t four[] = {1, t->n == 4 ? t->dims[1] : t->dims[0], 1, 1};
        norm->out[i].type = tsr_ttir_shaped(t, four, 4);
        out[i] = t->n == 4 ? &norm->out[i] : tsr_ttr_reshape(r, op, &norm->out[i], t->dims, t->n);
    }
    tsr_rw_replace(r, op, out);
    return true;
}
