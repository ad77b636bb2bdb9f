/* SPDX-License-Identifier: Apache-2.0 */
/* import.c - tessera-import-gspmd: converts GSPMD's shardings to Shardy's.
 *
 * mhlo.sharding of arguments, results and ops becomes sdy.sharding, @Sharding a sharding constraint, and ops between
 * @SPMDFullToShardShape and @SPMDShardToFullShape manual computations. Meshes are derived from the shardings. Needs
 * nothing; keeps what the program computes; breaks ids. */
#include "shard/gspmd/import.h"

#include <stdio.h>

#include "shard/core/calls.h"
#include "shard/passes.h"

bool tsr_gspmd_is(const tsr_op *op, const char *target)
{
    if (!tsr_op_is(op, TSR_OP_STABLEHLO_CUSTOM_CALL))
        return false;
    const tsr_attr *name = op->attrs[STABLEHLO_CUSTOM_CALL_call_target_name];
    return tsr_attr_is(name, TSR_ATTR_STRING) && tsr_str_is(name->s, target);
}

/* ---- Where shardings are ---- */

/* mhlo.sharding in a dictionary, or in its dictionary of frontend attributes. */
static const tsr_attr *sharding_in(const tsr_attr *dict)
{
    const tsr_attr *s = dict ? tsr_dict_get(dict, TSR_GSPMD_SHARDING) : NULL;
    const tsr_attr *frontend = dict ? tsr_dict_get(dict, TSR_GSPMD_FRONTEND) : NULL;
    return s                                      ? s
           : tsr_attr_is(frontend, TSR_ATTR_DICT) ? tsr_dict_get(frontend, TSR_GSPMD_SHARDING)
                                                  : NULL;
}

static const tsr_attr *sharding_at(const tsr_op *func, bool args, uint32_t i)
{
    const tsr_attr *dicts = func->attrs[args ? (int)FUNC_FUNC_arg_attrs : (int)FUNC_FUNC_res_attrs];
    return dicts && i < dicts->n ? sharding_in(dicts->attrs[i]) : NULL;
}

static bool is_border(const tsr_op *op)
{
    return tsr_gspmd_is(op, "SPMDFullToShardShape") || tsr_gspmd_is(op, "SPMDShardToFullShape") ||
           tsr_gspmd_is(op, "xla.sdy.GlobalToLocalShape") ||
           tsr_gspmd_is(op, "xla.sdy.LocalToGlobalShape");
}

bool tsr_has_gspmd(tsr_op *root, bool manual)
{
    if (!manual && tsr_has_sdy_strings(root))
        return true;
    TSR_OPS (root, op) {
        bool border = is_border(op);
        bool changes = false;
        for (uint32_t i = 0; border && i < op->nin && i < op->nout; i++)
            changes |= op->in[i].value->type != op->out[i].type;
        if (manual ? changes : border)
            return true;
        if (!manual &&
            (sharding_in(op->extra) || tsr_gspmd_is(op, "Sharding") || tsr_is_sdy_hint(op)))
            return true;
        for (int args = 0; !manual && tsr_op_is(op, TSR_OP_FUNC_FUNC) && args < 2; args++)
            for (uint32_t i = 0; i < tsr_func_count(op, args); i++)
                if (sharding_at(op, args, i))
                    return true;
    }
    return false;
}

/* ---- Reading ---- */

static const tsr_gspmd_text *text_of(tsr_gspmd_import *im, const tsr_attr *text)
{
    TSR_MAP_EACH (&im->by_text, tsr_hash_ptr(text), t)
        if (((tsr_gspmd_text *)t)->text == text)
            return t;
    return NULL;
}

