/* SPDX-License-Identifier: Apache-2.0 */
/* translate.h - conversions as in stablehlo-translate, chunk by chunk: running modules, portable artifacts. */
#ifndef TSR_TOOLS_TRANSLATE_H
#define TSR_TOOLS_TRANSLATE_H

#include "tools.h"

typedef struct translate_options translate_options;

/* Converts one chunk and appends the result to out. False after diagnostics; *environment if the environment failed,
 * not the input. */
typedef bool translate_work(const translate_options *o, tsr_ctx *ctx, const source *src,
                            tsr_str chunk, uint32_t line, tsr_buf *out, bool *environment);

struct translate_options {
    file_options file;
    translate_work *work;
    /* --interpret */
    const char *args;      /* [dense<1> : tensor<2xi32>, ...]; NULL: none */
    const char *probe_dir; /* NULL: none */
    bool dense;            /* results as dense attributes */
    /* --serialize, --deserialize */
    const char *target; /* version of the artifact */
    bool strip, allow_others, show_version;
    /* --ttnn-to-flatbuffer, --ttmetal-to-flatbuffer */
    TSR_VEC(const char *) goldens; /* location=file.npy */
    TSR_VEC(const char *) stages;  /* name=file.mlir */
    const char *goldens_from;      /* a program; NULL: none */
    uint64_t seed;                 /* of its inputs */
    bool debug_info;               /* --deserialize, --flatbuffer-to-ttnn: print locations */
    bool local_scope;              /* --flatbuffer-to-ttnn, --ttnn-to-flatbuffer: no aliases */
    /* --mlir-to-cpp, --mlir-to-python */
    const char *file_id; /* which of several files; NULL: ops outside of files */
    bool python_file;    /* given as --emitpy-file-id */
};

translate_work interpret_chunk; /* interpret.c */
translate_work serialize_chunk; /* serialize.c */
translate_work deserialize_chunk;
translate_work to_flatbuffer_chunk; /* flatbuffer.c */
translate_work from_flatbuffer_chunk;
translate_work to_ttmetal_chunk;
translate_work from_ttmetal_chunk;
translate_work to_cpp_chunk; /* emit.c */
translate_work to_python_chunk;

#endif
