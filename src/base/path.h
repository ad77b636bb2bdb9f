/* SPDX-License-Identifier: Apache-2.0 */
/* path.h - names of values as paths, and patterns of them.
 *
 * Frontends write one name in many ways: state['m']['w'][0], state.m.w[0], state/m/w/0. Their normal form is the last
 * one: brackets, quotes, dots and slashes separate its parts. In a pattern, * stands for any characters of one part, ?
 * for one character, ** for any number of parts. */
#ifndef TSR_BASE_PATH_H
#define TSR_BASE_PATH_H

#include "base/str.h"

/* Appends the normal form of a name or of a pattern. */
void tsr_path_normal(tsr_buf *out, tsr_str name);
/* Whether a pattern fits a path, both in normal form. */
bool tsr_path_fits(tsr_str pattern, tsr_str path);
/* The same; *reach becomes the end of the part of the pattern up to which it fits the beginning of the path, if that is
 * further. */
bool tsr_path_reach(tsr_str pattern, tsr_str path, size_t *reach);

#endif
