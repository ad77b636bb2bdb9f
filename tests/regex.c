/* SPDX-License-Identifier: Apache-2.0 */
/* regex.c - regular expressions for check lines, by backtracking.
 *
 * An expression becomes a list of instructions; a split tries its first way and keeps the second on a stack.
 * Check lines are short and so are the lines they meet, so nothing cleverer is needed. */
#include "runner.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum op {
    CHAR,
    ANY,
    SET,
    SPLIT,
    JUMP,
    SAVE,
    LINE_START,
    LINE_END,
    WORD_EDGE,
    BACKREF,
    LOOP_START,
    LOOP_CHECK,
    MATCH
};

typedef struct {
    enum op op;
    int x, y; /* targets of a split (first x, then y), or a number */
    unsigned char set[32];
} inst;

struct regex {
    inst *code;
    int ncode, room;
    int ngroup, nloop;
    const char *text, *end; /* while compiling */
    const char *error;
};

typedef struct {
    int pc; /* -1: give back the old value of a slot */
    int slot;
    long pos;
} frame;

enum { MAX_CODE = 100000, MAX_LOOPS = 256, MAX_STEPS = 50000000 };

static int emit(regex *re, enum op op, int x, int y)
{
    if (re->ncode >= MAX_CODE) {
        re->error = "expression is too large";
        return 0;
    }
    if (re->ncode == re->room) {
        re->room = re->room ? re->room * 2 : 32;
        re->code = realloc(re->code, (size_t)re->room * sizeof *re->code);
        if (!re->code)
            abort();
    }
    inst *i = &re->code[re->ncode];
    *i = (inst){.op = op, .x = x, .y = y};
    return re->ncode++;
}

static void emit_set(regex *re, const unsigned char set[32])
{
    int at = emit(re, SET, 0, 0);
    memcpy(re->code[at].set, set, 32);
}

/* Moves the instructions from `at` on up by n, and their targets with them. */
static void insert(regex *re, int at, int n)
{
    int old = re->ncode;
    for (int i = 0; i < n; i++)
        emit(re, JUMP, 0, 0);
    if (re->error)
        return;
    memmove(re->code + at + n, re->code + at, (size_t)(old - at) * sizeof *re->code);
    for (int i = at + n; i < re->ncode; i++) {
        inst *c = &re->code[i];
        if (c->op == SPLIT || c->op == JUMP)
            c->x += n;
        if (c->op == SPLIT)
            c->y += n;
    }
}

/* Copies the instructions [from, to) to the end. */
static void copy(regex *re, int from, int to)
{
    int shift = re->ncode - from;
    for (int i = from; i < to && !re->error; i++) {
        int at = emit(re, CHAR, 0, 0);
        inst c = re->code[i];
        if (c.op == SPLIT || c.op == JUMP)
            c.x += shift;
        if (c.op == SPLIT)
            c.y += shift;
        re->code[at] = c;
    }
}

static void set_add(unsigned char *set, int c)
{
    set[(c & 255) >> 3] |= (unsigned char)(1 << (c & 7));
}

static void set_class(unsigned char *set, const char *name, size_t len, regex *re)
{
    static const struct {
        const char *name;
        int (*is)(int);
    } classes[] = {{"alpha", isalpha}, {"digit", isdigit}, {"alnum", isalnum}, {"space", isspace},
                   {"upper", isupper}, {"lower", islower}, {"punct", ispunct}, {"xdigit", isxdigit},
                   {"print", isprint}, {"graph", isgraph}, {"cntrl", iscntrl}, {"blank", isblank}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strlen(classes[i].name) != len || memcmp(classes[i].name, name, len))
            continue;
        for (int c = 0; c < 128; c++)
            if (classes[i].is(c))
                set_add(set, c);
        return;
    }
    re->error = "unknown character class";
}

