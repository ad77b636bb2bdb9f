/* SPDX-License-Identifier: Apache-2.0 */
/* space.c - ttnn-memory-management: reduces the memory that tensors take on a device. Slices move up, before ops that
 * move, repeat or join elements that are cut away; repeats and sums get shapes that need fewer tiles; large moves use
 * row-major layout, which is not padded. */
#include "pass/ttnn/nn.h"

/* ---- Slices, by dimension ---- */

typedef struct {
    size_t n;
    int64_t begin[TSR_TTIR_RANK], end[TSR_TTIR_RANK], step[TSR_TTIR_RANK], size[TSR_TTIR_RANK];
} slice;

static bool slice_of(const tsr_op *op, slice *s)
{
    const tsr_value *v = tsr_rw_in(op, 0);
    const tsr_attr *begin = op->attrs[TTNN_SLICE_STATIC_begins],
                   *end = op->attrs[TTNN_SLICE_STATIC_ends],
                   *step = op->attrs[TTNN_SLICE_STATIC_step];
    if (!tsr_nn_tensor(v) || !tsr_nn_tensor(&op->out[0]) || op->out[0].type->n != v->type->n ||
        begin->n != v->type->n || end->n != v->type->n || step->n != v->type->n)
        return false;
    s->n = v->type->n;
    for (size_t i = 0; i < s->n; i++) {
        int64_t whole = v->type->dims[i];
        s->begin[i] = begin->attrs[i]->i + (begin->attrs[i]->i < 0 ? whole : 0);
        s->end[i] = end->attrs[i]->i + (end->attrs[i]->i < 0 ? whole : 0);
        s->step[i] = step->attrs[i]->i;
        s->size[i] = op->out[0].type->dims[i];
        if (s->begin[i] < 0 || s->begin[i] >= s->end[i] || s->end[i] > whole || s->step[i] < 1)
            return false;
    }
    return true;
}

/* Takes all of dimension i of the operand. */
static void take_whole(slice *s, size_t i, int64_t size)
{
    s->begin[i] = 0;
    s->end[i] = s->size[i] = size;
    s->step[i] = 1;
}

static bool is_whole(const slice *s, size_t i, int64_t size)
{
    return s->size[i] == size;
}

static tsr_value *sliced(tsr_build *b, tsr_value *v, const slice *s)
{
    return tsr_nn_slice(b, v, s->begin, s->end, s->step);
}

/* The definition of a slice's operand, if only slices use it. */
static tsr_op *def_of_slices(const tsr_op *op, uint16_t opcode)
{
    tsr_op *def = tsr_rw_def_is(tsr_rw_in(op, 0), opcode);
    for (const tsr_use *u = def ? def->out[0].uses : NULL; u; u = u->next)
        if (!tsr_op_is(u->user, TSR_OP_TTNN_SLICE_STATIC))
            return NULL;
    return def && tsr_nn_tensor(tsr_rw_in(def, 0)) ? def : NULL;
}

/* Replaces a slice of def's result by def of a slice of its operand. */
static bool moved_up(tsr_rewriter *r, tsr_op *op, tsr_op *def, const slice *s)
{
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *v = sliced(&n.b, tsr_rw_in(def, 0), s);
    tsr_op *made = tsr_nn_copy(&n.b, def, &v, 1, &op->out[0].type);
    if (tsr_op_is(made, TSR_OP_TTNN_RESHAPE))
        made->attrs[TTNN_RESHAPE_shape] =
            tsr_ttir_i32s(r->ctx, op->out[0].type->dims, op->out[0].type->n);
    return tsr_nn_becomes(&n, &made->out[0]);
}

/* slice(permute(x)) -> permute(slice(x)) */
bool rule_nn_slice_of_permute(tsr_rewriter *r, tsr_op *op)
{
    slice s, before;
    tsr_op *def = def_of_slices(op, TSR_OP_TTNN_PERMUTE);
    if (!def || !slice_of(op, &s))
        return false;
    before = s;
    for (size_t i = 0; i < s.n; i++) {
        size_t from = (size_t)tsr_attr_int_at(def->attrs[TTNN_PERMUTE_permutation], i);
        before.begin[from] = s.begin[i];
        before.end[from] = s.end[i];
        before.step[from] = s.step[i];
        before.size[from] = s.size[i];
    }
    return moved_up(r, op, def, &before);
}

