/* SPDX-License-Identifier: Apache-2.0 */
/* load.c - a binary as a module: its system, its device and a function for each program. Other programs determine how a
 * function is used: a cached load names functions for const evaluation, a capture names the functions of its trace. */
#include "asm/reader.h"
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"
#include "lower/ttnn/device.h"
#include "target/flatbuffer/program.h"
#include "text/text.h"

static tsr_op *new_op(tsr_fb_state *s, enum tsr_opcode opcode, size_t nregion)
{
    return tsr_op_new(s->module, tsr_opdef_of(s->c.ctx, opcode), s->c.loc, NULL, 0, NULL, 0,
                      nregion, 0);
}

static tsr_op *with_block(tsr_op *op)
{
    tsr_block_insert(tsr_block_new(op->module), &op->regions[0], NULL);
    return op;
}

static void set_extra(tsr_op *op, const char *name, tsr_attr *value)
{
    tsr_ctx *ctx = op->module->ctx;
    op->extra =
        tsr_dict_with(ctx, op->extra, tsr_name_get(ctx, (tsr_str){name, strlen(name)}), value);
}

/* ---- Functions ---- */

/* The roles of functions for those that refer to them. */
static const struct {
    const tsr_fb_type *table;
    const char *field, *type;
} roles[] = {
    {&tsr_fb_LoadCachedOp, "program_idx", "const_eval"},
    {&tsr_fb_CaptureOrExecuteTraceOp, "capture_program_id", "trace_run_and_capture"},
    {&tsr_fb_CaptureOrExecuteTraceOp, "execute_program_id", "trace_execute"},
    {&tsr_fb_CaptureOrExecuteTraceOp, "allocate_slots_program_id", "trace_allocate_slots"},
    {&tsr_fb_FuncCallOp, "program_id", "trace_main"},
};

/* The role of each program for the first one that refers to it; NULL: none does. */
static const char **find_roles(tsr_arena *a, const tsr_fb_value *programs)
{
    const char **out = TSR_NEW_ARRAY(a, const char *, programs->n + 1);
    memset(out, 0, (programs->n + 1) * sizeof *out);
    for (size_t p = 0; programs->set && p < programs->n; p++) {
        const tsr_fb_value *ops = tsr_fb_get(programs->items[p].table, "operations");
        for (size_t i = 0; ops->set && i < ops->n; i++) {
            const tsr_fb_table *t = tsr_fb_sub(ops->items[i].table, "type");
            for (size_t k = 0; t && k < TSR_COUNT(roles); k++) {
                int64_t of = t->type == roles[k].table ? tsr_fb_int(t, roles[k].field) : -1;
                if (of >= 0 && (size_t)of < programs->n && !out[of])
                    out[of] = roles[k].type;
            }
        }
    }
    return out;
}

tsr_loc tsr_fb_loc_of_text(tsr_fb_state *s, tsr_str text)
{
    tsr_ctx *ctx = s->c.ctx;
    bool quiet = ctx->quiet;
    uint32_t nerror = ctx->nerror;
    tsr_reader r;
    tsr_attr *a = NULL;
    if (!text.len)
        return TSR_LOC_UNKNOWN;
    if (tsr_str_starts(text, "loc(") && !memchr(text.data, '#', text.len)) {
        ctx->quiet = true;
        tsr_reader_init(&r, ctx, NULL, text, TSR_STR("location"), 1);
        a = tsr_read_attr(&r, NULL);
        tsr_reader_free(&r);
        ctx->quiet = quiet;
        ctx->nerror = nerror;
    }
    return tsr_loc_of_attr(tsr_attr_is(a, TSR_ATTR_LOC) ? a : tsr_attr_loc_name(ctx, text, NULL));
}

static tsr_type *ref_tensor(tsr_fb_state *s, const tsr_fb_table *ref)
{
    const tsr_fb_table *desc = tsr_fb_sub(ref, "desc");
    if (!desc)
        tsr_error(s->c.ctx, s->c.loc, "byte %u: a tensor has no description", ref->at);
    return desc ? tsr_fb_type_of(s, desc) : NULL;
}