static bool read_text(tsr_gspmd_import *im, const tsr_op *op, const tsr_attr *text)
{
    if (!tsr_attr_is(text, TSR_ATTR_STRING))
        return tsr_op_error(op, "has an mhlo.sharding that is no string");
    if (text_of(im, text))
        return true;
    tsr_gspmd_text *t = TSR_NEW(im->p->scratch, tsr_gspmd_text);
    tsr_buf why = {0};
    t->text = text;
    bool ok = tsr_gspmd_read(text->s, &t->all, &t->tuple, &why);
    if (!ok)
        tsr_op_error(op, "has a sharding that cannot be read: %.*s, in '%.*s'",
                     TSR_STR_ARG(tsr_buf_text(&why)), TSR_STR_ARG(text->s));
    tsr_buf_free(&why);
    tsr_vec_push(&im->texts, t);
    tsr_map_put(&im->by_text, tsr_hash_ptr(text), t);
    for (size_t i = 0; ok && i < t->all.n; i++) {
        const tsr_gspmd *s = &t->all.data[i];
        int64_t n = s->kind == TSR_GSPMD_TILED ? tsr_gspmd_devices(s) : 1;
        if (n > 1 && im->meshes.devices > 1 && n != im->meshes.devices)
            ok = tsr_op_error(op,
                              "has a sharding over %lld devices, and others are over %lld: '%.*s'",
                              (long long)n, (long long)im->meshes.devices, TSR_STR_ARG(text->s));
        if (n > 1)
            im->meshes.devices = n;
    }
    return ok;
}

static bool read_all(tsr_gspmd_import *im)
{
    const tsr_attr *n = tsr_dict_get(im->root->extra, TSR_STR("mhlo.num_partitions"));
    im->meshes.devices = tsr_attr_is(n, TSR_ATTR_INT) && n->i > 1 ? n->i : 0;
    TSR_OPS (im->root, op) {
        const tsr_attr *s = sharding_in(op->extra);
        TSR_TRY(!s || read_text(im, op, s));
        for (int args = 1; tsr_op_is(op, TSR_OP_FUNC_FUNC) && args >= 0; args--)
            for (uint32_t i = 0; i < tsr_func_count(op, args); i++) {
                s = sharding_at(op, args, i);
                TSR_TRY(!s || read_text(im, op, s));
            }
    }
    if (im->meshes.devices > 1 << 20)
        return tsr_op_error(im->root, "is for %lld devices, which are too many",
                            (long long)im->meshes.devices);
    im->meshes.devices = im->meshes.devices ? im->meshes.devices : 1;
    return true;
}

const tsr_gspmd *tsr_gspmd_of(tsr_gspmd_import *im, const tsr_op *op)
{
    const tsr_gspmd_text *t = text_of(im, sharding_in(op->extra));
    return t && t->all.n == 1 ? &t->all.data[0] : NULL;
}

const tsr_gspmd *tsr_gspmd_of_arg(tsr_gspmd_import *im, const tsr_value *arg)
{
    const tsr_op *func = tsr_block_parent(arg->block);
    bool is_func = func && tsr_op_is(func, TSR_OP_FUNC_FUNC);
    const tsr_gspmd_text *t = is_func ? text_of(im, sharding_at(func, true, arg->index)) : NULL;
    return t && t->all.n == 1 ? &t->all.data[0] : NULL;
}

bool tsr_gspmd_open_dims(const tsr_op *op, tsr_gspmd_open *out)
{
    const tsr_attr *config = op->attrs[STABLEHLO_CUSTOM_CALL_backend_config];
    *out = 0;
    if (!tsr_attr_is(config, TSR_ATTR_STRING) || !config->s.len)
        return true;
    tsr_str s = config->s, head = TSR_STR("unspecified_dims=[");
    bool ok = tsr_str_starts(s, head.data) && s.data[s.len - 1] == ']';
    uint32_t dim = 0, digits = 0;
    for (size_t i = head.len; ok && i < s.len; i++) {
        char c = s.data[i];
        if (c >= '0' && c <= '9' && digits < 3) {
            dim = dim * 10 + (uint32_t)(c - '0');
            digits++;
        } else if ((c == ',' || c == ']') && digits && dim < 64) {
            *out |= (uint64_t)1 << dim;
            dim = digits = 0;
        } else {
            ok = c == ' ' || (c == ']' && i == head.len);
        }
    }
    return ok ||
           tsr_op_error(op, "has a backend_config that is not known here: '%.*s'", TSR_STR_ARG(s));
}

