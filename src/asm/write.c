/* SPDX-License-Identifier: Apache-2.0 */
/* write.c - types, attributes and locations to text. */

#include "base/char.h"
#include "asm/writer.h"
#include "base/float.h"

/* Whether an attribute is written with its type. */
enum { ELIDE_NEVER, ELIDE_MAY, ELIDE_MUST };

static const char *const float_names[] = {
#define FLOAT(id, name, ...) name,
#include "base/float.def"
};

static void put(tsr_writer *w, const char *s)
{
    tsr_buf_cstr(w->out, s);
}

static void comma(tsr_writer *w, size_t i)
{
    if (i)
        tsr_buf_str(w->out, TSR_STR(", "));
}

/* ---- Names ---- */

static bool is_bare(tsr_str s)
{
    if (!s.len || (!tsr_is_alpha(s.data[0]) && s.data[0] != '_'))
        return false;
    for (size_t i = 1; i < s.len; i++) {
        unsigned char c = (unsigned char)s.data[i];
        if (!tsr_is_alnum(c) && c != '_' && c != '$' && c != '.')
            return false;
    }
    return true;
}

void tsr_write_name(tsr_buf *out, tsr_str name)
{
    if (is_bare(name))
        tsr_buf_str(out, name);
    else
        tsr_buf_quoted(out, name);
}

void tsr_write_symbol_name(tsr_buf *out, tsr_str name)
{
    tsr_buf_char(out, '@');
    tsr_write_name(out, name);
}

/* ---- Types ---- */

static void write_dims(tsr_writer *w, const tsr_type *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        bool scalable = t->kind == TSR_TYPE_VECTOR && t->attr && t->attr->s.data[i];
        if (scalable)
            tsr_buf_char(w->out, '[');
        if (t->dims[i] == TSR_DYNAMIC)
            tsr_buf_char(w->out, '?');
        else
            tsr_buf_int(w->out, t->dims[i]);
        if (scalable)
            tsr_buf_char(w->out, ']');
        tsr_buf_char(w->out, 'x');
    }
}

static void write_shaped(tsr_writer *w, const tsr_type *t, const char *name)
{
    put(w, name);
    if (t->kind == TSR_TYPE_UNRANKED_TENSOR || t->kind == TSR_TYPE_UNRANKED_MEMREF)
        put(w, "*x");
    else
        write_dims(w, t);
    tsr_write_type(w, t->elem);
    if (t->attr && t->kind != TSR_TYPE_VECTOR) {
        put(w, ", ");
        tsr_write_attr(w, t->attr);
    }
    if (t->space) {
        put(w, ", ");
        tsr_write_attr_in_list(w, t->space);
    }
    tsr_buf_char(w->out, '>');
}

static void write_type_list(tsr_writer *w, tsr_type *const *types, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        comma(w, i);
        tsr_write_type(w, types[i]);
    }
}

static void write_function(tsr_writer *w, const tsr_type *t)
{
    tsr_buf_char(w->out, '(');
    write_type_list(w, t->types, t->n);
    put(w, ") -> ");
    bool parens = t->nout != 1 || t->types[t->n]->kind == TSR_TYPE_FUNCTION;
    if (parens)
        tsr_buf_char(w->out, '(');
    write_type_list(w, t->types + t->n, t->nout);
    if (parens)
        tsr_buf_char(w->out, ')');
}

/* A NUL can only be in a string, where it has an escaped form: in bytecode it would end the text. */
static void write_raw(tsr_writer *w, tsr_str text)
{
    for (const char *nul; text.len && (nul = memchr(text.data, 0, text.len));) {
        size_t n = (size_t)(nul - text.data);
        tsr_buf_str(w->out, tsr_str_of(text.data, n));
        put(w, "\\00");
        text = tsr_str_of(nul + 1, text.len - n - 1);
    }
    tsr_buf_str(w->out, text);
}

static void write_parts(tsr_writer *w, const tsr_part *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (parts[i].attr)
            tsr_write_attr(w, parts[i].attr);
        else if (parts[i].type)
            tsr_write_type(w, parts[i].type);
        else
            write_raw(w, parts[i].text);
    }
}

