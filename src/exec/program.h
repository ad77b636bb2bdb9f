/* program.h - the loop program: what a function becomes before it runs.
 *
 * A program is a list of groups over values. A group is a loop nest that runs as one: elementwise ops with their reductions
 * (LOOP), a matrix product, with a loop over each finished block or alone (CONTRACT), a movement of boxes (MOVE), control flow with the groups of its regions, or one op by
 * the evaluator's kernel (OTHER). Groups are data: run.c walks them, dump.c prints them. Build order: build.c reads the IR
 * and makes nodes; join.c puts each node into a group; finish.c orders the groups and turns nodes into instructions; memory.c
 * gives each value its place. */
#ifndef TSR_EXEC_PROGRAM_H
#define TSR_EXEC_PROGRAM_H

#include "eval/eval.h"
#include "exec/kernel/tile.h"
#include "exec/view.h"

typedef uint32_t tsr_xid; /* number of a value, a node or a group */
#define TSR_XNONE UINT32_MAX

typedef enum {
    TSR_PLACE_NOWHERE, /* inside its group only, in a register */
    TSR_PLACE_VIEW,    /* of another value: base, view */
    TSR_PLACE_SPLAT,   /* one number everywhere: bits */
    TSR_PLACE_IOTA,    /* of one dimension: its index */
    TSR_PLACE_ARENA,   /* planned memory: offset */
    TSR_PLACE_BOX, /* a tensor of its own: arguments, constants, results of the evaluator's kernels */
} tsr_place;

typedef struct {
    tsr_type *type;
    const int64_t *dims;
    int64_t n; /* elements; -1: not known before the run */
    uint8_t place, dtype, rank;
    bool is_result;         /* of the function: its memory becomes the caller's */
    bool part;              /* of what op computes, none of its results */
    tsr_xid node;           /* that computes it; TSR_XNONE: none */
    tsr_xid fence;          /* VIEW: the barrier that it comes out of; TSR_XNONE: none */
    tsr_xid base;           /* VIEW */
    tsr_xid shares;         /* the value whose memory it takes over; TSR_XNONE: none */
    const tsr_xshape *view; /* VIEW */
    uint64_t bits[2];       /* SPLAT: the element */
    tsr_tensor *box;        /* BOX: of a constant */
    uint32_t argument;      /* BOX: number + 1; 0: none */
    uint32_t lends; /* of an argument: number + 1 of the result that has it as donor; 0: none */
    uint32_t first, last; /* when it is alive, in steps of the program */
    uint32_t last_inside; /* of what goes from turn to turn of a loop: its last use in the body */
    uint32_t loop;        /* number of the loop node + 1 that carries it; 0: none */
    size_t offset;
    const tsr_op *op;   /* where it came from, for reports; may be NULL */
    tsr_type *given_as; /* of a result: its type, which may be of another shape */
    uint32_t
        donor; /* of a result: number + 1 of the argument whose memory it takes over when the caller gives it up; 0: none */
    tsr_xid host; /* number + 1 of a result in whose memory it lies, at offset; 0: none */
    tsr_xid
        guest; /* of a result: number + 1 of the value that dies where it is computed, in whose place it may be; 0: none */
    bool follows; /* of a result: that value lies in its memory, and it is computed in its place */
    uint32_t
        given; /* of what a kernel of the evaluator's computes: number + 1 of the function's result that it is; 0: none */
    tsr_xid copy;  /* number + 1 of the last copy of a view of it; 0: none */
    tsr_xid lent;  /* of a slice: number + 1 of the value in whose memory it is read; 0: none */
    uint32_t mark; /* scratch; 0 between uses */
} tsr_xvalue;

