/* SPDX-License-Identifier: Apache-2.0 */
/* attrs.c - converts attributes and types between StableHLO and VHLO, by kind. VHLO wraps MLIR's attributes one to one,
 * so both directions are a switch; StableHLO's records are pairs of rows here. */
#include <stdlib.h>

#include "dialect/stablehlo/rules.h"
#include "dialect/stablehlo/stablehlo.h"
#include "lower/vhlo/convert.h"

/* ---- Pairs ---- */

static const struct {
    const tsr_attrdef *hlo, *vhlo; /* their cases are in the same order */
} enums[] = {
    {&tsr_def_STABLEHLO_COMPARISON_DIRECTION, &tsr_def_VHLO_COMPARISON_DIRECTION_V1},
    {&tsr_def_STABLEHLO_COMPARISON_TYPE, &tsr_def_VHLO_COMPARISON_TYPE_V1},
    {&tsr_def_STABLEHLO_FFT_TYPE, &tsr_def_VHLO_FFT_TYPE_V1},
    {&tsr_def_STABLEHLO_PRECISION, &tsr_def_VHLO_PRECISION_V1},
    {&tsr_def_STABLEHLO_RNG_ALGORITHM, &tsr_def_VHLO_RNG_ALGORITHM_V1},
    {&tsr_def_STABLEHLO_RNG_DISTRIBUTION, &tsr_def_VHLO_RNG_DISTRIBUTION_V1},
    {&tsr_def_STABLEHLO_TRANSPOSE, &tsr_def_VHLO_TRANSPOSE_ATTR_V1},
    {&tsr_def_STABLEHLO_RESULT_ACCURACY_MODE, &tsr_def_VHLO_RESULT_ACCURACY_MODE_V1},
};

/* Records: a letter for each parameter. '=' is the same in both, others are attributes that are converted; in the
 * reverse direction they must be: s string, m mode, u sub-axis or missing, A array of mesh axes, R array of axes, d
 * dense or missing, y symbol (a string in VHLO) or mesh. */
typedef struct {
    const tsr_attrdef *hlo, *vhlo;
    const char *params;
} record_pair;
static const record_pair records[] = {
    {&tsr_def_STABLEHLO_OUTPUT_OPERAND_ALIAS, &tsr_def_VHLO_OUTPUT_OPERAND_ALIAS_V1, "==="},
    {&tsr_def_STABLEHLO_RESULT_ACCURACY, &tsr_def_VHLO_RESULT_ACCURACY_V1, "===m"},
    {&tsr_def_STABLEHLO_SUB_AXIS_INFO, &tsr_def_VHLO_SUB_AXIS_INFO_V1, "=="},
    {&tsr_def_STABLEHLO_AXIS_REF, &tsr_def_VHLO_AXIS_REF_V1, "su"},
    {&tsr_def_STABLEHLO_MESH_AXIS, &tsr_def_VHLO_MESH_AXIS_V1, "s="},
    {&tsr_def_STABLEHLO_MESH, &tsr_def_VHLO_MESH_V1, "Ad"},
    {&tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES, &tsr_def_VHLO_REPLICA_GROUP_MESH_AXES_V1, "yR"},
};

static bool array_of(const tsr_attr *a, const tsr_attrdef *def)
{
    if (!tsr_attr_is(a, TSR_ATTR_ARRAY))
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (!tsr_attr_is_struct(a->attrs[i], def))
            return false;
    return true;
}

static bool param_ok(char letter, const tsr_attr *a)
{
    switch (letter) {
    case 's': return tsr_attr_is(a, TSR_ATTR_STRING);
    case 'm': return tsr_attr_is_struct(a, &tsr_def_STABLEHLO_RESULT_ACCURACY_MODE);
    case 'u': return !a || tsr_attr_is_struct(a, &tsr_def_STABLEHLO_SUB_AXIS_INFO);
    case 'A': return array_of(a, &tsr_def_STABLEHLO_MESH_AXIS);
    case 'R': return array_of(a, &tsr_def_STABLEHLO_AXIS_REF);
    case 'd': return !a || (a->kind == TSR_ATTR_DENSE && a->type->elem == a->type->ctx->i64);
    case 'y':
        return tsr_attr_is(a, TSR_ATTR_SYMBOL) || tsr_attr_is_struct(a, &tsr_def_STABLEHLO_MESH);
    default: return a != NULL;
    }
}

