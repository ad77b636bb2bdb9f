/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - lowers chlo.top_k to a sort, and chlo.scan to a loop. */
#include "lower/lower.h"

/* ---- top_k ---- */

bool tsr_chlo_top_k(tsr_build *b, tsr_op *op, tsr_value **out)
{
    tsr_value *v = op->in[0].value;
    int64_t last = v->type->n - 1, k = tsr_attr_of(op, CHLO_TOP_K_k)->i;
    tsr_value *in[] = {v, tsr_build_iota(b, v, b->ctx->i32, last)};
    tsr_type *elem = tsr_elem(v);
    if (elem->kind != TSR_TYPE_FLOAT && elem->kind != TSR_TYPE_INTEGER)
        return false;
    const tsr_attr *stable = tsr_attr_of(op, CHLO_TOP_K_is_stable);
    tsr_op *sort = tsr_build_open(b, TSR_OP_STABLEHLO_SORT, in, 2, 2, 1);
    sort->attrs[STABLEHLO_SORT_dimension] = tsr_attr_i64(b->ctx, last);
    sort->attrs[STABLEHLO_SORT_is_stable] = tsr_attr_bool(b->ctx, !stable || stable->i != 0);
    tsr_type *x = tsr_scalar_type(elem), *i = tsr_scalar_type(b->ctx->i32), *args[] = {x, x, i, i};
    tsr_build inner = tsr_build_in(b, &sort->regions[0], args, 4);
    tsr_value *before =
        tsr_build_compare(&inner, "GT", elem->kind == TSR_TYPE_FLOAT ? "TOTALORDER" : NULL,
                          inner.block->args[0], inner.block->args[1]);
    tsr_build_return(&inner, &before, 1);
    b->failed |= inner.failed;
    tsr_build_free(&inner);
    tsr_type *types[] = {v->type, in[1]->type};
    tsr_build_close_as(b, sort, types);
    for (int r = 0; r < 2; r++)
        out[r] = v->type->dims[last] == k ? &sort->out[r]
                                          : tsr_build_slice(b, &sort->out[r], last, 0, k);
    return true;
}

/* ---- scan ---- */

typedef struct {
    tsr_op *op;
    uint32_t inputs, carries, outputs;
    int64_t dim, size;
    bool reverse;
} scan;

/* The start of a slice: the step in the scan's dimension, 0 in all others. */
static void places(tsr_build *b, const scan *s, const tsr_type *t, tsr_value *step,
                   tsr_value_vec *out)
{
    for (uint32_t i = 0; i < t->n; i++)
        tsr_vec_push(out, i == s->dim ? step : tsr_build_int(b, b->ctx->i64, 0));
}

/* Element step of v along the scan's dimension, which is removed. */
static tsr_value *take(tsr_build *b, const scan *s, tsr_value *v, tsr_value *step, tsr_type *type)
{
    tsr_i64_vec sizes = {0};
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < v->type->n; i++)
        tsr_vec_push(&sizes, i == s->dim ? 1 : v->type->dims[i]);
    tsr_vec_push(&in, v);
    places(b, s, v->type, step, &in);
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_SLICE, in.data, in.n, 1, 0);
    op->attrs[STABLEHLO_DYNAMIC_SLICE_slice_sizes] =
        tsr_attr_i64_array(b->ctx, sizes.data, sizes.n);
    tsr_vec_free(&sizes);
    tsr_vec_free(&in);
    return tsr_build_reshape(b, &tsr_build_close(b, op)->out[0], type);
}

static tsr_value *put(tsr_build *b, const scan *s, tsr_value *into, tsr_value *v, tsr_value *step)
{
    tsr_value_vec in = {0};
    tsr_vec_push(&in, into);
    tsr_vec_push(&in, tsr_build_add_dim(b, v, s->dim));
    places(b, s, into->type, step, &in);
    tsr_value *out =
        tsr_build_op(b, TSR_OP_STABLEHLO_DYNAMIC_UPDATE_SLICE, in.data, in.n, into->type);
    tsr_vec_free(&in);
    return out;
}

