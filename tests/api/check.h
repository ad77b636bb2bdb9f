/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - checks of the public API's tests, counted. C and C++. */
#ifndef TSR_TESTS_CAPI_CHECK_H
#define TSR_TESTS_CAPI_CHECK_H

#include <stdio.h>

static int passed, failed;

#define CHECK(cond)                                                   \
    do {                                                              \
        if (cond) {                                                   \
            passed++;                                                 \
        } else {                                                      \
            failed++;                                                 \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #cond); \
        }                                                             \
    } while (0)

#endif
