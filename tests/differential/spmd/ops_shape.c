/* SPDX-License-Identifier: Apache-2.0 */
/* ops_shape.c - ops that move elements: broadcasts, reshapes, slices, pads, and where elements
 * come from. */
#include "program.h"

/* ---- Shapes ---- */

bool make_transpose(program *p)
{
    int in = any(p, "ffibc", 1, 4, NOTHING);
    shape s = val(p, in)->s, t = s;
    int64_t order[RANK];
    for (int i = 0; i < s.rank; i++)
        order[i] = i;
    for (int i = s.rank; i-- > 1;) {
        int k = (int)below(p, i + 1);
        int64_t x = order[i];
        order[i] = order[k];
        order[k] = x;
    }
    for (int i = 0; i < s.rank; i++)
        t.d[i] = s.d[order[i]];
    int out = moved(p, val(p, in)->e, t, &in, 1);
    emit(p, "stablehlo.transpose", &in, 1, &out, 1,
         keep(p, "permutation = %s", ints_text(p, order, s.rank)));
    return true;
}

static shape reshaped(program *p, const shape *s)
{
    int64_t n = elements(s);
    shape t = {0};
    if (!n) /* any shape without elements */
        do
            t = random_shape(p, 1, 3);
        while (elements(&t));
    while (n > 1 && t.rank < 3) {
        int64_t d = between(p, 1, n);
        while (n % d)
            d = between(p, 1, n);
        t.d[t.rank++] = d;
        n /= d;
    }
    if (n > 1 || (n && chance(p, 20)))
        t.d[t.rank++] = n;
    return t;
}

bool make_reshape(program *p)
{
    int in = any(p, "ffibc", 0, 4, NOTHING);
    int out = moved(p, val(p, in)->e, reshaped(p, &p->values[in].s), &in, 1);
    emit(p, "stablehlo.reshape", &in, 1, &out, 1, NULL);
    return true;
}

bool make_dynamic_reshape(program *p)
{
    int in[2] = {any(p, "ffi", 0, 4, NOTHING)};
    shape t = reshaped(p, &p->values[in[0]].s);
    if (!t.rank)
        return false;
    in[1] = shape_operand(p, t.d, t.rank);
    int out = moved(p, val(p, in[0])->e, t, in, 1);
    emit(p, "stablehlo.dynamic_reshape", in, 2, &out, 1, NULL);
    return true;
}

static bool broadcast_to(program *p, bool dynamic)
{
    shape t = random_shape(p, 1, 4), s = {0};
    int64_t dims[RANK];
    for (int i = 0; i < t.rank; i++)
        if (chance(p, 55)) {
            dims[s.rank] = i;
            s.d[s.rank++] = chance(p, 75) ? t.d[i] : 1;
        }
    int in[2] = {take(p, random_elem(p, "ffibc"), s, NOTHING)},
        out = moved(p, val(p, in[0])->e, t, in, 1);
    if (dynamic)
        in[1] = shape_operand(p, t.d, t.rank);
    emit(p, dynamic ? "stablehlo.dynamic_broadcast_in_dim" : "stablehlo.broadcast_in_dim", in,
         1 + dynamic, &out, 1, keep(p, "broadcast_dimensions = %s", ints_text(p, dims, s.rank)));
    return true;
}

bool make_broadcast_in_dim(program *p)
{
    return broadcast_to(p, false);
}

bool make_dynamic_broadcast_in_dim(program *p)
{
    return broadcast_to(p, true);
}

bool make_broadcast(program *p)
{
    int in = any(p, "ffi", 0, 2, NOTHING);
    shape s = val(p, in)->s, t = {s.rank + 2, {between(p, 1, 4), between(p, 1, 3)}};
    memcpy(t.d + 2, s.d, (size_t)s.rank * sizeof *s.d);
    if (elements(&t) > 2000)
        return false;
    int out = moved(p, val(p, in)->e, t, &in, 1);
    emit(p, "stablehlo.broadcast", &in, 1, &out, 1,
         keep(p, "broadcast_sizes = %s", ints_text(p, t.d, 2)));
    return true;
}

