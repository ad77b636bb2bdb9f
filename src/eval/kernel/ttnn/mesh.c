/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.c - TTNN's ops between the host and the devices of a mesh, and between two devices. */
#include "eval/kernel/collective.h"
#include "eval/kernel/ttir/parts.h"
#include "eval/kernel/ttnn/ttnn.h"

/* Sizes of the mesh from a config; if absent, those of the mesh. False after a failure. */
static bool read_sizes(tsr_call *c, const tsr_tt_mesh *m, const tsr_attr *list, bool whole,
                       tsr_tt_division *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        int64_t mine = i < m->naxis ? m->sizes[i] : 1;
        d->sizes[i] = list && i < list->n ? list->attrs[i]->i : mine;
        if (d->sizes[i] < 1 || d->sizes[i] > mine || (whole && d->sizes[i] != mine))
            return tsr_fail(c, "is for a mesh with %lld devices along axis %u, which has %lld",
                            (long long)d->sizes[i], i, (long long)mine);
    }
    return true;
}

bool eval_ttnn_distribute(tsr_call *c)
{
    const tsr_attr *config = tsr_ttnn_attr(c, "mapper_config"), *list = config->attrs[0];
    const tsr_tt_mesh *m = tsr_tt_mesh_of(c);
    tsr_tt_division d = {.n = list->n > TSR_TT_AXES ? TSR_TT_AXES : list->n};
    if (!m)
        return false;
    for (uint32_t i = 0; i < d.n; i++) {
        const tsr_attr *kind = list->attrs[i]->attrs[0], *dim = list->attrs[i]->attrs[1];
        d.dims[i] = kind->i && dim ? dim->i : -1;
    }
    if (list->n > m->naxis && m->naxis)
        return tsr_fail(c, "has %u placements for a mesh of %u axes", list->n, m->naxis);
    return read_sizes(c, m, config->attrs[1], true, &d) && tsr_tt_take_part(c, m, &d);
}

bool eval_ttnn_aggregate(tsr_call *c)
{
    const tsr_attr *config = tsr_ttnn_attr(c, "composer_config"), *list = config->attrs[0];
    const tsr_tt_mesh *m = tsr_tt_mesh_of(c);
    tsr_tt_division d = {.n = list->n > TSR_TT_AXES ? TSR_TT_AXES : list->n};
    if (!m)
        return false;
    for (uint32_t i = 0; i < d.n; i++)
        d.dims[i] = list->attrs[i]->i;
    TSR_TRY(read_sizes(c, m, config->attrs[1], false, &d));
    bool one = true;
    for (uint32_t i = 0; i < d.n; i++)
        one &= d.sizes[i] == 1;
    if (one)
        d.n = 0;
    return tsr_tt_join_parts(c, m, &d);
}

/* The device at a position of the mesh; -1 if there is none. */
static int64_t device_at(const tsr_tt_mesh *m, const tsr_attr *coord)
{
    int64_t at = 0, n = tsr_attr_count(coord);
    for (uint32_t i = 0; i < m->naxis; i++) {
        int64_t k = (int64_t)i < n ? tsr_attr_int_at(coord, i) : 0;
        if (k < 0 || k >= m->sizes[i])
            return -1;
        at = at * m->sizes[i] + k;
    }
    return at;
}

/* The receiver gets the sender's value; others keep their value of the tensor that is written, or zeros. */
bool eval_ttnn_point_to_point(tsr_call *c)
{
    const tsr_tt_mesh *m = tsr_tt_mesh_of(c);
    if (!m)
        return false;
    int64_t from = device_at(m, tsr_ttnn_attr(c, "sender_coord")),
            to = device_at(m, tsr_ttnn_attr(c, "receiver_coord"));
    if (from < 0 || to < 0)
        return tsr_fail(c, "is between places that the mesh does not have");
    tsr_gathering g = {
        .group = {.ids = tsr_xmalloc(m->devices * sizeof(uint32_t)), .n = m->devices}};
    for (uint32_t i = 0; i < m->devices; i++)
        g.group.ids[i] = i;
    bool ok = tsr_gather_parts(c, &g, 1);
    if (ok && (int64_t)g.me == to)
        c->out[0] = tsr_tensor_ref(tsr_brought(&g, (size_t)from, 0));
    else if (ok && c->op->nin > 1)
        c->out[0] = tsr_tensor_ref(c->in[1]);
    else
        ok = ok && tsr_zero_result(c, 0);
    tsr_gather_end(&g);
    return ok;
}
