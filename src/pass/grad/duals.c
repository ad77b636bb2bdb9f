/* SPDX-License-Identifier: Apache-2.0 */
/* duals.c - which values vary, and their cotangents or tangents. */
#include "pass/grad/grad.h"

tsr_dual *tsr_grad_dual(tsr_grad *g, const tsr_value *v)
{
    while (g->duals.n <= v->id)
        tsr_vec_push(&g->duals, (tsr_dual){.d = NULL});
    return &g->duals.data[v->id];
}

bool tsr_grad_is_smooth(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) &&
           (t->elem->kind == TSR_TYPE_FLOAT || t->elem->kind == TSR_TYPE_COMPLEX);
}

void tsr_grad_add(tsr_grad *g, tsr_value *v, tsr_value *ct)
{
    if (!ct || !tsr_grad_varied(g, v))
        return;
    tsr_value *sum = tsr_grad_dual(g, v)->d;
    sum = sum ? f_add(&g->b, sum, ct) : ct;
    tsr_grad_dual(g, v)->d = sum;
}

tsr_value *tsr_grad_of(tsr_grad *g, const tsr_value *v)
{
    return v->id < g->duals.n ? g->duals.data[v->id].d : NULL;
}

tsr_value *tsr_grad_zero(tsr_grad *g, tsr_value *like)
{
    return tsr_build_like(&g->b, like, tsr_elem(like), 0);
}

tsr_value *tsr_grad_of_or_zero(tsr_grad *g, tsr_value *v)
{
    tsr_value *d = tsr_grad_of(g, v);
    return d ? d : tsr_grad_zero(g, v);
}

void tsr_grad_set(tsr_grad *g, tsr_value *v, tsr_value *tangent)
{
    tsr_grad_dual(g, v)->d = tangent;
}

void tsr_grad_replace(tsr_grad *g, tsr_value *from, tsr_value *to)
{
    tsr_dual d = *tsr_grad_dual(g, from);
    tsr_value_replace(from, to);
    *tsr_grad_dual(g, to) = d;
}

bool tsr_grad_wanted(tsr_grad *g, const tsr_value *v)
{
    return v->id < g->duals.n && g->duals.data[v->id].varied && g->duals.data[v->id].useful;
}
