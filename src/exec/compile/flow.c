/* SPDX-License-Identifier: Apache-2.0 */
/* flow.c - EXEC hooks of barriers, calls, loops and branches. */
#include "exec/compile/value.h"
#include "eval/plan.h"

/* ---- Devices ---- */

/* An op that only states a sharding does not change its operand. */
bool exec_handed(tsr_xbuilder *b, tsr_op *op)
{
    tsr_x_set(b, op, 0, tsr_x_in(b, op, 0));
    return true;
}

static bool process_number(tsr_xbuilder *b, tsr_op *op, int64_t which)
{
    tsr_x_set(b, op, 0, tsr_x_move(b, op, TSR_MOVE_PROCESS, NULL, 0, &which, 1, op->out[0].type));
    return true;
}

bool exec_replica_id(tsr_xbuilder *b, tsr_op *op)
{
    return process_number(b, op, 0);
}

bool exec_partition_id(tsr_xbuilder *b, tsr_op *op)
{
    return process_number(b, op, 1);
}

/* ---- Barriers ---- */

/* Results are the operands, read from memory after all of them have been computed. Values without memory pass
 * unchanged. */
bool exec_barrier(tsr_xbuilder *b, tsr_op *op)
{
    tsr_xid *in = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, op->nin + 1);
    if (op->nin != op->nout)
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_x_in(b, op, i);
    tsr_node *n = tsr_x_node(b, TSR_NODE_BARRIER, op, in, op->nin, NULL, 0);
    tsr_xid node = (tsr_xid)(n - b->p->nodes.data);
    tsr_x_done(b, n);
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_xshape shape;
        tsr_place place = tsr_xvalue_at(b, tsr_storage_of(b->p, in[i]))->place;
        bool in_memory = place != TSR_PLACE_SPLAT && place != TSR_PLACE_IOTA;
        if (in_memory && tsr_xvalue_at(b, in[i])->n > 0 && tsr_x_shape(b, in[i], &shape)) {
            in[i] = tsr_x_view(b, in[i], &shape, op->out[i].type, op);
            tsr_xvalue_at(b, in[i])->fence = node;
        }
        tsr_x_set(b, op, i, in[i]);
    }
    return true;
}

/* ---- Calls ---- */

static const tsr_op *callee(const tsr_xbuilder *b, const tsr_op *op, const tsr_attr *symbol)
{
    const tsr_op *table = tsr_symbol_table_of(op);
    return !table || table == b->p->module->op ? tsr_symtab_find(&b->p->plan->symbols, symbol->s)
                                               : tsr_symbol_resolve(op, symbol);
}

const tsr_block *tsr_x_called(const tsr_xbuilder *b, const tsr_op *op)
{
    const tsr_op *function = callee(b, op, tsr_attr_of(op, FUNC_CALL_callee));
    const tsr_block *block = function && function->nregion ? function->regions[0].first : NULL;
    bool fits = block && !block->next && block->nargs == op->nin && block->last &&
                block->last->nin == op->nout;
    return fits ? block : NULL;
}

bool exec_call(tsr_xbuilder *b, tsr_op *op)
{
    return tsr_x_inline(b, op, callee(b, op, tsr_attr_of(op, FUNC_CALL_callee)));
}

bool exec_composite(tsr_xbuilder *b, tsr_op *op)
{
    return tsr_x_inline(b, op, callee(b, op, tsr_attr_of(op, STABLEHLO_COMPOSITE_decomposition)));
}

/* Builds the ops of a region in place of the op. */
bool exec_body(tsr_xbuilder *b, tsr_op *op)
{
    return tsr_x_body(b, op, op->regions[0].first);
}

/* ---- Regions ---- */

static bool is_one_block(const tsr_region *r)
{
    return r->first && r->first == r->last;
}

/* The state of the builder before the regions of an op were built. */
typedef struct {
    size_t nodes, values;
} before;

typedef TSR_VEC(tsr_xid) operands;

static void read_one(tsr_xbuilder *b, tsr_xid v, const before *from, operands *in)
{
    if (v >= from->values)
        v = tsr_storage_of(b->p, v);
    tsr_xvalue *x = tsr_xvalue_at(b, v);
    if (v >= from->values || x->mark)
        return;
    x->mark = 1;
    tsr_vec_push(in, v);
}

