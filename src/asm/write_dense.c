/* SPDX-License-Identifier: Apache-2.0 */
/* write_dense.c - dense data to text: splats, nested lists, or hex when there are more than a hundred elements. */
#include "asm/writer.h"
#include "base/float.h"

enum { HEX_IF_LARGER = 100 };

static uint64_t load(const uint8_t *p, uint32_t bytes)
{
    uint64_t v = 0;
    for (uint32_t i = 0; i < bytes; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

/* One number of this type; bytes: its size in the data. */
static void write_scalar(tsr_writer *w, tsr_type *t, const uint8_t *p, uint32_t bytes)
{
    if (bytes > 8) { /* wider than any machine integer */
        tsr_write_attr_notype(w, tsr_attr_wide_int(w->ctx, t, p));
        return;
    }
    uint64_t v = load(p, bytes);
    if (t->kind == TSR_TYPE_FLOAT) {
        tsr_buf_float(w->out, (tsr_float_kind)t->sub, v);
        return;
    }
    uint32_t width = t->kind == TSR_TYPE_INDEX ? 64 : t->width;
    if (width == 1 && t->sub == TSR_SIGNLESS) {
        tsr_buf_cstr(w->out, v & 1 ? "true" : "false");
    } else if (t->kind == TSR_TYPE_INTEGER && t->sub == TSR_UNSIGNED) {
        tsr_buf_uint(w->out, v);
    } else {
        int shift = 64 - (int)width;
        tsr_buf_int(w->out, (int64_t)(v << shift) >> shift);
    }
}

static void write_element(tsr_writer *w, const tsr_attr *a, size_t i)
{
    tsr_type *elem = a->type->elem;
    bool complex = elem->kind == TSR_TYPE_COMPLEX;
    tsr_type *part = complex ? elem->elem : elem;
    uint32_t bytes = tsr_type_storage_bits(part) / 8;
    const uint8_t *p = (const uint8_t *)a->s.data + i * bytes * (complex ? 2 : 1);
    if (!complex) {
        write_scalar(w, part, p, bytes);
        return;
    }
    tsr_buf_char(w->out, '(');
    write_scalar(w, part, p, bytes);
    tsr_buf_char(w->out, ',');
    write_scalar(w, part, p + bytes, bytes);
    tsr_buf_char(w->out, ')');
}

/* "0x" and the bytes. */
static void write_hex(tsr_writer *w, const tsr_attr *a)
{
    static const char digits[] = "0123456789ABCDEF";
    const uint8_t *p = (const uint8_t *)a->s.data;
    size_t n = a->s.len;
    tsr_buf_reserve(w->out, 2 * n + 4);
    char *o = w->out->data + w->out->len;
    *o++ = '"';
    *o++ = '0';
    *o++ = 'x';
    for (size_t i = 0; i < n; i++) {
        *o++ = digits[p[i] >> 4];
        *o++ = digits[p[i] & 15];
    }
    *o++ = '"';
    w->out->len = (size_t)(o - w->out->data);
}

static void write_list(tsr_writer *w, const tsr_attr *a, uint32_t dim, size_t *next)
{
    if (dim == a->type->n) {
        write_element(w, a, a->sub ? 0 : (*next)++); /* a splat has one */
        return;
    }
    tsr_buf_char(w->out, '[');
    for (int64_t i = 0; i < a->type->dims[dim]; i++) {
        if (i)
            tsr_buf_str(w->out, TSR_STR(", "));
        write_list(w, a, dim + 1, next);
    }
    tsr_buf_char(w->out, ']');
}

void tsr_write_sparse_indices(tsr_writer *w, const tsr_attr *a)
{
    size_t next = 0;
    if (a->type->n && a->type->dims[0] > 1)
        write_list(w, a, 0, &next);
    else
        tsr_write_dense_contents(w, a, false);
}

void tsr_write_dense_contents(tsr_writer *w, const tsr_attr *a, bool allow_hex)
{
    int64_t n = tsr_type_num_elements(a->type);
    size_t next = 0;
    if (a->sub && a->s.len)
        write_element(w, a, 0);
    else if (n == 0)
        return;
    else if (allow_hex && n > HEX_IF_LARGER)
        write_hex(w, a);
    else
        write_list(w, a, 0, &next);
}

void tsr_write_dense(tsr_writer *w, const tsr_attr *a)
{
    if (w->opt.elide_larger > 0 && !a->sub &&
        tsr_type_num_elements(a->type) > w->opt.elide_larger) {
        tsr_buf_cstr(w->out, "dense_resource<__elided__>");
        return;
    }
    tsr_buf_cstr(w->out, "dense<");
    tsr_write_dense_contents(w, a, true);
    tsr_buf_char(w->out, '>');
}

void tsr_write_int_elements(tsr_writer *w, const tsr_attr *a)
{
    uint32_t bytes = tsr_type_storage_bits(a->type) / 8;
    int64_t n = tsr_attr_count(a);
    for (int64_t i = 0; i < n; i++) {
        if (i)
            tsr_buf_str(w->out, TSR_STR(", "));
        write_scalar(w, a->type, (const uint8_t *)a->s.data + (size_t)i * bytes, bytes);
    }
}

void tsr_write_dense_array(tsr_writer *w, const tsr_attr *a)
{
    tsr_buf_cstr(w->out, "array<");
    tsr_write_type(w, a->type);
    if (a->s.len)
        tsr_buf_cstr(w->out, ": ");
    tsr_write_int_elements(w, a);
    tsr_buf_char(w->out, '>');
}
