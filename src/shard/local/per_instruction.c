/* SPDX-License-Identifier: Apache-2.0 */
/* per_instruction.c - sdy-per-instruction-partitioning: partitions chosen ops one by one, each in its own module, and
 * inserts them again as sdy.manual_computations. A tool to find out which op a partitioner gets wrong. Needs nothing;
 * breaks ids. */
#include "shard/local/halo.h"
#include "shard/local/pad.h"
#include "shard/passes.h"

/* ---- Which ops ---- */

typedef struct {
    int64_t low, high; /* numbers of ops; -1: any */
    TSR_VEC(tsr_str) names;
} filter;

static tsr_str trim(tsr_str s)
{
    while (s.len && strchr(" \t\n\r", s.data[0]))
        s = (tsr_str){s.data + 1, s.len - 1};
    while (s.len && strchr(" \t\n\r", s.data[s.len - 1]))
        s.len--;
    return s;
}

/* Reads the number after a key; false: the word does not start with the key. An invalid number counts as not given. */
static bool read_number(tsr_str word, const char *key, int64_t *out)
{
    if (!tsr_str_starts(word, key))
        return false;
    word = trim((tsr_str){word.data + strlen(key), word.len - strlen(key)});
    int64_t n = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (word.data[i] < '0' || word.data[i] > '9' || n > (INT64_MAX - 9) / 10)
            return true;
        n = n * 10 + (word.data[i] - '0');
    }
    if (word.len)
        *out = n;
    return true;
}

/* filter ::= word (',' word)*; word ::= selectLow=N | selectHigh=N | part of an op's name */
static filter read_filter(tsr_str text)
{
    filter f = {.low = -1, .high = -1};
    text = trim(text);
    if (text.len > 1 && strchr("'\"", text.data[0]) && text.data[text.len - 1] == text.data[0])
        text = (tsr_str){text.data + 1, text.len - 2};
    while (text.len) {
        const char *comma = memchr(text.data, ',', text.len);
        size_t n = comma ? (size_t)(comma - text.data) : text.len;
        tsr_str word = trim((tsr_str){text.data, n});
        n += comma != NULL;
        text = (tsr_str){text.data + n, text.len - n};
        if (word.len && !read_number(word, "selectLow=", &f.low) &&
            !read_number(word, "selectHigh=", &f.high))
            tsr_vec_push(&f.names, word);
    }
    return f;
}

static bool contains(tsr_str s, tsr_str part)
{
    for (size_t i = 0; i + part.len <= s.len; i++)
        if (memcmp(s.data + i, part.data, part.len) == 0)
            return true;
    return false;
}

static bool is_wanted(const filter *f, const tsr_op *op, int64_t number)
{
    if ((f->low >= 0 && number < f->low) || (f->high >= 0 && number > f->high))
        return false;
    for (size_t i = 0; i < f->names.n; i++)
        if (contains(op->def->name, f->names.data[i]))
            return true;
    return !f->names.n;
}

/* Ops that are numbered: not those that only refer to shardings, nor collectives. */
static bool is_candidate(tsr_resharder *s, const tsr_op *op)
{
    if (tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
        return false;
    if (tsr_op_in(op, TSR_DIALECT_SDY) && !tsr_op_is(op, TSR_OP_SDY_RESHARD) &&
        !tsr_op_is(op, TSR_OP_SDY_CONSTANT) && !tsr_op_is(op, TSR_OP_SDY_NAMED_COMPUTATION))
        return false;
    if (tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL)) {
        const tsr_attr *target = op->attrs[STABLEHLO_CUSTOM_CALL_call_target_name];
        if (tsr_str_is(target->s, "Sharding") || tsr_str_is(target->s, "mhlo.sharding"))
            return false;
    }
    for (uint32_t i = 0; i < op->nin + op->nout; i++) {
        const tsr_sharding *a =
            tsr_value_sharding(s, i < op->nin ? op->in[i].value : &op->out[i - op->nin]);
        if (a && a->sharded)
            return true;
    }
    return false;
}

/* ---- One op ---- */

