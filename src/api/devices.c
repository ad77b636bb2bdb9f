/* SPDX-License-Identifier: Apache-2.0 */
/* devices.c - devices of plug-ins in the public API: opened by name, their memory, and tensors there. */
#include "api/devices.h"

#include "api/guard.h"
#include "base/decimal.h"
#include "base/device_block.h"
#include "base/devices.h"
#include "base/output.h"
#include "base/status.h"
#include "eval/tensor.h"
#include "exec/backend.h"
#include "exec/report.h"
#include "gpu/gpu.h"

const struct tsr_backend *tsr_backend_of(const tsr_device *d)
{
    return !d ? NULL : d->compile ? &tsr_backend_gpu : &tsr_backend_null;
}

bool tsr_device_takes(const tsr_program *p, bool empty, tsr_status *status)
{
    enum { MOST = 5 };
    tsr_device *d = p->device;
    tsr_memory_use use;
    if (p->unfit.code)
        return tsr_status_set(status, p->unfit.code, "%s", p->unfit.message);
    tsr_program_memory(p, &use);
    int64_t left = empty ? (int64_t)d->bytes : d->left(d);
    if (left < 0 || use.peak <= (uint64_t)left)
        return true;
    tsr_buf text = {0};
    tsr_alive_vec alive = {0};
    tsr_program_alive(p, &alive);
    for (size_t i = 0; i < alive.n && i < MOST; i++) {
        tsr_buf_cstr(&text, i ? ", " : ": ");
        tsr_report_type(&text, &p->values.data[alive.data[i].value]);
        tsr_buf_printf(&text, " (%s)", alive.data[i].role);
    }
    tsr_status_set(status, TSR_ENVIRONMENT,
                   "it needs %llu bytes at its peak, and %s has %lld%s%.*s",
                   (unsigned long long)use.peak, d->name, (long long)left, empty ? "" : " left",
                   TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_vec_free(&alive);
    tsr_buf_free(&text);
    return false;
}

bool tsr_device_write_kernels(const tsr_program *p, const char *folder, tsr_status *status)
{
    const tsr_gpu_program *code = p->backend == &tsr_backend_gpu ? p->code : NULL;
    bool ok = true;
    for (size_t i = 0; ok && code && i < code->texts.n; i++) {
        tsr_buf path = {0};
        tsr_buf_printf(&path, "%s/kernel%zu.cu", folder, i);
        tsr_buf_char(&path, 0);
        ok = tsr_output_save(path.data, code->texts.data[i], status);
        tsr_buf_free(&path);
    }
    return ok;
}

tsr_device *tsr_device_open(tsr_str name, tsr_status *status)
{
    TSR_GUARD_IF(g, true, NULL, NULL, TSR_READS, status, NULL)
    tsr_device *d = tsr_devices_open(name, g.status);
    tsr_guard_close(&g);
    return d;
}

void tsr_device_close(tsr_device *d)
{
    tsr_devices_close(d);
}

void tsr_device_tell(tsr_device *d, tsr_device_facts *out)
{
    *out = (tsr_device_facts){.left = -1};
    if (!d)
        return;
    *out = (tsr_device_facts){.number = d->number,
                              .bytes = d->bytes,
                              .left = d->left(d),
                              .units = d->units,
                              .architecture = d->architecture,
                              .align = d->align};
    memcpy(out->name, d->name, sizeof out->name);
}

/* ---- Memory ---- */

/* The device's failure, as a status. Returns false. */
static bool failed(tsr_device *d, tsr_status *status)
{
    return tsr_status_set(status, TSR_ENVIRONMENT, "%s: %s", d->name, d->error);
}

void *tsr_device_allocate(tsr_device *d, size_t bytes, tsr_status *status)
{
    TSR_GUARD_IF(g, d != NULL, NULL, NULL, TSR_READS, status, NULL)
    void *at = d->allocate(d, bytes ? bytes : 1);
    if (!at)
        failed(d, g.status);
    tsr_guard_close(&g);
    return at;
}

void tsr_device_release(tsr_device *d, void *at)
{
    if (d && at)
        d->release(d, at);
}

bool tsr_device_copy_in(tsr_device *d, void *to, const void *from, size_t bytes, tsr_status *status)
{
    TSR_GUARD_IF(g, d && ((to && from) || !bytes), NULL, NULL, TSR_READS, status, false)
    bool ok = !bytes || d->copy_in(d, to, from, bytes) || failed(d, g.status);
    tsr_guard_close(&g);
    return ok;
}

bool tsr_device_copy_out(tsr_device *d, void *to, const void *from, size_t bytes,
                         tsr_status *status)
{
    TSR_GUARD_IF(g, d && ((to && from) || !bytes), NULL, NULL, TSR_READS, status, false)
    bool ok = !bytes || d->copy_out(d, to, from, bytes) || failed(d, g.status);
    tsr_guard_close(&g);
    return ok;
}

/* ---- Order of work ---- */

bool tsr_device_wait(tsr_device *d, tsr_status *status)
{
    TSR_GUARD_IF(g, d != NULL, NULL, NULL, TSR_READS, status, false)
    bool ok = d->synchronize(d) || failed(d, g.status);
    tsr_guard_close(&g);
    return ok;
}

bool tsr_device_mark(tsr_device *d, uint64_t *mark, tsr_status *status)
{
    TSR_GUARD_IF(g, d && mark, NULL, NULL, TSR_READS, status, false)
    tsr_mark m = {0};
    bool ok = d->mark(d, TSR_LANE_KERNELS, &m) || failed(d, g.status);
    *mark = m.word;
    tsr_guard_close(&g);
    return ok;
}

int tsr_device_reached(tsr_device *d, uint64_t mark)
{
    return d ? d->reached(d, (tsr_mark){mark}) : -1;
}

/* ---- Tensors ---- */

tsr_device *tsr_tensor_device(const tsr_tensor *t)
{
    return t && t->where ? t->where->device : NULL;
}

/* From one device to another: after what was given to the one before, and before what it is given next. */
static bool copy_between(tsr_device *to, void *at, tsr_device *from, const void *data, size_t bytes,
                         tsr_status *status)
{
    const int lane = TSR_LANE_KERNELS;
    tsr_mark begin, end;
    if (!from->mark(from, lane, &begin))
        return failed(from, status);
    if (!to->wait(to, lane, from, begin) || !to->copy(to, at, from, data, bytes) ||
        !to->mark(to, lane, &end))
        return failed(to, status);
    return from->wait(from, lane, to, end) || failed(from, status);
}

/* The elements, to a tensor of the same type here or there. */
static bool copy_elements(tsr_tensor *to, const tsr_tensor *from, tsr_status *status)
{
    tsr_device *there = tsr_tensor_device(to), *here = tsr_tensor_device(from);
    size_t bytes = tsr_tensor_bytes(from);
    if (!bytes)
        return true;
    if (there && here)
        return copy_between(there, to->data, here, from->data, bytes, status);
    if (there)
        return there->copy_in(there, to->data, from->data, bytes) || failed(there, status);
    if (here)
        return here->copy_out(here, to->data, from->data, bytes) || failed(here, status);
    memcpy(to->data, from->data, bytes);
    return true;
}

static tsr_tensor *copy_to(const tsr_tensor *t, tsr_device *d, tsr_status *status)
{
    if (t->kind != TSR_TENSOR) {
        tsr_status_set(status, TSR_BAD_INPUT, "tokens and tuples have no data to copy");
        return NULL;
    }
    if (d && t->where && !tsr_devices_are_kin(d, t->where->device)) {
        tsr_status_set(status, TSR_BAD_INPUT,
                       "%s and %s are devices of two kinds: copies go through the host",
                       t->where->device->name, d->name);
        return NULL;
    }
    tsr_tensor *to = d ? tsr_tensor_on(d, t->elem, t->dims, t->rank) : tsr_tensor_like(t, t->elem);
    if (!to && d)
        failed(d, status);
    else if (!to)
        tsr_status_set(status, TSR_ENVIRONMENT, "no memory for a copy of the tensor%s",
                       tsr_memory_reason().text);
    if (!to || copy_elements(to, t, status))
        return to;
    tsr_tensor_unref(to);
    return NULL;
}

tsr_tensor *tsr_tensor_to_device(const tsr_tensor *t, tsr_device *d, tsr_status *status)
{
    TSR_GUARD_IF(g, t != NULL, t && t->kind == TSR_TENSOR ? t->elem->ctx : NULL, NULL, TSR_READS,
                 status, NULL)
    tsr_tensor *to = copy_to(t, d, g.status);
    tsr_guard_close(&g);
    return to;
}

/* ---- Reports ---- */

enum { MOST_PARTS = 8 };

static void tell_device(tsr_buf *out, tsr_str kind, tsr_device *d, bool json)
{
    tsr_device_facts f;
    tsr_device_tell(d, &f);
    if (json) {
        tsr_buf_printf(out, "{\"name\": \"%.*s:%d\", \"hardware\": ", TSR_STR_ARG(kind), f.number);
        tsr_buf_json(out, tsr_cstr(f.name));
        tsr_buf_printf(out,
                       ", \"bytes\": %llu, \"left\": %lld, \"units\": %u, \"architecture\": %u}",
                       (unsigned long long)f.bytes, (long long)f.left, f.units, f.architecture);
        return;
    }
    tsr_buf_printf(out, "%.*s:%d  %s, %s GB of memory", TSR_STR_ARG(kind), f.number, f.name,
                   tsr_spell('f', 0, 1, (double)f.bytes * 1e-9).text);
    if (f.left >= 0)
        tsr_buf_printf(out, " (%s GB free)", tsr_spell('f', 0, 1, (double)f.left * 1e-9).text);
    tsr_buf_printf(out, ", %u units", f.units);
    if (f.architecture)
        tsr_buf_printf(out, ", compute capability %u.%u", f.architecture / 10, f.architecture % 10);
    tsr_buf_char(out, '\n');
}

static void tell_devices(tsr_buf *out, tsr_str kind, const tsr_device_kind *k, bool json)
{
    char error[512] = "";
    int n = k->count(TSR_DEVICE_VERSION, error, sizeof error);
    if (json)
        tsr_buf_cstr(out, "{\"devices\": [");
    for (int i = 0; i < n; i++) {
        tsr_status why = {0};
        tsr_buf name = {0};
        tsr_buf_printf(&name, "%.*s:%d", TSR_STR_ARG(kind), i);
        tsr_device *d = tsr_devices_open(tsr_buf_text(&name), &why);
        tsr_buf_free(&name);
        tsr_cleanup opened;
        tsr_cleanup_push(&opened, tsr_devices_close, d);
        if (json && i)
            tsr_buf_cstr(out, ", ");
        if (d)
            tell_device(out, kind, d, json);
        else if (json)
            tsr_buf_json(out, tsr_cstr(why.message));
        else
            tsr_buf_printf(out, "%s\n", why.message);
        tsr_cleanup_pop(&opened);
        tsr_devices_close(d);
    }
    if (json)
        tsr_buf_cstr(out, "]");
    else if (n <= 0)
        tsr_buf_printf(out, "no device of kind %.*s%s%s\n", TSR_STR_ARG(kind), *error ? ": " : "",
                       error);
}

static void tell_parts(tsr_buf *out, const tsr_device_kind *k, bool json)
{
    tsr_device_part parts[MOST_PARTS];
    size_t n = k->parts ? k->parts(TSR_DEVICE_VERSION, parts, MOST_PARTS) : 0;
    if (json)
        tsr_buf_cstr(out, ", \"libraries\": [");
    for (size_t i = 0; i < n && i < MOST_PARTS; i++) {
        if (!json) {
            tsr_buf_printf(out, "%s: %s%s\n", parts[i].name,
                           parts[i].found ? "" : "missing: ", parts[i].text);
            continue;
        }
        tsr_buf_printf(out, "%s{\"name\": ", i ? ", " : "");
        tsr_buf_json(out, tsr_cstr(parts[i].name));
        tsr_buf_printf(out, ", \"found\": %s, \"text\": ", parts[i].found ? "true" : "false");
        tsr_buf_json(out, tsr_cstr(parts[i].text));
        tsr_buf_cstr(out, "}");
    }
    if (json)
        tsr_buf_cstr(out, "]}\n");
}

tsr_str tsr_device_report(tsr_str kind, bool json, tsr_status *status)
{
    TSR_GUARD_IF(g, kind.data != NULL, NULL, NULL, TSR_READS, status, TSR_NO_TEXT)
    tsr_buf out = {0};
    tsr_device_kind k;
    tsr_str name;
    int number;
    bool ok =
        (tsr_device_name_split(kind, &name, &number) && name.len == kind.len) ||
        tsr_status_set(g.status, TSR_BAD_INPUT, "'%.*s' is no kind of devices", TSR_STR_ARG(kind));
    ok = ok && tsr_device_kind_find(kind, &k, g.status);
    if (ok) {
        tell_devices(&out, kind, &k, json);
        tell_parts(&out, &k, json);
    }
    return tsr_guard_finish_text(&g, ok, &out);
}
