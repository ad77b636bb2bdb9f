/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - the loop program that a function is compiled to.
 *
 * A program is a list of groups that compute values. A group is a loop nest that runs as a unit: elementwise ops with
 * their reductions (LOOP), a matrix product, alone or with a loop that runs on each finished block (CONTRACT), a
 * movement of boxes (MOVE), control flow with the groups of its regions, a collective, or one op on the evaluator's
 * kernel (OTHER).
 * Groups are data: run.c executes them, dump.c prints them. Compilation: build.c reads the IR and creates nodes; join.c
 * puts each node into a group; finish.c orders the groups and turns nodes into instructions; memory.c assigns memory to
 * values. */
#ifndef TSR_EXEC_PROGRAM_H
#define TSR_EXEC_PROGRAM_H

#include "base/device.h"
#include "eval/eval.h"
#include "exec/tiles.h"
#include "exec/view.h"

typedef uint32_t tsr_xid; /* number of a value, a node or a group */
#define TSR_XNONE UINT32_MAX

typedef enum {
    TSR_PLACE_NOWHERE, /* used inside its group only, in a register */
    TSR_PLACE_VIEW,    /* a view of another value: base, view */
    TSR_PLACE_SPLAT,   /* all elements are equal: bits */
    TSR_PLACE_IOTA,    /* each element is its index along one dimension */
    TSR_PLACE_ARENA,   /* planned memory: offset */
    /* In a tensor: an argument's, a constant's, or one that is made when the value is computed: results of the evaluator's
     * kernels, values of dynamic sizes. */
    TSR_PLACE_ARGUMENT,
    TSR_PLACE_CONSTANT,
    TSR_PLACE_TENSOR,
} tsr_place;

typedef struct {
    tsr_type *type;
    const int64_t *dims;
    int64_t n; /* number of elements; -1: dynamic */
    uint8_t place, dtype, rank;
    bool is_result;         /* a result of the function: its memory becomes the caller's */
    bool part;              /* an intermediate value of op, not one of its results */
    bool unrounded;         /* bf16, f16: one op reads it as it is in f32 (plan/rounding.c) */
    tsr_xid node;           /* the node that computes it; TSR_XNONE: none */
    tsr_xid fence;          /* VIEW: the barrier that it is a result of; TSR_XNONE: none */
    tsr_xid base;           /* VIEW */
    tsr_xid shares;         /* the value whose buffer it reuses; TSR_XNONE: none */
    const tsr_xshape *view; /* VIEW */
    uint64_t bits[2];       /* SPLAT: the element */
    tsr_tensor *box;        /* CONSTANT: its tensor, whose elements may be the module's */
    uint32_t argument;      /* ARGUMENT: its number + 1; 0: none */
    uint32_t donates;       /* argument: number + 1 of the result whose donor it is; 0: none */
    uint32_t first, last;   /* live range, in steps of the program */
    uint32_t last_inside;   /* loop-carried: its last use in the body */
    uint32_t loop;          /* number of the loop node + 1 that carries it; 0: none */
    size_t offset;
    const tsr_op *op;   /* the op that it comes from, for reports; may be NULL */
    uint32_t result;    /* of it: as which of its results, if it is one */
    tsr_type *given_as; /* result: its type, whose shape may differ */
    /* Result: number + 1 of the argument whose buffer it reuses when the caller donates it; 0: none. */
    uint32_t donor;
    tsr_xid host; /* number + 1 of the result in whose buffer it is stored, at offset; 0: none */
    /* Result: number + 1 of a value that dies where the result is computed, and in whose place it may be computed; 0:
     * none. */
    tsr_xid guest;
    bool follows; /* result: the guest is stored in its buffer, and it is computed in place */
    /* Value of an evaluator's kernel: number + 1 of the function's result that it is; 0: none. */
    uint32_t given;
    tsr_xid copy;   /* number + 1 of the last copy of a view of it; 0: none */
    tsr_xid folded; /* number + 1 of the last loop with reductions that reads all of it; 0: none */
    tsr_xid
        slice_of; /* slice read in place: number + 1 of the value that it is a part of; 0: none */
    bool spent;   /* such a slice: nobody reads its memory after its own readers (plan/slots.c) */
    tsr_xid heir; /* number + 1 of the value that takes over the buffer next, sharing it; 0: none */
    uint32_t mark; /* scratch; 0 between uses */
} tsr_xvalue;

