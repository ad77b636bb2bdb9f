/* SPDX-License-Identifier: Apache-2.0 */
/* ttrt.h - shared by the subcommands of `ttrt`: input files, sections, and the results for each file. */
#ifndef TSR_TOOLS_TTRT_H
#define TSR_TOOLS_TTRT_H

#include "eval/eval.h"
#include "target/flatbuffer/program.h"
#include "tools.h"

typedef TSR_VEC(const char *) path_vec;
typedef TSR_VEC(tsr_tensor *) ttrt_tensors;

/* The exit code if programs ran and values are wrong, as in the original tool. */
enum { EXIT_VALUES_OFF = 42 };

typedef struct {
    const tool *t;
    const char *what;      /* the subcommand */
    const char *section;   /* read */
    const char *read_file; /* read: file to write sections to as well; NULL: none */
    const char *system;    /* check: the system that binaries must match; query: file to write */
    const char *arch;      /* query */
    const char *chips;     /* query */
    bool quiet;            /* query */
    const char *result;    /* results file; NULL: none */
    const char *log;       /* file for a copy of the output; NULL: none */
    const char *artifacts; /* folder */
    bool clean, save;      /* --clean-artifacts, --save-artifacts */
    bool any_version;
    const char *mesh;    /* "1,2": the mesh to run on; NULL: the program's own */
    const char *program; /* index, or all */
    const char *init;    /* random, ones, zeros, arange; NULL: not given */
    path_vec inputs;     /* .npy */
    bool golden;         /* compare with the binary's goldens */
    bool reference;      /* and each op with the evaluator */
    bool save_goldens, print_values, identity, non_zero, memory, leaks, benchmark;
    double pcc, atol, rtol; /* of results; negative: by element type */
    uint64_t loops, seed, density, top;
    const char *dirty;  /* "0:1,2:3"; NULL: none */
    const char *filter; /* perf; NULL: the default */
    path_vec files;
    path_vec owned;  /* paths in folders, freed at the end */
    tsr_buf results; /* items of the results file */
    tsr_buf report;  /* the same for ttrt_report.xml */
    tsr_buf said;    /* the log */
    tsr_buf sections;
    size_t nresult, nfailed;
    bool timed; /* perf */
    double began;
} ttrt;

/* A binary or a system description while a subcommand works on it. */
typedef struct {
    const char *path;
    const tsr_fb_file *kind;
    tsr_file file;
    tsr_arena arena;
    tsr_fb_table *root;
    tsr_ctx *ctx;
    source src;
    source_mark last;
} binary;

/* 0, or the exit code after a message. */
int binary_open(const ttrt *r, const char *path, binary *b);
void binary_close(binary *b);
/* Adds the outcome of a file to the results file: pass, test_error or error. more: other fields. */
void add_result(ttrt *r, const char *path, const char *result, const char *why, const char *more);
/* Prints to stdout and to the log. */
void say(ttrt *r, tsr_str text);

/* ---- ttrt_read.c ---- */
int ttrt_read(ttrt *r, binary *b);
int ttrt_check(ttrt *r, binary *b);
int ttrt_query(ttrt *r);

/* ---- ttrt_files.c: artifacts ---- */
/* Creates a folder and its parents. 0, or the exit code after a message. */
int make_folders(const ttrt *r, const char *path);
int remove_folder(const ttrt *r, const char *path);
/* <artifacts>/<name of the binary>, then rest, NUL-terminated; does not clear out. */
void artifact_path(const ttrt *r, const binary *b, tsr_buf *out, const char *rest);
/* Writes <artifacts>/<name of the binary>/<rest>, creating its folder. */
int write_artifact(const ttrt *r, const binary *b, const char *rest, tsr_str text);
/* The binary itself, and the description of its system. */
int save_binary(const ttrt *r, const binary *b);
/* As an .npy file below the folder of a program. */
int save_tensor(const ttrt *r, const binary *b, const char *rest, const tsr_tensor *t);

/* ---- ttrt_run.c; also for perf ---- */
int ttrt_run(ttrt *r, binary *b);

/* A program while it runs. */
typedef struct {
    ttrt *r;
    binary *b;
    tsr_module *m;
    const tsr_fb_table *program;
    size_t index;
    tsr_op *func;
    const tsr_type *type;
    size_t devices;       /* that run the program of one device each; 1: it runs as it is */
    bool live;            /* the run that counts: debug ops print, wait and write files */
    ttrt_tensors in, out; /* out: device by device */
    double seconds;       /* the fastest run */
    size_t compared;      /* number of values */
    size_t off;           /* wrong ones */
    size_t stored;        /* compared with a golden of the binary */
    size_t unmet;         /* goldens that match no value */
    tsr_buf gone;         /* the first of these, by location */
    tsr_buf first;        /* the first wrong value */
    tsr_buf report;       /* golden_results.json: items */
    tsr_buf csv[4]; /* perf: all ops; without const_eval; without conversions of inputs; filtered */
    size_t nop;
    tsr_status status;
} job;

/* An observer of the evaluator (eval/host.h). */
typedef struct {
    bool (*watch)(void *user, tsr_call *c);
    bool (*enter)(void *user, tsr_call *c, const tsr_block *block);
    void *user;
} watcher;
/* Runs a function on the inputs: on the evaluator if there is an observer or if it must not be compiled. devices: so
 * many run it, each on the same inputs; out has nout results of each. */
bool run_func(job *j, tsr_module *m, const tsr_op *func, size_t nout, size_t devices, bool compiled,
              const watcher *w, ttrt_tensors *out, double *seconds);
void free_tensors(ttrt_tensors *v);
/* The function of a program. */
tsr_op *find_func(tsr_module *m, tsr_str name);

/* ---- ttrt_compare.c ---- */
/* The golden of the binary for a key on a device, as a tensor; NULL if there is none. */
tsr_tensor *golden_of(const job *j, tsr_str key, uint32_t device);
bool has_goldens(const job *j);
/* Compares the program's values with the goldens of the binary. */
bool compare_goldens(job *j);
/* Compares each op, as a separate program, with the evaluator on the same inputs; perf: its time. */
bool compare_ops(job *j);
/* --identity, --non-zero. */
void check_outputs(job *j);

#endif
