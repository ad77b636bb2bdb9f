/* SPDX-License-Identifier: Apache-2.0 */
/* verify_ops.c - rules of the sdy ops that are not collectives, and inference of result types. */
#include "dialect/hooks.h"
#include "dialect/sdy/verify.h"

/* ---- Constraints and reshards ---- */

static int reduction_of(const tsr_attr *sharding)
{
    return (int)sharding->attrs[SDY_SHARDING_reduction]->i;
}

/* sdy.sharding_constraint and sdy.reshard. */
bool uses_sdy_sharding(tsr_op *op)
{
    const tsr_attr *sharding = op->attrs[SDY_RESHARD_sharding];
    sdy_at at = sdy_at_op(op);
    TSR_TRY(sdy_check_sharding(&at, sharding, op->out[0].type));
    const tsr_value *v = op->in[0].value;
    /* Barriers may form a cycle in a graph region, so the steps are counted. */
    for (uint32_t steps = op->module->nop;
         steps && !v->is_arg && tsr_op_is(v->op, TSR_OP_SDY_PROPAGATION_BARRIER) && v->op->nin;
         steps--)
        v = v->op->in[0].value;
    const tsr_attr *from = tsr_sdy_sharding_of(v);
    return !from || sdy_check_unreduced(op, from, sharding, TSR_SDY_SUM, reduction_of(from));
}

bool verify_sdy_propagation_barrier(tsr_op *op)
{
    return op->attrs[SDY_PROPAGATION_BARRIER_allowed_direction]->i != TSR_SDY_BOTH ||
           tsr_op_error(op, "cannot specify `BOTH` as the direction. Not blocking propagation "
                            "direction makes the op "
                            "redundant.");
}

/* ---- Edges ---- */

static bool check_edge(tsr_op *op, const char *operand)
{
    const tsr_type *type = op->out[0].type;
    if (!tsr_type_has_static_shape(type)) {
        tsr_str text = tsr_type_print(type);
        tsr_op_error(op, "expected %.*s to have a static-shaped result. type: '%.*s'",
                     TSR_STR_ARG(op->def->name), TSR_STR_ARG(text));
        tsr_free((void *)text.data);
        return false;
    }
    if (op->in[0].value->uses->next)
        return tsr_op_error(op, "expected %s of %.*s to have a single user", operand,
                            TSR_STR_ARG(op->def->name));
    return true;
}

bool uses_sdy_data_flow_edge(tsr_op *op)
{
    const tsr_value *v = op->in[0].value;
    const tsr_attr *sharding = op->attrs[SDY_DATA_FLOW_EDGE_sharding];
    sdy_at at = sdy_at_op(op);
    TSR_TRY(check_edge(op, "input"));
    if (!v->is_arg && tsr_op_in(v->op, TSR_DIALECT_SDY) && !tsr_sdy_is_data_flow(v->op)) {
        tsr_op_error(op, "expected input of sdy.data_flow_edge to not be defined by an SdyDialect "
                         "op (other than an "
                         "sdy.named_computation).");
        tsr_note(op->module->ctx, v->op->loc,
                 "sdy op defining the input of the sdy.data_flow_edge");
        return false;
    }
    return !sharding || sdy_check_sharding(&at, sharding, op->out[0].type);
}

bool uses_sdy_func_data_flow_edge(tsr_op *op)
{
    const tsr_value *v = op->in[0].value;
    TSR_TRY(check_edge(op, "operand"));
    const tsr_op *owner = v->is_arg ? tsr_block_parent(v->block) : v->op;
    if (owner && tsr_op_is(owner, v->is_arg ? TSR_OP_FUNC_FUNC : TSR_OP_FUNC_CALL))
        return true;
    return tsr_op_error(op, "expected operand of sdy.func_data_flow_edge to be %s",
                        v->is_arg ? "a block argument of a func op." : "a result of call op.");
}

/* ---- Computations ---- */

static const tsr_block *body_of(const tsr_op *op)
{
    return op->nregion ? op->regions[0].first : NULL;
}

bool verify_sdy_manual_computation(tsr_op *op)
{
    const tsr_attr *axes = op->attrs[SDY_MANUAL_COMPUTATION_manual_axes]->attrs[0];
    sdy_at at = sdy_at_op(op);
    for (uint32_t i = 0; i < axes->n; i++) {
        const tsr_op *owner = sdy_manual_owner(op, axes->attrs[i]);
        if (owner)
            return sdy_bound_error(&at, axes->attrs[i], owner);
    }
    return true;
}

