/* SPDX-License-Identifier: Apache-2.0 */
/* function.c - builds the derivative of a whole function, as a new function next to it. */
#include "pass/grad/grad.h"
#include "pass/grad/function.h"

#include "dialect/sdy/sharding.h"

/* The state while a function is built. */
typedef struct {
    tsr_grad *g;
    const tsr_grad_request *r;
    tsr_op *func; /* the new one */
    tsr_block *block;
    uint32_t nin; /* arguments of the original */
    tsr_op *ret;  /* its operands are the original results, until it gets the new ones */
    /* cotangents of results or tangents of arguments; NULL where there is none */
    tsr_value_vec seeds;
    tsr_value_vec out;
} maker;

static bool counts(tsr_str mask, uint32_t i)
{
    return i < mask.len && mask.data[i] == '1';
}

static tsr_attr *symbol_name(tsr_ctx *ctx, tsr_str name)
{
    return tsr_attr_string(ctx, name);
}

/* Dictionaries of arguments, without attributes that refer to the original's results. */
static tsr_attr *clean_dict(tsr_ctx *ctx, tsr_attr *dict)
{
    static const char *const gone[] = {"tf.aliasing_output", "jax.buffer_donor", "jax.result_info"};
    for (size_t i = 0; dict && i < TSR_COUNT(gone); i++)
        if (tsr_dict_get(dict, tsr_cstr(gone[i])))
            dict = tsr_dict_with(ctx, dict, tsr_name_get(ctx, tsr_cstr(gone[i])), NULL);
    return dict ? dict : tsr_attr_dict(ctx, NULL, 0);
}

static tsr_attr *dict_at(tsr_ctx *ctx, const tsr_attr *list, uint32_t i)
{
    return clean_dict(ctx, list && i < list->n ? list->attrs[i] : NULL);
}

static void set_dicts(tsr_op *func, int slot, tsr_ctx *ctx, tsr_attr *const *dicts, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any |= dicts[i]->n != 0;
    func->attrs[slot] = any ? tsr_attr_array(ctx, dicts, n) : NULL;
}

/* A state that passes a varied value from a write to a read would lose its derivative. Values written in regions are
 * assumed to be varied, as regions are analysed later. */
static bool check_states(maker *k)
{
    tsr_map read = {0};
    bool ok = true;
    TSR_OPS (k->func, op)
        if (tsr_op_is(op, TSR_OP_TESSERA_STATE_READ)) {
            tsr_attr *state = tsr_attr_of(op, TESSERA_STATE_READ_state);
            bool there = false;
            TSR_MAP_EACH (&read, tsr_hash_ptr(state), v)
                there |= v == state;
            if (!there)
                tsr_map_put(&read, tsr_hash_ptr(state), state);
        }
    TSR_OPS (k->func, op) {
        tsr_value *v =
            tsr_op_is(op, TSR_OP_TESSERA_STATE_UPDATE) && op->nin ? tsr_grad_in(op, 0) : NULL;
        bool varied =
            v && (op->block == k->block ? tsr_grad_varied(k->g, v) : tsr_grad_is_smooth(v->type));
        const tsr_attr *state = varied ? tsr_attr_of(op, TESSERA_STATE_UPDATE_state) : NULL;
        bool there = false;
        if (state)
            TSR_MAP_EACH (&read, tsr_hash_ptr(state), r)
                there |= r == state;
        if (there)
            ok = tsr_op_error(op,
                              "cannot be differentiated: what it writes depends on an argument of "
                              "interest, and state '@%.*s' is read in the same function",
                              TSR_STR_ARG(state->s));
    }
    tsr_map_free(&read);
    return ok;
}

/* Copies the function. */
static bool start(maker *k, tsr_op *func)
{
    tsr_grad *g = k->g;
    tsr_mapping map = {0};
    k->nin = func->regions[0].first->nargs;
    k->func = tsr_op_clone(func->module, func, &map);
    tsr_mapping_free(&map);
    tsr_op_insert(k->func, func->block, func->next);
    k->block = k->func->regions[0].first;
    tsr_ctx *ctx = func->module->ctx;
    if (k->func->extra)
        k->func->extra = tsr_dict_with(ctx, k->func->extra,
                                       tsr_name_get(ctx, TSR_STR("tessera.autodiff")), NULL);
    tsr_op_set_attr(k->func, TSR_STR("sym_name"), symbol_name(ctx, k->r->name));
    k->func->attrs[FUNC_FUNC_sym_visibility] =
        k->r->inner ? tsr_attr_string(ctx, TSR_STR("private")) : NULL;
    TSR_TRY(tsr_grad_lower(g, k->func));
    k->ret = k->block->last;
    for (uint32_t i = 0; i < k->nin; i++) {
        tsr_value *a = k->block->args[i];
        *tsr_grad_dual(g, a) =
            (tsr_dual){.varied = counts(k->r->args, i) && tsr_grad_is_smooth(a->type)};
    }
    g->b = (tsr_build){
        .ctx = ctx, .module = func->module, .block = k->block, .at = k->ret, .loc = func->loc};
    return tsr_grad_analyse(g, k->block) && check_states(k);
}

