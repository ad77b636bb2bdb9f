/* SPDX-License-Identifier: Apache-2.0 */
/* match.c - queries of the patterns of raise.h: roles, views through ops that only move elements, numbers, reductions,
 * and whether the ops that a pattern takes have other users. Each query examines a bounded number of ops. */
#include "dialect/stablehlo/cases.h"
#include "pass/fuse/raise.h"

/* ---- Roles ---- */

static const uint8_t roles[TSR_OP__COUNT] = {
#define ROLE(op, role) [TSR_OP_##op] = ROLE_##role,
#include "pass/fuse/roles.def"
};

tsr_role tsr_role_of(const tsr_op *op)
{
    if (op->def->opcode >= TSR_OP__COUNT)
        return ROLE_NONE;
    if (tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL))
        return tsr_str_is(tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_call_target_name)->s, "mhlo.erf") &&
                       op->nin == 1 && op->nout == 1
                   ? ROLE_ERF
                   : ROLE_NONE;
    return (tsr_role)roles[op->def->opcode];
}

/* ---- Views ---- */

bool tsr_view_fits(const tsr_value *v)
{
    const tsr_type *t = v->type;
    return t->kind == TSR_TYPE_TENSOR && t->n <= TSR_RAISE_RANK && !t->attr &&
           tsr_type_has_static_shape(t);
}

tsr_view tsr_view_of(tsr_value *v)
{
    tsr_view w = {.v = v};
    for (uint32_t i = 0; i < v->type->n; i++)
        w.at[i] = (int8_t)i;
    return w;
}

/* x, whose dimensions are aligned with the last ones of w. */
static tsr_view aligned(const tsr_view *w, tsr_value *x)
{
    tsr_view r = {.v = x};
    const tsr_type *from = x->type, *to = w->v->type;
    for (uint32_t i = 0; i < from->n && from->n <= to->n; i++) {
        uint32_t d = to->n - from->n + i;
        r.at[i] = from->dims[i] == 1 && to->dims[d] != 1 ? -1 : w->at[d];
    }
    return r;
}

tsr_view tsr_view_in(const tsr_view *w, uint32_t i)
{
    return aligned(w, w->v->op->in[i].value);
}

bool tsr_unit_reshape(const tsr_type *from, const tsr_type *to, int8_t *at)
{
    uint32_t d = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        at[i] = -1;
        if (from->dims[i] == 1)
            continue;
        while (d < to->n && to->dims[d] == 1)
            d++;
        if (d == to->n || to->dims[d] != from->dims[i])
            return false;
        at[i] = (int8_t)d++;
    }
    while (d < to->n && to->dims[d] == 1)
        d++;
    return d == to->n;
}

static bool floats(const tsr_value *v)
{
    return v->type->elem->kind == TSR_TYPE_FLOAT;
}

/* Goes up through a broadcast, a reshape or a transpose. */
static bool up_move(tsr_view *w, tsr_role role)
{
    const tsr_op *op = w->v->op;
    tsr_value *x = op->in[0].value;
    tsr_view r = {.v = x};
    const tsr_type *from = x->type, *to = w->v->type;
    if (!tsr_view_fits(x))
        return false;
    if (role == ROLE_RESHAPE) {
        int8_t at[TSR_RAISE_RANK];
        if (!tsr_unit_reshape(from, to, at))
            return false;
        for (uint32_t i = 0; i < from->n; i++)
            r.at[i] = at[i] < 0 ? -1 : w->at[at[i]];
    } else if (role == ROLE_TRANSPOSE) {
        bool hlo = tsr_op_is(op, TSR_OP_STABLEHLO_TRANSPOSE);
        for (uint32_t i = 0; i < to->n; i++)
            r.at[hlo ? tsr_hlo_at(tsr_attr_of(op, STABLEHLO_TRANSPOSE_permutation), i)
                     : tsr_tessera_perm(op, to->n, i)] = w->at[i];
    } else if (tsr_op_is(op, TSR_OP_STABLEHLO_BROADCAST_IN_DIM)) {
        const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_BROADCAST_IN_DIM_broadcast_dimensions);
        for (uint32_t i = 0; i < from->n; i++) {
            int64_t d = tsr_hlo_at(dims, i);
            r.at[i] = from->dims[i] == 1 && to->dims[d] != 1 ? -1 : w->at[d];
        }
    } else {
        r = aligned(w, x);
    }
    *w = r;
    return true;
}