/* Checks the record as a whole, as the parser does. */
static bool record_ok(tsr_vhlo_conv *c, const tsr_attrdef *def, tsr_attr *const *params)
{
    if (def == &tsr_def_STABLEHLO_RESULT_ACCURACY)
        return tsr_hlo_accuracy_ok(c->ctx, TSR_LOC_UNKNOWN, params);
    if (def == &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES)
        return tsr_hlo_verify_mesh_axes(c->ctx, TSR_LOC_UNKNOWN, params);
    return true;
}

static tsr_attr *symbol_of(tsr_ctx *ctx, const tsr_attr *a)
{
    return tsr_attr_is(a, TSR_ATTR_STRING) ? tsr_attr_symbol(ctx, a->s, NULL, 0) : NULL;
}

static tsr_attr *convert_record(tsr_vhlo_conv *c, const record_pair *r, tsr_attr *const *from)
{
    tsr_attr *params[8];
    const tsr_attrdef *def = c->to_vhlo ? r->vhlo : r->hlo;
    for (size_t i = 0; r->params[i]; i++) {
        params[i] = from[i];
        if (from[i] && r->params[i] != '=' && !(params[i] = tsr_vhlo_convert_attr(c, from[i])))
            return NULL;
        if (c->to_vhlo)
            continue;
        if (r->params[i] == 'y' && tsr_attr_is(params[i], TSR_ATTR_STRING))
            params[i] = symbol_of(c->ctx, params[i]);
        if (!param_ok(r->params[i], params[i]))
            return NULL;
    }
    return c->to_vhlo || record_ok(c, def, params) ? tsr_attr_struct(c->ctx, def, params) : NULL;
}

/* ---- Parts of both directions ---- */

/* Converts each element of an array; NULL if one has no counterpart. */
static tsr_attr *convert_all(tsr_vhlo_conv *c, tsr_attr *const *from, size_t n)
{
    tsr_attr **to = tsr_xmalloc((n + 1) * sizeof *to), *array = NULL;
    size_t i = 0;
    while (i < n && (to[i] = tsr_vhlo_convert_attr(c, from[i])))
        i++;
    if (i == n)
        array = tsr_attr_array(c->ctx, to, n);
    tsr_free(to);
    return array;
}

static tsr_attr *wrap(tsr_ctx *ctx, const tsr_attrdef *def, tsr_attr *inner)
{
    return inner ? tsr_attr_struct(ctx, def, &inner) : NULL;
}

/* ---- To VHLO ---- */

static tsr_attr *dict_to(tsr_vhlo_conv *c, const tsr_attr *dict)
{
    size_t n = dict->n;
    tsr_attr **to = tsr_xmalloc((2 * n + 1) * sizeof *to), *made = NULL;
    size_t i = 0;
    for (; i < n; i++) {
        tsr_attr *key = tsr_attr_string(c->ctx, dict->named[i].name->str);
        to[2 * i] = wrap(c->ctx, &tsr_def_VHLO_STRING_V1, key);
        if (!(to[2 * i + 1] = tsr_vhlo_convert_attr(c, dict->named[i].value)))
            break;
    }
    if (i == n)
        made = wrap(c->ctx, &tsr_def_VHLO_DICT_V1, tsr_attr_array(c->ctx, to, 2 * n));
    tsr_free(to);
    return made;
}

static tsr_attr *list_to(tsr_vhlo_conv *c, const tsr_attr *a)
{
    int64_t n = tsr_attr_count(a);
    tsr_type *type = tsr_type_tensor(c->ctx, &n, 1, a->type, NULL);
    tsr_attr *dense = tsr_attr_dense(c->ctx, c->module, type, a->s.data, a->s.len, false);
    return wrap(c->ctx, &tsr_def_VHLO_TENSOR_ATTR_V1, dense);
}

/* An attribute whose type has a stable form, in a wrapper; NULL otherwise. */
static tsr_attr *typed_to(tsr_vhlo_conv *c, const tsr_attrdef *def, tsr_attr *a)
{
    return tsr_vhlo_type(c->ctx, a->type) ? wrap(c->ctx, def, a) : NULL;
}

/* VHLO has no resources: their data is copied into the attribute. */
static tsr_attr *resource_to(tsr_vhlo_conv *c, const tsr_attr *a)
{
    tsr_attr held;
    if (tsr_blob_elements(&c->blobs, a, &held))
        return NULL;
    return typed_to(c, &tsr_def_VHLO_TENSOR_ATTR_V1,
                    tsr_attr_dense(c->ctx, c->module, held.type, held.s.data, held.s.len, false));
}

