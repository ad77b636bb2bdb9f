/* SPDX-License-Identifier: Apache-2.0 */
/* picker.c - recognises reduction bodies on pairs that select one of two (argmax and argmin), and bodies on booleans
 * that are and, or, or xor, whatever ops they consist of.
 *
 * The result of a body of comparisons, selections, and, or, not, maxima and minima of its arguments depends only on
 * their order. So it is run for every order that two pairs can have, and for all booleans. */
#include <math.h>

#include "dialect/classes.h"
#include "dialect/reducer.h"
#include "dialect/stablehlo/ops.h"

enum { MOST = 32, MOST_ARGS = 4 }; /* ops of a body, and its arguments */

typedef struct {
    const tsr_value *values[MOST + MOST_ARGS];
    double numbers[MOST + MOST_ARGS];
    size_t n;
} frame;

/* A constant that is a single boolean. */
static bool constant(const tsr_op *op, double *out)
{
    const tsr_attr *a = op->def->nslot ? op->attrs[0] : NULL;
    if (!tsr_value_is_constant(&op->out[0]) || !tsr_attr_is(a, TSR_ATTR_DENSE) || !a->sub ||
        !a->s.len || !tsr_type_is_integer(op->out[0].type->elem, 1))
        return false;
    *out = a->s.data[0] != 0;
    return true;
}

/* Constants may be outside, before the op that has the body. */
static bool find(const frame *f, const tsr_value *v, double *out)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->values[i] == v) {
            *out = f->numbers[i];
            return true;
        }
    return !v->is_arg && constant(v->op, out);
}

static bool compare(const tsr_op *op, const double *x, double *out)
{
    const tsr_attr *how = tsr_attr_of(op, STABLEHLO_COMPARE_comparison_direction);
    const tsr_attr *type = tsr_attr_of(op, STABLEHLO_COMPARE_compare_type);
    enum { TOTAL_ORDER = 2 };
    const bool results[] = {x[0] == x[1], x[0] != x[1], x[0] >= x[1],
                            x[0] > x[1],  x[0] <= x[1], x[0] < x[1]};
    if (!how || (type && type->i == TOTAL_ORDER) || how->i < 0 ||
        (size_t)how->i >= TSR_COUNT(results))
        return false;
    *out = results[how->i];
    return true;
}

/* One op of a body on numbers; false: its result depends on more than their order. */
static bool apply(const tsr_op *op, const double *x, double *out)
{
    bool nan = op->nin == 2 && (x[0] != x[0] || x[1] != x[1]), truth = false;
    if (op->nout != 1 || !tsr_type_is(op->out[0].type, TSR_TYPE_TENSOR))
        return false;
    if (!op->nin)
        return constant(op, out);
    truth = tsr_type_is_integer(op->out[0].type->elem, 1);
    if (tsr_op_is(op, TSR_OP_STABLEHLO_COMPARE))
        return compare(op, x, out);
    if (tsr_op_is(op, TSR_OP_STABLEHLO_SELECT)) {
        *out = x[0] != 0 ? x[1] : x[2];
        return true;
    }
    if (tsr_op_is(op, TSR_OP_STABLEHLO_NOT)) {
        *out = x[0] == 0;
        return truth;
    }
    if (tsr_op_is(op, TSR_OP_STABLEHLO_CONVERT)) {
        *out = x[0];
        return op->in[0].value->type == op->out[0].type;
    }
    tsr_reduce_kind kind = tsr_reduce_kind_of(op->def->opcode);
    switch (truth ? tsr_reduce_of_truths(kind) : kind) {
    case TSR_REDUCE_MAX: *out = nan ? NAN : x[0] > x[1] ? x[0] : x[1]; return true;
    case TSR_REDUCE_MIN: *out = nan ? NAN : x[0] < x[1] ? x[0] : x[1]; return true;
    case TSR_REDUCE_AND: *out = x[0] != 0 && x[1] != 0; return truth;
    case TSR_REDUCE_OR: *out = x[0] != 0 || x[1] != 0; return truth;
    case TSR_REDUCE_XOR: *out = (x[0] != 0) != (x[1] != 0); return truth;
    default: return false;
    }
}

