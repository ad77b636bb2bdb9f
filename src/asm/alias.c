/* SPDX-License-Identifier: Apache-2.0 */
/* alias.c - which attributes and types print as #name or !name, in which order, and with which number.
 *
 * As in MLIR: affine maps are #map, integer sets #set, locations #loc, distinct attributes #distinct, tuples of more
 * than sixteen types !tuple; a thing of an unknown dialect that had an alias keeps it. Aliases are ordered by nesting,
 * types first, then by name; equal names are numbered by first use. */
#include <stdlib.h>

#include "base/char.h"
#include "asm/writer.h"

enum { LARGE_TUPLE = 16 };

void tsr_aliases_init(tsr_aliases *s, const tsr_module *m)
{
    memset(s, 0, sizeof *s);
    tsr_arena_init(&s->arena);
    for (size_t i = 0; i < m->aliases.n;
         i++) { /* of two names for one thing the first is found first */
        tsr_alias *a = &m->aliases.data[i];
        tsr_map_put(&s->kept, tsr_hash_ptr(a->type ? (const void *)a->type : (const void *)a->attr),
                    a);
    }
}

void tsr_aliases_free(tsr_aliases *s)
{
    for (size_t i = 0; i < s->map.n; i++)
        tsr_vec_free(&((tsr_alias_entry *)s->map.entries[i].value)->children);
    tsr_map_free(&s->map);
    tsr_map_free(&s->kept);
    tsr_vec_free(&s->entries);
    tsr_vec_free(&s->open);
    tsr_arena_free(&s->arena);
}

static tsr_alias_entry *find(const tsr_aliases *s, const void *thing)
{
    TSR_MAP_EACH (&s->map, tsr_hash_ptr(thing), v) {
        tsr_alias_entry *e = v;
        if (e->thing == thing)
            return e;
    }
    return NULL;
}

/* The alias name that the definition of a dialect's attribute asks for. After a digit, '_' separates the number. */
static tsr_str name_of_def(const tsr_writer *w, const tsr_attr *a)
{
    const char *name = a->def->name, *end = name + strlen(name);
    if (!(a->def->flags & (TSR_DEF_ALIAS | TSR_DEF_ALIAS_LAST | TSR_DEF_ALIAS_NAME)))
        return (tsr_str){0};
    if (a->kind == TSR_ATTR_ENUM)
        name = a->def->cases[a->i], end = name + strlen(name);
    else if (a->def->flags & TSR_DEF_ALIAS)
        end = name + strcspn(name, "_.");
    else if (a->def->flags & TSR_DEF_ALIAS_NAME)
        name = strchr(name, '.') + 1;
    else
        name = strrchr(name, '_') ? strrchr(name, '_') + 1 : name;
    tsr_str s = {name, (size_t)(end - name)};
    if (!tsr_is_digit(end[-1]))
        return s;
    char *marked = tsr_arena_alloc(&w->aliases->arena, s.len + 1);
    memcpy(marked, s.data, s.len);
    marked[s.len] = '_';
    return (tsr_str){marked, s.len + 1};
}

static tsr_str wanted_name(const tsr_writer *w, const void *thing, bool is_type)
{
    TSR_MAP_EACH (&w->aliases->kept, tsr_hash_ptr(thing), v) {
        const tsr_alias *a = v;
        if (thing == (is_type ? (const void *)a->type : (const void *)a->attr))
            return a->name->str;
    }
    if (is_type) {
        const tsr_type *t = thing;
        return t->kind == TSR_TYPE_TUPLE && t->n > LARGE_TUPLE ? TSR_STR("tuple") : (tsr_str){0};
    }
    switch ((tsr_attr_kind)((const tsr_attr *)thing)->kind) {
    case TSR_ATTR_AFFINE_MAP: return TSR_STR("map");
    case TSR_ATTR_INTEGER_SET: return TSR_STR("set");
    case TSR_ATTR_LOC: return TSR_STR("loc");
    case TSR_ATTR_DISTINCT:
        return ((const tsr_attr *)thing)->attrs[0]->kind == TSR_ATTR_UNIT ? (tsr_str){0}
                                                                          : TSR_STR("distinct");
    case TSR_ATTR_STRUCT:
    case TSR_ATTR_ENUM: return name_of_def(w, thing);
    default: return (tsr_str){0};
    }
}

