/* SPDX-License-Identifier: Apache-2.0 */
/* sha256.h - SHA-256 of bytes, as 64 hexadecimal digits. */
#ifndef TSR_TARGET_FLATBUFFER_SHA256_H
#define TSR_TARGET_FLATBUFFER_SHA256_H

#include "base/str.h"

enum { TSR_SHA256_HEX = 64 };

void tsr_sha256(tsr_str data, char hex[TSR_SHA256_HEX]);

#endif
