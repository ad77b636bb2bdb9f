/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - the device functions of a module as a binary: a program for each, entry points first. TTNN programs are
 * made here, those of TTMetal in metal.c. */
#include "target/flatbuffer/program.h"

#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"
#include "lower/ttnn/device.h"
#include "text/text.h"

/* ---- Texts ---- */

tsr_str tsr_fb_keep(tsr_arena *a, tsr_buf *text)
{
    tsr_str s = {tsr_arena_copy(a, text->data ? text->data : "", text->len), text->len};
    tsr_buf_free(text);
    return s;
}

/* The printed module, in which a TTNN op is one line, and the positions of its functions with bodies. */
typedef struct {
    tsr_str name;
    size_t body, end;
} place;

typedef struct {
    tsr_buf text;
    size_t at; /* of the next line */
    TSR_VEC(place) functions;
    tsr_map by_name; /* index + 1 into them */
} lines;

static tsr_str next_line(lines *l)
{
    const char *p = l->text.data + l->at, *end = memchr(p, '\n', l->text.len - l->at);
    size_t n = end ? (size_t)(end - p) : l->text.len - l->at;
    l->at += n + (end != NULL);
    while (n && *p == ' ')
        p++, n--;
    return (tsr_str){p, n};
}

/* The name of the function whose body a line opens; empty if it opens none. */
static tsr_str opened(tsr_str line)
{
    tsr_str none = {"", 0};
    const char *at = memchr(line.data, '@', line.len);
    if (!tsr_str_starts(line, "func.func") || line.data[line.len - 1] != '{' || !at)
        return none;
    at += at[1] == '"' ? 2 : 1;
    size_t n = 0, left = (size_t)(line.data + line.len - at);
    while (n < left && at[n] != '(' && at[n] != '"')
        n++;
    return (tsr_str){at, n};
}

static void index_lines(lines *l)
{
    while (l->at < l->text.len) {
        tsr_str line = next_line(l), name = opened(line);
        if (name.len)
            tsr_vec_push(&l->functions, (place){name, l->at, l->at});
        else if (l->functions.n && line.len && line.data[0] != '}')
            l->functions.data[l->functions.n - 1].end = l->at;
    }
    for (size_t i = 0; i < l->functions.n; i++)
        tsr_map_put(&l->by_name, tsr_hash_str(l->functions.data[i].name), &l->functions.data[i]);
}

static const place *place_of(const lines *l, tsr_str name)
{
    TSR_MAP_EACH (&l->by_name, tsr_hash_str(name), found) {
        if (tsr_str_eq(((const place *)found)->name, name))
            return found;
    }
    return NULL;
}

/* A line with large elements elided. */
static tsr_str shortened(tsr_arena *a, tsr_str line)
{
    enum { LARGE = 400 };
    static const char mark[] = "value = dense<", elided[] = "dense_resource<__elided__";
    size_t from = 0, to = 0;
    if (line.len < LARGE)
        return line;
    for (size_t i = 0; !from && i + sizeof mark <= line.len; i++)
        if (memcmp(line.data + i, mark, sizeof mark - 1) == 0)
            from = i + strlen("value = ");
    for (size_t i = from; from && !to && i + 4 < line.len; i++)
        if (memcmp(line.data + i, "> : ", 4) == 0)
            to = i;
    if (to < from + LARGE / 2)
        return line;
    tsr_buf text = {0};
    tsr_buf_str(&text, (tsr_str){line.data, from});
    tsr_buf_cstr(&text, elided);
    tsr_buf_str(&text, (tsr_str){line.data + to, line.len - to});
    return tsr_fb_keep(a, &text);
}

/* Finds the texts of programs; const-evaluated functions are identified by a hash of their own. */
static void find_bodies(tsr_fb_state *s, const lines *l)
{
    s->bodies = TSR_NEW_ARRAY(s->c.arena, tsr_str, s->programs.n + 1);
    s->hashes = TSR_NEW_ARRAY(s->c.arena, tsr_str, s->programs.n + 1);
    for (size_t i = 0; i < s->programs.n; i++) {
        const place *p = place_of(l, tsr_op_symbol(s->programs.data[i]));
        s->bodies[i] = p ? (tsr_str){l->text.data + p->body, p->end - p->body} : (tsr_str){"", 0};
        s->hashes[i] = (tsr_str){"", 0};
    }
}

