/* SPDX-License-Identifier: Apache-2.0 */
/* run.h - the state of `tessera run`: flags (run_flags.c), inputs (run_inputs.c), the run (run.c), results and reports
 * (run_results.c), comparisons (run_check.c). */
#pragma once

#include "device.h"
#include "given.h"
#include "ranks.h"
#include "steps.h"

#include "api/saved.h"
#include "api/spmd.h"
#include "api/tsrx.h"
#include "base/decimal.h"
#include "exec/cpu/machine.h"

typedef TSR_VEC(const char *) run_texts;
typedef TSR_VEC(tsr_tensor *) run_tensors;

typedef struct {
    const tool *t;
    const char *file, *function, *named, *output, *files, *mesh;
    tsr_shard_request request; /* --mesh, --arg, --result */
    given_vec given;
    auto_flags search;            /* --auto */
    const char *where, *plan_for; /* --device: that runs it, or NULL; --plan-for */
    tsr_device *device;           /* where, open */
    const char *kernels;          /* --dump-kernels */
    char planned[32];             /* the device file of its hardware */
    run_texts inputs, expects;
    run_texts given_names,
        in_names; /* where each input of the user, and each argument, was read from */
    uint64_t seed;
    tsr_zero_division zero_division;
    double rtol, atol;
    bool device_memory, has_rtol, has_atol, print, print_given, full, timing, spmd, check;
    tsr_eval_engine engine;
    uint64_t threads, repeat;
    bool dump_program, memory, json, strict, check_ops, gemm;
    const char *profile, *machine; /* --profile, --machine */
    tsr_machine peaks;
    tsr_buf trace_text;
    const char *against;                           /* --against */
    tsr_buf program_text, memory_text, times_text; /* reports on the compiled program */
    progress_line line;
    bool whole; /* --spmd=false */
    double start, parse, verify, load, partition, compile, eval, judge;
    bool is_compiled; /* file is a saved program: */
    tsr_tsrx compiled;
    bool is_saved; /* file is a folder: */
    tsr_saved saved;
    TSR_VEC(uint32_t) wanted; /* for each input, its argument */
    tsr_type_vec types;       /* of the inputs */
    tsr_ctx *ctx;
    tsr_module *m;
    tsr_module *local; /* the program of each device, if it is not m */
    const tsr_op *func;
    const tsr_type *type;
    tsr_entry_made made; /* a program that was compiled to see whether it fits */
    run_tensors in, out, expected;
    ranks *ranks; /* NULL: one process runs all devices */
    const char *transport;
    hosts hosts;
    bool native, native_given, shards, every_given;
    double timeout;
    steps steps;
    tsr_here here; /* with ranks, steps on a mesh, or --output-shards: devices have their shards */
    run_tensors parts_in, parts_out;
} run_job;

/* The exit code of a status, after its message. */

/* The exit code of a status, after its message. */
int run_report(const run_job *c, const tsr_status *s);
/* A run failed: with a diagnostic if there are more than nerror of them, or with the status. */
int run_failed(const run_job *c, uint32_t nerror, const tsr_entry_options *options,
               const tsr_status *s);
/* Applies the command line's mesh and shardings to a module that is to be partitioned. */
bool run_give(const run_job *c, tsr_module *m, tsr_status *s);
/* Reads the file and runs it; returns the exit code. */
int run_file(run_job *c);

void run_free_tensors(run_tensors *v);
bool run_load_inputs(run_job *c, tsr_status *s);
bool run_load_expected(run_job *c, tsr_status *s);

bool run_is_npz(const char *path);
bool run_save(run_job *c, tsr_status *s);
bool run_save_shards(run_job *c, tsr_status *s);
/* Prints requested reports besides results; returns the exit code, which is code unless writing fails. */
int run_print_reports(const run_job *c, int code);

/* One row per output. False if some output is not as expected. grown (may be NULL): by result, an accepted alternative
 * (check/ops.h), or NULL. */
bool run_judge(run_job *c, const run_tensors *expected, tsr_tensor *const *grown, tsr_buf *out);
/* --against and --check: adds rows of compared values to text; the exit code, and whether everything agrees. */
int run_compare_against(run_job *c, tsr_entry_options *options, tsr_buf *text, bool *pass);
int run_check_whole(run_job *c, tsr_entry_options *options, tsr_buf *text, bool *pass);
