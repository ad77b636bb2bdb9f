# SPDX-License-Identifier: Apache-2.0
"""How a function is called: its arguments as pytrees of arrays, and all that is none of them: static arguments, leaves that are no arrays (the
activation of an Equinox module), None."""

import functools
import inspect
import numbers

from . import _jax_private as private
from .errors import InputError


def is_array(leaf):
    """Whether a leaf is data: an array, also an abstract one, or a number."""
    if isinstance(leaf, numbers.Number):
        return True
    if not (hasattr(leaf, "shape") and hasattr(leaf, "dtype")):
        return False
    return getattr(leaf.dtype, "kind", "") not in "OSUMm" or str(leaf.dtype).startswith("key<")


def numbers_of(given, what):
    """Argument numbers, given as one or several."""
    found = (given,) if isinstance(given, int) else tuple(given or ())
    if not all(isinstance(n, int) for n in found):
        raise InputError(f"{what}: numbers of arguments are expected, not {given!r}")
    return found


def names_of(given, what):
    found = (given,) if isinstance(given, str) else tuple(given or ())
    if not all(isinstance(n, str) for n in found):
        raise InputError(f"{what}: names of arguments are expected, not {given!r}")
    return found


def _resolved(nums, names, positional, count, what):
    """Numbers and names of the same arguments, each with those that the other implies, as in jax.jit."""
    for n in nums:
        if not -count <= n < count:
            raise InputError(f"{what}: the call has no positional argument {n}: there are {count}")
    nums = {n % count for n in nums} | {positional.index(n) for n in names if n in positional}
    names = set(names) | {positional[n] for n in nums if n < len(positional)}
    return nums, names


class Call:
    """A function and the arguments that it was planned for. values: its arguments without static ones, by position and then by name, each a pytree with
    None where a leaf is no array; labels: their names; leaves: (path, leaf) of all arrays."""

    def __init__(self, function, args, kwargs, static_argnums=(), static_argnames=(), donate_argnums=(), donate_argnames=()):
        import jax

        if not callable(function):
            raise InputError(f"a function is expected, not {type(function).__name__}")
        given = {"static_argnums": numbers_of(static_argnums, "static_argnums"), "static_argnames": names_of(static_argnames, "static_argnames"),
                 "donate_argnums": numbers_of(donate_argnums, "donate_argnums"), "donate_argnames": names_of(donate_argnames, "donate_argnames")}
        jitted = private.jit_options(function)
        if jitted:
            function = jitted[0]
            given = {k: v + jitted[2][k] for k, v in given.items()}
        self.placed = bool(jitted and jitted[1])
        self.function, self.name = function, getattr(function, "__name__", type(function).__name__)
        if isinstance(function, functools.partial):
            self.name = getattr(function.func, "__name__", "partial")
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        self.positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        self.static, self.static_names = _resolved(given["static_argnums"], given["static_argnames"], self.positional, len(args), "static_argnums")
        donated, donated_names = _resolved(given["donate_argnums"], given["donate_argnames"], self.positional, len(args), "donate_argnums")
        self.nargs, self.names = len(args), sorted(k for k in kwargs if k not in self.static_names)
        self.fixed = self._static_of(args, kwargs)
        self.dynamic = [i for i in range(len(args)) if i not in self.static]
        self.labels = [self.positional[i] if i < len(self.positional) else f"args{i}" for i in self.dynamic] + self.names
        self.donate = tuple([n for n, i in enumerate(self.dynamic) if i in donated] + [len(self.dynamic) + n for n, k in enumerate(self.names) if k in donated_names])
        self.tree, self.held, flat = self._flat(args, kwargs)
        self.paths = [p for p, leaf in flat if is_array(leaf)]
        self.arrays = [leaf for _, leaf in flat if is_array(leaf)]
        self.abstract = [_abstract(leaf, jax) for leaf in self.arrays]
        self.values = self.tree_of(self.abstract)
        self.out_tree = None

    def _static_of(self, args, kwargs):
        return {**{i: args[i] for i in sorted(self.static)}, **{k: v for k, v in kwargs.items() if k in self.static_names}}

    def _flat(self, args, kwargs):
        """The tree of the values, the leaves that are no arrays by number, and (path as text, leaf)."""
        import jax

        values = [args[i] for i in self.dynamic] + [kwargs[k] for k in self.names]
        flat, tree = jax.tree_util.tree_flatten_with_path(values)
        flat = [(self.labels[p[0].idx] + jax.tree_util.keystr(p[1:]), leaf) for p, leaf in flat]
        for path, leaf in flat:
            if hasattr(leaf, "dtype") and hasattr(leaf, "shape") and not is_array(leaf):
                raise InputError(f"{path}: an array of {leaf.dtype} is nothing that JAX computes with; make the argument static, or leave it out")
        return tree, {n: leaf for n, (_, leaf) in enumerate(flat) if not is_array(leaf)}, flat

    def tree_of(self, arrays):
        """The values with these in the places of arrays, and None in those of other leaves."""
        import jax

        arrays = iter(arrays)
        return jax.tree.unflatten(self.tree, [None if n in self.held else next(arrays) for n in range(self.tree.num_leaves)])

    def named(self, trees):
        """(by position, by name) of what stands for the values."""
        return tuple(trees[: len(self.dynamic)]), dict(zip(self.names, trees[len(self.dynamic) :]))

    def flatten(self, args, kwargs):
        """The arrays of a call, in order; an error where the call is not the one that was planned."""
        if len(args) != self.nargs:
            raise InputError(f"{self.name}: the plan is for {self.nargs} positional arguments, not {len(args)}; plan this call with auto_shard")
        names = sorted(k for k in kwargs if k not in self.static_names)
        if names != self.names:
            raise InputError(f"{self.name}: the plan is for the keyword arguments {self.names}, not {names}")
        fixed = self._static_of(args, kwargs)
        for k, v in self.fixed.items():
            if k not in fixed or not _same(fixed[k], v):
                raise InputError(f"{self.name}: the plan is for the static argument {k} = {v!r}, not {fixed.get(k)!r}; plan this call with auto_shard")
        if fixed.keys() != self.fixed.keys():
            raise InputError(f"{self.name}: the plan has no static argument {sorted(fixed.keys() - self.fixed.keys())}")
        tree, held, flat = self._flat(args, kwargs)
        if tree != self.tree:
            raise InputError(f"{self.name}: the arguments have another structure than those of the plan: {_difference([p for p, v in flat if is_array(v)], self.paths)}")
        for n, leaf in held.items():
            if n not in self.held or not _same(leaf, self.held[n]):
                raise InputError(f"{flat[n][0]}: the plan is for {self.held.get(n)!r}, not {leaf!r}")
        arrays = [leaf for _, leaf in flat if is_array(leaf)]
        for path, leaf, want in zip(self.paths, arrays, self.abstract):
            _fits(path, leaf, want)
        return arrays

    def runner(self, jax):
        """The function of the values."""

        def run(*values):
            given = iter(jax.tree.leaves(values))
            leaves = [self.held[n] if n in self.held else next(given) for n in range(self.tree.num_leaves)]
            values = jax.tree.unflatten(self.tree, leaves)
            args = iter(values[: len(self.dynamic)])
            out = self.function(*(self.fixed[i] if i in self.static else next(args) for i in range(self.nargs)),
                                **dict(zip(self.names, values[len(self.dynamic) :])), **{k: v for k, v in self.fixed.items() if isinstance(k, str)})
            self._unchanged(values, leaves, jax)
            leaves, self.out_tree = jax.tree.flatten(out)
            self.out_held = {n: leaf for n, leaf in enumerate(leaves) if not is_array(leaf)}
            return jax.tree.unflatten(self.out_tree, [None if n in self.out_held else leaf for n, leaf in enumerate(leaves)])

        return self.signed(run)

    def _unchanged(self, values, leaves, jax):
        """Refuses a function that changes a module of its arguments in place: as in jax.jit, it has a copy, and the change would be lost. One of a dictionary
        or a list, which functions often make for themselves alone, is not held against it."""
        given = iter(leaves)
        for label, value, child in zip(self.labels, values, self.tree.children()):
            before = [next(given) for _ in range(child.num_leaves)]
            after = jax.tree.leaves(value)
            if not isinstance(value, (dict, list, tuple)) and (len(after) != len(before) or any(a is not b for a, b in zip(after, before))):
                raise InputError(f"{label}: the function changes this {type(value).__name__} in place, and the change would be lost: let it take the state"
                                 " (nnx.split) and return it")

    def signed(self, run):
        """A function of the values, with the names of the user's function and of its parameters: reports have them."""
        run.__name__ = run.__qualname__ = self.name if self.name.isidentifier() else "step"
        if len(set(self.labels)) == len(self.labels) and all(n.isidentifier() for n in self.labels):
            run.__signature__ = inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY) for n in self.labels])
        return run

    def results_of(self, arrays):
        """The function's results with these in the places of arrays, and None in those of other leaves."""
        import jax

        arrays = iter(arrays)
        return jax.tree.unflatten(self.out_tree, [None if n in self.out_held else next(arrays) for n in range(self.out_tree.num_leaves)])

    def finished(self, out):
        """The results with the leaves that are no arrays."""
        import jax

        arrays = iter(jax.tree.leaves(out))
        return jax.tree.unflatten(self.out_tree, [self.out_held[n] if n in self.out_held else next(arrays) for n in range(self.out_tree.num_leaves)])