static void not_deferrable(tsr_alias_entry *e)
{
    if (!e->deferrable)
        return;
    e->deferrable = false;
    for (size_t i = 0; i < e->children.n; i++)
        not_deferrable(e->children.data[i]);
}

void tsr_alias_visit(tsr_writer *w, const void *thing, bool is_type)
{
    tsr_aliases *s = w->aliases;
    tsr_alias_entry *e = find(s, thing), *parent = s->open.n ? s->open.data[s->open.n - 1] : NULL;
    if (!e) {
        e = TSR_NEW(&s->arena, tsr_alias_entry);
        e->thing = thing;
        e->is_type = is_type;
        e->name = wanted_name(w, thing, is_type);
        e->deferrable = w->deferring;
        e->order = (uint32_t)s->entries.n;
        tsr_map_put(&s->map, tsr_hash_ptr(thing), e);
        tsr_vec_push(&s->entries, e);
        tsr_vec_push(&s->open, e);
        if (is_type)
            tsr_write_type_body(w, thing);
        else
            tsr_write_attr_body(w, thing, 0);
        s->open.n--;
    } else if (!w->deferring) {
        not_deferrable(e);
    }
    if (parent) {
        tsr_vec_push(&parent->children, e);
        uint32_t depth = e->name.data ? e->depth + 1 : e->depth;
        if (depth > parent->depth)
            parent->depth = depth;
    }
}

static int compare(const void *x, const void *y)
{
    const tsr_alias_entry *a = *(tsr_alias_entry *const *)x, *b = *(tsr_alias_entry *const *)y;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    if (a->is_type != b->is_type)
        return a->is_type ? -1 : 1;
    int c = tsr_str_cmp(a->name, b->name);
    return c ? c : (a->order > b->order) - (a->order < b->order);
}

typedef struct {
    tsr_str name;
    bool is_type;
    uint32_t count;
} name_count;

/* How often the entry's name was used so far. */
static uint32_t *count_of(tsr_aliases *s, tsr_map *counts, const tsr_alias_entry *e)
{
    uint64_t hash = tsr_hash_str(e->name) + e->is_type;
    TSR_MAP_EACH (counts, hash, v) {
        name_count *c = v;
        if (c->is_type == e->is_type && tsr_str_eq(c->name, e->name))
            return &c->count;
    }
    name_count *c = TSR_NEW(&s->arena, name_count);
    *c = (name_count){e->name, e->is_type, 0};
    tsr_map_put(counts, hash, c);
    return &c->count;
}

void tsr_aliases_finish(tsr_aliases *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->entries.n; i++)
        if (s->entries.data[i]->name.data)
            s->entries.data[n++] = s->entries.data[i];
    s->entries.n = n;
    if (n)
        qsort(s->entries.data, n, sizeof s->entries.data[0], compare);
    tsr_map counts = {0};
    for (size_t i = 0; i < n; i++) {
        tsr_alias_entry *e = s->entries.data[i];
        e->suffix = (*count_of(s, &counts, e))++;
    }
    tsr_map_free(&counts);
}

static void write_alias_name(tsr_writer *w, const tsr_alias_entry *e)
{
    tsr_buf_char(w->out, e->is_type ? '!' : '#');
    tsr_buf_str(w->out, e->name);
    if (!e->suffix)
        return;
    if (tsr_is_digit(e->name.data[e->name.len - 1]))
        tsr_buf_char(w->out, '_');
    tsr_buf_uint(w->out, e->suffix);
}

bool tsr_write_alias(tsr_writer *w, const void *thing, bool is_type)
{
    if (!w->aliases)
        return false;
    if (w->collecting) {
        tsr_alias_visit(w, thing, is_type);
        return true;
    }
    const tsr_alias_entry *e = find(w->aliases, thing);
    if (!e || !e->name.data)
        return false;
    write_alias_name(w, e);
    return true;
}

void tsr_write_alias_definitions(tsr_writer *w, bool deferred)
{
    tsr_aliases *s = w->aliases;
    for (size_t i = 0; s && i < s->entries.n; i++) {
        const tsr_alias_entry *e = s->entries.data[i];
        if (e->deferrable != deferred)
            continue;
        write_alias_name(w, e);
        tsr_buf_str(w->out, TSR_STR(" = "));
        if (e->is_type)
            tsr_write_type_body(w, e->thing);
        else
            tsr_write_attr_body(w, e->thing, 0);
        tsr_buf_char(w->out, '\n');
    }
}
