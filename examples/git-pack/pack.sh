#!/bin/sh
# Packs the whole history of this repository with the given settings, as `git gc` does, and throws the pack away.
# Prints the processor time that took and the size of the pack.
set -eu
if ! git rev-parse --verify -q HEAD >/dev/null; then
    echo "there is no git history here to pack: run it in a checkout of a repository" >&2
    exit 1
fi
pack() {
    git -c pack.threads=1 pack-objects --all --stdout -q --no-reuse-delta --no-reuse-object \
        --window="$1" --depth="$2" --compression="$3" </dev/null
}
bytes=$(pack "$1" "$2" "$3" | wc -c)
spent=$(mktemp)
trap 'rm -f "$spent"' EXIT
times >"$spent" # its second line is what the commands above took, as 0m1.23s 0m0.04s
awk -F'[ms ]+' -v bytes="$bytes" 'NR == 2 {
    printf "{\"ms\": %.0f, \"pack_kb\": %.1f}\n", 1000 * (60 * ($1 + $3) + $2 + $4), bytes / 1024
}' "$spent"