/* The attribute of an argument or a result that is distributed over devices. */
static tsr_attr *placement(tsr_fb_state *s, const tsr_fb_table *ref, tsr_type *type)
{
    const tsr_fb_table *desc = tsr_fb_sub(ref, "desc");
    int64_t dims[64];
    size_t n = tsr_fb_nints(desc, "local_shape");
    bool presharded = desc && tsr_fb_int(desc, "shard_status") == TSR_TT_PRESHARDED;
    tsr_attr *dict = tsr_attr_dict(s->c.ctx, NULL, 0);
    if (!presharded || n > TSR_COUNT(dims))
        return dict;
    for (size_t i = 0; i < n; i++)
        dims[i] = tsr_fb_int_at(desc, "local_shape", i);
    tsr_attr *local = tsr_attr_type(s->c.ctx, tsr_type_tensor(s->c.ctx, dims, n, type->elem, NULL));
    dict = tsr_dict_with(s->c.ctx, dict, tsr_name_get(s->c.ctx, TSR_STR("ttcore.shard_status")),
                         tsr_attr_enum(s->c.ctx, &tsr_def_TTCORE_SHARD_STATUS, TSR_TT_PRESHARDED));
    return tsr_dict_with(s->c.ctx, dict, tsr_name_get(s->c.ctx, TSR_STR("ttcore.local_shape")),
                         tsr_attr_struct(s->c.ctx, &tsr_def_TTCORE_LOCAL_SHAPE, &local));
}

static bool arguments(tsr_fb_state *s, const tsr_fb_table *program, tsr_block *body,
                      tsr_fb_signature *g)
{
    static const char *const lists[] = {"inputs", "semaphore_inputs"};
    for (size_t k = 0; k < 2; k++) {
        const tsr_fb_value *list = tsr_fb_get(program, lists[k]);
        for (size_t i = 0; list->set && i < list->n; i++) {
            const tsr_fb_table *ref = list->items[i].table;
            tsr_type *t = k ? tsr_type_dialect(s->c.ctx, &tsr_def_TTNN_GLOBAL_SEMAPHORE, NULL)
                            : ref_tensor(s, ref);
            if (!t)
                return false;
            tsr_vec_push(&g->in, t);
            tsr_vec_push(&g->in_attrs, k ? tsr_attr_dict(s->c.ctx, NULL, 0) : placement(s, ref, t));
            tsr_fb_define(s, ref, tsr_block_add_arg(s->module, body, t, s->c.loc));
        }
    }
    return true;
}

static bool body_of(tsr_fb_state *s, const tsr_fb_table *program, tsr_block *body,
                    tsr_fb_signature *g)
{
    const tsr_fb_value *ops = tsr_fb_get(program, "operations"),
                       *outs = tsr_fb_get(program, "outputs");
    tsr_value_vec values = {0};
    tsr_loc loc = s->c.loc;
    for (size_t i = 0; ops->set && i < ops->n; i++) {
        const tsr_fb_table *t = ops->items[i].table;
        const tsr_fb_value *type = tsr_fb_get(t, "type");
        tsr_loc at = tsr_fb_loc_of_text(s, tsr_fb_text(t, "loc_info"));
        if (!type->set)
            return tsr_error(s->c.ctx, at, "byte %u: an operation of no type", t->at);
        TSR_TRY(tsr_fb_op_of(s, type, at, body));
    }
    s->c.loc = loc;
    for (size_t i = 0; outs->set && i < outs->n; i++) {
        const tsr_fb_table *ref = outs->items[i].table;
        tsr_value *v = tsr_fb_value_of(s, ref);
        if (!v) {
            tsr_vec_free(&values);
            return tsr_error(s->c.ctx, loc, "byte %u: output %zu was not made", ref->at, i);
        }
        tsr_vec_push(&values, v);
        tsr_vec_push(&g->out, v->type);
        tsr_vec_push(&g->out_attrs, placement(s, ref, v->type));
    }
    tsr_op *ret = tsr_op_new(s->module, tsr_opdef_of(s->c.ctx, TSR_OP_FUNC_RETURN), loc,
                             values.data, values.n, NULL, 0, 0, 0);
    tsr_vec_free(&values);
    tsr_op_insert(ret, body, NULL);
    return true;
}

