"""The rules for someone who has never played, and the commands of the terminal game."""

from __future__ import annotations

from ...core.pieces import BUG_LETTERS, BUG_NAMES, bugs_of_type

_GOAL = """\
Hive in short

Surround the other player's queen: the game ends when all six places around a queen are taken, by
pieces of either colour. Whoever's queen it is has lost; if both fall at once it is a draw.

There is no board. In turn, you place a piece or move one.
* Placing: next to your own pieces and not next to the other's. (Only the very first two pieces
  touch.) The queen may not be your first piece, and must be placed by your fourth turn.
* Moving: only once your queen is placed. The pieces must always hang together, also while one is
  on its way: a piece that alone links two parts cannot move.
* Most pieces slide, and a gap too narrow to slide through stays closed to them. Without any legal
  move you pass."""

_BUGS = {
    "queen": "moves one place.",
    "spider": "slides exactly three places, never turning back.",
    "beetle": "moves one place and may climb on top of other pieces. What is beneath cannot move; "
    "for placing, the stack counts as the colour on top.",
    "grasshopper": "jumps in a straight line over one or more pieces to the first free place.",
    "ant": "slides as far along the edge of the hive as you like.",
    "mosquito": "moves as any piece that it touches just then; on top of the hive, as a beetle.",
    "ladybug": "takes three steps: two on top of the hive, then down to a free place.",
    "pillbug": "moves one place; or lifts a piece beside it (yours or theirs) over itself to "
    "another free place beside it. The piece just moved cannot be lifted, and one that was "
    "lifted rests for a turn.",
}

_NOTATION = """\
How moves are written

A piece is its colour, bug and number: wA1 is White's first ant, bQ Black's queen. A move names the
piece and a neighbour of the place where it ends:

    wA1 bQ-    right of bQ           wA1 -bQ    left of bQ
    wA1 bQ/    above it, right       wA1 /bQ    below it, left
    wA1 bQ\\    below it, right       wA1 \\bQ    above it, left
    wB1 bQ     on top of bQ          pass       only when nothing else is legal"""

HELP = """\
Type a move (wA1 -bQ), its number in the list, or the beginning of one: the list narrows. Or:

  list [wA1]     all moves, or those of a piece, with numbers; a piece's own are shown on the board
  hint           what the engine would play, and why
  undo           take back your last move and the answer to it
  level N        strength, from 1 (a beginner) to 10 (all it can in the time)
  board          show the board again
  rules [ant]    the rules in short, or those of one bug
  save FILE      write the game (PGN, or GameStrings for a name in .uhp)
  load FILE      go on with a game out of a file
  resign, new    give up; begin again
  quit           leave, also Ctrl+D; the game is kept and goes on the next time"""


def rules(game_type: str, about: str = "") -> str:
    """Return the rules in short, or those of one bug.

    Args:
        game_type: which bugs to tell of.
        about: a bug by name, letter or the beginning of its name; empty for all.

    >>> rules("Base", "bee")
    'The beetle moves one place and may climb on top of other pieces. What is beneath cannot move; \
for placing, the stack counts as the colour on top.'
    """
    wanted = about.strip().lower()
    if wanted:
        for letter, name in zip(BUG_LETTERS, BUG_NAMES, strict=True):
            if name.startswith(wanted) or wanted == letter.lower():
                return f"The {name} {_BUGS[name]}"
        return f"There is no bug {about!r}: expected {', '.join(BUG_NAMES)}"
    box = bugs_of_type(game_type)
    lines = [
        f"* The {name} ({letter}) {_BUGS[name]}"
        for number, (letter, name) in enumerate(zip(BUG_LETTERS, BUG_NAMES, strict=True))
        if box >> number & 1
    ]
    return "\n\n".join(
        [_GOAL, "The bugs\n\n" + "\n".join(_wrapped(line) for line in lines), _NOTATION]
    )


def _wrapped(line: str) -> str:
    import textwrap

    return textwrap.fill(line, 98, subsequent_indent="  ")
