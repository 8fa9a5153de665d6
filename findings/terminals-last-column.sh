#!/bin/bash
# pyte 0.8.2, libvterm 0.1.4 and tmux 3.3a show three screens for text up to the last column.
#
# On a screen of ten columns, after ten digits:
# - A backspace and an x: pyte and libvterm replace the 9, tmux replaces the last digit.
# - `CSI K` (erase to the end of the line): libvterm erases the last digit, pyte and tmux erase
#   nothing.
# After nine digits, a character of two columns:
# - libvterm and tmux wrap it; pyte draws it in the columns ten and eleven.
# - With autowrap off (`CSI ? 7 l`), pyte and tmux drop it. libvterm wraps it all the same.
#
# Installs pyte, unpacks the packages of Debian 12 into a temporary folder, prints the screens, and
# fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'tmux kill-server 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
export LC_ALL=C.UTF-8
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pyte==0.8.2
apt-get -qq download libvterm-bin=0.1.4-1 libvterm0=0.1.4-1 tmux=3.3a-3 2>/dev/null
# tmux's libraries, of any version.
apt-get -qq download libevent-core-2.1-7 libutempter0 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(echo "$PWD/root/usr/lib/"*-linux-gnu)

cat >screen.py <<'PYTHON'
import pyte

screen = pyte.Screen(10, 3)
pyte.Stream(screen).feed(open("text", newline="").read())
print(*(line.rstrip() for line in screen.display), sep="\n")
PYTHON

echo 'set -g status off' >tmux.conf
tmux() {
  LD_LIBRARY_PATH=$libraries root/usr/bin/tmux -u -S socket -f tmux.conf "$@"
}

# Prints the screen of a program as one line, its lines separated by bars.
pyte() { venv/bin/python screen.py | joined; }
vterm() { LD_LIBRARY_PATH=$libraries root/usr/bin/unterm -l 3 -c 10 text | joined; }
tmuxed() { # wanted
  tmux new-session -d -s "$session" -x 10 -y 3 "stty -opost; cat text; sleep 60"
  local found
  # The pane's text arrives some time after the session is there.
  for _ in {1..50}; do
    sleep 0.1
    found=$(tmux capture-pane -p -t "$session" | joined)
    [ "$found" != "$1" ] || break
  done
  echo "$found"
}
joined() { sed 's/ *$//' | paste -sd'|' | sed 's/|*$//'; }

failed=
count=0
expect() { # what found wanted
  echo "  $1: $2"
  [ "$2" = "$3" ] || { echo "    was $3 before"; failed=1; }
}
screens() { # what text pyte libvterm tmux
  printf '%b' "$2" >text
  count=$((count + 1))
  session=screen$count
  echo "$1"
  expect pyte "$(pyte)" "$3"
  expect libvterm "$(vterm)" "$4"
  expect tmux "$(tmuxed "$5")" "$5"
}
screens "ten digits, backspace, x" '1234567890\bx' '12345678x0' '12345678x0' '123456789x'
screens "ten digits, erase, x" '1234567890\e[Kx' '1234567890|x' '123456789|x' '1234567890|x'
screens "nine digits, wide" '123456789界x' '123456789界|x' '123456789|界x' '123456789|界x'
screens "the same, autowrap off" '\e[?7l123456789界x' '123456789x' '123456789|界x' '123456789x'
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
