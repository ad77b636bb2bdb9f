/* SPDX-License-Identifier: Apache-2.0 */
/* spmd.h - the partitioner: turns a program on global values into the program that each device runs on its shards.
 *
 * Every global value has a layout: a local value and the sharding that says which part it is. A dimension of n elements
 * in k parts has ceil(n / k) elements on each device, part i from i * ceil(n / k) on; positions after the end are
 * padding, whose contents are unspecified. So a hook that mixes elements along a sharded dimension must mask first.
 *
 * Functions are walked in order. For each op the engine chooses axes for each factor of its rule, and its hook (column
 * SPMD of its row) requests operands in layouts it can work with (tsr_spmd_in), creates local ops, and sets the results
 * (tsr_spmd_out); the engine moves them to the layouts that the program asks for. An op without the column is computed
 * whole on every device. Shardings here are closed, without priorities, replicated or unreduced axes, and never NULL:
 * tsr_sharding_empty of the main mesh is that of whole values (and of tokens). */
#ifndef TSR_SHARD_SPMD_SPMD_H
#define TSR_SHARD_SPMD_SPMD_H

#include "dialect/stablehlo/build.h"
#include "shard/core/cost.h"
#include "shard/core/manual_context.h"
#include "shard/core/mesh_map.h"
#include "shard/reshard/reshards.h"
#include "shard/core/seeded_bugs.h"

/* A local value that is (part of) a global one. */
typedef struct tsr_layout {
    struct tsr_layout *next; /* another layout of the same global value */
    tsr_value *local;
    const tsr_sharding *sharding;
    const tsr_block *block; /* of the new program: usable in this block and nested ones */
} tsr_layout;

typedef struct tsr_spmd {
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_arena *scratch; /* lives as long as the engine */
    tsr_resharder r;    /* shardings (r.table) and memory for the current op (r.arena) */
    tsr_rules rules;
    tsr_build b;             /* where new ops go */
    const tsr_mesh *mesh;    /* the main mesh: the first with the most devices */
    const tsr_mesh *op_mesh; /* of the current op: tsr_spmd_op.mesh */
    int64_t ndevice, nreplica;
    int64_t channel;      /* channel ids used by collectives so far */
    tsr_layout **layouts; /* by id of the global value */
    uint32_t nlayout;
    /* positions of this device along axes, in the current function */
    tsr_map indices;
    tsr_block *entry;  /* of the current function, in the new program */
    tsr_value *device; /* this device's number, tensor<ui32>; NULL: not yet requested */
    TSR_VEC(const tsr_mesh *) meshes; /* all distinct meshes, the main one first */
    tsr_map mesh_places;              /* 1 + number of each of them, by attribute */
    TSR_VEC(tsr_mesh_map *) maps;     /* from their axes to those of the main one; NULL: none */
    const tsr_mesh *manual_mesh;      /* of the enclosing manual computation; NULL: none */
    /* axes that it binds, including those of enclosing computations */
    const tsr_axes *manual;
    int64_t manual_devices; /* devices of that mesh itself, without copies */
    /* manual contexts of functions, depending on their callers */
    const tsr_manual_contexts *contexts;
    tsr_map signatures; /* of functions, by op */
    tsr_map groups;     /* replica groups by mesh and axes */
    tsr_map pairs;      /* of permutes, by layouts */
    bool notes;         /* record axes and cause of collectives on them */
    bool uses;          /* record on ops in which layouts they read and give values */
    bool keep_meshes;   /* meshes stay in the module */
    const tsr_op *at;   /* the op of the global program being partitioned; NULL: a function's end */
    bool remarks;       /* report where whole values are computed */
    uint32_t nwhole;    /* ops computed whole although something was sharded */
} tsr_spmd;

