"""The search as Python sees it: a game and limits in, a move and what is known of it out."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import numpy as np

from ..game import RECENT_PLIES, Game, Move, RepetitionDraw
from .crew import Crew
from .keeping import MOVE_SHARE, enter, recycle, seconds_to_recycle
from .levels import STRONGEST, Handicap, handicap_of
from .limits import DEFAULT_MEMORY_MIB, Limits
from .model import LEARNED, new_models
from .network import Network
from .result import Line, SearchResult
from .timing import Pace, budget_of
from .tree import DRAW_PROOF, NO_CHILD, Tree
from .worker import Worker

# A search ends this long before its limit, for the answer to be written.
TIME_MARGIN_SECONDS = 0.003
PROGRESS_SECONDS = 0.25
# Where a clock runs, the search looks so often in its usual time whether it may end, but not more
# often than so.
LOOKS = 50
LOOK_SECONDS = 0.01
WAIT_SECONDS = 0.05
LONGEST_VARIATION = 64
# Where several lines are wanted, the root's priors weigh so much more: its second and third move
# get some percent of the simulations, not one.
SPREAD_OVER_LINES = 8.0
# The move played is the one of the highest lower bound, its value less UNCERTAINTY by the root of
# its visits, of those with at least so large a share of the most visited one's visits.
UNCERTAINTY = 0.5
LEAST_SHARE = 0.25


class Search:
    """One call of `Searcher.search`: its limits, its clock, and whether it is over."""

    def __init__(
        self,
        searcher: Searcher,
        game: Game,
        limits: Limits,
        stopped: Callable[[], bool],
        on_progress: Callable[[SearchResult], None] | None,
        started: float,
        variations: int,
        pace: Pace | None,
    ) -> None:
        self.variations = variations
        self.pace = pace
        self.look_seconds = max(LOOK_SECONDS, pace.budget.target / LOOKS) if pace else 0.0
        self.next_look = started
        # A level's play is not to depend on what is shown of it.
        self.spreads = variations > 1 and searcher.handicap is None
        self.searcher = searcher
        self.stopped = stopped
        self.on_progress = on_progress
        self.started = started
        # Where no rule ends it, going round and round is still held for worth nothing.
        whole = game.repetition_draw is RepetitionDraw.THREEFOLD
        self.window = 1 << 40 if whole else RECENT_PLIES
        first = game.ply - game.plies_since_placement
        is_rule = game.repetition_draw is not RepetitionDraw.OFF
        self.history = np.array(game.place_keys[first:], dtype=np.int64)
        exact = game.position_keys[first:] if is_rule else ()
        self.exact_history = np.array(exact, dtype=np.int64)
        self.over = threading.Event()
        self.tree = searcher.tree
        self.crew = Crew(len(searcher.workers))
        # True where the tree stays full: there is no time to make room, or none was made.
        self.may_fill = False
        self.next_progress = started + PROGRESS_SECONDS
        self.deadline = (
            None if limits.seconds is None else started + limits.seconds - TIME_MARGIN_SECONDS
        )

    def seconds_left(self) -> float:
        """Return the time left before the answer is due; infinity without a limit."""
        if self.deadline is None:
            return float("inf")
        return self.deadline - time.perf_counter()

    def make_room(self) -> None:
        """Recycle the full tree, if there is time for it: not just before the end."""
        if self.over.is_set():
            return
        has_time = self.seconds_left() * MOVE_SHARE > seconds_to_recycle(self.tree)
        self.may_fill = not has_time or not recycle(self.tree)

    @contextlib.contextmanager
    def root_spread(self) -> Iterator[None]:
        """Let the root's priors weigh more meanwhile, where several lines are wanted."""
        factor = SPREAD_OVER_LINES if self.spreads else 1.0
        self.tree.root_edges()["prior"] *= factor
        try:
            yield
        finally:  # a power of two: dividing gives exactly what was there
            self.tree.root_edges()["prior"] /= factor

    def after_slice(self, worker: Worker) -> None:
        """Decide whether to go on; called by every thread, progress told by the first alone."""
        now = time.perf_counter()
        if self.stopped() or self.seconds_left() <= 0:
            self.over.set()
        elif worker is not self.searcher.workers[0]:
            return
        elif self.pace is not None and now >= self.next_look:
            self.next_look = now + self.look_seconds
            if self.pace.is_over(self.searcher.result(self)):
                self.over.set()
        elif self.on_progress is not None and now >= self.next_progress:
            self.next_progress = now + PROGRESS_SECONDS
            self.on_progress(self.searcher.result(self))


