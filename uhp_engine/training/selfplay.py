"""Games of the engine against itself, to learn from; `uhp-engine train selfplay` plays them.

Game `n` depends on the settings and `n` alone, so that an interrupted run is gone on with.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import random
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .. import warmup
from ..core.pieces import GAME_TYPES
from ..game import Game, Move, RepetitionDraw
from ..notation import format_game
from ..search.limits import Limits
from ..search.network import SHIPPED, Network, fingerprint, load_network
from ..search.result import SearchResult
from ..search.searcher import Searcher
from .store import packed

# Half of the games are of the two types that are played most.
TYPES = (*GAME_TYPES, *("Base", "Base+MLP") * 2)
OPENING_PLIES = 8  # the most plies that are played at random
VARIED_PLIES = 16  # until then moves are drawn by their visits
BLUNDER_SHARE = 0.01  # later moves that are drawn at random, for positions behind in play
MOST_PLIES = 160
MOVES_KEPT = 12  # of each search, the most visited
MEMORY_MIB = 64


@dataclass(frozen=True)
class Settings:
    """How games are played.

    Attributes:
        simulations: of a full search, whose visits are learned from.
        fast_simulations: of the others (playout cap randomisation, Wu 2019, section 3.1).
        full_share: the share of full searches, 0 to 1.
        pool_share: the share of games in which one side is played by an older network.
        seed: varies the games.
        network: the file of the network that plays.
        pool: files of older networks.
    """

    simulations: int = 600
    fast_simulations: int = 150
    full_share: float = 0.5
    pool_share: float = 0.2
    seed: int = 0
    network: Path = SHIPPED
    pool: tuple[Path, ...] = ()

    def header(self) -> dict[str, Any]:
        """Return what a file of games says of them: networks by name and the hash of their bytes.

        Raises:
            OSError: a network cannot be read.
        """
        return {
            **asdict(self),
            "network": _named(self.network),
            "pool": [_named(path) for path in self.pool],
        }

    def networks(self) -> list[Network]:
        """Return the network that plays, then the pool's.

        Raises:
            ValueError: a file holds something else.
            OSError: a file cannot be read.
        """
        return [load_network(path) for path in (self.network, *self.pool)]


def _named(network: Path) -> str:
    return f"{network.name} {fingerprint(network)}"


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


def players(settings: Settings, networks: list[Network], dice: random.Random) -> list[Searcher]:
    """Return who plays White and who plays Black: the same, or one of them an older network."""
    current, *pool = networks
    first = Searcher(MEMORY_MIB, seed=dice.getrandbits(30), network=current)
    if not pool or dice.random() >= settings.pool_share:
        return [first, first]
    second = Searcher(MEMORY_MIB, seed=dice.getrandbits(30), network=dice.choice(pool))
    both = [first, second]
    dice.shuffle(both)
    return both


def play_game(number: int, settings: Settings, networks: list[Network]) -> dict[str, Any]:
    """Play a game and return what is kept of it.

    Args:
        number: which game; it depends on this and the settings alone.
        settings: how to play.
        networks: what `settings.networks` returns.

    Returns:
        number: as given.
        game: its GameString.
        result: a GameState's value, `InProgress` where the game was cut off.
        first: the ply from which on no move was a blunder by lot, so that the result speaks for
            the positions.
        search: for each ply null (drawn at random, forced, or searched fast), or what a full
            search found: `[value of the best move for the side to move, [[move code, visits],
            ...]]`.
    """
    dice = random.Random(f"{settings.seed} {number}")
    game = _start(dice)
    sides = players(settings, networks, dice)
    search: list[list[Any] | None] = [None] * game.ply
    first = game.ply
    while not game.state.is_over and game.ply < MOST_PLIES:
        legal = game.legal_moves()
        if len(legal) == 1:
            search.append(None)
            game.play(legal[0])
            continue
        is_full = dice.random() < settings.full_share
        simulations = settings.simulations if is_full else settings.fast_simulations
        result = sides[game.side].search(game, Limits(simulations=simulations))
        search.append(_search_record(result) if is_full else None)
        if game.ply >= VARIED_PLIES and dice.random() < BLUNDER_SHARE:
            first = game.ply + 1
            game.play(dice.choice(legal))
        else:
            game.play(_choose(result, game.ply, dice))
    return {
        "number": number,
        "game": format_game(game),
        "result": game.state.value,
        "first": first,
        "search": search,
    }


class _Player:
    """What a process of the pool has loaded."""

    networks: list[Network]


def _prepare(settings: Settings) -> None:
    """Ready a process of the pool: an interrupt is the main process's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warmup.load()
    _Player.networks = settings.networks()


def _play(number: int, settings: Settings) -> bytes:
    return packed(play_game(number, settings, _Player.networks))


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let an interrupt wait: processes that start meanwhile do not see it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def played(numbers: Sequence[int], settings: Settings, processes: int) -> Iterator[bytes]:
    """Play games and yield each as a block for a file, in the order in which they end.

    Args:
        numbers: of the games.
        settings: of the games.
        processes: how many games are played at once.

    Raises:
        concurrent.futures.BrokenExecutor: a process was killed.
        ValueError, OSError: a network cannot be loaded.
    """
    warmup.load()
    if processes == 1:
        networks = settings.networks()
        for number in numbers:
            yield packed(play_game(number, settings, networks))
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, _prepare, (settings,))
    try:
        with _uninterrupted():
            games = [pool.submit(_play, number, settings) for number in numbers]
        for game in as_completed(games):
            yield game.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
