/* SPDX-License-Identifier: Apache-2.0 */
/* halo.h - moves parts of a tensor between devices that are neighbours along a dimension, in an sdy.manual_computation:
 * how sdy-resolve-permutation-factors implements ops that shift elements.
 *
 * Along each dimension a device receives as many parts from either side as any device needs (hops), concatenates them
 * with its own, pads both ends, and slices out the elements it needs. */
#ifndef TSR_SHARD_LOCAL_HALO_H
#define TSR_SHARD_LOCAL_HALO_H

#include "shard/reshard/explicit_reshards.h"
#include "shard/core/make.h"

/* The state of the pass. */
typedef struct {
    tsr_resharder *r;
    bool halo;                /* neighbours may exchange parts; else tensors are replicated */
    bool replicas;            /* devices are numbered as replicas */
    int64_t channel;          /* next free channel id */
    TSR_VEC(tsr_op *) meshes; /* all meshes of the module, including those created here */
} tsr_permuter;

/* One sharded dimension of the operand. */
typedef struct {
    int64_t want;        /* elements that a device needs, which is the size of the result's part */
    int64_t left, right; /* hops */
    bool moves;          /* some device needs elements of another */
    /* for a reshape: the axes that number target parts; NULL: the dimension's */
    const tsr_axes *along;
    /* for a reshape: the part in which each target begins, and the position in it */
    int64_t *sources;
    int64_t *offsets;
} tsr_halo_dim;

/* An exchange over all dimensions of one operand. */
typedef struct {
    const tsr_sharding *in, *out;
    int64_t *shape;     /* the operand's, padded so that parts are equal */
    bool *manual;       /* by axis of the mesh: bound by the computation */
    tsr_halo_dim *dims; /* by dimension of the operand; ignored if it is not sharded */
    int64_t *low;       /* padding in front, by dimension; negative: a slice starts there */
    int64_t *dilation;  /* interior padding plus one */
    bool zero;          /* the padding value is 0 */
} tsr_halo;

/* Processes the exchanged part before it is returned. */
typedef tsr_value *tsr_halo_fn(void *user, tsr_build *b, tsr_value *part, tsr_value *with,
                               tsr_type *type);

/* Plans a dimension: device t needs want elements from (t * want - low) / dilation on, out of size elements in parts of
 * part elements. False: too many hops, or numbers are too large. */
bool tsr_halo_plan(const tsr_mesh *mesh, int64_t parts, int64_t part, int64_t want, int64_t low,
                   int64_t dilation, int64_t size, tsr_halo_dim *out);
/* v has the padded shape; with: scalar to pad with; type: of the result, without padding. The returned value has type,
 * padded. */
tsr_value *tsr_halo_exchange(tsr_permuter *p, tsr_build *b, const tsr_halo *h, tsr_value *v,
                             tsr_value *with, tsr_type *type, tsr_halo_fn *finish, void *user);
/* Moves elements by[d] positions up along each dimension d; elements shifted in are unspecified. */
tsr_value *tsr_halo_shift(tsr_permuter *p, tsr_build *b, const tsr_sharding *a, const bool *manual,
                          tsr_value *v, const int64_t *by);

/* ---- Helpers that patterns share ---- */

/* v padded at the high end to the shape that sharding a needs; with: NULL for zeros. Returns v itself if nothing is
 * missing. */
tsr_value *tsr_pad_high(tsr_permuter *p, tsr_build *b, tsr_value *v, const int64_t *shape,
                        const tsr_sharding *a, tsr_value *with);
/* The inverse: cuts the padding off. */
tsr_value *tsr_cut_high(tsr_permuter *p, tsr_build *b, tsr_value *v, tsr_type *type,
                        const tsr_sharding *a);
tsr_value *tsr_make_zero(tsr_build *b, tsr_type *elem); /* a scalar; NULL: the type has no zero */
/* a without the bound axes, with sum as its reduction. */
const tsr_sharding *tsr_without_manual(tsr_permuter *p, const tsr_sharding *a, const bool *manual);
int64_t tsr_manual_parts(const tsr_axes *axes, const bool *manual);
void tsr_bind_axes(const tsr_axes *axes, bool *manual);
void tsr_set_sharding(tsr_permuter *p, tsr_value *v, const tsr_sharding *a);

/* A reshape's handler (permute_reshape.c). False after a diagnostic. */
bool tsr_permute_reshape(tsr_permuter *p, tsr_op *op);

#endif
