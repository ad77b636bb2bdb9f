/* SPDX-License-Identifier: Apache-2.0 */
/* pointwise.c - rows: checks operands, finds memory for the result, and runs elements through wider types in chunks. */
#include "eval/kernel/pointwise.h"

#include <complex.h>

#include "base/scope.h"

enum { CHUNK = 512, MAX_OPERANDS = 3 };

/* Unlike tsr_from_doubles, this keeps NaN payloads. */
static void store_doubles(tsr_dtype d, const double *v, void *out, int64_t n)
{
    uint16_t *half = out;
    if (d == TSR_D_BF16)
        for (int64_t i = 0; i < n; i++)
            half[i] = tsr_bf16_of(v[i]);
    else if (d == TSR_D_F16)
        for (int64_t i = 0; i < n; i++)
            half[i] = tsr_f16_of(v[i]);
    else
        tsr_from_doubles(d, v, out, n);
}

/* ---- Rows from element functions ---- */

static const void *at(const tsr_row *r, size_t k, tsr_dtype d, int64_t i)
{
    return (const char *)r->in[k] + (size_t)(i * r->step[k]) * tsr_dtype_bytes(d);
}

static void load_doubles(const tsr_row *r, size_t k, int64_t i, double *out, int64_t n)
{
    if (r->step[k]) {
        tsr_to_doubles(r->d, at(r, k, r->d, i), out, n);
        return;
    }
    tsr_to_doubles(r->d, r->in[k], out, 1);
    for (int64_t j = 1; j < n; j++)
        out[j] = out[0];
}

void tsr_row_doubles1(const tsr_row *r, double (*fn)(double))
{
    double v[CHUNK];
    size_t size = tsr_dtype_bytes(r->to);
    for (int64_t i = 0; i < r->n; i += CHUNK) {
        int64_t n = r->n - i < CHUNK ? r->n - i : CHUNK;
        load_doubles(r, 0, i, v, n);
        for (int64_t j = 0; j < n; j++)
            v[j] = fn(v[j]);
        store_doubles(r->to, v, (char *)r->out + (size_t)i * size, n);
    }
}

void tsr_row_doubles2(const tsr_row *r, double (*fn)(double, double))
{
    double v[CHUNK], w[CHUNK];
    size_t size = tsr_dtype_bytes(r->to);
    for (int64_t i = 0; i < r->n; i += CHUNK) {
        int64_t n = r->n - i < CHUNK ? r->n - i : CHUNK;
        load_doubles(r, 0, i, v, n);
        load_doubles(r, 1, i, w, n);
        for (int64_t j = 0; j < n; j++)
            v[j] = fn(v[j], w[j]);
        store_doubles(r->to, v, (char *)r->out + (size_t)i * size, n);
    }
}

static tsr_wide get_wide(const tsr_row *r, size_t k, int64_t i)
{
    const void *p = at(r, k, r->d, i);
    if (r->d == TSR_D_C64)
        return tsr_wide_of(((const float *)p)[0], ((const float *)p)[1]);
    return tsr_wide_of(((const double *)p)[0], ((const double *)p)[1]);
}

static void set_wide(const tsr_row *r, int64_t i, tsr_wide v)
{
    switch (r->to) {
    case TSR_D_C64:
        ((float *)r->out)[2 * i] = (float)creall(v);
        ((float *)r->out)[2 * i + 1] = (float)cimagl(v);
        break;
    case TSR_D_C128:
        ((double *)r->out)[2 * i] = (double)creall(v);
        ((double *)r->out)[2 * i + 1] = (double)cimagl(v);
        break;
    case TSR_D_F32: ((float *)r->out)[i] = (float)creall(v); break;
    default: ((double *)r->out)[i] = (double)creall(v);
    }
}

void tsr_row_wides1(const tsr_row *r, tsr_wide (*fn)(tsr_wide))
{
    for (int64_t i = 0; i < r->n; i++)
        set_wide(r, i, fn(get_wide(r, 0, i)));
}

void tsr_row_wides2(const tsr_row *r, tsr_wide (*fn)(tsr_wide, tsr_wide))
{
    for (int64_t i = 0; i < r->n; i++)
        set_wide(r, i, fn(get_wide(r, 0, i), get_wide(r, 1, i)));
}

void tsr_row_wrap(tsr_dtype d, void *out, int64_t n)
{
    uint32_t bits = tsr_dtype_bits(d);
    if (bits >= 8 || !tsr_dtype_is_int(d))
        return;
    uint8_t *p = out, mask = (uint8_t)((1u << bits) - 1), sign = (uint8_t)(1u << (bits - 1));
    if (tsr_dtype_kind(d) != TSR_K_SINT)
        sign = 0;
    for (int64_t i = 0; i < n; i++)
        p[i] = (uint8_t)(((p[i] & mask) ^ sign) - sign);
}

/* ---- Placing the result ---- */

/* An operand that dies here and has the result's shape and element size: the result reuses its memory. */
static tsr_tensor *take_over(tsr_call *c, const tsr_tensor *shape, tsr_type *elem)
{
    tsr_dtype d = tsr_dtype_of(elem);
    for (uint32_t i = 0; c->last && d != TSR_D_NONE && i < c->op->nin; i++) {
        tsr_tensor *t = c->in[i];
        if (!c->last[i] || !tsr_tensor_unique(t) || t->rank != shape->rank || t->n != shape->n ||
            tsr_dtype_bytes((tsr_dtype)t->dtype) != tsr_dtype_bytes(d))
            continue;
        if (t->rank && memcmp(t->dims, shape->dims, t->rank * sizeof *t->dims) != 0)
            continue;
        t = tsr_call_take(c, i);
        t->elem = elem;
        t->dtype = (uint8_t)d;
        return t;
    }
    return NULL;
}

