/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c - goldens in the public API: the flat program, inputs, values, checks (check/golden.h). */
#include <tessera/golden.h>

#include "api/golden.h"
#include "dialect/opcode.h"
#include "eval/plan.h"
#include "eval/random.h"

#define TAG TSR_STR("tessera.golden")

/* ---- The flat program ---- */

/* The function that contains an op; NULL: none. */
static const tsr_op *function_around(const tsr_op *op)
{
    const tsr_op *parent = op->block ? tsr_block_parent(op->block) : NULL;
    while (parent && !tsr_op_has(parent, TSR_TRAIT(FUNCTION)))
        parent = parent->block ? tsr_block_parent(parent->block) : NULL;
    return parent;
}

/* Tags each op of a function with the op that it is a copy of. */
static void tag_ops(tsr_module *m, tsr_module *copy, tsr_str *function_of)
{
    tsr_type *i64 = tsr_type_integer(m->ctx, 64, TSR_SIGNLESS);
    tsr_op *b = copy->op;
    TSR_OPS (m->op, a) {
        const tsr_op *function = function_around(a);
        if (function) {
            function_of[a->id] = tsr_op_symbol(function);
            tsr_op_set_attr(b, TAG, tsr_attr_int(m->ctx, i64, a->id));
        }
        b = tsr_walk_next(copy->op, b);
    }
}

/* Terminates a function that is still being written. */
static void finish(tsr_op *func)
{
    tsr_block *body = func->regions[0].first;
    const tsr_type *whole = tsr_entry_type(func);
    if (!whole || body->next || (body->last && tsr_op_has(body->last, TSR_TRAIT(TERMINATOR))))
        return;
    tsr_module *m = func->module;
    const tsr_opdef *def = tsr_opdef_find(m->ctx, TSR_STR("func.return"));
    tsr_op_insert(tsr_op_new(m, def, func->loc, NULL, 0, NULL, 0, 0, 0), body, NULL);
    tsr_type *type = tsr_type_function(m->ctx, whole->types, whole->n, NULL, 0);
    func->attrs[FUNC_FUNC_function_type] = tsr_attr_type(m->ctx, type);
    func->attrs[FUNC_FUNC_res_attrs] = NULL;
}

static bool has_calls(tsr_module *m)
{
    TSR_OPS (m->op, op)
        if (tsr_op_has(op, TSR_TRAIT(CALL)))
            return true;
    return false;
}

static void put_slot(tsr_goldens *g, const tsr_value *v, size_t slot)
{
    tsr_map_put(&g->slots, tsr_hash_ptr(v), (void *)(uintptr_t)(slot + 1));
}

/* Notes the slots of an op's results, and of the arguments of its regions, from those of its copy. */
static void put_slots(tsr_goldens *g, const tsr_op *op, const tsr_golden_row *row)
{
    for (uint32_t i = 0; i < op->nout; i++)
        put_slot(g, &op->out[i], row->first + i);
    for (uint32_t r = 0; r < op->nregion && r < row->op->nregion; r++) {
        const tsr_block *b = op->regions[r].first, *copy = row->op->regions[r].first;
        for (uint32_t i = 0; b && copy && i < b->nargs && i < copy->nargs; i++)
            if (g->flat.slot_of[copy->args[i]->id])
                put_slot(g, b->args[i], g->flat.slot_of[copy->args[i]->id] - 1);
    }
}

/* Converts tags to slots: an op of the original module has those of its first copy in the flat one. */
static void read_tags(tsr_goldens *g, tsr_module *m, const tsr_str *function_of)
{
    tsr_str *names = tsr_golden_zeros(g->flat.m->nop, sizeof *names);
    int64_t *ids = tsr_golden_zeros(g->flat.m->nop, sizeof *ids);
    TSR_OPS (g->flat.m->op, op) {
        const tsr_attr *tag = op->extra ? tsr_dict_get(op->extra, TAG) : NULL;
        names[op->id] = tag ? function_of[tag->i] : tsr_op_symbol(g->flat.func);
        ids[op->id] = tag ? tag->i + 1 : 0;
        if (tag)
            tsr_op_set_attr(op, TAG, NULL);
    }
    g->flat.m->verified = true; /* as before it had tags */
    size_t devices = g->flat.devices;
    tsr_flat_init(&g->flat, g->flat.m, g->flat.func, devices, names);
    uint32_t *row_by_op = tsr_golden_zeros(m->nop, sizeof *row_by_op);
    for (size_t r = g->flat.nall; r-- > 0;) {
        int64_t id = ids[g->flat.rows[r].op->id];
        if (id)
            row_by_op[id - 1] = (uint32_t)r + 1;
    }
    TSR_OPS (m->op, op)
        if (row_by_op[op->id])
            put_slots(g, op, &g->flat.rows[row_by_op[op->id] - 1]);
    tsr_free(row_by_op);
    tsr_free(names);
    tsr_free(ids);
}

