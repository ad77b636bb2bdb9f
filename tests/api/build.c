/* SPDX-License-Identifier: Apache-2.0 */
/* build.c - graphs built through the public API: types, attributes, ops with regions, functions; changed, asked about, run; what is
 * wrong is refused, and leaves the module as it was. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/build.h>

#include "check.h"

#define STR(s) ((tsr_str){(s), strlen(s)})
/* A call that fails and says why, in a status that is new: an old failure is not overwritten. */
#define FAILS(call, why) CHECK((memset(&s, 0, sizeof s), !(call)) && strstr(s.message, why))

static tsr_status s;

static void tell(void *user, const tsr_diag *d)
{
    (void)user;
    if (getenv("SHOW"))
        fprintf(stderr, "%.*s:%u:%u: %.*s\n", (int)d->file.len, d->file.data, d->line, d->col,
                (int)d->message.len, d->message.data);
}

static bool prints(tsr_module *m, const char *expected)
{
    tsr_str text = tsr_module_print(m, NULL);
    bool same = text.data && strcmp(text.data, expected) == 0;
    if (!same)
        fprintf(stderr, "is:\n%s\nshould be:\n%s\n", text.data ? text.data : "", expected);
    tsr_free((void *)text.data);
    return same;
}

static tsr_type *tensor(tsr_ctx *ctx, const char *element, int64_t a, int64_t b)
{
    int64_t dims[] = {a, b};
    return tsr_create_tensor_type(tsr_type_parse(ctx, STR(element)), dims,
                                  b   ? 2
                                  : a ? 1
                                      : 0,
                                  NULL, &s);
}

/* An op at the end of a block whose results follow. */
static tsr_value *op(tsr_block *block, const char *name, tsr_value *a, tsr_value *b,
                     const tsr_named_attr *attrs, size_t nattr)
{
    tsr_value *in[] = {a, b};
    tsr_op_spec spec = {.name = STR(name),
                        .operands = in,
                        .noperand = a ? b ? 2 : 1 : 0,
                        .attrs = attrs,
                        .nattr = nattr};
    tsr_op *made = tsr_create_op(block, NULL, &spec, &s);
    return tsr_op_result(made, 0);
}

static tsr_op *end(tsr_block *block, const char *name, tsr_value *v)
{
    tsr_op_spec spec = {.name = STR(name), .operands = &v, .noperand = v ? 1 : 0};
    return tsr_create_op(block, NULL, &spec, &s);
}

/* ---- A function with a reduction ---- */

static const char sums[] =
    "module @sums {\n"
    "  func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2xf32> {\n"
    "    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>\n"
    "    %0 = stablehlo.add %arg0, %arg0 : tensor<2x3xf32>\n"
    "    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : "
    "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n"
    "    return %1 : tensor<2xf32>\n"
    "  }\n"
    "}\n";

static tsr_value *reduce(tsr_module *m, tsr_block *block, tsr_value *x, tsr_value *zero)
{
    tsr_type *scalar = tsr_value_type(zero), *pair[] = {scalar, scalar};
    tsr_region *body = tsr_create_region(m, &s);
    tsr_block *b = tsr_create_block(body, pair, 2, NULL, &s);
    CHECK(end(b, "stablehlo.return",
              op(b, "stablehlo.add", tsr_block_arg(b, 0), tsr_block_arg(b, 1), NULL, 0)));
    tsr_type *i64 = tsr_create_integer_type(tsr_module_context(m), 64, TSR_SIGNLESS, &s);
    tsr_named_attr dims = {STR("dimensions"),
                           tsr_create_int_array(i64, (const int64_t[]){1}, 1, &s)};
    tsr_value *in[] = {x, zero};
    size_t groups[] = {1, 1};
    tsr_op_spec spec = {.name = STR("stablehlo.reduce"),
                        .operands = in,
                        .noperand = 2,
                        .groups = groups,
                        .ngroup = 2,
                        .attrs = &dims,
                        .nattr = 1,
                        .regions = &body,
                        .nregion = 1};
    tsr_op *made = tsr_create_op(block, NULL, &spec, &s);
    CHECK(!tsr_region_first_block(body)); /* taken */
    return tsr_op_result(made, 0);
}

