/* SPDX-License-Identifier: Apache-2.0 */
/* scatter.c - lowers stablehlo.scatter to TTIR.
 *
 * ttir.scatter puts elements at positions along one dimension and keeps their other coordinates. A scatter along at
 * most one dimension maps to it, with updates and starts reshaped to the operand's rank. All others are scatters of
 * single elements into the flattened operand: the position of each is computed in the shape of the updates. Positions
 * out of bounds are ignored in both dialects. */
#include "dialect/ttcore/ttcore.h"
#include "lower/ttir/ttir.h"

enum { NONE = -1 };

typedef struct {
    tsr_value *x, *index, *updates;
    size_t rank, nindex, nupdate, nmap, nwindow, nbatch;
    int64_t map[TSR_TTIR_RANK], xbatch[TSR_TTIR_RANK], ibatch[TSR_TTIR_RANK];
    int64_t vector;
    /* For each dimension of x: the corresponding dimension of updates; the component of a start that it has; the
     * dimension of updates that is its batch. NONE: there is none. */
    int64_t window[TSR_TTIR_RANK], part[TSR_TTIR_RANK], batch[TSR_TTIR_RANK];
    /* For each dimension of index: its dimension of updates; NONE: it holds the components. */
    int64_t place[TSR_TTIR_RANK];
    bool is_window[TSR_TTIR_RANK]; /* for dimension i of updates */
    bool inserted;                 /* some dimension of x has no window dimension */
} scatter;

static bool scatter_of(const tsr_op *op, size_t n, size_t i, scatter *s)
{
    tsr_gather d;
    tsr_gather_of(op, &d);
    *s = (scatter){
        .x = op->in[i].value, .index = op->in[n].value, .updates = op->in[n + 1 + i].value};
    s->rank = s->x->type->n;
    s->nindex = s->index->type->n;
    s->nupdate = s->updates->type->n;
    s->nwindow = d.window.n;
    s->vector = d.vector;
    if (!s->rank || s->rank >= TSR_TTIR_RANK || s->index->type->elem->kind != TSR_TYPE_INTEGER)
        return false;
    for (size_t k = 0; k < s->rank; k++)
        s->window[k] = s->part[k] = s->batch[k] = NONE;
    s->nbatch = tsr_ints_copy(d.batch, s->xbatch, TSR_TTIR_RANK);
    tsr_ints_copy(d.index_batch, s->ibatch, TSR_TTIR_RANK);
    s->inserted = d.dropped.n || s->nbatch;
    s->nmap = tsr_ints_copy(d.map, s->map, TSR_TTIR_RANK);
    for (size_t k = 0; k < s->nmap; k++)
        s->part[s->map[k]] = (int64_t)k;
    for (size_t k = 0, w = 0; k < s->rank; k++)
        if (tsr_gather_keeps(&d, (int64_t)k) && w < s->nwindow)
            s->window[k] = tsr_ints_at(d.window, w++);
    for (size_t k = 0; k < s->nwindow; k++)
        s->is_window[tsr_ints_at(d.window, k)] = true;
    for (size_t k = 0, u = 0; k < s->nindex; k++) {
        s->place[k] = NONE;
        if ((int64_t)k == s->vector)
            continue;
        while (u < s->nupdate && s->is_window[u])
            u++;
        s->place[k] = (int64_t)u++;
    }
    for (size_t k = 0; k < s->nbatch; k++)
        s->batch[s->xbatch[k]] = s->place[s->ibatch[k]];
    return true;
}

bool tsr_ttir_join_type(tsr_reduce_kind kind, bool truth, int64_t *how)
{
    bool bits = kind == TSR_REDUCE_AND || kind == TSR_REDUCE_OR;
    tsr_reduce_kind as = truth ? tsr_reduce_of_truths(kind) : kind;
    *how = as == TSR_REDUCE_SUM                           ? TSR_TT_SUM
           : as == TSR_REDUCE_PRODUCT                     ? TSR_TT_PROD
           : as == TSR_REDUCE_MAX || as == TSR_REDUCE_OR  ? TSR_TT_MAX
           : as == TSR_REDUCE_MIN || as == TSR_REDUCE_AND ? TSR_TT_MIN
                                                          : TSR_TT_INVALID;
    return *how != TSR_TT_INVALID && (truth || !bits);
}

