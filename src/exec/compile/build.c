/* SPDX-License-Identifier: Apache-2.0 */
/* build.c - turns the ops of a function into nodes and views (program.h). */
#include "exec/compile/build.h"

#include <stdlib.h>

#include "dialect/params.h"
#include "dialect/kinds.h"
#include "dialect/sdy/sharding.h"
#include "dialect/ttnn/view.h"
#include "eval/block.h"
#include "eval/kernel/quant.h"
#include "eval/plan.h"
#include "exec/backend.h"
#include "exec/compile/value.h"
#include "exec/programs.h"

/* Columns TILE and EXEC of each op. */
static const struct {
    exec_fn *exec;
    uint8_t tile; /* + 1 */
} rows[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define EXEC(hook) .exec = exec_##hook,
#define TILE(name) .tile = TSR_TILE_##name + 1,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

bool tsr_x_plain(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR && tsr_type_has_static_shape(t) &&
           tsr_dtype_of(t->elem) != TSR_D_NONE && t->n <= TSR_MAX_RANK;
}

tsr_xid tsr_x_value(tsr_xbuilder *b, tsr_type *type, const tsr_op *op)
{
    tsr_xvalue v = {.type = type,
                    .node = TSR_XNONE,
                    .shares = TSR_XNONE,
                    .fence = TSR_XNONE,
                    .op = op,
                    .n = -1};
    v.place = TSR_PLACE_TENSOR;
    if (tsr_x_plain(type)) {
        v.place = TSR_PLACE_NOWHERE;
        v.dtype = (uint8_t)tsr_dtype_of(type->elem);
        v.rank = (uint8_t)type->n;
        v.dims = type->dims;
        v.n = tsr_type_num_elements(type);
    }
    tsr_vec_push(&b->p->values, v);
    return (tsr_xid)b->p->values.n - 1;
}

tsr_node *tsr_x_node(tsr_xbuilder *b, tsr_node_kind kind, const tsr_op *op, const tsr_xid *in,
                     uint32_t nin, tsr_type *const *types, uint32_t nout)
{
    tsr_node n = {.kind = (uint8_t)kind, .op = op, .nin = nin, .nout = nout, .group = TSR_XNONE};
    n.in = tsr_arena_copy(&b->p->arena, in, nin * sizeof *in);
    n.out = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, nout + 1);
    n.function = b->function;
    for (uint32_t i = 0; i < nout; i++) {
        n.out[i] = tsr_x_value(b, types[i], op);
        tsr_xvalue_at(b, n.out[i])->node = (tsr_xid)b->p->nodes.n;
    }
    tsr_vec_push(&b->p->nodes, n);
    return &b->p->nodes.data[b->p->nodes.n - 1];
}

void tsr_x_done(tsr_xbuilder *b, tsr_node *n)
{
    tsr_node_join(b->p, b->block, (tsr_xid)(n - b->p->nodes.data), &b->effect);
}

/* ---- Views ---- */

bool tsr_x_shape(const tsr_xbuilder *b, tsr_xid v, tsr_xshape *out)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    if (x->place == TSR_PLACE_VIEW) {
        *out = *x->view;
        return true;
    }
    return x->n >= 0 && tsr_xshape_whole(out, x->dims, x->rank);
}

tsr_xid tsr_x_view(tsr_xbuilder *b, tsr_xid v, const tsr_xshape *view, tsr_type *type,
                   const tsr_op *op)
{
    tsr_xid made = tsr_x_value(b, type, op), base = tsr_storage_of(b->p, v);
    tsr_xvalue *x = tsr_xvalue_at(b, made);
    const tsr_xvalue *of = tsr_xvalue_at(b, base);
    x->place = of->place == TSR_PLACE_SPLAT ? TSR_PLACE_SPLAT : TSR_PLACE_VIEW;
    memcpy(x->bits, of->bits, sizeof x->bits);
    x->base = base;
    x->fence = tsr_xvalue_at(b, v)->fence;
    x->view = tsr_arena_copy(&b->p->arena, view, sizeof *view);
    return made;
}

/* A small constant in memory with the elements of splat v, created at compile time; TSR_XNONE: v is no small splat. */
static tsr_xid constant_of(tsr_xbuilder *b, tsr_xid v)
{
    enum { FEW = 64 }; /* bytes */
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    size_t bytes = tsr_dtype_bytes((tsr_dtype)x->dtype);
    if (x->place != TSR_PLACE_SPLAT || x->n < 1 || tsr_xvalue_bytes(x) > FEW)
        return TSR_XNONE;
    tsr_tensor *t = tsr_tensor_new(x->type->elem, x->dims, x->rank);
    for (int64_t i = 0; t && i < t->n; i++)
        memcpy((char *)t->data + (size_t)i * bytes, x->bits, bytes);
    b->p->starved |= !t;
    if (!t)
        return TSR_XNONE;
    tsr_xid fence = x->fence, made = tsr_x_value(b, x->type, x->op);
    tsr_xvalue_at(b, made)->place = TSR_PLACE_CONSTANT;
    tsr_xvalue_at(b, made)->box = t;
    tsr_xvalue_at(b, made)->fence = fence;
    return made;
}

/* An earlier copy of the same view in this block; TSR_XNONE: none. */
static tsr_xid copied_before(const tsr_xbuilder *b, tsr_xid v)
{
    const tsr_program *p = b->p;
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    tsr_xid copy = x->place == TSR_PLACE_VIEW ? tsr_xvalue_at(b, x->base)->copy : 0;
    if (!copy || tsr_xvalue_at(b, copy - 1)->type != x->type)
        return TSR_XNONE;
    const tsr_node *n = &p->nodes.data[tsr_xvalue_at(b, copy - 1)->node];
    const tsr_xvalue *of = tsr_xvalue_at(b, n->in[0]);
    if (p->groups.data[tsr_xgroup_find(p, n->group)].home != b->block || of->fence != x->fence)
        return TSR_XNONE;
    tsr_xview one = tsr_xview_of(of->view), other = tsr_xview_of(x->view);
    return tsr_xview_same(&one, &other) ? copy - 1 : TSR_XNONE;
}

