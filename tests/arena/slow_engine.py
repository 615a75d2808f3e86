"""A small UHP engine that does all right, but for what it is told to do wrong.

    python slow_engine.py [BREAK ...] [--types=Base,...]

A BREAK is one of `slow_rules.BREAKS` or of HABITS below. It plays a legal move that a checksum of
the position picks, after using up a part of the time that it was given.
"""

from __future__ import annotations

import re
import signal
import sys
import time
import zlib
from typing import Any

from slow_rules import BREAKS, Position

HABITS = {
    "greeting-id": "the greeting has no id",
    "greeting-words": "the greeting's second line is not made of capabilities",
    "greeting-log": "a log line goes before the greeting",
    "greeting-none": "waits for info before it greets",
    "info-other": "info prints another name than the greeting",
    "chatter": "prints a log line to standard output some time after newgame",
    "no-ok": "validmoves ends without an ok",
    "two-oks": "play ends with two oks",
    "two-lines": "play prints the move beside the GameString",
    "newgame-stays": "newgame alone keeps the game",
    "newgame-trusts": "newgame believes the state and turn fields",
    "newgame-half": "a GameString with an illegal move is left half played",
    "newgame-any": "a GameString's moves are not checked",
    "newgame-type": "an unknown game type starts a Base game",
    "play-any": "play takes illegal moves",
    "play-turn": "the turn's number grows after White's move",
    "play-text": "play answers ok alone",
    "play-side": "play takes the pieces of the side not to move",
    "pass-any": "pass is taken beside other moves",
    "no-pass": "the command pass is not known",
    "undo-nothing": "undo leaves all as it is",
    "undo-one": "undo takes back one move whatever number is given",
    "undo-all": "undo of too many moves takes back all",
    "undo-last": "undo does not bring back which piece moved last",
    "undo-over": "undo is refused after the end",
    "err-silent": "an unknown command is answered ok",
    "err-word": "errors begin with 'error:'",
    "err-move": "an illegal move is answered with err",
    "err-lines": "errors are two lines",
    "early": "validmoves with no game prints an empty line",
    "late": "validmoves after the end prints an empty line",
    "late-play": "moves are taken after the end",
    "late-dies": "bestmove after the end kills the engine",
    "options-form": "an option's line has three fields",
    "options-get": "options get prints nothing",
    "options-set": "options set changes nothing",
    "options-unknown": "an unknown option is taken",
    "best-illegal": "bestmove is illegal",
    "best-plays": "bestmove plays its move",
    "best-late": "bestmove takes half a second longer than allowed",
    "best-many": "bestmove prints preliminary moves",
    "best-none": "bestmove prints nothing",
    "best-own": "bestmove names its move otherwise than validmoves",
    "best-hangs": "bestmove with a depth never ends",
    "best-dies": "the engine dies at bestmove",
    "zero-hangs": "bestmove time 00:00:00 never ends",
    "sigint-dies": "the engine dies of SIGINT",
    "sigint-deaf": "SIGINT does not end a search",
    "sigint-idle": "the engine dies of SIGINT while idle",
    "end-cuts": "the end of input ends a search without an answer",
    "end-stays": "the engine does not leave at the end of input",
    "exit-stays": "the engine does not leave at exit",
    "perft-wrong": "perft is off by one at depth 2 and beyond",
    "perft-none": "perft is not known",
    "spell": "moves are spelt with the last neighbour",
    "repetition": "the third occurrence of a position is a draw",
    "one-text": "only Mzinga's text of a move is taken",
    "crlf": "a carriage return at a line's end is not taken",
    "dies": "the engine dies at its third newgame",
}
NAME = "SlowEngine 1.0"


class Refused(Exception):
    """A command that cannot be carried out; its text is the answer."""