/* ---- Functions ---- */

static tsr_str function_type(const tsr_op *f)
{
    const tsr_attr *a = tsr_dict_get(f->extra, TSR_STR("tt.function_type"));
    return tsr_attr_is(a, TSR_ATTR_STRING) ? a->s : (tsr_str){"", 0};
}

static bool is_program(const tsr_op *f)
{
    tsr_str type = function_type(f);
    return tsr_op_is(f, TSR_OP_FUNC_FUNC) && f->regions[0].first &&
           (tsr_str_is(type, "forward_device") || tsr_str_is(type, "const_eval") ||
            tsr_str_starts(type, "trace_"));
}

/* The local part of an argument or a result, by its attributes. */
static tsr_fb_table *placed(tsr_fb_state *s, const tsr_op *f, int slot, size_t i,
                            const tsr_value *v)
{
    const tsr_attr *list = f->attrs[slot], *dict = list && i < list->n ? list->attrs[i] : NULL;
    const tsr_attr *status = tsr_dict_get(dict, TSR_STR("ttcore.shard_status")),
                   *local = tsr_dict_get(dict, TSR_STR("ttcore.local_shape"));
    bool presharded =
        tsr_attr_is_struct(status, &tsr_def_TTCORE_SHARD_STATUS) && status->i == TSR_TT_PRESHARDED;
    const tsr_type *part = tsr_attr_is_struct(local, &tsr_def_TTCORE_LOCAL_SHAPE)
                               ? local->attrs[TTCORE_LOCAL_SHAPE_type]->type
                               : NULL;
    tsr_fb_table *ref = tsr_fb_ref(s, v);
    if (!ref || (!presharded && !part) || ref->type != &tsr_fb_TensorRef)
        return ref;
    tsr_fb_table *other = tsr_fb_table_new(s->c.arena, &tsr_fb_TensorRef),
                 *desc = tsr_fb_desc_of(s, v->type, presharded, part);
    tsr_fb_set_int(other, "global_id", tsr_fb_int(ref, "global_id"));
    tsr_fb_set_sub(other, "desc", desc);
    return desc ? other : NULL;
}

static bool inputs(tsr_fb_state *s, const tsr_op *f, tsr_fb_table *program)
{
    const tsr_block *b = f->regions[0].first;
    tsr_fb_value *in = tsr_fb_set_list(s->c.arena, program, "inputs", b->nargs);
    tsr_fb_value *sems = tsr_fb_set_list(s->c.arena, program, "semaphore_inputs", b->nargs);
    size_t nin = 0, nsem = 0;
    for (uint32_t i = 0; i < b->nargs; i++) {
        tsr_fb_table *ref = placed(s, f, FUNC_FUNC_arg_attrs, i, b->args[i]);
        if (!ref)
            return false;
        bool sem = ref->type != &tsr_fb_TensorRef;
        (sem ? &sems[nsem++] : &in[nin++])->table = ref;
    }
    for (size_t i = 0; i < b->nargs; i++)
        in[i].set = sems[i].set = true;
    tsr_fb_at(program, "inputs")->n = nin;
    tsr_fb_at(program, "semaphore_inputs")->n = nsem;
    return true;
}

tsr_str tsr_fb_location(tsr_fb_state *s, const tsr_op *op)
{
    tsr_buf text = {0};
    tsr_str old = {"", 0};
    tsr_attr *loc = tsr_loc_attr(s->c.ctx, op->loc);
    TSR_MAP_EACH (&s->descs, tsr_hash_ptr(loc), found) {
        const tsr_fb_table *t = found;
        old = t->type == &tsr_fb_MLIR ? tsr_fb_text(t, "name") : old;
    }
    if (old.len)
        return old;
    s->c.ctx->print_attr(s->c.ctx, &text, loc);
    tsr_fb_table *t = tsr_fb_table_new(s->c.arena, &tsr_fb_MLIR);
    tsr_fb_set_text(t, "name", tsr_fb_keep(s->c.arena, &text));
    tsr_map_put(&s->descs, tsr_hash_ptr(loc), t);
    return tsr_fb_text(t, "name");
}

