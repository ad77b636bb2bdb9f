/* SPDX-License-Identifier: Apache-2.0 */
/* ops_places.c - gather, scatter, orders, transforms, solvers, random numbers. */
#include "program.h"

/* ---- Indices ---- */

typedef struct {
    shape operand, indices, slices;
    int64_t sizes[RANK], offset[RANK], collapsed[RANK], in_batch[RANK], index_batch[RANK],
        map[RANK];
    int noffset, ncollapsed, nbatch, nmap, vector_dim;
} places;

/* Where slices of an operand are, as gather and scatter have it. */
static bool random_places(program *p, places *g, bool scatter)
{
    int64_t window[RANK], batch[RANK], total_batch = 0;
    int nwindow = 0, ndims = 0;
    memset(g, 0, sizeof *g);
    g->operand = random_shape(p, 1, 3);
    int64_t index_dims[2 * RANK];
    for (int d = 0; d < g->operand.rank; d++) {
        int64_t n = g->operand.d[d];
        g->sizes[d] = chance(p, 55) ? n : up_to(p, n);
        if (g->nbatch < 1 && chance(p, 15)) {
            g->sizes[d] = n ? 1 : 0;
            g->in_batch[g->nbatch] = d;
            batch[g->nbatch++] = n;
            continue;
        }
        bool indexed = chance(p, 60);
        if (scatter && !indexed && chance(p, 80))
            g->sizes[d] = n;
        if (indexed)
            g->map[g->nmap++] = d;
        /* There is nothing to gather from a dimension without elements that the result lacks. */
        if ((n || scatter) && chance(p, indexed ? 50 : 10)) {
            g->sizes[d] = 1;
            g->collapsed[g->ncollapsed++] = d;
        } else {
            window[nwindow++] = g->sizes[d];
        }
    }
    for (int i = g->nmap; i-- > 1;) {
        int k = (int)below(p, i + 1);
        int64_t x = g->map[i];
        g->map[i] = g->map[k];
        g->map[k] = x;
    }
    int more = (int)between(p, 0, 2);
    if (g->nbatch && chance(p, 100))
        index_dims[ndims++] = batch[0];
    for (int i = 0; i < more; i++)
        index_dims[ndims++] = random_dim(p);
    if (g->nbatch && ndims > 1 && chance(p, 50)) { /* the batch stands behind another dimension */
        index_dims[0] = index_dims[1];
        index_dims[1] = batch[0];
    }
    int at = 0;
    for (int i = 0; g->nbatch && i < ndims; i++)
        if (index_dims[i] == batch[0])
            at = i;
    total_batch = ndims;
    g->vector_dim = (int)below(p, ndims + 1);
    bool implicit = g->nmap == 1 && chance(p, 30);
    if (implicit)
        g->vector_dim = ndims;
    int k = 0;
    for (int i = 0; i < ndims; i++) {
        if (i == g->vector_dim && !implicit)
            g->indices.d[k++] = g->nmap;
        if (g->nbatch && i == at)
            g->index_batch[0] = k;
        g->indices.d[k++] = index_dims[i];
    }
    if (g->vector_dim == ndims && !implicit)
        g->indices.d[k++] = g->nmap;
    g->indices.rank = k;
    if (total_batch + nwindow > RANK || k > RANK || (!g->nmap && !implicit && k == 0))
        return false;
    /* The slices' dimensions, those of windows among the others. */
    int b = 0, w = 0;
    g->slices.rank = (int)total_batch + nwindow;
    for (int i = 0; i < g->slices.rank; i++) {
        bool take_window = w < nwindow && (b == total_batch || chance(p, 50));
        if (take_window) {
            g->offset[g->noffset++] = i;
            g->slices.d[i] = window[w++];
        } else {
            g->slices.d[i] = index_dims[b++];
        }
    }
    return elements(&g->slices) <= 2000 && elements(&g->indices) <= 2000 &&
           elements(&g->indices) > 0;
}