class Engine:
    def __init__(self, breaks: frozenset[str], types: str) -> None:
        self.breaks = breaks
        self.types = types.split(",")
        self.game: Position | None = None
        self.values = {"Threads": "1", "Style": "Calm", "Log": "False"}
        self.stop = self.busy = False
        self.games = 0
        self.fake = ""

    def broken(self, name: str) -> bool:
        return name in self.breaks

    # -- lines ------------------------------------------------------------------------------

    def say(self, *lines: str) -> None:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()

    def info(self, name: str = NAME) -> list[str]:
        words = [
            word
            for letter, word in (("M", "Mosquito"), ("L", "Ladybug"), ("P", "Pillbug"))
            if any(letter in kind.partition("+")[2] for kind in self.types)
        ]
        return [f"id {name}", *([";".join(words)] if words else [])]

    def greet(self) -> None:
        lines = self.info()
        if self.broken("greeting-id"):
            lines[0] = NAME
        if self.broken("greeting-words"):
            lines[1] = "all expansions"
        if self.broken("greeting-log"):
            lines.insert(0, "loading tables")
        if not self.broken("greeting-none"):
            self.say(*lines, "ok")

    def answer(self, line: str) -> None:
        words = line.split()
        try:
            lines = self.obey(words[0], words[1:])
        except Refused as refusal:
            word, _, text = str(refusal).partition(" ")
            if self.broken("err-word") and word == "err":
                word = "error:"
            if self.broken("err-move") and word == "invalidmove":
                word = "err"
            lines = [f"{word} {text}", *(["try again"] if self.broken("err-lines") else [])]
        oks = 2 if self.broken("two-oks") and words[0] == "play" else 1
        self.say(
            *lines, *(["ok"] * (0 if self.broken("no-ok") and words[0] == "validmoves" else oks))
        )
        if self.broken("chatter") and words[0] == "newgame":
            time.sleep(0.05)
            self.say("thinking about the weather")

    def obey(self, word: str, rest: list[str]) -> list[str]:
        if word == "info":
            return self.info("Another 2.0" if self.broken("info-other") else NAME)
        known = {
            name[3:]: getattr(self, name) for name in dir(type(self)) if name.startswith("do_")
        }
        if word not in known or (word == "pass" and self.broken("no-pass")):
            if self.broken("err-silent"):
                return []
            raise Refused(f"err unknown command {word}")
        lines: list[str] = known[word](rest)
        return lines

    # -- the game ---------------------------------------------------------------------------

    def current(self) -> Position:
        if self.game is None:
            raise Refused("err no game in progress")
        return self.game

    def running(self) -> Position:
        game = self.current()
        if game.is_over or self.is_repeated():
            raise Refused("err the game is over")
        return game

    def is_repeated(self) -> bool:
        if not self.broken("repetition"):
            return False
        game = self.current()
        replay = Position(game.game_type)
        seen: dict[tuple[str, str], int] = {}
        for piece, _, target in game.history:
            replay.play(None if target is None else (piece, target))
            key = (replay.side, str(sorted(replay.where.items())))
            seen[key] = seen.get(key, 0) + 1
        return max(seen.values(), default=0) > 2

    def shown(self) -> list[str]:
        text = str(self.current())
        fields = text.split(";")
        if self.broken("play-turn") and fields[2].startswith("Black"):
            number = int(re.sub(r"\D", "", fields[2]))
            fields[2] = f"Black[{number + 1}]"
        if self.is_repeated():
            fields[1] = "Draw"
        return [self.fake or ";".join(fields)]

    def do_newgame(self, rest: list[str]) -> list[str]:
        self.games += 1
        if self.broken("dies") and self.games == 3:
            sys.exit(7)
        self.fake = ""
        if not rest and self.broken("newgame-stays") and self.game is not None:
            return self.shown()
        text = " ".join(rest) or "Base"
        kind, *fields = text.split(";")
        if kind not in self.types:
            if not self.broken("newgame-type"):
                raise Refused(f"err unknown game type {kind}")
            kind = "Base"
        game = Position(kind, self.breaks & frozenset(BREAKS))
        if self.broken("newgame-half"):
            self.game = game
        for move in fields[2:]:
            self.move(game, move.strip(), self.broken("newgame-any"))
        self.game = game
        if self.broken("newgame-trusts") and len(fields) > 1 and fields[0]:
            self.fake = text
        return self.shown()

    def move(self, game: Position, text: str, any_move: bool = False) -> None:
        try:
            move = game.read(text)
            if game.wrapped((0, 0)) != (0, 0):
                raise ValueError("no centre")
        except (ValueError, IndexError):
            raise Refused(f"invalidmove cannot read {text}") from None
        if game.is_over:
            raise Refused("invalidmove the game is over")
        if self.broken("one-text") and text != game.text(move):
            raise Refused(f"invalidmove cannot read {text}")
        if move not in game.moves() and (not any_move or move is None or game.at(move[1])):
            raise Refused(f"invalidmove {text} is illegal")
        game.play(move)

    def do_play(self, rest: list[str]) -> list[str]:
        if not rest:
            raise Refused("err play what?")
        game = self.current() if self.broken("late-play") else self.running()
        if game.is_over:
            return self.shown()
        text = " ".join(rest)
        if text == "pass" and self.broken("pass-any"):
            game.play(None)
        elif self.broken("play-side") and text[0] != game.side and " " not in text:
            game.play((text, (0, 0)))
        else:
            self.move(game, text, self.broken("play-any"))
        if self.broken("play-text"):
            return []
        return [*([text] if self.broken("two-lines") else []), *self.shown()]

    def do_pass(self, rest: list[str]) -> list[str]:
        return self.do_play(["pass"])

    def do_undo(self, rest: list[str]) -> list[str]:
        game = self.current()
        try:
            count = int(rest[0]) if rest else 1
        except ValueError:
            raise Refused("err undo how many?") from None
        if self.broken("undo-over") and game.is_over:
            raise Refused("err the game is over")
        if self.broken("undo-all"):
            count = min(count, len(game.history))
        if self.broken("undo-one"):
            count = min(count, 1)
        if not 1 <= count <= len(game.history) and not (count == 0 and self.broken("undo-all")):
            raise Refused(f"err cannot undo {count} moves")
        for _ in range(0 if self.broken("undo-nothing") else count):
            game.undo()
        if self.broken("undo-last") and game.history:
            game.history[-1] = ("pass", None, None)
        return self.shown()

    def texts(self, game: Position) -> list[str]:
        moves = game.moves()
        if self.broken("spell"):
            return [self.other_text(game, move) for move in moves]
        return [game.text(move) for move in moves]

    def other_text(self, game: Position, move: Any) -> str:
        """Another text of the same move: a neighbour on another side, where there is one."""
        text = game.text(move)
        for name in sorted(game.where, reverse=True):
            for other in (f"{move[0]} {mark}" for mark in (f"{name}-", f"-{name}", f"\\{name}")):
                if move and game.at(game.where[name])[-1] == name and game.read(other) == move:
                    return text if game.at(move[1]) else other
        return text

    def do_validmoves(self, rest: list[str]) -> list[str]:
        if self.broken("early") and self.game is None:
            return [""]
        if self.broken("late") and self.current().is_over:
            return [""]
        return [";".join(self.texts(self.running()))]

    # -- searching --------------------------------------------------------------------------

    def do_bestmove(self, rest: list[str]) -> list[str]:
        if self.broken("late-dies") and self.current().is_over:
            sys.exit(101)
        game = self.running()
        seconds = self.budget(rest)
        if self.broken("best-dies"):
            sys.exit(9)
        self.think(seconds)
        moves = game.moves()
        if not moves:
            return [""]
        move = moves[zlib.crc32(str(game).encode()) % len(moves)]
        if self.broken("best-own"):
            move = next((m for m in moves if self.other_text(game, m) != game.text(m)), move)
        text = self.other_text(game, move) if self.broken("best-own") else game.text(move)
        if self.broken("best-plays"):
            game.play(move)
        if self.broken("best-illegal"):
            return ["wQ" if not game.stacks else "wS1 wS1"]
        if self.broken("best-none"):
            return []
        return [text, text] if self.broken("best-many") else [text]

    def think(self, seconds: float) -> None:
        """Use up a time, unless a signal ends it."""
        self.stop, self.busy = False, True
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (self.stop and not self.broken("sigint-deaf")):
            time.sleep(0.005)
        self.busy = False

    def budget(self, rest: list[str]) -> float:
        """Return the seconds to use up."""
        if not rest:
            return 0.2
        if len(rest) == 2 and rest[0] == "depth" and re.fullmatch(r"[1-9]\d*", rest[1]):
            return 1e9 if self.broken("best-hangs") else 0.01
        match = re.fullmatch(r"(\d+):(\d+):(\d+(?:\.\d+)?)", rest[1] if len(rest) == 2 else "")
        if rest[0] != "time" or match is None:
            raise Refused("err bestmove how?")
        hours, minutes, seconds = match.groups()
        total = int(hours) * 3600 + int(minutes) * 60 + float(seconds)
        if total == 0:
            return 1e9 if self.broken("zero-hangs") else 0
        return total + 0.5 if self.broken("best-late") else 0.9 * total

    def do_perft(self, rest: list[str]) -> list[str]:
        if self.broken("perft-none"):
            raise Refused("err unknown command perft")
        game = self.current()
        extra = 1 if self.broken("perft-wrong") else 0
        return [
            f"{d} {count(game, d) + (extra if d > 1 else 0)}" for d in range(1, int(rest[0]) + 1)
        ]

    # -- options ----------------------------------------------------------------------------

    def option(self, key: str) -> str:
        forms = {
            "Threads": "Threads;int;{};1;1;4",
            "Style": "Style;enum;{};Calm;Calm;Wild",
            "Log": "Log;bool;{};False",
        }
        if self.broken("options-form") and key == "Style":
            return f"Style;enum;{self.values[key]}"
        return forms[key].format(self.values[key])

    def do_options(self, rest: list[str]) -> list[str]:
        if not rest:
            return [self.option(key) for key in self.values]
        if len(rest) < 2 or (rest[1] not in self.values and not self.broken("options-unknown")):
            raise Refused("err no such option")
        key = rest[1]
        if key not in self.values:
            return []
        if rest[0] == "get":
            return [] if self.broken("options-get") else [self.option(key)]
        allowed = {"Threads": "1 2 3 4", "Style": "Calm Wild", "Log": "True False"}[key].split()
        if rest[0] != "set" or len(rest) != 3 or rest[2] not in allowed:
            raise Refused("err no such value")
        if not self.broken("options-set"):
            self.values[key] = rest[2]
        return [self.option(key)]


