/* SPDX-License-Identifier: Apache-2.0 */
/* artifact.h - portable StableHLO artifacts: VHLO of some version as bytecode. */
#ifndef TSR_API_ARTIFACT_H
#define TSR_API_ARTIFACT_H

#include "dialect/vhlo/version.h"

/* Appends root as bytecode; version: of the format, -1 for the newest. False after a diagnostic. */
bool tsr_write_bytecode(tsr_buf *out, tsr_op *root, int64_t version);

/* Appends the module, which must be verified, as an artifact for target ("1.20.0", "current", "minimum"). The module is
 * VHLO afterwards. allow_others: ops of other dialects are kept. False after a diagnostic. */
bool tsr_artifact_write(tsr_buf *out, tsr_module *m, tsr_str target, bool allow_others);
/* Reads and verifies a StableHLO module from an artifact of any version; text and other bytecode are accepted too. NULL
 * after a diagnostic. line is the number of the data's first line. kept: the data outlives the module. */
tsr_module *tsr_artifact_read(tsr_ctx *ctx, tsr_str data, tsr_str filename, uint32_t line,
                              bool kept);
/* The version that the artifact declares; false if it is not an artifact. */
bool tsr_artifact_version(tsr_str data, tsr_vhlo_version *out);

#endif
