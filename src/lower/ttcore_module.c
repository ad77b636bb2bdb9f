/* ttcore_module.c - --ttcore-wrap-device-module puts what a module holds into a module inside
 * ttcore.device_module, which is how programs for a device and for the host stand side by side;
 * --ttcore-unwrap-device-module takes it out again. need nothing; break ids. */
#include "dialect/dialect.h"
#include "lower/passes.h"

static tsr_op *first_of(tsr_op *root, enum tsr_opcode opcode)
{
    for (tsr_op *op = root->regions[0].first ? root->regions[0].first->first : NULL; op;
         op = op->next)
        if (tsr_op_is(op, (uint16_t)opcode))
            return op;
    return NULL;
}

static tsr_op *make(tsr_op *root, enum tsr_opcode opcode)
{
    tsr_module *m = root->module;
    return tsr_op_new(m, tsr_opdef_of(m->ctx, opcode), root->loc, NULL, 0, NULL, 0, 1, 0);
}

bool pass_ttcore_wrap_device_module(tsr_pass *p, tsr_op *root)
{
    if (root->block || first_of(root, TSR_OP_TTCORE_DEVICE_MODULE))
        return true;
    tsr_op *device = make(root, TSR_OP_TTCORE_DEVICE_MODULE),
           *inner = make(root, TSR_OP_BUILTIN_MODULE);
    tsr_region_take(&inner->regions[0], &root->regions[0]);
    memcpy(inner->attrs, root->attrs, inner->def->nslot * sizeof *inner->attrs);
    inner->extra = root->extra;
    if (!inner->regions[0].first)
        tsr_block_insert(tsr_block_new(root->module), &inner->regions[0], NULL);
    tsr_block *outer = tsr_block_new(root->module), *middle = tsr_block_new(root->module);
    tsr_block_insert(outer, &root->regions[0], NULL);
    tsr_block_insert(middle, &device->regions[0], NULL);
    tsr_op_insert(device, outer, NULL);
    tsr_op_insert(inner, middle, NULL);
    p->changed = true;
    return true;
}

/* What is for the host goes. */
bool pass_ttcore_unwrap_device_module(tsr_pass *p, tsr_op *root)
{
    tsr_op *device = root->block ? NULL : first_of(root, TSR_OP_TTCORE_DEVICE_MODULE);
    tsr_op *inner = device ? first_of(device, TSR_OP_BUILTIN_MODULE) : NULL;
    if (!inner || !inner->regions[0].first)
        return true;
    tsr_block *outer = root->regions[0].first;
    tsr_block_splice(outer, device, inner->regions[0].first);
    memcpy(root->attrs, inner->attrs, root->def->nslot * sizeof *root->attrs);
    root->extra = inner->extra;
    for (tsr_op *op; (op = first_of(root, TSR_OP_TTCORE_CPU_MODULE)) != NULL;)
        tsr_op_erase(op);
    tsr_op_erase(device);
    p->changed = true;
    return true;
}
