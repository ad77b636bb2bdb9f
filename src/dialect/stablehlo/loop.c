/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c - static analysis of a while op.
 *
 * A counted loop compares a carried integer with a limit and adds a step to it; start, step and limit are constants, or
 * carried values that never change. Other conditions combined with the comparison by `and` may end it earlier. */
#include "dialect/stablehlo/loop.h"

#include "dialect/opcode.h"
#include "dialect/stablehlo/cases.h"
#include "dialect/stablehlo/types.h"

bool tsr_loop_keeps(const tsr_op *op, uint32_t k)
{
    const tsr_block *body = op->regions[1].first;
    return body->last->in[k].value == body->args[k];
}

/* The number that v is: a constant of any dialect (Shardy's is none for folding). */
static bool constant(const tsr_value *v, int64_t *out)
{
    const tsr_attr *a = !v->is_arg && !v->op->nin ? tsr_op_attr(v->op, TSR_STR("value")) : NULL;
    if (!tsr_hlo_is_ranked(v->type) || v->type->n || !tsr_attr_is(a, TSR_ATTR_DENSE) ||
        tsr_attr_count(a) != 1)
        return false;
    const tsr_type *elem = a->type->elem;
    if (elem->kind != TSR_TYPE_INTEGER || elem->width == 0 || elem->width > 64)
        return false;
    uint32_t unused = 64 - elem->width;
    *out = (int64_t)((uint64_t)tsr_attr_int_at(a, 0) << unused) >> unused;
    return true;
}

/* The constant value of v at the start of each iteration. */
static bool known(const tsr_op *op, const tsr_value *v, int64_t *out)
{
    if (v->is_arg && v->block->region->op == op) {
        if (!tsr_loop_keeps(op, v->index))
            return false;
        v = op->in[v->index].value;
    }
    return constant(v, out);
}

/* The amount that the body adds to carried value k. */
static bool step_of(const tsr_op *op, uint32_t k, int64_t *step)
{
    const tsr_block *body = op->regions[1].first;
    const tsr_value *v = body->last->in[k].value, *arg = body->args[k];
    if (v->is_arg || v->op->nin != 2)
        return false;
    bool minus = tsr_op_is(v->op, TSR_OP_STABLEHLO_SUBTRACT);
    if (!minus && !tsr_op_is(v->op, TSR_OP_STABLEHLO_ADD))
        return false;
    const tsr_value *a = v->op->in[0].value, *b = v->op->in[1].value;
    if (a == arg ? !known(op, b, step) : minus || b != arg || !known(op, a, step))
        return false;
    if (minus)
        *step = -*step;
    return *step != 0;
}

/* Iterations while `x <direction> limit` holds. */
static int64_t count(int64_t x, int64_t limit, int64_t step, int64_t direction)
{
    const int64_t far = (int64_t)1 << 40;
    if (x < -far || x > far || limit < -far || limit > far || step < -far || step > far)
        return -1;
    int64_t distance = step > 0 ? limit - x : x - limit, by = step > 0 ? step : -step;
    bool up = direction == TSR_COMPARE_LT || direction == TSR_COMPARE_LE,
         inclusive = direction == TSR_COMPARE_LE || direction == TSR_COMPARE_GE;
    if (direction == TSR_COMPARE_NE)
        return distance >= 0 && distance % by == 0 ? distance / by : -1;
    if (direction == TSR_COMPARE_EQ || up != (step > 0))
        return -1;
    if (inclusive)
        distance++;
    return distance <= 0 ? 0 : (distance + by - 1) / by;
}

static int64_t compared_bound(const tsr_op *op, const tsr_op *compare)
{
    int64_t direction = tsr_attr_of(compare, STABLEHLO_COMPARE_comparison_direction)->i;
    const tsr_block *cond = op->regions[0].first;
    for (uint32_t side = 0; side < 2; side++) {
        const tsr_value *v = compare->in[side].value;
        int64_t start = 0, step, limit;
        if (!v->is_arg || v->block != cond || !tsr_hlo_is_ranked(v->type) ||
            v->type->elem->kind != TSR_TYPE_INTEGER)
            continue;
        if (constant(op->in[v->index].value, &start) && step_of(op, v->index, &step) &&
            known(op, compare->in[1 - side].value, &limit))
            return count(start, limit, step,
                         side ? (int64_t)tsr_compare_mirrored((tsr_compare)direction) : direction);
    }
    return -1;
}

