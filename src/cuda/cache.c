/* SPDX-License-Identifier: Apache-2.0 */
/* cache.c - machine code on disk: one file for each key, written whole or not at all. See cuda.h.
 *
 * Entries are written under another name and renamed, so that processes never see half of one. Each has a sum over its
 * bytes; one that is damaged is deleted. When all entries together exceed a limit, those that were not used for longest
 * are deleted. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "cuda/cuda.h"

/* Of all entries; TESSERA_CACHE_BYTES says another number. */
static uint64_t most_bytes(void)
{
    const char *given = getenv("TESSERA_CACHE_BYTES");
    uint64_t n = given ? strtoull(given, NULL, 10) : 0;
    return n ? n : 256u << 20;
}

enum { MAGIC = 0x4B525354 /* TSRK */, FORMAT = 1 };

typedef struct {
    uint32_t magic, format;
    uint64_t bytes, sum[2];
    char key[40];
} head;

/* Two sums of 64 bits with different multipliers; the same in every process. */
static void add_bytes(uint64_t sum[2], const char *data, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sum[0] = (sum[0] ^ (uint8_t)data[i]) * 0x100000001B3u;
        sum[1] = (sum[1] + (uint8_t)data[i] + 1) * 0x9E3779B97F4A7C15u;
        sum[1] ^= sum[1] >> 29;
    }
}

void tsr_cuda_cache_key(const char *const *parts, const size_t *lengths, size_t n, char key[33])
{
    uint64_t sum[2] = {0xCBF29CE484222325u, 0x2545F4914F6CDD1Du};
    for (size_t i = 0; i < n; i++) {
        uint64_t length = lengths[i];
        add_bytes(sum, (const char *)&length, sizeof length);
        add_bytes(sum, parts[i], lengths[i]);
    }
    snprintf(key, 33, "%016llx%016llx", (unsigned long long)sum[0], (unsigned long long)sum[1]);
}

/* ---- The folder ---- */

static bool is_own(const struct stat *s)
{
    return s->st_uid == geteuid() && (s->st_mode & 077) == 0;
}

/* Makes the last folder of a path, and those before it as anybody would. */
static void make_folders(char *path)
{
    for (char *p = path + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(path, 0777);
        *p = '/';
    }
    mkdir(path, 0700);
}

bool tsr_cuda_cache_folder(char *out, size_t size)
{
    const char *given = getenv("TESSERA_CACHE"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    struct stat s;
    if (given && strcmp(given, "none") == 0)
        return false;
    if (given && *given)
        snprintf(out, size, "%s", given);
    else if (cache && *cache == '/')
        snprintf(out, size, "%s/tessera", cache);
    else if (home && *home == '/')
        snprintf(out, size, "%s/.cache/tessera", home);
    else
        return false;
    make_folders(out);
    return lstat(out, &s) == 0 && S_ISDIR(s.st_mode) && is_own(&s);
}

static void name_of(char path[PATH_MAX], const char *folder, const char *key)
{
    snprintf(path, PATH_MAX, "%s/%s.kernels", folder, key);
}

void tsr_cuda_cache_drop(const char *folder, const char *key)
{
    char path[PATH_MAX];
    name_of(path, folder, key);
    unlink(path);
}

/* ---- Reading ---- */

static bool read_all(int file, void *to, size_t n)
{
    for (char *p = to; n;) {
        ssize_t got = read(file, p, n);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        if (got > 0)
            p += got, n -= (size_t)got;
    }
    return true;
}

/* NULL: it is damaged. */
static char *read_entry(int file, const char *key, size_t *bytes)
{
    head h;
    struct stat s;
    uint64_t sum[2] = {1, 2};
    if (fstat(file, &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != geteuid() ||
        !read_all(file, &h, sizeof h) || h.magic != MAGIC || h.format != FORMAT ||
        strncmp(h.key, key, sizeof h.key) != 0 || h.bytes != (uint64_t)s.st_size - sizeof h ||
        h.bytes > most_bytes())
        return NULL;
    char *data = tsr_malloc((size_t)h.bytes + 1);
    if (data && read_all(file, data, (size_t)h.bytes)) {
        add_bytes(sum, data, (size_t)h.bytes);
        if (memcmp(sum, h.sum, sizeof sum) == 0) {
            *bytes = (size_t)h.bytes;
            return data;
        }
    }
    tsr_free(data);
    return NULL;
}

char *tsr_cuda_cache_read(const char *folder, const char *key, size_t *bytes)
{
    char path[PATH_MAX];
    name_of(path, folder, key);
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return NULL;
    char *data = read_entry(file, key, bytes);
    if (data)
        futimens(file, NULL); /* used just now */
    else
        unlink(path);
    close(file);
    return data;
}

/* ---- Writing ---- */

static bool write_all(int file, const void *from, size_t n)
{
    for (const char *p = from; n;) {
        ssize_t put = write(file, p, n);
        if (put < 0 && errno != EINTR)
            return false;
        if (put > 0)
            p += put, n -= (size_t)put;
    }
    return true;
}

typedef struct {
    char name[48];
    int64_t used;
    uint64_t bytes;
} entry;

static int by_use(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->used > y->used) - (x->used < y->used);
}

/* The files of a folder, at most `room` of them; also of what a process that ended was writing. */
static size_t list(const char *folder, entry *out, size_t room, uint64_t *all)
{
    size_t n = 0;
    DIR *d = opendir(folder);
    struct stat s;
    *all = 0;
    for (struct dirent *e; d && n < room && (e = readdir(d));) {
        size_t length = strlen(e->d_name);
        if (length >= sizeof out->name || !strstr(e->d_name, ".kernels") ||
            fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode))
            continue;
        memcpy(out[n].name, e->d_name, length + 1);
        out[n].used = (int64_t)s.st_mtime;
        out[n++].bytes = (uint64_t)s.st_size;
        *all += (uint64_t)s.st_size;
    }
    if (d)
        closedir(d);
    return n;
}

/* Deletes what was not used for longest, until three quarters of the limit remain. */
static void shrink(const char *folder)
{
    enum { MOST = 1 << 16 };
    char path[PATH_MAX];
    uint64_t all;
    entry *entries = tsr_malloc(MOST * sizeof *entries);
    size_t n = entries ? list(folder, entries, MOST, &all) : 0;
    if (n == 0 || all <= most_bytes()) {
        tsr_free(entries);
        return;
    }
    qsort(entries, n, sizeof *entries, by_use);
    for (size_t i = 0; i < n && all > most_bytes() / 4 * 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i].name);
        if (unlink(path) == 0)
            all -= entries[i].bytes;
    }
    tsr_free(entries);
}

/* What does not succeed is left: the cache is never needed. */
void tsr_cuda_cache_write(const char *folder, const char *key, const char *data, size_t bytes)
{
    char path[PATH_MAX], made[PATH_MAX];
    head h = {.magic = MAGIC, .format = FORMAT, .bytes = bytes, .sum = {1, 2}};
    name_of(path, folder, key);
    snprintf(made, sizeof made, "%s/%.8s.kernels-XXXXXX", folder, key);
    snprintf(h.key, sizeof h.key, "%s", key);
    add_bytes(h.sum, data, bytes);
    int file = bytes <= most_bytes() / 4 ? mkstemp(made) : -1; /* for the user alone */
    if (file < 0)
        return;
    bool ok = write_all(file, &h, sizeof h) && write_all(file, data, bytes);
    ok = close(file) == 0 && ok;
    if (!ok || rename(made, path) != 0)
        unlink(made);
    shrink(folder);
}
