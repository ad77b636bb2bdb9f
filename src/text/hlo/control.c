/* SPDX-License-Identifier: Apache-2.0 */
/* control.c - instructions that use computations or tuples: calls, fusions, loops, branches; and those that pass values
 * on. */
#include "text/hlo/reader.h"

#include "dialect/dialect.h"

/* ---- Values that are passed on ---- */

bool xla_tuple(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    (void)opcode;
    uint32_t n = xla_operands(r, i, &i->values);
    return n == i->shape->nflat ||
           xla_error(r, i->at, "the tuple's shape does not have its %u operands", n);
}

bool xla_first(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    (void)opcode;
    if (!i->nin)
        return xla_error(r, i->at, "'%.*s' has no operand", TSR_STR_ARG(i->opcode));
    i->values = i->in[0]->values;
    if (i->in[0]->shape->nflat == i->shape->nflat)
        return true;
    if (i->in[0]->shape->nflat < i->shape->nflat)
        return xla_error(r, i->at, "'%.*s' has another shape than its operand",
                         TSR_STR_ARG(i->opcode));
    return true;
}

bool xla_element(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    (void)opcode;
    int64_t k = xla_int_of(i, "index", -1);
    if (i->nin != 1 || k < 0)
        return xla_error(r, i->at, "'get-tuple-element' needs an operand and an index");
    const xla_shape *s = i->in[0]->shape;
    if (k >= s->n)
        return xla_error(r, i->at, "the operand is no tuple with an element %lld", (long long)k);
    if (s->members[k]->nflat != i->shape->nflat)
        return xla_error(r, i->at, "element %lld has another shape", (long long)k);
    i->values = i->in[0]->values + xla_member_at(s, (uint32_t)k);
    return true;
}

/* ---- Computations in place, and calls ---- */

static tsr_str callee_of(const xla_instr *i)
{
    tsr_str name = xla_attr_of(i, "calls");
    return name.data ? name : xla_attr_of(i, "to_apply");
}

/* The computation that the instruction names, and its operands; NULL after a diagnostic. */
static xla_comp *callee(xla_reader *r, const xla_instr *i, tsr_value ***in, uint32_t *n)
{
    *n = xla_operands(r, i, in);
    return xla_comp_of(r, i, callee_of(i));
}

bool xla_inline(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    (void)opcode;
    tsr_value **in;
    uint32_t n;
    xla_comp *c = callee(r, i, &in, &n);
    if (!c)
        return false;
    i->values = xla_build_here(r, c, in, n, i);
    if (!i->values)
        return false;
    return c->root->shape->nflat == i->shape->nflat ||
           xla_error(r, i->at, "'%.*s' has another shape than its computation",
                     TSR_STR_ARG(i->opcode));
}

/* The types of a computation are those of its function: both must be what the call has. */
static bool fits_call(xla_reader *r, const xla_instr *i, const xla_comp *c, tsr_value **in,
                      uint32_t n)
{
    uint32_t at = 0;
    tsr_type **types = TSR_NEW_ARRAY(&r->arena, tsr_type *, i->shape->nflat + 1);
    tsr_type **given = TSR_NEW_ARRAY(&r->arena, tsr_type *, c->root->shape->nflat + 1);
    uint32_t nout = xla_flat_types(i->shape, types);
    bool ok = xla_flat_types(c->root->shape, given) == nout &&
              memcmp(types, given, nout * sizeof *types) == 0;
    for (size_t k = 0; k < c->params.n && ok; k++) {
        const xla_shape *s = c->params.data[k]->shape;
        tsr_type **flat = TSR_NEW_ARRAY(&r->arena, tsr_type *, s->nflat + 1);
        for (uint32_t j = 0, m = xla_flat_types(s, flat); j < m && ok; j++)
            ok = at < n && in[at++]->type == flat[j];
    }
    return (ok && at == n) ||
           xla_error(r, i->at, "the call has other types than '%.*s'", TSR_STR_ARG(c->name));
}

