/* SPDX-License-Identifier: Apache-2.0 */
/* build.h - builds graphs from C: creates, edits and inspects types, attributes, locations, ops and functions.
 *
 * Calls name things as the text of a program does. An op is checked when it is created: its operands must belong to the
 * module, attributes and types must fit the op's row, and the op's own rules must hold. Result types are inferred from
 * operands and attributes where the row has a rule for them.
 *
 * Handles live as long as their module or context. The handle of an erased op may still be queried, but not used in
 * any other way. A call that fails returns NULL or false, after a diagnostic and a status, and leaves the module as
 * it was. */
#ifndef TESSERA_BUILD_H
#define TESSERA_BUILD_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types ---- */

typedef enum {
    TSR_TYPE_INTEGER,
    TSR_TYPE_FLOAT,
    TSR_TYPE_INDEX,
    TSR_TYPE_NONE,
    TSR_TYPE_COMPLEX,
    TSR_TYPE_VECTOR,
    TSR_TYPE_TENSOR,
    TSR_TYPE_UNRANKED_TENSOR,
    TSR_TYPE_MEMREF,
    TSR_TYPE_UNRANKED_MEMREF,
    TSR_TYPE_TUPLE,
    TSR_TYPE_FUNCTION,
    TSR_TYPE_DIALECT, /* of a registered dialect */
    TSR_TYPE_OPAQUE,  /* of an unknown dialect: its text */
} tsr_type_kind;

typedef enum { TSR_SIGNLESS, TSR_SIGNED, TSR_UNSIGNED } tsr_signedness;

/* Types without a call of their own are made by tsr_type_parse: "f32", "index", "!quant.uniform<i8:f32, 0.5>". */
TSR_API tsr_type *tsr_create_integer_type(tsr_ctx *ctx, uint32_t width, tsr_signedness sign,
                                          tsr_status *status);
/* element: a float type. */
TSR_API tsr_type *tsr_create_complex_type(tsr_type *element, tsr_status *status);
/* dims: TSR_DYNAMIC for a dimension that is not known. encoding may be NULL. */
TSR_API tsr_type *tsr_create_tensor_type(tsr_type *element, const int64_t *dims, size_t rank,
                                         tsr_attr *encoding, tsr_status *status);
/* A tuple of n types. */
TSR_API tsr_type *tsr_create_tuple_type(tsr_ctx *ctx, tsr_type *const *members, size_t n,
                                        tsr_status *status);
/* A function's type: ninput inputs and noutput outputs. */
TSR_API tsr_type *tsr_create_function_type(tsr_ctx *ctx, tsr_type *const *inputs, size_t ninput,
                                           tsr_type *const *outputs, size_t noutput,
                                           tsr_status *status);

/* TSR_TYPE_NONE for NULL. */
TSR_API tsr_type_kind tsr_type_kind_of(const tsr_type *t);
/* Bits of an integer or a float; 0 for other types. */
TSR_API uint32_t tsr_type_width(const tsr_type *t);
/* Of an integer; TSR_SIGNLESS for other types. */
TSR_API tsr_signedness tsr_type_sign(const tsr_type *t);
/* The encoding of a tensor; NULL when it has none. */
TSR_API tsr_attr *tsr_type_encoding(const tsr_type *t);
/* How many members a tuple has; a function: inputs and then outputs. */
TSR_API size_t tsr_type_num_members(const tsr_type *t);
/* How many of a function's members are inputs. */
TSR_API size_t tsr_type_num_inputs(const tsr_type *t);
/* Member i; NULL if there is none. */
TSR_API tsr_type *tsr_type_member(const tsr_type *t, size_t i);
/* The context that the type belongs to. */
TSR_API tsr_ctx *tsr_type_context(const tsr_type *t);

/* ---- Attributes ---- */

typedef enum {
    TSR_ATTR_UNIT,
    TSR_ATTR_INT,
    TSR_ATTR_FLOAT,
    TSR_ATTR_STRING,
    TSR_ATTR_ARRAY,
    TSR_ATTR_DICT,
    TSR_ATTR_TYPE,
    TSR_ATTR_SYMBOL,
    TSR_ATTR_DENSE,
    TSR_ATTR_DENSE_STRING,
    TSR_ATTR_DENSE_RESOURCE,
    TSR_ATTR_SPARSE,
    TSR_ATTR_DENSE_ARRAY, /* array<i64: 1, 2> */
    TSR_ATTR_AFFINE_MAP,
    TSR_ATTR_INTEGER_SET,
    TSR_ATTR_STRIDED,
    TSR_ATTR_LOC,
    TSR_ATTR_STRUCT, /* of a registered dialect: a name and parameters */
    TSR_ATTR_ENUM,   /* of a registered dialect: one of its cases */
    TSR_ATTR_OPAQUE, /* of an unknown dialect: its text */
    TSR_ATTR_DISTINCT,
} tsr_attr_kind;

