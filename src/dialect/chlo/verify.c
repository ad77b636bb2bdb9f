/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - CHLO's rules and result types: broadcasting, constants, top_k and scan. Its tensors may be unranked; then
 * the result is inferred as unranked too, and matches everything. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/broadcast.h"
#include "dialect/stablehlo/rules.h"

static tsr_type *unranked(tsr_type *elem)
{
    return tsr_type_unranked_tensor(elem->ctx, elem);
}

/* ---- Common shapes ---- */

/* The common size of two dimensions. Of '?' and a size above 1 it is the latter: anything else would be invalid. */
static bool common_size(int64_t a, int64_t b, int64_t *out)
{
    bool open = a == TSR_DYNAMIC || b == TSR_DYNAMIC;
    if (a == 1 || b == 1)
        *out = a == 1 ? b : a;
    else if (open)
        *out = a > 1 ? a : b > 1 ? b : TSR_DYNAMIC;
    else if (a == b)
        *out = a;
    else
        return false;
    return true;
}

/* Merges the dimensions of b into a, aligned at their ends. */
static bool common_shape(const tsr_op *op, tsr_i64_vec *a, const int64_t *b, size_t n)
{
    size_t longer = n > a->n ? n - a->n : 0;
    for (size_t i = 0; i < longer; i++)
        tsr_vec_push(a, 1);
    if (longer)
        memmove(a->data + longer, a->data, (a->n - longer) * sizeof *a->data);
    for (size_t i = 0; i < longer; i++)
        a->data[i] = 1;
    for (size_t i = 1; i <= n; i++)
        if (!common_size(a->data[a->n - i], b[n - i], &a->data[a->n - i]))
            return tsr_hlo_error(op, "incompatible shapes for broadcasting %lld and %lld",
                                 (long long)a->data[a->n - i], (long long)b[n - i]);
    return true;
}

/* For static and bounded tensors: bounds are kept. Invalid shapes are reported where the operand is defined. */
static tsr_type *bounded_type(const tsr_op *op, tsr_type *elem)
{
    tsr_value_vec in = {0};
    tsr_extent_vec shape = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    bool ok = tsr_broadcast_shape(elem->ctx, op->loc, in.data, in.n, &shape);
    tsr_type *type = ok ? tsr_broadcast_type(&shape, elem) : NULL;
    tsr_vec_free(&in);
    tsr_vec_free(&shape);
    return type;
}

/* The common type of all operands; NULL after a diagnostic. */
static tsr_type *numpy_type(const tsr_op *op, tsr_type *elem)
{
    bool all_bounded = true;
    for (uint32_t i = 0; i < op->nin; i++) {
        if (!tsr_hlo_is_ranked(tsr_hlo_in(op, i)))
            return unranked(elem);
        all_bounded &=
            tsr_type_has_static_shape(tsr_hlo_in(op, i)) || tsr_hlo_bounds(tsr_hlo_in(op, i));
    }
    if (all_bounded)
        return bounded_type(op, elem);
    tsr_i64_vec dims = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < op->nin; i++)
        ok = common_shape(op, &dims, tsr_hlo_in(op, i)->dims, tsr_hlo_in(op, i)->n);
    tsr_type *type = ok ? tsr_type_tensor(elem->ctx, dims.data, dims.n, elem, NULL) : NULL;
    tsr_vec_free(&dims);
    return type;
}

/* Dimension i of the smaller operand corresponds to dimension at[i] of the larger one. If that makes no sense the
 * result is unranked: the lowering of broadcast_dimensions reports it, as in StableHLO. */
static tsr_type *placed_type(const tsr_op *op, tsr_type *elem, const tsr_attr *at)
{
    const tsr_type *a = tsr_hlo_in(op, 0), *b = tsr_hlo_in(op, 1);
    if (!tsr_hlo_is_ranked(a) || !tsr_hlo_is_ranked(b))
        return unranked(elem);
    const tsr_type *large = a->n > b->n ? a : b, *small = a->n > b->n ? b : a;
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i < large->n; i++)
        tsr_vec_push(&dims, large->dims[i]);
    bool ok = tsr_hlo_len(at) == small->n;
    for (uint32_t i = 0; ok && i < small->n; i++) {
        int64_t to = tsr_hlo_at(at, i);
        ok = to >= 0 && to < large->n &&
             common_size(small->dims[i], large->dims[to], &dims.data[to]);
    }
    tsr_type *type =
        ok ? tsr_type_tensor(elem->ctx, dims.data, dims.n, elem, NULL) : unranked(elem);
    tsr_vec_free(&dims);
    return type;
}

/* ---- Broadcasting ops ---- */

static bool push(tsr_type_vec *out, tsr_type *type)
{
    if (type)
        tsr_vec_push(out, type);
    return type != NULL;
}

static bool infer_binary(const tsr_op *op, tsr_type *elem, tsr_type_vec *out)
{
    const tsr_attr *at = tsr_attr_of(
        op, CHLO_BROADCAST_ADD_broadcast_dimensions); /* the first slot of all of them */
    if (!tsr_hlo_compatible_element(tsr_hlo_in(op, 0), tsr_hlo_in(op, 1)))
        return tsr_hlo_error(op, "mismatched operand types");
    return push(out, at ? placed_type(op, elem, at) : numpy_type(op, elem));
}