/* slice(repeat(x)) -> repeat(slice(x)), unless it cuts a repeated dimension */
bool rule_nn_slice_of_repeat(tsr_rewriter *r, tsr_op *op)
{
    slice s;
    tsr_op *def = def_of_slices(op, TSR_OP_TTNN_REPEAT);
    if (!def || !slice_of(op, &s) || s.n < 2 || tsr_rw_in(def, 0)->type->n != s.n)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        int64_t one = tsr_rw_in(def, 0)->type->dims[i], all = def->out[0].type->dims[i];
        if (one == all)
            continue;
        if (!is_whole(&s, i, all))
            return false;
        take_whole(&s, i, one);
    }
    return moved_up(r, op, def, &s);
}

/* ---- Reshapes, by runs of dimensions that hold the same elements ---- */

typedef struct {
    size_t in, nin, out, nout; /* nin 0: a new dimension of size 1; nout 0: a removed one */
} run;

/* The runs of two shapes with equally many elements; 0: there are none. */
static size_t runs_of(const tsr_type *from, const tsr_type *to, run *runs)
{
    size_t i = 0, k = 0, n = 0;
    while (i < from->n || k < to->n) {
        if (k < to->n && to->dims[k] == 1 && (i == from->n || from->dims[i] != 1)) {
            runs[n++] = (run){i, 0, k, 1};
            k++;
            continue;
        }
        if (i < from->n && from->dims[i] == 1 && (k == to->n || to->dims[k] != 1)) {
            runs[n++] = (run){i, 1, k, 0};
            i++;
            continue;
        }
        if (i == from->n || k == to->n)
            return 0;
        run *g = &runs[n++];
        *g = (run){i, 1, k, 1};
        int64_t left = from->dims[i++], right = to->dims[k++];
        while (left != right)
            if (left < right && i < from->n) {
                left *= from->dims[i++];
                g->nin++;
            } else if (left > right && k < to->n) {
                right *= to->dims[k++];
                g->nout++;
            } else {
                return 0;
            }
    }
    return n;
}

/* slice(reshape(x)) -> reshape(slice(x)), if it only cuts dimensions that the reshape keeps */
bool rule_nn_slice_of_reshape(tsr_rewriter *r, tsr_op *op)
{
    slice s, before;
    run runs[2 * TSR_TTIR_RANK];
    tsr_op *def = def_of_slices(op, TSR_OP_TTNN_RESHAPE);
    if (!def || !slice_of(op, &s))
        return false;
    const tsr_type *in = tsr_rw_in(def, 0)->type, *out = def->out[0].type;
    size_t n = runs_of(in, out, runs);
    before.n = in->n;
    for (size_t i = 0; i < in->n; i++)
        take_whole(&before, i, in->dims[i]);
    for (size_t k = 0; k < n; k++) {
        bool whole = true;
        size_t i = runs[k].in, o = runs[k].out;
        for (size_t d = o; d < o + runs[k].nout; d++)
            whole &= is_whole(&s, d, out->dims[d]);
        if (whole || !runs[k].nin)
            continue;
        if (runs[k].nin != 1 || runs[k].nout != 1)
            return false;
        before.begin[i] = s.begin[o];
        before.end[i] = s.end[o];
        before.step[i] = s.step[o];
        before.size[i] = s.size[o];
    }
    return n && moved_up(r, op, def, &before);
}

/* ---- Sums and products of elements ---- */

static tsr_op *joins_elements(const tsr_value *v)
{
    static const uint16_t opcodes[] = {TSR_OP_TTNN_ADD, TSR_OP_TTNN_MULTIPLY, TSR_OP_TTNN_SUBTRACT,
                                       TSR_OP_TTNN_DIVIDE};
    for (size_t i = 0; i < TSR_COUNT(opcodes); i++)
        if (tsr_rw_def_is(v, opcodes[i]))
            return v->op;
    return NULL;
}

