"""An engine that replays known games, at once, and fails on demand. Needs no rules and no numba.

    python scripted_engine.py [--fault NAME] [--at N] [--think SECONDS] [--games FILE]

It answers `bestmove` with the next move of a game in FILE that begins as the game on its board.
FAULT is what goes wrong at its N-th `bestmove` (or at the start, by its name).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

FAULTS = (
    "none", "hang", "die", "garbage", "illegal", "illegal-pass", "flood-stderr", "flood-and-hang",
    "no-ok", "exit-at-start", "silent-start", "garbage-at-start", "close-output", "close-input",
    "late", "long-line", "endless-line", "endless-lines", "empty", "refuse", "refuse-play",
    "false-win", "wrong-turn", "chatter", "ignore-exit", "child", "stale-newgame",
    "whole-seconds", "seconds-form", "binary", "keeps-clock",
)  # fmt: skip
SCRIPT = Path(__file__).with_name("scripted_games.txt")


def say(*lines: str) -> None:
    """Print lines and the ok behind them."""
    sys.stdout.write("".join(f"{line}\n" for line in (*lines, "ok")))
    sys.stdout.flush()


class ScriptedEngine:
    """The engine's state: its scripts, the game on its board, and its fault."""

    def __init__(self, settings: argparse.Namespace) -> None:
        lines = Path(settings.games).read_text().splitlines()
        games = [line.split(";") for line in lines if line and line[0] != "#"]
        self.scripts = [(fields[0], fields[1], fields[3:]) for fields in games]
        self.fault: str = settings.fault
        self.at: int = settings.at
        self.think: float = settings.think
        self.burn: float = settings.burn
        self.style = "Calm"
        self.game_type = ""
        self.moves: list[str] = []
        self.searches = 0

    @property
    def now(self) -> str:
        """The fault whose moment has come."""
        return self.fault if self.searches >= self.at else "none"

    def gamestring(self) -> str:
        """Return the GameString; a state known from the script."""
        ply = len(self.moves)
        turn = f"{('White', 'Black')[ply % 2]}[{ply // 2 + 1}]"
        state = "InProgress" if self.moves else "NotStarted"
        for _, result, moves in self.scripts:
            state = result if moves == self.moves else state
        if self.now == "false-win":
            state = "WhiteWins"
        if self.now == "wrong-turn":
            turn = "White[77]"
        return ";".join([self.game_type, state, turn, *self.moves])

    def answer(self, line: str) -> None:
        """Answer one command."""
        command, _, rest = line.partition(" ")
        if command == "newgame":
            if not (self.fault == "stale-newgame" and self.moves):
                self.game_type, self.moves, self.searches = rest or "Base", [], 0
            say(self.gamestring())
        elif command in ("play", "pass"):
            if self.now == "refuse-play":
                say("invalidmove I don't like it")
            else:
                self.moves.append(rest or "pass")
                say(self.gamestring())
        elif command == "undo":
            del self.moves[-int(rest or 1) :]
            say(self.gamestring())
        elif command == "options":
            self.set_option(rest)
        elif command == "bestmove":
            self.search(rest)
        elif command == "info":
            greet()
        elif command == "help" and self.fault == "keeps-clock":
            say("bestmove [clock REMAINING [INCREMENT [MOVES]]]")
        else:
            say("err unknown command")

    def set_option(self, rest: str) -> None:
        """Answer `options`; a style that is not known changes nothing."""
        style = rest.rpartition(" ")[2]
        self.style = style if style in ("Calm", "Wild") else self.style
        say("err no such option" if "Bad" in rest else f"Style;enum;{self.style};Calm;Calm;Wild")

    def search(self, limit: str) -> None:
        """Answer `bestmove`, or commit the fault."""
        self.searches += 1
        knows_fractions = self.fault not in ("whole-seconds", "seconds-form")
        knows_fractions |= self.fault == "seconds-form" and limit.startswith("seconds")
        if "." in limit and not knows_fractions:
            say("err bad time")
            return
        time.sleep(self.think)
        until = time.process_time() + self.burn
        while time.process_time() < until:
            pass
        misbehave(self.now)
        for _, _, moves in self.scripts:
            if moves[: len(self.moves)] == self.moves and len(moves) > len(self.moves):
                say(moves[len(self.moves)])
                return
        say("err this game is in no script")


def greet() -> None:
    """Introduce the engine."""
    say("id Scripted 1.0", "Mosquito;Ladybug;Pillbug")


def forever() -> None:
    """Stay without an answer."""
    while True:
        time.sleep(3600)


def misbehave(fault: str) -> None:
    """Do what is wrong at `bestmove`; come back where a proper answer is to follow."""
    out = sys.stdout
    if fault in ("hang", "no-ok"):
        out.write("wS1\n" if fault == "no-ok" else "")
        out.flush()
        forever()
    elif fault == "die":
        sys.stderr.write("panic: out of luck\n")
        sys.stderr.flush()
        os._exit(7)
    elif fault in ("flood-stderr", "flood-and-hang"):
        for _ in range(2000):
            sys.stderr.write("a line of the flood that comes over standard error\n" * 20)
        sys.stderr.flush()
        if fault == "flood-and-hang":
            forever()
    elif fault == "close-output":
        out.flush()
        os.close(1)
        forever()
    elif fault == "close-input":
        os.close(0)
        forever()
    elif fault == "late":
        time.sleep(1.0)
    elif fault in ("endless-line", "endless-lines"):
        while True:
            out.write("x" * 99_999 + ("\n" if fault == "endless-lines" else ""))
    elif fault == "long-line":
        out.write("wS1 " + "x" * (2 << 20) + "\n")
    elif fault == "child":
        subprocess.Popen(["sleep", "3600"])
        forever()
    elif fault == "binary":
        sys.stdout.buffer.write(b"\xff\xfe\x00\x01\nok\n")
        sys.stdout.buffer.flush()
        forever()
    words = {
        "garbage": ["Segmentation fault"], "illegal": ["wQ bQ"], "illegal-pass": ["pass"],
        "empty": [], "refuse": ["err no idea"],
    }  # fmt: skip
    if fault in words:
        say(*words[fault])
        raise ContinueLoop
    if fault == "chatter":
        out.write("info string hello\nok\nok\n")


class ContinueLoop(Exception):
    """The command is answered."""


def start_wrongly(fault: str) -> None:
    """Commit the faults of the start."""
    if fault == "exit-at-start":
        sys.exit("no licence found")
    if fault == "silent-start":
        forever()
    if fault == "garbage-at-start":
        say("Hello, I am an engine")
        forever()


def main() -> None:
    """Run the loop."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", choices=FAULTS, default="none")
    parser.add_argument("--at", type=int, default=2)
    parser.add_argument("--think", type=float, default=0.0)
    parser.add_argument("--burn", type=float, default=0.0)
    parser.add_argument("--games", default=str(SCRIPT))
    settings = parser.parse_args()
    start_wrongly(settings.fault)
    engine = ScriptedEngine(settings)
    greet()
    for line in sys.stdin:
        command = line.strip()
        if command == "exit" and settings.fault != "ignore-exit":
            return
        try:
            engine.answer(command)
        except ContinueLoop:
            continue
    if settings.fault == "ignore-exit":
        forever()


if __name__ == "__main__":
    main()
