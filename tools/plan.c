/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - plans on the command line, and `tessera check-plan` and `tessera compare-plans`. */
#include "plan.h"

#include "api/api.h"
#include "base/decimal.h"
#include "device.h"

/* ---- Flags of other commands ---- */

int plan_pins(const tool *t, const char *value, tsr_pins *out)
{
    for (int i = TSR_PINS_FEW; i <= TSR_PINS_ALL; i++)
        if (strcmp(value, tsr_pins_name((tsr_pins)i)) == 0) {
            *out = (tsr_pins)i;
            return 0;
        }
    fprintf(stderr, "%s: for the --pins option: '%s' value invalid: none, few or all is wanted\n",
            t->name, value);
    return usage_exit(t);
}

int plan_flag(const tool *t, const flag_given *g, int plan_id, plan_flags *out)
{
    enum { PLAN, CANDIDATE, PINS, EXPRESSIBLE, APPLY };
    switch (g->id - plan_id) {
    case PLAN:
        out->out = g->value;
        out->request.required = true;
        break;
    case CANDIDATE:
        out->request.candidate = g->count < 0 ? SIZE_MAX : (size_t)g->count;
        out->has_candidate = out->request.required = true;
        break;
    case PINS: out->has_pins = true; return plan_pins(t, g->value, &out->request.pins);
    case EXPRESSIBLE: out->request.expressible = out->request.required = g->on; break;
    case APPLY: out->apply = g->value; break;
    default: break;
    }
    return 0;
}

int plan_flags_check(const tool *t, const plan_flags *p, bool on)
{
    if (p->apply && on)
        return flag_alone(t, "apply-plan", "applies what --auto found before: one of them");
    if (p->out && !on)
        return flag_alone(t, "plan", "needs --auto");
    if (p->request.expressible && !on)
        return flag_alone(t, "expressible", "needs --auto");
    if (p->has_candidate && !on && !p->apply)
        return flag_alone(t, "candidate", "needs --auto or --apply-plan");
    if (p->has_pins && !on && !p->apply)
        return flag_alone(t, "pins", "needs --auto or --apply-plan");
    if (p->has_pins && p->apply && p->request.pins != TSR_PINS_NONE)
        return flag_alone(t, "pins", "with --apply-plan can only be none: the plan has its pins");
    return 0;
}

/* ---- Plan files ---- */

int plan_read_file(const tool *t, const char *path, tsr_mesh_plan **out)
{
    tsr_file in;
    tsr_diag bad = {0};
    tsr_status s = {0};
    const char *error = NULL;
    *out = NULL;
    if (!tsr_file_open(path, &in, &error))
        return cannot_open(t, path, error);
    tsr_str name = tsr_cstr(strcmp(path, "-") == 0 ? "<stdin>" : path);
    *out = tsr_mesh_plan_read(in.data, name, &bad, &s);
    source src = {name, in.data, NULL};
    if (!*out)
        diag_print(stderr, &src, &bad, 1);
    tsr_file_close(&in);
    return *out ? 0 : EXIT_REJECTED;
}

static int choose(const tool *t, tsr_mesh_plan *p, const plan_flags *f)
{
    if (!f->has_candidate || f->request.candidate < p->n) {
        p->chosen = f->has_candidate ? (uint32_t)f->request.candidate : p->chosen;
        return 0;
    }
    fprintf(stderr, "%s: error: there is no candidate %lld: the plan has %u, from 0 on\n", t->name,
            (long long)f->request.candidate, p->n);
    return EXIT_REJECTED;
}

int plan_apply_file(const tool *t, const plan_flags *f, tsr_module *m)
{
    tsr_mesh_plan *p;
    tsr_status s = {0};
    uint32_t nerror = m->ctx->nerror;
    int code = plan_read_file(t, f->apply, &p);
    if (!code)
        code = choose(t, p, f);
    if (!code && !tsr_mesh_plan_apply(m, p, f->request.pins != TSR_PINS_NONE, &s))
        code = status_exit(t, m->ctx, nerror, &s);
    tsr_mesh_plan_free(p);
    return code;
}

/* ---- tessera check-plan ---- */

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define CHECK_FLAGS(FLAG) \
    FLAG(CHECKED, "plan", VALUE, "<file>", "The plan, as `tessera shard --auto --plan` writes it") \
    FLAG(TOLERANCE, "tolerance", VALUE, "<2%>", "How much worse the step time and the memory may be than promised (default: 2%)") \
    FLAG(CHECK_DEVICE, "device", VALUE, "<name|file>", "Another device than the plan's") \
    FLAG(CHECK_MEMORY, "memory", VALUE, "<80G>", "Another limit than the plan's: bytes a device, with K, M, G or T (powers of 1000)") \
    FLAG(CHECK_PINS, "pins", VALUE, "none|all", "none: without the plan's pins, as other versions of the program can take it (default: all that it has)") \
    FLAG(CHECK_JSON, "json", SWITCH, NULL, "Print the figures as JSON")
// clang-format on

enum { CHECK_FLAGS(FLAG_ID) };
static const flag check_table[] = {CHECK_FLAGS(FLAG_ROW)};