typedef struct {
    tsr_pass *p;
    tsr_resharder *s;
    tsr_pipeline *pipeline;
    tsr_op *op;
    uint32_t n;                 /* operands and results */
    tsr_attr **attrs;           /* shardings of operands, then results */
    tsr_type **types;           /* padded */
    tsr_value **in;             /* operands, padded */
    TSR_VEC(tsr_attr *) manual; /* names of axes */
} job;

/* The name of the op's mesh; an inlined mesh gets a name. NULL after a diagnostic. */
static tsr_attr *mesh_name(job *j)
{
    const tsr_sharding **all = TSR_NEW_ARRAY(j->s->arena, const tsr_sharding *, j->n + 1);
    for (uint32_t i = 0; i < j->n; i++)
        all[i] = tsr_value_sharding(j->s, i < j->op->nin ? j->op->in[i].value
                                                         : &j->op->out[i - j->op->nin]);
    const tsr_mesh *mesh = tsr_common_mesh(all, j->n, false);
    if (!mesh) {
        tsr_op_error(j->op, "has shardings on different meshes");
        return NULL;
    }
    if (tsr_attr_is(mesh->ref, TSR_ATTR_SYMBOL))
        return mesh->ref;
    tsr_op *module = j->s->table.meshes.module;
    tsr_block *body = module->regions[0].first;
    TSR_BLOCK_OPS (body, op)
        if (tsr_op_is(op, TSR_OP_SDY_MESH) && op->attrs[SDY_MESH_mesh] == mesh->attr)
            return tsr_attr_symbol(j->s->ctx, tsr_op_symbol(op), NULL, 0);
    tsr_buf name = {0};
    tsr_buf_cstr(&name, "mesh");
    for (unsigned i = 0; tsr_symbol_find(module, (tsr_str){name.data, name.len}); i++) {
        name.len = 4;
        tsr_buf_printf(&name, "_%u", i);
    }
    tsr_op *op = tsr_op_new(j->s->module, tsr_opdef_of(j->s->ctx, TSR_OP_SDY_MESH), j->op->loc,
                            NULL, 0, NULL, 0, 0, 0);
    tsr_op_set_attr(op, TSR_STR("sym_name"),
                    tsr_attr_string(j->s->ctx, (tsr_str){name.data, name.len}));
    op->attrs[SDY_MESH_mesh] = mesh->attr;
    tsr_op_insert(op, body, body->first);
    tsr_attr *ref = tsr_attr_symbol(j->s->ctx, (tsr_str){name.data, name.len}, NULL, 0);
    tsr_buf_free(&name);
    return ref;
}

static void bind_axes(job *j, const tsr_attr *axes)
{
    for (uint32_t i = 0; i < axes->n; i++) {
        tsr_attr *name = axes->attrs[i]->attrs[SDY_AXIS_REF_name];
        size_t k = 0;
        while (k < j->manual.n && j->manual.data[k] != name)
            k++;
        if (k == j->manual.n)
            tsr_vec_push(&j->manual, name);
    }
}

/* Shardings of all values, referring to the mesh by name; results have no unreduced axes. */
static void find_shardings(job *j, tsr_attr *mesh)
{
    tsr_ctx *ctx = j->s->ctx;
    for (uint32_t i = 0; i < j->n; i++) {
        bool result = i >= j->op->nin;
        const tsr_value *v = result ? &j->op->out[i - j->op->nin] : j->op->in[i].value;
        tsr_attr *a = tsr_sdy_sharding_or(v, mesh, true);
        if (result || !tsr_attr_is(a->attrs[SDY_SHARDING_mesh], TSR_ATTR_SYMBOL))
            a = tsr_sdy_make(
                ctx, mesh, a->attrs[SDY_SHARDING_dims], a->attrs[SDY_SHARDING_replicated],
                result ? tsr_attr_array(ctx, NULL, 0) : a->attrs[SDY_SHARDING_unreduced],
                a->attrs[SDY_SHARDING_reduction]);
        j->attrs[i] = a;
        for (uint32_t d = 0; d < tsr_sdy_dims(a)->n; d++)
            bind_axes(j, tsr_sdy_dim_axes(a, d));
        bind_axes(j, a->attrs[SDY_SHARDING_replicated]);
        bind_axes(j, a->attrs[SDY_SHARDING_unreduced]);
    }
}

