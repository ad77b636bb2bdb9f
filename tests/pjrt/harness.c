/* SPDX-License-Identifier: Apache-2.0 */
/* harness.c - see plugin.h. */
#include "plugin.h"

int passed, failed, code;
char said[4096];
const pj_api *api;

bool went_well(pj_error *e)
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

bool await(pj_event *event)
{
    pj_Event_Await_args a = ARGS(Event_Await);
    pj_Event_Destroy_args d = ARGS(Event_Destroy);
    a.event = d.event = event;
    bool ok = CALL(Event_Await, &a);
    api->Event_Destroy(&d);
    return ok;
}

/* ---- Buffers ---- */

pj_buffer *put(pj_client *c, pj_device *d, int type, const void *data, const int64_t *dims,
               size_t rank, const int64_t *strides, pj_host_buffer_semantics how, pj_event **done)
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

bool get(pj_buffer *b, void *to, size_t size)
{
    pj_Buffer_ToHostBuffer_args a = ARGS(Buffer_ToHostBuffer);
    a.src = b;
    if (!CALL(Buffer_ToHostBuffer, &a) || a.dst_size != size)
        return false;
    a.dst = to;
    return CALL(Buffer_ToHostBuffer, &a) && await(a.event);
}

void drop(pj_buffer *b)
{
    pj_Buffer_Destroy_args a = ARGS(Buffer_Destroy);
    a.buffer = b;
    api->Buffer_Destroy(&a);
}

bool is_done(pj_event *e)
{
    pj_Event_IsReady_args a = ARGS(Event_IsReady);
    a.event = e;
    return CALL(Event_IsReady, &a) && a.is_ready;
}

bool refused_with(int wanted, const char *text)
{
    return code == wanted && strstr(said, text);
}

pj_buffer *put_floats(pj_client *c, pj_device *d, float a, float b)
{
    const float data[] = {a, b};
    static const int64_t dims[] = {2};
    pj_event *done;
    pj_buffer *buffer = put(c, d, F32, data, dims, 1, NULL, PJ_DURING_CALL, &done);
    if (buffer)
        await(done);
    return buffer;
}

/* ---- Clients ---- */

pj_client *open_client(const char *devices)
{
    pj_Client_Create_args c = ARGS(Client_Create);
    setenv("TESSERA_DEVICES", devices, 1);
    return CALL(Client_Create, &c) ? c.client : NULL;
}

bool close_client(pj_client *c)
{
    pj_Client_Destroy_args end = ARGS(Client_Destroy);
    end.client = c;
    return CALL(Client_Destroy, &end);
}

pj_device *const *devices_of(pj_client *c)
{
    pj_Client_Devices_args d = ARGS(Client_Devices);
    d.client = c;
    return CALL(Client_Devices, &d) ? d.devices : NULL;
}

/* ---- Programs ---- */

const char twice[] =
    "module @twice {\n"
    "  func.func @main(%a: tensor<2xf32> {jax.buffer_donor = true}, %b: tensor<2xf32>) "
    "-> (tensor<2xf32>, tensor<2xf32>) {\n"
    "    %0 = stablehlo.add %a, %b : tensor<2xf32>\n"
    "    return %0, %b : tensor<2xf32>, tensor<2xf32>\n"
    "  }\n"
    "}\n";

const char sharded[] = "module @sums attributes {mhlo.num_partitions = 2 : i32} {\n"
                       "  sdy.mesh @mesh = <[\"x\"=2]>\n"
                       "  func.func @main(%a: tensor<4xf32> {sdy.sharding = "
                       "#sdy.sharding<@mesh, [{\"x\"}]>}) -> tensor<f32> {\n"
                       "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                       "    %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across "
                       "dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
                       "    return %0 : tensor<f32>\n"
                       "  }\n"
                       "}\n";

const char endless[] = "module @endless {\n"
                       "  func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
                       "    %0 = stablehlo.while(%x = %a) : tensor<2xf32> cond {\n"
                       "      %t = stablehlo.constant dense<true> : tensor<i1>\n"
                       "      stablehlo.return %t : tensor<i1>\n"
                       "    } do {\n"
                       "      stablehlo.return %x : tensor<2xf32>\n"
                       "    }\n"
                       "    return %0 : tensor<2xf32>\n"
                       "  }\n"
                       "}\n";

const char one[] = {0x1a, 4, 0x20, 1, 0x28, 1},
           two[] = {0x1a, 20,   0x20, 1,    0x28, 2, 0x4a, 14, 0x08, 1, 0x10,
                    2,    0x1a, 3,    0x0a, 1,    1, 0x1a, 3,  0x0a, 1, 0};

pj_loaded_executable *compile(pj_client *c, const char *text, size_t n, const char *options,
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

bool execute(pj_loaded_executable *x, pj_buffer *const *const *in, size_t devices, size_t nin,
             pj_buffer **const *out)
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

void unload(pj_loaded_executable *x)
{
    pj_LoadedExecutable_Destroy_args a = ARGS(LoadedExecutable_Destroy);
    a.executable = x;
    api->LoadedExecutable_Destroy(&a);
}

pj_executable *executable_of(pj_loaded_executable *x)
{
    pj_LoadedExecutable_GetExecutable_args g = ARGS(LoadedExecutable_GetExecutable);
    g.loaded_executable = x;
    return CALL(LoadedExecutable_GetExecutable, &g) ? g.executable : NULL;
}

void destroy_executable(pj_executable *x)
{
    pj_Executable_Destroy_args d = ARGS(Executable_Destroy);
    d.executable = x;
    CALL(Executable_Destroy, &d);
}

const void *extension(int type)
{
    for (const pj_extension_base *e = api->extension_start; e; e = e->next)
        if (e->type == type)
            return e;
    return NULL;
}
