/* SPDX-License-Identifier: Apache-2.0 */
/* raise_rotary.c - rotary embedding: pairs (x0, x1) of the last dimension become (x0 c - x1 s, x1 c + x0 s). Pairs are
 * the two halves of the dimension or neighbours in it. The graph concatenates the two results, or computes x c +
 * rotated(x) s, or uses complex numbers. */
#include "pass/fuse/raise.h"

/* w without ops that only repeat or move it. */
static tsr_view stripped(tsr_view w)
{
    for (int i = 0; i < TSR_RAISE_STEPS; i++) {
        tsr_role role = tsr_role_made(w.v);
        if ((role != ROLE_BROADCAST && role != ROLE_RESHAPE && role != ROLE_TRANSPOSE) ||
            !tsr_view_up(NULL, &w))
            break;
    }
    for (uint32_t i = 0; i < w.v->type->n; i++)
        if (w.v->type->dims[i] == 1)
            w.at[i] = -1;
    return w;
}

static bool same_view(const tsr_view *a, const tsr_view *b)
{
    return a->v == b->v && !memcmp(a->at, b->at, a->v->type->n);
}

/* ---- Halves ---- */

typedef struct {
    tsr_value *x;
    int which; /* 0: the first of each pair */
    bool interleaved;
} half;

static bool same_lead(const tsr_type *a, const tsr_type *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

/* Whether op slices only the last dimension; its numbers. */
static bool last_slice(const tsr_op *op, int64_t *start, int64_t *limit, int64_t *stride)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    if (!t->n || !tsr_view_fits(op->in[0].value) || !same_lead(t, op->out[0].type, t->n - 1))
        return false;
    tsr_slice s;
    tsr_slice_of(op, &s);
    *start = tsr_ints_at(s.start, t->n - 1);
    *limit = tsr_ints_at(s.limit, t->n - 1);
    *stride = tsr_ints_at(s.strides, t->n - 1);
    return true;
}

/* Whether to is from with its last dimension split into pairs. */
static bool pairs(const tsr_type *from, const tsr_type *to)
{
    return from->n && to->n == from->n + 1 && to->dims[from->n] == 2 &&
           same_lead(from, to, from->n - 1);
}

static bool half_of(const tsr_value *v, half *out)
{
    const tsr_op *op = tsr_maker(v);
    int64_t start, limit, stride;
    tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
    if (role == ROLE_RESHAPE) { /* one element of each pair: [..., n, 1] */
        const tsr_value *one = op->in[0].value;
        const tsr_op *slice = tsr_role_made(one) == ROLE_SLICE ? one->op : NULL;
        const tsr_op *part = slice && tsr_role_made(slice->in[0].value) == ROLE_RESHAPE
                                 ? slice->in[0].value->op
                                 : NULL;
        if (!part || !last_slice(slice, &start, &limit, &stride) || limit != start + 1 ||
            !pairs(tsr_hlo_in(part, 0), part->out[0].type) ||
            v->type->n != tsr_hlo_in(part, 0)->n || !same_lead(v->type, one->type, v->type->n))
            return false;
        *out = (half){part->in[0].value, (int)start, true};
        return tsr_view_fits(out->x);
    }
    if (role != ROLE_SLICE || !last_slice(op, &start, &limit, &stride))
        return false;
    const tsr_type *t = tsr_hlo_in(op, 0);
    int64_t n = t->dims[t->n - 1], h = n / 2;
    *out = (half){op->in[0].value, 0, stride == 2};
    if (n % 2 || n < 2)
        return false;
    if (stride == 2) {
        out->which = (int)start;
        return start <= 1 && limit > n - 2 + start;
    }
    out->which = start != 0;
    return stride == 1 && ((start == 0 && limit == h) || (start == h && limit == n));
}

/* ---- Sums of two products ---- */

typedef struct {
    half of;
    tsr_view angle;
    double sign;
} term;

/* w = sign * half * angle. */
static bool term_of(tsr_match *m, tsr_view w, double sign, term *out)
{
    for (int i = 0; i < 3 && tsr_role_made(w.v) == ROLE_NEG; i++, sign = -sign) {
        if (!tsr_take(m, w.v->op))
            return false;
        w = tsr_view_in(&w, 0);
    }
    if (tsr_role_made(w.v) != ROLE_MUL || !tsr_take(m, w.v->op))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        tsr_value *x = w.v->op->in[i].value;
        tsr_op *neg = tsr_role_made(x) == ROLE_NEG ? x->op : NULL;
        if (!half_of(neg ? neg->in[0].value : x, &out->of))
            continue;
        if (neg && !tsr_take(m, neg))
            return false;
        out->angle = tsr_view_in(&w, 1 - i);
        out->sign = neg ? -sign : sign;
        return tsr_view_fits(out->angle.v);
    }
    return false;
}

