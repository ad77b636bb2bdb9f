/* SPDX-License-Identifier: Apache-2.0 */
/* call_types.c - result types of a TTNN op that a call created (call.h).
 *
 * Most are those of the TTIR op with the same meaning. The others are in a table: their dimensions as products of
 * dimensions of operands and of attributes. */
#include "dialect/params.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttnn/build.h"
#include "dialect/ttnn/view.h"
#include "lower/emit/emit.h"
#include "target/emit/call.h"

#include <stdlib.h>

enum { RANK = 16 };

int64_t tsr_emit_mesh_size(const tsr_op *op, int64_t axis)
{
    int64_t n = tt_mesh_size(op, axis);
    return n > 0 ? n : 1;
}

/* ---- Dimensions given by a table ----
 *
 * Results are separated by ;, dimensions by spaces. A dimension is a product: numbers, a2 (dimension 2 of operand 0, b2
 * of operand 1), names of attributes (for a list: the product), D (devices along cluster_axis); what follows / divides,
 * rounded up. * alone: all dimensions of the first operand but the last. @b: the element type is operand 1's, else
 * operand 0's. */
static const struct {
    uint16_t opcode;
    const char *text;
} rules[] = {
    {TSR_OP_TTNN_POW_SCALAR, "="},
    {TSR_OP_TTNN_ASSIGN, "="},
    {TSR_OP_TTNN_TO_DEVICE, "="},
    {TSR_OP_TTNN_FROM_DEVICE, "="},
    {TSR_OP_TTNN_TO_MEMORY_CONFIG, "="},
    {TSR_OP_TTNN_TO_LAYOUT, "="},
    {TSR_OP_TTNN_DIT_RMS_NORM_UNARY_FUSED, "="},
    {TSR_OP_TTNN_LAYER_NORM_POST_ALL_GATHER, "="},
    {TSR_OP_TTNN_ROTARY_EMBEDDING, "="},
    {TSR_OP_TTNN_ROTARY_EMBEDDING_LLAMA, "="},
    {TSR_OP_TTNN_POINT_TO_POINT, "="},
    {TSR_OP_TTNN_PAGED_SCALED_DOT_PRODUCT_ATTENTION_DECODE, "="},
    {TSR_OP_TTNN_RMS_NORM_PRE_ALL_GATHER, "* 32"},
    {TSR_OP_TTNN_LAYER_NORM_PRE_ALL_GATHER, "* 64"},
    {TSR_OP_TTNN_FLASH_MLA_PREFILL, "* head_dim_v"},
    {TSR_OP_TTNN_PAGED_FLASH_MULTI_LATENT_ATTENTION_DECODE, "* head_dim_v"},
    {TSR_OP_TTNN_INDEXER_SCORE_DSA, "a0 1 a2 b2"},
    {TSR_OP_TTNN_NLP_CONCAT_HEADS, "a0 1 a2 a1*a3"},
    {TSR_OP_TTNN_NLP_CONCAT_HEADS_DECODE, "1 1 a1 num_heads*a3"},
    {TSR_OP_TTNN_ALL_TO_ALL_DISPATCH, "1 a0*D a1 a3; 1 a0*D a1 b3 @b"},
    {TSR_OP_TTNN_ALL_TO_ALL_DISPATCH_METADATA, "1 a2*D a3; 1 b2*D b3 @b; 1 c2*D c3 @c"},
    {TSR_OP_TTNN_MOE_EXPERT_TOKEN_REMAP, "1 a1 a2 b2/b3; 1 1 a1*a2/reduction_size b2/b3 @c"},
    {TSR_OP_TTNN_PREPARE_CONV2D_WEIGHTS, "1 1 kernel_size*in_channels out_channels"},
    {TSR_OP_TTNN_PREPARE_CONV_TRANSPOSE2D_WEIGHTS, "1 1 kernel_size*in_channels out_channels"},
    {TSR_OP_TTNN_PREPARE_CONV2D_BIAS, "1 1 1 out_channels"},
    {TSR_OP_TTNN_PREPARE_CONV_TRANSPOSE2D_BIAS, "1 1 1 out_channels"},
};

