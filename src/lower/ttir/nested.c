/* SPDX-License-Identifier: Apache-2.0 */
/* nested.c - manual computations inside others, also through functions that those call.
 *
 * Operands and results of such a computation are global only for the devices that the enclosing axes distinguish, not
 * for the whole mesh: mesh_shard, which knows only the whole mesh, would use the first device's value for all. Here
 * each device cuts its part along one axis after the other, and gathers in reverse order. */
#include "lower/ttir/mesh.h"

/* ---- Which computations are nested ---- */

typedef struct {
    const tsr_op *from;   /* whose symbols are examined */
    bool inside, outside; /* where it runs */
    bool changed;
    tsr_ttir_nesting *n;
} reach;

static bool reach_func(void *user, const tsr_attr *symbol)
{
    reach *r = user;
    tsr_op *func = tsr_symbol_resolve(r->from, symbol);
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC))
        return true;
    tsr_ptr_set_add(&r->n->called, func);
    r->changed |= r->inside && tsr_ptr_set_add(&r->n->inside, func);
    r->changed |= r->outside && tsr_ptr_set_add(&r->n->outside, func);
    return true;
}

/* The manual computation around op in its function, or NULL; func: that function. */
static tsr_op *around(const tsr_op *op, tsr_op **func)
{
    tsr_op *manual = NULL, *p = op->block ? tsr_block_parent(op->block) : NULL;
    for (; p && !tsr_op_is(p, TSR_OP_FUNC_FUNC); p = p->block ? tsr_block_parent(p->block) : NULL)
        manual = !manual && tsr_op_is(p, TSR_OP_SDY_MANUAL_COMPUTATION) ? p : manual;
    *func = p;
    return manual;
}

void tsr_ttir_nesting_find(tsr_op *module, tsr_ttir_nesting *n)
{
    *n = (tsr_ttir_nesting){.many = false};
    size_t count = 0;
    TSR_OPS (module, op)
        count += tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION);
    n->many = count > 1;
    for (bool again = n->many; again;) {
        reach r = {.n = n};
        TSR_OPS (module, op) {
            tsr_op *func;
            bool manual = around(op, &func) != NULL;
            if (!func)
                continue;
            r.from = op;
            r.inside = manual || tsr_ptr_set_has(&n->inside, func);
            r.outside = !manual &&
                        (tsr_ptr_set_has(&n->outside, func) || !tsr_ptr_set_has(&n->called, func));
            tsr_op_symbol_refs(op, reach_func, &r);
        }
        again = r.changed;
    }
    /* Queried later, when the enclosing ones have been inlined. */
    TSR_OPS (module, op) {
        tsr_op *func;
        if (!n->many || !tsr_op_is(op, TSR_OP_SDY_MANUAL_COMPUTATION))
            continue;
        if (around(op, &func) || (func && tsr_ptr_set_has(&n->inside, func)))
            tsr_ptr_set_add(&n->nested, op);
        if (!around(op, &func) && func && tsr_ptr_set_has(&n->inside, func) &&
            tsr_ptr_set_has(&n->outside, func))
            tsr_ptr_set_add(&n->unclear, op);
    }
}

void tsr_ttir_nesting_free(tsr_ttir_nesting *n)
{
    tsr_ptr_set_free(&n->called);
    tsr_ptr_set_free(&n->inside);
    tsr_ptr_set_free(&n->outside);
    tsr_ptr_set_free(&n->nested);
    tsr_ptr_set_free(&n->unclear);
}

/* ---- Boundaries ---- */

tsr_value *tsr_ttir_part_along(tsr_build *b, const tsr_op *op, tsr_value *v,
                               const tsr_attr *sharding, bool join)
{
    tsr_sdy_mesh_axes axes;
    tsr_sdy_mesh_axes_init(&axes, b->ctx, tsr_sdy_mesh_of(op, sharding));
    for (uint32_t d = 0; d < tsr_sdy_dims(sharding)->n; d++) {
        const tsr_attr *list = tsr_sdy_dim_axes(sharding, d);
        for (uint32_t i = 0; i < list->n; i++) { /* the first axis separates the largest parts */
            const tsr_attr *axis = list->attrs[join ? list->n - 1 - i : i];
            uint32_t at = tsr_sdy_axis_index(&axes, tsr_sdy_axis_name(axis));
            int64_t parts = tsr_sdy_axis_size(&axes, axis);
            if (parts > 1)
                v = (join ? tsr_ttir_all_gather : tsr_ttir_mesh_partition)(b, v, d, at, parts);
        }
    }
    tsr_sdy_mesh_axes_free(&axes);
    return v;
}
