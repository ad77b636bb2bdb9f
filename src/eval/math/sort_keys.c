/* SPDX-License-Identifier: Apache-2.0 */
/* sort_keys.c - sort keys, recognised in the bodies of comparators. */
#include "dialect/stablehlo/cases.h"
#include "eval/math/sort_keys.h"

#include <math.h>

/* One side of a comparison. */
typedef struct {
    uint32_t arg;
    uint8_t part;
    bool one_zero, one_nan;
} side;

static bool is_op(const tsr_value *v, int opcode)
{
    return !v->is_arg && v->op->def->opcode == opcode;
}

static int direction(const tsr_op *compare)
{
    const tsr_attr *a = compare->attrs[STABLEHLO_COMPARE_comparison_direction];
    return a ? (int)a->i : -1;
}

static bool is_total(const tsr_op *compare)
{
    const tsr_attr *a = compare->attrs[STABLEHLO_COMPARE_compare_type];
    return a && a->i == TSR_COMPARE_TYPE_TOTALORDER;
}

/* The value of a scalar float constant. */
static bool constant(const tsr_value *v, double *out)
{
    if (!tsr_value_is_constant(v) || !tsr_attr_is(v->op->attrs[0], TSR_ATTR_DENSE))
        return false;
    tsr_dtype d = tsr_dtype_of(v->type->elem);
    tsr_str s = v->op->attrs[0]->s;
    if (d == TSR_D_NONE || !tsr_dtype_is_float(d) || s.len < tsr_dtype_bytes(d))
        return false;
    char bytes[16];
    memcpy(bytes, s.data, tsr_dtype_bytes(d));
    tsr_to_doubles(d, bytes, out, 1);
    return true;
}

static bool read_side(const tsr_block *b, const tsr_value *v, side *s, int depth);

/* select(x == 0, 0, inner) and select(x != x, nan, inner) */
static bool read_select(const tsr_block *b, const tsr_op *select, side *s, int depth)
{
    const tsr_value *cond = select->in[0].value;
    double v, zero = 1;
    side x;
    if (!is_op(cond, TSR_OP_STABLEHLO_COMPARE) || !constant(select->in[1].value, &v))
        return false;
    const tsr_op *compare = cond->op;
    const tsr_value *lhs = compare->in[0].value, *rhs = compare->in[1].value;
    if (is_total(compare) || !read_side(b, lhs, &x, depth) || x.one_zero || x.one_nan ||
        !read_side(b, select->in[2].value, s, depth) || x.arg != s->arg || x.part != s->part)
        return false;
    if (direction(compare) == TSR_COMPARE_EQ && constant(rhs, &zero) && zero == 0 && v == 0 &&
        !signbit(v))
        return s->one_zero = true;
    if (direction(compare) == TSR_COMPARE_NE && lhs == rhs && isnan(v) && !signbit(v))
        return s->one_nan = true;
    return false;
}

static bool read_side(const tsr_block *b, const tsr_value *v, side *s, int depth)
{
    if (depth <= 0)
        return false;
    if (v->is_arg) {
        *s = (side){.arg = v->index};
        return v->block == b;
    }
    if (is_op(v, TSR_OP_STABLEHLO_REAL) || is_op(v, TSR_OP_STABLEHLO_IMAG)) {
        const tsr_value *x = v->op->in[0].value;
        *s = (side){.arg = x->index, .part = is_op(v, TSR_OP_STABLEHLO_REAL) ? 1 : 2};
        return x->is_arg && x->block == b && x->type->kind == TSR_TYPE_TENSOR &&
               tsr_dtype_is_complex(tsr_dtype_of(x->type->elem));
    }
    return is_op(v, TSR_OP_STABLEHLO_SELECT) && read_select(b, v->op, s, depth - 1);
}

/* A comparison of the two elements of one operand, in either order. */
static bool read_compare(const tsr_block *b, const tsr_value *v, int *dir, tsr_sort_key *k)
{
    side l, r;
    if (!is_op(v, TSR_OP_STABLEHLO_COMPARE) || !read_side(b, v->op->in[0].value, &l, 4) ||
        !read_side(b, v->op->in[1].value, &r, 4))
        return false;
    if (l.part != r.part || l.one_zero != r.one_zero || l.one_nan != r.one_nan ||
        (l.arg ^ 1) != r.arg)
        return false;
    *dir = direction(v->op);
    bool swapped = l.arg & 1;
    *k = (tsr_sort_key){
        .operand = l.arg / 2, .part = l.part, .one_zero = l.one_zero, .one_nan = l.one_nan};
    k->descending = (*dir == TSR_COMPARE_GT) != swapped;
    k->total = is_total(v->op);
    return true;
}

static bool read_less(const tsr_block *b, const tsr_value *v, tsr_sort_key *k)
{
    int dir;
    return read_compare(b, v, &dir, k) && (dir == TSR_COMPARE_LT || dir == TSR_COMPARE_GT);
}

static bool read_equal(const tsr_block *b, const tsr_value *v, const tsr_sort_key *k)
{
    int dir;
    tsr_sort_key e;
    return read_compare(b, v, &dir, &e) && dir == TSR_COMPARE_EQ && e.operand == k->operand &&
           e.part == k->part && e.one_zero == k->one_zero && e.one_nan == k->one_nan &&
           e.total == k->total;
}

