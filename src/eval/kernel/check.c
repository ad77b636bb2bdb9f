/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - compares values with expected ones, as ops and as custom calls.
 *
 * Equal: as by == (NaN is equal to nothing, zeros are equal). Almost: a difference of at most a tolerance, or both NaN.
 * Close: at most so many representable numbers apart; NaN is close to NaN, an infinity to itself. */
#include "eval/kernel/check.h"
#include "base/decimal.h"

#include <math.h>

#include "eval/mesh.h"
#include "eval/file/print.h"
#include "eval/kernel/kernels.h"

typedef enum { EQUAL, ALMOST, CLOSE } rule_kind;

typedef struct {
    rule_kind kind;
    double tolerance;     /* ALMOST */
    uint64_t least, most; /* CLOSE */
    const char *target;   /* of a custom call; else NULL */
} rule;

/* ---- One element ---- */

static bool almost(double a, double b, double tolerance)
{
    if (a == b)
        return true;
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return isfinite(a) && isfinite(b) && fabs(a - b) <= tolerance;
}

/* How many representable numbers are between two of one format; the maximum if one is not finite. */
static uint64_t ulps_between(tsr_dtype d, const char *x, const char *y)
{
    uint64_t a = 0, b = 0;
    memcpy(&a, x, tsr_dtype_bytes(d));
    memcpy(&b, y, tsr_dtype_bytes(d));
    if (a == b)
        return 0;
    tsr_float_kind kind = tsr_dtype_float_kind(d);
    const tsr_float_format *f = &tsr_float_formats[kind];
    if (!tsr_float_is_finite(kind, a) || !tsr_float_is_finite(kind, b))
        return isnan(tsr_float_to_double(kind, a)) && isnan(tsr_float_to_double(kind, b))
                   ? 0
                   : UINT64_MAX;
    uint64_t sign = f->bits > f->ebits + f->mbits ? (uint64_t)1 << (f->bits - 1) : 0;
    uint64_t from = a & ~sign, to = b & ~sign;
    if ((a ^ b) & sign)
        return from + to;
    return from > to ? from - to : to - from;
}

static uint64_t ulps_at(const tsr_tensor *a, const tsr_tensor *b, int64_t i)
{
    tsr_dtype d = (tsr_dtype)a->dtype, part = tsr_dtype_part(d);
    size_t size = tsr_dtype_bytes(d), step = tsr_dtype_bytes(part);
    const char *x = (const char *)a->data + (size_t)i * size,
               *y = (const char *)b->data + (size_t)i * size;
    uint64_t most = 0;
    for (size_t at = 0; at < size; at += step) {
        uint64_t u = ulps_between(part, x + at, y + at);
        most = u > most ? u : most;
    }
    return most;
}

static bool agrees(const rule *r, const tsr_tensor *a, const tsr_tensor *b, int64_t i)
{
    tsr_dtype d = (tsr_dtype)a->dtype;
    if (r->kind == CLOSE) {
        uint64_t u = ulps_at(a, b, i);
        return u >= r->least && u <= r->most;
    }
    if (tsr_dtype_is_int(d))
        return tsr_get_int(a, i) == tsr_get_int(b, i);
    tsr_complex x = tsr_get_complex(a, i), y = tsr_get_complex(b, i);
    if (r->kind == EQUAL)
        return x.re == y.re && x.im == y.im;
    return almost(x.re, y.re, r->tolerance) && almost(x.im, y.im, r->tolerance);
}

/* ---- Whole tensors ---- */

static void say_rule(tsr_buf *out, const rule *r)
{
    if (r->target)
        tsr_buf_printf(out, "@%s ", r->target);
    tsr_buf_cstr(out, "failed: ");
}

static void say_element(tsr_buf *out, const rule *r, const tsr_tensor *actual,
                        const tsr_tensor *expected, int64_t i)
{
    tsr_buf_cstr(out, "\n  at ");
    tsr_index_print(out, actual, i);
    tsr_buf_cstr(out, ": actual ");
    tsr_element_print(out, actual, i);
    tsr_buf_cstr(out, ", expected ");
    tsr_element_print(out, expected, i);
    if (r->kind != CLOSE)
        return;
    uint64_t u = ulps_at(actual, expected, i);
    if (u == UINT64_MAX)
        tsr_buf_cstr(out, ", one is not finite");
    else
        tsr_buf_printf(out, ", %llu ULPs apart", (unsigned long long)u);
}

