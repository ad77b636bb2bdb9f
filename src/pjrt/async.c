/* SPDX-License-Identifier: Apache-2.0 */
/* async.c - transfer managers: buffers whose data arrives in pieces. A buffer is ready when its last piece has arrived;
 * readers wait until then. */
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

typedef struct {
    pj_value *value;
    pj_buffer *buffer; /* NULL: it was handed out */
    bool done;         /* the last piece has arrived, or an error has */
} slot;

struct pj_async_host_to_device_transfer_manager {
    pj_client *client;
    pj_memory *memory;
    pthread_mutex_t lock;
    size_t n;
    slot slots[];
};

typedef pj_async_host_to_device_transfer_manager manager;

static void free_manager(manager *m)
{
    for (size_t i = 0; i < m->n; i++) {
        slot *s = &m->slots[i];
        if (s->value && !s->done)
            pj_event_done(s->value->ready,
                          pj_fail(PJ_CANCELLED, "the transfer manager was destroyed before the "
                                                "data of this buffer was there"));
        pj_buffer_free(s->buffer);
        pj_value_unref(s->value);
    }
    pthread_mutex_destroy(&m->lock);
    pj_client_unref(m->client);
    tsr_free(m);
}

static pj_error *make_slot(manager *m, slot *s, const pj_shape_spec *spec,
                           const pj_buffer_memory_layout *layout)
{
    pj_error *e =
        pj_value_make(spec->element_type, spec->dims, spec->num_dims, m->memory->device, &s->value);
    if (!e)
        e = pj_layout_check(layout, s->value);
    if (e)
        return e;
    if (!pj_value_allocate(s->value))
        return pj_no_memory();
    s->buffer = pj_buffer_new(m->client, m->memory, pj_value_ref(s->value));
    return s->buffer ? NULL : pj_no_memory();
}

pj_error *
pj_Client_CreateBuffersForAsyncHostToDevice(pj_Client_CreateBuffersForAsyncHostToDevice_args *args)
{
    pj_memory *memory;
    pj_error *e = pj_client_memory(args->client, NULL, args->memory, &memory);
    if (e)
        return e;
    size_t n = args->num_shape_specs;
    if (args->num_device_layouts && args->num_device_layouts != n)
        return pj_fail(PJ_INVALID_ARGUMENT, "%zu layouts are given for %zu buffers",
                       args->num_device_layouts, n);
    manager *m = tsr_calloc(1, sizeof *m + n * sizeof *m->slots);
    if (!m)
        return pj_no_memory();
    pthread_mutex_init(&m->lock, NULL);
    m->client = args->client;
    pj_client_ref(m->client);
    m->memory = memory;
    m->n = n;
    for (size_t i = 0; !e && i < n; i++)
        e = make_slot(m, &m->slots[i], &args->shape_specs[i],
                      args->num_device_layouts ? args->device_layouts[i] : NULL);
    if (e)
        free_manager(m);
    else
        args->transfer_manager = m;
    return e;
}

pj_error *
pj_AsyncHostToDeviceTransferManager_Destroy(pj_AsyncHostToDeviceTransferManager_Destroy_args *args)
{
    if (args->transfer_manager)
        free_manager(args->transfer_manager);
    return NULL;
}

/* The slot of an index, with the lock held. */
static pj_error *open_slot(manager *m, int index, slot **out)
{
    if (index < 0 || (size_t)index >= m->n)
        return pj_fail(PJ_INVALID_ARGUMENT, "there is no buffer %d; the manager has %zu", index,
                       m->n);
    pthread_mutex_lock(&m->lock);
    *out = &m->slots[index];
    return NULL;
}

/* The same for one that still waits for data. */
static pj_error *open_waiting(manager *m, int index, slot **out)
{
    pj_error *e = open_slot(m, index, out);
    if (e || !(*out)->done)
        return e;
    pthread_mutex_unlock(&m->lock);
    return pj_fail(PJ_FAILED_PRECONDITION, "buffer %d has its last data, or an error, already",
                   index);
}

/* Releases the slot's lock and signals those who wait for the buffer. */
static void close_slot(manager *m, slot *s, bool last)
{
    pj_value *v = last ? pj_value_ref(s->value) : NULL;
    s->done |= last;
    if (v)
        pj_normalise(v->type, v->data, v->bytes / pj_type_bytes(v->type));
    pthread_mutex_unlock(&m->lock);
    if (v)
        pj_event_done(v->ready, NULL);
    pj_value_unref(v);
}

