/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c - `tessera explain`: why a program communicates, line by line, and which sharding to change. */
#include "device.h"
#include "given.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    GIVEN_FLAGS(FLAG) \
    FLAG(FUNCTION, "function", VALUE, "<name>", "Function to explain (default: main, or the module's only function)") \
    FLAG(DEVICE, "device", VALUE, "<name|file>", "The device that times are of: a100, galaxy, h100 (default), h200, n300, v5e, v5p, or a device file") \
    FLAG(MOST, "most", VALUE, "<n>", "Print no more than so many collectives, lines of memory and pieces of advice (default: 10)") \
    FLAG(NO_VERIFY, "no-verify", SWITCH, NULL, "Tell only what there is; by default other shardings are tried, and those that save something are told") \
    FLAG(APPLY, "apply", VALUE, "<n>", "Write the module with this advice instead of the report") \
    FLAG(JSON, "json", SWITCH, NULL, "Print the report as JSON")
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

typedef struct {
    const tool *t;
    tsr_explain_options options;
    tsr_shard_options shard;
    given_vec given;
    const char *device;
    bool read; /* the file is a module */
} config;

static int number(const tool *t, const flag_given *g, size_t *out)
{
    char *end = NULL;
    unsigned long v = g->value[0] >= '0' && g->value[0] <= '9' ? strtoul(g->value, &end, 10) : 0;
    if (!end || *end || v == 0 || v > 1000000) {
        fprintf(stderr, "%s: for the --%s option: a number from 1 to 1000000 is wanted, not '%s'\n",
                t->name, table[g->id].name, g->value);
        return usage_exit(t);
    }
    *out = v;
    return 0;
}

static int apply(config *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_MESH: c->shard.mesh = tsr_cstr(g->value); break;
    case FLAG_ID_ARG: return given_flag(c->t, g, false, &c->given);
    case FLAG_ID_RESULT: return given_flag(c->t, g, true, &c->given);
    case FLAG_ID_FUNCTION: c->shard.function = tsr_cstr(g->value); break;
    case FLAG_ID_DEVICE: c->device = g->value; break;
    case FLAG_ID_MOST: return number(c->t, g, &c->options.most);
    case FLAG_ID_APPLY: return number(c->t, g, &c->options.apply);
    case FLAG_ID_NO_VERIFY: c->options.verify = !g->on; break;
    case FLAG_ID_JSON: c->options.json = g->on; break;
    default: break;
    }
    return 0;
}

static int explain(void *user, tsr_module *m)
{
    config *c = user;
    c->read = true;
    tsr_status status = {0};
    uint32_t nerror = m->ctx->nerror;
    tsr_str text = tsr_module_explain(m, &c->options, &status);
    if (!text.data)
        return status_exit(c->t, m->ctx, nerror, &status);
    int code = write_output(c->t, "-", text);
    tsr_free((void *)text.data);
    return code;
}

static int run_explain(const tool *t, int argc, char **argv)
{
    flags f = {0};
    config c = {.t = t, .options.verify = true};
    tsr_arena arena;
    tsr_device_file device;
    tsr_arena_init(&arena);
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&c, &f.given.data[i]);
    if (!code && f.files.n != 1) {
        fprintf(stderr, "%s: one file is needed; - is stdin.  Try: '%s --help'\n", t->name,
                t->name);
        code = usage_exit(t);
    }
    if (!code && c.options.apply && c.options.json)
        code = flag_alone(t, "json", "prints the report: it cannot be used with --apply");
    if (!code && c.options.apply && !c.options.verify)
        code = flag_alone(t, "apply", "writes advice, which is not looked for with --no-verify");
    if (!code)
        code = device_flag(t, &arena, c.device, &device); /* with a message that shows the file */
    if (!code) {
        c.options.device = tsr_cstr(c.device ? c.device : "");
        c.shard.given = c.given.data;
        c.shard.ngiven = c.given.n;
        c.options.shard = &c.shard;
        code = with_program(t, f.files.data[0], explain, &c);
        if (code == EXIT_REJECTED && !c.read)
            fprintf(stderr,
                    "%s: note: it reads modules as JAX lowers them, and HLO text, which begins "
                    "with 'HloModule', as XLA compiles it: %s\n",
                    t->name,
                    "jitted.lower(*args).as_text(debug_info=True), XLA_FLAGS=--xla_dump_to=DIR");
    }
    tsr_vec_free(&c.given);
    tsr_arena_free(&arena);
    return flags_end(t, &f, code);
}

static const char *const examples[] = {"Why a program communicates", "tessera explain model.mlir",
                                       "With the second piece of advice applied",
                                       "tessera explain model.mlir --apply=2 -o better.mlir", NULL};

const command command_explain = {
    .name = "explain",
    .doc = "tell why a program communicates, line by line, and which sharding to change",
    .usage = "FILE [options]",
    .run = run_explain,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .examples = examples,
};