bool tsr_ttir_joined_how(const tsr_region *region, size_t n, size_t i, const tsr_type *elem,
                         int64_t *how)
{
    const tsr_block *body = region->first;
    const tsr_op *ret = body && !body->next ? body->last : NULL;
    if (!ret || body->nargs != 2 * n || !tsr_op_is(ret, TSR_OP_STABLEHLO_RETURN) || ret->nin != n ||
        body->args[i]->type->elem != elem)
        return false;
    *how = TSR_TT_INVALID;
    return ret->in[i].value == body->args[n + i] ||
           tsr_ttir_join_type(tsr_ttir_joins(region, n, i), tsr_type_is_integer(elem, 1), how);
}

tsr_value *tsr_ttir_scatter(tsr_build *b, tsr_value *x, tsr_value *index, tsr_value *updates,
                            int64_t dim, int64_t how)
{
    tsr_value *in[] = {x, index, updates};
    tsr_op *op = tsr_ttir_open(b, TSR_OP_TTIR_SCATTER, in, 3, 1);
    op->attrs[TTIR_SCATTER_dim] = tsr_attr_i32(b->ctx, (int32_t)dim);
    op->attrs[TTIR_SCATTER_scatter_reduce_type] =
        tsr_attr_enum(b->ctx, &tsr_def_TTCORE_REDUCE_TYPE, how);
    return tsr_ttir_close(b, op, x->type);
}

/* ---- The whole, and rows of a table ---- */

/* Updates that replace the whole operand. */
static bool overwrites(const scatter *s, int64_t how)
{
    if (s->nmap || s->inserted || how != TSR_TT_INVALID || s->updates->type != s->x->type)
        return false;
    for (size_t i = 0; i < s->rank; i++)
        if (s->window[i] != (int64_t)i)
            return false;
    return true;
}

/* Rows added to those of a table, as in the gradient of an embedding. */
static tsr_value *add_rows(tsr_build *b, const scatter *s, int64_t how)
{
    tsr_value *index = s->index;
    bool rows = how == TSR_TT_SUM && s->x->type->elem->kind == TSR_TYPE_FLOAT && s->rank == 2 &&
                s->nmap == 1 && s->map[0] == 0 && !s->nbatch && s->window[0] == NONE &&
                s->nwindow == 1 && s->window[1] == (int64_t)s->nupdate - 1 &&
                s->updates->type->dims[s->nupdate - 1] == s->x->type->dims[1] &&
                s->vector == (int64_t)s->nindex - 1;
    if (!rows)
        return NULL;
    if (s->nindex == 2) {
        int64_t dims[] = {1, index->type->dims[0], 1};
        index = tsr_ttir_reshape(b, index, dims, 3);
    }
    tsr_value *in[] = {index, s->x, s->updates};
    tsr_value *y = tsr_ttir_op(b, TSR_OP_TTIR_EMBEDDING_BACKWARD, in, 3, s->x->type);
    return tsr_ttir_starts(s->x, TSR_TTIR_ZERO)
               ? y
               : tsr_ttir_binary(b, TSR_OP_TTIR_ADD, y, s->x, NULL);
}

/* ---- Along one dimension ---- */

