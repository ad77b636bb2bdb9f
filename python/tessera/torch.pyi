# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from typing import Any

from ._torch_explain import Explanation as Explanation
from ._torch_shard import Placements as Placements
from .errors import InputError as InputError
from .module import Module

def backend(gm: Any, inputs: Any, **options: Any) -> Callable[..., Any]: ...
def explain(model: Any, *args: Any, backward: bool = True, **kwargs: Any) -> Explanation: ...
def load(exported: Any) -> Module: ...
def to_stablehlo(exported: Any) -> str: ...
def auto_shard(
    model: Any, optimizer: Any, *args: Any, devices: int = 0, mesh: str = "", device: str = "h100", loss: Callable[[Any], Any] | None = None,
    kwargs: dict[str, Any] | None = None, **options: Any
) -> Placements: ...
