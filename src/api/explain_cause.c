/* SPDX-License-Identifier: Apache-2.0 */
/* explain_cause.c - what a collective is for: what made the value that it moves, and what reads its result. Ops that only
 * move elements, or change one operand, are looked through. */
#include "api/explain.h"

#include "dialect/flops.h"
#include "dialect/kinds.h"
#include "text/hlo/hlo.h"
#include "text/text.h"

enum { FAR = 24 }; /* ops that are looked through */

/* Whether the op passes on what its first operand is. */
static bool is_thin(const tsr_op *op)
{
    if (!op->nin || op->nregion || op->nout != 1 || tsr_op_has(op, TSR_TRAIT(TERMINATOR)) ||
        tsr_hlo_collective_of(op) != TSR_COLLECTIVE_NONE || tsr_op_has(op, TSR_TRAIT(CALL)))
        return false;
    return op->nin == 1 || (tsr_op_flops(op) == 0 && tsr_op_has(op, TSR_TRAIT(NO_EFFECT)));
}

/* The operand that a loop starts an argument of its body with; NULL: not such an argument. */
static tsr_value *before_loop(const tsr_value *v)
{
    tsr_op *op = v->is_arg ? tsr_block_parent(v->block) : NULL;
    return op && tsr_flow_of(op) == TSR_FLOW_LOOP && v->index < op->nin ? op->in[v->index].value
                                                                        : NULL;
}

static const tsr_value *made_by(const tsr_value *v)
{
    for (int i = 0; i < FAR; i++) {
        const tsr_value *next = v->is_arg        ? before_loop(v)
                                : is_thin(v->op) ? v->op->in[0].value
                                                 : NULL;
        if (!next)
            return v;
        v = next;
    }
    return v;
}

/* The location of what made a value, where its file and line are known; else the other one. */
static tsr_loc loc_behind(const tsr_value *v, tsr_loc other)
{
    for (int i = 0; i < FAR && !v->is_arg; i++) {
        tsr_str file;
        uint32_t line, col;
        if (tsr_loc_position(v->op->module->ctx, v->op->loc, &file, &line, &col) && line)
            return v->op->loc;
        if (!is_thin(v->op))
            break;
        v = v->op->in[0].value;
    }
    return other;
}

/* The first op in program order that computes with the value; NULL: it is returned, or passed on out of sight. */
static const tsr_op *read_by(const tsr_value *v)
{
    for (int i = 0; i < FAR; i++) {
        const tsr_op *first = NULL;
        for (const tsr_use *u = v->uses; u; u = u->next)
            if (!first || (u->user->block == first->block && tsr_op_before(u->user, first)))
                first = u->user;
        if (!first || tsr_op_has(first, TSR_TRAIT(TERMINATOR)))
            return NULL;
        if (!is_thin(first))
            return first;
        v = &first->out[0];
    }
    return NULL;
}

/* ---- Whether only a part of a result is read ---- */

static bool only_sliced(const tsr_value *v, int depth)
{
    if (!v->uses || depth == 0)
        return false;
    for (const tsr_use *u = v->uses; u; u = u->next) {
        const tsr_op *op = u->user;
        /* a dynamic slice: its first operand is larger than its result, and it moves elements only */
        int64_t in = tsr_type_num_elements(v->type);
        int64_t out = op->nout == 1 ? tsr_type_num_elements(op->out[0].type) : -1;
        if (!is_thin(op) || op->in[0].value != v)
            return false;
        bool cuts = op->nin > 1 && out >= 0 && out < in;
        if (!cuts && (out != in || !only_sliced(&op->out[0], depth - 1)))
            return false;
    }
    return true;
}

/* ---- Whether XLA has widened what is moved ---- */

static bool is_convert(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_STABLEHLO_CONVERT);
}

/* Whether no line of the program made the op. */
static bool is_nameless(const tsr_op *op)
{
    tsr_buf name = {0};
    bool named = tsr_loc_name(&name, op->loc);
    tsr_buf_free(&name);
    return !named;
}

/* Whether the op is a conversion to a wider float that XLA inserted: its cpu backend computes bf16 in f32, and moves the
 * values in f32, too. Where a sum is widened, the conversion has the name of the sum, and one without a name is before it. */
