/* SPDX-License-Identifier: Apache-2.0 */
/* vhlo.c - converts StableHLO to VHLO and back, op by op and in place, by the rows.
 *
 * Other dialects: if the type of a value that they use or define changes, a cast is inserted. A cast comes after the
 * definition of its value, once for all users. The reverse conversion restores all types, and the casts are removed. */
#include "lower/vhlo/vhlo.h"

#include "dialect/stablehlo/stablehlo.h"
#include "lower/passes.h"
#include "lower/vhlo/convert.h"

bool tsr_vhlo_refuse(const tsr_op *op, tsr_str name)
{
    return tsr_error(op->module->ctx, op->loc,
                     "failed to legalize operation '%.*s' that was explicitly marked illegal",
                     TSR_STR_ARG(name));
}

static tsr_attr *wrap(tsr_ctx *ctx, const tsr_attrdef *def, tsr_attr *inner)
{
    return tsr_attr_struct(ctx, def, &inner);
}

static void become(tsr_op *op, const tsr_opdef *def, tsr_attr **attrs, tsr_attr *extra)
{
    tsr_op_become(op, def);
    op->attrs = attrs;
    op->extra = extra;
}

/* ---- To VHLO ---- */

static bool slot_to_vhlo(tsr_vhlo_conv *c, const tsr_vhlo_part *part, tsr_attr *value,
                         tsr_attr **attrs)
{
    tsr_attr **to = &attrs[part->slots[0]];
    switch (part->how) {
    case TSR_VHLO_UNIT:
        *to = wrap(c->ctx, &tsr_def_VHLO_BOOL_ATTR_V1, tsr_attr_bool(c->ctx, true));
        return true;
    case TSR_VHLO_NUMBER:
        *to = tsr_attr_enum(c->ctx, &tsr_def_VHLO_API_VERSION_V1, value->i);
        return true;
    case TSR_VHLO_FIELDS:
        for (size_t k = 0; k < part->n; k++)
            if (part->slots[k] >= 0 &&
                !(attrs[part->slots[k]] = tsr_vhlo_convert_attr(c, value->attrs[k])))
                return false;
        return true;
    default: *to = tsr_vhlo_convert_attr(c, value); return *to != NULL;
    }
}

static bool op_to_vhlo(tsr_vhlo_conv *c, tsr_op *op)
{
    const tsr_vhlo_row *row = tsr_vhlo_row_of(c, op);
    TSR_TRY(row != NULL);
    tsr_attr **attrs = tsr_arena_zalloc(&c->module->arena, (row->vhlo->nslot + 1) * sizeof *attrs),
             *extra = op->extra;
    for (size_t i = 0; i < op->def->nslot; i++) {
        tsr_attr *value = op->attrs[i];
        if (!value)
            continue;
        if (row->parts[i].how != TSR_VHLO_EXTRA)
            TSR_TRY(slot_to_vhlo(c, &row->parts[i], value, attrs));
        else
            extra = tsr_dict_with(c->ctx, extra,
                                  tsr_name_get(c->ctx, tsr_cstr(op->def->slots[i].name)), value);
    }
    TSR_TRY(tsr_vhlo_convert_extra(c, &extra) && tsr_vhlo_fill(c, row, attrs) &&
            tsr_vhlo_convert_types(c, op));
    become(op, row->vhlo, attrs, extra);
    return true;
}

/* ---- From VHLO ---- */

static tsr_attr *symbol(tsr_ctx *ctx, const tsr_attr *string)
{
    return tsr_attr_is_struct(string, &tsr_def_VHLO_STRING_V1)
               ? tsr_attr_symbol(ctx, string->attrs[0]->s, NULL, 0)
               : NULL;
}

static tsr_attr *symbols(tsr_ctx *ctx, const tsr_attr *array)
{
    tsr_attr_vec v = {0};
    tsr_attr *made = NULL;
    if (!tsr_attr_is_struct(array, &tsr_def_VHLO_ARRAY_V1))
        return NULL;
    array = array->attrs[0];
    for (uint32_t i = 0; i < array->n; i++) {
        tsr_attr *s = symbol(ctx, array->attrs[i]);
        if (s)
            tsr_vec_push(&v, s);
    }
    if (v.n == array->n)
        made = tsr_attr_array(ctx, v.data, v.n);
    tsr_vec_free(&v);
    return made;
}