typedef enum {
    TSR_NODE_TILE,   /* an elementwise op */
    TSR_NODE_REDUCE, /* along the inner dimensions, or along dimensions before them */
    TSR_NODE_CONTRACT,
    TSR_NODE_MOVE,
    TSR_NODE_BARRIER, /* does nothing: its results are computed after all of its operands */
    TSR_NODE_ZEROS, /* counts divisors that are 0, as the evaluator's kernels do before they divide */
    TSR_NODE_CHECK, /* fails where the evaluator's kernel of its op would fail: see tsr_check_kind */
    TSR_NODE_OTHER,
    TSR_NODE_COLLECTIVE, /* devices exchange and combine values: comm */
    TSR_NODE_WHILE,
    TSR_NODE_CASE,
    TSR_NODE_START, /* contributes the operands of a collective; its done node takes the results */
} tsr_node_kind;

typedef enum {
    TSR_MOVE_COPY,          /* copies a view */
    TSR_MOVE_BYTES,         /* the same bytes, as elements of another size */
    TSR_MOVE_CONCATENATE,   /* numbers: the dimension */
    TSR_MOVE_PAD,           /* numbers: low, then interior, of each dimension */
    TSR_MOVE_DYNAMIC_SLICE, /* the other operands are the start indices */
    TSR_MOVE_UPDATE_SLICE,  /* the same; start indices may be in numbers */
    TSR_MOVE_ROWS,    /* rows of a table at the indices in the second operand, which are clamped */
    TSR_MOVE_GATHER,  /* windows of the first operand at the indices in the second */
    TSR_MOVE_SCATTER, /* writes the third operand into the first, at the indices in the second */
    /* Writes single elements of the second operand into the first; the others are components of index vectors. */
    TSR_MOVE_ELEMENTS,
    TSR_MOVE_SORT,     /* along the last dimension */
    TSR_MOVE_MATRICES, /* factorizations and triangular solves */
    TSR_MOVE_SCAN, /* numbers: the dimension, whether it runs backwards, the kernel that combines two, whether it begins
                    * with 0 */
    TSR_MOVE_WEAVE,   /* interleaves real and imaginary parts */
    TSR_MOVE_PROCESS, /* the device's id; numbers: 0 its replica, 1 its partition, 2 among all */
    TSR_MOVE_RANDOM,  /* bits from a state, and the next state (cpu/random.c) */
    TSR_MOVE_FFT,     /* along a dimension and later ones */
    /* Operands of select_and_scatter. Numbers: the comparison that keeps the first of two; size, stride, low padding of
     * each dimension. */
    TSR_MOVE_PICK,
    /* Starts from the second operand. Numbers: the kernel that combines two; size, stride, dilation, low padding of
     * each dimension. */
    TSR_MOVE_WINDOW,
} tsr_move_kind;

/* Numbers of MOVE_RANDOM: whether it is Threefry, and the dimension into whose neighbours the two words of a block go;
 * outer, size and inner are 0 for a plain stream of words. */
enum { TSR_RANDOM_FRY, TSR_RANDOM_OUTER, TSR_RANDOM_SIZE, TSR_RANDOM_INNER, TSR_RANDOM_NUMBERS };

typedef enum {
    TSR_CHECK_CACHE, /* the operand's elements are rows of a cache; numbers: how many there are */
    TSR_CHECK_MESH,  /* the processes of the run are the devices of the module's mesh */
} tsr_check_kind;

/* Parts of a manual computation. Inside another one, its body is the device's own work. */
typedef enum {
    TSR_MANUAL_WHOLE,
    TSR_MANUAL_TAKE, /* the device's part of each operand */
    TSR_MANUAL_GIVE, /* results, from the parts of several devices */
} tsr_manual_part;