bool tsr_view_up(tsr_match *m, tsr_view *w)
{
    tsr_op *op = tsr_maker(w->v);
    tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
    tsr_view next = *w;
    double x;
    switch (role) {
    case ROLE_CONVERT:
        if (!floats(w->v) || !floats(op->in[0].value))
            return false;
        next = tsr_view_in(w, 0);
        break;
    case ROLE_BROADCAST:
    case ROLE_RESHAPE:
    case ROLE_TRANSPOSE:
        if (!up_move(&next, role))
            return false;
        break;
    case ROLE_SELECT:
        if (!tsr_splat_number(op->in[0].value, &x))
            return false;
        next = tsr_view_in(w, x != 0 ? 1 : 2);
        break;
    case ROLE_MAX: /* max(-inf, x), as JAX writes it */
        if (tsr_splat_number(op->in[0].value, &x) && x == -INFINITY)
            next = tsr_view_in(w, 1);
        else if (tsr_splat_number(op->in[1].value, &x) && x == -INFINITY)
            next = tsr_view_in(w, 0);
        else
            return false;
        break;
    default: return false;
    }
    if (!tsr_view_fits(next.v) || (m && !tsr_take(m, op)))
        return false;
    *w = next;
    return true;
}

void tsr_view_top(tsr_match *m, tsr_view *w)
{
    for (int i = 0; i < TSR_RAISE_STEPS && tsr_view_up(m, w); i++)
        ;
}

bool tsr_view_whole(const tsr_view *w, const tsr_type *t)
{
    if (w->v->type->n != t->n || !tsr_view_fits(w->v))
        return false;
    for (uint32_t i = 0; i < t->n; i++)
        if (w->v->type->dims[i] != t->dims[i] || (w->at[i] != (int8_t)i && t->dims[i] != 1))
            return false;
    return true;
}

/* ---- Values ---- */

bool tsr_widens(const tsr_op *op)
{
    if (tsr_role_of(op) != ROLE_CONVERT)
        return false;
    const tsr_type *from = tsr_hlo_in(op, 0)->elem, *to = op->out[0].type->elem;
    return from->kind == TSR_TYPE_FLOAT && to->kind == TSR_TYPE_FLOAT &&
           (from == to || from->width < to->width);
}

tsr_value *tsr_unwidened(tsr_value *v)
{
    for (int i = 0; i < 4 && !v->is_arg && tsr_widens(v->op); i++)
        v = v->op->in[0].value;
    return v;
}

bool tsr_same(tsr_value *a, tsr_value *b)
{
    return a == b || tsr_unwidened(a) == tsr_unwidened(b);
}

double tsr_dense_at(const tsr_attr *a, int64_t i)
{
    uint32_t bytes = tsr_type_storage_bits(a->type->elem) / 8;
    const uint8_t *p = (const uint8_t *)a->s.data + (a->sub == 1 ? 0 : (size_t)i * bytes);
    uint64_t bits = 0;
    for (uint32_t k = 0; k < bytes && k < 8; k++)
        bits |= (uint64_t)p[k] << 8 * k;
    const tsr_type *e = a->type->elem;
    if (e->kind == TSR_TYPE_FLOAT)
        return tsr_float_to_double((tsr_float_kind)e->sub, bits);
    if (e->width == 1)
        return bits != 0;
    if (e->sub == TSR_UNSIGNED || !bytes)
        return (double)bits;
    return (double)((int64_t)(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes));
}

double tsr_precision(const tsr_type *elem)
{
    double ulp = ldexp(1, -(int)tsr_float_formats[elem->sub].mbits);
    return ulp > 1e-5 ? ulp : 1e-5;
}

/* x rounded to this element type. */
static double rounded(const tsr_type *e, double x)
{
    return e->kind == TSR_TYPE_FLOAT
               ? tsr_float_to_double((tsr_float_kind)e->sub,
                                     tsr_float_from_double((tsr_float_kind)e->sub, x))
               : x;
}

