/* SPDX-License-Identifier: Apache-2.0 */
/* test_metal.c - queues of commands of TTMetal that our writer does not make: each is read as what it says, or refused by name. */
#include "api/api.h"
#include "lower/ttnn/device.h"
#include "target/flatbuffer/program.h"
#include "text/text.h"
#include "unit.h"

typedef struct {
    unit *u;
    tsr_ctx *ctx;
    diag_log log;
    tsr_arena arena;
    tsr_fb_table *root, *program, *device, *queue;
    tsr_fb_value *commands;
    size_t n;
} world;

static void start(world *w, size_t ncommand)
{
    tsr_arena *a = &w->arena;
    tsr_fb_conv c = {.ctx = w->ctx, .arena = a};
    tsr_fb_table *desc = NULL;
    w->root = tsr_fb_table_new(a, &tsr_fb_TTMetalBinary);
    CHECK(w->u,
          tsr_fb_of_struct(&c, tsr_ttcore_describe(w->ctx, TSR_STR("wormhole_b0"), 1), &desc));
    tsr_map_free(&c.sound);
    tsr_fb_set_sub(w->root, "system_desc", desc);
    w->program = tsr_fb_table_new(a, &tsr_fb_MetalProgram);
    w->device = tsr_fb_table_new(a, &tsr_fb_DeviceProgram);
    w->queue = tsr_fb_table_new(a, &tsr_fb_CommandQueue);
    tsr_fb_set_text(w->program, "name", TSR_STR("f"));
    *tsr_fb_set_list(a, w->root, "programs", 1) = (tsr_fb_value){.table = w->program, .set = true};
    *tsr_fb_set_list(a, w->program, "device_programs", 1) =
        (tsr_fb_value){.table = w->device, .set = true};
    *tsr_fb_set_list(a, w->device, "command_queues", 1) =
        (tsr_fb_value){.table = w->queue, .set = true};
    w->commands = tsr_fb_set_list(a, w->queue, "commands", ncommand);
    w->n = 0;
}

static tsr_fb_table *command(world *w, const tsr_fb_type *type)
{
    tsr_fb_table *c = tsr_fb_table_new(&w->arena, &tsr_fb_Command);
    *tsr_fb_at(c, "type") =
        (tsr_fb_value){.table = tsr_fb_table_new(&w->arena, type),
                       .tag = (uint8_t)(1 + tsr_fb_find(&tsr_fb_CommandType, tsr_cstr(type->name))),
                       .set = true};
    w->commands[w->n++] = (tsr_fb_value){.table = c, .set = true};
    return tsr_fb_sub(c, "type");
}

/* A buffer of numbers of a data type. */
static tsr_fb_table *buffer(world *w, int64_t id, int64_t n, const char *data_type)
{
    tsr_fb_table *ref = tsr_fb_table_new(&w->arena, &tsr_fb_BufferRef),
                 *desc = tsr_fb_add_sub(&w->arena, ref, "desc");
    tsr_fb_set_int(ref, "global_id", id);
    tsr_fb_set_ints(&w->arena, desc, "shape", &n, 1);
    tsr_fb_set_int(desc, "data_type", tsr_fb_number(&tsr_fb_DataType, tsr_cstr(data_type)));
    return ref;
}

static void give_back(world *w, tsr_fb_table *ref)
{
    *tsr_fb_set_list(&w->arena, command(w, &tsr_fb_ReturnCommand), "results", 1) =
        (tsr_fb_value){.table = ref, .set = true};
}

/* Whether the module that the commands are has the text, or they are refused with it. */
static bool says(world *w, const char *text, bool good)
{
    tsr_module *m = tsr_fb_module_of(w->ctx, w->root, TSR_STR("x.ttm"));
    bool verified = m && tsr_verify(m->op);
    tsr_buf out = {0};
    if (m)
        tsr_print_module(&out, m, &(tsr_print_options){.elide_larger = -1});
    tsr_buf *where = good ? &out : &w->log.text;
    tsr_buf_char(where, 0);
    bool ok = verified == good && strstr(where->data, text);
    if (!ok)
        fprintf(stderr, "expected %s, found %s%.*s\n", text, out.data ? out.data : "",
                (int)w->log.text.len, w->log.text.data ? w->log.text.data : "");
    tsr_buf_free(&out);
    tsr_buf_free(&w->log.text);
    if (m)
        tsr_module_free(m);
    return ok;
}