static bool operations(tsr_fb_state *s, const tsr_op *f, lines *l, tsr_fb_table *program)
{
    const tsr_block *b = f->regions[0].first;
    size_t n = 0, i = 0;
    if (b->next)
        return tsr_op_error(f, "has more than one block");
    for (const tsr_op *op = b->first; op; op = op->next)
        n++;
    tsr_fb_value *list = tsr_fb_set_list(s->c.arena, program, "operations", n);
    const place *p = place_of(l, tsr_op_symbol(f));
    l->at = p ? p->body : l->text.len;
    for (tsr_op *op = b->first; op; op = op->next) {
        tsr_str line = next_line(l);
        if (tsr_op_is(op, TSR_OP_FUNC_RETURN)) {
            tsr_fb_value *out = tsr_fb_set_list(s->c.arena, program, "outputs", op->nin);
            for (uint32_t k = 0; k < op->nin; k++) {
                out[k].set = true;
                out[k].table = placed(s, f, FUNC_FUNC_res_attrs, k, op->in[k].value);
                TSR_TRY(out[k].table != NULL);
            }
            continue;
        }
        tsr_fb_table *t = tsr_fb_table_new(s->c.arena, &tsr_fb_Operation);
        TSR_TRY(tsr_fb_of_op(s, op, tsr_fb_at(t, "type")));
        tsr_fb_set_text(t, "debug_info", shortened(s->c.arena, line));
        tsr_fb_set_text(t, "loc_info", tsr_fb_location(s, op));
        list[i++] = (tsr_fb_value){.table = t, .set = true};
    }
    tsr_fb_at(program, "operations")->n = i;
    return true;
}

/* Host functions are stored as text; machine code that was read is stored unchanged. NULL if there are none. */
static tsr_fb_table *host_library(tsr_fb_state *s, const tsr_op *root)
{
    const tsr_attr *code = tsr_dict_get(root->extra, TSR_STR(TSR_FB_DYLIB));
    tsr_str library = {"", 0};
    if (tsr_attr_is(code, TSR_ATTR_DENSE) && tsr_type_is(code->type, TSR_TYPE_TENSOR) &&
        code->type->elem == tsr_type_integer(s->c.ctx, 8, TSR_UNSIGNED) &&
        (!code->sub || code->s.len == 1))
        library = code->s;
    TSR_BLOCK_OPS (root->regions[0].first, op) {
        tsr_op *inner = tsr_op_is(op, TSR_OP_TTCORE_CPU_MODULE) && op->regions[0].first
                            ? op->regions[0].first->first
                            : NULL;
        if (!inner || library.len)
            continue;
        /* For TTMetal the function is everything, so it also keeps the locations of its ops. */
        bool metal = s->binary->type == &tsr_fb_TTMetalBinary;
        tsr_print_options print = {.elide_larger = -1, .debug_info = metal, .local_scope = metal};
        tsr_buf text = {0};
        tsr_print_op(&text, inner, &print);
        library = tsr_fb_keep(s->c.arena, &text);
    }
    if (!library.len)
        return NULL;
    tsr_fb_table *t = tsr_fb_table_new(s->c.arena, &tsr_fb_DynamicLib);
    tsr_fb_set_text(t, "raw_file", library);
    return t;
}

/* All TTNN programs have the same; for TTMetal the binary has it. */
static void dylibs(tsr_fb_state *s, tsr_fb_table *owner)
{
    tsr_fb_value *list = tsr_fb_set_list(s->c.arena, owner, "dylibs", 1);
    tsr_fb_at(owner, "dylibs")->n = s->library != NULL;
    list[0] = (tsr_fb_value){.table = s->library, .set = true};
}

static void program_mesh(tsr_fb_state *s, tsr_fb_table *program)
{
    const tsr_attr *mesh = s->device ? s->device->attrs[TTCORE_DEVICE_mesh_shape] : NULL;
    int64_t shape[2] = {1, 1};
    if (mesh && tsr_attr_count(mesh) == 2)
        for (size_t i = 0; i < 2; i++)
            shape[i] = tsr_attr_int_at(mesh, i);
    tsr_fb_set_ints(s->c.arena, program, "mesh_shape", shape, 2);
}