/* One side of a manual computation: its outer values, and those in the body. */
typedef struct {
    const tsr_op *op;
    const char *what; /* "operand" or "result" */
    uint32_t nglobal, nlocal;
    const tsr_type *(*global)(const tsr_op *op, uint32_t i);
    tsr_ptr_set manual;
} manual_side;

static const tsr_type *local_type(const manual_side *s, uint32_t i)
{
    const tsr_block *b = body_of(s->op);
    return s->what[0] == 'o' ? b->args[i]->type : b->last->in[i].value->type;
}

static bool is_manual(const manual_side *s, const tsr_attr *axis)
{
    return tsr_ptr_set_has(&s->manual, tsr_sdy_axis_name(axis));
}

static bool check_manual_first(const manual_side *s, const tsr_attr *sharding, uint32_t i)
{
    const tsr_attr *dims = tsr_sdy_dims(sharding);
    for (uint32_t d = 0; d < dims->n; d++) {
        const tsr_attr *axes = tsr_sdy_dim_axes(sharding, d);
        for (uint32_t k = 1; k < axes->n; k++) {
            if (is_manual(s, axes->attrs[k - 1]) || !is_manual(s, axes->attrs[k]))
                continue;
            tsr_buf text = {0};
            tsr_sdy_axis_print(&text, axes->attrs[k]);
            tsr_buf_cstr(&text, " after free axis ");
            tsr_sdy_axis_print(&text, axes->attrs[k - 1]);
            tsr_op_error(s->op,
                         "%s sharding at index %u must have all manual axes come before free axes "
                         "in its dimension "
                         "sharding at index %u. Saw manual axis %.*s",
                         s->what, i, d, TSR_STR_ARG(tsr_buf_text(&text)));
            tsr_buf_free(&text);
            return false;
        }
    }
    return true;
}

/* dims: room for the local shape. */
static bool check_local_shape(const manual_side *s, const tsr_attr *sharding, const tsr_type *type,
                              uint32_t i, int64_t *dims)
{
    tsr_ctx *ctx = s->op->module->ctx;
    const tsr_attr *mesh = tsr_sdy_mesh_of(s->op, sharding);
    if (!mesh)
        return true;
    tsr_sdy_mesh_axes m;
    tsr_sdy_mesh_axes_init(&m, ctx, mesh);
    bool ok = true;
    for (uint32_t d = 0; ok && d < type->n; d++) {
        int64_t parts = 1;
        dims[d] = type->dims[d];
        if (dims[d] == TSR_DYNAMIC || d >= tsr_sdy_dims(sharding)->n)
            continue;
        const tsr_attr *axes = tsr_sdy_dim_axes(sharding, d);
        for (uint32_t k = 0; k < axes->n; k++)
            if (is_manual(s, axes->attrs[k]))
                parts = tsr_sdy_mul(parts, tsr_sdy_axis_size(&m, axes->attrs[k]));
        if (parts <= 0 || dims[d] % parts)
            ok = tsr_op_error(
                s->op, "%s dimension size %lld is not divisible by the manual axes size %lld",
                s->what, (long long)dims[d], (long long)parts);
        else
            dims[d] /= parts;
    }
    tsr_sdy_mesh_axes_free(&m);
    TSR_TRY(ok);
    const tsr_type *want = tsr_type_tensor(ctx, dims, type->n, type->elem, NULL),
                   *got = local_type(s, i);
    if (want == got)
        return true;
    tsr_str expected = tsr_type_print(want), actual = tsr_type_print(got);
    tsr_op_error(s->op,
                 "%s shape, corresponding sharding, and region %s shape at index %u must match. "
                 "Expected local shape "
                 "'%.*s', actual local shape '%.*s'",
                 s->what, s->what, i, TSR_STR_ARG(expected), TSR_STR_ARG(actual));
    tsr_free((void *)expected.data);
    tsr_free((void *)actual.data);
    return false;
}

static bool check_manual_side(const manual_side *s, const tsr_attr *per_value)
{
    const tsr_attr *all = per_value->attrs[0];
    if (!s->nglobal && !s->nlocal && !all->n)
        return true;
    TSR_TRY(sdy_check_per_value(s->op, s->what, per_value, s->nglobal, s->global));
    if (s->nglobal != s->nlocal)
        return tsr_op_error(
            s->op, "number of op %ss and region %ss must match. Op has %u op %ss and %u region %ss",
            s->what, s->what, s->nglobal, s->what, s->nlocal, s->what);
    for (uint32_t i = 0; i < s->nglobal; i++) {
        const tsr_type *type = s->global(s->op, i);
        TSR_TRY(check_manual_first(s, all->attrs[i], i));
        if (type->kind != TSR_TYPE_TENSOR && type->kind != TSR_TYPE_VECTOR &&
            type->kind != TSR_TYPE_MEMREF)
            continue;
        int64_t *dims = tsr_xmalloc((type->n + 1) * sizeof *dims);
        bool ok = check_local_shape(s, all->attrs[i], type, i, dims);
        tsr_free(dims);
        TSR_TRY(ok);
    }
    return true;
}

