/* SPDX-License-Identifier: Apache-2.0 */
/* fake.h - what the libraries that stand for the driver, NVRTC and cuBLASLt in tests share: each call is a line of the file
 * that FAKE_LOG names, and fails if FAKE_FAIL says so, "NAME=CODE" or "NAME=CODE@n": the nth call of it. */
#ifndef TSR_TEST_CUDA_FAKE_H
#define TSR_TEST_CUDA_FAKE_H

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/abi.h"

#define EXPORT __attribute__((visibility("default")))

/* What is not destroyed yet; the test reads it from the library. */
typedef struct {
    int contexts, streams, events, blocks, pinned, modules, programs, handles, descs;
} fake_live;

__attribute__((format(printf, 1, 2), unused)) static void fake_note(const char *fmt, ...)
{
    const char *path = getenv("FAKE_LOG");
    char line[512];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(line, sizeof line - 1, fmt, args);
    va_end(args);
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    line[n++] = '\n';
    if (file >= 0 && write(file, line, (size_t)n) != n)
        abort();
    if (file >= 0)
        close(file);
}

/* The code that this call fails with; 0: it does not. */
__attribute__((unused)) static int fake_fails(const char *name)
{
    static char last[64];
    static int calls;
    const char *fail = getenv("FAKE_FAIL");
    size_t n = strlen(name);
    int code = 0, nth = 0;
    if (!fail || strncmp(fail, name, n) != 0 || fail[n] != '=' ||
        sscanf(fail + n + 1, "%d@%d", &code, &nth) < 1)
        return 0;
    if (strcmp(last, fail) != 0)
        calls = 0;
    snprintf(last, sizeof last, "%s", fail);
    return nth == 0 || ++calls == nth ? code : 0;
}

__attribute__((unused)) static uint64_t fake_number(const char *name, uint64_t otherwise)
{
    const char *v = getenv(name);
    return v && *v ? strtoull(v, NULL, 10) : otherwise;
}

#define CALL(name, ...)                   \
    do {                                  \
        fake_note(#name " " __VA_ARGS__); \
        int code_ = fake_fails(#name);    \
        if (code_)                        \
            return code_;                 \
    } while (0)

#endif
