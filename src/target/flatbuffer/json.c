/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - trees as JSON, in the form that flatbuffers' own printer gives with defaults: two spaces per level, the case
 * of a union as name_type next to it. Numbers have all their digits. */
#include <math.h>

#include "base/decimal.h"
#include "target/flatbuffer/flatbuffer.h"

static void line(tsr_buf *out, int indent)
{
    tsr_buf_char(out, '\n');
    for (int i = 0; i < indent; i++)
        tsr_buf_char(out, ' ');
}

static void decimal(tsr_buf *out, double v, bool single)
{
    if (isnan(v) || isinf(v)) {
        tsr_buf_cstr(out, isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
        return;
    }
    if (v == floor(v) && fabs(v) < 1e15) {
        tsr_buf_printf(out, "%s%lld.0", v == 0 && signbit(v) ? "-" : "", (long long)v);
        return;
    }
    for (int digits = 1; digits < 18; digits++) {
        tsr_spelling s = tsr_spell('g', 0, digits, v);
        double back = 0;
        bool same = tsr_str_double((tsr_str){s.text, strlen(s.text)}, &back);
        if (same && (single ? (float)back == (float)v : back == v)) {
            tsr_buf_cstr(out, s.text);
            return;
        }
    }
}

/* A combination of bit flags: its words, if they account for all bits. */
static bool words(tsr_buf *out, const tsr_fb_type *type, int64_t v)
{
    int64_t left = v;
    for (const tsr_fb_field *f = type->fields; f->name; f++)
        left &= ~(int64_t)f->value;
    if (left || !v)
        return false;
    tsr_buf_char(out, '"');
    for (const tsr_fb_field *f = type->fields, *first = NULL; f->name; f++)
        if (v & (int64_t)f->value) {
            tsr_buf_printf(out, first ? " %s" : "%s", f->name);
            first = f;
        }
    tsr_buf_char(out, '"');
    return true;
}

static void integer(tsr_buf *out, const tsr_fb_type *type, int64_t v)
{
    const char *word = type->kind == TSR_FB_ENUM && !type->bits ? tsr_fb_word(type, v) : NULL;
    if (type->bits && words(out, type, v))
        return;
    if (word)
        tsr_buf_printf(out, "\"%s\"", word);
    else if (type->kind == TSR_FB_BOOL)
        tsr_buf_cstr(out, v ? "true" : "false");
    else if (tsr_fb_base(type)->kind == TSR_FB_UINT)
        tsr_buf_uint(out, (uint64_t)v);
    else
        tsr_buf_int(out, v);
}

/* A number or a struct stored as bytes. */
static void stored(tsr_buf *out, const tsr_fb_type *type, const char *bytes, int indent)
{
    if (type->kind == TSR_FB_FLOAT) {
        decimal(out, tsr_fb_load_float(type, bytes), type->size == 4);
        return;
    }
    if (type->kind != TSR_FB_STRUCT) {
        integer(out, type, tsr_fb_load(type, bytes));
        return;
    }
    tsr_buf_char(out, '{');
    for (const tsr_fb_field *f = type->fields; f->name; f++) {
        tsr_buf_cstr(out, f > type->fields ? "," : "");
        line(out, indent + 2);
        tsr_buf_printf(out, "\"%s\": ", f->name);
        stored(out, f->type, bytes + (size_t)f->value, indent + 2);
    }
    line(out, indent);
    tsr_buf_char(out, '}');
}

static void one(tsr_buf *out, const tsr_fb_type *type, const tsr_fb_value *v, int indent)
{
    if (type->kind == TSR_FB_FLOAT)
        decimal(out, v->f, type->size == 4);
    else if (tsr_fb_is_scalar(type))
        integer(out, type, v->i);
    else if (type->kind == TSR_FB_STRING)
        tsr_buf_json(out, v->s);
    else if (type->kind == TSR_FB_STRUCT)
        stored(out, type, v->s.data, indent);
    else
        tsr_fb_json(out, v->table, indent);
}

static void list(tsr_buf *out, const tsr_fb_type *type, const tsr_fb_value *v, int indent)
{
    bool flat = tsr_fb_is_inline(type);
    size_t n = flat ? v->s.len / type->size : v->n;
    tsr_buf_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        tsr_buf_cstr(out, i ? "," : "");
        line(out, indent + 2);
        if (flat)
            stored(out, type, v->s.data + i * type->size, indent + 2);
        else
            one(out, type, &v->items[i], indent + 2);
    }
    line(out, indent);
    tsr_buf_char(out, ']');
}

void tsr_fb_json_value(tsr_buf *out, const tsr_fb_field *field, const tsr_fb_value *v, int indent)
{
    if (field->how == TSR_FB_LIST)
        list(out, field->type, v, indent);
    else
        one(out, field->type, v, indent);
}

typedef struct {
    tsr_buf *out;
    int indent;
    bool any;
} members;

static void member(members *m, const char *name, const char *more)
{
    tsr_buf_cstr(m->out, m->any ? "," : "");
    line(m->out, m->indent + 2);
    tsr_buf_printf(m->out, "\"%s%s\": ", name, more);
    m->any = true;
}

/* The case of a union, or the cases of a list of unions. */
static void cases(members *m, const tsr_fb_field *f, const tsr_fb_value *v)
{
    if (f->how != TSR_FB_LIST) {
        member(m, f->name, "_type");
        tsr_buf_printf(m->out, "\"%s\"", v->set ? f->type->fields[v->tag - 1].name : "NONE");
        return;
    }
    if (!v->set)
        return;
    member(m, f->name, "_type");
    tsr_buf_char(m->out, '[');
    for (size_t i = 0; i < v->n; i++) {
        tsr_buf_cstr(m->out, i ? "," : "");
        line(m->out, m->indent + 4);
        tsr_buf_printf(m->out, "\"%s\"", f->type->fields[v->items[i].tag - 1].name);
    }
    line(m->out, m->indent + 2);
    tsr_buf_char(m->out, ']');
}

void tsr_fb_json(tsr_buf *out, const tsr_fb_table *t, int indent)
{
    members m = {out, indent, false};
    tsr_buf_char(out, '{');
    for (const tsr_fb_field *f = t->type->fields; f->name; f++) {
        const tsr_fb_value *v = &t->fields[f - t->type->fields];
        tsr_fb_value standard = {.i = (int64_t)f->value, .set = true};
        if (f->type->kind == TSR_FB_UNION)
            cases(&m, f, v);
        if (f->type->kind == TSR_FB_FLOAT)
            standard.f = f->value;
        bool known = f->how == TSR_FB_ONE && tsr_fb_is_scalar(f->type);
        if (!v->set && !known && f->how != TSR_FB_MAYBE)
            continue;
        member(&m, f->name, "");
        if (!v->set && !known)
            tsr_buf_cstr(out, "null");
        else
            tsr_fb_json_value(out, f, v->set ? v : &standard, indent + 2);
    }
    line(out, indent);
    tsr_buf_char(out, '}');
}
