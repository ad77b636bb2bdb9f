/* SPDX-License-Identifier: Apache-2.0 */
/* literal.c - tensors as text, in both directions. */
#include "base/char.h"
#include "base/decimal.h"
#include "eval/file/literal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "asm/reader.h"
#include "asm/writer.h"
#include "eval/file/print.h"

/* ---- Reading ---- */

bool tsr_literal_is(tsr_str s)
{
    const char *eq = s.len ? memchr(s.data, '=', s.len) : NULL;
    size_t n = eq ? (size_t)(eq - s.data) : 0;
    if (!n || memchr(s.data, '/', n))
        return false;
    /* A file name has a dot before its '='; types have one only if they are quantized, and then '!' follows the
     * dimensions. */
    return !memchr(s.data, '.', n) || memchr(s.data, '!', n);
}

/* The type of the text between tensor< and >; NULL if it is not one. The reader's messages are suppressed: they refer
 * to a text that the user did not write. */
static tsr_type *read_type(tsr_ctx *ctx, tsr_str text)
{
    tsr_buf full = {0};
    tsr_reader r;
    tsr_buf_printf(&full, "tensor<%.*s>", TSR_STR_ARG(text));
    bool quiet = ctx->quiet;
    uint32_t nerror = ctx->nerror;
    ctx->quiet = true;
    tsr_reader_init(&r, ctx, NULL, tsr_buf_text(&full), TSR_STR("<text>"), 1);
    tsr_type *t = tsr_read_type(&r);
    if (t && !tsr_read_is(&r, TOK_EOF))
        t = NULL;
    tsr_reader_free(&r);
    ctx->quiet = quiet;
    ctx->nerror = nerror;
    tsr_buf_free(&full);
    return t;
}

typedef struct {
    const char *p, *end;
} scan;

static void spaces(scan *s)
{
    while (s->p < s->end && tsr_is_space(*s->p))
        s->p++;
}

/* The next word, up to a comma, a bracket or the end. */
static tsr_str word(scan *s)
{
    spaces(s);
    const char *start = s->p;
    while (s->p < s->end && !strchr(",()", *s->p) && !tsr_is_space(*s->p))
        s->p++;
    tsr_str w = {start, (size_t)(s->p - start)};
    spaces(s);
    return w;
}

static bool copy_word(tsr_str w, char *out, size_t size)
{
    if (w.len == 0 || w.len >= size)
        return false;
    memcpy(out, w.data, w.len);
    out[w.len] = 0;
    return true;
}

static bool is_hex(const char *s)
{
    return s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && !strpbrk(s, "pP.");
}

static bool read_int(tsr_str w, tsr_tensor *t, int64_t i)
{
    char s[80], *end;
    if (tsr_str_is(w, "true") || tsr_str_is(w, "false")) {
        tsr_set_int(t, i, w.len == 4);
        return t->dtype == TSR_D_I1;
    }
    if (!copy_word(w, s, sizeof s) || tsr_is_space(s[0]))
        return false;
    int base = is_hex(s + (s[0] == '-' || s[0] == '+')) ? 16 : 10;
    errno = 0;
    if (t->dtype == TSR_D_U64) {
        uint64_t u = strtoull(s, &end, base);
        tsr_set_int(t, i, (int64_t)u);
        return !errno && !*end && end != s && s[0] != '-';
    }
    int64_t v = strtoll(s, &end, base);
    tsr_set_int(t, i, v);
    return !errno && !*end && end != s && tsr_get_int(t, i) == v;
}

/* Types without infinity and NaN saturate to their largest number: the limit beyond which that is an error, not
 * rounding. */
static double saturates_above(tsr_dtype d)
{
    return d == TSR_D_F4E2M1FN   ? 7
           : d == TSR_D_F6E2M3FN ? 7.75
           : d == TSR_D_F6E3M2FN ? 30
                                 : HUGE_VAL;
}

/* Reads a float of dtype d into out, which has room for one element. */
static bool read_float(tsr_str w, tsr_dtype d, void *out)
{
    char s[512], *end;
    size_t bytes = tsr_dtype_bytes(d);
    if (!copy_word(w, s, sizeof s))
        return false;
    errno = 0;
    if (is_hex(s)) {
        uint64_t bits = strtoull(s, &end, 16);
        memcpy(out, &bits, bytes);
        return !errno && !*end && end != s + 2 &&
               (tsr_dtype_bits(d) == 64 || bits >> tsr_dtype_bits(d) == 0);
    }
    /* One rounding for f32; through double for narrower types, where double rounding is harmless in all but absurd
     * cases. */
    size_t used;
    double v = d == TSR_D_F32 ? tsr_read_single(w, &used) : tsr_read_double(w, &used), stored;
    if (!used || used != w.len)
        return false;
    bool infinite = isinf(v) && !strpbrk(s, "0123456789");
    tsr_from_doubles(d, &v, out, 1);
    tsr_to_doubles(d, out, &stored, 1);
    if (isnan(v))
        return isnan(stored);
    return infinite ? isinf(stored)
                    : isfinite(v) && isfinite(stored) && fabs(v) <= saturates_above(d);
}