/* The expected result of an op on a device, in rows. */
static tsr_fb_table *golden(tsr_fb_state *s, const tsr_fb_golden *g)
{
    tsr_arena *a = s->c.arena;
    const tsr_tensor *t = g->value;
    const char *type = tsr_fb_data_type(t->elem);
    int64_t stride[TSR_MAX_RANK];
    if (!type) {
        tsr_error(s->c.ctx, s->c.loc, "the golden of %.*s has elements of no data type",
                  TSR_STR_ARG(g->key));
        return NULL;
    }
    for (size_t d = t->rank; d-- > 0;)
        stride[d] = d + 1 < t->rank ? stride[d + 1] * t->dims[d + 1] : 1;
    tsr_fb_table *device = tsr_fb_table_new(a, &tsr_fb_GoldenDeviceTensor);
    tsr_fb_set_int(device, "device", g->device);
    tsr_fb_table *value = tsr_fb_add_sub(a, device, "value");
    tsr_fb_set_text(value, "name", g->key);
    tsr_fb_set_ints(a, value, "shape", t->dims, t->rank);
    tsr_fb_set_ints(a, value, "stride", stride, t->rank);
    tsr_fb_set_int(value, "dtype", tsr_fb_number(&tsr_fb_DataType, (tsr_str){type, strlen(type)}));
    tsr_fb_set_text(value, "data", (tsr_str){t->data, tsr_tensor_bytes(t)});
    return device;
}

/* How many from the first on have its key. */
static size_t of_key(const tsr_fb_golden *g, size_t n)
{
    size_t same = 1;
    while (same < n && tsr_str_eq(g[same].key, g[0].key))
        same++;
    return same;
}

static bool goldens(tsr_fb_state *s, const tsr_fb_extra *e, tsr_fb_table *debug)
{
    tsr_arena *a = s->c.arena;
    tsr_fb_table *info = tsr_fb_add_sub(a, debug, "golden_info");
    tsr_fb_value *map = tsr_fb_set_list(a, info, "golden_map", e->ngolden);
    size_t nkey = 0;
    for (size_t i = 0, n; i < e->ngolden; i += n, nkey++) {
        n = of_key(e->goldens + i, e->ngolden - i);
        map[nkey] = (tsr_fb_value){.table = tsr_fb_table_new(a, &tsr_fb_GoldenKV), .set = true};
        tsr_fb_set_text(map[nkey].table, "key", e->goldens[i].key);
        tsr_fb_value *devices = tsr_fb_set_list(a, map[nkey].table, "value", n);
        for (size_t k = 0; k < n; k++) {
            devices[k] = (tsr_fb_value){.table = golden(s, &e->goldens[i + k]), .set = true};
            TSR_TRY(devices[k].table != NULL);
        }
    }
    tsr_fb_at(info, "golden_map")->n = nkey;
    return true;
}

static tsr_fb_table *debug_info(tsr_fb_state *s, const tsr_fb_extra *e)
{
    tsr_fb_table *debug = tsr_fb_table_new(s->c.arena, &tsr_fb_DebugInfo);
    if (e && e->nstage) {
        tsr_fb_value *list = tsr_fb_set_list(s->c.arena, debug, "mlir_stages", e->nstage);
        for (size_t i = 0; i < e->nstage; i++) {
            list[i] =
                (tsr_fb_value){.table = tsr_fb_table_new(s->c.arena, &tsr_fb_MLIR), .set = true};
            tsr_fb_set_text(list[i].table, "name", e->stages[i].name);
            tsr_fb_set_text(list[i].table, "source", e->stages[i].text);
        }
    }
    return !e || !e->ngolden || goldens(s, e, debug) ? debug : NULL;
}

static bool is_private(const tsr_op *f)
{
    const tsr_attr *hidden = f->attrs[FUNC_FUNC_sym_visibility];
    return hidden && tsr_str_is(hidden->s, "private");
}

static tsr_fb_table *program_of(tsr_fb_state *s, tsr_op *f, lines *l)
{
    bool metal = s->binary->type == &tsr_fb_TTMetalBinary;
    tsr_fb_table *t = tsr_fb_table_new(s->c.arena, metal ? &tsr_fb_MetalProgram : &tsr_fb_Program);
    tsr_fb_set_text(t, "name", tsr_op_symbol(f));
    tsr_fb_set_sub(t, "debug_info", s->debug);
    tsr_fb_set_int(t, "private", is_private(f));
    s->c.loc = f->loc;
    if (metal ? !tsr_fb_metal_program(s, f, t) : !inputs(s, f, t) || !operations(s, f, l, t))
        return NULL;
    if (!metal)
        dylibs(s, t);
    program_mesh(s, t);
    return t;
}

