"""Runs with hooks around ops: all values of the program are results of a copy of it. A value that a hook replaces is an input of the next copy, which runs again."""

from ._run import CallbackContext, OpContext, evaluate
from ._tensor import Tensor, TensorRef


class _Exposed:
    """A copy of a program that gives all its values."""

    def __init__(self, module, name, inputs, ndevices):
        self.module, self.name, self.inputs, self.ndevices = module.clone(), name, list(inputs), ndevices
        self.func = next(op for op in self.module.walk() if op.name == "func.func" and op.attributes["sym_name"].value == name and op.body)
        self.ops = [op for op in self.func.body.ops if op.name != "func.return"]
        for op in self.ops:
            if op.name == "ttnn.deallocate":
                op.erase()  # its operand is asked for later
        self.end = self.func.body.ops[-1]
        self.nout = len(self.end.operands)
        self.values = [v for op in self.ops if op.name != "ttnn.deallocate" for v in op.results if v.type.kind == "tensor"]
        self.end.operands = [*self.end.operands, *self.values]
        self._retype()
        self.rows = None

    def _retype(self):
        ctx, body = self.module.context, self.func.body
        self.func.attributes["function_type"] = ctx.attr(ctx.function_type([a.type for a in body.args], [v.type for v in self.end.operands]))
        for name, wanted in (("res_attrs", len(self.end.operands)), ("arg_attrs", len(body.args))):
            if name in self.func.attributes:
                found = self.func.attributes[name].items
                self.func.attributes[name] = [*found, *[ctx.attr({})] * (wanted - len(found))]

    def run(self):
        self.rows = evaluate(self.module, self.name, self.inputs, self.ndevices)

    def tensor(self, number):
        parts = [row[self.nout + number] for row in self.rows]
        return Tensor([part[0] for part in parts], parts[0][1])

    def replace(self, number, tensor):
        """What uses the value uses a new argument from now on."""
        value = self.values[number]
        value.replace_all_uses_with(self.func.body.add_argument(value.type))
        self.inputs.append(tensor)
        self._retype()
        self.run()


def run_with_hooks(device, binary, index, inputs, hooks, ndevices):
    """Results of a program, for each device."""
    program = binary._program(index)
    exposed = _Exposed(binary.module, program["name"], inputs, ndevices)
    exposed.run()
    context = CallbackContext()
    if "pre_program" in hooks:
        hooks["pre_program"](binary, context)
    numbers = {value: i for i, value in enumerate(exposed.values)}
    for op, said in zip(exposed.ops, program["operations"]):
        mine = [] if op.name == "ttnn.deallocate" else [numbers[v] for v in op.results if v in numbers]
        refs = [TensorRef(number) for number in mine]
        now = OpContext(said["loc_info"], said["debug_info"], refs)
        if "pre_op" in hooks:
            hooks["pre_op"](binary, context, now)
        for number in mine:
            context.pool[number] = exposed.tensor(number)
        if "post_op" in hooks:
            hooks["post_op"](binary, context, now)
        for number, tensor in list(context.changed.items()):
            exposed.replace(number, tensor)
        context.changed.clear()
    if "post_program" in hooks:
        hooks["post_program"](binary, context)
    return [row[: exposed.nout] for row in exposed.rows]
