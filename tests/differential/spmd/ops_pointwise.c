/* SPDX-License-Identifier: Apache-2.0 */
/* ops_pointwise.c - elementwise ops, one element of a result for one of each operand. */
#include "program.h"

/* ---- Elementwise ---- */

/* The fields of UNARY in ops.def. */
typedef struct {
    const char *name, *among;
    double mag;
    bool keeps, smooth;
} unary_row;

static const unary_row unary_rows[] = {
#define UNARY(name, weight, ...) {name, __VA_ARGS__},
#include "ops.def"
};

bool make_unary(program *p)
{
    const unary_row *r = &unary_rows[0];
    while (strcmp(r->name, op_rows[p->op].name) != 0)
        r++;
    need n = {.exact = !r->smooth};
    int a = any(p, r->among, 0, 4, n);
    const value *v = val(p, a);
    /* Bounds of sines and the like hold for real numbers. */
    double mag = v->e == C64 && r->mag > 0         ? INFINITY
                 : r->mag > 0 && v->mag < INFINITY ? r->mag
                 : r->mag == 0                     ? v->mag
                                                   : INFINITY;
    double steps = v->steps * (r->mag > 0 && v->mag > 1 ? v->mag : 1);
    if (v->steps > 0 && !(v->mag < INFINITY))
        return false;
    int out = new_value(p, v->e, v->s);
    if (!sized(p, out, mag, v->whole && r->keeps, steps, 0))
        return false;
    val(p, out)->firm = v->whole && v->steps == 0;
    emit(p, r->name, &a, 1, &out, 1, NULL);
    return true;
}

static const struct {
    const char *name, *among;
    bool smooth;
} binary_rows[] = {
#define BINARY(name, weight, ...) {name, __VA_ARGS__},
#include "ops.def"
};

static double binary_mag(const char *name, double a, double b)
{
    if (!strcmp(name, "stablehlo.add") || !strcmp(name, "stablehlo.subtract"))
        return a + b;
    if (!strcmp(name, "stablehlo.multiply"))
        return a * b;
    if (!strcmp(name, "stablehlo.maximum") || !strcmp(name, "stablehlo.minimum"))
        return a > b ? a : b;
    return INFINITY;
}

bool make_binary(program *p)
{
    int k = 0;
    while (strcmp(binary_rows[k].name, op_rows[p->op].name) != 0)
        k++;
    const char *name = binary_rows[k].name;
    need n = {.exact = !binary_rows[k].smooth};
    int in[2] = {any(p, binary_rows[k].among, 0, 4, n)};
    elem e = val(p, in[0])->e;
    bool divides = !strcmp(name, "stablehlo.divide") || !strcmp(name, "stablehlo.remainder") ||
                   !strcmp(name, "stablehlo.power") || strstr(name, "shift");
    in[1] = divides && is_int(e) ? arg_in(p, e, val(p, in[0])->s, 1, 4)
                                 : take(p, e, val(p, in[0])->s, n);
    const value *a = val(p, in[0]), *b = val(p, in[1]);
    double mag = binary_mag(name, a->mag, b->mag), steps = a->steps + b->steps;
    if (steps > 0 && !(a->mag < INFINITY && b->mag < INFINITY))
        return false;
    bool whole = a->whole && b->whole && mag < INFINITY;
    int out = new_value(p, e, a->s);
    if (!sized(p, out, mag, whole, steps > 0 ? steps + 1 : 0, 0))
        return false;
    val(p, out)->firm = a->whole && b->whole && steps == 0;
    emit(p, name, in, 2, &out, 1, NULL);
    return true;
}