/* One step: applies the body to slices of the inputs, and stores its results. */
static void step(tsr_build *b, const scan *s)
{
    tsr_block *body = s->op->regions[0].first;
    tsr_value **args = b->block->args, *i = args[0], *at = i;
    if (s->reverse)
        at = f_sub(b, tsr_build_int(b, b->ctx->i64, s->size - 1), i);
    tsr_mapping map = {0};
    for (uint32_t k = 0; k < s->inputs; k++)
        tsr_mapping_put(&map, body->args[k],
                        take(b, s, s->op->in[k].value, at, body->args[k]->type));
    for (uint32_t k = 0; k < s->carries; k++)
        tsr_mapping_put(&map, body->args[s->inputs + k], args[1 + s->outputs + k]);
    TSR_BLOCK_OPS (body, op)
        if (op != body->last)
            tsr_op_insert(tsr_op_clone(b->module, op, &map), b->block, NULL);
    tsr_value_vec results = {0};
    tsr_vec_push(&results, f_add(b, i, tsr_build_int(b, b->ctx->i64, 1)));
    for (uint32_t k = 0; k < s->outputs; k++)
        tsr_vec_push(&results,
                     put(b, s, args[1 + k], tsr_mapping_get(&map, body->last->in[k].value), at));
    for (uint32_t k = 0; k < s->carries; k++)
        tsr_vec_push(&results, tsr_mapping_get(&map, body->last->in[s->outputs + k].value));
    tsr_build_return(b, results.data, results.n);
    tsr_vec_free(&results);
    tsr_mapping_free(&map);
}

static bool describe(tsr_op *op, scan *s)
{
    uint32_t start;
    *s = (scan){.op = op, .dim = tsr_attr_of(op, CHLO_SCAN_dimension)->i, .size = TSR_DYNAMIC};
    TSR_TRY(tsr_op_operand_group(op, 0, &start, &s->inputs) &&
            tsr_op_operand_group(op, 1, &start, &s->carries) &&
            tsr_op_result_group(op, 0, &start, &s->outputs));
    const tsr_attr *reverse = tsr_attr_of(op, CHLO_SCAN_is_reverse),
                   *size = tsr_attr_of(op, CHLO_SCAN_scan_dim_size);
    s->reverse = reverse && reverse->i != 0;
    if (size)
        s->size = size->i;
    for (uint32_t i = 0; i < s->inputs; i++) {
        TSR_TRY(tsr_type_has_static_shape(op->in[i].value->type));
        s->size = op->in[i].value->type->dims[s->dim];
    }
    for (uint32_t i = 0; i < op->nout; i++)
        TSR_TRY(tsr_type_has_static_shape(op->out[i].type) && tsr_is_number(op->out[i].type->elem));
    return s->size != TSR_DYNAMIC;
}

bool tsr_chlo_scan(tsr_build *b, tsr_op *op, tsr_value **out)
{
    scan s;
    TSR_TRY(describe(op, &s));
    tsr_value_vec init = {0};
    tsr_type_vec types = {0};
    tsr_vec_push(&init, tsr_build_int(b, b->ctx->i64, 0));
    for (uint32_t k = 0; k < s.outputs; k++) {
        tsr_value *like = &op->out[k];
        tsr_vec_push(&init, tsr_build_like(b, like, tsr_elem(like), 0));
    }
    for (uint32_t k = 0; k < s.carries; k++)
        tsr_vec_push(&init, op->in[s.inputs + k].value);
    for (size_t k = 0; k < init.n; k++)
        tsr_vec_push(&types, init.data[k]->type);
    tsr_op *loop = tsr_build_open(b, TSR_OP_STABLEHLO_WHILE, init.data, init.n, init.n, 2);
    tsr_build cond = tsr_build_in(b, &loop->regions[0], types.data, types.n);
    tsr_value *more = f_lt(&cond, cond.block->args[0], tsr_build_int(&cond, b->ctx->i64, s.size));
    tsr_build_return(&cond, &more, 1);
    tsr_build body = tsr_build_in(b, &loop->regions[1], types.data, types.n);
    step(&body, &s);
    b->failed |= cond.failed || body.failed;
    tsr_build_free(&cond);
    tsr_build_free(&body);
    tsr_build_close_as(b, loop, types.data);
    for (uint32_t k = 0; k < op->nout; k++)
        out[k] = &loop->out[1 + k];
    tsr_vec_free(&init);
    tsr_vec_free(&types);
    return true;
}
