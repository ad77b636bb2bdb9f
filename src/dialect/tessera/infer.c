/* SPDX-License-Identifier: Apache-2.0 */
/* infer.c - result types of Graph IR's ops: shapes broadcast aligned at the right, element types are promoted, and
 * unknown sizes stay unknown. */
#include "dialect/hooks.h"
#include "dialect/tessera/tessera.h"

static bool unranked(const tsr_type *t)
{
    return t->kind != TSR_TYPE_TENSOR;
}

static bool give(tsr_type_vec *out, tsr_type *t)
{
    tsr_vec_push(out, t);
    return true;
}

/* Returns the tensor type and frees its dimensions. */
static bool give_dims(tsr_type_vec *out, tsr_tessera_dims *dims, tsr_type *elem)
{
    tsr_vec_push(out, tsr_tessera_tensor(dims->data, dims->n, elem));
    tsr_vec_free(dims);
    return true;
}

static bool fail_dims(tsr_tessera_dims *dims)
{
    tsr_vec_free(dims);
    return false;
}

static tsr_type *promote_all(const tsr_op *op, uint32_t from, uint32_t n)
{
    tsr_type *elem = tsr_hlo_in(op, from)->elem;
    for (uint32_t i = from + 1; elem && i < n; i++) {
        tsr_type *next = tsr_tessera_promote(elem, tsr_hlo_in(op, i)->elem);
        if (!next)
            tsr_op_error(op, "has no common type for elements of %s and %s",
                         tsr_hlo_show_type(elem), tsr_hlo_show_type(tsr_hlo_in(op, i)->elem));
        elem = next;
    }
    return elem;
}

/* The first n dimensions of a and the first m of b, aligned at their ends, broadcast; appended to dims. op: for the
 * diagnostic, or NULL. */
static bool broadcast_dims(const tsr_op *op, const tsr_type *a, size_t n, const tsr_type *b,
                           size_t m, tsr_tessera_dims *dims)
{
    size_t rank = n > m ? n : m;
    for (size_t i = 0; i < rank; i++) {
        tsr_tessera_dim da = {1, NULL}, db = {1, NULL}, d;
        if (i + n >= rank)
            da = tsr_tessera_dim_of(a, i + n - rank);
        if (i + m >= rank)
            db = tsr_tessera_dim_of(b, i + m - rank);
        if (!tsr_tessera_broadcast_dim(da, db, &d))
            return op &&
                   tsr_op_error(
                       op, "has operands that do not broadcast: %lld against %lld in %s and %s",
                       (long long)da.size, (long long)db.size, tsr_hlo_show_type(a),
                       tsr_hlo_show_type(b));
        tsr_vec_push(dims, d);
    }
    return true;
}

bool infer_tessera_same(const tsr_op *op, tsr_type_vec *out)
{
    return give(out, tsr_hlo_in(op, 0));
}

bool infer_tessera_broadcast(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *a = tsr_hlo_in(op, 0), *b = tsr_hlo_in(op, 1);
    tsr_type *elem = promote_all(op, 0, op->nin);
    tsr_tessera_dims dims = {0};
    TSR_TRY(elem != NULL);
    if (unranked(a) || unranked(b))
        return give(out, tsr_type_unranked_tensor(elem->ctx, elem));
    return broadcast_dims(op, a, a->n, b, b->n, &dims) ? give_dims(out, &dims, elem)
                                                       : fail_dims(&dims);
}

/* The written type of a reshape or a broadcast determines most of the result; the rest follows from the operand. */
bool infer_tessera_reshape(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *in = tsr_hlo_in(op, 0);
    tsr_type *to = op->nout ? op->out[0].type : NULL;
    if (!to)
        return false;
    int64_t n = unranked(in) ? -1 : tsr_type_num_elements(in), known = 1, open = -1;
    if (n < 0 || unranked(to))
        return give(out, to);
    for (uint32_t i = 0; i < to->n; i++) {
        if (to->dims[i] == TSR_DYNAMIC && open >= 0)
            return give(out, to);
        if (to->dims[i] == TSR_DYNAMIC)
            open = i;
        else if (to->dims[i] && known > n / to->dims[i])
            known = n + 1; /* more than there are */
        else
            known *= to->dims[i];
    }
    if (open < 0 ? known != n : known ? n % known != 0 : n != 0)
        return tsr_op_error(op, "has %lld elements, which do not make %s", (long long)n,
                            tsr_hlo_show_type(to));
    if (open < 0 || !known)
        return give(out, to);
    tsr_tessera_dims dims = {0};
    for (uint32_t i = 0; i < to->n; i++)
        tsr_vec_push(&dims,
                     i == open ? ((tsr_tessera_dim){n / known, NULL}) : tsr_tessera_dim_of(to, i));
    return give_dims(out, &dims, to->elem);
}

