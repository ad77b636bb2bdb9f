/* SPDX-License-Identifier: Apache-2.0 */
/* manual.c - converts GSPMD's manual parts to sdy.manual_computation.
 *
 * @SPMDFullToShardShape converts a global value to one device's shard, @SPMDShardToFullShape converts it back. A
 * value's depth is the number of the former minus the number of the latter that it went through. In each block, ops at
 * a depth that work on the same values form a part; a part becomes a manual computation, whose body is then processed
 * in the same way. Values that do not depend on operands, constants and the device's number, are copied into it. */
#include "dialect/sdy/axes.h"
#include "shard/core/calls.h"
#include "shard/gspmd/import.h"
#include "shard/core/make.h"

typedef struct {
    tsr_gspmd_import *im;
    uint32_t *depth; /* by value id */
    uint32_t nvalue;
    uint32_t *up; /* by op id: union-find of parts */
    uint32_t nop;
    tsr_op **ops; /* by op id, for the current block */
    tsr_symtab symbols;
    uint64_t *base; /* by op id of a function: the manual axes under which it is called */
} manual;

static bool is_enter(const tsr_op *op)
{
    return tsr_gspmd_is(op, "SPMDFullToShardShape");
}

static bool is_leave(const tsr_op *op)
{
    return tsr_gspmd_is(op, "SPMDShardToFullShape");
}

static uint32_t depth_of(const manual *m, const tsr_value *v)
{
    return v->id < m->nvalue ? m->depth[v->id] : 0;
}

static void set_depth(manual *m, const tsr_value *v, uint32_t depth)
{
    if (v->id < m->nvalue)
        m->depth[v->id] = depth;
}

static bool is_inside(const tsr_value *v, const tsr_op *op)
{
    const tsr_op *at = v->is_arg ? tsr_block_parent(v->block) : v->op;
    return at && (v->is_arg || at != op) && tsr_op_is_ancestor(op, at);
}

/* All values from outside that op or its regions use. */
#define EACH_USED(op, inner, i)                     \
    TSR_OPS (op, inner)                             \
        for (uint32_t i = 0; i < (inner)->nin; i++) \
            if ((inner) == (op) || !is_inside((inner)->in[i].value, op))

/* Whether a value does not depend on data of devices: constants, iotas, the device's number. */
enum { LONGEST = 16 }; /* of a copied chain of ops */

static bool is_free(const tsr_value *v, int budget)
{
    if (v->is_arg || budget < 0 || v->op->nregion)
        return false;
    const tsr_op *op = v->op;
    bool known = tsr_op_is(op, TSR_OP_STABLEHLO_PARTITION_ID) ||
                 tsr_op_is(op, TSR_OP_STABLEHLO_REPLICA_ID) || tsr_op_is(op, TSR_OP_FUNC_CALL) ||
                 tsr_gspmd_is(op, "Sharding");
    if (!known && !tsr_op_has(op, TSR_TRAIT(NO_EFFECT)))
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if (!is_free(op->in[i].value, budget - 1))
            return false;
    return true;
}

/* ---- Depths and parts ---- */

static uint32_t find(manual *m, uint32_t id)
{
    while (m->up[id] != id)
        id = m->up[id] = m->up[m->up[id]];
    return id;
}

/* A part is represented by its first op. */
static void join(manual *m, uint32_t a, uint32_t b)
{
    a = find(m, a);
    b = find(m, b);
    if (a < b)
        m->up[b] = a;
    else
        m->up[a] = b;
}

/* Whether op belongs to a part of the block: it works at a depth, rather than just entering it. */
static bool is_member(const manual *m, const tsr_op *op)
{
    return op->id < m->nop && m->ops[op->id] == op;
}

