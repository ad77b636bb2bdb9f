/* SPDX-License-Identifier: Apache-2.0 */
/* make_attention.c - builds tessera.flash_attention for an attention that was found: expresses masks as attributes
 * where possible, arranges operands in the order that the op needs and the result in its original order. */
#include "pass/fuse/attention.h"

/* ---- Masks ---- */

/* Low enough for exp to give 0, whatever the scores of visible keys. */
static bool is_low(double x, const tsr_type *elem)
{
    return x <= -1e9 || (elem->width == 16 && x <= -65000);
}

typedef struct {
    bool causal, unsafe;
    double fill; /* NAN: none */
} hiding;

/* A label in terms of the original frame. */
static int8_t as_written(const tsr_attention *a, int8_t label)
{
    return a->parted >= 0 && label > a->parted && label != TSR_LABEL_NONE ? (int8_t)(label - 1)
                                                                          : label;
}

/* Expresses masks as attributes where possible, and removes those masks. */
static bool choose_hiding(tsr_attention *a, hiding *h)
{
    int64_t nk = a->frame->dims[a->keys],
            nq = a->rows == TSR_LABEL_NONE ? 1 : a->frame->dims[a->rows];
    int found = -1, nselect = 0;
    *h = (hiding){.fill = NAN};
    for (uint32_t i = 0; i < a->nmask; i++) {
        tsr_attention_mask *k = &a->masks[i];
        int64_t shift;
        double low = k->fill;
        bool causal = a->rows != TSR_LABEL_NONE &&
                      tsr_mask_causal(a->m, &k->w, k->invert, a->written, as_written(a, a->rows),
                                      as_written(a, a->keys), &shift, &low) &&
                      shift == nk - nq;
        /* Hidden scores are low: if every query sees some key, they do not contribute. */
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
    /* causal hides last of all; a value added after it must not be visible. */
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

/* w, with labels in terms of the original frame. */
static bool atoms_of(const tsr_attention *a, const tsr_view *w, tsr_atoms *out)
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

static tsr_value *mask_operand(tsr_attention *a, tsr_attention_mask *k)
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

/* ---- Operands ---- */

static tsr_type *wider(tsr_type *x, tsr_type *y)
{
    return x ? tsr_tessera_promote(x, y) : y;
}

static bool once(const tsr_value *v)
{
    return v->uses && !v->uses->next;
}

/* Like tsr_scaled, but for a view with fewer dimensions than its factor. */
static bool scaled_whole(tsr_attention *a, tsr_view *w)
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

/* An operand of a product with its labels, above ops that only move it (or repeat it along dimensions of queries) and,
 * for queries and keys, above factors, which become factors of the scores. */
static tsr_atoms side_of(tsr_attention *a, const tsr_product *p, int s, const int8_t *labels,
                         const int8_t *may, uint32_t nmay, bool factors)
{
    tsr_atoms w = {.v = p->in[s], .n = p->n[s]}, plain;
    tsr_op *moves[TSR_RAISE_STEPS]; /* taken if a factor above them is */
    size_t n = 0;
    memcpy(w.label, labels, p->n[s]);
    memcpy(w.size, p->dims[s], p->n[s] * sizeof *w.size);
    plain = w; /* the last one that needs no reshape */
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

/* A transpose or reshape that is the only user of the result only arranges it, and becomes the root. */
static void below_moves(tsr_attention *a, tsr_atoms *out)
{
    tsr_match *m = a->m;
    for (int i = 0; i < TSR_RAISE_STEPS; i++) {
        tsr_value *v = &m->root->out[0];
        tsr_op *user = once(v) ? v->uses->user : NULL;
        if (!user || user->block != m->root->block || !user->nout || !tsr_atoms_down(out, user) ||
            !tsr_take(m, m->root))
            return;
        m->root = user;
    }
}

/* ---- The op ---- */

/* Operands of the op: queries, keys and values as it wants them, then masks. */
static bool arrange_operands(tsr_attention *a, const tsr_atoms *q, const tsr_atoms *k,
                             const tsr_atoms *v, tsr_value **in)
{
    tsr_match *m = a->m;
    int8_t order[TSR_RAISE_RANK];
    size_t n = a->nlead + 2;
    memcpy(order, a->order, sizeof order);
    order[n - 1] = TSR_LABEL_INNER;
    in[0] = tsr_atoms_arrange(m, q, order, n, false);
    order[n - 2] = a->keys;
    in[1] = tsr_atoms_arrange(m, k, order, n, false);
    order[n - 1] = TSR_LABEL_VALUE;
    in[2] = tsr_atoms_arrange(m, v, order, n, false);
    for (uint32_t i = 0; i < a->nmask; i++)
        in[3 + i] = mask_operand(a, &a->masks[a->nmask - 1 - i]);
    for (uint32_t i = 0; i < 3 + a->nmask; i++)
        TSR_TRY(in[i]);
    return true;
}

static void set_attrs(const tsr_attention *a, const hiding *h, tsr_op *made)
{
    tsr_ctx *ctx = made->module->ctx;
    made->attrs[TESSERA_FLASH_ATTENTION_scale] = tsr_raise_f64(a->m, a->scale);
    if (h->causal)
        made->attrs[TESSERA_FLASH_ATTENTION_causal] = tsr_attr_bool(ctx, true);
    if (h->unsafe)
        made->attrs[TESSERA_FLASH_ATTENTION_safe] = tsr_attr_bool(ctx, false);
    if (!isnan(h->fill))
        made->attrs[TESSERA_FLASH_ATTENTION_fill] = tsr_raise_f64(a->m, h->fill);
}

bool tsr_attention_make(tsr_attention *a, const int8_t *lq, const int8_t *lk, const int8_t *lv,
                        const int8_t *lo)
{
    tsr_match *m = a->m;
    tsr_atoms result = {.v = &m->root->out[0], .n = a->values.rank};
    memcpy(result.label, lo, result.n);
    memcpy(result.size, a->values.out, result.n * sizeof *result.size);
    below_moves(a, &result);
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
    tsr_value *in[3 + TSR_MASKS];
    size_t n = a->nlead + 2;
    TSR_TRY(arrange_operands(a, &q, &k, &v, in));
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
        out.at[i] = i + 1 == n ? TSR_LABEL_VALUE : a->order[i];
    }
    tsr_op *made = tsr_raise_new(m, TSR_OP_TESSERA_FLASH_ATTENTION, in, 3 + a->nmask,
                                 tsr_type_tensor(op->module->ctx, dims, n, elem, NULL));
    set_attrs(a, &h, made);
    out.v = tsr_raise_cast(m, &made->out[0], want);
    if (a->rows == TSR_LABEL_NONE)
        out.at[n - 2] = TSR_UNIT;
    tsr_value *back = tsr_raise_arrange(m, &out, result.label, result.n, false);
    return back &&
           tsr_raise_put(m, tsr_raise_reshape(m, back, op->out[0].type->dims, op->out[0].type->n));
}
