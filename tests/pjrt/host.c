/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - what the Python part of the plugin asks of it, and what it is asked: places in a job, profiles, shardings by
 * fingerprint, devices of saved programs, calls that the host partitions. */
#include <dlfcn.h>

#include "plugin.h"

static pj_named_value number(const char *name, int64_t value)
{
    return (pj_named_value){.struct_size = sizeof(pj_named_value),
                            .name = name,
                            .name_size = strlen(name),
                            .type = PJ_INT64,
                            .int64_value = value,
                            .value_size = 1};
}

static pj_client *process(int64_t id, int64_t of)
{
    pj_named_value options[] = {number("node_id", id), number("num_nodes", of),
                                number("partition_index", 0)};
    pj_Client_Create_args c = ARGS(Client_Create);
    c.create_options = options;
    c.num_options = sizeof options / sizeof *options;
    return CALL(Client_Create, &c) ? c.client : NULL;
}

/* A job of one process is like any other; several need a store. News of processes never fail. */
static void check_processes(void)
{
    pj_client *c = process(0, 1);
    pj_Client_ProcessIndex_args index = ARGS(Client_ProcessIndex);
    pj_Client_UpdateGlobalProcessInfo_args news = ARGS(Client_UpdateGlobalProcessInfo);
    index.client = news.client = c;
    CHECK(c && CALL(Client_ProcessIndex, &index) && index.process_index == 0);
    CHECK(CALL(Client_UpdateGlobalProcessInfo, &news));
    CHECK(close_client(c));
    CHECK(!process(0, 2) && refused_with(PJ_INVALID_ARGUMENT, "no store that they share"));
    CHECK(!process(1, 2) && refused_with(PJ_INVALID_ARGUMENT, "process 1 of 2"));
    CHECK(!process(2, 2) && refused_with(PJ_INVALID_ARGUMENT, "none has number 2"));
    CHECK(!process(0, 5000) && refused_with(PJ_INVALID_ARGUMENT, "at most 4096"));
    CHECK(!process(1, 1) && refused_with(PJ_INVALID_ARGUMENT, "its number is 0, not 1"));
    CHECK(!process(0, 0) && refused_with(PJ_INVALID_ARGUMENT, "'num_nodes'"));
    CHECK(!process(-1, 1) && refused_with(PJ_INVALID_ARGUMENT, "'node_id'"));
}

/* Frameworks leave the sizes of these arguments unset. */
static void check_profiler(void)
{
    const pj_profiler_extension *p = extension(PJ_EXTENSION_PROFILER);
    pj_profiler_create_args create;
    pj_profiler_collect_args collect;
    pj_profiler_args with;
    memset(&create, 0x55, sizeof create);
    memset(&collect, 0x55, sizeof collect);
    memset(&with, 0x55, sizeof with);
    CHECK(p && p->api && p->api->struct_size == sizeof *p->api);
    if (!p || !p->api)
        return;
    CHECK(!p->api->create(&create));
    with.profiler = collect.profiler = create.profiler;
    collect.buffer = NULL;
    CHECK(!p->api->start(&with) && !p->api->stop(&with));
    CHECK(!p->api->collect_data(&collect) && collect.buffer_size_in_bytes == 0);
    CHECK(!p->api->destroy(&with));
}

static void *function(const char *name)
{
    void *f = dlsym(library, name);
    CHECK(f != NULL);
    return f;
}

static void check_shardings(pj_client *c)
{
    static const char by_two[] = {0x08, 3, 0x1a, 1, 2, 0x22, 2, 0, 1}, whole[] = {0x08, 0};
    int64_t (*sharding)(const char *, bool, size_t, char *, size_t);
    *(void **)&sharding = function("TesseraSharding");
    pj_loaded_executable *x = compile(c, sharded, strlen(sharded), two, sizeof two);
    pj_LoadedExecutable_Fingerprint_args f = ARGS(LoadedExecutable_Fingerprint);
    char name[64] = "", got[16];
    f.executable = x;
    CHECK(sharding && x && CALL(LoadedExecutable_Fingerprint, &f) &&
          f.executable_fingerprint_size < sizeof name);
    if (!sharding || !x)
        return;
    memcpy(name, f.executable_fingerprint, f.executable_fingerprint_size);
    CHECK(sharding(name, false, 0, NULL, 0) == sizeof by_two &&
          sharding(name, false, 0, got, sizeof got) == sizeof by_two &&
          !memcmp(got, by_two, sizeof by_two));
    CHECK(sharding(name, true, 0, got, sizeof got) == sizeof whole &&
          !memcmp(got, whole, sizeof whole));
    CHECK(sharding(name, false, 1, got, 16) == -1 && sharding(name, true, 1, got, 16) == -1 &&
          sharding("x", false, 0, got, 16) == -1);
    unload(x);
    CHECK(sharding(name, false, 0, got, sizeof got) == -1); /* gone with the program */
}

static pj_serialized_executable *save(pj_loaded_executable *x, pj_Executable_Serialize_args *s)
{
    pj_executable *e = executable_of(x);
    *s = (pj_Executable_Serialize_args)ARGS(Executable_Serialize);
    s->executable = e;
    bool ok = CALL(Executable_Serialize, s);
    destroy_executable(e);
    return ok ? s->serialized_executable : NULL;
}

