/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c - random sharding rules of custom calls and of other ops, right ones and wrong ones: sizes that are negative, zero, huge or not
 * those of the dimensions, other ranks, factors that are used twice, not at all or in sets that exclude each other. Each entry that
 * shards, partitions, simulates or runs answers, or says why not and where. */
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/tessera.h>

#include "check.h"

#define STR(s) ((tsr_str){(s), strlen(s)})
enum { COUNT = 600, TENSORS = 3, RANK = 3, FACTORS = 8 };

/* ---- Random numbers ---- */

static uint64_t state;

static uint32_t draw(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

static bool once_in(uint32_t n)
{
    return draw(n) == 0;
}

/* ---- The program ---- */

typedef struct {
    char data[8192];
    size_t len;
} text;

static void put(text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(t->data + t->len, sizeof t->data - t->len, fmt, args);
    va_end(args);
    t->len += n > 0 && (size_t)n < sizeof t->data - t->len ? (size_t)n : 0;
}

/* A tensor: its dimensions, each the product of one or two factors. */
typedef struct {
    uint32_t rank, count[RANK], factors[RANK][2];
    int64_t dims[RANK];
} tensor;

typedef struct {
    uint32_t nin, nout, nfactor;
    int64_t sizes[FACTORS];
    tensor tensors[TENSORS];
    bool add; /* an addition, and no custom call */
} program;

static bool has_factor(const tensor *t, uint32_t rank, uint32_t factor)
{
    for (uint32_t d = 0; d < rank; d++)
        for (uint32_t i = 0; i < t->count[d]; i++)
            if (t->factors[d][i] == factor)
                return true;
    return false;
}

/* A factor that the first rank dimensions of the tensor do not have: one of another tensor, or a new one. alone: of its dimension. */
static uint32_t pick_factor(program *p, const tensor *t, uint32_t rank, bool alone)
{
    static const int64_t sizes[] = {2, 4, 3, 8, 6, 5, 16};
    for (int tries = 0; tries < 4 && p->nfactor; tries++) {
        uint32_t f = draw(p->nfactor);
        if (!has_factor(t, rank, f) && (alone || p->sizes[f] != 1))
            return f;
    }
    if (p->nfactor == FACTORS)
        return FACTORS;
    p->sizes[p->nfactor] = alone && once_in(8) ? 1 : once_in(12) ? 0 : sizes[draw(7)];
    return p->nfactor++;
}

static void make_tensor(program *p, tensor *t)
{
    t->rank = 0;
    for (uint32_t rank = draw(RANK + 1); t->rank < rank; t->rank++) {
        uint32_t d = t->rank;
        t->count[d] = 0;
        t->dims[d] = 1;
        for (uint32_t n = once_in(3) ? 2 : 1; t->count[d] < n;) {
            uint32_t f = pick_factor(p, t, d + 1, n == 1);
            if (f == FACTORS)
                break;
            t->factors[d][t->count[d]++] = f;
            t->dims[d] *= p->sizes[f];
        }
        if (!t->count[d])
            return;
    }
}

static void put_type(text *out, const tensor *t)
{
    put(out, "tensor<");
    for (uint32_t d = 0; d < t->rank; d++)
        put(out, "%lldx", (long long)t->dims[d]);
    put(out, "f32>");
}

static void put_sharding(text *out, const tensor *t)
{
    static const char *const ways[] = {
        "{}", "{\"x\"}", "{\"y\", ?}", "{?}", "{\"x\":(1)2, ?}", "{\"x\":(2)2}", "{\"y\", \"x\"}"};
    bool used = false;
    put(out, " {sdy.sharding = #sdy.sharding<@mesh, [");
    for (uint32_t d = 0; d < t->rank; d++) {
        uint32_t way = used ? once_in(2) ? 3 : 0 : draw(7);
        used |= way != 0 && way != 3;
        put(out, "%s%s", d ? ", " : "", ways[way]);
    }
    put(out, "]>}");
}

/* ---- The rule ---- */

static void put_factor(text *out, uint32_t f)
{
    put(out, "%c", 'i' + (int)f);
}

static int64_t odd_size(int64_t size)
{
    static const int64_t odd[] = {-1,        0,         1,          INT64_MIN,         INT64_MAX,
                                  1ll << 62, 1ll << 32, 4294967297, INT64_MAX / 2 + 2, -8};
    return once_in(3) ? size + (int64_t)draw(3) - 1 : odd[draw(sizeof odd / sizeof *odd)];
}

static void put_mapping(text *out, const program *p, const tensor *t, uint32_t wrong)
{
    put(out, "[");
    uint32_t rank = t->rank + (wrong == 1) - (wrong == 2 && t->rank ? 1 : 0);
    for (uint32_t d = 0; d < rank; d++) {
        put(out, d ? ", " : "");
        for (uint32_t i = 0; d < t->rank && i < t->count[d]; i++)
            put_factor(out, wrong == 3 && once_in(3) ? draw(p->nfactor + 1) : t->factors[d][i]);
        if (d >= t->rank)
            put_factor(out, draw(p->nfactor + 1));
    }
    put(out, "]");
}

/* A set of factors. Right ones are in order, and none of them is in another set. */
static void put_set(text *out, const program *p, const char *name, bool *taken, bool wrong)
{
    bool any = false;
    for (uint32_t f = 0; f < p->nfactor + wrong; f++) {
        uint32_t g = wrong ? draw(p->nfactor + 1) : f;
        if ((!wrong && taken[g]) || !once_in(4))
            continue;
        put(out, any ? ", " : " %s={", name);
        put_factor(out, g);
        taken[g] = any = true;
    }
    put(out, any ? "}" : "");
}

static void put_rule(text *out, const program *p, bool right)
{
    bool taken[FACTORS + 2] = {false};
    uint32_t wrong = right ? 0 : draw(8);
    put(out, "{sdy.sharding_rule = #sdy.op_sharding_rule<(");
    for (uint32_t i = 0; i < p->nin + p->nout; i++) {
        put(out, i == p->nin ? ")->(" : i ? ", " : "");
        put_mapping(out, p, &p->tensors[i], wrong < 4 && once_in(2) ? wrong : 0);
    }
    put(out, ")");
    for (uint32_t f = 0; f < p->nfactor; f++) {
        int64_t size = wrong >= 4 && once_in(2) ? odd_size(p->sizes[f]) : p->sizes[f];
        put(out, f ? ", " : " {");
        put_factor(out, f);
        put(out, "=%lld", (long long)size);
    }
    put(out, p->nfactor ? "}" : "");
    for (uint32_t f = 0; f < p->nfactor; f++) /* what a result has is not reduced */
        for (uint32_t i = p->nin; right && i < p->nin + p->nout; i++)
            taken[f] |= has_factor(&p->tensors[i], p->tensors[i].rank, f);
    put_set(out, p, "reduction", taken, !right && once_in(8));
    memset(taken, 0, right ? 0 : sizeof taken);
    put_set(out, p, "need_replication", taken, !right && once_in(8));
    put_set(out, p, "permutation", taken, !right && once_in(8));
    memset(taken, 0, sizeof taken);
    put_set(out, p, "blocked_propagation", taken, !right && once_in(8));
    put(out, "%s>}", once_in(6) ? "" : ", custom");
}

static void put_list(text *out, const program *p, uint32_t from, uint32_t to)
{
    put(out, "(");
    for (uint32_t i = from; i < to; i++) {
        put(out, i > from ? ", " : "");
        put_type(out, &p->tensors[i]);
    }
    put(out, ")");
}

static void make_program(program *p)
{
    p->nfactor = 0;
    p->add = once_in(4);
    p->nin = p->add ? 2 : 1 + draw(2);
    p->nout = p->add ? 1 : 1 + draw(TENSORS - p->nin);
    for (uint32_t i = 0; i < p->nin + p->nout; i++)
        if (p->add && i)
            p->tensors[i] = p->tensors[0];
        else
            make_tensor(p, &p->tensors[i]);
}

static void put_program(text *out, const program *p, bool right)
{
    put(out, "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>\nfunc.func @main(");
    for (uint32_t i = 0; i < p->nin; i++) {
        put(out, "%s%%a%u: ", i ? ", " : "", i);
        put_type(out, &p->tensors[i]);
        if (!once_in(3))
            put_sharding(out, &p->tensors[i]);
    }
    put(out, ") -> ");
    put_list(out, p, p->nin, p->nin + p->nout);
    put(out, " {\n");
    for (uint32_t i = 0; i < p->nin; i++) {
        put(out, "  %%b%u = stablehlo.negate %%a%u : ", i, i);
        put_type(out, &p->tensors[i]);
        put(out, "\n");
    }
    put(out, "  %%0:%u = %s(%%b0%s) ", p->nout,
        p->add ? "\"stablehlo.add\"" : "stablehlo.custom_call @f", p->nin > 1 ? ", %b1" : "");
    put_rule(out, p, right);
    put(out, " : ");
    put_list(out, p, 0, p->nin);
    put(out, " -> ");
    put_list(out, p, p->nin, p->nin + p->nout);
    put(out, "\n  return %%0#0%s : ", p->nout > 1 ? ", %0#1" : "");
    for (uint32_t i = 0; i < p->nout; i++) {
        put(out, i ? ", " : "");
        put_type(out, &p->tensors[p->nin + i]);
    }
    put(out, "\n}\n");
}

/* ---- What is done with it ---- */

typedef struct {
    tsr_ctx *ctx;
    const text *program;
    unsigned line; /* of the last error */
    bool error;
} world;

static void on_diag(void *user, const tsr_diag *d)
{
    world *w = user;
    if (d->severity == TSR_ERROR) {
        w->error = true;
        w->line = d->line;
    }
}

static bool answers(world *w, const char *entry, bool ok, const tsr_status *s)
{
    bool good = ok || w->error || (s && s->code != TSR_OK && s->message[0]);
    if (!good)
        printf("%s fails without a reason:\n%s", entry, w->program->data);
    w->error = false;
    return good;
}

static void run_passes(world *w, const tsr_module *m)
{
    static const char *const pipelines[] = {
        "sdy-propagation-pipeline",
        "sdy-populate-op-sharding-rules,sdy-aggressive-propagate",
        "sdy-basic-propagate,sdy-insert-explicit-reshards,sdy-resolve-permutation-factors",
        "sdy-propagation-pipeline{enable-insert-explicit-collectives=true}",
        ("sdy-user-priority-propagate,sdy-close-shardings,sdy-insert-explicit-reshards,"
         "sdy-reshard-to-collectives,sdy-convert-global-to-local"),
        "sdy-per-instruction-partitioning"};
    for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++) {
        tsr_module *copy = tsr_module_clone((tsr_module *)m);
        CHECK(answers(w, pipelines[i], tsr_module_run(copy, STR(pipelines[i])), NULL));
        tsr_module_free(copy);
    }
}

