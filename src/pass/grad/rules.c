/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c - finds the rules of ops in the columns of their rows; rules shared by many ops. */
#include "pass/grad/grad.h"

#include "dialect/sdy/sharding.h"

static const struct {
    partial_fn *partial;
    vjp_fn *vjp;
    jvp_fn *jvp;
    unfold_fn *unfold;
} rules[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define PARTIAL(fn) .partial = partial_##fn,
#define VJP(fn) .vjp = vjp_##fn,
#define JVP(fn) .jvp = jvp_##fn,
#define UNFOLD(fn) .unfold = unfold_##fn,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static bool has_row(const tsr_op *op)
{
    return op->def->opcode != TSR_UNREGISTERED;
}

bool tsr_grad_is_flat(const tsr_op *op)
{
    return has_row(op) && rules[op->def->opcode].partial == partial_zero;
}

bool tsr_grad_has_rule(const tsr_op *op)
{
    return has_row(op) && (rules[op->def->opcode].partial || rules[op->def->opcode].vjp ||
                           rules[op->def->opcode].jvp || rules[op->def->opcode].unfold);
}

unfold_fn *tsr_grad_unfold(const tsr_op *op)
{
    return has_row(op) ? rules[op->def->opcode].unfold : NULL;
}

bool tsr_grad_none(const tsr_op *op, const char *why)
{
    return tsr_op_error(op, "cannot be differentiated: %s", why);
}

/* ---- Elementwise ops ---- */

/* The positions of operand i's dimensions in the result; false if required sizes are unknown. */
static bool places(const tsr_op *op, uint32_t i, tsr_i64_vec *out)
{
    const tsr_type *t = tsr_grad_in(op, i)->type, *to = op->out[0].type;
    int slot = tsr_opdef_slot(op->def, TSR_STR("broadcast_dimensions"));
    const tsr_attr *dims = slot < 0 ? NULL : op->attrs[slot];
    for (uint32_t d = 0; d < t->n; d++) {
        bool given = dims && t->n < to->n && tsr_hlo_len(dims) == t->n;
        int64_t place = given ? tsr_hlo_at(dims, d) : (int64_t)(to->n - t->n + d);
        /* A dynamic size may be 1 at run time, and repeated there. */
        if (place < 0 || place >= to->n ||
            (t->dims[d] == TSR_DYNAMIC && tsr_op_has(op, TSR_TRAIT(BROADCASTING))))
            return false;
        tsr_vec_push(out, place);
    }
    return true;
}

static bool same_shape(const tsr_type *a, const tsr_type *b)
{
    return a->n == b->n && (!a->n || memcmp(a->dims, b->dims, a->n * sizeof *a->dims) == 0);
}

/* Broadcasts v, which has the shape of operand i, to the shape of the result. */
static tsr_value *spread(tsr_build *b, tsr_op *op, uint32_t i, tsr_value *v)
{
    if (same_shape(v->type, op->out[0].type) &&
        (!tsr_op_has(op, TSR_TRAIT(BROADCASTING)) || tsr_type_has_static_shape(v->type)))
        return v;
    tsr_i64_vec dims = {0};
    tsr_value *out = NULL;
    if (places(op, i, &dims))
        out = tsr_build_spread(b, v, dims.data, &op->out[0]);
    tsr_vec_free(&dims);
    return out;
}

static bool point_of(tsr_grad *g, tsr_op *op, tsr_point *p)
{
    *p = (tsr_point){.op = op, .out = &op->out[0]};
    for (uint32_t i = 0; i < op->nin && i < TSR_COUNT(p->in); i++) {
        p->in[i] = spread(&g->b, op, i, tsr_grad_in(op, i));
        if (!p->in[i])
            return tsr_grad_none(op, "it broadcasts sizes that are not known");
    }
    return true;
}

static bool elementwise_vjp(tsr_grad *g, tsr_op *op, tsr_value *ct, partial_fn *partial)
{
    tsr_point p;
    TSR_TRY(point_of(g, op, &p));
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *x = tsr_grad_in(op, i);
        tsr_value *t = tsr_grad_varied(g, x) ? partial(&g->b, &p, i, ct) : NULL;
        if (t && !same_shape(t->type, x->type)) {
            tsr_i64_vec dims = {0};
            bool ok = places(op, i, &dims);
            t = ok ? tsr_grad_unspread(&g->b, t, x, dims.data) : NULL;
            tsr_vec_free(&dims);
        }
        tsr_grad_add(g, x, t);
    }
    return !g->b.failed;
}

