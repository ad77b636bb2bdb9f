/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - rules of Graph IR's ops beyond their rows and inference. */
#include "dialect/hooks.h"
#include "dialect/sdy/sharding.h"
#include "dialect/tessera/tessera.h"

static bool ranked(const tsr_type *t)
{
    return t->kind == TSR_TYPE_TENSOR;
}

bool verify_tessera_gelu(tsr_op *op)
{
    const tsr_attr *a = tsr_attr_of(op, TESSERA_GELU_approximate);
    return !a || tsr_str_is(a->s, "none") || tsr_str_is(a->s, "tanh") ||
           tsr_op_error(op, "has approximate \"%.*s\", which is neither \"none\" nor \"tanh\"",
                        TSR_STR_ARG(a->s));
}

bool verify_tessera_softmax(tsr_op *op)
{
    const tsr_type *t = tsr_hlo_in(op, 0);
    int64_t axis = tsr_tessera_int(op, TESSERA_SOFTMAX_axis, -1);
    return !ranked(t) || tsr_tessera_axis(axis, t->n) >= 0 ||
           tsr_op_error(op, "has axis %lld; the operand has %u dimensions", (long long)axis, t->n);
}

bool verify_tessera_cast(tsr_op *op)
{
    const tsr_type *in = tsr_hlo_in(op, 0), *out = op->out[0].type;
    bool ok = !ranked(in) || !ranked(out) || in->n == out->n;
    for (uint32_t i = 0; ok && ranked(in) && ranked(out) && i < in->n; i++)
        ok = tsr_hlo_dims_compatible(in->dims[i], out->dims[i]);
    return ok || tsr_op_error(op, "changes the shape: %s to %s", tsr_hlo_show_type(in),
                              tsr_hlo_show_type(out));
}

bool verify_tessera_reshape(tsr_op *op)
{
    const tsr_type *in = tsr_hlo_in(op, 0), *out = op->out[0].type;
    if (in->elem != out->elem)
        return tsr_op_error(op, "changes the element type");
    int64_t a = tsr_type_num_elements(in), b = tsr_type_num_elements(out);
    if (a >= 0 && b >= 0 && a != b)
        return tsr_op_error(op, "has %lld elements and makes %lld of them", (long long)a,
                            (long long)b);
    return true;
}

bool verify_tessera_broadcast(tsr_op *op)
{
    const tsr_type *in = tsr_hlo_in(op, 0), *out = op->out[0].type;
    if (in->elem != out->elem)
        return tsr_op_error(op, "changes the element type");
    if (!ranked(in) || !ranked(out))
        return true;
    bool ok = in->n <= out->n;
    for (uint32_t i = 0; ok && i < in->n; i++) {
        int64_t from = in->dims[i], to = out->dims[out->n - in->n + i];
        ok = from == 1 || tsr_hlo_dims_compatible(from, to);
    }
    return ok || tsr_op_error(op, "cannot repeat %s to %s", tsr_hlo_show_type(in),
                              tsr_hlo_show_type(out));
}

bool verify_tessera_fused(tsr_op *op)
{
    const tsr_block *body = op->regions[0].first;
    const tsr_op *end = body->last;
    if (body->nargs != op->nin)
        return tsr_op_error(op, "has a body of %u arguments for %u operands", body->nargs, op->nin);
    for (uint32_t i = 0; i < op->nin; i++)
        if (body->args[i]->type != op->in[i].value->type)
            return tsr_op_error(op, "has an argument #%u of type %s for an operand of type %s", i,
                                tsr_hlo_show_type(body->args[i]->type),
                                tsr_hlo_show_type(op->in[i].value->type));
    if (!end || !tsr_op_is(end, TSR_OP_TESSERA_YIELD))
        return tsr_op_error(op, "has a body that does not end with tessera.yield");
    if (end->nin != op->nout)
        return tsr_op_error(op, "yields %u values for %u results", end->nin, op->nout);
    for (uint32_t i = 0; i < op->nout; i++)
        if (end->in[i].value->type != op->out[i].type)
            return tsr_op_error(op, "yields %s for a result of type %s",
                                tsr_hlo_show_type(end->in[i].value->type),
                                tsr_hlo_show_type(op->out[i].type));
    return true;
}

