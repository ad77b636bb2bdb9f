/* SPDX-License-Identifier: Apache-2.0 */
/* value.c - attributes as values of the schema and back, by the rows of attrs.def. */
#include "target/flatbuffer/value.h"

#include "asm/reader.h"
#include "dialect/ttcore/ttcore.h"

/* ---- Rows ---- */

#define STRUCT_IS(attribute, type) static const tsr_fb_param params_##attribute[] = {
#define PARAM(name, kind, of) {#name, TSR_FB_AS_##kind, of},
#define END                           \
    {                                 \
        NULL, TSR_FB_AS_NOTHING, NULL \
    }                                 \
    }                                 \
    ;
#include "target/flatbuffer/attrs.def"

typedef struct {
    const tsr_attrdef *def;
    const tsr_fb_type *type;
    const char *words;          /* of an enumeration */
    const tsr_fb_param *params; /* of others */
} pairing;

static const pairing pairings[] = {
#define ENUM_IS(attribute, type, words) {&tsr_def_##attribute, &tsr_fb_##type, words, NULL},
#define STRUCT_IS(attribute, type) {&tsr_def_##attribute, &tsr_fb_##type, NULL, params_##attribute},
#include "target/flatbuffer/attrs.def"
};

static const pairing *pairing_of(const tsr_attrdef *def, const tsr_fb_type *type)
{
    for (size_t i = 0; i < TSR_COUNT(pairings); i++)
        if ((!def || pairings[i].def == def) && (!type || pairings[i].type == type))
            return &pairings[i];
    return NULL;
}

/* Word i of a list. */
static tsr_str word_at(const char *words, int64_t i)
{
    while (i-- > 0 && *words) {
        words += strcspn(words, " ");
        words += *words == ' ';
    }
    return (tsr_str){words, strcspn(words, " ")};
}

int64_t tsr_fb_enum_number(const tsr_fb_type *type, const tsr_attrdef *def, int64_t value)
{
    const pairing *p = type->kind == TSR_FB_ENUM ? pairing_of(def, type) : NULL;
    return p ? tsr_fb_number(type, word_at(p->words, value)) : value;
}

int64_t tsr_fb_enum_case(const tsr_fb_type *type, const tsr_attrdef *def, int64_t number)
{
    const pairing *p = type->kind == TSR_FB_ENUM ? pairing_of(def, type) : NULL;
    for (int64_t i = 0; def->cases[i]; i++)
        if ((p ? tsr_fb_number(type, word_at(p->words, i)) : i) == number)
            return i;
    return -1;
}

tsr_fb_param tsr_fb_form_of(const tsr_constraint *c)
{
    static const struct {
        const char *id;
        tsr_fb_form form;
    } rows[] = {
        {"I32Attr", TSR_FB_AS_I32},
        {"I64Attr", TSR_FB_AS_I64},
        {"SI8Attr", TSR_FB_AS_SI8},
        {"SI32Attr", TSR_FB_AS_SI32},
        {"SI64Attr", TSR_FB_AS_SI64},
        {"UI32Attr", TSR_FB_AS_U32},
        {"BoolAttr", TSR_FB_AS_BOOL},
        {"F32Attr", TSR_FB_AS_F32},
        {"StrAttr", TSR_FB_AS_STRING},
        {"DenseI32Array", TSR_FB_AS_I32S},
        {"DenseI64Array", TSR_FB_AS_I64S},
        {"I32ArrayAttr", TSR_FB_AS_I32_ARRAY},
        {"F32OrI32", TSR_FB_AS_NUMBER},
        {"SI32OrI32s", TSR_FB_AS_SCALE},
        {"TtnnMatmulConfig", TSR_FB_AS_CONFIG},
    };
    if (c->def)
        return (tsr_fb_param){c->id, c->form == TSR_FORM_ENUM ? TSR_FB_AS_ENUM : TSR_FB_AS_STRUCT,
                              c->def};
    for (size_t i = 0; i < TSR_COUNT(rows); i++)
        if (strcmp(c->id, rows[i].id) == 0)
            return (tsr_fb_param){c->id, rows[i].form, NULL};
    return (tsr_fb_param){c->id, TSR_FB_AS_NOTHING, NULL};
}

