/* raise.c - --tessera-raise: layers that are written out in Graph IR become one op: attention, layer_norm, rms_norm, gelu.
 *
 * Numbers (scale, epsilon, the count that makes a sum a mean) and the mask are those of the graph; nothing is assumed. A
 * pattern fits only when nobody else uses what is in it. Seen from a block's end to its start, so that the whole is seen
 * before its parts. needs uses; breaks ids. Each op is looked at once. */
#include <math.h>

#include "dialect/tessera/tessera.h"
#include "pass/pass.h"

/* ---- Asking ---- */

static tsr_op *made_by(const tsr_value *v, enum tsr_opcode opcode)
{
    return !v->is_arg && tsr_op_is(v->op, (uint16_t)opcode) ? v->op : NULL;
}

static bool used_once(const tsr_value *v)
{
    return v->uses && !v->uses->next;
}

/* The op of this kind that makes v for one user alone. */
static tsr_op *part(const tsr_value *v, enum tsr_opcode opcode)
{
    return used_once(v) ? made_by(v, opcode) : NULL;
}

/* The number that all elements of v are. */
static bool number(const tsr_value *v, double *out)
{
    const tsr_op *b = made_by(v, TSR_OP_TESSERA_BROADCAST);
    const tsr_op *c = made_by(b ? b->in[0].value : v, TSR_OP_TESSERA_CONSTANT);
    const tsr_attr *a = c ? c->attrs[TESSERA_CONSTANT_value] : NULL;
    if (!tsr_attr_is(a, TSR_ATTR_DENSE) || a->type->elem->kind != TSR_TYPE_FLOAT ||
        (a->sub != 1 && tsr_type_num_elements(a->type) != 1))
        return false;
    uint64_t bits = 0;
    for (size_t i = 0; i < a->s.len && i < 8; i++)
        bits |= (uint64_t)(uint8_t)a->s.data[i] << 8 * i;
    *out = tsr_float_to_double((tsr_float_kind)a->type->elem->sub, bits);
    return true;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-3 * fabs(b);
}

/* v = other * number (or / number); the factor, and other. */
static bool scaled(tsr_value *v, tsr_value **other, double *factor)
{
    const tsr_op *op = part(v, TSR_OP_TESSERA_MUL);
    for (uint32_t i = 0; op && i < 2; i++)
        if (number(op->in[1 - i].value, factor)) {
            *other = op->in[i].value;
            return true;
        }
    op = part(v, TSR_OP_TESSERA_DIV);
    if (!op || !number(op->in[1].value, factor) || *factor == 0)
        return false;
    *factor = 1 / *factor;
    *other = op->in[0].value;
    return true;
}

/* Whether a reduce takes the last dimension alone. */
static bool over_last(const tsr_op *reduce)
{
    uint32_t rank = reduce->in[0].value->type->n;
    for (uint32_t i = 0; i < rank; i++)
        if (tsr_tessera_reduces(reduce, rank, i) != (i + 1 == rank))
            return false;
    return rank > 0;
}

/* Reshapes and broadcasts that only put the last dimension back. */
static tsr_value *without_kept_dim(tsr_value *v)
{
    for (int i = 0; i < 2; i++) {
        tsr_op *op = part(v, TSR_OP_TESSERA_BROADCAST);
        op = op ? op : part(v, TSR_OP_TESSERA_RESHAPE);
        if (!op)
            break;
        const tsr_type *from = op->in[0].value->type, *to = op->out[0].type;
        bool keeps = from->n + 1 == to->n || from->n == to->n;
        for (uint32_t d = 0; keeps && d + 1 < to->n; d++)
            keeps = from->dims[d] == to->dims[d];
        if (!keeps)
            break;
        v = op->in[0].value;
    }
    return v;
}

/* v is the mean of *of over its last dimension. */
static bool mean(tsr_value *v, tsr_value **of)
{
    v = without_kept_dim(v);
    double factor = 1;
    tsr_value *sum = v;
    bool divided = scaled(v, &sum, &factor);
    sum = without_kept_dim(sum);
    const tsr_op *reduce = part(sum, TSR_OP_TESSERA_REDUCE);
    if (!reduce || !over_last(reduce))
        return false;
    *of = reduce->in[0].value;
    int64_t n = (*of)->type->dims[(*of)->type->n - 1];
    tsr_tessera_kind kind = tsr_tessera_kind_of(reduce->attrs[TESSERA_REDUCE_kind]);
    if (kind == TSR_TESSERA_MEAN)
        return !divided;
    return kind == TSR_TESSERA_SUM && n > 0 && divided && fabs(factor * (double)n - 1) < 1e-5;
}

