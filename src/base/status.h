/* status.h - setting a tsr_status: what went wrong with the world or with given data, as a code and one line. */
#ifndef TSR_BASE_STATUS_H
#define TSR_BASE_STATUS_H

#include "base/compiler.h"

/* Always false, so that it can be returned. The first failure counts. s may be NULL. */
bool tsr_status_set(tsr_status *s, tsr_code code, const char *fmt, ...) TSR_PRINTF(3, 4);

#endif
