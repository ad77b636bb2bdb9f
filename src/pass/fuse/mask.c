/* SPDX-License-Identifier: Apache-2.0 */
/* mask.c - whether a mask is the causal one: key j is hidden from query i if j > i + shift.
 *
 * Masks are built from comparisons of iotas, followed by selects, conversions, subtractions and multiplications in many
 * forms. The comparison is decided as a linear form of i and j; the ops on top of it have two values, one where keys
 * are visible and one where they are hidden, which are computed. Constants are examined element by element. */
#include "dialect/stablehlo/cases.h"
#include "pass/fuse/raise.h"

enum { HIDDEN, VISIBLE };

typedef struct {
    tsr_mask_memo *memo;
    int8_t q, k;
    int64_t most; /* the larger of the two sizes */
    bool known;   /* whether shift is known */
    int64_t shift;
    int budget; /* number of ops that may be examined */
} causal;

/* ---- Linear forms ---- */

typedef struct {
    double q, k, c;
} linear;

/* 0, 1, 2, ... times a step, from a start, along the only dimension that is not 1. */
static bool ramp(const tsr_view *w, const tsr_attr *data, const causal *s, linear *out)
{
    int64_t n = 1;
    int8_t at = -1;
    for (uint32_t i = 0; i < w->v->type->n; i++)
        if (w->v->type->dims[i] != 1) {
            if (n != 1)
                return false;
            n = w->v->type->dims[i];
            at = w->at[i];
        }
    if (n < 2 || (at != s->q && at != s->k))
        return false;
    double first = tsr_dense_at(data, 0), by = tsr_dense_at(data, 1) - first;
    for (int64_t i = 2; i < n; i++)
        if (tsr_dense_at(data, i) != first + by * (double)i)
            return false;
    *out = (linear){.q = at == s->q ? by : 0, .k = at == s->k ? by : 0, .c = first};
    return true;
}

static const tsr_attr *dense(const tsr_value *v)
{
    const tsr_op *op = tsr_maker(v);
    const tsr_attr *a =
        op && tsr_role_of(op) == ROLE_CONSTANT ? tsr_attr_of(op, TESSERA_CONSTANT_value) : NULL;
    return tsr_attr_is(a, TSR_ATTR_DENSE) && a->sub != 1 && a->type == v->type &&
                   a->type->elem->width <= 64
               ? a
               : NULL;
}

/* Whether integers up to the sizes are exact in this type. */
static bool holds(const tsr_type *elem, int64_t most)
{
    uint32_t bits = elem->kind == TSR_TYPE_FLOAT     ? tsr_float_formats[elem->sub].mbits
                    : elem->kind == TSR_TYPE_INTEGER ? elem->width - 1
                                                     : 0;
    return bits && most <= (int64_t)1 << (bits < 40 ? bits : 40);
}

static bool linear_of(tsr_view w, causal *s, linear *out)
{
    tsr_op *op = tsr_maker(w.v);
    tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
    linear a, b;
    *out = (linear){0};
    if (!tsr_view_fits(w.v) || s->budget-- <= 0 || !holds(w.v->type->elem, s->most))
        return false;
    if (tsr_splat_number(w.v, &out->c))
        return true;
    switch (role) {
    case ROLE_CONSTANT: return dense(w.v) && ramp(&w, dense(w.v), s, out);
    case ROLE_IOTA: {
        int64_t d = tsr_attr_of(op, STABLEHLO_IOTA_iota_dimension)->i;
        int8_t at = w.at[d];
        out->q = at == s->q;
        out->k = at == s->k;
        return at == s->q || at == s->k || w.v->type->dims[d] == 1;
    }
    case ROLE_CONVERT: return linear_of(tsr_view_in(&w, 0), s, out);
    case ROLE_ADD:
    case ROLE_SUB:
    case ROLE_MUL:
        if ((role == ROLE_SUB && w.v->type->elem->sub == TSR_UNSIGNED &&
             w.v->type->elem->kind == TSR_TYPE_INTEGER) ||
            !linear_of(tsr_view_in(&w, 0), s, &a) || !linear_of(tsr_view_in(&w, 1), s, &b))
            return false;
        if (role == ROLE_MUL) {
            bool number = b.q == 0 && b.k == 0;
            linear of = number ? a : b;
            double by = number ? b.c : a.c;
            *out = (linear){of.q * by, of.k * by, of.c * by};
            return number || (a.q == 0 && a.k == 0);
        }
        *out = role == ROLE_ADD ? (linear){a.q + b.q, a.k + b.k, a.c + b.c}
                                : (linear){a.q - b.q, a.k - b.k, a.c - b.c};
        return true;
    default: return tsr_view_up(NULL, &w) && linear_of(w, s, out);
    }
}

