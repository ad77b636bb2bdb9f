/* SPDX-License-Identifier: Apache-2.0 */
/* tessera.h - the public C API of Tessera, valid as C and as C++.
 *
 * A context holds shared, immutable data (types, attributes, names); modules are read into it. All handles are borrowed
 * unless a comment says that the caller owns them. The library never prints or exits: errors in an input reach the
 * context's diagnostic handler, and the call returns NULL or false.
 * A context and its modules are used by one thread at a time; compiled programs run on several at once. */
#ifndef TESSERA_TESSERA_H
#define TESSERA_TESSERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TSR_VERSION_MAJOR 0
#define TSR_VERSION_MINOR 1
#define TSR_VERSION_PATCH 0
#define TSR_VERSION (TSR_VERSION_MAJOR * 10000 + TSR_VERSION_MINOR * 100 + TSR_VERSION_PATCH)

#if defined(__GNUC__)
#define TSR_API __attribute__((visibility("default")))
#else
#define TSR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_ctx tsr_ctx;
typedef struct tsr_module tsr_module;
typedef struct tsr_op tsr_op;
typedef struct tsr_region tsr_region;
typedef struct tsr_block tsr_block;
typedef struct tsr_value tsr_value;
typedef struct tsr_type tsr_type;
typedef struct tsr_attr tsr_attr;
typedef struct tsr_tensor tsr_tensor;
typedef struct tsr_executable tsr_executable;
typedef struct tsr_saved tsr_saved;

/* Borrowed text, not NUL-terminated. */
typedef struct {
    const char *data;
    size_t len;
} tsr_str;

/* The text of a NUL-terminated string; empty for NULL. */
TSR_API tsr_str tsr_cstr(const char *s);

/* The library's version; equals TSR_VERSION of the header it was built with. */
TSR_API int tsr_version(void);

/* ---- Failure ----
 *
 * Errors in an input are diagnostics. Failures of the environment (memory, a file, time) are a status with code
 * TSR_ENVIRONMENT, and also a diagnostic if there is a context. A failed call leaves nothing behind: no memory, no
 * lock, no half-made type. A module that it was changing can only be freed; everything else stays as it was. A call
 * with NULL for a handle fails. */

typedef enum {
    TSR_OK,
    TSR_BAD_INPUT,   /* invalid data, text or program */
    TSR_ENVIRONMENT, /* a file or memory is missing: the same call may succeed elsewhere */
    TSR_UNAVAILABLE, /* another process of the job is gone */
} tsr_code;

/* How the last call with this status ended: one that succeeds sets TSR_OK and an empty message, one that fails sets its
 * reason. Only a call that fails because a handle is NULL keeps an earlier failure, so that of several calls in a row,
 * checked at the end, the one that went wrong is told. Zero it before the first call. Callers that need no status may
 * pass NULL. */
typedef struct {
    tsr_code code;
    char message[496]; /* one line, NUL-terminated */
} tsr_status;

/* Allocates memory for the library, like realloc; bytes 0 frees old. NULL when there is no memory. Several threads may
 * call it at the same time. */
typedef void *tsr_alloc_fn(void *user, void *old, size_t bytes);
/* Replaces the allocator; call it before anything else. NULL selects the system's allocator, the default. */
TSR_API void tsr_set_allocator(tsr_alloc_fn *fn, void *user);

/* ---- Diagnostics ---- */

typedef enum { TSR_ERROR, TSR_WARNING, TSR_NOTE, TSR_REMARK } tsr_severity;

typedef struct {
    tsr_severity severity;
    tsr_str file;       /* empty when the location is unknown */
    uint32_t line, col; /* from 1; 0 when unknown */
    tsr_str message;
    tsr_str source; /* the source line, empty if not available */
    tsr_str
        location; /* the whole location as MLIR prints it, without loc(); empty for a plain file position */
} tsr_diag;

/* Called for every diagnostic, in order; a note follows the error that it explains. The texts are valid during the call
 * only. */
typedef void tsr_diag_fn(void *user, const tsr_diag *diag);

/* ---- Context ---- */

/* A new context that knows every dialect and pass. The caller owns it. */
TSR_API tsr_ctx *tsr_ctx_new(void);
/* Frees the context with all its types and attributes, after its modules, tensors and executables. NULL is allowed. */
TSR_API void tsr_ctx_free(tsr_ctx *ctx);
/* Whom diagnostics are told to, from now on; NULL: nobody. */
TSR_API void tsr_ctx_on_diag(tsr_ctx *ctx, tsr_diag_fn *fn, void *user);
/* The first error of the last call with this context that failed, with or without a handler: its code, and its text
 * with file, line and column. TSR_OK if none has failed. Valid until the next call. */
TSR_API const tsr_status *tsr_ctx_last_error(const tsr_ctx *ctx);
/* Whether ops of unregistered dialects are accepted (default: no). */
TSR_API void tsr_ctx_allow_unregistered(tsr_ctx *ctx, bool allow);

/* Limits of one call. A call that exceeds one fails with TSR_ENVIRONMENT, and its message names the place in the
 * program. 0 selects the default. */
typedef struct {
    uint64_t max_steps; /* ops evaluated, by all devices together; default: no limit */
    double max_seconds; /* wall-clock time; default: no limit */
    uint64_t
        max_bytes; /* memory held at a time, for tensors and for the compiler; default: what the machine
                    * and the process's control group have left */
    uint64_t max_devices; /* devices of a mesh that a program runs on; default: 4096 */
    uint64_t
        max_ops; /* ops created by parsing and by all passes (inlining creates many); default: 16 million */
    size_t max_stack; /* bytes of stack; default: what the thread has */
} tsr_budget;
#define TSR_NO_LIMIT UINT64_MAX

/* Sets the limits of each call with this context from now on; NULL: the default. */
TSR_API void tsr_ctx_set_budget(tsr_ctx *ctx, const tsr_budget *budget);
/* With true, ends the running call with this context as soon as possible, and every later one, until called with false.
 * May be called from any thread and from a signal handler. */
TSR_API void tsr_ctx_cancel(tsr_ctx *ctx, bool cancel);

/* A mark in the context's memory. Rewinding frees every type, attribute and name made since; modules made or changed
 * since must have been freed. Marks are rewound innermost first. */
typedef struct tsr_checkpoint tsr_checkpoint;
/* A mark at this moment; NULL when there is no memory for one. */
TSR_API tsr_checkpoint *tsr_ctx_checkpoint(tsr_ctx *ctx);
/* Goes back to a mark, and frees it. */
TSR_API void tsr_ctx_rewind(tsr_ctx *ctx, tsr_checkpoint *mark);

/* ---- Modules ---- */

/* Parses and verifies one module. NULL on error, after at least one diagnostic. The caller owns the result and frees it
 * with tsr_module_free before tsr_ctx_free. The text is not kept. */
TSR_API tsr_module *tsr_module_parse(tsr_ctx *ctx, tsr_str text, tsr_str filename);
/* The same from a file; "-" is standard input; a folder is a saved model, whose program is read. A file that cannot be
 * read gives a diagnostic too. */
