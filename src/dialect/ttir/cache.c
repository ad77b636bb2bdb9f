/* SPDX-License-Identifier: Apache-2.0 */
/* cache.c - ops that write into caches of keys and values. They have no results. */
#include "dialect/hooks.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttir/say.h"

bool infer_ttir_nothing(const tsr_op *op, tsr_type_vec *out)
{
    (void)op, (void)out;
    return true;
}

/* The data type that the device uses for the element type: f32 for f64, and so on. */
static const char *data_type(const tsr_type *elem)
{
    if (tt_is_float(elem))
        return elem->width >= 32       ? "f32"
               : elem->sub == TSR_F16  ? "f16"
               : elem->sub == TSR_BF16 ? "bf16"
                                       : "f8";
    if (!tt_is_integer(elem))
        return "other";
    if (elem->width == 1)
        return "i1";
    if (elem->width == 8)
        return "u8";
    if (elem->width == 16)
        return "u16";
    return elem->sub == TSR_UNSIGNED ? "u32" : "si32";
}

static bool same_data(const tsr_op *op)
{
    const char *cache = data_type(IN(op, 0)->elem), *input = data_type(IN(op, 1)->elem);
    SAY(strcmp(cache, input) == 0,
        "Cache and input tensors must have the same dtype. Got cache dtype = %s, input dtype = %s",
        cache, input);
    SAY(IN(op, 0)->n == 4, "Cache tensor must be a 4D tensor");
    SAY(IN(op, 1)->n == 4, "Input tensor must be a 4D tensor");
    return true;
}

static bool same_sides(const tsr_op *op)
{
    const tsr_type *cache = IN(op, 0), *input = IN(op, 1);
    SAY(cache->dims[1] == input->dims[1] && cache->dims[3] == input->dims[3],
        "Cache tensor shape must match input tensor shape on dims 1 and 3. Got cache shape (%s), "
        "input shape (%s)",
        tt_show(op, cache, ", "), tt_show(op, input, ", "));
    return true;
}

bool verify_ttir_update_cache(tsr_op *op)
{
    TSR_TRY(same_data(op));
    SAY(IN(op, 1)->dims[0] == 1,
        "Input tensor requires that dim 0 have size 1, got input dim 0 size = %lld",
        (long long)IN(op, 1)->dims[0]);
    return same_sides(op);
}

bool verify_ttir_fill_cache(tsr_op *op)
{
    TSR_TRY(same_data(op));
    int64_t room = IN(op, 0)->dims[2], rows = IN(op, 1)->dims[2];
    SAY(rows <= room,
        "Input tensor requires that dim 2 have a size which is less than or equal to the size of "
        "dim 2 of the "
        "cache tensor. Got cache dim 2 size = %lld, input dim 2 size = %lld",
        (long long)room, (long long)rows);
    return same_sides(op);
}

bool verify_ttir_paged_update_cache(tsr_op *op)
{
    const tsr_type *cache = IN(op, 0), *input = IN(op, 1), *index = IN(op, 2),
                   *pages = tt_in(op, 3);
    SAY(cache->n == 4, "Cache tensor must be a 4D tensor");
    SAY(input->n == 4, "Input tensor must be a 4D tensor");
    SAY(index->n == 1, "Update index tensor must be a 1D tensor");
    int64_t users = index->dims[0];
    SAY(!pages || cache->dims[2] % 32 == 0, "Block size must be divisible by 32, got %lld",
        (long long)cache->dims[2]);
    SAY(input->dims[0] == 1, "Input tensor must have dim 0 be equal to 1, got %lld",
        (long long)input->dims[0]);
    SAY(input->dims[1] == users,
        "Input tensor must have shape equal to the number of users (determined by update index "
        "shape): %lld, got %lld",
        (long long)users, (long long)input->dims[1]);
    SAY(input->dims[3] == cache->dims[3],
        "Input tensor must have dim 3 be equal to the head dimension (determined by cache "
        "shape): %lld, got %lld",
        (long long)cache->dims[3], (long long)input->dims[3]);
    if (!pages)
        return true;
    SAY(pages->n == 2, "Page table tensor must be a 2D tensor");
    SAY(pages->dims[0] == users,
        "Page table tensor must have dim 0 be equal to the number of users (determined by update "
        "index shape): %lld, got %lld",
        (long long)users, (long long)pages->dims[0]);
    return true;
}

bool verify_ttir_paged_fill_cache(tsr_op *op)
{
    const tsr_type *cache = IN(op, 0), *input = IN(op, 1), *pages = IN(op, 2),
                   *which = tt_in(op, 3);
    SAY(cache->n == 4, "Cache tensor must be a 4D tensor");
    SAY(input->n == 4, "Input tensor must be a 4D tensor");
    SAY(pages->n == 2, "Page table tensor must be a 2D tensor");
    SAY(cache->elem == input->elem, "Cache and input tensors must have the same dtype");
    SAY(tt_is_float(cache->elem), "Cache tensor must be a floating point type");
    SAY(tt_is_integer(pages->elem), "Page table tensor must be an integer type");
    int64_t batch = input->dims[0];
    if (which) {
        SAY(which->n == 1, "Batch index tensor must be a 1D tensor");
        SAY(which->dims[0] == TSR_DYNAMIC || batch == TSR_DYNAMIC || which->dims[0] == batch,
            "Batch index tensor must have dim 0 equal to input batch (%lld), got %lld",
            (long long)batch, (long long)which->dims[0]);
        SAY(tt_is_integer(which->elem), "Batch index tensor must be an integer type");
    } else if (batch == TSR_DYNAMIC) {
        return tsr_op_error(
            op,
            "Input batch must be statically 1 when no batch_idx_tensor is provided, got dynamic");
    }
    SAY(which || batch == 1,
        "Input batch must be statically 1 when no batch_idx_tensor is provided, got %lld",
        (long long)batch);
    SAY(cache->dims[2] % 32 == 0, "Block size must be divisible by 32, got %lld",
        (long long)cache->dims[2]);
    SAY(input->dims[1] == cache->dims[1], "Input must have the same number of heads as the cache.");
    SAY(input->dims[3] == cache->dims[3], "Input must have same head dimension as cache.");
    return true;
}