static bool agree(causal *s, double shift)
{
    if (shift != floor(shift) || fabs(shift) > 0x1p40 || (s->known && s->shift != (int64_t)shift))
        return false;
    s->shift = (int64_t)shift;
    s->known = true;
    return true;
}

/* a compared with b, both linear: true exactly where keys are visible, or exactly where they are hidden. */
static bool comparison(const tsr_view *w, causal *s, double out[2])
{
    linear a, b;
    int64_t how = tsr_attr_of(w->v->op, STABLEHLO_COMPARE_comparison_direction)->i;
    if (how == TSR_COMPARE_EQ || how == TSR_COMPARE_NE || !linear_of(tsr_view_in(w, 0), s, &a) ||
        !linear_of(tsr_view_in(w, 1), s, &b))
        return false;
    double q = a.q - b.q, k = a.k - b.k, c = a.c - b.c;
    if (q == -1 && k == 1) {
        how = tsr_compare_mirrored((tsr_compare)how);
        c = -c;
    } else if (q != 1 || k != -1) {
        return false;
    }
    /* i - j + c against 0 */
    bool seen = how == TSR_COMPARE_GE || how == TSR_COMPARE_GT;
    out[VISIBLE] = seen;
    out[HIDDEN] = !seen;
    return agree(s, how == TSR_COMPARE_GE || how == TSR_COMPARE_LT ? c : c - 1);
}

/* ---- Values ---- */

/* For n[0] queries and n[1] keys, with elements step apart, whether there are two values: one up to key i + *shift, one
 * after it. */
static bool triangular(const tsr_attr *data, const int64_t n[2], const int64_t step[2],
                       int64_t *shift, double out[2])
{
    out[VISIBLE] = tsr_dense_at(data, (n[0] - 1) * step[0]);
    out[HIDDEN] = tsr_dense_at(data, (n[1] - 1) * step[1]);
    if (out[VISIBLE] == out[HIDDEN])
        return false;
    *shift = -1;
    while (*shift + 1 < n[1] && tsr_dense_at(data, (*shift + 1) * step[1]) == out[VISIBLE])
        ++*shift;
    for (int64_t i = 0; i < n[0]; i++)
        for (int64_t j = 0; j < n[1]; j++)
            if (tsr_dense_at(data, i * step[0] + j * step[1]) !=
                out[j <= i + *shift ? VISIBLE : HIDDEN])
                return false;
    return true;
}

static bool constant(const tsr_view *w, const tsr_attr *data, causal *s, double out[2])
{
    int64_t n[2] = {1, 1}, step[2] = {0, 0}, stride = 1;
    for (uint32_t i = w->v->type->n; i-- > 0;) {
        int64_t size = w->v->type->dims[i];
        if (size != 1 && w->at[i] != s->q && w->at[i] != s->k)
            return false;
        if (size != 1) {
            n[w->at[i] == s->k] = size;
            step[w->at[i] == s->k] = stride;
        }
        stride *= size;
    }
    if (n[0] < 2 || n[1] < 2)
        return false;
    tsr_mask_memo *memo = s->memo;
    if (memo->data != data || memo->step[0] != step[0] || memo->step[1] != step[1]) {
        *memo = (tsr_mask_memo){.data = data, .step = {step[0], step[1]}};
        memo->fits = triangular(data, n, step, &memo->shift, memo->values);
    }
    memcpy(out, memo->values, sizeof memo->values);
    return memo->fits && agree(s, (double)memo->shift);
}

