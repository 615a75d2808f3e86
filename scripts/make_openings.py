"""Make a suite of balanced openings with an engine's search, as those in uhp_engine/arena/data.

    python scripts/make_openings.py --game-type Base+MLP --count 100 > openings_base_mlp.txt

Random legal plies, no two openings alike under the board's twelve symmetries, are kept where the
engine holds both sides for about equally good. Any UHP engine will do that reports preliminary
best moves as `MoveString;depth;score;...` (the option ReportIntermediateBestMoves, as Mzinga has
it); the score is taken to be that of the side to move.
"""

from __future__ import annotations

import argparse
import random
import shlex
import sys
from collections.abc import Iterator

from uhp_engine import warmup
from uhp_engine.arena import EngineError, Limit, SimpleEngine
from uhp_engine.core.pieces import GAME_TYPES

TRIES_AN_OPENING = 200
SCORELESS_TRIES = 20


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", default="uhp-engine", help="command line (%(default)s)")
    parser.add_argument("--game-type", choices=GAME_TYPES, default="Base+MLP")
    parser.add_argument("--count", type=int, default=100, help="how many (%(default)s)")
    parser.add_argument("--plies", default="4-8", help="shortest-longest (%(default)s)")
    parser.add_argument("--seconds", type=float, default=0.5, help="a search (%(default)s)")
    parser.add_argument("--most", type=float, default=0.1, help="highest |score| (%(default)s)")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def candidates(game_type: str, plies: range, seed: int) -> Iterator[tuple[str, ...]]:
    """Yield random openings for ever, no two alike; every length as often as the others."""
    from uhp_engine.arena.openings import random_openings, symmetry_key
    from uhp_engine.notation import parse_game

    rng = random.Random(seed)
    seen = set()
    while True:
        for length in plies:
            (moves,) = random_openings(game_type, length, 1, rng)
            key = symmetry_key(parse_game(f"{game_type};;;{';'.join(moves)}"))
            if key not in seen:
                seen.add(key)
                yield moves


def score(engine: SimpleEngine, position: str, seconds: float) -> float | None:
    """Return the engine's last score of a position, for the side to move; None where it has none.

    It has none where the search ended before the first preliminary move: something is forced.
    """
    engine.new_game(position)
    lines = engine.best_move(Limit(seconds=seconds)).lines
    scores = [line.split(";")[2] for line in lines if line.count(";") >= 2]
    return float(scores[-1]) if scores else None


def main() -> None:
    """Print the suite, progress on standard error."""
    wanted = arguments()
    low, _, high = wanted.plies.partition("-")
    plies = range(int(low), int(high or low) + 1)
    options = {"ReportIntermediateBestMoves": "True"}
    options.update(option.split("=", 1) for option in wanted.option)
    warmup.load()
    with SimpleEngine(wanted.engine, options=options) as engine:
        print(f"# {wanted.count} openings for {wanted.game_type}, made by {engine.name}:")
        print(f"# python scripts/make_openings.py {shlex.join(sys.argv[1:])}")
        found = scored = 0
        pool = candidates(wanted.game_type, plies, wanted.seed)
        for tried, moves in enumerate(pool, start=1):
            turn = f"{('White', 'Black')[len(moves) % 2]}[{len(moves) // 2 + 1}]"
            position = ";".join([wanted.game_type, "InProgress", turn, *moves])
            value = score(engine, position, wanted.seconds)
            scored += value is not None
            if not scored and tried >= SCORELESS_TRIES:
                sys.exit(f"{engine.name} tells no scores, with {options}")
            if value is not None and abs(value) <= wanted.most:
                found += 1
                print(position, flush=True)
            print(f"\r{found} of {wanted.count}, {tried} tried ", end="", file=sys.stderr)
            if found == wanted.count:
                break
            if tried >= TRIES_AN_OPENING * wanted.count:
                sys.exit(f"\nonly {found} openings are that well balanced: give a higher --most")
    print(file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except (EngineError, ValueError) as error:
        sys.exit(f"make_openings: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