/* Creates the node of an op with regions: its operands include all values that the regions read from outside. Nodes of
 * nested regions are skipped: the nodes that contain them have the same operands. */
static tsr_node *region_node(tsr_xbuilder *b, tsr_node_kind kind, tsr_op *op, operands *in,
                             const before *from, tsr_block_program **blocks, uint32_t nblock)
{
    bool effect = false, counts = false;
    size_t given = in->n;
    for (size_t i = b->p->nodes.n; i > from->nodes;) {
        const tsr_node *n = &b->p->nodes.data[--i];
        effect |= n->effect;
        counts |= n->counts;
        for (uint32_t k = 0; k < n->nin; k++)
            read_one(b, n->in[k], from, in);
        if (n->nblock)
            i = n->first_inside;
    }
    for (uint32_t r = 0; r < nblock; r++)
        for (uint32_t i = 0; i < blocks[r]->nresults; i++)
            read_one(b, blocks[r]->results[i], from, in);
    for (size_t i = given; i < in->n; i++)
        tsr_xvalue_at(b, in->data[i])->mark = 0;
    uint32_t nout = kind == TSR_NODE_CASE ? op->nout : 0;
    tsr_type **types = TSR_NEW_ARRAY(&b->p->arena, tsr_type *, nout + 1);
    for (uint32_t i = 0; i < nout; i++)
        types[i] = op->out[i].type;
    tsr_node *made = tsr_x_node(b, kind, op, in->data, (uint32_t)in->n, types, nout);
    made->effect = effect;
    made->counts = counts;
    made->blocks = blocks;
    made->nblock = nblock;
    made->first_inside = (uint32_t)from->nodes;
    tsr_vec_free(in);
    return made;
}

/* Whether the body of a loop returns argument i unchanged. */
static bool is_handed_on(const tsr_op *op, uint32_t i)
{
    const tsr_block *body = op->regions[1].first;
    const tsr_op *end = body->last;
    return end && i < end->nin && i < body->nargs && end->in[i].value == body->args[i] &&
           op->in[i].value->type == body->args[i]->type && op->out[i].type == body->args[i]->type;
}

/* The same, if the loop carries anything else: the argument is then its initial value. A loop that changes nothing
 * never ends, and stays a loop. */
static bool stays(const tsr_op *op, uint32_t i, bool changes)
{
    return changes && is_handed_on(op, i);
}

/* A loop-carried value: after the last iteration it is the op's result. */
static tsr_xid carried_value(tsr_xbuilder *b, tsr_op *op, uint32_t i)
{
    tsr_xid v = tsr_x_value(b, op->in[i].value->type, op);
    tsr_xvalue *x = tsr_xvalue_at(b, v);
    if (x->place == TSR_PLACE_NOWHERE)
        x->place = TSR_PLACE_ARENA;
    return v;
}

bool exec_while(tsr_xbuilder *b, tsr_op *op)
{
    if (!is_one_block(&op->regions[0]) || !is_one_block(&op->regions[1]))
        return false;
    operands in = {0};
    bool changes = false;
    for (uint32_t i = 0; i < op->nin; i++)
        changes |= !is_handed_on(op, i);
    tsr_xid *args = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, op->nin + 1),
            *carried = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, op->nin + 1);
    for (uint32_t i = 0; i < op->nin; i++) {
        args[i] = tsr_x_in(b, op, i);
        if (!stays(op, i, changes))
            tsr_vec_push(&in, tsr_x_whole(b, args[i]));
    }
    before from = {b->p->nodes.n, b->p->values.n};
    uint32_t n = 0;
    for (uint32_t i = 0; i < op->nin; i++)
        if (!stays(op, i, changes))
            carried[n++] = args[i] = carried_value(b, op, i);
    tsr_block_program **blocks = TSR_NEW_ARRAY(&b->p->arena, tsr_block_program *, 2);
    for (int r = 0; r < 2; r++)
        blocks[r] = tsr_x_region(b, &op->regions[r], args);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < blocks[1]->nresults; i++)
        if (i >= op->nin || !stays(op, i, changes))
            blocks[1]->results[kept++] = blocks[1]->results[i];
    blocks[1]->nresults = kept;
    /* Results of the body that are arguments in another position, or repeated, are copied first. */
    tsr_x_settle(b, blocks[1], carried, n);
    tsr_node *made = region_node(b, TSR_NODE_WHILE, op, &in, &from, blocks, 2);
    made->ncarried = made->nout = n;
    made->out = carried;
    for (uint32_t i = 0; i < n; i++)
        tsr_xvalue_at(b, carried[i])->node = (tsr_xid)(made - b->p->nodes.data);
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_x_set(b, op, i, args[i]);
    tsr_x_done(b, made);
    return true;
}

