/* SPDX-License-Identifier: Apache-2.0 */
/* devices.c - see devices.h. An open device is one of the plug-in's behind a lock: base/device.h lets one thread at a time
 * call it. */
#include "base/devices.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/plug_in.h"
#include "base/scope.h"
#include "base/status.h"

typedef struct open_device open_device;
struct open_device {
    tsr_device device; /* must be the first member */
    tsr_device *inner; /* the plug-in's */
    pthread_mutex_t lock;
    uint32_t users; /* who opened it, and blocks of its memory */
    char kind[32];
    open_device *next;
};

/* The devices of the process, as its threads are (base/threads.c). */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static open_device *all;

/* ---- Names ---- */

bool tsr_device_name_split(tsr_str name, tsr_str *kind, int *number)
{
    size_t n = 0;
    while (n < name.len && ((name.data[n] >= 'a' && name.data[n] <= 'z') || name.data[n] == '_'))
        n++;
    *kind = (tsr_str){name.data, n};
    *number = 0;
    if (n == 0 || n >= sizeof all->kind || n == name.len)
        return n == name.len && n > 0;
    if (name.data[n] != ':' || n + 1 == name.len || name.len - n > 5)
        return false;
    for (size_t i = n + 1; i < name.len; i++) {
        if (name.data[i] < '0' || name.data[i] > '9')
            return false;
        *number = *number * 10 + (name.data[i] - '0');
    }
    return true;
}

bool tsr_device_kind_find(tsr_str kind, tsr_device_kind *out, tsr_status *status)
{
    char name[sizeof all->kind];
    tsr_buf why = {0};
    snprintf(name, sizeof name, "%.*s", TSR_STR_ARG(kind));
    void *library = tsr_plug_in_open(name, RTLD_NOW | RTLD_LOCAL, &why);
    if (!library && !why.len)
        tsr_status_set(status, TSR_ENVIRONMENT,
                       "there is no plug-in tessera_%s.so for devices: TESSERA_PLUGINS names the "
                       "folder that it is in",
                       name);
    else if (!library)
        tsr_status_set(status, TSR_ENVIRONMENT, "%.*s", TSR_STR_ARG(tsr_buf_text(&why)));
    tsr_buf_free(&why);
    if (!library)
        return false;
    tsr_plug_in_find(library, TSR_DEVICE_PARTS, &out->parts);
    tsr_plug_in_find(library, TSR_DEVICE_COMPILE, &out->compile);
    return (tsr_plug_in_find(library, TSR_DEVICE_OPEN, &out->open) &&
            tsr_plug_in_find(library, TSR_DEVICE_COUNT, &out->count)) ||
           tsr_status_set(status, TSR_ENVIRONMENT, "tessera_%s.so is no plug-in for devices", name);
}

/* ---- One thread at a time ---- */

static open_device *enter(tsr_device *d)
{
    open_device *o = (open_device *)d;
    pthread_mutex_lock(&o->lock);
    return o;
}

static bool leave(open_device *o, bool ok)
{
    if (!ok)
        memcpy(o->device.error, o->inner->error, sizeof o->device.error);
    pthread_mutex_unlock(&o->lock);
    return ok;
}

static tsr_device *inner_of(tsr_device *d)
{
    return ((open_device *)d)->inner;
}

static void add_user(open_device *o)
{
    pthread_mutex_lock(&lock);
    o->users++;
    pthread_mutex_unlock(&lock);
}

static void drop_user(open_device *o)
{
    open_device **at = &all;
    pthread_mutex_lock(&lock);
    bool last = --o->users == 0;
    while (last && *at != o)
        at = &(*at)->next;
    if (last)
        *at = o->next;
    pthread_mutex_unlock(&lock);
    if (!last)
        return;
    o->inner->close(o->inner);
    pthread_mutex_destroy(&o->lock);
    tsr_free(o);
}

static void *shared_allocate(tsr_device *d, size_t bytes)
{
    open_device *o = enter(d);
    void *at = o->inner->allocate(o->inner, bytes);
    leave(o, at != NULL);
    if (at)
        add_user(o);
    return at;
}

static void shared_release(tsr_device *d, void *at)
{
    open_device *o = enter(d);
    o->inner->release(o->inner, at);
    leave(o, true);
    if (at)
        drop_user(o);
}

static int64_t shared_left(tsr_device *d)
{
    open_device *o = enter(d);
    int64_t left = o->inner->left(o->inner);
    leave(o, true);
    return left;
}

static bool shared_copy_in(tsr_device *d, void *to, const void *from, size_t n)
{
    open_device *o = enter(d);
    return leave(o, o->inner->copy_in(o->inner, to, from, n));
}

static bool shared_copy_out(tsr_device *d, void *to, const void *from, size_t n)
{
    open_device *o = enter(d);
    return leave(o, o->inner->copy_out(o->inner, to, from, n));
}

static bool shared_copy(tsr_device *d, void *to, tsr_device *other, const void *from, size_t n)
{
    open_device *o = enter(d);
    return leave(o, o->inner->copy(o->inner, to, inner_of(other), from, n));
}

static bool shared_fill(tsr_device *d, void *to, uint8_t byte, size_t n)
{
    open_device *o = enter(d);
    return leave(o, o->inner->fill(o->inner, to, byte, n));
}

static bool shared_compile(tsr_device *d, const tsr_device_text *texts, size_t n,
                           tsr_device_code *out)
{
    open_device *o = enter(d);
    return leave(o, o->inner->compile(o->inner, texts, n, out));
}

