/* SPDX-License-Identifier: Apache-2.0 */
/* block.c - see block.h. */
#include "eval/block.h"

#include <math.h>

#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"

typedef struct {
    uint8_t mantissa;
    bool narrow; /* five bits of exponent */
} format;

static const format formats[] = {
    [TSR_TT_BFP_F8] = {7, true},   [TSR_TT_BFP_BF8] = {7, false}, [TSR_TT_BFP_F4] = {3, true},
    [TSR_TT_BFP_BF4] = {3, false}, [TSR_TT_BFP_F2] = {1, true},   [TSR_TT_BFP_BF2] = {1, false},
};

static format format_of(const tsr_type *elem)
{
    if (!elem || elem->kind != TSR_TYPE_DIALECT || elem->def != &tsr_def_TTCORE_TILE)
        return (format){0};
    int64_t type = elem->params[TTCORE_TILE_element]->i;
    return type >= 0 && type < (int64_t)TSR_COUNT(formats) ? formats[type] : (format){0};
}

int tsr_block_bits(const tsr_type *elem)
{
    return format_of(elem).mantissa;
}

/* The exponent that n elements share; INT_MIN if all are 0. */
static int shared(const float *v, int64_t n, bool narrow)
{
    enum { NONE = -1000, NARROW_LEAST = -14, NARROW_MOST = 16, BEYOND = 128 };
    int most = NONE;
    for (int64_t i = 0; i < n; i++) {
        int e = NONE;
        if (!isfinite(v[i]))
            e = BEYOND;
        else if (fabsf(v[i]) >= 0x1p-126f)
            frexpf(v[i], &e), e--;
        most = e > most ? e : most;
    }
    if (narrow && most > NARROW_MOST)
        most = NARROW_MOST;
    return narrow && most < NARROW_LEAST ? NONE : most;
}

static float rounded(float x, double unit, double most)
{
    if (!isfinite(x))
        return x;
    double k = nearbyint(fabs((double)x) / unit);
    k = k > most ? most : k;
    return k == 0 ? 0 : (float)copysign(k * unit, x);
}

void tsr_block_round(tsr_tensor *t, const tsr_type *elem)
{
    format f = format_of(elem);
    int64_t row = t->rank ? t->dims[t->rank - 1] : 1;
    float *v = t->data;
    if (!f.mantissa || t->dtype != TSR_D_F32 || !row)
        return;
    for (int64_t r = 0; r < t->n; r += row)
        for (int64_t i = 0; i < row; i += TSR_BLOCK) {
            int64_t n = row - i < TSR_BLOCK ? row - i : TSR_BLOCK;
            int e = shared(v + r + i, n, f.narrow);
            /* The largest mantissa is 2 - 2^(1 - bits): one bit is before the point. */
            double unit = ldexp(1, e - (f.mantissa - 1)), most = ldexp(1, f.mantissa) - 1;
            for (int64_t k = 0; k < n; k++)
                v[r + i + k] = e < -900 ? 0 : rounded(v[r + i + k], unit, most);
        }
}
