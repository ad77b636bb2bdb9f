from collections.abc import Callable
from typing import Any

class Explanation:
    data: dict[str, Any]
    modules: list[Any]

def backend(gm: Any, inputs: Any, **options: Any) -> Callable[..., Any]: ...
def explain(model: Any, *args: Any, backward: bool = True, **kwargs: Any) -> Explanation: ...
