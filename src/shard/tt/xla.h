/* xla.h - shardings in XLA's strings, for analyze-mesh. */
#ifndef TSR_SHARD_TT_XLA_H
#define TSR_SHARD_TT_XLA_H

#include "shard/tt/tt.h"

/* Custom calls that only say a sharding, in a string, become sharding constraints. False after a
 * diagnostic. */
bool tsr_tt_calls_to_constraints(tsr_pass *p, tsr_op *root);

/* Meshes of the module and shardings of functions' arguments that strings hold become those of sdy,
 * as JAX exported them for a time. False after a diagnostic. */
bool tsr_tt_strings_to_shardings(tsr_pass *p, tsr_op *root);

/* The mesh of devices that mhlo.sharding refers to; 1 x 1 when nothing is cut. */
typedef struct {
    int64_t x, y;
} tsr_tt_gspmd_grid;
bool tsr_tt_gspmd_mesh(tsr_op *root, tsr_tt_gspmd_grid *mesh);

#endif