static bool elementwise_jvp(tsr_grad *g, tsr_op *op, partial_fn *partial)
{
    tsr_point p;
    tsr_value *sum = NULL;
    TSR_TRY(point_of(g, op, &p));
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *t = tsr_grad_of(g, tsr_grad_in(op, i));
        t = t ? partial(&g->b, &p, i, spread(&g->b, op, i, t)) : NULL;
        if (t)
            sum = sum ? f_add(&g->b, sum, t) : t;
    }
    tsr_grad_set(g, &op->out[0], sum);
    return !g->b.failed;
}

tsr_value *partial_zero(tsr_build *b, const tsr_point *p, uint32_t i, tsr_value *t)
{
    (void)b, (void)p, (void)i, (void)t;
    return NULL;
}

/* ---- Lookup ---- */

static bool missing(const tsr_op *op)
{
    return tsr_grad_none(op, "it has no rule");
}

bool tsr_grad_vjp(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    if (has_row(op) && rules[op->def->opcode].vjp)
        return rules[op->def->opcode].vjp(g, op, ct);
    if (has_row(op) && rules[op->def->opcode].partial)
        return elementwise_vjp(g, op, ct[0], rules[op->def->opcode].partial);
    return missing(op);
}

bool tsr_grad_jvp(tsr_grad *g, tsr_op *op)
{
    if (has_row(op) && rules[op->def->opcode].jvp)
        return rules[op->def->opcode].jvp(g, op);
    if (has_row(op) && rules[op->def->opcode].partial)
        return elementwise_jvp(g, op, rules[op->def->opcode].partial);
    return missing(op);
}

/* ---- Linear ops: the tangent goes through the op itself ---- */

static void set_tangents(tsr_grad *g, tsr_op *op, tsr_op *tangents)
{
    tsr_op_insert(tangents, g->b.block, g->b.at);
    for (uint32_t i = 0; i < op->nout; i++)
        if (tsr_grad_wanted(g, &op->out[i]))
            tsr_grad_set(g, &op->out[i], &tangents->out[i]);
}

bool jvp_linear(tsr_grad *g, tsr_op *op)
{
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *x = tsr_grad_in(op, i);
        tsr_vec_push(&in, tsr_grad_is_smooth(x->type) ? tsr_grad_of_or_zero(g, x) : x);
    }
    set_tangents(g, op, tsr_grad_again(&g->b, op, in.data, NULL));
    tsr_vec_free(&in);
    return true;
}

bool jvp_multilinear(tsr_grad *g, tsr_op *op)
{
    tsr_value *sum = NULL;
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, tsr_grad_in(op, i));
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_value *x = in.data[i], *t = tsr_grad_of(g, x);
        if (!t)
            continue;
        in.data[i] = t;
        tsr_op *again = tsr_grad_again(&g->b, op, in.data, NULL);
        tsr_op_insert(again, g->b.block, g->b.at);
        in.data[i] = x;
        sum = sum ? f_add(&g->b, sum, &again->out[0]) : &again->out[0];
    }
    tsr_vec_free(&in);
    tsr_grad_set(g, &op->out[0], sum);
    return true;
}

/* ---- Ops that pass values on ---- */

bool vjp_identity(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_grad_add(g, tsr_grad_in(op, i), ct[i]);
    return true;
}

bool jvp_identity(tsr_grad *g, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_grad_set(g, &op->out[i], tsr_grad_of(g, tsr_grad_in(op, i)));
    return true;
}