/* One op being partitioned. Tensors are the operands, then the results. */
typedef struct {
    tsr_spmd *s;
    tsr_op *op;                /* of the global program */
    const tsr_rule *rule;      /* NULL: it has none */
    const tsr_mesh *mesh;      /* the mesh of o->axes */
    const tsr_sharding **in;   /* current layouts of the operands */
    const tsr_sharding **want; /* layouts that the results should have */
    /* for each factor, no axis twice, none for factors that need replication; NULL: no rule */
    const tsr_axes **axes;
    tsr_op *made; /* the last op that tsr_spmd_same created */
} tsr_spmd_op;

/* A hook. False after a diagnostic, which never happens for a valid op. */
typedef bool spmd_fn(tsr_spmd_op *o);
#include "shard/spmd/spmd_tables.h"

spmd_fn spmd_local, spmd_whole, spmd_identity, spmd_once;
/* Whether a device computes its shards of the results with the same op on its shards of the operands. */
bool tsr_spmd_by_itself(const tsr_op *op);

/* ---- For hooks (spmd.c) ---- */

/* Operand i in this layout. Moves it if needed, but only once per layout. */
tsr_value *tsr_spmd_in(tsr_spmd_op *o, uint32_t i, const tsr_sharding *to);
/* Sets result i. The value has the type tsr_spmd_type(s, global type, sharding). Each result is set once. */
void tsr_spmd_out(tsr_spmd_op *o, uint32_t i, tsr_value *v, const tsr_sharding *sharding);
/* Drops axes (from o->axes) with which the op cannot work unchanged on shards: of factors that need replication, move
 * (permutation), or are reduced unless reductions; of factors that a result lacks although it depends on them, or that
 * do not divide evenly where several make up a dimension. */
void tsr_spmd_settle(tsr_spmd_op *o, bool reductions);
/* Drops axes of factors that no operand has: such a factor does not say where elements come from, unless they are the
 * same everywhere. */
void tsr_spmd_only_of_operands(tsr_spmd_op *o);
/* The sharding of a tensor if each factor has the axes o->axes. */
const tsr_sharding *tsr_spmd_by_axes(tsr_spmd_op *o, uint32_t tensor);
/* n pairs of numbers as a tensor of n x 2. */
tsr_attr *tsr_spmd_pairs(tsr_spmd *s, const int64_t *numbers, int64_t n);
/* The axes of all factors that the op sums over. */
const tsr_axes *tsr_spmd_summed_axes(const tsr_spmd_op *o);
/* The op with its attributes and regions on local values; types: of its results. Discardable attributes of sdy are
 * removed. */
tsr_op *tsr_spmd_same(tsr_spmd_op *o, tsr_value *const *in, tsr_type *const *types);
/* The op on shards according to o->axes: moves operands there and sets results. For ops whose attributes do not depend
 * on sizes, after tsr_spmd_settle. */
bool tsr_spmd_parts(tsr_spmd_op *o);
/* The op on whole values, on every device; with a remark if something was sharded. Always correct for ops without
 * effects. */
bool tsr_spmd_whole(tsr_spmd_op *o);
/* Sets result i from values that are partial along axes and combined by a binary op: completes layout have, as far as
 * possible in the desired form (then parts are scattered). */
void tsr_spmd_out_joined(tsr_spmd_op *o, uint32_t i, tsr_value *v, const tsr_sharding *have,
                         enum tsr_opcode join, const tsr_axes *partial);
/* A value of the global program, in this layout; for an operand, the same as tsr_spmd_in. */
tsr_value *tsr_spmd_value(tsr_spmd *s, const tsr_value *global, const tsr_sharding *to);
/* Sets the local value of a value of the global program, in the current block. */
void tsr_spmd_set(tsr_spmd *s, const tsr_value *global, tsr_value *local,
                  const tsr_sharding *sharding);
