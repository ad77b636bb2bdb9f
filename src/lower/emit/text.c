/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - prints attributes of TTNN as expressions of C++ and Python. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lower/emit/emit.h"

const char *const tsr_emit_none[TSR_EMIT_LANGUAGES] = {"::std::nullopt", "None"};
static const char *const truth[TSR_EMIT_LANGUAGES][2] = {{"false", "true"}, {"False", "True"}};

/* ---- Names and strings ---- */

void tsr_emit_string(tsr_buf *out, tsr_str s)
{
    tsr_buf_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.data[i];
        if (c == '"' || c == '\\')
            tsr_buf_printf(out, "\\%c", c);
        else if (c >= 32 && c < 127)
            tsr_buf_char(out, (char)c);
        else
            tsr_buf_printf(out, "\\%03o", c);
    }
    tsr_buf_char(out, '"');
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Words reserved in either language. */
static const char *const words[] = {
    "alignas",   "alignof",  "and",     "as",        "asm",       "assert",    "async",
    "auto",      "await",    "bool",    "break",     "case",      "catch",     "char",
    "class",     "concept",  "const",   "consteval", "constexpr", "constinit", "continue",
    "def",       "default",  "del",     "delete",    "do",        "double",    "elif",
    "else",      "enum",     "except",  "explicit",  "export",    "extern",    "False",
    "false",     "finally",  "float",   "for",       "friend",    "from",      "global",
    "goto",      "if",       "import",  "in",        "inline",    "int",       "is",
    "lambda",    "long",     "mutable", "namespace", "new",       "None",      "noexcept",
    "nonlocal",  "not",      "nullptr", "operator",  "or",        "pass",      "private",
    "protected", "public",   "raise",   "register",  "requires",  "return",    "short",
    "signed",    "sizeof",   "static",  "struct",    "switch",    "template",  "this",
    "throw",     "True",     "true",    "try",       "typedef",   "typeid",    "typename",
    "union",     "unsigned", "using",   "virtual",   "void",      "volatile",  "while",
    "with",      "xor",      "yield",
};

static bool is_word(tsr_str s)
{
    for (size_t i = 0; i < TSR_COUNT(words); i++)
        if (tsr_str_is(s, words[i]))
            return true;
    return false;
}

bool tsr_emit_is_identifier(tsr_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!is_letter(name.data[i]) && !(i && name.data[i] >= '0' && name.data[i] <= '9'))
            return false;
    return name.len && !is_word(name);
}

void tsr_emit_identifier(tsr_buf *out, tsr_str name)
{
    if (!name.len || (name.data[0] >= '0' && name.data[0] <= '9'))
        tsr_buf_char(out, '_');
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        tsr_buf_char(out, is_letter(c) || (c >= '0' && c <= '9') ? c : '_');
    }
    if (is_word(name))
        tsr_buf_char(out, '_');
}

/* ---- Names of enumeration cases ---- */

typedef struct {
    const tsr_attrdef *def;
    const char *prefix[TSR_EMIT_LANGUAGES];
    const char *const *cases[TSR_EMIT_LANGUAGES]; /* NULL entry: neither language has it */
    size_t n;
} word_row;

static const char *const data_types[] = {"FLOAT32", NULL,        "BFLOAT16", NULL, "BFLOAT8_B",
                                         NULL,      "BFLOAT4_B", NULL,       NULL, "UINT32",
                                         "UINT16",  "UINT8",     "INT32",    NULL};
static const char *const pages[] = {"ROW_MAJOR", "TILE", "INVALID"};
static const char *const memories[] = {"INTERLEAVED", "HEIGHT_SHARDED", "WIDTH_SHARDED",
                                       "BLOCK_SHARDED", "ND_SHARDED"};
static const char *const buffers[] = {"DRAM", "L1", "SYSTEM_MEMORY", "L1_SMALL", "TRACE"};
static const char *const orientations[] = {"ROW_MAJOR", "COL_MAJOR"};
static const char *const fidelities[] = {"LoFi", "HiFi2", "HiFi3", "HiFi4"};
static const char *const topologies[] = {"Ring", "Linear", "Mesh", "Torus", NULL};
static const char *const reductions[] = {"Sum", "Mean", "Max",  "Min",
                                         "Std", "Var",  "Prod", "Invalid"};
static const char *const masks[] = {"None", "Causal", "Arbitrary"};
static const char *const slices[] = {"DRAM_HEIGHT", "DRAM_WIDTH", "L1_FULL"};
static const char *const python_slices[] = {"DRAMSliceHeight", "DRAMSliceWidth", "L1Full"};

