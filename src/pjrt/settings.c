/* SPDX-License-Identifier: Apache-2.0 */
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
    {"timeout", "TESSERA_TIMEOUT", offsetof(pj_settings, timeout), true, false},
    {"silence", "TESSERA_SILENCE", offsetof(pj_settings, silence), true, false},
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

/* Where the job's service is: a text. */
static bool is_coordinator(pj_settings *out, const pj_named_value *v)
{
    static const char name[] = "coordinator";
    if (v->name_size != sizeof name - 1 || memcmp(v->name, name, sizeof name - 1) != 0 ||
        v->type != PJ_STRING || v->value_size >= sizeof out->coordinator)
        return false;
    memcpy(out->coordinator, v->string_value, v->value_size);
    out->coordinator[v->value_size] = 0;
    return true;
}

static pj_error *from_option(pj_settings *out, const pj_named_value *v)
{
    int n = (int)(v->name_size < 40 ? v->name_size : 40);
    if (is_coordinator(out, v))
        return NULL;
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
                   "max_bytes, max_ops, num_nodes, node_id, partition_index, coordinator, timeout "
                   "and silence",
                   n, v->name);
}

enum { MOST_PROCESSES = 4096 };

static pj_error *check_processes(const pj_settings *s)
{
    const char *transport = getenv("TESSERA_TRANSPORT");
    if (transport && *transport && strcmp(transport, "auto") != 0 && strcmp(transport, "tcp") != 0)
        return pj_fail(PJ_INVALID_ARGUMENT,
                       "TESSERA_TRANSPORT is '%.40s'; processes reach each other by tcp (auto)",
                       transport);
    if (s->processes > MOST_PROCESSES)
        return pj_fail(PJ_INVALID_ARGUMENT, "a job has at most %d processes, not %llu",
                       MOST_PROCESSES, (unsigned long long)s->processes);
    if (s->process < s->processes)
        return NULL;
    return s->processes == 1
               ? pj_fail(PJ_INVALID_ARGUMENT, "there is one process; its number is 0, not %llu",
                         (unsigned long long)s->process)
               : pj_fail(PJ_INVALID_ARGUMENT, "there are %llu processes; none has number %llu",
                         (unsigned long long)s->processes, (unsigned long long)s->process);
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
