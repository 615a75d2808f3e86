"""The results file: SQLite, one row a game, written as each game ends.

The write-ahead log makes each game a transaction of its own, so that killing the runner at any
moment loses no finished game, and others may read while it runs. The plan and the openings are
stored before the first game; from them the whole schedule follows, and what is left of it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .. import __version__
from .openings import Suites
from .outcome import PlayedGame
from .plan import Plan
from .schedule import ScheduledGame, schedule, shard

FORMAT = 1
BUSY_SECONDS = 30.0

_SCHEMA = """
CREATE TABLE match (
    format INTEGER NOT NULL, version TEXT NOT NULL, fingerprint TEXT NOT NULL,
    plan TEXT NOT NULL, openings TEXT NOT NULL, shard TEXT NOT NULL
);
CREATE TABLE game (
    number INTEGER PRIMARY KEY, pair INTEGER NOT NULL, round INTEGER NOT NULL,
    white TEXT NOT NULL, black TEXT NOT NULL, game_type TEXT NOT NULL,
    result TEXT NOT NULL, termination TEXT NOT NULL, detail TEXT NOT NULL,
    at_fault TEXT NOT NULL, moves TEXT NOT NULL, opening_plies INTEGER NOT NULL,
    seconds TEXT NOT NULL, started TEXT NOT NULL, duration REAL NOT NULL,
    white_id TEXT NOT NULL, black_id TEXT NOT NULL, host TEXT NOT NULL
);
"""
_COLUMNS = (
    *("number", "pair", "round", "white", "black", "game_type", "result", "termination"),
    *("detail", "at_fault", "moves", "opening_plies", "seconds", "started", "duration"),
    *("white_id", "black_id", "host"),
)


class StoreError(Exception):
    """A results file that can't be used as asked; says why."""