/* slice(add(x, y)) -> add(slice(x), slice(y)); broadcast operands stay */
bool rule_nn_slice_of_elements(tsr_rewriter *r, tsr_op *op)
{
    slice s, parts[2];
    tsr_op *def = joins_elements(tsr_rw_in(op, 0));
    if (!def || !def_of_slices(op, def->def->opcode) || !slice_of(op, &s))
        return false;
    for (uint32_t k = 0; k < 2; k++) {
        const tsr_type *t = tsr_rw_in(def, k)->type;
        parts[k] = s;
        if (!tsr_nn_tensor(tsr_rw_in(def, k)) || t->n != s.n)
            return false;
        for (size_t i = 0; i < s.n; i++)
            if (t->dims[i] == 1)
                take_whole(&parts[k], i, 1);
            else if (t->dims[i] != def->out[0].type->dims[i])
                return false;
    }
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *in[2];
    for (uint32_t k = 0; k < 2; k++) {
        const tsr_type *t = tsr_rw_in(def, k)->type;
        bool all = true;
        for (size_t i = 0; i < s.n; i++)
            all &= is_whole(&parts[k], i, t->dims[i]);
        in[k] = all ? tsr_rw_in(def, k) : sliced(&n.b, tsr_rw_in(def, k), &parts[k]);
    }
    return tsr_nn_becomes(&n, &tsr_nn_copy(&n.b, def, in, 2, &op->out[0].type)->out[0]);
}

/* Elements including the padding of tiles. */
static int64_t stored(const tsr_type *t)
{
    int64_t all = 1;
    for (size_t i = 0; i < t->n; i++)
        all *= i + 2 < t->n ? t->dims[i] : tsr_nn_round_up(t->dims[i], TSR_TTNN_TILE);
    return all;
}

/* The shape of an operand in the shape to; false: in some run it is neither whole nor 1. */
static bool operand_shape(const tsr_type *t, const tsr_type *to, const run *runs, size_t n,
                          int64_t *dims)
{
    for (size_t k = 0; k < n; k++) {
        const run *g = &runs[k];
        int64_t here = 1, there = 1;
        for (size_t i = 0; i < g->nin; i++)
            here *= t->dims[g->in + i];
        for (size_t i = 0; i < g->nout; i++)
            there *= to->dims[g->out + i];
        if (here != there && here != 1)
            return false;
        for (size_t i = 0; i < g->nout; i++)
            dims[g->out + i] = here == there ? to->dims[g->out + i] : 1;
    }
    return true;
}

/* reshape(add(x, y)) -> add(reshape(x), reshape(y)), if that takes fewer tiles */
bool rule_nn_reshape_of_elements(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *def = joins_elements(tsr_rw_in(op, 0));
    run runs[2 * TSR_TTIR_RANK];
    int64_t dims[2][TSR_TTIR_RANK];
    const tsr_type *to = op->out[0].type;
    if (!def || !tsr_rw_one_use(&def->out[0]) || !tsr_nn_tensor(&op->out[0]) ||
        !tsr_nn_tensor(&def->out[0]) || stored(to) >= stored(def->out[0].type))
        return false;
    size_t count = runs_of(def->out[0].type, to, runs);
    for (uint32_t k = 0; k < 2; k++)
        if (!count || !tsr_nn_tensor(tsr_rw_in(def, k)) ||
            tsr_rw_in(def, k)->type->n != def->out[0].type->n ||
            !operand_shape(tsr_rw_in(def, k)->type, to, runs, count, dims[k]))
            return false;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *in[2];
    for (uint32_t k = 0; k < 2; k++) {
        tsr_value *x = tsr_rw_in(def, k);
        tsr_op *same = tsr_nn_single(x, TSR_OP_TTNN_RESHAPE);
        x = same ? tsr_rw_in(same, 0) : x;
        in[k] = tsr_ttir_shape_is(x, dims[k], to->n) ? x : tsr_nn_reshape(&n.b, x, dims[k], to->n);
    }
    return tsr_nn_becomes(&n, &tsr_nn_copy(&n.b, def, in, 2, &op->out[0].type)->out[0]);
}

/* ---- Repeats ---- */

/* Repeats along the last two dimensions instead of dimensions of size 1 before them: this fills tiles instead of
 * padding. */
