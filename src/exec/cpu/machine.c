/* SPDX-License-Identifier: Apache-2.0 */
/* machine.c - see machine.h. Each figure is the best of all runs that fit into its share of the time, since
 * disturbances only make a run slower. */
#include "exec/cpu/machine.h"

#include <stdio.h>
#include <sys/utsname.h>

#include "base/arena.h"
#include "base/decimal.h"
#include "base/json.h"
#include "base/scope.h"
#include "base/threads.h"
#include "exec/kernel/gemm.h"
#include "exec/kernel/tile.h"

enum {
    STREAM = 1 << 22, /* elements of each of three arrays: too many for the caches */
    CHUNK = 1 << 14,
    TILE_N = 512,
    SIDE = 384, /* rows and columns of a matrix */
    ROUNDS = 64,
};

typedef struct {
    char *at;   /* memory for all measurements */
    int figure; /* index of the gemm or function */
    tsr_tile_fn *fn;
} bench;

/* The shortest time of one run, among at least three runs in so many seconds. */
static double best_of(void (*run)(bench *b), bench *b, double seconds)
{
    double end = tsr_seconds() + seconds, least = 0;
    for (int i = 0; i < 3 || tsr_seconds() < end; i++) {
        double start = tsr_seconds();
        run(b);
        double took = tsr_seconds() - start;
        least = !i || took < least ? took : least;
        tsr_poll();
    }
    return least > 1e-9 ? least : 1e-9;
}

/* c = a + b, as a loop does it. */
static void stream_chunk(void *ctx, int64_t chunk, int worker)
{
    const bench *b = ctx;
    _Alignas(64) float sum[TILE_N];
    const float *x = (const float *)b->at, *y = x + STREAM;
    float *z = (float *)b->at + 2 * (size_t)STREAM;
    (void)worker;
    for (int64_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK; i += TILE_N) {
        const void *in[2] = {x + i, y + i};
        b->fn(sum, in, TILE_N);
        tsr_tile_store(TSR_D_F32, z + i, sum, TILE_N, true);
    }
}

static void run_stream(bench *b)
{
    tsr_pool_for(STREAM / CHUNK, stream_chunk, b);
}

static const struct {
    const char *name;
    tsr_dtype type, to;
} gemms[] = {
#define GEMM(name, type, to) {#name, type, to},
#include "exec/cpu/machine.def"
};
static const struct {
    const char *name;
    tsr_tile_op op;
} functions[] = {
#define FUNCTION(name) {#name, TSR_TILE_##name},
#include "exec/cpu/machine.def"
};

static void run_gemm(bench *b)
{
    size_t each = (size_t)SIDE * SIDE * 8;
    tsr_gemm_run(&(tsr_gemm){.type = gemms[b->figure].type,
                             .out_type = gemms[b->figure].to,
                             .m = SIDE,
                             .n = SIDE,
                             .k = SIDE,
                             .batch = 1,
                             .a = b->at,
                             .b = b->at + each,
                             .c = b->at + 2 * each,
                             .a_m = SIDE,
                             .a_k = 1,
                             .b_k = SIDE,
                             .b_n = 1,
                             .c_m = SIDE});
}

static void run_function(bench *b)
{
    float *x = (float *)b->at;
    const void *in[TSR_TILE_OPERANDS] = {x, x, x, x};
    for (int i = 0; i < ROUNDS; i++)
        b->fn(x + TILE_N, in, TILE_N);
}

static void nothing(void *ctx, int64_t chunk, int worker)
{
    (void)ctx, (void)chunk, (void)worker;
}

static void run_dispatch(bench *b)
{
    (void)b;
    for (int i = 0; i < ROUNDS; i++)
        tsr_pool_for(tsr_pool_size(), nothing, NULL);
}

