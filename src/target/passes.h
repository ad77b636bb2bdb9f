/* SPDX-License-Identifier: Apache-2.0 */
/* passes.h - the table of passes that read and write files of other formats (pass.def). */
#ifndef TSR_TARGET_PASSES_H
#define TSR_TARGET_PASSES_H

#include "pass/pass.h"

extern const tsr_pass_table tsr_target_passes;

#define PASS(id, name, anchor, needs, breaks, summary) bool pass_##id(tsr_pass *p, tsr_op *root);
#include "target/pass.def"

#endif
