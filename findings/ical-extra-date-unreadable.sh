#!/bin/bash
# ical 14.3.1 writes a file that it cannot read if a meeting in a time zone has an extra date.
#
# Home Assistant's calendars use this library. One would expect that it can read what it wrote. But
# it writes RDATE with a time zone, an extra date of a meeting, as VALUE=PERIOD though it is a
# single time, and then refuses the whole file, with all other events in it. There is no message
# before that. ical 11.1.0 writes the line as it was. Two more dates are wrong, in both versions:
# - If the dates are given by RDATE alone, the meeting of DTSTART itself is missing. RFC 5545,
#   section 3.8.5.2, counts it.
# - If RECURRENCE-ID, the old time of a meeting that was moved, is in UTC, both times are shown.
# recurring-ical-events 3.8.2 computes all of them right.
#
# Pull request 619 brought periods in RDATE. Home Assistant works around times in RECURRENCE-ID
# (its issue 167734). No issue about the file or about the missing date was found.
#
# Installs the packages into a temporary folder, prints the lines and the dates, and fails if they
# change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
install_() { # folder package…
  python3 -m venv "$1"
  "$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}"
}
install_ ical-14.3.1 ical==14.3.1
install_ ical-11.1.0 ical==11.1.0
install_ recurring-ical-events icalendar==7.3.2 recurring-ical-events==3.8.2

cat >finding.py <<'PYTHON'
import sys
from datetime import timezone

zone = [
    "BEGIN:VTIMEZONE", "TZID:Europe/Berlin",
    "BEGIN:DAYLIGHT", "DTSTART:19700329T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
    "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "END:DAYLIGHT",
    "BEGIN:STANDARD", "DTSTART:19701025T030000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
    "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE"]

def event(*lines):
    return ["BEGIN:VEVENT", "UID:meeting", "DTSTAMP:20260101T000000Z", "DURATION:PT1H", *lines,
            "END:VEVENT"]

def file(*events):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", *zone]
    return "\r\n".join([*lines, *sum(events, []), "END:VCALENDAR", ""])

utc, berlin = "DTSTART:20260302T090000Z", "DTSTART;TZID=Europe/Berlin:20260302T090000"
rule = "RRULE:FREQ=WEEKLY;COUNT=2"
files = {
    "extra, Berlin": file(event(berlin, rule, "RDATE;TZID=Europe/Berlin:20260304T090000")),
    "extra, UTC": file(event(utc, rule, "RDATE:20260304T090000Z")),
    "dates": file(event(utc, "RDATE:20260304T090000Z,20260305T090000Z")),
    "moved, UTC": file(
        event(utc, rule), event("RECURRENCE-ID:20260309T090000Z", "DTSTART:20260310T140000Z")),
}

def recurring(text):
    import icalendar, recurring_ical_events
    calendar = icalendar.Calendar.from_ical(text)
    return [event.start for event in recurring_ical_events.of(calendar).all()]

def ical(text):
    from ical.calendar_stream import IcsCalendarStream
    from ical.exceptions import CalendarParseError
    try:
        calendar = IcsCalendarStream.calendar_from_ics(text)
    except CalendarParseError:
        return None
    return [event.dtstart for event in calendar.timeline_tz(timezone.utc)]

def written(text):
    from ical.calendar_stream import IcsCalendarStream
    return IcsCalendarStream.calendar_to_ics(IcsCalendarStream.calendar_from_ics(text))

def show(starts):
    return "refused" if starts is None else " ".join(f"{x:%d,%H:%M}" for x in sorted(starts))

text = files[sys.argv[2]]
match sys.argv[1]:
    case "occurrences": print(show(recurring(text)))
    case "read": print(show(ical(text)))
    case "read again": print(show(ical(written(text))))
    case "written": print(*[line for line in written(text).split() if line.startswith("RDATE")])
PYTHON

failed=
expect() { # packages what file wanted
  local found
  found=$("$1/bin/python" finding.py "$2" "$3")
  echo "$3, $1, $2: $found"
  [ "$found" = "$4" ] || { echo "  was $4 before"; failed=1; }
}
right="02,09:00 04,09:00 09,09:00"
expect recurring-ical-events occurrences "extra, Berlin" "$right"
for version in 11.1.0 14.3.1; do
  expect ical-$version read "extra, Berlin" "$right"
done
expect ical-11.1.0 written "extra, Berlin" "RDATE;TZID=Europe/Berlin:20260304T090000"
expect ical-11.1.0 "read again" "extra, Berlin" "$right"
expect ical-14.3.1 written "extra, Berlin" "RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20260304T090000"
expect ical-14.3.1 "read again" "extra, Berlin" refused
expect ical-14.3.1 "read again" "extra, UTC" "$right"
expect recurring-ical-events occurrences dates "02,09:00 04,09:00 05,09:00"
expect recurring-ical-events occurrences "moved, UTC" "02,09:00 10,14:00"
for version in 11.1.0 14.3.1; do
  expect ical-$version read dates "04,09:00 05,09:00"
  expect ical-$version read "moved, UTC" "02,09:00 09,09:00 10,14:00"
done
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