/* Runs the body on its arguments, at most MOST_ARGS of them. */
static bool run(const tsr_block *body, const double *args, uint32_t nout, double *out)
{
    frame f = {.n = body->nargs};
    for (uint32_t i = 0; i < body->nargs; i++) {
        f.values[i] = body->args[i];
        f.numbers[i] = args[i];
    }
    TSR_BLOCK_OPS (body, op) {
        double x[3];
        if (op->nin > 3 || op->nregion)
            return false;
        for (uint32_t i = 0; i < op->nin; i++)
            if (!find(&f, op->in[i].value, &x[i]))
                return false;
        if (op == body->last) {
            memcpy(out, x, nout * sizeof *out);
            return op->nin == nout;
        }
        if (f.n == MOST + MOST_ARGS || !apply(op, x, &f.numbers[f.n]))
            return false;
        f.values[f.n++] = &op->out[0];
    }
    return false;
}

/* Whether out is the greater pair of x, or the lesser; NaN comes first, and of equal ones the first, or that with the
 * lesser index. */
static bool is_picked(const double *x, const double *out, bool greater)
{
    bool nans[2] = {x[0] != x[0], x[2] != x[2]};
    int which = nans[0] != nans[1] ? nans[1] : greater ? x[2] > x[0] : x[2] < x[0];
    bool equal = (nans[0] && nans[1]) || x[0] == x[2];
    bool value = x[2 * which] != x[2 * which] ? out[0] != out[0] : out[0] == x[2 * which];
    if (equal)
        return value && (out[1] == x[1] || out[1] == fmin(x[1], x[3]));
    return value && out[1] == x[2 * which + 1];
}

tsr_reduce_kind tsr_reducer_pick(const tsr_region *region)
{
    const tsr_block *body = region->first;
    if (!body || body->next || body->nargs != 4 || !body->last)
        return TSR_REDUCE_OTHER;
    bool floats = body->args[0]->type->kind == TSR_TYPE_TENSOR &&
                  body->args[0]->type->elem->kind == TSR_TYPE_FLOAT;
    bool most = true, least = true;
    const double numbers[] = {1, 2, NAN};
    for (int k = 0; k < 36; k++) {
        double x[4] = {numbers[k % 3], k / 9 % 2 + 1, numbers[k / 3 % 3], k / 18 + 1}, out[2];
        if (!floats && (x[0] != x[0] || x[2] != x[2]))
            continue;
        if (!run(body, x, 2, out))
            return TSR_REDUCE_OTHER;
        most &= is_picked(x, out, true);
        least &= is_picked(x, out, false);
    }
    return most ? TSR_REDUCE_MAX : least ? TSR_REDUCE_MIN : TSR_REDUCE_OTHER;
}

tsr_reduce_kind tsr_reducer_truths(const tsr_region *region)
{
    const tsr_block *body = region->first;
    if (!body || body->next || body->nargs != 2 || !body->last)
        return TSR_REDUCE_OTHER;
    unsigned table = 0;
    for (uint32_t i = 0; i < 2; i++)
        if (!tsr_type_is(body->args[i]->type, TSR_TYPE_TENSOR) ||
            !tsr_type_is_integer(body->args[i]->type->elem, 1))
            return TSR_REDUCE_OTHER;
    for (unsigned k = 0; k < 4; k++) {
        double x[2] = {k & 1, k >> 1}, out;
        if (!run(body, x, 1, &out))
            return TSR_REDUCE_OTHER;
        table |= (unsigned)(out != 0) << k;
    }
    return table == 8    ? TSR_REDUCE_AND
           : table == 14 ? TSR_REDUCE_OR
           : table == 6  ? TSR_REDUCE_XOR
                         : TSR_REDUCE_OTHER;
}
