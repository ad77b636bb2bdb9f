/* SPDX-License-Identifier: Apache-2.0 */
/* products.c - random products: all layouts, batches and types that the library has, and those that it does not have;
 * convolutions. Sums are exact, so that only the rounding of results differs. */
#include "module.h"

typedef struct {
    const char *of, *to;
    double near;
} kind;

static const kind kinds[] = {
    {"f32", "f32", 1e-6},  {"f64", "f64", 1e-9},      {"bf16", "bf16", 4e-3},
    {"bf16", "f32", 1e-6}, {"f16", "f16", 1e-3},      {"f16", "f32", 1e-6},
    {"i8", "i32", 0},      {"i32", "i32", 0},         {"ui8", "ui32", 0},
    {"i64", "i64", 0},     {"i8", "i8", 0},           {"f32", "f64", 1e-6},
    {"bf16", "f16", 4e-3}, {"f8E4M3FN", "f32", 1e-6}, {"f8E4M3FN", "bf16", 4e-3},
};

/* Roles of a factor's dimensions: batch, rest, contracted; in any order. */
typedef struct {
    int64_t batch[3], rest[3], sum[3];
    test_type type;
} factor;

static void set_factor(factor *f, const int64_t *batch, int nbatch, const int64_t *rest, int nrest,
                       const int64_t *sum, int nsum)
{
    int64_t *places[TEST_RANK + 3], sizes[TEST_RANK + 3];
    int n = 0;
    for (int i = 0; i < nbatch; i++, n++)
        places[n] = &f->batch[i], sizes[n] = batch[i];
    for (int i = 0; i < nrest; i++, n++)
        places[n] = &f->rest[i], sizes[n] = rest[i];
    for (int i = 0; i < nsum; i++, n++)
        places[n] = &f->sum[i], sizes[n] = sum[i];
    f->type.rank = n;
    for (int i = n; i-- > 0;) { /* the rest of them in random order */
        int k = (int)test_draw(0, i);
        *places[k] = i;
        f->type.dims[i] = sizes[k];
        places[k] = places[i];
        sizes[k] = sizes[i];
    }
}

static const char *numbers(const char *name, const int64_t *a, const int64_t *b, int n,
                           tsr_buf *out)
{
    tsr_buf_printf(out, "%s = ", name);
    test_list(out, a, n);
    tsr_buf_cstr(out, " x ");
    test_list(out, b, n);
    tsr_buf_cstr(out, ", ");
    return name;
}

/* A factor as an argument, or a part of it whose elements are not contiguous, or one that repeats; the value's name. */
static const char *value_of(test_module *m, factor *f, char name[32])
{
    int how = (int)test_draw(0, 5), d = (int)test_draw(0, f->type.rank - 1);
    test_type from = f->type;
    if (how == 0)
        from.dims[d] = 2 * from.dims[d] + 1;
    int a = test_argument(m, from, 0);
    snprintf(name, 32, "%%a%d", a);
    if (how > 1)
        return name;
    if (how == 0) {
        tsr_buf_printf(&m->body, "  %%%d = stablehlo.slice %%a%d [", m->nvalue, a);
        for (int i = 0; i < from.rank; i++)
            tsr_buf_printf(&m->body, "%s%d:%lld:%d", i ? ", " : "", i == d, (long long)from.dims[i],
                           i == d ? 2 : 1);
        tsr_buf_printf(&m->body, "] : (%s) -> %s\n", test_type_of(from), test_type_of(f->type));
    } else {
        tsr_buf_printf(&m->body, "  %%%d = stablehlo.reverse %%a%d, dims = [%d] : %s\n", m->nvalue,
                       a, d, test_type_of(from));
    }
    snprintf(name, 32, "%%%d", m->nvalue++);
    return name;
}

/* Appends the other dimensions of a factor, in its own order. */
static void put_rest(const factor *f, int n, test_type *to)
{
    for (int d = 0; d < f->type.rank; d++)
        for (int i = 0; i < n; i++)
            if (f->rest[i] == d)
                to->dims[to->rank++] = f->type.dims[d];
}