TSR_API tsr_module *tsr_module_parse_file(tsr_ctx *ctx, const char *path);
/* A copy with ops of its own, in the same context, owned as for tsr_module_parse. NULL after a diagnostic. */
TSR_API tsr_module *tsr_module_clone(tsr_module *m);
/* Frees the module with its ops. NULL is allowed. */
TSR_API void tsr_module_free(tsr_module *m);
/* Whether the module is valid. False after a diagnostic. */
TSR_API bool tsr_module_verify(tsr_module *m);
/* Runs a pipeline such as "builtin.module(func.func(canonicalize),cse)", or a plain list of passes, in place. On false
 * the module is still valid to print and free. */
TSR_API bool tsr_module_run(tsr_module *m, tsr_str pipeline);

/* How a function is differentiated. All zero is the default: reverse mode, for all arguments. */
typedef struct {
    bool forward;      /* forward mode */
    const size_t *wrt; /* the nwrt arguments to differentiate by, by number; none: all */
    size_t nwrt;
    bool rematerialise; /* the backward part recomputes cheap values instead of keeping them */
    bool with_results;  /* reverse mode: return the results of the function before the gradients */
} tsr_grad_options;

/* Adds the derivative of function f to the module: f_grad(inputs, cotangents of results) -> gradients of the wrt
 * arguments, or f_jvp(inputs, tangents of the wrt arguments) -> results, their tangents. Gradients of integers and of
 * arguments without influence are zero. An empty name selects main, or the only function. options may be NULL. False
 * after a diagnostic: an op in between has no derivative, an argument does not exist, or the new name is taken. */
TSR_API bool tsr_module_differentiate(tsr_module *m, tsr_str function,
                                      const tsr_grad_options *options);
/* Simplifies and folds; every result stays bit-identical. False after a diagnostic. */
TSR_API bool tsr_module_simplify(tsr_module *m);
/* Moves ops that can run as one kernel into fused regions. False after a diagnostic. */
TSR_API bool tsr_module_fuse(tsr_module *m);

typedef struct {
    bool generic;     /* every op in generic form */
    bool debug_info;  /* print locations */
    bool local_scope; /* no aliases: everything inline */
    int64_t
        elide_larger; /* elide elements attributes with more elements than this; -1 or 0: never */
    bool unique_ids;  /* number values uniquely in the module, not only in their region */
    bool name_locations; /* name values after their name locations, loc("name") */
} tsr_print_options;

/* The module as text. The caller owns the text and frees it with tsr_free. options may be NULL. */
TSR_API tsr_str tsr_module_print(tsr_module *m, const tsr_print_options *options);
/* Verifies the module and writes it as MLIR bytecode. version: of the format, 0 to 6, or -1 for the newest. The caller
 * owns the data and frees it with tsr_free; NULL after a diagnostic. */
TSR_API tsr_str tsr_module_bytecode(tsr_module *m, int version);
/* The same as a portable StableHLO artifact for readers of version target: "1.20.0", "current" or "minimum". The module
 * is not changed. Ops of other dialects are an error, or, with allow_others, written unchanged. */
TSR_API tsr_str tsr_module_serialize(tsr_module *m, tsr_str target, bool allow_others);
/* Reads and verifies a StableHLO module from a portable artifact of any version. NULL after a diagnostic. Owned as for
 * tsr_module_parse. The data is not kept. */
TSR_API tsr_module *tsr_module_deserialize(tsr_ctx *ctx, tsr_str data, tsr_str filename);
/* A TTNN program as a tt-mlir binary (.ttnn). The caller owns the data and frees it with tsr_free; NULL after a
 * diagnostic. */
TSR_API tsr_str tsr_module_binary(tsr_module *m);
/* The same for a target: "ttnn", or "ttmetal" (.ttm): a queue of commands with one host function that computes
 * everything, as ttir-to-ttmetal-host-pipeline makes it. */
TSR_API tsr_str tsr_module_binary_for(tsr_module *m, tsr_str target);
/* Reads and verifies the module of such a binary, for either target. NULL after a diagnostic. Owned as for
 * tsr_module_parse. The data is not kept. */
TSR_API tsr_module *tsr_module_of_binary(tsr_ctx *ctx, tsr_str data, tsr_str filename);
/* A binary, or a system description (.ttsys), as JSON, with the names of tt-mlir's schemas. Freed with tsr_free. */
TSR_API tsr_str tsr_binary_json(tsr_ctx *ctx, tsr_str data, tsr_str filename);
/* The contents of a file (.ttsys) that describes a system of so many chips of an architecture, "wormhole_b0" or
 * "blackhole". */
TSR_API tsr_str tsr_describe_system(tsr_ctx *ctx, tsr_str arch, size_t chips);
/* Writes data as a file: all of it, or the file stays as it was. A path that is not a regular file (a pipe, /dev/null)
 * is written to directly. */
TSR_API bool tsr_file_write(const char *path, tsr_str data, tsr_status *status);
/* Frees text or data that a call made for its caller; NULL is allowed. */
TSR_API void tsr_free(void *data);

/* ---- Walking ---- */

/* The module as an op, whose region has the functions; NULL if it can only be freed. */
TSR_API tsr_op *tsr_module_op(tsr_module *m);
/* The op of a symbol at the module's top level, or in nested symbol tables when written a::b; NULL if there is none. */
TSR_API tsr_op *tsr_module_lookup(tsr_module *m, tsr_str symbol);
/* Calls fn for op and every op inside, parents first. Stops and returns false when fn returns false. */
TSR_API bool tsr_op_walk(tsr_op *op, bool (*fn)(void *user, tsr_op *op), void *user);

/* Its name with the dialect, "stablehlo.add". */
TSR_API tsr_str tsr_op_name(const tsr_op *op);
/* How many operands it has. */
TSR_API size_t tsr_op_num_operands(const tsr_op *op);
/* How many results it has. */
TSR_API size_t tsr_op_num_results(const tsr_op *op);
/* How many regions it has. */
TSR_API size_t tsr_op_num_regions(const tsr_op *op);
/* Operand i; NULL if there is none. */
TSR_API tsr_value *tsr_op_operand(const tsr_op *op, size_t i);
/* Result i; NULL if there is none. */
TSR_API tsr_value *tsr_op_result(const tsr_op *op, size_t i);
/* Region i; NULL if there is none. */
TSR_API tsr_region *tsr_op_region(const tsr_op *op, size_t i);
/* An attribute by name, inherent or discardable; NULL if the op does not have it. */
TSR_API tsr_attr *tsr_op_attr(const tsr_op *op, tsr_str name);
/* The op that it stands in; NULL for the module's own op. */
TSR_API tsr_op *tsr_op_parent(const tsr_op *op);
/* The next op of its block; NULL after the last. */
TSR_API tsr_op *tsr_op_next(const tsr_op *op);
/* The entry block; NULL if the region is empty. */
TSR_API tsr_block *tsr_region_first_block(const tsr_region *region);
/* The next block of its region; NULL after the last. */
TSR_API tsr_block *tsr_block_next(const tsr_block *block);
/* The first op; NULL if there is none. */
TSR_API tsr_op *tsr_block_first_op(const tsr_block *block);
/* How many arguments it has. */
TSR_API size_t tsr_block_num_args(const tsr_block *block);
/* Argument i; NULL if there is none. */
TSR_API tsr_value *tsr_block_arg(const tsr_block *block, size_t i);

