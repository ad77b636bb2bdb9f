/* SPDX-License-Identifier: Apache-2.0 */
/* test_scalar.c - lists of ops on single numbers against tile kernels of one element, in each class of machines: all ops and types, with
 * every operand in memory and with each of them at hand; loops. */
#include <math.h>
#include <string.h>

#include "exec/kernel/scalar.h"
#include "unit.h"

static const tsr_dtype types[] = {TSR_D_I1,  TSR_D_I8,  TSR_D_I32, TSR_D_U32,
                                  TSR_D_I64, TSR_D_U64, TSR_D_F32, TSR_D_F64};

static uint64_t seed = 88172645463325252;

/* Special numbers, small ones and any bits. */
static void any_number(tsr_dtype d, uint64_t *out)
{
    static const double special[] = {0.0, -0.0, 1,   -1,       2,         0.5,
                                     3,   31,   1e6, INFINITY, -INFINITY, NAN};
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    double x = seed % 3 == 0   ? special[seed / 3 % TSR_COUNT(special)]
               : seed % 3 == 1 ? (double)(int64_t)seed * 0x1p-61
                               : (double)(int64_t)(seed >> 8 & 127) - 63;
    float narrow = (float)x;
    *out = 0;
    if (d == TSR_D_F32)
        memcpy(out, &narrow, sizeof narrow);
    else if (d == TSR_D_F64)
        memcpy(out, &x, sizeof x);
    else
        *out = d == TSR_D_I1 ? seed & 1 : seed >> (seed >> 60) * 4;
}

static bool same(tsr_dtype d, const uint64_t *a, const uint64_t *b)
{
    float f, g;
    double x, y;
    memcpy(&f, a, sizeof f), memcpy(&g, b, sizeof g);
    memcpy(&x, a, sizeof x), memcpy(&y, b, sizeof y);
    bool nan = d == TSR_D_F32 ? f != f && g != g : d == TSR_D_F64 && x != x && y != y;
    return nan || *a == *b;
}

static bool gives_flag(tsr_tile_op op)
{
    return op == TSR_TILE_is_finite || (op >= TSR_TILE_compare_eq && op <= TSR_TILE_compare_ge);
}

/* An op whose operand number at - 1 was computed right before, as its sum with 0. */
static bool agrees(tsr_tile_op op, tsr_dtype type, tsr_tile_fn *fn, int at)
{
    uint64_t in[TSR_TILE_OPERANDS], zero = 0, moved = 0, want = 0, got = 0;
    const void *from[TSR_TILE_OPERANDS];
    tsr_dtype to = gives_flag(op) ? TSR_D_I1 : type;
    int n = tsr_tile_operands(op);
    for (int i = 0; i < n; i++) {
        any_number(op == TSR_TILE_select && i == 0 ? TSR_D_I1 : type, &in[i]);
        from[i] = &in[i];
    }
    tsr_scalar_hand hand = {0};
    tsr_scalar list[3] = {0}, *s = list;
    if (at) {
        tsr_tile_fn *add = tsr_tile_find(TSR_TILE_add, type);
        add(&moved, (const void *[]){&in[at - 1], &zero}, 1);
        in[at - 1] = moved;
        moved = 0;
        *s = (tsr_scalar){.fn = add, .out = &moved, .in = {&in[at - 1], &zero}, .n = 1};
        tsr_scalar_tile(&hand, s++, TSR_TILE_add, type, type);
    }
    fn(&want, from, 1);
    *s = (tsr_scalar){.fn = fn, .out = &got, .n = 1};
    for (int i = 0; i < n; i++)
        s->in[i] = i == at - 1 ? &moved : from[i];
    tsr_scalar_tile(&hand, s++, op, type, to);
    s->what = TSR_SCALAR_END;
    int64_t turns = 0;
    return tsr_scalar_run(list, &turns) && turns == 0 && same(to, &want, &got);
}

static void test_ops_of(unit *u, tsr_dtype type)
{
    for (int op = 0; op < TSR_TILE__COUNT; op++)
        for (int form = 0; form < TSR_TILE_FORMS; form++) {
            tsr_tile_fn *fn = form ? tsr_tile_find_form((tsr_tile_op)op, type, (tsr_tile_form)form)
                                   : tsr_tile_find((tsr_tile_op)op, type);
            bool is_same = true, can_be = type == TSR_D_F32 || type == TSR_D_F64;
            for (int at = 0; fn && at <= (can_be ? tsr_tile_operands((tsr_tile_op)op) : 0); at++)
                for (int k = 0; k < 50 && !(op == TSR_TILE_select && at == 1); k++)
                    is_same &= agrees((tsr_tile_op)op, type, fn, at);
            if (!is_same)
                fprintf(stderr, "%s of type %d, form %d\n", tsr_tile_name((tsr_tile_op)op),
                        (int)type, form);
            CHECK(u, is_same);
        }
}

