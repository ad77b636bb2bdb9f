/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - every allocation of the plugin fails once, alone and with all after it: each call ends with an error that names the cause,
 * gives back all that it held, and the client works on. And the peak that programs are said to need is compared with what a run holds. */
#include "../heap.h"
#include "plugin.h"
#include "tessera/tessera.h"

const pj_api *GetPjrtApi(void);

/* ---- The calls ---- */

static const int64_t pair[] = {2};

typedef struct {
    pj_client *client;
    pj_device *device;
    pj_loaded_executable *program, *parts;
    pj_executable *executable;
    pj_buffer *buffer;
} world;

static bool do_client(world *w)
{
    pj_client *c = open_client("2");
    (void)w;
    return c && close_client(c);
}

static bool do_put(world *w)
{
    pj_buffer *b = put_floats(w->client, w->device, 1, 2);
    if (b)
        drop(b);
    return b != NULL;
}

static bool do_get(world *w)
{
    float got[2];
    return get(w->buffer, got, sizeof got);
}

static bool do_copy(world *w)
{
    pj_Buffer_CopyToDevice_args a = ARGS(Buffer_CopyToDevice);
    float got[2];
    a.buffer = w->buffer;
    a.dst_device = devices_of(w->client)[1];
    if (!CALL(Buffer_CopyToDevice, &a))
        return false;
    bool ok = get(a.dst_buffer, got, sizeof got);
    drop(a.dst_buffer);
    return ok;
}

static bool do_compile(world *w)
{
    pj_loaded_executable *x = compile(w->client, twice, strlen(twice), one, sizeof one);
    if (x)
        unload(x);
    return x != NULL;
}

static bool do_partition(world *w)
{
    pj_loaded_executable *x = compile(w->client, sharded, strlen(sharded), two, sizeof two);
    if (x)
        unload(x);
    return x != NULL;
}

static bool do_run(world *w)
{
    pj_buffer *in[] = {put_floats(w->client, w->device, 1, 2),
                       put_floats(w->client, w->device, 3, 4)},
              *out[2] = {0};
    pj_buffer *const *ins[] = {in};
    pj_buffer **const outs[] = {out};
    float got[2];
    bool ok = in[0] && in[1] && execute(w->program, ins, 1, 2, outs) &&
              get(out[0], got, sizeof got) && got[1] == 6;
    for (int i = 0; i < 2; i++) {
        if (in[i])
            drop(in[i]);
        if (out[i])
            drop(out[i]);
    }
    return ok;
}

static bool do_run_parts(world *w)
{
    pj_device *const *devices = devices_of(w->client);
    pj_buffer *in[] = {put_floats(w->client, devices[1], 1, 2),
                       put_floats(w->client, devices[0], 3, 4)},
              *out[2] = {0};
    pj_buffer *const *ins[] = {&in[0], &in[1]};
    pj_buffer **const outs[] = {&out[0], &out[1]};
    float got;
    bool ok = in[0] && in[1] && execute(w->parts, ins, 2, 1, outs) &&
              get(out[1], &got, sizeof got) && got == 10;
    for (int i = 0; i < 2; i++) {
        if (in[i])
            drop(in[i]);
        if (out[i])
            drop(out[i]);
    }
    return ok;
}

static bool do_bytes(world *w)
{
    pj_Executable_Serialize_args s = ARGS(Executable_Serialize);
    s.executable = w->executable;
    if (!CALL(Executable_Serialize, &s))
        return false;
    pj_Executable_DeserializeAndLoad_args l = ARGS(Executable_DeserializeAndLoad);
    l.client = w->client;
    l.serialized_executable = s.serialized_bytes;
    l.serialized_executable_size = s.serialized_bytes_size;
    bool ok = CALL(Executable_DeserializeAndLoad, &l);
    s.serialized_executable_deleter(s.serialized_executable);
    if (ok)
        unload(l.loaded_executable);
    return ok;
}

