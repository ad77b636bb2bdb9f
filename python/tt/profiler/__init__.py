# SPDX-License-Identifier: Apache-2.0
"""What programs did while a block ran: `with trace(log_dir, port):`."""

from .profiler import trace

__all__ = ["trace"]
