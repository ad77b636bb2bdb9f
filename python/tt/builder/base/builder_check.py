# SPDX-License-Identifier: Apache-2.0
"""Comparing arrays with goldens, and what is raised when programs do not compile, run or compare."""

from golden import get_atol_rtol_pcc


class TTBuilderCompileException(Exception):
    """A graph could not be compiled."""


class TTBuilderRuntimeException(Exception):
    """A program could not be run."""


class TTBuilderGoldenException(Exception):
    """A program ran, and gave something else than its golden."""


def numpy():
    import numpy as np

    return np


def check_outputs(golden, output, output_id, pcc=0.99, atol=1e-8, rtol=1e-5, check_pcc=True, check_atol=False, check_rtol=False):
    """Compares two arrays: a dictionary of what was found. Raises what a check that is wanted finds."""
    np = numpy()
    if tuple(golden.shape) != tuple(output.shape):
        golden = np.broadcast_to(golden, output.shape) if golden.size == 1 else golden.reshape(output.shape)
    if golden.dtype == bool:
        output = output != 0  # a device has numbers for them: all but 0 are true
    found_atol, found_rtol, found_pcc = get_atol_rtol_pcc(golden, output, atol, rtol)
    result = {"pass": True, "expected_pcc": pcc, "actual_pcc": found_pcc, "expected_atol": atol, "actual_atol": found_atol, "expected_rtol": rtol, "actual_rtol": found_rtol}
    close = np.allclose(golden.astype(np.float64), output.astype(np.float64), atol=atol, rtol=rtol, equal_nan=True)
    for wanted, bad, what in (
        (check_pcc, not found_pcc >= pcc, f"a correlation of {found_pcc} where {pcc} is wanted"),
        (check_atol, not found_atol <= atol, f"an absolute error of {found_atol} where {atol} is allowed"),
        (check_rtol, not found_rtol <= rtol, f"a relative error of {found_rtol} where {rtol} is allowed"),
    ):
        if wanted and bad and not close:
            result["pass"] = False
            raise TTBuilderGoldenException(f"{output_id}: {what}")
    return result
