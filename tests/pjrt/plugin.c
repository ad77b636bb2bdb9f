/* plugin.c - the plugin as a framework loads it: plugin build/pjrt_plugin_tessera.so. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "../api/check.h"
#include "pjrt/abi.h"

static const pj_api *api;

#define ARGS(name)                              \
    {                                           \
        .struct_size = sizeof(pj_##name##_args) \
    }
/* Calls a function; true when it went well, else the code and the text of its error are kept. */
#define CALL(name, args) went_well(api->name(args))

static int code;
static char said[4096];

static bool went_well(pj_error *e)
{
    if (!e)
        return true;
    pj_Error_GetCode_args c = ARGS(Error_GetCode);
    pj_Error_Message_args m = ARGS(Error_Message);
    pj_Error_Destroy_args d = ARGS(Error_Destroy);
    c.error = m.error = d.error = e;
    api->Error_GetCode(&c);
    api->Error_Message(&m);
    code = c.code;
    size_t n = m.message_size < sizeof said - 1 ? m.message_size : sizeof said - 1;
    memcpy(said, m.message, n);
    said[n] = 0;
    api->Error_Destroy(&d);
    return false;
}

static bool await(pj_event *event)
{
    pj_Event_Await_args a = ARGS(Event_Await);
    pj_Event_Destroy_args d = ARGS(Event_Destroy);
    a.event = d.event = event;
    bool ok = CALL(Event_Await, &a);
    api->Event_Destroy(&d);
    return ok;
}

/* ---- Buffers ---- */

enum { S32 = 4, F32 = 11, S4 = 21 };

static pj_buffer *put(pj_client *c, pj_device *d, int type, const void *data, const int64_t *dims,
                      size_t rank, const int64_t *strides, pj_host_buffer_semantics how,
                      pj_event **done)
{
    pj_Client_BufferFromHostBuffer_args a = ARGS(Client_BufferFromHostBuffer);
    a.client = c;
    a.device = d;
    a.data = data;
    a.type = type;
    a.dims = dims;
    a.num_dims = rank;
    a.byte_strides = strides;
    a.num_byte_strides = strides ? rank : 0;
    a.host_buffer_semantics = how;
    if (!CALL(Client_BufferFromHostBuffer, &a))
        return NULL;
    *done = a.done_with_host_buffer;
    return a.buffer;
}

static bool get(pj_buffer *b, void *to, size_t size)
{
    pj_Buffer_ToHostBuffer_args a = ARGS(Buffer_ToHostBuffer);
    a.src = b;
    if (!CALL(Buffer_ToHostBuffer, &a) || a.dst_size != size)
        return false;
    a.dst = to;
    return CALL(Buffer_ToHostBuffer, &a) && await(a.event);
}

static void drop(pj_buffer *b)
{
    pj_Buffer_Destroy_args a = ARGS(Buffer_Destroy);
    a.buffer = b;
    api->Buffer_Destroy(&a);
}

static bool is_done(pj_event *e)
{
    pj_Event_IsReady_args a = ARGS(Event_IsReady);
    a.event = e;
    return CALL(Event_IsReady, &a) && a.is_ready;
}