/* ---- Sequences of numbers: the contents of lists and structs ---- */

typedef struct {
    int64_t i;
    double f;
    const tsr_attr *word; /* a case of an enumeration */
} number;
typedef TSR_VEC(number) number_vec;

static double float_of(const tsr_attr *a)
{
    return tsr_float_to_double((tsr_float_kind)a->type->sub, (uint64_t)a->i);
}

static void flatten(const tsr_attr *a, number_vec *out)
{
    if (!a)
        tsr_vec_push(out, (number){0, 0, NULL});
    else if (a->kind == TSR_ATTR_INT)
        tsr_vec_push(out, (number){a->i, (double)a->i, NULL});
    else if (a->kind == TSR_ATTR_FLOAT)
        tsr_vec_push(out, (number){(int64_t)0, float_of(a), NULL});
    else if (a->kind == TSR_ATTR_ENUM)
        tsr_vec_push(out, (number){a->i, 0, a});
    else if (a->def == &tsr_def_TTCORE_GRID)
        for (size_t i = (size_t)tsr_attr_count(a->attrs[0]); i-- > 0;)
            tsr_vec_push(out, (number){tsr_attr_int_at(a->attrs[0], i), 0, NULL});
    else if (a->kind == TSR_ATTR_ARRAY || a->kind == TSR_ATTR_STRUCT)
        for (uint32_t i = 0; i < a->n; i++)
            flatten(a->attrs[i], out);
    else if (a->kind == TSR_ATTR_DENSE_ARRAY)
        for (int64_t i = 0; i < tsr_attr_count(a); i++) {
            int64_t v = a->type->width == 64 ? tsr_attr_int_at(a, (size_t)i)
                                             : tsr_fb_load(&tsr_fb_i32, a->s.data + 4 * (size_t)i);
            tsr_vec_push(out, (number){v, (double)v, NULL});
        }
}

/* The numbers of an inline type, and their offsets. */
typedef struct {
    const tsr_fb_type *type[8];
    size_t at[8], n;
} leaves;

static void leaves_of(const tsr_fb_type *t, size_t at, leaves *out)
{
    if (t->kind != TSR_FB_STRUCT) {
        out->type[out->n] = t;
        out->at[out->n++] = at;
        return;
    }
    for (const tsr_fb_field *f = t->fields; f->name; f++)
        leaves_of(f->type, at + (size_t)f->value, out);
}

static bool fits(const tsr_fb_type *type, int64_t v)
{
    const tsr_fb_type *t = tsr_fb_base(type);
    char bytes[8];
    tsr_fb_store(t, v, bytes);
    return t->kind == TSR_FB_FLOAT || t->kind == TSR_FB_BOOL || tsr_fb_load(t, bytes) == v;
}

static bool store(tsr_fb_conv *c, const tsr_fb_type *type, const number *n, char *out)
{
    int64_t v = n->word ? tsr_fb_enum_number(type, n->word->def, n->i) : n->i;
    double wide = n->f;
    float narrow = (float)n->f;
    uint32_t half;
    if (n->word && v < 0)
        return tsr_error(c->ctx, c->loc, "the flatbuffer's %s has no %s", type->name,
                         n->word->def->cases[n->i]);
    if (!fits(type, v))
        return tsr_error(c->ctx, c->loc, "%lld does not fit the flatbuffer's %s", (long long)v,
                         type->name);
    if (type->kind == TSR_FB_FLOAT && type->size == 8)
        memcpy(&v, &wide, sizeof v);
    else if (type->kind == TSR_FB_FLOAT) {
        memcpy(&half, &narrow, sizeof half);
        v = half;
    }
    tsr_fb_store(type, v, out);
    return true;
}