struct tsr_block_program;

typedef struct {
    uint8_t kind, move;
    uint8_t tile;  /* TILE: tsr_tile_op, or one of those below */
    uint8_t of;    /* TILE: type of the operands */
    uint8_t fold;  /* REDUCE: tsr_fold_kind */
    uint8_t check; /* CHECK: tsr_check_kind */
    bool by_row;   /* has one element per row of its group */
    bool late;     /* REDUCE: its result is available only after the whole group has run */
    uint8_t over;  /* MOVE: number + 1 of the operand whose buffer result 0 may reuse; 0: none */
    bool dead;     /* its results are unused */
    bool effect;   /* it has a side effect, or a node inside it has one */
    /* It, or a node inside it, counts divisors that are 0, or checks: it runs even if its results are unused. */
    bool counts;
    uint32_t nin, nout;
    tsr_xid *in, *out;
    const tsr_op *op; /* the op that it has location and attributes from */
    tsr_xid group;
    /* REDUCE: the operand is rows x reduced x inner elements, reduced along the middle; inner 1: along rows. */
    int64_t inner, reduced;
    struct tsr_contract *contract;          /* CONTRACT */
    const int64_t *numbers;                 /* MOVE: see tsr_move_kind; CHECK: tsr_check_kind */
    const struct tsr_places_plan *places;   /* MOVE: GATHER, SCATTER, ELEMENTS; TILE: LOOKUP */
    const struct tsr_sort_plan *sort;       /* MOVE: SORT */
    const struct tsr_linalg_plan *matrices; /* MOVE: MATRICES */
    struct tsr_fft_step *fft;               /* MOVE: FFT */
    uint32_t ncarried; /* WHILE: operands that are loop-carried; the others are read inside */
    struct tsr_block_program **blocks; /* WHILE: condition, body; CASE: branches */
    uint32_t nblock;
    /* WHILE, CASE: the first node of its regions, whose nodes are all those up to this one. */
    uint32_t first_inside;
    /* OTHER: values that its regions capture, and, in the same order, their values in the IR. */
    tsr_xid *captured;
    tsr_value **captured_as;
    uint32_t ncaptured;
    const tsr_op *function; /* OTHER: the function that contains the op */
    /* OTHER: the program that each device of a manual computation runs; NULL: no manual computation. */
    const struct tsr_program *device;
    uint8_t manual; /* OTHER: which part of a manual computation it is (tsr_manual_part) */
    const struct tsr_comm
        *comm;    /* COLLECTIVE, its START: parameters, with a reducer that is known */
    bool started; /* COLLECTIVE, OTHER: it has a START */
    tsr_xid done; /* START: the node that takes the results */
    /* OTHER: an op that changes an operand in place has one more result, which replaces the operand from there on. */
} tsr_node;

/* Whether a node, or a group of it, runs on a kernel of the evaluator: on the host collectives do, too. */
static inline bool tsr_is_kernel(uint8_t kind)
{
    return kind == TSR_NODE_OTHER || kind == TSR_NODE_COLLECTIVE;
}

/* LOOKUP: elements of its last operand, a table, at the indices that the others give (cpu/lookup.c). */
/* BITS: the operand's bits as a type of the same size; nothing is computed. */
enum { TSR_TILE_BITS = 253, TSR_TILE_LOOKUP = 254, TSR_TILE_CONVERT = 255 };
/* Whether the op of a TILE costs little. */
static inline bool tsr_is_cheap(const tsr_node *n)
{
    return n->tile == TSR_TILE_CONVERT || n->tile == TSR_TILE_BITS ||
           tsr_tile_is_cheap((tsr_tile_op)n->tile);
}
/* Whether operand k of a node is the table of a lookup, which is in memory, and read in any order. */
static inline bool tsr_is_table(const tsr_node *n, uint32_t k)
{
    return n->kind == TSR_NODE_TILE && n->tile == TSR_TILE_LOOKUP && k + 1 == n->nin;
}