/* Zeros: results are what they were made with. */
static bool call_f(void *user, const tsr_custom_call *call, tsr_status *status)
{
    (void)user;
    (void)call;
    (void)status;
    return true;
}

static tsr_tensor *ones(world *w, const tensor *t)
{
    static float data[4096];
    int64_t n = 1;
    for (uint32_t d = 0; d < t->rank; d++)
        n *= t->dims[d];
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        data[i] = (float)i;
    return n <= 4096 ? tsr_tensor_create(w->ctx, STR("f32"), t->dims, t->rank, data, NULL) : NULL;
}

/* Runs it whole and on the mesh: where both work, they give the same. */
static void run_both(world *w, tsr_module *m, const program *p)
{
    tsr_tensor *in[TENSORS] = {NULL}, *out[2][TENSORS] = {{NULL}};
    tsr_eval_options options = {.custom_call = call_f};
    bool made = true, ok[2] = {false};
    for (uint32_t i = 0; i < p->nin; i++)
        made &= (in[i] = ones(w, &p->tensors[i])) != NULL;
    for (int mesh = 0; made && mesh < 2; mesh++) {
        tsr_status s = {0};
        ok[mesh] = mesh ? tsr_module_eval_spmd(m, STR("main"), in, p->nin, out[mesh], p->nout,
                                               &options, &s)
                        : tsr_module_eval_with(m, STR("main"), in, p->nin, out[mesh], p->nout,
                                               &options, &s);
        CHECK(answers(w, mesh ? "run on the mesh" : "run", ok[mesh], &s));
    }
    for (uint32_t i = 0; ok[0] && ok[1] && i < p->nout; i++) {
        tsr_comparison c;
        bool same = tsr_tensor_compare(out[1][i], out[0][i], NULL, &c);
        CHECK(same);
        if (!same)
            printf("other values on the mesh:\n%s", w->program->data);
    }
    for (uint32_t i = 0; i < TENSORS; i++) {
        tsr_tensor_free(in[i]);
        tsr_tensor_free(out[0][i]);
        tsr_tensor_free(out[1][i]);
    }
}

