/* SPDX-License-Identifier: Apache-2.0 */
/* callback.c - custom calls that call back into the host: the Python part of the plugin registers one function, which
 * computes all of them. A number, id, in the call says which of the host's functions is meant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/host.h"
#include "lower/lower.h"
#include "pjrt/ffi_call.h"
#include "tessera/build.h"

typedef struct {
    int type;
    size_t rank;
    const int64_t *dims;
    void *data;
} pj_host_array;

/* 0 on success; otherwise the text describes the error. */
typedef int pj_host_fn(int64_t id, size_t nin, const pj_host_array *in, size_t nout,
                       const pj_host_array *out, char *text, size_t text_size);

__attribute__((visibility("default"))) void TesseraSetHostFunction(pj_host_fn *fn);

static pj_host_fn *_Atomic host;

void TesseraSetHostFunction(pj_host_fn *fn)
{
    atomic_store(&host, fn);
}

static const char target[] = "tessera_python_callback";

/* The target of a custom call; empty for another op. */
static tsr_str target_of(const tsr_op *op)
{
    tsr_str kind = tsr_op_name(op);
    if (kind.len != 21 || memcmp(kind.data, "stablehlo.custom_call", 21) != 0)
        return (tsr_str){"", 0};
    return tsr_attr_text(tsr_op_attr(op, tsr_cstr("call_target_name")));
}

bool pj_calls(const tsr_op *op, const char *name)
{
    tsr_str called = target_of(op);
    return called.len == strlen(name) && !memcmp(called.data, name, called.len);
}

static bool is_no_callback(void *user, tsr_op *op)
{
    (void)user;
    return !pj_calls(op, target);
}

bool pj_has_callback(tsr_module *m)
{
    return !tsr_op_walk(tsr_module_op(m), is_no_callback, NULL);
}

static bool is_known(void *user, tsr_op *op)
{
    tsr_str name = target_of(op);
    if (!name.len || tsr_custom_target_known(name) || tsr_is_raised_call(op) ||
        pj_calls(op, target) || pj_ffi_find(name))
        return true;
    *(tsr_op **)user = op;
    return false;
}

pj_error *pj_check_targets(tsr_module *m)
{
    tsr_op *op = NULL;
    if (tsr_op_walk(tsr_module_op(m), is_known, &op))
        return NULL;
    tsr_str name = target_of(op), at = tsr_attr_print(tsr_op_location(op));
    pj_error *e = pj_fail(PJ_UNIMPLEMENTED,
                          "%.*s: 'stablehlo.custom_call' op calls '@%.*s', which is not known "
                          "here: an FFI target is registered for the platform tessera",
                          (int)(at.len < 300 ? at.len : 300), at.data ? at.data : "",
                          (int)(name.len < 100 ? name.len : 100), name.data);
    tsr_free((void *)at.data);
    return e;
}

static _Thread_local int depth;

bool pj_in_callback(void)
{
    return depth > 0;
}

/* The number after name in the text of a dictionary; -1 if there is none. */
static int64_t number_of(const tsr_attr *config, const char *name)
{
    tsr_str text = config ? tsr_attr_print(config) : (tsr_str){NULL, 0};
    const char *at = text.data ? strstr(text.data, name) : NULL;
    int64_t n = at ? strtoll(at + strlen(name), NULL, 10) : -1;
    tsr_free((void *)text.data);
    return n;
}

/* Describes a token as an empty array of booleans, as frameworks represent it. */
static pj_host_array describe(const tsr_tensor *t, void *data, int64_t *dims)
{
    static const int64_t none[] = {0};
    if (!tsr_tensor_element(t))
        return (pj_host_array){PJ_PRED, 1, none, NULL};
    size_t rank = tsr_tensor_rank(t);
    for (size_t d = 0; d < rank; d++)
        dims[d] = tsr_tensor_dim(t, d);
    return (pj_host_array){pj_type_of(tsr_tensor_element(t)), rank, dims, data};
}

static bool call(const tsr_custom_call *c, pj_host_fn *fn, int64_t id, tsr_status *status)
{
    size_t n = c->nin + c->nout, room = 0;
    for (size_t i = 0; i < n; i++)
        room += tsr_tensor_rank(i < c->nin ? c->in[i] : c->out[i - c->nin]);
    pj_host_array *arrays = tsr_calloc(n + 1, sizeof *arrays);
    int64_t *dims = tsr_calloc(room + 1, sizeof *dims), *at = dims;
    bool ok = arrays && dims;
    for (size_t i = 0; ok && i < n; i++) {
        const tsr_tensor *t = i < c->nin ? c->in[i] : c->out[i - c->nin];
        arrays[i] =
            describe(t, i < c->nin ? (void *)tsr_tensor_data(t) : c->out_data[i - c->nin], at);
        at += tsr_tensor_rank(t);
    }
    if (!ok)
        *status = (tsr_status){TSR_ENVIRONMENT, "no memory for the arguments of a callback"};
    depth++;
    if (ok && fn(id, c->nin, arrays, c->nout, arrays + c->nin, status->message,
                 sizeof status->message) != 0) {
        status->code = TSR_BAD_INPUT;
        ok = false;
    }
    depth--;
    tsr_free(arrays);
    tsr_free(dims);
    return ok;
}

/* A foreign function runs outside of the evaluation, as a callback does. */
static bool call_foreign(const tsr_custom_call *c, ffi_handler *handler, tsr_status *status)
{
    depth++;
    bool ok = pj_ffi_call(handler, c, status);
    depth--;
    return ok;
}

bool pj_custom_call(void *user, const tsr_custom_call *c, tsr_status *status)
{
    pj_host_fn *fn = atomic_load(&host);
    int64_t id = number_of(c->config, "id = ");
    (void)user;
    bool known =
        c->target.len == sizeof target - 1 && !memcmp(c->target.data, target, sizeof target - 1);
    if (known && fn && id >= 0)
        return call(c, fn, id, status);
    ffi_handler *handler = known ? NULL : pj_ffi_find(c->target);
    if (handler)
        return call_foreign(c, handler, status);
    status->code = TSR_BAD_INPUT;
    snprintf(status->message, sizeof status->message,
             "calls '@%.*s', which is not known here: an FFI target is registered for the platform "
             "tessera",
             (int)(c->target.len < 100 ? c->target.len : 100), c->target.data);
    return false;
}