typedef struct {
    const tool *t;
    const char *plan, *device;
    bool json;
    tsr_mesh_plan_check_request request;
    tsr_mesh_plan *read;
} check_config;

/* "2%", "0.5": per cent. */
static int tolerance_flag(const tool *t, const char *value, double *out)
{
    size_t used = 0;
    double x = tsr_read_double(tsr_cstr(value), &used);
    bool ends = used && (!value[used] || strcmp(value + used, "%") == 0);
    *out = x / 100;
    if (ends && x >= 0 && x < 1e6)
        return 0;
    fprintf(
        stderr,
        "%s: for the --tolerance option: '%s' value invalid: per cent are wanted, such as 2%%\n",
        t->name, value);
    return usage_exit(t);
}

static int check_flag(check_config *c, const flag_given *g)
{
    tsr_pins pins = TSR_PINS_ALL;
    int code = 0;
    switch (g->id) {
    case FLAG_ID_CHECKED: c->plan = g->value; break;
    case FLAG_ID_TOLERANCE: return tolerance_flag(c->t, g->value, &c->request.tolerance);
    case FLAG_ID_CHECK_DEVICE: c->device = g->value; break;
    case FLAG_ID_CHECK_MEMORY: return size_flag(c->t, "memory", g->value, &c->request.memory);
    case FLAG_ID_CHECK_JSON: c->json = g->on; break;
    default:
        code = plan_pins(c->t, g->value, &pins);
        c->request.no_pins = pins == TSR_PINS_NONE;
        if (!code && pins == TSR_PINS_FEW)
            code = flag_alone(c->t, "pins", "is none or all here: the plan has its pins");
        break;
    }
    return code;
}

static int check_program(void *user, tsr_module *m)
{
    check_config *c = user;
    tsr_status s = {0};
    tsr_buf text = {0};
    bool keeps = false;
    uint32_t nerror = m->ctx->nerror;
    int code = 0;
    if (!tsr_mesh_plan_check(m, c->read, &c->request, c->json, &text, &keeps, &s))
        code = status_exit(c->t, m->ctx, nerror, &s);
    if (!code)
        code = write_output(c->t, "-", tsr_buf_text(&text));
    tsr_buf_free(&text);
    return code ? code : keeps ? EXIT_OK : EXIT_REJECTED;
}

static int run_check(const tool *t, int argc, char **argv)
{
    flags f = {0};
    tsr_arena arena;
    tsr_device_file device;
    check_config c = {.t = t, .request = {.tolerance = TSR_MESH_PLAN_TOLERANCE}};
    tsr_arena_init(&arena);
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        code = check_flag(&c, &f.given.data[i]);
    if (!code)
        code = flags_one_file(t, &f);
    if (!code && !c.plan) {
        fprintf(stderr, "%s: a plan is needed: --plan=FILE\n", t->name);
        code = usage_exit(t);
    }
    if (!code && c.device) {
        code = device_flag(t, &arena, c.device, &device);
        c.request.device = &device;
    }
    if (!code)
        code = plan_read_file(t, c.plan, &c.read);
    if (!code)
        code = with_program(t, f.files.data[0], check_program, &c);
    tsr_mesh_plan_free(c.read);
    tsr_arena_free(&arena);
    return flags_end(t, &f, code);
}

const command command_check_plan = {
    .name = "check-plan",
    .doc = "tell whether a plan still keeps its promise for this version of a program",
    .usage = "FILE --plan=PLAN [options]",
    .run = run_check,
    .flags = check_table,
    .nflag = TSR_COUNT(check_table),
};

/* ---- tessera compare-plans ---- */

// clang-format off
#define COMPARE_FLAGS(FLAG) \
    FLAG(COMPARE_JSON, "json", SWITCH, NULL, "Print the differences as JSON")
// clang-format on

enum { COMPARE_FLAGS(FLAG_ID) };
static const flag compare_table[] = {COMPARE_FLAGS(FLAG_ROW)};

static int run_compare(const tool *t, int argc, char **argv)
{
    flags f = {0};
    tsr_mesh_plan *both[2] = {NULL, NULL};
    bool json = false;
    tsr_buf text = {0};
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        json = f.given.data[i].on;
    if (!code && f.files.n != 2) {
        fprintf(stderr, "%s: two plans are needed: before and after\n", t->name);
        code = usage_exit(t);
    }
    for (int i = 0; !code && i < 2; i++)
        code = plan_read_file(t, f.files.data[i], &both[i]);
    if (!code) {
        tsr_mesh_plan_differences(&text, both[0], both[1], json);
        code = write_output(t, "-", tsr_buf_text(&text));
    }
    tsr_buf_free(&text);
    tsr_mesh_plan_free(both[0]);
    tsr_mesh_plan_free(both[1]);
    return flags_end(t, &f, code);
}

const command command_compare_plans = {
    .name = "compare-plans",
    .doc = "tell how two plans differ: figures, shardings of arguments, pins",
    .usage = "BEFORE AFTER [options]",
    .run = run_compare,
    .flags = compare_table,
    .nflag = TSR_COUNT(compare_table),
};
