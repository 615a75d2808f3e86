"""The process's memory as the system sees it. Imports nothing large: it is asked at the start."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def resident_bytes() -> int | None:
    """Return the process's resident memory in bytes, None where the system has no /proc for it."""
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return None