static bool fail_shape(tsr_call *c, const rule *r, const tsr_tensor *actual,
                       const tsr_tensor *expected)
{
    tsr_buf text = {0};
    say_rule(&text, r);
    tsr_mesh_lock_context(c->e);
    tsr_buf_cstr(&text, "the value is a ");
    tsr_tensor_print_type(&text, actual);
    tsr_buf_cstr(&text, ", expected is a ");
    tsr_tensor_print_type(&text, expected);
    tsr_mesh_unlock_context(c->e);
    tsr_fail(c, "%.*s", TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return false;
}

static bool compare(tsr_call *c, const rule *r, const tsr_tensor *actual,
                    const tsr_tensor *expected)
{
    enum { SHOWN = 10 };
    if (actual->kind != TSR_TENSOR || expected->kind != TSR_TENSOR)
        return tsr_fail(c, "compares what is no tensor");
    if (actual->dtype != expected->dtype || actual->rank != expected->rank ||
        memcmp(actual->dims, expected->dims, actual->rank * sizeof *actual->dims))
        return fail_shape(c, r, actual, expected);
    if (r->kind == CLOSE && tsr_dtype_is_int((tsr_dtype)actual->dtype))
        return tsr_fail(c, "counts ULPs of integers");
    tsr_buf shown = {0}, text = {0};
    int64_t wrong = 0;
    for (int64_t i = 0; i < actual->n; i++) {
        if (agrees(r, actual, expected, i))
            continue;
        if (wrong++ < SHOWN)
            say_element(&shown, r, actual, expected, i);
    }
    if (wrong) {
        say_rule(&text, r);
        tsr_buf_printf(&text, "%lld of %lld elements ", (long long)wrong, (long long)actual->n);
        if (r->kind == EQUAL)
            tsr_buf_cstr(&text, "differ");
        else if (r->kind == ALMOST)
            tsr_buf_printf(&text, "differ by more than %s",
                           tsr_spell('g', 0, 6, r->tolerance).text);
        else if (r->least)
            tsr_buf_printf(&text, "are not %llu to %llu ULPs apart", (unsigned long long)r->least,
                           (unsigned long long)r->most);
        else
            tsr_buf_printf(&text, "are more than %llu ULPs apart", (unsigned long long)r->most);
        tsr_buf_str(&text, tsr_buf_text(&shown));
        if (wrong > SHOWN)
            tsr_buf_printf(&text, "\n  and %lld more", (long long)wrong - SHOWN);
        tsr_fail(c, "%.*s", TSR_STR_ARG(tsr_buf_text(&text)));
    }
    tsr_buf_free(&shown);
    tsr_buf_free(&text);
    return !wrong;
}

static bool compare_const(tsr_call *c, const rule *r, const tsr_attr *value)
{
    tsr_tensor *expected = value->type ? tsr_tensor_of_attr(value, value->type) : NULL;
    if (!expected && tsr_attr_is(value, TSR_ATTR_DENSE))
        return tsr_fail_memory(c, "what it expects");
    if (!expected)
        return tsr_fail(c, "expects a value that is no dense data");
    bool ok = compare(c, r, c->in[0], expected);
    tsr_tensor_unref(expected);
    return ok;
}

/* ---- Ops ---- */

static double tolerance_of(const tsr_attr *a)
{
    return a ? tsr_float_to_double(TSR_F64, (uint64_t)a->i) : 1e-4;
}

bool eval_expect_eq(tsr_call *c)
{
    return compare(c, &(rule){.kind = EQUAL}, c->in[0], c->in[1]);
}

bool eval_expect_eq_const(tsr_call *c)
{
    return compare_const(c, &(rule){.kind = EQUAL}, tsr_call_attr(c, CHECK_EXPECT_EQ_CONST_value));
}

bool eval_expect_almost_eq(tsr_call *c)
{
    rule r = {.kind = ALMOST,
              .tolerance = tolerance_of(tsr_call_attr(c, CHECK_EXPECT_ALMOST_EQ_tolerance))};
    return compare(c, &r, c->in[0], c->in[1]);
}

bool eval_expect_almost_eq_const(tsr_call *c)
{
    rule r = {.kind = ALMOST,
              .tolerance = tolerance_of(tsr_call_attr(c, CHECK_EXPECT_ALMOST_EQ_CONST_tolerance))};
    return compare_const(c, &r, tsr_call_attr(c, CHECK_EXPECT_ALMOST_EQ_CONST_value));
}

bool eval_expect_close(tsr_call *c)
{
    const tsr_attr *least = tsr_call_attr(c, CHECK_EXPECT_CLOSE_min_ulp_difference);
    const tsr_attr *most = tsr_call_attr(c, CHECK_EXPECT_CLOSE_max_ulp_difference);
    rule r = {.kind = CLOSE,
              .least = least ? (uint64_t)least->i : 0,
              .most = most ? (uint64_t)most->i : 1};
    return compare(c, &r, c->in[0], c->in[1]);
}

bool eval_expect_serialized_eq(tsr_call *c)
{
    const tsr_attr *iteration = tsr_call_attr(c, CHECK_EXPECT_SERIALIZED_EQ_iteration);
    tsr_str id = tsr_call_attr(c, CHECK_EXPECT_SERIALIZED_EQ_probe_id)->s;
    tsr_tensor *seen =
        tsr_probe_read(c, id, iteration ? (uint64_t)iteration->i : 0, c->op->in[0].value->type);
    if (!seen)
        return false;
    bool ok = compare(c, &(rule){.kind = EQUAL}, seen, c->in[0]);
    tsr_tensor_unref(seen);
    return ok;
}

/* ---- Custom calls ---- */

static bool compare_call(tsr_call *c, const rule *r)
{
    return c->op->nin == 2
               ? compare(c, r, c->in[0], c->in[1])
               : tsr_fail(c, "@%s compares two values, and has %u", r->target, c->op->nin);
}

bool tsr_check_call_expect_eq(tsr_call *c)
{
    return compare_call(c, &(rule){.kind = EQUAL, .target = "check.expect_eq"});
}

bool tsr_check_call_expect_almost_eq(tsr_call *c)
{
    return compare_call(
        c, &(rule){.kind = ALMOST, .tolerance = 1e-3, .target = "check.expect_almost_eq"});
}

bool tsr_check_call_expect_close(tsr_call *c)
{
    return compare_call(c, &(rule){.kind = CLOSE, .most = 3, .target = "check.expect_close"});
}

bool tsr_check_call_eq(tsr_call *c)
{
    TSR_TRY(compare_call(c, &(rule){.kind = ALMOST, .tolerance = 1e-4, .target = "check.eq"}));
    for (uint32_t i = 0; i < c->op->nout; i++) {
        tsr_tensor *t = tsr_call_new(c, i, NULL, 0);
        if (!t)
            return false;
        tsr_set_int(t, 0, 1);
    }
    return true;
}
