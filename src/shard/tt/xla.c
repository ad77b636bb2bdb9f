/* SPDX-License-Identifier: Apache-2.0 */
/* xla.c - shardings that XLA's programs carry in strings: xla.sdy.* in mhlo.frontend_attributes become meshes,
 * shardings and constraints of sdy, and GSPMD's mhlo.sharding determines the mesh. Needs nothing; keeps everything
 * else; breaks ids. */
#include "shard/tt/xla.h"

#include "shard/gspmd/gspmd.h"
#include "shard/gspmd/import.h"
#include "shard/passes.h"

static tsr_str string_in(const tsr_attr *dict, tsr_str name)
{
    const tsr_attr *s = tsr_attr_is(dict, TSR_ATTR_DICT) ? tsr_dict_get(dict, name) : NULL;
    return tsr_attr_is(s, TSR_ATTR_STRING) ? s->s : TSR_STR("");
}

/* The sharding in a string, a single one or the first of a list; NULL: none. */
static tsr_attr *read_sharding(tsr_op *at, tsr_str text)
{
    tsr_attr *s = text.len ? tsr_attr_of_string(at, text) : NULL;
    if (tsr_attr_is_struct(s, &tsr_def_SDY_SHARDING_PER_VALUE))
        s = s->attrs[0]->n ? s->attrs[0]->attrs[0] : NULL;
    return tsr_sdy_is_sharding(s) ? s : NULL;
}

/* ---- convert-xla-sdy-to-sdy ---- */

static bool has_strings(tsr_op *root)
{
    TSR_TT_FUNCS(root, func)
    for (uint32_t i = 0, n = tsr_func_count(func, true); i < n; i++)
        if (string_in(tsr_tt_attr(func, true, i, TSR_TT_FRONTEND), TSR_STR("xla.sdy.sharding")).len)
            return true;
    return false;
}

/* {mesh = #sdy.mesh<["x"=2]>} of the module. */
static bool add_meshes(tsr_op *root)
{
    tsr_str text = string_in(tsr_dict_get(root->extra, TSR_TT_FRONTEND), TSR_STR("xla.sdy.meshes"));
    if (!text.len)
        return true;
    const tsr_attr *meshes = tsr_attr_of_string(root, text);
    if (!tsr_attr_is(meshes, TSR_ATTR_DICT))
        return tsr_op_error(root, "has meshes in xla.sdy.meshes that cannot be read: %.*s",
                            TSR_STR_ARG(text));
    for (uint32_t i = meshes->n; i-- > 0;) {
        tsr_attr *mesh = meshes->named[i].value;
        if (!tsr_attr_is_struct(mesh, &tsr_def_SDY_MESH))
            return tsr_op_error(root, "has something other than a mesh in xla.sdy.meshes");
        if (tsr_symbol_find(root, meshes->named[i].name->str))
            continue;
        tsr_op *op = tsr_tt_add_mesh(root, meshes->named[i].name->str, NULL, NULL, 0);
        op->attrs[SDY_MESH_mesh] = mesh;
    }
    return true;
}

/* Converts an argument's strings to its sharding, and removes GSPMD's equivalent. */
static bool convert_arguments(tsr_pass *p, tsr_op *func)
{
    uint32_t n = tsr_func_count(func, true);
    tsr_attr **shardings = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n + 1);
    tsr_attr **gspmd = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n + 1);
    tsr_attr **frontend = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        shardings[i] = tsr_tt_attr(func, true, i, TSR_TT_SHARDING);
        gspmd[i] = tsr_tt_attr(func, true, i, TSR_TT_XLA_SHARDING);
        frontend[i] = tsr_tt_attr(func, true, i, TSR_TT_FRONTEND);
        tsr_str text = string_in(frontend[i], TSR_STR("xla.sdy.sharding"));
        if (!text.len)
            continue;
        shardings[i] = read_sharding(func, text);
        if (!shardings[i])
            return tsr_op_error(func, "has a sharding of argument %u that cannot be read: %.*s", i,
                                TSR_STR_ARG(text));
        gspmd[i] = frontend[i] = NULL;
    }
    tsr_sdy_set_func_attr(func, true, TSR_TT_SHARDING, shardings);
    tsr_sdy_set_func_attr(func, true, TSR_TT_XLA_SHARDING, gspmd);
    tsr_sdy_set_func_attr(func, true, TSR_TT_FRONTEND, frontend);
    return true;
}

