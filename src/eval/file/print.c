/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - host tensors as text, as StableHLO's interpreter shows them. */
#include "eval/file/print.h"

void tsr_tensor_print_type(tsr_buf *out, const tsr_tensor *t)
{
    if (t->kind == TSR_TOKEN) {
        tsr_buf_cstr(out, "!stablehlo.token");
        return;
    }
    if (t->kind == TSR_TUPLE) {
        tsr_buf_cstr(out, "tuple<");
        for (int64_t i = 0; i < t->n; i++) {
            if (i)
                tsr_buf_cstr(out, ", ");
            tsr_tensor_print_type(out, t->items[i]);
        }
        tsr_buf_char(out, '>');
        return;
    }
    tsr_buf_cstr(out, "tensor<");
    for (size_t d = 0; d < t->rank; d++) {
        tsr_buf_int(out, t->dims[d]);
        tsr_buf_char(out, 'x');
    }
    /* Names of plain types are constants; the context's printer caches its output, which is not safe on several
     * threads. */
    bool plain = t->elem->kind == TSR_TYPE_FLOAT || t->elem->kind == TSR_TYPE_COMPLEX ||
                 (t->elem->kind == TSR_TYPE_INTEGER && t->elem->sub != TSR_SIGNED);
    if (plain || !t->elem->ctx->print_type)
        tsr_buf_cstr(out, tsr_dtype_name((tsr_dtype)t->dtype));
    else
        t->elem->ctx->print_type(out, t->elem);
    tsr_buf_char(out, '>');
}

enum {
    LARGE = 1000, /* elements above which only the edges are shown */
    EDGE = 3,     /* elements at each end of a dimension */
};

/* How elements are written. */
typedef struct {
    bool wide;  /* all floats with all digits */
    bool edges; /* only the ends of each dimension */
} style;

static uint64_t float_bits(tsr_dtype d, const char *at)
{
    uint64_t bits = 0;
    memcpy(&bits, at, tsr_dtype_bytes(d)); /* little endian, as dense data is */
    return bits;
}

static void print_float(tsr_buf *out, tsr_dtype d, const char *at, bool wide)
{
    if (wide)
        tsr_buf_float_long(out, tsr_dtype_float_kind(d), float_bits(d, at));
    else
        tsr_buf_float(out, tsr_dtype_float_kind(d), float_bits(d, at));
}

static void print_element(tsr_buf *out, const tsr_tensor *t, int64_t i, bool wide)
{
    tsr_dtype d = (tsr_dtype)t->dtype, part = tsr_dtype_part(d);
    const char *at = (const char *)t->data + (size_t)i * tsr_dtype_bytes(d);
    switch (tsr_dtype_kind(d)) {
    case TSR_K_BOOL: tsr_buf_cstr(out, tsr_get_int(t, i) ? "true" : "false"); break;
    case TSR_K_SINT: tsr_buf_int(out, tsr_get_int(t, i)); break;
    case TSR_K_UINT: tsr_buf_uint(out, (uint64_t)tsr_get_int(t, i)); break;
    case TSR_K_FLOAT: print_float(out, d, at, wide); break;
    case TSR_K_COMPLEX:
        tsr_buf_char(out, '[');
        print_float(out, part, at, wide);
        tsr_buf_cstr(out, ", ");
        print_float(out, part, at + tsr_dtype_bytes(part), wide);
        tsr_buf_char(out, ']');
        break;
    }
}

void tsr_element_print(tsr_buf *out, const tsr_tensor *t, int64_t i)
{
    print_element(out, t, i, false);
}

void tsr_index_print(tsr_buf *out, const tsr_tensor *t, int64_t i)
{
    int64_t strides[TSR_MAX_RANK];
    tsr_strides(t->dims, t->rank, strides);
    tsr_buf_char(out, '[');
    for (size_t d = 0; d < t->rank; d++) {
        if (d)
            tsr_buf_cstr(out, ", ");
        tsr_buf_int(out, i / strides[d] % t->dims[d]);
    }
    tsr_buf_char(out, ']');
}

static void new_line(tsr_buf *out, size_t indent)
{
    tsr_buf_char(out, '\n');
    for (size_t i = 0; i < indent; i++)
        tsr_buf_cstr(out, "  ");
}

