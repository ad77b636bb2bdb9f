/* SPDX-License-Identifier: Apache-2.0 */
/* ir.h - the IR in memory: types, attributes, locations, ops, blocks, regions, values, and the only functions that
 * change them.
 *
 * ir/ knows no specific op: an op points to its tsr_opdef, a row of some dialect's table. Types, attributes and names
 * are interned in the context: equal things have equal addresses. A module owns its ops in an arena; an erased op is
 * garbage until the module is cloned or freed. */
#ifndef TSR_IR_IR_H
#define TSR_IR_IR_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/bitset.h"
#include "base/float.h"
#include "base/list.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "tessera/build.h"

/* ---- Names ---- */

/* An interned string. */
typedef struct tsr_name {
    tsr_str str;
    uint64_t hash;
} tsr_name;

const tsr_name *tsr_name_get(tsr_ctx *ctx, tsr_str s);

/* ---- Locations ---- */

/* Where something was written: a packed file position (low bit set), a pointer to an interned TSR_ATTR_LOC, or 0 for
 * unknown. A packed position costs nothing to make: each op and token has one. */
typedef uint64_t tsr_loc;

#define TSR_LOC_UNKNOWN ((tsr_loc)0)

tsr_loc tsr_loc_file(tsr_ctx *ctx, const tsr_name *file, uint32_t line, uint32_t col);
/* The packed form; 0 when it does not fit. */
tsr_loc tsr_loc_pack(tsr_ctx *ctx, const tsr_name *file, uint32_t line, uint32_t col);
/* The same in one step, starting from a file's position 0:0 (tsr_loc_pack): each token of a text has a location. */
enum {
    TSR_LOC_LINE_BITS = 28,
    TSR_LOC_COL_BITS = 23,
    TSR_LOC_LINE_SHIFT = 13,
    TSR_LOC_COL_SHIFT = 41
};
static inline bool tsr_loc_packs(tsr_loc file, uint32_t line, uint32_t col)
{
    return file && !(line >> TSR_LOC_LINE_BITS) && !(col >> TSR_LOC_COL_BITS);
}
static inline tsr_loc tsr_loc_at(tsr_loc file, uint32_t line, uint32_t col)
{
    tsr_check(tsr_loc_packs(file, line, col) && file >> TSR_LOC_LINE_SHIFT == 0,
              "%u:%u does not fit into a location", line, col);
    return file | (tsr_loc)line << TSR_LOC_LINE_SHIFT | (tsr_loc)col << TSR_LOC_COL_SHIFT;
}
tsr_loc
tsr_loc_of_attr(tsr_attr *loc); /* from a TSR_ATTR_LOC; file positions and unknown become packed */
tsr_attr *tsr_loc_attr(tsr_ctx *ctx, tsr_loc loc); /* as an interned attribute */
/* The first file position inside; false when there is none. */
bool tsr_loc_position(tsr_ctx *ctx, tsr_loc loc, tsr_str *file, uint32_t *line, uint32_t *col);
tsr_loc tsr_value_loc(const tsr_value *v); /* of the op that defines it, or an argument's own */
/* Appends the position for people, "model.py:36:8". whole: with the folders of the file, for programs and errors. False:
 * it has none. */
bool tsr_loc_place(tsr_buf *out, tsr_ctx *ctx, tsr_loc loc, bool whole);
bool tsr_loc_at_place(tsr_buf *out, tsr_ctx *ctx, tsr_loc loc,
                      bool whole); /* " at model.py:36:8" */
/* Whether locations of the module say more than where its ops are in the text that the module itself was read from:
 * names, or places in other files. */
bool tsr_module_is_located(const tsr_module *m);
/* Appends the name of a location: of loc("a/b"), of the first part of a fused one that has a name, of a call site the
 * caller's and the callee's as one stack of names. False: it has none. */
bool tsr_loc_name(tsr_buf *out, tsr_loc loc);

/* ---- Types ---- */

/* A piece of an opaque attribute or type: raw text, or something that was an alias in the source. */
typedef struct {
    tsr_str text;
    tsr_attr *attr;
    tsr_type *type;
} tsr_part;

typedef struct tsr_asm tsr_asm;

/* A row of a dialect's attributes or types: its name, its parameters and its assembly (both directions). */
typedef struct tsr_attrdef {
    const char *name; /* "stablehlo.dot"; an enum's is "stablehlo.precision" */
    uint8_t nparam;
    const char *const
        *cases; /* of an enum: its spellings, NULL at the end; such an attribute has only a value */
    /* Reads or writes the text after the mnemonic, including '<' and '>'; params has nparam elements. */
    bool (*assembly)(tsr_asm *a, tsr_attr **params);
    uint32_t flags; /* TSR_DEF_* */
} tsr_attrdef;

enum {
    TSR_DEF_TYPE = 1,  /* a type, not an attribute */
    TSR_DEF_ANGLE = 2, /* written #dialect<mnemonic ...> instead of #dialect.mnemonic<...> */
    TSR_DEF_SPELLING =
        4, /* an alternative spelling of an attribute: its hook reads the attribute itself, into params[0] */
    TSR_DEF_OLDER =
        16, /* of an enum: after the NULL come pairs of an older spelling and its case, and another NULL */
    TSR_DEF_ALIAS =
        8, /* prints under an alias: the first word of its dialect's name (#sparse of sparse_tensor); of an
                            enum: under its case (#dram) */
    TSR_DEF_ALIAS_LAST =
        32, /* the same, under the last word of its name (#layout of metal_layout) */
    TSR_DEF_ALIAS_NAME = 64, /* the same, under its name (#system_desc) */
    TSR_DEF_LAYOUT = 128,    /* in a memref type it is the layout, not the memory space */
    TSR_DEF_GONE = 256, /* older: read, and replaced once the module is read (dialect/older.c) */
};

struct tsr_type {
    tsr_ctx *ctx;
    uint8_t kind; /* tsr_type_kind */
    uint8_t
        sub; /* tsr_signedness or tsr_float_kind; of a vector: 1 if some dimension is scalable */
    bool aliased;        /* may print through an alias inside, so its text is not cached */
    uint32_t width;      /* bits of an integer or a float */
    uint32_t n;          /* dimensions; tuple members; function inputs; params */
    uint32_t nout;       /* function results; parts of an opaque type */
    tsr_type *elem;      /* of shaped types and complex */
    const int64_t *dims; /* of shaped types; TSR_DYNAMIC for '?' */
    tsr_type **types;    /* tuple members; function inputs, then results */
    tsr_attr *
        attr; /* tensor encoding; memref layout; dense i1 array of scalable dimensions of a vector */
    tsr_attr *space;        /* memref memory space */
    const tsr_attrdef *def; /* TSR_TYPE_DIALECT */
    tsr_attr **params;      /* TSR_TYPE_DIALECT */
    const tsr_name *name;   /* TSR_TYPE_OPAQUE: its dialect */
    const tsr_part *parts;  /* TSR_TYPE_OPAQUE: what follows "!dialect." */
    tsr_str text;           /* printed form, once it has been requested */
};

