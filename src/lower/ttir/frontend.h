/* frontend.h - what custom calls of tt.* targets say in mhlo.frontend_attributes, where all
 * values are strings. */
#ifndef TSR_LOWER_TTIR_FRONTEND_H
#define TSR_LOWER_TTIR_FRONTEND_H

#include "lower/ttir/composite.h"

/* The string of this name; empty when op has none. */
tsr_str tsr_frontend(const tsr_op *op, const char *name);
/* Its value; out stays when there is none. False when it is something else. */
bool tsr_frontend_bool(const tsr_op *op, const char *name,
                       bool *out); /* true or false, in any case */
bool tsr_frontend_int(const tsr_op *op, const char *name, int64_t *out);
bool tsr_frontend_float(const tsr_op *op, const char *name, double *out);

/* ---- ttir/cache.c ---- */

/* Whether an op in op's place may write into cache: nobody needs its old value afterwards. */
bool tsr_ttir_may_overwrite(const tsr_value *cache, const tsr_op *op);

#endif
