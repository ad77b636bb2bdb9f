# SPDX-License-Identifier: Apache-2.0
"""Dialects: classes of ops from the tables, attributes and types."""
