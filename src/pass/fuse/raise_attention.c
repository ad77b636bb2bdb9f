/* SPDX-License-Identifier: Apache-2.0 */
/* raise_attention.c - softmax(q k^T * scale, masked) v becomes tessera.flash_attention.
 *
 * The frame is the shape of the probabilities as the second product reads them. Every dimension of queries, keys,
 * values, masks and of the result gets a label: a dimension of the frame, or one of attention.h's. So the order of
 * dimensions in the products does not matter: operands are transposed to [leading..., rows, inner], and the result
 * back. Scale, masks and causality are taken from the graph. */
#include "pass/fuse/attention.h"

static bool add_mask(tsr_attention *a, tsr_attention_mask k)
{
    if (a->nmask == TSR_MASKS)
        return tsr_refuse(a->m, NULL, "it has too many masks");
    a->masks[a->nmask++] = k;
    return true;
}

/* Splits an i1 mask into the masks that "and" combines. */
static bool add_visible(tsr_attention *a, tsr_view w, bool invert, double fill)
{
    tsr_view todo[TSR_MASKS];
    uint32_t n = 1;
    todo[0] = w;
    while (n) {
        w = todo[--n];
        double x;
        if (tsr_splat_number(w.v, &x) && (x != 0) != invert)
            continue;
        tsr_view up = w;
        tsr_view_top(NULL, &up);
        tsr_op *op = tsr_maker(up.v);
        tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
        /* select(c, a, false) is also "and". */
        bool both = role == ROLE_AND ||
                    (role == ROLE_SELECT && tsr_splat_number(op->in[2].value, &x) && x == 0);
        if (role == ROLE_NOT && !both && n == 0 && todo[0].v == w.v) {
            invert = !invert;
            todo[n++] = tsr_view_in(&up, 0);
        } else if (both && !invert && n + 2 <= TSR_MASKS && up.v->type->elem->width == 1) {
            todo[n++] = tsr_view_in(&up, 1);
            todo[n++] = tsr_view_in(&up, 0);
        } else if (!add_mask(a, (tsr_attention_mask){.w = w, .invert = invert, .fill = fill})) {
            return false;
        }
    }
    return true;
}

/* ---- From the softmax up to the product of queries and keys ---- */

/* Whether v comes from a product through ops that may be between scores and softmax. */
static bool leads(const tsr_value *v, int depth)
{
    for (; depth > 0; depth--) {
        const tsr_op *op = tsr_maker(v);
        double x;
        switch (op ? tsr_role_of(op) : ROLE_NONE) {
        case ROLE_PRODUCT: return true;
        case ROLE_CONVERT:
        case ROLE_TRANSPOSE:
        case ROLE_RESHAPE: v = op->in[0].value; break;
        case ROLE_MUL:
        case ROLE_DIV: v = op->in[tsr_splat_number(op->in[0].value, &x)].value; break;
        case ROLE_SELECT: v = op->in[tsr_splat_number(op->in[1].value, &x) ? 2 : 1].value; break;
        case ROLE_ADD:
            if (leads(op->in[0].value, depth - 3))
                return true;
            v = op->in[1].value;
            break;
        default: /* an op that is reported as being in the way */
            if (!op || op->nin != 1 || !tsr_op_has(op, TSR_TRAIT(ELEMENTWISE)))
                return false;
            v = op->in[0].value;
        }
    }
    return false;
}

/* The product after a reshape that only splits its first dimension, a batch. */
static bool behind_reshape(tsr_match *m, const tsr_view *w, tsr_product *p)
{
    tsr_op *reshape = w->v->op;
    tsr_value *x = reshape->in[0].value;
    uint32_t k;
    return tsr_role_made(x) == ROLE_PRODUCT && tsr_view_fits(x) &&
           tsr_parted(x->type, w->v->type, &k) && tsr_product_of(x->op, p) &&
           tsr_product_part(p, 0, w->v->type->dims, k) && tsr_take(m, reshape) &&
           tsr_take(m, x->op);
}

