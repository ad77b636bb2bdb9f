/* SPDX-License-Identifier: Apache-2.0 */
/* ctx.c - the context: names, registered definitions, checkpoints.
 *
 * Everything interned is in the arena and is found through a map that keeps the order of insertion; so a checkpoint is
 * a mark in the arena and a count per map. */
#include "ir/ir.h"

struct tsr_checkpoint {
    tsr_arena_mark mark;
    uint32_t names, types, attrs, affines, opdefs, attrdefs;
    size_t dialects, open, files;
    const tsr_opdef *rows;
    bool has_aliased;
};

/* ---- Names ---- */

const tsr_name *tsr_name_get(tsr_ctx *ctx, tsr_str s)
{
    if (ctx->last_name && tsr_str_eq(ctx->last_name->str, s))
        return ctx->last_name;
    uint64_t hash = tsr_hash_str(s);
    TSR_MAP_EACH (&ctx->names, hash, v)
        if (tsr_str_eq(((tsr_name *)v)->str, s))
            return ctx->last_name = v;
    tsr_name *name = TSR_NEW(&ctx->arena, tsr_name);
    char *data = tsr_arena_alloc(&ctx->arena, s.len + 1);
    if (s.len)
        memcpy(data, s.data, s.len);
    data[s.len] = 0;
    name->str = tsr_str_of(data, s.len);
    name->hash = hash;
    tsr_map_put(&ctx->names, hash, name);
    return name;
}

/* ---- Definitions ---- */

/* Whether the row's dialect was unregistered. */
static bool is_forgotten(tsr_ctx *ctx, const tsr_opdef *def)
{
    for (size_t i = 0; i < ctx->forgotten.n; i++)
        if (def->opcode != TSR_UNREGISTERED &&
            tsr_str_eq(tsr_opdef_dialect(def), ctx->forgotten.data[i]))
            return true;
    return false;
}

const tsr_opdef *tsr_opdef_find(tsr_ctx *ctx, tsr_str name)
{
    TSR_MAP_EACH (&ctx->opdefs, tsr_hash_str(name), v) {
        tsr_opdef *def = v;
        if (tsr_str_eq(def->name, name) && !is_forgotten(ctx, def))
            return def->opcode == TSR_UNREGISTERED ? NULL : def;
    }
    return NULL;
}

const tsr_opdef *tsr_opdef_get(tsr_ctx *ctx, tsr_str name)
{
    static const tsr_slotdef properties = {.name = "", .need = TSR_ATTR_OPTIONAL};
    uint64_t hash = tsr_hash_str(name);
    TSR_MAP_EACH (&ctx->opdefs, hash, v)
        if (tsr_str_eq(((tsr_opdef *)v)->name, name) && !is_forgotten(ctx, v))
            return v;
    tsr_opdef *def = TSR_NEW(&ctx->arena, tsr_opdef);
    def->name = tsr_name_get(ctx, name)->str;
    def->opcode = TSR_UNREGISTERED;
    def->dialect = tsr_dialect_number(ctx, tsr_opdef_dialect(def));
    def->slots = &properties;
    def->nslot = 1;
    tsr_map_put(&ctx->opdefs, hash, def);
    return def;
}

static uint64_t attrdef_hash(tsr_str name, bool is_type)
{
    return tsr_hash_mix(tsr_hash_str(name), is_type);
}

const tsr_attrdef *tsr_attrdef_find(tsr_ctx *ctx, tsr_str name, bool is_type)
{
    TSR_MAP_EACH (&ctx->attrdefs, attrdef_hash(name, is_type), v) {
        const tsr_attrdef *def = v;
        if (((def->flags & TSR_DEF_TYPE) != 0) == is_type && tsr_str_is(name, def->name))
            return def;
    }
    return NULL;
}

static bool has_dialect(const tsr_str *names, size_t n, tsr_str dialect)
{
    for (size_t i = 0; i < n; i++)
        if (tsr_str_eq(names[i], dialect))
            return true;
    return false;
}

