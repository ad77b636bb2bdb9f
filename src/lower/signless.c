/* SPDX-License-Identifier: Apache-2.0 */
/* signless.c - --stablehlo-convert-to-signless: makes signed and unsigned integers signless, in types of values, in
 * signatures of functions and in constants. Needs nothing; keeps bits, but not how ops interpret them; breaks
 * nothing. */
#include "dialect/dialect.h"
#include "lower/lower.h"
#include "lower/passes.h"

static tsr_type *signless(tsr_type *t)
{
    tsr_ctx *ctx = t->ctx;
    if (t->kind == TSR_TYPE_INTEGER)
        return t->sub == TSR_SIGNLESS ? t : tsr_type_integer(ctx, t->width, TSR_SIGNLESS);
    if (!tsr_type_is_shaped(t) || t->elem->kind != TSR_TYPE_INTEGER || t->elem->sub == TSR_SIGNLESS)
        return t;
    tsr_type *elem = signless(t->elem);
    switch (t->kind) {
    case TSR_TYPE_TENSOR: return tsr_type_tensor(ctx, t->dims, t->n, elem, t->attr);
    case TSR_TYPE_UNRANKED_TENSOR: return tsr_type_unranked_tensor(ctx, elem);
    case TSR_TYPE_VECTOR: return tsr_type_vector(ctx, t->dims, t->n, elem, t->attr);
    case TSR_TYPE_MEMREF: return tsr_type_memref(ctx, t->dims, t->n, elem, t->attr, t->space);
    default: return tsr_type_unranked_memref(ctx, elem, t->space);
    }
}

bool pass_stablehlo_convert_to_signless(tsr_pass *p, tsr_op *root)
{
    p->changed |= tsr_retype(root, signless);
    return true;
}