/* v is a sum of two terms, t[0] of the first half and t[1] of the second. */
static bool terms_of(tsr_match *m, tsr_value *v, term t[2])
{
    tsr_view w = tsr_view_of(v);
    tsr_role role = tsr_role_made(v);
    if ((role != ROLE_ADD && role != ROLE_SUB) || !tsr_take(m, v->op) ||
        !term_of(m, tsr_view_in(&w, 0), 1, &t[0]) ||
        !term_of(m, tsr_view_in(&w, 1), role == ROLE_ADD ? 1 : -1, &t[1]))
        return false;
    if (t[0].of.which) {
        term first = t[1];
        t[1] = t[0];
        t[0] = first;
    }
    return t[0].of.which == 0 && t[1].of.which == 1 && t[0].of.x == t[1].of.x &&
           t[0].of.interleaved == t[1].of.interleaved;
}

/* ---- The patterns ---- */

/* The angle as an operand: with the last dimension, and others except leading ones of size 1. */
static tsr_value *angle_operand(tsr_match *m, const tsr_view *w, uint32_t rank, double sign)
{
    int8_t order[TSR_RAISE_RANK];
    bool last = false;
    for (uint32_t i = 0; i < rank; i++)
        order[i] = (int8_t)i;
    for (uint32_t i = 0; i < w->v->type->n; i++)
        last |= w->at[i] == (int8_t)(rank - 1);
    if (!last)
        return NULL;
    tsr_value *v = tsr_raise_arrange(m, w, order, rank, true);
    return v && sign < 0 ? &tsr_raise_new(m, TSR_OP_TESSERA_NEG, &v, 1, v->type)->out[0] : v;
}

static bool put(tsr_match *m, tsr_value *x, tsr_view cosine, tsr_view sine, double sign,
                bool interleaved)
{
    m->what = "rotary";
    if (x->type != m->root->out[0].type || !tsr_alone(m))
        return false;
    cosine = stripped(cosine);
    sine = stripped(sine);
    tsr_value *in[3] = {x, angle_operand(m, &cosine, x->type->n, 1),
                        angle_operand(m, &sine, x->type->n, sign)};
    if (!in[1] || !in[2])
        return tsr_refuse(m, NULL, "its angles do not go along the last dimension");
    tsr_op *made = tsr_raise_new(m, TSR_OP_TESSERA_ROTARY, in, 3, NULL);
    if (interleaved)
        made->attrs[TESSERA_ROTARY_interleaved] = tsr_attr_bool(made->module->ctx, true);
    return tsr_raise_put(m, &made->out[0]);
}

/* The order in which a concatenation of two puts elements: as halves, or, after reshapes that add a last dimension, as
 * neighbours. */
static bool joined(tsr_match *m, tsr_op *join, bool interleaved, tsr_value *part[2])
{
    uint32_t last = join->out[0].type->n - 1;
    if (join->nin != 2 || tsr_attr_of(join, STABLEHLO_CONCATENATE_dimension)->i != (int64_t)last ||
        !tsr_take(m, join))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        tsr_value *v = join->in[i].value;
        if (interleaved) {
            tsr_role role = tsr_role_made(v);
            if ((role != ROLE_BROADCAST && role != ROLE_RESHAPE) || !tsr_take(m, v->op))
                return false;
            tsr_view w = tsr_view_of(v), up = w;
            if (!tsr_view_up(NULL, &up) || up.v->type->n != last || v->type->dims[last] != 1 ||
                !same_lead(up.v->type, v->type, last))
                return false;
            for (uint32_t d = 0; d < last; d++)
                if (up.at[d] != (int8_t)d && up.v->type->dims[d] != 1)
                    return false;
            v = up.v;
        }
        part[i] = v;
    }
    return part[0]->type == part[1]->type && tsr_view_fits(part[0]);
}

/* The concatenation that v is, or of which it is a reshape: then of neighbours. */
static tsr_op *join_of(tsr_match *m, tsr_value *v, bool *interleaved)
{
    tsr_role role = tsr_role_made(v);
    *interleaved = role == ROLE_RESHAPE;
    if (role == ROLE_CONCATENATE)
        return v->op;
    if (role != ROLE_RESHAPE || tsr_role_made(v->op->in[0].value) != ROLE_CONCATENATE ||
        !pairs(v->type, v->op->in[0].value->type) || !tsr_take(m, v->op))
        return NULL;
    return v->op->in[0].value->op;
}

