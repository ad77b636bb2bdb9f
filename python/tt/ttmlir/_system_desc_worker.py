# SPDX-License-Identifier: Apache-2.0
"""Writes the description of the system to a file: python3 _system_desc_worker.py FILE."""

import sys

from _ttmlir_runtime import runtime

if __name__ == "__main__":
    runtime.get_current_system_desc().store(sys.argv[1])