static bool stored(tsr_fb_conv *c, const tsr_fb_type *type, const number_vec *v, tsr_str *out)
{
    leaves in = {.n = 0};
    leaves_of(type, 0, &in);
    if (v->n % in.n)
        return tsr_error(c->ctx, c->loc, "%zu numbers are no list of the flatbuffer's %s", v->n,
                         type->name);
    size_t count = v->n / in.n;
    char *bytes = tsr_arena_zalloc(c->arena, count * type->size + 1);
    *out = (tsr_str){bytes, count * type->size};
    for (size_t i = 0; i < v->n; i++)
        TSR_TRY(store(c, in.type[i % in.n], &v->data[i],
                      bytes + i / in.n * type->size + in.at[i % in.n]));
    return true;
}

static bool inline_bytes(tsr_fb_conv *c, const tsr_fb_type *type, const tsr_attr *a, tsr_str *out)
{
    number_vec v = {0};
    flatten(a, &v);
    bool ok = stored(c, type, &v, out);
    tsr_vec_free(&v);
    return ok;
}

/* ---- Attributes to values ---- */

static bool refuse(tsr_fb_conv *c, const tsr_attr *a, const tsr_fb_field *f)
{
    tsr_buf text = {0};
    c->ctx->print_attr(c->ctx, &text, a);
    tsr_error(c->ctx, c->loc, "%.*s is no value of the flatbuffer's field %s",
              (int)(text.len < 100 ? text.len : 100), text.data, f->name);
    tsr_buf_free(&text);
    return false;
}

static bool scalar(tsr_fb_conv *c, const tsr_attr *a, const tsr_fb_field *f, tsr_fb_value *out)
{
    char bytes[8];
    number_vec v = {0};
    flatten(a, &v);
    bool ok = v.n == 1 ? store(c, f->type, &v.data[0], bytes) : refuse(c, a, f);
    tsr_vec_free(&v);
    if (!ok)
        return false;
    if (f->type->kind == TSR_FB_FLOAT)
        out->f = tsr_fb_load_float(f->type, bytes);
    else
        out->i = tsr_fb_load(f->type, bytes);
    return true;
}

/* The only field of a case that can hold a number or a list of numbers; NULL: there is not exactly one, or it does not
 * fit. */
static const tsr_fb_field *only_field(const tsr_fb_type *table, const tsr_attr *a)
{
    const tsr_fb_field *f = table->fields;
    if (!f[0].name || f[1].name || (f->how != TSR_FB_LIST && !tsr_fb_is_scalar(f->type)))
        return NULL;
    bool list = a->kind == TSR_ATTR_DENSE_ARRAY || a->kind == TSR_ATTR_ARRAY;
    bool real = f->type->kind == TSR_FB_FLOAT;
    return list == (f->how == TSR_FB_LIST) && (list || real == (a->kind == TSR_ATTR_FLOAT)) ? f
                                                                                            : NULL;
}

static bool union_case(tsr_fb_conv *c, const tsr_attr *a, const tsr_fb_field *f, tsr_fb_value *out)
{
    for (const tsr_fb_field *k = f->type->fields; k->name; k++) {
        const tsr_fb_field *one = only_field(k->type, a);
        out->tag = (uint8_t)(k - f->type->fields + 1);
        if (a->kind == TSR_ATTR_STRUCT && pairing_of(a->def, k->type))
            return tsr_fb_of_struct(c, a, &out->table);
        if (!one || a->kind == TSR_ATTR_STRUCT)
            continue;
        out->table = tsr_fb_table_new(c->arena, k->type);
        return tsr_fb_of_attr(c, a, one, &out->table->fields[0]);
    }
    return refuse(c, a, f);
}

