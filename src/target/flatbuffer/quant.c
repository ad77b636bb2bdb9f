/* SPDX-License-Identifier: Apache-2.0 */
/* quant.c - quantized types of a module that was read. A binary only has the integers of a quantized tensor; their
 * meaning comes from the scales and zero points of the ops that quantize, if those are constants. From there the type
 * is propagated through ops that only move values, and to arguments, results and calls. */
#include "base/decimal.h"
#include "dialect/builtin/quant.h"
#include "dialect/kinds.h"
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"
#include "eval/tensor.h"
#include "lower/ttnn/device.h"
#include "target/flatbuffer/program.h"

/* Operands that hold the parameters of a quantized value. */
typedef struct {
    enum tsr_opcode opcode;
    int value;            /* quantized operand; -1: the result */
    uint32_t scale, zero; /* operands */
    int expressed;        /* float operand; -1: the result, -2: none, f32 */
} place;
static const place places[] = {
    {TSR_OP_TTNN_QUANTIZE, -1, 1, 2, 0},
    {TSR_OP_TTNN_DEQUANTIZE, 0, 1, 2, -1},
    {TSR_OP_TTNN_REQUANTIZE, 0, 1, 2, -2},
    {TSR_OP_TTNN_REQUANTIZE, -1, 3, 4, -2},
};

static bool carries(const tsr_op *op)
{
    return tsr_kinds_of(op).carries == 1 && op->nin && op->nout == 1;
}

/* The function that a cached load names; NULL: op is not one. */
static tsr_op *callee(const tsr_op *op)
{
    if (!tsr_op_is(op, TSR_OP_TTCORE_LOAD_CACHED))
        return NULL;
    tsr_op *f = tsr_symbol_find(tsr_ttcore_device_module(op->module->op),
                                op->attrs[TTCORE_LOAD_CACHED_callee]->s);
    return f && tsr_op_is(f, TSR_OP_FUNC_FUNC) && f->regions[0].first ? f : NULL;
}

/* ---- Numbers ---- */

/* The value of a constant; NULL if v is not one. */
static tsr_tensor *number(const tsr_value *v, int depth)
{
    if (depth > 16 || v->is_arg || !tsr_type_is(v->type, TSR_TYPE_TENSOR))
        return NULL;
    const tsr_op *op = v->op, *f = callee(op);
    const tsr_type *t = v->type;
    if (f && v->index < f->regions[0].first->last->nin)
        return number(f->regions[0].first->last->in[v->index].value, depth + 1);
    if (carries(op))
        return number(op->in[0].value, depth + 1);
    if (tsr_op_is(op, TSR_OP_TTNN_CONSTANT) &&
        tsr_attr_is(op->attrs[TTNN_CONSTANT_value], TSR_ATTR_DENSE))
        return tsr_tensor_of_attr(op->attrs[TTNN_CONSTANT_value],
                                  op->attrs[TTNN_CONSTANT_value]->type);
    const tsr_attr *fill = tsr_op_is(op, TSR_OP_TTNN_FULL) ? op->attrs[TTNN_FULL_fill_value] : NULL;
    bool one = tsr_op_is(op, TSR_OP_TTNN_ONES), zero = tsr_op_is(op, TSR_OP_TTNN_ZEROS);
    if ((!fill && !one && !zero) || tsr_type_num_elements(t) > 65536)
        return NULL;
    double x = !fill ? one
               : fill->kind == TSR_ATTR_FLOAT
                   ? tsr_float_to_double((tsr_float_kind)fill->type->sub, (uint64_t)fill->i)
                   : (double)fill->i;
    tsr_tensor *made = tsr_tensor_new(tsr_type_float(t->ctx, TSR_F64), t->dims, t->n);
    for (int64_t i = 0; made && i < made->n; i++)
        tsr_set_double(made, i, x);
    return made;
}

/* The shortest decimal number that rounds to the same f32: probably what was written originally. */
static double unrounded(double x)
{
    for (int digits = 1; digits < 9; digits++) {
        double y;
        if (tsr_str_double(tsr_cstr(tsr_spell('g', 0, digits, x).text), &y) && (float)y == (float)x)
            return y;
    }
    return x;
}

