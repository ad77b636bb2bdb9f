/* tessera.h - the public C API of Tessera, valid as C and as C++.
 *
 * One context holds what is shared and immutable (types, attributes, names); modules are read into it. All handles are
 * borrowed unless a comment says that the caller owns them. Nothing here prints or exits: what is wrong with an input
 * reaches the context's diagnostic handler, and the call returns NULL or false.
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

/* Borrowed text, not NUL-terminated. */
typedef struct {
    const char *data;
    size_t len;
} tsr_str;

/* Text of a NUL-terminated string; of NULL: empty. */
TSR_API tsr_str tsr_cstr(const char *s);

/* The library's version; equals TSR_VERSION of the header it was built with. */
TSR_API int tsr_version(void);

/* ---- Failure ----
 *
 * What is wrong with an input is a diagnostic. What the world failed to give - memory, a file, time - is a status with code
 * TSR_ENVIRONMENT, and a diagnostic, too, where there is a context. A failed call leaves nothing behind: no memory, no lock, no
 * half-made type. A module that it was changing cannot be used any more, only freed; all else stays as it was. NULL for a
 * handle is refused: the call fails. */

typedef enum {
    TSR_OK,
    TSR_BAD_INPUT,   /* data, text or a program that is wrong */
    TSR_ENVIRONMENT, /* a file, memory: the same call may work elsewhere */
} tsr_code;

/* How a call ended. Set to zero before the first call; a call that works leaves it alone, and one that fails does not
 * overwrite an earlier failure. A pointer to it may be NULL where nobody wants to know. */
typedef struct {
    tsr_code code;
    char message[496]; /* one line, ended by NUL */
} tsr_status;

/* Where the library gets memory: as realloc does, and gives back when bytes is 0. NULL when there is none. Threads call it at the
 * same time. */
typedef void *tsr_alloc_fn(void *user, void *old, size_t bytes);
/* Replaces the allocator, before anything else is called; NULL: that of the system, the default. */
TSR_API void tsr_set_allocator(tsr_alloc_fn *fn, void *user);

/* ---- Diagnostics ---- */

typedef enum { TSR_ERROR, TSR_WARNING, TSR_NOTE, TSR_REMARK } tsr_severity;

typedef struct {
    tsr_severity severity;
    tsr_str file;       /* empty when the location is unknown */
    uint32_t line, col; /* from 1; 0 when unknown */
    tsr_str message;
    tsr_str source; /* the source line, empty when there is none */
    tsr_str
        location; /* the whole location as MLIR prints it, without loc(); empty for a plain file position */
} tsr_diag;

/* Called for every diagnostic, in order; a note follows the error that it explains. The texts die with the call. */
typedef void tsr_diag_fn(void *user, const tsr_diag *diag);

/* ---- Context ---- */

/* A new context that knows every dialect and pass. The caller owns it. */
TSR_API tsr_ctx *tsr_ctx_new(void);
TSR_API void tsr_ctx_free(tsr_ctx *ctx);
TSR_API void tsr_ctx_on_diag(tsr_ctx *ctx, tsr_diag_fn *fn, void *user);
/* The first error of the last call with this context that failed, with or without a handler: its code, and its text with
 * file, line and column. TSR_OK: none failed. It lives until the next call. */
TSR_API const tsr_status *tsr_ctx_last_error(const tsr_ctx *ctx);
/* Whether ops of dialects that nobody registered are accepted (default: no). */
TSR_API void tsr_ctx_allow_unregistered(tsr_ctx *ctx, bool allow);

/* What one call may use. A call that needs more fails with TSR_ENVIRONMENT, and its message names the place in the program.
 * 0 is the default. */
typedef struct {
    uint64_t max_steps; /* ops that are evaluated, by all devices together; default: no limit */
    double max_seconds; /* by the clock on the wall; default: no limit */
    uint64_t
        max_bytes; /* of memory that the call holds at a time, for tensors and for the compiler; default: what the machine
                             and the process's control group have left */
    uint64_t max_devices; /* of a mesh that a program is run on; default: 4096 */
    uint64_t
        max_ops; /* that are made, by reading and by all passes (inlining makes many); default: 16 million */
    size_t max_stack; /* bytes of stack; default: what the thread has */
} tsr_budget;
#define TSR_NO_LIMIT UINT64_MAX

/* The limits of each call with this context from now on; NULL: the default. */
TSR_API void tsr_ctx_set_budget(tsr_ctx *ctx, const tsr_budget *budget);
/* Ends the call that runs with this context as soon as possible, and each one after it, until it is taken back with false. May be
 * called from any thread and from a signal handler. */
TSR_API void tsr_ctx_cancel(tsr_ctx *ctx, bool cancel);