/* ---- Meshes ---- */

static tsr_op *add_mesh(tsr_gspmd_import *im, tsr_symbols *symbols, tsr_str name, tsr_attr *axes,
                        tsr_attr *ids)
{
    tsr_ctx *ctx = im->p->ctx;
    tsr_op *op = tsr_op_new(im->root->module, tsr_opdef_of(ctx, TSR_OP_SDY_MESH), im->root->loc,
                            NULL, 0, NULL, 0, 0, 0);
    tsr_op_set_attr(op, TSR_STR("sym_name"), tsr_attr_string(ctx, name));
    op->attrs[SDY_MESH_mesh] = tsr_sdy_mesh(ctx, axes, ids);
    tsr_op_insert(op, im->root->regions[0].first, im->root->regions[0].first->first);
    tsr_symbols_insert(symbols, op);
    return op;
}

/* Axes are called axis_0, axis_1, ..., the major one first. */
static void make_mesh(tsr_gspmd_import *im, tsr_symbols *symbols, tsr_gspmd_mesh *m)
{
    tsr_ctx *ctx = im->p->ctx;
    uint32_t n = (uint32_t)m->strides.n - 1;
    tsr_attr **axes = TSR_NEW_ARRAY(im->p->scratch, tsr_attr *, n + 1);
    for (uint32_t a = 0; a < n; a++) {
        char name[32];
        snprintf(name, sizeof name, "axis_%u", n - 1 - a);
        tsr_attr *params[] = {tsr_attr_string(ctx, tsr_cstr(name)),
                              tsr_attr_i64(ctx, m->strides.data[a + 1] / m->strides.data[a])};
        tsr_vec_push(&m->names, params[0]);
        axes[n - 1 - a] = tsr_attr_struct(ctx, &tsr_def_SDY_MESH_AXIS, params);
    }
    tsr_attr *ids = m->order.n ? tsr_attr_i64_array(ctx, m->order.data, m->order.n) : NULL;
    tsr_op *op = add_mesh(im, symbols, TSR_STR("mesh"), tsr_attr_array(ctx, axes, n), ids);
    m->ref = tsr_attr_symbol(ctx, tsr_op_symbol(op), NULL, 0);
}

static tsr_attr *maximal_ref(const tsr_gspmd_import *im, int64_t device)
{
    for (size_t i = 0; i < im->maximal.n; i++)
        if (im->maximal.data[i].device == device)
            return im->maximal.data[i].ref;
    return NULL;
}

static void make_maximal(tsr_gspmd_import *im, tsr_symbols *symbols, int64_t device)
{
    tsr_ctx *ctx = im->p->ctx;
    char name[48];
    snprintf(name, sizeof name, "maximal_mesh_%lld", (long long)device);
    const tsr_op *op = add_mesh(im, symbols, tsr_cstr(name), tsr_attr_array(ctx, NULL, 0),
                                tsr_attr_i64_array(ctx, &device, 1));
    tsr_attr *ref = tsr_attr_symbol(ctx, tsr_op_symbol(op), NULL, 0);
    tsr_vec_push(&im->maximal, ((tsr_gspmd_maximal){device, ref}));
}

static void make_meshes(tsr_gspmd_import *im)
{
    TSR_VEC(const tsr_gspmd *) tiled = {0};
    tsr_symbols symbols;
    tsr_symbols_init(&symbols, im->root);
    for (size_t i = 0; i < im->texts.n; i++)
        for (size_t k = 0; k < im->texts.data[i]->all.n; k++) {
            const tsr_gspmd *s = &im->texts.data[i]->all.data[k];
            if (s->kind == TSR_GSPMD_TILED && tsr_gspmd_devices(s) > 1)
                tsr_vec_push(&tiled, s);
            if (s->kind == TSR_GSPMD_MAXIMAL && !maximal_ref(im, s->device))
                make_maximal(im, &symbols, s->device);
        }
    tsr_gspmd_meshes_make(&im->meshes, tiled.data, tiled.n);
    for (size_t i = im->meshes.all.n; i-- > 0;)
        make_mesh(im, &symbols, &im->meshes.all.data[i]);
    tsr_symbols_free(&symbols);
    tsr_vec_free(&tiled);
}

