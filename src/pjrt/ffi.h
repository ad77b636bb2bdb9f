/* SPDX-License-Identifier: Apache-2.0 */
/* ffi.h - XLA's foreign function interface in C, version 0.3, as the plugin uses it: the frame that a handler is called
 * with, and the table of functions that it may call. Fields are only ever added at the end; sizes end with the last
 * field of the version. */
#ifndef TSR_PJRT_FFI_H
#define TSR_PJRT_FFI_H

#include "pjrt/abi.h"

enum { FFI_MAJOR = 0, FFI_MINOR = 3, FFI_METADATA = 1, FFI_TOKEN = 17 };
enum { FFI_BUFFER = 1 };
typedef enum { FFI_ARRAY = 1, FFI_DICTIONARY, FFI_SCALAR, FFI_STRING } ffi_attr_type;
typedef enum { FFI_INSTANTIATE, FFI_PREPARE, FFI_INITIALIZE, FFI_EXECUTE, FFI_STAGES } ffi_stage;

typedef struct ffi_error ffi_error;
typedef struct ffi_context ffi_context;
typedef struct ffi_future ffi_future;
typedef struct ffi_frame ffi_frame;
typedef ffi_error *ffi_handler(ffi_frame *frame);

typedef struct {
    const char *ptr;
    size_t len;
} ffi_span;

typedef struct {
    int type;
    void *value;
} ffi_scalar;

typedef struct {
    int type;
    size_t size;
    void *data;
} ffi_array;

typedef struct {
    PJ_HEAD
    int type;
    void *data;
    int64_t rank;
    int64_t *dims;
} ffi_buffer;

typedef struct {
    PJ_HEAD
    int64_t size;
    int *types;
    void **values;
} ffi_list;

typedef struct {
    PJ_HEAD
    int64_t size;
    ffi_attr_type *types;
    ffi_span **names;
    void **values;
} ffi_attrs;

typedef struct {
    PJ_HEAD
    int major_version, minor_version;
} ffi_version;

typedef struct {
    size_t struct_size;
    ffi_version version;
    uint32_t traits;
    int64_t state_type;
} ffi_metadata;

typedef struct {
    pj_extension_base base;
    ffi_metadata *metadata;
} ffi_metadata_extension;

/* Arguments of the functions that a handler may call. */
#define FFI(name, result, fields) \
    typedef struct {              \
        PJ_HEAD                   \
        fields                    \
    } ffi_##name##_args;
#include "pjrt/ffi.def"

typedef struct {
    PJ_HEAD
    ffi_version version;
    const void *internal;
#define FFI(name, result, fields) result (*name)(ffi_##name##_args *);
#include "pjrt/ffi.def"
} ffi_api;

struct ffi_frame {
    PJ_HEAD
    const ffi_api *api;
    ffi_context *context;
    ffi_stage stage;
    ffi_list args, rets;
    ffi_attrs attrs;
    ffi_future *future; /* of an asynchronous handler; not part of the frame's size */
};

/* ---- PJRT's extension ---- */

typedef struct {
    void (*deleter)(void *object);
    void (*serialize)(void);
    void (*deserialize)(void);
} pj_ffi_type_info;

typedef struct {
    PJ_HEAD
    const char *type_name;
    size_t type_name_size;
    int64_t type_id;
    pj_ffi_type_info *type_info;
} pj_ffi_type_register_args;

typedef struct {
    PJ_HEAD
    pj_execute_context *context;
    int64_t type_id;
    void *data;
} pj_ffi_user_data_args;

typedef struct {
    size_t struct_size;
    const char *target_name;
    size_t target_name_size;
    void *handler;
    const char *platform_name;
    size_t platform_name_size;
    int traits;
} pj_ffi_register_args;

typedef struct {
    pj_extension_base base;
    pj_error *(*type_register)(pj_ffi_type_register_args *);
    pj_error *(*user_data_add)(pj_ffi_user_data_args *);
    pj_error *(*register_handler)(pj_ffi_register_args *);
} pj_ffi_extension;

#endif