static tsr_xid copy_of(tsr_xbuilder *b, tsr_xid v)
{
    tsr_xid made = copied_before(b, v);
    if (made != TSR_XNONE)
        return made;
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    tsr_type *type = x->type;
    uint8_t of = x->dtype, place = tsr_xvalue_at(b, tsr_storage_of(b->p, v))->place;
    bool made_up = place == TSR_PLACE_SPLAT || place == TSR_PLACE_IOTA;
    tsr_node *n = tsr_x_node(b, made_up ? TSR_NODE_TILE : TSR_NODE_MOVE, x->op, &v, 1, &type, 1);
    n->tile = TSR_TILE_CONVERT;
    n->move = TSR_MOVE_COPY;
    n->of = of;
    made = n->out[0];
    tsr_x_done(b, n);
    if (!made_up)
        tsr_xvalue_at(b, tsr_storage_of(b->p, v))->copy = made + 1;
    return made;
}

tsr_xid tsr_x_whole(tsr_xbuilder *b, tsr_xid v)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    if (x->place == TSR_PLACE_VIEW) {
        if (tsr_xvalue_at(b, x->base)->place != TSR_PLACE_IOTA && tsr_is_whole(b->p, v, NULL))
            return v;
    } else if (x->place != TSR_PLACE_SPLAT && x->place != TSR_PLACE_IOTA) {
        return v;
    }
    tsr_xid held = constant_of(b, v);
    return held != TSR_XNONE ? held : copy_of(b, v);
}

/* A copy of a view, which has each of its elements once: it repeats along the dimensions along which the view does. */
static tsr_xid copy_once(tsr_xbuilder *b, tsr_xid v)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    tsr_xshape view = *x->view;
    bool repeats = false;
    for (uint8_t i = 0; i < view.rank; i++) {
        repeats |= view.dims[i] > 1 && !view.strides[i];
        view.dims[i] = view.strides[i] ? view.dims[i] : 1;
    }
    if (!repeats)
        return copy_of(b, v);
    const int64_t *dims = x->dims;
    tsr_type *type = tsr_type_tensor(b->p->module->ctx, view.dims, view.rank, x->type->elem, NULL);
    tsr_xid once = tsr_x_view(b, v, &view, type, x->op);
    return tsr_x_spread(b, tsr_xvalue_at(b, v)->op, copy_of(b, once), dims, view.rank);
}

tsr_xid tsr_x_lines(tsr_xbuilder *b, tsr_xid v)
{
    /* Bytes that are still in the cache when the next line reads them again. A product may be computed transposed
     * instead. */
    enum { NEAR = 1 << 14, NEAR_OF_PRODUCT = 1 << 12, WORD = 4, MOST_STEP = 8 };
    const tsr_xvalue *x = tsr_xvalue_at(b, v), *of = tsr_xvalue_at(b, x->base);
    if (x->place != TSR_PLACE_VIEW || of->place == TSR_PLACE_IOTA)
        return v;
    bool product = of->node != TSR_XNONE && b->p->nodes.data[of->node].kind == TSR_NODE_CONTRACT;
    if (tsr_xvalue_bytes(of) < (product ? NEAR_OF_PRODUCT : NEAR))
        return v;
    tsr_xview view = tsr_xview_of(x->view);
    int64_t step = view.space.rank ? view.strides[view.space.rank - 1] : 0;
    /* 2: a part of complex numbers. One column of short rows is read in place, too: others are read while the rows are in
     * the cache (kernel/isa/few.c). */
    tsr_xview line = tsr_xview_join(&view);
    bool column = b->p->target->columns_in_place && line.space.rank == 1 && step <= MOST_STEP &&
                  tsr_dtype_bytes((tsr_dtype)x->dtype) == WORD;
    return step >= 0 && (step <= 2 || column) ? v : copy_once(b, v);
}

/* ---- Elementwise ---- */

/* v broadcast to the shape of type, if it has one element. */
static tsr_xid spread(tsr_xbuilder *b, tsr_xid v, tsr_type *type, int64_t n, const tsr_op *op)
{
    tsr_xvalue x = *tsr_xvalue_at(b, v);
    if (x.n == n || x.place == TSR_PLACE_SPLAT)
        return v;
    tsr_xshape view, old;
    tsr_xshape_whole(&view, type->dims, type->n);
    memset(view.strides, 0, sizeof view.strides);
    if (x.place == TSR_PLACE_VIEW && tsr_x_shape(b, v, &old))
        view.offset = old.offset;
    tsr_type *of = tsr_type_tensor(b->p->module->ctx, type->dims, type->n, x.type->elem, NULL);
    return tsr_x_view(b, v, &view, of, op);
}

static bool is_byte_or_more(tsr_dtype d)
{
    return d == TSR_D_I1 || (tsr_dtype_is_int(d) && tsr_dtype_bits(d) >= 8);
}

/* A value all of whose elements have the same bits. */
static tsr_xid repeated(tsr_xbuilder *b, const tsr_op *op, tsr_type *type, uint64_t bits)
{
    tsr_xid v = tsr_x_value(b, type, op);
    tsr_xvalue_at(b, v)->place = TSR_PLACE_SPLAT;
    tsr_xvalue_at(b, v)->bits[0] = bits;
    return v;
}

/* An op on integers, or truth values, that are the same in all elements and known. TSR_XNONE: it is no such op. Floats
 * are left to the machine that runs the program. */
