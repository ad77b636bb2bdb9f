/* import.h - what the two halves of tessera-import-gspmd share: shardings (gspmd/import.c) and
 * manual computations (gspmd/manual.c). */
#ifndef TSR_SHARD_GSPMD_IMPORT_H
#define TSR_SHARD_GSPMD_IMPORT_H

#include "pass/pass.h"
#include "shard/gspmd/gspmd.h"

/* A string that was read. */
typedef struct {
    const tsr_attr *text;
    tsr_gspmd_vec all;
    bool tuple;
} tsr_gspmd_text;

/* Where a sharding is, found once. */
typedef struct {
    const tsr_gspmd *sharding;
    tsr_gspmd_place at;
    bool ok;
} tsr_gspmd_placed;

/* The mesh of one device that is named alone. */
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

/* A dimension's bit: others may shard it further. */
typedef uint64_t tsr_gspmd_open;

/* What a custom call says: its target, when it is one of GSPMD's. */
bool tsr_gspmd_is(const tsr_op *op, const char *target);
/* The one sharding in the op's mhlo.sharding; NULL: none, or several. */
const tsr_gspmd *tsr_gspmd_of(tsr_gspmd_import *im, const tsr_op *op);
/* That of a function's argument; NULL: none, or it is another block's. */
const tsr_gspmd *tsr_gspmd_of_arg(tsr_gspmd_import *im, const tsr_value *arg);
/* unspecified_dims=[0,1] of a custom call. False after a diagnostic. */
bool tsr_gspmd_open_dims(const tsr_op *op, tsr_gspmd_open *out);

/* The sharding of Shardy for a tensor of this rank, without manual axes. mesh: where s says
 * nothing about axes, the mesh that it is to be on. *out is NULL when s says nothing. False after a
 * diagnostic at op. */
bool tsr_gspmd_convert(tsr_gspmd_import *im, const tsr_op *op, const tsr_gspmd *s, int64_t rank,
                       tsr_gspmd_open open, uint32_t mesh, tsr_attr **out);
/* The mesh of s, and its manual axes, a bit each; *mesh stays as it is when s names no axes. */
bool tsr_gspmd_manual_axes(tsr_gspmd_import *im, const tsr_op *op, const tsr_gspmd *s,
                           uint32_t *mesh, uint64_t *axes);

/* Shardings of Shardy in strings (gspmd/strings.c); false after a diagnostic. */
bool tsr_has_sdy_strings(tsr_op *root);
bool tsr_import_sdy_strings(tsr_pass *p, tsr_op *root);
/* Custom calls that are barriers of propagation and members of groups of shardings; and only these become ops. */
bool tsr_is_sdy_hint(const tsr_op *op);
bool tsr_import_sdy_hints(tsr_pass *p, tsr_op *root);

/* Ops between @SPMDFullToShardShape and @SPMDShardToFullShape become manual computations. */
bool tsr_gspmd_manual(tsr_gspmd_import *im);

#endif
