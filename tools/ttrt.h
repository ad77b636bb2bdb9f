/* ttrt.h - what the subcommands of `ttrt` share: files in, sections out, results of each file. */
#ifndef TSR_TOOLS_TTRT_H
#define TSR_TOOLS_TTRT_H

#include "target/flatbuffer/program.h"
#include "tools.h"

typedef TSR_VEC(const char *) path_vec;

typedef struct {
    const tool *t;
    const char *section;    /* read */
    const char *system;     /* check: the system that binaries are for; query: file to write */
    const char *arch;       /* query */
    const char *mesh;       /* query */
    const char *result;     /* file of results; NULL: none */
    const char *artifacts;  /* folder */
    const char *program;    /* index, or all */
    const char *init;       /* random, ones, zeros, arange */
    path_vec inputs;        /* .npy */
    bool save, golden;      /* --save-artifacts; --disable-golden is not given */
    double pcc, atol, rtol; /* of results; negative: by element type */
    uint64_t loops, seed;
    path_vec files;
    path_vec owned;  /* paths in folders, freed at the end */
    tsr_buf results; /* items of the file of results */
    bool failed;
    bool timed; /* perf */
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
/* Adds the outcome of a file to the file of results. */
void add_result(ttrt *r, const char *path, const char *result, const char *why, const char *more);

int ttrt_read(ttrt *r, binary *b);
int ttrt_check(ttrt *r, binary *b);
int ttrt_run(ttrt *r, binary *b); /* ttrt_run.c; perf, too */
int ttrt_query(ttrt *r);

#endif
