"""Checks of each command's form, of errors, of undo."""

from __future__ import annotations

from functools import partial

from ...core.pieces import GAME_TYPES
from ...game import PASS, Game
from ...notation import format_move, parse_game
from .compare import compare_game
from .exam import Exam, is_error, shown
from .findings import Check, Deviation, Opinion
from .positions import DRAWN, MIDDLE, PASSING, THROWN, WHITE_WON
from .spelling import all_texts

ERRORS = ("err", "invalidmove")


# -- newgame --------------------------------------------------------------------------------


async def _new_game(exam: Exam, command: str, game_type: str) -> None:
    for _ in range(2):  # the second time in mid-game, which it must end
        game = Game(game_type)
        compare_game(game, await exam.one_line(command))
        await exam.play(game, game.legal_moves()[0])


async def _new_game_string(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    await exam.valid_moves(game)


async def _new_game_wrong_fields(exam: Exam) -> None:
    game = parse_game(MIDDLE)
    kind, _, _, *moves = MIDDLE.split(";")
    line = await exam.one_line(f"newgame {kind};BlackWins;Black[77];{';'.join(moves)}")
    compare_game(game, line)


async def _new_game_loosely(exam: Exam) -> None:
    kind, _, _, *moves = MIDDLE.split(";")
    texts = {
        "empty fields of state and turn": f"{kind};;;{';'.join(moves)}",
        "a final ';'": f"{MIDDLE};",
        "blanks after ';'": MIDDLE.replace(";", "; "),
    }
    if exam.plays("Base+MLP"):
        texts["expansions in another order"] = "Base+PLM"
    refused = [
        name
        for name, text in texts.items()
        if any(is_error(line) for line in await exam.ask(f"newgame {text}"))
    ]
    if refused:
        raise Opinion("each taken", f"refused: {', '.join(refused)}")


async def _new_game_unknown(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    for text in ("Base+X", "Chess", "Base+MLPQ"):
        await exam.refused(f"newgame {text}")
        await exam.is_unchanged(game)


async def _new_game_illegal(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    for moves in ("wS1;bS1 wS1-;wA1 bS1-", "wS1;bS1 wS1", "wS1;rubbish"):
        await exam.refused(f"newgame Base;InProgress;Black[2];{moves}", ERRORS)
        await exam.is_unchanged(game)


async def _finished(exam: Exam, text: str) -> None:
    await exam.set_up(text)


# -- play, pass, validmoves -----------------------------------------------------------------


async def _play(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    await exam.set_up(Game(game.game_type))
    replay = Game(game.game_type)
    for move in game.moves:
        await exam.play(replay, move)
    await exam.valid_moves(replay)


async def _pass(exam: Exam, command: str) -> None:
    game = await exam.set_up(PASSING)
    line = await exam.one_line("validmoves")
    if line != "pass":
        raise Deviation("'pass' alone where nothing else is legal", shown([line]))
    game.play(PASS)
    compare_game(game, await exam.one_line(command))
    await exam.valid_moves(game)


async def _pass_refused(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    for command in ("pass", "play pass"):
        await exam.refused(command, ("invalidmove",))
        await exam.is_unchanged(game)


async def _illegal(exam: Exam) -> None:
    game = await exam.set_up("Base;NotStarted;White[1]")
    await exam.refused("play wQ", ("invalidmove",))
    await exam.is_unchanged(game)
    game = await exam.set_up(MIDDLE)
    taken = format_move(game.copy(), game.legal_moves()[0]).split()[0]
    for text in ("wA3 bQ-", f"{taken} {taken}", "bS1 wS1", "wS1"):
        await exam.refused(f"play {text}", ("invalidmove",))
        await exam.is_unchanged(game)


async def _unreadable(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    for text in ("rubbish", "wX1 wS1-", "wA1 -", "12"):
        await exam.refused(f"play {text}", ("invalidmove",))
        await exam.is_unchanged(game)


async def _other_side(exam: Exam) -> None:
    game = await exam.set_up("Base;NotStarted;White[1]")
    await exam.refused("play bS1", ("invalidmove",))
    await exam.is_unchanged(game)


async def _play_nothing(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    await exam.refused("play", ERRORS)
    await exam.is_unchanged(game)


# -- errors ---------------------------------------------------------------------------------


async def _unknown_command(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    for command in ("frobnicate", "newgameBase", "validmove"):
        await exam.refused(command)
        await exam.is_unchanged(game)


async def _before_a_game(exam: Exam, command: str) -> None:
    await exam.kill()
    await exam.refused(command, ERRORS)


async def _after_the_end(exam: Exam, command: str) -> None:
    await exam.set_up(WHITE_WON)
    await exam.refused(command, ERRORS)


# -- undo -----------------------------------------------------------------------------------


async def _undo(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    for command, count in (("undo", 1), ("undo 1", 1), ("undo 3", 3)):
        game.undo(count)
        compare_game(game, await exam.one_line(command))
        await exam.valid_moves(game)
    game.undo(game.ply)
    compare_game(game, await exam.one_line(f"undo {parse_game(MIDDLE).ply - 5}"))
    await exam.valid_moves(game)


async def _undo_same_text(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    before = await exam.one_line(f"newgame {MIDDLE}")
    for move in game.legal_moves()[:5]:
        await exam.ask(f"play {format_move(game, move)}")
        after = await exam.one_line("undo")
        if after != before:
            raise Deviation(repr(before[-80:]), repr(after[-80:]))


async def _undo_throw(exam: Exam) -> None:
    """Which piece moved last is part of the position: the thrown one must stay held."""
    game = await exam.set_up(THROWN)
    for move in game.legal_moves()[:5]:
        await exam.play(game, move)
        game.undo()
        compare_game(game, await exam.one_line("undo"))
        await exam.valid_moves(game)


async def _undo_too_many(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    for count in (game.ply + 1, 1000, -1):
        await exam.refused(f"undo {count}")
        await exam.is_unchanged(game)
    await exam.set_up(Game())
    await exam.refused("undo")


async def _undo_nothing(exam: Exam) -> None:
    await exam.set_up(MIDDLE)
    for count in ("0", "some"):
        lines = await exam.ask(f"undo {count}")
        if not any(is_error(line) for line in lines):
            raise Opinion(f"err for 'undo {count}'", shown(lines))


async def _undo_the_end(exam: Exam) -> None:
    for text in (WHITE_WON, DRAWN):
        game = await exam.set_up(text)
        game.undo()
        compare_game(game, await exam.one_line("undo"))
        await exam.valid_moves(game)


# -- spelling -------------------------------------------------------------------------------


async def _any_neighbour(exam: Exam) -> str:
    """Play each placement and step of a position by every neighbour's name in turn."""
    game = await exam.set_up(MIDDLE)
    tried = 0
    for move in game.legal_moves():
        for text in all_texts(game, move):
            after = game.copy()
            after.play(move)
            lines = await exam.ask(f"play {text}")
            if len(lines) != 1 or is_error(lines[0]):
                raise Deviation(f"{text!r} taken for {format_move(game, move)!r}", shown(lines))
            compare_game(after, lines[0], whole=False)
            await exam.one_line("undo")
            tried += 1
    return f"{tried} texts"


async def _loose_texts(exam: Exam) -> None:
    game = await exam.set_up(MIDDLE)
    move = next(move for move in game.legal_moves() if game.cell_of(move.piece) < 0)
    text = format_move(game, move)
    refused = []
    for name, other in {
        "small letters": text.lower(),
        "more blanks": text.replace(" ", "   "),
        "capitals": text.upper(),
    }.items():
        lines = await exam.ask(f"play {other}")
        if any(is_error(line) for line in lines):
            refused.append(name)
        else:
            await exam.ask("undo")
    if refused:
        raise Opinion("each taken", f"refused: {', '.join(refused)}")


def checks() -> list[Check]:
    """Return the checks of this module."""
    found = [
        Check(
            "newgame",
            "alone it starts Base",
            partial(_new_game, command="newgame", game_type="Base"),
        )
    ]
    for game_type in GAME_TYPES:
        run = partial(_new_game, command=f"newgame {game_type}", game_type=game_type)
        found.append(Check("newgame", f"starts {game_type}, in mid-game too", run, game_type))
    found += [
        Check("newgame", "replays a GameString", _new_game_string),
        Check("newgame", "tells the true state and turn", _new_game_wrong_fields),
        Check("newgame", "GameStrings as others write them", _new_game_loosely),
        Check("newgame", "refuses an unknown game type", _new_game_unknown),
        Check("newgame", "refuses a GameString with an illegal move", _new_game_illegal),
        Check("newgame", "loads a game that is won", partial(_finished, text=WHITE_WON)),
        Check("newgame", "loads a game that is drawn", partial(_finished, text=DRAWN)),
        Check("play", "answers with the new GameString", _play),
        Check("play", "takes any neighbour's name", _any_neighbour),
        Check("play", "letter case and blanks of MoveStrings", _loose_texts),
        Check("play", "refuses illegal moves", _illegal),
        Check("play", "refuses unreadable moves", _unreadable),
        Check("play", "refuses the other side's pieces", _other_side),
        Check("play", "refuses to play nothing", _play_nothing),
        Check("pass", "is the only move without another", partial(_pass, command="pass")),
        Check("pass", "may be written 'play pass'", partial(_pass, command="play pass")),
        Check("pass", "is refused beside other moves", _pass_refused),
        Check("errors", "an unknown command is refused", _unknown_command),
    ]
    for command in ("play wS1", "pass", "validmoves", "bestmove depth 1", "undo"):
        run = partial(_before_a_game, command=command)
        found.append(Check("errors", f"'{command}' before the first game is refused", run))
    for command in ("play wA1 wQ-", "pass", "validmoves", "bestmove depth 1"):
        run = partial(_after_the_end, command=command)
        found.append(Check("errors", f"'{command}' after the end is refused", run))
    return [
        *found,
        Check("undo", "takes back one move or several", _undo),
        Check("undo", "brings back the same GameString", _undo_same_text),
        Check("undo", "keeps in mind what was thrown", _undo_throw, "Base+P"),
        Check("undo", "is refused beyond the start", _undo_too_many),
        Check("undo", "of no moves, of no number", _undo_nothing),
        Check("undo", "goes back behind the end", _undo_the_end),
    ]
