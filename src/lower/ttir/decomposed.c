/* SPDX-License-Identifier: Apache-2.0 */
/* decomposed.c - lowers custom calls that TTIR has no op for to ttcore.composite, with the computation in a private
 * function after the others. */
#include <math.h>

#include "lower/ttir/frontend.h"

/* Creates a function of op's operands, named base, or base_0 and so on if that is taken; b builds its body. */
static tsr_op *begin_function(tsr_op *op, const char *base, tsr_build *b)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_op *table = tsr_symbol_table_of(op);
    tsr_type_vec in = {0};
    tsr_buf name = {0};
    tsr_buf_printf(&name, "%s", base);
    for (uint32_t i = 0; tsr_symbol_find(table, tsr_buf_text(&name)); i++) {
        tsr_buf_free(&name);
        name = (tsr_buf){0};
        tsr_buf_printf(&name, "%s_%u", base, i);
    }
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value->type);
    tsr_op *func = tsr_op_new(op->module, tsr_opdef_of(ctx, TSR_OP_FUNC_FUNC), op->loc, NULL, 0,
                              NULL, 0, 1, 0);
    tsr_op_set_attr(func, TSR_STR("sym_name"), tsr_attr_string(ctx, tsr_buf_text(&name)));
    func->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(ctx, TSR_STR("private"));
    func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, in.data, in.n, &op->out[0].type, 1));
    tsr_block *body = tsr_block_new(op->module);
    tsr_block_insert(body, &func->regions[0], NULL);
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_block_add_arg(op->module, body, in.data[i], op->loc);
    *b = (tsr_build){.ctx = ctx, .module = op->module, .block = body, .loc = op->loc};
    tsr_buf_free(&name);
    tsr_vec_free(&in);
    return func;
}

/* Whether v has the type of op's result; then the function is added to the module. If not, nothing refers to it. */
static bool end_function(tsr_op *func, tsr_op *op, tsr_build *b, tsr_value *v)
{
    bool ok = v->type == op->out[0].type;
    tsr_op *end = tsr_op_new(op->module, tsr_opdef_of(b->ctx, TSR_OP_FUNC_RETURN), op->loc, &v, 1,
                             NULL, 0, 0, 0);
    tsr_op_insert(end, b->block, NULL);
    ok = ok && tsr_ttir_fits(NULL, end);
    if (ok)
        tsr_op_insert(func, tsr_symbol_table_of(op)->regions[0].first, NULL);
    else
        tsr_op_erase(func);
    tsr_build_free(b);
    return ok;
}

/* ttcore.composite of op's operands; attrs: a dictionary. */
static void build_composite(tsr_build *b, tsr_op *op, const char *name, tsr_op *func,
                            tsr_attr *attrs, tsr_value **out)
{
    tsr_op *made = tsr_composite_open(b, TSR_OP_TTCORE_COMPOSITE, op);
    made->attrs[TTCORE_COMPOSITE_composite_name] =
        tsr_attr_string(b->ctx, (tsr_str){name, strlen(name)});
    made->attrs[TTCORE_COMPOSITE_decomposition] =
        tsr_attr_symbol(b->ctx, tsr_op_symbol(func), NULL, 0);
    made->attrs[TTCORE_COMPOSITE_composite_attributes] = attrs;
    tsr_composite_close(b, made, op, out);
}

static tsr_attr *with(tsr_ctx *ctx, tsr_attr *dict, const char *name, tsr_attr *value)
{
    return value ? tsr_dict_with(ctx, dict, tsr_name_get(ctx, (tsr_str){name, strlen(name)}), value)
                 : dict;
}

static tsr_type *shaped(const tsr_value *like, tsr_type *elem, int64_t a, int64_t b, int64_t c,
                        int64_t d)
{
    int64_t dims[] = {a, b, c, d};
    return tsr_type_tensor(like->type->ctx, dims, 4, elem, NULL);
}

static tsr_value *reshaped(tsr_build *b, tsr_value *v, int64_t d0, int64_t d1, int64_t d2,
                           int64_t d3)
{
    int64_t dims[] = {d0, d1, d2, d3};
    return tsr_ttir_reshape(b, v, dims, 4);
}