static tsr_module *build_sums(tsr_ctx *ctx, tsr_block **body)
{
    tsr_module *m = tsr_create_module(ctx, STR("sums"), &s);
    tsr_type *in = tensor(ctx, "f32", 2, 3), *out = tensor(ctx, "f32", 2, 0);
    tsr_type *type = tsr_create_function_type(ctx, &in, 1, &out, 1, &s);
    tsr_op *f = tsr_create_function(m, NULL, STR("main"), type, NULL, &s);
    *body = tsr_region_first_block(tsr_op_region(f, 0));
    tsr_tensor *t = tsr_tensor_parse(ctx, STR("f32=0"), &s);
    tsr_named_attr value = {STR("value"), tsr_create_elements(m, t, &s)};
    tsr_tensor_free(t);
    tsr_value *zero = op(*body, "stablehlo.constant", NULL, NULL, &value, 1);
    tsr_value *x = tsr_block_arg(*body, 0);
    tsr_value *twice = op(*body, "stablehlo.add", x, x, NULL, 0);
    CHECK(end(*body, "func.return", reduce(m, *body, twice, zero)));
    return m;
}

static void test_build(tsr_ctx *ctx)
{
    tsr_block *body;
    tsr_module *m = build_sums(ctx, &body);
    CHECK(s.code == TSR_OK);
    CHECK(tsr_module_verify(m) && prints(m, sums));
    tsr_tensor *in = tsr_tensor_parse(ctx, STR("2x3xf32=1,2,3,4,5,6"), &s), *out = NULL;
    CHECK(tsr_module_eval(m, STR("main"), &in, 1, &out, 1, &s));
    CHECK(out && tsr_tensor_get(out, 0) == 12 && tsr_tensor_get(out, 1) == 30);
    tsr_tensor_free(in);
    tsr_tensor_free(out);
    tsr_module_free(m);
}

/* ---- What is wrong ---- */

static void test_refused_ops(tsr_ctx *ctx, tsr_module *m, tsr_block *body)
{
    tsr_value *x = tsr_block_arg(body, 0), *other[] = {x, NULL};
    tsr_op *last = tsr_block_first_op(body);
    tsr_op_spec spec = {.name = STR("stablehlo.add"), .operands = other, .noperand = 2};
    FAILS(tsr_create_op(body, last, &spec, &s), "operand #1 is NULL");
    spec.noperand = 1;
    FAILS(tsr_create_op(body, last, &spec, &s), "expected 2 operands, but found 1");
    spec.name = STR("stablehlo.ad");
    FAILS(tsr_create_op(body, last, &spec, &s), "there is no op 'stablehlo.ad'");
    spec.name = STR("stablehlo.transpose");
    FAILS(tsr_create_op(body, last, &spec, &s), "requires attribute 'permutation'");
    tsr_named_attr wrong = {STR("permutation"), tsr_create_string(ctx, STR("x"), &s)};
    spec.attrs = &wrong;
    spec.nattr = 1;
    FAILS(tsr_create_op(body, last, &spec, &s), "attribute 'permutation' failed to satisfy");
    spec = (tsr_op_spec){.name = STR("stablehlo.abs"), .operands = &x, .noperand = 1};
    tsr_type *narrow = tensor(ctx, "i1", 2, 3);
    spec.results = &narrow;
    spec.nresult = 1;
    FAILS(tsr_create_op(body, last, &spec, &s), "must be");
    FAILS(tsr_create_op(body, last, NULL, &s), "NULL");
    FAILS(tsr_create_op(NULL, last, &spec, &s), "NULL");
    tsr_op_spec reduce = {.name = STR("stablehlo.reduce"), .nregion = 1};
    FAILS(tsr_create_op(body, last, &reduce, &s), "requires attribute 'dimensions'");
    tsr_op_spec custom = {.name = STR("func.call"), .operands = &x, .noperand = 1};
    FAILS(tsr_create_op(body, last, &custom, &s), "do not follow");
    CHECK(prints(m, sums)); /* nothing was left behind */
}