static void dot_of(test_module *m, const int64_t *batch, int nbatch, const int64_t *left, int nleft,
                   const int64_t *right, int nright, const int64_t *sum, int nsum)
{
    const kind *k = &kinds[test_draw(0, (int64_t)TSR_COUNT(kinds) - 1)];
    static const char *const precisions[] = {"DEFAULT", "HIGH", "HIGHEST"};
    const char *precision = precisions[test_draw(0, 2)];
    factor a = {.type = {.elem = k->of}}, b = {.type = {.elem = k->of}};
    char x[32], y[32];
    set_factor(&a, batch, nbatch, left, nleft, sum, nsum);
    set_factor(&b, batch, nbatch, right, nright, sum, nsum);
    value_of(m, &a, x);
    value_of(m, &b, y);
    test_type to = {.elem = k->to};
    for (int i = 0; i < nbatch; i++)
        to.dims[to.rank++] = batch[i];
    put_rest(&a, nleft, &to);
    put_rest(&b, nright, &to);
    tsr_buf_printf(&m->body, "  %%%d = stablehlo.dot_general %s, %s, ", m->nvalue++, x, y);
    if (nbatch)
        numbers("batching_dims", a.batch, b.batch, nbatch, &m->body);
    numbers("contracting_dims", a.sum, b.sum, nsum, &m->body);
    tsr_buf_printf(&m->body, "precision = [%s, %s] : (%s, %s) -> %s\n", precision, precision,
                   test_type_of(a.type), test_type_of(b.type), test_type_of(to));
    test_result(m, to, k->near);
}

static void dot(test_module *m)
{
    int64_t batch[2] = {test_draw(1, 5), test_draw(2, 4)}, left[2] = {test_draw(2, 70), 3},
            right[2] = {test_draw(2, 40), 2}, sum[2] = {test_draw(5, 50), test_draw(2, 3)};
    dot_of(m, batch, (int)test_draw(0, 2), left, 1, right, 1, sum, (int)test_draw(1, 2));
}

static void several_rests(test_module *m)
{
    int64_t batch[1] = {test_draw(2, 5)}, left[2] = {test_draw(2, 9), 4}, right[2] = {6, 3},
            sum[1] = {test_draw(5, 30)};
    dot_of(m, batch, (int)test_draw(0, 1), left, 2, right, (int)test_draw(1, 2), sum, 1);
}

/* What the library wants of 8-bit factors, and sizes that are multiples of vectors. */
static void even(test_module *m)
{
    int64_t batch[2] = {2, 3}, left[1] = {16 * test_draw(1, 4)}, right[1] = {16 * test_draw(1, 4)},
            sum[1] = {16 * test_draw(1, 6)};
    dot_of(m, batch, (int)test_draw(0, 2), left, 1, right, 1, sum, 1);
}

/* Large enough for a copy of a factor that the library does not read. */
static void large(test_module *m)
{
    int64_t left[1] = {160}, right[1] = {176}, sum[1] = {160};
    dot_of(m, NULL, 0, left, 1, right, 1, sum, 1);
}

/* Heads between tokens and features: one call of the library, after copies. */
static void heads(test_module *m)
{
    const char *elem = test_flip() ? "bf16" : "f32";
    double near = elem[0] == 'b' ? 4e-3 : 1e-6;
    test_type x = {.rank = 4, .dims = {5, 96, 4, 24}, .elem = elem},
              p = {.rank = 4, .dims = {5, 4, 96, 96}, .elem = elem},
              y = {.rank = 4, .dims = {5, 4, 96, 24}, .elem = elem};
    int q = test_argument(m, x, 0), k = test_argument(m, x, 0), w = test_argument(m, p, 0);
    tsr_buf_printf(&m->body,
                   "  %%%d = stablehlo.dot_general %%a%d, %%a%d, batching_dims = [0, 2] x [0, 2], "
                   "contracting_dims = [3] x [3] : (%s, %s) -> %s\n",
                   m->nvalue++, q, k, test_type_of(x), test_type_of(x), test_type_of(p));
    test_result(m, p, near);
    tsr_buf_printf(&m->body,
                   "  %%%d = stablehlo.dot_general %%a%d, %%a%d, batching_dims = [0, 1] x [0, 2], "
                   "contracting_dims = [3] x [1] : (%s, %s) -> %s\n",
                   m->nvalue++, w, k, test_type_of(p), test_type_of(x), test_type_of(y));
    test_result(m, y, near);
}

