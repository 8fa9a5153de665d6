#!/bin/bash
# eventsourcing 9.5.6 replays an item of a list twice if two commands were saved together.
#
# A timesheet starts with the tags [thesis] and is then tagged as late. One would expect the events
# [thesis] and late, and a replay that has each tag once. But the event of the start keeps the list
# object that it was given, and `self.tags = tags` keeps the same one, so the second command
# changes the first event while it waits to be saved. [thesis, late] is stored for the start, and
# the replay has [thesis, late, late]; the object in memory has each tag once. Hours in a dict are
# added twice in the same way, and what the caller does to its own list before the save is stored
# as well. There is no message. If every command is saved by itself, all is right, so a test of
# that kind finds nothing. Events are frozen, which refuses another list for a field, and not a
# change of the list.
#
# The documentation calls events immutable. Neither there nor among the issues was a word about
# arguments that are mutable.
#
# Installs the package into a temporary folder, prints the states, and fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check eventsourcing==9.5.6
cat >"$folder/finding.py" <<'PYTHON'
import sys
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

failed = False

def expect(what, found, wanted):
    global failed
    print(f"{what}: {found}")
    if found != wanted:
        print(f"  was {wanted} before")
        failed = True

class Timesheet(Aggregate):
    @event("Started")
    def __init__(self, tags, hours):
        self.tags = tags
        self.hours = hours

    @event("Tagged")
    def tag(self, name):
        self.tags.append(name)

    @event("Worked")
    def work(self, project, hours):
        self.hours[project] = self.hours.get(project, 0) + hours

application = Application()
load = application.repository.get

def start():
    return Timesheet(tags=["thesis"], hours={"thesis": 1})

sheet = start()
sheet.tag("late")
sheet.work("thesis", 2)
application.save(sheet)
expect("in memory", (sheet.tags, sheet.hours), (["thesis", "late"], {"thesis": 3}))
again = load(sheet.id)
expect("replayed", (again.tags, again.hours), (["thesis", "late", "late"], {"thesis": 5}))
expect("replayed, version 1", load(sheet.id, version=1).tags, ["thesis", "late"])
stored = next(iter(application.events.get(sheet.id)))
expect("stored event of the start", stored.tags, ["thesis", "late"])

sheet = start()
application.save(sheet)
sheet.tag("late")
sheet.work("thesis", 2)
application.save(sheet)
again = load(sheet.id)
expect("saved twice, replayed", (again.tags, again.hours), (["thesis", "late"], {"thesis": 3}))

tags = ["thesis"]
sheet = Timesheet(tags=tags, hours={})
tags.append("of the caller")
application.save(sheet)
expect("the caller's list, replayed", load(sheet.id).tags, ["thesis", "of the caller"])

try:
    sheet = start()
    [started] = sheet.pending_events
    started.tags = []
    frozen = "changed"
except AttributeError:
    frozen = "refused"
expect("another list for a pending event", frozen, "refused")
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
"$folder/venv/bin/python" "$folder/finding.py"