bool tsr_tt_strings_to_shardings(tsr_pass *p, tsr_op *root)
{
    p->changed = true;
    if (!add_meshes(root))
        return false;
    TSR_TT_FUNCS(root, func)
    if (!convert_arguments(p, func))
        return false;
    return true;
}

bool pass_tt_convert_xla_sdy_to_sdy(tsr_pass *p, tsr_op *root)
{
    TSR_TRY(tsr_import_sdy_hints(p, root));
    if (!has_strings(root))
        return true;
    TSR_TRY(tsr_tt_strings_to_shardings(p, root));
    tsr_op_set_attr(root, TSR_TT_FRONTEND, NULL);
    return true;
}

/* ---- Custom calls ---- */

/* mesh_idx_1 refers to the second axis of the mesh. */
static tsr_str with_axis_names(tsr_arena *arena, tsr_str text, const tsr_attr *axes)
{
    static const char prefix[] = "mesh_idx_";
    tsr_buf out = {0};
    for (size_t i = 0; i < text.len;) {
        tsr_str rest = {text.data + i, text.len - i};
        size_t k = sizeof prefix - 1;
        uint64_t axis = 0;
        bool digits = false;
        if (tsr_str_starts(rest, prefix))
            for (; k < rest.len && rest.data[k] >= '0' && rest.data[k] <= '9'; k++) {
                axis = axis < 1000 ? axis * 10 + (uint64_t)(rest.data[k] - '0') : axis;
                digits = true;
            }
        if (digits && axis < axes->n) {
            tsr_buf_str(&out, axes->attrs[axis]->attrs[SDY_MESH_AXIS_name]->s);
            i += k;
        } else {
            tsr_buf_char(&out, text.data[i++]);
        }
    }
    tsr_str copy = {tsr_arena_copy(arena, out.data ? out.data : "", out.len), out.len};
    tsr_buf_free(&out);
    return copy;
}

bool tsr_tt_calls_to_constraints(tsr_pass *p, tsr_op *root)
{
    tsr_op *mesh;
    const tsr_attr *axes =
        tsr_tt_count_meshes(root, &mesh) ? mesh->attrs[SDY_MESH_mesh]->attrs[SDY_MESH_axes] : NULL;
    bool results = false;
    for (tsr_op *op = root, *next; op; op = next) {
        next = tsr_walk_next(root, op);
        tsr_str target = tsr_tt_target(op);
        bool result = tsr_str_is(target, "xla.sdy.FuncResultSharding");
        bool constraint = tsr_str_is(target, "tt.sharding_constraint");
        if (!result && !constraint && !tsr_str_is(target, "Sharding"))
            continue;
        tsr_str text =
            string_in(tsr_dict_get(op->extra, TSR_TT_FRONTEND), TSR_STR("xla.sdy.sharding"));
        if (constraint && axes)
            text = with_axis_names(p->scratch, text, axes);
        tsr_attr *sharding = read_sharding(op, text);
        if (!sharding && !text.len)
            continue; /* GSPMD's, by mhlo.sharding */
        if (!sharding || op->nin != 1 || op->nout != 1 || op->in[0].value->type != op->out[0].type)
            return tsr_op_error(op, "has a sharding that cannot be read: %.*s", TSR_STR_ARG(text));
        tsr_op *made = tsr_op_new(op->module, tsr_opdef_of(p->ctx, TSR_OP_SDY_SHARDING_CONSTRAINT),
                                  op->loc, &op->in[0].value, 1, &op->out[0].type, 1, 0, 0);
        made->attrs[SDY_SHARDING_CONSTRAINT_sharding] = sharding;
        tsr_op_insert(made, op->block, op);
        tsr_value_replace(&op->out[0], &made->out[0]);
        tsr_op_erase(op);
        results |= result;
        p->changed = true;
    }
    /* Constraints now give the shardings of results. */
    if (results)
        TSR_TT_FUNCS(root, func)
        {
            uint32_t n = tsr_func_count(func, false);
            tsr_attr **none = TSR_NEW_ARRAY(p->scratch, tsr_attr *, n + 1);
            tsr_sdy_set_func_attr(func, false, TSR_TT_XLA_SHARDING, none);
        }
    return true;
}

