/* SPDX-License-Identifier: Apache-2.0 */
/* elementwise.c - TTIR: elementwise ops with broadcasting operands.
 *
 * Operands are converted to one type (ttir/ttir.h) and run as rows of the kernels of StableHLO's ops: adjacent
 * dimensions in which each operand either advances or repeats throughout become one loop, and the innermost loop is the
 * row. Functions that only TTIR has are computed in double and rounded once. */
#include <math.h>

#include "dialect/kinds.h"
#include "dialect/ttir/shape.h"
#include "eval/kernel/pointwise.h"
#include "eval/math/scalar.h"
#include "eval/kernel/ttir/ttir.h"
#include "eval/kernel/kernels.h"
#include "eval/math/strided.h"

enum { MAX_OPERANDS = 3, CHUNK = 512 };

/* ---- Rows ---- */

typedef struct {
    int64_t dims[TSR_MAX_RANK];
    int64_t step[MAX_OPERANDS][TSR_MAX_RANK]; /* in elements, 0 if the operand is broadcast */
    size_t rank;
} loops;

/* The shape that all operands broadcast to. */
static bool common_shape(tsr_call *c, tsr_tensor *const *in, size_t nin, int64_t *dims,
                         size_t *rank)
{
    *rank = 0;
    for (size_t k = 0; k < nin; k++)
        if (in[k]->rank > *rank)
            *rank = in[k]->rank;
    for (size_t i = 0; i < *rank; i++) {
        dims[i] = 1;
        for (size_t k = 0; k < nin; k++) {
            int64_t n = i + in[k]->rank >= *rank ? in[k]->dims[i + in[k]->rank - *rank] : 1;
            if (n != dims[i] && n != 1 && dims[i] != 1)
                return tsr_fail(c, "has operands that do not broadcast: %lld against %lld",
                                (long long)dims[i], (long long)n);
            dims[i] = n == 1 ? dims[i] : n;
        }
    }
    return true;
}

/* Drops loops with one iteration, and merges adjacent loops where every operand allows it. */
static void make_loops(loops *l, tsr_tensor *const *in, size_t nin, const int64_t *dims,
                       size_t rank)
{
    int64_t own[MAX_OPERANDS][TSR_MAX_RANK];
    l->rank = 0;
    for (size_t k = 0; k < nin; k++)
        tsr_strides(in[k]->dims, in[k]->rank, own[k]);
    for (size_t i = 0; i < rank; i++) {
        if (dims[i] == 1)
            continue;
        int64_t step[MAX_OPERANDS];
        bool merge = l->rank > 0;
        for (size_t k = 0; k < nin; k++) {
            size_t lead = rank - in[k]->rank;
            step[k] = i < lead || in[k]->dims[i - lead] == 1 ? 0 : own[k][i - lead];
            merge = merge && l->step[k][l->rank - 1] == step[k] * dims[i];
        }
        size_t at = merge ? l->rank - 1 : l->rank++;
        l->dims[at] = merge ? l->dims[at] * dims[i] : dims[i];
        for (size_t k = 0; k < nin; k++)
            l->step[k][at] = step[k];
    }
}

/* r: everything except n, in, step and out is set. */
static bool run_rows(const loops *l, tsr_row_fn *fn, tsr_row *r, const char *const *data,
                     const size_t *sizes, size_t nin, char *out)
{
    int64_t index[TSR_MAX_RANK] = {0}, at[MAX_OPERANDS] = {0};
    size_t outer = l->rank ? l->rank - 1 : 0, size = tsr_dtype_bytes(r->to);
    r->n = l->rank ? l->dims[outer] : 1;
    for (size_t k = 0; k < nin; k++)
        r->step[k] = l->rank ? l->step[k][outer] : 1;
    for (;;) {
        for (size_t k = 0; k < nin; k++)
            r->in[k] = data[k] + (size_t)at[k] * sizes[k];
        r->out = out;
        TSR_TRY(fn(r));
        out += (size_t)r->n * size;
        size_t d = outer;
        while (d-- > 0) {
            for (size_t k = 0; k < nin; k++)
                at[k] += l->step[k][d];
            if (++index[d] < l->dims[d])
                break;
            for (size_t k = 0; k < nin; k++)
                at[k] -= l->step[k][d] * l->dims[d];
            index[d] = 0;
        }
        if (d == SIZE_MAX)
            return true;
    }
}