static bool gather_of(program *p, bool dynamic)
{
    places g;
    if (!random_places(p, &g, false))
        return false;
    elem e = random_elem(p, "ffibc"), index = chance(p, 60) ? I32 : chance(p, 50) ? I64 : U32;
    int in[3] = {take(p, e, g.operand, NOTHING),
                 arg_in(p, index, g.indices, index == U32 ? 0 : -2, 9)};
    int out = moved(p, e, g.slices, in, 1);
    if (dynamic)
        in[2] = shape_operand(p, g.sizes, g.operand.rank);
    const char *numbers =
        keep(p,
             "dimension_numbers = #stablehlo.gather<offset_dims = %s, collapsed_slice_dims = %s, "
             "operand_batching_dims = %s, "
             "start_indices_batching_dims = %s, start_index_map = %s, index_vector_dim = %d>, "
             "indices_are_sorted = false",
             list_text(p, g.offset, g.noffset), list_text(p, g.collapsed, g.ncollapsed),
             list_text(p, g.in_batch, g.nbatch), list_text(p, g.index_batch, g.nbatch),
             list_text(p, g.map, g.nmap), g.vector_dim);
    if (dynamic)
        emit(p, "stablehlo.dynamic_gather", in, 3, &out, 1, numbers);
    else
        emit(p, "stablehlo.gather", in, 2, &out, 1,
             keep(p, "%s, slice_sizes = %s", numbers, ints_text(p, g.sizes, g.operand.rank)));
    return true;
}

bool make_gather(program *p)
{
    return gather_of(p, false);
}

bool make_dynamic_gather(program *p)
{
    return gather_of(p, true);
}

static const char *scatter_numbers(program *p, const places *g)
{
    return keep(p,
                "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = %s, "
                "inserted_window_dims = %s, "
                "input_batching_dims = %s, scatter_indices_batching_dims = %s, "
                "scatter_dims_to_operand_dims = %s, "
                "index_vector_dim = %d>, indices_are_sorted = false, unique_indices = false",
                list_text(p, g->offset, g->noffset), list_text(p, g->collapsed, g->ncollapsed),
                list_text(p, g->in_batch, g->nbatch), list_text(p, g->index_batch, g->nbatch),
                list_text(p, g->map, g->nmap), g->vector_dim);
}

bool make_scatter(program *p)
{
    places g;
    if (!random_places(p, &g, true))
        return false;
    elem e = random_elem(p, "ffib"), index = chance(p, 60) ? I32 : chance(p, 50) ? I64 : U32;
    int in[3] = {take(p, e, g.operand, PLAIN),
                 arg_in(p, index, g.indices, index == U32 ? 0 : -2, 9),
                 take(p, e, g.slices, PLAIN)};
    const value *a = val(p, in[0]), *u = val(p, in[2]);
    bool sums = false, multiplies = false, replaces = chance(p, 25);
    const char *op = replaces ? NULL : reducer_for(p, e, &sums, &multiplies);
    double terms = (double)elements(&g.slices);
    int out = new_value(p, e, g.operand);
    if (replaces ? !sized(p, out, a->mag > u->mag ? a->mag : u->mag, a->whole && u->whole, 0, 0)
                 : !reduced(p, out, in[2], in[0], terms, sums, multiplies))
        return false;
    stmt *s = emit(p, "stablehlo.scatter", in, 3, &out, 1, scatter_numbers(p, &g));
    const char *x = type_of(p, e, &SCALAR);
    s->regions[0] =
        replaces
            ? keep(p, "      ^bb0(%%x: %s, %%y: %s):\n        stablehlo.return %%y : %s\n", x, x, x)
            : reducer_text(p, op, e);
    return true;
}

/* Two inputs; a body of one op for each, or one where the order of operands counts. */
bool make_scatter_two(program *p)
{
    places g;
    if (!random_places(p, &g, true))
        return false;
    int in[5] = {take(p, I32, g.operand, PLAIN), take(p, I32, g.operand, PLAIN),
                 arg_in(p, I32, g.indices, -2, 9), take(p, I32, g.slices, PLAIN),
                 take(p, I32, g.slices, PLAIN)};
    int out[2] = {new_value(p, I32, g.operand), new_value(p, I32, g.operand)};
    stmt *s = emit(p, "stablehlo.scatter", in, 5, out, 2, scatter_numbers(p, &g));
    static const char *const pairs[][2] = {
        {"add", "add"}, {"subtract", "subtract"}, {"add", "maximum"}};
    const char *const *op = pairs[below(p, 3)];
    s->regions[0] =
        keep(p,
             "      ^bb0(%%a: tensor<i32>, %%b: tensor<i32>, %%c: tensor<i32>, %%d: tensor<i32>):\n"
             "        %%x = stablehlo.%s %%a, %%c : tensor<i32>\n        %%y = stablehlo.%s %%b, "
             "%%d : tensor<i32>\n"
             "        stablehlo.return %%x, %%y : tensor<i32>, tensor<i32>\n",
             op[0], op[1]);
    return true;
}

