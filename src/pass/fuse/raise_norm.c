/* SPDX-License-Identifier: Apache-2.0 */
/* raise_norm.c - layer_norm and rms_norm over the last dimension: x, or x minus its mean, divided by the root of its
 * mean square (or its variance, also as E[x^2] - E[x]^2), then perhaps scaled and shifted. */
#include "pass/fuse/raise.h"

/* w is the mean of *of over dimension *dim, repeated along it. */
static bool mean(tsr_match *m, tsr_view w, const tsr_type *t, tsr_view *of, int64_t *dim)
{
    double factor = 1;
    return tsr_reduced(m, w, t, TSR_TESSERA_SUM, of, dim, &factor) &&
           fabs(factor * (double)t->dims[*dim] - 1) < tsr_precision(t->elem);
}

/* w = v minus the mean of v. */
static bool centred(tsr_match *m, tsr_view w, const tsr_type *t, tsr_view *of, int64_t *dim)
{
    size_t mark = m->n;
    tsr_view_top(m, &w);
    tsr_view mean_of;
    if (tsr_role_made(w.v) == ROLE_SUB && tsr_view_whole(&w, t) && tsr_take(m, w.v->op)) {
        *of = tsr_view_in(&w, 0);
        if (tsr_view_whole(of, t) && mean(m, tsr_view_in(&w, 1), t, &mean_of, dim) &&
            tsr_same(mean_of.v, of->v))
            return true;
    }
    m->n = mark;
    return false;
}

/* w = v * v. */
static bool square(tsr_match *m, tsr_view w, tsr_view *of)
{
    tsr_view_top(m, &w);
    tsr_op *op = tsr_maker(w.v);
    tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
    double two;
    if ((role != ROLE_SQUARE && role != ROLE_POW && role != ROLE_MUL) || !tsr_take(m, op))
        return false;
    *of = tsr_view_in(&w, 0);
    if (role == ROLE_MUL)
        return tsr_same(op->in[0].value, op->in[1].value);
    return role == ROLE_SQUARE || (tsr_splat_number(op->in[1].value, &two) && two == 2);
}

/* Goes up through max(0, v). */
static void unclamped(tsr_match *m, tsr_view *w)
{
    for (int i = 0; i < TSR_RAISE_STEPS; i++) {
        double zero;
        if (tsr_view_up(m, w))
            continue;
        if (tsr_role_made(w->v) == ROLE_RELU && tsr_take(m, w->v->op)) {
            *w = tsr_view_in(w, 0);
            continue;
        }
        if (tsr_role_made(w->v) != ROLE_MAX)
            return;
        uint32_t k = tsr_splat_number(w->v->op->in[0].value, &zero) && zero == 0 ? 1 : 0;
        if ((!k && !(tsr_splat_number(w->v->op->in[1].value, &zero) && zero == 0)) ||
            !tsr_take(m, w->v->op))
            return;
        *w = tsr_view_in(w, k);
    }
}

typedef struct {
    const tsr_type *t;
    tsr_view x, of; /* the dividend; of: the value before its mean was subtracted, if centred */
    bool centred;
    int64_t dim;
} norm;

/* w is the mean square of the dividend, or its variance. */
static bool power(tsr_match *m, tsr_view w, norm *n)
{
    tsr_view sq, v, of;
    int64_t dim, other;
    unclamped(m, &w);
    tsr_view at = w;
    size_t mark = m->n;
    if (mean(m, at, n->t, &sq, &dim) && square(m, sq, &v)) {
        if (tsr_same(v.v, n->x.v) && (!n->centred || n->dim == dim)) {
            n->dim = dim;
            return true;
        }
        if (n->centred && centred(m, v, n->t, &of, &other) && tsr_same(of.v, n->of.v))
            return dim == n->dim && other == dim;
    }
    m->n = mark;
    if (!n->centred || tsr_role_made(w.v) != ROLE_SUB || !tsr_take(m, w.v->op))
        return false;
    tsr_view first = tsr_view_in(&w, 0), second = tsr_view_in(&w, 1), root;
    if (!mean(m, first, n->t, &sq, &dim) || !square(m, sq, &v) || !tsr_same(v.v, n->of.v) ||
        dim != n->dim || !square(m, second, &root) || !mean(m, root, n->t, &of, &other) ||
        !tsr_same(of.v, n->of.v))
        return false;
    return other == dim;
}

