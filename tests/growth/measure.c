/* measure.c - does each family of work with one shape at three sizes, in one process, and counts it. */
#include "growth.h"

#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

#include "writers.h"

#define SHAPE(name, size, skip, about) {#name, about, size, skip, write_##name},
const shape shapes[] = {
#include "shapes.def"
};
const int nshapes = sizeof shapes / sizeof *shapes;

#define FAMILY(name, kind, pipeline) {#name, kind, pipeline},
const family families[] = {
#include "families.def"
};
const int nfamilies = sizeof families / sizeof *families;

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

/* Makes random inputs for main of m, and runs it on them; partitioned, on its devices. */
static bool run(subject *s, tsr_module *m, work kind, counter by)
{
    bool spmd = kind == RUN_SPMD;
    size_t nin = 0, nout = 0;
    tsr_str name = tsr_cstr("main");
    if (!tsr_module_signature(m, name, &nin, &nout))
        return false;
    tsr_tensor **in = calloc(nin + 1, sizeof *in), **out = calloc(nout + 1, sizeof *out);
    tsr_status status = {0};
    bool ok = true;
    for (size_t i = 0; i < nin && ok; i++)
        ok = (in[i] = tsr_module_random_input(m, name, i, 1, &status));
    if (kind == MAKE_INPUTS)
        return ok;
    if (ok && spmd)
        ok = tsr_module_partition(m);
    tsr_eval_options options = {.engine = kind == RUN_COMPILED ? TSR_ENGINE_COMPILED
                                                               : TSR_ENGINE_REFERENCE};
    count_start(by);
    ok = ok && (spmd ? tsr_module_eval_spmd : tsr_module_eval_with)(m, name, in, nin, out, nout,
                                                                    &options, &status);
    if (!ok && !*s->why)
        snprintf(s->why, sizeof s->why, "%.290s", status.message);
    return ok;
}

/* Does f once; the part that counts is between count_start and the return. */
static bool work_once(subject *s, const family *f, counter by)
{
    tsr_module *m = NULL;
    if (f->kind != READ_TEXT && !s->module)
        return false;
    if (f->kind == PASSES || f->kind == GRADIENT || f->kind == RUN_SPMD)
        m = tsr_module_clone(s->module);
    count_start(by);
    switch (f->kind) {
    case READ_TEXT: return (s->module = tsr_module_parse(s->ctx, s->text, tsr_cstr("m.mlir")));
    case VERIFY: return tsr_module_verify(s->module);
    case WRITE_TEXT:
        return tsr_module_print(s->module, &(tsr_print_options){.debug_info = true}).data;
    case CLONE: return drop(tsr_module_clone(s->module));
    case WRITE_BYTECODE: return (s->bytecode = tsr_module_bytecode(s->module, -1)).data;
    case READ_BYTECODE: return drop(tsr_module_parse(s->ctx, s->bytecode, tsr_cstr("m.mlirbc")));
    case WRITE_ARTIFACT:
        return (s->artifact = tsr_module_serialize(s->module, tsr_cstr("current"), true)).data;
    case READ_ARTIFACT:
        return s->artifact.data &&
               drop(tsr_module_deserialize(s->ctx, s->artifact, tsr_cstr("m.bc")));
    case PASSES: return tsr_module_run(m, tsr_cstr(f->detail));
    case GRADIENT: return tsr_module_differentiate(m, tsr_cstr("main"), NULL);
    case MAKE_INPUTS:
    case RUN:
    case RUN_COMPILED: return run(s, s->module, f->kind, by);
    case RUN_SPMD: return run(s, m, f->kind, by);
    }
    return false;
}

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

static void measure_size(const shape *s, counter by, long n, int which, const char *only)
{
    subject at = {.ctx = tsr_ctx_new(), .text = text_of(s, n)};
    tsr_ctx_on_diag(at.ctx, on_diag, &at);
    tsr_ctx_allow_unregistered(at.ctx, true);
    for (int i = 0; i < nfamilies; i++) {
        const family *f = &families[i];
        bool wanted = !*only || has_word(only, f->name);
        /* Others are made from these. */
        bool needed =
            f->kind == READ_TEXT || f->kind == WRITE_BYTECODE || f->kind == WRITE_ARTIFACT;
        if (has_word(s->skip, f->name) || (!wanted && !needed))
            continue;
        char label[100];
        snprintf(label, sizeof label, "%s %s %d", s->name, f->name, which);
        *at.why = 0;
        bool ok = work_once(&at, f, by);
        uint64_t count = count_stop(by, label);
        if (!wanted)
            continue;
        if (ok)
            printf("%s %llu\n", label, (unsigned long long)count);
        else
            printf("%s refused: %s\n", label, at.why);
        fflush(stdout);
    }
}

int measure(const shape *s, counter by, long n, const char *only)
{
    setenv("TESSERA_THREADS", "1", 1); /* threads that wait for work would be counted */
    measure_size(s, by, 1, 0, only);
    measure_size(s, by, n, 1, only);
    measure_size(s, by, 2 * n, 2, only);
    return 0;
}
