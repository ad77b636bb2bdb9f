# SPDX-License-Identifier: Apache-2.0
"""Pipelines of passes, on modules."""

from ._context import context_of


class PassManager:
    """builtin.module(pass{option=value},...)."""

    def __init__(self, anchor_op="builtin.module", context=None):
        self.context, self._passes = context_of(context), []

    @classmethod
    def parse(cls, pipeline, context=None):
        made = cls(context=context)
        made.add(pipeline)
        return made

    def add(self, pipeline):
        text = pipeline.strip()
        head = "builtin.module("
        if text.startswith(head) and text.endswith(")"):
            text = text[len(head) : -1]
        if text:
            self._passes.append(text)

    def enable_verifier(self, enable):
        pass

    def enable_ir_printing(self, *args, tree_printing_dir_path=None, **kwargs):
        pass

    def enable_timing(self):
        pass

    def run(self, operation):
        """Changes the module in place."""
        owner = operation._module if hasattr(operation, "_module") else operation.operation._owner
        if self._passes:
            owner.run_passes(",".join(self._passes))

    def __str__(self):
        return f"builtin.module({','.join(self._passes)})"