static const char *rule_of(const tsr_op *op)
{
    for (size_t i = 0; i < TSR_COUNT(rules); i++)
        if (rules[i].opcode == op->def->opcode)
            return rules[i].text;
    return NULL;
}

static int64_t attr_product(const tsr_op *op, tsr_str name)
{
    const tsr_attr *a = tsr_op_attr(op, name);
    int64_t n = a && a->kind != TSR_ATTR_INT ? tsr_attr_count(a) : -1, product = 1;
    if (!a || (a->kind != TSR_ATTR_INT && n < 0))
        return -1;
    for (int64_t i = 0; i < n; i++)
        product *= tsr_attr_int_at(a, (size_t)i);
    return a->kind == TSR_ATTR_INT ? a->i : product;
}

/* One factor of a product; -1 if it is invalid. */
static int64_t factor(const tsr_op *op, tsr_str s)
{
    const tsr_attr *axis = tsr_op_attr(op, TSR_STR("cluster_axis"));
    if (s.data[0] >= '0' && s.data[0] <= '9')
        return strtoll(s.data, NULL, 10);
    if (tsr_str_is(s, "D"))
        return tsr_emit_mesh_size(op, axis ? axis->i : 0);
    if (s.len == 2 && s.data[1] >= '0' && s.data[1] <= '9') {
        uint32_t in = (uint32_t)(s.data[0] - 'a'), d = (uint32_t)(s.data[1] - '0');
        return in < op->nin && d < op->in[in].value->type->n ? op->in[in].value->type->dims[d] : -1;
    }
    return attr_product(op, s);
}

static int64_t dimension(const tsr_op *op, const char *p, size_t len)
{
    int64_t n = 1;
    bool divide = false;
    for (const char *end = p + len; p < end;) {
        tsr_str s = {p, strcspn(p, "*/ ;")};
        int64_t x = factor(op, s);
        if (x < 0 || (divide && x == 0) || (x && n > INT64_MAX / x))
            return -1;
        n = divide ? n / x + (n % x != 0) : n * x;
        p += s.len;
        divide = p < end && *p == '/';
        p += p < end;
    }
    return n;
}

static bool by_rule(const tsr_op *op, const char *p, tsr_type_vec *out)
{
    const tsr_type *first = op->in[0].value->type;
    if (*p == '=') {
        tsr_vec_push(out, (tsr_type *)first);
        return true;
    }
    while (*p) {
        int64_t dims[RANK];
        size_t n = 0;
        uint32_t like = 0;
        for (; *p && *p != ';'; p += *p == ' ') {
            size_t len = strcspn(p, " ;");
            if (*p == '@')
                like = (uint32_t)(p[1] - 'a');
            else if (*p == '*' && len == 1)
                for (; n + 1 < first->n && n + 1 < RANK; n++)
                    dims[n] = first->dims[n];
            else if (n < RANK && (dims[n++] = dimension(op, p, len)) < 0)
                return tsr_op_error(op, "has operands of other shapes than it must have");
            p += len;
        }
        p += *p == ';';
        p += *p == ' ';
        like = like < op->nin ? like : 0;
        tsr_vec_push(
            out, tsr_type_tensor(op->module->ctx, dims, n, op->in[like].value->type->elem, NULL));
    }
    return true;
}

/* ---- Windows: weights may be prepared, so their type does not give the sizes ---- */

/* The parameters of a convolution over n dimensions, by the attribute names of their sizes. */
typedef struct {
    uint16_t opcode;
    size_t n;
    const char *sizes[3];
} window_row;

static const window_row windows[] = {
    {TSR_OP_TTNN_CONV1D, 1, {"input_length"}},
    {TSR_OP_TTNN_CONV2D, 2, {"input_height", "input_width"}},
    {TSR_OP_TTNN_CONV_TRANSPOSE2D, 2, {"input_height", "input_width"}},
    {TSR_OP_TTNN_CONV3D, 3, {"input_depth", "input_height", "input_width"}},
};

