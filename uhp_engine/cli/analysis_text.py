"""What a search found, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..analysis import judgement
from ..game import Game, GameState
from ..notation import format_game, format_line
from ..search.result import Line, SearchResult

if TYPE_CHECKING:
    from rich.console import RenderableType

SIDES = ("White", "Black")
_ENDS = {
    GameState.WHITE_WINS: "White has won",
    GameState.BLACK_WINS: "Black has won",
    GameState.DRAW: "a draw",
}
# White's expected score at the end of a game.
_SCORES = {GameState.WHITE_WINS: 1.0, GameState.BLACK_WINS: 0.0, GameState.DRAW: 0.5}


def probability(line: Line) -> float:
    """Return the expected score of the side to move, 0 to 1: a draw is half a win."""
    return (1 + line.score) / 2


def outlook(line: Line) -> str:
    """Return a move's prospects in words: a proven end, else the win probability."""
    if line.is_draw:
        return "draw"
    if line.proof:
        plies = abs(line.proof)
        ending = "ply" if plies == 1 else "plies"
        return f"{'wins' if line.proof > 0 else 'loses'} in {plies} {ending}"
    return f"{100 * probability(line):.1f} %" if line.visits else "-"


def ending(game: Game) -> str:
    """Return in words how a finished game ended."""
    how = " by repetition" if not game.board_state.is_over else ""
    return f"the game is over: {_ENDS[game.state]}{how}, after {game.ply} moves"


def heading(game: Game, result: SearchResult) -> str:
    """Return what is looked at, and how much was looked at."""
    turn = f"{SIDES[game.side]}[{game.turn}]"
    numbers = f"{result.simulations:,} simulations in {result.seconds:.1f} s"
    return f"{game.game_type}, {turn} to move after {game.ply} moves: {numbers}"


def plain_lines(game: Game, result: SearchResult, count: int) -> list[str]:
    """Return a heading and the best moves, a line each: rank, prospects, visits, variation."""
    lines = result.lines[:count]
    outlooks = [outlook(line) for line in lines]
    visits = [f"{line.visits:,}" for line in lines]
    wide, many = max(map(len, outlooks)), max(map(len, visits))
    rows = [
        f"{rank:>3}  {words:>{wide}}  {number:>{many}}  {'; '.join(format_line(game, line.pv))}"
        for rank, (line, words, number) in enumerate(zip(lines, outlooks, visits, strict=True), 1)
    ]
    return [heading(game, result), *rows]


def table(game: Game, result: SearchResult | None, count: int, title: str) -> RenderableType:
    """Return the best moves as a table for a terminal; None before the first are known."""
    from rich.table import Table
    from rich.text import Text

    rows = []
    for rank, line in enumerate(result.lines[:count] if result else (), start=1):
        best, *more = format_line(game, line.pv)
        rows.append((str(rank), best, outlook(line), f"{line.visits:,}", "; ".join(more)))
    heads = ("", "move", "chances", "visits", "line")
    shown = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for head, *cells in zip(heads, *rows, strict=True):
        is_line = head == "line"
        shown.add_column(
            head,
            justify="left" if is_line or head == "move" else "right",
            no_wrap=True,
            # rich would rather narrow the others than cut the line of play.
            min_width=None if is_line else max(map(len, (head, *cells))),
            ratio=1 if is_line else None,
            style="bold" if head == "move" else "dim" if is_line or not head else "",
        )
    for row in rows:
        shown.add_row(*(Text(text) for text in row))  # a MoveString may end with a backslash
    if result is None:
        return shown
    shown.caption = heading(game, result).replace("[", "\\[")
    shown.caption_justify = "left"
    return shown


def to_json(game: Game, result: SearchResult | None, count: int) -> dict[str, Any]:
    """Return a position's analysis as JSON's values; no lines where the game is over."""
    values: dict[str, Any] = {
        "game": format_game(game),
        "ply": game.ply,
        "to_move": SIDES[game.side],
        "state": game.state.value,
    }
    if result is None:
        return {**values, "lines": []}
    lines = [_line_to_json(game, line) for line in result.lines[:count]]
    return {
        **values,
        "best": lines[0]["move"],
        "simulations": result.simulations,
        "seconds": round(result.seconds, 3),
        "lines": lines,
    }


def _line_to_json(game: Game, line: Line) -> dict[str, Any]:
    pv = format_line(game, line.pv)
    known = bool(line.visits or line.proof)
    return {
        "move": pv[0],
        "win_probability": round(probability(line), 4) if known else None,
        "visits": line.visits,
        "proof": _proof(line),
        "plies_to_end": abs(line.proof) if line.proof and not line.is_draw else None,
        "pv": pv,
    }


def _proof(line: Line) -> str | None:
    if line.is_draw:
        return "draw"
    return None if not line.proof else "win" if line.proof > 0 else "loss"


def white_score(game: Game, result: SearchResult | None) -> float:
    """Return White's expected score, 0 to 1; that of the result where the game is over."""
    if result is None:
        return _SCORES[game.state]
    best = probability(result.best)
    return best if game.side == 0 else 1 - best


SUMMARY_HEAD = f"{'ply':>4}  {'turn':<9}  {'White':>5}  {'played':<12}     best"


def summary(game: Game, result: SearchResult, played: str, loss: float) -> str:
    """Return a line on one position of a game.

    Args:
        game: the position.
        result: what was found.
        played: the game's move, empty at its end.
        loss: the expected score that it cost its player, 0 to 1.
    """
    best = format_line(game, result.best.pv)
    turn = f"{SIDES[game.side]}[{game.turn}]"
    percent = f"{100 * white_score(game, result):.0f} %"
    mark = judgement(loss) if played != best[0] else ""
    words = outlook(result.best) if result.best.proof else ""
    line = f"{game.ply:>4}  {turn:<9}  {percent:>5}  {played:<12} {mark:<2}  {'; '.join(best[:3])}"
    return f"{line}  ({SIDES[game.side]} {words})" if words else line
