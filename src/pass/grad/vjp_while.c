/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_while.c - loops.
 *
 * In reverse mode a loop runs from its last iteration to the first. Each iteration of the backward loop starts from
 * the carried values at the start of the forward iteration, recomputes the body and goes through it in reverse.
 * Those values, as far as the body's cotangents need them, are in buffers with an entry per iteration if the number
 * of iterations is known or bounded; else the forward loop is run again up to that iteration, which costs time
 * instead of memory. Values that the loop never changes are not kept. In forward mode a loop carries tangents
 * beside its values. */
#include "dialect/stablehlo/loop.h"
#include "pass/grad/nested.h"

typedef TSR_VEC(bool) bools;

/* Maximum size of buffers in bytes; a loop that would need more is rerun instead. */
static const double buffer_limit = 0x1p36;

typedef struct {
    tsr_grad *g;
    tsr_op *op;
    uint32_t n;            /* carried values */
    bools varied, counted; /* carried values that vary; those with a cotangent */
    tsr_value_vec captures;
    tsr_op *back; /* the backward loop, not yet inserted */
    /* in its body: represent the carried values at the start of the iteration */
    tsr_value_vec states;
    tsr_value *index; /* in its body: the number of the iteration */
    int64_t bound;
    bool exact;
} loop;

static tsr_type *counter_type(tsr_grad *g)
{
    return tsr_scalar_type(g->b.ctx->i64);
}

/* Finds which carried values vary, at the fixpoint. */
static void find_varied(loop *l)
{
    bools next = {0};
    for (uint32_t k = 0; k < l->n; k++) {
        tsr_value *v = tsr_grad_in(l->op, k);
        tsr_vec_push(&l->varied, l->g->mode == TSR_GRAD_REVERSE ? tsr_grad_varied(l->g, v)
                                                                : tsr_grad_of(l->g, v) != NULL);
        tsr_vec_push(&next, false);
    }
    for (bool more = true; more;) {
        more = false;
        tsr_grad_block_varies(l->g, l->op->regions[1].first, l->varied.data, next.data);
        for (uint32_t k = 0; k < l->n; k++) {
            more |= next.data[k] && !l->varied.data[k];
            l->varied.data[k] |= next.data[k];
        }
    }
    tsr_vec_free(&next);
}

/* Copies a region of the loop to a block with additional arguments; returns the copy of its terminator. */
static tsr_op *copy_region(loop *l, tsr_region *from, tsr_block *to)
{
    tsr_mapping map = {0};
    for (uint32_t k = 0; k < l->n; k++)
        tsr_mapping_put(&map, from->first->args[k], to->args[k]);
    tsr_op *end = tsr_grad_copy_block(l->g, from->first, to, &map);
    tsr_mapping_free(&map);
    return end;
}

static void append_returns(tsr_op *end, tsr_value *const *more, size_t n)
{
    tsr_value_vec all = {0};
    for (uint32_t i = 0; i < end->nin; i++)
        tsr_vec_push(&all, tsr_grad_in(end, i));
    for (size_t i = 0; i < n; i++)
        tsr_vec_push(&all, more[i]);
    tsr_op_set_operands(end, all.data, all.n);
    tsr_vec_free(&all);
}

/* ---- Buffers: an entry per iteration ---- */

static tsr_type *buffer_type(const tsr_type *t, int64_t places)
{
    tsr_i64_vec dims = {0};
    tsr_vec_push(&dims, places);
    for (uint32_t i = 0; i < t->n; i++)
        tsr_vec_push(&dims, t->dims[i]);
    tsr_type *out = tsr_static_type(t->ctx, dims.data, dims.n, t->elem);
    tsr_vec_free(&dims);
    return out;
}

static void place_indices(tsr_build *b, tsr_value_vec *in, tsr_value *index, uint32_t rank)
{
    tsr_vec_push(in, index);
    for (uint32_t i = 0; i < rank; i++)
        tsr_vec_push(in, tsr_build_int(b, b->ctx->i64, 0));
}

