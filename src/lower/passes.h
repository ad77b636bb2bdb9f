/* SPDX-License-Identifier: Apache-2.0 */
/* passes.h - the table of conversions between dialects (pass.def). */
#ifndef TSR_LOWER_PASSES_H
#define TSR_LOWER_PASSES_H

#include "pass/pass.h"

extern const tsr_pass_table tsr_lower_passes;

#define PASS(id, name, anchor, needs, breaks, summary) bool pass_##id(tsr_pass *p, tsr_op *root);
#define EXPAND(id, name, summary) void expand_##id(const tsr_pass *p, tsr_buf *out);
#include "lower/pass.def"

/* Converts a collective of Graph IR on a group to one on lists of devices; others stay (export_local.c). */
void tsr_collective_to_nccl(tsr_op *op);

#endif