def count(game: Position, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in game.moves():
        if depth > 1:
            game.play(move)
            total += count(game, depth - 1)
            game.undo()
        else:
            total += 1
    return total


def main() -> None:
    words = sys.argv[1:]
    types = "Base,Base+M,Base+L,Base+P,Base+ML,Base+MP,Base+LP,Base+MLP"
    for word in [word for word in words if word.startswith("--types=")]:
        types = word.partition("=")[2]
        words.remove(word)
    unknown = set(words) - set(BREAKS) - set(HABITS)
    if unknown:
        sys.exit(f"unknown breaks: {unknown}")
    engine = Engine(frozenset(words), types)

    def interrupt(*_: object) -> None:
        if engine.broken("sigint-dies") or (engine.broken("sigint-idle") and not engine.busy):
            sys.exit(130)
        engine.stop = True

    signal.signal(signal.SIGINT, interrupt)
    engine.greet()
    lines = sys.stdin.buffer
    if engine.broken("end-cuts"):
        lines = Cutting(lines)
    for raw in lines:
        line = raw.decode(errors="replace").rstrip("\n")
        if line.endswith("\r") and engine.broken("crlf"):
            line = "rubbish"
        if line.strip() == "exit" and not engine.broken("exit-stays"):
            return
        if line.strip():
            engine.answer(line)
    while engine.broken("end-stays"):
        time.sleep(1)


class Cutting:
    """Standard input read ahead in a thread, whose end kills the process at once."""

    def __init__(self, lines: Any) -> None:
        import os
        import queue
        import threading

        self.queue: Any = queue.Queue()

        def read() -> None:
            for raw in lines:
                self.queue.put(raw)
            os._exit(0)

        threading.Thread(target=read, daemon=True).start()

    def __iter__(self) -> Cutting:
        return self

    def __next__(self) -> bytes:
        raw: bytes = self.queue.get()
        return raw


if __name__ == "__main__":
    main()
