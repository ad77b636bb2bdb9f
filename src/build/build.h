/* SPDX-License-Identifier: Apache-2.0 */
/* build.h - ops from a caller's specification (tessera/build.h), and the op tables as data. */
#ifndef TSR_BUILD_BUILD_H
#define TSR_BUILD_BUILD_H

#include "ir/ir.h"

/* ---- op.c ---- */

/* A new op, in no block, with results if their types are given or can be inferred. NULL after a diagnostic: spec is
 * invalid, or its types cannot be inferred. */
tsr_op *tsr_spec_op(tsr_module *m, const tsr_op_spec *spec);
/* The module that contains a value; NULL if its op or block was erased. */
tsr_module *tsr_value_module(const tsr_value *v);
/* Whether op, or an op that contains it, was erased. */
bool tsr_op_is_erased(const tsr_op *op);
/* Whether op is inside its module, and not in a detached region. */
bool tsr_op_is_attached(const tsr_op *op);
/* A detached region, which belongs to no op of the module: it is owned by an op that is in no block. */
tsr_region *tsr_region_apart(tsr_module *m);

/* ---- rows.c ---- */

/* Rows whose names begin with prefix, as for tsr_describe_ops. */
void tsr_rows_json(tsr_ctx *ctx, const tsr_opdef *rows, size_t n, tsr_str prefix, tsr_buf *out);

#endif
