/* SPDX-License-Identifier: Apache-2.0 */
/* sizes.c - structs of older and newer callers: what lies beyond struct_size is neither read nor written, and what a function cannot do
 * without must be there. */
#include "plugin.h"

static void check_older(pj_client *c, pj_device *d)
{
    pj_Device_MemoryStats_args m;
    memset(&m, 0x55, sizeof m);
    m.struct_size = offsetof(pj_Device_MemoryStats_args, peak_bytes_in_use);
    m.device = d;
    CHECK(CALL(Device_MemoryStats, &m) && m.peak_bytes_in_use == 0x5555555555555555);
    pj_loaded_executable *x = compile(c, twice, strlen(twice), one, sizeof one);
    pj_executable *e = executable_of(x);
    pj_Executable_GetCompiledMemoryStats_args s;
    memset(&s, 0x55, sizeof s);
    s.struct_size = offsetof(pj_Executable_GetCompiledMemoryStats_args, peak_memory_in_bytes);
    s.executable = e;
    CHECK(CALL(Executable_GetCompiledMemoryStats, &s) && s.argument_size_in_bytes == 16 &&
          s.peak_memory_in_bytes == 0x5555555555555555);
    /* Options of a run that end before the list of buffers to keep: all may be donated. */
    pj_buffer *in[] = {put_floats(c, d, 1, 2), put_floats(c, d, 3, 4)}, *out[2] = {0};
    pj_buffer *const *ins[] = {in};
    pj_buffer **const outs[] = {out};
    pj_execute_options o;
    memset(&o, 0x55, sizeof o);
    o.struct_size = offsetof(pj_execute_options, non_donatable_input_indices);
    pj_LoadedExecutable_Execute_args a = ARGS(LoadedExecutable_Execute);
    a.executable = x;
    a.options = &o;
    a.argument_lists = ins;
    a.num_devices = 1;
    a.num_args = 2;
    a.output_lists = outs;
    float got[2];
    CHECK(CALL(LoadedExecutable_Execute, &a) && get(out[0], got, sizeof got) && got[0] == 4);
    for (int i = 0; i < 2; i++) {
        drop(in[i]);
        drop(out[i]);
    }
    /* A view without the field for a memory. */
    static float data[2] = {5, 6};
    static const int64_t dims[] = {2};
    pj_Client_CreateViewOfDeviceBuffer_args v;
    memset(&v, 0x55, sizeof v);
    v.struct_size = offsetof(pj_Client_CreateViewOfDeviceBuffer_args, memory);
    v.client = c;
    v.device_buffer_ptr = data;
    v.dims = dims;
    v.num_dims = 1;
    v.element_type = F32;
    v.layout = NULL;
    v.device = d;
    v.on_delete_callback = NULL;
    CHECK(CALL(Client_CreateViewOfDeviceBuffer, &v) && get(v.buffer, got, sizeof got) &&
          got[1] == 6);
    drop(v.buffer);
    destroy_executable(e);
    unload(x);
}

static void check_newer(pj_client *c, pj_device *d)
{
    struct {
        pj_Device_MemoryStats_args args;
        char more[32];
    } m;
    memset(&m, 0x55, sizeof m);
    m.args.struct_size = sizeof m;
    m.args.device = d;
    CHECK(CALL(Device_MemoryStats, &m.args) && !m.args.bytes_reserved_is_set && m.more[0] == 0x55);
    pj_loaded_executable *x = compile(c, twice, strlen(twice), one, sizeof one);
    pj_executable *e = executable_of(x);
    struct {
        pj_Executable_GetCompiledMemoryStats_args args;
        char more[32];
    } s;
    memset(&s, 0x55, sizeof s);
    s.args.struct_size = sizeof s;
    s.args.executable = e;
    CHECK(CALL(Executable_GetCompiledMemoryStats, &s.args) && s.args.argument_size_in_bytes == 16 &&
          s.args.host_argument_size_in_bytes == 0 && s.more[0] == 0x55);
    destroy_executable(e);
    unload(x);
}

static void check_too_short(pj_client *c)
{
    pj_Client_Devices_args d = ARGS(Client_Devices);
    d.client = c;
    d.struct_size = offsetof(pj_Client_Devices_args, num_devices);
    CHECK(!CALL(Client_Devices, &d) && refused_with(PJ_INVALID_ARGUMENT, "PJRT_Client_Devices"));
    pj_Device_MemoryStats_args m = ARGS(Device_MemoryStats);
    m.struct_size = 0;
    CHECK(!CALL(Device_MemoryStats, &m) && code == PJ_INVALID_ARGUMENT);
    pj_Client_CreateAliasBuffer_args no = ARGS(Client_CreateAliasBuffer);
    CHECK(!CALL(Client_CreateAliasBuffer, &no) &&
          refused_with(PJ_UNIMPLEMENTED, "PJRT_Client_CreateAliasBuffer"));
}

void test_sizes(void)
{
    pj_client *c = open_client("1");
    pj_device *d = devices_of(c)[0];
    check_older(c, d);
    check_newer(c, d);
    check_too_short(c);
    CHECK(close_client(c));
}
