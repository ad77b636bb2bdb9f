/* SPDX-License-Identifier: Apache-2.0 */
/* ffi.c - foreign functions: handlers of XLA's FFI that a program calls. */
#include "pjrt/ffi.h"
#include "plugin.h"

static const char scaled[] =
    "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %0 = stablehlo.custom_call @scale(%a) {backend_config = {by = 3.0 : f32, extra = {add = "
    "array<i64: 10, 20>, same = dense<7> : tensor<2xi32>}, flag = true, name = \"tenfold\"}, "
    "api_version = 4 : i32} : (tensor<2xf32>) -> tensor<2xf32>\n"
    "  return %0 : tensor<2xf32>\n"
    "}\n";

static int calls;
static const char *complaint; /* what the handler is to fail with */
static bool late;             /* it sets a future */

static ffi_error *fail(const ffi_frame *f, const char *text)
{
    ffi_Error_Create_args e = {.struct_size = sizeof e, .message = text, .code = PJ_DATA_LOSS};
    return f->api->Error_Create(&e);
}

static const void *attr(const ffi_attrs *all, const char *name, ffi_attr_type type)
{
    for (int64_t i = 0; i < all->size; i++)
        if (all->names[i]->len == strlen(name) &&
            !memcmp(all->names[i]->ptr, name, all->names[i]->len) && all->types[i] == type)
            return all->values[i];
    return NULL;
}

static ffi_error *scale(ffi_frame *f)
{
    if (f->extension_start && f->extension_start->type == FFI_METADATA) {
        ffi_metadata *m = ((ffi_metadata_extension *)f->extension_start)->metadata;
        m->version.major_version = FFI_MAJOR;
        m->version.minor_version = FFI_MINOR;
        return NULL;
    }
    calls++;
    if (complaint && !late)
        return fail(f, complaint);
    const ffi_scalar *by = attr(&f->attrs, "by", FFI_SCALAR),
                     *flag = attr(&f->attrs, "flag", FFI_SCALAR);
    const ffi_span *name = attr(&f->attrs, "name", FFI_STRING);
    const ffi_attrs *extra = attr(&f->attrs, "extra", FFI_DICTIONARY);
    const ffi_array *add = extra ? attr(extra, "add", FFI_ARRAY) : NULL,
                    *same = extra ? attr(extra, "same", FFI_ARRAY) : NULL;
    if (f->struct_size != offsetof(ffi_frame, future) || f->stage != FFI_EXECUTE ||
        f->args.size != 1 || f->rets.size != 1 || f->attrs.size != 4)
        return fail(f, "another frame");
    if (!by || by->type != F32 || !flag || flag->type != PJ_PRED || !*(const bool *)flag->value ||
        !name || name->len != 7 || !add || add->size != 2 || add->type != 5 || !same ||
        same->size != 2 || ((const int32_t *)same->data)[1] != 7)
        return fail(f, "other attributes");
    const ffi_buffer *in = f->args.values[0], *out = f->rets.values[0];
    if (in->type != F32 || in->rank != 1 || in->dims[0] != 2)
        return fail(f, "another argument");
    for (int i = 0; i < 2; i++)
        ((float *)out->data)[i] = ((const float *)in->data)[i] * *(const float *)by->value +
                                  (float)((const int64_t *)add->data)[i];
    if (late) {
        ffi_Future_Create_args made = {.struct_size = sizeof made};
        ffi_Future_SetAvailable_args done = {.struct_size = sizeof done};
        ffi_Future_SetError_args bad = {.struct_size = sizeof bad};
        if (f->api->Future_Create(&made))
            return fail(f, "no future");
        done.future = bad.future = f->future = made.future;
        bad.error = complaint ? fail(f, complaint) : NULL;
        if (complaint)
            f->api->Future_SetError(&bad);
        else
            f->api->Future_SetAvailable(&done);
    }
    return NULL;
}

/* One that asks for what there is not. */
static ffi_error *wants_a_stream(ffi_frame *f)
{
    ffi_Stream_Get_args s = {.struct_size = sizeof s, .context = f->context};
    return f->extension_start ? NULL : f->api->Stream_Get(&s);
}

static ffi_error *from_the_future(ffi_frame *f)
{
    ((ffi_metadata_extension *)f->extension_start)->metadata->version.major_version = 9;
    return NULL;
}

static bool enter(const char *name, ffi_handler *handler)
{
    const pj_ffi_extension *ffi = extension(PJ_EXTENSION_FFI);
    pj_ffi_register_args a = {.struct_size = sizeof a,
                              .target_name = name,
                              .target_name_size = strlen(name),
                              .platform_name = "tessera",
                              .platform_name_size = 7};
    memcpy(&a.handler, &handler, sizeof handler);
    return ffi && went_well(ffi->register_handler(&a));
}

static bool run_it(pj_client *c, pj_loaded_executable *x, float *got)
{
    pj_buffer *in = put_floats(c, devices_of(c)[0], 1, 2), *out = NULL;
    pj_buffer *const *ins[] = {&in};
    pj_buffer **const outs[] = {&out};
    bool ok = execute(x, ins, 1, 1, outs) && get(out, got, 2 * sizeof *got);
    drop(in);
    drop(out);
    return ok;
}

void test_ffi(void)
{
    pj_client *c = open_client("1");
    float got[2];
    CHECK(!compile(c, scaled, sizeof scaled - 1, one, sizeof one) &&
          refused_with(PJ_UNIMPLEMENTED, "calls '@scale'") &&
          strstr(said, "registered for the platform tessera"));
    CHECK(!enter("old", from_the_future) && refused_with(PJ_INVALID_ARGUMENT, "version 9.0"));
    CHECK(!enter("", scale) && code == PJ_INVALID_ARGUMENT);
    CHECK(enter("scale", scale) && calls == 0);
    pj_loaded_executable *x = compile(c, scaled, sizeof scaled - 1, one, sizeof one);
    CHECK(x != NULL);
    CHECK(run_it(c, x, got) && calls == 1 && got[0] == 13 && got[1] == 26);
    complaint = "the scales are\nrusty";
    CHECK(!run_it(c, x, got) && strstr(said, "FFI target 'scale' says: the scales are rusty"));
    late = true;
    CHECK(!run_it(c, x, got) && strstr(said, "rusty"));
    complaint = NULL;
    CHECK(run_it(c, x, got) && got[1] == 26);
    CHECK(enter("scale", wants_a_stream) && !run_it(c, x, got) && strstr(said, "no streams"));
    const pj_ffi_extension *ffi = extension(PJ_EXTENSION_FFI);
    pj_ffi_type_register_args t = {.struct_size = sizeof t};
    CHECK(!went_well(ffi->type_register(&t)) && code == PJ_UNIMPLEMENTED);
    unload(x);
    CHECK(close_client(c));
}
