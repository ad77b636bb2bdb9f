/* SPDX-License-Identifier: Apache-2.0 */
/* fake_rtc.c - stands for libnvrtc.so.13: machine code is CODE and a number that follows from the text. */
#include "fake.h"

EXPORT fake_live fake_rtc_live;

struct _nvrtcProgram {
    char *text, log[256];
    char code[40000];
};

#define FUNCTION(symbol, ...)               \
    EXPORT nvrtcResult symbol(__VA_ARGS__); \
    nvrtcResult symbol(__VA_ARGS__)

FUNCTION(nvrtcVersion, int *major, int *minor)
{
    *major = 13;
    *minor = (int)fake_number("FAKE_RTC_MINOR", 1);
    return 0;
}

EXPORT const char *nvrtcGetErrorString(nvrtcResult error);
const char *nvrtcGetErrorString(nvrtcResult error)
{
    return error == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_INTERNAL_ERROR";
}

static const int known[] = {75, 80, 86, 90, 100};

FUNCTION(nvrtcGetNumSupportedArchs, int *n)
{
    *n = sizeof known / sizeof *known;
    return 0;
}

FUNCTION(nvrtcGetSupportedArchs, int *architectures)
{
    memcpy(architectures, known, sizeof known);
    return 0;
}

FUNCTION(nvrtcCreateProgram, nvrtcProgram *program, const char *text, const char *name, int n,
         const char *const *headers, const char *const *names)
{
    (void)headers, (void)names;
    CALL(nvrtcCreateProgram, "%s %d", name, n);
    *program = calloc(1, sizeof **program);
    (*program)->text = strdup(text);
    __atomic_fetch_add(&fake_rtc_live.programs, 1, __ATOMIC_RELAXED);
    return 0;
}

FUNCTION(nvrtcDestroyProgram, nvrtcProgram *program)
{
    free((*program)->text);
    free(*program);
    *program = NULL;
    __atomic_fetch_sub(&fake_rtc_live.programs, 1, __ATOMIC_RELAXED);
    return 0;
}

/* A text with "nobody" in it has an error. */
FUNCTION(nvrtcCompileProgram, nvrtcProgram program, int n, const char *const *options)
{
    char all[300] = "";
    for (int i = 0; i < n; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), " %s", options[i]);
    CALL(nvrtcCompileProgram, "%s", all);
    unsigned sum = 0;
    for (const char *p = program->text; *p; p++)
        sum = sum * 31 + (unsigned char)*p;
    snprintf(program->code, sizeof program->code, "CODE %u", sum);
    if (!strstr(program->text, "nobody"))
        return 0;
    snprintf(program->log, sizeof program->log,
             "kernel(2): warning #1: odd\nkernel(3): error: identifier \"nobody\" is undefined\n");
    return 6;
}

FUNCTION(nvrtcGetCUBINSize, nvrtcProgram program, size_t *bytes)
{
    CALL(nvrtcGetCUBINSize);
    *bytes = sizeof program->code;
    return 0;
}

FUNCTION(nvrtcGetCUBIN, nvrtcProgram program, char *out)
{
    memcpy(out, program->code, sizeof program->code);
    return 0;
}

FUNCTION(nvrtcGetProgramLogSize, nvrtcProgram program, size_t *bytes)
{
    *bytes = strlen(program->log) + 1;
    return 0;
}

FUNCTION(nvrtcGetProgramLog, nvrtcProgram program, char *out)
{
    strcpy(out, program->log);
    return 0;
}
