/* SPDX-License-Identifier: Apache-2.0 */
/* fiber.h - stacks that take turns on one thread. One fiber is entered at a time; it leaves to whoever entered it. */
#ifndef TSR_TEST_DEVICE_FIBER_H
#define TSR_TEST_DEVICE_FIBER_H

#include <stddef.h>

/* Which sanitizer this is built with. */
#if defined(__has_feature)
#define TSR_FIBER_HAS(x) __has_feature(x)
#else
#define TSR_FIBER_HAS(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || TSR_FIBER_HAS(address_sanitizer)
#define TSR_FIBER_ADDRESSES 1
#else
#define TSR_FIBER_ADDRESSES 0
#endif
#if defined(__SANITIZE_THREAD__) || TSR_FIBER_HAS(thread_sanitizer)
#define TSR_FIBER_THREADS 1
#else
#define TSR_FIBER_THREADS 0
#endif

typedef struct tsr_fiber tsr_fiber;

tsr_fiber *tsr_fiber_new(void (*body)(void)); /* body never returns; NULL: no memory */
void tsr_fiber_free(tsr_fiber *f);            /* it is not entered; NULL is allowed */
void tsr_fiber_enter(tsr_fiber *f);
void tsr_fiber_leave(void);

/* Memory that nobody may touch, for AddressSanitizer. */
void tsr_fiber_poison(const void *at, size_t n);
void tsr_fiber_unpoison(const void *at, size_t n);

#endif