static bool do_manager(world *w)
{
    pj_Device_DefaultMemory_args m = ARGS(Device_DefaultMemory);
    pj_Client_CreateBuffersForAsyncHostToDevice_args a =
        ARGS(Client_CreateBuffersForAsyncHostToDevice);
    pj_shape_spec specs[] = {{sizeof *specs, NULL, pair, 1, F32},
                             {sizeof *specs, NULL, NULL, 0, S32}};
    m.device = w->device;
    if (!CALL(Device_DefaultMemory, &m))
        return false;
    a.client = w->client;
    a.shape_specs = specs;
    a.num_shape_specs = 2;
    a.memory = m.memory;
    if (!CALL(Client_CreateBuffersForAsyncHostToDevice, &a))
        return false;
    pj_AsyncHostToDeviceTransferManager_TransferData_args t =
        ARGS(AsyncHostToDeviceTransferManager_TransferData);
    pj_AsyncHostToDeviceTransferManager_Destroy_args end =
        ARGS(AsyncHostToDeviceTransferManager_Destroy);
    static const float data[] = {1, 2};
    t.transfer_manager = end.transfer_manager = a.transfer_manager;
    t.data = data;
    t.transfer_size = sizeof data;
    t.is_last_transfer = true;
    bool ok =
        CALL(AsyncHostToDeviceTransferManager_TransferData, &t) && await(t.done_with_h2d_transfer);
    CALL(AsyncHostToDeviceTransferManager_Destroy, &end);
    return ok;
}

static bool do_facts(world *w)
{
    pj_executable *e = executable_of(w->program);
    pj_LoadedExecutable_GetDeviceAssignment_args d = ARGS(LoadedExecutable_GetDeviceAssignment);
    pj_Executable_GetCompileOptions_args o = ARGS(Executable_GetCompileOptions);
    d.executable = w->program;
    o.executable = e;
    bool first = e && CALL(LoadedExecutable_GetDeviceAssignment, &d);
    if (first)
        d.serialized_device_assignment_deleter(d.serialized_device_assignment);
    bool second = e && CALL(Executable_GetCompileOptions, &o);
    if (second)
        o.serialized_compile_options_deleter(o.serialized_compile_options);
    if (e)
        destroy_executable(e);
    return first && second;
}

static bool do_text(world *w)
{
    pj_Executable_OptimizedProgram_args o = ARGS(Executable_OptimizedProgram);
    pj_program p = {.struct_size = sizeof p};
    o.executable = w->executable;
    o.program = &p;
    return CALL(Executable_OptimizedProgram, &o);
}

/* Figures that cannot be had are left out; the call does not fail. */
static bool do_cost(world *w)
{
    pj_Executable_GetCostAnalysis_args a = ARGS(Executable_GetCostAnalysis);
    a.executable = w->executable;
    return CALL(Executable_GetCostAnalysis, &a);
}

static bool do_topology(world *w)
{
    pj_TopologyDescription_Create_args t = ARGS(TopologyDescription_Create);
    pj_TopologyDescription_Destroy_args end = ARGS(TopologyDescription_Destroy);
    (void)w;
    t.topology_name = "2x4";
    t.topology_name_size = 3;
    if (!CALL(TopologyDescription_Create, &t))
        return false;
    end.topology = t.topology;
    return CALL(TopologyDescription_Destroy, &end);
}

static const struct {
    const char *name;
    bool (*run)(world *w);
} calls[] = {
    {"client", do_client},   {"put", do_put},
    {"get", do_get},         {"copy", do_copy},
    {"compile", do_compile}, {"partition", do_partition},
    {"run", do_run},         {"run on two", do_run_parts},
    {"bytes", do_bytes},     {"transfer", do_manager},
    {"facts", do_facts},     {"text", do_text},
    {"cost", do_cost},       {"topology", do_topology},
};

/* ---- The sweep ---- */

static void make_world(world *w)
{
    w->client = open_client("2");
    w->device = devices_of(w->client)[0];
    w->program = compile(w->client, twice, strlen(twice), one, sizeof one);
    w->parts = compile(w->client, sharded, strlen(sharded), two, sizeof two);
    w->executable = executable_of(w->program);
    w->buffer = put_floats(w->client, w->device, 5, 6);
    do_run(w); /* the client's thread is there from the first run on */
}

static void free_world(world *w)
{
    drop(w->buffer);
    destroy_executable(w->executable);
    unload(w->program);
    unload(w->parts);
    close_client(w->client);
}

