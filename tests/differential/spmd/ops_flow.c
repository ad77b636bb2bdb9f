/* SPDX-License-Identifier: Apache-2.0 */
/* ops_flow.c - loops, branches, calls, and what ties values together. */
#include "program.h"

/* ---- Control flow ---- */

bool make_barrier(program *p)
{
    int in[2] = {any(p, "ffi", 0, 3, NOTHING), any(p, "ffib", 0, 3, NOTHING)}, out[2];
    for (int i = 0; i < 2; i++)
        out[i] = moved(p, val(p, in[i])->e, val(p, in[i])->s, &in[i], 1);
    emit(p, "stablehlo.optimization_barrier", in, 2, out, 2, NULL);
    return true;
}

bool make_tuple(program *p)
{
    int in[2] = {any(p, "ffi", 0, 3, NOTHING), any(p, "ffib", 0, 3, NOTHING)};
    int t = new_value(p, F32, SCALAR), k = (int)below(p, 2);
    val(p, t)->type = keep(p, "tuple<%s, %s>", type_of(p, val(p, in[0])->e, &val(p, in[0])->s),
                           type_of(p, val(p, in[1])->e, &val(p, in[1])->s));
    emit(p, "stablehlo.tuple", in, 2, &t, 1, NULL);
    int out = moved(p, val(p, in[k])->e, val(p, in[k])->s, &in[k], 1);
    emit(p, "stablehlo.get_tuple_element", &t, 1, &out, 1, keep(p, "index = %d : i32", k));
    return true;
}

bool make_constraint(program *p)
{
    int in = any(p, "ffibc", 1, 4, NOTHING), out = moved(p, val(p, in)->e, val(p, in)->s, &in, 1);
    val(p, out)->sh.set = true;
    stmt *s = emit(p, "sdy.sharding_constraint", &in, 1, &out, 1, NULL);
    s->constrains = true;
    return true;
}

/* A value of this type and size for the end of a block: the one at hand, joined with another. */
static int ending(program *p, int like)
{
    const value *v = val(p, like);
    need n = {.exact = true, .finite = true};
    int in[2] = {take(p, v->e, v->s, n)};
    if (v->e == I1 || v->e == C64 || chance(p, 30))
        return in[0];
    in[1] = take(p, v->e, v->s, n);
    int out = new_value(p, v->e, v->s);
    const value *a = val(p, in[0]), *b = val(p, in[1]);
    sized(p, out, a->mag + b->mag, a->whole && b->whole, 0, 0);
    emit(p, "stablehlo.add", in, 2, &out, 1, NULL);
    return out;
}

/* One to three results, which need not all be read. */
static bool branches(program *p, int n)
{
    if (p->depth >= 2)
        return false;
    int nout = chance(p, 50) ? 1 : (int)between(p, 2, 3), like[3], out[3], from[3][3];
    for (int k = 0; k < nout; k++)
        like[k] = any(p, "ffi", 0, 3, PLAIN);
    int index = n ? arg_in(p, I32, SCALAR, -1, n) : arg_in(p, I1, SCALAR, 0, 1);
    block *blocks[3];
    int nb = n ? n : 2;
    for (int i = 0; i < nb; i++) {
        blocks[i] = new_block(p);
        open_block(p, blocks[i]);
        fill_block(p, (int)below(p, 3));
        for (int k = 0; k < nout; k++)
            from[k][i] = blocks[i]->ret[k] = ending(p, like[k]);
        blocks[i]->nret = nout;
        close_block(p);
    }
    for (int k = 0; k < nout; k++)
        out[k] = moved(p, val(p, like[k])->e, val(p, like[k])->s, from[k], nb);
    stmt *s = emit(p, n ? "stablehlo.case" : "stablehlo.if", &index, 1, out, nout, NULL);
    s->nblock = nb;
    memcpy(s->blocks, blocks, sizeof blocks[0] * (size_t)nb);
    return true;
}

bool make_case(program *p)
{
    return branches(p, (int)between(p, 1, 3));
}

bool make_if(program *p)
{
    return branches(p, 0);
}

/* What a loop carries on: a sum, or a maximum, of what it has and something new. */
static int accumulated(program *p, int carried, int more)
{
    const value *v = val(p, carried);
    bool sum = wraps(v->e);
    int pair[2] = {carried, more}, out = new_value(p, v->e, v->s);
    if (chance(p, 30))
        pair[0] = more, pair[1] = carried;
    const value *a = val(p, carried), *b = val(p, more);
    sized(p, out, sum ? 0 : a->mag > b->mag ? a->mag : b->mag, a->whole && b->whole, 0, 0);
    emit(p, sum ? "stablehlo.add" : "stablehlo.maximum", pair, 2, &out, 1, NULL);
    return out;
}