/* ---- Orders ---- */

bool make_sort(program *p)
{
    int in[2] = {any(p, "ffi", 1, 4, PLAIN)}, out[2], n = (int)between(p, 1, 2);
    elem e = val(p, in[0])->e, f = n == 2 && chance(p, 50) ? I32 : e;
    shape s = val(p, in[0])->s;
    in[1] = n == 2 ? take(p, f, s, PLAIN) : 0;
    for (int i = 0; i < n; i++)
        out[i] = moved(p, val(p, in[i])->e, s, &in[i], 1);
    const char *x = type_of(p, e, &SCALAR), *y = type_of(p, f, &SCALAR);
    stmt *st = emit(p, "stablehlo.sort", in, n, out, n,
                    keep(p, "dimension = %lld : i64, is_stable = true",
                         (long long)below(p, s.rank) - (chance(p, 20) ? s.rank : 0)));
    st->regions[0] = keep(p,
                          "      ^bb0(%%x: %s, %%y: %s%s):\n        %%r = stablehlo.compare %s, "
                          "%%x, %%y : (%s, %s) -> tensor<i1>\n"
                          "        stablehlo.return %%r : tensor<i1>\n",
                          x, x, n == 2 ? keep(p, ", %%u: %s, %%v: %s", y, y) : "",
                          chance(p, 60) ? "LT" : "GT", x, x);
    return true;
}

bool make_top_k(program *p)
{
    int in = any(p, "ffi", 1, 3, PLAIN), out[2];
    shape s = val(p, in)->s, t = s;
    t.d[s.rank - 1] = up_to(p, s.d[s.rank - 1]);
    out[0] = moved(p, val(p, in)->e, t, &in, 1);
    out[1] = new_value(p, I32, t);
    emit(p, "chlo.top_k", &in, 1, out, 2, keep(p, "k = %lld : i64", (long long)t.d[s.rank - 1]));
    return true;
}

/* ---- Transforms and solvers: devices compute whole matrices, so results are equal ---- */

bool make_fft(program *p)
{
    shape s = random_shape(p, 1, 3);
    int in, out, kind = (int)below(p, 4), n = 1;
    shape t = s;
    int64_t length[2] = {s.d[s.rank - 1], 0};
    if (kind == 1)
        t.d[s.rank - 1] = length[0] ? length[0] / 2 + 1 : 0;
    if (kind == 2 && length[0])
        t.d[s.rank - 1] = length[0] = length[0] > 1 ? (length[0] - 1) * 2 : 1;
    if (s.rank > 1 && chance(p, 50)) {
        n = 2;
        length[1] = length[0];
        length[0] = s.d[s.rank - 2];
    }
    in = take(p, kind == 1 ? F32 : C64, s, PLAIN);
    out = new_value(p, kind == 2 ? F32 : C64, t);
    sized(p, out, val(p, in)->mag * 64, false, 0, 0);
    emit(p, "stablehlo.fft", &in, 1, &out, 1,
         keep(p, "fft_type = #stablehlo<fft_type %s>, fft_length = %s",
              kind == 0   ? "FFT"
              : kind == 1 ? "RFFT"
              : kind == 2 ? "IRFFT"
                          : "IFFT",
              ints_text(p, length, n)));
    return true;
}

/* Rarely one at which a block of the engine ends: they take long. */
static int64_t order_of(program *p)
{
    return chance(p, 95) ? between(p, 1, 4) : between(p, 30, 70);
}

