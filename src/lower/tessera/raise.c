/* SPDX-License-Identifier: Apache-2.0 */
/* raise.c - --stablehlo-to-tessera: raises layers and ops of StableHLO to Graph IR where a pattern matches; the others
 * stay.
 *
 * --tessera-raise runs first and raises layers. Then single ops are raised by the table; products, reductions and
 * broadcasts if Graph IR's forms can express them; relu from its parts. A block is visited from its end to its start,
 * so that a pattern is tried before its parts. Needs nothing; breaks ids. */
#include "dialect/stablehlo/ops.h"
#include "dialect/tessera/tessera.h"
#include "lower/passes.h"

/* The Graph IR op for each StableHLO opcode: the inverse of the column HLO_AS, and two whose types differ. */
static const uint16_t *plain_ops(tsr_pass *p)
{
    uint16_t *plain = TSR_NEW_ARRAY(p->scratch, uint16_t, TSR_OP__COUNT);
    for (int i = 0; i < TSR_OP__COUNT; i++) {
        uint16_t as = tsr_tessera_as(&(tsr_op){.def = tsr_opdef_of(p->ctx, (enum tsr_opcode)i)});
        if (as)
            plain[as] = (uint16_t)i;
    }
    plain[TSR_OP_STABLEHLO_CONVERT] = TSR_OP_TESSERA_CAST;
    plain[TSR_OP_STABLEHLO_RESHAPE] = TSR_OP_TESSERA_RESHAPE;
    return plain;
}

static tsr_op *def_of(const tsr_value *v, uint16_t opcode)
{
    return !v->is_arg && tsr_op_is(v->op, opcode) ? v->op : NULL;
}

static bool is_float(const tsr_type *t)
{
    return t->elem->kind == TSR_TYPE_FLOAT;
}

/* ---- Making ---- */

static tsr_op *make(tsr_op *at, enum tsr_opcode opcode, tsr_value *const *in, size_t nin)
{
    return tsr_op_new(at->module, tsr_opdef_of(at->module->ctx, opcode), at->loc, in, nin,
                      &at->out[0].type, 1, 0, 0);
}

static bool put(tsr_op *op, tsr_op *made)
{
    made->extra = op->extra;
    tsr_op_insert(made, op->block, op);
    tsr_value_replace(&op->out[0], &made->out[0]);
    tsr_op_erase(op);
    return true;
}

/* ---- Broadcasts ---- */

/* Whether the operand's dimensions are at the end of the result. */
static bool at_the_end(const tsr_op *op)
{
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions);
    uint32_t n = tsr_hlo_in(op, 0)->n, rank = op->out[0].type->n;
    for (uint32_t i = 0; i < n; i++)
        if (tsr_hlo_at(dims, i) != (int64_t)rank - n + i)
            return false;
    return true;
}

/* Whether nothing is repeated and no dimension moves: only dimensions of size 1 are added. */
static bool adds_ones(const tsr_op *op)
{
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions);
    for (uint32_t i = 1; i < tsr_hlo_in(op, 0)->n; i++)
        if (tsr_hlo_at(dims, i) < tsr_hlo_at(dims, i - 1))
            return false;
    return tsr_type_num_elements(tsr_hlo_in(op, 0)) == tsr_type_num_elements(op->out[0].type);
}

/* The operand of an elementwise op, without a broadcast that the op does implicitly. */
static tsr_value *unbroadcast(tsr_value *v)
{
    const tsr_op *b = def_of(v, TSR_OP_STABLEHLO_BROADCAST_IN_DIM);
    return b && at_the_end(b) && tsr_type_has_static_shape(v->type) ? b->in[0].value : v;
}

/* ---- Constants ---- */

/* The number that all elements of v equal. */
static bool splat(const tsr_value *v, double *out)
{
    const tsr_op *b = def_of(v, TSR_OP_STABLEHLO_BROADCAST_IN_DIM);
    const tsr_op *c = def_of(b ? b->in[0].value : v, TSR_OP_STABLEHLO_CONSTANT);
    const tsr_attr *a = c ? tsr_attr_of(c, STABLEHLO_CONSTANT_value) : NULL;
    if (!tsr_attr_is(a, TSR_ATTR_DENSE) || a->sub != 1 || !is_float(a->type))
        return false;
    uint64_t bits = 0;
    for (size_t i = 0; i < a->s.len && i < 8; i++)
        bits |= (uint64_t)(uint8_t)a->s.data[i] << 8 * i;
    *out = tsr_float_to_double((tsr_float_kind)a->type->elem->sub, bits);
    return true;
}

