/* SPDX-License-Identifier: Apache-2.0 */
/* cases.h - cases of StableHLO's enum attributes, as numbered by their `i`; CHLO's have the same numbers. attrs.def has
 * the words, and a unit test checks that both have the same order. */
#ifndef TSR_DIALECT_STABLEHLO_CASES_H
#define TSR_DIALECT_STABLEHLO_CASES_H

#define TSR_COMPARE_CASES(X) X(EQ) X(NE) X(GE) X(GT) X(LE) X(LT)
#define TSR_COMPARE_TYPE_CASES(X) X(NOTYPE) X(FLOAT) X(TOTALORDER) X(SIGNED) X(UNSIGNED)
#define TSR_FFT_CASES(X) X(FFT) X(IFFT) X(RFFT) X(IRFFT)
#define TSR_TRANSPOSE_CASES(X) X(TRANSPOSE_INVALID) X(NO_TRANSPOSE) X(TRANSPOSE) X(ADJOINT)
#define TSR_RNG_DISTRIBUTION_CASES(X) X(UNIFORM) X(NORMAL)
#define TSR_RNG_ALGORITHM_CASES(X) X(DEFAULT) X(THREE_FRY) X(PHILOX)

#define X(word) TSR_COMPARE_##word,
typedef enum { TSR_COMPARE_CASES(X) } tsr_compare;
#undef X
#define X(word) TSR_COMPARE_TYPE_##word,
typedef enum { TSR_COMPARE_TYPE_CASES(X) } tsr_compare_type;
#undef X
#define X(word) TSR_FFT_##word,
typedef enum { TSR_FFT_CASES(X) } tsr_fft;
#undef X
#define X(word) TSR_SOLVE_##word,
typedef enum { TSR_TRANSPOSE_CASES(X) } tsr_solve;
#undef X
#define X(word) TSR_RNG_##word,
typedef enum { TSR_RNG_DISTRIBUTION_CASES(X) } tsr_rng_distribution;
typedef enum { TSR_RNG_ALGORITHM_CASES(X) } tsr_rng_algorithm;
#undef X

/* a DIRECTION b is b mirrored a. */
static inline tsr_compare tsr_compare_mirrored(tsr_compare direction)
{
    static const unsigned char turned[] = {
        [TSR_COMPARE_EQ] = TSR_COMPARE_EQ, [TSR_COMPARE_NE] = TSR_COMPARE_NE,
        [TSR_COMPARE_GE] = TSR_COMPARE_LE, [TSR_COMPARE_GT] = TSR_COMPARE_LT,
        [TSR_COMPARE_LE] = TSR_COMPARE_GE, [TSR_COMPARE_LT] = TSR_COMPARE_GT};
    return (tsr_compare)turned[direction];
}

#endif
