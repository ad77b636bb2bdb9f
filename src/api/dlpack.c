/* SPDX-License-Identifier: Apache-2.0 */
/* dlpack.c - tensors in and out as DLPack's structs, which NumPy, torch, JAX and others share (docs/API.md).
 *
 * What goes out is a copy in one block with its description, because others may write to it and because it outlives the
 * context: its deleter frees that block and touches nothing else, so it may be called at any time by any thread. Memory of a
 * device is not copied: the block has a reference to the tensor. */
#include "api/api.h"
#include "api/guard.h"
#include "base/device_block.h"
#include "base/devices.h"
#include "base/status.h"
#include "eval/tensor.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* The layout that DLPack 1 fixes. */
typedef struct {
    uint8_t code, bits;
    uint16_t lanes;
} dl_type;

typedef struct {
    void *data;
    int32_t device, device_id, ndim;
    dl_type type;
    int64_t *shape, *strides; /* in elements; no strides: row-major */
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
    dl_tensor tensor;
    void *manager;
    void (*deleter)(struct dl_managed *);
} dl_managed;

typedef struct dl_versioned {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct dl_versioned *);
    uint64_t flags;
    dl_tensor tensor;
} dl_versioned;

enum { DL_CPU = 1, DL_CUDA = 2, DL_PINNED = 3 }; /* 1, 3: memory of the host */
enum {
    DL_IS_COPIED = 1 << 1,
    DL_PADDED = 1 << 2
}; /* padded: elements of fewer than eight bits take a byte each */
enum { DL_MAJOR = 1, DL_MINOR = 1, DL_ALIGN = 64 };

/* DLPack's code of each element type; what it does not tell from another type by code, it tells by bits. */
static const uint8_t codes[TSR_D__COUNT] = {
    [TSR_D_I1] = 6,        [TSR_D_I2] = 0,          [TSR_D_I4] = 0,
    [TSR_D_I8] = 0,        [TSR_D_I16] = 0,         [TSR_D_I32] = 0,
    [TSR_D_I64] = 0,       [TSR_D_U2] = 1,          [TSR_D_U4] = 1,
    [TSR_D_U8] = 1,        [TSR_D_U16] = 1,         [TSR_D_U32] = 1,
    [TSR_D_U64] = 1,       [TSR_D_F4E2M1FN] = 17,   [TSR_D_F6E2M3FN] = 15,
    [TSR_D_F6E3M2FN] = 16, [TSR_D_F8E3M4] = 7,      [TSR_D_F8E4M3] = 8,
    [TSR_D_F8E4M3FN] = 10, [TSR_D_F8E4M3FNUZ] = 11, [TSR_D_F8E4M3B11FNUZ] = 9,
    [TSR_D_F8E5M2] = 12,   [TSR_D_F8E5M2FNUZ] = 13, [TSR_D_F8E8M0FNU] = 14,
    [TSR_D_F16] = 2,       [TSR_D_BF16] = 4,        [TSR_D_F32] = 2,
    [TSR_D_F64] = 2,       [TSR_D_C64] = 5,         [TSR_D_C128] = 5,
};

/* A boolean takes eight bits there. */
static uint32_t bits_of(tsr_dtype d)
{
    return d == TSR_D_I1 ? 8 : tsr_dtype_bits(d);
}

static tsr_dtype dtype_of(dl_type type)
{
    for (tsr_dtype d = 0; d < TSR_D__COUNT; d++)
        if (codes[d] == type.code && bits_of(d) == type.bits)
            return d;
    return TSR_D_NONE;
}

/* ---- Out ---- */

/* manager: the tensor whose memory it refers to; NULL: none. */
static void free_managed(dl_managed *m)
{
    tsr_tensor_unref(m->manager);
    tsr_free(m);
}

static void free_versioned(dl_versioned *v)
{
    tsr_tensor_unref(v->manager);
    tsr_free(v);
}

/* Space for a description of head bytes, the shape, the strides and the data, in this order; the tensor is described
 * behind the first `at` bytes. */
static char *describe(const tsr_tensor *t, size_t head, size_t at, tsr_status *status)
{
    size_t shape = (head + 7) / 8 * 8, data = shape + 2 * t->rank * sizeof(int64_t);
    data = (data + DL_ALIGN - 1) / DL_ALIGN * DL_ALIGN;
    char *block = tsr_malloc_aligned(data + (t->where ? 0 : tsr_tensor_bytes(t)));
    if (!block) {
        tsr_status_set(status, TSR_ENVIRONMENT, "no memory for a copy of the tensor%s",
                       tsr_memory_reason().text);
        return NULL;
    }
    memset(block, 0, head);
    int64_t *dims = (void *)(block + shape), *strides = dims + t->rank;
    for (size_t i = 0; i < t->rank; i++)
        dims[i] = t->dims[i];
    tsr_strides(t->dims, t->rank, strides);
    if (t->n && !t->where)
        memcpy(block + data, t->data, tsr_tensor_bytes(t));
    tsr_dtype d = (tsr_dtype)t->dtype;
    *(dl_tensor *)(void *)(block + at) = (dl_tensor){
        .data = t->where ? t->data : block + data,
        .device = t->where ? DL_CUDA : DL_CPU,
        .device_id = t->where ? t->where->device->number : 0,
        .ndim = t->rank,
        .type = {codes[d], (uint8_t)bits_of(d), 1},
        .shape = dims,
        .strides = strides,
    };
    return block;
}