static void check_buffers(pj_client *c, pj_device *d)
{
    static const int64_t dims[] = {2, 3}, turned[] = {4, 8}, bad[] = {-1};
    const int32_t data[] = {1, 2, 3, 4, 5, 6};
    int32_t back[6];
    pj_event *done;
    pj_buffer *b = put(c, d, S32, data, dims, 2, NULL, PJ_DURING_CALL, &done);
    CHECK(b && is_done(done) && await(done) && get(b, back, sizeof back) &&
          !memcmp(back, data, sizeof data));
    drop(b);
    b = put(c, d, S32, data, dims, 2, turned, PJ_UNTIL_TRANSFER, &done); /* column major */
    CHECK(b && await(done) && get(b, back, sizeof back) && back[0] == 1 && back[1] == 3 &&
          back[2] == 5 && back[3] == 2);
    drop(b);
    /* The host's own data: it is needed until the buffer goes. */
    _Alignas(64) static int32_t own[6] = {7, 8, 9, 10, 11, 12};
    b = put(c, d, S32, own, dims, 2, NULL, PJ_ZERO_COPY, &done);
    pj_Buffer_UnsafePointer_args p = ARGS(Buffer_UnsafePointer);
    p.buffer = b;
    CHECK(b && CALL(Buffer_UnsafePointer, &p) && p.buffer_pointer == (uintptr_t)own &&
          !is_done(done));
    drop(b);
    CHECK(is_done(done) && await(done));
    /* Four bits in a byte: what is above them is nothing. */
    const unsigned char nibbles[] = {0xF7, 0x18, 0x0F};
    signed char out[3];
    static const int64_t three[] = {3};
    b = put(c, d, S4, nibbles, three, 1, NULL, PJ_DURING_CALL, &done);
    CHECK(b && await(done) && get(b, out, 3) && out[0] == 7 && out[1] == -8 && out[2] == -1);
    drop(b);
    CHECK(!put(c, d, 99, data, dims, 2, NULL, PJ_DURING_CALL, &done) && code == PJ_UNIMPLEMENTED);
    CHECK(!put(c, d, S32, data, bad, 1, NULL, PJ_DURING_CALL, &done));
    CHECK(!put(c, NULL, S32, data, dims, 2, NULL, PJ_DURING_CALL, &done) &&
          code == PJ_INVALID_ARGUMENT);
}

/* A copy has data of its own. */
static void check_copy(pj_client *c, pj_device *const *devices)
{
    const int32_t data[] = {1, 2};
    static const int64_t dims[] = {2};
    int32_t back[2];
    pj_event *done;
    pj_buffer *b = put(c, devices[0], S32, data, dims, 1, NULL, PJ_DURING_CALL, &done);
    CHECK(b && await(done));
    pj_Buffer_CopyToDevice_args copy = ARGS(Buffer_CopyToDevice);
    pj_Buffer_UnsafePointer_args p = ARGS(Buffer_UnsafePointer), q = ARGS(Buffer_UnsafePointer);
    copy.buffer = p.buffer = b;
    copy.dst_device = devices[1];
    CHECK(CALL(Buffer_CopyToDevice, &copy));
    q.buffer = copy.dst_buffer;
    CHECK(CALL(Buffer_UnsafePointer, &p) && CALL(Buffer_UnsafePointer, &q) &&
          p.buffer_pointer != q.buffer_pointer);
    drop(b);
    CHECK(get(copy.dst_buffer, back, sizeof back) && back[0] == 1 && back[1] == 2);
    drop(copy.dst_buffer);
}

static void check_deleted(pj_client *c, pj_device *d)
{
    const int32_t data[] = {1, 2};
    static const int64_t dims[] = {2};
    int32_t back[2];
    pj_event *done;
    pj_buffer *b = put(c, d, S32, data, dims, 1, NULL, PJ_DURING_CALL, &done);
    CHECK(b && await(done));
    pj_Buffer_Delete_args del = ARGS(Buffer_Delete);
    pj_Buffer_IsDeleted_args is = ARGS(Buffer_IsDeleted);
    pj_Buffer_Dimensions_args shape = ARGS(Buffer_Dimensions);
    del.buffer = is.buffer = shape.buffer = b;
    CHECK(CALL(Buffer_IsDeleted, &is) && !is.is_deleted);
    CHECK(CALL(Buffer_Delete, &del) && CALL(Buffer_Delete, &del) && CALL(Buffer_IsDeleted, &is) &&
          is.is_deleted);
    CHECK(CALL(Buffer_Dimensions, &shape) && shape.num_dims == 1 && shape.dims[0] == 2);
    CHECK(!get(b, back, sizeof back) && code == PJ_INVALID_ARGUMENT);
    drop(b);
}

/* ---- Programs ---- */

static const char program[] =
    "module @twice {\n"
    "  func.func @main(%a: tensor<2xf32> {jax.buffer_donor = true}, %b: tensor<2xf32>) "
    "-> (tensor<2xf32>, tensor<2xf32>) {\n"
    "    %0 = stablehlo.add %a, %b : tensor<2xf32>\n"
    "    return %0, %b : tensor<2xf32>, tensor<2xf32>\n"
    "  }\n"
    "}\n";

