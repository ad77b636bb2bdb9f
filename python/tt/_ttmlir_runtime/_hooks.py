# SPDX-License-Identifier: Apache-2.0
"""Runs with hooks around ops: all values of the program are results of a copy of it. A value that a hook replaces is an input of the next copy, which runs again."""

from ._run import CallbackContext, OpContext, evaluate
from ._tensor import Tensor, TensorRef
from ._types import element_of


def _numbers(body, ops):
    """Tensors of a program: results from 0 on, arguments before."""
    found = {v: -1 - i for i, v in enumerate(body.args) if v.type.kind == "tensor"}
    results = (v for op in ops if op.name != "ttnn.deallocate" for v in op.results if v.type.kind == "tensor")
    found.update({v: i for i, v in enumerate(results)})
    return found


def _ref(number, value):
    return TensorRef(number, value.type.shape, element_of(str(value.type.element)))


def walk_program(binary, index, callback):
    """Calls a function with each op of a program, which does not run."""
    program = binary._program(index)
    func = next(op for op in binary.module.walk() if op.name == "func.func" and op.attributes["sym_name"].value == program["name"] and op.body)
    ops = [op for op in func.body.ops if op.name != "func.return"]
    numbers = _numbers(func.body, ops)
    for op, said in zip(ops, program["operations"]):
        reads, writes = ([_ref(numbers[v], v) for v in values if v in numbers] for values in (op.operands, op.results))
        callback(OpContext(said["loc_info"], said["debug_info"], writes, reads))


class _Exposed:
    """A copy of a program that gives all its values."""

    def __init__(self, module, name, inputs, ndevices):
        self.module, self.name, self.inputs, self.ndevices = module.clone(), name, list(inputs), ndevices
        self.func = next(op for op in self.module.walk() if op.name == "func.func" and op.attributes["sym_name"].value == name and op.body)
        self.ops = [op for op in self.func.body.ops if op.name != "func.return"]
        numbers = _numbers(self.func.body, self.ops)
        self.reads = [[_ref(numbers[v], v) for v in op.operands if v in numbers] for op in self.ops]
        self.writes = [[_ref(numbers[v], v) for v in op.results if v in numbers] for op in self.ops]
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
    context = CallbackContext(index)
    context.pool.update({-1 - i: tensor for i, tensor in enumerate(inputs)})
    if "pre_program" in hooks:
        hooks["pre_program"](binary, context)
    for number, (op, said) in enumerate(zip(exposed.ops, program["operations"])):
        refs = exposed.writes[number]
        mine = [ref._key for ref in refs]
        now = OpContext(said["loc_info"], said["debug_info"], refs, exposed.reads[number])
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
