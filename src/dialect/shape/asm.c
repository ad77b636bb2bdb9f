/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - types, assembly and names of the shape dialect. Many of its ops have only one possible result type, which is
 * not written. */
#include "dialect/builtin/builtin.h"
#include "dialect/hooks.h"

/* Types without parameters: nothing follows the name. */
bool type_SHAPE_SHAPE(tsr_asm *a, tsr_attr **params)
{
    (void)a, (void)params;
    return true;
}

bool type_SHAPE_SIZE(tsr_asm *a, tsr_attr **params)
{
    (void)a, (void)params;
    return true;
}

bool type_SHAPE_VALUE_SHAPE(tsr_asm *a, tsr_attr **params)
{
    (void)a, (void)params;
    return true;
}

bool type_SHAPE_WITNESS(tsr_asm *a, tsr_attr **params)
{
    (void)a, (void)params;
    return true;
}

static tsr_type *shape_type(tsr_asm *a, const tsr_attrdef *def)
{
    return tsr_type_dialect(a->ctx, def, NULL);
}

static size_t operands_to(tsr_asm *a)
{
    return tsr_asm_writing(a) ? a->op->nin : 0;
}

/* The only type that a result of this row can have. */
static tsr_type *row_type(tsr_asm *a)
{
    const tsr_constraint *c = a->st->def->results[0].constraint;
    if (c == &tsr_is_I1)
        return a->ctx->i1;
    if (c == &tsr_is_Index)
        return a->ctx->index;
    if (c == &tsr_is_ShapeShape)
        return shape_type(a, &tsr_def_SHAPE_SHAPE);
    if (c == &tsr_is_ShapeValueShape)
        return shape_type(a, &tsr_def_SHAPE_VALUE_SHAPE);
    return shape_type(a, &tsr_def_SHAPE_WITNESS);
}

/* operands dict ':' types */
bool asm_shape_operands(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, operands_to(a)) && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : "));
    if (tsr_asm_writing(a))
        return tsr_asm_operand_types(a, 0, a->op->nin);
    if (a->st->operands.n)
        TSR_TRY(tsr_asm_operand_types(a, 0, a->st->operands.n));
    tsr_asm_push_result_type(a, row_type(a));
    return true;
}

bool asm_shape_assuming_all(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, operands_to(a)) && tsr_asm_dict(a));
    if (tsr_asm_writing(a))
        return true;
    tsr_asm_push_result_type(a, row_type(a));
    tsr_asm_spread_operand_type(a, row_type(a));
    return true;
}

bool asm_shape_index_to_size(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_dict(a));
    if (tsr_asm_writing(a))
        return true;
    tsr_asm_spread_operand_type(a, a->ctx->index);
    tsr_asm_push_result_type(a, shape_type(a, &tsr_def_SHAPE_SIZE));
    return true;
}

bool asm_shape_value_of(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : ") && tsr_asm_result_type(a, 0));
    if (!tsr_asm_writing(a))
        tsr_asm_spread_operand_type(a, shape_type(a, &tsr_def_SHAPE_VALUE_SHAPE));
    return true;
}

bool asm_shape_cstr_require(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, ", ") &&
            tsr_asm_slot(a, SHAPE_CSTR_REQUIRE_msg) && tsr_asm_dict(a));
    if (tsr_asm_writing(a))
        return true;
    tsr_asm_spread_operand_type(a, a->ctx->i1);
    tsr_asm_push_result_type(a, row_type(a));
    return true;
}

bool asm_shape_const_witness(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_slot(a, SHAPE_CONST_WITNESS_passing) && tsr_asm_dict(a));
    if (!tsr_asm_writing(a))
        tsr_asm_push_result_type(a, row_type(a));
    return true;
}

bool asm_shape_const_size(tsr_asm *a)
{
    tsr_attr **value = tsr_asm_slot_place(a, SHAPE_CONST_SIZE_value);
    int64_t number = *value ? (*value)->i : 0;
    tsr_asm_done(a, SHAPE_CONST_SIZE_value);
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_int(a, &number));
    if (!tsr_asm_writing(a)) {
        *value = tsr_attr_int(a->ctx, a->ctx->index, number);
        tsr_asm_push_result_type(a, shape_type(a, &tsr_def_SHAPE_SIZE));
    }
    return tsr_asm_dict(a);
}

