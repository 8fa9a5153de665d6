#!/bin/bash
# aw-core 0.5.18's union_no_overlap returns events that overlap, and chunks span any gap.
#
# union_no_overlap(first, second) cuts what `first` covers out of `second`, for the earliest event
# of `second` that an event of `first` meets. A second one stays whole: 9:00 to 9:10 with 9:02 to
# 9:04 and 9:09 to 9:12 gives 13 minutes of 12. chunk_events_by_key joins neighbours of one value
# that are less than `pulsetime` seconds apart; it joins events that are hours apart as well, and
# returns nothing of the first event without the key and of all events after it. There is no
# message. Both are functions that ActivityWatch offers to queries.
#
# Installs the package into a temporary folder, prints the results, and fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check aw-core==0.5.18
cat >finding.py <<'PYTHON'
import sys
from datetime import datetime, timedelta, timezone
from aw_core.models import Event
from aw_transform import chunk_events_by_key, union_no_overlap

nine = datetime(2026, 3, 2, 9, tzinfo=timezone.utc)
failed = False

def event(start, end, **data):
    return Event(timestamp=nine + timedelta(minutes=start),
                 duration=timedelta(minutes=end - start), data=data)

def minutes(events):
    starts = [round((event.timestamp - nine).total_seconds() / 60) for event in events]
    return [(start, start + round(event.duration.total_seconds() / 60))
            for start, event in zip(starts, events)]

def expect(what, events, wanted):
    global failed
    print(f"{what}: {minutes(events)}")
    if minutes(events) != wanted:
        print(f"  was {wanted} before")
        failed = True

first = [event(0, 10, kind="meeting")]
expect("union, one event inside", union_no_overlap(first, [event(2, 4)]), [(0, 10)])
expect("union, one event over the end", union_no_overlap(first, [event(9, 12)]),
       [(0, 10), (10, 12)])
expect("union, both", union_no_overlap(first, [event(2, 4), event(9, 12)]), [(0, 10), (9, 12)])
expect("union, two inside", union_no_overlap(first, [event(2, 4), event(6, 8)]),
       [(0, 10), (6, 8)])
editor = [event(0, 10, app="editor"), event(300, 310, app="editor")]
expect("chunks, five hours apart", chunk_events_by_key(editor, "app", pulsetime=5), [(0, 20)])
other = [event(0, 10, app="editor"), event(10, 20, title="a"), event(20, 30, app="mail")]
expect("chunks, one event without the key", chunk_events_by_key(other, "app"), [(0, 10)])
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
venv/bin/python finding.py
