/* halo.h - parts of a tensor move between devices that are neighbours along a dimension, written as
 * an sdy.manual_computation: what sdy-resolve-permutation-factors makes of ops that shift elements.
 *
 * Along each dimension a device gets as many parts from either side as anyone needs (hops), lines
 * them up with its own, pads both ends, and slices what it wants out of that. */
#ifndef TSR_SHARD_LOCAL_HALO_H
#define TSR_SHARD_LOCAL_HALO_H

#include "shard/reshard/explicit_reshards.h"
#include "shard/core/make.h"

/* The pass while it runs. */
typedef struct {
    tsr_resharder *r;
    bool halo;                /* neighbours may exchange parts; else tensors are replicated */
    bool replicas;            /* devices are numbered as replicas */
    int64_t channel;          /* the next free one */
    TSR_VEC(tsr_op *) meshes; /* of the module, those that were made here included */
} tsr_permuter;

/* One sharded dimension of the operand. */
typedef struct {
    int64_t want;        /* elements that a device needs; the result's part has as many */
    int64_t left, right; /* hops */
    bool moves;          /* some device needs what another has */
    const tsr_axes
        *along;       /* of a reshape: the axes that number target parts; NULL: the dimension's */
    int64_t *sources; /* of a reshape: which part each target begins in, and where in it */
    int64_t *offsets;
} tsr_halo_dim;

/* An exchange over all dimensions of one operand. */
typedef struct {
    const tsr_sharding *in, *out;
    int64_t *shape;     /* the operand's, padded so that parts are equal */
    bool *manual;       /* by axis of the mesh: bound by the computation */
    tsr_halo_dim *dims; /* by dimension of the operand; those that are not sharded count not */
    int64_t *low;       /* padding in front, by dimension; negative: a slice starts there */
    int64_t *dilation;  /* interior padding and one */
    bool zero;          /* what is padded with is 0 */
} tsr_halo;

/* What happens to the exchanged part before it is returned. */
typedef tsr_value *tsr_halo_fn(void *user, tsr_build *b, tsr_value *part, tsr_value *with,
                               tsr_type *type);

/* Fills in a dimension: device t needs want elements from (t * want - low) / dilation on, of size
 * elements in parts of part. False: too many hops, or numbers that are too large. */
bool tsr_halo_plan(const tsr_mesh *mesh, int64_t parts, int64_t part, int64_t want, int64_t low,
                   int64_t dilation, int64_t size, tsr_halo_dim *out);
/* v has the padded shape; with: a scalar to pad with; type: of the result, not padded. The value has
 * type, padded. */
tsr_value *tsr_halo_exchange(tsr_permuter *p, tsr_build *b, const tsr_halo *h, tsr_value *v,
                             tsr_value *with, tsr_type *type, tsr_halo_fn *finish, void *user);
/* Moves elements by[d] places up along each dimension d, what comes in being unspecified. */
tsr_value *tsr_halo_shift(tsr_permuter *p, tsr_build *b, const tsr_sharding *a, const bool *manual,
                          tsr_value *v, const int64_t *by);

/* ---- Parts that patterns share ---- */

/* v with more elements at the ends, sharded as a; with: NULL for zeros. v itself when it has them. */
tsr_value *tsr_pad_high(tsr_permuter *p, tsr_build *b, tsr_value *v, const int64_t *shape,
                        const tsr_sharding *a, tsr_value *with);
/* And without them. */
tsr_value *tsr_cut_high(tsr_permuter *p, tsr_build *b, tsr_value *v, tsr_type *type,
                        const tsr_sharding *a);
tsr_value *tsr_make_zero(tsr_build *b, tsr_type *elem); /* a scalar; NULL: it has none */
/* a without the axes that are bound, in order of reduction sum. */
const tsr_sharding *tsr_without_manual(tsr_permuter *p, const tsr_sharding *a, const bool *manual);
int64_t tsr_manual_parts(const tsr_axes *axes, const bool *manual);
void tsr_bind_axes(const tsr_axes *axes, bool *manual);
void tsr_set_sharding(tsr_permuter *p, tsr_value *v, const tsr_sharding *a);

/* A reshape's handler (permute_reshape.c). False after a diagnostic. */
bool tsr_permute_reshape(tsr_permuter *p, tsr_op *op);

#endif