/* v = rsqrt(mean(x * x) + eps), or 1 / sqrt of it. */
static bool inverse_deviation(tsr_value *v, const tsr_value *x, double *eps)
{
    v = without_kept_dim(v);
    tsr_op *op = part(v, TSR_OP_TESSERA_RSQRT);
    if (!op)
        return false;
    tsr_op *add = part(op->in[0].value, TSR_OP_TESSERA_ADD);
    for (uint32_t i = 0; add && i < 2; i++) {
        tsr_value *square = NULL;
        if (!number(add->in[1 - i].value, eps) || !mean(add->in[i].value, &square))
            continue;
        const tsr_op *mul = part(square, TSR_OP_TESSERA_MUL);
        return mul && mul->in[0].value == x && mul->in[1].value == x;
    }
    return false;
}

/* ---- Making ---- */

static tsr_attr *f64(tsr_ctx *ctx, double x)
{
    return tsr_attr_float(ctx, tsr_type_float(ctx, TSR_F64), x);
}

static void replace(tsr_op *op, tsr_op *with)
{
    with->extra = op->extra;
    tsr_op_insert(with, op->block, op);
    tsr_value_replace(&op->out[0], &with->out[0]);
    tsr_op_erase(op);
}

static tsr_op *make(tsr_op *at, enum tsr_opcode opcode, tsr_value *const *in, size_t n)
{
    return tsr_op_new(at->module, tsr_opdef_of(at->module->ctx, opcode), at->loc, in, n, &at->out[0].type, 1, 0, 0);
}

/* ---- Attention ---- */

/* Batch dimensions are written out and equal: flash_attention does not repeat them. */
static bool same_batch(const tsr_value *a, const tsr_value *b)
{
    const tsr_type *x = a->type, *y = b->type;
    if (x->n != y->n || x->n < 2)
        return false;
    for (uint32_t i = 0; i + 2 < x->n; i++)
        if (x->dims[i] != y->dims[i] || x->dims[i] < 0)
            return false;
    return x->elem == y->elem;
}

/* Keys as they are before they are transposed; NULL: the product is of another kind. */
static tsr_value *keys(const tsr_op *product)
{
    tsr_value *k = product->in[1].value;
    if (tsr_tessera_flag(product, TESSERA_MATMUL_rhs_transpose))
        return k;
    const tsr_op *t = made_by(k, TSR_OP_TESSERA_TRANSPOSE);
    size_t rank = k->type->n;
    if (!t || rank < 2)
        return NULL;
    for (size_t i = 0; i < rank; i++) {
        int64_t swapped = i + 2 < rank ? (int64_t)i : i + 1 < rank ? (int64_t)i + 1 : (int64_t)i - 1;
        if (tsr_tessera_perm(t, rank, i) != swapped)
            return NULL;
    }
    return t->in[0].value;
}

/* softmax(q k^T * scale + mask) v. */
static bool raise_attention(tsr_op *op)
{
    tsr_op *softmax = part(op->in[0].value, TSR_OP_TESSERA_SOFTMAX);
    if (!softmax || tsr_tessera_flag(op, TESSERA_MATMUL_rhs_transpose))
        return false;
    size_t rank = softmax->out[0].type->n;
    if (tsr_tessera_axis(tsr_tessera_int(softmax, TESSERA_SOFTMAX_axis, -1), rank) != (int64_t)rank - 1)
        return false;
    tsr_value *scores = softmax->in[0].value, *mask = NULL;
    tsr_op *add = part(scores, TSR_OP_TESSERA_ADD);
    double scale = 1, factor;
    for (uint32_t i = 0; add && i < 2 && !mask; i++) {
        tsr_value *inner = add->in[i].value, *unscaled = inner;
        if (part(inner, TSR_OP_TESSERA_MATMUL) || (scaled(inner, &unscaled, &factor) && part(unscaled, TSR_OP_TESSERA_MATMUL))) {
            mask = add->in[1 - i].value;
            scores = inner;
        }
    }
    if (add && !mask)
        return false;
    tsr_value *unscaled = scores;
    if (scaled(scores, &unscaled, &factor))
        scale = factor;
    tsr_op *product = part(unscaled, TSR_OP_TESSERA_MATMUL);
    tsr_value *k = product ? keys(product) : NULL, *v = op->in[1].value;
    if (!k || (mask && mask->type->elem != v->type->elem))
        return false;
    tsr_value *q = product->in[0].value;
    /* A factor of the queries is one of the scores. */
    if (scaled(q, &unscaled, &factor)) {
        scale *= factor;
        q = unscaled;
    }
    if (!same_batch(q, k) || !same_batch(q, v))
        return false;
    tsr_value *in[] = {q, k, v, mask};
    tsr_op *made = make(op, TSR_OP_TESSERA_FLASH_ATTENTION, in, mask ? 4 : 3);
    made->attrs[TESSERA_FLASH_ATTENTION_scale] = f64(op->module->ctx, scale);
    replace(op, made);
    return true;
}

