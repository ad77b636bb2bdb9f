/* SPDX-License-Identifier: Apache-2.0 */
/* product.h - which products cuBLASLt does. */
#ifndef TSR_CUDA_PRODUCT_H
#define TSR_CUDA_PRODUCT_H

#include "base/device.h"

/* Why the library would not do a product; NULL: it would. */
const char *tsr_product_refused(const tsr_device_product *p);

size_t tsr_device_type_bytes(tsr_device_type t);

/* Whether an epilogue reads a bias, and whether it reads or writes aux. */
bool tsr_epilogue_has_bias(tsr_epilogue e);
bool tsr_epilogue_has_aux(tsr_epilogue e);

#endif