static tsr_xid known(tsr_xbuilder *b, const tsr_op *op, tsr_type *type, uint8_t tile, tsr_dtype of,
                     const tsr_xid *in, uint32_t nin)
{
    uint64_t bits[3] = {0}, out = 0;
    const void *at[3] = {&bits[0], &bits[1], &bits[2]};
    bool is = tile != TSR_TILE_CONVERT && is_byte_or_more(of) &&
              is_byte_or_more(tsr_dtype_of(type->elem));
    for (uint32_t i = 0; i < nin && is; i++) {
        const tsr_xvalue *x = tsr_xvalue_at(b, in[i]);
        is = x->place == TSR_PLACE_SPLAT && x->fence == TSR_XNONE;
        bits[i] = x->bits[0];
    }
    if (!is)
        return TSR_XNONE;
    b->p->target->compute(tile, of, &out, at, 1);
    return repeated(b, op, type, out);
}

/* The same for a few elements that are in constants. */
static tsr_xid known_few(tsr_xbuilder *b, const tsr_op *op, tsr_type *type, uint8_t tile,
                         tsr_dtype of, const tsr_xid *in, uint32_t nin)
{
    enum { FEW = 64 };
    uint64_t elements[3][FEW];
    const void *at[3] = {elements[0], elements[1], elements[2]};
    int64_t n = tsr_type_num_elements(type);
    bool is = tile != TSR_TILE_CONVERT && is_byte_or_more(of) && n <= FEW &&
              is_byte_or_more(tsr_dtype_of(type->elem));
    for (uint32_t i = 0; i < nin && is; i++) {
        const tsr_xvalue *x = tsr_xvalue_at(b, in[i]);
        bool one = x->place == TSR_PLACE_SPLAT;
        is = x->fence == TSR_XNONE && (one || (x->place == TSR_PLACE_CONSTANT && x->n == n));
        size_t each = tsr_dtype_bytes((tsr_dtype)x->dtype);
        for (int64_t k = 0; is && one && k < n; k++)
            memcpy((char *)elements[i] + (size_t)k * each, x->bits, each);
        if (is && !one)
            memcpy(elements[i], x->box->data, (size_t)tsr_xvalue_bytes(x));
    }
    tsr_tensor *t = is ? tsr_tensor_new(type->elem, type->dims, type->n) : NULL;
    b->p->starved |= is && !t;
    if (!t)
        return TSR_XNONE;
    b->p->target->compute(tile, of, t->data, at, (size_t)n);
    tsr_xid v = tsr_x_value(b, type, op);
    tsr_xvalue_at(b, v)->place = TSR_PLACE_CONSTANT;
    tsr_xvalue_at(b, v)->box = t;
    return v;
}

static bool is_bits(const tsr_xbuilder *b, tsr_xid v, uint64_t bits)
{
    const tsr_xvalue *x = tsr_xvalue_at(b, v);
    return x->place == TSR_PLACE_SPLAT && x->fence == TSR_XNONE && x->bits[0] == bits;
}

/* An op on integers or truth values, or a select, one of whose operands is known, so that its result is known too, or
 * another operand; changes a remainder by a power of two to an op that costs less. TSR_XNONE: there is something to compute. */
static tsr_xid simpler(tsr_xbuilder *b, const tsr_op *op, tsr_type *type, uint8_t *tile,
                       tsr_dtype of, tsr_xid *in)
{
    bool is_truth = of == TSR_D_I1,
         counts = is_byte_or_more(of) && tsr_dtype_kind(of) == TSR_K_UINT;
    tsr_xid chosen = TSR_XNONE;
    if (*tile == TSR_TILE_select && (is_bits(b, in[0], 0) || is_bits(b, in[0], 1)))
        chosen = in[is_bits(b, in[0], 0) ? 2 : 1];
    else if (*tile == TSR_TILE_compare_ne && is_truth && is_bits(b, in[1], 0))
        chosen = in[0];
    if (chosen != TSR_XNONE)
        return tsr_xvalue_at(b, chosen)->type == type ? chosen : TSR_XNONE;
    if ((*tile == TSR_TILE_compare_lt && counts && is_bits(b, in[1], 0)) ||
        (*tile == TSR_TILE_and && is_truth && (is_bits(b, in[0], 0) || is_bits(b, in[1], 0))))
        return repeated(b, op, type, 0);
    tsr_xvalue by = *tsr_xvalue_at(b, in[1]);
    if (*tile != TSR_TILE_remainder || !counts || !is_bits(b, in[1], by.bits[0]) || !by.bits[0] ||
        by.bits[0] & (by.bits[0] - 1))
        return TSR_XNONE;
    *tile = TSR_TILE_and;
    in[1] = repeated(b, op, by.type, by.bits[0] - 1);
    return TSR_XNONE;
}

tsr_xid tsr_x_kernel(tsr_xbuilder *b, const tsr_op *op, tsr_type *type, uint8_t tile, tsr_dtype of,
                     const tsr_xid *in, uint32_t nin)
{
    int64_t n = tsr_type_num_elements(type);
    tsr_xspace space;
    if (nin > 3 || (tile != TSR_TILE_CONVERT && !b->p->target->tile(tile, tsr_register_type(of))) ||
        n <= 0 || type->n > TSR_VIEW_RANK || !tsr_xspace_of(&space, type->dims, type->n))
        return TSR_XNONE;
    tsr_xid all[3];
    for (uint32_t i = 0; i < nin; i++) {
        int64_t m = in[i] == TSR_XNONE ? -1 : tsr_xvalue_at(b, in[i])->n;
        if (m != n && m != 1)
            return TSR_XNONE;
    }
    tsr_xid number = known(b, op, type, tile, of, in, nin);
    memcpy(all, in, nin * sizeof *all);
    if (number == TSR_XNONE)
        number = known_few(b, op, type, tile, of, in, nin);
    if (number == TSR_XNONE && nin > 1)
        number = simpler(b, op, type, &tile, of, all);
    if (number != TSR_XNONE)
        return number;
    for (uint32_t i = 0; i < nin; i++)
        all[i] = tsr_x_lines(b, spread(b, all[i], type, n, op));
    tsr_node *node = tsr_x_node(b, TSR_NODE_TILE, op, all, nin, &type, 1);
    node->tile = tile;
    node->of = (uint8_t)of;
    tsr_xid made = node->out[0];
    tsr_x_done(b, node);
    return made;
}

