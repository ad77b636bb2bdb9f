/* SPDX-License-Identifier: Apache-2.0 */
/* numbers.c - instructions with dimension numbers, windows or computations: products, convolutions, gathers, scatters,
 * reductions, sorts. */
#include "text/hlo/reader.h"

#include "dialect/dialect.h"

/* operand_precision={highest,default} */
static bool set_precision(xla_reader *r, const xla_instr *i, tsr_op *op)
{
    tsr_str all = xla_attr_of(i, "operand_precision"), inside, item;
    xla_text t = xla_text_of(all);
    tsr_buf out = {0};
    if (!all.data || !xla_text_inside(&t, &inside))
        return true;
    for (xla_text list = xla_text_of(inside); xla_text_item(&list, &item);)
        tsr_buf_printf(&out, "%s#stablehlo<precision %s>", out.len ? ", " : "",
                       tsr_str_is(item, "highest") ? "HIGHEST"
                       : tsr_str_is(item, "high")  ? "HIGH"
                                                   : "DEFAULT");
    bool ok = xla_set_text(r, i, op, "precision_config", "[%.*s]", TSR_STR_ARG(tsr_buf_text(&out)));
    tsr_buf_free(&out);
    return ok;
}

bool xla_dot(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_str l = xla_list(r, i, "lhs_contracting_dims"), k = xla_list(r, i, "rhs_contracting_dims");
    tsr_str lb = xla_list(r, i, "lhs_batch_dims"), kb = xla_list(r, i, "rhs_batch_dims");
    tsr_op *op = xla_plain(r, i, opcode, 0);
    return xla_set_text(r, i, op, "dot_dimension_numbers",
                        "#stablehlo.dot<lhs_batching_dimensions = [%.*s], "
                        "rhs_batching_dimensions = [%.*s], lhs_contracting_dimensions = [%.*s], "
                        "rhs_contracting_dimensions = [%.*s]>",
                        TSR_STR_ARG(lb), TSR_STR_ARG(kb), TSR_STR_ARG(l), TSR_STR_ARG(k)) &&
           set_precision(r, i, op);
}

bool xla_gather(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    int64_t *sizes;
    uint32_t n;
    TSR_TRY(xla_numbers(r, i, "slice_sizes", true, &sizes, &n));
    tsr_str offset = xla_list(r, i, "offset_dims"), gone = xla_list(r, i, "collapsed_slice_dims");
    tsr_str batch = xla_list(r, i, "operand_batching_dims");
    tsr_str starts = xla_list(r, i, "start_indices_batching_dims");
    tsr_str map = xla_list(r, i, "start_index_map");
    tsr_op *op = xla_plain(r, i, opcode, 0);
    xla_set_ints(r, op, "slice_sizes", sizes, n);
    xla_set_bool(r, op, "indices_are_sorted", xla_attr_of(i, "indices_are_sorted"));
    return xla_set_text(r, i, op, "dimension_numbers",
                        "#stablehlo.gather<offset_dims = [%.*s], collapsed_slice_dims = [%.*s], "
                        "operand_batching_dims = [%.*s], start_indices_batching_dims = [%.*s], "
                        "start_index_map = [%.*s], index_vector_dim = %lld>",
                        TSR_STR_ARG(offset), TSR_STR_ARG(gone), TSR_STR_ARG(batch),
                        TSR_STR_ARG(starts), TSR_STR_ARG(map),
                        (long long)xla_int_of(i, "index_vector_dim", 0));
}

bool xla_scatter(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_str window = xla_list(r, i, "update_window_dims");
    tsr_str inserted = xla_list(r, i, "inserted_window_dims");
    tsr_str batch = xla_list(r, i, "input_batching_dims");
    tsr_str indices = xla_list(r, i, "scatter_indices_batching_dims");
    tsr_str map = xla_list(r, i, "scatter_dims_to_operand_dims");
    tsr_op *op = xla_plain(r, i, opcode, 1);
    xla_set_bool(r, op, "indices_are_sorted", xla_attr_of(i, "indices_are_sorted"));
    xla_set_bool(r, op, "unique_indices", xla_attr_of(i, "unique_indices"));
    return xla_set_text(r, i, op, "scatter_dimension_numbers",
                        "#stablehlo.scatter<update_window_dims = [%.*s], inserted_window_dims = "
                        "[%.*s], input_batching_dims = [%.*s], scatter_indices_batching_dims = "
                        "[%.*s], scatter_dims_to_operand_dims = [%.*s], index_vector_dim = %lld>",
                        TSR_STR_ARG(window), TSR_STR_ARG(inserted), TSR_STR_ARG(batch),
                        TSR_STR_ARG(indices), TSR_STR_ARG(map),
                        (long long)xla_int_of(i, "index_vector_dim", 0)) &&
           xla_region(r, i, op, 0, xla_attr_of(i, "to_apply"));
}

