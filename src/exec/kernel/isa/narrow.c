/* SPDX-License-Identifier: Apache-2.0 */
/* narrow.c - conversions from and to f32 of floats of at most eight bits, except those with an exponent only. The bits
 * are those of eval's tsr_convert. */
#include "exec/kernel/isa/convert.h"
#include "exec/kernel/isa/isa.h"

/* As to_f16 in convert.h, for any format: subnormal numbers are rounded by a float addition, others as integers. */
void ISA(tsr_narrow_floats)(const tsr_narrow *f, const float *in, uint8_t *out, size_t n)
{
    const uint32_t shift = 23u - f->mbits, half = (1u << (shift - 1)) - 1;
    const uint32_t offset = (127u - f->bias) << 23, least = offset + (1u << 23);
    const uint32_t unit = (127u + 24u - f->bias - f->mbits) << 23, over = f->over, nan = f->nan;
    const uint32_t sign_bit = f->sign, most = f->most, lost = f->one_zero ? sign_bit : 0;
    const uint32_t nan_sign = f->one_zero ? 0 : sign_bit, over_sign = f->over_sign ? sign_bit : 0;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        uint32_t b = bits_of(in[i]), x = b & 0x7FFFFFFF, minus = b >> 31;
        uint32_t small = bits_of(float_of(x) + float_of(unit)) - unit;
        uint32_t normal = (x + half + (x >> shift & 1) - offset) >> shift;
        uint32_t v = x < least ? small : normal;
        uint32_t number = v | (minus ? sign_bit & ~(v ? 0 : lost) : 0);
        uint32_t beyond = over | (minus ? over_sign : 0), none = nan | (minus ? nan_sign : 0);
        number = v > most || x >= 0x7F800000 ? beyond : number;
        out[i] = (uint8_t)(x > 0x7F800000 ? none : number);
    }
}

void ISA(tsr_widen_floats)(const tsr_narrow *f, const uint8_t *in, float *out, size_t n)
{
    const uint32_t shift = 23u - f->mbits, mask = f->sign - 1u, most = f->most, sign_bit = f->sign;
    const uint32_t infinity = f->infinity, one_zero = f->one_zero ? sign_bit : ~0u;
    const float scale = float_of((127u + 127u - f->bias) << 23);
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        uint32_t b = in[i], field = b & mask, sign = b & sign_bit ? 0x80000000 : 0;
        uint32_t number = bits_of(float_of(field << shift) * scale);
        uint32_t special = field == infinity ? 0x7F800000 : 0x7FC00000;
        number = field > most || b == one_zero ? special : number;
        out[i] = float_of(number | sign);
    }
}
