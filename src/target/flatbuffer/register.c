/* SPDX-License-Identifier: Apache-2.0 */
/* register.c - ttcore-register-device: reads a file that describes the system, then registers the device. */
#include <stdio.h>

#include "base/input.h"
#include "base/scope.h"
#include "lower/ttnn/device.h"
#include "target/flatbuffer/system.h"
#include "target/passes.h"

static void close_file(void *f)
{
    fclose(f);
}

static bool read_file(tsr_pass *p, tsr_op *root, tsr_str path, tsr_buf *out)
{
    const char *error = NULL;
    tsr_buf name = {0};
    tsr_buf_str(&name, path);
    tsr_buf_char(&name, 0);
    FILE *f = tsr_input_open(name.data, &error);
    tsr_buf_free(&name);
    if (!f)
        return tsr_error(p->ctx, root->loc, "system desc does not exist: %.*s (%s)",
                         TSR_STR_ARG(path), error);
    tsr_cleanup cleanup;
    tsr_cleanup_push(&cleanup, close_file, f);
    for (size_t n = 1; n;) {
        tsr_buf_reserve(out, 1 << 16);
        n = tsr_input_read(f, out->data + out->len, out->cap - out->len, &error);
        out->len += n;
    }
    tsr_cleanup_pop(&cleanup);
    fclose(f);
    return !error || tsr_error(p->ctx, root->loc, "cannot read %.*s: %s", TSR_STR_ARG(path), error);
}

bool pass_ttcore_register_device(tsr_pass *p, tsr_op *root)
{
    tsr_str path = tsr_pass_str(p, "system-desc-path");
    if (path.len && root->regions[0].first) {
        tsr_buf data = {0};
        tsr_attr *system = read_file(p, root, path, &data)
                               ? tsr_fb_read_system(p->ctx, root->loc, tsr_buf_text(&data), path)
                               : NULL;
        tsr_buf_free(&data);
        if (!system)
            return false;
        tsr_op *m = tsr_ttcore_device_module(root);
        m->extra = tsr_dict_with(p->ctx, m->extra,
                                 tsr_name_get(p->ctx, TSR_STR("ttcore.system_desc")), system);
        p->changed = true;
    }
    return tsr_ttcore_register_device(p, root);
}