bool tsr_x_tile(tsr_xbuilder *b, tsr_op *op, uint8_t tile, tsr_dtype of, const tsr_xid *in,
                uint32_t nin)
{
    if (tsr_dtype_is_complex(of) || tsr_dtype_is_complex(tsr_dtype_of(op->out[0].type->elem)))
        return tsr_x_complex_tile(b, op, tile, in, nin);
    tsr_xid made = tsr_x_kernel(b, op, op->out[0].type, tile, of, in, nin);
    if (made == TSR_XNONE)
        return false;
    tsr_x_set(b, op, 0, made);
    return true;
}

uint8_t tsr_x_tile_of(const tsr_op *op)
{
    uint8_t own = rows[op->def->opcode].tile;
    return own ? own : rows[tsr_kinds_of(op).as].tile;
}

bool tsr_x_count_zeros(tsr_xbuilder *b, const tsr_op *op)
{
    if (!tsr_op_has(op, TSR_TRAIT(DIVIDES)) || op->nin < 2)
        return true;
    const tsr_xvalue *x = tsr_xvalue_at(b, tsr_x_in(b, op, 1));
    if (!tsr_dtype_is_int((tsr_dtype)x->dtype) || (x->place == TSR_PLACE_SPLAT && x->bits[0]))
        return true;
    int64_t times = x->n; /* a repeated number is examined only once */
    tsr_xid by = tsr_storage_of(b->p, tsr_x_in(b, op, 1));
    if (x->place != TSR_PLACE_VIEW || x->fence != TSR_XNONE || tsr_xvalue_at(b, by)->n != 1 ||
        tsr_xvalue_at(b, by)->place < TSR_PLACE_ARENA)
        by = tsr_x_whole(b, tsr_x_in(b, op, 1));
    tsr_node *n = tsr_x_node(b, TSR_NODE_ZEROS, op, &by, 1, NULL, 0);
    n->counts = true;
    n->numbers = tsr_arena_copy(&b->p->arena, &times, sizeof times);
    tsr_x_done(b, n);
    return true;
}

void tsr_x_check(tsr_xbuilder *b, const tsr_op *op, tsr_check_kind kind, tsr_xid v, int64_t number)
{
    if (v != TSR_XNONE)
        v = tsr_x_whole(b, v);
    tsr_node *n = tsr_x_node(b, TSR_NODE_CHECK, op, &v, v != TSR_XNONE, NULL, 0);
    n->check = (uint8_t)kind;
    n->counts = true;
    n->numbers = tsr_arena_copy(&b->p->arena, &number, sizeof number);
    tsr_x_done(b, n);
}

static bool tile_op(tsr_xbuilder *b, tsr_op *op, uint8_t tile)
{
    tsr_xid in[3];
    if (op->nout != 1 || !op->nin || op->nin > 3)
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_x_in(b, op, i);
    if (tile == TSR_TILE_and && tsr_x_inside(b, op, in))
        return true;
    if (tile == TSR_TILE_add || tile == TSR_TILE_or)
        tsr_x_interleave(b, op, in);
    return tsr_x_tile(b, op, tile, tsr_xvalue_at(b, in[0])->dtype, in, op->nin) &&
           tsr_x_count_zeros(b, op);
}

/* ---- Constants ---- */

/* The elements of an attribute: where they are in the module, if they have the form of tensors, or a copy. */
static tsr_tensor *elements_of(const tsr_attr *a, const tsr_xvalue *x)
{
    enum { ALIGN = 64, LARGE = 1 << 12 };
    bool same = !a->sub && a->s.len >= LARGE && a->s.len == tsr_xvalue_bytes(x) &&
                tsr_dtype_bits((tsr_dtype)x->dtype) >= 8 && (uintptr_t)a->s.data % ALIGN == 0;
    return same ? tsr_tensor_over(x->type->elem, x->dims, x->rank, (void *)(uintptr_t)a->s.data)
                : tsr_tensor_of_attr(a, x->type);
}

bool exec_constant(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_attr *a = op->def->constant ? op->def->constant(op)
                        : op->def->nslot  ? op->attrs[0]
                                          : NULL;
    tsr_attr held;
    if (tsr_attr_is(a, TSR_ATTR_DENSE_RESOURCE) && !tsr_blob_elements(&b->p->plan->blobs, a, &held))
        a = &held;
    if (!tsr_attr_is(a, TSR_ATTR_DENSE) || !tsr_x_plain(op->out[0].type))
        return false;
    tsr_xid v = tsr_x_value(b, op->out[0].type, op);
    tsr_xvalue *x = tsr_xvalue_at(b, v);
    uint32_t bytes = tsr_dtype_bytes((tsr_dtype)x->dtype);
    tsr_tensor *t = NULL;
    if (a->sub && x->n > 0 && bytes <= 8 && x->n > 1) {
        tsr_type *one = tsr_type_tensor(b->p->module->ctx, NULL, 0, x->type->elem, NULL);
        t = tsr_tensor_of_attr(a, one);
    } else {
        t = elements_of(a, x);
    }
    if (!t) {
        b->p->starved = true;
        b->p->values.n--;
        return false;
    }
    if (t->n == 1 && x->n >= 1 && bytes <= 8) {
        x->place = TSR_PLACE_SPLAT;
        memcpy(x->bits, t->data, bytes);
        tsr_tensor_unref(t);
    } else {
        x->place = TSR_PLACE_CONSTANT;
        x->box = t;
    }
    tsr_x_set(b, op, 0, v);
    return true;
}

