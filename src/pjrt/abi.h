/* SPDX-License-Identifier: Apache-2.0 */
/* abi.h - PJRT's C interface, version 0.114, as the plugin uses it: numbers, structs, and one struct of arguments for
 * each function of api.def.
 *
 * Every struct that crosses the interface begins with its own size and a list of extensions. Fields are only ever added
 * at the end, so an older caller has smaller structs: fields beyond struct_size do not exist (PJ_HAS), and must be
 * neither read nor written. tests/pjrt/abi.sh compares sizes and offsets with the real header if one is installed. */
#ifndef TSR_PJRT_ABI_H
#define TSR_PJRT_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PJ_MAJOR = 0, PJ_MINOR = 114 };

typedef struct pj_extension_base {
    size_t struct_size;
    int type;
    struct pj_extension_base *next;
} pj_extension_base;

enum {
    PJ_EXTENSION_PROFILER = 1,
    PJ_EXTENSION_LAYOUTS = 4,
    PJ_EXTENSION_FFI = 5,
    PJ_EXTENSION_MEMORY_DESCRIPTIONS = 6,
    PJ_EXTENSION_SHARDINGS = 19
};

#define PJ_HEAD         \
    size_t struct_size; \
    pj_extension_base *extension_start;

/* Whether the caller's struct has the field. */
#define PJ_HAS(args, field) \
    ((args)->struct_size >= offsetof(__typeof__(*(args)), field) + sizeof(args)->field)

typedef enum {
    PJ_OK,
    PJ_CANCELLED,
    PJ_UNKNOWN,
    PJ_INVALID_ARGUMENT,
    PJ_DEADLINE_EXCEEDED,
    PJ_NOT_FOUND,
    PJ_ALREADY_EXISTS,
    PJ_PERMISSION_DENIED,
    PJ_RESOURCE_EXHAUSTED,
    PJ_FAILED_PRECONDITION,
    PJ_ABORTED,
    PJ_OUT_OF_RANGE,
    PJ_UNIMPLEMENTED,
    PJ_INTERNAL,
    PJ_UNAVAILABLE,
    PJ_DATA_LOSS,
} pj_error_code;

/* Element types; the numbers are those of types.def. */
typedef int pj_buffer_type;
enum { PJ_UNKNOWN_TYPE = -1, PJ_INVALID = 0, PJ_PRED = 1, PJ_TOKEN = 23 };

typedef enum {
    PJ_DURING_CALL,
    PJ_UNTIL_TRANSFER,
    PJ_ZERO_COPY,
    PJ_MUTABLE_ZERO_COPY
} pj_host_buffer_semantics;

/* Handles: the plugin's own structs (pjrt.h), or opaque to it. */
typedef struct pj_error pj_error;
typedef struct pj_event pj_event;
typedef struct pj_client pj_client;
typedef struct pj_device pj_device;
typedef struct pj_device pj_device_description; /* a device describes itself */
typedef struct pj_memory pj_memory;
typedef struct pj_topology_description pj_topology_description;
typedef struct pj_executable pj_executable;
typedef struct pj_loaded_executable pj_loaded_executable;
typedef struct pj_buffer pj_buffer;
typedef struct pj_async_host_to_device_transfer_manager pj_async_host_to_device_transfer_manager;
typedef struct pj_execute_context pj_execute_context;
typedef struct pj_copy_to_device_stream pj_copy_to_device_stream;
typedef struct pj_fulfill_alias_buffer_callback pj_fulfill_alias_buffer_callback;
typedef struct pj_async_tracking_event pj_async_tracking_event;
typedef struct pj_device_attributes pj_device_attributes;
typedef struct pj_bytes pj_serialized_executable;
typedef struct pj_bytes pj_serialized_topology;
typedef struct pj_bytes pj_serialized_compile_options;
typedef struct pj_bytes pj_device_assignment_serialized;
typedef struct {
    size_t struct_size;
    int task_id;
    uint64_t incarnation_id;
    int state; /* pj_process_state */
    int error_code;
    const char *error_message;
    size_t error_message_size;
} pj_process_info;

typedef void (*pj_event_on_ready_callback)(pj_error *error, void *user_arg);
typedef void (*pj_error_payload_visitor)(const char *key, size_t key_size, const char *value,
                                         size_t value_size, void *user_arg);
typedef enum {
    PJ_PROCESS_UNSPECIFIED,
    PJ_PROCESS_UNINITIALIZED,
    PJ_PROCESS_DISCONNECTED,
    PJ_PROCESS_CONNECTED,
    PJ_PROCESS_ERROR
} pj_process_state;

