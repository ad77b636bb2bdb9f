/* SPDX-License-Identifier: Apache-2.0 */
/* grad.c - `tessera grad`: adds the derivative of a function to a module. */
#include "tools.h"

#include "text/text.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(FUNCTION, "function", VALUE, "<name>", "Function to differentiate (default: main, or the module's only function)") \
    FLAG(WRT, "wrt", VALUE, "<0,2>", "Numbers of the arguments of interest (default: all)") \
    FLAG(MODE, "mode", VALUE, "reverse|forward", "f_grad(inputs, cotangents) -> gradients, or f_jvp(inputs, tangents) -> results, tangents (default: reverse)") \
    FLAG(REMAT, "remat", VALUE, "none|cheap", "What the backward part computes again instead of keeping it (default: none)") \
    FLAG(WITH_RESULTS, "with-results", SWITCH, NULL, "f_grad returns the results of f, too, before the gradients") \
    FLAG(OUT, "o", VALUE, "<file>", "Output file; - is stdout. Written only when all went well")
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

typedef struct {
    const tool *t;
    const char *out;
    tsr_str function;
    tsr_grad_options options;
    TSR_VEC(size_t) wrt;
} config;

static int bad_value(const config *c, const flag_given *g, const char *wanted)
{
    fprintf(stderr, "%s: for the --%s option: '%s' value invalid: %s wanted\n", c->t->name,
            table[g->id].name, g->value, wanted);
    return usage_exit(c->t);
}

/* "0,2" */
static int read_wrt(config *c, const flag_given *g)
{
    for (const char *p = g->value;; p++) {
        size_t index = 0, digits = 0;
        for (; *p >= '0' && *p <= '9' && digits < 9; p++, digits++)
            index = index * 10 + (size_t)(*p - '0');
        if (!digits || (*p && *p != ','))
            return bad_value(c, g, "numbers of arguments, parted by commas, are");
        tsr_vec_push(&c->wrt, index);
        if (!*p)
            return 0;
    }
}

static int apply(config *c, const flag_given *g)
{
    switch (g->id) {
    case FLAG_ID_FUNCTION: c->function = tsr_cstr(g->value); break;
    case FLAG_ID_WRT: return read_wrt(c, g);
    case FLAG_ID_MODE: return flag_choice(c->t, g, "forward", "reverse", &c->options.forward);
    case FLAG_ID_REMAT: return flag_choice(c->t, g, "cheap", "none", &c->options.rematerialise);
    case FLAG_ID_WITH_RESULTS: c->options.with_results = g->on; break;
    case FLAG_ID_OUT: c->out = g->value; break;
    default: break;
    }
    return 0;
}

static int differentiate(void *user, tsr_module *m)
{
    config *c = user;
    tsr_buf text = {0};
    c->options.wrt = c->wrt.data;
    c->options.nwrt = c->wrt.n;
    if (!tsr_module_differentiate(m, c->function, &c->options))
        return EXIT_REJECTED;
    tsr_print_options print = print_for(c->t, c->out, m);
    tsr_print_module(&text, m, &print);
    int code = write_output(c->t, c->out, tsr_buf_text(&text));
    tsr_buf_free(&text);
    return code;
}

static int run_grad(const tool *t, int argc, char **argv)
{
    flags f = {0};
    config c = {.t = t, .out = "-"};
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = apply(&c, &f.given.data[i]);
    if (!code)
        code = flags_one_file(t, &f);
    if (!code && c.options.forward && (c.options.with_results || c.options.rematerialise))
        code = flag_alone(t, c.options.with_results ? "with-results" : "remat",
                          c.options.with_results
                              ? "is for reverse mode: forward mode gives results in any case"
                              : "is for reverse mode: forward mode keeps nothing");
    if (!code) {
        code = with_program(t, f.files.data[0], differentiate, &c);
    }
    tsr_vec_free(&c.wrt);
    return flags_end(t, &f, code);
}

static const char *const examples[] = {"The gradient of a function",
                                       "tessera grad model.mlir -o gradient.mlir", NULL};

const command command_grad = {
    .name = "grad",
    .doc = "differentiate a function of a module: its gradient or its tangent map is added",
    .usage = "FILE [options]",
    .run = run_grad,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .examples = examples,
};
