/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic_calls.c - custom calls that front ends use for ops whose shapes are operands and that have no such form in
 * StableHLO: reduce_window, rng_bit_generator, top_k. They are refined like others, and are converted to the ops that
 * they represent if their operands are constants. */
#include "pass/shape/refine.h"

typedef struct {
    const char *target;
    /* Fills attrs, which has an entry for each slot of the op's row; false if something is unknown. */
    bool (*attrs)(tsr_rewriter *r, const tsr_op *op, tsr_attr **attrs);
    uint16_t opcode;
    uint8_t nshape; /* number of last operands that give shapes and the like */
    uint8_t region; /* its body is the called function */
} call_form;

static bool top_k_attrs(tsr_rewriter *r, const tsr_op *op, tsr_attr **attrs)
{
    const tsr_attr *k = op->nin == 2 && op->nout == 2 ? tsr_refine_known(r, op, 1) : NULL;
    if (!k || tsr_hlo_len(k) != 1)
        return false;
    attrs[CHLO_TOP_K_k] = tsr_attr_i64(r->ctx, tsr_hlo_at(k, 0));
    return true;
}

static bool rng_attrs(tsr_rewriter *r, const tsr_op *op, tsr_attr **attrs)
{
    if (op->nin != 2 || op->nout != 2 || !tsr_refine_known(r, op, 1))
        return false;
    tsr_attr *algorithm = tsr_dict_get(op->extra, TSR_STR("rng_algorithm"));
    attrs[STABLEHLO_RNG_BIT_GENERATOR_rng_algorithm] = algorithm;
    return tsr_attr_is_struct(algorithm, tsr_is_HloRngAlgorithm.def);
}

/* inputs, initial values; window_dimensions, strides, base dilations, window dilations, padding */
static bool reduce_window_attrs(tsr_rewriter *r, const tsr_op *op, tsr_attr **attrs)
{
    static const int slots[] = {
        STABLEHLO_REDUCE_WINDOW_window_dimensions, STABLEHLO_REDUCE_WINDOW_window_strides,
        STABLEHLO_REDUCE_WINDOW_base_dilations, STABLEHLO_REDUCE_WINDOW_window_dilations};
    if (op->nin < 7 || op->nin % 2 == 0)
        return false;
    uint32_t first = op->nin - 5;
    for (uint32_t i = 0; i < TSR_COUNT(slots); i++)
        if (!(attrs[slots[i]] = tsr_refine_known(r, op, first + i)))
            return false;
    size_t n;
    const int64_t *pads = tsr_const_ints(r, tsr_rw_in(op, op->nin - 1), &n);
    if (!pads || n % 2)
        return false;
    bool splat = n > 0;
    for (size_t i = 1; i < n; i++)
        splat &= pads[i] == pads[0];
    int64_t dims[] = {(int64_t)n / 2, 2};
    attrs[STABLEHLO_REDUCE_WINDOW_padding] =
        tsr_attr_dense(r->ctx, r->module, tsr_type_tensor(r->ctx, dims, 2, r->ctx->i64, NULL), pads,
                       (splat ? 1 : n) * sizeof *pads, splat);
    return true;
}

static const call_form forms[] = {
    {"stablehlo.dynamic_reduce_window", reduce_window_attrs, TSR_OP_STABLEHLO_REDUCE_WINDOW, 5, 1},
    {"stablehlo.dynamic_rng_bit_generator", rng_attrs, TSR_OP_STABLEHLO_RNG_BIT_GENERATOR, 1, 0},
    {"stablehlo.dynamic_top_k", top_k_attrs, TSR_OP_CHLO_TOP_K, 1, 0},
};

static const call_form *form_of(const tsr_op *op)
{
    tsr_str target = op->attrs[STABLEHLO_CUSTOM_CALL_call_target_name]->s;
    for (size_t i = 0; i < TSR_COUNT(forms); i++)
        if (tsr_str_is(target, forms[i].target))
            return &forms[i];
    return NULL;
}

static tsr_attr **attrs_of(tsr_rewriter *r, const tsr_op *op, const call_form *f)
{
    tsr_attr **attrs =
        TSR_NEW_ARRAY(r->p->scratch, tsr_attr *, tsr_opdef_of(r->ctx, f->opcode)->nslot + 1);
    return f->attrs(r, op, attrs) ? attrs : NULL;
}