static tsr_type *larger(tsr_type *a, const tsr_type *b)
{
    if (a->n != b->n || a == b)
        return a;
    int64_t *dims = tsr_xmalloc((a->n + 1) * sizeof *dims);
    for (uint32_t d = 0; d < a->n; d++)
        dims[d] = a->dims[d] > b->dims[d] ? a->dims[d] : b->dims[d];
    tsr_type *type = tsr_type_with_dims(a, dims, a->n);
    tsr_free(dims);
    return type;
}

static void find_types(job *j)
{
    for (uint32_t i = 0; i < j->n; i++) {
        tsr_type *type =
            i < j->op->nin ? j->op->in[i].value->type : j->op->out[i - j->op->nin].type;
        j->types[i] = tsr_pad_type(type, tsr_sharding_decode(&j->s->table, j->attrs[i]));
    }
    if (tsr_op_is(j->op, TSR_OP_SDY_RESHARD)) /* has one type */
        j->types[0] = j->types[1] = larger(j->types[0], j->types[1]);
}

static bool pad_operands(job *j)
{
    tsr_build b = tsr_build_before(j->op);
    for (uint32_t i = 0; i < j->op->nin; i++) {
        tsr_value *v = j->op->in[i].value;
        if (j->types[i] != v->type) {
            tsr_value *zero = tsr_make_zero(&b, v->type->elem);
            if (!zero)
                return tsr_op_error(j->op, "has elements that nothing can be padded with");
            uint32_t rank = v->type->n;
            int64_t *none = TSR_NEW_ARRAY(j->s->arena, int64_t, 2 * rank + 1), *high = none + rank;
            for (uint32_t d = 0; d < rank; d++)
                high[d] = j->types[i]->dims[d] - v->type->dims[d];
            v = tsr_make_pad(&b, v, zero, none, high, none, j->types[i]);
            tsr_sdy_set_sharding(v, j->attrs[i]);
        }
        j->in[i] = v;
    }
    return true;
}

/* ---- The op's own module ---- */

/* Adjusts limits of slices and padding to the padded results. */
static void lengthen(job *j, tsr_op *op)
{
    int slot = -1;
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_type *old = op->out[i].type, *new = j->types[op->nin + i];
        if (old == new)
            continue;
        if (tsr_op_is(op, TSR_OP_STABLEHLO_SLICE))
            slot = STABLEHLO_SLICE_limit_indices;
        if (tsr_op_is(op, TSR_OP_STABLEHLO_PAD))
            slot = STABLEHLO_PAD_edge_padding_high;
        if (slot >= 0) {
            int64_t *ends = TSR_NEW_ARRAY(j->s->arena, int64_t, new->n + 1);
            for (uint32_t d = 0; d < new->n; d++)
                ends[d] = tsr_attr_int_at(op->attrs[slot], d) + new->dims[d] - old->dims[d];
            op->attrs[slot] = tsr_attr_i64_array(j->s->ctx, ends, new->n);
        }
        op->out[i].type = j->types[op->nin + i];
    }
}

/* A function that contains only the op. */
static tsr_op *outline(job *j, tsr_module *m)
{
    tsr_ctx *ctx = j->s->ctx;
    tsr_op *op = j->op;
    tsr_op *func =
        tsr_op_new(m, tsr_opdef_of(ctx, TSR_OP_FUNC_FUNC), op->loc, NULL, 0, NULL, 0, 1, 0);
    tsr_op_set_attr(func, TSR_STR("sym_name"), tsr_attr_string(ctx, TSR_STR("outlined_op")));
    func->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(ctx, TSR_STR("private"));
    func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, j->types, op->nin, j->types + op->nin, op->nout));
    if (op->nin)
        tsr_sdy_set_arg_shardings(func, j->attrs);
    if (op->nout)
        tsr_sdy_set_result_shardings(func, j->attrs + op->nin);
    tsr_block *body = tsr_block_new(m);
    tsr_block_insert(body, &func->regions[0], NULL);
    tsr_mapping map = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_mapping_put(&map, op->in[i].value, tsr_block_add_arg(m, body, j->types[i], op->loc));
    tsr_op *copy = tsr_op_clone(m, op, &map);
    tsr_mapping_free(&map);
    for (uint32_t i = 0; i < op->nin; i++) /* a value that is used twice is passed twice */
        tsr_op_set_operand(copy, i, body->args[i]);
    lengthen(j, copy);
    tsr_op_insert(copy, body, NULL);
    tsr_value_vec results = {0};
    for (uint32_t i = 0; i < copy->nout; i++)
        tsr_vec_push(&results, &copy->out[i]);
    tsr_op_insert(tsr_op_new(m, tsr_opdef_of(ctx, TSR_OP_FUNC_RETURN), op->loc, results.data,
                             results.n, NULL, 0, 0, 0),
                  body, NULL);
    tsr_vec_free(&results);
    return func;
}

