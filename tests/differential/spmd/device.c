/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - random programs on a device, in the place of the compiled program. */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include "api/eval.h"
#include "base/devices.h"
#include "eval/host.h"
#include "exec/run/run.h"
#include "gpu/gpu.h"

/* One for the process; children that are forked later open their own. */
static tsr_device *device;

void device_end(void)
{
    if (device)
        tsr_devices_close(device);
    device = NULL;
}

/* What runs on the host: the first line of the program's dump, and groups of kind other. */
static void tell_host(const tsr_program *p)
{
    tsr_buf dump = {0};
    if (!tsr_program_others(p))
        return;
    tsr_program_dump(p, &dump);
    tsr_buf_char(&dump, 0);
    for (char *line = strtok(dump.data, "\n"), *first = line; line; line = strtok(NULL, "\n"))
        if (line == first || strstr(line, " other "))
            printf("%s\n", line);
    tsr_buf_free(&dump);
}

static bool run(tsr_module *m, const tsr_op *function, tsr_tensor *const *in, size_t nin,
                tsr_tensor **out, size_t nout, tsr_status *status)
{
    tsr_program *p = tsr_program_new(
        m, function, &(tsr_program_options){.backend = &tsr_backend_gpu, .device = device});
    tsr_eval e;
    if (!p || p->unfit.message[0]) {
        bool none = tsr_status_set(status, TSR_ENVIRONMENT, "%s",
                                   p ? p->unfit.message : "no memory for the program");
        tsr_program_free(p);
        return none;
    }
    tell_host(p);
    tsr_eval_init(&e, m, p->plan);
    tsr_rng_start(&e.rng, 0); /* as the evaluator's run */
    bool ok = tsr_program_run(p, &e, in, nin, out, nout, NULL);
    if (!ok)
        tsr_status_set(status, TSR_BAD_INPUT, "%.*s",
                       TSR_STR_ARG(tsr_buf_text(&e.failure.message)));
    tsr_eval_free(&e);
    tsr_program_free(p);
    return ok;
}

bool device_run(const char *name, tsr_module *given, tsr_tensor *const *in, size_t nin,
                tsr_tensor **out, size_t nout, tsr_status *status)
{
    tsr_module *m = tsr_module_clone(given);
    const tsr_op *function = NULL;
    bool ok = m && (device || (device = tsr_devices_open(tsr_cstr(name), status))) &&
              tsr_make_runnable(m, false) &&
              (function = tsr_entry_find(m, TSR_STR("main"), status)) &&
              run(m, function, in, nin, out, nout, status);
    if (m)
        tsr_module_free(m);
    return ok;
}
