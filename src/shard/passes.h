/* SPDX-License-Identifier: Apache-2.0 */
/* passes.h - the table of sharding passes (pass.def). */
#ifndef TSR_SHARD_PASSES_H
#define TSR_SHARD_PASSES_H

#include "pass/pass.h"

extern const tsr_pass_table tsr_shard_passes;

#define PASS(id, name, anchor, needs, breaks, summary) bool pass_##id(tsr_pass *p, tsr_op *root);
#define EXPAND(id, name, summary) void expand_##id(const tsr_pass *p, tsr_buf *out);
#include "shard/pass.def"

#endif