/* The store of keys and values that processes of a job share. Errors are made by a function of the plugin. */
typedef pj_error *(*pj_callback_error)(pj_error_code code, const char *message,
                                       size_t message_size);

typedef struct {
    PJ_HEAD
    const char *key;
    size_t key_size;
    int timeout_in_ms;
    pj_callback_error *callback_error;
    void *user_arg;
    char *value;
    size_t value_size;
    void (*value_deleter_callback)(char *value);
} pj_key_value_get_args;

typedef struct {
    PJ_HEAD
    const char *key;
    size_t key_size;
    const char *value;
    size_t value_size;
    pj_callback_error *callback_error;
    void *user_arg;
} pj_key_value_put_args;

typedef pj_error *(*pj_key_value_get_callback)(pj_key_value_get_args *args);
typedef pj_error *(*pj_key_value_put_callback)(pj_key_value_put_args *args);
typedef void (*pj_key_value_try_get_callback)(void); /* not used */

typedef enum { PJ_STRING, PJ_INT64, PJ_INT64_LIST, PJ_FLOAT, PJ_BOOL } pj_named_value_type;

typedef struct {
    PJ_HEAD
    const char *name;
    size_t name_size;
    pj_named_value_type type;
    union {
        const char *string_value;
        int64_t int64_value;
        const int64_t *int64_array_value;
        float float_value;
        bool bool_value;
    };
    size_t value_size;
} pj_named_value;

typedef struct {
    PJ_HEAD
    char *code;
    size_t code_size;
    const char *format;
    size_t format_size;
} pj_program;

typedef enum { PJ_TILED, PJ_STRIDES } pj_layout_type;

typedef struct {
    PJ_HEAD
    const int64_t *minor_to_major;
    size_t minor_to_major_size;
    const int64_t *tile_dims;
    const size_t *tile_dim_sizes;
    size_t num_tiles;
} pj_buffer_memory_layout_tiled;

typedef struct {
    PJ_HEAD
    const int64_t *byte_strides;
    size_t num_byte_strides;
} pj_buffer_memory_layout_strides;

typedef struct {
    PJ_HEAD
    union {
        pj_buffer_memory_layout_tiled tiled;
        pj_buffer_memory_layout_strides strides;
    };
    pj_layout_type type;
} pj_buffer_memory_layout;

typedef struct {
    PJ_HEAD
    const int64_t *dims;
    size_t num_dims;
    pj_buffer_type element_type;
} pj_shape_spec;

typedef struct {
    void *data;
    size_t size;
    void (*deleter)(void *data, void *deleter_arg);
    void *deleter_arg;
} pj_chunk;

typedef struct {
    int replica, partition;
} pj_logical_device_ids;

typedef struct {
    PJ_HEAD
    void **send_callbacks, **recv_callbacks;
    size_t num_send_ops, num_recv_ops;
    int launch_id;
    const int64_t *non_donatable_input_indices;
    size_t num_non_donatable_input_indices;
    pj_execute_context *context;
    const char *call_location;
    size_t num_tasks;
    int *task_ids;
    int64_t *incarnation_ids;
    void *multi_slice_config;
    bool use_major_to_minor_data_layout_for_callbacks;
    void *hlo_output_callbacks;
    size_t num_hlo_output_callbacks;
} pj_execute_options;

typedef struct {
    size_t struct_size;
    const int32_t *computation_origin;
    size_t computation_origin_size;
    void *multi_slice_config;
} pj_load_options;

typedef struct {
    size_t struct_size;
    void *callback_data;
    pj_error_code error_code;
    const char *error_message;
    size_t error_message_size;
    void *dst;
} pj_buffer_copy_raw_to_host_future_callback_args;

typedef struct {
    size_t struct_size;
    void *callback_data;
    pj_error_code error_code;
    const char *error_message;
    size_t error_message_size;
} pj_buffer_donate_with_control_dependency_callback_args;

/* Argument structs of the functions: pj_Buffer_Delete_args and so on. */
#define FN(name, fields) \
    typedef struct {     \
        PJ_HEAD          \
        fields           \
    } pj_##name##_args;
#define NO(name, fields) FN(name, fields)
#define LATER(name, field, fields) FN(name, fields)
#include "pjrt/api.def"

typedef struct {
    PJ_HEAD
    int major_version, minor_version;
} pj_api_version;

/* The function table that the framework gets. */
typedef struct {
    PJ_HEAD
    pj_api_version version;
#define FN(name, fields) pj_error *(*name)(pj_##name##_args *);
#define NO(name, fields) FN(name, fields)
#define LATER(name, field, fields) FN(name, fields)
#include "pjrt/api.def"
} pj_api;