typedef enum {
    TSR_LOOP_MAP,
    TSR_LOOP_ROWS,    /* with reductions of rows of inner elements */
    TSR_LOOP_LONG,    /* the same for rows that are too long for a block: results are late */
    TSR_LOOP_COLUMNS, /* with reductions of a dimension before the inner ones: results are late */
} tsr_loop_mode;

/* The order of sums that are made of parts, which bits depend on. LONG: the elements of a part of a row. COLUMNS: the
 * rows of a part. Parts are added in order. */
enum { TSR_PART_OF_ROW = 16384 };
static inline int64_t tsr_rows_of_part(int64_t inner)
{
    enum { ELEMENTS = 16384, LEAST = 64 };
    return ELEMENTS / inner > LEAST ? ELEMENTS / inner : LEAST;
}

/* Instructions of a LOOP, which say what it computes for element i of n, and how rows of inner elements are reduced, for
 * any machine to read: which elements run together, what is kept where, and when, is the reader's own choice. A reader
 * may rely on this:
 *
 * - Registers are in SSA form. `out` of an instruction is a register that no other one defines, below the group's
 *   nregister; a STORE has none (TSR_NO_REGISTER). Each of in[0] to in[nin - 1] is defined by an earlier instruction.
 *   Every register is read, but for the results of late reductions.
 * - A register has one number per element, of type dtype; or, where the instruction has by_row or is a FOLD, one per
 *   row: element i reads that of row i / inner through a SPREAD, and only by_row instructions read it directly.
 *   Instructions with invariant have the same number in all elements and rows, and may be read by both.
 * - i1 is 0 or 1 in a byte, of which only the last bit counts in memory. Narrow floats are computed as f32
 *   (tsr_register_type), between CONVERTs; an op on them is never an op on the narrow type.
 * - Groups of mode MAP have no reductions. ROWS: a FOLD ends with the row's last element; what depends on it, through
 *   SPREAD or by_row instructions, runs on the whole row after it. LONG, COLUMNS: reductions are late: nothing in the
 *   group reads the result of a FOLD or a COLUMN, which becomes `value` in memory, converted from dtype, after the last
 *   element; `bits` is their number, below nfold.
 * - COLUMNS: elements are batch x reduced x inner; a COLUMN adds element (b, k, i) to accumulator (b, i).
 * - A STORE with over writes memory that the loop may also read: that of an operand which dies here, each element of
 *   which is then read for the same element of the result; or the sums of a product. It waits until the loads of these
 *   elements, in all instructions, have been done. All other STOREs write memory that the loop does not read. */
typedef enum {
    TSR_I_LOAD, /* reads a value from memory: element i, or row i / inner (by_row), of view */
    /* Reads the sums of a product: of the group's product, slot 1: of its product `also`. */
    TSR_I_PRODUCT,
    TSR_I_PART, /* reads elements through a movement among the group's nodes; view: an array, by operand */
    /* Reads elements of a table, value, at computed indices; view: where places are counted from. */
    TSR_I_LOOKUP,
    TSR_I_SPLAT,   /* one number, bits, in all elements */
    TSR_I_IOTA,    /* the place of the element in view */
    TSR_I_TILE,    /* op on elements of type from; a comparison has i1 as dtype */
    TSR_I_CONVERT, /* from from to dtype */
    TSR_I_SPREAD,  /* one number per row, in each element of its row */
    TSR_I_FOLD,    /* reduces each row to one number */
    TSR_I_COLUMN,  /* adds elements to accumulators of columns */
    /* Writes a value to memory: element i, or row i / inner (by_row). Without a value (TSR_XNONE): over the sums of the
     * group's product, as slot number slot of given, or where the factor that the loop gives is packed from. */
    TSR_I_STORE,
} tsr_instr_kind;

#define TSR_NO_REGISTER UINT16_MAX

