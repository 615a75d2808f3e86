"""Games of the engine against itself, to fit weights to: `python -m uhp_engine.training.selfplay`.

A line of the file is a JSON object for a game (see `play_game`). A file that is there is gone on
with: game `n` depends on the settings and `n` alone, and what is there is not played again.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from .. import warmup
from ..core.pieces import GAME_TYPES
from ..game import Game, Move, RepetitionDraw
from ..notation import format_game
from ..search.limits import Limits
from ..search.result import SearchResult
from ..search.searcher import Searcher

# Half of the games are of the two types that are played most.
TYPES = (*GAME_TYPES, *("Base", "Base+MLP") * 3)
OPENING_PLIES = 8  # the most plies that are played at random
VARIED_PLIES = 16  # until then moves are drawn by their visits
BLUNDER_SHARE = 0.01  # later moves that are drawn at random, for positions behind in play
MOST_PLIES = 160
MOVES_KEPT = 12  # of each search, the most visited
MEMORY_MIB = 64


_AT_LEAST_1 = click.IntRange(1)


def _search_record(result: SearchResult) -> list[Any]:
    """Return `[value, [[move code, visits], ...]]` of a search."""
    visits = [[line.move.code, line.visits] for line in result.lines[:MOVES_KEPT] if line.visits]
    return [round(result.best.score, 4), visits]


def _choose(result: SearchResult, ply: int, dice: random.Random) -> Move:
    lines = [line for line in result.lines if line.visits > 0]
    if ply >= VARIED_PLIES or not lines or result.best.proof > 0:
        return result.move
    return dice.choices(lines, [line.visits for line in lines])[0].move


def _start(dice: random.Random) -> Game:
    """Return a game some random plies old."""
    game = Game(dice.choice(TYPES), repetition_draw=RepetitionDraw.THREEFOLD)
    for _ in range(dice.randint(2, OPENING_PLIES)):
        game.play(dice.choice(game.legal_moves()))
    return game


def play_game(number: int, simulations: int, seed: int) -> dict[str, Any]:
    """Play a game and return what is kept of it.

    Returns:
        number, simulations, seed: as given.
        game: its GameString.
        result: a GameState's value, `InProgress` where the game was cut off.
        first: the ply from which on no move was a blunder by lot, so that the result speaks for
            the positions.
        search: for each ply null (drawn at random, or forced), or what was searched: `[value of
            the best move for the side to move, [[move code, visits], ...]]`.
    """
    dice = random.Random(f"{seed} {number}")
    game = _start(dice)
    searcher = Searcher(memory_mib=MEMORY_MIB, seed=dice.getrandbits(30))
    search: list[list[Any] | None] = [None] * game.ply
    first = game.ply
    while not game.state.is_over and game.ply < MOST_PLIES:
        legal = game.legal_moves()
        if len(legal) == 1:
            search.append(None)
            game.play(legal[0])
            continue
        result = searcher.search(game, Limits(simulations=simulations))
        search.append(_search_record(result))
        if game.ply >= VARIED_PLIES and dice.random() < BLUNDER_SHARE:
            first = game.ply + 1
            game.play(dice.choice(legal))
        else:
            game.play(_choose(result, game.ply, dice))
    return {
        "number": number,
        "simulations": simulations,
        "seed": seed,
        "game": format_game(game),
        "result": game.state.value,
        "first": first,
        "search": search,
    }


def _play(task: tuple[int, int, int]) -> str:
    return json.dumps(play_game(*task), separators=(",", ":"))


def _numbers_in(path: Path, simulations: int, seed: int) -> set[int]:
    """Return the numbers of the games in a file, cutting off a line that was not finished.

    Raises:
        click.ClickException: the file holds something else, or games with other settings.
    """
    if not path.exists():
        return set()
    text = path.read_bytes()
    whole = text[: text.rfind(b"\n") + 1]
    rest = text[len(whole) :]
    beginning = b'{"number":'
    try:
        games = [json.loads(line) for line in whole.splitlines()]
        if not (rest.startswith(beginning) or beginning.startswith(rest)):
            raise ValueError(rest)
        numbers = {int(game["number"]) for game in games}
        played = {(int(game["simulations"]), int(game["seed"])) for game in games}
    except (ValueError, KeyError, TypeError):
        raise click.ClickException(f"{path} is there and is no file of self-play games") from None
    if played - {(simulations, seed)}:
        there = ", ".join(f"--simulations {a} --seed {b}" for a, b in sorted(played))
        raise click.ClickException(f"{path} holds games of {there}: choose those, or another file")
    if rest:
        path.write_bytes(whole)
    return numbers


def _prepare() -> None:
    """Ready a process of the pool: an interrupt is the main process's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warmup.load()


def _played(tasks: list[tuple[int, int, int]], processes: int) -> Iterator[str]:
    if processes == 1:
        yield from map(_play, tasks)
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, initializer=_prepare) as pool:
        yield from pool.imap_unordered(_play, tasks)


@click.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--games", type=_AT_LEAST_1, default=10_000, show_default=True, help="In all.")
@click.option("--simulations", type=_AT_LEAST_1, default=600, show_default=True, help="A move.")
@click.option("--processes", type=_AT_LEAST_1, default=1, show_default=True)
@click.option("--seed", default=0, show_default=True)
def main(path: Path, games: int, simulations: int, processes: int, seed: int) -> None:
    """Play games and add them to the file PATH; interrupt and start again at will."""
    from rich.console import Console
    from rich.progress import track

    warmup.load()
    there = _numbers_in(path, simulations, seed)
    tasks = [(number, simulations, seed) for number in range(games) if number not in there]
    console = Console(stderr=True)
    try:
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
    try:
        with file:
            for line in track(
                _played(tasks, processes), "self-play", total=len(tasks), console=console
            ):
                file.write(line + "\n")
                file.flush()
    except KeyboardInterrupt:
        console.print(f"interrupted; the same command goes on with {path}")
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
