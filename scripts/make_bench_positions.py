"""Choose the positions that the benchmarks share out of tests/data.

    python scripts/make_bench_positions.py > uhp_engine/bench/positions.tsv

For each game type the wanted plies are dealt out over its games of people, evenly from the first
to the last that go on for a while after that ply; types that people hardly play take a position
of random play. Where a side has fewer than LEAST_MOVES moves the next game is taken.
"""

from __future__ import annotations

from pathlib import Path

from uhp_engine import Game

DATA = Path(__file__).parents[1] / "tests" / "data"
PEOPLE, RANDOM = "real_games.tsv", "perft_positions.tsv"
WANTED = {
    "Base": (PEOPLE, (12, 21, 28, 37, 46, 57)),
    "Base+MLP": (PEOPLE, (12, 17, 22, 29, 34, 41, 50, 60)),
    "Base+M": (PEOPLE, (32,)),
    "Base+L": (PEOPLE, (26,)),
    "Base+P": (PEOPLE, (44,)),
    "Base+ML": (PEOPLE, (18,)),
    "Base+MP": (RANDOM, (51,)),
    "Base+LP": (RANDOM, (35,)),
}
PLIES_LEFT = 8  # of a game of people: its last plies are often decided
LEAST_MOVES = 20


def choose(game_type: str, source: str, plies: int, share: float) -> tuple[int, Game]:
    """Return the number of a line of the source, from 1, and its position after so many plies.

    Args:
        game_type: of the position.
        source: a file of tests/data whose lines begin with a GameString.
        plies: played in the position.
        share: where in the file to begin, 0 to 1.
    """
    fitting = []
    for number, line in enumerate((DATA / source).read_text().splitlines(), 1):
        kind, _, _, *moves = line.split("\t")[0].split(";")
        enough = len(moves) == plies if source == RANDOM else len(moves) >= plies + PLIES_LEFT
        if kind == game_type and enough:
            fitting.append((number, moves[:plies]))
    first = int(len(fitting) * share)
    for number, moves in fitting[first:] + fitting[:first]:
        game = Game.from_string(";".join([game_type, "", "", *moves]))
        if len(game.legal_moves()) >= LEAST_MOVES:
            return number, game
    raise SystemExit(f"no position of {game_type} after {plies} plies in {source}")


def main() -> None:
    """Print the table."""
    print("plies\tsource\tposition")
    for game_type, (source, wanted) in WANTED.items():
        for rank, plies in enumerate(wanted):
            number, game = choose(game_type, source, plies, (2 * rank + 1) / (2 * len(wanted)))
            print(f"{plies}\t{source}:{number}\t{game}")


if __name__ == "__main__":
    main()
