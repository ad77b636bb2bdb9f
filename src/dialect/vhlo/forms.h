/* SPDX-License-Identifier: Apache-2.0 */
/* forms.h - steps of assembly for VHLO's attributes and types. */
#ifndef TSR_DIALECT_VHLO_FORMS_H
#define TSR_DIALECT_VHLO_FORMS_H

#include "dialect/vhlo/vhlo.h"

typedef TSR_VEC(int64_t) tsr_vhlo_ints;

/* A bare number as f64, and a VHLO type as type attribute. */
bool tsr_vhlo_asm_double(tsr_asm *a, tsr_attr **attr);
bool tsr_vhlo_asm_type(tsr_asm *a, tsr_attr **attr);

#endif
