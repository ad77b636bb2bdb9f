# SPDX-License-Identifier: Apache-2.0
"""Registers Tessera with JAX: JAX_PLATFORMS=tessera, or tessera,cpu."""

import tessera

PLATFORM = "tessera"

# The versions of JAX that are supported: the oldest and the newest are tested (tests/conformance/jax_versions.sh).
OLDEST, NEWEST = (0, 8), (0, 12)


def refusal(version):
    """Why this version of JAX (a tuple) is not supported; None if it is."""
    if OLDEST <= tuple(version[:2]) <= NEWEST:
        return None
    oldest, newest = (".".join(map(str, v)) for v in (OLDEST, NEWEST))
    return f"Tessera supports jax {oldest} to {newest}; this is jax {'.'.join(map(str, version))}"


def _options():
    """Options of the client: where the service of a job of several processes is."""
    from jax._src import distributed

    address = getattr(distributed.global_state, "coordinator_address", None)
    several = getattr(distributed.global_state, "client", None) is not None
    return {"coordinator": address} if several and address else {}


def initialize():
    """JAX calls this when it looks for plugins."""
    import jax
    from jax._src import xla_bridge

    why = refusal(jax.__version_info__)
    if why:

        def refuse(*_, **__):
            raise RuntimeError(why)

        # An error for those who name the platform; others do not hear of it.
        xla_bridge.register_backend_factory(PLATFORM, refuse, priority=400, fail_quietly=True)
        return
    library = tessera.plugin_path()
    xla_bridge.register_plugin(PLATFORM, priority=400, library_path=library, options=_options)
    from jax_plugins.tessera import callbacks, dlpack, foreign, lowering, partitioner, saved, shardings

    lowering.register(PLATFORM)
    callbacks.register(PLATFORM, library)
    foreign.register(PLATFORM, library)
    dlpack.register(PLATFORM)
    partitioner.register(PLATFORM, library)
    saved.register(PLATFORM, library)
    shardings.register(PLATFORM, library)