static tsr_attr *record_to(tsr_vhlo_conv *c, tsr_attr *a)
{
    for (size_t i = 0; i < TSR_COUNT(records); i++)
        if (records[i].hlo == a->def)
            return convert_record(c, &records[i], a->attrs);
    return strncmp(a->def->name, "stablehlo.", 10) != 0 && c->others ? a : NULL;
}

static tsr_attr *attr_to(tsr_vhlo_conv *c, tsr_attr *a)
{
    tsr_type *type;
    switch ((tsr_attr_kind)a->kind) {
    case TSR_ATTR_ENUM:
        for (size_t i = 0; i < TSR_COUNT(enums); i++)
            if (enums[i].hlo == a->def)
                return tsr_attr_enum(c->ctx, enums[i].vhlo, a->i);
        return c->others ? a : NULL;
    case TSR_ATTR_STRUCT: return record_to(c, a);
    case TSR_ATTR_ARRAY:
        return wrap(c->ctx, &tsr_def_VHLO_ARRAY_V1, convert_all(c, a->attrs, a->n));
    case TSR_ATTR_DICT: return dict_to(c, a);
    case TSR_ATTR_DENSE: return typed_to(c, &tsr_def_VHLO_TENSOR_ATTR_V1, a);
    case TSR_ATTR_DENSE_RESOURCE: return resource_to(c, a);
    case TSR_ATTR_DENSE_ARRAY:
        return a->type == c->ctx->i64 || a->type == c->ctx->i1 ? list_to(c, a)
               : c->others                                     ? a
                                                               : NULL;
    case TSR_ATTR_FLOAT: return typed_to(c, &tsr_def_VHLO_FLOAT_V1, a);
    case TSR_ATTR_INT:
        return a->type == c->ctx->i1 ? wrap(c->ctx, &tsr_def_VHLO_BOOL_ATTR_V1, a)
                                     : typed_to(c, &tsr_def_VHLO_INTEGER_V1, a);
    case TSR_ATTR_SYMBOL:
        if (!a->n)
            return wrap(c->ctx, &tsr_def_VHLO_STRING_V1, tsr_attr_string(c->ctx, a->s));
        return c->others ? a : NULL;
    case TSR_ATTR_STRING:
        return a->type && a->type != c->ctx->none ? NULL : wrap(c->ctx, &tsr_def_VHLO_STRING_V1, a);
    case TSR_ATTR_TYPE:
        type = tsr_vhlo_convert_type(c, a->type);
        return type ? wrap(c->ctx, &tsr_def_VHLO_TYPE_V1, tsr_attr_type(c->ctx, type)) : NULL;
    default: return c->others ? a : NULL;
    }
}

/* ---- From VHLO ---- */

static int by_name(const void *a, const void *b)
{
    return tsr_str_cmp(((const tsr_named *)a)->name->str, ((const tsr_named *)b)->name->str);
}

static tsr_attr *dict_from(tsr_vhlo_conv *c, const tsr_attr *list)
{
    size_t n = list->n / 2, i = 0;
    tsr_named *named = tsr_xmalloc((n + 1) * sizeof *named);
    tsr_attr *made = NULL;
    for (; i < n; i++) {
        const tsr_attr *key = list->attrs[2 * i];
        if (!tsr_attr_is_struct(key, &tsr_def_VHLO_STRING_V1))
            break;
        named[i].name = tsr_name_get(c->ctx, key->attrs[0]->s);
        if (!(named[i].value = tsr_vhlo_convert_attr(c, list->attrs[2 * i + 1])))
            break;
    }
    if (i == n) {
        qsort(named, n, sizeof *named, by_name);
        for (i = 1; i < n && named[i].name != named[i - 1].name; i++)
            ;
        if (i >= n)
            made = tsr_attr_dict(c->ctx, named, n);
    }
    tsr_free(named);
    return made;
}