/* Fills in rule, mesh and axes: done before hooks of the column SPMD run. */
void tsr_spmd_choose(tsr_spmd_op *o);
/* Partitions the ops of a block of the global program, except terminators, into the current position. */
bool tsr_spmd_block(tsr_spmd *s, tsr_block *block);
/* The ops of the op's first region, whose arguments are set, where the op is; out: what it returns, divided so. */
bool tsr_spmd_body(tsr_spmd_op *o, const tsr_sharding *const *returned, tsr_value **out);

static inline const tsr_type *tsr_spmd_global(const tsr_spmd_op *o, uint32_t tensor)
{
    return tensor < o->op->nin ? o->op->in[tensor].value->type
                               : o->op->out[tensor - o->op->nin].type;
}

/* ---- Layouts (spmd/layout.c) ---- */

/* The local type; the type itself if it has no static shape. */
tsr_type *tsr_spmd_type(tsr_spmd *s, tsr_type *global, const tsr_sharding *sharding);
/* One representative for all meshes with the same axes and device order. A mesh whose size divides the number of
 * devices of the program is repeated along an additional last axis. NULL: it has a single device, none, or does not
 * divide them. */
const tsr_mesh *tsr_spmd_mesh(tsr_spmd *s, const tsr_mesh *mesh);
/* Whether values of this type can be sharded at all: sizes are static, and elements have no scales that depend on their
 * position. */
bool tsr_spmd_may_part(const tsr_type *t);
/* The sharding of a whole value with this rank. */
const tsr_sharding *tsr_spmd_replicated(tsr_spmd *s, uint32_t rank);
/* a with different axes for one dimension, on the op's mesh if a has none. */
const tsr_sharding *tsr_spmd_with_dim(tsr_spmd *s, const tsr_sharding *a, uint32_t dim,
                                      const tsr_axes *axes);
/* The sharding with these axes for each dimension. */
const tsr_sharding *tsr_spmd_sharding(tsr_spmd *s, const tsr_mesh *mesh,
                                      const tsr_axes *const *axes, uint32_t rank);
/* A sharding in the engine's form; attr may be NULL. type: of the global value. */
const tsr_sharding *tsr_spmd_decode(tsr_spmd *s, tsr_attr *attr, const tsr_type *type);
/* The same with its unreduced axes, for a value whose layout is part; NULL: it has none, or none that are compatible
 * with those of its dimensions. */
const tsr_sharding *tsr_spmd_unreduced(tsr_spmd *s, tsr_attr *attr, const tsr_type *type,
                                       const tsr_sharding *part);
/* Whether the sub-axes in a and b can be coordinates of a device together: halves and thirds of one axis cannot. */
bool tsr_spmd_axes_fit(const tsr_axes *a, const tsr_axes *b);
/* Whether some device has padding along dimension dim of a global value of this type. */
bool tsr_spmd_pads(const tsr_type *global, const tsr_sharding *sharding, uint32_t dim);

/* Converts to another layout of the same global value: by slices, permutes, exchanges and gathers (relayout.h plans
 * them). */
tsr_value *tsr_spmd_move(tsr_spmd *s, tsr_value *v, const tsr_type *global,
                         const tsr_sharding *from, const tsr_sharding *to);
/* v with fill (a scalar of its element type) in the padding along the dimensions whose bits are set in dims. v has the
 * global value's rank, and type->dims[d] is the global size of dimension d. */
tsr_value *tsr_spmd_mask(tsr_spmd *s, tsr_value *v, const tsr_type *global,
                         const tsr_sharding *sharding, uint64_t dims, tsr_value *fill);

/* ---- Devices and collectives (spmd/collective.c) ---- */

/* This device's position along axes, the first one being major: tensor<i64>. */
tsr_value *tsr_spmd_index(tsr_spmd *s, const tsr_mesh *mesh, const tsr_axes *axes);
/* The same times chunk: the start of its part of a dimension in parts of that size. */
tsr_value *tsr_spmd_start(tsr_spmd *s, const tsr_mesh *mesh, const tsr_axes *axes, int64_t chunk);
/* Concatenates along dim the parts of all devices that differ only along axes. */
tsr_value *tsr_spmd_all_gather(tsr_spmd *s, tsr_value *v, uint32_t dim, const tsr_mesh *mesh,
                               const tsr_axes *axes);
