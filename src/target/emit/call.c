/* SPDX-License-Identifier: Apache-2.0 */
/* call.c - see call.h: finds the row of a call whose arguments fit, and creates the op. */
#include "target/emit/call.h"

#include "base/decimal.h"
#include "dialect/ttnn/build.h"
#include "dialect/ttnn/view.h"
#include "lower/emit/emit.h"

enum { MOST_ROWS = 8, MOST_GROUPS = 24, MOST_SLOTS = 48, MOST_INTS = 64 };

typedef struct {
    tsr_ctx *ctx;
    tsr_build b;
    const tsr_json *call, *args, *named;
    tsr_str name;
    tsr_emit_language l;
    tsr_value *const *tensors;
    size_t ntensor;
    /* State for the row that is tried. */
    const tsr_opdef *def;
    tsr_value_vec groups[MOST_GROUPS];
    tsr_attr *attrs[MOST_SLOTS];
    tsr_tt_data_type type;
    bool has_device;
    tsr_buf why; /* what does not fit */
} state;

static bool no(state *s, const char *format, ...) TSR_PRINTF(2, 3);
static bool no(state *s, const char *format, ...)
{
    va_list list;
    s->why.len = 0;
    va_start(list, format);
    tsr_buf_vprintf(&s->why, format, list);
    va_end(list);
    return false;
}

/* ---- Values as attributes ---- */

static bool fits(const tsr_constraint *c, const tsr_attr *a)
{
    return a && tsr_attr_fits(c, a) && (!c->attr_ok || c->attr_ok(a));
}

static tsr_attr *float_attr(const state *s, const tsr_constraint *c, double x)
{
    static const tsr_float_kind kinds[] = {TSR_F32, TSR_F64};
    for (size_t i = 0; i < TSR_COUNT(kinds); i++) {
        tsr_attr *a = tsr_attr_float(s->ctx, tsr_type_float(s->ctx, kinds[i]), x);
        if (fits(c, a))
            return a;
    }
    bool whole = x > -0x1p62 && x < 0x1p62 && x == (double)(int64_t)x;
    return whole ? tsr_attr_refit(s->ctx, c, tsr_attr_i64(s->ctx, (int64_t)x)) : NULL;
}

/* Integers of a list, and of nested lists. False: it contains something else, or too many. */
static bool read_ints(const tsr_json *v, int64_t out[MOST_INTS], size_t *n)
{
    if (v->kind == TSR_JSON_INT && *n < MOST_INTS) {
        out[(*n)++] = v->i;
        return true;
    }
    bool ok = v->kind == TSR_JSON_ARRAY;
    for (size_t i = 0; ok && i < v->n; i++)
        ok = read_ints(v->items[i], out, n);
    return ok;
}

static tsr_attr *list_attr(const state *s, const tsr_constraint *c, const tsr_json *v, tsr_str as)
{
    int64_t list[MOST_INTS];
    size_t n = 0;
    if (!read_ints(v, list, &n))
        return NULL;
    if (tsr_str_is(as, "window") && n == 4) {
        int64_t second = list[1];
        list[1] = list[2];
        list[2] = second;
    }
    return tsr_attr_refit(s->ctx, c, tsr_attr_i64_array(s->ctx, list, n));
}

static tsr_attr *word_attr(const state *s, const tsr_constraint *c, tsr_str word, tsr_str as)
{
    double x;
    if (tsr_str_is(as, "scatter")) {
        int64_t i = tsr_emit_scatter(word);
        return i < 0 ? NULL : tsr_attr_enum(s->ctx, &tsr_def_TTCORE_REDUCE_TYPE, i);
    }
    if (c->def && c->def->cases)
        return tsr_emit_case(s->ctx, c->def, word);
    tsr_attr *a = tsr_attr_string(s->ctx, word);
    if (fits(c, a))
        return a;
    return tsr_str_double(word, &x) ? float_attr(s, c, x) : NULL;
}