/* Prototypes of the functions that the plugin implements: pj_Buffer_Delete and so on. */
#define FN(name, fields) pj_error *pj_##name(pj_##name##_args *args);
#define NO(name, fields)
#define LATER(name, field, fields) FN(name, fields)
#include "pjrt/api.def"

/* ---- Extensions ---- */

typedef struct {
    PJ_HEAD
    pj_executable *executable;
    size_t num;
    const char *const *shardings; /* OpSharding protos */
    const size_t *sharding_sizes;
} pj_shardings_args;

typedef struct {
    pj_extension_base base;
    pj_error *(*parameter_shardings)(pj_shardings_args *);
    pj_error *(*output_shardings)(pj_shardings_args *);
} pj_shardings_extension;

typedef struct pj_layout pj_layout;

typedef struct {
    PJ_HEAD
    pj_layout *layout;
} pj_layout_destroy_args;

typedef struct {
    PJ_HEAD
    pj_layout *layout;
    const char *serialized_bytes;
    size_t serialized_bytes_size;
    void *serialized_layout;
    void (*serialized_layout_deleter)(void *);
} pj_layout_serialize_args;

typedef struct {
    PJ_HEAD
    void *of; /* a client or a topology */
    pj_buffer_type type;
    const int64_t *dims;
    size_t num_dims;
    pj_layout *layout;
} pj_default_layout_args;

typedef struct {
    PJ_HEAD
    pj_buffer *buffer;
    pj_layout *layout;
} pj_buffer_layout_args;

typedef struct {
    PJ_HEAD
    pj_executable *executable;
    size_t num;
    pj_layout **layouts;
} pj_executable_layouts_args;

typedef struct {
    pj_extension_base base;
    pj_error *(*destroy)(pj_layout_destroy_args *);
    pj_error *(*serialize)(pj_layout_serialize_args *);
    pj_error *(*client_default)(pj_default_layout_args *);
    pj_error *(*buffer)(pj_buffer_layout_args *);
    pj_error *(*topology_default)(pj_default_layout_args *);
    pj_error *(*output_layouts)(pj_executable_layouts_args *);
    pj_error *(*parameter_layouts)(pj_executable_layouts_args *);
} pj_layouts_extension;

typedef struct {
    PJ_HEAD
    pj_device_description *device_description;
    pj_memory *const *memory_descriptions;
    size_t num_memory_descriptions;
    size_t default_memory_index;
} pj_device_memories_args;

typedef struct {
    PJ_HEAD
    const pj_memory *memory_description;
    const char *kind;
    size_t kind_size;
    int kind_id;
} pj_memory_kind_args;

typedef struct {
    pj_extension_base base;
    pj_error *(*device_memories)(pj_device_memories_args *);
    pj_error *(*memory_kind)(pj_memory_kind_args *);
} pj_memory_descriptions_extension;

typedef struct {
    size_t struct_size;
    void *priv;
    pj_error *error;
} pj_profiler_error_args;

typedef struct {
    size_t struct_size;
    void *priv;
    const pj_error *error;
    const char *message;
    size_t message_size;
} pj_profiler_message_args;

typedef struct {
    size_t struct_size;
    void *priv;
    const pj_error *error;
    int code;
} pj_profiler_code_args;

typedef struct {
    size_t struct_size;
    const char *options;
    size_t options_size;
    void *profiler;
} pj_profiler_create_args;

typedef struct {
    size_t struct_size;
    void *profiler;
} pj_profiler_args;

typedef struct {
    size_t struct_size;
    void *profiler;
    uint8_t *buffer;
    size_t buffer_size_in_bytes;
} pj_profiler_collect_args;

typedef struct {
    size_t struct_size;
    void *priv;
    pj_error *(*error_destroy)(pj_profiler_error_args *);
    pj_error *(*error_message)(pj_profiler_message_args *);
    pj_error *(*error_get_code)(pj_profiler_code_args *);
    pj_error *(*create)(pj_profiler_create_args *);
    pj_error *(*destroy)(pj_profiler_args *);
    pj_error *(*start)(pj_profiler_args *);
    pj_error *(*stop)(pj_profiler_args *);
    pj_error *(*collect_data)(pj_profiler_collect_args *);
} pj_profiler_api;

typedef struct {
    pj_extension_base base;
    pj_profiler_api *api;
    int64_t traceme_context_id;
} pj_profiler_extension;

#endif
