/* SPDX-License-Identifier: Apache-2.0 */
/* dp.c - the pass ttir-automatic-data-parallelization: spreads the batch of functions that are not called over the
 * devices of one axis of a mesh, including all their callees. dp.h lists the parts.
 *
 * Needs ids; breaks ids. Annotations of arguments stay; used arguments without one get one. A callee is copied for each
 * way in which its arguments are divided. */
#include "shard/core/calls.h"
#include "shard/dp/dp.h"
#include "shard/passes.h"

#define ARGUMENT_TYPE TSR_STR("ttcore.argument_type")
#define MESHES TSR_STR("ttcore.meshes")

enum { MAX_AXES = TSR_DP_AXES, MAX_DEVICES = 1 << 20 };

typedef TSR_VEC(tsr_dp_plan *) plan_vec;

/* ---- The mesh ---- */

static bool read_number(tsr_str word, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (word.data[i] < '0' || word.data[i] > '9' || *out > MAX_DEVICES)
            return false;
        *out = *out * 10 + (word.data[i] - '0');
    }
    return word.len > 0 && *out > 0 && *out <= MAX_DEVICES;
}

/* The mesh that op is for; NULL: none. */
static const tsr_attr *mesh_of(const tsr_op *op)
{
    const tsr_attr *a = tsr_dict_get(op->extra, MESHES);
    return tsr_attr_is_struct(a, &tsr_def_TTCORE_MESHES) && a->attrs[0]->n ? a->attrs[0]->attrs[0]
                                                                           : NULL;
}

/* The mesh that the module is for, if the options give none. */
static bool given_mesh(tsr_pass *p, tsr_op *root, int64_t *mesh, uint32_t *n)
{
    TSR_OPS (root, op) {
        const tsr_attr *shape = mesh_of(op) ? mesh_of(op)->attrs[TTCORE_MESH_shape] : NULL;
        int64_t rank = shape ? tsr_attr_count(shape) : 0;
        if (rank > MAX_AXES)
            return tsr_op_error(op, "is for a mesh of more than %d dimensions", MAX_AXES);
        for (*n = 0; *n < rank; ++*n) {
            mesh[*n] = tsr_attr_int_at(shape, *n);
            if (mesh[*n] < 1 || mesh[*n] > MAX_DEVICES)
                return tsr_op_error(op, "is for a mesh without devices, or with too many");
        }
        if (rank)
            return true;
    }
    return tsr_error(p->ctx, root->loc, "mesh-shape is required, such as mesh-shape=1,8");
}

static bool read_mesh(tsr_pass *p, tsr_op *root, int64_t *mesh, uint32_t *n)
{
    tsr_str word;
    for (size_t i = 0; tsr_pass_item(p, "mesh-shape", i, &word); i++) {
        if (*n == MAX_AXES)
            return tsr_error(p->ctx, root->loc, "mesh-shape has more than %d dimensions", MAX_AXES);
        if (!read_number(word, &mesh[*n]))
            return tsr_error(
                p->ctx, root->loc,
                "mesh-shape has '%.*s' where the number of devices of an axis is meant",
                TSR_STR_ARG(word));
        ++*n;
    }
    return *n || given_mesh(p, root, mesh, n);
}

static bool choose_axis(tsr_pass *p, tsr_op *root, tsr_dp *dp)
{
    int64_t axis = tsr_pass_int(p, "batch-axis");
    uint32_t large = 0;
    dp->axis = dp->naxis - 1;
    for (uint32_t a = 0; a < dp->naxis; a++) {
        large += dp->mesh[a] > 1;
        if (axis < 0 ? dp->mesh[a] > 1 : axis == a)
            dp->axis = a;
    }
    dp->devices = dp->mesh[dp->axis];
    if (axis >= (int64_t)dp->naxis || axis < -1)
        return tsr_error(p->ctx, root->loc, "batch-axis %lld is no axis of a mesh with %u",
                         (long long)axis, dp->naxis);
    return axis >= 0 || large <= 1 ||
           tsr_error(p->ctx, root->loc,
                     "the mesh has more than one axis with several devices: batch-axis must say "
                     "along which of them the batch is divided");
}