/* w (a divisor, or a factor) is the root of power plus eps, or its reciprocal. */
static bool deviation(tsr_match *m, tsr_view w, bool divides, norm *n, double *eps)
{
    tsr_view_top(m, &w);
    tsr_op *op = tsr_maker(w.v);
    tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
    double half;
    bool inverse = role == ROLE_RSQRT ||
                   (role == ROLE_POW && tsr_splat_number(op->in[1].value, &half) && half == -0.5),
         plain = role == ROLE_SQRT ||
                 (role == ROLE_POW && tsr_splat_number(op->in[1].value, &half) && half == 0.5);
    if (!(divides ? plain : inverse) || !tsr_take(m, op))
        return false;
    tsr_view sum = tsr_view_in(&w, 0);
    tsr_view_top(m, &sum);
    *eps = 0;
    if (tsr_role_made(sum.v) != ROLE_ADD)
        return power(m, sum, n);
    tsr_op *add = sum.v->op;
    uint32_t k = tsr_splat_number(add->in[0].value, eps) ? 1 : 0;
    return (k || tsr_splat_number(add->in[1].value, eps)) && tsr_take(m, add) &&
           power(m, tsr_view_in(&sum, k), n);
}

/* The vector along the last dimension that w repeats; NULL: it is something else. */
static tsr_value *vector(const tsr_match *m, tsr_view w, const tsr_type *t)
{
    int8_t last = (int8_t)(t->n - 1);
    for (int i = 0; i < TSR_RAISE_STEPS; i++) {
        bool plain = true;
        for (uint32_t d = 0; d < w.v->type->n; d++)
            plain &= w.at[d] == last || w.v->type->dims[d] == 1;
        if (plain && tsr_role_made(w.v) != ROLE_BROADCAST && tsr_role_made(w.v) != ROLE_CONVERT)
            break;
        tsr_view up = w;
        bool narrows = tsr_role_made(w.v) == ROLE_CONVERT && !tsr_widens(w.v->op);
        if (narrows || !tsr_view_up(NULL, &up))
            break;
        w = up;
    }
    bool has = false;
    for (uint32_t d = 0; d < w.v->type->n; d++) {
        if (w.at[d] != last && w.v->type->dims[d] != 1)
            return NULL;
        w.at[d] = w.at[d] == last ? last : -1;
        has |= w.at[d] == last;
    }
    return has ? tsr_raise_arrange(m, &w, &last, 1, false) : NULL;
}

bool tsr_raise_norm(tsr_match *m)
{
    tsr_type *t = m->root->out[0].type;
    tsr_view root = tsr_view_of(&m->root->out[0]);
    tsr_factors f;
    if (!t->n || !tsr_factor(m, &root, &f) || f.n < 2 || f.n > 3 || f.number != 1)
        return false;
    size_t mark = m->n;
    for (size_t i = 0; i < f.n; i++)
        for (size_t d = 0; d < f.n; d++) {
            norm n = {.t = t, .x = f.of[i]};
            double eps;
            m->n = mark;
            if (i == d || f.divides[i] || !tsr_view_whole(&n.x, t) || f.of[d].v == n.x.v)
                continue;
            n.centred = centred(m, n.x, t, &n.of, &n.dim);
            if (!deviation(m, f.of[d], f.divides[d], &n, &eps))
                continue;
            m->what = n.centred ? "layer_norm" : "rms_norm";
            if (n.dim != (int64_t)t->n - 1)
                return tsr_refuse(m, NULL, "it is not over the last dimension");
            size_t s = 3 - i - d; /* the third factor, if there is one */
            if (f.n == 3 && f.divides[s])
                return false;
            if (!tsr_alone(m))
                return false;
            tsr_value *in[2] = {n.centred ? n.of.v : n.x.v,
                                f.n == 3 ? vector(m, f.of[s], t) : NULL};
            if (f.n == 3 && !in[1])
                return false; /* a gate, not a scale: the norm above it is visited later */
            tsr_op *made =
                tsr_raise_layer(m, n.centred ? TSR_OP_TESSERA_LAYER_NORM : TSR_OP_TESSERA_RMS_NORM,
                                in, f.n == 3 ? 2 : 1);
            made->attrs[TESSERA_LAYER_NORM_eps] = tsr_raise_f64(m, eps);
            return tsr_raise_put(m, &made->out[0]);
        }
    return false;
}

/* ---- As torch_xla writes it: [1, N, D] normalized per feature N, with scale 1 and offset 0 ---- */

