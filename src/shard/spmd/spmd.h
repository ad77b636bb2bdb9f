/* spmd.h - the partitioner: a program on global values becomes the program that each device runs on
 * its parts.
 *
 * Every global value has a layout: a local value and the sharding that says which part it is. A
 * dimension of n elements in k parts has ceil(n / k) elements on each device, part i from i *
 * ceil(n / k) on; what comes after the end is padding, and what padding holds is unspecified. So
 * whoever mixes elements along a sharded dimension masks first.
 *
 * Functions are walked in order. For each op the engine chooses axes for each factor of its rule,
 * and its hook (column SPMD of its row) asks for operands in the layouts it can work with
 * (tsr_spmd_in), makes local ops, and says what the results are (tsr_spmd_out); the engine moves
 * them to the layouts that the program wants. A row without the column computes the whole on every
 * device. Shardings here are closed, without priorities, replicated or unreduced axes, and never
 * NULL: tsr_sharding_empty of the main mesh is that of whole values (and of tokens). */
#ifndef TSR_SHARD_SPMD_SPMD_H
#define TSR_SHARD_SPMD_SPMD_H

#include "dialect/stablehlo/build.h"
#include "shard/core/cost.h"
#include "shard/core/manual_context.h"
#include "shard/core/mesh_map.h"
#include "shard/reshard/reshards.h"
#include "shard/spmd/seeded_bugs.h"

/* A local value that is (part of) a global one. */
typedef struct tsr_layout {
    struct tsr_layout *next; /* another one of the same global value */
    tsr_value *local;
    const tsr_sharding *sharding;
    const tsr_block *block; /* of the new program: it can be used in here, and in blocks inside */
} tsr_layout;

typedef struct tsr_spmd {
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_arena *scratch; /* lives as long as the engine */
    tsr_resharder r;    /* shardings (r.table) and memory of the op at hand (r.arena) */
    tsr_rules rules;
    tsr_build b;             /* where new ops go */
    const tsr_mesh *mesh;    /* the main mesh: the first of the most devices */
    const tsr_mesh *op_mesh; /* of the op at hand: tsr_spmd_op.mesh */
    int64_t ndevice, nreplica;
    int64_t channel;      /* numbers that collectives took so far */
    tsr_layout **layouts; /* by id of the global value */
    uint32_t nlayout;
    struct tsr_spmd_index *indices; /* places of this device along axes, in the function at hand */
    tsr_block *entry;               /* of the function at hand, in the new program */
    tsr_value *device; /* this device's number, tensor<ui32>; NULL: not asked for yet */
    TSR_VEC(const tsr_mesh *) meshes; /* one for each that differs, the main one first */
    TSR_VEC(tsr_mesh_map *) maps;     /* of their axes to those of the main one; NULL: none */
    const tsr_mesh *manual_mesh;      /* of the manual computation that the op is in; NULL: none */
    const tsr_axes *manual;           /* axes that it binds, all around it included */
    int64_t manual_devices;           /* that the mesh has by itself, without copies */
    const tsr_manual_contexts *contexts; /* what functions are in, by what calls them */
    tsr_map signatures;                  /* of functions, by op */
    tsr_map groups;                      /* replica groups by mesh and axes */
    tsr_map pairs;                       /* of permutes, by layouts */
    bool notes;                          /* write axes and cause of collectives on them */
    bool keep_meshes;                    /* they stay in the module */
    const tsr_op *at; /* the op of the global program that is worked on; NULL: a function's end */
    bool remarks;     /* say where whole values are computed */
    uint32_t nwhole;  /* ops that were computed whole although something was sharded */
} tsr_spmd;

/* One op being partitioned. Tensors are the operands, then the results. */
typedef struct {
    tsr_spmd *s;
    tsr_op *op;                /* of the global program */
    const tsr_rule *rule;      /* NULL: it has none */
    const tsr_mesh *mesh;      /* that o->axes are of */
    const tsr_sharding **in;   /* layouts that the operands have by themselves */
    const tsr_sharding **want; /* layouts that the program wants the results in */
    const tsr_axes **
        axes; /* of each factor, no axis twice, factors that need replication without any; NULL: no rule */
    tsr_op *made; /* what tsr_spmd_same made last */
} tsr_spmd_op;

/* A hook. False after a diagnostic; it never is for an op that is valid. */
typedef bool spmd_fn(tsr_spmd_op *o);
#include "shard/spmd/spmd_tables.h"

