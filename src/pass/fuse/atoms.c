/* SPDX-License-Identifier: Apache-2.0 */
/* atoms.c - views of values that also see through reshapes: elements in row-major order are indexed by labelled
 * dimensions (atoms) that may be finer than those of the type. */
#include "pass/fuse/raise.h"

/* start[i]: the first atom of dimension i of t; start[t->n]: one past the last. False: the atoms do not make up its
 * dimensions. */
static bool groups(const tsr_atoms *a, const tsr_type *t, uint32_t *start)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        start[i] = k;
        int64_t size = 1;
        if (t->dims[i] == 1 && k < a->n && a->size[k] == 1)
            k++;
        while (size < t->dims[i] && k < a->n)
            size *= a->size[k++];
        if (size != t->dims[i])
            return false;
    }
    while (k < a->n && a->size[k] == 1)
        k++;
    start[t->n] = k;
    return k == a->n;
}

static void copy(tsr_atoms *to, const tsr_atoms *from, uint32_t start, uint32_t end)
{
    for (uint32_t k = start; k < end; k++) {
        to->label[to->n] = from->label[k];
        to->size[to->n++] = from->size[k];
    }
}

static int64_t permuted(const tsr_op *op, uint32_t rank, uint32_t i)
{
    return tsr_op_is(op, TSR_OP_STABLEHLO_TRANSPOSE)
               ? tsr_hlo_at(tsr_attr_of(op, STABLEHLO_TRANSPOSE_permutation), i)
               : tsr_tessera_perm(op, rank, i);
}

static bool up_transpose(const tsr_atoms *a, const tsr_op *op, tsr_atoms *up)
{
    uint32_t start[TSR_RAISE_RANK + 1], from[TSR_RAISE_RANK], rank = a->v->type->n;
    if (!groups(a, a->v->type, start))
        return false;
    for (uint32_t i = 0; i < rank; i++)
        from[permuted(op, rank, i)] = i;
    for (uint32_t i = 0; i < rank; i++)
        copy(up, a, start[from[i]], start[from[i] + 1]);
    return true;
}

/* Repeated dimensions lose their atoms, if that is allowed. */
static bool up_broadcast(const tsr_atoms *a, const tsr_op *op, const int8_t *may, uint32_t nmay,
                         tsr_atoms *up)
{
    const tsr_type *from = tsr_hlo_in(op, 0), *to = a->v->type;
    uint32_t start[TSR_RAISE_RANK + 1];
    bool kept[TSR_RAISE_RANK] = {false};
    if (!groups(a, to, start))
        return false;
    for (uint32_t i = 0; i < from->n; i++) {
        int64_t d =
            tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM)
                ? tsr_hlo_at(tsr_attr_of(op, STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions), i)
                : (int64_t)(to->n - from->n + i);
        kept[d] = from->dims[i] == to->dims[d];
        if (kept[d])
            copy(up, a, start[d], start[d + 1]);
    }
    /* Only if dimensions keep their order; otherwise the operand's atoms are not a subsequence of the result's. */
    for (uint32_t i = 1; i < from->n && tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM); i++) {
        const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions);
        if (tsr_hlo_at(dims, i) < tsr_hlo_at(dims, i - 1))
            return false;
    }
    for (uint32_t d = 0; d < to->n && may; d++)
        for (uint32_t k = start[d]; k < start[d + 1] && !kept[d]; k++)
            if (a->size[k] != 1 && tsr_label_find(may, nmay, a->label[k]) < 0)
                return false;
    return true;
}

bool tsr_atoms_up(tsr_atoms *a, const int8_t *may, uint32_t nmay)
{
    tsr_op *op = tsr_maker(a->v);
    tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
    tsr_value *x = op && op->nin ? op->in[0].value : NULL;
    tsr_atoms up = {.v = x};
    if (!x || !tsr_view_fits(x))
        return false;
    switch (role) {
    case ROLE_CONVERT:
        if (!tsr_widens(op))
            return false;
        a->v = x;
        return true;
    case ROLE_RESHAPE: a->v = x; return true;
    case ROLE_TRANSPOSE:
        if (!up_transpose(a, op, &up))
            return false;
        break;
    case ROLE_BROADCAST:
        if (!up_broadcast(a, op, may, nmay, &up))
            return false;
        break;
    default: return false;
    }
    *a = up;
    return true;
}

bool tsr_atoms_down(tsr_atoms *a, tsr_op *move)
{
    uint32_t start[TSR_RAISE_RANK + 1], rank = a->v->type->n;
    tsr_atoms down = {.v = &move->out[0]};
    tsr_role role = tsr_role_of(move);
    if ((role != ROLE_TRANSPOSE && role != ROLE_RESHAPE) || !tsr_view_fits(down.v) ||
        !groups(a, role == ROLE_RESHAPE ? down.v->type : a->v->type, start))
        return false;
    if (role == ROLE_RESHAPE) {
        a->v = down.v;
        return true;
    }
    for (uint32_t i = 0; i < rank; i++) {
        int64_t d = permuted(move, rank, i);
        copy(&down, a, start[d], start[d + 1]);
    }
    *a = down;
    return true;
}

bool tsr_atoms_aligned(const tsr_atoms *a)
{
    uint32_t start[TSR_RAISE_RANK + 1];
    return groups(a, a->v->type, start);
}

bool tsr_atoms_split(const tsr_atoms *a, const tsr_type *t, uint32_t *which, int64_t sizes[2])
{
    uint32_t k = 0;
    if (a->n + 1 > TSR_RAISE_RANK)
        return false;
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->dims[i] == 1)
            continue;
        while (k < a->n && a->size[k] == 1)
            k++;
        if (k == a->n)
            return false;
        if (a->size[k] == t->dims[i]) {
            k++;
            continue;
        }
        uint32_t j = i + 1;
        while (j < t->n && t->dims[j] == 1)
            j++;
        if (j == t->n || a->size[k] != t->dims[i] * t->dims[j])
            return false;
        *which = k;
        sizes[0] = t->dims[i];
        sizes[1] = t->dims[j];
        return true;
    }
    return false;
}

tsr_value *tsr_atoms_arrange(const tsr_match *m, const tsr_atoms *a, const int8_t *order, size_t n,
                             bool trim)
{
    tsr_view w = {.v = tsr_raise_reshape(m, a->v, a->size, a->n)};
    memcpy(w.at, a->label, a->n);
    for (uint32_t i = 0; i < a->n; i++)
        if (a->size[i] == 1)
            w.at[i] = TSR_UNIT;
    return tsr_raise_arrange(m, &w, order, n, trim);
}