/* Integers as a list of 32-bit attributes, as in mesh configurations; NULL: it is not such a list. */
static tsr_attr *mesh_ints(const state *s, const tsr_json *v, tsr_signedness sign)
{
    int64_t list[MOST_INTS];
    size_t n = 0;
    tsr_attr *items[MOST_INTS];
    if (!v || !read_ints(v, list, &n))
        return NULL;
    for (size_t i = 0; i < n; i++)
        items[i] = tsr_attr_int(s->ctx, tsr_type_integer(s->ctx, 32, sign), list[i]);
    return tsr_attr_array(s->ctx, items, n);
}

/* {"placements": [dimension, or -1 for replicated], "mesh": [...]} */
static tsr_attr *mapper_attr(const state *s, const tsr_json *v)
{
    const tsr_json *list = tsr_json_get(v, "placements", TSR_JSON_ARRAY),
                   *mesh = tsr_json_get(v, "mesh", TSR_JSON_ARRAY);
    tsr_attr *dims = mesh_ints(s, list, TSR_SIGNED), *items[MOST_INTS];
    for (uint32_t i = 0; dims && i < dims->n; i++) {
        bool shard = dims->attrs[i]->i >= 0;
        tsr_attr *params[] = {tsr_attr_enum(s->ctx, &tsr_def_TTNN_PLACEMENT_TYPE, shard),
                              shard ? tsr_attr_refit(s->ctx, &tsr_is_I64Attr, dims->attrs[i])
                                    : NULL};
        items[i] = tsr_attr_struct(s->ctx, &tsr_def_TTNN_PLACEMENT, params);
    }
    tsr_attr *params[] = {dims ? tsr_attr_array(s->ctx, items, dims->n) : NULL,
                          mesh_ints(s, mesh, TSR_UNSIGNED)};
    return dims ? tsr_attr_struct(s->ctx, &tsr_def_TTNN_MESH_MAPPER, params) : NULL;
}

static tsr_attr *composer_attr(const state *s, const tsr_json *v)
{
    tsr_attr *params[] = {mesh_ints(s, tsr_json_get(v, "dims", TSR_JSON_ARRAY), TSR_SIGNED),
                          mesh_ints(s, tsr_json_get(v, "mesh", TSR_JSON_ARRAY), TSR_UNSIGNED)};
    return params[0] ? tsr_attr_struct(s->ctx, &tsr_def_TTNN_MESH_COMPOSER, params) : NULL;
}

/* {"unary": "RELU"}: a function without parameters. */
static tsr_attr *unary_attr(const state *s, const tsr_json *v)
{
    const tsr_json *word = tsr_json_get(v, "unary", TSR_JSON_STRING);
    tsr_attr *params[] = {word ? tsr_emit_case(s->ctx, &tsr_def_TTNN_UNARY_OP, word->s) : NULL,
                          NULL};
    return params[0] ? tsr_attr_struct(s->ctx, &tsr_def_TTNN_UNARY_WITH_PARAM, params) : NULL;
}

/* A configuration by its fields that are words, integers and functions; the others do not affect values. */
static tsr_attr *fields_attr(const state *s, const tsr_attrdef *def, const tsr_json *v)
{
    enum { MOST_FIELDS = 24 };
    tsr_attr *params[MOST_FIELDS] = {0};
    if (def->nparam > MOST_FIELDS)
        return NULL;
    for (size_t i = 0; i < v->n; i++) {
        int at = tsr_emit_field(def, v->keys[i]);
        const tsr_json *field = v->items[i];
        if (at < 0)
            continue;
        if (field->kind == TSR_JSON_INT)
            params[at] = tsr_attr_i32(s->ctx, (int32_t)field->i);
        else if (field->kind == TSR_JSON_OBJECT)
            params[at] = unary_attr(s, field);
    }
    return tsr_attr_struct(s->ctx, def, params);
}