/* Whether others can read the tensor's memory. */
static bool is_ready(const tsr_tensor *t, tsr_status *status)
{
    tsr_device *d = tsr_tensor_device(t);
    if (d && strcmp(tsr_devices_kind(d), "cuda") != 0)
        return tsr_status_set(status, TSR_BAD_INPUT, "DLPack has no name for devices of kind %s",
                              tsr_devices_kind(d));
    return !d || d->synchronize(d) || tsr_status_set(status, TSR_ENVIRONMENT, "%s", d->error);
}

static void *hand_out(const tsr_tensor *t, bool versioned, tsr_status *status)
{
    if (t->kind != TSR_TENSOR || t->elem->kind == TSR_TYPE_DIALECT) {
        tsr_status_set(status, TSR_BAD_INPUT, "DLPack has no type for %s",
                       t->kind == TSR_TENSOR ? "quantized or blocked elements"
                                             : "a token or a tuple");
        return NULL;
    }
    bool padded = bits_of((tsr_dtype)t->dtype) < 8;
    if (!is_ready(t, status))
        return NULL;
    if (!versioned) {
        if (padded) {
            tsr_status_set(status, TSR_BAD_INPUT,
                           "elements of %s need the versioned form of DLPack, 1.1 or later",
                           tsr_dtype_name((tsr_dtype)t->dtype));
            return NULL;
        }
        dl_managed *m = (void *)describe(t, sizeof *m, offsetof(dl_managed, tensor), status);
        if (m) {
            m->deleter = free_managed;
            m->manager = t->where ? tsr_tensor_ref((tsr_tensor *)t) : NULL;
        }
        return m;
    }
    dl_versioned *v = (void *)describe(t, sizeof *v, offsetof(dl_versioned, tensor), status);
    if (v) {
        v->major = DL_MAJOR;
        v->minor = DL_MINOR;
        v->flags = (t->where ? 0 : DL_IS_COPIED) | (padded ? DL_PADDED : 0);
        v->manager = t->where ? tsr_tensor_ref((tsr_tensor *)t) : NULL;
        v->deleter = free_versioned;
    }
    return v;
}

void *tsr_tensor_to_dlpack(const tsr_tensor *t, bool versioned, tsr_status *status)
{
    TSR_GUARD_IF(g, t != NULL, t && t->kind == TSR_TENSOR ? t->elem->ctx : NULL, NULL, TSR_READS,
                 status, NULL)
    void *managed = hand_out(t, versioned, g.status);
    tsr_guard_close(&g);
    return managed;
}

/* Python's functions are those of the process: its capsules exist where they do. */
void tsr_dlpack_free_capsule(void *capsule)
{
    void *process = capsule ? dlopen(NULL, RTLD_LAZY) : NULL;
    if (!process)
        return;
    int (*is)(void *, const char *) =
        (int (*)(void *, const char *))dlsym(process, "PyCapsule_IsValid");
    void *(*get)(void *, const char *) =
        (void *(*)(void *, const char *))dlsym(process, "PyCapsule_GetPointer");
    static const char *const names[] = {"dltensor", "dltensor_versioned"};
    for (size_t i = 0; is && get && i < 2; i++)
        if (is(capsule, names[i])) {
            void *struct_of = get(capsule, names[i]);
            i ? free_versioned(struct_of) : free_managed(struct_of);
        }
    dlclose(process);
}

/* ---- In ---- */

/* Element i of a row-major sequence without gaps, the first in the lowest bits. */
static uint8_t packed_at(const uint8_t *data, size_t i, uint32_t bits)
{
    size_t at = i * bits;
    uint32_t shift = at % 8, value = data[at / 8];
    if (shift + bits > 8)
        value |= (uint32_t)data[at / 8 + 1] << 8;
    return (uint8_t)(value >> shift & ((1u << bits) - 1));
}

static void copy_strided(tsr_tensor *to, const dl_tensor *from, const char *data)
{
    size_t bytes = tsr_dtype_bytes((tsr_dtype)to->dtype);
    int64_t index[TSR_MAX_RANK] = {0};
    char *out = to->data;
    do {
        int64_t at = 0;
        for (int32_t k = 0; k < from->ndim; k++)
            at += index[k] * from->strides[k];
        memcpy(out, data + at * (int64_t)bytes, bytes);
        out += bytes;
    } while (tsr_next_index(index, to->dims, to->rank));
}

static bool is_row_major(const dl_tensor *d)
{
    int64_t step = 1;
    for (int32_t k = d->ndim; d->strides && k-- > 0; step *= d->shape[k])
        if (d->shape[k] != 1 && d->strides[k] != step)
            return false;
    return true;
}

