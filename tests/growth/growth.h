/* SPDX-License-Identifier: Apache-2.0 */
/* growth.h - shapes of modules that grow with a number, families of work, and counting what the work costs. */
#ifndef TESTS_GROWTH_H
#define TESTS_GROWTH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A shape: a module of n pieces. */
typedef struct {
    const char *name, *about;
    long n;              /* the size that is compared with its double */
    long most;           /* the largest size that a limit allows; 0: any */
    const char *refused; /* families that do not apply, with spaces between them */
    void (*write)(FILE *out, long n);
} shape;

extern const shape shapes[];
extern const int nshapes;

/* A family of work: one step that is counted. */
typedef enum {
    READ_TEXT,
    VERIFY,
    WRITE_TEXT,
    CLONE,
    WRITE_BYTECODE,
    READ_BYTECODE,
    PASSES,
    WRITE_ARTIFACT,
    READ_ARTIFACT,
    GRADIENT,
    MAKE_INPUTS,
    RUN,
    RUN_COMPILED,
    RUN_SPMD,
    COMPILE,
    SAVE,
    EMIT_C,
    PLAN,
    PAGE,
    SIMULATE,
    EXPLAIN,
    AUTO,
    AUTO_KEEP
} work;

typedef struct {
    const char *name;
    work kind;
    const char *detail; /* the pipeline, or what else it is */
} family;

extern const family families[];
extern const int nfamilies;

/* Work that grows faster whoever does it, since what it makes does; with the larger shapes it is not done. */
typedef struct {
    const char *shapes, *larger, *families, *why;
} nature;

extern const nature natures[];
extern const int nnatures;
bool is_left_out(const shape *s, const family *f);

/* Counters of instructions, best first: the processor's, valgrind's; time is for a quick look only. And one of the
 * memory that is held at the peak. */
typedef enum { BY_PERF, BY_VALGRIND, BY_TIME, BY_BYTES } counter;

/* Whether the processor counts instructions of this process for us. */
bool perf_open(void);
/* Whether this program was built with a sanitizer, which valgrind cannot run. */
bool sanitized(void);
/* Whether client requests of valgrind were compiled in. */
bool valgrind_known(void);
/* Counts the library's memory, from now on. It holds none yet. */
void count_bytes(void);
void count_start(counter by);
/* Instructions since count_start, or the most bytes that were held since count_bytes; by valgrind: 0, and a record with this label in callgrind's file. */
uint64_t count_stop(counter by, const char *label);

/* Whether the word stands in a list with spaces between. An empty list has none. */
bool has_word(const char *words, const char *word);

/* What `make check` looks at, at a quarter of the sizes. */
#define QUICK_SHAPES "chain,called_functions,block_join,sharded_functions,wide_results"
#define QUICK_FAMILIES \
    "parse,verify,canonicalize,cse,simplify,inline,propagate,reshard,run_compiled,plan"

/* Does all families with the shape at sizes 1, n and 2n. A line of output for each: what it cost, or why not. */
int measure(const shape *s, counter by, long n, const char *only);

#endif
