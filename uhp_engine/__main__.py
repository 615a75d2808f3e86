"""The program `uhp-engine`, also `python -m uhp_engine`."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Speak UHP where no argument is given; else hand over to the command line.

    A GUI's interrupt may come at any time, so it is caught before anything else is imported.
    """
    if not sys.stdin or not sys.stdin.isatty():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    # numba looks for scipy's linear algebra, which no kernel needs; not loading it saves a third
    # of the start-up where scipy is installed. This process alone is concerned, and none that
    # fits weights.
    if sys.argv[1:2] != ["train"]:
        sys.modules.setdefault("scipy", None)  # type: ignore[arg-type]
    if len(sys.argv) == 1:
        from .uhp.session import run

        sys.exit(run())
    from .cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
