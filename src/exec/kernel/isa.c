/* SPDX-License-Identifier: Apache-2.0 */
/* isa.c - classes of machines: which this build has, which this machine supports, and which one is in use. */
#include "exec/kernel/isa/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* In avx512, folds of integers and kernels of single numbers are those of avx2. */
#define CLASS(isa, int_isa)                                                                        \
    {                                                                                              \
        .name = #isa, .f32 = tsr_tiles_f32_##isa, .f64 = tsr_tiles_f64_##isa,                      \
        .ints = tsr_tiles_int_##isa, .converts = tsr_converts_##isa, .nearest = tsr_nearest_##isa, \
        .folds = tsr_folds_##isa, .int_folds = tsr_int_folds_##int_isa,                            \
        .row_folds = tsr_row_folds_##isa, .short_folds = tsr_short_folds_##isa,                    \
        .four_folds = tsr_four_folds_##isa, .dots = tsr_dots_##isa,                                \
        .sums_two = tsr_sums_two_##isa, .stream = tsr_stream_##isa, .fill = tsr_fill_##isa,        \
        .count = tsr_count_##isa, .narrow = tsr_narrow_floats_##isa,                               \
        .widen = tsr_widen_floats_##isa, .micros = tsr_micros_##isa, .thins = &tsr_thins_##isa,    \
        .talls = &tsr_talls_##isa, .tiny = tsr_tiny_product_##isa, .directs = tsr_directs_##isa,   \
        .winograds = &tsr_winograds_##isa, .ffts = &tsr_ffts_##isa, .pack = tsr_pack_panel_##isa,  \
        .transpose = tsr_transpose_block_##isa, .look_up = tsr_look_up_##isa,                      \
        .find_places = tsr_places_find_##isa, .put = tsr_elements_put_##isa,                       \
        .list_rows = tsr_rows_list_##isa, .add_rows = tsr_rows_add_##isa,                          \
        .spread = tsr_words_spread_##isa, .take = tsr_words_take_##isa,                            \
        .fold_few = tsr_few_fold_##isa, .add_columns = tsr_columns_add_##isa,                      \
        .philox = tsr_philox_blocks_##isa, .threefry = tsr_threefry_blocks_##isa,                  \
        .scalars = tsr_scalars_##int_isa, .leaves = tsr_leaves_of_##isa                            \
    }

/* Best last. */
static const tsr_isa classes[] = {
#if defined(__aarch64__)
    CLASS(neon, neon),
#else
    CLASS(baseline, baseline),
#if defined(__x86_64__)
    CLASS(avx2, avx2),
    CLASS(avx512, avx2),
#endif
#endif
};
enum { NCLASS = sizeof classes / sizeof classes[0] };

#if defined(__x86_64__)
/* F16C is not among the names that every compiler knows. */
static bool has_f16c(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && c >> 29 & 1;
}
#endif

/* NULL: the machine supports the class; otherwise the feature that is missing. */
static const char *lacks(const tsr_isa *c)
{
    (void)c;
#if defined(__x86_64__)
    if (c == &classes[0])
        return NULL;
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !has_f16c())
        return "this machine lacks AVX2, FMA or F16C";
    if (c == &classes[1])
        return NULL;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
        return "this machine lacks AVX-512 (F, BW, DQ or VL)";
#endif
    return NULL;
}

static _Atomic(const tsr_isa *) chosen;

bool tsr_isa_use(const char *name, const char **reason)
{
    const char *why = "there is no such class of instructions in this build";
    for (size_t i = 0; i < NCLASS; i++) {
        if (strcmp(classes[i].name, name) != 0)
            continue;
        why = lacks(&classes[i]);
        if (why)
            break;
        atomic_store_explicit(&chosen, &classes[i], memory_order_release);
        return true;
    }
    if (reason)
        *reason = why;
    return false;
}

static const tsr_isa *best(void)
{
    for (size_t i = NCLASS; i-- > 1;)
        if (!lacks(&classes[i]))
            return &classes[i];
    return &classes[0];
}

const tsr_isa *tsr_isa_now(void)
{
    const tsr_isa *c = atomic_load_explicit(&chosen, memory_order_acquire);
    if (c)
        return c;
    const char *name = getenv("TESSERA_ISA");
    if (!name || !tsr_isa_use(name, NULL))
        atomic_store_explicit(&chosen, best(), memory_order_release);
    return atomic_load_explicit(&chosen, memory_order_acquire);
}

bool tsr_isa_has_bf16(void)
{
#if defined(TSR_KNOWS_BF16)
    return tsr_isa_now() == &classes[2] && __builtin_cpu_supports("avx512bf16") &&
           __builtin_cpu_is("amd");
#else
    return false;
#endif
}

bool tsr_isa_reads_in_order(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_is("amd") && __builtin_cpu_supports("avx512f");
#else
    return false;
#endif
}

int tsr_isa_burst(void)
{
    enum { USUAL = 1, MORE = 4 };
    return tsr_isa_reads_in_order() ? MORE : USUAL;
}

uint64_t tsr_isa_bytes_kept(void)
{
    return tsr_isa_reads_in_order() ? 16 << 20 : 0;
}