/* Goes up one op; false: it is not a known one, or the product is reached (*done). */
static bool step(tsr_attention *a, tsr_view *w, bool *done)
{
    tsr_match *m = a->m;
    tsr_op *op = tsr_maker(w->v);
    tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
    double fill;
    if (role == ROLE_PRODUCT) {
        *done = tsr_product_of(op, &a->scores) && tsr_take(m, op);
        return false;
    }
    if (role == ROLE_ADD) {
        uint32_t i = leads(op->in[0].value, TSR_RAISE_STEPS) ? 0 : 1;
        if (a->scale != 1)
            return tsr_refuse(m, op, "is a mask that is scaled with the scores");
        if (!tsr_take(m, op) ||
            !add_mask(a, (tsr_attention_mask){.w = tsr_view_in(w, 1 - i), .adds = true}))
            return false;
        *w = tsr_view_in(w, i);
        return tsr_view_fits(w->v);
    }
    if (role == ROLE_SELECT && !tsr_splat_number(op->in[0].value, &fill)) {
        bool invert = tsr_splat_number(op->in[1].value, &fill);
        if (!invert && !tsr_splat_number(op->in[2].value, &fill))
            return tsr_refuse(m, op, "chooses between scores and something that is no number");
        tsr_view hides = tsr_view_in(w, 0);
        if (!tsr_take(m, op) || !tsr_view_fits(hides.v) ||
            !add_visible(a, hides, invert, fill * a->scale))
            return false;
        *w = tsr_view_in(w, invert ? 2 : 1);
        return tsr_view_fits(w->v);
    }
    if (tsr_scaled(m, w, &a->scale) || tsr_view_up(m, w))
        return true;
    if (role == ROLE_RESHAPE && behind_reshape(m, w, &a->scores)) {
        *done = true;
        return false;
    }
    return tsr_refuse(m, op, "stands between the scores and their softmax");
}

static bool find_scores(tsr_attention *a, tsr_view *w)
{
    bool done = false;
    for (int i = 0; i < 3 * TSR_RAISE_STEPS && step(a, w, &done); i++)
        ;
    return done;
}

/* ---- Labels ---- */

/* Labels of the operands of both products; false: it is not an attention. */
static bool label(tsr_attention *a, const int8_t *at, int8_t *lq, int8_t *lk, int8_t *lv,
                  int8_t *lo)
{
    const tsr_product *s = &a->scores, *v = &a->values;
    int k = -1;
    for (int i = 0; i < 2; i++) {
        int r = -1;
        for (uint32_t d = 0; d < s->n[i]; d++)
            if (s->map[i][d] >= 0 && at[s->map[i][d]] == a->keys)
                r = (int)d;
        if (r >= 0 && k >= 0)
            return false; /* in both: a batch */
        k = r >= 0 ? i : k;
    }
    if (k < 0)
        return false;
    a->q = 1 - k;
    for (int i = 0; i < 2; i++) {
        int8_t *l = i == a->q ? lq : lk;
        if (tsr_label_count(s->map[i], s->n[i], TSR_CONTRACTED) != 1)
            return false;
        for (uint32_t d = 0; d < s->n[i]; d++)
            l[d] = s->map[i][d] == TSR_CONTRACTED ? TSR_LABEL_INNER
                   : s->map[i][d] < 0             ? TSR_UNIT
                                                  : at[s->map[i][d]];
    }
    int inner = 0, other = 1 - a->p;
    for (uint32_t r = 0; r < v->rank; r++) {
        int in_p = tsr_label_find(v->map[a->p], v->n[a->p], (int)r);
        lo[r] = in_p >= 0 ? (int8_t)in_p : TSR_LABEL_VALUE;
    }
    for (uint32_t d = 0; d < v->n[other]; d++) {
        lv[d] = v->map[other][d] == TSR_CONTRACTED ? a->keys
                : v->map[other][d] < 0             ? TSR_UNIT
                                                   : lo[v->map[other][d]];
        inner += lv[d] == TSR_LABEL_VALUE;
    }
    return inner == 1 && tsr_label_count(lo, v->rank, TSR_LABEL_VALUE) == 1;
}

/* Rows are the last dimension that only queries have; all others are leading dimensions, those of keys or values
 * first. */