bool tsr_compared(const tsr_op *op, double a, double b)
{
    switch (tsr_attr_of(op, STABLEHLO_COMPARE_comparison_direction)->i) {
    case TSR_COMPARE_EQ: return a == b;
    case TSR_COMPARE_NE: return a != b;
    case TSR_COMPARE_GE: return a >= b;
    case TSR_COMPARE_GT: return a > b;
    case TSR_COMPARE_LE: return a <= b;
    default: return a < b;
    }
}

static bool constant_number(const tsr_op *op, const tsr_type *elem, double *out)
{
    _Static_assert((int)STABLEHLO_CONSTANT_value == (int)TESSERA_CONSTANT_value,
                   "constants have one slot");
    const tsr_attr *d = tsr_attr_of(op, TESSERA_CONSTANT_value);
    if (!tsr_attr_is(d, TSR_ATTR_DENSE) || d->type->elem != elem ||
        (d->sub != 1 && tsr_type_num_elements(d->type) != 1))
        return false;
    *out = tsr_dense_at(d, 0);
    return true;
}

double tsr_role_value(tsr_role role, const tsr_op *op, double a, double b)
{
    switch (role) {
    case ROLE_ADD: return a + b;
    case ROLE_SUB: return a - b;
    case ROLE_MUL: return a * b;
    case ROLE_DIV: return a / b;
    case ROLE_MAX: return a > b ? a : b;
    case ROLE_MIN: return a < b ? a : b;
    case ROLE_POW: return pow(a, b);
    case ROLE_NEG: return -a;
    case ROLE_SQRT: return sqrt(a);
    case ROLE_RSQRT: return 1 / sqrt(a);
    case ROLE_SQUARE: return a * a;
    case ROLE_COMPARE: return tsr_compared(op, a, b);
    case ROLE_AND: return a != 0 && b != 0;
    case ROLE_NOT: return a == 0;
    default: return a;
    }
}

static bool number_at(const tsr_value *v, double *out, int depth)
{
    const tsr_op *op = tsr_maker(v);
    tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
    if (role == ROLE_NONE || !depth || v->type->kind != TSR_TYPE_TENSOR)
        return false;
    const tsr_type *e = v->type->elem;
    if ((e->kind != TSR_TYPE_FLOAT && e->kind != TSR_TYPE_INTEGER) || e->width > 64)
        return false;
    double a = 0, b = 0;
    if (role == ROLE_CONSTANT)
        return constant_number(op, e, out);
    bool two = role == ROLE_ADD || role == ROLE_SUB || role == ROLE_MUL || role == ROLE_DIV ||
               role == ROLE_MAX || role == ROLE_MIN || role == ROLE_POW || role == ROLE_COMPARE ||
               role == ROLE_AND;
    bool one = role == ROLE_CONVERT || role == ROLE_BROADCAST || role == ROLE_RESHAPE ||
               role == ROLE_TRANSPOSE || role == ROLE_NEG || role == ROLE_SQRT ||
               role == ROLE_RSQRT || role == ROLE_NOT || role == ROLE_SQUARE || role == ROLE_SELECT;
    if ((!one && !two) || !number_at(op->in[0].value, &a, depth - 1))
        return false;
    if (role == ROLE_SELECT)
        return number_at(op->in[a != 0 ? 1 : 2].value, out, depth - 1);
    if (two && !number_at(op->in[1].value, &b, depth - 1))
        return false;
    bool real = e->kind == TSR_TYPE_FLOAT;
    double x = tsr_role_value(role, op, a, b);
    /* Integers: only what neither wraps nor divides; truth values have their own ops. */
    bool truth = role == ROLE_AND || role == ROLE_NOT;
    if (truth
            ? e->width != 1
            : !real && (role == ROLE_DIV || role == ROLE_POW || fabs(x) >= 0x1p31 || x != floor(x)))
        return false;
    *out = rounded(e, x);
    return true;
}

bool tsr_splat_number(const tsr_value *v, double *out)
{
    return number_at(v, out, 8);
}