static tsr_value *matmul(tsr_build *b, tsr_value *x, tsr_value *y)
{
    const int64_t *d = x->type->dims;
    return tsr_ttir_binary(b, TSR_OP_TTIR_MATMUL, x, y,
                           shaped(x, x->type->elem, d[0], d[1], d[2], y->type->dims[3]));
}

/* Minus infinity where a key is later than start + the query's position, else 0: 1 x 1 x queries x keys. */
static tsr_value *causal_mask(tsr_build *b, const tsr_value *like, int64_t queries, int64_t keys,
                              int64_t start)
{
    tsr_type *places = shaped(like, b->ctx->i32, 1, 1, queries, keys);
    tsr_type *type = shaped(like, like->type->elem, 1, 1, queries, keys);
    tsr_value *row = tsr_ttir_arange(b, places, start, 1, 2),
              *column = tsr_ttir_arange(b, places, 0, 1, 3);
    tsr_value *seen = tsr_ttir_binary(b, TSR_OP_TTIR_GE, row, column, places);
    return tsr_ttir_where(b, seen, tsr_ttir_full(b, type, 0),
                          tsr_ttir_full(b, type, (double)-INFINITY));
}

/* Heads of queries that share a head of keys are concatenated, as additional queries. */
static tsr_value *attend(tsr_build *b, tsr_value *const *in, const bool *has, int64_t width,
                         bool causal, double scale)
{
    tsr_value *q = in[0], *k = in[1], *v = has[0] ? in[2] : NULL,
              *mask = has[1] ? in[2 + has[0]] : NULL;
    const int64_t *qd = q->type->dims, *kd = k->type->dims;
    static const int64_t swap[] = {0, 1, 3, 2};
    int64_t batch = qd[0], heads = qd[1], queries = qd[2], keys = kd[2],
            folded = heads / kd[1] * queries;
    if (!v)
        v = tsr_ttir_slice_dim(b, k, 3, 0, width); /* values are the front part of keys */
    tsr_value *x =
        matmul(b, reshaped(b, q, batch, kd[1], folded, qd[3]), tsr_ttir_permute(b, k, swap));
    x = reshaped(b, x, batch, heads, queries, keys);
    x = tsr_ttir_binary(b, TSR_OP_TTIR_MULTIPLY, x, tsr_ttir_full(b, x->type, scale), x->type);
    if (mask)
        x = tsr_ttir_binary(b, TSR_OP_TTIR_ADD, x, mask, x->type);
    if (causal)
        x = tsr_ttir_binary(b, TSR_OP_TTIR_ADD, x, causal_mask(b, q, queries, keys, 0), x->type);
    tsr_op *softmax = tsr_ttir_open(b, TSR_OP_TTIR_SOFTMAX, &x, 1, 1);
    softmax->attrs[TTIR_SOFTMAX_dimension] = tsr_ttir_si32(b->ctx, 3);
    softmax->attrs[TTIR_SOFTMAX_numericStable] = tsr_attr_bool(b->ctx, true);
    x = tsr_ttir_close(b, softmax, x->type);
    x = matmul(b, reshaped(b, x, batch, kd[1], folded, keys), v);
    return reshaped(b, x, batch, heads, queries, width);
}

static bool are_heads(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        TSR_TRY(op->in[i].value->type->n == 4);
    return op->out[0].type->n == 4;
}

