/* SPDX-License-Identifier: Apache-2.0 */
/* known.c - single integers that the host knows, though their values are in a device's memory: counters and conditions of
 * loops, and what follows from them and from arguments of the host. Control flow that depends on them waits for nothing. */
#include "exec/run/run.h"
#include "exec/target.h"

static bool is_single(const tsr_xvalue *x)
{
    return x->n == 1 && tsr_dtype_is_int((tsr_dtype)x->dtype);
}

bool tsr_run_known(const tsr_run *r, tsr_xid v, uint64_t *out)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    *out = 0;
    if (!r->known || !is_single(x))
        return false;
    if (x->place == TSR_PLACE_VIEW)
        return tsr_run_known(r, x->base, out);
    if (x->place == TSR_PLACE_SPLAT)
        *out = x->bits[0];
    else if (x->place != TSR_PLACE_IOTA)
        *out = r->known[v].bits;
    return x->place == TSR_PLACE_SPLAT || x->place == TSR_PLACE_IOTA || r->known[v].is;
}

void tsr_run_learn(tsr_run *r, tsr_xid v, const void *element)
{
    const tsr_xvalue *x = &r->p->values.data[v];
    if (!r->known || !is_single(x))
        return;
    r->known[v].is = element != NULL;
    if (element)
        memcpy(&r->known[v].bits, element, tsr_dtype_bytes((tsr_dtype)x->dtype));
}

/* What an elementwise op gives for known operands. */
static bool compute(const tsr_run *r, const tsr_node *n, const void *const *in, void *out)
{
    const tsr_target *t = r->p->target;
    tsr_dtype to = (tsr_dtype)r->p->values.data[n->out[0]].dtype;
    if (n->kind == TSR_NODE_MOVE && n->move == TSR_MOVE_COPY)
        return memcpy(out, in[0], tsr_dtype_bytes(to));
    if (n->kind != TSR_NODE_TILE || n->tile == TSR_TILE_LOOKUP)
        return false;
    tsr_dtype of = (tsr_dtype)n->of;
    if (n->tile == TSR_TILE_CONVERT)
        tsr_convert(to, out, of, in[0], 1);
    else if (n->tile == TSR_TILE_BITS)
        memcpy(out, in[0], tsr_dtype_bytes(to));
    else if (t->compute && tsr_target_cpu.tile((tsr_tile_op)n->tile, of))
        t->compute((tsr_tile_op)n->tile, of, out, in, 1);
    else
        return false;
    return true;
}

void tsr_run_follow(tsr_run *r, const tsr_xgroup *g)
{
    for (size_t i = 0; r->known && i < g->nodes.n; i++) {
        const tsr_node *n = &r->p->nodes.data[g->nodes.data[i]];
        uint64_t in[TSR_TILE_OPERANDS], out = 0;
        const void *at[TSR_TILE_OPERANDS];
        bool known =
            n->nout == 1 && n->nin <= TSR_TILE_OPERANDS && is_single(&r->p->values.data[n->out[0]]);
        for (uint32_t k = 0; known && k < n->nin; k++) {
            known = tsr_run_known(r, n->in[k], &in[k]);
            at[k] = &in[k];
        }
        known = known && compute(r, n, at, &out);
        for (uint32_t k = 0; k < n->nout; k++)
            tsr_run_learn(r, n->out[k], known ? &out : NULL);
    }
}
