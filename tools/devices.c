/* SPDX-License-Identifier: Apache-2.0 */
/* devices.c - `tessera devices`: which devices with memory of their own there are, and what their plug-ins lack. */
#include "tools.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(JSON, "json", SWITCH, NULL, "Print one JSON object for each kind")
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

static int report(const tool *t, const char *kind, bool json)
{
    tsr_status s = {0};
    tsr_str text = tsr_device_report(tsr_cstr(kind), json, &s);
    if (!text.data) {
        fprintf(stderr, "%s: error: %s\n", t->name, s.message);
        return s.code == TSR_ENVIRONMENT ? EXIT_ENVIRONMENT : EXIT_REJECTED;
    }
    int code = write_output(t, "-", text);
    tsr_free((void *)text.data);
    return code;
}

static int run_devices(const tool *t, int argc, char **argv)
{
    flags f = {0};
    bool json = false;
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++)
        json = f.given.data[i].on;
    for (size_t i = 0; !code && i < f.files.n; i++)
        code = report(t, f.files.data[i], json);
    if (!code && !f.files.n)
        code = report(t, "cuda", json);
    return flags_end(t, &f, code);
}

static const char *const examples[] = {"The GPUs of this machine", "tessera devices",
                                       "The same as data", "tessera devices --json", NULL};

const command command_devices = {
    .name = "devices",
    .doc = "list GPUs, their memory, and the libraries that are needed",
    .usage = "[KIND...] [options]",
    .run = run_devices,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .examples = examples,
};