static tsr_attr *memory_attr(const state *s)
{
    tsr_attr *params[4] = {
        tsr_attr_enum(s->ctx, &tsr_def_TTNN_BUFFER_TYPE, TSR_TTNN_DRAM),
        tsr_attr_enum(s->ctx, &tsr_def_TTNN_MEMORY_LAYOUT, TSR_TTNN_INTERLEAVED)};
    return tsr_attr_struct(s->ctx, &tsr_def_TTNN_MEMORY_CONFIG, params);
}

/* *ignored: a configuration that does not affect values. */
static tsr_attr *object_attr(const state *s, const tsr_constraint *c, const tsr_json *v,
                             bool *ignored)
{
    const tsr_attrdef *def = c->def;
    if (def == &tsr_def_TTNN_MESH_MAPPER)
        return mapper_attr(s, v);
    if (def == &tsr_def_TTNN_MESH_COMPOSER)
        return composer_attr(s, v);
    if (def == &tsr_def_TTNN_UNARY_WITH_PARAM)
        return unary_attr(s, v);
    if (def == &tsr_def_TTNN_CONV2D_CONFIG || def == &tsr_def_TTNN_CONV3D_CONFIG)
        return fields_attr(s, def, v);
    if (def == &tsr_def_TTNN_MEMORY_CONFIG)
        return memory_attr(s);
    *ignored = true;
    return NULL;
}

static tsr_attr *attr_of(const state *s, const tsr_constraint *c, const tsr_json *v, tsr_str as,
                         bool *ignored)
{
    double x;
    switch (v->kind) {
    case TSR_JSON_BOOL: return tsr_attr_refit(s->ctx, c, tsr_attr_bool(s->ctx, v->i != 0));
    case TSR_JSON_INT: {
        tsr_attr *a = tsr_attr_refit(s->ctx, c, tsr_attr_i64(s->ctx, v->i));
        return a ? a : float_attr(s, c, (double)v->i);
    }
    case TSR_JSON_NUMBER: return tsr_str_double(v->s, &x) ? float_attr(s, c, x) : NULL;
    case TSR_JSON_STRING: return word_attr(s, c, v->s, as);
    case TSR_JSON_ARRAY: return list_attr(s, c, v, as);
    case TSR_JSON_OBJECT: return object_attr(s, c, v, ignored);
    case TSR_JSON_NULL: break;
    }
    return NULL;
}

/* ---- Operands ---- */

static bool is_of(const tsr_argdef *arg, const tsr_constraint *c)
{
    return arg->constraint == c;
}

/* The device of the call's block. */
static tsr_value *device(state *s)
{
    return tsr_ttnn_device(&s->b, s->b.block->first);
}

static tsr_value *semaphore(state *s)
{
    tsr_value *d = device(s);
    tsr_op *made = tsr_ttir_open(&s->b, TSR_OP_TTNN_CREATE_GLOBAL_SEMAPHORE, &d, 1, 1);
    tsr_attr *list = tsr_attr_array(s->ctx, NULL, 0);
    tsr_ttnn_set(made, "core_range_set",
                 tsr_attr_struct(s->ctx, &tsr_def_TTNN_CORE_RANGE_SET, &list));
    return tsr_ttir_close(&s->b, made,
                          tsr_type_dialect(s->ctx, &tsr_def_TTNN_GLOBAL_SEMAPHORE, NULL));
}

/* A number where the op takes a tensor: form scalar. */
static tsr_value *number(state *s, int64_t i)
{
    static const int64_t one[] = {1};
    tsr_type *plain =
        tsr_type_tensor(s->ctx, one, 1, tsr_type_integer(s->ctx, 32, TSR_UNSIGNED), NULL);
    return tsr_nn_full(&s->b, s->b.block->first, tsr_ttnn_type(plain, tsr_ttnn_default(TSR_TT_U32)),
                       tsr_attr_i32(s->ctx, (int32_t)i));
}

