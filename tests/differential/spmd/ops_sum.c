/* SPDX-License-Identifier: Apache-2.0 */
/* ops_sum.c - ops that sum: products, convolutions, reductions, windows, normalizations. */
#include "program.h"

/* ---- Products ---- */

/* Results of products: sums of this many terms. */
static bool product(program *p, int out, const int *in, double terms)
{
    const value *a = val(p, in[0]), *b = val(p, in[1]);
    return sized(p, out, a->mag * b->mag * terms, a->whole && b->whole,
                 (a->steps + b->steps) * (terms > 1 ? 1 : 1), terms);
}

bool make_dot_general(program *p)
{
    int in[2] = {any(p, "fffficb", 1, 4, FINITE)};
    shape s = val(p, in[0])->s, t = {0}, u = {0};
    int64_t batch[RANK], rbatch[RANK], con[RANK], rcon[RANK];
    int nb = 0, nc = 0, kind[RANK];
    double terms = 1;
    for (int i = 0; i < s.rank; i++) {
        kind[i] = chance(p, 30) ? 1 : chance(p, 60) ? 2 : 0;
        if (kind[i] == 1)
            batch[nb++] = i;
        if (kind[i] == 2) {
            con[nc++] = i;
            terms *= (double)s.d[i];
        }
    }
    for (int i = 0; i < nb; i++)
        u.d[u.rank++] = s.d[batch[i]];
    for (int i = 0; i < s.rank; i++)
        if (!kind[i])
            u.d[u.rank++] = s.d[i];
    /* The right side has its dimensions in some order. */
    int order[2 * RANK], n = nb + nc + (int)below(p, 2);
    if (n > 4 || u.rank + n - nb - nc > 4)
        return false;
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n; i-- > 1;) {
        int k = (int)below(p, i + 1), x = order[i];
        order[i] = order[k];
        order[k] = x;
    }
    t.rank = n;
    for (int i = 0; i < n; i++) {
        int k = order[i];
        if (k < nb) {
            t.d[i] = s.d[batch[k]];
            rbatch[k] = i;
        } else if (k < nb + nc) {
            t.d[i] = s.d[con[k - nb]];
            rcon[k - nb] = i;
        } else {
            t.d[i] = u.d[u.rank++] = random_dim(p);
        }
    }
    if (elements(&t) > 2000 || elements(&u) > 3000)
        return false;
    in[1] = take(p, val(p, in[0])->e, t, FINITE);
    int out = new_value(p, val(p, in[0])->e, u);
    if (!product(p, out, in, terms))
        return false;
    emit(p, "stablehlo.dot_general", in, 2, &out, 1,
         keep(p,
              "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = %s, "
              "rhs_batching_dimensions = %s, "
              "lhs_contracting_dimensions = %s, rhs_contracting_dimensions = %s>",
              list_text(p, batch, nb), list_text(p, rbatch, nb), list_text(p, con, nc),
              list_text(p, rcon, nc)));
    return true;
}

bool make_dot(program *p)
{
    int in[2] = {any(p, "fffib", 1, 2, FINITE)};
    shape s = val(p, in[0])->s, t = {(int)between(p, 1, 2), {s.d[s.rank - 1]}}, u = {0};
    if (s.rank == 2)
        u.d[u.rank++] = s.d[0];
    if (t.rank == 2)
        u.d[u.rank++] = t.d[1] = random_dim(p);
    in[1] = take(p, val(p, in[0])->e, t, FINITE);
    int out = new_value(p, val(p, in[0])->e, u);
    if (!product(p, out, in, (double)t.d[0]))
        return false;
    emit(p, "stablehlo.dot", in, 2, &out, 1, NULL);
    return true;
}