static bool widens(const tsr_op *op)
{
    if (!is_convert(op))
        return false;
    const tsr_value *in = op->in[0].value;
    const tsr_type *from = in->type->elem, *to = op->out[0].type->elem;
    return from->kind == TSR_TYPE_FLOAT && to->kind == TSR_TYPE_FLOAT &&
           tsr_type_storage_bits(from) < tsr_type_storage_bits(to) &&
           (is_nameless(op) || (!in->is_arg && is_convert(in->op) && is_nameless(in->op)));
}

/* The element type that a value had before XLA widened it; NULL: it did not. */
static const tsr_type *narrower(const tsr_value *v)
{
    const tsr_type *elem = v->type->elem;
    for (int i = 0; i < FAR; i++) {
        tsr_value *next = v->is_arg ? before_loop(v) : NULL;
        const tsr_op *op = v->is_arg ? NULL : v->op;
        if (op && widens(op))
            return op->in[0].value->type->elem;
        if (op && op->nin == 1 && op->nout == 1 && tsr_hlo_collective_of(op) != TSR_COLLECTIVE_NONE)
            next = op->in[0].value; /* what is gathered along one axis, then along another */
        else if (op && is_thin(op) && tsr_op_flops(op) == 0)
            next = op->in[0].value;
        if (!next || !tsr_type_is_shaped(next->type) || next->type->elem != elem)
            return NULL;
        v = next;
    }
    return NULL;
}

static bool has_name(const tsr_op *op, tsr_str name)
{
    tsr_buf own = {0};
    bool same = tsr_loc_name(&own, op->loc) && tsr_str_eq((tsr_str){own.data, own.len}, name);
    tsr_buf_free(&own);
    return same;
}

/* The element type to which a sum is converted wherever it is read; NULL: it is not. Where XLA sums bf16 in f32, the
 * conversion back has the name of the op that made the terms; one of the program's has its own. */
static const tsr_type *narrowed(const tsr_value *v, tsr_str name, int depth)
{
    const tsr_type *elem = v->type->elem, *found = NULL;
    for (const tsr_use *u = depth ? v->uses : NULL; u; u = u->next) {
        const tsr_op *op = u->user;
        if (!is_thin(op) || op->in[0].value != v || !tsr_type_is_shaped(op->out[0].type))
            return NULL;
        const tsr_type *to = op->out[0].type->elem;
        if (to == elem)
            to = narrowed(&op->out[0], name, depth - 1);
        else if (!is_convert(op) || elem->kind != TSR_TYPE_FLOAT || to->kind != TSR_TYPE_FLOAT ||
                 tsr_type_storage_bits(to) > tsr_type_storage_bits(elem) || !has_name(op, name))
            return NULL;
        if (!to || (found && to != found))
            return NULL;
        found = to;
    }
    return found;
}

/* The element type that the program has where XLA moves a wider one; NULL: it does not. */
static const tsr_type *program_type(const tsr_op *op, uint32_t i, const tsr_value *made, bool sum)
{
    if (!tsr_dict_get(op->module->op->extra, TSR_HLO_PARTITIONED) || i >= op->nin ||
        !tsr_type_is_shaped(op->in[i].value->type))
        return NULL;
    const tsr_type *before = narrower(op->in[i].value);
    if (before || !sum || i >= op->nout || made->is_arg)
        return before;
    tsr_buf name = {0};
    const tsr_type *after = NULL;
    if (tsr_loc_name(&name, made->op->loc))
        after = narrowed(&op->out[i], (tsr_str){name.data, name.len}, FAR);
    tsr_buf_free(&name);
    return after;
}

/* ---- Words ---- */

static tsr_str short_name(const tsr_op *op)
{
    const char *dot = memchr(op->def->name.data, '.', op->def->name.len);
    size_t n = dot ? (size_t)(dot - op->def->name.data) + 1 : 0;
    return (tsr_str){op->def->name.data + n, op->def->name.len - n};
}

static tsr_str without_dialect(tsr_str name)
{
    size_t n = tsr_str_starts(name, "stablehlo.") ? sizeof "stablehlo." - 1 : 0;
    return (tsr_str){name.data + n, name.len - n};
}