/* A list of dictionaries, or NULL if all are empty. */
static tsr_attr *dicts(tsr_ctx *ctx, tsr_attr *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i]->n)
            return tsr_attr_array(ctx, list, n);
    return NULL;
}

static bool is_metal(const tsr_fb_state *s)
{
    return s->binary->type == &tsr_fb_TTMetalBinary;
}

static bool function(tsr_fb_state *s, const char *role, const tsr_fb_table *program, tsr_op *f)
{
    tsr_ctx *ctx = s->c.ctx;
    tsr_fb_signature g = {.in = {0}};
    tsr_block *body = f->regions[0].first;
    tsr_map_free(&s->values);
    s->values = (tsr_map){0};
    s->held = NULL;
    bool ok = is_metal(s) ? tsr_fb_metal_body(s, program, body, &g)
                          : arguments(s, program, body, &g) && body_of(s, program, body, &g);
    f->attrs[FUNC_FUNC_sym_name] = tsr_attr_string(ctx, tsr_fb_text(program, "name"));
    f->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, g.in.data, g.in.n, g.out.data, g.out.n));
    f->attrs[FUNC_FUNC_arg_attrs] = dicts(ctx, g.in_attrs.data, g.in_attrs.n);
    f->attrs[FUNC_FUNC_res_attrs] = dicts(ctx, g.out_attrs.data, g.out_attrs.n);
    if (tsr_fb_int(program, "private"))
        f->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(ctx, TSR_STR("private"));
    set_extra(f, "tt.function_type", tsr_attr_string(ctx, (tsr_str){role, strlen(role)}));
    tsr_vec_free(&g.in);
    tsr_vec_free(&g.out);
    tsr_vec_free(&g.in_attrs);
    tsr_vec_free(&g.out_attrs);
    return ok;
}

/* ---- Host functions ---- */

/* The first of a list; empty if there is none. */
static tsr_str first_library(const tsr_fb_table *owner)
{
    const tsr_fb_value *libs = tsr_fb_get(owner, "dylibs");
    return libs->set && libs->n ? tsr_fb_text(libs->items[0].table, "raw_file") : (tsr_str){"", 0};
}

/* That of a TTMetal binary, or of the first TTNN program that has one. */
static tsr_str host_library(const tsr_fb_table *binary)
{
    const tsr_fb_value *programs = tsr_fb_get(binary, "programs");
    tsr_str text = {"", 0};
    if (binary->type == &tsr_fb_TTMetalBinary)
        return first_library(binary);
    for (size_t i = 0; programs->set && i < programs->n && !text.len; i++)
        text = first_library(programs->items[i].table);
    return text;
}

/* Declares functions that are called and have no program. */
static void declare(tsr_fb_state *s, tsr_op *table)
{
    TSR_OPS (table, op) {
        if (!tsr_op_is(op, TSR_OP_FUNC_CALL) ||
            tsr_symbol_find(table, op->attrs[FUNC_CALL_callee]->s))
            continue;
        tsr_type_vec in = {0}, out = {0};
        tsr_op *f = new_op(s, TSR_OP_FUNC_FUNC, 1);
        for (uint32_t i = 0; i < op->nin; i++)
            tsr_vec_push(&in, op->in[i].value->type);
        for (uint32_t i = 0; i < op->nout; i++)
            tsr_vec_push(&out, op->out[i].type);
        f->attrs[FUNC_FUNC_sym_name] = tsr_attr_string(s->c.ctx, op->attrs[FUNC_CALL_callee]->s);
        f->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(s->c.ctx, TSR_STR("private"));
        f->attrs[FUNC_FUNC_function_type] =
            tsr_attr_type(s->c.ctx, tsr_type_function(s->c.ctx, in.data, in.n, out.data, out.n));
        set_extra(f, "tt.function_type",
                  tsr_attr_string(s->c.ctx, TSR_STR("forward_cpu_declaration")));
        set_extra(op, is_metal(s) ? "ttir.cpu_hoisted_call" : "ttir.cpu_hoist_call",
                  tsr_attr_unit(s->c.ctx));
        tsr_op_insert(f, table->regions[0].first, NULL);
        tsr_vec_free(&in);
        tsr_vec_free(&out);
    }
}