/* The elements of a tensor attribute as array<elem>; NULL if it is not one. */
static tsr_attr *list(tsr_vhlo_conv *c, const tsr_attr *tensor, tsr_type *elem)
{
    const tsr_attr *dense =
        tsr_attr_is_struct(tensor, &tsr_def_VHLO_TENSOR_ATTR_V1) ? tensor->attrs[0] : NULL;
    enum { FEW = 64 };
    char few[FEW * 8], *data = few;
    if (!dense || dense->type->elem != elem)
        return NULL;
    size_t size = tsr_type_storage_bits(elem) / 8, n = (size_t)tsr_attr_count(dense);
    if (!dense->sub)
        return tsr_attr_dense_array(c->ctx, elem, dense->s.data, n);
    if (n > FEW)
        data = tsr_arena_alloc(&c->arena, n * size);
    for (size_t i = 0; i < n; i++)
        memcpy(data + i * size, dense->s.data, size);
    return tsr_attr_dense_array(c->ctx, elem, data, n);
}

/* A field of a record by its kind. */
static tsr_attr *field(tsr_vhlo_conv *c, char kind, tsr_attr *a)
{
    tsr_attr *in = tsr_attr_is_vhlo(a) && a->kind == TSR_ATTR_STRUCT ? a->attrs[0] : NULL;
    switch (kind) {
    case 'n':
        return in && a->def == &tsr_def_VHLO_INTEGER_V1 && in->type->width <= 64
                   ? tsr_attr_i64(c->ctx, in->i)
                   : NULL;
    case 'l': return list(c, a, c->ctx->i64);
    case 't': return in && a->def == &tsr_def_VHLO_TYPE_V1 ? tsr_vhlo_convert_attr(c, a) : NULL;
    default: return in && a->def == &tsr_def_VHLO_BOOL_ATTR_V1 ? in : NULL;
    }
}

static bool record_from(tsr_vhlo_conv *c, const tsr_op *op, const tsr_vhlo_row *row,
                        const tsr_vhlo_part *part, bool required, tsr_attr **out)
{
    tsr_attr *params[TSR_VHLO_MAX_FIELDS];
    bool missing = !required;
    for (size_t k = 0; k < part->n && missing; k++)
        missing = part->slots[k] < 0 || tsr_vhlo_is_missing(row, op->attrs, (size_t)part->slots[k]);
    if (missing)
        return true;
    for (size_t k = 0; k < part->n; k++) {
        params[k] = part->slots[k] < 0
                        ? tsr_attr_i64(c->ctx, 0)
                        : field(c, part->record->kinds[k], op->attrs[part->slots[k]]);
        TSR_TRY(params[k] != NULL);
    }
    const tsr_attrdef *def = part->record->def;
    TSR_TRY(def != &tsr_def_STABLEHLO_DOT_ALGORITHM ||
            tsr_hlo_dot_algorithm_ok(c->ctx, op->loc, params));
    *out = tsr_attr_struct(c->ctx, def, params);
    return true;
}

static bool slot_from_vhlo(tsr_vhlo_conv *c, const tsr_op *op, const tsr_vhlo_row *row, size_t i,
                           tsr_attr **out)
{
    const tsr_vhlo_part *part = &row->parts[i];
    bool required = row->hlo->slots[i].need == TSR_ATTR_REQUIRED;
    if (part->how == TSR_VHLO_EXTRA)
        return true;
    if (part->how == TSR_VHLO_FIELDS)
        return record_from(c, op, row, part, required, out);
    tsr_attr *value = op->attrs[part->slots[0]];
    if (!required && tsr_vhlo_is_missing(row, op->attrs, (size_t)part->slots[0]))
        return true;
    switch (part->how) {
    case TSR_VHLO_INTS: *out = list(c, value, c->ctx->i64); break;
    case TSR_VHLO_BOOLS: *out = list(c, value, c->ctx->i1); break;
    case TSR_VHLO_UNIT:
        if (tsr_attr_is_struct(value, &tsr_def_VHLO_BOOL_ATTR_V1)) {
            *out = value->attrs[0]->i ? tsr_attr_unit(c->ctx) : NULL;
            return true;
        }
        break;
    case TSR_VHLO_SYMBOL: *out = symbol(c->ctx, value); break;
    case TSR_VHLO_SYMBOLS: *out = symbols(c->ctx, value); break;
    case TSR_VHLO_NUMBER:
        if (tsr_attr_is_struct(value, &tsr_def_VHLO_API_VERSION_V1))
            *out = tsr_attr_i32(c->ctx, (int32_t)value->i);
        break;
    default: *out = tsr_vhlo_convert_attr(c, value);
    }
    return *out != NULL;
}

/* Attributes that VHLO's row does not have are discardable ones. */
static tsr_attr *take_extra(tsr_vhlo_conv *c, const char *name, tsr_attr **extra)
{
    tsr_attr *value = tsr_dict_get(*extra, tsr_cstr(name));
    if (value)
        *extra = tsr_dict_with(c->ctx, *extra, tsr_name_get(c->ctx, tsr_cstr(name)), NULL);
    return value;
}