tsr_type *tsr_type_integer(tsr_ctx *ctx, uint32_t width, tsr_signedness sign);
tsr_type *tsr_type_float(tsr_ctx *ctx, tsr_float_kind kind);
tsr_type *tsr_type_index(tsr_ctx *ctx);
tsr_type *tsr_type_none(tsr_ctx *ctx);
tsr_type *tsr_type_complex(tsr_ctx *ctx, tsr_type *elem);
tsr_type *tsr_type_tensor(tsr_ctx *ctx, const int64_t *dims, size_t n, tsr_type *elem,
                          tsr_attr *encoding);
tsr_type *tsr_type_unranked_tensor(tsr_ctx *ctx, tsr_type *elem);
tsr_type *tsr_type_vector(tsr_ctx *ctx, const int64_t *dims, size_t n, tsr_type *elem,
                          tsr_attr *scalable);
tsr_type *tsr_type_memref(tsr_ctx *ctx, const int64_t *dims, size_t n, tsr_type *elem,
                          tsr_attr *layout, tsr_attr *space);
tsr_type *tsr_type_unranked_memref(tsr_ctx *ctx, tsr_type *elem, tsr_attr *space);
tsr_type *tsr_type_tuple(tsr_ctx *ctx, tsr_type *const *types, size_t n);
tsr_type *tsr_type_function(tsr_ctx *ctx, tsr_type *const *in, size_t nin, tsr_type *const *out,
                            size_t nout);
tsr_type *tsr_type_dialect(tsr_ctx *ctx, const tsr_attrdef *def, tsr_attr *const *params);
tsr_type *tsr_type_opaque(tsr_ctx *ctx, const tsr_name *dialect, const tsr_part *parts,
                          size_t nparts);

static inline bool tsr_type_is(const tsr_type *t, tsr_type_kind kind)
{
    return t && t->kind == kind;
}
static inline bool tsr_type_is_integer(const tsr_type *t,
                                       uint32_t width) /* signless of this width */
{
    return t && t->kind == TSR_TYPE_INTEGER && t->width == width && t->sub == TSR_SIGNLESS;
}
static inline bool tsr_type_is_shaped(const tsr_type *t)
{
    return t && t->kind >= TSR_TYPE_VECTOR && t->kind <= TSR_TYPE_UNRANKED_MEMREF;
}
bool tsr_type_fits_tensor(const tsr_type *t); /* equal to its element type */
bool tsr_type_has_static_shape(const tsr_type *t);
/* Elements of a static shape; -1 when dynamic, unranked, not shaped, or more than fit in 62 bits. */
int64_t tsr_type_num_elements(const tsr_type *t);
/* Bits of one element in dense data as MLIR stores it: 8 for i1 and i4, 64 for index, twice the part for complex; 0 if
 * the type has no such form. */
uint32_t tsr_type_storage_bits(const tsr_type *elem);

/* ---- Attributes ---- */

/* What each kind has (tsr_attr_kind):
 *   INT            type; i, or bytes when wider than 64 bits
 *   FLOAT          type; i: the bit pattern
 *   STRING         s; type, usually NULL (none)
 *   ARRAY          attrs
 *   DICT           named, sorted by name
 *   TYPE           type
 *   SYMBOL         s: root; attrs: nested flat symbols
 *   DENSE          type; s: little-endian data of one element (splat) or all; complex: two parts each
 *   DENSE_STRING   type; attrs: strings, one or all
 *   DENSE_RESOURCE type; s: key
 *   SPARSE         type; attrs: indices, values (dense)
 *   DENSE_ARRAY    array<T: ...>: type is the element's; s: little-endian data
 *   AFFINE_MAP, INTEGER_SET  exprs
 *   STRIDED        strided<[..], offset: n>: ints: strides, then offset
 *   LOC            sub: tsr_loc_kind
 *   STRUCT         of a registered dialect: def, attrs: its params (NULL: not given)
 *   ENUM           of a registered dialect: def, i: index into its cases
 *   OPAQUE         of an unknown dialect: name, parts; also #d<"text">
 *   DISTINCT       distinct[i]<attrs[0]> */

typedef enum {
    TSR_LOC_KIND_UNKNOWN,
    TSR_LOC_KIND_FILE, /* s: file; ints: line, col, end line, end col (n of them: 2, 3 (end col only) or 4) */
    TSR_LOC_KIND_NAME,     /* s: name; attrs[0]: child or NULL */
    TSR_LOC_KIND_CALLSITE, /* attrs: callee, caller */
    TSR_LOC_KIND_FUSED, /* attrs: n locations; named metadata: type unused, meta in attrs[n] or NULL */
} tsr_loc_kind;

typedef struct {
    const tsr_name *name;
    tsr_attr *value;
} tsr_named;

/* An affine expression; interned, simplified as it is made. */
typedef enum {
    TSR_AFFINE_CONST,
    TSR_AFFINE_DIM,
    TSR_AFFINE_SYM,
    TSR_AFFINE_ADD,
    TSR_AFFINE_MUL,
    TSR_AFFINE_MOD,
    TSR_AFFINE_FLOORDIV,
    TSR_AFFINE_CEILDIV
} tsr_affine_kind;
typedef struct tsr_affine {
    tsr_affine_kind kind;
    int64_t value; /* constant, or number of the dimension or symbol */
    const struct tsr_affine *lhs, *rhs;
} tsr_affine;

struct tsr_attr {
    uint8_t kind; /* tsr_attr_kind */
    uint8_t sub;  /* tsr_loc_kind; DENSE: 1 for a splat (of more or fewer than one element too) */
    bool aliased; /* prints through an alias, or contains something that does */
    bool refers;  /* is a symbol, or contains one */
    uint32_t n;   /* elements of attrs, named, ints, parts; affine results */
    tsr_type *type;
    int64_t
        i; /* INT (sign-extended unless unsigned), FLOAT bits, ENUM; affine: dims << 32 | symbols */
    tsr_str s; /* interned text or raw data */
    union {
        tsr_attr **attrs;
        const tsr_named *named;
        const int64_t *ints;
        const tsr_part *parts;
        const tsr_affine **exprs; /* INTEGER_SET: constraint i is an equality when eqs[i] */
    };
    const bool *eqs;
    const tsr_attrdef *def;
    const tsr_name *name; /* OPAQUE: dialect */
};

