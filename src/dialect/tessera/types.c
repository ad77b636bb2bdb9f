/* SPDX-License-Identifier: Apache-2.0 */
/* types.c - types of Graph IR: names of dimensions, broadcasting, promotion. */
#include "dialect/hooks.h"
#include "dialect/tessera/tessera.h"

/* ---- Names of dimensions ---- */

/* dims ::= '<' '[' (name | '?') (',' ...)* ']' '>' */
static bool dim_name(tsr_asm *a, void *user, size_t i)
{
    tsr_attr_vec *names = user;
    if (tsr_asm_writing(a)) {
        tsr_str s = names->data[i]->s;
        return s.len ? tsr_asm_string(a, &s) : tsr_asm_lit(a, "?");
    }
    tsr_str s = {0};
    if (!tsr_asm_maybe(a, "?", false))
        TSR_TRY(tsr_asm_string(a, &s));
    tsr_vec_push(names, tsr_attr_string(a->ctx, s));
    return true;
}

bool attr_TESSERA_DIMS(tsr_asm *a, tsr_attr **params)
{
    tsr_attr_vec names = {0};
    size_t n = 0;
    if (tsr_asm_writing(a)) {
        names.data = params[0]->attrs;
        n = params[0]->n;
    }
    bool ok = tsr_asm_lit(a, "<") && tsr_asm_list(a, "[", "]", &n, dim_name, &names) &&
              tsr_asm_lit(a, ">");
    if (!tsr_asm_writing(a)) {
        if (ok)
            params[0] = tsr_attr_array(a->ctx, names.data, names.n);
        tsr_vec_free(&names);
    }
    return ok;
}

bool type_TESSERA_EFFECT_TOKEN(tsr_asm *a, tsr_attr **params)
{
    (void)a, (void)params;
    return true;
}

bool tsr_tessera_is_token(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_DIALECT) && t->def == &tsr_def_TESSERA_EFFECT_TOKEN;
}

static bool has_names(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) && tsr_attr_is_struct(t->attr, &tsr_def_TESSERA_DIMS);
}

bool tsr_tessera_verify_encoding(tsr_loc loc, const tsr_type *tensor, const tsr_attr *encoding)
{
    if (!tsr_attr_is_struct(encoding, &tsr_def_TESSERA_DIMS))
        return tsr_hlo_verify_encoding(loc, tensor, encoding);
    const tsr_attr *names = encoding->attrs[0];
    if (names->n != tensor->n)
        return tsr_error(tensor->ctx, loc, "names %u dimensions of a tensor that has %u", names->n,
                         tensor->n);
    for (uint32_t i = 0; i < names->n; i++)
        if (names->attrs[i]->s.len && tensor->dims[i] != TSR_DYNAMIC)
            return tsr_error(tensor->ctx, loc, "names dimension %u, whose size is known", i);
    return true;
}

tsr_tessera_dim tsr_tessera_dim_of(const tsr_type *t, size_t i)
{
    tsr_tessera_dim d = {t->dims[i], NULL};
    if (has_names(t) && t->attr->attrs[0]->attrs[i]->s.len)
        d.name = t->attr->attrs[0]->attrs[i];
    return d;
}

tsr_type *tsr_tessera_tensor(const tsr_tessera_dim *dims, size_t n, tsr_type *elem)
{
    tsr_ctx *ctx = elem->ctx;
    tsr_i64_vec sizes = {0};
    tsr_attr_vec names = {0};
    bool named = false;
    for (size_t i = 0; i < n; i++) {
        bool has = dims[i].name && dims[i].size == TSR_DYNAMIC;
        named |= has;
        tsr_vec_push(&sizes, dims[i].size);
        tsr_vec_push(&names, has ? dims[i].name : tsr_attr_string(ctx, TSR_STR("")));
    }
    tsr_attr *all = named ? tsr_attr_array(ctx, names.data, n) : NULL;
    tsr_attr *encoding = named ? tsr_attr_struct(ctx, &tsr_def_TESSERA_DIMS, &all) : NULL;
    tsr_type *t = tsr_type_tensor(ctx, sizes.data, n, elem, encoding);
    tsr_vec_free(&sizes);
    tsr_vec_free(&names);
    return t;
}

tsr_type *tsr_tessera_plain(tsr_type *t)
{
    return has_names(t) ? tsr_type_tensor(t->ctx, t->dims, t->n, t->elem, NULL) : t;
}

/* ---- Sizes ---- */