/* Whether op exchanges tensors between devices; *ours: along our axis, which is assumed if it names none. */
static bool exchanges(const tsr_dp *dp, const tsr_op *op, bool *ours)
{
    int slot = tsr_opdef_slot(op->def, TSR_STR("cluster_axis"));
    bool known = slot >= 0 && op->attrs[slot];
    *ours = !known || op->attrs[slot]->i == (int64_t)dp->axis;
    return tsr_op_is(op, TSR_OP_TTIR_MESH_SHARD) || slot >= 0 || tsr_op_has(op, TSR_TRAIT(TT_CCL));
}

/* An existing mesh must leave our axis free, or be ours and not be used yet. */
static bool fits_mesh(const tsr_dp *dp, const tsr_op *op, const tsr_attr *mesh, bool used)
{
    const tsr_attr *shape = mesh->attrs[TTCORE_MESH_shape];
    int64_t n = tsr_attr_count(shape);
    bool one = true, ours = n == dp->naxis, leaves = ours;
    for (int64_t a = 0; a < n; a++) {
        int64_t size = tsr_attr_int_at(shape, (size_t)a);
        one &= size == 1;
        leaves = leaves && size == (a == dp->axis ? 1 : dp->mesh[a]);
        ours = ours && size == dp->mesh[a];
    }
    return one || leaves || (ours && !used) ||
           tsr_op_error(op, "is divided among the devices of a mesh already; the axis that the "
                            "batch is to be divided along must have size 1 there, and the others "
                            "the size that mesh-shape says");
}

/* Ops that exchange tensors along our axis would use other devices than intended. */
static bool check_devices(const tsr_dp *dp, tsr_op *root)
{
    bool used = false, ours;
    TSR_OPS (root, op)
        used |= exchanges(dp, op, &ours);
    TSR_OPS (root, op) {
        if (mesh_of(op) && !fits_mesh(dp, op, mesh_of(op), used))
            return false;
        if (exchanges(dp, op, &ours) && ours && dp->devices > 1)
            return tsr_op_error(op, "exchanges tensors between devices along the axis that the "
                                    "batch is to be divided along");
    }
    return true;
}

static void set_meshes(tsr_dp *dp, tsr_op *root)
{
    tsr_attr *shape = tsr_attr_i64_array(dp->ctx, dp->mesh, dp->naxis);
    TSR_OPS (root, op) {
        if (!tsr_op_is(op, TSR_OP_BUILTIN_MODULE))
            continue;
        bool holds = op == root || mesh_of(op);
        TSR_BLOCK_OPS (op->regions[0].first, in)
            holds |= tsr_op_is(in, TSR_OP_FUNC_FUNC);
        tsr_op *outer = tsr_block_parent(op->block);
        if (!holds || (outer && tsr_op_is(outer, TSR_OP_TTCORE_CPU_MODULE)))
            continue;
        const tsr_attr *old = mesh_of(op);
        tsr_attr *params[] = {
            old ? old->attrs[TTCORE_MESH_name] : tsr_attr_string(dp->ctx, TSR_STR("mesh")), shape};
        tsr_attr *mesh = tsr_attr_struct(dp->ctx, &tsr_def_TTCORE_MESH, params);
        tsr_attr *list = tsr_attr_array(dp->ctx, &mesh, 1);
        tsr_op_set_attr(op, MESHES, tsr_attr_struct(dp->ctx, &tsr_def_TTCORE_MESHES, &list));
    }
}

/* ---- Functions ---- */

typedef struct {
    const tsr_op *from;
    uint8_t *named; /* by op id */
} references;

static bool mark(void *user, const tsr_attr *symbol)
{
    references *r = user;
    tsr_op *to = tsr_symbol_resolve(r->from, symbol);
    if (to)
        r->named[to->id] = true;
    return true;
}

/* Marks the ops that some symbol names. */
static uint8_t *find_references(tsr_dp *dp, tsr_op *root)
{
    references r = {.named = TSR_NEW_ARRAY(dp->arena, uint8_t, dp->module->nop + 1)};
    tsr_symcache cache;
    tsr_symcache_start(dp->module, &cache);
    TSR_OPS (root, op) {
        r.from = op;
        tsr_op_symbol_refs(op, mark, &r);
    }
    tsr_symcache_stop(&cache);
    return r.named;
}

