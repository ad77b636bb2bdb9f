/* SPDX-License-Identifier: Apache-2.0 */
/* product.c - emits matrix products, with the loop over their blocks: calls of the kernels in text/. Sums are in the
 * engine's order. */
#include "base/round.h"
#include "exec/contract.h"
#include "exec/kernel/gemm.h"
#include "exec/kernel/thin.h"
#include "target/c/writer.h"

enum {
    BLOCK_ROWS = 144,     /* as in text/gemm.txt */
    BLOCK_COLS = 256,     /* of a block */
    MOST_ROWS = 16,       /* of a tile: no tile has more */
    COLS = 32,            /* a multiple of the columns of every tile */
    NEAR = 1 << 20,       /* elements of B that are packed at a time, approximately */
    STRIP = TSR_THIN_COLS /* of products with few rows */
};

/* Types of a product, as the texts name them. */
typedef struct {
    tsr_dtype in, sum, to;
    const char *name;    /* of the functions: f32, bf16_f32 */
    const char *in_type; /* of elements */
    const char *sum_type, *sum_name, *load, *fma;
} kind;

static bool find_kind(tsr_c_writer *w, const tsr_contract *c, kind *k)
{
    *k = (kind){.in = (tsr_dtype)c->type, .to = (tsr_dtype)c->to};
    k->sum = tsr_contract_sum(k->in, k->to);
    bool is_int = tsr_dtype_is_int(k->in), wide = tsr_dtype_bytes(k->sum) == 8;
    k->in_type = tsr_text_type(k->in);
    k->sum_type = is_int ? (wide ? "uint64_t" : "uint32_t") : tsr_text_type(k->sum);
    k->sum_name = is_int ? (wide ? "u64" : "u32") : tsr_text_name(k->sum);
    k->fma = wide ? "fma" : "fmaf";
    if (is_int)
        k->load = wide ? "(uint64_t)" : "(uint32_t)";
    else if (k->in == k->sum)
        k->load = "";
    else if (k->in == TSR_D_F32)
        k->load = "(double)";
    else
        k->load = tsr_text_of(&w->text, "%sfrom_%s", wide ? "(double)" : "", tsr_text_name(k->in));
    if (!is_int && k->in != k->sum && k->in != TSR_D_F32)
        TSR_TEXT_PART(&w->text, "convert", {'-', ""});
    k->name = k->in == k->sum ? tsr_text_name(k->sum)
                              : tsr_text_of(&w->text, "%s_%s", tsr_text_name(k->in), k->sum_name);
    return k->in_type && k->sum_type;
}

static void need_tiles(tsr_c_writer *w, const kind *k)
{
    TSR_TEXT_PART(&w->text, "view", {'-', ""});
    TSR_TEXT_PART(&w->text, "gemm_types", {'-', ""});
    TSR_TEXT_PART(&w->text, "vector", {'-', ""});
    tsr_text_part(&w->text, tsr_dtype_is_int(k->in) ? "micro_int" : "micro",
                  (const tsr_text_word[]){{'s', k->sum_name}, {'S', k->sum_type}}, 2);
    TSR_TEXT_PART(&w->text, "tile", {'s', k->sum_name}, {'S', k->sum_type});
}

static void need_gemm(tsr_c_writer *w, const kind *k)
{
    need_tiles(w, k);
    TSR_TEXT_PART(&w->text, "gemm", {'n', k->name}, {'s', k->sum_name}, {'S', k->sum_type},
                  {'i', k->in_type}, {'l', k->load});
}