/* ---- The evaluator's kernels ---- */

static void capture(tsr_xbuilder *b, tsr_op *op, tsr_node *n)
{
    TSR_VEC(tsr_value *) found = {0};
    for (uint16_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], block)
            TSR_BLOCK_OPS (block, first)
                TSR_OPS (first, inner)
                    for (uint32_t i = 0; i < inner->nin; i++) {
                        tsr_value *v = inner->in[i].value;
                        const tsr_block *home = v->is_arg ? v->block : v->op->block;
                        bool outside = true;
                        for (const tsr_op *up = tsr_block_parent(home); up && outside;
                             up = tsr_block_parent(up->block))
                            outside = up != op;
                        for (size_t k = 0; outside && k < found.n; k++)
                            outside = found.data[k] != v;
                        if (outside)
                            tsr_vec_push(&found, v);
                    }
    n->ncaptured = (uint32_t)found.n;
    n->captured_as = tsr_arena_copy(&b->p->arena, found.data, found.n * sizeof *found.data);
    n->captured = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, found.n + 1);
    tsr_vec_free(&found);
}

/* The parameters of a collective; NULL: it is none, or what its body computes is not known. */
static const tsr_comm *comm_of(tsr_xbuilder *b, const tsr_op *op)
{
    tsr_comm with;
    bool known = tsr_comm_of(op, &with) && tsr_comm_is_known(&with);
    return known ? tsr_arena_copy(&b->p->arena, &with, sizeof with) : NULL;
}

static void other(tsr_xbuilder *b, tsr_op *op, const tsr_program *device)
{
    const tsr_comm *comm = comm_of(b, op);
    TSR_VEC(tsr_xid) in = {0};
    TSR_VEC(tsr_type *) types = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, tsr_x_whole(b, tsr_x_in(b, op, i)));
    tsr_node probe = {0};
    if (op->nregion)
        capture(b, op, &probe);
    for (uint32_t i = 0; i < probe.ncaptured; i++) {
        probe.captured[i] = tsr_x_whole(b, b->of[probe.captured_as[i]->id]);
        tsr_vec_push(&in, probe.captured[i]);
    }
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&types, op->out[i].type);
    int written = tsr_written_operand(op);
    if (written >= 0)
        tsr_vec_push(&types, op->in[written].value->type);
    tsr_node *n = tsr_x_node(b, comm ? TSR_NODE_COLLECTIVE : TSR_NODE_OTHER, op, in.data,
                             (uint32_t)in.n, types.data, (uint32_t)types.n);
    n->comm = comm;
    n->effect = tsr_has_effect(op);
    n->counts = op->def->opcode != TSR_UNREGISTERED && tsr_op_has(op, TSR_TRAIT(DIVIDES));
    n->captured = probe.captured;
    n->captured_as = probe.captured_as;
    n->ncaptured = probe.ncaptured;
    n->device = device;
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_x_set(b, op, i, n->out[i]);
    if (written >= 0) { /* the result replaces the operand from here on */
        tsr_xvalue_at(b, n->out[op->nout])->place = TSR_PLACE_TENSOR;
        b->of[op->in[written].value->id] = n->out[op->nout];
    }
    tsr_x_done(b, n);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
}

void tsr_x_other(tsr_xbuilder *b, tsr_op *op)
{
    other(b, op, NULL);
}

static bool all_plain(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (!tsr_x_plain(op->in[i].value->type))
            return false;
    for (uint32_t i = 0; i < op->nout; i++)
        if (!tsr_x_plain(op->out[i].type))
            return false;
    return true;
}

/* Whether a result has a block format: the evaluator's kernels round those. */
static bool gives_blocks(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        if (op->out[i].type->kind == TSR_TYPE_TENSOR && tsr_block_bits(op->out[i].type->elem))
            return true;
    return false;
}

/* The TTIR op that a TTNN op is equivalent to; op itself if there is none. */
static tsr_op *meaning(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_op *view = b->p->plan->views ? b->p->plan->views[op->id] : NULL;
    const tsr_ttnn_view *v = (const tsr_ttnn_view *)(const void *)view;
    bool all = view && !v->activation && !v->partial && tsr_kernel_of(view) && !gives_blocks(op);
    return all ? (tsr_op *)view : op;
}

/* Placement and deallocation of tensors do not affect values. */
bool exec_ttnn_convert(tsr_xbuilder *b, tsr_op *op)
{
    return !gives_blocks(op) && exec_ttir_typecast(b, op);
}

bool exec_ttnn_nothing(tsr_xbuilder *b, tsr_op *op)
{
    (void)b, (void)op;
    return true;
}

static tsr_op *build_ops(tsr_xbuilder *b, const tsr_block *block);

static const tsr_attr *mesh_of(const tsr_op *op)
{
    return tsr_sdy_common_mesh(
        op,
        (const tsr_attr *[]){tsr_attr_of(op, SDY_MANUAL_COMPUTATION_in_shardings)->attrs[0],
                             tsr_attr_of(op, SDY_MANUAL_COMPUTATION_out_shardings)->attrs[0]},
        2);
}

/* Inside another manual computation, devices are running already: each takes its parts and runs the body as its own
 * work; then devices along the manual axes combine the results. */
