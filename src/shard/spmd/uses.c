/* SPDX-License-Identifier: Apache-2.0 */
/* uses.c - writes on an op of a device's program in which layouts it reads its operands and gives its results, step by
 * step: what another partitioner must be told to make the same program. */
#include "shard/core/relayout.h"
#include "shard/spmd/spmd.h"

static void put_axes(tsr_buf *out, const tsr_mesh *mesh, const tsr_axis *axes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        tsr_buf_cstr(out, i ? "+" : "");
        tsr_buf_str(out, tsr_mesh_axis_name(mesh, axes[i].axis)->s);
        if (axes[i].pre != 1 || axes[i].size != mesh->sizes[axes[i].axis])
            tsr_buf_printf(out, ":(%lld)%lld", (long long)axes[i].pre, (long long)axes[i].size);
    }
    tsr_buf_cstr(out, n ? "" : "_");
}

static void put_layout(tsr_buf *out, const tsr_sharding *a)
{
    for (uint32_t d = 0; d < a->rank; d++) {
        tsr_buf_cstr(out, d ? "," : "");
        put_axes(out, a->mesh, a->dims[d].axes->data, a->dims[d].axes->n);
    }
}

/* "x+y,_ > x,_ > _,x": the layouts on the way from one to the other; only the last one where the way needs padding or
 * leads to another mesh. */
static tsr_attr *way(tsr_spmd *s, const tsr_type *global, const tsr_sharding *from,
                     const tsr_sharding *to)
{
    tsr_buf out = {0};
    uint32_t rank = to->rank;
    const tsr_mesh *mesh = from->sharded ? from->mesh : to->mesh;
    bool plain = from->rank == rank && (!from->sharded || !to->sharded || from->mesh == to->mesh);
    const tsr_axes **a = tsr_arena_alloc(s->r.arena, (rank + 1) * sizeof *a),
                   **b = tsr_arena_alloc(s->r.arena, (rank + 1) * sizeof *b);
    for (uint32_t d = 0; d < rank && plain; d++) {
        a[d] = from->dims[d].axes;
        b[d] = to->dims[d].axes;
        plain = global->dims[d] % a[d]->size == 0 && global->dims[d] % b[d]->size == 0;
    }
    if (plain && from != to) {
        tsr_relayout plan = {
            .rank = rank, .dims = global->dims, .from = a, .to = b, .same_mesh = true};
        put_layout(&out, from);
        for (const tsr_relayout_step *t = tsr_relayout_plan(s->r.arena, &plan); t; t = t->next) {
            tsr_buf_cstr(&out, " > ");
            for (uint32_t d = 0; d < rank; d++) {
                tsr_buf_cstr(&out, d ? "," : "");
                put_axes(&out, mesh, t->sharding[d].data, t->sharding[d].n);
            }
        }
    } else {
        put_layout(&out, to);
    }
    tsr_attr *text = tsr_attr_string(s->ctx, tsr_buf_text(&out));
    tsr_buf_free(&out);
    return text;
}

void tsr_spmd_note_uses(tsr_spmd_op *o)
{
    tsr_spmd *s = o->s;
    const tsr_op *op = o->op;
    uint32_t n = op->nin + op->nout;
    tsr_attr **ways = tsr_arena_alloc(s->r.arena, (n + 1) * sizeof *ways);
    for (uint32_t t = 0; t < n; t++) {
        const tsr_sharding *used = tsr_spmd_by_axes(o, t);
        ways[t] = t < op->nin ? way(s, tsr_spmd_global(o, t), o->in[t], used)
                              : way(s, tsr_spmd_global(o, t), used, o->want[t - op->nin]);
    }
    tsr_op_set_attr(o->made, TSR_NOTE_USES, tsr_attr_array(s->ctx, ways, n));
}