bool make_einsum(program *p)
{
    static const struct {
        const char *config;
        const char *in[2], *out;
    } forms[] = {{"ab,bc->ac", {"ab", "bc"}, "ac"},
                 {"abc,acd->abd", {"abc", "acd"}, "abd"},
                 {"ab,cb->ca", {"ab", "cb"}, "ca"},
                 {"ab,ab->a", {"ab", "ab"}, "a"},
                 {"a,b->ab", {"a", "b"}, "ab"}};
    int k = (int)below(p, 5), in[2];
    int64_t sizes[4] = {random_dim(p), random_dim(p), random_dim(p), random_dim(p)};
    shape s[3] = {0};
    double terms = 1;
    bool seen[4] = {false};
    for (int i = 0; i < 3; i++)
        for (const char *c = i < 2 ? forms[k].in[i] : forms[k].out; *c; c++)
            s[i].d[s[i].rank++] = sizes[*c - 'a'];
    for (const char *c = forms[k].in[0]; *c; c++)
        if (!strchr(forms[k].out, *c) && !seen[*c - 'a']) {
            seen[*c - 'a'] = true;
            terms *= (double)sizes[*c - 'a'];
        }
    if (elements(&s[0]) > 1000 || elements(&s[1]) > 1000)
        return false;
    elem e = chance(p, 70) ? F32 : I32;
    in[0] = take(p, e, s[0], FINITE);
    in[1] = take(p, e, s[1], FINITE);
    int out = new_value(p, e, s[2]);
    if (!product(p, out, in, terms))
        return false;
    emit(p, "stablehlo.einsum", in, 2, &out, 1, keep(p, "einsum_config = \"%s\"", forms[k].config));
    return true;
}

bool make_unary_einsum(program *p)
{
    int in = take(p, chance(p, 70) ? F32 : I32, random_shape(p, 2, 2), FINITE);
    shape s = val(p, in)->s, t = {1, {s.d[1]}};
    const value *v = val(p, in);
    int out = new_value(p, v->e, t);
    if (!sized(p, out, v->mag * (double)s.d[0], v->whole, v->steps, (double)s.d[0]))
        return false;
    emit(p, "stablehlo.unary_einsum", &in, 1, &out, 1, "einsum_config = \"ab->b\"");
    return true;
}

typedef struct {
    int64_t stride[2], low[2], high[2], base[2], dilation[2];
    bool reversed[2];
} windows;