typedef struct {
    /* dtype: of the result; from: of the operands, in registers, or of LOAD's value in memory. */
    uint8_t kind, nin, dtype, from;
    uint8_t op;     /* TILE: tsr_tile_op; FOLD, COLUMN: that of two partial results */
    uint8_t fold;   /* FOLD, COLUMN: tsr_fold_op */
    uint8_t slot;   /* PRODUCT, STORE without a value */
    bool by_row;    /* works on one element per row */
    bool invariant; /* the same for all elements */
    bool whole;     /* LOAD: elements are contiguous, in memory order: element i is number i */
    bool over;      /* STORE: see above */
    /* CONVERT to a narrow type and back: needed only below the type's normal numbers, as one op alone reads it. */
    bool loose;
    uint16_t out, in[TSR_TILE_OPERANDS];
    tsr_xid
        value; /* in memory: of LOAD, LOOKUP, STORE, late FOLD and COLUMN; PRODUCT, PART: the node's result */
    /* LOAD, IOTA: of the elements, or rows, in order, a view of value; NULL: all of it, in order (whole). */
    const tsr_xview *view;
    uint64_t bits; /* SPLAT: the number; late FOLD, COLUMN: which accumulator */
    tsr_xid node;  /* that it comes from; not of LOAD, IOTA, SPLAT, SPREAD and CONVERT */
} tsr_instr;

struct tsr_block_program;

/* A product that contracts rows of a chain, X^T Y: it takes each block of rows of X once the loop has run on it. */
enum { TSR_TAILS = 3 };
typedef struct {
    tsr_xid node;
    bool right; /* X is the second factor: Y^T X */
} tsr_tail;

typedef struct {
    uint8_t kind, mode; /* tsr_node_kind of its nodes, tsr_loop_mode */
    struct tsr_block_program *home;
    /* A group with a side effect that must run before this one's; TSR_XNONE: none. */
    tsr_xid after;
    uint32_t level;
    tsr_xid into; /* the group that it was joined to; itself: none */
    TSR_VEC(tsr_xid) nodes;
    TSR_VEC(tsr_xid) users;    /* groups that read its results */
    int64_t n, inner, reduced; /* elements, elements of a row; COLUMNS: number of reduced rows */
    bool staged;               /* nodes run on whole rows after the rows' reduction */
    /* Loop: the CONTRACT node among its nodes, on whose blocks it runs. CONTRACT with other nodes: that node.
     * TSR_XNONE: none. */
    tsr_xid product;
    /* Loop with a product. also: a second product with as many rows and columns, whose blocks the loop reads; then: the
     * CONTRACT node that multiplies its rows; TSR_XNONE: none. tails: products that contract its rows with others. A
     * group with then or tails is a chain. */
    tsr_xid also, then;
    tsr_tail tails[TSR_TAILS];
    uint8_t ntail;
    /* With a product: by side, number + 1 of the loop that computes the factor during packing, whose nodes are among
     * this group's; 0: none. */
    uint32_t before[2];
    /* Such a loop: number + 1 of the factor, whose rows are inner elements apart; 0: no such loop. */
    uint32_t gives;
    /* Set by code.c: the instructions of a loop, for any target. */
    const tsr_instr *code;
    uint32_t ncode, nregister;
    uint32_t nfold; /* LONG, COLUMNS: accumulators */
    /* Chain: values that the loop leaves in blocks of rows, by slot. */
    tsr_xid given[TSR_TAILS + 1];
    uint8_t ngiven;
    uint32_t step, end; /* first and last step, set by finish.c */
    tsr_xid work;       /* memory that the target works in while it runs; TSR_XNONE: none */
    uint8_t mark;       /* it runs (finish.c) */
} tsr_xgroup;

/* The groups of a function or a region, in the order in which they run. */
typedef struct tsr_block_program {
    TSR_VEC(tsr_xid) groups;
    tsr_xid *args, *results;
    uint32_t nargs, nresults;
    uint32_t first, last; /* steps */
    bool *owned;          /* function: by result, whether no earlier result has the same memory */
} tsr_block_program;