tsr_attr *tsr_attr_unit(tsr_ctx *ctx);
tsr_attr *tsr_attr_int(tsr_ctx *ctx, tsr_type *type,
                       int64_t value); /* truncated to the type's width */
tsr_attr *tsr_attr_wide_int(tsr_ctx *ctx, tsr_type *type,
                            const uint8_t *bytes); /* any width; little endian, (width+7)/8 */
tsr_attr *tsr_attr_bool(tsr_ctx *ctx, bool value);
tsr_attr *tsr_attr_i64(tsr_ctx *ctx, int64_t value);
tsr_attr *tsr_attr_i32(tsr_ctx *ctx, int32_t value);
tsr_attr *tsr_attr_float_bits(tsr_ctx *ctx, tsr_type *type, uint64_t bits);
tsr_attr *tsr_attr_float(tsr_ctx *ctx, tsr_type *type, double value);
tsr_attr *tsr_attr_string(tsr_ctx *ctx, tsr_str s);
tsr_attr *tsr_attr_typed_string(tsr_ctx *ctx, tsr_str s, tsr_type *type);
tsr_attr *tsr_attr_array(tsr_ctx *ctx, tsr_attr *const *attrs, size_t n);
tsr_attr *tsr_attr_dict(tsr_ctx *ctx, const tsr_named *named,
                        size_t n); /* sorts; names are distinct */
tsr_attr *tsr_attr_type(tsr_ctx *ctx, tsr_type *type);
tsr_attr *tsr_attr_symbol(tsr_ctx *ctx, tsr_str root, tsr_attr *const *nested, size_t n);
/* Elements. data: one element if splat, else all. Data of more than TSR_DENSE_OWNED bytes belongs to module m (NULL: to
 * the context); smaller data always belongs to the context. */
enum { TSR_DENSE_OWNED = 4096 };
tsr_attr *tsr_attr_dense(tsr_ctx *ctx, tsr_module *m, tsr_type *type, const void *data,
                         size_t bytes, bool splat);
/* The same without copying large data: it must stay at its address, aligned for its elements, until the module is
 * freed. */
tsr_attr *tsr_attr_dense_borrowed(tsr_ctx *ctx, tsr_module *m, tsr_type *type, const void *data,
                                  size_t bytes, bool splat);
tsr_attr *tsr_attr_dense_string(tsr_ctx *ctx, tsr_type *type, tsr_attr *const *strings, size_t n);
tsr_attr *tsr_attr_dense_resource(tsr_ctx *ctx, tsr_type *type, tsr_str key);
tsr_attr *tsr_attr_sparse(tsr_ctx *ctx, tsr_type *type, tsr_attr *indices, tsr_attr *values);
tsr_attr *tsr_attr_dense_array(tsr_ctx *ctx, tsr_type *elem, const void *data, size_t n);
tsr_attr *tsr_attr_i64_array(tsr_ctx *ctx, const int64_t *values, size_t n); /* array<i64: ...> */
const tsr_affine *tsr_affine_get(tsr_ctx *ctx, tsr_affine_kind kind, int64_t value,
                                 const tsr_affine *lhs, const tsr_affine *rhs);
/* Whether an attribute is a map of rank dimensions to themselves. */
bool tsr_affine_map_is_identity(const tsr_attr *map, size_t rank);
tsr_attr *tsr_attr_affine_map(tsr_ctx *ctx, uint32_t dims, uint32_t syms,
                              const tsr_affine *const *results, size_t n);
tsr_attr *tsr_attr_integer_set(tsr_ctx *ctx, uint32_t dims, uint32_t syms,
                               const tsr_affine *const *exprs, const bool *eqs, size_t n);
tsr_attr *tsr_attr_strided(tsr_ctx *ctx, const int64_t *strides, size_t n, int64_t offset);
tsr_attr *tsr_attr_loc_unknown(tsr_ctx *ctx);
tsr_attr *tsr_attr_loc_file(tsr_ctx *ctx, tsr_str file, const int64_t *ints, size_t n);
tsr_attr *tsr_attr_loc_name(tsr_ctx *ctx, tsr_str name, tsr_attr *child);
tsr_attr *tsr_attr_loc_callsite(tsr_ctx *ctx, tsr_attr *callee, tsr_attr *caller);
tsr_attr *tsr_attr_loc_fused(tsr_ctx *ctx, tsr_attr *const *locs, size_t n, tsr_attr *meta);
tsr_attr *tsr_attr_struct(tsr_ctx *ctx, const tsr_attrdef *def, tsr_attr *const *params);
tsr_attr *tsr_attr_enum(tsr_ctx *ctx, const tsr_attrdef *def, int64_t value);
tsr_attr *tsr_attr_opaque(tsr_ctx *ctx, const tsr_name *dialect, const tsr_part *parts,
                          size_t nparts);
tsr_attr *tsr_attr_distinct(tsr_ctx *ctx, int64_t id, tsr_attr *value);

static inline bool tsr_attr_is(const tsr_attr *a, tsr_attr_kind kind)
{
    return a && a->kind == kind;
}
static inline bool tsr_attr_is_struct(const tsr_attr *a, const tsr_attrdef *def)
{
    return a && (a->kind == TSR_ATTR_STRUCT || a->kind == TSR_ATTR_ENUM) && a->def == def;
}
tsr_attr *tsr_dict_get(const tsr_attr *dict, tsr_str name); /* dict may be NULL */
/* The dictionary with name set, or removed if value is NULL; NULL if nothing is left. dict may be NULL. */
tsr_attr *tsr_dict_with(tsr_ctx *ctx, tsr_attr *dict, const tsr_name *name, tsr_attr *value);
/* Element i of array<i64: ...> or of dense i64 data (splats too). */
int64_t tsr_attr_int_at(const tsr_attr *a, size_t i);
/* How many elements a dense, dense array, array or dictionary attribute has. */
int64_t tsr_attr_count(const tsr_attr *a);

/* ---- Op definitions ---- */

typedef enum { TSR_ONE, TSR_OPTIONAL, TSR_VARIADIC } tsr_arity;