/* A module with the op's function and all meshes. */
static tsr_module *new_module(job *j, tsr_op **func)
{
    tsr_ctx *ctx = j->s->ctx;
    tsr_module *m = tsr_module_new(ctx);
    m->op =
        tsr_op_new(m, tsr_opdef_of(ctx, TSR_OP_BUILTIN_MODULE), j->op->loc, NULL, 0, NULL, 0, 1, 0);
    tsr_block *body = tsr_block_new(m);
    tsr_block_insert(body, &m->op->regions[0], NULL);
    tsr_mapping none = {0};
    TSR_BLOCK_OPS (j->s->table.meshes.module->regions[0].first, op)
        if (tsr_op_is(op, TSR_OP_SDY_MESH))
            tsr_op_insert(tsr_op_clone(m, op, &none), body, NULL);
    tsr_mapping_free(&none);
    *func = outline(j, m);
    tsr_op_insert(*func, body, NULL);
    return m;
}

/* ---- Back into the program ---- */

static tsr_op *manual_computation(job *j, tsr_op *func)
{
    tsr_ctx *ctx = j->s->ctx;
    tsr_op *op = j->op;
    tsr_build b = tsr_build_before(op);
    tsr_op *new = tsr_build_open(&b, TSR_OP_SDY_MANUAL_COMPUTATION, j->in, op->nin, op->nout, 1);
    new->attrs[SDY_MANUAL_COMPUTATION_in_shardings] = tsr_sdy_per_value(ctx, j->attrs, op->nin);
    new->attrs[SDY_MANUAL_COMPUTATION_out_shardings] =
        tsr_sdy_per_value(ctx, j->attrs + op->nin, op->nout);
    new->attrs[SDY_MANUAL_COMPUTATION_manual_axes] =
        tsr_attr_struct(ctx, &tsr_def_SDY_MANUAL_AXES,
                        (tsr_attr *[]){tsr_attr_array(ctx, j->manual.data, j->manual.n)});
    tsr_build_close_as(&b, new, j->types + op->nin);
    tsr_block *from = func->regions[0].first, *to = tsr_block_new(op->module);
    tsr_block_insert(to, &new->regions[0], NULL);
    tsr_mapping map = {0};
    for (uint32_t i = 0; i < from->nargs; i++)
        tsr_mapping_put(&map, from->args[i],
                        tsr_block_add_arg(op->module, to, from->args[i]->type, from->arg_locs[i]));
    TSR_BLOCK_OPS (from, x) {
        if (x != from->last) {
            tsr_op_insert(tsr_op_clone(op->module, x, &map), to, NULL);
            continue;
        }
        tsr_value_vec results = {0};
        for (uint32_t i = 0; i < x->nin; i++)
            tsr_vec_push(&results, tsr_mapping_get(&map, x->in[i].value));
        tsr_op_insert(tsr_op_new(op->module, tsr_opdef_of(ctx, TSR_OP_SDY_RETURN), x->loc,
                                 results.data, results.n, NULL, 0, 0, 0),
                      to, NULL);
        tsr_vec_free(&results);
    }
    tsr_mapping_free(&map);
    return new;
}