typedef struct {
    const tsr_attr *dense;
    TSR_VEC(int64_t) read;
} extents;

static bool extent(tsr_asm *a, void *user, size_t i)
{
    extents *e = user;
    int64_t number = e->dense ? tsr_attr_int_at(e->dense, i) : 0;
    TSR_TRY(tsr_asm_int(a, &number));
    if (!tsr_asm_writing(a))
        tsr_vec_push(&e->read, number);
    return true;
}

/* const_shape ::= dict '[' numbers ']' ':' type. A space precedes the dictionary, and none follows it. */
bool asm_shape_const_shape(tsr_asm *a)
{
    tsr_attr **shape = tsr_asm_slot_place(a, SHAPE_CONST_SHAPE_shape);
    extents e = {.dense = *shape};
    /* An op that was not verified may have other elements. */
    size_t n = *shape && tsr_is_IndexElements.attr_ok(*shape)
                   ? (size_t)tsr_type_num_elements((*shape)->type)
                   : 0;
    tsr_asm_done(a, SHAPE_CONST_SHAPE_shape);
    bool ok = tsr_asm_lit(a, " ") && tsr_asm_dict(a) && tsr_asm_list(a, "[", "]", &n, extent, &e);
    if (ok && !tsr_asm_writing(a)) {
        int64_t dim = (int64_t)e.read.n;
        bool splat = dim > 0;
        for (int64_t i = 1; i < dim; i++)
            splat &= e.read.data[i] == e.read.data[0];
        *shape =
            tsr_attr_dense(a->ctx, a->module, tsr_type_tensor(a->ctx, &dim, 1, a->ctx->index, NULL),
                           e.read.data, (splat ? 1 : e.read.n) * sizeof(int64_t), splat);
    }
    tsr_vec_free(&e.read);
    return ok && tsr_asm_lit(a, " : ") && tsr_asm_result_type(a, 0);
}

/* assuming ::= %w ('->' '(' types ')')? region dict */
bool asm_shape_assuming(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0));
    if (!tsr_asm_writing(a)) {
        tsr_asm_spread_operand_type(a, shape_type(a, &tsr_def_SHAPE_WITNESS));
        if (tsr_asm_peek(a, "->"))
            TSR_TRY(tsr_asm_arrow_types(a));
    } else if (a->op->nout) {
        TSR_TRY(tsr_asm_lit(a, " -> (") && tsr_asm_result_types(a) && tsr_asm_lit(a, ")"));
    }
    return tsr_asm_lit(a, " ") &&
           tsr_asm_region(a, 0, NULL,
                          TSR_REGION_ARGS |
                              (tsr_asm_writing(a) && a->op->nout ? TSR_REGION_TERMINATORS : 0)) &&
           tsr_asm_dict(a);
}

/* reduce ::= '(' %shape (',' init)* ')' ':' shape-type '->' types region dict */
bool asm_shape_reduce(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, "(") && tsr_asm_operands(a, 0, operands_to(a)) &&
            tsr_asm_lit(a, ") : ") && tsr_asm_operand_type(a, 0));
    if (tsr_asm_writing(a)) {
        bool parens = a->op->nout != 1;
        TSR_TRY(tsr_asm_lit(a, parens ? " -> (" : " -> ") && tsr_asm_result_types(a) &&
                tsr_asm_lit(a, parens ? ") " : " "));
    } else {
        TSR_TRY(tsr_asm_arrow_types(a));
        for (size_t i = 0; i < a->st->result_types.n; i++)
            tsr_vec_push(&a->st->operand_types, a->st->result_types.data[i]);
    }
    return tsr_asm_region(a, 0, NULL, TSR_REGION_ARGS | TSR_REGION_TERMINATORS) && tsr_asm_dict(a);
}

void names_shape_const_size(tsr_namer *n, tsr_op *op)
{
    tsr_buf name = {0};
    tsr_buf_printf(&name, "c%lld", (long long)op->attrs[SHAPE_CONST_SIZE_value]->i);
    tsr_namer_result(n, op, 0, tsr_name_get(op->module->ctx, tsr_buf_text(&name))->str);
    tsr_buf_free(&name);
}