bool uses_sdy_manual_computation(tsr_op *op)
{
    const tsr_attr *in = op->attrs[SDY_MANUAL_COMPUTATION_in_shardings],
                   *out = op->attrs[SDY_MANUAL_COMPUTATION_out_shardings],
                   *axes = op->attrs[SDY_MANUAL_COMPUTATION_manual_axes]->attrs[0];
    const tsr_block *body = body_of(op);
    if (!body || !body->last)
        return true;
    manual_side s = {op, "operand", op->nin, body->nargs, sdy_operand_type, {.n = 0}};
    for (uint32_t i = 0; i < axes->n; i++)
        tsr_ptr_set_add(&s.manual, axes->attrs[i]);
    bool ok = check_manual_side(&s, in);
    s.what = "result";
    s.nglobal = op->nout;
    s.nlocal = body->last->nin;
    s.global = sdy_result_type;
    ok = ok && check_manual_side(&s, out);
    tsr_ptr_set_free(&s.manual);
    if (!ok || (!in->attrs[0]->n && !out->attrs[0]->n))
        return ok;
    const tsr_attr *mesh =
        tsr_sdy_common_mesh(op, (const tsr_attr *[]){in->attrs[0], out->attrs[0]}, 2);
    if (!mesh)
        return !axes->n ||
               tsr_op_error(
                   op, "all in and out shardings must be bound to the same mesh or an empty mesh.");
    tsr_sdy_mesh_axes m;
    tsr_sdy_mesh_axes_init(&m, op->module->ctx, mesh);
    for (uint32_t i = 0; ok && i < axes->n; i++)
        if (tsr_sdy_axis_index(&m, axes->attrs[i]) == mesh->attrs[SDY_MESH_axes]->n)
            ok = tsr_op_error(op, "unknown manual axis: \"%.*s\"", TSR_STR_ARG(axes->attrs[i]->s));
    tsr_sdy_mesh_axes_free(&m);
    return ok;
}

bool uses_sdy_named_computation(tsr_op *op)
{
    tsr_ctx *ctx = op->module->ctx;
    const tsr_block *body = body_of(op);
    const tsr_attr *in = op->attrs[SDY_NAMED_COMPUTATION_in_shardings],
                   *out = op->attrs[SDY_NAMED_COMPUTATION_out_shardings];
    if (!body)
        return true;
    if (body->nargs != op->nin)
        return tsr_error(ctx, op->loc,
                         "number of block arguments must match the number of operands: %u != %u",
                         body->nargs, op->nin);
    for (uint32_t i = 0; i < op->nin; i++) {
        if (body->args[i]->type == op->in[i].value->type)
            continue;
        tsr_str inner = tsr_type_print(body->args[i]->type),
                outer = tsr_type_print(op->in[i].value->type);
        tsr_error(ctx, op->loc,
                  "expected the type of the %u'th block argument to match the type of the "
                  "corresponding operand: "
                  "'%.*s' vs '%.*s'",
                  i, TSR_STR_ARG(inner), TSR_STR_ARG(outer));
        tsr_free((void *)inner.data);
        tsr_free((void *)outer.data);
        return false;
    }
    if (in)
        TSR_TRY(sdy_check_per_value(op, "in_shardings", in, op->nin, sdy_operand_type));
    return !out || sdy_check_per_value(op, "out_shardings", out, op->nout, sdy_result_type);
}

/* ---- Result types ---- */

bool infer_sdy_same(const tsr_op *op, tsr_type_vec *out)
{
    tsr_vec_push(out, op->in[0].value->type);
    return true;
}

bool infer_sdy_none(const tsr_op *op, tsr_type_vec *out)
{
    (void)op;
    (void)out;
    return true;
}

bool infer_sdy_constant(const tsr_op *op, tsr_type_vec *out)
{
    tsr_vec_push(out, op->attrs[SDY_CONSTANT_value]->type);
    return true;
}

bool infer_sdy_named_computation(const tsr_op *op, tsr_type_vec *out)
{
    const tsr_block *body = body_of(op);
    for (uint32_t i = 0; body && body->last && i < body->last->nin; i++)
        tsr_vec_push(out, body->last->in[i].value->type);
    return true;
}
