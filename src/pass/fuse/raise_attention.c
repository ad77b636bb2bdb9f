/* raise_attention.c - softmax(q k^T * scale, masked) v becomes tessera.flash_attention.
 *
 * The frame is the shape of the probabilities as the second product reads them. Every dimension
 * of queries, keys, values, masks and of the result gets a label: a dimension of the frame, or
 * one of those below. Which product has which dimensions where is thereby no matter: operands
 * are brought to [leading..., rows, inner] by transposes, the result back from it. Scale, masks
 * and causality are those of the graph. */
#include "pass/fuse/raise.h"

enum { LABEL_VALUE = 30, LABEL_INNER = 31, LABEL_NONE = 32 };

/* ---- Masks ---- */

typedef struct {
    tsr_view w;
    bool adds, invert, causal;
    double fill; /* what scores get that are hidden */
} mask;

enum { MASKS = 6 };

typedef struct {
    tsr_match *m;
    tsr_product values, scores; /* the two products */
    int p, q; /* which operand of values are the probabilities, of scores the queries */
    const tsr_type *frame;
    int8_t rows, keys; /* dimensions of the frame; rows: LABEL_NONE when there is one query */
    int8_t order[TSR_RAISE_RANK]; /* of [leading..., rows, keys] */
    uint32_t nlead;
    double scale;
    bool safe;         /* the graph itself gives 0 for queries that see no key */
    mask masks[MASKS]; /* the last that is applied first */
    uint32_t nmask;
} attention;

static bool add_mask(attention *a, mask k)
{
    if (a->nmask == MASKS)
        return tsr_refuse(a->m, NULL, "it has too many masks");
    a->masks[a->nmask++] = k;
    return true;
}

/* A mask of i1 is as many as are joined by "and". */
static bool add_visible(attention *a, tsr_view w, bool invert, double fill)
{
    tsr_view todo[MASKS];
    uint32_t n = 1;
    todo[0] = w;
    while (n) {
        w = todo[--n];
        double x;
        if (tsr_number(w.v, &x) && (x != 0) != invert)
            continue;
        tsr_view up = w;
        tsr_view_top(NULL, &up);
        tsr_op *op = tsr_maker(up.v);
        tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
        /* select(c, a, false) is "and", too. */
        bool both =
            role == ROLE_AND || (role == ROLE_SELECT && tsr_number(op->in[2].value, &x) && x == 0);
        if (role == ROLE_NOT && !both && n == 0 && todo[0].v == w.v) {
            invert = !invert;
            todo[n++] = tsr_view_in(&up, 0);
        } else if (both && !invert && n + 2 <= MASKS && up.v->type->elem->width == 1) {
            todo[n++] = tsr_view_in(&up, 1);
            todo[n++] = tsr_view_in(&up, 0);
        } else if (!add_mask(a, (mask){.w = w, .invert = invert, .fill = fill})) {
            return false;
        }
    }
    return true;
}

/* ---- From the softmax up to the product of queries and keys ---- */

/* Whether v comes from a product by what can stand between scores and softmax. */
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
        case ROLE_DIV: v = op->in[tsr_number(op->in[0].value, &x)].value; break;
        case ROLE_SELECT: v = op->in[tsr_number(op->in[1].value, &x) ? 2 : 1].value; break;
        case ROLE_ADD:
            if (leads(op->in[0].value, depth - 3))
                return true;
            v = op->in[1].value;
            break;
        default: /* something that is said to be in the way */
            if (!op || op->nin != 1 || !tsr_op_has(op, TSR_TRAIT(ELEMENTWISE)))
                return false;
            v = op->in[0].value;
        }
    }
    return false;
}

/* The product behind a reshape that only parts its first dimension, a batch. */
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

