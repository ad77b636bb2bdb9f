/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - reads, partitions and describes programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

static const tsr_str main_name = {"main", 4};

/* ---- Diagnostics as the text of an error ---- */

static void collect(void *user, const tsr_diag *d)
{
    pj_bytes *out = user;
    if (d->severity != TSR_ERROR && d->severity != TSR_NOTE)
        return;
    if (out->len)
        pj_bytes_add(out, "\n", 1);
    if (d->file.len)
        pj_bytes_printf(out, "%.*s:%u:%u: ", (int)d->file.len, d->file.data, d->line, d->col);
    else if (d->location.len)
        pj_bytes_printf(out, "%.*s: ", (int)(d->location.len < 300 ? d->location.len : 300),
                        d->location.data);
    pj_bytes_add(out, d->message.data, d->message.len);
    if (d->source.len)
        pj_bytes_printf(out, "\n%.*s", (int)(d->source.len < 300 ? d->source.len : 300),
                        d->source.data);
}

static pj_error *failure(const pj_compiled *p, const pj_bytes *said, const char *what)
{
    const tsr_status *last = tsr_ctx_last_error(p->ctx);
    pj_error_code code =
        last && last->code == TSR_ENVIRONMENT ? PJ_RESOURCE_EXHAUSTED : PJ_INVALID_ARGUMENT;
    return pj_fail(code, "%s: %s", what,
                   said->len                ? said->data
                   : last && *last->message ? last->message
                                            : "no reason was given");
}

/* ---- Ports ---- */

/* The text of a string attribute or a symbol, without its quotes or '@'. */
static tsr_str attr_text(const tsr_attr *a, char *room, size_t size)
{
    tsr_str t = a ? tsr_attr_print(a) : (tsr_str){NULL, 0};
    size_t n = 0;
    for (size_t i = 0; i < t.len && n + 1 < size; i++)
        if (t.data[i] != '"' && t.data[i] != '@')
            room[n++] = t.data[i];
    room[n] = 0;
    tsr_free((void *)t.data);
    return (tsr_str){room, n};
}

static int memory_of(const tsr_attr *a)
{
    char room[64];
    return a ? pj_memory_kind_of(attr_text(a, room, sizeof room)) : PJ_MEMORY_DEVICE;
}

/* A requested layout must be the one that arrays have. */
static pj_error *check_layout(const tsr_attr *mode, const tsr_type *t, const char *what, size_t i)
{
    char room[256];
    tsr_str text = attr_text(mode, room, sizeof room);
    int64_t rank = t && tsr_type_is_tensor(t) ? tsr_type_rank(t) : 0;
    if (!mode || !strcmp(text.data, "default") || !strcmp(text.data, "auto") ||
        !strcmp(text.data, pj_layout_text((size_t)(rank < 0 ? 0 : rank))))
        return NULL;
    return pj_fail(PJ_UNIMPLEMENTED,
                   "%s %zu is to have the layout %.60s; arrays on Tessera's devices are row major",
                   what, i, text.data);
}

/* Reads the attributes of arguments and results of the original program, before it is partitioned. */
static pj_error *read_notes(pj_compiled *p)
{
    for (size_t i = 0; i < p->nin; i++) {
        p->in[i].donor =
            tsr_module_input_attr(p->module, main_name, i, tsr_cstr("jax.buffer_donor")) != NULL;
        p->in[i].donated =
            tsr_module_input_attr(p->module, main_name, i, tsr_cstr("tf.aliasing_output")) != NULL;
        p->in[i].memory =
            memory_of(tsr_module_input_attr(p->module, main_name, i, tsr_cstr("mhlo.memory_kind")));
        if (p->in[i].memory < 0)
            return pj_fail(PJ_INVALID_ARGUMENT,
                           "argument %zu is to be in a kind of memory that there is not", i);
        pj_error *e = check_layout(
            tsr_module_input_attr(p->module, main_name, i, tsr_cstr("mhlo.layout_mode")),
            tsr_module_input_type(p->module, main_name, i), "argument", i);
        if (e)
            return e;
    }
    for (size_t i = 0; i < p->nout; i++) {
        p->out[i].memory = memory_of(
            tsr_module_output_attr(p->module, main_name, i, tsr_cstr("mhlo.memory_kind")));
        if (p->out[i].memory < 0)
            return pj_fail(PJ_INVALID_ARGUMENT,
                           "result %zu is to be in a kind of memory that there is not", i);
        pj_error *e = check_layout(
            tsr_module_output_attr(p->module, main_name, i, tsr_cstr("mhlo.layout_mode")),
            tsr_module_output_type(p->module, main_name, i), "result", i);
        if (e)
            return e;
    }
    return NULL;
}

