/* SPDX-License-Identifier: Apache-2.0 */
/* cache.c - ops that write keys and values into caches.
 *
 * They have no result: they change the operand's value. The evaluator's tensors are shared and immutable, so the
 * value's slot in the frame gets a tensor of its own, which is the same one if nobody else references it; values
 * computed from the cache before are not affected. A function that changes an argument changes the caller's value. */
#include "eval/kernel/ttir/cache.h"

#include "eval/kernel/kernels.h"
#include "eval/plan.h"

tsr_tensor *tsr_tt_open_cache(tsr_call *c)
{
    tsr_tensor **slot = &c->frame->slots[c->e->plan->slot[c->op->in[0].value->id]];
    tsr_tensor *t = tsr_tensor_reuse(*slot);
    *slot = c->in[0] = t;
    if (!t)
        tsr_fail_memory(c, "the cache that it changes");
    return t;
}

bool tsr_tt_page(tsr_call *c, const tsr_tensor *pages, int64_t user, int64_t block, int64_t nblocks,
                 int64_t *out)
{
    if (user < 0 || user >= pages->dims[0] || block < 0 || block >= pages->dims[1])
        return tsr_fail(c,
                        "asks for block %lld of user %lld; the page table has %lld of %lld users",
                        (long long)block, (long long)user, (long long)pages->dims[1],
                        (long long)pages->dims[0]);
    *out = tsr_get_index(pages, user * pages->dims[1] + block);
    if (*out < -1 || *out >= nblocks)
        return tsr_fail(c, "has page %lld in its page table; the cache has %lld blocks",
                        (long long)*out, (long long)nblocks);
    return true;
}

/* Rows of heads: copies n elements of the last dimension from one place to another, for each head. */
static void write_heads(tsr_tensor *cache, int64_t to, int64_t to_step, const tsr_tensor *from,
                        int64_t at, int64_t at_step, int64_t heads)
{
    size_t size = tsr_elem_size(cache), row = (size_t)cache->dims[3] * size;
    for (int64_t h = 0; h < heads; h++)
        memcpy((char *)cache->data + (size_t)(to + h * to_step) * size,
               (const char *)from->data + (size_t)(at + h * at_step) * size, row);
}

/* Checks that input and cache have rank 4 and equal row lengths; returns the input in the cache's element type. */
static tsr_tensor *input_of(tsr_call *c)
{
    const tsr_tensor *cache = c->in[0], *x = c->in[1];
    if (cache->rank != 4 || x->rank != 4 || cache->dims[3] != x->dims[3] || cache->dims[2] < 1) {
        tsr_fail(c, "has an input whose rows are not those of its cache");
        return NULL;
    }
    return tsr_converted(c, c->in[1], cache->elem);
}

bool eval_ttir_fill_cache(tsr_call *c)
{
    tsr_tensor *x = input_of(c), *cache = x ? tsr_tt_open_cache(c) : NULL;
    int64_t first = tt_int(c->op, TTIR_FILL_CACHE_batch_offset, 0);
    bool ok = cache != NULL;
    if (ok && (first < 0 || first + x->dims[0] > cache->dims[0] || x->dims[2] > cache->dims[2] ||
               x->dims[1] != cache->dims[1]))
        ok = tsr_fail(c, "writes %lld users from %lld on into a cache of %lld",
                      (long long)x->dims[0], (long long)first, (long long)cache->dims[0]);
    if (ok) {
        int64_t to[4], from[4];
        size_t size = tsr_elem_size(cache);
        tsr_byte_strides(cache->dims, 4, size, to);
        tsr_byte_strides(x->dims, 4, size, from);
        tsr_move_once((char *)cache->data + first * to[0], to, x->data, from, x->dims, 4, size);
    }
    tsr_tensor_unref(x);
    return ok;
}

bool tsr_tt_in_cache(tsr_call *c, int64_t at, int64_t rows)
{
    return (at >= 0 && at < rows) ||
           tsr_fail(c, "writes at place %lld of a cache of %lld", (long long)at, (long long)rows);
}

