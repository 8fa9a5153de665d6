#!/bin/bash
# timewarrior 1.4.3 deletes an entry's annotation if the new one reads as a date, time or duration.
#
# `timew annotate @1 "waiting for may"` replaces the annotation. With "may", "2026", "monday",
# "10:00", "2h" or "7 days" alone, it prints "Removed annotation from @1" instead, the old text is
# gone, the new one is not stored, and the exit status is 0. Quotes do not help.
#
# Unpacks the package of Debian 12 into a temporary folder, prints what each text leaves, and fails
# if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download timewarrior=1.4.3+ds.1-2 2>/dev/null
dpkg -x timewarrior_*.deb root
export TZ=Europe/Berlin TIMEWARRIORDB=$folder/data

timew() { root/usr/bin/timew "$@" rc.confirmation=off; }
mkdir -p data/data
: >data/timewarrior.cfg
timew track 2026-03-02T09:00:00 - 2026-03-02T10:00:00 thesis >/dev/null

# Annotates the entry twice and prints the annotation that is left.
annotated() { # text
  timew annotate @1 "first note" >/dev/null
  timew annotate @1 "$1" >/dev/null
  timew export | sed -n 's/.*"annotation":"\([^"]*\)".*/\1/p'
}

failed=
expect() { # text found wanted
  echo "first note, then $1: ${2:-no annotation}"
  [ "$2" = "$3" ] || { echo "  was ${3:-no annotation} before"; failed=1; }
}
for text in "waiting for may" "call at 10:00" 12; do
  expect "$text" "$(annotated "$text")" "$text"
done
for text in may 2026 monday 10:00 2h "7 days"; do
  expect "$text" "$(annotated "$text")" ""
done
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