#define WORDS(id, cpp, python, list)                                \
    {                                                               \
        &tsr_def_##id, {cpp, python}, {list, list}, TSR_COUNT(list) \
    }
static const word_row word_rows[] = {
    WORDS(TTCORE_DATA_TYPE, "::ttnn::DataType::", "ttnn.DataType.", data_types),
    WORDS(TTNN_LAYOUT, "::ttnn::Layout::", "ttnn.Layout.", pages),
    WORDS(TTNN_MEMORY_LAYOUT, "::ttnn::TensorMemoryLayout::", "ttnn.TensorMemoryLayout.", memories),
    WORDS(TTNN_BUFFER_TYPE, "::ttnn::BufferType::", "ttnn.BufferType.", buffers),
    WORDS(TTNN_SHARD_ORIENTATION, "::ttnn::types::ShardOrientation::", "ttnn.ShardOrientation.",
          orientations),
    WORDS(TTNN_MATH_FIDELITY, "::tt::tt_metal::MathFidelity::", "ttnn.MathFidelity.", fidelities),
    WORDS(TTCORE_TOPOLOGY, "::tt::tt_fabric::Topology::", "ttnn.Topology.", topologies),
    WORDS(TTCORE_REDUCE_TYPE, "::reduction_common::ReduceType::", "ttnn.ReduceType.", reductions),
    WORDS(TTCORE_ATTENTION_MASK_TYPE,
          "::ttml::metal::AttentionMaskType::", "ttml.metal.AttentionMaskType.", masks),
    {&tsr_def_TTNN_SLICE_TYPE,
     {"ttnn::Conv2dSliceConfig::SliceType::", "ttnn.Conv2d"},
     {slices, python_slices},
     TSR_COUNT(slices)},
};
#undef WORDS

/* unary_op_type: the case in capitals; multi-word names are joined. */
static void unary_word(tsr_buf *out, tsr_emit_language l, const char *word)
{
    bool joined = strncmp(word, "is_", 3) == 0 || strcmp(word, "soft_plus") == 0;
    tsr_buf_cstr(out, l == TSR_EMIT_CPP ? "::ttnn::operations::unary::UnaryOpType::"
                                        : "ttnn.UnaryOpType.");
    for (; *word; word++)
        if (!(joined && *word == '_'))
            tsr_buf_char(out, *word >= 'a' && *word <= 'z' ? (char)(*word - 'a' + 'A') : *word);
}

static bool word(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    if (a->def == &tsr_def_TTNN_UNARY_OP) {
        unary_word(out, l, a->def->cases[a->i]);
        return true;
    }
    for (size_t i = 0; i < TSR_COUNT(word_rows); i++) {
        const word_row *r = &word_rows[i];
        if (a->def != r->def)
            continue;
        if (a->i < 0 || (size_t)a->i >= r->n || !r->cases[l][a->i])
            return false;
        tsr_buf_printf(out, "%s%s", r->prefix[l], r->cases[l][a->i]);
        return true;
    }
    return false;
}

/* The case of unary_op_type that unary_word prints in this way. */
static tsr_attr *unary_case(tsr_ctx *ctx, tsr_str name)
{
    static const char prefix[] = "ttnn.UnaryOpType.";
    tsr_attr *found = NULL;
    for (int64_t i = 0; tsr_def_TTNN_UNARY_OP.cases[i] && !found; i++) {
        tsr_buf text = {0};
        unary_word(&text, TSR_EMIT_PYTHON, tsr_def_TTNN_UNARY_OP.cases[i]);
        tsr_str said = tsr_buf_text(&text);
        if (tsr_str_eq(name, (tsr_str){said.data + strlen(prefix), said.len - strlen(prefix)}))
            found = tsr_attr_enum(ctx, &tsr_def_TTNN_UNARY_OP, i);
        tsr_buf_free(&text);
    }
    return found;
}

tsr_attr *tsr_emit_case(tsr_ctx *ctx, const tsr_attrdef *def, tsr_str name)
{
    if (def == &tsr_def_TTNN_UNARY_OP)
        return unary_case(ctx, name);
    for (size_t i = 0; i < TSR_COUNT(word_rows); i++)
        for (size_t k = 0; word_rows[i].def == def && k < word_rows[i].n; k++)
            for (int l = 0; l < TSR_EMIT_LANGUAGES; l++)
                if (word_rows[i].cases[l][k] && tsr_str_is(name, word_rows[i].cases[l][k]))
                    return tsr_attr_enum(ctx, def, (int64_t)k);
    return NULL;
}

