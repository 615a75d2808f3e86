#!/bin/sh
# A round robin of our engine's strength levels: is each stronger than the one below?
#
#   scripts/tournament_levels.sh [LEVELS [ROUNDS [RUN_OPTION ...]]]
#
# LEVELS are numbers for the engine's option Level ("1 3 5 7 9" unless given); where the engine has
# no such option they are hundredths of a second a move. The file levels.toml is written here, the
# results go to levels.sqlite. Run it again to go on after an interruption.
set -eu

levels=${1:-1 3 5 7 9}
rounds=${2:-5}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] && shift
engine=${UHP_ENGINE:-uhp-engine}

if printf 'options get Level\nexit\n' | $engine 2>/dev/null | grep -q '^Level;'; then
    has_levels=yes
else
    has_levels=no
    echo "note: $engine has no option Level; the levels are hundredths of a second a move" >&2
fi

{
    echo 'event = "Strength levels"'
    echo "rounds = $rounds"
    echo 'games = 2'
    [ $has_levels = no ] || printf '[each]\nst = 0.5\n'
    for level in $levels; do
        printf '[[engine]]\ncmd = "%s"\nname = "level %s"\n' "$engine" "$level"
        if [ $has_levels = yes ]; then
            echo "options = { Level = $level }"
        else
            echo "st = $(printf '%d.%02d' $((level / 100)) $((level % 100)))"
        fi
    done
} > levels.toml

exec uhp-engine tournament levels.toml --resume --recover --concurrency 2 "$@"