typedef struct tsr_program {
    tsr_arena arena;
    tsr_module *module;
    const tsr_op *function;
    tsr_plan *plan;
    bool owns_plan;
    TSR_VEC(tsr_xvalue) values;
    TSR_VEC(tsr_node) nodes;
    TSR_VEC(tsr_xgroup) groups;
    tsr_block_program main;
    struct tsr_programs *inner; /* programs of manual computations; NULL: none */
    uint32_t nsteps;
    uint32_t nstart;       /* number of START nodes */
    uint64_t flight_bytes; /* copies of their operands: most bytes at any time */
    bool strict;           /* round after each op */
    bool ranks, unread;    /* as in the options */
    const struct tsr_target *target;
    const struct tsr_backend *backend; /* NULL: the program is only read */
    tsr_device *device;                /* where its values are; NULL: in the host's memory */
    /* With a device: constants and splats (at least 16 bytes each) are in its memory from the beginning; by value: where
     * in it (upload.c). */
    struct tsr_device_block *lasting;
    size_t *lasting_at;
    void *code;       /* the backend's (backend.h) */
    tsr_status unfit; /* why the backend has no code for it */
    /* A constant could not be created, perhaps for lack of memory: its op runs on the evaluator's kernel. */
    bool starved;
    /* Size of the arena, and its lower bound: the most live bytes at any step. */
    size_t arena_bytes, least_bytes;
    uint32_t peak_step;
    /* Results of the evaluator's kernels, which have tensors of their own: the most live bytes at any step, and that
     * step. The results that are dead after a step are dying[dying_at[step]] to dying[dying_at[step + 1]]. */
    size_t unplanned_bytes;
    uint32_t unplanned_step;
    tsr_xid *dying;
    uint32_t *dying_at;
} tsr_program;

typedef struct {
    bool strict;
    /* Devices belong to several ranks: overlapping their communication is worth more memory. */
    bool ranks;
    const struct tsr_backend *backend; /* what runs the program (backend.h); NULL: this processor */
    const struct tsr_target *target;   /* of a program that is only read; NULL: it runs */
    bool unread;        /* nobody reads or runs its instructions: groups and memory are wanted */
    tsr_device *device; /* where the backend runs it, which outlives it; NULL: on the host */
    tsr_plan *plan;     /* of the module, which outlives the program; NULL: it makes its own */
} tsr_program_options;

/* Compiles a function of a module that is ready to run and must not change while the program exists. NULL: no
 * memory. */
tsr_program *tsr_program_new(tsr_module *m, const tsr_op *function,
                             const tsr_program_options *options);
void tsr_program_free(tsr_program *p);
/* Hooks of a run: what it reports after each group, times, and where results go. */
typedef struct {
    uint64_t runs;
    double seconds; /* of all runs, excluding the groups of its regions */
} tsr_group_time;
typedef struct {
    void *user;
    /* Receives the values that the group wrote to memory, with their tensors, which are valid during the call. False
     * ends the run. May be NULL, as may progress. */
    bool (*observe)(void *user, const tsr_program *p, tsr_xid group, const tsr_xid *values,
                    tsr_tensor *const *tensors, size_t n);
    bool (*progress)(void *user, const tsr_program *p, tsr_xid group);
    double (*clock)(void);
    tsr_group_time *times;   /* by group; needs clock; NULL: not measured */
    struct tsr_trace *trace; /* timeline (trace.h); NULL: not recorded */
    int worker;              /* with trace: number of the thread that runs it */
    /* By result: the tensor that it is computed in; NULL, or a NULL element: a new tensor. */
    tsr_tensor *const *into;
    /* Donation: by argument, the tensor that the caller donates, or NULL: in[i] itself, or the tensor that in[i]
     * borrows its data from. Nobody else may use that tensor or its data. Where the function donates the argument
     * (tf.aliasing_output, jax.buffer_donor) and a result can be computed in its place (tsr_program_donor), the result
     * is a reference to this very tensor. Other tensors are not changed. NULL: none. */
    tsr_tensor *const *donated;
    bool
        stay; /* results stay in the device's memory, and may not be computed yet (eval/tensor.h: where) */
} tsr_run_hooks;
/* Runs the program; in is borrowed, out becomes the caller's. Several threads may run one program, each with its own e,
 * initialized by tsr_eval_init. hooks may be NULL. False: see e->failure. */