bool make_compare(program *p)
{
    static const char *const how[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
    int in[2] = {any(p, "ffi", 0, 4, EXACT)};
    in[1] = take(p, val(p, in[0])->e, val(p, in[0])->s, EXACT);
    int out = new_value(p, I1, val(p, in[0])->s);
    emit(p, "stablehlo.compare", in, 2, &out, 1,
         keep(p, "comparison_direction = #stablehlo<comparison_direction %s>", how[below(p, 6)]));
    return true;
}

bool make_convert(program *p)
{
    int in = any(p, "ffib", 0, 4, PLAIN);
    elem to = random_elem(p, "ffib");
    const value *v = val(p, in);
    int out = new_value(p, to, v->s);
    double mag = wraps(v->e) ? v->e == I1 ? 1 : INFINITY : v->mag;
    if (!sized(p, out, mag, v->whole && mag < INFINITY, 0, 0))
        return false;
    emit(p, "stablehlo.convert", &in, 1, &out, 1, NULL);
    return true;
}

bool make_is_finite(program *p)
{
    int in = any(p, "f", 0, 4, EXACT), out = new_value(p, I1, val(p, in)->s);
    emit(p, "stablehlo.is_finite", &in, 1, &out, 1, NULL);
    return true;
}

bool make_complex(program *p)
{
    int in[2] = {take(p, F32, random_shape(p, 0, 3), NOTHING)};
    in[1] = take(p, F32, val(p, in[0])->s, NOTHING);
    int out = moved(p, C64, val(p, in[0])->s, in, 2);
    emit(p, "stablehlo.complex", in, 2, &out, 1, NULL);
    return true;
}

bool make_part(program *p)
{
    int in = any(p, "c", 0, 3, NOTHING), out = moved(p, F32, val(p, in)->s, &in, 1);
    emit(p, op_rows[p->op].name, &in, 1, &out, 1, NULL);
    return true;
}

bool make_select(program *p)
{
    int in[3] = {0, any(p, "ffibc", 0, 4, NOTHING)};
    in[2] = take(p, val(p, in[1])->e, val(p, in[1])->s, NOTHING);
    in[0] = take(p, I1, chance(p, 60) ? val(p, in[1])->s : SCALAR, EXACT);
    int out = moved(p, val(p, in[1])->e, val(p, in[1])->s, in + 1, 2);
    emit(p, "stablehlo.select", in, 3, &out, 1, NULL);
    return true;
}

bool make_clamp(program *p)
{
    int in[3] = {0, any(p, "ffi", 0, 4, FINITE)};
    const shape s = chance(p, 50) ? val(p, in[1])->s : SCALAR;
    in[0] = take(p, val(p, in[1])->e, s, FINITE);
    in[2] = take(p, val(p, in[1])->e, s, FINITE);
    int out = moved(p, val(p, in[1])->e, val(p, in[1])->s, in, 3);
    emit(p, "stablehlo.clamp", in, 3, &out, 1, NULL);
    return true;
}

bool make_reduce_precision(program *p)
{
    int in = any(p, "f", 0, 4, EXACT), out = new_value(p, val(p, in)->e, val(p, in)->s);
    if (val(p, in)->e == BF16 || val(p, in)->e == F16)
        return false;
    sized(p, out, val(p, in)->mag * 2, false, 0, 0);
    emit(p, "stablehlo.reduce_precision", &in, 1, &out, 1,
         "exponent_bits = 5 : i32, mantissa_bits = 2 : i32");
    return true;
}

bool make_bitcast_convert(program *p)
{
    shape s = random_shape(p, 0, 3), more = s;
    int in, out;
    more.d[more.rank++] = 4;
    switch (below(p, 3)) {
    case 0: in = take(p, F32, s, EXACT), out = new_value(p, I32, s); break;
    case 1: in = take(p, I32, s, EXACT), out = new_value(p, I8, more); break;
    default: in = take(p, U8, more, EXACT), out = new_value(p, U32, s); break;
    }
    emit(p, "stablehlo.bitcast_convert", &in, 1, &out, 1, NULL);
    return true;
}

bool make_map(program *p)
{
    elem e = chance(p, 50) ? F32 : I32;
    int in[2] = {take(p, e, random_shape(p, 1, 3), NOTHING)};
    in[1] = take(p, e, val(p, in[0])->s, NOTHING);
    const value *a = val(p, in[0]), *b = val(p, in[1]);
    int out = new_value(p, e, a->s);
    int64_t dims[RANK] = {0, 1, 2, 3, 4};
    if (!sized(p, out, a->mag + b->mag, a->whole && b->whole, a->steps + b->steps, 0))
        return false;
    stmt *s = emit(p, "stablehlo.map", in, 2, &out, 1,
                   keep(p, "dimensions = %s", ints_text(p, dims, a->s.rank)));
    s->regions[0] = reducer_text(p, "add", e);
    return true;
}

bool make_chlo_broadcast(program *p)
{
    elem e = chance(p, 60) ? F32 : I32;
    shape s = random_shape(p, 1, 3), t = s;
    int drop = (int)below(p, s.rank);
    for (int i = 0; i < s.rank - drop; i++)
        t.d[i] = chance(p, 30) ? 1 : s.d[i + drop];
    t.rank -= drop;
    int in[2] = {take(p, e, s, NOTHING), take(p, e, t, NOTHING)};
    const value *a = val(p, in[0]), *b = val(p, in[1]);
    int out = new_value(p, e, s);
    if (!sized(p, out, a->mag + b->mag, a->whole && b->whole, a->steps + b->steps, 0))
        return false;
    emit(p, "chlo.broadcast_add", in, 2, &out, 1, NULL);
    return true;
}

bool make_quantize(program *p)
{
    int in = take(p, F32, random_shape(p, 1, 3), PLAIN);
    int q = new_value(p, F32, val(p, in)->s), out = new_value(p, F32, val(p, in)->s);
    char dims[128] = "";
    size_t n = 0;
    for (int d = 0; d < val(p, in)->s.rank; d++)
        n += (size_t)snprintf(dims + n, sizeof dims - n, "%lldx", (long long)val(p, in)->s.d[d]);
    val(p, q)->type = keep(p, "tensor<%s!quant.uniform<i8:f32, 5.000000e-01:3>>", dims);
    sized(p, out, 70, false, 0, 0);
    emit(p, "stablehlo.uniform_quantize", &in, 1, &q, 1, NULL);
    emit(p, "stablehlo.uniform_dequantize", &q, 1, &out, 1, NULL);
    return true;
}
