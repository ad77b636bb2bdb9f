/* SPDX-License-Identifier: Apache-2.0 */
/* xla.h - shardings in XLA's strings, for analyze-mesh. */
#ifndef TSR_SHARD_TT_XLA_H
#define TSR_SHARD_TT_XLA_H

#include "shard/tt/tt.h"

/* Converts custom calls that only give a sharding, in a string, to sharding constraints. False after a diagnostic. */
bool tsr_tt_calls_to_constraints(tsr_pass *p, tsr_op *root);

/* Converts the module's meshes and the shardings of functions' arguments in strings to sdy's, as JAX exported them for
 * a time. False after a diagnostic. */
bool tsr_tt_strings_to_shardings(tsr_pass *p, tsr_op *root);

/* The mesh of devices that mhlo.sharding refers to; 1 x 1 if nothing is cut. */
typedef struct {
    int64_t x, y;
} tsr_tt_gspmd_grid;
bool tsr_tt_gspmd_mesh(tsr_op *root, tsr_tt_gspmd_grid *mesh);

#endif