static bool convolution(program *p, bool dynamic)
{
    elem e = random_elem(p, "fffi");
    int64_t fg = chance(p, 70) ? 1 : between(p, 2, 4),
            bg = fg == 1 && chance(p, 25) ? between(p, 2, 4) : 1;
    int64_t batch = bg * between(p, 1, 4), ci = between(p, 1, 4), co = fg * bg * between(p, 1, 3);
    if (chance(p, 20)) { /* each channel alone */
        bool by_batch = bg > 1;
        *(by_batch ? &bg : &fg) = between(p, 8, 20);
        batch = by_batch ? bg : batch;
        ci = by_batch ? ci : 1;
        co = fg * bg * (by_batch ? 1 : between(p, 1, 2));
    }
    int64_t in_dims[4], k_dims[4], out_dims[4], padding[4];
    windows w;
    int nsp = (int)between(p, 1, 2);
    double terms = (double)ci;
    for (int i = 0; i < nsp; i++) {
        int64_t n = between(p, 2, p->most < 9 ? p->most + 1 : 14),
                k = chance(p, 25) ? n : between(p, 1, 4);
        w.stride[i] = chance(p, 60) ? 1 : between(p, 2, 3);
        w.base[i] = chance(p, 75) ? 1 : 2;
        w.dilation[i] = chance(p, 75) ? 1 : 2;
        w.low[i] = chance(p, 40) ? 0 : between(p, -1, 3);
        w.high[i] = chance(p, 40) ? 0 : between(p, -1, 3);
        w.reversed[i] = chance(p, 30);
        int64_t padded = (n - 1) * w.base[i] + 1 + w.low[i] + w.high[i],
                reach = (k - 1) * w.dilation[i] + 1;
        if (padded < reach)
            return false;
        in_dims[i] = n;
        k_dims[i] = k;
        out_dims[i] = (padded - reach) / w.stride[i] + 1;
        terms *= (double)k;
        padding[2 * i] = w.low[i];
        padding[2 * i + 1] = w.high[i];
    }
    shape a = {nsp + 2, {0}}, k = a, out = a;
    /* Of the input, the kernel, the result: features before the spatial dimensions, or behind them. */
    bool first[3];
    first[0] = chance(p, 40);
    for (int i = 1; i < 3; i++)
        first[i] = chance(p, 75) ? first[0] : !first[0];
    for (int i = 0; i < nsp; i++) {
        a.d[first[0] ? i + 2 : i + 1] = in_dims[i];
        k.d[first[1] ? i + 2 : i] = k_dims[i];
        out.d[first[2] ? i + 2 : i + 1] = out_dims[i];
    }
    a.d[0] = batch;
    out.d[0] = batch / bg;
    a.d[first[0] ? 1 : nsp + 1] = ci * fg;
    out.d[first[2] ? 1 : nsp + 1] = co;
    k.d[first[1] ? 1 : nsp] = ci;
    k.d[first[1] ? 0 : nsp + 1] = co;
    int in[3] = {take(p, e, a, FINITE), take(p, e, k, FINITE)}, o = new_value(p, e, out);
    if (!product(p, o, in, terms))
        return false;
    if (dynamic) {
        int v = new_value(p, I64, (shape){2, {nsp, 2}});
        emit(p, "stablehlo.constant", NULL, 0, &v, 1,
             nsp == 1 ? keep(p, "value = dense<[[%lld, %lld]]> : tensor<1x2xi64>",
                             (long long)padding[0], (long long)padding[1])
                      : keep(p, "value = dense<[[%lld, %lld], [%lld, %lld]]> : tensor<2x2xi64>",
                             (long long)padding[0], (long long)padding[1], (long long)padding[2],
                             (long long)padding[3]));
        val(p, v)->fresh = true;
        in[2] = v;
    }
    const char *pads =
        dynamic    ? ""
        : nsp == 1 ? keep(p, "padding = dense<[[%lld, %lld]]> : tensor<1x2xi64>, ",
                          (long long)padding[0], (long long)padding[1])
                   : keep(p, "padding = dense<[[%lld, %lld], [%lld, %lld]]> : tensor<2x2xi64>, ",
                          (long long)padding[0], (long long)padding[1], (long long)padding[2],
                          (long long)padding[3]);
    static const char *const pictures[2][2] = {{"[b, 0, f]", "[b, f, 0]"},
                                               {"[b, 0, 1, f]", "[b, f, 0, 1]"}};
    static const char *const kernels[2][2] = {{"[0, i, o]", "[o, i, 0]"},
                                              {"[0, 1, i, o]", "[o, i, 0, 1]"}};
    const char *reversal = nsp == 1 ? (w.reversed[0] ? "true" : "false")
                                    : keep(p, "%s, %s", w.reversed[0] ? "true" : "false",
                                           w.reversed[1] ? "true" : "false");
    emit(p, dynamic ? "stablehlo.dynamic_conv" : "stablehlo.convolution", in, 2 + dynamic, &o, 1,
         keep(p,
              "%swindow_strides = %s, lhs_dilation = %s, rhs_dilation = %s, window_reversal = "
              "array<i1: %s>, dimension_numbers = "
              "#stablehlo.conv<%sx%s->%s>, feature_group_count = %lld : i64, batch_group_count = "
              "%lld : i64",
              pads, ints_text(p, w.stride, nsp), ints_text(p, w.base, nsp),
              ints_text(p, w.dilation, nsp), reversal, pictures[nsp - 1][first[0]],
              kernels[nsp - 1][first[1]], pictures[nsp - 1][first[2]], (long long)fg,
              (long long)bg));
    return true;
}

bool make_convolution(program *p)
{
    return convolution(p, false);
}

bool make_dynamic_conv(program *p)
{
    return convolution(p, true);
}

/* ---- Reductions ---- */

