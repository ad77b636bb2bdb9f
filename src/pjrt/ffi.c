/* SPDX-License-Identifier: Apache-2.0 */
/* ffi.c - foreign functions (XLA's FFI): handlers that are registered for targets of custom calls, and calling them. */
#include <stdio.h>
#include <string.h>

#include "pjrt/ffi_call.h"

/* ---- Handlers by target ---- */

typedef struct target {
    struct target *next;
    ffi_handler *handler;
    size_t len;
    char name[];
} target;

static struct {
    pthread_mutex_t lock;
    target *first; /* they live as long as the process */
} targets = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* With the lock held. */
static target *look_up(tsr_str name)
{
    target *t = targets.first;
    while (t && (t->len != name.len || memcmp(t->name, name.data, name.len)))
        t = t->next;
    return t;
}

ffi_handler *pj_ffi_find(tsr_str name)
{
    pthread_mutex_lock(&targets.lock);
    const target *t = look_up(name);
    ffi_handler *handler = t ? t->handler : NULL;
    pthread_mutex_unlock(&targets.lock);
    return handler;
}

/* Asks a handler for the version of the interface that it was built for. */
static pj_error *check_version(tsr_str name, ffi_handler *handler)
{
    ffi_metadata metadata = {.struct_size = sizeof metadata};
    metadata.version.struct_size = sizeof metadata.version;
    ffi_metadata_extension ask = {{sizeof ask, FFI_METADATA, NULL}, &metadata};
    ffi_frame frame = {.struct_size = offsetof(ffi_frame, future),
                       .extension_start = &ask.base,
                       .api = &pj_ffi_api,
                       .stage = FFI_EXECUTE};
    ffi_error *e = handler(&frame);
    int n = (int)(name.len < 100 ? name.len : 100);
    pj_error *out = NULL;
    if (e)
        out = pj_fail(PJ_INVALID_ARGUMENT, "the FFI target '%.*s' says: %s", n, name.data,
                      ffi_error_text(e));
    else if (metadata.version.major_version != FFI_MAJOR)
        out = pj_fail(PJ_INVALID_ARGUMENT,
                      "the FFI target '%.*s' is for version %d.%d of the interface; here is %d.%d",
                      n, name.data, metadata.version.major_version, metadata.version.minor_version,
                      FFI_MAJOR, FFI_MINOR);
    ffi_error_free(e);
    return out;
}

pj_error *pj_ffi_register(tsr_str name, ffi_handler *handler)
{
    if (!name.len || !handler)
        return pj_fail(PJ_INVALID_ARGUMENT, "an FFI target has a name and a handler");
    pj_error *e = check_version(name, handler);
    if (e)
        return e;
    target *t = tsr_malloc(sizeof *t + name.len);
    if (!t)
        return pj_no_memory();
    *t = (target){.handler = handler, .len = name.len};
    memcpy(t->name, name.data, name.len);
    pthread_mutex_lock(&targets.lock);
    target *old = look_up(name);
    if (old) {
        old->handler = handler;
    } else {
        t->next = targets.first;
        targets.first = t;
    }
    pthread_mutex_unlock(&targets.lock);
    if (old)
        tsr_free(t);
    return NULL;
}

/* For the Python part: 0 on success; otherwise the text describes the error. */
__attribute__((visibility("default"))) int TesseraRegisterFfi(const char *name, void *handler,
                                                              char *text, size_t text_size);

int TesseraRegisterFfi(const char *name, void *handler, char *text, size_t text_size)
{
    ffi_handler *fn;
    memcpy(&fn, &handler, sizeof fn);
    pj_error *e = pj_ffi_register(tsr_cstr(name), fn);
    if (e)
        snprintf(text, text_size, "%s", pj_error_text(e));
    pj_error_free(e);
    return e != NULL;
}

/* ---- Calling ---- */

