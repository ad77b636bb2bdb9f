/* SPDX-License-Identifier: Apache-2.0 */
/* small.h - elements of fewer than eight bits, which take a byte each: what stands above their bits.
 *
 * Others store such elements in several ways: ml_dtypes writes the byte 15 for an i4 of -1, and 255 where it negates a
 * 1. Memory that comes from outside is brought into one form where it enters: i1 is 0 or 1, signed integers are
 * sign-extended, all others have zeros above their bits. Elements of eight bits and more are left as they are. */
#ifndef TSR_BASE_SMALL_H
#define TSR_BASE_SMALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool tsr_small_is_tidy(const void *data, size_t n, uint32_t bits, bool is_signed);
void tsr_small_tidy(void *data, size_t n, uint32_t bits, bool is_signed);

#endif
