/* SPDX-License-Identifier: Apache-2.0 */
/* program.h - random programs with shardings, as data: what the differential test of the
 * partitioner generates, prints, runs and shrinks.
 *
 * A program is a function over statements. A statement has operands and results (numbers of values)
 * and stands in a block; blocks nest in regions. Whatever a statement is, it can be taken out: its
 * results become arguments of the function.
 *
 * Elements are small integers wherever an op allows it. Each value has a bound of its elements;
 * where sums may round it also has the number of roundings on the way, and only then results are
 * compared with a tolerance. */
#ifndef TSR_TESTS_SPMD_PROGRAM_H
#define TSR_TESTS_SPMD_PROGRAM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/tessera.h"

enum {
    RANK = 5,
    AXES = 4,
    VALUES = 256,
    STMTS = 48,
    OPERANDS = 12,
    RESULTS = 4,
    FUNCS = 4,
    DEVICES = 8,
    MESH_MAX = 6
};

/* ---- Values ---- */

typedef enum { F32, F64, BF16, F16, I32, I64, I8, U8, U32, U64, I1, C64, ELEMS } elem;

typedef struct {
    int rank;
    int64_t d[RANK];
} shape;

typedef struct {
    int axis;
    int pre, size; /* a part of the axis; size 0: all of it */
} axis_ref;

typedef struct {
    bool set;
    int mesh;
    bool open[RANK];
    int n[RANK];
    axis_ref axes[RANK][AXES + 1];
    int nunreduced; /* axes that the value is still to be reduced along */
    axis_ref unreduced[AXES];
    int how; /* and how: 0 sum, 1 max, 2 min */
} sharding;

typedef struct {
    elem e;
    shape s;
    double mag; /* no element is larger; INFINITY: not known, perhaps NaN */
    bool whole; /* elements are integers that the type holds exactly; so do sums of them */
    bool
        firm; /* if mag is infinite: computed from such integers, so that errors stay small for its largest element */
    double steps;  /* roundings that may differ; 0: elements are equal bit by bit */
    bool arg;      /* of the main function */
    bool fresh;    /* a tuple or the like: nobody takes it */
    int low, high; /* of an argument's elements */
    int func;      /* of an argument of another function: its number + 1 */
    bool joined;   /* its op says that it is unreduced, and not a sum */
    sharding sh;
    const char *type; /* of what is no tensor: its type */
} value;

/* ---- Statements ---- */

typedef struct block block;

typedef struct {
    int op; /* row of the table of ops */
    const char *name, *props;
    int nin, in[OPERANDS], nout, out[RESULTS];
    const char *regions[2]; /* text that refers to nothing outside */
    int nblock;
    block *blocks[3];
    bool shards;     /* results may have shardings */
    bool constrains; /* its sharding is an operand's constraint */
    bool pinned;     /* a loop would not end without it */
    bool gone;
} stmt;

struct block {
    int nargs, args[8];
    int nstmt;
    stmt *stmts[STMTS];
    int nret, ret[8];
    const char *terminator;
};

typedef struct {
    int naxis, sizes[AXES]; /* no axes: no devices, or a single one */
    bool shuffled;
    int ids[DEVICES * 8];
    bool single; /* device ids[0] alone */
} mesh;

/* A function that bodies of manual computations call, as text. Axes are bits of its mesh. */
typedef struct {
    const char *text, *type; /* of its operand and its result; NULL: it is not done */
    elem e;
    shape s;
    int mesh, devices;
    unsigned along, bent,
        binds;           /* axes of collectives; of those that leave devices out; bound inside */
    bool numbers;        /* devices differ by their numbers */
    double takes, gives; /* bounds */
} helper;

typedef struct {
    uint64_t seed, state;
    int nvalue;
    value values[VALUES];
    block *main;
    int nfunc;
    block *funcs[FUNCS];
    int nmesh;
    mesh meshes[MESH_MAX]; /* the first one is of all devices */
    int nextra;            /* their names are @g0, @g1, ... */
    helper extra[FUNCS];
    bool empties; /* some dimensions have no elements */
    bool propagate;
    int nresult, results[8];
    sharding result_sh[8];
    /* while it is made */
    int scope[8], nscope; /* first value of each block that is open */
    bool isolated;        /* nothing from outside may be used, that is from before this value */
    int isolated_from;
    block *stack[8];
    block *at;
    int depth;
    int64_t most;     /* size of a dimension */
    int op;           /* row at hand */
    char *text[4096]; /* strings that it owns */
    int ntext;
    bool draws,
        manual; /* it has rng, or manual computations; not both: numbers are a process' own */
    int biased; /* kind of sharding that is wanted; -1: any */
} program;

/* ---- Random numbers ---- */

uint64_t next_random(program *p);
static inline int64_t below(program *p, int64_t n)
{
    return n > 0 ? (int64_t)(next_random(p) % (uint64_t)n) : 0;
}
static inline int64_t between(program *p, int64_t low, int64_t high) /* both count */
{
    return low + below(p, high - low + 1);
}
static inline bool chance(program *p, int percent)
{
    return below(p, 100) < percent;
}

