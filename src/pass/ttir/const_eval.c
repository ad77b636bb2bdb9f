/* SPDX-License-Identifier: Apache-2.0 */
/* const_eval.c - const-eval-hoist-transform: moves ops that depend only on parameters and constants into separate
 * functions, whose results are loaded from a cache (ttcore.load_cached).
 *
 * Ops hoisted before are inlined first, so that a second run gives the same result. Then ops whose operands are
 * constant arguments or hoisted ops are joined with those ops (union-find over op ids): each set becomes one function.
 * Needs nothing; keeps what a program computes; breaks ids. */
#include <stdlib.h>

#include "dialect/ttnn/ttnn.h"
#include "pass/ttir/tt.h"

static bool has_kind(const tsr_op *func, const char *name)
{
    const tsr_attr *kind = tsr_dict_get(func->extra, TSR_STR("tt.function_type"));
    return tsr_attr_is(kind, TSR_ATTR_STRING) && tsr_str_is(kind->s, name);
}

static bool is_const_eval(const tsr_op *func)
{
    return has_kind(func, "const_eval");
}

/* Each function has its own device. */
static bool is_device(const tsr_value *v)
{
    return !v->is_arg && tsr_op_is(v->op, TSR_OP_TTNN_GET_DEVICE);
}

/* A call of a host function without effects. */
static bool is_hoisted_call(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_FUNC_CALL) &&
           (tsr_dict_get(op->extra, TSR_STR("ttir.cpu_hoisted_call")) ||
            tsr_dict_get(op->extra, TSR_STR("ttir.cpu_hoist_call")));
}

static tsr_attr *argument_dict(const tsr_op *func, uint32_t i)
{
    const tsr_attr *dicts = func->attrs[FUNC_FUNC_arg_attrs];
    return dicts && i < dicts->n ? dicts->attrs[i] : NULL;
}

static bool is_constant_arg(const tsr_op *func, const tsr_value *v)
{
    const tsr_attr *kind =
        tsr_dict_get(argument_dict(func, v->index), TSR_STR("ttcore.argument_type"));
    return tsr_attr_is(kind, TSR_ATTR_ENUM) &&
           (kind->i == TSR_TT_PARAMETER || kind->i == TSR_TT_CONSTANT);
}

/* ---- Inlining hoisted functions ---- */

static tsr_op *find_device(const tsr_block *b)
{
    tsr_op *op = b->first;
    while (op && !tsr_op_is(op, TSR_OP_TTNN_GET_DEVICE))
        op = op->next;
    return op;
}

/* device: that of the load's block; NULL: none yet. Returns the device afterwards. */
static tsr_op *put_back(tsr_pass *p, tsr_op *load, tsr_op *callee, tsr_op *device)
{
    tsr_mapping map = {0};
    tsr_block *body = callee->regions[0].first;
    tsr_op *first = device;
    for (uint32_t i = 0; i < body->nargs && i < load->nin; i++)
        tsr_mapping_put(&map, body->args[i], load->in[i].value);
    TSR_BLOCK_OPS (body, op) {
        if (tsr_op_is(op, TSR_OP_TTNN_GET_DEVICE) && device) {
            if (device != load->block->first)
                tsr_op_move_before(device, load->block->first);
            tsr_mapping_put(&map, &op->out[0], &device->out[0]);
        } else if (op == body->last) {
            for (uint32_t i = 0; i < op->nin && i < load->nout; i++)
                tsr_value_replace(&load->out[i], tsr_mapping_get(&map, op->in[i].value));
        } else {
            tsr_op *made = tsr_op_clone(p->module, op, &map);
            tsr_op_insert(made, load->block, load);
            first = first || !tsr_op_is(made, TSR_OP_TTNN_GET_DEVICE) ? first : made;
        }
    }
    tsr_mapping_free(&map);
    tsr_op_erase(load);
    p->changed = true;
    return first;
}

/* A callee that can be inlined: a body of one block, matching arguments and results. */
static bool fits(const tsr_op *load, const tsr_op *callee)
{
    const tsr_block *body =
        callee && tsr_op_is(callee, TSR_OP_FUNC_FUNC) ? callee->regions[0].first : NULL;
    return body && is_const_eval(callee) && !body->next && body->last && body->nargs == load->nin &&
           body->last->nin == load->nout;
}

