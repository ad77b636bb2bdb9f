/* SPDX-License-Identifier: Apache-2.0 */
/* common.c - see ttnn.h. */
#include "lower/ttnn/ttnn.h"

tsr_str tsr_tt_function_type(const tsr_op *func)
{
    const tsr_attr *a = tsr_dict_get(func->extra, TSR_STR("tt.function_type"));
    return tsr_attr_is(a, TSR_ATTR_STRING) ? a->s : (tsr_str){0};
}

tsr_attr *tsr_tt_argument_attr(const tsr_op *func, uint32_t i, tsr_str name)
{
    const tsr_attr *dicts = func->attrs[FUNC_FUNC_arg_attrs];
    return dicts && i < dicts->n ? tsr_dict_get(dicts->attrs[i], name) : NULL;
}

bool tsr_tt_one_block(const tsr_op *func)
{
    const tsr_block *body = func->regions[0].first;
    return !body || !body->next ||
           tsr_op_error(func, "'%.*s' has several blocks; functions of TTNN have one",
                        TSR_STR_ARG(tsr_op_symbol(func)));
}

void tsr_tt_retype_function(tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    tsr_type_vec types = {0};
    if (!body)
        return;
    for (uint32_t i = 0; i < body->nargs; i++)
        tsr_vec_push(&types, body->args[i]->type);
    const tsr_op *ret = body->last;
    for (uint32_t i = 0; ret && i < ret->nin; i++)
        tsr_vec_push(&types, ret->in[i].value->type);
    tsr_type *type = tsr_type_function(func->module->ctx, types.data, body->nargs,
                                       TSR_FROM(types.data, body->nargs), types.n - body->nargs);
    func->attrs[FUNC_FUNC_function_type] = tsr_attr_type(func->module->ctx, type);
    tsr_vec_free(&types);
}
