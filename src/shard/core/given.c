/* SPDX-License-Identifier: Apache-2.0 */
/* given.c - see given.h. */
#include "shard/core/given.h"

/* Splits off the part of *text before the next c, or all of it if there is none. */
static tsr_str cut(tsr_str *text, char c)
{
    const char *at = text->len ? memchr(text->data, c, text->len) : NULL;
    tsr_str head = {text->data, at ? (size_t)(at - text->data) : text->len};
    *text = at ? (tsr_str){at + 1, text->len - head.len - 1}
               : (tsr_str){TSR_FROM(text->data, text->len), 0};
    return head;
}

static bool number(tsr_str text, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' || *out > INT64_MAX / 100)
            return false;
        *out = *out * 10 + (text.data[i] - '0');
    }
    return text.len > 0;
}

/* ---- Meshes ---- */

/* The default mesh: the only one, or the one called mesh. several: there is more than one. */
static tsr_op *mesh_op(const tsr_module *m, bool *several)
{
    tsr_op *only = NULL, *named = NULL;
    uint32_t n = 0;
    TSR_BLOCK_OPS (m->op->regions[0].first, op) {
        if (!tsr_has_role(op, TSR_ROLE_MESH))
            continue;
        only = op;
        named = tsr_str_is(tsr_op_symbol(op), "mesh") ? op : named;
        n++;
    }
    *several = n > 1 && !named;
    return named ? named : n == 1 ? only : NULL;
}

static tsr_attr *read_mesh(tsr_ctx *ctx, tsr_str text, tsr_status *status)
{
    TSR_VEC(tsr_attr *) axes = {0};
    tsr_str rest = text;
    bool ok = rest.len > 0;
    while (ok && rest.len) {
        tsr_str size = cut(&rest, ','), name = cut(&size, '=');
        int64_t n;
        ok = name.len && number(size, &n) && n > 0;
        if (!ok)
            break;
        tsr_attr *params[] = {tsr_attr_string(ctx, name), tsr_attr_i64(ctx, n)};
        for (size_t i = 0; ok && i < axes.n; i++)
            if (axes.data[i]->attrs[0] == params[0])
                ok = tsr_status_set(status, TSR_BAD_INPUT,
                                    "'%.*s' is no mesh: axis %.*s is there twice",
                                    TSR_STR_ARG(text), TSR_STR_ARG(name));
        tsr_vec_push(&axes, tsr_attr_struct(ctx, &tsr_def_SDY_MESH_AXIS, params));
    }
    tsr_attr *mesh = ok ? tsr_sdy_mesh(ctx, tsr_attr_array(ctx, axes.data, axes.n), NULL) : NULL;
    tsr_vec_free(&axes);
    if (!mesh)
        tsr_status_set(status, TSR_BAD_INPUT, "'%.*s' is no mesh: axes are wanted, such as x=2,y=4",
                       TSR_STR_ARG(text));
    return mesh;
}

bool tsr_given_mesh(tsr_module *m, tsr_str text, tsr_status *status)
{
    bool several;
    tsr_attr *mesh = read_mesh(m->ctx, text, status);
    tsr_op *op = mesh_op(m, &several);
    if (!mesh)
        return false;
    if (several)
        return tsr_status_set(status, TSR_BAD_INPUT,
                              "the module has several meshes, and none of them is called mesh");
    if (!op) {
        op = tsr_op_new(m, tsr_opdef_of(m->ctx, TSR_OP_SDY_MESH), m->op->loc, NULL, 0, NULL, 0, 0,
                        0);
        tsr_op_set_attr(op, TSR_STR("sym_name"), tsr_attr_string(m->ctx, TSR_STR("mesh")));
        tsr_op_insert(op, m->op->regions[0].first, m->op->regions[0].first->first);
    }
    if (op->attrs[SDY_MESH_mesh] && op->attrs[SDY_MESH_mesh] != mesh)
        tsr_emit(m->ctx, TSR_REMARK, op->loc, "the mesh %.*s replaces this one", TSR_STR_ARG(text));
    op->attrs[SDY_MESH_mesh] = mesh;
    op->extra = NULL; /* it repeats the mesh in the form of another dialect */
    m->verified = false;
    return true;
}