/* The form of an attribute of a row: how assembly reads and writes it, and which kind of attribute it must be. */
typedef enum {
    TSR_FORM_ANY,
    TSR_FORM_UNIT,
    TSR_FORM_BOOL, /* i1: true or false */
    TSR_FORM_I32,  /* written as a bare number, as the other integers are */
    TSR_FORM_I64,
    TSR_FORM_INT, /* an integer of any type, written with its type */
    TSR_FORM_F32,
    TSR_FORM_F64,
    TSR_FORM_FLOAT, /* of any type, written with it */
    TSR_FORM_STRING,
    TSR_FORM_SYMBOL,  /* @a, no nested references */
    TSR_FORM_SYMREF,  /* @a::@b */
    TSR_FORM_SYMNAME, /* a string that is written @a */
    TSR_FORM_TYPE,
    TSR_FORM_FUNCTION_TYPE,
    TSR_FORM_ARRAY,
    TSR_FORM_DICT,
    TSR_FORM_ELEMENTS, /* dense, dense_resource, sparse, dense strings */
    TSR_FORM_I1S,      /* array<i1: ...>, written [true, false] */
    TSR_FORM_I32S,     /* array<i32: ...>, written [1, 2] */
    TSR_FORM_I64S,     /* array<i64: ...>, written [1, 2] */
    TSR_FORM_ENUM,     /* of def: written as a bare keyword */
    TSR_FORM_STRUCT,   /* of def: written without its #dialect.name */
    TSR_FORM_AFFINE_MAP,
} tsr_form;

/* A constraint on operands, results or attributes: its summary in MLIR's words, and its test. */
typedef struct tsr_constraint {
    const char *id;         /* "HloTensor" */
    const char *summary;    /* "ranked tensor of ..." */
    tsr_form form;          /* of attributes */
    const tsr_attrdef *def; /* TSR_FORM_ENUM, TSR_FORM_STRUCT; of the items of a TSR_FORM_ARRAY */
    bool (*attr_ok)(const tsr_attr *a); /* beyond form; NULL: nothing else */
    bool (*type_ok)(const struct tsr_constraint *c,
                    const tsr_type *t); /* reads the three sets below; NULL: accepts anything */
    uint32_t alone, shapes, elems;      /* of types: bits of dialect/classes.h */
} tsr_constraint;

/* Whether an attribute has the constraint's form. */
bool tsr_attr_fits(const tsr_constraint *c, const tsr_attr *a);

typedef struct {
    const char *name;
    const tsr_constraint *constraint;
    tsr_arity arity;
} tsr_argdef; /* an operand, a result, a region, a successor */

/* FILLED: as DEFAULT, and set to its default when an op is created without it. */
typedef enum { TSR_ATTR_REQUIRED, TSR_ATTR_OPTIONAL, TSR_ATTR_DEFAULT, TSR_ATTR_FILLED } tsr_need;

typedef struct {
    const char *name;
    const tsr_constraint *constraint;
    tsr_need need;
    const char *value; /* TSR_ATTR_DEFAULT, TSR_ATTR_FILLED: the default as text */
} tsr_slotdef;

/* Traits: queried by engines instead of an op's name. dialect/traits.def lists them, one bit each. */
enum {
#define TRAIT(id, bit, doc) TSR_T_##id = (bit),
#include "ir/traits.def"
    TSR_TRAIT__LAST
};
typedef tsr_uwide tsr_traits; /* so that testing a trait reads one machine word */
#define TSR_TRAIT(id) ((tsr_traits)1 << TSR_T_##id)

typedef struct tsr_opdef tsr_opdef;
typedef TSR_VEC(tsr_type *) tsr_type_vec;
typedef TSR_VEC(tsr_value *) tsr_value_vec;

/* How a dialect compares types that need not be equal. */
typedef enum {
    TSR_AGREE_ELEMENT, /* element types only */
    TSR_AGREE_TYPE,
    TSR_AGREE_STORED, /* of constants: a type, and one whose elements are stored in the same way */
} tsr_agreement;

/* Whether an op may run where it would not run as written: outside of a branch, before a loop. */
typedef enum {
    TSR_SPECULATE_NO,
    TSR_SPECULATE_YES,
    TSR_SPECULATE_RECURSIVE, /* if all ops in its regions may */
} tsr_speculation;

/* Which canonicalization patterns are enabled, by name: those in on (empty: all) that are not in off. */
typedef struct {
    TSR_VEC(tsr_str) on, off;
} tsr_patterns;
bool tsr_pattern_on(const tsr_patterns *p, const char *name);

/* Names results and the arguments of regions' entry blocks for printing. */
typedef struct tsr_namer tsr_namer;

struct tsr_opdef {
    tsr_str name;      /* "stablehlo.add" */
    uint16_t opcode;   /* of dialect/opcode.h; TSR_UNREGISTERED when made on the fly */
    uint8_t dialect;   /* its number, of dialect/opcode.h; 0: not registered */
    tsr_traits traits; /* TSR_TRAIT(...) bits */
    const tsr_argdef *args, *results, *regions, *succs;
    const tsr_slotdef *slots;
    uint16_t narg, nresult, nregion, nsucc, nslot;
    bool single_args, single_results;        /* every group has one value: value i is group i */
    const char *format;                      /* regular assembly; NULL: generic form or the hook */
    bool (*assembly)(tsr_asm *a);            /* irregular assembly */
    void (*names)(tsr_namer *n, tsr_op *op); /* NULL: the default */
    const char *parents;                     /* HasParent: names separated by spaces; NULL: any */
    const char *alike; /* "element type: lhs rhs; rank: ...": what must be equal; NULL: nothing */
    const char *implicit; /* name of the terminator to create if a block has none; NULL: none */
    /* Appends the result types that follow from the op's operands, attributes and regions, regardless of its current
     * results (a builder calls it before there are any). False after a diagnostic at the op's location. */
    bool (*infer)(const tsr_op *op, tsr_type_vec *out);
    /* Appends, per result, a 1-d tensor of its dimensions (index, or the integers of the op's shape operands), computed
     * by ops inserted before at. False if it cannot, perhaps after a diagnostic; it may leave unused ops behind. */
    bool (*reify)(tsr_op *op, tsr_op *at, tsr_value_vec *out);
    tsr_speculation (*speculate)(
        const tsr_op *op);      /* NULL: the traits decide; see tsr_op_speculatable */
    bool (*verify)(tsr_op *op); /* the op's own rules; diagnostics emitted on false */
    bool (*agree)(tsr_agreement how, const tsr_type *a,
                  const tsr_type *b); /* NULL: equal types only */
    bool (*verify_uses)(
        tsr_op *op); /* rules about symbols; run when all ops of the symbol table are valid */
    bool (*fold)(tsr_op *op,
                 tsr_value **out); /* canonicalize: replaces each result by an existing value */
    /* canonicalize: rewrites the op and its surroundings; ops, including this one, may be erased. False: nothing was
     * changed. */
    bool (*canon)(tsr_op *op, const tsr_patterns *on);
    /* The value of a CONSTANT_LIKE op without an attribute "value"; NULL if its type has no dense form. */
    tsr_attr *(*constant)(const tsr_op *op);
};

