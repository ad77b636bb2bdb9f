# SPDX-License-Identifier: Apache-2.0
"""Binaries and described systems."""

import itertools
import json
import re

import tessera
from tessera._library import lib, owned, to_str, write_file

_ids = itertools.count(1)


class Flatbuffer:
    """The bytes of a file, and what they say."""

    def __init__(self, data, name="<binary>"):
        self._data, self._name = bytes(data), name
        self._context = tessera.Context()
        self._json = self._tree = None
        self.as_json()  # verified here, or refused

    def as_json(self):
        if self._json is None:
            ctx = self._context
            ctx._said = []
            text = owned(lib.tsr_binary_json(ctx._handle, to_str(self._data), to_str(self._name)))
            if text is None:
                ctx._fail()
            self._json = text.decode()
        return self._json

    @property
    def _root(self):
        if self._tree is None:
            text = re.sub(r"(?<![\w\"])-?\binf\b", lambda m: m[0].replace("inf", "Infinity"), self.as_json())
            self._tree = json.loads(re.sub(r"(?<![\w\"])nan\b", "NaN", text))
        return self._tree

    @property
    def version(self):
        found = self._root["version"]
        return f"{found['major']}.{found['minor']}.{found['patch']}"

    @property
    def schema_hash(self):
        return self._root["schema_hash"]

    def check_schema_hash(self):
        return True  # another one is a warning when the file is read

    @property
    def ttmlir_git_hash(self):
        return self._root["ttmlir_git_hash"]

    @property
    def file_identifier(self):
        at = 8 if self._data[8:12].isalnum() and not self._data[4:8].isalnum() else 4
        return self._data[at : at + 4].decode(errors="replace")

    def store(self, path):
        write_file(path, self._data)


class Binary(Flatbuffer):
    """Programs of TTNN, or of TTMetal's host."""

    def __init__(self, data, name="<binary>"):
        super().__init__(data, name)
        self.id = next(_ids)
        self._module = None

    @property
    def module(self):
        """The programs as a module of tessera, verified."""
        if self._module is None:
            ctx = self._context
            handle = ctx._plain(lib.tsr_module_of_binary, ctx._handle, to_str(self._data), to_str(self._name))
            self._module = tessera.Module(context=ctx, _handle=handle)
        return self._module

    @property
    def is_metal(self):
        return self.file_identifier == "TTM0"

    def _program(self, index):
        """What the file says of a program; of TTMetal, with the ops that one command has in it."""
        found = self._root["programs"][index]
        if self.is_metal and "operations" not in found:
            ops = self._function(found["name"]).body.ops[:-1]
            found["operations"] = [{"loc_info": str(op.location), "debug_info": str(op)} for op in ops]
        return found

    def _function(self, name):
        return next(op for op in self.module.walk() if op.name == "func.func" and op.attributes["sym_name"].value == name and op.body)

    def get_num_programs(self):
        return len(self._root["programs"])

    def get_program_name(self, index):
        return self._program(index)["name"]

    def is_program_private(self, index):
        return bool(self._program(index)["private"])

    def get_program_ops_as_json(self, index):
        program = self._root["programs"][index]
        if self.is_metal:
            return json.dumps([command for part in program["device_programs"] for queue in part["command_queues"] for command in queue["commands"]])
        return json.dumps(program["operations"])

    def get_program_inputs_as_json(self, index):
        return json.dumps(self._program(index)["inputs"])

    def get_program_outputs_as_json(self, index):
        return json.dumps(self._program(index)["outputs"])

    def get_program_mesh_shape(self, index):
        return self._program(index)["mesh_shape"]

    def get_system_desc_as_json(self):
        return json.dumps(self._root["system_desc"])

    def get_mlir_as_json(self):
        return json.dumps(self._root["mlir"])

    def get_debug_info_golden(self, loc):
        return {}


class SystemDesc(Flatbuffer):
    """A described system."""


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def load_from_path(path):
    return Flatbuffer(_read(path), str(path))


def load_binary_from_path(path):
    return Binary(_read(path), str(path))


def load_binary_from_bytes(data):
    return Binary(data)


def load_binary_from_capsule(capsule):
    return Binary(capsule.data)


def load_system_desc_from_path(path):
    return SystemDesc(_read(path), str(path))


class GlobalTensorCache:
    """What const-eval functions gave; each run computes it here."""

    @staticmethod
    def get_instance():
        return GlobalTensorCache()

    def clear(self):
        pass

    def size(self):
        return 0
