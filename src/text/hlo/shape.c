/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c - shapes: shape ::= element '[' dims ']' layout? | '(' shape, ... ')'. Dimensions that are bounded ("<=8")
 * or unknown ("?") become dynamic ones. Of layouts only the order of dimensions is kept: the result of a bitcast depends
 * on it. */
#include "text/hlo/reader.h"

#include "base/char.h"
#include "dialect/dialect.h"

/* Element types whose names are not those of MLIR. */
static const struct {
    const char *name;
    uint8_t width;
    tsr_signedness sign;
} integers[] = {{"pred", 1, TSR_SIGNLESS}, {"s1", 1, TSR_SIGNLESS},   {"s2", 2, TSR_SIGNLESS},
                {"s4", 4, TSR_SIGNLESS},   {"s8", 8, TSR_SIGNLESS},   {"s16", 16, TSR_SIGNLESS},
                {"s32", 32, TSR_SIGNLESS}, {"s64", 64, TSR_SIGNLESS}, {"u1", 1, TSR_UNSIGNED},
                {"u2", 2, TSR_UNSIGNED},   {"u4", 4, TSR_UNSIGNED},   {"u8", 8, TSR_UNSIGNED},
                {"u16", 16, TSR_UNSIGNED}, {"u32", 32, TSR_UNSIGNED}, {"u64", 64, TSR_UNSIGNED}};

static bool same_letters(tsr_str a, const char *b)
{
    if (a.len != strlen(b))
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (a.data[i] != (b[i] >= 'A' && b[i] <= 'Z' ? b[i] - 'A' + 'a' : b[i]))
            return false;
    return true;
}

tsr_type *xla_element_type(xla_reader *r, tsr_str name)
{
    for (size_t i = 0; i < TSR_COUNT(integers); i++)
        if (tsr_str_is(name, integers[i].name))
            return tsr_type_integer(r->ctx, integers[i].width, integers[i].sign);
    if (tsr_str_is(name, "c64") || tsr_str_is(name, "c128"))
        return tsr_type_complex(r->ctx, tsr_type_float(r->ctx, name.len == 3 ? TSR_F32 : TSR_F64));
    for (int k = 0; k < TSR_FLOAT__COUNT; k++)
        if (same_letters(name, tsr_float_formats[k].name))
            return tsr_type_float(r->ctx, (tsr_float_kind)k);
    return NULL;
}

/* ---- Layouts ---- */

/* layout ::= '{' [0-9,]* (':' anything)? '}' */
static bool read_layout(xla_reader *r, xla_shape *s)
{
    const char *start = ++r->p;
    TSR_TRY(xla_skip(r, ""));
    if (r->p >= r->end)
        return xla_error(r, start - 1, "this bracket is not closed");
    xla_text t = {start, r->p++};
    uint32_t n = 0, rank = s->type->n;
    int64_t *order = TSR_NEW_ARRAY(&r->arena, int64_t, rank + 1);
    bool *seen = TSR_NEW_ARRAY(&r->arena, bool, rank + 1);
    for (int64_t d; xla_text_int(&t, &d); xla_text_take(&t, ',')) {
        if (d < 0 || d >= rank || n == rank || seen[d])
            return xla_error(r, start, "the layout does not name each of %u dimensions once", rank);
        seen[d] = true;
        order[n++] = d;
    }
    if (n == rank && n)
        s->order = order;
    return true;
}

/* ---- Arrays ---- */

static bool read_dim(xla_reader *r, int64_t *out, int64_t *bound)
{
    xla_space(r);
    xla_text t = {r->p, r->end};
    *bound = TSR_DYNAMIC;
    if (*r->p == '?') {
        r->p++;
        *out = TSR_DYNAMIC;
        return true;
    }
    bool bounded = xla_text_take(&t, '<') && xla_text_take(&t, '=');
    if (!xla_text_int(&t, out) || *out < 0)
        return xla_error(r, r->p, "expected the size of a dimension");
    r->p = t.p;
    if (bounded) {
        *bound = *out;
        *out = TSR_DYNAMIC;
    }
    return true;
}

static tsr_attr *bounds_of(xla_reader *r, const int64_t *bounds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bounds[i] != TSR_DYNAMIC) {
            tsr_attr *param = tsr_attr_i64_array(r->ctx, bounds, n);
            return tsr_attr_struct(r->ctx, &tsr_def_STABLEHLO_BOUNDS, &param);
        }
    return NULL;
}

static bool read_array(xla_reader *r, xla_shape *s)
{
    enum { MOST = 64 };
    int64_t dims[MOST], bounds[MOST];
    size_t n = 0;
    const char *start = r->p;
    tsr_str name = xla_name(r);
    bool token = tsr_str_is(name, "token");
    tsr_type *elem = token ? NULL : xla_element_type(r, name);
    if (!elem && !token)
        return xla_error(r, start, name.len ? "'%.*s' is no element type" : "expected a shape%.*s",
                         TSR_STR_ARG(name));
    TSR_TRY(xla_expect(r, '[', "in a shape"));
    if (!xla_take(r, ']')) {
        do {
            if (n == MOST)
                return xla_error(r, r->p, "more than %d dimensions", MOST);
            TSR_TRY(read_dim(r, &dims[n], &bounds[n]));
            n++;
        } while (xla_take(r, ','));
        TSR_TRY(xla_expect(r, ']', "at the end of a shape"));
    }
    if (token)
        s->type = tsr_type_dialect(r->ctx, &tsr_def_STABLEHLO_TOKEN, NULL);
    else
        s->type = tsr_type_tensor(r->ctx, dims, n, elem, bounds_of(r, bounds, n));
    s->nflat = 1;
    return *r->p != '{' || read_layout(r, s);
}

xla_shape *xla_read_shape(xla_reader *r)
{
    xla_shape *s = TSR_NEW(&r->arena, xla_shape);
    TSR_VEC(xla_shape *) members = {0};
    if (!xla_take(r, '('))
        return read_array(r, s) ? s : NULL;
    bool ok = xla_enter(r);
    if (ok && !xla_take(r, ')')) {
        do {
            xla_shape *m = xla_read_shape(r);
            ok = m != NULL;
            if (ok) {
                tsr_vec_push(&members, m);
                s->nflat += m->nflat;
            }
        } while (ok && xla_take(r, ','));
        ok = ok && xla_expect(r, ')', "at the end of a tuple's shape");
    }
    r->depth--;
    s->n = (uint32_t)members.n;
    s->members = tsr_arena_copy(&r->arena, members.data, members.n * sizeof(xla_shape *));
    tsr_vec_free(&members);
    return ok ? s : NULL;
}

static uint32_t put_types(const xla_shape *s, tsr_type **out, uint32_t n)
{
    if (s->type)
        out[n++] = s->type;
    for (uint32_t i = 0; i < s->n; i++)
        n = put_types(s->members[i], out, n);
    return n;
}

uint32_t xla_flat_types(const xla_shape *s, tsr_type **out)
{
    return put_types(s, out, 0);
}

uint32_t xla_member_at(const xla_shape *s, uint32_t i)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < i; k++)
        n += s->members[k]->nflat;
    return n;
}