typedef struct {
    tsr_str name;
    tsr_attr *value;
} tsr_named_attr;

/* Attributes without a call of their own are made by tsr_attr_parse: "#stablehlo.dot<...>", "affine_map<...>". */
TSR_API tsr_attr *tsr_create_unit(tsr_ctx *ctx, tsr_status *status);
/* true or false. */
TSR_API tsr_attr *tsr_create_bool(tsr_ctx *ctx, bool value, tsr_status *status);
/* type: an integer type of at most 64 bits, or index. Fails for a value that the type cannot represent. */
TSR_API tsr_attr *tsr_create_int(tsr_type *type, int64_t value, tsr_status *status);
/* The value is rounded to type, a float type. */
TSR_API tsr_attr *tsr_create_float(tsr_type *type, double value, tsr_status *status);
/* A string with this text, which is copied. */
TSR_API tsr_attr *tsr_create_string(tsr_ctx *ctx, tsr_str text, tsr_status *status);
/* [...]: n attributes. */
TSR_API tsr_attr *tsr_create_array(tsr_ctx *ctx, tsr_attr *const *items, size_t n,
                                   tsr_status *status);
/* {...}: n attributes with names. Fails when two have the same name. */
TSR_API tsr_attr *tsr_create_dict(tsr_ctx *ctx, const tsr_named_attr *items, size_t n,
                                  tsr_status *status);
/* A type as an attribute. */
TSR_API tsr_attr *tsr_create_type_attr(tsr_type *type, tsr_status *status);
/* @a, or @a::@b for path a, b. */
TSR_API tsr_attr *tsr_create_symbol(tsr_ctx *ctx, const tsr_str *path, size_t n,
                                    tsr_status *status);
/* array<i64: 1, 2>. element: an integer type of 8 to 64 bits or i1, or a float type of 16 to 64 bits. */
TSR_API tsr_attr *tsr_create_int_array(tsr_type *element, const int64_t *values, size_t n,
                                       tsr_status *status);
/* The same for floats: each value is rounded to element. */
TSR_API tsr_attr *tsr_create_float_array(tsr_type *element, const double *values, size_t n,
                                         tsr_status *status);
/* dense<...>: the elements of a tensor, for use in ops of module m, which owns the data if it is large. If all elements
 * are equal, the value is stored once. */
TSR_API tsr_attr *tsr_create_elements(tsr_module *m, const tsr_tensor *t, tsr_status *status);
/* A case of an enum: "stablehlo.comparison_direction", "EQ". */
TSR_API tsr_attr *tsr_create_enum(tsr_ctx *ctx, tsr_str name, tsr_str value, tsr_status *status);

/* TSR_ATTR_UNIT for NULL. */
TSR_API tsr_attr_kind tsr_attr_kind_of(const tsr_attr *a);
/* The type of a number or of elements, the type that a type attribute holds, or the element type of a dense array. NULL
 * if there is none. */
TSR_API tsr_type *tsr_attr_type_of(const tsr_attr *a);
/* The value of a bool, of an integer of at most 64 bits, or the number of an enum's case. False for other
 * attributes. */
TSR_API bool tsr_attr_get_int(const tsr_attr *a, int64_t *out);
/* The value of a float. False for other attributes. */
TSR_API bool tsr_attr_get_float(const tsr_attr *a, double *out);
/* A string, the root of a symbol, the case of an enum, the key of a resource; empty otherwise. */
TSR_API tsr_str tsr_attr_text(const tsr_attr *a);
/* The name of a struct or an enum, "stablehlo.dot"; empty otherwise. */
TSR_API tsr_str tsr_attr_name(const tsr_attr *a);
/* Items of an array or a dictionary, parameters of a struct (NULL if not given), nested references of a symbol; for a
 * dense array, only the number of its elements. */
TSR_API size_t tsr_attr_num_items(const tsr_attr *a);
/* Item i; NULL if there is none, or it is an element of a dense array. */
TSR_API tsr_attr *tsr_attr_item(const tsr_attr *a, size_t i);
/* The name of item i of a dictionary; empty otherwise. */
TSR_API tsr_str tsr_attr_item_name(const tsr_attr *a, size_t i);
/* Element i of a dense array. */
TSR_API bool tsr_attr_item_int(const tsr_attr *a, size_t i, int64_t *out);
/* The same for an array of floats; false for others, or without such an element. */
TSR_API bool tsr_attr_item_float(const tsr_attr *a, size_t i, double *out);
/* The elements of a dense attribute as a tensor, which the caller owns; NULL if it has none. */
TSR_API tsr_tensor *tsr_attr_elements(const tsr_attr *a, tsr_status *status);

