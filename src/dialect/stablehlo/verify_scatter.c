/* SPDX-License-Identifier: Apache-2.0 */
/* verify_scatter.c - scatter: how the dimensions of inputs, indices and updates correspond. */
#include "dialect/hooks.h"
#include "dialect/stablehlo/rules.h"

typedef struct {
    const tsr_op *op;
    size_t n; /* inputs, and as many updates */
    tsr_type *const *inputs, *const *updates;
    tsr_gather d;
    const int64_t *indices; /* shape of the indices, with an appended 1 if vector_dim says so */
    size_t rank;
} scatter;

bool infer_stablehlo_scatter(const tsr_op *op, tsr_type_vec *out)
{
    for (size_t i = 0; i < op->nin / 2; i++) {
        tsr_type *t = tsr_hlo_in(op, i);
        tsr_vec_push(out, tsr_hlo_with_element(t, tsr_hlo_accumulator(&op->regions[0], i, t)));
    }
    return true;
}

/* ---- Dimension numbers ---- */

static bool is_sorted(const tsr_attr *dims)
{
    for (size_t i = 1; i < tsr_hlo_len(dims); i++)
        if (tsr_hlo_at(dims, i - 1) > tsr_hlo_at(dims, i))
            return false;
    return true;
}

static bool check_sorted(const scatter *s, const tsr_attr *dims, const char *name)
{
    return is_sorted(dims) || tsr_hlo_error(s->op, "Expects %s to be sorted; got: [%s].", name,
                                            tsr_hlo_show_ints(s->op->module->ctx, dims));
}

static bool check_no_repeat(const scatter *s, const tsr_attr *dims, const char *name)
{
    return tsr_hlo_is_unique(dims) ||
           tsr_hlo_error(s->op, "Expects %s to not repeat; got: [%s].", name,
                         tsr_hlo_show_ints(s->op->module->ctx, dims));
}

/* Window dimensions: those of updates, and those of inputs that updates do not have. */
static bool check_window_dims(const scatter *s, const tsr_type *input, const tsr_type *update)
{
    const tsr_op *op = s->op;
    const tsr_gather *d = &s->d;
    size_t size = (size_t)d->window.n + d->dropped.n + d->batch.n;
    if (input->n != size)
        return tsr_hlo_error(
            op,
            "Expects rank-of operand to match size-of('update_window_dims') + "
            "size-of('inserted_window_dims') + size-of('input_batching_dims') i.e. %zu but got %u.",
            size, input->n);
    TSR_TRY(check_sorted(s, d->window.attr, "update_window_dims"));
    TSR_TRY(check_no_repeat(s, d->window.attr, "update_window_dims"));
    TSR_TRY(tsr_hlo_check_dims(op, d->window.attr, update->n, "update_window_dims",
                               "rank-of('updates')"));
    TSR_TRY(tsr_hlo_check_distinct(op, d->dropped.attr, d->batch.attr, "inserted_window_dims",
                                   "input_batching_dims"));
    TSR_TRY(check_sorted(s, d->dropped.attr, "inserted_window_dims"));
    return tsr_hlo_check_dims(op, d->dropped.attr, input->n, "inserted_window_dims",
                              "rank-of('operand')");
}

static bool check_batching_dims(const scatter *s, const tsr_type *input)
{
    const tsr_op *op = s->op;
    tsr_ints of_input = s->d.batch, of_indices = s->d.index_batch;
    TSR_TRY(check_sorted(s, of_input.attr, "input_batching_dims"));
    TSR_TRY(tsr_hlo_check_dims(op, of_input.attr, input->n, "input_batching_dims",
                               "rank-of('operand')"));
    TSR_TRY(check_no_repeat(s, of_indices.attr, "scatter_indices_batching_dims"));
    TSR_TRY(tsr_hlo_check_dims(op, of_indices.attr, (int64_t)s->rank,
                               "scatter_indices_batching_dims", "rank-of('scatter_indices')"));
    if (tsr_ints_has(of_indices, s->d.vector))
        return tsr_hlo_error(
            op, "expects scatter_indices_batching_dims not to include index_vector_dim %lld.",
            (long long)s->d.vector);
    if (of_input.n != of_indices.n)
        return tsr_hlo_error(
            op, "input_batching_dims and scatter_indices_batching_dims should have the same size.");
    for (size_t i = 0; i < of_input.n; i++) {
        int64_t a = input->dims[tsr_ints_at(of_input, i)],
                b = s->indices[tsr_ints_at(of_indices, i)];
        if (!tsr_hlo_dims_compatible(a, b))
            return tsr_hlo_error(op,
                                 "input_batching_dims[%zu] and scatter_indices_batching_dims[%zu] "
                                 "must have compatible "
                                 "sizes, but got %lld and %lld.",
                                 i, i, (long long)a, (long long)b);
    }
    return true;
}

/* Which dimensions of an input the elements of an index vector refer to. */
static bool check_index_dims(const scatter *s, const tsr_type *input)
{
    tsr_ints to_operand = s->d.map;
    int64_t bound = s->indices[s->d.vector];
    if (bound != TSR_DYNAMIC && (int64_t)to_operand.n != bound)
        return tsr_hlo_error(
            s->op,
            "Scatter op has %zu elements in scatter_dims_to_operand_dims and the bound of "
            "dimension "
            "index_vector_dim=%lld of scatter_indices is %lld. These two numbers must be equal.",
            (size_t)to_operand.n, (long long)s->d.vector, (long long)bound);
    TSR_TRY(tsr_hlo_check_distinct(s->op, to_operand.attr, s->d.batch.attr,
                                   "scatter_dims_to_operand_dims", "input_batching_dims"));
    return tsr_hlo_check_dims(s->op, to_operand.attr, input->n, "scatter_dims_to_operand_dims",
                              "rank-of('operand')");
}