static void put_all_back(tsr_pass *p, tsr_op *root)
{
    TSR_VEC(tsr_op *) callees = {0};
    const tsr_block *block = NULL;
    tsr_op *device = NULL; /* the current block's */
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        tsr_op *parent =
            tsr_op_is(op, TSR_OP_TTCORE_LOAD_CACHED) ? tsr_block_parent(op->block) : NULL;
        if (!parent || is_const_eval(parent))
            continue;
        tsr_op *callee = tsr_symbol_resolve(op, op->attrs[TTCORE_LOAD_CACHED_callee]);
        if (!fits(op, callee))
            continue;
        if (op->block != block)
            device = find_device(op->block);
        block = op->block;
        device = put_back(p, op, callee, device);
        tsr_vec_push(&callees, callee);
    }
    /* Callees that are still loaded elsewhere stay; the others are erased, each once. */
    bool *loaded = callees.n ? TSR_NEW_ARRAY(p->scratch, bool, p->module->nop + 1) : NULL;
    TSR_OPS (root, op) {
        if (!loaded || !tsr_op_is(op, TSR_OP_TTCORE_LOAD_CACHED))
            continue;
        tsr_op *callee = tsr_symbol_resolve(op, op->attrs[TTCORE_LOAD_CACHED_callee]);
        if (callee)
            loaded[callee->id] = true;
    }
    for (size_t i = 0; i < callees.n; i++) {
        uint32_t id = callees.data[i]->id;
        if (!loaded[id])
            tsr_op_erase(callees.data[i]);
        loaded[id] = true;
    }
    tsr_vec_free(&callees);
}

/* ---- Sets of ops ---- */

typedef struct {
    uint32_t *parent; /* by op id; 0: not hoisted, else 1 + the id of its parent */
    uint32_t n;
    /* by argument number: the argument of the function being built; NULL otherwise */
    tsr_value **args;
    tsr_op *load; /* the last one made in the current function; NULL: none yet */
} sets;

static uint32_t root_of(sets *s, uint32_t id)
{
    while (s->parent[id] != id + 1) {
        uint32_t up = s->parent[id] - 1;
        s->parent[id] = s->parent[up];
        id = up;
    }
    return id;
}

static bool hoistable(const sets *s, const tsr_op *func, const tsr_op *op)
{
    if (op->nout == 0 || op->nregion || !(tsr_op_removable(op) || is_hoisted_call(op)) ||
        op->id >= s->n || tsr_op_is(op, TSR_OP_TTCORE_LOAD_CACHED) ||
        tsr_op_has(op, TSR_TRAIT(TT_UNCACHED) | TSR_TRAIT(ALLOCATES)))
        return false;
    for (uint32_t i = 0; i < op->nout; i++) {
        if (!tsr_type_is(op->out[i].type, TSR_TYPE_TENSOR))
            return false;
        /* A value that is written to cannot be computed once. */
        for (const tsr_use *u = op->out[i].uses; u; u = u->next)
            if (!tsr_op_has(u->user, TSR_TRAIT(TERMINATOR)) && !tsr_op_effect_free(u->user) &&
                !is_hoisted_call(u->user) && u->user->in[0].value == &op->out[i])
                return false;
    }
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_value *v = op->in[i].value;
        if (v->is_arg ? !is_constant_arg(func, v)
                      : !is_device(v) && (v->op->id >= s->n || !s->parent[v->op->id]))
            return false;
    }
    return true;
}

/* Results cached in L1 stay there permanently, so ops must allow it explicitly. */
static bool stays_out_of_l1(const tsr_op *op)
{
    if (tsr_dict_get(op->extra, TSR_STR("ttnn.const_eval_allowed")))
        return true;
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_attr *layout = tsr_ttnn_layout_of(op->out[i].type);
        if (layout && tsr_ttnn_buffer(layout) == TSR_TTNN_L1)
            return tsr_error(op->module->ctx, op->loc,
                             "result of an op resides in L1, and the op is a const-eval candidate, "
                             "but it is not tagged with 'ttnn.const_eval_allowed'; tag the op or "
                             "change its memory space");
    }
    return true;
}