/* Whether the op's row accepts a as the attribute of this name. Discardable attributes are always accepted. */
TSR_API bool tsr_attr_fits_op(tsr_ctx *ctx, tsr_str op, tsr_str name, const tsr_attr *a);

/* ---- Locations, which are attributes ---- */

/* A place in a file: line and column from 1, 0 if unknown. */
TSR_API tsr_attr *tsr_create_file_location(tsr_ctx *ctx, tsr_str file, uint32_t line, uint32_t col,
                                           tsr_status *status);
/* child may be NULL. */
TSR_API tsr_attr *tsr_create_name_location(tsr_ctx *ctx, tsr_str name, tsr_attr *child,
                                           tsr_status *status);
/* A place in a callee that was inlined at a place in its caller. */
TSR_API tsr_attr *tsr_create_call_location(tsr_ctx *ctx, tsr_attr *callee, tsr_attr *caller,
                                           tsr_status *status);
/* Several places: an op that was made of several. */
TSR_API tsr_attr *tsr_create_fused_location(tsr_ctx *ctx, tsr_attr *const *locations, size_t n,
                                            tsr_status *status);

/* ---- Modules, regions, blocks ---- */

/* A module without ops; name may be empty. Owned by the caller as for tsr_module_parse. */
TSR_API tsr_module *tsr_create_module(tsr_ctx *ctx, tsr_str name, tsr_status *status);
/* A region that is not yet part of an op; tsr_create_op moves its contents into the new op. */
TSR_API tsr_region *tsr_create_region(tsr_module *m, tsr_status *status);
/* Appends a block with n arguments to a region. locations: one per argument, or NULL. */
TSR_API tsr_block *tsr_create_block(tsr_region *region, tsr_type *const *args, size_t n,
                                    tsr_attr *const *locations, tsr_status *status);
/* Appends an argument to the block. */
TSR_API tsr_value *tsr_create_block_arg(tsr_block *block, tsr_type *type, tsr_attr *location,
                                        tsr_status *status);

/* Data that dense_resource<key> attributes refer to. */
typedef struct {
    tsr_str key;
    tsr_str data;
    uint32_t align; /* in bytes, as written in the text */
} tsr_blob;
/* Copies the data. Fails if the module already has this key. */
TSR_API bool tsr_create_blob(tsr_module *m, const tsr_blob *blob, tsr_status *status);
/* Returns the number of blobs and writes the first max of them to out; they are valid until another blob is made. */
TSR_API size_t tsr_module_blobs(const tsr_module *m, tsr_blob *out, size_t max);

/* ---- Ops ---- */

/* Description of an op. All zero except the name: an op without operands, attributes, results and regions. */
typedef struct {
    tsr_str name; /* "stablehlo.add" */
    tsr_value *const *operands;
    size_t noperand;
    /* How many operands belong to each declared operand of the row, for rows with optional or variadic operands; NULL:
     * they are assigned in order. Sets the attribute operandSegmentSizes of ops that have it. */
    const size_t *groups;
    size_t ngroup;
    const tsr_named_attr *attrs; /* inherent and discardable */
    size_t nattr;
    tsr_type *const *results; /* nresult of them; NULL: inferred */
    size_t nresult;
    tsr_region *const *regions; /* from tsr_create_region, or NULL: empty; emptied */
    size_t nregion;
    tsr_block *const *successors;
    const size_t
        *successor_operands; /* how many of the last operands go to each successor; NULL: none */
    size_t nsuccessor;
    tsr_attr *location; /* NULL: unknown */
    bool unfinished;    /* its regions will be filled later: its rules are not checked now */
} tsr_op_spec;

/* Creates an op before another op of the block, or at its end if before is NULL. If the op is inside the module, its
 * rules and those of the ops in its regions are checked at once; in a region that is not yet part of an op, they are
 * checked when it becomes part of one. The spec's regions are emptied even when the call fails. */
TSR_API tsr_op *tsr_create_op(tsr_block *block, tsr_op *before, const tsr_op_spec *spec,
                              tsr_status *status);
/* Infers the result types of an op: *n of them, the first max of which are written to out. False after a diagnostic. */
TSR_API bool tsr_infer_results(tsr_module *m, const tsr_op_spec *spec, tsr_type **out, size_t max,
                               size_t *n, tsr_status *status);
/* Appends a func.func to block, or to the module's block if block is NULL. Its body is one block with the arguments of
 * type, a function type. It is not checked before tsr_module_verify or tsr_op_verify. */
TSR_API tsr_op *tsr_create_function(tsr_module *m, tsr_block *block, tsr_str name, tsr_type *type,
                                    tsr_attr *location, tsr_status *status);
