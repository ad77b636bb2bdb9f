# SPDX-License-Identifier: Apache-2.0
"""The bindings against the headers: each function that Python calls is there, with as many parameters and of the same kinds; each function of the
headers is bound, or listed here with the reason; structures have the fields of the headers, in order."""

import ctypes
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

from tessera import _library as c  # noqa: E402

UNBOUND = {
    "tsr_cstr": "Python has strings",
    "tsr_set_allocator": "Python has its own",
    "tsr_ctx_last_error": "errors come from diagnostics and statuses",
    "tsr_ctx_checkpoint": "contexts are cheap",
    "tsr_ctx_rewind": "contexts are cheap",
    "tsr_op_walk": "Op.walk is a generator",
    "tsr_type_is_tensor": "Type.kind",
    "tsr_type_is_ranked": "Type.rank",
    "tsr_type_context": "Type.context",
    "tsr_module_context": "Module.context",
    "tsr_op_module": "Op.module",
    "tsr_tensor_num_elements": "Tensor.shape",
    "tsr_tensor_get": "arrays",
    **dict.fromkeys(
        (f"tsr_device_{what}" for what in ("allocate", "release", "copy_in", "copy_out", "wait", "mark", "reached")), "Python has tensors that are there"
    ),
    "tsr_module_eval": "tsr_module_eval_with",
    "tsr_module_input_attr": "attributes of the function's op",
    "tsr_module_output_attr": "attributes of the function's op",
    "tsr_module_input_placement": "for runtimes that own devices",
    "tsr_module_output_placement": "for runtimes that own devices",
    "tsr_placement_part": "for runtimes that own devices",
    "tsr_placement_partial": "for runtimes that own devices",
    "tsr_executable_alias": "Python gives up no arrays",
    "tsr_executable_work": "for runtimes that choose threads",
    "tsr_default_tolerance": "compare() has it",
    "tsr_peers_new": "for runtimes of several processes, as the plugin for JAX",
    "tsr_peers_free": "for runtimes of several processes, as the plugin for JAX",
    "tsr_peers_address": "for runtimes of several processes, as the plugin for JAX",
    "tsr_peers_secret": "for runtimes of several processes, as the plugin for JAX",
    "tsr_peers_know": "for runtimes of several processes, as the plugin for JAX",
    "tsr_peers_gone": "for runtimes of several processes, as the plugin for JAX",
    "tsr_joint_skip": "for runtimes of several processes, as the plugin for JAX",
}
STRUCTS = {
    "tsr_str": c.Str,
    "tsr_status": c.Status,
    "tsr_diag": c.Diag,
    "tsr_named_attr": c.NamedAttr,
    "tsr_op_spec": c.OpSpec,
    "tsr_print_options": c.PrintOptions,
    "tsr_value_use": c.ValueUse,
    "tsr_blob": c.Blob,
    "tsr_grad_options": c.GradOptions,
    "tsr_budget": c.Budget,
    "tsr_compile_options": c.CompileOptions,
    "tsr_memory_use": c.MemoryUse,
    "tsr_eval_options": c.EvalOptions,
    "tsr_tolerance": c.Tolerance,
    "tsr_comparison": c.Comparison,
    "tsr_breakpoint": c.Breakpoint,
    "tsr_golden_options": c.GoldenOptions,
    "tsr_golden_op": c.GoldenOp,
    "tsr_golden_check_options": c.GoldenCheckOptions,
    "tsr_golden_report": c.GoldenReport,
    "tsr_shard_given": c.GivenSharding,
    "tsr_shard_options": c.ShardOptions,
    "tsr_auto_options": c.AutoOptions,
    "tsr_plan_options": c.PlanOptions,
    "tsr_check_plan_options": c.CheckPlanOptions,
    "tsr_explain_options": c.ExplainOptions,
}
SCALARS = {
    "bool": ctypes.c_bool,
    "int": ctypes.c_int,
    "double": ctypes.c_double,
    "size_t": ctypes.c_size_t,
    "int64_t": ctypes.c_int64,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "tsr_signedness": ctypes.c_int,
    "tsr_type_kind": ctypes.c_int,
    "tsr_attr_kind": ctypes.c_int,
    "tsr_pins": ctypes.c_int,
}


def declarations():
    """Functions of the headers: result and parameters, as text without names; fields of structures."""
    text = "".join((ROOT / "include" / "tessera" / name).read_text() for name in ("tessera.h", "build.h", "golden.h", "code.h"))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    functions = {}
    for result, name, parameters in re.findall(r"TSR_API ([^;()]*?)(tsr_\w+)\(((?:[^()]|\([^()]*\))*)\);", text):
        parts = [] if parameters.strip() == "void" else re.split(r",(?![^()]*\))", parameters)
        functions[name] = (result.strip(), [" ".join(p.split()) for p in parts])
    structs = {}
    for body, name in re.findall(r"typedef struct \{([^{}]*)\} (\w+);", text):
        fields = []
        for line in body.split(";"):
            fields += [re.sub(r"\[.*\]|.*[\s*]", "", part.strip(), flags=re.S) for part in line.split(",") if part.strip()]
        structs[name] = fields
    return functions, structs


def kind(text):
    """What a parameter or result is: a scalar's ctypes type, "struct", or "pointer"."""
    if "*" in text or "_fn " in text:
        return "pointer"
    words = [w for w in text.split() if w != "const"]
    if words[0] == "tsr_str":
        return "struct"
    return SCALARS.get(words[0], words[0])


def bound_kind(t):
    if t in (c.Str, c.OutStr):
        return "struct"
    if t in (ctypes.c_void_p, ctypes.c_char_p) or isinstance(t, type) and issubclass(t, (ctypes._Pointer, ctypes._CFuncPtr)):
        return "pointer"
    return t


def main():
    functions, structs = declarations()
    wrong = []
    for name, (result, parameters) in c.FUNCTIONS.items():
        if name not in functions:
            wrong.append(f"{name}: not in the headers")
            continue
        want, takes = functions[name]
        if (None if want == "void" else kind(want)) != (None if result is None else bound_kind(result)):
            wrong.append(f"{name}: returns {want}")
        if [kind(p) for p in takes] != [bound_kind(p) for p in parameters]:
            wrong.append(f"{name}: takes ({', '.join(takes)})")
    for name in functions:
        if (name in c.FUNCTIONS) == (name in UNBOUND):
            wrong.append(f"{name}: {'bound and listed as unbound' if name in UNBOUND else 'not bound'}")
    wrong += [f"{name}: listed as unbound, but not there" for name in UNBOUND if name not in functions]
    for name, structure in STRUCTS.items():
        mine = ["pass" if f[0] == "passed" else f[0] for f in structure._fields_]
        if mine != structs.get(name):
            wrong.append(f"{name}: fields {structs.get(name)}, here {mine}")
    for line in wrong:
        print(line)
    print(f"{len(c.FUNCTIONS) + len(STRUCTS)} passed, {len(wrong)} failed")
    return bool(wrong) or len(functions) < 100


if __name__ == "__main__":
    sys.exit(main())