bool infer_tessera_repeat(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *in = tsr_hlo_in(op, 0);
    tsr_type *to = op->nout ? op->out[0].type : NULL;
    if (!to)
        return false;
    if (unranked(in) || unranked(to))
        return give(out, to);
    tsr_tessera_dims dims = {0};
    bool ok = in->n <= to->n;
    for (uint32_t i = 0; ok && i < to->n; i++) {
        tsr_tessera_dim d = tsr_tessera_dim_of(to, i);
        int64_t from = i + in->n >= to->n ? in->dims[i + in->n - to->n] : 1;
        if (from != 1 && from != TSR_DYNAMIC && d.size == TSR_DYNAMIC)
            d = (tsr_tessera_dim){from, NULL};
        ok = from == 1 || from == TSR_DYNAMIC || from == d.size;
        tsr_vec_push(&dims, d);
    }
    if (!ok)
        tsr_op_error(op, "cannot repeat %s to %s", tsr_hlo_show_type(in), tsr_hlo_show_type(to));
    return ok ? give_dims(out, &dims, to->elem) : fail_dims(&dims);
}

bool infer_tessera_constant(const tsr_op *op, tsr_type_vec *out)
{
    return give(out, tsr_attr_of(op, TESSERA_CONSTANT_value)->type);
}

bool infer_tessera_transpose(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    const tsr_attr *perm = tsr_attr_of(op, TESSERA_TRANSPOSE_permutation);
    if (unranked(t))
        return give(out, tsr_hlo_in(op, 0));
    if (perm && tsr_hlo_len(perm) != t->n)
        return tsr_op_error(op, "permutes %zu dimensions of an operand that has %u",
                            tsr_hlo_len(perm), t->n);
    if (!perm && t->n < 2)
        return tsr_op_error(op, "without dims swaps the last two dimensions; the operand has %u",
                            t->n);
    if (perm && !tsr_hlo_is_unique(perm))
        return tsr_op_error(op, "permutes a dimension twice");
    tsr_tessera_dims dims = {0};
    for (size_t i = 0; i < t->n; i++) {
        int64_t from = tsr_tessera_perm(op, t->n, i);
        if (from < 0 || from >= (int64_t)t->n) {
            tsr_op_error(op, "permutes dimension %lld, which is not in [0, %u)", (long long)from,
                         t->n);
            return fail_dims(&dims);
        }
        tsr_vec_push(&dims, tsr_tessera_dim_of(t, (size_t)from));
    }
    return give_dims(out, &dims, t->elem);
}

bool infer_tessera_reduce(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    const tsr_attr *axes = tsr_attr_of(op, TESSERA_REDUCE_axes);
    bool keep = tsr_tessera_flag(op, TESSERA_REDUCE_keep_dims);
    if (tsr_tessera_kind_of(tsr_attr_of(op, TESSERA_REDUCE_kind)) >= TSR_TESSERA_MEAN &&
        t->elem->kind == TSR_TYPE_COMPLEX)
        return tsr_op_error(op, "of complex numbers can only be a sum");
    if (unranked(t))
        return give(out, axes || keep ? tsr_hlo_in(op, 0)
                                      : tsr_type_tensor(t->ctx, NULL, 0, t->elem, NULL));
    for (size_t i = 0; i < tsr_hlo_len(axes); i++) {
        int64_t d = tsr_tessera_axis(tsr_hlo_at(axes, i), t->n);
        if (d < 0)
            return tsr_op_error(op, "reduces dimension %lld of an operand that has %u",
                                (long long)tsr_hlo_at(axes, i), t->n);
        for (size_t k = 0; k < i; k++)
            if (tsr_tessera_axis(tsr_hlo_at(axes, k), t->n) == d)
                return tsr_op_error(op, "reduces dimension %lld twice", (long long)d);
    }
    tsr_tessera_dims dims = {0};
    for (size_t i = 0; i < t->n; i++) {
        bool gone = tsr_tessera_reduces(op, t->n, i);
        if (!gone || keep)
            tsr_vec_push(&dims, gone ? ((tsr_tessera_dim){1, NULL}) : tsr_tessera_dim_of(t, i));
    }
    return give_dims(out, &dims, t->elem);
}

