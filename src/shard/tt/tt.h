/* tt.h - what the passes of tt-mlir's StableHLO pipeline share (tt_*.c): which annotations a module
 * has, its one mesh, the attributes of functions' arguments and results, local types, and running
 * patterns until nothing changes.
 *
 * The pipeline is about modules with one mesh. Files are named after what they do;
 * docs/PASSES.md has the order. */
#ifndef TSR_SHARD_TT_TT_H
#define TSR_SHARD_TT_TT_H

#include "dialect/ttcore/ttcore.h"
#include "pass/pass.h"
#include "shard/core/calls.h"
#include "shard/core/devices.h"
#include "shard/core/sharding.h"

#define TSR_TT_SHARDING TSR_STR("sdy.sharding")
#define TSR_TT_XLA_SHARDING TSR_STR("mhlo.sharding")
#define TSR_TT_FRONTEND TSR_STR("mhlo.frontend_attributes")
#define TSR_TT_ARGUMENT_TYPE TSR_STR("ttcore.argument_type")
#define TSR_TT_SHARD_STATUS TSR_STR("ttcore.shard_status")
#define TSR_TT_LOCAL_SHAPE TSR_STR("ttcore.local_shape")

/* The passes of stablehlo-pipeline after that which finds the mesh (tt/pipeline.c). */
extern const char tsr_tt_after_mesh[];

/* ---- Modules ---- */

/* Functions directly in a module; declarations too. */
#define TSR_TT_FUNCS(module, func)                   \
    TSR_BLOCK_OPS ((module)->regions[0].first, func) \
        if (tsr_op_is(func, TSR_OP_FUNC_FUNC))

static inline tsr_block *tsr_tt_body(const tsr_op *func) /* NULL: a declaration */
{
    return func->regions[0].first;
}
bool tsr_tt_is_public(const tsr_op *func);

/* How many meshes there are, and the first of them (NULL: none). */
uint32_t tsr_tt_count_meshes(const tsr_op *module, tsr_op **first);
/* The one mesh; NULL after a diagnostic when there is none, or more than one. */
tsr_op *tsr_tt_one_mesh(tsr_op *module);
/* A new mesh in front of everything else; of another name when this one is taken. */
tsr_op *tsr_tt_add_mesh(tsr_op *module, tsr_str name, const tsr_str *axes, const int64_t *sizes,
                        size_t n);

/* One mesh for several over the same devices, where they have a common one (tt/meshes.c). */
bool tsr_tt_join_meshes(tsr_pass *p, tsr_op *root);

/* Solved: some manual computation has manual axes, so shapes are local already. */
bool tsr_tt_is_solved(tsr_op *module);
/* A mesh, or a sharding of an argument, a result or an op. */
bool tsr_tt_has_shardy(tsr_op *module);
/* mhlo.sharding of an argument or a result, or one of GSPMD's custom calls. */
bool tsr_tt_has_gspmd(tsr_op *module);
/* Whether some argument or result of a function has a sharding with axes. */
bool tsr_tt_is_sharded(tsr_op *module);
/* Takes all shardings from functions and ops. */
bool tsr_tt_strip(tsr_op *module);

/* The target of a custom call; empty: another op. */
tsr_str tsr_tt_target(const tsr_op *op);

/* ---- Arguments and results ---- */

tsr_attr *tsr_tt_attr(const tsr_op *func, bool args, uint32_t i, tsr_str name);

/* An attribute out of text, such as a sharding that a string holds; NULL when it does not read,
 * without a word. */
tsr_attr *tsr_tt_parse(tsr_op *at, tsr_str text);

/* ---- Shardings ---- */

/* The part of type that a device has; NULL when a dimension does not divide or has no size. */
tsr_type *tsr_tt_local_type(tsr_shardings *table, tsr_type *type, tsr_attr *sharding);
/* That of a value as it is written, in a manual computation with its manual axes; NULL: none. */
tsr_attr *tsr_tt_sharding(const tsr_value *v);
/* Nothing is cut: no axes, or only such of size 1. NULL counts as replicated. */
bool tsr_tt_replicated(tsr_shardings *table, tsr_attr *sharding);

/* The rule that a custom call has in a string of its frontend attributes, as one of ours (not
 * custom); NULL: it has none, or one that does not read. */
tsr_attr *tsr_tt_user_rule(tsr_op *op);

/* ---- Rewriting ---- */

/* Rounds of fn over all ops of these opcodes inside root, and of removing what is dead, until
 * nothing changes. fn may erase any op and tells whether it changed something. constants: equal
 * ones become one in front, as MLIR's greedy driver does. False after a diagnostic of the
 * driver. */
typedef bool tsr_tt_rewrite(void *user, tsr_op *op);
bool tsr_tt_greedy(tsr_pass *p, tsr_op *root, bool constants, tsr_tt_rewrite *fn, void *user);

/* A private function at the module's end: a copy of ops with captures as arguments and escapes
 * as results. Named after base, with another suffix when that is taken. */
tsr_op *tsr_tt_outline(tsr_symbols *symbols, tsr_str base, tsr_value *const *captures,
                       size_t ncapture, tsr_value *const *escapes, size_t nescape,
                       tsr_op *const *ops, size_t n);
/* A call of it as stablehlo.composite, before at. attributes: a dictionary. */
tsr_op *tsr_tt_composite(tsr_op *callee, tsr_op *at, tsr_str name, tsr_attr *attributes,
                         tsr_value *const *in, size_t nin);

/* sdy's collectives become StableHLO's (tt/collective.c). */
bool tsr_tt_lower_collectives(tsr_pass *p, tsr_op *module);

/* Of a constant cut by sharding (of its result): the part that all devices have, when they have
 * the same; NULL: they do not, or there is no telling. */
tsr_attr *tsr_tt_periodic(tsr_shardings *table, tsr_module *m, tsr_attr *value, tsr_type *local,
                          tsr_attr *sharding);

#endif