/* Keeps machine code, so that a binary written from the module contains it too. */
static void keep_code(tsr_fb_state *s, tsr_op *top, tsr_str code)
{
    int64_t n = (int64_t)code.len;
    tsr_type *bytes =
        tsr_type_tensor(s->c.ctx, &n, 1, tsr_type_integer(s->c.ctx, 8, TSR_UNSIGNED), NULL);
    set_extra(top, TSR_FB_DYLIB,
              tsr_attr_dense(s->c.ctx, s->module, bytes, code.data, code.len, n == 1));
}

static bool host_module(tsr_fb_state *s, tsr_op *top)
{
    tsr_str text = host_library(s->binary);
    tsr_mapping map = {0};
    if (!text.len)
        return true;
    if (text.data[0] == 0x7f) {
        keep_code(s, top, text);
        return true;
    }
    tsr_module *other = tsr_parse_module(s->c.ctx, text, TSR_STR("dylib"), 1);
    if (!other)
        return false;
    tsr_op *cpu = with_block(new_op(s, TSR_OP_TTCORE_CPU_MODULE, 1));
    tsr_op_insert(cpu, top->regions[0].first, NULL);
    s->host = tsr_op_clone(s->module, other->op, &map);
    tsr_op_insert(s->host, cpu->regions[0].first, NULL);
    tsr_mapping_free(&map);
    tsr_module_free(other);
    return true;
}

/* ---- Modules ---- */

/* The table with the shape of the mesh: for TTNN the program, for TTMetal the mesh of its device. NULL if there is
 * none. */
static const tsr_fb_table *says_mesh(const tsr_fb_table *program)
{
    if (program->type == &tsr_fb_MetalProgram) {
        const tsr_fb_value *devices = tsr_fb_get(program, "device_programs");
        program = devices->set && devices->n ? tsr_fb_sub(devices->items[0].table, "mesh") : NULL;
    }
    return program && tsr_fb_get(program, "mesh_shape")->set ? program : NULL;
}

static bool read_mesh(tsr_fb_state *s)
{
    const tsr_fb_value *programs = tsr_fb_get(s->binary, "programs");
    const tsr_fb_table *t =
        programs->set && programs->n ? says_mesh(programs->items[0].table) : NULL;
    int64_t all = 1;
    s->nmesh = t ? tsr_fb_nints(t, "mesh_shape") : 0;
    if (s->nmesh > TSR_COUNT(s->mesh))
        return tsr_error(s->c.ctx, s->c.loc, "byte %u: a mesh of %zu dimensions", t->at, s->nmesh);
    for (size_t i = 0; i < s->nmesh; i++) {
        s->mesh[i] = tsr_fb_int_at(t, "mesh_shape", i);
        if (s->mesh[i] < 1 || s->mesh[i] > 4096)
            return tsr_error(s->c.ctx, s->c.loc, "a mesh has 1 to 4096 devices in a dimension");
        all = all > INT32_MAX ? all : all * s->mesh[i];
    }
    return all <= 4096 ||
           tsr_error(s->c.ctx, s->c.loc, "a mesh has at most 4096 devices, and not %lld",
                     (long long)all);
}

static tsr_attr *meshes(tsr_fb_state *s)
{
    tsr_attr *params[] = {tsr_attr_string(s->c.ctx, TSR_STR("mesh")),
                          tsr_attr_i64_array(s->c.ctx, s->mesh, s->nmesh)};
    tsr_attr *mesh = tsr_attr_struct(s->c.ctx, &tsr_def_TTCORE_MESH, params);
    tsr_attr *list = tsr_attr_array(s->c.ctx, &mesh, 1);
    return tsr_attr_struct(s->c.ctx, &tsr_def_TTCORE_MESHES, &list);
}

