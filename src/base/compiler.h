/* SPDX-License-Identifier: Apache-2.0 */
/* compiler.h - what C11 lacks: attributes, assertions, early return. The only place for compiler extensions. */
#ifndef TSR_BASE_COMPILER_H
#define TSR_BASE_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "tessera/tessera.h"

#if defined(__GNUC__)
#define TSR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define TSR_MUST_USE __attribute__((warn_unused_result))
#define TSR_NORETURN __attribute__((noreturn))
#define TSR_LIKELY(x) __builtin_expect(!!(x), 1)
#define TSR_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Asks for the cache line at an address, which need not exist. */
#define TSR_PREFETCH(address) __builtin_prefetch((const void *)(address))
/* Vectors with elementwise arithmetic. Without the extension: loops. */
#define TSR_VECTOR(bytes) __attribute__((vector_size(bytes)))
/* A function that runs once, before everything else in the process. Without the extension: never. */
#define TSR_AT_LOAD __attribute__((constructor))
#else
#define TSR_PRINTF(fmt, args)
#define TSR_MUST_USE
#define TSR_NORETURN
#define TSR_LIKELY(x) (x)
#define TSR_UNLIKELY(x) (x)
#define TSR_PREFETCH(address) ((void)(address))
#define TSR_AT_LOAD
#endif

/* The widest unsigned integer available, aligned as arenas align. */
#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 tsr_uwide __attribute__((aligned(8)));
#else
typedef uint64_t tsr_uwide;
#endif

/* The two halves of the product, combined by exclusive or. */
static inline uint64_t tsr_mul_fold(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t low = al * bl, mid = ah * bl + (low >> 32), mid2 = al * bh + (uint32_t)mid;
    return ((mid2 << 32) | (uint32_t)low) ^ (ah * bh + (mid >> 32) + (mid2 >> 32));
#endif
}

/* Returns false from the calling function if expr fails; the diagnostic has been emitted. */
#define TSR_TRY(expr)     \
    do {                  \
        if (!(expr))      \
            return false; \
    } while (0)

/* All memory goes through base/memory.h: a direct call of the allocator is redirected there. */
#if defined(TSR_BUILD) && !defined(TSR_OWN_MEMORY)
#include <stdlib.h>
#define malloc(bytes) tsr_malloc(bytes)
#define calloc(n, bytes) tsr_calloc(n, bytes)
#define realloc(old, bytes) tsr_realloc(old, bytes)
#define free(data) tsr_free(data)
#endif

#define TSR_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* An internal error: prints what and where, then aborts. No input file can reach it. */
#define tsr_assert(cond, ...) \
    ((cond) ? (void)0 : tsr_assert_failed(__FILE__, __LINE__, #cond, __VA_ARGS__))
TSR_NORETURN void tsr_assert_failed(const char *file, int line, const char *cond, const char *fmt,
                                    ...) TSR_PRINTF(4, 5);

/* The same for conditions that cost more than a comparison: only in builds with DEBUG=1 or sanitizers. */
#ifdef TSR_CHECKS
#define tsr_check(...) tsr_assert(__VA_ARGS__)
#else
#define tsr_check(cond, ...) ((void)(false && (cond)))
#endif

#endif
