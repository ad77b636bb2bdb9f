/* SPDX-License-Identifier: Apache-2.0 */
/* contract.c - see contract.h. */
#include "exec/contract.h"

tsr_dtype tsr_contract_sum(tsr_dtype type, tsr_dtype out_type)
{
    if (tsr_dtype_is_int(type))
        return tsr_dtype_bytes(out_type) > 4 ? TSR_D_I64 : TSR_D_I32;
    return type == TSR_D_F64 || out_type == TSR_D_F64 ? TSR_D_F64 : TSR_D_F32;
}
