# SPDX-License-Identifier: Apache-2.0
class Diagnostic:
    SEVERITIES: tuple[str, ...]
    severity: str
    file: str
    line: int
    col: int
    message: str
    source: str
    location: str
    def __init__(self, severity: str, file: str, line: int, col: int, message: str, source: str, location: str) -> None: ...

class TesseraError(Exception):
    diagnostics: tuple[Diagnostic, ...]
    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ...) -> None: ...

class InputError(TesseraError, ValueError): ...
class EnvironmentFailure(TesseraError, OSError): ...
