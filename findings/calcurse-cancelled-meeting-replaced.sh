#!/bin/bash
# calcurse 4.7.1 adds a meeting to the end of a series for each one that was cancelled.
#
# A weekly meeting of three weeks (RRULE with COUNT=3) is cancelled in its second week by EXDATE.
# RFC 5545, section 3.8.5.1, takes excluded dates out of what the rule gives, so two meetings are
# left. calcurse imports three, the last one a week after the end of the series. A series that ends
# by UNTIL is right. Two more meetings are wrong in an import:
# - A meeting that was moved (RECURRENCE-ID) is shown at both times.
# - A meeting at 9:00 in New York, every week, is at 15:00 in Berlin. From 9 to 27 March 2026, when
#   New York has summer time and Berlin has not, it is at 14:00; calcurse stays at 15:00.
# There is no message, and the exit status is 0. dateutil 2.9.0.post0 computes the rules right.
#
# Unpacks the package of Debian 12 into a temporary folder, installs dateutil there, prints the
# dates that both compute, and fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download 'calcurse=4.7.1-1*' 2>/dev/null
# The library of calcurse's screens, of any version.
apt-get -qq download libncursesw6 libtinfo6 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
python3 -m venv python
python/bin/pip -q install python-dateutil==2.9.0.post0
libraries=$(echo "$PWD/root/lib/"*-linux-gnu):$(echo "$PWD/root/usr/lib/"*-linux-gnu)

failed=
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}

# Prints the dates and times at which calcurse shows the events of standard input in Berlin.
shown() {
  rm -rf data calendar.ics
  mkdir data
  { printf 'BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//example//test//EN\n'; cat; } > calendar.ics
  echo END:VCALENDAR >> calendar.ics
  run -q -i calendar.ics > /dev/null
  run -s03/01/2026 -r60 --format-apt '%(start:%m-%d %H:%M)\n' --format-recur-apt \
    '%(start:%m-%d %H:%M)\n' | grep -E '^[0-9-]+ [0-9]' | paste -sd,
}
run() {
  TZ=Europe/Berlin LD_LIBRARY_PATH=$libraries root/usr/bin/calcurse -D "$PWD/data" \
    -C "$PWD/data" "$@"
}
meeting() { # zone lines…
  printf 'BEGIN:VEVENT\nUID:meeting@example\nDTSTAMP:20260101T000000Z\nSUMMARY:meeting\n'
  printf 'DURATION:PT30M\n'
  printf '%s\n' "$@" END:VEVENT
}
computed() { # zone, rule, excluded dates
  python/bin/python - "$@" <<'P'
import sys
from datetime import datetime
from dateutil.rrule import rruleset, rrulestr
from dateutil.tz import gettz
zone, rule, *excluded = sys.argv[1:]
dates = rruleset()
dates.rrule(rrulestr(rule, dtstart=datetime(2026, 3, 2, 9, tzinfo=gettz(zone))))
for day in excluded:
    dates.exdate(datetime(2026, 3, int(day), 9, tzinfo=gettz(zone)))
print(",".join(f"{d.astimezone(gettz('Europe/Berlin')):%m-%d %H:%M}" for d in dates))
P
}

berlin='DTSTART;TZID=Europe/Berlin:20260302T090000'
excluded='EXDATE;TZID=Europe/Berlin:20260309T090000'
expect "three weeks, one cancelled, calcurse" \
  "$(meeting "$berlin" 'RRULE:FREQ=WEEKLY;COUNT=3' "$excluded" | shown)" \
  "03-02 09:00,03-16 09:00,03-23 09:00"
expect "three weeks, one cancelled, dateutil" \
  "$(computed Europe/Berlin 'FREQ=WEEKLY;COUNT=3' 9)" "03-02 09:00,03-16 09:00"
expect "the same until a date, calcurse" \
  "$(meeting "$berlin" 'RRULE:FREQ=WEEKLY;UNTIL=20260316T080000Z' "$excluded" | shown)" \
  "03-02 09:00,03-16 09:00"
expect "the second one moved to 10 March, calcurse" \
  "$({
    meeting "$berlin" 'RRULE:FREQ=WEEKLY;COUNT=3'
    meeting 'RECURRENCE-ID;TZID=Europe/Berlin:20260309T090000' \
      'DTSTART;TZID=Europe/Berlin:20260310T140000'
  } | shown)" \
  "03-02 09:00,03-09 09:00,03-10 14:00,03-16 09:00"
expect "9:00 in New York, seen from Berlin, calcurse" \
  "$(meeting 'DTSTART;TZID=America/New_York:20260302T090000' 'RRULE:FREQ=WEEKLY;COUNT=5' | shown)" \
  "03-02 15:00,03-09 15:00,03-16 15:00,03-23 15:00,03-30 15:00"
expect "9:00 in New York, seen from Berlin, dateutil" \
  "$(computed America/New_York 'FREQ=WEEKLY;COUNT=5')" \
  "03-02 15:00,03-09 14:00,03-16 14:00,03-23 14:00,03-30 15:00"
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
