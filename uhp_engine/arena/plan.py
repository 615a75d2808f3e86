"""What is to be played: engines and conditions, read from one dictionary whatever its source.

The command line, a TOML file, the results file and the cluster all speak this dictionary; its
keys are those that docs/arena.md lists.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import PurePath
from typing import Any

from ..core.pieces import GAME_TYPES
from .clock import TimeControl
from .fields import ConfigError, Fields
from .limits import Limit, Patience, TimeForm
from .process import split_command
from .sprt import MODELS, Sprt

DEFAULT_SECONDS = 1.0
DEFAULT_MAX_MOVES = 200
DEFAULT_MARGIN_MS = 100.0
LIMIT_KEYS = ("st", "tc", "depth")
FORMATS = ("round-robin", "gauntlet")
ORDERS = ("random", "sequential")


@dataclass(frozen=True)
class EngineSpec:
    """One engine of a match.

    Attributes:
        name: unique in the match.
        command: the command line.
        folder: its working folder, None for ours.
        environment: variables beside ours.
        options: UHP options to set, in order.
        limit: time or depth for each move; None with a clock.
        clock: time for the whole game; None with a limit.
        time_form: how it is asked for a time; None to find out.
        restart: whether each game gets a new process.
        margin_ms: how late a move may come, in milliseconds.
    """

    name: str
    command: str
    folder: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    limit: Limit | None = None
    clock: TimeControl | None = None
    time_form: TimeForm | None = None
    restart: bool = False
    margin_ms: float = DEFAULT_MARGIN_MS

    def to_dict(self) -> dict[str, Any]:
        """Return what `read_engine` reads."""
        time_form = self.time_form.value if self.time_form else "auto"
        values: dict[str, Any] = {
            "cmd": self.command,
            "name": self.name,
            "dir": self.folder,
            "env": dict(self.environment),
            "options": dict(self.options),
            "st": self.limit.seconds if self.limit else None,
            "depth": self.limit.depth if self.limit else None,
            "tc": str(self.clock) if self.clock else None,
            "time-form": time_form,
            "restart": self.restart,
            "time-margin": self.margin_ms,
        }
        return {key: value for key, value in values.items() if value not in (None, {})}

    @property
    def conditions(self) -> str:
        """The time or depth, for people."""
        if self.clock is not None:
            return f"tc {self.clock}"
        assert self.limit is not None
        depth = self.limit.depth
        return f"{self.limit.seconds:g} s/move" if depth is None else f"depth {depth}"


@dataclass(frozen=True)
class OpeningSource:
    """Where openings come from: a file, random plies, or the suite that is shipped.

    Attributes:
        file: GameStrings, one a line, or PGN; None for the shipped suite.
        order: `random` or `sequential`.
        plies: cut longer openings to so many; None for whole.
        start: the first one to use, from 1.
        random_plies: so many random plies instead of a file; 0 for none.
    """

    file: str | None = None
    order: str = "random"
    plies: int | None = None
    start: int = 1
    random_plies: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return what `Plan.from_dict` reads under `openings`."""
        values = {
            "file": self.file,
            "order": self.order,
            "plies": self.plies,
            "start": self.start,
            "random-plies": self.random_plies or None,
        }
        return {key: value for key, value in values.items() if value is not None}


