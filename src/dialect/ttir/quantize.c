/* SPDX-License-Identifier: Apache-2.0 */
/* quantize.c - quantization, with scales in element types or as operands; changes of layout; kernels of other
 * languages. */
#include "dialect/builtin/quant.h"
#include "dialect/hooks.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttir/say.h"

static bool is_quantized(const tsr_type *elem)
{
    return tsr_type_is(elem, TSR_TYPE_DIALECT) && elem->def == &tsr_def_QUANT_UNIFORM;
}

static bool is_per_axis(const tsr_type *elem)
{
    return is_quantized(elem) && elem->params[QUANT_axis] != NULL;
}

static bool float_or_quantized(const tsr_op *op, const char *which, const tsr_type *elem,
                               bool quantized)
{
    SAY(quantized ? is_quantized(elem) : tt_is_float(elem),
        "%s element type must be %s, but got %s", which,
        quantized ? "UniformQuantizedType or UniformQuantizedPerAxisType" : "float",
        tt_show_type(op, elem));
    return true;
}

static bool same_places(const tsr_op *op)
{
    const tsr_type *in = IN(op, 0), *out = OUT(op);
    SAY(in->n == out->n, "Input tensor rank of %u does not match the output tensor rank of %u",
        in->n, out->n);
    SAY(tt_same_shape(in, out), "Output tensor shape (%s) must match the inferred shape: (%s)",
        tt_show(op, out, ","), tt_show(op, in, ","));
    return true;
}

static bool scales_fit(const tsr_op *op, const tsr_type *t)
{
    const tsr_type *elem = t->elem;
    if (!is_quantized(elem))
        return true;
    const tsr_attr *axis = elem->params[QUANT_axis], *zeros = elem->params[QUANT_zero_points];
    if (axis && axis->kind == TSR_ATTR_INT) {
        size_t n = tt_count(elem->params[QUANT_scales]);
        SAY(axis->i < t->n && (int64_t)n == t->dims[axis->i],
            "Number of scales (%zu) does not match the size of the quantized axis (%lld)", n,
            (long long)(axis->i < t->n ? t->dims[axis->i] : 0));
    }
    int64_t low = elem->params[QUANT_min]->i, high = elem->params[QUANT_max]->i;
    for (size_t i = 0; i < tt_count(zeros); i++) {
        int64_t z = tt_int_at(zeros, i);
        SAY(z >= low && z <= high, "Zero point %lld is out of the range for storage type %s",
            (long long)z, tt_show_type(op, elem->params[QUANT_storage]->type));
    }
    return true;
}

static bool unrolled(const tsr_op *op, int axis_slot)
{
    TSR_TRY(same_places(op));
    const tsr_attr *axis = op->attrs[axis_slot];
    SAY(!axis || (axis->i >= 0 && axis->i < IN(op, 0)->n),
        "Axis value %lld is out of the range [0, %u) for the input tensor of rank %u",
        (long long)(axis ? axis->i : 0), IN(op, 0)->n, IN(op, 0)->n);
    return scales_fit(op, IN(op, 0)) && scales_fit(op, OUT(op));
}

bool verify_ttir_quantize(tsr_op *op)
{
    return float_or_quantized(op, "Input", IN(op, 0)->elem, false) &&
           float_or_quantized(op, "Output", OUT(op)->elem, true) && same_places(op);
}

bool verify_ttir_dequantize(tsr_op *op)
{
    return float_or_quantized(op, "Input", IN(op, 0)->elem, true) &&
           float_or_quantized(op, "Output", OUT(op)->elem, false) && same_places(op);
}

bool verify_ttir_requantize(tsr_op *op)
{
    return float_or_quantized(op, "Input", IN(op, 0)->elem, true) &&
           float_or_quantized(op, "Output", OUT(op)->elem, true) && same_places(op);
}

bool verify_ttir_quantize_unrolled(tsr_op *op)
{
    return float_or_quantized(op, "Input", IN(op, 0)->elem, false) &&
           float_or_quantized(op, "Output", OUT(op)->elem, true) &&
           unrolled(op, TTIR_QUANTIZE_UNROLLED_axis);
}

bool verify_ttir_dequantize_unrolled(tsr_op *op)
{
    return float_or_quantized(op, "Input", IN(op, 0)->elem, true) &&
           float_or_quantized(op, "Output", OUT(op)->elem, false) &&
           unrolled(op, TTIR_DEQUANTIZE_UNROLLED_axis);
}