static bool nested_manual(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_block *body = op->regions[0].first;
    if (mesh_of(op) != mesh_of(b->p->function) || !all_plain(op) || body->nargs != op->nin ||
        body->next || !body->last || body->last->nin != op->nout)
        return false;
    TSR_VEC(tsr_xid) in = {0};
    TSR_VEC(tsr_type *) types = {0};
    bool plain = true;
    for (uint32_t i = 0; i < op->nin; i++) {
        plain &= tsr_x_plain(body->args[i]->type);
        tsr_vec_push(&in, tsr_x_in(b, op, i));
        tsr_vec_push(&types, body->args[i]->type);
    }
    for (uint32_t i = 0; i < op->nout; i++)
        plain &= tsr_x_plain(body->last->in[i].value->type);
    for (uint32_t i = 0; plain && i < op->nin; i++)
        in.data[i] = tsr_x_whole(b, in.data[i]);
    if (plain) {
        tsr_node *n =
            tsr_x_node(b, TSR_NODE_OTHER, op, in.data, op->nin, types.data, (uint32_t)types.n);
        n->manual = TSR_MANUAL_TAKE;
        for (uint32_t i = 0; i < op->nin; i++) {
            b->of[body->args[i]->id] = n->out[i];
            tsr_xvalue_at(b, n->out[i])->part = true;
        }
        tsr_x_done(b, n);
        const tsr_op *end = build_ops(b, body);
        in.n = types.n = 0;
        for (uint32_t i = 0; i < op->nout; i++) {
            tsr_vec_push(&in, tsr_x_whole(b, tsr_x_in(b, end, i)));
            tsr_vec_push(&types, op->out[i].type);
        }
        n = tsr_x_node(b, TSR_NODE_OTHER, op, in.data, op->nout, types.data, op->nout);
        n->manual = TSR_MANUAL_GIVE;
        n->effect = true; /* devices synchronize here, in the same order on each */
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_x_set(b, op, i, n->out[i]);
        tsr_x_done(b, n);
    }
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    return plain;
}

/* The evaluator's kernel splits operands and combines results; in between, the devices run a program, on a grid that
 * the run starts. */
bool exec_manual_computation(tsr_xbuilder *b, tsr_op *op)
{
    tsr_program *p = b->p;
    if (!tsr_attr_of(op, SDY_MANUAL_COMPUTATION_manual_axes)->attrs[0]->n)
        return tsr_x_body(b, op, op->regions[0].first);
    if (p->function->def == op->def)
        return nested_manual(b, op);
    if (!p->inner)
        p->inner = tsr_programs_new(p->module,
                                    &(tsr_program_options){.strict = p->strict,
                                                           .backend = p->backend,
                                                           .target = p->backend ? NULL : p->target,
                                                           .device = p->device,
                                                           .plan = p->plan});
    other(b, op, tsr_programs_get(p->inner, op));
    return true;
}

bool tsr_x_nothing(tsr_xbuilder *b, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        if (!tsr_x_plain(op->out[i].type) || tsr_type_num_elements(op->out[i].type))
            return false;
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_type *type = op->out[i].type;
        tsr_xid v = tsr_x_value(b, op->out[i].type, op);
        tsr_tensor *t = tsr_tensor_new(type->elem, type->dims, type->n);
        tsr_xvalue_at(b, v)->place = TSR_PLACE_CONSTANT;
        tsr_xvalue_at(b, v)->box = t;
        tsr_x_set(b, op, i, v);
        if (!t) { /* the evaluator reports it at run time */
            b->p->starved = true;
            return false;
        }
    }
    return true;
}

/* Results without elements need no kernel. */
static bool give_nothing(tsr_xbuilder *b, tsr_op *op)
{
    return op->nout && !op->nregion && tsr_kernel_of(op) && !tsr_has_effect(op) &&
           tsr_x_nothing(b, op);
}

bool tsr_x_is_call(const tsr_op *op)
{
    return rows[op->def->opcode].exec == exec_call;
}

bool tsr_x_is_reduce(const tsr_op *op)
{
    return rows[op->def->opcode].exec == exec_reduce;
}

/* By the op's hook, or its kernel. */
static bool make_nodes(tsr_xbuilder *b, tsr_op *op)
{
    bool plain = all_plain(op);
    uint8_t tile = rows[op->def->opcode].tile;
    exec_fn *exec = rows[op->def->opcode].exec;
    if (exec)
        return (plain || op->nregion || !op->nout || tsr_op_has(op, TSR_TRAIT(CALL))) &&
               exec(b, op);
    return plain && tile && tile_op(b, op, tile - 1);
}

bool tsr_x_elementwise(tsr_xbuilder *b, tsr_op *op)
{
    exec_fn *exec = rows[op->def->opcode].exec;
    if (tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE)))
        return exec_constant(b, op);
    bool one = exec ? exec == exec_compare || exec == exec_select || exec == exec_convert ||
                          exec == exec_real || exec == exec_imag || exec == exec_complex
                    : rows[op->def->opcode].tile != 0;
    bool counts = tsr_op_has(op, TSR_TRAIT(DIVIDES)) &&
                  !tsr_dtype_is_float(tsr_dtype_of(op->out[0].type->elem));
    return one && !counts && !op->nregion && !tsr_op_is_quantized(op) && make_nodes(b, op);
}

static bool make_quantized(tsr_xbuilder *b, tsr_op *op)
{
    if (tsr_computes_quantized(op))
        return all_plain(op) && tsr_x_dequantized(b, op, make_nodes);
    return (!op->nout || tsr_x_moves_any(rows[op->def->opcode].exec)) && make_nodes(b, op) &&
           tsr_x_requantized(b, op);
}

