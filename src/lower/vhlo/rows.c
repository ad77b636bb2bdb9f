/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c - the mapping between slots of a StableHLO row and a VHLO row, derived from the two rows when an op is first
 * met: slots with the same name correspond, records are split into their fields, and the form of StableHLO's slot
 * determines the rest. */
#include "lower/vhlo/convert.h"

#include <stdlib.h>

/* Records whose fields are separate attributes in VHLO. */
static const tsr_vhlo_record records[] = {
    {&tsr_def_STABLEHLO_DOT,
     "llll",
     {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
      "rhs_contracting_dimensions"}},
    {&tsr_def_STABLEHLO_DOT_ALGORITHM,
     "tttnnnb",
     {"lhs_precision_type", "rhs_precision_type", "accumulation_type", "lhs_component_count",
      "rhs_component_count", "num_primitive_operations", "allow_imprecise_accumulation"}},
    {&tsr_def_STABLEHLO_GATHER,
     "llllln",
     {"offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
      "start_index_map", "index_vector_dim"}},
    {&tsr_def_STABLEHLO_SCATTER,
     "llllln",
     {"update_window_dims", "inserted_window_dims", "input_batching_dims",
      "scatter_indices_batching_dims", "scatter_dims_to_operand_dims", "index_vector_dim"}},
    {&tsr_def_STABLEHLO_CONV,
     "nnlnnlnnl",
     {"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions",
      "kernel_input_feature_dimension", "kernel_output_feature_dimension",
      "kernel_spatial_dimensions", "output_batch_dimension", "output_feature_dimension",
      "output_spatial_dimensions"}},
    {&tsr_def_STABLEHLO_CHANNEL_HANDLE, "nn", {"channel_id", "channel_type"}},
};

static tsr_vhlo_how how_of(const tsr_constraint *constraint)
{
    if (constraint == &tsr_is_FlatSymbolRefArray)
        return TSR_VHLO_SYMBOLS;
    if (constraint == &tsr_is_HloApiVersion)
        return TSR_VHLO_NUMBER;
    switch (constraint->form) {
    case TSR_FORM_I64S: return TSR_VHLO_INTS;
    case TSR_FORM_I1S: return TSR_VHLO_BOOLS;
    case TSR_FORM_UNIT: return TSR_VHLO_UNIT;
    case TSR_FORM_SYMBOL: return TSR_VHLO_SYMBOL;
    default: return TSR_VHLO_WHOLE;
    }
}

static tsr_vhlo_part part_of(const tsr_slotdef *slot, const tsr_opdef *vhlo)
{
    tsr_vhlo_part part = {.how = how_of(slot->constraint), .n = 1};
    part.slots[0] = tsr_opdef_slot(vhlo, tsr_cstr(slot->name));
    if (part.slots[0] >= 0)
        return part;
    part.how = TSR_VHLO_EXTRA;
    for (size_t i = 0; i < TSR_COUNT(records); i++) {
        if (!slot->constraint->def || slot->constraint->def != records[i].def)
            continue;
        part.how = TSR_VHLO_FIELDS;
        part.record = &records[i];
        part.n = strlen(records[i].kinds);
        for (size_t k = 0; k < part.n; k++)
            part.slots[k] = tsr_opdef_slot(vhlo, tsr_cstr(records[i].names[k]));
    }
    return part;
}

/* ---- Defaults of missing attributes ---- */

static int slot_before(const tsr_opdef *def, const char *start, const char *end)
{
    int slot = tsr_opdef_slot(def, (tsr_str){start, (size_t)(end - start)});
    tsr_assert(slot >= 0, "%.*s has no attribute %s", TSR_STR_ARG(def->name), start);
    return slot;
}

/* "1 of NAME", "0 x 2 of NAME", "false of NAME", "NAME & attribute", "config" or an attribute. */
static tsr_vhlo_missing missing_of(tsr_ctx *ctx, const tsr_opdef *def, const char *text)
{
    tsr_vhlo_missing m = {.with = -1, .counted = -1};
    if (!text)
        return m;
    const char *of = strstr(text, " of "), *with = strstr(text, " & ");
    if (strcmp(text, "config") == 0) {
        m.kind = TSR_VHLO_CONFIG;
    } else if (of) {
        m.kind = TSR_VHLO_COUNTED;
        m.is_bool = strncmp(text, "false", 5) == 0;
        m.element = m.is_bool ? 0 : strtoll(text, NULL, 10);
        m.pairs = strstr(text, " x 2 ") != NULL;
        m.counted = slot_before(def, of + 4, of + strlen(of));
    } else {
        m.kind = TSR_VHLO_VALUE;
        if (with) {
            m.with = slot_before(def, text, with);
            text = with + 3;
        }
        m.value = tsr_slot_default(ctx, &(tsr_slotdef){.value = text});
        tsr_assert(m.value, "%.*s: %s is no attribute", TSR_STR_ARG(def->name), text);
    }
    return m;
}

