/* SPDX-License-Identifier: Apache-2.0 */
/* run.h - programs of kernels on the mock device. */
#ifndef TSR_TEST_GPU_RUN_H
#define TSR_TEST_GPU_RUN_H

#include "device/mock.h"
#include "gpu/gpu.h"
#include "module.h"

/* A program, its arguments, and what the evaluator gives. */
typedef struct {
    tsr_module *m;
    const tsr_op *f;
    int nin, nout;
    tsr_tensor *in[TEST_MOST], *want[TEST_MOST];
} test_job;

/* Reads @main. False: it cannot run. */
bool test_begin(test_job *j, tsr_ctx *ctx, tsr_str text);
void test_end(test_job *j);
/* Arguments, each as test_module.most says, or all of any bits (NULL), and the evaluator's results. */
bool test_evaluate(test_job *j, const int64_t *most);
/* Runs all of it on the device; change (or NULL) gets the device first. False: error says why. */
bool test_run(const test_job *j, const tsr_mock_options *how, void (*change)(tsr_device *d),
              tsr_tensor **out, char *error, size_t size);
void test_drop(tsr_tensor **t);

/* Counts a test, and prints what failed. */
void test_says(bool ok, const char *fmt, ...) TSR_PRINTF(2, 3);

void test_faults(tsr_ctx *ctx); /* faults.c */
/* Prints the steps and texts of the programs in a file (goldens.c). */
bool test_print(tsr_ctx *ctx, const char *path);

#endif