bool tsr_tessera_broadcast_dim(tsr_tessera_dim a, tsr_tessera_dim b, tsr_tessera_dim *out)
{
    bool da = a.size == TSR_DYNAMIC, db = b.size == TSR_DYNAMIC;
    *out = a;
    if (!da && !db) {
        *out = a.size == 1 ? b : a;
        return a.size == b.size || a.size == 1 || b.size == 1;
    }
    if (da && db) {
        if (a.name != b.name)
            out->name = NULL; /* either may be 1 */
        return true;
    }
    /* One is known: unless it is 1, the other is equal or 1. */
    tsr_tessera_dim known = da ? b : a, other = da ? a : b;
    *out = known.size == 1 ? other : known;
    return true;
}

bool tsr_tessera_same_dim(tsr_tessera_dim a, tsr_tessera_dim b, tsr_tessera_dim *out)
{
    bool da = a.size == TSR_DYNAMIC, db = b.size == TSR_DYNAMIC;
    *out = da && (!db || !a.name) ? b : a;
    return da || db || a.size == b.size;
}

/* ---- Promotion ---- */

static bool is_float(const tsr_type *t)
{
    return t->kind == TSR_TYPE_FLOAT;
}

/* For floats: the wider one; f16 and bf16 promote to f32, narrow ones of different kinds to bf16. */
static tsr_type *promote_floats(tsr_type *a, tsr_type *b)
{
    if (a->width < b->width) {
        tsr_type *t = a;
        a = b;
        b = t;
    }
    if (a->width > 16)
        return a;
    if (a->width == 16 && b->width == 16)
        return tsr_type_float(a->ctx, TSR_F32);
    if (a->width == 16) /* f16 does not have the range of f8E8M0FNU */
        return a->sub == TSR_F16 && b->sub == TSR_F8E8M0FNU ? tsr_type_float(a->ctx, TSR_F32) : a;
    return tsr_type_float(a->ctx, TSR_BF16);
}

/* For integers: the wider one; an unsigned one needs one more bit if the other is signed. */
static tsr_type *promote_integers(tsr_type *a, tsr_type *b)
{
    if (a->width == 1 || b->width == 1)
        return a->width == 1 ? b : a;
    bool ua = a->sub == TSR_UNSIGNED, ub = b->sub == TSR_UNSIGNED;
    if (ua == ub)
        return a->width >= b->width ? a : b;
    tsr_type *u = ua ? a : b, *s = ua ? b : a;
    if (s->width > u->width)
        return s;
    static const uint32_t widths[] = {4, 8, 16, 32, 64};
    for (size_t i = 0; i < TSR_COUNT(widths); i++)
        if (widths[i] > u->width)
            return tsr_type_integer(a->ctx, widths[i], TSR_SIGNLESS);
    return NULL;
}

tsr_type *tsr_tessera_promote(tsr_type *a, tsr_type *b)
{
    if (a == b)
        return a;
    if (a->kind == TSR_TYPE_COMPLEX || b->kind == TSR_TYPE_COMPLEX) {
        tsr_type *pa = a->kind == TSR_TYPE_COMPLEX ? a->elem : a,
                 *pb = b->kind == TSR_TYPE_COMPLEX ? b->elem : b;
        tsr_type *part = tsr_tessera_promote(pa, pb);
        return part ? tsr_type_complex(a->ctx, part) : NULL;
    }
    if (is_float(a) && is_float(b))
        return promote_floats(a, b);
    if (is_float(a) && b->kind == TSR_TYPE_INTEGER)
        return a;
    if (is_float(b) && a->kind == TSR_TYPE_INTEGER)
        return b;
    if (a->kind == TSR_TYPE_INTEGER && b->kind == TSR_TYPE_INTEGER)
        return promote_integers(a, b);
    return NULL;
}

/* ---- Written and inferred types ---- */

bool tsr_tessera_agree(tsr_agreement how, const tsr_type *a, const tsr_type *b)
{
    if (a == b)
        return true;
    tsr_type *ea = tsr_type_is_shaped(a) ? a->elem : (tsr_type *)a,
             *eb = tsr_type_is_shaped(b) ? b->elem : (tsr_type *)b;
    if (how == TSR_AGREE_ELEMENT)
        return ea == eb;
    if (ea != eb || !tsr_type_is_shaped(a) || !tsr_type_is_shaped(b))
        return false;
    if (a->kind == TSR_TYPE_UNRANKED_TENSOR || b->kind == TSR_TYPE_UNRANKED_TENSOR)
        return true;
    if (a->kind != b->kind || a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        tsr_tessera_dim da = tsr_tessera_dim_of(a, i), db = tsr_tessera_dim_of(b, i), both;
        if (!tsr_tessera_same_dim(da, db, &both) || (da.name && db.name && da.name != db.name))
            return false;
    }
    return true;
}