/* Combined by a binary op of StableHLO; scatter leaves each device with its part along dim. */
tsr_value *tsr_spmd_all_reduce(tsr_spmd *s, tsr_value *v, enum tsr_opcode join,
                               const tsr_mesh *mesh, const tsr_axes *axes);
/* The value that gives v when combined along axes: v before an all-reduce or an all-gather. NULL: v comes from neither,
 * or along other axes. */
tsr_value *tsr_spmd_unjoined(tsr_spmd *s, tsr_value *v, enum tsr_opcode join, const tsr_mesh *mesh,
                             const tsr_axes *axes);
tsr_value *tsr_spmd_reduce_scatter(tsr_spmd *s, tsr_value *v, uint32_t dim, enum tsr_opcode join,
                                   const tsr_mesh *mesh, const tsr_axes *axes);
/* Cuts along split, sends part i to the device at position i, and concatenates the received parts along concat. */
tsr_value *tsr_spmd_all_to_all(tsr_spmd *s, tsr_value *v, uint32_t split, uint32_t concat,
                               const tsr_mesh *mesh, const tsr_axes *axes);
/* The device at position i along axes receives v from the one at position from[i]; -1: zeros. from has axes->size
 * entries, all different. */
tsr_value *tsr_spmd_permute(tsr_spmd *s, tsr_value *v, const int64_t *from, const tsr_mesh *mesh,
                            const tsr_axes *axes);
/* The first device's v, on all devices. */
tsr_value *tsr_spmd_from_first(tsr_spmd *s, tsr_value *v);

/* The next channel id; and functions that record on a collective, if requested, what it is for. */
tsr_attr *tsr_spmd_channel(tsr_spmd *s);
void tsr_spmd_note(tsr_spmd *s, tsr_op *op, const tsr_mesh *mesh, const tsr_axes *axes);
void tsr_spmd_note_axes(tsr_spmd *s, tsr_op *op, tsr_attr *axes); /* an array of axis_ref */
#define TSR_NOTE_AXES TSR_STR("tessera.axes")                     /* an sdy.axis_ref_list */
#define TSR_NOTE_CAUSE TSR_STR("tessera.cause")                   /* the name of an op */
/* Records on the op that a hook has made in which layouts it uses operands and results (spmd/uses.c). */
void tsr_spmd_note_uses(tsr_spmd_op *o);
#define TSR_NOTE_USES TSR_STR("tessera.uses") /* a text for each operand and result */
/* pairs: source and target device of each transfer. */
tsr_value *tsr_spmd_permute_devices(tsr_spmd *s, tsr_value *v, tsr_attr *pairs);
/* For the device at a place (a position in the mesh in row-major order): its index along axes, its number. */
int64_t tsr_spmd_place_index(const tsr_mesh *mesh, const tsr_axes *axes, int64_t place);
int64_t tsr_spmd_device_at(const tsr_mesh *mesh, int64_t place);

/* Converts between a value that every device along axes has and partial values that combine to it (spmd/flow.c). A
 * manual computation sees its partial values: they are those of the undivided program. _any: partial values of a
 * function's result, along raw's axes. */
tsr_value *tsr_spmd_partial(tsr_spmd *s, tsr_value *v, const tsr_mesh *mesh, const tsr_axes *axes,
                            tsr_sdy_reduction how);
tsr_value *tsr_spmd_partial_any(tsr_spmd *s, tsr_value *v, const tsr_sharding *raw);
tsr_value *tsr_spmd_reduced(tsr_spmd *s, tsr_value *v, const tsr_mesh *mesh, const tsr_axes *axes,
                            tsr_sdy_reduction how);