@dataclass(frozen=True)
class Plan:
    """A match or tournament, in full; two equal plans have the same schedule.

    Attributes:
        engines: two or more.
        format: `round-robin`, or `gauntlet`: the first `seeds` engines against all others.
        rounds: encounters of each two engines.
        games: games in an encounter.
        repeat: whether each opening is played twice, with both colours.
        game_types: taken in turn, one a pair.
        openings: where they come from.
        seed: for the order of openings and for random plies.
        max_moves: a draw after so many moves of each side; 0 for never.
        repetition_draw: whether a third occurrence is a draw.
        sprt: when to stop early, for two engines; None for never.
        patience: after what silence an engine counts as hung.
        event, site: for PGN.
    """

    engines: tuple[EngineSpec, ...]
    format: str = "round-robin"
    seeds: int = 1
    rounds: int = 1
    games: int = 2
    repeat: bool = True
    game_types: tuple[str, ...] = ("Base+MLP",)
    openings: OpeningSource = OpeningSource()
    seed: int = 0
    max_moves: int = DEFAULT_MAX_MOVES
    repetition_draw: bool = True
    sprt: Sprt | None = None
    patience: Patience = field(default_factory=Patience)
    event: str = "UHP match"
    site: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary that `from_dict` reads, every value spelt out."""
        values: dict[str, Any] = {
            "format": self.format,
            "seeds": self.seeds,
            "rounds": self.rounds,
            "games": self.games,
            "repeat": self.repeat,
            "game-types": list(self.game_types),
            "openings": self.openings.to_dict(),
            "seed": self.seed,
            "max-moves": self.max_moves,
            "repetition-draw": self.repetition_draw,
            "sprt": asdict(self.sprt) if self.sprt else None,
            "start-limit": self.patience.start,
            "answer-limit": self.patience.answer,
            "hang-limit": self.patience.hang,
            "depth-limit": self.patience.depth,
            "event": self.event,
            "site": self.site,
            "engine": [engine.to_dict() for engine in self.engines],
        }
        return {key: value for key, value in values.items() if value is not None}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Plan:
        """Read a plan.

        Raises:
            ConfigError: names the key at fault, what was wrong and what was expected.
        """
        fields = Fields(values)
        each = fields.get("each", {})
        listed = fields.get("engine", [])
        if not isinstance(listed, list) or len(listed) < 2:
            raise ConfigError(("engine",), "expected at least two engines")
        engines = tuple(
            read_engine(values, ("engine", place), Fields(each, ("each",)).values)
            for place, values in enumerate(listed)
        )
        plan = cls(
            engines=_uniquely_named(engines),
            format=fields.choice("format", cls.format, FORMATS),
            seeds=fields.integer("seeds", cls.seeds, least=1) or 1,
            rounds=fields.integer("rounds", cls.rounds, least=1) or 1,
            games=fields.integer("games", cls.games, least=1) or 1,
            repeat=fields.flag("repeat", cls.repeat),
            game_types=_read_game_types(fields),
            openings=_read_openings(Fields(fields.get("openings", {}), ("openings",))),
            seed=fields.integer("seed", cls.seed) or 0,
            max_moves=fields.integer("max-moves", cls.max_moves, least=0) or 0,
            repetition_draw=fields.flag("repetition-draw", cls.repetition_draw),
            sprt=_read_sprt(Fields(fields.get("sprt"), ("sprt",))) if fields.get("sprt") else None,
            patience=_read_patience(fields),
            event=fields.text("event", cls.event),
            site=fields.text("site", cls.site),
        )
        fields.done()
        if plan.sprt is not None and len(engines) != 2:
            raise ConfigError(("sprt",), f"a test needs two engines, not {len(engines)}")
        if plan.format == "gauntlet" and plan.seeds >= len(engines):
            raise ConfigError(("seeds",), f"expected fewer than the {len(engines)} engines")
        return plan

    def check_folders(self) -> None:
        """Refuse working folders that are not there; on other machines they may be.

        Raises:
            ConfigError: names the engine.
        """
        for place, engine in enumerate(self.engines):
            if engine.folder is not None and not os.path.isdir(engine.folder):
                raise ConfigError(("engine", place, "dir"), f"there is no folder {engine.folder!r}")


def read_engine(values: Any, path: tuple[str | int, ...], each: Mapping[str, Any]) -> EngineSpec:
    """Read one engine, with `each` for what it leaves out.

    Raises:
        ConfigError: see `Plan.from_dict`.
    """
    own = Fields(values, path).values
    merged = {**each, **own}
    for table in ("options", "env"):
        if isinstance(each.get(table), Mapping) and isinstance(own.get(table), Mapping):
            merged[table] = {**each[table], **own[table]}
    if any(key in own for key in LIMIT_KEYS):
        merged = {k: v for k, v in merged.items() if k not in LIMIT_KEYS or k in own}
    fields = Fields(merged, path)
    command = fields.text("cmd")
    try:
        program = split_command(command)[0]
    except ValueError as error:
        problem = str(error) if command.strip() else "expected the engine's command line"
        raise fields.fault("cmd", problem) from None
    limit, clock = _read_limit(fields)
    form = fields.choice("time-form", "auto", ["auto", *(form.value for form in TimeForm)])
    spec = EngineSpec(
        name=fields.text("name") or PurePath(program).stem,
        command=command,
        folder=fields.text("dir") or None,
        environment=fields.plain_table("env"),
        options=fields.plain_table("options"),
        limit=limit,
        clock=clock,
        time_form=None if form == "auto" else TimeForm(form),
        restart=fields.flag("restart", False),
        margin_ms=fields.number("time-margin", DEFAULT_MARGIN_MS, least=0) or 0.0,
    )
    fields.done()
    return spec


def _read_limit(fields: Fields) -> tuple[Limit | None, TimeControl | None]:
    seconds = fields.number("st")
    depth = fields.integer("depth")
    clock = fields.parsed("tc", TimeControl.parse)
    given = [key for key in LIMIT_KEYS if fields.get(key) is not None]
    if len(given) > 1:
        raise fields.fault(given[-1], f"only one of {', '.join(given)} can hold")
    if clock is not None:
        return None, clock
    try:
        if depth is not None:
            return Limit(depth=depth), None
        return Limit(seconds=DEFAULT_SECONDS if seconds is None else seconds), None
    except ValueError as error:
        raise fields.fault(given[0], str(error)) from None


def _uniquely_named(engines: tuple[EngineSpec, ...]) -> tuple[EngineSpec, ...]:
    seen: dict[str, int] = {}
    for place, engine in enumerate(engines):
        if engine.name in seen:
            raise ConfigError(
                ("engine", place, "name"),
                f"{engine.name!r} is the name of engine {seen[engine.name] + 1} already: "
                "give each a name of its own",
            )
        seen[engine.name] = place
    return engines


def _read_game_types(fields: Fields) -> tuple[str, ...]:
    wanted = fields.get("game-types", ["Base+MLP"])
    names = wanted.split(",") if isinstance(wanted, str) else wanted
    if not isinstance(names, list) or not names:
        raise fields.fault("game-types", f"expected a list of game types, not {wanted!r}")
    for name in names:
        if name not in GAME_TYPES:
            raise fields.fault("game-types", f"expected {', '.join(GAME_TYPES)}, not {name!r}")
    return tuple(names)


def _read_openings(fields: Fields) -> OpeningSource:
    source = OpeningSource(
        file=fields.text("file") or None,
        order=fields.choice("order", "random", ORDERS),
        plies=fields.integer("plies", None, least=0),
        start=fields.integer("start", 1, least=1) or 1,
        random_plies=fields.integer("random-plies", 0, least=0) or 0,
    )
    fields.done()
    if source.file and source.random_plies:
        raise fields.fault("random-plies", "either a file of openings or random plies, not both")
    return source


def _read_sprt(fields: Fields) -> Sprt:
    numbers: dict[str, float] = {}
    for key, default in (("elo0", None), ("elo1", None), ("alpha", 0.05), ("beta", 0.05)):
        value = fields.number(key, default)
        if value is None:
            raise fields.fault(key, "expected a number")
        numbers[key] = value
    model: Any = fields.choice("model", MODELS[0], MODELS)
    fields.done()
    try:
        return Sprt(**numbers, model=model)
    except ValueError as error:
        raise ConfigError(fields.path, str(error)) from None


def _read_patience(fields: Fields) -> Patience:
    usual = Patience()
    return Patience(
        start=fields.number("start-limit", usual.start, least=0.001) or usual.start,
        answer=fields.number("answer-limit", usual.answer, least=0.001) or usual.answer,
        hang=fields.number("hang-limit", usual.hang, least=0.001) or usual.hang,
        depth=fields.number("depth-limit", usual.depth, least=0.001) or usual.depth,
    )
