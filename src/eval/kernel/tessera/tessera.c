/* SPDX-License-Identifier: Apache-2.0 */
/* tessera.c - Graph IR: elementwise ops that broadcast and promote, shapes, reductions.
 *
 * Sizes come from the operands. A dynamic size of a result type adds nothing, unless it has the same name as a
 * dimension of an operand. */
#include <math.h>
#include <stdlib.h>

#include "dialect/tessera/tessera.h"
#include "eval/kernel/pointwise.h"
#include "eval/math/scalar.h"
#include "eval/kernel/tessera/tessera.h"
#include "eval/kernel/kernels.h"
#include "eval/math/strided.h"

/* ---- Broadcasting ---- */

tsr_tensor *tsr_spread_right(tsr_call *c, tsr_tensor *t, const int64_t *dims, size_t rank)
{
    if (t->rank == rank && !memcmp(t->dims, dims, rank * sizeof *dims))
        return tsr_tensor_ref(t);
    int64_t to[TSR_MAX_RANK], own[TSR_MAX_RANK], from[TSR_MAX_RANK];
    size_t size = tsr_elem_size(t);
    tsr_byte_strides(t->dims, t->rank, size, own);
    for (size_t i = 0; i < rank; i++) {
        bool there = i + t->rank >= rank;
        int64_t n = there ? t->dims[i + t->rank - rank] : 1;
        if (n != 1 && n != dims[i]) {
            tsr_fail(c, "has operands that do not broadcast: %lld against %lld", (long long)n,
                     (long long)dims[i]);
            return NULL;
        }
        from[i] = n == 1 ? 0 : own[i + t->rank - rank];
    }
    tsr_tensor *out = t->rank <= rank ? tsr_tensor_new(t->elem, dims, rank) : NULL;
    if (!out) {
        tsr_fail_memory(c, "an operand that is broadcast");
        return NULL;
    }
    tsr_byte_strides(dims, rank, size, to);
    if (out->n)
        tsr_move_once(out->data, to, t->data, from, dims, rank, size);
    return out;
}

bool tsr_spread_shape(tsr_call *c, const tsr_tensor *a, size_t na, const tsr_tensor *b, size_t nb,
                      int64_t *dims, size_t *rank)
{
    *rank = na > nb ? na : nb;
    for (size_t i = 0; i < *rank; i++) {
        int64_t x = i + na >= *rank ? a->dims[i + na - *rank] : 1,
                y = i + nb >= *rank ? b->dims[i + nb - *rank] : 1;
        if (x != y && x != 1 && y != 1)
            return tsr_fail(c, "has operands that do not broadcast: %lld against %lld",
                            (long long)x, (long long)y);
        dims[i] = x == 1 ? y : x;
    }
    return true;
}

bool eval_tessera_binary(tsr_call *c)
{
    int64_t dims[TSR_MAX_RANK];
    size_t rank;
    TSR_TRY(tsr_spread_shape(c, c->in[0], c->in[0]->rank, c->in[1], c->in[1]->rank, dims, &rank));
    tsr_tensor *in[2] = {NULL, NULL};
    bool ok = true;
    for (int i = 0; ok && i < 2; i++) {
        tsr_tensor *same = tsr_converted(c, c->in[i], c->op->out[0].type->elem);
        in[i] = same ? tsr_spread_right(c, same, dims, rank) : NULL;
        tsr_tensor_unref(same);
        ok = in[i] != NULL;
    }
    ok = ok && tsr_pointwise_on(c, tsr_tessera_as(c->op), tsr_row_binary, in, 2);
    tsr_tensor_unref(in[0]);
    tsr_tensor_unref(in[1]);
    return ok;
}

/* ---- One operand ---- */

static double relu(double x)
{
    return x < 0 ? 0 : x; /* NaN is kept */
}

/* NaN for -inf, like the products that they represent. */
static double silu(double x)
{
    return x / (1 + exp(-x));
}

static double gelu(double x)
{
    return 0.5 * x * (1 + erf(x * 0.7071067811865476));
}

