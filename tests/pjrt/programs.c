/* SPDX-License-Identifier: Apache-2.0 */
/* programs.c - programs compiled, serialized and run, on one device and on two. */
#include "plugin.h"

/* The same program from its own bytes. */
static pj_loaded_executable *through_bytes(pj_client *c, pj_loaded_executable *x)
{
    pj_LoadedExecutable_GetExecutable_args g = ARGS(LoadedExecutable_GetExecutable);
    pj_Executable_Serialize_args s = ARGS(Executable_Serialize);
    pj_Executable_DeserializeAndLoad_args l = ARGS(Executable_DeserializeAndLoad);
    pj_Executable_Destroy_args d = ARGS(Executable_Destroy);
    pj_Executable_Name_args n = ARGS(Executable_Name);
    g.loaded_executable = x;
    CHECK(CALL(LoadedExecutable_GetExecutable, &g));
    s.executable = n.executable = d.executable = g.executable;
    CHECK(CALL(Executable_Name, &n) && n.executable_name_size == 5 &&
          !memcmp(n.executable_name, "twice", 5));
    CHECK(CALL(Executable_Serialize, &s));
    l.client = c;
    l.serialized_executable = s.serialized_bytes;
    l.serialized_executable_size = s.serialized_bytes_size;
    CHECK(CALL(Executable_DeserializeAndLoad, &l));
    for (size_t cut = 0; cut < s.serialized_bytes_size; cut += 7) {
        pj_Executable_DeserializeAndLoad_args bad = l;
        bad.serialized_executable_size = cut;
        CHECK(!CALL(Executable_DeserializeAndLoad, &bad));
    }
    s.serialized_executable_deleter(s.serialized_executable);
    CALL(Executable_Destroy, &d);
    return l.loaded_executable;
}

static void check_run(pj_client *c, pj_device *d)
{
    pj_loaded_executable *first = compile(c, twice, strlen(twice), one, sizeof one);
    CHECK(first != NULL);
    if (!first) {
        printf("%s\n", said);
        return;
    }
    pj_loaded_executable *x = through_bytes(c, first);
    unload(first);
    const float a[] = {1, 2}, b[] = {10, 20};
    static const int64_t dims[] = {2};
    float got[2];
    pj_event *done;
    pj_buffer *in[2], *out[2] = {0};
    in[0] = put(c, d, F32, a, dims, 1, NULL, PJ_DURING_CALL, &done);
    await(done);
    in[1] = put(c, d, F32, b, dims, 1, NULL, PJ_DURING_CALL, &done);
    await(done);
    pj_buffer *const *ins[] = {in};
    pj_buffer **const outs[] = {out};
    CHECK(execute(x, ins, 1, 2, outs) && get(out[0], got, sizeof got) && got[0] == 11 &&
          got[1] == 22);
    CHECK(out[1] && get(out[1], got, sizeof got) && got[0] == 10 && got[1] == 20);
    pj_Buffer_UnsafePointer_args p = ARGS(Buffer_UnsafePointer), q = ARGS(Buffer_UnsafePointer);
    p.buffer = in[1];
    q.buffer = out[1];
    CHECK(CALL(Buffer_UnsafePointer, &p) && CALL(Buffer_UnsafePointer, &q) &&
          p.buffer_pointer != q.buffer_pointer); /* handed through, and yet its own */
    pj_Buffer_IsDeleted_args is = ARGS(Buffer_IsDeleted);
    is.buffer = in[0];
    CHECK(CALL(Buffer_IsDeleted, &is) && is.is_deleted); /* donated */
    drop(out[0]);
    CHECK(!execute(x, ins, 1, 2, outs) && code == PJ_INVALID_ARGUMENT);
    CHECK(!execute(x, ins, 1, 1, outs) && !execute(x, ins, 2, 2, outs));
    drop(in[0]);
    in[0] = in[1];
    CHECK(!execute(x, ins, 1, 2, outs) && strstr(said, "donate the same buffer twice"));
    unload(x); /* results outlive the program */
    CHECK(get(out[1], got, sizeof got) && got[0] == 10);
    drop(out[1]);
    drop(in[1]);
}