static long points, refused;

static void complain(size_t call, long n, bool for_good, const char *what)
{
    failed++;
    printf("%s: allocation %ld fails%s: %s (%s)\n", calls[call].name, n,
           for_good ? " for good" : "", what, said);
}

/* One point; false: the call makes no n allocations. */
static bool point(size_t call, long n, bool for_good)
{
    world w;
    long before = heap.live;
    make_world(&w);
    *said = 0;
    code = PJ_OK;
    fail_from(n, for_good);
    bool ok = calls[call].run(&w);
    bool reached = heap.calls >= n;
    fail_from(0, false);
    points += reached;
    refused += reached && !ok;
    if (!ok && !reached)
        complain(call, n, for_good, "fails with all the memory it wants");
    if (!ok && (code != PJ_RESOURCE_EXHAUSTED || !strstr(said, "memory")))
        complain(call, n, for_good, "the error is another one");
    if (!ok && !do_run(&w))
        complain(call, n, for_good, "the client does not work any more");
    free_world(&w);
    if (heap.live != before)
        complain(call, n, for_good, "memory is lost");
    passed++;
    return reached;
}

/* Calls with many allocations try each of the first ones and then some. */
static void sweep(void)
{
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        long from = points;
        for (int for_good = 0; for_good < 2; for_good++)
            for (long n = 1; point(c, n, for_good); n += n < 40 ? 1 : n / 10)
                continue;
        printf("  %-12s %5ld points\n", calls[c].name, points - from);
    }
    CHECK(points > 300 && refused > 200);
}

/* ---- Peaks ---- */

static long long peak_of_run(pj_loaded_executable *x, pj_buffer **in, size_t nin)
{
    pj_buffer *out[1] = {0};
    pj_buffer *const *ins[] = {in};
    pj_buffer **const outs[] = {out};
    long long from = heap.peak = heap.bytes;
    CHECK(execute(x, ins, 1, nin, outs));
    long long used = heap.peak - from;
    if (out[0])
        drop(out[0]);
    return used;
}

/* What a program is said to take, beside what the run holds at most: within 5 %. */
static void compare_peak(const char *name, const char *text, const int64_t *dims, size_t rank)
{
    world own, *w = &own; /* so that nothing of another run is still about */
    make_world(w);
    pj_loaded_executable *x = compile(w->client, text, strlen(text), one, sizeof one);
    CHECK(x != NULL);
    if (!x)
        return;
    pj_executable *e = executable_of(x);
    pj_Executable_GetCompiledMemoryStats_args m = ARGS(Executable_GetCompiledMemoryStats);
    pj_event *done;
    m.executable = e;
    CHECK(CALL(Executable_GetCompiledMemoryStats, &m));
    float *zeros = calloc(1, (size_t)m.argument_size_in_bytes);
    pj_buffer *in = put(w->client, w->device, F32, zeros, dims, rank, NULL, PJ_DURING_CALL, &done);
    await(done);
    long long said_to_be = m.peak_memory_in_bytes,
              measured = m.argument_size_in_bytes + peak_of_run(x, &in, 1);
    printf("  %-28s predicted %9lld, measured %9lld bytes\n", name, said_to_be, measured);
    CHECK((double)said_to_be >= 0.95 * (double)measured &&
          (double)said_to_be <= 1.05 * (double)measured);
    CHECK(said_to_be == m.argument_size_in_bytes + m.output_size_in_bytes + m.temp_size_in_bytes +
                            m.host_temp_size_in_bytes);
    free(zeros);
    drop(in);
    destroy_executable(e);
    unload(x);
    free_world(w);
}

