#!/bin/bash
# Importing icalevents 0.3.1 moves ends that icalendar 7.3.2 computes by an hour.
#
# A program reads a file with icalendar and prints when an event ends that is given by DURATION and
# lasts over a clock change. One would expect that an import elsewhere in the program changes
# nothing. icalevents, and khal 0.14.1's module khal.icalendar, switch icalendar to the time zones
# of pytz for the whole process while they are imported. From then on, icalendar adds a duration in
# the offset of the start. RFC 5545, section 3.3.6, has PT8H as eight exact hours and P1D as a day
# of the calendar:
# - A night shift of PT8H ends an hour early without the import, and right with it.
# - A duty of P1D, from noon to noon, ends right without the import, and an hour late with it.
# - A time of July computed from a start in March moves by an hour as well.
# Ends given by DTEND stay. What was read before the import keeps its zones, so the result depends
# on the order, too. There is no message.
#
# The switch is icalendar's use_pytz(), which is there for programs. Neither the other packages'
# documentation nor an issue that was found says that they call it.
#
# Installs the packages into a temporary folder, prints the ends in UTC, and fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check \
  icalendar==7.3.2 icalevents==0.3.1 khal==0.14.1
cat >finding.py <<'PYTHON'
import importlib, sys
from datetime import timedelta, timezone
import icalendar

zone = [
    "BEGIN:VTIMEZONE", "TZID:Europe/Berlin",
    "BEGIN:DAYLIGHT", "DTSTART:19700329T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
    "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "END:DAYLIGHT",
    "BEGIN:STANDARD", "DTSTART:19701025T030000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
    "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE"]

def event(name, start, end):
    return ["BEGIN:VEVENT", f"UID:{name}", "DTSTAMP:20260101T000000Z",
            f"DTSTART;TZID=Europe/Berlin:20260328T{start}", end, "END:VEVENT"]

text = "\r\n".join([
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", *zone,
    *event("PT8H", "220000", "DURATION:PT8H"), *event("P1D", "120000", "DURATION:P1D"),
    *event("DTEND", "220000", "DTEND;TZID=Europe/Berlin:20260329T060000"), "END:VCALENDAR", ""])

def show(time):
    return f"{time.astimezone(timezone.utc):%d,%H:%M}"

first = icalendar.Calendar.from_ical(text)
for module in sys.argv[2:]:
    importlib.import_module(module)
calendar = first if sys.argv[1] == "before" else icalendar.Calendar.from_ical(text)
print(*[f"{event['UID']} {show(event.end)}" for event in calendar.events],
      f"July {show(calendar.events[1].start + timedelta(days=120))}")
PYTHON

failed=
expect() { # wanted when module…
  local found
  found=$(venv/bin/python finding.py "${@:2}")
  echo "read $2${3+ the import of ${*:3}}: $found"
  [ "$found" = "$1" ] || { echo "  was $1 before"; failed=1; }
}
plain="PT8H 29,04:00 P1D 29,10:00 DTEND 29,04:00 July 26,10:00"
moved="PT8H 29,05:00 P1D 29,11:00 DTEND 29,04:00 July 26,11:00"
expect "$plain" "without any import"
for module in icalevents.icalevents khal.icalendar; do
  expect "$moved" after $module
  expect "$plain" before $module
done
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
