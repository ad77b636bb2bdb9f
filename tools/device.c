/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - devices on the command line: --device of several commands. */
#include "device.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/scope.h"

int device_flag(const tool *t, tsr_arena *arena, const char *name, tsr_device_file *out)
{
    tsr_diag bad;
    tsr_status s = {0};
    if (tsr_device_file_load(arena, tsr_cstr(name ? name : ""), out, &bad, &s))
        return 0;
    source src = {bad.file, {0}, NULL};
    if (bad.line)
        diag_print(stderr, &src, &bad, 1);
    else
        fprintf(stderr, "%s: error: %s\n", t->name, s.message);
    return s.code == TSR_ENVIRONMENT ? EXIT_ENVIRONMENT : EXIT_REJECTED;
}

bool device_file_of(const char *hardware, char *out, size_t size)
{
    tsr_buf names = {0}, words = {0};
    tsr_device_file_names(&names);
    tsr_buf_char(&names, 0);
    for (const char *c = hardware; *c; c++)
        tsr_buf_char(&words, (char)tolower((unsigned char)*c));
    tsr_buf_char(&words, 0);
    out[0] = 0;
    for (char *name = strtok(names.data, ", "); name; name = strtok(NULL, ", "))
        if (strstr(words.data, name) && strlen(name) > strlen(out))
            snprintf(out, size, "%s", name);
    tsr_buf_free(&names);
    tsr_buf_free(&words);
    return *out;
}

/* ---- --auto ---- */

/* "80G", "1.5s": a number and a unit of this list. Negative: invalid. */
static double quantity(const char *text, const char *units, const double *scales)
{
    size_t used = 0;
    double x = tsr_read_double(tsr_cstr(text), &used);
    const char *rest = text + used;
    if (!used || !(x > 0 && x < 1e18))
        return -1;
    if (!*rest)
        return x;
    const char *unit = strchr(units, *rest);
    rest += unit && (rest[1] == 'B' || rest[1] == 'b') && units[0] == 'K' ? 2 : 1;
    return unit && !*rest ? x * scales[unit - units] : -1;
}

static int bad_value(const tool *t, const char *name, const char *value, const char *wanted)
{
    fprintf(stderr, "%s: for the --%s option: '%s' value invalid: %s is wanted\n", t->name, name,
            value, wanted);
    return usage_exit(t);
}

int size_flag(const tool *t, const char *name, const char *value, double *out)
{
    *out = quantity(value, "KMGT", (const double[]){1e3, 1e6, 1e9, 1e12});
    return *out < 0 ? bad_value(t, name, value, "a size such as 80G") : 0;
}

int auto_flag(const tool *t, const flag_given *g, int auto_id, auto_flags *out)
{
    enum { AUTO, DEVICES, AXES, DEVICE, MEMORY, KEEP, TIME };
    int which = g->id - auto_id;
    if (which > AUTO && which <= TIME)
        out->first = t->command->flags[g->id].name;
    switch (which) {
    case AUTO: out->on = g->on; break;
    case DEVICES:
        out->devices = g->count;
        if (g->count < TSR_AUTO_LEAST_DEVICES || g->count > TSR_AUTO_MOST_DEVICES)
            return bad_value(t, "devices", g->value, TSR_AUTO_DEVICES);
        break;
    case AXES: out->axes = g->value; break;
    case DEVICE: out->device = g->value; break;
    case KEEP: out->keep = g->on; break;
    case MEMORY: return size_flag(t, t->command->flags[g->id].name, g->value, &out->memory);
    case TIME:
        out->seconds = quantity(g->value, "s", (const double[]){1});
        return out->seconds < 0 ? bad_value(t, "time", g->value, "a time such as 1s") : 0;
    default: break;
    }
    return 0;
}

int auto_check(const tool *t, const auto_flags *a, tsr_str mesh)
{
    if (a->first && !a->on)
        return flag_alone(t, a->first, "needs --auto");
    if (a->devices && mesh.len)
        return flag_alone(t, "devices", "cannot be used with --mesh, which has them");
    if (a->axes && !a->devices)
        return flag_alone(t, "axes", "needs --devices");
    if (a->devices && a->keep)
        return flag_alone(t, "keep",
                          "keeps shardings of one mesh: it cannot be used with --devices");
    return 0;
}

/* When the command is stopped: its message gets a line of its own. */
static void clear_line(void *user)
{
    progress_end(user);
}

static bool show_search(void *user, const tsr_search_progress *p)
{
    progress_line *line = user;
    if (!progress_is_due(line))
        return true;
    tsr_buf best = {0}, meshes = {0};
    if (p->best_seconds >= 0) {
        tsr_buf_cstr(&best, ", best step ");
        tsr_buf_seconds(&best, p->best_seconds);
    }
    if (p->all_meshes > 1)
        tsr_buf_printf(&meshes, "mesh %zu of %zu, ", p->meshes + (p->meshes < p->all_meshes),
                       p->all_meshes);
    tsr_buf_char(&best, '\0');
    tsr_buf_char(&meshes, '\0');
    progress_show(line, "searching shardings: %s%.*s, %zu candidates%s", meshes.data,
                  TSR_STR_ARG(p->mesh), p->candidates, best.data);
    tsr_buf_free(&best);
    tsr_buf_free(&meshes);
    return true;
}

bool auto_give(const auto_flags *a, tsr_arena *arena, tsr_module *m,
               const tsr_shard_request *request, tsr_auto_result *out, tsr_status *status)
{
    tsr_device_file *device = TSR_NEW(arena, tsr_device_file);
    progress_line line;
    tsr_cleanup cleanup;
    progress_begin(&line);
    tsr_cleanup_push(&cleanup, clear_line, &line);
    tsr_auto_request r = {.shard = *request,
                          .devices = a->devices,
                          .axes = tsr_cstr(a->axes ? a->axes : ""),
                          .device = device,
                          .memory = a->memory,
                          .seconds = a->seconds,
                          .keep = a->keep,
                          .no_experts = a->alone,
                          .plan = a->plan,
                          .progress = line.on ? show_search : NULL,
                          .user = &line};
    bool ok =
        tsr_device_file_load(arena, tsr_cstr(a->device ? a->device : ""), device, NULL, status) &&
        tsr_auto_shard(arena, m, &r, out, status);
    tsr_cleanup_pop(&cleanup);
    progress_end(&line);
    return ok;
}

int auto_module(const tool *t, const auto_flags *a, tsr_arena *arena, tsr_module *m,
                const tsr_shard_request *request, tsr_auto_result *out)
{
    tsr_status s = {0};
    tsr_device_file device;
    int code = device_flag(t, arena, a->device, &device);
    if (code)
        return code;
    uint32_t nerror = m->ctx->nerror;
    return auto_give(a, arena, m, request, out, &s) ? 0 : status_exit(t, m->ctx, nerror, &s);
}