typedef enum {
    TSR_NODE_TILE,   /* an elementwise op */
    TSR_NODE_REDUCE, /* along the inner dimensions, or along some before them */
    TSR_NODE_CONTRACT,
    TSR_NODE_MOVE,
    TSR_NODE_BARRIER, /* does nothing: what comes out of it is computed after all that goes in */
    TSR_NODE_ZEROS, /* counts divisors that are 0, which the evaluator's kernels do before they divide */
    TSR_NODE_OTHER,
    TSR_NODE_WHILE,
    TSR_NODE_CASE,
    TSR_NODE_START, /* brings the operands of a collective to where others meet; done takes the results */
} tsr_node_kind;

typedef enum {
    TSR_MOVE_COPY,          /* of a view */
    TSR_MOVE_CONCATENATE,   /* numbers: the dimension */
    TSR_MOVE_PAD,           /* numbers: low, then interior, of each dimension */
    TSR_MOVE_DYNAMIC_SLICE, /* where it starts is in the other operands */
    TSR_MOVE_UPDATE_SLICE,  /* the same, or in numbers */
    TSR_MOVE_ROWS, /* of a table, at the places in the second operand, or the nearest that are there */
    TSR_MOVE_GATHER,   /* windows of the first operand at the places in the second */
    TSR_MOVE_SCATTER,  /* the third operand to the places in the second, into the first */
    TSR_MOVE_SORT,     /* along the last dimension */
    TSR_MOVE_MATRICES, /* factors and solutions of matrices */
    TSR_MOVE_SCAN, /* numbers: the dimension, whether it runs backwards, the kernel that joins two */
    TSR_MOVE_WEAVE,   /* two parts to complex numbers */
    TSR_MOVE_PROCESS, /* the number of the device; numbers: 0 its replica, 1 its partition */
    TSR_MOVE_FFT,     /* along a dimension, and others behind it */
    TSR_MOVE_PICK, /* numbers: the comparison that keeps the first of two; size, stride, low padding of each dimension. Operands are those of select_and_scatter */
    TSR_MOVE_WINDOW, /* numbers: the kernel that joins two; size, stride, dilation, low padding of each dimension. Begins with the second operand */
} tsr_move_kind;

/* A manual computation inside of another one: its body is the device's own work. */
typedef enum {
    TSR_MANUAL_WHOLE,
    TSR_MANUAL_TAKE, /* the device's part of each operand */
    TSR_MANUAL_GIVE, /* results of parts of several devices */
} tsr_manual_part;

struct tsr_block_program;

typedef struct {
    uint8_t kind, move;
    uint8_t tile; /* TILE: tsr_tile_op, or TSR_TILE_CONVERT */
    uint8_t of;   /* TILE: type of the operands */
    uint8_t fold; /* REDUCE: tsr_fold_kind */
    bool by_row;  /* of one element for each row of its group */
    bool late;    /* REDUCE: its result is there when the whole group has run */
    uint8_t over; /* MOVE: number + 1 of the operand in whose place result 0 may be; 0: none */
    bool dead;    /* nobody needs what it computes */
    bool effect;  /* it has one, or what is inside it has */
    bool
        counts; /* it counts divisors that are 0, or what is inside it does: it runs even when nobody needs what it computes */
    uint32_t nin, nout;
    tsr_xid *in, *out;
    const tsr_op *op; /* whose location and attributes count */
    tsr_xid group;
    int64_t inner,
        reduced; /* REDUCE: rows of inner elements after reduced ones: inner 1 is along rows */
    struct tsr_contract *contract;          /* CONTRACT */
    const int64_t *numbers;                 /* MOVE: see tsr_move_kind */
    const struct tsr_places_plan *places;   /* MOVE: GATHER, SCATTER */
    const struct tsr_sort_plan *sort;       /* MOVE: SORT */
    const struct tsr_linalg_plan *matrices; /* MOVE: MATRICES */
    struct tsr_fft_plan *fft;               /* MOVE: FFT */
    uint32_t ncarried; /* WHILE: operands that go from turn to turn; the others are read inside */
    struct tsr_block_program **blocks; /* WHILE: condition, body; CASE: branches */
    uint32_t nblock;
    uint32_t first_inside; /* WHILE, CASE: the first node of its regions, which go up to itself */
    tsr_xid *captured;     /* OTHER: values that its regions use, beside captured_as */
    tsr_value **captured_as;
    uint32_t ncaptured;
    const tsr_op *function; /* OTHER: that holds the op */
    const struct tsr_program
        *device;    /* OTHER: what each device of a manual computation runs; NULL: it is none */
    uint8_t manual; /* OTHER: the part of a manual computation that it is (tsr_manual_part) */
    bool started;   /* OTHER: there is a START before it */
    tsr_xid done;   /* START: the node that takes the results */
    /* OTHER: an op that changes an operand in place has one more result, which is the operand from there on. */
} tsr_node;