/* Its type. */
TSR_API tsr_type *tsr_value_type(const tsr_value *v);
/* The op that defines v; NULL for a block argument. */
TSR_API tsr_op *tsr_value_def(const tsr_value *v);
/* How often ops have it as an operand. */
TSR_API size_t tsr_value_num_uses(const tsr_value *v);
/* The name of a value as the program's author knows it, as all reports do: an argument's name in the frontend
 * ("params['w']"), the stack of names of an op's location ("jit(f)/block/add", with "#1" for one of several results);
 * else the printed name ("%arg0", "%12"). NULL for one that was erased. The caller frees the text with tsr_free. */
TSR_API tsr_str tsr_value_name(const tsr_value *v);
/* The same for result i of a function; else "#0"; NULL if there is none. The caller frees it with tsr_free. */
TSR_API tsr_str tsr_function_result_name(const tsr_op *function, size_t i);

/* ---- Types and attributes: equal handles mean equal things ---- */

/* A type from its text, "tensor<2x3xf32>"; NULL after a diagnostic. */
TSR_API tsr_type *tsr_type_parse(tsr_ctx *ctx, tsr_str text);
/* An attribute from its text, "#stablehlo<precision HIGH>"; NULL after a diagnostic. */
TSR_API tsr_attr *tsr_attr_parse(tsr_ctx *ctx, tsr_str text);
/* As text, which the caller owns and frees with tsr_free. */
TSR_API tsr_str tsr_type_print(const tsr_type *t);
/* The same for an attribute. */
TSR_API tsr_str tsr_attr_print(const tsr_attr *a);
/* Whether it is a tensor type, with or without a rank. */
TSR_API bool tsr_type_is_tensor(const tsr_type *t);
/* Whether it has a list of dimensions. */
TSR_API bool tsr_type_is_ranked(const tsr_type *t);
/* Rank of a ranked shaped type; -1 otherwise. */
TSR_API int64_t tsr_type_rank(const tsr_type *t);
#define TSR_DYNAMIC INT64_MIN
/* A dimension; TSR_DYNAMIC if it is not known. */
TSR_API int64_t tsr_type_dim(const tsr_type *t, size_t i);
/* The element type of a shaped or complex type; NULL otherwise. */
TSR_API tsr_type *tsr_type_element(const tsr_type *t);

/* ---- Tensors ----
 *
 * A tensor is an element type, dimensions and data: row-major, contiguous, in the machine's byte order. i1 and elements
 * of fewer than eight bits take a byte each: i1 is 0 or 1, other integers are sign- or zero-extended, floats are bit
 * patterns in the low bits. Memory of the caller may have anything above the bits of such elements, and any byte but 0
 * for a true i1: what goes in is brought into this form, in a copy where the memory is only read.
 * complex<f32> is two floats, real part first. A quantized tensor holds its storage integers.
 * Tensors are immutable and may be shared by threads. A tensor belongs to no context, but its element type does: free
 * the tensor before that context. */

/* A new tensor. type: the element type, "f32", "i4", "complex<f64>", "!quant.uniform<i8:f32, 0.5>", ... data: laid out
 * as described above, copied; NULL makes zeros. NULL on failure. The caller owns the result: tsr_tensor_free. */
TSR_API tsr_tensor *tsr_tensor_create(tsr_ctx *ctx, tsr_str type, const int64_t *dims, size_t rank,
                                      const void *data, tsr_status *status);
/* The same without copying the data (except bytes that do not have the form above), which must not change until the
 * tensor is freed. A run that returns an argument as
 * a result returns the same tensor. */
TSR_API tsr_tensor *tsr_tensor_view(tsr_ctx *ctx, tsr_str type, const int64_t *dims, size_t rank,
                                    const void *data, tsr_status *status);
/* A new tensor from "2x3xf32=1,2,3,4,5,6": row major; one value fills all elements. The caller owns it. */
TSR_API tsr_tensor *tsr_tensor_parse(tsr_ctx *ctx, tsr_str text, tsr_status *status);
/* Releases the caller's reference; NULL is allowed. */
TSR_API void tsr_tensor_free(tsr_tensor *t);
/* How many dimensions it has. */
TSR_API size_t tsr_tensor_rank(const tsr_tensor *t);
/* Dimension i; 0 if there is none. */
TSR_API int64_t tsr_tensor_dim(const tsr_tensor *t, size_t i);
/* The product of its dimensions. */
TSR_API int64_t tsr_tensor_num_elements(const tsr_tensor *t);
/* Its element type; NULL for a token or a tuple, which programs may return too and which have no data. */
TSR_API tsr_type *tsr_tensor_element(const tsr_tensor *t);
/* Its data, valid as long as the tensor lives; of a tensor in the memory of a device, an address there. */
TSR_API const void *tsr_tensor_data(const tsr_tensor *t);
/* The size of its data in bytes. */
TSR_API size_t tsr_tensor_size(const tsr_tensor *t);
/* Element i in row-major order as a double: exact for floats and for integers up to 2^53; the real part of a complex
 * element. 0 where the host cannot read the data. */
TSR_API double tsr_tensor_get(const tsr_tensor *t, int64_t i);
/* As text, which the caller owns and frees with tsr_free: "tensor<2xf32> {...}", the values in nested brackets. */
TSR_API tsr_str tsr_tensor_text(const tsr_tensor *t);

/* Reads a .npy file, or the first array of an .npz. element: the wanted element type; NULL: that of the file. Types
 * that NumPy does not have are stored as ml_dtypes writes them (docs/EVAL.md): bf16 as V2; f8, f6 and f4 kinds as V1.
 * Such a file needs element, except that V2 is read as bf16 by default. i2 and i4 are int8. An f32 file is accepted for
 * a narrower float type that represents all its values. The caller owns the result; NULL on failure. */
TSR_API tsr_tensor *tsr_tensor_load(tsr_ctx *ctx, const char *path, tsr_type *element,
                                    tsr_status *status);
/* Writes a .npy file; an existing file is replaced only after everything was written. */
TSR_API bool tsr_tensor_save(const tsr_tensor *t, const char *path, tsr_status *status);

/* A copy as DLPack describes it, for NumPy, torch, JAX and others: a DLManagedTensorVersioned of DLPack 1.1, or, for
 * those who cannot read that, a DLManagedTensor. The caller or whom it is given to calls its deleter, at any time and in
 * any thread; it needs neither the tensor nor the context. Elements of fewer than eight bits take a byte each, which
 * only the versioned form can say. A tensor in the memory of a CUDA device is not copied: the struct refers to it, and its
 * elements are computed when the call returns. NULL on failure: quantized elements, tokens and tuples have no type there. */
TSR_API void *tsr_tensor_to_dlpack(const tsr_tensor *t, bool versioned, tsr_status *status);
/* The destructor of a Python capsule of such a struct: frees it if nobody took it. A destructor written in Python would
 * lose the exception during which a capsule is dropped. */
