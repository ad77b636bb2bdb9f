/* SPDX-License-Identifier: Apache-2.0 */
/* attrs.c - assembly of ttcore's attributes. */
#include "dialect/ttcore/ttcore.h"

#include "asm/reader.h"
#include "dialect/hooks.h"

static bool tensor_type(tsr_asm *a, tsr_attr **attr)
{
    tsr_type *type = *attr ? (*attr)->type : NULL;
    tsr_loc loc = tsr_asm_writing(a) ? 0 : tsr_asm_loc(a);
    TSR_TRY(tsr_asm_type(a, &type));
    if (tsr_asm_writing(a))
        return true;
    if (!tsr_type_is(type, TSR_TYPE_TENSOR))
        return tsr_asm_error_at(a, loc, "expected a ranked tensor type");
    *attr = tsr_attr_type(a->ctx, type);
    return true;
}

/* 1x2: the numbers are not separate tokens. */
static bool read_shape(tsr_asm *a, tsr_attr **attr)
{
    enum { MOST = 64 };
    int64_t dims[MOST];
    size_t n = 0;
    const char *p = a->in->tok.start;
    for (;; p++) {
        if (*p < '0' || *p > '9' || n == MOST)
            return tsr_asm_error(a, "expected a list of dimensions such as 1x2");
        int64_t d = 0;
        for (; *p >= '0' && *p <= '9'; p++) {
            if (d > (INT64_MAX - 9) / 10)
                return tsr_asm_error(a, "invalid dimension");
            d = d * 10 + (*p - '0');
        }
        dims[n++] = d;
        if (*p != 'x')
            break;
    }
    tsr_read_jump(a->in, p);
    *attr = tsr_attr_i64_array(a->ctx, dims, n);
    return true;
}

static bool shape(tsr_asm *a, tsr_attr **attr)
{
    if (!tsr_asm_writing(a))
        return read_shape(a, attr);
    int64_t n = tsr_attr_count(*attr);
    for (int64_t i = 0; i < n; i++) {
        int64_t d = tsr_attr_int_at(*attr, (size_t)i);
        TSR_TRY((i == 0 || tsr_asm_lit(a, "x")) && tsr_asm_int(a, &d));
    }
    return true;
}

bool attr_TTCORE_LOCAL_SHAPE(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, " local_shape = ") && tensor_type(a, &params[TTCORE_LOCAL_SHAPE_type]);
}

bool attr_TTCORE_MESH(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_string_attr(a, &params[TTCORE_MESH_name]) &&
           tsr_asm_lit(a, " = ") && shape(a, &params[TTCORE_MESH_shape]) && tsr_asm_lit(a, ">");
}

static bool mesh_element(tsr_asm *a, void *user, size_t i)
{
    tsr_attr_vec *meshes = user;
    tsr_attr *mesh = tsr_asm_writing(a) ? meshes->data[i] : NULL;
    TSR_TRY(tsr_asm_struct(a, &tsr_def_TTCORE_MESH, &mesh));
    if (!tsr_asm_writing(a))
        tsr_vec_push(meshes, mesh);
    return true;
}

bool attr_TTCORE_MESHES(tsr_asm *a, tsr_attr **params)
{
    tsr_attr_vec meshes = {0};
    for (uint32_t i = 0; params[0] && i < params[0]->n; i++)
        tsr_vec_push(&meshes, params[0]->attrs[i]);
    size_t n = meshes.n;
    bool ok = tsr_asm_lit(a, "<") && tsr_asm_list(a, "[", "]", &n, mesh_element, &meshes) &&
              tsr_asm_lit(a, ">");
    if (ok && !tsr_asm_writing(a))
        params[0] = tsr_attr_array(a->ctx, meshes.data, meshes.n);
    tsr_vec_free(&meshes);
    return ok;
}

bool attr_TTCORE_RUNTIME_TENSOR_SHARDING(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, " shard_status = <") &&
           tsr_asm_enum(a, &tsr_def_TTCORE_SHARD_STATUS,
                        &params[TTCORE_RUNTIME_TENSOR_SHARDING_status]) &&
           tsr_asm_lit(a, ">, local_shape = ") &&
           tensor_type(a, &params[TTCORE_RUNTIME_TENSOR_SHARDING_type]);
}

bool attr_TTCORE_TENSOR_MESH(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && tsr_asm_string_attr(a, &params[0]) && tsr_asm_lit(a, ">");
}

bool type_TTCORE_TILE(tsr_asm *a, tsr_attr **params)
{
    return tsr_asm_lit(a, "<") && shape(a, &params[TTCORE_TILE_shape]) && tsr_asm_lit(a, ", ") &&
           tsr_asm_enum(a, &tsr_def_TTCORE_DATA_TYPE, &params[TTCORE_TILE_element]) &&
           tsr_asm_lit(a, ">");
}

bool tsr_asm_tt_shape(tsr_asm *a, tsr_attr **attr)
{
    if (tsr_asm_writing(a) || (*a->in->tok.start >= '0' && *a->in->tok.start <= '9'))
        return shape(a, attr);
    *attr = tsr_attr_i64_array(a->ctx, NULL, 0);
    return true;
}