static const char *grid_of(tsr_c_writer *w, const tsr_grid *g)
{
    if (!g)
        return "NULL";
    tsr_buf out = {0};
    for (int i = 0; i < 2; i++) {
        const tsr_xview *v = i ? &g->steps : &g->lines;
        tsr_buf_printf(&out, "%s{%u, ", i ? ", " : "", v->space.rank);
        tsr_c_ints(&out, &v->offset, 1);
        tsr_buf_cstr(&out, ", {");
        tsr_c_ints(&out, v->space.dims, v->space.rank);
        tsr_buf_cstr(&out, v->space.rank ? "}, {" : "0}, {0");
        tsr_c_ints(&out, v->strides, v->space.rank);
        tsr_buf_cstr(&out, "}}");
    }
    uint32_t number = tsr_c_table(w, "tsr_grid", tsr_buf_text(&out));
    tsr_buf_free(&out);
    return tsr_text_of(&w->text, "&table%u", number);
}

/* A pointer to the image that windows are read from, copied with its zero padding to scratch memory. from: the image
 * without it. */
static const char *padded(tsr_c_function *f, const tsr_grid_pad *pad, const char *from,
                          uint32_t elem, size_t at)
{
    tsr_c_writer *w = f->w;
    tsr_buf out = {0};
    int64_t rows = 1;
    const int64_t *lists[] = {pad->dims, pad->low, pad->sizes, pad->strides};
    const int64_t numbers[] = {pad->row, pad->before, pad->skip, pad->count};
    TSR_TEXT_PART(&w->text, "pad", {'-', ""});
    tsr_buf_printf(&out, "%u", pad->rank);
    for (size_t i = 0; i < TSR_COUNT(lists); i++) {
        tsr_buf_cstr(&out, ", {");
        tsr_c_ints(&out, lists[i], pad->rank);
        tsr_buf_char(&out, '}');
    }
    tsr_buf_cstr(&out, ", ");
    tsr_c_ints(&out, numbers, TSR_COUNT(numbers));
    for (int i = 0; i < pad->rank; i++)
        rows *= pad->dims[i];
    uint32_t number = tsr_c_table(w, "tsr_pad", tsr_buf_text(&out));
    tsr_buf_free(&out);
    tsr_buf_printf(&f->text, "    tsr_fill(&table%u, %u, %s, %lld, w + %zu);\n", number, elem, from,
                   (long long)rows, at);
    return tsr_text_of(&w->text, "w + %zu", at);
}

static int64_t padded_bytes(const tsr_grid_pad *pad, uint32_t elem)
{
    int64_t n = pad->row * elem;
    for (int i = 0; i < pad->rank; i++)
        n *= pad->dims[i];
    return n;
}

/* ---- The loop over a block ---- */

/* Converts the sums of a product without an epilogue to the type of its result. */
static bool put_narrow(tsr_c_function *f, const kind *k, const tsr_contract *c, const char *to,
                       tsr_buf *out)
{
    const char *v = tsr_text_convert(&f->w->text, k->to, k->sum, "q[i]"),
               *type = tsr_text_type(k->sum);
    if (!v || !tsr_text_type(k->to))
        return false;
    long long m = (long long)c->side[0].rest, n = (long long)c->side[1].rest;
    tsr_buf_printf(out,
                   "    for (int64_t k = 0; k < b->rows; k++) {\n"
                   "        const int64_t s = (b->batch * %lld + b->row + k) * %lld + b->col;\n"
                   "        const %s *const q = (const %s *)b->at + k * b->stride;\n"
                   "        %s *const to = (%s *)p[%u] + s;\n"
                   "        TSR_LOOP\n"
                   "        for (int64_t i = 0; i < b->cols; i++)\n"
                   "            to[i] = (%s)%s;\n"
                   "    }\n",
                   m, n, type, type, tsr_text_type(k->to), tsr_text_type(k->to),
                   tsr_c_pointer(f, to), tsr_text_type(k->to), v);
    return true;
}

/* Scratch memory after that of the loop. */
typedef struct {
    size_t at;
} memory;

static size_t take(memory *m, int64_t bytes)
{
    size_t at = m->at;
    m->at += ((size_t)bytes + 63) & ~(size_t)63;
    return at;
}