/* Number i of an attribute with n numbers; a single number applies to all. otherwise: used if the attribute is
 * absent. */
static int64_t number_at(const tsr_op *op, const char *name, size_t i, int64_t otherwise)
{
    const tsr_attr *a = tsr_op_attr(op, tsr_cstr(name));
    if (!a || a->kind == TSR_ATTR_INT)
        return a ? a->i : otherwise;
    int64_t n = tsr_attr_count(a);
    return n < 1 ? otherwise : tsr_attr_int_at(a, i < (size_t)n ? i : (size_t)n - 1);
}

/* Padding of both sides of dimension i: two numbers for each, or one for both sides. */
static int64_t padding_at(const tsr_op *op, size_t i, size_t n)
{
    const tsr_attr *a = tsr_op_attr(op, TSR_STR("padding"));
    bool both = a && a->kind != TSR_ATTR_INT && (size_t)tsr_attr_count(a) == 2 * n;
    return both ? tsr_attr_int_at(a, 2 * i) + tsr_attr_int_at(a, 2 * i + 1)
                : 2 * number_at(op, "padding", i, 0);
}

static bool window(const tsr_op *op, const window_row *r, tsr_type_vec *out)
{
    const tsr_type *in = op->in[0].value->type;
    bool transposed = tsr_op_attr(op, TSR_STR("output_padding")) != NULL;
    int64_t dims[5] = {number_at(op, "batch_size", 0, 1)}, rows = dims[0];
    for (size_t i = 0; i < r->n; i++) {
        int64_t x = number_at(op, r->sizes[i], 0, 1), s = number_at(op, "stride", i, 1),
                w = number_at(op, "dilation", i, 1) * (number_at(op, "kernel_size", i, 1) - 1) + 1,
                p = padding_at(op, i, r->n);
        if (s < 1)
            return tsr_op_error(op, "has a stride below 1");
        dims[i + 1] = transposed ? (x - 1) * s - p + w + number_at(op, "output_padding", i, 0)
                                 : (x + p - w) / s + 1;
        rows *= dims[i + 1];
    }
    dims[r->n + 1] = number_at(op, "out_channels", 0, 1);
    int64_t flat[] = {1, 1, rows, dims[r->n + 1]};
    bool volume = r->n == 3;
    tsr_vec_push(out, tsr_type_tensor(op->module->ctx, volume ? dims : flat, volume ? 5 : 4,
                                      in->elem, NULL));
    return true;
}

static const window_row *window_of(const tsr_op *op)
{
    for (size_t i = 0; i < TSR_COUNT(windows); i++)
        if (windows[i].opcode == op->def->opcode)
            return &windows[i];
    return NULL;
}

/* ---- Others ---- */

/* Distributes a tensor over the devices of a mesh, or the inverse. */
static bool over_mesh(const tsr_op *op, bool distribute, tsr_type_vec *out)
{
    const tsr_type *t = op->in[0].value->type;
    const tsr_attr *config = tsr_op_attr(op, distribute ? TSR_STR("mapper_config")
                                                        : TSR_STR("composer_config")),
                   *list = config->attrs[0], *sizes = config->attrs[1];
    int64_t dims[RANK];
    if (t->n > RANK)
        return tsr_op_error(op, "has too many dimensions");
    memcpy(dims, t->dims, t->n * sizeof *dims);
    for (uint32_t i = 0; i < list->n; i++) {
        const tsr_attr *d = distribute ? list->attrs[i]->attrs[1] : list->attrs[i];
        int64_t n = sizes && i < sizes->n ? sizes->attrs[i]->i : tsr_emit_mesh_size(op, i);
        if (!d || (distribute && !list->attrs[i]->attrs[0]->i))
            continue;
        if (d->i < 0 || d->i >= t->n || n < 1 || (distribute && dims[d->i] % n))
            return tsr_op_error(op, "cannot divide dimension %lld among %lld devices",
                                (long long)d->i, (long long)n);
        dims[d->i] = distribute ? dims[d->i] / n : dims[d->i] * n;
    }
    tsr_vec_push(out, tsr_type_tensor(op->module->ctx, dims, t->n, t->elem, NULL));
    return true;
}

