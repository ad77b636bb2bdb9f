/* decimal.h - numbers as text and back, in the same way whatever the process' locale is. What is read is rounded once, to
 * nearest, ties to even. */
#ifndef TSR_BASE_DECIMAL_H
#define TSR_BASE_DECIMAL_H

#include "base/str.h"

/* digits * 10^exp. */
double tsr_decimal_value(uint64_t digits, int exp);

/* Reads [+-] digits [. digits] [e [+-] digits], inf, infinity or nan at the start of the text; *used: how much of it, 0 when
 * there is no number. The nearest double, or the nearest number of f32. */
double tsr_read_double(tsr_str text, size_t *used);
double tsr_read_single(tsr_str text, size_t *used);
/* The same of all of the text. */
bool tsr_str_double(tsr_str text, double *out);

/* A number as printf's conversion 'e', 'f' or 'g' writes it, up to 350 letters: tsr_spell('f', 10, 3, x).text for "%10.3f". It
 * lives as long as the expression that it is in. */
typedef struct {
    char text[352];
} tsr_spelling;
tsr_spelling tsr_spell(char conversion, int width, int precision, double value);

#endif