static void join(sets *s, const tsr_op *op)
{
    s->parent[op->id] = op->id + 1;
    for (uint32_t i = 0; i < op->nin; i++)
        if (!op->in[i].value->is_arg && !is_device(op->in[i].value))
            s->parent[root_of(s, op->in[i].value->op->id)] = root_of(s, op->id) + 1;
}

/* ---- Functions ---- */

typedef TSR_VEC(tsr_op *) op_vec;

static bool uses_outside(sets *s, uint32_t root, const tsr_value *v)
{
    for (const tsr_use *u = v->uses; u; u = u->next)
        if (u->user->id >= s->n || !s->parent[u->user->id] || root_of(s, u->user->id) != root)
            return true;
    return false;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = (*(tsr_value *const *)a)->index, y = (*(tsr_value *const *)b)->index;
    return (x > y) - (x < y);
}

/* Arguments that the ops use, by number. */
static uint32_t list_inputs(sets *s, const op_vec *ops, tsr_value **out)
{
    uint32_t n = 0;
    for (size_t i = 0; i < ops->n; i++)
        for (uint32_t k = 0; k < ops->data[i]->nin; k++) {
            tsr_value *v = ops->data[i]->in[k].value;
            if (!v->is_arg || s->args[v->index])
                continue;
            s->args[v->index] = v;
            out[n++] = v;
        }
    if (n > 1)
        qsort(out, n, sizeof *out, by_number);
    return n;
}

static tsr_attr *weight_attrs(tsr_pass *p, const tsr_op *func, tsr_value *const *in, uint32_t n)
{
    const tsr_name *name = tsr_name_get(p->ctx, TSR_STR("ttir.conv2d_weight"));
    tsr_attr **dicts = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n + 1);
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        tsr_attr *mark = tsr_dict_get(argument_dict(func, in[i]->index), name->str);
        any |= mark != NULL;
        dicts[i] = mark ? tsr_dict_with(p->ctx, NULL, name, mark) : tsr_attr_dict(p->ctx, NULL, 0);
    }
    return any ? tsr_attr_array(p->ctx, dicts, n) : NULL;
}

/* Creates a private function before func, without a body. */
static tsr_op *empty_function(tsr_pass *p, tsr_op *func, uint32_t number, tsr_type *type)
{
    tsr_buf name = {0};
    tsr_str old = tsr_op_symbol(func);
    tsr_buf_printf(&name, "%.*s_const_eval_%u", (int)old.len, old.data, number);
    tsr_op *made = tsr_op_new(p->module, func->def, func->loc, NULL, 0, NULL, 0, 1, 0);
    tsr_op_set_attr(made, TSR_STR("sym_name"), tsr_attr_string(p->ctx, tsr_buf_text(&name)));
    made->attrs[FUNC_FUNC_sym_visibility] = tsr_attr_string(p->ctx, TSR_STR("private"));
    made->attrs[FUNC_FUNC_function_type] = tsr_attr_type(p->ctx, type);
    made->extra = tsr_dict_with(p->ctx, NULL, tsr_name_get(p->ctx, TSR_STR("tt.function_type")),
                                tsr_attr_string(p->ctx, TSR_STR("const_eval")));
    tsr_op_insert(made, func->block, func);
    tsr_buf_free(&name);
    return made;
}

/* Moves ops to the end of inner, whose arguments are in s->args. A device that they use is cloned there, once. */
static void move_inside(tsr_pass *p, const sets *s, const op_vec *ops, tsr_block *inner)
{
    tsr_op *device = NULL;
    for (size_t i = 0; i < ops->n; i++) {
        tsr_op *op = ops->data[i];
        tsr_op_remove(op);
        tsr_op_insert(op, inner, NULL);
        for (uint32_t k = 0; k < op->nin; k++) {
            tsr_value *v = op->in[k].value;
            if (v->is_arg) {
                tsr_op_set_operand(op, k, s->args[v->index]);
            } else if (is_device(v) && v->op->block != inner) {
                if (!device) {
                    tsr_mapping none = {0};
                    device = tsr_op_clone(p->module, v->op, &none);
                    tsr_mapping_free(&none);
                    tsr_op_insert(device, inner, inner->first);
                }
                tsr_op_set_operand(op, k, &device->out[0]);
            }
        }
    }
}

