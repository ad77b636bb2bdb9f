# SPDX-License-Identifier: Apache-2.0
"""The shared library: where it is, and the types of its functions. One entry for each function of tessera.h and build.h."""

import ctypes
import os
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

NAME = "libtessera.so"
DYNAMIC = -(2**63)


class Str(ctypes.Structure):
    """Text that goes in: the bytes live as long as the structure."""

    _fields_ = [("data", c_char_p), ("len", c_size_t)]


class OutStr(ctypes.Structure):
    """Text that comes out; some of it is owned and freed with tsr_free."""

    _fields_ = [("data", c_void_p), ("len", c_size_t)]


class Status(ctypes.Structure):
    _fields_ = [("code", c_int), ("message", ctypes.c_char * 496)]


class Diag(ctypes.Structure):
    _fields_ = [
        ("severity", c_int),
        ("file", OutStr),
        ("line", c_uint32),
        ("col", c_uint32),
        ("message", OutStr),
        ("source", OutStr),
        ("location", OutStr),
    ]


class NamedAttr(ctypes.Structure):
    _fields_ = [("name", Str), ("value", c_void_p)]


class OutNamedAttr(ctypes.Structure):
    _fields_ = [("name", OutStr), ("value", c_void_p)]


class OpSpec(ctypes.Structure):
    _fields_ = [
        ("name", Str),
        ("operands", POINTER(c_void_p)),
        ("noperand", c_size_t),
        ("groups", POINTER(c_size_t)),
        ("ngroup", c_size_t),
        ("attrs", POINTER(NamedAttr)),
        ("nattr", c_size_t),
        ("results", POINTER(c_void_p)),
        ("nresult", c_size_t),
        ("regions", POINTER(c_void_p)),
        ("nregion", c_size_t),
        ("successors", POINTER(c_void_p)),
        ("successor_operands", POINTER(c_size_t)),
        ("nsuccessor", c_size_t),
        ("location", c_void_p),
        ("unfinished", c_bool),
    ]


class PrintOptions(ctypes.Structure):
    _fields_ = [
        ("generic", c_bool),
        ("debug_info", c_bool),
        ("local_scope", c_bool),
        ("elide_larger", c_int64),
        ("unique_ids", c_bool),
        ("name_locations", c_bool),
    ]


class ValueUse(ctypes.Structure):
    _fields_ = [("op", c_void_p), ("operand", c_size_t)]


class Blob(ctypes.Structure):
    _fields_ = [("key", Str), ("data", Str), ("align", c_uint32)]


class OutBlob(ctypes.Structure):
    _fields_ = [("key", OutStr), ("data", OutStr), ("align", c_uint32)]


class GradOptions(ctypes.Structure):
    _fields_ = [
        ("forward", c_bool),
        ("wrt", POINTER(c_size_t)),
        ("nwrt", c_size_t),
        ("rematerialise", c_bool),
        ("with_results", c_bool),
    ]


class Budget(ctypes.Structure):
    _fields_ = [
        ("max_steps", c_uint64),
        ("max_seconds", c_double),
        ("max_bytes", c_uint64),
        ("max_devices", c_uint64),
        ("max_ops", c_uint64),
        ("max_stack", c_size_t),
    ]


class CompileOptions(ctypes.Structure):
    _fields_ = [("strict_rounding", c_bool), ("per_device", c_bool), ("lends", c_bool), ("device", Str)]


class DeviceFacts(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char * 128),
        ("number", c_int),
        ("bytes", c_uint64),
        ("left", c_int64),
        ("units", c_uint32),
        ("architecture", c_uint32),
        ("align", c_uint32),
    ]


class MemoryUse(ctypes.Structure):
    _fields_ = [(name, c_uint64) for name in ("arguments", "results", "constants", "arena", "unplanned", "peak", "peak_least", "donated", "workspace")]


class EvalOptions(ctypes.Structure):
    _fields_ = [
        ("zero_division", c_int),
        ("engine", c_int),
        ("seed", c_uint64),
        ("custom_call", c_void_p),
        ("user", c_void_p),
        ("given_up", POINTER(c_bool)),
        ("print", c_void_p),
        ("breakpoint", c_void_p),
        ("folder", c_char_p),
        ("trace", POINTER(OutStr)),
    ]


