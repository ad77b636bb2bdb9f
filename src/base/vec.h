/* SPDX-License-Identifier: Apache-2.0 */
/* vec.h - the one growing array: TSR_VEC(int) v = {0}; tsr_vec_push(&v, 3); v.data[v.n - 1]; tsr_vec_free(&v). */
#ifndef TSR_BASE_VEC_H
#define TSR_BASE_VEC_H

#include <stdlib.h>

#include "base/compiler.h"

#define TSR_VEC(type)  \
    struct {           \
        type *data;    \
        size_t n, cap; \
    }

/* The new memory of an array that must hold at least want elements; sets *cap. */
static inline void *tsr_vec_grow(void *data, size_t *cap, size_t want, size_t elem)
{
    size_t next = *cap ? *cap * 2 : 8;
    if (next < want)
        next = want;
    void *grown = tsr_xrealloc(data, next * elem);
    *cap = next; /* last, so that a stop leaves the array unchanged */
    return grown;
}

#define tsr_vec_reserve(v, want)                                                              \
    ((v)->cap < (want)                                                                        \
         ? (void)((v)->data = tsr_vec_grow((v)->data, &(v)->cap, (want), sizeof(*(v)->data))) \
         : (void)0)
#define tsr_vec_push(v, ...) \
    (tsr_vec_reserve(v, (v)->n + 1), (void)((v)->data[(v)->n++] = (__VA_ARGS__)))
/* The elements of an array from i on. An empty array is NULL, to which nothing can be added in C, not even 0. */
#define TSR_FROM(data, i) ((i) != 0 ? (data) + (i) : (data))
#define tsr_vec_free(v) (tsr_free((v)->data), (v)->data = NULL, (v)->n = (v)->cap = 0)

#endif