/* The index after i among those shown in a dimension of n. */
static int64_t next_shown(int64_t i, int64_t n, bool edges)
{
    return edges && n > 2 * EDGE && i + 1 == EDGE ? n - EDGE : i + 1;
}

/* The elements below dimension d, starting at element number at; step: the distance between them. */
static void print_level(tsr_buf *out, const tsr_tensor *t, size_t d, int64_t at,
                        const int64_t *steps, style how)
{
    bool innermost = d + 1 == t->rank;
    new_line(out, d + 1);
    tsr_buf_char(out, '[');
    for (int64_t i = 0, next; i < t->dims[d]; i = next) {
        next = next_shown(i, t->dims[d], how.edges);
        if (innermost)
            print_element(out, t, at + i, how.wide);
        else
            print_level(out, t, d + 1, at + i * steps[d], steps, how);
        if (next < t->dims[d])
            tsr_buf_cstr(out, innermost ? ", " : ",");
        if (next > i + 1 && !innermost)
            new_line(out, d + 2);
        if (next > i + 1)
            tsr_buf_cstr(out, innermost ? "..., " : "...,");
    }
    if (!innermost && t->dims[d])
        new_line(out, d + 1);
    tsr_buf_char(out, ']');
}

/* Whether some displayed element needs more digits than the short form has. */
static bool needs_digits(const tsr_tensor *t, size_t d, int64_t at, const int64_t *steps,
                         bool edges)
{
    tsr_dtype type = (tsr_dtype)t->dtype, part = tsr_dtype_part(type);
    bool complex = tsr_dtype_kind(type) == TSR_K_COMPLEX;
    if (d < t->rank) {
        for (int64_t i = 0; i < t->dims[d]; i = next_shown(i, t->dims[d], edges))
            if (needs_digits(t, d + 1, at + i * steps[d], steps, edges))
                return true;
        return false;
    }
    const char *p = (const char *)t->data + (size_t)at * tsr_dtype_bytes(type);
    for (int k = 0; k < (complex ? 2 : 1); k++) {
        tsr_dtype one = complex ? part : type;
        if (!tsr_float_is_short(tsr_dtype_float_kind(one),
                                float_bits(one, p + (size_t)k * tsr_dtype_bytes(one))))
            return true;
    }
    return false;
}

/* Whether an empty tensor has more (empty) rows than anybody would read. */
static bool is_long_and_empty(const tsr_tensor *t)
{
    enum { MANY = 1 << 16 };
    int64_t rows = 1;
    for (size_t d = 0; !t->n && d < t->rank && t->dims[d] && rows <= MANY; d++)
        rows *= t->dims[d];
    return rows > MANY;
}

static void print_tensor(tsr_buf *out, const tsr_tensor *t, bool people, bool full)
{
    if (t->kind == TSR_TOKEN) {
        tsr_tensor_print_type(out, t);
        return;
    }
    if (t->kind == TSR_TUPLE) {
        tsr_tensor_print_type(out, t);
        tsr_buf_cstr(out, " (\n");
        for (int64_t i = 0; i < t->n; i++) {
            print_tensor(out, t->items[i], people, full);
            tsr_buf_cstr(out, i + 1 < t->n ? ",\n" : "\n");
        }
        tsr_buf_char(out, ')');
        return;
    }
    tsr_tensor_print_type(out, t);
    tsr_buf_cstr(out, " {");
    int64_t steps[TSR_MAX_RANK];
    style how = {.edges = people && !full && t->n > LARGE};
    tsr_strides(t->dims, t->rank, steps);
    tsr_dkind kind = tsr_dtype_kind((tsr_dtype)t->dtype);
    if (people && t->rank && (kind == TSR_K_FLOAT || kind == TSR_K_COMPLEX))
        how.wide = needs_digits(t, 0, 0, steps, how.edges);
    if (!t->rank) {
        tsr_element_print(out, t, 0);
    } else if (is_long_and_empty(t)) {
        tsr_buf_cstr(out, "\n  []\n");
    } else {
        print_level(out, t, 0, 0, steps, how);
        new_line(out, 0);
    }
    tsr_buf_char(out, '}');
}

void tsr_tensor_print(tsr_buf *out, const tsr_tensor *t)
{
    print_tensor(out, t, false, true);
}

void tsr_tensor_print_summary(tsr_buf *out, const tsr_tensor *t, bool full)
{
    print_tensor(out, t, true, full);
}
