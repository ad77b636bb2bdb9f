/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_forward.c - cpu-hoist-forward: moves everything that forward functions compute to functions of ttcore.cpu_module,
 * which the host runs. Calls of them stay in the device's module, with the splitting and joining of tensors at the
 * boundary (ttir.mesh_shard).
 *
 * Unlike cpu-hoist-manually-tagged, it changes no types: a host function has the types of the forward function. Private
 * functions are moved with their callers. Needs ttcore.device_module; keeps values; breaks ids. */
#include "pass/ttir/hoist.h"

typedef TSR_VEC(tsr_op *) op_vec;

typedef struct {
    tsr_pass *p;
    tsr_op *root, *device, *cpu; /* modules; the latter two are inside their wrappers */
} state;

/* ---- Modules and symbols ---- */

static bool is_function(const tsr_op *op, bool body)
{
    return tsr_op_is(op, TSR_OP_FUNC_FUNC) && (op->regions[0].first != NULL) == body;
}

static bool is_private(const tsr_op *f)
{
    const tsr_attr *seen = f->attrs[FUNC_FUNC_sym_visibility];
    return seen && tsr_str_is(seen->s, "private");
}

static void say(const state *s, tsr_op *op, const char *name, tsr_attr *value)
{
    tsr_str key = {name, strlen(name)};
    op->extra = tsr_dict_with(s->p->ctx, op->extra, tsr_name_get(s->p->ctx, key), value);
}

static void say_role(const state *s, tsr_op *f, const char *role)
{
    say(s, f, "tt.function_type", tsr_attr_string(s->p->ctx, (tsr_str){role, strlen(role)}));
}

/* The host function for a declaration, whose name may end in _decl; NULL: none. */
static tsr_op *on_host(const state *s, tsr_str name)
{
    static const char end[] = "_decl";
    size_t n = sizeof end - 1;
    tsr_op *found = tsr_symbol_find(s->cpu, name);
    if (!found && name.len > n && !memcmp(name.data + name.len - n, end, n))
        found = tsr_symbol_find(s->cpu, tsr_str_of(name.data, name.len - n));
    return found && is_function(found, true) ? found : NULL;
}

/* cpu_hoisted_NAME, with a number if either module has that name. */
static tsr_attr *free_name(const state *s, tsr_str name)
{
    for (unsigned i = 0;; i++) {
        tsr_buf text = {0};
        tsr_buf_printf(&text, "cpu_hoisted_%.*s", TSR_STR_ARG(name));
        if (i)
            tsr_buf_printf(&text, "_%u", i);
        tsr_str t = tsr_buf_text(&text);
        bool taken = tsr_symbol_find(s->cpu, t) || tsr_symbol_find(s->device, t);
        tsr_attr *made = taken ? NULL : tsr_attr_string(s->p->ctx, t);
        tsr_buf_free(&text);
        if (made)
            return made;
    }
}

/* ---- The ops of a function ---- */

/* A function while it is divided: ops that stay, and values that enter and leave the moved part. */
typedef struct {
    tsr_op *f;
    tsr_block *body;
    op_vec leave;
    tsr_value_vec in, out;
    tsr_map stays; /* ops */
} parts;

static bool stays(const parts *t, const tsr_op *op)
{
    TSR_MAP_EACH (&t->stays, tsr_hash_ptr(op), found)
        if (found == op)
            return true;
    return false;
}

/* A mesh_shard that a command queue can represent: the identity is not one of its kinds. */
static bool is_shard(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_TTIR_MESH_SHARD) &&
           op->attrs[TTIR_MESH_SHARD_shard_type]->i != TSR_TT_IDENTITY;
}

static bool is_returned_alone(const tsr_op *op)
{
    for (const tsr_use *u = op->out[0].uses; u; u = u->next)
        if (!tsr_op_is(u->user, TSR_OP_FUNC_RETURN))
            return false;
    return op->out[0].uses != NULL;
}

static void add_once(tsr_value_vec *list, tsr_value *v)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->data[i] == v)
            return;
    tsr_vec_push(list, v);
}

/* Splitting of arguments comes first, joining of results last; the rest is moved. */
static void part(parts *t)
{
    TSR_BLOCK_OPS (t->body, op) {
        bool first = is_shard(op) && op->in[0].value->is_arg && op->in[0].value->block == t->body;
        if (first || (is_shard(op) && is_returned_alone(op)) || tsr_op_is(op, TSR_OP_FUNC_RETURN))
            tsr_map_put(&t->stays, tsr_hash_ptr(op), op);
        else
            tsr_vec_push(&t->leave, op);
    }
    for (uint32_t i = 0; i < t->body->nargs; i++)
        for (const tsr_use *u = t->body->args[i]->uses; u; u = u->next)
            if (!stays(t, u->user)) {
                add_once(&t->in, t->body->args[i]);
                break;
            }
    for (size_t i = 0; i < t->leave.n; i++) {
        tsr_op *op = t->leave.data[i];
        TSR_OPS (op, inner)
            for (uint32_t k = 0; k < inner->nin; k++)
                if (!inner->in[k].value->is_arg && stays(t, inner->in[k].value->op))
                    add_once(&t->in, inner->in[k].value);
        for (uint32_t k = 0; k < op->nout; k++)
            for (const tsr_use *u = op->out[k].uses; u; u = u->next)
                if (stays(t, u->user))
                    add_once(&t->out, &op->out[k]);
    }
}