enum { TSR_UNREGISTERED = 0xFFFF };

/* The definition for a name: the registered one, or one created for it. */
const tsr_opdef *tsr_opdef_get(tsr_ctx *ctx, tsr_str name);
/* The registered one only; NULL when there is none. */
const tsr_opdef *tsr_opdef_find(tsr_ctx *ctx, tsr_str name);
const tsr_attrdef *tsr_attrdef_find(tsr_ctx *ctx, tsr_str name, bool is_type);
/* Whether a dialect such as "stablehlo" is registered. */
bool tsr_dialect_known(tsr_ctx *ctx, tsr_str dialect);
/* Its number: 1 for the first one registered; 0: unknown. */
uint8_t tsr_dialect_number(const tsr_ctx *ctx, tsr_str dialect);
/* Whether it was registered as open: ops without a row pass through, as ops of unknown dialects may. */
bool tsr_dialect_open(tsr_ctx *ctx, tsr_str dialect);

/* Registration. Tables are static, or live in the context's arena. */
void tsr_ctx_register_dialect(tsr_ctx *ctx, const char *name, bool open);
/* Makes a dialect unregistered, before anything of it is used: for a tool that does not know it. */
void tsr_ctx_forget_dialect(tsr_ctx *ctx, const char *name);
void tsr_ctx_register_attrdef(tsr_ctx *ctx, const tsr_attrdef *def);
void tsr_ctx_register_ops(tsr_ctx *ctx, const tsr_opdef *defs,
                          size_t n); /* ordered by opcode; also ctx->rows */

/* Where a discardable attribute is attached. */
typedef enum { TSR_SITE_OP, TSR_SITE_ARG, TSR_SITE_RESULT } tsr_attr_site;

/* ---- Context ---- */

/* Cached results of changes to dictionaries: passes make the same change to many ops. */
typedef struct {
    tsr_attr *dict;
    const tsr_name *name;
    tsr_attr *value, *result;
} tsr_dict_change;

struct tsr_ctx {
    tsr_arena arena;
    tsr_pool pool; /* chunks of freed modules, readers and printers */
    tsr_map names, types, attrs, affines;
    tsr_map opdefs;   /* by name; registered ones and those created for unregistered names */
    tsr_map attrdefs; /* by name */
    TSR_VEC(tsr_str) dialects;       /* registered ones */
    TSR_VEC(tsr_str) open;           /* those of them that are open */
    TSR_VEC(tsr_str) forgotten;      /* dialects whose rows are ignored */
    const tsr_opdef *rows;           /* the registered definitions, by opcode */
    TSR_VEC(const tsr_name *) files; /* of packed locations */
    tsr_diag_fn *on_diag;
    void *diag_user;
    uint32_t nerror; /* errors emitted so far */
    bool allow_unregistered;
    bool as_peer;     /* rejects what the reference tools reject, though it has a meaning here */
    bool has_aliased; /* something that prints through an alias was interned (locations excepted) */
    bool quiet;       /* diagnostics are counted, not delivered */
    bool shows_ops;   /* errors at ops are followed by a note with the op */
    uint32_t said;    /* warnings that are given once: a bit each, TSR_SAID_* */
    uint32_t
        nslice; /* composites of slices made so far: a reference tool numbers them across modules */
    /* The text being parsed, so that diagnostics can show a line; set by text/. */
    const tsr_name *source_file;
    tsr_str source;
    uint32_t
        source_line; /* number of source's first line, if it is a piece of the file; 0 means 1 */
    /* How diagnostics show things; set by asm/ and text/, which are above ir/. NULL: not shown. */
    void (*print_type)(tsr_buf *out, const tsr_type *type);
    void (*print_attr)(tsr_ctx *ctx, tsr_buf *out, const tsr_attr *attr);
    void (*print_op)(tsr_buf *out, const tsr_op *op);
    void (*print_loc)(tsr_ctx *ctx, tsr_buf *out,
                      tsr_loc loc); /* without loc(); never called for packed ones */
    /* Rules of dialects for discardable attributes with their prefix; set by dialect/. NULL: none. index counts
     * arguments or results of a function. */
    bool (*verify_attr)(tsr_op *op, tsr_attr_site site, uint32_t index, const tsr_named *attr);
    /* Rules of an encoding for its tensor type, given here without it; emits at loc. Set by dialect/. NULL: none. */
    bool (*verify_encoding)(tsr_loc loc, const tsr_type *tensor, const tsr_attr *encoding);
    tsr_dict_change dict_changes[64]; /* the latest, by hash */
    const tsr_name *last_name;        /* once requested; NULL: none yet */
    struct tsr_symcache *symcache;    /* of the current module; NULL: linear search */
    /* Frequently used. */
    tsr_type *i1, *i32, *i64, *index, *none;
    const void *formats; /* asm/'s compiled formats, one per opdef in use (free_formats) */
    void (*free_formats)(tsr_ctx *ctx);
    void (*keep_formats)(const tsr_ctx *ctx); /* tsr_ctx_keep's part of them */
    /* State of the public calls: limits of each, whether to cancel, and the error of the last call that failed. */
    tsr_budget budget;
    atomic_bool cancelled;
    tsr_status last_error;
    bool has_error; /* last_error is of the running call */
};

enum {
    TSR_SAID_UNKNOWN_OP = 1,
    TSR_SAID_UNKNOWN_TARGET = 2,
    TSR_SAID_MANY_CALLS = 4
}; /* shard/rule/rules.c, named.c */

/* A context without dialects; api/ makes the public one. */
tsr_ctx *tsr_ctx_new_empty(void);

/* ---- Diagnostics ---- */

void tsr_emit(tsr_ctx *ctx, tsr_severity severity, tsr_loc loc, const char *fmt, ...)
    TSR_PRINTF(4, 5);