/* Matrices whose diagonal is larger than all others of a row together: any rounding finds their factors. */
static int dominant(program *p, elem e, shape s)
{
    int64_t n = s.d[s.rank - 1], dims[2] = {s.rank - 2, s.rank - 1};
    shape square = {2, {n, n}};
    int at[2] = {new_value(p, I32, square), new_value(p, I32, square)};
    int same = new_value(p, I1, square), in[3] = {new_value(p, I1, s)}, out;
    emit(p, "stablehlo.iota", NULL, 0, &at[0], 1, "iota_dimension = 0 : i64");
    emit(p, "stablehlo.iota", NULL, 0, &at[1], 1, "iota_dimension = 1 : i64");
    emit(p, "stablehlo.compare", at, 2, &same, 1,
         "comparison_direction = #stablehlo<comparison_direction EQ>");
    emit(p, "stablehlo.broadcast_in_dim", &same, 1, &in[0], 1,
         keep(p, "broadcast_dimensions = %s", ints_text(p, dims, 2)));
    in[1] = constant_of(p, e, s, (int)(2 * n), (int)(2 * n));
    in[2] = arg_in(p, e, s, -1, 1);
    out = moved(p, e, s, &in[1], 2);
    emit(p, "stablehlo.select", in, 3, &out, 1, NULL);
    return out;
}

bool make_cholesky(program *p)
{
    elem e = chance(p, 70) ? F32 : F64;
    shape s = random_shape(p, 0, 2);
    s.d[s.rank] = s.d[s.rank + 1] = order_of(p);
    s.rank += 2;
    int in = dominant(p, e, s), out = new_value(p, e, s);
    sized(p, out, 2 * (double)s.d[s.rank - 1], false, 0, 0);
    emit(p, "stablehlo.cholesky", &in, 1, &out, 1,
         chance(p, 50) ? "lower = true" : "lower = false");
    return true;
}

bool make_triangular_solve(program *p)
{
    static const char *const how[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
    elem e = chance(p, 70) ? F32 : F64;
    shape s = random_shape(p, 0, 2), t = s;
    int64_t n = order_of(p), k = order_of(p);
    bool left = chance(p, 50);
    s.d[s.rank++] = n;
    s.d[s.rank++] = n;
    t.d[t.rank++] = left ? n : k;
    t.d[t.rank++] = left ? k : n;
    bool unit = n <= 4 && chance(p, 30); /* of many the solutions are far apart */
    int in[2] = {dominant(p, e, s), take(p, e, t, PLAIN)}, out = new_value(p, e, t);
    sized(p, out, val(p, in[1])->mag * (unit ? 8 : 1), false, 0, 0);
    emit(p, "stablehlo.triangular_solve", in, 2, &out, 1,
         keep(p,
              "left_side = %s, lower = %s, unit_diagonal = %s, transpose_a = #stablehlo<transpose "
              "%s>",
              left ? "true" : "false", chance(p, 50) ? "true" : "false", unit ? "true" : "false",
              how[below(p, 3)]));
    return true;
}

bool make_rng_bit_generator(program *p)
{
    shape two = {1, {2}};
    int in = new_value(p, U64, two), out[2];
    emit(p, "stablehlo.constant", NULL, 0, &in, 1,
         keep(p, "value = dense<[%lld, 7]> : tensor<2xui64>", (long long)below(p, 100)));
    out[0] = new_value(p, U64, two);
    out[1] = new_value(p, U32, random_shape(p, 1, 3));
    emit(p, "stablehlo.rng_bit_generator", &in, 1, out, 2,
         keep(p, "rng_algorithm = #stablehlo<rng_algorithm %s>",
              chance(p, 50) ? "THREE_FRY" : "PHILOX"));
    return true;
}

bool make_rng(program *p)
{
    if (p->manual)
        return false;
    p->draws = true;
    shape s = random_shape(p, 1, 3);
    int in[3] = {constant_of(p, F32, SCALAR, 0, 0), constant_of(p, F32, SCALAR, 1, 1),
                 shape_operand(p, s.d, s.rank)};
    int out = new_value(p, F32, s);
    sized(p, out, 1, false, 0, 0);
    emit(p, "stablehlo.rng", in, 3, &out, 1,
         "rng_distribution = #stablehlo<rng_distribution UNIFORM>");
    return true;
}