static bool count_devices(tsr_goldens *g, tsr_status *status)
{
    g->flat.devices = 1;
    tsr_plan *plan = tsr_plan_facts(g->flat.m);
    if (!plan)
        return tsr_status_set(status, TSR_ENVIRONMENT, "the module cannot be prepared for a run");
    g->writes = plan->writes;
    g->parts = tsr_spmd_is_local(g->flat.m) ||
               (plan->mesh.used && (plan->bad_mesh || plan->mesh.devices > 1));
    tsr_plan_free(plan);
    if (!g->parts)
        return true;
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_parts_run run;
    bool ok = tsr_spmd_entry(&arena, g->flat.m, g->flat.func, &run, status);
    if (ok)
        g->flat.devices = tsr_parts_devices(&run);
    tsr_arena_free(&arena);
    return ok;
}

static bool prepare(tsr_goldens *g, tsr_module *m, tsr_str function, tsr_status *status)
{
    const tsr_op *original = tsr_entry_find(m, function, status);
    if (!original)
        return false;
    tsr_str *function_of = tsr_golden_zeros(m->nop, sizeof *function_of);
    g->of = m;
    const tsr_block *body = original->regions[0].first;
    for (uint32_t i = 0; i < body->nargs; i++)
        put_slot(g, body->args[i], i);
    g->flat.m = tsr_module_copy(m);
    tag_ops(m, g->flat.m, function_of);
    TSR_OPS (g->flat.m->op, op)
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first)
            finish(op);
    bool ok = (m->verified || tsr_verify(g->flat.m->op)) &&
              (tsr_is_runnable(g->flat.m) || tsr_make_runnable(g->flat.m, false)) &&
              tsr_entry_keep(g->flat.m, function, status) != NULL &&
              (!has_calls(g->flat.m) ||
               TSR_RUN_PASS(g->flat.m, "inline", TSR_ARG_STR("default-pipeline", TSR_STR(""))));
    g->flat.func = ok ? (tsr_op *)tsr_entry_find(g->flat.m, function, status) : NULL;
    ok = g->flat.func != NULL;
    if (ok && (g->flat.func->regions[0].first->next || !tsr_entry_type(g->flat.func)))
        ok = tsr_status_set(status, TSR_BAD_INPUT,
                            "goldens are of functions of one block, and this is none");
    ok = ok && count_devices(g, status);
    if (ok)
        read_tags(g, m, function_of);
    tsr_free(function_of);
    return ok;
}

static bool create(tsr_goldens *g, tsr_module *m, tsr_str function,
                   const tsr_golden_options *options, tsr_status *status)
{
    if (options)
        g->options = *options;
    if (g->options.folder) {
        tsr_buf folder = {0};
        tsr_buf_cstr(&folder, g->options.folder);
        tsr_buf_char(&folder, 0);
        g->options.folder = folder.data;
    }
    if (!prepare(g, m, function, status))
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "the module cannot be brought into a form that runs");
    g->nin = tsr_entry_type(g->flat.func)->n;
    g->inputs = tsr_golden_zeros(g->nin, sizeof(tsr_tensor *));
    g->custom = tsr_golden_zeros(tsr_golden_places(&g->flat), sizeof(tsr_tensor *));
    g->bypass = tsr_golden_zeros(g->flat.nslot, sizeof *g->bypass);
    return true;
}

tsr_goldens *tsr_goldens_new(tsr_module *m, tsr_str function, const tsr_golden_options *options,
                             tsr_status *status)
{
    TSR_GUARD_MODULE(guard, m, TSR_INSPECTS, status, NULL) /* it may be unfinished */
    tsr_goldens *g = tsr_golden_zeros(1, sizeof *g);
    bool ok = tsr_guard_copies(&guard) && create(g, m, function, options, guard.status);
    if (!ok)
        tsr_goldens_free(g);
    tsr_guard_finish(&guard, ok);
    return ok ? g : NULL;
}