/* One op between; false: there is none that is known, or the product is reached (*done). */
static bool step(attention *a, tsr_view *w, bool *done)
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
        if (!tsr_take(m, op) || !add_mask(a, (mask){.w = tsr_view_in(w, 1 - i), .adds = true}))
            return false;
        *w = tsr_view_in(w, i);
        return tsr_view_fits(w->v);
    }
    if (role == ROLE_SELECT && !tsr_number(op->in[0].value, &fill)) {
        bool invert = tsr_number(op->in[1].value, &fill);
        if (!invert && !tsr_number(op->in[2].value, &fill))
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

static bool find_scores(attention *a, tsr_view *w)
{
    bool done = false;
    for (int i = 0; i < 3 * TSR_RAISE_STEPS && step(a, w, &done); i++)
        ;
    return done;
}

/* ---- Labels ---- */

/* Labels of the operands of both products; false: it is no attention. */
static bool label(attention *a, const int8_t *at, int8_t *lq, int8_t *lk, int8_t *lv, int8_t *lo)
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
            l[d] = s->map[i][d] == TSR_CONTRACTED ? LABEL_INNER
                   : s->map[i][d] < 0             ? TSR_UNIT
                                                  : at[s->map[i][d]];
    }
    int inner = 0, other = 1 - a->p;
    for (uint32_t r = 0; r < v->rank; r++) {
        int in_p = tsr_label_find(v->map[a->p], v->n[a->p], (int)r);
        lo[r] = in_p >= 0 ? (int8_t)in_p : LABEL_VALUE;
    }
    for (uint32_t d = 0; d < v->n[other]; d++) {
        lv[d] = v->map[other][d] == TSR_CONTRACTED ? a->keys
                : v->map[other][d] < 0             ? TSR_UNIT
                                                   : lo[v->map[other][d]];
        inner += lv[d] == LABEL_VALUE;
    }
    return inner == 1 && tsr_label_count(lo, v->rank, LABEL_VALUE) == 1;
}

/* Rows are the last dimension that queries have alone; all others lead, those that keys or
 * values have first. */
static bool choose_rows(attention *a, const int8_t *lq, const int8_t *lk, const int8_t *lv)
{
    const tsr_product *s = &a->scores, *v = &a->values;
    a->rows = LABEL_NONE;
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
    /* What the frame repeats, but the scores do not have, is not seen here. */
    for (uint32_t d = 0; d < a->frame->n; d++)
        if (a->frame->dims[d] != 1 && tsr_label_find(lq, s->n[a->q], (int)d) < 0 &&
            tsr_label_find(lk, s->n[1 - a->q], (int)d) < 0)
            return false;
    a->order[a->nlead] = a->rows;
    a->order[a->nlead + 1] = a->keys;
    return a->nlead + 2 <= TSR_RAISE_RANK;
}

/* ---- Making ---- */

/* Low enough for exp to give 0, whatever the scores of keys that are seen. */
static bool is_low(double x, const tsr_type *elem)
{
    return x <= -1e9 || (elem->width == 16 && x <= -65000);
}

typedef struct {
    bool causal, unsafe;
    double fill; /* NAN: none */
} hiding;

/* What of the masks is said by attributes; those masks go. */
static bool choose_hiding(attention *a, hiding *h)
{
    int64_t nk = a->frame->dims[a->keys], nq = a->rows == LABEL_NONE ? 1 : a->frame->dims[a->rows];
    int found = -1, nselect = 0;
    *h = (hiding){.fill = NAN};
    for (uint32_t i = 0; i < a->nmask; i++) {
        mask *k = &a->masks[i];
        int64_t shift;
        double low = k->fill;
        bool causal =
            a->rows != LABEL_NONE &&
            tsr_mask_causal(a->m, &k->w, k->invert, a->frame, a->rows, a->keys, &shift, &low) &&
            shift == nk - nq;
        /* Hidden scores are low ones: with a key to see for every query they count for nothing. */
        if (causal && a->nmask == 1 && nk >= nq && is_low(low, a->m->root->out[0].type->elem)) {
            h->causal = true;
            a->nmask = 0;
            return true;
        }
        k->causal = causal && !k->adds;
        if (k->adds)
            continue;
        if (nselect++ && k->fill != h->fill)
            return tsr_refuse(a->m, NULL, "its masks hide scores by different numbers");
        h->fill = k->fill;
    }
    /* causal hides last of all; what is added after it must not show. */
    for (uint32_t i = 0; i < a->nmask && found < 0; i++) {
        if (a->masks[i].adds)
            break;
        if (a->masks[i].causal)
            found = (int)i;
    }
    if (found >= 0) {
        h->causal = true;
        memmove(a->masks + found, a->masks + found + 1,
                (a->nmask - (uint32_t)found - 1) * sizeof *a->masks);
        a->nmask--;
    }
    bool infinite = nselect && h->fill == -INFINITY;
    for (uint32_t i = 0; i < a->nmask; i++)
        h->unsafe |= a->masks[i].adds || infinite;
    h->unsafe |= h->causal && infinite && nk < nq;
    h->unsafe &= !a->safe;
    if (infinite)
        h->fill = NAN;
    return true;
}

