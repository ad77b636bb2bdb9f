/* SPDX-License-Identifier: Apache-2.0 */
/* topologies.c - devices that need not be there: descriptions of them, and programs compiled for 512. */
#include "plugin.h"

static pj_topology_description *describe(const char *name)
{
    pj_TopologyDescription_Create_args t = ARGS(TopologyDescription_Create);
    t.topology_name = name;
    t.topology_name_size = strlen(name);
    return CALL(TopologyDescription_Create, &t) ? t.topology : NULL;
}

static void forget(pj_topology_description *t)
{
    pj_TopologyDescription_Destroy_args end = ARGS(TopologyDescription_Destroy);
    end.topology = t;
    CHECK(CALL(TopologyDescription_Destroy, &end));
}

static size_t count(const pj_topology_description *t)
{
    pj_TopologyDescription_GetDeviceDescriptions_args d =
        ARGS(TopologyDescription_GetDeviceDescriptions);
    d.topology = t;
    return CALL(TopologyDescription_GetDeviceDescriptions, &d) ? d.num_descriptions : 0;
}

static uint64_t fingerprint(const pj_topology_description *t)
{
    pj_TopologyDescription_Fingerprint_args f = ARGS(TopologyDescription_Fingerprint);
    f.topology = t;
    return CALL(TopologyDescription_Fingerprint, &f) ? f.fingerprint : 0;
}

static void check_names(void)
{
    static const struct {
        const char *name;
        size_t n;
    } good[] = {{"8", 8}, {"16x32", 512}, {"tessera:4096", 4096}, {"2x2x2", 8}, {"", 3}};
    static const char *const bad[] = {"many", "0", "4097", "64x65", "2x", "-8", "8 "};
    setenv("TESSERA_DEVICES", "3", 1);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        pj_topology_description *t = describe(good[i].name);
        CHECK(t && count(t) == good[i].n);
        forget(t);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!describe(bad[i]) && refused_with(PJ_INVALID_ARGUMENT, "is no topology"));
}

static void check_bytes(void)
{
    pj_topology_description *t = describe("2x4"), *other = describe("16");
    pj_TopologyDescription_Serialize_args s = ARGS(TopologyDescription_Serialize);
    pj_TopologyDescription_Deserialize_args d = ARGS(TopologyDescription_Deserialize);
    s.topology = t;
    CHECK(CALL(TopologyDescription_Serialize, &s));
    d.serialized_topology = s.serialized_bytes;
    d.serialized_topology_size = s.serialized_bytes_size;
    CHECK(CALL(TopologyDescription_Deserialize, &d) && count(d.topology) == 8);
    CHECK(fingerprint(t) == fingerprint(d.topology) && fingerprint(t) != fingerprint(other));
    s.serialized_topology_deleter(s.serialized_topology);
    forget(d.topology);
    d.serialized_topology = "\xff\xff";
    d.serialized_topology_size = 2;
    CHECK(!CALL(TopologyDescription_Deserialize, &d) && code == PJ_INVALID_ARGUMENT);
    forget(t);
    forget(other);
}

static pj_executable *compile_for(const pj_topology_description *t)
{
    static const char large[] =
        "module @large attributes {mhlo.num_partitions = 512 : i32} {\n"
        "  sdy.mesh @mesh = <[\"x\"=16, \"y\"=32]>\n"
        "  func.func @main(%a: tensor<1024x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, "
        "{\"y\"}]>}) -> tensor<f32> {\n"
        "    %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "    %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 1] : "
        "(tensor<1024x64xf32>, tensor<f32>) -> tensor<f32>\n"
        "    return %0 : tensor<f32>\n"
        "  }\n"
        "}\n";
    static const char options[] = {0x1a, 5, 0x20, 1, 0x28, (char)0x80, 4};
    pj_program p = {.struct_size = sizeof p,
                    .code = (char *)large,
                    .code_size = sizeof large - 1,
                    .format = "mlir",
                    .format_size = 4};
    pj_Compile_args a = ARGS(Compile);
    a.topology = t;
    a.program = &p;
    a.compile_options = options;
    a.compile_options_size = sizeof options;
    return CALL(Compile, &a) ? a.executable : NULL;
}

static void check_512(void)
{
    pj_topology_description *t = describe("16x32"), *small = describe("8");
    CHECK(!compile_for(small) && refused_with(PJ_INVALID_ARGUMENT, "the topology has 8"));
    pj_executable *x = compile_for(t);
    CHECK(x != NULL);
    if (!x)
        return;
    pj_Executable_NumPartitions_args n = ARGS(Executable_NumPartitions);
    pj_Executable_OptimizedProgram_args o = ARGS(Executable_OptimizedProgram);
    static char text[65536];
    pj_program p = {.struct_size = sizeof p};
    n.executable = o.executable = x;
    o.program = &p;
    CHECK(CALL(Executable_NumPartitions, &n) && n.num_partitions == 512);
    CHECK(CALL(Executable_OptimizedProgram, &o) && p.code_size < sizeof text - 1);
    p.code = text;
    CHECK(CALL(Executable_OptimizedProgram, &o) && strstr(text, "tensor<64x2xf32>") &&
          strstr(text, "stablehlo.all_reduce"));
    p.code_size = 10;
    CHECK(!CALL(Executable_OptimizedProgram, &o) &&
          refused_with(PJ_INVALID_ARGUMENT, "room for 10"));
    /* It cannot be loaded where the devices are not. */
    pj_client *c = open_client("2");
    pj_Client_Load_args l = ARGS(Client_Load);
    l.client = c;
    l.executable = x;
    CHECK(!CALL(Client_Load, &l) && refused_with(PJ_INVALID_ARGUMENT, "TESSERA_DEVICES"));
    CHECK(close_client(c));
    destroy_executable(x);
    forget(t);
    forget(small);
}

void test_topologies(void)
{
    check_names();
    check_bytes();
    check_512();
}