static void test_refused(tsr_ctx *ctx)
{
    tsr_block *body, *body2;
    tsr_module *m = build_sums(ctx, &body), *m2 = build_sums(ctx, &body2);
    test_refused_ops(ctx, m, body);
    tsr_value *strange[] = {tsr_block_arg(body, 0), tsr_block_arg(body2, 0)};
    tsr_op_spec spec = {.name = STR("stablehlo.add"), .operands = strange, .noperand = 2};
    tsr_op *last = tsr_block_first_op(body);
    FAILS(tsr_create_op(body, last, &spec, &s), "operand #1 is a value of another module");
    FAILS(tsr_create_op(body, tsr_block_first_op(body2), &spec, &s), "another block");
    FAILS(tsr_edit_erase(last, &s), "has results that are used");
    FAILS(tsr_edit_erase(tsr_module_op(m), &s), "stays as it is");
    FAILS(tsr_edit_move(tsr_op_parent(last), body, NULL, &s), "into itself");
    FAILS(tsr_edit_operand(tsr_op_next(last), 7, strange[0], &s), "has no operand #7");
    FAILS(tsr_edit_replace(strange[0], strange[1], &s), "none of the module");
    FAILS(tsr_edit_erase_arg(body, 0, &s), "is used");
    CHECK(prints(m, sums));
    tsr_module_free(m2);
    tsr_module_free(m);
    tsr_type *f32 = tsr_type_parse(ctx, STR("f32")), *t = tensor(ctx, "f32", 2, 2);
    FAILS(tsr_create_tensor_type(t, NULL, 0, NULL, &s), "invalid tensor element type");
    FAILS(tsr_create_tensor_type(f32, (const int64_t[]){-3}, 1, NULL, &s), "negative");
    FAILS(tsr_create_integer_type(ctx, 0, TSR_SIGNLESS, &s), "bits");
    FAILS(tsr_create_complex_type(t, &s), "complex");
    FAILS(tsr_create_int(f32, 1, &s), "integer type");
    FAILS(tsr_create_int(tsr_type_parse(ctx, STR("i8")), 256, &s), "256 is no value");
    FAILS(tsr_create_int(tsr_type_parse(ctx, STR("ui8")), -1, &s), "-1 is no value");
    FAILS(tsr_create_float(t, 1, &s), "float type");
    FAILS(tsr_create_array(ctx, (tsr_attr *const[]){NULL}, 1, &s), "NULL");
    FAILS(tsr_create_enum(ctx, STR("stablehlo.comparison_direction"), STR("XX"), &s), "no case");
    FAILS(tsr_create_enum(ctx, STR("stablehlo.nothing"), STR("XX"), &s), "no enum");
    tsr_attr *unit = tsr_create_unit(ctx, &s);
    tsr_named_attr twice[] = {{STR("a"), unit}, {STR("a"), unit}};
    FAILS(tsr_create_dict(ctx, twice, 2, &s), "twice");
    FAILS(tsr_create_name_location(ctx, STR("a"), unit, &s), "location #0 is none");
}

/* ---- Changes ---- */

static const char changed[] = "module @sums {\n"
                              "  func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
                              "    %0 = stablehlo.abs %arg0 : tensor<2x3xf32>\n"
                              "    %1 = stablehlo.abs %arg0 {note = 3 : i32} : tensor<2x3xf32>\n"
                              "    %2 = stablehlo.multiply %0, %1 : tensor<2x3xf32>\n"
                              "    return %2 : tensor<2x3xf32>\n"
                              "  }\n"
                              "}\n";

static void test_change(tsr_ctx *ctx)
{
    tsr_block *body;
    tsr_module *m = build_sums(ctx, &body);
    tsr_op *zero = tsr_block_first_op(body), *add = tsr_op_next(zero), *sum = tsr_op_next(add);
    tsr_op *ret = tsr_op_next(sum), *f = tsr_op_parent(add);
    tsr_value *x = tsr_block_arg(body, 0);
    tsr_op_spec spec = {.name = STR("stablehlo.abs"), .operands = &x, .noperand = 1};
    tsr_op *abs = tsr_create_op(body, add, &spec, &s);
    tsr_op *copy = tsr_create_copy(body, ret, abs, &s);
    CHECK(tsr_edit_move(copy, body, add, &s));
    CHECK(tsr_edit_attr(copy, STR("note"), tsr_create_int(tsr_type_parse(ctx, STR("i32")), 3, &s),
                        &s));
    tsr_value *both[] = {tsr_op_result(abs, 0), tsr_op_result(copy, 0)};
    spec = (tsr_op_spec){.name = STR("stablehlo.multiply"), .operands = both, .noperand = 2};
    tsr_op *mul = tsr_create_op(body, ret, &spec, &s);
    CHECK(tsr_edit_replace(tsr_op_result(sum, 0), tsr_op_result(mul, 0), &s));
    CHECK(tsr_edit_erase(sum, &s) && tsr_edit_erase(add, &s) && tsr_edit_erase(zero, &s));
    FAILS(tsr_edit_erase(sum, &s), "was erased");
    CHECK(!tsr_module_verify(m)); /* the function still says another type */
    tsr_type *in = tsr_value_type(x), *type = tsr_create_function_type(ctx, &in, 1, &in, 1, &s);
    CHECK(tsr_edit_attr(f, STR("function_type"), tsr_create_type_attr(type, &s), &s));
    CHECK(tsr_module_verify(m) && prints(m, changed));
    tsr_value_use uses[4];
    CHECK(tsr_value_uses(x, uses, 4) == 2 && uses[0].op == abs && uses[1].op == copy);
    memset(&s, 0, sizeof s);
    spec = (tsr_op_spec){.name = STR("stablehlo.transpose"), .operands = &x, .noperand = 1};
    tsr_type *i64 = tsr_type_parse(ctx, STR("i64")), *got = NULL;
    tsr_named_attr perm = {STR("permutation"),
                           tsr_create_int_array(i64, (const int64_t[]){1, 0}, 2, &s)};
    spec.attrs = &perm;
    spec.nattr = 1;
    size_t n = 0;
    CHECK(tsr_infer_results(m, &spec, &got, 1, &n, &s) && n == 1);
    CHECK(got == tensor(ctx, "f32", 3, 2) && prints(m, changed));
    tsr_module_free(m);
}

