/* SPDX-License-Identifier: Apache-2.0 */
/* c.c - emits a program of the engine as one file of C99: its groups in order, control flow around them, and the
 * function that embedders call. */
#include "target/c/c.h"

#include <tessera/tessera.h>

#include "base/scope.h"
#include "target/c/writer.h"

bool tsr_c_refuse(tsr_c_writer *w, tsr_loc loc, const char *fmt, ...)
{
    tsr_buf text = {0};
    va_list args;
    va_start(args, fmt);
    tsr_buf_vprintf(&text, fmt, args);
    va_end(args);
    w->failed = true;
    tsr_error(w->p->module->ctx, loc, "cannot be written as C: %.*s",
              TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return false;
}

bool tsr_c_refuse_op(tsr_c_writer *w, const tsr_op *op, const char *why)
{
    w->failed = true;
    tsr_error(w->p->module->ctx, op ? op->loc : w->p->function->loc,
              "'%.*s' op cannot be written as C: %s",
              TSR_STR_ARG(op ? op->def->name : w->p->function->def->name), why);
    return false;
}

static void line(tsr_c_writer *w, const char *fmt, ...) TSR_PRINTF(2, 3);
static void line(tsr_c_writer *w, const char *fmt, ...)
{
    va_list args;
    tsr_buf_printf(&w->body, "%*s", tsr_c_margin(w), "");
    va_start(args, fmt);
    tsr_buf_vprintf(&w->body, fmt, args);
    va_end(args);
    tsr_buf_char(&w->body, '\n');
}

/* ---- Blocks ---- */

static bool put_block(tsr_c_writer *w, const tsr_block_program *b);

/* Copies a value to the location of another one. */
static bool assign(tsr_c_writer *w, const tsr_node *n, tsr_xid to, tsr_xid from)
{
    const tsr_xvalue *x = &w->p->values.data[to];
    const char *a = tsr_c_at(w, from), *b = tsr_c_at(w, to);
    if (!a || !b || x->n < 0)
        return !x->n || tsr_c_refuse_op(w, n->op, "a value without a place");
    if (strcmp(a, b) != 0 && x->n)
        line(w, "memmove(%s, %s, %llu);", b, a, (unsigned long long)tsr_xvalue_bytes(x));
    return true;
}

/* An integer that control flow depends on, as an expression. */
static const char *integer(tsr_c_writer *w, const tsr_node *n, tsr_xid v)
{
    const char *reader = tsr_text_reader(&w->text, (tsr_dtype)w->p->values.data[v].dtype),
               *at = tsr_c_at(w, v);
    if (!reader || !at) {
        tsr_c_refuse_op(w, n->op, "a condition of this type");
        return NULL;
    }
    return tsr_text_of(&w->text, "%s(%s, 0)", reader, at);
}

static bool put_while(tsr_c_writer *w, const tsr_node *n)
{
    for (uint32_t i = 0; i < n->ncarried; i++)
        TSR_TRY(assign(w, n, n->out[i], n->in[i]));
    line(w, "for (;;) {");
    w->depth++;
    TSR_TRY(put_block(w, n->blocks[0]));
    const char *goes_on = integer(w, n, n->blocks[0]->results[0]);
    if (!goes_on)
        return false;
    line(w, "if (!%s)", goes_on);
    line(w, "    break;");
    TSR_TRY(put_block(w, n->blocks[1]));
    for (uint32_t i = 0; i < n->ncarried; i++)
        if (n->blocks[1]->results[i] != n->out[i])
            TSR_TRY(assign(w, n, n->out[i], n->blocks[1]->results[i]));
    w->depth--;
    line(w, "}");
    return true;
}

static bool put_case(tsr_c_writer *w, const tsr_node *n)
{
    const char *which = integer(w, n, n->in[0]);
    bool truth = w->p->values.data[n->in[0]].dtype == TSR_D_I1;
    if (!which)
        return false;
    line(w, "switch (%s) {", which);
    for (uint32_t i = 0; i < n->nblock; i++) {
        if (i + 1 == n->nblock)
            line(w, "default: {");
        else
            line(w, "case %u: {", truth ? 1 - i : i);
        w->depth++;
        TSR_TRY(put_block(w, n->blocks[i]));
        for (uint32_t k = 0; k < n->nout; k++)
            TSR_TRY(assign(w, n, n->out[k], n->blocks[i]->results[k]));
        line(w, "break;");
        w->depth--;
        line(w, "}");
    }
    line(w, "}");
    return true;
}

/* An op on the evaluator's kernel; without elements there is nothing to do. */
static bool put_other(tsr_c_writer *w, const tsr_node *n)
{
    bool empty = !n->effect && !n->nblock;
    for (uint32_t i = 0; i < n->nout; i++)
        empty &= w->p->values.data[n->out[i]].n == 0;
    return (empty && n->nout) || tsr_c_other(w, n) ||
           tsr_c_refuse_op(w, n->op, "it runs by the evaluator's kernel (docs/EMIT.md)");
}

static bool put_group(tsr_c_writer *w, const tsr_xgroup *g)
{
    const tsr_node *n = &w->p->nodes.data[g->nodes.data[0]];
    if (n->op)
        tsr_count_step(n->op->loc);
    switch ((tsr_node_kind)g->kind) {
    case TSR_NODE_TILE:
    case TSR_NODE_REDUCE: return g->product == TSR_XNONE ? tsr_c_loop(w, g) : tsr_c_product(w, g);
    case TSR_NODE_CONTRACT: return tsr_c_product(w, g);
    case TSR_NODE_MOVE: return tsr_c_move(w, n);
    /* The result of a division by zero is defined: no check is needed. */
    case TSR_NODE_BARRIER:
    case TSR_NODE_ZEROS: return true;
    case TSR_NODE_CHECK: return tsr_c_check(w, n);
    case TSR_NODE_OTHER: return put_other(w, n);
    case TSR_NODE_WHILE: return put_while(w, n);
    case TSR_NODE_CASE: return put_case(w, n);
    case TSR_NODE_COLLECTIVE:
    case TSR_NODE_START: break;
    }
    return tsr_c_refuse_op(w, n->op, "it needs other devices");
}

static bool put_block(tsr_c_writer *w, const tsr_block_program *b)
{
    for (size_t i = 0; i < b->groups.n; i++)
        TSR_TRY(put_group(w, &w->p->groups.data[b->groups.data[i]]));
    return true;
}

/* Copies results that are not computed in the caller's memory. */
static bool put_results(tsr_c_writer *w)
{
    const tsr_block_program *b = &w->p->main;
    for (uint32_t i = 0; i < b->nresults; i++) {
        tsr_xid v = b->results[i];
        const tsr_xvalue *x = &w->p->values.data[v];
        if (b->owned[i] || !x->n)
            continue;
        const char *at = tsr_c_at(w, v);
        if (!at || x->n < 0)
            return tsr_c_refuse(w, w->p->function->loc, "result %u has no size before it runs", i);
        line(w, "memcpy(m->out[%u], %s, %llu);", i, at, (unsigned long long)tsr_xvalue_bytes(x));
    }
    return true;
}

/* ---- The file ---- */

/* A name as an identifier: no text of the input file becomes code, not even a comment. */
static const char *identifier(tsr_c_writer *w, tsr_str name, bool upper)
{
    enum { MOST = 60 };
    tsr_buf out = {0};
    for (size_t i = 0; i < name.len && i < MOST; i++) {
        char c = name.data[i];
        bool small = c >= 'a' && c <= 'z';
        bool fits = small || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        tsr_buf_char(&out, !fits ? '_' : small && upper ? (char)(c - 'a' + 'A') : c);
    }
    const char *text = tsr_text_of(&w->text, "%.*s", (int)out.len, out.data ? out.data : "");
    tsr_buf_free(&out);
    return text;
}

/* 2x3xf32 */
static void put_type(tsr_buf *out, const tsr_type *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        tsr_buf_printf(out, "%lldx", (long long)t->dims[i]);
    tsr_buf_cstr(out, tsr_dtype_name(tsr_dtype_of(t->elem)));
}

typedef struct {
    tsr_buf bytes, descr, shapes;
    uint32_t n;
} signature;

static void add_type(signature *s, const tsr_type *t)
{
    static const char kinds[] = {[TSR_K_BOOL] = 'b',
                                 [TSR_K_SINT] = 'i',
                                 [TSR_K_UINT] = 'u',
                                 [TSR_K_FLOAT] = 'f',
                                 [TSR_K_COMPLEX] = 'c'};
    tsr_dtype d = tsr_dtype_of(t->elem);
    uint32_t bytes = tsr_dtype_bytes(d);
    int64_t n = 1;
    for (uint32_t i = 0; i < t->n; i++)
        n *= t->dims[i];
    bool raw = tsr_dtype_is_float(d) && (bytes == 1 || d == TSR_D_BF16);
    tsr_buf_printf(&s->bytes, "%llu, ", (unsigned long long)n * bytes);
    tsr_buf_printf(&s->descr, "\"%c%c%u\", ", raw || bytes > 1 ? '<' : '|',
                   raw ? 'V' : kinds[tsr_dtype_kind(d)], bytes);
    tsr_buf_char(&s->shapes, '"');
    for (uint32_t i = 0; i < t->n; i++)
        tsr_buf_printf(&s->shapes, i ? ", %lld" : "%lld", (long long)t->dims[i]);
    tsr_buf_cstr(&s->shapes, t->n == 1 ? ",\", " : "\", ");
    s->n++;
}

static void end_signature(signature *s)
{
    tsr_buf_cstr(&s->bytes, "0");
    tsr_buf_cstr(&s->descr, "0");
    tsr_buf_cstr(&s->shapes, "0");
    tsr_buf_char(&s->bytes, 0);
    tsr_buf_char(&s->descr, 0);
    tsr_buf_char(&s->shapes, 0);
}

static void free_signature(signature *s)
{
    tsr_buf_free(&s->bytes);
    tsr_buf_free(&s->descr);
    tsr_buf_free(&s->shapes);
}

/* Lists arguments and results as a comment. */
static void put_types(tsr_c_writer *w, tsr_buf *out, signature *in, signature *results)
{
    const tsr_block_program *b = &w->p->main;
    for (uint32_t i = 0; i < b->nargs; i++) {
        const tsr_type *t = w->p->values.data[b->args[i]].type;
        tsr_buf_printf(out, " *     in[%u]   ", i);
        put_type(out, t);
        tsr_buf_char(out, '\n');
        add_type(in, t);
    }
    for (uint32_t i = 0; i < b->nresults; i++) {
        const tsr_xvalue *x = &w->p->values.data[tsr_storage_of(w->p, b->results[i])];
        const tsr_type *t =
            x->given_as && b->owned[i] ? x->given_as : w->p->values.data[b->results[i]].type;
        tsr_buf_printf(out, " *     out[%u]  ", i);
        put_type(out, t);
        tsr_buf_char(out, '\n');
        add_type(results, t);
    }
    end_signature(in);
    end_signature(results);
}

static bool is_plain(const tsr_type *t)
{
    if (t->kind != TSR_TYPE_TENSOR || tsr_dtype_of(t->elem) == TSR_D_NONE)
        return false;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->dims[i] < 0)
            return false;
    return true;
}