/* An initial value: what changes nothing, or any. */
static int init_for(program *p, const char *op, elem e)
{
    if (chance(p, 40) || e == C64)
        return take(p, e, SCALAR, PLAIN);
    const char *t = type_of(p, e, &SCALAR);
    int id = new_value(p, e, SCALAR);
    value *v = val(p, id);
    bool max = !strcmp(op, "maximum"), min = !strcmp(op, "minimum");
    v->whole = true;
    v->mag = wraps(e) ? 0 : !strcmp(op, "multiply");
    if (is_float(e) && (max || min)) {
        static const char *const inf[] = {
            [F32] = "7F800000", [F64] = "7FF0000000000000", [BF16] = "7F80", [F16] = "7C00"};
        static const char *const neg[] = {
            [F32] = "FF800000", [F64] = "FFF0000000000000", [BF16] = "FF80", [F16] = "FC00"};
        emit(p, "stablehlo.constant", NULL, 0, &id, 1,
             keep(p, "value = dense<0x%s> : %s", max ? neg[e] : inf[e], t));
    } else if (e == I1) {
        emit(p, "stablehlo.constant", NULL, 0, &id, 1,
             keep(p, "value = dense<%s> : %s", !strcmp(op, "and") || min ? "true" : "false", t));
    } else {
        int64_t x = !strcmp(op, "multiply") ? 1
                    : !strcmp(op, "and")    ? (e == U8 || e == U32 || e == U64 ? 127 : -1)
                    : max                   ? 0
                    : min                   ? 100
                                            : 0;
        emit(p, "stablehlo.constant", NULL, 0, &id, 1,
             keep(p, is_float(e) ? "value = dense<%lld.0> : %s" : "value = dense<%lld> : %s",
                  (long long)x, t));
    }
    v->fresh = true; /* infinities are not for others */
    return id;
}

static int without(program *p, const shape *s, int64_t *dims, shape *t, double *terms)
{
    int n = 0;
    *t = (shape){0};
    *terms = 1;
    for (int i = 0; i < s->rank; i++)
        if (chance(p, 55)) {
            dims[n++] = i;
            *terms *= (double)s->d[i];
        } else {
            t->d[t->rank++] = s->d[i];
        }
    return n;
}

bool make_reduce(program *p)
{
    int in[2] = {any(p, "ffiibc", 1, 4, FINITE)};
    shape t;
    int64_t dims[RANK];
    double terms;
    bool sums, multiplies;
    int n = without(p, &p->values[in[0]].s, dims, &t, &terms);
    elem e = val(p, in[0])->e;
    const char *op = reducer_for(p, e, &sums, &multiplies);
    in[1] = init_for(p, op, e);
    int out = new_value(p, e, t);
    if (!reduced(p, out, in[0], in[1], terms, sums, multiplies))
        return false;
    stmt *s = emit(p, "stablehlo.reduce", in, 2, &out, 1,
                   keep(p, "dimensions = %s", ints_text(p, dims, n)));
    s->regions[0] = reducer_text(p, op, e);
    return true;
}

/* The largest element and where it is: a body that chooses. */
bool make_argmax(program *p)
{
    elem e = chance(p, 60) ? F32 : I32;
    int in[4] = {take(p, e, random_shape(p, 1, 3), PLAIN)};
    shape s = val(p, in[0])->s, t;
    int64_t dims[RANK];
    double terms;
    int n = without(p, &s, dims, &t, &terms);
    if (!n)
        return false;
    in[1] = new_value(p, I32, s);
    emit(p, "stablehlo.iota", NULL, 0, &in[1], 1,
         keep(p, "iota_dimension = %lld : i64", (long long)dims[0]));
    in[2] = constant_of(p, e, SCALAR, -100, -100);
    in[3] = constant_of(p, I32, SCALAR, 0, 0);
    int out[2] = {moved(p, e, t, in, 1), new_value(p, I32, t)};
    if (e == F32)
        val(p, out[0])->mag = 100;
    stmt *st = emit(p, "stablehlo.reduce", in, 4, out, 2,
                    keep(p, "dimensions = %s", ints_text(p, dims, n)));
    const char *x = type_of(p, e, &SCALAR);
    st->regions[0] = keep(
        p,
        "      ^bb0(%%a: %s, %%i: tensor<i32>, %%b: %s, %%k: tensor<i32>):\n"
        "        %%gt = stablehlo.compare GT, %%a, %%b : (%s, %s) -> tensor<i1>\n"
        "        %%eq = stablehlo.compare EQ, %%a, %%b : (%s, %s) -> tensor<i1>\n"
        "        %%lt = stablehlo.compare LT, %%i, %%k : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "        %%tie = stablehlo.and %%eq, %%lt : tensor<i1>\n        %%c = stablehlo.or %%gt, "
        "%%tie : tensor<i1>\n"
        "        %%x = stablehlo.select %%c, %%a, %%b : tensor<i1>, %s\n"
        "        %%y = stablehlo.select %%c, %%i, %%k : tensor<i1>, tensor<i32>\n"
        "        stablehlo.return %%x, %%y : %s, tensor<i32>\n",
        x, x, x, x, x, x, x, x);
    /* Several dimensions: places along the first one do not tell elements apart, yet equal ones
     * are equal. */
    return true;
}