/* ---- Numbers ---- */

/* The digits that identify the number, truncated: 0.1, 1.0E+10, 9.99999974E-6. */
static void digits(tsr_buf *out, double x, int most)
{
    enum { PADDING = 3 }; /* zeros before an exponent is used instead */
    char text[40], d[24];
    int n = 0;
    snprintf(text, sizeof text, "%.*e", 16, x < 0 || signbit(x) ? -x : x);
    for (const char *p = text; *p && *p != 'e' && n < most; p++)
        if (*p >= '0' && *p <= '9')
            d[n++] = *p;
    while (n > 1 && d[n - 1] == '0')
        n--;
    int e = atoi(strchr(text, 'e') + 1);
    bool whole = e >= n - 1;
    tsr_buf_cstr(out, signbit(x) ? "-" : "");
    if (whole ? e - (n - 1) > PADDING : -e > PADDING) {
        tsr_buf_printf(out, "%c.%.*s%sE%s%d", d[0], n - 1, d + 1, n == 1 ? "0" : "",
                       e < 0 ? "-" : "+", e < 0 ? -e : e);
        return;
    }
    if (e < 0)
        tsr_buf_printf(out, "0.%.*s%.*s", -e - 1, "000", n, d);
    else if (whole)
        tsr_buf_printf(out, "%.*s%.*s.0", n, d, e - (n - 1), "000");
    else
        tsr_buf_printf(out, "%.*s.%.*s", e + 1, d, n - e - 1, d + e + 1);
}

static void number(tsr_buf *out, tsr_emit_language l, double x, bool is_float)
{
    if (isnan(x) || isinf(x)) {
        const char *name = isnan(x) ? "nan" : "inf";
        if (l == TSR_EMIT_PYTHON)
            tsr_buf_printf(out, "float('%s%s')", isinf(x) && x < 0 ? "-" : "", name);
        else
            tsr_buf_printf(out, "%s::std::numeric_limits<%s>::%s()", isinf(x) && x < 0 ? "-" : "",
                           is_float ? "float" : "double", isnan(x) ? "quiet_NaN" : "infinity");
        return;
    }
    digits(out, x, is_float ? 9 : 17);
    if (l == TSR_EMIT_CPP && is_float)
        tsr_buf_char(out, 'f');
}

static void float_attr(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    double x = tsr_float_to_double((tsr_float_kind)a->type->sub, (uint64_t)a->i);
    number(out, l, a->type->sub == TSR_F64 ? (double)(float)x : x, true);
}

/* Elements of a constant: a list, or in Python a single number for a splat. */
static bool elements(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    const tsr_type *elem = a->type->elem;
    size_t bytes = tsr_type_storage_bits(elem) / 8, n = (size_t)tsr_attr_count(a);
    bool one = a->sub && l == TSR_EMIT_PYTHON;
    if (elem->kind != TSR_TYPE_FLOAT || !bytes)
        return false;
    tsr_buf_cstr(out, one ? "" : l == TSR_EMIT_CPP ? "::std::vector<float>{" : "[");
    for (size_t i = 0; i < (one ? 1 : n); i++) {
        uint64_t bits = 0;
        memcpy(&bits, a->s.data + (a->sub ? 0 : i * bytes), bytes);
        tsr_buf_cstr(out, i ? ", " : "");
        number(out, l, (double)(float)tsr_float_to_double((tsr_float_kind)elem->sub, bits), true);
    }
    tsr_buf_cstr(out, one ? "" : l == TSR_EMIT_CPP ? "}" : "]");
    return true;
}

static bool is_int_list(const tsr_attr *a)
{
    if (a->kind == TSR_ATTR_ARRAY) {
        for (uint32_t i = 0; i < a->n; i++)
            if (a->attrs[i]->kind != TSR_ATTR_INT)
                return false;
        return true;
    }
    return (a->kind == TSR_ATTR_DENSE_ARRAY && a->type->kind == TSR_TYPE_INTEGER) ||
           (a->kind == TSR_ATTR_DENSE && a->type->elem->kind == TSR_TYPE_INTEGER);
}

static int64_t int_at(const tsr_attr *a, size_t i)
{
    return a->kind == TSR_ATTR_ARRAY ? a->attrs[i]->i : tsr_attr_int_at(a, i);
}