spmd_fn spmd_local, spmd_whole, spmd_identity, spmd_once;
/* Whether a device computes its parts of the results by the same op on its parts of the operands. */
bool tsr_spmd_by_itself(const tsr_op *op);

/* ---- For hooks (spmd.c) ---- */

/* Operand i in this layout. Moves what must be moved; asked twice, moves once. */
tsr_value *tsr_spmd_in(tsr_spmd_op *o, uint32_t i, const tsr_sharding *to);
/* Result i. The value has the type tsr_spmd_type(s, global type, sharding). Each result is given once. */
void tsr_spmd_out(tsr_spmd_op *o, uint32_t i, tsr_value *v, const tsr_sharding *sharding);
/* Forgets axes (o->axes) that the op as it is cannot work with on parts: of factors that need
 * replication, move (permutation), or are reduced unless reductions; of factors that a result lacks
 * although it depends on them, or that do not divide where several make up a dimension. */
void tsr_spmd_settle(tsr_spmd_op *o, bool reductions);
/* Forgets axes of factors that no operand has: they say nothing of what comes from where, unless it
 * is the same everywhere. */
void tsr_spmd_only_of_operands(tsr_spmd_op *o);
/* The sharding of a tensor when each factor has the axes o->axes. */
const tsr_sharding *tsr_spmd_by_axes(tsr_spmd_op *o, uint32_t tensor);
/* n pairs of numbers as a tensor of n x 2. */
tsr_attr *tsr_spmd_pairs(tsr_spmd *s, const int64_t *numbers, int64_t n);
/* The axes of all factors that the op sums over. */
const tsr_axes *tsr_spmd_summed_axes(const tsr_spmd_op *o);
/* The op with its attributes and regions on local values; types: of its results. Discardable
 * attributes of sdy go. */
tsr_op *tsr_spmd_same(tsr_spmd_op *o, tsr_value *const *in, tsr_type *const *types);
/* The op on parts as o->axes say: operands are brought there, results are given. For ops whose
 * attributes do not depend on sizes, after tsr_spmd_settle. */
bool tsr_spmd_parts(tsr_spmd_op *o);
/* The op on whole values, on every device; a remark says so when something was sharded. Always
 * right for ops without effects. */
bool tsr_spmd_whole(tsr_spmd_op *o);
/* Results that are partial along axes, joined by an op of two operands: layout have is completed,
 * as far as may be in the form that the program wants (then parts are scattered), and given as
 * result i. */
void tsr_spmd_out_joined(tsr_spmd_op *o, uint32_t i, tsr_value *v, const tsr_sharding *have,
                         enum tsr_opcode join, const tsr_axes *partial);
/* A value of the global program, in this layout; an operand's is what tsr_spmd_in gives. */
tsr_value *tsr_spmd_value(tsr_spmd *s, const tsr_value *global, const tsr_sharding *to);
/* Says what a value of the global program is on this device, in the block at hand. */
void tsr_spmd_set(tsr_spmd *s, const tsr_value *global, tsr_value *local,
                  const tsr_sharding *sharding);
/* Fills in rule, mesh and axes: done for hooks of the column SPMD. */
void tsr_spmd_choose(tsr_spmd_op *o);
/* Partitions the ops of a block of the global program into the place at hand, terminators apart. */
bool tsr_spmd_block(tsr_spmd *s, tsr_block *block);
/* The ops of the op's first region, whose arguments are set, where the op is; out: what it returns, divided so. */
bool tsr_spmd_body(tsr_spmd_op *o, const tsr_sharding *const *returned, tsr_value **out);

static inline const tsr_type *tsr_spmd_global(const tsr_spmd_op *o, uint32_t tensor)
{
    return tensor < o->op->nin ? o->op->in[tensor].value->type
                               : o->op->out[tensor - o->op->nin].type;
}

/* ---- Layouts (spmd/layout.c) ---- */

/* The type of a part; of what has no static shape the type itself. */
tsr_type *tsr_spmd_type(tsr_spmd *s, tsr_type *global, const tsr_sharding *sharding);
/* One for all meshes with the same axes and the same order of devices. One of fewer devices that
 * divide the program's is repeated along a last axis of its own. NULL: it is of a single device, of
 * none, or does not divide them. */
const tsr_mesh *tsr_spmd_mesh(tsr_spmd *s, const tsr_mesh *mesh);
/* What can be in parts at all: sizes are known, and elements do not have scales by their place. */
bool tsr_spmd_may_part(const tsr_type *t);
/* The whole value's sharding of this rank. */
const tsr_sharding *tsr_spmd_replicated(tsr_spmd *s, uint32_t rank);
/* The same as a with other axes of one dimension, those of the op's mesh when a has none. */
const tsr_sharding *tsr_spmd_with_dim(tsr_spmd *s, const tsr_sharding *a, uint32_t dim,
                                      const tsr_axes *axes);
