/* SPDX-License-Identifier: Apache-2.0 */
/* config.c - ttnn-set-compute-kernel-config and ttnn-configure-ccl-ops: set attributes that configure how a device
 * computes. Needs TTNN; keeps values. */
#include "lower/ttnn/ttnn.h"

enum { FIDELITY, APPROXIMATE, FP32_ACC, L1_ACC, FULL_SYNC, FIELDS };

static tsr_attr *bool_option(const tsr_pass *p, const char *name)
{
    tsr_str s = tsr_pass_str(p, name);
    return tsr_str_is(s, "unset") ? NULL : tsr_attr_bool(p->ctx, tsr_str_is(s, "true"));
}

static bool options(tsr_pass *p, tsr_op *root, tsr_attr *out[FIELDS])
{
    tsr_str fidelity = tsr_pass_str(p, "math-fidelity");
    int64_t i = 0;
    while (tsr_def_TTNN_MATH_FIDELITY.cases[i] &&
           !tsr_str_is(fidelity, tsr_def_TTNN_MATH_FIDELITY.cases[i]))
        i++;
    bool none = !fidelity.len || tsr_str_is(fidelity, "undefined");
    if (!none && !tsr_def_TTNN_MATH_FIDELITY.cases[i])
        return tsr_error(p->ctx, root->loc, "unknown math fidelity '%.*s'", TSR_STR_ARG(fidelity));
    out[FIDELITY] = none ? NULL : tsr_attr_enum(p->ctx, &tsr_def_TTNN_MATH_FIDELITY, i);
    out[APPROXIMATE] = bool_option(p, "math-approx-mode");
    out[FP32_ACC] = bool_option(p, "fp32-dest-acc-en");
    out[L1_ACC] = bool_option(p, "packer-l1-acc");
    out[FULL_SYNC] = bool_option(p, "dst-full-sync-en");
    return true;
}

/* Long sums of products of 16-bit floats are accumulated in 32 bits. */
static bool is_long(const tsr_op *op)
{
    enum { LONG = 50000 };
    if (!tsr_op_is(op, TSR_OP_TTNN_MATMUL) && !tsr_op_is(op, TSR_OP_TTNN_LINEAR))
        return false;
    const tsr_type *a = op->in[0].value->type;
    const tsr_attr *t = tsr_op_attr(op, TSR_STR("transpose_a"));
    uint32_t back = t && t->i ? 2 : 1;
    return tsr_tt_data_type_of(a->elem) == TSR_TT_BF16 && a->n >= back &&
           a->dims[a->n - back] > LONG;
}

bool pass_ttnn_set_compute_kernel_config(tsr_pass *p, tsr_op *root)
{
    tsr_attr *want[FIELDS];
    TSR_TRY(options(p, root, want));
    TSR_OPS (root, op) {
        int slot = tsr_op_in(op, TSR_DIALECT_TTNN)
                       ? tsr_opdef_slot(op->def, TSR_STR("compute_config"))
                       : -1;
        if (slot < 0)
            continue;
        tsr_attr *made[FIELDS];
        bool any = false, longer = is_long(op);
        for (size_t i = 0; i < FIELDS; i++) {
            made[i] = op->attrs[slot] ? op->attrs[slot]->attrs[i] : NULL;
            if (longer && (i == FP32_ACC || i == L1_ACC))
                made[i] = tsr_attr_bool(p->ctx, true);
            if (!made[i])
                made[i] = want[i];
            any |= made[i] != NULL;
        }
        if (!any)
            continue;
        op->attrs[slot] = tsr_attr_struct(p->ctx, &tsr_def_TTNN_COMPUTE_CONFIG, made);
        p->changed = true;
    }
    return true;
}

bool pass_ttnn_configure_ccl_ops(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op) {
        int slot =
            tsr_op_in(op, TSR_DIALECT_TTNN) ? tsr_opdef_slot(op->def, TSR_STR("topology")) : -1;
        const tsr_attr *axis = slot >= 0 ? tsr_op_attr(op, TSR_STR("cluster_axis")) : NULL;
        const tsr_op *device = axis && !op->attrs[slot] ? tsr_tt_device_op(op) : NULL;
        const tsr_attr *words =
            device ? device->attrs[TTCORE_DEVICE_device_attr]->attrs[TTCORE_DEVICE_mesh_topology]
                   : NULL;
        if (!words || axis->i < 0 || axis->i >= words->n)
            continue;
        tsr_attr *word = words->attrs[words->n - 1 - (uint32_t)axis->i];
        if (!strcmp(tsr_def_TTCORE_TOPOLOGY.cases[word->i], "disabled"))
            continue;
        op->attrs[slot] = word;
        p->changed = true;
    }
    return true;
}

bool pass_ttnn_optimizer(tsr_pass *p, tsr_op *root)
{
    return tsr_error(
        p->ctx, root->loc,
        "the optimizer of TTNN needs a model of what kernels keep in the memory of devices, which "
        "is not there: use optimization-level=0");
}