static tsr_str describe(tsr_arena *arena, const tsr_op *op)
{
    tsr_buf text = {0};
    tsr_buf_str(&text, short_name(op));
    tsr_loc_at_place(&text, op->module->ctx, op->loc, false);
    return tsr_explain_keep(arena, &text);
}

static tsr_str describe_value(tsr_arena *arena, const tsr_value *v)
{
    if (!v->is_arg)
        return describe(arena, v->op);
    tsr_buf text = {0};
    const tsr_op *owner = tsr_block_parent(v->block);
    if (owner && tsr_op_has(owner, TSR_TRAIT(FUNCTION)))
        tsr_buf_printf(&text, "argument %.*s", TSR_STR_ARG(tsr_value_known_as(arena, v)));
    else if (owner)
        return describe(arena, owner);
    return tsr_explain_keep(arena, &text);
}

static void say_why(tsr_buf *out, const tsr_op *op, tsr_explain_row *row, bool product)
{
    const char *over = row->axes.len ? " over " : "";
    bool own = tsr_str_eq(row->maker, row->cause);
    switch (tsr_hlo_collective_of(op)) {
    case TSR_COLLECTIVE_REDUCE:
    case TSR_COLLECTIVE_SCATTER:
        tsr_buf_printf(
            out, "each device has a part of the sums of %.*s%s%s%.*s", TSR_STR_ARG(row->maker),
            product ? ", whose contracted dimension is divided" : "", over, TSR_STR_ARG(row->axes));
        if (row->sliced)
            tsr_buf_cstr(out, "; each device reads only its part of the result: a reduce_scatter");
        return;
    case TSR_COLLECTIVE_GATHER:
        tsr_buf_printf(out, "%.*s is divided%s%.*s, and %.*s needs more of it than a device has",
                       TSR_STR_ARG(row->maker), over, TSR_STR_ARG(row->axes),
                       TSR_STR_ARG(own ? TSR_STR("the sharding of its result") : row->cause));
        return;
    default:
        tsr_buf_printf(out, "%.*s is divided in another way than %.*s needs it",
                       TSR_STR_ARG(row->maker),
                       TSR_STR_ARG(own ? TSR_STR("the sharding of its result") : row->cause));
    }
}

void tsr_explain_cause(tsr_arena *arena, const tsr_plan_step *step, uint32_t i,
                       tsr_explain_row *row)
{
    const tsr_op *op = step->op;
    tsr_ctx *ctx = op->module->ctx;
    tsr_buf text = {0};
    const tsr_value *made = i < op->nin ? made_by(op->in[i].value) : NULL;
    const tsr_op *reader = i < op->nout ? read_by(&op->out[i]) : NULL;
    tsr_collective kind = tsr_hlo_collective_of(op);
    /* A collective that was combined of several has the place of one of them. */
    bool combined = op->nout > 1 && !step->cause.len && i < op->nin;
    tsr_loc loc = combined ? loc_behind(op->in[i].value, step->cause_loc) : step->cause_loc;
    if (tsr_loc_place(&text, ctx, loc, true))
        row->place = tsr_explain_keep(arena, &text);
    if (tsr_loc_name(&text, loc))
        row->name = tsr_explain_keep(arena, &text);
    row->maker = made ? describe_value(arena, made) : TSR_STR("nothing");
    row->sliced = kind == TSR_COLLECTIVE_REDUCE && i < op->nout && only_sliced(&op->out[i], 6);
    row->narrow = program_type(op, i, made, kind == TSR_COLLECTIVE_REDUCE);
    if (step->cause.len) {
        tsr_plan_cause_text(&text, step);
        row->cause = without_dialect(tsr_explain_keep(arena, &text));
    } else if (kind == TSR_COLLECTIVE_REDUCE || kind == TSR_COLLECTIVE_SCATTER) {
        row->cause = row->maker;
    } else {
        row->cause = reader ? describe(arena, reader) : TSR_STR("the function's result");
    }
    say_why(&text, op, row, made && !made->is_arg && tsr_sim_is_product(made->op));
    if (row->narrow) {
        tsr_str type = tsr_type_print(row->narrow);
        tsr_buf_printf(&text, "; XLA has it in a wider type, and it counts as %.*s",
                       TSR_STR_ARG(type));
        tsr_free((void *)type.data);
    }
    row->why = tsr_explain_keep(arena, &text);
}