/* [..., M, K] by [..., K, N]: batch dimensions broadcast. */
bool infer_tessera_matmul(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *a = tsr_hlo_in(op, 0), *b = tsr_hlo_in(op, 1);
    tsr_type *elem = promote_all(op, 0, 2);
    TSR_TRY(elem != NULL);
    for (int i = 0; i < 2; i++)
        if (!unranked(tsr_hlo_in(op, (size_t)i)) && tsr_hlo_in(op, (size_t)i)->n < 2)
            return tsr_op_error(op, "multiplies matrices; operand #%d is %s", i,
                                tsr_hlo_show_type(tsr_hlo_in(op, (size_t)i)));
    if (unranked(a) || unranked(b))
        return give(out, tsr_type_unranked_tensor(elem->ctx, elem));
    bool transposed = tsr_tessera_flag(op, TESSERA_MATMUL_rhs_transpose);
    tsr_tessera_dim ka = tsr_tessera_dim_of(a, a->n - 1),
                    kb = tsr_tessera_dim_of(b, b->n - (transposed ? 1 : 2)), k;
    if (!tsr_tessera_same_dim(ka, kb, &k))
        return tsr_op_error(op, "contracts dimensions of sizes %lld and %lld", (long long)ka.size,
                            (long long)kb.size);
    tsr_tessera_dims dims = {0};
    if (!broadcast_dims(op, a, a->n - 2, b, b->n - 2, &dims))
        return fail_dims(&dims);
    tsr_vec_push(&dims, tsr_tessera_dim_of(a, a->n - 2));
    tsr_vec_push(&dims, tsr_tessera_dim_of(b, b->n - (transposed ? 2 : 1)));
    return give_dims(out, &dims, elem);
}

static bool cannot_broadcast(const tsr_op *op, uint32_t i, const tsr_type *to)
{
    return tsr_op_error(op, "has operand #%u, %s, which does not broadcast to %s", i,
                        tsr_hlo_show_type(tsr_hlo_in(op, i)), tsr_hlo_show_type(to));
}

/* Scale and bias broadcast to the input, whose type is kept. */
bool infer_tessera_norm(const tsr_op *op, tsr_type_vec *out)
{
    uint32_t most = tsr_op_is(op, TSR_OP_TESSERA_LAYER_NORM) ? 3 : 2;
    if (op->nin < 1 || op->nin > most)
        return tsr_op_error(op, "takes 1 to %u operands, has %u", most, op->nin);
    const tsr_type *x = tsr_hlo_in(op, 0);
    if (!unranked(x) && x->n < 1)
        return tsr_op_error(op, "normalizes the last dimension; the operand has none");
    for (uint32_t i = 1; i < op->nin && !unranked(x); i++) {
        const tsr_type *t = tsr_hlo_in(op, i);
        tsr_tessera_dims dims = {0};
        bool ok = unranked(t) || (t->n <= x->n && broadcast_dims(NULL, x, x->n, t, t->n, &dims));
        for (size_t d = 0; ok && d < dims.n; d++)
            ok = x->dims[d] == TSR_DYNAMIC || dims.data[d].size == x->dims[d];
        tsr_vec_free(&dims);
        if (!ok)
            return cannot_broadcast(op, i, x);
    }
    return give(out, tsr_hlo_in(op, 0));
}

