/* SPDX-License-Identifier: Apache-2.0 */
/* device.h - devices on the command line, for several commands. */
#ifndef TSR_TOOLS_DEVICE_H
#define TSR_TOOLS_DEVICE_H

#include "api/auto.h"
#include "tools.h"

/* A known device or a device file. 0, or the exit code after a message on stderr. */
int device_flag(const tool *t, tsr_arena *arena, const char *name, tsr_device_file *out);

// clang-format off
/* Flags of commands that search for shardings. */
#define AUTO_FLAGS(FLAG) \
    AUTO_FLAGS_AS(FLAG, AUTO_MEMORY, "memory", "With --auto: the device (a100, b200, galaxy, h100 (default), h200, n300, v5e, v5p) or a device file")
/* For commands where --memory or --device has another meaning. */
#define AUTO_FLAGS_AS(FLAG, id, memory, device) \
    FLAG(AUTO, "auto", SWITCH, NULL, "Find the shardings (docs/SEARCH.md)") \
    FLAG(DEVICES, "devices", COUNT, "<n>", "With --auto: how many devices there are; all shapes of a mesh are tried") \
    FLAG(AXES, "axes", VALUE, "<dp,tp>", "With --devices: the names of the mesh's axes, and how many (default: up to three, called by what the plan does with them)") \
    FLAG(DEVICE, "device", VALUE, "<name|file>", device) \
    FLAG(id, memory, VALUE, "<80G>", "With --auto: bytes a device, with K, M, G or T (powers of 1000; default: the device's)") \
    FLAG(KEEP, "keep", SWITCH, NULL, "With --auto: shardings of the module's arguments are kept; without, they are dropped") \
    FLAG(TIME, "time", VALUE, "<1s>", "With --auto: try no more candidates after so many seconds (default: as many as the size of the program allows)")
// clang-format on

/* The name of the device file for hardware that is called so ("NVIDIA H200"): the longest that is part of it. False: there is
 * none. */
bool device_file_of(const char *hardware, char *out, size_t size);

typedef struct {
    bool on, keep, alone; /* alone: without the experts */
    int64_t devices;
    const char *axes, *device, *first; /* first: the name of a flag that needs --auto */
    double memory, seconds;
    const tsr_plan_request *plan; /* NULL: no plan is made */
} auto_flags;

/* One of AUTO_FLAGS; auto_id: the number of the first of them. 0, or the exit code after a message on stderr. */
int auto_flag(const tool *t, const flag_given *g, int auto_id, auto_flags *out);
/* A flag whose value is a number of bytes: "80G". */
int size_flag(const tool *t, const char *name, const char *value, double *out);
/* Checks that they can be combined. */
int auto_check(const tool *t, const auto_flags *a, tsr_str mesh);
/* Finds shardings for a module and applies them. False after diagnostics, or with a status. */
bool auto_give(const auto_flags *a, tsr_arena *arena, tsr_module *m,
               const tsr_shard_request *request, tsr_auto_result *out, tsr_status *status);
/* The same. 0, or the exit code after a message on stderr. */
int auto_module(const tool *t, const auto_flags *a, tsr_arena *arena, tsr_module *m,
                const tsr_shard_request *request, tsr_auto_result *out);

#endif