static tsr_value *value_of(state *s, const tsr_argdef *arg, const tsr_json *v, tsr_str as)
{
    const tsr_json *i = tsr_json_get(v, "tensor", TSR_JSON_INT);
    if (is_of(arg, &tsr_is_TtnnDevice))
        return tsr_json_get(v, "device", TSR_JSON_BOOL) ? device(s) : NULL;
    if (is_of(arg, &tsr_is_TtnnSemaphore))
        return tsr_json_get(v, "semaphore", TSR_JSON_BOOL) ? semaphore(s) : NULL;
    if (tsr_str_is(as, "scalar") && v->kind == TSR_JSON_INT)
        return number(s, v->i);
    return i && i->i >= 0 && (size_t)i->i < s->ntensor ? s->tensors[i->i] : NULL;
}

static bool bind_operand(state *s, uint16_t group, const tsr_json *v, tsr_str as)
{
    const tsr_argdef *arg = &s->def->args[group];
    bool list = arg->arity == TSR_VARIADIC;
    size_t n = !v || v->kind == TSR_JSON_NULL ? 0 : list && v->kind == TSR_JSON_ARRAY ? v->n : 1;
    if (list && n && v->kind != TSR_JSON_ARRAY)
        return no(s, "'%s' is a list of tensors", arg->name);
    for (size_t i = 0; i < n; i++) {
        tsr_value *value = value_of(s, arg, list ? v->items[i] : v, as);
        if (!value)
            return no(s, "'%s' is no %s", arg->name,
                      is_of(arg, &tsr_is_TtnnDevice) ? "device" : "tensor");
        tsr_vec_push(&s->groups[group], value);
        s->has_device |= is_of(arg, &tsr_is_TtnnDevice);
    }
    return n || arg->arity != TSR_ONE || is_of(arg, &tsr_is_TtnnDevice) ||
           no(s, "'%s' is not given", arg->name);
}

/* ---- A row ---- */

static int group_named(const tsr_opdef *def, tsr_str name)
{
    for (uint16_t i = 0; i < def->narg && i < MOST_GROUPS; i++)
        if (tsr_str_is(name, def->args[i].name))
            return i;
    return -1;
}

static bool bind_slot(state *s, int slot, const tsr_json *v, tsr_str as)
{
    const tsr_slotdef *def = &s->def->slots[slot];
    bool ignored = false;
    if (!v || v->kind == TSR_JSON_NULL)
        return true;
    s->attrs[slot] = attr_of(s, def->constraint, v, as, &ignored);
    return s->attrs[slot] || (ignored && def->need != TSR_ATTR_REQUIRED) ||
           no(s, "'%s' must be %s", def->name, def->constraint->summary);
}

static bool bind_type(state *s, const tsr_json *v)
{
    if (!v || v->kind == TSR_JSON_NULL)
        return true;
    const tsr_attr *a =
        v->kind == TSR_JSON_STRING ? tsr_emit_case(s->ctx, &tsr_def_TTCORE_DATA_TYPE, v->s) : NULL;
    s->type = a ? (tsr_tt_data_type)a->i : TSR_TT_NO_DATA_TYPE;
    return a || no(s, "dtype is no data type");
}

/* Some calls differ only by a literal bool: one that is not the row's belongs to another function. */
static bool literal_fits(state *s, tsr_str text, const tsr_json *v)
{
    bool yes = tsr_str_is(text, "true") || tsr_str_is(text, "True"),
         truth = yes || tsr_str_is(text, "false") || tsr_str_is(text, "False");
    bool given = v && v->kind == TSR_JSON_BOOL && v->i;
    return !truth || given == yes ||
           no(s, "no form of it has these arguments: %.*s is expected", TSR_STR_ARG(text));
}

