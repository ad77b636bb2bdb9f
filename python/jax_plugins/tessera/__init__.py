"""Registers Tessera with JAX: JAX_PLATFORMS=tessera, or tessera,cpu."""

import tessera

PLATFORM = "tessera"


def initialize():
    """JAX calls this when it looks for plugins."""
    from jax._src import xla_bridge

    xla_bridge.register_plugin(PLATFORM, priority=400, library_path=tessera.plugin_path(), options=None)
    from jax_plugins.tessera import lowering

    lowering.register(PLATFORM)