TSR_API void tsr_dlpack_free_capsule(void *capsule);
/* The reverse: a new tensor with the elements of such a struct. Those in the memory of the host are copied; they may have
 * any strides, and if they have fewer than eight bits, be packed, or take a byte each. The struct stays the caller's. Those
 * in the memory of a CUDA device (row-major, already computed) stay where they are: if tsr_tensor_device of the new tensor is
 * not NULL, the struct is the tensor's, which calls its deleter at its end. NULL on failure. */
TSR_API tsr_tensor *tsr_tensor_from_dlpack(tsr_ctx *ctx, const void *managed, bool versioned,
                                           tsr_status *status);

/* ---- Saved models ----
 *
 * A folder that torch_xla's save wrote (docs/PYTORCH.md): a program, what each of its arguments is, and the arguments
 * that are not inputs of PyTorch's module, its weights and constants. */

/* Opens a folder. function: empty for forward, or the only one. NULL after a diagnostic; the status repeats it. The
 * caller owns the result: tsr_saved_free. */
TSR_API tsr_saved *tsr_saved_open(tsr_ctx *ctx, const char *folder, tsr_str function,
                                  tsr_status *status);
/* Frees the folder's description; NULL is allowed. */
TSR_API void tsr_saved_free(tsr_saved *s);
/* The path of its program, for tsr_module_parse_file. The function to run is main. */
TSR_API const char *tsr_saved_program(const tsr_saved *s);
/* How many arguments the program has. */
TSR_API size_t tsr_saved_num_arguments(const tsr_saved *s);
/* How many inputs PyTorch's module has, including those that the program does not use. */
TSR_API size_t tsr_saved_num_inputs(const tsr_saved *s);
/* Which input argument i is; negative: it is stored, and tsr_saved_load reads it. */
TSR_API int64_t tsr_saved_input(const tsr_saved *s, size_t i);
/* A stored argument as a tensor of the wanted element type (tsr_tensor_load), which the caller owns; NULL on failure.
 * */
TSR_API tsr_tensor *tsr_saved_load(const tsr_saved *s, size_t i, tsr_ctx *ctx, tsr_type *element,
                                   tsr_status *status);

/* ---- Evaluation ---- */

/* How many inputs and results a function of the module has; false when there is no such function. */
TSR_API bool tsr_module_signature(tsr_module *m, tsr_str function, size_t *nin, size_t *nout);
/* The type of input i; NULL if there is none. */
TSR_API tsr_type *tsr_module_input_type(tsr_module *m, tsr_str function, size_t i);
/* The same for result i. */
TSR_API tsr_type *tsr_module_output_type(tsr_module *m, tsr_str function, size_t i);
/* An attribute of input i of a function: "mhlo.memory_kind", "tf.aliasing_output", ...; NULL if it is not
 * set. */
TSR_API tsr_attr *tsr_module_input_attr(tsr_module *m, tsr_str function, size_t i, tsr_str name);
/* The same for result i. */
TSR_API tsr_attr *tsr_module_output_attr(tsr_module *m, tsr_str function, size_t i, tsr_str name);
/* Runs a function with the reference evaluator. in: nin tensors of the argument types, borrowed (a dynamic dimension
 * takes any size). out: filled with nout results, which the caller then owns. On false out is not filled; a failure
 * caused by an op also gives a diagnostic at that op. The module must not change during the run. The program of one of
 * several devices (tsr_module_partition) runs as by tsr_module_eval_spmd. */
TSR_API bool tsr_module_eval(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                             tsr_tensor **out, size_t nout, tsr_status *status);
/* The effect of an integer division by zero. If the run continues, the quotient is all ones and the remainder is the
 * dividend, as in XLA. */
typedef enum {
    TSR_ZERO_WARN, /* the run continues; at its end, one warning per such op, with the number of elements */
    TSR_ZERO_ERROR,  /* the run fails, with a diagnostic at the op */
    TSR_ZERO_IGNORE, /* the run continues */
} tsr_zero_division;

/* A custom_call with a target that the library does not know, to be computed by the caller. */
typedef struct {
    tsr_str target;
    tsr_attr *config; /* its backend_config or mhlo.backend_config; NULL: none */
    size_t device;    /* that runs it: 0 in an undivided program */
    size_t nin, nout;
    tsr_tensor *const *in;  /* borrowed; a token has no element type */
    tsr_tensor *const *out; /* allocated with the results' types, zero */
    void *const *out_data;  /* the data of each, to be filled; NULL for a token */
} tsr_custom_call;
/* On false, the run fails with the text of the status. Devices call it concurrently, each from its own thread. */
typedef bool tsr_custom_call_fn(void *user, const tsr_custom_call *call, tsr_status *status);

/* A debug.breakpoint that a run has reached. Valid during the call only. */
typedef struct {
    tsr_str file; /* the op's location; empty if unknown */
    uint32_t line, col;
    tsr_str text;      /* its value, for people to read */
    tsr_tensor *value; /* borrowed */
    size_t device;     /* that has reached it: 0 in an undivided program */
} tsr_breakpoint;
/* The run waits until it returns. On false, the run ends and fails. Devices call it one after the other, in any order,
 * each from its own thread. */
typedef bool tsr_breakpoint_fn(void *user, const tsr_breakpoint *at);
/* Receives the whole lines that ops print (debug.print, interpreter.print). */
typedef void tsr_print_fn(void *user, tsr_str text);

/* Which engine runs a program. */
typedef enum {
    TSR_ENGINE_COMPILED,  /* fused loops over planned memory on all cores */
    TSR_ENGINE_REFERENCE, /* the evaluator: one op at a time, exact */
} tsr_eval_engine;

/* Options of a run. All zero is the default. */
typedef struct {
    tsr_zero_division zero_division;
    tsr_eval_engine engine;
    uint64_t seed;                   /* of the numbers that stablehlo.rng generates */
    tsr_custom_call_fn *custom_call; /* NULL: unknown targets fail */
    void *user;                      /* passed to custom_call */
    /* One flag per input (with shards: device by device): whether the caller donates it; NULL: none. A compiled program
     * computes a result in the buffer of a donated input if the function allows it (tf.aliasing_output,
     * jax.buffer_donor): that result is the same tensor, with another reference. The tensor's elements are then
     * overwritten, and undefined if the run fails. A tensor that someone else holds a reference to is left unchanged;
     * the memory of a view must not be used by anyone else. */
    const bool *given_up;
    /* Handlers for debug ops; NULL: such an op does nothing. */
    tsr_print_fn *print;
    tsr_breakpoint_fn *breakpoint;
    const char *folder; /* where debug.dump and debug.memory_snapshot write files */
    /* With TSR_ENGINE_COMPILED: receives a trace of the run in Chrome's format (docs/ENGINE.md), which the caller frees
     * with tsr_free. Empty if the evaluator runs the program. Only one run of a process can be traced at a time. NULL:
     * no trace. */
    tsr_str *trace;
} tsr_eval_options;

/* tsr_module_eval with options; NULL selects the defaults, as in tsr_module_eval. */
TSR_API bool tsr_module_eval_with(tsr_module *m, tsr_str function, tsr_tensor *const *in,
                                  size_t nin, tsr_tensor **out, size_t nout,
                                  const tsr_eval_options *options, tsr_status *status);