/* ---- One sharding ---- */

static tsr_attr *axis_refs(tsr_gspmd_import *im, const tsr_gspmd_mesh *m, const uint32_t *axes,
                           size_t n)
{
    tsr_ctx *ctx = im->p->ctx;
    tsr_attr **refs = TSR_NEW_ARRAY(im->p->scratch, tsr_attr *, n + 1);
    for (size_t i = 0; i < n; i++)
        refs[i] = tsr_attr_struct(ctx, &tsr_def_SDY_AXIS_REF,
                                  (tsr_attr *[]){m->names.data[axes[i]], NULL});
    return tsr_attr_array(ctx, refs, n);
}

/* Axes of the tile's trailing sizes of this kind, one bit each. */
static uint64_t last_axes(const tsr_gspmd *s, const tsr_gspmd_place *at, tsr_gspmd_kind kind)
{
    uint64_t axes = 0;
    uint32_t rank = s->tile.n - s->nlast;
    for (uint32_t i = 0; i < s->nlast; i++)
        for (uint32_t a = at->first[rank + i]; s->last[i] == kind && a < at->first[rank + i + 1];
             a++)
            axes |= (uint64_t)1 << at->axes.data[a];
    return axes;
}

static uint64_t all_axes(const tsr_gspmd_mesh *m)
{
    return ((uint64_t)1 << (m->strides.n - 1)) - 1;
}

/* In mesh order, major first. */
static tsr_attr *refs_of_set(tsr_gspmd_import *im, const tsr_gspmd_mesh *m, uint64_t set)
{
    uint32_t axes[64];
    size_t n = 0;
    for (uint32_t a = 64; a-- > 0;)
        if (set >> a & 1)
            axes[n++] = a;
    return axis_refs(im, m, axes, n);
}

static tsr_gspmd_placed *find_place(tsr_gspmd_import *im, const tsr_gspmd *s)
{
    TSR_MAP_EACH (&im->places, tsr_hash_ptr(s), placed)
        if (((tsr_gspmd_placed *)placed)->sharding == s)
            return placed;
    tsr_gspmd_placed *placed = TSR_NEW(im->p->scratch, tsr_gspmd_placed);
    placed->sharding = s;
    placed->ok = tsr_gspmd_place_of(&im->meshes, s, &placed->at);
    tsr_map_put(&im->places, tsr_hash_ptr(s), placed);
    return placed;
}

/* NULL after a diagnostic. */
static const tsr_gspmd_place *place_of(tsr_gspmd_import *im, const tsr_op *op, const tsr_gspmd *s)
{
    const tsr_gspmd_placed *placed = find_place(im, s);
    if (!placed->ok)
        tsr_op_error(op, "has a sharding that no mesh can have");
    return placed->ok ? &placed->at : NULL;
}

bool tsr_gspmd_manual_axes(tsr_gspmd_import *im, const tsr_op *op, const tsr_gspmd *s,
                           uint32_t *mesh, uint64_t *axes)
{
    *axes = 0;
    if (s->kind == TSR_GSPMD_MANUAL)
        *axes = all_axes(&im->meshes.all.data[*mesh]);
    if (s->kind != TSR_GSPMD_TILED || tsr_gspmd_devices(s) == 1)
        return true;
    const tsr_gspmd_place *at = place_of(im, op, s);
    if (!at)
        return false;
    *mesh = at->mesh;
    *axes = last_axes(s, at, TSR_GSPMD_MANUAL);
    return true;
}

