/* SPDX-License-Identifier: Apache-2.0 */
/* value.c - values: immutable, reference-counted data, ready when its event is complete. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/small.h"
#include "pjrt/pjrt.h"

enum { ALIGN = 64 };

/* The size of an array in bytes; false if it is impossible. */
static bool size_of(pj_buffer_type type, const int64_t *dims, size_t rank, size_t *out)
{
    const size_t most = (size_t)1 << 46;
    size_t n = pj_type_bytes(type), others = n;
    bool empty = false;
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] < 0 || (dims[i] && others > most / (size_t)dims[i]))
            return false;
        empty |= dims[i] == 0;
        others *= dims[i] ? (size_t)dims[i] : 1;
    }
    *out = empty ? 0 : others;
    return true;
}

pj_value *pj_value_new(pj_buffer_type type, const int64_t *dims, size_t rank, pj_device *device)
{
    size_t bytes;
    if (rank > 64 || !size_of(type, dims, rank, &bytes))
        return NULL;
    pj_value *v = tsr_calloc(1, sizeof *v);
    if (!v)
        return NULL;
    atomic_init(&v->refs, 1);
    v->type = type;
    v->rank = rank;
    v->bytes = bytes;
    v->ready = pj_event_new();
    v->dims = tsr_malloc((rank + 1) * sizeof *v->dims);
    v->device = device;
    if (!v->ready || !v->dims) {
        v->device = NULL;
        pj_value_unref(v);
        return NULL;
    }
    if (rank)
        memcpy(v->dims, dims, rank * sizeof *dims);
    if (device) {
        long long size = (long long)bytes, now = atomic_fetch_add(&device->in_use, size) + size;
        atomic_fetch_add(&device->allocs, 1);
        long long peak = atomic_load(&device->peak), largest = atomic_load(&device->largest);
        while (now > peak && !atomic_compare_exchange_weak(&device->peak, &peak, now))
            continue;
        while (size > largest && !atomic_compare_exchange_weak(&device->largest, &largest, size))
            continue;
    }
    return v;
}

pj_error *pj_value_make(pj_buffer_type type, const int64_t *dims, size_t rank, pj_device *device,
                        pj_value **out)
{
    size_t bytes;
    if (!pj_type_name(type))
        return pj_fail(PJ_UNIMPLEMENTED, "element type number %d is none that Tessera has", type);
    if (rank > 64)
        return pj_fail(PJ_INVALID_ARGUMENT, "an array has at most 64 dimensions, not %zu", rank);
    if (!size_of(type, dims, rank, &bytes))
        return pj_fail(PJ_INVALID_ARGUMENT, "there cannot be an array %s",
                       pj_shape(type, dims, rank).text);
    *out = pj_value_new(type, dims, rank, device);
    return *out ? NULL : pj_no_memory();
}

pj_value *pj_value_ref(pj_value *v)
{
    atomic_fetch_add(&v->refs, 1);
    return v;
}

void pj_value_unref(pj_value *v)
{
    if (!v || atomic_fetch_sub(&v->refs, 1) != 1)
        return;
    if (v->device)
        atomic_fetch_sub(&v->device->in_use, (long long)v->bytes);
    tsr_free(v->owned);
    if (v->on_release)
        v->on_release(v->data, v->user);
    if (v->released)
        pj_event_done(v->released, NULL);
    pj_event_unref(v->released);
    pj_value_unref(v->of);
    pj_event_unref(v->ready);
    tsr_free(v->dims);
    tsr_free(v);
}

bool pj_value_allocate(pj_value *v)
{
    size_t bytes = (v->bytes + ALIGN) & ~(size_t)(ALIGN - 1);
    v->data = v->owned = tsr_malloc_aligned(bytes);
    return v->data != NULL;
}

bool pj_value_take(pj_value *v, pj_value *from)
{
    if (atomic_load(&from->refs) != 1 || !from->owned || from->bytes != v->bytes)
        return false;
    v->data = v->owned = from->owned;
    from->owned = NULL;
    return true;
}

void pj_value_share(pj_value *v, pj_value *of)
{
    v->of = pj_value_ref(of);
    v->data = of->data;
}

pj_shape_text pj_shape(pj_buffer_type type, const int64_t *dims, size_t rank)
{
    pj_shape_text t;
    const char *name = pj_type_name(type);
    size_t at = (size_t)snprintf(t.text, sizeof t.text, "tensor<");
    for (size_t d = 0; d < rank && at < sizeof t.text; d++)
        at += (size_t)snprintf(t.text + at, sizeof t.text - at, "%lldx", (long long)dims[d]);
    if (at < sizeof t.text)
        snprintf(t.text + at, sizeof t.text - at, "%s>", name ? name : "token");
    return t;
}

/* ---- Copies between layouts ---- */

void pj_row_major(const int64_t *dims, size_t rank, size_t size, int64_t *strides)
{
    int64_t stride = (int64_t)size;
    for (size_t d = rank; d-- > 0;) {
        strides[d] = stride;
        stride *= dims[d] > 0 ? dims[d] : 1;
    }
}

void pj_copy_strided(void *to, const int64_t *to_strides, const void *from,
                     const int64_t *from_strides, const int64_t *dims, size_t rank, size_t size)
{
    if (!rank) {
        memcpy(to, from, size);
        return;
    }
    char *t = to;
    const char *f = from;
    bool dense = rank == 1 && to_strides[0] == (int64_t)size && from_strides[0] == (int64_t)size;
    if (dense && dims[0] > 0)
        memcpy(t, f, (size_t)dims[0] * size);
    for (int64_t i = 0; !dense && i < dims[0]; i++, t += to_strides[0], f += from_strides[0]) {
        if (rank == 1)
            memcpy(t, f, size);
        else
            pj_copy_strided(t, to_strides + 1, f, from_strides + 1, dims + 1, rank - 1, size);
    }
}

void pj_normalise(pj_buffer_type type, void *data, size_t n)
{
    unsigned bits = pj_type_bits(type);
    const char *name = pj_type_name(type);
    if (!name)
        return;
    tsr_small_tidy(data, n, bits, name[0] == 'i' && bits > 1);
}

pj_error *pj_layout_strides(const pj_buffer_memory_layout *l, const int64_t *dims, size_t rank,
                            size_t size, int64_t *strides)
{
    pj_row_major(dims, rank, size, strides);
    if (!l)
        return NULL;
    if (l->type == PJ_STRIDES) {
        if (l->strides.num_byte_strides != rank)
            return pj_fail(PJ_INVALID_ARGUMENT,
                           "the layout has %zu strides, the array %zu dimensions",
                           l->strides.num_byte_strides, rank);
        if (rank)
            memcpy(strides, l->strides.byte_strides, rank * sizeof *strides);
        return NULL;
    }
    if (l->tiled.minor_to_major_size != rank || l->tiled.num_tiles)
        return pj_fail(PJ_UNIMPLEMENTED,
                       "the layout is tiled, or for %zu dimensions where the array has %zu",
                       l->tiled.minor_to_major_size, rank);
    uint64_t seen = 0;
    int64_t stride = (int64_t)size;
    for (size_t i = 0; i < rank; i++) {
        int64_t d = l->tiled.minor_to_major[i];
        if (d < 0 || (uint64_t)d >= rank || seen >> d & 1)
            return pj_fail(PJ_INVALID_ARGUMENT,
                           "the layout's order of dimensions is no permutation");
        seen |= (uint64_t)1 << d;
        strides[d] = stride;
        stride *= dims[d] > 0 ? dims[d] : 1;
    }
    return NULL;
}