/* A device's shard, as s cuts it, of a value that all devices can compute. */
static bool cut_free(manual *m, tsr_op *enter, tsr_value *v, const tsr_gspmd *s)
{
    tsr_type *type = enter->out[0].type;
    uint32_t rank = type->n;
    int64_t n = s->kind == TSR_GSPMD_TILED ? tsr_gspmd_devices(s) : 1;
    for (uint32_t d = 0; d < rank; d++)
        if (v->type->dims[d] != type->dims[d] * (n > 1 ? s->tile.data[d] : 1))
            return tsr_op_error(enter, "has a result that is no part of its operand");
    int64_t *starts = TSR_NEW_ARRAY(m->im->p->scratch, int64_t, n);
    tsr_value **at = TSR_NEW_ARRAY(m->im->p->scratch, tsr_value *, rank + 1);
    tsr_build b = tsr_build_before(enter);
    tsr_value *id = tsr_make_device_id(&b, false);
    for (uint32_t d = 0; d < rank; d++) {
        for (int64_t q = 0, place = 0; q < n; place = ++q) {
            for (uint32_t k = s->tile.n; n > 1 && --k > d;)
                place /= s->tile.data[k];
            starts[tsr_gspmd_device(s, q)] = n > 1 ? place % s->tile.data[d] * type->dims[d] : 0;
        }
        at[d] = n > 1 ? tsr_make_lookup(&b, tsr_make_ints(&b, starts, n), id)
                      : tsr_make_int(&b, m->im->p->ctx->i64, 0);
    }
    tsr_value_replace(&enter->out[0], tsr_make_dynamic_slice(&b, v, at, type));
    tsr_build_free(&b);
    tsr_op_erase(enter);
    return true;
}

/* The sharding of a value that enters: that of @Sharding before it, or its own. */
static bool enter_sharding(manual *m, tsr_op *enter, tsr_value **whole, const tsr_gspmd **s,
                           tsr_gspmd_open *open)
{
    tsr_value *v = enter->in[0].value;
    *s = NULL;
    *open = 0;
    *whole = v;
    if (!v->is_arg && tsr_gspmd_is(v->op, "Sharding") && v->op->nin == 1) {
        *s = tsr_gspmd_of(m->im, v->op);
        *whole = v->op->in[0].value;
        TSR_TRY(tsr_gspmd_open_dims(v->op, open));
    } else {
        *s = v->is_arg          ? tsr_gspmd_of_arg(m->im, v)
             : v->op->nout == 1 ? tsr_gspmd_of(m->im, v->op)
                                : NULL;
    }
    static const tsr_gspmd replicated = {.kind = TSR_GSPMD_REPLICATED, .group = -1};
    if (!*s && v->type == enter->out[0].type)
        *s = &replicated;
    return *s || tsr_op_error(enter, "has an operand of which no sharding says how it is cut");
}

/* Whether op enters the part that contains the block itself, with a value that needs no cutting outside. */
static bool enters_here(manual *m, tsr_op *op, uint64_t base, bool *ok)
{
    const tsr_gspmd *s = is_enter(op) && base ? tsr_gspmd_of(m->im, op) : NULL;
    uint32_t mesh = 0;
    uint64_t axes = 0;
    if (!s || !is_free(op->in[0].value, LONGEST))
        return false;
    *ok = tsr_gspmd_manual_axes(m->im, op, s, &mesh, &axes);
    return *ok && axes == base;
}

static bool measure(manual *m, tsr_op *op)
{
    uint32_t depth = 0;
    EACH_USED(op, inner, i)
    {
        uint32_t d = depth_of(m, inner->in[i].value);
        depth = d > depth ? d : depth;
    }
    if ((is_enter(op) || is_leave(op)) && (op->nin != 1 || op->nout != 1))
        return tsr_op_error(op, "needs one operand and one result");
    /* Each device may have computed its part without inputs, such as its index along an axis. */
    if (is_leave(op) && !depth && !is_free(op->in[0].value, LONGEST))
        return tsr_op_error(op, "puts together a value that no @SPMDFullToShardShape cut");
    depth = is_leave(op) && !depth ? 1 : depth;
    if (depth && tsr_op_has(op, TSR_TRAIT(TERMINATOR)))
        return tsr_op_error(op, "returns a part of a value that no @SPMDShardToFullShape puts "
                                "together");
    for (uint32_t i = 0; i < op->nout; i++)
        set_depth(m, &op->out[i], depth + is_enter(op) - is_leave(op));
    if (op->id >= m->nop || !depth)
        return true;
    m->ops[op->id] = op;
    m->up[op->id] = op->id;
    EACH_USED(op, inner, i)
    {
        const tsr_value *v = inner->in[i].value;
        if (!v->is_arg && v->op->block == op->block && depth_of(m, v) && is_member(m, v->op))
            join(m, op->id, v->op->id);
    }
    return true;
}