bool tsr_program_run(const tsr_program *p, tsr_eval *e, tsr_tensor *const *in, size_t nin,
                     tsr_tensor **out, size_t nout, const tsr_run_hooks *hooks);
void tsr_program_dump(const tsr_program *p, tsr_buf *out);
/* Memory of a run (report.c). */
void tsr_program_memory(const tsr_program *p, tsr_memory_use *out); /* all but the workspace */
uint64_t tsr_program_workspace(const tsr_program *p);
/* Bytes of the planned values in memory while each step runs: 1 + nsteps of them. */
void tsr_program_live(const tsr_program *p, uint64_t *out);
/* Estimate of a run's bytes and flops; negative where it depends on the run: loops, evaluator's kernels, dynamic
 * sizes. */
double tsr_program_work(const tsr_program *p);
/* A group's kind ("map", "row", ...), its ops ("add+tanh"), and the location of its first op. */
const char *tsr_group_kind(const tsr_xgroup *g);
void tsr_group_name(const tsr_program *p, const tsr_xgroup *g, tsr_buf *out);
tsr_loc tsr_group_loc(const tsr_program *p, const tsr_xgroup *g);
/* The number of the result that is computed in argument i's buffer when that is donated; TSR_XNONE: none. */
uint32_t tsr_program_donor(const tsr_program *p, uint32_t i);
/* Whether the function donates argument i (tf.aliasing_output, jax.buffer_donor). */
bool tsr_is_donated(const tsr_program *p, uint32_t i);
/* The number of groups that run on the evaluator's kernels. */
uint32_t tsr_program_others(const tsr_program *p);

/* ---- Internal to exec ---- */

/* Bytes of a value; 0 if it has no elements or a dynamic size. At most 2^48, so that sums do not overflow: a program
 * that large is refused before it runs. */