static bool tables(tsr_fb_conv *c, const tsr_attr *a, tsr_fb_value *out)
{
    out->items = TSR_NEW_ARRAY(c->arena, tsr_fb_value, a->n + 1);
    out->n = a->n;
    for (uint32_t i = 0; i < a->n; i++) {
        out->items[i].set = true;
        TSR_TRY(tsr_fb_of_struct(c, a->attrs[i], &out->items[i].table));
    }
    return true;
}

bool tsr_fb_of_attr(tsr_fb_conv *c, const tsr_attr *a, const tsr_fb_field *f, tsr_fb_value *out)
{
    out->set = true;
    if (f->type->kind == TSR_FB_STRING && f->how != TSR_FB_LIST) {
        out->s = a->s;
        return a->kind == TSR_ATTR_STRING || a->kind == TSR_ATTR_SYMBOL || refuse(c, a, f);
    }
    if (f->how == TSR_FB_LIST && f->type->kind == TSR_FB_TABLE)
        return a->kind == TSR_ATTR_ARRAY ? tables(c, a, out) : refuse(c, a, f);
    if (f->how == TSR_FB_LIST || f->type->kind == TSR_FB_STRUCT)
        return tsr_fb_is_inline(f->type) ? inline_bytes(c, f->type, a, &out->s) : refuse(c, a, f);
    if (tsr_fb_is_scalar(f->type))
        return scalar(c, a, f, out);
    if (f->type->kind == TSR_FB_UNION)
        return union_case(c, a, f, out);
    return tsr_fb_of_struct(c, a, &out->table) && (out->table->type == f->type || refuse(c, a, f));
}

bool tsr_fb_of_struct(tsr_fb_conv *c, const tsr_attr *a, tsr_fb_table **out)
{
    const pairing *p = a->kind == TSR_ATTR_STRUCT ? pairing_of(a->def, NULL) : NULL;
    if (!p || p->type->kind != TSR_FB_TABLE)
        return tsr_error(c->ctx, c->loc, "#%s is in no flatbuffer", a->def ? a->def->name : "?");
    *out = tsr_fb_table_new(c->arena, p->type);
    for (uint32_t i = 0; i < a->n; i++) {
        const char *name = p->params[i].field;
        const tsr_fb_field *f =
            &p->type->fields[tsr_fb_find(p->type, (tsr_str){name, strlen(name)})];
        if (a->attrs[i])
            TSR_TRY(tsr_fb_of_attr(c, a->attrs[i], f, &(*out)->fields[f - p->type->fields]));
    }
    return true;
}

/* ---- Values to attributes ---- */

/* The numbers of a list, a structure or one number. */
static void numbers_of(const tsr_fb_field *f, const tsr_fb_value *v, number_vec *out)
{
    leaves in = {.n = 0};
    if (f->how != TSR_FB_LIST && tsr_fb_is_scalar(f->type)) {
        bool real = f->type->kind == TSR_FB_FLOAT;
        int64_t i = !real ? v->i : v->f >= -9e18 && v->f <= 9e18 ? (int64_t)v->f : 0;
        tsr_vec_push(out, (number){i, real ? v->f : (double)i, NULL});
        return;
    }
    leaves_of(f->type, 0, &in);
    for (size_t at = 0; at < v->s.len; at += f->type->size)
        for (size_t i = 0; i < in.n; i++) {
            const char *p = v->s.data + at + in.at[i];
            bool real = in.type[i]->kind == TSR_FB_FLOAT;
            double d = real ? tsr_fb_load_float(in.type[i], p) : 0;
            tsr_vec_push(out, (number){real ? 0 : tsr_fb_load(in.type[i], p), d, NULL});
        }
}

