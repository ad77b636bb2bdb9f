#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# jax.sh - JAX on Tessera, where a python3 has jax (or JAX_PYTHON names one): a slice of what docs/JAX.md promises.
cd "$(dirname "$0")/../.." || exit 3
python=${JAX_PYTHON:-python3}
if ! "$python" -c 'import jax' >/dev/null 2>&1; then
    echo 'skipped: no jax here (JAX_PYTHON=python)'
    exit
fi
library=$(cd "${BUILD:-build}" && pwd)/pjrt_plugin_tessera.so
sh tests/python/loads.sh "$python" "$library" || exit 0
export PYTHONPATH="$PWD/python:$PYTHONPATH" TESSERA_PLUGIN="$library" JAX_PLATFORMS=tessera,cpu TESSERA_DEVICES=8
"$python" -W ignore tests/pjrt/jax_slice.py || exit
"$python" -W ignore tests/pjrt/jax_interop.py || exit
# Of the features that conformance tests on several versions, those that only a framework can ask for; and other versions.
"$python" -W ignore tests/pjrt/jax_features.py buffer_callbacks unreduced_sums_in_loops ragged_all_to_all inspect_array_sharding \
    custom_partitioning persistent_cache serialized_executables profiles jobs_of_one_process || exit
"$python" -W ignore tests/pjrt/jax_refusals.py || exit
"$python" -W ignore tests/pjrt/jax_explain.py || exit
if "$python" -c 'import flax, optax' >/dev/null 2>&1; then
    exec "$python" -W ignore tests/pjrt/jax_train.py
fi
echo 'training skipped: no flax, or no optax'
