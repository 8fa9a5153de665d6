#!/bin/bash
# pyte 0.8.2 underlines and draws parts of the requests that programs send to today's terminals.
#
# `CSI > 4 ; 2 m` asks for more detail of modified keys; pyte takes it for the attribute 4 and
# underlines all that follows. `CSI > 4 m`, which ends it, underlines as well. `CSI 58 ; 2 ; 1 ; 2
# ; 3 m`, the colour of an underline, makes text bold and italic. Where a sequence has a colon, `<`
# or `=`, or is a device control string, pyte draws the rest of it as text: 3m for the curly
# underline `CSI 4 : 3 m`, u for `CSI < u` (end of the kitty keyboard). `CSI > 1 u`, which begins
# the kitty keyboard, and hyperlinks by OSC 8 leave no trace.
#
# Installs the package into a temporary folder, prints text and attributes, and fails if they
# change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyte==0.8.2
cat >"$folder/finding.py" <<'PYTHON'
import sys
import pyte

failed = False

def shown(sequence):
    screen = pyte.Screen(20, 1)
    pyte.Stream(screen).feed(sequence + "text")
    last = screen.buffer[0][screen.cursor.x - 1]
    names = ("bold", "italics", "underscore", "blink")
    attributes = [name for name in names if getattr(last, name)]
    return " ".join([screen.display[0].rstrip(), *attributes])

def expect(what, sequence, wanted):
    global failed
    found = shown(sequence)
    print(f"{what}: {found}")
    if found != wanted:
        print(f"  was {wanted} before")
        failed = True

expect("CSI > 4 ; 2 m", "\x1b[>4;2m", "text underscore")
expect("CSI > 4 m", "\x1b[>4m", "text underscore")
expect("CSI 58 ; 2 ; 1 ; 2 ; 3 m", "\x1b[58;2;1;2;3m", "text bold italics")
expect("CSI 4 : 3 m", "\x1b[4:3m", "3mtext")
expect("CSI < u", "\x1b[<u", "utext")
expect("CSI > 1 u", "\x1b[>1u", "text")
expect("DCS + q 544e ST", "\x1bP+q544e\x1b\\", "+q544etext")
expect("OSC 8", "\x1b]8;;https://example.com\x1b\\", "text")
sys.exit("the behaviour has changed" if failed else 0)
PYTHON
"$folder/venv/bin/python" "$folder/finding.py"
