/* SPDX-License-Identifier: Apache-2.0 */
/* test_members.c - the order in which the values of a group's members are combined: of every size up to 70, and of some
 * larger ones, against the definition; values are such that other orders give other sums. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/math/members.h"
#include "unit.h"

enum { MOST = 40000, N = 5 };

static float brought[MOST][N];

static const void *value_at(const void *user, size_t member)
{
    (void)user;
    return brought[member];
}

/* Numbers between 2^-12 and 2^12 of both signs. */
static void fill(void)
{
    uint32_t state = 1;
    for (size_t k = 0; k < MOST; k++)
        for (size_t i = 0; i < N; i++) {
            state = state * 1664525u + 1013904223u;
            float x = ldexpf(1 + (float)(state >> 9) / 8388608, (int)(state >> 4) % 25 - 12);
            brought[k][i] = state & 8 ? -x : x;
        }
}

/* The definition: sums of blocks in order, until there is one. */
static float in_blocks(size_t n, size_t i, size_t block)
{
    static float sums[MOST];
    for (size_t k = 0; k < n; k++)
        sums[k] = brought[k][i];
    while (n > 1) {
        size_t made = 0;
        for (size_t k = 0; k < n; k += block) {
            float sum = sums[k];
            for (size_t m = k + 1; m < n && m < k + block; m++)
                sum += sums[m];
            sums[made++] = sum;
        }
        n = made;
    }
    return sums[0];
}

static bool equals(const float *sum, size_t n, size_t block)
{
    bool same = true;
    for (size_t i = 0; i < N; i++) {
        float wanted = in_blocks(n, i, block);
        same &= !memcmp(&sum[i], &wanted, sizeof wanted);
    }
    return same;
}

static void one_size(unit *u, const tsr_fold *f, size_t n)
{
    float sum[N];
    tsr_fold_members(f, sum, N, n, value_at, NULL);
    CHECK(u, equals(sum, n, TSR_MEMBERS_BLOCK));
    CHECK(u, n > TSR_MEMBERS_BLOCK || equals(sum, n, MOST)); /* one after the other */
    /* Mistakes: one after the other, pairs, other blocks. Few members may agree by chance. */
    static const size_t wrong[] = {MOST, 2, 16, 31, 33, 64};
    for (size_t i = 0; n >= 66 && i < TSR_COUNT(wrong); i++)
        CHECK(u, !equals(sum, n, wrong[i]));
}

/* A failure ends it, wherever it is. */
typedef struct {
    size_t steps, most;
} steps;

static bool step(steps *s)
{
    return s->steps++ < s->most;
}

static bool first_step(void *user, void *to, size_t member)
{
    (void)to, (void)member;
    return step(user);
}

static bool join_step(void *user, void *to, void *from)
{
    (void)to, (void)from;
    return step(user);
}

static void failures(unit *u)
{
    enum { MEMBERS = 70 }; /* 70 values, and two results of blocks */
    char room[8], to[1];
    for (size_t most = 0; most <= MEMBERS + 3; most++) {
        steps s = {.most = most};
        tsr_members m = {&s, first_step, first_step, join_step, 1, room};
        bool ok = tsr_members_reduce(&m, to, MEMBERS);
        CHECK(u, ok == (most >= MEMBERS + 2) && s.steps == (ok ? MEMBERS + 2 : most + 1));
    }
}

void test_members(unit *u)
{
    static const size_t large[] = {100, 1000, 1023, 1024, 1025, 1056, 1057, 32768, 32769, MOST};
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_fold f;
    fill();
    CHECK(u, tsr_fold_find(&f, TSR_REDUCE_SUM, tsr_type_float(ctx, TSR_F32)));
    for (size_t n = 1; n <= 70; n++)
        one_size(u, &f, n);
    for (size_t i = 0; i < TSR_COUNT(large); i++)
        one_size(u, &f, large[i]);
    CHECK(u, tsr_members_room(1) == 0 && tsr_members_room(32) == 0 && tsr_members_room(33) == 1 &&
                 tsr_members_room(1024) == 1 && tsr_members_room(1025) == 2 &&
                 tsr_members_room(32769) == 3);
    failures(u);
    tsr_ctx_free(ctx);
}
