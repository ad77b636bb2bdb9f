/* SPDX-License-Identifier: Apache-2.0 */
/* advice.c - see advice.h. */
#include "shard/spmd/advice.h"

#include <math.h>

#include "base/decimal.h"
#include "shard/core/cost.h"

/* A mesh, and which of its axes divide something. */
typedef struct {
    const tsr_mesh *mesh;
    const tsr_op *op;
    bool *used; /* by axis */
} examined;

typedef struct {
    tsr_arena arena;
    tsr_shardings table;
    tsr_map meshes; /* examined, by mesh */
    tsr_map manual; /* names of axes of manual computations */
    bool any;       /* something is sharded */
    const tsr_op *func;
} adviser;

/* Elements of all shards including padding, relative to those of the tensor. 1: no padding. */
static double padded(const tsr_type *type, const tsr_sharding *s)
{
    double whole = 1, parts = 1;
    if (!s || !tsr_type_is(type, TSR_TYPE_TENSOR) || type->n != s->rank)
        return 1;
    for (uint32_t i = 0; i < type->n; i++) {
        double n = (double)type->dims[i], devices = (double)s->dims[i].axes->size;
        if (n <= 0)
            return 1;
        whole *= n;
        parts *= ceil(n / devices) * devices;
    }
    return parts / whole;
}

/* The first dimension that its devices do not divide; -1: none. */
static int64_t uneven(const tsr_type *type, const tsr_sharding *s)
{
    for (uint32_t i = 0; i < type->n; i++)
        if (type->dims[i] > 0 && type->dims[i] % s->dims[i].axes->size != 0)
            return i;
    return -1;
}

/* A dimension that is sharded but dynamic, and therefore not divided; -1: none. */
static int64_t unsized(const tsr_type *type, const tsr_sharding *s)
{
    if (!s || !tsr_type_is(type, TSR_TYPE_TENSOR) || type->n != s->rank)
        return -1;
    for (uint32_t i = 0; i < type->n; i++)
        if (type->dims[i] == TSR_DYNAMIC && s->dims[i].axes->size > 1)
            return i;
    return -1;
}

static void advise_value(adviser *a, const char *what, uint32_t index, const tsr_type *type,
                         tsr_attr *sharding, tsr_loc loc)
{
    const tsr_sharding *s = tsr_sharding_decode(&a->table, sharding);
    int64_t open = unsized(type, s);
    if (open >= 0)
        tsr_emit(a->func->module->ctx, TSR_REMARK, loc,
                 "%s %u: dimension %lld is sharded and has no known size: every device gets all of "
                 "it (--stablehlo-refine-arguments gives it one)",
                 what, index, (long long)open);
    double ratio = padded(type, s);
    int64_t d = ratio > 1 ? uneven(type, s) : -1;
    if (d < 0)
        return;
    tsr_emit(a->func->module->ctx, TSR_REMARK, loc,
             "%s %u: dimension %lld has %lld elements, which %lld devices do not divide: %s %% of "
             "what they hold is padding",
             what, index, (long long)d, (long long)type->dims[d], (long long)s->dims[d].axes->size,
             tsr_spell('f', 0, 1, 100 * (1 - 1 / ratio)).text);
}

static examined *examined_of(const adviser *a, const tsr_mesh *mesh)
{
    TSR_MAP_EACH (&a->meshes, tsr_hash_ptr(mesh), x)
        if (((examined *)x)->mesh == mesh)
            return x;
    return NULL;
}

static void mark(examined *x, const tsr_axes *axes)
{
    for (uint32_t i = 0; axes && i < axes->n; i++)
        x->used[axes->data[i].axis] = true;
}

static void mark_value(adviser *a, const tsr_value *v)
{
    tsr_attr *attr = tsr_sdy_sharding_of(v);
    const tsr_sharding *s = attr ? tsr_sharding_decode(&a->table, attr) : NULL;
    if (!s)
        return;
    a->any |= s->sharded || s->unreduced->n;
    examined *x = examined_of(a, s->mesh);
    if (!x)
        return;
    mark(x, s->unreduced);
    for (uint32_t i = 0; i < s->rank; i++)
        mark(x, s->dims[i].axes);
}
/* The axes of manual computations, by name. */
static void mark_manual(adviser *a, const tsr_op *op)
{
    const tsr_attr *list = tsr_sdy_manual_axes(op);
    for (uint32_t i = 0; list && i < list->n; i++) {
        bool known = false;
        TSR_MAP_EACH (&a->manual, tsr_hash_ptr(list->attrs[i]), name)
            known |= name == list->attrs[i];
        if (!known)
            tsr_map_put(&a->manual, tsr_hash_ptr(list->attrs[i]), list->attrs[i]);
    }
}