static const tsr_attr *tensor_of(const tsr_attr *a)
{
    return tsr_attr_is_struct(a, &tsr_def_VHLO_TENSOR_ATTR_V1) ? a->attrs[0] : NULL;
}

static bool same_value(const tsr_attr *a, const tsr_attr *value)
{
    if (a == value || !a)
        return a != NULL;
    if (a->kind != TSR_ATTR_STRUCT || a->def != value->def)
        return false;
    const tsr_attr *in = a->attrs[0], *want = value->attrs[0];
    if (a->def == &tsr_def_VHLO_INTEGER_V1) /* of any width */
        return in->i == want->i && !in->s.len;
    if (a->def == &tsr_def_VHLO_TENSOR_ATTR_V1) /* no elements, of any shape */
        return !in->s.len && !want->s.len;
    if (a->def != &tsr_def_VHLO_ARRAY_V1 || !want->n)
        return false;
    for (uint32_t i = 0; i < in->n; i++) /* any number of them */
        if (in->attrs[i] != want->attrs[0])
            return false;
    return true;
}

static bool all_are(const tsr_attr *a, int64_t element)
{
    const tsr_attr *dense = tensor_of(a);
    if (!dense || !dense->sub || dense->type->elem->kind != TSR_TYPE_INTEGER || dense->s.len > 8 ||
        !dense->s.len)
        return false;
    uint64_t bits = 0;
    memcpy(&bits, dense->s.data, dense->s.len);
    return bits == (uint64_t)element && tsr_type_num_elements(dense->type) > 0;
}

bool tsr_vhlo_is_missing(const tsr_vhlo_row *row, tsr_attr *const *attrs, size_t slot)
{
    const tsr_vhlo_missing *m = &row->missing[slot];
    const tsr_attr *a = attrs[slot];
    switch (m->kind) {
    case TSR_VHLO_VALUE:
        return same_value(a, m->value) &&
               (m->with < 0 || same_value(attrs[m->with], row->missing[m->with].value));
    case TSR_VHLO_COUNTED: return all_are(a, m->element);
    case TSR_VHLO_CONFIG:
        return (tsr_attr_is_struct(a, &tsr_def_VHLO_STRING_V1) && !a->attrs[0]->s.len) ||
               (tsr_attr_is_struct(a, &tsr_def_VHLO_DICT_V1) && !a->attrs[0]->n);
    default: return false;
    }
}

static tsr_attr *counted(tsr_vhlo_conv *c, const tsr_vhlo_missing *m, const tsr_attr *list)
{
    const tsr_attr *dense = tensor_of(list);
    if (!dense)
        return NULL;
    int64_t dims[] = {tsr_attr_count(dense), 2};
    tsr_type *type = tsr_type_tensor(c->ctx, dims, m->pairs ? 2 : 1,
                                     m->is_bool ? c->ctx->i1 : c->ctx->i64, NULL);
    size_t size = m->is_bool ? 1 : 8;
    tsr_attr *made =
        tsr_attr_dense(c->ctx, NULL, type, &m->element, dims[0] ? size : 0, dims[0] > 0);
    return tsr_attr_struct(c->ctx, &tsr_def_VHLO_TENSOR_ATTR_V1, &made);
}

/* An empty string, or for a typed call an empty dictionary. */
static tsr_attr *config(tsr_vhlo_conv *c, const tsr_opdef *def, tsr_attr *const *attrs)
{
    int api = tsr_opdef_slot(def, TSR_STR("api_version"));
    const tsr_attr *version = api >= 0 ? attrs[api] : NULL;
    bool typed = tsr_attr_is(version, TSR_ATTR_ENUM) && version->i == 4;
    tsr_attr *made = typed ? tsr_attr_array(c->ctx, NULL, 0) : tsr_attr_string(c->ctx, TSR_STR(""));
    return tsr_attr_struct(c->ctx, typed ? &tsr_def_VHLO_DICT_V1 : &tsr_def_VHLO_STRING_V1, &made);
}