static void heads(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = op->in[0].value->type;
    const tsr_attr *kv = tsr_op_attr(op, TSR_STR("num_kv_heads"));
    int64_t q = tsr_op_attr(op, TSR_STR("num_heads"))->i, k = kv ? kv->i : q;
    for (int i = 0; i < 3; i++) {
        int64_t dims[] = {1, t->n > 2 ? t->dims[2] : 1, i ? k : q,
                          q + 2 * k > 0 && t->n ? t->dims[t->n - 1] / (q + 2 * k) : 0};
        tsr_vec_push(out, tsr_type_tensor(op->module->ctx, dims, 4, t->elem, NULL));
    }
}

/* Rows are input channels, rounded up to the alignment, for each element of the window. */
static bool weights_of_volumes(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *w = op->in[0].value->type;
    int64_t unit = attr_product(op, TSR_STR("alignment")),
            groups = attr_product(op, TSR_STR("groups"));
    if (w->n != 5 || unit < 1 || groups < 1)
        return tsr_op_error(op, "has weights of other shapes than it must have");
    int64_t in = tsr_nn_round_up(w->dims[1] * groups, unit),
            dims[] = {in * w->dims[2] * w->dims[3] * w->dims[4], w->dims[0]};
    tsr_vec_push(out, tsr_type_tensor(op->module->ctx, dims, 2, w->elem, NULL));
    return true;
}

/* [E_local, B*D, S, H] becomes [K, B, S, H], or S is divided. */
static bool combined(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = op->in[0].value->type;
    int64_t k = attr_product(op, TSR_STR("num_experts_per_tok")),
            at = attr_product(op, TSR_STR("output_shard_dim")),
            n = attr_product(op, TSR_STR("num_devices"));
    if (t->n != 4 || (at != 1 && at != 2) || n < 1)
        return tsr_op_error(op, "has operands of other shapes than it must have");
    int64_t dims[] = {k, t->dims[1], t->dims[2], t->dims[3]};
    dims[at] /= n;
    tsr_vec_push(out, tsr_type_tensor(op->module->ctx, dims, 4, t->elem, NULL));
    return true;
}

static bool of_shape(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_attr *shape = tsr_op_attr(op, TSR_STR("shape"))->attrs[0];
    int64_t dims[RANK], n = tsr_attr_count(shape);
    if (n > RANK)
        return tsr_op_error(op, "has too many dimensions");
    for (int64_t i = 0; i < n; i++)
        dims[i] = tsr_attr_int_at(shape, (size_t)i);
    tsr_vec_push(out, tsr_type_tensor(op->module->ctx, dims, (size_t)n,
                                      tsr_type_float(op->module->ctx, TSR_BF16), NULL));
    return true;
}

static bool by_meaning(const tsr_op *op, tsr_type_vec *out)
{
    tsr_ttnn_view v;
    if (!op->def->nresult)
        return true;
    if (!tsr_ttnn_view_of(op, &v) || !v.def.infer)
        return tsr_op_error(op, "cannot be called: the type of its result does not follow");
    uint32_t before = op->module->ctx->nerror;
    bool ok = tsr_op_fits_inputs(&v.op) && v.def.infer(&v.op, out) && out->n;
    return ok || op->module->ctx->nerror > before ||
           tsr_op_error(op, "cannot be called: the type of its result does not follow");
}

/* One dimension, for results whose size the call does not determine. */
static bool counted(const tsr_op *op, tsr_type_vec *out)
{
    int64_t start = tsr_op_attr(op, TSR_STR("start"))->i, end = tsr_op_attr(op, TSR_STR("end"))->i,
            step = tsr_op_attr(op, TSR_STR("step"))->i;
    if (step == 0 || (end > start) != (step > 0))
        return tsr_op_error(op, "counts to an end that it does not come to");
    int64_t n = (end - start) / step + ((end - start) % step != 0);
    tsr_vec_push(out, tsr_type_tensor(op->module->ctx, &n, 1,
                                      tsr_type_integer(op->module->ctx, 32, TSR_SIGNED), NULL));
    return true;
}

