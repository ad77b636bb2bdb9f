/* ttir.h - parameters of TTIR's attributes. */
#ifndef TSR_DIALECT_TTIR_TTIR_H
#define TSR_DIALECT_TTIR_TTIR_H

#include "dialect/dialect.h"

enum {
    TTIR_FLATTENED_COMPAT_batch_size,
    TTIR_FLATTENED_COMPAT_input_height,
    TTIR_FLATTENED_COMPAT_input_width,
};

#endif
