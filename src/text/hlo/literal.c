/* SPDX-License-Identifier: Apache-2.0 */
/* literal.c - the elements of constants: numbers, true and false, (real, imaginary), in braces that only show the
 * dimensions. "{...}" stands for elements that the dump left out. */
#include "text/hlo/reader.h"

#include <math.h>

#include "base/decimal.h"

typedef struct {
    xla_reader *r;
    xla_text *t;
    const tsr_type *elem; /* of a number: of complex ones, the type of a part */
    char *out;
    size_t bytes; /* of a number */
} numbers;

static bool word_next(xla_text *t, const char *word)
{
    xla_text before = *t;
    if (tsr_str_is(xla_text_word(t), word))
        return true;
    *t = before;
    return false;
}

/* "(0x7fc00001)" after nan: its bits are not kept. */
static void skip_payload(xla_text *t)
{
    tsr_str inside;
    if (t->p < t->end && *t->p == '(')
        xla_text_inside(t, &inside);
}

static bool read_float(numbers *k, uint64_t *bits)
{
    xla_text *t = k->t;
    xla_text sign = *t;
    bool negative = xla_text_take(&sign, '-');
    double v;
    size_t used = 0;
    xla_text_take(t, ' '); /* skips white space */
    if (negative && (word_next(&sign, "nan") || word_next(&sign, "inf"))) {
        v = sign.p[-1] == 'n' ? -(double)NAN : -(double)INFINITY;
        *t = sign;
        skip_payload(t);
    } else if (word_next(t, "nan")) {
        v = (double)NAN;
        skip_payload(t);
    } else {
        tsr_str rest = {t->p, (size_t)(t->end - t->p)};
        v = k->elem->sub == TSR_F32 ? tsr_read_single(rest, &used) : tsr_read_double(rest, &used);
        t->p += used;
        if (!used)
            return xla_error(k->r, t->p, "expected a number of type %s",
                             tsr_float_formats[k->elem->sub].name);
    }
    *bits = tsr_float_from_double((tsr_float_kind)k->elem->sub, v);
    return true;
}

static bool read_int(numbers *k, uint64_t *bits)
{
    int64_t v;
    bool word = word_next(k->t, "true");
    if (word || word_next(k->t, "false")) {
        *bits = word;
        return true;
    }
    if (!xla_text_int(k->t, &v))
        return xla_error(k->r, k->t->p, "expected an integer");
    *bits = k->elem->width == 1 ? v != 0 : (uint64_t)v;
    return true;
}

static bool read_number(numbers *k, size_t at)
{
    uint64_t bits = 0;
    TSR_TRY(tsr_type_is(k->elem, TSR_TYPE_FLOAT) ? read_float(k, &bits) : read_int(k, &bits));
    memcpy(k->out + at * k->bytes, &bits, k->bytes); /* little-endian, as all of dense data */
    return true;
}

/* Skips what only shows dimensions. */
static void to_number(xla_text *t)
{
    while (xla_text_take(t, '{') || xla_text_take(t, '}') || xla_text_take(t, ','))
        ;
}

static bool is_elided(xla_text t)
{
    while (xla_text_take(&t, '{') || xla_text_take(&t, ','))
        ;
    return t.end - t.p >= 3 && memcmp(t.p, "...", 3) == 0;
}

tsr_attr *xla_literal(xla_reader *r, tsr_type *type, xla_text *text, bool *elided)
{
    bool complex = tsr_type_is(type->elem, TSR_TYPE_COMPLEX);
    const tsr_type *part = complex ? type->elem->elem : type->elem;
    int64_t n = tsr_type_num_elements(type);
    uint32_t bits = tsr_type_storage_bits(part);
    *elided = is_elided(*text);
    if (*elided)
        return NULL;
    if (n < 0 || bits < 8 || n > text->end - text->p + 1 ||
        (part->kind != TSR_TYPE_FLOAT && part->kind != TSR_TYPE_INTEGER)) {
        xla_error(r, text->p, "the text of this constant does not have all of its elements");
        return NULL;
    }
    size_t all = (size_t)n * (complex ? 2 : 1);
    numbers k = {r, text, part, tsr_xmalloc(all * (bits / 8) + 8), bits / 8};
    bool ok = true;
    for (size_t i = 0; i < all && ok; i++) {
        to_number(text);
        if (complex && i % 2 == 0)
            xla_text_take(text, '(');
        ok = read_number(&k, i);
        if (complex && i % 2)
            xla_text_take(text, ')');
    }
    to_number(text);
    tsr_attr *a = ok ? tsr_attr_dense(r->ctx, r->m, type, k.out, all * k.bytes, false) : NULL;
    tsr_free(k.out);
    return a;
}