static void check_saved(pj_client *c)
{
    size_t (*devices)(const char *, size_t, int64_t *, size_t);
    *(void **)&devices = function("TesseraSavedDevices");
    pj_loaded_executable *x = compile(c, sharded, strlen(sharded), two, sizeof two);
    pj_Executable_Serialize_args s;
    pj_serialized_executable *saved = x ? save(x, &s) : NULL;
    int64_t ids[3] = {7, 7, 7};
    CHECK(devices && saved);
    if (devices && saved) {
        CHECK(devices(s.serialized_bytes, s.serialized_bytes_size, ids, 3) == 2 && ids[0] == 1 &&
              ids[1] == 0 && ids[2] == 7);
        CHECK(devices(s.serialized_bytes, s.serialized_bytes_size, ids, 0) == 2);
        for (size_t n = 0; n < 60; n++) /* cut short, in the header or in the options */
            CHECK(devices(s.serialized_bytes, n, ids, 3) == 0);
        CHECK(devices("TSRPJRT2", 8, ids, 3) == 0);
        s.serialized_executable_deleter(saved);
    }
    unload(x);
    static const char calls[] =
        "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
        "  %0 = stablehlo.custom_call @tessera_python_callback(%a) {api_version = 4 : i32, "
        "backend_config = {id = 5 : i64}} : (tensor<f32>) -> tensor<f32>\n"
        "  return %0 : tensor<f32>\n}\n";
    x = compile(c, calls, sizeof calls - 1, one, sizeof one);
    CHECK(x && !save(x, &s) && refused_with(PJ_UNIMPLEMENTED, "calls back"));
    unload(x);
}

/* ---- Calls that the host partitions ---- */

typedef void give_fn(void *user, const char *text, size_t size);

static int asked;
static const char *answer;
static char question[4096];

static int partition(const char *text, size_t size, void *user, give_fn *give)
{
    asked++;
    snprintf(question, sizeof question, "%.*s", (int)size, text);
    give(user, answer, strlen(answer));
    return !strncmp(answer, "no", 2);
}

static const char asks[] =
    "module @asks attributes {mhlo.num_partitions = 2 : i32} {\n"
    "  sdy.mesh @mesh = <[\"x\"=2]>\n"
    "  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> "
    "tensor<4xf32> {\n"
    "    %0 = stablehlo.custom_call @CustomSPMDPartitioning(%a) {backend_config = \"7\", "
    "sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>} : (tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "    return %0 : tensor<4xf32>\n  }\n}\n";
/* What the host makes of it: every device negates its part. */
static const char answered[] =
    "module @asks attributes {mhlo.num_partitions = 2 : i32} {\n"
    "  sdy.mesh @mesh = <[\"x\"=2]>\n"
    "  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> "
    "(tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) {\n"
    "    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}]>] "
    "out_shardings=[<@mesh, [{\"x\"}]>] manual_axes={\"x\"} (%p: tensor<2xf32>) {\n"
    "      %1 = stablehlo.negate %p : tensor<2xf32>\n"
    "      sdy.return %1 : tensor<2xf32>\n"
    "    } : (tensor<4xf32>) -> tensor<4xf32>\n"
    "    return %0 : tensor<4xf32>\n  }\n}\n";

static void check_partitioner(pj_client *c)
{
    void (*set)(int (*)(const char *, size_t, void *, give_fn *));
    *(void **)&set = function("TesseraSetPartitioner");
    CHECK(!compile(c, asks, sizeof asks - 1, two, sizeof two) &&
          refused_with(PJ_UNIMPLEMENTED, "@CustomSPMDPartitioning"));
    if (!set)
        return;
    set(partition);
    answer = answered;
    pj_loaded_executable *x = compile(c, asks, sizeof asks - 1, two, sizeof two);
    CHECK(x && asked == 1 && strstr(question, "@CustomSPMDPartitioning(%arg0)") &&
          strstr(question, "sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>"));
    pj_device *const *devices = devices_of(c);
    pj_buffer *in[2] = {put_floats(c, devices[1], 1, 2), put_floats(c, devices[0], 3, 4)},
              *out[2] = {NULL, NULL};
    pj_buffer *const *ins[] = {&in[0], &in[1]};
    pj_buffer **const outs[] = {&out[0], &out[1]};
    float got[2];
    CHECK(x && execute(x, ins, 2, 1, outs) && get(out[1], got, sizeof got) && got[0] == -3 &&
          got[1] == -4);
    for (int i = 0; i < 2; i++) {
        drop(in[i]);
        drop(out[i]);
    }
    if (x)
        unload(x);
    answer = "no: ValueError";
    CHECK(!compile(c, asks, sizeof asks - 1, two, sizeof two) &&
          refused_with(PJ_INVALID_ARGUMENT, "no: ValueError"));
    answer = "{";
    CHECK(!compile(c, asks, sizeof asks - 1, two, sizeof two) && code == PJ_INTERNAL);
    asked = 0;
    x = compile(c, sharded, strlen(sharded), two, sizeof two); /* nothing to ask */
    CHECK(x && !asked);
    unload(x);
    set(NULL);
}

void test_host(void)
{
    check_processes();
    check_profiler();
    pj_client *c = open_client("2");
    check_shardings(c);
    check_saved(c);
    check_partitioner(c);
    CHECK(close_client(c));
}
