/* SPDX-License-Identifier: Apache-2.0 */
/* executable.c - executables: handles of compiled programs. A loaded one also has devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

#define GIVE(text, data, size) ((data) = (text), (size) = strlen(text))

/* ---- Creation ---- */

static pj_error *new_executable(pj_compiled *p, pj_executable **out)
{
    *out = tsr_calloc(1, sizeof **out);
    if (!*out)
        return pj_no_memory();
    (*out)->program = pj_compiled_ref(p);
    return NULL;
}

static void free_loaded(pj_loaded_executable *x)
{
    if (!x)
        return;
    pj_compiled_unref(x->program);
    pj_client_unref(x->client);
    tsr_free(x->devices);
    tsr_free(x->ids);
    tsr_free(x->local);
    tsr_free(x->local_ids);
    pj_joint_unref(x->joint);
    tsr_free(x);
}

pj_joint *pj_joint_ref(pj_joint *j)
{
    if (j)
        atomic_fetch_add(&j->refs, 1);
    return j;
}

void pj_joint_unref(pj_joint *j)
{
    if (!j || atomic_fetch_sub(&j->refs, 1) != 1)
        return;
    tsr_free(j->ranks);
    tsr_free(j->places);
    tsr_free(j);
}

static uint64_t mix(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

/* Stands for the program in the form that runs, without locations, which may differ between processes. */
static pj_error *identify(pj_compiled *p, uint64_t *out)
{
    pthread_mutex_lock(&p->lock);
    tsr_str text = tsr_module_print(p->module, NULL);
    pthread_mutex_unlock(&p->lock);
    *out = mix(0xcbf29ce484222325u, text.data, text.len);
    tsr_free((void *)text.data);
    return text.data ? NULL : pj_no_memory();
}

/* A program with devices of other processes too. */
static pj_error *new_joint(pj_loaded_executable *x)
{
    pj_joint *j = x->joint = tsr_calloc(1, sizeof *j);
    if (!j)
        return pj_no_memory();
    atomic_init(&j->refs, 1);
    j->ndevices = x->ndevices;
    j->ranks = tsr_calloc(x->ndevices, sizeof *j->ranks);
    j->places = tsr_calloc(x->nlocal + 1, sizeof *j->places);
    if (!j->ranks || !j->places)
        return pj_no_memory();
    j->list = mix(0xcbf29ce484222325u, &x->program->partitions, sizeof x->program->partitions);
    for (size_t i = 0, k = 0; i < x->ndevices; i++) {
        j->ranks[i] = (uint32_t)x->devices[i]->process;
        j->list = mix(j->list, &x->devices[i]->id, sizeof x->devices[i]->id);
        if (k < x->nlocal && x->local[k] == x->devices[i])
            j->places[k++] = i;
    }
    snprintf(j->name, sizeof j->name, "%s", x->program->name);
    return identify(x->program, &j->program);
}

/* The devices of this process. */
static pj_error *find_local(pj_loaded_executable *x)
{
    for (size_t i = 0; i < x->ndevices; i++)
        if ((uint64_t)x->devices[i]->process == x->client->settings.process) {
            x->local_ids[x->nlocal] = x->ids[i];
            x->local[x->nlocal++] = x->devices[i];
        }
    return x->nlocal < x->ndevices ? new_joint(x) : NULL;
}

static pj_error *find_devices(pj_loaded_executable *x, const pj_options *o)
{
    for (size_t i = 0; i < x->ndevices; i++) {
        int64_t id = o->devices ? o->devices[i] : (int64_t)i;
        x->devices[i] = pj_client_device(x->client, id);
        if (!x->devices[i])
            return pj_fail(PJ_INVALID_ARGUMENT,
                           "the program is for device %lld; the client has %zu (TESSERA_DEVICES "
                           "sets how many)",
                           (long long)id, x->client->topology->n);
        x->ids[i] = (pj_logical_device_ids){(int)(i / x->program->partitions),
                                            (int)(i % x->program->partitions)};
    }
    return find_local(x);
}

static pj_error *load(pj_client *c, pj_compiled *p, const pj_options *o, pj_loaded_executable **out)
{
    pj_error *e = pj_check_targets(p->module);
    if (e)
        return e;
    pj_loaded_executable *x = tsr_calloc(1, sizeof *x);
    if (!x)
        return pj_no_memory();
    x->client = c;
    pj_client_ref(c);
    x->program = pj_compiled_ref(p);
    x->ndevices = p->replicas * p->partitions;
    x->portable = o->portable || (x->ndevices == 1 && !o->devices);
    x->devices = tsr_calloc(x->ndevices, sizeof *x->devices);
    x->ids = tsr_calloc(x->ndevices, sizeof *x->ids);
    x->local = tsr_calloc(x->ndevices, sizeof *x->local);
    x->local_ids = tsr_calloc(x->ndevices, sizeof *x->local_ids);
    bool room = x->devices && x->ids && x->local && x->local_ids;
    e = room ? find_devices(x, o) : pj_no_memory();
    if (e) {
        free_loaded(x);
    } else {
        pj_sharding_enlist(p);
        *out = x;
    }
    return e;
}

static pj_error *check_format(const pj_program *p)
{
    if (p->format_size == 4 && !memcmp(p->format, "mlir", 4))
        return NULL;
    return pj_fail(PJ_UNIMPLEMENTED, "a program of format '%.*s'; only mlir can be compiled",
                   (int)(p->format_size < 40 ? p->format_size : 40), p->format);
}

static pj_error *compile(const pj_program *program, const char *options, size_t size,
                         const tsr_budget *budget, pj_options *o, pj_compiled **out)
{
    *o = (pj_options){0};
    pj_error *e = check_format(program);
    if (!e)
        e = pj_options_read(o, options, size);
    if (!e)
        e = pj_compile(program->code, program->code_size, options, size, o, budget, out);
    return e;
}

pj_error *pj_Client_Compile(pj_Client_Compile_args *args)
{
    pj_options o;
    pj_compiled *p = NULL;
    pj_error *e = pj_client_check(args->client);
    if (e)
        return e;
    e = compile(args->program, args->compile_options, args->compile_options_size,
                &args->client->settings.budget, &o, &p);
    if (!e)
        e = load(args->client, p, &o, &args->executable);
    pj_options_free(&o);
    pj_compiled_unref(p);
    return e;
}

pj_error *pj_Compile(pj_Compile_args *args)
{
    pj_options o;
    pj_compiled *p = NULL;
    pj_settings settings;
    pj_error *e = pj_settings_read(&settings, NULL, 0);
    if (e)
        return e;
    e = compile(args->program, args->compile_options, args->compile_options_size, &settings.budget,
                &o, &p);
    if (!e && p->replicas * p->partitions > args->topology->n)
        e = pj_fail(PJ_INVALID_ARGUMENT, "the program is for %zu devices, the topology has %zu",
                    p->replicas * p->partitions, args->topology->n);
    if (!e)
        e = new_executable(p, &args->executable);
    pj_options_free(&o);
    pj_compiled_unref(p);
    return e;
}

/* With the options that it was compiled with, or others. */
static pj_error *load_with(pj_client *c, pj_compiled *p, const char *options, size_t size,
                           pj_loaded_executable **out)
{
    pj_options o;
    pj_error *e = pj_client_check(c);
    if (!e)
        e = size ? pj_options_read(&o, options, size)
                 : pj_options_read(&o, p->options.data, p->options.len);
    if (e)
        return e;
    if ((size_t)o.replicas != p->replicas || (size_t)o.partitions != p->partitions)
        e = pj_fail(PJ_INVALID_ARGUMENT,
                    "the program was compiled for %zu replicas of %zu partitions", p->replicas,
                    p->partitions);
    else
        e = load(c, p, &o, out);
    pj_options_free(&o);
    return e;
}

pj_error *pj_Client_Load(pj_Client_Load_args *args)
{
    return load_with(args->client, args->executable->program, args->compile_options,
                     args->compile_options_size, &args->loaded_executable);
}

/* ---- Serialized form: a mark, the length of the options, the fingerprint, the options, the saved program
 * (docs/ENGINE.md) ---- */

static const char mark[8] = "TSRPJRT2";
enum { FINGERPRINT = 32, HEAD = sizeof mark + sizeof(uint64_t) + FINGERPRINT };

/* Finds the options of a serialized form; what follows them is the program. */
static bool find_options(const char *data, size_t size, tsr_str *options)
{
    uint64_t n = 0;
    if (size < HEAD || memcmp(data, mark, sizeof mark) != 0)
        return false;
    memcpy(&n, data + sizeof mark, sizeof n);
    *options = (tsr_str){data + HEAD, n};
    return n <= size - HEAD;
}

__attribute__((visibility("default"))) size_t TesseraSavedDevices(const char *data, size_t size,
                                                                  int64_t *ids, size_t max);

/* The devices that a serialized program was compiled for: their number, and the ids of at most max. 0: it is none. */
size_t TesseraSavedDevices(const char *data, size_t size, int64_t *ids, size_t max)
{
    tsr_str options;
    pj_options o;
    pj_error *e = NULL;
    if (!find_options(data, size, &options) ||
        (e = pj_options_read(&o, options.data, options.len)) != NULL) {
        pj_error_free(e);
        return 0;
    }
    size_t n = (size_t)(o.replicas * o.partitions);
    for (size_t i = 0; i < n && i < max; i++)
        ids[i] = o.devices ? o.devices[i] : (int64_t)i;
    pj_options_free(&o);
    return n;
}

/* The program in the form that runs; with TESSERA_ENGINE=reference it has not been compiled before. */
static tsr_str save(const pj_compiled *p)
{
    if (p->executable)
        return tsr_executable_save(p->executable, NULL);
    const tsr_compile_options options = {.per_device = p->spmd};
    tsr_executable *x = tsr_module_compile(p->module, tsr_cstr("main"), &options, NULL);
    tsr_str bytes = x ? tsr_executable_save(x, NULL) : (tsr_str){NULL, 0};
    tsr_executable_free(x);
    return bytes;
}

pj_error *pj_Executable_Serialize(pj_Executable_Serialize_args *args)
{
    pj_compiled *p = args->executable->program;
    if (p->calls_back)
        return pj_fail(PJ_UNIMPLEMENTED,
                       "a program that calls back into this process cannot be saved");
    pj_bytes *b = pj_bytes_copy(mark, sizeof mark);
    uint64_t n = p->options.len;
    if (!b)
        return pj_no_memory();
    pthread_mutex_lock(&p->lock);
    tsr_str program = save(p);
    pthread_mutex_unlock(&p->lock);
    if (!program.data) {
        pj_bytes_delete(b);
        const tsr_status *why = tsr_ctx_last_error(p->ctx);
        return pj_fail(why->code == TSR_ENVIRONMENT ? PJ_RESOURCE_EXHAUSTED : PJ_INTERNAL,
                       "the program cannot be saved: %s", why->message);
    }
    pj_bytes_add(b, &n, sizeof n);
    pj_bytes_add(b, p->fingerprint, FINGERPRINT);
    pj_bytes_add(b, p->options.data, p->options.len);
    pj_bytes_add(b, program.data, program.len);
    tsr_free((void *)program.data);
    if (b->failed) {
        pj_bytes_delete(b);
        return pj_no_memory();
    }
    args->serialized_executable = b;
    args->serialized_bytes = b->data;
    args->serialized_bytes_size = b->len;
    args->serialized_executable_deleter = pj_bytes_delete;
    return NULL;
}

pj_error *pj_Executable_DeserializeAndLoad(pj_Executable_DeserializeAndLoad_args *args)
{
    const char *data = args->serialized_executable, *more = NULL;
    size_t size = args->serialized_executable_size, more_size = 0;
    tsr_str saved, program;
    pj_error *e = pj_client_check(args->client);
    if (e)
        return e;
    static const char magic[5] = {'\x89', 'T', 'S', 'R', 'X'};
    bool ok = find_options(data, size, &saved);
    if (ok)
        program = (tsr_str){saved.data + saved.len, size - HEAD - saved.len};
    if (!ok || program.len < sizeof magic || memcmp(program.data, magic, sizeof magic) != 0)
        return pj_fail(PJ_INVALID_ARGUMENT, "the bytes are no executable of Tessera's");
    if (PJ_HAS(args, overridden_serialized_compile_options_size)) {
        more = args->overridden_serialized_compile_options;
        more_size = args->overridden_serialized_compile_options_size;
    }
    const char *options = more && more_size ? more : saved.data;
    size_t options_size = more && more_size ? more_size : saved.len;
    pj_options o;
    pj_compiled *p = NULL;
    e = pj_options_read(&o, options, options_size);
    if (e)
        return e;
    e = pj_compile(program.data, program.len, options, options_size, &o,
                   &args->client->settings.budget, &p);
    if (!e)
        memcpy(p->fingerprint, data + HEAD - FINGERPRINT, FINGERPRINT);
    if (!e)
        e = load(args->client, p, &o, &args->loaded_executable);
    pj_options_free(&o);
    pj_compiled_unref(p);
    return e;
}

pj_error *pj_Executable_GetCompileOptions(pj_Executable_GetCompileOptions_args *args)
{
    const pj_bytes *o = &args->executable->program->options;
    pj_bytes *b = pj_bytes_copy(o->data, o->len);
    if (!b)
        return pj_no_memory();
    args->serialized_compile_options = b;
    args->serialized_bytes = b->data;
    args->serialized_bytes_size = b->len;
    args->serialized_compile_options_deleter = pj_bytes_delete;
    return NULL;
}

static pj_error *give_text(pj_compiled *p, pj_program *out)
{
    size_t room = out->code_size;
    out->code_size = p->text.len;
    if (p->text.failed || !p->text.len)
        return pj_no_memory();
    if (!out->code)
        return NULL;
    if (room < p->text.len)
        return pj_fail(PJ_INVALID_ARGUMENT, "the program has %zu bytes; there is room for %zu",
                       p->text.len, room);
    memcpy(out->code, p->text.data, p->text.len);
    pj_bytes_free(&p->text); /* it may be large */
    return NULL;
}

/* The program in the form that runs. The caller calls twice: for the size, then for the text. */
pj_error *pj_Executable_OptimizedProgram(pj_Executable_OptimizedProgram_args *args)
{
    pj_compiled *p = args->executable->program;
    pthread_mutex_lock(&p->lock);
    if (!p->text.len) {
        tsr_str t = tsr_module_print(p->module, NULL);
        pj_bytes_add(&p->text, t.data, t.len);
        tsr_free((void *)t.data);
    }
    pj_program *out = args->program;
    out->format = "mlir";
    out->format_size = 4;
    pj_error *e = give_text(p, out);
    pthread_mutex_unlock(&p->lock);
    return e;
}

/* ---- Properties ---- */

pj_error *pj_Executable_Destroy(pj_Executable_Destroy_args *args)
{
    if (args->executable)
        pj_compiled_unref(args->executable->program);
    tsr_free(args->executable);
    return NULL;
}

pj_error *pj_Executable_Name(pj_Executable_Name_args *args)
{
    GIVE(args->executable->program->name, args->executable_name, args->executable_name_size);
    return NULL;
}

pj_error *pj_Executable_NumReplicas(pj_Executable_NumReplicas_args *args)
{
    args->num_replicas = args->executable->program->replicas;
    return NULL;
}

pj_error *pj_Executable_NumPartitions(pj_Executable_NumPartitions_args *args)
{
    args->num_partitions = args->executable->program->partitions;
    return NULL;
}

pj_error *pj_Executable_NumOutputs(pj_Executable_NumOutputs_args *args)
{
    args->num_outputs = args->executable->program->nout;
    return NULL;
}

pj_error *
pj_Executable_SizeOfGeneratedCodeInBytes(pj_Executable_SizeOfGeneratedCodeInBytes_args *args)
{
    args->size_in_bytes = (int64_t)args->executable->program->code_size;
    return NULL;
}

pj_error *pj_Executable_Fingerprint(pj_Executable_Fingerprint_args *args)
{
    GIVE(args->executable->program->fingerprint, args->executable_fingerprint,
         args->executable_fingerprint_size);
    return NULL;
}

pj_error *pj_Executable_GetCostAnalysis(pj_Executable_GetCostAnalysis_args *args)
{
    pj_compiled *p = args->executable->program;
    pj_error *e = pj_cost(p);
    if (e)
        return e;
    args->properties = p->properties;
    args->num_properties = p->nproperty;
    return NULL;
}

pj_error *pj_Executable_GetCompiledMemoryStats(pj_Executable_GetCompiledMemoryStats_args *args)
{
    pj_compiled *p = args->executable->program;
    pj_error *e = pj_cost(p);
    if (e)
        return e;
    size_t head = offsetof(pj_Executable_GetCompiledMemoryStats_args, generated_code_size_in_bytes);
    size_t end = args->struct_size < sizeof *args ? args->struct_size : sizeof *args;
    if (end > head)
        memset((char *)args + head, 0, end - head);
    args->generated_code_size_in_bytes = (int64_t)p->code_size;
    for (size_t i = 0; i < p->nin; i++)
        args->argument_size_in_bytes += (int64_t)p->in[i].bytes;
    for (size_t i = 0; i < p->nout; i++) {
        args->output_size_in_bytes += (int64_t)p->out[i].bytes;
        args->alias_size_in_bytes += p->out[i].alias != PJ_NO_ALIAS ? (int64_t)p->out[i].bytes : 0;
    }
    args->temp_size_in_bytes = p->temp_bytes;
    args->host_temp_size_in_bytes = p->workspace;
    if (PJ_HAS(args, peak_memory_in_bytes))
        args->peak_memory_in_bytes = args->argument_size_in_bytes + args->output_size_in_bytes -
                                     args->alias_size_in_bytes + p->temp_bytes + p->workspace;
    return NULL;
}

pj_error *pj_Executable_OutputElementTypes(pj_Executable_OutputElementTypes_args *args)
{
    args->output_types = args->executable->program->out_types;
    args->num_output_types = args->executable->program->nout;
    return NULL;
}

pj_error *pj_Executable_OutputDimensions(pj_Executable_OutputDimensions_args *args)
{
    args->num_outputs = args->executable->program->nout;
    args->dims = args->executable->program->out_dims;
    args->dim_sizes = args->executable->program->out_ranks;
    return NULL;
}

pj_error *pj_Executable_OutputMemoryKinds(pj_Executable_OutputMemoryKinds_args *args)
{
    args->num_outputs = args->executable->program->nout;
    args->memory_kinds = args->executable->program->out_kinds;
    args->memory_kind_sizes = args->executable->program->out_kind_sizes;
    return NULL;
}

pj_error *pj_Executable_ParameterMemoryKinds(pj_Executable_ParameterMemoryKinds_args *args)
{
    args->num_parameters = args->executable->program->nin;
    args->memory_kinds = args->executable->program->in_kinds;
    args->memory_kind_sizes = args->executable->program->in_kind_sizes;
    return NULL;
}

/* ---- Loaded executables ---- */

pj_error *pj_LoadedExecutable_Destroy(pj_LoadedExecutable_Destroy_args *args)
{
    free_loaded(args->executable);
    return NULL;
}

pj_error *pj_LoadedExecutable_GetExecutable(pj_LoadedExecutable_GetExecutable_args *args)
{
    return new_executable(args->loaded_executable->program, &args->executable);
}

pj_error *pj_LoadedExecutable_AddressableDevices(pj_LoadedExecutable_AddressableDevices_args *args)
{
    args->addressable_devices = args->executable->local;
    args->num_addressable_devices = args->executable->nlocal;
    return NULL;
}

pj_error *pj_LoadedExecutable_AddressableDeviceLogicalIds(
    pj_LoadedExecutable_AddressableDeviceLogicalIds_args *args)
{
    args->addressable_device_logical_ids = args->executable->local_ids;
    args->num_addressable_device_logical_ids = args->executable->nlocal;
    return NULL;
}

pj_error *
pj_LoadedExecutable_GetDeviceAssignment(pj_LoadedExecutable_GetDeviceAssignment_args *args)
{
    const pj_loaded_executable *x = args->executable;
    size_t replicas = x->program->replicas, partitions = x->program->partitions;
    pj_bytes *out = tsr_calloc(1, sizeof *out);
    if (!out)
        return pj_no_memory();
    pj_bytes_field(out, 1, replicas);
    pj_bytes_field(out, 2, partitions);
    for (size_t k = 0; k < partitions; k++) {
        pj_bytes ids = {0}, sub = {0};
        for (size_t r = 0; r < replicas; r++)
            pj_bytes_varint(&ids, (uint64_t)x->devices[r * partitions + k]->id);
        pj_bytes_sub(&sub, 1, ids.data, ids.len);
        pj_bytes_sub(out, 3, sub.data, sub.len);
        out->failed |= ids.failed || sub.failed;
        pj_bytes_free(&ids);
        pj_bytes_free(&sub);
    }
    if (out->failed) {
        pj_bytes_delete(out);
        return pj_no_memory();
    }
    args->serialized_device_assignment = out;
    args->serialized_bytes = out->data;
    args->serialized_bytes_size = out->len;
    args->serialized_device_assignment_deleter = pj_bytes_delete;
    return NULL;
}

pj_error *pj_LoadedExecutable_Delete(pj_LoadedExecutable_Delete_args *args)
{
    args->executable->deleted = true;
    return NULL;
}

pj_error *pj_LoadedExecutable_IsDeleted(pj_LoadedExecutable_IsDeleted_args *args)
{
    args->is_deleted = args->executable->deleted;
    return NULL;
}

pj_error *pj_LoadedExecutable_Fingerprint(pj_LoadedExecutable_Fingerprint_args *args)
{
    GIVE(args->executable->program->fingerprint, args->executable_fingerprint,
         args->executable_fingerprint_size);
    return NULL;
}
