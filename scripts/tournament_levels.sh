#!/bin/sh
# A round robin of our engine's strength levels: is each stronger than the ones below?
#
#   scripts/tournament_levels.sh [LEVELS [ROUNDS [RUN_OPTION ...]]]
#
# LEVELS are values of the option Level ("1 3 5 7 9 10" unless given). The file levels.toml is
# written here, the results go to levels.sqlite. Run it again to go on after an interruption.
# scripts/calibrate_levels.py plays neighbours only, without processes.
set -eu

levels=${1:-1 3 5 7 9 10}
rounds=${2:-5}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] && shift
engine=${UHP_ENGINE:-uhp-engine}

{
    echo 'event = "Strength levels"'
    echo "rounds = $rounds"
    echo 'games = 2'
    printf '[each]\nst = 0.1\n'
    for level in $levels; do
        printf '[[engine]]\ncmd = "%s"\nname = "level %s"\n' "$engine" "$level"
        echo "options = { Level = $level }"
    done
} > levels.toml

exec uhp-engine tournament levels.toml --resume --recover --concurrency 2 "$@"
