/* SPDX-License-Identifier: Apache-2.0 */
/* tile_f32.c - tile kernels of f32. */
#include "exec/kernel/isa/isa.h"
#include "exec/kernel/isa/math_f32.h"
#include "exec/kernel/isa/math_f64.h"

#define T float
#define F(name) F32_##name
#define TABLE tsr_tiles_f32
#include "exec/kernel/isa/float.def"
