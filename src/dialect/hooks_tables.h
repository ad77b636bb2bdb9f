/* SPDX-License-Identifier: Apache-2.0 */
/* hooks_tables.h - the hooks of attributes, constraints and ops in the tables; make caches its expansion
 * (dialect/opcode.h). */
#define TSR_ROWS_ALL /* of MINIMAL builds, too: shared files define hooks for both */
#define STRUCT(id, name, nparam, flags) bool attr_##id(tsr_asm *a, tsr_attr **params);
#define TYPE(id, name, nparam) bool type_##id(tsr_asm *a, tsr_attr **params);
#include "dialect/attrs.def"
bool type_plain(tsr_asm *a, tsr_attr **params); /* of PLAIN_TYPE rows (vhlo/types.c) */
#define ATTR_IS(id, summary, form, def, test) bool attr_ok_##test(const tsr_attr *a);
#include "dialect/constraints.def"
/* The one test of TYPE_IS rows (builtin/constraints.c). */
bool type_ok_row(const tsr_constraint *c, const tsr_type *t);
#define ASM(hook) bool asm_##hook(tsr_asm *a);
#define NAMES(hook) void names_##hook(tsr_namer *n, tsr_op *op);
#define INFER(hook) bool infer_##hook(const tsr_op *op, tsr_type_vec *out);
#define REIFY(hook) bool reify_##hook(tsr_op *op, tsr_op *at, tsr_value_vec *out);
#define SPECULATE(hook) tsr_speculation speculate_##hook(const tsr_op *op);
#define VERIFY(hook) bool verify_##hook(tsr_op *op);
#define USES(hook) bool uses_##hook(tsr_op *op);
#define FOLD(hook) bool fold_##hook(tsr_op *op, tsr_value **out);
#define CANON(hook) bool canon_##hook(tsr_op *op, const tsr_patterns *on);
#define PARAMS(kind, hook) void params_##hook(const tsr_op *op, tsr_##kind *out);
#define CONSTANT(hook) tsr_attr *constant_##hook(const tsr_op *op);
#include "dialect/ops.def"
#undef TSR_ROWS_ALL
