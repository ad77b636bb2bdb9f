/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.h - what the plugin's tests share: a framework's calls in a few words. */
#ifndef TSR_TESTS_PJRT_PLUGIN_H
#define TSR_TESTS_PJRT_PLUGIN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/abi.h"

extern int passed, failed;

#define CHECK(cond)                                                              \
    do {                                                                         \
        if (cond) {                                                              \
            passed++;                                                            \
        } else {                                                                 \
            failed++;                                                            \
            printf("%s:%d: failed: %s (%s)\n", __FILE__, __LINE__, #cond, said); \
        }                                                                        \
    } while (0)

/* The plugin's table; main sets it. */
extern const pj_api *api;
/* The plugin itself, of plugin.c. */
extern void *library;

#define ARGS(name)                              \
    {                                           \
        .struct_size = sizeof(pj_##name##_args) \
    }
/* Calls a function; true when it went well, else the code and the text of its error are kept. */
#define CALL(name, args) went_well(api->name(args))

extern int code;
extern char said[4096];

bool went_well(pj_error *e);
/* Whether the last error has this code, and this in its text. */
bool refused_with(int wanted, const char *text);
/* Waits for an event and gives it up. */
bool await(pj_event *event);
bool is_done(pj_event *e);

enum { S32 = 4, F32 = 11, S4 = 21 };

pj_client *open_client(const char *devices);
bool close_client(pj_client *c);
pj_device *const *devices_of(pj_client *c);

pj_buffer *put(pj_client *c, pj_device *d, int type, const void *data, const int64_t *dims,
               size_t rank, const int64_t *strides, pj_host_buffer_semantics how, pj_event **done);
/* Two floats, or one array of whole numbers, copied. */
pj_buffer *put_floats(pj_client *c, pj_device *d, float a, float b);
/* The array; false when it cannot be had, or has another size. */
bool get(pj_buffer *b, void *to, size_t size);
void drop(pj_buffer *b);

/* Programs: (a, b) -> (a + b, b) of two floats, a donated; the sum of four floats on two devices; one that does not end. */
extern const char twice[], sharded[], endless[];
/* CompileOptionsProto: one partition; two on devices 1 and 0. */
extern const char one[6], two[22];

pj_loaded_executable *compile(pj_client *c, const char *text, size_t n, const char *options,
                              size_t size);
bool execute(pj_loaded_executable *x, pj_buffer *const *const *in, size_t devices, size_t nin,
             pj_buffer **const *out);
void unload(pj_loaded_executable *x);
pj_executable *executable_of(pj_loaded_executable *x);
void destroy_executable(pj_executable *x);
const void *extension(int type);

/* The parts of the test. */
void test_buffers(void);
void test_transfers(void);
void test_programs(void);
void test_donation(void);
void test_refusals(void);
void test_sizes(void);
void test_topologies(void);
void test_limits(void);
void test_ffi(void);
void test_facts(void);
void test_host(void);

#endif