/* ---- Shapes of updates ---- */

static bool check_update_ranks(const scatter *s)
{
    size_t want = s->rank - 1 + s->d.window.n;
    for (size_t i = 0; i < s->n; i++)
        if (s->updates[i]->n != want)
            return tsr_hlo_error(
                s->op,
                "expects updates tensor must be of rank %zu ( == rank-of('scatter_indices') - 1 + "
                "size-of('update_window_dims'), where 'scatter_indices' is expanded by a trailing "
                "1 "
                "dimension if 'index_vector_dim' == rank-of('scatter_indices')), but got %u.",
                want, s->updates[i]->n);
    return true;
}

/* Windows of updates must fit in the dimensions of the input that are neither inserted nor batching. */
static bool check_window_sizes(const scatter *s, const tsr_type *input, const tsr_type *update)
{
    tsr_ints window = s->d.window, inserted = s->d.dropped, batching = s->d.batch;
    size_t ninserted = 0, nbatching = 0, w = 0;
    for (uint32_t d = 0; d < input->n && w < window.n; d++) {
        if (ninserted < inserted.n && tsr_ints_at(inserted, ninserted) == d) {
            ninserted++;
            continue;
        }
        if (nbatching < batching.n && tsr_ints_at(batching, nbatching) == d) {
            nbatching++;
            continue;
        }
        int64_t at = tsr_ints_at(window, w++), size = update->dims[at], room = input->dims[d];
        if (size != TSR_DYNAMIC && room != TSR_DYNAMIC && size > room)
            return tsr_hlo_error(s->op,
                                 "expects bounds of the window dimensions of updates to not exceed "
                                 "the bounds of the "
                                 "corresponding dimensions of operand. For dimension %lld, updates "
                                 "bound is %lld, operand "
                                 "bound is %lld.",
                                 (long long)at, (long long)size, (long long)room);
    }
    return true;
}

/* The other dimensions of updates are those of the indices, without that of index vectors. */
static bool check_scatter_sizes(const scatter *s, const tsr_type *update)
{
    tsr_ints window = s->d.window;
    size_t w = 0, seen = 0;
    for (uint32_t d = 0; d < update->n; d++) {
        if (w < window.n && tsr_ints_at(window, w) == d) {
            w++;
            continue;
        }
        seen += (int64_t)seen == s->d.vector;
        int64_t want = s->indices[seen++];
        if (!tsr_hlo_dims_compatible(update->dims[d], want))
            return tsr_hlo_error(s->op,
                                 "expects bounds of the scatter dimensions of updates to be same "
                                 "as the bounds of the "
                                 "corresponding dimensions of scatter indices. For scatter "
                                 "dimension %u, updates bound is "
                                 "%lld , scatter_indices bound is %lld.",
                                 d, (long long)update->dims[d], (long long)want);
    }
    return true;
}

/* ---- The op ---- */

static bool check_same_shapes(const scatter *s, tsr_type *const *types, const char *what)
{
    for (size_t i = 1; i < s->n; i++)
        if (!tsr_hlo_compatible_shape(types[0], types[i]))
            return tsr_hlo_error(s->op, "Not all %s have compatible shapes.", what);
    return true;
}

static bool check_reducer(const scatter *s)
{
    tsr_ctx *ctx = s->op->module->ctx;
    tsr_type_vec inits = {0};
    for (size_t i = 0; i < s->n; i++)
        tsr_vec_push(&inits, tsr_type_tensor(ctx, NULL, 0, s->updates[i]->elem, NULL));
    tsr_hlo_reduction r = {.inputs = s->inputs, .inits = inits.data, .n = s->n};
    bool ok = tsr_hlo_verify_reducer(s->op, &s->op->regions[0], &r);
    tsr_vec_free(&inits);
    return ok;
}

static bool check_all(const scatter *s)
{
    TSR_TRY(check_reducer(s));
    TSR_TRY(check_update_ranks(s));
    for (size_t i = 0; i < s->n; i++)
        TSR_TRY(check_window_dims(s, s->inputs[i], s->updates[i]) &&
                check_batching_dims(s, s->inputs[i]) && check_index_dims(s, s->inputs[i]));
    for (size_t i = 0; i < s->n; i++)
        TSR_TRY(check_window_sizes(s, s->inputs[i], s->updates[i]) &&
                check_scatter_sizes(s, s->updates[i]));
    return true;
}

bool verify_stablehlo_scatter(tsr_op *op)
{
    tsr_type_vec types = {0};
    tsr_i64_vec shape = {0};
    if (op->nin % 2 == 0) /* the generic form can have any number */
        return tsr_hlo_error(op,
                             "Expects inputs, indices, and as many updates as inputs; got %u "
                             "operands.",
                             op->nin);
    tsr_hlo_operand_types(op, 0, op->nin, &types);
    size_t n = op->nin / 2;
    const tsr_type *indices = types.data[n];
    scatter s = {.op = op, .n = n, .inputs = types.data, .updates = types.data + n + 1};
    tsr_gather_of(op, &s.d);
    bool ok = check_same_shapes(&s, s.inputs, "inputs") &&
              check_same_shapes(&s, s.updates, "updates") &&
              tsr_hlo_check_dim(op, s.d.vector, indices->n, "index_vector_dim",
                                "rank-of('scatter_indices')", true);
    if (ok) {
        for (uint32_t i = 0; i < indices->n; i++)
            tsr_vec_push(&shape, indices->dims[i]);
        if (s.d.vector == indices->n)
            tsr_vec_push(&shape, 1);
        s.indices = shape.data;
        s.rank = shape.n;
        ok = check_all(&s);
    }
    tsr_vec_free(&types);
    tsr_vec_free(&shape);
    return ok;
}
