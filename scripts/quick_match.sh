#!/bin/sh
# A quick match between two engines: 20 games at a fifth of a second a move, two at a time.
#
#   scripts/quick_match.sh [ENGINE [OTHER_ENGINE [MATCH_OPTION ...]]]
#
# An engine is a command line in quotes; both are uhp-engine unless given. More options of
# `uhp-engine match` may follow: scripts/quick_match.sh uhp-engine "nokamute uhp" --games 100
set -eu

first=${1:-uhp-engine}
second=${2:-uhp-engine}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] && shift

exec uhp-engine match \
    --engine cmd="$first" name=first --engine cmd="$second" name=second \
    --st 0.2 --games 20 --concurrency 2 --recover "$@"
