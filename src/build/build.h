/* build.h - ops from what a caller says of them (tessera/build.h), and the tables of ops as data. */
#ifndef TSR_BUILD_BUILD_H
#define TSR_BUILD_BUILD_H

#include "ir/ir.h"

/* ---- op.c ---- */

/* A new op, in no block, with results when its types are given or follow. NULL after a diagnostic: what spec says is wrong, or its types do not
 * follow. */
tsr_op *tsr_spec_op(tsr_module *m, const tsr_op_spec *spec);
/* The module that a value is in; NULL when its op or block was erased. */
tsr_module *tsr_value_module(const tsr_value *v);
/* Whether op, or one that it is in, was erased. */
bool tsr_op_is_erased(const tsr_op *op);
/* Whether op is inside its module, not in a region that is part of none. */
bool tsr_op_is_attached(const tsr_op *op);
/* A region that is part of no op of the module: one of an op that is in no block. */
tsr_region *tsr_region_apart(tsr_module *m);

/* ---- rows.c ---- */

/* Rows whose names begin with prefix, as tsr_describe_ops says. */
void tsr_rows_json(tsr_ctx *ctx, const tsr_opdef *rows, size_t n, tsr_str prefix, tsr_buf *out);

#endif