static tsr_type *int_type(tsr_ctx *ctx, tsr_fb_form form)
{
    uint32_t width = form == TSR_FB_AS_I8 || form == TSR_FB_AS_SI8     ? 8
                     : form == TSR_FB_AS_I64 || form == TSR_FB_AS_SI64 ? 64
                                                                       : 32;
    tsr_signedness sign = form == TSR_FB_AS_SI8 || form == TSR_FB_AS_SI32 || form == TSR_FB_AS_SI64
                              ? TSR_SIGNED
                          : form == TSR_FB_AS_U32 || form == TSR_FB_AS_U32_ARRAY ? TSR_UNSIGNED
                                                                                 : TSR_SIGNLESS;
    return tsr_type_integer(ctx, width, sign);
}

/* n numbers as array<i64: ...> or array<i32: ...>. */
static tsr_attr *dense(tsr_ctx *ctx, const number *v, size_t n, bool wide)
{
    tsr_buf bytes = {0};
    for (size_t i = 0; i < n; i++) {
        char one[8];
        const tsr_fb_type *type = wide ? &tsr_fb_i64 : &tsr_fb_i32;
        tsr_fb_store(type, v[i].i, one);
        tsr_buf_str(&bytes, (tsr_str){one, type->size});
    }
    tsr_attr *a = tsr_attr_dense_array(ctx, wide ? ctx->i64 : ctx->i32, bytes.data, n);
    tsr_buf_free(&bytes);
    return a;
}

static tsr_attr *wrong(tsr_fb_conv *c, const tsr_fb_field *f)
{
    tsr_error(c->ctx, c->loc, "the value of field %s is none of its attribute's", f->name);
    return NULL;
}

static tsr_attr *case_attr(tsr_fb_conv *c, const tsr_fb_field *f, const tsr_fb_type *type,
                           const tsr_attrdef *def, int64_t v)
{
    int64_t i = tsr_fb_enum_case(type, def, v);
    return i < 0 ? wrong(c, f) : tsr_attr_enum(c->ctx, def, i);
}

/* An attribute from so many of the numbers at *at; advances *at. */
static tsr_attr *of_numbers(tsr_fb_conv *c, const tsr_fb_param *as, const tsr_fb_field *f,
                            const number_vec *v, size_t *at);

/* A struct attribute from a struct: one parameter after the other. */
static tsr_attr *flat_struct(tsr_fb_conv *c, const tsr_attrdef *def, const tsr_fb_field *f,
                             const number_vec *v, size_t *at)
{
    const pairing *p = pairing_of(def, NULL);
    tsr_attr *params[8] = {NULL};
    static const tsr_fb_param all = {"", TSR_FB_AS_I64S, NULL};
    if (!p) { /* one list: #ttnn.shape */
        params[0] = of_numbers(c, &all, f, v, at);
        return params[0] ? tsr_attr_struct(c->ctx, def, params) : NULL;
    }
    for (size_t i = 0; p->params && p->params[i].field; i++)
        if (!(params[i] = of_numbers(c, &p->params[i], f, v, at)))
            return NULL;
    return tsr_attr_struct(c->ctx, def, params);
}

static tsr_attr *grid(tsr_fb_conv *c, const number *v)
{
    int64_t yx[] = {v[1].i, v[0].i};
    tsr_attr *params[] = {tsr_attr_i64_array(c->ctx, yx, 2), NULL, NULL};
    return tsr_attr_struct(c->ctx, &tsr_def_TTCORE_GRID, params);
}

/* Enumerations in structures and lists of numbers. */
static const tsr_fb_type *enum_type(const tsr_fb_field *f, const tsr_attrdef *def)
{
    const pairing *p = pairing_of(def, NULL);
    return p && f->type->kind == TSR_FB_STRUCT ? p->type : f->type;
}

