/* SPDX-License-Identifier: Apache-2.0 */
/* quant.c - quantized values: EXEC hooks of their conversions, and ops that compute with them.
 *
 * A quantized value is its stored integers; scales and zero points are those of its type. As in the reference
 * (eval/kernel/quant.c), an op that computes gets its operands dequantized to the expressed type, and its results are
 * quantized; the hook is called for a copy of the op with expressed types. Ops that move elements move integers.
 * Conversions round as the reference does, to the same bits. */
#include "eval/kernel/quant.h"

#include "dialect/builtin/quant.h"
#include "eval/kernel/pointwise.h"
#include "eval/plan.h"
#include "exec/compile/value.h"

/* ---- Parameters of a type ---- */

typedef struct {
    tsr_dtype stored, expressed;
    tsr_dtype wide; /* all numbers and their differences are exact in it */
    const tsr_attr *scales, *zeros;
    int64_t count; /* of the axis; 1: one for all */
    size_t after;  /* dimensions after the axis */
    int64_t least, most;
    bool shifted; /* some zero point is not 0 */
} grid;

static bool is_quantized(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR && tsr_is_quantized(t->elem);
}

/* Integers that f32 represents, as well as their differences. */
static bool is_narrow(const grid *g)
{
    const int64_t most = (int64_t)1 << 22;
    bool fits = g->expressed != TSR_D_F64 && g->least >= -most && g->most <= most &&
                tsr_dtype_bits(g->stored) <= 16;
    for (int64_t i = 0; fits && i < tsr_attr_count(g->zeros); i++) {
        int64_t zero = tsr_attr_int_at(g->zeros, (size_t)i);
        fits = zero >= -most && zero <= most;
    }
    return fits;
}

/* False: the reference reports the error. */
static bool grid_of(const tsr_type *t, grid *g)
{
    tsr_attr **p = t->elem->params;
    const tsr_attr *axis = p[QUANT_axis];
    if (!p[QUANT_expressed] || !p[QUANT_scales] || !p[QUANT_zero_points])
        return false;
    *g = (grid){.stored = tsr_dtype_of(t->elem),
                .expressed = tsr_dtype_of(p[QUANT_expressed]->type),
                .scales = p[QUANT_scales],
                .zeros = p[QUANT_zero_points],
                .count = 1,
                .least = p[QUANT_min]->i,
                .most = p[QUANT_max]->i};
    if (axis) {
        if (axis->kind != TSR_ATTR_INT || axis->i < 0 || axis->i >= t->n)
            return false;
        g->count = t->dims[axis->i];
        g->after = t->n - 1u - (size_t)axis->i;
    }
    for (int64_t i = 0; i < g->count && i < tsr_attr_count(g->zeros); i++)
        g->shifted |= tsr_attr_int_at(g->zeros, (size_t)i) != 0;
    g->wide = is_narrow(g) ? TSR_D_F32 : TSR_D_F64;
    int64_t n = tsr_attr_count(g->scales);
    return tsr_dtype_is_float(g->expressed) && tsr_dtype_bits(g->stored) <= 32 &&
           t->n <= TSR_VIEW_RANK &&
           (axis ? n == g->count && tsr_attr_count(g->zeros) == n : n >= 1);
}

/* Parameter i, rounded to the expressed type. */
static double parameter(const grid *g, bool zero, int64_t i)
{
    double v;
    uint64_t bits[2];
    if (zero)
        return (double)tsr_attr_int_at(g->zeros, (size_t)i);
    memcpy(&v, g->scales->s.data + (size_t)i * sizeof v, sizeof v);
    tsr_from_doubles(g->expressed, &v, bits, 1);
    tsr_to_doubles(g->expressed, bits, &v, 1);
    return v;
}

