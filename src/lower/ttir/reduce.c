/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - lowers stablehlo.reduce to TTIR: sums, products, extrema, logical and/or, argmax. */
#include "lower/ttir/ttir.h"

/* ---- Bodies ---- */

tsr_reduce_kind tsr_ttir_joins(const tsr_region *region, size_t n, size_t i)
{
    tsr_reducer r;
    if (!tsr_reducer_of(region, (uint32_t)n, (uint32_t)i, &r))
        return TSR_REDUCE_OTHER;
    const tsr_type *type = r.op->out[0].type;
    bool same = r.op->in[0].value->type == type && r.op->in[1].value->type == type;
    return same || r.truths ? r.kind : TSR_REDUCE_OTHER;
}

/* A binary op as a reduction: its neutral initial value, and the op that combines another one. */
typedef struct {
    enum tsr_opcode reduce, join;
    tsr_ttir_start start;
} reduction;

static const reduction *reduction_of(tsr_reduce_kind kind, const tsr_type *elem)
{
    static const reduction reductions[TSR_REDUCE__COUNT] = {
        [TSR_REDUCE_SUM] = {TSR_OP_TTIR_SUM, TSR_OP_TTIR_ADD, TSR_TTIR_ZERO},
        [TSR_REDUCE_PRODUCT] = {TSR_OP_TTIR_PROD, TSR_OP_TTIR_MULTIPLY, TSR_TTIR_ONE},
        [TSR_REDUCE_MAX] = {TSR_OP_TTIR_MAX, TSR_OP_TTIR_MAXIMUM, TSR_TTIR_LOWEST},
        [TSR_REDUCE_MIN] = {TSR_OP_TTIR_MIN, TSR_OP_TTIR_MINIMUM, TSR_TTIR_HIGHEST},
        [TSR_REDUCE_AND] = {TSR_OP_TTIR_REDUCE_AND, TSR_OP_TTIR_LOGICAL_AND, TSR_TTIR_ALL_BITS},
        [TSR_REDUCE_OR] = {TSR_OP_TTIR_REDUCE_OR, TSR_OP_TTIR_LOGICAL_OR, TSR_TTIR_ZERO},
    };
    bool truth = tsr_type_is_integer(elem, 1);
    const reduction *r = &reductions[truth ? tsr_reduce_of_truths(kind) : kind];
    return r->reduce && (truth || (kind != TSR_REDUCE_AND && kind != TSR_REDUCE_OR)) ? r : NULL;
}

static tsr_value *reduce_one(tsr_build *b, const reduction *r, tsr_value *x, tsr_value *init,
                             const int64_t *dims, size_t n)
{
    if (n)
        x = tsr_ttir_reduce(b, r->reduce, x, dims, n, false, NULL);
    if (!tsr_ttir_starts(init, r->start))
        x = tsr_ttir_binary(b, r->join, x, tsr_ttir_everywhere(b, init, x->type), NULL);
    return x;
}

/* ---- Argmax ---- */

bool tsr_ttir_counts(const tsr_value *v, int64_t dim)
{
    while (!v->is_arg) {
        const tsr_op *op = v->op;
        if (v->type->dims[dim] == 1)
            return tsr_op_is(op, TSR_OP_TTIR_ARANGE) || tsr_ttir_starts(v, TSR_TTIR_ZERO);
        if (tsr_op_is(op, TSR_OP_TTIR_ARANGE))
            return op->attrs[TTIR_ARANGE_start]->i == 0 && op->attrs[TTIR_ARANGE_step]->i == 1 &&
                   op->attrs[TTIR_ARANGE_arange_dimension]->i == dim;
        bool reshape = tsr_op_is(op, TSR_OP_TTIR_RESHAPE),
             cast = tsr_op_is(op, TSR_OP_TTIR_TYPECAST);
        if (!reshape && !cast && !tsr_op_is(op, TSR_OP_TTIR_BROADCAST))
            return false;
        const tsr_value *x = op->in[0].value;
        if (cast && (x->type->elem->kind != TSR_TYPE_INTEGER ||
                     v->type->elem->kind != TSR_TYPE_INTEGER || v->type->elem->width < 32))
            return false;
        if (reshape) { /* the dimension of the same size after equally many elements */
            int64_t before = 1, seen = 1, at = -1;
            for (int64_t i = 0; i < dim; i++)
                before *= v->type->dims[i];
            for (uint32_t i = 0; i < x->type->n && at < 0; i++) {
                if (seen == before && x->type->dims[i] == v->type->dims[dim])
                    at = i;
                seen *= x->type->dims[i];
            }
            if (at < 0)
                return false;
            dim = at;
        } else if (x->type->dims[dim] != v->type->dims[dim]) {
            return false;
        }
        v = x;
    }
    return false;
}

/* Bodies that keep the larger value and, of equal ones, the lower index: kinds of ops in order; the first
 * comparison. */
