#!/bin/sh
# Play the present source against the last release; exit code 1 where it has become weaker.
#
#   scripts/nightly_regression.sh [RELEASE [MATCH_OPTION ...]]
#
# RELEASE is a tag or commit (the newest tag v* unless given). It is installed into a virtual
# environment of its own, kept for the next night. For cron:
#   0 3 * * *  cd /path/to/uhp_engine && scripts/nightly_regression.sh >> nightly.log 2>&1
#
# A test of H0, "20 normalised Elo weaker", against H1, "not weaker", stops the match early.
set -eu

cd "$(dirname "$0")/.."
release=${1:-$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)}
[ $# -gt 0 ] && shift
if [ -z "$release" ]; then
    echo "nightly_regression: there is no tag v* yet: name a commit to play against" >&2
    exit 2
fi
commit=$(git rev-parse --verify --quiet "$release^{commit}") || {
    echo "nightly_regression: there is no tag or commit '$release'" >&2
    exit 2
}

work=${XDG_CACHE_HOME:-$HOME/.cache}/uhp-engine-nightly
old=$work/$commit
if [ ! -x "$old/bin/uhp-engine" ]; then
    rm -rf "$old"
    mkdir -p "$work/source-$commit"
    git archive "$commit" | tar -x -C "$work/source-$commit"
    "${PYTHON:-python3}" -m venv "$old"
    "$old/bin/pip" install --quiet "$work/source-$commit"
    rm -rf "$work/source-$commit"
fi
"$old/bin/uhp-engine" warmup
uhp-engine warmup

results=$work/$(date +%Y%m%d-%H%M%S)-$(git rev-parse --short HEAD)
uhp-engine match \
    --engine cmd=uhp-engine name=new --engine cmd="$old/bin/uhp-engine" name="$release" \
    --st 0.2 --games 400 --concurrency 2 --recover --seed "$(date +%j)" \
    --sprt elo0=-20 elo1=0 --results "$results.sqlite" --json "$@" > "$results.json"
uhp-engine results "$results.sqlite"

"${PYTHON:-python3}" - "$results.json" <<'CHECK'
import json, sys

match = json.load(open(sys.argv[1]))
if match["games_played"] == 0:
    sys.exit("nightly_regression: no game was played")
(encounter,) = match["encounters"]
own = [f for f in match["failures"] if f["engine"] == "new"]
error = encounter["elo_error"]
weaker = encounter["sprt"]["status"] == "H0" or (
    error is not None and encounter["elo"] is not None and encounter["elo"] + error < 0
)
for failure in own:
    print(f"FAILED: new lost {failure['games']} games by {failure['termination']}")
print("WEAKER than the release" if weaker else "not weaker than the release, as far as seen")
sys.exit(1 if weaker or own else 0)
CHECK