bool tsr_take(tsr_match *m, tsr_op *op)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->taken[i] == op)
            return true;
    if (m->n == TSR_RAISE_TAKEN)
        return false;
    m->taken[m->n++] = op;
    return true;
}

bool tsr_scaled(tsr_match *m, tsr_view *w, double *factor)
{
    tsr_op *op = tsr_maker(w->v);
    tsr_role role = op ? tsr_role_of(op) : ROLE_NONE;
    double x;
    if (role != ROLE_MUL && role != ROLE_DIV)
        return false;
    for (uint32_t i = role == ROLE_MUL ? 2 : 1; i-- > 0;) {
        tsr_view other = tsr_view_in(w, i);
        if (!tsr_splat_number(op->in[1 - i].value, &x) || !isfinite(x) || x == 0 ||
            !tsr_view_fits(other.v) || !floats(other.v))
            continue;
        if (!tsr_take(m, op))
            return false;
        *factor *= role == ROLE_MUL ? x : 1 / x;
        *w = other;
        return true;
    }
    return false;
}

/* ---- Reductions ---- */

/* The op with which a stablehlo.reduce combines elements, and its initial value. */
static const tsr_op *reducer(const tsr_op *op, double *start)
{
    const tsr_op *body = tsr_tessera_reducer(op);
    return body && tsr_splat_number(op->in[1].value, start) ? body : NULL;
}

tsr_tessera_kind tsr_reduction(const tsr_op *op)
{
    if (tsr_op_is(op, TSR_OP_TESSERA_REDUCE))
        return tsr_tessera_kind_of(tsr_attr_of(op, TESSERA_REDUCE_kind));
    double start;
    const tsr_op *body = reducer(op, &start);
    return body && floats(op->in[0].value) ? tsr_tessera_kind_by(body, start) : TSR_TESSERA_NO_KIND;
}

tsr_role tsr_truth_reduction(const tsr_op *op)
{
    double start;
    const tsr_op *body = reducer(op, &start);
    tsr_role role =
        body && tsr_type_is_integer(op->in[0].value->type->elem, 1) ? tsr_role_of(body) : ROLE_NONE;
    return (role == ROLE_AND && start != 0) || (role == ROLE_OR && start == 0) ? role : ROLE_NONE;
}

static bool reduces(const tsr_op *op, uint32_t rank, uint32_t i)
{
    if (tsr_op_is(op, TSR_OP_TESSERA_REDUCE))
        return tsr_tessera_reduces(op, rank, i);
    const tsr_attr *dims = tsr_attr_of(op, STABLEHLO_REDUCE_dimensions);
    for (size_t k = 0; k < tsr_hlo_len(dims); k++)
        if (tsr_hlo_at(dims, k) == (int64_t)i)
            return true;
    return false;
}

bool tsr_view_reduced(const tsr_view *w, tsr_view *of, int64_t *dim)
{
    const tsr_op *op = w->v->op;
    bool keeps =
        tsr_op_is(op, TSR_OP_TESSERA_REDUCE) && tsr_tessera_flag(op, TESSERA_REDUCE_keep_dims);
    *of = (tsr_view){.v = op->in[0].value};
    if (!tsr_view_fits(of->v))
        return false;
    uint32_t rank = of->v->type->n, k = 0;
    *dim = -1;
    for (uint32_t i = 0; i < rank; i++) {
        bool gone = reduces(op, rank, i);
        if (gone && *dim >= 0)
            return false;
        if (gone)
            *dim = i;
        of->at[i] = gone ? (int8_t)i : w->at[k];
        k += !gone || keeps;
    }
    return *dim >= 0;
}

bool tsr_reduced(tsr_match *m, tsr_view w, const tsr_type *t, tsr_tessera_kind kind, tsr_view *of,
                 int64_t *dim, double *factor)
{
    double by = 1;
    for (int i = 0; i < TSR_RAISE_STEPS; i++) {
        if (tsr_role_made(w.v) == ROLE_REDUCE) {
            tsr_tessera_kind found = tsr_reduction(w.v->op);
            if (!tsr_view_reduced(&w, of, dim) || !tsr_view_whole(of, t) || !tsr_take(m, w.v->op))
                return false;
            if (found == TSR_TESSERA_MEAN && kind == TSR_TESSERA_SUM && factor) {
                by /= (double)t->dims[*dim];
                found = TSR_TESSERA_SUM;
            }
            if (factor)
                *factor = by;
            return found == kind;
        }
        if (!tsr_view_up(m, &w) && !(factor && tsr_scaled(m, &w, &by)))
            return false;
    }
    return false;
}