static bool check_types(tsr_c_writer *w)
{
    const tsr_block_program *b = &w->p->main;
    for (uint32_t i = 0; i < b->nargs; i++)
        if (!is_plain(w->p->values.data[b->args[i]].type))
            return tsr_c_refuse(w, w->p->function->loc, "argument %u is no tensor of known sizes",
                                i);
    for (uint32_t i = 0; i < b->nresults; i++)
        if (!is_plain(w->p->values.data[b->results[i]].type))
            return tsr_c_refuse(w, w->p->function->loc, "result %u is no tensor of known sizes", i);
    return true;
}

/* Refuses sizes that no machine has, and whose sums overflow. */
static bool check_sizes(tsr_c_writer *w)
{
    const uint64_t most = (uint64_t)1 << 46;
    uint64_t all = w->scratch + w->extra + w->p->arena_bytes;
    for (size_t i = 0; i < w->p->values.n && all < most; i++)
        if (w->p->values.data[i].place >= TSR_PLACE_ARENA)
            all += tsr_xvalue_bytes(&w->p->values.data[i]);
    return all < most || tsr_c_refuse(w, w->p->function->loc, "no machine has the memory for it");
}

/* Describes how the file is called and compiled, and the types of its arguments and results. */
static void put_comment(tsr_c_writer *w, tsr_buf *out, const char *fn, const char *macro,
                        signature *in, signature *results)
{
    tsr_buf_printf(out, "/* %s: a model as one file of C99, written by Tessera %d.%d.%d.\n *\n", fn,
                   TSR_VERSION_MAJOR, TSR_VERSION_MINOR, TSR_VERSION_PATCH);
    tsr_buf_printf(
        out,
        " *     int %s(const void *const *in, void *const *out, void *arena, const void "
        "*weights);\n *\n"
        " * Arguments and results are row major; i1 and smaller integers have a byte "
        "each, bf16 and f16 two. arena: %s_ARENA_BYTES\n"
        " * bytes, which the call uses as it likes; weights: %s_WEIGHTS_BYTES bytes, or "
        "NULL where that is 0. Both are at a multiple of 64: malloc\n"
        " * does not promise one, so ask it for 63 bytes more and round up. Nothing may "
        "overlap. The result is 0, or 1 where a place in a cache\n"
        " * is outside of it. Calls with arenas of their own may run side by side.\n *\n",
        fn, macro, macro);
    put_types(w, out, in, results);
    tsr_buf_cstr(out,
                 " *\n * cc -std=c99 -O3 -march=native -ffp-contract=off -fno-math-errno "
                 "-fno-trapping-math FILE -lm\n"
                 " * With -DTESSERA_MAIN it is a program that reads and writes .npy files. */\n");
}

