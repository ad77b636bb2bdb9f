/* print.c - host tensors as text, as StableHLO's interpreter shows them. */
#include "eval/print.h"

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
    /* Names of plain types are constants; the context's printer keeps what it printed, which threads must not. */
    bool plain = t->elem->kind == TSR_TYPE_FLOAT || t->elem->kind == TSR_TYPE_COMPLEX ||
                 (t->elem->kind == TSR_TYPE_INTEGER && t->elem->sub != TSR_SIGNED);
    if (plain || !t->elem->ctx->print_type)
        tsr_buf_cstr(out, tsr_dtype_name((tsr_dtype)t->dtype));
    else
        t->elem->ctx->print_type(out, t->elem);
    tsr_buf_char(out, '>');
}

static void print_float(tsr_buf *out, tsr_dtype d, const char *at)
{
    uint64_t bits = 0;
    memcpy(&bits, at, tsr_dtype_bytes(d)); /* little endian, as dense data is */
    tsr_buf_float(out, tsr_dtype_float_kind(d), bits);
}

void tsr_element_print(tsr_buf *out, const tsr_tensor *t, int64_t i)
{
    tsr_dtype d = (tsr_dtype)t->dtype, part = tsr_dtype_part(d);
    const char *at = (const char *)t->data + (size_t)i * tsr_dtype_bytes(d);
    switch (tsr_dtype_kind(d)) {
    case TSR_K_BOOL:
        tsr_buf_cstr(out, tsr_get_int(t, i) ? "true" : "false");
        break;
    case TSR_K_SINT:
        tsr_buf_int(out, tsr_get_int(t, i));
        break;
    case TSR_K_UINT:
        tsr_buf_uint(out, (uint64_t)tsr_get_int(t, i));
        break;
    case TSR_K_FLOAT:
        print_float(out, d, at);
        break;
    case TSR_K_COMPLEX:
        tsr_buf_char(out, '[');
        print_float(out, part, at);
        tsr_buf_cstr(out, ", ");
        print_float(out, part, at + tsr_dtype_bytes(part));
        tsr_buf_char(out, ']');
        break;
    }
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

/* The elements below dimension d, from number *at on. */
static void print_level(tsr_buf *out, const tsr_tensor *t, size_t d, int64_t *at)
{
    bool innermost = d + 1 == t->rank;
    new_line(out, d + 1);
    tsr_buf_char(out, '[');
    for (int64_t i = 0; i < t->dims[d]; i++) {
        if (i)
            tsr_buf_cstr(out, innermost ? ", " : ",");
        if (innermost)
            tsr_element_print(out, t, (*at)++);
        else
            print_level(out, t, d + 1, at);
    }
    if (!innermost && t->dims[d])
        new_line(out, d + 1);
    tsr_buf_char(out, ']');
}

/* Whether an empty tensor has more rows, empty too, than anybody would read. */
static bool is_long_and_empty(const tsr_tensor *t)
{
    enum { MANY = 1 << 16 };
    int64_t rows = 1;
    for (size_t d = 0; !t->n && d < t->rank && t->dims[d] && rows <= MANY; d++)
        rows *= t->dims[d];
    return rows > MANY;
}

void tsr_tensor_print(tsr_buf *out, const tsr_tensor *t)
{
    if (t->kind == TSR_TOKEN) {
        tsr_tensor_print_type(out, t);
        return;
    }
    if (t->kind == TSR_TUPLE) {
        tsr_tensor_print_type(out, t);
        tsr_buf_cstr(out, " (\n");
        for (int64_t i = 0; i < t->n; i++) {
            tsr_tensor_print(out, t->items[i]);
            tsr_buf_cstr(out, i + 1 < t->n ? ",\n" : "\n");
        }
        tsr_buf_char(out, ')');
        return;
    }
    tsr_tensor_print_type(out, t);
    tsr_buf_cstr(out, " {");
    int64_t at = 0;
    if (!t->rank) {
        tsr_element_print(out, t, 0);
    } else if (is_long_and_empty(t)) {
        tsr_buf_cstr(out, "\n  []\n");
    } else {
        print_level(out, t, 0, &at);
        new_line(out, 0);
    }
    tsr_buf_char(out, '}');
}