static void ints(tsr_buf *out, const tsr_attr *a)
{
    int64_t n = tsr_attr_count(a);
    for (int64_t i = 0; i < n; i++)
        tsr_buf_printf(out, "%s%lld", i ? ", " : "", (long long)int_at(a, (size_t)i));
}

/* List types in C++, by the words of calls.def; %lld: number of elements. */
static const struct {
    const char *as, *type;
} lists[] = {
    {"array", "::std::array<uint32_t, %lld>"}, {"iarray", "::std::array<int, %lld>"},
    {"vec", "::std::vector<int32_t>"},         {"uvec", "::std::vector<uint32_t>"},
    {"small", "::ttsl::SmallVector<int32_t>"}, {"small64", "::ttsl::SmallVector<int64_t>"},
};

static void list_type(tsr_buf *out, tsr_str as, int64_t n)
{
    for (size_t i = 0; i < TSR_COUNT(lists); i++)
        if (tsr_str_is(as, lists[i].as)) {
            tsr_buf_printf(out, lists[i].type, (long long)n);
            return;
        }
    tsr_buf_cstr(out, "::ttsl::SmallVector<int32_t>");
}

/* Low and high of each dimension. */
static void pairs(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    int64_t n = tsr_attr_count(a) / 2;
    tsr_buf_cstr(out, l == TSR_EMIT_CPP ? "::ttsl::SmallVector<::std::array<uint32_t, 2>>{" : "[");
    for (int64_t i = 0; i < n; i++)
        tsr_buf_printf(
            out, l == TSR_EMIT_CPP ? "%s::std::array<uint32_t, 2>{%lld, %lld}" : "%s[%lld, %lld]",
            i ? ", " : "", (long long)int_at(a, (size_t)(2 * i)),
            (long long)int_at(a, (size_t)(2 * i + 1)));
    tsr_buf_char(out, l == TSR_EMIT_CPP ? '}' : ']');
}

/* Paddings of windows are top, left, bottom, right here, and top, bottom, left, right there. */
static void window_padding(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    static const size_t four[] = {0, 2, 1, 3};
    int64_t n = tsr_attr_count(a);
    if (l == TSR_EMIT_CPP)
        tsr_buf_printf(out, "::std::array<uint32_t, %lld>{", (long long)n);
    else
        tsr_buf_char(out, '[');
    for (int64_t i = 0; i < n; i++)
        tsr_buf_printf(out, "%s%lld", i ? ", " : "",
                       (long long)int_at(a, n == 4 ? four[i] : (size_t)i));
    tsr_buf_char(out, l == TSR_EMIT_CPP ? '}' : ']');
}

static void int_list(tsr_buf *out, tsr_emit_language l, const tsr_attr *a, tsr_str as)
{
    if (tsr_str_is(as, "pairs")) {
        pairs(out, l, a);
        return;
    }
    if (tsr_str_is(as, "window")) {
        window_padding(out, l, a);
        return;
    }
    if (tsr_str_is(as, "coord")) {
        tsr_buf_cstr(out, l == TSR_EMIT_CPP ? "::ttnn::MeshCoordinate(ttsl::Span<const uint32_t>{"
                                            : "ttnn.MeshCoordinate((");
        ints(out, a);
        tsr_buf_cstr(out, l == TSR_EMIT_CPP ? "})" : "))");
        return;
    }
    if (l == TSR_EMIT_CPP)
        list_type(out, as, tsr_attr_count(a));
    tsr_buf_char(out, l == TSR_EMIT_CPP ? '{' : '[');
    ints(out, a);
    tsr_buf_char(out, l == TSR_EMIT_CPP ? '}' : ']');
}

/* ---- Attributes with fields ---- */

typedef struct {
    const tsr_attrdef *def;
    const char *name[TSR_EMIT_LANGUAGES];
    const char *fields; /* separated by spaces, in the order of its parameters; -: omitted */
} struct_row;