bool infer_chlo_broadcast(const tsr_op *op, tsr_type_vec *out)
{
    return infer_binary(op, tsr_hlo_element(tsr_hlo_in(op, 0)), out);
}

bool infer_chlo_broadcast_compare(const tsr_op *op, tsr_type_vec *out)
{
    return infer_binary(op, op->module->ctx->i1, out);
}

bool infer_chlo_broadcast_complex(const tsr_op *op, tsr_type_vec *out)
{
    return infer_binary(op, tsr_type_complex(op->module->ctx, tsr_hlo_element(tsr_hlo_in(op, 0))),
                        out);
}

bool infer_chlo_broadcast_select(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type *elem = tsr_hlo_element(tsr_hlo_in(op, 1));
    if (elem != tsr_hlo_element(tsr_hlo_in(op, 2)))
        return tsr_hlo_error(op, "mismatched operand types");
    return push(out, numpy_type(op, elem));
}

/* ---- Constants, and tests for infinity ---- */

static tsr_type *type_of(const tsr_op *op, const tsr_attr *value)
{
    return value->type ? value->type : op->module->ctx->none;
}

bool infer_chlo_constant(const tsr_op *op, tsr_type_vec *out)
{
    tsr_vec_push(out, type_of(op, tsr_attr_of(op, CHLO_CONSTANT_value)));
    return true;
}

bool infer_chlo_constant_like(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type *elem = type_of(op, tsr_attr_of(op, CHLO_CONSTANT_LIKE_value));
    tsr_type *like = tsr_hlo_in(op, 0);
    tsr_vec_push(out, tsr_hlo_is_ranked(like) ? tsr_hlo_with_element(like, elem) : unranked(elem));
    return true;
}

bool verify_chlo_constant_like(tsr_op *op)
{
    if (type_of(op, tsr_attr_of(op, CHLO_CONSTANT_LIKE_value)) != tsr_hlo_element(op->out[0].type))
        return tsr_op_error(op, "value's type doesn't match element return type");
    return true;
}

static bool infer_pred(const tsr_op *op, tsr_type_vec *out)
{
    tsr_vec_push(out, tsr_hlo_with_element(tsr_hlo_in(op, 0), op->module->ctx->i1));
    return true;
}

bool infer_chlo_is_inf(const tsr_op *op, tsr_type_vec *out)
{
    return infer_pred(op, out);
}

bool infer_chlo_is_neg_inf(const tsr_op *op, tsr_type_vec *out)
{
    return infer_pred(op, out);
}

bool infer_chlo_is_pos_inf(const tsr_op *op, tsr_type_vec *out)
{
    return infer_pred(op, out);
}

/* ---- top_k: the last dimension becomes k ---- */

bool infer_chlo_top_k(const tsr_op *op, tsr_type_vec *out)
{
    tsr_ctx *ctx = op->module->ctx;
    int64_t k = tsr_attr_of(op, CHLO_TOP_K_k)->i;
    const tsr_type *in = tsr_hlo_in(op, 0);
    if (!tsr_hlo_is_ranked(in)) {
        tsr_vec_push(out, unranked(tsr_hlo_element(in)));
        tsr_vec_push(out, unranked(ctx->i32));
        return true;
    }
    if (in->n < 1)
        return tsr_hlo_error(op, "operand's rank must be at least 1");
    uint32_t last = in->n - 1;
    if (in->dims[last] != TSR_DYNAMIC && in->dims[last] < k)
        return tsr_hlo_error(op, "operand's last dimension must be at least %lld", (long long)k);
    if (k < 0)
        return tsr_hlo_error(op, "k must not be negative, got %lld", (long long)k);
    tsr_i64_vec dims = {0}, bounds = {0};
    const int64_t *known = tsr_hlo_bounds(in);
    for (uint32_t i = 0; i < in->n; i++) {
        tsr_vec_push(&dims, i == last ? k : in->dims[i]);
        tsr_vec_push(&bounds, known && i != last ? known[i] : TSR_DYNAMIC);
    }
    tsr_type *values = tsr_hlo_tensor_like(in, dims.data, dims.n, known ? bounds.data : NULL);
    tsr_vec_push(out, values);
    tsr_vec_push(out, tsr_hlo_with_element(values, ctx->i32));
    tsr_vec_free(&dims);
    tsr_vec_free(&bounds);
    return true;
}

/* ---- scan: its body works on slices of the inputs along one dimension, and on carries ---- */

static uint32_t num_inputs(const tsr_op *op)
{
    uint32_t start = 0, n = 0;
    return tsr_op_operand_group(op, 0, &start, &n) ? n : 0;
}