/* One number, or one for each index of the axis. */
static tsr_xid parameters(tsr_xbuilder *b, const tsr_op *op, const grid *g, bool zero)
{
    int64_t dims[TSR_VIEW_RANK] = {g->count};
    if (g->count == 1)
        return tsr_x_number(b, op, g->wide, parameter(g, zero, 0));
    double *all = TSR_NEW_ARRAY(&b->p->arena, double, (size_t)g->count + 1);
    for (int64_t i = 0; i < g->count; i++)
        all[i] = parameter(g, zero, i);
    for (size_t i = 1; i <= g->after; i++)
        dims[i] = 1;
    return tsr_x_numbers(b, op, g->wide, all, dims, g->after + 1);
}

/* ---- Conversions ---- */

static tsr_xid rounded(tsr_xbuilder *b, const tsr_op *op, const grid *g, tsr_xid v)
{
    return g->expressed == g->wide ? v : tsr_x_as(b, op, tsr_x_as(b, op, v, g->expressed), g->wide);
}

/* v, integers of type t, as numbers of the expressed type. */
static tsr_xid dequantized(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, const tsr_type *t)
{
    grid g;
    if (!grid_of(t, &g) || tsr_xvalue_at(b, v)->n <= 0)
        return TSR_XNONE;
    v = tsr_x_as(b, op, v, g.wide);
    if (g.shifted)
        v = tsr_x_apply2(b, op, TSR_TILE_subtract, v, parameters(b, op, &g, true));
    v = tsr_x_apply2(b, op, TSR_TILE_multiply, rounded(b, op, &g, v), parameters(b, op, &g, false));
    return tsr_x_as(b, op, v, g.expressed);
}

/* Floats as integers of type t: nearest even, clamped to its range; NaN gives 0. */
static tsr_xid quantized(tsr_xbuilder *b, const tsr_op *op, tsr_xid v, tsr_type *t)
{
    grid g;
    if (v == TSR_XNONE || !grid_of(t, &g) || tsr_xdtype_of(b, v) != g.expressed)
        return TSR_XNONE;
    v = tsr_x_apply2(b, op, TSR_TILE_divide, tsr_x_as(b, op, v, g.wide),
                     parameters(b, op, &g, false));
    v = rounded(b, op, &g, v);
    if (g.shifted)
        v = rounded(b, op, &g, tsr_x_apply2(b, op, TSR_TILE_add, v, parameters(b, op, &g, true)));
    v = tsr_x_with(b, op, TSR_TILE_maximum, v, (double)g.least);
    v = tsr_x_with(b, op, TSR_TILE_minimum, v, (double)g.most);
    v = tsr_x_apply1(b, op, TSR_TILE_round_nearest_even, v);
    if (v == TSR_XNONE || tsr_xvalue_at(b, v)->n != tsr_type_num_elements(t))
        return TSR_XNONE;
    return tsr_x_kernel(b, op, t, TSR_TILE_CONVERT, g.wide, &v, 1);
}

bool exec_uniform_quantize(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *from = op->in[0].value->type;
    tsr_xid v = tsr_x_in(b, op, 0);
    if (!is_quantized(op->out[0].type))
        return false;
    if (is_quantized(from))
        v = dequantized(b, op, v, from);
    v = quantized(b, op, v, op->out[0].type);
    if (v != TSR_XNONE)
        tsr_x_set(b, op, 0, v);
    return v != TSR_XNONE;
}

bool exec_uniform_dequantize(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *from = op->in[0].value->type;
    return is_quantized(from) && tsr_x_give(b, op, 0, dequantized(b, op, tsr_x_in(b, op, 0), from));
}

/* ---- Ops that compute ---- */

/* The type with expressed elements; NULL: the reference reports the error. */
static tsr_type *expressed(const tsr_xbuilder *b, tsr_type *t)
{
    if (!is_quantized(t))
        return t;
    const tsr_attr *to = t->elem->params[QUANT_expressed];
    return to ? tsr_type_tensor(b->p->module->ctx, t->dims, t->n, to->type, NULL) : NULL;
}

