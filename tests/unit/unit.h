/* SPDX-License-Identifier: Apache-2.0 */
/* unit.h - the whole framework: a count of checks that held, and of those that did not. */
#ifndef TSR_TESTS_UNIT_H
#define TSR_TESTS_UNIT_H

#include <stdio.h>

#include "ir/ir.h"

typedef struct {
    int passed, failed;
} unit;

#define CHECK(u, cond) ((cond) ? (void)(u)->passed++ : unit_failed((u), __FILE__, __LINE__, #cond))
void unit_failed(unit *u, const char *file, int line, const char *cond);

/* Keeps the diagnostics of a context as lines of "severity: message". */
typedef struct {
    tsr_buf text;
} diag_log;
void unit_log(void *log, const tsr_diag *diag);
/* Whether the log is exactly text; empties it. */
bool unit_logged(diag_log *log, const char *text);

void test_base(unit *u);
void test_json(unit *u);
void test_saved(unit *u);
void test_donated(unit *u);
void test_scope(unit *u);
void test_looks(unit *u);
void test_float(unit *u);
void test_intern(unit *u);
void test_affine(unit *u);
void test_ops(unit *u);
void test_clone(unit *u);
void test_dominance(unit *u);
void test_verify(unit *u);
void test_diag(unit *u);
void test_axis(unit *u);
void test_projection(unit *u);
void test_cost(unit *u);
void test_rule(unit *u);
void test_metal(unit *u);
void test_params(unit *u);
void test_members(unit *u);
void test_vhlo(unit *u);
void test_ttir(unit *u);
void test_bytecode(unit *u);
void test_graph(unit *u);
void test_threads(unit *u);
void test_tcp(unit *u);
void test_place(unit *u);
void test_target(unit *u);
void test_code(unit *u);
void test_tile(unit *u);
void test_math(unit *u);
void test_product(unit *u);
void test_winograd(unit *u);
void test_linalg(unit *u);
void test_move(unit *u);
void test_fft(unit *u);
void test_scalar(unit *u);
void test_search(unit *u);
void test_explore(unit *u);
void test_edited(unit *u);

#endif