/* The program that the file becomes with TESSERA_MAIN defined. */
static void put_main(tsr_c_writer *w, tsr_buf *out, const char *fn, const char *macro,
                     const signature *in, const signature *results)
{
    tsr_buf file = {0};
    tsr_buf_char(&file, '"');
    for (size_t i = 0; i < w->options->weights_file.len; i++)
        tsr_buf_printf(&file, "\\%03o", (unsigned char)w->options->weights_file.data[i]);
    tsr_buf_cstr(&file, "\"");
    tsr_buf_char(&file, 0);
    const tsr_text_word words[] = {
        {'a', in->bytes.data},
        {'b', results->bytes.data},
        {'d', results->descr.data},
        {'s', results->shapes.data},
        {'x', tsr_text_of(&w->text, "%u", in->n)},
        {'y', tsr_text_of(&w->text, "%u", results->n)},
        {'w', file.data},
        {'W', tsr_text_of(&w->text, "%s_WEIGHTS_BYTES", macro)},
        {'A', tsr_text_of(&w->text, "%s_ARENA_BYTES", macro)},
        {'m', fn},
    };
    tsr_text_print(out, "main", words, TSR_COUNT(words));
    tsr_buf_free(&file);
}

static void put_file(tsr_c_writer *w, tsr_buf *out)
{
    tsr_str name = tsr_op_symbol(w->p->function);
    const char *fn = tsr_text_of(&w->text, "model_%s", identifier(w, name, false));
    const char *macro = tsr_text_of(&w->text, "MODEL_%s", identifier(w, name, true));
    signature in = {0}, results = {0};
    size_t arena = (w->p->arena_bytes + 63) & ~(size_t)63;
    unsigned long long weights = w->options->apart ? w->weights->len : 0;
    put_comment(w, out, fn, macro, &in, &results);
    tsr_text_print(out, "head", NULL, 0);
    tsr_buf_printf(out, "#define %s_ARENA_BYTES %zuu\n#define %s_WEIGHTS_BYTES %lluu\n\n", macro,
                   arena + w->extra + w->scratch + 64, macro, weights);
    tsr_buf_printf(
        out,
        "int %s(const void *const *in, void *const *out, void *arena, const void *weights);\n\n",
        fn);
    tsr_buf_str(out, tsr_buf_text(&w->text.parts));
    tsr_buf_str(out, tsr_buf_text(&w->tables));
    tsr_buf_char(out, '\n');
    tsr_buf_str(out, tsr_buf_text(&w->functions));
    tsr_buf_printf(
        out,
        "int %s(const void *const *in, void *const *out, void *arena, const void *weights)\n{\n"
        "    const tsr_model model = {in, out, (char *)arena, (char *)arena + %zu, "
        "(const char *)weights}, *const m = &model;\n"
        "    char *const w = m->extra + %zu;\n"
        "    int failed = 0;\n",
        fn, arena, w->extra);
    tsr_buf_str(out, tsr_buf_text(&w->body));
    tsr_buf_cstr(out, "    (void)m;\n    (void)w;\n    return failed;\n}\n\n");
    put_main(w, out, fn, macro, &in, &results);
    free_signature(&in);
    free_signature(&results);
}

bool tsr_c_emit(const tsr_program *p, const tsr_c_options *options, tsr_buf *out, tsr_buf *weights)
{
    tsr_c_writer w = {.p = p, .options = options, .weights = weights, .depth = 1};
    tsr_text_init(&w.text, TSR_TEXT_C99);
    w.constants = tsr_xmalloc((p->values.n + 1) * sizeof *w.constants);
    w.places = tsr_xmalloc((p->values.n + 1) * sizeof *w.places);
    memset(w.constants, 0, (p->values.n + 1) * sizeof *w.constants);
    w.results = TSR_NEW_ARRAY(&w.text.arena, tsr_xid, p->values.n + 1);
    for (uint32_t i = p->main.nresults; i-- > 0;) /* the first of equal results */
        if (p->main.owned[i])
            w.results[tsr_storage_of(p, p->main.results[i])] = i + 1;
    bool ok = check_types(&w) && put_block(&w, &p->main) && put_results(&w) && check_sizes(&w);
    if (ok)
        put_file(&w, out);
    tsr_buf_free(&w.tables);
    tsr_buf_free(&w.functions);
    tsr_buf_free(&w.body);
    tsr_text_free(&w.text);
    tsr_free(w.constants);
    tsr_free(w.places);
    return ok;
}
