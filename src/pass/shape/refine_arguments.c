/* SPDX-License-Identifier: Apache-2.0 */
/* refine_arguments.c - gives the arguments of the main function more precise types. Needs nothing; keeps everything
 * else; breaks ids. */
#include "pass/shape/refine.h"

/* ---- Signatures ---- */

static tsr_type *type_of(const tsr_op *func)
{
    const tsr_attr *a = func->attrs[FUNC_FUNC_function_type];
    return tsr_attr_is(a, TSR_ATTR_TYPE) && a->type->kind == TSR_TYPE_FUNCTION ? a->type : NULL;
}

static const tsr_op *return_of(const tsr_op *func)
{
    TSR_REGION_BLOCKS (&func->regions[0], b)
        if (b->last && tsr_op_is(b->last, TSR_OP_FUNC_RETURN))
            return b->last;
    return NULL;
}

void tsr_func_update_type(tsr_op *func)
{
    const tsr_block *b = func->regions[0].first;
    const tsr_op *ret = return_of(func);
    const tsr_type *old = type_of(func);
    if (!b || !old)
        return;
    tsr_type_vec in = {0}, out = {0};
    for (uint32_t i = 0; i < b->nargs; i++)
        tsr_vec_push(&in, b->args[i]->type);
    for (uint32_t i = 0; i < (ret ? ret->nin : old->nout); i++)
        tsr_vec_push(&out, ret ? ret->in[i].value->type : old->types[old->n + i]);
    tsr_ctx *ctx = func->module->ctx;
    func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, in.data, in.n, out.data, out.n));
    func->module->verified = false;
    tsr_vec_free(&in);
    tsr_vec_free(&out);
}

tsr_attr *tsr_list_without(tsr_ctx *ctx, tsr_attr *list, uint32_t first, uint32_t n)
{
    if (!tsr_attr_is(list, TSR_ATTR_ARRAY) || !n)
        return list;
    TSR_VEC(tsr_attr *) left = {0};
    for (uint32_t i = 0; i < list->n; i++)
        if (i < first || i >= first + n)
            tsr_vec_push(&left, list->attrs[i]);
    list = tsr_attr_array(ctx, left.data, left.n);
    tsr_vec_free(&left);
    return list;
}

tsr_attr *tsr_list_unmarked(tsr_ctx *ctx, tsr_attr *list, const bool *gone)
{
    if (!tsr_attr_is(list, TSR_ATTR_ARRAY))
        return list;
    TSR_VEC(tsr_attr *) left = {0};
    for (uint32_t i = 0; i < list->n; i++)
        if (!gone[i])
            tsr_vec_push(&left, list->attrs[i]);
    list = left.n ? tsr_attr_array(ctx, left.data, left.n) : NULL;
    tsr_vec_free(&left);
    return list;
}

void tsr_func_drop_args(tsr_op *func, uint32_t first, uint32_t n)
{
    for (uint32_t i = n; i-- > 0;)
        tsr_block_erase_arg(func->regions[0].first, first + i);
    tsr_attr *list =
        tsr_list_without(func->module->ctx, func->attrs[FUNC_FUNC_arg_attrs], first, n);
    func->attrs[FUNC_FUNC_arg_attrs] = list && list->n ? list : NULL;
    if (n)
        tsr_func_update_type(func);
}

/* ---- Which function ---- */

tsr_op *tsr_refine_target(tsr_op *module, bool *refused)
{
    tsr_op *only = NULL, *named = NULL;
    size_t n = 0;
    TSR_REGION_BLOCKS (&module->regions[0], b)
        TSR_BLOCK_OPS (b, op)
            if (tsr_op_is(op, TSR_OP_FUNC_FUNC)) {
                only = op;
                n++;
                if (tsr_str_is(tsr_op_symbol(op), "main"))
                    named = op;
            }
    tsr_op *func = n == 1 ? only : named;
    if (n && !func)
        tsr_op_error(module, "must have no more than one function or a `main` function to clearly "
                             "identify which function will be refined");
    else if (func && (!func->regions[0].first || func->regions[0].first->next))
        tsr_op_error(func, "must have exactly one block");
    else
        return func;
    *refused = true;
    return NULL;
}

/* ---- Arguments ---- */

static bool wrong(const tsr_op *func, size_t i, const tsr_type *from, const tsr_type *to,
                  const char *what)
{
    tsr_str a = tsr_type_print(from), b = tsr_type_print(to);
    tsr_op_error(func, "invalid refinement for argument %zu, refinement %s in %.*s -> %.*s", i,
                 what, TSR_STR_ARG(a), TSR_STR_ARG(b));
    tsr_free((void *)a.data);
    tsr_free((void *)b.data);
    return false;
}

static bool check_type(const tsr_op *func, size_t i, const tsr_type *from, const tsr_type *to)
{
    if (from == to)
        return true;
    bool ranked = from->kind == TSR_TYPE_TENSOR;
    if ((!ranked && from->kind != TSR_TYPE_UNRANKED_TENSOR) ||
        (to->kind != TSR_TYPE_TENSOR && to->kind != TSR_TYPE_UNRANKED_TENSOR))
        return wrong(func, i, from, to, "must be a tensor");
    if (from->elem != to->elem)
        return wrong(func, i, from, to, "element types must match");
    if (to->kind == TSR_TYPE_UNRANKED_TENSOR)
        return wrong(func, i, from, to, "must be ranked");
    if (ranked && from->n != to->n)
        return wrong(func, i, from, to, "rank must match operand rank");
    for (uint32_t d = 0; ranked && d < from->n; d++)
        if (from->dims[d] != TSR_DYNAMIC && from->dims[d] != to->dims[d])
            return wrong(func, i, from, to, "dimension sizes must match for static dimensions");
    return true;
}