static pj_error *read_port(pj_port *port, const tsr_type *t, const char *what, size_t i)
{
    if (!t || !tsr_type_is_tensor(t)) { /* a token has no data */
        port->type = PJ_TOKEN;
    } else {
        port->type = pj_type_of(tsr_type_element(t));
        port->rank = tsr_type_is_ranked(t) ? (size_t)tsr_type_rank(t) : SIZE_MAX;
        if (port->type == PJ_UNKNOWN_TYPE)
            return pj_no_memory();
        if (port->type == PJ_INVALID || port->rank > 64)
            return pj_fail(PJ_UNIMPLEMENTED, "%s %zu has a type that buffers cannot have", what, i);
    }
    port->dims = tsr_calloc(port->rank + 1, sizeof *port->dims);
    if (!port->dims)
        return pj_no_memory();
    port->bytes = port->type == PJ_TOKEN ? 0 : pj_type_bytes(port->type);
    for (size_t d = 0; port->type != PJ_TOKEN && d < port->rank; d++) {
        port->dims[d] = tsr_type_dim(t, d);
        if (port->dims[d] < 0)
            return pj_fail(PJ_UNIMPLEMENTED, "%s %zu has a dimension that is not known", what, i);
        port->bytes *= (size_t)port->dims[d];
    }
    return NULL;
}

static pj_error *read_ports(pj_compiled *p)
{
    tsr_placement at;
    pj_error *e = NULL;
    for (size_t i = 0; !e && i < p->nin; i++) {
        e = read_port(&p->in[i], tsr_module_input_type(p->module, main_name, i), "argument", i);
        if (!e && tsr_module_input_placement(p->module, main_name, i, &at))
            pj_sharding_write(&p->in[i].sharding, &at, p->partitions);
    }
    for (size_t i = 0; !e && i < p->nout; i++) {
        e = read_port(&p->out[i], tsr_module_output_type(p->module, main_name, i), "result", i);
        if (!e && tsr_module_output_placement(p->module, main_name, i, &at))
            pj_sharding_write(&p->out[i].sharding, &at, p->partitions);
    }
    return e;
}

/* Finds a result that can use the buffer of this argument, which may be donated, if no other argument does. */
static bool find_room(pj_compiled *p, const pj_port *in)
{
    for (size_t i = 0; i < p->nout; i++) {
        pj_port *out = &p->out[i];
        if (!out->donated && out->bytes == in->bytes && out->memory == in->memory &&
            out->type != PJ_TOKEN)
            return out->donated = true;
    }
    return false;
}

/* Arguments that name a result are always donated. Other donatable ones are donated if that saves memory: if a result
 * has the same size. */
static void choose_donations(pj_compiled *p)
{
    for (size_t i = 0; i < p->nin; i++)
        if (p->in[i].donated)
            find_room(p, &p->in[i]);
    for (size_t i = 0; i < p->nin; i++)
        if (p->in[i].donor && !p->in[i].donated)
            p->in[i].donated = find_room(p, &p->in[i]);
}

/* Finds which results the program computes in the buffers of such arguments. */
static void find_aliases(pj_compiled *p)
{
    for (size_t i = 0; i < p->nout; i++)
        p->out[i].alias = PJ_NO_ALIAS;
    for (size_t k = 0; k < p->nin; k++) {
        size_t i;
        if (p->in[k].donated && tsr_executable_alias(p->executable, k, &i) &&
            p->out[i].memory == p->in[k].memory)
            p->out[i].alias = k;
    }
}

/* ---- Lists in the form that the interface needs ---- */

