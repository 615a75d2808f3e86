"""How the program ends: its exit codes, and leaving quietly when nobody reads its output."""

from __future__ import annotations

import os
import sys

# What a script can rely on.
EXIT_CHECK_FAILED = 1
EXIT_USAGE = 2
EXIT_ENGINE_FAILED = 3
EXIT_INTERRUPTED = 130


def silence_stdout() -> None:
    """Keep the interpreter's last flush from complaining about a reader that has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
