/* SPDX-License-Identifier: Apache-2.0 */
/* quantize_math.c - --stablehlo-legalize-quant-to-math: converts programs on quantized numbers to programs on the
 * stored integers. Needs nothing; keeps values up to rounding; breaks ids.
 *
 * An op that only moves elements works on the integers unchanged. Some ops have their own integer forms (the table of
 * rules); others that compute are rewritten on the expressed values. The rest is refused, before anything changes.
 * While ops are rewritten, values keep their quantized types; at the end all types change at once. */
#include "dialect/builtin/quant.h"
#include "dialect/dialect.h"
#include "lower/lower.h"
#include "lower/passes.h"
#include "lower/quant/quantize.h"

/* ---- Types ---- */

bool tsr_quant_is_plain(const tsr_type *t)
{
    if (!tsr_hlo_is_per_tensor(t) && !tsr_hlo_is_per_axis(t))
        return false;
    const tsr_type *stands_for = tsr_hlo_expressed(t);
    return stands_for && stands_for->kind == TSR_TYPE_FLOAT && stands_for->sub == TSR_F32 &&
           tsr_hlo_storage(t)->width <= 32 && tsr_hlo_element(t)->params[QUANT_max]->i <= INT32_MAX;
}

tsr_type *tsr_quant_stored(const tsr_type *t)
{
    tsr_type *elem = tsr_hlo_storage(t);
    if (!elem)
        return NULL;
    bool is_signed = tsr_hlo_element(t)->params[QUANT_signed]->i != 0;
    return is_signed ? elem : tsr_type_integer(t->ctx, elem->width, TSR_UNSIGNED);
}

/* The type of the stored integers of t; t itself if it is not quantized. */
static tsr_type *stored_type(tsr_type *t)
{
    tsr_type *elem = tsr_type_is_shaped(t) || tsr_hlo_is_quantized(t) ? tsr_quant_stored(t) : NULL;
    return !elem ? t : tsr_type_is_shaped(t) ? tsr_hlo_with_element(t, elem) : elem;
}

bool tsr_quant_zero_points(const tsr_type *t)
{
    for (size_t i = 0; i < tsr_hlo_num_scales(t); i++)
        if (tsr_hlo_zero_point(t, i))
            return true;
    return false;
}

static tsr_type *f32_of(tsr_ctx *ctx)
{
    return tsr_type_float(ctx, TSR_F32);
}

/* ---- Building blocks ---- */

tsr_value *tsr_quant_numbers(tsr_build *b, tsr_type *elem, const double *numbers, size_t n)
{
    size_t bytes = tsr_type_storage_bits(elem) / 8, count = n ? n : 1;
    TSR_VEC(uint8_t) data = {0};
    bool splat = true;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = elem->kind == TSR_TYPE_FLOAT
                            ? tsr_float_from_double((tsr_float_kind)elem->sub, numbers[i])
                            : (uint64_t)(int64_t)numbers[i];
        if (elem->kind == TSR_TYPE_INTEGER && elem->width < 64)
            bits &= ((uint64_t)1 << elem->width) - 1;
        for (size_t k = 0; k < bytes; k++)
            tsr_vec_push(&data, (uint8_t)(bits >> 8 * k));
        splat &= memcmp(data.data, data.data + i * bytes, bytes) == 0;
    }
    int64_t dims[] = {(int64_t)n};
    tsr_type *type = tsr_static_type(b->ctx, dims, n ? 1 : 0, elem);
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_CONSTANT, NULL, 0, 1, 0);
    op->attrs[STABLEHLO_CONSTANT_value] =
        tsr_attr_dense(b->ctx, b->module, type, data.data, splat ? bytes : data.n, splat);
    tsr_vec_free(&data);
    return &tsr_build_close_as(b, op, &type)->out[0];
}

tsr_value *tsr_quant_number(tsr_build *b, tsr_type *elem, double number)
{
    return tsr_quant_numbers(b, elem, &number, 0);
}

typedef double number_fn(const tsr_type *a, const tsr_type *b, size_t i);

