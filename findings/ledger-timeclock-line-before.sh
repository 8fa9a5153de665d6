#!/bin/bash
# ledger 3.3.0 takes parts of a timeclock session from lines that stand before it.
#
# It looks for the account at a fixed column, also if the line is shorter, and finds what an
# earlier line left there. A clock-in without an account gets the account of the session before, or
# the end of a comment between the two. A comment between `i` and `o` gives the session a payee:
# the words after its first two blanks. There is no message. hledger 1.25 takes nothing from other
# lines.
#
# Unpacks both packages of Debian 12 into a temporary folder, prints the sessions that each one
# reads, and fails if they change.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download hledger=1.25-2+b5 ledger=3.3.0-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
# ledger's libraries, if the machine does not have them.
if ldd root/usr/bin/ledger | grep -q 'not found'; then
  ldd root/usr/bin/ledger | sed -n 's/^\s*\(\S*\) => not found/missing: \1/p'
  echo "install ledger's dependencies: apt-get install ledger=3.3.0-3"
  exit 69
fi

cat >comment.timeclock <<'FILE'
i 2026/03/02 11:00:00 mail
; waiting for the answer  of the client
o 2026/03/02 12:00:00
FILE
cat >account.timeclock <<'FILE'
i 2026/03/02 09:00:00 client:website
o 2026/03/02 10:00:00
i 2026/03/02 13:00:00
o 2026/03/02 14:00:00
FILE
sed '2a ; the office was closed from ten to one' account.timeclock >both.timeclock

# Prints payee and account of the last session of a file.
ledger() { # file
  root/usr/bin/ledger -f "$1" register --format '%(payee) | %(account)\n' | tail -n 1
}
# Prints the account of the last session of a file.
hledger() { # file
  root/usr/bin/hledger -f "$1" print | grep '^ ' | tail -n 1 | awk '{ print $1 }'
}

failed=
expect() { # what found wanted
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "  was $3 before"; failed=1; }
}
expect "ledger, comment inside a session" "$(ledger comment.timeclock)" "of the client | mail"
expect "hledger, comment inside a session" "$(hledger comment.timeclock)" "(mail)"
expect "ledger, no account" "$(ledger account.timeclock)" " | client:website"
expect "hledger, no account" "$(hledger account.timeclock)" "()"
expect "ledger, no account, after a comment" "$(ledger both.timeclock)" " | d from ten to one"
expect "hledger, no account, after a comment" "$(hledger both.timeclock)" "()"
[ -z "$failed" ] || { echo "the behaviour has changed" >&2; exit 1; }
