/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c - reads rules written as text, which describes each dimension of each tensor (layouts in targets.def).
 *
 * A text lists the tensors: operands, "->", results; each has a sign per dimension:
 *
 *   a      a factor that passes through        A      one that needs replication
 *   !A     the same, and nothing propagates    +a     one that is summed
 *   (ab)   two factors, major first; the size of one of them is known from elsewhere
 *   x?     factor x, or a dimension of size 1 that every device has whole
 *   .      no factor: whole                    1      the same, and of size 1
 *   *      at the end: any further dimensions, whole
 *
 * "flag:" before an operand: it exists if the frontend attribute of that name is "true". "&": any further operands,
 * whole. A letter has the same size wherever it occurs alone. */
#include <ctype.h>

#include "shard/rule/build.h"

enum { MOST_TENSORS = 16 };

typedef struct {
    tsr_rule_build *b;
    const char *tensors[MOST_TENSORS]; /* text of each; NULL: whole */
    int64_t sizes[128];                /* by letter; -1: not known yet */
    int64_t factors[128];              /* by letter; -1: there is none yet */
} layout;

typedef struct {
    char letters[2]; /* none: a dimension without factors */
    int n;
    tsr_factor_kind kind;
    bool blocked, maybe, one, rest;
} sign;

/* The sign at *p, which advances past it; false at the end of the tensor. */
static bool next_sign(const char **p, sign *s)
{
    *s = (sign){.kind = TSR_FACTOR_PASS_THROUGH};
    if (!**p || **p == ' ')
        return false;
    s->blocked = **p == '!';
    bool summed = **p == '+', two = **p == '(';
    *p += s->blocked || summed || two;
    s->one = **p == '1';
    s->rest = **p == '*';
    while (isalpha((unsigned char)**p) && s->n < (two ? 2 : 1))
        s->letters[s->n++] = *(*p)++;
    *p += two || !s->n; /* the bracket, or a sign that is not a letter */
    if (s->n && isupper((unsigned char)s->letters[0]))
        s->kind = TSR_FACTOR_NEED_REPLICATION;
    if (summed)
        s->kind = TSR_FACTOR_REDUCTION;
    s->maybe = **p == '?';
    *p += s->maybe;
    return true;
}

/* ---- Tensors ---- */

static bool says_true(const tsr_op *op, const char *flag, size_t len)
{
    const tsr_attr *all =
        op->extra ? tsr_dict_get(op->extra, TSR_STR("mhlo.frontend_attributes")) : NULL;
    const tsr_attr *a =
        tsr_attr_is(all, TSR_ATTR_DICT) ? tsr_dict_get(all, (tsr_str){flag, len}) : NULL;
    static const char yes[] = "true";
    if (!tsr_attr_is(a, TSR_ATTR_STRING) || a->s.len != sizeof yes - 1)
        return false;
    for (size_t i = 0; i < a->s.len; i++)
        if (tolower((unsigned char)a->s.data[i]) != yes[i])
            return false;
    return true;
}

/* Finds the text of each tensor; false if the number of tensors differs. */
static bool assign(layout *l, const char *text)
{
    const tsr_op *op = l->b->op;
    uint32_t t = 0, end = op->nin;
    for (const char *p = text; *p; p += *p == ' ') {
        size_t len = strcspn(p, " "), flag = strcspn(p, ": ");
        if (*p == '&') {
            while (t < end)
                l->tensors[t++] = NULL;
        } else if (*p == '-') {
            if (t != end)
                return false;
            end = op->nin + op->nout;
        } else if (flag == len || says_true(op, p, flag)) {
            if (t == end)
                return false;
            l->tensors[t++] = flag == len ? p : p + flag + 1;
        }
        p += len;
    }
    return t == end && end == op->nin + op->nout;
}

/* ---- Sizes ---- */

static bool settle(layout *l, char letter, int64_t size)
{
    int64_t *known = &l->sizes[(unsigned char)letter];
    if (*known < 0)
        *known = size;
    return *known == size;
}

/* Checks one sign on a dimension of this size; pairs: only signs of two letters, which need the sizes of the others. */
static bool measure(layout *l, const sign *s, int64_t size, bool pairs)
{
    if (size < 0 || (s->one && size != 1))
        return false;
    if ((s->maybe && size == 1) || s->n == 0 || (s->n == 2) != pairs)
        return true;
    if (s->n == 1)
        return settle(l, s->letters[0], size);
    int known = l->sizes[(unsigned char)s->letters[0]] >= 0 ? 0 : 1;
    int64_t one = l->sizes[(unsigned char)s->letters[known]];
    return one > 0 && size % one == 0 && settle(l, s->letters[!known], size / one);
}

/* Checks that the text of a tensor has a sign for each dimension, and that sizes agree. */
static bool measure_tensor(layout *l, uint32_t t, bool pairs)
{
    const char *p = l->tensors[t];
    uint32_t dim = 0, rank = tsr_build_rank(l->b, t);
    sign s;
    while (p && next_sign(&p, &s)) {
        if (s.rest)
            return true;
        if (dim == rank || !measure(l, &s, tsr_rule_size(l->b, t, dim), pairs))
            return false;
        dim++;
    }
    return !l->tensors[t] || dim == rank;
}

/* ---- Factors ---- */

static void place(layout *l, const sign *s, uint32_t t, uint32_t dim)
{
    tsr_rule_build *b = l->b;
    int64_t size = tsr_rule_size(b, t, dim);
    for (int i = 0; i < s->n && !(s->maybe && size == 1); i++) {
        int64_t *f = &l->factors[(unsigned char)s->letters[i]];
        int64_t each = l->sizes[(unsigned char)s->letters[i]];
        if (s->n == 2 && each == 1 && (size > 1 || i))
            continue; /* the other letter is the whole dimension */
        if (*f < 0)
            *f = tsr_rule_factor(b, each, s->kind, s->blocked);
        tsr_rule_put(b, (uint32_t)*f, t, dim);
    }
}

bool tsr_rule_layout(tsr_rule_build *b, const char *text)
{
    layout l = {.b = b};
    if (b->ntensor > MOST_TENSORS || !assign(&l, text))
        return false;
    for (size_t i = 0; i < TSR_COUNT(l.sizes); i++)
        l.sizes[i] = l.factors[i] = -1;
    for (int pairs = 0; pairs < 2; pairs++)
        for (uint32_t t = 0; t < b->ntensor; t++)
            if (!measure_tensor(&l, t, pairs))
                return false;
    for (uint32_t t = 0; t < b->ntensor; t++) {
        const char *p = l.tensors[t];
        sign s;
        for (uint32_t dim = 0; p && next_sign(&p, &s) && !s.rest; dim++)
            place(&l, &s, t, dim);
    }
    return true;
}