/* A number for each slice of the axis of a or b; a scalar if neither has one. any: whether one is not 0. */
static tsr_value *each(tsr_build *b, tsr_type *elem, const tsr_type *x, const tsr_type *y,
                       number_fn *number, bool *any)
{
    TSR_VEC(double) numbers = {0};
    bool per_axis = tsr_hlo_is_per_axis(x) || tsr_hlo_is_per_axis(y), some = false;
    size_t n = tsr_hlo_is_per_axis(y) ? tsr_hlo_num_scales(y) : tsr_hlo_num_scales(x);
    for (size_t i = 0; i < n; i++) {
        tsr_vec_push(&numbers, number(x, y, i));
        some |= numbers.data[i] != 0;
    }
    tsr_value *made =
        any && !some ? NULL : tsr_quant_numbers(b, elem, numbers.data, per_axis ? n : 0);
    tsr_vec_free(&numbers);
    return made;
}

static double scale_of(const tsr_type *t, size_t i)
{
    return tsr_hlo_scale(t, tsr_hlo_is_per_axis(t) ? i : 0);
}

static double zero_point_of(const tsr_type *t, size_t i)
{
    return (double)tsr_hlo_zero_point(t, tsr_hlo_is_per_axis(t) ? i : 0);
}

static double own_scale(const tsr_type *t, const tsr_type *same, size_t i)
{
    (void)same;
    return scale_of(t, i);
}

static double own_zero_point(const tsr_type *t, const tsr_type *same, size_t i)
{
    (void)same;
    return zero_point_of(t, i);
}

/* From x to y: y's integer = x's integer * ratio + shift. */
static double ratio(const tsr_type *x, const tsr_type *y, size_t i)
{
    return scale_of(x, i) / scale_of(y, i);
}

static double shift(const tsr_type *x, const tsr_type *y, size_t i)
{
    return zero_point_of(y, i) - zero_point_of(x, i) * ratio(x, y, i);
}

tsr_value *tsr_quant_scales_of(tsr_build *b, const tsr_type *t)
{
    return each(b, f32_of(b->ctx), t, t, own_scale, NULL);
}

tsr_value *tsr_quant_zero_points_of(tsr_build *b, const tsr_type *t, tsr_type *elem)
{
    return each(b, elem, t, t, own_zero_point, NULL);
}

tsr_value *tsr_quant_mix(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y,
                         tsr_type *type, const tsr_type *per_axis)
{
    tsr_value *in[] = {x, y};
    tsr_op *op = tsr_build_open(b, opcode, in, 2, 1, 0);
    if (per_axis && tsr_hlo_is_per_axis(per_axis)) {
        int64_t dim = tsr_hlo_quantized_dim(per_axis);
        /* The first slot of all of CHLO's broadcasting ops. */
        op->attrs[CHLO_BROADCAST_ADD_broadcast_dimensions] = tsr_attr_i64_array(b->ctx, &dim, 1);
    }
    return &tsr_build_close_as(b, op, &type)->out[0];
}

tsr_value *tsr_quant_convert(tsr_build *b, tsr_value *v, tsr_type *type)
{
    return tsr_build_op(b, TSR_OP_STABLEHLO_CONVERT, &v, 1, type);
}

/* The smallest and the largest integer that t stores. */
typedef struct {
    tsr_value *min, *max;
} range;

static range range_of(tsr_build *b, const tsr_type *t, tsr_type *elem)
{
    tsr_attr *const *params = tsr_hlo_element(t)->params;
    tsr_value *min = tsr_quant_number(b, elem, (double)params[QUANT_min]->i);
    return (range){min, tsr_quant_number(b, elem, (double)params[QUANT_max]->i)};
}

static tsr_value *clamp(tsr_build *b, tsr_value *v, range r)
{
    tsr_value *in[] = {r.min, v, r.max};
    return tsr_build_op(b, TSR_OP_STABLEHLO_CLAMP, in, 3, v->type);
}

tsr_value *tsr_quant_clamp(tsr_build *b, tsr_value *v, const tsr_type *t)
{
    return clamp(b, v, range_of(b, t, tsr_elem(v)));
}

tsr_value *tsr_quant_narrow(tsr_build *b, tsr_value *v, const tsr_type *t)
{
    tsr_attr *const *params = tsr_hlo_element(t)->params;
    bool all = tsr_quant_stored(t) == b->ctx->i32 && params[QUANT_min]->i == INT32_MIN &&
               params[QUANT_max]->i == INT32_MAX;
    return all ? v : tsr_quant_clamp(b, v, t);
}

