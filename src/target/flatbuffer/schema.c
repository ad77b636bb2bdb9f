/* SPDX-License-Identifier: Apache-2.0 */
/* schema.c - the schema's rows as constant tables, and access to trees by the names of fields. */
#include "target/flatbuffer/flatbuffer.h"

#define PLAIN(id, what, bytes) \
    const tsr_fb_type tsr_fb_##id = {#id, TSR_FB_##what, bytes, bytes, false, NULL, NULL};
PLAIN(bool, BOOL, 1)
PLAIN(i8, INT, 1)
PLAIN(u8, UINT, 1)
PLAIN(i16, INT, 2)
PLAIN(u16, UINT, 2)
PLAIN(i32, INT, 4)
PLAIN(u32, UINT, 4)
PLAIN(i64, INT, 8)
PLAIN(u64, UINT, 8)
PLAIN(f32, FLOAT, 4)
PLAIN(f64, FLOAT, 8)
PLAIN(string, STRING, 4)
#undef PLAIN

/* Fields of each row. */
#define ENUM(name, base, flags) static const tsr_fb_field fields_##name[] = {
#define STRUCT(name, size, align) static const tsr_fb_field fields_##name[] = {
#define UNION(name) static const tsr_fb_field fields_##name[] = {
#define TABLE(name) static const tsr_fb_field fields_##name[] = {
#define WORD(name, number) {#name, NULL, TSR_FB_ONE, number},
#define MEMBER(name, type, offset) {#name, &tsr_fb_##type, TSR_FB_ONE, offset},
#define CASE(word, table) {#word, &tsr_fb_##table, TSR_FB_ONE, 0},
#define FIELD(name, type) {#name, &tsr_fb_##type, TSR_FB_ONE, 0},
#define FIELD_IS(name, type, value) {#name, &tsr_fb_##type, TSR_FB_ONE, value},
#define MAYBE(name, type) {#name, &tsr_fb_##type, TSR_FB_MAYBE, 0},
#define LIST(name, type) {#name, &tsr_fb_##type, TSR_FB_LIST, 0},
#define END                       \
    {                             \
        NULL, NULL, TSR_FB_ONE, 0 \
    }                             \
    }                             \
    ;
#include "target/flatbuffer/schema.def"

/* The rows. */
enum { SIZE_u8 = 1, SIZE_u16 = 2, SIZE_u32 = 4 };
enum { BITS = 1 };
#define ENUM(id, of, flags)           \
    const tsr_fb_type tsr_fb_##id = { \
        #id, TSR_FB_ENUM, SIZE_##of, SIZE_##of, (flags) == BITS, &tsr_fb_##of, fields_##id};
#define STRUCT(id, size, align) \
    const tsr_fb_type tsr_fb_##id = {#id, TSR_FB_STRUCT, size, align, false, NULL, fields_##id};
#define UNION(id) \
    const tsr_fb_type tsr_fb_##id = {#id, TSR_FB_UNION, 4, 4, false, NULL, fields_##id};
#define TABLE(id) \
    const tsr_fb_type tsr_fb_##id = {#id, TSR_FB_TABLE, 4, 4, false, NULL, fields_##id};
#include "target/flatbuffer/schema.def"

/* tt-mlir's loaders compare the hash: SHA-256 of the header that its flatc (google/flatbuffers fb9afbafc7df) embeds the
 * schema in, here of the revision of schema.def. */
const tsr_fb_file tsr_fb_files[] = {
    [TSR_FB_TTNN] = {&tsr_fb_TTNNBinary, "TTNN",
                     "f36068002aa895e8e8abb85f8ea0b818812a4ffa7f2c24f3ede1df3183dd6478"},
    [TSR_FB_TTSY] = {&tsr_fb_SystemDescRoot, "TTSY",
                     "92f6a8a87b72abd510d53425c6cd90ab2e8ba161928ee94c8bdd6680f51d9cdb"},
    [TSR_FB_TTM] = {&tsr_fb_TTMetalBinary, "TTM0",
                    "dcfff37afffdddc22dde3c9e85e6a364193fdf761495360696b1dbe3376dc696"},
    {NULL, NULL, NULL},
};

const tsr_fb_file *tsr_fb_file_of(tsr_str data)
{
    for (const tsr_fb_file *f = tsr_fb_files; f->root; f++)
        if (data.len >= 12 && memcmp(data.data + 8, f->identifier, 4) == 0)
            return f;
    return NULL;
}

/* ---- Scalars ---- */

int64_t tsr_fb_load(const tsr_fb_type *type, const char *p)
{
    const tsr_fb_type *t = tsr_fb_base(type);
    uint64_t v = 0;
    for (size_t i = t->size; i-- > 0;)
        v = v << 8 | (unsigned char)p[i];
    uint64_t sign = (uint64_t)1 << (t->size * 8 - 1);
    return t->kind == TSR_FB_INT && t->size < 8 ? (int64_t)((v ^ sign) - sign) : (int64_t)v;
}

double tsr_fb_load_float(const tsr_fb_type *type, const char *p)
{
    uint64_t bits = (uint64_t)tsr_fb_load(type, p);
    uint32_t half = (uint32_t)bits;
    double d;
    float f;
    memcpy(&d, &bits, sizeof d);
    memcpy(&f, &half, sizeof f);
    return type->size == 4 ? (double)f : d;
}

void tsr_fb_store(const tsr_fb_type *type, int64_t v, char *out)
{
    for (size_t i = 0; i < type->size; i++)
        out[i] = (char)((uint64_t)v >> (8 * i));
}