static bool functions(tsr_fb_state *s, tsr_op *inner)
{
    const tsr_fb_value *programs = tsr_fb_get(s->binary, "programs");
    const char **found = is_metal(s) ? NULL : find_roles(s->c.arena, programs);
    for (size_t i = 0; programs->set && i < programs->n; i++) {
        tsr_op *f = with_block(new_op(s, TSR_OP_FUNC_FUNC, 1));
        const char *role = found && found[i] ? found[i] : "forward_device";
        tsr_op_insert(f, inner->regions[0].first, NULL);
        TSR_TRY(function(s, role, programs->items[i].table, f));
    }
    if (!is_metal(s))
        tsr_fb_quantized_types(inner);
    declare(s, inner);
    return true;
}

static bool fill(tsr_fb_state *s, tsr_op *top)
{
    const tsr_fb_table *desc = tsr_fb_sub(s->binary, "system_desc");
    tsr_op *device = with_block(new_op(s, TSR_OP_TTCORE_DEVICE_MODULE, 1));
    tsr_op *inner = with_block(new_op(s, TSR_OP_BUILTIN_MODULE, 1));
    tsr_op_insert(device, top->regions[0].first, NULL);
    tsr_op_insert(inner, device->regions[0].first, NULL);
    if (!desc)
        return tsr_error(s->c.ctx, s->c.loc, "the binary describes no system");
    tsr_attr *system = tsr_fb_system_attr(&s->c, desc);
    TSR_TRY(system && read_mesh(s));
    bool one = true;
    for (size_t i = 0; i < s->nmesh; i++)
        one &= s->mesh[i] == 1;
    set_extra(inner, "ttcore.system_desc", system);
    if (!one)
        set_extra(inner, "ttcore.meshes", meshes(s));
    TSR_TRY(tsr_ttcore_add_device(inner, system, s->mesh, s->nmesh));
    const tsr_attr *grid =
        system->attrs[TTCORE_SYSTEM_DESC_chips]->attrs[0]->attrs[TTCORE_CHIP_DESC_grid];
    for (size_t i = 0; i < 2; i++)
        s->grid[i] = tsr_attr_int_at(grid, i);
    /* TTMetal commands have less precise types than the functions that they call. */
    return is_metal(s) ? host_module(s, top) && functions(s, inner)
                       : functions(s, inner) && host_module(s, top);
}

tsr_module *tsr_fb_module_of(tsr_ctx *ctx, const tsr_fb_table *root, tsr_str name)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_text_install(ctx);
    tsr_fb_state s = {.c = {.ctx = ctx, .arena = &arena}, .binary = root};
    s.c.loc = tsr_loc_file(ctx, tsr_name_get(ctx, name), 0, 0);
    s.module = tsr_module_new(ctx);
    s.module->op = with_block(new_op(&s, TSR_OP_BUILTIN_MODULE, 1));
    bool ok = fill(&s, s.module->op);
    tsr_map_free(&s.descs);
    tsr_map_free(&s.values);
    tsr_map_free(&s.sources);
    tsr_map_free(&s.rows);
    tsr_map_free(&s.c.sound);
    tsr_arena_free(&arena);
    if (ok)
        return s.module;
    tsr_module_free(s.module);
    return NULL;
}

tsr_module *tsr_fb_read_module(tsr_ctx *ctx, tsr_str data, tsr_str name)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_loc loc = tsr_loc_file(ctx, tsr_name_get(ctx, name), 0, 0);
    const tsr_fb_file *kind = tsr_fb_file_of(data);
    if (!tsr_fb_has_programs(kind))
        kind = &tsr_fb_files[TSR_FB_TTNN]; /* which reports what is wrong */
    tsr_fb_table *root = tsr_fb_load_file(ctx, &arena, loc, kind, data, (tsr_str){"", 0});
    tsr_module *m = root ? tsr_fb_module_of(ctx, root, name) : NULL;
    if (m && kind == &tsr_fb_files[TSR_FB_TTM])
        tsr_fb_metal_join(m);
    tsr_arena_free(&arena);
    return m;
}
