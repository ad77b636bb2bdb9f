/* SPDX-License-Identifier: Apache-2.0 */
/* fft.c - Fourier transforms, one in each lane (kernel/fft.h). */
#include "exec/kernel/isa/fused.h"
#include "exec/kernel/isa/math_f32.h"
#include "exec/kernel/isa/math_f64.h"
#include "exec/kernel/isa/pack.h"

#define T float
#define FMA F32_fma
#define F(name) name##_f32
#include "exec/kernel/isa/fft.def"
#define T double
#define FMA F64_fma
#define F(name) name##_f64
#include "exec/kernel/isa/fft.def"

const tsr_fft_fns ISA(tsr_ffts) = {
    .run = {run_f32, run_f64}, .apart = {apart_f32, apart_f64}, .times = {times_f32, times_f64}};
