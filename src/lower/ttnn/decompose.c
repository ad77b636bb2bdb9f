/* SPDX-License-Identifier: Apache-2.0 */
/* decompose.c - ttnn-decompose-layouts: decomposes each to_tensor_spec into the ops that a device has: to_device,
 * from_device, to_layout, typecast, to_memory_config. Needs TTNN; keeps values; breaks ids.
 *
 * A device converts between rows and tiles only for some data types; for others the host does it. */
#include "lower/ttnn/ttnn.h"

typedef struct {
    tsr_build b;
    tsr_op *op;
    tsr_value *at;          /* current value */
    tsr_ttnn_spec now, end; /* of at, of the result */
} change;

static bool retiles(tsr_tt_data_type t)
{
    return t == TSR_TT_BF16 || t == TSR_TT_F32 || t == TSR_TT_U32 || t == TSR_TT_U16 ||
           t == TSR_TT_SI32;
}

static bool on_host(const tsr_ttnn_spec *s)
{
    return s->buffer == TSR_TTNN_SYSTEM_MEMORY;
}

static void step(change *c, enum tsr_opcode opcode, bool device)
{
    tsr_value *in[] = {c->at, device ? tsr_ttnn_device(&c->b, c->op) : NULL};
    const tsr_type *t = c->op->out[0].type;
    tsr_attr *layout = tsr_ttnn_layout(c->b.ctx, t->dims, t->n, c->now);
    bool same = tsr_tt_data_type_of(t->elem) == c->now.type;
    tsr_type *elem = same ? t->elem
                     : tsr_tt_data_type_of(c->op->in[0].value->type->elem) == c->now.type
                         ? c->op->in[0].value->type->elem
                         : tsr_tt_element(c->b.ctx, c->now.type);
    c->at = tsr_ttir_op(&c->b, opcode, in, device ? 2 : 1,
                        tsr_type_tensor(c->b.ctx, t->dims, t->n, elem, layout));
}

/* Moves the tensor to its final memory, on a device. */
static void place(change *c)
{
    c->now.buffer = c->end.buffer;
    c->now.memory = c->end.memory;
    c->now.cores = c->end.cores;
    c->now.grid[0] = c->end.grid[0];
    c->now.grid[1] = c->end.grid[1];
}

static void move(change *c)
{
    bool from = !on_host(&c->now), to = !on_host(&c->end);
    bool same = c->now.buffer == c->end.buffer && c->now.memory == c->end.memory &&
                c->now.grid[0] == c->end.grid[0] && c->now.grid[1] == c->end.grid[1] &&
                c->now.cores == c->end.cores;
    if (from && to && same)
        return;
    if (!from && !to)
        return;
    place(c);
    step(c,
         from && to ? TSR_OP_TTNN_TO_MEMORY_CONFIG
         : to       ? TSR_OP_TTNN_TO_DEVICE
                    : TSR_OP_TTNN_FROM_DEVICE,
         to && !from);
}

static void cast(change *c)
{
    if (c->now.type == c->end.type)
        return;
    c->now.type = c->end.type;
    step(c, TSR_OP_TTNN_TYPECAST, false);
}

static void retile(change *c)
{
    if (c->now.tiled == c->end.tiled)
        return;
    c->now.tiled = c->end.tiled;
    step(c, TSR_OP_TTNN_TO_LAYOUT, false);
}

static bool is_float(tsr_tt_data_type t)
{
    return t == TSR_TT_F32 || t == TSR_TT_BF16;
}

/* Changes layout and data type on the device. */
static void on_device(change *c)
{
    bool tilizes = !c->now.tiled && c->end.tiled;
    if (tilizes && is_float(c->now.type) && is_float(c->end.type)) { /* one op does both */
        c->now.type = c->end.type;
        retile(c);
        return;
    }
    if (c->now.tiled && retiles(c->end.type)) {
        cast(c);
        retile(c);
    } else {
        retile(c);
        cast(c);
    }
}

static void on_the_host(change *c)
{
    tsr_ttnn_spec end = c->end;
    if (!on_host(&c->now)) {
        c->end = tsr_ttnn_host(end.type);
        move(c);
        c->end = end;
    }
    cast(c);
    retile(c);
    move(c);
}

/* A call of a host function. */
static bool hoisted(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_FUNC_CALL) &&
           (tsr_dict_get(op->extra, TSR_STR("ttir.cpu_hoist_call")) ||
            tsr_dict_get(op->extra, TSR_STR("ttir.cpu_hoisted_call")));
}

/* Comes from the host, or goes there. */
static bool of_host(const tsr_op *op)
{
    const tsr_value *from = op->in[0].value;
    if (!from->is_arg && hoisted(from->op))
        return true;
    for (const tsr_use *u = op->out[0].uses; u; u = u->next)
        if (hoisted(u->user))
            return true;
    return false;
}

static bool l1_sharded(const tsr_ttnn_spec *s)
{
    return s->buffer == TSR_TTNN_L1 && s->memory > TSR_TTNN_INTERLEAVED;
}

/* Whether layout and data type change before the tensor moves. */
static bool changes_first(const tsr_ttnn_spec *a, const tsr_ttnn_spec *b)
{
    bool tilizes = !a->tiled && b->tiled, untilizes = a->tiled && !b->tiled;
    bool leaves = a->buffer == TSR_TTNN_L1 && b->buffer == TSR_TTNN_DRAM;
    return (!on_host(a) && on_host(b)) || tilizes || (untilizes && !l1_sharded(a) && !leaves) ||
           (!tilizes && !untilizes);
}

static void decompose(change *c)
{
    bool able = retiles(c->now.type) || retiles(c->end.type) || c->now.tiled == c->end.tiled;
    const tsr_ttnn_spec *tiled = c->now.tiled ? &c->now : &c->end;
    if ((on_host(&c->now) && on_host(&c->end)) || of_host(c->op) || (!able && on_host(tiled))) {
        on_the_host(c);
        return;
    }
    if (on_host(&c->now)) { /* first to the device, unchanged */
        tsr_ttnn_spec end = c->end;
        move(c);
        c->end = end;
        on_device(c);
        return;
    }
    bool first = changes_first(&c->now, &c->end);
    if (first)
        on_device(c);
    move(c);
    if (!first)
        on_device(c);
}

bool pass_ttnn_decompose_layouts(tsr_pass *p, tsr_op *root)
{
    tsr_op *next;
    for (tsr_op *op = root; op; op = next) {
        next = tsr_walk_next(root, op);
        if (!tsr_op_is(op, TSR_OP_TTNN_TO_TENSOR_SPEC))
            continue;
        const tsr_attr *in = tsr_ttnn_layout_of(op->in[0].value->type),
                       *out = tsr_ttnn_layout_of(op->out[0].type);
        if (!in || !out)
            return tsr_op_error(op, "a tensor without a layout cannot change it");
        change c = {.b = tsr_build_before(op),
                    .op = op,
                    .at = op->in[0].value,
                    .now = tsr_ttnn_spec_of(in),
                    .end = tsr_ttnn_spec_of(out)};
        decompose(&c);
        tsr_build_free(&c.b);
        if (c.at->type != op->out[0].type && c.at != op->in[0].value)
            c.at->type = op->out[0].type;
        if (c.at->type != op->out[0].type)
            return tsr_op_error(op, "no ops of TTNN change this layout into that");
        tsr_value_replace(&op->out[0], c.at);
        tsr_op_erase(op);
        p->changed = true;
    }
    return true;
}
