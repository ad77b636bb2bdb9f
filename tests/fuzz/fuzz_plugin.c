/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_plugin.c - the PJRT plugin under a fuzzer. An input is eight bytes, the length of CompileOptionsProto, the options, and a
 * program as text or bytecode; or an executable as the plugin serializes it. It is compiled, or loaded, asked for all that it says of itself, serialized and loaded again, and run on zeros, within limits. What is refused must have a code and a reason; the
 * client works on. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

const pj_api *GetPjrtApi(void);

#define ARGS(name)                              \
    {                                           \
        .struct_size = sizeof(pj_##name##_args) \
    }
#define CALL(name, args) went_well(GetPjrtApi()->name(args))

static bool went_well(pj_error *e)
{
    if (!e)
        return true;
    fuzz_must(pj_error_kind(e) != PJ_OK && *pj_error_text(e), "refused without a reason");
    pj_error_free(e);
    return false;
}

enum { DEVICES = 4, HEAD = 16 };

static pj_client *client(void)
{
    static pj_client *one;
    if (one)
        return one;
    setenv("TESSERA_DEVICES", "4", 1);
    setenv("TESSERA_MAX_STEPS", "20000", 1);
    setenv("TESSERA_MAX_SECONDS", "3", 1);
    setenv("TESSERA_MAX_BYTES", "268435456", 1);
    setenv("TESSERA_MAX_OPS", "200000", 1);
    pj_Client_Create_args c = ARGS(Client_Create);
    fuzz_must(CALL(Client_Create, &c), "no client");
    return one = c.client;
}

/* ---- What a program says of itself ---- */

static void ask(pj_loaded_executable *x)
{
    pj_LoadedExecutable_GetExecutable_args g = ARGS(LoadedExecutable_GetExecutable);
    pj_LoadedExecutable_GetDeviceAssignment_args d = ARGS(LoadedExecutable_GetDeviceAssignment);
    g.loaded_executable = d.executable = x;
    fuzz_must(CALL(LoadedExecutable_GetExecutable, &g), "no executable");
    fuzz_must(CALL(LoadedExecutable_GetDeviceAssignment, &d), "no device assignment");
    d.serialized_device_assignment_deleter(d.serialized_device_assignment);
    pj_Executable_GetCostAnalysis_args cost = ARGS(Executable_GetCostAnalysis);
    pj_Executable_GetCompiledMemoryStats_args memory = ARGS(Executable_GetCompiledMemoryStats);
    pj_Executable_OptimizedProgram_args shown = ARGS(Executable_OptimizedProgram);
    pj_Executable_Serialize_args bytes = ARGS(Executable_Serialize);
    pj_program program = {.struct_size = sizeof program};
    cost.executable = memory.executable = shown.executable = g.executable;
    bytes.executable = g.executable;
    shown.program = &program;
    CALL(Executable_GetCostAnalysis, &cost);
    fuzz_must(CALL(Executable_GetCompiledMemoryStats, &memory) && memory.temp_size_in_bytes >= 0,
              "no memory stats");
    CALL(Executable_OptimizedProgram, &shown);
    fuzz_must(CALL(Executable_Serialize, &bytes), "it cannot be serialized");
    pj_Executable_DeserializeAndLoad_args again = ARGS(Executable_DeserializeAndLoad);
    again.client = client();
    again.serialized_executable = bytes.serialized_bytes;
    again.serialized_executable_size = bytes.serialized_bytes_size;
    if (CALL(Executable_DeserializeAndLoad, &again)) { /* or out of time */
        pj_LoadedExecutable_Destroy_args end = ARGS(LoadedExecutable_Destroy);
        fuzz_must(!strcmp(again.loaded_executable->program->fingerprint, x->program->fingerprint),
                  "another fingerprint");
        end.executable = again.loaded_executable;
        CALL(LoadedExecutable_Destroy, &end);
    }
    bytes.serialized_executable_deleter(bytes.serialized_executable);
    pj_Executable_Destroy_args end = ARGS(Executable_Destroy);
    end.executable = g.executable;
    CALL(Executable_Destroy, &end);
}

/* ---- Running it ---- */

static pj_buffer *zeros(pj_device *d, const pj_port *port)
{
    static const int64_t none[] = {0};
    bool token = port->type == PJ_TOKEN;
    pj_Client_CreateUninitializedBuffer_args a = ARGS(Client_CreateUninitializedBuffer);
    a.client = client();
    a.device = d;
    a.shape_dims = token ? none : port->dims;
    a.shape_num_dims = token ? 1 : port->rank;
    a.shape_element_type = token ? PJ_PRED : port->type;
    return CALL(Client_CreateUninitializedBuffer, &a) ? a.buffer : NULL;
}

static void free_buffers(pj_buffer **list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pj_Buffer_Destroy_args a = ARGS(Buffer_Destroy);
        a.buffer = list[i];
        CALL(Buffer_Destroy, &a);
    }
}

