/* SPDX-License-Identifier: Apache-2.0 */
/* transfer.c - copies data from the host to buffers, back, and between buffers. */
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

enum { ALIGN = 16 };

static size_t elements(const pj_value *v)
{
    return v->bytes / pj_type_bytes(v->type);
}

/* ---- From the host ---- */

static bool is_dense(const pj_value *v, const int64_t *strides, size_t n)
{
    int64_t own[64];
    if (!n)
        return true;
    pj_row_major(v->dims, v->rank, pj_type_bytes(v->type), own);
    for (size_t d = 0; d < v->rank; d++)
        if (v->dims[d] != 1 && own[d] != strides[d] && v->bytes)
            return false;
    return true;
}

/* Whether to use the host's data itself: it is immutable and has our layout. */
static bool alias(const pj_Client_BufferFromHostBuffer_args *args, const pj_value *v)
{
    return (args->host_buffer_semantics == PJ_ZERO_COPY ||
            args->host_buffer_semantics == PJ_MUTABLE_ZERO_COPY) &&
           pj_type_bits(v->type) >= 8 && v->bytes && (uintptr_t)args->data % ALIGN == 0 &&
           is_dense(v, args->byte_strides, args->num_byte_strides);
}

static pj_error *take(pj_Client_BufferFromHostBuffer_args *args, pj_value *v)
{
    if (args->num_byte_strides && args->num_byte_strides != v->rank)
        return pj_fail(PJ_INVALID_ARGUMENT, "%zu strides are given for %zu dimensions",
                       args->num_byte_strides, v->rank);
    if (alias(args, v)) {
        v->data = (void *)args->data;
        v->released = pj_event_new();
        if (!v->released)
            return pj_no_memory();
        args->done_with_host_buffer = pj_event_ref(v->released);
        return NULL;
    }
    args->done_with_host_buffer = pj_event_ready();
    if (!args->done_with_host_buffer || !pj_value_allocate(v))
        return pj_no_memory();
    if (v->bytes && is_dense(v, args->byte_strides, args->num_byte_strides)) {
        memcpy(v->data, args->data, v->bytes);
    } else if (v->bytes) {
        int64_t own[64];
        pj_row_major(v->dims, v->rank, pj_type_bytes(v->type), own);
        pj_copy_strided(v->data, own, args->data, args->byte_strides, v->dims, v->rank,
                        pj_type_bytes(v->type));
    }
    pj_normalise(v->type, v->data, elements(v));
    return NULL;
}

/* A buffer of a value that is ready. Takes ownership of the value. */
static pj_error *finish(pj_client *client, pj_memory *memory, pj_value *v, pj_buffer **out)
{
    pj_event_done(v->ready, NULL);
    *out = pj_buffer_new(client, memory, v);
    return *out ? NULL : pj_no_memory();
}

pj_error *pj_Client_BufferFromHostBuffer(pj_Client_BufferFromHostBuffer_args *args)
{
    pj_memory *memory;
    pj_value *v = NULL;
    args->done_with_host_buffer = NULL;
    pj_error *e = pj_client_memory(args->client, args->device, args->memory, &memory);
    if (!e)
        e = pj_value_make(args->type, args->dims, args->num_dims, memory->device, &v);
    if (!e)
        e = pj_layout_check(args->device_layout, v);
    if (!e)
        e = take(args, v);
    if (!e)
        e = finish(args->client, memory, v, &args->buffer);
    else
        pj_value_unref(v);
    if (e)
        pj_event_unref(args->done_with_host_buffer);
    return e;
}

pj_error *pj_Client_CreateUninitializedBuffer(pj_Client_CreateUninitializedBuffer_args *args)
{
    pj_memory *memory;
    pj_value *v = NULL;
    pj_error *e = pj_client_memory(args->client, args->device, args->memory, &memory);
    if (!e)
        e = pj_value_make(args->shape_element_type, args->shape_dims, args->shape_num_dims,
                          memory->device, &v);
    if (!e)
        e = pj_layout_check(args->shape_layout, v);
    if (!e && !pj_value_allocate(v))
        e = pj_no_memory();
    if (e) {
        pj_value_unref(v);
        return e;
    }
    memset(v->data, 0, v->bytes);
    return finish(args->client, memory, v, &args->buffer);
}

/* Memory owned by the caller, who is notified when nobody needs it any more, but not if the call fails. */
pj_error *pj_Client_CreateViewOfDeviceBuffer(pj_Client_CreateViewOfDeviceBuffer_args *args)
{
    pj_memory *memory;
    pj_value *v = NULL;
    pj_error *e = pj_client_memory(args->client, args->device,
                                   PJ_HAS(args, memory) ? args->memory : NULL, &memory);
    if (!e)
        e = pj_value_make(args->element_type, args->dims, args->num_dims, memory->device, &v);
    if (!e)
        e = pj_layout_check(args->layout, v);
    if (e) {
        pj_value_unref(v);
        return e;
    }
    v->data = args->device_buffer_ptr;
    pj_value_ref(v);
    e = finish(args->client, memory, v, &args->buffer);
    if (!e) {
        v->on_release = args->on_delete_callback;
        v->user = args->on_delete_callback_arg;
    }
    pj_value_unref(v);
    return e;
}

