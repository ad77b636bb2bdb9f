/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c - reductions whose body is no single op, or has several operands: log-sum-exp, means with counts, products of
 * complex numbers.
 *
 * A loop over the reduced elements runs the body's ops on vectors of all results. Elements are combined in the order of
 * the reference (eval/kernel/reduce.c, window.c): where there are few results, pieces of the reduced elements first. */
#include "eval/body.h"
#include "eval/plan.h"
#include "exec/compile/value.h"

enum {
    MOST = 16, /* operands */
    PIECE =
        64, /* elements of a piece, and the number of results below which there are pieces: as in the reference */
    SHORT = 4096,
};

typedef struct {
    tsr_xbuilder *b;
    tsr_op *op;
    const tsr_block *body;
    uint32_t n;            /* number of operands */
    const int64_t *result; /* the shape of the vectors */
    size_t rank;
    tsr_xid in[MOST];
    /* Of dimensions and scans: an iteration takes the elements at its number, plus first, along dimension axis. */
    size_t axis;
    int64_t first;
    bool backwards;        /* from the last element on */
    const tsr_x_window *w; /* of windows */
} fold;

/* ---- The body ---- */

/* The body's op on vectors. Values that are one number for all results stay so. */
static tsr_op *on_vectors(const fold *f, const tsr_op *op)
{
    tsr_xbuilder *b = f->b;
    tsr_arena *a = &b->p->arena;
    tsr_ctx *ctx = b->p->module->ctx;
    tsr_op *made = tsr_arena_copy(a, op, sizeof *op);
    tsr_value *operands = TSR_NEW_ARRAY(a, tsr_value, op->nin + 1);
    made->in = tsr_arena_copy(a, op->in, op->nin * sizeof *op->in);
    made->out = tsr_arena_copy(a, op->out, sizeof *op->out);
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_xvalue *x = tsr_xvalue_at(b, tsr_x_in(b, op, i));
        operands[i] = *op->in[i].value;
        operands[i].type = tsr_type_tensor(ctx, x->dims, x->rank, operands[i].type->elem, NULL);
        made->in[i].value = &operands[i];
    }
    made->out[0].type = tsr_type_tensor(ctx, f->result, f->rank, op->out[0].type->elem, NULL);
    return made;
}

static bool is_number(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR && !t->n;
}

/* Builds the ops of a body, or of a function that it calls. */
static bool run_ops(const fold *f, const tsr_block *block, int depth)
{
    enum { DEEP = 8 };
    tsr_xbuilder *b = f->b;
    TSR_BLOCK_OPS (block, op) {
        if (op == block->last)
            break;
        if (op->def->opcode == TSR_UNREGISTERED)
            return false;
        const tsr_block *called = tsr_x_is_call(op) ? tsr_x_called(b, op) : NULL;
        if (called) {
            for (uint32_t i = 0; i < op->nin; i++)
                b->of[called->args[i]->id] = tsr_x_in(b, op, i);
            if (depth == DEEP || !run_ops(f, called, depth + 1))
                return false;
            for (uint32_t i = 0; i < op->nout; i++)
                tsr_x_set(b, op, i, tsr_x_in(b, called->last, i));
            continue;
        }
        bool constant = tsr_op_has(op, TSR_TRAIT(CONSTANT_LIKE));
        if (op->nout != 1 || !is_number(op->out[0].type) ||
            !tsr_x_elementwise(b, constant ? op : on_vectors(f, op)))
            return false;
        if (!constant)
            tsr_xvalue_at(b, tsr_storage_of(b->p, b->of[op->out[0].id]))->part = true;
    }
    return true;
}

/* out = body(sums, elements), both vectors. */
static bool run_body(const fold *f, const tsr_xid *sums, const tsr_xid *elements, tsr_xid *out)
{
    tsr_xbuilder *b = f->b;
    for (uint32_t i = 0; i < f->n; i++) {
        b->of[f->body->args[i]->id] = sums[i];
        b->of[f->body->args[f->n + i]->id] = elements[i];
    }
    if (!run_ops(f, f->body, 0))
        return false;
    for (uint32_t i = 0; i < f->n; i++)
        out[i] = tsr_x_spread(b, f->op, tsr_x_in(b, f->body->last, i), f->result, f->rank);
    return true;
}