/* ---- One part ---- */

typedef struct {
    manual *m;
    tsr_block *body;
    TSR_VEC(tsr_op *) ops, leaves;
    /* values used from outside; the values passed for them, NULL: a copy */
    tsr_value_vec from, whole;
    tsr_attr_vec in, out; /* shardings */
    tsr_mapping map;      /* from outside to the body */
    uint32_t mesh;
    uint64_t outer, axes; /* manual axes around it; the same with its own */
} part;

static void part_free(part *p)
{
    tsr_vec_free(&p->ops);
    tsr_vec_free(&p->leaves);
    tsr_vec_free(&p->from);
    tsr_vec_free(&p->whole);
    tsr_vec_free(&p->in);
    tsr_vec_free(&p->out);
    tsr_mapping_free(&p->map);
}

static void copy_free(part *p, tsr_value *v)
{
    if (tsr_mapping_get(&p->map, v) != v)
        return;
    for (uint32_t i = 0; i < v->op->nin; i++)
        copy_free(p, v->op->in[i].value);
    tsr_op *copy = tsr_op_clone(v->op->module, v->op, &p->map);
    tsr_op_insert(copy, p->body, NULL);
}

/* The part's mesh and axes, from the values that enter and leave it. */
static bool find_axes(part *p)
{
    tsr_gspmd_import *im = p->m->im;
    for (size_t round = 0; round < 2; round++) /* {manual} refers to a mesh that others name */
        for (size_t i = 0; i < p->from.n + p->leaves.n; i++) {
            bool leaves = i >= p->from.n;
            tsr_op *op = leaves                    ? p->leaves.data[i - p->from.n]
                         : p->from.data[i]->is_arg ? NULL
                                                   : p->from.data[i]->op;
            if (!op || (!leaves && !is_enter(op)))
                continue;
            const tsr_gspmd *own = tsr_gspmd_of(im, op), *whole = own;
            tsr_gspmd_open open;
            tsr_value *v = op->in[0].value;
            if (!own)
                return tsr_op_error(op, "needs an mhlo.sharding");
            if (leaves)
                own =
                    !v->is_arg && tsr_gspmd_is(v->op, "Sharding") ? tsr_gspmd_of(im, v->op) : NULL;
            else
                TSR_TRY(enter_sharding(p->m, op, &v, &whole, &open));
            uint64_t axes;
            TSR_TRY(tsr_gspmd_manual_axes(im, op, whole, &p->mesh, &axes));
            p->outer |= whole->kind == TSR_GSPMD_MANUAL ? 0 : axes;
            if (!own)
                continue;
            TSR_TRY(tsr_gspmd_manual_axes(im, op, own, &p->mesh, &axes));
            p->axes |= axes;
        }
    p->axes &= ~p->outer;
    return true;
}

