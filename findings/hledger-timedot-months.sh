#!/bin/bash
# hledger 1.25 reads a month in a timedot file as seven months, and a year as seven years.
#
# `1mo` is 5040 hours, which is 30 days of 24 hours times seven, and `1y` is 61320 hours, seven
# times 365 days. Seconds, minutes, hours, days and weeks are right. There is no message.
#
# Unpacks the package of Debian 12 into a temporary folder, prints the hours of each unit, and
# fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download hledger=1.25-2+b5 2>/dev/null
dpkg -x hledger_*.deb root

# Prints the hours of a day's entry.
hours() { # quantity
  printf '2026-03-02\nthesis  %s\n' "$1" >day.timedot
  root/usr/bin/hledger -f day.timedot balance --no-total | awk '{ print $1 }'
}

failed=
expect() { # what found wanted
  echo "$1: $2 hours"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
expect 1800s "$(hours 1800s)" 0.50
expect 90m "$(hours 90m)" 1.50
expect 1d "$(hours 1d)" 24.00
expect 1w "$(hours 1w)" 168.00
expect 1mo "$(hours 1mo)" 5040.00
expect 1y "$(hours 1y)" 61320.00
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