static bool bind_item(state *s, const tsr_emit_item *item, const tsr_json *v)
{
    if (item->literal)
        return literal_fits(s, item->word, v);
    const char *bar = memchr(item->word.data, '|', item->word.len);
    tsr_str word = item->word;
    if (bar) {
        size_t n = (size_t)(bar - word.data);
        bool tensor = v && v->kind == TSR_JSON_OBJECT;
        word = tensor ? (tsr_str){word.data, n} : (tsr_str){bar + 1, word.len - n - 1};
    }
    int group = group_named(s->def, word), slot = tsr_opdef_slot(s->def, word);
    if (group >= 0)
        return bind_operand(s, (uint16_t)group, v, item->as);
    if (slot >= 0 && slot < MOST_SLOTS)
        return bind_slot(s, slot, v, item->as);
    return (!tsr_str_is(word, "dtype") && !tsr_str_is(word, "dtype?")) || bind_type(s, v);
}

static const tsr_json *named_value(const state *s, tsr_str key)
{
    for (size_t i = 0; s->named && i < s->named->n; i++)
        if (tsr_str_eq(s->named->keys[i], key))
            return s->named->items[i];
    return NULL;
}

static bool bind_row(state *s, uint16_t opcode)
{
    const char *p = tsr_emit_row_at(opcode)->args[s->l];
    tsr_emit_item item;
    size_t place = 0, known = 0;
    s->def = tsr_opdef_of(s->ctx, opcode);
    memset(s->attrs, 0, sizeof s->attrs);
    s->type = TSR_TT_NO_DATA_TYPE;
    s->has_device = false;
    for (size_t i = 0; i < MOST_GROUPS; i++)
        s->groups[i].n = 0;
    if (s->def->narg > MOST_GROUPS || s->def->nslot > MOST_SLOTS)
        return no(s, "its op is too large");
    while (tsr_emit_next_item(&p, &item)) {
        bool on_mesh = tsr_str_is(item.as, "mapper") || tsr_str_is(item.as, "composer");
        if (on_mesh && s->l == TSR_EMIT_PYTHON && place >= s->args->n)
            item.keyword = item.as;
        const tsr_json *v = item.keyword.len     ? named_value(s, item.keyword)
                            : place < s->args->n ? s->args->items[place]
                                                 : NULL;
        place += !item.keyword.len;
        known += item.keyword.len && v;
        TSR_TRY(bind_item(s, &item, v));
    }
    if (place < s->args->n)
        return no(s, "it takes %zu arguments by place, and %zu are given", place, s->args->n);
    return !s->named || known == s->named->n || no(s, "it has no argument of one of these names");
}

/* ---- Host functions: ttir_cpu.NAME is a TTIR op, with positional operands and named attributes ---- */

static const char host[] = "ttir_cpu.";

static bool is_host(tsr_str name)
{
    return name.len > strlen(host) && memcmp(name.data, host, strlen(host)) == 0;
}

static bool bind_host_type(state *s, const tsr_json *v)
{
    static const struct {
        const char *name;
        tsr_tt_data_type type;
    } types[] = {{"float32", TSR_TT_F32},   {"float64", TSR_TT_F32}, {"float16", TSR_TT_BF16},
                 {"bfloat16", TSR_TT_BF16}, {"int32", TSR_TT_SI32},  {"int64", TSR_TT_SI32},
                 {"uint32", TSR_TT_U32},    {"uint16", TSR_TT_U16},  {"uint8", TSR_TT_U8},
                 {"bool", TSR_TT_BF16}};
    for (size_t i = 0; v->kind == TSR_JSON_STRING && i < TSR_COUNT(types); i++)
        if (tsr_str_is(v->s, types[i].name)) {
            s->type = types[i].type;
            return true;
        }
    return bind_type(s, v);
}

