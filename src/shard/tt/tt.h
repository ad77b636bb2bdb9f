/* SPDX-License-Identifier: Apache-2.0 */
/* tt.h - shared helpers of the passes of tt-mlir's StableHLO pipeline: annotations of a module, its one mesh,
 * attributes of functions' arguments and results, local types, and running patterns until nothing changes.
 *
 * The pipeline handles modules with one mesh. Files are named after what they do; docs/PASSES.md has the order. */
#ifndef TSR_SHARD_TT_TT_H
#define TSR_SHARD_TT_TT_H

#include "dialect/ttcore/ttcore.h"
#include "pass/pass.h"
#include "shard/core/calls.h"
#include "shard/core/devices.h"
#include "shard/core/sharding.h"
#include "shard/core/string.h"

#define TSR_TT_SHARDING TSR_STR("sdy.sharding")
#define TSR_TT_XLA_SHARDING TSR_STR("mhlo.sharding")
#define TSR_TT_FRONTEND TSR_STR("mhlo.frontend_attributes")
#define TSR_TT_ARGUMENT_TYPE TSR_STR("ttcore.argument_type")
#define TSR_TT_SHARD_STATUS TSR_STR("ttcore.shard_status")
#define TSR_TT_LOCAL_SHAPE TSR_STR("ttcore.local_shape")

/* The passes of stablehlo-pipeline after the one that finds the mesh (tt/pipeline.c). */
extern const char tsr_tt_after_mesh[];

/* ---- Modules ---- */

/* Functions directly in a module, including declarations. */
#define TSR_TT_FUNCS(module, func)                   \
    TSR_BLOCK_OPS ((module)->regions[0].first, func) \
        if (tsr_op_is(func, TSR_OP_FUNC_FUNC))

static inline tsr_block *tsr_tt_body(const tsr_op *func) /* NULL: a declaration */
{
    return func->regions[0].first;
}
bool tsr_tt_is_public(const tsr_op *func);

/* The number of meshes, and the first of them (NULL: none). */
uint32_t tsr_tt_count_meshes(const tsr_op *module, tsr_op **first);
/* The only mesh; NULL after a diagnostic if there is none, or more than one. */
tsr_op *tsr_tt_one_mesh(tsr_op *module);
/* Adds a mesh at the start of the module; renamed if the name is taken. */
tsr_op *tsr_tt_add_mesh(tsr_op *module, tsr_str name, const tsr_str *axes, const int64_t *sizes,
                        size_t n);

/* Merges several meshes over the same devices, if they have a common one (tt/meshes.c). */
bool tsr_tt_join_meshes(tsr_pass *p, tsr_op *root);

/* Solved: some manual computation has manual axes, so shapes are already local. */
bool tsr_tt_is_solved(tsr_op *module);
/* Whether there is a mesh, or a sharding of an argument, a result or an op. */
bool tsr_tt_has_shardy(tsr_op *module);
/* Whether there is mhlo.sharding on an argument or a result, or one of GSPMD's custom calls. */
bool tsr_tt_has_gspmd(tsr_op *module);
/* Whether some argument or result of a function has a sharding with axes. */
bool tsr_tt_is_sharded(tsr_op *module);
/* Removes all shardings from functions and ops. */
bool tsr_tt_strip(tsr_op *module);

/* The target of a custom call; empty for another op. */
tsr_str tsr_tt_target(const tsr_op *op);

/* ---- Arguments and results ---- */

tsr_attr *tsr_tt_attr(const tsr_op *func, bool args, uint32_t i, tsr_str name);

/* ---- Shardings ---- */

/* The local type; NULL if a dimension is not divided evenly or is dynamic. */
tsr_type *tsr_tt_local_type(tsr_shardings *table, tsr_type *type, tsr_attr *sharding);
/* The sharding attribute of a value, in a manual computation with its manual axes; NULL: none. */
tsr_attr *tsr_tt_sharding(const tsr_value *v);
/* Whether nothing is cut: no axes, or only ones of size 1. NULL counts as replicated. */
bool tsr_tt_replicated(tsr_shardings *table, tsr_attr *sharding);

/* ---- Rewriting ---- */

/* Runs fn over all ops of these opcodes inside root, and removes dead ops, repeatedly until nothing changes. fn may
 * erase any op and returns whether it changed something. constants: merges equal constants at the front, as MLIR's
 * greedy driver does. False after a diagnostic of the driver. */
typedef bool tsr_tt_rewrite(void *user, tsr_op *op);
bool tsr_tt_greedy(tsr_pass *p, tsr_op *root, bool constants, tsr_tt_rewrite *fn, void *user);

/* Creates a private function at the module's end: a copy of ops with captures as arguments and escapes as results.
 * Named after base, with another suffix if that is taken. */
tsr_op *tsr_tt_outline(tsr_symbols *symbols, tsr_str base, tsr_value *const *captures,
                       size_t ncapture, tsr_value *const *escapes, size_t nescape,
                       tsr_op *const *ops, size_t n);
/* Inserts a stablehlo.composite that calls it, before at. attributes: a dictionary. */
tsr_op *tsr_tt_composite(tsr_op *callee, tsr_op *at, tsr_str name, tsr_attr *attributes,
                         tsr_value *const *in, size_t nin);

/* Lowers sdy's collectives to StableHLO's (tt/collective.c). */
bool tsr_tt_lower_collectives(tsr_pass *p, tsr_op *module);

/* For a constant cut by sharding (of its result): the part, if it is the same on all devices; NULL: it is not, or
 * unknown. */
tsr_attr *tsr_tt_periodic(tsr_shardings *table, tsr_module *m, tsr_attr *value, tsr_type *local,
                          tsr_attr *sharding);

#endif