/* #dialect.name<...> or !dialect.name<...> */
static void write_struct(tsr_writer *w, char sigil, const tsr_attrdef *def, tsr_attr **params)
{
    tsr_asm a = {.ctx = w->ctx, .module = w->module, .out = w};
    const char *dot = strchr(def->name, '.');
    tsr_buf_char(w->out, sigil);
    if (def->flags & TSR_DEF_ANGLE) {
        tsr_buf_str(w->out, (tsr_str){def->name, (size_t)(dot - def->name)});
        tsr_buf_char(w->out, '<');
        put(w, dot + 1);
    } else {
        put(w, def->name);
    }
    (void)!def->assembly(&a, params);
    if (def->flags & TSR_DEF_ANGLE)
        tsr_buf_char(w->out, '>');
}

void tsr_write_type_body(tsr_writer *w, const tsr_type *t)
{
    switch ((tsr_type_kind)t->kind) {
    case TSR_TYPE_INTEGER:
        put(w, t->sub == TSR_SIGNED ? "si" : t->sub == TSR_UNSIGNED ? "ui" : "i");
        tsr_buf_uint(w->out, t->width);
        break;
    case TSR_TYPE_FLOAT: put(w, float_names[t->sub]); break;
    case TSR_TYPE_INDEX: put(w, "index"); break;
    case TSR_TYPE_NONE: put(w, "none"); break;
    case TSR_TYPE_COMPLEX:
        put(w, "complex<");
        tsr_write_type(w, t->elem);
        tsr_buf_char(w->out, '>');
        break;
    case TSR_TYPE_VECTOR: write_shaped(w, t, "vector<"); break;
    case TSR_TYPE_TENSOR:
    case TSR_TYPE_UNRANKED_TENSOR: write_shaped(w, t, "tensor<"); break;
    case TSR_TYPE_MEMREF:
    case TSR_TYPE_UNRANKED_MEMREF: write_shaped(w, t, "memref<"); break;
    case TSR_TYPE_TUPLE:
        put(w, "tuple<");
        write_type_list(w, t->types, t->n);
        tsr_buf_char(w->out, '>');
        break;
    case TSR_TYPE_FUNCTION: write_function(w, t); break;
    case TSR_TYPE_DIALECT: write_struct(w, '!', t->def, t->params); break;
    case TSR_TYPE_OPAQUE:
        tsr_buf_char(w->out, '!');
        tsr_buf_str(w->out, t->name->str);
        write_parts(w, t->parts, t->nout);
        break;
    }
}

void tsr_write_type(tsr_writer *w, const tsr_type *t)
{
    if (!t) {
        put(w, "<<NULL TYPE>>");
        return;
    }
    if (t->text.data) {
        tsr_buf_str(w->out, t->text);
        return;
    }
    if (t->aliased) {
        if (!tsr_write_alias(w, t, true))
            tsr_write_type_body(w, t);
        return;
    }
    size_t start = w->out->len;
    tsr_write_type_body(w, t);
    size_t n = w->out->len - start;
    /* The text is a cache: the type itself does not change. */
    ((tsr_type *)t)->text = (tsr_str){tsr_arena_copy(&t->ctx->arena, w->out->data + start, n), n};
}

/* ---- Affine expressions ---- */

static void write_expr(tsr_writer *w, const tsr_affine *e, bool strong);

static void write_binary(tsr_writer *w, const tsr_affine *e, bool strong)
{
    static const char *const spelling[] = {[TSR_AFFINE_MUL] = " * ",
                                           [TSR_AFFINE_MOD] = " mod ",
                                           [TSR_AFFINE_FLOORDIV] = " floordiv ",
                                           [TSR_AFFINE_CEILDIV] = " ceildiv "};
    if (strong)
        tsr_buf_char(w->out, '(');
    const tsr_affine *l = e->lhs, *r = e->rhs;
    bool product = r->kind == TSR_AFFINE_MUL && r->rhs->kind == TSR_AFFINE_CONST &&
                   r->rhs->value < 0 && r->rhs->value != INT64_MIN;
    if (e->kind != TSR_AFFINE_ADD) {
        if (e->kind == TSR_AFFINE_MUL && r->kind == TSR_AFFINE_CONST && r->value == -1) {
            tsr_buf_char(w->out, '-');
            write_expr(w, l, true);
        } else {
            write_expr(w, l, true);
            put(w, spelling[e->kind]);
            write_expr(w, r, true);
        }
    } else if (product && r->rhs->value == -1) {
        write_expr(w, l, false);
        put(w, " - ");
        write_expr(w, r->lhs, r->lhs->kind == TSR_AFFINE_ADD);
    } else if (product) {
        write_expr(w, l, false);
        put(w, " - ");
        write_expr(w, r->lhs, true);
        put(w, " * ");
        tsr_buf_int(w->out, -r->rhs->value);
    } else if (r->kind == TSR_AFFINE_CONST && r->value < 0 && r->value != INT64_MIN) {
        write_expr(w, l, false);
        put(w, " - ");
        tsr_buf_int(w->out, -r->value);
    } else {
        write_expr(w, l, false);
        put(w, " + ");
        write_expr(w, r, false);
    }
    if (strong)
        tsr_buf_char(w->out, ')');
}

