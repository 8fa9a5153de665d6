#!/bin/bash
# pycrdt 0.14.13's undo removes a map's key that two users had set at the same time.
#
# A key has the value "draft" for both users. One sets it to "sent", the other to "paid", before
# their changes reach each other; "paid" wins. If its user now undoes that, the key is gone for
# both, instead of "sent" or "draft", and the other user has nothing to undo. If "paid" is set
# after "sent" has arrived, its undo gives "sent"; if it is undone before "sent" arrives, it gives
# "draft".
#
# Installs the package into a temporary folder, prints the values, and fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pycrdt==0.14.13
cat >finding.py <<'PYTHON'
import sys
from pycrdt import Doc, Map, UndoManager

class User:
    def __init__(self, number):
        self.document = Doc(client_id=number)
        self.document["invoice"] = self.invoice = Map()

    def track(self):
        self.undo = UndoManager(scopes=[self.invoice], capture_timeout_millis=0)
        self.undo.include_origin("user")

    def set(self, value):
        with self.document.transaction(origin="user"):
            self.invoice["state"] = value

    def state(self):
        return self.invoice.get("state")

def exchange(one, two):
    two.document.apply_update(one.document.get_update(two.document.get_state()))
    one.document.apply_update(two.document.get_update(one.document.get_state()))

def start():
    ann, ben = User(1), User(2)
    ann.set("draft")
    exchange(ann, ben)
    ann.track()
    ben.track()
    return ann, ben

failed = False

def expect(what, found, wanted):
    global failed
    print(f"{what}: {found}")
    if found != wanted:
        print(f"  was {wanted} before")
        failed = True

ann, ben = start()
ann.set("sent")
exchange(ann, ben)
ben.set("paid")
exchange(ann, ben)
ben.undo.undo()
exchange(ann, ben)
expect("paid after sent, undone", (ann.state(), ben.state()), ("sent", "sent"))

ann, ben = start()
ann.set("sent")
ben.set("paid")
ben.undo.undo()
exchange(ann, ben)
expect("paid beside sent, undone before they meet", (ann.state(), ben.state()),
       ("draft", "draft"))

ann, ben = start()
ann.set("sent")
ben.set("paid")
exchange(ann, ben)
expect("paid beside sent", (ann.state(), ben.state()), ("paid", "paid"))
ben.undo.undo()
exchange(ann, ben)
expect("the same, undone", (ann.state(), ben.state()), (None, None))
expect("anything undone for the other user", ann.undo.undo(), False)
expect("the other user's value after that", ann.state(), None)
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
venv/bin/python finding.py
