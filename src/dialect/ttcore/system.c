/* SPDX-License-Identifier: Apache-2.0 */
/* system.c - assembly of #ttcore.system_desc: hosts, chips with their memories, and the links between them. */
#include "dialect/hooks.h"
#include "dialect/ttcore/ttcore.h"

/* An item of a list: user is the function that reads or writes one. */
typedef bool item_fn(tsr_asm *a, tsr_attr **attr);
typedef struct {
    item_fn *fn;
} item_of;

static bool item(tsr_asm *a, void *user, tsr_attr **attr)
{
    return ((const item_of *)user)->fn(a, attr);
}

/* [x, y] as an array attribute. */
static bool array(tsr_asm *a, item_fn *fn, tsr_attr **attr)
{
    return tsr_asm_array(a, item, &(item_of){fn}, attr);
}

/* ---- Items ---- */

static bool arch(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_lit(a, "<") && tsr_asm_enum(a, &tsr_def_TTCORE_ARCH, attr) &&
           tsr_asm_lit(a, ">");
}

static bool data_type(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_lit(a, "<") && tsr_asm_enum(a, &tsr_def_TTCORE_DATA_TYPE, attr) &&
           tsr_asm_lit(a, ">");
}

static bool data_types(tsr_asm *a, tsr_attr **attr)
{
    return array(a, data_type, attr);
}

/* Sizes in a list are preceded by a space. */
static bool spaced_shape(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_lit(a, " ") && tsr_asm_tt_shape(a, attr);
}

static bool shapes(tsr_asm *a, tsr_attr **attr)
{
    return array(a, spaced_shape, attr);
}

static bool places(tsr_asm *a, tsr_attr **attr)
{
    return array(a, tsr_asm_tt_place, attr);
}

static bool role(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_enum(a, &tsr_def_TTCORE_CPU_ROLE, attr);
}

static bool full(tsr_asm *a, tsr_attr **attr)
{
    return tsr_asm_attr(a, attr);
}

static bool braces(tsr_asm *a, const tsr_asm_field *fields, size_t n, tsr_attr **params)
{
    return tsr_asm_lit(a, "{") && tsr_asm_fields(a, fields, n, "}", params) && tsr_asm_lit(a, "}");
}

/* ---- Hosts and chips ---- */

bool attr_TTCORE_CPU_DESC(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {{"role", role, true}, {"target_triple", full, true}};
    return braces(a, fields, TSR_COUNT(fields), params);
}

bool attr_TTCORE_CHIP_DESC(tsr_asm *a, tsr_attr **params)
{
    static const tsr_asm_field fields[] = {
        {"arch", arch, true},
        {"grid", tsr_asm_tt_shape, true},
        {"coord_translation_offsets", tsr_asm_tt_shape, true},
        {"l1_size", tsr_asm_i64, true},
        {"num_dram_channels", tsr_asm_i64, true},
        {"dram_channel_size", tsr_asm_i64, true},
        {"noc_l1_address_align_bytes", tsr_asm_i64, true},
        {"pcie_address_align_bytes", tsr_asm_i64, true},
        {"noc_dram_address_align_bytes", tsr_asm_i64, true},
        {"l1_unreserved_base", tsr_asm_i64, true},
        {"erisc_l1_unreserved_base", tsr_asm_i64, true},
        {"dram_unreserved_base", tsr_asm_i64, true},
        {"dram_unreserved_end", tsr_asm_i64, true},
        {"supported_data_types", data_types, true},
        {"supported_tile_sizes", shapes, true},
        {"dst_physical_size_tiles", tsr_asm_i64, true},
        {"num_cbs", tsr_asm_i64, true},
        {"num_compute_threads", tsr_asm_i64, true},
        {"num_datamovement_threads", tsr_asm_i64, true},
        {"dram_grid", tsr_asm_tt_shape, false},
        {"dram_bank_to_logical_worker_noc0", places, false},
        {"dram_bank_to_logical_worker_noc1", places, false},
    };
    return braces(a, fields, TSR_COUNT(fields), params);
}

/* ---- Links ---- */

bool attr_TTCORE_CHIP_CHANNEL(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<") && tsr_asm_i64s(a, &params[0]) && tsr_asm_lit(a, ", ") &&
            tsr_asm_i64s(a, &params[1]) && tsr_asm_lit(a, ">"));
    return tsr_asm_writing(a) ||
           (tsr_attr_count(params[0]) == 3 && tsr_attr_count(params[1]) == 3) ||
           tsr_asm_error(a, "expected a device and two coordinates at both ends of a channel");
}

#define PART(name, id)                                 \
    static bool name(tsr_asm *a, tsr_attr **attr)      \
    {                                                  \
        return tsr_asm_struct(a, &tsr_def_##id, attr); \
    }
PART(cpu, TTCORE_CPU_DESC)
PART(chip, TTCORE_CHIP_DESC)
PART(channel, TTCORE_CHIP_CHANNEL)
#undef PART

bool attr_TTCORE_SYSTEM_DESC(tsr_asm *a, tsr_attr **params)
{
    TSR_TRY(tsr_asm_lit(a, "<") && array(a, cpu, &params[TTCORE_SYSTEM_DESC_cpus]) &&
            tsr_asm_lit(a, ", ") && array(a, chip, &params[TTCORE_SYSTEM_DESC_chips]) &&
            tsr_asm_lit(a, ", ") && tsr_asm_i64s(a, &params[TTCORE_SYSTEM_DESC_indices]) &&
            tsr_asm_lit(a, ", ") && array(a, full, &params[TTCORE_SYSTEM_DESC_capabilities]) &&
            tsr_asm_lit(a, ", ") && array(a, spaced_shape, &params[TTCORE_SYSTEM_DESC_coords]));
    if (tsr_asm_maybe(a, ", ", params[TTCORE_SYSTEM_DESC_channels] != NULL))
        TSR_TRY(array(a, channel, &params[TTCORE_SYSTEM_DESC_channels]));
    return tsr_asm_lit(a, ">");
}
