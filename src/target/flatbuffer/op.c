/* SPDX-License-Identifier: Apache-2.0 */
/* op.c - ops as tables of the schema and back. The column FB of an op's row names the table; the meaning of a field
 * follows from its name, or from the column's map, a list of
 *
 *     field=name   an operand, a result or an attribute by another name
 *     field:Word   a constant: a word of an enumeration, or the case of a union, whose table is filled by the same
 *     rules
 *
 * Otherwise in, in0 and out are the first operand and result, outputs all results; memcfg, dtype and layout are derived
 * from the first result's type, and reading takes them from there. */
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"
#include "target/flatbuffer/program.h"
#include "target/flatbuffer/sha256.h"

typedef struct {
    const tsr_fb_type *table;
    const char *map;
    const tsr_fb_type *cpu; /* of calls of host functions */
    const char *cpu_map;
} row;

static const row rows[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define FB(of, text) .table = &tsr_fb_##of, .map = text,
#define FB_CPU(of, text) .cpu = &tsr_fb_##of, .cpu_map = text,
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

/* ---- The meaning of fields ---- */

typedef enum {
    IS_NOTHING,
    IS_OPERANDS,
    IS_RESULTS,
    IS_ALL_RESULTS,
    IS_ATTR,
    IS_WORD,
    IS_MEMORY,
    IS_DTYPE,
    IS_LAYOUT,
    IS_CHIPS,
} source_kind;

typedef struct {
    source_kind kind;
    size_t i;     /* of the group or slot */
    tsr_str word; /* IS_WORD */
} source;

/* The item of a map for a field, after = or :; false if there is none. */
static bool mapped(const char *map, const char *name, char *how, tsr_str *out)
{
    size_t n = strlen(name);
    for (const char *p = map; *p; p += strcspn(p, " "), p += *p == ' ')
        if (strncmp(p, name, n) == 0 && (p[n] == '=' || p[n] == ':')) {
            *how = p[n];
            *out = (tsr_str){p + n + 1, strcspn(p + n + 1, " ")};
            return true;
        }
    return false;
}

static source named(const tsr_opdef *def, tsr_str name)
{
    for (uint16_t i = 0; i < def->narg; i++)
        if (tsr_str_is(name, def->args[i].name))
            return (source){IS_OPERANDS, i, {0}};
    for (uint16_t i = 0; i < def->nresult; i++)
        if (tsr_str_is(name, def->results[i].name))
            return (source){IS_RESULTS, i, {0}};
    int slot = tsr_opdef_slot(def, name);
    return slot < 0 ? (source){IS_NOTHING, 0, {0}} : (source){IS_ATTR, (size_t)slot, {0}};
}

static source source_of(const tsr_opdef *def, const char *map, const tsr_fb_field *f)
{
    static const struct {
        const char *name;
        source_kind kind;
    } others[] = {
        {"in", IS_OPERANDS},          {"in0", IS_OPERANDS},
        {"out", IS_RESULTS},          {"output", IS_RESULTS},
        {"outputs", IS_ALL_RESULTS},  {"memcfg", IS_MEMORY},
        {"memory_config", IS_MEMORY}, {"output_memory_config", IS_MEMORY},
        {"dtype", IS_DTYPE},          {"output_dtype", IS_DTYPE},
        {"layout", IS_LAYOUT},        {"chip_ids", IS_CHIPS},
    };
    char how = 0;
    tsr_str name = {f->name, strlen(f->name)};
    if (mapped(map, f->name, &how, &name) && how == ':')
        return (source){IS_WORD, 0, name};
    source s = named(def, name);
    for (size_t i = 0; !s.kind && !how && i < TSR_COUNT(others); i++)
        if (tsr_str_is(name, others[i].name))
            s.kind = others[i].kind;
    if ((s.kind == IS_OPERANDS && !def->narg) || (s.kind == IS_RESULTS && !def->nresult))
        s.kind = IS_NOTHING;
    return s;
}

/* The meaning of the fields of a table for ops of a row. Computed once for each. */
typedef struct {
    const tsr_opdef *def;
    const char *map;
    const tsr_fb_type *table;
    source fields[];
} sources;

static const source *sources_of(tsr_fb_state *s, const tsr_opdef *def, const char *map,
                                const tsr_fb_type *table)
{
    uint64_t hash = tsr_hash_mix(tsr_hash_ptr(def), tsr_hash_ptr(table));
    TSR_MAP_EACH (&s->sources, hash, found) {
        const sources *old = found;
        if (old->def == def && old->map == map && old->table == table)
            return old->fields;
    }
    size_t n = tsr_fb_count(table);
    sources *made = tsr_arena_alloc(s->c.arena, sizeof *made + n * sizeof *made->fields);
    made->def = def;
    made->map = map;
    made->table = table;
    for (size_t i = 0; i < n; i++)
        made->fields[i] = source_of(def, map, &table->fields[i]);
    tsr_map_put(&s->sources, hash, made);
    return made->fields;
}

/* ---- Writing ---- */

static const tsr_fb_type *ref_type(const tsr_type *t)
{
    return t->def == &tsr_def_TTNN_DEVICE             ? &tsr_fb_DeviceRef
           : t->def == &tsr_def_TTNN_GLOBAL_SEMAPHORE ? &tsr_fb_GlobalSemaphoreRef
                                                      : &tsr_fb_TensorRef;
}

tsr_fb_table *tsr_fb_ref(tsr_fb_state *s, const tsr_value *v)
{
    TSR_MAP_EACH (&s->refs, tsr_hash_ptr(v), found) {
        return found;
    }
    const tsr_fb_type *type = ref_type(v->type);
    tsr_fb_table *t = tsr_fb_table_new(s->c.arena, type), *desc = NULL;
    if (type == &tsr_fb_TensorRef) {
        desc = tsr_fb_desc_of(s, v->type, false, NULL);
        if (!desc)
            return NULL;
        tsr_fb_set_sub(t, "desc", desc);
    }
    tsr_fb_set_int(t, "global_id", s->nextid++);
    tsr_map_put(&s->refs, tsr_hash_ptr(v), t);
    return t;
}

int64_t tsr_fb_program_index(const tsr_fb_state *s, tsr_str name)
{
    TSR_MAP_EACH (&s->by_name, tsr_hash_str(name), found) {
        tsr_op *const *f = found;
        if (tsr_str_eq(tsr_op_symbol(*f), name))
            return f - s->programs.data;
    }
    return -1;
}

/* n values as a list, or as the optional single one. */
static bool write_values(tsr_fb_state *s, const tsr_op *op, const tsr_fb_field *f,
                         tsr_value *(*at)(const tsr_op *op, uint32_t i), uint32_t start, uint32_t n,
                         tsr_fb_value *out)
{
    if (f->how != TSR_FB_LIST && n == 0)
        return true;
    tsr_fb_value *items = TSR_NEW_ARRAY(s->c.arena, tsr_fb_value, n + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        items[count].set = true;
        items[count].table = tsr_fb_ref(s, at(op, start + i));
        if (!items[count].table)
            return false;
        count += f->type->kind == TSR_FB_UNION || items[count].table->type == f->type;
    }
    if (f->how == TSR_FB_LIST) {
        *out = (tsr_fb_value){.items = items, .n = count, .set = true};
        return true;
    }
    if (n != 1 || !count)
        return tsr_op_error(op, "has values that the flatbuffer's field %s cannot hold", f->name);
    *out = items[0];
    for (const tsr_fb_field *k = f->type->fields; f->type->kind == TSR_FB_UNION && k->name; k++)
        if (k->type->fields[0].name && k->type->fields[0].type == items[0].table->type) {
            out->tag = (uint8_t)(k - f->type->fields + 1);
            out->table = tsr_fb_table_new(s->c.arena, k->type);
            out->table->fields[0] = items[0];
        }
    return true;
}

static tsr_value *operand(const tsr_op *op, uint32_t i)
{
    return op->in[i].value;
}

static tsr_value *result(const tsr_op *op, uint32_t i)
{
    return &op->out[i];
}

const char *tsr_fb_data_type(const tsr_type *t)
{
    if (t->kind == TSR_TYPE_FLOAT)
        return t->sub == TSR_BF16 ? "BFloat16"
               : t->width == 16   ? "Float16"
               : t->width == 32   ? "Float32"
               : t->width == 64   ? "Float64"
                                  : NULL;
    if (t->kind != TSR_TYPE_INTEGER)
        return NULL;
    bool plus = t->sub == TSR_UNSIGNED;
    return t->width == 1    ? "Bool"
           : t->width == 8  ? plus ? "UInt8" : "Int8"
           : t->width == 16 ? plus ? "UInt16" : "Int16"
           : t->width == 32 ? plus ? "UInt32" : "Int32"
           : t->width == 64 ? plus ? "UInt64" : "Int64"
                            : NULL;
}

bool tsr_fb_elements(tsr_fb_state *s, const tsr_op *op, const tsr_attr *a, const tsr_fb_field *f,
                     tsr_fb_value *out)
{
    tsr_attr blob;
    if (a->kind == TSR_ATTR_DENSE_RESOURCE && !tsr_blob_elements(&s->blobs, a, &blob))
        a = &blob;
    int64_t n = a->kind == TSR_ATTR_DENSE ? tsr_type_num_elements(a->type) : -1;
    const char *type = n < 0 ? NULL : tsr_fb_data_type(a->type->elem);
    if (!type)
        return tsr_op_error(op, "has elements that are not dense, or of no data type");
    out->set = true;
    if (f->how != TSR_FB_LIST) {
        out->i = tsr_fb_number(&tsr_fb_DataType, (tsr_str){type, strlen(type)});
        return true;
    }
    size_t size = tsr_type_storage_bits(a->type->elem) / 8;
    out->s = a->s;
    if (!a->sub)
        return true;
    char *bytes = tsr_arena_alloc(s->c.arena, (size_t)n * size + 1);
    for (size_t i = 0; i < (size_t)n; i++)
        memcpy(bytes + i * size, a->s.data, size);
    out->s = (tsr_str){bytes, (size_t)n * size};
    return true;
}

/* The program that an attribute refers to: its number, or the hash of its text. */
static bool callee(tsr_fb_state *s, tsr_op *op, const tsr_attr *a, const tsr_fb_field *f,
                   tsr_fb_value *out)
{
    int64_t i = tsr_fb_program_index(s, a->s);
    bool hash = strcmp(f->name, "program_hash") == 0;
    out->set = true;
    if (f->type->kind == TSR_FB_STRING && !hash) {
        out->s = a->s;
        return true;
    }
    if (i < 0)
        return tsr_op_error(op, "refers to '%.*s', which is no program", TSR_STR_ARG(a->s));
    out->i = i;
    if (!hash)
        return true;
    if (!s->hashes[i].len) {
        char *hex = tsr_arena_alloc(s->c.arena, TSR_SHA256_HEX);
        tsr_sha256(s->bodies[i], hex);
        s->hashes[i] = (tsr_str){hex, TSR_SHA256_HEX};
    }
    out->s = s->hashes[i];
    return true;
}

static bool write_attr(tsr_fb_state *s, tsr_op *op, const tsr_attr *a, const tsr_fb_field *f,
                       tsr_fb_value *out)
{
    if (!a)
        return true;
    if (a->kind == TSR_ATTR_SYMBOL)
        return callee(s, op, a, f, out);
    if (a->kind == TSR_ATTR_DENSE || a->kind == TSR_ATTR_DENSE_RESOURCE ||
        a->kind == TSR_ATTR_SPARSE)
        return tsr_fb_elements(s, op, a, f, out);
    return tsr_fb_of_attr(&s->c, a, f, out);
}

/* Fields derived from the layout of the first result. */
static bool derived(tsr_fb_state *s, const tsr_op *op, source_kind kind, tsr_fb_value *out)
{
    const tsr_attr *layout = op->nout ? tsr_ttnn_layout_of(op->out[0].type) : NULL;
    if (!layout)
        return true;
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(layout);
    out->set = true;
    if (kind == IS_LAYOUT)
        out->i = spec.tiled;
    else if (kind == IS_DTYPE)
        out->i = tsr_fb_enum_number(&tsr_fb_DataType, &tsr_def_TTCORE_DATA_TYPE, spec.type);
    else {
        out->table = tsr_fb_memory_of(s, layout);
        out->set = out->table != NULL;
        return out->set || spec.buffer == TSR_TTNN_SYSTEM_MEMORY;
    }
    return true;
}

static bool chips(tsr_fb_state *s, tsr_fb_table *t)
{
    const tsr_attr *ids = s->device ? s->device->attrs[TTCORE_DEVICE_chip_ids] : NULL;
    TSR_VEC(int64_t) v = {0};
    for (int64_t i = 0; ids && i < tsr_attr_count(ids); i++)
        tsr_vec_push(&v, tsr_attr_int_at(ids, (size_t)i));
    tsr_fb_set_ints(s->c.arena, t, "chip_ids", v.data, v.n);
    tsr_vec_free(&v);
    return true;
}

static bool write_fields(tsr_fb_state *s, tsr_op *op, const char *map, tsr_fb_table *t);

static bool word(tsr_fb_state *s, tsr_op *op, const char *map, const tsr_fb_field *f, tsr_str w,
                 tsr_fb_value *out)
{
    int i = tsr_fb_find(f->type, w);
    tsr_assert(i >= 0, "%s has no %.*s", f->type->name, TSR_STR_ARG(w));
    out->set = true;
    if (f->type->kind == TSR_FB_ENUM) {
        out->i = (int64_t)f->type->fields[i].value;
        return true;
    }
    out->tag = (uint8_t)(i + 1);
    out->table = tsr_fb_table_new(s->c.arena, f->type->fields[i].type);
    return write_fields(s, op, map, out->table);
}

static bool write_field(tsr_fb_state *s, tsr_op *op, const char *map, tsr_fb_table *t,
                        const tsr_fb_field *f, source from)
{
    tsr_fb_value *out = &t->fields[f - t->type->fields];
    uint32_t start = 0, n = 0;
    switch (from.kind) {
    case IS_NOTHING: return true;
    case IS_OPERANDS:
        TSR_TRY(tsr_op_operand_group(op, from.i, &start, &n));
        return write_values(s, op, f, operand, start, n, out);
    case IS_RESULTS:
        TSR_TRY(tsr_op_result_group(op, from.i, &start, &n));
        return write_values(s, op, f, result, start, n, out);
    case IS_ALL_RESULTS: return write_values(s, op, f, result, 0, op->nout, out);
    case IS_ATTR: return write_attr(s, op, op->attrs[from.i], f, out);
    case IS_WORD: return word(s, op, map, f, from.word, out);
    case IS_CHIPS: return chips(s, t);
    default: return derived(s, op, from.kind, out);
    }
}

static bool write_fields(tsr_fb_state *s, tsr_op *op, const char *map, tsr_fb_table *t)
{
    const source *from = sources_of(s, op->def, map, t->type);
    for (const tsr_fb_field *f = t->type->fields; f->name; f++)
        TSR_TRY(write_field(s, op, map, t, f, *from++));
    return true;
}

/* Whether a call goes to a function without a program. */
static bool on_host(const tsr_fb_state *s, const tsr_op *op, const row *r)
{
    int slot = r->cpu ? tsr_opdef_slot(op->def, TSR_STR("callee")) : -1;
    return slot >= 0 && op->attrs[slot] && tsr_fb_program_index(s, op->attrs[slot]->s) < 0;
}

bool tsr_fb_of_op(tsr_fb_state *s, tsr_op *op, tsr_fb_value *out)
{
    const row *r = op->def->opcode < TSR_OP__COUNT ? &rows[op->def->opcode] : NULL;
    if (!r || !r->table)
        return tsr_op_error(op, "has no form in a flatbuffer");
    bool host = on_host(s, op, r);
    const tsr_fb_type *type = host ? r->cpu : r->table;
    s->c.loc = op->loc;
    out->set = true;
    out->table = tsr_fb_table_new(s->c.arena, type);
    for (const tsr_fb_field *k = tsr_fb_OpType.fields; k->name; k++)
        if (k->type == type)
            out->tag = (uint8_t)(k - tsr_fb_OpType.fields + 1);
    return write_fields(s, op, host ? r->cpu_map : r->map, out->table);
}

/* ---- Reading ---- */

enum { MOST_GROUPS = 24, MOST_SLOTS = 40 };

/* An op while its table is read. */
typedef struct {
    tsr_fb_state *s;
    const tsr_fb_table *table; /* for messages */
    const tsr_opdef *def;
    const char *map;
    tsr_value_vec in[MOST_GROUPS];
    TSR_VEC(const tsr_fb_table *) out[MOST_GROUPS]; /* references */
    bool has_in[MOST_GROUPS];
    tsr_attr *attrs[MOST_SLOTS];
    tsr_str data; /* of a constant */
    bool has_data;
    int64_t data_type;
} made;

static uint64_t ref_hash(const tsr_fb_table *ref)
{
    uint64_t kind = ref->type == &tsr_fb_TensorRef ? 0 : ref->type == &tsr_fb_DeviceRef ? 1 : 2;
    return tsr_hash_mix(kind + 1, (uint64_t)tsr_fb_int(ref, "global_id"));
}

/* A value under its reference. */
typedef struct {
    const tsr_fb_type *type;
    int64_t id;
    tsr_value *value;
} defined;

static defined *find(const tsr_fb_state *s, const tsr_fb_table *ref)
{
    int64_t id = tsr_fb_int(ref, "global_id");
    TSR_MAP_EACH (&s->values, ref_hash(ref), found) {
        defined *d = found;
        if (d->id == id && d->type == ref->type)
            return d;
    }
    return NULL;
}

tsr_value *tsr_fb_value_of(const tsr_fb_state *s, const tsr_fb_table *ref)
{
    defined *d = find(s, ref);
    return d ? d->value : NULL;
}

void tsr_fb_define(tsr_fb_state *s, const tsr_fb_table *ref, tsr_value *v)
{
    defined *d = find(s, ref);
    if (d) {
        d->value = v;
        return;
    }
    d = tsr_arena_alloc(s->c.arena, sizeof *d);
    *d = (defined){ref->type, tsr_fb_int(ref, "global_id"), v};
    tsr_map_put(&s->values, ref_hash(ref), d);
}

static bool bad(const made *m, const char *fmt, ...) TSR_PRINTF(2, 3);
static bool bad(const made *m, const char *fmt, ...)
{
    tsr_buf text = {0};
    va_list args;
    va_start(args, fmt);
    tsr_buf_vprintf(&text, fmt, args);
    va_end(args);
    tsr_error(m->s->c.ctx, m->s->c.loc, "byte %u: %s: %.*s", m->table->at, m->def->name.data,
              (int)text.len, text.data);
    tsr_buf_free(&text);
    return false;
}

static bool read_operand(made *m, size_t group, const tsr_fb_table *ref)
{
    tsr_value *v = tsr_fb_value_of(m->s, ref);
    if (!v)
        return bad(m, "%s %lld was not made before", ref->type->name,
                   (long long)tsr_fb_int(ref, "global_id"));
    tsr_vec_push(&m->in[group], v);
    return true;
}

/* The references of a field: one, a list, or in the case of a union. */
static bool each_ref(made *m, const tsr_fb_field *f, const tsr_fb_value *v, size_t group,
                     bool (*use)(made *m, size_t group, const tsr_fb_table *ref))
{
    if (f->how == TSR_FB_LIST) {
        for (size_t i = 0; i < v->n; i++)
            TSR_TRY(use(m, group, v->items[i].table));
        return true;
    }
    if (f->type->kind != TSR_FB_UNION)
        return use(m, group, v->table);
    const tsr_fb_field *one = v->table->type->fields;
    if (!one->name || one->type->kind != TSR_FB_TABLE || !v->table->fields[0].set)
        return bad(m, "%s is no tensor", f->name);
    return use(m, group, v->table->fields[0].table);
}

static bool read_result(made *m, size_t group, const tsr_fb_table *ref)
{
    tsr_vec_push(&m->out[group], ref);
    return true;
}

/* All results in one list: one for each group, or all for the only group. */
static bool read_results(made *m, const tsr_fb_value *v)
{
    bool one = m->def->nresult == 1;
    for (size_t i = 0; i < v->n; i++) {
        if (!one && i >= m->def->nresult)
            return bad(m, "has more than %u results", m->def->nresult);
        TSR_TRY(read_result(m, one ? 0 : i, v->items[i].table));
    }
    return true;
}

/* The name of a program by its number. */
static tsr_attr *program_name(made *m, int64_t i)
{
    const tsr_fb_value *programs = tsr_fb_get(m->s->binary, "programs");
    if (!programs->set || i < 0 || (size_t)i >= programs->n) {
        bad(m, "there is no program %lld", (long long)i);
        return NULL;
    }
    return tsr_attr_symbol(m->s->c.ctx, tsr_fb_text(programs->items[i].table, "name"), NULL, 0);
}

static bool read_attr(made *m, const tsr_fb_field *f, const tsr_fb_value *v, size_t slot)
{
    const tsr_slotdef *d = &m->def->slots[slot];
    tsr_fb_param as = tsr_fb_form_of(d->constraint);
    tsr_fb_value standard = {.i = (int64_t)f->value, .set = true};
    bool symbol = d->constraint->form == TSR_FORM_SYMBOL || d->constraint->form == TSR_FORM_SYMREF;
    if (f->type->kind == TSR_FB_FLOAT)
        standard.f = f->value;
    if (d->constraint->form == TSR_FORM_ELEMENTS) {
        if (f->how == TSR_FB_LIST) {
            m->data = v->set ? v->s : (tsr_str){"", 0};
            m->has_data = true;
        } else
            m->data_type = v->set ? v->i : 0;
        return true;
    }
    if (!v->set &&
        (d->need == TSR_ATTR_OPTIONAL || f->how != TSR_FB_ONE || !tsr_fb_is_scalar(f->type)) &&
        !symbol)
        return true;
    if (symbol && f->type->kind == TSR_FB_STRING)
        m->attrs[slot] =
            m->attrs[slot] || strcmp(f->name, "program_hash") == 0
                ? m->attrs[slot]
                : tsr_attr_symbol(m->s->c.ctx, v->set ? v->s : (tsr_str){"", 0}, NULL, 0);
    else if (symbol)
        m->attrs[slot] = m->attrs[slot] ? m->attrs[slot] : program_name(m, v->set ? v->i : 0);
    else
        m->attrs[slot] = tsr_fb_attr(&m->s->c, &as, f, v->set ? v : &standard);
    if (tsr_attr_is(m->attrs[slot], TSR_ATTR_STRUCT) && !tsr_fb_sound(&m->s->c, m->attrs[slot]))
        return false;
    return m->attrs[slot] || strcmp(f->name, "program_hash") == 0;
}

static bool read_fields(made *m, const tsr_fb_table *t);

static bool read_field(made *m, const tsr_fb_table *t, const tsr_fb_field *f, source to)
{
    const tsr_fb_value *v = &t->fields[f - t->type->fields];
    switch (to.kind) {
    case IS_OPERANDS:
        m->has_in[to.i] = true;
        return !v->set || each_ref(m, f, v, to.i, read_operand);
    case IS_RESULTS: return !v->set || each_ref(m, f, v, to.i, read_result);
    case IS_ALL_RESULTS: return !v->set || read_results(m, v);
    case IS_ATTR: return read_attr(m, f, v, to.i);
    case IS_WORD: return f->type->kind != TSR_FB_UNION || read_fields(m, v->table);
    case IS_NOTHING:
        return !v->set || strcmp(f->name, "dylib_id") == 0 ||
               bad(m, "field %s says nothing of the op", f->name);
    default: return true;
    }
}

static bool read_fields(made *m, const tsr_fb_table *t)
{
    const source *to = sources_of(m->s, m->def, m->map, t->type);
    for (const tsr_fb_field *f = t->type->fields; f->name; f++)
        TSR_TRY(read_field(m, t, f, *to++));
    return true;
}

/* Whether the constants in a row's map match a table. */
static bool says(tsr_fb_state *s, const tsr_opdef *def, const char *map, const tsr_fb_table *t)
{
    const source *from = sources_of(s, def, map, t->type);
    for (const tsr_fb_field *f = t->type->fields; f->name; f++, from++) {
        const tsr_fb_value *v = &t->fields[f - t->type->fields];
        if (from->kind != IS_WORD)
            continue;
        int i = tsr_fb_find(f->type, from->word);
        if (f->type->kind == TSR_FB_UNION
                ? !v->set || v->tag != i + 1
                : (v->set ? v->i : (int64_t)f->value) != (int64_t)f->type->fields[i].value)
            return false;
    }
    return true;
}

/* Rows by their tables. */
static void index_rows(tsr_fb_state *s)
{
    for (const row *r = rows; r < rows + TSR_OP__COUNT; r++) {
        if (r->table)
            tsr_map_put(&s->rows, tsr_hash_ptr(r->table), (void *)(uintptr_t)r);
        if (r->cpu)
            tsr_map_put(&s->rows, tsr_hash_ptr(r->cpu), (void *)(uintptr_t)r);
    }
}

static const tsr_opdef *row_of(tsr_fb_state *s, const tsr_fb_table *t, const char **map)
{
    if (!s->rows.n)
        index_rows(s);
    TSR_MAP_EACH (&s->rows, tsr_hash_ptr(t->type), found) {
        const row *r = found;
        const tsr_opdef *def = tsr_opdef_of(s->c.ctx, (enum tsr_opcode)(r - rows));
        *map = r->cpu == t->type ? r->cpu_map : r->map;
        if (r->cpu == t->type || (r->table == t->type && says(s, def, r->map, t)))
            return def;
    }
    return NULL;
}

/* A device that no field gives is the program's. */
static bool add_device(made *m)
{
    for (size_t i = 0; i < m->def->narg; i++) {
        if (m->has_in[i] || m->def->args[i].arity != TSR_ONE ||
            m->def->args[i].constraint != &tsr_is_TtnnDevice)
            continue;
        if (!m->s->held)
            return bad(m, "there is no device");
        tsr_vec_push(&m->in[i], m->s->held);
    }
    return true;
}

static bool check_groups(made *m)
{
    for (size_t i = 0; i < m->def->narg; i++)
        if (m->def->args[i].arity == TSR_ONE && m->in[i].n != 1)
            return bad(m, "has no %s", m->def->args[i].name);
    for (size_t i = 0; i < m->def->nresult; i++)
        if (m->def->results[i].arity == TSR_ONE && m->out[i].n != 1)
            return bad(m, "has no result %s", m->def->results[i].name);
    return true;
}

static tsr_type *result_type(made *m, const tsr_argdef *arg, const tsr_fb_table *ref)
{
    tsr_ctx *ctx = m->s->c.ctx;
    const tsr_fb_table *desc = ref->type == &tsr_fb_TensorRef ? tsr_fb_sub(ref, "desc") : NULL;
    if (ref->type == &tsr_fb_DeviceRef)
        return tsr_type_dialect(ctx, &tsr_def_TTNN_DEVICE, NULL);
    if (ref->type == &tsr_fb_GlobalSemaphoreRef)
        return tsr_type_dialect(ctx, &tsr_def_TTNN_GLOBAL_SEMAPHORE, NULL);
    if (strcmp(arg->name, "trace_id") == 0)
        return tsr_type_tensor(ctx, NULL, 0, tsr_type_integer(ctx, 32, TSR_UNSIGNED),
                               tsr_attr_struct(ctx, &tsr_def_TTNN_TRACE_ID, NULL));
    if (!desc) {
        bad(m, "a result has no description");
        return NULL;
    }
    return tsr_fb_type_of(m->s, desc);
}

tsr_type *tsr_fb_data_element(tsr_ctx *ctx, int64_t data_type, tsr_type *like)
{
    tsr_type *all[] = {like,
                       tsr_type_float(ctx, TSR_F32),
                       tsr_type_float(ctx, TSR_F16),
                       tsr_type_float(ctx, TSR_BF16),
                       tsr_type_float(ctx, TSR_F64),
                       tsr_type_integer(ctx, 1, TSR_SIGNLESS)};
    const char *word = tsr_fb_word(&tsr_fb_DataType, data_type), *other;
    for (size_t i = 0; word && i < TSR_COUNT(all); i++)
        if (all[i] && (other = tsr_fb_data_type(all[i])) != NULL && strcmp(other, word) == 0)
            return all[i];
    for (uint32_t width = 8; word && width <= 64; width *= 2)
        for (int sign = 0; sign < 2; sign++) {
            tsr_type *t = tsr_type_integer(ctx, width, sign ? TSR_UNSIGNED : TSR_SIGNED);
            if (strcmp(tsr_fb_data_type(t), word) == 0)
                return t;
        }
    return NULL;
}

tsr_attr *tsr_fb_dense_of(tsr_fb_state *s, const tsr_type *t, tsr_type *elem, tsr_str data)
{
    int64_t n = tsr_type_num_elements(t);
    size_t size = elem ? tsr_type_storage_bits(elem) / 8 : 0;
    if (n < 0 || !size || data.len / size != (uint64_t)n || data.len % size)
        return NULL;
    bool splat = n > 1;
    for (size_t i = size; splat && i < data.len; i += size)
        splat = memcmp(data.data, data.data + i, size) == 0;
    tsr_type *plain = tsr_type_tensor(s->c.ctx, t->dims, t->n, elem, NULL);
    return tsr_attr_dense(s->c.ctx, s->module, plain, data.data, splat || n == 1 ? size : data.len,
                          splat || n == 1);
}

/* The elements of a constant. */
static bool constant(made *m, tsr_op *op)
{
    if (!m->has_data || !op->nout)
        return true;
    tsr_type *t = op->out[0].type, *elem = tsr_fb_data_element(m->s->c.ctx, m->data_type, t->elem);
    tsr_attr *dense = tsr_fb_dense_of(m->s, t, elem, m->data);
    if (!dense)
        return bad(m, "has %zu bytes for %lld elements", m->data.len,
                   (long long)tsr_type_num_elements(t));
    for (size_t i = 0; i < m->def->nslot; i++)
        if (m->def->slots[i].constraint->form == TSR_FORM_ELEMENTS)
            op->attrs[i] = dense;
    return true;
}

static void segments(made *m, tsr_op *op)
{
    int slot = tsr_opdef_slot(m->def, TSR_STR("operandSegmentSizes"));
    int32_t sizes[MOST_GROUPS];
    if (slot < 0)
        return;
    for (size_t i = 0; i < m->def->narg; i++)
        sizes[i] = (int32_t)m->in[i].n;
    op->attrs[slot] = tsr_attr_dense_array(m->s->c.ctx, m->s->c.ctx->i32, sizes, m->def->narg);
}

static bool build(made *m, tsr_loc loc, tsr_block *block)
{
    tsr_value_vec in = {0};
    tsr_type_vec types = {0};
    bool ok = true;
    for (size_t i = 0; i < m->def->narg; i++)
        for (size_t k = 0; k < m->in[i].n; k++)
            tsr_vec_push(&in, m->in[i].data[k]);
    for (size_t i = 0; ok && i < m->def->nresult; i++)
        for (size_t k = 0; ok && k < m->out[i].n; k++) {
            tsr_type *t = result_type(m, &m->def->results[i], m->out[i].data[k]);
            ok = t != NULL;
            tsr_vec_push(&types, t);
        }
    tsr_op *op =
        !ok ? NULL
            : tsr_op_new(m->s->module, m->def, loc, in.data, in.n, types.data, types.n, 0, 0);
    tsr_vec_free(&in);
    tsr_vec_free(&types);
    if (!op)
        return false;
    memcpy(op->attrs, m->attrs, m->def->nslot * sizeof *op->attrs);
    segments(m, op);
    tsr_op_insert(op, block, NULL);
    for (size_t i = 0, at = 0; i < m->def->nresult; i++)
        for (size_t k = 0; k < m->out[i].n; k++, at++) {
            tsr_fb_define(m->s, m->out[i].data[k], &op->out[at]);
            if (m->out[i].data[k]->type == &tsr_fb_DeviceRef)
                m->s->held = &op->out[at];
        }
    return constant(m, op);
}

bool tsr_fb_op_of(tsr_fb_state *s, const tsr_fb_value *v, tsr_loc loc, tsr_block *block)
{
    made m = {.s = s, .table = v->table};
    s->c.loc = loc;
    m.def = row_of(s, v->table, &m.map);
    if (!m.def)
        return tsr_error(s->c.ctx, loc, "byte %u: %s is no op that TTNN has here", v->table->at,
                         v->table->type->name);
    tsr_assert(m.def->narg <= MOST_GROUPS && m.def->nresult <= MOST_GROUPS &&
                   m.def->nslot <= MOST_SLOTS,
               "%s is too large", m.def->name.data);
    bool ok =
        read_fields(&m, v->table) && add_device(&m) && check_groups(&m) && build(&m, loc, block);
    for (size_t i = 0; i < MOST_GROUPS; i++) {
        tsr_vec_free(&m.in[i]);
        tsr_vec_free(&m.out[i]);
    }
    return ok;
}