/* A value from outside: cut by @SPMDFullToShardShape, or the same on all devices. */
static bool add_whole(part *p, tsr_value *v)
{
    tsr_gspmd_import *im = p->m->im;
    tsr_op *enter = !v->is_arg && is_enter(v->op) ? v->op : NULL;
    tsr_value *whole = v;
    tsr_attr *sharding;
    const tsr_op *at = enter ? enter : p->ops.n ? p->ops.data[0] : p->leaves.data[0];
    if (enter) {
        const tsr_gspmd *s;
        tsr_gspmd_open open;
        TSR_TRY(enter_sharding(p->m, enter, &whole, &s, &open));
        TSR_TRY(
            tsr_gspmd_convert(im, enter, s, tsr_sdy_rank(whole->type), open, p->mesh, &sharding));
        if (!sharding)
            return tsr_op_error(enter, "has an operand whose @Sharding does not say how it is cut");
    } else {
        const tsr_gspmd s = {.kind = TSR_GSPMD_REPLICATED, .group = -1};
        TSR_TRY(tsr_gspmd_convert(im, at, &s, tsr_sdy_rank(v->type), 0, p->mesh, &sharding));
    }
    tsr_value *arg = tsr_block_add_arg(
        v->is_arg ? tsr_block_parent(v->block)->module : v->op->module, p->body, v->type, at->loc);
    tsr_mapping_put(&p->map, v, arg);
    tsr_vec_push(&p->whole, whole);
    tsr_vec_push(&p->in, sharding);
    return true;
}

/* Finds the values from outside that the part's ops use, each once. */
static void find_inputs(part *p)
{
    tsr_ptr_set seen = {0};
    for (size_t k = 0; k < p->ops.n + p->leaves.n; k++) {
        tsr_op *op = k < p->ops.n ? p->ops.data[k] : p->leaves.data[k - p->ops.n];
        EACH_USED(op, inner, i)
        {
            tsr_value *v = inner->in[i].value;
            bool own = !v->is_arg && is_member(p->m, v->op) && v->op->block == op->block &&
                       depth_of(p->m, v);
            if (!own && tsr_ptr_set_add(&seen, v))
                tsr_vec_push(&p->from, v);
        }
    }
    tsr_ptr_set_free(&seen);
}

/* Moves everything between at and the part's last op that does not depend on the part before at. False: the part
 * depends on something that depends on it. */
static bool make_room(part *p, tsr_op *at)
{
    tsr_ptr_set needs = {0}, own = {0};
    tsr_op *last = at;
    for (size_t i = 0; i < p->leaves.n; i++) {
        tsr_ptr_set_add(&needs, &p->leaves.data[i]->out[0]);
        tsr_ptr_set_add(&own, p->leaves.data[i]);
    }
    for (size_t i = 0; i < p->ops.n; i++)
        tsr_ptr_set_add(&own, p->ops.data[i]);
    for (tsr_op *op = at; op; op = op->next)
        last = tsr_ptr_set_has(&own, op) ? op : last;
    bool ok = true;
    for (tsr_op *op = at, *next; op; op = op == last ? NULL : next) {
        next = op->next;
        if (tsr_ptr_set_has(&own, op))
            continue;
        bool behind = false;
        EACH_USED(op, inner, i)
        behind |= tsr_ptr_set_has(&needs, inner->in[i].value);
        for (uint32_t i = 0; behind && i < op->nout; i++)
            tsr_ptr_set_add(&needs, &op->out[i]);
        if (!behind && op != at)
            tsr_op_move_before(op, at);
    }
    for (size_t i = 0; ok && i < p->from.n; i++)
        if (tsr_ptr_set_has(&needs, p->from.data[i]))
            ok = tsr_op_error(p->from.data[i]->op,
                              "is used by a manual part of the program that it depends on");
    tsr_ptr_set_free(&needs);
    tsr_ptr_set_free(&own);
    return ok;
}

static void use_body_values(part *p, tsr_op *op)
{
    TSR_OPS (op, inner)
        for (uint32_t i = 0; i < inner->nin; i++) {
            tsr_value *to = tsr_mapping_get(&p->map, inner->in[i].value);
            if (to != inner->in[i].value)
                tsr_op_set_operand(inner, i, to);
        }
}

static tsr_attr *axis_names(const part *p)
{
    tsr_ctx *ctx = p->m->im->p->ctx;
    const tsr_gspmd_mesh *mesh = &p->m->im->meshes.all.data[p->mesh];
    tsr_attr_vec names = {0};
    for (size_t a = mesh->names.n; a-- > 0;)
        if (p->axes >> a & 1)
            tsr_vec_push(&names, mesh->names.data[a]);
    tsr_attr *list = tsr_attr_array(ctx, names.data, names.n);
    tsr_vec_free(&names);
    return tsr_attr_struct(ctx, &tsr_def_SDY_MANUAL_AXES, &list);
}

