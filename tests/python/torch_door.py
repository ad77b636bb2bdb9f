# SPDX-License-Identifier: Apache-2.0
"""torch.compile(backend="tessera") beside eager: forward, gradients, memory, views, changes in place, random numbers, sizes, splits, messages."""

import os
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))

import torch  # noqa: E402
from torch import nn  # noqa: E402

import tessera as ts  # noqa: E402
import tessera.torch as door  # noqa: E402
from tessera import _torch_call as call  # noqa: E402


class Door(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()
        torch.manual_seed(0)
        call._warned.clear()
        self.log = []
        door._LOGS[:] = [self.log]

    def tearDown(self):
        door._LOGS.clear()

    def same(self, f, *args, whole=True, rtol=1e-4, atol=1e-5, **options):
        """f compiled gives what f gives, and all of it ran in programs."""
        compiled = torch.compile(f, backend="tessera", **options)
        with torch.no_grad():
            mine, theirs = compiled(*args), f(*args)
        self.close(mine, theirs, rtol, atol)
        if whole:
            self.whole()
        return compiled

    def close(self, mine, theirs, rtol=1e-4, atol=1e-5):
        torch.testing.assert_close(mine, theirs, rtol=rtol, atol=atol, equal_nan=True)

    def whole(self):
        self.assertTrue(self.log)
        for record, plan in self.log:
            self.assertFalse(record.eager, record.eager)

    def trained(self, model, *args, rtol=1e-3, atol=1e-5):
        """A step's loss and gradients are those of eager."""
        import copy

        twin = copy.deepcopy(model)
        loss = torch.compile(model, backend="tessera")(*args).square().mean()
        loss.backward()
        other = twin(*args).square().mean()
        other.backward()
        self.close(loss, other, rtol, atol)
        for (name, a), b in zip(model.named_parameters(), twin.parameters()):
            self.close(a.grad, b.grad, rtol, atol)
        for a, b in zip(model.buffers(), twin.buffers()):
            self.close(a, b, rtol, atol)

    # Forward

    def test_registered(self):
        self.assertIn("tessera", torch._dynamo.list_backends())

    def test_forward(self):
        m = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 4), nn.Softmax(-1))
        self.same(m, torch.randn(3, 8))

    def test_types(self):
        for d in (torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8):
            x = torch.arange(12).reshape(3, 4).to(d)
            with self.subTest(str(d)):
                self.same(lambda x: (x + 2, x * x, x.sum(0), x > 3, x.to(torch.float32) / 3, x[1:, ::2].clone()), x, rtol=1e-2)
        z = torch.randn(3, 4, dtype=torch.complex64)
        self.same(lambda z: (z * z.conj(), z.abs(), torch.view_as_real(z) + 1, (z + 1j).sum()), z)
        b = torch.tensor([True, False, True])
        self.same(lambda b: (~b, b & True, b.sum(), b.any(), b.all()), b)
        f8 = torch.randn(4).to(torch.float8_e4m3fn)
        self.same(lambda x: x.to(torch.float32) * 2, f8)

    def test_scalars(self):
        self.same(lambda x, y: (x * 0.1 + y, x**2, 1 / y, torch.where(x > 0, x, 2.0)), torch.randn(()), torch.randn(5))
        x = torch.randn(64).bfloat16()
        self.same(lambda x: x * 0.1, x, rtol=0, atol=0)  # the number is not rounded to bf16 first

    def test_views(self):
        x = torch.randn(4, 6)
        self.same(lambda x: (x.t(), x[1], x[:, 2:4], x.view(2, 12), x.unsqueeze(0).expand(3, 4, 6)), x, whole=False)
        f = torch.compile(lambda x: (x.t() * 2, x.t()), backend="tessera")
        a, b = f(x)
        self.assertEqual((a.stride(), b.stride()), ((x.t() * 2).stride(), x.t().stride()))
        self.assertEqual(b.data_ptr(), x.data_ptr())

    def test_strides(self):
        """Inputs in any order are read where they lie; those with gaps are copied."""
        w = torch.randn(6, 4)
        self.same(lambda x, w: x @ w, torch.randn(3, 4), w.t())
        self.same(lambda x: x + 1, torch.randn(4, 6)[:, ::2])
        self.same(lambda x: x + 1, torch.randn(4, 1).expand(4, 5))
        x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
        c = self.same(lambda x: torch.relu(x), x)
        with torch.no_grad():
            self.assertTrue(c(x).is_contiguous(memory_format=torch.channels_last))
        self.same(lambda x: x + 1, torch.randn(10)[3:7])

    def test_memory(self):
        """Inputs are read and results written in torch's memory; what is returned as it came is the same tensor."""
        x = torch.randn(16)
        f = torch.compile(lambda x: (x + 1, x), backend="tessera")
        with torch.no_grad():
            a, b = f(x)
            x.fill_(5)
            self.close(f(x)[0], torch.full((16,), 6.0))
        self.assertEqual(b.data_ptr(), x.data_ptr())
        w = nn.Linear(3, 3)
        c = torch.compile(w, backend="tessera")
        with torch.no_grad():
            y = torch.randn(2, 3)
            c(y)
            w.weight.mul_(2)
            self.close(c(y), w(y))
            w.weight.data = torch.randn(3, 3)
            self.close(c(y), w(y))

    def test_in_place(self):
        """Buffers and arguments that change have what eager gives them."""

        class Counter(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("seen", torch.zeros(3))

            def forward(self, x):
                self.seen += x.sum(0)
                return x * self.seen

        a, b = Counter(), Counter()
        c = torch.compile(a, backend="tessera")
        with torch.no_grad():
            for _ in range(3):
                x = torch.randn(4, 3)
                self.close(c(x), b(x))
        self.close(a.seen, b.seen)

        def write(cache, x, at):
            cache.index_copy_(0, at, x)
            return cache.sum(0)

        one, two, at = torch.zeros(8, 4), torch.zeros(8, 4), torch.tensor([2, 5])
        c = torch.compile(write, backend="tessera")
        for _ in range(2):
            x = torch.randn(2, 4)
            self.close(c(one, x, at), write(two, x, at))
        self.close(one, two)
        t = torch.randn(4, 6).t()
        u = t.clone()
        self.close(torch.compile(lambda t: t.add_(1), backend="tessera")(t), u.add_(1))
        self.close(t, u)
        self.whole()

    def test_batch_norm(self):
        m = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(2))
        self.trained(m, torch.randn(2, 3, 8, 8))
        self.whole()

    def test_containers(self):
        self.same(lambda d: {"a": [d["x"] + 1, (d["y"],)], "n": 3, "none": None}, {"x": torch.randn(2), "y": torch.randn(3)}, whole=False)

    def test_no_results(self):
        self.same(lambda x: torch.zeros(0, 3) + x.sum(), torch.randn(2))
        self.same(lambda x: x[:0] * 2, torch.randn(3, 2))

    # Gradients

    def test_training(self):
        m = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 4))
        self.trained(m, torch.randn(3, 8))
        self.whole()

    def test_attention(self):
        class Attention(nn.Module):
            def __init__(self, causal):
                super().__init__()
                self.qkv, self.causal = nn.Linear(16, 48), causal

            def forward(self, x):
                q, k, v = self.qkv(x).view(2, 10, 3, 4, 4).permute(2, 0, 3, 1, 4)
                return nn.functional.scaled_dot_product_attention(q, k, v, is_causal=self.causal).transpose(1, 2).reshape(2, 10, 16)

        for causal in (False, True):
            self.trained(Attention(causal), torch.randn(2, 10, 16))
        q = torch.randn(2, 4, 6, 8)
        mask = torch.rand(6, 6) > 0.5
        mask[0] = False  # a row that sees nothing
        self.same(lambda q, m: nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=m), q, mask)
        self.whole()

    def test_convolutions(self):
        for options in (dict(stride=2, padding=1), dict(groups=2), dict(dilation=2), dict(stride=3, bias=False)):
            with self.subTest(str(options)):
                self.trained(nn.Conv2d(4, 6, 3, **options), torch.randn(2, 4, 9, 9, requires_grad=True))
        self.trained(nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1), torch.randn(2, 4, 5, 5, requires_grad=True))
        self.trained(nn.ConvTranspose2d(4, 6, 3, stride=2, groups=2), torch.randn(2, 4, 5, 5, requires_grad=True))
        self.trained(nn.Conv1d(4, 6, 3, padding="same"), torch.randn(2, 4, 9, requires_grad=True))
        self.whole()

    def test_autocast(self):
        m, x = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8)), torch.randn(4, 8)

        def f(x):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                return m(x)

        self.same(f, x, rtol=3e-2, atol=3e-2)

    def test_checkpoint(self):
        from torch.utils.checkpoint import checkpoint

        class Recomputed(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner, self.last = nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 6)), nn.Linear(6, 2)

            def forward(self, x):
                return self.last(checkpoint(self.inner, x, use_reentrant=False))

        self.trained(Recomputed(), torch.randn(3, 6))

    def test_custom_function(self):
        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return g * 3 + ctx.saved_tensors[0] * 0

        x = torch.randn(4, requires_grad=True)
        torch.compile(lambda x: Twice.apply(x).sum(), backend="tessera")(x).backward()
        self.close(x.grad, torch.full((4,), 3.0))

    def test_functional(self):
        f = lambda x: torch.func.vmap(torch.func.grad(lambda v: (v.sin() * v).sum()))(x)  # noqa: E731
        self.same(f, torch.randn(3, 4))

    def test_optimizers(self):
        for make in (lambda p: torch.optim.SGD(p, 0.1, momentum=0.9), lambda p: torch.optim.Adam(p, 0.01), lambda p: torch.optim.AdamW(p, 0.01, foreach=True),
                     lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, foreach=True)):
            a, b = ([nn.Parameter(torch.arange(6.0).reshape(2, 3)), nn.Parameter(torch.ones(3))] for _ in range(2))
            one, two = make(a), make(b)
            step = torch.compile(one.step, backend="tessera")
            for _ in range(3):
                for p, q in zip(a, b):
                    p.grad = torch.randn_like(p)
                    q.grad = p.grad.clone()
                step()
                two.step()
            with self.subTest(str(one)):
                self.close(a, b)
                self.whole()
            self.log.clear()
            torch._dynamo.reset()

    # Random numbers

    def test_random(self):
        f = torch.compile(lambda x: nn.functional.dropout(x, 0.25, True), backend="tessera")
        x = torch.ones(4000)
        torch.manual_seed(3)
        a, b = f(x), f(x)
        torch.manual_seed(3)
        c = f(x)
        self.assertTrue(torch.equal(a, c) and not torch.equal(a, b))
        self.assertAlmostEqual(float((a == 0).float().mean()), 0.25, delta=0.03)
        self.close(a[a != 0], torch.full_like(a[a != 0], 4 / 3))
        y = torch.ones(4000, requires_grad=True)
        out = f(y)
        out.sum().backward()
        self.close(y.grad, out.detach())  # the backward graph has the same mask
        self.whole()

    # Sizes

    def test_sizes(self):
        f = torch.compile(lambda x: torch.softmax(x @ x.t(), -1), backend="tessera")
        for n in (3, 4, 5, 6, 4):
            x = torch.randn(n, 7)
            self.close(f(x), torch.softmax(x @ x.t(), -1))
        g = torch.compile(lambda x: (x.view(-1, 2) * x.shape[0]).sum(0), backend="tessera", dynamic=True)
        for n in (4, 6, 10):
            x = torch.randn(n, requires_grad=True)
            g(x).sum().backward()
            self.close(x.grad, torch.full((n,), float(n)))
        self.whole()

    def test_bound_on_programs(self):
        f = torch.compile(lambda x: x * 2, backend="tessera", dynamic=True)
        limit, call.LIMIT = call.LIMIT, 3
        try:
            for n in range(2, 12):
                self.close(f(torch.ones(n)), torch.full((n,), 2.0))
        finally:
            call.LIMIT = limit

    # Splits and messages

    def test_splits(self):
        def f(x):
            a = torch.linalg.cholesky(x @ x.t() + 4 * torch.eye(4))
            return torch.linalg.eigvalsh(a @ a.t()).sum() + a.sum()

        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            self.same(f, torch.randn(4, 4), whole=False, rtol=1e-3)
            torch._dynamo.reset()
            self.same(f, torch.randn(4, 4), whole=False, rtol=1e-3)
        texts = [str(w.message) for w in said if "tessera" in str(w.message)]
        self.assertEqual(len(texts), 1, texts)
        self.assertIn("aten.linalg_cholesky_ex.default", texts[0])
        (record, plan), *_ = self.log
        places = [p for found in record.eager.values() for p in found]
        self.assertTrue(places and all(p[0].endswith("torch_door.py") for p in places))
        self.assertGreater(record.segments, 1)

    def test_explain(self):
        told = door.explain(nn.Sequential(nn.Linear(4, 4), nn.ReLU()), torch.randn(2, 4))
        kinds = [g["kind"] for g in told.data["graphs"]]
        self.assertEqual(kinds, ["forward", "backward"])
        self.assertEqual([g["nodes"] - g["in_programs"] for g in told.data["graphs"]], [0, 0])
        self.assertIn("ops in programs (100 %)", str(told))

    def test_check_of_ops(self):
        """A row that computes something else is named, with the line of the model."""
        from tessera import _torch_table as table

        right = table.load()["aten.tanh"]
        os.environ["TESSERA_CHECK"] = "ops"
        try:
            f = lambda x: torch.tanh(x.sin().view(-1) * x.shape[0]).split(2)[0]  # noqa: E731
            self.same(f, torch.randn(2, 3))
            self.same(f, torch.randn(2, 3), dynamic=True)
            table.ROWS["aten.tanh"] = table.ROWS["aten.relu"]
            torch._dynamo.reset()
            with self.assertRaisesRegex(door.InputError, r"torch_door.py:\d+: TESSERA_CHECK=ops: aten.tanh.default \(tanh\) differs from eager: \d of 6 elements"):
                torch.compile(f, backend="tessera")(torch.randn(2, 3))
        finally:
            table.ROWS["aten.tanh"] = right
            del os.environ["TESSERA_CHECK"]

    def test_cache(self):
        import tempfile

        from tessera import _torch_program as program

        x, build, count = torch.randn(3, 5), program.build, []
        program.build = lambda *a: count.append(1) or build(*a)
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TESSERA_TORCH_CACHE"] = folder
            try:
                for _ in range(2):
                    self.same(lambda x: (x.exp() + 1).sum(0), x)
                    torch._dynamo.reset()
                self.assertEqual((len(count), len(os.listdir(folder))), (1, 1))
                (Path(folder) / os.listdir(folder)[0]).write_bytes(b"damaged")
                self.same(lambda x: (x.exp() + 1).sum(0), x)
                self.assertEqual(len(count), 2)
            finally:
                del os.environ["TESSERA_TORCH_CACHE"]
                program.build = build

    # Exported programs and plans

    def test_load(self):
        m = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.BatchNorm1d(8), nn.Linear(8, 3)).eval()
        x = torch.randn(4, 6)
        exported = torch.export.export(m, (x,))
        module = door.load(exported)
        names = [a.name for a in module["main"].body.args]
        self.assertEqual((names[0], names[-1], len(names)), ("0.weight", "input", 10))
        self.close(module.run(x)[0], m(x).detach())
        self.close(module.compile()(x)[0], m(x).detach())
        again = ts.Module.parse(door.to_stablehlo(exported))
        self.assertNotIn("chlo.", str(again))
        self.assertEqual([a.name for a in again["main"].body.args], names)
        with self.assertRaisesRegex(door.InputError, r"aten.nonzero.default \(no row\) at .*torch_door.py:\d+"):

            class Counts(nn.Module):
                def forward(self, x):
                    return x.nonzero()

            door.load(torch.export.export(Counts(), (x,)))
        with self.assertRaisesRegex(door.InputError, "ExportedProgram is expected"):
            door.load(m)

    def test_auto_shard(self):
        m = nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.Linear(2048, 512))
        x = torch.randn(4096, 512)
        for make in (lambda p: torch.optim.AdamW(p), lambda p: torch.optim.SGD(p, 0.1, momentum=0.9), lambda p: None):
            plan = door.auto_shard(m, make(m.parameters()), x, devices=8)
            sizes = list(plan.mesh.values())
            self.assertEqual(torch.tensor(sizes).prod(), 8)
            self.assertTrue({"0.weight", "0.bias", "2.weight", "inputs.0"} <= set(plan.parts))
            self.assertTrue(plan.step_seconds > 0 and plan.parts["inputs.0"] != ((), ()))
            self.assertTrue(plan.module.check_plan(plan.plan))
        self.assertIn("a step", plan.report())
        with self.assertRaisesRegex(door.InputError, "not Adagrad"):
            door.auto_shard(m, torch.optim.Adagrad(m.parameters()), x, devices=8)

    def test_distributed(self):
        """Placements on a mesh of torch's processes, and collectives in exported programs; one process stands for eight."""
        import torch.distributed as dist
        from torch.distributed._functional_collectives import all_gather_tensor, all_reduce, reduce_scatter_tensor
        from torch.distributed.tensor import DTensor
        from torch.testing._internal.distributed.fake_pg import FakeStore

        dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=8)
        try:
            m, x = nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.Linear(2048, 512)), torch.randn(4096, 512)
            plan = door.auto_shard(m, None, x, mesh="dp=2,tp=4")
            plan.parts["0.weight"] = (("tp",), ())
            self.assertEqual(plan.partition_spec("0.weight"), (1, None))
            self.assertEqual([str(p) for p in plan.placements("0.weight")], ["R", "S(0)"])
            plan.apply(m)
            weight = m[0].weight
            self.assertIsInstance(weight, DTensor)
            self.assertEqual((tuple(weight.shape), tuple(weight.to_local().shape)), ((2048, 512), (512, 512)))

            class Step(nn.Module):
                def forward(self, x):
                    group = dist.group.WORLD
                    y = all_reduce(x * 2, "avg", group)
                    return all_gather_tensor(reduce_scatter_tensor(y, "sum", 0, group), 0, group)

            module = door.load(torch.export.export(Step(), (torch.randn(16, 3),)))
            names = [op.name for op in module["main"].body.ops]
            for name in ("all_reduce", "reduce_scatter", "all_gather"):
                self.assertEqual(names.count(f"stablehlo.{name}"), 1, names)
            self.assertIn("[0, 1, 2, 3, 4, 5, 6, 7]", str(module))
        finally:
            dist.destroy_process_group()

    def test_versions(self):
        code = "import torch; torch.__version__ = '1.0.0'\ntry:\n    import tessera.torch\nexcept OSError as e:\n    print(e)"
        said = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT / "python")}, check=True).stdout
        self.assertRegex(said, r"^tessera.torch supports torch 2\.\d+ to 2\.\d+; this is torch 1\.0\.0\n$")


if __name__ == "__main__":
    unittest.main()
