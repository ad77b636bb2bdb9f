# SPDX-License-Identifier: Apache-2.0
"""tt-mlir's packages over Tessera: modules are built, printed, read, changed, lowered, written as binaries, read back and run, on one device and on a mesh.
Needs NumPy; without it the run is skipped."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python" / "tt")]

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy here")
    sys.exit()

import _ttmlir_runtime as rt  # noqa: E402
import ttnn as host  # noqa: E402
from ttmlir import passes, util  # noqa: E402
from ttmlir.dialects import d2m, debug, func, quant, sdy, stablehlo, ttcore, ttir, ttkernel, ttmetal, ttnn  # noqa: E402
from ttmlir.ir import *  # noqa: E402,F403
from ttmlir.ir import (  # noqa: E402
    AffineMap,
    ArrayAttr,
    Attribute,
    Block,
    BlockArgument,
    BoolAttr,
    Context,
    DenseElementsAttr,
    DenseI64ArrayAttr,
    DictAttr,
    F32Type,
    FloatAttr,
    InsertionPoint,
    IntegerAttr,
    IntegerType,
    Location,
    MLIRError,
    Module,
    OpResult,
    RankedTensorType,
    StringAttr,
    SymbolTable,
    Type,
    UnitAttr,
)
from ttmlir.passmanager import PassManager  # noqa: E402


def tensor(shape, element=None):
    return RankedTensorType.get(shape, element or F32Type.get())


def built(shape, body, inputs=1, mesh=None):
    """A module with one function."""
    context = Context()
    with context, Location.unknown():
        module = Module.create()
        if mesh:
            meshes = ttcore.ir.MeshesAttr.get(context, [ttcore.ir.MeshAttr.get(context, "mesh", mesh)])
            module.operation.attributes["ttcore.meshes"] = meshes
        with InsertionPoint(module.body):

            @func.func(*[tensor(shape)] * inputs, name="main")
            def main(*args):
                return body(*args)

    return module


def run(module, arrays, mesh=(1, 1), options="", opened=None):
    """Lowered, written, read back and run."""
    passes.ttir_to_ttnn_runtime_pipeline(module, f"{options} mesh-shape={mesh[0]},{mesh[1]}")
    binary = rt.binary.load_binary_from_capsule(passes.ttnn_to_flatbuffer_bin(module))
    device_options = rt.runtime.MeshDeviceOptions()
    device_options.mesh_shape = opened or mesh
    device = rt.runtime.open_mesh_device(device_options)
    inputs = []
    for i, array in enumerate(arrays):
        shape, stride = list(array.shape), [s // array.itemsize for s in array.strides]
        made = rt.runtime.create_borrowed_host_tensor(array.ctypes.data, shape, stride, array.itemsize, rt.runtime.DataType.Float32)
        inputs.append(rt.runtime.to_layout(made, device, rt.runtime.get_layout(binary, 0, i), True))
    outputs = rt.runtime.submit(device, binary, 0, inputs)
    rt.runtime.wait(outputs)
    found = []
    for out in outputs:
        one = rt.runtime.to_host(out, untilize=True)[0]
        found.append(np.frombuffer(one.get_data_buffer(), np.float32).reshape(one.get_shape()))
    rt.runtime.close_mesh_device(device)
    return binary, found


class Ir(unittest.TestCase):
    def test_build_and_print(self):
        module = built([2, 3], lambda a, b: ttir.AddOp(tensor([2, 3]), a, b, loc=Location.name("sum")).result, 2)
        self.assertIn('"ttir.add"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>', str(module))
        self.assertIn('loc("sum")', module.operation.get_asm(enable_debug_info=True))
        module.operation.verify()
        add = SymbolTable(module.operation)["main"].entry_block.operations[0]
        self.assertIs(type(add), ttir.AddOp)
        self.assertEqual(util.get_loc_name(add.location), "sum")
        self.assertIsInstance(add.lhs, BlockArgument)
        self.assertIsInstance(add.result, OpResult)
        self.assertEqual([use.operand_number for use in add.lhs.uses], [0])
        self.assertEqual({add.lhs: 1}[add.operands[0]], 1)

    def test_types_and_attributes(self):
        with Context() as ctx, Location.unknown():
            i32 = IntegerType.get_signed(32)
            self.assertTrue(i32.is_signed and i32.width == 32 and IntegerType.isinstance(i32))
            self.assertIsInstance(Type.parse("tensor<2x?xbf16>"), RankedTensorType)
            self.assertEqual(IntegerAttr.get(i32, -3).value, -3)
            self.assertEqual(FloatAttr.get_f32(0.5).value, 0.5)
            self.assertTrue(BoolAttr.get(True).value)
            self.assertEqual(list(DenseI64ArrayAttr.get([1, 2])), [1, 2])
            self.assertEqual([a.value for a in ArrayAttr.get([StringAttr.get("x")])], ["x"])
            self.assertEqual([a.name for a in DictAttr.get({"a": UnitAttr.get()})], ["a"])
            self.assertEqual(DenseElementsAttr.get(np.array(1.0, np.float32)).type, tensor([]))
            self.assertEqual(Attribute.parse("3 : i8").type, IntegerType.get_signless(8))
            self.assertEqual(str(AffineMap.get_identity(2)), "(d0, d1) -> (d0, d1)")
            reduce = ttcore.ir.ReduceTypeAttr.get(ctx, ttcore.ir.ReduceType.Max)
            self.assertEqual(ttcore.ir.ReduceTypeAttr.maybe_downcast(reduce).value, ttcore.ReduceType.Max)
            self.assertIsNone(ttcore.ir.ShardStatusAttr.maybe_downcast(reduce))
            axes = [sdy.AxisRefAttr.get("x")]
            sharding = sdy.TensorShardingAttr.get("mesh", [sdy.DimensionShardingAttr.get(axes, True), sdy.DimensionShardingAttr.get([], False, 1)])
            self.assertEqual(str(sharding), '#sdy.sharding<@mesh, [{"x"}, {?}p1]>')
            self.assertEqual(sharding.dimension_shardings[0].axes[0].name, "x")
            layout = ttnn.ir.TTNNLayoutAttr.get(ctx, [2, 64, 40], ttcore.ir.TileType.get(ctx, 32, 32, ttcore.DataType.Float32), ttnn.BufferType.DRAM, [1, 1], None, 0)
            self.assertIn("(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x2x!ttcore.tile<32x32, f32>", str(layout))
            gather = stablehlo.GatherDimensionNumbers.get([0], [1], [], [], [1], 1)
            self.assertEqual(gather.collapsed_slice_dims, [1])
            kind = quant.UniformQuantizedType.get(1, IntegerType.get_signless(8), F32Type.get(), 0.5, 3, -128, 127)
            self.assertEqual((kind.scale, kind.zero_point), (0.5, 3))

    def test_moves_between_modules(self):
        with Context(), Location.unknown():
            module = Module.create()
            mesh = sdy.MeshOp("mesh", sdy.MeshAttr.get([sdy.MeshAxisAttr.get("x", 2)]))  # made in no module
            module.body.append(mesh)
            self.assertIn('sdy.mesh @mesh = <["x"=2]>', str(module))
            with InsertionPoint(module.body):
                device = ttcore.DeviceModuleOp()
                block = Block.create_at_start(device.regions[0])
                inner = Module.create().operation.clone()
                block.append(inner.operation)
            self.assertIn("builtin.module", str(module))

    def test_passes_and_errors(self):
        with Context():
            module = Module.parse("func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> { %0 = stablehlo.add %a, %a : tensor<2xf32>\n return %a : tensor<2xf32> }")
            PassManager.parse("builtin.module(canonicalize)").run(module.operation)
            self.assertNotIn("stablehlo.add", str(module))
            with self.assertRaises(MLIRError):
                Module.parse("func.func @f(")
            with self.assertRaises(NotImplementedError) as raised:
                d2m.GenericOp()
            self.assertIn("d2m.GenericOp", str(raised.exception))
            for absent in (ttkernel, ttmetal):
                with self.assertRaisesRegex(NotImplementedError, absent.__name__.rsplit(".", 1)[1]):
                    absent.AnyOp()
            with self.assertRaisesRegex(NotImplementedError, "D2M"):
                passes.ttnn_to_ttmetal_pipeline(module)
            with self.assertRaises(NotImplementedError):
                host.some_kernel(1, 2)
            with self.assertRaises(TypeError):
                ttir.AbsOp(3)


class Runtime(unittest.TestCase):
    def test_one_device(self):
        def body(a, b):
            debug.AnnotateOp(a, annotation=StringAttr.get("x"))
            return ttir.MultiplyOp(tensor([32, 40]), ttir.add(tensor([32, 40]), a, b), b).result

        a, b = (np.arange(1280, dtype=np.float32).reshape(32, 40) / n for n in (7, 9))
        binary, found = run(built([32, 40], body, 2), [a, b])
        self.assertTrue(np.allclose(found[0], (a + b) * b))
        self.assertEqual((binary.get_num_programs(), binary.get_program_name(0), binary.is_program_private(0)), (1, "main", False))
        self.assertEqual(json.loads(binary.get_program_inputs_as_json(0))[1]["desc"]["shape"], [32, 40])
        self.assertEqual(binary.file_identifier, "TTNN")
        with self.assertRaises(Exception):
            rt.binary.load_binary_from_bytes(b"no binary")

    def test_mesh(self):
        def body(x):
            def shard(value, shape, direction):
                return ttir.MeshShardOp(
                    tensor(shape),
                    value,
                    shard_type=ttcore.ir.MeshShardTypeAttr.get(value.context, ttcore.ir.MeshShardType.Devices),
                    shard_direction=direction,
                    shard_shape=[1, 4],
                    shard_dims=[-1, 1],
                ).result

            part = shard(x, [32, 32], 0)
            total = ttir.AllReduceOp(tensor([32, 32]), part, reduce_type=ttcore.ReduceType.Sum, cluster_axis=1).result
            return shard(total, [32, 128], 1)

        x = np.random.default_rng(0).standard_normal((32, 128)).astype(np.float32)
        _, found = run(built([32, 128], body, mesh=(1, 4)), [x], (1, 4))
        self.assertTrue(np.allclose(found[0], np.tile(x.reshape(32, 4, 32).sum(1), 4), atol=1e-5))
        some = x[:, :32].copy()
        absolute = lambda a: ttir.AbsOp(tensor([32, 32]), a).result  # noqa: E731
        _, found = run(built([32, 32], absolute), [some], (1, 2))  # each device does it alone
        self.assertTrue(np.allclose(found[0], np.abs(some)))
        for opened in ((1, 2), (2, 1), (2, 4)):
            _, found = run(built([32, 32], absolute), [some], opened=opened)  # a program for one device
            self.assertTrue(np.allclose(found[0], np.abs(some)))
        with self.assertRaisesRegex(RuntimeError, r"the program is for 4 devices, and the mesh \[1, 2\] has 2"):
            run(built([32, 128], body, mesh=(1, 4)), [x], (1, 4), opened=(1, 2))
        rt.runtime.DebugHooks.get(post_op=lambda binary, program, op: seen.append(len(rt.runtime.get_op_output_tensor(op, program))))
        seen = []
        try:
            run(built([32, 32], absolute), [some], opened=(1, 2))
        finally:
            rt.runtime.unregister_hooks()
        self.assertIn(2, seen)  # hooks see the values of both devices

    def test_members_of_classes(self):
        """Operands, attributes and results of an op are members of its class; an op's own name may end with op."""
        self.assertLessEqual({"lhs", "rhs", "result"}, set(dir(ttnn.AddOp)))
        self.assertEqual(ttnn.TTLangOp.OPERATION_NAME, "ttnn.tt_lang_op")
        module = built([2, 2], lambda a: ttir.SoftmaxOp(tensor([2, 2]), a, dimension=1).result)
        op = module.body.operations[0].body.blocks[0].operations[0]
        self.assertEqual((op.dimension.value, op.input.type.shape), (1, [2, 2]))
        op.dimension = 0
        self.assertIn("dimension = 0", str(op))
        text = "func.func @f(%x: tensor<2xf32>) -> tensor<f32> { %0 = stablehlo.constant dense<0.0> : tensor<f32> %1 = stablehlo.reduce(%x init: %0)"
        with Context():
            module = Module.parse(text + " applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32> return %1 : tensor<f32> }")
        reduce = module.body.operations[0].body.blocks[0].operations[1]
        self.assertEqual((reduce.name, len(reduce.body.blocks)), ("stablehlo.reduce", 1))  # the region of this name

    def test_compile_and_run(self):
        """From StableHLO to a program that ran, each step by its function."""
        from ttmlir import compile_and_run as steps
        from ttmlir.compile_and_run_utils import ModuleDialect

        text = "func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> { %0 = stablehlo.add %x, %x : tensor<32x32xf32> return %0 : tensor<32x32xf32> }"
        found = steps.stablehlo_to_ttir(text)
        self.assertEqual([ModuleDialect.detect(t).value for t in (text, found, "module {}")], ["stablehlo", "ttir", "tt"])
        with tempfile.TemporaryDirectory() as folder:
            system = f"{folder}/system.ttsys"
            rt.runtime.get_current_system_desc().store(system)
            lowered = steps.ttir_to_ttnn(found, system)
            self.assertIn("ttnn.add", str(lowered))
            self.assertIn("ttir.add", str(found))
            self.assertEqual(steps.run_flatbuffer(steps.ttnn_to_flatbuffer(lowered, f"{folder}/x.ttnn")), 0)
            with self.assertRaisesRegex(RuntimeError, "pipeline failed"):
                steps.ttir_to_ttnn(found, f"{folder}/nothing")

    def test_hooks(self):
        seen = []

        def after(binary, program, op):
            found = rt.runtime.get_op_output_tensor(op, program)
            if not found or "absolute" not in rt.runtime.get_op_loc_info(op):
                return
            values = np.frombuffer(found[0].get_data_buffer(), np.float32)
            seen.append((rt.runtime.get_op_loc_info(op), values[0]))
            ref = rt.runtime.get_op_output_refs(op)[0]
            if "ttnn.abs" in rt.runtime.get_op_debug_str(op):
                golden = np.full((32, 32), 5, np.float32)
                made = rt.runtime.create_owned_host_tensor(golden.ctypes.data, [32, 32], [32, 1], 4, rt.runtime.DataType.Float32)
                rt.runtime.update_tensor_in_pool(program, ref, made)
            self.assertIsNotNone(rt.runtime.retrieve_tensor_from_pool(program, ref))

        def body(a):
            return ttir.neg(tensor([32, 32]), ttir.AbsOp(tensor([32, 32]), a, loc=Location.name("absolute")).result)

        rt.runtime.DebugHooks.get(post_op=after)
        try:
            _, found = run(built([32, 32], body), [np.full((32, 32), -2, np.float32)])
        finally:
            rt.runtime.unregister_hooks()
        self.assertIn(('loc("absolute")', 2), seen)
        self.assertEqual(found[0][0, 0], -5)  # the value that took the op's place was used

    def test_refs(self):
        """What an op reads and writes, before a program runs and while it does; hooks of programs; bytes of memory."""
        module = built([32, 32], lambda a: ttir.neg(tensor([32, 32]), ttir.AbsOp(tensor([32, 32]), a).result))
        passes.ttir_to_ttnn_runtime_pipeline(module, "mesh-shape=1,1")
        binary = rt.binary.load_binary_from_capsule(passes.ttnn_to_flatbuffer_bin(module))
        r, walked, seen = rt.runtime, [], []

        def kinds(refs):
            return [(ref.get_shape(), str(ref.get_dtype())) for ref in refs]

        def note(op):
            walked.append((r.get_op_debug_str(op), kinds(r.get_op_input_refs(op)), kinds(r.get_op_output_refs(op))))

        r.walk_program(binary, 0, note)
        one = ([32, 32], "DataType.Float32")
        self.assertEqual([w[1:] for w in walked if "ttnn.abs" in w[0]], [([one], [one])])
        self.assertTrue(all(len(w[2]) == 0 for w in walked if "deallocate" in w[0]))

        def before(binary, program, op):
            found = r.retrieve_tensor_from_pool(program, r.get_op_input_refs(op)[0])
            seen.append((r.get_program_index(program), float(np.frombuffer(found.get_data_buffer(), np.float32)[0])))

        r.DebugHooks.get(pre_op=before, pre_program=lambda *given: seen.append("begin"), post_program=lambda *given: seen.append("end"))
        try:
            options = r.MeshDeviceOptions()
            device = r.open_mesh_device(options)
            array = np.full((32, 32), -2, np.float32)
            given = r.create_owned_host_tensor(array.ctypes.data, [32, 32], [32, 1], 4, r.DataType.Float32)
            free = device.get_memory_view()[r.MemoryBufferType.DRAM].total_bytes_free_per_bank
            held = r.to_layout(given, device, r.get_layout(binary, 0, 0), True)
            view = device.get_memory_view()[r.MemoryBufferType.DRAM]
            self.assertLess(view.total_bytes_free_per_bank, free)
            self.assertEqual(view.total_bytes_allocated_per_bank, -(-4096 // view.num_banks))
            r.submit(device, binary, 0, [held])
        finally:
            r.unregister_hooks()
        self.assertEqual((seen[0], seen[-1], seen[1]), ("begin", "end", (0, -2.0)))
        self.assertIn((0, 2.0), seen)
        r.close_mesh_device(device)

    def test_texts_of_ops(self):
        """With locations, an op is printed as its module's text has it: with names of aliases, as binaries say it."""
        module = built([32, 32], lambda a: ttir.AbsOp(tensor([32, 32]), a).result)
        passes.ttir_to_ttnn_runtime_pipeline(module, "mesh-shape=1,1")
        binary = rt.binary.load_binary_from_capsule(passes.ttnn_to_flatbuffer_bin(module))
        wanted = [op["debug_info"] for op in json.loads(binary.get_program_ops_as_json(0))]
        with Context():
            again = Module.parse(json.loads(binary.get_mlir_as_json())["source"])
        found = []
        again.operation.walk(lambda op: found.append(op.get_asm(enable_debug_info=True)) or 0 if op.name.startswith("ttnn.") else 0)
        self.assertEqual(found, wanted)
        self.assertIn("#ttnn_layout", found[0])

    def test_types_of_elements(self):
        from _ttmlir_runtime._types import DataType, convert

        values = np.array([1.0, 1.00390625, 1.01171875, -3.5, np.inf], np.float32)
        bits = convert(values, DataType.Float32, DataType.BFloat16)
        self.assertEqual(list(bits), [0x3F80, 0x3F80, 0x3F82, 0xC060, 0x7F80])  # ties go to even
        self.assertEqual(list(convert(bits[:4], DataType.BFloat16, DataType.Int32)), [1, 1, 1, -3])
        self.assertEqual(list(convert(np.array([-5.0, 300.0], np.float32), DataType.Float32, DataType.UInt8)), [0, 255])


if __name__ == "__main__":
    unittest.main()