/* ---- Making programs (program.c) ---- */

extern const char *const elem_names[ELEMS];
bool is_float(elem e);
bool is_int(elem e); /* i1 does not count */
/* Functions such as tanh may come out some units apart: where small differences matter, floats are whole numbers then. */
extern bool functions_differ;
/* Products ask for the highest precision. */
extern bool full_precision;
bool is_product(const stmt *s);
double elem_exact(elem e); /* integers up to this are held exactly; INFINITY for those that wrap */
double elem_epsilon(elem e);

const char *keep(program *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *type_of(program *p, elem e, const shape *s);
const char *ints_text(program *p, const int64_t *v, int n); /* array<i64: 1, 2> */
const char *list_text(program *p, const int64_t *v, int n); /* [1, 2] */

shape random_shape(program *p, int low, int high);
int64_t random_dim(program *p);
int64_t up_to(program *p, int64_t n); /* from 1 to n, or n if that is 0 */
/* How many windows of this reach there are. */
int64_t windows_in(int64_t padded, int64_t reach, int64_t stride);
int64_t elements(const shape *s);
elem random_elem(
    program *p,
    const char *
        among); /* letters: f float, i integer, s signed integer, b i1, c complex; repeated: more often */

int new_value(program *p, elem e, shape s);
/* A value of this type that exists, or an argument; exact: no roundings. mag: not larger. */
typedef struct {
    bool exact, finite;
    double mag;
} need;
int take(program *p, elem e, shape s, need n);
int any(program *p, const char *among, int low, int high, need n);
int arg_in(program *p, elem e, shape s, int low, int high); /* elements from low to high */
int constant_of(program *p, elem e, shape s, int low, int high);

stmt *emit(program *p, const char *name, const int *in, int nin, const int *out, int nout,
           const char *props);
/* Adds one op by its row; false: not now. */
bool add_op(program *p, int op);
block *new_block(program *p);
/* Opens a block, puts up to n ops in it, and closes it again. */
void open_block(program *p, block *b);
void fill_block(program *p, int n);
void close_block(program *p);

program *new_program(uint64_t seed, const int *ops, int nop, int64_t most, int bias);
void free_program(program *p);
/* Text (text.c). */
typedef struct {
    char *data;
    size_t n, cap;
} buffer;
void put(buffer *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *program_text(const program *p);         /* the caller frees it */
int program_args(const program *p, int *ids); /* values that are arguments, in order */

/* ---- What makers share (values.c) ---- */

#define NOTHING ((need){0})
#define EXACT ((need){.exact = true})
#define FINITE ((need){.finite = true})
#define PLAIN ((need){.exact = true, .finite = true}) /* for sums, orders and the like */
#define SCALAR ((shape){0})

static inline value *val(program *p, int id)
{
    return &p->values[id];
}
static inline bool wraps(elem e) /* sums of any size are equal in any order */
{
    return is_int(e) || e == I1;
}

int moved(program *p, elem e, shape s, const int *from, int n);
bool sized(program *p, int id, double mag, bool whole, double steps, double terms);
int scalar_index(program *p, int64_t size);
int shape_operand(program *p, const int64_t *v, int n); /* a constant list of sizes */
int clamped(program *p, int v);                         /* from -3 to 3 */
/* A body that joins two scalars; a random one for these elements; what comes of joining that
 * many. */
const char *reducer_text(program *p, const char *op, elem e);
const char *reducer_for(program *p, elem e, bool *sums, bool *multiplies);
bool reduced(program *p, int out, int in, int init, double terms, bool sums, bool multiplies);

/* ---- The ops (ops.def, ops_*.c) ---- */

typedef struct {
    const char *name;
    bool (*make)(program *p);
    int weight;
} op_row;
extern const op_row op_rows[];
extern const int nop_rows;
int find_op(const char *name);
#define OP(name, maker, weight) bool make_##maker(program *p);
#include "ops.def"

/* ---- Meshes, shardings and their kinds (shardings.c) ---- */

void make_meshes(program *p);
int mesh_size(const mesh *m);                     /* devices, 1 where it has no axes */
const char *mesh_name(int number);                /* in memory that is used again */
bool takes_part(const program *p, const mesh *m); /* it has axes, and divides all devices */
extern const char *const reduction_names[3];      /* as shardings write them: nothing, max, min */
int axis_size(const program *p, const sharding *s, axis_ref a);
void make_shardings(program *p); /* for all values and results */

enum { EVEN, UNEVEN, SEVERAL, SUB_AXIS, IN_ONLY, OUT_ONLY, OTHERS, ORDER, SPREAD, MESHES, KINDS };
extern const char *const kind_names[KINDS];
/* Bits of the kinds that a statement has, and of those that no such statement can have. */
uint32_t kinds_of(const program *p, const stmt *s, uint32_t *never);
void collect_stmts(program *p, stmt **out, int *n, int max);

#endif
