/* SPDX-License-Identifier: Apache-2.0 */
/* cache_scatter.c - lowers scatters that write tokens into a cache of keys or values to ttir.update_cache and
 * fill_cache.
 *
 * A cache is [batch, heads, positions, width]; updates are the same with fewer positions, and an argument of the
 * function gives their positions. Indices are those positions, or a grid of all four coordinates of each element, whose
 * other coordinates are iotas. update_cache writes one position. fill_cache writes from position 0 on, which is
 * equivalent only if positions count up from there: if that is known, or if the tool is called by the peer's name,
 * which assumes it. */
#include "lower/ttir/frontend.h"

enum { BATCH, HEADS, PLACE, WIDTH, DIMS };

/* ---- Analysis of indices ---- */

/* The dimension of before that corresponds to dimension at of v, if a reshape only added or removed dimensions of size
 * 1; -1 if v does not vary along it. */
static bool through_reshape(const tsr_type *v, const tsr_type *before, int64_t *at)
{
    if (*at >= 0 && v->dims[*at] == 1)
        *at = -1;
    int64_t found = -1;
    uint32_t i = 0, k = 0;
    for (;; i++, k++) {
        while (i < v->n && v->dims[i] == 1)
            i++;
        while (k < before->n && before->dims[k] == 1)
            k++;
        if (i == v->n || k == before->n)
            break;
        if (v->dims[i] != before->dims[k])
            return false;
        if (i == *at)
            found = k;
    }
    *at = found;
    return i == v->n && k == before->n;
}

/* The operand that op, a sum with 0 or a product with 1, returns unchanged; NULL: it is something else. */
static const tsr_value *unchanged(const tsr_op *op)
{
    bool sum = tsr_op_is(op, TSR_OP_TTIR_ADD), product = tsr_op_is(op, TSR_OP_TTIR_MULTIPLY);
    for (uint32_t i = 0; (sum || product) && i < 2; i++)
        if (op->in[1 - i].value->type == op->out[0].type &&
            op->in[i].value->type == op->out[0].type &&
            tsr_ttir_starts(op->in[i].value, sum ? TSR_TTIR_ZERO : TSR_TTIR_ONE))
            return op->in[1 - i].value;
    return NULL;
}

/* The value that v is a copy of, varying along at most dimension at of v; NULL if it is not. varies: it does vary. */
static const tsr_value *source_of(const tsr_value *v, int64_t at, bool *varies)
{
    while (!v->is_arg) {
        const tsr_value *before = v->op->nin ? v->op->in[0].value : NULL, *same = unchanged(v->op);
        uint16_t code = v->op->def->opcode;
        if (code == TSR_OP_TTIR_RESHAPE) {
            if (!through_reshape(v->type, before->type, &at))
                return NULL;
        } else if (code == TSR_OP_TTIR_BROADCAST) {
            if (before->type->n != v->type->n)
                return NULL;
            if (at >= 0 && before->type->dims[at] == 1)
                at = -1;
        } else if (same) {
            before = same;
        } else if (code != TSR_OP_TTIR_TYPECAST) {
            break;
        }
        v = before;
    }
    for (uint32_t i = 0; i < v->type->n; i++)
        if (i != at && v->type->dims[i] != 1)
            return NULL;
    *varies = at >= 0 && v->type->dims[at] > 1;
    return v;
}

/* Whether v is 0, 1, 2, ... along its only dimension. */
static bool counts_up(const tsr_value *v, int64_t n)
{
    const tsr_attr *a = tsr_ttir_constant_of(v, false);
    if (tsr_type_num_elements(v->type) != n)
        return false;
    if (a && tsr_type_is(a->type->elem, TSR_TYPE_INTEGER)) {
        for (int64_t i = 0; i < n; i++)
            if (tsr_ttir_integer(a, (size_t)i) != i)
                return false;
        return true;
    }
    return !v->is_arg && tsr_op_is(v->op, TSR_OP_TTIR_ARANGE) &&
           v->op->attrs[TTIR_ARANGE_start]->i == 0 && v->op->attrs[TTIR_ARANGE_step]->i == 1;
}

/* The positions that a grid of indices writes to, all other coordinates being the element's own; NULL: it is not such a
 * grid. */
