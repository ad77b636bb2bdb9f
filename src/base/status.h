/* SPDX-License-Identifier: Apache-2.0 */
/* status.h - setting a tsr_status: a failure of the environment or of given data, as a code and one line. */
#ifndef TSR_BASE_STATUS_H
#define TSR_BASE_STATUS_H

#include "base/compiler.h"

/* Always returns false, for use in return statements. The first failure is kept. s may be NULL. */
bool tsr_status_set(tsr_status *s, tsr_code code, const char *fmt, ...) TSR_PRINTF(3, 4);

#endif