enum { TSR_TILE_CONVERT = 255 };

typedef enum {
    TSR_LOOP_MAP,
    TSR_LOOP_ROWS,    /* with reductions of rows of inner elements */
    TSR_LOOP_LONG,    /* the same of rows that are too long for a block: results come late */
    TSR_LOOP_COLUMNS, /* with reductions along a dimension before inner ones: results come late */
} tsr_loop_mode;

/* What a LOOP does, one instruction on a block of elements. by_row: on one element a row. */
typedef enum {
    TSR_I_LOAD,    /* of a value in memory */
    TSR_I_PRODUCT, /* elements of the block of the group's product */
    TSR_I_PART,    /* elements of a movement among the group's nodes; view: by operand */
    TSR_I_SPLAT,   /* of one number */
    TSR_I_IOTA,
    TSR_I_TILE,
    TSR_I_CONVERT,
    TSR_I_SPREAD, /* a row's element to all of the row */
    TSR_I_FOLD,   /* a row to its element */
    TSR_I_COLUMN, /* rows into the accumulator of columns */
    TSR_I_STORE,
    TSR_I_NOTHING, /* scratch of fuse.c */
} tsr_instr_kind;

typedef struct {
    uint8_t kind, nin, dtype,
        from; /* dtype: of the result; from: of the operand of CONVERT, memory type of LOAD */
    uint8_t fold;
    bool by_row;    /* works on one element a row */
    bool invariant; /* the same in every block: done once */
    bool
        repeats; /* LOAD, CONVERT: the same in every row of a product: done once for rows of a block */
    bool direct; /* TILE, CONVERT: the result is computed where value lies in memory */
    bool
        early; /* TILE, CONVERT: the same, before the STORE of value: what lies there has been read */
    bool streams;   /* STORE, and what is early: past the caches */
    uint8_t op;     /* TILE: tsr_tile_op */
    uint8_t number; /* TILE: the operand that is one number a row + 1; 0: none */
    uint8_t ones;   /* TILE: operands, a bit each, of which one element is read */
    uint8_t slot;   /* PRODUCT, STORE without a value: which block of rows of a chain */
    bool one;       /* SPLAT: of no operand more than one element is read */
    uint16_t out, in[TSR_TILE_OPERANDS];
    tsr_tile_fn *fn;
    tsr_tile_fn *twice; /* COLUMN: of two rows at once; NULL: there is none */
    tsr_xid
        value; /* LOAD, STORE, FOLD and COLUMN that go to memory; STORE: TSR_XNONE is the block of the product */
    const tsr_xview
        *view;  /* LOAD, IOTA: of the elements, or rows, in order; NULL: whole, and not invariant */
    bool whole; /* LOAD: as they lie in memory */
    bool fixed; /* LOAD: each block reads the same elements, which lie one behind the other */
    uint64_t bits; /* SPLAT */
    tsr_xid node;
} tsr_instr;

struct tsr_block_program;

/* A product that contracts rows of a chain: X^T Y, where a block of rows of X is there when the loop has run on it. */
enum { TSR_TAILS = 3 };
typedef struct {
    tsr_xid node;
    bool right; /* X is the second factor: Y^T X */
} tsr_tail;