/* value ::= number | '(' number ',' number ')' */
static bool read_value(scan *s, tsr_tensor *t, int64_t i)
{
    tsr_dtype d = (tsr_dtype)t->dtype, part = tsr_dtype_part(d);
    char *at = (char *)t->data + (size_t)i * tsr_dtype_bytes(d);
    if (tsr_dtype_is_int(d))
        return read_int(word(s), t, i);
    if (part == d)
        return read_float(word(s), d, at);
    spaces(s);
    if (s->p >= s->end || *s->p != '(') {
        memset(at, 0, tsr_dtype_bytes(d));
        return read_float(word(s), part, at);
    }
    s->p++;
    if (!read_float(word(s), part, at) || s->p >= s->end || *s->p++ != ',' ||
        !read_float(word(s), part, at + tsr_dtype_bytes(part)) || s->p >= s->end || *s->p++ != ')')
        return false;
    spaces(s);
    return true;
}

static bool fill(scan *s, tsr_tensor *t, tsr_str text, tsr_status *status)
{
    int64_t n = 0;
    spaces(s);
    if (s->p == s->end && t->n == 0)
        return true;
    for (;;) {
        const char *start = s->p;
        if (n == t->n)
            return tsr_status_set(status, TSR_BAD_INPUT, "'%.*s': more than %lld values",
                                  TSR_STR_ARG(text), (long long)t->n);
        if (!read_value(s, t, n))
            return tsr_status_set(status, TSR_BAD_INPUT, "'%.*s': value %lld, '%.*s', is no %s",
                                  TSR_STR_ARG(text), (long long)n, (int)(s->p - start), start,
                                  tsr_dtype_name((tsr_dtype)t->dtype));
        n++;
        if (s->p == s->end)
            break;
        if (*s->p++ != ',')
            return tsr_status_set(status, TSR_BAD_INPUT, "'%.*s': expected ',' after value %lld",
                                  TSR_STR_ARG(text), (long long)(n - 1));
    }
    for (int64_t i = 1; n == 1 && i < t->n; i++)
        tsr_copy_element(t, i, t, 0);
    if (n != 1 && n != t->n)
        return tsr_status_set(status, TSR_BAD_INPUT, "'%.*s': %lld values where %lld are needed",
                              TSR_STR_ARG(text), (long long)n, (long long)t->n);
    return true;
}

tsr_tensor *tsr_literal_read(tsr_ctx *ctx, tsr_str text, tsr_status *status)
{
    const char *eq = text.len ? memchr(text.data, '=', text.len) : NULL;
    tsr_str shown = {text.data, text.len < 60 ? text.len : 60};
    tsr_type *type = eq ? read_type(ctx, tsr_str_of(text.data, (size_t)(eq - text.data))) : NULL;
    if (!type || type->kind != TSR_TYPE_TENSOR || !tsr_type_has_static_shape(type) ||
        tsr_dtype_of(type->elem) == TSR_D_NONE || type->attr) {
        tsr_status_set(status, TSR_BAD_INPUT,
                       "'%.*s': expected a shape and an element type, as in 2x3xf32=1,2,3,4,5,6",
                       TSR_STR_ARG(shown));
        return NULL;
    }
    tsr_tensor *t = tsr_tensor_new(type->elem, type->dims, type->n);
    if (!t) {
        tsr_status_set(status, TSR_ENVIRONMENT, "'%.*s': no memory for its values%s",
                       TSR_STR_ARG(shown), tsr_memory_reason().text);
        return NULL;
    }
    scan s = {eq + 1, text.data + text.len};
    if (fill(&s, t, shown, status))
        return t;
    tsr_tensor_unref(t);
    return NULL;
}

/* ---- Writing ---- */

void tsr_tensor_dense_text(tsr_ctx *ctx, tsr_buf *out, const tsr_tensor *t)
{
    if (t->kind != TSR_TENSOR) {
        tsr_tensor_print(out, t);
        return;
    }
    tsr_writer w = {.out = out, .ctx = ctx};
    tsr_write_attr(&w, tsr_tensor_to_attr(ctx, NULL, t));
}