#if defined(__x86_64__)
/* From the leaf that lists caches: 4 of Intel, which AMD has under another number. */
static int64_t find_near_bytes(void)
{
    enum { INTEL = 4, LEVEL = 2 };
    static const unsigned amd = 0x8000001d;
    unsigned a, b, c, d;
    for (unsigned i = 0;
         __get_cpuid_count(__builtin_cpu_is("amd") ? amd : INTEL, i, &a, &b, &c, &d); i++) {
        if (!(a & 0x1f))
            return 0;
        if ((a >> 5 & 7) == LEVEL)
            return ((int64_t)(b >> 22) + 1) * ((b >> 12 & 0x3ff) + 1) * ((b & 0xfff) + 1) *
                   ((int64_t)c + 1);
    }
    return 0;
}

#else
static int64_t find_near_bytes(void)
{
    return 0;
}
#endif

static _Atomic int64_t near_bytes = -1; /* -1: not known yet */

int64_t tsr_isa_near_bytes(void)
{
    int64_t bytes = atomic_load_explicit(&near_bytes, memory_order_relaxed);
    if (bytes < 0) {
        bytes = find_near_bytes();
        atomic_store_explicit(&near_bytes, bytes, memory_order_relaxed);
    }
    return bytes;
}

void tsr_isa_assume_near_bytes(int64_t bytes)
{
    atomic_store_explicit(&near_bytes, bytes, memory_order_relaxed);
}

/* Bits of CPUID (7, 0) in edx, (7, 1) in eax. */
enum { AMX_BF16 = 22, AMX_TILE = 24, AMX_INT8 = 25, AVX_VNNI = 4 };

#if defined(__x86_64__) && defined(__linux__)
/* The system keeps tiles in a thread's state only after the process has requested them. */
static bool may_use_tiles(void)
{
    enum { REQUEST = 0x1023, TILE_DATA = 18 }; /* ARCH_REQ_XCOMP_PERM */
    return syscall(SYS_arch_prctl, REQUEST, TILE_DATA) == 0;
}

/* Which types the machine's tile instructions may multiply: bits of CPUID, 0 for none. */
static unsigned tiles(void)
{
    static _Atomic unsigned known; /* the lowest bit says that the rest is known */
    unsigned k = atomic_load_explicit(&known, memory_order_relaxed);
    if (!k) {
        unsigned a, b, c, d = 0;
        bool has = __get_cpuid_count(7, 0, &a, &b, &c, &d) && d >> AMX_TILE & 1 &&
                   (d >> AMX_BF16 & 1 || d >> AMX_INT8 & 1) && may_use_tiles();
        k = (has ? d & (1u << AMX_BF16 | 1u << AMX_INT8) : 0) | 1;
        atomic_store_explicit(&known, k, memory_order_relaxed);
    }
    return tsr_isa_now() == &classes[2] ? k & ~1u : 0;
}
#else
static unsigned tiles(void)
{
    return 0;
}
#endif

bool tsr_isa_has_amx(void)
{
    return tiles() >> AMX_BF16 & 1;
}

#if defined(__x86_64__)
/* AVX-VNNI is not among the names that every compiler knows, either. */
static bool has_avx_vnni(void)
{
    static atomic_int known; /* 1: no, 2: yes */
    int k = atomic_load_explicit(&known, memory_order_relaxed);
    if (!k) {
        unsigned a, b, c, d;
        k = __get_cpuid_count(7, 1, &a, &b, &c, &d) && a >> AVX_VNNI & 1 ? 2 : 1;
        atomic_store_explicit(&known, k, memory_order_relaxed);
    }
    return k == 2;
}
#endif

/* Whether the class multiplies bytes four at a time, with vectors of its full size. */
static bool has_dots(void)
{
#if defined(__x86_64__)
    const tsr_isa *now = tsr_isa_now();
    return now == &classes[2] ? __builtin_cpu_supports("avx512vnni")
                              : now == &classes[1] && has_avx_vnni();
#else
    return false;
#endif
}

static atomic_int most_bytes = TSR_BYTES_AMX;

tsr_bytes tsr_isa_bytes(void)
{
    int most = atomic_load_explicit(&most_bytes, memory_order_relaxed);
    if (most >= TSR_BYTES_AMX && tiles() >> AMX_INT8 & 1)
        return TSR_BYTES_AMX;
    return most >= TSR_BYTES_DOT && has_dots() ? TSR_BYTES_DOT : TSR_BYTES_WIDE;
}

void tsr_isa_limit_bytes(tsr_bytes most)
{
    atomic_store_explicit(&most_bytes, most, memory_order_relaxed);
}

const char *tsr_isa_name(void)
{
    return tsr_isa_now()->name;
}

const char *tsr_isa_complaint(void)
{
    const char *name = getenv("TESSERA_ISA");
    if (!name)
        return NULL;
    for (size_t i = 0; i < NCLASS; i++)
        if (strcmp(classes[i].name, name) == 0)
            return lacks(&classes[i]);
    return "there is no such class of instructions in this build";
}

const char *const *tsr_isa_names(void)
{
    static const char *const names[NCLASS + 1] = {
#if defined(__aarch64__)
        "neon",
#else
        "baseline",
#if defined(__x86_64__)
        "avx2",
        "avx512",
#endif
#endif
    };
    return names;
}
