# SPDX-License-Identifier: Apache-2.0
# api.awk - the contracts of all public functions, for docs/API.md: reads the sources, which tell what has a guard
# (src/api/guard.h), and then the public headers.
function trim(s) { gsub(/[ \t]+/, " ", s); gsub(/^ | $/, "", s); return s }
function name_of(s) { sub(/\(.*/, "", s); sub(/.*[ *]/, "", s); return s }
function is_header() { return FILENAME ~ /^include/ }

# Sources: which functions open a guard, or call one that does.
!is_header() && /^[a-z].*[ *]tsr_[a-z_0-9]+\(/ && !/;$/ { in_body = name_of($0) }
!is_header() && in_body != "" && (/TSR_GUARD/ || /guard_open\(/ || /open_run\(/ || /return told\(/ || /return tsr_(module_(eval_with|page_of_run|binary_for)|run_pass)\(/ || /return name_text\(/) { guarded[in_body] = 1 }
!is_header() && /^}/ { in_body = "" }
!is_header() { next }

FNR == 1 { header = FILENAME; sub(/^include\//, "", header); comment = statement = ""; print_header = 1 }
/^#/ { next }
# A comment before declarations; those inside of structs are left out.
!inside && /^\/\*/ { comment = ""; reads = 1 }
reads {
    line = $0
    done = line ~ /\*\/ *$/
    sub(/^\/\* ?/, "", line)
    sub(/^ \* ?/, "", line)
    sub(/ *\*\/ *$/, "", line)
    comment = comment " " line
    if (done) {
        reads = 0
        if (comment ~ /^ ---- /) { section = comment; sub(/^ ---- /, "", section); sub(/ ----.*/, "", section); comment = "" }
    }
    next
}
/^typedef (struct|enum) [{]/ || /^typedef struct$/ { inside = 1 }
inside { if (/^}/) { inside = 0; comment = "" } next }
/^typedef/ { typedef = 1 }
typedef { if (/;/) { typedef = 0; comment = "" } next }
/^TSR_API / { statement = "" ; takes = 1 }
takes {
    statement = statement " " $0
    if (/;/) {
        takes = 0
        sub(/\/\*.*/, "", statement)
        function_is(statement)
        comment = ""
    }
}

function function_is(s,    name, result, arguments, owns, thread, fails, text, frees) {
    sub(/TSR_API /, "", s)
    s = trim(s)
    sub(/;$/, "", s)
    name = name_of(s)
    result = substr(s, 1, index(s, name "(") - 1)
    arguments = substr(s, index(s, "("))
    if (print_header) { printf "\n### `%s`\n", header; print_header = 0; last_section = "" }
    if (section != last_section && section != "") { printf "\n#### %s\n\n", section; last_section = section }
    else if (last_section == "") { print ""; last_section = " " }
    text = trim(comment)

    frees = owns = ""
    if (result ~ /^tsr_str/ && guarded[name]) frees = "tsr_free"
    else if (result ~ /^tsr_str/) owns = name == "tsr_cstr" ? "the text of the argument" : "borrowed text"
    else if (name == "tsr_buffer_new") frees = "tsr_buffer_free"
    else if (result ~ /^void \*/) owns = "freed by its deleter"
    else if (name == "tsr_module_context" || name == "tsr_op_module" || name == "tsr_type_context") owns = "borrowed"
    else if (result ~ /tsr_ctx \*/) frees = "tsr_ctx_free"
    else if (result ~ /tsr_module \*/) frees = "tsr_module_free"
    else if (result ~ /tsr_tensor \*/) frees = "tsr_tensor_free"
    else if (result ~ /tsr_executable \*/) frees = "tsr_executable_free"
    else if (result ~ /tsr_goldens \*/) frees = "tsr_goldens_free"
    else if (result ~ /tsr_saved \*/) frees = "tsr_saved_free"
    else if (result ~ /tsr_mesh_plan \*/) frees = "tsr_mesh_plan_free"
    else if (result ~ /tsr_checkpoint \*/) frees = "tsr_ctx_rewind"
    else if (result ~ /tsr_peers \*/) frees = "tsr_peers_free"
    else if (result ~ /tsr_(type|attr) \*/) owns = "borrowed from the context"
    else if (result ~ /tsr_(op|value|block|region) \*/) owns = "borrowed from the module"
    else if (result ~ /\*/) owns = "borrowed"
    if (frees != "") owns = "the caller frees it: `" frees "`"

    if (name ~ /^tsr_executable_run/) thread = "any, several at once"
    else if (name == "tsr_ctx_cancel") thread = "any, and signal handlers"
    else if (name == "tsr_set_allocator") thread = "before any other call"
    else if (name == "tsr_executable_free") thread = "when no run goes on"
    else if (arguments ~ /tsr_(ctx|module|op|value|block|region|type|attr|goldens|saved|checkpoint) \*/) thread = "that of the context"
    else if (name ~ /^tsr_peers_(free|secret|know)/ || name == "tsr_joint_skip" || name ~ /^tsr_mesh_plan_(select|free)/ || name == "tsr_tensor_free") thread = "one at a time for each object"
    else thread = "any"

    if (guarded[name]) {
        fails = result ~ /^bool/ ? "false" : result ~ /^tsr_str/ ? "no text" : result ~ /\*/ ? "NULL" : "as told"
        fails = fails (arguments ~ /tsr_status \*/ ? ", the status" : "") (thread == "that of the context" ? ", a diagnostic" : "")
    } else if (text ~ /no memory|NULL if there is none, or bytes/) fails = "NULL"
    else fails = ""
    if (text == "") print FILENAME ": " name " has no comment" >"/dev/stderr"
    printf "- `%s%s%s`: %s<br>", result, name, arguments, text
    printf "%sThread: %s. ", owns != "" ? toupper(substr(owns, 1, 1)) substr(owns, 2) ". " : "", thread
    if (guarded[name]) printf "On failure: %s. Limits: yes.\n", fails
    else if (fails != "") printf "On failure: %s. Limits: no.\n", fails
    else printf "Never fails.\n"
}
