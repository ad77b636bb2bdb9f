/* SPDX-License-Identifier: Apache-2.0 */
/* client.c - the client and its worker thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

#define GIVE(text, data, size) ((data) = (text), (size) = strlen(text))

/* ---- The worker ---- */

static void *work(void *user)
{
    pj_client *c = user;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        while (!c->first && !c->stop)
            pthread_cond_wait(&c->more, &c->lock);
        pj_task *t = c->first;
        if (!t)
            break;
        c->first = t->next;
        if (!c->first)
            c->last = NULL;
        pthread_mutex_unlock(&c->lock);
        t->run(t);
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

void pj_client_do(pj_client *c, pj_task *t)
{
    pthread_mutex_lock(&c->lock);
    if (!c->has_worker && !c->stop)
        c->has_worker = pthread_create(&c->worker, NULL, work, c) == 0;
    /* Work that a callback starts cannot be queued: the worker waits for the callback. */
    bool queued = c->has_worker && !c->stop && !pj_in_callback();
    if (queued) {
        t->next = NULL;
        if (c->last)
            c->last->next = t;
        else
            c->first = t;
        c->last = t;
        pthread_cond_signal(&c->more);
    }
    pthread_mutex_unlock(&c->lock);
    if (!queued)
        t->run(t);
}

/* Ends the worker after it has finished its queued work. */
static void finish(pj_client *c)
{
    pthread_mutex_lock(&c->lock);
    bool join = c->has_worker && !c->stop;
    c->stop = true;
    pthread_cond_signal(&c->more);
    pthread_mutex_unlock(&c->lock);
    if (join)
        pthread_join(c->worker, NULL);
}

/* ---- Creation and destruction ---- */

void pj_client_ref(pj_client *c)
{
    atomic_fetch_add(&c->refs, 1);
}

void pj_client_unref(pj_client *c)
{
    if (!c || atomic_fetch_sub(&c->refs, 1) != 1)
        return;
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->more);
    pj_topology_free(c->topology);
    tsr_free(c->met);
    tsr_free(c->memories);
    tsr_free(c);
}

/* Open clients: a handle is looked up here before it is dereferenced. */
static struct {
    pthread_mutex_t lock;
    pj_client *first;
} open_clients = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void enter(pj_client *c)
{
    pthread_mutex_lock(&open_clients.lock);
    c->next = open_clients.first;
    open_clients.first = c;
    pthread_mutex_unlock(&open_clients.lock);
}

/* False: it is not in the list. */
static bool leave(pj_client *c)
{
    pthread_mutex_lock(&open_clients.lock);
    pj_client **at = &open_clients.first;
    while (*at && *at != c)
        at = &(*at)->next;
    bool found = *at != NULL;
    if (found)
        *at = c->next;
    pthread_mutex_unlock(&open_clients.lock);
    return found;
}

pj_error *pj_client_check(pj_client *c)
{
    pthread_mutex_lock(&open_clients.lock);
    pj_client *at = open_clients.first;
    while (at && at != c)
        at = at->next;
    pthread_mutex_unlock(&open_clients.lock);
    return at ? NULL : pj_fail(PJ_FAILED_PRECONDITION, "the client was shut down");
}

pj_error *pj_client_memory(pj_client *c, pj_device *device, pj_memory *memory, pj_memory **out)
{
    pj_error *e = pj_client_check(c);
    if (e)
        return e;
    *out = memory ? memory : device ? device->memories[PJ_MEMORY_DEVICE] : NULL;
    if (!*out)
        return pj_fail(PJ_INVALID_ARGUMENT, "neither a device nor a memory is given");
    const pj_device *d = (*out)->device;
    if (d->client != c)
        return pj_fail(PJ_INVALID_ARGUMENT, "the memory is not one of this client's");
    return (uint64_t)d->process == c->settings.process
               ? NULL
               : pj_fail(PJ_INVALID_ARGUMENT, "device %d is of process %d, and this is process %d",
                         d->id, d->process, (int)c->settings.process);
}

/* Devices and their memories, of this process and of the others. */
static pj_error *find_devices(pj_client *c, const pj_Client_Create_args *args)
{
    size_t n = (size_t)c->settings.processes;
    size_t *counts = tsr_calloc(n, sizeof *counts);
    pj_error *e = counts ? NULL : pj_no_memory();
    if (!e && n == 1)
        counts[0] = (size_t)c->settings.devices;
    else if (!e)
        e = pj_processes_meet(c, args, counts);
    if (!e)
        c->topology = pj_topology_of(counts, n, (size_t)c->settings.process, c);
    if (c->topology)
        c->memories = tsr_calloc(c->topology->nhere * PJ_MEMORIES, sizeof *c->memories);
    tsr_free(counts);
    if (!e && !c->memories)
        e = pj_no_memory();
    for (size_t i = 0; !e && i < c->topology->nhere; i++)
        for (int k = 0; k < PJ_MEMORIES; k++)
            c->memories[c->nmemory++] = &c->topology->here[i]->memory[k];
    return e;
}