static const struct_row struct_rows[] = {
    {&tsr_def_TTNN_COMPUTE_CONFIG,
     {"::ttnn::WormholeComputeKernelConfig", "ttnn.WormholeComputeKernelConfig"},
     "math_fidelity math_approx_mode fp32_dest_acc_en packer_l1_acc dst_full_sync_en"},
    {&tsr_def_TTNN_CONV2D_CONFIG,
     {"::ttnn::Conv2dConfig", "ttnn.Conv2dConfig"},
     "weights_dtype activation deallocate_activation reallocate_halo_output act_block_h_override "
     "act_block_w_div reshard_if_not_optimal override_sharding_config shard_layout core_grid "
     "transpose_shards output_layout enable_act_double_buffer enable_weights_double_buffer "
     "enable_kernel_stride_folding config_tensors_in_dram"},
    {&tsr_def_TTNN_CONV3D_CONFIG,
     {"::ttnn::experimental::prim::Conv3dConfig", "ttnn.Conv3dConfig"},
     "weights_dtype T_out_block W_out_block H_out_block C_out_block C_in_block "
     "compute_with_storage_grid_size"},
    {&tsr_def_TTNN_CONV2D_SLICE_CONFIG,
     {"::ttnn::Conv2dSliceConfig", "ttnn.Conv2dSliceConfig"},
     "slice_type num_slices"},
    {&tsr_def_TTNN_SDPA_CONFIG,
     {"::ttnn::operations::transformer::SDPAProgramConfig", "ttnn.SDPAProgramConfig"},
     "compute_with_storage_grid_size sub_core_grids q_chunk_size k_chunk_size exp_approx_mode "
     "max_cores_per_head_batch"},
    {&tsr_def_TTNN_LAYER_NORM_CONFIG,
     {"::ttnn::prim::LayerNormShardedMultiCoreProgramConfig",
      "ttnn.LayerNormShardedMultiCoreProgramConfig"},
     "compute_with_storage_grid_size subblock_w block_h block_w inplace"},
    {&tsr_def_TTNN_MATMUL_REUSE,
     {"::ttnn::operations::matmul::MatmulMultiCoreReuseProgramConfig",
      "ttnn.MatmulMultiCoreReuseProgramConfig"},
     "compute_with_storage_grid_size in0_block_w out_subblock_h out_subblock_w per_core_M "
     "per_core_N"},
    {&tsr_def_TTNN_MATMUL_CAST,
     {"::ttnn::operations::matmul::MatmulMultiCoreReuseMultiCastProgramConfig",
      "ttnn.MatmulMultiCoreReuseMultiCastProgramConfig"},
     "compute_with_storage_grid_size in0_block_w out_subblock_h out_subblock_w out_block_h "
     "out_block_w per_core_M per_core_N transpose_mcast fused_activation fuse_batch"},
    {&tsr_def_TTNN_MATMUL_CAST_1D,
     {"::ttnn::operations::matmul::MatmulMultiCoreReuseMultiCast1DProgramConfig",
      "ttnn.MatmulMultiCoreReuseMultiCast1DProgramConfig"},
     "compute_with_storage_grid_size in0_block_w out_subblock_h out_subblock_w out_block_h "
     "out_block_w per_core_M per_core_N fuse_batch fused_activation mcast_in0 gather_in0 "
     "hop_cores num_global_cb_receivers untilize_out"},
    {&tsr_def_TTNN_MATMUL_DRAM,
     {"::ttnn::operations::matmul::MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig",
      "ttnn.MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig"},
     "in0_block_w per_core_M per_core_N fused_activation"},
};

int tsr_emit_field(const tsr_attrdef *def, tsr_str name)
{
    for (size_t i = 0; i < TSR_COUNT(struct_rows); i++) {
        const char *p = struct_rows[i].fields;
        for (int k = 0; struct_rows[i].def == def && *p; k++) {
            tsr_str field = {p, strcspn(p, " ")};
            if (tsr_str_eq(field, name))
                return k;
            p += field.len + (p[field.len] == ' ');
        }
    }
    return -1;
}

static bool by_field(tsr_buf *out, tsr_emit_language l, const tsr_attr *a, const struct_row *r)
{
    const char *p = r->fields;
    bool cpp = l == TSR_EMIT_CPP, first = true;
    tsr_buf_printf(out, "%s%c", r->name[l], cpp ? '{' : '(');
    for (uint8_t i = 0; i < a->def->nparam; i++) {
        size_t n = strcspn(p, " ");
        if (a->attrs[i]) {
            tsr_buf_printf(out, "%s%s%.*s%s", first ? "" : ", ", cpp ? "." : "", (int)n, p,
                           cpp ? " = " : "=");
            TSR_TRY(tsr_emit_attr(out, l, a->attrs[i], (tsr_str){0}));
            first = false;
        }
        p += n + (p[n] == ' ');
    }
    tsr_buf_char(out, cpp ? '}' : ')');
    return true;
}

