#!/bin/bash
# jq 1.6 reads a UTC time an hour late if the machine's zone has summer time at that time.
#
# `fromdate` of "2026-07-06T09:00:00Z" is 10:00Z under TZ=Europe/Berlin or America/New_York, and
# 09:00Z under UTC or Asia/Kolkata. Times of winter are right. `mktime` is late as well, and so is
# `gmtime | mktime`; `todate` is right, so `fromdate | todate` adds an hour. A difference of two
# times is wrong if a clock change lies between them. strflocaltime gives the right local time with
# the offset +0000.
#
# Unpacks the packages of Debian 12 into a temporary folder, prints what jq says in four zones, and
# fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download 'jq=1.6-2.1*' 'libjq1=1.6-2.1*' 2>/dev/null
# jq's library of regular expressions, of any version.
apt-get -qq download libonig5 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(echo "$PWD/root/usr/lib/"*-linux-gnu)

failed=
expect() { # zone program wanted
  local found
  found=$(TZ=$1 LD_LIBRARY_PATH=$libraries root/usr/bin/jq -nr "$2")
  echo "$1: $2 is $found"
  [ "$found" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
summer='"2026-07-06T09:00:00Z" | fromdate'
winter='"2026-01-19T09:00:00Z" | fromdate'
for zone in UTC Asia/Kolkata Europe/Berlin America/New_York; do
  late=0
  case $zone in Europe/* | America/*) late=1 ;; esac
  expect $zone "$winter | todate" 2026-01-19T09:00:00Z
  expect $zone "$summer | todate" "2026-07-06T$(printf %02d $((9 + late))):00:00Z"
done
expect Europe/Berlin '1783328400 | gmtime | mktime - 1783328400' 3600
expect Europe/Berlin '1783328400 | strflocaltime("%H:%M %z")' '11:00 +0000'
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