/* The rate on one thread, and on all. */
static tsr_machine_rate rate_of(void (*run)(bench *b), bench *b, double work, double seconds)
{
    tsr_machine_rate r;
    int threads = tsr_pool_size();
    tsr_pool_limit(1);
    r.one = work / best_of(run, b, seconds);
    tsr_pool_limit(threads);
    r.all = threads > 1 ? work / best_of(run, b, seconds) : r.one;
    return r;
}

bool tsr_machine_measure(tsr_machine *out, double seconds)
{
    size_t bytes = 3 * (size_t)STREAM * sizeof(float);
    bench b = {.at = tsr_malloc_aligned(bytes)};
    struct utsname u;
    double each = seconds / (3 + 2 * TSR_MACHINE_GEMMS + TSR_MACHINE_FUNCTIONS);
    *out = (tsr_machine){.threads = tsr_pool_size()};
    snprintf(out->name, sizeof out->name, "%.40s %s", uname(&u) == 0 ? u.machine : "unknown",
             tsr_isa_name());
    if (!b.at)
        return false;
    memset(b.at, 0, bytes);
    b.fn = tsr_tile_find(TSR_TILE_add, TSR_D_F32);
    out->bandwidth = rate_of(run_stream, &b, (double)bytes, each);
    double flops = 2.0 * SIDE * SIDE * SIDE;
    for (b.figure = 0; b.figure < TSR_MACHINE_GEMMS; b.figure++)
        out->gemm[b.figure] = rate_of(run_gemm, &b, flops, each);
    for (int i = 0; i < 2 * TILE_N; i++)
        ((float *)b.at)[i] = 0.5f + (float)(i % TILE_N) / TILE_N;
    for (int i = 0; i < TSR_MACHINE_FUNCTIONS; i++) {
        b.fn = tsr_tile_find(functions[i].op, TSR_D_F32);
        out->function[i] = (double)ROUNDS * TILE_N / best_of(run_function, &b, each);
    }
    out->dispatch = best_of(run_dispatch, &b, each) / ROUNDS;
    tsr_free(b.at);
    return true;
}

double tsr_machine_flops(const tsr_machine *m, tsr_dtype type, bool all)
{
    const tsr_machine_rate *r = &m->gemm[0];
    for (int i = 0; i < TSR_MACHINE_GEMMS; i++)
        if (gemms[i].type == type)
            r = &m->gemm[i];
    return all ? r->all : r->one;
}

/* ---- As JSON ---- */

static void put_number(tsr_buf *out, const char *before, const char *name, double v)
{
    tsr_buf_printf(out, "%s\"%s\": %s", before, name, tsr_spell('g', 0, 6, v).text);
}

static void put_rate(tsr_buf *out, const char *before, const char *name, const tsr_machine_rate *r)
{
    tsr_buf_printf(out, "%s\"%s\": {", before, name);
    put_number(out, "", "one_thread", r->one);
    put_number(out, ", ", "all_threads", r->all);
    tsr_buf_char(out, '}');
}

void tsr_machine_write(const tsr_machine *m, tsr_buf *out)
{
    tsr_buf_printf(out, "{\n  \"version\": %d,\n  \"machine\": ", TSR_MACHINE_VERSION);
    tsr_buf_json(out, tsr_cstr(m->name));
    tsr_buf_printf(out, ",\n  \"threads\": %d,\n", m->threads);
    put_rate(out, "  ", "bandwidth", &m->bandwidth);
    tsr_buf_cstr(out, ",\n  \"gemm\": {");
    for (int i = 0; i < TSR_MACHINE_GEMMS; i++)
        put_rate(out, i ? ",\n    " : "\n    ", gemms[i].name, &m->gemm[i]);
    tsr_buf_cstr(out, "\n  },\n  \"functions\": {");
    for (int i = 0; i < TSR_MACHINE_FUNCTIONS; i++)
        put_number(out, i ? ",\n    " : "\n    ", functions[i].name, m->function[i]);
    tsr_buf_cstr(out, "\n  },\n");
    put_number(out, "  ", "dispatch_seconds", m->dispatch);
    tsr_buf_cstr(out, "\n}\n");
}

