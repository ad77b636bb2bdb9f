/* run.h - a program that runs: pointers of its values, and scratch memory of the threads. */
#ifndef TSR_EXEC_RUN_H
#define TSR_EXEC_RUN_H

#include "base/threads.h"
#include "eval/mesh.h"
#include "exec/run/contract.h"
#include "exec/program.h"

/* A block that runs, for node (NULL: the function), and the group that comes next. */
typedef struct {
    const tsr_block_program *block;
    const tsr_node *node;
    size_t at;
} tsr_run_frame;

typedef struct {
    const tsr_program *p;
    tsr_eval *e;
    TSR_VEC(tsr_run_frame) frames; /* a stack: a run can be left where it waits, and go on */
    bool again;                    /* the next group has waited, and runs once more */
    bool leaves;                   /* the group is done, and others have not read what it brought */
    bool failed;                   /* it has ended so, when they have */
    bool overlaps; /* all devices run this program: collectives begin before they end */
    tsr_op_log **
        started; /* by node: what a collective that has begun has done; NULL: no program has such */
    char *arena;
    char **at;        /* by value: where its elements are */
    tsr_tensor **box; /* by value: BOX */
    char *scratch;
    size_t scratch_bytes; /* of each thread */
    int threads;
    const tsr_run_hooks *hooks;  /* may be NULL, as may the next two */
    tsr_tensor *const *into;     /* as in hooks */
    tsr_tensor *const *given_up; /* as in hooks */
} tsr_run;

/* Where the element with index 0 in all dimensions of an operand lies, through views. */
static inline char *tsr_run_at(const tsr_run *r, tsr_xid v)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    if (x->place != TSR_PLACE_VIEW)
        return r->at[v];
    return r->at[x->base] + x->view->offset * (int64_t)tsr_dtype_bytes((tsr_dtype)x->dtype);
}

/* The tensor that the caller gives up for argument i; NULL: none. */
static inline tsr_tensor *tsr_given_up(const tsr_run *r, uint32_t i)
{
    return r->given_up ? r->given_up[i] : NULL;
}

/* Begins a run; scratch: tsr_program_scratch bytes for each thread that works on it. False: e's failure. */
bool tsr_run_open(tsr_run *r, tsr_tensor *const *in, char *scratch);
/* Runs until it ends, fails, or waits for other devices. */
tsr_advance tsr_run_advance(tsr_run *r);
/* After the end: results, which become the caller's. */
bool tsr_run_give(tsr_run *r, tsr_tensor **out, size_t nout);
void tsr_run_close(tsr_run *r);
size_t tsr_program_scratch(const tsr_program *p);

/* Runs a LOOP; the bytes that one thread needs for it. */
void tsr_run_loop(const tsr_run *r, const tsr_xgroup *g);
size_t tsr_loop_scratch(const tsr_xgroup *g);
/* Of a loop without partial results: elements of a chunk, and one chunk. */
int64_t tsr_loop_chunk(const tsr_xgroup *g);
void tsr_run_loop_chunk(const tsr_run *r, const tsr_xgroup *g, int64_t chunk, int worker);
/* The loops of a section, from its first on. */
void tsr_run_section(const tsr_run *r, const tsr_xid *groups);
/* n elements that lie stride elements apart (loop.c). */
void tsr_load_strided(char *dst, const char *src, int64_t stride, int64_t n, uint32_t bytes);
/* Elements start to start + n of a view, in order. */
void tsr_load_view(const tsr_xview *v, tsr_dtype type, const char *from, int64_t start, int64_t n,
                   char *to);
/* The same of a movement that the loop does itself (part.c). */
void tsr_load_part(const tsr_run *r, const tsr_instr *o, int64_t start, int64_t n, char *to);
/* A block of the product of a loop: rows of cols elements of the loop from start on, line elements apart; their sums, stride apart. Of a loop before a product: where elements of the factor go. */
typedef struct {
    int worker;
    int64_t start, line, rows, cols;
    char *product;
    int64_t stride, bytes; /* of an element there */
    int64_t apart;         /* of a chain: elements from block to block of its rows */
    int64_t reach;         /* columns that the mask of the group looks at: see tsr_loop_reach */
} tsr_loop_block;
void tsr_run_loop_block(const tsr_run *r, const tsr_xgroup *g, const tsr_loop_block *b);
/* The columns of some rows up to the last where the mask is true; without one all. */
int64_t tsr_loop_reach(const tsr_run *r, const tsr_xgroup *g, int64_t row, int64_t rows);
/* watch.c: runs a group by run, and tells the hooks. */
bool tsr_run_watched(tsr_run *r, tsr_xid group, bool (*run)(tsr_run *r, const tsr_xgroup *g));
/* The same for a group of control flow, when its blocks have run. False: the caller ends the run. */
bool tsr_run_told(tsr_run *r, tsr_xid group);
/* Runs a loop whose groups never wait to its end; ok: there was memory for it. False: it is none, and nothing has run. */
bool tsr_run_short(tsr_run *r, const tsr_node *n, bool *ok);
/* A value as a tensor: a reference, which lives no longer than the run. NULL: no memory. */
tsr_tensor *tsr_run_tensor(const tsr_run *r, tsr_xid v);
/* A movement. False: no memory. */
bool tsr_run_move(const tsr_run *r, const tsr_node *n);
/* A product, alone or with the loop of its group. False: no memory. panels: what tsr_pack_contract gave, or NULL. */
bool tsr_run_contract(const tsr_run *r, const tsr_xgroup *g, const void *panels);
/* The second factor of a product for many runs with the same (tsr_thin_pack). */
void *tsr_pack_contract(const tsr_run *r, const tsr_xgroup *g);

#endif
