/* SPDX-License-Identifier: Apache-2.0 */
/* asm.c - assembly and names of the tensor dialect.
 *
 * Slices and shapes mix numbers with values: [0, %i, 4]. The numbers are in an attribute, array<i64: ...>, with
 * TSR_DYNAMIC for a value, which is the next operand of a group. */
#include "asm/reader.h"
#include "dialect/builtin/builtin.h"
#include "dialect/hooks.h"

typedef struct {
    tsr_attr *numbers; /* writing: array<i64: ...> */
    uint32_t next;     /* writing: the group's next operand */
    TSR_VEC(int64_t) read;
} mixed;

static bool mixed_element(tsr_asm *a, void *user, size_t i)
{
    mixed *m = user;
    if (tsr_asm_writing(a)) {
        int64_t number = tsr_attr_int_at(m->numbers, i);
        return number == TSR_DYNAMIC && m->next < a->op->nin ? tsr_asm_operand(a, m->next++)
                                                             : tsr_asm_int(a, &number);
    }
    int64_t number = TSR_DYNAMIC;
    TSR_TRY(tsr_read_is(a->in, TOK_PERCENT) ? tsr_asm_operand(a, a->st->operands.n)
                                            : tsr_asm_int(a, &number));
    tsr_vec_push(&m->read, number);
    return true;
}

/* [0, %i, 4]: slot holds the numbers, *operand is the first operand of the group (writing) and is moved past it.
 * Reading: *nvalue is set to how many operands were read. */
static bool mixed_list(tsr_asm *a, int slot, uint32_t *operand, int32_t *nvalue)
{
    tsr_attr **place = tsr_asm_slot_place(a, slot);
    mixed m = {.numbers = *place, .next = *operand};
    size_t n = tsr_asm_writing(a) ? (size_t)tsr_attr_count(*place) : 0,
           before = tsr_asm_writing(a) ? 0 : a->st->operands.n;
    tsr_asm_done(a, slot);
    bool ok = tsr_asm_list(a, "[", "]", &n, mixed_element, &m);
    if (ok && !tsr_asm_writing(a)) {
        *place = tsr_attr_i64_array(a->ctx, m.read.data, m.read.n);
        *nvalue = (int32_t)(a->st->operands.n - before);
    }
    *operand = m.next;
    tsr_vec_free(&m.read);
    return ok;
}

static void set_segments(tsr_asm *a, int slot, const int32_t *sizes, size_t n)
{
    tsr_asm_done(a, slot);
    if (!tsr_asm_writing(a))
        *tsr_asm_slot_place(a, slot) = tsr_attr_dense_array(a->ctx, a->ctx->i32, sizes, n);
}

/* Operand types: those given first, index for all others. */
static void index_operands(tsr_asm *a)
{
    tsr_asm_spread_operand_type(a, a->ctx->index);
}

/* The end of several forms: dict ':' type 'to' type, with index for operands after the first. */
static bool source_to_result(tsr_asm *a)
{
    TSR_TRY(tsr_asm_dict(a) && tsr_asm_lit(a, " : ") && tsr_asm_operand_type(a, 0) &&
            tsr_asm_lit(a, " to ") && tsr_asm_result_type(a, 0));
    if (!tsr_asm_writing(a))
        index_operands(a);
    return true;
}

/* An operand type that is the element type of another type; an error if that has none. */
static bool element_of(tsr_asm *a, tsr_loc loc, const tsr_type *type, tsr_type **out)
{
    if (!tsr_type_is_shaped(type))
        return tsr_asm_error_at(a, loc, "invalid kind of type specified: expected builtin.tensor");
    *out = type->elem;
    return true;
}

/* The result's type, and that of its elements when it is read. */
static bool result_with_element(tsr_asm *a, tsr_type **elem)
{
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_result_type(a, 0));
    return tsr_asm_writing(a) || element_of(a, loc, a->st->result_types.data[0], elem);
}

static size_t operands_to(tsr_asm *a)
{
    return tsr_asm_writing(a) ? a->op->nin : 0;
}

