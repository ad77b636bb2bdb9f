# SPDX-License-Identifier: Apache-2.0
# text.awk - the parts of emitted C as lines of C strings: of each file its name, its lines, 0. Files of text/ are taken as they are; of sources of the
# engine and of the evaluator what C99 has everywhere, so that both compute by the same text.
function put(line) {
    gsub(/["\\?]/, "\\\\&", line)
    print "    \"" line "\\n\","
}
function close_part() {
    if (open)
        print "    0,"
    open = 0
}
FNR == 1 {
    constants_only = FILENAME ~ /\/tile\.c$/
}
# Constants that kernels read from a file of their own: it comes before them.
constants_only {
    inside = inside || /^const float tsr_f32_/
    if (inside)
        constants[++nconstant] = $0
    inside = inside && !/;$/
    next
}
FNR == 1 {
    close_part()
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.[a-z]*$/, "", name)
    source = FILENAME !~ /\.txt$/
    shown = name != "scalar_real" # there: from a section of what kernels call
    skip = 0
    print "    \"" name "\","
    open = 1
}
/SPDX-License-Identifier/ { next }
!source { put($0); next }
/^\/\* ---- libm, rounded once|^\/\* ---- Inverse error/ { shown = 1 }
/^double tsr_m_square/ || /^\/\* ---- In double/ { shown = 0 }
/^\/\* ---- Hurwitz/ { shown = 0 }
name == "scalar_real" && /^#define (PI|TWO_OVER)/ { put($0); next }
!shown || /^#include/ || /^#(ifndef|define) TSR_.*_H$/ { next }
/^#if defined\(__FMA__\)/ { put("    return " (name == "math_f64" ? "fma" : "fmaf") "(x, y, z);"); skip = 1 }
skip { skip = !/^#endif/; next }
/^extern const float tsr_f32_/ {
    for (i = 1; i <= nconstant; i++)
        put((constants[i] ~ /^const/ ? "TSR_RUN " : "") constants[i])
    nconstant = 0 # once
    next
}
/^#(ifndef|define) MATH/ || /^#endif$/ || /^    int sign;$/ { next } # the guard's
{
    gsub(/static inline|^MATH/, "TSR_FN")
    gsub(/__builtin_/, "")
    gsub(/lgamma_r\(x, &sign\)/, "lgamma(x)")
    gsub(/lgammal_r\(x, &\(int\)\{0\}\)/, "lgammal(x)")
    if (name == "scalar_real") {
        gsub(/^static double/, "TSR_FN double")
        gsub(/^static long double/, "TSR_FN long double")
        gsub(/^double tsr_m_|^double tsr_s_/, "TSR_FN &")
        gsub(/    double tsr_m_##name/, "    TSR_FN double tsr_m_##name")
    }
    put($0)
}
END { close_part() }
