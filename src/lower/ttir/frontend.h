/* SPDX-License-Identifier: Apache-2.0 */
/* frontend.h - reads mhlo.frontend_attributes of custom calls of tt.* targets, where all values are strings. */
#ifndef TSR_LOWER_TTIR_FRONTEND_H
#define TSR_LOWER_TTIR_FRONTEND_H

#include "lower/ttir/composite.h"

/* The string of this name; empty if op has none. */
tsr_str tsr_frontend(const tsr_op *op, const char *name);
/* Its value; out is unchanged if there is none. False if it is something else. */
bool tsr_frontend_bool(const tsr_op *op, const char *name,
                       bool *out); /* true or false, case-insensitive */
bool tsr_frontend_int(const tsr_op *op, const char *name, int64_t *out);
bool tsr_frontend_float(const tsr_op *op, const char *name, double *out);

/* ---- ttir/cache.c ---- */

/* Whether an op in op's position may overwrite cache: its old value is not used afterwards. */
bool tsr_ttir_may_overwrite(const tsr_value *cache, const tsr_op *op);

#endif