class ExecuteOptions(ctypes.Structure):
    _fields_ = [
        ("zero_division", c_int),
        ("seed", c_uint64),
        ("budget", c_void_p),
        ("custom_call", c_void_p),
        ("progress", c_void_p),
        ("observe", c_void_p),
        ("user", c_void_p),
        ("given_up", POINTER(c_bool)),
        ("joint", c_void_p),
        ("stay", c_bool),
    ]


class Breakpoint(ctypes.Structure):
    _fields_ = [("file", OutStr), ("line", c_uint32), ("col", c_uint32), ("text", OutStr), ("value", c_void_p), ("device", c_size_t)]


class Tolerance(ctypes.Structure):
    _fields_ = [("rtol", c_double), ("atol", c_double)]


class Comparison(ctypes.Structure):
    _fields_ = [
        ("passed", c_bool),
        ("same_shape", c_bool),
        ("same_type", c_bool),
        ("exact", c_bool),
        ("max_abs", c_double),
        ("max_rel", c_double),
        ("max_ulp", c_double),
        ("pcc", c_double),
        ("bad", c_int64),
        ("first_bad", c_int64),
    ]


class GivenSharding(ctypes.Structure):
    _fields_ = [("index", c_size_t), ("text", Str), ("result", c_bool), ("name", Str)]


class ShardOptions(ctypes.Structure):
    _fields_ = [("mesh", Str), ("given", POINTER(GivenSharding)), ("ngiven", c_size_t), ("function", Str)]


class AutoOptions(ctypes.Structure):
    _fields_ = [("mesh", Str), ("devices", c_int64), ("device", Str), ("memory", c_double), ("seconds", c_double), ("keep", c_bool),
                ("given", POINTER(GivenSharding)), ("ngiven", c_size_t), ("function", Str), ("axes", Str), ("progress", c_void_p), ("user", c_void_p)]


class SearchProgress(ctypes.Structure):
    _fields_ = [("meshes", c_size_t), ("all_meshes", c_size_t), ("candidates", c_size_t), ("mesh", OutStr), ("best_seconds", c_double)]


class PlanOptions(ctypes.Structure):
    _fields_ = [("search", AutoOptions), ("pins", c_int), ("expressible", c_bool), ("excluded", POINTER(Str)), ("nexcluded", c_size_t), ("candidate", c_size_t)]


class CheckPlanOptions(ctypes.Structure):
    _fields_ = [("device", Str), ("memory", c_double), ("tolerance", c_double), ("arguments_alone", c_bool)]


class ExplainOptions(ctypes.Structure):
    _fields_ = [("shard", POINTER(ShardOptions)), ("device", Str), ("most", c_size_t), ("json", c_bool), ("verify", c_bool), ("apply", c_size_t)]


class GoldenOptions(ctypes.Structure):
    _fields_ = [("seed", c_uint64), ("max_bytes", c_uint64), ("folder", c_char_p), ("progress", c_void_p), ("user", c_void_p)]


class GoldenOp(ctypes.Structure):
    _fields_ = [("name", OutStr), ("function", OutStr), ("file", OutStr), ("line", c_uint32), ("col", c_uint32), ("nresult", c_size_t)]


class GoldenCheckOptions(ctypes.Structure):
    _fields_ = [
        ("engine", c_int),
        ("strict_rounding", c_bool),
        ("graph_only", c_bool),
        ("accumulated_only", c_bool),
        ("partition", c_bool),
        ("tolerance", POINTER(Tolerance)),
        ("min_pcc", c_double),
        ("progress", c_void_p),
        ("user", c_void_p),
    ]


class GoldenReport(ctypes.Structure):
    _fields_ = [("passed", c_bool), ("values", c_size_t), ("skipped", c_size_t), ("table", OutStr), ("json", OutStr)]


ALL_DEVICES = 2 ** (8 * ctypes.sizeof(c_size_t)) - 1
PRINT_FN = ctypes.CFUNCTYPE(None, c_void_p, OutStr)
BREAKPOINT_FN = ctypes.CFUNCTYPE(c_bool, c_void_p, POINTER(Breakpoint))
SEARCH_PROGRESS_FN = ctypes.CFUNCTYPE(c_bool, c_void_p, POINTER(SearchProgress))
PROGRESS_FN = ctypes.CFUNCTYPE(c_bool, c_void_p, c_size_t, c_size_t)
DIAG_FN = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Diag))

_S = POINTER(Status)
_HANDLES = POINTER(c_void_p)
_INTS = POINTER(c_int64)