/* Refines by what the represented op infers; if it infers nothing, the shape is an operand. */
bool rule_refine_dynamic_call(tsr_rewriter *r, tsr_op *op)
{
    const call_form *f = form_of(op);
    tsr_attr **attrs = f ? attrs_of(r, op, f) : NULL;
    if (!attrs)
        return false;
    tsr_type_vec types = {0};
    tsr_region none = {0};
    tsr_op shell = *op;
    shell.def = tsr_opdef_of(r->ctx, f->opcode);
    shell.nin = op->nin - f->nshape;
    shell.attrs = attrs;
    shell.nout = 0;
    shell.out = NULL;
    shell.regions = &none;
    shell.nregion = f->region;
    bool ok = true;
    if (shell.def->infer) {
        ok = tsr_infer_quietly(&shell, &types);
    } else {
        size_t n;
        const int64_t *dims = tsr_const_ints(r, tsr_rw_in(op, op->nin - 1), &n);
        for (size_t d = 0; d < n; d++)
            ok &= dims[d] >= 0;
        tsr_vec_push(&types, tsr_rw_in(op, 0)->type);
        if (ok)
            tsr_vec_push(&types,
                         tsr_type_tensor(r->ctx, dims, n, tsr_hlo_element(op->out[1].type), NULL));
    }
    bool done = ok && tsr_refine_results(r, op, types.data, types.n);
    tsr_vec_free(&types);
    return done;
}

/* The body of the function becomes that of the op. */
static bool take_body(tsr_rewriter *r, const tsr_op *call, tsr_op *made)
{
    const tsr_attr *called = call->attrs[STABLEHLO_CUSTOM_CALL_called_computations];
    tsr_op *func = tsr_attr_is(called, TSR_ATTR_ARRAY) && called->n == 1
                       ? tsr_symbol_resolve(call, called->attrs[0])
                       : NULL;
    tsr_block *body = func && tsr_op_is(func, TSR_OP_FUNC_FUNC) ? func->regions[0].first : NULL;
    if (!body || body->next || !body->last || !tsr_op_is(body->last, TSR_OP_FUNC_RETURN))
        return false;
    tsr_mapping map = {0};
    tsr_block *b = tsr_block_new(r->module);
    tsr_block_insert(b, &made->regions[0], NULL);
    for (uint32_t i = 0; i < body->nargs; i++)
        tsr_mapping_put(&map, body->args[i],
                        tsr_block_add_arg(r->module, b, body->args[i]->type, body->arg_locs[i]));
    tsr_value_vec in = {0};
    TSR_BLOCK_OPS (body, op)
        if (op != body->last)
            tsr_op_insert(tsr_op_clone(r->module, op, &map), b, NULL);
    for (uint32_t i = 0; i < body->last->nin; i++)
        tsr_vec_push(&in, tsr_mapping_get(&map, body->last->in[i].value));
    tsr_op_insert(tsr_op_new(r->module, tsr_opdef_of(r->ctx, TSR_OP_STABLEHLO_RETURN),
                             body->last->loc, in.data, in.n, NULL, 0, 0, 0),
                  b, NULL);
    tsr_vec_free(&in);
    tsr_mapping_free(&map);
    return true;
}

bool rule_dynamic_call_is_static(tsr_rewriter *r, tsr_op *op)
{
    const call_form *f = form_of(op);
    tsr_attr **attrs = f ? attrs_of(r, op, f) : NULL;
    bool ok = attrs != NULL;
    for (uint32_t i = 0; ok && i < op->nout; i++)
        ok = tsr_rw_static(&op->out[i]);
    if (!ok)
        return false;
    tsr_value **in = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nin + 1);
    tsr_type **types = TSR_NEW_ARRAY(r->p->scratch, tsr_type *, op->nout + 1);
    tsr_value **values = TSR_NEW_ARRAY(r->p->scratch, tsr_value *, op->nout + 1);
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_rw_in(op, i);
    for (uint32_t i = 0; i < op->nout; i++)
        types[i] = op->out[i].type;
    tsr_op *made =
        tsr_rw_new(r, op, f->opcode, in, op->nin - f->nshape, types, op->nout, f->region);
    memcpy(made->attrs, attrs, made->def->nslot * sizeof *attrs);
    if (f->region && !take_body(r, op, made)) {
        tsr_rw_erase(r, made);
        return false;
    }
    for (uint32_t i = 0; i < op->nout; i++)
        values[i] = &made->out[i];
    tsr_rw_replace(r, op, values);
    return true;
}
