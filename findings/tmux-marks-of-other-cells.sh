#!/bin/bash
# tmux 3.3a adds marks and letters to cells that they do not belong to.
#
# - With autowrap off (`CSI ? 7 l`), a mark after the letter of the last column goes to the letter
#   before: `abcd` and U+0301 on four columns is shown with the accent on the c.
# - A scalar that the C library does not know (in Debian 12, one newer than Unicode 14) is dropped,
#   and the marks that follow go to the letter before it.
# - A letter that is not ASCII, in the cell after a zero-width joiner (U+200D), is joined to it, and
#   its own cell stays as it was, even if the cursor was set by its column between them.
#
# pyte 0.8.2 and libvterm 0.1.4 do none of these.
#
# Unpacks the package of Debian 12 into a temporary folder, prints the screens, and fails if they
# change.
set -euo pipefail
folder=$(mktemp -d)
trap 'tmux kill-server 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
export LC_ALL=C.UTF-8
apt-get -qq download tmux=3.3a-3 libevent-core-2.1-7 libutempter0 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(echo "$PWD/root/usr/lib/"*-linux-gnu)
echo 'set -g status off' >tmux.conf
tmux() {
  LD_LIBRARY_PATH=$libraries root/usr/bin/tmux -u -S socket -f tmux.conf "$@"
}

failed=
count=0
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
# The first row of a screen of four columns. Scalars that are not ASCII are shown as numbers.
shows() { # what text wanted
  local session=screen$((count += 1)) found=
  printf '%b' "$2" >text
  tmux new-session -d -s "$session" -x 4 -y 2 "cat text; sleep 60"
  # The pane's text arrives some time after the session is there.
  for _ in {1..50}; do
    sleep 0.1
    found=$(tmux capture-pane -p -t "$session" | head -n 1 |
      python3 -c 'print(ascii(input().rstrip()).strip("\x27"))')
    [ "$found" != "$3" ] || break
  done
  expect "$1" "$found" "$3"
}
shows "a mark in the last column" '\e[?7labcd\u0301' 'abc\u0301d'
shows "the same, autowrap on" 'abcd\u0301' 'abcd\u0301'
shows "a mark after an unknown scalar" 'ab\u0378\u0301c' 'ab\u0301c'
shows "a joiner and a letter" 'ab\u200d\e[3Gé\e[4Gx' 'ab\u200d\xe9 x'
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