/* empty ::= '(' sizes ')' dict ':' type */
bool asm_tensor_empty(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, "(") && tsr_asm_operands(a, 0, operands_to(a)) && tsr_asm_lit(a, ")") &&
            tsr_asm_dict(a) && tsr_asm_lit(a, " : ") && tsr_asm_result_type(a, 0));
    if (!tsr_asm_writing(a))
        index_operands(a);
    return true;
}

bool asm_tensor_dim(tsr_asm *a)
{
    TSR_TRY(tsr_asm_dict(a) && tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) &&
            tsr_asm_lit(a, ", ") && tsr_asm_operand(a, 1) && tsr_asm_lit(a, " : ") &&
            tsr_asm_operand_type(a, 0));
    if (!tsr_asm_writing(a)) {
        index_operands(a);
        tsr_asm_push_result_type(a, a->ctx->index);
    }
    return true;
}

bool asm_tensor_rank(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : ") && tsr_asm_operand_type(a, 0));
    if (!tsr_asm_writing(a))
        tsr_asm_push_result_type(a, a->ctx->index);
    return true;
}

/* extract ::= %t '[' indices ']' dict ':' type */
bool asm_tensor_extract(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, "[") &&
            tsr_asm_operands(a, 1, operands_to(a)) && tsr_asm_lit(a, "]") && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : "));
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_operand_type(a, 0));
    if (tsr_asm_writing(a))
        return true;
    tsr_type *elem = NULL;
    TSR_TRY(element_of(a, loc, a->st->operand_types.data[0], &elem));
    index_operands(a);
    tsr_asm_push_result_type(a, elem);
    return true;
}

/* insert ::= %x 'into' %t '[' indices ']' dict ':' type */
bool asm_tensor_insert(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, " into ") &&
            tsr_asm_operand(a, 1) && tsr_asm_lit(a, "[") &&
            tsr_asm_operands(a, 2, operands_to(a)) && tsr_asm_lit(a, "]") && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : "));
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_result_type(a, 0));
    if (tsr_asm_writing(a))
        return true;
    tsr_type *type = a->st->result_types.data[0], *elem = NULL;
    TSR_TRY(element_of(a, loc, type, &elem));
    tsr_vec_push(&a->st->operand_types, elem);
    tsr_vec_push(&a->st->operand_types, type);
    index_operands(a);
    return true;
}

bool asm_tensor_from_elements(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, operands_to(a)) && tsr_asm_dict(a) &&
            tsr_asm_lit(a, " : "));
    tsr_type *elem = NULL;
    TSR_TRY(result_with_element(a, &elem));
    if (tsr_asm_writing(a))
        return true;
    tsr_asm_spread_operand_type(a, elem);
    return true;
}

/* splat ::= %x ('[' sizes ']')? dict ':' type */
bool asm_tensor_splat(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0));
    if (tsr_asm_maybe(a, "[", tsr_asm_writing(a) && a->op->nin > 1))
        TSR_TRY(tsr_asm_operands(a, 1, operands_to(a)) && tsr_asm_lit(a, "]"));
    TSR_TRY(tsr_asm_dict(a) && tsr_asm_lit(a, " : "));
    tsr_type *elem = NULL;
    TSR_TRY(result_with_element(a, &elem));
    if (tsr_asm_writing(a))
        return true;
    tsr_vec_push(&a->st->operand_types, elem);
    index_operands(a);
    return true;
}

/* generate ::= sizes region dict ':' type */
bool asm_tensor_generate(tsr_asm *a)
{
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operands(a, 0, operands_to(a)) && tsr_asm_lit(a, " ") &&
            tsr_asm_region(a, 0, NULL, TSR_REGION_ARGS | TSR_REGION_TERMINATORS) &&
            tsr_asm_dict(a) && tsr_asm_lit(a, " : ") && tsr_asm_result_type(a, 0));
    if (!tsr_asm_writing(a))
        index_operands(a);
    return true;
}

