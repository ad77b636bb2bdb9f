/* SPDX-License-Identifier: Apache-2.0 */
/* cpu.h - how this processor runs groups: loops, products, movements (backend.c). */
#ifndef TSR_EXEC_CPU_H
#define TSR_EXEC_CPU_H

#include "exec/cpu/code.h"
#include "exec/run/run.h"

/* Runs a LOOP; the bytes of scratch memory that one thread needs for it. */
void tsr_run_loop(const tsr_run *r, const tsr_xgroup *g);
size_t tsr_loop_scratch(const tsr_xgroup *g, const tsr_cpu_code *cpu);
/* Runs one chunk of a loop without partial results. */
void tsr_run_loop_chunk(const tsr_run *r, const tsr_xgroup *g, int64_t chunk, int worker);
/* Runs the loops of a section, from its first on, as backends do. */
uint32_t tsr_run_section(tsr_run *r, const tsr_xid *groups);
/* Copies n elements that are stride elements apart (loop.c). */
void tsr_load_strided(char *dst, const char *src, int64_t stride, int64_t n, uint32_t bytes);
/* Copies elements start to start + n of a view, in order. */
void tsr_load_view(const tsr_xview *v, tsr_dtype type, const char *from, int64_t start, int64_t n,
                   char *to);
/* Whether these elements are contiguous; place: of the first one. */
bool tsr_is_contiguous(const tsr_xview *v, int64_t start, int64_t n, int64_t *place);
/* Elements of a movement that is part of the loop (part.c): copied, or where they are, in place or copied to `to`. */
void tsr_load_part(const tsr_run *r, const tsr_cpu_instr *o, int64_t start, int64_t n, char *to);
const char *tsr_part_at(const tsr_run *r, const tsr_cpu_instr *o, int64_t start, int64_t n,
                        char *to);
/* Copies elements of a lookup in a table; in: indices (lookup.c). */
void tsr_load_lookup(const tsr_run *r, const tsr_cpu_instr *o, int64_t start, int64_t n,
                     const void *const *in, char *to);
/* A block of a loop's product: rows of cols elements of the loop from start on, line elements apart; their sums are
 * stride elements apart. For a loop before a product: where the factor's elements go. */
typedef struct {
    int worker;
    int64_t start, line, rows, cols;
    char *product;
    int64_t stride, bytes; /* bytes: of a sum or element */
    int64_t apart;         /* chain: elements from block to block of rows */
    int64_t reach;         /* columns that the group's mask leaves: see tsr_loop_reach */
} tsr_loop_block;
void tsr_run_loop_block(const tsr_run *r, const tsr_xgroup *g, const tsr_loop_block *b);
/* The number of columns up to the last one where the mask is true in any of some rows; all, without a mask. */
int64_t tsr_loop_reach(const tsr_run *r, const tsr_xgroup *g, int64_t row, int64_t rows);
/* Runs a movement. False: no memory. */
bool tsr_run_move(const tsr_run *r, const tsr_node *n);
/* Runs a product, alone or with the loops of its group. False: no memory. panels: from tsr_pack_contract, or NULL. */
bool tsr_run_contract(const tsr_run *r, const tsr_xgroup *g, const void *panels);
/* Packs the second factor of a product that runs many times with the same one (tsr_thin_pack). */
void *tsr_pack_contract(const tsr_run *r, const tsr_xgroup *g);

/* Runs a whole loop, as backends do (backend.h): one whose groups never wait. */
bool tsr_run_short(tsr_run *r, const tsr_node *n, bool *ok);

#endif