/* Takes back nodes from first on if the target lacks one of them. */
static bool keeps_nodes(tsr_xbuilder *b, size_t first)
{
    const tsr_target *t = b->p->target;
    bool has = true;
    for (size_t i = first; t->checked && i < b->p->nodes.n && has; i++)
        has = b->p->nodes.data[i].dead || tsr_target_has(t, b->p, &b->p->nodes.data[i]);
    for (size_t i = first; !has && i < b->p->nodes.n; i++) {
        tsr_node *n = &b->p->nodes.data[i];
        n->dead = true;
        n->effect = n->counts = false;
    }
    return has;
}

static void make_op(tsr_xbuilder *b, tsr_op *op)
{
    if (tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE)) && exec_constant(b, op))
        return;
    size_t first = b->p->nodes.n;
    int written = tsr_written_operand(op);
    tsr_xid old = written >= 0 ? tsr_x_in(b, op, (uint32_t)written) : TSR_XNONE;
    bool made = tsr_op_is_quantized(op) ? make_quantized(b, op) : make_nodes(b, op);
    if (made && keeps_nodes(b, first))
        return;
    if (written >= 0) /* what would have replaced it is taken back, too */
        b->of[op->in[written].value->id] = old;
    if (!give_nothing(b, op))
        tsr_x_other(b, op);
}

static void build_op(tsr_xbuilder *b, tsr_op *op)
{
    uint64_t hash;
    if (op->def->opcode == TSR_UNREGISTERED)
        tsr_x_other(b, op);
    else if (meaning(b, op) != op)
        make_op(b, meaning(b, op));
    else if (!tsr_x_find_same(b, op, &hash)) {
        make_op(b, op);
        tsr_x_note_same(b, op, hash);
    }
}

/* ---- Blocks and functions ---- */

static tsr_op *build_ops(tsr_xbuilder *b, const tsr_block *block)
{
    TSR_BLOCK_OPS (block, op) {
        if (tsr_op_has(op, TSR_TRAIT(RETURN_LIKE)) ||
            (tsr_op_has(op, TSR_TRAIT(TERMINATOR)) && !op->next))
            return op;
        build_op(b, op);
    }
    return NULL;
}

tsr_x_outside tsr_x_enter(tsr_xbuilder *b, const tsr_xid *args, uint32_t nargs)
{
    tsr_x_outside out = {b->block, b->effect, b->same.n};
    b->block = TSR_NEW(&b->p->arena, tsr_block_program);
    b->block->nargs = nargs;
    b->block->args = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, nargs + 1);
    for (uint32_t i = 0; i < nargs; i++)
        b->block->args[i] = args[i];
    b->effect = TSR_XNONE;
    return out;
}

tsr_block_program *tsr_x_leave(tsr_xbuilder *b, const tsr_x_outside *out, const tsr_xid *results,
                               uint32_t n)
{
    tsr_block_program *made = b->block;
    made->nresults = n;
    made->results = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        made->results[i] = tsr_x_whole(b, results[i]);
        tsr_xvalue *x = tsr_xvalue_at(b, tsr_storage_of(b->p, made->results[i]));
        if (x->place == TSR_PLACE_NOWHERE)
            x->place = TSR_PLACE_ARENA;
    }
    tsr_map_truncate(&b->same, out->same);
    b->block = out->block;
    b->effect = out->effect;
    return made;
}

tsr_block_program *tsr_x_region(tsr_xbuilder *b, const tsr_region *r, const tsr_xid *args)
{
    const tsr_block *block = r->first;
    tsr_x_outside out = tsr_x_enter(b, args, block->nargs);
    for (uint32_t i = 0; i < block->nargs; i++)
        b->of[block->args[i]->id] = args[i];
    tsr_op *end = build_ops(b, block);
    uint32_t n = end ? end->nin : 0;
    tsr_xid *results = TSR_NEW_ARRAY(&b->p->arena, tsr_xid, n + 1);
    for (uint32_t i = 0; i < n; i++)
        results[i] = tsr_x_in(b, end, i);
    return tsr_x_leave(b, &out, results, n);
}

void tsr_x_settle(tsr_xbuilder *b, tsr_block_program *body, const tsr_xid *args, uint32_t n)
{
    tsr_block_program *outer = b->block;
    b->block = body;
    enum { GIVEN = INT32_MAX };
    for (uint32_t k = 0; k < n; k++)
        tsr_xvalue_at(b, args[k])->mark = k + 1;
    for (uint32_t i = 0; i < n && i < body->nresults; i++) {
        tsr_xid s = tsr_storage_of(b->p, body->results[i]);
        const tsr_xvalue *x = tsr_xvalue_at(b, s);
        bool mixed = x->mark && x->mark != i + 1;
        if (mixed && x->n > 0 && tsr_xvalue_at(b, args[i])->place == TSR_PLACE_ARENA)
            body->results[i] = copy_of(b, body->results[i]);
        else
            tsr_xvalue_at(b, s)->mark = GIVEN;
        tsr_xvalue *given = tsr_xvalue_at(b, tsr_storage_of(b->p, body->results[i]));
        if (given->place == TSR_PLACE_NOWHERE)
            given->place = TSR_PLACE_ARENA;
    }
    for (uint32_t k = 0; k < n; k++)
        tsr_xvalue_at(b, args[k])->mark = 0;
    for (uint32_t i = 0; i < body->nresults; i++)
        tsr_xvalue_at(b, tsr_storage_of(b->p, body->results[i]))->mark = 0;
    b->block = outer;
}

static bool fits(const tsr_op *op, const tsr_block *block)
{
    return block && !block->next && block->nargs == op->nin && block->last &&
           block->last->nin == op->nout;
}