typedef struct {
    tsr_str text;
    tsr_status *status;
} reader;

static bool wrong(const reader *r, const tsr_json *at, const char *what)
{
    size_t line = 1;
    for (size_t i = 0; at && i < at->at && i < r->text.len; i++)
        line += r->text.data[i] == '\n';
    return tsr_status_set(r->status, TSR_BAD_INPUT, "line %zu: %s", line, what);
}

/* Reads a number above zero. */
static bool read_number(const reader *r, const tsr_json *object, const char *name, double *out)
{
    const tsr_json *i = tsr_json_get(object, name, TSR_JSON_INT),
                   *d = tsr_json_get(object, name, TSR_JSON_NUMBER);
    *out = i ? (double)i->i : 0;
    if ((i || (d && tsr_str_double(d->s, out))) && *out > 0 && *out < 1e30)
        return true;
    tsr_buf text = {0};
    tsr_buf_printf(&text, "a number \"%s\" above 0 is wanted%c", name, 0);
    wrong(r, i ? i : d ? d : object, text.data);
    tsr_buf_free(&text);
    return false;
}

static bool read_rate(const reader *r, const tsr_json *object, const char *name,
                      tsr_machine_rate *out)
{
    const tsr_json *v = tsr_json_get(object, name, TSR_JSON_OBJECT);
    if (!v)
        return wrong(
            r, object,
            "\"bandwidth\" and each product of \"gemm\" are objects of one_thread and all_threads");
    return read_number(r, v, "one_thread", &out->one) &&
           read_number(r, v, "all_threads", &out->all);
}

static bool read_all(const reader *r, const tsr_json *top, tsr_machine *out)
{
    double version = 0, threads = 0;
    const tsr_json *name = tsr_json_get(top, "machine", TSR_JSON_STRING),
                   *gemm = tsr_json_get(top, "gemm", TSR_JSON_OBJECT),
                   *function = tsr_json_get(top, "functions", TSR_JSON_OBJECT);
    TSR_TRY(read_number(r, top, "version", &version));
    if (version != TSR_MACHINE_VERSION)
        return wrong(r, top, "it is of another version: `tessera calibrate` writes a new one");
    TSR_TRY(read_number(r, top, "threads", &threads) &&
            read_rate(r, top, "bandwidth", &out->bandwidth) &&
            read_number(r, top, "dispatch_seconds", &out->dispatch));
    if (!name || !gemm || !function || threads > TSR_MOST_THREADS)
        return wrong(r, top, "\"machine\", \"threads\", \"gemm\" and \"functions\" are wanted");
    snprintf(out->name, sizeof out->name, "%.*s", (int)(name->s.len < 63 ? name->s.len : 63),
             name->s.data);
    out->threads = (int)threads;
    for (int i = 0; i < TSR_MACHINE_GEMMS; i++)
        TSR_TRY(read_rate(r, gemm, gemms[i].name, &out->gemm[i]));
    for (int i = 0; i < TSR_MACHINE_FUNCTIONS; i++)
        TSR_TRY(read_number(r, function, functions[i].name, &out->function[i]));
    return true;
}

bool tsr_machine_read(tsr_machine *out, tsr_str text, tsr_status *status)
{
    tsr_arena arena;
    tsr_json_error error = {0};
    reader r = {text, status};
    *out = (tsr_machine){.threads = 1};
    tsr_arena_init(&arena);
    const tsr_json *top = tsr_json_read(&arena, text, &error);
    bool ok = top ? top->kind == TSR_JSON_OBJECT ? read_all(&r, top, out)
                                                 : wrong(&r, top, "an object is wanted")
                  : wrong(&r, &(tsr_json){.at = error.at}, error.reason);
    tsr_arena_free(&arena);
    return ok;
}