/* pad ::= %t 'nofold'? 'low' mixed 'high' mixed region dict ':' type 'to' type */
bool asm_tensor_pad(tsr_asm *a)
{
    int32_t sizes[3] = {1, 0, 0};
    uint32_t operand = 1;
    tsr_attr **nofold = tsr_asm_slot_place(a, TENSOR_PAD_nofold);
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0));
    if (tsr_asm_maybe(a, " nofold", *nofold != NULL))
        *nofold = tsr_attr_unit(a->ctx);
    tsr_asm_done(a, TENSOR_PAD_nofold);
    TSR_TRY(tsr_asm_lit(a, " low") && mixed_list(a, TENSOR_PAD_static_low, &operand, &sizes[1]) &&
            tsr_asm_lit(a, " high") && mixed_list(a, TENSOR_PAD_static_high, &operand, &sizes[2]) &&
            tsr_asm_lit(a, " ") &&
            tsr_asm_region(a, 0, NULL, TSR_REGION_ARGS | TSR_REGION_TERMINATORS));
    set_segments(a, TENSOR_PAD_operandSegmentSizes, sizes, 3);
    return source_to_result(a);
}

/* extract_slice ::= %t mixed mixed mixed dict ':' type 'to' type */
bool asm_tensor_extract_slice(tsr_asm *a)
{
    int32_t sizes[4] = {1, 0, 0, 0};
    uint32_t operand = 1;
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) &&
            mixed_list(a, TENSOR_EXTRACT_SLICE_static_offsets, &operand, &sizes[1]) &&
            tsr_asm_lit(a, " ") &&
            mixed_list(a, TENSOR_EXTRACT_SLICE_static_sizes, &operand, &sizes[2]) &&
            tsr_asm_lit(a, " ") &&
            mixed_list(a, TENSOR_EXTRACT_SLICE_static_strides, &operand, &sizes[3]));
    set_segments(a, TENSOR_EXTRACT_SLICE_operandSegmentSizes, sizes, 4);
    return source_to_result(a);
}

/* insert_slice ::= %s 'into' %t mixed mixed mixed dict ':' type 'into' type */
bool asm_tensor_insert_slice(tsr_asm *a)
{
    int32_t sizes[5] = {1, 1, 0, 0, 0};
    uint32_t operand = 2;
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, " into ") &&
            tsr_asm_operand(a, 1) &&
            mixed_list(a, TENSOR_INSERT_SLICE_static_offsets, &operand, &sizes[2]) &&
            tsr_asm_lit(a, " ") &&
            mixed_list(a, TENSOR_INSERT_SLICE_static_sizes, &operand, &sizes[3]) &&
            tsr_asm_lit(a, " ") &&
            mixed_list(a, TENSOR_INSERT_SLICE_static_strides, &operand, &sizes[4]));
    set_segments(a, TENSOR_INSERT_SLICE_operandSegmentSizes, sizes, 5);
    TSR_TRY(tsr_asm_dict(a) && tsr_asm_lit(a, " : ") && tsr_asm_operand_type(a, 0) &&
            tsr_asm_lit(a, " into ") && tsr_asm_operand_type(a, 1));
    if (!tsr_asm_writing(a)) {
        tsr_asm_push_result_type(a, a->st->operand_types.data[1]);
        index_operands(a);
    }
    return true;
}

/* [[0, 1], [2]]: an array of arrays of i64, whose elements are written without their type. */
static bool group_element(tsr_asm *a, void *user, size_t i)
{
    tsr_attr_vec *v = user;
    int64_t number = tsr_asm_writing(a) ? v->data[i]->i : 0;
    TSR_TRY(tsr_asm_int(a, &number));
    if (!tsr_asm_writing(a))
        tsr_vec_push(v, tsr_attr_i64(a->ctx, number));
    return true;
}

static bool group(tsr_asm *a, void *user, size_t i)
{
    tsr_attr_vec *groups = user, v = {0};
    if (tsr_asm_writing(a)) {
        tsr_attr *array = groups->data[i];
        if (array->kind == TSR_ATTR_ARRAY) /* an op that was not verified may have anything */
            v = (tsr_attr_vec){.data = array->attrs, .n = array->n};
        return tsr_asm_list(a, "[", "]", &v.n, group_element, &v);
    }
    size_t n = 0;
    bool ok = tsr_asm_list(a, "[", "]", &n, group_element, &v);
    if (ok)
        tsr_vec_push(groups, tsr_attr_array(a->ctx, v.data, v.n));
    tsr_vec_free(&v);
    return ok;
}