/* ---- Questions ---- */

static void test_attrs(tsr_ctx *ctx)
{
    tsr_type *i32 = tsr_type_parse(ctx, STR("i32")), *bf16 = tsr_type_parse(ctx, STR("bf16"));
    int64_t i = 0;
    double d = 0;
    CHECK(tsr_attr_get_int(tsr_create_int(i32, -7, &s), &i) && i == -7);
    CHECK(tsr_attr_get_float(tsr_create_float(bf16, 1.5, &s), &d) && d == 1.5);
    CHECK(!tsr_attr_get_int(tsr_create_unit(ctx, &s), &i) && !tsr_attr_get_float(NULL, &d));
    tsr_attr *ints = tsr_create_int_array(i32, (const int64_t[]){5, -6}, 2, &s);
    CHECK(tsr_attr_kind_of(ints) == TSR_ATTR_DENSE_ARRAY && tsr_attr_num_items(ints) == 2);
    CHECK(tsr_attr_item_int(ints, 1, &i) && i == -6 && !tsr_attr_item_int(ints, 2, &i));
    CHECK(ints == tsr_attr_parse(ctx, STR("array<i32: 5, -6>")));
    tsr_attr *floats = tsr_create_float_array(bf16, (const double[]){0.5, 2}, 2, &s);
    CHECK(tsr_attr_item_float(floats, 1, &d) && d == 2);
    CHECK(floats == tsr_attr_parse(ctx, STR("array<bf16: 0.5, 2.0>")));
    tsr_attr *bits =
        tsr_create_int_array(tsr_type_parse(ctx, STR("i1")), (const int64_t[]){1, 0}, 2, &s);
    CHECK(bits == tsr_attr_parse(ctx, STR("array<i1: true, false>")));
    tsr_attr *eq = tsr_create_enum(ctx, STR("stablehlo.comparison_direction"), STR("EQ"), &s);
    CHECK(eq && eq == tsr_attr_parse(ctx, STR("#stablehlo<comparison_direction EQ>")));
    CHECK(tsr_attr_text(eq).len == 2);
    tsr_str path[] = {STR("a"), STR("b")};
    tsr_attr *symbol = tsr_create_symbol(ctx, path, 2, &s);
    CHECK(symbol == tsr_attr_parse(ctx, STR("@a::@b")) && tsr_attr_num_items(symbol) == 1);
    tsr_named_attr pair[] = {{STR("x"), eq}, {STR("a"), symbol}};
    tsr_attr *dict = tsr_create_dict(ctx, pair, 2, &s);
    CHECK(tsr_attr_item(dict, 0) == symbol && tsr_attr_item_name(dict, 1).data[0] == 'x');
    tsr_attr *array = tsr_create_array(ctx, (tsr_attr *const[]){eq, dict}, 2, &s);
    CHECK(tsr_attr_item(array, 1) == dict && !tsr_attr_item(array, 2));
    tsr_attr *dense = tsr_attr_parse(ctx, STR("dense<[1, 2]> : tensor<2xi8>"));
    tsr_tensor *t = tsr_attr_elements(dense, &s);
    CHECK(t && tsr_tensor_get(t, 1) == 2);
    tsr_tensor_free(t);
    FAILS(tsr_attr_elements(eq, &s), "no elements");
}

