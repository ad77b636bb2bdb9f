/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - locations of values: arguments, results, the arena, constants; tables; and functions that receive pointers
 * to them. */
#include "target/c/writer.h"

#include "eval/tensor.h"

enum { INLINE_BYTES = 1024, LINE = 64 }; /* constants of fewer bytes are in the text */

void tsr_c_ints(tsr_buf *out, const int64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        tsr_buf_cstr(out, i ? ", " : "");
        if (v[i] >= -INT32_MAX && v[i] <= INT32_MAX)
            tsr_buf_int(out, v[i]);
        else
            tsr_buf_printf(out, "(int64_t)UINT64_C(0x%llx)", (unsigned long long)v[i]);
    }
}

uint32_t tsr_c_table(tsr_c_writer *w, const char *type, tsr_str contents)
{
    tsr_buf key = {0};
    bool is_new;
    tsr_buf_printf(&key, "%s %.*s", type, TSR_STR_ARG(contents));
    uint32_t number = tsr_text_once(&w->text, 't', tsr_buf_text(&key), w->ntable, &is_new);
    tsr_buf_free(&key);
    if (is_new) {
        tsr_buf_printf(&w->tables, "static const %s table%u%s = {%.*s};\n", type, number,
                       strcmp(type, "int64_t") == 0 ? "[]" : "", TSR_STR_ARG(contents));
        w->ntable++;
    }
    return number;
}

uint32_t tsr_c_view(tsr_c_writer *w, const tsr_xview *v)
{
    tsr_buf out = {0};
    TSR_TEXT_PART(&w->text, "view", {'-', ""});
    tsr_buf_printf(&out, "%u, ", v->space.rank);
    tsr_c_ints(&out, &v->offset, 1);
    tsr_buf_cstr(&out, ", {");
    tsr_c_ints(&out, v->space.dims, v->space.rank);
    tsr_buf_cstr(&out, v->space.rank ? "}, {" : "0}, {0");
    tsr_c_ints(&out, v->strides, v->space.rank);
    tsr_buf_char(&out, '}');
    uint32_t number = tsr_c_table(w, "tsr_view", tsr_buf_text(&out));
    tsr_buf_free(&out);
    return number;
}

/* ---- Constants ---- */

/* Emits elements as unsigned numbers, of eight bytes at most. */
static uint32_t put_constant(tsr_c_writer *w, const void *data, size_t bytes, uint32_t elem)
{
    enum { A_LINE = 16 };
    tsr_buf out = {0};
    elem = elem > 8 ? 8 : elem;
    tsr_buf_char(&out, '{');
    for (size_t i = 0; i < bytes / elem; i++) {
        uint64_t v = 0;
        memcpy(&v, (const char *)data + i * elem, elem); /* little endian */
        tsr_buf_cstr(&out, !i ? "" : i % A_LINE ? ", " : ",\n    ");
        if (elem == 8)
            tsr_buf_printf(&out, "UINT64_C(0x%llx)", (unsigned long long)v);
        else
            tsr_buf_printf(&out, "0x%llxu", (unsigned long long)v);
    }
    tsr_buf_cstr(&out, bytes ? "}" : "0}");
    /* The members align it for every type that is read from it. */
    const char *type = tsr_text_of(&w->text, "union { uint%u_t u[%zu]; float f; double d; }",
                                   8 * elem, bytes ? bytes / elem : 1);
    uint32_t number = tsr_c_table(w, type, tsr_buf_text(&out));
    tsr_buf_free(&out);
    return number;
}

static const char *constant(tsr_c_writer *w, tsr_xid v)
{
    const tsr_tensor *t = w->p->values.data[v].box;
    size_t bytes = tsr_tensor_bytes(t);
    uint32_t elem = tsr_dtype_bytes((tsr_dtype)t->dtype);
    if (!w->constants[v] && w->options->apart && bytes >= INLINE_BYTES) {
        while (w->weights->len % LINE)
            tsr_buf_char(w->weights, 0);
        w->places[v] = w->weights->len;
        tsr_buf_str(w->weights, (tsr_str){t->data, bytes});
        w->constants[v] = UINT32_MAX;
    } else if (!w->constants[v]) {
        w->constants[v] = put_constant(w, t->data, bytes, elem) + 1;
    }
    if (w->constants[v] == UINT32_MAX)
        return tsr_text_of(&w->text, "(char *)m->weights + %llu", (unsigned long long)w->places[v]);
    return tsr_text_of(&w->text, "(char *)&table%u", w->constants[v] - 1);
}

/* ---- Locations ---- */