static bool plain_types(const tsr_op *op, tsr_type_vec *out)
{
    if (tsr_op_is(op, TSR_OP_TTIR_ARANGE) || tsr_op_is(op, TSR_OP_TTNN_ARANGE))
        return counted(op, out);
    if (!tsr_op_in(op, TSR_DIALECT_TTNN))
        return op->def->infer(op, out) && out->n;
    const char *rule = rule_of(op);
    if (rule)
        return by_rule(op, rule, out);
    if (window_of(op))
        return window(op, window_of(op), out);
    switch (op->def->opcode) {
    case TSR_OP_TTNN_EMPTY: return of_shape(op, out);
    case TSR_OP_TTNN_SAMPLING:
        return by_rule(op, op->in[0].value->type->n == 4 ? "1 1 1 a2 @b" : "a0 @b", out);
    case TSR_OP_TTNN_DISTRIBUTE_TENSOR: return over_mesh(op, true, out);
    case TSR_OP_TTNN_AGGREGATE_TENSOR: return over_mesh(op, false, out);
    case TSR_OP_TTNN_PREPARE_CONV3D_WEIGHTS: return weights_of_volumes(op, out);
    case TSR_OP_TTNN_ALL_TO_ALL_COMBINE: return combined(op, out);
    case TSR_OP_TTNN_NLP_CREATE_QKV_HEADS_DECODE: heads(op, out); return true;
    default: return by_meaning(op, out);
    }
}

tsr_type *tsr_emit_laid_out(const tsr_opdef *def, tsr_type *t, bool host)
{
    tsr_tt_data_type type = tsr_tt_data_type_of(t->elem);
    host |=
        def->opcode == TSR_OP_TTNN_DISTRIBUTE_TENSOR || def->opcode == TSR_OP_TTNN_AGGREGATE_TENSOR;
    if (def->dialect != TSR_DIALECT_TTNN)
        return t;
    return tsr_ttnn_type(t, host ? tsr_ttnn_host(type) : tsr_ttnn_default(type));
}

/* Ops that create tensors create them on the host if they have no device. */
static bool on_host(const tsr_op *op)
{
    return tsr_op_has(op, TSR_TRAIT(TT_CREATES)) && !op->nin;
}

bool tsr_emit_result_types(tsr_op *op, tsr_tt_data_type type, tsr_type_vec *out)
{
    TSR_TRY(plain_types(op, out));
    const tsr_attr *given = tsr_op_attr(op, TSR_STR("output_dtype"));
    if (type == TSR_TT_NO_DATA_TYPE && given && given->kind == TSR_ATTR_ENUM)
        type = (tsr_tt_data_type)given->i;
    for (size_t i = 0; i < out->n; i++) {
        tsr_type *t = out->data[i];
        if (t->kind != TSR_TYPE_TENSOR)
            continue;
        for (uint32_t d = 0; d < t->n; d++)
            if (t->dims[d] < 0)
                return tsr_op_error(op, "has a result with a dimension below zero");
        tsr_tt_data_type own =
            i == 0 && type != TSR_TT_NO_DATA_TYPE ? type : tsr_tt_data_type_of(t->elem);
        if (own == TSR_TT_NO_DATA_TYPE)
            return tsr_op_error(op, "has a result of elements that ttnn has not");
        own = own == TSR_TT_I1 ? TSR_TT_BF16 : own;
        tsr_type *plain = tsr_type_tensor(op->module->ctx, t->dims, t->n,
                                          tsr_tt_element(op->module->ctx, own), NULL);
        out->data[i] = tsr_emit_laid_out(op->def, plain, on_host(op));
    }
    return true;
}
