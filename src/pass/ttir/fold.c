/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - constant folding of TTIR: computes ops on constants with their kernels, and moves of constants by moving
 * their elements.
 *
 * Splats are computed on one element, whatever their shape; other constants up to a million elements. */
#include "eval/plan.h"
#include "pass/ttir/tt.h"

enum { MAX_IN = 4, LARGE = 1000000 };

/* ---- With the kernel ---- */

static bool computable(const tsr_value *v)
{
    return tsr_type_is(v->type, TSR_TYPE_TENSOR) && v->type->n <= TSR_MAX_RANK &&
           tsr_dtype_of(v->type->elem) != TSR_D_NONE &&
           (tt_is_float(v->type->elem) || tt_is_integer(v->type->elem));
}

tsr_attr *tsr_ttr_compute(tsr_rewriter *r, const tsr_op *op)
{
    eval_fn *kernel = tsr_kernel_of(op);
    if (!kernel || !op->nin || op->nin > MAX_IN || op->nregion || op->nout != 1 ||
        !computable(&op->out[0]))
        return NULL;
    tsr_attr *values[MAX_IN];
    tsr_type *type = op->out[0].type;
    int64_t n = tsr_type_num_elements(type);
    bool splat = true;
    for (uint32_t i = 0; i < op->nin; i++) {
        values[i] = computable(op->in[i].value) ? tsr_const_of(op->in[i].value) : NULL;
        if (!values[i])
            return NULL;
        splat &= values[i]->sub;
    }
    if (n <= 0 || (!splat && n > LARGE))
        return NULL;
    /* The op as the kernel sees it: only types differ from the op's own. */
    tsr_op shown = *op;
    tsr_value out_value = op->out[0], in_values[MAX_IN];
    tsr_use uses[MAX_IN];
    tsr_tensor *in[MAX_IN] = {0};
    bool ok = true;
    if (splat)
        out_value.type = tsr_type_tensor(r->ctx, NULL, 0, type->elem, NULL);
    for (uint32_t i = 0; i < op->nin; i++) {
        in_values[i] = *op->in[i].value;
        if (splat)
            in_values[i].type = tsr_type_tensor(r->ctx, NULL, 0, in_values[i].type->elem, NULL);
        uses[i] = op->in[i];
        uses[i].value = &in_values[i];
        ok = ok && (in[i] = tsr_tensor_of_attr(values[i], in_values[i].type)) != NULL;
    }
    shown.out = &out_value;
    shown.in = uses;
    tsr_attr *value = ok ? tsr_const_of_kernel(r, kernel, &shown, in, type, splat) : NULL;
    tsr_tensors_drop(in, op->nin);
    return value;
}

static bool becomes(tsr_rewriter *r, tsr_op *op, tsr_attr *value)
{
    if (!value || value->type != op->out[0].type)
        return false;
    tsr_rw_replace_one(r, op, tsr_ttr_constant(r, op, value, true));
    return true;
}

/* f(c) -> constant */
bool rule_tt_fold_unary(tsr_rewriter *r, tsr_op *op)
{
    return tsr_rw_in(op, 0)->type == op->out[0].type && becomes(r, op, tsr_ttr_compute(r, op));
}

static bool any_zero(const tsr_attr *a)
{
    size_t size = tsr_type_storage_bits(a->type->elem) / 8;
    bool is_float = tt_is_float(a->type->elem);
    if (!size || size > 8)
        return true;
    for (size_t i = 0; i + size <= a->s.len; i += size) {
        uint64_t bits = 0;
        for (size_t b = 0; b < size; b++)
            bits |= (uint64_t)(uint8_t)a->s.data[i + b] << 8 * b;
        if (is_float ? tsr_float_to_double((tsr_float_kind)a->type->elem->sub, bits) == 0
                     : bits == 0)
            return true;
    }
    return false;
}

/* 1 / c, 1 / sqrt(c) -> constant, unless some number is 0 */
bool rule_tt_fold_reciprocal(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *a = tsr_const_of(tsr_rw_in(op, 0));
    return a && !any_zero(a) && rule_tt_fold_unary(r, op);
}

/* f(c, d) -> constant, if all have the same element type */
bool rule_tt_fold_binary(tsr_rewriter *r, tsr_op *op)
{
    const tsr_type *a = tsr_rw_in(op, 0)->type, *b = tsr_rw_in(op, 1)->type;
    if (!tsr_type_is(a, TSR_TYPE_TENSOR) || !tsr_type_is(b, TSR_TYPE_TENSOR) ||
        a->elem != b->elem || a->elem != op->out[0].type->elem)
        return false;
    /* A splat and another constant: only if the result has no more elements than that one. */
    const tsr_attr *c = tsr_const_of(tsr_rw_in(op, 0)), *d = tsr_const_of(tsr_rw_in(op, 1));
    if (!c || !d || (c->sub && !d->sub && b != op->out[0].type) ||
        (!c->sub && d->sub && a != op->out[0].type))
        return false;
    return becomes(r, op, tsr_ttr_compute(r, op));
}

