/* SPDX-License-Identifier: Apache-2.0 */
/* topology.c - devices, their memories, and descriptions of devices that need not exist. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pjrt/pjrt.h"

#define GIVE(text, data, size) ((data) = (text), (size) = strlen(text))

static const char *const kinds[PJ_MEMORIES] = {"device", "pinned_host", "unpinned_host"};

const char *pj_memory_kind(int kind)
{
    return kinds[kind];
}

int pj_memory_kind_of(tsr_str name)
{
    for (int k = 0; k < PJ_MEMORIES; k++)
        if (strlen(kinds[k]) == name.len && !memcmp(kinds[k], name.data, name.len))
            return k;
    return -1;
}

pj_topology_description *pj_topology_new(size_t n, const char *name, pj_client *client)
{
    pj_topology_description *t = tsr_calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->n = n;
    t->devices = tsr_calloc(n, sizeof *t->devices);
    t->list = tsr_calloc(n, sizeof *t->list);
    t->here = tsr_calloc(n, sizeof *t->here);
    snprintf(t->name, sizeof t->name, "%s", name);
    if (!t->devices || !t->list || !t->here) {
        pj_topology_free(t);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        pj_device *d = t->list[i] = t->here[i] = &t->devices[i];
        d->client = client;
        d->id = d->local = (int)i;
        d->self = d;
        snprintf(d->text, sizeof d->text, "TesseraDevice(id=%d)", d->id);
        for (int k = 0; k < PJ_MEMORIES; k++) {
            pj_memory *m = d->memories[k] = &d->memory[k];
            *m = (pj_memory){.device = d, .id = d->id * PJ_MEMORIES + k, .kind = k};
            snprintf(m->text, sizeof m->text, "TesseraMemory(id=%d, kind=%s)", m->id, kinds[k]);
        }
    }
    t->nhere = n;
    return t;
}

pj_topology_description *pj_topology_of(const size_t *counts, size_t nprocess, size_t mine,
                                        pj_client *client)
{
    size_t n = 0;
    for (size_t i = 0; i < nprocess; i++)
        n += counts[i];
    pj_topology_description *t = pj_topology_new(n, "tessera", client);
    if (!t)
        return NULL;
    t->nhere = 0;
    for (size_t i = 0, k = 0; i < nprocess; i++)
        for (size_t d = 0; d < counts[i]; d++, k++) {
            t->devices[k].process = (int)i;
            t->devices[k].local = (int)d;
            if (i == mine)
                t->here[t->nhere++] = &t->devices[k];
        }
    return t;
}

void pj_topology_free(pj_topology_description *t)
{
    if (!t)
        return;
    tsr_free(t->devices);
    tsr_free(t->list);
    tsr_free(t->here);
    tsr_free(t);
}

/* ---- Device descriptions ---- */

pj_error *pj_DeviceDescription_Id(pj_DeviceDescription_Id_args *args)
{
    args->id = args->device_description->id;
    return NULL;
}

pj_error *pj_DeviceDescription_ProcessIndex(pj_DeviceDescription_ProcessIndex_args *args)
{
    args->process_index = args->device_description->process;
    return NULL;
}

pj_error *pj_DeviceDescription_Attributes(pj_DeviceDescription_Attributes_args *args)
{
    args->attributes = NULL;
    args->num_attributes = 0;
    return NULL;
}

pj_error *pj_DeviceDescription_Kind(pj_DeviceDescription_Kind_args *args)
{
    GIVE("Tessera", args->device_kind, args->device_kind_size);
    return NULL;
}

pj_error *pj_DeviceDescription_DebugString(pj_DeviceDescription_DebugString_args *args)
{
    GIVE(args->device_description->text, args->debug_string, args->debug_string_size);
    return NULL;
}

pj_error *pj_DeviceDescription_ToString(pj_DeviceDescription_ToString_args *args)
{
    GIVE(args->device_description->text, args->to_string, args->to_string_size);
    return NULL;
}

/* ---- Devices ---- */

pj_error *pj_Device_GetDescription(pj_Device_GetDescription_args *args)
{
    args->device_description = args->device;
    return NULL;
}

pj_error *pj_Device_IsAddressable(pj_Device_IsAddressable_args *args)
{
    const pj_client *c = args->device->client;
    args->is_addressable = c && (uint64_t)args->device->process == c->settings.process;
    return NULL;
}

pj_error *pj_Device_LocalHardwareId(pj_Device_LocalHardwareId_args *args)
{
    args->local_hardware_id = args->device->local;
    return NULL;
}