/* The op that loads what the function computes, after what was hoisted before. */
static tsr_op *load_of(tsr_pass *p, sets *s, tsr_op *func, const tsr_op *made, tsr_value **in,
                       uint32_t nin, tsr_type **out, uint32_t nout)
{
    tsr_block *body = func->regions[0].first;
    tsr_op *at = s->load ? s->load->next : body->first;
    while (at && tsr_op_is(at, TSR_OP_TTCORE_LOAD_CACHED))
        at = at->next;
    tsr_op *load = tsr_op_new(p->module, tsr_opdef_of(p->ctx, TSR_OP_TTCORE_LOAD_CACHED), func->loc,
                              in, nin, out, nout, 0, 0);
    load->attrs[TTCORE_LOAD_CACHED_callee] = tsr_attr_symbol(p->ctx, tsr_op_symbol(made), NULL, 0);
    tsr_op_insert(load, body, at);
    s->load = load;
    return load;
}

static void make_function(tsr_pass *p, tsr_op *func, sets *s, const op_vec *ops, uint32_t number)
{
    uint32_t root = root_of(s, ops->data[0]->id), nout = 0, most = 0, most_in = 0;
    for (size_t i = 0; i < ops->n; i++) {
        most += ops->data[i]->nout;
        most_in += ops->data[i]->nin;
    }
    tsr_value **in = TSR_NEW_ARRAY(p->scratch, tsr_value *, most_in + 1),
              **out = TSR_NEW_ARRAY(p->scratch, tsr_value *, most + 1);
    tsr_type **types = TSR_NEW_ARRAY(p->scratch, tsr_type *, most_in + most + 1);
    uint32_t nin = list_inputs(s, ops, in);
    for (size_t i = 0; i < ops->n; i++)
        for (uint32_t k = 0; k < ops->data[i]->nout; k++)
            if (uses_outside(s, root, &ops->data[i]->out[k]))
                out[nout++] = &ops->data[i]->out[k];
    for (uint32_t i = 0; nout == 0 && i < nin; i++)
        s->args[in[i]->index] = NULL;
    if (nout == 0)
        return;
    for (uint32_t i = 0; i < nin + nout; i++)
        types[i] = i < nin ? in[i]->type : out[i - nin]->type;
    tsr_op *made =
        empty_function(p, func, number, tsr_type_function(p->ctx, types, nin, types + nin, nout));
    made->attrs[FUNC_FUNC_arg_attrs] = weight_attrs(p, func, in, nin);
    tsr_block *inner = tsr_block_new(p->module);
    tsr_block_insert(inner, &made->regions[0], NULL);
    tsr_op *load = load_of(p, s, func, made, in, nin, types + nin, nout);
    for (uint32_t i = 0; i < nin; i++)
        s->args[in[i]->index] = tsr_block_add_arg(p->module, inner, in[i]->type, func->loc);
    move_inside(p, s, ops, inner);
    for (uint32_t i = 0; i < nin; i++)
        s->args[in[i]->index] = NULL;
    /* Uses outside read the loaded values; the return is created afterwards, so that it is not one of them. */
    for (uint32_t i = 0; i < nout; i++)
        for (tsr_use *u = out[i]->uses, *next; u; u = next) {
            next = u->next;
            if (u->user->block != inner)
                tsr_op_set_operand(u->user, (size_t)(u - u->user->in), &load->out[i]);
        }
    tsr_op *ret = tsr_op_new(p->module, tsr_opdef_of(p->ctx, TSR_OP_FUNC_RETURN), func->loc, out,
                             nout, NULL, 0, 0, 0);
    tsr_op_insert(ret, inner, NULL);
    p->changed = true;
}