/* (x0 c - x1 s, x1 c + x0 s), concatenated. */
static bool from_parts(tsr_match *m)
{
    bool interleaved;
    tsr_op *join = join_of(m, &m->root->out[0], &interleaved);
    tsr_value *part[2];
    term first[2], second[2];
    if (!join || !joined(m, join, interleaved, part) || !terms_of(m, part[0], first) ||
        !terms_of(m, part[1], second) || first[0].of.x != second[0].of.x ||
        first[0].of.interleaved != interleaved || second[0].of.interleaved != interleaved)
        return false;
    tsr_view c[2] = {stripped(first[0].angle), stripped(second[1].angle)},
             s[2] = {stripped(first[1].angle), stripped(second[0].angle)};
    if (first[0].sign != 1 || second[1].sign != 1 || first[1].sign != -second[0].sign ||
        !same_view(&c[0], &c[1]) || !same_view(&s[0], &s[1]))
        return false;
    return put(m, first[0].of.x, c[0], s[0], second[0].sign, interleaved);
}

/* Real and imaginary part of (x0 + i x1) (c + i s), concatenated. */
static bool from_complex(tsr_match *m)
{
    bool interleaved;
    tsr_op *join = join_of(m, &m->root->out[0], &interleaved);
    tsr_value *part[2];
    if (!join || !joined(m, join, interleaved, part) || tsr_role_made(part[0]) != ROLE_REAL ||
        tsr_role_made(part[1]) != ROLE_IMAG)
        return false;
    tsr_value *turned = part[0]->op->in[0].value;
    if (part[1]->op->in[0].value != turned || tsr_role_made(turned) != ROLE_MUL ||
        !tsr_view_fits(turned) || !tsr_take(m, part[0]->op) || !tsr_take(m, part[1]->op) ||
        !tsr_take(m, turned->op))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        tsr_value *z = turned->op->in[i].value;
        half h[2];
        if (tsr_role_made(z) != ROLE_COMPLEX || !half_of(z->op->in[0].value, &h[0]) ||
            !half_of(z->op->in[1].value, &h[1]) || h[0].which != 0 || h[1].which != 1 ||
            h[0].x != h[1].x || h[0].interleaved != interleaved ||
            h[1].interleaved != interleaved || !tsr_take(m, z->op))
            continue;
        tsr_view at = tsr_view_of(turned), angle = stripped(tsr_view_in(&at, 1 - i)), c = angle,
                 s = angle;
        m->what = "rotary";
        if (h[0].x->type != m->root->out[0].type || !tsr_alone(m))
            return false;
        tsr_type *t = tsr_hlo_with_element(angle.v->type, h[0].x->type->elem);
        c.v = &tsr_raise_new(m, TSR_OP_STABLEHLO_REAL, &angle.v, 1, t)->out[0];
        s.v = &tsr_raise_new(m, TSR_OP_STABLEHLO_IMAG, &angle.v, 1, t)->out[0];
        return put(m, h[0].x, c, s, 1, interleaved);
    }
    return false;
}

/* x c + rotated(x) s, rotated(x) = (-x1, x0). */
static bool from_whole(tsr_match *m)
{
    tsr_op *op = m->root;
    tsr_view root = tsr_view_of(&op->out[0]);
    for (uint32_t i = 0; i < 2; i++) {
        m->n = 0;
        tsr_view a = tsr_view_in(&root, i), b = tsr_view_in(&root, 1 - i);
        if (tsr_role_made(a.v) != ROLE_MUL || tsr_role_made(b.v) != ROLE_MUL ||
            !tsr_take(m, a.v->op) || !tsr_take(m, b.v->op))
            return false;
        size_t mark = m->n;
        for (uint32_t k = 0; k < 4; k++) {
            tsr_value *x = a.v->op->in[k & 1].value, *part[2];
            m->n = mark;
            bool interleaved;
            half h[2];
            tsr_op *join = join_of(m, b.v->op->in[k >> 1].value, &interleaved);
            if (!join || x->type != op->out[0].type || !joined(m, join, interleaved, part))
                continue;
            tsr_op *neg = tsr_role_made(part[0]) == ROLE_NEG ? part[0]->op : NULL;
            if (!neg || !tsr_take(m, neg) || !half_of(neg->in[0].value, &h[0]) ||
                !half_of(part[1], &h[1]) || h[0].which != 1 || h[1].which != 0 || h[0].x != x ||
                h[1].x != x || h[0].interleaved != interleaved || h[1].interleaved != interleaved)
                continue;
            tsr_view c = tsr_view_in(&a, 1 - (k & 1)), s = tsr_view_in(&b, 1 - (k >> 1));
            return tsr_view_fits(c.v) && tsr_view_fits(s.v) && put(m, x, c, s, 1, interleaved);
        }
    }
    return false;
}

bool tsr_raise_rotary(tsr_match *m)
{
    if (tsr_role_of(m->root) == ROLE_ADD)
        return from_whole(m);
    if (from_parts(m))
        return true;
    m->n = 0;
    return from_complex(m);
}