class Store:
    """A results file, open; made by `create` or `open`.

    Attributes:
        path: where it is.
        plan: what is played.
        openings: by game type.
        part: `(index, parts)` of a shard, `(1, 1)` for the whole.
    """

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock: Any = None
        row = connection.execute("SELECT * FROM match").fetchone()
        if row is None or row["format"] != FORMAT:
            found = "nothing" if row is None else f"format {row['format']}"
            raise StoreError(f"{path!r} holds {found}; expected results of format {FORMAT}")
        self.fingerprint: str = row["fingerprint"]
        self.plan = Plan.from_dict(json.loads(row["plan"]))
        self.openings: Suites = {
            game_type: [tuple(moves) for moves in suite]
            for game_type, suite in json.loads(row["openings"]).items()
        }
        index, _, parts = row["shard"].partition("/")
        self.part = (int(index), int(parts))

    @classmethod
    def create(
        cls, path: str, plan: Plan, openings: Suites, part: tuple[int, int] = (1, 1)
    ) -> Store:
        """Make a new results file.

        Raises:
            StoreError: there is such a file already, or it can't be written.
        """
        texts = (json.dumps(plan.to_dict()), json.dumps(openings))
        row = (FORMAT, __version__, fingerprint(plan, openings), *texts, f"{part[0]}/{part[1]}")
        # Made under another name first: whatever happens, the file is whole or not there.
        unfinished = f"{path}.{os.getpid()}.new"
        try:
            os.close(os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o666))
            with contextlib.closing(_connect(unfinished)) as connection, connection:
                connection.executescript(_SCHEMA)
                connection.execute("INSERT INTO match VALUES (?, ?, ?, ?, ?, ?)", row)
            os.link(unfinished, path)
        except FileExistsError:
            raise StoreError(f"{path!r} exists already: resume it, or name another file") from None
        except OSError as error:
            raise StoreError(f"unable to write {path!r}: {error.strerror}") from None
        finally:
            for rest in ("", "-wal", "-shm"):
                Path(unfinished + rest).unlink(missing_ok=True)
        return cls.open(path)

    @classmethod
    def open(cls, path: str) -> Store:
        """Open a results file.

        Raises:
            StoreError: there is none, or it is something else.
        """
        if not Path(path).is_file():
            raise StoreError(f"there is no results file {path!r}")
        connection = _connect(path)
        try:
            return cls(path, connection)
        except sqlite3.DatabaseError as error:
            connection.close()
            raise StoreError(f"{path!r} is no results file: {error}") from None
        except StoreError:
            connection.close()
            raise
        except (ValueError, TypeError) as error:
            connection.close()
            raise StoreError(f"{path!r} holds a plan that can't be read: {error}") from None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def lock(self) -> None:
        """Hold the file against a second runner, until it is closed or this process ends.

        Raises:
            StoreError: another process plays into it.
        """
        try:
            import fcntl
        except ImportError:  # Windows: the schedule's numbers still keep a game from counting twice
            return
        # A file of its own: closing any handle of the database would drop SQLite's own locks.
        self._lock = open(f"{self.path}.lock", "a")  # noqa: SIM115
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Its last holder may have removed it between our opening and locking it.
            if os.fstat(self._lock.fileno()).st_ino != os.stat(self._lock.name).st_ino:
                raise OSError
        except OSError:
            self._lock.close()
            self._lock = None
            raise StoreError(f"another process is playing into {self.path!r}") from None

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
        if self._lock is not None:
            Path(f"{self.path}.lock").unlink(missing_ok=True)
            self._lock.close()
            self._lock = None

    def add(self, game: PlayedGame) -> None:
        """Write a finished game.

        Raises:
            StoreError: that game is there already.
        """
        values = game.to_dict()
        values["moves"] = ";".join(game.moves)
        values["seconds"] = json.dumps(game.seconds)
        marks = ", ".join("?" * len(_COLUMNS))
        try:
            with self._connection:
                self._connection.execute(
                    f"INSERT INTO game ({', '.join(_COLUMNS)}) VALUES ({marks})",
                    [values[column] for column in _COLUMNS],
                )
        except sqlite3.IntegrityError:
            raise StoreError(f"game {game.number + 1} is in {self.path!r} already") from None

    def games(self) -> Iterator[PlayedGame]:
        """Yield the finished games by number."""
        for row in self._connection.execute("SELECT * FROM game ORDER BY number"):
            values = {column: row[column] for column in _COLUMNS}
            values["moves"] = values["moves"].split(";") if values["moves"] else []
            values["seconds"] = json.loads(values["seconds"])
            yield PlayedGame.from_dict(values)

    def finished(self) -> set[int]:
        """Return the numbers of the finished games."""
        return {row["number"] for row in self._connection.execute("SELECT number FROM game")}

    def planned(self) -> list[ScheduledGame]:
        """Return every game of this file's schedule, its shard alone, played or not."""
        return list(shard(schedule(self.plan, self.openings), *self.part))


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        # In WAL mode a commit survives the process; only a power cut may take the last ones.
        connection.execute("PRAGMA synchronous=NORMAL")
    except sqlite3.DatabaseError as error:
        connection.close()
        raise StoreError(f"{path!r} is no results file: {error}") from None
    return connection


def fingerprint(plan: Plan, openings: Suites) -> str:
    """Return a hash of all that decides a schedule: equal ones may be merged."""
    text = json.dumps([plan.to_dict(), openings], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def merge(target: str, sources: Iterable[str]) -> tuple[int, int]:
    """Join results files of one plan, such as the shards of several machines, into a new one.

    Args:
        target: the file to make.
        sources: the files to join.

    Returns:
        The games written, and the games of the whole schedule.

    Raises:
        StoreError: a file can't be read, their plans differ, or one game differs between them.
    """
    paths = list(sources)
    with Store.open(paths[0]) as first:
        plan, openings, mark = first.plan, first.openings, first.fingerprint
    games: dict[int, tuple[PlayedGame, str]] = {}
    for path in paths:
        with Store.open(path) as source:
            if source.fingerprint != mark:
                raise StoreError(f"{paths[0]!r} and {path!r} are of different matches")
            for game in source.games():
                known, where = games.setdefault(game.number, (game, path))
                if known != game:
                    raise StoreError(
                        f"game {game.number + 1} is in both {where!r} and {path!r}, and differs"
                    )
    with Store.create(target, plan, openings) as store:
        for number in sorted(games):
            store.add(games[number][0])
        return len(games), len(store.planned())