static bool bind_host(state *s)
{
    tsr_buf name = {0};
    size_t place = 0;
    tsr_buf_printf(&name, "ttir.%.*s", (int)(s->name.len - strlen(host)),
                   s->name.data + strlen(host));
    s->def = tsr_opdef_find(s->ctx, tsr_buf_text(&name));
    tsr_buf_free(&name);
    s->type = TSR_TT_NO_DATA_TYPE;
    if (!s->def || !s->def->infer || s->def->narg > MOST_GROUPS || s->def->nslot > MOST_SLOTS)
        return no(s, "there is no such function of the host");
    for (uint16_t g = 0; g < s->def->narg; g++)
        if (!named_value(s, tsr_cstr(s->def->args[g].name)) && place < s->args->n)
            TSR_TRY(bind_operand(s, g, s->args->items[place++], TSR_STR("")));
    for (size_t i = 0; s->named && i < s->named->n; i++) {
        tsr_str key = s->named->keys[i];
        int slot = tsr_opdef_slot(s->def, key);
        if (tsr_str_is(key, "dtype") && slot < 0)
            TSR_TRY(bind_host_type(s, s->named->items[i]));
        else if (slot >= 0 && slot < MOST_SLOTS)
            TSR_TRY(bind_slot(s, slot, s->named->items[i], TSR_STR("")));
        else if (group_named(s->def, key) >= 0)
            TSR_TRY(bind_operand(s, (uint16_t)group_named(s->def, key), s->named->items[i],
                                 TSR_STR("")));
        else
            return no(s, "it has no argument '%.*s'", TSR_STR_ARG(key));
    }
    return place == s->args->n || no(s, "it has too many arguments");
}

/* ---- The op ---- */

static const tsr_type *type_in(const state *s, const char *group)
{
    int g = group_named(s->def, tsr_cstr(group));
    return g >= 0 && s->groups[g].n ? s->groups[g].data[0]->type : NULL;
}

static tsr_attr *dim_attr(const state *s, const char *group, int64_t at)
{
    const tsr_type *t = type_in(s, group);
    int64_t d = t ? at < 0 ? at + t->n : at : -1;
    return t && d >= 0 && d < t->n ? tsr_attr_i64(s->ctx, t->dims[d]) : NULL;
}

/* Attributes that the op needs and the call omits. */
static tsr_attr *left_out(const state *s, const tsr_op *op, const char *name)
{
    static const struct {
        const char *name, *group;
        int at;
    } dims[] = {{"num_experts_per_tok", "expert_metadata", -1},
                {"in_channels", "input", -1},
                {"batch_size", "input", 0},
                {"input_depth", "input", 1},
                {"input_height", "input", 2},
                {"input_width", "input", 3}};
    static const int64_t ones[] = {1, 1};
    const tsr_attr *axis = tsr_op_attr(op, TSR_STR("cluster_axis"));
    if (strcmp(name, "reduce_type") == 0 || strcmp(name, "scatter_reduce_type") == 0)
        return tsr_attr_enum(s->ctx, &tsr_def_TTCORE_REDUCE_TYPE, name[0] == 'r' ? 0 : 7);
    if (strcmp(name, "dilation") == 0)
        return tsr_attr_i64_array(s->ctx, ones, 2);
    if (strcmp(name, "num_devices") == 0)
        return tsr_attr_i64(s->ctx, tsr_emit_mesh_size(op, axis ? axis->i : 0));
    for (size_t i = 0; i < TSR_COUNT(dims); i++)
        if (strcmp(name, dims[i].name) == 0)
            return dim_attr(s, dims[i].group, dims[i].at);
    return NULL;
}

static bool complete(state *s, tsr_op *op)
{
    for (uint16_t i = 0; i < s->def->nslot; i++) {
        const tsr_slotdef *slot = &s->def->slots[i];
        op->attrs[i] = s->attrs[i] ? s->attrs[i] : op->attrs[i];
        if (op->attrs[i] || slot->need != TSR_ATTR_REQUIRED ||
            strcmp(slot->name, "operandSegmentSizes") == 0)
            continue;
        op->attrs[i] = tsr_attr_refit(s->ctx, slot->constraint, left_out(s, op, slot->name));
        if (!op->attrs[i])
            return no(s, "'%s' is not given", slot->name);
    }
    if (tsr_op_has(op, TSR_TRAIT(SEGMENTED_OPERANDS))) {
        int32_t sizes[MOST_GROUPS];
        for (uint16_t i = 0; i < s->def->narg; i++)
            sizes[i] = (int32_t)s->groups[i].n;
        tsr_op_set_attr(op, TSR_STR("operandSegmentSizes"),
                        tsr_attr_dense_array(s->ctx, s->ctx->i32, sizes, s->def->narg));
    }
    return true;
}

