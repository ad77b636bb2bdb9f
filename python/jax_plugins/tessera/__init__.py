"""Registers Tessera with JAX: JAX_PLATFORMS=tessera, or tessera,cpu."""

import tessera

PLATFORM = "tessera"


def initialize():
    """JAX calls this when it looks for plugins."""
    from jax._src import xla_bridge

    library = tessera.plugin_path()
    xla_bridge.register_plugin(PLATFORM, priority=400, library_path=library, options=None)
    from jax_plugins.tessera import callbacks, dlpack, foreign, lowering

    lowering.register(PLATFORM)
    callbacks.register(PLATFORM, library)
    foreign.register(PLATFORM, library)
    dlpack.register(PLATFORM)
