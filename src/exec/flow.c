/* flow.c - EXEC hooks of products, calls, loops and branches. */
#include "dialect/params.h"
#include "exec/build.h"
#include "exec/contract.h"
#include "exec/kernel/gemm.h"
#include "eval/plan.h"

/* ---- Products ---- */

/* Dimensions of one side in this order, as one stride for each role. */
typedef struct {
    int64_t size, stride;
} role;

/* The dimensions which[0..n) of v as one: false when they do not lie one behind the other. */
static bool as_one(const tsr_xshape *v, const int64_t *which, size_t n, role *out)
{
    tsr_xview run = {0};
    for (size_t i = 0; i < n; i++) {
        if (v->dims[which[i]] == 1)
            continue;
        run.space.dims[run.space.rank] = v->dims[which[i]];
        run.strides[run.space.rank++] = v->strides[which[i]];
    }
    tsr_xview one = tsr_xview_join(&run);
    if (one.space.rank > 1)
        return false;
    out->size = one.space.rank ? one.space.dims[0] : 1;
    out->stride = one.space.rank ? one.strides[0] : 0;
    return true;
}

typedef struct {
    int64_t batch[TSR_VIEW_RANK], contract[TSR_VIEW_RANK], rest[TSR_VIEW_RANK];
    size_t nbatch, ncontract, nrest;
} side;

static void read_side(side *s, tsr_ints batch, tsr_ints contract, uint8_t rank)
{
    bool used[TSR_VIEW_RANK] = {0};
    s->nbatch = batch.n;
    s->ncontract = contract.n;
    s->nrest = 0;
    for (size_t i = 0; i < s->nbatch; i++)
        used[s->batch[i] = tsr_ints_at(batch, i)] = true;
    for (size_t i = 0; i < s->ncontract; i++)
        used[s->contract[i] = tsr_ints_at(contract, i)] = true;
    for (uint8_t i = 0; i < rank; i++)
        if (!used[i])
            s->rest[s->nrest++] = i;
}

static bool roles_of(const side *s, const tsr_xshape *v, tsr_contract_side *out)
{
    role batch, contract, rest;
    if (!as_one(v, s->batch, s->nbatch, &batch) ||
        !as_one(v, s->contract, s->ncontract, &contract) || !as_one(v, s->rest, s->nrest, &rest))
        return false;
    *out = (tsr_contract_side){.batch = batch.size,
                               .contract = contract.size,
                               .rest = rest.size,
                               .batch_stride = batch.stride,
                               .contract_stride = contract.stride,
                               .rest_stride = rest.stride,
                               .offset = v->offset};
    return true;
}

/* A copy of v with dimensions in the order batch, rest, contracted. */
static tsr_xid in_order(tsr_xbuilder *b, const side *s, tsr_xid v, tsr_contract_side *out)
{
    tsr_xshape from, view;
    tsr_x_shape(b, v, &from);
    view = from;
    uint8_t k = 0;
    const int64_t *lists[3] = {s->batch, s->rest, s->contract};
    size_t counts[3] = {s->nbatch, s->nrest, s->ncontract};
    for (int l = 0; l < 3; l++)
        for (size_t i = 0; i < counts[l]; i++, k++) {
            view.dims[k] = from.dims[lists[l][i]];
            view.strides[k] = from.strides[lists[l][i]];
        }
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    tsr_type *type = tsr_type_tensor(b->p->module->ctx, view.dims, view.rank, x->type->elem, NULL);
    v = tsr_x_whole(b, tsr_x_view(b, v, &view, type, x->op));
    side ordered = {.nbatch = s->nbatch, .nrest = s->nrest, .ncontract = s->ncontract};
    for (k = 0; k < view.rank; k++) {
        if (k < s->nbatch)
            ordered.batch[k] = k;
        else if (k < s->nbatch + s->nrest)
            ordered.rest[k - s->nbatch] = k;
        else
            ordered.contract[k - s->nbatch - s->nrest] = k;
    }
    tsr_xshape_whole(&from, view.dims, view.rank);
    roles_of(&ordered, &from, out);
    return v;
}

bool exec_dot_general(tsr_xbuilder *b, tsr_op *op)
{
    tsr_dot dims;
    tsr_xid in[2] = {tsr_x_in(b, op, 0), tsr_x_in(b, op, 1)};
    tsr_dtype type = tsr_xvalue_at(b, in[0])->dtype, to = tsr_dtype_of(op->out[0].type->elem);
    tsr_type *result = op->out[0].type;
    if (!tsr_dot_of(op, &dims) || tsr_attr_of(op, STABLEHLO_DOT_GENERAL_algorithm) ||
        tsr_xvalue_at(b, in[1])->dtype != type || !tsr_gemm_has(type, to) ||
        tsr_type_num_elements(result) <= 0)
        return false;
    tsr_contract *c = TSR_NEW(&b->p->arena, tsr_contract);
    for (int i = 0; i < 2; i++) {
        tsr_xvalue x = *tsr_xvalue_at(b, in[i]);
        if (x.rank > TSR_VIEW_RANK || x.n <= 0)
            return false;
        tsr_place place = tsr_xvalue_at(b, tsr_storage_of(b->p, in[i]))->place;
        if (place == TSR_PLACE_SPLAT || place == TSR_PLACE_IOTA)
            in[i] = tsr_x_whole(b, in[i]);
        tsr_xshape v;
        side s;
        if (!tsr_x_shape(b, in[i], &v))
            return false;
        read_side(&s, dims.batch[i], dims.contract[i], v.rank);
        if (!roles_of(&s, &v, &c->side[i]))
            in[i] = in_order(b, &s, in[i], &c->side[i]);
    }
    c->type = (uint8_t)type;
    c->to = (uint8_t)to;
    tsr_node *n = tsr_x_node(b, TSR_NODE_CONTRACT, op, in, 2, &result, 1);
    n->contract = c;
    tsr_x_set(b, op, 0, n->out[0]);
    tsr_x_done(b, n);
    return true;
}

