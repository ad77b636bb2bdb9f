/* SPDX-License-Identifier: Apache-2.0 */
/* view_ops.c - hooks of the column VIEW: convert attributes of TTNN's ops to TTIR's, where names or forms differ. */
#include "dialect/params.h"
#include "dialect/ttir/build.h"
#include "dialect/ttnn/ttnn.h"
#include "dialect/ttnn/view_hooks.h"

static void put(tsr_ttnn_view *v, const char *name, tsr_attr *a)
{
    int slot = tsr_opdef_slot(&v->def, (tsr_str){name, strlen(name)});
    if (slot >= 0)
        v->attrs[slot] =
            a ? tsr_attr_refit(v->op.module->ctx, v->def.slots[slot].constraint, a) : NULL;
}

static tsr_attr *at(const tsr_op *op, const char *name)
{
    return tsr_op_attr(op, (tsr_str){name, strlen(name)});
}

bool view_ttnn_arange(const tsr_op *op, tsr_ttnn_view *v)
{
    put(v, "arange_dimension", tsr_attr_i64(op->module->ctx, 0));
    return true;
}

/* One dimension, or all if the attribute is absent. */
bool view_ttnn_argmax(const tsr_op *op, tsr_ttnn_view *v)
{
    put(v, "dim_arg", at(op, "dim"));
    return true;
}

bool view_ttnn_repeat(const tsr_op *op, tsr_ttnn_view *v)
{
    put(v, "repeat_dimensions", at(op, "repeat_dims"));
    return true;
}

bool view_ttnn_norm(const tsr_op *op, tsr_ttnn_view *v)
{
    const tsr_type *t = op->in[0].value->type;
    if (t->n == 0)
        return false;
    put(v, "normalized_shape", tsr_attr_i64_array(op->module->ctx, &t->dims[t->n - 1], 1));
    return true;
}

uint8_t tsr_ttnn_activation(tsr_str name)
{
    const char *const *cases = tsr_def_TTNN_UNARY_OP.cases;
    for (uint8_t i = 0; cases[i]; i++)
        if (tsr_str_is(name, cases[i]))
            return (uint8_t)(i + 1);
    return 0;
}

/* TTIR's products have no fused activation. */
bool view_ttnn_product(const tsr_op *op, tsr_ttnn_view *v)
{
    const tsr_attr *name = at(op, "activation");
    v->activation = name ? tsr_ttnn_activation(name->s) : 0;
    return !name || v->activation;
}

bool view_ttnn_own(const tsr_op *op, tsr_ttnn_view *v)
{
    (void)op;
    v->partial = true;
    return true;
}

bool view_ttnn_batch_norm(const tsr_op *op, tsr_ttnn_view *v)
{
    put(v, "dimension", tsr_attr_i32(op->module->ctx, 1));
    v->partial = true;
    return true;
}

/* Top, left, bottom, right from top, bottom, left, right, or from one number for two sides. */
static tsr_attr *sides(tsr_ctx *ctx, const tsr_attr *a)
{
    int64_t p[4];
    size_t n = (size_t)tsr_attr_count(a);
    if (n != 2 && n != 4)
        return NULL;
    p[0] = tsr_attr_int_at(a, 0);
    p[1] = tsr_attr_int_at(a, n == 4 ? 2 : 1);
    p[2] = tsr_attr_int_at(a, n == 4 ? 1 : 0);
    p[3] = tsr_attr_int_at(a, n == 4 ? 3 : 1);
    return tsr_ttir_i32_array(ctx, p, 4);
}

/* Convolutions and pools: images are flattened, and their sizes are attributes. */
bool view_ttnn_window(const tsr_op *op, tsr_ttnn_view *v)
{
    tsr_ctx *ctx = op->module->ctx;
    tsr_flat flat = {.given = true,
                     .batch = at(op, "batch_size")->i,
                     .height = at(op, "input_height")->i,
                     .width = at(op, "input_width")->i};
    tsr_attr *pad = sides(ctx, at(op, "padding"));
    if (!pad)
        return false;
    put(v, "flattened_compat_info", tsr_flat_attr(ctx, &flat));
    put(v, "padding", pad);
    put(v, "kernel", at(op, "kernel_size"));
    const tsr_attr *config = at(op, "conv2d_config"),
                   *activation = config ? config->attrs[1] : NULL;
    const tsr_type *w = op->nin > 1 ? op->in[1].value->type : NULL; /* perhaps prepared */
    v->partial = w && w->kind == TSR_TYPE_TENSOR && w->n == 4 && w->dims[0] == 1 && w->dims[1] == 1;
    if (activation && !activation->attrs[1]) /* a function without parameters */
        v->activation = (uint8_t)(activation->attrs[0]->i + 1);
    return !activation || v->activation;
}

/* One-dimensional: one number for both sides, or one for each. */
bool view_ttnn_conv1d(const tsr_op *op, tsr_ttnn_view *v)
{
    const tsr_attr *config = at(op, "conv2d_config");
    v->partial = true;
    return !config || !config->attrs[1];
}
