/* SPDX-License-Identifier: Apache-2.0 */
/* move.h - text that moves elements: offsets, boxes (box.c), and what the files of movements and products share. */
#ifndef TSR_GPU_MOVE_H
#define TSR_GPU_MOVE_H

#include "gpu/gpu.h"

/* Threads of a block of all kernels here. */
enum { TSR_GPU_THREADS = 256 };

/* A type of so many bytes, 1 to 16, that is copied at once. */
const char *tsr_gpu_bits_type(int64_t bytes);
/* Writes a function: the offset of element number i of a space, row major, with these strides. */
void tsr_gpu_write_offset(tsr_gpu_writer *w, const char *name, int rank, const int64_t *dims,
                          const int64_t *strides);
/* Whether numbers up to n, and offsets in such a space, need 64 bits. */
bool tsr_gpu_is_wide(int rank, const int64_t *dims, const int64_t *strides);

/* ---- Boxes ---- */

typedef struct {
    int64_t dim, to, from; /* strides in elements */
} tsr_gpu_axis;

/* A box that is copied. The innermost dimension is contiguous in the target, unless its size is 1. */
typedef struct {
    int64_t bytes;                /* of an element */
    int64_t to_align, from_align; /* bytes: what addresses are multiples of */
    bool splat;                   /* all elements are equal */
    uint8_t rank;
    tsr_gpu_axis axes[TSR_VIEW_RANK]; /* outermost first */
} tsr_gpu_box;

/* Writes a function name(from, to, block, room), which copies a part of the box; for a splat: name(low, high, to, block, room)
 * with 16 bytes of its pattern. Returns how many blocks there are; *shared: bytes of shared memory that it needs. 0: the
 * box is empty. */
int64_t tsr_gpu_write_box(tsr_gpu_writer *w, const char *name, tsr_gpu_box box, uint32_t *shared);

/* ---- Values ---- */

/* The shape of an operand with its strides in memory; whether all its elements are equal. */
void tsr_gpu_shape(const tsr_program *p, tsr_xid v, tsr_xshape *out);
bool tsr_gpu_is_splat(const tsr_program *p, tsr_xid v);
/* The word for a value's address, from its element with index 0 on, and so many elements after it. */
tsr_gpu_word tsr_gpu_at(tsr_gpu_maker *m, tsr_xid v, int64_t elements);
/* 8 of the 16 bytes of a splat's pattern. */
tsr_gpu_word tsr_gpu_pattern(const tsr_program *p, tsr_xid v, int half);
/* What that address is a multiple of, in bytes, at most 16. */
int64_t tsr_gpu_align(const tsr_program *p, tsr_xid v, int64_t elements);
/* A launch of the writer's kernel "run"; ends the writer. */
void tsr_gpu_run_kernel(tsr_gpu_maker *m, tsr_gpu_writer *w, int64_t blocks,
                        const tsr_gpu_word *words, uint32_t nwords);

/* Adds a launch that copies a box. */
bool tsr_gpu_copy_box(tsr_gpu_maker *m, const tsr_gpu_box *box, tsr_gpu_word to, tsr_gpu_word from);

bool tsr_gpu_pad(tsr_gpu_maker *m, const tsr_node *n);       /* pad.c */
bool tsr_gpu_random(tsr_gpu_maker *m, const tsr_node *n);    /* random.c */
bool tsr_gpu_take_rows(tsr_gpu_maker *m, const tsr_node *n); /* gather.c */
bool tsr_gpu_gather(tsr_gpu_maker *m, const tsr_node *n);    /* gather.c */

#endif