static bool values_of(tsr_view w, causal *s, double out[2])
{
    tsr_op *op = tsr_maker(w.v);
    tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
    double a[2], b[2], p[2];
    if (!tsr_view_fits(w.v) || s->budget-- <= 0)
        return false;
    if (tsr_splat_number(w.v, &out[0])) {
        out[1] = out[0];
        return true;
    }
    switch (role) {
    case ROLE_CONSTANT: return dense(w.v) && constant(&w, dense(w.v), s, out);
    case ROLE_COMPARE:
        if (comparison(&w, s, out))
            return true;
        break; /* comparison of an existing mask: tril(ones) == 0 */
    case ROLE_SELECT:
        if (!values_of(tsr_view_in(&w, 0), s, p) || !values_of(tsr_view_in(&w, 1), s, a) ||
            !values_of(tsr_view_in(&w, 2), s, b))
            return false;
        for (int i = 0; i < 2; i++)
            out[i] = p[i] != 0 ? a[i] : b[i];
        return true;
    case ROLE_AND:
    case ROLE_NOT:
        if (w.v->type->elem->width != 1)
            return false;
        break;
    case ROLE_ADD:
    case ROLE_SUB:
    case ROLE_MUL:
    case ROLE_DIV:
    case ROLE_MAX:
    case ROLE_MIN:
        if (w.v->type->elem->kind != TSR_TYPE_FLOAT)
            return false;
        break;
    case ROLE_NEG:
    case ROLE_CONVERT: break;
    default: return tsr_view_up(NULL, &w) && values_of(w, s, out);
    }
    if (!values_of(tsr_view_in(&w, 0), s, a) ||
        (op->nin > 1 && !values_of(tsr_view_in(&w, 1), s, b)))
        return false;
    for (int i = 0; i < 2; i++)
        out[i] = tsr_role_value(role, op, a[i], op->nin > 1 ? b[i] : 0);
    return true;
}

bool tsr_mask_causal(tsr_match *m, const tsr_view *visible, bool invert, const tsr_type *frame,
                     int8_t q, int8_t k, int64_t *shift, double *low)
{
    causal s = {.memo = &m->memo, .q = q, .k = k, .budget = 48};
    s.most = frame->dims[q] > frame->dims[k] ? frame->dims[q] : frame->dims[k];
    double out[2];
    bool truth = tsr_type_is_integer(visible->v->type->elem, 1);
    if (frame->dims[q] < 2 || frame->dims[k] < 2 || !values_of(*visible, &s, out) || !s.known)
        return false;
    *shift = s.shift;
    if (truth)
        return (out[VISIBLE] != 0) == !invert && (out[HIDDEN] != 0) == invert;
    *low = out[HIDDEN];
    return out[VISIBLE] == 0 && out[HIDDEN] < 0;
}

/* ---- Rows without keys ---- */

bool tsr_mask_all_hidden(tsr_match *m, tsr_view w, const tsr_value *x, const tsr_type *frame,
                         int64_t k)
{
    bool negated = false, reduced = false, all = false;
    for (int i = 0; i < 2 * TSR_RAISE_STEPS; i++) {
        tsr_op *op = tsr_maker(w.v);
        tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
        double low;
        int64_t dim;
        tsr_view of;
        if (role == ROLE_NOT) {
            negated = !negated;
            of = tsr_view_in(&w, 0);
        } else if (role == ROLE_REDUCE && !reduced) {
            tsr_role kind = tsr_truth_reduction(op);
            if (kind == ROLE_NONE || !tsr_view_reduced(&w, &of, &dim) ||
                !tsr_view_whole(&of, frame) || dim != k)
                return false;
            /* all(x) = not any(not x) */
            reduced = true;
            all = (kind == ROLE_AND) != negated;
        } else if (role == ROLE_COMPARE && reduced && all) {
            int64_t how = tsr_attr_of(op, STABLEHLO_COMPARE_comparison_direction)->i;
            of = tsr_view_in(&w, 0);
            return how == (negated ? TSR_COMPARE_NE : TSR_COMPARE_EQ) && of.v == x &&
                   tsr_splat_number(op->in[1].value, &low) && low == -INFINITY &&
                   tsr_view_whole(&w, frame) && tsr_take(m, op);
        } else if (tsr_view_up(m, &w)) {
            continue;
        } else {
            return false;
        }
        if (!tsr_take(m, op) || !tsr_view_fits(of.v))
            return false;
        w = of;
    }
    return false;
}