/* ---- Shardings ---- */

/* x, or x:(1)2. */
static tsr_attr *read_axis(tsr_ctx *ctx, tsr_str text)
{
    tsr_str part = text, name = cut(&part, ':');
    if (!name.len)
        return NULL;
    tsr_attr *sub = NULL;
    if (part.data != TSR_FROM(text.data, text.len) || part.len || name.len < text.len) {
        int64_t pre, size;
        if (!part.len || part.data[0] != '(')
            return NULL;
        part = (tsr_str){part.data + 1, part.len - 1};
        tsr_str first = cut(&part, ')');
        if (!number(first, &pre) || !number(part, &size))
            return NULL;
        tsr_attr *params[] = {tsr_attr_i64(ctx, pre), tsr_attr_i64(ctx, size)};
        sub = tsr_attr_struct(ctx, &tsr_def_SDY_SUB_AXIS_INFO, params);
    }
    return tsr_attr_struct(ctx, &tsr_def_SDY_AXIS_REF,
                           (tsr_attr *[]){tsr_attr_string(ctx, name), sub});
}

static tsr_attr *read_dim(tsr_ctx *ctx, tsr_str text)
{
    TSR_VEC(tsr_attr *) axes = {0};
    bool open = text.len && text.data[text.len - 1] == '?', ok = text.len > 0;
    tsr_str rest = {text.data, text.len - open};
    if (tsr_str_is(rest, "_"))
        rest.len = 0;
    while (ok && rest.len) {
        tsr_attr *axis = read_axis(ctx, cut(&rest, '+'));
        ok = axis != NULL;
        tsr_vec_push(&axes, axis);
    }
    tsr_attr *list = ok ? tsr_attr_array(ctx, axes.data, axes.n) : NULL;
    tsr_vec_free(&axes);
    return list ? tsr_sdy_dim(ctx, list, tsr_attr_bool(ctx, !open), NULL) : NULL;
}

tsr_attr *tsr_given_sharding(tsr_module *m, const tsr_type *type, tsr_str text, tsr_status *status)
{
    tsr_ctx *ctx = m->ctx;
    bool several;
    const tsr_op *mesh = mesh_op(m, &several);
    if (!mesh) {
        tsr_status_set(status, TSR_BAD_INPUT,
                       several ? "the module has several meshes, and none of them is called mesh"
                               : "the module has no mesh; --mesh=x=2,y=4 gives it one");
        return NULL;
    }
    uint32_t rank = (uint32_t)tsr_sdy_rank(type), n = 0;
    TSR_VEC(tsr_attr *) dims = {0};
    tsr_str rest = text;
    bool ok = true;
    for (; ok && rest.len; n++) {
        tsr_str word = cut(&rest, ',');
        tsr_attr *dim = read_dim(ctx, word);
        ok = dim != NULL;
        if (!ok)
            tsr_status_set(status, TSR_BAD_INPUT,
                           "'%.*s' is no dimension sharding: _, x, x+y, x:(1)2 and each with a ? "
                           "behind it are",
                           TSR_STR_ARG(word));
        tsr_vec_push(&dims, dim);
    }
    if (ok && n > rank)
        ok = tsr_status_set(status, TSR_BAD_INPUT,
                            "'%.*s' shards %u dimensions, and the value has %u", TSR_STR_ARG(text),
                            n, rank);
    for (; ok && n < rank; n++)
        tsr_vec_push(&dims, read_dim(ctx, TSR_STR("_")));
    tsr_attr *ref = tsr_attr_symbol(ctx, tsr_op_symbol(mesh), NULL, 0),
             *none = tsr_attr_array(ctx, NULL, 0);
    tsr_attr *s =
        ok ? tsr_sdy_make(ctx, ref, tsr_attr_array(ctx, dims.data, dims.n), none, none, NULL)
           : NULL;
    tsr_vec_free(&dims);
    return s;
}
