#!/bin/sh
# neon.sh - `make neon`: the kernels of AArch64, built by a cross compiler and run by an emulator. Without these it says so and passes.
CC=${NEON_CC:-aarch64-linux-gnu-gcc}
QEMU=${NEON_QEMU:-qemu-aarch64}
ROOT=${NEON_ROOT:-/usr/aarch64-linux-gnu}
for tool in "$CC" "$QEMU"; do
    command -v "$tool" >/dev/null 2>&1 || { echo "neon: skipped: no $tool (Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)"; exit 0; }
done
echo '#include <stdio.h>' | "$CC" -fsyntax-only -xc - 2>/dev/null || { echo "neon: skipped: $CC has no headers (Debian: libc6-dev-arm64-cross)"; exit 0; }
${MAKE:-make} CC="$CC" BUILD=build/neon build/neon/bin-test/unit >/dev/null || exit 1
# Threads of the emulator do not survive a fork, so that the other tests stay with the machine's own.
exec "$QEMU" -L "$ROOT" build/neon/bin-test/unit tile math product move scalar
