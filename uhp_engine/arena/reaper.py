"""No engine outlives its runner: a small helper process kills what a dead runner left behind.

Not every engine leaves when its input ends, so closing the pipe is not enough. The helper hears
of each engine through a pipe of its own; when that pipe ends, however the runner died, it kills
the process groups that are still on its list.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading

# Runs in a bare interpreter: `-I -S` starts in some ten milliseconds.
_SCRIPT = """
import os, signal, subprocess, sys
for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
alive = set()
for line in sys.stdin:
    word, number = line.split()
    (alive.add if word == "watch" else alive.discard)(int(number))
for number in alive:
    try:
        if hasattr(os, "killpg"):
            os.killpg(number, signal.SIGKILL)
        else:
            subprocess.call(["taskkill", "/F", "/T", "/PID", str(number)])
    except OSError:
        pass
"""


def kill_group(pid: int) -> None:
    """Kill a process and all that it started; nothing happens where none is left."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:
            subprocess.run(
                ["taskkill", "/F", "/T", "/PID", str(pid)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )


class Reaper:
    """The helper process, started when the first engine is; one for each process of ours."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._helper: subprocess.Popen[str] | None = None
        self._owner = 0

    def watch(self, pid: int) -> None:
        """Have an engine killed if this process dies."""
        self._tell(f"watch {pid}")

    def forget(self, pid: int) -> None:
        """Take back `watch`: the engine has ended."""
        self._tell(f"forget {pid}")

    def _tell(self, line: str) -> None:
        with self._lock, contextlib.suppress(OSError, ValueError):
            if self._helper is None or self._owner != os.getpid():
                self._start()
            assert self._helper is not None
            assert self._helper.stdin is not None
            self._helper.stdin.write(f"{line}\n")
            self._helper.stdin.flush()

    def _start(self) -> None:
        self._owner = os.getpid()
        self._helper = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl+C in the terminal must not reach it
            text=True,
        )
        atexit.register(self._stop)

    def _stop(self) -> None:
        if self._helper is None or self._owner != os.getpid():
            return
        with contextlib.suppress(OSError):
            self._helper.communicate()
        self._helper = None


reaper = Reaper()