static bool op_from_vhlo(tsr_vhlo_conv *c, tsr_op *op)
{
    const tsr_vhlo_row *row = tsr_vhlo_row_of(c, op);
    TSR_TRY(row != NULL);
    const tsr_opdef *hlo = row->hlo;
    if (hlo->opcode == TSR_OP_STABLEHLO_RETURN && tsr_block_parent(op->block) &&
        tsr_op_is(tsr_block_parent(op->block), TSR_OP_FUNC_FUNC))
        hlo = tsr_opdef_of(c->ctx, TSR_OP_FUNC_RETURN);
    tsr_attr **attrs = tsr_arena_zalloc(&c->module->arena, (hlo->nslot + 1) * sizeof *attrs),
             *extra = op->extra;
    TSR_TRY(tsr_vhlo_convert_extra(c, &extra));
    for (size_t i = 0; i < hlo->nslot; i++) {
        TSR_TRY(slot_from_vhlo(c, op, row, i, &attrs[i]));
        if (row->parts[i].how == TSR_VHLO_EXTRA && extra)
            attrs[i] = take_extra(c, hlo->slots[i].name, &extra);
        if (!attrs[i] && hlo->slots[i].need == TSR_ATTR_FILLED)
            attrs[i] = tsr_slot_default(c->ctx, &hlo->slots[i]);
    }
    become(op, hlo, attrs, extra);
    return true;
}

/* ---- Casts ---- */

static bool is_cast(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_BUILTIN_UNREALIZED_CONVERSION_CAST);
}

static bool is_converted(tsr_vhlo_conv *c, const tsr_op *op)
{
    return op && tsr_vhlo_row_of(c, op) != NULL;
}

typedef struct {
    tsr_vhlo_conv *conv;
    bool converted; /* on which side are the users that need the cast? */
} cast_users;

static bool keeps(void *user, tsr_use *use)
{
    cast_users *u = user;
    return is_cast(use->user) || is_converted(u->conv, use->user) != u->converted;
}

/* A cast is where MLIR's is, with the same location: from VHLO that of the value, to VHLO that of the first user. */
static tsr_loc cast_loc(const tsr_value *v, bool converted, cast_users *users)
{
    tsr_loc loc = v->is_arg ? v->block->arg_locs[v->index] : v->op->loc;
    for (tsr_use *use = converted ? NULL : v->uses; use; use = use->next)
        if (!keeps(users, use))
            loc = use->user->loc;
    return loc;
}

/* A value with users on the other side gets a cast for them. */
static bool cast_value(tsr_vhlo_conv *c, tsr_value *v, bool converted, tsr_block *block,
                       tsr_op *before)
{
    cast_users users = {c, !converted};
    tsr_use *use = v->uses;
    while (use && keeps(&users, use))
        use = use->next;
    tsr_type *type = use ? tsr_vhlo_convert_type(c, v->type) : NULL;
    if (!use || type == v->type)
        return true;
    tsr_loc loc = v->is_arg ? use->user->loc : v->op->loc;
    if (!type || !c->others) {
        tsr_buf from = {0}, to = {0};
        c->ctx->print_type(&from, type && converted ? type : v->type);
        c->ctx->print_type(&to, type && !converted ? type : v->type);
        tsr_error(
            c->ctx, loc,
            "failed to legalize unresolved materialization from ('%.*s') to ('%.*s') that remained "
            "live after conversion",
            TSR_STR_ARG(tsr_buf_text(&from)), TSR_STR_ARG(tsr_buf_text(&to)));
        tsr_buf_free(&from);
        tsr_buf_free(&to);
        return false;
    }
    tsr_op *cast =
        tsr_op_new(c->module, tsr_opdef_of(c->ctx, TSR_OP_BUILTIN_UNREALIZED_CONVERSION_CAST),
                   cast_loc(v, converted, &users), &v, 1, converted ? &v->type : &type, 1, 0, 0);
    tsr_op_insert(cast, block, before);
    tsr_value_replace_if(v, &cast->out[0], keeps, &users);
    return true;
}

/* Casts for the values that op defines, before it is converted. */
static bool cast_op(tsr_vhlo_conv *c, tsr_op *op)
{
    bool converted = is_converted(c, op);
    for (uint32_t i = 0; i < op->nout; i++)
        TSR_TRY(cast_value(c, &op->out[i], converted, op->block, op->next));
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b)
            for (uint32_t i = 0; i < b->nargs; i++)
                TSR_TRY(cast_value(c, b->args[i], converted, b, b->first));
    return true;
}