static tsr_op *new_function(const state *s, const parts *t, const char *role, tsr_attr *name)
{
    tsr_ctx *ctx = s->p->ctx;
    tsr_type_vec types = {0};
    for (size_t i = 0; i < t->in.n; i++)
        tsr_vec_push(&types, t->in.data[i]->type);
    for (size_t i = 0; i < t->out.n; i++)
        tsr_vec_push(&types, t->out.data[i]->type);
    tsr_op *f = tsr_op_new(s->p->module, tsr_opdef_of(ctx, TSR_OP_FUNC_FUNC), t->f->loc, NULL, 0,
                           NULL, 0, 1, 0);
    f->attrs[FUNC_FUNC_sym_name] = name;
    f->attrs[FUNC_FUNC_function_type] = tsr_attr_type(
        ctx, tsr_type_function(ctx, types.data, t->in.n, TSR_FROM(types.data, t->in.n), t->out.n));
    say_role(s, f, role);
    tsr_vec_free(&types);
    return f;
}

/* The host function: copies of the moved ops. */
static tsr_op *define(const state *s, const parts *t, tsr_attr *name)
{
    tsr_module *m = s->p->module;
    tsr_op *f = new_function(s, t, "forward_cpu", name);
    tsr_block *body = tsr_block_new(m);
    tsr_mapping map = {0};
    tsr_value_vec results = {0};
    tsr_block_insert(body, &f->regions[0], NULL);
    for (size_t i = 0; i < t->in.n; i++)
        tsr_mapping_put(&map, t->in.data[i],
                        tsr_block_add_arg(m, body, t->in.data[i]->type, f->loc));
    for (size_t i = 0; i < t->leave.n; i++) {
        tsr_op *made = tsr_op_clone(m, t->leave.data[i], &map);
        say(s, made, "ttir.should_hoist", NULL);
        tsr_op_insert(made, body, NULL);
    }
    for (size_t i = 0; i < t->out.n; i++)
        tsr_vec_push(&results, tsr_mapping_get(&map, t->out.data[i]));
    tsr_op_insert(tsr_op_new(m, tsr_opdef_of(s->p->ctx, TSR_OP_FUNC_RETURN), f->loc, results.data,
                             results.n, NULL, 0, 0, 0),
                  body, NULL);
    tsr_op_insert(f, s->cpu->regions[0].first, NULL);
    tsr_vec_free(&results);
    tsr_mapping_free(&map);
    return f;
}

/* The call is inserted before the first op that needs its results. */
static void call(const state *s, const parts *t, tsr_attr *name)
{
    tsr_type_vec types = {0};
    tsr_op *at = t->body->last;
    for (size_t i = 0; i < t->out.n; i++) {
        tsr_vec_push(&types, t->out.data[i]->type);
        for (const tsr_use *u = t->out.data[i]->uses; u; u = u->next)
            if (stays(t, u->user) && tsr_op_before(u->user, at))
                at = u->user;
    }
    tsr_op *made = tsr_op_new(s->p->module, tsr_opdef_of(s->p->ctx, TSR_OP_FUNC_CALL), t->f->loc,
                              t->in.data, t->in.n, types.data, types.n, 0, 0);
    made->attrs[FUNC_CALL_callee] = tsr_attr_symbol(s->p->ctx, name->s, NULL, 0);
    say(s, made, "ttir.cpu_hoisted_call", tsr_attr_unit(s->p->ctx));
    tsr_op_insert(made, t->body, at);
    for (size_t i = 0; i < t->out.n; i++)
        tsr_value_replace(t->out.data[i], &made->out[i]);
    for (size_t i = t->leave.n; i-- > 0;)
        tsr_op_erase(t->leave.data[i]);
    /* Arguments are split before the call, wherever that was done. */
    for (size_t i = 0; i < t->in.n; i++)
        if (!t->in.data[i]->is_arg && !tsr_op_before(t->in.data[i]->op, made))
            tsr_op_move_before(t->in.data[i]->op, made);
    tsr_vec_free(&types);
}

/* It already is a call of a host function. */
static bool is_done(const state *s, const parts *t)
{
    const tsr_op *op = t->leave.data[0];
    return t->leave.n == 1 && tsr_op_is(op, TSR_OP_FUNC_CALL) &&
           tsr_dict_get(op->extra, TSR_STR("ttir.cpu_hoisted_call")) &&
           on_host(s, op->attrs[FUNC_CALL_callee]->s);
}

