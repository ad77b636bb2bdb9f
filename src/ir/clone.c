/* SPDX-License-Identifier: Apache-2.0 */
/* clone.c - deep copies of ops, within a module or into another one of the same context.
 *
 * An operand may be defined after its use (graph regions, blocks out of order). Such operands are recorded and set at
 * the end, when every value has its copy. Large dense data belongs to a module, so a copy in another module gets its
 * own, or borrows it from a module that outlives the copy. */
#include "ir/ir.h"

/* ---- Mapping: tsr_hash_ptr is one-to-one, so the hash is the key ---- */

static void *map_get(const tsr_map *map, const void *from)
{
    TSR_MAP_EACH (map, tsr_hash_ptr(from), v)
        return v;
    return NULL;
}

void tsr_mapping_put(tsr_mapping *map, const void *from, void *to)
{
    uint64_t hash = tsr_hash_ptr(from);
    TSR_MAP_EACH (&map->values, hash, v) {
        v_e->value = to;
        return;
    }
    tsr_map_put(&map->values, hash, to);
}

tsr_value *tsr_mapping_get(const tsr_mapping *map, tsr_value *from)
{
    tsr_value *to = map_get(&map->values, from);
    return to ? to : from;
}

void tsr_mapping_free(tsr_mapping *map)
{
    tsr_map_free(&map->values);
    tsr_map_free(&map->blocks);
}

/* ---- Attributes ---- */

static bool holds_owned(const tsr_attr *a)
{
    if (!a)
        return false;
    switch (a->kind) {
    case TSR_ATTR_DENSE: return a->s.len > TSR_DENSE_OWNED;
    case TSR_ATTR_DICT:
        for (uint32_t i = 0; i < a->n; i++)
            if (holds_owned(a->named[i].value))
                return true;
        return false;
    case TSR_ATTR_ARRAY:
    case TSR_ATTR_STRUCT:
    case TSR_ATTR_SPARSE:
        for (uint32_t i = 0; i < a->n; i++)
            if (holds_owned(a->attrs[i]))
                return true;
        return false;
    default: return false;
    }
}

/* The attribute, with large data belonging to m, or borrowed. */
static tsr_attr *copy_attr(tsr_module *m, tsr_attr *a, bool borrow)
{
    tsr_ctx *ctx = m->ctx;
    if (!holds_owned(a))
        return a;
    if (a->kind == TSR_ATTR_DENSE)
        return (borrow ? tsr_attr_dense_borrowed : tsr_attr_dense)(ctx, m, a->type, a->s.data,
                                                                   a->s.len, a->sub);
    tsr_attr *copy;
    if (a->kind == TSR_ATTR_DICT) {
        tsr_named *named = tsr_xmalloc(a->n * sizeof *named);
        for (uint32_t i = 0; i < a->n; i++)
            named[i] = (tsr_named){a->named[i].name, copy_attr(m, a->named[i].value, borrow)};
        copy = tsr_attr_dict(ctx, named, a->n);
        tsr_free(named);
        return copy;
    }
    tsr_attr **attrs = tsr_xmalloc(a->n * sizeof *attrs);
    for (uint32_t i = 0; i < a->n; i++)
        attrs[i] = copy_attr(m, a->attrs[i], borrow);
    if (a->kind == TSR_ATTR_ARRAY)
        copy = tsr_attr_array(ctx, attrs, a->n);
    else if (a->kind == TSR_ATTR_STRUCT)
        copy = tsr_attr_struct(ctx, a->def, attrs);
    else
        copy = tsr_attr_sparse(ctx, a->type, attrs[0], attrs[1]);
    tsr_free(attrs);
    return copy;
}

/* ---- Ops ---- */

typedef struct {
    tsr_module *m;
    tsr_mapping *map;
    bool other; /* into another module */
    TSR_VEC(tsr_value *) in;
    TSR_VEC(tsr_type *) types;
    TSR_VEC(tsr_use *) later; /* operands whose definition was not yet copied */
} cloner;

