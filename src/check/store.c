/* SPDX-License-Identifier: Apache-2.0 */
/* store.c - see store.h. */
#include "check/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/scope.h"

void tsr_store_init(tsr_store *s, size_t n, uint64_t max_bytes, const char *folder)
{
    *s = (tsr_store){.n = n, .max_bytes = max_bytes, .folder = folder, .file = -1};
    pthread_mutex_init(&s->lock, NULL);
    s->items = tsr_xmalloc((n + 1) * sizeof *s->items);
    memset(s->items, 0, (n + 1) * sizeof *s->items);
    s->order = tsr_xmalloc((n + 1) * sizeof *s->order);
}

void tsr_store_close(void *store)
{
    tsr_store *s = store;
    if (s->file >= 0)
        close(s->file);
    s->file = -1;
}

void tsr_store_free(tsr_store *s)
{
    for (size_t i = 0; s->items && i < s->n; i++)
        tsr_tensor_unref(s->items[i].tensor);
    tsr_free(s->items);
    tsr_free(s->order);
    if (s->items) {
        tsr_store_close(s);
        pthread_mutex_destroy(&s->lock);
    }
    s->items = NULL;
}

/* ---- The file ---- */

/* The file has no name that others could see, and it ends with the process. */
static bool open_file(tsr_store *s, tsr_status *status)
{
    const char *folder = s->folder ? s->folder : getenv("TMPDIR");
    tsr_buf path = {0};
    tsr_buf_printf(&path, "%s/tessera-XXXXXX", folder && *folder ? folder : "/tmp");
    tsr_buf_char(&path, 0);
    s->file = mkstemp(path.data);
    bool ok = s->file >= 0;
    if (ok) {
        fcntl(s->file, F_SETFD, FD_CLOEXEC);
        unlink(path.data);
    } else {
        tsr_status_set(status, TSR_ENVIRONMENT, "%s: no file for values: %s", path.data,
                       strerror(errno));
    }
    tsr_buf_free(&path);
    return ok;
}

static bool write_all(int file, const void *data, size_t n, int64_t at)
{
    const char *from = data;
    while (n) {
        ssize_t wrote = pwrite(file, from, n, (off_t)at);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        from += wrote;
        at += wrote;
        n -= (size_t)wrote;
    }
    return true;
}

static bool read_all(int file, void *data, size_t n, int64_t at)
{
    char *to = data;
    while (n) {
        ssize_t got = pread(file, to, n, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

/* Its rank and dimensions, then its elements. */
static bool to_file(tsr_store *s, tsr_kept *k, tsr_status *status)
{
    const tsr_tensor *t = k->tensor;
    int64_t head[1 + TSR_MAX_RANK] = {t->rank};
    size_t nhead = (1 + (size_t)t->rank) * sizeof *head, bytes = tsr_tensor_bytes(t);
    memcpy(head + 1, t->dims, t->rank * sizeof *head);
    if (s->file < 0 && !open_file(s, status))
        return false;
    if (!write_all(s->file, head, nhead, s->end) ||
        !write_all(s->file, t->data, bytes, s->end + (int64_t)nhead))
        return tsr_status_set(status, TSR_ENVIRONMENT, "values cannot be written to a file: %s",
                              strerror(errno));
    k->at = s->end + 1;
    s->end += (int64_t)(nhead + bytes);
    s->bytes -= bytes;
    tsr_tensor_unref(k->tensor);
    k->tensor = NULL;
    return true;
}

static tsr_tensor *from_file(tsr_store *s, const tsr_kept *k, tsr_status *status)
{
    int64_t head[1 + TSR_MAX_RANK] = {0};
    int64_t at = k->at - 1;
    bool ok = read_all(s->file, head, sizeof *head, at) && head[0] >= 0 && head[0] <= TSR_MAX_RANK;
    at += (int64_t)sizeof *head;
    ok = ok && read_all(s->file, head + 1, (size_t)head[0] * sizeof *head, at);
    tsr_tensor *t = ok ? tsr_tensor_new(k->elem, head + 1, (size_t)head[0]) : NULL;
    if (ok && !t) {
        tsr_status_set(status, TSR_ENVIRONMENT, "no memory for a value%s",
                       tsr_memory_reason().text);
        return NULL;
    }
    at += head[0] * (int64_t)sizeof *head;
    if (ok && read_all(s->file, t->data, tsr_tensor_bytes(t), at))
        return t;
    tsr_tensor_unref(t);
    tsr_status_set(status, TSR_ENVIRONMENT, "a value cannot be read from its file");
    return NULL;
}

/* ---- Values ---- */

static bool make_room(tsr_store *s, tsr_status *status)
{
    while (s->max_bytes && s->bytes > s->max_bytes && s->next < s->norder) {
        tsr_kept *k = &s->items[s->order[s->next]];
        if (k->tensor && tsr_tensor_bytes(k->tensor))
            TSR_TRY(to_file(s, k, status));
        s->next++;
    }
    return true;
}

bool tsr_store_put(tsr_store *s, size_t i, tsr_tensor *t, bool once, tsr_status *status)
{
    tsr_lock(&s->lock);
    tsr_kept *k = &s->items[i];
    bool again = tsr_store_has(s, i);
    if (again && once) {
        tsr_unlock(&s->lock);
        return true;
    }
    if (k->tensor) {
        s->bytes -= tsr_tensor_bytes(k->tensor);
        tsr_tensor_unref(k->tensor);
    }
    *k = (tsr_kept){tsr_tensor_ref(t), t->elem, 0};
    s->bytes += tsr_tensor_bytes(t);
    if (!again) /* replacing a value does not change its position in the queue */
        s->order[s->norder++] = i;
    bool ok = make_room(s, status);
    tsr_unlock(&s->lock);
    return ok;
}

bool tsr_store_has(const tsr_store *s, size_t i)
{
    return i < s->n && (s->items[i].tensor || s->items[i].at);
}

tsr_tensor *tsr_store_get(tsr_store *s, size_t i, tsr_status *status)
{
    if (!tsr_store_has(s, i))
        return NULL;
    tsr_kept *k = &s->items[i];
    if (!k->tensor)
        return from_file(s, k, status);
    tsr_tensor *t = tsr_tensor_borrow(k->tensor);
    if (!t)
        tsr_status_set(status, TSR_ENVIRONMENT, "no memory for a value%s",
                       tsr_memory_reason().text);
    return t;
}

tsr_tensor *tsr_tensor_unborrow(tsr_tensor *t)
{
    while (t && t->owner && t->owner != t) /* a tensor that wraps external memory owns itself */
        t = tsr_tensor_owned(t);
    return t;
}

void tsr_store_own(tsr_store *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->items[i].tensor = tsr_tensor_unborrow(s->items[i].tensor);
}