static void drop(tsr_tensor **in, size_t nin)
{
    for (size_t k = 0; k < nin; k++) {
        tsr_tensor_unref(in[k]);
        in[k] = NULL;
    }
}

/* Memory for the result: an operand that nobody else references, or new. keep: which operand out is; nin: none. */
static tsr_tensor *place_result(tsr_call *c, tsr_tensor **in, size_t nin, tsr_dtype to,
                                const int64_t *dims, size_t rank, size_t *keep)
{
    for (*keep = 0; *keep < nin; ++*keep) {
        tsr_tensor *t = in[*keep];
        if (tsr_tensor_unique(t) && t->rank == rank && tsr_elem_size(t) == tsr_dtype_bytes(to) &&
            (!rank || !memcmp(t->dims, dims, rank * sizeof *dims)))
            return t;
    }
    return tsr_tt_new(c, to, dims, rank);
}

/* Runs operands of one type (except select's predicate) through a row function. Takes ownership of the references. */
static tsr_tensor *spread(tsr_call *c, tsr_row_fn *fn, int opcode, tsr_dtype to, tsr_tensor **in,
                          size_t nin)
{
    int64_t dims[TSR_MAX_RANK] = {0};
    size_t rank, keep = nin;
    tsr_tensor *out = NULL;
    bool ok = true;
    for (size_t k = 0; k < nin; k++)
        ok &= in[k] != NULL;
    if (!ok || !common_shape(c, in, nin, dims, &rank)) {
        drop(in, nin);
        return NULL;
    }
    out = place_result(c, in, nin, to, dims, rank, &keep);
    if (out && out->n) {
        loops l;
        const char *data[MAX_OPERANDS];
        size_t sizes[MAX_OPERANDS];
        tsr_row r = {.op = c->op, .opcode = opcode, .d = (tsr_dtype)in[nin - 1]->dtype, .to = to};
        make_loops(&l, in, nin, dims, rank);
        for (size_t k = 0; k < nin; k++) {
            data[k] = in[k]->data;
            sizes[k] = tsr_elem_size(in[k]);
        }
        if (!run_rows(&l, fn, &r, data, sizes, nin, out->data)) {
            tsr_fail(c, "is not defined for elements of type %s", tsr_dtype_name(r.d));
            if (keep == nin)
                tsr_tensor_unref(out);
            out = NULL;
        }
    }
    if (out) {
        out->dtype = (uint8_t)to;
        out->elem = tsr_tt_elem(to);
    }
    if (out && keep < nin)
        in[keep] = NULL;
    drop(in, nin);
    return out;
}

static bool row_arithmetic(const tsr_row *r)
{
    return tsr_row_binary(r) || tsr_row_bitwise(r);
}

tsr_tensor *tsr_tt_combine(tsr_call *c, int opcode, tsr_dtype to, tsr_tensor **in, size_t nin)
{
    return spread(c,
                  opcode == TSR_OP_STABLEHLO_SELECT ? tsr_row_select
                  : nin == 1                        ? tsr_row_unary
                                                    : row_arithmetic,
                  opcode, to, in, nin);
}

/* ---- One operand: functions of a float ---- */

static double frac(double x)
{
    return x - trunc(x);
}

static double reciprocal(double x)
{
    return 1 / x;
}

/* NaN for -inf, like the products that they represent. */
static double gelu(double x)
{
    return 0.5 * x * (1 + erf(x * 0.7071067811865476));
}

static double mish(double x)
{
    return x * tanh(x > 30 ? x : log1p(exp(x)));
}

static double relu(double x)
{
    return x < 0 ? 0 : x; /* NaN is kept */
}

static double relu6(double x)
{
    return x < 0 ? 0 : x > 6 ? 6 : x;
}