void tsr_vemit(tsr_ctx *ctx, tsr_severity severity, tsr_loc loc, const char *fmt, va_list args);
/* Emits an error; always returns false, for use in return statements. */
bool tsr_error(tsr_ctx *ctx, tsr_loc loc, const char *fmt, ...) TSR_PRINTF(3, 4);
/* The same at byte `at` of a text that is no file, such as a flag's value; name: what the text is. */
bool tsr_error_in(tsr_ctx *ctx, const char *name, tsr_str text, size_t at, const char *fmt, ...)
    TSR_PRINTF(5, 6);
bool tsr_verror_in(tsr_ctx *ctx, const tsr_name *name, tsr_str text, size_t at, const char *fmt,
                   va_list args);
/* "'name' op " + message at the op's location; always returns false. */
bool tsr_op_error(const tsr_op *op, const char *fmt, ...) TSR_PRINTF(2, 3);
void tsr_note(tsr_ctx *ctx, tsr_loc loc, const char *fmt, ...) TSR_PRINTF(3, 4);
/* Why a call was stopped: an error that is always reported, and allocates nothing. */
void tsr_emit_stop(tsr_ctx *ctx, tsr_loc loc, const tsr_status *why);
/* A failure that is a status and not a diagnostic: becomes the call's error if there is no other. */
void tsr_keep_error(tsr_ctx *ctx, const tsr_status *status);

/* ---- Ops, blocks, regions, values ---- */

typedef struct tsr_use {
    tsr_value *value;
    tsr_op *user;
    struct tsr_use *next, **prev; /* in the value's use list; prev: the pointer to this */
} tsr_use;

struct tsr_value {
    tsr_type *type;
    tsr_use *uses; /* newest first */
    union {
        tsr_op *op;       /* !is_arg: the op that defines it */
        tsr_block *block; /* is_arg: its block */
    };
    uint32_t id;         /* dense in the module */
    uint32_t index : 31; /* result or argument number */
    uint32_t is_arg : 1;
};

struct tsr_op {
    const tsr_opdef *def;
    uint32_t id; /* dense in the module: key of side tables */
    uint32_t nin, cap_in;
    uint16_t nregion, nsucc;
    uint32_t nout;
    tsr_loc loc;
    tsr_block *block;
    tsr_op *prev, *next; /* program order within the block */
    tsr_use *in;
    tsr_value *out;
    tsr_attr **attrs; /* inherent: def->nslot of them; an unregistered op has one: its properties */
    tsr_attr *extra;  /* discardable: a dictionary, or NULL */
    tsr_region *regions;
    tsr_block **succ;  /* successors; their operands are in in[], after the op's own: see nsuccin */
    uint32_t *nsuccin; /* how many of the last operands go to each successor */
    tsr_module *module;
};

struct tsr_block {
    tsr_region *region;
    tsr_block *prev, *next;
    tsr_op *first, *last;
    tsr_value **args; /* arguments keep their addresses when others are added or erased */
    tsr_loc *arg_locs;
    uint32_t nargs, cap_args;
    uint32_t id;    /* dense in the module */
    uint32_t order; /* scratch for code that numbers blocks */
};

struct tsr_region {
    tsr_op *op;
    tsr_block *first, *last;
};

/* Blobs of {-# dialect_resources #-}, and aliases of opaque things: contents of the text besides the ops. */
typedef struct {
    const tsr_name *dialect, *key;
    uint32_t align;
    tsr_str data;  /* without the alignment header */
    bool external; /* external_resources: value is text */
    tsr_attr *value;
} tsr_resource;

typedef struct {
    const tsr_name *name; /* without '#' or '!' */
    tsr_attr *attr;
    tsr_type *type;
} tsr_alias;

struct tsr_module {
    tsr_ctx *ctx;
    tsr_arena arena;
    tsr_op *op;    /* builtin.module */
    bool verified; /* unchanged since the whole module was verified */
    bool broken;   /* a call that was changing it was stopped: it can only be freed */
    uint32_t nop, nvalue, nblock; /* ids given so far */
    uint32_t ntable;              /* symbol tables ever created */
    uint64_t made[8];             /* ops ever created: a bit each, shared by several opcodes */
    tsr_map dense;                /* large dense data */
    TSR_VEC(tsr_resource) resources;
    TSR_VEC(tsr_alias) aliases; /* of opaque attributes and types, as named in the source */
    /* Memory that holds borrowed data, such as a mapped file; released with the module. */
    void *held;
    size_t nheld;
    void (*release)(void *held, size_t n);
};

tsr_module *tsr_module_new(tsr_ctx *ctx); /* op is NULL until it is set */
tsr_module *tsr_module_copy(tsr_module *m);
/* The same without copying large data: m must outlive the copy. */
tsr_module *tsr_module_copy_borrowed(tsr_module *m);
/* Makes m again what it was when the copy was made: m's ops but its own become erased ones. */
void tsr_module_restore(tsr_module *m, tsr_module *copy);
/* Memory that survives when a stop ends a call (base/scope.h). */
void tsr_ctx_keep(const tsr_ctx *ctx);
void tsr_module_keep(const tsr_module *m);
/* Whether the module may contain such an op; false is certain, and saves a walk. */
static inline bool tsr_module_may_have(const tsr_module *m, uint16_t opcode)
{
    return m->made[opcode / 64 % TSR_COUNT(m->made)] >> opcode % 64 & 1;
}
/* Gives ops, values and blocks dense ids again, in program order, after big changes. */
void tsr_module_renumber(tsr_module *m);

/* ---- resource.c: builtin blobs by key; the caller owns the map (tsr_map_free), valid until resources are added
 * ---- */
void tsr_blobs_init(tsr_map *blobs, const tsr_module *m);
const tsr_resource *tsr_blob_find(const tsr_map *blobs, tsr_str key); /* NULL if there is none */
/* The elements of a dense_resource attribute, as a dense attribute that is not interned. NULL with an error message if
 * its blob is invalid. */
const char *tsr_blob_elements(const tsr_map *blobs, const tsr_attr *a, tsr_attr *out);

/* A new op, not in any block. operands may be NULL if nin is 0, and so on. Attribute slots are NULL, regions empty. */
tsr_op *tsr_op_new(tsr_module *m, const tsr_opdef *def, tsr_loc loc, tsr_value *const *in,
                   size_t nin, tsr_type *const *types, size_t nout, size_t nregion, size_t nsucc);
