/* SPDX-License-Identifier: Apache-2.0 */
/* measure.c - does each family of work with one shape at three sizes, in one process, and counts it. */
#include "growth.h"

#include <stdlib.h>
#include <string.h>
#include <tessera/code.h>
#include <tessera/tessera.h>

#include "writers.h"

#define SHAPE(name, size, most, refused, about) {#name, about, size, most, refused, write_##name},
const shape shapes[] = {
#include "shapes.def"
};
const int nshapes = sizeof shapes / sizeof *shapes;

#define FAMILY(name, kind, pipeline) {#name, kind, pipeline},
const family families[] = {
#include "families.def"
};
const int nfamilies = sizeof families / sizeof *families;

#define NATURE(shapes, larger, families, why) {shapes, larger, families, why},
const nature natures[] = {
#include "nature.def"
};
const int nnatures = sizeof natures / sizeof *natures;

bool is_left_out(const shape *s, const family *f)
{
    for (int i = 0; i < nnatures; i++)
        if (has_word(natures[i].larger, s->name) && has_word(natures[i].families, f->name))
            return true;
    return false;
}

void list_with(FILE *f, long n, const char *format)
{
    for (long i = 0; i < n; i++) {
        fputs(i ? ", " : "", f);
        fprintf(f, format, i);
    }
}

/* The module at one size, and what steps have made of it. */
typedef struct {
    tsr_ctx *ctx;
    tsr_str text, bytecode, artifact;
    tsr_module *module;
    tsr_module *copy; /* of module, for work that changes it */
    counter by;
    char why[300]; /* the first error */
} subject;

static void on_diag(void *user, const tsr_diag *d)
{
    subject *s = user;
    if (d->severity != TSR_ERROR || *s->why)
        return;
    snprintf(s->why, sizeof s->why, "%.*s", (int)d->message.len, d->message.data);
    for (char *c = s->why; *c; c++)
        if (*c == '\n')
            *c = ' ';
}

static bool drop(tsr_module *m)
{
    tsr_module_free(m);
    return m;
}

static bool drop_text(tsr_str text)
{
    tsr_free((void *)(uintptr_t)text.data);
    return text.data;
}

/* ---- Kinds of work: each counts from count_start on ---- */

/* Makes random inputs for main of m, and runs it on them; partitioned, on its devices. */
static bool run(subject *s, tsr_module *m, work kind, tsr_status *status)
{
    bool spmd = kind == RUN_SPMD;
    size_t nin = 0, nout = 0;
    tsr_str name = tsr_cstr("main");
    if (!tsr_module_signature(m, name, &nin, &nout))
        return false;
    tsr_tensor **in = calloc(nin + 1, sizeof *in), **out = calloc(nout + 1, sizeof *out);
    bool ok = true;
    for (size_t i = 0; i < nin && ok; i++)
        ok = (in[i] = tsr_module_random_input(m, name, i, 1, status));
    if (kind != MAKE_INPUTS) {
        if (ok && spmd)
            ok = tsr_module_partition(m);
        tsr_eval_options options = {.engine = kind == RUN_COMPILED ? TSR_ENGINE_COMPILED
                                                                   : TSR_ENGINE_REFERENCE};
        count_start(s->by);
        ok = ok && (spmd ? tsr_module_eval_spmd : tsr_module_eval_with)(m, name, in, nin, out, nout,
                                                                        &options, status);
    }
    for (size_t i = 0; i < nin; i++)
        tsr_tensor_free(in[i]);
    for (size_t i = 0; i < nout; i++)
        tsr_tensor_free(out[i]);
    free(in);
    free(out);
    return ok;
}

static bool compile(subject *s, tsr_status *status)
{
    tsr_executable *x = tsr_module_compile(s->module, tsr_cstr("main"), NULL, status);
    tsr_executable_free(x);
    return x;
}