/* One for these axes of each dimension. */
const tsr_sharding *tsr_spmd_sharding(tsr_spmd *s, const tsr_mesh *mesh,
                                      const tsr_axes *const *axes, uint32_t rank);
/* A sharding as the engine has it; attr may be NULL. type: of the global value. */
const tsr_sharding *tsr_spmd_decode(tsr_spmd *s, tsr_attr *attr, const tsr_type *type);
/* The same with its unreduced axes, of a value whose layout is part; NULL: it has none, or none
 * that go together with those of its dimensions. */
const tsr_sharding *tsr_spmd_unreduced(tsr_spmd *s, tsr_attr *attr, const tsr_type *type,
                                       const tsr_sharding *part);
/* Whether all parts of axes in a and b together are coordinates of a device: halves and thirds of
 * one axis are not. */
bool tsr_spmd_axes_fit(const tsr_axes *a, const tsr_axes *b);
/* Whether some device has padding along dimension dim of a global value of this type. */
bool tsr_spmd_pads(const tsr_type *global, const tsr_sharding *sharding, uint32_t dim);

/* Another layout of the same global value: slices, permutes, exchanges and gathers (relayout.h plans them). */
tsr_value *tsr_spmd_move(tsr_spmd *s, tsr_value *v, const tsr_type *global,
                         const tsr_sharding *from, const tsr_sharding *to);
/* v with fill (a scalar of its element type) wherever padding is along the dimensions whose
 * bits are in dims. v has the global value's rank, and type->dims[d] elements along dimension d of
 * the whole. */
tsr_value *tsr_spmd_mask(tsr_spmd *s, tsr_value *v, const tsr_type *global,
                         const tsr_sharding *sharding, uint64_t dims, tsr_value *fill);

/* ---- Devices and collectives (spmd/collective.c) ---- */

/* This device's place along axes, the first one counting most: tensor<i64>. */
tsr_value *tsr_spmd_index(tsr_spmd *s, const tsr_mesh *mesh, const tsr_axes *axes);
/* The same times chunk: where its part of a dimension in parts of that size begins. */
tsr_value *tsr_spmd_start(tsr_spmd *s, const tsr_mesh *mesh, const tsr_axes *axes, int64_t chunk);
/* Parts along dim of all devices that differ along axes alone, one after the other. */
tsr_value *tsr_spmd_all_gather(tsr_spmd *s, tsr_value *v, uint32_t dim, const tsr_mesh *mesh,
                               const tsr_axes *axes);
/* Joined by an op of two operands (TSR_OP_STABLEHLO_ADD, ...); scatter leaves each with its part along dim. */
tsr_value *tsr_spmd_all_reduce(tsr_spmd *s, tsr_value *v, enum tsr_opcode join,
                               const tsr_mesh *mesh, const tsr_axes *axes);
/* What, joined along axes, is v: v before an all-reduce or an all-gather. NULL: v was made by neither, or along other axes. */
tsr_value *tsr_spmd_unjoined(tsr_spmd *s, tsr_value *v, enum tsr_opcode join, const tsr_mesh *mesh,
                             const tsr_axes *axes);
tsr_value *tsr_spmd_reduce_scatter(tsr_spmd *s, tsr_value *v, uint32_t dim, enum tsr_opcode join,
                                   const tsr_mesh *mesh, const tsr_axes *axes);
/* Cuts along split, hands part i to the device at place i, puts what comes one after the other along concat. */
tsr_value *tsr_spmd_all_to_all(tsr_spmd *s, tsr_value *v, uint32_t split, uint32_t concat,
                               const tsr_mesh *mesh, const tsr_axes *axes);
/* The device at place i along axes gets v of the one at place from[i]; -1: zeros. axes->size
 * places, none twice. */
tsr_value *tsr_spmd_permute(tsr_spmd *s, tsr_value *v, const int64_t *from, const tsr_mesh *mesh,
                            const tsr_axes *axes);
/* v of the first device, everywhere. */
tsr_value *tsr_spmd_from_first(tsr_spmd *s, tsr_value *v);

