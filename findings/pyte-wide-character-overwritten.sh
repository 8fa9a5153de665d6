#!/bin/bash
# pyte 0.8.2 cannot show its screen after the first column of a wide character was overwritten.
#
# It keeps a character of two columns as the character and an empty cell. If something else takes
# the first of the two columns, the empty cell stays as it is, and `screen.display` raises
# IndexError until somebody writes there. An x in the second column is kept but not shown: the
# character still looks whole. Terminals show a blank for the other half.
#
# Installs the package into a temporary folder, prints the screens, and fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyte==0.8.2
cat >"$folder/finding.py" <<'PYTHON'
import sys
import pyte

failed = False

def shown(text):
    screen = pyte.Screen(10, 1)
    pyte.Stream(screen).feed(text)
    try:
        return screen.display[0].rstrip()
    except IndexError:
        return "IndexError"

def expect(what, text, wanted):
    global failed
    found = shown(text)
    print(f"{what}: {found}")
    if found != wanted:
        print(f"  was {wanted} before")
        failed = True

# CSI G places the cursor in a column; CSI X erases a character, CSI P deletes one.
expect("a界b", "a界b", "a界b")
expect("x in column 2", "a界b\x1b[2Gx", "IndexError")
expect("column 2 erased", "a界b\x1b[2G\x1b[X", "IndexError")
expect("column 2 deleted", "a界b\x1b[2G\x1b[P", "IndexError")
expect("x in columns 2 and 3", "a界b\x1b[2Gxx", "axxb")
expect("x in column 3", "a界b\x1b[3Gx", "a界b")
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
"$folder/venv/bin/python" "$folder/finding.py"