pj_error *pj_Device_AddressableMemories(pj_Device_AddressableMemories_args *args)
{
    args->memories = args->device->memories;
    args->num_memories = PJ_MEMORIES;
    return NULL;
}

pj_error *pj_Device_DefaultMemory(pj_Device_DefaultMemory_args *args)
{
    args->memory = args->device->memories[PJ_MEMORY_DEVICE];
    return NULL;
}

#define SET(args, field, value)             \
    do {                                    \
        if (PJ_HAS(args, field##_is_set)) { \
            (args)->field = (value);        \
            (args)->field##_is_set = true;  \
        }                                   \
    } while (0)

/* The limit for its arrays: what they hold plus what the machine has left. All devices share it. */
static int64_t memory_limit(const pj_device *d)
{
    int64_t left = tsr_memory_left(), held = 0;
    const pj_topology_description *t = d->client ? d->client->topology : NULL;
    for (size_t i = 0; t && i < t->n; i++)
        held += atomic_load(&t->devices[i].in_use);
    return left > INT64_MAX - held ? INT64_MAX : left + held;
}

pj_error *pj_Device_MemoryStats(pj_Device_MemoryStats_args *args)
{
    pj_device *d = args->device;
    size_t head = offsetof(pj_Device_MemoryStats_args, bytes_in_use);
    size_t end = args->struct_size < sizeof *args ? args->struct_size : sizeof *args;
    if (end > head)
        memset((char *)args + head, 0, end - head);
    args->bytes_in_use = atomic_load(&d->in_use);
    SET(args, peak_bytes_in_use, atomic_load(&d->peak));
    SET(args, num_allocs, atomic_load(&d->allocs));
    SET(args, largest_alloc_size, atomic_load(&d->largest));
    int64_t limit = memory_limit(d);
    SET(args, bytes_limit, limit);
    SET(args, bytes_reservable_limit, limit);
    return NULL;
}

pj_error *pj_Device_ClearMemoryStats(pj_Device_ClearMemoryStats_args *args)
{
    pj_device *d = args->device;
    atomic_store(&d->peak, atomic_load(&d->in_use));
    atomic_store(&d->allocs, 0);
    atomic_store(&d->largest, 0);
    return NULL;
}

static void no_attributes(pj_device_attributes *a)
{
    (void)a;
}

pj_error *pj_Device_GetAttributes(pj_Device_GetAttributes_args *args)
{
    args->attributes = NULL;
    args->num_attributes = 0;
    args->device_attributes = NULL;
    args->attributes_deleter = no_attributes;
    return NULL;
}

/* ---- Memories ---- */

pj_error *pj_Memory_Id(pj_Memory_Id_args *args)
{
    args->id = args->memory->id;
    return NULL;
}

pj_error *pj_Memory_Kind(pj_Memory_Kind_args *args)
{
    GIVE(kinds[args->memory->kind], args->kind, args->kind_size);
    return NULL;
}

pj_error *pj_Memory_Kind_Id(pj_Memory_Kind_Id_args *args)
{
    args->kind_id = args->memory->kind;
    return NULL;
}

pj_error *pj_Memory_DebugString(pj_Memory_DebugString_args *args)
{
    GIVE(args->memory->text, args->debug_string, args->debug_string_size);
    return NULL;
}

pj_error *pj_Memory_ToString(pj_Memory_ToString_args *args)
{
    GIVE(args->memory->text, args->to_string, args->to_string_size);
    return NULL;
}

pj_error *pj_Memory_AddressableByDevices(pj_Memory_AddressableByDevices_args *args)
{
    args->devices = &args->memory->device->self;
    args->num_devices = 1;
    return NULL;
}

static pj_error *device_memories(pj_device_memories_args *args)
{
    args->memory_descriptions = args->device_description->memories;
    args->num_memory_descriptions = PJ_MEMORIES;
    args->default_memory_index = PJ_MEMORY_DEVICE;
    return NULL;
}

static pj_error *memory_kind(pj_memory_kind_args *args)
{
    GIVE(kinds[args->memory_description->kind], args->kind, args->kind_size);
    args->kind_id = args->memory_description->kind;
    return NULL;
}

pj_memory_descriptions_extension pj_memory_descriptions = {
    .base = {sizeof pj_memory_descriptions, PJ_EXTENSION_MEMORY_DESCRIPTIONS, &pj_profiler.base},
    .device_memories = device_memories,
    .memory_kind = memory_kind,
};

/* ---- Topologies ---- */

/* "8", "2x4", "tessera:512": the product of the numbers; empty: TESSERA_DEVICES, or one. */
static pj_error *count(const char *name, size_t size, size_t *out)
{
    size_t n = 1, number = 0, i = 0;
    bool any = false;
    const char *colon = memchr(name, ':', size);
    if (colon)
        i = (size_t)(colon - name) + 1;
    for (; i <= size; i++) {
        char c = i < size ? name[i] : 'x';
        if (c >= '0' && c <= '9' && number <= PJ_DEVICES_MAX) {
            number = 10 * number + (size_t)(c - '0');
            any = true;
        } else if (c == 'x' && number && n * number <= PJ_DEVICES_MAX) {
            n *= number;
            number = 0;
        } else if (c == 'x' && i == size && !any) {
            break;
        } else {
            return pj_fail(
                PJ_INVALID_ARGUMENT,
                "'%.*s' is no topology; \"8\", \"2x4\" and \"tessera:512\" are, up to %d devices",
                (int)(size < 60 ? size : 60), name, PJ_DEVICES_MAX);
        }
    }
    pj_settings settings;
    pj_error *e = any ? NULL : pj_settings_read(&settings, NULL, 0);
    if (!e)
        *out = any ? n : (size_t)settings.devices;
    return e;
}

pj_error *pj_TopologyDescription_Create(pj_TopologyDescription_Create_args *args)
{
    size_t n = 1;
    pj_error *e =
        count(args->topology_name ? args->topology_name : "", args->topology_name_size, &n);
    if (e)
        return e;
    char name[64];
    snprintf(name, sizeof name, "tessera:%zu", n);
    args->topology = pj_topology_new(n, name, NULL);
    return args->topology ? NULL : pj_no_memory();
}

pj_error *pj_TopologyDescription_Destroy(pj_TopologyDescription_Destroy_args *args)
{
    /* A client's own topology is freed with the client. */
    if (args->topology && args->topology->n && !args->topology->devices[0].client)
        pj_topology_free(args->topology);
    return NULL;
}

pj_error *pj_TopologyDescription_PlatformName(pj_TopologyDescription_PlatformName_args *args)
{
    GIVE(PJ_PLATFORM, args->platform_name, args->platform_name_size);
    return NULL;
}

pj_error *pj_TopologyDescription_PlatformVersion(pj_TopologyDescription_PlatformVersion_args *args)
{
    GIVE(PJ_VERSION_TEXT, args->platform_version, args->platform_version_size);
    return NULL;
}

pj_error *pj_TopologyDescription_GetDeviceDescriptions(
    pj_TopologyDescription_GetDeviceDescriptions_args *args)
{
    args->descriptions = args->topology->list;
    args->num_descriptions = args->topology->n;
    return NULL;
}

pj_error *pj_TopologyDescription_Attributes(pj_TopologyDescription_Attributes_args *args)
{
    args->attributes = NULL;
    args->num_attributes = 0;
    return NULL;
}

pj_error *pj_TopologyDescription_Serialize(pj_TopologyDescription_Serialize_args *args)
{
    char text[32];
    int n = snprintf(text, sizeof text, "tessera:%zu", args->topology->n);
    pj_bytes *b = pj_bytes_copy(text, (size_t)n);
    if (!b)
        return pj_no_memory();
    args->serialized_topology = b;
    args->serialized_bytes = b->data;
    args->serialized_bytes_size = b->len;
    args->serialized_topology_deleter = pj_bytes_delete;
    return NULL;
}

pj_error *pj_TopologyDescription_Deserialize(pj_TopologyDescription_Deserialize_args *args)
{
    pj_TopologyDescription_Create_args made = {.topology_name = args->serialized_topology,
                                               .topology_name_size =
                                                   args->serialized_topology_size};
    pj_error *e = pj_TopologyDescription_Create(&made);
    args->topology = made.topology;
    return e;
}

pj_error *pj_TopologyDescription_Fingerprint(pj_TopologyDescription_Fingerprint_args *args)
{
    args->fingerprint = 0x7465737365726100u + args->topology->n;
    return NULL;
}

pj_error *pj_TopologyDescription_GetMemorySpaceKindIds(
    pj_TopologyDescription_GetMemorySpaceKindIds_args *args)
{
    static const int ids[PJ_MEMORIES] = {PJ_MEMORY_DEVICE, PJ_MEMORY_PINNED, PJ_MEMORY_UNPINNED};
    args->memory_space_kind_ids = ids;
    args->num_memory_space_kind_ids = PJ_MEMORIES;
    return NULL;
}