int64_t tsr_loop_bound(const tsr_op *op, bool *exact)
{
    const tsr_block *cond = op->regions[0].first;
    const tsr_value *parts[16] = {cond->last->in[0].value};
    size_t n = 1;
    int64_t best = -1;
    *exact = !parts[0]->is_arg && tsr_op_is(parts[0]->op, TSR_OP_STABLEHLO_COMPARE);
    while (n > 0) {
        const tsr_value *v = parts[--n];
        if (v->is_arg)
            continue;
        if (tsr_op_is(v->op, TSR_OP_STABLEHLO_AND) && n + 2 <= TSR_COUNT(parts)) {
            parts[n++] = v->op->in[0].value;
            parts[n++] = v->op->in[1].value;
        } else if (tsr_op_is(v->op, TSR_OP_STABLEHLO_COMPARE)) {
            int64_t bound = compared_bound(op, v->op);
            if (bound >= 0 && (best < 0 || bound < best))
                best = bound;
        }
    }
    return best;
}

int64_t tsr_loop_turns(const tsr_op *op)
{
    bool exact;
    if (!tsr_op_is(op, TSR_OP_STABLEHLO_WHILE) || !op->regions[0].first || !op->regions[1].first)
        return -1;
    int64_t turns = tsr_loop_bound(op, &exact);
    if (turns >= 0 && exact)
        return turns;
    const tsr_attr *told =
        op->extra ? tsr_dict_get(op->extra, TSR_STR("hlo.known_trip_count")) : NULL;
    return tsr_attr_is(told, TSR_ATTR_INT) && told->i >= 0 ? told->i : -1; /* by XLA, in its dump */
}

/* ---- Slices ---- */

enum { COUNTS_DEPTH = 8 };

/* Whether v, a value of the body, counts with the turns: first + step * turn, in the arithmetic of its type, which wraps
 * around. */
static bool counts(const tsr_op *op, const tsr_value *v, int depth, int64_t *first, int64_t *step)
{
    const int64_t far = (int64_t)1 << 40;
    *step = 0;
    if (known(op, v, first))
        return *first >= -far && *first <= far;
    if (v->is_arg && v->block == op->regions[1].first)
        return constant(op->in[v->index].value, first) && step_of(op, v->index, step) &&
               *first >= -far && *first <= far && *step >= -far && *step <= far;
    if (v->is_arg || !depth)
        return false;
    bool minus = tsr_op_is(v->op, TSR_OP_STABLEHLO_SUBTRACT);
    int64_t more, by;
    if ((!minus && !tsr_op_is(v->op, TSR_OP_STABLEHLO_ADD)) ||
        !counts(op, v->op->in[0].value, depth - 1, first, step) ||
        !counts(op, v->op->in[1].value, depth - 1, &more, &by))
        return false;
    *first += minus ? -more : more;
    *step += minus ? -by : by;
    return true;
}

/* Whether slices take other elements in each turn because of dimension d: they begin a slice apart or more, and none is moved
 * because it would end outside. */
static bool takes_apart_along(const tsr_op *op, int64_t turns, const tsr_op *slice, uint32_t d)
{
    const tsr_value *at = slice->in[1 + d].value;
    int64_t first, step, box = slice->out[0].type->dims[d],
                         most = slice->in[0].value->type->dims[d] - box;
    if (!counts(op, at, COUNTS_DEPTH, &first, &step) || !step || most < 0 ||
        most >> (at->type->elem->width - 1))
        return false;
    int64_t apart = step < 0 ? -step : step;
    if (apart < box || turns - 1 > most / apart)
        return false;
    int64_t last = first + step * (turns - 1);
    return first >= 0 && first <= most && last >= 0 && last <= most;
}

bool tsr_loop_takes_apart(const tsr_op *op, const tsr_op *slice)
{
    bool exact;
    int64_t turns = tsr_loop_bound(op, &exact);
    for (uint32_t d = 0; turns > 0 && d < slice->out[0].type->n; d++)
        if (takes_apart_along(op, turns, slice, d))
            return true;
    return false;
}