static void replace(job *j, tsr_op *new)
{
    tsr_op *op = j->op;
    tsr_build b = tsr_build_before(op);
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_value *v = &new->out[i];
        const tsr_type *type = op->out[i].type;
        if (v->type != type) {
            int64_t *none = TSR_NEW_ARRAY(j->s->arena, int64_t, 2 * type->n + 1);
            int64_t *ones = none + type->n;
            for (uint32_t d = 0; d < type->n; d++)
                ones[d] = 1;
            v = tsr_make_slice(&b, v, none, type->dims, ones);
            tsr_sdy_set_sharding(v, j->attrs[op->nin + i]);
        }
        tsr_value_replace(&op->out[i], v);
    }
    tsr_op_erase(op);
}

static bool partition(job *j)
{
    tsr_arena *arena = j->s->arena;
    j->n = j->op->nin + j->op->nout;
    j->attrs = TSR_NEW_ARRAY(arena, tsr_attr *, j->n + 1);
    j->types = TSR_NEW_ARRAY(arena, tsr_type *, j->n + 1);
    j->in = TSR_NEW_ARRAY(arena, tsr_value *, j->op->nin + 1);
    j->manual.n = 0;
    tsr_attr *mesh = mesh_name(j);
    if (!mesh)
        return false;
    find_shardings(j, mesh);
    find_types(j);
    TSR_TRY(pad_operands(j));
    tsr_op *func;
    tsr_module *m = new_module(j, &func);
    tsr_run_options options = {.verify_each = true};
    bool ok = tsr_pipeline_run(j->p->pipelines, j->pipeline, m->op, &options, NULL);
    if (ok)
        replace(j, manual_computation(j, func));
    tsr_module_free(m);
    return ok;
}

/* ---- The pass ---- */

static tsr_pipeline *partitioner(tsr_pass *p)
{
    tsr_buf text = {0};
    long long replicas = tsr_pass_int(p, "replica-count"),
              parts = tsr_pass_int(p, "partition-count");
    tsr_buf_printf(
        &text,
        "sdy-resolve-permutation-factors{enable-halo-exchange=%s replica-count=%lld "
        "partition-count=%lld},func.func(sdy-insert-explicit-reshards{enable-full-version"
        "=true},sdy-reshard-to-collectives,sdy-pad-for-divisibility),"
        "sdy-convert-global-to-local{replica-count=%lld partition-count=%lld},"
        "sdy-drop-sharding-and-mesh",
        tsr_pass_bool(p, "enable-halo-exchange") ? "true" : "false", replicas, parts, replicas,
        parts);
    tsr_pipeline *pl = tsr_pipeline_parse_list(p->pipelines, TSR_STR("builtin.module"),
                                               (tsr_str){text.data, text.len});
    tsr_buf_free(&text);
    return pl;
}

bool pass_sdy_per_instruction_partitioning(tsr_pass *p, tsr_op *root)
{
    tsr_arena arena;
    tsr_arena_init_pooled(&arena, &p->ctx->pool);
    tsr_resharder s;
    tsr_resharder_init(&s, root, &arena, p->scratch);
    filter f = read_filter(tsr_pass_str(p, "filter"));
    TSR_VEC(tsr_op *) ops = {0};
    int64_t number = 0;
    TSR_BLOCK_OPS (root->regions[0].first, func) {
        if (!tsr_op_is(func, TSR_OP_FUNC_FUNC))
            continue;
        TSR_REGION_BLOCKS (&func->regions[0], b)
            TSR_BLOCK_OPS (b, op)
                if (is_candidate(&s, op) && is_wanted(&f, op, number++))
                    tsr_vec_push(&ops, op);
    }
    job j = {.p = p, .s = &s, .pipeline = partitioner(p)};
    bool ok = j.pipeline != NULL;
    for (size_t i = 0; ok && i < ops.n; i++) {
        tsr_arena_mark mark = tsr_arena_save(&arena);
        j.op = ops.data[i];
        ok = partition(&j);
        tsr_arena_rewind(&arena, mark);
        p->changed = true;
    }
    tsr_vec_free(&ops);
    tsr_vec_free(&f.names);
    tsr_vec_free(&j.manual);
    tsr_resharder_free(&s);
    tsr_arena_free(&arena);
    p->module->verified &= !p->changed;
    return ok;
}
