/* SPDX-License-Identifier: Apache-2.0 */
/* modules.c - ttcore-wrap-device-module and ttcore-unwrap-device-module: wrap a program as the module that one device
 * runs, next to which there can be one for the host; and remove-dead-values. Needs nothing; keeps what a program
 * computes; breaks ids. */
#include "pass/ttir/tt.h"

static tsr_op *module_inside(const tsr_op *root, uint16_t opcode)
{
    TSR_BLOCK_OPS (root->regions[0].first, op)
        if (tsr_op_is(op, opcode))
            return op;
    return NULL;
}

static tsr_op *empty_module(tsr_op *root, uint16_t opcode)
{
    tsr_op *op = tsr_op_new(root->module, tsr_opdef_of(root->module->ctx, opcode), root->loc, NULL,
                            0, NULL, 0, 1, 0);
    return op;
}

bool pass_ttcore_wrap_device_module(tsr_pass *p, tsr_op *root)
{
    if (root->block || !root->regions[0].first || module_inside(root, TSR_OP_TTCORE_DEVICE_MODULE))
        return true;
    tsr_op *inner = empty_module(root, TSR_OP_BUILTIN_MODULE),
           *device = empty_module(root, TSR_OP_TTCORE_DEVICE_MODULE);
    memcpy(inner->attrs, root->attrs, root->def->nslot * sizeof *inner->attrs);
    inner->extra = root->extra;
    tsr_region_take(&inner->regions[0], &root->regions[0]);
    tsr_block *top = tsr_block_new(root->module), *body = tsr_block_new(root->module);
    tsr_block_insert(top, &root->regions[0], NULL);
    tsr_block_insert(body, &device->regions[0], NULL);
    tsr_op_insert(device, top, NULL);
    tsr_op_insert(inner, body, NULL);
    p->changed = true;
    return true;
}

bool pass_ttcore_unwrap_device_module(tsr_pass *p, tsr_op *root)
{
    tsr_op *device = root->block || !root->regions[0].first
                         ? NULL
                         : module_inside(root, TSR_OP_TTCORE_DEVICE_MODULE);
    tsr_op *cpu = device ? module_inside(root, TSR_OP_TTCORE_CPU_MODULE) : NULL;
    tsr_op *inner =
        device && device->regions[0].first ? module_inside(device, TSR_OP_BUILTIN_MODULE) : NULL;
    if (!inner || !inner->regions[0].first)
        return true;
    if (cpu)
        tsr_op_erase(cpu);
    tsr_block_splice(root->regions[0].first, NULL, inner->regions[0].first);
    for (uint32_t i = 0; inner->extra && i < inner->extra->n; i++) {
        const tsr_named *a = &inner->extra->named[i];
        if (!tsr_dict_get(root->extra, a->name->str))
            root->extra = tsr_dict_with(p->ctx, root->extra, a->name, a->value);
    }
    tsr_op_erase(device);
    p->changed = true;
    return true;
}

/* Erases ops with unused results, and unused block arguments. */
bool pass_remove_dead_values(tsr_pass *p, tsr_op *root)
{
    bool changed = tsr_erase_dead_ops(root);
    changed |= tsr_simplify_regions(p, root, false);
    p->changed |= changed;
    return true;
}