static bool hoist(const state *s, tsr_op *f)
{
    parts t = {.f = f, .body = f->regions[0].first};
    if (t.body->next)
        return tsr_op_error(f, "has more than one block: it cannot be a program of the host");
    part(&t);
    if (t.leave.n && !is_done(s, &t)) {
        tsr_attr *name = free_name(s, tsr_op_symbol(f));
        define(s, &t, name);
        call(s, &t, name);
        tsr_op *declared = new_function(s, &t, "forward_cpu_declaration", name);
        declared->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(s->p->ctx, TSR_STR("private"));
        tsr_op_insert(declared, s->device->regions[0].first, NULL);
        s->p->changed = true;
    }
    tsr_vec_free(&t.leave);
    tsr_vec_free(&t.in);
    tsr_vec_free(&t.out);
    tsr_map_free(&t.stays);
    return true;
}

/* ---- Functions with callers ---- */

/* Functions that the host had before may use other types: converts at calls of them. */
static void fit_call(tsr_op *op, const tsr_op *callee)
{
    const tsr_type *type = callee->attrs[FUNC_FUNC_function_type]->type;
    tsr_build b = tsr_build_before(op);
    for (uint32_t i = 0; i < op->nin && i < type->n; i++)
        if (op->in[i].value->type != type->types[i] && tsr_type_is(type->types[i], TSR_TYPE_TENSOR))
            tsr_op_set_operand(op, i, tsr_ttir_typecast(&b, op->in[i].value, type->types[i]->elem));
    b.at = op->next;
    for (uint32_t i = 0; i < op->nout && i < type->nout; i++) {
        tsr_type *was = op->out[i].type, *is = type->types[type->n + i];
        if (was == is || !tsr_type_is(is, TSR_TYPE_TENSOR))
            continue;
        tsr_op *hold = tsr_op_new(op->module, tsr_opdef_of(op->module->ctx, TSR_OP_TTIR_TYPECAST),
                                  op->loc, NULL, 0, &was, 1, 0, 0);
        tsr_value_replace(&op->out[i], &hold->out[0]);
        op->out[i].type = is;
        tsr_op_set_operands(hold, (tsr_value *[]){&op->out[i]}, 1);
        tsr_op_insert(hold, op->block, b.at);
    }
    tsr_build_free(&b);
    op->attrs[FUNC_CALL_callee] = tsr_attr_symbol(op->module->ctx, tsr_op_symbol(callee), NULL, 0);
}

/* Adapts calls, in newly hoisted functions, of functions hoisted before. */
static void fit_calls(const state *s)
{
    op_vec calls = {0};
    TSR_OPS (s->cpu, op)
        if (tsr_op_is(op, TSR_OP_FUNC_CALL))
            tsr_vec_push(&calls, op);
    for (size_t i = 0; i < calls.n; i++) {
        const tsr_op *callee = on_host(s, calls.data[i]->attrs[FUNC_CALL_callee]->s);
        if (callee)
            fit_call(calls.data[i], callee);
    }
    tsr_vec_free(&calls);
}

/* Whether the rest of the device's module calls it. */
static bool is_called(const op_vec *forward, tsr_str name)
{
    for (size_t i = 0; i < forward->n; i++)
        TSR_BLOCK_OPS (forward->data[i]->regions[0].first, op)
            if (tsr_op_is(op, TSR_OP_FUNC_CALL) && tsr_str_eq(op->attrs[FUNC_CALL_callee]->s, name))
                return true;
    return false;
}

/* Moves private functions to the host; erases declarations of functions that are there. */
static bool move_private(const state *s, const op_vec *forward, const op_vec *list)
{
    for (size_t i = 0; i < list->n; i++) {
        tsr_op *f = list->data[i];
        bool declared = is_function(f, false);
        if (declared && is_called(forward, tsr_op_symbol(f)))
            continue;
        if (declared && on_host(s, tsr_op_symbol(f))) {
            tsr_op_erase(f);
            continue;
        }
        if (tsr_symbol_find(s->cpu, tsr_op_symbol(f)))
            return tsr_op_error(f, "has the name of a function that the host has already");
        tsr_op_remove(f);
        tsr_op_insert(f, s->cpu->regions[0].first, NULL);
        if (!declared)
            say_role(s, f, "forward_cpu");
    }
    return true;
}

bool pass_cpu_hoist_forward(tsr_pass *p, tsr_op *root)
{
    state s = {.p = p, .root = root};
    op_vec forward = {0}, others = {0};
    if (root->block || !root->regions[0].first)
        return true;
    s.device = tsr_hoist_module(root, TSR_OP_TTCORE_DEVICE_MODULE);
    if (!s.device)
        return true;
    s.cpu = tsr_hoist_module(root, TSR_OP_TTCORE_CPU_MODULE);
    if (!s.cpu)
        s.cpu = tsr_hoist_new_module(root);
    TSR_BLOCK_OPS (s.device->regions[0].first, f)
        if (tsr_op_is(f, TSR_OP_FUNC_FUNC))
            tsr_vec_push(is_function(f, true) && !is_private(f) ? &forward : &others, f);
    bool ok = true;
    for (size_t i = 0; ok && i < forward.n; i++)
        ok = hoist(&s, forward.data[i]);
    ok = ok && move_private(&s, &forward, &others);
    if (ok)
        fit_calls(&s);
    tsr_vec_free(&forward);
    tsr_vec_free(&others);
    return ok;
}