pj_error *pj_Client_CreateErrorBuffer(pj_Client_CreateErrorBuffer_args *args)
{
    pj_memory *memory;
    pj_value *v = NULL;
    pj_error *e = pj_client_memory(args->client, NULL, args->memory, &memory);
    if (!e)
        e = pj_value_make(args->shape_element_type, args->shape_dims, args->shape_num_dims,
                          memory->device, &v);
    if (!e)
        e = pj_layout_check(args->shape_layout, v);
    if (e) {
        pj_value_unref(v);
        return e;
    }
    size_t n = args->error_message_size < 2000 ? args->error_message_size : 2000;
    pj_event_done(v->ready, pj_fail(args->error_code, "%.*s", (int)n, args->error_message));
    return finish(args->client, memory, v, &args->buffer);
}

/* ---- To the host ---- */

typedef struct {
    pj_task task;
    pj_value *value;
    void *dst;
    int64_t offset, size; /* of a raw copy; -1: of an array */
    int64_t strides[64];
    pj_event *done;
} host_copy;

static void run_copy(pj_task *t)
{
    host_copy *c = (host_copy *)t;
    pj_value *v = c->value;
    pj_error *e = pj_event_wait(v->ready);
    if (!e && c->size >= 0) {
        if (c->size)
            memcpy(c->dst, (char *)v->data + c->offset, (size_t)c->size);
    } else if (!e && v->bytes) {
        int64_t own[64];
        size_t size = pj_type_bytes(v->type);
        pj_row_major(v->dims, v->rank, size, own);
        if (!memcmp(own, c->strides, v->rank * sizeof *own))
            memcpy(c->dst, v->data, v->bytes);
        else
            pj_copy_strided(c->dst, c->strides, v->data, own, v->dims, v->rank, size);
    }
    pj_value_unref(v);
    pj_event_done(c->done, e);
    pj_event_unref(c->done);
    tsr_free(c);
}

/* Copies now if the data is ready, else when it is its turn. Takes ownership of the reference to the value. */
static pj_error *copy_out(pj_client *client, pj_value *v, const host_copy *how, pj_event **event)
{
    host_copy *c = tsr_malloc(sizeof *c);
    *event = pj_event_new();
    if (!c || !*event) {
        pj_event_unref(*event);
        pj_value_unref(v);
        tsr_free(c);
        return pj_no_memory();
    }
    *c = *how;
    c->task = (pj_task){.run = run_copy};
    c->value = v;
    c->done = pj_event_ref(*event);
    if (pj_event_is_done(v->ready))
        run_copy(&c->task);
    else
        pj_client_do(client, &c->task);
    return NULL;
}

pj_error *pj_Buffer_ToHostBuffer(pj_Buffer_ToHostBuffer_args *args)
{
    pj_value *v = NULL;
    host_copy how = {.dst = args->dst, .size = -1};
    pj_error *e = pj_buffer_value(args->src, &v);
    if (!e)
        e = pj_layout_strides(args->host_layout, v->dims, v->rank, pj_type_bytes(v->type),
                              how.strides);
    if (!e && !args->dst)
        args->dst_size = v->bytes;
    else if (!e && args->dst_size < v->bytes)
        e = pj_fail(PJ_INVALID_ARGUMENT, "the array has %zu bytes; there is room for %zu", v->bytes,
                    args->dst_size);
    else if (!e)
        return copy_out(args->src->client, v, &how, &args->event);
    pj_value_unref(v);
    return e;
}

static pj_error *copy_raw(pj_buffer *b, void *dst, int64_t offset, int64_t size, pj_event **event)
{
    pj_value *v = NULL;
    host_copy how = {.dst = dst, .offset = offset, .size = size};
    pj_error *e = pj_buffer_value(b, &v);
    if (!e && (offset < 0 || size < 0 || (uint64_t)offset > v->bytes ||
               (uint64_t)size > v->bytes - (uint64_t)offset))
        e = pj_fail(PJ_INVALID_ARGUMENT, "%lld bytes at offset %lld are not in a buffer of %zu",
                    (long long)size, (long long)offset, v->bytes);
    if (!e)
        return copy_out(b->client, v, &how, event);
    pj_value_unref(v);
    return e;
}

pj_error *pj_Buffer_CopyRawToHost(pj_Buffer_CopyRawToHost_args *args)
{
    return copy_raw(args->buffer, args->dst, args->offset, args->transfer_size, &args->event);
}