/* Runs a compiled program the given number of times (0 means 1), and reports how long each of its groups of ops took
 * and how much memory it uses: as a table, or as JSON {"seconds", "compile_seconds", "groups", "memory"}
 * (docs/ENGINE.md). The caller frees the text with tsr_free. */
TSR_API tsr_str tsr_module_profile(tsr_module *m, tsr_str function, tsr_tensor *const *in,
                                   size_t nin, size_t times, bool json,
                                   const tsr_eval_options *options, tsr_status *status);
/* Partitions a module in place, by its meshes and shardings: a program on global values becomes the program that each
 * device runs on its shards, with collectives. In a TTIR program, the batch is divided among the devices of its
 * ttcore.meshes. Without a mesh of several devices the module is not changed. False after a diagnostic. */
TSR_API bool tsr_module_partition(tsr_module *m);

/* A sharding for inputs or results: one word per dimension, separated by commas. "x,_": the first dimension by axis x,
 * the second not divided; "x+y": by x, then y; "?": open to propagation (docs/SHARDING.md). */
typedef struct {
    size_t index;
    tsr_str text;
    bool result;
    /* Instead of index: all whose names (tsr_value_name) this pattern fits, "params.*.wq"; an error if none. */
    tsr_str name;
} tsr_shard_given;
/* Mesh and shardings to apply. All zero: use those of the module. */
typedef struct {
    tsr_str mesh; /* "x=2,y=4"; empty: the module's own */
    const tsr_shard_given *given;
    size_t ngiven;
    tsr_str function; /* empty: main, or the only function */
} tsr_shard_options;
/* Gives a module a mesh and shardings, and propagates them to all values, in place. After a failure it has the ops that
 * it had; handles of them are those of erased ops. options may be NULL, also in the next two calls. */
TSR_API bool tsr_module_shard(tsr_module *m, const tsr_shard_options *options, tsr_status *status);
/* What the program then costs on each device, as text or as JSON: local shapes, collectives, memory. The module is not
 * changed. The caller frees the text with tsr_free; NULL on failure. */
TSR_API tsr_str tsr_module_plan(tsr_module *m, const tsr_shard_options *options, bool json,
                                tsr_status *status);
/* Which steps sharded a value, named as in the printed module ("%12"), or "#0" for the first result. */
TSR_API tsr_str tsr_module_why(tsr_module *m, const tsr_shard_options *options, tsr_str value,
                               tsr_status *status);
/* An HTML page that shows the module: its graph, shardings, collectives and memory (docs/EXPLORE.md). The page is
 * self-contained. The caller frees it with tsr_free; NULL on failure. */
TSR_API tsr_str tsr_module_page(tsr_module *m, const tsr_shard_options *options,
                                tsr_status *status);
/* The same with the trace of a run (from tsr_eval_options, or any other in Chrome's format); empty: no trace. */
TSR_API tsr_str tsr_module_page_of_run(tsr_module *m, const tsr_shard_options *options,
                                       tsr_str trace, tsr_status *status);
/* Estimates a step of the program on a mesh of devices (docs/SEARCH.md): time, MFU, exposed communication, memory.
 * device: a known device ("h100", the default if empty) or the path of a device file. Otherwise as tsr_module_plan. */
TSR_API tsr_str tsr_module_simulate(tsr_module *m, const tsr_shard_options *options, tsr_str device,
                                    bool json, tsr_status *status);
/* What a search for shardings has done so far. */
typedef struct {
    size_t meshes, all_meshes; /* searched already, and those that may be searched in all */
    size_t candidates;         /* that were tried, on all meshes */
    tsr_str mesh;              /* that is searched now, "x=8,y=8"; borrowed for the call */
    double best_seconds; /* a step of the best plan; may be an estimate; negative: none fits yet */
} tsr_search_progress;
/* Called now and then, on the thread of the search, which it must not call into. False: no more candidates are tried,
 * as when the time is over. */
typedef bool tsr_search_progress_fn(void *user, const tsr_search_progress *p);
typedef struct {
    const tsr_shard_options *shard; /* NULL: those of the module */
    tsr_str device;                 /* as for tsr_module_simulate */
    size_t most;                    /* collectives and lines of memory in the report; 0: 10 */
    bool json;
    bool verify;  /* try other shardings, and tell those that save something */
    size_t apply; /* 0: the report; k: the module's text with advice k of the report */
} tsr_explain_options;
/* Why the program communicates: collectives by line of the user's program with cause, bytes and time, memory at the peak
 * by line, and which shardings to change (docs/EXPLAIN.md). A module that is partitioned, as XLA's dumps are, is taken as
 * it is, and gets no advice. options NULL: a text, with advice. The caller frees it with tsr_free; NULL on failure. */
TSR_API tsr_str tsr_module_explain(tsr_module *m, const tsr_explain_options *options,
                                   tsr_status *status);
typedef struct {
    tsr_str mesh;    /* "x=2,y=4"; empty: the module's own, or by devices */
    int64_t devices; /* try all mesh shapes of so many devices, 2 to 65536; 0: use mesh */
    tsr_str device;  /* as for tsr_module_simulate */
    double memory;   /* bytes that may be used on a device; 0: all it has */
    double seconds;  /* time limit of the search; 0: chosen by the size of the program */
    bool keep;       /* keep the argument shardings of the module; otherwise they are dropped */
    const tsr_shard_given *given; /* shardings that are fixed */
    size_t ngiven;
    tsr_str function; /* empty: main, or the only function */
    /* With devices: names of the axes, "dp,tp", and how many. Empty: any number up to three, called by what the plan
     * does with them (docs/SEARCH.md); x, y, z for given. */
    tsr_str axes;
    tsr_search_progress_fn *progress; /* may be NULL */
    void *user;
} tsr_auto_options;
/* Searches for shardings and applies them to the module, in place; calls are inlined. The text reports the chosen plan
 * and the rejected ones. options may be NULL. The caller frees the text with tsr_free; NULL on failure, for example if
 * nothing fits in memory; then the module is as tsr_module_shard leaves it. */
TSR_API tsr_str tsr_module_auto_shard(tsr_module *m, const tsr_auto_options *options, bool json,
                                      tsr_status *status);
/* ---- Plans: what a search found, to be kept, applied and checked (docs/SEARCH.md, "Plans") ---- */

/* The shardings that a search found for a program, apart from any module or context. Reading a plan is safe from
 * several threads at once. */
typedef struct tsr_mesh_plan tsr_mesh_plan;
/* Shardings of values other than arguments and results: only those that the plan is slower without, none, or all. */
typedef enum { TSR_PINS_FEW, TSR_PINS_NONE, TSR_PINS_ALL } tsr_pins;
typedef struct {
    tsr_auto_options search;
    tsr_pins pins;
    bool
        expressible; /* only what JAX can say: whole axes, no padding, and pins on values of its equations */
    const tsr_str *
        excluded; /* values and readers whose printed location contains one of these are not pinned */
    size_t nexcluded;
    size_t candidate; /* which one to choose, as numbered in the plan; 0: the best */
} tsr_plan_options;
/* Searches as tsr_module_auto_shard does, but leaves the module unchanged. options may be NULL. NULL on failure. The
 * caller ends the plan with tsr_mesh_plan_free. */