/* Devices that the op needs and that the call gives in another way, such as through a mapper. */
static void add_devices(state *s)
{
    for (uint16_t i = 0; i < s->def->narg; i++)
        if (is_of(&s->def->args[i], &tsr_is_TtnnDevice) && s->def->args[i].arity == TSR_ONE &&
            !s->groups[i].n)
            tsr_vec_push(&s->groups[i], device(s));
}

static tsr_op *put_op(state *s)
{
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    for (uint32_t i = 0; i < s->b.block->nargs; i++)
        s->b.block->args[i]->type = tsr_emit_laid_out(s->def, s->b.block->args[i]->type, false);
    add_devices(s);
    for (uint16_t i = 0; i < s->def->narg; i++)
        for (size_t k = 0; k < s->groups[i].n; k++)
            tsr_vec_push(&in, s->groups[i].data[k]);
    tsr_op *op = tsr_op_new(s->b.module, s->def, TSR_LOC_UNKNOWN, in.data, in.n, NULL, 0, 0, 0);
    tsr_vec_free(&in);
    tsr_op_insert(op, s->b.block, s->b.at);
    for (uint16_t i = 0; i < s->def->nslot; i++)
        if (s->def->slots[i].need == TSR_ATTR_FILLED)
            op->attrs[i] = tsr_slot_default(s->ctx, &s->def->slots[i]);
    bool ok = complete(s, op);
    if (!ok)
        tsr_error(s->ctx, TSR_LOC_UNKNOWN, "%.*s: %.*s", TSR_STR_ARG(s->name),
                  TSR_STR_ARG(tsr_buf_text(&s->why)));
    ok = ok && tsr_op_fits_inputs(op) && tsr_emit_result_types(op, s->type, &types);
    if (ok)
        tsr_op_add_results(op, types.data, types.n);
    tsr_vec_free(&types);
    return ok ? op : NULL;
}

/* ---- The module ---- */

static bool read_mesh(tsr_module *m, const tsr_json *mesh)
{
    int64_t sizes[MOST_INTS];
    size_t n = 0;
    if (!mesh || !read_ints(mesh, sizes, &n) || n > 8)
        return tsr_error(m->ctx, TSR_LOC_UNKNOWN, "a call has a mesh of at most 8 axes");
    tsr_attr *params[] = {tsr_attr_string(m->ctx, TSR_STR("mesh")),
                          tsr_attr_i64_array(m->ctx, sizes, n)};
    tsr_attr *one = tsr_attr_struct(m->ctx, &tsr_def_TTCORE_MESH, params),
             *list = tsr_attr_array(m->ctx, &one, 1);
    tsr_op_set_attr(m->op, TSR_STR("ttcore.meshes"),
                    tsr_attr_struct(m->ctx, &tsr_def_TTCORE_MESHES, &list));
    return true;
}

/* A function that takes the tensors; ops are inserted before its return. */
static tsr_op *open_function(tsr_module *m, tsr_type *const *types, size_t n, tsr_build *b)
{
    tsr_ctx *ctx = m->ctx;
    tsr_op *func =
        tsr_op_new(m, tsr_opdef_of(ctx, TSR_OP_FUNC_FUNC), TSR_LOC_UNKNOWN, NULL, 0, NULL, 0, 1, 0);
    func->attrs[FUNC_FUNC_sym_name] = tsr_attr_string(ctx, TSR_STR("call"));
    tsr_op_insert(func, m->op->regions[0].first, NULL);
    tsr_build outer = {.ctx = ctx, .module = m, .loc = TSR_LOC_UNKNOWN};
    *b = tsr_build_in(&outer, &func->regions[0], types, n);
    tsr_op *end = tsr_op_new(m, tsr_opdef_of(ctx, TSR_OP_FUNC_RETURN), TSR_LOC_UNKNOWN, NULL, 0,
                             NULL, 0, 0, 0);
    tsr_op_insert(end, b->block, NULL);
    b->at = end;
    return func;
}