/* ---- Effects ---- */

/* n values, then tokens; m results, then perhaps a token. */
static bool verify_effect(const tsr_op *op, uint32_t least, uint32_t most, uint32_t m)
{
    uint32_t n = tsr_tessera_values(op), out = op->nout;
    if (out && tsr_tessera_is_token(op->out[out - 1].type))
        out--;
    if (n < least || n > most)
        return tsr_op_error(op,
                            least == most ? "takes %u values before its tokens, has %u"
                                          : "takes at most %u values before its tokens, has %u",
                            most, n);
    for (uint32_t i = n; i < op->nin; i++)
        if (!tsr_tessera_is_token(op->in[i].value->type))
            return tsr_op_error(op, "has a value behind a token");
    if (out != m)
        return tsr_op_error(op, "gives %u values and perhaps a token, has %u", m, out);
    for (uint32_t i = 0; i < out; i++)
        if (tsr_tessera_is_token(op->out[i].type))
            return tsr_op_error(op, "gives a token that is not its last result");
    return true;
}

/* The type of the state that an op refers to; NULL after a diagnostic. */
static const tsr_type *state_type(const tsr_op *op, const tsr_attr *symbol)
{
    const tsr_op *state = tsr_symbol_resolve(op, symbol);
    if (state && tsr_op_is(state, TSR_OP_TESSERA_STATE))
        return tsr_attr_of(state, TESSERA_STATE_value)->type;
    tsr_op_error(op, "names '@%.*s', which is no tessera.state", TSR_STR_ARG(symbol->s));
    return NULL;
}

static bool same_type(const tsr_op *op, const tsr_type *state, const tsr_type *t)
{
    return tsr_tessera_agree(TSR_AGREE_TYPE, state, t) ||
           tsr_op_error(op, "has %s for a state of type %s", tsr_hlo_show_type(t),
                        tsr_hlo_show_type(state));
}

bool uses_tessera_state_read(tsr_op *op)
{
    TSR_TRY(verify_effect(op, 0, 0, 1));
    const tsr_type *t = state_type(op, tsr_attr_of(op, TESSERA_STATE_READ_state));
    return t && same_type(op, t, op->out[0].type);
}

bool uses_tessera_state_update(tsr_op *op)
{
    TSR_TRY(verify_effect(op, 1, 1, 0));
    const tsr_type *t = state_type(op, tsr_attr_of(op, TESSERA_STATE_UPDATE_state));
    return t && same_type(op, t, tsr_hlo_in(op, 0));
}

static bool is_rng(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) && t->n == 1 && t->dims[0] == 2 &&
           t->elem->kind == TSR_TYPE_INTEGER && t->elem->width == 64 &&
           t->elem->sub == TSR_UNSIGNED;
}

bool uses_tessera_random(tsr_op *op)
{
    const tsr_attr *state = tsr_attr_of(op, TESSERA_RANDOM_state),
                   *how = tsr_attr_of(op, TESSERA_RANDOM_distribution);
    TSR_TRY(verify_effect(op, state ? 0 : 1, state ? 0 : 1, state ? 1 : 2));
    if (how && !tsr_str_is(how->s, "uniform") && !tsr_str_is(how->s, "normal"))
        return tsr_op_error(
            op, "has distribution \"%.*s\", which is neither \"uniform\" nor \"normal\"",
            TSR_STR_ARG(how->s));
    const tsr_type *rng = state ? state_type(op, state) : tsr_hlo_in(op, 0);
    TSR_TRY(rng != NULL);
    if (!is_rng(rng) || (!state && op->out[1].type != rng))
        return tsr_op_error(op, "draws from a key and a counter, tensor<2xui64>, not from %s",
                            tsr_hlo_show_type(rng));
    return op->out[0].type->elem->kind == TSR_TYPE_FLOAT || tsr_op_error(op, "draws floats");
}