/* Whether the body computes numbers from pairs, in the types of the operands. */
static bool fits(fold *f)
{
    const tsr_region *r = &f->op->regions[0];
    f->n = f->op->nin / 2;
    f->body = r->first;
    bool ok = f->body && !f->body->next && f->n && f->n <= MOST && f->op->nout == f->n &&
              f->op->nin == 2 * f->n && f->body->nargs == 2 * f->n && f->body->last &&
              f->body->last->nin == f->n;
    for (uint32_t i = 0; ok && i < f->n; i++) {
        const tsr_type *elem = f->op->in[i].value->type->elem;
        const tsr_xvalue *x = tsr_xvalue_at(f->b, tsr_x_in(f->b, f->op, i));
        ok = x->n > 0 && x->rank <= TSR_VIEW_RANK &&
             f->op->in[f->n + i].value->type->elem == elem && f->op->out[i].type->elem == elem &&
             f->body->args[i]->type->elem == elem && f->body->args[f->n + i]->type->elem == elem &&
             f->body->last->in[i].value->type->elem == elem &&
             tsr_type_num_elements(f->op->out[i].type) > 0;
    }
    f->result = ok ? f->op->out[0].type->dims : NULL;
    f->rank = ok ? f->op->out[0].type->n : 0;
    return ok && f->rank + 2 <= TSR_VIEW_RANK;
}

/* The initial values as vectors; false: there are operands that could not be prepared. */
static bool start(const fold *f, tsr_xid *values)
{
    for (uint32_t i = 0; i < f->n; i++) {
        values[i] = tsr_x_spread(f->b, f->op, tsr_x_in(f->b, f->op, f->n + i), f->result, f->rank);
        if (values[i] == TSR_XNONE || f->in[i] == TSR_XNONE)
            return false;
    }
    return true;
}

static bool give(const fold *f, const tsr_xid *values)
{
    for (uint32_t i = 0; i < f->n; i++) {
        tsr_xvalue_at(f->b, values[i])->part = false;
        tsr_x_set(f->b, f->op, i, values[i]);
    }
    return true;
}

/* Start indices of a box that is one element wide along the axis. */
static void place(const fold *f, tsr_xid i, size_t rank, tsr_xid *at)
{
    int64_t last = tsr_xvalue_at(f->b, f->in[0])->dims[f->axis] - 1;
    tsr_xid first = tsr_x_integer(f->b, f->op, TSR_D_I64, f->backwards ? last : f->first);
    if (f->backwards)
        i = tsr_x_apply2(f->b, f->op, TSR_TILE_subtract, first, i);
    else if (f->first)
        i = tsr_x_apply2(f->b, f->op, TSR_TILE_add, first, i);
    for (size_t d = 0; d < rank; d++)
        at[d] = d == f->axis ? i : tsr_x_integer(f->b, f->op, TSR_D_I64, 0);
}

/* The elements of one iteration; at: room for start indices after the operand. */
static bool take(const fold *f, tsr_xid i, tsr_xid *at, tsr_xid *lines)
{
    tsr_xvalue x = *tsr_xvalue_at(f->b, f->in[0]);
    int64_t box[TSR_VIEW_RANK];
    for (uint8_t d = 0; d < x.rank; d++)
        box[d] = d == f->axis ? 1 : x.dims[d];
    place(f, i, x.rank, at + 1);
    for (uint32_t k = 0; k < f->n; k++) {
        at[0] = f->in[k];
        tsr_xid line =
            tsr_x_moved(f->b, f->op, TSR_MOVE_DYNAMIC_SLICE, at, x.rank + 1u, NULL, 0, box, x.rank);
        lines[k] = tsr_x_reshaped(f->b, f->op, line, f->result, f->rank);
        if (lines[k] == TSR_XNONE)
            return false;
    }
    return true;
}

/* ---- Reductions of dimensions ---- */

