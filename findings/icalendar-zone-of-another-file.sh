#!/bin/bash
# icalendar 7.3.2 and vobject 0.9.9 compute a file's times with the zone of a file read before it.
#
# A calendar file defines its zones itself, and a TZID is a name within that file only. Outlook
# writes "Customized Time Zone" for each zone that it has no name of its own for. Both libraries
# keep the first definition of such a name for the rest of the process: 09:00 at +01:00 becomes
# 09:00 at -05:00, six hours later, if a file from New York was read before. Each file alone is
# read right. khal 0.14.1, which uses icalendar, shows the wrong hour for one of two such files in
# a calendar.
#
# Installs the packages into a temporary folder, prints what they read, and fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder TZ=Europe/Berlin
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check \
  icalendar==7.3.2 vobject==0.9.9 khal==0.14.1

# Writes a file with one meeting at 09:00 in a zone of one offset.
write() { # name offset
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//example//EN \
    BEGIN:VTIMEZONE "TZID:Customized Time Zone" BEGIN:STANDARD DTSTART:16010101T000000 \
    "TZOFFSETFROM:$2" "TZOFFSETTO:$2" END:STANDARD END:VTIMEZONE \
    BEGIN:VEVENT "UID:$1" DTSTAMP:20260101T000000Z "SUMMARY:$1" \
    "DTSTART;TZID=Customized Time Zone:20260302T090000" \
    "DTEND;TZID=Customized Time Zone:20260302T100000" END:VEVENT END:VCALENDAR >"$1.ics"
}
write berlin +0100
write york -0500

cat >read.py <<'PYTHON'
import sys
import icalendar, vobject

library, files = sys.argv[1], sys.argv[2:]
for file in files:
    text = open(file, newline="").read()
    if library == "icalendar":
        start = icalendar.Calendar.from_ical(text).walk("VEVENT")[0].start
    else:
        start = vobject.readOne(text).vevent.dtstart.value
print(start.isoformat())
PYTHON

cat >khal.conf <<CONFIG
[calendars]
[[meetings]]
path = $folder/calendar
[locale]
local_timezone = Europe/Berlin
default_timezone = Europe/Berlin
timeformat = %H:%M
dateformat = %Y-%m-%d
[sqlite]
path = $folder/khal.db
CONFIG

# Prints the hours at which khal shows the meetings of a calendar with the given files.
khal() { # files…
  rm -rf calendar khal.db
  mkdir calendar
  cp "$@" calendar
  venv/bin/khal -c khal.conf list 2026-03-02 2026-03-03 --format '{start-time}' | grep : |
    tr '\n' ' '
}

failed=
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
read_() { venv/bin/python read.py "$@"; }
for library in icalendar vobject; do
  expect "$library, berlin.ics" "$(read_ $library berlin.ics)" 2026-03-02T09:00:00+01:00
  expect "$library, york.ics" "$(read_ $library york.ics)" 2026-03-02T09:00:00-05:00
  expect "$library, berlin.ics after york.ics" \
    "$(read_ $library york.ics berlin.ics)" 2026-03-02T09:00:00-05:00
  expect "$library, york.ics after berlin.ics" \
    "$(read_ $library berlin.ics york.ics)" 2026-03-02T09:00:00+01:00
done
expect "khal, berlin.ics" "$(khal berlin.ics)" "09:00 "
expect "khal, york.ics" "$(khal york.ics)" "15:00 "
# Which of the two files khal reads first is the folder's order.
both=$(khal berlin.ics york.ics)
expect "khal, both" "$both" "$([ "$both" = "09:00 09:00 " ] && echo "$both" || echo "15:00 15:00 ")"
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