/* Operands: query, key, perhaps values of head_dim_v elements, perhaps a mask that is added. */
bool ttir_call_flash_mla_prefill(tsr_build *b, tsr_op *op, tsr_value **out)
{
    int64_t width = 0;
    bool causal = true, has[2] = {false, false};
    TSR_TRY(tsr_ttir_static(op) && op->nout == 1 && tsr_frontend_int(op, "head_dim_v", &width) &&
            width > 0 && width <= UINT32_MAX && tsr_frontend_bool(op, "is_causal", &causal) &&
            tsr_frontend_bool(op, "has_value", &has[0]) &&
            tsr_frontend_bool(op, "has_attention_mask", &has[1]) &&
            op->nin == 2u + has[0] + has[1] && are_heads(op));
    const int64_t *qd = op->in[0].value->type->dims, *kd = op->in[1].value->type->dims;
    TSR_TRY(kd[1] > 0 && qd[1] % kd[1] == 0 && qd[0] == kd[0] && qd[3] == kd[3] &&
            (has[0] || width <= kd[3]));
    double scale = 1 / sqrt((double)qd[3]);
    TSR_TRY(tsr_frontend_float(op, "scale", &scale));
    tsr_build inner;
    tsr_op *func = begin_function(op, "flash_mla_prefill_decomp", &inner);
    tsr_value *v = attend(&inner, inner.block->args, has, width, causal, scale);
    TSR_TRY(end_function(func, op, &inner, v));
    tsr_attr *attrs = with(b->ctx, NULL, "head_dim_v", tsr_ttir_ui32(b->ctx, width));
    attrs = with(b->ctx, attrs, "is_causal", tsr_attr_bool(b->ctx, causal));
    attrs = with(b->ctx, attrs, "has_value", tsr_attr_bool(b->ctx, has[0]));
    attrs = with(b->ctx, attrs, "has_attention_mask", tsr_attr_bool(b->ctx, has[1]));
    attrs = with(b->ctx, attrs, "scale",
                 tsr_frontend(op, "scale").len ? tsr_ttir_f32(b->ctx, scale) : NULL);
    build_composite(b, op, "flash_mla_prefill", func, attrs, out);
    return true;
}

/* The weighted sum over heads of the score of each query for each key; later keys are masked. */
static tsr_value *score(tsr_build *b, tsr_value *const *in, int64_t start)
{
    tsr_value *q = in[0], *k = in[1], *weights = in[2];
    const int64_t *qd = q->type->dims;
    static const int64_t swap[] = {0, 1, 3, 2}, heads_dim = 1;
    int64_t batch = qd[0], heads = qd[1], queries = qd[2], keys = k->type->dims[2];
    tsr_value *x =
        matmul(b, reshaped(b, q, batch, 1, heads * queries, qd[3]), tsr_ttir_permute(b, k, swap));
    x = tsr_ttir_unary(b, TSR_OP_TTIR_RELU, reshaped(b, x, batch, heads, queries, keys), NULL);
    x = tsr_ttir_binary(b, TSR_OP_TTIR_MULTIPLY, x, weights, x->type);
    x = tsr_ttir_reduce(b, TSR_OP_TTIR_SUM, x, &heads_dim, 1, true, NULL);
    return tsr_ttir_binary(b, TSR_OP_TTIR_ADD, x, causal_mask(b, q, queries, keys, start), x->type);
}

bool ttir_call_indexer_score(tsr_build *b, tsr_op *op, tsr_value **out)
{
    int64_t start = 0, axis = 0;
    TSR_TRY(tsr_ttir_static(op) && op->nin == 3 && op->nout == 1 && are_heads(op) &&
            tsr_frontend_int(op, "chunk_start_idx", &start) && start >= 0 && start <= INT32_MAX &&
            tsr_frontend_int(op, "cluster_axis", &axis) && axis >= 0 && axis <= UINT32_MAX);
    const int64_t *qd = op->in[0].value->type->dims, *kd = op->in[1].value->type->dims,
                  *wd = op->in[2].value->type->dims;
    TSR_TRY(qd[0] == kd[0] && kd[1] == 1 && qd[3] == kd[3] && wd[0] == qd[0] && wd[1] == qd[1] &&
            wd[2] == qd[2] && wd[3] == 1);
    tsr_build inner;
    tsr_op *func = begin_function(op, "indexer_score_dsa_decomp", &inner);
    TSR_TRY(end_function(func, op, &inner, score(&inner, inner.block->args, start)));
    tsr_attr *attrs = with(b->ctx, NULL, "chunk_start_idx", tsr_ttir_ui32(b->ctx, start));
    attrs = with(b->ctx, attrs, "cluster_axis",
                 tsr_frontend(op, "cluster_axis").len ? tsr_ttir_ui32(b->ctx, axis) : NULL);
    build_composite(b, op, "indexer_score_dsa", func, attrs, out);
    return true;
}
