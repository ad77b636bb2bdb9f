/* SPDX-License-Identifier: Apache-2.0 */
/* char.h - character classes of ASCII, independent of the process's locale. */
#ifndef TSR_BASE_CHAR_H
#define TSR_BASE_CHAR_H

#include <stdbool.h>

static inline bool tsr_is_digit(int c)
{
    return c >= '0' && c <= '9';
}
static inline bool tsr_is_alpha(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline bool tsr_is_alnum(int c)
{
    return tsr_is_alpha(c) || tsr_is_digit(c);
}
static inline bool tsr_is_hex(int c)
{
    return tsr_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
static inline bool tsr_is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}
static inline bool tsr_is_punct(int c)
{
    return c > ' ' && c < 127 && !tsr_is_alnum(c);
}
static inline char tsr_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

#endif