static void close_function(tsr_op *func, tsr_build *b, tsr_emit_call *out)
{
    tsr_value_vec values = {0};
    tsr_type_vec in = {0}, results = {0};
    for (uint32_t i = 0; i < out->op->nout; i++)
        tsr_vec_push(&values, &out->op->out[i]);
    out->nresult = out->op->nout;
    out->changes = !tsr_op_has(out->op, TSR_TRAIT(NO_EFFECT));
    for (uint32_t i = 0; i < b->block->nargs; i++) {
        tsr_vec_push(&in, b->block->args[i]->type);
        if (out->changes)
            tsr_vec_push(&values, b->block->args[i]);
    }
    for (size_t i = 0; i < values.n; i++)
        tsr_vec_push(&results, values.data[i]->type);
    tsr_op_set_operands(b->at, values.data, values.n);
    func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(b->ctx, tsr_type_function(b->ctx, in.data, in.n, results.data, results.n));
    tsr_vec_free(&values);
    tsr_vec_free(&in);
    tsr_vec_free(&results);
}

/* The first row whose arguments fit. */
static bool find_row(state *s)
{
    uint16_t rows[MOST_ROWS];
    bool host_op = is_host(s->name);
    size_t n = host_op ? 1 : tsr_emit_rows_named(s->l, s->name, rows, MOST_ROWS);
    if (host_op && bind_host(s))
        return true;
    for (size_t i = 0; !host_op && i < n; i++)
        if (bind_row(s, rows[i]))
            return true;
    return n ? tsr_error(s->ctx, TSR_LOC_UNKNOWN, "%.*s: %.*s", TSR_STR_ARG(s->name),
                         TSR_STR_ARG(tsr_buf_text(&s->why)))
             : tsr_error(s->ctx, TSR_LOC_UNKNOWN, "there is no function %.*s (docs/EMIT.md)",
                         TSR_STR_ARG(s->name));
}

bool tsr_emit_read_call(tsr_ctx *ctx, const tsr_json *call, tsr_type *const *types, size_t n,
                        tsr_emit_call *out)
{
    const tsr_json *name = tsr_json_get(call, "function", TSR_JSON_STRING);
    state s = {.ctx = ctx,
               .call = call,
               .args = tsr_json_get(call, "arguments", TSR_JSON_ARRAY),
               .named = tsr_json_get(call, "named", TSR_JSON_OBJECT),
               .ntensor = n};
    *out = (tsr_emit_call){0};
    if (!name || !s.args)
        return tsr_error(ctx, TSR_LOC_UNKNOWN,
                         "a call has a \"function\" and a list of \"arguments\"");
    s.name = name->s;
    s.l = name->s.len && memchr(name->s.data, ':', name->s.len) ? TSR_EMIT_CPP : TSR_EMIT_PYTHON;
    tsr_module *m = out->m = tsr_module_new(ctx);
    m->op = tsr_op_new(m, tsr_opdef_get(ctx, TSR_STR("builtin.module")), TSR_LOC_UNKNOWN, NULL, 0,
                       NULL, 0, 1, 0);
    tsr_block_insert(tsr_block_new(m), &m->op->regions[0], NULL);
    TSR_TRY(read_mesh(m, tsr_json_get(call, "mesh", TSR_JSON_ARRAY)));
    tsr_op *func = open_function(m, types, n, &s.b);
    s.tensors = s.b.block->args;
    bool ok = find_row(&s) && (out->op = put_op(&s)) != NULL;
    if (ok) {
        close_function(func, &s.b, out);
        ok = tsr_verify(m->op);
    }
    for (size_t i = 0; i < MOST_GROUPS; i++)
        tsr_vec_free(&s.groups[i]);
    tsr_buf_free(&s.why);
    tsr_build_free(&s.b);
    return ok;
}