typedef struct {
    const char *epilogue; /* its name, or NULL */
    size_t bytes;         /* of scratch memory that it needs */
} behind;

static bool fail(tsr_c_function *f)
{
    tsr_buf_free(&f->text);
    tsr_vec_free(&f->at);
    return false;
}

static bool find_epilogue(tsr_c_function *f, const tsr_xgroup *g, const tsr_node *n, const kind *k,
                          behind *out)
{
    tsr_buf text = {0};
    bool ok = true;
    *out = (behind){"NULL", 0};
    if (g->product != TSR_XNONE)
        ok = tsr_c_block_loop(f, g, &text, &out->bytes);
    else if (k->to != k->sum)
        ok = put_narrow(f, k, n->contract, tsr_c_at(f->w, n->out[0]), &text) ||
             tsr_c_refuse_op(f->w, n->op, "a product of this type");
    else
        return true;
    if (!ok) {
        tsr_buf_free(&text);
        return false;
    }
    out->epilogue = tsr_text_of(&f->w->text, "e%u", tsr_c_epilogue(f, &text));
    out->bytes = (out->bytes + 63) & ~(size_t)63;
    return true;
}

/* A pointer to a side's first element. */
static const char *side_at(tsr_c_function *f, tsr_xid v, const tsr_contract_side *s, tsr_dtype d)
{
    const char *at = tsr_c_at(f->w, tsr_storage_of(f->w->p, v));
    if (!at)
        return NULL;
    return tsr_text_of(&f->w->text, "p[%u] + %lld", tsr_c_pointer(f, at),
                       (long long)s->offset * (int64_t)tsr_dtype_bytes(d));
}

/* ---- Chains ---- */

/* The parameters of a chain as a table; returns its number. transposed: the second product is transposed. */
static uint32_t chain_table(tsr_c_writer *w, const tsr_contract_side *a, const tsr_contract_side *b,
                            const tsr_contract_side *v, bool transposed, memory *m)
{
    enum { NEAR_BYTES = 384 << 10, MOST_BLOCK = 48 };
    int64_t n = tsr_round_up(b->rest, COLS), d = tsr_round_up(v->rest, COLS);
    int64_t block = tsr_min(tsr_min(NEAR_BYTES / 4 / n, MOST_BLOCK), a->rest);
    block = block < 1 ? 1 : tsr_round_up(block, 12);
    take(m, MOST_ROWS * a->contract * 4);
    int64_t at[4];
    at[0] = (int64_t)take(m, n * a->contract * 4);
    at[1] = (int64_t)take(m, d * b->rest * 4);
    at[2] = (int64_t)take(m, block * b->rest * 4);
    at[3] = (int64_t)take(m, block * v->rest * 4);
    const int64_t numbers[] = {a->batch,
                               a->rest,
                               b->rest,
                               a->contract,
                               v->rest,
                               a->batch_stride,
                               a->rest_stride,
                               a->contract_stride,
                               b->batch_stride,
                               b->contract_stride,
                               b->rest_stride,
                               v->batch_stride,
                               v->contract_stride,
                               v->rest_stride,
                               a->rest * v->rest,
                               transposed ? 1 : v->rest,
                               transposed ? a->rest : 1,
                               block,
                               at[0],
                               at[1],
                               at[2],
                               at[3]};
    tsr_buf table = {0};
    tsr_c_ints(&table, numbers, TSR_COUNT(numbers));
    uint32_t number = tsr_c_table(w, "tsr_chain", tsr_buf_text(&table));
    tsr_buf_free(&table);
    return number;
}

