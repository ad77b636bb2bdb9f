/* SPDX-License-Identifier: Apache-2.0 */
/* test_verify.c - the verifier's messages on ops built by hand, against a small table of its own. */
#include "unit.h"

static bool is_i32(const tsr_constraint *c, const tsr_type *t)
{
    (void)c;
    return tsr_type_is_integer(t, 32);
}

static const tsr_constraint i32s = {
    .id = "I32", .summary = "32-bit signless integer", .type_ok = is_i32};
static const tsr_constraint name_attr = {
    .id = "Str", .summary = "string attribute", .form = TSR_FORM_STRING};
static const tsr_constraint type_attr = {
    .id = "Fn", .summary = "function type", .form = TSR_FORM_FUNCTION_TYPE};
static const tsr_constraint sized1 = {.id = "Sized1", .summary = "region with 1 blocks"};
static const tsr_argdef two[] = {{"a", &i32s, TSR_ONE}, {"b", &i32s, TSR_ONE}};
static const tsr_argdef some[] = {{"a", &i32s, TSR_ONE}, {"b", &i32s, TSR_VARIADIC}};
static const tsr_argdef maybe[] = {{"a", &i32s, TSR_OPTIONAL}};
static const tsr_argdef one_region[] = {{"body", NULL, TSR_ONE}};
static const tsr_argdef body[] = {{"body", &sized1, TSR_ONE}};
static const tsr_slotdef symbol_slots[] = {{"sym_name", &name_attr, TSR_ATTR_REQUIRED, NULL},
                                           {"function_type", &type_attr, TSR_ATTR_REQUIRED, NULL},
                                           {"sym_visibility", &name_attr, TSR_ATTR_OPTIONAL, NULL}};

enum { MODULE, FUNC, RETURN, ADD, LIST, MAYBE, BODY, YIELD, IMPLICIT, ROW_COUNT };
static const tsr_opdef rows[] = {
    [MODULE] = {.name = {"t.module", 8},
                .opcode = MODULE,
                .regions = one_region,
                .nregion = 1,
                .traits = TSR_TRAIT(ISOLATED) | TSR_TRAIT(SYMBOL_TABLE) | TSR_TRAIT(SINGLE_BLOCK) |
                          TSR_TRAIT(NO_TERMINATOR) | TSR_TRAIT(GRAPH_REGION)},
    [FUNC] = {.name = {"t.func", 6},
              .opcode = FUNC,
              .regions = one_region,
              .nregion = 1,
              .slots = symbol_slots,
              .nslot = 3,
              .traits = TSR_TRAIT(ISOLATED) | TSR_TRAIT(SYMBOL) | TSR_TRAIT(FUNCTION)},
    [RETURN] = {.name = {"t.return", 8},
                .opcode = RETURN,
                .args = maybe,
                .narg = 1,
                .parents = "t.func",
                .traits = TSR_TRAIT(TERMINATOR)},
    [ADD] =
        {.name = {"t.add", 5}, .opcode = ADD, .args = two, .narg = 2, .results = two, .nresult = 1},
    [LIST] = {.name = {"t.list", 6}, .opcode = LIST, .args = some, .narg = 2},
    [MAYBE] = {.name = {"t.maybe", 7}, .opcode = MAYBE, .results = maybe, .nresult = 1},
    [BODY] = {.name = {"t.body", 6}, .opcode = BODY, .regions = body, .nregion = 1},
    [YIELD] = {.name = {"t.yield", 7},
               .opcode = YIELD,
               .parents = "t.body t.implicit",
               .traits = TSR_TRAIT(TERMINATOR)},
    [IMPLICIT] = {.name = {"t.implicit", 10},
                  .opcode = IMPLICIT,
                  .regions = one_region,
                  .nregion = 1,
                  .implicit = "t.yield",
                  .traits = TSR_TRAIT(SINGLE_BLOCK)},
};

typedef struct {
    unit *u;
    tsr_ctx *ctx;
    tsr_module *m;
    tsr_block *top, *body;
    tsr_op *func;
    diag_log log;
} fixture;

static tsr_op *put(fixture *f, tsr_block *b, int row, tsr_value **in, size_t nin, size_t nout)
{
    tsr_type *types[] = {f->ctx->i32, f->ctx->i32};
    tsr_op *op =
        tsr_op_new(f->m, &rows[row], TSR_LOC_UNKNOWN, in, nin, types, nout, rows[row].nregion, 0);
    if (b)
        tsr_op_insert(op, b, NULL);
    return op;
}

static tsr_block *add_block(fixture *f, tsr_op *op)
{
    tsr_block *b = tsr_block_new(f->m);
    tsr_block_insert(b, &op->regions[0], NULL);
    return b;
}