static bool shared_find(tsr_device *d, tsr_device_code c, const char *name, tsr_device_kernel *out)
{
    open_device *o = enter(d);
    return leave(o, o->inner->find(o->inner, c, name, out));
}

static void shared_drop(tsr_device *d, tsr_device_code c)
{
    open_device *o = enter(d);
    o->inner->drop(o->inner, c);
    leave(o, true);
}

static bool shared_launch(tsr_device *d, const tsr_device_launch *l)
{
    open_device *o = enter(d);
    return leave(o, o->inner->launch(o->inner, l));
}

static bool shared_has_product(tsr_device *d, const tsr_device_product *p, size_t *workspace)
{
    open_device *o = enter(d);
    return leave(o, o->inner->has_product(o->inner, p, workspace));
}

static bool shared_product(tsr_device *d, const tsr_device_product *p)
{
    open_device *o = enter(d);
    return leave(o, o->inner->product(o->inner, p));
}

static bool shared_mark(tsr_device *d, int lane, tsr_mark *out)
{
    open_device *o = enter(d);
    return leave(o, o->inner->mark(o->inner, lane, out));
}

static bool shared_wait(tsr_device *d, int lane, tsr_device *of, tsr_mark m)
{
    open_device *o = enter(d);
    return leave(o, o->inner->wait(o->inner, lane, inner_of(of), m));
}

static int shared_reached(tsr_device *d, tsr_mark m)
{
    open_device *o = enter(d);
    int reached = o->inner->reached(o->inner, m);
    leave(o, reached >= 0);
    return reached;
}

static double shared_between(tsr_device *d, tsr_mark from, tsr_mark to)
{
    open_device *o = enter(d);
    double seconds = o->inner->between(o->inner, from, to);
    leave(o, true);
    return seconds;
}

static bool shared_synchronize(tsr_device *d)
{
    open_device *o = enter(d);
    return leave(o, o->inner->synchronize(o->inner));
}

/* ---- Opening ---- */

/* The facts are the plug-in's; it has no collectives of several devices. */
static void share(open_device *o)
{
    tsr_device *i = o->inner;
    o->device = *i;
    o->device.allocate = shared_allocate;
    o->device.release = shared_release;
    o->device.left = shared_left;
    o->device.copy_in = shared_copy_in;
    o->device.copy_out = shared_copy_out;
    o->device.copy = shared_copy;
    o->device.fill = shared_fill;
    o->device.compile = i->compile ? shared_compile : NULL;
    o->device.find = i->compile ? shared_find : NULL;
    o->device.drop = i->compile ? shared_drop : NULL;
    o->device.launch = i->compile ? shared_launch : NULL;
    o->device.has_product = i->has_product ? shared_has_product : NULL;
    o->device.product = i->has_product ? shared_product : NULL;
    o->device.collective = NULL;
    o->device.mark = shared_mark;
    o->device.wait = shared_wait;
    o->device.reached = shared_reached;
    o->device.between = shared_between;
    o->device.synchronize = shared_synchronize;
    o->device.close = NULL;
}

/* A device that is not open yet; the lock is held. */
static open_device *open_new(tsr_str kind, int number, tsr_status *status)
{
    tsr_device_kind k;
    char error[sizeof all->device.error] = "";
    if (!tsr_device_kind_find(kind, &k, status))
        return NULL;
    int n = k.count(TSR_DEVICE_VERSION, error, sizeof error);
    if (n > 0 && number >= n) {
        tsr_status_set(status, TSR_ENVIRONMENT, "%.*s:%d: there are %d devices of this kind",
                       TSR_STR_ARG(kind), number, n);
        return NULL;
    }
    tsr_device *inner = k.open(TSR_DEVICE_VERSION, number, error, sizeof error);
    open_device *o = inner ? tsr_malloc(sizeof *o) : NULL;
    if (!o) {
        tsr_status_set(status, TSR_ENVIRONMENT, "%.*s:%d: %s", TSR_STR_ARG(kind), number,
                       inner ? "no memory for the device" : error);
        if (inner)
            inner->close(inner);
        return NULL;
    }
    tsr_keep(o);
    *o = (open_device){.inner = inner, .next = all};
    pthread_mutex_init(&o->lock, NULL);
    snprintf(o->kind, sizeof o->kind, "%.*s", TSR_STR_ARG(kind));
    share(o);
    return all = o;
}

tsr_device *tsr_devices_open(tsr_str name, tsr_status *status)
{
    tsr_str kind;
    int number;
    if (!tsr_device_name_split(name, &kind, &number)) {
        tsr_status_set(status, TSR_BAD_INPUT,
                       "'%.*s' is no name of a device: they are such as cuda and cuda:1",
                       TSR_STR_ARG(name));
        return NULL;
    }
    tsr_lock(&lock); /* looking for a plug-in may stop */
    open_device *o = all;
    while (o && !(tsr_str_is(kind, o->kind) && o->device.number == number))
        o = o->next;
    o = o ? o : open_new(kind, number, status);
    if (o)
        o->users++;
    tsr_unlock(&lock);
    return o ? &o->device : NULL;
}

void tsr_devices_close(void *device)
{
    if (device)
        drop_user(device);
}

bool tsr_devices_are_kin(const tsr_device *a, const tsr_device *b)
{
    return strcmp(tsr_devices_kind(a), tsr_devices_kind(b)) == 0;
}

const char *tsr_devices_kind(const tsr_device *d)
{
    return ((const open_device *)d)->kind;
}
