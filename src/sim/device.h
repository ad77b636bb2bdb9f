/* device.h - what a device and the links between devices can do: device files, and the times that follow from them.
 *
 * A device file is JSON (docs/SEARCH.md, "Device files"). Those of known devices are part of the library, by name; any other is
 * read from a path. Rates are those of data sheets, and shares say how much of them programs reach. */
#ifndef TSR_SIM_DEVICE_H
#define TSR_SIM_DEVICE_H

#include "base/arena.h"
#include "base/str.h"
#include "dialect/kinds.h"

enum { TSR_SIM_LINKS = 4, TSR_SIM_TYPES = 8 };

typedef struct {
    tsr_str name;
    int64_t devices;  /* neighbours in number that it connects; 0: all */
    double bandwidth; /* bytes a second that each device sends, and receives at the same time */
    double latency;   /* seconds of one step of a collective */
    double launch;    /* seconds before its first step */
    double half;      /* bytes moved at which half of the bandwidth is reached */
    bool torus;       /* groups of different strides do not share it */
} tsr_sim_link;

typedef struct {
    tsr_str name, about;
    double memory;    /* bytes */
    double bandwidth; /* of memory, bytes a second, as programs reach it */
    double launch;    /* seconds a kernel */
    double vector;    /* operations a second outside of products */
    struct {
        tsr_str type; /* "bf16" */
        double rate;  /* peak of products, operations a second */
    } products[TSR_SIM_TYPES];
    uint32_t nproduct;
    double product_share;   /* of the peak that the largest products reach */
    double product_half[3]; /* rows, columns, depth at which a product reaches half of that */
    double attention_share; /* the same for attention that runs as one kernel */
    double overlap;         /* share of a collective that computing hides when both could run */
    tsr_sim_link links[TSR_SIM_LINKS]; /* the closest first */
    uint32_t nlink;
} tsr_device;

/* What is wrong with a device file, and where in its text. */
typedef struct {
    char reason[160];
    size_t at;
} tsr_device_error;

/* Reads a device file; its strings are the arena's. */
bool tsr_device_read(tsr_arena *arena, tsr_str text, tsr_device *out, tsr_device_error *error);
/* The text of a device file that is part of the library; empty: there is none of this name. The caller frees it. */
tsr_str tsr_device_text(tsr_str name);
/* Their names, with commas. */
void tsr_device_names(tsr_buf *out);

/* ---- Times, in seconds ---- */

/* The peak rate of products of elements of this type; unknown types are as f32, or the slowest. */
double tsr_device_peak(const tsr_device *d, tsr_str type);
/* batch products of m x k and k x n. Without the launch. */
double tsr_time_product(const tsr_device *d, tsr_str type, double batch, double m, double n,
                        double k, double bytes);
/* Anything else that reads and writes bytes and computes. Without the launch. */
double tsr_time_pass(const tsr_device *d, double flops, double bytes);

/* Devices that take part in a collective, seen from one of them. */
typedef struct {
    int64_t n;                     /* of a group */
    int64_t within[TSR_SIM_LINKS]; /* of them, those that links of each level reach */
    int64_t stride;                /* between neighbours */
} tsr_sim_group;

/* n devices at this stride, the first one at 0. */
tsr_sim_group tsr_sim_group_of(const tsr_device *d, int64_t n, int64_t stride);
/* before: bytes that each device gives. *link: the slowest link that it needs. */
double tsr_time_collective(const tsr_device *d, tsr_collective kind, double before,
                           const tsr_sim_group *group, uint32_t *link);

#endif