static void forget(tsr_goldens *g)
{
    if (g->store)
        tsr_store_free(g->store);
    tsr_free(g->store);
    g->store = NULL;
}

void tsr_goldens_free(tsr_goldens *g)
{
    if (!g)
        return;
    forget(g);
    for (size_t i = 0; g->inputs && i < g->nin; i++)
        tsr_tensor_unref(g->inputs[i]);
    for (size_t i = 0; g->custom && i < tsr_golden_places(&g->flat); i++)
        tsr_tensor_unref(g->custom[i]);
    tsr_free(g->inputs);
    tsr_free(g->custom);
    tsr_free(g->bypass);
    tsr_map_free(&g->slots);
    tsr_free((void *)g->options.folder);
    tsr_flat_free(&g->flat);
    if (g->flat.m)
        tsr_module_free(g->flat.m);
    tsr_free(g);
}

/* ---- Given values ---- */

/* The slot of a value of the original module; false after a status. */
static bool find_slot(const tsr_goldens *g, const tsr_value *v, size_t *slot, tsr_status *status)
{
    const tsr_op *op = v->is_arg ? (v->block ? tsr_block_parent(v->block) : NULL) : v->op;
    if (!op || op->module != g->of)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "the value is of another module than the goldens");
    TSR_MAP_EACH (&g->slots, tsr_hash_ptr(v), found) /* the hash of an address is its own */
        return *slot = (size_t)(uintptr_t)found - 1, true;
    return tsr_status_set(status, TSR_BAD_INPUT,
                          "the value has no golden: it is in a function that is not run, or newer "
                          "than the goldens");
}