bool rule_nn_repeat_inside(tsr_rewriter *r, tsr_op *op)
{
    const tsr_value *x = tsr_rw_in(op, 0);
    const tsr_type *t = x->type, *out = op->out[0].type;
    int64_t times[TSR_TTIR_RANK];
    bool changed = false;
    if (!tsr_nn_tensor(x) || !tsr_nn_tensor(&op->out[0]) || t->n < 3 || out->n != t->n ||
        !op->out[0].uses ||
        (out->dims[t->n - 1] % TSR_TTNN_TILE == 0 && out->dims[t->n - 2] % TSR_TTNN_TILE == 0))
        return false;
    for (const tsr_use *u = op->out[0].uses; u; u = u->next)
        if (!tsr_op_is(u->user, TSR_OP_TTNN_RESHAPE))
            return false;
    for (size_t i = 0; i < t->n; i++)
        times[i] = t->dims[i] ? out->dims[i] / t->dims[i] : 1;
    for (size_t from = 0; from + 2 < t->n; from++)
        for (size_t to = t->n - 2; to < t->n && times[from] > 1 && t->dims[from] == 1; to++) {
            bool near = t->dims[to] == 1 && times[to] == 1;
            for (size_t i = from + 1; i < to; i++)
                near &= t->dims[i] == 1;
            if (!near)
                continue;
            times[to] = times[from];
            times[from] = 1;
            changed = true;
        }
    if (!changed)
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    return tsr_nn_becomes(&n, tsr_nn_repeat(&n.b, tsr_rw_in(op, 0), times));
}

/* ---- One reshape for several slices ---- */

/* Whether the slice takes one element of dimension dim and all others whole, and its only user is a reshape to this
 * type without dim. */
static tsr_op *drops(const tsr_op *op, size_t dim, const tsr_type *to)
{
    slice s;
    const tsr_value *v = &op->out[0];
    if (!tsr_op_is(op, TSR_OP_TTNN_SLICE_STATIC) || !slice_of(op, &s) || !tsr_rw_one_use(v) ||
        !tsr_op_is(v->uses->user, TSR_OP_TTNN_RESHAPE) || v->uses->user->out[0].type != to ||
        v->uses->user->block != op->block || s.size[dim] != 1)
        return NULL;
    for (size_t i = 0; i < s.n; i++)
        if (i != dim && !is_whole(&s, i, tsr_rw_in(op, 0)->type->dims[i]))
            return NULL;
    return v->uses->user;
}

/* slices of one element each of a dimension, which is then dropped -> strided slices of one reshape */
bool rule_nn_slices_of_reshape(tsr_rewriter *r, tsr_op *op)
{
    slice s;
    tsr_value *x = tsr_rw_in(op, 0);
    const tsr_type *t = x->type;
    size_t dim = 0, cut = 0, count = 0;
    const tsr_attr *layout = tsr_ttnn_layout_of(t);
    if (!slice_of(op, &s) || !layout || !tsr_ttnn_spec_of(layout).tiled || !op->out[0].uses ||
        op->out[0].uses->user->nout != 1)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (!is_whole(&s, i, t->dims[i])) {
            dim = i;
            cut++;
        }
    const tsr_type *to = op->out[0].uses->user->out[0].type;
    int64_t dims[TSR_TTIR_RANK], before = 0;
    for (size_t i = 0, k = 0; i < t->n; i++)
        if (i != dim)
            dims[k++] = t->dims[i];
    if (cut != 1 || !dim || !tsr_type_is(to, TSR_TYPE_TENSOR) || to->n + 1 != t->n ||
        memcmp(dims, to->dims, to->n * sizeof *dims))
        return false;
    for (const tsr_use *u = x->uses; u; u = u->next, count++) {
        if (u->user->block != op->block || !drops(u->user, dim, to) ||
            (u->user != op && tsr_op_before(u->user, op)))
            return false;
        before += stored(u->user->out[0].type);
    }
    dims[dim - 1] *= t->dims[dim];
    if (count < 2 || stored(tsr_ttnn_reshaped(t, dims, to->n)) >= before)
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    tsr_value *all = tsr_nn_reshape(&n.b, x, dims, to->n);
    for (const tsr_use *u = x->uses, *next; u; u = next) {
        next = u->next;
        tsr_op *user = u->user;
        if (!tsr_op_is(user, TSR_OP_TTNN_SLICE_STATIC) || !slice_of(user, &s))
            continue;
        slice part = {.n = to->n};
        for (size_t i = 0; i < to->n; i++)
            take_whole(&part, i, dims[i]);
        part.begin[dim - 1] = s.begin[dim];
        part.step[dim - 1] = t->dims[dim];
        tsr_value *v = sliced(&n.b, all, &part);
        v->type = (tsr_type *)to;
        tsr_rw_replace_one(r, user->out[0].uses->user, v);
    }
    return tsr_nn_stays(&n);
}

