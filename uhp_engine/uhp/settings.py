"""Where options get their first values: flag before variable before configuration file."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from ..warmup import note
from .options import OPTIONS, OptionError, OptionValues, find_option


def configuration_file() -> Path | None:
    """Return the path of the user's configuration file, there or not; None without a home."""
    chosen = os.environ.get("UHP_ENGINE_CONFIG")
    if chosen:
        return Path(chosen)
    try:
        import platformdirs

        folder = Path(platformdirs.user_config_dir("uhp-engine", appauthor=False))
    except (RuntimeError, OSError):
        return None
    return folder / "config.toml"


def _read_file(path: Path) -> dict[str, object]:
    """Return the file's table, empty where there is no file; a broken one is noted, not fatal.

    A GUI would wait for ever for an engine that refused to start.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return dict(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        if "UHP_ENGINE_CONFIG" in os.environ:
            note(f"there is no configuration file {path}")
    except (OSError, ValueError) as error:
        note(f"leaving out {str(path)[:200]}: {error}")
    return {}


def first_values(flags: Mapping[str, str] | None = None) -> OptionValues:
    """Return the options' first values.

    Args:
        flags: option name -> text, as given on the command line.

    Raises:
        OptionError: a flag's value is none that its option takes. (A bad variable or line of the
            configuration file is noted on standard error and left out.)
    """
    values = OptionValues()
    path = configuration_file()
    sources: list[tuple[str, dict[str, object]]] = []
    if path is not None:
        sources.append((str(path), _read_file(path)))
    variables = {
        option.name: os.environ[option.variable]
        for option in OPTIONS
        if option.variable in os.environ
    }
    sources.append(("the environment", dict(variables)))
    for source, table in sources:
        for name, value in table.items():
            try:
                values.set(name, str(value))
            except OptionError as error:
                note(f"leaving out a setting of {source}: {error}")
    for name, text in (flags or {}).items():
        try:
            values.set(name, text)
        except OptionError as error:
            raise OptionError(f"{find_option(name).flag}: {error}") from None
    return values