/* A mark in the context's memory. Rewinding frees every type, attribute and name that was made since; modules made or
 * changed since must have been freed. Marks are rewound innermost first. NULL: no memory for one. */
typedef struct tsr_checkpoint tsr_checkpoint;
TSR_API tsr_checkpoint *tsr_ctx_checkpoint(tsr_ctx *ctx);
TSR_API void tsr_ctx_rewind(tsr_ctx *ctx, tsr_checkpoint *mark);

/* ---- Modules ---- */

/* Parses and verifies one module. NULL on error, after at least one diagnostic. The caller owns the result and ends it
 * with tsr_module_free before tsr_ctx_free. The text is not kept. */
TSR_API tsr_module *tsr_module_parse(tsr_ctx *ctx, tsr_str text, tsr_str filename);
/* The same from a file; "-" is standard input. A file that cannot be read is a diagnostic too. */
TSR_API tsr_module *tsr_module_parse_file(tsr_ctx *ctx, const char *path);
TSR_API tsr_module *tsr_module_clone(tsr_module *m);
TSR_API void tsr_module_free(tsr_module *m);
TSR_API bool tsr_module_verify(tsr_module *m);
/* Runs a pipeline such as "builtin.module(func.func(canonicalize),cse)", or a plain list of passes, in place. On false
 * the module is still valid to print and free. */
TSR_API bool tsr_module_run(tsr_module *m, tsr_str pipeline);

/* How a function is differentiated. All zero is the default: reverse mode, for all arguments. */
typedef struct {
    bool forward;      /* forward mode */
    const size_t *wrt; /* numbers of the arguments of interest, nwrt of them; none: all */
    size_t nwrt;
    bool rematerialise; /* the backward part computes cheap values again instead of keeping them */
    bool with_results;  /* reverse mode: the results of the function come before the gradients */
} tsr_grad_options;

/* Adds the derivative of function f to the module: f_grad(inputs, cotangents of results) -> gradients of the arguments of
 * interest, or f_jvp(inputs, tangents of the arguments of interest) -> results, their tangents. Arguments that have no
 * influence, and integers, get zeros. An empty name: main, or the only function. options may be NULL. False after a diagnostic:
 * an op on the way that has no derivative, an argument that is not there, a name that is taken. */
TSR_API bool tsr_module_differentiate(tsr_module *m, tsr_str function,
                                      const tsr_grad_options *options);
/* Simplifies and folds: every result stays the same to the bit. False after a diagnostic. */
TSR_API bool tsr_module_simplify(tsr_module *m);
/* Moves ops that can run as one kernel into fused regions. False after a diagnostic. */
TSR_API bool tsr_module_fuse(tsr_module *m);

typedef struct {
    bool generic;     /* every op in generic form */
    bool debug_info;  /* print locations */
    bool local_scope; /* no aliases: everything inline */
    int64_t
        elide_larger; /* elide elements attributes with more elements than this; -1: never. Zero means never too */
    bool unique_ids;     /* numbers of values are unique in the module, not in their region */
    bool name_locations; /* values are named after their name locations, loc("name") */
} tsr_print_options;

/* The module as text. The caller owns the text and frees it with tsr_free. options may be NULL. */
TSR_API tsr_str tsr_module_print(tsr_module *m, const tsr_print_options *options);
/* The module, which is verified, as MLIR bytecode. version: of the format, 0 to 6, or -1 for the newest. The caller owns the
 * data and frees it with tsr_free; NULL after a diagnostic. */
TSR_API tsr_str tsr_module_bytecode(tsr_module *m, int version);
/* The same as a portable artifact of StableHLO, for readers of this version: "1.20.0", "current" or "minimum". The module
 * stays as it is. Ops of dialects that are not part of StableHLO are refused, or, with allow_others, written as they are. */
TSR_API tsr_str tsr_module_serialize(tsr_module *m, tsr_str target, bool allow_others);
/* A module of StableHLO from a portable artifact of any version, verified. NULL after a diagnostic. Owned as that of
 * tsr_module_parse. The data is not kept. */
TSR_API tsr_module *tsr_module_deserialize(tsr_ctx *ctx, tsr_str data, tsr_str filename);
/* A program of TTNN as a binary of tt-mlir (.ttnn). The caller owns the data and frees it with tsr_free; NULL after a diagnostic. */
TSR_API tsr_str tsr_module_binary(tsr_module *m);
/* The same for a target: "ttnn", or "ttmetal" (.ttm): commands of which the host runs one function, as ttir-to-ttmetal-host-pipeline
 * makes them. */