/* ---- Reductions ---- */

static const char *const kind_words[] = {[TSR_TESSERA_SUM] = "sum",
                                         [TSR_TESSERA_MAX] = "max",
                                         [TSR_TESSERA_MIN] = "min",
                                         [TSR_TESSERA_PROD] = "prod"};

static tsr_tessera_kind reduction(const tsr_op *op)
{
    const tsr_op *body = tsr_tessera_reducer(op);
    double start;
    return body && splat(op->in[1].value, &start) ? tsr_tessera_kind_by(body, start)
                                                  : TSR_TESSERA_NO_KIND;
}

static bool raise_reduce(tsr_op *op)
{
    tsr_tessera_kind kind = reduction(op);
    /* Graph IR sums narrow floats without rounding in between; for f32 and f64 the precision is the same. */
    if (kind == TSR_TESSERA_NO_KIND || tsr_hlo_in(op, 0)->elem->width < 32)
        return false;
    tsr_value *x = op->in[0].value;
    tsr_op *made = make(op, TSR_OP_TESSERA_REDUCE, &x, 1);
    made->attrs[TESSERA_REDUCE_kind] = tsr_attr_string(op->module->ctx, tsr_cstr(kind_words[kind]));
    made->attrs[TESSERA_REDUCE_axes] = tsr_attr_of(op, STABLEHLO_REDUCE_dimensions);
    return put(op, made);
}

/* ---- Products ---- */

static bool raise_dot(tsr_op *op)
{
    tsr_dot d;
    tsr_dot_of(op, &d);
    const tsr_type *l = tsr_hlo_in(op, 0), *r = tsr_hlo_in(op, 1);
    size_t batch = d.batch[0].n;
    if (l->n < 2 || r->n < 2 || tsr_attr_of(op, STABLEHLO_DOT_GENERAL_algorithm) ||
        l->elem != r->elem || l->elem != op->out[0].type->elem || d.contract[0].n != 1 ||
        tsr_ints_at(d.contract[0], 0) != l->n - 1 || !tsr_ints_count_from(d.batch[0], 0) ||
        !tsr_ints_count_from(d.batch[1], 0) || r->n != batch + 2 || (batch && l->n != batch + 2))
        return false;
    int64_t inner = tsr_ints_at(d.contract[1], 0);
    if (inner != r->n - 1 && inner != r->n - 2)
        return false;
    for (size_t i = 0; i < batch; i++) /* a size that is 1 at run time would be broadcast */
        if (l->dims[i] == TSR_DYNAMIC || r->dims[i] == TSR_DYNAMIC)
            return false;
    const tsr_attr *precision = tsr_attr_of(op, STABLEHLO_DOT_GENERAL_precision_config);
    for (uint32_t i = 0; precision && i < precision->n; i++)
        if (precision->attrs[i]->i != 0)
            return false;
    tsr_value *in[] = {op->in[0].value, op->in[1].value};
    tsr_op *made = make(op, TSR_OP_TESSERA_MATMUL, in, 2);
    if (inner == r->n - 1)
        made->attrs[TESSERA_MATMUL_rhs_transpose] = tsr_attr_bool(op->module->ctx, true);
    return put(op, made);
}

/* ---- Patterns ---- */

static bool raise_relu(tsr_op *op)
{
    for (int i = 0; i < 2; i++) {
        double zero;
        tsr_value *x = op->in[1 - i].value;
        if (splat(op->in[i].value, &zero) && zero == 0)
            return put(op, make(op, TSR_OP_TESSERA_RELU, &x, 1));
    }
    return false;
}