def _same(a, b):
    try:
        return a is b or bool(a == b)
    except Exception:  # arrays and other things that have no one answer
        return False


def _difference(mine, planned):
    only = [f"{p} is not in the plan" for p in mine if p not in planned] + [f"{p} is missing" for p in planned if p not in mine]
    return "; ".join(only[:3]) or "other containers, or other data in them"


def _abstract(leaf, jax):
    if isinstance(leaf, numbers.Number) and not hasattr(leaf, "dtype"):
        return leaf
    dtype = leaf.dtype if not hasattr(leaf.dtype, "itemsize") or str(leaf.dtype).startswith("key<") else jax.dtypes.canonicalize_dtype(leaf.dtype)
    return jax.ShapeDtypeStruct(leaf.shape, dtype, weak_type=bool(getattr(leaf, "weak_type", False)))


def _fits(path, leaf, want):
    import jax

    if isinstance(want, numbers.Number) and not hasattr(want, "dtype"):
        if isinstance(leaf, numbers.Number) and type(leaf) is type(want):
            return
        want = f"a Python {type(want).__name__}"
    else:
        if isinstance(leaf, jax.ShapeDtypeStruct):
            raise InputError(f"{path}: a shape without data is enough to plan, not to run")
        if hasattr(leaf, "dtype"):
            mine = _abstract(leaf, jax)
            if tuple(mine.shape) == tuple(want.shape) and mine.dtype == want.dtype:
                return
            leaf = mine
        want = f"{want.dtype}{list(want.shape)}"
    given = f"{leaf.dtype}{list(leaf.shape)}" if hasattr(leaf, "dtype") else f"a Python {type(leaf).__name__}"
    raise InputError(f"{path}: the plan is for {want}, not {given}; plan this call with auto_shard")