TSR_API tsr_str tsr_module_binary_for(tsr_module *m, tsr_str target);
/* The module of such a binary of either target, verified. NULL after a diagnostic. Owned as that of tsr_module_parse. The data is not kept. */
TSR_API tsr_module *tsr_module_of_binary(tsr_ctx *ctx, tsr_str data, tsr_str filename);
/* A binary, or a described system (.ttsys), as JSON, with the names of tt-mlir's schemas. Freed as the others. */
TSR_API tsr_str tsr_binary_json(tsr_ctx *ctx, tsr_str data, tsr_str filename);
/* A system of so many chips of an architecture, "wormhole_b0" or "blackhole", as the data of a file (.ttsys). */
TSR_API tsr_str tsr_describe_system(tsr_ctx *ctx, tsr_str arch, size_t chips);
TSR_API void tsr_free(void *data);

/* ---- Walking ---- */

TSR_API tsr_op *tsr_module_op(tsr_module *m);
/* The op of a symbol of the module's top level, or of nested symbol tables when written a::b; NULL when there is none. */
TSR_API tsr_op *tsr_module_lookup(tsr_module *m, tsr_str symbol);
/* Calls fn for op and every op inside, parents first; stops when fn returns false, and then returns false. */
TSR_API bool tsr_op_walk(tsr_op *op, bool (*fn)(void *user, tsr_op *op), void *user);

TSR_API tsr_str tsr_op_name(const tsr_op *op);
TSR_API size_t tsr_op_num_operands(const tsr_op *op);
TSR_API size_t tsr_op_num_results(const tsr_op *op);
TSR_API size_t tsr_op_num_regions(const tsr_op *op);
TSR_API tsr_value *tsr_op_operand(const tsr_op *op, size_t i);
TSR_API tsr_value *tsr_op_result(const tsr_op *op, size_t i);
TSR_API tsr_region *tsr_op_region(const tsr_op *op, size_t i);
/* An attribute by name, inherent or discardable; NULL when it is not there. */
TSR_API tsr_attr *tsr_op_attr(const tsr_op *op, tsr_str name);
TSR_API tsr_op *tsr_op_parent(const tsr_op *op);
TSR_API tsr_op *tsr_op_next(const tsr_op *op);
TSR_API tsr_block *tsr_region_first_block(const tsr_region *region);
TSR_API tsr_block *tsr_block_next(const tsr_block *block);
TSR_API tsr_op *tsr_block_first_op(const tsr_block *block);
TSR_API size_t tsr_block_num_args(const tsr_block *block);
TSR_API tsr_value *tsr_block_arg(const tsr_block *block, size_t i);

TSR_API tsr_type *tsr_value_type(const tsr_value *v);
/* The op that defines v; NULL for a block argument. */
TSR_API tsr_op *tsr_value_def(const tsr_value *v);
TSR_API size_t tsr_value_num_uses(const tsr_value *v);

/* ---- Types and attributes: equal handles mean equal things ---- */

TSR_API tsr_type *tsr_type_parse(tsr_ctx *ctx, tsr_str text);
TSR_API tsr_attr *tsr_attr_parse(tsr_ctx *ctx, tsr_str text);
/* As text that the caller owns and frees with tsr_free. */
TSR_API tsr_str tsr_type_print(const tsr_type *t);
TSR_API tsr_str tsr_attr_print(const tsr_attr *a);
TSR_API bool tsr_type_is_tensor(const tsr_type *t);
TSR_API bool tsr_type_is_ranked(const tsr_type *t);
/* Rank of a ranked shaped type; -1 otherwise. */
TSR_API int64_t tsr_type_rank(const tsr_type *t);
#define TSR_DYNAMIC INT64_MIN
/* A dimension; TSR_DYNAMIC when it is not known. */
TSR_API int64_t tsr_type_dim(const tsr_type *t, size_t i);
/* The element type of a shaped or complex type; NULL otherwise. */
TSR_API tsr_type *tsr_type_element(const tsr_type *t);

/* ---- Tensors ----
 *
 * A tensor is an element type, dimensions and data: row major, without gaps, in the byte order of the machine. i1 and
 * elements of fewer than eight bits take a byte each: i1 is 0 or 1, other integers are sign- or zero-extended, floats are
 * bit patterns in the low bits. complex<f32> is two floats, real part first. A quantized tensor holds its storage
 * integers. Tensors do not change once made; they may be used by several threads. A tensor lives in no context, but
 * its element type does: free it before its context. */

/* A new tensor. type: of its elements, "f32", "i4", "complex<f64>", "!quant.uniform<i8:f32, 0.5>", ... data: as described
 * above, copied; NULL makes zeros. NULL on failure. The caller owns the result: tsr_tensor_free. */