/* c / d, c mod d -> constant, unless some number of d is 0 */
bool rule_tt_fold_quotient(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *by = tsr_const_of(tsr_rw_in(op, 1));
    return by && !any_zero(by) && rule_tt_fold_binary(r, op);
}

/* c == d, c != d -> constant, of splats whatever the result's elements are */
bool rule_tt_fold_compare(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *a = tsr_const_of(tsr_rw_in(op, 0)), *b = tsr_const_of(tsr_rw_in(op, 1));
    if (a && b && a->sub && b->sub && a->type->elem == b->type->elem)
        return becomes(r, op, tsr_ttr_compute(r, op));
    return rule_tt_fold_binary(r, op);
}

/* Shifts of constants, except by negative numbers. Shifts to the right by the full width give 0, whatever is
 * shifted. */
bool rule_tt_fold_shift(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *by = tsr_const_of(tsr_rw_in(op, 1));
    const tsr_type *elem = tsr_rw_in(op, 0)->type->elem;
    if (!by || !tt_is_integer(by->type->elem) || !elem || !tt_is_integer(elem))
        return false;
    size_t size = tsr_type_storage_bits(by->type->elem) / 8;
    uint32_t width = by->type->elem->width;
    if (!size || size > 8)
        return false;
    bool all = true;
    for (size_t i = 0; i + size <= by->s.len; i += size) {
        uint64_t bits = 0;
        for (size_t b = 0; b < size; b++)
            bits |= (uint64_t)(uint8_t)by->s.data[i + b] << 8 * b;
        if (by->type->elem->sub == TSR_SIGNED && width <= 64 && bits >> (width - 1) & 1)
            return false;
        all &= bits >= elem->width;
    }
    if (all && tsr_op_is(op, TSR_OP_TTIR_LOGICAL_RIGHT_SHIFT) && by->s.len)
        return becomes(r, op, tsr_const_number(r, op->out[0].type, 0));
    return rule_tt_fold_binary(r, op);
}

/* ---- Casts ---- */

typedef struct {
    bool is_float;
    double number;
    uint64_t bits; /* of integers, extended to 64 bits according to their signedness */
} element;

static element element_at(const tsr_attr *a, size_t i)
{
    const tsr_type *elem = a->type->elem;
    size_t size = tsr_type_storage_bits(elem) / 8;
    element e = {.is_float = tt_is_float(elem)};
    for (size_t b = 0; b < size; b++)
        e.bits |= (uint64_t)(uint8_t)a->s.data[i * size + b] << 8 * b;
    if (e.is_float) {
        e.number = tsr_float_to_double((tsr_float_kind)elem->sub, e.bits);
    } else if (elem->width < 64) {
        uint32_t unused = 64 - elem->width;
        e.bits = elem->sub == TSR_UNSIGNED ? e.bits << unused >> unused
                                           : (uint64_t)((int64_t)(e.bits << unused) >> unused);
    }
    return e;
}

/* Whether a number has a well-defined value in this element type, up to rounding: overflow is not well defined. */
static bool casts(element e, const tsr_type *from, const tsr_type *to)
{
    if (e.is_float && tt_is_float(to)) {
        double back = tsr_float_to_double((tsr_float_kind)to->sub,
                                          tsr_float_from_double((tsr_float_kind)to->sub, e.number));
        return e.number == e.number && (back - back == 0 || e.number - e.number != 0) &&
               !(back == 0 && e.number != 0);
    }
    if (e.is_float) {
        double high = to->sub == TSR_UNSIGNED ? 18446744073709551616.0 : 9223372036854775808.0;
        if (to->width < 64)
            high = (double)((uint64_t)1
                            << (to->sub == TSR_UNSIGNED || to->width == 1 ? to->width
                                                                          : to->width - 1));
        double low = to->sub == TSR_UNSIGNED || to->width == 1 ? -1 : -high - 1;
        return e.number > low && e.number < high;
    }
    if (tt_is_float(to))
        return true;
    bool negative = from->sub != TSR_UNSIGNED && (int64_t)e.bits < 0;
    uint32_t room = to->width == 1 || to->sub == TSR_UNSIGNED ? to->width : to->width - 1;
    if (to->sub == TSR_SIGNED && from->sub == TSR_SIGNED && negative)
        return room >= 63 || (int64_t)e.bits >= -((int64_t)1 << room);
    return !negative && (room >= 64 || e.bits >> room == 0);
}