static bool describe(pj_ffi_block **memory, const tsr_tensor *t, void *data, ffi_buffer *out)
{
    *out = (ffi_buffer){.struct_size = sizeof *out, .type = FFI_TOKEN};
    if (!tsr_tensor_element(t))
        return true;
    out->type = pj_type_ffi(pj_type_of(tsr_tensor_element(t)));
    out->data = data;
    out->rank = (int64_t)tsr_tensor_rank(t);
    out->dims = pj_ffi_new(memory, (size_t)out->rank + 1, sizeof *out->dims);
    for (int64_t d = 0; out->dims && d < out->rank; d++)
        out->dims[d] = tsr_tensor_dim(t, (size_t)d);
    return out->dims != NULL;
}

static bool describe_all(pj_ffi_block **memory, tsr_tensor *const *tensors, void *const *data,
                         size_t n, ffi_list *out)
{
    ffi_buffer *buffers = pj_ffi_new(memory, n + 1, sizeof *buffers);
    *out = (ffi_list){.struct_size = sizeof *out,
                      .size = (int64_t)n,
                      .types = pj_ffi_new(memory, n + 1, sizeof *out->types),
                      .values = pj_ffi_new(memory, n + 1, sizeof *out->values)};
    bool ok = buffers && out->types && out->values;
    for (size_t i = 0; ok && i < n; i++) {
        out->types[i] = FFI_BUFFER;
        out->values[i] = &buffers[i];
        ok = describe(memory, tensors[i], data ? data[i] : (void *)tsr_tensor_data(tensors[i]),
                      &buffers[i]);
    }
    return ok;
}

static bool failed(tsr_status *status, tsr_str name, const char *text)
{
    status->code = TSR_BAD_INPUT;
    snprintf(status->message, sizeof status->message, "the FFI target '%.*s' says: %s",
             (int)(name.len < 100 ? name.len : 100), name.data, text);
    for (char *c = status->message; *c; c++) /* one line */
        if (*c == '\n')
            *c = ' ';
    return false;
}

static bool invoke(ffi_handler *handler, ffi_frame *frame, tsr_str name, tsr_status *status)
{
    ffi_error *e = handler(frame);
    pj_error *late = frame->future ? ffi_future_wait(frame->future) : NULL;
    bool ok = !e && !late;
    if (!ok)
        failed(status, name, e ? ffi_error_text(e) : pj_error_text(late));
    ffi_error_free(e);
    pj_error_free(late);
    return ok;
}

bool pj_ffi_call(ffi_handler *handler, const tsr_custom_call *c, tsr_status *status)
{
    pj_ffi_block *memory = NULL;
    ffi_context context = {.device = c->device};
    ffi_frame frame = {.struct_size = offsetof(ffi_frame, future),
                       .api = &pj_ffi_api,
                       .context = &context,
                       .stage = FFI_EXECUTE};
    bool ok = describe_all(&memory, c->in, NULL, c->nin, &frame.args) &&
              describe_all(&memory, c->out, c->out_data, c->nout, &frame.rets);
    if (!ok)
        *status = (tsr_status){TSR_ENVIRONMENT, "no memory for the arguments of an FFI call"};
    const char *wrong = ok ? pj_ffi_attrs(&memory, c->config, &frame.attrs) : NULL;
    if (wrong)
        failed(status, c->target, wrong);
    ok = ok && !wrong && invoke(handler, &frame, c->target, status);
    pj_ffi_free(memory);
    return ok;
}

/* ---- PJRT's extension ---- */

static pj_error *type_register(pj_ffi_type_register_args *args)
{
    (void)args;
    return pj_fail(PJ_UNIMPLEMENTED, "Tessera's devices have no registered types for FFI handlers");
}

static pj_error *user_data_add(pj_ffi_user_data_args *args)
{
    (void)args;
    return pj_fail(PJ_UNIMPLEMENTED, "Tessera's devices hand no user data to FFI handlers");
}

static pj_error *register_handler(pj_ffi_register_args *args)
{
    ffi_handler *fn;
    memcpy(&fn, &args->handler, sizeof fn);
    return pj_ffi_register((tsr_str){args->target_name, args->target_name_size}, fn);
}

pj_ffi_extension pj_ffi = {
    .base = {sizeof pj_ffi, PJ_EXTENSION_FFI, &pj_layouts.base},
    .type_register = type_register,
    .user_data_add = user_data_add,
    .register_handler = register_handler,
};
