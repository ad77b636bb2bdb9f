/* SPDX-License-Identifier: Apache-2.0 */
/* version.h - versions of VHLO, the stable form of StableHLO: each op, attribute and type has a range of versions. */
#ifndef TSR_DIALECT_VHLO_VERSION_H
#define TSR_DIALECT_VHLO_VERSION_H

#include "ir/ir.h"

typedef struct {
    uint32_t major, minor, patch;
} tsr_vhlo_version;

#define TSR_VHLO_CURRENT ((tsr_vhlo_version){1, 20, 0})
#define TSR_VHLO_MINIMUM ((tsr_vhlo_version){0, 9, 0})

/* Negative, 0 or positive if a is less than, equal to or greater than b. */
int tsr_vhlo_version_compare(tsr_vhlo_version a, tsr_vhlo_version b);
/* Reads "1.20.0", "current" or "minimum", nothing else. Accepts any numbers: see tsr_vhlo_check_target. */
bool tsr_vhlo_version_parse(tsr_str text, tsr_vhlo_version *out);
/* Checks that text names a version that can be written, and stores it in out; false after a diagnostic at loc. */
bool tsr_vhlo_check_target(tsr_ctx *ctx, tsr_loc loc, tsr_str text, tsr_vhlo_version *out);
/* The version of MLIR's bytecode that a version of VHLO is written in; -1 if there is no such version of VHLO. */
int tsr_vhlo_bytecode_version(tsr_vhlo_version v);

#endif