static void write_expr(tsr_writer *w, const tsr_affine *e, bool strong)
{
    switch (e->kind) {
    case TSR_AFFINE_CONST: tsr_buf_int(w->out, e->value); break;
    case TSR_AFFINE_DIM:
        tsr_buf_char(w->out, 'd');
        tsr_buf_int(w->out, e->value);
        break;
    case TSR_AFFINE_SYM:
        tsr_buf_char(w->out, 's');
        tsr_buf_int(w->out, e->value);
        break;
    default: write_binary(w, e, strong);
    }
}

static void write_ids(tsr_writer *w, char letter, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        comma(w, i);
        tsr_buf_char(w->out, letter);
        tsr_buf_uint(w->out, i);
    }
}

void tsr_write_bare_affine(tsr_writer *w, const tsr_attr *a)
{
    bool set = a->kind == TSR_ATTR_INTEGER_SET;
    uint32_t dims = (uint32_t)(a->i >> 32), syms = (uint32_t)a->i;
    tsr_buf_char(w->out, '(');
    write_ids(w, 'd', dims);
    tsr_buf_char(w->out, ')');
    if (syms) {
        tsr_buf_char(w->out, '[');
        write_ids(w, 's', syms);
        tsr_buf_char(w->out, ']');
    }
    put(w, set ? " : (" : " -> (");
    for (uint32_t i = 0; i < a->n; i++) {
        comma(w, i);
        write_expr(w, a->exprs[i], false);
        if (set)
            put(w, a->eqs[i] ? " == 0" : " >= 0");
    }
    tsr_buf_char(w->out, ')');
}

void tsr_write_affine(tsr_writer *w, const tsr_attr *a)
{
    put(w, a->kind == TSR_ATTR_INTEGER_SET ? "affine_set<" : "affine_map<");
    tsr_write_bare_affine(w, a);
    tsr_buf_char(w->out, '>');
}

/* ---- Locations ---- */

static void write_loc_body(tsr_writer *w, const tsr_attr *a);

static void write_inner_loc(tsr_writer *w, const tsr_attr *a)
{
    if (!tsr_write_alias(w, a, false))
        write_loc_body(w, a);
}

static void write_loc_body(tsr_writer *w, const tsr_attr *a)
{
    switch ((tsr_loc_kind)a->sub) {
    case TSR_LOC_KIND_UNKNOWN: put(w, "unknown"); break;
    case TSR_LOC_KIND_FILE:
        tsr_buf_quoted(w->out, a->s);
        tsr_buf_char(w->out, ':');
        tsr_buf_int(w->out, a->ints[0]);
        tsr_buf_char(w->out, ':');
        tsr_buf_int(w->out, a->ints[1]);
        if (a->n > 2) {
            put(w, " to ");
            if (a->n > 3)
                tsr_buf_int(w->out, a->ints[2]);
            tsr_buf_char(w->out, ':');
            tsr_buf_int(w->out, a->ints[a->n - 1]);
        }
        break;
    case TSR_LOC_KIND_NAME:
        tsr_buf_quoted(w->out, a->s);
        if (a->attrs[0] && a->attrs[0]->sub != TSR_LOC_KIND_UNKNOWN) {
            tsr_buf_char(w->out, '(');
            write_inner_loc(w, a->attrs[0]);
            tsr_buf_char(w->out, ')');
        }
        break;
    case TSR_LOC_KIND_CALLSITE:
        put(w, "callsite(");
        write_inner_loc(w, a->attrs[0]);
        put(w, " at ");
        write_inner_loc(w, a->attrs[1]);
        tsr_buf_char(w->out, ')');
        break;
    case TSR_LOC_KIND_FUSED:
        put(w, "fused");
        if (a->attrs[a->n]) {
            tsr_buf_char(w->out, '<');
            tsr_write_attr(w, a->attrs[a->n]);
            tsr_buf_char(w->out, '>');
        }
        tsr_buf_char(w->out, '[');
        for (uint32_t i = 0; i < a->n; i++) {
            comma(w, i);
            write_inner_loc(w, a->attrs[i]);
        }
        tsr_buf_char(w->out, ']');
        break;
    }
}