TSR_API tsr_tensor *tsr_tensor_create(tsr_ctx *ctx, tsr_str type, const int64_t *dims, size_t rank,
                                      const void *data, tsr_status *status);
/* The same with data that is not copied: it must stay as it is until the tensor is freed. A run that gives an argument back as
 * a result gives the same tensor. */
TSR_API tsr_tensor *tsr_tensor_view(tsr_ctx *ctx, tsr_str type, const int64_t *dims, size_t rank,
                                    const void *data, tsr_status *status);
/* A new tensor from "2x3xf32=1,2,3,4,5,6": row major; one value fills all elements. The caller owns it. */
TSR_API tsr_tensor *tsr_tensor_parse(tsr_ctx *ctx, tsr_str text, tsr_status *status);
/* Gives up the caller's hold; NULL is fine. */
TSR_API void tsr_tensor_free(tsr_tensor *t);
TSR_API size_t tsr_tensor_rank(const tsr_tensor *t);
TSR_API int64_t tsr_tensor_dim(const tsr_tensor *t, size_t i);
TSR_API int64_t tsr_tensor_num_elements(const tsr_tensor *t);
/* Its element type; NULL for a token or a tuple, which programs may give, too: those have no data. */
TSR_API tsr_type *tsr_tensor_element(const tsr_tensor *t);
/* Its data, as long as the tensor lives, and how many bytes they are. */
TSR_API const void *tsr_tensor_data(const tsr_tensor *t);
TSR_API size_t tsr_tensor_size(const tsr_tensor *t);
/* Element i in row-major order as a double: exact for floats and for integers up to 2^53; of complex ones the real part. */
TSR_API double tsr_tensor_get(const tsr_tensor *t, int64_t i);
/* As text that the caller owns and frees with tsr_free: "tensor<2xf32> {...}", the values in nested brackets. */
TSR_API tsr_str tsr_tensor_text(const tsr_tensor *t);

/* Reads a .npy file, or the first array of an .npz. element: the type that it is to have, NULL for the file's own.
 * Types that NumPy does not have are in files as ml_dtypes writes them (docs/EVAL.md): bf16 as V2, f8, f6 and f4 kinds as
 * V1; such a file needs element to be told what it holds (V2 alone is taken as bf16). i2 and i4 are int8. An f32 file will
 * do for a narrower float when each of its values is one. The caller owns the result; NULL on failure. */
TSR_API tsr_tensor *tsr_tensor_load(tsr_ctx *ctx, const char *path, tsr_type *element,
                                    tsr_status *status);
/* Writes a .npy file; what was there before is replaced only when all was written. */
TSR_API bool tsr_tensor_save(const tsr_tensor *t, const char *path, tsr_status *status);

/* ---- Evaluation ---- */

/* How many inputs and results a function of the module has; false when there is no such function. */
TSR_API bool tsr_module_signature(tsr_module *m, tsr_str function, size_t *nin, size_t *nout);
/* Types of input and result i; NULL when there is none. */
TSR_API tsr_type *tsr_module_input_type(tsr_module *m, tsr_str function, size_t i);
TSR_API tsr_type *tsr_module_output_type(tsr_module *m, tsr_str function, size_t i);
/* An attribute of input and result i of a function: "mhlo.memory_kind", "tf.aliasing_output", ...; NULL when it is not there. */
TSR_API tsr_attr *tsr_module_input_attr(tsr_module *m, tsr_str function, size_t i, tsr_str name);
TSR_API tsr_attr *tsr_module_output_attr(tsr_module *m, tsr_str function, size_t i, tsr_str name);
/* Runs a function with the reference evaluator. in: nin tensors of the argument types, borrowed (a dynamic dimension takes
 * any size). out: nout places, one per result, which the caller then owns. On false nothing is in out; a failure that
 * an op caused is a diagnostic at that op, too. A module must not change while it runs. A module that is the program of one
 * device of several (tsr_module_partition) runs as tsr_module_eval_spmd says. */
TSR_API bool tsr_module_eval(tsr_module *m, tsr_str function, tsr_tensor *const *in, size_t nin,
                             tsr_tensor **out, size_t nout, tsr_status *status);
/* What an integer that is divided by zero does to a run. Where it goes on, the quotient is all ones and the remainder the
 * dividend, as in XLA. */
typedef enum {
    TSR_ZERO_WARN, /* it goes on; at its end there is one warning at each such op, which counts the elements */
    TSR_ZERO_ERROR,  /* it fails, with a diagnostic at the op */
    TSR_ZERO_IGNORE, /* it goes on */
} tsr_zero_division;

