/* SPDX-License-Identifier: Apache-2.0 */
/* module.h - random modules of single ops, each with arguments and results of its own, for programs on devices. */
#ifndef TSR_TEST_GPU_MODULE_H
#define TSR_TEST_GPU_MODULE_H

#include <stdio.h>

#include "base/str.h"

enum { TEST_MOST = 64, TEST_RANK = 6 };

typedef struct {
    int rank;
    int64_t dims[TEST_RANK];
    const char *elem;
} test_type;

/* A module being written: arguments, statements, results; how far results may be from the evaluator's, 0: no bit. */
typedef struct {
    tsr_buf args, body, results, types;
    int narg, nvalue, nresult;
    double near[TEST_MOST];
    /* Of an argument: indices up to it; -1: any bits; 0: small numbers, whose sums are exact in f32. */
    int64_t most[TEST_MOST];
} test_module;

/* Adds an op. */
typedef void test_kind(test_module *m);
extern test_kind *const test_moves[];    /* moves.c; NULL ends both */
extern test_kind *const test_products[]; /* products.c */

int64_t test_draw(int64_t low, int64_t high);
bool test_flip(void);
int64_t test_size(void);
const char *test_elem(void);
test_type test_any(int least);         /* of at least this rank */
const char *test_type_of(test_type t); /* its text, which is valid for some calls */
int test_argument(test_module *m, test_type t, int64_t most); /* its number */
/* The last statement's value is a result. */
void test_result(test_module *m, test_type t, double near);
void test_list(tsr_buf *out, const int64_t *v, int n);

#endif