static bool list_ports(const pj_port *ports, size_t n, const char ***kinds, size_t **sizes,
                       const char ***shardings, size_t **sharding_sizes)
{
    *kinds = tsr_calloc(n + 1, sizeof **kinds);
    *sizes = tsr_calloc(n + 1, sizeof **sizes);
    *shardings = tsr_calloc(n + 1, sizeof **shardings);
    *sharding_sizes = tsr_calloc(n + 1, sizeof **sharding_sizes);
    if (!*kinds || !*sizes || !*shardings || !*sharding_sizes)
        return false;
    for (size_t i = 0; i < n; i++) {
        (*kinds)[i] = pj_memory_kind(ports[i].memory);
        (*sizes)[i] = strlen((*kinds)[i]);
        (*shardings)[i] = ports[i].sharding.data ? ports[i].sharding.data : "";
        (*sharding_sizes)[i] = ports[i].sharding.len;
        if (ports[i].sharding.failed)
            return false;
    }
    return true;
}

static pj_layout **list_layouts(const pj_port *ports, size_t n)
{
    pj_layout **list = tsr_calloc(n + 1, sizeof *list);
    for (size_t i = 0; list && i < n; i++)
        list[i] = pj_layout_of(ports[i].rank);
    return list;
}

static bool make_lists(pj_compiled *p)
{
    size_t all = 0, k = 0;
    for (size_t i = 0; i < p->nout; i++)
        all += p->out[i].rank;
    p->out_types = tsr_calloc(p->nout + 1, sizeof *p->out_types);
    p->out_ranks = tsr_calloc(p->nout + 1, sizeof *p->out_ranks);
    p->out_dims = tsr_calloc(all + 1, sizeof *p->out_dims);
    p->in_layouts = list_layouts(p->in, p->nin);
    p->out_layouts = list_layouts(p->out, p->nout);
    if (!p->out_types || !p->out_ranks || !p->out_dims || !p->in_layouts || !p->out_layouts)
        return false;
    for (size_t i = 0; i < p->nout; i++) {
        const pj_port *o = &p->out[i];
        p->out_types[i] = o->type;
        p->out_ranks[i] = o->rank;
        for (size_t d = 0; d < o->rank; d++)
            p->out_dims[k++] = o->dims[d];
    }
    return list_ports(p->in, p->nin, &p->in_kinds, &p->in_kind_sizes, &p->in_shardings,
                      &p->in_sharding_sizes) &&
           list_ports(p->out, p->nout, &p->out_kinds, &p->out_kind_sizes, &p->out_shardings,
                      &p->out_sharding_sizes);
}

/* ---- Compiling ---- */

static void name_it(pj_compiled *p, const pj_options *o)
{
    attr_text(tsr_op_attr(tsr_module_op(p->module), tsr_cstr("sym_name")), p->name, sizeof p->name);
    if (!*p->name)
        snprintf(p->name, sizeof p->name, "main");
    uint64_t h[2] = {0xcbf29ce484222325u ^ (uint64_t)(o->replicas * 65536 + o->partitions),
                     0x84222325cbf29ce4u};
    for (size_t i = 0; i < p->code.len; i++)
        h[i & 1] = (h[i & 1] ^ (unsigned char)p->code.data[i]) * 0x100000001b3u;
    snprintf(p->fingerprint, sizeof p->fingerprint, "%016llx%016llx", (unsigned long long)h[0],
             (unsigned long long)h[1]);
}

/* A serialized executable contains the program in the form that runs, partitioned and compiled. */
static bool is_saved(const pj_compiled *p)
{
    return p->code.len >= 5 && !memcmp(p->code.data, "\x89TSRX", 5);
}

static pj_error *read_module(pj_compiled *p, pj_bytes *said)
{
    tsr_str code = {p->code.data ? p->code.data : "", p->code.len}, file = {"module", 6};
    bool binary = code.len >= 4 && !memcmp(code.data, "ML\xEFR", 4);
    if (is_saved(p)) {
        p->executable = tsr_executable_load(p->ctx, code, file, NULL);
        p->module = p->executable ? tsr_executable_module(p->executable) : NULL;
    } else {
        p->module = binary ? tsr_module_deserialize(p->ctx, code, file)
                           : tsr_module_parse(p->ctx, code, file);
    }
    if (!p->module)
        return failure(p, said, "the program cannot be read");
    if (!tsr_module_signature(p->module, main_name, &p->nin, &p->nout))
        return pj_fail(PJ_INVALID_ARGUMENT, "the program has no function main");
    p->in = tsr_calloc(p->nin + 1, sizeof *p->in);
    p->out = tsr_calloc(p->nout + 1, sizeof *p->out);
    return p->in && p->out ? read_notes(p) : pj_no_memory();
}

