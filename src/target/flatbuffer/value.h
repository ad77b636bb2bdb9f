/* SPDX-License-Identifier: Apache-2.0 */
/* value.h - attributes as values of the schema and back. The form of an attribute comes from attrs.def for a parameter,
 * and from its constraint for a slot of an op. */
#ifndef TSR_TARGET_FLATBUFFER_VALUE_H
#define TSR_TARGET_FLATBUFFER_VALUE_H

#include "dialect/dialect.h"
#include "target/flatbuffer/flatbuffer.h"

typedef enum {
    TSR_FB_AS_NOTHING, /* cannot be read from a value */
    TSR_FB_AS_I8,      /* integers by type: signless, signed, unsigned */
    TSR_FB_AS_I32,
    TSR_FB_AS_I64,
    TSR_FB_AS_SI8,
    TSR_FB_AS_SI32,
    TSR_FB_AS_SI64,
    TSR_FB_AS_U32,
    TSR_FB_AS_BOOL,
    TSR_FB_AS_F32,
    TSR_FB_AS_STRING,
    TSR_FB_AS_ENUM,   /* of def */
    TSR_FB_AS_STRUCT, /* of def */
    TSR_FB_AS_GRID,   /* #ttcore.grid<YxX> as x and y */
    TSR_FB_AS_I32S,   /* array<i32: ...> */
    TSR_FB_AS_I64S,   /* array<i64: ...>, any number; the next three: a fixed number */
    TSR_FB_AS_PAIR,
    TSR_FB_AS_TRIPLE,
    TSR_FB_AS_I32_ARRAY, /* [1 : i32] */
    TSR_FB_AS_U32_ARRAY,
    TSR_FB_AS_F32_ARRAY,
    TSR_FB_AS_ENUM_ARRAY,
    TSR_FB_AS_STRUCT_ARRAY,
    TSR_FB_AS_PAIRS, /* arrays of array<i64: ...> with two elements, with four */
    TSR_FB_AS_QUADS,
    TSR_FB_AS_NUMBER, /* f32 or i32 */
    TSR_FB_AS_SCALE,  /* si32, or array<i32: ...> */
    TSR_FB_AS_CONFIG, /* of any def that a case of the union has */
} tsr_fb_form;

typedef struct {
    const char *field;
    tsr_fb_form form;
    const tsr_attrdef *def;
} tsr_fb_param;

/* The form of a slot's constraint. */
tsr_fb_param tsr_fb_form_of(const tsr_constraint *c);

/* Context of a conversion: memory for values, or the IR context for attributes. */
typedef struct {
    tsr_ctx *ctx;
    tsr_arena *arena;
    tsr_loc loc;   /* of diagnostics */
    tsr_map sound; /* attributes that tsr_fb_sound has accepted */
} tsr_fb_conv;

/* An attribute as the value of a field. False after a diagnostic. */
bool tsr_fb_of_attr(tsr_fb_conv *c, const tsr_attr *a, const tsr_fb_field *f, tsr_fb_value *out);
/* The table of a struct attribute. */
bool tsr_fb_of_struct(tsr_fb_conv *c, const tsr_attr *a, tsr_fb_table **out);
/* The attribute of a value that is set; NULL after a diagnostic. */
tsr_attr *tsr_fb_attr(tsr_fb_conv *c, const tsr_fb_param *as, const tsr_fb_field *f,
                      const tsr_fb_value *v);
tsr_attr *tsr_fb_struct_attr(tsr_fb_conv *c, const tsr_attrdef *def, const tsr_fb_table *t);
/* Whether an attribute made from a file's values could be written as text: the rules of attributes are in their
 * assembly. False after a diagnostic. */
bool tsr_fb_sound(tsr_fb_conv *c, tsr_attr *a);
/* Maps the number of a case of an enum attribute to the schema's enumeration, and back; -1 if there is none. */
int64_t tsr_fb_enum_number(const tsr_fb_type *type, const tsr_attrdef *def, int64_t value);
int64_t tsr_fb_enum_case(const tsr_fb_type *type, const tsr_attrdef *def, int64_t number);

#endif