static const char sharded[] = "module @sums attributes {mhlo.num_partitions = 2 : i32} {\n"
                              "  sdy.mesh @mesh = <[\"x\"=2]>\n"
                              "  func.func @main(%a: tensor<4xf32> {sdy.sharding = "
                              "#sdy.sharding<@mesh, [{\"x\"}]>}) -> tensor<f32> {\n"
                              "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                              "    %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across "
                              "dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
                              "    return %0 : tensor<f32>\n"
                              "  }\n"
                              "}\n";

/* CompileOptionsProto: one partition; two on devices 1 and 0. */
static const char one[] = {0x1a, 4, 0x20, 1, 0x28, 1},
                  two[] = {0x1a, 20,   0x20, 1,    0x28, 2, 0x4a, 14, 0x08, 1, 0x10,
                           2,    0x1a, 3,    0x0a, 1,    1, 0x1a, 3,  0x0a, 1, 0};

static pj_loaded_executable *compile(pj_client *c, const char *text, size_t n, const char *options,
                                     size_t size)
{
    pj_program p = {.struct_size = sizeof p,
                    .code = (char *)text,
                    .code_size = n,
                    .format = "mlir",
                    .format_size = 4};
    pj_Client_Compile_args a = ARGS(Client_Compile);
    a.client = c;
    a.program = &p;
    a.compile_options = options;
    a.compile_options_size = size;
    return CALL(Client_Compile, &a) ? a.executable : NULL;
}

static bool execute(pj_loaded_executable *x, pj_buffer *const *const *in, size_t devices,
                    size_t nin, pj_buffer **const *out)
{
    pj_execute_options o = {.struct_size = sizeof o};
    pj_event *events[8] = {0};
    pj_LoadedExecutable_Execute_args a = ARGS(LoadedExecutable_Execute);
    a.executable = x;
    a.options = &o;
    a.argument_lists = in;
    a.num_devices = devices;
    a.num_args = nin;
    a.output_lists = out;
    a.device_complete_events = events;
    if (!CALL(LoadedExecutable_Execute, &a))
        return false;
    bool ok = true;
    for (size_t d = 0; d < devices; d++)
        ok &= await(events[d]);
    return ok;
}

static void unload(pj_loaded_executable *x)
{
    pj_LoadedExecutable_Destroy_args a = ARGS(LoadedExecutable_Destroy);
    a.executable = x;
    api->LoadedExecutable_Destroy(&a);
}

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
    pj_loaded_executable *first = compile(c, program, sizeof program - 1, one, sizeof one);
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
    pj_loaded_executable *x = compile(c, sharded, sizeof sharded - 1, two, sizeof two);
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

static const void *extension(int type)
{
    for (const pj_extension_base *e = api->extension_start; e; e = e->next)
        if (e->type == type)
            return e;
    return NULL;
}

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

/* Programs and options are anybody's bytes. */
static void check_refused(pj_client *c)
{
    static const char wrong[] =
        "func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {\n  return %a : tensor<2xf32>\n}\n";
    static const char override[] = {0x1a, 4, 0x20, 1, 0x28, 1, 0x3a, 5, 0x0a, 3, 'b', 'a', 'd'};
    static const char value[] = "\x1a\x04\x20\x01\x28\x01" /* one replica, one partition */
                                "\x3a\x1c\x0a\x12optimization_level\x12\x06\x0a\x04"
                                "fast";
    static const char many[] = {0x1a, 5, 0x20, 1, 0x28, 0x10};
    CHECK(!compile(c, wrong, sizeof wrong - 1, one, sizeof one) && code == PJ_INVALID_ARGUMENT &&
          strstr(said, "module:"));
    CHECK(!compile(c, "", 0, one, sizeof one) && !compile(c, "ML\xEFR", 4, one, sizeof one));
    CHECK(!compile(c, program, sizeof program - 1, override, sizeof override) &&
          strstr(said, "No such compile option: 'bad'"));
    CHECK(!compile(c, program, sizeof program - 1, value, sizeof value - 1) &&
          strstr(said, "'optimization_level' is not a valid int value"));
    CHECK(!compile(c, program, sizeof program - 1, many, sizeof many));
    CHECK(!compile(c, sharded, sizeof sharded - 1, one, sizeof one));
    for (size_t n = 1; n < sizeof two; n++) { /* cut short */
        pj_loaded_executable *x = compile(c, sharded, sizeof sharded - 1, two, n);
        CHECK(!x);
        if (x)
            unload(x);
    }
    unsigned seed = 1;
    for (int round = 0; round < 3000; round++) {
        char bytes[sizeof two];
        memcpy(bytes, two, sizeof two);
        for (int k = 0; k < 3; k++) {
            seed = seed * 1103515245 + 12345;
            bytes[(seed >> 16) % sizeof two] = (char)(seed >> 8);
        }
        pj_loaded_executable *x = compile(c, "x", 1, bytes, sizeof bytes);
        CHECK(!x);
    }
}

