/* calls.h - functions and who calls whom: the call graph's order, names for new functions, copies, shardings of a
 * whole signature. What is new gets the names, and functions are visited in the order, that MLIR's symbol table and
 * call graph would give: texts show both. */
#ifndef TSR_SHARD_CORE_CALLS_H
#define TSR_SHARD_CORE_CALLS_H

#include "dialect/sdy/sharding.h"
#include "shard/core/mesh.h"

/* Names of one module's symbols while it changes. */
typedef struct {
    tsr_op *module;
    tsr_map map; /* of hash to symbol */
    tsr_arena arena;
    uint64_t counter; /* of suffixes: one for all names */
    uint32_t nop;     /* ids of the module's ops before anything was copied */
} tsr_symbols;

void tsr_symbols_init(tsr_symbols *s, tsr_op *module);
void tsr_symbols_free(tsr_symbols *s);
tsr_op *tsr_symbols_find(const tsr_symbols *s, tsr_str name);
/* A symbol that is new; it gets another name when its own is taken, and goes to the module's end when it is nowhere. */
void tsr_symbols_insert(tsr_symbols *s, tsr_op *op);
void tsr_symbols_erase(tsr_symbols *s, tsr_op *op); /* the op, too */

/* The function that a call names; NULL after a diagnostic. */
tsr_op *tsr_called_func(const tsr_symbols *s, const tsr_op *call);
void tsr_set_callee(tsr_op *call, const tsr_op *func);

/* Functions with a body, callees before callers: depth first from each function in program order, calls in the order in
 * which they are. acyclic: a function that calls itself, through others too, is a diagnostic and NULL. */
tsr_op **tsr_call_order(tsr_arena *scratch, tsr_op *module, bool acyclic, size_t *n);

/* A copy of func, and of all that it calls, one per call, all inserted; each remembers the name of its original in
 * sdy.original_func_name. NULL after a diagnostic: copies of copies got out of hand, or func calls itself. */
tsr_op *tsr_clone_func(tsr_symbols *s, tsr_op *func);
tsr_attr *tsr_original_name(const tsr_op *func); /* a string */

/* The entry: the one function, or that of this name. NULL: there is none; tsr_entry_func says so. */
tsr_op *tsr_find_entry_func(tsr_op *module, tsr_str name);
tsr_op *tsr_entry_func(tsr_op *module, tsr_str name);

uint32_t tsr_func_count(const tsr_op *func, bool args); /* of arguments or results */
const tsr_type *tsr_func_type_of(const tsr_op *func, bool args, uint32_t i);
/* Shardings of all arguments (or results) as a sharding_per_value: those that have none get an open one of the first
 * mesh with several devices. NULL when there is no such mesh. */
tsr_attr *tsr_func_shardings(const tsr_op *func, bool args, tsr_meshes *meshes);
void tsr_set_func_shardings(tsr_op *func, bool args, const tsr_attr *per_value);

/* Ops inside root with children before parents, in program order; root comes last. Ask for the next one before the op
 * in hand is changed or erased. */
tsr_op *tsr_post_first(tsr_op *root);
tsr_op *tsr_post_next(tsr_op *root, tsr_op *op);
#define TSR_POST_OPS(root, op)                          \
    for (tsr_op *op = tsr_post_first(root), *op##_next; \
         op && (op##_next = tsr_post_next((root), op), true); op = op##_next)

/* Moves the blocks of from into to, with this op (FUNC_RETURN, SDY_RETURN, ...) as their terminators. */
void tsr_take_body(tsr_region *to, tsr_region *from, enum tsr_opcode terminator);

#endif
