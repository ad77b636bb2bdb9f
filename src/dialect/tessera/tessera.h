/* SPDX-License-Identifier: Apache-2.0 */
/* tessera.h - Graph IR: inferred types, and the meaning of an op's attributes. */
#ifndef TSR_DIALECT_TESSERA_TESSERA_H
#define TSR_DIALECT_TESSERA_TESSERA_H

#include "dialect/stablehlo/types.h"

/* ---- Types (types.c) ---- */

/* A dimension: its size, or TSR_DYNAMIC and perhaps a name (a string; NULL: none). Equal names mean equal sizes. */
typedef struct {
    int64_t size;
    tsr_attr *name;
} tsr_tessera_dim;
typedef TSR_VEC(tsr_tessera_dim) tsr_tessera_dims;

tsr_tessera_dim tsr_tessera_dim_of(const tsr_type *t, size_t i);
/* A ranked tensor type; names of dynamic dimensions become its encoding. */
tsr_type *tsr_tessera_tensor(const tsr_tessera_dim *dims, size_t n, tsr_type *elem);
/* The type without names of dimensions; itself if it has none. */
tsr_type *tsr_tessera_plain(tsr_type *t);
/* The common size of two dimensions that broadcast; false if they do not. */
bool tsr_tessera_broadcast_dim(tsr_tessera_dim a, tsr_tessera_dim b, tsr_tessera_dim *out);
/* What is known of two dimensions that must be equal; false if they are not. */
bool tsr_tessera_same_dim(tsr_tessera_dim a, tsr_tessera_dim b, tsr_tessera_dim *out);
/* The element type that represents values of both; NULL if there is none. */
tsr_type *tsr_tessera_promote(tsr_type *a, tsr_type *b);
/* Whether a result inferred as a may be written as b: equally or less specific. */
bool tsr_tessera_agree(tsr_agreement how, const tsr_type *a, const tsr_type *b);
bool tsr_tessera_is_token(const tsr_type *t);
/* Encodings of tensors: names of dimensions, and StableHLO's. */
bool tsr_tessera_verify_encoding(tsr_loc loc, const tsr_type *tensor, const tsr_attr *encoding);

/* ---- Attributes (attrs.c) ---- */

typedef enum {
    TSR_TESSERA_SUM,
    TSR_TESSERA_MEAN,
    TSR_TESSERA_MAX,
    TSR_TESSERA_MIN,
    TSR_TESSERA_PROD,
    TSR_TESSERA_NO_KIND
} tsr_tessera_kind;
tsr_tessera_kind tsr_tessera_kind_of(const tsr_attr *kind); /* a string; NULL: sum */
/* The only op in the body of a stablehlo.reduce of one tensor, which combines its two arguments; NULL: another body. */
const tsr_op *tsr_tessera_reducer(const tsr_op *op);
/* The StableHLO op that combines two elements for the kind; a mean is a sum here. */
uint16_t tsr_tessera_join(tsr_tessera_kind kind);
/* The column HLO_AS of op's row; 0: it has none. */
uint16_t tsr_tessera_as(const tsr_op *op);
/* The kind of a reduction of floats by this op, if start is its neutral element; TSR_TESSERA_NO_KIND: another one. */
tsr_tessera_kind tsr_tessera_kind_by(const tsr_op *body, double start);
/* Values of slots, and their defaults if absent. None of these creates an attribute. */
static inline bool tsr_tessera_flag(const tsr_op *op, int slot)
{
    return op->attrs[slot] && op->attrs[slot]->i;
}
static inline int64_t tsr_tessera_int(const tsr_op *op, int slot, int64_t otherwise)
{
    return op->attrs[slot] ? op->attrs[slot]->i : otherwise;
}
double tsr_tessera_number(const tsr_attr *a, double otherwise); /* of a float attribute */
double tsr_tessera_eps(const tsr_op *op);                       /* of the two norms */
bool tsr_tessera_gelu_tanh(const tsr_op *op);
bool tsr_tessera_safe(const tsr_op *op); /* of flash_attention: a query that sees no key gives 0 */
/* A dimension that may be counted from the end; -1 if it does not exist. */
int64_t tsr_tessera_axis(int64_t axis, size_t rank);
/* Element i of a transpose's permutation, also if it is not written (the last two are swapped). */
int64_t tsr_tessera_perm(const tsr_op *op, size_t rank, size_t i);
/* Whether a reduce reduces dimension i of rank ones; without a list it reduces all. */
bool tsr_tessera_reduces(const tsr_op *op, size_t rank, size_t i);
/* How many operands come before the tokens. */
uint32_t tsr_tessera_values(const tsr_op *op);

/* ---- Collectives (collective.c) ---- */

typedef enum {
    TSR_COLL_ALL_REDUCE,
    TSR_COLL_ALL_GATHER,
    TSR_COLL_REDUCE_SCATTER,
    TSR_COLL_ALL_TO_ALL,
    TSR_COLL_BROADCAST,
    TSR_COLL_PERMUTE,
    TSR_COLL_NONE
} tsr_coll_kind;

/* What a collective does, whichever op it is. */
typedef struct {
    tsr_coll_kind kind;
    tsr_tessera_kind reduction;
    int64_t dim, to_dim;
    tsr_attr *mesh, *group, *devices, *sharding; /* as written; NULL: absent */
} tsr_coll;

bool tsr_coll_of(const tsr_op *op, tsr_coll *out); /* false: op is not a collective */
bool tsr_tessera_has_axis(const tsr_attr *mesh, tsr_str name);
/* The mesh (#sdy.mesh) that a symbol refers to, seen from op: of a tessera.mesh or an sdy.mesh; NULL: none. groups: its
 * dictionary of groups, or NULL. */
tsr_attr *tsr_tessera_mesh(const tsr_op *op, const tsr_attr *symbol, tsr_attr **groups);
/* Rows of devices, flattened, *size each; false without a diagnostic if the op does not specify them, or refers to
 * something that does not exist. */
bool tsr_coll_devices(const tsr_op *op, const tsr_coll *c, tsr_i64_vec *out, size_t *size);
/* The same for axes (sdy axis_ref[]) of a mesh, major first. */
bool tsr_tessera_axes_devices(const tsr_attr *mesh, const tsr_attr *axes, tsr_i64_vec *out,
                              size_t *size);
/* Sets the attribute of this name of a collective, which must have it. */
void tsr_tessera_set(tsr_op *op, const char *name, tsr_attr *value);
/* dense<[[...]]> of such rows. */
tsr_attr *tsr_tessera_devices_attr(tsr_ctx *ctx, tsr_module *m, const tsr_i64_vec *devices,
                                   size_t size);

#endif