/* Reads the less-than, the equality and the next comparison of one step. */
static bool read_step(const tsr_block *b, const tsr_value *less, const tsr_value *equal,
                      tsr_sort_key *k)
{
    return read_less(b, less, k) && read_equal(b, equal, k);
}

/* Reads one key of v and sets *next to the comparison that decides if it is equal; NULL: none. */
static bool read_key(const tsr_block *b, const tsr_value *v, tsr_sort_key *k,
                     const tsr_value **next)
{
    *next = NULL;
    if (read_less(b, v, k))
        return true;
    if (is_op(v, TSR_OP_STABLEHLO_SELECT)) {
        *next = v->op->in[1].value;
        return read_step(b, v->op->in[2].value, v->op->in[0].value, k);
    }
    if (!is_op(v, TSR_OP_STABLEHLO_OR))
        return false;
    for (int i = 0; i < 2; i++) {
        const tsr_value *less = v->op->in[i].value, *both = v->op->in[1 - i].value;
        for (int j = 0; j < 2 && is_op(both, TSR_OP_STABLEHLO_AND); j++) {
            *next = both->op->in[1 - j].value;
            if (read_step(b, less, both->op->in[j].value, k))
                return true;
        }
    }
    return false;
}

size_t tsr_sort_keys(const tsr_region *region, tsr_sort_key *out)
{
    const tsr_block *b = region->first;
    const tsr_op *ret = b && !b->next ? b->last : NULL;
    if (!ret || ret->nin != 1)
        return 0;
    size_t n = 0;
    for (const tsr_value *v = ret->in[0].value; v;) {
        if (n == TSR_MAX_SORT_KEYS || !read_key(b, v, &out[n++], &v))
            return 0;
    }
    return n;
}

/* ---- Numbers ---- */

/* For a float of this many bits: its pattern, mapped so that unsigned order is the total order. */
static bool float_number(const tsr_sort_key *k, uint64_t bits, int width, int mantissa,
                         uint64_t *out)
{
    uint64_t sign = (uint64_t)1 << (width - 1), magnitude = bits & (sign - 1);
    uint64_t inf = (sign - 1) >> mantissa << mantissa;
    if (magnitude > inf) {
        if (!k->total)
            return false;
        if (k->one_nan)
            bits = inf | (uint64_t)1 << (mantissa - 1);
    }
    if (magnitude == 0 && (k->one_zero || !k->total))
        bits = 0;
    *out = bits & sign ? ~bits & (sign | (sign - 1)) : bits | sign;
    return true;
}

static bool float_numbers(const tsr_sort_key *k, tsr_dtype d, const char *data, size_t step,
                          int64_t n, uint64_t *out)
{
    int width = (int)tsr_dtype_bits(d), mantissa = d == TSR_D_F16    ? 10
                                                   : d == TSR_D_BF16 ? 7
                                                   : d == TSR_D_F32  ? 23
                                                                     : 52;
    if (d != TSR_D_F16 && d != TSR_D_BF16 && d != TSR_D_F32 && d != TSR_D_F64)
        return false;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        if (width == 16) {
            uint16_t v;
            memcpy(&v, data + (size_t)i * step, 2);
            bits = v;
        } else if (width == 32) {
            uint32_t v;
            memcpy(&v, data + (size_t)i * step, 4);
            bits = v;
        } else {
            memcpy(&bits, data + (size_t)i * step, 8);
        }
        TSR_TRY(float_number(k, bits, width, mantissa, &out[i]));
    }
    return true;
}

bool tsr_sort_numbers(const tsr_sort_key *k, tsr_dtype d, const void *data, int64_t n,
                      uint64_t *out)
{
    bool ok = true;
    if (tsr_dtype_is_complex(d)) {
        tsr_dtype part = tsr_dtype_part(d);
        size_t size = tsr_dtype_bytes(part);
        ok = k->part &&
             float_numbers(k, part, (const char *)data + (k->part - 1) * size, 2 * size, n, out);
    } else if (tsr_dtype_is_float(d)) {
        ok = float_numbers(k, d, data, tsr_dtype_bytes(d), n, out);
    } else {
        tsr_convert(tsr_dtype_kind(d) == TSR_K_SINT ? TSR_D_I64 : TSR_D_U64, out, d, data, n);
        for (int64_t i = 0; tsr_dtype_kind(d) == TSR_K_SINT && i < n; i++)
            out[i] ^= (uint64_t)1 << 63;
    }
    for (int64_t i = 0; ok && k->descending && i < n; i++)
        out[i] = ~out[i];
    return ok;
}

int64_t tsr_total_key(const tsr_tensor *t, int64_t i)
{
    tsr_dtype d = (tsr_dtype)t->dtype;
    if (d == TSR_D_U64)
        return (int64_t)((uint64_t)tsr_get_int(t, i) ^ (uint64_t)1 << 63);
    if (tsr_dtype_is_int(d))
        return tsr_get_int(t, i);
    uint32_t size = tsr_dtype_bytes(d);
    uint64_t v = 0, sign = (uint64_t)1 << (tsr_dtype_bits(d) - 1);
    memcpy(&v, (const char *)t->data + (size_t)i * size, size);
    return v & sign ? -(int64_t)(v & (sign - 1)) - 1 : (int64_t)v;
}
