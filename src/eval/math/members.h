/* SPDX-License-Identifier: Apache-2.0 */
/* members.h - the order in which the values of a group's members are combined, the same for the evaluator, the engine
 * and ranks: blocks of 32 members, each in the order of the group; then the results of blocks in the same way. So a sum
 * of many values rounds less often, and a part of a group may combine its own members early, without changing a bit, if
 * they are a whole block. Up to 32 members it is the order of the group. */
#ifndef TSR_EVAL_MATH_MEMBERS_H
#define TSR_EVAL_MATH_MEMBERS_H

#include "eval/math/fold.h"

enum { TSR_MEMBERS_BLOCK = 32 };

/* How values are combined; false ends it. */
typedef struct {
    void *user;
    bool (*first)(void *user, void *to, size_t member); /* to = the member's value */
    bool (*next)(void *user, void *to, size_t member);  /* to = to + the member's value */
    bool (*join)(void *user, void *to, void *from);     /* to = to + from */
    size_t bytes;                                       /* of a value */
    char *room; /* tsr_members_room(n) values; may be NULL for none */
} tsr_members;

/* Values besides the result while n members are combined. */
size_t tsr_members_room(size_t n);
/* Combines members 0 .. n-1, n > 0, in to. */
bool tsr_members_reduce(const tsr_members *m, void *to, size_t n);

/* The same for arrays of count elements each, by a fold. at gives a member's; to may be that of the first. */
typedef const void *tsr_member_fn(const void *user, size_t member);
void tsr_fold_members(const tsr_fold *f, void *to, int64_t count, size_t n, tsr_member_fn *at,
                      const void *user);

#endif
