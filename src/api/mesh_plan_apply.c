/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_plan_apply.c - the program that a plan is for, and a plan's shardings on a module. */
#include "api/auto.h"
#include "api/eval.h"
#include "api/mesh_plan.h"
#include "api/spmd.h"
#include "shard/core/given.h"
#include "text/text.h"

/* ---- The program ---- */

/* FNV-1a: the same in every process, unlike tsr_hash_bytes. */
typedef struct {
    uint64_t h;
    tsr_map types; /* hashes of types, by address */
} stamp;

typedef struct {
    const tsr_type *type;
    uint64_t hash;
} stamped;

static uint64_t add_bytes(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001B3u;
    return (h ^ 0xFF) * 0x100000001B3u;
}

static void add_number(stamp *s, uint64_t x)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(x >> 8 * i);
    s->h = add_bytes(s->h, bytes, sizeof bytes);
}

static void add_type(tsr_arena *arena, stamp *s, const tsr_type *type)
{
    TSR_MAP_EACH (&s->types, tsr_hash_ptr(type), x)
        if (((stamped *)x)->type == type) {
            add_number(s, ((stamped *)x)->hash);
            return;
        }
    tsr_str text = tsr_type_print(type);
    stamped *made = TSR_NEW(arena, stamped);
    *made = (stamped){type, add_bytes(0xCBF29CE484222325u, text.data, text.len)};
    tsr_free((void *)text.data);
    tsr_map_put(&s->types, tsr_hash_ptr(type), made);
    add_number(s, made->hash);
}

/* Values are numbered in program order, arguments of blocks where their op is. */
static void add_regions(tsr_arena *arena, stamp *s, const tsr_op *op, uint32_t *numbers,
                        uint32_t *next)
{
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            for (uint32_t i = 0; i < b->nargs; i++) {
                numbers[b->args[i]->id] = ++*next;
                add_type(arena, s, b->args[i]->type);
            }
}

void tsr_mesh_plan_program_of(const tsr_op *func, tsr_mesh_plan_program *out)
{
    tsr_arena arena;
    stamp s = {.h = 0xCBF29CE484222325u};
    uint32_t next = 0;
    tsr_arena_init(&arena);
    uint32_t *numbers = TSR_NEW_ARRAY(&arena, uint32_t, func->module->nvalue + 1);
    *out = (tsr_mesh_plan_program){.function = tsr_op_symbol(func)};
    TSR_OPS ((tsr_op *)func, op) {
        add_regions(&arena, &s, op, numbers, &next);
        if (op == func)
            continue;
        out->nop++;
        s.h = add_bytes(s.h, op->def->name.data, op->def->name.len);
        add_number(&s, (uint64_t)op->nin << 32 | op->nregion);
        for (uint32_t i = 0; i < op->nin; i++)
            add_number(&s, numbers[op->in[i].value->id]);
        for (uint32_t i = 0; i < op->nout; i++) {
            numbers[op->out[i].id] = ++next;
            add_type(&arena, &s, op->out[i].type);
        }
    }
    out->fingerprint = s.h;
    tsr_map_free(&s.types);
    tsr_arena_free(&arena);
}

static tsr_str kept(tsr_arena *arena, tsr_str s)
{
    return (tsr_str){tsr_arena_copy(arena, s.data ? s.data : "", s.len), s.len};
}

tsr_mesh_plan_port tsr_mesh_plan_port_of(tsr_arena *arena, const tsr_op *func, bool result,
                                         uint32_t i)
{
    const tsr_type *type = tsr_entry_type(func);
    const tsr_block *body = func->regions[0].first;
    tsr_mesh_plan_port out = {.sharding = {"", 0}};
    tsr_buf name = {0};
    tsr_str text = tsr_type_print(type->types[result ? type->n + i : i]);
    out.type = kept(arena, text);
    tsr_free((void *)text.data);
    if (result)
        tsr_result_given_name(&name, func, i);
    else
        tsr_value_given_name(&name, body->args[i]);
    out.name = kept(arena, tsr_buf_text(&name));
    name.len = 0;
    if (!result && func->module->ctx->print_attr)
        func->module->ctx->print_attr(func->module->ctx, &name,
                                      tsr_loc_attr(func->module->ctx, body->arg_locs[i]));
    out.location = kept(arena, tsr_buf_text(&name));
    tsr_buf_free(&name);
    return out;
}

/* ---- Whether it is the same program ---- */