/* The operand whose shape the result has. */
static const tsr_tensor *shape_of(tsr_tensor *const *in, size_t nin)
{
    const tsr_tensor *shape = in[0];
    for (size_t k = 1; k < nin; k++)
        if (in[k]->rank > shape->rank)
            shape = in[k];
    return shape;
}

static bool check_tensors(tsr_call *c, tsr_tensor *const *in, size_t nin)
{
    if (nin < 1 || nin > MAX_OPERANDS)
        return tsr_fail(c, "has %zu operands where at most %d can be", nin, MAX_OPERANDS);
    for (size_t k = 0; k < nin; k++)
        if (in[k]->kind != TSR_TENSOR)
            return tsr_fail(c, "takes tensors; operand %zu is none", k);
    return true;
}

/* Operands have the result's shape, or are scalars; in a body on rows: rows, or one element. */
static bool check_shapes(tsr_call *c, tsr_tensor *const *in, size_t nin, const tsr_tensor *shape)
{
    for (size_t k = 0; k < nin; k++) {
        const tsr_tensor *t = in[k];
        bool fits = t->n == 1 && (c->batch || t->rank == 0);
        if (c->batch)
            fits |= t->n == shape->n;
        else
            fits |= t->rank == shape->rank &&
                    (!t->rank || memcmp(t->dims, shape->dims, t->rank * sizeof *t->dims) == 0);
        if (!fits)
            return tsr_fail(c, "has operands of different shapes");
    }
    return true;
}

/* Long rows in pieces, so that the run can be cancelled between them, whatever a function costs. */
static bool run_pieces(tsr_row *r, const tsr_dtype *types, size_t nin, tsr_row_fn *fn)
{
    enum { PIECE = 1 << 14 };
    int64_t left = r->n;
    bool ok = true;
    while (ok && left > PIECE) {
        r->n = PIECE;
        ok = fn(r);
        for (size_t k = 0; k < nin; k++)
            r->in[k] =
                (const char *)r->in[k] + (size_t)(r->step[k] * PIECE) * tsr_dtype_bytes(types[k]);
        r->out = (char *)r->out + (size_t)PIECE * tsr_dtype_bytes(r->to);
        left -= PIECE;
        tsr_poll();
    }
    r->n = left;
    return ok && fn(r);
}

/* types: of the operands; out may have replaced that of an operand whose memory it reuses. */
static bool run(tsr_call *c, int opcode, tsr_row_fn *fn, tsr_tensor *const *in,
                const tsr_dtype *types, size_t nin, tsr_tensor *out)
{
    tsr_row r = {.op = c->op,
                 .opcode = opcode,
                 .d = types[nin - 1],
                 .to = (tsr_dtype)out->dtype,
                 .n = out->n};
    for (size_t k = 0; k < nin; k++) {
        if (types[k] != r.d &&
            !(opcode == TSR_OP_STABLEHLO_SELECT && k == 0 && types[k] == TSR_D_I1))
            return tsr_fail(c, "has operands of different types");
        r.in[k] = in[k]->data;
        r.step[k] = tsr_row_step(in[k], out->n);
    }
    r.out = out->data;
    return run_pieces(&r, types, nin, fn) ||
           tsr_fail(c, "is not defined for elements of type %s", tsr_dtype_name(r.d));
}

static void types_of(tsr_tensor *const *in, size_t nin, tsr_dtype *out)
{
    for (size_t k = 0; k < nin; k++)
        out[k] = (tsr_dtype)in[k]->dtype;
}

/* ---- Kernels ---- */

bool tsr_pointwise_on(tsr_call *c, int opcode, tsr_row_fn *fn, tsr_tensor *const *in, size_t nin)
{
    TSR_TRY(check_tensors(c, in, nin));
    const tsr_tensor *shape = shape_of(in, nin);
    tsr_tensor *out =
        c->batch ? tsr_call_new(c, 0, &c->batch, 1) : tsr_call_new(c, 0, shape->dims, shape->rank);
    if (!out)
        return false;
    TSR_TRY(check_shapes(c, in, nin, out));
    tsr_dtype types[MAX_OPERANDS] = {TSR_D_I1};
    types_of(in, nin, types);
    return run(c, opcode, fn, in, types, nin, out);
}

bool tsr_pointwise(tsr_call *c, int opcode, tsr_row_fn *fn)
{
    size_t nin = c->op->nin;
    TSR_TRY(check_tensors(c, c->in, nin));
    tsr_tensor *in[MAX_OPERANDS]; /* c->in loses operands that are reused */
    memcpy(in, c->in, nin * sizeof *in);
    tsr_type *elem = c->op->out[0].type->elem;
    const tsr_tensor *shape = shape_of(in, nin);
    /* In a body that runs on rows, operands are rows or one element each: the result is a row. */
    bool is_row = !c->batch || (shape->rank == 1 && shape->n == c->batch);
    if (!is_row)
        return tsr_pointwise_on(c, opcode, fn, in, nin);
    TSR_TRY(check_shapes(c, in, nin, shape));
    tsr_dtype types[MAX_OPERANDS] = {TSR_D_I1};
    types_of(in, nin, types);
    c->out[0] = take_over(c, shape, elem);
    return c->out[0] ? run(c, opcode, fn, in, types, nin, c->out[0])
                     : tsr_pointwise_on(c, opcode, fn, in, nin);
}