static void check_peaks(void)
{
    static const int64_t dims[] = {256, 256};
    compare_peak("a chain",
                 "func.func @main(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
                 "  %0 = stablehlo.tanh %a : tensor<256x256xf32>\n"
                 "  %1 = stablehlo.exponential %0 : tensor<256x256xf32>\n"
                 "  %2 = stablehlo.negate %1 : tensor<256x256xf32>\n"
                 "  return %2 : tensor<256x256xf32>\n}\n",
                 dims, 2);
    compare_peak("values that live long",
                 "func.func @main(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
                 "  %0 = stablehlo.tanh %a : tensor<256x256xf32>\n"
                 "  %1 = stablehlo.exponential %0 : tensor<256x256xf32>\n"
                 "  %2 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [0] : "
                 "(tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>\n"
                 "  %3 = stablehlo.add %2, %0 : tensor<256x256xf32>\n"
                 "  %4 = stablehlo.add %3, %1 : tensor<256x256xf32>\n"
                 "  return %4 : tensor<256x256xf32>\n}\n",
                 dims, 2);
    compare_peak("a call",
                 "func.func @main(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
                 "  %0 = stablehlo.tanh %a : tensor<256x256xf32>\n"
                 "  %1 = func.call @inner(%0) : (tensor<256x256xf32>) -> tensor<256x256xf32>\n"
                 "  %2 = stablehlo.add %1, %0 : tensor<256x256xf32>\n"
                 "  return %2 : tensor<256x256xf32>\n}\n"
                 "func.func private @inner(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
                 "  %0 = stablehlo.exponential %a : tensor<256x256xf32>\n"
                 "  %1 = stablehlo.multiply %0, %a : tensor<256x256xf32>\n"
                 "  %2 = stablehlo.add %1, %0 : tensor<256x256xf32>\n"
                 "  return %2 : tensor<256x256xf32>\n}\n",
                 dims, 2);
    compare_peak(
        "a loop",
        "func.func @main(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
        "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
        "  %n = stablehlo.constant dense<3> : tensor<i32>\n"
        "  %c = stablehlo.constant dense<1> : tensor<i32>\n"
        "  %0:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<256x256xf32> "
        "cond {\n"
        "    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "    stablehlo.return %p : tensor<i1>\n"
        "  } do {\n"
        "    %1 = stablehlo.add %i, %c : tensor<i32>\n"
        "    %2 = stablehlo.tanh %x : tensor<256x256xf32>\n"
        "    %3 = stablehlo.add %2, %x : tensor<256x256xf32>\n"
        "    stablehlo.return %1, %3 : tensor<i32>, tensor<256x256xf32>\n"
        "  }\n"
        "  return %0#1 : tensor<256x256xf32>\n}\n",
        dims, 2);
}

/* ---- Copies on other devices ---- */

enum { ROWS = 1024, COLS = 256, ALL = ROWS * COLS };

static pj_buffer *copy_on(pj_buffer *b, pj_device *d)
{
    pj_Buffer_CopyToDevice_args a = ARGS(Buffer_CopyToDevice);
    a.buffer = b;
    a.dst_device = d;
    return CALL(Buffer_CopyToDevice, &a) ? a.dst_buffer : NULL;
}

static bool holds(pj_buffer *b, float times)
{
    static float got[ALL];
    bool ok = b && get(b, got, sizeof got);
    for (int i = 0; ok && i < ALL; i++)
        ok = got[i] == times * (float)(i % 1000);
    return ok;
}

/* An argument that is the same on two devices takes its bytes once. Where it is donated, results have memory of their
 * own, and whoever else has it keeps its numbers. */
static void check_replicated(bool donates)
{
    static float data[ALL];
    static const int64_t dims[] = {ROWS, COLS};
    char text[1000];
    snprintf(text, sizeof text,
             "module @both attributes {mhlo.num_partitions = 2 : i32} {\n"
             "  sdy.mesh @mesh = <[\"x\"=2]>\n"
             "  func.func @main(%%a: tensor<1024x256xf32> {%ssdy.sharding = "
             "#sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<1024x256xf32> {sdy.sharding = "
             "#sdy.sharding<@mesh, [{}, {}]>}) {\n"
             "    %%0 = stablehlo.add %%a, %%a : tensor<1024x256xf32>\n"
             "    return %%0 : tensor<1024x256xf32>\n  }\n}\n",
             donates ? "tf.aliasing_output = 0 : i32, " : "");
    for (int i = 0; i < ALL; i++)
        data[i] = (float)(i % 1000);
    world own, *w = &own;
    make_world(w);
    pj_device *const *devices = devices_of(w->client); /* `two` begins with the second */
    pj_loaded_executable *x = compile(w->client, text, strlen(text), two, sizeof two);
    pj_event *done;
    long long before = heap.bytes;
    pj_buffer *first = put(w->client, devices[1], F32, data, dims, 2, NULL, PJ_DURING_CALL, &done);
    await(done);
    pj_buffer *in[2] = {first, copy_on(first, devices[0])}, *kept = copy_on(first, devices[0]);
    CHECK(x && in[1] && kept && heap.bytes - before < (long long)sizeof data * 5 / 4);
    pj_buffer *out[2] = {NULL, NULL};
    pj_buffer *const *ins[] = {&in[0], &in[1]};
    pj_buffer **const outs[] = {&out[0], &out[1]};
    CHECK(execute(x, ins, 2, 1, outs));
    CHECK(holds(out[0], 2) && holds(out[1], 2) && holds(kept, 1));
    CHECK(donates || (holds(in[0], 1) && holds(in[1], 1)));
    for (int i = 0; i < 2; i++) {
        drop(in[i]);
        drop(out[i]);
    }
    CHECK(holds(kept, 1));
    drop(kept);
    unload(x);
    free_world(w);
}