static void run(pj_loaded_executable *x)
{
    enum { MOST = 64 };
    const pj_compiled *p = x->program;
    size_t n = x->ndevices;
    pj_buffer *in[DEVICES * MOST] = {0}, *out[DEVICES * MOST] = {0};
    pj_buffer *const *ins[DEVICES];
    pj_buffer **outs[DEVICES];
    pj_event *done[DEVICES] = {0};
    bool ok = n <= DEVICES && p->nin <= MOST && p->nout <= MOST;
    for (size_t i = 0; ok && i < n * p->nin; i++) {
        const pj_port *port = &p->in[i % p->nin];
        ok = port->bytes < 1 << 20;
        in[i] = ok ? zeros(x->devices[i / p->nin], port) : NULL;
        ok = in[i] != NULL;
    }
    for (size_t d = 0; ok && d < n; d++) {
        ins[d] = in + d * p->nin;
        outs[d] = out + d * p->nout;
    }
    pj_LoadedExecutable_Execute_args a = ARGS(LoadedExecutable_Execute);
    a.executable = x;
    a.argument_lists = ins;
    a.num_devices = n;
    a.num_args = p->nin;
    a.output_lists = outs;
    a.device_complete_events = done;
    if (ok && CALL(LoadedExecutable_Execute, &a))
        for (size_t d = 0; d < n; d++) {
            pj_Event_Await_args w = ARGS(Event_Await);
            pj_Event_Destroy_args end = ARGS(Event_Destroy);
            w.event = end.event = done[d];
            CALL(Event_Await, &w);
            CALL(Event_Destroy, &end);
        }
    free_buffers(in, DEVICES * MOST);
    free_buffers(out, DEVICES * MOST);
}

static void try(pj_loaded_executable *x)
{
    pj_LoadedExecutable_Destroy_args end = ARGS(LoadedExecutable_Destroy);
    end.executable = x;
    ask(x);
    run(x);
    CALL(LoadedExecutable_Destroy, &end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    pj_Executable_DeserializeAndLoad_args l = ARGS(Executable_DeserializeAndLoad);
    l.client = client();
    l.serialized_executable = bytes;
    l.serialized_executable_size = size;
    if (CALL(Executable_DeserializeAndLoad, &l))
        try(l.loaded_executable);
    uint64_t n = 0;
    if (size >= HEAD)
        memcpy(&n, bytes + 8, sizeof n);
    if (size < HEAD || n > size - HEAD)
        return 0;
    pj_program p = {.struct_size = sizeof p,
                    .code = (char *)bytes + HEAD + n,
                    .code_size = size - HEAD - n,
                    .format = "mlir",
                    .format_size = 4};
    pj_Client_Compile_args c = ARGS(Client_Compile);
    c.client = client();
    c.program = &p;
    c.compile_options = bytes + HEAD;
    c.compile_options_size = n;
    if (CALL(Client_Compile, &c))
        try(c.executable);
    return 0;
}

/* The program as text or bytecode, most of the time; else the options, or anything. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t rng = seed, n = 0;
    if (size >= HEAD)
        memcpy(&n, data + 8, sizeof n);
    if (size < HEAD || n > size - HEAD || below(&rng, 8) == 0)
        return LLVMFuzzerMutate(data, size, most);
    uint8_t *program = data + HEAD + n;
    size_t len = size - HEAD - n;
    if (below(&rng, 4) == 0) { /* the options, which stay as long as they are */
        if (n)
            data[HEAD + below(&rng, (uint32_t)n)] = (uint8_t)below(&rng, 256);
        return size;
    }
    if (len < 8 || memcmp(program, "ML\xEFR", 4))
        return HEAD + n + fuzz_mutate_text(program, len, most - HEAD - n, &rng);
    text t = {malloc(len + 1), len}, same = {malloc(len + 1), len};
    fuzz_must(t.data && same.data, "no memory");
    memcpy(t.data, program, len);
    memcpy(same.data, program, len);
    mutate_bytes(&t, &same, &rng);
    if (HEAD + n + t.len <= most)
        memcpy(program, t.data, len = t.len);
    free(t.data);
    free(same.data);
    return HEAD + n + len;
}