static bool on_host(const tsr_op *func)
{
    for (const tsr_op *p = tsr_block_parent(func->block); p; p = tsr_block_parent(p->block))
        if (tsr_op_is(p, TSR_OP_TTCORE_CPU_MODULE))
            return true;
    return false;
}

static bool plan_all(tsr_dp *dp, tsr_op *root, plan_vec *entries)
{
    const uint8_t *named = find_references(dp, root);
    tsr_symcache cache;
    bool ok = true;
    tsr_symcache_start(dp->module, &cache);
    TSR_OPS (root, op) {
        if (!ok || !tsr_op_is(op, TSR_OP_FUNC_FUNC) || named[op->id] || on_host(op) ||
            !tsr_dp_can_plan(op))
            continue;
        tsr_dp_part *args = TSR_NEW_ARRAY(dp->arena, tsr_dp_part, op->regions[0].first->nargs + 1);
        ok = tsr_dp_find_batch(dp, op, args);
        if (ok)
            tsr_vec_push(entries, tsr_dp_plan_func(dp, op, args));
    }
    tsr_symcache_stop(&cache);
    return ok;
}

/* Adds annotations where the user gave none. */
static void annotate(tsr_dp *dp, const tsr_dp_plan *p)
{
    tsr_block *b = p->func->regions[0].first;
    tsr_attr **types = TSR_NEW_ARRAY(dp->arena, tsr_attr *, b->nargs + 1);
    const tsr_attr *all = p->func->attrs[FUNC_FUNC_arg_attrs];
    bool any = false;
    for (uint32_t i = 0; i < b->nargs; i++) {
        types[i] = all && i < all->n ? tsr_dict_get(all->attrs[i], ARGUMENT_TYPE) : NULL;
        if (types[i] || !b->args[i]->uses)
            continue;
        types[i] = tsr_attr_enum(dp->ctx, &tsr_def_TTCORE_ARGUMENT_TYPE,
                                 p->args[i].dim == TSR_WHOLE ? TSR_TT_PARAMETER : TSR_TT_INPUT);
        any = true;
    }
    if (any)
        tsr_sdy_set_func_attr(p->func, true, ARGUMENT_TYPE, types);
}

/* ---- Copies of callees ---- */

/* A copy has the ids of its original: plans refer to both. */
static void copy_ids(tsr_op *from, tsr_op *to)
{
    tsr_op *b = to;
    TSR_OPS (from, a) {
        b->id = a->id;
        for (uint32_t i = 0; i < a->nout; i++)
            b->out[i].id = a->out[i].id;
        for (uint32_t r = 0; r < a->nregion; r++) {
            tsr_block *y = b->regions[r].first;
            for (tsr_block *x = a->regions[r].first; x; x = x->next, y = y->next)
                for (uint32_t i = 0; i < x->nargs; i++)
                    y->args[i]->id = x->args[i]->id;
        }
        b = tsr_walk_next(to, b);
    }
}

typedef struct {
    tsr_op *table;
    tsr_symbols symbols;
} namer;

static tsr_op *copy_func(tsr_dp *dp, namer *names, tsr_op *func)
{
    tsr_op *table = tsr_symbol_table_of(func);
    tsr_mapping map = {0};
    tsr_op *copy = tsr_op_clone(dp->module, func, &map);
    tsr_mapping_free(&map);
    copy_ids(func, copy);
    tsr_op_set_attr(copy, TSR_STR("sym_visibility"), tsr_attr_string(dp->ctx, TSR_STR("private")));
    tsr_op_insert(copy, func->block, func->next);
    if (names->table != table) {
        if (names->table)
            tsr_symbols_free(&names->symbols);
        names->table = table;
        tsr_symbols_init(&names->symbols, table);
    }
    tsr_symbols_insert(&names->symbols, copy);
    return copy;
}