void tsr_write_loc(tsr_writer *w, tsr_loc loc, bool alias)
{
    const tsr_attr *a = tsr_loc_attr(w->ctx, loc);
    put(w, "loc(");
    if (alias || w->collecting)
        write_inner_loc(w, a);
    else
        write_loc_body(w, a);
    tsr_buf_char(w->out, ')');
}

void tsr_write_arg_loc(tsr_writer *w, tsr_loc loc)
{
    bool deferring = w->deferring;
    w->deferring = false;
    tsr_write_loc(w, loc, false);
    w->deferring = deferring;
}

/* ---- Attributes ---- */

static void write_wide_int(tsr_writer *w, const tsr_attr *a)
{
    /* Decimal, by repeated division; such integers are rare and short. */
    size_t n = a->s.len;
    uint8_t *bytes = tsr_xmalloc(n);
    memcpy(bytes, a->s.data, n);
    bool negative = a->type->sub != TSR_UNSIGNED && bytes[n - 1] >> ((a->type->width - 1) % 8) & 1;
    if (negative) {
        unsigned carry = 1;
        for (size_t i = 0; i < n; i++) {
            carry += (uint8_t)~bytes[i];
            bytes[i] = (uint8_t)carry;
            carry >>= 8;
        }
        if (a->type->width % 8)
            bytes[n - 1] &= (uint8_t)((1u << a->type->width % 8) - 1);
        tsr_buf_char(w->out, '-');
    }
    tsr_buf digits = {0};
    bool more = true;
    while (more) {
        unsigned rest = 0;
        more = false;
        for (size_t i = n; i-- > 0;) {
            rest = rest << 8 | bytes[i];
            bytes[i] = (uint8_t)(rest / 10);
            rest %= 10;
            more |= bytes[i] != 0;
        }
        tsr_buf_char(&digits, (char)('0' + rest));
    }
    while (digits.len)
        tsr_buf_char(w->out, digits.data[--digits.len]);
    tsr_buf_free(&digits);
    tsr_free(bytes);
}

static void write_int(tsr_writer *w, const tsr_attr *a)
{
    if (a->type->kind == TSR_TYPE_INTEGER && a->type->width > 64)
        write_wide_int(w, a);
    else if (a->type->sub == TSR_UNSIGNED && a->type->kind == TSR_TYPE_INTEGER)
        tsr_buf_uint(w->out, (uint64_t)a->i);
    else
        tsr_buf_int(w->out, a->i);
}

void tsr_write_dict_entries(tsr_writer *w, const tsr_named *named, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        comma(w, i);
        tsr_write_name(w->out, named[i].name->str);
        if (named[i].value->kind == TSR_ATTR_UNIT)
            continue;
        put(w, " = ");
        tsr_write_attr(w, named[i].value);
    }
}

static void write_type_suffix(tsr_writer *w, const tsr_type *t, int elision)
{
    if (elision == ELIDE_MUST || !t || t->kind == TSR_TYPE_NONE)
        return;
    put(w, " : ");
    tsr_write_type(w, t);
}

static void write_strided(tsr_writer *w, const tsr_attr *a)
{
    uint32_t rank = a->n - 1; /* the offset comes last */
    put(w, "strided<[");
    for (uint32_t i = 0; i <= rank; i++) {
        if (i == rank) {
            tsr_buf_char(w->out, ']');
            if (a->ints[i] == 0)
                break;
            put(w, ", offset: ");
        } else {
            comma(w, i);
        }
        if (a->ints[i] == TSR_DYNAMIC)
            tsr_buf_char(w->out, '?');
        else
            tsr_buf_int(w->out, a->ints[i]);
    }
    tsr_buf_char(w->out, '>');
}