static tsr_value *put(tsr_build *b, tsr_value *buffer, tsr_value *v, tsr_value *index)
{
    tsr_value_vec in = {0};
    tsr_vec_push(&in, buffer);
    tsr_vec_push(&in, tsr_build_reshape(b, v, buffer_type(v->type, 1)));
    place_indices(b, &in, index, v->type->n);
    tsr_value *out =
        tsr_build_op(b, TSR_OP_STABLEHLO_DYNAMIC_UPDATE_SLICE, in.data, in.n, buffer->type);
    tsr_vec_free(&in);
    return out;
}

static tsr_value *take(tsr_build *b, tsr_value *buffer, tsr_type *type, tsr_value *index)
{
    tsr_value_vec in = {0};
    tsr_vec_push(&in, buffer);
    place_indices(b, &in, index, type->n);
    tsr_op *op = tsr_build_open(b, TSR_OP_STABLEHLO_DYNAMIC_SLICE, in.data, in.n, 1, 0);
    tsr_type *part = buffer_type(type, 1);
    op->attrs[STABLEHLO_DYNAMIC_SLICE_slice_sizes] = tsr_grad_list(b, part->dims, part->n);
    tsr_vec_free(&in);
    return tsr_build_reshape(b, &tsr_build_close_as(b, op, &part)->out[0], type);
}

/* ---- The forward loop, counting, and keeping some carried values ---- */

/* Replaces op by it. Its results after those of op: the count, then buffers for the values in kept. */
static tsr_op *count_and_keep(loop *l, const uint32_t *kept, size_t nkept)
{
    tsr_op *op = l->op;
    tsr_build at = tsr_build_before(op);
    tsr_value_vec in = {0}, more = {0};
    tsr_type_vec types = {0};
    for (uint32_t k = 0; k < l->n; k++)
        tsr_vec_push(&in, tsr_grad_in(op, k));
    tsr_vec_push(&in, tsr_build_int(&at, at.ctx->i64, 0));
    for (size_t i = 0; i < nkept; i++) {
        tsr_value like = {.type = buffer_type(tsr_hlo_in(op, kept[i]), l->bound)};
        tsr_vec_push(&in, tsr_build_like(&at, &like, like.type->elem, 0));
    }
    for (size_t i = 0; i < in.n; i++)
        tsr_vec_push(&types, in.data[i]->type);
    tsr_op *fwd = tsr_build_open(&at, TSR_OP_STABLEHLO_WHILE, in.data, in.n, in.n, 2);
    tsr_build cond = tsr_build_in(&at, &fwd->regions[0], types.data, types.n);
    copy_region(l, &op->regions[0], cond.block);
    tsr_build body = tsr_build_in(&at, &fwd->regions[1], types.data, types.n);
    tsr_value **args = body.block->args, *number = args[l->n];
    for (size_t i = 0; i < nkept; i++)
        tsr_vec_push(&more, put(&body, args[l->n + 1 + i], args[kept[i]], number));
    tsr_op *end = copy_region(l, &op->regions[1], body.block);
    body.at = end;
    tsr_value_vec returned = {0};
    tsr_vec_push(&returned, f_add(&body, number, tsr_build_int(&body, at.ctx->i64, 1)));
    for (size_t i = 0; i < nkept; i++)
        tsr_vec_push(&returned, more.data[i]);
    append_returns(end, returned.data, returned.n);
    tsr_build_close_as(&at, fwd, types.data);
    for (uint32_t k = 0; k < l->n; k++)
        tsr_grad_replace(l->g, &op->out[k], &fwd->out[k]);
    tsr_vec_free(&in);
    tsr_vec_free(&more);
    tsr_vec_free(&returned);
    tsr_vec_free(&types);
    tsr_build_free(&cond);
    tsr_build_free(&body);
    tsr_build_free(&at);
    return fwd;
}

/* ---- The backward loop ---- */

/* The values that the body passes to its next iteration: the counter minus one, cotangents of carried values, sums of
 * those of captures. */
