/* SPDX-License-Identifier: Apache-2.0 */
/* output.c - see output.h. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static bool fail(const char *what, const char *path, tsr_status *status)
{
    return tsr_status_set(status, TSR_ENVIRONMENT, "cannot %s output file '%s': %s", what, path,
                          strerror(errno));
}

/* ---- Which file is replaced ---- */

/* Names of open files: replacing the file that one of them leads to would not reach its reader. */
static bool is_open_file(const char *path)
{
    static const char *const starts[] = {"/proc/", "/dev/fd/", "/dev/std"};
    for (size_t i = 0; i < TSR_COUNT(starts); i++)
        if (strncmp(path, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static char *copy(const char *text, size_t len)
{
    char *s = tsr_xmalloc(len + 1);
    memcpy(s, text, len);
    s[len] = 0;
    return s;
}

/* The length of the folder's part of a path, with its slash. */
static size_t folder_len(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The file that a path leads to, which need not exist. */
static char *resolve(const char *path)
{
    enum { LINKS = 40 };
    char to[PATH_MAX], *at = copy(path, strlen(path));
    for (int i = 0; i < LINKS && !is_open_file(at); i++) {
        ssize_t n = readlink(at, to, sizeof to);
        if (n <= 0 || (size_t)n >= sizeof to)
            break;
        size_t folder = to[0] == '/' ? 0 : folder_len(at);
        char *next = tsr_xmalloc(folder + (size_t)n + 1);
        memcpy(next, at, folder);
        memcpy(next + folder, to, (size_t)n);
        next[folder + (size_t)n] = 0;
        tsr_free(at);
        at = next;
    }
    return at;
}

/* ---- Writing ---- */

static void drop(void *user)
{
    tsr_output *f = user;
    if (f->file)
        fclose(f->file);
    if (f->temp)
        unlink(f->temp);
}

/* A new file in the target's folder; short, so that its name fits wherever the target's does. */
static int create_temp(tsr_output *f, const struct stat *old)
{
    enum { ATTEMPTS = 1000 };
    static atomic_uint made;
    size_t folder = folder_len(f->target), size = folder + 64;
    f->temp = tsr_xmalloc(size);
    memcpy(f->temp, f->target, folder);
    int fd = -1;
    for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
        snprintf(f->temp + folder, size - folder, ".tessera-%ld-%u.part", (long)getpid(),
                 atomic_fetch_add(&made, 1));
        fd = open(f->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) /* left by a process with this number */
            break;
    }
    if (fd >= 0 && old) {
        (void)!fchown(fd, old->st_uid, old->st_gid); /* only root may */
        (void)!fchmod(fd, old->st_mode & 07777);
    }
    return fd;
}

static int open_target(tsr_output *f)
{
    struct stat st;
    bool exists = stat(f->target, &st) == 0;
    if (!exists && errno != ENOENT) /* links in a circle, a folder that may not be searched */
        return -1;
    if (is_open_file(f->target) || (exists && !S_ISREG(st.st_mode)))
        return open(f->target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
    if (exists && access(f->target, W_OK) != 0)
        return -1;
    return create_temp(f, exists ? &st : NULL);
}

static void release(tsr_output *f)
{
    tsr_free(f->temp);
    tsr_free(f->target);
    f->temp = f->target = NULL;
}

bool tsr_output_open(tsr_output *f, const char *path, tsr_status *status)
{
    *f = (tsr_output){.path = path, .target = resolve(path)};
    int fd = open_target(f);
    f->file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (f->file) {
        tsr_cleanup_push(&f->cleanup, drop, f);
        return true;
    }
    fail("open", path, status);
    if (fd >= 0) {
        close(fd);
        unlink(f->temp ? f->temp : "");
    }
    release(f);
    return false;
}

bool tsr_output_put(tsr_output *f, const void *data, size_t len, tsr_status *status)
{
    return !len || fwrite(data, 1, len, f->file) == len || fail("write", f->path, status);
}

bool tsr_output_seal(tsr_output *f, tsr_status *status)
{
    FILE *file = f->file;
    f->file = NULL;
    return !file || fclose(file) == 0 || fail("write", f->path, status);
}

bool tsr_output_close(tsr_output *f, bool ok, tsr_status *status)
{
    tsr_cleanup_pop(&f->cleanup);
    ok = tsr_output_seal(f, ok ? status : NULL) && ok;
    if (ok && f->temp && rename(f->temp, f->target) != 0)
        ok = fail("write", f->path, status);
    if (!ok && f->temp)
        unlink(f->temp);
    release(f);
    return ok;
}

bool tsr_output_save(const char *path, tsr_str text, tsr_status *status)
{
    tsr_output f;
    return tsr_output_open(&f, path, status) &&
           tsr_output_close(&f, tsr_output_put(&f, text.data, text.len, status), status);
}

bool tsr_output_append(const char *path, tsr_str text, tsr_status *status)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    off_t old = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    size_t done = 0;
    ssize_t n = fd >= 0 ? 0 : -1;
    while (n >= 0 && done < text.len) {
        n = write(fd, text.data + done, text.len - done);
        done += n > 0 ? (size_t)n : 0;
    }
    bool ok = n >= 0 || fail("write", path, status);
    if (!ok && old >= 0)
        (void)!ftruncate(fd, old);
    if (fd >= 0 && close(fd) != 0 && ok)
        ok = fail("write", path, status);
    return ok;
}