TSR_API tsr_mesh_plan *tsr_module_find_plan(tsr_module *m, const tsr_plan_options *options,
                                            tsr_status *status);
/* A plan as JSON. The caller frees the text with tsr_free; NULL on failure. */
TSR_API tsr_str tsr_mesh_plan_to_json(const tsr_mesh_plan *p, tsr_status *status);
/* A plan from such text. filename: for messages, which have line and column. The caller ends it with
 * tsr_mesh_plan_free; NULL on failure. */
TSR_API tsr_mesh_plan *tsr_mesh_plan_from_json(tsr_str text, tsr_str filename, tsr_status *status);
/* How many candidates it has. */
TSR_API size_t tsr_mesh_plan_num_candidates(const tsr_mesh_plan *p);
/* The number of the candidate that is chosen. */
TSR_API size_t tsr_mesh_plan_chosen_candidate(const tsr_mesh_plan *p);
/* Chooses another candidate, with all of its pins if it was not chosen before. False: there is none of this number. */
TSR_API bool tsr_mesh_plan_select(tsr_mesh_plan *p, size_t candidate, tsr_status *status);
/* Applies the plan to a module with the same program, in place: its mesh, and shardings on arguments, results and pins;
 * calls are inlined. arguments_alone: without pins; then ops may differ from those of the plan's program. False on
 * failure, for example if the program is another version; then the module is as tsr_module_shard leaves it. */
TSR_API bool tsr_module_apply_plan(tsr_module *m, const tsr_mesh_plan *p, bool arguments_alone,
                                   tsr_status *status);
typedef struct {
    tsr_str device;       /* as for tsr_module_simulate; empty: the plan's */
    double memory;        /* bytes of a device; 0: the plan's limit */
    double tolerance;     /* share that the step and the memory may be worse by; 0: 0.02 */
    bool arguments_alone; /* as for tsr_module_apply_plan */
} tsr_check_plan_options;
/* Simulates the module with the plan, and reports time, memory and bytes beside what the plan promised. *keeps: whether
 * time and memory are no worse, and it fits; may be NULL. The module is not changed. options may be NULL. The caller
 * frees the text with tsr_free; NULL on failure, for example if the plan cannot be applied. */
TSR_API tsr_str tsr_module_check_plan(tsr_module *m, const tsr_mesh_plan *p,
                                      const tsr_check_plan_options *options, bool json, bool *keeps,
                                      tsr_status *status);
/* How the chosen candidates of two plans differ, as text or as JSON. The caller frees it with tsr_free. */
TSR_API tsr_str tsr_mesh_plan_compare(const tsr_mesh_plan *a, const tsr_mesh_plan *b, bool json,
                                      tsr_status *status);
/* Frees the plan; NULL is allowed. */
TSR_API void tsr_mesh_plan_free(tsr_mesh_plan *p);

/* Enumerates the shardings of the arguments of main (or of the only function) over a number of devices: for each mesh
 * with two axes, each argument is divided along one dimension by one axis, or along two dimensions by both; all
 * dimensions are open to propagation. *n: how many there are. False if they are more than 2^24, or without such a
 * function. */
TSR_API bool tsr_module_permutations(tsr_module *m, int64_t devices, size_t *n, tsr_status *status);
/* Copy i of the module, with its mesh and shardings, owned as for tsr_module_parse. NULL on failure. */
TSR_API tsr_module *tsr_module_permutation(tsr_module *m, int64_t devices, size_t i,
                                           tsr_status *status);
/* Counts the collectives of the program that each device runs with the module's shardings, and the bytes that it sends
 * in them (negative if unknown). The best of several modules has the fewest collectives, then the fewest bytes. The
 * module is not changed. */
TSR_API bool tsr_module_collectives(tsr_module *m, size_t *n, int64_t *bytes, tsr_status *status);
/* Runs a function of a module that tsr_module_partition made, or that was written for each device, on as many virtual
 * devices (threads) as it is meant for. Inputs and results are global; otherwise as tsr_module_eval_with. */
TSR_API bool tsr_module_eval_spmd(tsr_module *m, tsr_str function, tsr_tensor *const *in,
                                  size_t nin, tsr_tensor **out, size_t nout,
                                  const tsr_eval_options *options, tsr_status *status);
/* How many devices the program is for: replicas times partitions. False if the module is not such a program, or its
 * numbers are invalid. */
TSR_API bool tsr_module_devices(tsr_module *m, size_t *replicas, size_t *partitions,
                                tsr_status *status);
/* The same on shards: for a module that tsr_module_partition made, or the program of one device. in[d][i]: the local
 * value of argument i on device d, borrowed, of the function's own (local) type; out[d][i]: filled with its results,
 * which the caller then owns. ndevices must be replicas times partitions; device d is partition d % partitions of
 * replica d / partitions. A program for one device, which says nothing of others, runs on any number of devices: each
 * runs it as it is written, on its own inputs. */
TSR_API bool tsr_module_eval_shards(tsr_module *m, tsr_str function, tsr_tensor *const *const *in,
                                    size_t ndevices, size_t nin, tsr_tensor **const *out,
                                    size_t nout, const tsr_eval_options *options,
                                    tsr_status *status);
/* How an argument or a result of a partitioned program is distributed over its devices. */
typedef struct {
    tsr_type *whole;    /* the global type */
    tsr_attr *sharding; /* #sdy.sharding with its mesh written out; NULL: replicated */
} tsr_placement;
/* That of input i; false if there is none. */
TSR_API bool tsr_module_input_placement(tsr_module *m, tsr_str function, size_t i,
                                        tsr_placement *out);
/* The same for result i. */
TSR_API bool tsr_module_output_placement(tsr_module *m, tsr_str function, size_t i,
                                         tsr_placement *out);
/* Which part of each dimension of the global type a partition has, counted from 0, and into how many equal parts (the
 * last ones may be padding) the dimension is divided. False if the partition has none. */
TSR_API bool tsr_placement_part(const tsr_placement *p, size_t partition, int64_t *part,
                                int64_t *parts);
/* The same for partial values, which must be combined to give the value: which one a partition has, of how many (1: it
 * is the value itself). */
TSR_API bool tsr_placement_partial(const tsr_placement *p, size_t partition, int64_t *part,
                                   int64_t *parts);
/* A random tensor for input i that is valid for the program; docs/EVAL.md gives the distribution. The same seed gives
 * the same values on every machine. The caller owns it; NULL on failure (a dynamic shape, a token). */
TSR_API tsr_tensor *tsr_module_random_input(tsr_module *m, tsr_str function, size_t i,
                                            uint64_t seed, tsr_status *status);

/* ---- Devices ----
 *
 * Devices with memory of their own, such as GPUs, belong to plug-ins (docs/GPU.md): tessera_cuda.so has those of kind
 * "cuda". A device is named by its kind and its number: "cuda" is the first, "cuda:1" the second. Devices belong to no
 * context, and any thread may use them. Work is done in the order of the calls, and a call may return before its work is
 * done; work that fails makes the device fail: later calls say why, and its memory can only be released. */

