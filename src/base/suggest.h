/* SPDX-License-Identifier: Apache-2.0 */
/* suggest.h - "did you mean": the candidate nearest to a misspelt name. */
#ifndef TSR_BASE_SUGGEST_H
#define TSR_BASE_SUGGEST_H

#include "base/str.h"

/* found is NULL until a candidate is near enough: fewer than half of the name's characters differ. */
typedef struct {
    tsr_str name;
    size_t best;
    const char *found;
} tsr_suggestion;

tsr_suggestion tsr_suggest_for(tsr_str name);
void tsr_suggest(tsr_suggestion *s, const char *candidate);

#endif