static tsr_attr *with_dims(tsr_gspmd_import *im, const tsr_gspmd_mesh *m, const tsr_gspmd_place *at,
                           int64_t rank, tsr_gspmd_open open, uint64_t unreduced)
{
    tsr_ctx *ctx = im->p->ctx;
    tsr_attr **dims = TSR_NEW_ARRAY(im->p->scratch, tsr_attr *, rank + 1);
    for (int64_t d = 0; d < rank; d++) {
        uint32_t first = at ? at->first[d] : 0, n = at ? at->first[d + 1] - first : 0;
        bool closed = d >= 64 || !(open >> d & 1);
        dims[d] = tsr_sdy_dim(ctx, axis_refs(im, m, at ? TSR_FROM(at->axes.data, first) : NULL, n),
                              tsr_attr_bool(ctx, closed), NULL);
    }
    return tsr_sdy_make(ctx, m->ref, tsr_attr_array(ctx, dims, (size_t)rank),
                        tsr_attr_array(ctx, NULL, 0), refs_of_set(im, m, unreduced), NULL);
}

bool tsr_gspmd_convert(tsr_gspmd_import *im, const tsr_op *op, const tsr_gspmd *s, int64_t rank,
                       tsr_gspmd_open open, uint32_t mesh, tsr_attr **out)
{
    const tsr_gspmd_mesh *m = &im->meshes.all.data[mesh];
    *out = NULL;
    switch (s->kind) {
    case TSR_GSPMD_MANUAL:
    case TSR_GSPMD_UNKNOWN: return true;
    case TSR_GSPMD_MAXIMAL:
        if (s->device >= im->meshes.devices)
            return tsr_op_error(op, "is on device %lld, and there are %lld", (long long)s->device,
                                (long long)im->meshes.devices);
        *out = tsr_sdy_replicated(im->p->ctx, maximal_ref(im, s->device), 0);
        return true;
    case TSR_GSPMD_REPLICATED: *out = with_dims(im, m, NULL, rank, open, 0); return true;
    case TSR_GSPMD_UNREDUCED: *out = with_dims(im, m, NULL, rank, open, all_axes(m)); return true;
    case TSR_GSPMD_TILED: break;
    }
    if ((int64_t)(s->tile.n - s->nlast) != rank)
        return tsr_op_error(op, "has a sharding of %u dimensions for a value of %lld",
                            s->tile.n - s->nlast, (long long)rank);
    if (tsr_gspmd_devices(s) == 1) {
        *out = with_dims(im, m, NULL, rank, open, 0);
        return true;
    }
    const tsr_gspmd_place *at = place_of(im, op, s);
    if (!at)
        return false;
    *out = with_dims(im, &im->meshes.all.data[at->mesh], at, rank, open,
                     last_axes(s, at, TSR_GSPMD_UNREDUCED));
    return true;
}

/* ---- Ops ---- */

/* Whether the sharding has no axes, and all dimensions are open or there are none. */
static bool says_nothing(const tsr_attr *sharding)
{
    bool nothing = tsr_sdy_is_replicated(sharding) && !sharding->attrs[SDY_SHARDING_unreduced]->n;
    for (uint32_t d = 0; nothing && d < tsr_sdy_dims(sharding)->n; d++)
        nothing = !tsr_sdy_dims(sharding)->attrs[d]->attrs[SDY_DIMENSION_SHARDING_is_closed]->i;
    return nothing;
}

static void add_group(tsr_gspmd_import *im, tsr_op *at, tsr_value *v, int64_t group)
{
    tsr_op *op = tsr_op_new(at->module, tsr_opdef_of(im->p->ctx, TSR_OP_SDY_SHARDING_GROUP),
                            at->loc, &v, 1, NULL, 0, 0, 0);
    op->attrs[SDY_SHARDING_GROUP_group_id] = tsr_attr_i64(im->p->ctx, group);
    tsr_op_insert(op, at->block, at->next);
}