/* Converts the integers of `from` to those of `to`, of type `type`. */
static tsr_value *requantize(tsr_build *b, tsr_value *v, const tsr_type *from, const tsr_type *to,
                             tsr_type *type)
{
    if (tsr_hlo_element(from) == tsr_hlo_element(to))
        return tsr_quant_convert(b, v, type);
    tsr_type *f32 = tsr_hlo_with_element(type, f32_of(b->ctx));
    const tsr_type *axis = tsr_hlo_is_per_axis(to) ? to : from;
    bool any;
    tsr_value *x = tsr_quant_convert(b, v, f32);
    x = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_MULTIPLY, x,
                      each(b, f32->elem, from, to, ratio, NULL), f32, axis);
    tsr_value *shifts = each(b, f32->elem, from, to, shift, &any);
    if (shifts)
        x = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_ADD, x, shifts, f32, axis);
    if (tsr_hlo_element(type)->width < 32)
        x = tsr_quant_clamp(b, x, to);
    x = tsr_build_op(b, TSR_OP_STABLEHLO_ROUND_NEAREST_EVEN, &x, 1, f32);
    return tsr_quant_convert(b, x, type);
}

/* ---- Rules ---- */

static bool is_f32(const tsr_type *t)
{
    const tsr_type *elem = tsr_hlo_element(t);
    return elem->kind == TSR_TYPE_FLOAT && elem->sub == TSR_F32;
}

static bool quantize_fits(const tsr_op *op)
{
    const tsr_type *from = tsr_hlo_in(op, 0), *to = op->out[0].type;
    if (!tsr_quant_is_plain(to) || !(is_f32(from) || tsr_quant_is_plain(from)))
        return tsr_hlo_error(op, "Unsupported input element type.");
    if (tsr_hlo_is_per_axis(from) && tsr_hlo_is_per_axis(to) &&
        tsr_hlo_quantized_dim(from) != tsr_hlo_quantized_dim(to))
        return tsr_hlo_error(op, "Cannot requantize while changing quantization_axis");
    return true;
}

static tsr_value *quantize(tsr_build *b, tsr_op *op)
{
    tsr_value *x = op->in[0].value;
    tsr_type *to = op->out[0].type;
    if (tsr_hlo_is_quantized(x->type)) {
        tsr_value *v = requantize(b, x, x->type, to, stored_type(to));
        return tsr_hlo_storage(to)->width < 32 ? v : tsr_quant_narrow(b, v, to);
    }
    tsr_type *f32 = x->type;
    tsr_value *scales = tsr_quant_scales_of(b, to),
              *zeros = tsr_quant_zero_points_of(b, to, f32->elem);
    range stored = range_of(b, to, f32->elem);
    x = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_DIVIDE, x, scales, f32, to);
    x = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_ADD, x, zeros, f32, to);
    x = clamp(b, x, stored);
    x = tsr_build_op(b, TSR_OP_STABLEHLO_ROUND_NEAREST_EVEN, &x, 1, f32);
    return tsr_quant_convert(b, x, stored_type(to));
}

static bool dequantize_fits(const tsr_op *op)
{
    return tsr_quant_is_plain(tsr_hlo_in(op, 0));
}

static tsr_value *dequantize(tsr_build *b, tsr_op *op)
{
    tsr_value *x = op->in[0].value;
    tsr_type *from = x->type, *i32 = tsr_hlo_with_element(from, b->ctx->i32);
    tsr_type *f32 = tsr_hlo_with_element(from, f32_of(b->ctx));
    tsr_value *scales = tsr_quant_scales_of(b, from),
              *zeros = tsr_quant_zero_points_of(b, from, b->ctx->i32);
    x = tsr_quant_convert(b, x, i32);
    x = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_SUBTRACT, x, zeros, i32, from);
    x = tsr_quant_convert(b, x, f32);
    return tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_MULTIPLY, x, scales, f32, from);
}