/* Whether a text that may have been read from JSON, where bytes that are no UTF-8 are escaped, is this one. */
static bool same(tsr_str before, tsr_str now)
{
    if (tsr_str_eq(before, now))
        return true;
    tsr_buf a = {0}, b = {0};
    tsr_buf_json(&a, before);
    tsr_buf_json(&b, now);
    bool equal = tsr_str_eq(tsr_buf_text(&a), tsr_buf_text(&b));
    tsr_buf_free(&a);
    tsr_buf_free(&b);
    return equal;
}

static void port_text(tsr_buf *out, const tsr_mesh_plan_port *p, bool result, uint32_t i)
{
    tsr_buf_printf(out, result ? "result %u" : "argument %u", i);
    if (p->name.len) {
        tsr_buf_cstr(out, " (");
        tsr_text_visible(out, p->name, TSR_VISIBLE_TEXT);
        tsr_buf_char(out, ')');
    }
}

/* Where the arguments or results differ: which one, its type before and now; false if they do not. */
static bool ports_differ(tsr_buf *out, tsr_arena *arena, const tsr_op *func, bool result,
                         const tsr_mesh_plan_port *before, uint32_t nbefore)
{
    const tsr_type *type = tsr_entry_type(func);
    uint32_t n = result ? type->nout : type->n;
    for (uint32_t i = 0; i < n && i < nbefore; i++) {
        tsr_mesh_plan_port now = tsr_mesh_plan_port_of(arena, func, result, i);
        bool renamed = now.name.len && before[i].name.len && !same(before[i].name, now.name);
        if (!renamed && same(before[i].type, now.type))
            continue;
        port_text(out, &before[i], result, i);
        tsr_buf_printf(out, " was %.*s, and ", TSR_STR_ARG(before[i].type));
        if (renamed)
            port_text(out, &now, result, i);
        else
            tsr_buf_cstr(out, "it");
        tsr_buf_printf(out, " is %.*s now", TSR_STR_ARG(now.type));
        if (n != nbefore)
            tsr_buf_printf(out, " (it had %u %s, and has %u now)", nbefore,
                           result ? "results" : "arguments", n);
        return true;
    }
    if (n != nbefore)
        tsr_buf_printf(out, "it had %u %s, and has %u now", nbefore,
                       result ? "results" : "arguments", n);
    return n != nbefore;
}

/* False with a status that says what differs, and what would work. */
static bool is_for(const tsr_mesh_plan *p, const tsr_op *func, bool with_pins, tsr_status *status)
{
    const tsr_mesh_plan_candidate *c = tsr_mesh_plan_chosen(p);
    tsr_mesh_plan_program now;
    tsr_arena arena;
    tsr_buf what = {0};
    tsr_arena_init(&arena);
    bool ports = ports_differ(&what, &arena, func, false, c->args, c->narg) ||
                 ports_differ(&what, &arena, func, true, c->results, c->nresult);
    tsr_mesh_plan_program_of(func, &now);
    bool ok = !ports && (!with_pins || now.fingerprint == p->program.fingerprint);
    if (ports)
        tsr_status_set(status, TSR_BAD_INPUT,
                       "the plan is for another version of the program: %.*s; a new search "
                       "(tessera shard --auto) is needed",
                       TSR_STR_ARG(tsr_buf_text(&what)));
    else if (!ok)
        tsr_status_set(status, TSR_BAD_INPUT,
                       "the plan is for another version of the program: arguments and results are "
                       "the same, but its ops are others (%u, now %u); shardings of arguments and "
                       "results alone can be applied (--pins=none)",
                       p->program.nop, now.nop);
    tsr_buf_free(&what);
    tsr_arena_free(&arena);
    return ok;
}

/* ---- Shardings ---- */

static bool set_ports(tsr_op *func, const tsr_mesh_plan_candidate *c, tsr_status *status)
{
    const tsr_type *type = tsr_entry_type(func);
    tsr_arena arena;
    tsr_arena_init(&arena);
    tsr_attr **args = TSR_NEW_ARRAY(&arena, tsr_attr *, type->n + 1);
    tsr_attr **results = TSR_NEW_ARRAY(&arena, tsr_attr *, type->nout + 1);
    bool ok = true;
    for (uint32_t i = 0; ok && i < type->n + type->nout; i++) {
        const tsr_mesh_plan_port *p = i < type->n ? &c->args[i] : &c->results[i - type->n];
        tsr_attr **to = i < type->n ? &args[i] : &results[i - type->n];
        if (tsr_type_is(type->types[i], TSR_TYPE_TENSOR))
            *to = tsr_given_sharding(func->module, type->types[i], p->sharding, status);
        ok = *to || !tsr_type_is(type->types[i], TSR_TYPE_TENSOR);
    }
    if (ok) {
        tsr_sdy_set_arg_shardings(func, args);
        tsr_sdy_set_result_shardings(func, results);
    }
    tsr_arena_free(&arena);
    return ok;
}

