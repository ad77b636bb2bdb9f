/* SPDX-License-Identifier: Apache-2.0 */
/* read.c - the text as a list of computations:
 *
 *   module      ::= 'HloModule' name (',' attribute)* table* computation*
 *   computation ::= 'ENTRY'? name ('(' ... ')' '->' shape)? '{' instruction+ '}' (',' attribute)*
 *   instruction ::= 'ROOT'? name '=' shape opcode '(' operands ')' (',' attribute)*
 *   operand     ::= shape? name
 *
 * Attributes stay as they are written. */
#include "text/hlo/reader.h"

static const char head[] = "HloModule ";

/* Where the first word is: behind a byte order mark, white space and comments. */
static size_t begin_of(tsr_str data)
{
    size_t i = tsr_str_starts(data, "\xEF\xBB\xBF") ? 3 : 0;
    for (const char *p; i < data.len; i = (size_t)(p - data.data)) {
        p = xla_after_comment(data.data + i, data.data + data.len);
        p += p == data.data + i && strchr(" \t\r\n", *p) && *p;
        if (p == data.data + i)
            break;
    }
    return i;
}

bool tsr_is_hlo(tsr_str data)
{
    size_t i = begin_of(data);
    return tsr_str_starts((tsr_str){data.data + i, data.len - i}, head);
}

tsr_str xla_attr_of(const xla_instr *i, const char *name)
{
    for (uint32_t k = 0; k < i->nattr; k++)
        if (tsr_str_is(i->attrs[k].name, name))
            return i->attrs[k].value;
    return (tsr_str){NULL, 0};
}

/* ---- Attributes ---- */

typedef TSR_VEC(xla_attr) attr_vec;

/* (',' name '=' value)* */
static bool read_attrs(xla_reader *r, attr_vec *out)
{
    while (xla_take(r, ',')) {
        tsr_str name = xla_name(r);
        if (!name.len)
            return xla_error(r, r->p, "expected the name of an attribute");
        TSR_TRY(xla_expect(r, '=', "after the name of an attribute"));
        while (*r->p == ' ')
            r->p++;
        const char *start = r->p;
        TSR_TRY(xla_skip(r, ",\n"));
        const char *stop = r->p;
        while (stop > start && (stop[-1] == ' ' || stop[-1] == '\r'))
            stop--;
        if (stop == start)
            return xla_error(r, start, "attribute %.*s has no value", TSR_STR_ARG(name));
        if (out->n && tsr_str_is(name, "device_ids")) { /* mesh['a'=2], device_ids=([2]) {'a'} */
            tsr_str *mesh = &out->data[out->n - 1].value;
            mesh->len = (size_t)(stop - mesh->data);
            continue;
        }
        tsr_vec_push(out, (xla_attr){name, {start, (size_t)(stop - start)}});
    }
    return true;
}

static const xla_attr *keep_attrs(xla_reader *r, attr_vec *attrs, uint32_t *n)
{
    *n = (uint32_t)attrs->n;
    xla_attr *kept = tsr_arena_copy(&r->arena, attrs->data, attrs->n * sizeof(xla_attr));
    tsr_vec_free(attrs);
    return kept;
}

/* ---- Instructions ---- */

static xla_instr *find(const xla_comp *c, tsr_str name)
{
    TSR_MAP_EACH (&c->names, tsr_hash_str(name), v)
        if (tsr_str_eq(((xla_instr *)v)->name, name))
            return v;
    return NULL;
}

/* The name at the end of an operand, which its shape may precede. */
static tsr_str name_in(tsr_str operand)
{
    size_t n = operand.len, i;
    while (n && (operand.data[n - 1] == ' ' || operand.data[n - 1] == '\n'))
        n--;
    for (i = n; i && !memchr(" \n\t/", operand.data[i - 1], 4); i--)
        ;
    if (i < n && operand.data[i] == '%')
        i++;
    return (tsr_str){operand.data + i, n - i};
}

static bool read_operands(xla_reader *r, const xla_comp *c, xla_instr *i)
{
    TSR_VEC(xla_instr *) in = {0};
    xla_text t = xla_text_of(i->inside);
    tsr_str item;
    bool ok = true;
    while (ok && xla_text_item(&t, &item)) {
        tsr_str name = name_in(item);
        xla_instr *from = find(c, name);
        ok = from != NULL;
        if (ok)
            tsr_vec_push(&in, from);
        else
            xla_error(r, name.len ? name.data : item.data,
                      "'%.*s' is not defined before it is used here", TSR_STR_ARG(name));
    }
    i->nin = (uint32_t)in.n;
    i->in = tsr_arena_copy(&r->arena, in.data, in.n * sizeof(xla_instr *));
    tsr_vec_free(&in);
    return ok;
}

/* parameter(n): must be the only one of this number. */
static bool add_param(xla_reader *r, xla_comp *c, xla_instr *i)
{
    xla_text t = xla_text_of(i->inside);
    int64_t n;
    if (!xla_text_int(&t, &n) || n < 0 || n > 1 << 20)
        return xla_error(r, i->at, "expected the number of a parameter");
    while (c->params.n <= (size_t)n)
        tsr_vec_push(&c->params, NULL);
    if (c->params.data[n])
        return xla_error(r, i->at, "there are two parameters of number %lld", (long long)n);
    c->params.data[n] = i;
    return true;
}