static tsr_op *clone_shell(cloner *c, tsr_op *op)
{
    c->in.n = c->types.n = 0;
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&c->in, tsr_mapping_get(c->map, op->in[i].value));
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&c->types, op->out[i].type);
    tsr_op *copy = tsr_op_new(c->m, op->def, op->loc, c->in.data, op->nin, c->types.data, op->nout,
                              op->nregion, op->nsucc);
    for (uint32_t i = 0; i < op->nin; i++)
        if (copy->in[i].value == op->in[i].value)
            tsr_vec_push(&c->later, &copy->in[i]);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_mapping_put(c->map, &op->out[i], &copy->out[i]);
    for (uint16_t i = 0; i < op->def->nslot; i++)
        copy->attrs[i] = c->other ? copy_attr(c->m, op->attrs[i], c->map->borrow) : op->attrs[i];
    copy->extra = c->other ? copy_attr(c->m, op->extra, c->map->borrow) : op->extra;
    for (uint16_t i = 0; i < op->nsucc; i++) {
        tsr_block *to = map_get(&c->map->blocks, op->succ[i]);
        tsr_assert(to || !c->other, "'%.*s': its successor %u has no copy",
                   TSR_STR_ARG(op->def->name), i);
        copy->succ[i] = to ? to : op->succ[i];
        copy->nsuccin[i] = op->nsuccin[i];
    }
    return copy;
}

/* Empty copies of a region's blocks, so that branches can refer to them. */
static void clone_blocks(cloner *c, tsr_region *from, tsr_region *to)
{
    TSR_REGION_BLOCKS (from, b) {
        tsr_block *copy = tsr_block_new(c->m);
        for (uint32_t i = 0; i < b->nargs; i++)
            tsr_mapping_put(c->map, b->args[i],
                            tsr_block_add_arg(c->m, copy, b->args[i]->type, b->arg_locs[i]));
        tsr_block_insert(copy, to, NULL);
        tsr_map_put(&c->map->blocks, tsr_hash_ptr(b), copy);
    }
}

tsr_op *tsr_op_clone(tsr_module *m, tsr_op *root, tsr_mapping *map)
{
    tsr_assert(m->ctx == root->module->ctx, "'%.*s' is copied into another context",
               TSR_STR_ARG(root->def->name));
    cloner c = {.m = m, .map = map, .other = m != root->module};
    uint32_t blocks = map->blocks.n;
    tsr_op *copy = NULL;
    TSR_OPS (root, op) {
        tsr_op *to = clone_shell(&c, op);
        for (uint16_t r = 0; r < op->nregion; r++)
            clone_blocks(&c, &op->regions[r], &to->regions[r]);
        if (op == root)
            copy = to;
        else
            tsr_op_insert(to, map_get(&map->blocks, op->block), NULL);
    }
    for (size_t i = 0; i < c.later.n; i++) {
        tsr_use *use = c.later.data[i];
        tsr_assert(!c.other || map_get(&map->values, use->value),
                   "'%.*s' is copied without the value of operand %zu",
                   TSR_STR_ARG(use->user->def->name), (size_t)(use - use->user->in));
        tsr_op_set_operand(use->user, (size_t)(use - use->user->in),
                           tsr_mapping_get(map, use->value));
    }
    /* A second clone of the same op with this mapping creates new blocks. */
    tsr_map_truncate(&map->blocks, blocks);
    tsr_vec_free(&c.in);
    tsr_vec_free(&c.types);
    tsr_vec_free(&c.later);
    return copy;
}

static tsr_module *copy_module(tsr_module *m, bool borrow)
{
    tsr_module *copy = tsr_module_new(m->ctx);
    tsr_mapping map = {.borrow = borrow};
    if (m->op)
        copy->op = tsr_op_clone(copy, m->op, &map);
    tsr_mapping_free(&map);
    for (size_t i = 0; i < m->resources.n; i++) {
        tsr_resource r = m->resources.data[i];
        if (!borrow)
            r.data.data = tsr_arena_copy(&copy->arena, r.data.data, r.data.len);
        r.value = copy_attr(copy, r.value, borrow);
        tsr_vec_push(&copy->resources, r);
    }
    for (size_t i = 0; i < m->aliases.n; i++)
        tsr_vec_push(&copy->aliases, m->aliases.data[i]);
    copy->verified = m->verified;
    return copy;
}

tsr_module *tsr_module_copy(tsr_module *m)
{
    return copy_module(m, false);
}

tsr_module *tsr_module_copy_borrowed(tsr_module *m)
{
    return copy_module(m, true);
}

void tsr_module_restore(tsr_module *m, tsr_module *copy)
{
    tsr_mapping map = {0};
    tsr_op *fresh = tsr_op_clone(m, copy->op, &map), *op = m->op;
    tsr_mapping_free(&map);
    while (op->regions[0].last)
        tsr_block_erase(op->regions[0].last);
    tsr_region_take(&op->regions[0], &fresh->regions[0]);
    memcpy(op->attrs, fresh->attrs, op->def->nslot * sizeof(tsr_attr *));
    op->extra = fresh->extra;
    op->loc = fresh->loc;
    tsr_op_erase(fresh);
    m->verified = copy->verified;
}