static tsr_value *mask_operand(attention *a, mask *k)
{
    tsr_view w = k->w;
    for (int i = 0; i < TSR_RAISE_STEPS; i++) {
        tsr_role role = tsr_role_made(w.v);
        bool widens = role == ROLE_CONVERT && tsr_widens(w.v->op);
        if ((role != ROLE_BROADCAST && role != ROLE_RESHAPE && role != ROLE_TRANSPOSE && !widens) ||
            !tsr_view_up(NULL, &w))
            break;
    }
    for (uint32_t i = 0; i < w.v->type->n; i++)
        if (w.v->type->dims[i] == 1)
            w.at[i] = TSR_UNIT;
    if (k->invert)
        w.v = &tsr_raise_new(a->m, TSR_OP_STABLEHLO_NOT, &w.v, 1, w.v->type)->out[0];
    return tsr_raise_arrange(a->m, &w, a->order, a->nlead + 2, true);
}

static tsr_type *wider(tsr_type *x, tsr_type *y)
{
    return x ? tsr_tessera_promote(x, y) : y;
}

/* An operand of a product with its labels, above what only moves it and, for queries and keys,
 * above factors: those are factors of the scores. coarse: it has yet to be reshaped. */
typedef struct {
    tsr_view w;
    bool coarse;
} side;

static bool once(const tsr_value *v)
{
    return v->uses && !v->uses->next;
}

static side side_of(attention *a, const tsr_product *p, int s, const int8_t *labels, bool factors)
{
    tsr_value *v = p->in[s];
    side r = {.w = {.v = v}};
    tsr_op *moves[TSR_RAISE_STEPS + 2]; /* taken when a factor above them is */
    size_t n = 0;
    factors &= once(v);
    if (v->type->n != p->n[s]) {
        tsr_value *fine = tsr_role_made(v) == ROLE_RESHAPE ? v->op->in[0].value : NULL;
        r.coarse = !fine || !tsr_view_fits(fine) || fine->type->n != p->n[s] ||
                   memcmp(fine->type->dims, p->dims[s], p->n[s] * sizeof *p->dims[s]) != 0;
        if (!r.coarse) {
            moves[n++] = v->op;
            r.w.v = fine;
            factors &= once(fine);
        }
    }
    memcpy(r.w.at, labels, p->n[s]);
    for (int i = 0; i < TSR_RAISE_STEPS && !r.coarse; i++) {
        tsr_value *at = r.w.v;
        tsr_role role = tsr_role_made(at);
        bool widens = role == ROLE_CONVERT && tsr_widens(at->op);
        if (factors && tsr_scaled(a->m, &r.w, &a->scale)) {
            for (; n; n--)
                if (!tsr_take(a->m, moves[n - 1]))
                    break;
        } else if ((role == ROLE_TRANSPOSE || widens) && tsr_view_up(NULL, &r.w)) {
            moves[n++] = at->op;
        } else {
            break;
        }
        factors &= once(r.w.v);
    }
    return r;
}

static tsr_value *arranged(attention *a, const tsr_product *p, int s, side *r, const int8_t *order)
{
    if (r->coarse)
        r->w.v = tsr_raise_reshape(a->m, r->w.v, p->dims[s], p->n[s]);
    return tsr_raise_arrange(a->m, &r->w, order, a->nlead + 2, false);
}

/* A transpose that alone uses the result is part of how it is arranged: it is the root, then. */
static void below_transposes(attention *a, int8_t *lo)
{
    tsr_match *m = a->m;
    tsr_value *v = &m->root->out[0];
    while (a->values.rank == v->type->n && v->uses && !v->uses->next &&
           tsr_role_of(v->uses->user) == ROLE_TRANSPOSE && v->uses->user->block == m->root->block &&
           tsr_take(m, m->root)) {
        m->root = v->uses->user;
        v = &m->root->out[0];
        tsr_view w = {.v = v};
        for (uint32_t i = 0; i < v->type->n; i++)
            w.at[i] = (int8_t)i;
        if (!tsr_view_up(NULL, &w))
            return;
        int8_t old[TSR_RAISE_RANK];
        memcpy(old, lo, sizeof old);
        for (uint32_t i = 0; i < v->type->n; i++)
            lo[w.at[i]] = old[i];
    }
}

