/* SPDX-License-Identifier: Apache-2.0 */
/* vhlo.h - queries of the VHLO tables: the first version of something, its previous form, and what it represents. */
#ifndef TSR_DIALECT_VHLO_VHLO_H
#define TSR_DIALECT_VHLO_VHLO_H

#include "dialect/dialect.h"
#include "dialect/vhlo/version.h"

/* Indices of the parameters of quantized types: quant_v1 has scale and zero point, quant_per_axis_v1 lists of them. */
enum {
    VHLO_QUANT_flags,
    VHLO_QUANT_storage,
    VHLO_QUANT_expressed,
    VHLO_QUANT_scale,
    VHLO_QUANT_zero_point,
    VHLO_QUANT_min,
    VHLO_QUANT_max
};
enum {
    VHLO_PER_AXIS_flags,
    VHLO_PER_AXIS_storage,
    VHLO_PER_AXIS_expressed,
    VHLO_PER_AXIS_axis,
    VHLO_PER_AXIS_scales,
    VHLO_PER_AXIS_zero_points,
    VHLO_PER_AXIS_min,
    VHLO_PER_AXIS_max
};

/* Whether a row, an attribute or a type is VHLO's. */
bool tsr_opdef_is_vhlo(const tsr_opdef *def);
bool tsr_attr_is_vhlo(const tsr_attr *a);
bool tsr_type_is_vhlo(const tsr_type *t);

/* ---- Versions (vhlo.c) ---- */

/* The first version that has it. def is VHLO's. */
tsr_vhlo_version tsr_vhlo_op_since(const tsr_opdef *def);
tsr_vhlo_version tsr_vhlo_def_since(const tsr_attrdef *def);
/* The row of the same op before (step -1) or after (step 1) this one; NULL if there is none. */
const tsr_opdef *tsr_vhlo_neighbour(const tsr_ctx *ctx, const tsr_opdef *def, int step);
/* The ABSENT value of the slot; NULL if there is none. */
const char *tsr_vhlo_absent(const tsr_opdef *def, size_t slot);
/* "gather" of "vhlo.gather_v2". */
tsr_str tsr_vhlo_base_name(const tsr_opdef *def);
/* The newest row of "gather"; NULL if VHLO has no such op. */
const tsr_opdef *tsr_vhlo_newest(tsr_ctx *ctx, tsr_str base);

/* ---- Types (convert.c) ---- */

/* The VHLO type for a type of MLIR or StableHLO, itself if it is VHLO's; NULL if there is none. */
tsr_type *tsr_vhlo_type(tsr_ctx *ctx, tsr_type *t);
/* The inverse; t itself if it is not VHLO's; NULL if its parts do not make a type. */
tsr_type *tsr_vhlo_type_meant(tsr_ctx *ctx, tsr_type *t);
/* The encoding of a tensor: bounds, in either dialect. NULL if it has no counterpart. */
tsr_attr *tsr_vhlo_encoding(tsr_ctx *ctx, tsr_attr *a);
tsr_attr *tsr_vhlo_encoding_meant(tsr_ctx *ctx, tsr_attr *a);

#endif