static void mark_all(adviser *a)
{
    TSR_OPS (a->func->module->op, op) {
        mark_manual(a, op);
        for (uint32_t i = 0; i < op->nout; i++)
            mark_value(a, &op->out[i]);
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                for (uint32_t i = 0; i < b->nargs; i++)
                    mark_value(a, b->args[i]);
    }
    for (uint32_t m = 0; m < a->meshes.n; m++) {
        examined *x = a->meshes.entries[m].value;
        for (uint32_t i = 0; i < a->manual.n; i++)
            for (uint32_t k = 0; k < x->mesh->naxis; k++)
                if (tsr_str_eq(((const tsr_attr *)a->manual.entries[i].value)->s,
                               tsr_mesh_axis_name(x->mesh, k)->s))
                    a->any = x->used[k] = true;
    }
}

/* Axes that divide nothing: their devices all do the same work. */
static void advise_mesh(const adviser *a, const examined *x)
{
    for (uint32_t k = 0; a->any && k < x->mesh->naxis; k++)
        if (!x->used[k] && x->mesh->sizes[k] > 1)
            tsr_emit(
                a->func->module->ctx, TSR_REMARK, x->op->loc,
                "axis \"%.*s\" shards nothing: devices along it, %lld at a time, compute the same",
                TSR_STR_ARG(tsr_mesh_axis_name(x->mesh, k)->s), (long long)x->mesh->sizes[k]);
}

/* All meshes of the module; equal ones share what is known of their axes. Returns whether one has several devices. */
static bool find_meshes(adviser *a)
{
    tsr_module *m = a->func->module;
    bool several = false;
    TSR_BLOCK_OPS (m->op->regions[0].first, op) {
        const tsr_mesh *mesh =
            tsr_has_role(op, TSR_ROLE_MESH)
                ? tsr_meshes_get(&a->table.meshes,
                                 tsr_attr_symbol(m->ctx, tsr_op_symbol(op), NULL, 0))
                : NULL;
        if (!mesh)
            continue;
        const examined *same = examined_of(a, mesh);
        examined *x = TSR_NEW(&a->arena, examined);
        *x = (examined){mesh, op,
                        same ? same->used : TSR_NEW_ARRAY(&a->arena, bool, mesh->naxis + 1)};
        tsr_map_put(&a->meshes, tsr_hash_ptr(mesh), x);
        several |= mesh->ndevice > 1;
    }
    return several;
}

void tsr_shard_advise(tsr_op *func)
{
    tsr_module *m = func->module;
    adviser a = {.func = func};
    tsr_arena_init(&a.arena);
    tsr_shardings_init(&a.table, &a.arena, m->op);
    bool meshes = find_meshes(&a);
    if (a.meshes.n)
        mark_all(&a);
    for (uint32_t i = 0; i < a.meshes.n; i++)
        advise_mesh(&a, a.meshes.entries[i].value);
    if (!meshes)
        tsr_emit(m->ctx, TSR_REMARK, func->loc,
                 "no mesh: one device computes everything; --mesh=x=2 gives one, --arg=0:x,_ a "
                 "sharding of argument 0");
    else if (!a.any)
        tsr_emit(m->ctx, TSR_REMARK, func->loc,
                 "nothing is sharded: every device computes everything; --arg=0:x,_ shards "
                 "dimension 0 of argument 0 by axis x");
    const tsr_block *body = func->regions[0].first;
    const tsr_type *type = tsr_op_attr(func, TSR_STR("function_type"))->type;
    for (uint32_t i = 0; i < body->nargs; i++)
        advise_value(&a, "argument", i, body->args[i]->type, tsr_sdy_arg_sharding(func, i),
                     body->arg_locs[i]);
    for (uint32_t i = 0; i < type->nout; i++)
        advise_value(&a, "result", i, type->types[type->n + i], tsr_sdy_result_sharding(func, i),
                     func->loc);
    tsr_map_free(&a.meshes);
    tsr_map_free(&a.manual);
    tsr_shardings_free(&a.table);
    tsr_arena_free(&a.arena);
}
