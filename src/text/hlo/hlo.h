/* SPDX-License-Identifier: Apache-2.0 */
/* hlo.h - HLO text, the format in which XLA dumps programs, becomes a module of StableHLO. docs/EXPLAIN.md says what
 * is read. */
#ifndef TSR_TEXT_HLO_HLO_H
#define TSR_TEXT_HLO_HLO_H

#include "ir/ir.h"

/* Whether the text begins as a dump does. */
bool tsr_is_hlo(tsr_str data);
/* The program of the text, not verified; line is the number of its first line. NULL after diagnostics. */
tsr_module *tsr_hlo_read(tsr_ctx *ctx, tsr_str text, tsr_str filename, uint32_t line);

/* How the target of a custom call begins that stands for an op of HLO without a counterpart: "hlo.mulhi". */
#define TSR_HLO_OPAQUE "hlo."
/* Attributes that the reader sets: on the module if XLA has partitioned it; on an argument its sharding then, as
 * written; on a loop how often XLA knows that it turns. */
#define TSR_HLO_PARTITIONED TSR_STR("hlo.partitioned")
#define TSR_HLO_SHARDING TSR_STR("hlo.sharding")
#define TSR_HLO_TURNS TSR_STR("hlo.known_trip_count")

#endif