static void test_questions(tsr_ctx *ctx)
{
    tsr_type *i32 = tsr_type_parse(ctx, STR("i32")), *bf16 = tsr_type_parse(ctx, STR("bf16"));
    CHECK(tsr_type_kind_of(bf16) == TSR_TYPE_FLOAT && tsr_type_width(bf16) == 16);
    CHECK(tsr_type_sign(tsr_type_parse(ctx, STR("ui4"))) == TSR_UNSIGNED);
    tsr_type *two[] = {i32, bf16}, *f = tsr_create_function_type(ctx, two, 2, two, 1, &s);
    CHECK(tsr_type_num_members(f) == 3 && tsr_type_num_inputs(f) == 2);
    CHECK(tsr_type_member(f, 1) == bf16 && !tsr_type_member(f, 3));
    CHECK(tsr_create_tuple_type(ctx, two, 2, &s) == tsr_type_parse(ctx, STR("tuple<i32, bf16>")));
    CHECK(tsr_create_complex_type(i32, &s) == tsr_type_parse(ctx, STR("complex<i32>")));
    tsr_str rows = tsr_describe_ops(ctx, STR("stablehlo.compare"));
    CHECK(strstr(rows.data, "\"cases\": [\"EQ\", \"NE\"") && !strstr(rows.data, "stablehlo.add\""));
    tsr_free((void *)rows.data);
}

static void test_locations(tsr_ctx *ctx)
{
    tsr_module *m = tsr_create_module(ctx, (tsr_str){0}, &s);
    tsr_attr *at = tsr_create_file_location(ctx, STR("a.py"), 3, 7, &s);
    tsr_attr *named = tsr_create_name_location(ctx, STR("layer"), at, &s);
    tsr_attr *call = tsr_create_call_location(ctx, named, at, &s);
    tsr_attr *fused = tsr_create_fused_location(ctx, (tsr_attr *const[]){call, at}, 2, &s);
    tsr_type *none = tsr_create_function_type(ctx, NULL, 0, NULL, 0, &s);
    tsr_op *f = tsr_create_function(m, NULL, STR("f"), none, fused, &s);
    CHECK(tsr_op_location(f) == fused && tsr_edit_location(f, named, &s));
    tsr_op_spec spec = {.name = STR("func.return"), .location = at};
    tsr_block *body = tsr_region_first_block(tsr_op_region(f, 0));
    CHECK(tsr_create_op(body, NULL, &spec, &s));
    tsr_str text = tsr_module_print(m, &(tsr_print_options){.debug_info = true});
    CHECK(strstr(text.data, "loc(\"layer\"(") && strstr(text.data, "loc(\"a.py\":3:7)"));
    tsr_free((void *)text.data);
    /* A mistake is told at the op's own location. */
    tsr_value *x = NULL;
    spec = (tsr_op_spec){.name = STR("stablehlo.abs"), .operands = &x, .location = at};
    FAILS(tsr_create_op(body, tsr_block_first_op(body), &spec, &s), "a.py:3:7");
    tsr_module_free(m);
}

static void test_blobs(tsr_ctx *ctx)
{
    tsr_module *m = tsr_create_module(ctx, (tsr_str){0}, &s);
    tsr_blob blob = {STR("key"), {"abcdefgh", 8}, 4}, found;
    CHECK(tsr_create_blob(m, &blob, &s) && tsr_module_blobs(m, &found, 1) == 1);
    CHECK(found.data.len == 8 && found.align == 4 && memcmp(found.data.data, "abcdefgh", 8) == 0);
    FAILS(tsr_create_blob(m, &blob, &s), "already");
    blob.align = 3;
    FAILS(tsr_create_blob(m, &blob, &s), "power of two");
    tsr_module_free(m);
}

int main(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_ctx_on_diag(ctx, tell, NULL);
    test_build(ctx);
    test_refused(ctx);
    memset(&s, 0, sizeof s);
    test_change(ctx);
    test_attrs(ctx);
    memset(&s, 0, sizeof s);
    test_questions(ctx);
    test_locations(ctx);
    memset(&s, 0, sizeof s);
    test_blobs(ctx);
    tsr_ctx_free(ctx);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
