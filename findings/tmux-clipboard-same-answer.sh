#!/bin/bash
# A program in tmux 3.3a cannot find out whether its copies arrive.
#
# `OSC 52` puts a text on the clipboard of a terminal. A terminal says that it takes one from
# programs by the number 52 among its primary device attributes (`CSI c`). tmux has three settings:
# with `set-clipboard on` it takes the text, with `external`, the default, and with `off` it drops
# it without a word. Its device attributes are the same in all three, and 52 is not among them. So a
# program that sends only to terminals with the number never copies in tmux, and one that always
# sends tells its user of copies that did not happen.
#
# Unpacks the package of Debian 12 into a temporary folder, prints the answer and tmux's buffer for
# each setting, and fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'tmux kill-server 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
export LC_ALL=C.UTF-8
apt-get -qq download tmux=3.3a-3 libevent-core-2.1-7 libutempter0 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(echo "$PWD/root/usr/lib/"*-linux-gnu)
cat >ask.py <<'P'
import os, re, select, sys, termios, tty
before = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, b"\x1b[c")
answer = b""
while not answer.endswith(b"c") and select.select([0], [], [], 5)[0]:
    answer += os.read(0, 100)
os.write(1, b"\x1b]52;c;Y29waWVk\x1b\\")
termios.tcsetattr(0, termios.TCSADRAIN, before)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(re.sub(r"[^0-9;]", "", answer.decode()))
os.rename(sys.argv[1] + ".new", sys.argv[1])
P

failed=
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
for row in on:copied external:nothing off:nothing; do
  setting=${row%:*}
  printf 'set -g status off\nset -s set-clipboard %s\n' "$setting" >tmux.conf
  tmux() {
    LD_LIBRARY_PATH=$libraries root/usr/bin/tmux -u -S "$setting.socket" -f tmux.conf "$@"
  }
  tmux new-session -d -x 40 -y 5 "python3 ask.py $setting.answer; sleep 60"
  for _ in {1..50}; do
    sleep 0.1
    [ ! -f "$setting.answer" ] || break
  done
  # The text was sent before the file was written, and tmux reads it in its turn.
  sleep 1
  expect "set-clipboard $setting, device attributes" "$(cat "$setting.answer")" '1;2'
  expect "set-clipboard $setting, buffer" "$(tmux show-buffer 2>/dev/null || echo nothing)" \
    "${row#*:}"
  tmux kill-server
done
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