static tsr_attr *of_numbers(tsr_fb_conv *c, const tsr_fb_param *as, const tsr_fb_field *f,
                            const number_vec *v, size_t *at)
{
    size_t left = v->n - *at, n = as->form == TSR_FB_AS_I64S     ? left
                                  : as->form == TSR_FB_AS_I32S   ? left
                                  : as->form == TSR_FB_AS_TRIPLE ? 3
                                  : as->form == TSR_FB_AS_QUADS  ? 4
                                  : as->form == TSR_FB_AS_PAIR || as->form == TSR_FB_AS_PAIRS ||
                                          as->form == TSR_FB_AS_GRID
                                      ? 2
                                      : 1;
    if (as->form == TSR_FB_AS_STRUCT || as->form == TSR_FB_AS_STRUCT_ARRAY)
        return flat_struct(c, as->def, f, v, at);
    if (n > left)
        return wrong(c, f);
    const number *x = TSR_FROM(v->data, *at);
    *at += n;
    switch (as->form) {
    case TSR_FB_AS_BOOL: return tsr_attr_bool(c->ctx, x->i != 0);
    case TSR_FB_AS_F32:
    case TSR_FB_AS_F32_ARRAY: return tsr_attr_float(c->ctx, tsr_type_float(c->ctx, TSR_F32), x->f);
    case TSR_FB_AS_ENUM:
    case TSR_FB_AS_ENUM_ARRAY: return case_attr(c, f, enum_type(f, as->def), as->def, x->i);
    case TSR_FB_AS_GRID: return grid(c, x);
    case TSR_FB_AS_I32S: return dense(c->ctx, x, n, false);
    case TSR_FB_AS_I64S:
    case TSR_FB_AS_PAIR:
    case TSR_FB_AS_TRIPLE:
    case TSR_FB_AS_PAIRS:
    case TSR_FB_AS_QUADS: return dense(c->ctx, x, n, true);
    default: return tsr_attr_int(c->ctx, int_type(c->ctx, as->form), x->i);
    }
}

static bool is_array(tsr_fb_form form)
{
    return form >= TSR_FB_AS_I32_ARRAY && form <= TSR_FB_AS_QUADS;
}

/* The remaining numbers as an array of attributes, or as one attribute. */
static tsr_attr *numbers_attr(tsr_fb_conv *c, const tsr_fb_param *as, const tsr_fb_field *f,
                              const number_vec *v)
{
    TSR_VEC(tsr_attr *) items = {0};
    size_t at = 0;
    tsr_attr *a = NULL;
    if (!is_array(as->form)) {
        a = of_numbers(c, as, f, v, &at);
        return a && at != v->n ? wrong(c, f) : a;
    }
    while (at < v->n && (a = of_numbers(c, as, f, v, &at)))
        tsr_vec_push(&items, a);
    a = at < v->n || (v->n && !a) ? NULL : tsr_attr_array(c->ctx, items.data, items.n);
    tsr_vec_free(&items);
    return a;
}

static tsr_attr *list_of_tables(tsr_fb_conv *c, const tsr_fb_param *as, const tsr_fb_value *v)
{
    TSR_VEC(tsr_attr *) items = {0};
    tsr_attr *a = NULL;
    for (size_t i = 0; i < v->n && (a = tsr_fb_struct_attr(c, as->def, v->items[i].table)); i++)
        tsr_vec_push(&items, a);
    a = items.n < v->n ? NULL : tsr_attr_array(c->ctx, items.data, items.n);
    tsr_vec_free(&items);
    return a;
}

/* The attribute of a union's case: of the table, or of its only field. */
static tsr_attr *case_value(tsr_fb_conv *c, const tsr_fb_param *as, const tsr_fb_field *f,
                            const tsr_fb_value *v)
{
    const tsr_fb_table *t = v->table;
    const tsr_fb_field *one = t->type->fields;
    const pairing *p = pairing_of(NULL, t->type);
    if (as->form == TSR_FB_AS_CONFIG)
        return p ? tsr_fb_struct_attr(c, p->def, t) : wrong(c, f);
    if (!one->name)
        return wrong(c, f);
    tsr_fb_value value = t->fields[0];
    tsr_fb_param inner = {one->name,
                          one->how == TSR_FB_LIST           ? TSR_FB_AS_I32S
                          : one->type->kind == TSR_FB_FLOAT ? TSR_FB_AS_F32
                          : as->form == TSR_FB_AS_SCALE     ? TSR_FB_AS_SI32
                                                            : TSR_FB_AS_I32,
                          NULL};
    if (!tsr_fb_is_inline(one->type))
        return wrong(c, f);
    if (!value.set && one->how == TSR_FB_LIST)
        value.s = (tsr_str){"", 0};
    return tsr_fb_attr(c, &inner, one, &value);
}