static bool bad_pin(const tsr_mesh_plan_pin *p, const char *why, tsr_status *status)
{
    return tsr_status_set(status, TSR_BAD_INPUT,
                          "the plan's pin on op %u, %.*s of type %.*s, cannot be applied: %s",
                          p->number, (int)(p->op.len > 60 ? 60 : p->op.len), p->op.data,
                          (int)(p->type.len > 100 ? 100 : p->type.len), p->type.data, why);
}

static bool set_pin(tsr_op *op, const tsr_mesh_plan_pin *p, tsr_op **last, tsr_status *status)
{
    if (!same(p->op, op->def->name))
        return bad_pin(p, "that is another op", status);
    if (p->operand ? p->operand > op->nin : op->nout != 1)
        return bad_pin(p, p->operand ? "it has no such operand" : "it has not one result", status);
    tsr_value *v = p->operand ? op->in[p->operand - 1].value : &op->out[0];
    tsr_str type = tsr_type_print(v->type);
    bool fits = same(p->type, type);
    tsr_free((void *)type.data);
    if (!fits || !tsr_type_is(v->type, TSR_TYPE_TENSOR))
        return bad_pin(p, "the value has another type", status);
    tsr_attr *sharding = tsr_given_sharding(op->module, v->type, p->sharding, status);
    if (sharding && p->operand)
        tsr_auto_bring(op, p->operand - 1, sharding, last);
    else if (sharding)
        tsr_sdy_set_sharding(v, sharding);
    return sharding != NULL;
}

static bool set_pins(tsr_op *func, const tsr_mesh_plan_candidate *c, tsr_status *status)
{
    tsr_arena arena;
    uint32_t number = 0, next = 0;
    bool ok = true;
    tsr_arena_init(&arena);
    tsr_op **ops = TSR_NEW_ARRAY(&arena, tsr_op *, c->npin + 1);
    tsr_op **last = TSR_NEW_ARRAY(&arena, tsr_op *, func->module->nvalue + 1);
    TSR_OPS (func, op) { /* before any is inserted */
        for (; next < c->npin && c->pins[next].number == number; next++)
            ops[next] = op;
        number++;
    }
    for (uint32_t i = 0; ok && i < c->npin; i++)
        ok = ops[i] ? set_pin(ops[i], &c->pins[i], last, status)
                    : bad_pin(&c->pins[i], "there are fewer ops", status);
    tsr_arena_free(&arena);
    return ok;
}

/* The form that plans are for: one public function, calls inlined, without shardings that the plan does not keep. */
static tsr_op *prepare(tsr_module *m, const tsr_mesh_plan *p, tsr_status *status)
{
    tsr_op *func =
        tsr_make_runnable(m, true) ? tsr_entry_keep(m, p->program.function, status) : NULL;
    if (!func)
        return NULL;
    if (tsr_spmd_is_local(m) || tsr_auto_is_manual(m)) {
        tsr_status_set(status, TSR_BAD_INPUT,
                       "the program is that of one device, or has manual computations: a plan "
                       "cannot be applied");
        return NULL;
    }
    tsr_buf mesh = {0};
    tsr_search_mesh_text(&mesh, &tsr_mesh_plan_chosen(p)->mesh, ",");
    bool ok = (p->keep || tsr_auto_drop_shardings(m)) &&
              tsr_given_mesh(m, tsr_buf_text(&mesh), status) && tsr_auto_inline(m);
    tsr_buf_free(&mesh);
    tsr_module_renumber(m);
    func = ok ? (tsr_op *)tsr_entry_find(m, p->program.function, status) : NULL;
    return func && func->regions[0].first ? func : NULL;
}

bool tsr_mesh_plan_apply(tsr_module *m, const tsr_mesh_plan *p, bool with_pins, tsr_status *status)
{
    const tsr_mesh_plan_candidate *c = tsr_mesh_plan_chosen(p);
    tsr_op *func = prepare(m, p, status);
    return func && is_for(p, func, with_pins && c->npin, status) && set_ports(func, c, status) &&
           (!with_pins || set_pins(func, c, status)) && tsr_verify(m->op);
}