static double softsign(double x)
{
    return isinf(x) ? copysign(1, x) : x / (1 + fabs(x));
}

static double hardsigmoid(double x)
{
    double y = x / 6 + 0.5;
    return y < 0 ? 0 : y > 1 ? 1 : y;
}

static double silu(double x)
{
    return x / (1 + exp(-x));
}

/* Functions that only TTIR has, in double; and those that integers have too. Others are computed as the column HLO_AS
 * says. */
typedef struct {
    double (*fn)(double);
    bool ints;
} function;

/* clang-format off */
static const function functions[TSR_OP__COUNT] = {
    [TSR_OP_TTIR_ABS]          = {NULL, true},
    [TSR_OP_TTIR_CEIL]         = {NULL, true},
    [TSR_OP_TTIR_FLOOR]        = {NULL, true},
    [TSR_OP_TTIR_FRAC]         = {frac, true},
    [TSR_OP_TTIR_TRUNC]        = {trunc, true},
    [TSR_OP_TTIR_GELU]         = {gelu, false},
    [TSR_OP_TTIR_MISH]         = {mish, false},
    [TSR_OP_TTIR_NEG]          = {NULL, true},
    [TSR_OP_TTIR_RECIPROCAL]   = {reciprocal, false},
    [TSR_OP_TTIR_RELU]         = {relu, true},
    [TSR_OP_TTIR_RELU6]        = {relu6, true},
    [TSR_OP_TTIR_SOFTSIGN]     = {softsign, false},
    [TSR_OP_TTIR_HARDSIGMOID]  = {hardsigmoid, false},
    [TSR_OP_TTIR_SILU]         = {silu, false},
    [TSR_OP_TTIR_SIGN]         = {NULL, true},
    [TSR_OP_TTIR_SQUARE]       = {NULL, true},
    [TSR_OP_TTIR_EXP2]         = {exp2, false},
    [TSR_OP_TTIR_BITWISE_NOT]  = {NULL, true},
};
/* clang-format on */

static bool row_doubles(const tsr_row *r)
{
    double (*fn)(double) = functions[r->op->def->opcode].fn;
    if (!fn || !tsr_dtype_is_float(r->d))
        return false;
    tsr_row_doubles1(r, fn);
    return true;
}

static int64_t int_function(int opcode, int64_t v)
{
    switch (opcode) {
    case TSR_OP_TTIR_ABS: return v < 0 ? (int64_t)(0 - (uint64_t)v) : v;
    case TSR_OP_TTIR_NEG: return (int64_t)(0 - (uint64_t)v);
    case TSR_OP_TTIR_SIGN: return (v > 0) - (v < 0);
    case TSR_OP_TTIR_RELU: return v < 0 ? 0 : v;
    case TSR_OP_TTIR_RELU6: return v < 0 ? 0 : v > 6 ? 6 : v;
    case TSR_OP_TTIR_SQUARE: return (int64_t)((uint64_t)v * (uint64_t)v);
    case TSR_OP_TTIR_FRAC: return 0;
    case TSR_OP_TTIR_BITWISE_NOT: return ~v;
    default: return v; /* ceil, floor, trunc */
    }
}

static bool row_ints(const tsr_row *r)
{
    tsr_tensor in = {.n = r->n, .dtype = (uint8_t)r->d, .data = (void *)r->in[0]},
               out = {.n = r->n, .dtype = (uint8_t)r->to, .data = r->out};
    int opcode = r->op->def->opcode;
    bool huge = r->d == TSR_D_U64; /* values above the middle look negative */
    for (int64_t i = 0; i < r->n; i++) {
        int64_t v = tsr_get_int(&in, i * r->step[0]);
        if (huge && v < 0 && opcode != TSR_OP_TTIR_NEG && opcode != TSR_OP_TTIR_SQUARE &&
            opcode != TSR_OP_TTIR_BITWISE_NOT && opcode != TSR_OP_TTIR_FRAC)
            v = opcode == TSR_OP_TTIR_SIGN ? 1 : opcode == TSR_OP_TTIR_RELU6 ? 6 : v;
        else
            v = int_function(opcode, v);
        tsr_set_int(&out, i, v);
    }
    return true;
}

