/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - what makers of ops share: how large results may be, and small operands. */
#include "program.h"

/* A result whose elements are those of other values, moved or chosen. */
int moved(program *p, elem e, shape s, const int *from, int n)
{
    int id = new_value(p, e, s);
    value *v = val(p, id);
    v->mag = 0;
    v->whole = v->firm = true;
    for (int i = 0; i < n; i++) {
        const value *f = val(p, from[i]);
        v->mag = f->mag > v->mag ? f->mag : v->mag;
        v->whole &= f->whole;
        v->firm &= f->firm || f->mag < INFINITY;
        v->steps = f->steps > v->steps ? f->steps : v->steps;
    }
    return id;
}

/* A result of this size; terms: how many products or the like are summed for an element (0:
 * none). False: sums of elements that are too large to be added in any order. */
bool sized(program *p, int id, double mag, bool whole, double steps, double terms)
{
    value *v = val(p, id);
    if (wraps(v->e)) {
        v->mag = 0;
        v->whole = true;
        return true;
    }
    bool exact = whole && mag <= elem_exact(v->e);
    if (terms > 0 && !exact && !(mag < 1e4))
        return false;
    v->mag = mag < 1e30 ? mag : INFINITY;
    v->whole = exact;
    v->steps = steps + (terms > 0 && !exact ? terms + 1 : 0);
    /* A mistake in the last place grows with what it is multiplied by. */
    return !(v->steps > 1e5);
}

int64_t windows_in(int64_t padded, int64_t reach, int64_t stride)
{
    return padded < reach ? 0 : (padded - reach) / stride + 1;
}

int scalar_index(program *p, int64_t size)
{
    static const elem kinds[] = {I32, I32, I64, U32};
    elem e = kinds[below(p, 4)];
    return arg_in(p, e, SCALAR, e == U32 ? 0 : -2, (int)size + 1);
}

const char *reducer_text(program *p, const char *op, elem e)
{
    const char *t = type_of(p, e, &SCALAR);
    return keep(p,
                "      ^bb0(%%x: %s, %%y: %s):\n        %%r = stablehlo.%s %%x, %%y : %s\n        "
                "stablehlo.return %%r : %s\n",
                t, t, op, t, t);
}

int shape_operand(program *p, const int64_t *v, int n)
{
    shape s = {1, {n}};
    int id = new_value(p, I64, s);
    const char *list = list_text(p, v, n);
    emit(p, "stablehlo.constant", NULL, 0, &id, 1,
         n ? keep(p, "value = dense<%s> : tensor<%dxi64>", list, n)
           : "value = dense<> : tensor<0xi64>");
    val(p, id)->fresh = true;
    return id;
}

int clamped(program *p, int v)
{
    elem e = val(p, v)->e;
    int in[3] = {constant_of(p, e, SCALAR, e == U8 || e == U32 || e == U64 ? 0 : -3,
                             e == U8 || e == U32 || e == U64 ? 0 : -3),
                 v, constant_of(p, e, SCALAR, 3, 3)};
    int out = moved(p, e, val(p, v)->s, &v, 1);
    if (!wraps(e))
        val(p, out)->mag = 3;
    emit(p, "stablehlo.clamp", in, 3, &out, 1, NULL);
    return out;
}

const char *reducer_for(program *p, elem e, bool *sums, bool *multiplies)
{
    static const char *const floats[] = {"add", "add", "maximum", "minimum", "multiply"};
    static const char *const ints[] = {"add", "maximum", "minimum", "multiply", "and", "or", "xor"};
    static const char *const flags[] = {"and", "or", "maximum", "minimum", "add"};
    const char *name = e == I1     ? flags[below(p, 5)]
                       : is_int(e) ? ints[below(p, 7)]
                       : e == C64  ? "add"
                                   : floats[below(p, 5)];
    *sums = !strcmp(name, "add");
    *multiplies = !strcmp(name, "multiply");
    return name;
}

/* Elements of a reduction of this many. */
bool reduced(program *p, int out, int in, int init, double terms, bool sums, bool multiplies)
{
    const value *v = val(p, in), *z = val(p, init);
    double most = v->mag > z->mag ? v->mag : z->mag;
    if (wraps(v->e))
        return sized(p, out, 0, true, 0, 0);
    if (sums)
        return sized(p, out, v->mag * terms + z->mag, v->whole && z->whole, v->steps + z->steps,
                     terms);
    if (multiplies) {
        double mag = pow(v->mag > 1 ? v->mag : 1, terms) * (z->mag > 1 ? z->mag : 1);
        if (v->steps > 0)
            return false;
        return sized(p, out, mag, v->whole && z->whole, 0, terms);
    }
    return sized(p, out, most, v->whole && z->whole, v->steps > z->steps ? v->steps : z->steps, 0);
}