/* ---- Windows ---- */

enum { WINDOW_DIMS = 16 };
typedef struct {
    uint32_t n;
    int64_t size[WINDOW_DIMS], stride[WINDOW_DIMS], base[WINDOW_DIMS], dilate[WINDOW_DIMS],
        pad[2 * WINDOW_DIMS];
    bool reverse[WINDOW_DIMS], reversed;
} window;

/* 1x2x3, or 1_1x0_0 with two numbers each; how many. */
static uint32_t by_x(xla_text *t, int64_t *out, uint32_t each)
{
    uint32_t n = 0;
    do {
        for (uint32_t k = 0; k < each; k++)
            if (n == each * WINDOW_DIMS || (k && !xla_text_take(t, '_')) ||
                !xla_text_int(t, &out[n++]))
                return UINT32_MAX;
    } while (t->p < t->end && *t->p == 'x' && t->p++);
    return n / each;
}

/* window={size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=1x1} */
static bool read_window(xla_reader *r, const xla_instr *i, uint32_t rank, window *w)
{
    tsr_str all = xla_attr_of(i, "window"), inside = {"", 0};
    xla_text t = xla_text_of(all);
    int64_t reverse[WINDOW_DIMS] = {0};
    *w = (window){.n = rank};
    if (rank > WINDOW_DIMS)
        return xla_error(r, i->at, "a window of more than %d dimensions", WINDOW_DIMS);
    for (uint32_t d = 0; d < rank; d++)
        w->size[d] = w->stride[d] = w->base[d] = w->dilate[d] = 1;
    if (!all.data)
        return true;
    if (!xla_text_inside(&t, &inside))
        return xla_error(r, all.data, "expected a window");
    for (xla_text f = xla_text_of(inside);;) {
        tsr_str name = xla_text_word(&f);
        if (!name.len)
            break;
        bool pad = tsr_str_is(name, "pad");
        int64_t *out = pad                                ? w->pad
                       : tsr_str_is(name, "size")         ? w->size
                       : tsr_str_is(name, "stride")       ? w->stride
                       : tsr_str_is(name, "lhs_dilate")   ? w->base
                       : tsr_str_is(name, "rhs_dilate")   ? w->dilate
                       : tsr_str_is(name, "rhs_reversal") ? reverse
                                                          : NULL;
        if (!out || !xla_text_take(&f, '=') || by_x(&f, out, pad ? 2 : 1) != rank)
            return xla_error(r, name.data, "expected a field of a window with %u dimensions", rank);
    }
    for (uint32_t d = 0; d < rank; d++)
        w->reversed |= w->reverse[d] = reverse[d] == 1;
    return true;
}

static void set_padding(xla_reader *r, tsr_op *op, const window *w)
{
    int64_t dims[] = {w->n, 2};
    tsr_type *type =
        tsr_type_tensor(r->ctx, dims, 2, tsr_type_integer(r->ctx, 64, TSR_SIGNLESS), NULL);
    xla_set(op, "padding",
            tsr_attr_dense(r->ctx, r->m, type, w->pad, 2 * w->n * sizeof(int64_t), false));
}

bool xla_reduce_window(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    window w;
    if (!i->nin || !i->in[0]->shape->type)
        return xla_error(r, i->at, "'reduce-window' has no operand");
    TSR_TRY(read_window(r, i, i->in[0]->shape->type->n, &w));
    tsr_op *op = xla_plain(r, i, opcode, 1);
    xla_set_ints(r, op, "window_dimensions", w.size, w.n);
    xla_set_ints(r, op, "window_strides", w.stride, w.n);
    xla_set_ints(r, op, "base_dilations", w.base, w.n);
    xla_set_ints(r, op, "window_dilations", w.dilate, w.n);
    set_padding(r, op, &w);
    return xla_region(r, i, op, 0, xla_attr_of(i, "to_apply"));
}

bool xla_select_and_scatter(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    window w;
    if (!i->nin || !i->in[0]->shape->type)
        return xla_error(r, i->at, "'select-and-scatter' has no operand");
    TSR_TRY(read_window(r, i, i->in[0]->shape->type->n, &w));
    tsr_op *op = xla_plain(r, i, opcode, 2);
    xla_set_ints(r, op, "window_dimensions", w.size, w.n);
    xla_set_ints(r, op, "window_strides", w.stride, w.n);
    set_padding(r, op, &w);
    return xla_region(r, i, op, 0, xla_attr_of(i, "select")) &&
           xla_region(r, i, op, 1, xla_attr_of(i, "scatter"));
}

