/* SPDX-License-Identifier: Apache-2.0 */
/* gspmd.h - reads GSPMD's shardings from strings (mhlo.sharding), and derives meshes from them.
 *
 *   sharding ::= '{' sharding (',' sharding)* '}' | '{' '}' | '{' one '}'
 *   one      ::= ('replicated' | 'manual' | 'unknown' | 'unreduced' | 'maximal' 'device=' id | tiles) more*
 *   tiles    ::= 'devices=[' tile ']' devices
 *   devices  ::= '<=[' grid ']' ('T(' order ')')? | id (',' id)*
 *   more     ::= 'last_tile_dim_replicate' | 'last_tile_dims={' kind (',' kind)* '}'
 *              | ('shard_as' | 'shard_like') group | 'metadata={' ... '}'
 *
 * The tile has a size for each dimension of the tensor, then one for each kind of last_tile_dims: devices that have the
 * same part (replicated, unreduced), or that the program itself distinguishes (manual). */
#ifndef TSR_SHARD_GSPMD_GSPMD_H
#define TSR_SHARD_GSPMD_GSPMD_H

#include "dialect/stablehlo/types.h"
#include "shard/core/sharding.h"

#define TSR_GSPMD_SHARDING TSR_STR("mhlo.sharding")
#define TSR_GSPMD_FRONTEND TSR_STR("mhlo.frontend_attributes")

/* ---- Text (gspmd/text.c) ---- */

enum { TSR_GSPMD_DIMS = 32 }; /* dimensions of a tile or a grid */

typedef struct {
    int64_t data[TSR_GSPMD_DIMS];
    uint32_t n;
} tsr_gspmd_numbers;

typedef enum {
    TSR_GSPMD_REPLICATED,
    TSR_GSPMD_MAXIMAL, /* on one device */
    TSR_GSPMD_MANUAL,
    TSR_GSPMD_UNKNOWN, /* gives no information */
    TSR_GSPMD_UNREDUCED,
    TSR_GSPMD_TILED,
} tsr_gspmd_kind;

typedef struct {
    tsr_gspmd_kind kind;
    int64_t device;                /* for TSR_GSPMD_MAXIMAL */
    int64_t group;                 /* of shardings that must be alike; -1: none */
    tsr_gspmd_numbers tile;        /* parts along each dimension, then those of last_tile_dims */
    tsr_gspmd_numbers grid, order; /* position i has device i of the grid transposed by order */
    tsr_i64_vec ids;               /* the devices themselves, if they are listed */
    uint32_t nlast;                /* number of the tile's sizes that are not dimensions */
    tsr_gspmd_kind last[TSR_GSPMD_DIMS]; /* their kinds */
} tsr_gspmd;

/* Reads the shardings of a string, those of a tuple one by one. False: it is invalid, and why has the error. The caller
 * frees out in both cases. */
typedef TSR_VEC(tsr_gspmd) tsr_gspmd_vec;
bool tsr_gspmd_read(tsr_str text, tsr_gspmd_vec *out, bool *tuple, tsr_buf *why);
void tsr_gspmd_free(tsr_gspmd_vec *v);
/* A string that holds one sharding; the caller frees out->ids. */
bool tsr_gspmd_read_one(tsr_str text, tsr_gspmd *out);

/* The number of devices of a tiled sharding, and the device at a position of its tile. */
int64_t tsr_gspmd_devices(const tsr_gspmd *s);
int64_t tsr_gspmd_device(const tsr_gspmd *s, int64_t place);

/* Whether anything inside root has a GSPMD sharding (gspmd/import.c); manual: whether it has manual parts. */
bool tsr_has_gspmd(tsr_op *root, bool manual);

/* ---- Meshes (gspmd/mesh.c) ---- */

/* A mesh that some of the module's shardings refer to. Its positions are numbered along its axes, the last one minor;
 * order has the device at each, and is empty if they are in increasing order. */
typedef struct {
    tsr_i64_vec order, at; /* at: the position of each device */
    tsr_i64_vec strides;   /* of the axes, minor first, then the number of devices */
    tsr_attr *ref;         /* @mesh */
    tsr_attr_vec names;    /* of the axes, minor first */
} tsr_gspmd_mesh;

/* A sharding on a mesh: for each of the tile's sizes, the axes that it is composed of, major first, as indices into
 * strides. */
typedef struct {
    uint32_t mesh;
    uint32_t first[TSR_GSPMD_DIMS + 1]; /* axes of size i: from first[i] to first[i + 1] */
    TSR_VEC(uint32_t) axes;
} tsr_gspmd_place;

typedef struct {
    TSR_VEC(tsr_gspmd_mesh) all;
    int64_t devices; /* that the module is for; 0: neither a sharding nor an attribute says */
} tsr_gspmd_meshes;

void tsr_gspmd_meshes_free(tsr_gspmd_meshes *m);
void tsr_gspmd_place_free(tsr_gspmd_place *p);
/* Builds meshes for tiled shardings, in the order in which they are found; only one if all fit. */
void tsr_gspmd_meshes_make(tsr_gspmd_meshes *m, const tsr_gspmd *const *tiled, size_t n);
/* The mesh and axes of one of them. */
bool tsr_gspmd_place_of(const tsr_gspmd_meshes *m, const tsr_gspmd *s, tsr_gspmd_place *out);

#endif
