/* SPDX-License-Identifier: Apache-2.0 */
/* props.c - inherent attributes of ops in the properties section, encoded from the rows of the op tables. */
#include "asm/asm.h"
#include "dialect/opcode.h"
#include "text/bytecode/bytecode.h"

enum { MOST_SLOTS = 64, MOST_GROUPS = 256 };

/* Slots in the order of their names. */
static void sort_slots(const tsr_opdef *def, uint8_t *order)
{
    for (uint8_t i = 0; i < def->nslot; i++) {
        uint8_t k = i;
        for (; k && strcmp(def->slots[order[k - 1]].name, def->slots[i].name) > 0; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

static const uint8_t *order_of(tsr_bc *b, const tsr_opdef *def, uint8_t *stack)
{
    if (!b->orders || def->opcode >= TSR_OP__COUNT) {
        sort_slots(def, stack);
        return stack;
    }
    if (!b->orders[def->opcode]) {
        uint8_t *order = tsr_arena_alloc(b->scratch, def->nslot);
        sort_slots(def, order);
        b->orders[def->opcode] = order;
    }
    return b->orders[def->opcode];
}

static bool is_segments(const tsr_opdef *def, const char *name, bool *results)
{
    *results =
        (def->traits & TSR_TRAIT(SEGMENTED_RESULTS)) && strcmp(name, "resultSegmentSizes") == 0;
    return *results || ((def->traits & TSR_TRAIT(SEGMENTED_OPERANDS)) &&
                        strcmp(name, "operandSegmentSizes") == 0);
}

static bool has_segments(const tsr_opdef *def)
{
    return (def->traits & (TSR_TRAIT(SEGMENTED_RESULTS) | TSR_TRAIT(SEGMENTED_OPERANDS))) != 0;
}

/* ---- Sparse arrays: a few nonzero numbers, each with its index in its low bits ---- */

static bool read_sparse(tsr_bc *b, uint32_t *v, size_t size)
{
    uint64_t head = 0, bits = 0;
    if (!tsr_bc_varint(b, &head))
        return false;
    uint64_t n = head >> 1;
    if (n > size)
        return tsr_bc_error(b, "has %llu sizes for %zu groups", (unsigned long long)n, size);
    if (!n)
        return true;
    if (!(head & 1)) {
        for (uint64_t i = 0; i < n; i++)
            if (!tsr_bc_u32(b, &v[i]))
                return false;
        return true;
    }
    if (!tsr_bc_varint(b, &bits))
        return false;
    if (bits > 8)
        return tsr_bc_error(b, "has indices of %llu bits in a sparse array",
                            (unsigned long long)bits);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t pair = 0;
        if (!tsr_bc_varint(b, &pair))
            return false;
        uint64_t at = pair & (((uint64_t)1 << bits) - 1), value = pair >> bits;
        if (at >= size || value > UINT32_MAX)
            return tsr_bc_error(b, "has the size of group %llu of %zu", (unsigned long long)at,
                                size);
        v[at] = (uint32_t)value;
    }
    return true;
}

static void write_sparse(tsr_bc *b, const uint32_t *v, size_t size)
{
    uint64_t n = 0, last = 0;
    for (size_t i = 0; i < size; i++)
        if (v[i]) {
            n++;
            last = i;
        }
    bool sparse = last <= 256 && n <= size / 2;
    uint64_t head = sparse ? n << 1 | 1 : (uint64_t)size << 1;
    tsr_bc_varint(b, &head);
    uint64_t bits = 0;
    while (sparse && (uint64_t)1 << bits < last + 1)
        bits++;
    if (sparse && n)
        tsr_bc_varint(b, &bits);
    for (size_t i = 0; i < size; i++) {
        uint64_t x = sparse ? (uint64_t)v[i] << bits | i : v[i];
        if (!sparse || v[i])
            tsr_bc_varint(b, &x);
    }
}

static bool sizes(tsr_bc *b, size_t groups, tsr_attr **attr)
{
    uint32_t v[MOST_GROUPS] = {0};
    if (groups > MOST_GROUPS)
        return tsr_bc_error(b, "has sizes of %zu groups", groups);
    if (tsr_bc_reading(b)) {
        if (!read_sparse(b, v, groups))
            return false;
        *attr = tsr_attr_dense_array(b->ctx, b->ctx->i32, v, groups);
        return true;
    }
    size_t n = *attr ? (*attr)->s.len / sizeof *v : 0;
    memcpy(v, *attr ? (*attr)->s.data : "", (n < groups ? n : groups) * sizeof *v);
    write_sparse(b, v, groups);
    return true;
}

/* ---- Attributes that were added to ops later ---- */

/* An older file has no place for them, which shows in its length. The latest ones come first; equal numbers were added
 * together. */
static const struct {
    uint16_t opcode;
    uint8_t age, slot;
    uint8_t major, minor; /* StableHLO version that added it; 0.0: independent of that */
} late[] = {
#define LATE(id, slot, age, major, minor) {TSR_OP_##id, age, id##_##slot, major, minor},
#include "dialect/ops.def"
};

/* Whether the op is in the table: called for every op that is read. */
static bool is_late(uint16_t opcode)
{
    static const bool column[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = false
#define LATE(id, slot, age, major, minor) || true
#define END ,
#include "dialect/ops.def"
    };
    return opcode < TSR_OP__COUNT && column[opcode];
}

static size_t count_varints(const uint8_t *p, const uint8_t *end)
{
    size_t n = 0;
    for (; p < end; n++) {
        unsigned more = 0;
        while (more < 8 && !(*p >> more & 1))
            more++;
        if ((size_t)(end - p) <= more)
            break;
        p += 1 + more;
    }
    return n;
}

/* Slots that the file being read has no place for, one bit each. */
static uint64_t missing_slots(const tsr_bc *b, const tsr_opdef *def)
{
    uint64_t missing = 0;
    size_t left = def->nslot, have = SIZE_MAX;
    uint8_t age = 0;
    for (size_t i = 0; i < TSR_COUNT(late); i++) {
        if (late[i].opcode != def->opcode)
            continue;
        if (have == SIZE_MAX)
            have = count_varints(b->p, b->end);
        if (late[i].age != age && left <= have)
            return missing;
        age = late[i].age;
        missing |= (uint64_t)1 << late[i].slot;
        left--;
    }
    return missing;
}

/* Slots that the reader does not know yet and that are not needed, one bit each. */
static uint64_t future_slots(const tsr_bc *b, const tsr_opdef *def, tsr_attr *const *attrs)
{
    uint64_t future = 0;
    if (!b->reader.major && !b->reader.minor)
        return 0;
    for (size_t i = 0; i < TSR_COUNT(late); i++) {
        bool older = b->reader.major != late[i].major ? b->reader.major < late[i].major
                                                      : b->reader.minor < late[i].minor;
        if (late[i].opcode == def->opcode && older && !attrs[late[i].slot])
            future |= (uint64_t)1 << late[i].slot;
    }
    return future;
}

/* Whether the slot is the last by name: nothing is read after it. */
static bool is_last(const tsr_opdef *def, int slot)
{
    for (uint8_t i = 0; i < def->nslot; i++)
        if (strcmp(def->slots[i].name, def->slots[slot].name) > 0)
            return false;
    return true;
}

bool tsr_bc_is_new_default(tsr_ctx *ctx, const tsr_opdef *def, tsr_attr *const *attrs, int slot)
{
    for (size_t i = 0; i < TSR_COUNT(late); i++)
        if (late[i].opcode == def->opcode && late[i].major && late[i].slot == slot)
            return !is_last(def, slot) &&
                   (!attrs[slot] || (def->slots[slot].need != TSR_ATTR_OPTIONAL &&
                                     attrs[slot] == tsr_slot_default(ctx, &def->slots[slot])));
    return false;
}

bool tsr_bc_by_name(tsr_ctx *ctx, const tsr_opdef *def, tsr_attr *const *attrs)
{
    bool some = false;
    for (int i = 0; is_late(def->opcode) && i < def->nslot; i++)
        some |= tsr_bc_is_new_default(ctx, def, attrs, i);
    return some;
}

/* ---- All properties of an op ---- */

bool tsr_bc_properties(tsr_bc *b, const tsr_opdef *def, tsr_attr **attrs)
{
    uint8_t stack[MOST_SLOTS];
    if (def->nslot > MOST_SLOTS)
        return tsr_bc_error(b, "has an op with %u attributes", def->nslot);
    const uint8_t *order = order_of(b, def, stack);
    bool segments = has_segments(def), results;
    uint64_t missing = 0;
    if (is_late(def->opcode))
        missing = tsr_bc_reading(b) ? missing_slots(b, def) : future_slots(b, def, attrs);
    for (uint32_t i = 0; i < def->nslot; i++) {
        const tsr_slotdef *slot = &def->slots[order[i]];
        if (missing >> order[i] & 1)
            continue;
        tsr_attr **attr = &attrs[order[i]];
        if (segments && is_segments(def, slot->name, &results)) {
            if (b->version < TSR_BC_SEGMENT_SIZES &&
                !tsr_bc_attr_kind(b, TSR_ATTR_DENSE_ARRAY, attr))
                return false;
            continue;
        }
        if (slot->need == TSR_ATTR_REQUIRED ? !tsr_bc_attr(b, attr)
                                            : !tsr_bc_optional_attr(b, attr))
            return false;
    }
    if (!segments || b->version < TSR_BC_SEGMENT_SIZES)
        return true;
    for (uint32_t i = 0; i < def->nslot; i++)
        if (is_segments(def, def->slots[order[i]].name, &results) &&
            !sizes(b, results ? def->nresult : def->narg, &attrs[order[i]]))
            return false;
    return true;
}

bool tsr_bc_raw_properties(tsr_bc *b, tsr_attr **attr)
{
    return tsr_bc_attr(b, attr);
}