static tsr_attr *attr_from(tsr_vhlo_conv *c, tsr_attr *a)
{
    const tsr_attrdef *def = a->def;
    if (!tsr_attr_is_vhlo(a))
        return a;
    if (a->kind == TSR_ATTR_ENUM) {
        for (size_t i = 0; i < TSR_COUNT(enums); i++)
            if (enums[i].vhlo == def)
                return tsr_attr_enum(c->ctx, enums[i].hlo, a->i);
        return NULL;
    }
    if (def == &tsr_def_VHLO_BOOL_ATTR_V1 || def == &tsr_def_VHLO_FLOAT_V1 ||
        def == &tsr_def_VHLO_INTEGER_V1 || def == &tsr_def_VHLO_STRING_V1 ||
        def == &tsr_def_VHLO_TENSOR_ATTR_V1)
        return a->attrs[0];
    if (def == &tsr_def_VHLO_ARRAY_V1)
        return convert_all(c, a->attrs[0]->attrs, a->attrs[0]->n);
    if (def == &tsr_def_VHLO_DICT_V1)
        return dict_from(c, a->attrs[0]);
    if (def == &tsr_def_VHLO_TYPE_V1) {
        tsr_type *type = tsr_vhlo_convert_type(c, a->attrs[0]->type);
        return type ? tsr_attr_type(c->ctx, type) : NULL;
    }
    for (size_t i = 0; i < TSR_COUNT(records); i++)
        if (records[i].vhlo == def)
            return convert_record(c, &records[i], a->attrs);
    return NULL;
}

/* ---- Memoised ---- */

/* The hash identifies the address: the multiplication and shift of tsr_hash_ptr are invertible. */
tsr_attr *tsr_vhlo_convert_attr(tsr_vhlo_conv *c, tsr_attr *a)
{
    uint64_t key = tsr_hash_ptr(a);
    TSR_MAP_EACH (&c->attrs, key, known)
        return known;
    tsr_attr *made = c->to_vhlo ? attr_to(c, a) : attr_from(c, a);
    if (made)
        tsr_map_put(&c->attrs, key, made);
    return made;
}

static bool is_foreign(const tsr_type *t)
{
    return t->kind == TSR_TYPE_OPAQUE ||
           (t->kind == TSR_TYPE_DIALECT && strncmp(t->def->name, "stablehlo.", 10) != 0);
}

tsr_type *tsr_vhlo_convert_type(tsr_vhlo_conv *c, tsr_type *t)
{
    uint64_t key = tsr_hash_ptr(t);
    TSR_MAP_EACH (&c->types, key, known)
        return known;
    tsr_type *made = c->to_vhlo ? tsr_vhlo_type(c->ctx, t) : tsr_vhlo_type_meant(c->ctx, t);
    if (!made && c->to_vhlo && c->others && is_foreign(t))
        made = t;
    if (made)
        tsr_map_put(&c->types, key, made);
    return made;
}

bool tsr_vhlo_convert_extra(tsr_vhlo_conv *c, tsr_attr **extra)
{
    if (!*extra)
        return true;
    const tsr_attr *dict = *extra;
    tsr_named *named = tsr_xmalloc((dict->n + 1) * sizeof *named);
    uint32_t i = 0;
    for (; i < dict->n; i++) {
        named[i] = dict->named[i];
        if (!(named[i].value = tsr_vhlo_convert_attr(c, named[i].value)))
            break;
    }
    bool ok = i == dict->n;
    if (ok)
        *extra = tsr_attr_dict(c->ctx, named, dict->n);
    tsr_free(named);
    return ok;
}

bool tsr_vhlo_convert_types(tsr_vhlo_conv *c, tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_type *t = tsr_vhlo_convert_type(c, op->out[i].type);
        TSR_TRY(t != NULL);
        op->out[i].type = t;
    }
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            for (uint32_t i = 0; i < b->nargs; i++) {
                tsr_type *t = tsr_vhlo_convert_type(c, b->args[i]->type);
                TSR_TRY(t != NULL);
                b->args[i]->type = t;
            }
    return true;
}

void tsr_vhlo_conv_init(tsr_vhlo_conv *c, tsr_module *m, bool to_vhlo, bool others)
{
    *c = (tsr_vhlo_conv){.ctx = m->ctx, .module = m, .to_vhlo = to_vhlo, .others = others};
    tsr_arena_init_pooled(&c->arena, &m->ctx->pool);
    c->rows = tsr_arena_zalloc(&c->arena, TSR_OP__COUNT * sizeof *c->rows);
    tsr_blobs_init(&c->blobs, m);
}

void tsr_vhlo_conv_free(tsr_vhlo_conv *c)
{
    tsr_map_free(&c->types);
    tsr_map_free(&c->attrs);
    tsr_map_free(&c->blobs);
    tsr_buf_free(&c->name);
    tsr_arena_free(&c->arena);
}
