/* SPDX-License-Identifier: Apache-2.0 */
/* error.c - errors and events. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

struct pj_error {
    const void *vtable; /* of an optional interface: none */
    pj_error_code code;
    bool fixed; /* not on the heap */
    size_t len;
    char text[];
};

static struct {
    const void *vtable;
    pj_error_code code;
    bool fixed;
    size_t len;
    char text[16];
} out_of_memory = {NULL, PJ_RESOURCE_EXHAUSTED, true, 13, "out of memory"};

pj_error *pj_no_memory(void)
{
    return (pj_error *)&out_of_memory;
}

static pj_error *new_error(pj_error_code code, const char *text, size_t len)
{
    pj_error *e = tsr_malloc(sizeof *e + len + 1);
    if (!e)
        return pj_no_memory();
    *e = (pj_error){.code = code, .len = len};
    memcpy(e->text, text, len);
    e->text[len] = 0;
    return e;
}

pj_error *pj_fail(pj_error_code code, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return new_error(code, text, n < 0 ? 0 : n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

pj_error *pj_fail_status(const tsr_status *s, pj_error_code otherwise)
{
    return pj_fail(s->code == TSR_UNAVAILABLE   ? PJ_UNAVAILABLE
                   : s->code == TSR_ENVIRONMENT ? PJ_RESOURCE_EXHAUSTED
                                                : otherwise,
                   "%s", s->message);
}

const char *pj_error_text(const pj_error *e)
{
    return e->text;
}

pj_error_code pj_error_kind(const pj_error *e)
{
    return e->code;
}

void pj_error_free(pj_error *e)
{
    if (e && !e->fixed)
        tsr_free(e);
}

pj_error *pj_Error_Destroy(pj_Error_Destroy_args *args)
{
    pj_error_free(args->error);
    return NULL;
}

pj_error *pj_Error_Message(pj_Error_Message_args *args)
{
    args->message = args->error->text;
    args->message_size = args->error->len;
    return NULL;
}

pj_error *pj_Error_GetCode(pj_Error_GetCode_args *args)
{
    args->code = args->error->code;
    return NULL;
}

pj_error *pj_Error_ForEachPayload(pj_Error_ForEachPayload_args *args)
{
    (void)args; /* errors have no payload */
    return NULL;
}

/* ---- Events ---- */

typedef struct {
    pj_event_on_ready_callback fn;
    void *user;
} waiter;

struct pj_event {
    atomic_int refs;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done;
    pj_error *error;
    waiter *waiters;
    size_t n, room;
};

pj_event *pj_event_new(void)
{
    pj_event *e = tsr_calloc(1, sizeof *e);
    if (!e)
        return NULL;
    atomic_init(&e->refs, 1);
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->changed, NULL);
    return e;
}

pj_event *pj_event_ready(void)
{
    pj_event *e = pj_event_new();
    if (e)
        e->done = true;
    return e;
}

pj_event *pj_event_ref(pj_event *e)
{
    atomic_fetch_add(&e->refs, 1);
    return e;
}

void pj_event_unref(pj_event *e)
{
    if (!e || atomic_fetch_sub(&e->refs, 1) != 1)
        return;
    pthread_mutex_destroy(&e->lock);
    pthread_cond_destroy(&e->changed);
    pj_error_free(e->error);
    tsr_free(e->waiters);
    tsr_free(e);
}

/* Errors are not shared: each recipient destroys its own. */
static pj_error *copy_error(const pj_error *e)
{
    return e ? new_error(e->code, e->text, e->len) : NULL;
}

void pj_event_done(pj_event *e, pj_error *error)
{
    pthread_mutex_lock(&e->lock);
    if (e->done) {
        pthread_mutex_unlock(&e->lock);
        pj_error_free(error);
        return;
    }
    e->error = error;
    e->done = true;
    waiter *waiters = e->waiters;
    size_t n = e->n;
    e->waiters = NULL;
    e->n = e->room = 0;
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->lock);
    for (size_t i = 0; i < n; i++)
        waiters[i].fn(copy_error(error), waiters[i].user);
    tsr_free(waiters);
}

bool pj_event_is_done(pj_event *e)
{
    pthread_mutex_lock(&e->lock);
    bool done = e->done;
    pthread_mutex_unlock(&e->lock);
    return done;
}

pj_error *pj_event_wait(pj_event *e)
{
    pthread_mutex_lock(&e->lock);
    while (!e->done)
        pthread_cond_wait(&e->changed, &e->lock);
    pthread_mutex_unlock(&e->lock);
    return copy_error(e->error);
}

pj_error *pj_event_error(pj_event *e)
{
    return pj_event_is_done(e) ? copy_error(e->error) : NULL;
}

bool pj_event_then(pj_event *e, pj_event_on_ready_callback fn, void *user)
{
    pthread_mutex_lock(&e->lock);
    bool now = e->done, ok = true;
    if (!now && e->n == e->room) {
        size_t room = e->room ? 2 * e->room : 4;
        waiter *more = tsr_realloc(e->waiters, room * sizeof *more);
        ok = more != NULL;
        if (ok) {
            e->waiters = more;
            e->room = room;
        }
    }
    if (!now && ok)
        e->waiters[e->n++] = (waiter){fn, user};
    pthread_mutex_unlock(&e->lock);
    if (now)
        fn(copy_error(e->error), user);
    return ok;
}

pj_error *pj_Event_Destroy(pj_Event_Destroy_args *args)
{
    pj_event_unref(args->event);
    return NULL;
}

pj_error *pj_Event_IsReady(pj_Event_IsReady_args *args)
{
    args->is_ready = pj_event_is_done(args->event);
    return NULL;
}

pj_error *pj_Event_Error(pj_Event_Error_args *args)
{
    return pj_event_error(args->event);
}

pj_error *pj_Event_Await(pj_Event_Await_args *args)
{
    return pj_event_wait(args->event);
}

pj_error *pj_Event_OnReady(pj_Event_OnReady_args *args)
{
    return pj_event_then(args->event, args->callback, args->user_arg) ? NULL : pj_no_memory();
}

pj_error *pj_Event_Create(pj_Event_Create_args *args)
{
    args->event = pj_event_new();
    return args->event ? NULL : pj_no_memory();
}

pj_error *pj_Event_Set(pj_Event_Set_args *args)
{
    if (pj_event_is_done(args->event))
        return pj_fail(PJ_FAILED_PRECONDITION, "the event is done already");
    pj_event_done(args->event,
                  args->error_code == PJ_OK
                      ? NULL
                      : new_error(args->error_code, args->error_message, args->error_message_size));
    return NULL;
}
