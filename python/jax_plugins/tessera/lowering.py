"""Lowering rules of JAX for the platform tessera.

A platform that JAX does not know gets only the rules that are for all platforms. Tessera runs LAPACK's targets as JAX
writes them for cpu, so it takes over those rules, and says that it can donate buffers.
"""

# Primitives whose rule for cpu asks more of the platform, or gives less, than the rule for all platforms.
_NOT_TAKEN = ("dot_general",)


def register(platform):
    from jax._src.interpreters import mlir
    from jax._src.lax import linalg  # noqa: F401: its import registers the rules

    rules = mlir._platform_specific_lowerings
    for primitive, rule in list(rules["cpu"].items()):
        if primitive.name not in _NOT_TAKEN:
            rules[platform].setdefault(primitive, rule)
    if platform not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append(platform)