/* The binary op that combines partial values. */
enum tsr_opcode tsr_spmd_join(tsr_sdy_reduction how);
/* Has a loop carry value i as partial values along raw's unreduced axes, if it only adds to it, or stores into it (spmd/carry.c). */
bool tsr_spmd_carry(tsr_spmd *s, tsr_op *loop, uint32_t i, const tsr_sharding *raw);

/* ---- Manual computations (spmd/manual.c) ---- */

/* Enters a computation whose shardings are on this mesh (NULL: none) and that binds axes of these names. */
void tsr_spmd_enter_manual(tsr_spmd *s, const tsr_mesh *mesh, tsr_attr *const *names, uint32_t n);
/* For a collective of the input program in a computation with fewer devices than the program: all copies run it. */
void tsr_spmd_widen_groups(tsr_spmd *s, tsr_op *op);

/* ---- Small ops (spmd/collective.c) ---- */

tsr_value *tsr_spmd_i64(tsr_spmd *s,
                        int64_t number); /* a scalar constant, created once per function */
/* A slice of these sizes, from starts[d] (NULL: 0) along each dimension. */
tsr_value *tsr_spmd_dynamic_slice(tsr_spmd *s, tsr_value *v, tsr_value *const *starts,
                                  const int64_t *sizes);
/* Erases the ops created once per function that are not used. */
void tsr_spmd_drop_unused(tsr_spmd *s);
/* v with dimension dim extended at its ends by unspecified elements. */
tsr_value *tsr_spmd_grow(tsr_spmd *s, tsr_value *v, uint32_t dim, int64_t low, int64_t high);
/* A scalar e with f(x, e) == x for all x of this element type, f being a binary op; NULL: unknown. Of sums it is 0,
 * which makes 0 of -0. */
tsr_value *tsr_spmd_identity(tsr_spmd *s, enum tsr_opcode join, tsr_type *elem);
/* What a device contributes that has nothing to contribute: as the identity, but of sums of floats -0, which changes no
 * element. */
tsr_value *tsr_spmd_nothing(tsr_spmd *s, enum tsr_opcode join, tsr_type *elem);
/* Of these two the one that init is; of another constant the identity, and of any other value nothing, as it may be
 * -0. */
tsr_value *tsr_spmd_identity_like(tsr_spmd *s, enum tsr_opcode join, const tsr_value *init);
tsr_value *tsr_spmd_zero(tsr_spmd *s,
                         tsr_type *elem); /* a scalar; NULL if the type has no such constant */

/* ---- Bodies (spmd/reduce.c) ---- */

/* The single op of a body with two arguments, if parts may be combined by it in any order: add, multiply, maximum,
 * minimum, and, or, xor; -1: another body. */
int tsr_spmd_joiner(const tsr_region *body);
/* Whether the body returns, for each pair of arguments, one of the two, like that of an argmax. */
bool tsr_spmd_is_choice(const tsr_region *body);

/* ---- The engine (spmd.c) ---- */

/* The layouts of a function's arguments and results. */
typedef struct {
    const tsr_op *func;
    uint32_t nin, nout;
    tsr_type *const *types; /* global: arguments, then results */
    const tsr_sharding **in, **out;
    const tsr_sharding **raw; /* arguments, then results: the unreduced ones, else NULL */
    tsr_type **local;         /* types of the parts */
} tsr_spmd_signature;
const tsr_spmd_signature *tsr_spmd_signature_of(tsr_spmd *s, const tsr_op *func);

/* Removes constraints, reshards and edges in bodies of reducers and the like: such bodies are copied unchanged, and
 * nothing in them is sharded. Returns whether there were any. */
bool tsr_spmd_plain_bodies(tsr_op *module);

/* Partitions all functions of a module whose values have their shardings. Does nothing without a mesh of several
 * devices. */
bool tsr_spmd_module(tsr_spmd *s, tsr_op *module);

#endif