/* ---- Norms ---- */

/* op = x * 1/deviation(x): an rms_norm; of x minus its mean: a layer_norm. */
static bool raise_norm(tsr_op *op)
{
    double eps;
    for (uint32_t i = 0; i < 2; i++) {
        tsr_value *x = op->in[i].value;
        if (x->type != op->out[0].type || !inverse_deviation(op->in[1 - i].value, x, &eps))
            continue;
        enum tsr_opcode kind = TSR_OP_TESSERA_RMS_NORM;
        tsr_op *sub = made_by(x, TSR_OP_TESSERA_SUB);
        tsr_value *of = NULL;
        if (sub && mean(sub->in[1].value, &of) && of == sub->in[0].value) {
            kind = TSR_OP_TESSERA_LAYER_NORM;
            x = of;
        }
        tsr_op *made = make(op, kind, &x, 1);
        made->attrs[kind == TSR_OP_TESSERA_RMS_NORM ? (int)TESSERA_RMS_NORM_eps : (int)TESSERA_LAYER_NORM_eps] =
            f64(op->module->ctx, eps);
        replace(op, made);
        return true;
    }
    return false;
}

/* ---- gelu ---- */

/* x + 0.044715 x^3. */
static bool cubic(tsr_value *v, tsr_value *x)
{
    tsr_op *add = part(v, TSR_OP_TESSERA_ADD);
    for (uint32_t i = 0; add && i < 2; i++) {
        tsr_value *cube = NULL;
        double c;
        if (add->in[i].value != x || !scaled(add->in[1 - i].value, &cube, &c) || !near(c, 0.044715))
            continue;
        const tsr_op *mul = part(cube, TSR_OP_TESSERA_MUL), *pow = part(cube, TSR_OP_TESSERA_POW);
        if (pow)
            return pow->in[0].value == x && number(pow->in[1].value, &c) && c == 3;
        for (uint32_t k = 0; mul && k < 2; k++) {
            const tsr_op *square = part(mul->in[k].value, TSR_OP_TESSERA_MUL);
            if (mul->in[1 - k].value == x && square && square->in[0].value == x && square->in[1].value == x)
                return true;
        }
    }
    return false;
}

/* 0.5 (1 + tanh(0.79788 (x + 0.044715 x^3))). */
static bool gelu_gate(tsr_value *v, tsr_value *x)
{
    tsr_value *sum, *inner;
    double half, c, one;
    if (!scaled(v, &sum, &half) || half != 0.5)
        return false;
    tsr_op *add = part(sum, TSR_OP_TESSERA_ADD);
    for (uint32_t i = 0; add && i < 2; i++) {
        tsr_op *tanh = part(add->in[i].value, TSR_OP_TESSERA_TANH);
        if (tanh && number(add->in[1 - i].value, &one) && one == 1)
            return scaled(tanh->in[0].value, &inner, &c) && near(c, 0.7978845608) && cubic(inner, x);
    }
    return false;
}

static bool raise_gelu(tsr_op *op)
{
    for (uint32_t i = 0; i < 2; i++) {
        tsr_value *x = op->in[i].value;
        if (x->type != op->out[0].type || !gelu_gate(op->in[1 - i].value, x))
            continue;
        tsr_op *made = make(op, TSR_OP_TESSERA_GELU, &x, 1);
        made->attrs[TESSERA_GELU_approximate] = tsr_attr_string(op->module->ctx, TSR_STR("tanh"));
        replace(op, made);
        return true;
    }
    return false;
}

bool pass_tessera_raise(tsr_pass *p, tsr_op *root)
{
    TSR_OPS_REVERSE (root, op) {
        if (tsr_op_is(op, TSR_OP_TESSERA_MATMUL))
            p->changed |= raise_attention(op);
        else if (tsr_op_is(op, TSR_OP_TESSERA_MUL))
            p->changed |= raise_gelu(op) || raise_norm(op);
    }
    if (p->changed)
        tsr_erase_dead_ops(root);
    return true;
}
