/* SPDX-License-Identifier: Apache-2.0 */
/* decimal.h - numbers to text and back, independent of the process's locale. Values are rounded once, to nearest, ties
 * to even. */
#ifndef TSR_BASE_DECIMAL_H
#define TSR_BASE_DECIMAL_H

#include "base/str.h"

/* digits * 10^exp. */
double tsr_decimal_value(uint64_t digits, int exp);

/* Reads [+-] digits [. digits] [e [+-] digits], inf, infinity or nan at the start of the text; *used: how many
 * characters, 0 if there is no number. Gives the nearest double, or the nearest f32 number. */
double tsr_read_double(tsr_str text, size_t *used);
double tsr_read_single(tsr_str text, size_t *used);
/* The same for the whole text. */
bool tsr_str_double(tsr_str text, double *out);

/* A number as printf's conversion 'e', 'f' or 'g' writes it, up to 350 characters: tsr_spell('f', 10, 3, x).text for
 * "%10.3f". It lives as long as the full expression that contains it. */
typedef struct {
    char text[352];
} tsr_spelling;
tsr_spelling tsr_spell(char conversion, int width, int precision, double value);

#endif
