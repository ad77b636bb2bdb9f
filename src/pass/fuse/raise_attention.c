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
    const tsr_type *written; /* the frame before one of its dimensions was parted */
    int8_t parted;           /* that dimension, or -1 */
    int8_t rows, keys;       /* dimensions of the frame; rows: LABEL_NONE when there is one query */
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

/* A label of the frame as it was written. */
static int8_t as_written(const attention *a, int8_t label)
{
    return a->parted >= 0 && label > a->parted && label != LABEL_NONE ? (int8_t)(label - 1) : label;
}

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
        bool causal = a->rows != LABEL_NONE &&
                      tsr_mask_causal(a->m, &k->w, k->invert, a->written, as_written(a, a->rows),
                                      as_written(a, a->keys), &shift, &low) &&
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

/* w, whose labels are those of the frame as it was written. */
static bool atoms_of(const attention *a, const tsr_view *w, tsr_atoms *out)
{
    *out = (tsr_atoms){.v = w->v};
    for (uint32_t i = 0; i < w->v->type->n; i++) {
        int8_t at = w->at[i];
        bool parts = at >= 0 && at == a->parted && w->v->type->dims[i] != 1;
        if (out->n + (parts ? 2 : 1) > TSR_RAISE_RANK)
            return false;
        for (int k = 0; k < (parts ? 2 : 1); k++) {
            out->label[out->n] = (int8_t)(at + (at > a->parted && a->parted >= 0 ? 1 : k));
            out->size[out->n++] = parts ? a->frame->dims[at + k] : w->v->type->dims[i];
        }
    }
    return true;
}

static tsr_value *mask_operand(attention *a, mask *k)
{
    tsr_atoms w;
    if (!atoms_of(a, &k->w, &w))
        return NULL;
    for (int i = 0; i < TSR_RAISE_STEPS; i++) {
        tsr_atoms up = w;
        if (!tsr_atoms_up(&up, NULL, 0) || !tsr_atoms_aligned(&up))
            break;
        w = up;
    }
    if (k->invert)
        w.v = &tsr_raise_new(a->m, TSR_OP_STABLEHLO_NOT, &w.v, 1, w.v->type)->out[0];
    return tsr_atoms_arrange(a->m, &w, a->order, a->nlead + 2, true);
}

static tsr_type *wider(tsr_type *x, tsr_type *y)
{
    return x ? tsr_tessera_promote(x, y) : y;
}

static bool once(const tsr_value *v)
{
    return v->uses && !v->uses->next;
}

/* As tsr_scaled, but for what has fewer dimensions than its factor. */
static bool scaled_whole(attention *a, tsr_view *w)
{
    size_t mark = a->m->n;
    double scale = a->scale;
    tsr_type *t = w->v->type;
    if (tsr_scaled(a->m, w, &scale) && tsr_view_whole(w, t)) {
        a->scale = scale;
        return true;
    }
    a->m->n = mark;
    return false;
}

/* An operand of a product with its labels, above what only moves it (and repeats it along what
 * queries have) and, for queries and keys, above factors: those are factors of the scores. */
static tsr_atoms side_of(attention *a, const tsr_product *p, int s, const int8_t *labels,
                         const int8_t *may, uint32_t nmay, bool factors)
{
    tsr_atoms w = {.v = p->in[s], .n = p->n[s]}, plain;
    tsr_op *moves[TSR_RAISE_STEPS]; /* taken when a factor above them is */
    size_t n = 0;
    memcpy(w.label, labels, p->n[s]);
    memcpy(w.size, p->dims[s], p->n[s] * sizeof *w.size);
    plain = w; /* the last that needs no reshape */
    factors &= once(w.v);
    for (int i = 0; i < TSR_RAISE_STEPS; i++) {
        tsr_view at = tsr_view_of(w.v);
        tsr_atoms up = w;
        if (factors && scaled_whole(a, &at)) {
            w.v = at.v;
            for (; n; n--)
                if (!tsr_take(a->m, moves[n - 1]))
                    break;
            plain = w;
        } else if (tsr_atoms_up(&up, may, nmay) && tsr_atoms_aligned(&up)) {
            moves[n++] = w.v->op;
            w = up;
        } else {
            break;
        }
        if (w.v->type->n == w.n)
            plain = w;
        factors &= once(w.v);
    }
    return plain;
}

