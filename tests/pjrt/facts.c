/* SPDX-License-Identifier: Apache-2.0 */
/* facts.c - what devices and programs say of themselves: memory, costs, fingerprints, text; and TESSERA_DUMP. */
#include <dirent.h>
#include <unistd.h>

#include "plugin.h"

static const char batched[] =
    "module @batched {\n"
    "  func.func @main(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {\n"
    "    %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x "
    "[1]\n"
    "        : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>\n"
    "    %1 = stablehlo.tanh %0 : tensor<5x2x4xf32>\n"
    "    %2 = stablehlo.add %0, %1 : tensor<5x2x4xf32>\n"
    "    return %2 : tensor<5x2x4xf32>\n"
    "  }\n"
    "}\n";

/* Six turns of a function: 8 operations and 64 bytes each, and those of the counter and its comparison. */
static const char turns[] =
    "module @turns {\n"
    "  func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
    "    %c = stablehlo.constant dense<0> : tensor<i32>\n"
    "    %0:2 = stablehlo.while(%i = %c, %x = %a) : tensor<i32>, tensor<8xf32>\n"
    "    cond {\n"
    "      %n = stablehlo.constant dense<6> : tensor<i32>\n"
    "      %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "      stablehlo.return %p : tensor<i1>\n"
    "    } do {\n"
    "      %y = func.call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>\n"
    "      %d = stablehlo.constant dense<1> : tensor<i32>\n"
    "      %j = stablehlo.add %i, %d : tensor<i32>\n"
    "      stablehlo.return %j, %y : tensor<i32>, tensor<8xf32>\n"
    "    }\n"
    "    return %0#1 : tensor<8xf32>\n"
    "  }\n"
    "  func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
    "    %0 = stablehlo.tanh %a : tensor<8xf32>\n"
    "    return %0 : tensor<8xf32>\n"
    "  }\n"
    "}\n";

static void costs_of(pj_executable *e, float *flops, float *bytes)
{
    pj_Executable_GetCostAnalysis_args a = ARGS(Executable_GetCostAnalysis);
    a.executable = e;
    CHECK(CALL(Executable_GetCostAnalysis, &a) && a.num_properties >= 2);
    for (size_t i = 0; i < a.num_properties; i++) {
        if (!strcmp(a.properties[i].name, "flops"))
            *flops = a.properties[i].float_value;
        if (!strcmp(a.properties[i].name, "bytes accessed"))
            *bytes = a.properties[i].float_value;
    }
}

static void check_turns(pj_client *c)
{
    float flops = 0, bytes = 0;
    pj_loaded_executable *x = compile(c, turns, strlen(turns), one, sizeof one);
    pj_executable *e = executable_of(x);
    costs_of(e, &flops, &bytes);
    CHECK(flops == 6 * (8 + 1 + 1));
    CHECK(bytes == 4 + 6 * (64 + (4 + 9) + (4 + 12)));
    destroy_executable(e);
    unload(x);
}

/* A product of 5 batches counts 2 * 5 * 2 * 4 * 3 operations, then one for each element of the two that follow. */
static void check_cost(pj_client *c, const char *program)
{
    pj_loaded_executable *x = compile(c, program, strlen(program), one, sizeof one);
    pj_executable *e = executable_of(x);
    pj_Executable_GetCompiledMemoryStats_args m = ARGS(Executable_GetCompiledMemoryStats);
    m.executable = e;
    float flops = 0, bytes = 0;
    costs_of(e, &flops, &bytes);
    CHECK(flops == 2 * 5 * 2 * 4 * 3 + 2 * 40);
    CHECK(bytes == 4 * (30 + 60 + 40 + 2 * 40 + 3 * 40));
    /* The product is computed where the result shall be, and what follows runs on its blocks. */
    CHECK(CALL(Executable_GetCompiledMemoryStats, &m) && m.argument_size_in_bytes == 360 &&
          m.output_size_in_bytes == 160 && m.temp_size_in_bytes == 0 &&
          m.peak_memory_in_bytes == 520 + m.host_temp_size_in_bytes && m.alias_size_in_bytes == 0);
    destroy_executable(e);
    unload(x);
}

/* The only function need not be main. */
static void check_costs(pj_client *c)
{
    char other[sizeof batched];
    check_cost(c, batched);
    memcpy(other, batched, sizeof other);
    memcpy(strstr(other, "@main"), "@step", 5);
    check_cost(c, other);
    check_turns(c);
}

