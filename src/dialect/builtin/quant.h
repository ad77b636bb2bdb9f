/* SPDX-License-Identifier: Apache-2.0 */
/* quant.h - indices of the parameters of quantized types: type->params[...]. */
#ifndef TSR_DIALECT_BUILTIN_QUANT_H
#define TSR_DIALECT_BUILTIN_QUANT_H

/* !quant.uniform; !quant.any has the first five. */
enum {
    QUANT_storage, /* type: an integer */
    QUANT_signed,  /* bool: i8 or si8, not u8 or ui8 */
    QUANT_min,     /* i64: range of the stored integers */
    QUANT_max,
    QUANT_expressed,   /* type: a float; NULL: unspecified in !quant.any */
    QUANT_axis,        /* NULL: per tensor; i64: per axis; array<i64: axis, size, ...>: blocks */
    QUANT_scales,      /* array<f64> */
    QUANT_zero_points, /* array<i64>, as many */
    QUANT_shape,       /* blocks: array<i64>, the shape of scales; NULL otherwise */
};
/* !quant.calibrated: expressed type; min and max as f64. */
enum { QUANT_CALIBRATED_expressed, QUANT_CALIBRATED_min, QUANT_CALIBRATED_max };

#endif