static void open_call(tsr_buf *out, tsr_emit_language l, const char *cpp, const char *python)
{
    tsr_buf_printf(out, l == TSR_EMIT_CPP ? "::ttnn::%s{" : "ttnn.%s(",
                   l == TSR_EMIT_CPP ? cpp : python);
}

static void close_call(tsr_buf *out, tsr_emit_language l)
{
    tsr_buf_char(out, l == TSR_EMIT_CPP ? '}' : ')');
}

static void core(tsr_buf *out, tsr_emit_language l, int64_t x, int64_t y)
{
    open_call(out, l, "CoreCoord", "CoreCoord");
    tsr_buf_printf(out, "%lld, %lld", (long long)x, (long long)y);
    close_call(out, l);
}

static void core_range(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    open_call(out, l, "CoreRange", "CoreRange");
    for (int i = 0; i < 2; i++) {
        tsr_buf_cstr(out, i ? ", " : "");
        core(out, l, int_at(a->attrs[i], 0), int_at(a->attrs[i], 1));
    }
    close_call(out, l);
}

static void core_set(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    const tsr_attr *ranges = a->attrs[0];
    open_call(out, l, "CoreRangeSet", "CoreRangeSet");
    tsr_buf_cstr(out, l == TSR_EMIT_CPP ? "::std::set<::ttnn::CoreRange>{" : "[");
    for (uint32_t i = 0; i < ranges->n; i++) {
        tsr_buf_cstr(out, i ? ", " : "");
        core_range(out, l, ranges->attrs[i]);
    }
    tsr_buf_char(out, l == TSR_EMIT_CPP ? '}' : ']');
    close_call(out, l);
}

static void mesh_shape(tsr_buf *out, tsr_emit_language l, const tsr_attr *sizes)
{
    tsr_buf_cstr(out, l == TSR_EMIT_CPP ? "::ttnn::distributed::MeshShape({" : "ttnn.MeshShape([");
    ints(out, sizes);
    tsr_buf_cstr(out, l == TSR_EMIT_CPP ? "})" : "])");
}

/* How the parts of a tensor are placed on a mesh. */
/* Ends a list and the call around it, with the shape of the mesh if there is one. */
static void end_placements(tsr_buf *out, tsr_emit_language l, const tsr_attr *sizes)
{
    tsr_buf_char(out, l == TSR_EMIT_CPP ? '}' : ']');
    if (sizes) {
        tsr_buf_cstr(out, ", ");
        mesh_shape(out, l, sizes);
    }
    tsr_buf_char(out, l == TSR_EMIT_CPP ? '}' : ')');
}

static void mapper(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    static const char cpp[] = "::ttnn::distributed::MeshMapperConfig";
    tsr_buf_printf(out, l == TSR_EMIT_CPP ? "%s{{" : "ttnn.MeshMapperConfig([", cpp);
    for (uint32_t i = 0; i < a->attrs[0]->n; i++) {
        const tsr_attr *p = a->attrs[0]->attrs[i], *dim = p->attrs[1];
        bool shard = p->attrs[0]->i == 1 && dim;
        tsr_buf_cstr(out, i ? ", " : "");
        if (l == TSR_EMIT_CPP)
            tsr_buf_printf(
                out, shard ? "%s::Placement{%s::Shard{%lld}}" : "%s::Placement{%s::Replicate{}}",
                cpp, cpp, (long long)(shard ? dim->i : 0));
        else if (shard)
            tsr_buf_printf(out, "ttnn.PlacementShard(%lld)", (long long)dim->i);
        else
            tsr_buf_cstr(out, "ttnn.PlacementReplicate()");
    }
    end_placements(out, l, a->attrs[1]);
}

static void composer(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    tsr_buf_cstr(out, l == TSR_EMIT_CPP
                          ? "::ttnn::distributed::MeshComposerConfig{::ttsl::SmallVector<int>{"
                          : "ttnn.MeshComposerConfig([");
    ints(out, a->attrs[0]);
    end_placements(out, l, a->attrs[1]);
}

static bool unary(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    tsr_buf_cstr(out, l == TSR_EMIT_CPP ? "::ttnn::operations::unary::UnaryWithParam("
                                        : "ttnn.UnaryWithParam(");
    TSR_TRY(word(out, l, a->attrs[0]));
    for (uint32_t i = 0; a->attrs[1] && i < a->attrs[1]->n; i++) {
        tsr_buf_cstr(out, ", ");
        TSR_TRY(tsr_emit_attr(out, l, a->attrs[1]->attrs[i], (tsr_str){0}));
    }
    tsr_buf_char(out, ')');
    return true;
}

