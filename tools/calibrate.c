/* SPDX-License-Identifier: Apache-2.0 */
/* calibrate.c - `tessera calibrate`: measures this machine's peaks, which profiles and simulations are compared
 * with. */
#include "exec/cpu/machine.h"

#include <unistd.h>

#include "base/decimal.h"
#include "base/threads.h"
#include "sim/cpu.h"
#include "tools.h"

// clang-format off
/* FLAG(id, name, kind, arg, doc) */
#define FLAGS(FLAG) \
    FLAG(OUT, "o", VALUE, "<file>", "Write machine.json here (default: stdout)") \
    FLAG(DEVICE, "device", SWITCH, NULL, "Write a device file for `tessera simulate` and `--auto` instead: a device is a thread of this machine") \
    FLAG(THREADS, "threads", COUNT, "<n>", "How many threads are all of them (default: one for each core)") \
    FLAG(SECONDS, "seconds", VALUE, "<s>", "How long to measure, about (default: 2)")
// clang-format on

enum { FLAGS(FLAG_ID) };
static const flag table[] = {FLAGS(FLAG_ROW)};

/* Memory of the machine in bytes; 1 GB if unknown. */
static double machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (double)pages * (double)size : 1e9;
}

static int calibrate(const tool *t, const char *out, int64_t threads, double seconds, bool device)
{
    tsr_machine m;
    tsr_buf text = {0};
    if (threads)
        tsr_pool_limit((int)(threads < TSR_MOST_THREADS ? threads : TSR_MOST_THREADS));
    if (!tsr_machine_measure(&m, seconds)) {
        fprintf(stderr, "%s: error: no memory to measure with%s\n", t->name,
                tsr_memory_reason().text);
        return EXIT_ENVIRONMENT;
    }
    if (device)
        tsr_cpu_device(&text, &m, machine_memory());
    else
        tsr_machine_write(&m, &text);
    int code = write_output(t, out, tsr_buf_text(&text));
    tsr_buf_free(&text);
    return code;
}

static int run_calibrate(const tool *t, int argc, char **argv)
{
    flags f = {0};
    const char *out = "-";
    int64_t threads = 0;
    double seconds = 2;
    bool device = false;
    int code = flags_parse(t, argc, argv, &f);
    if (!code && flags_about(t, &f))
        code = -1;
    for (size_t i = 0; !code && i < f.given.n; i++) {
        const flag_given *g = &f.given.data[i];
        if (g->id == FLAG_ID_OUT)
            out = g->value;
        else if (g->id == FLAG_ID_DEVICE)
            device = g->on;
        else if (g->id == FLAG_ID_THREADS)
            threads = g->count;
        else if (!tsr_str_double(tsr_cstr(g->value), &seconds) || !(seconds >= 0 && seconds <= 600))
            code = flag_alone(t, "seconds", "wants a number from 0 to 600");
    }
    if (!code && f.files.n) {
        fprintf(stderr, "%s: no file is read: '%s' is one more\n", t->name, f.files.data[0]);
        code = usage_exit(t);
    }
    code = code ? code : calibrate(t, out, threads, seconds, device);
    return flags_end(t, &f, code);
}

static const char *const examples[] = {"A device file of this machine",
                                       "tessera calibrate -o machine.json", NULL};

const command command_calibrate = {
    .name = "calibrate",
    .doc = "measure this machine's peaks: products, bandwidth, functions, dispatch",
    .usage = "[options]",
    .run = run_calibrate,
    .flags = table,
    .nflag = TSR_COUNT(table),
    .examples = examples,
};
