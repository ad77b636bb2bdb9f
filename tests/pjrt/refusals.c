/* SPDX-License-Identifier: Apache-2.0 */
/* refusals.c - what is wrong is an error with a code and a reason, and nothing else goes wrong. */
#include "plugin.h"

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
    CHECK(!compile(c, twice, strlen(twice), override, sizeof override) &&
          strstr(said, "No such compile option: 'bad'"));
    CHECK(!compile(c, twice, strlen(twice), value, sizeof value - 1) &&
          strstr(said, "'optimization_level' is not a valid int value"));
    CHECK(!compile(c, twice, strlen(twice), many, sizeof many));
    CHECK(!compile(c, sharded, strlen(sharded), one, sizeof one));
    for (size_t n = 1; n < sizeof two; n++) { /* cut short */
        pj_loaded_executable *x = compile(c, sharded, strlen(sharded), two, n);
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

/* Arguments that do not fit are refused with what is wrong with them. */
static void check_arguments(pj_client *c, pj_device *const *devices)
{
    static const int64_t three[] = {3}, two_dims[] = {1, 2}, pair[] = {2};
    static const int32_t numbers[3] = {1, 2, 3};
    pj_loaded_executable *x = compile(c, twice, strlen(twice), one, sizeof one);
    pj_event *done;
    pj_buffer *good = put_floats(c, devices[0], 1, 2), *other = put_floats(c, devices[0], 3, 4);
    pj_buffer *long_one = put(c, devices[0], F32, numbers, three, 1, NULL, PJ_DURING_CALL, &done);
    await(done);
    pj_buffer *deep = put(c, devices[0], F32, numbers, two_dims, 2, NULL, PJ_DURING_CALL, &done);
    await(done);
    pj_buffer *whole = put(c, devices[0], S32, numbers, pair, 1, NULL, PJ_DURING_CALL, &done);
    await(done);
    pj_buffer *away = put_floats(c, devices[1], 1, 2);
    const struct {
        pj_buffer *first, *second;
        const char *text;
    } wrong[] = {
        {good, long_one, "argument 1 of device 0 is tensor<3xf32>; the parameter is tensor<2xf32>"},
        {deep, good, "argument 0 of device 0 is tensor<1x2xf32>"},
        {whole, good, "is tensor<2xi32>"},
        {good, away, "argument 1 is a buffer of device 1; the program runs on device 0"},
        {NULL, good, "argument 0 of device 0 is NULL"},
        {good, good, "donate the same buffer twice"}};
    pj_buffer *in[2], *out[2] = {0};
    pj_buffer *const *ins[] = {in};
    pj_buffer **const outs[] = {out};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        in[0] = wrong[i].first;
        in[1] = wrong[i].second;
        CHECK(!execute(x, ins, 1, 2, outs) && refused_with(PJ_INVALID_ARGUMENT, wrong[i].text));
    }
    /* A call that failed took nothing. */
    float got[2];
    in[0] = good;
    in[1] = other;
    CHECK(!execute(x, ins, 1, 1, outs) && refused_with(PJ_INVALID_ARGUMENT, "has 2 arguments, 1"));
    CHECK(!execute(x, ins, 2, 2, outs) &&
          refused_with(PJ_INVALID_ARGUMENT, "for 1 devices, not 2"));
    CHECK(execute(x, ins, 1, 2, outs) && get(out[0], got, sizeof got) && got[0] == 4);
    CHECK(!get(good, got, sizeof got) && refused_with(PJ_INVALID_ARGUMENT, "deleted or donated"));
    pj_LoadedExecutable_Delete_args del = ARGS(LoadedExecutable_Delete);
    del.executable = x;
    CHECK(CALL(LoadedExecutable_Delete, &del) && !execute(x, ins, 1, 2, outs) &&
          refused_with(PJ_INVALID_ARGUMENT, "was deleted"));
    pj_buffer *all[] = {good, other, long_one, deep, whole, away, out[0], out[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        drop(all[i]);
    unload(x);
}

/* What is donated or deleted cannot be used, whatever the way; a pointer to its data keeps the data. */
static void check_gone(pj_client *c, pj_device *const *devices)
{
    pj_buffer *b = put_floats(c, devices[0], 1, 2);
    pj_Buffer_UnsafePointer_args p = ARGS(Buffer_UnsafePointer);
    pj_Buffer_CopyToDevice_args copy = ARGS(Buffer_CopyToDevice);
    pj_Buffer_CopyRawToHost_args raw = ARGS(Buffer_CopyRawToHost);
    pj_Buffer_IncreaseExternalReferenceCount_args more =
        ARGS(Buffer_IncreaseExternalReferenceCount);
    pj_Buffer_DecreaseExternalReferenceCount_args less =
        ARGS(Buffer_DecreaseExternalReferenceCount);
    pj_Buffer_Delete_args del = ARGS(Buffer_Delete);
    p.buffer = copy.buffer = raw.buffer = more.buffer = less.buffer = del.buffer = b;
    copy.dst_device = devices[1];
    float got[2];
    raw.dst = got;
    raw.transfer_size = 8;
    CHECK(CALL(Buffer_IncreaseExternalReferenceCount, &more) && CALL(Buffer_UnsafePointer, &p));
    CHECK(CALL(Buffer_Delete, &del));
    CHECK(((const float *)p.buffer_pointer)[1] == 2);
    CHECK(!CALL(Buffer_UnsafePointer, &p) &&
          refused_with(PJ_INVALID_ARGUMENT, "deleted or donated"));
    CHECK(!CALL(Buffer_CopyToDevice, &copy) && !CALL(Buffer_CopyRawToHost, &raw) &&
          !CALL(Buffer_IncreaseExternalReferenceCount, &more));
    CHECK(CALL(Buffer_DecreaseExternalReferenceCount, &less) &&
          !CALL(Buffer_DecreaseExternalReferenceCount, &less));
    drop(b);
}

/* After shutdown every call says so; what was handed out before stays readable. */
static void check_shutdown(void)
{
    pj_client *c = open_client("2");
    pj_device *d = devices_of(c)[0];
    pj_loaded_executable *x = compile(c, twice, strlen(twice), one, sizeof one);
    pj_executable *e = executable_of(x);
    pj_buffer *in[] = {put_floats(c, d, 1, 2), put_floats(c, d, 3, 4)}, *out[2] = {0};
    pj_buffer *const *ins[] = {in};
    pj_buffer **const outs[] = {out};
    pj_Client_Load_args l = ARGS(Client_Load);
    pj_Client_LookupDevice_args look = ARGS(Client_LookupDevice);
    float got[2];
    l.client = look.client = c;
    l.executable = e;
    CHECK(close_client(c));
    CHECK(!close_client(c) && refused_with(PJ_FAILED_PRECONDITION, "was shut down"));
    CHECK(!devices_of(c) && code == PJ_FAILED_PRECONDITION);
    CHECK(!put_floats(c, d, 1, 2) && code == PJ_FAILED_PRECONDITION);
    CHECK(!compile(c, twice, strlen(twice), one, sizeof one) && code == PJ_FAILED_PRECONDITION);
    CHECK(!execute(x, ins, 1, 2, outs) && code == PJ_FAILED_PRECONDITION);
    CHECK(!CALL(Client_Load, &l) && !CALL(Client_LookupDevice, &look) &&
          code == PJ_FAILED_PRECONDITION);
    CHECK(get(in[1], got, sizeof got) && got[1] == 4);
    drop(in[0]);
    drop(in[1]);
    destroy_executable(e);
    unload(x);
    CHECK(!devices_of(c) && code == PJ_FAILED_PRECONDITION); /* nothing of it is left now */
}

/* Too few devices, another format, another layout. */
static void check_programs(pj_client *c)
{
    static const char column[] =
        "func.func @main(%a: tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}) -> tensor<2x3xf32> {\n"
        "  return %a : tensor<2x3xf32>\n}\n";
    static const char row[] =
        "func.func @main(%a: tensor<2x3xf32> {mhlo.layout_mode = \"{1,0}\"}) -> (tensor<2x3xf32> "
        "{mhlo.layout_mode = \"auto\"}) {\n  return %a : tensor<2x3xf32>\n}\n";
    CHECK(!compile(c, column, sizeof column - 1, one, sizeof one) &&
          refused_with(PJ_UNIMPLEMENTED, "layout {0,1}"));
    pj_loaded_executable *x = compile(c, row, sizeof row - 1, one, sizeof one);
    CHECK(x != NULL);
    unload(x);
    /* ShapeProto of two dimensions, the first one minor; then the last. */
    static const char by_column[] = {0x0a, 6, 0x2a, 4, 0x0a, 2, 0, 1, 0x1a, 4, 0x20, 1, 0x28, 1},
                      by_row[] = {0x0a, 6, 0x2a, 4, 0x0a, 2, 1, 0, 0x1a, 4, 0x20, 1, 0x28, 1};
    CHECK(!compile(c, row, sizeof row - 1, by_column, sizeof by_column) &&
          refused_with(PJ_UNIMPLEMENTED, "another layout"));
    x = compile(c, row, sizeof row - 1, by_row, sizeof by_row);
    CHECK(x != NULL);
    unload(x);
    pj_client *single = open_client("1");
    CHECK(!compile(single, sharded, strlen(sharded), two, sizeof two) &&
          refused_with(PJ_INVALID_ARGUMENT, "the client has 1 (TESSERA_DEVICES"));
    CHECK(close_client(single));
}

void test_refusals(void)
{
    pj_client *c = open_client("2");
    check_refused(c);
    check_arguments(c, devices_of(c));
    check_gone(c, devices_of(c));
    check_programs(c);
    CHECK(close_client(c));
    check_shutdown();
}