static void return_cotangents(loop *l, tsr_grad_scope *s, tsr_value *const *args)
{
    tsr_grad *g = l->g;
    tsr_value_vec out = {0};
    tsr_vec_push(&out, f_sub(&g->b, l->index, tsr_build_int(&g->b, g->b.ctx->i64, 1)));
    for (uint32_t k = 0; k < l->n; k++)
        if (l->counted.data[k])
            tsr_vec_push(&out, tsr_grad_of_or_zero(g, l->states.data[k]));
    for (size_t i = 0; i < l->captures.n; i++) {
        tsr_value *acc = args[out.n], *d = tsr_grad_of(g, l->captures.data[i]);
        tsr_vec_push(&out, d ? f_add(&g->b, acc, d) : acc);
    }
    tsr_grad_return(g, s, out.data, out.n);
    tsr_vec_free(&out);
}

/* Builds the body for the cotangents in counted. more: other carried values turned out to have cotangents, too; then
 * nothing was built. */
static bool build_body(loop *l, bool *more)
{
    tsr_grad *g = l->g;
    tsr_block *body = l->op->regions[1].first;
    tsr_type_vec types = {0};
    tsr_value_vec ct = {0};
    tsr_grad_scope s;
    tsr_vec_push(&types, counter_type(g));
    for (uint32_t k = 0; k < l->n; k++)
        if (l->counted.data[k])
            tsr_vec_push(&types, body->args[k]->type);
    for (size_t i = 0; i < l->captures.n; i++)
        tsr_vec_push(&types, l->captures.data[i]->type);
    size_t nout = types.n;
    for (uint32_t k = 0; k < l->n; k++)
        tsr_vec_push(&types, body->args[k]->type);
    l->back = tsr_build_open(&g->b, TSR_OP_STABLEHLO_WHILE, NULL, 0, nout, 2);
    bool ok = tsr_grad_enter(g, &s, &l->back->regions[1], types.data, types.n, &l->captures);
    tsr_vec_free(&types);
    if (!ok)
        return false;
    tsr_value **args = g->b.block->args;
    l->index = args[0];
    l->states.n = 0;
    for (uint32_t k = 0, c = 1; k < l->n; k++) {
        tsr_vec_push(&l->states, args[nout + k]);
        if (l->varied.data[k])
            tsr_grad_vary(g, args[nout + k], NULL);
        tsr_vec_push(&ct, l->counted.data[k] ? args[c++] : NULL);
    }
    ok = tsr_grad_block_vjp(g, &s, body, l->states.data, ct.data);
    *more = false;
    for (uint32_t k = 0; ok && k < l->n; k++)
        if (!l->counted.data[k] && l->varied.data[k] && tsr_grad_of(g, l->states.data[k]))
            l->counted.data[k] = *more = true;
    if (ok && !*more)
        return_cotangents(l, &s, args);
    tsr_grad_leave(g, &s);
    tsr_vec_free(&ct);
    if (ok && *more)
        tsr_op_erase(l->back);
    return ok;
}

/* The carried values at the start of iteration index, from a loop inside the backward one. */
static tsr_op *run_again(loop *l, tsr_build *b)
{
    tsr_op *op = l->op;
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    for (uint32_t k = 0; k < l->n; k++)
        tsr_vec_push(&in, tsr_grad_in(op, k));
    tsr_vec_push(&in, tsr_build_int(b, b->ctx->i64, 0));
    for (size_t i = 0; i < in.n; i++)
        tsr_vec_push(&types, in.data[i]->type);
    tsr_op *again = tsr_build_open(b, TSR_OP_STABLEHLO_WHILE, in.data, in.n, in.n, 2);
    tsr_build cond = tsr_build_in(b, &again->regions[0], types.data, types.n);
    tsr_value *go = f_lt(&cond, cond.block->args[l->n], l->index);
    tsr_build_return(&cond, &go, 1);
    tsr_build body = tsr_build_in(b, &again->regions[1], types.data, types.n);
    tsr_op *end = copy_region(l, &op->regions[1], body.block);
    body.at = end;
    tsr_value *next = f_add(&body, body.block->args[l->n], tsr_build_int(&body, b->ctx->i64, 1));
    append_returns(end, &next, 1);
    tsr_build_close_as(b, again, types.data);
    tsr_build_free(&cond);
    tsr_build_free(&body);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    return again;
}

