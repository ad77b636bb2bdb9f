/* SPDX-License-Identifier: Apache-2.0 */
/* locale.c - linked into a program, it puts the whole process into the locale of the environment before main, as programs
 * with windows do that use the library. It must have a comma, or nothing would be tested. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void use_locale(void)
{
    if (setlocale(LC_ALL, "") && strcmp(localeconv()->decimal_point, ",") == 0)
        return;
    fprintf(stderr, "locale.c: not in a locale with a comma\n");
    exit(3);
}
