# highest.sed - products of StableHLO in full precision: where a device may round the factors of f32 products, it does not.
s/precision = \[DEFAULT, DEFAULT\]/precision = [HIGHEST, HIGHEST]/g
s/#stablehlo<precision DEFAULT>/#stablehlo<precision HIGHEST>/g
/= stablehlo\.dot_general /{
    /precision = /!s/ : \(/, precision = [HIGHEST, HIGHEST] : (/
}
/"stablehlo\.(dot_general|dot|convolution)"\(/{
    /precision_config/!s/ <\{/ <{precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>], /
}
/= stablehlo\.convolution\(/{
    /precision_config/!s/\{(batch_group_count|feature_group_count)/{precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>], \1/
}