bool tsr_x_body(tsr_xbuilder *b, tsr_op *op, const tsr_block *block)
{
    if (!fits(op, block))
        return false;
    for (uint32_t i = 0; i < block->nargs; i++)
        b->of[block->args[i]->id] = tsr_x_in(b, op, i);
    tsr_op *end = build_ops(b, block);
    for (uint32_t i = 0; end && i < op->nout; i++)
        tsr_x_set(b, op, i, tsr_x_in(b, end, i));
    return end != NULL;
}

bool tsr_x_inline(tsr_xbuilder *b, tsr_op *op, const tsr_op *function)
{
    const tsr_block *block = function && function->nregion ? function->regions[0].first : NULL;
    if (!fits(op, block) || b->ninlined == TSR_INLINE_DEPTH)
        return false;
    /* Functions that call others twice, which do the same in turn, would become too large. */
    if (++b->ncalls + b->p->values.n > TSR_INLINE_LEAST + 4 * (uint64_t)b->p->module->nvalue)
        return false;
    /* A recursive function would be inlined forever, and the values of its calls would be mixed up. */
    for (uint32_t i = 0; i < b->ninlined; i++)
        if (b->inlined[i] == function)
            return false;
    const tsr_op *outer = b->function;
    b->inlined[b->ninlined++] = function;
    b->function = function;
    bool made = tsr_x_body(b, op, block);
    b->ninlined--;
    b->function = outer;
    return made;
}

/* A result of the function: in memory, separate from other results. */
static tsr_xid result_of(tsr_xbuilder *b, tsr_xid v, bool *owned)
{
    v = tsr_x_whole(b, v);
    tsr_xvalue *x = tsr_xvalue_at(b, tsr_storage_of(b->p, v));
    if (x->place == TSR_PLACE_NOWHERE)
        x->place = TSR_PLACE_ARENA;
    *owned = x->place == TSR_PLACE_ARENA && !x->is_result;
    if (*owned) {
        x->is_result = true;
        x->given_as = tsr_xvalue_at(b, v)->type;
    }
    return v;
}

static void build_function(tsr_xbuilder *b, const tsr_op *function)
{
    const tsr_block *block = function->regions[0].first;
    tsr_program *p = b->p;
    p->main.nargs = block->nargs;
    p->main.args = TSR_NEW_ARRAY(&p->arena, tsr_xid, block->nargs + 1);
    for (uint32_t i = 0; i < block->nargs; i++) {
        tsr_xid v = tsr_x_value(b, block->args[i]->type, NULL);
        tsr_xvalue *x = tsr_xvalue_at(b, v);
        x->place = TSR_PLACE_ARGUMENT;
        x->argument = i + 1;
        b->of[block->args[i]->id] = p->main.args[i] = v;
    }
    tsr_op *end = build_ops(b, block);
    p->main.nresults = end ? end->nin : 0;
    p->main.results = TSR_NEW_ARRAY(&p->arena, tsr_xid, p->main.nresults + 1);
    p->main.owned = TSR_NEW_ARRAY(&p->arena, bool, p->main.nresults + 1);
    for (uint32_t i = 0; i < p->main.nresults; i++)
        p->main.results[i] = result_of(b, tsr_x_in(b, end, i), &p->main.owned[i]);
}

/* Whether something runs on the evaluator's kernels. */
static bool needs_frames(const tsr_program *p)
{
    bool needs = false;
    for (size_t i = 0; i < p->nodes.n && !needs; i++) {
        const tsr_node *n = &p->nodes.data[i];
        needs = !n->dead && (tsr_is_kernel(n->kind) || n->kind == TSR_NODE_START);
    }
    return needs;
}

tsr_program *tsr_program_new(tsr_module *m, const tsr_op *function,
                             const tsr_program_options *options)
{
    tsr_program *p = tsr_xmalloc(sizeof *p);
    *p = (tsr_program){.module = m,
                       .function = function,
                       .strict = options && options->strict,
                       .ranks = options && options->ranks,
                       .unread = options && options->unread,
                       .target = options ? options->target : NULL,
                       .device = options ? options->device : NULL};
    if (!p->target) {
        p->backend = options && options->backend ? options->backend : &tsr_backend_cpu;
        p->target = p->backend->target;
    }
    tsr_arena_init(&p->arena);
    p->owns_plan = !options || !options->plan;
    p->plan = p->owns_plan ? tsr_plan_facts(m) : options->plan;
    tsr_xbuilder b = {.p = p, .block = &p->main, .function = function, .effect = TSR_XNONE};
    b.of = tsr_xmalloc((m->nvalue + 1) * sizeof *b.of);
    build_function(&b, function);
    tsr_map_free(&b.same);
    tsr_free(b.of);
    tsr_program_finish(p);
    if (!p->unread && needs_frames(p))
        tsr_plan_frames(p->plan, m);
    bool fits = !p->device || tsr_program_upload(p, &p->unfit);
    if (fits && p->backend && p->backend->prepare)
        p->backend->prepare(p, p->device, &p->code, &p->unfit);
    return p;
}

void tsr_program_free(tsr_program *p)
{
    if (!p)
        return;
    if (p->device)
        (void)p->device->synchronize(p->device); /* runs whose results stay there */
    if (p->code)
        p->backend->discard(p->code);
    tsr_free(p->lasting);
    for (size_t i = 0; i < p->values.n; i++)
        tsr_tensor_unref(p->values.data[i].box);
    for (size_t i = 0; i < p->groups.n; i++) {
        tsr_vec_free(&p->groups.data[i].nodes);
        tsr_vec_free(&p->groups.data[i].users);
    }
    tsr_vec_free(&p->values);
    tsr_vec_free(&p->nodes);
    tsr_vec_free(&p->groups);
    tsr_programs_free(p->inner);
    tsr_plan_free(p->owns_plan ? p->plan : NULL);
    tsr_arena_free(&p->arena);
    tsr_free(p);
}