/* typecast(c) -> constant, if every number is representable in the other type */
bool rule_tt_fold_typecast(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *a = tsr_const_of(tsr_rw_in(op, 0));
    const tsr_type *to = op->out[0].type;
    if (!a || !computable(tsr_rw_in(op, 0)) || !computable(&op->out[0]) ||
        (!a->sub && tsr_type_num_elements(to) > LARGE))
        return false;
    size_t size = tsr_type_storage_bits(a->type->elem) / 8;
    if (!size || size > 8)
        return false;
    for (size_t i = 0; i < a->s.len / size; i++)
        if (!casts(element_at(a, i), a->type->elem, to->elem))
            return false;
    return becomes(r, op, tsr_ttr_compute(r, op));
}

/* ---- Moves ---- */

tsr_attr *tsr_ttr_move_constant(tsr_rewriter *r, const tsr_value *v, tsr_type *to,
                                tsr_ttr_place_fn *place, const void *how)
{
    tsr_attr *a = tsr_const_of(v);
    int64_t n = tsr_type_num_elements(to), coord[TSR_TTIR_RANK] = {0};
    if (!a || n < 0 || to->n >= TSR_TTIR_RANK || a->type->elem != to->elem)
        return NULL;
    if (a->sub)
        return tsr_const_resized(r, a, to);
    size_t size = tsr_type_storage_bits(to->elem) / 8;
    if (!size || n > LARGE)
        return NULL;
    char *data = tsr_arena_alloc(r->p->scratch, n ? (size_t)n * size : 1);
    for (int64_t k = 0; k < n; k++) {
        int64_t from = 0;
        for (size_t i = 0; i < to->n; i++)
            from += place(how, i, coord[i]);
        if (from < 0 || (size_t)(from + 1) * size > a->s.len)
            return NULL;
        memcpy(data + (size_t)k * size, a->s.data + (size_t)from * size, size);
        for (size_t i = to->n; i-- > 0;) {
            if (++coord[i] < to->dims[i])
                break;
            coord[i] = 0;
        }
    }
    return tsr_attr_dense(r->ctx, r->module, to, data, (size_t)n * size, false);
}

/* Along dimension i: start[i] + (k / over[i] % round[i]) * stride[i]. */
typedef struct {
    int64_t start[TSR_TTIR_RANK], over[TSR_TTIR_RANK], round[TSR_TTIR_RANK], stride[TSR_TTIR_RANK];
} steps;

static int64_t place_steps(const void *how, size_t i, int64_t k)
{
    const steps *s = how;
    return s->start[i] + k / s->over[i] % s->round[i] * s->stride[i];
}

static bool steps_of(const tsr_value *v, steps *s)
{
    int64_t stride = 1;
    if (!tsr_ttr_tensor(v))
        return false;
    for (size_t i = v->type->n; i-- > 0;) {
        s->start[i] = 0;
        s->over[i] = 1;
        s->round[i] = v->type->dims[i] > 0 ? v->type->dims[i] : 1;
        s->stride[i] = stride;
        stride *= s->round[i];
    }
    return true;
}

static bool move(tsr_rewriter *r, tsr_op *op, const steps *s)
{
    return becomes(r, op,
                   tsr_ttr_move_constant(r, tsr_rw_in(op, 0), op->out[0].type, place_steps, s));
}

/* reshape(c) -> constant */
bool rule_tt_fold_reshape(tsr_rewriter *r, tsr_op *op)
{
    tsr_attr *a = tsr_const_of(tsr_rw_in(op, 0));
    tsr_type *type = op->out[0].type;
    return a && tsr_ttr_tensor(&op->out[0]) && a->type->elem == type->elem &&
           becomes(r, op, tsr_attr_dense(r->ctx, r->module, type, a->s.data, a->s.len, a->sub));
}

/* permute(c) -> constant */
bool rule_tt_fold_permute(tsr_rewriter *r, tsr_op *op)
{
    steps from, s;
    int64_t perm[TSR_TTIR_RANK];
    if (!steps_of(tsr_rw_in(op, 0), &from) || tsr_dict_get(op->extra, TSR_STR("decomposed")))
        return false;
    s = from;
    for (size_t i = 0, n = tsr_ttr_permutation(op, perm); i < n; i++) {
        s.round[i] = from.round[perm[i]];
        s.stride[i] = from.stride[perm[i]];
    }
    return move(r, op, &s);
}