static void test_read(world *w)
{
    static const char numbers[] = {1, 0, 0, 0, 2, 0, 0, 0};
    start(w, 4);
    tsr_fb_table *made = command(w, &tsr_fb_HostAllocCommand), *ref = buffer(w, 1, 2, "UInt32");
    tsr_fb_set_sub(made, "dst", ref);
    tsr_fb_set_text(made, "data", (tsr_str){numbers, sizeof numbers});
    tsr_fb_table *copied = command(w, &tsr_fb_MemrefCopyCommand),
                 *other = buffer(w, 2, 2, "UInt32");
    tsr_fb_set_sub(copied, "src", ref);
    tsr_fb_set_sub(copied, "dst", other);
    command(w, &tsr_fb_FinishCommand);
    give_back(w, other);
    CHECK(w->u, says(w, "dense<[1, 2]> : tensor<2xui32>", true));
    /* Without data, zeros. */
    tsr_fb_at(made, "data")->set = false;
    CHECK(w->u, says(w, "dense<0> : tensor<2xui32>", true));
    /* A function that is not there is declared: it cannot run, and can be looked at. */
    start(w, 2);
    tsr_fb_table *cpu = command(w, &tsr_fb_CpuCommand);
    *tsr_fb_set_list(&w->arena, cpu, "outs", 1) = (tsr_fb_value){.table = ref, .set = true};
    tsr_fb_set_text(cpu, "func_name", TSR_STR("elsewhere"));
    give_back(w, ref);
    CHECK(w->u, says(w, "func.func private @elsewhere() -> tensor<2xui32>", true));
}

static void test_refused(world *w)
{
    tsr_fb_table *ref = buffer(w, 1, 2, "Float32"), *t;
    start(w, 1);
    command(w, &tsr_fb_EnqueueProgramCommand);
    CHECK(w->u,
          says(w, "EnqueueProgramCommand: is for a device, whose kernels are not run here", false));
    start(w, 1);
    CHECK(w->u, (tsr_fb_at(w->queue, "commands")->n = 0, says(w, "gives nothing back", false)));
    start(w, 1);
    give_back(w, ref);
    CHECK(w->u, says(w, "buffer 1 was not made before", false));
    start(w, 2);
    tsr_fb_set_list(&w->arena, command(w, &tsr_fb_ReturnCommand), "results", 0);
    command(w, &tsr_fb_FinishCommand);
    CHECK(w->u, says(w, "comes after the results were given back", false));
    start(w, 1);
    t = command(w, &tsr_fb_HostAllocCommand);
    CHECK(w->u, says(w, "a buffer is missing", false));
    start(w, 1);
    t = command(w, &tsr_fb_HostAllocCommand);
    tsr_fb_set_sub(t, "dst", ref);
    tsr_fb_set_text(t, "data", TSR_STR("abc"));
    CHECK(w->u, says(w, "has 3 bytes for 2 elements", false));
    start(w, 1);
    t = command(w, &tsr_fb_HostAllocCommand);
    tsr_fb_set_sub(t, "dst", buffer(w, 1, 2, "BFP_BFloat8"));
    CHECK(w->u, says(w, "is no tensor that hosts compute with", false));
    start(w, 1);
    t = command(w, &tsr_fb_HostAllocCommand);
    tsr_fb_set_sub(t, "dst", buffer(w, 1, -2, "Float32"));
    CHECK(w->u, says(w, "is no tensor that hosts compute with", false));
    start(w, 1);
    t = command(w, &tsr_fb_CpuCommand);
    CHECK(w->u, says(w, "calls nothing", false));
    start(w, 1);
    tsr_fb_at(w->device, "command_queues")->n = 0;
    CHECK(w->u, says(w, "command_queues are not one", false));
    start(w, 3);
    t = command(w, &tsr_fb_HostAllocCommand);
    tsr_fb_set_sub(t, "dst", ref);
    t = command(w, &tsr_fb_MeshShardCommand);
    tsr_fb_set_sub(t, "src", ref);
    CHECK(w->u, says(w, "a buffer is missing", false));
    tsr_fb_set_sub(t, "dst", buffer(w, 2, 1, "Float32"));
    tsr_fb_set_int(t, "shard_type", 7);
    CHECK(w->u, says(w, "parts tensors in no way that is known", false));
}

/* The function of a command is given other tensors than it takes. */
static void test_fits(world *w)
{
    static const char text[] = "module { func.func @host(%a: tensor<3xf32>) -> tensor<3xf32> { "
                               "return %a : tensor<3xf32> } }";
    tsr_fb_table *ref = buffer(w, 1, 2, "Float32"), *library;
    start(w, 2);
    library = tsr_fb_table_new(&w->arena, &tsr_fb_DynamicLib);
    tsr_fb_set_text(library, "raw_file", TSR_STR(text));
    *tsr_fb_set_list(&w->arena, w->root, "dylibs", 1) =
        (tsr_fb_value){.table = library, .set = true};
    *tsr_fb_set_list(&w->arena, w->device, "inputs", 1) = (tsr_fb_value){.table = ref, .set = true};
    tsr_fb_table *cpu = command(w, &tsr_fb_CpuCommand);
    tsr_fb_set_text(cpu, "func_name", TSR_STR("host"));
    *tsr_fb_set_list(&w->arena, cpu, "ins", 1) = (tsr_fb_value){.table = ref, .set = true};
    CHECK(w->u, says(w, "function 'host' takes or gives other tensors", false));
}

void test_metal(unit *u)
{
    world w = {.u = u, .ctx = tsr_ctx_new()};
    tsr_ctx_on_diag(w.ctx, unit_log, &w.log);
    tsr_arena_init(&w.arena);
    test_read(&w);
    test_refused(&w);
    test_fits(&w);
    tsr_arena_free(&w.arena);
    tsr_ctx_free(w.ctx);
}
