/* picker.c - bodies of reductions of pairs that pick one of two: argmax and argmin, whatever ops say it.
 *
 * A body of comparisons, selections, and, or, not, maxima and minima of its arguments depends on how they are ordered, and on
 * nothing else. So it is run for every order that two pairs can have. */
#include <math.h>

#include "dialect/classes.h"
#include "dialect/reducer.h"
#include "dialect/stablehlo/ops.h"

enum { MOST = 32 }; /* ops of a body */

typedef struct {
    const tsr_value *values[MOST + 4];
    double numbers[MOST + 4];
    size_t n;
} frame;

static bool find(const frame *f, const tsr_value *v, double *out)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->values[i] == v) {
            *out = f->numbers[i];
            return true;
        }
    return false;
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

/* One op of a body on numbers; false: it does more than to look at their order. */
static bool apply(const tsr_op *op, const double *x, double *out)
{
    bool nan = op->nin == 2 && (x[0] != x[0] || x[1] != x[1]), truth = false;
    if (op->nout != 1)
        return false;
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
    switch (tsr_reduce_kind_of(op->def->opcode)) {
    case TSR_REDUCE_MAX: *out = nan ? NAN : x[0] > x[1] ? x[0] : x[1]; return true;
    case TSR_REDUCE_MIN: *out = nan ? NAN : x[0] < x[1] ? x[0] : x[1]; return true;
    case TSR_REDUCE_AND: *out = x[0] != 0 && x[1] != 0; return truth;
    case TSR_REDUCE_OR: *out = x[0] != 0 || x[1] != 0; return truth;
    default: return false;
    }
}

/* What the body makes of four arguments. */
static bool run(const tsr_block *body, const double *args, double *out)
{
    frame f = {.n = 4};
    for (size_t i = 0; i < 4; i++) {
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
            memcpy(out, x, 2 * sizeof *out);
            return op->nin == 2;
        }
        if (f.n == MOST + 4 || !op->nin || !apply(op, x, &f.numbers[f.n]))
            return false;
        f.values[f.n++] = &op->out[0];
    }
    return false;
}

/* Whether out is the greater pair of x, or the lesser; NaN comes before all, and of equal ones the first, or that with the
 * lesser place. */
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
        if (!run(body, x, out))
            return TSR_REDUCE_OTHER;
        most &= is_picked(x, out, true);
        least &= is_picked(x, out, false);
    }
    return most ? TSR_REDUCE_MAX : least ? TSR_REDUCE_MIN : TSR_REDUCE_OTHER;
}
