/* settings.c - settings of a client: the number of devices, limits of a compilation or run, and its place among the
 * processes of a job. Options of the client take precedence over environment variables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "pjrt/pjrt.h"

static const struct setting {
    const char *name, *variable; /* NULL: an option only */
    size_t offset;               /* in pj_settings */
    bool seconds;                /* a float; else an integer */
    bool zero;                   /* may be 0 */
} settings[] = {
    {"devices", "TESSERA_DEVICES", offsetof(pj_settings, devices), false, false},
    {"max_steps", "TESSERA_MAX_STEPS", offsetof(pj_settings, budget.max_steps), false, false},
    {"max_seconds", "TESSERA_MAX_SECONDS", offsetof(pj_settings, budget.max_seconds), true, false},
    {"max_bytes", "TESSERA_MAX_BYTES", offsetof(pj_settings, budget.max_bytes), false, false},
    {"max_ops", "TESSERA_MAX_OPS", offsetof(pj_settings, budget.max_ops), false, false},
    {"num_nodes", NULL, offsetof(pj_settings, processes), false, false},
    {"node_id", NULL, offsetof(pj_settings, process), false, true},
    {"partition_index", NULL, offsetof(pj_settings, part), false, true},
};

enum { NSETTING = sizeof settings / sizeof *settings };

static void set(pj_settings *out, const struct setting *s, double seconds, uint64_t number)
{
    char *at = (char *)out + s->offset;
    if (s->seconds)
        memcpy(at, &seconds, sizeof seconds);
    else
        memcpy(at, &number, sizeof number);
}

static pj_error *from_environment(pj_settings *out, const struct setting *s)
{
    const char *text = s->variable ? getenv(s->variable) : NULL;
    if (!text || !*text)
        return NULL;
    double seconds = 0;
    uint64_t number = 0;
    bool ok;
    if (s->seconds) {
        ok = tsr_str_double(tsr_cstr(text), &seconds) && seconds > 0;
    } else {
        char *end;
        errno = 0;
        number = strtoull(text, &end, 10);
        ok = *text >= '0' && *text <= '9' && !*end && !errno && number;
    }
    if (!ok)
        return pj_fail(PJ_INVALID_ARGUMENT, "%s is '%.40s', not a number above 0", s->variable,
                       text);
    set(out, s, seconds, number);
    return NULL;
}

static pj_error *from_option(pj_settings *out, const pj_named_value *v)
{
    int n = (int)(v->name_size < 40 ? v->name_size : 40);
    for (size_t i = 0; i < NSETTING; i++) {
        const struct setting *s = &settings[i];
        if (strlen(s->name) != v->name_size || memcmp(s->name, v->name, v->name_size))
            continue;
        bool whole = v->type == PJ_INT64 && v->int64_value >= !s->zero;
        if (whole)
            set(out, s, (double)v->int64_value, (uint64_t)v->int64_value);
        else if (s->seconds && v->type == PJ_FLOAT && v->float_value > 0)
            set(out, s, (double)v->float_value, 0);
        else
            return pj_fail(PJ_INVALID_ARGUMENT, "the client's option '%.*s' is %s %s 0", n, v->name,
                           s->seconds ? "a number" : "a whole number",
                           s->zero ? "not below" : "above");
        return NULL;
    }
    return pj_fail(PJ_INVALID_ARGUMENT,
                   "the client has no option '%.*s'; it has devices, max_steps, max_seconds, "
                   "max_bytes, max_ops, num_nodes, node_id and partition_index",
                   n, v->name);
}

/* A job of one process needs nothing of the others' addresses. */
static pj_error *check_processes(const pj_settings *s)
{
    if (s->processes > 1)
        return pj_fail(
            PJ_UNIMPLEMENTED,
            "this is process %llu of %llu: Tessera's plugin does not run on several processes yet",
            (unsigned long long)s->process, (unsigned long long)s->processes);
    return s->process
               ? pj_fail(PJ_INVALID_ARGUMENT, "there is one process; its number is 0, not %llu",
                         (unsigned long long)s->process)
               : NULL;
}

pj_error *pj_settings_read(pj_settings *out, const pj_named_value *options, size_t n)
{
    pj_error *e = NULL;
    *out = (pj_settings){.devices = 1, .processes = 1};
    for (size_t i = 0; !e && i < NSETTING; i++)
        e = from_environment(out, &settings[i]);
    for (size_t i = 0; !e && i < n; i++)
        e = from_option(out, &options[i]);
    if (!e && out->devices > PJ_DEVICES_MAX)
        e = pj_fail(PJ_INVALID_ARGUMENT, "a client has 1 to %d devices, not %lld", PJ_DEVICES_MAX,
                    (long long)out->devices);
    return e ? e : check_processes(out);
}
