/* SPDX-License-Identifier: Apache-2.0 */
/* floor.c - finds quotients and remainders that are rounded down. Programs have no op for them: they correct the
 * truncated ones where signs differ, with eight ops for each, which become one kernel. */
#include "exec/compile/value.h"

static bool is_same(const tsr_xbuilder *b, tsr_xid v, tsr_xid u)
{
    int64_t x = 0, y = 0;
    return v == u || (tsr_x_is_splat(b, v, &x) && tsr_x_is_splat(b, u, &y) && x == y);
}

/* Whether v is the remainder of x and y, compared with zero by op. */
static bool tests_rest(const tsr_xbuilder *b, tsr_xid v, tsr_tile_op op, tsr_xid x, tsr_xid y)
{
    const tsr_xid *test = tsr_x_made_by(b, v, op);
    const tsr_xid *rest = test ? tsr_x_made_by(b, test[0], TSR_TILE_remainder) : NULL;
    return rest && tsr_x_is_number(b, test[1], 0) && rest[0] == x && is_same(b, rest[1], y);
}

/* Whether v says that x and y have different signs, as floor_divide and remainder of JAX put it. */
static bool signs_differ(const tsr_xbuilder *b, tsr_xid v, tsr_xid x, tsr_xid y)
{
    const tsr_xid *test = tsr_x_made_by(b, v, TSR_TILE_compare_ne), *sign, *other;
    int64_t number = 0, found = 0;
    if (!test)
        return false;
    bool known = tsr_x_is_splat(b, y, &number) && tsr_x_is_splat(b, test[1], &found);
    if (tests_rest(b, test[0], TSR_TILE_compare_lt, x, y)) {
        other = tsr_x_made_by(b, test[1], TSR_TILE_compare_lt);
        return known ? (found != 0) == (number < 0)
                     : other && is_same(b, other[0], y) && tsr_x_is_number(b, other[1], 0);
    }
    sign = tsr_x_made_by(b, test[0], TSR_TILE_sign);
    other = tsr_x_made_by(b, test[1], TSR_TILE_sign);
    return sign && sign[0] == x &&
           (known ? found == (number > 0) - (number < 0) : other && is_same(b, other[0], y));
}

/* Whether p says that the remainder of x and y is not zero and their signs differ. */
static bool is_above(const tsr_xbuilder *b, tsr_xid p, tsr_xid x, tsr_xid y)
{
    const tsr_xid *both = tsr_x_made_by(b, p, TSR_TILE_and);
    for (int i = 0; both && i < 2; i++)
        if (tests_rest(b, both[i], TSR_TILE_compare_ne, x, y) && signs_differ(b, both[1 - i], x, y))
            return true;
    return false;
}

uint8_t tsr_x_floor(const tsr_xbuilder *b, const tsr_xid in[3], tsr_xid operands[2])
{
    tsr_dtype d = tsr_xdtype_of(b, in[2]);
    const tsr_xid *quotient = tsr_x_made_by(b, in[2], TSR_TILE_divide);
    const tsr_xid *rest = tsr_x_made_by(b, in[2], TSR_TILE_remainder),
                  *of = quotient ? quotient : rest;
    if (!of || d < TSR_D_I8 || d > TSR_D_I64)
        return 0;
    const tsr_xid *less = tsr_x_made_by(b, in[1], quotient ? TSR_TILE_subtract : TSR_TILE_add);
    if (!less || !is_above(b, in[0], of[0], of[1]))
        return 0;
    bool is = quotient ? less[0] == in[2] && tsr_x_is_number(b, less[1], 1)
                       : (less[0] == in[2] && is_same(b, less[1], of[1])) ||
                             (less[1] == in[2] && is_same(b, less[0], of[1]));
    operands[0] = of[0];
    operands[1] = of[1];
    return !is ? 0 : quotient ? TSR_TILE_floor_divide : TSR_TILE_floor_remainder;
}