static bool reassociation(tsr_asm *a, int slot)
{
    tsr_attr **place = tsr_asm_slot_place(a, slot);
    tsr_attr_vec v = {0};
    tsr_asm_done(a, slot);
    TSR_TRY(tsr_asm_lit(a, " ") && tsr_asm_operand(a, 0) && tsr_asm_lit(a, " "));
    if (tsr_asm_writing(a)) {
        v = (tsr_attr_vec){.data = (*place)->attrs, .n = (*place)->n};
        return tsr_asm_list(a, "[", "]", &v.n, group, &v);
    }
    size_t n = 0;
    bool ok = tsr_asm_list(a, "[", "]", &n, group, &v);
    if (ok)
        *place = tsr_attr_array(a->ctx, v.data, v.n);
    tsr_vec_free(&v);
    return ok;
}

bool asm_tensor_collapse_shape(tsr_asm *a)
{
    return reassociation(a, TENSOR_COLLAPSE_SHAPE_reassociation) && tsr_asm_dict(a) &&
           tsr_asm_lit(a, " : ") && tsr_asm_operand_type(a, 0) && tsr_asm_lit(a, " into ") &&
           tsr_asm_result_type(a, 0);
}

/* expand_shape ::= %t groups 'output_shape' mixed dict ':' type 'into' type; older texts have no output_shape. */
bool asm_tensor_expand_shape(tsr_asm *a)
{
    uint32_t operand = 1;
    int32_t nvalue;
    TSR_TRY(reassociation(a, TENSOR_EXPAND_SHAPE_reassociation));
    bool has_shape = tsr_asm_maybe(a, " output_shape ", tsr_asm_writing(a));
    if (has_shape)
        TSR_TRY(mixed_list(a, TENSOR_EXPAND_SHAPE_static_output_shape, &operand, &nvalue));
    TSR_TRY(tsr_asm_dict(a) && tsr_asm_lit(a, " : ") && tsr_asm_operand_type(a, 0) &&
            tsr_asm_lit(a, " into ") && tsr_asm_result_type(a, 0));
    if (tsr_asm_writing(a))
        return true;
    index_operands(a);
    const tsr_type *type = a->st->result_types.data[0];
    if (!has_shape && type->kind == TSR_TYPE_TENSOR)
        *tsr_asm_slot_place(a, TENSOR_EXPAND_SHAPE_static_output_shape) =
            tsr_attr_i64_array(a->ctx, type->dims, type->n);
    return true;
}

void names_tensor(tsr_namer *n, tsr_op *op)
{
    static const struct {
        uint16_t opcode;
        const char *name;
    } names[] = {
        {TSR_OP_TENSOR_CAST, "cast"},
        {TSR_OP_TENSOR_COLLAPSE_SHAPE, "collapsed"},
        {TSR_OP_TENSOR_CONCAT, "concat"},
        {TSR_OP_TENSOR_DIM, "dim"},
        {TSR_OP_TENSOR_EXPAND_SHAPE, "expanded"},
        {TSR_OP_TENSOR_EXTRACT, "extracted"},
        {TSR_OP_TENSOR_EXTRACT_SLICE, "extracted_slice"},
        {TSR_OP_TENSOR_FROM_ELEMENTS, "from_elements"},
        {TSR_OP_TENSOR_GENERATE, "generated"},
        {TSR_OP_TENSOR_INSERT, "inserted"},
        {TSR_OP_TENSOR_INSERT_SLICE, "inserted_slice"},
        {TSR_OP_TENSOR_PAD, "padded"},
        {TSR_OP_TENSOR_RANK, "rank"},
        {TSR_OP_TENSOR_RESHAPE, "reshape"},
        {TSR_OP_TENSOR_SPLAT, "splat"},
    };
    for (size_t i = 0; i < TSR_COUNT(names); i++)
        if (names[i].opcode == op->def->opcode)
            tsr_namer_result(n, op, 0, tsr_cstr(names[i].name));
}