/* Updates and starts in the operand's dimensions; NULL if they do not fit there. */
static tsr_value *along_one(tsr_build *b, const scatter *s, int64_t how)
{
    int64_t dim = s->nmap ? s->map[0] : 0, from[TSR_TTIR_RANK], starts[TSR_TTIR_RANK],
            dims[TSR_TTIR_RANK], last = NONE;
    bool taken = false, moves = false;
    if (s->nmap > 1)
        return NULL;
    for (size_t i = 0; i < s->rank; i++) {
        from[i] = s->batch[i] != NONE ? s->batch[i] : s->window[i];
        starts[i] = s->batch[i] != NONE ? s->updates->type->dims[s->batch[i]] : 1;
    }
    for (size_t i = 0; i < s->nindex; i++) { /* dimensions that are not batches vary the position */
        int64_t at = s->place[i];
        bool batched = at == NONE;
        for (size_t k = 0; k < s->nbatch; k++)
            batched |= s->ibatch[k] == (int64_t)i;
        if (batched)
            continue;
        if (taken || !s->nmap || (from[dim] != NONE && s->updates->type->dims[from[dim]] != 1))
            return NULL;
        from[dim] = at;
        starts[dim] = s->updates->type->dims[at];
        taken = true;
    }
    for (size_t i = 0; i < s->rank; i++) { /* must be possible with a reshape */
        dims[i] = from[i] == NONE ? 1 : s->updates->type->dims[from[i]];
        if (from[i] == NONE)
            continue;
        if (from[i] < last)
            return NULL;
        last = from[i];
    }
    tsr_type *type = tsr_static_type(b->ctx, dims, s->rank, s->index->type->elem);
    if (tsr_type_num_elements(type) != tsr_type_num_elements(s->updates->type))
        return NULL;
    tsr_value *updates = tsr_ttir_reshape(b, s->updates, dims, s->rank), *index;
    moves = !s->nmap || (!taken && s->window[dim] != NONE);
    if (s->nmap) {
        int64_t times[TSR_TTIR_RANK];
        for (size_t i = 0; i < s->rank; i++)
            times[i] = starts[i] == dims[i] ? 1 : dims[i];
        index = tsr_ttir_repeat(b, tsr_ttir_reshape(b, s->index, starts, s->rank), times);
        if (moves)
            index = tsr_ttir_binary(b, TSR_OP_TTIR_ADD, index, tsr_ttir_arange(b, type, 0, 1, dim),
                                    NULL);
    } else {
        index = tsr_ttir_arange(b, type, 0, 1, dim);
    }
    return tsr_ttir_scatter(b, s->x, index, updates, dim, how);
}

/* ---- Element by element ---- */

/* Component i of the starts, in the shape of the updates. */
static tsr_value *part_of(tsr_build *b, const scatter *s, int64_t i, tsr_type *type)
{
    int64_t dims[TSR_TTIR_RANK];
    tsr_value *v = s->index;
    if (s->vector < (int64_t)s->nindex)
        v = tsr_ttir_slice_dim(b, v, s->vector, i, i + 1);
    for (size_t k = 0; k < s->nupdate; k++)
        dims[k] = s->is_window[k] ? 1 : type->dims[k];
    v = tsr_ttir_typecast(b, tsr_ttir_reshape(b, v, dims, s->nupdate), type->elem);
    return tsr_ttir_broadcast(b, v, type->dims);
}

/* Whether component i of all starts is known to keep the window in bounds. */
static bool known_inside(const scatter *s, int64_t i, int64_t last)
{
    const tsr_attr *dense = tsr_ttir_constant_of(s->index, false);
    if (!dense)
        return false;
    if (dense->sub) /* a splat */
        return tsr_ttir_integer(dense, 0) >= 0 && tsr_ttir_integer(dense, 0) <= last;
    int64_t after = 1, n = s->vector < (int64_t)s->nindex ? s->index->type->dims[s->vector] : 1;
    for (size_t k = (size_t)s->vector + 1; k < s->nindex; k++)
        after *= s->index->type->dims[k];
    for (int64_t k = 0; k < tsr_type_num_elements(dense->type); k++) {
        int64_t at = tsr_ttir_integer(dense, (size_t)k);
        if (k / after % n == i && (at < 0 || at > last))
            return false;
    }
    return true;
}

static tsr_value *both(tsr_build *b, enum tsr_opcode opcode, tsr_value *x, tsr_value *y)
{
    return x ? tsr_ttir_binary(b, opcode, x, y, NULL) : y;
}

