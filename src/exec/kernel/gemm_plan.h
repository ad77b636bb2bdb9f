/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_plan.h - the plan of a matrix product: shared by gemm.c, which makes and runs it, and gemm_pack.c, which packs
 * panels. Internal to these two files. */
#ifndef TSR_EXEC_KERNEL_GEMM_PLAN_H
#define TSR_EXEC_KERNEL_GEMM_PLAN_H

#include "base/round.h"
#include "exec/kernel/gemm.h"
#include "exec/kernel/isa/isa.h"

typedef struct {
    const tsr_gemm *g;
    const tsr_isa *isa;
    const tsr_micro *micro;
    tsr_tile_fn *widen, *narrow; /* NULL: types are the same */
    tsr_dtype sum;
    int64_t in_size, packed_size, sum_size, out_size;
    int64_t rows, cols;     /* of the largest tile */
    int64_t depth;          /* of a step */
    int64_t m0, ms, n0, ns; /* the part of C that is being computed */
    int64_t k0;             /* the step of the grids at which the depth starts */
    bool adds;              /* add to the numbers in C */
    int64_t block_m, block_n, blocks_m, blocks_n; /* blocks of that part */
    bool packs_b;                                 /* ahead, for all blocks */
    bool copies_b;                                /* the first tile of each panel packs it */
    bool late_a;                                  /* each block packs its own rows, step by step, */
    bool in_place;                                /* or reads them in place */
    bool wide;  /* blocks are chosen by what they cost: large ones, for a large cache */
    bool apart; /* sums of a block are in scratch memory */
    int64_t panels_a, panels_b; /* number of panels that are packed ahead now */
    int64_t per_chunk;          /* matrices of the batch per chunk, if they are small */
    int64_t batch;              /* number of the current matrix */
    char *a, *b;                /* packed */
    char *picture;              /* of B, with its zero padding; NULL: none */
    int64_t picture_first, picture_rows, picture_origin;
    char *own; /* scratch of the workers */
    /* Bytes of each worker's scratch, and offsets of its parts. */
    int64_t own_size, own_b, own_c, own_a, own_g, own_p;
} tsr_gemm_plan;

/* The depth of a panel that covers k steps. */
static inline int64_t tsr_pack_depth(const tsr_gemm_plan *p, int64_t k)
{
    return tsr_round_up(k, p->micro->pad);
}

/* ---- Packing (gemm_pack.c) ---- */

/* Where a matrix is read from: at points to the element at offset origin. */
typedef struct {
    const char *at;
    int64_t origin;
} tsr_pack_source;

/* Panels of a side that is computed when it is packed, from first to end, over the depth from k on. to: the first
 * panel; each panel has held steps. */
typedef struct {
    bool is_a;
    int64_t batch, first, end, k, depth, held;
    char *to;
} tsr_pack_fill;

/* The range of a step of the depth outside which a panel of A is zero, as a causal mask leaves it in the factors of
 * gradients. Stored after the panels, by panel and step. If B is finite only this range is multiplied; the bits are the
 * same. */
typedef struct {
    int32_t first, end;
} tsr_pack_span;

static inline int64_t tsr_pack_panel_bytes(const tsr_gemm_plan *p)
{
    return tsr_round_up(tsr_round_up(p->ms, p->rows) * tsr_pack_depth(p, p->g->k) * p->packed_size,
                        64);
}

static inline int64_t tsr_pack_a_bytes(const tsr_gemm_plan *p)
{
    if (p->late_a)
        return 0;
    int64_t spans = tsr_div_up(p->ms, p->rows) * tsr_div_up(p->g->k, p->depth);
    return tsr_pack_panel_bytes(p) + tsr_round_up(spans * (int64_t)sizeof(tsr_pack_span), 64);
}

/* The spans of a panel; NULL: its kind has none. With late_a panels are those of a block, over one step of the depth. */
static inline tsr_pack_span *tsr_pack_spans(const tsr_gemm_plan *p, const char *a, int64_t panel)
{
    if (p->micro != &p->isa->micros[TSR_MICRO_F32] || (p->late_a && !p->wide))
        return NULL;
    if (p->late_a)
        return (tsr_pack_span *)(a + p->block_m * p->depth * p->packed_size) + panel;
    return (tsr_pack_span *)(a + tsr_pack_panel_bytes(p)) + panel * tsr_div_up(p->g->k, p->depth);
}

static inline char *tsr_pack_b_panel(const tsr_gemm_plan *p, char *b, int64_t panel, int64_t k)
{
    return b + (panel * tsr_pack_depth(p, p->g->k) + k) * p->cols * p->packed_size;
}

/* The bytes of matrix number batch of A, or of B. */
tsr_pack_source tsr_pack_source_of(const tsr_gemm_plan *p, bool is_a, int64_t batch);
/* Elements of scratch (own_g) for windows before they are paired, or for computed elements. */
int64_t tsr_pack_box_elems(const tsr_gemm_plan *p);
/* Whether several panels of a side are computed at a time, and how many. */
bool tsr_pack_fills_lines(const tsr_gemm_plan *p, bool is_a);
int64_t tsr_pack_filled_panels(const tsr_gemm_plan *p, bool is_a);
/* Calls the function that computes a box of a side of g. Rows of the box have n elements each, line elements apart, and
 * room for whole vectors: partial vectors at the ends take longer. */
void tsr_pack_fill_box(const tsr_gemm *g, int side, int64_t n, int64_t line, tsr_gemm_box *box);

/* The nonzero range of a panel, or all of it. */
tsr_pack_span tsr_pack_span_of(const char *panel, int64_t depth, int64_t width);

/* own: the worker's scratch. */
void tsr_pack_filled(const tsr_gemm_plan *p, const tsr_pack_fill *f, char *own);
/* Packs one step of the depth of some rows of A. The last panel is as narrow as the tile sizes allow. */
void tsr_pack_a_step(const tsr_gemm_plan *p, tsr_pack_source from, int64_t row, int64_t lines,
                     int64_t k, char *out, char *own);
void tsr_pack_a_panels(const tsr_gemm_plan *p, int64_t batch, int64_t first, int64_t end, char *to,
                       char *own);
/* One step of the depth of a panel of B. */
void tsr_pack_b_step(const tsr_gemm_plan *p, int64_t batch, int64_t panel, int64_t k, char *out,
                     char *own);
void tsr_pack_b(const tsr_gemm_plan *p, int64_t batch, int64_t panel, char *to, char *own);
/* Packs adjacent panels together, some rows of all of them at a time: a row is read contiguously, with few TLB
 * misses. */
void tsr_pack_b_panels(const tsr_gemm_plan *p, int64_t batch, int64_t first, int64_t end, char *to,
                       char *own);

#endif