bool eval_ttir_unary(tsr_call *c)
{
    const function *f = &functions[c->op->def->opcode];
    uint16_t plain = tsr_kinds_of(c->op).as;
    tsr_dtype d = tsr_call_dtype(c, 0);
    bool ints = tsr_dtype_is_int(d) && f->ints;
    if (!ints)
        d = tsr_tt_float(c, d);
    tsr_tensor *in = tsr_tt_take(c, 0, d);
    tsr_dtype to = plain == TSR_OP_STABLEHLO_ABS ? tsr_dtype_part(d) : d;
    tsr_row_fn *fn = ints ? row_ints : plain ? tsr_row_unary : row_doubles;
    return tsr_tt_give(c, 0, spread(c, fn, plain, to, &in, 1));
}

/* ---- One operand: predicates ---- */

static bool row_question(const tsr_row *r)
{
    double v[CHUNK];
    uint8_t *out = r->out;
    int opcode = r->op->def->opcode;
    for (int64_t i = 0; i < r->n; i += CHUNK) {
        int64_t n = r->n - i < CHUNK ? r->n - i : CHUNK;
        tsr_to_doubles(r->d, (const char *)r->in[0] + (size_t)i * tsr_dtype_bytes(r->d), v, n);
        for (int64_t k = 0; k < n; k++)
            out[i + k] = opcode == TSR_OP_TTIR_ISFINITE  ? isfinite(v[k]) != 0
                         : opcode == TSR_OP_TTIR_SIGNBIT ? signbit(v[k]) != 0
                                                         : v[k] == 0;
    }
    return true;
}

bool eval_ttir_question(tsr_call *c)
{
    if (tsr_dtype_is_complex(tsr_call_dtype(c, 0)))
        return tsr_fail(c, "is not defined for complex numbers");
    tsr_tensor *in = tsr_tensor_ref(c->in[0]);
    return tsr_tt_give(c, 0, spread(c, row_question, 0, TSR_D_I1, &in, 1));
}

/* ---- One operand: functions with parameters ---- */

static void apply(const tsr_op *op, double *v, int64_t n)
{
    if (tsr_op_is(op, TSR_OP_TTIR_LEAKY_RELU)) {
        double slope = tt_float(op, TTIR_LEAKY_RELU_parameter, 0);
        for (int64_t i = 0; i < n; i++)
            v[i] = v[i] < 0 ? v[i] * slope : v[i];
    } else if (tsr_op_is(op, TSR_OP_TTIR_SELU)) {
        double scale = tt_float(op, TTIR_SELU_scale, 0), alpha = tt_float(op, TTIR_SELU_alpha, 0);
        for (int64_t i = 0; i < n; i++)
            v[i] = scale * (v[i] > 0 ? v[i] : alpha * expm1(v[i]));
    } else { /* clamp_scalar: NaN is kept, of a bound, too; if the bounds cross, the upper one wins */
        double low = tt_float(op, TTIR_CLAMP_SCALAR_min, 0),
               high = tt_float(op, TTIR_CLAMP_SCALAR_max, 0);
        for (int64_t i = 0; i < n; i++) {
            v[i] = v[i] < low || isnan(low) ? low : v[i];
            v[i] = v[i] > high || isnan(high) ? high : v[i];
        }
    }
}

static bool row_parameters(const tsr_row *r)
{
    double v[CHUNK];
    for (int64_t i = 0; i < r->n; i += CHUNK) {
        int64_t n = r->n - i < CHUNK ? r->n - i : CHUNK;
        tsr_to_doubles(r->d, (const char *)r->in[0] + (size_t)i * tsr_dtype_bytes(r->d), v, n);
        apply(r->op, v, n);
        tsr_from_doubles(r->to, v, (char *)r->out + (size_t)i * tsr_dtype_bytes(r->to), n);
    }
    return true;
}

