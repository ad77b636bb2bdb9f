/* SPDX-License-Identifier: Apache-2.0 */
/* calls.h - functions and the call graph: its order, names for new functions, copies, shardings of a whole signature.
 * New functions get the names, and functions are visited in the order, that MLIR's symbol table and call graph would
 * give, since the output shows both. */
#ifndef TSR_SHARD_CORE_CALLS_H
#define TSR_SHARD_CORE_CALLS_H

#include "dialect/sdy/sharding.h"
#include "shard/core/mesh.h"

/* Names of one module's symbols while it changes. */
typedef struct {
    tsr_op *module;
    tsr_map map; /* from hash to symbol */
    tsr_arena arena;
    uint64_t counter; /* for suffixes: shared by all names */
    uint32_t nop;     /* number of ops in the module before anything was copied */
} tsr_symbols;

void tsr_symbols_init(tsr_symbols *s, tsr_op *module);
void tsr_symbols_free(tsr_symbols *s);
tsr_op *tsr_symbols_find(const tsr_symbols *s, tsr_str name);
/* Adds a new symbol. If its name is taken it is renamed; if it has no parent it is appended to the module. */
void tsr_symbols_insert(tsr_symbols *s, tsr_op *op);
void tsr_symbols_erase(tsr_symbols *s, tsr_op *op); /* erases the op, too */

/* The function that a call names; NULL after a diagnostic. */
tsr_op *tsr_called_func(const tsr_symbols *s, const tsr_op *call);
void tsr_set_callee(tsr_op *call, const tsr_op *func);

/* Functions with a body, callees before callers: depth first from each function in program order, calls in program
 * order. acyclic: recursion, direct or indirect, is a diagnostic and returns NULL. */
tsr_op **tsr_call_order(tsr_arena *scratch, tsr_op *module, bool acyclic, size_t *n);

/* Copies func and everything that it calls, one copy per call, and inserts the copies; each stores the name of its
 * original in sdy.original_func_name. NULL after a diagnostic: too many copies, or func is recursive. */
tsr_op *tsr_clone_func(tsr_symbols *s, tsr_op *func);
tsr_attr *tsr_original_name(const tsr_op *func); /* a string */

/* The entry: the only function, or the one of this name. NULL: there is none; tsr_entry_func also reports it. */
tsr_op *tsr_find_entry_func(tsr_op *module, tsr_str name);
tsr_op *tsr_entry_func(tsr_op *module, tsr_str name);

uint32_t tsr_func_count(const tsr_op *func, bool args); /* of arguments or results */
const tsr_type *tsr_func_type_of(const tsr_op *func, bool args, uint32_t i);
/* Shardings of all arguments (or results) as a sharding_per_value: values without a sharding get an open one on the
 * first mesh with several devices. NULL if there is no such mesh. */
tsr_attr *tsr_func_shardings(const tsr_op *func, bool args, tsr_meshes *meshes);
void tsr_set_func_shardings(tsr_op *func, bool args, const tsr_attr *per_value);

/* Ops inside root in post-order (children before parents, in program order); root comes last. Get the next op before
 * the current one is changed or erased. */
tsr_op *tsr_post_first(tsr_op *root);
tsr_op *tsr_post_next(tsr_op *root, tsr_op *op);
#define TSR_POST_OPS(root, op)                          \
    for (tsr_op *op = tsr_post_first(root), *op##_next; \
         op && (op##_next = tsr_post_next((root), op), true); op = op##_next)

/* Moves the blocks of from into to, replacing their terminators by this op (FUNC_RETURN, SDY_RETURN, ...). */
void tsr_take_body(tsr_region *to, tsr_region *from, enum tsr_opcode terminator);

#endif