/* Two operands and a body that is neither one op nor a choice. */
bool make_reduce_two(program *p)
{
    int in[4] = {take(p, I32, random_shape(p, 1, 3), PLAIN)}, out[2];
    shape s = val(p, in[0])->s, t;
    int64_t dims[RANK];
    double terms;
    int n = without(p, &s, dims, &t, &terms);
    bool window = chance(p, 40);
    in[1] = take(p, I32, s, PLAIN);
    in[2] = take(p, I32, SCALAR, PLAIN);
    in[3] = take(p, I32, SCALAR, PLAIN);
    int64_t size[RANK], stride[RANK];
    for (int i = 0; i < s.rank; i++) {
        size[i] = chance(p, 50) || !s.d[i] ? 1 : up_to(p, s.d[i] < 3 ? s.d[i] : 3);
        stride[i] = chance(p, 60) ? 1 : 2;
    }
    if (window) {
        t = s;
        for (int i = 0; i < s.rank; i++)
            t.d[i] = windows_in(s.d[i], size[i], stride[i]);
    }
    out[0] = new_value(p, I32, t);
    out[1] = new_value(p, I32, t);
    const char *props = window ? keep(p, "window_dimensions = %s, window_strides = %s",
                                      ints_text(p, size, s.rank), ints_text(p, stride, s.rank))
                               : keep(p, "dimensions = %s", ints_text(p, dims, n));
    stmt *st =
        emit(p, window ? "stablehlo.reduce_window" : "stablehlo.reduce", in, 4, out, 2, props);
    st->regions[0] =
        "      ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):\n"
        "        %x = stablehlo.add %a, %c : tensor<i32>\n"
        "        %y = stablehlo.maximum %b, %d : tensor<i32>\n"
        "        stablehlo.return %x, %y : tensor<i32>, tensor<i32>\n";
    return true;
}

static bool window_op(program *p, bool cumulative)
{
    int in[2] = {any(p, "fffi", 1, 4, FINITE)};
    elem e = val(p, in[0])->e;
    shape s = val(p, in[0])->s, t = s;
    int64_t size[RANK], stride[RANK], base[RANK], dilation[RANK];
    char pads[512] = "";
    size_t at = 0;
    double terms = 1;
    int along = (int)below(p, s.rank);
    bool sums, multiplies, back = chance(p, 30);
    for (int i = 0; i < s.rank; i++) {
        int64_t low = 0, high = 0;
        size[i] = stride[i] = base[i] = dilation[i] = 1;
        if (cumulative && i == along) {
            size[i] = s.d[i] ? s.d[i] : 1;
            *(back ? &high : &low) = size[i] - 1;
        } else if (!cumulative && chance(p, 65)) {
            size[i] = s.d[i] ? up_to(p, s.d[i] < 4 ? s.d[i] : 4) : 1;
            stride[i] = chance(p, 50) ? 1 : between(p, 2, 3);
            base[i] = chance(p, 80) ? 1 : 2;
            dilation[i] = chance(p, 80) ? 1 : 2;
            low = chance(p, 40) ? 0 : between(p, -1, 2);
            high = chance(p, 40) ? 0 : between(p, -1, 2);
        }
        int64_t padded = (s.d[i] ? (s.d[i] - 1) * base[i] + 1 : 0) + low + high,
                reach = (size[i] - 1) * dilation[i] + 1;
        if (padded < (p->empties ? 0 : reach))
            return false;
        t.d[i] = windows_in(padded, reach, stride[i]);
        terms *= (double)size[i];
        at += (size_t)snprintf(pads + at, sizeof pads - at, "%s[%lld, %lld]", i ? ", " : "",
                               (long long)low, (long long)high);
    }
    if (elements(&t) > 3000)
        return false;
    const char *op = reducer_for(p, e, &sums, &multiplies);
    in[1] = init_for(p, op, e);
    int out = new_value(p, e, t);
    /* The initial value may stand in all places of a window. */
    if (sums ? !sized(p, out, (val(p, in[0])->mag + val(p, in[1])->mag) * (terms + 1),
                      val(p, in[0])->whole && val(p, in[1])->whole, val(p, in[0])->steps, terms)
             : !reduced(p, out, in[0], in[1],
                        multiplies && val(p, in[1])->mag > 1 ? 2 * terms + 1 : terms, false,
                        multiplies))
        return false;
    stmt *st = emit(p, "stablehlo.reduce_window", in, 2, &out, 1,
                    keep(p,
                         "window_dimensions = %s, window_strides = %s, base_dilations = %s, "
                         "window_dilations = %s, padding = "
                         "dense<[%s]> : tensor<%dx2xi64>",
                         ints_text(p, size, s.rank), ints_text(p, stride, s.rank),
                         ints_text(p, base, s.rank), ints_text(p, dilation, s.rank), pads, s.rank));
    st->regions[0] = reducer_text(p, op, e);
    return true;
}