bool xla_call(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    (void)opcode;
    tsr_value **in;
    uint32_t n;
    xla_comp *c = callee(r, i, &in, &n);
    if (!c)
        return false;
    if (!fits_call(r, i, c, in, n))
        return false;
    if (!c->func) {
        tsr_str name = tsr_str_is(c->name, "main") ? TSR_STR("main.called") : c->name;
        c->func = xla_function(r, c, name, i);
        if (!c->func)
            return false;
        xla_set(c->func, "sym_visibility", tsr_attr_string(r->ctx, TSR_STR("private")));
    }
    tsr_op *op = xla_plain(r, i, TSR_OP_FUNC_CALL, 0);
    xla_set(op, "callee", tsr_attr_symbol(r->ctx, tsr_op_symbol(c->func), NULL, 0));
    return true;
}

/* ---- Loops and branches ---- */

/* "n":"3" after known_trip_count. */
static void set_turns(xla_reader *r, const xla_instr *i, tsr_op *op)
{
    tsr_str config = xla_attr_of(i, "backend_config");
    const char name[] = "known_trip_count";
    for (size_t k = 0; k + sizeof name < config.len; k++) {
        int64_t turns;
        if (memcmp(config.data + k, name, sizeof name - 1) != 0)
            continue;
        xla_text t = {config.data + k, config.data + config.len};
        if (xla_next_int(&t, &turns) && turns >= 0)
            tsr_op_set_attr(op, TSR_HLO_TURNS, tsr_attr_i64(r->ctx, turns));
        return;
    }
}

bool xla_loop(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_op *op = xla_plain(r, i, opcode, 2);
    set_turns(r, i, op);
    return xla_region(r, i, op, 0, xla_attr_of(i, "condition")) &&
           xla_region(r, i, op, 1, xla_attr_of(i, "body"));
}

/* A branch: its parameters are values from outside. */
static bool branch(xla_reader *r, const xla_instr *i, tsr_op *op, uint32_t k, tsr_str name)
{
    xla_comp *c = xla_comp_of(r, i, name);
    tsr_block *outside = r->block, *b = tsr_block_new(r->m);
    if (!c)
        return false;
    if (k + 1 >= i->nin)
        return xla_error(r, i->at, "branch %u of 'conditional' has no operand", k);
    tsr_block_insert(b, &op->regions[k], NULL);
    r->block = b;
    const xla_instr *arg = i->in[k + 1];
    tsr_value **out = xla_build_here(r, c, arg->values, arg->shape->nflat, i);
    if (out)
        xla_op(r, c->root, TSR_OP_STABLEHLO_RETURN, out, c->root->shape->nflat, NULL, 0, 0);
    r->block = outside;
    return out != NULL;
}

bool xla_conditional(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    (void)opcode;
    tsr_str list = xla_attr_of(i, "branch_computations"), names[2], inside, item;
    xla_text t = xla_text_of(list);
    TSR_VEC(tsr_str) branches = {0};
    names[0] = xla_attr_of(i, "true_computation");
    names[1] = xla_attr_of(i, "false_computation");
    if (list.data && xla_text_inside(&t, &inside))
        for (xla_text k = xla_text_of(inside); xla_text_item(&k, &item);)
            tsr_vec_push(&branches, item);
    else if (names[0].data && names[1].data)
        for (int k = 0; k < 2; k++)
            tsr_vec_push(&branches, names[k]);
    bool ok = (branches.n && i->nin && i->in[0]->shape->nflat == 1) ||
              xla_error(r, i->at, "'conditional' needs an index and branches");
    if (ok) {
        bool two = tsr_type_is_integer(i->in[0]->values[0]->type->elem, 1);
        tsr_type **types = TSR_NEW_ARRAY(&r->arena, tsr_type *, i->shape->nflat + 1);
        uint32_t nout = xla_flat_types(i->shape, types);
        tsr_op *op = xla_op(r, i, two ? TSR_OP_STABLEHLO_IF : TSR_OP_STABLEHLO_CASE,
                            i->in[0]->values, 1, types, nout, (uint32_t)branches.n);
        for (uint32_t k = 0; k < branches.n && ok; k++)
            ok = branch(r, i, op, k, branches.data[k]);
        xla_results(r, i, op);
    }
    tsr_vec_free(&branches);
    return ok;
}