/* A custom_call of a target that the library does not know, for the caller to compute. */
typedef struct {
    tsr_str target;
    tsr_attr *config; /* its backend_config or mhlo.backend_config; NULL: none */
    size_t device;    /* which runs it: 0 of an undivided program */
    size_t nin, nout;
    tsr_tensor *const *in;  /* borrowed; a token has no element type */
    tsr_tensor *const *out; /* made, of the results' types, zeros */
    void *const *out_data;  /* the data of each, to be filled; NULL of a token */
} tsr_custom_call;
/* False after a status: the run fails with its text. Devices call at the same time, from their threads. */
typedef bool tsr_custom_call_fn(void *user, const tsr_custom_call *call, tsr_status *status);

/* A debug.breakpoint that a run has come to. All of it dies with the call. */
typedef struct {
    tsr_str file; /* where it stands; empty when that is unknown */
    uint32_t line, col;
    tsr_str text;      /* its value, for people */
    tsr_tensor *value; /* borrowed */
} tsr_breakpoint;
/* The run waits until it returns; false ends the run, which fails. */
typedef bool tsr_breakpoint_fn(void *user, const tsr_breakpoint *at);
/* Whole lines that ops print (debug.print, interpreter.print). */
typedef void tsr_print_fn(void *user, tsr_str text);

/* What runs a program. */
typedef enum {
    TSR_ENGINE_COMPILED,  /* fused loops over planned memory on all cores */
    TSR_ENGINE_REFERENCE, /* the evaluator: one op at a time, exactly */
} tsr_eval_engine;

/* How a run is to go. All zero is the default. */
typedef struct {
    tsr_zero_division zero_division;
    tsr_eval_engine engine;
    uint64_t seed;                   /* of the numbers that stablehlo.rng draws */
    tsr_custom_call_fn *custom_call; /* NULL: unknown targets fail */
    void *user;                      /* of custom_call */
    /* By input (of parts: device by device), whether the caller gives it up; NULL: none. A compiled program computes a result in the memory of such an input where
     * the function donates it (tf.aliasing_output, jax.buffer_donor): that result is the very tensor, with another reference.
     * The tensor has other elements then, or none that mean anything when the run fails. One that somebody else holds a
     * reference to stays as it is; a view's memory must be nobody else's. */
    const bool *given_up;
    /* What ops of debugging do; NULL: nothing. On several devices breakpoints do not wait. */
    tsr_print_fn *print;
    tsr_breakpoint_fn *breakpoint;
    const char *folder; /* below which debug.dump and debug.memory_snapshot write */
    /* TSR_ENGINE_COMPILED: gets what ran when, in Chrome's trace format (docs/ENGINE.md); the caller frees it with tsr_free. It stays empty
     * where the evaluator runs. One run of a process at a time can be traced. NULL: nobody wants it. */
    tsr_str *trace;
} tsr_eval_options;

/* tsr_module_eval with options; NULL is the default, which tsr_module_eval has. */
TSR_API bool tsr_module_eval_with(tsr_module *m, tsr_str function, tsr_tensor *const *in,
                                  size_t nin, tsr_tensor **out, size_t nout,
                                  const tsr_eval_options *options, tsr_status *status);
/* Runs a compiled program so many times (0 is 1), and tells how long each of its groups of ops took, and how much memory it has: for
 * people, or as JSON {"seconds", "compile_seconds", "groups", "memory"} (docs/ENGINE.md). The caller frees the text with tsr_free. */
TSR_API tsr_str tsr_module_profile(tsr_module *m, tsr_str function, tsr_tensor *const *in,
                                   size_t nin, size_t times, bool json,
                                   const tsr_eval_options *options, tsr_status *status);
/* Partitions a module in place, by its meshes and shardings: what it computes on whole values becomes the program that each
 * device runs on its parts, with collectives. Of a TTIR program it is the batch that is divided, among the devices of its
 * ttcore.meshes. Without a mesh of several devices it stays as it is. False after a diagnostic. */
TSR_API bool tsr_module_partition(tsr_module *m);

/* A sharding that is given for an input, or a result: one word a dimension, separated by commas. "x,_": the first by axis x, the second
 * not; "x+y" by x, then y; "?" left open (docs/SHARDING.md). */
typedef struct {
    size_t index;
    tsr_str text;
    bool result;
} tsr_shard_given;
/* What is given. All zero: what the module says itself. */
typedef struct {
    tsr_str mesh; /* "x=2,y=4"; empty: the module's own */
    const tsr_shard_given *given;
    size_t ngiven;
    tsr_str function; /* empty: main, or the only one */
} tsr_shard_options;
/* Gives a module a mesh and shardings, and propagates them to all values, in place. options may be NULL, as for the next two. */
TSR_API bool tsr_module_shard(tsr_module *m, const tsr_shard_options *options, tsr_status *status);
/* What the program then costs on each device, for people or as JSON: local shapes, collectives, memory. The module stays as
 * it is. The caller frees the text with tsr_free; NULL on failure. */