/* cache[offset + b, h, at, :] = input[0, h, b, :]; at: one position for all users, or one for each. */
bool eval_ttir_update_cache(tsr_call *c)
{
    tsr_tensor *x = input_of(c), *cache = x ? tsr_tt_open_cache(c) : NULL;
    const tsr_tensor *where = c->in[2];
    int64_t first = tt_int(c->op, TTIR_UPDATE_CACHE_batch_offset, 0), users = x ? x->dims[2] : 0;
    bool ok = cache != NULL;
    if (ok && (first < 0 || first + users > cache->dims[0] || x->dims[1] != cache->dims[1]))
        ok = tsr_fail(c, "writes %lld users from %lld on into a cache of %lld", (long long)users,
                      (long long)first, (long long)cache->dims[0]);
    if (ok && where->n != 1 && where->n != users)
        ok = tsr_fail(c, "has %lld places for %lld users", (long long)where->n, (long long)users);
    for (int64_t b = 0; ok && b < users; b++) {
        int64_t at = tsr_get_index(where, where->n == 1 ? 0 : b), row = cache->dims[3],
                rows = cache->dims[2];
        ok = tsr_tt_in_cache(c, at, rows);
        if (ok)
            write_heads(cache, ((first + b) * cache->dims[1] * rows + at) * row, rows * row, x,
                        b * row, users * row, cache->dims[1]);
    }
    tsr_tensor_unref(x);
    return ok;
}

/* cache[page(u, at), h, at % block, :] = input[0, u, h, :]; without a page table each user has a block of the cache, or
 * all users share one. A negative position: the user writes nothing. */
bool eval_ttir_paged_update_cache(tsr_call *c)
{
    tsr_tensor *x = input_of(c), *cache = x ? tsr_tt_open_cache(c) : NULL;
    const tsr_tensor *where = c->in[2], *pages = tsr_tt_operand(c, 3);
    bool shared = tt_int(c->op, TTIR_PAGED_UPDATE_CACHE_share_cache, 0) != 0, ok = cache != NULL;
    if (ok && (x->dims[0] != 1 || where->n != x->dims[1] || x->dims[2] < cache->dims[1]))
        ok = tsr_fail(c, "has an input that does not fit its cache and places");
    for (int64_t u = 0; ok && u < where->n; u++) {
        int64_t at = tsr_get_index(where, u), rows = cache->dims[2], row = cache->dims[3],
                block = shared ? 0 : u;
        if (at < 0)
            continue;
        if (pages)
            ok = tsr_tt_page(c, pages, u, at / rows, cache->dims[0], &block);
        else if (at >= rows || block >= cache->dims[0])
            ok = tsr_fail(c, "writes at place %lld of user %lld; its cache has %lld of %lld users",
                          (long long)at, (long long)u, (long long)rows, (long long)cache->dims[0]);
        if (ok && block >= 0)
            write_heads(cache, (block * cache->dims[1] * rows + at % rows) * row, rows * row, x,
                        u * x->dims[2] * row, row, cache->dims[1]);
    }
    tsr_tensor_unref(x);
    return ok;
}

/* cache[page(user of b, s), h, s % block, :] = input[b, h, s, :] */
bool eval_ttir_paged_fill_cache(tsr_call *c)
{
    tsr_tensor *x = input_of(c), *cache = x ? tsr_tt_open_cache(c) : NULL;
    const tsr_tensor *pages = c->in[2], *users = tsr_tt_operand(c, 3);
    bool ok = cache != NULL;
    if (ok &&
        (x->dims[1] != cache->dims[1] || pages->rank != 2 || (users && users->n < x->dims[0])))
        ok = tsr_fail(c, "has an input that does not fit its cache and users");
    for (int64_t b = 0; ok && b < x->dims[0]; b++) {
        int64_t user = users ? tsr_get_index(users, b) : b, rows = cache->dims[2],
                row = cache->dims[3], n = x->dims[2];
        for (int64_t s = 0; ok && s < n; s++) {
            int64_t block = -1;
            ok = tsr_tt_page(c, pages, user, s / rows, cache->dims[0], &block);
            if (ok && block >= 0)
                write_heads(cache, (block * cache->dims[1] * rows + s % rows) * row, rows * row, x,
                            (b * x->dims[1] * n + s) * row, n * row, cache->dims[1]);
        }
    }
    tsr_tensor_unref(x);
    return ok;
}
