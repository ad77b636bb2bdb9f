/* SPDX-License-Identifier: Apache-2.0 */
/* property.h - what the test of derivatives is made of: cases, random numbers, one trial of a case. */
#ifndef TESTS_GRAD_PROPERTY_H
#define TESTS_GRAD_PROPERTY_H

#include "base/str.h"
#include "tessera/tessera.h"

enum { MAX_ARGS = 64, MAX_TEXT = 1 << 16 };

typedef struct {
    double low, high;
    bool set;
} range;

typedef struct {
    const char *file;
    int line;
    tsr_str text;
    range sizes[26];
    range domain[MAX_ARGS];
    int64_t size[26];
    bool complex, stairs;
    char options[256];
    bool has_wrt, wrt[MAX_ARGS];
    int replicas, partitions;
} test_case;

typedef struct {
    uint64_t state;
    int passed, failed;
    bool is_complex, mesh; /* mesh: derivatives also run on one */
} run_state;

typedef struct {
    double *values; /* both parts of complex ones; NULL: integers */
    int64_t n;      /* doubles */
    bool complex;
    int64_t dims[16];
    size_t rank;
    char type[64];
} vec;

typedef struct {
    tsr_ctx *ctx;
    tsr_module *m;
    size_t nin, nout;
    vec in[MAX_ARGS], out[MAX_ARGS];
    double *x[MAX_ARGS], *u[MAX_ARGS], *v[MAX_ARGS];
    bool wrt[MAX_ARGS];
    const char *prefix; /* of the functions to call */
    char why[512];
} trial;

uint64_t next_bits(run_state *r);
/* Calls a function of the trial's module; false: why says it. */
bool call(trial *t, const char *name, tsr_tensor **in, size_t nin, tsr_tensor **out, size_t nout);
void drop(tsr_tensor **v, size_t n);

/* ---- wrap.c ---- */

/* The module gets functions that run its own on all processes of the case's grid at once. */
bool spread_over_grid(trial *t, const test_case *c);
/* With a mesh and random shardings of its arguments, a function computes the same: these inputs, these results. */
bool same_on_mesh(trial *t, run_state *r, const char *name, tsr_tensor **in, size_t nin,
                  tsr_tensor **want, size_t nout);

#endif
