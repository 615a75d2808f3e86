"""What the commands `help` and `licenses` print."""

from __future__ import annotations

from .. import __version__

HELP = {
    "info": "info: the engine's name and the expansions it knows",
    "newgame": "newgame [GameTypeString|GameString]: begin a game, Base where nothing is named",
    "play": "play MoveString: play a move, such as 'play bS1 wS1-'",
    "pass": "pass: pass, where no other move is legal",
    "validmoves": "validmoves: every legal move",
    "bestmove": "bestmove [time hh:mm:ss|depth N|seconds S|depthorseconds N S|"
    "clock REMAINING [INCREMENT [MOVES]]]: search a move",
    "pv": "pv: the line of play that the last bestmove expects, a move a line",
    "undo": "undo [N]: take back the last move, or the last N",
    "options": "options [get KEY|set KEY VALUE]: show or change the options",
    "perft": "perft [N]: count the ways to play N plies from here, a line a depth",
    "licenses": "licenses: the terms of this program",
    "help": "help [COMMAND]: this list",
    "exit": "exit: leave",
}

LICENSES = (
    f"uhp_engine {__version__}: MIT License, Copyright (c) 2026 the uhp_engine developers",
    "Hive is a game by John Yianni, published by Gen42 Games; this project is not theirs.",
)
