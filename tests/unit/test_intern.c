/* SPDX-License-Identifier: Apache-2.0 */
/* test_intern.c - types, attributes, names and locations: equal things have equal addresses; checkpoints. */
#include "unit.h"

static void test_types(unit *u, tsr_ctx *ctx)
{
    tsr_type *f32 = tsr_type_float(ctx, TSR_F32);
    int64_t dims[] = {2, TSR_DYNAMIC, 3}, fixed[] = {4, 5}, empty[] = {0, INT64_MAX, INT64_MAX};
    int64_t huge[] = {INT64_MAX / 2, 4};
    CHECK(u, f32 == tsr_type_float(ctx, TSR_F32) && f32 != tsr_type_float(ctx, TSR_BF16) &&
                 f32->width == 32);
    CHECK(u, ctx->i1 == tsr_type_integer(ctx, 1, TSR_SIGNLESS) &&
                 ctx->i1 != tsr_type_integer(ctx, 1, TSR_UNSIGNED));
    tsr_type *t = tsr_type_tensor(ctx, dims, 3, f32, NULL);
    CHECK(u, t == tsr_type_tensor(ctx, (int64_t[]){2, TSR_DYNAMIC, 3}, 3, f32, NULL));
    CHECK(u, t != tsr_type_tensor(ctx, dims, 2, f32, NULL) &&
                 t != tsr_type_tensor(ctx, dims, 3, ctx->i32, NULL));
    CHECK(u, t != tsr_type_vector(ctx, dims, 3, f32, NULL) &&
                 t != tsr_type_memref(ctx, dims, 3, f32, NULL, NULL));
    CHECK(u, t != tsr_type_tensor(ctx, dims, 3, f32, tsr_attr_unit(ctx)));
    CHECK(u, tsr_type_num_elements(t) == -1 && !tsr_type_has_static_shape(t));
    CHECK(u, tsr_type_num_elements(tsr_type_tensor(ctx, fixed, 2, f32, NULL)) == 20);
    CHECK(u, tsr_type_num_elements(tsr_type_tensor(ctx, NULL, 0, f32, NULL)) == 1);
    CHECK(u, tsr_type_num_elements(tsr_type_tensor(ctx, empty, 3, f32, NULL)) == 0);
    CHECK(u, tsr_type_num_elements(tsr_type_tensor(ctx, huge, 2, f32, NULL)) == -1);
    CHECK(u, tsr_type_num_elements(tsr_type_unranked_tensor(ctx, f32)) == -1);
    CHECK(u, tsr_type_storage_bits(ctx->i1) == 8 &&
                 tsr_type_storage_bits(tsr_type_integer(ctx, 4, TSR_UNSIGNED)) == 8);
    CHECK(u, tsr_type_storage_bits(tsr_type_complex(ctx, f32)) == 64 &&
                 tsr_type_storage_bits(ctx->index) == 64);
    CHECK(u, tsr_type_storage_bits(t) == 0);
    tsr_type *in[] = {t, f32}, *out[] = {f32};
    tsr_type *fn = tsr_type_function(ctx, in, 2, out, 1);
    CHECK(u, fn == tsr_type_function(ctx, in, 2, out, 1) &&
                 fn != tsr_type_function(ctx, in, 1, in, 2));
    CHECK(u, fn->types[2] == f32 && fn != tsr_type_tuple(ctx, in, 2));
    CHECK(u, tsr_type_function(ctx, NULL, 0, NULL, 0) == tsr_type_function(ctx, NULL, 0, NULL, 0));
    CHECK(u, !fn->aliased && !ctx->has_aliased);
    tsr_type *many[17];
    for (int i = 0; i < 17; i++)
        many[i] = f32;
    CHECK(u, !tsr_type_tuple(ctx, many, 16)->aliased && tsr_type_tuple(ctx, many, 17)->aliased &&
                 ctx->has_aliased);
    tsr_part parts[] = {{.text = TSR_STR("thing<")}, {.type = f32}, {.text = TSR_STR(">")}};
    tsr_type *opaque = tsr_type_opaque(ctx, tsr_name_get(ctx, TSR_STR("foo")), parts, 3);
    CHECK(u, opaque == tsr_type_opaque(ctx, tsr_name_get(ctx, TSR_STR("foo")), parts, 3) &&
                 opaque->aliased);
    CHECK(u, opaque != tsr_type_opaque(ctx, tsr_name_get(ctx, TSR_STR("foo")), parts, 2));
    CHECK(u, tsr_type_tensor(ctx, fixed, 2, opaque, NULL)->aliased);
}