static void write_enum(tsr_writer *w, const tsr_attr *a)
{
    const char *dot = strchr(a->def->name, '.');
    tsr_buf_char(w->out, '#');
    if (a->def->flags & TSR_DEF_ANGLE) {
        tsr_buf_str(w->out, (tsr_str){a->def->name, (size_t)(dot - a->def->name)});
        tsr_buf_char(w->out, '<');
        put(w, dot + 1);
        tsr_buf_char(w->out, ' ');
    } else {
        put(w, a->def->name);
        tsr_buf_char(w->out, '<');
    }
    put(w, a->def->cases[a->i]);
    tsr_buf_char(w->out, '>');
}

static void write_string_elements(tsr_writer *w, const tsr_attr *a)
{
    /* Nested lists of strings: one for a splat, or all of them. */
    if (a->n == 1) {
        tsr_buf_quoted(w->out, a->attrs[0]->s);
        return;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        int64_t block = 1;
        comma(w, i);
        for (uint32_t d = a->type->n; d-- > 0;)
            if ((int64_t)i % (block *= a->type->dims[d]) == 0)
                tsr_buf_char(w->out, '[');
        tsr_buf_quoted(w->out, a->attrs[i]->s);
        block = 1;
        for (uint32_t d = a->type->n; d-- > 0;)
            if (((int64_t)i + 1) % (block *= a->type->dims[d]) == 0)
                tsr_buf_char(w->out, ']');
    }
}

/* Distinct attributes are numbered as they are written. */
static uint64_t distinct_number(tsr_writer *w, const tsr_attr *a)
{
    if (!w->distincts || w->collecting)
        return (uint64_t)a->i;
    for (uint32_t i = 0; i < w->distincts->n; i++)
        if (w->distincts->data[i] == a)
            return i;
    tsr_vec_push(w->distincts, a);
    return w->distincts->n - 1;
}

static void write_number(tsr_writer *w, const tsr_attr *a, int elision)
{
    size_t digits = w->out->len;
    if (tsr_type_is_integer(a->type, 1)) {
        put(w, a->i ? "true" : "false");
    } else if (a->kind == TSR_ATTR_INT) {
        write_int(w, a);
        if (elision != ELIDE_MAY || a->type != w->ctx->i64)
            write_type_suffix(w, a->type, elision);
    } else {
        /* Without its type, a number in hex would be read as an integer. */
        tsr_buf_float(w->out, (tsr_float_kind)a->type->sub, (uint64_t)a->i);
        if (elision != ELIDE_MAY || a->type->sub != TSR_F64 ||
            (w->out->len > digits + 1 && w->out->data[digits + 1] == 'x'))
            write_type_suffix(w, a->type, elision);
    }
}

static void write_array(tsr_writer *w, const tsr_attr *a)
{
    tsr_buf_char(w->out, '[');
    for (uint32_t i = 0; i < a->n; i++) {
        comma(w, i);
        tsr_write_attr_in_list(w, a->attrs[i]);
    }
    tsr_buf_char(w->out, ']');
}

static void write_symbol(tsr_writer *w, const tsr_attr *a)
{
    tsr_write_symbol_name(w->out, a->s);
    for (uint32_t i = 0; i < a->n; i++) {
        put(w, "::");
        tsr_write_symbol_name(w->out, a->attrs[i]->s);
    }
}

/* Kinds that give the elements of a tensor. */
static void write_elements(tsr_writer *w, const tsr_attr *a)
{
    switch (a->kind) {
    case TSR_ATTR_DENSE: tsr_write_dense(w, a); return;
    case TSR_ATTR_DENSE_STRING:
        put(w, "dense<");
        write_string_elements(w, a);
        break;
    case TSR_ATTR_DENSE_RESOURCE:
        put(w, "dense_resource<");
        tsr_write_name(w->out, a->s);
        if (w->resources)
            tsr_vec_push(w->resources, a->s);
        break;
    default: /* sparse */
        put(w, "sparse<");
        if (tsr_attr_count(a->attrs[1])) {
            tsr_write_sparse_indices(w, a->attrs[0]);
            put(w, ", ");
            tsr_write_dense_contents(w, a->attrs[1], true);
        }
    }
    tsr_buf_char(w->out, '>');
}