/* A copy of an op with its regions, using the same operands. */
TSR_API tsr_op *tsr_create_copy(tsr_block *block, tsr_op *before, tsr_op *op, tsr_status *status);
/* Whether op and everything in it is valid. */
TSR_API bool tsr_op_verify(tsr_op *op);

/* ---- Changes ----
 *
 * These calls check only what keeps the module consistent. The next call that runs, compiles or converts the module
 * verifies it first; tsr_op_verify checks an op at once. */

/* Erases an op and its regions. Its results must be unused. */
TSR_API bool tsr_edit_erase(tsr_op *op, tsr_status *status);
/* Moves an op to another place in the module, not inside itself. */
TSR_API bool tsr_edit_move(tsr_op *op, tsr_block *block, tsr_op *before, tsr_status *status);
/* Replaces all uses of one value by another. */
TSR_API bool tsr_edit_replace(tsr_value *from, tsr_value *to, tsr_status *status);
/* Replaces operand i. */
TSR_API bool tsr_edit_operand(tsr_op *op, size_t i, tsr_value *value, tsr_status *status);
/* Replaces all operands: n of them from now on. */
TSR_API bool tsr_edit_operands(tsr_op *op, tsr_value *const *operands, size_t n,
                               tsr_status *status);
/* value NULL removes the attribute. */
TSR_API bool tsr_edit_attr(tsr_op *op, tsr_str name, tsr_attr *value, tsr_status *status);
/* Changes the type of a value. */
TSR_API bool tsr_edit_type(tsr_value *value, tsr_type *type, tsr_status *status);
/* Changes the location of an op; NULL: unknown. */
TSR_API bool tsr_edit_location(tsr_op *op, tsr_attr *location, tsr_status *status);
/* Erases block argument i, which must be unused. */
TSR_API bool tsr_edit_erase_arg(tsr_block *block, size_t i, tsr_status *status);

/* ---- Queries, beyond those of tessera.h ---- */

/* The context that the module was made in. */
TSR_API tsr_ctx *tsr_module_context(const tsr_module *m);
/* The module that the op is part of. */
TSR_API tsr_module *tsr_op_module(const tsr_op *op);
/* The block that the op stands in; NULL for the module's own op. */
TSR_API tsr_block *tsr_op_block(const tsr_op *op);
/* All attributes, sorted by name. Returns how many there are and writes the first max of them to out. */
TSR_API size_t tsr_op_attrs(const tsr_op *op, tsr_named_attr *out, size_t max);
/* Where the op comes from, as an attribute. */
TSR_API tsr_attr *tsr_op_location(const tsr_op *op);
/* How many blocks the op may go on to. */
TSR_API size_t tsr_op_num_successors(const tsr_op *op);
/* Successor i; NULL if there is none. */
TSR_API tsr_block *tsr_op_successor(const tsr_op *op, size_t i);
/* The op as text that the caller owns and frees with tsr_free. options may be NULL. */
TSR_API tsr_str tsr_op_print(tsr_op *op, const tsr_print_options *options);
/* The op that the region is part of; NULL if none yet. */
TSR_API tsr_op *tsr_region_op(const tsr_region *region);
/* The region that the block stands in. */
TSR_API tsr_region *tsr_block_region(const tsr_block *block);
/* The block that a value is an argument of; NULL for a result. */
TSR_API tsr_block *tsr_value_block(const tsr_value *v);
/* The index of the result or argument. */
TSR_API size_t tsr_value_index(const tsr_value *v);

typedef struct {
    tsr_op *op;
    size_t operand;
} tsr_value_use;
/* The uses of a value, in order of their creation. Returns how many there are and writes the first max of them to
 * out. */
TSR_API size_t tsr_value_uses(const tsr_value *v, tsr_value_use *out, size_t max);

/* The rows of all ops whose names begin with prefix ("ttir."; empty: all ops) as JSON, which the caller frees with
 * tsr_free: an array of
 *   {"name", "operands": [{"name", "arity": "one|optional|variadic", "type"}], "results": the same,
 *    "regions": [{"name", "arity"}],
 *    "attributes": [{"name", "need": "required|optional|default", "form", "type", "default", "attr", "cases"}],
 *    "body": {"how", "of"}, "runs": bool, "infers": bool, "terminator": bool, "segmented": bool}
 * body: which operand the arguments of the regions come from, and how: "elements" of its values, "pairs" (two of each
 * in turn), "folds" (all, and all again), or the "same" types; absent if no rule determines it. runs: the evaluator has
 * a kernel for the op. type: in words, as in diagnostics. form: "i64", "i64s", "enum", "struct", ... (docs/API.md). */
TSR_API tsr_str tsr_describe_ops(tsr_ctx *ctx, tsr_str prefix);

#ifdef __cplusplus
}
#endif
#endif