/* Gives results to an op that has none. */
void tsr_op_add_results(tsr_op *op, tsr_type *const *types, size_t n);
/* Adds op's operands and the types of its results. */
void tsr_op_values(const tsr_op *op, tsr_value_vec *in, tsr_type_vec *types);
/* A new op of this row with op's location, operands and result types; no attributes, not in any block. */
tsr_op *tsr_op_like(const tsr_op *op, const tsr_opdef *def);
/* Turns it into an op of another row; its slots are unchanged. */
void tsr_op_become(tsr_op *op, const tsr_opdef *def);
/* Aborts unless use lists, parent links and lists inside root are consistent (invariants.c). */
void tsr_op_check_invariants(tsr_op *root);
/* Aborts unless each type and attribute of the context is what its constructor returns: unique, and unchanged since it
 * was interned. */
void tsr_ctx_check_invariants(tsr_ctx *ctx);
bool tsr_attr_is_interned(const tsr_ctx *ctx, const tsr_attr *a); /* and the only equal one */
void tsr_op_insert(tsr_op *op, tsr_block *block, tsr_op *before); /* before == NULL appends */
void tsr_op_remove(tsr_op *op); /* removed from its block; still alive */
void tsr_op_erase(tsr_op *op);  /* with its regions; results must be unused */
/* Inserts made, which is in no block, in place of op, which is erased; the first results of made replace those of
 * op. */
void tsr_op_replace(tsr_op *op, tsr_op *made);
void tsr_op_move_before(tsr_op *op, tsr_op *at);
void tsr_op_set_operand(tsr_op *op, size_t i, tsr_value *v);
void tsr_op_set_operands(tsr_op *op, tsr_value *const *in, size_t n);
void tsr_op_erase_operand(tsr_op *op, size_t i);
/* Sets successor i and the operands that go to it (block arguments of the successor). */
void tsr_op_set_successor(tsr_op *op, size_t i, tsr_block *block);
/* Mapping of a clone: value to value, and block to block. Starts with what the caller adds. */
typedef struct {
    tsr_map values, blocks;
    bool borrow; /* a copy in another module leaves large data where it is */
} tsr_mapping;
void tsr_mapping_put(tsr_mapping *map, const void *from, void *to); /* values */
tsr_value *tsr_mapping_get(const tsr_mapping *map,
                           tsr_value *from); /* the value itself if it is not mapped */
void tsr_mapping_free(tsr_mapping *map);
/* A deep copy into m, whose context is the same, not in any block; operands go through the mapping. */
tsr_op *tsr_op_clone(tsr_module *m, tsr_op *op, tsr_mapping *map);

void tsr_value_replace(tsr_value *from, tsr_value *to); /* all uses */
void tsr_value_replace_if(tsr_value *from, tsr_value *to, bool (*keep)(void *user, tsr_use *use),
                          void *user);

tsr_block *tsr_block_new(tsr_module *m);
void tsr_block_insert(tsr_block *block, tsr_region *region, tsr_block *before);
void tsr_block_remove(tsr_block *block);
void tsr_block_erase(tsr_block *block); /* with its ops, last first */
tsr_value *tsr_block_add_arg(tsr_module *m, tsr_block *block, tsr_type *type, tsr_loc loc);
void tsr_block_erase_arg(tsr_block *block, size_t i);          /* unused */
void tsr_block_erase_args(tsr_block *block, const bool *gone); /* those that are marked */
/* Moves all blocks of from to the end of to. */
void tsr_region_take(tsr_region *to, tsr_region *from);
/* Moves the ops of from, terminator included, to before at (NULL: the end) of block to. */
void tsr_block_splice(tsr_block *to, tsr_op *at, tsr_block *from);

/* ---- Queries ---- */

static inline tsr_str tsr_opdef_dialect(const tsr_opdef *def) /* the part before the first '.' */
{
    const char *dot = memchr(def->name.data, '.', def->name.len);
    return (tsr_str){def->name.data, dot ? (size_t)(dot - def->name.data) : 0};
}
/* Whether op belongs to the dialect with this number (TSR_DIALECT_...). */
static inline bool tsr_op_in(const tsr_op *op, uint8_t dialect)
{
    return op->def->dialect == dialect;
}
/* Whether two ops belong to the same dialect, registered or not. */
static inline bool tsr_same_dialect(const tsr_opdef *a, const tsr_opdef *b)
{
    return a->dialect == b->dialect &&
           (a->dialect || tsr_str_eq(tsr_opdef_dialect(a), tsr_opdef_dialect(b)));
}
static inline bool tsr_op_has(const tsr_op *op, tsr_traits trait)
{
    return (op->def->traits & trait) != 0;
}
static inline bool tsr_op_is(const tsr_op *op, uint16_t opcode)
{
    return op->def->opcode == opcode;
}
static inline bool tsr_op_used(const tsr_op *op)
{
    for (uint32_t i = 0; i < op->nout; i++)
        if (op->out[i].uses)
            return true;
    return false;
}
static inline tsr_attr *tsr_attr_of(const tsr_op *op, int slot)
{
    tsr_check(slot >= 0 && slot < op->def->nslot, "'%.*s': slot %d of %u",
              TSR_STR_ARG(op->def->name), slot, op->def->nslot);
    return op->attrs[slot];
}
static inline tsr_op *tsr_block_parent(const tsr_block *b)
{
    return b && b->region ? b->region->op : NULL;
}
void tsr_op_set_attr(tsr_op *op, tsr_str name,
                     tsr_attr *value); /* inherent or discardable; NULL removes it */
/* The number of the inherent slot of this name; -1 if there is none. */
int tsr_opdef_slot(const tsr_opdef *def, tsr_str name);
/* All attributes, inherent and discardable, sorted by name, into a vector that the caller frees. */
typedef TSR_VEC(tsr_named) tsr_named_vec;
void tsr_op_all_attrs(const tsr_op *op, tsr_named_vec *out);
/* Where the operands (results) of declared group i start, and how many there are. False if the op's shape does not
 * match its row (unregistered ops have no groups). */
bool tsr_op_operand_group(const tsr_op *op, size_t i, uint32_t *start, uint32_t *n);
bool tsr_op_result_group(const tsr_op *op, size_t i, uint32_t *start, uint32_t *n);
static inline uint32_t tsr_op_own_operands(const tsr_op *op) /* without those of successors */
{
    uint32_t n = op->nin;
    for (uint32_t i = 0; i < op->nsucc; i++)
        n -= op->nsuccin[i];
    tsr_check(n <= op->nin, "'%.*s': successors take more operands than there are",
              TSR_STR_ARG(op->def->name));
    return n;
}
/* Whether the op itself may be speculated, by its row and its types (speculate.c); for a verified op. No if the row
 * does not say. */