uint8_t tsr_dialect_number(const tsr_ctx *ctx, tsr_str dialect)
{
    for (size_t i = 0; i < ctx->dialects.n; i++)
        if (tsr_str_eq(ctx->dialects.data[i], dialect))
            return (uint8_t)(i + 1);
    return 0;
}

bool tsr_dialect_known(tsr_ctx *ctx, tsr_str dialect)
{
    return tsr_dialect_number(ctx, dialect) != 0;
}

bool tsr_dialect_open(tsr_ctx *ctx, tsr_str dialect)
{
    return has_dialect(ctx->open.data, ctx->open.n, dialect);
}

void tsr_ctx_register_dialect(tsr_ctx *ctx, const char *name, bool open)
{
    if (tsr_dialect_known(ctx, tsr_cstr(name)))
        return;
    tsr_assert(ctx->dialects.n < UINT8_MAX, "%zu dialects", ctx->dialects.n);
    tsr_vec_push(&ctx->dialects, tsr_cstr(name));
    if (open)
        tsr_vec_push(&ctx->open, tsr_cstr(name));
}

void tsr_ctx_forget_dialect(tsr_ctx *ctx, const char *name)
{
    for (size_t i = 0; i < ctx->dialects.n; i++)
        if (tsr_str_is(ctx->dialects.data[i], name))
            ctx->dialects.data[i] = TSR_STR("");
    tsr_vec_push(&ctx->forgotten, tsr_cstr(name));
}

void tsr_ctx_register_attrdef(tsr_ctx *ctx, const tsr_attrdef *def)
{
    tsr_check(!tsr_attrdef_find(ctx, tsr_cstr(def->name), (def->flags & TSR_DEF_TYPE) != 0),
              "'%s' is defined twice", def->name);
    tsr_map_put(&ctx->attrdefs, attrdef_hash(tsr_cstr(def->name), (def->flags & TSR_DEF_TYPE) != 0),
                (void *)def);
}

void tsr_ctx_register_ops(tsr_ctx *ctx, const tsr_opdef *defs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        tsr_assert(defs[i].nslot <= 64, "'%.*s': %u attributes, but sets of them have 64 bits",
                   TSR_STR_ARG(defs[i].name), defs[i].nslot);
        tsr_check(!tsr_opdef_find(ctx, defs[i].name), "'%.*s' has two rows",
                  TSR_STR_ARG(defs[i].name));
        tsr_map_put(&ctx->opdefs, tsr_hash_str(defs[i].name), (void *)&defs[i]);
    }
    ctx->rows = defs;
}

/* ---- Life ---- */

tsr_ctx *tsr_ctx_new_empty(void)
{
    tsr_ctx *ctx = tsr_xmalloc(sizeof *ctx);
    memset(ctx, 0, sizeof *ctx);
    tsr_arena_init(&ctx->arena);
    ctx->i1 = tsr_type_integer(ctx, 1, TSR_SIGNLESS);
    ctx->i32 = tsr_type_integer(ctx, 32, TSR_SIGNLESS);
    ctx->i64 = tsr_type_integer(ctx, 64, TSR_SIGNLESS);
    ctx->index = tsr_type_index(ctx);
    ctx->none = tsr_type_none(ctx);
    return ctx;
}

static void drop_formats(tsr_ctx *ctx)
{
    if (ctx->free_formats)
        ctx->free_formats(ctx);
    ctx->formats = NULL;
}

void tsr_ctx_free(tsr_ctx *ctx)
{
    if (!ctx)
        return;
#ifdef TSR_CHECKS
    tsr_ctx_check_invariants(ctx);
#endif
    drop_formats(ctx);
    tsr_map_free(&ctx->names);
    tsr_map_free(&ctx->types);
    tsr_map_free(&ctx->attrs);
    tsr_map_free(&ctx->affines);
    tsr_map_free(&ctx->opdefs);
    tsr_map_free(&ctx->attrdefs);
    tsr_vec_free(&ctx->dialects);
    tsr_vec_free(&ctx->forgotten);
    tsr_vec_free(&ctx->open);
    tsr_vec_free(&ctx->files);
    tsr_arena_free(&ctx->arena);
    tsr_pool_free(&ctx->pool);
    tsr_free(ctx);
    tsr_memory_trim();
}