# name: (result, arguments)
FUNCTIONS = {
    "tsr_version": (c_int, []),
    "tsr_free": (None, [c_void_p]),
    "tsr_ctx_new": (c_void_p, []),
    "tsr_ctx_free": (None, [c_void_p]),
    "tsr_ctx_on_diag": (None, [c_void_p, DIAG_FN, c_void_p]),
    "tsr_ctx_allow_unregistered": (None, [c_void_p, c_bool]),
    "tsr_ctx_set_budget": (None, [c_void_p, POINTER(Budget)]),
    "tsr_ctx_cancel": (None, [c_void_p, c_bool]),
    # Modules
    "tsr_module_parse": (c_void_p, [c_void_p, Str, Str]),
    "tsr_module_parse_file": (c_void_p, [c_void_p, c_char_p]),
    "tsr_module_clone": (c_void_p, [c_void_p]),
    "tsr_module_free": (None, [c_void_p]),
    "tsr_module_verify": (c_bool, [c_void_p]),
    "tsr_module_run": (c_bool, [c_void_p, Str]),
    "tsr_module_differentiate": (c_bool, [c_void_p, Str, POINTER(GradOptions)]),
    "tsr_module_simplify": (c_bool, [c_void_p]),
    "tsr_module_fuse": (c_bool, [c_void_p]),
    "tsr_module_print": (OutStr, [c_void_p, POINTER(PrintOptions)]),
    "tsr_module_bytecode": (OutStr, [c_void_p, c_int]),
    "tsr_module_serialize": (OutStr, [c_void_p, Str, c_bool]),
    "tsr_module_deserialize": (c_void_p, [c_void_p, Str, Str]),
    "tsr_module_binary": (OutStr, [c_void_p]),
    "tsr_module_binary_for": (OutStr, [c_void_p, Str]),
    "tsr_module_code": (OutStr, [c_void_p, Str]),
    "tsr_call_emitted": (c_bool, [c_void_p, Str, _HANDLES, c_size_t, c_size_t, _HANDLES, c_size_t, POINTER(c_size_t), _S]),
    "tsr_module_of_binary": (c_void_p, [c_void_p, Str, Str]),
    "tsr_binary_json": (OutStr, [c_void_p, Str, Str]),
    "tsr_describe_system": (OutStr, [c_void_p, Str, c_size_t]),
    "tsr_module_op": (c_void_p, [c_void_p]),
    "tsr_module_lookup": (c_void_p, [c_void_p, Str]),
    "tsr_module_partition": (c_bool, [c_void_p]),
    "tsr_module_shard": (c_bool, [c_void_p, POINTER(ShardOptions), _S]),
    "tsr_module_plan": (OutStr, [c_void_p, POINTER(ShardOptions), c_bool, _S]),
    "tsr_module_why": (OutStr, [c_void_p, POINTER(ShardOptions), Str, _S]),
    "tsr_module_page": (OutStr, [c_void_p, POINTER(ShardOptions), _S]),
    "tsr_module_page_of_run": (OutStr, [c_void_p, POINTER(ShardOptions), Str, _S]),
    "tsr_module_explain": (OutStr, [c_void_p, POINTER(ExplainOptions), _S]),
    "tsr_module_simulate": (OutStr, [c_void_p, POINTER(ShardOptions), Str, c_bool, _S]),
    "tsr_module_permutations": (c_bool, [c_void_p, c_int64, POINTER(c_size_t), _S]),
    "tsr_module_permutation": (c_void_p, [c_void_p, c_int64, c_size_t, _S]),
    "tsr_module_collectives": (c_bool, [c_void_p, POINTER(c_size_t), POINTER(c_int64), _S]),
    "tsr_module_auto_shard": (OutStr, [c_void_p, POINTER(AutoOptions), c_bool, _S]),
    "tsr_module_find_plan": (c_void_p, [c_void_p, POINTER(PlanOptions), _S]),
    "tsr_mesh_plan_to_json": (OutStr, [c_void_p, _S]),
    "tsr_mesh_plan_from_json": (c_void_p, [Str, Str, _S]),
    "tsr_mesh_plan_num_candidates": (c_size_t, [c_void_p]),
    "tsr_mesh_plan_chosen_candidate": (c_size_t, [c_void_p]),
    "tsr_mesh_plan_select": (c_bool, [c_void_p, c_size_t, _S]),
    "tsr_module_apply_plan": (c_bool, [c_void_p, c_void_p, c_bool, _S]),
    "tsr_module_check_plan": (OutStr, [c_void_p, c_void_p, POINTER(CheckPlanOptions), c_bool, POINTER(c_bool), _S]),
    "tsr_mesh_plan_compare": (OutStr, [c_void_p, c_void_p, c_bool, _S]),
    "tsr_mesh_plan_free": (None, [c_void_p]),
    # Ops, blocks, regions, values
    "tsr_op_name": (OutStr, [c_void_p]),
    "tsr_op_num_operands": (c_size_t, [c_void_p]),
    "tsr_op_num_results": (c_size_t, [c_void_p]),
    "tsr_op_num_regions": (c_size_t, [c_void_p]),
    "tsr_op_num_successors": (c_size_t, [c_void_p]),
    "tsr_op_operand": (c_void_p, [c_void_p, c_size_t]),
    "tsr_op_result": (c_void_p, [c_void_p, c_size_t]),
    "tsr_op_region": (c_void_p, [c_void_p, c_size_t]),
    "tsr_op_successor": (c_void_p, [c_void_p, c_size_t]),
    "tsr_op_attr": (c_void_p, [c_void_p, Str]),
    "tsr_op_attrs": (c_size_t, [c_void_p, POINTER(OutNamedAttr), c_size_t]),
    "tsr_op_parent": (c_void_p, [c_void_p]),
    "tsr_op_next": (c_void_p, [c_void_p]),
    "tsr_op_block": (c_void_p, [c_void_p]),
    "tsr_op_location": (c_void_p, [c_void_p]),
    "tsr_op_print": (OutStr, [c_void_p, POINTER(PrintOptions)]),
    "tsr_op_verify": (c_bool, [c_void_p]),
    "tsr_region_first_block": (c_void_p, [c_void_p]),
    "tsr_region_op": (c_void_p, [c_void_p]),
    "tsr_block_next": (c_void_p, [c_void_p]),
    "tsr_block_first_op": (c_void_p, [c_void_p]),
    "tsr_block_num_args": (c_size_t, [c_void_p]),
    "tsr_block_arg": (c_void_p, [c_void_p, c_size_t]),
    "tsr_block_region": (c_void_p, [c_void_p]),
    "tsr_value_type": (c_void_p, [c_void_p]),
    "tsr_value_def": (c_void_p, [c_void_p]),
    "tsr_value_block": (c_void_p, [c_void_p]),
    "tsr_value_index": (c_size_t, [c_void_p]),
    "tsr_value_num_uses": (c_size_t, [c_void_p]),
    "tsr_value_name": (OutStr, [c_void_p]),
    "tsr_function_result_name": (OutStr, [c_void_p, c_size_t]),
    "tsr_value_uses": (c_size_t, [c_void_p, POINTER(ValueUse), c_size_t]),
    # Types
    "tsr_type_parse": (c_void_p, [c_void_p, Str]),
    "tsr_type_print": (OutStr, [c_void_p]),
    "tsr_type_kind_of": (c_int, [c_void_p]),
    "tsr_type_width": (c_uint32, [c_void_p]),
    "tsr_type_sign": (c_int, [c_void_p]),
    "tsr_type_rank": (c_int64, [c_void_p]),
    "tsr_type_dim": (c_int64, [c_void_p, c_size_t]),
    "tsr_type_element": (c_void_p, [c_void_p]),
    "tsr_type_encoding": (c_void_p, [c_void_p]),
    "tsr_type_num_members": (c_size_t, [c_void_p]),
    "tsr_type_num_inputs": (c_size_t, [c_void_p]),
    "tsr_type_member": (c_void_p, [c_void_p, c_size_t]),
    "tsr_create_integer_type": (c_void_p, [c_void_p, c_uint32, c_int, _S]),
    "tsr_create_complex_type": (c_void_p, [c_void_p, _S]),
    "tsr_create_tensor_type": (c_void_p, [c_void_p, _INTS, c_size_t, c_void_p, _S]),
    "tsr_create_tuple_type": (c_void_p, [c_void_p, _HANDLES, c_size_t, _S]),
    "tsr_create_function_type": (c_void_p, [c_void_p, _HANDLES, c_size_t, _HANDLES, c_size_t, _S]),
    # Attributes
    "tsr_attr_parse": (c_void_p, [c_void_p, Str]),
    "tsr_attr_print": (OutStr, [c_void_p]),
    "tsr_attr_kind_of": (c_int, [c_void_p]),
    "tsr_attr_type_of": (c_void_p, [c_void_p]),
    "tsr_attr_get_int": (c_bool, [c_void_p, _INTS]),
    "tsr_attr_get_float": (c_bool, [c_void_p, POINTER(c_double)]),
    "tsr_attr_text": (OutStr, [c_void_p]),
    "tsr_attr_name": (OutStr, [c_void_p]),
    "tsr_attr_num_items": (c_size_t, [c_void_p]),
    "tsr_attr_item": (c_void_p, [c_void_p, c_size_t]),
    "tsr_attr_item_name": (OutStr, [c_void_p, c_size_t]),
    "tsr_attr_item_int": (c_bool, [c_void_p, c_size_t, _INTS]),
    "tsr_attr_item_float": (c_bool, [c_void_p, c_size_t, POINTER(c_double)]),
    "tsr_attr_elements": (c_void_p, [c_void_p, _S]),
    "tsr_create_unit": (c_void_p, [c_void_p, _S]),
    "tsr_create_bool": (c_void_p, [c_void_p, c_bool, _S]),
    "tsr_create_int": (c_void_p, [c_void_p, c_int64, _S]),
    "tsr_create_float": (c_void_p, [c_void_p, c_double, _S]),
    "tsr_create_string": (c_void_p, [c_void_p, Str, _S]),
    "tsr_create_array": (c_void_p, [c_void_p, _HANDLES, c_size_t, _S]),
    "tsr_create_dict": (c_void_p, [c_void_p, POINTER(NamedAttr), c_size_t, _S]),
    "tsr_create_type_attr": (c_void_p, [c_void_p, _S]),
    "tsr_create_symbol": (c_void_p, [c_void_p, POINTER(Str), c_size_t, _S]),
    "tsr_create_int_array": (c_void_p, [c_void_p, _INTS, c_size_t, _S]),
    "tsr_create_float_array": (c_void_p, [c_void_p, POINTER(c_double), c_size_t, _S]),
    "tsr_create_elements": (c_void_p, [c_void_p, c_void_p, _S]),
    "tsr_create_enum": (c_void_p, [c_void_p, Str, Str, _S]),
    "tsr_create_file_location": (c_void_p, [c_void_p, Str, c_uint32, c_uint32, _S]),
    "tsr_create_name_location": (c_void_p, [c_void_p, Str, c_void_p, _S]),
    "tsr_create_call_location": (c_void_p, [c_void_p, c_void_p, c_void_p, _S]),
    "tsr_create_fused_location": (c_void_p, [c_void_p, _HANDLES, c_size_t, _S]),
    # Building and changing
    "tsr_create_module": (c_void_p, [c_void_p, Str, _S]),
    "tsr_create_blob": (c_bool, [c_void_p, POINTER(Blob), _S]),
    "tsr_module_blobs": (c_size_t, [c_void_p, POINTER(OutBlob), c_size_t]),
    "tsr_create_region": (c_void_p, [c_void_p, _S]),
    "tsr_create_block": (c_void_p, [c_void_p, _HANDLES, c_size_t, _HANDLES, _S]),
    "tsr_create_block_arg": (c_void_p, [c_void_p, c_void_p, c_void_p, _S]),
    "tsr_create_op": (c_void_p, [c_void_p, c_void_p, POINTER(OpSpec), _S]),
    "tsr_create_function": (c_void_p, [c_void_p, c_void_p, Str, c_void_p, c_void_p, _S]),
    "tsr_create_copy": (c_void_p, [c_void_p, c_void_p, c_void_p, _S]),
    "tsr_infer_results": (c_bool, [c_void_p, POINTER(OpSpec), _HANDLES, c_size_t, POINTER(c_size_t), _S]),
    "tsr_edit_erase": (c_bool, [c_void_p, _S]),
    "tsr_edit_move": (c_bool, [c_void_p, c_void_p, c_void_p, _S]),
    "tsr_edit_replace": (c_bool, [c_void_p, c_void_p, _S]),
    "tsr_edit_operand": (c_bool, [c_void_p, c_size_t, c_void_p, _S]),
    "tsr_edit_operands": (c_bool, [c_void_p, _HANDLES, c_size_t, _S]),
    "tsr_edit_attr": (c_bool, [c_void_p, Str, c_void_p, _S]),
    "tsr_edit_type": (c_bool, [c_void_p, c_void_p, _S]),
    "tsr_edit_location": (c_bool, [c_void_p, c_void_p, _S]),
    "tsr_edit_erase_arg": (c_bool, [c_void_p, c_size_t, _S]),
    "tsr_describe_ops": (OutStr, [c_void_p, Str]),
    "tsr_attr_fits_op": (c_bool, [c_void_p, Str, Str, c_void_p]),
    # Tensors
    "tsr_tensor_create": (c_void_p, [c_void_p, Str, _INTS, c_size_t, c_void_p, _S]),
    "tsr_tensor_view": (c_void_p, [c_void_p, Str, _INTS, c_size_t, c_void_p, _S]),
    "tsr_tensor_parse": (c_void_p, [c_void_p, Str, _S]),
    "tsr_tensor_free": (None, [c_void_p]),
    "tsr_tensor_rank": (c_size_t, [c_void_p]),
    "tsr_tensor_dim": (c_int64, [c_void_p, c_size_t]),
    "tsr_tensor_element": (c_void_p, [c_void_p]),
    "tsr_tensor_data": (c_void_p, [c_void_p]),
    "tsr_tensor_size": (c_size_t, [c_void_p]),
    "tsr_tensor_text": (OutStr, [c_void_p]),
    "tsr_tensor_to_dlpack": (c_void_p, [c_void_p, c_bool, _S]),
    "tsr_dlpack_free_capsule": (None, [c_void_p]),
    "tsr_tensor_from_dlpack": (c_void_p, [c_void_p, c_void_p, c_bool, _S]),
    "tsr_tensor_load": (c_void_p, [c_void_p, c_char_p, c_void_p, _S]),
    "tsr_file_write": (c_bool, [c_char_p, Str, _S]),
    "tsr_tensor_save": (c_bool, [c_void_p, c_char_p, _S]),
    "tsr_tensor_compare": (c_bool, [c_void_p, c_void_p, POINTER(Tolerance), POINTER(Comparison)]),
    # Saved models
    "tsr_saved_open": (c_void_p, [c_void_p, c_char_p, Str, _S]),
    "tsr_saved_free": (None, [c_void_p]),
    "tsr_saved_program": (c_char_p, [c_void_p]),
    "tsr_saved_num_arguments": (c_size_t, [c_void_p]),
    "tsr_saved_num_inputs": (c_size_t, [c_void_p]),
    "tsr_saved_input": (c_int64, [c_void_p, c_size_t]),
    "tsr_saved_load": (c_void_p, [c_void_p, c_size_t, c_void_p, c_void_p, _S]),
    # Running
    "tsr_module_signature": (c_bool, [c_void_p, Str, POINTER(c_size_t), POINTER(c_size_t)]),
    "tsr_module_input_type": (c_void_p, [c_void_p, Str, c_size_t]),
    "tsr_module_output_type": (c_void_p, [c_void_p, Str, c_size_t]),
    "tsr_module_eval_with": (c_bool, [c_void_p, Str, _HANDLES, c_size_t, _HANDLES, c_size_t, POINTER(EvalOptions), _S]),
    "tsr_module_eval_spmd": (c_bool, [c_void_p, Str, _HANDLES, c_size_t, _HANDLES, c_size_t, POINTER(EvalOptions), _S]),
    "tsr_module_devices": (c_bool, [c_void_p, POINTER(c_size_t), POINTER(c_size_t), _S]),
    "tsr_module_eval_shards": (
        c_bool,
        [c_void_p, Str, POINTER(_HANDLES), c_size_t, c_size_t, POINTER(_HANDLES), c_size_t, POINTER(EvalOptions), _S],
    ),
    "tsr_module_profile": (OutStr, [c_void_p, Str, _HANDLES, c_size_t, c_size_t, c_bool, POINTER(EvalOptions), _S]),
    "tsr_module_random_input": (c_void_p, [c_void_p, Str, c_size_t, c_uint64, _S]),
    "tsr_module_compile": (c_void_p, [c_void_p, Str, POINTER(CompileOptions), _S]),
    "tsr_executable_save": (OutStr, [c_void_p, _S]),
    "tsr_executable_load": (c_void_p, [c_void_p, Str, Str, _S]),
    "tsr_executable_module": (c_void_p, [c_void_p]),
    "tsr_executable_free": (None, [c_void_p]),
    "tsr_executable_num_devices": (c_size_t, [c_void_p]),
    "tsr_executable_device": (c_void_p, [c_void_p]),
    "tsr_device_open": (c_void_p, [Str, _S]),
    "tsr_device_close": (None, [c_void_p]),
    "tsr_device_tell": (None, [c_void_p, POINTER(DeviceFacts)]),
    "tsr_device_report": (OutStr, [Str, c_bool, _S]),
    "tsr_tensor_to_device": (c_void_p, [c_void_p, c_void_p, _S]),
    "tsr_tensor_device": (c_void_p, [c_void_p]),
    "tsr_executable_num_inputs": (c_size_t, [c_void_p]),
    "tsr_executable_num_outputs": (c_size_t, [c_void_p]),
    "tsr_executable_input_type": (c_void_p, [c_void_p, c_size_t]),
    "tsr_executable_output_type": (c_void_p, [c_void_p, c_size_t]),
    "tsr_executable_memory": (c_bool, [c_void_p, POINTER(MemoryUse)]),
    # Goldens
    "tsr_goldens_new": (c_void_p, [c_void_p, Str, POINTER(GoldenOptions), _S]),
    "tsr_goldens_free": (None, [c_void_p]),
    "tsr_goldens_num_devices": (c_size_t, [c_void_p]),
    "tsr_goldens_num_inputs": (c_size_t, [c_void_p]),
    "tsr_goldens_num_ops": (c_size_t, [c_void_p]),
    "tsr_goldens_set_input": (c_bool, [c_void_p, c_size_t, c_void_p, _S]),
    "tsr_goldens_set": (c_bool, [c_void_p, c_void_p, c_size_t, c_void_p, _S]),
    "tsr_goldens_bypass": (c_bool, [c_void_p, c_void_p, c_bool, _S]),
    "tsr_goldens_get": (c_void_p, [c_void_p, c_void_p, c_size_t, _S]),
    "tsr_goldens_op": (c_bool, [c_void_p, c_size_t, POINTER(GoldenOp)]),
    "tsr_goldens_result": (c_void_p, [c_void_p, c_size_t, c_size_t, c_size_t, _S]),
    "tsr_goldens_split": (c_void_p, [c_void_p, c_size_t, _HANDLES, _S]),
    "tsr_goldens_check": (c_bool, [c_void_p, POINTER(GoldenCheckOptions), POINTER(GoldenReport), _S]),
    "tsr_executable_run": (c_bool, [c_void_p, _HANDLES, c_size_t, _HANDLES, c_size_t, c_void_p, _S]),
    "tsr_buffer_new": (c_void_p, [c_size_t]),
    "tsr_buffer_free": (None, [c_void_p]),
    # Buffers are pairs of an address and a size, in one flat array.
    "tsr_executable_run_buffers": (c_bool, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, c_void_p]),
}