static bool save_and_load(subject *s, tsr_status *status)
{
    tsr_executable *x = tsr_module_compile(s->module, tsr_cstr("main"), NULL, status), *y = NULL;
    count_start(s->by);
    tsr_str bytes = x ? tsr_executable_save(x, status) : (tsr_str){0};
    if (bytes.data)
        y = tsr_executable_load(s->ctx, bytes, tsr_cstr("m.tsrx"), status);
    tsr_executable_free(y);
    tsr_executable_free(x);
    drop_text(bytes);
    return y;
}

/* Reports of a program on a mesh: its own, or one of four devices that divides the first argument. */
static bool report(subject *s, work kind, tsr_status *status)
{
    tsr_module *m = s->copy;
    tsr_type *first = tsr_module_input_type(m, tsr_cstr("main"), 0);
    tsr_shard_given given = {.text = tsr_cstr("x,_")};
    tsr_shard_options options = {0};
    bool own = strstr(s->text.data, "sdy.mesh");
    if (!own) {
        options = (tsr_shard_options){.mesh = tsr_cstr("x=2,y=2"), .given = &given};
        options.ngiven = first && tsr_type_rank(first) == 2;
    }
    count_start(s->by);
    switch (kind) {
    case PLAN: return drop_text(tsr_module_plan(m, &options, false, status));
    case PAGE: return drop_text(tsr_module_page(m, &options, status));
    case SIMULATE: return drop_text(tsr_module_simulate(m, &options, (tsr_str){0}, false, status));
    case EXPLAIN:
        return drop_text(tsr_module_explain(
            m, &(tsr_explain_options){.shard = &options, .verify = true}, status));
    case AUTO_KEEP:
    case AUTO: break;
    default: return false;
    }
    tsr_auto_options search = {.devices = 4};
    if (kind == AUTO_KEEP)
        search = (tsr_auto_options){
            .keep = true, .mesh = options.mesh, .given = &given, .ngiven = options.ngiven};
    return drop_text(tsr_module_auto_shard(m, &search, false, status));
}

/* Whether the work changes the module. */
static bool changes(work kind)
{
    return kind == PASSES || kind == GRADIENT || kind == RUN_SPMD || kind >= PLAN;
}

/* Does f once; the part that counts is between count_start and the return. */
static bool work_once(subject *s, const family *f, tsr_status *status)
{
    count_start(s->by);
    switch (f->kind) {
    case READ_TEXT: return drop(tsr_module_parse(s->ctx, s->text, tsr_cstr("m.mlir")));
    case VERIFY: return tsr_module_verify(s->module);
    case WRITE_TEXT:
        return drop_text(tsr_module_print(s->module, &(tsr_print_options){.debug_info = true}));
    case CLONE: return drop(tsr_module_clone(s->module));
    case WRITE_BYTECODE: return drop_text(tsr_module_bytecode(s->module, -1));
    case READ_BYTECODE: return drop(tsr_module_parse(s->ctx, s->bytecode, tsr_cstr("m.mlirbc")));
    case WRITE_ARTIFACT:
        return drop_text(tsr_module_serialize(s->module, tsr_cstr("current"), true));
    case READ_ARTIFACT: return drop(tsr_module_deserialize(s->ctx, s->artifact, tsr_cstr("m.bc")));
    case PASSES: return tsr_module_run(s->copy, tsr_cstr(f->detail));
    case GRADIENT: return tsr_module_differentiate(s->copy, tsr_cstr("main"), NULL);
    case COMPILE: return compile(s, status);
    case SAVE: return save_and_load(s, status);
    case EMIT_C: return drop_text(tsr_module_code(s->module, tsr_cstr("c")));
    case MAKE_INPUTS:
    case RUN:
    case RUN_COMPILED: return run(s, s->module, f->kind, status);
    case RUN_SPMD: return run(s, s->copy, f->kind, status);
    case PLAN:
    case PAGE:
    case SIMULATE:
    case EXPLAIN:
    case AUTO:
    case AUTO_KEEP: return report(s, f->kind, status);
    }
    return false;
}