static void check_topology(void)
{
    pj_TopologyDescription_Create_args t = ARGS(TopologyDescription_Create);
    pj_TopologyDescription_GetDeviceDescriptions_args d =
        ARGS(TopologyDescription_GetDeviceDescriptions);
    pj_TopologyDescription_Destroy_args end = ARGS(TopologyDescription_Destroy);
    t.topology_name = "16x32";
    t.topology_name_size = 5;
    CHECK(CALL(TopologyDescription_Create, &t));
    d.topology = end.topology = t.topology;
    CHECK(CALL(TopologyDescription_GetDeviceDescriptions, &d) && d.num_descriptions == 512);
    CHECK(CALL(TopologyDescription_Destroy, &end));
    t.topology_name = "many";
    t.topology_name_size = 4;
    CHECK(!CALL(TopologyDescription_Create, &t) && code == PJ_INVALID_ARGUMENT);
}

static void check_client(void)
{
    pj_Client_Create_args c = ARGS(Client_Create);
    setenv("TESSERA_DEVICES", "two", 1);
    CHECK(!CALL(Client_Create, &c) && code == PJ_INVALID_ARGUMENT);
    setenv("TESSERA_DEVICES", "2", 1);
    setenv("TESSERA_ENGINE", "warp", 1);
    CHECK(!CALL(Client_Create, &c) && strstr(said, "reference"));
    unsetenv("TESSERA_ENGINE");
    CHECK(CALL(Client_Create, &c));
    pj_Client_Devices_args d = ARGS(Client_Devices);
    d.client = c.client;
    CHECK(CALL(Client_Devices, &d) && d.num_devices == 2);
    check_buffers(c.client, d.devices[0]);
    check_copy(c.client, d.devices);
    check_deleted(c.client, d.devices[0]);
    check_run(c.client, d.devices[0]);
    check_devices(c.client, d.devices);
    check_placement(c.client);
    check_refused(c.client);
    pj_Device_MemoryStats_args m = ARGS(Device_MemoryStats);
    m.device = d.devices[0];
    CHECK(CALL(Device_MemoryStats, &m) && m.bytes_in_use == 0 && m.peak_bytes_in_use_is_set &&
          m.peak_bytes_in_use >= 24);
    /* An older caller has a shorter struct: nothing beyond it is touched. */
    struct {
        pj_Device_MemoryStats_args args;
        char after[64];
    } old = {0};
    memset(&old, 0x55, sizeof old);
    old.args.struct_size = offsetof(pj_Device_MemoryStats_args, peak_bytes_in_use);
    old.args.device = d.devices[0];
    CHECK(CALL(Device_MemoryStats, &old.args) && old.args.peak_bytes_in_use == 0x5555555555555555);
    pj_Client_UpdateGlobalProcessInfo_args no = ARGS(Client_UpdateGlobalProcessInfo);
    CHECK(!CALL(Client_UpdateGlobalProcessInfo, &no) && code == PJ_UNIMPLEMENTED);
    pj_Client_Destroy_args end = ARGS(Client_Destroy);
    end.client = c.client;
    CHECK(CALL(Client_Destroy, &end));
}

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    const pj_api *(*entry)(void) = NULL;
    if (library)
        *(void **)&entry = dlsym(library, "GetPjrtApi");
    CHECK(entry != NULL);
    if (!entry) {
        printf("%s\n0 passed, 1 failed\n", argc == 2 ? dlerror() : "usage: plugin library");
        return 1;
    }
    api = entry();
    CHECK(api->struct_size == sizeof *api && api->version.major_version == PJ_MAJOR &&
          api->version.minor_version == PJ_MINOR);
    CHECK(!dlsym(library, "tsr_module_parse")); /* the library inside is not seen */
    check_client();
    check_topology();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