TSR_API tsr_str tsr_module_plan(tsr_module *m, const tsr_shard_options *options, bool json,
                                tsr_status *status);
/* Which steps sharded a value, which is named as printing names it ("%12"), or "#0" for the first result. */
TSR_API tsr_str tsr_module_why(tsr_module *m, const tsr_shard_options *options, tsr_str value,
                               tsr_status *status);
/* A page for a browser that shows the module: its graph, shardings, collectives and memory (docs/EXPLORE.md). One HTML text that
 * loads nothing. The caller frees it with tsr_free; NULL on failure. */
TSR_API tsr_str tsr_module_page(tsr_module *m, const tsr_shard_options *options,
                                tsr_status *status);
/* The same with a trace of a run on it (tsr_eval_options, or another one in Chrome's format); empty: none. */
TSR_API tsr_str tsr_module_page_of_run(tsr_module *m, const tsr_shard_options *options,
                                       tsr_str trace, tsr_status *status);
/* How long a step of the program takes on a mesh of devices (docs/SEARCH.md): time, MFU, communication that nothing hides, memory. device: a
 * known one ("h100"; empty: that one) or the path of a device file. Otherwise as tsr_module_plan. */
TSR_API tsr_str tsr_module_simulate(tsr_module *m, const tsr_shard_options *options, tsr_str device,
                                    bool json, tsr_status *status);
typedef struct {
    tsr_str mesh;    /* "x=2,y=4"; empty: the module's own, or devices */
    int64_t devices; /* all shapes of a mesh of so many are tried; 0: the mesh says */
    tsr_str device;  /* as above */
    double memory;   /* bytes that a device may hold; 0: all that it has */
    double
        seconds; /* no more is tried after so long; 0: as much as the size of the program allows */
    bool keep;   /* shardings of arguments that the module has stay; otherwise they are dropped */
    const tsr_shard_given *given; /* shardings that must be */
    size_t ngiven;
    tsr_str function; /* empty: main, or the only one */
} tsr_auto_options;
/* Finds shardings and gives them to the module, in place; calls are inlined. The text tells the plan and those that lost. options may be NULL. The
 * caller frees the text with tsr_free; NULL on failure: nothing fits into memory, say. */
TSR_API tsr_str tsr_module_auto_shard(tsr_module *m, const tsr_auto_options *options, bool json,
                                      tsr_status *status);
/* All shardings of the arguments of main (or of the only function) over so many devices: on each mesh of two axes, x by y, each argument is cut along
 * one dimension by one of them, or along two by both; all dimensions are open to propagation. How many there are; false: more than 2^24, or no
 * such function. tsr_module_permutation gives copy i, with its mesh, which the caller frees. */
TSR_API bool tsr_module_permutations(tsr_module *m, int64_t devices, size_t *n, tsr_status *status);
TSR_API tsr_module *tsr_module_permutation(tsr_module *m, int64_t devices, size_t i,
                                           tsr_status *status);
/* Collectives of the program that each device runs with the module's shardings, and the bytes that it sends in them (below 0: not known): of several
 * modules those with the fewest collectives, then bytes, are the best. The module stays as it is. */
TSR_API bool tsr_module_collectives(tsr_module *m, size_t *n, int64_t *bytes, tsr_status *status);
/* Runs a function of a module that tsr_module_partition made, or of one that was written for each device, on as many
 * virtual devices (threads) as it is for. Inputs and results are whole; otherwise as tsr_module_eval_with. */
TSR_API bool tsr_module_eval_spmd(tsr_module *m, tsr_str function, tsr_tensor *const *in,
                                  size_t nin, tsr_tensor **out, size_t nout,
                                  const tsr_eval_options *options, tsr_status *status);
/* How many devices the program is for: one for each replica and partition. False: the module is none, or says nonsense. */
TSR_API bool tsr_module_devices(tsr_module *m, size_t *replicas, size_t *partitions,
                                tsr_status *status);
/* The same on parts: what tsr_module_partition made, or a program of one device. in[d][i]: what device d has of argument i,
 * borrowed, of the function's own type, which is that of a part; out[d][i]: places for its results, which the caller then
 * owns. ndevices must be replicas times partitions; device d is partition d % partitions of replica d / partitions. */
TSR_API bool tsr_module_eval_shards(tsr_module *m, tsr_str function, tsr_tensor *const *const *in,
                                    size_t ndevices, size_t nin, tsr_tensor **const *out,
                                    size_t nout, const tsr_eval_options *options,
                                    tsr_status *status);