/* Adds arguments: seeds for the values of interest. */
static void add_seeds(maker *k)
{
    tsr_ctx *ctx = k->g->b.ctx;
    bool reverse = k->g->mode == TSR_GRAD_REVERSE;
    tsr_str mask = reverse ? k->r->results : k->r->args;
    size_t n = reverse ? k->ret->nin : k->nin;
    const tsr_attr *args = k->func->attrs[FUNC_FUNC_arg_attrs],
                   *res = k->func->attrs[FUNC_FUNC_res_attrs];
    TSR_VEC(tsr_attr *) dicts = {0};
    for (uint32_t i = 0; i < k->nin; i++)
        tsr_vec_push(&dicts, dict_at(ctx, args, i));
    for (uint32_t i = 0; i < n; i++) {
        tsr_value *of = reverse ? tsr_grad_in(k->ret, i) : k->block->args[i], *seed = NULL;
        if (counts(mask, i)) {
            seed = tsr_block_add_arg(k->func->module, k->block, of->type, k->func->loc);
            tsr_vec_push(&dicts, dict_at(ctx, reverse ? res : args, i));
        }
        tsr_vec_push(&k->seeds, seed);
    }
    set_dicts(k->func, FUNC_FUNC_arg_attrs, ctx, dicts.data, dicts.n);
    tsr_vec_free(&dicts);
}

/* A value without a derivative gets zeros. */
static bool zero_like(maker *k, tsr_value *v, tsr_value **out)
{
    const tsr_type *t = v->type;
    if (!tsr_hlo_is_ranked(t) || !tsr_is_number(t->elem))
        return tsr_error(k->g->b.ctx, k->func->loc,
                         "a value of type %s has no gradient: leave it out of wrt",
                         tsr_hlo_show_type(t));
    *out = tsr_grad_zero(k->g, v);
    return true;
}

static bool backward(maker *k)
{
    tsr_grad *g = k->g;
    tsr_op *last = k->ret->prev;
    for (uint32_t i = 0; i < k->ret->nin; i++)
        if (k->seeds.data[i])
            tsr_grad_add(g, tsr_grad_in(k->ret, i), k->seeds.data[i]);
    if (last)
        TSR_TRY(tsr_grad_reverse(g, last));
    g->b.loc = k->func->loc;
    for (uint32_t i = 0; k->r->primal && i < k->ret->nin; i++)
        tsr_vec_push(&k->out, tsr_grad_in(k->ret, i));
    for (uint32_t i = 0; i < k->nin; i++) {
        tsr_value *v = k->block->args[i], *d = tsr_grad_of(g, v);
        if (!counts(k->r->args, i))
            continue;
        if (!d)
            TSR_TRY(zero_like(k, v, &d));
        tsr_vec_push(&k->out, d);
    }
    return true;
}

static bool forward(maker *k)
{
    tsr_grad *g = k->g;
    for (uint32_t i = 0; i < k->nin; i++)
        if (k->seeds.data[i] && tsr_grad_varied(g, k->block->args[i]))
            tsr_grad_set(g, k->block->args[i], k->seeds.data[i]);
    tsr_value_vec wanted = {0};
    for (uint32_t i = 0; i < k->ret->nin; i++)
        if (counts(k->r->results, i))
            tsr_vec_push(&wanted, tsr_grad_in(k->ret, i));
    tsr_grad_mark(g, k->block, wanted.data, wanted.n);
    tsr_vec_free(&wanted);
    TSR_TRY(tsr_grad_forward(g, k->block->first, k->ret));
    g->b.at = k->ret;
    g->b.loc = k->func->loc;
    for (uint32_t i = 0; i < k->ret->nin; i++)
        tsr_vec_push(&k->out, tsr_grad_in(k->ret, i));
    for (uint32_t i = 0; i < k->ret->nin; i++) {
        tsr_value *d = tsr_grad_of(g, tsr_grad_in(k->ret, i));
        if (!counts(k->r->results, i))
            continue;
        if (!d)
            TSR_TRY(zero_like(k, tsr_grad_in(k->ret, i), &d));
        tsr_vec_push(&k->out, d);
    }
    return true;
}

/* Attributes of the new results: those of the values they are derivatives of. */
static void result_dicts(maker *k, const tsr_op *func)
{
    tsr_ctx *ctx = k->g->b.ctx;
    const tsr_attr *args = func->attrs[FUNC_FUNC_arg_attrs],
                   *res = func->attrs[FUNC_FUNC_res_attrs];
    bool reverse = k->g->mode == TSR_GRAD_REVERSE;
    TSR_VEC(tsr_attr *) dicts = {0};
    for (uint32_t i = 0; (!reverse || k->r->primal) && i < k->ret->nin; i++)
        tsr_vec_push(&dicts, dict_at(ctx, res, i));
    for (uint32_t i = 0; i < (reverse ? k->nin : k->ret->nin); i++)
        if (counts(reverse ? k->r->args : k->r->results, i))
            tsr_vec_push(&dicts, dict_at(ctx, reverse ? args : res, i));
    set_dicts(k->func, FUNC_FUNC_res_attrs, ctx, dicts.data, dicts.n);
    tsr_vec_free(&dicts);
}