bool tsr_raise_batch_norm(tsr_match *m)
{
    tsr_op *op = m->root;
    tsr_value *x = op->in[0].value;
    tsr_type *t = op->out[0].type;
    int64_t feature = tsr_attr_of(op, STABLEHLO_BATCH_NORM_TRAINING_feature_index)->i;
    double one, zero;
    if (!tsr_view_fits(x) || t->n < 2 || feature == (int64_t)t->n - 1 || t != x->type ||
        !tsr_splat_number(op->in[1].value, &one) || one != 1 ||
        !tsr_splat_number(op->in[2].value, &zero) || zero != 0)
        return false;
    for (uint32_t i = 0; i + 1 < t->n; i++)
        if ((int64_t)i != feature && t->dims[i] != 1)
            return false;
    m->what = "layer_norm";
    if (op->out[1].uses || op->out[2].uses)
        return tsr_refuse(m, op, "gives mean or variance to others");
    tsr_op *made = tsr_raise_new(m, TSR_OP_TESSERA_LAYER_NORM, &x, 1, NULL);
    made->attrs[TESSERA_LAYER_NORM_eps] = tsr_raise_f64(
        m, tsr_tessera_number(tsr_attr_of(op, STABLEHLO_BATCH_NORM_TRAINING_epsilon), 0));
    return tsr_raise_put(m, &made->out[0]);
}

/* ---- Around norms ---- */

static tsr_op *lone_norm(tsr_value *v, uint32_t nin)
{
    tsr_role role = tsr_role_made(v);
    bool fits = role == ROLE_LAYER_NORM || (role == ROLE_RMS_NORM && nin == 1);
    return fits && v->uses && !v->uses->next && v->op->nin == nin ? v->op : NULL;
}

/* A norm times a vector, or a scaled layer_norm plus one: these become operands of the norm. Reshapes in between, as
 * torch_xla writes them, keep the last dimension. */
bool tsr_raise_affine(tsr_match *m)
{
    tsr_op *op = m->root;
    tsr_type *t = op->out[0].type;
    bool shifts = tsr_role_of(op) == ROLE_ADD;
    tsr_view root = tsr_view_of(&op->out[0]);
    for (uint32_t i = 0; i < 2 && t->n; i++) {
        tsr_value *v = op->in[i].value;
        tsr_op *reshape =
            tsr_role_made(v) == ROLE_RESHAPE && v->uses && !v->uses->next ? v->op : NULL;
        tsr_op *layer = lone_norm(reshape ? reshape->in[0].value : v, shifts ? 2 : 1);
        const tsr_type *inner = layer ? layer->out[0].type : NULL;
        if (!layer || v->type != t || !inner->n || inner->dims[inner->n - 1] != t->dims[t->n - 1])
            continue;
        tsr_view other = tsr_view_in(&root, 1 - i);
        tsr_value *by = tsr_view_fits(other.v) ? vector(m, other, t) : NULL;
        if (!by)
            continue;
        tsr_value *in[3] = {layer->in[0].value, shifts ? layer->in[1].value : by, by};
        tsr_op *made = tsr_raise_new(m, (enum tsr_opcode)layer->def->opcode, in, shifts ? 3 : 2,
                                     layer->out[0].type);
        made->attrs[TESSERA_LAYER_NORM_eps] = layer->attrs[TESSERA_LAYER_NORM_eps];
        return tsr_raise_put(m, tsr_raise_reshape(m, &made->out[0], t->dims, t->n));
    }
    return false;
}

/* Layers compute on floats narrower than f32 in f32 or wider, and round once, just like a value that is widened before
 * the layer and narrowed after it. */
bool tsr_raise_narrow(tsr_match *m)
{
    tsr_op *op = m->root;
    tsr_value *v = op->in[0].value;
    tsr_type *t = op->out[0].type;
    tsr_role role = tsr_role_made(v);
    bool layer = role == ROLE_LAYER_NORM || role == ROLE_RMS_NORM || role == ROLE_SOFTMAX ||
                 role == ROLE_GELU || role == ROLE_SILU || role == ROLE_ROTARY;
    if (!layer || !v->uses || v->uses->next || tsr_role_made(v->op->in[0].value) != ROLE_CONVERT)
        return false;
    tsr_op *old = v->op;
    tsr_value *x = old->in[0].value->op->in[0].value;
    if (x->type != t || t->elem->kind != TSR_TYPE_FLOAT || t->elem->width >= v->type->elem->width ||
        v->type->elem->width > 32)
        return false;
    tsr_value *in[3] = {x, old->nin > 1 ? old->in[1].value : NULL,
                        old->nin > 2 ? old->in[2].value : NULL};
    tsr_op *made = tsr_raise_new(m, (enum tsr_opcode)old->def->opcode, in, old->nin, NULL);
    for (uint16_t i = 0; i < old->def->nslot; i++)
        made->attrs[i] = old->attrs[i];
    return tsr_raise_put(m, &made->out[0]);
}