tsr_attr *tsr_fb_attr(tsr_fb_conv *c, const tsr_fb_param *as, const tsr_fb_field *f,
                      const tsr_fb_value *v)
{
    if (f->type->kind == TSR_FB_STRING && f->how != TSR_FB_LIST)
        return as->form == TSR_FB_AS_STRING ? tsr_attr_string(c->ctx, v->s) : wrong(c, f);
    if (f->type->kind == TSR_FB_UNION && f->how != TSR_FB_LIST)
        return case_value(c, as, f, v);
    if (f->type->kind == TSR_FB_TABLE)
        return !as->def                ? wrong(c, f)
               : f->how == TSR_FB_LIST ? list_of_tables(c, as, v)
                                       : tsr_fb_struct_attr(c, as->def, v->table);
    if (!tsr_fb_is_inline(f->type) || as->form == TSR_FB_AS_NOTHING)
        return wrong(c, f);
    number_vec numbers = {0};
    numbers_of(f, v, &numbers);
    tsr_attr *a = numbers_attr(c, as, f, &numbers);
    tsr_vec_free(&numbers);
    return a;
}

tsr_attr *tsr_fb_struct_attr(tsr_fb_conv *c, const tsr_attrdef *def, const tsr_fb_table *t)
{
    const pairing *p = pairing_of(def, t->type);
    tsr_attr *params[32] = {NULL};
    tsr_assert(p && def->nparam <= TSR_COUNT(params), "#%s is not %s", def->name, t->type->name);
    for (size_t i = 0; p->params[i].field; i++) {
        const char *name = p->params[i].field;
        int k = tsr_fb_find(t->type, (tsr_str){name, strlen(name)});
        const tsr_fb_field *f = &t->type->fields[k];
        tsr_fb_value v = t->fields[k], standard = {.i = (int64_t)f->value, .set = true};
        if (!v.set && f->how == TSR_FB_ONE && tsr_fb_is_scalar(f->type))
            v = standard;
        if (v.set && !(params[i] = tsr_fb_attr(c, &p->params[i], f, &v)))
            return NULL;
    }
    return tsr_attr_struct(c->ctx, def, params);
}

bool tsr_fb_sound(tsr_fb_conv *c, tsr_attr *a)
{
    tsr_ctx *ctx = c->ctx;
    bool quiet = ctx->quiet;
    uint32_t nerror = ctx->nerror;
    tsr_buf text = {0}, again = {0};
    tsr_reader r;
    TSR_MAP_EACH (&c->sound, tsr_hash_ptr(a), found) {
        if (found == a)
            return true;
    }
    ctx->print_attr(ctx, &text, a);
    ctx->quiet = true;
    tsr_reader_init(&r, ctx, NULL, tsr_buf_text(&text), TSR_STR("flatbuffer"), 1);
    tsr_attr *back = tsr_read_attr(&r, NULL);
    tsr_reader_free(&r);
    if (back)
        ctx->print_attr(ctx, &again, back);
    bool same = back && tsr_str_eq(tsr_buf_text(&text), tsr_buf_text(&again));
    tsr_buf_free(&again);
    ctx->quiet = quiet;
    ctx->nerror = nerror;
    tsr_buf_free(&text);
    if (same)
        tsr_map_put(&c->sound, tsr_hash_ptr(a), a);
    return same || tsr_error(ctx, c->loc, "values of the flatbuffer make no #%s",
                             a->def ? a->def->name : "attribute");
}