/* ---- Collectives ---- */

static bool verify_local(const tsr_op *op, const tsr_coll *c, size_t size)
{
    const tsr_type *in = tsr_hlo_in(op, 0), *out = op->out[0].type;
    bool sized = c->kind == TSR_COLL_ALL_GATHER || c->kind == TSR_COLL_REDUCE_SCATTER ||
                 c->kind == TSR_COLL_ALL_TO_ALL;
    if (!ranked(in) || !ranked(out))
        return true;
    if (sized && (c->dim >= in->n || (c->kind == TSR_COLL_ALL_TO_ALL && c->to_dim >= in->n)))
        return tsr_op_error(op, "works along dimension %lld; the operand has %u",
                            (long long)(c->dim >= in->n ? c->dim : c->to_dim), in->n);
    bool ok = in->n == out->n;
    for (uint32_t i = 0; ok && i < in->n; i++) {
        int64_t a = in->dims[i], b = out->dims[i], n = (int64_t)size;
        if (a == TSR_DYNAMIC || b == TSR_DYNAMIC)
            continue;
        bool grows = (c->kind == TSR_COLL_ALL_GATHER && i == c->dim) ||
                     (c->kind == TSR_COLL_ALL_TO_ALL && i == c->to_dim);
        bool shrinks =
            (c->kind == TSR_COLL_REDUCE_SCATTER || c->kind == TSR_COLL_ALL_TO_ALL) && i == c->dim;
        ok = grows && shrinks ? a == b
             : grows          ? a == b / n && b % n == 0
             : shrinks        ? b == a / n && a % n == 0
                              : a == b;
    }
    return ok || tsr_op_error(op, "makes %s of %s in groups of %zu", tsr_hlo_show_type(out),
                              tsr_hlo_show_type(in), size);
}

bool uses_tessera_collective(tsr_op *op)
{
    tsr_coll c;
    TSR_TRY(verify_effect(op, 1, 1, 1));
    tsr_coll_of(op, &c);
    if (c.kind == TSR_COLL_NONE)
        return tsr_op_error(op, "is of a kind that there is not");
    if (tsr_hlo_in(op, 0)->elem != op->out[0].type->elem)
        return tsr_op_error(op, "changes the element type");
    if (c.sharding)
        return tsr_tessera_agree(TSR_AGREE_TYPE, tsr_hlo_in(op, 0), op->out[0].type) ||
               tsr_op_error(op, "with out_sharding keeps the type");
    if (c.kind == TSR_COLL_PERMUTE && (!c.devices || c.devices->type->dims[1] != 2))
        return tsr_op_error(op, "needs devices: rows of a source and a target");
    if (!c.devices && !c.mesh)
        return tsr_op_error(op, "says neither mesh nor devices");
    tsr_i64_vec devices = {0};
    size_t size = 1;
    bool ok = tsr_coll_devices(op, &c, &devices, &size) && size;
    tsr_vec_free(&devices);
    if (!ok)
        return tsr_op_error(op, "names a mesh or a group that is not there");
    return verify_local(op, &c, size);
}

/* ---- Meshes and shardings ---- */

bool verify_tessera_mesh(tsr_op *op)
{
    const tsr_attr *groups = tsr_attr_of(op, TESSERA_MESH_groups),
                   *mesh = tsr_attr_of(op, TESSERA_MESH_mesh);
    for (uint32_t i = 0; groups && i < groups->n; i++) {
        const tsr_attr *axes = groups->named[i].value;
        bool ok = tsr_attr_is(axes, TSR_ATTR_ARRAY);
        for (uint32_t k = 0; ok && k < axes->n; k++)
            ok = tsr_attr_is(axes->attrs[k], TSR_ATTR_STRING) &&
                 tsr_tessera_has_axis(mesh, axes->attrs[k]->s);
        if (!ok)
            return tsr_op_error(op, "has a group '%.*s' that is no list of its axes",
                                TSR_STR_ARG(groups->named[i].name->str));
    }
    return true;
}