static tsr_value *one_by_one(tsr_build *b, const scatter *s, int64_t how)
{
    int64_t total = tsr_type_num_elements(s->x->type),
            count = tsr_type_num_elements(s->updates->type), stride = 1;
    tsr_type *elem = s->index->type->elem;
    if (total < 0 || count < 0 || total > INT32_MAX || count > INT32_MAX)
        return NULL;
    if (elem->width < 32)
        elem = b->ctx->i32;
    tsr_type *type = tsr_static_type(b->ctx, s->updates->type->dims, s->nupdate, elem);
    tsr_type *truth = tsr_hlo_with_element(type, b->ctx->i1);
    tsr_value *at = NULL, *valid = NULL;
    for (size_t d = s->rank; d-- > 0;) {
        int64_t size = s->x->type->dims[d],
                along = s->batch[d] != NONE ? s->batch[d] : s->window[d];
        if (s->part[d] != NONE) {
            tsr_value *place = part_of(b, s, s->part[d], type);
            if (along != NONE && type->dims[along] > 1)
                place = tsr_ttir_binary(b, TSR_OP_TTIR_ADD, place,
                                        tsr_ttir_arange(b, type, 0, 1, along), NULL);
            int64_t extent = along != NONE ? type->dims[along] : 1;
            if (!known_inside(s, s->part[d], size - extent)) {
                tsr_value *low =
                    tsr_ttir_binary(b, TSR_OP_TTIR_GE, place, tsr_ttir_splat(b, type, 0), truth);
                tsr_value *high = tsr_ttir_binary(b, TSR_OP_TTIR_LT, place,
                                                  tsr_ttir_splat(b, type, (double)size), truth);
                valid = both(b, TSR_OP_TTIR_LOGICAL_AND, valid, low);
                valid = both(b, TSR_OP_TTIR_LOGICAL_AND, valid, high);
            }
            if (stride > 1)
                place = tsr_ttir_binary(b, TSR_OP_TTIR_MULTIPLY, place,
                                        tsr_ttir_full(b, type, (double)stride), NULL);
            at = both(b, TSR_OP_TTIR_ADD, at, place);
        } else if (along != NONE && type->dims[along] > 1) {
            at = both(b, TSR_OP_TTIR_ADD, at, tsr_ttir_arange(b, type, 0, stride, along));
        }
        stride *= size;
    }
    if (!at)
        at = tsr_ttir_splat(b, type, 0);
    if (valid)
        at = tsr_ttir_where(b, valid, at, tsr_ttir_splat(b, type, (double)total));
    tsr_value *line = tsr_ttir_reshape(b, s->x, &total, 1);
    tsr_value *index = tsr_ttir_reshape(b, at, &count, 1),
              *updates = tsr_ttir_reshape(b, s->updates, &count, 1);
    return tsr_ttir_reshape(b, tsr_ttir_scatter(b, line, index, updates, 0, how), s->x->type->dims,
                            s->rank);
}

/* ---- The op ---- */

bool ttir_scatter(tsr_build *b, tsr_op *op, tsr_value **out)
{
    size_t n = op->nout;
    if (!tsr_ttir_static(op) || op->nin != 2 * n + 1 || !n)
        return false;
    for (size_t i = 0; i < n; i++) {
        scatter s;
        int64_t how;
        if (!tsr_ttir_joined_how(&op->regions[0], n, i, op->in[i].value->type->elem, &how) ||
            !scatter_of(op, n, i, &s))
            return false;
        if (overwrites(&s, how))
            out[i] = s.updates;
        else if (tsr_type_num_elements(s.updates->type) == 0)
            out[i] = s.x;
        else if (!(out[i] = add_rows(b, &s, how)) && !(out[i] = along_one(b, &s, how)))
            out[i] = one_by_one(b, &s, how);
        if (!out[i] || out[i]->type != op->out[i].type)
            return false;
    }
    return true;
}