/* t without its dimension dim. */
static tsr_type *slice_type(const tsr_type *t, int64_t dim)
{
    const int64_t *known = tsr_hlo_bounds(t);
    tsr_i64_vec dims = {0}, bounds = {0};
    for (uint32_t i = 0; i < t->n; i++)
        if (i != dim) {
            tsr_vec_push(&dims, t->dims[i]);
            tsr_vec_push(&bounds, known ? known[i] : TSR_DYNAMIC);
        }
    tsr_type *type = tsr_hlo_tensor_like(t, dims.data, dims.n, known ? bounds.data : NULL);
    tsr_vec_free(&dims);
    tsr_vec_free(&bounds);
    return type;
}

/* t with a dimension of this size inserted. */
static tsr_type *stack_type(const tsr_type *t, int64_t dim, int64_t size)
{
    tsr_i64_vec dims = {0};
    for (uint32_t i = 0; i < t->n; i++) {
        if (i == dim)
            tsr_vec_push(&dims, size);
        tsr_vec_push(&dims, t->dims[i]);
    }
    if (dim == t->n)
        tsr_vec_push(&dims, size);
    tsr_type *type = tsr_type_tensor(t->ctx, dims.data, dims.n, t->elem, NULL);
    tsr_vec_free(&dims);
    return type;
}

/* The length of the scan: given by the op, else by the first input with a static size. */
static bool scan_size(const tsr_op *op, int64_t dim, int64_t *out)
{
    const tsr_attr *given = tsr_attr_of(op, CHLO_SCAN_scan_dim_size);
    *out = given ? given->i : TSR_DYNAMIC;
    for (uint32_t i = 0; i < num_inputs(op); i++) {
        const tsr_type *t = tsr_hlo_in(op, i);
        if (!tsr_hlo_is_ranked(t))
            return tsr_hlo_error(op, "operand %u is not ranked", i);
        if (dim >= t->n)
            return tsr_hlo_error(op, "scan dimension of operand %u is out of bounds", i);
        if (*out == TSR_DYNAMIC)
            *out = t->dims[dim];
    }
    return true;
}

bool infer_chlo_scan(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_op *end = op->nregion ? tsr_hlo_terminator(&op->regions[0]) : NULL;
    if (!end)
        return tsr_hlo_error(op, "ScanOp region is empty");
    uint32_t carries = op->nin - num_inputs(op);
    if (end->nin < carries)
        return tsr_hlo_error(op, "ScanOp body must return at least %u values (carries)", carries);
    int64_t dim = tsr_attr_of(op, CHLO_SCAN_dimension)->i, size;
    TSR_TRY(scan_size(op, dim, &size));
    for (uint32_t i = 0; i < end->nin; i++) {
        const tsr_type *t = tsr_hlo_in(end, i);
        if (!tsr_hlo_is_ranked(t))
            return tsr_hlo_error(op, "terminator operand %u is not ranked", i);
        bool stacked = i < end->nin - carries;
        if (stacked && dim > t->n)
            return tsr_hlo_error(op, "scan dimension of terminator operand %u is out of bounds", i);
        tsr_vec_push(out, stacked ? stack_type(t, dim, size)
                                  : tsr_type_tensor(t->ctx, t->dims, t->n, t->elem, NULL));
    }
    return true;
}

/* Inputs have the scanned dimension, with one size. */
static bool verify_scan_inputs(const tsr_op *op, int64_t dim, uint32_t inputs)
{
    const tsr_attr *given = tsr_attr_of(op, CHLO_SCAN_scan_dim_size);
    int64_t size = given ? given->i : TSR_DYNAMIC;
    for (uint32_t i = 0; i < inputs; i++) {
        const tsr_type *t = tsr_hlo_in(op, i);
        if (!tsr_hlo_is_ranked(t))
            return tsr_op_error(op, "operand %u is not ranked", i);
        if (dim >= t->n)
            return tsr_op_error(op, "scan dimension of operand %u is out of bounds", i);
        if (!tsr_hlo_dims_compatible(size, t->dims[dim]))
            return tsr_op_error(op, "invalid scan dimension size of operand %u", i);
        if (t->dims[dim] != TSR_DYNAMIC)
            size = t->dims[dim];
    }
    return true;
}

bool verify_chlo_scan(tsr_op *op)
{
    uint32_t inputs = num_inputs(op), start = 0, outputs = 0;
    int64_t dim = tsr_attr_of(op, CHLO_SCAN_dimension)->i;
    if (!inputs && tsr_op_result_group(op, 0, &start, &outputs) && !outputs)
        return tsr_op_error(op, "at least one of inputs or outputs must be present");
    TSR_TRY(verify_scan_inputs(op, dim, inputs));
    const tsr_block *body = op->regions[0].first;
    if (!body || body->nargs != op->nin)
        return tsr_op_error(op, "expects %u arguments in the body, but got %u", op->nin,
                            body ? body->nargs : 0);
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_type *t = tsr_hlo_in(op, i);
        if (!tsr_hlo_is_ranked(t))
            return tsr_op_error(op, "operand %u is not ranked", i);
        if (!tsr_hlo_compatible(i < inputs ? slice_type(t, dim) : t, body->args[i]->type))
            return tsr_op_error(op, "operand and body argument %u are incompatible", i);
    }
    return true;
}