bool verify_ttir_requantize_unrolled(tsr_op *op)
{
    const tsr_type *a = IN(op, 0)->elem, *b = OUT(op)->elem;
    SAY(is_quantized(a) && is_quantized(b) && is_per_axis(a) == is_per_axis(b),
        "Input and output element types must both be per-axis or both be per-tensor quantized "
        "types, but got %s and %s",
        tt_show_type(op, a), tt_show_type(op, b));
    return unrolled(op, TTIR_REQUANTIZE_UNROLLED_axis);
}

/* ---- Layouts ---- */

bool infer_ttir_to_layout(const tsr_op *op, tsr_type_vec *out)
{
    tsr_type *to = IN(op, 1);
    if (to->kind == TSR_TYPE_TENSOR)
        tsr_vec_push(out, to);
    return true;
}

bool verify_ttir_to_layout(tsr_op *op)
{
    SAY(IN(op, 0)->kind == IN(op, 1)->kind, "Input and output types must be the same");
    return true;
}

bool verify_ttir_ttnn_metal_layout_cast(tsr_op *op)
{
    const tsr_attr *from = IN(op, 0)->kind == TSR_TYPE_TENSOR ? IN(op, 0)->attr : NULL;
    const tsr_attr *to = OUT(op)->kind == TSR_TYPE_TENSOR ? OUT(op)->attr : NULL;
    bool metal_in = tsr_attr_is_struct(from, &tsr_def_TTCORE_METAL_LAYOUT),
         ttnn_in = from && !metal_in;
    bool metal_out = tsr_attr_is_struct(to, &tsr_def_TTCORE_METAL_LAYOUT),
         ttnn_out = to && !metal_out;
    bool memref_in = IN(op, 0)->kind == TSR_TYPE_MEMREF,
         memref_out = OUT(op)->kind == TSR_TYPE_MEMREF;
    SAY(!ttnn_in || metal_out || memref_out,
        "Input is ttnn tensor, output must be metal tensor or memref");
    SAY(!(metal_in || memref_in) || ttnn_out,
        "Input is metal tensor or memref, output must be ttnn tensor");
    return true;
}

/* ---- Kernels ---- */

bool verify_ttir_tt_lang_op(tsr_op *op)
{
    tsr_str roles = op->attrs[TTIR_TT_LANG_OP_arg_roles]->s;
    size_t n = 1, outs = 0;
    SAY(op->nin > 0, "tt-lang kernel must have at least one input operand.");
    SAY(roles.len > 0, "`arg_roles` attribute must not be empty.");
    for (size_t i = 0; i < roles.len; i++)
        n += roles.data[i] == ',';
    SAY(n == op->nin, "`arg_roles` token count (%zu) must match number of inputs (%u).", n,
        op->nin);
    for (size_t i = 0, end; i <= roles.len; i = end + 1) {
        for (end = i; end < roles.len && roles.data[end] != ',';)
            end++;
        tsr_str role = {roles.data + i, end - i};
        while (role.len && (*role.data == ' ' || *role.data == '\t'))
            role.data++, role.len--;
        while (role.len && (role.data[role.len - 1] == ' ' || role.data[role.len - 1] == '\t'))
            role.len--;
        bool out = tsr_str_is(role, "out");
        SAY(out || tsr_str_is(role, "in"),
            "`arg_roles` token must be \"in\" or \"out\", got: \"%.*s\".", TSR_STR_ARG(role));
        SAY(out || !outs, "`arg_roles` must list all \"in\" operands before any \"out\" operand "
                          "(destination-passing-style ordering).");
        outs += out;
    }
    SAY(outs == op->nout, "number of \"out\" roles (%zu) must match number of results (%u).", outs,
        op->nout);
    SAY(outs > 0, "tt-lang kernel must have at least one operand tagged \"out\" (the destination "
                  "buffer the runtime returns "
                  "as the kernel's output).");
    SAY(op->attrs[TTIR_TT_LANG_OP_kernel_id]->s.len > 0,
        "`kernel_id` attribute must not be empty.");
    SAY(op->attrs[TTIR_TT_LANG_OP_version_tag]->s.len > 0,
        "`version_tag` attribute must not be empty.");
    return true;
}
