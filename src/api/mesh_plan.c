/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_plan.c - the public calls of plans. */
#include "api/mesh_plan.h"

#include "api/auto.h"
#include "api/guard.h"

/* ---- Finding ---- */

static bool check_options(const tsr_plan_options *o, tsr_status *status)
{
    bool ok = o->pins >= TSR_PINS_FEW && o->pins <= TSR_PINS_ALL;
    if (!ok)
        tsr_status_set(status, TSR_BAD_INPUT,
                       "pins: there is no such value: few, none and all are");
    for (size_t i = 0; ok && i < o->nexcluded; i++)
        if (!o->excluded || !o->excluded[i].len)
            ok = tsr_status_set(status, TSR_BAD_INPUT,
                                "excluded: an empty text is part of every location");
    return ok;
}

static bool find(tsr_module *m, const tsr_plan_options *o, tsr_mesh_plan **out, tsr_status *status)
{
    tsr_arena arena;
    tsr_device_file device;
    tsr_auto_result found = {0};
    tsr_plan_request plan = {o->pins,      o->expressible,   o->excluded, o->nexcluded,
                             o->candidate, o->search.device, true};
    tsr_auto_request r = tsr_auto_request_of(&o->search, &device);
    r.plan = &plan;
    tsr_arena_init_pooled(&arena, &m->ctx->pool);
    tsr_module *copy = tsr_module_copy_borrowed(m);
    bool ok = check_options(o, status) &&
              tsr_device_file_load(&arena, o->search.device, &device, NULL, status) &&
              tsr_auto_shard(&arena, copy, &r, &found, status);
    *out = ok ? found.plan : NULL;
    found.plan = ok ? NULL : found.plan;
    tsr_auto_free(&found);
    tsr_module_free(copy);
    tsr_arena_free(&arena);
    return ok;
}

tsr_mesh_plan *tsr_module_find_plan(tsr_module *m, const tsr_plan_options *options,
                                    tsr_status *status)
{
    TSR_GUARD_MODULE(g, m, TSR_READS, status, NULL)
    const tsr_plan_options none = {.pins = TSR_PINS_FEW};
    tsr_mesh_plan *out = NULL;
    bool ok = find(m, options ? options : &none, &out, g.status);
    tsr_guard_finish(&g, ok);
    return out;
}

/* ---- The object ---- */

tsr_str tsr_mesh_plan_to_json(const tsr_mesh_plan *p, tsr_status *status)
{
    TSR_GUARD_IF(g, p != NULL, NULL, NULL, TSR_READS, status, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_mesh_plan_json(&out, p);
    return tsr_guard_finish_text(&g, true, &out);
}

tsr_mesh_plan *tsr_mesh_plan_from_json(tsr_str text, tsr_str filename, tsr_status *status)
{
    TSR_GUARD_IF(g, text.data || !text.len, NULL, NULL, TSR_READS, status, NULL)
    tsr_mesh_plan *p = tsr_mesh_plan_read(
        text.data ? text : TSR_STR(""), filename.len ? filename : TSR_STR("plan"), NULL, g.status);
    tsr_guard_finish(&g, p != NULL);
    return p;
}

size_t tsr_mesh_plan_num_candidates(const tsr_mesh_plan *p)
{
    return p ? p->n : 0;
}

size_t tsr_mesh_plan_chosen_candidate(const tsr_mesh_plan *p)
{
    return p ? p->chosen : 0;
}

bool tsr_mesh_plan_select(tsr_mesh_plan *p, size_t candidate, tsr_status *status)
{
    TSR_GUARD_IF(g, p != NULL, NULL, NULL, TSR_READS, status, false)
    bool ok = candidate < p->n;
    if (ok)
        p->chosen = (uint32_t)candidate;
    else
        tsr_status_set(g.status, TSR_BAD_INPUT,
                       "there is no candidate %zu: there are %u, from 0 on", candidate, p->n);
    tsr_guard_finish(&g, ok);
    return ok;
}

tsr_str tsr_mesh_plan_compare(const tsr_mesh_plan *a, const tsr_mesh_plan *b, bool json,
                              tsr_status *status)
{
    TSR_GUARD_IF(g, a && b, NULL, NULL, TSR_READS, status, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_mesh_plan_differences(&out, a, b, json);
    return tsr_guard_finish_text(&g, true, &out);
}

void tsr_mesh_plan_free(tsr_mesh_plan *p)
{
    if (!p)
        return;
    tsr_arena_free(&p->arena);
    tsr_free(p);
}

/* ---- On modules ---- */

bool tsr_module_apply_plan(tsr_module *m, const tsr_mesh_plan *p, bool arguments_alone,
                           tsr_status *status)
{
    TSR_GUARD_IF(g, m && p, m ? m->ctx : NULL, m, TSR_CHANGES, status, false)
    tsr_module *before = tsr_module_copy_borrowed(m);
    bool ok = tsr_mesh_plan_apply(m, p, !arguments_alone, g.status);
    if (!ok)
        tsr_module_restore(m, before);
    tsr_module_free(before);
    tsr_guard_finish(&g, ok);
    return ok;
}

static bool check(tsr_module *m, const tsr_mesh_plan *p, const tsr_check_plan_options *o, bool json,
                  tsr_buf *out, bool *keeps, tsr_status *status)
{
    tsr_arena arena;
    tsr_device_file device;
    tsr_mesh_plan_check_request r = {.memory = o->memory,
                                     .tolerance =
                                         o->tolerance > 0 ? o->tolerance : TSR_MESH_PLAN_TOLERANCE,
                                     .no_pins = o->arguments_alone};
    tsr_arena_init_pooled(&arena, &m->ctx->pool);
    bool ok = !o->device.len || tsr_device_file_load(&arena, o->device, &device, NULL, status);
    r.device = o->device.len ? &device : NULL;
    ok = ok && tsr_mesh_plan_check(m, p, &r, json, out, keeps, status);
    tsr_arena_free(&arena);
    return ok;
}

tsr_str tsr_module_check_plan(tsr_module *m, const tsr_mesh_plan *p,
                              const tsr_check_plan_options *options, bool json, bool *keeps,
                              tsr_status *status)
{
    TSR_GUARD_IF(g, m && p, m ? m->ctx : NULL, m, TSR_READS, status, TSR_NO_TEXT)
    const tsr_check_plan_options none = {.memory = 0};
    tsr_buf out = {0};
    bool kept = false;
    bool ok = check(m, p, options ? options : &none, json, &out, &kept, g.status);
    if (keeps)
        *keeps = kept;
    return tsr_guard_finish_text(&g, ok, &out);
}