bool make_concatenate(program *p)
{
    int in[4] = {any(p, "ffibc", 1, 4, NOTHING)}, n = (int)between(p, 1, 4);
    shape s = val(p, in[0])->s, t = s;
    int d = (int)below(p, s.rank);
    for (int i = 1; i < n; i++) {
        shape u = s;
        u.d[d] = chance(p, 50) ? s.d[d] : random_dim(p);
        in[i] = take(p, val(p, in[0])->e, u, NOTHING);
        t.d[d] += u.d[d];
    }
    int out = moved(p, val(p, in[0])->e, t, in, n);
    emit(p, "stablehlo.concatenate", in, n, &out, 1, keep(p, "dimension = %d : i64", d));
    return true;
}

static bool pad_to(program *p, bool dynamic)
{
    int in[5] = {any(p, "ffib", 1, 4, NOTHING)};
    in[1] = take(p, val(p, in[0])->e, SCALAR, NOTHING);
    shape s = val(p, in[0])->s, t = s;
    int64_t low[RANK], high[RANK], inner[RANK];
    for (int i = 0; i < s.rank; i++) {
        low[i] = chance(p, 40) ? 0 : between(p, -1, 3);
        high[i] = chance(p, 40) ? 0 : between(p, -1, 4);
        inner[i] = chance(p, 70) ? 0 : between(p, 1, 2);
        t.d[i] = low[i] + high[i] + s.d[i] + (s.d[i] ? (s.d[i] - 1) * inner[i] : 0);
        if (t.d[i] < !p->empties)
            return false;
    }
    if (elements(&t) > 3000)
        return false;
    int out = moved(p, val(p, in[0])->e, t, in, 2);
    if (dynamic) {
        in[2] = shape_operand(p, low, s.rank);
        in[3] = shape_operand(p, high, s.rank);
        in[4] = shape_operand(p, inner, s.rank);
        emit(p, "stablehlo.dynamic_pad", in, 5, &out, 1, NULL);
        return true;
    }
    emit(p, "stablehlo.pad", in, 2, &out, 1,
         keep(p, "edge_padding_low = %s, edge_padding_high = %s, interior_padding = %s",
              ints_text(p, low, s.rank), ints_text(p, high, s.rank), ints_text(p, inner, s.rank)));
    return true;
}

bool make_pad(program *p)
{
    return pad_to(p, false);
}

bool make_dynamic_pad(program *p)
{
    return pad_to(p, true);
}

static bool slice_of(program *p, bool dynamic)
{
    int in[4] = {any(p, "ffibc", 1, 4, NOTHING)};
    shape s = val(p, in[0])->s, t = s;
    int64_t start[RANK], limit[RANK], stride[RANK];
    for (int i = 0; i < s.rank; i++) {
        start[i] = chance(p, 40) || !s.d[i] ? 0 : below(p, s.d[i]);
        limit[i] = chance(p, 40) || !s.d[i] ? s.d[i] : between(p, start[i] + !p->empties, s.d[i]);
        stride[i] = chance(p, 65) ? 1 : between(p, 2, 3);
        t.d[i] = (limit[i] - start[i] + stride[i] - 1) / stride[i];
    }
    int out = moved(p, val(p, in[0])->e, t, in, 1);
    if (dynamic) {
        in[1] = shape_operand(p, start, s.rank);
        in[2] = shape_operand(p, limit, s.rank);
        in[3] = shape_operand(p, stride, s.rank);
        emit(p, "stablehlo.real_dynamic_slice", in, 4, &out, 1, NULL);
        return true;
    }
    emit(p, "stablehlo.slice", in, 1, &out, 1,
         keep(p, "start_indices = %s, limit_indices = %s, strides = %s",
              ints_text(p, start, s.rank), ints_text(p, limit, s.rank),
              ints_text(p, stride, s.rank)));
    return true;
}

bool make_slice(program *p)
{
    return slice_of(p, false);
}

bool make_real_dynamic_slice(program *p)
{
    return slice_of(p, true);
}

bool make_reverse(program *p)
{
    int in = any(p, "ffibc", 1, 4, NOTHING);
    int64_t dims[RANK];
    int n = 0;
    for (int i = 0; i < val(p, in)->s.rank; i++)
        if (chance(p, 60))
            dims[n++] = i;
    int out = moved(p, val(p, in)->e, val(p, in)->s, &in, 1);
    emit(p, "stablehlo.reverse", &in, 1, &out, 1,
         keep(p, "dimensions = %s", ints_text(p, dims, n)));
    return true;
}

