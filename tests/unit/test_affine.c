/* SPDX-License-Identifier: Apache-2.0 */
/* test_affine.c - the simplifications that come with making an affine expression. */
#include "unit.h"

typedef const tsr_affine *expr;

static expr num(tsr_ctx *ctx, int64_t v)
{
    return tsr_affine_get(ctx, TSR_AFFINE_CONST, v, NULL, NULL);
}

void test_affine(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new_empty();
    expr d0 = tsr_affine_get(ctx, TSR_AFFINE_DIM, 0, NULL, NULL),
         d1 = tsr_affine_get(ctx, TSR_AFFINE_DIM, 1, NULL, NULL);
    expr s0 = tsr_affine_get(ctx, TSR_AFFINE_SYM, 0, NULL, NULL);
#define ADD(a, b) tsr_affine_get(ctx, TSR_AFFINE_ADD, 0, (a), (b))
#define MUL(a, b) tsr_affine_get(ctx, TSR_AFFINE_MUL, 0, (a), (b))
#define MOD(a, b) tsr_affine_get(ctx, TSR_AFFINE_MOD, 0, (a), (b))
#define DIV(a, b) tsr_affine_get(ctx, TSR_AFFINE_FLOORDIV, 0, (a), (b))
#define CEIL(a, b) tsr_affine_get(ctx, TSR_AFFINE_CEILDIV, 0, (a), (b))
    CHECK(u, ADD(num(ctx, 2), num(ctx, 3)) == num(ctx, 5) &&
                 MUL(num(ctx, 2), num(ctx, -3)) == num(ctx, -6));
    CHECK(u, ADD(d0, num(ctx, 0)) == d0 && MUL(d0, num(ctx, 1)) == d0 &&
                 MUL(d0, num(ctx, 0)) == num(ctx, 0));
    CHECK(u, ADD(d1, d0) == ADD(d0, d1) && ADD(s0, d0) == ADD(d0, s0) &&
                 ADD(num(ctx, 1), d0) == ADD(d0, num(ctx, 1)));
    CHECK(u, ADD(ADD(d0, num(ctx, 1)), num(ctx, 2)) == ADD(d0, num(ctx, 3)));
    CHECK(u, MUL(MUL(d0, num(ctx, 2)), num(ctx, 3)) == MUL(d0, num(ctx, 6)));
    CHECK(u, ADD(ADD(d0, num(ctx, 1)), d1) == ADD(ADD(d0, d1), num(ctx, 1)) &&
                 ADD(d0, d0) == MUL(d0, num(ctx, 2)));
    CHECK(u, ADD(d0, MUL(d0, num(ctx, -1))) == num(ctx, 0));
    CHECK(u, MOD(d0, num(ctx, 1)) == num(ctx, 0) && DIV(d0, num(ctx, 1)) == d0 &&
                 CEIL(d0, num(ctx, 1)) == d0);
    CHECK(u, MOD(num(ctx, -1), num(ctx, 4)) == num(ctx, 3) &&
                 DIV(num(ctx, -1), num(ctx, 4)) == num(ctx, -1));
    CHECK(u, CEIL(num(ctx, 5), num(ctx, 4)) == num(ctx, 2) &&
                 CEIL(num(ctx, -5), num(ctx, 4)) == num(ctx, -1));
    CHECK(u, MOD(MUL(d0, num(ctx, 8)), num(ctx, 4)) == num(ctx, 0) &&
                 DIV(MUL(d0, num(ctx, 8)), num(ctx, 4)) == MUL(d0, num(ctx, 2)));
    CHECK(u, ADD(d0, MUL(DIV(d0, num(ctx, 4)), num(ctx, -4))) == MOD(d0, num(ctx, 4)));
    /* What does not fit stays as it was written, and ends. */
    expr large = num(ctx, INT64_MAX);
    CHECK(u, ADD(large, num(ctx, 1))->kind == TSR_AFFINE_ADD &&
                 MUL(large, num(ctx, 2))->kind == TSR_AFFINE_MUL);
    CHECK(u, ADD(ADD(d0, large), large)->kind == TSR_AFFINE_ADD &&
                 MUL(MUL(d0, large), large)->kind == TSR_AFFINE_MUL);
    CHECK(u, DIV(d0, num(ctx, 0))->kind == TSR_AFFINE_FLOORDIV &&
                 MOD(d0, num(ctx, 0))->kind == TSR_AFFINE_MOD);
    tsr_attr *map = tsr_attr_affine_map(ctx, 2, 1, (expr[]){d0, ADD(d1, s0)}, 2);
    CHECK(u, map == tsr_attr_affine_map(ctx, 2, 1, (expr[]){d0, ADD(s0, d1)}, 2) && map->aliased &&
                 ctx->has_aliased);
    bool eq = true, le = false;
    CHECK(u, tsr_attr_integer_set(ctx, 1, 0, &d0, &eq, 1) !=
                 tsr_attr_integer_set(ctx, 1, 0, &d0, &le, 1));
    tsr_ctx_free(ctx);
}