typedef struct {
    uint8_t kind, mode; /* tsr_node_kind of its nodes; tsr_loop_mode */
    struct tsr_block_program *home;
    tsr_xid after; /* a group with an effect that comes before this one's; TSR_XNONE: none */
    uint32_t level;
    tsr_xid into; /* the group that it was joined to; itself: none */
    TSR_VEC(tsr_xid) nodes;
    TSR_VEC(tsr_xid) users;    /* groups that read what it computes */
    int64_t n, inner, reduced; /* elements; of a row; COLUMNS: rows that are reduced */
    bool staged;               /* something runs on whole rows after a reduction of them */
    tsr_xid
        product; /* of a loop: the CONTRACT node among its nodes, on whose blocks it runs; of a CONTRACT with other nodes: that node; TSR_XNONE: none */
    /* Of a loop with a product: another one of as many rows and columns whose blocks it reads; the CONTRACT node that multiplies its rows; TSR_XNONE: none. Those that
     * contract its rows with others. With any of the last two it is a chain. */
    tsr_xid also, then;
    tsr_tail tails[TSR_TAILS];
    uint8_t ntail;
    /* With a product: by side, number + 1 of the loop that computes the factor when it is packed, whose nodes are among this group's; 0: none. */
    uint32_t before[2];
    uint32_t
        gives; /* of such a loop: number + 1 of the factor; its rows are inner elements apart; 0: it is none */
    /* When finished: */
    tsr_instr *code;
    uint32_t ncode, nregister;
    int64_t block;      /* elements of a block */
    uint8_t width;      /* bytes of a register's element */
    uint32_t step, end; /* when it begins and ends */
    uint32_t nfold;     /* LONG, COLUMNS: accumulators */
    /* Of a chain: values that the loop leaves in blocks of rows, by block. */
    tsr_xid given[TSR_TAILS + 1];
    uint8_t ngiven;
    /* Of a chain: a select's condition, as it lies in memory. Behind its last true column all numbers of a row are equal; NULL: none. */
    const tsr_xview *mask;
    tsr_xid mask_of; /* its value in memory */
    uint8_t mark;    /* scratch of finish.c */
    uint32_t together,
        lane; /* section.c: groups from this one on that run without a barrier between them, or 0; which lane it is in */
} tsr_xgroup;

/* The groups of a function or a region, in the order in which they run. */
typedef struct tsr_block_program {
    TSR_VEC(tsr_xid) groups;
    tsr_xid *args, *results;
    uint32_t nargs, nresults;
    uint32_t first, last; /* steps */
    bool *owned; /* of a function: by result, whether its memory is that of no result before */
} tsr_block_program;

typedef struct tsr_program {
    tsr_arena arena;
    tsr_module *module;
    const tsr_op *function;
    tsr_plan *plan;
    TSR_VEC(tsr_xvalue) values;
    TSR_VEC(tsr_node) nodes;
    TSR_VEC(tsr_xgroup) groups;
    tsr_block_program main;
    struct tsr_stepper *grids; /* programs of manual computations; NULL: none */
    uint32_t nsteps;
    uint32_t nstart;       /* nodes of START */
    uint64_t flight_bytes; /* copies of what they bring, at a time, at most */
    bool strict;           /* round after each op */
    bool ranks, apart;     /* as in the options */
    bool
        starved; /* a constant could not be made, for lack of memory perhaps: the evaluator does it */
    size_t arena_bytes, least_bytes; /* planned; the greatest sum of what is alive at a time */
    uint32_t peak_step;
    /* Results of the evaluator's kernels, which have tensors of their own: the most that are alive at a time, and when; and by step
     * those that nobody reads after it, from dying_at[step] to dying_at[step + 1]. */
    size_t unplanned_bytes;
    uint32_t unplanned_step;
    tsr_xid *dying;
    uint32_t *dying_at;
} tsr_program;

