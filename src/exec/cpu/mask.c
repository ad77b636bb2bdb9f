/* SPDX-License-Identifier: Apache-2.0 */
/* mask.c - columns of a chain's rows that a mask leaves out, such as the causal mask of attention. */
#include "exec/cpu/code.h"

#include "exec/contract.h"

typedef struct {
    const tsr_program *p;
    tsr_xid group;
    const tsr_xgroup *g;
    bool *differs; /* by value of the group: its elements may differ between masked columns */
} masks;

/* Whether the elements of operand v of a loop over rows may differ between masked columns. */
static bool varies(const masks *m, tsr_xid v)
{
    const tsr_program *p = m->p;
    tsr_xid s = tsr_storage_of(p, v);
    tsr_read read = tsr_read_of(p, m->group, false, v);
    if (read == TSR_READ_SAME)
        return m->differs[s];
    if (read == TSR_READ_BY_ROW || p->values.data[s].place == TSR_PLACE_SPLAT)
        return false;
    if (read != TSR_READ_MEMORY || p->values.data[v].place != TSR_PLACE_VIEW)
        return true;
    tsr_xview view = tsr_xview_of(p->values.data[v].view);
    return !tsr_xview_is_constant(&view) &&
           !tsr_xview_is_by_row(&view, p->nodes.data[m->g->product].contract->side[1].rest);
}

/* Whether all values that the loop reduces or stores are constant over the masked columns; notes those that are not. */
static bool mask_holds(const masks *m, tsr_xid mask)
{
    const tsr_program *p = m->p;
    const tsr_xgroup *g = m->g;
    bool ok = true;
    for (size_t i = 0; i < g->nodes.n && ok; i++) {
        const tsr_node *n = &p->nodes.data[g->nodes.data[i]];
        if (tsr_is_end(g, g->nodes.data[i]))
            continue;
        bool any = n->kind == TSR_NODE_CONTRACT, reduces = n->kind == TSR_NODE_REDUCE;
        bool masked = n->kind == TSR_NODE_TILE && n->tile == TSR_TILE_select && n->in[0] == mask;
        for (uint32_t k = masked ? 2 : 0; !any && !n->by_row && k < n->nin; k++)
            any = varies(m, n->in[k]);
        if (reduces) {
            bool fits = n->fold == TSR_FOLD_SUM || n->fold == TSR_FOLD_MAX ||
                        n->fold == TSR_FOLD_MIN || n->fold == TSR_FOLD_AND ||
                        n->fold == TSR_FOLD_OR;
            ok = fits && !varies(m, n->in[0]);
        } else {
            m->differs[n->out[0]] = any;
            ok = !any || p->values.data[n->out[0]].place == TSR_PLACE_NOWHERE;
        }
    }
    return ok;
}

/* The condition of a select in a chain, as a view of a value in memory; TSR_XNONE: there is none. */
static tsr_xid find_select(const masks *m)
{
    const tsr_program *p = m->p;
    for (size_t i = 0; m->g->mode == TSR_LOOP_ROWS && i < m->g->nodes.n; i++) {
        const tsr_node *n = &p->nodes.data[m->g->nodes.data[i]];
        if (n->kind == TSR_NODE_TILE && n->tile == TSR_TILE_select && !n->by_row &&
            p->values.data[n->in[0]].place == TSR_PLACE_VIEW &&
            tsr_read_of(p, m->group, false, n->in[0]) == TSR_READ_MEMORY)
            return n->in[0];
    }
    return TSR_XNONE;
}

void tsr_cpu_find_mask(const tsr_program *p, tsr_xid group, tsr_cpu_program *to)
{
    masks m = {.p = p, .group = group, .g = &p->groups.data[group]};
    tsr_xid mask = find_select(&m);
    if (mask == TSR_XNONE)
        return;
    m.differs = tsr_xmalloc(p->values.n);
    memset(m.differs, 0, p->values.n);
    bool ok = mask_holds(&m, mask);
    for (uint8_t i = 0; i < m.g->ngiven; i++)
        ok &= !m.differs[m.g->given[i]];
    tsr_free(m.differs);
    tsr_xview view = tsr_xview_of(p->values.data[mask].view);
    view = tsr_xview_join(&view);
    if (!ok || tsr_xview_is_constant(&view))
        return;
    to->groups[group].mask = tsr_arena_copy(&to->arena, &view, sizeof view);
    to->groups[group].mask_of = tsr_storage_of(p, mask);
}
