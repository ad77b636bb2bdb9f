/* SPDX-License-Identifier: Apache-2.0 */
/* suite.h - what the files of the conformance suite share. */
#ifndef TSR_TEST_DEVICE_SUITE_H
#define TSR_TEST_DEVICE_SUITE_H

#include <stdio.h>

#include "base/device.h"

extern int tests_passed, tests_failed;
extern const char *test_name;

#define CHECK(c, ...)                                                     \
    do {                                                                  \
        if (c) {                                                          \
            tests_passed++;                                               \
        } else {                                                          \
            tests_failed++;                                               \
            printf("%s:%d: %s: %s: ", __FILE__, __LINE__, test_name, #c); \
            printf(__VA_ARGS__);                                          \
            printf("\n");                                                 \
        }                                                                 \
    } while (0)

/* Opens one device of the kind under test; NULL: there is none with this number. */
typedef tsr_device *test_open(int number);

/* A device and the kernels of kernels.txt. */
typedef struct {
    tsr_device *d;
    tsr_device_code code;
} test_device;

test_device test_begin(tsr_device *d);
void test_end(test_device *t);
bool test_launch(test_device *t, const char *kernel, uint32_t blocks, uint32_t threads, int lane,
                 uint32_t nwords, const uint64_t *words);
char *test_read(const char *path, size_t *n);
uint32_t test_random(uint64_t *state);

#define LAUNCH(t, kernel, blocks, threads, lane, ...) \
    test_launch(t, kernel, blocks, threads, lane,     \
                sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__})
#define WORD(pointer) ((uint64_t)(uintptr_t)(pointer))

void test_memory(test_open *open);
void test_order(test_open *open);
void test_kernels(test_open *open);
void test_products(test_open *open);
void test_errors(test_open *open);
void test_many(test_open *open);
void test_faults(void); /* of the mock alone */

#endif