static tsr_type *element(tsr_ctx *ctx, const tsr_type *stored, tsr_type *expressed,
                         const tsr_attr *axis, const tsr_tensor *scales, const tsr_tensor *zeros)
{
    enum { MOST = 65536 };
    int64_t n = axis ? scales->n : 1;
    tsr_type *integer = tsr_tt_element(ctx, TSR_TT_SI32);
    if (stored != integer || scales->n < 1 || zeros->n < 1 || n > MOST ||
        (zeros->n != 1 && zeros->n < n))
        return NULL;
    double *list = tsr_xmalloc((size_t)n * sizeof *list);
    int64_t *points = tsr_xmalloc((size_t)n * sizeof *points);
    for (int64_t i = 0; i < n; i++) {
        list[i] = unrounded(tsr_get_double(scales, i));
        points[i] = (int64_t)tsr_get_double(zeros, zeros->n == 1 ? 0 : i);
    }
    tsr_attr *params[] = {
        [QUANT_storage] = tsr_attr_type(ctx, ctx->i32),
        [QUANT_signed] = tsr_attr_bool(ctx, true),
        [QUANT_min] = tsr_attr_i64(ctx, INT32_MIN),
        [QUANT_max] = tsr_attr_i64(ctx, INT32_MAX),
        [QUANT_expressed] = tsr_attr_type(ctx, expressed),
        [QUANT_axis] = axis ? tsr_attr_i64(ctx, axis->i) : NULL,
        [QUANT_scales] = tsr_attr_dense_array(ctx, tsr_type_float(ctx, TSR_F64), list, (size_t)n),
        [QUANT_zero_points] = tsr_attr_i64_array(ctx, points, (size_t)n),
        [QUANT_shape] = NULL};
    tsr_type *elem = list[0] > 0 ? tsr_type_dialect(ctx, &tsr_def_QUANT_UNIFORM, params) : NULL;
    tsr_free(list);
    tsr_free(points);
    return elem;
}

/* ---- Types ---- */

typedef TSR_VEC(tsr_value *) value_list;

static void retype(value_list *work, tsr_value *v, tsr_type *elem)
{
    const tsr_type *t = v->type;
    if (!tsr_type_is(t, TSR_TYPE_TENSOR) || t->elem != tsr_tt_element(t->ctx, TSR_TT_SI32))
        return;
    v->type = tsr_type_tensor(t->ctx, t->dims, t->n, elem, t->attr);
    tsr_vec_push(work, v);
}

/* Adds the definition and the uses of the value to the worklist. */
static void spread(value_list *work, tsr_value *v)
{
    tsr_type *elem = v->type->elem;
    if (!v->is_arg) {
        tsr_op *f = callee(v->op);
        if (f && v->index < f->regions[0].first->last->nin)
            retype(work, f->regions[0].first->last->in[v->index].value, elem);
        else if (carries(v->op))
            retype(work, v->op->in[0].value, elem);
    }
    for (const tsr_use *u = v->uses; u; u = u->next) {
        uint32_t i = (uint32_t)(u - u->user->in);
        tsr_op *f = callee(u->user);
        if (f && i < f->regions[0].first->nargs)
            retype(work, f->regions[0].first->args[i], elem);
        else if (carries(u->user) && i == 0)
            retype(work, &u->user->out[0], elem);
    }
}

static void quantize(tsr_op *op, const place *p, value_list *work)
{
    int slot = tsr_opdef_slot(op->def, TSR_STR("axis"));
    tsr_value *v = p->value < 0 ? &op->out[0] : op->in[p->value].value;
    const tsr_type *wide = p->expressed == -2   ? NULL
                           : p->expressed == -1 ? op->out[0].type
                                                : op->in[p->expressed].value->type;
    if (op->nin <= p->zero || !tsr_type_is(v->type, TSR_TYPE_TENSOR))
        return;
    tsr_ctx *ctx = op->module->ctx;
    tsr_tensor *scales = number(op->in[p->scale].value, 0),
               *zeros = number(op->in[p->zero].value, 0);
    tsr_type *elem = scales && zeros ? element(ctx, v->type->elem,
                                               wide ? wide->elem : tsr_type_float(ctx, TSR_F32),
                                               slot < 0 ? NULL : op->attrs[slot], scales, zeros)
                                     : NULL;
    if (elem)
        retype(work, v, elem);
    tsr_tensor_unref(scales);
    tsr_tensor_unref(zeros);
}

/* Updates a function's type from the types of its arguments and results. */
static void resign(tsr_op *f)
{
    tsr_type_vec in = {0}, out = {0};
    const tsr_block *b = f->regions[0].first;
    for (uint32_t i = 0; i < b->nargs; i++)
        tsr_vec_push(&in, b->args[i]->type);
    for (uint32_t i = 0; i < b->last->nin; i++)
        tsr_vec_push(&out, b->last->in[i].value->type);
    f->attrs[FUNC_FUNC_function_type] = tsr_attr_type(
        f->module->ctx, tsr_type_function(f->module->ctx, in.data, in.n, out.data, out.n));
    tsr_vec_free(&in);
    tsr_vec_free(&out);
}

void tsr_fb_quantized_types(tsr_op *device)
{
    value_list work = {0};
    TSR_OPS (device, op)
        for (size_t i = 0; i < TSR_COUNT(places); i++)
            if (tsr_op_is(op, places[i].opcode))
                quantize(op, &places[i], &work);
    bool any = work.n > 0;
    while (work.n)
        spread(&work, work.data[--work.n]);
    tsr_vec_free(&work);
    if (!any)
        return;
    TSR_OPS (device, f)
        if (tsr_op_is(f, TSR_OP_FUNC_FUNC) && f->regions[0].first && f->regions[0].first->last)
            resign(f);
}