static bool raise_other(tsr_op *op)
{
    tsr_value *x = op->nin ? op->in[0].value : NULL;
    tsr_op *made;
    switch (op->def->opcode) {
    case TSR_OP_STABLEHLO_DOT_GENERAL: return raise_dot(op);
    case TSR_OP_STABLEHLO_REDUCE: return raise_reduce(op);
    case TSR_OP_STABLEHLO_TRANSPOSE:
        made = make(op, TSR_OP_TESSERA_TRANSPOSE, &x, 1);
        made->attrs[TESSERA_TRANSPOSE_permutation] =
            tsr_attr_of(op, STABLEHLO_TRANSPOSE_permutation);
        return put(op, made);
    case TSR_OP_STABLEHLO_BROADCAST_IN_DIM:
        if (!tsr_type_has_static_shape(op->out[0].type))
            return false;
        if (at_the_end(op))
            return put(op, make(op, TSR_OP_TESSERA_BROADCAST, &x, 1));
        return adds_ones(op) && put(op, make(op, TSR_OP_TESSERA_RESHAPE, &x, 1));
    case TSR_OP_STABLEHLO_CONSTANT:
        if (tsr_attr_of(op, STABLEHLO_CONSTANT_value)->type != op->out[0].type)
            return false;
        made = make(op, TSR_OP_TESSERA_CONSTANT, NULL, 0);
        made->attrs[TESSERA_CONSTANT_value] = tsr_attr_of(op, STABLEHLO_CONSTANT_value);
        return put(op, made);
    default: return false;
    }
}

/* ---- Ops ---- */

static bool numbers_only(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin + op->nout; i++) {
        const tsr_type *t = i < op->nin ? op->in[i].value->type : op->out[i - op->nin].type;
        if (t->kind != TSR_TYPE_TENSOR || !tsr_is_number(t->elem) || t->attr)
            return false;
    }
    return op->nout == 1;
}

static bool raise_plain(tsr_op *op, enum tsr_opcode to)
{
    const tsr_opdef *def = tsr_opdef_of(op->module->ctx, to);
    tsr_value *in[2] = {op->in[0].value, op->nin > 1 ? op->in[1].value : NULL};
    if (!def->results[0].constraint->type_ok(def->results[0].constraint, op->out[0].type) ||
        !def->args[0].constraint->type_ok(def->args[0].constraint, in[0]->type))
        return false;
    if (op->nin == 2) {
        if (in[0]->type != in[1]->type || in[0]->type != op->out[0].type)
            return false;
        /* One of them must keep the shape. */
        tsr_value *narrow = unbroadcast(in[1]);
        if (narrow != in[1])
            in[1] = narrow;
        else
            in[0] = unbroadcast(in[0]);
    } else if (to != TSR_OP_TESSERA_CAST && to != TSR_OP_TESSERA_RESHAPE &&
               in[0]->type != op->out[0].type) {
        return false;
    }
    return put(op, make(op, to, in, op->nin));
}

static bool raise(tsr_op *op, const uint16_t *plain)
{
    if (op->def->opcode == TSR_UNREGISTERED || !numbers_only(op))
        return false;
    if (tsr_op_is(op, TSR_OP_STABLEHLO_MAXIMUM) && raise_relu(op))
        return true;
    uint16_t to = plain[op->def->opcode];
    return to ? raise_plain(op, (enum tsr_opcode)to) : raise_other(op);
}

/* Bodies of reduce and the like stay StableHLO; regions of control flow are visited like any other. */
static bool keeps_body(const tsr_op *op)
{
    return op && tsr_op_in(op, TSR_DIALECT_STABLEHLO) && !tsr_op_is(op, TSR_OP_STABLEHLO_IF) &&
           !tsr_op_is(op, TSR_OP_STABLEHLO_CASE) && !tsr_op_is(op, TSR_OP_STABLEHLO_WHILE);
}

bool pass_stablehlo_to_tessera_ops(tsr_pass *p, tsr_op *root)
{
    const uint16_t *plain = plain_ops(p);
    TSR_OPS_REVERSE (root, op) {
        if (keeps_body(tsr_block_parent(op->block)))
            continue;
        /* Ops left over from a pattern are erased, not raised. */
        if (!tsr_op_used(op) && tsr_op_removable(op)) {
            tsr_op_erase(op);
            p->changed = true;
        } else if (raise(op, plain)) {
            p->changed = true;
        }
    }
    return true;
}
