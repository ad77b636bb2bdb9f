# SPDX-License-Identifier: Apache-2.0
# kinds.awk - lines "3 stablehlo.sort" with the kind of the op as a third word: what may run on the host, and "other".
{
    op = $2
    sub(/.*\./, "", op)
    kind = "other"
    if (op ~ /^(sort|top_k|topk|topk_.*|argsort)$/) kind = "sort"
    else if (op ~ /scatter|embedding_backward/) kind = "scatter"
    else if (op ~ /^(cumsum|cumprod|scan|cumulative.*)$/) kind = "scan"
    else if (op ~ /window|pool/) kind = "window"
    else if (op ~ /^(while|case|if|call|composite|custom_call|manual_computation|tuple|get_tuple_element)$/) kind = "control"
    else if (op ~ /^(cholesky|triangular_solve|fft)$/) kind = "matrix"
    else if (op ~ /^(dynamic_(broadcast_in_dim|conv|gather|iota|pad|reshape)|real_dynamic_slice|get_dimension_size|set_dimension_size)$/) kind = "unknown shape"
    else if (op == "rng") kind = "numbers of a run"
    print $1, $2, kind
}
