from os import PathLike
from typing import Any, Sequence

from .context import Context
from .module import Module
from .tensors import Tensor
from .types import Type

class Stop:
    file: str
    line: int
    col: int
    text: str
    value: Any
    device: int
    def __init__(self, at: Any) -> None: ...

class Saved:
    context: Context
    program: bytes
    num_inputs: int
    sources: list[int]
    def __init__(self, context: Context, folder: str | PathLike[str], function: str = ...) -> None: ...
    def weight(self, i: int, type: Type) -> Tensor: ...
    def takes(self, arrays: Sequence[Any], types: Sequence[Type]) -> bool: ...
    def complete(self, arrays: Sequence[Any], types: Sequence[Type]) -> Sequence[Any]: ...

class Profile:
    text: str
    data: dict[str, Any]
    def __init__(self, text: str, data: dict[str, Any]) -> None: ...

class Executable:
    context: Context
    input_types: list[Type]
    output_types: list[Type]
    num_devices: int
    def __init__(self, module: Module, function: str = ..., strict_rounding: bool = ...) -> None: ...
    @classmethod
    def load(cls, data: bytes, context: Context | None = ...) -> Executable: ...
    def save(self) -> bytes: ...
    @property
    def module(self) -> Module: ...
    def __call__(self, *arrays: Any) -> list[Any]: ...
    def bind(self, *arrays: Any, results: Sequence[Any] | None = ...) -> Bound: ...
    @property
    def memory(self) -> dict[str, int]: ...

class Bound:
    program: Executable
    results: list[Any] | None
    def __init__(self, program: Executable, arrays: Sequence[Any], results: Sequence[Any] | None = ...) -> None: ...
    def __call__(self, *arrays: Any) -> list[Any]: ...

class Comparison:
    passed: bool
    same_shape: bool
    same_type: bool
    exact: bool
    max_abs: float
    max_rel: float
    max_ulp: float
    pcc: float
    bad: int
    first_bad: int
    def __init__(self, found: Any) -> None: ...
    def __bool__(self) -> bool: ...

def run(module: Module, arrays: Sequence[Any], function: str, engine: str, seed: int, spmd: bool, zero_division: str, on_print: Any, on_breakpoint: Any, folder: Any) -> list[Any]: ...
def profile(module: Module, arrays: Sequence[Any], function: str, times: int) -> Profile: ...
def random_inputs(module: Module, function: str, seed: int) -> list[Any]: ...
def compare(actual: Any, expected: Any, rtol: float | None = ..., atol: float | None = ..., context: Context | None = ...) -> Comparison: ...