static bool check_fit(const tsr_goldens *g, const tsr_type *type, const tsr_tensor *t,
                      const char *what, size_t i, tsr_status *status)
{
    bool fits = t->kind == TSR_TENSOR && tsr_type_is_shaped(type) &&
                t->dtype == tsr_dtype_of(type->elem) &&
                (type->kind == TSR_TYPE_UNRANKED_TENSOR || t->rank == type->n);
    for (uint32_t d = 0; fits && type->kind != TSR_TYPE_UNRANKED_TENSOR && d < type->n; d++)
        fits = type->dims[d] == TSR_DYNAMIC || type->dims[d] == t->dims[d];
    if (fits)
        return true;
    tsr_buf text = {0};
    if (g->flat.m->ctx->print_type)
        g->flat.m->ctx->print_type(&text, type);
    tsr_status_set(status, TSR_BAD_INPUT, "%s %zu is a %.*s, which the given tensor is not", what,
                   i, TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return false;
}

static bool set_input(tsr_goldens *g, size_t i, tsr_tensor *t, tsr_status *status)
{
    if (i >= g->nin)
        return tsr_status_set(status, TSR_BAD_INPUT, "there are %zu inputs; %zu is none of them",
                              g->nin, i);
    tsr_arena arena;
    tsr_arena_init(&arena);
    const tsr_type *type = tsr_golden_input_type(g, &arena, i, status);
    bool ok = type && check_fit(g, type, t, "input", i, status);
    tsr_arena_free(&arena);
    if (!ok)
        return false;
    tsr_tensor_unref(g->inputs[i]);
    g->inputs[i] = tsr_tensor_ref(t);
    forget(g);
    return true;
}

bool tsr_goldens_set_input(tsr_goldens *g, size_t i, tsr_tensor *t, tsr_status *status)
{
    TSR_GUARD_IF(guard, g && t, g ? g->flat.m->ctx : NULL, g ? g->flat.m : NULL, TSR_READS, status,
                 false)
    bool ok = set_input(g, i, t, guard.status);
    tsr_guard_finish(&guard, ok);
    return ok;
}

static bool set_slot(tsr_goldens *g, size_t slot, size_t device, tsr_tensor *t, tsr_status *status)
{
    size_t devices = tsr_golden_devices(&g->flat, slot);
    if (device != TSR_ALL_DEVICES && device >= devices)
        return tsr_status_set(status, TSR_BAD_INPUT, "there are %zu devices; %zu is none of them",
                              devices, device);
    TSR_TRY(check_fit(g, g->flat.value_of[slot]->type, t, "value", slot, status));
    for (size_t d = 0; d < devices; d++) {
        if (device != TSR_ALL_DEVICES && d != device)
            continue;
        tsr_tensor **at = &g->custom[tsr_golden_place(&g->flat, slot, d)];
        tsr_tensor_unref(*at);
        *at = tsr_tensor_ref(t);
    }
    forget(g);
    return true;
}

bool tsr_goldens_set(tsr_goldens *g, const tsr_value *value, size_t device, tsr_tensor *t,
                     tsr_status *status)
{
    TSR_GUARD_IF(guard, g && value && t, g ? g->flat.m->ctx : NULL, g ? g->flat.m : NULL, TSR_READS,
                 status, false)
    size_t slot;
    bool ok = find_slot(g, value, &slot, guard.status);
    if (ok && value->is_arg && slot >= g->nin)
        ok = tsr_status_set(guard.status, TSR_BAD_INPUT,
                            "the golden of a region's argument is what the region is given");
    ok = ok && set_slot(g, slot, device, t, guard.status);
    tsr_guard_finish(&guard, ok);
    return ok;
}

bool tsr_goldens_bypass(tsr_goldens *g, const tsr_value *value, bool on, tsr_status *status)
{
    TSR_GUARD_IF(guard, g && value, g ? g->flat.m->ctx : NULL, g ? g->flat.m : NULL, TSR_READS,
                 status, false)
    size_t slot;
    bool ok = find_slot(g, value, &slot, guard.status);
    if (ok && value->is_arg)
        ok = tsr_status_set(guard.status, TSR_BAD_INPUT, "an argument is no result of an op");
    if (ok && g->flat.row_of[g->flat.value_of[slot]->op->id] > g->flat.nrow)
        ok = tsr_status_set(
            guard.status, TSR_BAD_INPUT,
            "a value in a region cannot be bypassed: an engine runs the region as it is");
    if (ok)
        g->bypass[slot] = on;
    tsr_guard_finish(&guard, ok);
    return ok;
}

/* ---- Requested values ---- */

static tsr_tensor *get(tsr_goldens *g, size_t slot, size_t device, tsr_status *status)
{
    if (device >= tsr_golden_devices(&g->flat, slot)) {
        tsr_status_set(status, TSR_BAD_INPUT, "there are %zu devices; %zu is none of them",
                       tsr_golden_devices(&g->flat, slot), device);
        return NULL;
    }
    tsr_tensor *t = tsr_store_get(g->store, tsr_golden_place(&g->flat, slot, device), status);
    if (!t)
        tsr_status_set(status, TSR_BAD_INPUT, "the value is no tensor, or was not computed");
    return tsr_tensor_unborrow(t);
}

tsr_tensor *tsr_goldens_get(tsr_goldens *g, const tsr_value *value, size_t device,
                            tsr_status *status)
{
    if (!tsr_golden_ready(g, status))
        return NULL;
    TSR_GUARD_IF(guard, g && value, g ? g->flat.m->ctx : NULL, g ? g->flat.m : NULL, TSR_READS,
                 status, NULL)
    size_t slot;
    tsr_tensor *t =
        find_slot(g, value, &slot, guard.status) ? get(g, slot, device, guard.status) : NULL;
    tsr_guard_finish(&guard, t != NULL);
    return t;
}

tsr_tensor *tsr_goldens_result(tsr_goldens *g, size_t i, size_t k, size_t device,
                               tsr_status *status)
{
    if (!tsr_golden_ready(g, status))
        return NULL;
    TSR_GUARD_IF(guard, g && i < g->flat.nrow && k < g->flat.rows[i].op->nout,
                 g ? g->flat.m->ctx : NULL, g ? g->flat.m : NULL, TSR_READS, status, NULL)
    tsr_tensor *t = get(g, g->flat.rows[i].first + k, device, guard.status);
    tsr_guard_finish(&guard, t != NULL);
    return t;
}

size_t tsr_goldens_num_devices(const tsr_goldens *g)
{
    return g ? g->flat.devices : 0;
}

size_t tsr_goldens_num_inputs(const tsr_goldens *g)
{
    return g ? g->nin : 0;
}

size_t tsr_goldens_num_ops(const tsr_goldens *g)
{
    return g ? g->flat.nrow : 0;
}

bool tsr_goldens_op(const tsr_goldens *g, size_t i, tsr_golden_op *out)
{
    *out = (tsr_golden_op){0};
    if (!g || i >= g->flat.nrow)
        return false;
    const tsr_golden_row *row = &g->flat.rows[i];
    *out = (tsr_golden_op){.name = row->op->def->name,
                           .function = row->function,
                           .file = {"", 0},
                           .nresult = row->op->nout};
    tsr_loc_position(g->flat.m->ctx, row->op->loc, &out->file, &out->line, &out->col);
    return true;
}

/* ---- One op ---- */

/* Copies what the op's attributes may refer to: meshes, and attributes of the module that say how many devices there
 * are. */
static void bring_symbols(const tsr_flat_ops *f, tsr_module *m)
{
    tsr_block *to = m->op->regions[0].first;
    tsr_mapping map = {0};
    if (f->m->op->extra)
        m->op->extra = f->m->op->extra;
    TSR_BLOCK_OPS (f->m->op->regions[0].first, op)
        if (tsr_op_has(op, TSR_TRAIT(SYMBOL)) && !op->nregion)
            tsr_op_insert(tsr_op_clone(m, op, &map), to, to->first);
    tsr_mapping_free(&map);
}

/* The slot of a golden of the op: of its operands, then of its results. */
static size_t slot_of_part(const tsr_flat_ops *f, const tsr_golden_row *row,
                           const tsr_value_vec *in, size_t i)
{
    return i < in->n ? f->slot_of[in->data[i]->id] - 1 : row->first + i - in->n;
}

/* All are fetched before the first is set: from then on nothing can fail. */
static bool give_goldens(tsr_goldens *g, const tsr_golden_row *row, const tsr_value_vec *in,
                         tsr_goldens *to, tsr_status *status)
{
    size_t each = in->n + row->op->nout, n = each * g->flat.devices;
    bool ok = to->flat.devices == g->flat.devices && to->flat.nrow > 0 && to->nin == in->n;
    size_t first = ok ? to->flat.rows[to->flat.nrow - 1].first : 0;
    tsr_tensor **all = tsr_golden_zeros(n, sizeof *all);
    for (size_t k = 0; ok && k < n; k++) {
        size_t slot = slot_of_part(&g->flat, row, in, k % each);
        size_t place = tsr_golden_place(&g->flat, slot, k / each);
        if (tsr_store_has(g->store, place))
            ok = (all[k] = tsr_store_get(g->store, place, status)) != NULL;
    }
    for (size_t k = 0; k < n; k++) {
        size_t i = k % each, slot = i < in->n ? i : first + i - in->n;
        if (ok)
            to->custom[tsr_golden_place(&to->flat, slot, k / each)] = tsr_tensor_unborrow(all[k]);
        else
            tsr_tensor_unref(all[k]);
    }
    tsr_free(all);
    return ok;
}

static bool knows(void *user, const tsr_value *v)
{
    const tsr_goldens *g = user;
    return g->flat.slot_of[v->id] &&
           tsr_store_has(g->store, tsr_golden_place(&g->flat, g->flat.slot_of[v->id] - 1, 0));
}

static tsr_module *split(tsr_goldens *g, size_t i, tsr_goldens **out, tsr_status *status)
{
    if (i >= g->flat.nrow)
        return tsr_status_set(status, TSR_BAD_INPUT, "there are %zu ops; %zu is none of them",
                              g->flat.nrow, i),
               NULL;
    const tsr_golden_row *row = &g->flat.rows[i];
    tsr_value_vec in = {0};
    tsr_module *m = tsr_op_alone(row->op, &(tsr_known){g, knows, NULL}, &in);
    bool ok = m != NULL;
    if (ok) {
        bring_symbols(&g->flat, m);
        *out = tsr_golden_zeros(1, sizeof **out);
        ok = create(*out, m, TSR_STR(""), &g->options, status) &&
             give_goldens(g, row, &in, *out, status);
    }
    tsr_vec_free(&in);
    if (ok)
        return m;
    tsr_goldens_free(*out);
    *out = NULL;
    if (m)
        tsr_module_free(m);
    tsr_status_set(status, TSR_BAD_INPUT, "the op cannot stand alone");
    return NULL;
}

tsr_module *tsr_goldens_split(tsr_goldens *g, size_t i, tsr_goldens **out, tsr_status *status)
{
    if (out)
        *out = NULL;
    if (!tsr_golden_ready(g, status))
        return NULL;
    TSR_GUARD_IF(guard, g && out, g ? g->flat.m->ctx : NULL, g ? g->flat.m : NULL, TSR_READS,
                 status, (out ? *out = NULL : 0, NULL))
    tsr_module *m = split(g, i, out, guard.status);
    tsr_guard_finish(&guard, m != NULL);
    return m;
}