bool uses_tessera_shard(tsr_op *op)
{
    const tsr_attr *sharding = tsr_attr_of(op, TESSERA_SHARD_sharding),
                   *at = sharding->attrs[SDY_SHARDING_mesh];
    const tsr_attr *mesh = tsr_attr_is(at, TSR_ATTR_SYMBOL) ? tsr_tessera_mesh(op, at, NULL) : at;
    const tsr_type *t = tsr_hlo_in(op, 0);
    if (!mesh)
        return tsr_op_error(op, "names a mesh that is not there");
    if (ranked(t) && tsr_sdy_dims(sharding)->n != t->n)
        return tsr_op_error(op, "shards %u dimensions of an operand that has %u",
                            tsr_sdy_dims(sharding)->n, t->n);
    for (uint32_t i = 0; i < tsr_sdy_dims(sharding)->n; i++) {
        const tsr_attr *axes = tsr_sdy_dim_axes(sharding, i);
        for (uint32_t k = 0; k < axes->n; k++) {
            tsr_str name = axes->attrs[k]->attrs[SDY_AXIS_REF_name]->s;
            if (!tsr_tessera_has_axis(mesh, name))
                return tsr_op_error(op, "shards over the axis '%.*s', which the mesh does not have",
                                    TSR_STR_ARG(name));
        }
    }
    return true;
}

bool uses_tessera_replicate(tsr_op *op)
{
    return tsr_tessera_mesh(op, tsr_attr_of(op, TESSERA_REPLICATE_mesh), NULL) ||
           tsr_op_error(op, "names a mesh that is not there");
}

/* ---- Derivatives ---- */

/* types: arguments and results of the function, by letter: a: argument; r: result. */
static bool fits(const tsr_op *op, const tsr_type *f, const char *in, const char *out)
{
    for (int side = 0; side < 2; side++) {
        const char *want = side ? out : in;
        uint32_t at = 0, n = side ? op->nout : op->nin;
        for (; *want; want++) {
            uint32_t count = *want == 'a' ? f->n : f->nout, from = *want == 'a' ? 0 : f->n;
            for (uint32_t i = 0; i < count; i++, at++) {
                tsr_type *have = at >= n ? NULL : side ? op->out[at].type : op->in[at].value->type;
                if (have != f->types[from + i])
                    return false;
            }
        }
        if (at != n)
            return false;
    }
    return true;
}

static bool verify_derivative(tsr_op *op, const char *in, const char *out, const char *what)
{
    /* The three rows have the same slot. */
    const tsr_attr *callee = tsr_attr_of(op, TESSERA_VJP_callee);
    const tsr_op *f = tsr_symbol_resolve(op, callee);
    if (!f || !tsr_op_is(f, TSR_OP_FUNC_FUNC))
        return tsr_op_error(op, "names '@%.*s', which is no function", TSR_STR_ARG(callee->s));
    return fits(op, f->attrs[FUNC_FUNC_function_type]->type, in, out) ||
           tsr_op_error(op, "of %s must be %s",
                        tsr_hlo_show_type(f->attrs[FUNC_FUNC_function_type]->type), what);
}

bool uses_tessera_forward(tsr_op *op)
{
    return verify_derivative(op, "aa", "rr", "(arguments, tangents) -> (results, tangents)");
}

bool uses_tessera_reverse(tsr_op *op)
{
    return verify_derivative(op, "ar", "ra", "(arguments, cotangents) -> (results, gradients)");
}

bool uses_tessera_vjp(tsr_op *op)
{
    return verify_derivative(op, "ar", "a", "(arguments, cotangents) -> (gradients)");
}