pj_error *pj_Client_Create(pj_Client_Create_args *args)
{
    pj_settings settings;
    pj_error *e = pj_settings_read(&settings, args->create_options, args->num_options);
    if (e)
        return e;
    const char *engine = getenv("TESSERA_ENGINE");
    if (engine && *engine && strcmp(engine, "reference") != 0 && strcmp(engine, "compiled") != 0)
        return pj_fail(PJ_INVALID_ARGUMENT,
                       "TESSERA_ENGINE is '%.40s'; the engines are compiled and reference", engine);
    pj_client *c = tsr_calloc(1, sizeof *c);
    if (!c)
        return pj_no_memory();
    atomic_init(&c->refs, 1);
    c->settings = settings;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->more, NULL);
    e = find_devices(c, args);
    if (e) {
        tsr_peers_free(c->peers);
        pj_client_unref(c);
        return e;
    }
    enter(c);
    args->client = c;
    return NULL;
}

pj_error *pj_Client_Destroy(pj_Client_Destroy_args *args)
{
    if (!args->client)
        return NULL;
    if (!leave(args->client))
        return pj_fail(PJ_FAILED_PRECONDITION, "the client was shut down");
    finish(args->client);
    atomic_store(&args->client->closed, true);
    pthread_mutex_lock(&args->client->lock);
    tsr_peers *peers = args->client->peers;
    args->client->peers = NULL;
    pthread_mutex_unlock(&args->client->lock);
    tsr_peers_free(peers);
    pj_client_unref(args->client);
    return NULL;
}

/* ---- Properties ---- */

pj_error *pj_Client_PlatformName(pj_Client_PlatformName_args *args)
{
    GIVE(PJ_PLATFORM, args->platform_name, args->platform_name_size);
    return NULL;
}

pj_error *pj_Client_PlatformVersion(pj_Client_PlatformVersion_args *args)
{
    GIVE(PJ_VERSION_TEXT, args->platform_version, args->platform_version_size);
    return NULL;
}

pj_error *pj_Client_ProcessIndex(pj_Client_ProcessIndex_args *args)
{
    args->process_index = (int)args->client->settings.process;
    return NULL;
}

pj_error *pj_Client_Devices(pj_Client_Devices_args *args)
{
    pj_error *e = pj_client_check(args->client);
    if (e)
        return e;
    args->devices = args->client->topology->list;
    args->num_devices = args->client->topology->n;
    return NULL;
}

pj_error *pj_Client_AddressableDevices(pj_Client_AddressableDevices_args *args)
{
    pj_error *e = pj_client_check(args->client);
    if (e)
        return e;
    args->addressable_devices = args->client->topology->here;
    args->num_addressable_devices = args->client->topology->nhere;
    return NULL;
}

pj_device *pj_client_device(pj_client *c, int64_t id)
{
    return id >= 0 && (uint64_t)id < c->topology->n ? &c->topology->devices[id] : NULL;
}

static pj_error *look_up(pj_client *c, int id, pj_device **out)
{
    pj_error *e = pj_client_check(c);
    if (e)
        return e;
    *out = pj_client_device(c, id);
    return *out ? NULL
                : pj_fail(PJ_INVALID_ARGUMENT, "there is no device %d; the client has %zu", id,
                          c->topology->n);
}

pj_error *pj_Client_LookupDevice(pj_Client_LookupDevice_args *args)
{
    return look_up(args->client, args->id, &args->device);
}

pj_error *pj_Client_LookupAddressableDevice(pj_Client_LookupAddressableDevice_args *args)
{
    pj_client *c = args->client;
    int first = 0;
    if (!pj_client_check(c) && args->local_hardware_id >= 0 && c->topology->nhere)
        first = c->topology->here[0]->id;
    return look_up(c, first + args->local_hardware_id, &args->addressable_device);
}

pj_error *pj_Client_AddressableMemories(pj_Client_AddressableMemories_args *args)
{
    pj_error *e = pj_client_check(args->client);
    if (e)
        return e;
    args->addressable_memories = args->client->memories;
    args->num_addressable_memories = args->client->nmemory;
    return NULL;
}

pj_error *pj_Client_TopologyDescription(pj_Client_TopologyDescription_args *args)
{
    pj_error *e = pj_client_check(args->client);
    if (e)
        return e;
    args->topology = args->client->topology;
    return NULL;
}

pj_error *pj_Client_DefaultDeviceAssignment(pj_Client_DefaultDeviceAssignment_args *args)
{
    int64_t n = (int64_t)args->num_replicas * args->num_partitions;
    pj_error *e = pj_client_check(args->client);
    if (e)
        return e;
    if (args->num_replicas < 1 || args->num_partitions < 1 ||
        (uint64_t)n > args->default_assignment_size)
        return pj_fail(PJ_INVALID_ARGUMENT, "no room for an assignment of %d times %d devices",
                       args->num_replicas, args->num_partitions);
    if ((uint64_t)n > args->client->topology->n)
        return pj_fail(PJ_INVALID_ARGUMENT, "%lld devices are wanted, the client has %zu",
                       (long long)n, args->client->topology->n);
    /* Devices of this process, if it has enough. */
    const pj_topology_description *t = args->client->topology;
    for (int64_t i = 0; i < n; i++)
        args->default_assignment[i] = (uint64_t)n <= t->nhere ? t->here[i]->id : (int)i;
    return NULL;
}

/* Host memory can be used for transfers as it is. */
pj_error *pj_Client_DmaMap(pj_Client_DmaMap_args *args)
{
    (void)args;
    return NULL;
}

pj_error *pj_Client_DmaUnmap(pj_Client_DmaUnmap_args *args)
{
    (void)args;
    return NULL;
}