/* ---- Constants ---- */

enum { CONSTANT = 1 << 20 }; /* numbers */

/* A module with a large constant, as bytecode. */
static tsr_str with_constant(tsr_ctx *ctx)
{
    static const char head[] = "func.func public @main(%a: tensor<1048576xf32>) -> "
                               "tensor<1048576xf32> {\n  %c = stablehlo.constant dense<\"0x",
                      tail[] = "\"> : tensor<1048576xf32>\n"
                               "  %0 = stablehlo.add %a, %c : tensor<1048576xf32>\n"
                               "  return %0 : tensor<1048576xf32>\n}\n";
    char *text = malloc(sizeof head + sizeof tail + 8 * (size_t)CONSTANT);
    size_t n = strlen(strcpy(text, head));
    for (int i = 0; i < CONSTANT; i++, n += 8)
        snprintf(text + n, 9, "%06X3F", i); /* numbers between 0.5 and 2, all different */
    n += strlen(strcpy(text + n, tail));
    tsr_module *m = tsr_module_parse(ctx, (tsr_str){text, n}, (tsr_str){"module", 6});
    tsr_str bytecode = m ? tsr_module_bytecode(m, -1) : (tsr_str){NULL, 0};
    if (m)
        tsr_module_free(m);
    free(text);
    return bytecode;
}

/* A compiled program has its constants once, also after its text was asked for. */
static void check_constants(void)
{
    const long long bytes = 4LL * CONSTANT;
    world own, *w = &own;
    make_world(w);
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_str bytecode = with_constant(ctx);
    long long before = heap.bytes;
    pj_loaded_executable *x = compile(w->client, bytecode.data, bytecode.len, one, sizeof one);
    printf("  a constant of %lld bytes: %lld are held\n", bytes, heap.bytes - before);
    CHECK(x && heap.bytes - before > bytes && heap.bytes - before < bytes * 7 / 4);
    pj_executable *e = executable_of(x);
    pj_program p = {.struct_size = sizeof p};
    pj_Executable_OptimizedProgram_args a = ARGS(Executable_OptimizedProgram);
    a.executable = e;
    a.program = &p;
    CHECK(CALL(Executable_OptimizedProgram, &a) && p.code_size > (size_t)bytes);
    p.code = malloc(p.code_size);
    CHECK(CALL(Executable_OptimizedProgram, &a) && strstr(p.code, "stablehlo.add"));
    CHECK(heap.bytes - before < bytes * 7 / 4);
    free(p.code);
    destroy_executable(e);
    unload(x);
    tsr_free((void *)bytecode.data);
    tsr_ctx_free(ctx);
    free_world(w);
}

int main(void)
{
    tsr_set_allocator(allocate, NULL);
    setenv("TESSERA_THREADS", "2",
           1); /* each thread has scratch memory, so that peaks would grow with the machine */
    api = GetPjrtApi();
    check_peaks();
    check_replicated(false);
    check_replicated(true);
    check_constants();
    sweep();
    printf("%ld points, %ld refused\n%d passed, %d failed\n", points, refused, passed, failed);
    return failed != 0;
}