static void test_attrs(unit *u, tsr_ctx *ctx)
{
    tsr_type *u8 = tsr_type_integer(ctx, 8, TSR_UNSIGNED),
             *i8 = tsr_type_integer(ctx, 8, TSR_SIGNLESS);
    tsr_type *i100 = tsr_type_integer(ctx, 100, TSR_SIGNLESS);
    CHECK(u, tsr_attr_i64(ctx, 3) == tsr_attr_i64(ctx, 3) &&
                 tsr_attr_i64(ctx, 3) != tsr_attr_i32(ctx, 3));
    CHECK(u, tsr_attr_int(ctx, i8, 255)->i == -1 && tsr_attr_int(ctx, u8, 255)->i == 255);
    CHECK(u, tsr_attr_int(ctx, u8, -1) == tsr_attr_int(ctx, u8, 255) &&
                 tsr_attr_bool(ctx, true)->i == 1);
    CHECK(u, tsr_attr_int(ctx, ctx->i1, -1) == tsr_attr_bool(ctx, true));
    CHECK(u, tsr_attr_int(ctx, i100, -1)->s.len == 13 &&
                 tsr_attr_int(ctx, i100, -1)->s.data[12] == 15);
    CHECK(u, tsr_attr_wide_int(ctx, i8, (const uint8_t[]){0xFE}) == tsr_attr_int(ctx, i8, -2));
    CHECK(u, tsr_attr_string(ctx, TSR_STR("a")) != tsr_attr_symbol(ctx, TSR_STR("a"), NULL, 0));
    CHECK(u, tsr_attr_typed_string(ctx, TSR_STR("a"), ctx->none) ==
                 tsr_attr_string(ctx, TSR_STR("a")));
    tsr_attr *one = tsr_attr_i64(ctx, 1), *two = tsr_attr_i64(ctx, 2);
    const tsr_name *a = tsr_name_get(ctx, TSR_STR("a")), *b = tsr_name_get(ctx, TSR_STR("b"));
    tsr_attr *ab = tsr_attr_dict(ctx, (tsr_named[]){{a, one}, {b, two}}, 2);
    CHECK(u,
          ab == tsr_attr_dict(ctx, (tsr_named[]){{b, two}, {a, one}}, 2) && ab->named[0].name == a);
    CHECK(u, tsr_dict_get(ab, TSR_STR("b")) == two && !tsr_dict_get(ab, TSR_STR("c")) &&
                 !tsr_dict_get(NULL, TSR_STR("a")));
    tsr_attr *only_b = tsr_dict_with(ctx, ab, a, NULL);
    CHECK(u, only_b->n == 1 && tsr_dict_with(ctx, only_b, a, one) == ab &&
                 !tsr_dict_with(ctx, only_b, b, NULL));
    CHECK(u, tsr_dict_with(ctx, NULL, b, two) == only_b &&
                 tsr_dict_get(tsr_dict_with(ctx, ab, b, one), TSR_STR("b")) == one);
    tsr_attr *ints = tsr_attr_i64_array(ctx, (int64_t[]){5, -6}, 2);
    CHECK(u, tsr_attr_count(ints) == 2 && tsr_attr_int_at(ints, 1) == -6);
    CHECK(u, tsr_attr_array(ctx, (tsr_attr *[]){one, two}, 2) ==
                 tsr_attr_array(ctx, (tsr_attr *[]){one, two}, 2));
    CHECK(u, tsr_attr_array(ctx, NULL, 0) == tsr_attr_array(ctx, NULL, 0));
    tsr_attr *loc = tsr_attr_loc_unknown(ctx);
    CHECK(u, loc->aliased && tsr_attr_array(ctx, &loc, 1)->aliased && !ab->aliased);
    tsr_attr *strided = tsr_attr_strided(ctx, (int64_t[]){3, 1}, 2, TSR_DYNAMIC);
    CHECK(u, strided->n == 3 && strided->ints[2] == TSR_DYNAMIC);
}

