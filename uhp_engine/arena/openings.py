"""Openings: from a file, from the suites that are shipped, or random plies.

An opening is a list of MoveStrings, checked by our own rules. A file holds GameStrings, one a
line, with blank lines and `#` comments; or it is PGN, whose games give their first plies.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path

from ..core.pieces import AXIAL_STEPS, bug_of, colour_of
from ..game import Game
from ..notation import format_move, parse_game
from ..notation.gamestring import GameStringError, format_history
from .plan import OpeningSource

Opening = tuple[str, ...]
Suites = dict[str, list[Opening]]

# Base openings are legal in every game type; types without a suite of their own use them.
SHIPPED = {"Base": "openings_base.txt", "Base+MLP": "openings_base_mlp.txt"}
RANDOM_TRIES = 100


class OpeningError(ValueError):
    """Openings that can't be used; says which and why."""


def load_openings(
    source: OpeningSource, game_types: Sequence[str], wanted: int, seed: int
) -> Suites:
    """Return the openings for each game type, in the order of use.

    Args:
        source: where they come from.
        game_types: the types of the match.
        wanted: how many are used for one type; random plies give as many, files what they hold.
        seed: for a random order and for random plies.

    Raises:
        OpeningError: the file can't be read, an opening is illegal or over, or none is left.
    """
    suites: Suites = {}
    for game_type in game_types:
        rng = random.Random(f"{seed} {game_type}")
        if source.random_plies:
            suites[game_type] = random_openings(game_type, source.random_plies, wanted, rng)
            continue
        suite = _suite(source.file, game_type)
        if source.plies is not None:
            suite = list(dict.fromkeys(opening[: source.plies] for opening in suite))
        if source.order == "random":
            rng.shuffle(suite)
        suites[game_type] = suite[source.start - 1 :] + suite[: source.start - 1]
        if source.start > len(suite):
            raise OpeningError(f"opening {source.start} is to be first, but there are {len(suite)}")
    return suites


def _suite(file: str | None, game_type: str) -> list[Opening]:
    if file is None:
        name = SHIPPED.get(game_type, SHIPPED["Base"])
        text = (resources.files(__package__) / "data" / name).read_text("utf-8")
        return read_openings(text, name, game_type)
    try:
        text = Path(file).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise OpeningError(f"unable to read the openings in {file!r}: {reason}") from None
    return read_openings(text, file, game_type)


def read_openings(text: str, name: str, game_type: str) -> list[Opening]:
    """Return the openings in a file's text that can be played in a game type, in its order.

    Openings of other game types are left out, but those of Base fit every type.

    Raises:
        OpeningError: a line is no GameString or illegal (names the line), or none fits.
    """
    reader = _read_pgn if text.lstrip().startswith("[") else _read_gamestrings
    openings = []
    for place, game in reader(text, name):
        if game.state.is_over:
            raise OpeningError(f"{name}, {place}: the opening ends the game ({game.state.value})")
        if game.game_type in (game_type, "Base"):
            openings.append(tuple(format_history(game)))
    if not openings:
        raise OpeningError(f"{name} holds no opening for {game_type}")
    return openings


def _read_gamestrings(text: str, name: str) -> Iterator[tuple[str, Game]]:
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.partition("#")[0].strip()
        if line:
            try:
                yield f"line {number}", parse_game(line)
            except GameStringError as error:
                raise OpeningError(f"{name}, line {number}: {error}") from None


def _read_pgn(text: str, name: str) -> Iterator[tuple[str, Game]]:
    """Yield the games of a PGN file; one that is over gives all but its last move."""
    from ..notation.pgn import read_pgn
    from ..notation.record import BrokenGame

    def stop(error: BrokenGame) -> None:
        raise OpeningError(f"{name}, {error}")

    for record in read_pgn(text.splitlines(), on_error=stop):
        game = record.game
        while game.ply and game.state.is_over:
            game.undo()
        yield f"line {record.line}", game


def random_openings(game_type: str, plies: int, wanted: int, rng: random.Random) -> list[Opening]:
    """Return so many openings of random legal moves, no two alike under the board's symmetries.

    Where there are fewer (few plies), fewer are returned.
    """
    openings: dict[object, Opening] = {}
    tries = 0
    while len(openings) < wanted and tries < RANDOM_TRIES * wanted:
        tries += 1
        game = Game(game_type)
        moves: list[str] = []
        while len(moves) < plies and not game.board_state.is_over:
            move = rng.choice(game.legal_moves())
            moves.append(format_move(game, move))
            game.play(move)
        if not game.board_state.is_over:
            openings.setdefault(symmetry_key(game), tuple(moves))
    return list(openings.values())


def symmetry_key(game: Game) -> tuple[object, ...]:
    """Return a key that positions share which differ by turning, mirroring or shifting alone.

    The numbers of the pieces don't count, since a bug is as good as another of its kind.
    """
    placed = [(p.q, p.r, p.height, colour_of(p.piece), bug_of(p.piece)) for p in game.placed()]
    return (game.game_type, game.side, min(_turned(placed), default=()))


Placed = tuple[int, int, int, int, int]


def _turned(placed: Iterable[Placed]) -> Iterator[tuple[Placed, ...]]:
    """Yield a position in each of the twelve orientations, shifted to a standard place."""
    pieces = list(placed)
    if not pieces:
        return
    for turn in range(6):
        # The new axes: a rotation by so many sixths takes the basis to two steps of the ring.
        (qq, qr), (rq, rr) = AXIAL_STEPS[(2 + turn) % 6], AXIAL_STEPS[(3 + turn) % 6]
        for mirrored in (False, True):
            cells: list[Placed] = []
            for q, r, height, colour, bug in pieces:
                a, b = (r, q) if mirrored else (q, r)
                cells.append((a * qq + b * rq, a * qr + b * rr, height, colour, bug))
            q0, r0 = min(cell[0] for cell in cells), min(cell[1] for cell in cells)
            yield tuple(sorted((q - q0, r - r0, h, colour, bug) for q, r, h, colour, bug in cells))