static bool make(attention *a, const int8_t *lq, const int8_t *lk, const int8_t *lv, int8_t *lo)
{
    tsr_match *m = a->m;
    below_transposes(a, lo);
    tsr_op *op = m->root;
    hiding h;
    side q = side_of(a, &a->scores, a->q, lq, true), k = side_of(a, &a->scores, 1 - a->q, lk, true),
         v = side_of(a, &a->values, 1 - a->p, lv, false);
    if (!tsr_alone(m) || !choose_hiding(a, &h))
        return false;
    tsr_value *in[3 + MASKS];
    int8_t order[TSR_RAISE_RANK];
    size_t n = a->nlead + 2;
    memcpy(order, a->order, sizeof order);
    order[n - 1] = LABEL_INNER;
    in[0] = arranged(a, &a->scores, a->q, &q, order);
    order[n - 2] = a->keys;
    in[1] = arranged(a, &a->scores, 1 - a->q, &k, order);
    order[n - 1] = LABEL_VALUE;
    in[2] = arranged(a, &a->values, 1 - a->p, &v, order);
    for (uint32_t i = 0; i < a->nmask; i++)
        in[3 + i] = mask_operand(a, &a->masks[a->nmask - 1 - i]);
    for (uint32_t i = 0; i < 3 + a->nmask; i++)
        if (!in[i])
            return false;
    /* The result is as wide as its operands; values say so where the graph has it wider. */
    tsr_type *want = op->out[0].type->elem, *elem = NULL;
    for (int i = 0; i < 3; i++)
        elem = wider(elem, in[i]->type->elem);
    if (wider(elem, want) != elem)
        in[2] = tsr_raise_cast(m, in[2], elem = wider(elem, want));
    int64_t dims[TSR_RAISE_RANK];
    tsr_view out = {0};
    for (size_t i = 0; i < n; i++) {
        dims[i] = i + 1 == n   ? in[2]->type->dims[n - 1]
                  : i + 2 == n ? in[0]->type->dims[n - 2]
                               : a->frame->dims[a->order[i]];
        out.at[i] = i + 1 == n ? LABEL_VALUE : a->order[i];
    }
    tsr_op *made = tsr_raise_new(m, TSR_OP_TESSERA_FLASH_ATTENTION, in, 3 + a->nmask,
                                 tsr_type_tensor(op->module->ctx, dims, n, elem, NULL));
    made->attrs[TESSERA_FLASH_ATTENTION_scale] = tsr_raise_f64(m, a->scale);
    if (h.causal)
        made->attrs[TESSERA_FLASH_ATTENTION_causal] = tsr_attr_bool(op->module->ctx, true);
    if (h.unsafe)
        made->attrs[TESSERA_FLASH_ATTENTION_safe] = tsr_attr_bool(op->module->ctx, false);
    if (!isnan(h.fill))
        made->attrs[TESSERA_FLASH_ATTENTION_fill] = tsr_raise_f64(m, h.fill);
    out.v = tsr_raise_cast(m, &made->out[0], want);
    if (a->rows == LABEL_NONE)
        out.at[n - 2] = TSR_UNIT;
    tsr_value *result = tsr_raise_arrange(m, &out, lo, a->values.rank, false);
    return result && tsr_raise_put(m, tsr_raise_reshape(m, result, op->out[0].type->dims,
                                                        op->out[0].type->n));
}

/* ---- The pattern ---- */

/* The probabilities: operand p of the second product, up to a softmax over the dimension that is
 * contracted. */
static bool find_softmax(attention *a, tsr_view *w)
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
    /* select(all of a row is -inf, 0, softmax), as PyTorch has it */
    tsr_view rows = {0};
    double zero;
    if (tsr_role_made(w->v) == ROLE_SELECT && tsr_number(w->v->op->in[1].value, &zero) &&
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

bool tsr_raise_attention(tsr_match *m)
{
    for (int p = 0; p < 2; p++) {
        attention a = {.m = m, .p = p, .scale = 1};
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
        if (label(&a, w.at, lq, lk, lv, lo) && choose_rows(&a, lq, lk, lv))
            return make(&a, lq, lk, lv, lo);
        return tsr_refuse(m, NULL, "its two products do not fit each other");
    }
    return false;
}
