/* SPDX-License-Identifier: Apache-2.0 */
/* pjrt.h - shared by the plugin's files.
 *
 * A buffer is a handle of a value. Values are immutable, reference-counted host data; a value may still be pending: its
 * event tells when it is ready. Programs run in the order in which they were submitted, on the client's one worker
 * thread, so what a program reads was computed before. Programs are read, partitioned and run through the public C API
 * of Tessera. */
#ifndef TSR_PJRT_PJRT_H
#define TSR_PJRT_PJRT_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/memory.h"
#include "pjrt/abi.h"
#include "pjrt/ffi.h"
#include "tessera/tessera.h"

#define PJ_PLATFORM "tessera"
#define PJ_TEXT_(x) #x
#define PJ_TEXT(x) PJ_TEXT_(x)
#define PJ_VERSION_TEXT                                                               \
    "Tessera " PJ_TEXT(TSR_VERSION_MAJOR) "." PJ_TEXT(TSR_VERSION_MINOR) "." PJ_TEXT( \
        TSR_VERSION_PATCH)

/* ---- Bytes and errors ---- */

/* Growing text or data; failed: there was no memory, and the data is incomplete. */
typedef struct pj_bytes {
    char *data;
    size_t len, room;
    bool failed;
} pj_bytes;

void pj_bytes_add(pj_bytes *b, const void *data, size_t len);
void pj_bytes_printf(pj_bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pj_bytes_free(pj_bytes *b);                       /* its contents */
void pj_bytes_delete(pj_bytes *b);                     /* its contents and itself */
pj_bytes *pj_bytes_copy(const void *data, size_t len); /* NULL: no memory */
/* In protobuf's format: a varint field, a bytes field, and packed numbers. */
void pj_bytes_field(pj_bytes *b, uint32_t number, uint64_t value);
void pj_bytes_sub(pj_bytes *b, uint32_t number, const void *data, size_t len);
void pj_bytes_varint(pj_bytes *b, uint64_t value);

/* A new error; never NULL. */
pj_error *pj_fail(pj_error_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
pj_error *pj_no_memory(void);
/* The API's failure; otherwise: its code unless memory, or another process, is what was missing. */
pj_error *pj_fail_status(const tsr_status *s, pj_error_code otherwise);
const char *pj_error_text(const pj_error *e);
pj_error_code pj_error_kind(const pj_error *e);
void pj_error_free(pj_error *e);

/* ---- Events: completed once, with or without an error ---- */

pj_event *pj_event_new(void);   /* NULL: no memory */
pj_event *pj_event_ready(void); /* already complete */
pj_event *pj_event_ref(pj_event *e);
void pj_event_unref(pj_event *e);
void pj_event_done(pj_event *e, pj_error *error); /* takes ownership of the error; NULL: success */
bool pj_event_is_done(pj_event *e);
pj_error *pj_event_wait(pj_event *e);  /* a new error, or NULL */
pj_error *pj_event_error(pj_event *e); /* a new error if it is complete with one, else NULL */
/* Calls back once, immediately if it is complete. False: no memory. */
bool pj_event_then(pj_event *e, pj_event_on_ready_callback fn, void *user);

/* ---- Element types ---- */

const char *pj_type_name(pj_buffer_type t); /* NULL: not a type of tensors */
size_t pj_type_bytes(pj_buffer_type t);
unsigned pj_type_bits(pj_buffer_type t);
int pj_type_ffi(pj_buffer_type t); /* the number of XLA's FFI; 0: none */
/* PJ_INVALID: none; PJ_UNKNOWN_TYPE: no memory to find out. */
pj_buffer_type pj_type_of(const tsr_type *element);

/* ---- Client ---- */

enum { PJ_DEVICES_MAX = 4096 };
enum { PJ_MEMORY_DEVICE, PJ_MEMORY_PINNED, PJ_MEMORY_UNPINNED, PJ_MEMORIES };

struct pj_memory {
    const void *vtable; /* of an optional interface: none */
    pj_device *device;
    int id, kind;
    char text[64];
};

struct pj_device {
    pj_client *client;      /* NULL: of a topology only */
    int id, process, local; /* local: its number in its process */
    pj_memory memory[PJ_MEMORIES];
    pj_memory *memories[PJ_MEMORIES];
    pj_device *self; /* a list of one */
    char text[64];
    atomic_llong in_use, peak, allocs, largest; /* bytes */
};

struct pj_topology_description {
    size_t n;
    pj_device *devices;
    pj_device **list;
    pj_device **here; /* those of this process */
    size_t nhere;
    char name[64];
};

typedef struct pj_task pj_task;
typedef struct pj_run pj_run;

/* The settings of a client (settings.c). */
typedef struct {
    uint64_t devices;
    tsr_budget budget; /* of each compilation and each run */
    uint64_t processes, process,
        part;                /* of the job; which this is; which part of the machines it is in */
    double timeout, silence; /* seconds: that a run waits for other processes; of a host */
    char coordinator[160];   /* the address of the job's service; empty: unknown */
} pj_settings;

pj_error *pj_settings_read(pj_settings *out, const pj_named_value *options, size_t n);

struct pj_client {
    atomic_int refs;    /* buffers and executables outlive the handle */
    atomic_bool closed; /* Client_Destroy was called */
    pj_settings settings;
    pj_topology_description *topology;
    pj_memory **memories;
    size_t nmemory;
    pthread_mutex_t lock;
    pthread_cond_t more;
    pthread_t worker;
    bool has_worker, stop;
    pj_task *first, *last;
    pj_client *next;  /* the next open client */
    pj_run *runs;     /* started and not finished */
    tsr_peers *peers; /* the processes of the job; NULL: there is one */
    bool *met;        /* by process: it was connected to the job's service */
};

/* Work for the client's thread. */
struct pj_task {
    pj_task *next;
    void (*run)(pj_task *t); /* frees the task */
};

/* An error if the client was shut down; c may be the handle of a client that was freed. */
pj_error *pj_client_check(pj_client *c);
void pj_client_ref(pj_client *c);
void pj_client_unref(pj_client *c);
/* Takes ownership of the task; without a thread it runs immediately. */
void pj_client_do(pj_client *c, pj_task *t);
const char *pj_memory_kind(int kind);
int pj_memory_kind_of(tsr_str name); /* -1: none */
/* The device with this id; NULL if there is none. */
pj_device *pj_client_device(pj_client *c, int64_t id);
/* A description of n devices; NULL: no memory. */
pj_topology_description *pj_topology_new(size_t n, const char *name, pj_client *client);
/* The same, of several processes with some of the devices each; mine is this one. */
pj_topology_description *pj_topology_of(const size_t *counts, size_t nprocess, size_t mine,
                                        pj_client *client);
/* Meets the other processes of the job (processes.c). counts: by process, how many devices it has. */
pj_error *pj_processes_meet(pj_client *c, const pj_Client_Create_args *args, size_t *counts);
void pj_topology_free(pj_topology_description *t);

/* ---- Values and buffers ---- */

typedef struct pj_compiled pj_compiled;

/* Host data in the form of Tessera's tensors, with the event that tells when it is ready. */
typedef struct pj_value {
    atomic_int refs;
    pj_buffer_type type;
    size_t rank, bytes;
    int64_t *dims;
    pj_event *ready;
    void *data;          /* NULL until it is ready */
    void *owned;         /* to be freed */
    struct pj_value *of; /* the value that owns the data */
    pj_event *released;  /* complete when nobody needs the host's data any more */
    void (*on_release)(void *data, void *user);
    void *user;
    pj_device *device; /* that accounts for its bytes */
} pj_value;

struct pj_buffer {
    pj_client *client;
    pj_memory *memory;
    pj_value *value; /* NULL: deleted */
    pj_event *ready;
    pthread_mutex_t lock;
    bool deleted;
    int external; /* external references */
    pj_buffer_type type;
    size_t rank, bytes;
    int64_t dims[]; /* then the order of dimensions, minor to major */
};

/* A value that is not ready yet. NULL: no memory, or an impossible size. */
pj_value *pj_value_new(pj_buffer_type type, const int64_t *dims, size_t rank, pj_device *device);
pj_value *pj_value_ref(pj_value *v);
void pj_value_unref(pj_value *v);
/* The same with an error that says why. */
pj_error *pj_value_make(pj_buffer_type type, const int64_t *dims, size_t rank, pj_device *device,
                        pj_value **out);
/* The given memory, or that of the device; an error if it is not the client's. */
pj_error *pj_client_memory(pj_client *c, pj_device *device, pj_memory *memory, pj_memory **out);
/* Allocates its memory. False: there is none. */
bool pj_value_allocate(pj_value *v);
/* Gives it the memory of another value, which is ready, not used by anyone else, and stays readable. False: it is still
 * in use, or not owned by the other. */
bool pj_value_take(pj_value *v, pj_value *from);
/* Shares the data of another value, which is ready. */
void pj_value_share(pj_value *v, pj_value *of);
/* Takes ownership of the reference to the value. NULL: no memory. */
pj_buffer *pj_buffer_new(pj_client *client, pj_memory *memory, pj_value *value);
void pj_buffer_free(pj_buffer *b);
/* Its value with a new reference; an error if it was deleted or donated. */
pj_error *pj_buffer_value(pj_buffer *b, pj_value **out);
/* Deletes it, if there are no external references to its data. */
pj_error *pj_buffer_drop(pj_buffer *b, const char *how);

/* ---- Copies between layouts ---- */

/* Copies a box of elements; strides in bytes. */
void pj_copy_strided(void *to, const int64_t *to_strides, const void *from,
                     const int64_t *from_strides, const int64_t *dims, size_t rank, size_t size);
/* Type and shape as written in a program: tensor<2x3xf32>. */
typedef struct {
    char text[160];
} pj_shape_text;
pj_shape_text pj_shape(pj_buffer_type type, const int64_t *dims, size_t rank);
void pj_row_major(const int64_t *dims, size_t rank, size_t size, int64_t *strides);
/* Converts booleans and elements of fewer than eight bits to Tessera's representation. */
void pj_normalise(pj_buffer_type type, void *data, size_t n);
/* Strides of a layout that the caller requests; NULL is row-major. */
pj_error *pj_layout_strides(const pj_buffer_memory_layout *l, const int64_t *dims, size_t rank,
                            size_t size, int64_t *strides);

/* ---- Programs ---- */

/* The fields of CompileOptionsProto that are used here. */
typedef struct {
    int64_t replicas, partitions;
    bool portable; /* may run on any single device */
    int64_t *
        devices; /* replicas times partitions of them: by replica, then partition; NULL: not given */
    size_t ndevices;
} pj_options;

pj_error *pj_options_read(pj_options *o, const char *data, size_t len);
void pj_options_free(pj_options *o);

#define PJ_NO_ALIAS SIZE_MAX

typedef struct {
    pj_buffer_type type; /* PJ_TOKEN: a token */
    size_t rank;
    int64_t *dims; /* of a shard */
    size_t bytes;
    bool donor;   /* an argument that may be donated */
    bool donated; /* an argument that is donated; a result computed in an argument's buffer */
    size_t
        alias; /* of a result: the argument that it is computed in if that is donated, or PJ_NO_ALIAS */
    int memory;        /* kind */
    pj_bytes sharding; /* OpSharding */
} pj_port;

/* A compiled program, which executables are handles of. */
struct pj_compiled {
    atomic_int refs;
    pthread_mutex_t lock; /* of the context */
    tsr_ctx *ctx;
    tsr_module *module;
    tsr_executable *executable; /* NULL: the evaluator runs it (TESSERA_ENGINE=reference) */
    size_t replicas, partitions, nin, nout, nalias;
    bool spmd;       /* runs on all devices together */
    bool calls_back; /* calls the host */
    bool small;      /* takes some microseconds */
    pj_port *in, *out;
    pj_bytes code; /* as submitted; while it is compiled */
    size_t code_size;
    pj_bytes options;
    pj_bytes text; /* in the form that runs; from the question for its size to that for itself */
    char name[128], fingerprint[40];
    /* Lists in the form that the interface needs. */
    pj_buffer_type *out_types;
    int64_t *out_dims;
    size_t *out_ranks;
    const char **in_kinds, **out_kinds, **in_shardings, **out_shardings;
    size_t *in_kind_sizes, *out_kind_sizes, *in_sharding_sizes, *out_sharding_sizes;
    pj_layout **in_layouts, **out_layouts;
    int64_t temp_bytes, workspace;
    double flops, bytes_accessed;
    pj_named_value properties[8];
    size_t nproperty;
    pj_compiled *next, **place; /* in the list of programs (sharding.c); NULL: not in it */
};

struct pj_executable {
    pj_compiled *program;
};

/* How a program runs on devices of several processes. */
typedef struct {
    atomic_int refs;
    size_t ndevices; /* of the program */
    uint32_t *ranks; /* by device: its process */
    size_t *places;  /* of local devices among those of the program */
    uint64_t list, program;
    char name[160];
} pj_joint;

pj_joint *pj_joint_ref(pj_joint *j);
void pj_joint_unref(pj_joint *j);

struct pj_loaded_executable {
    pj_client *client;
    pj_compiled *program;
    pj_device **devices; /* replicas times partitions */
    size_t ndevices;
    pj_logical_device_ids *ids;
    pj_device **local; /* those of this process */
    size_t nlocal;
    pj_logical_device_ids *local_ids;
    pj_joint *joint; /* NULL: all are of this process */
    bool deleted, portable;
};

pj_error *pj_compile(const char *code, size_t code_size, const char *options, size_t options_size,
                     const pj_options *o, const tsr_budget *budget, pj_compiled **out);
pj_compiled *pj_compiled_ref(pj_compiled *p);
void pj_compiled_unref(pj_compiled *p);
/* Computes what the program costs, once: operations, bytes, temporary memory. */
pj_error *pj_cost(pj_compiled *p);
/* The placement of a value as an OpSharding. */
void pj_sharding_write(pj_bytes *out, const tsr_placement *p, size_t partitions);
/* The list of programs whose shardings can be asked for by fingerprint. */
void pj_sharding_enlist(pj_compiled *p);
void pj_sharding_delist(pj_compiled *p);
/* The layout of arrays of this rank. */
pj_layout *pj_layout_of(size_t rank);
const char *pj_layout_text(size_t rank);
/* An error if the requested layout is another one. */
pj_error *pj_layout_check(const pj_buffer_memory_layout *l, const pj_value *v);
extern pj_ffi_extension pj_ffi;
extern pj_layouts_extension pj_layouts;
extern pj_shardings_extension pj_shardings;
extern pj_memory_descriptions_extension pj_memory_descriptions;
extern pj_profiler_extension pj_profiler;
/* One run. Values are ordered by device, then by argument or result. */
struct pj_run {
    pj_task task;
    pj_client *client;
    pj_compiled *program;
    pj_device **devices;
    size_t ndevices;
    pj_joint *joint; /* with devices of other processes; NULL: without */
    bool met;        /* the other processes know how it went */
    pj_value **in, **out;
    bool *donated;      /* by argument */
    pj_event **done;    /* by device; may be NULL */
    pj_event *finished; /* if somebody waits for it; may be NULL */
    int32_t launch;
    /* In the client's list; protected by its lock. */
    pj_run *prev, *next;
    bool running;
    pj_error *poison; /* why it must end */
};

/* The client's list of runs (runs.c): a run in it can be ended from outside. */
void pj_run_enlist(pj_run *r);
/* False: it must not run any more. */
bool pj_run_begin(pj_run *r);
/* The error that it ended with; takes ownership of e. */
pj_error *pj_run_end(pj_run *r, pj_error *e);
/* Custom calls of the program that the host implements (callback.c); whether this thread is running one. */
bool pj_custom_call(void *user, const tsr_custom_call *call, tsr_status *status);
bool pj_in_callback(void);
bool pj_has_callback(tsr_module *m);
/* Whether the op is a custom call of this target. */
bool pj_calls(const tsr_op *op, const char *target);
/* An error if the program calls a target that nobody knows. */
pj_error *pj_check_targets(tsr_module *m);
/* Has the host replace custom calls that it partitions or looks at (partition.c); shardings have been propagated. */
pj_error *pj_host_partition(pj_compiled *p);
/* TESSERA_DUMP: writes the module before and after compilation. */
pj_error *pj_dump(const pj_compiled *p, tsr_str before);

#endif
