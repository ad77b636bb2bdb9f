/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz.h - what the fuzz targets share.
 *
 * A target is one file with LLVMFuzzerTestOneInput, and with LLVMFuzzerCustomMutator where mutations should know the form of its
 * inputs. Linked with libFuzzer (-DTSR_LIBFUZZER) it is fuzzed; without, fuzz.c has a main that runs the files it is given. What a
 * target wants of the library it says with fuzz_must. */
#ifndef TSR_TESTS_FUZZ_H
#define TSR_TESTS_FUZZ_H

#include "tessera/tessera.h"

#include "../mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
/* libFuzzer's own mutations; without libFuzzer, none. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Ends the process with a message when it is not so. */
void fuzz_must(bool ok, const char *what);

/* A context with budgets that end every call within seconds. */
typedef struct {
    tsr_ctx *ctx;
    bool error; /* some diagnostic was an error with a text */
} fuzz_world;

void fuzz_open(fuzz_world *w);
void fuzz_close(fuzz_world *w);
/* Whether the last call ended because of a budget. */
bool fuzz_was_stopped(const fuzz_world *w);
/* The module prints to a text that parses and prints to itself. */
void fuzz_round_trip(fuzz_world *w, tsr_module *m, const tsr_print_options *how);
/* What stands behind "// " in the first line. */
tsr_str fuzz_first_line(tsr_str input);

/* A scratch folder, which the process works in from the first call on. It is emptied now and then (anew: at once), and goes with the
 * process. True: it is empty, and the caller has to make its files. */
bool fuzz_folder(bool anew);
void fuzz_write(const char *path, const void *data, size_t size);
/* tools/main.c, under another name. */
int tool_main(int argc, char **argv);
/* The tool with these words (at most 64) behind its name, limited; no word leaves the scratch folder. The exit code must be one that
 * is documented. */
void fuzz_tool(const char *const *words, size_t n);

/* For mutators: most of the time one of mutate_text, otherwise libFuzzer's. */
size_t fuzz_mutate_text(uint8_t *data, size_t size, size_t most, uint64_t *rng);
/* Puts "// line" in place of the first line, or before a text that has none. */
size_t fuzz_set_first_line(uint8_t *data, size_t size, size_t most, const char *line);

#endif