static tsr_op *new_before(tsr_op *at, enum tsr_opcode opcode, tsr_loc loc, tsr_value *const *in,
                          size_t nin, tsr_type *type)
{
    tsr_op *op =
        tsr_op_new(at->module, tsr_opdef_of(at->module->ctx, opcode), loc, in, nin, &type, 1, 0, 0);
    tsr_op_insert(op, at->block, at);
    return op;
}

static bool is_wrapper(void *wrapper, tsr_use *use)
{
    return use->user == wrapper;
}

/* Users of the argument get a wrapper with its old type, whose second operand is the new shape. */
static void wrap(tsr_op *func, uint32_t i, tsr_type *type, tsr_op *at)
{
    tsr_ctx *ctx = func->module->ctx;
    tsr_block *b = func->regions[0].first;
    tsr_value *arg = b->args[i];
    tsr_loc loc = b->arg_locs[i];
    int64_t n = type->n, one = 1, index = 1;
    tsr_type *list = tsr_type_tensor(ctx, &n, 1, ctx->i64, NULL);
    tsr_op *shape = new_before(at, TSR_OP_STABLEHLO_CONSTANT, loc, NULL, 0, list);
    bool splat = n > 0;
    for (uint32_t d = 1; d < type->n; d++)
        splat &= type->dims[d] == type->dims[0];
    shape->attrs[STABLEHLO_CONSTANT_value] =
        tsr_attr_dense(ctx, func->module, list, type->n ? (const void *)type->dims : "",
                       (splat ? 1 : type->n) * sizeof(int64_t), splat);
    tsr_value *in[] = {arg, &shape->out[0]};
    tsr_op *wrapper = new_before(at, TSR_OP_STABLEHLO_CUSTOM_CALL, loc, in, 2, arg->type);
    wrapper->attrs[STABLEHLO_CUSTOM_CALL_call_target_name] =
        tsr_attr_string(ctx, TSR_STR(TSR_OPERAND_WRAPPER));
    wrapper->extra = tsr_dict_with(
        ctx, NULL, tsr_name_get(ctx, TSR_STR("indices_of_shape_operands")),
        tsr_attr_dense(ctx, func->module, tsr_type_tensor(ctx, &one, 1, ctx->i64, NULL), &index,
                       sizeof index, true));
    tsr_value_replace_if(arg, &wrapper->out[0], is_wrapper, wrapper);
    arg->type = type;
}

bool tsr_refine_arguments(tsr_op *func, tsr_type *const *types, size_t n)
{
    tsr_block *b = func->regions[0].first;
    if (n != b->nargs)
        return tsr_op_error(
            func, "number of refinements must match number of op operands %zu vs %u", n, b->nargs);
    for (uint32_t i = 0; i < b->nargs; i++)
        TSR_TRY(check_type(func, i, b->args[i]->type, types[i]));
    tsr_op *at = b->first;
    for (uint32_t i = 0; i < b->nargs; i++)
        if (b->args[i]->type != types[i])
            wrap(func, i, types[i], at);
    tsr_func_update_type(func);
    return true;
}

/* ---- The pass ---- */

/* The next type in a list, separated by commas outside of brackets. */
static bool next_type(tsr_str list, size_t *at, tsr_str *out)
{
    if (*at > list.len || !list.len)
        return false;
    int depth = 0;
    size_t start = *at;
    for (; *at < list.len; (*at)++) {
        char c = list.data[*at];
        bool arrow = c == '>' && *at > start && list.data[*at - 1] == '-';
        if (strchr("<([{", c))
            depth++;
        else if (strchr(">)]}", c) && !arrow)
            depth--;
        else if (c == ',' && depth <= 0)
            break;
    }
    *out = tsr_str_of(list.data + start, *at - start);
    (*at)++;
    return true;
}

static bool read_types(tsr_pass *p, const tsr_op *module, tsr_type_vec *types)
{
    tsr_str list = tsr_pass_str(p, "types"), text;
    for (size_t at = 0; next_type(list, &at, &text);) {
        bool quiet = p->ctx->quiet;
        uint32_t nerror = p->ctx->nerror;
        p->ctx->quiet = true;
        tsr_type *t = tsr_type_parse(p->ctx, text);
        p->ctx->quiet = quiet;
        p->ctx->nerror = nerror;
        if (!t || (t->kind == TSR_TYPE_OPAQUE && !p->ctx->allow_unregistered))
            return tsr_op_error(module, "Invalid type string: %.*s", TSR_STR_ARG(text));
        tsr_vec_push(types, t);
    }
    return true;
}

bool pass_stablehlo_refine_arguments(tsr_pass *p, tsr_op *root)
{
    bool refused = false;
    tsr_op *func = tsr_refine_target(root, &refused);
    tsr_type_vec types = {0};
    bool ok = !refused && read_types(p, root, &types) &&
              (!func || tsr_refine_arguments(func, types.data, types.n));
    tsr_vec_free(&types);
    p->changed = ok && func;
    return ok;
}
