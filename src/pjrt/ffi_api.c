/* SPDX-License-Identifier: Apache-2.0 */
/* ffi_api.c - the functions that a handler of XLA's foreign function interface may call. Streams, types and states of
 * handlers are not supported; such a call returns an error. */
#include <stdio.h>
#include <string.h>

#include "pjrt/ffi_call.h"

struct ffi_error {
    pj_error_code code;
    char text[];
};

static struct {
    pj_error_code code;
    char text[16];
} out_of_memory = {PJ_RESOURCE_EXHAUSTED, "out of memory"};

static ffi_error *make_error(pj_error_code code, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    ffi_error *e = tsr_malloc(sizeof *e + n + 1);
    if (!e)
        return (ffi_error *)&out_of_memory;
    tsr_keep(e);
    e->code = code;
    memcpy(e->text, text ? text : "", n + 1);
    return e;
}

const char *ffi_error_text(const ffi_error *e)
{
    return e->text;
}

void ffi_error_free(ffi_error *e)
{
    if (e && e != (ffi_error *)&out_of_memory)
        tsr_free(e);
}

static ffi_error *no(const char *what)
{
    char text[160];
    snprintf(text, sizeof text, "Tessera's devices have no %s for FFI handlers", what);
    return make_error(PJ_UNIMPLEMENTED, text);
}

static ffi_error *ffi_Error_Create(ffi_Error_Create_args *args)
{
    return make_error(args->code, args->message);
}

static void ffi_Error_GetMessage(ffi_Error_GetMessage_args *args)
{
    args->message = args->error->text;
}

static void ffi_Error_Destroy(ffi_Error_Destroy_args *args)
{
    ffi_error_free(args->error);
}

static ffi_error *ffi_Handler_Register(ffi_Handler_Register_args *args)
{
    for (int s = 0; s < FFI_EXECUTE; s++)
        if (args->stages[s])
            return no("stages before execution");
    pj_error *e =
        pj_ffi_register((tsr_str){args->name.ptr, args->name.len}, args->stages[FFI_EXECUTE]);
    ffi_error *out = e ? make_error(pj_error_kind(e), pj_error_text(e)) : NULL;
    pj_error_free(e);
    return out;
}

static ffi_error *ffi_Stream_Get(ffi_Stream_Get_args *args)
{
    (void)args;
    return no("streams");
}

static ffi_error *ffi_Type_Register(ffi_Type_Register_args *args)
{
    (void)args;
    return no("registered types");
}

static ffi_error *ffi_ExecutionContext_Get(ffi_ExecutionContext_Get_args *args)
{
    (void)args;
    return no("data of the execution");
}

static ffi_error *ffi_State_Set(ffi_State_Set_args *args)
{
    (void)args;
    return no("states");
}

static ffi_error *ffi_State_Get(ffi_State_Get_args *args)
{
    (void)args;
    return no("states");
}

static ffi_error *ffi_DeviceMemory_Allocate(ffi_DeviceMemory_Allocate_args *args)
{
    args->data = args->alignment <= 64 ? tsr_malloc_aligned(args->size ? args->size : 1) : NULL;
    tsr_keep(args->data);
    return args->data ? NULL : make_error(PJ_RESOURCE_EXHAUSTED, "no memory of this size");
}

static ffi_error *ffi_DeviceMemory_Free(ffi_DeviceMemory_Free_args *args)
{
    tsr_free(args->data);
    return NULL;
}

static ffi_error *ffi_ThreadPool_Schedule(ffi_ThreadPool_Schedule_args *args)
{
    args->task(args->data);
    return NULL;
}

static ffi_error *ffi_ThreadPool_NumThreads(ffi_ThreadPool_NumThreads_args *args)
{
    *args->num_threads = 1;
    return NULL;
}

/* ---- Futures: events with one of our errors ---- */

struct ffi_future {
    pj_event *event;
};

static ffi_error *ffi_Future_Create(ffi_Future_Create_args *args)
{
    ffi_future *f = tsr_malloc(sizeof *f);
    tsr_keep(f);
    pj_event *event = f ? pj_event_new() : NULL;
    if (!event) {
        tsr_free(f);
        return make_error(PJ_RESOURCE_EXHAUSTED, "out of memory");
    }
    tsr_keep(event);
    f->event = event;
    args->future = f;
    return NULL;
}

static ffi_error *ffi_Future_SetAvailable(ffi_Future_SetAvailable_args *args)
{
    pj_event_done(args->future->event, NULL);
    return NULL;
}

static ffi_error *ffi_Future_SetError(ffi_Future_SetError_args *args)
{
    pj_event_done(args->future->event, pj_fail(args->error->code, "%s", args->error->text));
    ffi_error_free(args->error);
    return NULL;
}

pj_error *ffi_future_wait(ffi_future *f)
{
    pj_error *e = pj_event_wait(f->event);
    pj_event_unref(f->event);
    tsr_free(f);
    return e;
}

static ffi_error *ffi_RunId_Get(ffi_RunId_Get_args *args)
{
    args->run_id = 0;
    return NULL;
}

static ffi_error *ffi_DeviceOrdinal_Get(ffi_DeviceOrdinal_Get_args *args)
{
    args->device_ordinal = (int32_t)args->context->device;
    return NULL;
}

const ffi_api pj_ffi_api = {
    .struct_size = sizeof pj_ffi_api,
    .version = {sizeof(ffi_version), NULL, FFI_MAJOR, FFI_MINOR},
#define FFI(name, result, fields) .name = ffi_##name,
#include "pjrt/ffi.def"
};