static void test_converts(unit *u)
{
    for (size_t i = 0; i < TSR_COUNT(types); i++)
        for (size_t k = 0; k < TSR_COUNT(types); k++)
            for (int turn = 0; turn < 20; turn++) {
                uint64_t in, want = 0, got = 0;
                int64_t turns = 0;
                tsr_tile_fn *fn = tsr_tile_convert(types[i], types[k]);
                any_number(types[k], &in);
                tsr_scalar list[2] = {{.fn = fn, .out = &got, .in = {&in}, .n = 1}};
                if (!fn)
                    continue;
                fn(&want, (const void *[]){&in}, 1);
                tsr_scalar_convert(&(tsr_scalar_hand){0}, list, types[i], types[k]);
                tsr_scalar_run(list, &turns);
                CHECK(u, same(types[i], &want, &got));
            }
}

/* x = x + 1 while x < 10, with a stop after each four turns; copies of all sizes. */
static void test_loop(unit *u)
{
    float x = 0, one = 1, ten = 10, kept[3] = {0}, three[3] = {1, 2, 3};
    double wide = 5, wide_kept = 0;
    uint8_t less = 0, less_kept = 0;
    tsr_scalar_hand hand = {0};
    tsr_scalar list[] = {
        {.fn = tsr_tile_find(TSR_TILE_compare_lt, TSR_D_F32),
         .out = &less,
         .in = {&x, &ten},
         .n = 1},
        {.what = TSR_SCALAR_UNLESS, .in = {&less}},
        {.fn = tsr_tile_find(TSR_TILE_add, TSR_D_F32), .out = &x, .in = {&x, &one}, .n = 1},
        tsr_scalar_copy(&hand, kept, three, sizeof kept),
        tsr_scalar_copy(&hand, &wide_kept, &wide, sizeof wide),
        tsr_scalar_copy(&hand, &less_kept, &less, sizeof less),
        {.what = TSR_SCALAR_NEXT},
    };
    tsr_scalar_tile(&hand, &list[0], TSR_TILE_compare_lt, TSR_D_F32, TSR_D_I1);
    tsr_scalar_tile(&hand, &list[2], TSR_TILE_add, TSR_D_F32, TSR_D_F32);
    int64_t all = 0, turns = 4;
    while (!tsr_scalar_run(list, &turns)) {
        CHECK(u, turns == 4);
        all += turns;
    }
    CHECK(u, all == 8 && turns == 2 && x == 10);
    CHECK(u, memcmp(kept, three, sizeof kept) == 0 && wide_kept == 5 && less_kept == 1);
}

/* What is written over is not at hand any more. */
static void test_hand(unit *u)
{
    float a = 1, b = 2, sum = 0, twice = 0;
    int64_t turns = 0;
    tsr_scalar_hand hand = {0};
    tsr_tile_fn *add = tsr_tile_find(TSR_TILE_add, TSR_D_F32);
    tsr_scalar list[4] = {{.fn = add, .out = &sum, .in = {&a, &b}, .n = 1}};
    tsr_scalar_tile(&hand, &list[0], TSR_TILE_add, TSR_D_F32, TSR_D_F32);
    CHECK(u, hand.f32 == &sum);
    list[1] = tsr_scalar_copy(&hand, &sum, &b, sizeof b);
    CHECK(u, hand.f32 == NULL);
    list[2] = (tsr_scalar){.fn = add, .out = &twice, .in = {&sum, &sum}, .n = 1};
    tsr_scalar_tile(&hand, &list[2], TSR_TILE_add, TSR_D_F32, TSR_D_F32);
    CHECK(u, tsr_scalar_run(list, &turns) && twice == 4);
}

void test_scalar(unit *u)
{
    const char *before = tsr_isa_name();
    for (const char *const *name = tsr_isa_names(); *name; name++) {
        if (!tsr_isa_use(*name, NULL))
            continue;
        for (size_t i = 0; i < TSR_COUNT(types); i++)
            test_ops_of(u, types[i]);
        test_converts(u);
        test_loop(u);
        test_hand(u);
    }
    tsr_isa_use(before, NULL);
}
