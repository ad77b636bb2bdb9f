/* run.h - the state of a run: addresses of values, and scratch memory of the threads. */
#ifndef TSR_EXEC_RUN_H
#define TSR_EXEC_RUN_H

#include "base/threads.h"
#include "eval/mesh.h"
#include "exec/contract.h"
#include "exec/program.h"

/* A block that is running, for node (NULL: the function), and the index of its next group. */
typedef struct {
    const tsr_block_program *block;
    const tsr_node *node;
    size_t at;
} tsr_run_frame;

typedef struct {
    const tsr_program *p;
    tsr_eval *e;
    /* A stack: a run can be suspended where it waits, and resumed. */
    TSR_VEC(tsr_run_frame) frames;
    bool again; /* the next group has waited, and runs again */
    /* The group is done, but others have not yet read its operands. */
    bool leaves;
    bool failed;   /* the run failed; it ends once others have read its operands */
    bool overlaps; /* all devices run this program: collectives are split */
    /* By node: the log of a collective that has started; NULL: the program starts none. */
    tsr_op_log **started;
    tsr_stepper *grids; /* runs programs of manual computations; NULL: there are none */
    char *arena;
    char **at;        /* by value: the address of its elements */
    tsr_tensor **box; /* by value: BOX */
    char *scratch;
    size_t scratch_bytes; /* of each thread */
    int threads;
    const tsr_run_hooks *hooks; /* may be NULL, as may the next two */
    tsr_tensor *const *into;    /* as in hooks */
    tsr_tensor *const *donated; /* as in hooks */
} tsr_run;

/* The address of the element with index 0 in all dimensions of an operand, through views. */
static inline char *tsr_run_at(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    if (x->place != TSR_PLACE_VIEW)
        return r->at[v];
    return r->at[x->base] + x->view->offset * (int64_t)tsr_dtype_bytes((tsr_dtype)x->dtype);
}

/* The tensor that the caller donates for argument i; NULL: none. */
static inline tsr_tensor *tsr_donated(const tsr_run *r, uint32_t i)
{
    return r->donated ? r->donated[i] : NULL;
}

/* Begins a run; scratch: tsr_program_scratch bytes for each thread that works on it. False: see e's failure. */
bool tsr_run_open(tsr_run *r, tsr_tensor *const *in, char *scratch);
/* Runs until it ends, fails, or waits for other devices. */
tsr_advance tsr_run_advance(tsr_run *r);
/* After the end: the results, which become the caller's. */
bool tsr_run_give(tsr_run *r, tsr_tensor **out, size_t nout);
void tsr_run_close(tsr_run *r);
size_t tsr_program_scratch(const tsr_program *p);

/* Runs a LOOP; the bytes of scratch memory that one thread needs for it. */
void tsr_run_loop(const tsr_run *r, const tsr_xgroup *g);
size_t tsr_loop_scratch(const tsr_xgroup *g);
/* Runs one chunk of a loop without partial results. */
void tsr_run_loop_chunk(const tsr_run *r, const tsr_xgroup *g, int64_t chunk, int worker);
/* Runs the loops of a section, from its first on. */
void tsr_run_section(const tsr_run *r, const tsr_xid *groups);
/* Copies n elements that are stride elements apart (loop.c). */
void tsr_load_strided(char *dst, const char *src, int64_t stride, int64_t n, uint32_t bytes);
/* Copies elements start to start + n of a view, in order. */
void tsr_load_view(const tsr_xview *v, tsr_dtype type, const char *from, int64_t start, int64_t n,
                   char *to);
/* Whether these elements are contiguous; place: of the first one. */
bool tsr_is_contiguous(const tsr_xview *v, int64_t start, int64_t n, int64_t *place);
/* Elements of a movement that is part of the loop (part.c): copied, or where they are, in place or copied to `to`. */
void tsr_load_part(const tsr_run *r, const tsr_instr *o, int64_t start, int64_t n, char *to);
const char *tsr_part_at(const tsr_run *r, const tsr_instr *o, int64_t start, int64_t n, char *to);
/* Copies elements of a lookup in a table; in: indices (lookup.c). */
void tsr_load_lookup(const tsr_run *r, const tsr_instr *o, int64_t start, int64_t n,
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
/* watch.c: runs a group with run, and calls the hooks. */
bool tsr_run_watched(tsr_run *r, tsr_xid group, bool (*run)(tsr_run *r, const tsr_xgroup *g));
/* The same for a group of control flow whose blocks have run. False: the caller ends the run. */
bool tsr_run_told(tsr_run *r, tsr_xid group);
/* Runs a whole loop whose groups never wait; ok: there was enough memory. False: it is no such loop, and nothing has
 * run. */
bool tsr_run_short(tsr_run *r, const tsr_node *n, bool *ok);
/* A value as a tensor: a reference that is valid only during the run. NULL: no memory. */
tsr_tensor *tsr_run_tensor(const tsr_run *r, tsr_xid v);
/* Runs a movement. False: no memory. */
bool tsr_run_move(const tsr_run *r, const tsr_node *n);
/* Runs a product, alone or with the loops of its group. False: no memory. panels: from tsr_pack_contract, or NULL. */
bool tsr_run_contract(const tsr_run *r, const tsr_xgroup *g, const void *panels);
/* Packs the second factor of a product that runs many times with the same one (tsr_thin_pack). */
void *tsr_pack_contract(const tsr_run *r, const tsr_xgroup *g);

#endif