/* "b01f" as "b, 0, 1, f" */
static void spell_dims(tsr_buf *out, const char *p, size_t n)
{
    for (size_t k = 0; k < n; k++)
        tsr_buf_printf(out, "%s%c", k ? ", " : "", p[k]);
}

/* dim_labels=b01f_01io->b01f */
static bool set_labels(xla_reader *r, const xla_instr *i, tsr_op *op)
{
    tsr_str all = xla_attr_of(i, "dim_labels");
    const char *end = TSR_FROM(all.data, all.len);
    const char *rhs = all.data ? memchr(all.data, '_', all.len) : NULL;
    const char *arrow = rhs ? memchr(rhs, '-', (size_t)(end - rhs)) : NULL;
    if (!arrow || arrow + 2 > end)
        return xla_error(r, i->at, "'convolution' has no dim_labels");
    tsr_buf out = {0};
    tsr_buf_cstr(&out, "#stablehlo.conv<[");
    spell_dims(&out, all.data, (size_t)(rhs - all.data));
    tsr_buf_cstr(&out, "]x[");
    spell_dims(&out, rhs + 1, (size_t)(arrow - rhs - 1));
    tsr_buf_cstr(&out, "]->[");
    spell_dims(&out, arrow + 2, (size_t)(end - arrow - 2));
    bool ok =
        xla_set_text(r, i, op, "dimension_numbers", "%.*s]>", TSR_STR_ARG(tsr_buf_text(&out)));
    tsr_buf_free(&out);
    return ok;
}

bool xla_convolution(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    window w;
    if (i->nin != 2 || !tsr_type_is(i->in[0]->shape->type, TSR_TYPE_TENSOR) ||
        i->in[0]->shape->type->n < 2)
        return xla_error(r, i->at, "'convolution' needs two operands");
    TSR_TRY(read_window(r, i, i->in[0]->shape->type->n - 2, &w));
    tsr_op *op = xla_plain(r, i, opcode, 0);
    xla_set_ints(r, op, "window_strides", w.stride, w.n);
    xla_set_ints(r, op, "lhs_dilation", w.base, w.n);
    xla_set_ints(r, op, "rhs_dilation", w.dilate, w.n);
    if (w.reversed)
        xla_set(op, "window_reversal",
                tsr_attr_dense_array(r->ctx, tsr_type_integer(r->ctx, 1, TSR_SIGNLESS), w.reverse,
                                     w.n));
    set_padding(r, op, &w);
    xla_set(op, "feature_group_count",
            tsr_attr_i64(r->ctx, xla_int_of(i, "feature_group_count", 1)));
    xla_set(op, "batch_group_count", tsr_attr_i64(r->ctx, xla_int_of(i, "batch_group_count", 1)));
    return set_labels(r, i, op) && set_precision(r, i, op);
}

/* ---- With computations ---- */

static bool with_body(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    int64_t *dims;
    uint32_t n;
    TSR_TRY(xla_numbers(r, i, "dimensions", false, &dims, &n));
    tsr_op *op = xla_plain(r, i, opcode, 1);
    xla_set_ints(r, op, "dimensions", dims, n);
    return xla_region(r, i, op, 0, xla_attr_of(i, "to_apply"));
}

bool xla_reduce(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    return with_body(r, i, opcode);
}

bool xla_map(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    return with_body(r, i, opcode);
}

bool xla_sort(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_op *op = xla_plain(r, i, opcode, 1);
    xla_set(op, "dimension", tsr_attr_i64(r->ctx, xla_int_of(i, "dimensions", 0)));
    xla_set_bool(r, op, "is_stable", xla_attr_of(i, "is_stable"));
    return xla_region(r, i, op, 0, xla_attr_of(i, "to_apply"));
}

bool xla_top_k(xla_reader *r, xla_instr *i, uint16_t opcode)
{
    tsr_str largest = xla_attr_of(i, "largest");
    if (largest.data && tsr_str_is(largest, "false"))
        return xla_opaque(r, i, "it finds the smallest elements");
    tsr_op *op = xla_plain(r, i, opcode, 0);
    xla_set(op, "k", tsr_attr_i64(r->ctx, xla_int_of(i, "k", 1)));
    return true;
}
