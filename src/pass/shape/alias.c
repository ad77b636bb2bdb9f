/* SPDX-License-Identifier: Apache-2.0 */
/* alias.c - custom calls whose attribute output_operand_aliases says which results alias which operands: an operand and
 * its result, or elements of them that are tuples, keep one type while types are refined. */
#include "pass/shape/refine.h"

/* t with another type at the end of indices, from i on. */
static tsr_type *with_part(tsr_type *t, const tsr_attr *indices, size_t i, tsr_type *part)
{
    if (i == tsr_hlo_len(indices))
        return part;
    tsr_type_vec members = {0};
    for (uint32_t k = 0; k < t->n; k++)
        tsr_vec_push(&members, k == tsr_hlo_at(indices, i)
                                   ? with_part(t->types[k], indices, i + 1, part)
                                   : t->types[k]);
    t = tsr_type_tuple(t->ctx, members.data, members.n);
    tsr_vec_free(&members);
    return t;
}

/* The refined type of an aliased operand that is also known to have this type. Arguments keep the type that callers
 * know. */
static tsr_type *refine_operand(tsr_rewriter *r, tsr_op *op, tsr_attr *const *alias, tsr_type *type)
{
    tsr_value *v = tsr_rw_in(op, (size_t)alias[TSR_ALIAS_operand]->i);
    if (tsr_hlo_len(alias[TSR_ALIAS_operand_part]) == 0 && !v->is_arg && v->type != type)
        tsr_refine_values(r, op, &v, &type, 1);
    return tsr_hlo_tuple_part(v->type, alias[TSR_ALIAS_operand_part]);
}

/* Several results count as one tuple. */
void tsr_alias_agree(tsr_rewriter *r, tsr_op *op, tsr_type **types)
{
    const tsr_attr *aliases = tsr_hlo_aliases_of(op);
    if (!aliases || !op->nout)
        return;
    tsr_type *all = op->nout == 1 ? types[0] : tsr_type_tuple(r->ctx, types, op->nout);
    for (uint32_t i = 0; i < aliases->n; i++) {
        tsr_attr *const *alias = aliases->attrs[i]->attrs, *output = alias[TSR_ALIAS_output];
        tsr_type *result = tsr_hlo_tuple_part(all, output), *operand;
        operand = tsr_hlo_tuple_part(tsr_rw_in(op, (size_t)alias[TSR_ALIAS_operand]->i)->type,
                                     alias[TSR_ALIAS_operand_part]);
        tsr_type *both = result && operand ? tsr_type_both(op, result, operand) : NULL;
        if (both)
            all = with_part(all, output, 0, refine_operand(r, op, alias, both));
    }
    for (uint32_t i = 0; i < op->nout; i++)
        types[i] = op->nout == 1 ? all : all->types[i];
}

/* Results that alias operands have their types. */
bool rule_refine_aliases(tsr_rewriter *r, tsr_op *op)
{
    if (!tsr_hlo_aliases_of(op))
        return false;
    tsr_type **types = TSR_NEW_ARRAY(r->p->scratch, tsr_type *, op->nout + 1);
    for (uint32_t i = 0; i < op->nout; i++)
        types[i] = op->out[i].type;
    tsr_alias_agree(r, op, types);
    return tsr_refine_results(r, op, types, op->nout);
}

const tsr_value *tsr_alias_next(const tsr_use *use, uint32_t *at)
{
    const tsr_op *op = use->user;
    const tsr_attr *aliases =
        tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL) ? tsr_hlo_aliases_of(op) : NULL;
    while (aliases && op->nout && *at < aliases->n) {
        tsr_attr *const *alias = aliases->attrs[(*at)++]->attrs;
        if (alias[TSR_ALIAS_operand]->i == use - op->in)
            return &op->out[op->nout > 1 ? tsr_hlo_at(alias[TSR_ALIAS_output], 0) : 0];
    }
    return NULL;
}
