/* SPDX-License-Identifier: Apache-2.0 */
/* runs.c - runs that were started and are not finished: they can be ended from outside, by their launch id. */
#include "pjrt/pjrt.h"

void pj_run_enlist(pj_run *r)
{
    pj_client *c = r->client;
    pthread_mutex_lock(&c->lock);
    r->next = c->runs;
    if (r->next)
        r->next->prev = r;
    c->runs = r;
    pthread_mutex_unlock(&c->lock);
}

bool pj_run_begin(pj_run *r)
{
    pthread_mutex_lock(&r->client->lock);
    bool runs = r->running = !r->poison;
    pthread_mutex_unlock(&r->client->lock);
    return runs;
}

/* The error that it was poisoned with takes precedence over its own. */
pj_error *pj_run_end(pj_run *r, pj_error *e)
{
    pthread_mutex_lock(&r->client->lock);
    if (r->prev)
        r->prev->next = r->next;
    else
        r->client->runs = r->next;
    if (r->next)
        r->next->prev = r->prev;
    if (r->poison && r->running)
        tsr_ctx_cancel(r->program->ctx, false);
    pthread_mutex_unlock(&r->client->lock);
    if (!r->poison)
        return e;
    pj_error_free(e);
    e = r->poison;
    r->poison = NULL;
    return e;
}

static bool is_on(const pj_run *r, const pj_device *d)
{
    for (size_t i = 0; i < r->ndevices; i++)
        if (r->devices[i] == d)
            return true;
    return false;
}

/* A running program ends now, a queued one when it is its turn. */
pj_error *pj_Device_PoisonExecution(pj_Device_PoisonExecution_args *args)
{
    pj_client *c = args->device->client;
    size_t n = args->error_message_size < 2000 ? args->error_message_size : 2000;
    args->poisoned = false;
    if (args->error_code == PJ_OK)
        return pj_fail(PJ_INVALID_ARGUMENT, "a run is poisoned with an error, not with OK");
    if (!c)
        return pj_fail(PJ_INVALID_ARGUMENT, "the device is of a topology: nothing runs there");
    pthread_mutex_lock(&c->lock);
    for (pj_run *r = c->runs; r; r = r->next) {
        if (r->launch != args->launch_id || !is_on(r, args->device) || r->poison)
            continue;
        r->poison = pj_fail(args->error_code, "%.*s", (int)n, args->error_message);
        args->poisoned = true;
        if (r->running)
            tsr_ctx_cancel(r->program->ctx, true);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}
