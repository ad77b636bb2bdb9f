# SPDX-License-Identifier: Apache-2.0
from . import jax as jax
from . import torch as torch
from .builder import Builder as Builder
from .context import Context as Context, default_context as default_context
from .errors import Diagnostic as Diagnostic, EnvironmentFailure as EnvironmentFailure, InputError as InputError, TesseraError as TesseraError
from .goldens import FunctionGoldens as FunctionGoldens, GoldenOp as GoldenOp, Goldens as Goldens, Report as Report
from .module import Costs as Costs, Module as Module
from .ops import Block as Block, Op as Op, Region as Region, Value as Value
from .plan import Check as Check, Plan as Plan
from .runtime import Bound as Bound, Comparison as Comparison, Executable as Executable, Profile as Profile, Stop as Stop, compare as compare, devices as devices
from .tensors import Tensor as Tensor
from .types import Attr as Attr, Type as Type

__version__: str

def plugin_path() -> str: ...
