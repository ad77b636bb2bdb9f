/* SPDX-License-Identifier: Apache-2.0 */
/* device.h - the rates of a device and of the links between devices, read from device files, and the times computed
 * from them.
 *
 * A device file is JSON (docs/SEARCH.md, "Device files"). Files for known devices are built into the library and found
 * by name; any other is read from a path. Rates are those of data sheets; shares say which part of a rate programs
 * reach. */
#ifndef TSR_SIM_DEVICE_H
#define TSR_SIM_DEVICE_H

#include "base/arena.h"
#include "base/str.h"
#include "dialect/kinds.h"

enum { TSR_SIM_LINKS = 4, TSR_SIM_TYPES = 8 };

typedef struct {
    tsr_str name;
    int64_t devices;  /* consecutive devices that it connects; 0: all */
    double bandwidth; /* bytes per second that each device can send and receive at the same time */
    double latency;   /* seconds of one step of a collective */
    double launch;    /* seconds before the first step */
    double half;      /* bytes moved at which half of the bandwidth is reached */
    bool torus;       /* groups with different strides do not share it */
} tsr_sim_link;

typedef struct {
    tsr_str name, about;
    double memory;    /* bytes */
    double bandwidth; /* of memory, in bytes per second, as programs reach it */
    double launch;    /* seconds per kernel */
    double vector;    /* operations per second outside of products */
    struct {
        tsr_str type; /* "bf16" */
        double rate;  /* peak of products, operations per second */
    } products[TSR_SIM_TYPES];
    uint32_t nproduct;
    double product_share; /* share of the peak that the largest products reach */
    /* rows, columns, depth at which a product reaches half of product_share */
    double product_half[3];
    double attention_share; /* the same for attention that runs as one kernel */
    double overlap;         /* share of a collective's time that overlapping computation hides */
    tsr_sim_link links[TSR_SIM_LINKS]; /* closest first */
    uint32_t nlink;
} tsr_device_file;

/* The error in a device file, and its position in the text. */
typedef struct {
    char reason[160];
    size_t at;
} tsr_device_file_error;

/* Reads a device file; its strings are allocated in the arena. */
bool tsr_device_file_read(tsr_arena *arena, tsr_str text, tsr_device_file *out,
                          tsr_device_file_error *error);
/* The text of a built-in device file, which the caller frees; empty if none has this name. */
tsr_str tsr_device_file_text(tsr_str name);
/* The names of the built-in device files, separated by commas. */
void tsr_device_file_names(tsr_buf *out);

/* ---- Times, in seconds ---- */

/* The peak rate of products of this element type; an unknown type has the rate of f32, or else the slowest one. */
double tsr_device_file_peak(const tsr_device_file *d, tsr_str type);
/* Time of batch products of m x k by k x n, without the launch. */
double tsr_time_product(const tsr_device_file *d, tsr_str type, double batch, double m, double n,
                        double k, double bytes);
/* Time of any other kernel, from the bytes that it reads and writes and the operations that it computes. Without the
 * launch. */
double tsr_time_pass(const tsr_device_file *d, double flops, double bytes);

/* The devices that take part in a collective, as one of them sees them. */
typedef struct {
    int64_t n;                     /* in a group */
    int64_t within[TSR_SIM_LINKS]; /* of these, the ones reached by links of each level */
    int64_t stride;                /* between neighbours */
} tsr_sim_group;

/* n devices at this stride, starting at device 0. */
tsr_sim_group tsr_sim_group_of(const tsr_device_file *d, int64_t n, int64_t stride);
/* before: bytes that each device contributes. *link: the slowest link that the collective uses. */
double tsr_time_collective(const tsr_device_file *d, tsr_collective kind, double before,
                           const tsr_sim_group *group, uint32_t *link);

#endif
