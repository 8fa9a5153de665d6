#!/bin/bash
# timewarrior 1.4.3 takes a date for 24 hours, also on the two days of a clock change.
#
# In Europe/Berlin, 2026-10-25 has 25 hours and 2026-03-29 has 23. `timew export 2026-10-25` leaves
# out the last hour of that day, and `timew export 2026-03-29` has the first hour of the next day.
# The same day written as a range, `2026-10-25 - 2026-10-26`, is right. The words `today` and
# `yesterday` are dates, too; the hints `:day` and `:yesterday` are right.
#
# Unpacks the package of Debian 12 into a temporary folder, prints what both forms export, and fails
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
timew track 2026-03-29T12:00:00 - 2026-03-29T12:30:00 spring >/dev/null
timew track 2026-03-30T00:15:00 - 2026-03-30T00:45:00 after-spring >/dev/null
timew track 2026-10-25T12:00:00 - 2026-10-25T12:30:00 autumn >/dev/null
timew track 2026-10-25T23:15:00 - 2026-10-25T23:45:00 end-of-autumn >/dev/null

# Prints the tags of the intervals that an export has.
tags() { timew export "$@" | sed -n 's/.*"tags":\["\([^"]*\)"\].*/\1/p' | sort | tr '\n' ' '; }

failed=
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3 " ] || { echo "  was $3 before"; failed=1; }
}
expect "2026-03-29" "$(tags 2026-03-29)" "after-spring spring"
expect "2026-03-29 - 2026-03-30" "$(tags 2026-03-29 - 2026-03-30)" "spring"
expect "2026-10-25" "$(tags 2026-10-25)" "autumn"
expect "2026-10-25 - 2026-10-26" "$(tags 2026-10-25 - 2026-10-26)" "autumn end-of-autumn"
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
