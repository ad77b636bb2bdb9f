/* SPDX-License-Identifier: Apache-2.0 */
/* constraints.c - checks of attributes of StableHLO's and CHLO's ops beyond their form. */
#include "dialect/hooks.h"

static bool each_is(const tsr_attr *list, const tsr_attrdef *def)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (!tsr_attr_is_struct(list->attrs[i], def))
            return false;
    return true;
}

static bool each_ok(const tsr_attr *list, bool (*ok)(const tsr_attr *a))
{
    for (uint32_t i = 0; i < list->n; i++)
        if (!ok(list->attrs[i]))
            return false;
    return true;
}

static bool is_index_list(const tsr_attr *a) /* a 1-d tensor of index */
{
    return tsr_attr_is(a, TSR_ATTR_DENSE) && tsr_type_is(a->type, TSR_TYPE_TENSOR) &&
           a->type->n == 1 && tsr_type_is(a->type->elem, TSR_TYPE_INDEX);
}

static bool is_tiling(const tsr_attr *a)
{
    return tsr_attr_is(a, TSR_ATTR_ARRAY) && each_ok(a, is_index_list);
}

bool attr_ok_hlo_layouts(const tsr_attr *a)
{
    return each_ok(a, is_index_list);
}

bool attr_ok_hlo_tilings(const tsr_attr *a)
{
    return each_ok(a, is_tiling);
}

bool attr_ok_hlo_aliases(const tsr_attr *a)
{
    return each_is(a, &tsr_def_STABLEHLO_OUTPUT_OPERAND_ALIAS);
}

bool attr_ok_hlo_precisions(const tsr_attr *a)
{
    return each_is(a, &tsr_def_STABLEHLO_PRECISION);
}

bool attr_ok_chlo_precisions(const tsr_attr *a)
{
    return each_is(a, &tsr_def_CHLO_PRECISION);
}

bool attr_ok_hlo_replica_groups(const tsr_attr *a)
{
    return attr_ok_i64_elements(a) ||
           tsr_attr_is_struct(a, &tsr_def_STABLEHLO_REPLICA_GROUP_MESH_AXES);
}

bool attr_ok_hlo_backend_config(const tsr_attr *a)
{
    return a->kind == TSR_ATTR_STRING || a->kind == TSR_ATTR_DICT;
}

bool attr_ok_hlo_api_version(const tsr_attr *a)
{
    return a->i >= 0 && a->i <= 4;
}
