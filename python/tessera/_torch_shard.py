# SPDX-License-Identifier: Apache-2.0
"""Plans for models of PyTorch: where parameters lie on a mesh, as DTensor, FSDP and torch_xla say it."""

from .errors import InputError


class Placements:
    """Shardings of a model's parameters, buffers, optimizer state and inputs, by name. mesh: sizes of axes by name; parts: for each name, the axes that divide each
    dimension; step_seconds, peak_bytes: what the plan promises; plan, module: the tessera.Plan and the module of the step."""

    def __init__(self, module, plan, names):
        self.module, self.plan, best = module, plan, plan.candidate
        self.mesh = {a["name"]: a["size"] for a in best["mesh"]}
        self.step_seconds, self.peak_bytes = best["step_seconds"], best["peak_bytes"]
        self.parts = {name: () for name in names}
        for row in best["arguments"]:
            self.parts[names[row["index"]]] = tuple(tuple(axes) for axes in row["sharding"])

    def placements(self, name):
        """DTensor's placements of a tensor, one for each axis of the mesh."""
        from torch.distributed.tensor import Replicate, Shard

        found = []
        for axis in self.mesh:
            dims = [d for d, axes in enumerate(self.parts[name]) if axis in axes]
            found.append(Shard(dims[0]) if dims else Replicate())
        return tuple(found)

    def partition_spec(self, name):
        """torch_xla's partition spec of a tensor, for mark_sharding: for each dimension, numbers of axes, or None."""
        axes = list(self.mesh)
        found = []
        for dim in self.parts[name]:
            numbers = tuple(axes.index(a) for a in dim)
            found.append(None if not numbers else numbers[0] if len(numbers) == 1 else numbers)
        return tuple(found)

    def device_mesh(self, kind="cpu"):
        """A DeviceMesh of torch's processes with the plan's axes."""
        from torch.distributed.device_mesh import init_device_mesh

        return init_device_mesh(kind, tuple(self.mesh.values()), mesh_dim_names=tuple(self.mesh))

    def apply(self, model, mesh=None):
        """Makes parameters and buffers of a model DTensors with these placements, in place; the same for each process."""
        import torch
        from torch.distributed.tensor import distribute_tensor

        mesh = mesh or self.device_mesh()
        if tuple(mesh.shape) != tuple(self.mesh.values()):
            raise InputError(f"the plan is for a mesh of {tuple(self.mesh.values())}, not {tuple(mesh.shape)}")
        for prefix, module in model.named_modules():
            for table in (module._parameters, module._buffers):
                for key, t in list(table.items()):
                    name = f"{prefix}.{key}" if prefix else key
                    if t is None or name not in self.parts:
                        continue
                    made = distribute_tensor(t.data, mesh, self.placements(name))
                    table[key] = torch.nn.Parameter(made, t.requires_grad) if isinstance(t, torch.nn.Parameter) else made
        return model

    def report(self):
        return "\n".join([str(self), *(f"  {name}: {_text(parts)}" for name, parts in self.parts.items())])

    def __str__(self):
        axes = ", ".join(f"{k}={v}" for k, v in self.mesh.items())
        return f"{axes}: {1e3 * self.step_seconds:.3f} ms a step, {self.peak_bytes / 1e6:.1f} MB a device"

    def __repr__(self):
        return f"<Placements on {self}>"


def _text(parts):
    return "(" + ", ".join("+".join(p) if p else "_" for p in parts) + ")" if parts else "on every device"