/* ---- Calls ---- */

static const tsr_op *callee(const tsr_xbuilder *b, const tsr_op *op, const tsr_attr *symbol)
{
    const tsr_op *table = tsr_symbol_table_of(op);
    return !table || table == b->p->module->op ? tsr_symtab_find(&b->p->plan->symbols, symbol->s)
                                               : tsr_symbol_resolve(op, symbol);
}

bool exec_call(tsr_xbuilder *b, tsr_op *op)
{
    return tsr_x_inline(b, op, callee(b, op, tsr_attr_of(op, FUNC_CALL_callee)));
}

bool exec_composite(tsr_xbuilder *b, tsr_op *op)
{
    return tsr_x_inline(b, op, callee(b, op, tsr_attr_of(op, STABLEHLO_COMPOSITE_decomposition)));
}

/* ---- Regions ---- */

static bool is_one_block(const tsr_region *r)
{
    return r->first && r->first == r->last;
}

/* Adds the values that a block uses from outside to those that the node reads. */
static void read_outside(tsr_xbuilder *b, const tsr_op *op, tsr_xid *in, uint32_t *nin, size_t most)
{
    TSR_OPS ((tsr_op *)op, inner)
        for (uint32_t i = 0; inner != op && i < inner->nin; i++) {
            const tsr_value *v = inner->in[i].value;
            const tsr_block *home = v->is_arg ? v->block : v->op->block;
            bool outside = true;
            for (const tsr_op *up = tsr_block_parent(home); up && outside;
                 up = tsr_block_parent(up->block))
                outside = up != op;
            if (outside && *nin < most)
                in[(*nin)++] = b->of[v->id];
        }
}

static size_t operands_inside(const tsr_op *op)
{
    size_t n = 0;
    TSR_OPS ((tsr_op *)op, inner)
        n += inner->nin;
    return n;
}

/* A value from outside that a region reads must be in memory: it is read when its group has long run. */
static void need_memory(tsr_xbuilder *b, const tsr_xid *in, uint32_t nin)
{
    for (uint32_t i = 0; i < nin; i++) {
        tsr_xvalue *s = tsr_xvalue_at(b, tsr_storage_of(b->p, in[i]));
        if (s->place == TSR_PLACE_NOWHERE)
            s->place = TSR_PLACE_ARENA;
    }
}

bool exec_while(tsr_xbuilder *b, tsr_op *op)
{
    if (!is_one_block(&op->regions[0]) || !is_one_block(&op->regions[1]))
        return false;
    size_t most = op->nin + operands_inside(op) + 1;
    tsr_xid *in = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, most);
    tsr_xid *carried = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, op->nin + 1);
    uint32_t nin = op->nin;
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_x_whole(b, tsr_x_in(b, op, i));
    read_outside(b, op, in, &nin, most);
    need_memory(b, in, nin);
    /* The values of one turn are those of the op when the loop has ended. */
    for (uint32_t i = 0; i < op->nin; i++) {
        carried[i] = tsr_x_value(b, op->in[i].value->type, op);
        tsr_xvalue *x = tsr_xvalue_at(b, carried[i]);
        if (x->place == TSR_PLACE_NOWHERE)
            x->place = TSR_PLACE_ARENA;
    }
    tsr_block_program *blocks[2];
    for (int r = 0; r < 2; r++)
        blocks[r] = tsr_x_region(b, &op->regions[r], carried);
    /* What the body gives that is an argument in another place, or given twice, is copied first. */
    tsr_x_settle(b, blocks[1], carried, op->nin);
    tsr_node *n = tsr_x_node(b, TSR_NODE_WHILE, op, in, nin, NULL, 0);
    n->ncarried = op->nin;
    n->out = carried;
    n->nout = op->nin;
    n->blocks = tsr_arena_copy(&b->p->arena, blocks, sizeof blocks);
    n->nblock = 2;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_xvalue_at(b, carried[i])->node = (tsr_xid)(n - b->p->nodes.data);
        tsr_x_set(b, op, i, carried[i]);
    }
    tsr_x_done(b, n);
    return true;
}

bool exec_branches(tsr_xbuilder *b, tsr_op *op)
{
    for (uint16_t r = 0; r < op->nregion; r++)
        if (!is_one_block(&op->regions[r]) || op->regions[r].first->nargs)
            return false;
    size_t most = 1 + operands_inside(op) + 1;
    tsr_xid *in = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, most);
    uint32_t nin = 1;
    in[0] = tsr_x_whole(b, tsr_x_in(b, op, 0));
    read_outside(b, op, in, &nin, most);
    need_memory(b, in, nin);
    tsr_type **types = TSR_NEW_ARRAY(&b->p->arena, tsr_type *, op->nout + 1);
    for (uint32_t i = 0; i < op->nout; i++)
        types[i] = op->out[i].type;
    tsr_block_program **blocks = TSR_NEW_ARRAY(&b->p->arena, tsr_block_program *, op->nregion + 1);
    for (uint16_t r = 0; r < op->nregion; r++)
        blocks[r] = tsr_x_region(b, &op->regions[r], NULL);
    tsr_node *n = tsr_x_node(b, TSR_NODE_CASE, op, in, nin, types, op->nout);
    n->blocks = blocks;
    n->nblock = op->nregion;
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_x_set(b, op, i, n->out[i]);
    tsr_x_done(b, n);
    return true;
}