static void test_dense(unit *u, tsr_ctx *ctx)
{
    int64_t four[] = {4}, zero[] = {0}, big[] = {4096};
    tsr_type *t = tsr_type_tensor(ctx, four, 1, ctx->i32, NULL);
    tsr_attr *list = tsr_attr_dense(ctx, NULL, t, (int32_t[]){1, 2, 3, -4}, 16, false);
    CHECK(u, !list->sub && tsr_attr_int_at(list, 3) == -4 && tsr_attr_count(list) == 4);
    tsr_attr *same = tsr_attr_dense(ctx, NULL, t, (int32_t[]){7, 7, 7, 7}, 16, false);
    CHECK(u, same->sub && same->s.len == 4 &&
                 same == tsr_attr_dense(ctx, NULL, t, (int32_t[]){7}, 4, true));
    CHECK(u, tsr_attr_int_at(same, 3) == 7);
    tsr_type *none = tsr_type_tensor(ctx, zero, 1, ctx->i32, NULL);
    CHECK(u, !tsr_attr_dense(ctx, NULL, none, NULL, 0, false)->sub);
    CHECK(u, tsr_attr_dense(ctx, NULL, tsr_type_tensor(ctx, NULL, 0, ctx->i1, NULL), "\1", 1, false)
                 ->sub);
    static int32_t data[4096];
    for (int i = 0; i < 4096; i++)
        data[i] = i;
    tsr_module *m = tsr_module_new(ctx);
    uint32_t n = ctx->attrs.n;
    tsr_type *large = tsr_type_tensor(ctx, big, 1, ctx->i32, NULL);
    tsr_attr *owned = tsr_attr_dense(ctx, m, large, data, sizeof data, false);
    CHECK(u, owned == tsr_attr_dense(ctx, m, large, data, sizeof data, false) &&
                 ctx->attrs.n == n && m->dense.n == 1);
    CHECK(u, owned != tsr_attr_dense(ctx, NULL, large, data, sizeof data, false));
    tsr_module_free(m);
}

static void test_locs(unit *u, tsr_ctx *ctx)
{
    const tsr_name *file = tsr_name_get(ctx, TSR_STR("a.mlir"));
    tsr_loc loc = tsr_loc_file(ctx, file, 12, 34), far = tsr_loc_file(ctx, file, UINT32_MAX, 1);
    tsr_str name = {0};
    uint32_t line = 0, col = 0;
    CHECK(u,
          (loc & 1) && tsr_loc_position(ctx, loc, &name, &line, &col) && line == 12 && col == 34);
    CHECK(u, tsr_str_is(name, "a.mlir") && tsr_loc_of_attr(tsr_loc_attr(ctx, loc)) == loc);
    CHECK(u, !(far & 1) && tsr_loc_position(ctx, far, &name, &line, &col) && line == UINT32_MAX);
    CHECK(u, tsr_loc_of_attr(tsr_attr_loc_unknown(ctx)) == TSR_LOC_UNKNOWN);
    CHECK(u, tsr_loc_attr(ctx, TSR_LOC_UNKNOWN) == tsr_attr_loc_unknown(ctx));
    CHECK(u, !tsr_loc_position(ctx, TSR_LOC_UNKNOWN, &name, &line, &col));
    tsr_attr *unknown = tsr_attr_loc_unknown(ctx), *at = tsr_loc_attr(ctx, loc);
    tsr_attr *named = tsr_attr_loc_name(ctx, TSR_STR("x"), at),
             *bare = tsr_attr_loc_name(ctx, TSR_STR("x"), NULL);
    tsr_attr *fused =
        tsr_attr_loc_fused(ctx, (tsr_attr *[]){unknown, bare, named}, 3, tsr_attr_unit(ctx));
    CHECK(u, named != bare && fused->attrs[3] == tsr_attr_unit(ctx) && fused->n == 3);
    CHECK(u, fused != tsr_attr_loc_fused(ctx, (tsr_attr *[]){unknown, bare, named}, 3, NULL));
    CHECK(u, tsr_loc_position(ctx, tsr_loc_of_attr(fused), &name, &line, &col) && line == 12);
    CHECK(u, !tsr_loc_position(ctx, tsr_loc_of_attr(bare), &name, &line, &col));
    tsr_attr *call = tsr_attr_loc_callsite(ctx, bare, at);
    CHECK(u, tsr_loc_position(ctx, tsr_loc_of_attr(call), &name, &line, &col) && col == 34);
}