/* The next number of a channel; and, when asked for, what a collective is for, written on it. */
tsr_attr *tsr_spmd_channel(tsr_spmd *s);
void tsr_spmd_note(tsr_spmd *s, tsr_op *op, const tsr_mesh *mesh, const tsr_axes *axes);
void tsr_spmd_note_axes(tsr_spmd *s, tsr_op *op, tsr_attr *axes); /* an array of axis_ref */
#define TSR_NOTE_AXES TSR_STR("tessera.axes")                     /* an sdy.axis_ref_list */
#define TSR_NOTE_CAUSE TSR_STR("tessera.cause")                   /* the name of an op */
/* pairs: of a source and a target each, whoever they are. */
tsr_value *tsr_spmd_permute_devices(tsr_spmd *s, tsr_value *v, tsr_attr *pairs);
/* Of the device at a place (a position in the mesh in row-major order): its index along axes, its number. */
int64_t tsr_spmd_place_index(const tsr_mesh *mesh, const tsr_axes *axes, int64_t place);
int64_t tsr_spmd_device_at(const tsr_mesh *mesh, int64_t place);

/* Between a value that every device along axes has, and parts that are to be joined to it (spmd/flow.c). A manual computation
 * sees its parts: they are the ones that the undivided program has. _any: parts of a function's result, along raw's axes. */
tsr_value *tsr_spmd_partial(tsr_spmd *s, tsr_value *v, const tsr_mesh *mesh, const tsr_axes *axes,
                            tsr_sdy_reduction how);
tsr_value *tsr_spmd_partial_any(tsr_spmd *s, tsr_value *v, const tsr_sharding *raw);
tsr_value *tsr_spmd_reduced(tsr_spmd *s, tsr_value *v, const tsr_mesh *mesh, const tsr_axes *axes,
                            tsr_sdy_reduction how);

/* ---- Manual computations (spmd/manual.c) ---- */

/* Into one whose shardings are of this mesh (NULL: of none) and that binds axes of these names. */
void tsr_spmd_enter_manual(tsr_spmd *s, const tsr_mesh *mesh, tsr_attr *const *names, uint32_t n);
/* A collective of the program in one of fewer devices than there are: all copies of them do it. */
void tsr_spmd_widen_groups(tsr_spmd *s, tsr_op *op);

/* ---- Small ops (spmd/collective.c) ---- */

tsr_value *tsr_spmd_i64(tsr_spmd *s,
                        int64_t number); /* a scalar constant, made once in a function */
/* sizes elements from starts[d] (NULL: 0) along each dimension. */
tsr_value *tsr_spmd_dynamic_slice(tsr_spmd *s, tsr_value *v, tsr_value *const *starts,
                                  const int64_t *sizes);
/* Erases what was made once in the function and is not used. */
void tsr_spmd_drop_unused(tsr_spmd *s);
/* v with dimension dim made longer at its ends by repeating nothing in particular. */
tsr_value *tsr_spmd_grow(tsr_spmd *s, tsr_value *v, uint32_t dim, int64_t low, int64_t high);
/* A scalar that f(x, it) == x for all x of this element type, f an op of two operands; NULL: not known. */
tsr_value *tsr_spmd_identity(tsr_spmd *s, enum tsr_opcode join, tsr_type *elem);
tsr_value *tsr_spmd_zero(tsr_spmd *s,
                         tsr_type *elem); /* a scalar; NULL when the type has no such constant */

/* ---- Bodies (spmd/reduce.c) ---- */

/* The one op that a body of two arguments is, when parts may be joined by it in any order: add, multiply, maximum,
 * minimum, and, or, xor; -1: another body. */
int tsr_spmd_joiner(const tsr_region *body);
/* Whether the body gives, for each pair of arguments, one of the two, as that of an argmax does. */
bool tsr_spmd_is_choice(const tsr_region *body);

/* ---- The engine (spmd.c) ---- */

/* How a function takes its arguments and gives its results. */
typedef struct {
    const tsr_op *func;
    uint32_t nin, nout;
    tsr_type *const *types; /* global: arguments, then results */
    const tsr_sharding **in, **out;
    const tsr_sharding *
        *raw;         /* arguments, then results: those that are unreduced; NULL: they are not */
    tsr_type **local; /* types of the parts */
} tsr_spmd_signature;
const tsr_spmd_signature *tsr_spmd_signature_of(tsr_spmd *s, const tsr_op *func);

/* Drops constraints, reshards and edges in bodies of reducers and the like: they are taken as they
 * are, and nothing in them is in parts. Whether there were any. */
bool tsr_spmd_plain_bodies(tsr_op *module);

/* Partitions all functions of a module whose values have their shardings. Nothing happens without a
 * mesh of several devices. */
bool tsr_spmd_module(tsr_spmd *s, tsr_op *module);

#endif
