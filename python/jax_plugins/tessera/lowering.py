# SPDX-License-Identifier: Apache-2.0
"""Lowering rules of JAX for the platform tessera.

A platform that JAX does not know gets only the rules that are for all platforms. Tessera runs LAPACK's targets as JAX
writes them for cpu, so it takes over those rules, and says that it can donate buffers. Where a program chooses by platform
and names neither tessera nor a default, it takes what is for cpu. What was exported for cpu and not for tessera runs as well.
"""

import collections

# Primitives whose rule for cpu asks more of the platform, or gives less, than the rule for all platforms.
_NOT_TAKEN = ("dot_general",)


def _with_platform(platforms, platform):
    """Lists of platforms, one for each branch (None: the default): platform joins cpu where nothing is for it."""
    if platforms is None or any(ps is None or platform in ps for ps in platforms):
        return platforms
    return tuple((*ps, platform) if "cpu" in ps else ps for ps in platforms)


def _register_choices(platform):
    from jax._src.interpreters import mlir
    from jax._src.lax.control_flow import conditionals

    def index(ctx, *, platforms):
        return conditionals._platform_index_lowering(ctx, platforms=_with_platform(platforms, platform))

    def cond(ctx, *args, **params):
        if "branches_platforms" in params:
            params["branches_platforms"] = _with_platform(params["branches_platforms"], platform)
        return conditionals._cond_lowering(ctx, *args, **params)

    mlir.register_lowering(conditionals.platform_index_p, index, platform=platform)
    mlir.register_lowering(conditionals.cond_p, cond, platform=platform)


class _Platforms(tuple):
    """Platforms that a program was exported for; what is for cpu is for platform too."""

    platform = None

    def __contains__(self, name):
        return super().__contains__("cpu" if name == self.platform else name)

    def index(self, name, *bounds):
        return super().index("cpu" if name == self.platform else name, *bounds)


def _register_exported(platform):
    import dataclasses

    from jax._src.export import _export
    from jax._src.interpreters import mlir

    _Platforms.platform = platform

    def call(ctx, *args, exported):
        if platform not in exported.platforms:
            exported = dataclasses.replace(exported, platforms=_Platforms(exported.platforms))
        return _export._call_exported_lowering(ctx, *args, exported=exported)

    mlir.register_lowering(_export.call_exported_p, call, platform=platform)


def _ragged_all_to_all(operand, output, input_offsets, send_sizes, output_offsets, recv_sizes, *, axis_name, axis_index_groups):
    """The exchange by all_gather: row r of the output is the row that one of the others sends there."""
    import jax.numpy as jnp
    from jax import lax

    del recv_sizes  # the senders' sizes say the same
    group = {"axis_name": axis_name, "axis_index_groups": axis_index_groups}
    rows = lax.all_gather(operand, **group)
    # Of each sender, what it says of this device.
    first, count, to = (
        lax.all_to_all(v, split_axis=0, concat_axis=0, tiled=True, **group)
        for v in (input_offsets, send_sizes, output_offsets)
    )
    at = jnp.arange(output.shape[0])
    for k in range(rows.shape[0]):
        sent = (at >= to[k]) & (at < to[k] + count[k])
        picked = jnp.take(rows[k], jnp.clip(first[k] + at - to[k], 0, operand.shape[0] - 1), axis=0)
        output = jnp.where(sent.reshape((-1,) + (1,) * (output.ndim - 1)), picked, output)
    return output


def _register_exchange(platform):
    from jax._src.interpreters import mlir
    from jax._src.lax import parallel

    rule = mlir.lower_fun(_ragged_all_to_all, multiple_results=False)
    mlir.register_lowering(parallel.ragged_all_to_all_p, rule, platform=platform)


def register(platform):
    from jax._src.interpreters import mlir

    rules = mlir._platform_specific_lowerings
    own = dict(rules[platform])
    own.update((p, rule) for p, rule in mlir._lowerings.items() if p.name in _NOT_TAKEN)
    # Rules for cpu are looked up when they are needed: parts of JAX register theirs when they are imported.
    rules[platform] = collections.ChainMap(own, rules["cpu"])
    _register_choices(platform)
    _register_exported(platform)
    _register_exchange(platform)
    if platform not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append(platform)
