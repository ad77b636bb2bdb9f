# SPDX-License-Identifier: Apache-2.0
"""Names of cases of attributes. A value is the word that the attribute is written with."""

from enum import Enum


class ReduceType(Enum):
    Sum = "sum"
    Mean = "mean"
    Max = "max"
    Min = "min"
    Std = "std"
    Var = "var"
    Prod = "prod"
    Invalid = "invalid"


class MeshShardType(Enum):
    Identity = "identity"  # older: an argument that is in parts already
    Replicate = "replicate"
    Maximal = "maximal"
    Devices = "devices"


class MeshShardDirection(Enum):
    FullToShard = "full_to_shard"
    ShardToFull = "shard_to_full"


class AttentionMaskType(Enum):
    NoMask = "none"
    Causal = "causal"
    Arbitrary = "arbitrary"