static bool next_line(void *ctx, tsr_xid i, const tsr_xid *in, tsr_xid *out)
{
    const fold *f = ctx;
    tsr_xid lines[MOST], at[TSR_VIEW_RANK + 1];
    return take(f, i, at, lines) && run_body(f, in, lines, out);
}

/* Reduces each PIECE of rows to one; the remaining rows follow. */
static bool shrink(fold *f, int64_t *rows)
{
    fold g = *f;
    tsr_xbuilder *b = f->b;
    int64_t pieces = *rows / PIECE, zeros[TSR_VIEW_RANK] = {0}, ones[TSR_VIEW_RANK],
            dims[TSR_VIEW_RANK] = {pieces, PIECE}, result[TSR_VIEW_RANK] = {pieces};
    tsr_xid values[MOST], both[2];
    memcpy(dims + 2, f->result, f->rank * sizeof *dims);
    memcpy(result + 1, f->result, f->rank * sizeof *dims);
    for (size_t d = 0; d < TSR_VIEW_RANK; d++)
        ones[d] = 1;
    g.result = result;
    g.rank = f->rank + 1;
    g.axis = g.first = 1;
    for (uint32_t i = 0; i < f->n; i++) {
        int64_t size[TSR_VIEW_RANK] = {pieces * PIECE};
        memcpy(size + 1, f->result, f->rank * sizeof *size);
        tsr_xid part = tsr_x_sliced(b, f->op, f->in[i], zeros, ones, size);
        g.in[i] = tsr_x_reshaped(b, f->op, part, dims, f->rank + 2);
        memcpy(size, dims, sizeof size);
        size[1] = 1;
        values[i] = tsr_x_reshaped(b, f->op, tsr_x_sliced(b, f->op, g.in[i], zeros, ones, size),
                                   result, g.rank);
        if (values[i] == TSR_XNONE)
            return false;
    }
    if (!tsr_x_repeat(b, f->op, PIECE - 1, values, f->n, next_line, &g))
        return false;
    int64_t rest = *rows % PIECE, begin[TSR_VIEW_RANK] = {pieces * PIECE}, dim = 0;
    result[0] = rest;
    for (uint32_t i = 0; i < f->n; i++) {
        both[0] = values[i];
        both[1] = rest ? tsr_x_sliced(b, f->op, f->in[i], begin, ones, result) : TSR_XNONE;
        int64_t all[TSR_VIEW_RANK] = {pieces + rest};
        memcpy(all + 1, f->result, f->rank * sizeof *all);
        f->in[i] = rest ? tsr_x_moved(b, f->op, TSR_MOVE_CONCATENATE, both, 2, &dim, 1, all, g.rank)
                        : both[0];
        if (f->in[i] == TSR_XNONE)
            return false;
    }
    *rows = pieces + rest;
    return true;
}

/* Then the reference runs the body element by element. */
static bool has_calls(const fold *f)
{
    TSR_BLOCK_OPS (f->body, op)
        if (op->def->opcode != TSR_UNREGISTERED && tsr_x_is_call(op))
            return true;
    return false;
}

/* Reduced dimensions first, as one. */
static int64_t set_rows(fold *f)
{
    tsr_xbuilder *b = f->b;
    const tsr_attr *gone = tsr_attr_of(f->op, STABLEHLO_REDUCE_dimensions);
    const tsr_xvalue *x = tsr_xvalue_at(b, tsr_x_in(b, f->op, 0));
    int64_t order[TSR_VIEW_RANK], dims[TSR_VIEW_RANK], count = 1;
    bool reduced[TSR_VIEW_RANK] = {false};
    size_t n = 0, rank = x->rank;
    for (int64_t i = 0; i < tsr_attr_count(gone); i++)
        reduced[tsr_attr_int_at(gone, (size_t)i)] = true;
    for (int kept = 0; kept < 2; kept++)
        for (size_t i = 0; i < rank; i++)
            if (reduced[i] == !kept) {
                order[n++] = (int64_t)i;
                count *= kept ? 1 : x->dims[i];
            }
    dims[0] = count;
    memcpy(dims + 1, f->result, f->rank * sizeof *dims);
    for (uint32_t i = 0; i < f->n; i++)
        f->in[i] = tsr_x_reshaped(b, f->op, tsr_x_permuted(b, f->op, tsr_x_in(b, f->op, i), order),
                                  dims, f->rank + 1);
    return count;
}