class Searcher:
    """Searches games, keeping its tree from move to move.

    Args:
        memory_mib: limit of the tree's memory in MiB.
        threads: how many grow the tree together.
        seed: with one thread the same seed, game, settings and number of simulations give the same
            move.
        level: the strength, 1 to STRONGEST, see levels.py; it may be changed between searches.
        evaluation: how positions are judged, LEARNED or CLASSIC, see model.py.
        network: what was learned, from `network.load_network`; by default the shipped one.

    Attributes:
        models: array of one MODEL, what the search believes; `clear` after changing it.

    Raises:
        ValueError: there is no such level.
    """

    def __init__(
        self,
        memory_mib: int = DEFAULT_MEMORY_MIB,
        threads: int = 1,
        seed: int = 0,
        level: int = STRONGEST,
        evaluation: str = LEARNED,
        network: Network | None = None,
    ) -> None:
        self.memory_mib = memory_mib
        self.threads = threads
        self.seed = seed
        self.level = level
        self.evaluation = evaluation
        self.models = new_models(evaluation, network)
        self.workers: list[Worker] = []
        self.tree = Tree(0)
        self._known: tuple[Any, ...] | None = None
        self._moves: tuple[Move, ...] = ()

    @property
    def level(self) -> int:
        """The strength, 1 to STRONGEST."""
        return self._level

    @level.setter
    def level(self, level: int) -> None:
        self.handicap: Handicap | None = handicap_of(level)
        self._level = level

    def clear(self) -> None:
        """Forget the tree, its memory too."""
        self.workers = []
        self.tree = Tree(0)
        self._known = None

    def search(
        self,
        game: Game,
        limits: Limits,
        *,
        stopped: Callable[[], bool] = lambda: False,
        on_progress: Callable[[SearchResult], None] | None = None,
        started: float | None = None,
        variations: int = 1,
        forced_too: bool = False,
    ) -> SearchResult:
        """Return the best move found within the limits.

        Args:
            game: a game with legal moves; unchanged in the end.
            limits: when to end.
            stopped: asked often; True ends the search with the best move so far.
            on_progress: called now and then with what is known.
            started: the `time.perf_counter()` from which time counts; now, by default.
            variations: how many of the best lines get a principal variation. Above 1 the search
                looks more widely at the root's moves, and plays a little weaker for it.
            forced_too: search also where a single move is legal.

        Raises:
            ValueError: the game is over.
        """
        legal = game.legal_moves()
        if not legal:
            raise ValueError(f"the game is over ({game.board_state.value})")
        started = time.perf_counter() if started is None else started
        if len(legal) == 1 and not forced_too:
            line = Line(legal[0], 0, 0.0, 0, (legal[0],))
            return SearchResult(legal[0], (line,), 0, time.perf_counter() - started)
        handicap = self.handicap
        if handicap is not None:
            limits = handicap.limits(limits)
        pace = None
        if limits.clock is not None:
            pace = Pace(budget_of(limits.clock, game.ply // 2))
            limits = replace(limits, seconds=pace.budget.most)
        self._prepare(game, limits, pace.budget.target if pace else limits.seconds)
        search = Search(self, game, limits, stopped, on_progress, started, variations, pace)
        shares: list[int | None] = [None] * len(self.workers)
        if limits.simulations is not None:
            each, more = divmod(limits.simulations, len(self.workers))
            shares = [each + (number < more) for number in range(len(self.workers))]
        try:
            self.workers[0].simulate(search, 0, 0)
            with search.root_spread():
                if len(self.workers) == 1:
                    self.workers[0].run(search, shares[0])
                else:
                    self._run_side_by_side(search, shares)
        except KeyboardInterrupt:  # it may have come anywhere
            self.clear()
            raise
        result = self.result(search)
        return result if handicap is None else self._drawn(game, handicap, result)

    def _drawn(self, game: Game, handicap: Handicap, result: SearchResult) -> SearchResult:
        """Return the result with the line first that the handicap lets the search play."""
        drawn = handicap.drawn(game, self.seed, result.lines)
        if drawn == 0:
            return result
        line = result.lines[drawn]
        line = replace(line, pv=self._variation(line.move.code))
        others = (other for rank, other in enumerate(result.lines) if rank != drawn)
        return replace(result, move=line.move, lines=(line, *others))

    def _run_side_by_side(self, search: Search, shares: list[int | None]) -> None:
        """Let every worker run in a thread of its own, and raise what one of them raises."""
        with ThreadPoolExecutor(len(self.workers)) as pool:
            try:
                running = {
                    pool.submit(worker.run, search, share)
                    for worker, share in zip(self.workers, shares, strict=True)
                }
                while running:
                    # Waking up now and then lets the main thread take an interrupt on Windows.
                    done, running = wait(running, WAIT_SECONDS, FIRST_COMPLETED)
                    for future in done:
                        future.result()
            finally:
                search.over.set()
                search.crew.dismiss()

    def _prepare(self, game: Game, limits: Limits, seconds: float | None) -> None:
        """Set the tree to the game's position, keeping what is known of it.

        Less is kept where there are few seconds for it all.
        """
        rules = (game.game_type, game.tournament_opening, game.repetition_draw)
        threads = self.threads if self.handicap is None else 1
        settings = (rules, self.memory_mib, threads, self.seed, self.handicap)
        known = self._known == settings and not limits.fresh
        if self._known is None or self._known[1:] != settings[1:] or not self.workers:
            self.tree = Tree(self.memory_mib * 2**20)
            self.workers = [Worker() for _ in range(threads)]
        played = len(self._moves)
        known = known and game.moves[:played] == self._moves
        self._known = None  # until the tree is at the new position
        if not known or not enter(self.tree, list(game.moves[played:]), seconds):
            self.tree.clear()
            for worker in self.workers:
                worker.forget()
        for worker in self.workers:
            worker.stand(game.states)
            if self.handicap is not None:
                worker.states["sight"][0] = self.handicap.sight(game, self.seed)
        self._known = settings
        self._moves = game.moves

    def result(self, search: Search) -> SearchResult:
        """Return what the tree knows of the root's moves."""
        edges = self.tree.root_edges().tolist()
        edges.sort(key=_rank, reverse=True)
        edges.insert(0, edges.pop(safest([(edge[1], edge[0], edge[5]) for edge in edges])))
        found = tuple(
            Line(
                move=Move.from_code(code),
                visits=visits,
                value=value,
                proof=proof,
                pv=self._variation(code) if rank < search.variations else (Move.from_code(code),),
            )
            for rank, (value, visits, _, _, code, proof) in enumerate(edges)
        )
        simulations = sum(worker.simulations for worker in self.workers)
        seconds = time.perf_counter() - search.started
        return SearchResult(found[0].move, found, simulations, seconds)

    def _variation(self, code: int) -> tuple[Move, ...]:
        """Return the line of play that the tree expects after a move of the root."""
        tree = self.tree
        variation = [Move.from_code(code)]
        edges = tree.root_edges()
        found = edges["child"][edges["move"] == code]
        node = int(found[0]) if len(found) else NO_CHILD  # a thread may just bring it forward
        while node != NO_CHILD and len(variation) < LONGEST_VARIATION:
            visited = tree.edges_of(node)[: int(tree.nodes[node]["visited"])].tolist()
            if not visited:
                break
            best = max(visited, key=_rank)
            variation.append(Move.from_code(best[4]))
            node = best[2]
        return tuple(variation)


def safest(ranked: list[tuple[int, float, int]]) -> int:
    """Return the index of the move to play, of (visits, value, proof), ranked by visits.

    It is the one of the highest lower bound of the value, among those that have a good share of the
    visits (the "LCB" of Leela Zero and KataGo); the first where that is proven to win or lose.
    """
    best, best_bound = 0, -math.inf
    for index, (visits, value, proof) in enumerate(ranked):
        few = visits == 0 or visits < LEAST_SHARE * ranked[0][0]
        if few or proof not in (0, DRAW_PROOF):
            break
        bound = 0.0 if proof else value - UNCERTAINTY / math.sqrt(visits)
        if bound > best_bound:
            best, best_bound = index, bound
    return best


def _rank(edge: tuple[float, int, int, float, int, int]) -> tuple[int, float, float, float]:
    """Return a sort key of an edge, its fields as in tree.EDGE; the most visited is the greatest.

    Proven wins, the shortest first; then what is open or drawn, by visits, value, prior; then
    proven losses, the longest first.
    """
    value, visits, _, prior, _, proof = edge
    if 0 < proof != DRAW_PROOF:
        return 2, -proof, visits, value
    if proof < 0:
        return 0, -proof, visits, value
    return 1, visits, value, prior