/* A transpose that alone uses the result is part of how it is arranged: it is the root, then. */
static void below_transposes(attention *a, tsr_atoms *out)
{
    tsr_match *m = a->m;
    for (int i = 0; i < TSR_RAISE_STEPS; i++) {
        tsr_value *v = &m->root->out[0];
        tsr_op *user = once(v) ? v->uses->user : NULL;
        if (!user || tsr_role_of(user) != ROLE_TRANSPOSE || user->block != m->root->block ||
            !tsr_atoms_down(out, user) || !tsr_take(m, m->root))
            return;
        m->root = user;
    }
}

static bool make(attention *a, const int8_t *lq, const int8_t *lk, const int8_t *lv, int8_t *lo)
{
    tsr_match *m = a->m;
    tsr_atoms result = {.v = &m->root->out[0], .n = a->values.rank};
    memcpy(result.label, lo, result.n);
    memcpy(result.size, a->values.out, result.n * sizeof *result.size);
    below_transposes(a, &result);
    tsr_op *op = m->root;
    hiding h;
    int8_t may[TSR_RAISE_RANK];
    uint32_t nmay = 0, nq = a->scores.n[a->q];
    for (uint32_t i = 0; i < nq; i++)
        if (lq[i] >= 0 && lq[i] < (int8_t)a->frame->n)
            may[nmay++] = lq[i];
    tsr_atoms q = side_of(a, &a->scores, a->q, lq, may, 0, true),
              k = side_of(a, &a->scores, 1 - a->q, lk, may, nmay, true),
              v = side_of(a, &a->values, 1 - a->p, lv, may, nmay, false);
    if (!tsr_alone(m) || !choose_hiding(a, &h))
        return false;
    tsr_value *in[3 + MASKS];
    int8_t order[TSR_RAISE_RANK];
    size_t n = a->nlead + 2;
    memcpy(order, a->order, sizeof order);
    order[n - 1] = LABEL_INNER;
    in[0] = tsr_atoms_arrange(m, &q, order, n, false);
    order[n - 2] = a->keys;
    in[1] = tsr_atoms_arrange(m, &k, order, n, false);
    order[n - 1] = LABEL_VALUE;
    in[2] = tsr_atoms_arrange(m, &v, order, n, false);
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
    tsr_value *back = tsr_raise_arrange(m, &out, result.label, result.n, false);
    return back &&
           tsr_raise_put(m, tsr_raise_reshape(m, back, op->out[0].type->dims, op->out[0].type->n));
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

/* ---- Keys that are repeated for groups of queries ---- */

/* Which dimension of the result of the first product is (groups, queries of a group), as keys tell
 * that are reshaped from something repeated. */
static bool find_repeat(const attention *a, const int8_t *at, int8_t *dim, int64_t sizes[2])
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
            up.label[k + 1] = LABEL_NONE; /* the new one, and all that may be repeated */
            up.size[k] = sizes[0];
            up.size[k + 1] = sizes[1];
            int8_t may[] = {LABEL_NONE};
            uint32_t n = up.n;
            for (int step_no = 0; step_no < 4 && up.n == n; step_no++)
                if (!tsr_atoms_aligned(&up) || !tsr_atoms_up(&up, may, 1))
                    return false;
            return up.n < n && tsr_label_find(up.label, up.n, LABEL_NONE) < 0;
        }
    }
    return false;
}

/* Parts that dimension in both products and in the frame. at: labels of the first's result. */
static void part_groups(attention *a, int8_t *at)
{
    int8_t r, old[TSR_RAISE_RANK];
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
        attention a = {.m = m, .p = p, .scale = 1, .parted = -1};
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
            return make(&a, lq, lk, lv, lo);
        return tsr_refuse(m, NULL, "its two products do not fit each other");
    }
    return false;
}