/* With integer bounds: 64 bits do not fit in a double. */
static bool row_clamp_ints(const tsr_row *r)
{
    tsr_tensor in = {.n = r->n, .dtype = (uint8_t)r->d, .data = (void *)r->in[0]},
               out = {.n = r->n, .dtype = (uint8_t)r->to, .data = r->out};
    int64_t low = r->op->attrs[TTIR_CLAMP_SCALAR_min]->i,
            high = r->op->attrs[TTIR_CLAMP_SCALAR_max]->i;
    for (int64_t i = 0; i < r->n; i++) {
        int64_t v = tsr_get_index(&in, i * r->step[0]);
        v = v < low ? low : v;
        tsr_set_int(&out, i, v > high ? high : v);
    }
    return true;
}

bool eval_ttir_parameters(tsr_call *c)
{
    tsr_dtype d = tsr_call_dtype(c, 0);
    bool clamp = tsr_op_is(c->op, TSR_OP_TTIR_CLAMP_SCALAR);
    if (!clamp)
        d = tsr_tt_float(c, d);
    if (tsr_dtype_is_complex(d))
        return tsr_fail(c, "is not defined for complex numbers");
    bool whole = clamp && tsr_dtype_is_int(d) && d != TSR_D_I1 &&
                 c->op->attrs[TTIR_CLAMP_SCALAR_min]->kind == TSR_ATTR_INT &&
                 c->op->attrs[TTIR_CLAMP_SCALAR_max]->kind == TSR_ATTR_INT;
    tsr_tensor *in = tsr_tt_take(c, 0, d);
    return tsr_tt_give(c, 0, spread(c, whole ? row_clamp_ints : row_parameters, 0, d, &in, 1));
}

/* ---- Types ---- */

bool eval_ttir_typecast(tsr_call *c)
{
    return tsr_tt_give(c, 0, tsr_call_take(c, 0));
}

bool eval_ttir_bitcast_convert(tsr_call *c)
{
    tsr_dtype d = tsr_dtype_of(c->op->out[0].type->elem);
    tsr_tensor *t = tsr_tensor_reuse(tsr_call_take(c, 0));
    if (!t)
        return tsr_fail_memory(c, "its result");
    if (d == TSR_D_NONE || tsr_dtype_bytes(d) != tsr_elem_size(t)) {
        tsr_tensor_unref(t);
        return tsr_fail(c, "changes the width of elements");
    }
    uint32_t bits = tsr_dtype_bits(d);
    if (bits < 8 && !tsr_dtype_is_int(d))
        for (int64_t i = 0; i < t->n; i++)
            ((uint8_t *)t->data)[i] &= (uint8_t)((1u << bits) - 1);
    tsr_row_wrap(d, t->data, t->n);
    t->dtype = (uint8_t)d;
    return tsr_tt_give(c, 0, t);
}

/* ---- Two operands ---- */

/* Converts both operands to their common type. */
static tsr_dtype both(tsr_call *c, tsr_tensor **in)
{
    tsr_dtype d = tsr_tt_promote(tsr_call_dtype(c, 0), tsr_call_dtype(c, 1));
    in[0] = tsr_tt_take(c, 0, d);
    in[1] = in[0] ? tsr_tt_take(c, 1, d) : NULL;
    return d;
}

bool eval_ttir_binary(tsr_call *c)
{
    tsr_tensor *in[2];
    tsr_dtype d = both(c, in);
    int opcode = tsr_kinds_of(c->op).as;
    if (opcode == TSR_OP_STABLEHLO_SHIFT_RIGHT_ARITHMETIC && tsr_dtype_kind(d) != TSR_K_SINT)
        opcode = TSR_OP_STABLEHLO_SHIFT_RIGHT_LOGICAL;
    if (opcode == TSR_OP_STABLEHLO_ATAN2 && tsr_dtype_is_int(d) && in[0] && in[1]) {
        d = tsr_tt_float(c, d);
        for (int i = 0; i < 2; i++) {
            tsr_tensor *t = tsr_tt_as(c, in[i], d);
            tsr_tensor_unref(in[i]);
            in[i] = t;
        }
    }
    return tsr_tt_give(c, 0, tsr_tt_combine(c, opcode, d, in, 2));
}

