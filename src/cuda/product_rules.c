/* SPDX-License-Identifier: Apache-2.0 */
/* product_rules.c - which products cuBLASLt does, by its documentation: types, layouts, epilogues. See product.h.
 *
 * The library counts by columns: it computes the transpose of our product, with the factors exchanged. What it calls
 * "TN" are factors whose sums run along contiguous elements: a by rows, b by columns. */
#include <limits.h>

#include "cuda/product.h"

typedef struct {
    tsr_device_type a, b, out, sums;
} types;

static const types known[] = {
    {TSR_DEVICE_F64, TSR_DEVICE_F64, TSR_DEVICE_F64, TSR_DEVICE_F64},
    {TSR_DEVICE_F32, TSR_DEVICE_F32, TSR_DEVICE_F32, TSR_DEVICE_F32},
    {TSR_DEVICE_BF16, TSR_DEVICE_BF16, TSR_DEVICE_BF16, TSR_DEVICE_F32},
    {TSR_DEVICE_BF16, TSR_DEVICE_BF16, TSR_DEVICE_F32, TSR_DEVICE_F32},
    {TSR_DEVICE_F16, TSR_DEVICE_F16, TSR_DEVICE_F16, TSR_DEVICE_F32},
    {TSR_DEVICE_F16, TSR_DEVICE_F16, TSR_DEVICE_F32, TSR_DEVICE_F32},
    {TSR_DEVICE_I8, TSR_DEVICE_I8, TSR_DEVICE_I32, TSR_DEVICE_I32},
    {TSR_DEVICE_F8E4M3, TSR_DEVICE_F8E4M3, TSR_DEVICE_BF16, TSR_DEVICE_F32},
    {TSR_DEVICE_F8E4M3, TSR_DEVICE_F8E4M3, TSR_DEVICE_F16, TSR_DEVICE_F32},
    {TSR_DEVICE_F8E4M3, TSR_DEVICE_F8E4M3, TSR_DEVICE_F32, TSR_DEVICE_F32},
    {TSR_DEVICE_F8E4M3, TSR_DEVICE_F8E5M2, TSR_DEVICE_BF16, TSR_DEVICE_F32},
    {TSR_DEVICE_F8E4M3, TSR_DEVICE_F8E5M2, TSR_DEVICE_F16, TSR_DEVICE_F32},
    {TSR_DEVICE_F8E4M3, TSR_DEVICE_F8E5M2, TSR_DEVICE_F32, TSR_DEVICE_F32},
    {TSR_DEVICE_F8E5M2, TSR_DEVICE_F8E4M3, TSR_DEVICE_BF16, TSR_DEVICE_F32},
    {TSR_DEVICE_F8E5M2, TSR_DEVICE_F8E4M3, TSR_DEVICE_F16, TSR_DEVICE_F32},
    {TSR_DEVICE_F8E5M2, TSR_DEVICE_F8E4M3, TSR_DEVICE_F32, TSR_DEVICE_F32},
};

size_t tsr_device_type_bytes(tsr_device_type t)
{
    static const uint8_t bytes[] = {
        [TSR_DEVICE_F64] = 8, [TSR_DEVICE_F32] = 4,    [TSR_DEVICE_BF16] = 2,
        [TSR_DEVICE_F16] = 2, [TSR_DEVICE_F8E4M3] = 1, [TSR_DEVICE_F8E5M2] = 1,
        [TSR_DEVICE_I8] = 1,  [TSR_DEVICE_I32] = 4};
    return bytes[t];
}

bool tsr_epilogue_has_bias(tsr_epilogue e)
{
    return e == TSR_EPILOGUE_BIAS || e == TSR_EPILOGUE_GELU_BIAS || e == TSR_EPILOGUE_GELU_AUX_BIAS;
}

bool tsr_epilogue_has_aux(tsr_epilogue e)
{
    return e == TSR_EPILOGUE_GELU_AUX || e == TSR_EPILOGUE_GELU_AUX_BIAS || e == TSR_EPILOGUE_DGELU;
}

static bool has_types(const tsr_device_product *p)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].a == p->a.type && known[i].b == p->b.type && known[i].out == p->out.type &&
            known[i].sums == p->sums)
            return true;
    return false;
}

/* Lines of at least their length, at distances that the library can count. */
static bool has_layout(const tsr_device_matrix *x, int64_t rows, int64_t cols, int64_t batch)
{
    int64_t length = x->transposed ? rows : cols;
    return x->line >= length && x->line <= INT_MAX && (batch == 1 || x->matrix >= 0) &&
           (uintptr_t)x->at % tsr_device_type_bytes(x->type) == 0;
}

static bool divides(int by, const tsr_device_matrix *x)
{
    return x->line % by == 0 && (uintptr_t)x->at % (unsigned)by == 0 && x->matrix % by == 0;
}

static const char *refused_bytes(const tsr_device_product *p)
{
    bool ints = p->a.type == TSR_DEVICE_I8;
    int by = ints ? 4 : 16;
    if (tsr_device_type_bytes(p->a.type) > 1)
        return NULL;
    if (p->a.transposed || !p->b.transposed || p->out.transposed)
        return "sums of 8-bit numbers run along contiguous elements of both factors";
    if (p->k % by || p->n % by || (!ints && p->m % by))
        return "sizes of products of 8-bit numbers are multiples of 4, those of floats of 16";
    if (!divides(by, &p->a) || !divides(by, &p->b) || (uintptr_t)p->out.at % (unsigned)by)
        return "8-bit factors begin, and their lines do, at multiples of 4 bytes, floats of 16";
    return NULL;
}

static const char *refused_epilogue(const tsr_device_product *p)
{
    if (p->epilogue == TSR_EPILOGUE_NONE)
        return NULL;
    if (p->sums != TSR_DEVICE_F32 || tsr_device_type_bytes(p->a.type) == 1)
        return "epilogues are for sums in f32 of 16-bit and 32-bit floats";
    if (p->out.transposed)
        return "epilogues are for results by rows";
    if (!tsr_epilogue_has_aux(p->epilogue))
        return NULL;
    if ((uintptr_t)p->aux % 16 || p->aux_line % 8 || p->aux_line < p->n || p->batch > 1)
        return "aux begins at a multiple of 16 bytes, its lines of 8 elements, and there is no "
               "batch";
    return NULL;
}

const char *tsr_product_refused(const tsr_device_product *p)
{
    if (p->m < 1 || p->n < 1 || p->k < 1 || p->batch < 1 || p->m > INT_MAX || p->n > INT_MAX ||
        p->k > INT_MAX || p->batch > INT_MAX)
        return "sizes are from 1 to 2^31 - 1";
    if (!has_types(p))
        return "the library does not have these types";
    if (!has_layout(&p->a, p->m, p->k, p->batch) || !has_layout(&p->b, p->k, p->n, p->batch) ||
        !has_layout(&p->out, p->m, p->n, p->batch))
        return "lines are too short, or do not begin where their elements may";
    if (p->batch > 1 && p->out.matrix == 0)
        return "results of a batch are in the same place";
    if (p->beta != 0 && (p->add.type != p->out.type || p->add.transposed != p->out.transposed ||
                         !has_layout(&p->add, p->m, p->n, p->batch)))
        return "what is added has another type or order than the result";
    if (p->fast && p->a.type != TSR_DEVICE_F32)
        return "only f32 factors may be rounded";
    const char *why = refused_bytes(p);
    return why ? why : refused_epilogue(p);
}