/* Real and imaginary parts are factors that lie in memory of complex numbers. */
static void complex_dot(test_module *m)
{
    int64_t r = test_draw(2, 20), k = test_draw(5, 20), n = test_draw(2, 20);
    const char *elem = test_flip() ? "complex<f32>" : "complex<f64>";
    test_type x = {.rank = 2, .dims = {r, k}, .elem = elem},
              y = {.rank = 2, .dims = {k, n}, .elem = elem},
              z = {.rank = 2, .dims = {r, n}, .elem = elem};
    int a = test_argument(m, x, 0), b = test_argument(m, y, 0);
    tsr_buf_printf(&m->body,
                   "  %%%d = stablehlo.dot_general %%a%d, %%a%d, contracting_dims = [1] x [0], "
                   "precision = [HIGHEST, HIGHEST] : (%s, %s) -> %s\n",
                   m->nvalue++, a, b, test_type_of(x), test_type_of(y), test_type_of(z));
    test_result(m, z, 0);
}

/* Images [batch, height, width, features]; groups: 1, or all features. */
static void convolution_of(test_module *m, bool apart)
{
    static const char *const elems[] = {"f32", "f64", "bf16"};
    static const double near[] = {1e-6, 1e-9, 4e-3};
    int e = (int)test_draw(0, apart ? 1 : 2);
    int64_t n = test_draw(1, 3), h = test_draw(5, 12), w = test_draw(5, 12), c = test_draw(2, 9),
            kh = test_draw(1, 3), kw = test_draw(1, 3), out = apart ? c : test_draw(2, 20),
            by = test_draw(1, 2), dilated = test_draw(1, 2), low = test_draw(0, 2),
            high = test_draw(0, 2);
    test_type x = {.rank = 4, .dims = {n, h, w, c}, .elem = elems[e]},
              k = {.rank = 4, .dims = {kh, kw, apart ? 1 : c, out}, .elem = elems[e]}, to = x;
    to.dims[1] = (h + low + high - dilated * (kh - 1) - 1) / by + 1;
    to.dims[2] = (w + low + high - dilated * (kw - 1) - 1) / by + 1;
    to.dims[3] = out;
    int a = test_argument(m, x, 0), b = test_argument(m, k, 0);
    tsr_buf_printf(&m->body,
                   "  %%%d = stablehlo.convolution(%%a%d, %%a%d) dim_numbers = [b, 0, 1, f]x"
                   "[0, 1, i, o]->[b, 0, 1, f], window = {stride = [%lld, %lld], pad = [[%lld, "
                   "%lld], [%lld, %lld]], rhs_dilate = [%lld, %lld]} {batch_group_count = 1 : i64, "
                   "feature_group_count = %lld : i64} : (%s, %s) -> %s\n",
                   m->nvalue++, a, b, (long long)by, (long long)by, (long long)low, (long long)high,
                   (long long)low, (long long)high, (long long)dilated, (long long)dilated,
                   (long long)(apart ? c : 1), test_type_of(x), test_type_of(k), test_type_of(to));
    test_result(m, to, near[e]);
}

static void convolution(test_module *m)
{
    convolution_of(m, false);
}

static void depthwise(test_module *m)
{
    convolution_of(m, true);
}

test_kind *const test_products[] = {dot,         several_rests, even,      large, heads,
                                    complex_dot, convolution,   depthwise, NULL};