static bool row_direction(const tsr_row *r)
{
    return tsr_row_compare_as(r, r->opcode);
}

bool eval_ttir_compare(tsr_call *c)
{
    static const uint8_t direction[TSR_OP__COUNT] = {
        [TSR_OP_TTIR_EQ] = TSR_COMPARE_EQ, [TSR_OP_TTIR_NE] = TSR_COMPARE_NE,
        [TSR_OP_TTIR_GE] = TSR_COMPARE_GE, [TSR_OP_TTIR_GT] = TSR_COMPARE_GT,
        [TSR_OP_TTIR_LE] = TSR_COMPARE_LE, [TSR_OP_TTIR_LT] = TSR_COMPARE_LT,
    };
    tsr_tensor *in[2];
    both(c, in);
    return tsr_tt_give(c, 0,
                       spread(c, row_direction, direction[c->op->def->opcode], TSR_D_I1, in, 2));
}

bool eval_ttir_logical(tsr_call *c)
{
    tsr_tensor *in[2];
    in[0] = tsr_tt_take(c, 0, TSR_D_I1);
    in[1] = in[0] ? tsr_tt_take(c, 1, TSR_D_I1) : NULL;
    return tsr_tt_give(c, 0, spread(c, tsr_row_bitwise, tsr_kinds_of(c->op).as, TSR_D_I1, in, 2));
}

/* The derivative of gelu times a gradient: by the normal distribution, and by its tanh approximation. */
static double gelu_grad(double g, double x)
{
    return g *
           (0.5 * (1 + erf(x * 0.7071067811865476)) + x * 0.3989422804014327 * exp(-0.5 * x * x));
}

static double gelu_tanh_grad(double g, double x)
{
    double t = tanh(0.7978845608028654 * (x + 0.044715 * x * x * x));
    double inner = 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
    return g * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner);
}

static bool row_gelu_grad(const tsr_row *r)
{
    const tsr_attr *how = r->op->attrs[TTIR_GELU_BW_approximate];
    if (!tsr_dtype_is_float(r->d))
        return false;
    tsr_row_doubles2(r, how && tsr_str_is(how->s, "tanh") ? gelu_tanh_grad : gelu_grad);
    return true;
}

bool eval_ttir_gelu_bw(tsr_call *c)
{
    tsr_tensor *in[2];
    tsr_dtype d = both(c, in);
    return tsr_tt_give(c, 0, spread(c, row_gelu_grad, 0, d, in, 2));
}

/* ---- Three operands ---- */

bool eval_ttir_where(tsr_call *c)
{
    tsr_dtype d = tsr_tt_promote(tsr_call_dtype(c, 1), tsr_call_dtype(c, 2));
    tsr_tensor *in[3] = {tsr_tt_take(c, 0, TSR_D_I1), NULL, NULL};
    in[1] = in[0] ? tsr_tt_take(c, 1, d) : NULL;
    in[2] = in[1] ? tsr_tt_take(c, 2, d) : NULL;
    return tsr_tt_give(c, 0, tsr_tt_combine(c, TSR_OP_STABLEHLO_SELECT, d, in, 3));
}

bool eval_ttir_clamp_tensor(tsr_call *c)
{
    tsr_dtype d = tsr_tt_promote(tsr_tt_promote(tsr_call_dtype(c, 0), tsr_call_dtype(c, 1)),
                                 tsr_call_dtype(c, 2));
    tsr_tensor *in[2] = {tsr_tt_take(c, 0, d), NULL};
    in[1] = in[0] ? tsr_tt_take(c, 1, d) : NULL;
    in[0] = tsr_tt_combine(c, TSR_OP_STABLEHLO_MAXIMUM, d, in, 2);
    in[1] = in[0] ? tsr_tt_take(c, 2, d) : NULL;
    return tsr_tt_give(c, 0, tsr_tt_combine(c, TSR_OP_STABLEHLO_MINIMUM, d, in, 2));
}