bool make_while(program *p)
{
    if (p->depth >= 2)
        return false;
    int n = (int)between(p, 1, 3), in[4], out[4];
    need small = {.exact = true, .finite = true, .mag = 3};
    in[0] = constant_of(p, I32, SCALAR, 0, 0);
    for (int i = 1; i <= n; i++)
        in[i] = any(p, "ffi", 0, 3, small);
    block *cond = new_block(p), *body = new_block(p);
    for (int k = 0; k < 2; k++) {
        block *b = k ? body : cond;
        open_block(p, b);
        for (int i = 0; i <= n; i++) {
            b->args[i] = new_value(p, val(p, in[i])->e, val(p, in[i])->s);
            value *v = val(p, b->args[i]);
            v->whole = val(p, in[i])->whole;
            v->mag = wraps(v->e) ? 0 : 3;
            v->fresh = !k || !i; /* counting is not for others */
        }
        b->nargs = n + 1;
        if (!k) {
            int limit =
                chance(p, 50) ? constant_of(p, I32, SCALAR, 0, 3) : arg_in(p, I32, SCALAR, 0, 3);
            int pair[2] = {b->args[0], limit}, flag = new_value(p, I1, SCALAR);
            emit(p, "stablehlo.compare", pair, 2, &flag, 1,
                 "comparison_direction = #stablehlo<comparison_direction LT>")
                ->pinned = true;
            b->ret[0] = flag;
            b->nret = 1;
        } else {
            for (int i = 1; i <= n; i++) /* integers, as far as the loop can tell */
                val(p, b->args[i])->whole &= val(p, in[i])->whole;
            fill_block(p, (int)between(p, 0, 3));
            int one = constant_of(p, I32, SCALAR, 1, 1), pair[2] = {b->args[0], one},
                next = new_value(p, I32, SCALAR);
            emit(p, "stablehlo.add", pair, 2, &next, 1, NULL)->pinned = true;
            val(p, next)->fresh = true;
            b->stmts[b->nstmt - 2]->pinned = true; /* the constant */
            b->ret[0] = next;
            for (int i = 1; i <= n; i++) {
                int v = ending(p, in[i]);
                if (!val(p, v)->whole)
                    v = b->args[i];
                b->ret[i] = wraps(val(p, v)->e) || v == b->args[i] ? v : clamped(p, v);
                if (v != b->args[i] && chance(p, 40))
                    b->ret[i] = accumulated(p, b->args[i], b->ret[i]);
            }
            b->nret = n + 1;
        }
        close_block(p);
    }
    for (int i = 0; i <= n; i++) {
        out[i] = moved(p, val(p, in[i])->e, val(p, in[i])->s, &in[i], 1);
        if (!wraps(val(p, out[i])->e))
            val(p, out[i])->mag = 3;
    }
    stmt *s = emit(p, "stablehlo.while", in, n + 1, out, n + 1, NULL);
    s->nblock = 2;
    s->blocks[0] = cond;
    s->blocks[1] = body;
    return true;
}

bool make_call(program *p)
{
    if (p->isolated || p->nfunc == FUNCS || p->depth)
        return false;
    int n = (int)between(p, 1, 2), in[2], out[2], f = p->nfunc++;
    need small = {.exact = true, .finite = true, .mag = 3};
    for (int i = 0; i < n; i++)
        in[i] = any(p, "ffi", 1, 3, small);
    block *b = p->funcs[f] = new_block(p);
    b->terminator = "func.return";
    open_block(p, b);
    int was = p->isolated_from;
    p->isolated_from = p->nvalue;
    p->isolated = true;
    for (int i = 0; i < n; i++) {
        b->args[i] = moved(p, val(p, in[i])->e, val(p, in[i])->s, &in[i], 1);
        val(p, b->args[i])->func = f + 1;
        if (!wraps(val(p, in[i])->e))
            val(p, b->args[i])->mag = 3;
    }
    b->nargs = n;
    fill_block(p, (int)between(p, 1, 3));
    for (int i = 0; i < n; i++)
        b->ret[i] = ending(p, in[i]);
    b->nret = n;
    p->isolated = false;
    p->isolated_from = was;
    close_block(p);
    for (int times = 1 + chance(p, 40); times-- > 0;) {
        for (int i = 0; i < n; i++)
            out[i] = moved(p, val(p, b->ret[i])->e, val(p, b->ret[i])->s, &b->ret[i], 1);
        emit(p, "func.call", in, n, out, n, keep(p, "callee = @f%d", f));
        for (int i = 0; i < n; i++)
            in[i] = take(p, val(p, in[i])->e, val(p, in[i])->s, small);
    }
    return true;
}

bool make_composite(program *p)
{
    if (p->isolated || p->nfunc == FUNCS || p->depth)
        return false;
    int f = p->nfunc++, in = any(p, "ffi", 1, 3, PLAIN);
    block *b = p->funcs[f] = new_block(p);
    b->terminator = "func.return";
    open_block(p, b);
    int was = p->isolated_from;
    p->isolated_from = p->nvalue;
    p->isolated = true;
    b->args[0] = moved(p, val(p, in)->e, val(p, in)->s, &in, 1);
    val(p, b->args[0])->func = f + 1;
    b->nargs = 1;
    b->ret[0] = ending(p, in);
    b->nret = 1;
    p->isolated = false;
    p->isolated_from = was;
    close_block(p);
    int out = moved(p, val(p, b->ret[0])->e, val(p, b->ret[0])->s, &b->ret[0], 1);
    emit(p, "stablehlo.composite", &in, 1, &out, 1,
         keep(p, "name = \"test.f\", decomposition = @f%d", f));
    return true;
}
