/* version.h - versions of VHLO, the stable form of StableHLO: each op, attribute and type of it
 * has a range of them. */
#ifndef TSR_DIALECT_VHLO_VERSION_H
#define TSR_DIALECT_VHLO_VERSION_H

#include "ir/ir.h"

typedef struct {
    uint32_t major, minor, patch;
} tsr_vhlo_version;

#define TSR_VHLO_CURRENT ((tsr_vhlo_version){1, 20, 0})
#define TSR_VHLO_MINIMUM ((tsr_vhlo_version){0, 9, 0})

/* Less than, equal to or greater than 0, as a is to b. */
int tsr_vhlo_version_compare(tsr_vhlo_version a, tsr_vhlo_version b);
/* Reads "1.20.0", "current" or "minimum", nothing else. Any numbers will do: see
 * tsr_vhlo_check_target. */
bool tsr_vhlo_version_parse(tsr_str text, tsr_vhlo_version *out);
/* Whether text names a version that can be written, into out; false after a diagnostic at loc. */
bool tsr_vhlo_check_target(tsr_ctx *ctx, tsr_loc loc, tsr_str text, tsr_vhlo_version *out);
/* The version of MLIR's bytecode that a version of VHLO is written in; -1 when there is no such
 * version of VHLO. */
int tsr_vhlo_bytecode_version(tsr_vhlo_version v);

#endif