pj_error *pj_AsyncHostToDeviceTransferManager_TransferData(
    pj_AsyncHostToDeviceTransferManager_TransferData_args *args)
{
    manager *m = args->transfer_manager;
    int64_t offset = args->offset, size = args->transfer_size;
    slot *s = NULL;
    pj_event *done = pj_event_ready();
    pj_error *e = done ? open_waiting(m, args->buffer_index, &s) : pj_no_memory();
    if (!e && (offset < 0 || size < 0 || (uint64_t)offset > s->value->bytes ||
               (uint64_t)size > s->value->bytes - (uint64_t)offset)) {
        e = pj_fail(PJ_INVALID_ARGUMENT, "%lld bytes from %lld on are not in a buffer of %zu",
                    (long long)size, (long long)offset, s->value->bytes);
        pthread_mutex_unlock(&m->lock);
    }
    if (e) {
        pj_event_unref(done);
        return e;
    }
    if (size)
        memcpy((char *)s->value->data + offset, args->data, (size_t)size);
    close_slot(m, s, args->is_last_transfer);
    args->done_with_h2d_transfer = done;
    return NULL;
}

static pj_error *check_literal(const pj_AsyncHostToDeviceTransferManager_TransferLiteral_args *args,
                               const pj_value *v, int64_t *strides)
{
    if (args->shape_element_type != v->type || args->shape_num_dims != v->rank ||
        (v->rank && memcmp(args->shape_dims, v->dims, v->rank * sizeof *v->dims)))
        return pj_fail(
            PJ_INVALID_ARGUMENT, "a literal %s cannot fill a buffer %s",
            args->shape_num_dims > 64
                ? "of many dimensions"
                : pj_shape(args->shape_element_type, args->shape_dims, args->shape_num_dims).text,
            pj_shape(v->type, v->dims, v->rank).text);
    return pj_layout_strides(args->shape_layout, v->dims, v->rank, pj_type_bytes(v->type), strides);
}

pj_error *pj_AsyncHostToDeviceTransferManager_TransferLiteral(
    pj_AsyncHostToDeviceTransferManager_TransferLiteral_args *args)
{
    manager *m = args->transfer_manager;
    int64_t strides[64], own[64];
    slot *s = NULL;
    pj_event *done = pj_event_ready();
    pj_error *e = done ? open_waiting(m, args->buffer_index, &s) : pj_no_memory();
    if (!e) {
        e = check_literal(args, s->value, strides);
        if (e)
            pthread_mutex_unlock(&m->lock);
    }
    if (e) {
        pj_event_unref(done);
        return e;
    }
    pj_value *v = s->value;
    pj_row_major(v->dims, v->rank, pj_type_bytes(v->type), own);
    if (v->bytes)
        pj_copy_strided(v->data, own, args->data, strides, v->dims, v->rank,
                        pj_type_bytes(v->type));
    close_slot(m, s, true);
    args->done_with_h2d_transfer = done;
    return NULL;
}

pj_error *pj_AsyncHostToDeviceTransferManager_SetBufferError(
    pj_AsyncHostToDeviceTransferManager_SetBufferError_args *args)
{
    manager *m = args->transfer_manager;
    slot *s = NULL;
    size_t n = args->error_message_size < 2000 ? args->error_message_size : 2000;
    if (args->error_code == PJ_OK)
        return pj_fail(PJ_INVALID_ARGUMENT, "OK is no error");
    pj_error *e = open_waiting(m, args->buffer_index, &s);
    if (e)
        return e;
    s->done = true;
    pj_event *ready = pj_event_ref(s->value->ready);
    pthread_mutex_unlock(&m->lock);
    pj_event_done(ready, pj_fail(args->error_code, "%.*s", (int)n, args->error_message));
    pj_event_unref(ready);
    return NULL;
}

pj_error *pj_AsyncHostToDeviceTransferManager_RetrieveBuffer(
    pj_AsyncHostToDeviceTransferManager_RetrieveBuffer_args *args)
{
    manager *m = args->transfer_manager;
    slot *s = NULL;
    pj_error *e = open_slot(m, args->buffer_index, &s);
    if (e)
        return e;
    args->buffer_out = s->buffer;
    s->buffer = NULL;
    pthread_mutex_unlock(&m->lock);
    return args->buffer_out ? NULL
                            : pj_fail(PJ_FAILED_PRECONDITION, "buffer %d was retrieved already",
                                      args->buffer_index);
}

pj_error *
pj_AsyncHostToDeviceTransferManager_Device(pj_AsyncHostToDeviceTransferManager_Device_args *args)
{
    args->device_out = args->transfer_manager->memory->device;
    return NULL;
}

pj_error *pj_AsyncHostToDeviceTransferManager_BufferCount(
    pj_AsyncHostToDeviceTransferManager_BufferCount_args *args)
{
    args->buffer_count = args->transfer_manager->n;
    return NULL;
}

pj_error *pj_AsyncHostToDeviceTransferManager_BufferSize(
    pj_AsyncHostToDeviceTransferManager_BufferSize_args *args)
{
    slot *s = NULL;
    pj_error *e = open_slot(args->transfer_manager, args->buffer_index, &s);
    if (e)
        return e;
    args->buffer_size = s->value->bytes;
    pthread_mutex_unlock(&args->transfer_manager->lock);
    return NULL;
}

/* Metadata for tracing transfers; ignored here. */
pj_error *pj_AsyncHostToDeviceTransferManager_AddMetadata(
    pj_AsyncHostToDeviceTransferManager_AddMetadata_args *args)
{
    (void)args;
    return NULL;
}
