/* SPDX-License-Identifier: Apache-2.0 */
/* buffer.c - buffers: handles of values, and their properties. */
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

pj_buffer *pj_buffer_new(pj_client *client, pj_memory *memory, pj_value *value)
{
    pj_buffer *b = tsr_calloc(1, sizeof *b + 2 * value->rank * sizeof *b->dims);
    if (!b) {
        pj_value_unref(value);
        return NULL;
    }
    pthread_mutex_init(&b->lock, NULL);
    b->client = client;
    pj_client_ref(client);
    b->memory = memory;
    b->value = value;
    b->ready = pj_event_ref(value->ready);
    b->type = value->type;
    b->rank = value->rank;
    b->bytes = value->bytes;
    for (size_t i = 0; i < b->rank; i++) {
        b->dims[i] = value->dims[i];
        b->dims[b->rank + i] = (int64_t)(b->rank - 1 - i);
    }
    return b;
}

/* Its data is freed when it is deleted and has no external references. */
static void let_go(pj_buffer *b)
{
    if (!b->deleted || b->external)
        return;
    pj_value_unref(b->value);
    b->value = NULL;
}

void pj_buffer_free(pj_buffer *b)
{
    if (!b)
        return;
    pthread_mutex_destroy(&b->lock);
    pj_value_unref(b->value);
    pj_event_unref(b->ready);
    pj_client_unref(b->client);
    tsr_free(b);
}

pj_error *pj_buffer_value(pj_buffer *b, pj_value **out)
{
    pthread_mutex_lock(&b->lock);
    bool deleted = b->deleted;
    *out = deleted ? NULL : pj_value_ref(b->value);
    pthread_mutex_unlock(&b->lock);
    return deleted ? pj_fail(PJ_INVALID_ARGUMENT, "Buffer has been deleted or donated.") : NULL;
}

pj_error *pj_buffer_drop(pj_buffer *b, const char *how)
{
    pthread_mutex_lock(&b->lock);
    bool was = b->deleted;
    b->deleted = true;
    let_go(b);
    pthread_mutex_unlock(&b->lock);
    return was && how ? pj_fail(PJ_INVALID_ARGUMENT,
                                "Buffer has been deleted or donated; it cannot be %s.", how)
                      : NULL;
}

pj_error *pj_Buffer_Destroy(pj_Buffer_Destroy_args *args)
{
    pj_buffer_free(args->buffer);
    return NULL;
}

pj_error *pj_Buffer_ElementType(pj_Buffer_ElementType_args *args)
{
    args->type = args->buffer->type;
    return NULL;
}

pj_error *pj_Buffer_Dimensions(pj_Buffer_Dimensions_args *args)
{
    args->dims = args->buffer->dims;
    args->num_dims = args->buffer->rank;
    return NULL;
}

pj_error *pj_Buffer_UnpaddedDimensions(pj_Buffer_UnpaddedDimensions_args *args)
{
    args->unpadded_dims = args->buffer->dims;
    args->num_dims = args->buffer->rank;
    return NULL;
}

pj_error *pj_Buffer_DynamicDimensionIndices(pj_Buffer_DynamicDimensionIndices_args *args)
{
    args->dynamic_dim_indices = NULL;
    args->num_dynamic_dims = 0;
    return NULL;
}

pj_error *pj_Buffer_GetMemoryLayout(pj_Buffer_GetMemoryLayout_args *args)
{
    memset(&args->layout, 0, sizeof args->layout);
    args->layout.struct_size = sizeof args->layout;
    args->layout.type = PJ_TILED;
    args->layout.tiled =
        (pj_buffer_memory_layout_tiled){.struct_size = sizeof args->layout.tiled,
                                        .minor_to_major = args->buffer->dims + args->buffer->rank,
                                        .minor_to_major_size = args->buffer->rank};
    return NULL;
}

pj_error *pj_Buffer_OnDeviceSizeInBytes(pj_Buffer_OnDeviceSizeInBytes_args *args)
{
    args->on_device_size_in_bytes = args->buffer->bytes;
    return NULL;
}

pj_error *pj_Buffer_Device(pj_Buffer_Device_args *args)
{
    args->device = args->buffer->memory->device;
    return NULL;
}

pj_error *pj_Buffer_Memory(pj_Buffer_Memory_args *args)
{
    args->memory = args->buffer->memory;
    return NULL;
}

pj_error *pj_Buffer_Delete(pj_Buffer_Delete_args *args)
{
    return pj_buffer_drop(args->buffer, NULL);
}

pj_error *pj_Buffer_IsDeleted(pj_Buffer_IsDeleted_args *args)
{
    pthread_mutex_lock(&args->buffer->lock);
    args->is_deleted = args->buffer->deleted;
    pthread_mutex_unlock(&args->buffer->lock);
    return NULL;
}

pj_error *pj_Buffer_IsOnCpu(pj_Buffer_IsOnCpu_args *args)
{
    args->is_on_cpu = true;
    return NULL;
}

pj_error *pj_Buffer_ReadyEvent(pj_Buffer_ReadyEvent_args *args)
{
    args->event = pj_event_ref(args->buffer->ready);
    return NULL;
}

/* ---- Pointers to its data ---- */

static pj_error *pointer(pj_buffer *b, void **out)
{
    pj_value *v = NULL;
    pj_error *e = pj_buffer_value(b, &v);
    if (!e)
        e = pj_event_wait(v->ready);
    if (!e)
        *out = v->data;
    pj_value_unref(v);
    return e;
}

pj_error *pj_Buffer_UnsafePointer(pj_Buffer_UnsafePointer_args *args)
{
    void *data = NULL;
    pj_error *e = pointer(args->buffer, &data);
    args->buffer_pointer = (uintptr_t)data;
    return e;
}

pj_error *
pj_Buffer_OpaqueDeviceMemoryDataPointer(pj_Buffer_OpaqueDeviceMemoryDataPointer_args *args)
{
    return pointer(args->buffer, &args->device_memory_ptr);
}

pj_error *
pj_Buffer_IncreaseExternalReferenceCount(pj_Buffer_IncreaseExternalReferenceCount_args *args)
{
    pj_buffer *b = args->buffer;
    pthread_mutex_lock(&b->lock);
    bool ok = !b->deleted;
    b->external += ok;
    pthread_mutex_unlock(&b->lock);
    return ok ? NULL : pj_fail(PJ_INVALID_ARGUMENT, "Buffer has been deleted or donated.");
}

pj_error *
pj_Buffer_DecreaseExternalReferenceCount(pj_Buffer_DecreaseExternalReferenceCount_args *args)
{
    pj_buffer *b = args->buffer;
    pthread_mutex_lock(&b->lock);
    bool ok = b->external > 0;
    b->external -= ok;
    let_go(b);
    pthread_mutex_unlock(&b->lock);
    return ok ? NULL : pj_fail(PJ_FAILED_PRECONDITION, "the buffer has no external references");
}