static void finish(maker *k)
{
    tsr_ctx *ctx = k->g->b.ctx;
    tsr_op_set_operands(k->ret, k->out.data, k->out.n);
    tsr_type_vec in = {0}, out = {0};
    for (uint32_t i = 0; i < k->block->nargs; i++)
        tsr_vec_push(&in, k->block->args[i]->type);
    for (size_t i = 0; i < k->out.n; i++)
        tsr_vec_push(&out, k->out.data[i]->type);
    k->func->attrs[FUNC_FUNC_function_type] =
        tsr_attr_type(ctx, tsr_type_function(ctx, in.data, in.n, out.data, out.n));
    tsr_vec_free(&in);
    tsr_vec_free(&out);
}

tsr_op *tsr_grad_build(tsr_grad *g, tsr_op *func, const tsr_grad_request *r)
{
    maker k = {.g = g, .r = r};
    tsr_build outer = g->b;
    tsr_loc loc = func->loc;
    tsr_block *body = func->regions[0].first;
    if (!body) {
        tsr_error(func->module->ctx, loc, "function '%.*s' has no body to differentiate",
                  TSR_STR_ARG(tsr_op_symbol(func)));
        return NULL;
    }
    if (body->next || !body->last || !tsr_op_is(body->last, TSR_OP_FUNC_RETURN)) {
        tsr_error(func->module->ctx, loc,
                  "function '%.*s' has several blocks: only structured control flow can be "
                  "differentiated",
                  TSR_STR_ARG(tsr_op_symbol(func)));
        return NULL;
    }
    if (g->depth >= TSR_GRAD_DEPTH) {
        tsr_error(func->module->ctx, loc, "calls are too deep to be differentiated");
        return NULL;
    }
    g->depth++;
    uint32_t first = 0;
    bool ok = start(&k, func);
    if (ok) {
        first = func->module->nop;
        add_seeds(&k);
        ok = g->mode == TSR_GRAD_REVERSE ? backward(&k) : forward(&k);
    }
    if (ok) {
        result_dicts(&k, func);
        finish(&k);
        tsr_grad_erase_dead(g, k.ret->prev);
        if (g->remat && g->mode == TSR_GRAD_REVERSE)
            tsr_grad_rematerialise(g, k.block, first);
    }
    if (!ok)
        tsr_op_erase(k.func);
    tsr_build_free(&g->b);
    g->b = outer;
    g->depth--;
    tsr_vec_free(&k.seeds);
    tsr_vec_free(&k.out);
    return ok ? k.func : NULL;
}

/* ---- For calls ---- */

tsr_op *tsr_grad_function(tsr_grad *g, tsr_op *func, tsr_str args, tsr_str results)
{
    tsr_buf key = {0}, name = {0};
    tsr_buf_str(&key, args);
    tsr_buf_char(&key, ':');
    tsr_buf_str(&key, results);
    tsr_str k = tsr_buf_text(&key);
    tsr_op *made = NULL;
    bool found = false;
    for (size_t i = 0; i < g->made.n && !found; i++) {
        const tsr_grad_made *m = &g->made.data[i];
        found = m->func == func && m->mode == g->mode && tsr_str_eq(m->key, k);
        if (found)
            made = m->made;
    }
    if (found && !made)
        tsr_error(func->module->ctx, func->loc,
                  "function '%.*s' calls itself: it cannot be differentiated",
                  TSR_STR_ARG(tsr_op_symbol(func)));
    if (!found) {
        size_t at = g->made.n;
        tsr_str kept = {tsr_arena_copy(g->pass->scratch, k.data, k.len), k.len};
        tsr_vec_push(&g->made, (tsr_grad_made){func, g->mode, kept, NULL});
        size_t number = at;
        do {
            name.len = 0;
            tsr_buf_printf(&name, "%.*s_%s_%zu", TSR_STR_ARG(tsr_op_symbol(func)),
                           g->mode == TSR_GRAD_REVERSE ? "grad" : "jvp", number++);
        } while (tsr_symtab_find(&g->symbols, tsr_buf_text(&name)));
        tsr_grad_request r = {
            .name = tsr_buf_text(&name), .args = args, .results = results, .inner = true};
        made = tsr_grad_build(g, func, &r);
        g->made.data[at].made = made;
        if (made)
            tsr_map_put(&g->symbols.map, tsr_hash_str(tsr_op_symbol(made)), made);
    }
    tsr_buf_free(&key);
    tsr_buf_free(&name);
    return made;
}
