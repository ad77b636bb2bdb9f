/* SPDX-License-Identifier: Apache-2.0 */
/* tables.c - sums and minima over tables of costs: the loops in which the solver spends its time, compiled for speed. */
#include <math.h>

#include "search/model.h"

void tsr_search_min_plus(const double *restrict h, uint32_t nh, const double *restrict table,
                         bool rows, uint32_t n, double *restrict out)
{
    enum { WIDE = 4 };
    size_t count = nh, width = n;
    if (!rows) { /* h is indexed by column: each row of the table gives one result */
        for (size_t j = 0; j < width; j++, table += count) {
            double least[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
            size_t i = 0;
            for (; i + 4 <= count; i += 4)
                for (size_t k = 0; k < 4; k++) {
                    double v = h[i + k] + table[i + k];
                    least[k] = v < least[k] ? v : least[k];
                }
            for (; i < count; i++) {
                double v = h[i] + table[i];
                least[0] = v < least[0] ? v : least[0];
            }
            least[0] = least[1] < least[0] ? least[1] : least[0];
            least[2] = least[3] < least[2] ? least[3] : least[2];
            out[j] = least[2] < least[0] ? least[2] : least[0];
        }
        return;
    }
    size_t j = 0;
    for (; j + WIDE <= width; j += WIDE) { /* results of several columns stay in registers */
        double least[WIDE];
        for (size_t k = 0; k < WIDE; k++)
            least[k] = h[0] + table[j + k];
        for (size_t i = 1; i < count; i++) {
            const double *row = table + i * width + j;
            for (size_t k = 0; k < WIDE; k++) {
                double v = h[i] + row[k];
                least[k] = v < least[k] ? v : least[k];
            }
        }
        for (size_t k = 0; k < WIDE; k++)
            out[j + k] = least[k];
    }
    for (; j < width; j++) {
        double least = h[0] + table[j];
        for (size_t i = 1; i < count; i++) {
            double v = h[i] + table[i * width + j];
            least = v < least ? v : least;
        }
        out[j] = least;
    }
}

void tsr_search_add_fixed(double *sum, uint32_t n, const double *table, bool rows, uint32_t other_n,
                          uint32_t j)
{
    if (rows) {
        for (uint32_t i = 0; i < n; i++)
            sum[i] += table[(size_t)i * other_n + j];
        return;
    }
    const double *row = table + (size_t)j * n;
    for (uint32_t i = 0; i < n; i++)
        sum[i] += row[i];
}