typedef struct tsr_device tsr_device;
/* Opens a device; who opens it by the same name shares it. NULL on failure, such as a missing driver, with all that was
 * looked for. Each caller closes it; it ends when its memory has been released, too. */
TSR_API tsr_device *tsr_device_open(tsr_str name, tsr_status *status);
/* NULL is allowed. */
TSR_API void tsr_device_close(tsr_device *d);
typedef struct {
    char name[128]; /* of the hardware, for people to read */
    int number;
    uint64_t bytes;        /* of memory */
    int64_t left;          /* bytes of it that are free now; -1: unknown */
    uint32_t units;        /* multiprocessors */
    uint32_t architecture; /* CUDA's compute capability, 90 for 9.0; 0: none */
    uint32_t align;        /* bytes: where its blocks begin at least */
} tsr_device_facts;
/* Tells what a device is, and how much of its memory is free. */
TSR_API void tsr_device_tell(tsr_device *d, tsr_device_facts *out);
/* The devices of a kind as text or JSON, and the libraries that its plug-in looks for: where they were found, or why not.
 * The caller frees it with tsr_free; no text if there is no such plug-in. */
TSR_API tsr_str tsr_device_report(tsr_str kind, bool json, tsr_status *status);
/* A block of the device's memory, not cleared; NULL on failure. Only the device can use the address. */
TSR_API void *tsr_device_allocate(tsr_device *d, size_t bytes, tsr_status *status);
/* Releases such a block, after the work that was given before. NULL may be released. */
TSR_API void tsr_device_release(tsr_device *d, void *at);
/* Copies bytes from the host to the device; the bytes may change when it returns. */
TSR_API bool tsr_device_copy_in(tsr_device *d, void *to, const void *from, size_t bytes,
                                tsr_status *status);
/* Copies bytes from the device to the host, which has them when it returns. */
TSR_API bool tsr_device_copy_out(tsr_device *d, void *to, const void *from, size_t bytes,
                                 tsr_status *status);
/* Waits until all work is done. */
TSR_API bool tsr_device_wait(tsr_device *d, tsr_status *status);
/* The work that was given up to now, to be asked for later. */
TSR_API bool tsr_device_mark(tsr_device *d, uint64_t *mark, tsr_status *status);
/* Whether it is done: 1, 0, or -1: the device has failed. Does not wait. */
TSR_API int tsr_device_reached(tsr_device *d, uint64_t mark);
/* A copy of a tensor in the memory of a device, or, with a NULL device, of the host. Such tensors are inputs and results of
 * executables for the device (tsr_compile_options); their data cannot be read by the host. The caller owns it. */
TSR_API tsr_tensor *tsr_tensor_to_device(const tsr_tensor *t, tsr_device *d, tsr_status *status);
/* The device whose memory the tensor's data is in; NULL: the host's. */
TSR_API tsr_device *tsr_tensor_device(const tsr_tensor *t);

/* ---- Compiled programs ----
 *
 * A function is compiled once and runs many times, on several threads at once. A run only reads the executable, its
 * context and its inputs. While programs of a context run, other threads may also run programs, but must do nothing
 * else with the context except tsr_ctx_cancel. A failed run reports its error in the status alone, with file, line and
 * column, and not as a diagnostic. */

typedef struct {
    bool strict_rounding; /* bf16 and f16 are rounded after each op, as the evaluator does */
    bool
        per_device; /* treat the module as the program of one device of mhlo.num_replicas x mhlo.num_partitions,
                     * even if nothing else in it says so */
    bool
        lends; /* the module stays as it is until the executable is freed: large constants are not copied */
    tsr_str device; /* that runs it, by name; empty: this processor */
} tsr_compile_options;

/* Compiles a function of a module: for one device or, if the module is the (partitioned) program of one of several
 * devices, for all of them. Runs then take and return tensors or buffers for each, device by device. The module is
 * copied, so it may be changed or freed, unless it lends its constants. options may be NULL. NULL after a diagnostic.
 * The caller owns the result, and frees it before the context. */
TSR_API tsr_executable *tsr_module_compile(tsr_module *m, tsr_str function,
                                           const tsr_compile_options *options, tsr_status *status);
/* The executable as bytes: a saved program (.tsrx) that runs without its module. The caller frees them with tsr_free.
 * No bytes after a diagnostic. */
TSR_API tsr_str tsr_executable_save(const tsr_executable *x, tsr_status *status);
/* An executable from such bytes, which are copied. They are not trusted: data that is truncated, modified, of another
 * version, or holds a program that this version would compile differently is rejected. name is for messages. NULL after
 * a diagnostic; the status repeats it. The caller owns the result, and frees it before the context. */
TSR_API tsr_executable *tsr_executable_load(tsr_ctx *ctx, tsr_str data, tsr_str name,
                                            tsr_status *status);
/* A copy of the module that it was compiled from, in the form that is run. The caller owns it. */
TSR_API tsr_module *tsr_executable_module(const tsr_executable *x);
/* Must not be called while the executable runs. */
TSR_API void tsr_executable_free(tsr_executable *x);
/* How many devices run it together; the inputs and outputs below are those of one device. */
TSR_API size_t tsr_executable_num_devices(const tsr_executable *x);
/* How many inputs one device has. */
TSR_API size_t tsr_executable_num_inputs(const tsr_executable *x);
/* How many results one device has. */
TSR_API size_t tsr_executable_num_outputs(const tsr_executable *x);
/* The device that runs it, with memory of its own; NULL: this processor. It is open as long as the executable is. */
TSR_API tsr_device *tsr_executable_device(const tsr_executable *x);
/* The type of input i; NULL if there is none. */
TSR_API tsr_type *tsr_executable_input_type(const tsr_executable *x, size_t i);
/* The same for result i. */
TSR_API tsr_type *tsr_executable_output_type(const tsr_executable *x, size_t i);

/* The result that is computed in the buffer of input i if the caller donates it; false if there is none. */
TSR_API bool tsr_executable_alias(const tsr_executable *x, size_t i, size_t *result);

/* Estimated bytes plus operations of a run on all devices, to help decide where to run it. Negative if it cannot be
 * estimated in advance: loops, ops that run on the evaluator's kernels. */
TSR_API double tsr_executable_work(const tsr_executable *x);

/* Memory of a run, in bytes, without values of unknown size. */
typedef struct {
    uint64_t arguments, results, constants;
    uint64_t arena;      /* intermediate values */
    uint64_t unplanned;  /* results of ops that run on the evaluator's kernels */
    uint64_t peak;       /* arguments + results + arena + unplanned */
    uint64_t peak_least; /* the same, with the peak size of live values as arena */
    uint64_t donated;    /* results in donated arguments: saved if the caller gives those up */
    /* What kernels and threads work in beside: it depends on the machine and its threads. A run takes peak + workspace. */
    uint64_t workspace;
} tsr_memory_use;
/* Tells the memory of a run; false for a program that the evaluator runs. */
TSR_API bool tsr_executable_memory(const tsr_executable *x, tsr_memory_use *out);