bool tsr_vhlo_fill(tsr_vhlo_conv *c, const tsr_vhlo_row *row, tsr_attr **attrs)
{
    for (size_t i = 0; i < row->vhlo->nslot; i++) {
        const tsr_vhlo_missing *m = &row->missing[i];
        if (attrs[i])
            continue;
        if (m->kind == TSR_VHLO_VALUE)
            attrs[i] = m->value;
        else if (m->kind == TSR_VHLO_COUNTED)
            attrs[i] = counted(c, m, attrs[m->counted]);
        else if (m->kind == TSR_VHLO_CONFIG)
            attrs[i] = config(c, row->vhlo, attrs);
        if (!attrs[i])
            return false;
    }
    return true;
}

/* ---- Rows ---- */

static tsr_vhlo_row *new_row(tsr_vhlo_conv *c, const tsr_opdef *vhlo)
{
    tsr_vhlo_row *row = TSR_NEW(&c->arena, tsr_vhlo_row);
    row->vhlo = vhlo;
    row->missing = tsr_arena_alloc(&c->arena, (vhlo->nslot + 1) * sizeof *row->missing);
    for (size_t i = 0; i < vhlo->nslot; i++)
        row->missing[i] = missing_of(c->ctx, vhlo, tsr_vhlo_absent(vhlo, i));
    return row;
}

const tsr_vhlo_row *tsr_vhlo_row_plain(tsr_vhlo_conv *c, const tsr_opdef *def)
{
    if (!c->rows[def->opcode])
        c->rows[def->opcode] = new_row(c, def);
    return c->rows[def->opcode];
}

static bool of_dialect(const tsr_opdef *def, const char *dialect, tsr_str *rest)
{
    size_t n = strlen(dialect);
    *rest = (tsr_str){def->name.data + n, def->name.len - n};
    return tsr_str_starts(def->name, dialect);
}

/* vhlo.return_v1 is func.return in a function, which is converted before its body, and stablehlo.return elsewhere. */
static const tsr_opdef *hlo_of(tsr_vhlo_conv *c, const tsr_opdef *vhlo)
{
    tsr_str base = tsr_vhlo_base_name(vhlo);
    const char *dialect =
        tsr_str_is(base, "func") || tsr_str_is(base, "call") ? "func" : "stablehlo";
    c->name.len = 0;
    tsr_buf_printf(&c->name, "%s.%.*s", dialect, TSR_STR_ARG(base));
    return tsr_opdef_find(c->ctx, tsr_buf_text(&c->name));
}

const tsr_vhlo_row *tsr_vhlo_row_of(tsr_vhlo_conv *c, const tsr_op *op)
{
    const tsr_opdef *def = op->def, *hlo, *vhlo;
    tsr_str base;
    if (def->opcode == TSR_UNREGISTERED)
        return NULL;
    if (c->rows[def->opcode] && c->rows[def->opcode]->hlo)
        return c->rows[def->opcode];
    if (c->to_vhlo) {
        hlo = def;
        if (!of_dialect(def, "stablehlo.", &base) &&
            (!of_dialect(def, "func.", &base) ||
             (def->opcode != TSR_OP_FUNC_FUNC && def->opcode != TSR_OP_FUNC_CALL &&
              def->opcode != TSR_OP_FUNC_RETURN)))
            return NULL;
        vhlo = tsr_vhlo_newest(c->ctx, base);
    } else {
        vhlo = def;
        if (!tsr_opdef_is_vhlo(def) || tsr_vhlo_neighbour(c->ctx, def, 1))
            return NULL;
        hlo = hlo_of(c, def);
    }
    if (!hlo || !vhlo)
        return NULL;
    tsr_vhlo_row *row = new_row(c, vhlo);
    row->hlo = hlo;
    row->parts = tsr_arena_alloc(&c->arena, (hlo->nslot + 1) * sizeof *row->parts);
    for (size_t i = 0; i < hlo->nslot; i++)
        row->parts[i] = part_of(&hlo->slots[i], vhlo);
    c->rows[def->opcode] = row;
    return row;
}