static bool chain(tsr_c_writer *w, const tsr_xgroup *g)
{
    const tsr_program *p = w->p;
    const tsr_node *first = &p->nodes.data[g->product], *then = &p->nodes.data[g->then];
    const tsr_contract_side *a = &first->contract->side[0], *b = &first->contract->side[1];
    tsr_xid rows = tsr_storage_of(p, then->in[0]);
    bool transposed = p->values.data[rows].node == TSR_XNONE ||
                      tsr_xgroup_find(p, p->nodes.data[p->values.data[rows].node].group) != g->into;
    const tsr_contract_side *v = &then->contract->side[!transposed];
    tsr_c_function f = {.w = w};
    kind k;
    behind e;
    find_kind(w, first->contract, &k);
    need_gemm(w, &k);
    TSR_TEXT_PART(&w->text, "chain", {'-', ""});
    if (!find_epilogue(&f, g, first, &k, &e))
        return fail(&f);
    memory m = {0};
    uint32_t number = chain_table(w, a, b, v, transposed, &m);
    const char *x = side_at(&f, first->in[0], a, TSR_D_F32),
               *y = side_at(&f, first->in[1], b, TSR_D_F32),
               *z = side_at(&f, then->in[!transposed], v, TSR_D_F32),
               *to = tsr_c_at(w, then->out[0]);
    if (!x || !y || !z || !to) {
        tsr_c_refuse_op(w, first->op, "a value without a place");
        return fail(&f);
    }
    tsr_buf_printf(&f.text,
                   "    tsr_run_chain(&table%u, (const float *)(%s), (const float *)(%s),\n"
                   "        (const float *)(%s), (float *)p[%u], w + %zu, %s, p, w);\n",
                   number, x, y, z, tsr_c_pointer(&f, to), e.bytes, e.epilogue);
    f.scratch = e.bytes + m.at;
    tsr_c_call(&f);
    return true;
}

/* ---- Products ---- */

typedef enum { PLAIN, THIN, WINDOWS, DIRECT } form;

static form form_of(const tsr_contract *c, bool rows)
{
    const tsr_contract_side *a = &c->side[0], *b = &c->side[1];
    const tsr_gemm g = {.type = (tsr_dtype)c->type,
                        .out_type = (tsr_dtype)c->to,
                        .m = a->rest,
                        .n = b->rest,
                        .k = a->contract,
                        .b_k = b->contract_stride,
                        .b_n = b->rest_stride,
                        .a_grid = a->grid,
                        .b_grid = b->grid,
                        .rows = rows};
    return c->direct                  ? DIRECT
           : tsr_thin_fits(&g)        ? THIN
           : tsr_gemm_sums_in_one(&g) ? WINDOWS
                                      : PLAIN;
}

/* The parameters of a product as a table; returns its number. */
static uint32_t table_of(tsr_c_writer *w, const tsr_contract *c, form how, bool rows, bool apart,
                         size_t sum_bytes, memory *m)
{
    const tsr_contract_side *a = &c->side[0], *b = &c->side[1];
    int64_t bytes = (int64_t)sum_bytes, k = a->contract, nc = BLOCK_COLS, at_b = 0, at_c = 0;
    if (rows || how == WINDOWS)
        nc = tsr_round_up(b->rest, COLS);
    else if (k > 0 && nc * k > NEAR)
        nc = NEAR / k > COLS ? NEAR / k / COLS * COLS : COLS;
    nc = tsr_min(nc, tsr_round_up(b->rest, COLS));
    if (how == THIN) {
        take(m, a->rest * k * bytes);
        at_c = (int64_t)take(m, TSR_THIN_ROWS * STRIP * bytes);
    } else if (how == DIRECT) {
        at_c = (int64_t)take(m, b->rest * bytes);
    } else {
        if (how == PLAIN)
            take(m, (a->rest + MOST_ROWS) * k * bytes);
        at_b = (int64_t)take(m, nc * k * bytes);
        at_c = (int64_t)take(m, apart ? BLOCK_ROWS * nc * bytes : 0);
    }
    const int64_t numbers[] = {a->batch,
                               a->rest,
                               b->rest,
                               k,
                               a->batch_stride,
                               a->rest_stride,
                               a->contract_stride,
                               b->batch_stride,
                               b->contract_stride,
                               b->rest_stride,
                               nc,
                               at_b,
                               at_c};
    tsr_buf out = {0};
    tsr_c_ints(&out, numbers, TSR_COUNT(numbers));
    tsr_buf_printf(&out, ", %s, %s", grid_of(w, a->grid), grid_of(w, b->grid));
    uint32_t number = tsr_c_table(w, "tsr_gemm", tsr_buf_text(&out));
    tsr_buf_free(&out);
    return number;
}