/* ---- Moves in row-major layout ---- */

enum { MUCH = 1 << 30 }; /* elements of padding in tiles */

static bool is_tiled(const tsr_value *v)
{
    const tsr_attr *layout = tsr_nn_tensor(v) ? tsr_ttnn_layout_of(v->type) : NULL;
    return layout && tsr_ttnn_spec_of(layout).tiled;
}

static bool wastes(const tsr_value *v)
{
    return stored(v->type) - tsr_type_num_elements(v->type) >= MUCH;
}

static tsr_ttnn_spec by_rows(const tsr_value *v)
{
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(tsr_ttnn_layout_of(v->type));
    spec.tiled = false;
    return spec;
}

/* A chain of moves, each of the one before it; the last is op. */
static bool moved_by_rows(tsr_rewriter *r, tsr_op *op, tsr_op *const *chain, size_t count)
{
    tsr_value *v = tsr_rw_in(chain[0], 0);
    for (size_t i = 0; i < count; i++)
        if (!is_tiled(&chain[i]->out[0]))
            return false;
    if (!is_tiled(v))
        return false;
    tsr_nn n = tsr_nn_at(r, op);
    v = tsr_nn_spec(&n.b, v, by_rows(v));
    for (size_t i = 0; i < count; i++) {
        tsr_type *type = tsr_ttnn_type(chain[i]->out[0].type, by_rows(&chain[i]->out[0]));
        v = &tsr_nn_copy(&n.b, chain[i], &v, 1, &type)->out[0];
    }
    return tsr_nn_becomes(&n, tsr_nn_unary(&n.b, TSR_OP_TTNN_TO_TENSOR_SPEC, v, op->out[0].type));
}

/* reshape([repeat](permute(x))) */
bool rule_nn_reshape_by_rows(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *repeat = tsr_nn_single(tsr_rw_in(op, 0), TSR_OP_TTNN_REPEAT);
    tsr_op *permute =
        tsr_nn_single(repeat ? tsr_rw_in(repeat, 0) : tsr_rw_in(op, 0), TSR_OP_TTNN_PERMUTE);
    if (!permute || !tsr_nn_tensor(&permute->out[0]) || !tsr_nn_tensor(tsr_rw_in(op, 0)) ||
        (!wastes(&permute->out[0]) && !wastes(tsr_rw_in(op, 0))))
        return false;
    tsr_op *chain[] = {permute, repeat ? repeat : op, op};
    return moved_by_rows(r, op, chain, repeat ? 3 : 2);
}

/* permute(reshape(x)) */
bool rule_nn_permute_by_rows(tsr_rewriter *r, tsr_op *op)
{
    tsr_op *reshape = tsr_nn_single(tsr_rw_in(op, 0), TSR_OP_TTNN_RESHAPE);
    if (!reshape || !tsr_nn_tensor(&reshape->out[0]) || !tsr_nn_tensor(&op->out[0]) ||
        stored(op->out[0].type) != tsr_type_num_elements(op->out[0].type) ||
        !wastes(&reshape->out[0]))
        return false;
    tsr_op *chain[] = {reshape, op};
    return moved_by_rows(r, op, chain, 2);
}

bool pass_ttnn_memory_management(tsr_pass *p, tsr_op *root)
{
    bool more = tsr_pass_bool(p, "aggressive-memory-saving");
    return tsr_nn_apply(p, root, TSR_NN_SPACE | (more ? TSR_NN_SPACE_MORE : 0));
}