/* set ::= '[' '^'? ']'? (char | char '-' char | '[:' name ':]')* ']' */
static void compile_set(regex *re)
{
    unsigned char set[32] = {0};
    bool negated = false, first = true;
    const char *p = re->text + 1;
    if (p < re->end && *p == '^')
        negated = true, p++;
    for (;; first = false) {
        if (p >= re->end) {
            re->error = "brackets ([ ]) not balanced";
            return;
        }
        if (*p == ']' && !first)
            break;
        if (*p == '[' && p + 1 < re->end && p[1] == ':') {
            const char *name = p + 2, *stop = name;
            while (stop + 1 < re->end && !(stop[0] == ':' && stop[1] == ']'))
                stop++;
            if (stop + 1 >= re->end) {
                re->error = "brackets ([ ]) not balanced";
                return;
            }
            set_class(set, name, (size_t)(stop - name), re);
            p = stop + 2;
            continue;
        }
        int low = (unsigned char)*p++, high = low;
        if (p + 1 < re->end && *p == '-' && p[1] != ']')
            high = (unsigned char)p[1], p += 2;
        if (high < low)
            re->error = "invalid character range";
        for (int c = low; c <= high; c++)
            set_add(set, c);
    }
    re->text = p + 1;
    if (negated) {
        for (int i = 0; i < 32; i++)
            set[i] = (unsigned char)~set[i];
        set['\n' >> 3] &= (unsigned char)~(1 << ('\n' & 7));
    }
    emit_set(re, set);
}

static void compile_escape(regex *re)
{
    if (re->text + 1 >= re->end) {
        re->error = "trailing backslash (\\)";
        return;
    }
    int c = (unsigned char)re->text[1];
    re->text += 2;
    unsigned char set[32] = {0};
    switch (c) {
    case 'd':
    case 'D': set_class(set, "digit", 5, re); break;
    case 's':
    case 'S': set_class(set, "space", 5, re); break;
    case 'w':
    case 'W': set_class(set, "alnum", 5, re), set_add(set, '_'); break;
    case 'b': emit(re, WORD_EDGE, 0, 0); return;
    case 'n': emit(re, CHAR, '\n', 0); return;
    case 't': emit(re, CHAR, '\t', 0); return;
    default:
        if (c >= '1' && c <= '9')
            emit(re, BACKREF, c - '0', 0);
        else
            emit(re, CHAR, c, 0);
        return;
    }
    if (isupper(c)) {
        for (int i = 0; i < 32; i++)
            set[i] = (unsigned char)~set[i];
        set['\n' >> 3] &= (unsigned char)~(1 << ('\n' & 7));
    }
    emit_set(re, set);
}

static void compile_choice(regex *re, int depth);

/* atom ::= '(' choice ')' | set | '.' | '^' | '$' | escape | char */
static void compile_atom(regex *re, int depth)
{
    switch (*re->text) {
    case '(': {
        int group = ++re->ngroup;
        re->text++;
        if (group < REGEX_GROUPS)
            emit(re, SAVE, 2 * group, 0);
        compile_choice(re, depth + 1);
        if (re->error)
            return;
        if (re->text >= re->end || *re->text != ')') {
            re->error = "parentheses not balanced";
            return;
        }
        re->text++;
        if (group < REGEX_GROUPS)
            emit(re, SAVE, 2 * group + 1, 0);
        return;
    }
    case '[': compile_set(re); return;
    case '\\': compile_escape(re); return;
    case '.': emit(re, ANY, 0, 0), re->text++; return;
    case '^': emit(re, LINE_START, 0, 0), re->text++; return;
    case '$': emit(re, LINE_END, 0, 0), re->text++; return;
    case '*':
    case '+':
    case '?': re->error = "repetition-operator operand invalid"; return;
    default: emit(re, CHAR, (unsigned char)*re->text, 0), re->text++; return;
    }
}

/* Makes the atom at [from, end) a loop of any number of rounds; a round that takes nothing ends it. */
static void make_star(regex *re, int from, bool lazy)
{
    int loop = re->nloop++;
    if (loop >= MAX_LOOPS) {
        re->error = "too many repetitions";
        return;
    }
    insert(re, from, 2);
    if (re->error)
        return;
    re->code[from + 1] = (inst){.op = LOOP_START, .x = loop};
    emit(re, LOOP_CHECK, loop, 0);
    emit(re, JUMP, from, 0);
    int out = re->ncode;
    re->code[from] = (inst){.op = SPLIT, .x = lazy ? out : from + 1, .y = lazy ? from + 1 : out};
}