bool tsr_x_reduce_by_body(tsr_xbuilder *b, tsr_op *op)
{
    fold f = {.b = b, .op = op};
    tsr_xid values[MOST];
    if (!fits(&f))
        return false;
    int64_t rows = set_rows(&f), width = tsr_type_num_elements(op->out[0].type);
    while (!has_calls(&f) && width < SHORT && rows >= 2 * PIECE)
        if (!shrink(&f, &rows))
            return false;
    return start(&f, values) && tsr_x_repeat(b, op, rows, values, f.n, next_line, &f) &&
           give(&f, values);
}

/* ---- Scans ---- */

/* Whether all values of the body are computed in it. */
static bool is_closed(const fold *f)
{
    TSR_BLOCK_OPS (f->body, op)
        for (uint32_t i = 0; i < op->nin; i++) {
            const tsr_value *v = op->in[i].value;
            if ((v->is_arg ? v->block : v->op->block) != f->body)
                return false;
        }
    return true;
}

/* Whether the body maps two initial values to the initial value, as the reference finds out when it runs: then padding
 * in front of a scan can be skipped. */
static bool keeps_init(const fold *f)
{
    tsr_tensor *args[2 * MOST] = {NULL}, *out[MOST] = {NULL};
    tsr_eval e;
    tsr_frame frame = {0};
    tsr_plan_frames(f->b->p->plan, f->b->p->module);
    tsr_eval_init(&e, f->b->p->module, f->b->p->plan);
    tsr_call c = {.e = &e, .op = f->op, .frame = &frame};
    tsr_body body;
    int64_t one = 1;
    bool ok = is_closed(f) && tsr_body_init(&body, &c, &f->op->regions[0]);
    for (uint32_t i = 0; ok && i < 2 * f->n; i++) {
        const tsr_xvalue *x = tsr_xvalue_at(f->b, tsr_x_in(f->b, f->op, f->n + i % f->n));
        ok = x->place == TSR_PLACE_SPLAT &&
             (args[i] = tsr_tensor_new(x->type->elem, &one, 1)) != NULL;
        if (ok)
            memcpy(args[i]->data, x->bits, tsr_tensor_bytes(args[i]));
    }
    ok = ok && tsr_frame_init(&frame, f->b->p->plan, f->op) &&
         tsr_body_run(&body, args, 2 * f->n, 1, out, f->n);
    for (uint32_t i = 0; ok && i < f->n; i++)
        ok = !memcmp(out[i]->data, args[i]->data, tsr_tensor_bytes(args[i]));
    for (uint32_t i = 0; i < 2 * f->n; i++)
        tsr_tensor_unref(args[i]);
    for (uint32_t i = 0; i < f->n; i++)
        tsr_tensor_unref(out[i]);
    tsr_frame_free(&frame);
    tsr_eval_free(&e);
    return ok;
}

/* The next sums, and results with these sums. */
static bool next_sum(void *ctx, tsr_xid i, const tsr_xid *in, tsr_xid *out)
{
    const fold *f = ctx;
    tsr_xid lines[MOST], at[TSR_VIEW_RANK + 2];
    if (!take(f, i, at + 1, lines) ||
        !run_body(f, f->backwards ? lines : in, f->backwards ? in : lines, out))
        return false;
    for (uint32_t k = 0; k < f->n; k++) {
        const tsr_xvalue *x = tsr_xvalue_at(f->b, in[f->n + k]);
        at[0] = in[f->n + k];
        at[1] = out[k];
        out[f->n + k] = tsr_x_moved(f->b, f->op, TSR_MOVE_UPDATE_SLICE, at, x->rank + 2u, NULL, 0,
                                    x->dims, x->rank);
        if (out[f->n + k] == TSR_XNONE)
            return false;
    }
    return true;
}

