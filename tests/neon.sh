#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# neon.sh - `make neon`: the AArch64 kernels, built with a cross compiler and run in an emulator. If these are not
# installed, it says so and passes.
CC=${NEON_CC:-aarch64-linux-gnu-gcc}
QEMU=${NEON_QEMU:-qemu-aarch64}
ROOT=${NEON_ROOT:-/usr/aarch64-linux-gnu}
for tool in "$CC" "$QEMU"; do
    command -v "$tool" >/dev/null 2>&1 || { echo "neon: skipped: no $tool (Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)"; exit 0; }
done
echo '#include <stdio.h>' | "$CC" -fsyntax-only -xc - 2>/dev/null || { echo "neon: skipped: $CC has no headers (Debian: libc6-dev-arm64-cross)"; exit 0; }
${MAKE:-make} CC="$CC" BUILD=build/neon build/neon/bin-test/unit >/dev/null || exit 1
# The emulator's threads do not survive a fork, so the other tests run on the machine itself only.
exec "$QEMU" -L "$ROOT" build/neon/bin-test/unit tile math product winograd move scalar
