/* SPDX-License-Identifier: Apache-2.0 */
/* indices.c - finds what programs do with indices, and does it with fewer kernels: negative ones count from the end,
 * and those outside are found. */
#include "exec/compile/value.h"
#include "exec/target.h"

/* Types whose registers have their own bits. */
static bool is_index(tsr_dtype d)
{
    return d == TSR_D_I32 || d == TSR_D_I64;
}

bool tsr_x_from_end(const tsr_xbuilder *b, const tsr_xid in[3], tsr_xid operands[2])
{
    tsr_xid x = in[2];
    if (!is_index(tsr_xdtype_of(b, x)))
        return false;
    const tsr_xid *test = tsr_x_made_by(b, in[0], TSR_TILE_compare_lt);
    const tsr_xid *sum = tsr_x_made_by(b, in[1], TSR_TILE_add);
    if (!test || !sum || test[0] != x || !tsr_x_is_number(b, test[1], 0) ||
        (sum[0] != x && sum[1] != x))
        return false;
    operands[0] = x;
    operands[1] = sum[0] == x ? sum[1] : sum[0];
    return true;
}

/* Whether v says that x is at least zero, and u that it is at most a number, which is not negative. */
static bool are_bounds(const tsr_xbuilder *b, tsr_xid v, tsr_xid u, tsr_xid *x, int64_t *most)
{
    const tsr_xid *low = tsr_x_made_by(b, v, TSR_TILE_compare_ge);
    const tsr_xid *high = tsr_x_made_by(b, u, TSR_TILE_compare_le);
    if (!low || !high || low[0] != high[0] || !tsr_x_is_number(b, low[1], 0) ||
        !tsr_x_is_splat(b, high[1], most) || *most < 0)
        return false;
    *x = low[0];
    return is_index(tsr_xdtype_of(b, *x));
}

bool tsr_x_inside(tsr_xbuilder *b, tsr_op *op, const tsr_xid in[2])
{
    tsr_xid x;
    int64_t most;
    if (!b->p->target->bits_in_loops ||
        (!are_bounds(b, in[0], in[1], &x, &most) && !are_bounds(b, in[1], in[0], &x, &most)))
        return false;
    const tsr_xvalue *v = tsr_xvalue_at(b, x);
    tsr_dtype bits = v->dtype == TSR_D_I32 ? TSR_D_U32 : TSR_D_U64;
    tsr_xid of[2] = {tsr_x_bits(b, op, x, tsr_x_type(b, v->dims, v->rank, bits))};
    of[1] = tsr_x_like(b, op, tsr_x_integer(b, op, bits, most), of[0]);
    return of[1] != TSR_XNONE && tsr_x_tile(b, op, TSR_TILE_compare_le, bits, of, 2);
}
