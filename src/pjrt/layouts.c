/* SPDX-License-Identifier: Apache-2.0 */
/* layouts.c - the layouts of arrays: always row-major. With this extension the framework need not request the whole
 * program. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "pjrt/pjrt.h"

/* A layout is its text, as XLA writes it: {2,1,0}. There is one for each rank. */
struct pj_layout {
    char text[200];
};

static pj_layout layouts[65];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void write_all(void)
{
    for (int rank = 0; rank <= 64; rank++) {
        char *at = layouts[rank].text;
        *at++ = '{';
        for (int d = rank; d-- > 0;)
            at += sprintf(at, d ? "%d," : "%d", d);
        *at++ = '}';
    }
}

pj_layout *pj_layout_of(size_t rank)
{
    pthread_once(&once, write_all);
    return &layouts[rank <= 64 ? rank : 64];
}

const char *pj_layout_text(size_t rank)
{
    return pj_layout_of(rank)->text;
}

pj_error *pj_layout_check(const pj_buffer_memory_layout *l, const pj_value *v)
{
    int64_t strides[64], own[64];
    size_t size = pj_type_bytes(v->type);
    pj_error *e = pj_layout_strides(l, v->dims, v->rank, size, strides);
    if (e)
        return e;
    pj_row_major(v->dims, v->rank, size, own);
    return !v->bytes || !memcmp(own, strides, v->rank * sizeof *own)
               ? NULL
               : pj_fail(PJ_UNIMPLEMENTED, "arrays on Tessera's devices are row major");
}

static pj_error *destroy(pj_layout_destroy_args *args)
{
    (void)args;
    return NULL;
}

static void keep(void *text)
{
    (void)text;
}

static pj_error *serialize(pj_layout_serialize_args *args)
{
    args->serialized_bytes = args->layout->text;
    args->serialized_bytes_size = strlen(args->layout->text);
    args->serialized_layout = NULL;
    args->serialized_layout_deleter = keep;
    return NULL;
}

static pj_error *default_layout(pj_default_layout_args *args)
{
    args->layout = pj_layout_of(args->num_dims);
    return NULL;
}

static pj_error *buffer_layout(pj_buffer_layout_args *args)
{
    args->layout = pj_layout_of(args->buffer->rank);
    return NULL;
}

static pj_error *output_layouts(pj_executable_layouts_args *args)
{
    args->num = args->executable->program->nout;
    args->layouts = args->executable->program->out_layouts;
    return NULL;
}

static pj_error *parameter_layouts(pj_executable_layouts_args *args)
{
    args->num = args->executable->program->nin;
    args->layouts = args->executable->program->in_layouts;
    return NULL;
}

pj_layouts_extension pj_layouts = {
    .base = {sizeof pj_layouts, PJ_EXTENSION_LAYOUTS, &pj_shardings.base},
    .destroy = destroy,
    .serialize = serialize,
    .client_default = default_layout,
    .buffer = buffer_layout,
    .topology_default = default_layout,
    .output_layouts = output_layouts,
    .parameter_layouts = parameter_layouts,
};
