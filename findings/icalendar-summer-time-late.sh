#!/bin/bash
# icalendar 7.3.2 writes time zones whose summer time begins an hour late.
#
# The zones that `add_missing_timezones()` adds to a calendar say for Berlin that summer time begins
# on 29 March 2026 at 3:00, coming from +01:00. RFC 5545, section 3.6.5, takes that time at the old
# offset, so clocks would go from 3:00 to 4:00, and not from 2:00 to 3:00. dateutil 2.9.0.post0
# reads it so: 1:30 in UTC is 2:30 in Berlin, and not 3:30. The same happens in New York and London,
# and by half an hour on Lord Howe Island. icalendar reads its own zones as it means them, so a
# calendar that it reads back is right. The end of summer time is written right.
#
# Installs the packages into a temporary folder, prints what is written and read, and fails if that
# changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  icalendar==7.3.2 python-dateutil==2.9.0.post0 tzdata==2026.6
cat >"$folder/finding.py" <<'PYTHON'
import io, sys
from datetime import date, datetime, timezone
from zoneinfo import ZoneInfo
import icalendar
from dateutil import tz

failed = False

def expect(what, found, wanted):
    global failed
    print(f"{what}: {found}")
    if found != wanted:
        print(f"  was {wanted} before")
        failed = True

def calendar(start):
    event = icalendar.Event()
    for name, value in ("uid", "1"), ("dtstamp", datetime.now(timezone.utc)), ("dtstart", start):
        event.add(name, value)
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//example//EN")
    calendar.add("version", "2.0")
    calendar.add_component(event)
    calendar.add_missing_timezones(first_date=date(2026, 1, 1), last_date=date(2027, 1, 1))
    return calendar.to_ical().decode()

def lines(text, name):
    part = text.replace("\r\n ", "").split("BEGIN:" + name)[-1].split("END:" + name)[0]
    return " ".join(sorted(line for line in part.split() if line.startswith(("DTST", "TZOF"))))

def read(text):
    """The zone that dateutil reads."""
    return tz.tzical(io.StringIO(text.replace("\r\n", "\n"))).get()

def local(moment, zone):
    return moment.astimezone(zone).strftime("%H:%M %z")

berlin = ZoneInfo("Europe/Berlin")
start = datetime(2026, 3, 29, 3, 30, tzinfo=berlin)
text = calendar(start)
expect("summer time by icalendar", lines(text, "DAYLIGHT"),
       "DTSTART:20260329T030000 TZOFFSETFROM:+0100 TZOFFSETTO:+0200")
expect("winter time by icalendar", lines(text, "STANDARD"),
       "DTSTART:20261025T030000 TZOFFSETFROM:+0200 TZOFFSETTO:+0100")
moment = datetime(2026, 3, 29, 1, 30, tzinfo=timezone.utc)
expect("01:30 UTC in the tz database", local(moment, berlin), "03:30 +0200")
expect("01:30 UTC, zone read by dateutil", local(moment, read(text)), "02:30 +0100")
own = icalendar.Calendar.from_ical(text).walk("VTIMEZONE")[0].to_tz()
expect("01:30 UTC, zone read by icalendar", local(moment, own), "03:30 +0200")
right = text.replace("DTSTART:20260329T030000", "DTSTART:20260329T020000")
expect("01:30 UTC, summer time from 2:00, read by dateutil", local(moment, read(right)),
       "03:30 +0200")
for zone, day, hour in (
    ("America/New_York", 8, "DTSTART:20260308T030000"),
    ("Europe/London", 29, "DTSTART:20260329T020000"),
):
    text = calendar(datetime(2026, 3, day, 12, tzinfo=ZoneInfo(zone)))
    expect(zone, lines(text, "DAYLIGHT").split()[0], hour)
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
"$folder/venv/bin/python" "$folder/finding.py"
