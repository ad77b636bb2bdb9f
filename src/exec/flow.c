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

/* ---- Barriers ---- */

/* Results are the operands, read from memory after all of them are there. What is no number in memory passes as it is. */
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

/* What was there before the regions of an op were built. */
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

/* Makes the node of an op with regions: it reads what its regions read from outside. Nodes of regions within them are left
 * out: the nodes that hold them have it. */
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

bool exec_while(tsr_xbuilder *b, tsr_op *op)
{
    if (!is_one_block(&op->regions[0]) || !is_one_block(&op->regions[1]))
        return false;
    operands in = {0};
    tsr_xid *carried = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, op->nin + 1);
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, tsr_x_whole(b, tsr_x_in(b, op, i)));
    before from = {b->p->nodes.n, b->p->values.n};
    /* The values of one turn are those of the op when the loop has ended. */
    for (uint32_t i = 0; i < op->nin; i++) {
        carried[i] = tsr_x_value(b, op->in[i].value->type, op);
        tsr_xvalue *x = tsr_xvalue_at(b, carried[i]);
        if (x->place == TSR_PLACE_NOWHERE)
            x->place = TSR_PLACE_ARENA;
    }
    tsr_block_program **blocks = TSR_NEW_ARRAY(&b->p->arena, tsr_block_program *, 2);
    for (int r = 0; r < 2; r++)
        blocks[r] = tsr_x_region(b, &op->regions[r], carried);
    /* What the body gives that is an argument in another place, or given twice, is copied first. */
    tsr_x_settle(b, blocks[1], carried, op->nin);
    tsr_node *n = region_node(b, TSR_NODE_WHILE, op, &in, &from, blocks, 2);
    n->ncarried = op->nin;
    n->out = carried;
    n->nout = op->nin;
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