/* NULL, or why the description cannot be taken. */
static const char *refused(const dl_tensor *d, bool packed)
{
    if (d->device != DL_CPU && d->device != DL_PINNED && d->device != DL_CUDA)
        return "the data of the DLPack tensor are not in the memory of the host or of a CUDA "
               "device";
    if (d->type.lanes != 1)
        return "elements of several lanes are not supported";
    if (dtype_of(d->type) == TSR_D_NONE)
        return "there is no element type of this code and width";
    if (d->ndim < 0 || d->ndim > TSR_MAX_RANK || (d->ndim && !d->shape))
        return "the DLPack tensor has no valid shape";
    bool empty = false;
    for (int32_t k = 0; k < d->ndim; k++) {
        if (d->shape[k] < 0)
            return "the DLPack tensor has no valid shape";
        empty = empty || d->shape[k] == 0;
    }
    if (!d->data && !empty)
        return "the DLPack tensor has no data";
    if (d->device == DL_CUDA && (packed || !is_row_major(d)))
        return "elements in the memory of a device must be in row-major order, in a byte each at "
               "least";
    return packed && !empty && !is_row_major(d) ? "packed elements must be in row-major order"
                                                : NULL;
}

/* Who gives the memory of a struct back. */
typedef struct {
    void (*drop)(void *managed);
    void *managed;
} owner;

static void drop_managed(void *managed)
{
    dl_managed *m = managed;
    if (m->deleter)
        m->deleter(m);
}

static void drop_versioned(void *managed)
{
    dl_versioned *v = managed;
    if (v->deleter)
        v->deleter(v);
}

/* A tensor over memory of a device. The device stays open as long as the tensor: a byte of its memory sees to that. */
static tsr_tensor *take_there(tsr_ctx *ctx, const dl_tensor *d, owner from, tsr_status *status)
{
    char name[32];
    snprintf(name, sizeof name, "cuda:%d", d->device_id);
    tsr_type *type = tsr_dtype_type(ctx, dtype_of(d->type)); /* it may stop */
    tsr_device *device = tsr_devices_open(tsr_cstr(name), status);
    if (!device)
        return NULL;
    tsr_tensor *t =
        tsr_tensor_over(type, d->shape, (size_t)d->ndim, (char *)d->data + d->byte_offset);
    tsr_device_block *b = t ? tsr_device_block_new(device, 1) : NULL;
    tsr_devices_close(device);
    if (!b) {
        tsr_tensor_unref(t);
        tsr_status_set(status, TSR_ENVIRONMENT, "no memory for the tensor%s",
                       tsr_memory_reason().text);
        return NULL;
    }
    b->busy = true; /* its owner may use the memory again at once */
    b->drop = from.drop;
    b->user = from.managed;
    t->where = b;
    t->owner = NULL;
    return t;
}

static tsr_tensor *take_in(tsr_ctx *ctx, const dl_tensor *d, bool padded, owner from,
                           tsr_status *status)
{
    bool packed = d->type.bits < 8 && !padded;
    const char *why = refused(d, packed);
    if (why) {
        tsr_status_set(status, TSR_BAD_INPUT, "%s", why);
        return NULL;
    }
    if (d->device == DL_CUDA)
        return take_there(ctx, d, from, status);
    tsr_tensor *t =
        tsr_tensor_new(tsr_dtype_type(ctx, dtype_of(d->type)), d->shape, (size_t)d->ndim);
    if (!t) {
        tsr_status_set(status, TSR_ENVIRONMENT, "no memory for the tensor%s",
                       tsr_memory_reason().text);
        return NULL;
    }
    if (!t->n)
        return t;
    const char *data = (const char *)d->data + d->byte_offset;
    if (packed)
        for (size_t i = 0; i < (size_t)t->n; i++)
            ((uint8_t *)t->data)[i] = packed_at((const uint8_t *)data, i, d->type.bits);
    else if (is_row_major(d))
        memcpy(t->data, data, tsr_tensor_bytes(t));
    else
        copy_strided(t, d, data);
    tsr_tensor_tidy(t);
    return t;
}

tsr_tensor *tsr_tensor_from_dlpack(tsr_ctx *ctx, const void *managed, bool versioned,
                                   tsr_status *status)
{
    TSR_GUARD_IF(g, ctx && managed, ctx, NULL, TSR_READS, status, NULL)
    tsr_tensor *t = NULL;
    const dl_versioned *v = managed;
    if (versioned && v->major != DL_MAJOR)
        tsr_status_set(g.status, TSR_BAD_INPUT, "version %u.%u of DLPack is not known; %d is",
                       v->major, v->minor, DL_MAJOR);
    else if (versioned)
        t = take_in(ctx, &v->tensor, (v->flags & DL_PADDED) != 0,
                    (owner){drop_versioned, (void *)managed}, g.status);
    else
        t = take_in(ctx, &((const dl_managed *)managed)->tensor, false,
                    (owner){drop_managed, (void *)managed}, g.status);
    tsr_guard_close(&g);
    return t;
}