/* A value for which the engine allocates a tensor at run time. */
static const char *extra_at(tsr_c_writer *w, tsr_xid v)
{
    const tsr_xvalue *x = &w->p->values.data[v];
    if (x->n < 0 || x->type->kind != TSR_TYPE_TENSOR || !tsr_dtype_bytes((tsr_dtype)x->dtype))
        return NULL;
    if (!w->constants[v]) {
        w->places[v] = w->extra;
        w->constants[v] = 1;
        w->extra += (tsr_xvalue_bytes(x) + LINE - 1) / LINE * LINE;
    }
    return tsr_text_of(&w->text, "m->extra + %llu", (unsigned long long)w->places[v]);
}

static const char *result_at(tsr_c_writer *w, tsr_xid v)
{
    return w->results[v] ? tsr_text_of(&w->text, "(char *)m->out[%u]", w->results[v] - 1) : NULL;
}

static const char *storage_at(tsr_c_writer *w, tsr_xid v)
{
    const tsr_program *p = w->p;
    while (p->values.data[v].place == TSR_PLACE_ARENA && p->values.data[v].shares != TSR_XNONE)
        v = p->values.data[v].shares;
    const tsr_xvalue *x = &p->values.data[v];
    switch ((tsr_place)x->place) {
    case TSR_PLACE_SPLAT: {
        uint32_t bytes = tsr_dtype_bytes((tsr_dtype)x->dtype);
        return tsr_text_of(&w->text, "(char *)&table%u", put_constant(w, x->bits, bytes, bytes));
    }
    case TSR_PLACE_ARENA:
        if (x->is_result) {
            const char *at = result_at(w, v);
            tsr_assert(at, "value %u is no result", v);
            return at;
        }
        if (x->host) {
            const char *host = storage_at(w, x->host - 1);
            return tsr_text_of(&w->text, "%s + %zu", host, x->offset);
        }
        return tsr_text_of(&w->text, "m->arena + %zu", x->offset);
    case TSR_PLACE_ARGUMENT: return tsr_text_of(&w->text, "(char *)m->in[%u]", x->argument - 1);
    case TSR_PLACE_CONSTANT: return constant(w, v);
    case TSR_PLACE_TENSOR: return extra_at(w, v);
    default: return NULL;
    }
}

const char *tsr_c_at(tsr_c_writer *w, tsr_xid v)
{
    const tsr_xvalue *x = &w->p->values.data[v];
    const char *at = storage_at(w, tsr_storage_of(w->p, v));
    if (!at || x->place != TSR_PLACE_VIEW || !x->view->offset)
        return at;
    return tsr_text_of(&w->text, "%s + %lld", at,
                       (long long)x->view->offset * (int64_t)tsr_dtype_bytes((tsr_dtype)x->dtype));
}

/* ---- Functions ---- */

uint32_t tsr_c_pointer(tsr_c_function *f, const char *at)
{
    for (uint32_t i = 0; i < f->at.n; i++)
        if (strcmp(f->at.data[i], at) == 0)
            return i;
    tsr_vec_push(&f->at, at);
    return (uint32_t)f->at.n - 1;
}

uint32_t tsr_c_epilogue(tsr_c_function *f, tsr_buf *text)
{
    tsr_c_writer *w = f->w;
    bool is_new;
    uint32_t number = tsr_text_once(&w->text, 'e', tsr_buf_text(text), w->nfunction, &is_new);
    if (is_new) {
        w->nfunction++;
        tsr_buf_printf(&w->functions,
                       "static void e%u(char *const *p, char *w, const tsr_block *b)\n{\n%.*s"
                       "    (void)p;\n    (void)w;\n}\n\n",
                       number, TSR_STR_ARG(tsr_buf_text(text)));
    }
    tsr_buf_free(text);
    return number;
}

void tsr_c_call(tsr_c_function *f)
{
    tsr_c_writer *w = f->w;
    bool is_new;
    uint32_t number = tsr_text_once(&w->text, 'f', tsr_buf_text(&f->text), w->nfunction, &is_new);
    if (is_new) {
        w->nfunction++;
        tsr_buf_printf(&w->functions,
                       "static void g%u(char *const *p, char *w)\n{\n%.*s    (void)p;\n"
                       "    (void)w;\n}\n\n",
                       number, TSR_STR_ARG(tsr_buf_text(&f->text)));
    }
    int margin = tsr_c_margin(w);
    tsr_buf_printf(&w->body, "%*s{\n%*schar *const p[] = {", margin, "", margin + 4, "");
    for (size_t i = 0; i < f->at.n; i++)
        tsr_buf_printf(&w->body, "%s%s", i ? ", " : "", f->at.data[i]);
    tsr_buf_printf(&w->body, "%s};\n%*sg%u(p, w);\n%*s}\n", f->at.n ? "" : "NULL", margin + 4, "",
                   number, margin, "");
    w->scratch = f->scratch > w->scratch ? f->scratch : w->scratch;
    tsr_buf_free(&f->text);
    tsr_vec_free(&f->at);
}