static bool choose_rows(tsr_attention *a, const int8_t *lq, const int8_t *lk, const int8_t *lv)
{
    const tsr_product *s = &a->scores, *v = &a->values;
    a->rows = TSR_LABEL_NONE;
    for (uint32_t d = 0; d < a->frame->n; d++)
        if (tsr_label_find(lq, s->n[a->q], (int)d) >= 0 &&
            tsr_label_find(lk, s->n[1 - a->q], (int)d) < 0 &&
            tsr_label_find(lv, v->n[1 - a->p], (int)d) < 0)
            a->rows = (int8_t)d;
    a->nlead = 0;
    for (int round = 0; round < 2; round++)
        for (uint32_t d = 0; d < a->frame->n; d++) {
            bool shared = tsr_label_find(lk, s->n[1 - a->q], (int)d) >= 0 ||
                          tsr_label_find(lv, v->n[1 - a->p], (int)d) >= 0;
            if ((int8_t)d != a->rows && (int8_t)d != a->keys && shared == (round == 0))
                a->order[a->nlead++] = (int8_t)d;
        }
    /* Dimensions that the frame repeats, but the scores do not have, are not handled. */
    for (uint32_t d = 0; d < a->frame->n; d++)
        if (a->frame->dims[d] != 1 && tsr_label_find(lq, s->n[a->q], (int)d) < 0 &&
            tsr_label_find(lk, s->n[1 - a->q], (int)d) < 0)
            return false;
    a->order[a->nlead] = a->rows;
    a->order[a->nlead + 1] = a->keys;
    return a->nlead + 2 <= TSR_RAISE_RANK;
}

/* ---- The pattern ---- */

/* The probabilities: operand p of the second product, up to a softmax over the contracted dimension. */
static bool find_softmax(tsr_attention *a, tsr_view *w)
{
    tsr_match *m = a->m;
    tsr_value *v = a->values.in[a->p];
    for (int i = 0; i < 4 && tsr_role_made(v) == ROLE_CONVERT; i++) {
        if (!tsr_take(m, v->op))
            return false;
        v = v->op->in[0].value;
    }
    uint32_t k;
    int8_t at[TSR_RAISE_RANK];
    if (tsr_role_made(v) == ROLE_RESHAPE && tsr_view_fits(v->op->in[0].value) &&
        !tsr_unit_reshape(v->op->in[0].value->type, v->type, at)) {
        tsr_value *x = v->op->in[0].value;
        int8_t r = a->values.map[a->p][0];
        if (!tsr_parted(v->type, x->type, &k) || r < 0 ||
            !tsr_product_part(&a->values, r, x->type->dims, k) || !tsr_take(m, v->op))
            return false;
        v = x;
    }
    *w = tsr_view_of(v);
    a->frame = v->type;
    tsr_view_top(m, w);
    /* select(all of a row is -inf, 0, softmax), as PyTorch writes it */
    tsr_view rows = {0};
    double zero;
    if (tsr_role_made(w->v) == ROLE_SELECT && tsr_splat_number(w->v->op->in[1].value, &zero) &&
        zero == 0 && tsr_view_whole(w, a->frame) && tsr_take(m, w->v->op)) {
        rows = tsr_view_in(w, 0);
        *w = tsr_view_in(w, 2);
        tsr_view_top(m, w);
    }
    if (tsr_role_made(w->v) != ROLE_SOFTMAX ||
        tsr_label_count(a->values.map[a->p], a->values.n[a->p], TSR_CONTRACTED) != 1)
        return false;
    tsr_op *softmax = w->v->op;
    uint32_t rank = w->v->type->n;
    int64_t axis = tsr_tessera_axis(tsr_tessera_int(softmax, TESSERA_SOFTMAX_axis, -1), rank);
    a->keys = (int8_t)tsr_label_find(a->values.map[a->p], a->values.n[a->p], TSR_CONTRACTED);
    if (axis < 0 || w->at[axis] != a->keys || !tsr_take(m, softmax))
        return false;
    a->safe = rows.v != NULL;
    if (a->safe && (!tsr_view_whole(w, a->frame) ||
                    !tsr_mask_all_hidden(m, rows, softmax->in[0].value, a->frame, axis)))
        return false;
    *w = tsr_view_in(w, 0);
    return true;
}

/* ---- Keys that are repeated for groups of queries ---- */

/* The dimension of the first product's result that is (groups, queries of a group), as shown by keys that are reshaped
 * from a repeated value. */
