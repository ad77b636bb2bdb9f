/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - which dialects have encodings of their own, and which dialect a thing belongs to. */
#include "text/bytecode/bytecode.h"

static const tsr_bc_dialect *const dialects[] = {
    &tsr_bc_builtin, &tsr_bc_stablehlo, &tsr_bc_vhlo, &tsr_bc_chlo, &tsr_bc_sdy, &tsr_bc_quant,
};

const tsr_bc_dialect *tsr_bc_dialect_find(tsr_str name)
{
    for (size_t i = 0; i < TSR_COUNT(dialects); i++)
        if (tsr_str_is(name, dialects[i]->name))
            return dialects[i];
    return NULL;
}

static tsr_str before_dot(const char *name)
{
    const char *dot = strchr(name, '.');
    return (tsr_str){name, dot ? (size_t)(dot - name) : strlen(name)};
}

tsr_str tsr_bc_attr_dialect(const tsr_attr *a)
{
    switch (a->kind) {
    case TSR_ATTR_STRUCT:
    case TSR_ATTR_ENUM: return before_dot(a->def->name);
    case TSR_ATTR_OPAQUE: return a->name->str;
    default: return TSR_STR("builtin");
    }
}

tsr_str tsr_bc_type_dialect(const tsr_type *t)
{
    switch (t->kind) {
    case TSR_TYPE_DIALECT: return before_dot(t->def->name);
    case TSR_TYPE_OPAQUE: return t->name->str;
    default: return TSR_STR("builtin");
    }
}

bool tsr_bc_write_attr(tsr_bc *b, const tsr_bc_dialect *d, tsr_attr *a)
{
    int code = d && d->attr_code ? d->attr_code(b, a) : -1;
    if (code < 0)
        return false;
    uint64_t v = (uint64_t)code;
    return tsr_bc_varint(b, &v) && d->attrs[code](b, &a);
}

bool tsr_bc_write_type(tsr_bc *b, const tsr_bc_dialect *d, tsr_type *t)
{
    int code = d && d->type_code ? d->type_code(b, t) : -1;
    if (code < 0)
        return false;
    uint64_t v = (uint64_t)code;
    return tsr_bc_varint(b, &v) && d->types[code](b, &t);
}