tsr_speculation tsr_op_speculation(const tsr_op *op);
/* The same for op and everything inside it. */
bool tsr_op_speculatable(const tsr_op *op);
/* Whether a value is known: the result of a constant. */
static inline bool tsr_value_is_constant(const tsr_value *v)
{
    return !v->is_arg && (v->op->def->traits & TSR_TRAIT(CONSTANT_LIKE)) != 0;
}
bool tsr_op_is_ancestor(const tsr_op *ancestor, const tsr_op *op); /* op itself counts */
bool tsr_op_before(const tsr_op *a, const tsr_op *b);              /* in one block */

/* ---- Walking ---- */

/* Ops are mostly in memory in program order, each with its results and operands: about 300 bytes. A walk through a module
 * that is larger than the caches would wait for each op, since only the op before knows its address: so what lies three
 * ops ahead is requested. */
static inline void tsr_op_prefetch(const tsr_op *op, int distance)
{
    uintptr_t at = (uintptr_t)op + (uintptr_t)distance;
    TSR_PREFETCH(at);
    TSR_PREFETCH(at + 64);
    TSR_PREFETCH(at + 128);
    TSR_PREFETCH(at + 192);
    TSR_PREFETCH(at + 256);
}
enum { TSR_OP_AHEAD = 1024 };
static inline tsr_op *tsr_op_onward(const tsr_op *op) /* in its block */
{
    if (op->next)
        tsr_op_prefetch(op->next, TSR_OP_AHEAD);
    return op->next;
}

/* The next op in program order, parents first, within root; NULL at the end. Ops that the walk has passed may change
 * freely. */
tsr_op *tsr_walk_on(tsr_op *root, tsr_op *op);
tsr_op *tsr_walk_past(tsr_op *root, tsr_op *op); /* the same, skipping what is inside op */
static inline tsr_op *tsr_walk_next(tsr_op *root, tsr_op *op)
{
    return !op->nregion && op != root && op->next ? tsr_op_onward(op) : tsr_walk_on(root, op);
}
#define TSR_OPS(root, op) for (tsr_op *op = (root); op; op = tsr_walk_next((root), op))
/* All ops inside root (root excluded), children before parents, last first; the current op may be erased. */
#define TSR_OPS_REVERSE(root, op)                        \
    for (tsr_op *op = tsr_walk_last(root), *op##_before; \
         op && (op##_before = tsr_walk_prev((root), op), true); op = op##_before)
tsr_op *tsr_walk_last(tsr_op *root);
tsr_op *tsr_walk_prev(tsr_op *root, tsr_op *op);

#define TSR_BLOCK_OPS(block, op) for (tsr_op *op = (block)->first; op; op = tsr_op_onward(op))
#define TSR_REGION_BLOCKS(region, b) for (tsr_block *b = (region)->first; b; b = b->next)

/* ---- Symbols ---- */

/* The symbol's name: attribute sym_name; empty when the op has none. */
tsr_str tsr_op_symbol(const tsr_op *op);
/* The op of this name directly inside the symbol table op; NULL if there is none. Linear unless a tsr_symcache is
 * active, as it is while passes run. */
tsr_op *tsr_symbol_find(const tsr_op *table, tsr_str name);
/* Resolves @a::@b from op's nearest symbol table outward. */
tsr_op *tsr_symbol_resolve(const tsr_op *from, const tsr_attr *symbol);
tsr_op *
tsr_symbol_table_of(const tsr_op *op); /* the nearest enclosing symbol table, op itself excluded */

/* Symbols of one table by name. */
typedef struct {
    tsr_op *op;
    tsr_map map;
} tsr_symtab;
void tsr_symtab_init(tsr_symtab *t, tsr_op *table);
void tsr_symtab_free(tsr_symtab *t);
tsr_op *tsr_symtab_find(const tsr_symtab *t, tsr_str name);
/* From start to stop, tsr_symbol_find caches the names of each table of the module that it searches. The cache stays
 * correct when ops are inserted, erased, moved or renamed through the functions of ir.h. May be nested. */
typedef struct tsr_symcache {
    tsr_module *module;
    struct tsr_symcache *outer;
    tsr_map tables;
    bool verifying; /* nothing changes */
    const void *fine
        [64]
        [3]; /* references that a verifier recently found valid, and in which table: the same ones recur */
} tsr_symcache;
void tsr_symcache_start(tsr_module *m, tsr_symcache *c);
void tsr_symcache_stop(tsr_symcache *c);
/* Called by ir.h: op was inserted or renamed; block was inserted into its region. */
void tsr_symcache_saw(tsr_op *op);
void tsr_symcache_saw_block(tsr_block *block);
/* Calls fn for every symbol reference in op's attributes (including nested ones); stops when it returns false. */
bool tsr_op_symbol_refs(const tsr_op *op, bool (*fn)(void *user, const tsr_attr *symbol),
                        void *user);
bool tsr_attr_symbol_refs(const tsr_attr *a, bool (*fn)(void *user, const tsr_attr *symbol),
                          void *user);

/* ---- Structural verification (verify.c) ---- */

/* SSA dominance, symbols, terminators, block signatures, declared arity, required attributes, then each op's own rules.
 * Stops at the first bad op, as MLIR does. */
bool tsr_verify(tsr_op *op);
/* The same, but continues: every bad op is reported. Returns how many there are. Rules that depend on others
 * (inference, symbols) are checked only where those hold. */
uint32_t tsr_verify_all(tsr_op *op);
/* Whether the op has the shape its row declares: numbers of operands, results, regions and successors, and required
 * attributes of the declared form. The printer checks this before it uses an op's custom form. */
bool tsr_op_fits_row(const tsr_op *op);
/* The same for everything except its results, which it may not have yet, with diagnostics. */
bool tsr_op_fits_inputs(const tsr_op *op);
/* The first inherent attribute, by name, that violates its slot's constraint; NULL if none does. skip: slots that are
 * not checked, one bit each. */
const tsr_slotdef *tsr_bad_attr(const tsr_opdef *def, tsr_attr *const *attrs, uint64_t skip);

/* ---- Dominance (dominance.c) ---- */
typedef struct tsr_dominance tsr_dominance;
/* Immediate dominators of the blocks of every region of root with more than one block; in scratch memory. */
tsr_dominance *tsr_dominance_new(tsr_arena *scratch, tsr_op *root);
/* Whether v is available at op (properly: an op does not dominate itself). */
bool tsr_dominates(const tsr_dominance *d, const tsr_value *v, const tsr_op *op);
/* The immediate dominator of a block in a region with several blocks; NULL for the entry and for unreachable blocks. */
tsr_block *tsr_dominance_idom(const tsr_dominance *d, const tsr_block *b);

#endif