static bool read_instr(xla_reader *r, xla_comp *c)
{
    xla_instr *i = TSR_NEW(&r->arena, xla_instr);
    attr_vec attrs = {0};
    xla_space(r);
    const char *start = r->p;
    bool root = xla_word(r, "ROOT");
    i->name = xla_name(r);
    if (!i->name.len)
        return xla_error(r, start,
                         r->p >= r->end ? "expected an instruction: the text ends here"
                                        : "expected an instruction");
    if (find(c, i->name))
        return xla_error(r, start, "there are two instructions named '%.*s'", TSR_STR_ARG(i->name));
    TSR_TRY(xla_expect(r, '=', "after the name of an instruction"));
    i->shape = xla_read_shape(r);
    if (!i->shape)
        return false;
    xla_space(r);
    i->at = r->p;
    i->opcode = xla_name(r);
    if (!i->opcode.len)
        return xla_error(r, r->p, "expected an opcode");
    TSR_TRY(xla_expect(r, '(', "before the operands"));
    const char *inside = r->p;
    TSR_TRY(xla_skip(r, ""));
    i->inside = (tsr_str){inside, (size_t)(r->p - inside)};
    TSR_TRY(xla_expect(r, ')', "after the operands"));
    bool ok = read_attrs(r, &attrs);
    i->attrs = keep_attrs(r, &attrs, &i->nattr);
    TSR_TRY(ok);
    bool leaf = tsr_str_is(i->opcode, "constant"), param = tsr_str_is(i->opcode, "parameter");
    TSR_TRY(param ? add_param(r, c, i) : leaf || read_operands(r, c, i));
    i->loc = xla_place(r, i, i->at);
    tsr_vec_push(&c->list, i);
    tsr_map_put(&c->names, tsr_hash_str(i->name), i);
    if (root && c->root)
        return xla_error(r, start, "a computation has one ROOT");
    c->root = root ? i : c->root;
    return true;
}

/* ---- Computations ---- */

/* ('(' names and shapes ')' '->' shape)?: the instructions say it again. */
static bool skip_signature(xla_reader *r)
{
    if (!xla_take(r, '('))
        return true;
    TSR_TRY(xla_skip(r, "") && xla_expect(r, ')', "after the parameters"));
    xla_space(r);
    if (r->p[0] != '-' || r->p[1] != '>')
        return xla_error(r, r->p, "expected '->' after the parameters");
    r->p += 2;
    return xla_read_shape(r) != NULL;
}

static bool read_comp(xla_reader *r)
{
    xla_comp *c = TSR_NEW(&r->arena, xla_comp);
    attr_vec attrs = {0};
    tsr_vec_push(&r->comps, c);
    xla_space(r);
    c->at = r->p;
    bool entry = xla_word(r, "ENTRY");
    c->name = xla_name(r);
    if (!c->name.len)
        return xla_error(r, r->p, "expected a computation");
    TSR_TRY(skip_signature(r) && xla_expect(r, '{', "before the instructions"));
    do
        TSR_TRY(read_instr(r, c));
    while (!xla_take(r, '}'));
    bool ok = read_attrs(r, &attrs);
    tsr_vec_free(&attrs);
    TSR_TRY(ok);
    for (size_t i = 0; i < c->params.n; i++)
        if (!c->params.data[i])
            return xla_error(r, c->at, "parameter %zu of '%.*s' is missing", i,
                             TSR_STR_ARG(c->name));
    if (!c->root)
        c->root = c->list.data[c->list.n - 1];
    if (entry && r->entry)
        return xla_error(r, c->at, "there are two ENTRY computations");
    if (entry)
        r->entry = c;
    TSR_MAP_EACH (&r->names, tsr_hash_str(c->name), v)
        if (tsr_str_eq(((xla_comp *)v)->name, c->name))
            return xla_error(r, c->at, "there are two computations named '%.*s'",
                             TSR_STR_ARG(c->name));
    tsr_map_put(&r->names, tsr_hash_str(c->name), c);
    return true;
}

bool xla_read_text(xla_reader *r)
{
    attr_vec attrs = {0};
    r->p += begin_of((tsr_str){r->p, (size_t)(r->end - r->p)}) + sizeof head - 1;
    if (!xla_name(r).len)
        return xla_error(r, r->p, "expected the name of the module");
    bool ok = read_attrs(r, &attrs);
    r->attrs = keep_attrs(r, &attrs, &r->nattr);
    TSR_TRY(ok && xla_read_tables(r));
    for (xla_space(r); r->p < r->end; xla_space(r))
        TSR_TRY(read_comp(r));
    if (!r->comps.n)
        return xla_error(r, r->p, "the module has no computation");
    if (!r->entry)
        r->entry = r->comps.data[r->comps.n - 1];
    return true;
}