/* How an argument or a result of a partitioned program lies on its devices. */
typedef struct {
    tsr_type *whole; /* the type of all of it */
    tsr_attr
        *sharding; /* #sdy.sharding with its mesh written out; NULL: each device has all of it */
} tsr_placement;
/* Of input and result i; false when there is none. */
TSR_API bool tsr_module_input_placement(tsr_module *m, tsr_str function, size_t i,
                                        tsr_placement *out);
TSR_API bool tsr_module_output_placement(tsr_module *m, tsr_str function, size_t i,
                                         tsr_placement *out);
/* Which part of each dimension of the whole type a partition has, from 0, and in how many equal parts (the last ones may be
 * padding) it is divided. False: the partition has none. */
TSR_API bool tsr_placement_part(const tsr_placement *p, size_t partition, int64_t *part,
                                int64_t *parts);
/* The same of partial values, which joined are the value: which one a partition has, of how many (1: it is the value). */
TSR_API bool tsr_placement_partial(const tsr_placement *p, size_t partition, int64_t *part,
                                   int64_t *parts);
/* A random tensor for input i, legal for the program: see docs/EVAL.md for the distribution. The same seed gives the same
 * values everywhere. The caller owns it; NULL on failure (a dynamic shape, a token). */
TSR_API tsr_tensor *tsr_module_random_input(tsr_module *m, tsr_str function, size_t i,
                                            uint64_t seed, tsr_status *status);

/* ---- Compiled programs ----
 *
 * A function is compiled once and runs many times, from several threads at once. A run only reads the executable, its context and
 * its inputs. While programs of a context run, other threads may run programs too, and do nothing else with the context but
 * tsr_ctx_cancel. What fails in a run is told by its status alone, with file, line and column: no diagnostic. */

typedef struct {
    bool strict_rounding; /* bf16 and f16 are rounded after each op, as the evaluator does */
    bool
        per_device; /* it is the program of one device of as many as mhlo.num_replicas and mhlo.num_partitions say, even when nothing
                        else in it tells so */
} tsr_compile_options;

/* Compiles a function of a module: for one device, or, when the module is the program of one device of several (partitioned),
 * for all of them. Runs then take and give tensors or buffers for each, device by device. The module is copied: it may change or go. options may be NULL. NULL after a
 * diagnostic. The caller owns the result, and frees it before the context. */
TSR_API tsr_executable *tsr_module_compile(tsr_module *m, tsr_str function,
                                           const tsr_compile_options *options, tsr_status *status);
/* The executable as bytes, a saved program (.tsrx) that runs without its module: the caller ends them with tsr_free. No bytes after a
 * diagnostic. */
TSR_API tsr_str tsr_executable_save(const tsr_executable *x, tsr_status *status);
/* An executable from such bytes, which are copied. They are untrusted: what is cut, changed, of another version, or a program that
 * this version would compile otherwise is refused. name is for messages. NULL after a diagnostic; the status has it, too. The caller
 * owns the result, and frees it before the context. */
TSR_API tsr_executable *tsr_executable_load(tsr_ctx *ctx, tsr_str data, tsr_str name,
                                            tsr_status *status);
/* A copy of the module that it was compiled from, in the form that runs. The caller owns it. */
TSR_API tsr_module *tsr_executable_module(const tsr_executable *x);
/* When no run of it goes on any more. */
TSR_API void tsr_executable_free(tsr_executable *x);
/* How many devices run it together; inputs and outputs are those of one. */
TSR_API size_t tsr_executable_num_devices(const tsr_executable *x);
TSR_API size_t tsr_executable_num_inputs(const tsr_executable *x);
TSR_API size_t tsr_executable_num_outputs(const tsr_executable *x);
/* Types of input and result i; NULL when there is none. */
TSR_API tsr_type *tsr_executable_input_type(const tsr_executable *x, size_t i);
TSR_API tsr_type *tsr_executable_output_type(const tsr_executable *x, size_t i);

/* The result that is computed in the memory of input i when the caller gives it up; false: none. */
TSR_API bool tsr_executable_alias(const tsr_executable *x, size_t i, size_t *result);

/* Bytes and operations of a run on all devices, an estimate for those who must choose where to run it; negative where none can
 * be told before: loops, ops that run by the evaluator's kernels. */
TSR_API double tsr_executable_work(const tsr_executable *x);