/* Per tensor: everything is converted to the result's scale. Per axis: i32 integers, all of one type. */
static bool add_fits(const tsr_op *op)
{
    const tsr_type *types[] = {tsr_hlo_in(op, 0), tsr_hlo_in(op, 1), op->out[0].type};
    bool per_tensor = true, same = true;
    for (size_t i = 0; i < 3; i++) {
        if (!tsr_quant_is_plain(types[i]))
            return false;
        per_tensor &= tsr_hlo_is_per_tensor(types[i]);
        same &= tsr_hlo_element(types[i]) == tsr_hlo_element(types[2]);
    }
    return per_tensor || (same && tsr_quant_stored(types[2]) == op->module->ctx->i32);
}

static tsr_value *add(tsr_build *b, tsr_op *op)
{
    tsr_value *in[] = {op->in[0].value, op->in[1].value};
    tsr_type *to = op->out[0].type, *i32 = tsr_hlo_with_element(to, b->ctx->i32);
    if (tsr_hlo_is_per_axis(to)) {
        tsr_value *sum = tsr_build_op(b, TSR_OP_STABLEHLO_ADD, in, 2, i32);
        if (tsr_quant_zero_points(to))
            sum = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_SUBTRACT, sum,
                                tsr_quant_zero_points_of(b, to, b->ctx->i32), i32, to);
        return tsr_quant_narrow(b, sum, to);
    }
    for (size_t i = 0; i < 2; i++)
        in[i] = requantize(b, in[i], in[i]->type, to, i32);
    tsr_value *zero = tsr_quant_number(b, b->ctx->i32, zero_point_of(to, 0));
    tsr_value *sum = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_ADD, in[0], in[1], i32, NULL);
    sum = tsr_quant_mix(b, TSR_OP_CHLO_BROADCAST_SUBTRACT, sum, zero, i32, NULL);
    sum = tsr_quant_narrow(b, sum, to);
    return tsr_quant_stored(to) == b->ctx->i32 ? sum : tsr_quant_convert(b, sum, stored_type(to));
}

typedef struct {
    enum { RULE_NONE, RULE_MOVES, RULE_HOLDS, RULE_SAME, RULE_MATH } kind;
    bool (*fits)(const tsr_op *op); /* MATH */
    tsr_value *(*make)(tsr_build *b, tsr_op *op);
} rule;

/* MOVES: moves elements of one type, whatever they express. HOLDS: passes values on. SAME: does to the integers what it
 * does to the numbers if all of them have one type. MATH: has an integer form if it fits. Ops without a row may be
 * taken apart (quantize.c). */
// clang-format off
static const rule rules[TSR_OP__COUNT] = {
    [TSR_OP_FUNC_CALL]                          = {.kind = RULE_HOLDS},
    [TSR_OP_FUNC_FUNC]                          = {.kind = RULE_HOLDS},
    [TSR_OP_FUNC_RETURN]                        = {.kind = RULE_HOLDS},
    [TSR_OP_STABLEHLO_BITCAST_CONVERT]          = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_BROADCAST_IN_DIM]         = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_COMPOSITE]                = {.kind = RULE_HOLDS},
    [TSR_OP_STABLEHLO_CONCATENATE]              = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_CONSTANT]                 = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_DYNAMIC_BROADCAST_IN_DIM] = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_DYNAMIC_RESHAPE]          = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_DYNAMIC_SLICE]            = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_GATHER]                   = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_GET_DIMENSION_SIZE]       = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_PAD]                      = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_REDUCE_WINDOW]            = {.kind = RULE_HOLDS},
    [TSR_OP_STABLEHLO_RESHAPE]                  = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_RETURN]                   = {.kind = RULE_HOLDS},
    [TSR_OP_STABLEHLO_SLICE]                    = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_TRANSPOSE]                = {.kind = RULE_MOVES},
    [TSR_OP_STABLEHLO_MAXIMUM]                  = {.kind = RULE_SAME},
    [TSR_OP_STABLEHLO_MINIMUM]                  = {.kind = RULE_SAME},
    [TSR_OP_STABLEHLO_SELECT]                   = {.kind = RULE_SAME},
    [TSR_OP_STABLEHLO_ADD]                      = {RULE_MATH, add_fits, add},
    [TSR_OP_STABLEHLO_CONVOLUTION]              = {RULE_MATH, tsr_quant_product_fits, tsr_quant_product},
    [TSR_OP_STABLEHLO_DOT]                      = {RULE_MATH, tsr_quant_product_fits, tsr_quant_product},
    [TSR_OP_STABLEHLO_DOT_GENERAL]              = {RULE_MATH, tsr_quant_product_fits, tsr_quant_product},
    [TSR_OP_STABLEHLO_UNIFORM_DEQUANTIZE]       = {RULE_MATH, dequantize_fits, dequantize},
    [TSR_OP_STABLEHLO_UNIFORM_QUANTIZE]         = {RULE_MATH, quantize_fits, quantize},
};
// clang-format on