static bool find_repeat(const tsr_attention *a, const int8_t *at, int8_t *dim, int64_t sizes[2])
{
    const tsr_product *p = &a->scores;
    for (int s = 0; s < 2; s++) {
        tsr_atoms w = {.v = p->in[s], .n = p->n[s]};
        bool keys = false;
        memcpy(w.label, p->map[s], p->n[s]);
        memcpy(w.size, p->dims[s], p->n[s] * sizeof *w.size);
        for (uint32_t i = 0; i < w.n; i++)
            keys |= w.label[i] >= 0 && at[w.label[i]] == a->keys;
        for (int i = 0; i < TSR_RAISE_STEPS && keys; i++) {
            tsr_atoms up = w;
            uint32_t k;
            if (!tsr_atoms_up(&up, w.label, 0))
                break;
            if (tsr_atoms_aligned(&up)) {
                w = up;
                continue;
            }
            if (tsr_role_made(w.v) != ROLE_RESHAPE ||
                !tsr_atoms_split(&up, up.v->type, &k, sizes) || up.label[k] < 0)
                break;
            *dim = up.label[k];
            memmove(up.label + k + 1, up.label + k, up.n - k);
            memmove(up.size + k + 1, up.size + k, (up.n - k) * sizeof *up.size);
            up.n++;
            up.label[k + 1] = TSR_LABEL_NONE; /* the new one, and all that may be repeated */
            up.size[k] = sizes[0];
            up.size[k + 1] = sizes[1];
            int8_t may[] = {TSR_LABEL_NONE};
            uint32_t n = up.n;
            for (int step_no = 0; step_no < 4 && up.n == n; step_no++)
                if (!tsr_atoms_aligned(&up) || !tsr_atoms_up(&up, may, 1))
                    return false;
            return up.n < n && tsr_label_find(up.label, up.n, TSR_LABEL_NONE) < 0;
        }
    }
    return false;
}

/* Splits that dimension in both products and in the frame. at: labels of the first's result. */
static void part_groups(tsr_attention *a, int8_t *at)
{
    int8_t r = 0, old[TSR_RAISE_RANK];
    int64_t sizes[2], dims[TSR_RAISE_RANK];
    if (!find_repeat(a, at, &r, sizes) || a->frame->n == TSR_RAISE_RANK)
        return;
    tsr_product scores = a->scores, values = a->values;
    int8_t f = at[r], v = f >= 0 ? values.map[a->p][f] : -1;
    if (v < 0 || a->frame->dims[f] != sizes[0] * sizes[1] ||
        !tsr_product_part(&scores, r, sizes, 2) || !tsr_product_part(&values, v, sizes, 2))
        return;
    a->scores = scores;
    a->values = values;
    for (uint32_t d = 0; d <= a->frame->n; d++)
        dims[d] = d < (uint32_t)f        ? a->frame->dims[d]
                  : d <= (uint32_t)f + 1 ? sizes[d - (uint32_t)f]
                                         : a->frame->dims[d - 1];
    a->frame =
        tsr_type_tensor(a->m->root->module->ctx, dims, a->frame->n + 1, a->frame->elem, NULL);
    a->parted = f;
    a->keys = (int8_t)(a->keys + (a->keys > f));
    memcpy(old, at, sizeof old);
    for (uint32_t i = 0; i < scores.rank; i++) {
        int8_t from = old[i > (uint32_t)r ? i - 1 : i];
        at[i] = i == (uint32_t)r + 1 ? (int8_t)(f + 1) : (int8_t)(from + (from > f));
    }
}

bool tsr_raise_attention(tsr_match *m)
{
    for (int p = 0; p < 2; p++) {
        tsr_attention a = {.m = m, .p = p, .scale = 1, .parted = -1};
        tsr_view w;
        int8_t lq[TSR_RAISE_RANK], lk[TSR_RAISE_RANK], lv[TSR_RAISE_RANK], lo[TSR_RAISE_RANK];
        m->n = 0;
        m->what = NULL;
        if (!tsr_product_of(m->root, &a.values))
            return false;
        if (!find_softmax(&a, &w) || !leads(w.v, 2 * TSR_RAISE_STEPS))
            continue;
        m->what = "attention";
        if (!find_scores(&a, &w))
            continue;
        a.written = a.frame;
        part_groups(&a, w.at);
        if (label(&a, w.at, lq, lk, lv, lo) && choose_rows(&a, lq, lk, lv))
            return tsr_attention_make(&a, lq, lk, lv, lo);
        return tsr_refuse(m, NULL, "its two products do not fit each other");
    }
    return false;
}