/* ---- Products ---- */

static bool single(const tsr_value *v)
{
    return v->uses && !v->uses->next;
}

/* Whether w, below ops that only move elements, is a product with one user; then w becomes the product, and those ops
 * are taken. */
static bool product_below(tsr_match *m, tsr_view *w, bool is_root)
{
    tsr_view top = *w;
    for (int i = 0; i < TSR_RAISE_STEPS && (is_root || single(top.v)); i++) {
        tsr_role role = tsr_role_made(top.v);
        if (role == ROLE_MUL || role == ROLE_DIV) {
            while (w->v != top.v)
                if (!tsr_view_up(m, w))
                    return false;
            return tsr_take(m, w->v->op);
        }
        if (is_root || !tsr_view_up(NULL, &top))
            break;
    }
    return false;
}

bool tsr_factor(tsr_match *m, const tsr_view *w, tsr_factors *out)
{
    struct {
        tsr_view w;
        bool divides;
    } todo[2 * TSR_RAISE_FACTORS + 2];
    size_t n = 1;
    todo[0].w = *w;
    todo[0].divides = false;
    *out = (tsr_factors){.number = 1};
    for (bool is_root = true; n; is_root = false) {
        tsr_view at = todo[--n].w;
        bool divides = todo[n].divides;
        double x;
        if (tsr_splat_number(at.v, &x)) {
            out->number *= divides ? 1 / x : x;
        } else if (n + 2 <= TSR_COUNT(todo) && product_below(m, &at, is_root)) {
            bool quotient = tsr_role_made(at.v) == ROLE_DIV;
            for (uint32_t i = 2; i-- > 0; n++) {
                todo[n].w = tsr_view_in(&at, i);
                todo[n].divides = divides != (quotient && i == 1);
                if (!tsr_view_fits(todo[n].w.v))
                    return false;
            }
        } else if (out->n == TSR_RAISE_FACTORS) {
            return false;
        } else {
            out->of[out->n] = at;
            out->divides[out->n++] = divides;
        }
    }
    return true;
}

/* ---- Legality ---- */

void tsr_tell_raised(const tsr_match *m)
{
    if (!m->dump || !m->what)
        return;
    tsr_buf_printf(m->dump, "  raised: %s", m->what);
    tsr_loc_at_place(m->dump, m->pass->ctx, m->root->loc, false);
    tsr_buf_char(m->dump, '\n');
}

bool tsr_refuse(const tsr_match *m, const tsr_op *at, const char *why)
{
    if (m->dump && m->what) {
        tsr_buf_printf(m->dump, "  not raised: %s", m->what);
        tsr_loc_at_place(m->dump, m->pass->ctx, m->root->loc, false);
        tsr_buf_str(m->dump, TSR_STR(": "));
        if (at) {
            tsr_buf_printf(m->dump, "%.*s", TSR_STR_ARG(at->def->name));
            tsr_loc_at_place(m->dump, m->pass->ctx, at->loc, false);
            tsr_buf_char(m->dump, ' ');
        }
        tsr_buf_printf(m->dump, "%s\n", why);
    }
    return false;
}

static bool takes(const tsr_match *m, const tsr_op *op)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->taken[i] == op)
            return true;
    return op == m->root;
}

bool tsr_alone(const tsr_match *m)
{
    for (size_t i = 0; i < m->n; i++) {
        if (m->taken[i]->block != m->root->block)
            return tsr_refuse(m, m->taken[i],
                              "stands in another block, where it may run less often");
        for (uint32_t k = 0; k < m->taken[i]->nout; k++)
            for (const tsr_use *u = m->taken[i]->out[k].uses; u; u = u->next)
                if (m->taken[i] != m->root && !takes(m, u->user))
                    return tsr_refuse(m, m->taken[i],
                                      "is used elsewhere, so it would be computed twice");
    }
    return true;
}