/* Whether the program may contain an op of this name: names appear verbatim in its text and in its bytecode. */
static bool mentions(const pj_compiled *p, const char *name)
{
    size_t n = strlen(name);
    const char *at = p->code.data, *end = at ? at + p->code.len : NULL;
    while (at && (size_t)(end - at) >= n) {
        if (!memcmp(at, name, n))
            return true;
        at = memchr(at + 1, name[0], (size_t)(end - at) - 1);
    }
    return false;
}

/* Gives the framework's programs the meaning that XLA gives them. */
static pj_error *as_xla_has_it(pj_compiled *p, pj_bytes *said)
{
    static const char steps[] = "func.func(tessera-scatter-whole-windows)";
    return is_saved(p) || !mentions(p, "scatter") || tsr_module_run(p->module, tsr_cstr(steps))
               ? NULL
               : failure(p, said, "the program cannot be compiled");
}

static pj_error *divide(pj_compiled *p, pj_bytes *said)
{
    static const char propagate[] = "tessera-partition{only-propagate=true}";
    /* Arrays of the framework have shards of equal size: inputs and outputs must be divided evenly. */
    static const char rest[] = "sdy-update-non-divisible-input-output-shardings,"
                               "tessera-partition{propagate=false remarks=false}";
    if (!tsr_module_run(p->module, tsr_cstr(propagate)))
        return failure(p, said, "the program cannot be partitioned");
    pj_error *e = pj_host_partition(p);
    if (!e && !tsr_module_run(p->module, tsr_cstr(rest)))
        e = failure(p, said, "the program cannot be partitioned");
    return e;
}

static pj_error *partition(pj_compiled *p, const pj_options *o, pj_bytes *said)
{
    p->replicas = (size_t)o->replicas;
    p->partitions = (size_t)o->partitions;
    pj_error *e = p->partitions > 1 && !is_saved(p) ? divide(p, said) : NULL;
    if (e)
        return e;
    size_t replicas = 1, partitions = 1;
    tsr_status s = {0};
    if (!tsr_module_devices(p->module, &replicas, &partitions, &s))
        return pj_fail_status(&s, PJ_INVALID_ARGUMENT);
    if (replicas * partitions > 1 && (replicas != p->replicas || partitions != p->partitions))
        return pj_fail(
            PJ_INVALID_ARGUMENT,
            "the program is for %zu replicas of %zu partitions, the options say %zu of %zu",
            replicas, partitions, p->replicas, p->partitions);
    p->spmd = replicas * partitions > 1;
    p->calls_back = pj_has_callback(p->module);
    return NULL;
}

/* Bytes plus operations of a program that runs hardly longer than it takes to hand it to another thread. */
enum { SMALL = 1 << 17 };

/* TESSERA_ENGINE selects the engine: a compiled program, or the evaluator. */
static pj_error *make_executable(pj_compiled *p, pj_bytes *said)
{
    const char *engine = getenv("TESSERA_ENGINE"); /* the client has checked its value */
    if (engine && !strcmp(engine, "reference")) {
        tsr_executable_free(p->executable); /* from a serialized program */
        p->executable = NULL;
        return NULL;
    }
    const tsr_compile_options options = {.per_device = p->spmd, .lends = true};
    if (p->executable &&
        tsr_executable_num_devices(p->executable) != (p->spmd ? p->replicas * p->partitions : 1))
        return pj_fail(PJ_INVALID_ARGUMENT, "the saved program is for another number of devices");
    if (!p->executable)
        p->executable = tsr_module_compile(p->module, main_name, &options, NULL);
    double work = tsr_executable_work(p->executable);
    p->small = work >= 0 && work < SMALL;
    return p->executable ? NULL : failure(p, said, "the program cannot be compiled");
}

static pj_error *compile(pj_compiled *p, const pj_options *o, pj_bytes *said)
{
    tsr_str before = {NULL, 0};
    pj_error *e = read_module(p, said);
    if (!e && getenv("TESSERA_DUMP"))
        before = tsr_module_print(p->module, NULL);
    if (!e) {
        name_it(p, o);
        e = as_xla_has_it(p, said);
    }
    if (!e)
        e = partition(p, o, said);
    if (!e)
        e = read_ports(p);
    if (!e)
        e = make_executable(p, said);
    if (!e)
        choose_donations(p);
    if (!e)
        find_aliases(p);
    if (!e && !make_lists(p))
        e = pj_no_memory();
    if (!e)
        e = pj_dump(p, before);
    tsr_free((void *)before.data);
    return e;
}

