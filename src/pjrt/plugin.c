/* plugin.c - the table of functions: what the framework loads. */
#include "pjrt/pjrt.h"

pj_error *pj_Plugin_Initialize(pj_Plugin_Initialize_args *args)
{
    (void)args;
    return NULL;
}

static const int64_t current[] = {1, 20, 0}, minimum[] = {0, 9, 0};

#define VALUE(text) \
    .struct_size = sizeof(pj_named_value), .name = text, .name_size = sizeof text - 1

static const pj_named_value attributes[] = {
    {VALUE("stablehlo_current_version"), .type = PJ_INT64_LIST, .int64_array_value = current,
     .value_size = 3},
    {VALUE("stablehlo_minimum_version"), .type = PJ_INT64_LIST, .int64_array_value = minimum,
     .value_size = 3},
    {VALUE("xla_version"), .type = PJ_INT64, .int64_value = 2, .value_size = 1},
};

pj_error *pj_Plugin_Attributes(pj_Plugin_Attributes_args *args)
{
    args->attributes = attributes;
    args->num_attributes = sizeof attributes / sizeof *attributes;
    return NULL;
}

/* What is not there says so. */
#define FN(name, fields)
#define NO(name, fields)                                                                  \
    static pj_error *pj_##name(pj_##name##_args *args)                                    \
    {                                                                                     \
        (void)args;                                                                       \
        return pj_fail(PJ_UNIMPLEMENTED, "the Tessera plugin does not have PJRT_" #name); \
    }
#include "pjrt/api.def"

static const pj_api api = {
    .struct_size = sizeof api,
    .extension_start = &pj_layouts.base,
    .version = {sizeof(pj_api_version), NULL, PJ_MAJOR, PJ_MINOR},
#define FN(name, fields) .name = pj_##name,
#define NO(name, fields) FN(name, fields)
#include "pjrt/api.def"
};

__attribute__((visibility("default"))) const pj_api *GetPjrtApi(void);

const pj_api *GetPjrtApi(void)
{
    return &api;
}
