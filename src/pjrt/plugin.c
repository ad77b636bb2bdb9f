/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.c - the function table that the framework loads. */
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

/* Functions that are not implemented return an error that says so. */
#define FN(name, fields)
#define NO(name, fields)                                                                  \
    static pj_error *pj_##name(pj_##name##_args *args)                                    \
    {                                                                                     \
        (void)args;                                                                       \
        return pj_fail(PJ_UNIMPLEMENTED, "the Tessera plugin does not have PJRT_" #name); \
    }
#define LATER(name, field, fields)
#include "pjrt/api.def"

/* Rejects a struct of arguments that lacks a field which the function needs. Sizes given by a framework end with the
 * last field, without padding after it. */
static pj_error *check_size(size_t given, size_t needed, const char *name)
{
    return given >= needed ? NULL
                           : pj_fail(PJ_INVALID_ARGUMENT,
                                     "the arguments of PJRT_%s have %zu bytes; at least %zu are "
                                     "needed",
                                     name, given, needed);
}

#define CHECKED(name, needed)                                          \
    static pj_error *checked_##name(pj_##name##_args *args)            \
    {                                                                  \
        pj_error *e = check_size(args->struct_size, needed, "" #name); \
        return e ? e : pj_##name(args);                                \
    }
#define FN(name, fields) CHECKED(name, sizeof(pj_##name##_args) - sizeof(void *) + 1)
#define NO(name, fields)
#define LATER(name, field, fields) CHECKED(name, offsetof(pj_##name##_args, field))
#include "pjrt/api.def"

static const pj_api api = {
    .struct_size = sizeof api,
    .extension_start = &pj_ffi.base,
    .version = {sizeof(pj_api_version), NULL, PJ_MAJOR, PJ_MINOR},
#define FN(name, fields) .name = checked_##name,
#define NO(name, fields) .name = pj_##name,
#define LATER(name, field, fields) FN(name, fields)
#include "pjrt/api.def"
};

__attribute__((visibility("default"))) const pj_api *GetPjrtApi(void);

const pj_api *GetPjrtApi(void)
{
    return &api;
}
