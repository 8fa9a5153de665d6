#!/bin/bash
# recurring-ical-events 3.8.2 leaves out two occurrences for one EXDATE.
#
# A meeting at 8:00 and 9:00 in Berlin recurs daily, by one rule with BYHOUR=8,9. EXDATE cancels the
# meeting of 3 March at 9:00, which is 8:00 in UTC. The library leaves out the meeting at 8:00 in
# Berlin, too, without a message: it compares local times and times in UTC without their zones. The
# same happens if the meeting at 9:00 is moved by a RECURRENCE-ID, and with a rule that is hourly.
# In a zone without an offset, as London in winter, one meeting is left out. dateutil 2.9.0.post0
# computes the rule and the EXDATE right.
#
# Installs the packages into a temporary folder, prints what is computed, and fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  icalendar==7.3.2 recurring-ical-events==3.8.2 python-dateutil==2.9.0.post0
cat >"$folder/finding.py" <<'PYTHON'
import sys
from datetime import datetime
import icalendar, recurring_ical_events
from dateutil.rrule import rrulestr

failed = False

def expect(what, found, wanted):
    global failed
    print(f"{what}: {' '.join(found)}")
    if found != wanted.split():
        print(f"  was {wanted} before")
        failed = True

def event(*lines):
    return ["BEGIN:VEVENT", "UID:meeting", "DTSTAMP:20260101T000000Z", *lines, "END:VEVENT"]

def meetings(zone, *lines, moved=()):
    start = [
        f"DTSTART;TZID={zone}:20260302T080000", f"DTEND;TZID={zone}:20260302T083000",
        "RRULE:FREQ=DAILY;BYHOUR=8,9;COUNT=4"]
    text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", *event(*start, *lines)]
    text += [*moved, "END:VCALENDAR", ""]
    calendar = icalendar.Calendar.from_ical("\r\n".join(text))
    found = recurring_ical_events.of(calendar).between((2026, 3, 1), (2026, 3, 6))
    return [f"{event.start:%d,%H:%M}" for event in sorted(found, key=lambda event: event.start)]

expect("all", meetings("Europe/Berlin"), "02,08:00 02,09:00 03,08:00 03,09:00")
expect("without 9:00 of 3 March", meetings(
    "Europe/Berlin", "EXDATE;TZID=Europe/Berlin:20260303T090000"), "02,08:00 02,09:00")
expect("the same, in UTC", meetings(
    "Europe/Berlin", "EXDATE:20260303T080000Z"), "02,08:00 02,09:00")
expect("9:00 of 3 March moved to 15:00", meetings("Europe/Berlin", moved=event(
    "RECURRENCE-ID;TZID=Europe/Berlin:20260303T090000",
    "DTSTART;TZID=Europe/Berlin:20260303T150000",
    "DTEND;TZID=Europe/Berlin:20260303T153000")), "02,08:00 02,09:00 03,15:00")
expect("London", meetings(
    "Europe/London", "EXDATE;TZID=Europe/London:20260303T090000"), "02,08:00 02,09:00 03,08:00")
rule = rrulestr(
    "RRULE:FREQ=DAILY;BYHOUR=8,9;COUNT=4\nEXDATE:20260303T090000",
    dtstart=datetime(2026, 3, 2, 8), forceset=True)
expect("dateutil", [f"{start:%d,%H:%M}" for start in rule], "02,08:00 02,09:00 03,08:00")
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
"$folder/venv/bin/python" "$folder/finding.py"