bool make_reduce_window(program *p)
{
    return window_op(p, false);
}

bool make_cumulative(program *p)
{
    return window_op(p, true);
}

bool make_select_and_scatter(program *p)
{
    elem e = chance(p, 60) ? F32 : I32;
    int in[3] = {take(p, e, random_shape(p, 1, 4), PLAIN)};
    shape s = val(p, in[0])->s, t = s;
    int64_t size[RANK], stride[RANK];
    char pads[512] = "";
    size_t at = 0;
    double terms = 1;
    bool padding = chance(p, 30);
    for (int i = 0; i < s.rank; i++) {
        int64_t low = 0, high = 0;
        size[i] = stride[i] = 1;
        if (chance(p, 65)) {
            size[i] = s.d[i] ? up_to(p, s.d[i] < 4 ? s.d[i] : 4) : 1;
            stride[i] = between(p, 1, 3);
            if (padding && size[i] > 1) {
                low = between(p, 0, size[i] - 1);
                high = between(p, 0, size[i] - 1);
            }
        }
        t.d[i] = windows_in(s.d[i] + low + high, size[i], stride[i]);
        terms *= (double)((size[i] - 1) / stride[i] + 1);
        at += (size_t)snprintf(pads + at, sizeof pads - at, "%s[%lld, %lld]", i ? ", " : "",
                               (long long)low, (long long)high);
    }
    in[1] = take(p, e, t, PLAIN);
    in[2] = take(p, e, SCALAR, PLAIN);
    int out = new_value(p, e, s);
    if (!sized(p, out, val(p, in[1])->mag * terms + val(p, in[2])->mag,
               val(p, in[1])->whole && val(p, in[2])->whole, 0, terms))
        return false;
    stmt *st = emit(
        p, "stablehlo.select_and_scatter", in, 3, &out, 1,
        keep(
            p,
            "window_dimensions = %s, window_strides = %s, padding = dense<[%s]> : tensor<%dx2xi64>",
            ints_text(p, size, s.rank), ints_text(p, stride, s.rank), pads, s.rank));
    const char *x = type_of(p, e, &SCALAR);
    st->regions[0] = keep(p,
                          "      ^bb0(%%x: %s, %%y: %s):\n        %%r = stablehlo.compare %s, %%x, "
                          "%%y : (%s, %s) -> tensor<i1>\n"
                          "        stablehlo.return %%r : tensor<i1>\n",
                          x, x, chance(p, 70) ? "GE" : "LE", x, x);
    st->regions[1] = reducer_text(p, "add", e);
    return true;
}

bool make_batch_norm(program *p)
{
    const char *name = op_rows[p->op].name;
    bool training = strstr(name, "training") != NULL, grad = strstr(name, "grad") != NULL;
    int in[5] = {take(p, F32, random_shape(p, 1, 4), PLAIN)};
    shape s = val(p, in[0])->s;
    int d = (int)below(p, s.rank), nin = training ? 3 : 5, nout = training || grad ? 3 : 1, out[3];
    shape f = {1, {s.d[d]}};
    double terms = (double)elements(&s) / (double)s.d[d], mag = val(p, in[0])->mag;
    if (mag > 20)
        return false;
    for (int i = 1; i < nin; i++)
        in[i] = grad && i == 4 ? arg_in(p, F32, s, -3, 3)
                               : arg_in(p, F32, f, i == (grad ? 3 : 4) ? 1 : 0, 3);
    for (int i = 0; i < nout; i++) {
        out[i] = new_value(p, F32, i ? f : s);
        /* Divided by a deviation that may be small. */
        if (!sized(p, out[i],
                   training ? 400
                   : grad   ? 4000
                            : INFINITY,
                   false, training || grad ? terms * 16 : 0, 0))
            return false;
    }
    emit(p, name, in, nin, out, nout,
         keep(p, "epsilon = 1.000000e+00 : f32, feature_index = %d : i64", d));
    return true;
}