static tsr_op *put_func(fixture *f, const char *name)
{
    tsr_op *op = put(f, f->top, FUNC, NULL, 0, 0);
    tsr_type *in[] = {f->ctx->i32};
    op->attrs[0] = tsr_attr_string(f->ctx, tsr_cstr(name));
    op->attrs[1] = tsr_attr_type(f->ctx, tsr_type_function(f->ctx, in, 1, NULL, 0));
    return op;
}

/* module { func @f(%arg: i32) { } }: the body has no op yet. */
static void start(fixture *f)
{
    f->m = tsr_module_new(f->ctx);
    f->m->op = put(f, NULL, MODULE, NULL, 0, 0);
    f->top = add_block(f, f->m->op);
    f->func = put_func(f, "f");
    f->body = add_block(f, f->func);
    tsr_block_add_arg(f->m, f->body, f->ctx->i32, TSR_LOC_UNKNOWN);
}

static void expect(fixture *f, const char *text)
{
    bool ok = tsr_verify(f->m->op);
    CHECK(f->u, ok == (*text == 0));
    CHECK(f->u, unit_logged(&f->log, text));
    tsr_module_free(f->m);
}

static void test_counts(fixture *f)
{
    start(f);
    tsr_value *arg = f->body->args[0], *args[] = {arg, arg, arg};
    put(f, f->body, ADD, args, 2, 1);
    put(f, f->body, LIST, args, 3, 0);
    put(f, f->body, MAYBE, NULL, 0, 1);
    put(f, f->body, RETURN, args, 1, 0);
    expect(f, "");
    start(f);
    args[0] = args[1] = args[2] = f->body->args[0];
    put(f, f->body, ADD, args, 3, 1);
    expect(f, "error: 't.add' op expected 2 operands, but found 3\n");
    start(f);
    args[0] = args[1] = f->body->args[0];
    put(f, f->body, ADD, args, 2, 2);
    expect(f, "error: 't.add' op requires one result\n");
    start(f);
    put(f, f->body, LIST, NULL, 0, 0);
    expect(f, "error: 't.list' op expected 1 or more operands, but found 0\n");
    start(f);
    put(f, f->body, MAYBE, NULL, 0, 2);
    expect(
        f,
        "error: 't.maybe' op result group starting at #0 requires 0 or 1 element, but found 2\n");
    start(f);
    put(f, f->body, BODY, NULL, 0, 0);
    expect(f, "error: 't.body' op region #0 ('body') failed to verify constraint: region with 1 "
              "blocks\n");
    start(f);
    f->func->attrs[0] = NULL;
    expect(f, "error: 't.func' op requires attribute 'sym_name'\n");
    start(f);
    f->func->attrs[1] = tsr_attr_unit(f->ctx);
    expect(f, "error: 't.func' op attribute 'function_type' failed to satisfy constraint: function "
              "type\n");
    start(f);
    tsr_op *seen = put(f, f->body, ADD, (tsr_value *[]){f->body->args[0], f->body->args[0]}, 2, 1);
    seen->out[0].type = f->ctx->i64;
    expect(f, "error: 't.add' op result #0 must be 32-bit signless integer, but got ''\n");
}

static void test_blocks(fixture *f)
{
    start(f);
    expect(f, "error: empty block: expect at least a terminator\n");
    start(f);
    put(f, f->body, MAYBE, NULL, 0, 0);
    expect(f, "error: block with no terminator, has t.maybe\n");
    start(f);
    put(f, f->body, RETURN, NULL, 0, 0);
    put(f, f->body, RETURN, NULL, 0, 0);
    expect(f, "error: 't.return' op must be the last operation in the parent block\n");
    start(f);
    put(f, f->body, YIELD, NULL, 0, 0);
    expect(f, "error: 't.yield' op expects parent op to be one of 't.body, t.implicit'\n");
    start(f);
    tsr_op *in = put(f, f->body, BODY, NULL, 0, 0);
    put(f, add_block(f, in), RETURN, NULL, 0, 0);
    expect(f, "error: 't.return' op expects parent op 't.func'\n");
    start(f);
    in = put(f, f->body, IMPLICIT, NULL, 0, 0);
    tsr_op *end =
        tsr_op_new(f->m, tsr_opdef_get(f->ctx, TSR_STR("t.end")), 0, NULL, 0, NULL, 0, 0, 0);
    tsr_op_insert(end, add_block(f, in), NULL);
    f->ctx->allow_unregistered = true;
    expect(f, "error: 't.implicit' op expects regions to end with 't.yield', found 't.end'\n"
              "note: in custom textual format, the absence of terminator implies 't.yield'\n");
    f->ctx->allow_unregistered = false;
    start(f);
    in = put(f, f->body, IMPLICIT, NULL, 0, 0);
    add_block(f, in);
    add_block(f, in);
    expect(f, "error: 't.implicit' op expects region #0 to have 0 or 1 blocks\n");
}