/* ---- GSPMD ---- */

/* The mesh of devices=[2,1,4]<=[8], or [4,2]0,2,...: the dimensions of the iota if it has several; else those that the
 * tensor is cut into; a line of devices is 1 x n. */
static bool grid_of(const tsr_gspmd *s, tsr_tt_gspmd_grid *mesh)
{
    if (s->grid.n > 1) {
        *mesh = (tsr_tt_gspmd_grid){s->grid.data[0], s->grid.data[1]};
        return s->grid.n == 2;
    }
    int64_t total = tsr_gspmd_devices(s), sizes[TSR_GSPMD_DIMS];
    size_t n = 0;
    for (uint32_t i = 0; i < s->tile.n; i++)
        if (s->tile.data[i] == total) {
            *mesh = (tsr_tt_gspmd_grid){1, total};
            return true;
        } else if (s->tile.data[i] != 1) {
            sizes[n++] = s->tile.data[i];
        }
    if (n != 2)
        return false;
    bool swapped = s->ids.n > 1 && s->ids.data[0] + 1 != s->ids.data[1];
    *mesh =
        swapped ? (tsr_tt_gspmd_grid){sizes[1], sizes[0]} : (tsr_tt_gspmd_grid){sizes[0], sizes[1]};
    return true;
}

/* False: no mesh can be derived from it. *mesh is unchanged if this sharding names no devices. */
static bool read_gspmd(tsr_str text, tsr_str other, tsr_tt_gspmd_grid *mesh)
{
    tsr_gspmd both[2];
    bool ok = tsr_gspmd_read_one(text, &both[0]), found = false;
    ok = tsr_gspmd_read_one(other, &both[1]) && ok;
    for (int i = 0; ok && i < 2; i++) {
        tsr_tt_gspmd_grid grid;
        ok = both[i].kind != TSR_GSPMD_MAXIMAL && both[i].kind != TSR_GSPMD_UNKNOWN;
        if (!ok || found || both[i].kind != TSR_GSPMD_TILED)
            continue;
        found = true;
        ok = grid_of(&both[i], &grid);
        if (ok && !mesh->x)
            *mesh = grid;
    }
    tsr_vec_free(&both[0].ids);
    tsr_vec_free(&both[1].ids);
    return ok;
}

static bool gspmd_error(const tsr_op *op, tsr_str text)
{
    return tsr_op_error(op, "has an mhlo.sharding that tells no mesh of two dimensions: %.*s",
                        TSR_STR_ARG(text));
}

bool tsr_tt_gspmd_mesh(tsr_op *root, tsr_tt_gspmd_grid *mesh)
{
    *mesh = (tsr_tt_gspmd_grid){0, 0};
    TSR_OPS (root, op) {
        for (uint32_t i = 0; tsr_op_is(op, TSR_OP_FUNC_FUNC) && i < tsr_func_count(op, true); i++) {
            const tsr_attr *s = tsr_tt_attr(op, true, i, TSR_TT_XLA_SHARDING);
            if (s && (!tsr_attr_is(s, TSR_ATTR_STRING) || !read_gspmd(s->s, s->s, mesh)))
                return gspmd_error(op,
                                   tsr_attr_is(s, TSR_ATTR_STRING) ? s->s : TSR_STR("no string"));
        }
        tsr_str target = tsr_tt_target(op);
        if (!tsr_str_is(target, "SPMDFullToShardShape") &&
            !tsr_str_is(target, "SPMDShardToFullShape"))
            continue;
        const tsr_op *from = op->nin && !op->in[0].value->is_arg ? op->in[0].value->op : NULL;
        const tsr_attr *own = tsr_dict_get(op->extra, TSR_TT_XLA_SHARDING);
        const tsr_attr *its = from ? tsr_dict_get(from->extra, TSR_TT_XLA_SHARDING) : NULL;
        if (!tsr_attr_is(own, TSR_ATTR_STRING) || !tsr_attr_is(its, TSR_ATTR_STRING))
            return tsr_op_error(op, "needs mhlo.sharding, and so does what it is applied to");
        if (!read_gspmd(own->s, its->s, mesh))
            return gspmd_error(op, own->s);
    }
    if (!mesh->x)
        *mesh = (tsr_tt_gspmd_grid){1, 1};
    return true;
}
