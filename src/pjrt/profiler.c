/* SPDX-License-Identifier: Apache-2.0 */
/* profiler.c - PJRT's profiler extension: a trace without events of the devices. JAX's own events are in the trace
 * without it, but jaxlib before 0.10 crashes at the end of a trace if a plugin has no profiler. Its arguments have no
 * trustworthy sizes: jaxlib leaves them unset. */
#include <string.h>

#include "pjrt/pjrt.h"

static pj_error *profiler_error_destroy(pj_profiler_error_args *args)
{
    pj_error_free(args->error);
    return NULL;
}

static pj_error *profiler_error_message(pj_profiler_message_args *args)
{
    args->message = pj_error_text(args->error);
    args->message_size = strlen(args->message);
    return NULL;
}

static pj_error *profiler_error_code(pj_profiler_code_args *args)
{
    args->code = (int)pj_error_kind(args->error);
    return NULL;
}

static pj_error *profiler_create(pj_profiler_create_args *args)
{
    args->profiler = NULL; /* there is nothing to keep */
    return NULL;
}

static pj_error *profiler_nothing(pj_profiler_args *args)
{
    (void)args;
    return NULL;
}

static pj_error *profiler_collect(pj_profiler_collect_args *args)
{
    args->buffer_size_in_bytes = 0;
    return NULL;
}

static pj_profiler_api functions = {
    .struct_size = sizeof functions,
    .error_destroy = profiler_error_destroy,
    .error_message = profiler_error_message,
    .error_get_code = profiler_error_code,
    .create = profiler_create,
    .destroy = profiler_nothing,
    .start = profiler_nothing,
    .stop = profiler_nothing,
    .collect_data = profiler_collect,
};

pj_profiler_extension pj_profiler = {
    .base = {sizeof pj_profiler, PJ_EXTENSION_PROFILER, NULL},
    .api = &functions,
    .traceme_context_id = -1,
};