const char *tsr_fb_word(const tsr_fb_type *type, int64_t number)
{
    for (const tsr_fb_field *f = type->fields; f->name; f++)
        if ((int64_t)f->value == number)
            return f->name;
    return NULL;
}

int64_t tsr_fb_number(const tsr_fb_type *type, tsr_str word)
{
    int i = tsr_fb_find(type, word);
    return i < 0 ? -1 : (int64_t)type->fields[i].value;
}

/* ---- Trees ---- */

size_t tsr_fb_count(const tsr_fb_type *type)
{
    size_t n = 0;
    while (type->fields[n].name)
        n++;
    return n;
}

int tsr_fb_find(const tsr_fb_type *type, tsr_str name)
{
    for (int i = 0; type->fields[i].name; i++)
        if (tsr_str_is(name, type->fields[i].name))
            return i;
    return -1;
}

tsr_fb_table *tsr_fb_table_new(tsr_arena *a, const tsr_fb_type *type)
{
    tsr_fb_table *t = tsr_arena_zalloc(a, sizeof *t + tsr_fb_count(type) * sizeof(tsr_fb_value));
    t->type = type;
    t->nodes = 1;
    return t;
}

const tsr_fb_value *tsr_fb_get(const tsr_fb_table *t, const char *name)
{
    int i = tsr_fb_find(t->type, (tsr_str){name, strlen(name)});
    tsr_assert(i >= 0, "%s has no field %s", t->type->name, name);
    return &t->fields[i];
}

tsr_fb_value *tsr_fb_at(tsr_fb_table *t, const char *name)
{
    return (tsr_fb_value *)tsr_fb_get(t, name);
}

int64_t tsr_fb_int(const tsr_fb_table *t, const char *name)
{
    const tsr_fb_value *v = tsr_fb_get(t, name);
    return v->set ? v->i : (int64_t)t->type->fields[v - t->fields].value;
}

tsr_fb_table *tsr_fb_sub(const tsr_fb_table *t, const char *name)
{
    const tsr_fb_value *v = t ? tsr_fb_get(t, name) : NULL;
    return v && v->set ? v->table : NULL;
}

tsr_str tsr_fb_text(const tsr_fb_table *t, const char *name)
{
    const tsr_fb_value *v = t ? tsr_fb_get(t, name) : NULL;
    return v && v->set ? v->s : (tsr_str){"", 0};
}

void tsr_fb_set_int(tsr_fb_table *t, const char *name, int64_t v)
{
    tsr_fb_value *f = tsr_fb_at(t, name);
    f->i = v;
    f->set = true;
}

void tsr_fb_set_text(tsr_fb_table *t, const char *name, tsr_str s)
{
    tsr_fb_value *f = tsr_fb_at(t, name);
    f->s = s;
    f->set = true;
}

void tsr_fb_set_sub(tsr_fb_table *t, const char *name, tsr_fb_table *sub)
{
    tsr_fb_value *f = tsr_fb_at(t, name);
    f->table = sub;
    f->set = sub != NULL;
}

tsr_fb_table *tsr_fb_add_sub(tsr_arena *a, tsr_fb_table *t, const char *name)
{
    tsr_fb_value *f = tsr_fb_at(t, name);
    f->table = tsr_fb_table_new(a, t->type->fields[f - t->fields].type);
    f->set = true;
    return f->table;
}

tsr_fb_value *tsr_fb_set_list(tsr_arena *a, tsr_fb_table *t, const char *name, size_t n)
{
    tsr_fb_value *f = tsr_fb_at(t, name);
    f->items = TSR_NEW_ARRAY(a, tsr_fb_value, n ? n : 1);
    f->n = n;
    f->set = true;
    return f->items;
}

/* The number type that a list or a struct consists of: that of its first member, recursively. */
static const tsr_fb_type *number_of(const tsr_fb_type *t)
{
    while (t->kind == TSR_FB_STRUCT)
        t = t->fields[0].type;
    return t;
}

void tsr_fb_set_ints(tsr_arena *a, tsr_fb_table *t, const char *name, const int64_t *v, size_t n)
{
    tsr_fb_value *f = tsr_fb_at(t, name);
    const tsr_fb_type *elem = number_of(t->type->fields[f - t->fields].type);
    char *bytes = tsr_arena_alloc(a, n * elem->size + 1);
    for (size_t i = 0; i < n; i++)
        tsr_fb_store(elem, v[i], bytes + i * elem->size);
    f->s = (tsr_str){bytes, n * elem->size};
    f->set = true;
}

size_t tsr_fb_nints(const tsr_fb_table *t, const char *name)
{
    const tsr_fb_value *f = tsr_fb_get(t, name);
    return f->set ? f->s.len / number_of(t->type->fields[f - t->fields].type)->size : 0;
}

int64_t tsr_fb_int_at(const tsr_fb_table *t, const char *name, size_t i)
{
    const tsr_fb_value *f = tsr_fb_get(t, name);
    const tsr_fb_type *elem = number_of(t->type->fields[f - t->fields].type);
    return tsr_fb_load(elem, f->s.data + i * elem->size);
}

void tsr_fb_stamp(const tsr_fb_file *file, tsr_fb_table *root)
{
    static const char version[8] = {TSR_FB_MAJOR, 0, TSR_FB_MINOR, 0, TSR_FB_PATCH, 0, 0, 0};
    tsr_fb_set_text(root, "version", (tsr_str){version, sizeof version});
    tsr_fb_set_text(root, "schema_hash", (tsr_str){file->hash, strlen(file->hash)});
    tsr_fb_set_text(root, "ttmlir_git_hash", TSR_STR(TSR_FB_GIT_HASH));
}