/* Makes copies for all plans that entries call, one after the other, each after its callers. */
static void copy_called(tsr_dp *dp, const plan_vec *entries, plan_vec *called)
{
    namer names = {0};
    for (size_t i = 0; i < entries->n + called->n; i++) {
        tsr_dp_plan *p = i < entries->n ? entries->data[i] : called->data[i - entries->n];
        for (uint32_t k = 0; k < p->nop; k++) {
            tsr_dp_plan *callee = (tsr_dp_plan *)p->callees[k];
            if (!callee || callee->copy)
                continue;
            callee->copy = callee->func; /* named below, when all are known */
            tsr_vec_push(called, callee);
        }
    }
    for (size_t i = 0; i < called->n; i++)
        called->data[i]->copy = copy_func(dp, &names, called->data[i]->func);
    if (names.table)
        tsr_symbols_free(&names.symbols);
}

static void set_callees(const tsr_dp_plan *p, tsr_op *func)
{
    TSR_BLOCK_OPS (func->regions[0].first, op)
        if (tsr_op_is(op, TSR_OP_FUNC_CALL) && op->id >= p->op0 && op->id - p->op0 < p->nop &&
            p->callees[op->id - p->op0])
            tsr_set_callee(op, p->callees[op->id - p->op0]->copy);
}

static void set_all_callees(const plan_vec *entries, const plan_vec *called)
{
    for (size_t i = 0; i < entries->n; i++)
        set_callees(entries->data[i], entries->data[i]->func);
    for (size_t i = 0; i < called->n; i++)
        set_callees(called->data[i], called->data[i]->copy);
}

/* Removes originals that are no longer called, and gives a copy the name. */
static void replace_originals(tsr_dp *dp, tsr_op *root, const plan_vec *entries,
                              const plan_vec *called)
{
    for (size_t i = 0; i < called->n; i++)
        called->data[i]->copy->id = dp->module->nop; /* a new id, not the original's */
    const uint8_t *named = find_references(dp, root);
    for (size_t i = 0; i < called->n; i++) {
        tsr_op *func = called->data[i]->func;
        const tsr_attr *visibility = tsr_op_attr(func, TSR_STR("sym_visibility"));
        if (!func->block || named[func->id] || !visibility || !tsr_str_is(visibility->s, "private"))
            continue;
        tsr_op_set_attr(called->data[i]->copy, TSR_STR("sym_name"),
                        func->attrs[FUNC_FUNC_sym_name]);
        tsr_op_erase(func); /* other plans of it see that it is in no block */
    }
    set_all_callees(entries, called);
}

bool pass_ttir_automatic_data_parallelization(tsr_pass *p, tsr_op *root)
{
    tsr_dp dp = {.ctx = p->ctx, .module = p->module, .arena = p->scratch};
    plan_vec entries = {0}, called = {0};
    dp.pad = tsr_pass_bool(p, "pad-batch");
    int64_t mesh[MAX_AXES];
    dp.mesh = mesh;
    TSR_TRY(read_mesh(p, root, mesh, &dp.naxis) && choose_axis(p, root, &dp) &&
            check_devices(&dp, root));
    dp.rules = TSR_NEW_ARRAY(p->scratch, const tsr_rule *, p->module->nop + 1);
    dp.plans = TSR_NEW_ARRAY(p->scratch, tsr_dp_plan *, p->module->nop + 1);
    dp.busy = TSR_NEW_ARRAY(p->scratch, uint8_t, p->module->nop + 1);
    dp.writers = TSR_NEW_ARRAY(p->scratch, uint8_t, p->module->nop + 1);
    bool ok = plan_all(&dp, root, &entries);
    if (ok) {
        p->changed = true;
        set_meshes(&dp, root);
        copy_called(&dp, &entries, &called);
        for (size_t i = 0; ok && i < entries.n; i++) {
            annotate(&dp, entries.data[i]);
            ok = tsr_dp_apply(&dp, entries.data[i], entries.data[i]->func, true);
        }
        for (size_t i = 0; ok && i < called.n; i++)
            ok = tsr_dp_apply(&dp, called.data[i], called.data[i]->copy, false);
        set_all_callees(&entries, &called);
        if (called.n)
            replace_originals(&dp, root, &entries, &called);
        tsr_module_renumber(p->module); /* values have the ids of the values that they represent */
    }
    tsr_vec_free(&entries);
    tsr_vec_free(&called);
    return ok;
}
