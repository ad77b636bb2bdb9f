# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, as exceptions."""


class Diagnostic:
    """One message of the library: severity, text, and where it is."""

    __slots__ = ("severity", "file", "line", "col", "message", "source", "location")
    SEVERITIES = ("error", "warning", "note", "remark")

    def __init__(self, severity, file, line, col, message, source, location):
        self.severity = severity
        self.file = file
        self.line = line
        self.col = col
        self.message = message
        self.source = source
        self.location = location

    def __str__(self):
        place = f"{self.file}:{self.line}:{self.col}: " if self.file else f"{self.location}: " if self.location else ""
        return f"{place}{self.severity}: {self.message}"


class TesseraError(Exception):
    """A call failed. diagnostics: all that was said about it, errors and their notes, in order."""

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class InputError(TesseraError, ValueError):
    """Text, data or a program that is wrong."""


class EnvironmentFailure(TesseraError, OSError):
    """Memory, a file or time that was not to be had: the same call may work elsewhere."""

    def __str__(self):
        return str(self.args[0])
