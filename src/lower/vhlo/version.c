/* SPDX-License-Identifier: Apache-2.0 */
/* version.c - converts VHLO from one version to another: ops go row by row to the one that the target has; attributes
 * and types must already exist there. Attributes that are new in a row must have their default values before the op can
 * go back to the previous row. */
#include "lower/vhlo/vhlo.h"
#include "lower/vhlo/convert.h"

#include <stdlib.h>

typedef struct {
    tsr_vhlo_conv conv;
    tsr_vhlo_version target;
    tsr_map types, attrs;      /* those that exist in the target, by address */
    TSR_VEC(tsr_op *) stepped; /* ops whose row was changed */
} version_pass;

static bool legal_attr(version_pass *p, tsr_attr *a);

/* ---- Types and attributes ---- */

static bool legal_params(version_pass *p, const tsr_attrdef *def, tsr_attr *const *params)
{
    for (size_t i = 0; i < def->nparam; i++)
        if (params[i] && !legal_attr(p, params[i]))
            return false;
    return true;
}

static bool legal_type(version_pass *p, tsr_type *t)
{
    if (!tsr_type_is_vhlo(t))
        return true;
    uint64_t key = tsr_hash_ptr(t);
    TSR_MAP_EACH (&p->types, key, known) {
        (void)known;
        return true;
    }
    if (tsr_vhlo_version_compare(p->target, tsr_vhlo_def_since(t->def)) < 0 ||
        !legal_params(p, t->def, t->params))
        return false;
    tsr_map_put(&p->types, key, t);
    return true;
}

/* MLIR's attributes inside VHLO's have a type that represents a VHLO type. */
static bool legal_attr(version_pass *p, tsr_attr *a)
{
    uint64_t key = tsr_hash_ptr(a);
    bool ok = true;
    TSR_MAP_EACH (&p->attrs, key, known) {
        (void)known;
        return true;
    }
    switch ((tsr_attr_kind)a->kind) {
    case TSR_ATTR_ENUM:
    case TSR_ATTR_STRUCT:
        if (tsr_attr_is_vhlo(a))
            ok = tsr_vhlo_version_compare(p->target, tsr_vhlo_def_since(a->def)) >= 0 &&
                 legal_params(p, a->def, a->attrs);
        break;
    case TSR_ATTR_ARRAY:
        for (uint32_t i = 0; ok && i < a->n; i++)
            ok = legal_attr(p, a->attrs[i]);
        break;
    case TSR_ATTR_TYPE: ok = legal_type(p, a->type); break;
    case TSR_ATTR_INT:
    case TSR_ATTR_FLOAT:
    case TSR_ATTR_DENSE: {
        tsr_type *stable = tsr_vhlo_convert_type(&p->conv, a->type);
        ok = !stable || legal_type(p, stable);
        break;
    }
    default: break;
    }
    if (ok)
        tsr_map_put(&p->attrs, key, a);
    return ok;
}

/* ---- Rules of older versions ---- */

static const tsr_type *element_of(const tsr_type *t)
{
    if (!tsr_type_is_vhlo(t))
        return NULL;
    if (t->def == &tsr_def_VHLO_TENSOR_V1)
        return t->params[1]->type;
    return t->def == &tsr_def_VHLO_UNRANKED_TENSOR_V1 ? t->params[0]->type : NULL;
}

/* Results have the element types of the operands; reductions could not promote. */
static bool rule_same_elements(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin && i < op->nout; i++)
        if (element_of(op->in[i].value->type) != element_of(op->out[i].type))
            return false;
    return true;
}

/* The configuration of a call is text. */
static bool rule_plain_config(const tsr_op *op)
{
    const tsr_attr *api = op->attrs[VHLO_CUSTOM_CALL_V1_api_version];
    return !tsr_attr_is_struct(op->attrs[VHLO_CUSTOM_CALL_V1_backend_config],
                               &tsr_def_VHLO_DICT_V1) &&
           !(tsr_attr_is_struct(api, &tsr_def_VHLO_API_VERSION_V1) && api->i == 4);
}

static bool rule_no_futures(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (tsr_type_is_vhlo(op->in[i].value->type) &&
            op->in[i].value->type->def == &tsr_def_VHLO_FUTURE_V1)
            return false;
    return true;
}

static const struct {
    uint16_t opcode;
    uint16_t major, minor;
    bool (*rule)(const tsr_op *op);
} rules[] = {
#define BEFORE(id, major, minor, rule) {TSR_OP_##id, major, minor, rule_##rule},
#include "dialect/ops.def"
};

static bool rules_hold(const version_pass *p, const tsr_op *op)
{
    for (size_t i = 0; i < TSR_COUNT(rules); i++) {
        tsr_vhlo_version until = {rules[i].major, rules[i].minor, 0};
        if (rules[i].opcode == op->def->opcode && tsr_vhlo_version_compare(p->target, until) < 0 &&
            !rules[i].rule(op))
            return false;
    }
    return true;
}

/* ---- Ops ---- */