/* Whether buffers can hold these values. */
static bool fit(const loop *l, const uint32_t *kept, size_t n)
{
    double bytes = 0;
    if (l->bound < 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        const tsr_type *t = tsr_hlo_in(l->op, kept[i]);
        if (!tsr_hlo_is_ranked(t) || !tsr_type_has_static_shape(t) || !tsr_is_number(t->elem))
            return false;
        bytes += (double)tsr_type_num_elements(t) * (double)l->bound *
                 tsr_type_storage_bits(t->elem) / 8;
    }
    return bytes <= buffer_limit;
}

/* Provides the body of the backward loop with the carried values it needs, and returns the number of iterations. */
static tsr_value *provide_states(loop *l)
{
    TSR_VEC(uint32_t) kept = {0};
    for (uint32_t k = 0; k < l->n; k++) {
        tsr_value *s = l->states.data[k];
        if (s->uses && tsr_loop_keeps(l->op, k))
            tsr_value_replace(s, tsr_grad_in(l->op, k));
        else if (s->uses)
            tsr_vec_push(&kept, k);
    }
    bool stack = fit(l, kept.data, kept.n);
    tsr_block *body = l->back->regions[1].first;
    tsr_build b = {.ctx = l->g->b.ctx,
                   .module = l->g->b.module,
                   .block = body,
                   .at = body->first,
                   .loc = l->op->loc};
    tsr_value *count = NULL;
    if (!l->exact || (stack && kept.n)) {
        tsr_op *fwd = count_and_keep(l, kept.data, stack ? kept.n : 0);
        count = &fwd->out[l->n];
        for (size_t i = 0; stack && i < kept.n; i++) {
            tsr_value *s = l->states.data[kept.data[i]];
            tsr_value_replace(s, take(&b, &fwd->out[l->n + 1 + i], s->type, l->index));
        }
    }
    if (!stack && kept.n) {
        tsr_op *again = run_again(l, &b);
        for (size_t i = 0; i < kept.n; i++)
            tsr_value_replace(l->states.data[kept.data[i]], &again->out[kept.data[i]]);
    }
    tsr_build_free(&b);
    tsr_vec_free(&kept);
    for (uint32_t k = 0; k < l->n; k++)
        tsr_block_erase_arg(body, body->nargs - 1);
    return l->exact ? tsr_build_int(&l->g->b, l->g->b.ctx->i64, l->bound) : count;
}

/* Adds initial values and condition, and inserts the loop. */
static void finish_back(loop *l, tsr_value *const *ct)
{
    tsr_grad *g = l->g;
    tsr_value *count = provide_states(l);
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    tsr_vec_push(&in, f_sub(&g->b, count, tsr_build_int(&g->b, g->b.ctx->i64, 1)));
    for (uint32_t k = 0; k < l->n; k++)
        if (l->counted.data[k])
            tsr_vec_push(&in, ct[k] ? ct[k] : tsr_grad_zero(g, tsr_grad_in(l->op, k)));
    for (size_t i = 0; i < l->captures.n; i++)
        tsr_vec_push(&in, tsr_grad_zero(g, l->captures.data[i]));
    for (size_t i = 0; i < in.n; i++)
        tsr_vec_push(&types, in.data[i]->type);
    tsr_op_set_operands(l->back, in.data, in.n);
    tsr_build cond = tsr_build_in(&g->b, &l->back->regions[0], types.data, types.n);
    tsr_value *go = f_ge(&cond, cond.block->args[0], tsr_build_int(&cond, g->b.ctx->i64, 0));
    tsr_build_return(&cond, &go, 1);
    tsr_build_free(&cond);
    tsr_build_close_as(&g->b, l->back, types.data);
    uint32_t c = 1;
    for (uint32_t k = 0; k < l->n; k++)
        if (l->counted.data[k])
            tsr_grad_add(g, tsr_grad_in(l->op, k), &l->back->out[c++]);
    for (size_t i = 0; i < l->captures.n; i++)
        tsr_grad_add(g, l->captures.data[i], &l->back->out[c++]);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
}

