/* SPDX-License-Identifier: Apache-2.0 */
/* tile_f64.c - tile kernels of f64. */
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/isa/math_f64.h"

#define T double
#define F(name) F64_##name
#define TABLE tsr_tiles_f64
#include "exec/kernel/isa/float.def"