/* @Sharding becomes a constraint, or is replaced by its operand if it gives no information. */
static bool convert_call(tsr_gspmd_import *im, tsr_op *op)
{
    tsr_gspmd_open open;
    const tsr_gspmd *s = tsr_gspmd_of(im, op);
    tsr_attr *sharding = NULL;
    if (op->nin != 1 || op->nout != 1 || op->in[0].value->type != op->out[0].type)
        return tsr_op_error(op, "@Sharding needs one operand and one result of its type");
    if (!s)
        return tsr_op_error(op, "@Sharding needs an mhlo.sharding, and that of one value");
    TSR_TRY(tsr_gspmd_open_dims(op, &open) &&
            tsr_gspmd_convert(im, op, s, tsr_sdy_rank(op->out[0].type), open, 0, &sharding));
    tsr_value *v = op->in[0].value;
    if (sharding && (s->kind == TSR_GSPMD_MAXIMAL || !says_nothing(sharding))) {
        tsr_op *made = tsr_op_like(op, tsr_opdef_of(im->p->ctx, TSR_OP_SDY_SHARDING_CONSTRAINT));
        made->attrs[SDY_SHARDING_CONSTRAINT_sharding] = sharding;
        tsr_op_insert(made, op->block, op);
        v = &made->out[0];
    }
    if (s->group >= 0)
        add_group(im, op, v, s->group);
    tsr_value_replace(&op->out[0], v);
    tsr_op_erase(op);
    return true;
}

static bool convert_op(tsr_gspmd_import *im, tsr_op *op, const tsr_attr *text)
{
    const tsr_gspmd_text *t = text_of(im, text);
    uint32_t n = op->nout;
    if (t->tuple ? t->all.n != n : n > 1)
        return tsr_op_error(op, "has %u results, and a sharding for %zu: '%.*s'", n, t->all.n,
                            TSR_STR_ARG(text->s));
    bool any = false;
    tsr_attr **all = TSR_NEW_ARRAY(im->p->scratch, tsr_attr *, n + 1);
    for (uint32_t i = 0; i < t->all.n; i++) {
        const tsr_gspmd *s = &t->all.data[i];
        const tsr_type *type = i < n ? op->out[i].type : NULL;
        if (type && type->kind == TSR_TYPE_TUPLE && s->kind == TSR_GSPMD_TILED)
            return tsr_op_error(op, "has a tuple that is sharded, which cannot be imported");
        TSR_TRY(tsr_gspmd_convert(im, op, s, type ? tsr_sdy_rank(type) : 0, 0, 0, &all[i]));
        if (!type && all[i] && s->kind != TSR_GSPMD_MAXIMAL)
            all[i] = NULL; /* there is no value that it could apply to */
        any |= all[i] != NULL;
        if (type && s->group >= 0)
            add_group(im, op, &op->out[i], s->group);
    }
    for (uint32_t i = 0; any && i < n; i++)
        if (!all[i])
            all[i] =
                tsr_sdy_open(im->p->ctx, im->meshes.all.data[0].ref, tsr_sdy_rank(op->out[i].type));
    if (any && !tsr_sdy_shardings_of(op))
        tsr_sdy_set_shardings(op, all, n ? n : 1);
    return true;
}

/* The dictionary without mhlo.sharding, also among the frontend attributes; NULL: it becomes empty. */
static tsr_attr *without_sharding(tsr_ctx *ctx, tsr_attr *dict)
{
    tsr_attr *frontend = tsr_dict_get(dict, TSR_GSPMD_FRONTEND);
    dict = tsr_dict_with(ctx, dict, tsr_name_get(ctx, TSR_GSPMD_SHARDING), NULL);
    if (dict && tsr_attr_is(frontend, TSR_ATTR_DICT) &&
        tsr_dict_get(frontend, TSR_GSPMD_SHARDING)) {
        frontend = tsr_dict_with(ctx, frontend, tsr_name_get(ctx, TSR_GSPMD_SHARDING), NULL);
        dict = tsr_dict_with(ctx, dict, tsr_name_get(ctx, TSR_GSPMD_FRONTEND),
                             frontend && frontend->n ? frontend : NULL);
    }
    return dict;
}