/* How the result of leave is assembled. */
static bool add_result(part *p, tsr_op *leave)
{
    tsr_gspmd_open open;
    tsr_attr *sharding = NULL;
    const tsr_gspmd *s = tsr_gspmd_of(p->m->im, leave);
    bool ok = tsr_gspmd_open_dims(leave, &open) &&
              tsr_gspmd_convert(p->m->im, leave, s, tsr_sdy_rank(leave->out[0].type), open, p->mesh,
                                &sharding);
    if (ok && !sharding)
        ok = tsr_op_error(leave, "does not say how its result is put together");
    tsr_vec_push(&p->out, sharding);
    return ok;
}

/* Moves the part into its own body, before at. */
static bool make_computation(part *p, tsr_op *at)
{
    tsr_module *module = at->module;
    tsr_ctx *ctx = p->m->im->p->ctx;
    tsr_value_vec returned = {0};
    tsr_type_vec types = {0};
    bool ok = true;
    p->body = tsr_block_new(module);
    for (size_t i = 0; ok && i < p->from.n; i++)
        if (depth_of(p->m, p->from.data[i]) || !is_free(p->from.data[i], LONGEST))
            ok = add_whole(p, p->from.data[i]);
    for (size_t i = 0; ok && i < p->leaves.n; i++) {
        ok = add_result(p, p->leaves.data[i]);
        tsr_vec_push(&types, p->leaves.data[i]->out[0].type);
    }
    if (!ok) {
        tsr_vec_free(&types);
        return false;
    }
    tsr_op *op = tsr_op_new(module, tsr_opdef_of(ctx, TSR_OP_SDY_MANUAL_COMPUTATION), at->loc,
                            p->whole.data, p->whole.n, types.data, types.n, 1, 0);
    op->attrs[SDY_MANUAL_COMPUTATION_in_shardings] = tsr_sdy_per_value(ctx, p->in.data, p->in.n);
    op->attrs[SDY_MANUAL_COMPUTATION_out_shardings] = tsr_sdy_per_value(ctx, p->out.data, p->out.n);
    op->attrs[SDY_MANUAL_COMPUTATION_manual_axes] = axis_names(p);
    tsr_block_insert(p->body, &op->regions[0], NULL);
    tsr_op_insert(op, at->block, at);
    for (size_t i = 0; i < p->from.n; i++)
        if (!depth_of(p->m, p->from.data[i]) && is_free(p->from.data[i], LONGEST))
            copy_free(p, p->from.data[i]);
    for (size_t i = 0; i < p->ops.n; i++) {
        tsr_op_remove(p->ops.data[i]);
        tsr_op_insert(p->ops.data[i], p->body, NULL);
        use_body_values(p, p->ops.data[i]);
    }
    for (size_t i = 0; i < p->leaves.n; i++) {
        tsr_op *leave = p->leaves.data[i];
        tsr_vec_push(&returned, tsr_mapping_get(&p->map, leave->in[0].value));
        tsr_value_replace(&leave->out[0], &op->out[i]);
        tsr_op_erase(leave);
    }
    tsr_op *end = tsr_op_new(module, tsr_opdef_of(ctx, TSR_OP_SDY_RETURN), op->loc, returned.data,
                             returned.n, NULL, 0, 0, 0);
    tsr_op_insert(end, p->body, NULL);
    tsr_vec_free(&returned);
    tsr_vec_free(&types);
    return true;
}

static bool walk_block(manual *m, tsr_block *block, uint64_t base);

static bool make_part(manual *m, tsr_block *block, uint32_t root, uint64_t base)
{
    part p = {.m = m};
    TSR_BLOCK_OPS (block, op) {
        if (!is_member(m, op) || find(m, op->id) != root)
            continue;
        if (is_leave(op) && !depth_of(m, &op->out[0]))
            tsr_vec_push(&p.leaves, op);
        else
            tsr_vec_push(&p.ops, op);
    }
    tsr_op *at = p.leaves.n ? p.leaves.data[0] : p.ops.data[p.ops.n - 1];
    find_inputs(&p);
    bool ok = find_axes(&p) && make_room(&p, at) && make_computation(&p, at);
    tsr_block *body = p.body;
    base |= p.outer | p.axes;
    part_free(&p);
    return ok && walk_block(m, body, base);
}

