/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - `tessera compile`: compiles a function and saves the program, which `tessera run` accepts in place of its
 * module, or writes it as C. */
#include "given.h"

#include "api/code.h"
#include "api/spmd.h"
#include "api/tsrx.h"
#include "check/ttnn.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(OUT, "o", VALUE, "<file>", "The file to write, program.tsrx; - is stdout. Written only when all went well") \
    FLAG(FUNCTION, "function", VALUE, "<name>", "Function to compile (default: main, or the module's only function)") \
    FLAG(STRICT, "strict-rounding", SWITCH, NULL, "Round bf16, f16 and narrower floats after each op, as the evaluator does") \
    FLAG(SPMD, "spmd", SWITCH, NULL, "Partition by the module's meshes and shardings, or those of --mesh and --arg: the program runs on as many virtual devices; inputs and results are whole") \
    GIVEN_FLAGS(FLAG) \
    FLAG(MESH_SHAPE, "mesh-shape", VALUE, "<1,8>", "With --spmd: the mesh that the batch of a TTIR program is divided on (default: the module's own)") \
    FLAG(EMIT, "emit", VALUE, "program|c", "What is written: the saved program (default), or one file of C99 with its bits of --strict-rounding, which needs no library (docs/EMIT.md)") \
    FLAG(WEIGHTS, "weights", VALUE, "<file>", "With --emit=c: large constants go to this file, and not into the text") \
    FLAG(TIMING, "timing", SWITCH, NULL, "Print on stderr how long it took, and the size of the file")
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

typedef struct {
    const tool *t;
    const char *out, *function, *shape, *weights;
    bool as_c, strict, spmd, whole, timing;
    tsr_shard_request request; /* --mesh */
    given_vec given;
} config;

static int apply(config *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_OUT: c->out = g->value; break;
    case FLAG_ID_FUNCTION: c->function = g->value; break;
    case FLAG_ID_STRICT: c->strict = g->on; break;
    case FLAG_ID_SPMD:
        c->spmd = g->on;
        c->whole = !g->on;
        break;
    case FLAG_ID_MESH: c->request.mesh = tsr_cstr(g->value); break;
    case FLAG_ID_ARG:
    case FLAG_ID_RESULT: return given_flag(c->t, g, g->id == FLAG_ID_RESULT, &c->given);
    case FLAG_ID_MESH_SHAPE: c->shape = g->value; break;
    case FLAG_ID_EMIT:
        c->as_c = strcmp(g->value, "c") == 0;
        if (!c->as_c && strcmp(g->value, "program") != 0)
            return flag_alone(c->t, "emit", "is program or c");
        break;
    case FLAG_ID_WEIGHTS: c->weights = g->value; break;
    case FLAG_ID_TIMING: c->timing = g->on; break;
    default: break;
    }
    return 0;
}

/* Makes the program of each device, if it is to run on several. */
static bool prepare(const config *c, tsr_module *m, bool spmd, tsr_status *s)
{
    if (!spmd)
        return true;
    if (tsr_spmd_needed(m) || c->request.mesh.len || c->given.n)
        return divide(m, &c->request, &c->given, c->function, s);
    const tsr_op *func = tsr_entry_find(m, tsr_cstr(c->function), s);
    if (func && !tsr_spmd_is_local(m))
        tell_no_mesh(m->ctx, func);
    return func != NULL;
}

static bool write_program(const config *c, tsr_module *m, tsr_buf *out, tsr_buf *weights,
                          tsr_status *s)
{
    bool spmd = c->spmd || tsr_spmd_is_local(m); /* a single device cannot run it */
    if (!make_ready(m, spmd, c->shape) || !prepare(c, m, spmd, s))
        return false;
    const tsr_op *func = tsr_entry_find(m, tsr_cstr(c->function), s);
    if (!func || !tsr_ttnn_check(m, func, false, NULL))
        return false;
    if (c->as_c)
        return tsr_code_c(
            m, func, &(tsr_c_options){.apart = c->weights, .weights_file = tsr_cstr(c->weights)},
            out, weights);
    return tsr_tsrx_write(out, m, func,
                          (c->strict ? TSR_TSRX_STRICT : 0) | (spmd ? TSR_TSRX_SPMD : 0));
}

static int compile(void *user, tsr_module *m)
{
    const config *c = user;
    tsr_buf out = {0}, weights = {0};
    tsr_status s = {0};
    uint32_t nerror = m->ctx->nerror;
    double start = wall_seconds();
    bool ok = write_program(c, m, &out, &weights, &s);
    if (ok && c->timing)
        fprintf(stderr, "  %.3f ms  compile\n  %zu bytes\n", (wall_seconds() - start) * 1e3,
                out.len);
    int code = ok ? EXIT_OK : status_exit(c->t, m->ctx, nerror, &s);
    if (!code && c->weights)
        code = write_output(c->t, c->weights, tsr_buf_text(&weights));
    if (!code)
        code = write_output(c->t, c->out, tsr_buf_text(&out));
    tsr_buf_free(&out);
    tsr_buf_free(&weights);
    return code;
}

static int check_flags(const config *c)
{
    if (!c->out)
        return flag_alone(c->t, "o", "is needed: it names the file to write");
    if (c->whole && (c->request.mesh.len || c->given.n))
        return flag_alone(c->t, "spmd",
                          "is false, and --mesh, --arg and --result divide the program");
    if (c->weights && !c->as_c)
        return flag_alone(c->t, "weights", "needs --emit=c");
    if (c->as_c && c->spmd)
        return flag_alone(
            c->t, "emit",
            "is c, which has one device: it goes without --spmd, --mesh, --arg and --result");
    if (c->shape && !c->spmd)
        return flag_alone(c->t, "mesh-shape", "needs --spmd");
    return 0;
}

static int run_compile(const tool *t, int argc, char **argv)
{
    flags f = {0};
    config c = {.t = t, .function = "main"};
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&c, &f.given.data[i]);
    if (!code)
        code = flags_one_file(t, &f);
    if (!code) {
        c.spmd |= !c.whole && (c.request.mesh.len || c.given.n);
        code = check_flags(&c);
        code = code ? code : with_program(t, f.files.data[0], compile, &c);
    }
    tsr_vec_free(&c.given);
    return flags_end(t, &f, code);
}

static const char *const examples[] = {"A program that runs without the compiler",
                                       "tessera compile model.mlir -o model.tsrx", NULL};

const command command_compile = {
    .name = "compile",
    .doc = "compile a function and save the program, which runs without its module",
    .usage = "FILE -o program.tsrx|model.c [options]",
    .run = run_compile,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .examples = examples,
};