def library_path():
    """Where the library is: TESSERA_LIBRARY, beside this file, or in the build folder of the source tree."""
    from . import _find

    return _find("TESSERA_LIBRARY", NAME, "library")


def _open():
    library = ctypes.CDLL(library_path())
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


lib = _open()


def to_str(text):
    """Text for the library, from str or bytes."""
    if isinstance(text, str):
        text = text.encode(errors="surrogateescape")
    elif not isinstance(text, bytes):
        raise TypeError(f"text is expected, not a {type(text).__name__}")
    return Str(text, len(text))


def write_file(path, data):
    """Writes text or bytes as a file: all of it, or the file stays as it was. OSError if that fails."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("embedded null byte")
    status = Status()
    if not lib.tsr_file_write(name, to_str(data), ctypes.byref(status)):
        raise OSError(status.message.decode(errors="replace"))


def borrowed(s):
    """Bytes of text that the library keeps."""
    return ctypes.string_at(s.data, s.len) if s.data else b""


def owned(s):
    """Bytes of text that was made for the caller; None when there is none."""
    if not s.data:
        return None
    data = ctypes.string_at(s.data, s.len)
    lib.tsr_free(s.data)
    return data


def handles(items):
    """An array of handles."""
    return (c_void_p * len(items))(*items)


def ints(items):
    """An array of 64-bit integers."""
    return (c_int64 * len(items))(*items)