bool tsr_quant_moves(const tsr_op *op)
{
    return op->def->opcode != TSR_UNREGISTERED && rules[op->def->opcode].kind == RULE_MOVES;
}

/* Facts about the quantized types of an op's operands and results, and of a function's signature. */
typedef struct {
    /* there are some; all have a storage type; are supported; are equal */
    bool any, stored, plain, same;
    const tsr_type *first;
} summary;

static void see(summary *s, const tsr_type *t)
{
    if (!tsr_hlo_is_quantized(t))
        return;
    const tsr_type *elem = tsr_hlo_element(t);
    s->any = true;
    s->stored &= tsr_quant_stored(t) != NULL;
    s->plain &= tsr_quant_is_plain(t);
    s->same &= !s->first || s->first == elem;
    s->first = elem;
}

static summary see_all(const tsr_op *op)
{
    summary s = {.stored = true, .plain = true, .same = true};
    for (uint32_t i = 0; i < op->nin; i++)
        see(&s, op->in[i].value->type);
    for (uint32_t i = 0; i < op->nout; i++)
        see(&s, op->out[i].type);
    int slot = tsr_op_has(op, TSR_TRAIT(FUNCTION))
                   ? tsr_opdef_slot(op->def, TSR_STR("function_type"))
                   : -1;
    const tsr_type *f = slot >= 0 && op->attrs[slot] ? op->attrs[slot]->type : NULL;
    for (uint32_t i = 0; f && i < f->n + f->nout; i++)
        see(&s, f->types[i]);
    return s;
}

/* An op may be left, expressed in integers, taken apart, or refused. */
typedef enum { WAY_LEAVE, WAY_MATH, WAY_APART, WAY_NONE } way;

static way way_of(const tsr_op *op)
{
    summary s = see_all(op);
    if (!s.any)
        return WAY_LEAVE;
    if (!s.stored || op->def->opcode == TSR_UNREGISTERED)
        return WAY_NONE;
    const rule *r = &rules[op->def->opcode];
    if (r->kind == RULE_MOVES || r->kind == RULE_HOLDS || (r->kind == RULE_SAME && s.same))
        return WAY_LEAVE;
    if (r->kind == RULE_MATH && r->fits(op))
        return WAY_MATH;
    return tsr_quant_on_values(op) && s.plain ? WAY_APART : WAY_NONE;
}

static bool check(tsr_op *root)
{
    TSR_OPS (root, op)
        if (way_of(op) == WAY_NONE)
            return tsr_error(
                op->module->ctx, op->loc,
                "failed to legalize operation '%.*s' that was explicitly marked illegal",
                TSR_STR_ARG(op->def->name));
    return true;
}

static void rewrite(tsr_op *op)
{
    tsr_build b = tsr_build_before(op);
    tsr_value *made = rules[op->def->opcode].make(&b, op);
    tsr_build_free(&b);
    made->type = op->out[0].type; /* its users query its scales */
    tsr_build_replace(op, &made);
}

bool pass_stablehlo_legalize_quant_to_math(tsr_pass *p, tsr_op *root)
{
    TSR_TRY(check(root));
    for (tsr_op *op = tsr_walk_next(root, root), *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (way_of(op) == WAY_APART)
            tsr_quant_take_apart(p, op);
    }
    for (tsr_op *op = tsr_walk_next(root, root), *next; op; op = next) {
        next = tsr_walk_next(root, op);
        if (way_of(op) == WAY_MATH) {
            rewrite(op);
            p->changed = true;
        }
    }
    p->changed |= tsr_retype(root, stored_type);
    return true;
}