static bool shard(tsr_buf *out, tsr_emit_language l, const tsr_attr *cores, const int64_t shape[2],
                  const tsr_attr *orientation)
{
    open_call(out, l, "ShardSpec", "ShardSpec");
    core_set(out, l, cores);
    tsr_buf_printf(
        out, l == TSR_EMIT_CPP ? ", ::std::array<uint32_t, 2>{%lld, %lld}, " : ", [%lld, %lld], ",
        (long long)shape[0], (long long)shape[1]);
    if (orientation)
        TSR_TRY(word(out, l, orientation));
    else
        tsr_buf_cstr(out, l == TSR_EMIT_CPP ? "::ttnn::types::ShardOrientation::ROW_MAJOR"
                                            : "ttnn.ShardOrientation.ROW_MAJOR");
    close_call(out, l);
    return true;
}

static void memory(tsr_buf *out, tsr_emit_language l, int layout, int buffer)
{
    open_call(out, l, "MemoryConfig", "MemoryConfig");
    tsr_buf_printf(out,
                   l == TSR_EMIT_CPP ? "::ttnn::TensorMemoryLayout::%s, ::ttnn::BufferType::%s, "
                                     : "ttnn.TensorMemoryLayout.%s, ttnn.BufferType.%s, ",
                   memories[layout], buffers[buffer]);
}

void tsr_emit_memory(tsr_buf *out, tsr_emit_language l, const tsr_attr *layout)
{
    tsr_ttnn_spec spec = tsr_ttnn_spec_of(layout);
    if (spec.buffer == TSR_TTNN_SYSTEM_MEMORY) {
        tsr_buf_cstr(out, tsr_emit_none[l]);
        return;
    }
    memory(out, l, spec.memory < 0 ? 0 : spec.memory, spec.buffer);
    if (spec.memory > TSR_TTNN_INTERLEAVED && spec.cores) {
        const tsr_type *memref = layout->attrs[TTNN_TTNN_LAYOUT_memref]->type;
        int64_t shape[2] = {1, 1}, unit = spec.tiled ? TSR_TTNN_TILE : 1;
        for (size_t i = 0; i < 2 && i < memref->n; i++)
            shape[i] = memref->dims[i] * unit;
        shard(out, l, spec.cores, shape, NULL);
    } else {
        tsr_buf_cstr(out, tsr_emit_none[l]);
    }
    close_call(out, l);
}

static bool memory_config(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    const tsr_attr *layout = a->attrs[TTNN_MEMORY_CONFIG_memory_layout],
                   *spec = a->attrs[TTNN_MEMORY_CONFIG_shard_spec];
    int64_t buffer = a->attrs[TTNN_MEMORY_CONFIG_buffer]->i;
    if (buffer == TSR_TTNN_SYSTEM_MEMORY) {
        tsr_buf_cstr(out, tsr_emit_none[l]);
        return true;
    }
    memory(out, l, layout ? (int)layout->i : 0, (int)buffer);
    if (spec) {
        const tsr_attr *dims = tsr_attr_is_struct(spec->attrs[1], &tsr_def_TTNN_SHAPE)
                                   ? spec->attrs[1]->attrs[0]
                                   : spec->attrs[1];
        int64_t shape[2] = {tsr_attr_count(dims) > 0 ? int_at(dims, 0) : 1,
                            tsr_attr_count(dims) > 1 ? int_at(dims, 1) : 1};
        TSR_TRY(shard(out, l, spec->attrs[0], shape, spec->attrs[2]));
    } else {
        tsr_buf_cstr(out, tsr_emit_none[l]);
    }
    close_call(out, l);
    return true;
}