typedef struct {
    bool strict;
    bool ranks; /* devices are of several ranks: what goes between them is worth more memory */
    bool
        apart; /* each movement has a group of its own, each map before a product and each slice: what is read has a place in memory */
} tsr_program_options;

/* Compiles a function of a module that is fit to run. The module must stay as it is while the program lives. NULL: no memory. */
tsr_program *tsr_program_new(tsr_module *m, const tsr_op *function,
                             const tsr_program_options *options);
void tsr_program_free(tsr_program *p);
/* Runs it; in is borrowed, out is the caller's. Several threads may run one program, each with its own e, which is one of
 * tsr_eval_init. False: e->failure. */
bool tsr_program_run(const tsr_program *p, tsr_eval *e, tsr_tensor *const *in, size_t nin,
                     tsr_tensor **out, size_t nout);
/* What a run tells of a group when it has run, how long it took, and where results go. */
typedef struct {
    uint64_t runs;
    double seconds; /* of all its runs, without those of groups in its regions */
} tsr_group_time;
typedef struct {
    void *user;
    /* Values that the group wrote to memory, beside their tensors, which die with the call. False: the run ends. May be NULL, as
     * the next. */
    bool (*observe)(void *user, const tsr_program *p, tsr_xid group, const tsr_xid *values,
                    tsr_tensor *const *tensors, size_t n);
    bool (*progress)(void *user, const tsr_program *p, tsr_xid group);
    double (*clock)(void);
    tsr_group_time *times;   /* by group, with clock; NULL: nobody wants to know */
    struct tsr_trace *trace; /* what ran when (trace.h); NULL: nobody wants to know */
    int worker;              /* with trace: the thread that runs it */
    tsr_tensor *const
        *into; /* by result: a tensor that it becomes; NULL, or one that is: a new one */
    /* Donation: by argument the tensor that the caller gives up, or NULL: in[i] itself, or the one that in[i] borrows its data
     * from. Nobody else may use it, or its data. Where the function donates the argument (tf.aliasing_output,
     * jax.buffer_donor) and a result can be computed in its place (tsr_program_donor), that result is a reference to this
     * very tensor. Others stay as they are. NULL: none. */
    tsr_tensor *const *given_up;
} tsr_run_hooks;
/* The same with hooks, which may be NULL. */
bool tsr_program_run_with(const tsr_program *p, tsr_eval *e, tsr_tensor *const *in, size_t nin,
                          tsr_tensor **out, size_t nout, const tsr_run_hooks *hooks);
void tsr_program_dump(const tsr_program *p, tsr_buf *out);
/* Memory of a run (report.c). */
void tsr_program_memory(const tsr_program *p, tsr_memory_use *out);
/* Bytes and flops of a run, an estimate; negative where none can be told before: loops, the evaluator's kernels, unknown sizes. */
double tsr_program_work(const tsr_program *p);
/* What a group is, "map", "row", ...; its ops, "add+tanh"; where its first one is. */
const char *tsr_group_kind(const tsr_xgroup *g);
void tsr_group_name(const tsr_program *p, const tsr_xgroup *g, tsr_buf *out);
tsr_loc tsr_group_loc(const tsr_program *p, const tsr_xgroup *g);
/* The number of the result that is computed in argument i's place when it is given up; TSR_XNONE: none. */
uint32_t tsr_program_donor(const tsr_program *p, uint32_t i);
/* Whether the function donates argument i (tf.aliasing_output, jax.buffer_donor). */
bool tsr_is_donated(const tsr_program *p, uint32_t i);
/* How many groups run by the evaluator's kernels. */
uint32_t tsr_program_others(const tsr_program *p);

/* ---- For the files of exec ---- */

/* Bytes of a value; none of one without elements or whose size is not known. No more than no machine has, so that sums of them
 * stay numbers: such a program is refused before it runs. */
