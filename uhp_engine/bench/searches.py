"""A fixed set of searches: how fast they are, and a signature of what they found.

The searches depend on nothing but the program, so that a change of the signature says that the
search has changed: each has its own fresh tree, one thread, one seed, a number of simulations. The
clock decides nothing. Machines may differ in the last bit of `exp`, `log` and `tanh` (the C
library's), which could in principle decide between two moves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from ..notation import parse_game
from ..search.limits import Limits
from ..search.result import SearchResult
from ..search.searcher import Searcher
from .memory import TreeSize, tree_size
from .positions import BenchPosition
from .resident import resident_bytes

MEMORY_MIB = 256
SEED = 0


@dataclass(frozen=True)
class Searched:
    """One search of the set.

    Attributes:
        position: where.
        result: what it found.
        size: of its tree in the end.
        resident: the process's memory in bytes then; None where the system does not tell.
    """

    position: BenchPosition
    result: SearchResult
    size: TreeSize
    resident: int | None


def search(position: BenchPosition, limits: Limits) -> Searched:
    """Search a position with a fresh tree."""
    searcher = Searcher(memory_mib=MEMORY_MIB, threads=1, seed=SEED)
    result = searcher.search(parse_game(position.text), limits)
    return Searched(position, result, tree_size(searcher), resident_bytes())


def search_all(positions: Iterable[BenchPosition], simulations: int) -> list[Searched]:
    """Search each position for so many simulations."""
    return [search(position, Limits(simulations=simulations)) for position in positions]


def total_nodes(found: Iterable[Searched]) -> int:
    """Return the nodes of all trees together: the signature that is easy to read."""
    return sum(each.size.nodes for each in found)


def signature(found: Iterable[Searched]) -> str:
    """Return eight hexadecimal digits that depend on every visit of every move of every root."""
    digest = hashlib.sha256()
    for each in found:
        lines = sorted((line.move.code, line.visits, line.proof) for line in each.result.lines)
        digest.update(repr((each.position.text, lines, each.size.nodes)).encode())
    return digest.hexdigest()[:8]
