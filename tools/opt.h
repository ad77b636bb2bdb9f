/* SPDX-License-Identifier: Apache-2.0 */
/* opt.h - shared by the files of `tessera opt`. */
#ifndef TSR_TOOLS_OPT_H
#define TSR_TOOLS_OPT_H

#include "tools.h"

/* How often passes ran on the op of this path, for file names. */
typedef struct {
    char *path;
    uint32_t n;
} pass_count;

/* The figures of a pass in --mlir-pass-statistics. */
typedef struct {
    const tsr_pass_info *info;
    uint64_t runs, changed, before, after; /* ops inside, summed over the runs */
} pass_stats;

typedef struct {
    const tool *t;
    file_options file;
    const char *output_marker;
    bool marker_given;
    uint32_t said;   /* warnings that are given once, over all chunks */
    uint32_t nslice; /* composites numbered so far, over all chunks */
    bool verify_all, verify_each, verify_inside, verify_parsed, implicit_module;
    bool dump_pipeline, dump_clusters, timing;
    bool bytecode;
    int64_t bytecode_version; /* -1: the newest */
    const char *pipeline;     /* --pass-pipeline */
    const char *reproducer;   /* where a failing pipeline is written; NULL: nowhere */
    bool run_reproducer, roundtrip, op_on_diagnostic;
    tsr_print_options print;
    bool debug_info_given; /* --mlir-print-debuginfo; else a file keeps locations */
    /* IR dumps */
    TSR_VEC(const char *) before, after;
    bool before_all, after_all, after_change, after_failure, module_scope;
    bool named_ran;       /* some pass that before or after names has run */
    const char *tree_dir; /* dumps go to files below it; NULL: to stderr */
    TSR_VEC(pass_count) tree;
    /* --mlir-pass-statistics */
    bool statistics, statistics_list, timing_list, timing_display;
    TSR_VEC(pass_stats) stats;
    /* Times in seconds. */
    double start, read, parse, verify, printing;
    tsr_module *module; /* being processed */
    bool failed;        /* a file could not be written */
} opt_config;

/* The module printed as the flags say, or one op of it. */
void print_root(tsr_buf *out, tsr_module *m, tsr_op *op, const tsr_print_options *options);

/* ---- watch.c: observing a pipeline ---- */

void watch_start(opt_config *c, tsr_run_options *run);
void watch_free(opt_config *c);
void print_times(const opt_config *c, const tsr_pipeline *pl, const tsr_run_options *run);
void print_statistics(opt_config *c);

/* ---- reproducer.c: a module together with the pipeline that fails on it ---- */

/* The module as it is now, with the pipeline as its external resource. */
void reproducer_write(const opt_config *c, tsr_module *m, const tsr_pipeline *pl, tsr_buf *out);
/* The pipeline stored in the module, which is removed from it. NULL after a diagnostic. */
tsr_pipeline *reproducer_read(tsr_pipelines *ps, tsr_module *m, tsr_run_options *run);
/* --verify-roundtrip: the module is the same after printing and reading, as text and as bytecode. */
bool verify_roundtrip(const opt_config *c, tsr_module *m);

#endif
