#!/bin/bash
# icalendar 7.3.2 writes a time with a fixed offset so that it reads it back without one.
#
# A datetime such as 2026-03-02T09:00:00+02:00 becomes a local time with TZID="UTC+02:00". No zone
# of that name is defined in the file, also after `add_missing_timezones()`, and icalendar itself
# reads 09:00 in no zone at all, without a message. Only the offset +00:00 is written as UTC. ics
# 0.7.3 writes 07:00Z for the same datetime, and reads icalendar's file right.
#
# Installs both into a temporary folder, prints what is written and read, and fails if that
# changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check icalendar==7.3.2 ics==0.7.3
cat >"$folder/finding.py" <<'PYTHON'
import sys
from datetime import datetime, timedelta, timezone
import icalendar, ics

failed = False

def expect(what, found, wanted):
    global failed
    print(f"{what}: {found}")
    if found != wanted:
        print(f"  was {wanted} before")
        failed = True

def written(start):
    event = icalendar.Event()
    for name, value in ("uid", "1"), ("dtstamp", datetime.now(timezone.utc)), ("dtstart", start):
        event.add(name, value)
    event.add("dtend", start + timedelta(hours=1))
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//example//EN")
    calendar.add("version", "2.0")
    calendar.add_component(event)
    calendar.add_missing_timezones()
    return calendar.to_ical().decode()

def start_line(text):
    return next(line for line in text.splitlines() if line.startswith("DTSTART"))

def read_back(text):
    return icalendar.Calendar.from_ical(text).walk("VEVENT")[0].start.isoformat()

two, zero = (datetime.fromisoformat(f"2026-03-02T09:00:00+0{hours}:00") for hours in (2, 0))
file = written(two)
expect("+02:00 by icalendar", start_line(file), 'DTSTART;TZID="UTC+02:00":20260302T090000')
expect("zones defined", file.count("BEGIN:VTIMEZONE"), 0)
expect("read by icalendar", read_back(file), "2026-03-02T09:00:00")
expect("read by ics", next(iter(ics.Calendar(file).events)).begin.isoformat(),
       "2026-03-02T09:00:00+02:00")
expect("+00:00 by icalendar", start_line(written(zero)), "DTSTART:20260302T090000Z")
expect("read by icalendar", read_back(written(zero)), "2026-03-02T09:00:00+00:00")
calendar = ics.Calendar(events=[ics.Event(begin=two)])
expect("+02:00 by ics", start_line(calendar.serialize()), "DTSTART:20260302T070000Z")
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
"$folder/venv/bin/python" "$folder/finding.py"