static void make_optional(regex *re, int from, bool lazy)
{
    insert(re, from, 1);
    if (re->error)
        return;
    int out = re->ncode;
    re->code[from] = (inst){.op = SPLIT, .x = lazy ? out : from + 1, .y = lazy ? from + 1 : out};
}

static bool parse_bounds(regex *re, int *low, int *high)
{
    const char *p = re->text + 1;
    int n[2] = {0, -1};
    for (int i = 0; i < 2; i++) {
        bool any = false;
        int v = 0;
        for (; p < re->end && isdigit((unsigned char)*p) && v < 1000; p++, any = true)
            v = v * 10 + (*p - '0');
        if (any)
            n[i] = v;
        else if (i == 0)
            return false;
        if (i == 0 && p < re->end && *p == ',') {
            p++;
            continue;
        }
        if (i == 0)
            n[1] = n[0];
        break;
    }
    if (p >= re->end || *p != '}')
        return false;
    re->text = p + 1;
    *low = n[0], *high = n[1];
    return n[0] <= 255 && n[1] <= 255;
}

/* piece ::= atom ('*' | '+' | '?' | '{' n (',' m?)? '}')* '?'? */
static void compile_piece(regex *re, int depth)
{
    int from = re->ncode;
    compile_atom(re, depth);
    while (!re->error && re->text < re->end && strchr("*+?{", *re->text) && *re->text) {
        int low, high;
        char c = *re->text;
        if (c == '{') {
            if (!parse_bounds(re, &low, &high)) {
                re->error = "invalid repetition count(s)";
                return;
            }
        } else {
            re->text++;
            low = c == '+', high = c == '?' ? 1 : -1;
        }
        bool lazy = re->text < re->end && *re->text == '?';
        re->text += lazy;
        int to = re->ncode, size = to - from;
        for (int i = 1; i < low; i++)
            copy(re, from, from + size);
        if (low == 0 && high == 0) {
            re->ncode = from;
        } else if (high < 0) {
            if (low)
                copy(re, from, from + size);
            make_star(re, re->ncode - size, lazy);
        } else {
            for (int i = low; i < high; i++) {
                if (i > 0)
                    copy(re, from, from + size);
                if (i > 0)
                    make_optional(re, re->ncode - size, lazy);
            }
            if (low == 0)
                make_optional(re, from, lazy);
        }
    }
}

/* choice ::= piece* ('|' piece*)* */
static void compile_choice(regex *re, int depth)
{
    if (depth > 100) {
        re->error = "parentheses nested too deeply";
        return;
    }
    int from = re->ncode, jumps[256], njump = 0;
    for (;;) {
        while (!re->error && re->text < re->end && *re->text != '|' && *re->text != ')')
            compile_piece(re, depth);
        if (re->error || re->text >= re->end || *re->text != '|')
            break;
        if (njump == 256) {
            re->error = "too many alternatives";
            return;
        }
        re->text++;
        insert(re, from, 1);
        jumps[njump++] = emit(re, JUMP, 0, 0);
        if (re->error)
            return;
        re->code[from] = (inst){.op = SPLIT, .x = from + 1, .y = re->ncode};
        from = re->ncode;
    }
    for (int i = 0; i < njump && !re->error; i++)
        re->code[jumps[i]].x = re->ncode;
}

regex *regex_new(const char *text, size_t len, const char **error)
{
    regex *re = calloc(1, sizeof *re);
    if (!re)
        abort();
    re->text = text, re->end = text + len;
    compile_choice(re, 0);
    if (!re->error && re->text < re->end)
        re->error = "parentheses not balanced";
    emit(re, MATCH, 0, 0);
    if (re->error) {
        *error = re->error;
        regex_free(re);
        return NULL;
    }
    return re;
}