static bool convert_func(tsr_gspmd_import *im, tsr_op *func, bool args)
{
    uint32_t n = tsr_func_count(func, args);
    tsr_attr **slot = &func->attrs[args ? (int)FUNC_FUNC_arg_attrs : (int)FUNC_FUNC_res_attrs];
    tsr_attr **all = TSR_NEW_ARRAY(im->p->scratch, tsr_attr *, n + 1);
    tsr_attr **dicts = TSR_NEW_ARRAY(im->p->scratch, tsr_attr *, n + 1);
    const char *what = args ? "argument" : "result";
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        const tsr_attr *text = sharding_at(func, args, i);
        const tsr_gspmd_text *t = text_of(im, text);
        const tsr_type *type = tsr_func_type_of(func, args, i);
        all[i] = args ? tsr_sdy_arg_sharding(func, i) : tsr_sdy_result_sharding(func, i);
        if (!t)
            continue;
        any = true;
        if (t->all.n != 1 || t->tuple)
            return tsr_op_error(func, "%s %u has a sharding of several values: '%.*s'", what, i,
                                TSR_STR_ARG(text->s));
        if (t->all.data[0].kind == TSR_GSPMD_MANUAL)
            return tsr_op_error(func, "%s %u is manual outside of a manual computation", what, i);
        if (!all[i])
            TSR_TRY(
                tsr_gspmd_convert(im, func, &t->all.data[0], tsr_sdy_rank(type), 0, 0, &all[i]));
    }
    if (!any)
        return true;
    for (uint32_t i = 0; i < n; i++) {
        dicts[i] = without_sharding(im->p->ctx, (*slot)->attrs[i]);
        dicts[i] = dicts[i] ? dicts[i] : tsr_attr_dict(im->p->ctx, NULL, 0);
    }
    *slot = tsr_attr_array(im->p->ctx, dicts, n);
    if (args)
        tsr_sdy_set_arg_shardings(func, all);
    else
        tsr_sdy_set_result_shardings(func, all);
    return true;
}

static bool convert_all(tsr_gspmd_import *im)
{
    for (tsr_op *op = im->root, *next; op; op = next) {
        next = tsr_walk_next(im->root, op);
        if (tsr_gspmd_is(op, "Sharding")) {
            TSR_TRY(convert_call(im, op));
            continue;
        }
        if (is_border(op))
            return tsr_op_error(op, "is not part of a manual computation that can be imported");
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC))
            TSR_TRY(convert_func(im, op, true) && convert_func(im, op, false));
        const tsr_attr *text = sharding_in(op->extra);
        if (!text)
            continue;
        TSR_TRY(convert_op(im, op, text));
        op->extra = without_sharding(im->p->ctx, op->extra);
    }
    return true;
}

static bool import(tsr_gspmd_import *im)
{
    TSR_TRY(read_all(im));
    make_meshes(im);
    return tsr_gspmd_manual(im) && convert_all(im);
}

bool pass_tessera_import_gspmd(tsr_pass *p, tsr_op *root)
{
    if (!root->regions[0].first || !tsr_has_gspmd(root, false))
        return true;
    p->changed = true;
    TSR_TRY(tsr_import_sdy_strings(p, root));
    if (!tsr_has_gspmd(root, false))
        return true;
    tsr_gspmd_import im = {.p = p, .root = root};
    bool ok = import(&im);
    for (size_t i = 0; i < im.texts.n; i++)
        tsr_gspmd_free(&im.texts.data[i]->all);
    tsr_vec_free(&im.texts);
    tsr_gspmd_meshes_free(&im.meshes);
    for (uint32_t i = 0; i < im.places.n; i++)
        tsr_gspmd_place_free(&((tsr_gspmd_placed *)im.places.entries[i].value)->at);
    tsr_map_free(&im.places);
    tsr_map_free(&im.by_text);
    tsr_vec_free(&im.maximal);
    return ok;
}