static bool structure(tsr_buf *out, tsr_emit_language l, const tsr_attr *a)
{
    const tsr_attrdef *d = a->def;
    if (d == &tsr_def_TTNN_SHAPE) {
        tsr_buf_cstr(out, l == TSR_EMIT_CPP ? "::ttnn::Shape({" : "ttnn.Shape([");
        ints(out, a->attrs[0]);
        tsr_buf_cstr(out, l == TSR_EMIT_CPP ? "})" : "])");
    } else if (d == &tsr_def_TTNN_MESH_SHAPE || d == &tsr_def_TTNN_MESH_OFFSET) {
        tsr_buf_char(out, l == TSR_EMIT_CPP ? '{' : '(');
        ints(out, a->attrs[0]);
        tsr_buf_char(out, l == TSR_EMIT_CPP ? '}' : ')');
    } else if (d == &tsr_def_TTNN_CORE_COORD) {
        core(out, l, a->attrs[0]->i, a->attrs[1]->i);
    } else if (d == &tsr_def_TTCORE_GRID) {
        core(out, l, int_at(a->attrs[0], 1), int_at(a->attrs[0], 0));
    } else if (d == &tsr_def_TTNN_CORE_RANGE) {
        core_range(out, l, a);
    } else if (d == &tsr_def_TTNN_CORE_RANGE_SET) {
        core_set(out, l, a);
    } else if (d == &tsr_def_TTNN_MESH_MAPPER) {
        mapper(out, l, a);
    } else if (d == &tsr_def_TTNN_MESH_COMPOSER) {
        composer(out, l, a);
    } else if (d == &tsr_def_TTNN_UNARY_WITH_PARAM) {
        return unary(out, l, a);
    } else if (d == &tsr_def_TTNN_MEMORY_CONFIG) {
        return memory_config(out, l, a);
    } else {
        for (size_t i = 0; i < TSR_COUNT(struct_rows); i++)
            if (struct_rows[i].def == d)
                return by_field(out, l, a, &struct_rows[i]);
        return false;
    }
    return true;
}

/* ---- All attributes ---- */

static const char *const scatters[] = {[0] = "add", [2] = "amax", [3] = "amin", [6] = "multiply"};

static const char *scatter_word(int64_t reduction)
{
    return reduction >= 0 && (size_t)reduction < TSR_COUNT(scatters) ? scatters[reduction] : NULL;
}

int64_t tsr_emit_scatter(tsr_str name)
{
    for (size_t i = 0; i < TSR_COUNT(scatters); i++)
        if (scatters[i] && tsr_str_is(name, scatters[i]))
            return (int64_t)i;
    return -1;
}

/* Forms that calls.def requests by name. */
static bool as_asked(tsr_buf *out, tsr_emit_language l, const tsr_attr *a, tsr_str as, bool *ok)
{
    *ok = true;
    if (tsr_str_is(as, "queue") && a->kind == TSR_ATTR_INT && l == TSR_EMIT_CPP)
        tsr_buf_printf(out, "::ttnn::QueueId(%lld)", (long long)a->i);
    else if (tsr_str_is(as, "subdevice") && a->kind == TSR_ATTR_INT)
        tsr_buf_printf(out,
                       l == TSR_EMIT_CPP ? "std::make_optional<::tt::tt_metal::SubDeviceId>(%lld)"
                                         : "ttnn.SubDeviceId(%lld)",
                       (long long)a->i);
    else if (tsr_str_is(as, "rounding") && a->kind == TSR_ATTR_INT)
        tsr_buf_printf(out, "::ttml::metal::StochasticRounding::%s", a->i ? "Enabled" : "Disabled");
    else if (tsr_str_is(as, "scatter") && a->kind == TSR_ATTR_ENUM) {
        const char *w = scatter_word(a->i);
        if (w)
            tsr_buf_printf(out, "\"%s\"", w);
        else
            tsr_buf_cstr(out, tsr_emit_none[l]);
    } else if (tsr_str_is(as, "axes") && a->kind == TSR_ATTR_INT)
        tsr_buf_printf(out, l == TSR_EMIT_CPP ? "::std::vector<uint32_t>{%lld}" : "[%lld]",
                       (long long)a->i);
    else
        return false;
    return true;
}

bool tsr_emit_attr(tsr_buf *out, tsr_emit_language l, const tsr_attr *a, tsr_str as)
{
    bool ok;
    if (as_asked(out, l, a, as, &ok))
        return ok;
    if (is_int_list(a)) {
        int_list(out, l, a, as);
        return true;
    }
    switch ((tsr_attr_kind)a->kind) {
    case TSR_ATTR_INT:
        if (tsr_type_is_integer(a->type, 1))
            tsr_buf_cstr(out, truth[l][a->i != 0]);
        else
            tsr_buf_printf(out, "%lld", (long long)a->i);
        return true;
    case TSR_ATTR_FLOAT: float_attr(out, l, a); return true;
    case TSR_ATTR_DENSE: return elements(out, l, a);
    case TSR_ATTR_STRING: tsr_emit_string(out, a->s); return true;
    case TSR_ATTR_ENUM: return word(out, l, a);
    case TSR_ATTR_STRUCT: return structure(out, l, a);
    default: return false;
    }
}