static void write_distinct(tsr_writer *w, const tsr_attr *a)
{
    put(w, "distinct[");
    tsr_buf_uint(w->out, distinct_number(w, a));
    put(w, "]<");
    if (a->attrs[0]->kind != TSR_ATTR_UNIT)
        tsr_write_attr(w, a->attrs[0]);
    tsr_buf_char(w->out, '>');
}

void tsr_write_attr_body(tsr_writer *w, const tsr_attr *a, int elision)
{
    switch ((tsr_attr_kind)a->kind) {
    case TSR_ATTR_UNIT: put(w, "unit"); break;
    case TSR_ATTR_INT:
    case TSR_ATTR_FLOAT: write_number(w, a, elision); break;
    case TSR_ATTR_STRING:
        tsr_buf_quoted(w->out, a->s);
        write_type_suffix(w, a->type, elision);
        break;
    case TSR_ATTR_ARRAY: write_array(w, a); break;
    case TSR_ATTR_DICT:
        tsr_buf_char(w->out, '{');
        tsr_write_dict_entries(w, a->named, a->n);
        tsr_buf_char(w->out, '}');
        break;
    case TSR_ATTR_TYPE: tsr_write_type(w, a->type); break;
    case TSR_ATTR_SYMBOL: write_symbol(w, a); break;
    case TSR_ATTR_DENSE:
    case TSR_ATTR_DENSE_STRING:
    case TSR_ATTR_DENSE_RESOURCE:
    case TSR_ATTR_SPARSE:
        write_elements(w, a);
        write_type_suffix(w, a->type, elision);
        break;
    case TSR_ATTR_DENSE_ARRAY: tsr_write_dense_array(w, a); break;
    case TSR_ATTR_AFFINE_MAP:
    case TSR_ATTR_INTEGER_SET: tsr_write_affine(w, a); break;
    case TSR_ATTR_STRIDED: write_strided(w, a); break;
    case TSR_ATTR_LOC:
        put(w, "loc(");
        write_loc_body(w, a);
        tsr_buf_char(w->out, ')');
        break;
    case TSR_ATTR_STRUCT: write_struct(w, '#', a->def, a->attrs); break;
    case TSR_ATTR_ENUM: write_enum(w, a); break;
    case TSR_ATTR_OPAQUE:
        tsr_buf_char(w->out, '#');
        tsr_buf_str(w->out, a->name->str);
        write_parts(w, a->parts, a->n);
        break;
    case TSR_ATTR_DISTINCT: write_distinct(w, a); break;
    }
}

static void write_attr(tsr_writer *w, const tsr_attr *a, int elision)
{
    if (!a)
        put(w, "<<NULL ATTRIBUTE>>");
    else if (!a->aliased || !tsr_write_alias(w, a, false))
        tsr_write_attr_body(w, a, elision);
}

void tsr_write_attr(tsr_writer *w, const tsr_attr *a)
{
    write_attr(w, a, ELIDE_NEVER);
}

void tsr_write_attr_in_list(tsr_writer *w, const tsr_attr *a)
{
    write_attr(w, a, ELIDE_MAY);
}

void tsr_write_attr_notype(tsr_writer *w, const tsr_attr *a)
{
    write_attr(w, a, ELIDE_MUST);
}

/* ---- For diagnostics ---- */

static void print_type(tsr_buf *out, const tsr_type *t)
{
    tsr_writer w = {.out = out, .ctx = t->ctx};
    tsr_write_type(&w, t);
}

static void print_attr(tsr_ctx *ctx, tsr_buf *out, const tsr_attr *a)
{
    tsr_writer w = {.out = out, .ctx = ctx};
    tsr_write_attr(&w, a);
}

static void print_loc(tsr_ctx *ctx, tsr_buf *out, tsr_loc loc)
{
    tsr_writer w = {.out = out, .ctx = ctx};
    write_loc_body(&w, tsr_loc_attr(ctx, loc));
}

void tsr_writer_install(tsr_ctx *ctx)
{
    ctx->print_type = print_type;
    ctx->print_attr = print_attr;
    ctx->print_loc = print_loc;
}