/* number_of: by op id, initially zero; functions have different ids, so all can share it and the sets. */
static bool hoist(tsr_pass *p, tsr_op *func, sets *s, uint32_t *number_of)
{
    tsr_block *body = func->regions[0].first;
    op_vec all = {0};
    bool ok = true;
    s->load = NULL;
    TSR_BLOCK_OPS (body, op)
        if (hoistable(s, func, op)) {
            ok &= stays_out_of_l1(op);
            join(s, op);
            tsr_vec_push(&all, op);
        }
    /* Sets by their first op. */
    uint32_t number = 0;
    op_vec *groups = TSR_NEW_ARRAY(p->scratch, op_vec, all.n + 1);
    for (size_t i = 0; i < all.n; i++) {
        uint32_t root = root_of(s, all.data[i]->id);
        if (!number_of[root])
            number_of[root] = ++number;
        tsr_vec_push(&groups[number_of[root] - 1], all.data[i]);
    }
    uint32_t made = 0;
    for (uint32_t i = 0; i < number; i++) {
        tsr_op *before = func->prev;
        if (ok)
            make_function(p, func, s, &groups[i], made);
        made += func->prev != before;
        tsr_vec_free(&groups[i]);
    }
    tsr_vec_free(&all);
    return ok;
}

/* ---- L1 ---- */

static int64_t bytes_of(const tsr_attr *layout)
{
    static const int64_t of_tile[] = {4096, 2048, 2048, 1088, 1088, 576,  576,
                                      320,  320,  4096, 2048, 1024, 4096, 2048};
    const tsr_type *shard = layout->attrs[TTNN_TTNN_LAYOUT_memref]->type;
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(layout);
    int64_t n = tsr_type_num_elements(shard);
    return spec.tiled && (size_t)spec.type < TSR_COUNT(of_tile)
               ? n * of_tile[spec.type]
               : n * (int64_t)(tsr_type_storage_bits(shard->elem) / 8);
}

/* Records the part of each core's L1 that caches take, in whole KiB plus one, on modules that have a device. */
static void say_l1(tsr_pass *p, tsr_op *module)
{
    enum { UNIT = 1024 };
    int64_t total = 0;
    bool device = false;
    if (!tsr_op_is(module, TSR_OP_BUILTIN_MODULE) || !module->regions[0].first)
        return;
    TSR_BLOCK_OPS (module->regions[0].first, op) {
        device |= tsr_op_is(op, TSR_OP_TTCORE_DEVICE);
        if (!tsr_op_is(op, TSR_OP_FUNC_FUNC) || !op->regions[0].first || !is_const_eval(op))
            continue;
        const tsr_op *ret = op->regions[0].first->last;
        for (uint32_t i = 0; ret && i < ret->nin; i++) {
            const tsr_attr *layout = tsr_ttnn_layout_of(ret->in[i].value->type);
            if (layout && tsr_ttnn_buffer(layout) == TSR_TTNN_L1)
                total += bytes_of(layout);
        }
    }
    tsr_type *u64 = tsr_type_integer(p->ctx, 64, TSR_UNSIGNED);
    if (device)
        module->extra = tsr_dict_with(
            p->ctx, module->extra, tsr_name_get(p->ctx, TSR_STR("ttnn.l1_const_eval_usage")),
            tsr_attr_int(p->ctx, u64, (total + UNIT + UNIT - 1) / UNIT * UNIT));
}

bool pass_const_eval_hoist_transform(tsr_pass *p, tsr_op *root)
{
    TSR_VEC(tsr_op *) funcs = {0};
    put_all_back(p, root);
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first &&
            !op->regions[0].first->next && !is_const_eval(op) && !has_kind(op, "kernel") &&
            !has_kind(op, "forward_cpu"))
            tsr_vec_push(&funcs, op);
    sets s = {.n = p->module->nop};
    s.parent = TSR_NEW_ARRAY(p->scratch, uint32_t, s.n + 1);
    uint32_t *number_of = TSR_NEW_ARRAY(p->scratch, uint32_t, s.n + 1), most = 0;
    for (size_t i = 0; i < funcs.n; i++)
        if (funcs.data[i]->regions[0].first->nargs > most)
            most = funcs.data[i]->regions[0].first->nargs;
    s.args = TSR_NEW_ARRAY(p->scratch, tsr_value *, most + 1);
    bool ok = true;
    for (size_t i = 0; ok && i < funcs.n; i++)
        ok = hoist(p, funcs.data[i], &s, number_of);
    tsr_vec_free(&funcs);
    TSR_OPS (root, op)
        say_l1(p, op);
    return ok;
}