/* Erases @SPMDFullToShardShape and @Sharding that only led to converted parts. */
static void erase_unused(tsr_block *block)
{
    for (tsr_op *op = block->last, *prev; op; op = prev) {
        prev = op->prev;
        if ((is_enter(op) || tsr_gspmd_is(op, "Sharding")) && !tsr_op_used(op))
            tsr_op_erase(op);
    }
}

/* Cuts values that enter in place, and computes the depth of all others. */
static bool measure_block(manual *m, tsr_block *block, uint64_t base)
{
    bool ok = true;
    for (uint32_t i = 0; i < block->nargs; i++)
        set_depth(m, block->args[i], 0);
    for (tsr_op *op = block->first, *next; ok && op; op = next) {
        next = op->next;
        if (op->id < m->nop)
            m->ops[op->id] = NULL;
        if (enters_here(m, op, base, &ok)) {
            tsr_value *whole;
            const tsr_gspmd *s;
            tsr_gspmd_open open;
            ok = enter_sharding(m, op, &whole, &s, &open) && cut_free(m, op, whole, s);
        } else {
            ok = ok && measure(m, op);
        }
    }
    return ok;
}

static bool walk_block(manual *m, tsr_block *block, uint64_t base)
{
    TSR_VEC(uint32_t) roots = {0};
    bool ok = measure_block(m, block, base);
    TSR_BLOCK_OPS (block, op) {
        if (!ok)
            break;
        if (is_member(m, op)) {
            if (find(m, op->id) == op->id)
                tsr_vec_push(&roots, op->id);
            continue;
        }
        /* Bodies of parts are processed when the parts are built, and so are calls in them. */
        const tsr_op *callee = tsr_op_is(op, TSR_OP_FUNC_CALL)
                                   ? tsr_symtab_find(&m->symbols, op->attrs[FUNC_CALL_callee]->s)
                                   : NULL;
        if (callee && callee->id < m->nop)
            m->base[callee->id] = base;
        for (uint32_t r = 0; r < op->nregion; r++)
            TSR_REGION_BLOCKS (&op->regions[r], b)
                ok = ok && walk_block(m, b, base);
    }
    for (size_t i = 0; ok && i < roots.n; i++)
        ok = make_part(m, block, roots.data[i], base);
    tsr_vec_free(&roots);
    if (ok)
        erase_unused(block);
    return ok;
}

bool tsr_gspmd_manual(tsr_gspmd_import *im)
{
    bool any = false;
    TSR_OPS (im->root, op)
        any |= is_enter(op) || is_leave(op);
    if (!any)
        return true;
    tsr_module_renumber(im->root->module);
    tsr_module *module = im->root->module;
    tsr_arena *scratch = im->p->scratch;
    manual m = {.im = im,
                .depth = TSR_NEW_ARRAY(scratch, uint32_t, module->nvalue + 1),
                .nvalue = module->nvalue,
                .up = TSR_NEW_ARRAY(scratch, uint32_t, module->nop + 1),
                .nop = module->nop,
                .ops = TSR_NEW_ARRAY(scratch, tsr_op *, module->nop + 1),
                .base = TSR_NEW_ARRAY(scratch, uint64_t, module->nop + 1)};
    size_t n;
    tsr_op **funcs = tsr_call_order(scratch, im->root, false, &n);
    bool ok = funcs != NULL;
    tsr_symtab_init(&m.symbols, im->root);
    while (ok && n-- > 0)
        TSR_REGION_BLOCKS (&funcs[n]->regions[0], b)
            ok = ok && walk_block(&m, b, m.base[funcs[n]->id]);
    tsr_symtab_free(&m.symbols);
    return ok;
}