/* The name of the function that multiplies, whose text is added. */
static const char *function_of(tsr_c_writer *w, const kind *k, form how)
{
    if (how == THIN) {
        TSR_TEXT_PART(&w->text, "thin", {'n', k->name}, {'i', k->in_type}, {'S', k->sum_type},
                      {'l', k->load}, {'f', k->fma});
        return tsr_text_of(&w->text, "tsr_thin_%s", k->name);
    }
    if (how == DIRECT) {
        TSR_TEXT_PART(&w->text, "direct", {'s', k->sum_name}, {'S', k->sum_type});
        return tsr_text_of(&w->text, "tsr_direct_%s", k->sum_name);
    }
    if (how == WINDOWS) {
        TSR_TEXT_PART(&w->text, "windows", {'-', ""});
        return "tsr_windows";
    }
    return tsr_text_of(&w->text, "tsr_gemm_%s", k->name);
}

bool tsr_c_product(tsr_c_writer *w, const tsr_xgroup *g)
{
    if (g->then != TSR_XNONE)
        return chain(w, g);
    const tsr_program *p = w->p;
    bool alone = g->product == TSR_XNONE, rows = !alone && g->mode == TSR_LOOP_ROWS;
    const tsr_node *n = &p->nodes.data[alone ? g->nodes.data[0] : g->product];
    const tsr_contract *c = n->contract;
    tsr_c_function f = {.w = w};
    kind k;
    behind e;
    if (!find_kind(w, c, &k))
        return tsr_c_refuse_op(w, n->op, "a product of this type");
    form how = form_of(c, rows);
    if (how == PLAIN || how == WINDOWS)
        need_gemm(w, &k);
    else
        need_tiles(w, &k);
    if (!find_epilogue(&f, g, n, &k, &e))
        return fail(&f);
    const char *fn = function_of(w, &k, how);
    memory m = {0};
    bool apart = strcmp(e.epilogue, "NULL") != 0;
    uint32_t table = table_of(w, c, how, rows, apart, tsr_dtype_bytes(k.sum), &m);
    const char *x = side_at(&f, n->in[0], &c->side[0], k.in),
               *y = side_at(&f, n->in[1], &c->side[1], k.in),
               *to = alone ? tsr_c_at(w, n->out[0]) : NULL;
    if (!x || !y || (alone && !to)) {
        tsr_c_refuse_op(w, n->op, "a value without a place");
        return fail(&f);
    }
    const char **each[2] = {&x, &y};
    uint32_t elem = tsr_dtype_bytes(k.in);
    for (int i = 0; i < 2; i++) {
        const tsr_grid_pad *pad = c->side[i].grid ? c->side[i].grid->pad : NULL;
        if (pad)
            *each[i] = padded(&f, pad, *each[i], elem, e.bytes + take(&m, padded_bytes(pad, elem)));
    }
    tsr_buf_printf(&f.text, "    %s(&table%u, %s, %s, ", fn, table, x, y);
    if (apart)
        tsr_buf_printf(&f.text, "NULL, w + %zu, %s, p, w);\n", e.bytes, e.epilogue);
    else
        tsr_buf_printf(&f.text, "(%s *)p[%u], w, NULL, NULL, NULL);\n", k.sum_type,
                       tsr_c_pointer(&f, to));
    f.scratch = e.bytes + m.at;
    tsr_c_call(&f);
    return true;
}