static double gelu_tanh(double x)
{
    return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

static bool row_relu(const tsr_row *r)
{
    if (tsr_dtype_is_float(r->d)) {
        tsr_row_doubles1(r, relu);
        return true;
    }
    tsr_tensor in = {.n = r->n, .dtype = (uint8_t)r->d, .data = (void *)r->in[0]},
               out = {.n = r->n, .dtype = (uint8_t)r->d, .data = r->out};
    for (int64_t i = 0; i < r->n; i++) {
        int64_t v = tsr_get_int(&in, i * r->step[0]);
        tsr_set_int(&out, i, tsr_dtype_kind(r->d) == TSR_K_SINT && v < 0 ? 0 : v);
    }
    return true;
}

static bool row_activation(const tsr_row *r)
{
    if (!tsr_dtype_is_float(r->d))
        return false;
    tsr_row_doubles1(r, tsr_op_is(r->op, TSR_OP_TESSERA_SILU) ? silu
                        : tsr_tessera_gelu_tanh(r->op)        ? gelu_tanh
                                                              : gelu);
    return true;
}

bool eval_tessera_unary(tsr_call *c)
{
    int op = c->op->def->opcode;
    if (tsr_tessera_as(c->op))
        return tsr_unary(c, tsr_tessera_as(c->op));
    return tsr_pointwise(c, op, op == TSR_OP_TESSERA_RELU ? row_relu : row_activation);
}

bool eval_tessera_cast(tsr_call *c)
{
    c->out[0] = tsr_converted(c, c->in[0], c->op->out[0].type->elem);
    return c->out[0] != NULL;
}

/* ---- Shapes ---- */

/* The size of the dimension of x that has this name; -1 if there is none. */
static int64_t named_size(const tsr_type *type, uint32_t i, const tsr_type *from,
                          const tsr_tensor *x)
{
    tsr_attr *name = tsr_tessera_dim_of(type, i).name;
    for (uint32_t k = 0; name && from->kind == TSR_TYPE_TENSOR && k < from->n && k < x->rank; k++)
        if (tsr_tessera_dim_of(from, k).name == name)
            return x->dims[k];
    return -1;
}

bool eval_tessera_reshape(tsr_call *c)
{
    const tsr_type *type = c->op->out[0].type, *from = c->op->in[0].value->type;
    const tsr_tensor *x = c->in[0];
    int64_t dims[TSR_MAX_RANK], known = 1;
    int open = -1;
    if (type->kind != TSR_TYPE_TENSOR)
        return tsr_fail(c, "has a result whose rank is not known");
    if (type->n > TSR_MAX_RANK)
        return tsr_fail(c, "has a result of too many dimensions");
    for (uint32_t i = 0; i < type->n; i++) {
        dims[i] = type->dims[i] == TSR_DYNAMIC ? named_size(type, i, from, x) : type->dims[i];
        if (dims[i] < 0 && open >= 0)
            return tsr_fail(c, "has a result with more than one size that is not known");
        if (dims[i] < 0)
            open = (int)i;
        else if (known && dims[i] > INT64_MAX / known)
            return tsr_fail(c, "has a result of too many elements");
        else
            known *= dims[i];
    }
    if (open >= 0)
        dims[open] = known ? x->n / known : 0;
    if ((open >= 0 ? known * dims[open] : known) != x->n)
        return tsr_fail(c, "has an operand of %lld elements, which are not what its result holds",
                        (long long)x->n);
    c->out[0] = tsr_tensor_reshape(tsr_call_take(c, 0), type->elem, dims, type->n);
    return c->out[0] || tsr_fail_memory(c, "its result");
}

bool eval_tessera_transpose(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    int64_t perm[TSR_MAX_RANK], dims[TSR_MAX_RANK], own[TSR_MAX_RANK], from[TSR_MAX_RANK],
        to[TSR_MAX_RANK];
    size_t size = tsr_elem_size(x);
    for (size_t i = 0; i < x->rank; i++)
        perm[i] = tsr_tessera_perm(c->op, x->rank, i);
    if (!tsr_distinct_below(perm, x->rank, x->rank))
        return tsr_fail(c, "permutes dimensions that the operand does not have");
    tsr_byte_strides(x->dims, x->rank, size, own);
    for (size_t i = 0; i < x->rank; i++) {
        dims[i] = x->dims[perm[i]];
        from[i] = own[perm[i]];
    }
    tsr_tensor *t = tsr_call_new(c, 0, dims, x->rank);
    TSR_TRY(t != NULL);
    tsr_byte_strides(dims, x->rank, size, to);
    if (t->n)
        tsr_move_once(t->data, to, x->data, from, dims, x->rank, size);
    return true;
}

bool eval_tessera_broadcast(tsr_call *c)
{
    const tsr_type *type = c->op->out[0].type;
    const tsr_tensor *x = c->in[0];
    int64_t dims[TSR_MAX_RANK];
    if (type->kind != TSR_TYPE_TENSOR || type->n > TSR_MAX_RANK || x->rank > type->n)
        return tsr_fail(c, "has a result whose rank is not known, or too small");
    for (uint32_t i = 0; i < type->n; i++) {
        dims[i] = type->dims[i];
        if (dims[i] == TSR_DYNAMIC && i + x->rank < type->n)
            return tsr_fail(c, "has a result whose size is not known");
        if (dims[i] == TSR_DYNAMIC)
            dims[i] = x->dims[i + x->rank - type->n];
    }
    c->out[0] = tsr_spread_right(c, c->in[0], dims, type->n);
    return c->out[0] != NULL;
}

/* ---- Reductions: floats in double, rounded once; integers wrap ---- */

static double join(tsr_tessera_kind kind, double a, double b)
{
    switch (kind) {
    case TSR_TESSERA_MAX: return a != a ? a : b != b ? b : a > b ? a : b;
    case TSR_TESSERA_MIN: return a != a ? a : b != b ? b : a < b ? a : b;
    case TSR_TESSERA_PROD: return a * b;
    default: return a + b;
    }
}

int64_t tsr_join_ints(tsr_tessera_kind kind, bool is_unsigned, int64_t a, int64_t b)
{
    bool less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
    switch (kind) {
    case TSR_TESSERA_MAX: return less ? b : a;
    case TSR_TESSERA_MIN: return less ? a : b;
    case TSR_TESSERA_PROD: return (int64_t)((uint64_t)a * (uint64_t)b);
    default: return (int64_t)((uint64_t)a + (uint64_t)b);
    }
}

int64_t tsr_int_start(tsr_tessera_kind kind, tsr_dtype d)
{
    uint32_t bits = tsr_dtype_bits(d);
    bool is_signed = tsr_dtype_kind(d) == TSR_K_SINT;
    int64_t top =
        bits >= 64 ? (is_signed ? INT64_MAX : -1) : ((int64_t)1 << (bits - is_signed)) - 1;
    return kind == TSR_TESSERA_PROD  ? 1
           : kind == TSR_TESSERA_MAX ? (is_signed ? -top - 1 : 0)
           : kind == TSR_TESSERA_MIN ? top
                                     : 0;
}

/* A reduction: where elements of x go, and the sums: pairs for complex numbers, and integers in place of the first. */
typedef struct {
    const tsr_tensor *x;
    tsr_tessera_kind kind;
    int64_t step[TSR_MAX_RANK]; /* of each dimension; 0: it is reduced */
    int64_t count;              /* elements of each sum */
    bool ints, cplx;
    double *acc;
} tessera_sums;

static void start_sums(const tessera_sums *s, int64_t n)
{
    double start = s->kind == TSR_TESSERA_MAX   ? -INFINITY
                   : s->kind == TSR_TESSERA_MIN ? INFINITY
                                                : s->kind == TSR_TESSERA_PROD;
    for (int64_t i = 0; i < n; i++) {
        if (s->ints)
            ((int64_t *)(void *)s->acc)[i] = tsr_int_start(s->kind, (tsr_dtype)s->x->dtype);
        else
            s->acc[2 * i] = start, s->acc[2 * i + 1] = 0;
    }
}

static void add_sums(const tessera_sums *s)
{
    const tsr_tensor *x = s->x;
    int64_t index[TSR_MAX_RANK] = {0}, *iacc = (int64_t *)(void *)s->acc;
    bool is_unsigned = tsr_dtype_kind((tsr_dtype)x->dtype) != TSR_K_SINT;
    for (int64_t k = 0; k < x->n; k++) {
        int64_t at = 0;
        for (size_t i = 0; i < x->rank; i++)
            at += index[i] * s->step[i];
        if (s->ints) {
            iacc[at] = tsr_join_ints(s->kind, is_unsigned, iacc[at], tsr_get_int(x, k));
        } else if (s->cplx) {
            tsr_complex z = tsr_get_complex(x, k);
            s->acc[2 * at] += z.re;
            s->acc[2 * at + 1] += z.im;
        } else {
            s->acc[2 * at] = join(s->kind, s->acc[2 * at], tsr_get_double(x, k));
        }
        tsr_next_index(index, x->dims, x->rank);
    }
}

static void give_sums(const tessera_sums *s, tsr_tensor *t)
{
    const int64_t *iacc = (const int64_t *)(const void *)s->acc;
    double by = s->kind == TSR_TESSERA_MEAN ? (double)s->count : 1;
    for (int64_t i = 0; i < t->n; i++) {
        if (s->ints && s->kind == TSR_TESSERA_MEAN) {
            tsr_set_sum(t, i, iacc[i]);
            /* -1, as for a division by zero */
            tsr_set_int(t, i, s->count ? tsr_get_int(t, i) / s->count : -1);
        } else if (s->ints) {
            tsr_set_sum(t, i, iacc[i]);
        } else if (s->cplx) {
            tsr_set_complex(t, i, (tsr_complex){s->acc[2 * i] / by, s->acc[2 * i + 1] / by});
        } else {
            tsr_set_double(t, i, s->acc[2 * i] / by);
        }
    }
}

bool eval_tessera_reduce(tsr_call *c)
{
    const tsr_tensor *x = c->in[0];
    bool keep = tsr_tessera_flag(c->op, TESSERA_REDUCE_keep_dims);
    tessera_sums s = {.x = x,
                      .kind = tsr_tessera_kind_of(tsr_call_attr(c, TESSERA_REDUCE_kind)),
                      .count = 1,
                      .ints = tsr_dtype_is_int((tsr_dtype)x->dtype),
                      .cplx = tsr_dtype_is_complex((tsr_dtype)x->dtype)};
    int64_t dims[TSR_MAX_RANK], places = 1;
    size_t rank = 0;
    for (size_t i = x->rank; i-- > 0;) {
        bool gone = tsr_tessera_reduces(c->op, x->rank, i);
        s.step[i] = gone ? 0 : places;
        places *= gone ? 1 : x->dims[i];
        s.count *= gone ? x->dims[i] : 1;
    }
    for (size_t i = 0; i < x->rank; i++) {
        bool gone = tsr_tessera_reduces(c->op, x->rank, i);
        if (!gone || keep)
            dims[rank++] = gone ? 1 : x->dims[i];
    }
    tsr_tensor *t = tsr_call_new(c, 0, dims, rank);
    TSR_TRY(t != NULL);
    s.acc = tsr_malloc((size_t)(t->n ? t->n : 1) * 2 * sizeof *s.acc);
    if (!s.acc)
        return tsr_fail_memory(c, "sums");
    start_sums(&s, t->n);
    add_sums(&s);
    give_sums(&s, t);
    tsr_free(s.acc);
    return !s.ints || s.kind != TSR_TESSERA_MEAN || s.count || tsr_divides_by_zero(c, t->n, t->n);
}
