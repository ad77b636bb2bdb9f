/* SPDX-License-Identifier: Apache-2.0 */
/* list.h - the one intrusive list: nodes have prev and next, the owner has first and last. */
#ifndef TSR_BASE_LIST_H
#define TSR_BASE_LIST_H

#include "base/compiler.h"

/* Inserts node before at; at == NULL appends. */
#define TSR_LIST_INSERT(owner, node, at)                  \
    do {                                                  \
        (node)->next = (at);                              \
        (node)->prev = (at) ? (at)->prev : (owner)->last; \
        if ((node)->prev)                                 \
            (node)->prev->next = (node);                  \
        else                                              \
            (owner)->first = (node);                      \
        if ((node)->next)                                 \
            (node)->next->prev = (node);                  \
        else                                              \
            (owner)->last = (node);                       \
    } while (0)

#define TSR_LIST_REMOVE(owner, node)           \
    do {                                       \
        if ((node)->prev)                      \
            (node)->prev->next = (node)->next; \
        else                                   \
            (owner)->first = (node)->next;     \
        if ((node)->next)                      \
            (node)->next->prev = (node)->prev; \
        else                                   \
            (owner)->last = (node)->prev;      \
        (node)->prev = (node)->next = NULL;    \
    } while (0)

#endif
