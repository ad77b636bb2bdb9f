# SPDX-License-Identifier: Apache-2.0
"""Types of elements: numbers of binaries, and arrays."""

from ttmlir._elements import DataType

# As arrays have them; bf16 by its bits, block formats as what their elements are.
_DTYPES = {
    DataType.Float32: "float32",
    DataType.Float16: "float16",
    DataType.BFloat16: "uint16",
    DataType.UInt32: "uint32",
    DataType.UInt16: "uint16",
    DataType.UInt8: "uint8",
    DataType.Int32: "int32",
    DataType.Float64: "float64",
    DataType.Int64: "int64",
    DataType.UInt64: "uint64",
    DataType.Int16: "int16",
    DataType.Int8: "int8",
    DataType.Bool: "bool",
}


def numpy():
    from tessera.tensors import numpy as get

    return get()


def dtype_of(data_type):
    """NumPy's dtype of a type's elements; of bf16 and block formats, of their bits as bf16."""
    return numpy().dtype(_DTYPES.get(DataType(data_type), "uint16"))


def is_bits(data_type):
    """Whether arrays hold bits of bf16."""
    return data_type == DataType.BFloat16 or "BFP" in DataType(data_type).name


def as_numbers(array, data_type):
    """An array of numbers NumPy knows, from one of a type's elements."""
    np = numpy()
    return (array.astype(np.uint32) << 16).view(np.float32) if is_bits(data_type) else array


def to_bits(array):
    """bf16, rounded to nearest even, by its bits."""
    np = numpy()
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(array), np.uint16(0x7FC0), rounded)


def convert(array, source, target):
    """Elements of one type as another; numbers that are out of range of an integer type end at its limits."""
    np = numpy()
    if source == target:
        return array
    numbers = as_numbers(array, source)
    if is_bits(target):
        return to_bits(numbers.astype(np.float32))
    wanted = dtype_of(target)
    if numbers.dtype.kind == "f" and wanted.kind in "iu":
        limits = np.iinfo(wanted)
        numbers = np.clip(np.nan_to_num(np.trunc(numbers.astype(np.float64)), posinf=limits.max, neginf=limits.min), limits.min, limits.max)
    return numbers.astype(wanted)


# Names of element types of modules.
ELEMENTS = {
    "f32": DataType.Float32,
    "f16": DataType.Float16,
    "bf16": DataType.BFloat16,
    "f64": DataType.Float64,
    "i1": DataType.Bool,
    "i8": DataType.Int8,
    "si8": DataType.Int8,
    "ui8": DataType.UInt8,
    "i16": DataType.Int16,
    "si16": DataType.Int16,
    "ui16": DataType.UInt16,
    "i32": DataType.Int32,
    "si32": DataType.Int32,
    "ui32": DataType.UInt32,
    "i64": DataType.Int64,
    "si64": DataType.Int64,
    "ui64": DataType.UInt64,
}


def element_of(text):
    """The type of elements of a module's type; of quantized ones, of their storage; of tiles of a block format, f32, as the evaluator has them."""
    if text.startswith("!ttcore.tile<"):
        word = text.rstrip(">").rpartition(", ")[2]
        return DataType.Float32 if word.startswith("bfp") else ELEMENTS[word]
    if text.startswith("!quant.uniform<"):
        storage = text[len("!quant.uniform<") :].split(":")[0].split("<")[0]
        text = ("ui" if storage[0] == "u" else "i") + storage[1:]
    return ELEMENTS[text]
