# SPDX-License-Identifier: Apache-2.0
"""Types of elements, by their numbers in binaries."""

from enum import IntEnum


class DataType(IntEnum):
    """Types of elements in binaries."""

    Float32 = 0
    Float16 = 1
    BFloat16 = 2
    BFP_Float8 = 3
    BFP_BFloat8 = 4
    BFP_Float4 = 5
    BFP_BFloat4 = 6
    BFP_Float2 = 7
    BFP_BFloat2 = 8
    UInt32 = 9
    UInt16 = 10
    UInt8 = 11
    Int32 = 12
    Float64 = 13
    Int64 = 14
    UInt64 = 15
    Int16 = 16
    Int8 = 17
    Bool = 18

    def __str__(self):
        return f"DataType.{self.name}"