static void test_functions(fixture *f)
{
    start(f);
    put(f, f->body, RETURN, NULL, 0, 0);
    put_func(f, "f")->attrs[2] = tsr_attr_string(f->ctx, TSR_STR("private"));
    expect(f,
           "error: redefinition of symbol named 'f'\nnote: see existing symbol definition here\n");
    start(f);
    put(f, f->body, RETURN, NULL, 0, 0);
    put_func(f, "g");
    expect(f, "error: 't.func' op symbol declaration cannot have public visibility\n");
    start(f);
    put(f, f->body, RETURN, NULL, 0, 0);
    tsr_block_add_arg(f->m, f->body, f->ctx->i32, TSR_LOC_UNKNOWN);
    expect(f, "error: 't.func' op entry block must have 1 arguments to match function signature\n");
    start(f);
    put(f, f->body, RETURN, NULL, 0, 0);
    f->body->args[0]->type = f->ctx->i1;
    expect(f, "error: 't.func' op type of entry block argument #0('') must match the type of the "
              "corresponding argument in "
              "function signature('')\n");
}

static void test_values(fixture *f)
{
    start(f);
    tsr_op *use = put(f, f->body, LIST, (tsr_value *[]){f->body->args[0]}, 1, 0);
    tsr_op *def = put(f, f->body, MAYBE, NULL, 0, 1);
    tsr_op_set_operand(use, 0, &def->out[0]);
    put(f, f->body, RETURN, NULL, 0, 0);
    expect(f, "error: operand #0 does not dominate this use\nnote: operand defined here (op in the "
              "same block)\n");
    start(f);
    def = put(f, f->top, MAYBE, NULL, 0, 1);
    put(f, f->body, LIST, (tsr_value *[]){&def->out[0]}, 1, 0);
    put(f, f->body, RETURN, NULL, 0, 0);
    expect(f, "error: 't.list' op using value defined outside the region\n"
              "note: required by region isolation constraints\n");
    start(f);
    tsr_op *in = put(f, f->body, BODY, NULL, 0, 0);
    tsr_value *arg = tsr_block_add_arg(f->m, add_block(f, in), f->ctx->i32, TSR_LOC_UNKNOWN);
    put(f, in->regions[0].first, YIELD, NULL, 0, 0);
    put(f, f->body, RETURN, &arg, 1, 0);
    expect(f, "error: operand #0 does not dominate this use\n"
              "note: operand defined as a block argument (block #0 in a child region)\n");
    /* In a graph region order does not count. */
    start(f);
    put(f, f->body, RETURN, NULL, 0, 0);
    def = put(f, NULL, MAYBE, NULL, 0, 1);
    put(f, f->top, LIST, (tsr_value *[]){&def->out[0]}, 1, 0);
    tsr_op_insert(def, f->top, NULL);
    expect(f, "");
}

static void test_unknown(fixture *f)
{
    start(f);
    put(f, f->body, RETURN, NULL, 0, 0);
    tsr_op_insert(
        tsr_op_new(f->m, tsr_opdef_get(f->ctx, TSR_STR("t.new")), 0, NULL, 0, NULL, 0, 0, 0),
        f->top, NULL);
    expect(f, "error: unregistered operation 't.new' found in dialect ('t') that does not allow "
              "unknown operations\n");
    start(f);
    put(f, f->body, RETURN, NULL, 0, 0);
    tsr_op_insert(
        tsr_op_new(f->m, tsr_opdef_get(f->ctx, TSR_STR("x.y")), 0, NULL, 0, NULL, 0, 0, 0), f->top,
        NULL);
    expect(f, "error: 'x.y' op created with unregistered dialect. If this is intended, please call "
              "allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect "
              "with the MLIR opt tool "
              "used\n");
}

void test_verify(unit *u)
{
    fixture f = {.u = u, .ctx = tsr_ctx_new_empty()};
    tsr_ctx_register_dialect(f.ctx, "t", false);
    tsr_ctx_register_ops(f.ctx, rows, ROW_COUNT);
    tsr_ctx_on_diag(f.ctx, unit_log, &f.log);
    test_counts(&f);
    test_blocks(&f);
    test_functions(&f);
    test_values(&f);
    test_unknown(&f);
    tsr_ctx_free(f.ctx);
}