/* A group of ops that has run as one. Valid during the call only. */
typedef struct {
    size_t step, nsteps; /* its number in the program; steps in loops are repeated */
    tsr_str kind;        /* "map", "row", "contract", ... (docs/ENGINE.md) */
    tsr_str name;        /* from the names of its ops: "add+tanh" */
    tsr_str file;        /* location of its first op; empty if unknown */
    uint32_t line, col;
    size_t
        nvalues; /* values that it wrote to memory, and the op that defines each, which may be NULL */
    tsr_tensor *const *values;
    const tsr_op *const *ops;
} tsr_group_run;
/* On false, the run ends and fails. */
typedef bool tsr_observe_fn(void *user, const tsr_group_run *group);
/* Progress of a run: groups done, out of all; a loop counts once, and done goes back when an iteration starts. */
typedef bool tsr_progress_fn(void *user, size_t done, size_t all);

/* The processes of a job, which run programs together: each on its own devices. Connections are made when they are
 * needed, over TCP. Runs are made by one thread at a time. A process that dies ends the runs that need it, on all others,
 * and nothing else. */
typedef struct tsr_peers tsr_peers;
typedef struct {
    int rank, size;     /* this process, from 0, and how many there are */
    const char *host;   /* where the others reach it, an address or a name; NULL: it is found */
    const char *toward; /* "host:port" that is reached from there; NULL: all are on this host */
    double silence;     /* seconds after which a host that answers nothing is given up; 0: 10 */
    double timeout;     /* seconds that a run may wait for other processes; 0: without limit */
    void (*tell)(void *user,
                 tsr_str text); /* told when a run waits for more than 5 seconds, and for whom */
    void *user;
} tsr_peers_options;
/* NULL: see status. The caller owns it, and frees it when nothing runs. */
TSR_API tsr_peers *tsr_peers_new(const tsr_peers_options *options, tsr_status *status);
/* Leaves the job: the others see that it was on purpose. NULL is allowed. */
TSR_API void tsr_peers_free(tsr_peers *p);
/* "host:port", for the others. */
TSR_API const char *tsr_peers_address(const tsr_peers *p);
/* Before the first run: the secret that all processes know. */
TSR_API void tsr_peers_secret(tsr_peers *p, const unsigned char secret[16]);
/* Before the first run, for each process: its address, and its name in messages, which may be NULL. False: it is no
 * address. */
TSR_API bool tsr_peers_know(tsr_peers *p, int rank, tsr_str address, const char *name);
/* News from elsewhere, on any thread: a process is gone. */
TSR_API void tsr_peers_gone(tsr_peers *p, int rank);

/* A run of an executable on devices of several processes. All of them make it, with the same list and program, or it
 * fails on all with a message that names what each of them runs. */
typedef struct {
    tsr_peers *peers;
    const uint32_t *ranks; /* by device of the executable: the process that has it */
    size_t ndevices;
    uint64_t list;    /* stands for the list of devices, in its order */
    uint64_t program; /* stands for the program */
    tsr_str name;     /* of the program, for messages */
} tsr_joint_run;
/* A process cannot make a run that others may be in: tells them why. */
TSR_API void tsr_joint_skip(const tsr_joint_run *run, tsr_str why);

/* Options of a run. All zero is the default. */
typedef struct {
    tsr_zero_division zero_division; /* TSR_ZERO_WARN gives no warning here */
    uint64_t seed;                   /* of the numbers that stablehlo.rng generates */
    const tsr_budget *budget;        /* NULL: that of the context */
    tsr_custom_call_fn *custom_call; /* NULL: unknown targets fail */
    tsr_progress_fn *progress;       /* called after each group; may be NULL */
    tsr_observe_fn *observe;         /* the same, with values; may be NULL */
    void *user;                      /* passed to the three callbacks */
    /* As in tsr_eval_options, for all inputs of the run. With buffers, an output may be the same memory as a donated
     * input; if the program cannot compute the result there, it is copied at the end. */
    const bool *given_up;
    /* With buffers; those of devices of other processes are not read. NULL: all devices are of this process. */
    const tsr_joint_run *joint;
    /* With a device: results of static sizes stay in its memory, and the run may return before they are computed: what
     * reads them waits. Runs are then enqueued one after the other. */
    bool stay;
} tsr_execute_options;

/* Runs the executable. Inputs and results as for tsr_module_eval; with a device, inputs may be in its memory. options may be
 * NULL. */
TSR_API bool tsr_executable_run(const tsr_executable *x, tsr_tensor *const *in, size_t nin,
                                tsr_tensor **out, size_t nout, const tsr_execute_options *options,
                                tsr_status *status);

/* Memory owned by the caller, laid out like that of tensors. */
typedef struct {
    const void *data;
    size_t size; /* in bytes */
} tsr_input_buffer;
typedef struct {
    void *data;
    size_t size;
} tsr_output_buffer;
/* Memory for buffers, aligned to 64 bytes, not cleared; NULL if there is none, or bytes is 0. It belongs to no context.
 * Large blocks (128 KB and more) that are freed are kept for the next of their size, as those of runs are: results of
 * programs that run again and again need no new pages. */
TSR_API void *tsr_buffer_new(size_t bytes);
/* Frees such memory; NULL is allowed. */
TSR_API void tsr_buffer_free(void *data);
/* The same on memory of the caller: inputs are read and results computed in place. Sizes must be those of the types,
 * which are static, and addresses must be multiples of the element size (at most 8). An output must not overlap another
 * buffer, but may be the same as a donated input. After a failure, the contents of outputs are undefined. With a device,
 * all buffers are blocks of its memory, or parts of them. */
TSR_API bool tsr_executable_run_buffers(const tsr_executable *x, const tsr_input_buffer *in,
                                        size_t nin, const tsr_output_buffer *out, size_t nout,
                                        const tsr_execute_options *options, tsr_status *status);

/* ---- Comparison ---- */

/* |actual - expected| <= atol + rtol * |expected| for each element. */
typedef struct {
    double rtol, atol;
} tsr_tolerance;

/* The default tolerance of an element type; zero for integers, which must be equal. */
TSR_API tsr_tolerance tsr_default_tolerance(const tsr_type *element);

typedef struct {
    bool pass;
    bool same_shape,
        same_type; /* if false, nothing below is set; types need only be of the same kind, widths may differ */
    bool exact; /* all values are equal; NaN equals NaN, 0 equals -0 */
    double max_abs,
        max_rel; /* over elements that are finite in both; relative to expected, if that is not 0 */
    double
        max_ulp; /* in units of the actual tensor's type; for integers, the difference; infinity if only one of
                  * the tensors has a NaN or infinity */
    double
        pcc; /* Pearson's correlation; NaN if undefined: fewer than two elements, or all of one tensor equal.
              * Only exactness and tolerance decide whether the comparison passes */
    int64_t bad, first_bad; /* elements outside the tolerance; index of the first, or -1 */
} tsr_comparison;

/* Compares in the wider of the two types. tolerance NULL: the default of the actual type, whose atol is multiplied by
 * the root mean square of the expected floats (four times that for f32) where this is above 1. True if it passes. */
TSR_API bool tsr_tensor_compare(const tsr_tensor *actual, const tsr_tensor *expected,
                                const tsr_tolerance *tolerance, tsr_comparison *out);

#ifdef __cplusplus
}
#endif
#endif