/* slice_static(c) -> constant */
bool rule_tt_fold_slice(tsr_rewriter *r, tsr_op *op)
{
    steps s;
    tsr_value *v = tsr_rw_in(op, 0);
    if (!steps_of(v, &s))
        return false;
    for (size_t i = 0; i < v->type->n; i++) {
        tsr_ttr_range taken = tsr_ttr_slice_range(op, i);
        s.start[i] = taken.begin * s.stride[i];
        s.stride[i] *= taken.step;
    }
    return move(r, op, &s);
}

/* repeat(c) -> constant */
bool rule_tt_fold_repeat(tsr_rewriter *r, tsr_op *op)
{
    steps s;
    return steps_of(tsr_rw_in(op, 0), &s) && tsr_rw_in(op, 0)->type->n == op->out[0].type->n &&
           move(r, op, &s);
}

/* repeat_interleave(c) -> constant */
bool rule_tt_fold_repeat_interleave(tsr_rewriter *r, tsr_op *op)
{
    steps s;
    size_t dim;
    int64_t times = op->attrs[TTIR_REPEAT_INTERLEAVE_repeats]->i;
    if (!steps_of(tsr_rw_in(op, 0), &s) || times < 1 ||
        !tt_dim(op->attrs[TTIR_REPEAT_INTERLEAVE_dim]->i, tsr_rw_in(op, 0)->type->n, &dim))
        return false;
    s.over[dim] = times;
    return move(r, op, &s);
}

/* broadcast(splat) -> splat */
bool rule_tt_fold_broadcast(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *a = tsr_const_splat(tsr_rw_in(op, 0));
    return a && tsr_ttr_tensor(&op->out[0]) && a->type->elem == op->out[0].type->elem &&
           becomes(r, op, tsr_const_resized(r, a, op->out[0].type));
}

/* reshape and broadcast of a splat constant, through others -> constant. A reshape stays if it has users other than
 * binary elementwise ops and broadcasts. */
bool rule_tt_fold_chain(tsr_rewriter *r, tsr_op *op)
{
    const tsr_value *v = tsr_rw_in(op, 0);
    for (tsr_use *u = op->out[0].uses; u && tsr_op_is(op, TSR_OP_TTIR_RESHAPE); u = u->next)
        if (!tsr_op_is(u->user, TSR_OP_TTIR_BROADCAST) &&
            !(tsr_op_has(u->user, TSR_TRAIT(TT_BROADCAST)) && u->user->nin == 2))
            return false;
    while (tsr_ttr_def(v, TSR_OP_TTIR_RESHAPE) || tsr_ttr_def(v, TSR_OP_TTIR_BROADCAST))
        v = tsr_rw_in(v->op, 0);
    const tsr_attr *a = tsr_ttr_def(v, TSR_OP_TTIR_CONSTANT) ? tsr_const_splat(v) : NULL;
    if (!a || !op->out[0].uses || !tsr_ttr_tensor(&op->out[0]) ||
        a->type->elem != op->out[0].type->elem)
        return false;
    tsr_op *constant = tsr_ttr_op(r, op, TSR_OP_TTIR_CONSTANT, NULL, 0, op->out[0].type);
    constant->attrs[TTIR_CONSTANT_value] = tsr_const_resized(r, a, op->out[0].type);
    tsr_rw_replace_one(r, op, &constant->out[0]);
    return true;
}

/* sum(splat) -> splat, if one product equals the sum: for integers, and for floats that are exact */
bool rule_tt_fold_sum(tsr_rewriter *r, tsr_op *op)
{
    const tsr_attr *a = tsr_const_splat(tsr_rw_in(op, 0));
    tsr_type *type = op->out[0].type;
    double number;
    int64_t n = tsr_type_num_elements(tsr_rw_in(op, 0)->type), out = tsr_type_num_elements(type);
    if (!a || out <= 0 || n < 0 || a->type->elem != type->elem ||
        tsr_type_is_integer(type->elem, 1) || !tsr_ttr_number(tsr_rw_in(op, 0), &number))
        return false;
    uint8_t bytes[8];
    uint64_t bits;
    if (tt_is_float(type->elem)) {
        double count = tsr_float_to_double(
            (tsr_float_kind)type->elem->sub,
            tsr_float_from_double((tsr_float_kind)type->elem->sub, (double)(n / out)));
        bits = tsr_float_from_double((tsr_float_kind)type->elem->sub, number * count);
    } else {
        bits = element_at(a, 0).bits * (uint64_t)(n / out);
        if (type->elem->width < 64)
            bits &= ((uint64_t)1 << type->elem->width) - 1;
    }
    size_t size = tsr_type_storage_bits(type->elem) / 8;
    if (!size || size > 8)
        return false;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
    return becomes(r, op, tsr_attr_dense(r->ctx, r->module, type, bytes, size, true));
}