static const struct {
    const char *first; /* how the values are compared */
    uint16_t ops[10];
} argmax_bodies[] = {
    {"GE",
     {TSR_OP_STABLEHLO_COMPARE, TSR_OP_STABLEHLO_SELECT, TSR_OP_STABLEHLO_COMPARE,
      TSR_OP_STABLEHLO_MINIMUM, TSR_OP_STABLEHLO_SELECT, TSR_OP_STABLEHLO_SELECT}},
    {"GE",
     {TSR_OP_STABLEHLO_COMPARE, TSR_OP_STABLEHLO_MAXIMUM, TSR_OP_STABLEHLO_COMPARE,
      TSR_OP_STABLEHLO_MINIMUM, TSR_OP_STABLEHLO_SELECT, TSR_OP_STABLEHLO_SELECT}},
    {"GT",
     {TSR_OP_STABLEHLO_COMPARE, TSR_OP_STABLEHLO_COMPARE, TSR_OP_STABLEHLO_OR,
      TSR_OP_STABLEHLO_COMPARE, TSR_OP_STABLEHLO_COMPARE, TSR_OP_STABLEHLO_AND, TSR_OP_STABLEHLO_OR,
      TSR_OP_STABLEHLO_SELECT, TSR_OP_STABLEHLO_SELECT}},
    {"GT",
     {TSR_OP_STABLEHLO_COMPARE, TSR_OP_STABLEHLO_COMPARE, TSR_OP_STABLEHLO_COMPARE,
      TSR_OP_STABLEHLO_AND, TSR_OP_STABLEHLO_OR, TSR_OP_STABLEHLO_SELECT, TSR_OP_STABLEHLO_SELECT}},
    {"GT",
     {TSR_OP_STABLEHLO_COMPARE, TSR_OP_STABLEHLO_COMPARE, TSR_OP_STABLEHLO_COMPARE,
      TSR_OP_STABLEHLO_AND, TSR_OP_STABLEHLO_OR, TSR_OP_STABLEHLO_MAXIMUM,
      TSR_OP_STABLEHLO_SELECT}},
};

static bool is_argmax_body(const tsr_op *op)
{
    const tsr_block *body = op->regions[0].first;
    const tsr_op *first = body ? body->first : NULL;
    if (!first || body->next || body->nargs != 4 || !tsr_op_is(first, TSR_OP_STABLEHLO_COMPARE) ||
        first->in[0].value != body->args[0] || first->in[1].value != body->args[2])
        return false;
    const tsr_attr *how = tsr_attr_of(first, STABLEHLO_COMPARE_comparison_direction);
    for (size_t k = 0; k < TSR_COUNT(argmax_bodies); k++) {
        const tsr_op *at = first;
        size_t i = 0;
        while (at && argmax_bodies[k].ops[i] && tsr_op_is(at, argmax_bodies[k].ops[i]))
            at = at->next, i++;
        if (!argmax_bodies[k].ops[i] && at && tsr_op_is(at, TSR_OP_STABLEHLO_RETURN) &&
            at->nin == 2 && strcmp(how->def->cases[how->i], argmax_bodies[k].first) == 0)
            return true;
    }
    return false;
}

static bool argmax(tsr_build *b, tsr_op *op, const int64_t *dims, size_t n, tsr_value **out)
{
    if (op->nin != 4 || n != 1 || !tsr_ttir_counts(op->in[1].value, dims[0]) ||
        !tsr_ttir_starts(op->in[2].value, TSR_TTIR_LOWEST) ||
        !tsr_ttir_starts(op->in[3].value, TSR_TTIR_ZERO) || !is_argmax_body(op))
        return false;
    tsr_value *x = op->in[0].value;
    if (op->out[0].uses)
        out[0] = tsr_ttir_reduce(b, TSR_OP_TTIR_MAX, x, dims, n, false, NULL);
    out[1] = tsr_ttir_reduce(b, TSR_OP_TTIR_ARGMAX, x, dims, n, false, op->out[1].type->elem);
    return true;
}

/* ---- The op ---- */

bool ttir_reduce(tsr_build *b, tsr_op *op, tsr_value **out)
{
    const tsr_attr *over = tsr_attr_of(op, STABLEHLO_REDUCE_dimensions);
    int64_t dims[TSR_TTIR_RANK];
    size_t n = (size_t)tsr_attr_count(over), k = op->nout;
    if (!tsr_ttir_static(op) || !k || op->nin != 2 * k || n > TSR_TTIR_RANK)
        return false;
    tsr_ttir_numbers(over, 0, n, dims);
    for (size_t i = 0; i < n; i++) /* nothing to reduce: TTIR does not define the result */
        if (op->in[0].value->type->dims[dims[i]] == 0)
            return false;
    if (argmax(b, op, dims, n, out))
        return true;
    for (size_t i = 0; i < k; i++) {
        tsr_value *x = op->in[i].value, *init = op->in[k + i].value;
        const tsr_type *inner = op->regions[0].first ? op->regions[0].first->args[i]->type : NULL;
        const reduction *r = reduction_of(tsr_ttir_joins(&op->regions[0], k, i), x->type->elem);
        if (!r || !inner || inner->elem != x->type->elem || init->type->elem != x->type->elem)
            return false;
        out[i] = reduce_one(b, r, x, init, dims, n);
        if (out[i]->type != op->out[i].type)
            return false;
    }
    return true;
}
