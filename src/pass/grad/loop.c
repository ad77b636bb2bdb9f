/* loop.c - static analysis of a while op.
 *
 * A counted loop compares a carried integer with a limit and adds a step to it; start, step and limit are constants, or
 * carried values that never change. Other conditions combined with the comparison by `and` may end it earlier. */
#include "dialect/stablehlo/cases.h"
#include "pass/grad/loop.h"

bool tsr_loop_keeps(const tsr_op *op, uint32_t k)
{
    const tsr_block *body = op->regions[1].first;
    return tsr_grad_in(body->last, k) == body->args[k];
}

/* The constant value of v at the start of each iteration. */
static bool known(const tsr_op *op, const tsr_value *v, int64_t *out)
{
    if (v->is_arg && v->block->region->op == op) {
        if (!tsr_loop_keeps(op, v->index))
            return false;
        v = tsr_grad_in(op, v->index);
    }
    tsr_i64_vec values = {0};
    bool ok = tsr_hlo_is_ranked(v->type) && !v->type->n && tsr_hlo_const_ints(v, &values) &&
              values.n == 1;
    if (ok)
        *out = values.data[0];
    tsr_vec_free(&values);
    return ok;
}

/* The amount that the body adds to carried value k. */
static bool step_of(const tsr_op *op, uint32_t k, int64_t *step)
{
    const tsr_block *body = op->regions[1].first;
    const tsr_value *v = tsr_grad_in(body->last, k), *arg = body->args[k];
    if (v->is_arg || v->op->nin != 2)
        return false;
    bool minus = tsr_op_is(v->op, TSR_OP_STABLEHLO_SUBTRACT);
    if (!minus && !tsr_op_is(v->op, TSR_OP_STABLEHLO_ADD))
        return false;
    const tsr_value *a = tsr_grad_in(v->op, 0), *b = tsr_grad_in(v->op, 1);
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
        const tsr_value *v = tsr_grad_in(compare, side);
        int64_t start, step, limit;
        if (!v->is_arg || v->block != cond || !tsr_hlo_is_ranked(v->type) ||
            v->type->elem->kind != TSR_TYPE_INTEGER)
            continue;
        tsr_i64_vec first = {0};
        bool ok = tsr_hlo_const_ints(tsr_grad_in(op, v->index), &first) && first.n == 1;
        start = ok ? first.data[0] : 0;
        tsr_vec_free(&first);
        if (ok && step_of(op, v->index, &step) && known(op, tsr_grad_in(compare, 1 - side), &limit))
            return count(start, limit, step,
                         side ? (int64_t)tsr_compare_mirrored((tsr_compare)direction) : direction);
    }
    return -1;
}

int64_t tsr_loop_bound(const tsr_op *op, bool *exact)
{
    const tsr_block *cond = op->regions[0].first;
    const tsr_value *parts[16] = {tsr_grad_in(cond->last, 0)};
    size_t n = 1;
    int64_t best = -1;
    *exact = !parts[0]->is_arg && tsr_op_is(parts[0]->op, TSR_OP_STABLEHLO_COMPARE);
    while (n > 0) {
        const tsr_value *v = parts[--n];
        if (v->is_arg)
            continue;
        if (tsr_op_is(v->op, TSR_OP_STABLEHLO_AND) && n + 2 <= TSR_COUNT(parts)) {
            parts[n++] = tsr_grad_in(v->op, 0);
            parts[n++] = tsr_grad_in(v->op, 1);
        } else if (tsr_op_is(v->op, TSR_OP_STABLEHLO_COMPARE)) {
            int64_t bound = compared_bound(op, v->op);
            if (bound >= 0 && (best < 0 || bound < best))
                best = bound;
        }
    }
    return best;
}