/* ---- One shape ---- */

static tsr_str text_of(const shape *s, long n)
{
    char *data = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&data, &len);
    if (!f)
        abort();
    s->write(f, n);
    fclose(f);
    return (tsr_str){data, len};
}

bool has_word(const char *words, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += len)
        if ((at == words || at[-1] == ' ') && (!at[len] || at[len] == ' '))
            return true;
    return false;
}

/* A context, the module in it, and what the work starts from. */
static bool prepare(subject *s, work kind)
{
    if (!s->ctx) {
        if (s->by == BY_BYTES)
            count_bytes();
        s->ctx = tsr_ctx_new();
        tsr_ctx_on_diag(s->ctx, on_diag, s);
        tsr_ctx_allow_unregistered(s->ctx, true);
    }
    if (kind == READ_TEXT)
        return true;
    if (!s->module && !(s->module = tsr_module_parse(s->ctx, s->text, tsr_cstr("m.mlir"))))
        return false;
    if (kind == READ_BYTECODE && !s->bytecode.data)
        s->bytecode = tsr_module_bytecode(s->module, -1);
    if (kind == READ_ARTIFACT && !s->artifact.data)
        s->artifact = tsr_module_serialize(s->module, tsr_cstr("current"), true);
    if (changes(kind))
        s->copy = tsr_module_clone(s->module);
    return (kind != READ_BYTECODE || s->bytecode.data) &&
           (kind != READ_ARTIFACT || s->artifact.data);
}

static void finish_subject(subject *s)
{
    tsr_module_free(s->module);
    drop_text(s->bytecode);
    drop_text(s->artifact);
    tsr_ctx_free(s->ctx);
    *s = (subject){.text = s->text, .by = s->by};
}

static void measure_size(const shape *s, counter by, long n, int which, const char *only)
{
    subject at = {.text = text_of(s, n), .by = by};
    for (int i = 0; i < nfamilies; i++) {
        const family *f = &families[i];
        if ((*only && !has_word(only, f->name)) || is_left_out(s, f) ||
            (by != BY_BYTES && has_word(s->refused, f->name)))
            continue;
        char label[100];
        tsr_status status = {0};
        snprintf(label, sizeof label, "%s %s %d", s->name, f->name, which);
        *at.why = 0;
        bool ok = prepare(&at, f->kind) && work_once(&at, f, &status);
        uint64_t count = count_stop(by, label);
        if (ok)
            printf("%s %llu\n", label, (unsigned long long)count);
        else
            printf("%s refused: %s\n", label,
                   *at.why           ? at.why
                   : *status.message ? status.message
                                     : "the module has no function 'main'");
        fflush(stdout);
        tsr_module_free(at.copy);
        at.copy = NULL;
        /* A context keeps freed memory for the next work. */
        if (by == BY_BYTES)
            finish_subject(&at);
    }
    finish_subject(&at);
    free((char *)(uintptr_t)at.text.data);
}

/* What a process does once is not counted: the first large block that is freed asks how much memory there is. */
static void warm_up(void)
{
    tsr_ctx *ctx = tsr_ctx_new();
    static const int64_t dims[] = {1 << 20};
    tsr_status status = {0};
    tsr_tensor_free(tsr_tensor_create(ctx, tsr_cstr("i8"), dims, 1, NULL, &status));
    tsr_ctx_free(ctx);
}

int measure(const shape *s, counter by, long n, const char *only)
{
    setenv("TESSERA_THREADS", "1", 1); /* threads that wait for work would be counted */
    if (by != BY_BYTES)                /* whose allocator comes before all other work */
        warm_up();
    measure_size(s, by, 1, 0, only);
    measure_size(s, by, n, 1, only);
    measure_size(s, by, 2 * n, 2, only);
    return 0;
}