/* ---- Rows ---- */

static int one_more(program *p, const char *op, const int *in, shape s, double mag)
{
    int out = new_value(p, val(p, in[0])->e, s);
    sized(p, out, mag, true, 0, 0);
    emit(p, op, in, 2, &out, 1, NULL);
    return out;
}

static int product_of(program *p, int a, int b, shape s, const char *how, double terms)
{
    int in[2] = {a, b}, out = new_value(p, val(p, a)->e, s);
    product(p, out, in, terms);
    emit(p, "stablehlo.dot_general", in, 2, &out, 1,
         keep(p, "dot_dimension_numbers = #stablehlo.dot<%s>", how));
    return out;
}

/* Rows that are long enough to have kernels of their own: a product or a value, masked or not, what it comes to with a reduction of its rows, and a
 * product of that. Elements stay small whole numbers. */
bool make_rows(program *p)
{
    static const int64_t wide[] = {31, 33, 48, 64, 100}, many[] = {3, 17, 40};
    elem e = chance(p, 80) ? F32 : F64;
    int64_t m = many[below(p, 3)], n = wide[below(p, 5)], k = between(p, 1, 5), one = 1;
    shape s = {2, {m, n}}, by = {1, {m}};
    bool sums = chance(p, 60), masks = chance(p, 50);
    if (p->empties || p->most < 12) /* a program that is shrunk */
        return false;
    int x = arg_in(p, e, s, -2, 2), given = x;
    if (chance(p, 70))
        x = product_of(
            p, arg_in(p, e, (shape){2, {m, k}}, -2, 2), arg_in(p, e, (shape){2, {n, k}}, -2, 2), s,
            "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]", (double)k);
    if (masks) {
        int at[2] = {new_value(p, I32, s), new_value(p, I32, s)}, in[3] = {new_value(p, I1, s), x};
        for (int i = 0; i < 2; i++)
            emit(p, "stablehlo.iota", NULL, 0, &at[i], 1, keep(p, "iota_dimension = %d : i64", i));
        emit(p, "stablehlo.compare", at, 2, in, 1,
             "comparison_direction = #stablehlo<comparison_direction GE>");
        in[2] = constant_of(p, e, s, sums ? 0 : -3, sums && chance(p, 60) ? 0 : 2);
        int out = moved(p, e, s, in + 1, 2);
        emit(p, "stablehlo.select", in, 3, &out, 1, NULL);
        x = out;
    }
    int in[2] = {x, constant_of(p, e, SCALAR, sums ? 0 : -100, sums ? 0 : -100)};
    int reduction = new_value(p, e, by), spread = new_value(p, e, s);
    if (!reduced(p, reduction, x, in[1], (double)n, sums, false))
        return false;
    stmt *st = emit(p, "stablehlo.reduce", in, 2, &reduction, 1,
                    keep(p, "dimensions = %s", ints_text(p, &one, 1)));
    st->regions[0] = reducer_text(p, sums ? "add" : "maximum", e);
    double mag = val(p, reduction)->mag + 100;
    int64_t first = 0;
    sized(p, spread, mag, true, 0, 0);
    emit(p, "stablehlo.broadcast_in_dim", &reduction, 1, &spread, 1,
         keep(p, "broadcast_dimensions = %s", ints_text(p, &first, 1)));
    int both[2] = {chance(p, 50) ? x : given, spread};
    both[0] = one_more(p, "stablehlo.subtract", both, s, 2 * mag);
    both[1] = chance(p, 50) ? x : given;
    int y = one_more(p, "stablehlo.maximum", both, s, 2 * mag);
    if (chance(p, 70))
        product_of(p, y, arg_in(p, e, (shape){2, {n, k}}, -2, 2), (shape){2, {m, k}},
                   "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]", (double)n);
    return true;
}
