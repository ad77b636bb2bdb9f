/* SPDX-License-Identifier: Apache-2.0 */
/* attrs.c - the meaning of the attributes of Graph IR's ops. */
#include <math.h>

#include "dialect/hooks.h"
#include "dialect/reducer.h"
#include "dialect/kinds.h"
#include "dialect/tessera/tessera.h"

/* ---- Constraints ---- */

static const char *const kinds[] = {"sum", "mean", "max", "min", "prod"};

tsr_tessera_kind tsr_tessera_kind_of(const tsr_attr *kind)
{
    if (!kind)
        return TSR_TESSERA_SUM;
    for (size_t i = 0; i < TSR_COUNT(kinds); i++)
        if (tsr_str_is(kind->s, kinds[i]))
            return (tsr_tessera_kind)i;
    return TSR_TESSERA_NO_KIND;
}

static const struct {
    tsr_reduce_kind reduce;
    double start;
} reducers[] = {[TSR_TESSERA_SUM] = {TSR_REDUCE_SUM, 0},
                [TSR_TESSERA_MEAN] = {TSR_REDUCE_SUM, NAN},
                [TSR_TESSERA_MAX] = {TSR_REDUCE_MAX, -INFINITY},
                [TSR_TESSERA_MIN] = {TSR_REDUCE_MIN, INFINITY},
                [TSR_TESSERA_PROD] = {TSR_REDUCE_PRODUCT, 1}};

uint16_t tsr_tessera_join(tsr_tessera_kind kind)
{
    return kind < TSR_COUNT(reducers) ? (uint16_t)tsr_reduce_opcode(reducers[kind].reduce) : 0;
}

uint16_t tsr_tessera_as(const tsr_op *op)
{
    return op->def->dialect == TSR_DIALECT_TESSERA ? tsr_kinds_of(op).as : 0;
}

const tsr_op *tsr_tessera_reducer(const tsr_op *op)
{
    tsr_reducer r;
    return tsr_op_is(op, TSR_OP_STABLEHLO_REDUCE) && op->nin == 2 &&
                   tsr_reducer_of(&op->regions[0], 1, 0, &r) && r.alone
               ? r.op
               : NULL;
}

tsr_tessera_kind tsr_tessera_kind_by(const tsr_op *body, double start)
{
    tsr_reduce_kind kind = tsr_reduce_kind_of(body->def->opcode);
    for (size_t i = 0; i < TSR_COUNT(reducers); i++)
        if (kind == reducers[i].reduce && start == reducers[i].start)
            return (tsr_tessera_kind)i;
    return TSR_TESSERA_NO_KIND;
}

bool attr_ok_tessera_reduction(const tsr_attr *a)
{
    return tsr_tessera_kind_of(a) != TSR_TESSERA_NO_KIND;
}

/* A string, or strings. */
bool attr_ok_tessera_group(const tsr_attr *a)
{
    if (a->kind != TSR_ATTR_ARRAY)
        return a->kind == TSR_ATTR_STRING;
    for (uint32_t i = 0; i < a->n; i++)
        if (!tsr_attr_is(a->attrs[i], TSR_ATTR_STRING))
            return false;
    return true;
}

bool attr_ok_tessera_devices(const tsr_attr *a)
{
    return a->kind == TSR_ATTR_DENSE && a->type->n == 2 && tsr_type_is_integer(a->type->elem, 64);
}

/* ---- Values ---- */

double tsr_tessera_number(const tsr_attr *a, double otherwise)
{
    return tsr_attr_is(a, TSR_ATTR_FLOAT)
               ? tsr_float_to_double((tsr_float_kind)a->type->sub, (uint64_t)a->i)
               : otherwise;
}

double tsr_tessera_eps(const tsr_op *op)
{
    /* Both rows have it in the same slot. */
    _Static_assert((int)TESSERA_LAYER_NORM_eps == (int)TESSERA_RMS_NORM_eps,
                   "norms have their eps in one slot");
    return tsr_tessera_number(tsr_attr_of(op, TESSERA_LAYER_NORM_eps), 1e-5);
}

bool tsr_tessera_gelu_tanh(const tsr_op *op)
{
    const tsr_attr *a =
        tsr_op_is(op, TSR_OP_TESSERA_GELU) ? tsr_attr_of(op, TESSERA_GELU_approximate) : NULL;
    return a && tsr_str_is(a->s, "tanh");
}

bool tsr_tessera_safe(const tsr_op *op)
{
    return tsr_tessera_int(op, TESSERA_FLASH_ATTENTION_safe, true) != 0;
}

int64_t tsr_tessera_axis(int64_t axis, size_t rank)
{
    int64_t n = (int64_t)rank;
    return axis < -n || axis >= n ? -1 : axis < 0 ? axis + n : axis;
}

int64_t tsr_tessera_perm(const tsr_op *op, size_t rank, size_t i)
{
    const tsr_attr *perm = tsr_attr_of(op, TESSERA_TRANSPOSE_permutation);
    if (perm)
        return i < tsr_hlo_len(perm) ? tsr_hlo_at(perm, i) : -1;
    return (int64_t)(rank < 2 || i + 2 < rank ? i : i + 2 == rank ? rank - 1 : rank - 2);
}

bool tsr_tessera_reduces(const tsr_op *op, size_t rank, size_t i)
{
    const tsr_attr *axes = tsr_attr_of(op, TESSERA_REDUCE_axes);
    for (size_t k = 0; k < tsr_hlo_len(axes); k++)
        if (tsr_tessera_axis(tsr_hlo_at(axes, k), rank) == (int64_t)i)
            return true;
    return !axes;
}

uint32_t tsr_tessera_values(const tsr_op *op)
{
    uint32_t n = 0;
    while (n < op->nin && !tsr_tessera_is_token(op->in[n].value->type))
        n++;
    return n;
}
