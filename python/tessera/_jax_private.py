# SPDX-License-Identifier: Apache-2.0
"""What tessera.jax needs of JAX and has no public name: all of it is here, so that one file tells which versions work."""

from .errors import EnvironmentFailure

OLDEST = (0, 8)


def _missing(name, error):
    import jax

    oldest = ".".join(map(str, OLDEST))
    return EnvironmentFailure(f"tessera.jax: this jax, {jax.__version__}, has no {name} ({error}); jax {oldest} and later are supported as far as they keep it")


def require():
    """Raises where JAX is missing or too old."""
    try:
        import jax
    except ImportError as error:
        raise EnvironmentFailure(f"tessera.jax needs jax, which this Python does not have: {error}") from None
    if tuple(jax.__version_info__[:2]) < OLDEST:
        raise EnvironmentFailure(f"tessera.jax supports jax {'.'.join(map(str, OLDEST))} and later; this is jax {jax.__version__}")


def frames(equation):
    """Where an equation was written: frames (file, function, start and end of lines and columns), the innermost first, none of them JAX's own."""
    try:
        from jax._src.source_info_util import user_frames
    except ImportError as error:
        raise _missing("user_frames", error) from None
    found = []
    for f in user_frames(getattr(equation.source_info, "traceback", None)):
        found.append((f.file_name, f.function_name, f.start_line, f.start_column, f.end_line, f.end_column))
    return found


def unspecified():
    """What a nested jit has for a sharding that nobody gave."""
    try:
        from jax._src.sharding_impls import UNSPECIFIED
    except ImportError as error:
        raise _missing("UNSPECIFIED", error) from None
    return UNSPECIFIED


def jit_options(function):
    """Of a jitted function: what it jits, its static and donated arguments, and whether it has shardings; None for any other."""
    options = getattr(function, "_jit_info", None)
    if options is None or not hasattr(function, "trace"):
        return None
    try:
        none = unspecified()
        placed = any(s is not none for s in (*options.in_shardings_leaves, *options.out_shardings_leaves))
        names = ("static_argnums", "static_argnames", "donate_argnums", "donate_argnames")
        return function.__wrapped__, placed, {name: tuple(getattr(options, name) or ()) for name in names}
    except AttributeError as error:
        raise _missing("options of a jitted function", error) from None