static inline uint64_t tsr_xvalue_bytes(const tsr_xvalue *x)
{
    const uint64_t most = (uint64_t)1 << 48;
    uint64_t one = tsr_dtype_bytes((tsr_dtype)x->dtype);
    if (x->n <= 0 || x->type->kind != TSR_TYPE_TENSOR || !one)
        return 0;
    return (uint64_t)x->n > most / one ? most : (uint64_t)x->n * one;
}
/* Whether the value has bytes of its own in the arena. */
static inline bool tsr_xvalue_is_planned(const tsr_xvalue *x)
{
    return x->place == TSR_PLACE_ARENA && !x->is_result && !x->host && !x->slice_of &&
           x->shares == TSR_XNONE && (x->node != TSR_XNONE || x->loop);
}
/* Whether a value is a tensor of its own. */
static inline bool tsr_has_tensor(const tsr_xvalue *x)
{
    return x->place >= TSR_PLACE_ARGUMENT;
}
/* The value whose buffer v shares, through any number of values; v itself if it has its own. */
static inline tsr_xid tsr_buffer_of(const tsr_program *p, tsr_xid v)
{
    while (p->values.data[v].shares != TSR_XNONE)
        v = p->values.data[v].shares;
    return v;
}
/* Whether v lies in a slice, whose address is another one in each turn of a loop. */
static inline bool tsr_is_in_slice(const tsr_program *p, tsr_xid v)
{
    return p->values.data[tsr_buffer_of(p, v)].slice_of != 0;
}
/* The value in memory that v is a view of, through any number of views; v itself if it is no view. */
static inline tsr_xid tsr_storage_of(const tsr_program *p, tsr_xid v)
{
    while (p->values.data[v].place == TSR_PLACE_VIEW)
        v = p->values.data[v].base;
    return v;
}
/* Whether v is its storage, or a view of all of it in order; out (may be NULL) receives the view. */
bool tsr_is_whole(const tsr_program *p, tsr_xid v, tsr_xview *out);
/* upload.c: brings what lasts as long as the program into its device's memory. False: status says why. */
bool tsr_program_upload(tsr_program *p, tsr_status *status);
tsr_xid tsr_xgroup_find(const tsr_program *p, tsr_xid group); /* the group it was joined to */
static inline bool tsr_is_chain(const tsr_xgroup *g)
{
    return g->then != TSR_XNONE || g->ntail;
}
/* Whether a node of a group is a product of the loop's results. */
static inline bool tsr_is_end(const tsr_xgroup *g, tsr_xid node)
{
    bool is = node == g->then;
    for (uint8_t i = 0; i < g->ntail; i++)
        is |= node == g->tails[i].node;
    return is;
}
/* turn.c: products that are only read in another order are computed in that order. */
void tsr_products_turn(tsr_program *p);
/* epilogue.c: loops that read a product element by element run on its blocks, in one group with it. */
void tsr_products_join(tsr_program *p);
/* Removes groups without nodes from a block and the blocks inside it. */
void tsr_groups_keep(tsr_program *p, tsr_block_program *b);
/* Adds a node to a group, whose nodes are sorted by number. */
void tsr_group_add(tsr_xgroup *g, tsr_xid node);
/* through.c: movements that one loop reads element by element become part of it. */
void tsr_moves_join(tsr_program *p);
/* Elements of such a movement that are contiguous in the operand or all padding; 0: their number varies. */
int64_t tsr_part_row(const tsr_program *p, const tsr_node *n);
/* slices_in_place.c: contiguous dynamic slices are read in place. */
void tsr_slices_in_place(tsr_program *p);
/* slots.c: finds those whose memory is of no use after them. */
void tsr_slots_find(tsr_program *p);
/* prologue.c: maps whose result is a factor of one product run while the factor is packed, in the product's group. */
void tsr_prologues_join(tsr_program *p);
/* Whether a node of group g belongs to a loop that computes a factor of its product. */
static inline bool tsr_is_before(const tsr_xgroup *g, const tsr_node *n)
{
    return n->group != TSR_XNONE && (n->group + 1 == g->before[0] || n->group + 1 == g->before[1]);
}
/* schedule.c: groups run later where that takes less memory; levels become positions in the order. */
void tsr_groups_schedule(tsr_program *p);
/* rounding.c: decides which narrow floats are rounded only where they are written to memory. */
void tsr_values_round(tsr_program *p);
/* recompute.c: loops recompute cheap values of earlier loops when they can be computed from fewer bytes that are in
 * memory; nodes that are no longer needed are marked dead. */
void tsr_values_recompute(tsr_program *p);
/* finish.c: adds up how often nodes of loop number end, and results of its regions, read each value in memory. */
void tsr_loop_reads(const tsr_program *p, size_t end, uint32_t *counts);
/* Orders groups, plans memory and generates instructions. */
void tsr_program_finish(tsr_program *p);
void tsr_memory_plan(tsr_program *p);
/* overlap.c: collectives become pairs of start and done, with other groups in between. */
void tsr_collectives_split(tsr_program *p);
tsr_dtype tsr_register_type(tsr_dtype d); /* f32 for narrow floats, otherwise d */

/* join.c: puts a node of a block into a group: one that computes an operand, or a new one. effect: the last group with
 * a side effect. */
void tsr_node_join(tsr_program *p, tsr_block_program *block, tsr_xid node, tsr_xid *effect);
bool tsr_has_effect(const tsr_op *op);
/* Marks each value in memory with how often it is read, also as a result of a block; and takes all marks away. */
void tsr_values_mark_reads(tsr_program *p);
void tsr_values_unmark(tsr_program *p);
/* How a node of group g reads v. */
typedef enum {
    TSR_READ_MEMORY,
    TSR_READ_SAME,   /* a value of g, element by element */
    TSR_READ_BY_ROW, /* a value with one element per row, broadcast over the row */
    TSR_READ_NONE,   /* a number or an index: nothing is read */
    TSR_READ_BAD,    /* a value of g in another order */
} tsr_read;
tsr_read tsr_read_of(const tsr_program *p, tsr_xid group, bool by_row, tsr_xid v);

#endif