/* Less than 0: the row no longer exists in the target version; more: not yet. */
static int place(const version_pass *p, const tsr_opdef *def)
{
    const tsr_opdef *next = tsr_vhlo_neighbour(p->conv.ctx, def, 1);
    if (tsr_vhlo_version_compare(p->target, tsr_vhlo_op_since(def)) < 0)
        return 1;
    return next && tsr_vhlo_version_compare(p->target, tsr_vhlo_op_since(next)) >= 0 ? -1 : 0;
}

static bool fits(const tsr_argdef *groups, size_t n, size_t count)
{
    size_t single = 0;
    for (size_t i = 0; i < n; i++)
        single += groups[i].arity == TSR_ONE;
    return single == n ? count == n : count >= single;
}

bool tsr_vhlo_step(tsr_vhlo_conv *c, tsr_op *op, const tsr_opdef *to)
{
    const tsr_vhlo_row *from_row = tsr_vhlo_row_plain(c, op->def), *row = tsr_vhlo_row_plain(c, to);
    bool back = to->opcode < op->def->opcode;
    tsr_attr **attrs = tsr_arena_zalloc(&c->module->arena, (to->nslot + 1) * sizeof *attrs);
    if (!fits(to->args, to->narg, op->nin) || !fits(to->results, to->nresult, op->nout) ||
        !fits(to->regions, to->nregion, op->nregion))
        return false;
    for (size_t i = 0; i < op->def->nslot; i++) {
        int slot = tsr_opdef_slot(to, tsr_cstr(op->def->slots[i].name));
        if (slot >= 0)
            attrs[slot] = op->attrs[i];
        else if (back && !tsr_vhlo_is_missing(from_row, op->attrs, i))
            return false;
    }
    if (!tsr_vhlo_fill(c, row, attrs))
        return false;
    tsr_op_become(op, to);
    op->attrs = attrs;
    return true;
}

static bool legal_op(version_pass *p, const tsr_op *op)
{
    for (size_t i = 0; i < op->def->nslot; i++)
        if (op->attrs[i] && !legal_attr(p, op->attrs[i]))
            return false;
    for (uint32_t i = 0; op->extra && i < op->extra->n; i++)
        if (!legal_attr(p, op->extra->named[i].value))
            return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if (!legal_type(p, op->in[i].value->type))
            return false;
    for (uint32_t i = 0; i < op->nout; i++)
        if (!legal_type(p, op->out[i].type))
            return false;
    return rules_hold(p, op);
}

/* Artifacts keep the order of uses, and MLIR creates a new op where we change one: its uses become the newest, and
 * those of its results, which move after all ops are created, end up reversed. */
static void renew_uses(tsr_op *op)
{
    tsr_value_vec in = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    tsr_op_set_operands(op, NULL, 0);
    tsr_op_set_operands(op, in.data, in.n);
    tsr_vec_free(&in);
}

static void reverse_uses(tsr_value *v)
{
    tsr_use *list = v->uses, **end = &v->uses;
    v->uses = NULL;
    for (tsr_use *next; list; list = next) {
        next = list->next;
        list->next = v->uses;
        if (v->uses)
            v->uses->prev = &list->next;
        list->prev = end;
        v->uses = list;
    }
}

static bool op_to_version(version_pass *p, tsr_op *op)
{
    tsr_str name = op->def->name;
    const tsr_opdef *was = op->def;
    for (int at; (at = place(p, op->def)) != 0;) {
        const tsr_opdef *to = tsr_vhlo_neighbour(p->conv.ctx, op->def, -at);
        if (!to || !tsr_vhlo_step(&p->conv, op, to))
            return tsr_vhlo_refuse(op, name);
    }
    if (op->def != was) {
        renew_uses(op);
        tsr_vec_push(&p->stepped, op);
    }
    return legal_op(p, op) || tsr_vhlo_refuse(op, name);
}

bool tsr_vhlo_to_version(tsr_module *m, tsr_op *root, tsr_vhlo_version target)
{
    version_pass p = {.target = {target.major, target.minor, 0}}; /* patch releases change no op */
    bool ok = true;
    tsr_vhlo_conv_init(&p.conv, m, true, true);
    m->verified = false;
    TSR_OPS (root, op)
        if (ok && op->def->opcode != TSR_UNREGISTERED && tsr_opdef_is_vhlo(op->def))
            ok = op_to_version(&p, op);
    for (size_t i = 0; ok && i < p.stepped.n; i++)
        for (uint32_t k = 0; k < p.stepped.data[i]->nout; k++)
            reverse_uses(&p.stepped.data[i]->out[k]);
    if (!ok)
        tsr_error(m->ctx, root->loc, "failed to convert VHLO to v%u.%u.%u", p.target.major,
                  p.target.minor, p.target.patch);
    tsr_vec_free(&p.stepped);
    tsr_map_free(&p.types);
    tsr_map_free(&p.attrs);
    tsr_vhlo_conv_free(&p.conv);
    return ok;
}
