# SPDX-License-Identifier: Apache-2.0
"""How close an array is to another."""


def get_pcc(golden, calculated):
    """The correlation of two arrays: 1 when they are the same, and where one of them is constant, whether they are close."""
    import numpy as np

    a, b = np.asarray(golden).astype(np.float64).ravel(), np.asarray(calculated).astype(np.float64).ravel()
    if a.size == 0 or np.array_equal(a, b, equal_nan=True):
        return 1.0
    both = np.isfinite(a) & np.isfinite(b)
    if not np.array_equal(a[~both], b[~both], equal_nan=True):
        return 0.0
    a, b = a[both], b[both]
    if a.size < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return 1.0 if np.allclose(a, b, rtol=1e-2, atol=1e-2) else 0.0
    return float(np.corrcoef(a, b)[0, 1])


def get_atol_rtol_pcc(golden, calculated, atol=1e-8, rtol=1e-5):
    """The largest absolute and relative error, and the correlation."""
    import numpy as np

    a, b = np.asarray(golden).astype(np.float64), np.asarray(calculated).astype(np.float64)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.where(same, 0.0, np.abs(a - b))
        relative = np.where(same, 0.0, off / np.abs(a))
    return float(off.max(initial=0.0)), float(relative.max(initial=0.0)), get_pcc(a, b)