static inline uint64_t tsr_xvalue_bytes(const tsr_xvalue *x)
{
    const uint64_t most = (uint64_t)1 << 48;
    uint64_t one = tsr_dtype_bytes((tsr_dtype)x->dtype);
    if (x->n <= 0 || x->type->kind != TSR_TYPE_TENSOR || !one)
        return 0;
    return (uint64_t)x->n > most / one ? most : (uint64_t)x->n * one;
}
/* A value's memory is that of its base, through views of it; the value that is in memory. */
static inline tsr_xid tsr_storage_of(const tsr_program *p, tsr_xid v)
{
    while (p->values.data[v].place == TSR_PLACE_VIEW)
        v = p->values.data[v].base;
    return v;
}
/* Whether v is its storage, or all of it in order; where it is a view, out (may be NULL) is that view. */
bool tsr_is_whole(const tsr_program *p, tsr_xid v, tsr_xview *out);
tsr_xid tsr_xgroup_find(const tsr_program *p, tsr_xid group); /* through joins */
static inline bool tsr_is_chain(const tsr_xgroup *g)
{
    return g->then != TSR_XNONE || g->ntail;
}
/* Whether a node of a group is a product of what its loop gives. */
static inline bool tsr_is_end(const tsr_xgroup *g, tsr_xid node)
{
    bool is = node == g->then;
    for (uint8_t i = 0; i < g->ntail; i++)
        is |= node == g->tails[i].node;
    return is;
}
/* epilogue.c: loops that read a product element by element run on its blocks, in one group with it. */
void tsr_products_join(tsr_program *p);
/* Takes those out of a block, and of blocks inside, that have no nodes. */
void tsr_groups_keep(tsr_program *p, tsr_block_program *b);
/* Adds a node to a group, whose nodes are in the order of their numbers. */
void tsr_group_add(tsr_xgroup *g, tsr_xid node);
/* through.c: movements that one loop reads element by element become part of it. */
void tsr_moves_join(tsr_program *p);
/* lend.c: dynamic slices that lie in one piece are read where they lie. */
void tsr_slices_lend(tsr_program *p);
/* prologue.c: maps whose result is a factor of one product are computed when it is packed, in one group with it. */
void tsr_prologues_join(tsr_program *p);
/* Whether a node of group g is of a loop before its product. */
static inline bool tsr_is_before(const tsr_xgroup *g, const tsr_node *n)
{
    return n->group != TSR_XNONE && (n->group + 1 == g->before[0] || n->group + 1 == g->before[1]);
}
/* schedule.c: groups run later where that takes less memory; levels are places in the order. */
void tsr_groups_schedule(tsr_program *p);
/* recompute.c: loops compute cheap values of earlier loops themselves, when they follow from fewer bytes that are in memory;
 * nodes that nobody needs any more are dead. */
void tsr_values_recompute(tsr_program *p);
/* finish.c: orders groups, plans memory, and makes instructions. */
void tsr_program_finish(tsr_program *p);
void tsr_memory_plan(tsr_program *p);
/* section.c: loops that need no barrier between them. */
void tsr_sections_find(tsr_program *p);
/* overlap.c: collectives become pairs of start and done, with other groups between. */
void tsr_collectives_split(tsr_program *p);
tsr_dtype tsr_register_type(tsr_dtype d); /* f32 for the narrow floats, itself otherwise */

/* join.c: puts a node of a block into a group: one that computes an operand, or a new one. effect: the last group with one. */
void tsr_node_join(tsr_program *p, tsr_block_program *block, tsr_xid node, tsr_xid *effect);
bool tsr_has_effect(const tsr_op *op);
/* How a node of group g reads v. */
typedef enum {
    TSR_READ_MEMORY,
    TSR_READ_SAME,   /* a value of g, element by element */
    TSR_READ_BY_ROW, /* a value of one element a row, spread over the row */
    TSR_READ_NONE,   /* a number or an index: nothing is read */
    TSR_READ_BAD,    /* a value of g in another order */
} tsr_read;
tsr_read tsr_read_of(tsr_program *p, tsr_xid group, bool by_row, tsr_xid v);

#endif