static const tsr_value *positions_of_grid(const tsr_value *grid, const tsr_type *updates,
                                          bool *varies)
{
    const tsr_op *op = grid->is_arg ? NULL : grid->op;
    if (!op || !tsr_op_is(op, TSR_OP_TTIR_CONCAT) || op->nin != DIMS || grid->type->n != DIMS + 1 ||
        op->attrs[TTIR_CONCAT_dim]->i != DIMS)
        return NULL;
    const tsr_value *positions = NULL;
    for (uint32_t d = 0; d < DIMS; d++) {
        if (grid->type->dims[d] != updates->dims[d])
            return NULL;
        bool along;
        const tsr_value *v = source_of(op->in[d].value, d, &along);
        if (!v)
            return NULL;
        if (d == PLACE) {
            positions = v;
            *varies = along;
        } else if (!counts_up(v, updates->dims[d])) {
            return NULL;
        }
    }
    return positions;
}

/* ---- The scatter ---- */

static bool list_is(tsr_ints list, const int64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n && i < list.n; i++)
        if (tsr_ints_at(list, i) != numbers[i])
            return false;
    return list.n == n;
}

/* Whether new elements replace old ones. */
static bool replaces(const tsr_op *op)
{
    const tsr_block *body = op->regions[0].first;
    return body && !body->next && body->nargs == 2 && body->first == body->last &&
           body->first->nin == 1 && body->first->in[0].value == body->args[1];
}

/* The argument with the positions of tokens, one for all of them or one each; NULL: the scatter is something else. */
static const tsr_value *positions_of(const tsr_op *op, bool *varies)
{
    static const int64_t all[] = {BATCH, HEADS, PLACE, WIDTH}, rest[] = {BATCH, HEADS, WIDTH},
                         place = PLACE;
    const tsr_value *indices = op->in[1].value;
    tsr_gather g;
    tsr_gather_of(op, &g);
    if (g.batch.n)
        return NULL;
    if (!g.window.n && list_is(g.dropped, all, DIMS) && list_is(g.map, all, DIMS) &&
        g.vector == DIMS)
        return positions_of_grid(indices, op->in[2].value->type, varies);
    if (!list_is(g.window, rest, 3) || !list_is(g.dropped, &place, 1) || !list_is(g.map, &place, 1))
        return NULL;
    return indices->type->n ? source_of(indices, 0, varies) : NULL;
}

static void fill(tsr_build *b, tsr_value *cache, tsr_value *tokens, int64_t batch)
{
    tsr_value *in[] = {cache, tokens};
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_FILL_CACHE, in, 2, 0);
    op->attrs[TTIR_FILL_CACHE_batch_offset] = tsr_attr_i32(b->ctx, (int32_t)batch);
    tsr_build_close_as(b, op, NULL);
}

bool ttir_scatter_into_cache(tsr_build *b, tsr_op *op, tsr_value **out)
{
    TSR_TRY(op->nin == 3 && op->nout == 1 && tsr_ttir_static(op) && replaces(op));
    tsr_value *cache = op->in[0].value, *tokens = op->in[2].value;
    const int64_t *to = cache->type->dims, *from = tokens->type->dims;
    TSR_TRY(cache->type->n == DIMS && tokens->type->n == DIMS && to[BATCH] == from[BATCH] &&
            to[HEADS] == from[HEADS] && to[WIDTH] == from[WIDTH] && to[BATCH] <= INT16_MAX &&
            tsr_ttir_may_overwrite(cache, op));
    bool varies = false;
    const tsr_value *positions = positions_of(op, &varies);
    TSR_TRY(positions && tsr_type_is(positions->type->elem, TSR_TYPE_INTEGER));
    out[0] = cache;
    if (from[PLACE] != 1) {
        TSR_TRY(varies ? counts_up(positions, from[PLACE]) || b->ctx->as_peer
                       : positions->is_arg && b->ctx->as_peer);
        TSR_TRY(positions->is_arg || varies);
        for (int64_t i = 0; i < to[BATCH]; i++) {
            tsr_value *part =
                to[BATCH] > 1 ? tsr_ttir_slice_dim(b, tokens, BATCH, i, i + 1) : tokens;
            fill(b, cache, part, i);
        }
        return true;
    }
    TSR_TRY(positions->is_arg);
    static const int64_t one = 1, order[] = {PLACE, HEADS, BATCH, WIDTH};
    tsr_value *in[] = {cache, to[BATCH] > 1 ? tsr_ttir_permute(b, tokens, order) : tokens,
                       tsr_ttir_reshape(b, (tsr_value *)positions, &one, 1)};
    tsr_op *made = tsr_ttir_open(b, TSR_OP_TTIR_UPDATE_CACHE, in, 3, 0);
    made->attrs[TTIR_UPDATE_CACHE_batch_offset] = tsr_attr_i32(b->ctx, 0);
    tsr_build_close_as(b, made, NULL);
    return true;
}