static void collect(tsr_fb_state *s, tsr_op *device)
{
    bool all = s->binary->type == &tsr_fb_TTNNBinary; /* for TTMetal, only public ones */
    for (int forward = 1; forward >= 0; forward--)
        TSR_OPS (device, f)
            if (is_program(f) && (all || !is_private(f)) &&
                tsr_str_is(function_type(f), "forward_device") == (forward == 1))
                tsr_vec_push(&s->programs, f);
    for (size_t i = 0; i < s->programs.n; i++)
        tsr_map_put(&s->by_name, tsr_hash_str(tsr_op_symbol(s->programs.data[i])),
                    &s->programs.data[i]);
}

static tsr_fb_table *binary_of(tsr_fb_state *s, const tsr_fb_file *kind, tsr_module *m, lines *l)
{
    bool metal = kind == &tsr_fb_files[TSR_FB_TTM];
    tsr_op *device = tsr_ttcore_device_module(m->op);
    const tsr_op *described = tsr_symbol_find(device, TSR_STR("default_device"));
    tsr_attr *system = tsr_dict_get(device->extra, TSR_STR("ttcore.system_desc"));
    tsr_fb_table *root = tsr_fb_table_new(s->c.arena, kind->root), *desc = NULL;
    s->binary = root;
    if (!tsr_attr_is_struct(system, &tsr_def_TTCORE_SYSTEM_DESC)) {
        tsr_error(s->c.ctx, device->loc,
                  "the module has no ttcore.system_desc: --ttcore-register-device adds one");
        return NULL;
    }
    if (described && tsr_op_is(described, TSR_OP_TTCORE_DEVICE))
        s->device = described->attrs[TTCORE_DEVICE_device_attr];
    if (!tsr_fb_of_struct(&s->c, system, &desc))
        return NULL;
    collect(s, device);
    tsr_fb_stamp(kind, root);
    tsr_fb_set_sub(root, "system_desc", desc);
    tsr_fb_table *source = tsr_fb_add_sub(s->c.arena, root, "mlir");
    tsr_fb_set_text(source, "name", metal ? TSR_STR("ttmetal") : TSR_STR("ttnn"));
    tsr_fb_set_text(source, "source", tsr_buf_text(&l->text));
    find_bodies(s, l);
    s->library = host_library(s, m->op);
    if (metal)
        dylibs(s, root);
    tsr_fb_value *list = tsr_fb_set_list(s->c.arena, root, "programs", s->programs.n);
    for (size_t i = 0; i < s->programs.n; i++) {
        list[i].set = true;
        list[i].table = program_of(s, s->programs.data[i], l);
        if (!list[i].table)
            return NULL;
    }
    return root;
}

bool tsr_fb_write_module(tsr_module *m, const tsr_fb_file *kind, const tsr_fb_extra *extra,
                         tsr_buf *out)
{
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_fb_state s = {.c = {.ctx = m->ctx, .arena = &arena, .loc = m->op->loc}, .nextid = 1};
    tsr_print_options print = {
        .elide_larger = -1, .debug_info = true, .local_scope = extra && extra->local_scope};
    lines l = {.at = 0};
    tsr_print_module(&l.text, m, &print);
    index_lines(&l);
    tsr_blobs_init(&s.blobs, m);
    s.debug = debug_info(&s, extra);
    tsr_fb_table *root = s.debug && m->op->regions[0].first ? binary_of(&s, kind, m, &l) : NULL;
    if (root && !tsr_fb_write(out, kind, root, 4 * l.text.len)) {
        tsr_error(m->ctx, m->op->loc, "the binary is larger than 2 GB, which no flatbuffer can be");
        root = NULL;
    }
    tsr_buf_free(&l.text);
    tsr_vec_free(&l.functions);
    tsr_map_free(&l.by_name);
    tsr_map_free(&s.descs);
    tsr_map_free(&s.refs);
    tsr_map_free(&s.sources);
    tsr_map_free(&s.by_name);
    tsr_map_free(&s.blobs);
    tsr_vec_free(&s.programs);
    tsr_arena_free(&arena);
    return root != NULL;
}