static void check_devices(pj_client *c, pj_device *const *devices)
{
    pj_loaded_executable *x = compile(c, sharded, strlen(sharded), two, sizeof two);
    CHECK(x != NULL);
    if (!x) {
        printf("%s\n", said);
        return;
    }
    pj_LoadedExecutable_AddressableDevices_args at = ARGS(LoadedExecutable_AddressableDevices);
    at.executable = x;
    CHECK(CALL(LoadedExecutable_AddressableDevices, &at) && at.num_addressable_devices == 2);
    CHECK(at.addressable_devices[0] == devices[1] && at.addressable_devices[1] == devices[0]);
    const float a[] = {1, 2}, b[] = {10, 20};
    static const int64_t dims[] = {2};
    float got = 0;
    pj_event *done;
    pj_buffer *in[2], *out[2] = {0};
    in[0] = put(c, devices[1], F32, a, dims, 1, NULL, PJ_DURING_CALL, &done);
    await(done);
    in[1] = put(c, devices[0], F32, b, dims, 1, NULL, PJ_DURING_CALL, &done);
    await(done);
    pj_buffer *const *ins[] = {&in[0], &in[1]};
    pj_buffer **const outs[] = {&out[0], &out[1]};
    CHECK(execute(x, ins, 2, 1, outs));
    for (int k = 0; k < 2; k++) {
        pj_Buffer_Device_args w = ARGS(Buffer_Device);
        w.buffer = out[k];
        CHECK(out[k] && get(out[k], &got, sizeof got) && got == 33);
        CHECK(CALL(Buffer_Device, &w) && w.device == devices[1 - k]);
        drop(out[k]);
        drop(in[k]);
    }
    unload(x);
}

/* Results that cannot be divided evenly are whole; partial values are told as such; tokens are tokens. */
static const char uneven[] =
    "module @uneven attributes {mhlo.num_partitions = 2 : i32} {\n"
    "  sdy.mesh @mesh = <[\"x\"=2]>\n"
    "  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], "
    "unreduced={\"x\"}>}, %t: !stablehlo.token)\n"
    "      -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>},\n"
    "          tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={\"x\"}>}, "
    "!stablehlo.token) {\n"
    "    %0 = stablehlo.constant dense<1.0> : tensor<3xf32>\n"
    "    return %0, %a, %t : tensor<3xf32>, tensor<4xf32>, !stablehlo.token\n"
    "  }\n"
    "}\n";

static void check_placement(pj_client *c)
{
    static const char replicated[] = {0x08, 0},
                      partial[] = {0x08, 3, 0x1a, 2, 1, 2, 0x42, 1, 6, 0x22, 2, 0, 1};
    pj_loaded_executable *x = compile(c, uneven, sizeof uneven - 1, two, sizeof two);
    const pj_shardings_extension *shardings = extension(PJ_EXTENSION_SHARDINGS);
    const pj_layouts_extension *layouts = extension(PJ_EXTENSION_LAYOUTS);
    CHECK(x && shardings && layouts && extension(PJ_EXTENSION_MEMORY_DESCRIPTIONS));
    if (!x || !shardings || !layouts) {
        printf("%s\n", said);
        return;
    }
    pj_LoadedExecutable_GetExecutable_args g = ARGS(LoadedExecutable_GetExecutable);
    pj_Executable_OutputDimensions_args d = ARGS(Executable_OutputDimensions);
    pj_Executable_OutputElementTypes_args t = ARGS(Executable_OutputElementTypes);
    pj_Executable_Destroy_args end = ARGS(Executable_Destroy);
    pj_shardings_args s = {.struct_size = sizeof s};
    pj_executable_layouts_args l = {.struct_size = sizeof l};
    pj_layout_serialize_args text = {.struct_size = sizeof text};
    g.loaded_executable = x;
    CHECK(CALL(LoadedExecutable_GetExecutable, &g));
    d.executable = t.executable = s.executable = l.executable = end.executable = g.executable;
    CHECK(CALL(Executable_OutputDimensions, &d) && d.num_outputs == 3 && d.dim_sizes[0] == 1 &&
          d.dims[0] == 3 && d.dims[1] == 4);
    CHECK(CALL(Executable_OutputElementTypes, &t) && t.output_types[0] == F32 &&
          t.output_types[2] == PJ_TOKEN);
    CHECK(went_well(shardings->output_shardings(&s)) && s.num == 3);
    CHECK(s.sharding_sizes[0] == sizeof replicated &&
          !memcmp(s.shardings[0], replicated, sizeof replicated));
    CHECK(s.sharding_sizes[1] == sizeof partial &&
          !memcmp(s.shardings[1], partial, sizeof partial));
    CHECK(went_well(layouts->parameter_layouts(&l)) && l.num == 2);
    text.layout = l.layouts[0];
    CHECK(went_well(layouts->serialize(&text)) && text.serialized_bytes_size == 3 &&
          !memcmp(text.serialized_bytes, "{0}", 3));
    CALL(Executable_Destroy, &end);
    unload(x);
}

void test_programs(void)
{
    pj_client *c = open_client("2");
    pj_device *const *devices = devices_of(c);
    check_run(c, devices[0]);
    check_devices(c, devices);
    check_placement(c);
    CHECK(close_client(c));
}
