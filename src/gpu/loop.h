/* SPDX-License-Identifier: Apache-2.0 */
/* loop.h - what the files of loops share: a kernel being written for the instructions of a group.
 *
 * A thread takes chunks: `each` elements that are next to each other, of one row. Passes over chunks are text: first all loads
 * of some chunks, then what is computed from them, then stores. Rows are reduced by lanes that stand next to each other; what
 * depends on a row's reduction runs in a later stage, on values that registers or shared memory have kept, or that are read
 * again.
 *
 * Names in the text: x, the first element of a chunk in its row; row; e, the element's number; c, the number of the chunk; k,
 * that of the element in it; t7, the value of instruction 7; q7, words or elements that instruction 7 has loaded; f7, a sum; s7,
 * words to be stored. */
#ifndef TSR_GPU_LOOP_H
#define TSR_GPU_LOOP_H

#include "gpu/gpu.h"

typedef enum { TSR_GPU_ELEMENT, TSR_GPU_ROW, TSR_GPU_ONCE, TSR_GPU_ALIAS } tsr_gpu_scope;

/* How the elements of a chunk are in memory. */
typedef enum {
    TSR_GPU_WORDS,    /* next to each other: words of 32 bits */
    TSR_GPU_ELEMENTS, /* one by one, at equal distances */
    TSR_GPU_PLACES,   /* one by one, anywhere */
    TSR_GPU_SAME,     /* one for all */
} tsr_gpu_way;

typedef struct {
    uint8_t scope, way;
    bool after;  /* a reduction: ready one stage later */
    bool kept;   /* all chunks of the thread have it in registers, for later stages */
    bool given;  /* its array has been declared */
    bool needed; /* in the pass that is being written */
    /* ROW, ONCE: elements are divided by it, and multiplied by its inverse instead. */
    bool divides;
    uint32_t in[TSR_TILE_OPERANDS]; /* instructions */
    uint32_t stage, ready; /* the first in which it can run, be read; STORE: in which it runs */
    uint32_t uses;         /* stages that need it, as bits */
    uint32_t word;         /* number of its address */
    size_t shared;         /* words of shared memory before its own + 1; 0: not there */
} tsr_gpu_fact;

typedef struct {
    int64_t rows, inner; /* elements of a row; MAP: one row */
} tsr_gpu_space;

typedef struct {
    tsr_gpu_maker *m;
    tsr_gpu_writer w;
    const tsr_program *p;
    const tsr_xgroup *g;
    tsr_gpu_fact *of; /* by instruction */
    uint32_t n, stages;
    TSR_VEC(tsr_gpu_word) words;
    tsr_gpu_space space;
    uint32_t each, chunks, lanes, threads; /* lanes: of a row */
    uint32_t blocks;                       /* at least so many at a time; 0: one */
    bool passes;                           /* elements are read again in each stage */
    bool once;                             /* streams that do not fit the cache */
    size_t shared;                         /* words of shared memory */
    const char *chunk;                     /* what says where a chunk is */
    const char *live;                      /* condition of a chunk; NULL: all are */
    bool ok;
} tsr_gpu_kernel;

/* ---- loop_memory.c ---- */

/* How a chunk of a LOAD is read. */
tsr_gpu_way tsr_gpu_way_of(const tsr_gpu_kernel *l, const tsr_instr *o);
/* The type of numbers of rows or elements up to most. */
const char *tsr_gpu_index(int64_t most);
/* Where the element x of a row is in a view: an expression. */
const char *tsr_gpu_position(tsr_gpu_kernel *l, const tsr_xview *v, tsr_gpu_space space,
                             const char *row, const char *x);
/* The type of elements in memory; NULL: kernels do not have it. */
const char *tsr_gpu_cell(tsr_dtype d);
/* The number of the word with a value's address. */
uint32_t tsr_gpu_word_of(tsr_gpu_kernel *l, tsr_xid v);
void tsr_gpu_words(tsr_gpu_kernel *l); /* of each LOAD and STORE */
void tsr_gpu_pointers(tsr_gpu_kernel *l);
/* Declares the array that a LOAD reads chunks to. */
void tsr_gpu_declare(tsr_gpu_kernel *l, uint32_t i, uint32_t chunks);
void tsr_gpu_load(tsr_gpu_kernel *l, uint32_t i);
/* An element of what has been loaded. */
const char *tsr_gpu_loaded(tsr_gpu_kernel *l, uint32_t i);
/* Before, for each element, and after a chunk's elements: stores. */
void tsr_gpu_store_begin(tsr_gpu_kernel *l, uint32_t i);
void tsr_gpu_store_put(tsr_gpu_kernel *l, uint32_t i);
void tsr_gpu_store_end(tsr_gpu_kernel *l, uint32_t i);

/* ---- loop_code.c ---- */

void tsr_gpu_once(tsr_gpu_kernel *l); /* values that are the same for all elements */
void tsr_gpu_rows(tsr_gpu_kernel *l, uint32_t stage); /* values of rows */
void tsr_gpu_row_stores(tsr_gpu_kernel *l);
/* A pass over the chunks of a thread. */
void tsr_gpu_pass(tsr_gpu_kernel *l, uint32_t stage);
/* The sums of a stage: declares them, joins those of the lanes of a row. */
void tsr_gpu_folds_begin(tsr_gpu_kernel *l, uint32_t stage);
void tsr_gpu_folds_end(tsr_gpu_kernel *l, uint32_t stage);
/* The instruction that gives an operand, through SPREAD. */
uint32_t tsr_gpu_source(const tsr_gpu_kernel *l, uint32_t i);
/* The divisor of an instruction that multiplies by its inverse; UINT32_MAX: it is no such division. */
uint32_t tsr_gpu_divisor(const tsr_gpu_kernel *l, uint32_t i);
const char *tsr_gpu_operand(tsr_gpu_kernel *l, uint32_t i, tsr_dtype want);
const char *tsr_gpu_join(tsr_gpu_kernel *l, uint32_t i, const char *a, const char *b);
/* Joins value, a variable of the type that is reduced, over the lanes of a row. */
void tsr_gpu_over_lanes(tsr_gpu_kernel *l, uint32_t i, const char *value);
/* The C type of a local variable. */
const char *tsr_gpu_local(tsr_dtype d);

/* ---- loop_parts.c: rows and columns that are reduced in parts ---- */

void tsr_gpu_long(tsr_gpu_kernel *l);
void tsr_gpu_columns(tsr_gpu_kernel *l);

/* ---- loop.c ---- */

/* Sets how many elements a chunk has, and how chunks are read. */
void tsr_gpu_find_chunk(tsr_gpu_kernel *l, bool whole_rows);
void tsr_gpu_find_ways(tsr_gpu_kernel *l);
/* A kernel of l->threads threads, whose words are l->words. */
void tsr_gpu_kernel_begin(tsr_gpu_kernel *l, const char *name);
void tsr_gpu_kernel_end(tsr_gpu_kernel *l);
/* Adds its launch. shared: bytes. */
void tsr_gpu_launch(tsr_gpu_kernel *l, uint32_t text, const char *name, int64_t blocks0,
                    int64_t blocks1, size_t shared);

#endif