/* Removes casts that no longer change anything. */
static void drop_casts(tsr_op *root)
{
    TSR_OPS_REVERSE (root, op) {
        bool same = is_cast(op) && op->nin == op->nout;
        for (uint32_t i = 0; same && i < op->nout; i++)
            same = op->in[i].value->type == op->out[i].type;
        for (uint32_t i = 0; same && i < op->nout; i++)
            tsr_value_replace(&op->out[i], op->in[i].value);
        if (same)
            tsr_op_erase(op);
    }
}

/* ---- Modules ---- */

static bool in_dialect(const tsr_op *op, const char *prefix)
{
    return tsr_str_starts(op->def->name, prefix);
}

static bool all_to_vhlo(tsr_vhlo_conv *c, tsr_op *root)
{
    /* Modules that contain only StableHLO, by far the most, need no check of uses. */
    bool mixed = false;
    TSR_OPS (root, op)
        mixed |= op != root && !in_dialect(op, "stablehlo.") && !in_dialect(op, "func.");
    if (mixed) {
        TSR_OPS (root, op)
            TSR_TRY(op == root || is_cast(op) || cast_op(c, op));
    }
    TSR_OPS (root, op) {
        if (is_cast(op) ? c->others : !in_dialect(op, "stablehlo.") && !in_dialect(op, "func."))
            continue;
        if (!op_to_vhlo(c, op))
            return tsr_vhlo_refuse(op, op->def->name);
    }
    return true;
}

/* upgrade: first converts ops of older versions to newer ones. */
static bool all_from_vhlo(tsr_vhlo_conv *c, tsr_op *root, bool upgrade)
{
    bool casts = false;
    TSR_OPS (root, op) {
        tsr_str name = op->def->name;
        const tsr_opdef *newer;
        bool stable = op->def->opcode != TSR_UNREGISTERED && tsr_opdef_is_vhlo(op->def);
        casts |= is_cast(op);
        while (stable && upgrade && (newer = tsr_vhlo_neighbour(c->ctx, op->def, 1)))
            if (!tsr_vhlo_step(c, op, newer))
                return tsr_vhlo_refuse(op, name);
        if (!tsr_vhlo_convert_types(c, op) || (stable && !op_from_vhlo(c, op)))
            return tsr_vhlo_refuse(op, name);
    }
    if (casts)
        drop_casts(root);
    return true;
}

static bool run(tsr_module *m, tsr_op *root, bool to_vhlo, bool others, bool upgrade)
{
    tsr_vhlo_conv c;
    tsr_vhlo_conv_init(&c, m, to_vhlo, others);
    m->verified = false;
    bool ok = to_vhlo ? all_to_vhlo(&c, root) : all_from_vhlo(&c, root, upgrade);
    tsr_vhlo_conv_free(&c);
    return ok;
}

bool tsr_stablehlo_to_vhlo(tsr_module *m, tsr_op *root, bool allow_others)
{
    return run(m, root, true, allow_others, false);
}

bool tsr_vhlo_to_stablehlo(tsr_module *m, tsr_op *root)
{
    return run(m, root, false, true, false);
}

bool tsr_module_from_vhlo(tsr_module *m)
{
    return run(m, m->op, false, true, true);
}

bool tsr_module_to_vhlo(tsr_module *m, tsr_vhlo_version target, bool allow_others)
{
    return tsr_stablehlo_to_vhlo(m, m->op, allow_others) && tsr_vhlo_to_version(m, m->op, target);
}

bool tsr_module_has_vhlo(const tsr_module *m)
{
    const tsr_block *body = m->op && m->op->nregion ? m->op->regions[0].first : NULL;
    if (body)
        TSR_BLOCK_OPS (body, op)
            if (op->def->opcode != TSR_UNREGISTERED && tsr_opdef_is_vhlo(op->def))
                return true;
    return false;
}

/* ---- Passes ---- */

bool pass_stablehlo_legalize_to_vhlo(tsr_pass *p, tsr_op *root)
{
    p->changed = true;
    return tsr_stablehlo_to_vhlo(p->module, root, tsr_pass_bool(p, "allow-other-dialects"));
}

bool pass_vhlo_legalize_to_stablehlo(tsr_pass *p, tsr_op *root)
{
    p->changed = true;
    return tsr_vhlo_to_stablehlo(p->module, root);
}

bool pass_vhlo_to_version(tsr_pass *p, tsr_op *root)
{
    tsr_vhlo_version target;
    p->changed = true;
    return tsr_vhlo_check_target(p->ctx, root->loc, tsr_pass_str(p, "target"), &target) &&
           tsr_vhlo_to_version(p->module, root, target);
}