static void free_loop(loop *l)
{
    tsr_vec_free(&l->varied);
    tsr_vec_free(&l->counted);
    tsr_vec_free(&l->captures);
    tsr_vec_free(&l->states);
}

bool vjp_while(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    loop l = {.g = g, .op = op, .n = op->nout};
    bool more = true, ok = true, any = false;
    find_varied(&l);
    tsr_grad_captures(g, op, &l.captures);
    l.bound = tsr_loop_bound(op, &l.exact);
    l.exact &= l.bound >= 0;
    for (uint32_t k = 0; k < l.n; k++) {
        tsr_vec_push(&l.counted, ct[k] && l.varied.data[k]);
        any |= l.counted.data[k];
    }
    /* Cotangents reach other carried values through the body; a few rounds find which, else all that vary count. */
    for (int round = 0; ok && any && more; round++) {
        for (uint32_t k = 0; round == 3 && k < l.n; k++)
            l.counted.data[k] = l.varied.data[k];
        ok = build_body(&l, &more);
    }
    if (ok && any)
        finish_back(&l, ct);
    free_loop(&l);
    return ok;
}

/* ---- Forwards ---- */

static bool forward_body(loop *l, tsr_op *more, const tsr_type_vec *types)
{
    tsr_grad *g = l->g;
    tsr_grad_scope s;
    tsr_value_vec out = {0};
    TSR_TRY(tsr_grad_enter(g, &s, &more->regions[1], types->data, types->n, &l->captures));
    tsr_value **args = g->b.block->args;
    for (uint32_t k = 0, t = l->n; k < l->n; k++)
        if (l->varied.data[k])
            tsr_grad_vary(g, args[k], args[t++]);
    bool ok = tsr_grad_block_jvp(g, &s, l->op->regions[1].first, args, l->varied.data);
    for (uint32_t k = 0; ok && k < l->n; k++)
        tsr_vec_push(&out, tsr_grad_in(s.end, k));
    for (uint32_t k = 0; ok && k < l->n; k++)
        if (l->varied.data[k])
            tsr_vec_push(&out, tsr_grad_of_or_zero(g, out.data[k]));
    if (ok)
        tsr_grad_return(g, &s, out.data, out.n);
    tsr_vec_free(&out);
    tsr_grad_leave(g, &s);
    return ok;
}

bool jvp_while(tsr_grad *g, tsr_op *op)
{
    loop l = {.g = g, .op = op, .n = op->nout};
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    find_varied(&l);
    tsr_grad_captures(g, op, &l.captures);
    for (uint32_t k = 0; k < l.n; k++)
        tsr_vec_push(&in, tsr_grad_in(op, k));
    for (uint32_t k = 0; k < l.n; k++)
        if (l.varied.data[k])
            tsr_vec_push(&in, tsr_grad_of_or_zero(g, tsr_grad_in(op, k)));
    for (size_t i = 0; i < in.n; i++)
        tsr_vec_push(&types, in.data[i]->type);
    tsr_op *more = tsr_build_open(&g->b, TSR_OP_STABLEHLO_WHILE, in.data, in.n, in.n, 2);
    tsr_build cond = tsr_build_in(&g->b, &more->regions[0], types.data, types.n);
    copy_region(&l, &op->regions[0], cond.block);
    tsr_build_free(&cond);
    bool ok = forward_body(&l, more, &types);
    tsr_build_close_as(&g->b, more, types.data);
    for (uint32_t k = 0, t = l.n; ok && k < l.n; k++) {
        if (l.varied.data[k])
            tsr_grad_set(g, &op->out[k], &more->out[t++]);
        tsr_grad_replace(g, &op->out[k], &more->out[k]);
    }
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    free_loop(&l);
    return ok;
}