void tsr_ctx_keep(const tsr_ctx *ctx)
{
    tsr_keep(ctx);
    tsr_map_keep(&ctx->names);
    tsr_map_keep(&ctx->types);
    tsr_map_keep(&ctx->attrs);
    tsr_map_keep(&ctx->affines);
    tsr_map_keep(&ctx->opdefs);
    tsr_map_keep(&ctx->attrdefs);
    tsr_keep(ctx->dialects.data);
    tsr_keep(ctx->forgotten.data);
    tsr_keep(ctx->open.data);
    tsr_keep(ctx->files.data);
    tsr_arena_keep(&ctx->arena);
    tsr_pool_keep(&ctx->pool);
    if (ctx->formats)
        ctx->keep_formats(ctx);
}

void tsr_ctx_set_budget(tsr_ctx *ctx, const tsr_budget *budget)
{
    if (ctx)
        ctx->budget = budget ? *budget : (tsr_budget){0};
}

void tsr_ctx_cancel(tsr_ctx *ctx, bool cancel)
{
    if (ctx)
        atomic_store(&ctx->cancelled, cancel);
}

void tsr_ctx_on_diag(tsr_ctx *ctx, tsr_diag_fn *fn, void *user)
{
    if (!ctx)
        return;
    ctx->on_diag = fn;
    ctx->diag_user = user;
}

void tsr_ctx_allow_unregistered(tsr_ctx *ctx, bool allow)
{
    if (ctx)
        ctx->allow_unregistered = allow;
}

/* ---- Checkpoints ---- */

tsr_checkpoint *tsr_ctx_checkpoint(tsr_ctx *ctx)
{
    tsr_checkpoint *c = ctx ? tsr_malloc(sizeof *c) : NULL;
    if (!c)
        return NULL;
    *c = (tsr_checkpoint){
        .mark = tsr_arena_save(&ctx->arena),
        .names = ctx->names.n,
        .types = ctx->types.n,
        .attrs = ctx->attrs.n,
        .affines = ctx->affines.n,
        .opdefs = ctx->opdefs.n,
        .attrdefs = ctx->attrdefs.n,
        .dialects = ctx->dialects.n,
        .open = ctx->open.n,
        .files = ctx->files.n,
        .rows = ctx->rows,
        .has_aliased = ctx->has_aliased,
    };
    return c;
}

void tsr_ctx_rewind(tsr_ctx *ctx, tsr_checkpoint *c)
{
    if (!ctx || !c)
        return;
    tsr_assert(c->names <= ctx->names.n && c->types <= ctx->types.n && c->attrs <= ctx->attrs.n &&
                   c->affines <= ctx->affines.n && c->opdefs <= ctx->opdefs.n,
               "a context is rewound to a mark that an earlier rewind dropped");
    drop_formats(ctx);
    tsr_map_truncate(&ctx->names, c->names);
    tsr_map_truncate(&ctx->types, c->types);
    tsr_map_truncate(&ctx->attrs, c->attrs);
    tsr_map_truncate(&ctx->affines, c->affines);
    tsr_map_truncate(&ctx->opdefs, c->opdefs);
    tsr_map_truncate(&ctx->attrdefs, c->attrdefs);
    ctx->dialects.n = c->dialects;
    ctx->open.n = c->open;
    ctx->files.n = c->files;
    ctx->rows = c->rows;
    ctx->has_aliased = c->has_aliased;
    /* A type older than the checkpoint may have been printed since: its cached text goes with the arena. */
    for (uint32_t i = 0; i < ctx->types.n; i++)
        ((tsr_type *)ctx->types.entries[i].value)->text = (tsr_str){0};
    ctx->source_file = NULL;
    ctx->source = (tsr_str){0};
    memset(ctx->dict_changes, 0, sizeof ctx->dict_changes);
    ctx->last_name = NULL;
    tsr_arena_rewind(&ctx->arena, c->mark);
    tsr_free(c);
}