static void use(world *w, tsr_module *m, const program *p)
{
    tsr_status s = {0};
    tsr_str plan = tsr_module_plan(m, NULL, true, &s);
    CHECK(answers(w, "plan", plan.data != NULL, &s));
    tsr_free((void *)(uintptr_t)plan.data);
    s.code = TSR_OK;
    tsr_str time = tsr_module_simulate(m, NULL, STR("a100"), true, &s);
    CHECK(answers(w, "simulate", time.data != NULL, &s));
    tsr_free((void *)(uintptr_t)time.data);
    run_passes(w, m);
    run_both(w, m, p);
    tsr_module *copy = tsr_module_clone(m);
    s.code = TSR_OK;
    tsr_str found =
        tsr_module_auto_shard(copy, &(tsr_auto_options){.devices = 4, .keep = false}, false, &s);
    CHECK(answers(w, "auto", found.data != NULL, &s));
    tsr_free((void *)(uintptr_t)found.data);
    tsr_module_free(copy);
}

/* seed: of this program. */
static bool try(uint64_t seed)
{
    program p;
    text t = {.len = 0};
    state = seed * 2654435761u + 12345;
    bool right = once_in(3);
    make_program(&p);
    put_program(&t, &p, right);
    if (getenv("SHOW"))
        fprintf(stderr, "// SEED=%llu\n%s", (unsigned long long)seed, t.data);
    world w = {.ctx = tsr_ctx_new(), .program = &t};
    tsr_ctx_on_diag(w.ctx, on_diag, &w);
    tsr_module *m = tsr_module_parse(w.ctx, STR(t.data), STR("rules.mlir"));
    bool accepted = m && tsr_module_verify(m);
    CHECK(accepted || (w.error && w.line));
    CHECK(accepted || !right);
    if (!accepted && right)
        printf("%s\n%s", tsr_ctx_last_error(w.ctx)->message, t.data);
    w.error = false;
    if (accepted)
        use(&w, m, &p);
    tsr_module_free(m);
    tsr_ctx_free(w.ctx);
    return accepted;
}

/* SEED=7 COUNT=1 SHOW=1 capi_rules: one of them, which is printed before it is tried. */
int main(void)
{
    uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : 1;
    uint64_t count = getenv("COUNT") ? strtoull(getenv("COUNT"), NULL, 10) : COUNT, accepted = 0;
    for (uint64_t i = 0; i < count; i++) {
        accepted += try(seed + i);
    }
    CHECK(count < COUNT || (accepted > count / 4 && accepted < count * 3 / 4));
    printf("  %llu rules are accepted\n%d passed, %d failed\n", (unsigned long long)accepted,
           passed, failed);
    return failed != 0;
}
