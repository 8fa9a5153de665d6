#!/bin/bash
# One user's undo drops the other's newer value in loro 1.17.1, and the whole key in pycrdt 0.14.13.
#
# Both are libraries for documents of several users, with an undo of each user's own changes. A map
# has state = draft. Ann sets it to sent, Ben to paid, and one of them undoes.
# - Ben sets paid after sent has arrived, and Ann undoes: pycrdt leaves paid. loro goes back to
#   draft for both, though paid is newer, and Ann's redo then sets paid, which she never did.
# - Both set it at the same time, paid wins, and Ben undoes: loro goes back to draft for both, not
#   to sent. pycrdt removes the key for both, and Ann has nothing to undo.
# - The same, and Ann undoes: pycrdt leaves paid, loro goes back to draft.
#
# Installs both into a temporary folder, prints the values, and fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pycrdt==0.14.13 loro==1.17.1
cat >"$folder/finding.py" <<'PYTHON'
import sys
import loro, pycrdt

class Yjs:
    def __init__(self, number):
        self.document = pycrdt.Doc(client_id=number)
        self.document["invoice"] = self.invoice = pycrdt.Map()

    def track(self):
        self.manager = pycrdt.UndoManager(scopes=[self.invoice], capture_timeout_millis=0)
        self.manager.include_origin("user")

    def set(self, value):
        with self.document.transaction(origin="user"):
            self.invoice["state"] = value

    def state(self):
        return self.invoice.get("state")

    def take(self, other):
        self.document.apply_update(other.document.get_update(self.document.get_state()))

class Loro:
    def __init__(self, number):
        self.document = loro.LoroDoc()
        self.document.peer_id = number

    def track(self):
        self.manager = loro.UndoManager(self.document)

    def set(self, value):
        self.document.get_map("invoice").insert("state", value)
        self.document.commit()

    def state(self):
        return self.document.get_map("invoice").get_deep_value().get("state")

    def take(self, other):
        self.document.import_(other.document.export(
            loro.ExportMode.Updates(self.document.oplog_vv)))

def exchange(one, two):
    one.take(two)
    two.take(one)

def start(kind):
    ann, ben = kind(1), kind(2)
    ann.set("draft")
    exchange(ann, ben)
    ann.track()
    ben.track()
    ann.set("sent")
    return ann, ben

failed = False

def expect(what, users, wanted):
    global failed
    exchange(*users)
    found = [user.state() for user in users]
    print(f"{what}: {found[0]}, {found[1]}")
    if found != [wanted, wanted]:
        print(f"  was {wanted} for both before")
        failed = True

results = {
    Yjs: {"newer": "paid", "redone": "paid", "winner": None, "loser": "paid"},
    Loro: {"newer": "draft", "redone": "paid", "winner": "draft", "loser": "draft"},
}
for kind, wanted in results.items():
    name = "pycrdt" if kind is Yjs else "loro"
    users = ann, ben = start(kind)
    exchange(ann, ben)
    ben.set("paid")
    expect(f"{name}, paid after sent", users, "paid")
    ann.manager.undo()
    expect(f"{name}, Ann undoes", users, wanted["newer"])
    ann.manager.redo()
    expect(f"{name}, Ann redoes", users, wanted["redone"])
    for who in "winner", "loser":
        users = ann, ben = start(kind)
        ben.set("paid")
        expect(f"{name}, both at once", users, "paid")
        (ben if who == "winner" else ann).manager.undo()
        expect(f"{name}, the {who} undoes", users, wanted[who])
        if who == "winner" and kind is Yjs:
            ann.manager.undo()
            expect(f"{name}, Ann undoes after that", users, None)
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
"$folder/venv/bin/python" "$folder/finding.py"