pj_error *pj_compile(const char *code, size_t code_size, const char *options, size_t options_size,
                     const pj_options *o, const tsr_budget *budget, pj_compiled **out)
{
    pj_compiled *p = tsr_calloc(1, sizeof *p);
    if (!p)
        return pj_no_memory();
    atomic_init(&p->refs, 1);
    pthread_mutex_init(&p->lock, NULL);
    pj_bytes said = {0};
    p->ctx = tsr_ctx_new();
    pj_bytes_add(&p->code, code, code_size);
    pj_bytes_add(&p->options, options, options_size);
    pj_error *e = NULL;
    if (!p->ctx || p->code.failed || p->options.failed) {
        e = pj_no_memory();
    } else {
        tsr_ctx_set_budget(p->ctx, budget);
        tsr_ctx_on_diag(p->ctx, collect, &said);
        e = compile(p, o, &said);
        p->code_size = p->code.len;
        pj_bytes_free(&p->code); /* the module has its constants */
        tsr_ctx_on_diag(p->ctx, NULL, NULL);
    }
    pj_bytes_free(&said);
    if (e)
        pj_compiled_unref(p);
    else
        *out = p;
    return e;
}

pj_compiled *pj_compiled_ref(pj_compiled *p)
{
    atomic_fetch_add(&p->refs, 1);
    return p;
}

static void free_ports(pj_port *ports, size_t n)
{
    for (size_t i = 0; ports && i < n; i++) {
        tsr_free(ports[i].dims);
        pj_bytes_free(&ports[i].sharding);
    }
    tsr_free(ports);
}

void pj_compiled_unref(pj_compiled *p)
{
    if (!p || atomic_fetch_sub(&p->refs, 1) != 1)
        return;
    pj_sharding_delist(p);
    tsr_executable_free(p->executable);
    if (p->module)
        tsr_module_free(p->module);
    if (p->ctx)
        tsr_ctx_free(p->ctx);
    free_ports(p->in, p->nin);
    free_ports(p->out, p->nout);
    pj_bytes_free(&p->code);
    pj_bytes_free(&p->options);
    pj_bytes_free(&p->text);
    void *lists[] = {p->out_types,         p->out_dims,           p->out_ranks,
                     p->in_kinds,          p->out_kinds,          p->in_shardings,
                     p->out_shardings,     p->in_kind_sizes,      p->out_kind_sizes,
                     p->in_sharding_sizes, p->out_sharding_sizes, p->in_layouts,
                     p->out_layouts};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        tsr_free(lists[i]);
    pthread_mutex_destroy(&p->lock);
    tsr_free(p);
}

/* ---- TESSERA_DUMP ---- */

static pj_error *write_file(const char *dir, const char *name, unsigned long number,
                            const char *what, tsr_str text)
{
    char path[1024];
    int n = snprintf(path, sizeof path, "%s/%04lu.%s.%s", dir, number, name, what);
    if (!text.data)
        return pj_no_memory();
    tsr_status s = {TSR_OK, ""};
    if (n <= 0 || n >= (int)sizeof path)
        return pj_fail(PJ_NOT_FOUND, "TESSERA_DUMP: '%.200s' has too long a name", dir);
    return tsr_file_write(path, text, &s) ? NULL
                                          : pj_fail(PJ_NOT_FOUND, "TESSERA_DUMP: %s", s.message);
}

/* Makes a name in the program safe as part of a file name: it cannot lead out of the folder. */
static void tame(char *name)
{
    for (; *name; name++)
        if (*name == '/' || *name == '\\' || (unsigned char)*name < ' ')
            *name = '_';
}

pj_error *pj_dump(const pj_compiled *p, tsr_str before)
{
    static atomic_ulong counter;
    const char *dir = getenv("TESSERA_DUMP");
    if (!dir || !*dir)
        return NULL;
    char name[sizeof p->name];
    memcpy(name, p->name, sizeof name);
    tame(name);
    unsigned long number = atomic_fetch_add(&counter, 1);
    tsr_str after = tsr_module_print(p->module, NULL);
    pj_error *e = write_file(dir, name, number, "module.mlir", before);
    if (!e)
        e = write_file(dir, name, number, "plan.mlir", after);
    tsr_free((void *)after.data);
    return e;
}
