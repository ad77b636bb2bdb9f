/* SPDX-License-Identifier: Apache-2.0 */
/* loop.h - what the files that run loops share: loop.c (blocks, lists of calls), partial.c (reductions with partial
 * results) and loop_block.c (blocks of products). Private to them. */
#ifndef TSR_EXEC_CPU_LOOP_H
#define TSR_EXEC_CPU_LOOP_H

#include "exec/cpu/cpu.h"

#include "exec/kernel/tile.h"

typedef struct {
    const tsr_run *run;
    const tsr_xgroup *g;
    const tsr_cpu_code *cpu; /* of g */
    int64_t per_chunk;       /* MAP, ROWS: elements; LONG: pieces of a row; COLUMNS: rows */
    int64_t chunks_each;     /* LONG, COLUMNS: chunks of a row, or of reduced rows */
    char *partial;           /* LONG, COLUMNS: one result per chunk, with contiguous accumulators */
    size_t partial_bytes;    /* of one chunk */
} tsr_loop;

static inline tsr_loop tsr_loop_of(const tsr_run *r, const tsr_xgroup *g)
{
    return (tsr_loop){.run = r, .g = g, .cpu = tsr_cpu_code_of(r->p, g)};
}

/* A call: an instruction with the addresses that it reads and writes. Addresses in memory advance by a step after each
 * block; those of registers, or of data that is the same for all rows, do not. */
typedef struct {
    tsr_tile_fn *fn;        /* a kernel on all elements of a block; NULL: execute o */
    const tsr_cpu_instr *o; /* LOAD: prefetches later elements */
    char *out;
    const void *in[TSR_TILE_OPERANDS];
    int64_t out_step, in_step[TSR_TILE_OPERANDS];
    int64_t first; /* LOOKUP: the block's first element */
    bool streams;
    bool flows; /* operands and result are in memory, or one number: it needs no blocks */
} tsr_loop_call;

/* Prefetching of the elements that later blocks read, while this block is computed: a few lines before each step, since
 * the machine handles only a few outstanding loads, and stalls if there are more. */
enum { TSR_LOOP_ASKED = 8 };
typedef struct {
    const char *at[TSR_LOOP_ASKED]; /* a ring buffer */
    int64_t lines[TSR_LOOP_ASKED];
    uint32_t first, n;
    int64_t each; /* lines to prefetch before a step; 0: none */
} tsr_loop_asker;

typedef struct {
    const tsr_loop *l;
    tsr_loop_asker *ask;
    char **at;     /* by register: the current address of its elements */
    int64_t *step; /* by register, in a list of calls: bytes from block to block */
    tsr_loop_call *calls;
    char *registers;
    size_t each;
    tsr_fold *folds;
    char *columns; /* COLUMNS: accumulators */
    /* For a block of a product: its elements, from first on; rows are line elements apart in the loop, and their sums
     * stride elements apart. cols: elements per row of several rows; 0: results are contiguous. */
    char *product;
    int64_t first, cols, line, stride;
    /* In a list of calls per row of a factor, or per piece of rows of views: elements of a call; 0: another list. Of
     * views, the list has one row of so many, for movements that take rows of as many operands in turn. */
    int64_t row, ways;
    int64_t apart; /* chain: bytes from block to block */
    int64_t inner; /* elements of a row, without masked columns */
    /* For a masked row: set when masked columns would change a result; NULL: no columns are masked. */
    bool *differs;
} tsr_loop_worker;

/* The state of a worker, in its scratch memory. ask: as long-lived as the result. */
tsr_loop_worker tsr_loop_worker_of(const tsr_loop *l, int number, tsr_loop_asker *ask);
/* Executes the instructions that are the same for all blocks. */
void tsr_loop_begin(const tsr_loop_worker *w);
/* Executes one instruction on n elements. */
void tsr_loop_step(const tsr_loop_worker *w, const tsr_cpu_instr *o, int64_t start, int64_t n);
/* Executes all instructions on a block of n elements. */
void tsr_loop_run(const tsr_loop_worker *w, int64_t start, int64_t n);
/* The same block by block. */
void tsr_loop_run_range(const tsr_loop_worker *w, int64_t start, int64_t end);
/* The same as a list of calls, whose addresses are computed once. False: not possible. */
bool tsr_loop_run_calls(const tsr_loop_worker *w, int64_t start, int64_t end);
/* Runs rows of a factor, each as a list of calls. False: rows are too long, or an operand is not contiguous. */
bool tsr_loop_call_rows(tsr_loop_worker *w, const tsr_loop_block *b);
/* The address in memory, or in a factor, of the element of o's value that belongs to element from. */
char *tsr_loop_place(const tsr_loop_worker *w, const tsr_cpu_instr *o, int64_t from);
/* Runs a loop in mode LONG or COLUMNS. */
void tsr_loop_run_partial(tsr_loop *l);

#endif
