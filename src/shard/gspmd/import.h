/* SPDX-License-Identifier: Apache-2.0 */
/* import.h - shared by the two halves of tessera-import-gspmd: shardings (gspmd/import.c) and manual computations
 * (gspmd/manual.c). */
#ifndef TSR_SHARD_GSPMD_IMPORT_H
#define TSR_SHARD_GSPMD_IMPORT_H

#include "pass/pass.h"
#include "shard/gspmd/gspmd.h"

/* A parsed string. */
typedef struct {
    const tsr_attr *text;
    tsr_gspmd_vec all;
    bool tuple;
} tsr_gspmd_text;

/* The cached mesh and axes of a sharding. */
typedef struct {
    const tsr_gspmd *sharding;
    tsr_gspmd_place at;
    bool ok;
} tsr_gspmd_placed;

/* The mesh for a single device. */
typedef struct {
    int64_t device;
    tsr_attr *ref;
} tsr_gspmd_maximal;

typedef struct {
    tsr_pass *p;
    tsr_op *root;
    tsr_gspmd_meshes meshes;
    TSR_VEC(tsr_gspmd_text *) texts;
    tsr_map by_text; /* string attribute to tsr_gspmd_text */
    tsr_map places;  /* sharding to tsr_gspmd_placed */
    TSR_VEC(tsr_gspmd_maximal) maximal;
} tsr_gspmd_import;

/* One bit per dimension: it may be sharded further. */
typedef uint64_t tsr_gspmd_open;

/* Whether op is a custom call with this GSPMD target. */
bool tsr_gspmd_is(const tsr_op *op, const char *target);
/* The only sharding in the op's mhlo.sharding; NULL: none, or several. */
const tsr_gspmd *tsr_gspmd_of(tsr_gspmd_import *im, const tsr_op *op);
/* The sharding of a function's argument; NULL: none, or an argument of another block. */
const tsr_gspmd *tsr_gspmd_of_arg(tsr_gspmd_import *im, const tsr_value *arg);
/* Reads unspecified_dims=[0,1] of a custom call. False after a diagnostic. */
bool tsr_gspmd_open_dims(const tsr_op *op, tsr_gspmd_open *out);

/* Converts to a Shardy sharding for a tensor of this rank, without manual axes. mesh: used if s does not refer to axes.
 * *out is NULL if s gives no information. False after a diagnostic at op. */
bool tsr_gspmd_convert(tsr_gspmd_import *im, const tsr_op *op, const tsr_gspmd *s, int64_t rank,
                       tsr_gspmd_open open, uint32_t mesh, tsr_attr **out);
/* The mesh of s, and its manual axes, one bit each; *mesh is unchanged if s names no axes. */
bool tsr_gspmd_manual_axes(tsr_gspmd_import *im, const tsr_op *op, const tsr_gspmd *s,
                           uint32_t *mesh, uint64_t *axes);

/* Shardy's shardings in strings (gspmd/strings.c); false after a diagnostic. */
bool tsr_has_sdy_strings(tsr_op *root);
bool tsr_import_sdy_strings(tsr_pass *p, tsr_op *root);
/* Custom calls that are propagation barriers or members of sharding groups; the second function converts only these to
 * ops. */
bool tsr_is_sdy_hint(const tsr_op *op);
bool tsr_import_sdy_hints(tsr_pass *p, tsr_op *root);

/* Converts ops between @SPMDFullToShardShape and @SPMDShardToFullShape to manual computations. */
bool tsr_gspmd_manual(tsr_gspmd_import *im);

#endif