static void test_checkpoint(unit *u, tsr_ctx *ctx)
{
    tsr_type *old = tsr_type_integer(ctx, 17, TSR_SIGNLESS);
    size_t bytes = tsr_arena_size(&ctx->arena);
    uint32_t types = ctx->types.n, attrs = ctx->attrs.n, names = ctx->names.n,
             opdefs = ctx->opdefs.n;
    tsr_checkpoint *mark = tsr_ctx_checkpoint(ctx);
    for (int i = 0; i < 5000; i++) {
        char text[32];
        tsr_str s = tsr_str_of(text, (size_t)snprintf(text, sizeof text, "foo.bar%d", i));
        tsr_opdef_get(ctx, s);
        tsr_attr_string(ctx, s);
        tsr_type_integer(ctx, 200 + (uint32_t)i, TSR_SIGNED);
    }
    old->text = tsr_name_get(ctx, TSR_STR("i17"))->str;
    tsr_dict_with(ctx, tsr_attr_dict(ctx, NULL, 0), tsr_name_get(ctx, TSR_STR("key")),
                  tsr_attr_string(ctx, TSR_STR("value")));
    tsr_ctx_rewind(ctx, mark);
    CHECK(u, ctx->types.n == types && ctx->attrs.n == attrs && ctx->names.n == names &&
                 ctx->opdefs.n == opdefs);
    CHECK(u, tsr_arena_size(&ctx->arena) == bytes && !old->text.data);
    CHECK(u, tsr_type_integer(ctx, 17, TSR_SIGNLESS) == old &&
                 tsr_type_integer(ctx, 201, TSR_SIGNED)->width == 201);
    /* Names and changes of dictionaries that were asked for last are forgotten. */
    CHECK(u, !ctx->last_name);
    for (size_t i = 0; i < TSR_COUNT(ctx->dict_changes); i++)
        CHECK(u, !ctx->dict_changes[i].name);
}

static void test_defs(unit *u, tsr_ctx *ctx)
{
    static const tsr_opdef rows[] = {{.name = {"known.op", 8}, .opcode = 0}};
    static const tsr_attrdef thing = {.name = "known.thing"},
                             kind = {.name = "known.thing", .flags = TSR_DEF_TYPE};
    tsr_ctx_register_dialect(ctx, "known", false);
    tsr_ctx_register_ops(ctx, rows, 1);
    tsr_ctx_register_attrdef(ctx, &thing);
    tsr_ctx_register_attrdef(ctx, &kind);
    CHECK(u, tsr_opdef_find(ctx, TSR_STR("known.op")) == rows &&
                 tsr_opdef_get(ctx, TSR_STR("known.op")) == rows);
    const tsr_opdef *other = tsr_opdef_get(ctx, TSR_STR("known.other"));
    CHECK(u, other->opcode == TSR_UNREGISTERED && other->nslot == 1 &&
                 !tsr_opdef_find(ctx, TSR_STR("known.other")));
    CHECK(u, other == tsr_opdef_get(ctx, TSR_STR("known.other")) &&
                 tsr_opdef_slot(other, TSR_STR("")) == -1);
    CHECK(u, tsr_attrdef_find(ctx, TSR_STR("known.thing"), false) == &thing);
    CHECK(u, tsr_attrdef_find(ctx, TSR_STR("known.thing"), true) == &kind);
    CHECK(u, !tsr_attrdef_find(ctx, TSR_STR("known.thin"), true));
    CHECK(u, tsr_dialect_known(ctx, TSR_STR("known")) && !tsr_dialect_known(ctx, TSR_STR("kno")));
}

void test_intern(unit *u)
{
    tsr_ctx *ctx = tsr_ctx_new_empty();
    test_types(u, ctx);
    test_attrs(u, ctx);
    test_dense(u, ctx);
    test_locs(u, ctx);
    test_checkpoint(u, ctx);
    test_defs(u, ctx);
    tsr_ctx_free(ctx);
}