/* The destination is given later, by a callback that the caller gets. */
typedef struct {
    pj_buffer *buffer;
    int64_t offset, size;
    pj_event *done;
} raw_future;

static void forward(pj_error *error, void *user)
{
    pj_event_done(user, error);
    pj_event_unref(user);
}

static void place_told(pj_buffer_copy_raw_to_host_future_callback_args *args)
{
    raw_future *f = args->callback_data;
    pj_event *copied = NULL;
    pj_error *e =
        args->error_code != PJ_OK
            ? pj_fail(args->error_code, "%.*s", (int)args->error_message_size, args->error_message)
            : copy_raw(f->buffer, args->dst, f->offset, f->size, &copied);
    if (e || !pj_event_then(copied, forward, f->done))
        forward(e ? e : pj_no_memory(), f->done);
    pj_event_unref(copied);
    tsr_free(f);
}

pj_error *pj_Buffer_CopyRawToHostFuture(pj_Buffer_CopyRawToHostFuture_args *args)
{
    raw_future *f = tsr_malloc(sizeof *f);
    args->event = pj_event_new();
    if (!f || !args->event) {
        pj_event_unref(args->event);
        tsr_free(f);
        return pj_no_memory();
    }
    *f = (raw_future){args->buffer, args->offset, args->transfer_size, pj_event_ref(args->event)};
    args->callback_data = f;
    args->future_ready_callback = place_told;
    return NULL;
}

/* ---- Between buffers ---- */

typedef struct {
    pj_task task;
    pj_value *from, *to;
    bool shares; /* on another device, which is the same machine: values are immutable */
} value_copy;

/* The value whose memory a copy may share: the library's, or of a host that does not write to it. NULL: none. */
static pj_value *lender(pj_value *v)
{
    while (v->of)
        v = v->of;
    return v->owned || v->released ? v : NULL;
}

static void run_value_copy(pj_task *t)
{
    value_copy *c = (value_copy *)t;
    pj_error *e = pj_event_wait(c->from->ready);
    pj_value *of = !e && c->shares ? lender(c->from) : NULL;
    if (of)
        pj_value_share(c->to, of);
    else if (!e && !pj_value_allocate(c->to))
        e = pj_no_memory();
    if (!e && !of)
        memcpy(c->to->data, c->from->data, c->to->bytes);
    pj_event_done(c->to->ready, e);
    pj_value_unref(c->from);
    pj_value_unref(c->to);
    tsr_free(c);
}

/* Copies to a new value, or shares the data, now if the data is ready, else when it is its turn. */
static pj_error *copy_to(pj_buffer *b, pj_memory *memory, pj_buffer **out)
{
    pj_memory *found;
    value_copy *c = tsr_calloc(1, sizeof *c);
    pj_error *e =
        c ? pj_client_memory(memory->device->client, NULL, memory, &found) : pj_no_memory();
    if (!e)
        e = pj_buffer_value(b, &c->from);
    if (!e)
        c->to = pj_value_new(c->from->type, c->from->dims, c->from->rank, memory->device);
    *out = !e && c->to ? pj_buffer_new(memory->device->client, found, pj_value_ref(c->to)) : NULL;
    if (!*out) {
        pj_value_unref(c ? c->from : NULL);
        pj_value_unref(c ? c->to : NULL);
        tsr_free(c);
        return e ? e : pj_no_memory();
    }
    c->task.run = run_value_copy;
    c->shares = b->memory->device != memory->device;
    if (pj_event_is_done(c->from->ready))
        run_value_copy(&c->task);
    else
        pj_client_do(b->client, &c->task);
    return NULL;
}

pj_error *pj_Buffer_CopyToDevice(pj_Buffer_CopyToDevice_args *args)
{
    return copy_to(args->buffer, args->dst_device->memories[PJ_MEMORY_DEVICE], &args->dst_buffer);
}

pj_error *pj_Buffer_CopyToMemory(pj_Buffer_CopyToMemory_args *args)
{
    return copy_to(args->buffer, args->dst_memory, &args->dst_buffer);
}

pj_error *pj_Buffer_Bitcast(pj_Buffer_Bitcast_args *args)
{
    pj_value *v = NULL, *of = NULL;
    pj_error *e = pj_buffer_value(args->buffer, &of);
    if (!e)
        e = pj_event_wait(of->ready);
    if (!e)
        e = pj_value_make(args->element_type, args->dims, args->num_dims, NULL, &v);
    if (!e)
        e = pj_layout_check(args->device_layout, v);
    if (!e && v->bytes != of->bytes)
        e = pj_fail(PJ_INVALID_ARGUMENT, "%zu bytes cannot be taken for %zu", of->bytes, v->bytes);
    if (!e)
        pj_value_share(v, of);
    pj_value_unref(of);
    if (!e)
        return finish(args->buffer->client, args->buffer->memory, v, &args->out_buffer);
    pj_value_unref(v);
    return e;
}