static bool attention_shapes(const tsr_op *op, tsr_tessera_dims *dims)
{
    const tsr_type *q = tsr_hlo_in(op, 0), *k = tsr_hlo_in(op, 1), *v = tsr_hlo_in(op, 2);
    tsr_tessera_dim d;
    for (uint32_t i = 0; i < 3; i++)
        if (tsr_hlo_in(op, i)->n < 2 || tsr_hlo_in(op, i)->n != q->n)
            return tsr_op_error(
                op, "takes queries, keys and values of one rank, at least 2; operand #%u is %s", i,
                tsr_hlo_show_type(tsr_hlo_in(op, i)));
    size_t n = q->n;
    if (!tsr_tessera_same_dim(tsr_tessera_dim_of(q, n - 1), tsr_tessera_dim_of(k, n - 1), &d))
        return tsr_op_error(op, "has queries of size %lld and keys of size %lld",
                            (long long)q->dims[n - 1], (long long)k->dims[n - 1]);
    if (!tsr_tessera_same_dim(tsr_tessera_dim_of(k, n - 2), tsr_tessera_dim_of(v, n - 2), &d))
        return tsr_op_error(op, "has %lld keys and %lld values", (long long)k->dims[n - 2],
                            (long long)v->dims[n - 2]);
    tsr_tessera_dims keys = {0};
    bool ok = broadcast_dims(op, k, n - 2, v, n - 2, &keys);
    tsr_type *kv = ok ? tsr_tessera_tensor(keys.data, keys.n, q->elem) : NULL;
    tsr_vec_free(&keys);
    TSR_TRY(ok && broadcast_dims(op, q, n - 2, kv, n - 2, dims));
    tsr_vec_push(dims, tsr_tessera_dim_of(q, n - 2));
    for (uint32_t m = 3; m < op->nin; m++) {
        const tsr_type *mask = tsr_hlo_in(op, m);
        tsr_vec_push(dims, tsr_tessera_dim_of(k, n - 2)); /* the scores' shape, for now */
        tsr_type *scores = tsr_tessera_tensor(dims->data, dims->n, q->elem);
        tsr_tessera_dims both = {0};
        ok = unranked(mask) || (mask->n <= scores->n &&
                                broadcast_dims(NULL, scores, scores->n, mask, mask->n, &both));
        for (size_t i = 0; ok && i < both.n; i++)
            ok = scores->dims[i] == TSR_DYNAMIC || both.data[i].size == scores->dims[i];
        tsr_vec_free(&both);
        if (!ok)
            return tsr_op_error(op, "has a mask, %s, that does not broadcast to the scores, %s",
                                tsr_hlo_show_type(mask), tsr_hlo_show_type(scores));
        dims->n--;
    }
    tsr_vec_push(dims, tsr_tessera_dim_of(v, n - 1));
    return true;
}

bool infer_tessera_attention(const tsr_op *op, tsr_type_vec *out)
{
    if (op->nin < 3)
        return tsr_op_error(op, "takes queries, keys, values and perhaps masks; has %u operands",
                            op->nin);
    tsr_type *elem = promote_all(op, 0, 3);
    TSR_TRY(elem != NULL);
    bool floats = elem->kind == TSR_TYPE_FLOAT;
    for (uint32_t i = 3; i < op->nin; i++) {
        const tsr_type *mask = tsr_hlo_in(op, i)->elem;
        floats &= mask->kind == TSR_TYPE_FLOAT || tsr_type_is_integer(mask, 1);
    }
    if (!floats)
        return tsr_op_error(op, "is of floats, and its masks of floats or i1");
    for (uint32_t i = 0; i < 3; i++)
        if (unranked(tsr_hlo_in(op, i)))
            return give(out, tsr_type_unranked_tensor(elem->ctx, elem));
    tsr_tessera_dims dims = {0};
    return attention_shapes(op, &dims) ? give_dims(out, &dims, elem) : fail_dims(&dims);
}

/* The angles broadcast to the input, whose type is kept; their last dimension may be half of its. */
bool infer_tessera_rotary(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *x = tsr_hlo_in(op, 0);
    if (!unranked(x) && (x->n < 1 || (x->dims[x->n - 1] != TSR_DYNAMIC && x->dims[x->n - 1] % 2)))
        return tsr_op_error(op, "turns pairs of the last dimension; the operand is %s",
                            tsr_hlo_show_type(x));
    for (uint32_t i = 1; i < op->nin && !unranked(x); i++) {
        const tsr_type *t = tsr_hlo_in(op, i);
        bool ok = unranked(t) || (t->n >= 1 && t->n <= x->n);
        for (uint32_t d = 0; ok && !unranked(t) && d < t->n; d++) {
            int64_t from = t->dims[d], to = x->dims[x->n - t->n + d];
            bool last = d + 1 == t->n;
            ok = (from == 1 && !last) || tsr_hlo_dims_compatible(from, to) ||
                 (last && to != TSR_DYNAMIC && from * 2 == to);
        }
        if (!ok)
            return cannot_broadcast(op, i, x);
    }
    return give(out, tsr_hlo_in(op, 0));
}

/* A row of the table for each index. */
bool infer_tessera_embedding(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_type *table = tsr_hlo_in(op, 0), *at = tsr_hlo_in(op, 1);
    if (!unranked(table) && table->n < 1)
        return tsr_op_error(op, "takes rows of a table; the operand has no dimensions");
    if (unranked(table) || unranked(at))
        return give(out, tsr_type_unranked_tensor(table->ctx, table->elem));
    tsr_tessera_dims dims = {0};
    for (size_t i = 0; i < at->n; i++)
        tsr_vec_push(&dims, tsr_tessera_dim_of(at, i));
    for (size_t i = 1; i < table->n; i++)
        tsr_vec_push(&dims, tsr_tessera_dim_of(table, i));
    return give_dims(out, &dims, table->elem);
}