/* A copy of op with expressed types. Its values have the numbers of op's own. */
static tsr_op *view_of(tsr_xbuilder *b, const tsr_op *op)
{
    tsr_arena *a = &b->p->arena;
    tsr_op *view = tsr_arena_copy(a, op, sizeof *op);
    tsr_value *operands = TSR_NEW_ARRAY(a, tsr_value, op->nin + 1);
    bool known = true;
    view->in = tsr_arena_copy(a, op->in, op->nin * sizeof *op->in);
    view->out = tsr_arena_copy(a, op->out, op->nout * sizeof *op->out);
    for (uint32_t i = 0; i < op->nin; i++) {
        operands[i] = *op->in[i].value;
        operands[i].type = expressed(b, operands[i].type);
        known &= operands[i].type != NULL;
        view->in[i].value = &operands[i];
    }
    for (uint32_t i = 0; i < op->nout; i++) {
        view->out[i].type = expressed(b, op->out[i].type);
        known &= view->out[i].type != NULL;
    }
    return known ? view : NULL;
}

/* Quantizes the results of a view. */
static bool give_back(tsr_xbuilder *b, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_xid v = b->of[op->out[i].id];
        if (!is_quantized(op->out[i].type))
            continue;
        tsr_xvalue_at(b, tsr_storage_of(b->p, v))->part = true;
        v = quantized(b, op, v, op->out[i].type);
        if (v == TSR_XNONE)
            return false;
        tsr_x_set(b, op, i, v);
    }
    return true;
}

bool tsr_x_dequantized(tsr_xbuilder *b, tsr_op *op, exec_fn *make)
{
    tsr_op *view = view_of(b, op);
    if (!view)
        return false;
    tsr_xid *own = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, 2 * op->nin + 1), *in = own + op->nin;
    bool ok = true;
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_type *t = op->in[i].value->type;
        own[i] = in[i] = tsr_x_in(b, op, i);
        for (uint32_t k = 0; k < i; k++)
            if (own[k] == own[i] && op->in[k].value->type == t)
                in[i] = in[k];
        if (is_quantized(t) && in[i] == own[i])
            in[i] = dequantized(b, op, own[i], t);
        ok &= in[i] != TSR_XNONE;
    }
    for (uint32_t i = 0; ok && i < op->nin; i++)
        b->of[op->in[i].value->id] = in[i];
    ok = ok && make(b, view);
    for (uint32_t i = 0; i < op->nin; i++)
        b->of[op->in[i].value->id] = own[i];
    return ok && give_back(b, op);
}

/* ---- Ops that move ---- */

bool tsr_x_moves_any(exec_fn *hook)
{
    static exec_fn *const all[] = {
        exec_barrier,
        exec_bitcast_convert,
        exec_branches,
        exec_broadcast_in_dim,
        exec_body,
        exec_call,
        exec_composite,
        exec_concatenate,
        exec_dynamic_slice,
        exec_dynamic_update_slice,
        exec_gather,
        exec_handed,
        exec_manual_computation,
        exec_pad,
        exec_reshape,
        exec_reverse,
        exec_select,
        exec_slice,
        exec_transpose,
        exec_ttir_permute,
        exec_ttir_reshape,
        exec_ttir_transpose,
        exec_uniform_dequantize,
        exec_uniform_quantize,
        exec_while,
    };
    for (size_t i = 0; i < TSR_COUNT(all); i++)
        if (all[i] == hook)
            return true;
    return false;
}

bool tsr_x_requantized(tsr_xbuilder *b, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_xid v = b->of[op->out[i].id];
        tsr_type *type = op->out[i].type;
        tsr_xshape shape;
        if (!is_quantized(type) || tsr_xvalue_at(b, v)->type->elem == type->elem)
            continue;
        if (!tsr_x_shape(b, v, &shape))
            return false;
        tsr_xvalue_at(b, tsr_storage_of(b->p, v))->part = true;
        tsr_x_set(b, op, i, tsr_x_view(b, v, &shape, type, op));
    }
    return true;
}