void regex_free(regex *re)
{
    if (re)
        free(re->code);
    free(re);
}

typedef struct {
    const char *text;
    long len;
    long slot[2 * REGEX_GROUPS + MAX_LOOPS];
    frame *stack;
    size_t nstack, room;
    long steps;
} state;

static void push(state *s, int pc, int slot, long pos)
{
    if (s->nstack == s->room) {
        s->room = s->room ? s->room * 2 : 256;
        s->stack = realloc(s->stack, s->room * sizeof *s->stack);
        if (!s->stack)
            abort();
    }
    s->stack[s->nstack++] = (frame){pc, slot, pos};
}

static bool is_word(const state *s, long at)
{
    return at >= 0 && at < s->len && (isalnum((unsigned char)s->text[at]) || s->text[at] == '_');
}

static void save(state *s, int slot, long pos)
{
    push(s, -1, slot, s->slot[slot]);
    s->slot[slot] = pos;
}

/* One step at pos; false when this way is closed. */
static bool step(const regex *re, state *s, int *pc, long *pos)
{
    const inst *i = &re->code[*pc];
    int c = *pos < s->len ? (unsigned char)s->text[*pos] : -1;
    ++*pc;
    switch (i->op) {
    case CHAR: ++*pos; return c == i->x;
    case ANY: ++*pos; return c >= 0 && c != '\n';
    case SET: ++*pos; return c >= 0 && (i->set[c >> 3] >> (c & 7) & 1);
    case SPLIT: push(s, i->y, 0, *pos), *pc = i->x; return true;
    case JUMP: *pc = i->x; return true;
    case SAVE: save(s, i->x, *pos); return true;
    case LINE_START: return *pos == 0 || s->text[*pos - 1] == '\n';
    case LINE_END: return c < 0 || c == '\n';
    case WORD_EDGE: return is_word(s, *pos - 1) != is_word(s, *pos);
    case LOOP_START: save(s, 2 * REGEX_GROUPS + i->x, *pos); return true;
    case LOOP_CHECK: return s->slot[2 * REGEX_GROUPS + i->x] != *pos;
    case BACKREF: {
        long from = s->slot[2 * i->x], to = s->slot[2 * i->x + 1];
        if (from < 0 || to < from || to - from > s->len - *pos)
            return false;
        if (memcmp(s->text + from, s->text + *pos, (size_t)(to - from)))
            return false;
        *pos += to - from;
        return true;
    }
    case MATCH: return true;
    }
    return false;
}

static bool match_at(const regex *re, state *s, long at)
{
    int pc = 0;
    long pos = at;
    s->nstack = 0;
    for (int i = 0; i < 2 * REGEX_GROUPS; i++)
        s->slot[i] = -1;
    for (;;) {
        if (re->code[pc].op == MATCH) {
            s->slot[0] = at, s->slot[1] = pos;
            return true;
        }
        if (step(re, s, &pc, &pos) && ++s->steps < MAX_STEPS)
            continue;
        if (s->steps >= MAX_STEPS)
            return false;
        for (;;) {
            if (s->nstack == 0)
                return false;
            frame f = s->stack[--s->nstack];
            if (f.pc >= 0) {
                pc = f.pc, pos = f.pos;
                break;
            }
            s->slot[f.slot] = f.pos;
        }
    }
}

bool regex_find(const regex *re, const char *text, size_t len, long span[2 * REGEX_GROUPS])
{
    state s = {.text = text, .len = (long)len};
    bool found = false;
    int first = re->code[0].op == CHAR ? re->code[0].x : -1;
    for (long at = 0; at <= s.len && !found; at++) {
        if (first >= 0) {
            const char *p = at < s.len ? memchr(text + at, first, (size_t)(s.len - at)) : NULL;
            if (!p)
                break;
            at = p - text;
        }
        s.steps = 0;
        found = match_at(re, &s, at);
    }
    if (found)
        memcpy(span, s.slot, sizeof(long) * 2 * REGEX_GROUPS);
    free(s.stack);
    return found;
}
