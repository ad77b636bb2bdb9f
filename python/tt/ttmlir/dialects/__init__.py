"""Dialects: classes of ops from the tables, attributes and types."""