static bool give_scan(fold *f, size_t axis, bool backwards)
{
    tsr_xid values[2 * MOST];
    int64_t line[TSR_VIEW_RANK];
    const int64_t *dims = f->result;
    memcpy(line, dims, f->rank * sizeof *line);
    line[axis] = 1;
    f->axis = axis;
    f->backwards = backwards;
    f->result = line;
    if (!start(f, values))
        return false;
    for (uint32_t i = 0; i < f->n; i++)
        values[f->n + i] =
            tsr_x_spread(f->b, f->op, tsr_x_in(f->b, f->op, f->n + i), dims, f->rank);
    return tsr_x_repeat(f->b, f->op, dims[axis], values, 2 * f->n, next_sum, f) &&
           give(f, values + f->n);
}

/* ---- Reductions of windows ---- */

/* The elements at one position of all windows. */
static bool next_position(void *ctx, tsr_xid i, const tsr_xid *in, tsr_xid *out)
{
    const fold *f = ctx;
    const tsr_x_window *w = f->w;
    tsr_xid lines[MOST], at[TSR_VIEW_RANK + 1];
    int64_t box[TSR_VIEW_RANK], zeros[TSR_VIEW_RANK] = {0}, after = 1;
    for (int d = w->rank - 1; d >= 0; after *= w->size[d--]) {
        box[d] = (w->out[d] - 1) * w->stride[d] + 1;
        tsr_xid k = tsr_x_with(f->b, f->op, TSR_TILE_divide, i, (double)after);
        k = tsr_x_with(f->b, f->op, TSR_TILE_remainder, k, (double)w->size[d]);
        at[d + 1] = w->size[d] == 1
                        ? tsr_x_integer(f->b, f->op, TSR_D_I64, 0)
                        : tsr_x_with(f->b, f->op, TSR_TILE_multiply, k, (double)w->dilation[d]);
    }
    for (uint32_t k = 0; k < f->n; k++) {
        at[0] = f->in[k];
        tsr_xid line = tsr_x_moved(f->b, f->op, TSR_MOVE_DYNAMIC_SLICE, at, w->rank + 1u, NULL, 0,
                                   box, w->rank);
        lines[k] = tsr_x_sliced(f->b, f->op, line, zeros, w->stride, w->out);
        if (lines[k] == TSR_XNONE)
            return false;
    }
    return run_body(f, in, lines, out);
}

static bool give_windows(fold *f, const tsr_x_window *w)
{
    int64_t numbers[2 * TSR_VIEW_RANK] = {0}, dims[TSR_VIEW_RANK], times = 1;
    tsr_xid values[MOST];
    f->w = w;
    for (uint8_t i = 0; i < w->rank; i++) {
        numbers[i] = w->low[i];
        numbers[w->rank + i] = w->base[i] - 1;
        dims[i] = (w->out[i] - 1) * w->stride[i] + (w->size[i] - 1) * w->dilation[i] + 1;
        if (__builtin_mul_overflow(times, w->size[i], &times) || times > INT32_MAX)
            return false;
    }
    for (uint32_t i = 0; i < f->n; i++) {
        tsr_xid in[2] = {f->in[i], tsr_x_in(f->b, f->op, f->n + i)};
        f->in[i] =
            tsr_x_moved(f->b, f->op, TSR_MOVE_PAD, in, 2, numbers, 2u * w->rank, dims, w->rank);
        if (f->in[i] == TSR_XNONE)
            return false;
    }
    return start(f, values) && tsr_x_repeat(f->b, f->op, times, values, f->n, next_position, f) &&
           give(f, values);
}

bool tsr_x_window_by_body(tsr_xbuilder *b, tsr_op *op, const tsr_x_window *w, int axis,
                          bool backwards)
{
    fold f = {.b = b, .op = op};
    if (!fits(&f))
        return false;
    for (uint32_t i = 0; i < f.n; i++)
        f.in[i] = tsr_x_in(b, op, i);
    return axis >= 0 && keeps_init(&f) ? give_scan(&f, (size_t)axis, backwards)
                                       : give_windows(&f, w);
}