bool tsr_x_repeat(tsr_xbuilder *b, tsr_op *op, int64_t times, tsr_xid *values, uint32_t n,
                  tsr_x_step *step, void *ctx)
{
    operands in = {0};
    tsr_xid *carried = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, 2 * (size_t)n + 2),
            *out = carried + n + 1;
    tsr_vec_push(&in, tsr_x_whole(b, tsr_x_integer(b, op, TSR_D_I64, 0)));
    for (uint32_t i = 0; i < n; i++)
        tsr_vec_push(&in, tsr_x_whole(b, values[i]));
    before from = {b->p->nodes.n, b->p->values.n};
    for (uint32_t i = 0; i <= n; i++) {
        carried[i] = tsr_x_value(b, tsr_xvalue_at(b, in.data[i])->type, op);
        tsr_xvalue_at(b, carried[i])->place = TSR_PLACE_ARENA;
        tsr_xvalue_at(b, carried[i])->part = true;
    }
    tsr_block_program **blocks = TSR_NEW_ARRAY(&b->p->arena, tsr_block_program *, 2);
    tsr_x_outside outside = tsr_x_enter(b, carried, n + 1);
    out[0] = tsr_x_compare(b, op, TSR_TILE_compare_lt, carried[0],
                           tsr_x_integer(b, op, TSR_D_I64, times));
    bool ok = out[0] != TSR_XNONE; /* a target need not count */
    blocks[0] = tsr_x_leave(b, &outside, out, ok ? 1 : 0);
    outside = tsr_x_enter(b, carried, n + 1);
    out[0] = tsr_x_apply2(b, op, TSR_TILE_add, carried[0], tsr_x_integer(b, op, TSR_D_I64, 1));
    ok = ok && out[0] != TSR_XNONE && step(ctx, carried[0], carried + 1, out + 1);
    blocks[1] = tsr_x_leave(b, &outside, out, ok ? n + 1 : 0);
    if (!ok) {
        tsr_vec_free(&in);
        return false;
    }
    tsr_x_settle(b, blocks[1], carried, n + 1);
    tsr_node *made = region_node(b, TSR_NODE_WHILE, op, &in, &from, blocks, 2);
    made->ncarried = made->nout = n + 1;
    made->out = carried;
    for (uint32_t i = 0; i <= n; i++)
        tsr_xvalue_at(b, carried[i])->node = (tsr_xid)(made - b->p->nodes.data);
    for (uint32_t i = 0; i < n; i++)
        values[i] = carried[i + 1];
    tsr_x_done(b, made);
    return true;
}

bool exec_branches(tsr_xbuilder *b, tsr_op *op)
{
    for (uint16_t r = 0; r < op->nregion; r++)
        if (!is_one_block(&op->regions[r]) || op->regions[r].first->nargs)
            return false;
    operands in = {0};
    tsr_vec_push(&in, tsr_x_whole(b, tsr_x_in(b, op, 0)));
    before from = {b->p->nodes.n, b->p->values.n};
    tsr_block_program **blocks = TSR_NEW_ARRAY(&b->p->arena, tsr_block_program *, op->nregion + 1);
    for (uint16_t r = 0; r < op->nregion; r++)
        blocks[r] = tsr_x_region(b, &op->regions[r], NULL);
    tsr_node *n = region_node(b, TSR_NODE_CASE, op, &in, &from, blocks, op->nregion);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_x_set(b, op, i, n->out[i]);
    tsr_x_done(b, n);
    return true;
}