/* One index operand for each dimension, all of one type. */
static void index_operands(program *p, const shape *s, int *in)
{
    int first = scalar_index(p, s->d[0]);
    for (int i = 0; i < s->rank; i++)
        in[i] = i == 0 ? first
                       : arg_in(p, val(p, first)->e, SCALAR, val(p, first)->low, (int)s->d[i] + 1);
}

bool make_dynamic_slice(program *p)
{
    int in[1 + RANK] = {any(p, "ffibc", 1, 4, NOTHING)};
    shape s = val(p, in[0])->s, t = s;
    for (int i = 0; i < s.rank; i++)
        t.d[i] = chance(p, 35) ? s.d[i] : up_to(p, s.d[i]);
    index_operands(p, &s, in + 1);
    int out = moved(p, val(p, in[0])->e, t, in, 1);
    emit(p, "stablehlo.dynamic_slice", in, 1 + s.rank, &out, 1,
         keep(p, "slice_sizes = %s", ints_text(p, t.d, s.rank)));
    return true;
}

bool make_dynamic_update_slice(program *p)
{
    int in[2 + RANK] = {any(p, "ffibc", 1, 4, NOTHING)};
    shape s = val(p, in[0])->s, t = s;
    for (int i = 0; i < s.rank; i++)
        t.d[i] = chance(p, 35) ? s.d[i] : up_to(p, s.d[i]);
    in[1] = take(p, val(p, in[0])->e, t, NOTHING);
    if (chance(p, 25)) {
        for (int i = 0; i < s.rank; i++)
            in[2 + i] = constant_of(p, I32, SCALAR, 0, (int)s.d[i]);
    } else {
        index_operands(p, &s, in + 2);
    }
    int out = moved(p, val(p, in[0])->e, s, in, 2);
    emit(p, "stablehlo.dynamic_update_slice", in, 2 + s.rank, &out, 1, NULL);
    return true;
}

bool make_iota(program *p)
{
    shape s = random_shape(p, 1, 4);
    int d = (int)below(p, s.rank), out = new_value(p, random_elem(p, "ffic"), s);
    sized(p, out, (double)s.d[d], true, 0, 0);
    emit(p, "stablehlo.iota", NULL, 0, &out, 1, keep(p, "iota_dimension = %d : i64", d));
    return true;
}

bool make_dynamic_iota(program *p)
{
    shape s = random_shape(p, 1, 3);
    int d = (int)below(p, s.rank), in = shape_operand(p, s.d, s.rank),
        out = new_value(p, random_elem(p, "fi"), s);
    sized(p, out, (double)s.d[d], true, 0, 0);
    emit(p, "stablehlo.dynamic_iota", &in, 1, &out, 1, keep(p, "iota_dimension = %d : i64", d));
    return true;
}

bool make_constant(program *p)
{
    elem e = random_elem(p, "ffibc");
    bool small = e == U8 || e == U32 || e == I1;
    constant_of(p, e, random_shape(p, 1, 3), small ? 0 : -3, e == I1 ? 1 : 3);
    return true;
}

bool make_get_dimension_size(program *p)
{
    int in = any(p, "ffi", 1, 4, NOTHING), out = new_value(p, I32, SCALAR);
    emit(p, "stablehlo.get_dimension_size", &in, 1, &out, 1,
         keep(p, "dimension = %lld : i64", (long long)below(p, val(p, in)->s.rank)));
    return true;
}

bool make_torch_index_select(program *p)
{
    int in[2] = {any(p, "ffi", 1, 3, NOTHING)};
    shape s = val(p, in[0])->s, t = s, u = {1, {random_dim(p)}};
    int d = (int)below(p, s.rank);
    u.d[0] = s.d[d] ? u.d[0] : 0;
    t.d[d] = u.d[0];
    in[1] = arg_in(p, I32, u, 0, (int)s.d[d] - 1);
    int out = moved(p, val(p, in[0])->e, t, in, 1);
    emit(p, "stablehlo.torch_index_select", in, 2, &out, 1,
         keep(p, "dim = %d : i64, batch_dims = 0 : i64", d));
    return true;
}