/* Memory of a run, in bytes, but for what has no size before it. */
typedef struct {
    uint64_t arguments, results, constants;
    uint64_t arena;      /* values on the way */
    uint64_t unplanned;  /* results of ops that run by the evaluator's kernels */
    uint64_t peak;       /* arguments + results + arena + unplanned */
    uint64_t peak_least; /* the same with the greatest sum of what is alive at a time as arena */
} tsr_memory_use;
TSR_API bool tsr_executable_memory(const tsr_executable *x, tsr_memory_use *out);

/* A group of ops that has run as one. All of it dies with the call. */
typedef struct {
    size_t step, nsteps; /* its number in the program; those of loops come again and again */
    tsr_str kind;        /* "map", "row", "contract", ... (docs/ENGINE.md) */
    tsr_str name;        /* of its ops: "add+tanh" */
    tsr_str file;        /* where its first op stands; empty when that is unknown */
    uint32_t line, col;
    size_t
        nvalues; /* values that it wrote to memory, and the op that each is a result of, which may be NULL */
    tsr_tensor *const *values;
    const tsr_op *const *ops;
} tsr_group_run;
/* False: the run ends, and fails. */
typedef bool tsr_observe_fn(void *user, const tsr_group_run *group);
/* How far a run is: groups done, of how many, loops counted once; done goes back where a loop begins anew. */
typedef bool tsr_progress_fn(void *user, size_t done, size_t all);

/* How a run is to go. All zero is the default. */
typedef struct {
    tsr_zero_division zero_division; /* TSR_ZERO_WARN says nothing here */
    uint64_t seed;                   /* of the numbers that stablehlo.rng draws */
    const tsr_budget *budget;        /* NULL: that of the context */
    tsr_custom_call_fn *custom_call; /* NULL: unknown targets fail */
    tsr_progress_fn *progress; /* after each group; NULL: nobody wants to know, as for the next */
    tsr_observe_fn *observe;   /* the same, with values */
    void *user;                /* of the three */
    /* As in tsr_eval_options, for all inputs of the run. Of buffers: outputs may then be the very memory of inputs that are given
     * up; where the program cannot compute one there, it is copied at the end. */
    const bool *given_up;
} tsr_execute_options;

/* Runs it. Inputs and results as tsr_module_eval has them. options may be NULL. */
TSR_API bool tsr_executable_run(const tsr_executable *x, tsr_tensor *const *in, size_t nin,
                                tsr_tensor **out, size_t nout, const tsr_execute_options *options,
                                tsr_status *status);

/* Memory of the caller's, laid out as that of tensors is. */
typedef struct {
    const void *data;
    size_t size; /* in bytes */
} tsr_input_buffer;
typedef struct {
    void *data;
    size_t size;
} tsr_output_buffer;
/* The same on memory of the caller's: inputs are read where they are, results are computed where they shall be. Sizes must be
 * those of the types, which are static, and addresses multiples of an element's size (of 8 at most); no output may overlap
 * another buffer, but for an input that is given up, which it may be. After a failure, what is in outputs is undefined. */
TSR_API bool tsr_executable_run_buffers(const tsr_executable *x, const tsr_input_buffer *in,
                                        size_t nin, const tsr_output_buffer *out, size_t nout,
                                        const tsr_execute_options *options, tsr_status *status);

/* ---- Comparison ---- */

/* |actual - expected| <= atol + rtol * |expected| for each element. */
typedef struct {
    double rtol, atol;
} tsr_tolerance;

/* The tolerance that an element type has unless another is given; zero for integers: they are equal or they are not. */
TSR_API tsr_tolerance tsr_default_tolerance(const tsr_type *element);

typedef struct {
    bool pass;
    bool same_shape,
        same_type; /* without these nothing below is set; type: the kinds agree, widths may differ */
    bool exact;    /* each value equal; NaN equals NaN, 0 equals -0 */
    double max_abs,
        max_rel; /* over elements that are finite in both; relative to expected, where that is not 0 */
    double
        max_ulp; /* in units of the actual tensor's type; integers: the difference; infinity when NaN or
                                   infinity are in one tensor only */
    double
        pcc; /* Pearson's correlation; NaN when there is none: fewer than two elements, or all of one
                                   tensor equal. Then exactness and tolerance alone decide, as they do otherwise */
    int64_t bad, first_bad; /* elements beyond the tolerance; index of the first, -1 without one */
} tsr_comparison;

/* Compares in the wider of the two types. tolerance: NULL for the default of the actual type, with an atol that is multiplied by the
 * root mean square of the expected floats, of f32 by four times of it, where that is above 1. True when it passes. */
TSR_API bool tsr_tensor_compare(const tsr_tensor *actual, const tsr_tensor *expected,
                                const tsr_tolerance *tolerance, tsr_comparison *out);

#ifdef __cplusplus
}
#endif
#endif