static void check_memory_stats(pj_client *c, pj_device *d)
{
    pj_Device_MemoryStats_args m = ARGS(Device_MemoryStats);
    pj_Device_ClearMemoryStats_args clear = ARGS(Device_ClearMemoryStats);
    m.device = clear.device = d;
    CHECK(CALL(Device_ClearMemoryStats, &clear));
    CHECK(CALL(Device_MemoryStats, &m) && m.bytes_in_use == 0 && m.peak_bytes_in_use_is_set &&
          m.peak_bytes_in_use == 0);
    pj_buffer *a = put_floats(c, d, 1, 2), *b = put_floats(c, d, 3, 4);
    drop(a);
    CHECK(CALL(Device_MemoryStats, &m) && m.bytes_in_use == 8 && m.peak_bytes_in_use == 16 &&
          m.num_allocs_is_set && m.num_allocs == 2 && m.largest_alloc_size == 8);
    CHECK(m.bytes_limit_is_set && m.bytes_limit > 1 << 20 && m.bytes_reservable_limit_is_set &&
          m.bytes_reservable_limit > 1 << 20 && !m.pool_bytes_is_set);
    drop(b);
}

/* The same program has the same fingerprint, another has another. */
static void check_fingerprints(pj_client *c)
{
    pj_LoadedExecutable_Fingerprint_args f[3];
    const char *texts[] = {twice, twice, batched};
    pj_loaded_executable *x[3];
    for (int i = 0; i < 3; i++) {
        f[i] = (pj_LoadedExecutable_Fingerprint_args)ARGS(LoadedExecutable_Fingerprint);
        f[i].executable = x[i] = compile(c, texts[i], strlen(texts[i]), one, sizeof one);
        CHECK(x[i] && CALL(LoadedExecutable_Fingerprint, &f[i]) &&
              f[i].executable_fingerprint_size == 32);
    }
    CHECK(!strcmp(f[0].executable_fingerprint, f[1].executable_fingerprint) &&
          strcmp(f[0].executable_fingerprint, f[2].executable_fingerprint));
    for (int i = 0; i < 3; i++)
        unload(x[i]);
}

/* Two files for each compilation: the module, and the program as it runs. A folder that is not there is said. */
static void check_dump(pj_client *c)
{
    char dir[] = "/tmp/tessera-dump-XXXXXX", path[512], text[4096] = "";
    CHECK(mkdtemp(dir) != NULL);
    setenv("TESSERA_DUMP", dir, 1);
    pj_loaded_executable *x = compile(c, sharded, strlen(sharded), two, sizeof two);
    CHECK(x != NULL);
    unload(x);
    int modules = 0, plans = 0;
    DIR *list = opendir(dir);
    for (struct dirent *e = list ? readdir(list) : NULL; e; e = readdir(list)) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        FILE *f = fopen(path, "r");
        size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
        text[n] = 0;
        if (f)
            fclose(f);
        modules += strstr(e->d_name, ".sums.module.mlir") && strstr(text, "sdy.mesh");
        plans += strstr(e->d_name, ".sums.plan.mlir") && strstr(text, "all_reduce");
        unlink(path);
    }
    if (list)
        closedir(list);
    CHECK(modules == 1 && plans == 1);
    CHECK(rmdir(dir) == 0);
    CHECK(!compile(c, twice, strlen(twice), one, sizeof one) &&
          refused_with(PJ_NOT_FOUND, "TESSERA_DUMP"));
    unsetenv("TESSERA_DUMP");
}

void test_facts(void)
{
    pj_client *c = open_client("2");
    setenv("TESSERA_ENGINE", "warp", 1);
    CHECK(!open_client("2") &&
          refused_with(PJ_INVALID_ARGUMENT, "the engines are compiled and reference"));
    setenv("TESSERA_ENGINE", "reference", 1);
    CHECK(close_client(open_client("2")));
    setenv("TESSERA_ENGINE", "compiled", 1);
    CHECK(close_client(open_client("2")));
    unsetenv("TESSERA_ENGINE");
    check_costs(c);
    check_memory_stats(c, devices_of(c)[0]);
    check_fingerprints(c);
    check_dump(c);
    CHECK(close_client(c));
}
